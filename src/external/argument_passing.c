/* How arguments are passed to foreign functions. */
#include "external/external.h"

ExternalPass external_pass(const Types *types, TypeId type)
{
    switch (type_get(types, type_element(types, type))->kind) {
    case TYPE_REAL: return PASS_REAL;
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_ENUM: return PASS_INT;
    case TYPE_STRING: return PASS_STRING;
    case TYPE_EXTERNAL: return PASS_OBJECT;
    default: return PASS_NOT;
    }
}

static const Type *record_of(const Types *types, TypeId type)
{
    const Type *t = type_get(types, type_element(types, type));
    return t->kind == TYPE_RECORD ? t : NULL;
}

bool external_is_record(const Types *types, TypeId type)
{
    return record_of(types, type) != NULL;
}

bool external_can_pass(const Types *types, TypeId type)
{
    const Type *t = record_of(types, type);
    for (uint32_t i = 0; t && i < t->n; i++)
        if (type_rank(types, t->fields[i].type) || !external_can_pass(types, t->fields[i].type) ||
            external_pass(types, t->fields[i].type) == PASS_OBJECT)
            return false;
    return t || external_pass(types, type) != PASS_NOT;
}

uint32_t external_slots(const Types *types, TypeId type)
{
    const Type *t = record_of(types, type);
    uint32_t n = t ? type_rank(types, type) > 0 : 1;
    for (uint32_t i = 0; t && i < t->n; i++)
        n += external_slots(types, t->fields[i].type);
    return n;
}

uint32_t external_changes(const Graph *g, const Function *f, uint32_t argument)
{
    ExprId e = f->external->args[argument];
    uint32_t k = expr_op(g, e) == OP_LOCAL ? expr_index(g, e) : UINT32_MAX;
    return k < f->n_vars && f->vars[k].kind != FN_INPUT ? k : UINT32_MAX;
}

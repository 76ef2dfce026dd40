/* Dimensions of components, and the types that follow from them. Section 10.1 of the specification.
 */
#include "instance/tree/tree.h"

/* ---- dimensions ---- */

/* The enumeration or Boolean that a dimension names; T_NONE if it is an expression. */
static TypeId dimension_type(Library *lib, Scope scope, const AstExpr *e)
{
    if (e->kind != AST_REF)
        return T_NONE;
    const AstRef *ref = e->ref;
    if (ref->n == 1 && !strcmp(ref->parts[0].name, "Boolean"))
        return T_BOOL;
    Found f = ref->absolute ? lookup_member(lib, lib->root_inst, ref->parts[0].name)
                            : lookup_name(lib, scope, ref->parts[0].name);
    for (uint32_t i = 0; f.inst && found_element(f)->kind == ELEMENT_CLASS; i++) {
        Instance *c = inst_class(lib, f.inst, f.index);
        if (!c)
            return T_NONE;
        if (i + 1 == ref->n)
            return c->cls->type;
        f = lookup_member(lib, c, ref->parts[i + 1].name);
    }
    return T_NONE;
}

TypeId inst_index_type(Library *lib, const Instance *inst, uint32_t dim)
{
    const AstElement *decl = inst->decl;
    if (!decl || dim >= decl->dims.n || decl->dims.at[dim]->kind == AST_COLON)
        return T_NONE;
    TypeId type = dimension_type(lib, inst->decl_scope, decl->dims.at[dim]);
    return type == T_BOOL || (type != T_NONE && type_get(lib->g->types, type)->kind == TYPE_ENUM)
               ? type
               : T_INT;
}

static bool evaluate_dim(Library *lib, Instance *inst, Scope scope, const AstExpr *e, int64_t *out)
{
    TypeId type = dimension_type(lib, scope, e);
    if (type == T_BOOL || (type != T_NONE && type_get(lib->g->types, type)->kind == TYPE_ENUM)) {
        *out = type == T_BOOL ? 2 : type_get(lib->g->types, type)->n;
        return true;
    }
    Value v;
    const char *what = arena_printf(lib->arena, "the dimension of '%s'", inst->decl->name);
    if (inst_evaluate_ast(lib, scope, e, T_INT, what, false, &v) != EVAL_OK)
        return false;
    if (!(v.num >= 0 && v.num < 2147483648.0)) {
        diag(lib->ctx, e->span, DIAG_I010,
             "the dimension of '%s' is %.0f; a size must be from 0 to 2147483647", inst->decl->name,
             v.num);
        return false;
    }
    *out = (int64_t)v.num;
    return true;
}

/* Dimension `k`, declared as ":", from the value of the component. */
static bool infer_dim(Library *lib, Instance *inst, uint32_t k, Span span, int64_t *out)
{
    Instance *base = NULL;
    Span where;
    bool failed = false;
    ExprId e = inst_binding(lib, inst, NAMES_STRUCTURAL, &base, &where, &failed);
    if (e == EXPR_NONE) {
        if (!failed)
            diag(lib->ctx, span, DIAG_I044,
                 "the size ':' of '%s' needs a value that shows the size", inst_path(lib, inst));
        return false;
    }
    uint32_t above = inst->outer_rank - (base->outer_rank + base->rank);
    TypeId type = expr_type(lib->g, e);
    if (above + k >= type_rank(lib->g->types, type) ||
        type_dim(lib->g->types, type, above + k) < 0) {
        diag(lib->ctx, span, DIAG_I010, "cannot find the size of '%s' from its value",
             inst_path(lib, inst));
        return false;
    }
    *out = type_dim(lib->g->types, type, above + k);
    return true;
}

/* in a function or a record constructor: sizes may be unknown */
static bool inst_is_open(const Instance *inst)
{
    if (inst->variability == AST_CONSTANT)
        return false;
    while (inst->parent)
        inst = inst->parent;
    return !inst->is_top && (class_is_function(inst->cls) || class_is_record(inst->cls));
}

/* For a variable of a function or a field of a record constructor: a size that constants do not
 * give is left open. */
static bool open_dim(Library *lib, Scope scope, const AstExpr *e, int64_t *out)
{
    NameScope names = name_scope(lib, scope, NAMES_STRUCTURAL);
    names.type.optional = names.soft = names.type.in_function = true;
    ExprId size = type_expr_as(&names.type, e, T_INT, "the dimension");
    Value v;
    *out = DIM_UNKNOWN;
    if (size != EXPR_NONE && inst_evaluate(&names, size, e->span, "the dimension", &v) == EVAL_OK &&
        v.num >= 0)
        *out = (int64_t)v.num;
    return size != EXPR_NONE;
}

/* Dimension `k`. The dimensions after one that cannot be found from the value may depend on it:
 * they are not tried. */
static bool one_dim(Library *lib, Instance *inst, uint32_t k, Scope scope, const AstExpr *e,
                    bool *lost)
{
    if (*lost)
        return false;
    if (inst_is_open(inst)) {
        TypeId type = dimension_type(lib, scope, e);
        if (e->kind == AST_COLON)
            return true; /* unknown */
        if (type == T_NONE || type == T_INT)
            return open_dim(lib, scope, e, &inst->dims[k]);
    }
    if (e->kind != AST_COLON)
        return evaluate_dim(lib, inst, scope, e, &inst->dims[k]);
    *lost = !infer_dim(lib, inst, k, e->span, &inst->dims[k]);
    return !*lost;
}

const AstExpr *inst_dim(Instance *inst, uint32_t k, Scope *scope)
{
    const Element *e = &inst->parent->cls->elements.at[inst->index];
    const AstElement *decl = inst->decl;
    *scope = inst->decl_scope;
    if (decl != e->ast && !decl->dims.n && !decl->type_dims.n) {
        decl = e->ast;
        *scope = (Scope){inst->parent, e->layer};
    }
    if (k < decl->dims.n)
        return decl->dims.at[k];
    k -= decl->dims.n;
    if (k < decl->type_dims.n)
        return decl->type_dims.at[k];
    k -= decl->type_dims.n;
    if (k >= inst->cls->dims.n)
        return NULL;
    /* the classes were copied from one to the other: the layer of the short class is one of them */
    *scope = (Scope){inst, inst->cls->dims.at[k].layer};
    return inst->cls->dims.at[k].dim;
}

static bool all_dims(Library *lib, Instance *inst)
{
    bool ok = true, lost = false;
    for (uint32_t k = 0; k < inst->rank; k++) {
        Scope scope;
        const AstExpr *e = inst_dim(inst, k, &scope);
        ok &= e && one_dim(lib, inst, k, scope, e, &lost);
    }
    return ok;
}

bool inst_dims(Library *lib, Instance *inst)
{
    if (inst->rank == 0 || inst->dims_mark == MARK_DONE)
        return true;
    if (inst->dims_mark == MARK_FAILED)
        return false;
    if (inst->dims_mark == MARK_BUSY && (inst->dims[0] != DIM_UNKNOWN || inst_is_open(inst)))
        return true; /* a later dimension may use those before it, as in A[:, size(A, 1)] */
    if (inst->dims_mark == MARK_BUSY) {
        diag(lib->ctx, inst->decl->span, DIAG_I007, "the dimensions of '%s' depend on themselves",
             inst_path(lib, inst));
        return false;
    }
    inst->dims = ARENA_ARRAY(lib->arena, int64_t, inst->rank);
    for (uint32_t i = 0; i < inst->rank; i++)
        inst->dims[i] = DIM_UNKNOWN;
    inst->dims_mark = MARK_BUSY;
    bool ok = all_dims(lib, inst);
    double total = 1;
    for (uint32_t i = 0; i < inst->rank; i++)
        total *= (double)inst->dims[i];
    if (ok && total > 1e8) {
        diag(lib->ctx, inst->decl->span, DIAG_I016, "'%s' has %.0f elements, which is too many",
             inst_path(lib, inst), total);
        ok = false;
    }
    inst->dims_mark = ok ? MARK_DONE : MARK_FAILED;
    return ok;
}

/* ---- types ---- */

static TypeId record_type(Library *lib, Instance *inst)
{
    VEC(TypeField) fields = {0};
    const Class *c = inst->cls;
    bool ok = true;
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, index);
        TypeId type = child ? inst_full_type(lib, child) : T_NONE;
        ok &= type != T_NONE;
        vec_push(&fields, ((TypeField){c->elements.at[index].name, type}));
    }
    Class *base = operator_record_of(lib, inst->cls);
    /* short classes of an operator record are the same type */
    Name name = base ? base->name : c->name;
    TypeId type = ok ? type_record(lib->g->types, name, fields.at, fields.n) : T_NONE;
    vec_free(&fields);
    if (base && type != T_NONE)
        operator_record_note(lib, type, base);
    return type;
}

TypeId inst_type(Library *lib, Instance *inst)
{
    if (class_is_simple(inst->cls))
        return inst->cls->type;
    if (!class_is_record(inst->cls) && !class_is_connector(inst->cls))
        return T_NONE;
    if (inst_elements(lib, inst))
        return inst_common_type(lib, inst);
    if (inst->type_mark == MARK_BUSY) {
        diag(lib->ctx, inst->cls->ast->name_span, DIAG_I004, "record '%s' contains itself",
             inst->cls->name);
        return T_NONE;
    }
    if (inst->type_mark != MARK_NONE)
        return inst->type;
    inst->type_mark = MARK_BUSY;
    inst->type = record_type(lib, inst);
    /* sizes that are still being looked for are not remembered as unknown */
    inst->type_mark =
        type_is_open(lib->g->types, inst->type) && !inst_is_open(inst) ? MARK_NONE : MARK_DONE;
    return inst->type;
}

TypeId inst_full_type(Library *lib, Instance *inst)
{
    TypeId type = inst_type(lib, inst);
    if (type == T_NONE || !inst->rank)
        return type;
    if (inst->dims_mark != MARK_BUSY && !inst_dims(lib, inst))
        return T_NONE;
    return type_array(lib->g->types, type, inst->dims, inst->rank);
}

TypeId inst_type_below(Library *lib, Instance *inst, Instance *base)
{
    TypeId type = inst_full_type(lib, inst);
    for (Instance *a = inst; type != T_NONE && a && a != base; a = a->parent) {
        const Instance *array = a->array ? a->array : a;
        if (!array->rank || array == inst)
            continue;
        if (!a->array && !inst_dims(lib, a))
            return T_NONE;
        type = type_array(lib->g->types, type, array->dims, array->rank);
    }
    return type;
}

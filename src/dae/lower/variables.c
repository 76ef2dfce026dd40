/* Variables of the scalar model: one per element of a flat variable. */
#include "dae/lower/lower.h"

static DaeType dae_type(const Types *types, TypeId t)
{
    switch (type_get(types, type_element(types, t))->kind) {
    case TYPE_REAL: return DAE_REAL;
    case TYPE_INT:
    case TYPE_EXTERNAL: return DAE_INT;
    case TYPE_BOOL: return DAE_BOOL;
    case TYPE_STRING: return DAE_STRING;
    default: return DAE_ENUM;
    }
}

static DaeVarKind kind_of(const Lower *L, uint32_t f)
{
    const FlatVar *x = &L->flat->vars.at[f];
    if (x->variability <= VARIES_PARAMETER)
        return DAE_PARAMETER;
    if (x->causality == FLAT_INPUT)
        return DAE_INPUT;
    return x->variability == VARIES_DISCRETE ? DAE_DISCRETE : DAE_CONTINUOUS;
}

static bool make_elements(Lower *L, uint32_t f)
{
    const FlatVar *x = &L->flat->vars.at[f];
    TypeKind kind = type_get(L->g->types, type_element(L->g->types, x->type))->kind;
    L->d->flat_base[f] = NONE;
    if ((kind == TYPE_STRING && x->variability <= VARIES_PARAMETER && !x->fixed) ||
        kind == TYPE_CLOCK)
        return true;
    int64_t n = type_count(L->g->types, x->type);
    bool object = kind == TYPE_EXTERNAL && x->variability <= VARIES_PARAMETER;
    bool value = kind == TYPE_REAL || kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_ENUM ||
                 kind == TYPE_STRING;
    if ((!value && !object) || n < 0) {
        char *type = type_print(L->g->types, x->type, L->scratch);
        diag(L->ctx, x->span, DIAG_D001, "variable %s of type %s is not yet supported",
             flat_var_name(L->flat, f, L->scratch), type);
        return false;
    }
    DaeVar v = dae_blank_var;
    v.kind = (uint8_t)kind_of(L, f);
    v.type = (uint8_t)dae_type(L->g->types, x->type);
    v.is_protected = x->is_protected;
    v.hidden = object;
    v.flat = f;
    L->d->flat_base[f] = L->d->vars.n;
    for (int64_t i = 0; i < n; i++) {
        v.element = (uint32_t)i;
        uint8_t select = flat_traits(x, v.element)->state_select;
        v.state_select = select ? select : SELECT_DEFAULT;
        vec_push(&L->d->vars, v);
    }
    return true;
}

/* Inputs of the model that the model itself binds are unknowns. */
static void unbind_inputs(Lower *L)
{
    for (uint32_t i = 0; i < L->flat->eqs.n; i++) {
        const FlatEq *eq = &L->flat->eqs.at[i];
        if (eq->origin != ORIGIN_BINDING || eq->kind != FLAT_EQUAL ||
            expr_op(L->g, eq->lhs) != OP_VAR)
            continue;
        uint32_t f = expr_index(L->g, eq->lhs), n = type_scalars(L, L->flat->vars.at[f].type);
        for (uint32_t k = 0; k < n && L->d->flat_base[f] != NONE; k++) {
            DaeVar *v = &L->d->vars.at[L->d->flat_base[f] + k];
            if (v->kind == DAE_INPUT)
                v->kind =
                    v->type == DAE_REAL && L->flat->vars.at[f].variability == VARIES_CONTINUOUS
                        ? DAE_CONTINUOUS
                        : DAE_DISCRETE;
        }
    }
}

bool make_variables(Lower *L)
{
    Dae *d = L->d;
    bool ok = true;
    VarId time = dae_hidden_var(d, DAE_TIME, DAE_REAL);
    d->vars.at[time].hidden = false;
    d->flat_base = ARENA_ARRAY(d->arena, uint32_t, L->flat->vars.n + 1);
    vec_reserve(&d->vars, (size_t)L->flat->vars.n + 16);
    for (uint32_t f = 0; f < L->flat->vars.n; f++)
        ok &= make_elements(L, f);
    unbind_inputs(L);
    return ok;
}

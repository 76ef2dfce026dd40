/* Zeros of any type: derivatives of constant values. */
#include "dae/symbolic/internal.h"

bool symbolic_holds_reals(const Graph *g, TypeId type)
{
    const Type *t = type_get(g->types, type_element(g->types, type));
    if (t->kind == TYPE_RECORD)
        for (uint32_t i = 0; i < t->n; i++)
            if (symbolic_holds_reals(g, t->fields[i].type))
                return true;
    return t->kind == TYPE_REAL;
}

ExprId symbolic_zero(Graph *g, TypeId type)
{
    const Type *t = type_get(g->types, type);
    VEC(ExprId) args = {0};
    ExprId e;
    switch (t->kind) {
    case TYPE_INT: return expr_int(g, 0);
    case TYPE_BOOL: return expr_bool(g, false);
    case TYPE_STRING: return expr_string(g, "", 0);
    case TYPE_ENUM: return expr_enum(g, type, 1);
    case TYPE_ARRAY:
        vec_push(&args, symbolic_zero(g, t->element));
        for (uint32_t i = 0; i < t->n; i++)
            vec_push(&args, expr_int(g, t->dims[i]));
        e = expr_make(g, OP_FILL, type, 0, args.at, args.n);
        break;
    case TYPE_RECORD:
    case TYPE_TUPLE:
        for (uint32_t i = 0; i < t->n; i++)
            vec_push(&args, symbolic_zero(g, t->fields[i].type));
        e = expr_make(g, t->kind == TYPE_RECORD ? OP_RECORD : OP_TUPLE, type, 0, args.at, args.n);
        break;
    default: return expr_real(g, 0.0);
    }
    vec_free(&args);
    return e;
}

TypeId symbolic_rate_type(Graph *g, TypeId type)
{
    const Type *t = type_get(g->types, type);
    if (type_element(g->types, type) != T_INT)
        return type;
    return t->kind == TYPE_ARRAY ? type_array(g->types, T_REAL, t->dims, t->n) : T_REAL;
}

/* Sizes that are open in a function are those of e. */
ExprId symbolic_zero_like(Graph *g, ExprId e)
{
    TypeId type = symbolic_rate_type(g, expr_type(g, e));
    const Type *t = type_get(g->types, type);
    if (t->kind != TYPE_ARRAY || type_count(g->types, type) != DIM_UNKNOWN)
        return symbolic_zero(g, type);
    VEC(ExprId) args = {0};
    uint32_t rank = t->n;
    vec_push(&args, symbolic_zero(g, t->element));
    for (uint32_t k = 0; k < rank; k++) {
        int64_t size = type_dim(g->types, type, k);
        vec_push(&args,
                 size >= 0 ? expr_int(g, size) : expr2(g, OP_SIZE, T_INT, e, expr_int(g, k + 1)));
    }
    ExprId zero = expr_make(g, OP_FILL, type, 0, args.at, args.n);
    vec_free(&args);
    return zero;
}

/* Bounds of a shape by interval arithmetic: every node gets an interval, from the leaves up. */
#include "dae/symbolic/internal.h"

#include "expr/interval.h"

typedef struct BoundWork {
    const Graph *g;
    const double *lo, *hi;
    Map index;
    VEC(Range) found;
    VEC(uint32_t) args;
} BoundWork;

static Range bound_node(BoundWork *w, ExprId e)
{
    const Graph *g = w->g;
    ExprOp op = expr_op(g, e);
    TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
    bool number = kind == TYPE_REAL || kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_ENUM;
    if (number && expr_is_literal(g, e))
        return (Range){expr_real_value(g, e), expr_real_value(g, e), false};
    if (number && op == OP_HOLE)
        return (Range){w->lo[expr_index(g, e)], w->hi[expr_index(g, e)], false};
    if ((op == OP_EQ || op == OP_NE) && expr_type(g, expr_arg(g, e, 0)) == T_STRING)
        return (Range){0, 1, false};
    vec_clear(&w->args);
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        vec_push(&w->args, map_get(&w->index, expr_arg(g, e, i)));
    return range_apply(op, kind, w->found.at, w->args.at, w->args.n);
}

static void bound_visit(void *user, ExprId e)
{
    BoundWork *w = user;
    Range r = bound_node(w, e);
    map_put(&w->index, e, w->found.n);
    vec_push(&w->found, r);
}

void symbolic_bounds(Symbolic *s, ExprId e, const double *lo, const double *hi, double *e_lo,
                     double *e_hi)
{
    BoundWork w = {.g = s->g, .lo = lo, .hi = hi};
    expr_walk(s->g, e, bound_visit, &w);
    Range r = w.found.at[map_get(&w.index, e)];
    *e_lo = r.lo;
    *e_hi = r.hi;
    map_free(&w.index);
    vec_free(&w.found);
    vec_free(&w.args);
}

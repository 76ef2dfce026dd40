/* Derivatives of products, of largest and of smallest elements: of arrays, and of terms over
 * iterators, whose number a function may leave open. The derivative of a product is the sum over
 * its factors of the factor's derivative times all others. The derivative of a largest (or
 * smallest) element is that of the element; the mean if several are equal. */
#include "dae/symbolic/internal.h"

enum { MAX_LOOPS = 8 };

typedef struct Loop {
    ExprId iter, range; /* OP_ITER; a range, whose values are distinct */
} Loop;

typedef struct Terms {
    ExprId term, rate; /* over the iterators */
    Loop loops[MAX_LOOPS];
    uint32_t n;
} Terms;

static ExprId over(Graph *g, ExprOp op, ExprId body, const Loop *loops, uint32_t n)
{
    for (uint32_t k = n; k-- > 0;) {
        ExprId args[] = {expr_int(g, op), body, loops[k].iter, loops[k].range};
        body = expr_apply(g, OP_REDUCE, T_REAL, 0, args, 4);
    }
    return body;
}

typedef struct Renaming {
    const Loop *from, *to;
    uint32_t n;
} Renaming;

static ExprId renamed(void *user, Graph *g, ExprId e)
{
    const Renaming *r = user;
    for (uint32_t k = 0; expr_op(g, e) == OP_ITER && k < r->n; k++)
        if (e == r->from[k].iter)
            return r->to[k].iter;
    return EXPR_NONE;
}

static ExprId product_rate(Graph *g, const Terms *t)
{
    Loop others[MAX_LOOPS];
    ExprId same = EXPR_NONE;
    for (uint32_t k = 0; k < t->n; k++) {
        others[k] = (Loop){expr_new_iter(g, expr_type(g, t->loops[k].iter)), t->loops[k].range};
        ExprId equal = expr_compare(g, OP_EQ, t->loops[k].iter, others[k].iter);
        same = same ? expr_and(g, same, equal) : equal;
    }
    Renaming r = {t->loops, others, t->n};
    ExprId factor = expr_if(g, same, expr_real(g, 1), expr_map(g, t->term, renamed, &r));
    return over(g, OP_SUM, expr_mul(g, t->rate, over(g, OP_PRODUCT, factor, others, t->n)),
                t->loops, t->n);
}

static ExprId extreme_rate(Graph *g, ExprId whole, const Terms *t)
{
    ExprId chosen = expr_compare(g, OP_EQ, t->term, whole), zero = expr_real(g, 0);
    ExprId sum = over(g, OP_SUM, expr_if(g, chosen, t->rate, zero), t->loops, t->n);
    ExprId count = over(g, OP_SUM, expr_if(g, chosen, expr_real(g, 1), zero), t->loops, t->n);
    return expr_div(g, sum, count);
}

static ExprId one_to(Graph *g, ExprId x, uint32_t dim)
{
    int64_t n = type_dim(g->types, expr_type(g, x), dim);
    ExprId size = n == DIM_UNKNOWN
                      ? expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){x, expr_int(g, dim + 1)}, 2)
                      : expr_int(g, n);
    ExprId args[] = {expr_int(g, 1), expr_int(g, 1), size};
    return expr_apply(g, OP_RANGE, type_array(g->types, T_INT, &n, 1), 0, args, 3);
}

/* The elements of an array, or the terms of a comprehension. */
static bool terms_of_array(Graph *g, ExprId x, ExprId rate, Terms *t)
{
    TypeId type = expr_type(g, x);
    if (expr_op(g, x) == OP_COMPREHEND && expr_op(g, rate) == OP_COMPREHEND &&
        type_rank(g->types, type) == 1 && expr_op(g, expr_arg(g, x, 2)) == OP_RANGE) {
        *t = (Terms){
            expr_arg(g, x, 0), expr_arg(g, rate, 0), {{expr_arg(g, x, 1), expr_arg(g, x, 2)}}, 1};
        return true;
    }
    ExprId args[MAX_LOOPS + 1] = {x};
    t->n = type_rank(g->types, type);
    if (t->n > MAX_LOOPS)
        return false;
    for (uint32_t k = 0; k < t->n; k++) {
        t->loops[k] = (Loop){expr_new_iter(g, T_INT), one_to(g, x, k)};
        args[k + 1] = t->loops[k].iter;
    }
    t->term = expr_apply(g, OP_INDEX, type_element(g->types, type), 0, args, t->n + 1);
    args[0] = rate;
    t->rate = expr_apply(g, OP_INDEX, T_REAL, 0, args, t->n + 1);
    return true;
}

ExprId symbolic_reduction(Symbolic *s, ExprId e, ExprId rate)
{
    Graph *g = s->g;
    Terms t = {0};
    ExprOp op = expr_op(g, e);
    if (op == OP_REDUCE) {
        op = (ExprOp)expr_int_value(g, expr_arg(g, e, 0));
        t = (Terms){expr_arg(g, e, 1), rate, {{expr_arg(g, e, 2), expr_arg(g, e, 3)}}, 1};
        if (expr_op(g, t.loops[0].range) != OP_RANGE)
            return symbolic_fail(
                s, "this reduction cannot be differentiated: its iterator runs over no range");
    } else if (!terms_of_array(g, expr_arg(g, e, 0), rate, &t)) {
        return symbolic_fail(s, "%s of so many dimensions cannot be differentiated",
                             expr_op_text(op));
    }
    return op == OP_PRODUCT ? product_rate(g, &t) : extreme_rate(g, e, &t);
}

/* Calculus of the built-in functions of numbers: the derivative of each, and its inverse if it is
 * one-to-one. A new function of ops.def gets its rules here. */
#include "dae/symbolic/internal.h"

#include <math.h>

/* ---- derivatives ---- */

ExprId function_derivative(Graph *g, ExprId e, ExprId da)
{
    ExprId a = expr_arg(g, e, 0), one = num(g, 1);
    switch (expr_op(g, e)) {
    case OP_ABS: return branch(g, expr_compare(g, OP_GE, a, num(g, 0)), da, expr_neg(g, da));
    case OP_SQRT: return expr_div(g, da, expr_mul(g, num(g, 2), e));
    case OP_SIN: return expr_mul(g, fn1(g, OP_COS, a), da);
    case OP_COS: return expr_neg(g, expr_mul(g, fn1(g, OP_SIN, a), da));
    case OP_TAN: return expr_mul(g, expr_add(g, one, square(g, e)), da);
    case OP_ASIN: return expr_div(g, da, fn1(g, OP_SQRT, expr_sub(g, one, square(g, a))));
    case OP_ACOS:
        return expr_neg(g, expr_div(g, da, fn1(g, OP_SQRT, expr_sub(g, one, square(g, a)))));
    case OP_ATAN: return expr_div(g, da, expr_add(g, one, square(g, a)));
    case OP_SINH: return expr_mul(g, fn1(g, OP_COSH, a), da);
    case OP_COSH: return expr_mul(g, fn1(g, OP_SINH, a), da);
    case OP_TANH: return expr_mul(g, expr_sub(g, one, square(g, e)), da);
    case OP_EXP: return expr_mul(g, e, da);
    case OP_LOG: return expr_div(g, da, a);
    case OP_LOG10: return expr_div(g, da, expr_mul(g, num(g, log(10.0)), a));
    default: return EXPR_NONE;
    }
}

ExprId function_derivative2(Graph *g, ExprId e, ExprId da, ExprId db)
{
    ExprId a = expr_arg(g, e, 0), b = expr_arg(g, e, 1), q;
    switch (expr_op(g, e)) {
    case OP_ATAN2:
        return expr_div(g, expr_sub(g, expr_mul(g, b, da), expr_mul(g, a, db)),
                        expr_add(g, square(g, a), square(g, b)));
    case OP_MIN: return branch(g, expr_compare(g, OP_LT, a, b), da, db);
    case OP_MAX: return branch(g, expr_compare(g, OP_GT, a, b), da, db);
    case OP_MOD:
        q = fn1(g, OP_FLOOR, expr_div(g, a, b));
        return expr_sub(g, da, expr_mul(g, q, db));
    case OP_REM:
        q = expr_apply(g, OP_QUOT, T_REAL, 0, (ExprId[]){a, b}, 2);
        return expr_sub(g, da, expr_mul(g, q, db));
    default: return EXPR_NONE;
    }
}

/* ---- inverses ---- */

ExprId function_odd(Graph *g, ExprId v, ExprId positive, ExprId negative)
{
    return fn1(g, OP_NOEVENT,
               expr_if(g, expr_compare(g, OP_GE, v, num(g, 0)), positive, expr_neg(g, negative)));
}

static ExprId area_sinh(Graph *g, ExprId v)
{
    ExprId r = fn1(g, OP_SQRT, expr_add(g, square(g, v), num(g, 1)));
    return fn1(g, OP_LOG, expr_add(g, v, r));
}

static bool never_negative(Symbolic *s, ExprId e)
{
    uint32_t n;
    const uint32_t *h = symbolic_holes(s, e, &n);
    uint32_t size = n ? h[n - 1] + 1 : 1;
    double *lo = memory_alloc(2 * size * sizeof *lo), *hi = lo + size, e_lo, e_hi;
    for (uint32_t i = 0; i < size; i++) {
        lo[i] = -INFINITY;
        hi[i] = INFINITY;
    }
    symbolic_bounds(s, e, lo, hi, &e_lo, &e_hi);
    memory_free(lo);
    return e_lo >= 0;
}

ExprId function_inverse(Symbolic *s, ExprOp op, ExprId v)
{
    Graph *g = s->g;
    switch (op) {
    case OP_EXP: return fn1(g, OP_LOG, v);
    case OP_LOG: return fn1(g, OP_EXP, v);
    case OP_LOG10: return expr_pow(g, num(g, 10), v);
    case OP_SINH: return function_odd(g, v, area_sinh(g, v), area_sinh(g, expr_neg(g, v)));
    case OP_SQRT: return never_negative(s, v) ? square(g, v) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

/* Bounds of a shape by interval arithmetic.
 *
 * Every node gets an interval that holds all values it takes for holes within theirs; results of rounded operations are
 * widened outwards by two units in the last place, but not across zero: rounding keeps the sign. A node that may be NaN
 * is marked; its interval is for the operands for which it is a number. Booleans are intervals within [0, 1]. */
#include "dae/symbolic_work.h"

#include <math.h>

typedef struct Range {
    double lo, hi;
    bool nan; /* may also be NaN */
} Range;

typedef struct BoundWork {
    const Graph *g;
    const double *lo, *hi;
    Map index;
    VEC(Range) found;
} BoundWork;

static const Range everything = {-INFINITY, INFINITY, false};

static Range range(double lo, double hi)
{
    return (Range){lo, hi, false};
}

static Range widen(double lo, double hi)
{
    if (isnan(lo) || isnan(hi))
        return everything;
    double least = lo, most = hi;
    for (int i = 0; i < 2; i++) {
        least = nextafter(least, -INFINITY);
        most = nextafter(most, INFINITY);
    }
    return range(lo >= 0 ? fmax(0, least) : least, hi <= 0 ? fmin(0, most) : most);
}

static Range hull(Range a, Range b)
{
    return range(fmin(a.lo, b.lo), fmax(a.hi, b.hi));
}

static Range cut(Range a, double lo, double hi)
{
    return range(fmax(a.lo, lo), fmin(a.hi, hi));
}

static Range arg(const BoundWork *w, ExprId e, uint32_t i)
{
    return w->found.at[map_get(&w->index, expr_arg(w->g, e, i))];
}

static Range add(Range a, Range b)
{
    return widen(a.lo + b.lo, a.hi + b.hi);
}

/* 0 times infinity is 0 here: the bound is never reached. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static Range mul(Range a, Range b)
{
    double p[4] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
    Range r = range(p[0], p[0]);
    for (int i = 1; i < 4; i++)
        r = hull(r, range(p[i], p[i]));
    return widen(r.lo, r.hi);
}

static Range quotient(Range a, Range b)
{
    if (b.lo <= 0 && b.hi >= 0)
        return everything;
    return mul(a, widen(1 / b.hi, 1 / b.lo));
}

/* x^n for a whole n >= 1. */
static Range whole_power(Range a, double n)
{
    double x = pow(a.lo, n), y = pow(a.hi, n);
    if (fmod(n, 2) == 1 || a.lo >= 0)
        return widen(x, y);
    if (a.hi <= 0)
        return widen(y, x);
    return range(0, widen(0, fmax(x, y)).hi);
}

static Range power(Range a, Range b)
{
    if (b.lo == b.hi && b.lo == floor(b.lo) && b.lo >= 1)
        return whole_power(a, b.lo);
    if (b.lo == b.hi && b.lo == floor(b.lo) && b.lo <= -1)
        return quotient(range(1, 1), whole_power(a, -b.lo));
    if (!(a.lo >= 0))
        return everything;
    double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi)};
    Range r = range(p[0], p[0]);
    for (int i = 0; i < 4; i++) {
        if (isnan(p[i]))
            return range(0, INFINITY);
        r = hull(r, range(p[i], p[i]));
    }
    if (a.lo <= 1 && a.hi >= 1)
        r = hull(r, range(1, 1));
    return range(fmax(0, widen(r.lo, r.hi).lo), widen(r.lo, r.hi).hi);
}

static Range absolute(Range a)
{
    if (a.lo >= 0)
        return a;
    return a.hi <= 0 ? range(-a.hi, -a.lo) : range(0, fmax(-a.lo, a.hi));
}

/* sin over [lo, hi]: ±1 where a quarter turn with that value lies within. */
static Range sine(Range a)
{
    const double pi = 3.14159265358979323846;
    if (!(a.hi - a.lo < 2 * pi) || fabs(a.lo) > 1e6 || fabs(a.hi) > 1e6)
        return range(-1, 1);
    Range r = hull(range(sin(a.lo), sin(a.lo)), range(sin(a.hi), sin(a.hi)));
    double slack = 1e-9, top = ceil((a.lo - slack - pi / 2) / (2 * pi)),
           low = ceil((a.lo - slack + pi / 2) / (2 * pi));
    if (top * 2 * pi + pi / 2 <= a.hi + slack)
        r.hi = 1;
    if (low * 2 * pi - pi / 2 <= a.hi + slack)
        r.lo = -1;
    return cut(widen(r.lo, r.hi), -1, 1);
}

static Range cosine(Range a)
{
    const double half = 1.57079632679489661923;
    return sine(widen(a.lo + half, a.hi + half));
}

static Range tangent(Range a)
{
    const double pi = 3.14159265358979323846;
    if (!(a.hi - a.lo < pi) || fabs(a.lo) > 1e6 || fabs(a.hi) > 1e6)
        return everything;
    double pole = ceil((a.lo - 1e-9 - pi / 2) / pi) * pi + pi / 2;
    return pole <= a.hi + 1e-9 ? everything : widen(tan(a.lo), tan(a.hi));
}

static Range hyperbolic_cosine(Range a)
{
    Range m = absolute(a);
    Range r = widen(cosh(m.lo), cosh(m.hi));
    return range(fmax(1, r.lo), r.hi);
}

/* A function that rises, on the part of its domain that a covers. */
static Range rising(Range a, double (*f)(double), double from, double to)
{
    a = cut(a, from, to);
    return a.lo > a.hi ? everything : widen(f(a.lo), f(a.hi));
}

static Range function_of(ExprOp op, Range a)
{
    Range r;
    switch (op) {
    case OP_NEG: return range(-a.hi, -a.lo);
    case OP_ABS: return absolute(a);
    case OP_SIGN: return range(op_apply1(op, a.lo), op_apply1(op, a.hi));
    case OP_SQRT: r = rising(a, sqrt, 0, INFINITY); return range(fmax(0, r.lo), r.hi);
    case OP_SIN: return sine(a);
    case OP_COS: return cosine(a);
    case OP_TAN: return tangent(a);
    case OP_ASIN: return rising(a, asin, -1, 1);
    case OP_ACOS: r = cut(a, -1, 1); return r.lo > r.hi ? everything : widen(acos(r.hi), acos(r.lo));
    case OP_ATAN: return rising(a, atan, -INFINITY, INFINITY);
    case OP_SINH: return rising(a, sinh, -INFINITY, INFINITY);
    case OP_COSH: return hyperbolic_cosine(a);
    case OP_TANH: return cut(rising(a, tanh, -INFINITY, INFINITY), -1, 1);
    case OP_EXP: r = rising(a, exp, -INFINITY, INFINITY); return range(fmax(0, r.lo), r.hi);
    case OP_LOG: return rising(a, log, 0, INFINITY);
    case OP_LOG10: return rising(a, log10, 0, INFINITY);
    case OP_CEIL: return range(ceil(a.lo), ceil(a.hi));
    case OP_FLOOR:
    case OP_INTEGER: return range(floor(a.lo), floor(a.hi));
    case OP_NOT: return range(a.hi == 0, a.lo == 0);
    default: return a; /* OP_TO_REAL, OP_TO_INT, OP_TO_ENUM, OP_NOEVENT */
    }
}

/* True, false or either. */
static Range relation(ExprOp op, Range a, Range b)
{
    Range t;
    switch (op) {
    case OP_LT: return range(a.hi < b.lo, a.lo < b.hi);
    case OP_LE: return range(a.hi <= b.lo, a.lo <= b.hi);
    case OP_GT: return relation(OP_LT, b, a);
    case OP_GE: return relation(OP_LE, b, a);
    case OP_EQ: return range(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.lo <= b.hi && b.lo <= a.hi);
    default: t = relation(OP_EQ, a, b); return range(t.hi == 0, t.lo == 0);
    }
}

/* |x mod y| < |y|, with the sign of y; rem with the sign of x. Both are wrong by the rounding of x. */
static Range remainder_of(ExprOp op, Range a, Range b)
{
    double most = fmax(fabs(b.lo), fabs(b.hi)), slack = 1e-15 * (fmax(fabs(a.lo), fabs(a.hi)) + most);
    Range sign = op == OP_MOD ? b : a;
    return range((sign.lo < 0 ? -most : 0) - slack, (sign.hi > 0 ? most : 0) + slack);
}

static Range whole_quotient(Range a, Range b)
{
    Range q = quotient(a, b);
    return range(trunc(q.lo), trunc(q.hi));
}

static Range two_args(ExprOp op, Range a, Range b)
{
    const double pi = 3.1415926535897936;
    switch (op) {
    case OP_DIV: return quotient(a, b);
    case OP_POW: return power(a, b);
    case OP_MIN: return range(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
    case OP_MAX: return range(fmax(a.lo, b.lo), fmax(a.hi, b.hi));
    case OP_ATAN2: return range(-pi, pi);
    case OP_QUOT: return whole_quotient(a, b);
    case OP_MOD:
    case OP_REM: return remainder_of(op, a, b);
    default: return relation(op, a, b);
    }
}

static Range many_args(const BoundWork *w, ExprId e, ExprOp op)
{
    Range r = arg(w, e, 0);
    for (uint32_t i = 1; i < expr_n(w->g, e); i++) {
        Range x = arg(w, e, i);
        if (op == OP_ADD)
            r = add(r, x);
        else if (op == OP_MUL)
            r = mul(r, x);
        else if (op == OP_AND)
            r = range(fmin(r.lo, x.lo), fmin(r.hi, x.hi));
        else
            r = range(fmax(r.lo, x.lo), fmax(r.hi, x.hi));
    }
    return r;
}

static Range chosen(Range c, Range a, Range b)
{
    if (c.lo == 1 && c.hi == 1)
        return a;
    return c.lo == 0 && c.hi == 0 ? b : hull(a, b);
}

static Range bound_node(const BoundWork *w, ExprId e)
{
    const Graph *g = w->g;
    ExprOp op = expr_op(g, e);
    TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
    if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_ENUM)
        return everything;
    if (expr_is_literal(g, e))
        return range(expr_real_value(g, e), expr_real_value(g, e));
    if (op == OP_HOLE)
        return range(w->lo[expr_index(g, e)], w->hi[expr_index(g, e)]);
    if (op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR)
        return many_args(w, e, op);
    if (op == OP_IF)
        return chosen(arg(w, e, 0), arg(w, e, 1), arg(w, e, 2));
    if (op == OP_SMOOTH)
        return arg(w, e, 1);
    if (op == OP_HOMOTOPY)
        return hull(arg(w, e, 0), arg(w, e, 1));
    if (op == OP_SEMILINEAR)
        return hull(mul(cut(arg(w, e, 0), 0, INFINITY), arg(w, e, 1)),
                    mul(cut(arg(w, e, 0), -INFINITY, 0), arg(w, e, 2)));
    if ((op == OP_EQ || op == OP_NE) && expr_type(g, expr_arg(g, e, 0)) == T_STRING)
        return range(0, 1);
    if (op == OP_DIV || op == OP_POW || (op >= OP_LT && op <= OP_NE) || op == OP_ATAN2 ||
        (op >= OP_MIN && op <= OP_REM))
        return two_args(op, arg(w, e, 0), arg(w, e, 1));
    if (op == OP_NEG || op == OP_NOT || op == OP_NOEVENT || (op >= OP_ABS && op <= OP_TO_ENUM))
        return function_of(op, arg(w, e, 0));
    return kind == TYPE_BOOL ? range(0, 1) : everything;
}

static bool holds(Range a, double v)
{
    return a.lo <= v && v <= a.hi;
}

static bool unbounded(Range a)
{
    return isinf(a.lo) || isinf(a.hi);
}

/* Whether an operator may give NaN on operands that are numbers. */
static bool makes_nan(const BoundWork *w, ExprId e)
{
    ExprOp op = expr_op(w->g, e);
    uint32_t n = expr_n(w->g, e);
    Range a = n ? arg(w, e, 0) : everything, b = n > 1 ? arg(w, e, 1) : a;
    bool wild = false;
    for (uint32_t i = 0; i < n; i++)
        wild |= unbounded(arg(w, e, i));
    switch (op) {
    case OP_ADD:
    case OP_MUL:
    case OP_SIN:
    case OP_COS:
    case OP_TAN:
    case OP_SEMILINEAR: return wild;
    case OP_DIV:
    case OP_QUOT:
    case OP_MOD:
    case OP_REM: return wild || holds(b, 0);
    case OP_POW: return wild || (a.lo < 0 && (b.lo != b.hi || b.lo != floor(b.lo)));
    case OP_SQRT:
    case OP_LOG:
    case OP_LOG10: return a.lo < 0;
    case OP_ASIN:
    case OP_ACOS: return a.lo < -1 || a.hi > 1;
    default: return op >= OP_DER && op != OP_NOEVENT && op != OP_SMOOTH && op != OP_HOMOTOPY;
    }
}

/* Operators that turn a NaN into a number give more than their interval says. */
static Range heed_nan(const BoundWork *w, ExprId e, Range r)
{
    ExprOp op = expr_op(w->g, e);
    bool nan = false;
    for (uint32_t i = 0; i < expr_n(w->g, e); i++)
        nan |= arg(w, e, i).nan;
    if (op >= OP_LT && op <= OP_EQ && nan)
        r.lo = 0;
    if ((op == OP_MIN || op == OP_MAX) && nan)
        r = hull(r, hull(arg(w, e, 0), arg(w, e, 1)));
    if (op == OP_SIGN && nan)
        r = hull(r, range(0, 0));
    TypeKind kind = type_get(w->g->types, expr_type(w->g, e))->kind;
    r.nan = kind != TYPE_BOOL && !expr_is_literal(w->g, e) && op != OP_HOLE && (nan || makes_nan(w, e));
    return r;
}

static void bound_visit(void *user, ExprId e)
{
    BoundWork *w = user;
    Range r = bound_node(w, e);
    if (isnan(r.lo) || isnan(r.hi) || r.lo > r.hi)
        r = everything;
    r = heed_nan(w, e, r);
    map_put(&w->index, e, w->found.n);
    vec_push(&w->found, r);
}

void symbolic_bounds(Symbolic *s, ExprId e, const double *lo, const double *hi, double *e_lo, double *e_hi)
{
    BoundWork w = {.g = s->g, .lo = lo, .hi = hi};
    expr_walk(s->g, e, bound_visit, &w);
    Range r = w.found.at[map_get(&w.index, e)];
    *e_lo = r.lo;
    *e_hi = r.hi;
    map_free(&w.index);
    vec_free(&w.found);
}

/* Interval arithmetic, operator by operator. */
#include "expr/interval.h"

#include "base/arith.h"
#include "expr/scalar_kernels.h"

#include <float.h>
#include <math.h>

static const Range everything = {-INFINITY, INFINITY, false};

/* An operator and its arguments. */
typedef struct Node {
    ExprOp op;
    const Range *all;
    const uint32_t *args;
    uint32_t n;
} Node;

static Range range(double lo, double hi)
{
    return (Range){lo, hi, false};
}

/* Of numbers, neither NaN: single instructions, which fmin and fmax are not. */
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Least and most after rounding: at least two units in the last place beyond, never over zero. */
static Range widen(double lo, double hi)
{
    static const double ulps = 4 * DBL_EPSILON;
    if (isnan(lo) || isnan(hi))
        return everything;
    double least = lo - (ulps * fabs(lo) + DBL_MIN), most = hi + (ulps * fabs(hi) + DBL_MIN);
    if (lo >= 0)
        least = lo > DBL_MAX ? DBL_MAX : larger(0, least);
    if (hi <= 0)
        most = hi < -DBL_MAX ? -DBL_MAX : smaller(0, most);
    return range(least, most);
}

static Range hull(Range a, Range b)
{
    return range(fmin(a.lo, b.lo), fmax(a.hi, b.hi));
}

static Range cut(Range a, double lo, double hi)
{
    return range(fmax(a.lo, lo), fmin(a.hi, hi));
}

static Range arg(const Node *x, uint32_t i)
{
    return x->all[x->args[i]];
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
    double p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo),
           s = times(a.hi, b.hi);
    if (isnan(p + q + r + s) && (isnan(p) || isnan(q) || isnan(r) || isnan(s)))
        return everything;
    return widen(smaller(smaller(p, q), smaller(r, s)), larger(larger(p, q), larger(r, s)));
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

/* sin over [lo, hi]: ±1 if a quarter turn with that value is inside. */
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

/* Properties of rising and falling functions, from ops.def. */
typedef struct Monotone {
    double (*f)(double);
    OpSlope slope;
    double from, to, least, most;
} Monotone;

static const Monotone monotones[OP_COUNT] = {
#define F1(op, name, class, behaviour, c, kernel, units, slope, ...)                               \
    [OP_##op] = {kernel, SLOPE_##slope, __VA_ARGS__},
#define F2(...)
#include "expr/ops.def"
};

/* On the part of its domain that a covers. */
static Range monotone(const Monotone *m, Range a)
{
    a = cut(a, m->from, m->to);
    if (a.lo > a.hi)
        return range(m->least, m->most);
    Range r =
        m->slope == SLOPE_RISING ? widen(m->f(a.lo), m->f(a.hi)) : widen(m->f(a.hi), m->f(a.lo));
    return range(fmax(m->least, r.lo), fmin(m->most, r.hi));
}

static Range function_of(ExprOp op, Range a)
{
    const Monotone *m = &monotones[op];
    if (m->slope == SLOPE_RISING || m->slope == SLOPE_FALLING)
        return monotone(m, a);
    switch (op) {
    case OP_NEG: return range(-a.hi, -a.lo);
    case OP_ABS: return absolute(a);
    case OP_SIGN: return range(op_apply1(op, a.lo), op_apply1(op, a.hi));
    case OP_SIN: return sine(a);
    case OP_COS: return cosine(a);
    case OP_TAN: return tangent(a);
    case OP_COSH: return hyperbolic_cosine(a);
    case OP_CEIL: return range(ceil(a.lo), ceil(a.hi));
    case OP_FLOOR:
    case OP_INTEGER: return range(floor(a.lo), floor(a.hi));
    case OP_NOT: return range(a.hi == 0, a.lo == 0);
    default: return op_is_function(op) ? everything : a; /* conversions, OP_NOEVENT */
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
    case OP_EQ:
        return range(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.lo <= b.hi && b.lo <= a.hi);
    default: t = relation(OP_EQ, a, b); return range(t.hi == 0, t.lo == 0);
    }
}

/* |x mod y| < |y|, with the sign of y; rem with the sign of x. Both are wrong by the rounding of x.
 */
static Range remainder_of(ExprOp op, Range a, Range b)
{
    double most = fmax(fabs(b.lo), fabs(b.hi)),
           slack = 1e-15 * (fmax(fabs(a.lo), fabs(a.hi)) + most);
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
    default: return op_class(op) == CLASS_RELATION ? relation(op, a, b) : everything;
    }
}

static Range many_args(const Node *x)
{
    Range r = arg(x, 0);
    for (uint32_t i = 1; i < x->n; i++) {
        Range y = arg(x, i);
        if (x->op == OP_ADD)
            r = add(r, y);
        else if (x->op == OP_MUL)
            r = mul(r, y);
        else if (x->op == OP_AND)
            r = range(fmin(r.lo, y.lo), fmin(r.hi, y.hi));
        else
            r = range(fmax(r.lo, y.lo), fmax(r.hi, y.hi));
    }
    return r;
}

static Range chosen(Range c, Range a, Range b)
{
    if (c.lo == 1 && c.hi == 1)
        return a;
    return c.lo == 0 && c.hi == 0 ? b : hull(a, b);
}

static Range value(const Node *x, TypeKind kind)
{
    ExprOp op = x->op;
    if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_ENUM)
        return everything;
    if (op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR)
        return many_args(x);
    if (op == OP_IF)
        return chosen(arg(x, 0), arg(x, 1), arg(x, 2));
    if (op == OP_SMOOTH)
        return arg(x, 1);
    if (op == OP_HOMOTOPY)
        return hull(arg(x, 0), arg(x, 1));
    if (op == OP_SEMILINEAR)
        return hull(mul(cut(arg(x, 0), 0, INFINITY), arg(x, 1)),
                    mul(cut(arg(x, 0), -INFINITY, 0), arg(x, 2)));
    if (op == OP_DIV || op == OP_POW || op_class(op) == CLASS_RELATION || op_is_function_of(op, 2))
        return two_args(op, arg(x, 0), arg(x, 1));
    if (op == OP_NEG || op == OP_NOT || op == OP_NOEVENT || op_class(op) == CLASS_CONVERSION ||
        op_is_function(op))
        return function_of(op, arg(x, 0));
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
static bool makes_nan(const Node *x)
{
    Range a = x->n ? arg(x, 0) : everything, b = x->n > 1 ? arg(x, 1) : a;
    bool wild = false;
    for (uint32_t i = 0; i < x->n; i++)
        wild |= unbounded(arg(x, i));
    switch (x->op) {
    case OP_ADD:
    case OP_MUL:
    case OP_SEMILINEAR: return wild;
    case OP_DIV:
    case OP_QUOT:
    case OP_MOD:
    case OP_REM: return wild || holds(b, 0);
    case OP_POW: return wild || (a.lo < 0 && (b.lo != b.hi || b.lo != floor(b.lo)));
    default:
        if (monotones[x->op].slope == SLOPE_PERIODIC)
            return wild;
        if (monotones[x->op].slope != SLOPE_OWN)
            return a.lo < monotones[x->op].from || a.hi > monotones[x->op].to;
        return x->op >= OP_DER && x->op != OP_NOEVENT && x->op != OP_SMOOTH && x->op != OP_HOMOTOPY;
    }
}

/* Operators that turn a NaN into a number give more than their interval says. */
static Range heed_nan(const Node *x, TypeKind kind, Range r)
{
    ExprOp op = x->op;
    bool nan = false;
    for (uint32_t i = 0; i < x->n; i++)
        nan |= arg(x, i).nan;
    if (op_class(op) == CLASS_RELATION && op != OP_NE && nan)
        r.lo = 0;
    if ((op == OP_MIN || op == OP_MAX) && nan)
        r = hull(r, hull(arg(x, 0), arg(x, 1)));
    if (op == OP_SIGN && nan)
        r = hull(r, range(0, 0));
    r.nan = kind != TYPE_BOOL && (nan || makes_nan(x));
    return r;
}

/* Sums and products of finite numbers, the most frequent nodes, are never NaN. */
static bool is_plain(const Node *x, TypeKind kind)
{
    bool plain = kind == TYPE_REAL && (x->op == OP_ADD || x->op == OP_MUL);
    for (uint32_t i = 0; plain && i < x->n; i++) {
        Range a = arg(x, i);
        plain = !a.nan && a.lo >= -DBL_MAX && a.hi <= DBL_MAX;
    }
    return plain;
}

Range range_apply(ExprOp op, TypeKind kind, const Range *all, const uint32_t *args, uint32_t n)
{
    Node x = {op, all, args, n};
    if (is_plain(&x, kind)) {
        Range sum = many_args(&x);
        if (sum.lo <= sum.hi)
            return sum;
    }
    Range r = value(&x, kind);
    if (isnan(r.lo) || isnan(r.hi) || r.lo > r.hi)
        r = everything;
    return heed_nan(&x, kind, r);
}

bool range_knows(ExprOp op)
{
    return op_is_scalar(op) || op == OP_SMOOTH || op == OP_NOEVENT || op == OP_SEMILINEAR;
}

/* The expression graph, the evaluator, and symbolic work on shapes: examples checked by hand, and
 * properties over random expressions from a generator of our own. */
#include "dae/symbolic/symbolic.h"
#include "expr/eval/partial_eval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct Fixture {
    Context *ctx;
    Graph *g;
    Symbolic *s;
    Arena *arena;
    uint64_t seed;
} Fixture;

static int setup(void **state)
{
    Fixture *f = memory_alloc(sizeof *f);
    f->ctx = context_new();
    f->g = graph_new(f->ctx);
    f->s = symbolic_new(f->g);
    f->arena = arena_new();
    f->seed = 12345;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    symbolic_free(f->s);
    graph_free(f->g);
    context_free(f->ctx);
    arena_free(f->arena);
    memory_free(f);
    return 0;
}

static uint32_t draw(Fixture *f, uint32_t n)
{
    f->seed = f->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(f->seed >> 33) % n;
}

static double draw_real(Fixture *f, double lo, double hi)
{
    return lo + (hi - lo) * draw(f, 1000001) / 1000000.0;
}

static ExprId hole(Fixture *f, uint32_t k)
{
    return expr_leaf(f->g, OP_HOLE, T_REAL, k);
}

static ExprId real(Fixture *f, double v)
{
    return expr_real(f->g, v);
}

static ExprId integer(Fixture *f, int64_t v)
{
    return expr_int(f->g, v);
}

static ExprId fn(Fixture *f, ExprOp op, ExprId a)
{
    return expr_apply(f->g, op, T_REAL, 0, &a, 1);
}

static const char *text(Fixture *f, ExprId e)
{
    return expr_print(f->g, e, NULL, NULL, f->arena);
}

#define assert_prints(f, e, s) assert_string_equal(text(f, e), s)

static double value_at(Fixture *f, ExprId e, const double *holes)
{
    EvalEnv env = {.g = f->g, .arena = f->arena, .holes = holes, .time = NAN, .silent = true};
    double v = NAN;
    EvalStatus status = eval_number(&env, e, &v);
    return status == EVAL_OK ? v : NAN;
}

static double value_of(Fixture *f, ExprId e)
{
    return value_at(f, e, NULL);
}

/* ---- types and graph ---- */

static void types_are_interned(void **state)
{
    Fixture *f = *state;
    Types *t = f->g->types;
    TypeId m = type_array(t, T_REAL, (int64_t[]){3, 2}, 2);
    TypeId v = type_array(t, T_REAL, (int64_t[]){2}, 1);
    assert_int_equal(m, type_array(t, v, (int64_t[]){3}, 1));
    assert_int_equal(type_drop(t, m, 1), v);
    assert_int_equal(type_drop(t, m, 2), T_REAL);
    assert_int_equal(type_count(t, m), 6);
    assert_string_equal(type_print(t, m, f->arena), "Real[3, 2]");
    TypeId open = type_array(t, T_INT, (int64_t[]){DIM_UNKNOWN}, 1);
    assert_string_equal(type_print(t, open, f->arena), "Integer[:]");
    assert_int_equal(type_count(t, open), DIM_UNKNOWN);
    for (int64_t i = 1; i < 500; i++)
        assert_int_equal(type_dim(t, type_array(t, T_BOOL, &i, 1), 0), i);
    assert_int_equal(m, type_array(t, T_REAL, (int64_t[]){3, 2}, 2));
}

static void nodes_are_shared(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    assert_int_equal(expr_real(g, 1.5), expr_real(g, 1.5));
    assert_true(expr_real(g, 0.0) != expr_real(g, -0.0));
    assert_true(expr_real(g, 1) != expr_int(g, 1));
    assert_int_equal(expr_add(g, hole(f, 0), hole(f, 1)), expr_add(g, hole(f, 1), hole(f, 0)));
    ExprId u = expr_make_unique(g, OP_SIN, T_REAL, 0, (ExprId[]){hole(f, 0)}, 1);
    assert_true(u != fn(f, OP_SIN, hole(f, 0)));
    assert_true(u != expr_make_unique(g, OP_SIN, T_REAL, 0, (ExprId[]){hole(f, 0)}, 1));
    for (uint32_t i = 0; i < 100000; i++)
        expr2(g, OP_DIV, T_REAL, hole(f, i), hole(f, i / 2));
    assert_int_equal(u + 1, fn(f, OP_SIN, hole(f, 0)));
    uint32_t n = g->nodes.n;
    for (uint32_t i = 0; i < 100000; i++)
        expr2(g, OP_DIV, T_REAL, hole(f, i), hole(f, i / 2));
    assert_int_equal(n, g->nodes.n);
    for (uint32_t i = 1; i < n; i++) /* arguments come first */
        for (uint32_t k = 0; k < expr_n(g, i); k++)
            assert_true(expr_arg(g, i, k) < i);
}

static void many_arguments(void **state)
{
    Fixture *f = *state;
    enum { N = 70000 };
    ExprId *args = memory_alloc(N * sizeof *args);
    for (uint32_t i = 0; i < N; i++)
        args[i] = hole(f, i);
    ExprId e = expr_apply(f->g, OP_ADD, T_REAL, 0, args, N);
    assert_int_equal(expr_n(f->g, e), N);
    assert_int_equal(expr_arg(f->g, e, N - 1), args[N - 1]);
    assert_int_equal(e, expr_make(f->g, OP_ADD, T_REAL, 0, args, N));
    memory_free(args);
}

/* ---- simplification and printing ---- */

static void simplifies(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    ExprId x = hole(f, 0), y = hole(f, 1), z = hole(f, 2);
    assert_prints(f, expr_add(g, x, x), "2.0*#0");
    assert_int_equal(expr_sub(g, x, x), real(f, 0));
    assert_int_equal(expr_sub(g, expr_add(g, x, y), x), y);
    assert_prints(f, expr_sub(g, real(f, 1), x), "1.0 - #0");
    assert_prints(f, expr_sub(g, x, real(f, 1)), "#0 - 1.0");
    assert_prints(f, expr_add(g, expr_add(g, x, integer(f, 1)), integer(f, 2)), "#0 + 3.0");
    assert_int_equal(expr_mul(g, x, real(f, 0)), real(f, 0));
    assert_int_equal(expr_mul(g, x, integer(f, 1)), x);
    assert_int_equal(expr_div(g, x, real(f, 1)), x);
    assert_prints(f, expr_mul(g, expr_mul(g, x, real(f, 2)), real(f, 3)), "6.0*#0");
    assert_prints(f, expr_mul(g, expr_neg(g, x), y), "-#0*#1");
    assert_prints(f, expr_neg(g, expr_sub(g, x, y)), "#1 - #0");
    assert_prints(f, expr_mul(g, x, expr_div(g, real(f, 1), y)), "#0/#1");
    assert_int_equal(expr_pow(g, x, real(f, 1)), x);
    assert_prints(f, expr_pow(g, x, integer(f, 2)), "#0^2");
    assert_prints(f, expr_div(g, real(f, 1), real(f, 0)), "1.0/0.0");
    assert_int_equal(expr_add(g, integer(f, 2), integer(f, 3)), integer(f, 5));
    assert_int_equal(expr_div(g, integer(f, 1), integer(f, 2)), real(f, 0.5));
    assert_int_equal(expr_if(g, expr_bool(g, true), x, y), x);
    ExprId c = expr_compare(g, OP_LT, x, y);
    assert_int_equal(expr_not(g, expr_not(g, c)), c);
    assert_int_equal(expr_and(g, c, expr_bool(g, true)), c);
    assert_int_equal(expr_or(g, c, expr_bool(g, true)), expr_bool(g, true));
    assert_prints(f, expr_add(g, expr_sub(g, x, y), z), "#0 - #1 + #2"); /* keeps its order */
    ExprId last = expr_int(g, INT64_MAX);
    assert_int_equal(expr_op(g, expr_add(g, last, integer(f, 1))), OP_ADD); /* no overflow */
    ExprId log0 = fn(f, OP_LOG, real(f, 0));
    assert_int_equal(expr_op(g, log0), OP_LOG);
    ExprId i = expr_leaf(g, OP_VAR, T_INT, 7);
    assert_int_equal(expr_type(g, expr_add(g, i, integer(f, 1))), T_INT);
    assert_int_equal(expr_type(g, expr_add(g, i, x)), T_REAL);
    assert_int_equal(expr_type(g, expr_div(g, i, integer(f, 2))), T_REAL);
}

static void prints(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    ExprId x = hole(f, 0), y = hole(f, 1), c = expr_compare(g, OP_GE, x, y);
    ExprId v = expr_leaf(g, OP_VAR, type_array(g->types, T_REAL, (int64_t[]){3, 3}, 2), 4);
    assert_prints(f, real(f, 1), "1.0");
    assert_prints(f, real(f, 0.1), "0.1");
    assert_prints(f, real(f, 1e300), "1e+300");
    assert_prints(f, real(f, 0.1 + 0.2), "0.30000000000000004");
    assert_prints(f, expr_mul(g, expr_add(g, x, y), x), "#0*(#0 + #1)");
    assert_prints(f, expr_div(g, x, expr_mul(g, x, y)), "#0/(#0*#1)");
    assert_prints(f, expr_pow(g, expr_neg(g, x), y), "(-#0)^#1");
    assert_prints(f, expr_pow(g, x, real(f, -1)), "#0^(-1.0)");
    assert_prints(f, expr_sub(g, x, expr_mul(g, real(f, 2), y)), "#0 - 2.0*#1");
    assert_prints(f, expr_if(g, c, x, expr_if(g, expr_compare(g, OP_EQ, x, y), y, real(f, 0))),
                  "if #0 >= #1 then #0 elseif #0 == #1 then #1 else 0.0");
    assert_prints(f, expr_add(g, expr_if(g, c, x, y), y), "#1 + (if #0 >= #1 then #0 else #1)");
    assert_prints(f, expr_not(g, expr_and(g, c, c)), "not #0 >= #1");
    ExprId b = expr_leaf(g, OP_VAR, T_BOOL, 9);
    assert_prints(f, expr_or(g, b, expr_and(g, b, c)), "v9 or v9 and #0 >= #1");
    assert_prints(f, expr_and(g, c, expr_or(g, b, c)), "#0 >= #1 and (v9 or #0 >= #1)");
    assert_prints(
        f, expr_apply(g, OP_INDEX, T_REAL, 0, (ExprId[]){v, integer(f, 1), integer(f, 2)}, 3),
        "v4[1, 2]");
    ExprId range = expr3(g, OP_RANGE, type_array(g->types, T_INT, (int64_t[]){3}, 1), integer(f, 1),
                         integer(f, 1), integer(f, 3));
    ExprId it = expr_new_iter(g, T_INT);
    assert_prints(f, expr3(g, OP_COMPREHEND, expr_type(g, range), it, it, range),
                  "{i0 for i0 in 1:3}");
    assert_prints(f, expr_string(g, "a\"b\n", 4), "\"a\\\"b\\n\"");
    ExprId deep = x;
    for (int i = 0; i < 100000; i++)
        deep = expr1(g, OP_SIN, T_REAL, deep);
    assert_non_null(text(f, deep));
    assert_true(isnan(value_of(f, deep)));
}

/* ---- properties ---- */

enum { N_HOLES = 4 };

/* A random expression, built without simplification. Smooth ones have derivatives everywhere in
 * their domain. */
static ExprId random_expr(Fixture *f, int depth, bool smooth)
{
    static const ExprOp unary[] = {OP_NEG,  OP_SIN, OP_COS,   OP_EXP,  OP_TANH, OP_ATAN, OP_SINH,
                                   OP_COSH, OP_ABS, OP_FLOOR, OP_SIGN, OP_SQRT, OP_CEIL};
    static const ExprOp binary[] = {OP_ADD, OP_MUL, OP_DIV, OP_ATAN2, OP_MIN, OP_MAX, OP_MOD};
    Graph *g = f->g;
    if (depth == 0)
        return draw(f, 3) ? hole(f, draw(f, N_HOLES)) : real(f, (double)draw(f, 9) - 4);
    uint32_t kind = draw(f, 10);
    if (kind < 3)
        return expr1(g, unary[draw(f, smooth ? 8 : 13)], T_REAL, random_expr(f, depth - 1, smooth));
    if (kind == 3)
        return expr2(g, OP_POW, T_REAL, random_expr(f, depth - 1, smooth), real(f, 1 + draw(f, 3)));
    ExprId a = random_expr(f, depth - 1, smooth), b = random_expr(f, depth - 1, smooth);
    if (kind == 4) {
        ExprId c = smooth ? expr_leaf(g, OP_HOLE, T_BOOL, N_HOLES) : expr2(g, OP_LT, T_BOOL, a, b);
        return expr3(g, OP_IF, T_REAL, c, a, random_expr(f, depth - 1, smooth));
    }
    if (kind == 5)
        return expr3(g, OP_ADD, T_REAL, a, b, random_expr(f, depth - 1, smooth));
    ExprOp op = binary[draw(f, smooth ? 4 : 7)];
    if (op == OP_ATAN2) /* the sign of zero would change the angle by half a turn */
        a = expr2(g, OP_ADD, T_REAL, a, real(f, 0.37));
    return expr2(g, op, T_REAL, a, b);
}

static void random_point(Fixture *f, double *at)
{
    for (uint32_t i = 0; i < N_HOLES; i++)
        at[i] = draw_real(f, -2, 2);
    at[N_HOLES] = draw(f, 2);
}

/* The size of rounding: how much the value moves when the operands move by an ulp or so. */
static double spread(Fixture *f, ExprId e, const double *at, double v)
{
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        double near[N_HOLES + 1];
        for (int i = 0; i < N_HOLES; i++)
            near[i] = at[i] * (1 + draw_real(f, -1e-13, 1e-13));
        near[N_HOLES] = at[N_HOLES];
        worst = fmax(worst, fabs(value_at(f, e, near) - v));
    }
    return worst;
}

typedef struct Finite {
    Fixture *f;
    const double *at;
    bool all;
} Finite;

static void check_finite(void *user, ExprId e)
{
    Finite *x = user;
    x->all = x->all && isfinite(value_at(x->f, e, x->at));
}

/* No part of e divides by zero or overflows. Otherwise the sign of a zero would matter. */
static bool all_finite(Fixture *f, ExprId e, const double *at)
{
    Finite x = {f, at, true};
    expr_walk(f->g, e, check_finite, &x);
    return x.all;
}

static void simplification_keeps_values(void **state)
{
    Fixture *f = *state;
    double at[N_HOLES + 1];
    int compared = 0;
    for (int k = 0; k < 4000; k++) {
        ExprId raw = random_expr(f, 1 + (int)draw(f, 5), false),
               simple = expr_map(f->g, raw, NULL, NULL);
        assert_int_equal(expr_map(f->g, simple, NULL, NULL),
                         expr_map(f->g, expr_map(f->g, simple, NULL, NULL), NULL, NULL));
        for (int j = 0; j < 3; j++) {
            random_point(f, at);
            double v = value_at(f, raw, at), w = value_at(f, simple, at), s = spread(f, raw, at, v);
            if (!all_finite(f, raw, at) || !(s < 1e-6 * (1 + fabs(v))))
                continue;
            compared++;
            if (fabs(v - w) > 1e-11 * (1 + fabs(v)) + 10 * s)
                print_message("%s\n%s\n", text(f, raw), text(f, simple));
            assert_true(fabs(v - w) <= 1e-11 * (1 + fabs(v)) + 10 * s);
        }
    }
    assert_true(compared > 5000);
}

static void derivative_agrees_with_differences(void **state)
{
    Fixture *f = *state;
    double at[N_HOLES + 1], up[N_HOLES + 1], down[N_HOLES + 1];
    int compared = 0;
    for (int k = 0; k < 2000; k++) {
        ExprId e = expr_map(f->g, random_expr(f, 1 + (int)draw(f, 4), true), NULL, NULL);
        uint32_t h = draw(f, N_HOLES);
        ExprId d = symbolic_diff(f->s, e, h);
        assert_true(d != EXPR_NONE);
        for (int j = 0; j < 3; j++) {
            double step = 1e-5;
            random_point(f, at);
            memcpy(up, at, sizeof at);
            memcpy(down, at, sizeof at);
            up[h] += step;
            down[h] -= step;
            double central = (value_at(f, e, up) - value_at(f, e, down)) / (2 * step),
                   v = value_at(f, d, at);
            up[h] = at[h] + step / 2;
            down[h] = at[h] - step / 2;
            double finer = (value_at(f, e, up) - value_at(f, e, down)) / step;
            double doubt = fabs(central - finer), scale = 1 + fabs(v) + fabs(value_at(f, e, at));
            if (!isfinite(central) || !isfinite(v) || !(doubt < 1e-5 * scale))
                continue;
            compared++;
            if (fabs(v - finer) > 1e-4 * scale)
                print_message("d/d#%u %s\n= %s\n", h, text(f, e), text(f, d));
            assert_true(fabs(v - finer) <= 1e-4 * scale);
        }
    }
    assert_true(compared > 3000);
}

static void bounds_hold(void **state)
{
    Fixture *f = *state;
    double lo[N_HOLES + 1], hi[N_HOLES + 1], at[N_HOLES + 1], e_lo, e_hi;
    int finite = 0;
    for (int k = 0; k < 3000; k++) {
        ExprId e = expr_map(f->g, random_expr(f, 1 + (int)draw(f, 4), draw(f, 2)), NULL, NULL);
        for (int i = 0; i < N_HOLES; i++) {
            lo[i] = draw_real(f, -2, 2);
            hi[i] = lo[i] + draw_real(f, 0, 2);
        }
        lo[N_HOLES] = draw(f, 2);
        hi[N_HOLES] = 1;
        symbolic_bounds(f->s, e, lo, hi, &e_lo, &e_hi);
        finite += isfinite(e_lo) && isfinite(e_hi);
        for (int j = 0; j < 20; j++) {
            for (int i = 0; i < N_HOLES; i++)
                at[i] = j < 4 ? (draw(f, 2) ? lo[i] : hi[i]) : draw_real(f, lo[i], hi[i]);
            at[N_HOLES] = lo[N_HOLES] == 1 ? 1 : draw(f, 2);
            double v = value_at(f, e, at);
            if (!isnan(v) && !(v >= e_lo && v <= e_hi))
                print_message("%s = %.17g not in [%.17g, %.17g]\n", text(f, e), v, e_lo, e_hi);
            assert_true(isnan(v) || (v >= e_lo && v <= e_hi));
        }
    }
    assert_true(finite > 1500);
}

static void solutions_solve(void **state)
{
    Fixture *f = *state;
    double at[N_HOLES + 1];
    int solved = 0;
    for (int k = 0; k < 8000; k++) {
        ExprId e = expr_map(f->g, random_expr(f, 1 + (int)draw(f, 4), draw(f, 2)), NULL, NULL);
        uint32_t h = draw(f, N_HOLES);
        Solution s = symbolic_solve(f->s, e, h);
        if (s.kind == SOLVE_NO)
            continue;
        assert_false(symbolic_depends(f->s, s.value, h));
        if (s.kind == SOLVE_DIVIDE)
            assert_true(s.divisor != EXPR_NONE && !symbolic_depends(f->s, s.divisor, h));
        for (int j = 0; j < 3; j++) {
            random_point(f, at);
            at[h] = value_at(f, s.value, at);
            double residual = value_at(f, e, at),
                   slope = value_at(f, symbolic_diff(f->s, e, h), at);
            if (!isfinite(at[h]) || !isfinite(residual) || !isfinite(slope) || fabs(at[h]) > 1e3 ||
                spread(f, e, at, residual) > 1e-9)
                continue;
            solved++;
            double limit = 1e-9 * (1 + fabs(slope) * (1 + fabs(at[h])));
            if (fabs(residual) > limit)
                print_message("0 = %s\n#%u = %s: %g\n", text(f, e), h, text(f, s.value), residual);
            assert_true(fabs(residual) <= limit);
        }
    }
    assert_true(solved > 1000);
}

/* ---- solving, by hand ---- */

static void solves_by_hand(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    ExprId x = hole(f, 0), y = hole(f, 1), z = hole(f, 2), c = expr_leaf(g, OP_HOLE, T_BOOL, 3);
    Solution s = symbolic_solve(f->s, expr_sub(g, x, expr_mul(g, y, z)), 0);
    assert_int_equal(s.kind, SOLVE_UNIT);
    assert_prints(f, s.value, "#1*#2");
    s = symbolic_solve(f->s, expr_sub(g, x, expr_mul(g, y, z)), 2);
    assert_int_equal(s.kind, SOLVE_DIVIDE);
    assert_prints(f, s.value, "#0/#1");
    s = symbolic_solve(
        f->s, expr_add(g, expr_mul(g, x, y), expr_sub(g, expr_mul(g, x, z), real(f, 1))), 0);
    assert_int_equal(s.kind, SOLVE_DIVIDE);
    assert_prints(f, s.value, "1.0/(#1 + #2)");
    s = symbolic_solve(f->s, expr_sub(g, fn(f, OP_EXP, x), y), 0);
    assert_int_equal(s.kind, SOLVE_INVERSE);
    assert_prints(f, s.value, "log(#1)");
    /* a diode: i in one branch, v in the other */
    ExprId diode = expr_if(g, c, x, y);
    assert_int_equal(symbolic_solve(f->s, diode, 0).kind, SOLVE_NO);
    ExprId both = expr_if(g, c, expr_sub(g, x, y), expr_sub(g, expr_mul(g, z, x), y));
    s = symbolic_solve(f->s, both, 0);
    assert_int_equal(s.kind, SOLVE_DIVIDE);
    assert_prints(f, s.value, "if #3 then #1 else #1/#2");
    assert_int_equal(symbolic_solve(f->s, expr_sub(g, expr_pow(g, x, real(f, 2)), y), 0).kind,
                     SOLVE_NO);
    assert_int_equal(symbolic_solve(f->s, expr_sub(g, fn(f, OP_SQRT, x), y), 0).kind, SOLVE_NO);
    assert_int_equal(symbolic_solve(f->s, expr_sub(g, fn(f, OP_SQRT, x), fn(f, OP_EXP, y)), 0).kind,
                     SOLVE_INVERSE);
    /* its derivative is 1, but it is not linear */
    ExprId stair = expr_add(g, x, fn(f, OP_FLOOR, x));
    assert_int_equal(symbolic_linearity(f->s, stair, 0), LINEAR_NOT);
    assert_int_equal(symbolic_solve(f->s, stair, 0).kind, SOLVE_NO);
    assert_int_equal(symbolic_linearity(f->s, expr_sub(g, y, x), 0), LINEAR_UNIT);
    assert_int_equal(symbolic_linearity(f->s, expr_mul(g, real(f, 3), x), 0), LINEAR_CONSTANT);
    assert_int_equal(symbolic_linearity(f->s, expr_mul(g, y, x), 0), LINEAR_VARYING);
    assert_int_equal(symbolic_linearity(f->s, y, 0), LINEAR_FREE);
    uint32_t rate[] = {4, UINT32_MAX, 5};
    assert_prints(f, symbolic_rate(f->s, expr_mul(g, x, expr_mul(g, y, z)), rate, 3),
                  "#1*#2*#4 + #0*#1*#5");
    uint32_t n;
    const uint32_t *h = symbolic_holes(f->s, both, &n);
    assert_int_equal(n, 4);
    assert_int_equal(h[3], 3);
    ExprId with[] = {real(f, 2), EXPR_NONE, y};
    assert_prints(f, symbolic_substitute(f->s, expr_add(g, expr_mul(g, x, z), y), with, 3),
                  "3.0*#1");
}

/* ---- evaluator ---- */

static ExprId vector(Fixture *f, const double *v, int64_t n)
{
    ExprId items[16];
    for (int64_t i = 0; i < n; i++)
        items[i] = real(f, v[i]);
    return expr_make(f->g, OP_ARRAY, type_array(f->g->types, T_REAL, &n, 1), 0, items, (uint32_t)n);
}

static Value value_of_array(Fixture *f, ExprId e)
{
    EvalEnv env = {.g = f->g, .arena = f->arena, .time = NAN, .silent = true};
    Value v;
    EvalStatus status = eval_expr(&env, e, &v);
    if (status != EVAL_OK)
        print_message("%s: %s\n", text(f, e), env.why);
    assert_int_equal(status, EVAL_OK);
    return v;
}

static void check_array(Fixture *f, ExprId e, const char *expected)
{
    Value v = value_of_array(f, e);
    assert_string_equal(text(f, eval_literal(f->g, &v)), expected);
}

static void evaluates_arrays(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    TypeId v3 = type_array(g->types, T_REAL, (int64_t[]){3}, 1),
           m22 = type_array(g->types, T_REAL, (int64_t[]){2, 2}, 2);
    TypeId v2 = type_array(g->types, T_REAL, (int64_t[]){2}, 1),
           open = type_array(g->types, T_REAL, (int64_t[]){-1}, 1);
    TypeId i2 = type_array(g->types, T_INT, (int64_t[]){2}, 1),
           m33 = type_array(g->types, T_REAL, (int64_t[]){3, 3}, 2);
    ExprId a = vector(f, (double[]){1, 2, 3}, 3), b = vector(f, (double[]){4, 5, 6}, 3);
    ExprId rows[2] = {vector(f, (double[]){1, 2}, 2), vector(f, (double[]){3, 4}, 2)};
    ExprId m = expr_make(g, OP_ARRAY, m22, 0, rows, 2), colon = expr_leaf(g, OP_COLON, T_NONE, 0);
    ExprId ints = expr_make(g, OP_ARRAY, i2, 0, (ExprId[]){integer(f, 3), integer(f, 1)}, 2);
    check_array(f, expr_add(g, a, b), "{5.0, 7.0, 9.0}");
    check_array(f, expr_mul(g, real(f, 2), a), "{2.0, 4.0, 6.0}");
    check_array(f, expr_neg(g, a), "{-1.0, -2.0, -3.0}");
    assert_float_equal(value_of(f, expr2(g, OP_MATMUL, T_REAL, a, b)), 32, 0);
    check_array(f, expr2(g, OP_MATMUL, m22, m, m), "{{7.0, 10.0}, {15.0, 22.0}}");
    check_array(f, expr2(g, OP_MATMUL, v2, m, rows[0]), "{5.0, 11.0}");
    check_array(f, expr2(g, OP_MATMUL, v2, rows[0], m), "{7.0, 10.0}");
    check_array(f, expr2(g, OP_MATPOW, m22, m, integer(f, 3)), "{{37.0, 54.0}, {81.0, 118.0}}");
    check_array(f, expr1(g, OP_TRANSPOSE, m22, m), "{{1.0, 3.0}, {2.0, 4.0}}");
    check_array(f, expr2(g, OP_CROSS, v3, a, b), "{-3.0, 6.0, -3.0}");
    check_array(f, expr1(g, OP_SKEW, m33, a),
                "{{0.0, -3.0, 2.0}, {3.0, 0.0, -1.0}, {-2.0, 1.0, 0.0}}");
    check_array(f, expr3(g, OP_INDEX, v2, m, colon, integer(f, 2)), "{2.0, 4.0}");
    check_array(f, expr2(g, OP_INDEX, v2, a, ints), "{3.0, 1.0}");
    check_array(f, expr2(g, OP_INDEX, v2, m, integer(f, 2)), "{3.0, 4.0}");
    check_array(f, expr3(g, OP_CAT, open, integer(f, 1), a, b), "{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}");
    check_array(f, expr3(g, OP_CAT, open, integer(f, 2), m, m),
                "{{1.0, 2.0, 1.0, 2.0}, {3.0, 4.0, 3.0, 4.0}}");
    check_array(f, expr3(g, OP_FILL, m22, real(f, 7), integer(f, 1), integer(f, 2)),
                "{{7.0, 7.0}}");
    check_array(
        f, expr1(g, OP_IDENTITY, type_array(g->types, T_INT, (int64_t[]){2, 2}, 2), integer(f, 2)),
        "{{1, 0}, {0, 1}}");
    check_array(f, expr3(g, OP_LINSPACE, open, real(f, 0), real(f, 1), integer(f, 3)),
                "{0.0, 0.5, 1.0}");
    check_array(f, expr3(g, OP_RANGE, open, real(f, 0), real(f, 0.1), real(f, 0.3)),
                "{0.0, 0.1, 0.2, 0.30000000000000004}");
    assert_float_equal(value_of(f, expr1(g, OP_MAX_OF, T_REAL, b)), 6, 0);
    assert_float_equal(value_of(f, expr1(g, OP_PRODUCT, T_REAL, b)), 120, 0);
    assert_float_equal(value_of(f, expr2(g, OP_SIZE, T_INT, m, integer(f, 2))), 2, 0);
    ExprId it = expr_new_iter(g, T_INT), jt = expr_new_iter(g, T_INT);
    ExprId r3 = expr3(g, OP_RANGE, type_array(g->types, T_INT, (int64_t[]){3}, 1), integer(f, 1),
                      integer(f, 1), integer(f, 3));
    ExprId r2 = expr3(g, OP_RANGE, i2, integer(f, 1), integer(f, 1), integer(f, 2));
    ExprId inner = expr3(g, OP_COMPREHEND, type_array(g->types, T_INT, (int64_t[]){3}, 1),
                         expr_add(g, expr_mul(g, integer(f, 10), jt), it), it, r3);
    check_array(
        f,
        expr3(g, OP_COMPREHEND, type_array(g->types, T_INT, (int64_t[]){2, 3}, 2), inner, jt, r2),
        "{{11, 12, 13}, {21, 22, 23}}");
    ExprId sum = expr_make(g, OP_REDUCE, T_INT, 0,
                           (ExprId[]){integer(f, OP_SUM), expr_mul(g, it, it), it, r3}, 4);
    assert_float_equal(value_of(f, sum), 14, 0);
    EvalEnv env = {.g = g, .arena = f->arena, .time = NAN, .silent = true};
    double v;
    assert_int_equal(eval_number(&env, expr2(g, OP_INDEX, T_REAL, a, integer(f, 7)), &v),
                     EVAL_ERROR);
    assert_string_equal(env.why, "index 7 is out of range 1:3 of {1.0, 2.0, 3.0}");
    assert_int_equal(eval_number(&env, expr2(g, OP_QUOT, T_INT, integer(f, 1), integer(f, 0)), &v),
                     EVAL_ERROR);
    assert_int_equal(eval_number(&env, hole(f, 1), &v), EVAL_UNKNOWN);
}

static void evaluates_strings(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    TypeId color =
        type_enum(g->types, name_of(f->ctx->names, "Color"),
                  (Name[]){name_of(f->ctx->names, "red"), name_of(f->ctx->names, "blue")}, 2);
    struct {
        ExprId args[4];
        uint32_t n;
        const char *expected;
    } cases[] = {
        {{real(f, 3.14159265)}, 1, "3.14159"},
        {{real(f, 3.14159265), integer(f, 3)}, 2, "3.14"},
        {{real(f, 2), integer(f, 6), integer(f, 5), expr_bool(g, false)}, 4, "    2"},
        {{integer(f, 42), integer(f, 5)}, 2, "42   "},
        {{integer(f, 42), integer(f, 5), expr_bool(g, false)}, 3, "   42"},
        {{expr_bool(g, true)}, 1, "true"},
        {{expr_enum(g, color, 2)}, 1, "blue"},
        {{real(f, 1.5), expr_string(g, "8.3f", 4)}, 2, "   1.500"},
        {{integer(f, 255), expr_string(g, "x", 1)}, 2, "ff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Value v =
            value_of_array(f, expr_make(g, OP_TO_STRING, T_STRING, 0, cases[i].args, cases[i].n));
        assert_string_equal(v.str, cases[i].expected);
    }
    ExprId joined = expr_make(g, OP_CONCAT, T_STRING, 0,
                              (ExprId[]){expr_string(g, "a", 1), expr_string(g, "b", 1)}, 2);
    assert_string_equal(value_of_array(f, joined).str, "ab");
    assert_float_equal(value_of(f, expr2(g, OP_LT, T_BOOL, joined, expr_string(g, "b", 1))), 1, 0);
}

/* ---- functions ---- */

static ExprId local(Fixture *f, const Function *fn_, uint32_t k)
{
    return expr_leaf(f->g, OP_LOCAL, fn_->vars[k].type, k);
}

static Function *new_function(Fixture *f, const char *name, uint32_t n_in, uint32_t n_out,
                              uint32_t n_vars)
{
    Function *x = ARENA_NEW(f->g->arena, Function);
    x->name = name_of(f->ctx->names, name);
    x->id = f->g->functions.n;
    x->vars = ARENA_ARRAY(f->g->arena, FnVar, n_vars);
    x->n_in = n_in;
    x->n_out = n_out;
    x->n_vars = n_vars;
    x->ready = true;
    x->result = T_REAL;
    for (uint32_t i = 0; i < n_vars; i++)
        x->vars[i] =
            (FnVar){.name = name_of(f->ctx->names, arena_printf(f->arena, "%c", 'a' + (int)i)),
                    .type = T_REAL};
    vec_push(&f->g->functions, x);
    return x;
}

static ExprId call(Fixture *f, const Function *x, const ExprId *args)
{
    return expr_apply(f->g, OP_CALL, x->result, x->id, args, x->n_in);
}

static Stmt assign(ExprId lhs, ExprId rhs)
{
    return (Stmt){.kind = STMT_ASSIGN, .lhs = lhs, .rhs = rhs};
}

/* b := 1; for i in 1:integer(a): b := b*i */
static Function *factorial(Fixture *f)
{
    Graph *g = f->g;
    Function *x = new_function(f, "factorial", 1, 1, 2);
    x->vars[0].type = T_INT;
    ExprId it = expr_new_iter(g, T_INT), b = local(f, x, 1);
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 2), *loop = ARENA_ARRAY(g->arena, Stmt, 1);
    StmtBranch *branch = ARENA_NEW(g->arena, StmtBranch);
    loop[0] = assign(b, expr_mul(g, b, it));
    *branch = (StmtBranch){.body = loop, .n = 1};
    body[0] = assign(b, real(f, 1));
    body[1] = (Stmt){.kind = STMT_FOR,
                     .lhs = it,
                     .rhs = expr3(g, OP_RANGE, type_array(g->types, T_INT, (int64_t[]){-1}, 1),
                                  integer(f, 1), integer(f, 1), local(f, x, 0)),
                     .branches = branch,
                     .n_branches = 1};
    x->body = body;
    x->n_body = 2;
    return x;
}

/* b := if a < 2 then a else fib(a - 1) + fib(a - 2) */
static Function *fibonacci(Fixture *f)
{
    Graph *g = f->g;
    Function *x = new_function(f, "fib", 1, 1, 2);
    ExprId a = local(f, x, 0);
    ExprId one = call(f, x, (ExprId[]){expr_sub(g, a, real(f, 1))}),
           two = call(f, x, (ExprId[]){expr_sub(g, a, real(f, 2))});
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 1);
    body[0] = assign(local(f, x, 1),
                     expr_if(g, expr_compare(g, OP_LT, a, real(f, 2)), a, expr_add(g, one, two)));
    x->body = body;
    x->n_body = 1;
    return x;
}

/* while true loop end while */
static Function *endless(Fixture *f)
{
    Function *x = new_function(f, "endless", 0, 1, 1);
    Stmt *body = ARENA_ARRAY(f->g->arena, Stmt, 1);
    StmtBranch *branch = ARENA_NEW(f->g->arena, StmtBranch);
    *branch = (StmtBranch){.condition = expr_bool(f->g, true)};
    body[0] = (Stmt){.kind = STMT_WHILE, .branches = branch, .n_branches = 1};
    x->body = body;
    x->n_body = 1;
    return x;
}

/* input a[:]; output b[size(a, 1)]; for i: b[i] := a[i]^2 */
static Function *squares(Fixture *f)
{
    Graph *g = f->g;
    Function *x = new_function(f, "squares", 1, 1, 2);
    TypeId open = type_array(g->types, T_REAL, (int64_t[]){-1}, 1);
    x->vars[0].type = x->vars[1].type = x->result = open;
    ExprId a = local(f, x, 0), b = local(f, x, 1), it = expr_new_iter(g, T_INT);
    ExprId size = expr2(g, OP_SIZE, T_INT, a, integer(f, 1));
    x->vars[0].dims = ARENA_ARRAY(g->arena, ExprId, 1);
    x->vars[1].dims = ARENA_ARRAY(g->arena, ExprId, 1);
    x->vars[1].dims[0] = size;
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 1), *loop = ARENA_ARRAY(g->arena, Stmt, 1);
    StmtBranch *branch = ARENA_NEW(g->arena, StmtBranch);
    ExprId item = expr2(g, OP_INDEX, T_REAL, a, it);
    loop[0] = assign(expr2(g, OP_INDEX, T_REAL, b, it), expr_pow(g, item, real(f, 2)));
    *branch = (StmtBranch){.body = loop, .n = 1};
    body[0] = (Stmt){.kind = STMT_FOR,
                     .lhs = it,
                     .rhs = expr3(g, OP_RANGE, type_array(g->types, T_INT, (int64_t[]){-1}, 1),
                                  integer(f, 1), integer(f, 1), size),
                     .branches = branch,
                     .n_branches = 1};
    x->body = body;
    x->n_body = 1;
    return x;
}

/* (b, c) := (a*a, if a > 0 then a else 2*a), by an if statement */
static Function *two_results(Fixture *f)
{
    Graph *g = f->g;
    Function *x = new_function(f, "two", 1, 2, 3);
    x->result = type_tuple(g->types, (TypeId[]){T_REAL, T_REAL}, 2);
    ExprId a = local(f, x, 0);
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 2), *parts = ARENA_ARRAY(g->arena, Stmt, 2);
    StmtBranch *branches = ARENA_ARRAY(g->arena, StmtBranch, 2);
    parts[0] = assign(local(f, x, 2), a);
    parts[1] = assign(local(f, x, 2), expr_mul(g, real(f, 2), a));
    branches[0] = (StmtBranch){expr_compare(g, OP_GT, a, real(f, 0)), &parts[0], 1};
    branches[1] = (StmtBranch){EXPR_NONE, &parts[1], 1};
    body[0] = assign(local(f, x, 1), expr_mul(g, a, a));
    body[1] = (Stmt){.kind = STMT_IF, .branches = branches, .n_branches = 2};
    x->body = body;
    x->n_body = 2;
    return x;
}

static void evaluates_functions(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    assert_float_equal(value_of(f, call(f, factorial(f), (ExprId[]){integer(f, 10)})), 3628800, 0);
    assert_float_equal(value_of(f, call(f, fibonacci(f), (ExprId[]){real(f, 20)})), 6765, 0);
    check_array(f, call(f, squares(f), (ExprId[]){vector(f, (double[]){1, 2, 3}, 3)}),
                "{1.0, 4.0, 9.0}");
    ExprId pair = call(f, two_results(f), (ExprId[]){real(f, -3)});
    assert_float_equal(value_of(f, expr_apply(g, OP_OUT, T_REAL, 0, &pair, 1)), 9, 0);
    assert_float_equal(value_of(f, expr_apply(g, OP_OUT, T_REAL, 1, &pair, 1)), -6, 0);
    EvalEnv env = {.g = g, .arena = f->arena, .time = NAN, .silent = true, .steps = 100000};
    double v;
    assert_int_equal(eval_number(&env, call(f, endless(f), NULL), &v), EVAL_ERROR);
    assert_non_null(strstr(env.why, "too many steps"));
    Function *loop = fibonacci(f); /* without an end */
    loop->body[0].rhs = call(f, loop, (ExprId[]){local(f, loop, 0)});
    env.steps = 0;
    assert_int_equal(eval_number(&env, call(f, loop, (ExprId[]){real(f, 1)}), &v), EVAL_ERROR);
    assert_non_null(strstr(env.why, "nested too deeply"));
    Function *c = new_function(f, "Library.f", 1, 1, 2);
    c->external = ARENA_NEW(g->arena, FnExternal);
    *c->external =
        (FnExternal){.language = "C", .symbol = name_of(f->ctx->names, "mystery"), .result = 0};
    assert_int_equal(eval_number(&env, call(f, c, (ExprId[]){real(f, 1)}), &v), EVAL_ERROR);
    assert_string_equal(
        env.why,
        "external function Library.f cannot be called: none of its libraries has 'mystery'");
}

static void differentiates_functions(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    ExprId x = hole(f, 0), y = hole(f, 1);
    ExprId pair = call(f, two_results(f), &x), second = expr_apply(g, OP_OUT, T_REAL, 1, &pair, 1);
    ExprId first = expr_apply(g, OP_OUT, T_REAL, 0, &pair, 1);
    assert_prints(f, symbolic_diff(f->s, first, 0), "2.0*#0");
    assert_prints(f, symbolic_diff(f->s, second, 0), "if #0 > 0.0 then 1.0 else 2.0");
    ExprId both = expr_make(g, OP_ARRAY, type_array(g->types, T_REAL, (int64_t[]){2}, 1), 0,
                            (ExprId[]){x, expr_mul(g, x, y)}, 2);
    ExprId sq = call(f, squares(f), &both);
    ExprId item = expr_apply(g, OP_INDEX, T_REAL, 0, (ExprId[]){sq, integer(f, 2)}, 2);
    ExprId d = symbolic_diff(f->s, item, 0);
    assert_true(d != EXPR_NONE);
    assert_float_equal(value_at(f, d, (double[]){3, 5}), 2 * 15 * 5, 1e-12);
    ExprId recursive = call(f, fibonacci(f), &x);
    d = symbolic_diff(f->s, recursive, 0);
    assert_true(d != EXPR_NONE); /* each leaf of the recursion returns its argument: their number */
    assert_float_equal(value_at(f, d, (double[]){5, 0}), 8, 1e-12);
    assert_int_equal(symbolic_diff(f->s, recursive, 1), real(f, 0));
    Function *c = new_function(f, "Library.f", 1, 1, 2),
             *dc = new_function(f, "Library.df", 2, 1, 3);
    c->external = ARENA_NEW(g->arena, FnExternal);
    assert_int_equal(symbolic_diff(f->s, call(f, c, &y), 1), EXPR_NONE);
    assert_string_equal(symbolic_why(f->s),
                        "external function Library.f has no derivative annotation");
    c->derivatives = ARENA_NEW(g->arena, FnDerivative);
    *c->derivatives = (FnDerivative){dc, 1, ARENA_ARRAY(g->arena, uint8_t, 1)};
    c->n_derivatives = 1;
    ExprId product = expr_mul(g, x, y);
    assert_prints(f, symbolic_diff(f->s, call(f, c, &product), 0), "Library.df(#0*#1, #1)");
}

/* ---- partial evaluation ---- */

/* Even holes are known: hole k is k. */
static double even_hole(void *user, ExprId e)
{
    const Fixture *f = user;
    uint32_t k = expr_index(f->g, e);
    return k % 2 ? (double)NAN : k;
}

static void check_partial(Fixture *f, ExprId e, double expected)
{
    PartialEval w = {.g = f->g, .leaf = even_hole, .user = f, .budget = 1000};
    double v = partial_eval_number(&w, e);
    if (isnan(expected) ? !isnan(v) : v != expected)
        fail_msg("%s is %.17g instead of %.17g", text(f, e), v, expected);
}

/* b := 0; if a > 1 then b := k; c := 7; else b := 5; c := 7; end if */
static Function *branching(Fixture *f, double k)
{
    Graph *g = f->g;
    Function *x = new_function(f, "branching", 1, 2, 3);
    ExprId b = local(f, x, 1), c = local(f, x, 2);
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 2);
    StmtBranch *branches = ARENA_ARRAY(g->arena, StmtBranch, 2);
    for (int i = 0; i < 2; i++) {
        Stmt *s = ARENA_ARRAY(g->arena, Stmt, 2);
        s[0] = assign(b, real(f, i ? 5 : k));
        s[1] = assign(c, real(f, 7));
        branches[i] = (StmtBranch){.body = s, .n = 2};
    }
    branches[0].condition = expr_compare(g, OP_GT, local(f, x, 0), real(f, 1));
    body[0] = assign(b, real(f, 0));
    body[1] = (Stmt){.kind = STMT_IF, .branches = branches, .n_branches = 2};
    x->body = body;
    x->n_body = 2;
    x->result = type_tuple(g->types, (TypeId[]){T_REAL, T_REAL}, 2);
    return x;
}

static ExprId result_of(Fixture *f, const Function *x, ExprId arg, uint32_t k)
{
    ExprId c = call(f, x, &arg);
    return expr_apply(f->g, OP_OUT, T_REAL, k, &c, 1);
}

static void evaluates_partially(void **state)
{
    Fixture *f = *state;
    Graph *g = f->g;
    ExprId known = hole(f, 4), open = hole(f, 1), zero = hole(f, 0);
    ExprId unknown = expr_compare(g, OP_GT, open, real(f, 1));
    check_partial(f, expr_add(g, known, real(f, 3)), 7);
    check_partial(f, expr_add(g, known, open), NAN);
    check_partial(f, expr_mul(g, zero, fn(f, OP_EXP, open)), 0);
    check_partial(f, expr_if(g, unknown, expr_mul(g, real(f, 2), known), real(f, 8)), 8);
    check_partial(f, expr_if(g, unknown, known, real(f, 8)), NAN);
    check_partial(f, expr_if(g, expr_compare(g, OP_GT, known, real(f, 1)), known, open), 4);
    const Function *same = branching(f, 5), *other = branching(f, 6);
    check_partial(f, result_of(f, same, open, 0), 5);
    check_partial(f, result_of(f, other, open, 0), NAN);
    check_partial(f, result_of(f, other, open, 1), 7);
    check_partial(f, result_of(f, other, known, 0), 6);
    check_partial(f, call(f, factorial(f), (ExprId[]){integer(f, 5)}), 120);
    PartialEval w = {.g = g, .leaf = even_hole, .user = f, .budget = 3};
    assert_true(isnan(partial_eval_number(&w, call(f, fibonacci(f), (ExprId[]){real(f, 9)}))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(types_are_interned, setup, teardown),
        cmocka_unit_test_setup_teardown(nodes_are_shared, setup, teardown),
        cmocka_unit_test_setup_teardown(many_arguments, setup, teardown),
        cmocka_unit_test_setup_teardown(simplifies, setup, teardown),
        cmocka_unit_test_setup_teardown(prints, setup, teardown),
        cmocka_unit_test_setup_teardown(simplification_keeps_values, setup, teardown),
        cmocka_unit_test_setup_teardown(derivative_agrees_with_differences, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds_hold, setup, teardown),
        cmocka_unit_test_setup_teardown(solutions_solve, setup, teardown),
        cmocka_unit_test_setup_teardown(solves_by_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(evaluates_arrays, setup, teardown),
        cmocka_unit_test_setup_teardown(evaluates_strings, setup, teardown),
        cmocka_unit_test_setup_teardown(evaluates_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(differentiates_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(evaluates_partially, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

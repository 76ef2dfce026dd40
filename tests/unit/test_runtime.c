/* The runtime on hand-made blocks: linear, nonlinear, singular, mixed, large and sparse; dense
 * algebra; relations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics/dense.h"
#include "runtime/internal.h"
#include "runtime/model.h"

static double largest(double a, double b)
{
    return a > b ? a : b;
}

typedef struct Fixture {
    ModelBlockCode block;
    ModelCode code;
    RuntimeVar *vars;
    RuntimeRelation relation;
    Runtime *rt;
    ModelData *m;
} Fixture;

static void open_fixture(Fixture *f, uint32_t n_vars)
{
    f->code = (ModelCode){.blocks = &f->block,
                          .n_blocks = 1,
                          .n_vars = n_vars,
                          .abi = MODEL_ABI,
                          .relations = f->code.relations,
                          .n_relations = f->code.n_relations};
    f->vars = calloc(n_vars, sizeof *f->vars);
    for (uint32_t i = 0; i < n_vars; i++) {
        f->vars[i] = (RuntimeVar){1.0, -INFINITY, INFINITY};
    }
    f->relation.scale = 1.0;
    f->rt = runtime_new(&f->code, f->vars, &f->relation, f->code.n_relations, 1e-6);
    assert_non_null(f->rt);
    f->m = runtime_data(f->rt);
}

static void close_fixture(Fixture *f)
{
    runtime_free(f->rt);
    free(f->vars);
}

/* ---- linear, 3 unknowns 1…3, with an inner variable 4 = v1 + p(5) ---- */

static const double A[3][3] = {{4, 1, 0}, {1, 3, -1}, {0, 2, 5}};
static const uint32_t ONE_TO_THREE[] = {1, 2, 3};

static void linear_residual(ModelData *m)
{
    double *v = m->v;
    v[4] = v[1] + v[5];
    for (int i = 0; i < 3; i++) {
        m->r[i] = A[i][0] * v[1] + A[i][1] * v[2] + A[i][2] * v[3] - v[4] - (i + 1);
    }
}

static void linear_tangent(ModelData *m)
{
    double *d = m->dv;
    d[4] = d[1];
    for (int i = 0; i < 3; i++) {
        m->r[i] = A[i][0] * d[1] + A[i][1] * d[2] + A[i][2] * d[3] - d[4];
    }
}

static void linear_sensitivity(ModelData *m)
{
    double *d = m->dv;
    d[4] = d[1] + d[5];
    for (int i = 0; i < 3; i++) {
        m->r[i] = A[i][0] * d[1] + A[i][1] * d[2] + A[i][2] * d[3] - d[4];
    }
}

static void test_linear(void **state)
{
    (void)state;
    Fixture f = {.block = {linear_residual, linear_tangent, NULL, ONE_TO_THREE, 3, 1, 1, 0,
                           linear_sensitivity, NULL, 0}};
    open_fixture(&f, 6);
    f.m->v[5] = 0.5;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(f.m->r[i]) < 1e-13);
    }
    double before[5], h = 1e-6;
    memcpy(before, f.m->v, sizeof before);
    memset(f.m->dv, 0, 6 * sizeof(double));
    f.m->dv[5] = 1.0;
    assert_int_equal(kr_solve_tangent(f.m, 0), MODEL_OK);
    f.m->v[5] += h;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_int_equal(runtime_stats(f.rt)->factorizations, 1); /* constant: factored once */
    for (int i = 1; i <= 4; i++) {
        assert_true(fabs((f.m->v[i] - before[i]) / h - f.m->dv[i]) < 1e-8);
    }
    runtime_invalidate(f.rt);
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_int_equal(runtime_stats(f.rt)->factorizations, 2);
    close_fixture(&f);
}

/* ---- nonlinear: a circle and an exponential; v3 its radius ---- */

static void curve_residual(ModelData *m)
{
    double x = m->v[1], y = m->v[2];
    m->r[0] = x * x + y * y - m->v[3];
    m->r[1] = exp(x) + y - 1.0;
}

static void curve_tangent(ModelData *m)
{
    double x = m->v[1], y = m->v[2];
    m->r[0] = 2 * x * m->dv[1] + 2 * y * m->dv[2];
    m->r[1] = exp(x) * m->dv[1] + m->dv[2];
}

static void test_nonlinear(void **state)
{
    (void)state;
    Fixture f = {
        .block = {curve_residual, curve_tangent, NULL, ONE_TO_THREE, 2, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 4);
    f.m->v[3] = 4.0;
    f.m->v[1] = 1.0;
    f.m->v[2] = -1.7;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_true(fabs(f.m->v[1] - 1.004168738474) < 1e-10);
    assert_true(fabs(f.m->v[2] + 1.729637287) < 1e-8);
    f.m->v[1] = 30.0; /* far away */
    f.m->v[2] = -5.0;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_true(fabs(f.m->v[1] * f.m->v[1] + f.m->v[2] * f.m->v[2] - 4.0) < 1e-9);
    f.m->v[1] = NAN; /* starts from the last solution */
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    f.m->v[3] = -1.0; /* no solution */
    assert_int_not_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_int_equal(f.m->failed_block, 0);
    assert_true(isfinite(runtime_residual(f.rt, 0, 0)));
    close_fixture(&f);
}

static void log_residual(ModelData *m)
{
    m->r[0] = log(m->v[1]) - m->v[2];
}
static void log_tangent(ModelData *m)
{
    m->r[0] = m->dv[1] / m->v[1];
}

static void test_damping_and_bounds(void **state)
{
    (void)state;
    Fixture f = {
        .block = {log_residual, log_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 3);
    f.m->v[1] = 30.0; /* the full step leaves the domain */
    f.m->v[2] = 0.0;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_true(fabs(f.m->v[1] - 1.0) < 1e-10);
    f.m->v[2] = NAN;
    assert_int_equal(kr_solve(f.m, 0), MODEL_NOT_FINITE);
    close_fixture(&f);
}

static void cube_residual(ModelData *m)
{
    m->r[0] = m->v[1] * m->v[1] * m->v[1] - 8.0;
}
static void cube_tangent(ModelData *m)
{
    m->r[0] = 3.0 * m->v[1] * m->v[1] * m->dv[1];
}

static void test_bad_start(void **state)
{
    (void)state;
    Fixture f = {
        .block = {cube_residual, cube_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 2);
    assert_int_equal(kr_solve(f.m, 0), MODEL_SINGULAR); /* not sought elsewhere between events */
    f.m->status = 0;
    f.m->event = 1;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_true(fabs(f.m->v[1] - 2.0) < 1e-12);
    close_fixture(&f);
}

/* ---- singular: two parallel ideal elements share a current ---- */

static void split_residual(ModelData *m)
{
    m->r[0] = m->v[1] + m->v[2] - m->v[4];
    m->r[1] = 2 * m->v[1] + 2 * m->v[2] - m->v[5];
    m->r[2] = m->v[3] - 7;
}

static void split_tangent(ModelData *m)
{
    m->r[0] = m->dv[1] + m->dv[2];
    m->r[1] = 2 * m->dv[1] + 2 * m->dv[2];
    m->r[2] = m->dv[3];
}

static void test_singular(void **state)
{
    (void)state;
    Fixture f = {
        .block = {split_residual, split_tangent, NULL, ONE_TO_THREE, 3, 1, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 6);
    f.m->v[4] = 6.0;
    f.m->v[5] = 12.0;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_true(fabs(f.m->v[1] - 3.0) < 1e-12 && fabs(f.m->v[2] - 3.0) < 1e-12 &&
                fabs(f.m->v[3] - 7.0) < 1e-12);
    f.m->v[5] = 13.0; /* inconsistent */
    assert_int_equal(kr_solve(f.m, 0), MODEL_SINGULAR);
    close_fixture(&f);
}

/* ---- mixed: ideal diode in series with a resistor; s the curve's parameter, open = s < 0 ---- */

static const uint32_t DIODE_VARS[] = {1}, DIODE_DISCRETE[] = {2}, DIODE_RELATION[] = {2};

static void diode_residual(ModelData *m) /* u(3) = R*i + v, R = 2 */
{
    double s = m->v[1], open = m->v[2];
    double i = open != 0.0 ? 0.0 : s, v = open != 0.0 ? s : 0.0;
    m->r[0] = m->v[3] - 2.0 * i - v;
}

static void diode_tangent(ModelData *m)
{
    double ds = m->dv[1], open = m->v[2];
    m->r[0] = open != 0.0 ? -ds : -2.0 * ds;
}

static void diode_discrete(ModelData *m)
{
    m->v[2] = kr_relation(m, 0, 0, m->v[1]);
}

static void test_mixed(void **state)
{
    (void)state;
    Fixture f = {.block = {diode_residual, diode_tangent, diode_discrete, DIODE_VARS, 1, 1, 0, 1,
                           NULL, DIODE_DISCRETE, 1},
                 .code = {.relations = DIODE_RELATION, .n_relations = 1}};
    open_fixture(&f, 4);
    f.m->event = 1;
    runtime_relations(f.rt, NULL, 1e-10, 0);
    f.m->v[3] = 6.0;
    assert_int_equal(kr_solve_mixed(f.m, 0), MODEL_OK);
    assert_true(f.m->v[2] == 0.0 && f.m->v[1] == 3.0);
    f.m->v[3] = -6.0;
    assert_int_equal(kr_solve_mixed(f.m, 0), MODEL_OK);
    assert_true(f.m->v[2] == 1.0 && f.m->v[1] == -6.0);
    f.m->v[3] = 1e-12; /* within epsilon: keeps its branch */
    assert_int_equal(kr_solve_mixed(f.m, 0), MODEL_OK);
    assert_true(f.m->v[2] == 1.0);
    close_fixture(&f);
}

/* Fixed-point iteration cycles here, b = x > 1 with x = 3 - 4 b… has no solution; x = 0.5 + b has
 * two. */
static void toggling_residual(ModelData *m)
{
    m->r[0] = m->v[1] - 3.0 + 4.0 * m->v[2];
}
static void toggling_tangent(ModelData *m)
{
    m->r[0] = m->dv[1];
}
static void toggling_discrete(ModelData *m)
{
    m->v[2] = kr_relation(m, 0, 2, m->v[1] - 1.0);
}

static void test_no_mixed(void **state)
{
    (void)state;
    Fixture f = {.block = {toggling_residual, toggling_tangent, toggling_discrete, DIODE_VARS, 1, 1,
                           0, 1, NULL, DIODE_DISCRETE, 1},
                 .code = {.relations = DIODE_RELATION, .n_relations = 1}};
    open_fixture(&f, 3);
    f.m->event = 1;
    assert_int_equal(kr_solve_mixed(f.m, 0), MODEL_NO_MIXED);
    close_fixture(&f);
}

static void test_relations(void **state)
{
    (void)state;
    Fixture f = {
        .block = {log_residual, log_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0},
        .code = {.relations = DIODE_RELATION, .n_relations = 1}};
    open_fixture(&f, 3);
    uint8_t decided[1] = {0};
    f.m->event = 1;
    runtime_relations(f.rt, decided, 1e-10, 0);
    f.m->v[2] = 1.0;
    assert_true(kr_relation(f.m, 0, 2, -1e-11) == 1.0);
    assert_true(kr_relation(f.m, 0, 2, -1e-9) == 0.0);
    f.m->v[2] = 0.0;
    assert_true(kr_relation(f.m, 0, 3, 0.0) == 0.0);
    decided[0] = 2;
    assert_true(kr_relation(f.m, 0, 3, 0.0) == 1.0);
    decided[0] = 1;
    assert_true(kr_relation(f.m, 0, 3, 5.0) == 0.0);
    runtime_relations(f.rt, decided, 1e-10, 1);
    assert_true(kr_relation(f.m, 0, 3, 0.0) == 1.0);
    assert_true(kr_relation(f.m, 0, 1, 0.0) == 1.0);
    assert_true(kr_relation(f.m, 0, 0, 0.0) == 0.0);
    close_fixture(&f);
}

/* ---- large: a nonlinear chain, tridiagonal ---- */

enum { CHAIN = 400 };
static uint32_t chain_vars[CHAIN];

static void chain_residual(ModelData *m)
{
    const double *x = m->v + 1;
    for (int i = 0; i < CHAIN; i++) {
        double left = i > 0 ? x[i - 1] : 1.0, right = i + 1 < CHAIN ? x[i + 1] : 0.0;
        m->r[i] = left - 2 * x[i] + right - 0.01 * x[i] * x[i] * x[i];
    }
}

static void chain_tangent(ModelData *m)
{
    const double *x = m->v + 1, *d = m->dv + 1;
    for (int i = 0; i < CHAIN; i++) {
        double left = i > 0 ? d[i - 1] : 0.0, right = i + 1 < CHAIN ? d[i + 1] : 0.0;
        m->r[i] = left - 2 * d[i] + right - 0.03 * x[i] * x[i] * d[i];
    }
}

static void test_sparse(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CHAIN; i++) {
        chain_vars[i] = i + 1;
    }
    Fixture f = {
        .block = {chain_residual, chain_tangent, NULL, chain_vars, CHAIN, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, CHAIN + 1);
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    double worst = 0.0;
    for (int i = 0; i < CHAIN; i++) {
        worst = largest(worst, fabs(f.m->r[i]));
    }
    assert_true(worst < 1e-10);
    close_fixture(&f);
}

/* ---- dense algebra and kernels ---- */

static void test_min_norm(void **state)
{
    (void)state;
    double a[4] = {1, 2, 1, 2}, b[2] = {4, 8}, work[16];
    uint32_t order[4], rank;
    assert_true(dense_min_norm(2, a, b, DENSE_SINGULAR, work, order, &rank) < 1e-14);
    assert_int_equal(rank, 1);
    assert_true(fabs(b[0] - 2) < 1e-14 && fabs(b[1] - 2) < 1e-14);
}

static void test_kernels(void **state)
{
    (void)state;
    assert_true(kr_mod(-3.0, 1.4) == -3.0 - floor(-3.0 / 1.4) * 1.4);
    assert_true(kr_rem(-7.0, 2.0) == -1.0 && kr_div(-7.0, 2.0) == -3.0);
    assert_true(kr_sign(-0.0) == 0.0 && kr_sign(-2.0) == -1.0);
    assert_true(kr_powi(3.0, 5) == 243.0 && kr_powi(2.0, -2) == 0.25 && kr_powi(7.0, 0) == 1.0);
    assert_true(kr_pow(2.0, 0.5) == pow(2.0, 0.5));
}

static void test_stack(void **state)
{
    (void)state;
    Fixture f = {
        .block = {log_residual, log_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 3);
    for (int round = 0; round < 3; round++) {
        int mark = kr_mark(f.m);
        for (int i = 0; i < 40; i++) {
            double *p = kr_alloc(f.m, 1000 * (1 + i % 3 * (round + 4)));
            assert_non_null(p);
            p[999] = i;
        }
        kr_release(f.m, mark);
    }
    assert_int_equal(kr_mark(f.m), 0);
    assert_null(kr_alloc(f.m, 2000000000));
    assert_int_equal(f.m->status, MODEL_NO_MEMORY);
    close_fixture(&f);
}

/* ---- rescues: (x/s)^3 - 2 x/s + 2 = 0 with x = v1, s = v2. Newton's method ends at the minimum
 * 0.816 s, the only root lies at -1.769 s ---- */

static const double CUBIC_ROOT = -1.7692923542386314;

static void cubic_residual(ModelData *m)
{
    double u = m->v[1] / m->v[2];
    m->r[0] = u * u * u - 2 * u + 2;
}

static void cubic_tangent(ModelData *m)
{
    double u = m->v[1] / m->v[2];
    m->r[0] = (3 * u * u - 2) * m->dv[1] / m->v[2];
}

static void open_cubic(Fixture *f, double scale)
{
    *f = (Fixture){
        .block = {cubic_residual, cubic_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(f, 4);
    f->m->v[2] = scale;
    f->m->event = 1;
}

/* The curve from the start to the root turns back in λ twice. */
static void test_homotopy(void **state)
{
    (void)state;
    Fixture f;
    open_cubic(&f, 1e5);
    assert_int_equal(solve_iterate(f.rt, &f.rt->blocks[0], true), MODEL_NO_CONVERGENCE);
    assert_int_equal(rescue_by_homotopy(f.rt, &f.rt->blocks[0]), MODEL_OK);
    assert_true(fabs(f.m->v[1] / 1e5 - CUBIC_ROOT) < 1e-9);
    assert_true(f.rt->shift_by == 0.0);
    close_fixture(&f);
}

/* No root: the curve is followed to its limits, and the failure is reported. */
static void no_root(ModelData *m)
{
    m->r[0] = m->v[1] * m->v[1] + 1.0;
}

static void no_root_tangent(ModelData *m)
{
    m->r[0] = 2 * m->v[1] * m->dv[1];
}

static void test_no_root(void **state)
{
    (void)state;
    Fixture f = {
        .block = {no_root, no_root_tangent, NULL, ONE_TO_THREE, 1, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 4);
    f.m->event = 1;
    f.m->v[1] = 0.3;
    assert_int_not_equal(kr_solve(f.m, 0), MODEL_OK);
    assert_int_not_equal(rescue_by_homotopy(f.rt, &f.rt->blocks[0]), MODEL_OK);
    close_fixture(&f);
}

/* From start values that are far off. */
static void test_far_start(void **state)
{
    (void)state;
    Fixture f = {
        .block = {curve_residual, curve_tangent, NULL, ONE_TO_THREE, 2, 0, 0, 0, NULL, NULL, 0}};
    open_fixture(&f, 4);
    Block *b = &f.rt->blocks[0];
    f.m->event = 1;
    f.m->v[3] = 4.0;
    b->good[0] = 8.0;
    b->good[1] = -5.0;
    b->has_good = true;
    assert_int_equal(kr_solve(f.m, 0), MODEL_OK);
    double x = f.m->v[1], y = f.m->v[2];
    assert_true(fabs(x * x + y * y - 4.0) < 1e-9 && fabs(exp(x) + y - 1.0) < 1e-9);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_nonlinear),
        cmocka_unit_test(test_damping_and_bounds),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_no_mixed),
        cmocka_unit_test(test_relations),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_min_norm),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_bad_start),
        cmocka_unit_test(test_homotopy),
        cmocka_unit_test(test_no_root),
        cmocka_unit_test(test_far_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

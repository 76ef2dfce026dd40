/* Columns chosen for a basis, against trying all of them; the first step of integrators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numerics/column_basis.h"
#include "numerics/dense.h"
#include "numerics/linear_systems.h"
#include "sim/solver/solver.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { M = 2, N = 6 };

static double determinant(const double *a, uint32_t i, uint32_t j)
{
    return fabs(a[i] * a[N + j] - a[j] * a[N + i]);
}

static double random_entry(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(int32_t)*seed / 0x1p31;
}

/* No exchange of one column enlarges the determinant by more than one percent. */
static void no_exchange_is_better(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int turn = 0; turn < 200; turn++) {
        double a[M * N], copy[M * N];
        uint32_t basis[M];
        for (int i = 0; i < M * N; i++)
            a[i] = copy[i] = random_entry(&seed);
        assert_int_equal(columns_choose(copy, M, N, basis, true, 1), COLUMNS_CHANGED);
        double chosen = determinant(a, basis[0], basis[1]);
        for (uint32_t j = 0; j < N; j++) {
            assert_true(determinant(a, basis[0], j) <= 1.0101 * chosen);
            assert_true(determinant(a, j, basis[1]) <= 1.0101 * chosen);
        }
    }
}

/* A basis stays while the others are better by no more than the slack. */
static void slack_keeps_a_basis(void **state)
{
    (void)state;
    const double a[M * N] = {1, 0, 2, 0, 0, 0, 0, 1, 0, 3, 0, 0};
    double copy[M * N];
    uint32_t basis[M] = {0, 1};
    memcpy(copy, a, sizeof a);
    assert_int_equal(columns_choose(copy, M, N, basis, false, 4), COLUMNS_KEPT);
    assert_true(basis[0] == 0 && basis[1] == 1);
    memcpy(copy, a, sizeof a);
    assert_int_equal(columns_choose(copy, M, N, basis, false, 2.5), COLUMNS_CHANGED);
    assert_true(basis[0] == 2 && basis[1] == 3);
}

static void rows_that_depend_on_each_other(void **state)
{
    (void)state;
    double a[M * N] = {1, 2, 3, 4, 5, 6, 2, 4, 6, 8, 10, 12};
    uint32_t basis[M] = {0, 1};
    assert_int_equal(columns_choose(a, M, N, basis, true, 1), COLUMNS_SINGULAR);
    double zero[M * N] = {0};
    assert_int_equal(columns_choose(zero, M, N, basis, true, 1), COLUMNS_SINGULAR);
}

/* ---- steps ---- */

static int decay(void *user, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = -*(const double *)user * x[0];
    return 0;
}

static double first_step_of(double rate, double span, double kept)
{
    const double atol = 1e-6;
    double x = 1, dx, w1, w2;
    Problem p = {.n = 1, .f = decay, .rtol = 1e-6, .atol = &atol, .user = &rate};
    FirstStep first = {span, kept, 4};
    decay(&rate, 0, &x, &dx);
    return solver_restart_step(&p, 0, &x, &dx, &first, &w1, &w2);
}

/* The first step scales with the time constant and stays within the span, which does not count
 * otherwise. */
static void first_steps(void **state)
{
    (void)state;
    double h = first_step_of(1, 100, 0);
    assert_true(h > 1e-4 && h < 1);
    assert_true(first_step_of(1, 1e-5, 0) <= 1e-5);
    for (double rate = 1e-9; rate < 1e16; rate *= 1e3) {
        assert_true(fabs(first_step_of(rate, 100 / rate, 0) * rate / h - 1) < 1e-6);
        assert_true(fabs(first_step_of(rate, 1e5 / rate, 0) * rate / h - 1) < 0.1);
    }
    assert_true(first_step_of(1e3, 100, 1e-9) == 1e-9);
}

/* A step that nearly ends at the limit ends there. */
static void steps_end_at_limits(void **state)
{
    (void)state;
    assert_true(solver_step_end(1, 0.5, 2) == 1.5);
    assert_true(solver_step_end(1, 1.5, 2) == 2);
    assert_true(solver_step_end(1, 1 - 1e-9, 2) == 2);
    assert_true(solver_resolution(1e6) > nextafter(1e6, 2e6) - 1e6);
}

static void norms_count_in_tolerances(void **state)
{
    (void)state;
    const double atol[] = {1e-3, 1e-3}, x[] = {1, 0}, v[] = {2e-3, 1e-3};
    Problem p = {.n = 2, .rtol = 1e-3, .atol = atol};
    assert_true(fabs(solver_norm(&p, v, x) - 1) < 1e-12); /* 2e-3/2e-3 and 1e-3/1e-3 */
}

/* All vectors that a matrix of rank 1 sends to zero. */
static void null_spaces(void **state)
{
    (void)state;
    const double a[9] = {1, 2, 3, 2, 4, 6, -1, -2, -3}; /* by columns */
    double copy[9], basis[9];
    uint32_t column[3];
    memcpy(copy, a, sizeof copy);
    assert_int_equal(dense_null_space(3, copy, DENSE_SINGULAR, basis, column), 2);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int j = 0; j < 3; j++)
                sum += a[3 * j + i] * basis[3 * c + j];
            assert_true(fabs(sum) < 1e-14);
        }
    assert_true(fabs(basis[0] * basis[4] - basis[1] * basis[3]) +
                    fabs(basis[0] * basis[5] - basis[2] * basis[3]) >
                0.1);
    double regular[4] = {1, 1, 1, 2};
    assert_int_equal(dense_null_space(2, regular, DENSE_SINGULAR, basis, column), 0);
}

/* x' = -2 x + w, z = x + u, w = z(t - 0.5), y = 3 x + w. */
static void responses_have_exact_delays(void **state)
{
    (void)state;
    double a[] = {-2}, b[] = {0, 1}, c[] = {3, 1}, d[] = {0, 1, 1, 0}, delays[] = {0.5};
    double work[12], re, im;
    LinearSystem s = {1, 2, 2, a, b, c, d};
    for (double w = 0; w < 40; w += 1.7) {
        double complex at = I * w, e = cexp(-0.5 * at), x = e / (at + 2 - e), y = 3 * x + e * x + e;
        assert_true(linear_response(&s, delays, 1, 0, 0, w, 0, work, &re, &im));
        assert_true(cabs(y - (re + I * im)) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_exchange_is_better),
        cmocka_unit_test(slack_keeps_a_basis),
        cmocka_unit_test(rows_that_depend_on_each_other),
        cmocka_unit_test(first_steps),
        cmocka_unit_test(steps_end_at_limits),
        cmocka_unit_test(norms_count_in_tolerances),
        cmocka_unit_test(null_spaces),
        cmocka_unit_test(responses_have_exact_delays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

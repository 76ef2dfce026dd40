/* Tolerances of states that crossing functions magnify, for linear crossing functions z = Ax. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/event/event_tolerances.h"

#include <math.h>

enum { N = 3, N_Z = 2 };

typedef struct Host {
    double a[N_Z][N];
    unsigned evaluations;
    int status;
} Host;

static int evaluate(void *user, const double *x, double *z)
{
    Host *h = user;
    h->evaluations++;
    for (int i = 0; i < N_Z; i++) {
        z[i] = 0;
        for (int k = 0; k < N; k++)
            z[i] += h->a[i][k] * x[k];
    }
    return h->status;
}

static const double usual[N] = {1e-6, 2e-6, 1e-3}, allowed[N_Z] = {1e-6, 1e-4};
static const double x[N] = {0, 0, 0};

static EventTolerances *begin(Arena *arena, Host *h)
{
    ToleranceSizes sizes = {.n = N, .atol = usual, .rtol = 1, .n_z = N_Z, .z = allowed};
    return event_tolerances_new(arena, sizes, (ToleranceHost){h, evaluate});
}

static void check_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * expected);
}

/* Answers of at most ten tolerances leave everything as it is. */
static void small_answers(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host h = {.a = {{2, 1, 0}, {0, 0, 0.5}}};
    EventTolerances *w = begin(arena, &h);
    assert_memory_equal(event_tolerances_of(w, 1, x), usual, sizeof usual);
    assert_int_equal(h.evaluations, 2);
    assert_false(event_tolerances_raise(w));
    arena_free(arena);
}

/* z0 moves by 1e9*1e-6 = 1e3, which is 1e9 times what it may: ten times that is left. */
static void large_answers(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host h = {.a = {{1e9, 1, 0}, {0, 0, 100}}};
    EventTolerances *w = begin(arena, &h);
    const double *atol = event_tolerances_of(w, 1, x);
    check_near(atol[0], 1e-6 * 10 / 1e9);
    check_near(atol[1], 2e-6);
    check_near(atol[2], 1e-3 * 10 / (100 * 1e-3 / 1e-4));
    assert_int_equal(h.evaluations, 2 + N);
    arena_free(arena);
}

/* Two states that cancel in z when they move alike do not escape. */
static void differences(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host h = {.a = {{2e6, -1e6, 0}}};
    EventTolerances *w = begin(arena, &h);
    const double *atol = event_tolerances_of(w, 1, x);
    assert_true(atol[0] < usual[0] && atol[1] < usual[1]);
    arena_free(arena);
}

/* A combination is examined once. If another one replaces it, it becomes unknown. */
static void combinations(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host h = {.a = {{1, 0, 0}}};
    EventTolerances *w = begin(arena, &h);
    event_tolerances_of(w, 5, x);
    event_tolerances_of(w, 6, x);
    event_tolerances_of(w, 5, x);
    assert_int_equal(h.evaluations, 4);
    event_tolerances_of(w, 5 + 64, x);
    event_tolerances_of(w, 5, x);
    assert_int_equal(h.evaluations, 8);
    arena_free(arena);
}

static void failures(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host failing = {.a = {{1e9, 0, 0}}, .status = 1}, infinite = {.a = {{INFINITY, 0, 0}}};
    EventTolerances *w = begin(arena, &failing), *v = begin(arena, &infinite);
    assert_memory_equal(event_tolerances_of(w, 1, x), usual, sizeof usual);
    assert_memory_equal(event_tolerances_of(v, 1, x), usual, sizeof usual);
    arena_free(arena);
}

/* Ten times with each failed step, up to the usual ones. */
static void raising(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Host h = {.a = {{2.5e3, 0, 0}}}; /* the answer is 2500: 1/250 of the usual tolerance */
    EventTolerances *w = begin(arena, &h);
    assert_false(event_tolerances_raise(w));
    check_near(event_tolerances_of(w, 1, x)[0], 4e-9);
    for (double expected = 4e-8; expected < 1e-5; expected *= 10) {
        assert_true(event_tolerances_raise(w));
        check_near(event_tolerances_of(w, 1, x)[0], fmin(expected, 1e-6));
    }
    assert_false(event_tolerances_raise(w));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_answers), cmocka_unit_test(large_answers),
        cmocka_unit_test(differences),   cmocka_unit_test(combinations),
        cmocka_unit_test(failures),      cmocka_unit_test(raising),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

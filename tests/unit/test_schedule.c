/* The schedule of time events: clocks by their next instant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/event/schedule.h"

#include <math.h>
#include <stdlib.h>

static Schedule *new_schedule(Arena *arena, uint32_t n)
{
    Schedule *c = ARENA_NEW(arena, Schedule);
    c->clocks = ARENA_ARRAY(arena, Clock, n);
    c->heap = ARENA_ARRAY(arena, uint32_t, n);
    c->samples = ARENA_ARRAY(arena, uint32_t, n);
    c->fired = ARENA_ARRAY(arena, uint32_t, n);
    c->relations = ARENA_ARRAY(arena, uint32_t, n);
    c->instants = ARENA_ARRAY(arena, double, n);
    return c;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All instants up to `until`, sorted: by computing and sorting them all. */
static uint32_t list_instants(const SampleKey *keys, uint32_t n, double until, double *at)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; keys[i].start + k * keys[i].interval <= until; k++)
            at[count++] = keys[i].start + k * keys[i].interval;
    qsort(at, count, sizeof *at, compare);
    return count;
}

/* The order of many clocks against sorting, and instants that differ only by rounding are one. */
static void test_order(void **state)
{
    (void)state;
    enum { N = 5, MOST = 1000 };
    SampleKey keys[N] = {{0, 0.3, 0}, {0.1, 0.2, 1}, {0.05, 0.7, 2}, {0, 1, 3}, {0.02, 0.11, 4}};
    double at[MOST];
    uint32_t n = list_instants(keys, N, 10, at), seen = 0, ticks = 0;
    Arena *arena = arena_new();
    Schedule *c = new_schedule(arena, N);
    schedule_set_clocks(c, keys, N, 0);
    while (seen < n) {
        double t = schedule_next(c);
        assert_true(fabs(t - at[seen]) < 1e-12);
        assert_true(schedule_due(c, t));
        assert_false(schedule_due(c, t - 1e-6));
        schedule_tick(c, t);
        for (double first = at[seen]; seen < n && at[seen] - first < 1e-9; seen++)
            ticks++;
        assert_true(schedule_next(c) > t + 1e-9);
        uint64_t fired = 0;
        for (uint32_t i = 0; i < c->n_clocks; i++)
            fired += c->clocks[i].fired;
        assert_int_equal(fired, ticks);
    }
    arena_free(arena);
}

/* Samples with equal start and interval share a clock. */
static void test_groups(void **state)
{
    (void)state;
    SampleKey keys[] = {{0, 0.5, 0}, {0, 0.2, 1}, {0, 0.5, 2}};
    Arena *arena = arena_new();
    Schedule *c = new_schedule(arena, 3);
    schedule_set_clocks(c, keys, 3, 0);
    assert_int_equal(c->n_clocks, 2);
    schedule_tick(c, 0);
    assert_int_equal(c->n_fired, 2);
    assert_true(schedule_next(c) == 0.2);
    schedule_tick(c, 0.2);
    assert_int_equal(c->n_fired, 1);
    assert_int_equal(c->clocks[c->fired[0]].n, 1);
    arena_free(arena);
}

/* A run that begins later: instants before it are over, one just then is not. */
static void test_late_start(void **state)
{
    (void)state;
    SampleKey keys[] = {{0, 0.5, 0}, {0.05, 1, 1}};
    Arena *arena = arena_new();
    Schedule *c = new_schedule(arena, 2);
    schedule_set_clocks(c, keys, 2, 1.5);
    assert_true(schedule_next(c) == 1.5);
    schedule_tick(c, 1.5);
    assert_true(schedule_next(c) == 2);
    schedule_tick(c, 2);
    assert_true(fabs(schedule_next(c) - 2.05) < 1e-15);
    arena_free(arena);
}

static void test_relations(void **state)
{
    (void)state;
    SampleKey keys[] = {{1, 1, 0}};
    Arena *arena = arena_new();
    Schedule *c = new_schedule(arena, 1);
    assert_true(isinf(schedule_next(c)));
    schedule_set_clocks(c, keys, 1, 0);
    c->n_relations = 1;
    c->instants[0] = 0.25;
    assert_true(schedule_next(c) == 0.25);
    c->instants[0] = INFINITY;
    assert_true(schedule_next(c) == 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_late_start),
        cmocka_unit_test(test_relations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

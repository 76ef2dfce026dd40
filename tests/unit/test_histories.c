/* Histories of delays and profiles of transports, for polynomials, which both hold exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/model.h"

#include <math.h>

typedef struct World {
    ModelCode code;
    RuntimeVar var;
    RuntimeRelation relation;
    Runtime *rt;
    ModelData *m;
} World;

static void begin(World *w)
{
    *w = (World){.code = {.n_vars = 1, .abi = MODEL_ABI}, .var = {1, -INFINITY, INFINITY}};
    w->rt = runtime_new(&w->code, &w->var, &w->relation, 0, 1e-6);
    assert_non_null(w->rt);
    w->m = runtime_data(w->rt);
}

static void check_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

/* ---- delays ---- */

static double cubic(double t)
{
    return t * t * t - 2 * t;
}

static void record(World *w, double t0, double t1, double (*f)(double t))
{
    double values[DELAY_NODES];
    for (int i = 0; i < DELAY_NODES; i++)
        values[i] = f(t0 + (t1 - t0) * delay_nodes[i]);
    assert_true(delay_append(w->rt, 0, t0, t1, values));
}

static void begin_delay(World *w, double value, double longest)
{
    begin(w);
    assert_true(runtime_delays(w->rt, 1));
    delay_start(w->rt, 0, 0, value, longest, 1e-12);
}

/* Values and derivatives at any time of the past; before the start the value is constant. */
static void delays_are_exact(void **state)
{
    (void)state;
    World w;
    begin_delay(&w, cubic(0), 5);
    for (int i = 0; i < 8; i++)
        record(&w, 0.5 * i, 0.5 * (i + 1), cubic);
    for (double at = 0.05; at < 4; at += 0.13) {
        check_near(kr_delay(w.m, 0, 0, 4, 4 - at), cubic(at));
        check_near(kr_delay(w.m, 1, 0, 4, 4 - at), 3 * at * at - 2);
        check_near(kr_delay(w.m, 2, 0, 4, 4 - at), 6 * at);
    }
    check_near(kr_delay(w.m, 0, 0, 4, 4.5), cubic(0));
    check_near(kr_delay(w.m, 1, 0, 4, 4.5), 0);
    assert_int_equal(w.m->status, 0);
    runtime_free(w.rt);
}

static double after_jump(double t)
{
    return 10 + t;
}

/* Up to a break values are those before it, until it passes. */
static void breaks_wait(void **state)
{
    (void)state;
    World w;
    begin_delay(&w, cubic(0), 5);
    record(&w, 0, 1, cubic);
    assert_true(isinf(delay_next_break(w.rt, 0)));
    assert_true(delay_break(w.rt, 0, 1, after_jump(1), true));
    record(&w, 1, 2, after_jump);
    check_near(delay_next_break(w.rt, 0), 1);
    check_near(kr_delay(w.m, 0, 0, 2, 1.25), cubic(0.75));
    check_near(kr_delay(w.m, 0, 0, 2, 1), cubic(1));
    assert_false(delay_pass(w.rt, 0, 0.5));
    assert_true(delay_pass(w.rt, 0, 1));
    assert_true(isinf(delay_next_break(w.rt, 0)));
    check_near(kr_delay(w.m, 0, 0, 2, 1), after_jump(1));
    check_near(kr_delay(w.m, 0, 0, 2, 0.5), after_jump(1.5));
    runtime_free(w.rt);
}

/* Old steps are dropped, and those within reach stay. */
static void long_histories(void **state)
{
    (void)state;
    World w;
    begin_delay(&w, cubic(0), 1);
    for (int i = 0; i < 5000; i++)
        record(&w, 0.01 * i, 0.01 * (i + 1), cubic);
    for (double delay = 0.003; delay < 1; delay += 0.07)
        check_near(kr_delay(w.m, 0, 0, 50, delay), cubic(50 - delay));
    kr_delay(w.m, 0, 0, 50, 1.5); /* longer than the longest */
    assert_int_equal(w.m->failed_assert, FAILED_DELAY);
    runtime_free(w.rt);
}

/* A delay shorter than the step: the parabola between the history and the present value. */
static void delays_within_the_step(void **state)
{
    (void)state;
    World w;
    begin_delay(&w, 0, 5);
    record(&w, 0, 1, cubic);
    double now = cubic(1) + 1 * 0.5 + 2 * 0.25; /* y = y(1) + y'(1)*h + 2*h², h = 0.5 */
    check_near(kr_delay_to(w.m, 0, 0, 1.5, 0.3, now), cubic(1) + 1 * 0.2 + 2 * 0.04);
    check_near(kr_delay_to(w.m, 1, 0, 1.5, 0.3, now), 1 + 4 * 0.2);
    check_near(kr_delay_to(w.m, 0, 0, 1.5, 0.75, now), cubic(0.75));
    check_near(kr_delay_to(w.m, 0, 0, 1.5, 0, now), now);
    runtime_free(w.rt);
}

/* ---- transports ---- */

static void move(World *w, double x0, double x1, double (*in0)(double x), double (*in1)(double x))
{
    double x[DELAY_NODES], low[DELAY_NODES], high[DELAY_NODES];
    for (int i = 0; i < DELAY_NODES; i++) {
        x[i] = x0 + (x1 - x0) * delay_nodes[i];
        low[i] = in0(x[i]);
        high[i] = in1(x[i]);
    }
    assert_true(transport_append(w->rt, 0, x, low, high));
}

/* The profile is z at first. */
static void begin_transport(World *w)
{
    begin(w);
    assert_true(runtime_transports(w->rt, 1));
    assert_true(transport_start(w->rt, 0, 0, (double[]){0, 1}, (double[]){0, 1}, 2));
    transport_break(w->rt, 0, true, true);
}

/* The initial profile leaves at 1, then the value that entered at 0 arrives as a jump. */
static void carried_forward(void **state)
{
    (void)state;
    World w;
    begin_transport(&w);
    check_near(transport_next_break(w.rt, 0, 1), 1); /* the jump at 0 has the whole way to go */
    for (int i = 0; i < 4; i++) {
        move(&w, 0.25 * i, 0.25 * (i + 1), after_jump, cubic);
        if (i < 3)
            check_near(kr_carried(w.m, 0, 0, 1, 0.25 * (i + 1)), 1 - 0.25 * (i + 1));
    }
    check_near(transport_next_break(w.rt, 0, 1), 1);
    check_near(kr_carried(w.m, 0, 0, 1, 1), 0);
    assert_true(transport_pass(w.rt, 0, 1));
    check_near(kr_carried(w.m, 0, 0, 1, 1), after_jump(0));
    move(&w, 1, 1.5, after_jump, cubic);
    check_near(kr_carried(w.m, 0, 0, 1, 1.5), after_jump(0.5));
    check_near(kr_carried(w.m, 0, 0, 0, 1.5), after_jump(1.5));
    runtime_free(w.rt);
}

/* Back and forth: values leave again at the end where they entered. */
static void carried_back(void **state)
{
    (void)state;
    World w;
    begin_transport(&w);
    move(&w, 0, 0.5, after_jump, cubic);
    move(&w, 0.5, 0.2, after_jump, cubic);
    check_near(kr_carried(w.m, 0, 0, 0, 0.2), after_jump(0.2));
    check_near(kr_carried(w.m, 0, 0, 1, 0.2), cubic(0.2));
    check_near(transport_next_break(w.rt, 0, 0), 0); /* the jump at x = 0 */
    runtime_free(w.rt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays_are_exact), cmocka_unit_test(breaks_wait),
        cmocka_unit_test(long_histories),   cmocka_unit_test(delays_within_the_step),
        cmocka_unit_test(carried_forward),  cmocka_unit_test(carried_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

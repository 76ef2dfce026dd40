/* Parts of a run that change its motion: surfaces that are held and left, rest after impacts,
 * states that are exchanged. The numbers are computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "start_text.h"

#include "sim/event/locator.h"
#include "sim/modes/modes.h"
#include "sim/sliding/surfaces.h"
#include "sim/state/evaluate.h"

#include <math.h>

static void advance(Started *w, double until)
{
    w->options.stop = fmax(w->options.stop, until);
    assert_true(sim_advance(w->s, until, false));
}

static VarId var_of(Started *w, const char *name)
{
    for (VarId v = 0; v < program_n_model_vars(w->s->prog); v++)
        if (!strcmp(name_in_plan(&w->model, v), name))
            return v;
    fail_msg("no variable %s", name);
    return 0;
}

static double value(Started *w, const char *name)
{
    const double *v = sim_values(w->s);
    assert_non_null(v);
    double sign;
    VarId var = resolve_alias(w->s->prog, var_of(w, name), &sign);
    return sign * v[var];
}

static uint32_t n_held(const Started *w)
{
    const Sliding *held = w->s->prog->sliding;
    return held ? held->n : 0;
}

/* ---- sliding ---- */

/* Below the surface x grows by 1 + 2t, above it by 2t - 1. Both lead to it until t = 1/2; the
 * mixture u (2t - 1) + (1 - u) (2t + 1) is zero for u = 1/2 + t. Then x = (t - 1/2)^2. */
static void a_surface_is_held_and_left(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  Real x(start = -0.03, fixed = true);\n"
                   "equation\n"
                   "  der(x) = (if x > 0 then -1 else 1) + 2*time;\n"
                   "end M;\n");
    assert_int_equal(n_held(&w), 0);
    advance(&w, 0.25);
    assert_int_equal(n_held(&w), 1);
    check_near(value(&w, "x"), 0, 1e-8);
    const SlidingSurface *h = &w.s->prog->sliding->at[0];
    assert_false(h->rest);
    assert_int_equal(h->degree, 1);
    check_near(h->u, 0.75, 1e-6);
    assert_true(w.s->locator->suspended[0]);
    advance(&w, 0.49);
    assert_int_equal(n_held(&w), 1);
    advance(&w, 0.51);
    assert_int_equal(n_held(&w), 0);
    assert_false(w.s->locator->suspended[0]);
    advance(&w, 1);
    check_near(value(&w, "x"), 0.25, 1e-5);
    started_end(&w);
}

/* Another program has other states: all surfaces are dropped, and their relations watched. */
static void surfaces_are_dropped(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  Real x(start = -0.01, fixed = true), y(start = 0.02, fixed = true);\n"
                   "equation\n"
                   "  der(x) = if x > 0 then -1 else 1;\n"
                   "  der(y) = if y > 0 then -2 else 1;\n"
                   "end M;\n");
    advance(&w, 0.5);
    assert_int_equal(n_held(&w), 2);
    w.s->run.restart = false;
    sliding_clear(w.s->prog, w.s->locator);
    assert_int_equal(n_held(&w), 0);
    assert_true(w.s->run.restart);
    for (uint32_t k = 0; k < w.s->locator->n; k++)
        assert_false(w.s->locator->suspended[k]);
    started_end(&w);
}

/* ---- rest ---- */

/* Falls by 2 from 1, for 1 s; bounces with 1/2 of the speed 2: flights of 1, 1/2, 1/4 ... s. They
 * end at t = 1 + 2 = 3. Then the floor holds the ball against its acceleration: u = 2. */
static void bounces_end_in_rest(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                   "equation\n"
                   "  der(h) = v;\n"
                   "  der(v) = -2;\n"
                   "  when h < 0 then reinit(v, -0.5*pre(v)); end when;\n"
                   "end M;\n");
    advance(&w, 2.9);
    assert_int_equal(n_held(&w), 0);
    advance(&w, 3.5);
    assert_int_equal(n_held(&w), 1);
    const SlidingSurface *h = &w.s->prog->sliding->at[0];
    assert_true(h->rest);
    assert_int_equal(h->degree, 2);
    check_near(value(&w, "h"), 0, 1e-6);
    check_near(value(&w, "v"), 0, 1e-6);
    double force = 0;
    for (uint32_t i = 0; i < w.s->prog->n; i++)
        force = fmax(force, fabs(h->u * h->direction[i]));
    check_near(force, 2, 1e-4);
    started_end(&w);
}

/* ---- state sets ---- */

/* The candidate that a state of the program represents. */
static bool is_state(Started *w, const char *name)
{
    const ModeProgram *p = w->s->prog;
    for (uint32_t i = 0; i < p->n; i++)
        if (program_stands_for(p, p->plan->states.at[i].var) == var_of(w, name))
            return true;
    return false;
}

/* The length of a pendulum constrains x and y by x x' + y y' = 0. The equation is solved for the
 * derivative with the larger factor: for x' while the pendulum is near the horizontal, so that y is
 * the state; near the vertical the other way round. From the horizontal it falls to the vertical in
 * K(1/2)/sqrt(g) = 1.854/sqrt(9.81) = 0.592 s. */
static void states_are_exchanged(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  Real x(start = 1, fixed = true), y(start = 0), vx, vy, F;\n"
                   "initial equation\n"
                   "  vy = 0;\n"
                   "equation\n"
                   "  der(x) = vx; der(y) = vy;\n"
                   "  der(vx) = -F*x; der(vy) = -F*y - 9.81;\n"
                   "  x^2 + y^2 = 1;\n"
                   "end M;\n");
    if (w.s->prog->plan->sets.n == 0)
        fail_msg("no state set");
    assert_true(is_state(&w, "y"));
    assert_false(is_state(&w, "x"));
    advance(&w, 0.592);
    assert_true(is_state(&w, "x"));
    assert_false(is_state(&w, "y"));
    assert_true(w.s->run.stats->set_changes > 0);
    check_near(value(&w, "x"), 0, 2e-3);
    check_near(value(&w, "vx"), -sqrt(2 * 9.81), 1e-3);
    started_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_is_held_and_left),
        cmocka_unit_test(surfaces_are_dropped),
        cmocka_unit_test(bounces_end_in_rest),
        cmocka_unit_test(states_are_exchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

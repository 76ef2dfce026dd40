/* Bounds of crossing functions over steps in which the one state is x = t, or ahead of it. The
 * dense output is put in place of a solver's, so that every range is known.
 *
 * A step from a to b has the range [a, b] of x. It is widened by its width on both sides. A box
 * reaches `grow` steps further in time, and as many widths further in x. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "start_text.h"

#include "sim/event/crossing_bounds.h"

typedef struct Fixture {
    Started run;
    Solver line, *own;
    CrossingBounds *w;
} Fixture;

static double ahead; /* x - t */

static void dense(Solver *s, double t, double *x)
{
    (void)s;
    x[0] = t + ahead;
}

/* A model with this relation, which may use k = 2, y = 2 x + 1 and the solution of z^3 + z = x. */
static void open_fixture(Fixture *f, const char *relation)
{
    char text[400];
    snprintf(text, sizeof text,
             "model M\n"
             "  parameter Real k = 2;\n"
             "  Real x(start = 0, fixed = true), y, z;\n"
             "  Boolean b;\n"
             "equation\n"
             "  der(x) = 1;\n"
             "  y = 2*x + 1;\n"
             "  z^3 + z = x;\n"
             "  b = %s;\n"
             "end M;\n",
             relation);
    start_text(&f->run, text);
    ModeProgram *prog = f->run.s->prog;
    assert_int_equal(f->run.s->locator->n, 1);
    ahead = 0;
    f->line = (Solver){.dense = dense};
    f->own = prog->solver;
    prog->solver = &f->line;
    f->w = prog->bounds;
    assert_non_null(f->w);
    bounds_restart(f->w);
}

static void close_fixture(Fixture *f)
{
    f->run.s->prog->solver = f->own;
    started_end(&f->run);
}

static bool step(Fixture *f, double t0, double t1)
{
    f->run.s->prog->x[0] = t0 + ahead;
    return bounds_exclude_step(f->w, t0, t1);
}

/* The first three steps after an event are not bounded, the fourth is, from t + 0.3 to t + 0.4. */
static bool fourth_step_from(Fixture *f, double t)
{
    for (int i = 0; i < 3; i++) {
        assert_false(step(f, t + 0.1 * i, t + 0.1 * (i + 1)));
        assert_false(bounds_exclude(f->w, 0));
    }
    return step(f, t + 0.3, t + 0.4);
}

static bool fourth_step(Fixture *f)
{
    return fourth_step_from(f, 0);
}

/* The step has x in [0.2, 0.5] and t in [0.3, 0.4]. The box is four times as much wider: x in
 * [0.2 - 4*0.3, 0.5 + 4*0.3] = [-1, 1.7], t in [0.3, 0.4 + 4*0.1] = [0.3, 0.8]. */
static void test_box_and_step(void **state)
{
    (void)state;
    static const struct Case {
        const char *relation;
        bool in_step, in_box; /* excluded there */
    } cases[] = {
        {"x > 1.75", true, true},
        {"x > 1.65", true, false},
        {"x > 0.55", true, false},
        {"x > 0.45", false, false},
        {"x < -1.05", true, true},
        {"x < -0.95", true, false},
        {"k*x > 3.45", true, true}, /* 2*1.7 = 3.4, 2*0.5 = 1 */
        {"k*x > 3.35", true, false},
        {"k*x > 0.95", false, false},
        {"y > 4.45", true, true}, /* 2*1.7 + 1 = 4.4, 2*0.5 + 1 = 2 */
        {"y > 4.35", true, false},
        {"y > 1.95", false, false},
        {"x + time > 2.55", true, true}, /* 1.7 + 0.8 = 2.5, 0.5 + 0.4 = 0.9 */
        {"x + time > 2.45", true, false},
        {"x + time > 0.95", true, false},
        {"x + time > 0.85", false, false},
        {"x*x > 2.95", true, true}, /* 1.7^2 = 2.89, 0.5^2 = 0.25 */
        {"x*x > 2.85", true, false},
        {"x*x > 0.3", true, false},
        {"x*x > 0.2", false, false},
        {"z > 100", false, false}, /* from a block: nothing is known */
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        open_fixture(&f, cases[i].relation);
        bool in_step = fourth_step(&f), in_box = bounds_exclude(f.w, 0);
        if (in_step != cases[i].in_step || in_box != cases[i].in_box)
            fail_msg("%s: step %d, box %d", cases[i].relation, in_step, in_box);
        close_fixture(&f);
    }
}

/* After a box with nothing in it, the next is eight steps wide. From 0.8 to 0.9, x is in
 * [0.7 - 8*0.3, 1 + 8*0.3] = [-1.7, 3.4]. Up to 0.8 the old one is used. */
static void test_boxes_grow(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        Fixture f;
        open_fixture(&f, beyond ? "x > 3.45" : "x > 3.35");
        assert_true(fourth_step(&f));
        assert_true(step(&f, 0.7, 0.8) && bounds_exclude(f.w, 0));
        assert_true(step(&f, 0.8, 0.9));
        assert_int_equal(bounds_exclude(f.w, 0), beyond);
        close_fixture(&f);
    }
}

/* The same if x leaves the box within its time: from 0.5 to 0.6, and 1.5 ahead, x is in [1.9, 2.2]
 * and then in [1.9 - 8*0.3, 2.2 + 8*0.3] = [-0.5, 4.6]. */
static void test_state_leaves_box(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        Fixture f;
        open_fixture(&f, beyond ? "x > 4.65" : "x > 4.55");
        assert_true(fourth_step(&f));
        ahead = 1.5;
        assert_true(step(&f, 0.5, 0.6));
        assert_int_equal(bounds_exclude(f.w, 0), beyond);
        close_fixture(&f);
    }
}

/* The box is good for its own event-free time only, and not while a surface is held. */
static void test_restart_and_hold(void **state)
{
    (void)state;
    static const MixedEvaluation any;
    Fixture f;
    open_fixture(&f, "x > 100");
    assert_true(fourth_step_from(&f, 7));
    f.run.s->prog->mixed = &any;
    assert_false(step(&f, 7.4, 7.5) || bounds_exclude(f.w, 0));
    f.run.s->prog->mixed = NULL;
    assert_true(step(&f, 7.4, 7.5) && bounds_exclude(f.w, 0));
    bounds_restart(f.w);
    assert_false(bounds_exclude(f.w, 0));
    assert_true(fourth_step_from(&f, 7));
    close_fixture(&f);
}

/* A value that events change counts as it is after the last one: with k = 4, 4*1.7 = 6.8 is more
 * than 3.45. */
static void test_fixed_values(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "k*x > 3.45");
    ModeProgram *prog = f.run.s->prog;
    for (VarId v = 0; v < program_n_vars(prog); v++)
        if (!strcmp(name_in_plan(&f.run.model, v), "k"))
            prog->v[v] = 4;
    bounds_restart(f.w);
    assert_true(fourth_step(&f));
    assert_false(bounds_exclude(f.w, 0));
    close_fixture(&f);
}

/* Pieces of a step from 0 to 1, in which x has the range [-1, 2], three wide. A piece from a to b
 * is widened by 0.25*(b - a)*3 on both sides: [0.2, 0.4] to [0.05, 0.55], [0.6, 0.9] to
 * [0.375, 1.125]. The distance of x^2 > 0.64, which is false, is 0.64 less the largest square: 0.64
 * - 0.3025 and 0.64 - 1.265625. That of 4 > x^2, which is true, is 4 less it. */
static void test_pieces(void **state)
{
    (void)state;
    for (int holds = 0; holds < 2; holds++) {
        Fixture f;
        open_fixture(&f, holds ? "4 > x*x" : "x*x > 0.64");
        assert_false(step(&f, 0, 1));
        assert_true(bounds_may_turn(f.w, 0));
        double end = holds ? 4 : 0.64;
        check_near(bounds_of_piece(f.w, 0, 0.2, 0.4), end - 0.3025, 1e-12);
        check_near(bounds_of_piece(f.w, 0, 0.6, 0.9), end - 1.265625, 1e-12);
        close_fixture(&f);
    }
}

/* Only a relation that is not affine may turn within a step, and only if it has bounds. */
static void test_may_turn(void **state)
{
    (void)state;
    static const struct Case {
        const char *relation;
        bool turns;
    } cases[] = {
        {"x > 0.5", false},       {"k*x/3 - time > 0.5", false},
        {"y > 3", false},         {"x*time > 0.5", true},
        {"sin(y) > 2", true},     {"k/(x + 3) > 5", true},
        {"k^2*x + y > 7", false}, {"z > 1", false},
        {"z*x > 1", false},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        open_fixture(&f, cases[i].relation);
        if (bounds_may_turn(f.w, 0) != cases[i].turns)
            fail_msg("%s", cases[i].relation);
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_and_step),     cmocka_unit_test(test_boxes_grow),
        cmocka_unit_test(test_state_leaves_box), cmocka_unit_test(test_restart_and_hold),
        cmocka_unit_test(test_fixed_values),     cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_may_turn),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}

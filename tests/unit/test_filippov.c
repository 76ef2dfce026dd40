/* The motion along held surfaces: mixtures that stay on them, computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "start_text.h"

#include "sim/sliding/surfaces.h"

typedef struct Fixture {
    Started run;
    ModeProgram *prog;
    Sliding *w;
} Fixture;

static void open_fixture(Fixture *f, const char *text)
{
    start_text(&f->run, text);
    f->prog = f->run.s->prog;
    filippov_create(f->prog);
    f->w = f->prog->sliding;
}

static void close_fixture(Fixture *f)
{
    f->w->n = 0; /* no other part of the run knows the surfaces */
    filippov_restore_values(f->prog);
    filippov_enable(f->prog, false);
    started_end(&f->run);
}

static SlidingSurface *add_surface(Fixture *f, uint32_t relation)
{
    SlidingSurface *h = &f->w->at[f->w->n++];
    *h = (SlidingSurface){.relation = relation, .degree = 1, .gap = 1, .age = 1};
    return h;
}

/* Both sides of the relation, which differ in its own value only. False: too many are coupled. */
static bool slide(Fixture *f, uint32_t relation)
{
    SlidingSurface *h = add_surface(f, relation);
    h->u = 0.5;
    h->flips = ARENA_NEW(f->prog->own, Flip);
    *h->flips = (Flip){program_relation(f->prog, relation)->var, 0, 1};
    h->n_flips = 1;
    filippov_enable(f->prog, true);
    bool joined = filippov_join(f->prog, f->w->n - 1);
    h->degree = filippov_degree(f->prog, f->w->n - 1);
    return joined;
}

static uint32_t state_of(Fixture *f, const char *name)
{
    const Plan *p = f->prog->plan;
    for (uint32_t i = 0; i < p->states.n; i++)
        if (!strcmp(name_in_plan(&f->run.model, p->states.at[i].var), name))
            return i;
    fail_msg("no state %s", name);
    return 0;
}

static void rest(Fixture *f, uint32_t relation, const char *pushed)
{
    SlidingSurface *h = add_surface(f, relation);
    h->rest = true;
    h->direction = ARENA_ARRAY(f->prog->own, double, f->prog->n);
    h->direction[state_of(f, pushed)] = 1;
    filippov_enable(f->prog, true);
    assert_true(filippov_join(f->prog, f->w->n - 1));
    h->degree = filippov_degree(f->prog, f->w->n - 1);
}

/* Controls and mixed derivatives at the present state. */
static void control(Fixture *f)
{
    assert_int_equal(filippov_control(f->prog, f->prog->run->time, f->prog->x), 0);
}

static double rate(Fixture *f, const char *state)
{
    return f->w->sum[state_of(f, state)];
}

static double mixed_value(Fixture *f, const char *name)
{
    ModeProgram *prog = f->prog;
    assert_int_equal(prog->mixed->values(prog, prog->run->time, prog->x, prog->code->outputs), 0);
    for (VarId v = 0; v < program_n_vars(prog); v++)
        if (!strcmp(name_in_plan(&f->run.model, v), name))
            return prog->v[v];
    fail_msg("no variable %s", name);
    return NAN;
}

/* -3 u + 1 (1 - u) = 0: u = 1/4, y' = 10/4 - 2*3/4 = 1, q = 100/4 + 20*3/4 = 40. */
static const char *const one_surface = "model M\n"
                                       "  Real x(start = %s, fixed = true), y, q;\n"
                                       "equation\n"
                                       "  der(x) = if x > 0 then -3 else 1;\n"
                                       "  der(y) = if x > 0 then 10 else -2;\n"
                                       "  q = if x > 0 then 100 else 20;\n"
                                       "end M;\n";

static void open_one_surface(Fixture *f, const char *x)
{
    char text[400];
    snprintf(text, sizeof text, one_surface, x);
    open_fixture(f, text);
    assert_true(slide(f, 0));
}

static void test_one_surface(void **state)
{
    (void)state;
    Fixture f;
    open_one_surface(&f, "0");
    control(&f);
    assert_int_equal(f.w->at[0].degree, 1);
    check_near(f.w->at[0].u, 0.25, 1e-9);
    check_near(rate(&f, "x"), 0, 1e-9);
    check_near(rate(&f, "y"), 1, 1e-8);
    check_near(mixed_value(&f, "q"), 40, 1e-7);
    close_fixture(&f);
}

/* Beside the surface, a pull of 2 is to give z' = -2 z: with z = 0.01, 1 - 4 u = -0.02, so the
 * applied u is 0.255. The equivalent one stays. */
static void test_pull(void **state)
{
    (void)state;
    Fixture f;
    open_one_surface(&f, "0.01");
    f.w->at[0].pull = 2;
    control(&f);
    check_near(f.w->at[0].free, 0.25, 1e-9);
    check_near(f.w->at[0].u, 0.255, 1e-7);
    check_near(rate(&f, "x"), -0.02, 1e-7);
    close_fixture(&f);
}

/* In a layer of half the width 0.1, u grows from 0 to 1 with z from -0.1 to 0.1, or falls if the
 * relation is true for negative z. The motion is x' = 1 - 4 u. Beyond ten times the half width, the
 * layer has been passed. */
static void test_layer(void **state)
{
    (void)state;
    static const struct Case {
        const char *relation;
        double x, u;
        bool passed;
    } cases[] = {
        {"x > 0", 0.05, 0.75, false}, {"x > 0", -0.08, 0.1, false}, {"x < 0", 0.05, 0.25, false},
        {"x > 0", 0.9, 1, false},     {"x > 0", 1.1, 1, true},      {"x > 0", -1.1, 0, true},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f;
        char text[400];
        snprintf(text, sizeof text,
                 "model M\n"
                 "  Real x(start = %g, fixed = true);\n"
                 "equation\n"
                 "  der(x) = if %s then -3 else 1;\n"
                 "end M;\n",
                 cases[i].x, cases[i].relation);
        open_fixture(&f, text);
        assert_true(slide(&f, 0));
        f.w->at[0].layer = 0.1;
        control(&f);
        check_near(f.w->at[0].u, cases[i].u, 1e-12);
        check_near(rate(&f, "x"), 1 - 4 * cases[i].u, 1e-12);
        assert_int_equal(f.w->at[0].passed, cases[i].passed);
        close_fixture(&f);
    }
}

/* 3 u + 1 (1 - u) = 0: u = -1/2, no mixture. The motion is that of the side with u = 0. */
static void test_no_mixture(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x;\n"
                     "equation\n"
                     "  der(x) = if x > 0 then 3 else 1;\n"
                     "end M;\n");
    assert_true(slide(&f, 0));
    control(&f);
    check_near(f.w->at[0].free, -0.5, 1e-9);
    check_near(f.w->at[0].u, 0, 0);
    check_near(rate(&f, "x"), 1, 1e-12);
    close_fixture(&f);
}

/* z = x + 2 y - 3 t moves itself: z' = x' + 2*1 - 3 = x' - 1. x' = 2 - 3 u = 1 gives u = 1/3. */
static void test_moving_surface(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, y;\n"
                     "equation\n"
                     "  der(x) = if x + 2*y > 3*time then -1 else 2;\n"
                     "  der(y) = 1;\n"
                     "end M;\n");
    assert_true(slide(&f, 0));
    control(&f);
    check_near(f.w->at[0].u, 1.0 / 3, 1e-9);
    check_near(rate(&f, "x"), 1, 1e-8);
    close_fixture(&f);
}

/* With a for x > 0 and b for y > 0: x' = 3 - 4 a + b = 0 and y' = 2 + a - 5 b = 0. From the second
 * a = 5 b - 2, in the first 3 - 20 b + 8 + b = 0: b = 11/19, a = 17/19. The sides act as a sum, so
 * there are three valuations: none, a alone, b alone. p' = 1 + 6 a - 2 b = 99/19. */
static void test_sum(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, y, p;\n"
                     "equation\n"
                     "  der(x) = 3 - (if x > 0 then 4 else 0) + (if y > 0 then 1 else 0);\n"
                     "  der(y) = 2 + (if x > 0 then 1 else 0) - (if y > 0 then 5 else 0);\n"
                     "  der(p) = 1 + (if x > 0 then 6 else 0) - (if y > 0 then 2 else 0);\n"
                     "end M;\n");
    assert_true(slide(&f, 0) && slide(&f, 1));
    control(&f);
    assert_int_equal(f.w->n_corners, 3);
    check_near(f.w->at[0].u, 17.0 / 19, 1e-8);
    check_near(f.w->at[1].u, 11.0 / 19, 1e-8);
    check_near(rate(&f, "p"), 99.0 / 19, 1e-7);
    close_fixture(&f);
}

/* x' = 1 - 2 a + a b = 0 and y' = 1 - 3 b + a b = 0: a = 3/2 b, and 1 - 3 b + 3/2 b^2 = 0, whose
 * root in [0, 1] is b = 1 - sqrt(3)/3. The sides act as a product, over four valuations.
 * p' = 10 a b = 10 (2 a - 1). The errors of a in Newton's iteration from a = b = 1/2 are 9e-3, 5e-5
 * and 1.2e-9. */
static void test_product(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, y, p;\n"
                     "equation\n"
                     "  der(x) = if x > 0 then (if y > 0 then 0 else -1) else 1;\n"
                     "  der(y) = if y > 0 then (if x > 0 then -1 else -2) else 1;\n"
                     "  der(p) = if x > 0 and y > 0 then 10 else 0;\n"
                     "end M;\n");
    assert_true(slide(&f, 0) && slide(&f, 1));
    control(&f);
    double b = 1 - sqrt(3) / 3, a = 1.5 * b;
    assert_int_equal(f.w->n_corners, 4);
    assert_int_equal(f.w->at[0].group, f.w->at[1].group);
    check_near(f.w->at[0].u, a, 1e-8);
    check_near(f.w->at[1].u, b, 1e-8);
    check_near(rate(&f, "p"), 10 * (2 * a - 1), 1e-7);
    close_fixture(&f);
}

/* x' = 1 - 2 a, y' = 3 - 4 b: a = 1/2, b = 3/4. Only the output has both, and is their product:
 * 8*3/8 = 3. A sum over single sides would be zero. */
static void test_product_of_values(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, y, q;\n"
                     "equation\n"
                     "  der(x) = if x > 0 then -1 else 1;\n"
                     "  der(y) = if y > 0 then -1 else 3;\n"
                     "  q = if x > 0 and y > 0 then 8 else 0;\n"
                     "end M;\n");
    assert_true(slide(&f, 0) && slide(&f, 1));
    control(&f);
    assert_int_equal(f.w->n_corners, 4);
    check_near(mixed_value(&f, "q"), 3, 1e-7);
    close_fixture(&f);
}

/* x'' = -3 u + 1 (1 - u) = 0: the control enters z'' first, and u = 1/4. If it moves y alone, it
 * never enters. */
static void test_degrees(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, v;\n"
                     "equation\n"
                     "  der(x) = v;\n"
                     "  der(v) = if x > 0 then -3 else 1;\n"
                     "end M;\n");
    assert_true(slide(&f, 0));
    assert_int_equal(f.w->at[0].degree, 2);
    control(&f);
    check_near(f.w->at[0].u, 0.25, 1e-6);
    close_fixture(&f);
    open_fixture(&f, "model M\n"
                     "  Real x, y;\n"
                     "equation\n"
                     "  der(x) = 1;\n"
                     "  der(y) = if x > 0 then 1 else 2;\n"
                     "end M;\n");
    assert_true(slide(&f, 0));
    assert_int_equal(f.w->at[0].degree, 0);
    close_fixture(&f);
}

/* A ball on the floor: v' = -9.81 + u and h'' = 0, so u = 9.81. With v' = 2 + u it would need a
 * pull, u = -2; the floor only pushes, and the ball leaves with v' = 2. */
static void test_rest(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        Fixture f;
        char text[400];
        snprintf(text, sizeof text,
                 "model M\n"
                 "  Real h, v; Integer n(start = 0, fixed = true);\n"
                 "equation\n"
                 "  der(h) = v;\n"
                 "  der(v) = %g;\n"
                 "  when h < 0 then n = pre(n) + 1; end when;\n"
                 "end M;\n",
                 falls ? -9.81 : 2);
        open_fixture(&f, text);
        rest(&f, 0, "v");
        assert_int_equal(f.w->at[0].degree, 2);
        control(&f);
        check_near(f.w->at[0].free, falls ? 9.81 : -2, 1e-6);
        check_near(rate(&f, "v"), falls ? 0 : 2, 1e-6);
        close_fixture(&f);
    }
}

/* The ball comes with the speed -0.3; the floor stops it. */
static void test_settle(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f,
                 "model M\n"
                 "  Real h, v(start = -0.3, fixed = true); Integer n(start = 0, fixed = true);\n"
                 "equation\n"
                 "  der(h) = v;\n"
                 "  der(v) = -9.81;\n"
                 "  when h < 0 then n = pre(n) + 1; end when;\n"
                 "end M;\n");
    rest(&f, 0, "v");
    check_near(filippov_settle(f.prog, 0), 0.3, 1e-8);
    check_near(f.prog->x[state_of(&f, "v")], 0, 1e-8);
    check_near(f.prog->x[state_of(&f, "h")], 0, 0);
    close_fixture(&f);
}

/* z = 2 x + y has the normal (2, 1)/5. With x = 1e-5 and y = 0, z = 2e-5, and the foot is
 * (1e-5 - 0.8e-5, -0.4e-5). A state that is far away stays. */
static void test_project(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        Fixture f;
        char text[400];
        double x = far ? 1 : 1e-5;
        snprintf(text, sizeof text,
                 "model M\n"
                 "  Real x(start = %g, fixed = true), y;\n"
                 "equation\n"
                 "  der(x) = if 2*x + y > 0 then -1 else 1;\n"
                 "  der(y) = 0;\n"
                 "end M;\n",
                 x);
        open_fixture(&f, text);
        assert_true(slide(&f, 0));
        filippov_project(f.prog, 0);
        check_near(f.prog->x[state_of(&f, "x")], far ? 1 : 0.2e-5, 1e-12);
        check_near(f.prog->x[state_of(&f, "y")], far ? 0 : -0.4e-5, 1e-12);
        close_fixture(&f);
    }
}

/* The gradients of relations 0, 1 and 2 are (1, 1), (2, 2) and (1, -1). */
static void test_same_surface(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x, y, q;\n"
                     "equation\n"
                     "  der(x) = if x + y > 1 then -1 else 1;\n"
                     "  der(y) = if 2*x + 2*y > 3 then -1 else 1;\n"
                     "  q = if x - y > 1 then 1 else 0;\n"
                     "end M;\n");
    assert_true(filippov_same_surface(f.prog, 0, 1));
    assert_false(filippov_same_surface(f.prog, 0, 2));
    assert_false(filippov_same_surface(f.prog, 1, 2));
    close_fixture(&f);
}

/* Seven surfaces that all multiply: 128 valuations are too many. Six are not. */
static void test_too_many(void **state)
{
    (void)state;
    Fixture f;
    open_fixture(&f, "model M\n"
                     "  Real x[7], c[7];\n"
                     "equation\n"
                     "  for i in 1:7 loop\n"
                     "    c[i] = if x[i] > 0 then -2 else 1;\n"
                     "    der(x[i]) = product(c);\n"
                     "  end for;\n"
                     "end M;\n");
    for (uint32_t i = 0; i < 6; i++)
        assert_true(slide(&f, i));
    assert_int_equal(f.w->n_corners, 64);
    assert_false(slide(&f, 6));
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_surface),    cmocka_unit_test(test_pull),
        cmocka_unit_test(test_layer),          cmocka_unit_test(test_no_mixture),
        cmocka_unit_test(test_moving_surface), cmocka_unit_test(test_sum),
        cmocka_unit_test(test_product),        cmocka_unit_test(test_product_of_values),
        cmocka_unit_test(test_degrees),        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_settle),         cmocka_unit_test(test_project),
        cmocka_unit_test(test_same_surface),   cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests_name("filippov", tests, NULL, NULL);
}

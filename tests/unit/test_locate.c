/* The event locator on functions of time, in place of a model and a solver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/event/locate.h"

#include <math.h>

typedef double Function(double t);

enum { MOST = 2 };

typedef struct Fixture {
    Arena *arena;
    Locator *l;
    Function *z[MOST];
    double fails_from;       /* evaluations at later times fail */
    double lowest, dip;      /* of a wild relation, and where */
    bool wild, excluded;     /* bounds say so */
    uint32_t triggers[MOST]; /* relations */
    uint32_t n_triggers, n_evaluations;
} Fixture;

static int evaluate(void *user, double t, double *z)
{
    Fixture *f = user;
    f->n_evaluations++;
    for (uint32_t i = 0; i < f->l->n; i++)
        z[i] = f->z[i](t);
    return t > f->fails_from;
}

static bool is_literal(void *user, uint32_t relation)
{
    (void)user, (void)relation;
    return false;
}

static bool is_excluded(void *user, double t0, double t1)
{
    (void)t0, (void)t1;
    return ((Fixture *)user)->excluded;
}

static bool may_turn(void *user, uint32_t column)
{
    (void)column;
    return ((Fixture *)user)->wild;
}

/* Exact for a function that falls to its lowest value at `dip` and rises from there. */
static double bound(void *user, uint32_t column, double a, double b)
{
    Fixture *f = user;
    return a <= f->dip && f->dip <= b ? f->lowest : fmin(f->z[column](a), f->z[column](b));
}

static void trigger(void *user, uint32_t relation, double z)
{
    (void)z;
    Fixture *f = user;
    assert_in_range(f->n_triggers, 0, MOST - 1);
    f->triggers[f->n_triggers++] = relation;
}

static void open_fixture(Fixture *f, Function *first, Function *second)
{
    const uint32_t relations[] = {0, 1};
    *f = (Fixture){.arena = arena_new(), .z = {first, second}, .fails_from = INFINITY};
    f->l = locator_new(f->arena, relations, second ? 2 : 1, MOST);
    f->l->host = (LocatorHost){f, evaluate, is_literal, is_excluded, may_turn, bound, trigger};
    f->l->tolerance = 1e-6;
    f->l->far = true; /* z at the beginning is not known yet */
    locator_select_all(f->l);
    for (uint32_t k = 0; k < f->l->n; k++) {
        f->l->scale[k] = 1;
        f->l->shift[k] = f->l->full[k] = 1e-10;
        f->l->side[k] = f->z[k](0) > 0 ? 1 : -1;
    }
}

static void close_fixture(Fixture *f)
{
    arena_free(f->arena);
}

static double cosine(double t)
{
    return cos(t);
}

/* To the resolution of time, and not before the zero. */
static void test_crossing(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cosine, NULL);
    assert_int_equal(locator_find(f.l, 0, 3, &te), LOCATED_EVENT);
    assert_true(fabs(te - acos(0)) < 1e-13 && cos(te) <= 0);
    assert_int_equal(f.n_triggers, 1);
    assert_in_range(f.n_evaluations, 5, 20);
    close_fixture(&f);
}

static void test_no_crossing(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cosine, NULL);
    assert_int_equal(locator_find(f.l, 0, 1.5, &te), LOCATED_NONE);
    assert_int_equal(f.n_triggers, 0);
    close_fixture(&f);
}

static double parabola(double t)
{
    return (t - 0.5) * (t - 0.5) - 1e-4;
}

/* Positive at all points that are sampled. */
static void test_there_and_back(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, parabola, NULL);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.49) < 1e-12);
    close_fixture(&f);
}

static double valley(double t)
{
    return 1 - 1e-5 - cos(2.5 * (t - 0.43));
}

/* The cubic through the samples has its minimum beside the valley. */
static void test_curved(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, valley, NULL);
    f.l->tolerance = 1e-3; /* the samples are good enough */
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - (0.43 - acos(1 - 1e-5) / 2.5)) < 1e-12);
    close_fixture(&f);
}

static const double depth = 1e-9;

static double lopsided(double t)
{
    double x = 6 * (t - 0.43);
    return exp(x) - 1 - x - depth;
}

/* The valley is a hundred-thousandth of the step wide, and steeper on one side. */
static void test_lopsided(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN, x = -sqrt(2 * depth);
    for (int i = 0; i < 3; i++) /* Newton's method for the left zero */
        x -= (expm1(x) - x - depth) / expm1(x);
    open_fixture(&f, lopsided, NULL);
    f.l->tolerance = 1; /* the samples are good enough */
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - (0.43 + x / 6)) < 1e-10);
    close_fixture(&f);
}

static double falling(double t)
{
    return 0.3 - t;
}

static double rising(double t)
{
    return 2 * (t - 0.3);
}

static double later(double t)
{
    return 0.4 - t;
}

static void test_earliest(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, later, falling);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.3) < 1e-14);
    assert_int_equal(f.n_triggers, 1);
    assert_int_equal(f.triggers[0], 1);
    close_fixture(&f);
}

static void test_together(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, falling, rising);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.3) < 1e-14);
    assert_int_equal(f.n_triggers, 2);
    close_fixture(&f);
}

static double almost_zero(double t)
{
    (void)t;
    return 0.5e-10;
}

/* A relation within ε of zero keeps its value while another one changes. */
static void test_beside(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, falling, almost_zero);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.3) < 1e-14);
    assert_int_equal(f.n_triggers, 1);
    assert_int_equal(f.triggers[0], 0);
    close_fixture(&f);
}

static void test_suspended(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, falling, later);
    locator_suspend(f.l, 0, true);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.4) < 1e-14);
    assert_int_equal(f.triggers[0], 1);
    close_fixture(&f);
}

static double stops_at_zero(double t)
{
    return fmax(0, 0.4 - t);
}

/* z does not become negative: the relation changes when the rest begins. */
static void test_rest(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, stops_at_zero, NULL);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - 0.4) < 1e-14 && stops_at_zero(te) == 0);
    close_fixture(&f);
}

static double far_away(double t)
{
    return 5 + sin(t);
}

static double dip(double t)
{
    double u = t / 1e-3;
    return 0.9 - exp(-u * u);
}

static double middle_dip(double t)
{
    return dip(t - 0.5);
}

static double early_dip(double t)
{
    return dip(t - 2e-3);
}

/* No step of a solver resolves a model without states: the first pieces are short. */
static void test_stateless(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, early_dip, NULL);
    f.l->stateless = true;
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - (2e-3 - 1e-3 * sqrt(-log(0.9)))) < 1e-12);
    close_fixture(&f);
}

static double narrow_dip(double t)
{
    return dip(t - 0.7);
}

/* A thousandth of the step, between the points that are sampled: only bounds show it. */
static void test_bounds(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, narrow_dip, NULL);
    f.lowest = -0.1;
    f.dip = 0.7;
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_NONE);
    f.wild = true;
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_EVENT);
    assert_true(fabs(te - (0.7 - 1e-3 * sqrt(-log(0.9)))) < 1e-12);
    close_fixture(&f);
}

/* A solver may repeat a step with another solution: nothing of the first one is left. */
static void test_repeated(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, far_away, NULL);
    f.lowest = -0.1;
    f.wild = true;
    for (int i = 0; i < 2; i++) {
        f.z[0] = i ? middle_dip : far_away;
        f.dip = 0.5;
        assert_int_equal(locator_find(f.l, 0, 1, &te), i ? LOCATED_EVENT : LOCATED_NONE);
    }
    assert_true(fabs(te - (0.5 - 1e-3 * sqrt(-log(0.9)))) < 1e-12);
    close_fixture(&f);
}

static double cubic(double t)
{
    return 1e-3 + t * (0.1 + t * (0.5 + t));
}

/* Four samples represent a cubic, and the fifth shows it: the step is not divided. */
static void test_cubic(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cubic, NULL);
    assert_int_equal(locator_find(f.l, 0, 1, &te), LOCATED_NONE);
    assert_int_equal(f.n_evaluations, 5);
    close_fixture(&f);
}

static void test_excluded(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cosine, NULL);
    f.excluded = true;
    assert_int_equal(locator_find(f.l, 0, 3, &te), LOCATED_NONE);
    assert_int_equal(f.n_evaluations, 0);
    close_fixture(&f);
}

static double later_cosine(double t)
{
    return cos(t - 1e-3);
}

/* After the dense output has changed: only the relation that came near zero is examined, and all
 * are watched afterwards. */
static void test_again(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cosine, far_away);
    assert_int_equal(locator_find(f.l, 0, 3, &te), LOCATED_EVENT);
    assert_true(f.l->is_near[0] && !f.l->is_near[1]);
    f.z[0] = later_cosine;
    f.n_triggers = 0;
    assert_int_equal(locator_find_again(f.l, 0, 3, &te), LOCATED_EVENT);
    assert_true(fabs(te - 1e-3 - acos(0)) < 1e-13);
    assert_true(f.n_triggers == 1 && f.triggers[0] == 0);
    assert_true(f.l->n_active == 2 && !f.l->far);
    f.z[0] = far_away;
    assert_int_equal(locator_find_again(f.l, 0, 3, &te), LOCATED_NONE);
    assert_true(f.l->n_active == 2 && f.l->far);
    close_fixture(&f);
}

static void test_failure(void **state)
{
    (void)state;
    Fixture f;
    double te = NAN;
    open_fixture(&f, cosine, NULL);
    f.fails_from = 2.5;
    assert_int_equal(locator_find(f.l, 0, 3, &te), LOCATED_FAILED);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossing),       cmocka_unit_test(test_no_crossing),
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_earliest),
        cmocka_unit_test(test_together),       cmocka_unit_test(test_suspended),
        cmocka_unit_test(test_rest),           cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_excluded),       cmocka_unit_test(test_failure),
        cmocka_unit_test(test_again),          cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_cubic),          cmocka_unit_test(test_curved),
        cmocka_unit_test(test_beside),         cmocka_unit_test(test_lopsided),
        cmocka_unit_test(test_stateless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The room of the integrators: its table, each method on a problem with a known solution,
 * Anderson's acceleration, and the choices of solver auto. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/solver/anderson.h"
#include "sim/solver/automatic.h"

#include <math.h>
#include <string.h>

/* ---- x1' = x2, x2' = -x1: a circle ---- */

static int circle(void *user, double t, const double *x, double *dx)
{
    (void)user, (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

static int circle_jacobian(void *user, double t, const double *x, double *values)
{
    (void)user, (void)t, (void)x;
    values[0] = -1;
    values[1] = 1;
    return 0;
}

static int circle_start(void *user, double t, double *y, double *slope)
{
    return circle(user, t, y, slope);
}

/* der = rate*(x - old): a linear system of two unknowns. */
static int circle_stage(void *user, double t, double rate, const double *old, double *x,
                        double *der)
{
    (void)user, (void)t;
    double d = rate * rate + 1;
    x[0] = (rate * rate * old[0] + rate * old[1]) / d;
    x[1] = (rate * rate * old[1] - rate * old[0]) / d;
    der[0] = rate * (x[0] - old[0]);
    der[1] = rate * (x[1] - old[1]);
    return 0;
}

static const uint32_t col_ptr[] = {0, 1, 2}, row[] = {1, 0};
static const double atol[] = {1e-9, 1e-9};

static const Problem problem = {
    .n = 2,
    .f = circle,
    .jacobian = circle_jacobian,
    .col_ptr = col_ptr,
    .row = row,
    .stage = circle_stage,
    .rtol = 1e-9,
    .atol = atol,
    .step = 1e-3,
    .n_colours = 1,
    .open = {.n = 2,
             .f = circle,
             .jacobian = circle_jacobian,
             .start = circle_start,
             .col_ptr = col_ptr,
             .row = row,
             .atol = atol},
};

/* Largest error at steps and in the middle of each, over a quarter of the circle. */
static double error_of(const SolverKind *kind)
{
    double x[2] = {0, 1}, worst = 0, end = acos(0);
    Solver *s = kind->create(&problem);
    assert_non_null(s);
    s->restart(s, 0, x);
    while (s->t < end) {
        assert_int_equal(s->step(s, end), STEP_OK);
        for (int i = 0; i < 2; i++) {
            double t = i ? s->t : 0.5 * (s->t0 + s->t);
            s->dense(s, t, x);
            worst = fmax(worst, fmax(fabs(x[0] - sin(t)), fabs(x[1] - cos(t))));
        }
    }
    assert_true(s->t == end);
    assert_true(s->steps > 0);
    s->destroy(s);
    return worst;
}

/* Every row of the table, with the accuracy that its properties promise. */
static void test_every_solver(void **state)
{
    (void)state;
    const char *const *name = solver_names();
    assert_string_equal(*name, "auto");
    for (name++; *name; name++) {
        const SolverKind *kind = solver_find(*name, &problem);
        assert_non_null(kind);
        assert_string_equal(kind->name, *name);
        assert_true(solver_is_inline(*name) == ((kind->properties & SOLVER_INLINE) != 0));
        bool first_order = strstr(*name, "euler") != NULL;
        assert_true(error_of(kind) < (first_order ? 2e-3 : 1e-5));
    }
    assert_null(solver_find("magic", &problem));
}

/* The sets of properties that auto and the fallback ask for. */
static void test_choices(void **state)
{
    (void)state;
    assert_ptr_equal(solver_find("auto", &problem), solver_with(SOLVER_AUTO | SOLVER_MULTISTEP));
    assert_non_null(solver_with(SOLVER_AUTO | SOLVER_MULTISTEP | SOLVER_OPEN_FORM));
    assert_non_null(solver_with(SOLVER_AUTO | SOLVER_EXPLICIT));
    assert_non_null(solver_with(SOLVER_AUTO | SOLVER_INLINE));
    assert_non_null(solver_with(SOLVER_AUTO));
    const Problem nothing = {.n = 0};
    assert_string_equal(solver_find("radau", &nothing)->name, "none");
}

/* ---- Anderson's acceleration ---- */

/* x = A*x + b with eigenvalues beyond 1: the plain iteration diverges, and of three unknowns the
 * accelerated one needs three directions. */
static void test_anderson(void **state)
{
    (void)state;
    static const double a[3][3] = {{1.5, 0.3, 0}, {0.2, -1.4, 0.5}, {0, 0.1, 3}};
    static const double solution[3] = {1, -2, 3}, tolerances[3] = {1, 1, 1};
    const Problem p = {.n = 3, .atol = tolerances};
    double x[3] = {0}, f[3], g[3];
    Anderson *w = anderson_new(3);
    for (uint32_t turn = 0; turn < 6; turn++) {
        for (int i = 0; i < 3; i++) {
            g[i] = solution[i];
            for (int j = 0; j < 3; j++)
                g[i] += a[i][j] * (x[j] - solution[j]);
            f[i] = g[i] - x[i];
        }
        anderson_next(w, &p, solution, turn, f, g, x);
    }
    for (int i = 0; i < 3; i++)
        assert_true(fabs(x[i] - solution[i]) < 1e-6);
    anderson_free(w);
}

/* ---- solver auto ---- */

typedef struct Listener {
    uint32_t n;
    const char *why;
    uint32_t lowered; /* tolerances that can be raised */
} Listener;

static void changed(void *user, const char *why)
{
    Listener *l = user;
    l->n++;
    l->why = why;
}

static bool raise_tolerance(void *user)
{
    Listener *l = user;
    return l->lowered > 0 && l->lowered-- > 0;
}

static AutomaticListener listener(Listener *heard)
{
    return (AutomaticListener){heard, changed, raise_tolerance};
}

static void restart(Automatic *a, AutomaticProgress *now, uint64_t steps, double evaluations)
{
    a->solvers[a->at]->steps += steps;
    now->evaluations += evaluations;
    now->time += 0.01;
    automatic_consider(a, now);
}

/* A small model begins with the explicit method, also if events are dense, and leaves it once it
 * proves stiff. */
static void test_explicit_first(void **state)
{
    (void)state;
    const SolverKind *kind = automatic_first(&problem);
    assert_ptr_equal(kind, solver_with(SOLVER_AUTO | SOLVER_EXPLICIT));
    Solver *solver = kind->create(&problem);
    Automatic a = {0};
    Listener heard = {0};
    AutomaticProgress now = {.restart = true};
    char names[48];
    automatic_create(&a, &problem, kind, solver, listener(&heard));
    for (int i = 0; i < 100; i++)
        restart(&a, &now, 200, 1200);
    assert_int_equal(heard.n, 0);
    solver->stiff = true;
    restart(&a, &now, 20, 120);
    assert_int_equal(a.at, MULTISTEP);
    assert_string_equal(heard.why, "the model is stiff");
    assert_false(a.settled);
    for (int i = 0; i < 8; i++)
        restart(&a, &now, 10, 40);
    assert_int_equal(a.at, IMPLICIT);
    automatic_names(&a, names, sizeof names);
    assert_string_equal(names, "cvode, dopri5 and radau");
    automatic_destroy(&a, solver);
    solver->destroy(solver);
}

/* If stability may limit explicit steps, the implicit methods try. The faster one stays. */
static void test_comparison(void **state)
{
    (void)state;
    const SolverKind *kind = automatic_first(&problem);
    Solver *solver = kind->create(&problem);
    Automatic a = {0};
    Listener heard = {0};
    AutomaticProgress now = {.restart = false};
    automatic_create(&a, &problem, kind, solver, listener(&heard));
    solver->stiffness = 2;
    restart(&a, &now, 2000, 12000);
    assert_int_equal(a.at, MULTISTEP);
    restart(&a, &now, 300, 50);
    assert_int_equal(a.at, IMPLICIT);
    restart(&a, &now, 300, 3000);
    assert_int_equal(a.at, MULTISTEP);
    assert_true(a.stiff);
    automatic_destroy(&a, solver);
    solver->destroy(solver);
}

/* With the multistep method of a large model, few steps between restarts call an explicit one-step
 * method, which stays only if it is cheaper. */
static void test_dense_events(void **state)
{
    (void)state;
    const SolverKind *kind = solver_with(SOLVER_AUTO | SOLVER_MULTISTEP);
    Solver *solver = kind->create(&problem);
    Automatic a = {0};
    Listener heard = {0};
    AutomaticProgress now = {.restart = true};
    char names[48];
    automatic_create(&a, &problem, kind, solver, listener(&heard));
    for (int i = 0; i < 7; i++)
        restart(&a, &now, 20, 40);
    assert_int_equal(heard.n, 0);
    restart(&a, &now, 20, 40);
    assert_int_equal(heard.n, 1);
    assert_string_equal(heard.why, "events are dense");
    assert_int_equal(a.at, EXPLICIT);
    for (int i = 0; i < 8; i++)
        restart(&a, &now, 20, 30);
    assert_int_equal(a.at, EXPLICIT);
    for (int i = 0; i < 8; i++)
        restart(&a, &now, 20, 50);
    assert_int_equal(a.at, MULTISTEP);
    assert_true(a.settled);
    automatic_names(&a, names, sizeof names);
    assert_string_equal(names, "cvode and dopri5");
    automatic_destroy(&a, solver);
    solver->destroy(solver);
}

/* If the multistep method crawls, tolerances are raised first. If that does not help, the explicit
 * method tries. */
static void test_raised_tolerances(void **state)
{
    (void)state;
    const SolverKind *kind = solver_with(SOLVER_AUTO | SOLVER_MULTISTEP);
    Solver *solver = kind->create(&problem);
    Automatic a = {0};
    Listener heard = {.lowered = 1};
    AutomaticProgress now = {.age = 1000};
    automatic_create(&a, &problem, kind, solver, listener(&heard));
    restart(&a, &now, 100000, 200000);
    assert_int_equal(heard.lowered, 0);
    assert_int_equal(heard.n, 0);
    assert_int_equal(a.at, MULTISTEP);
    restart(&a, &now, 100000, 200000);
    assert_int_equal(heard.n, 1);
    assert_int_equal(a.at, EXPLICIT);
    automatic_destroy(&a, solver);
    solver->destroy(solver);
}

/* The open form is used if its Jacobian is far sparser. */
static void test_open_form(void **state)
{
    (void)state;
    enum { N = 200 };
    static uint32_t closed[N + 1], open[N + 2];
    for (uint32_t i = 0; i <= N; i++) {
        closed[i] = i * N;
        open[i] = i * 2;
    }
    open[N + 1] = 3 * N;
    Problem p = {.n = N, .col_ptr = closed, .jacobian = circle_jacobian};
    p.open =
        (OpenProblem){.n = N + 1, .has_blocks = true, .jacobian = circle_jacobian, .col_ptr = open};
    assert_true(automatic_first(&p)->properties & SOLVER_OPEN_FORM);
    p.open.has_blocks = false;
    assert_false(automatic_first(&p)->properties & SOLVER_OPEN_FORM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver), cmocka_unit_test(test_choices),
        cmocka_unit_test(test_anderson),     cmocka_unit_test(test_explicit_first),
        cmocka_unit_test(test_comparison),   cmocka_unit_test(test_dense_events),
        cmocka_unit_test(test_open_form),    cmocka_unit_test(test_raised_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

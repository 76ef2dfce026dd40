/* Instances of the public interface: order of calls, values, events, states, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kairos.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char integrator[] = "model M\n"
                                 "  type Gear = enumeration(slow, fast);\n"
                                 "  parameter Gear gear = Gear.slow;\n"
                                 "  parameter Real k = 1;\n"
                                 "  parameter Integer n = 2;\n"
                                 "  input Real u(start = 1);\n"
                                 "  Real x(start = 0, fixed = true), y = -x, z[n] = {x, y};\n"
                                 "  discrete Real d(start = 0, fixed = true);\n"
                                 "equation\n"
                                 "  der(x) = k*u;\n"
                                 "  when sample(0.5, 0.5) then\n"
                                 "    d = pre(d) + 1;\n"
                                 "  end when;\n"
                                 "end M;\n";

static const char ball[] = "model M\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -10;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -0.8*pre(v));\n"
                           "  end when;\n"
                           "end M;\n";

typedef struct Session {
    Kairos *k;
    KairosModel *m;
} Session;

static Session begin(const char *text)
{
    Session s = {kairos_open(), NULL};
    assert_int_equal(kairos_load_text(s.k, "m.mo", text, strlen(text)), KAIROS_OK);
    s.m = kairos_compile_model(s.k, NULL, NULL);
    assert_non_null(s.m);
    return s;
}

static void end(Session s)
{
    kairos_free_model(s.m);
    kairos_close(s.k);
}

static double value(KairosInstance *i, const char *name)
{
    int number = kairos_find_variable(i, name);
    double v = NAN;
    assert_true(number >= 0);
    assert_int_equal(kairos_get_values(i, &number, 1, &v), KAIROS_OK);
    return v;
}

static void assert_near(double found, double expected, double tolerance)
{
    assert_true(fabs(found - expected) <= tolerance);
}

static int set(KairosInstance *i, const char *name, double v)
{
    int number = kairos_find_variable(i, name);
    return kairos_set_values(i, &number, 1, &v);
}

static bool reported(Session s, const char *text)
{
    char *all = kairos_render_messages(s.k, KAIROS_TEXT);
    bool found = strstr(all, text) != NULL;
    kairos_free_text(all);
    kairos_clear_messages(s.k);
    return found;
}

static KairosInstance *start(Session s)
{
    KairosInstance *i = kairos_create_instance(s.m, NULL);
    assert_non_null(i);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    return i;
}

/* x' = k*u, by hand: u = 1 up to 1, then 3 up to 2, then k = -2. */
static void inputs_and_parameters(void **state)
{
    (void)state;
    Session s = begin(integrator);
    KairosInstance *i = start(s);
    assert_true(value(i, "time") == 0);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_OK);
    assert_near(value(i, "x"), 1, 1e-9);
    assert_int_equal(set(i, "u", 3), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_OK);
    assert_true(value(i, "u") == 3);
    assert_int_equal(kairos_advance_instance(i, 2, 0), KAIROS_OK);
    assert_near(value(i, "x"), 4, 1e-9);
    assert_near(value(i, "y"), -4, 1e-9);
    assert_near(value(i, "z[2]"), -4, 1e-9);
    assert_int_equal(set(i, "k", -2), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 3, 0), KAIROS_OK);
    assert_near(value(i, "x"), -2, 1e-9);
    assert_true(value(i, "d") == 6);
    assert_int_equal(set(i, "y", 7), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 3, 0), KAIROS_OK);
    assert_near(value(i, "x"), -7, 1e-9);
    kairos_free_instance(i);
    end(s);
}

static void values_before_the_start(void **state)
{
    (void)state;
    Session s = begin(integrator);
    KairosInstance *i = kairos_create_instance(s.m, NULL);
    assert_int_equal(set(i, "x", 5), KAIROS_OK);
    assert_int_equal(set(i, "u", 2), KAIROS_OK);
    assert_int_equal(set(i, "k", 10), KAIROS_OK);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 0.25, 0), KAIROS_OK);
    assert_near(value(i, "x"), 10, 1e-9);
    assert_int_equal(kairos_reset_instance(i), KAIROS_OK);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_near(value(i, "x"), 5, 1e-12);
    kairos_free_instance(i);
    end(s);
}

/* Seconds of this thread for n parameters that are set one by one. */
static double setting_one_by_one(KairosInstance *i, const int *numbers, int n)
{
    struct timespec from, to;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (int k = 0; k < n; k++) {
        double v = k + 1;
        assert_int_equal(kairos_set_values(i, &numbers[k], 1, &v), KAIROS_OK);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Ten times as many parameters take about ten times as long; a search in a list takes 100 times. */
static void many_values_before_the_start(void **state)
{
    (void)state;
    enum { FEW = 2000, MANY = 10 * FEW, TRIES = 3 };
    static int numbers[MANY];
    Session s = begin("model M\n  parameter Real p[20000] = zeros(20000);\n"
                      "  Real x(start = 0, fixed = true) = time;\nend M;\n");
    KairosInstance *i = kairos_create_instance(s.m, NULL);
    double few = INFINITY, many = INFINITY;
    for (int k = 0; k < MANY; k++) {
        char name[32];
        snprintf(name, sizeof name, "p[%d]", k + 1);
        numbers[k] = kairos_find_variable(i, name);
        assert_true(numbers[k] >= 0);
    }
    kairos_free_instance(i);
    for (int t = 0; t < TRIES; t++) {
        i = kairos_create_instance(s.m, NULL);
        few = fmin(few, setting_one_by_one(i, numbers, FEW));
        kairos_free_instance(i);
        i = kairos_create_instance(s.m, NULL);
        many = fmin(many, setting_one_by_one(i, numbers, MANY));
        many = fmin(many, setting_one_by_one(i, numbers, MANY)); /* the same again */
        assert_int_equal(set(i, "p[7]", 70), KAIROS_OK);
        assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
        assert_true(value(i, "p[7]") == 70 && value(i, "p[20000]") == MANY);
        kairos_free_instance(i);
    }
    print_message("%d parameters: %.3f ms, %d: %.3f ms\n", FEW, 1e3 * few, MANY, 1e3 * many);
    assert_true(many < 30 * few);
    end(s);
}

static void calls_in_error(void **state)
{
    (void)state;
    Session s = begin(integrator);
    const double stop = 2;
    KairosInstance *i =
        kairos_create_instance(s.m, &(KairosRun){.size = sizeof(KairosRun), .stop_time = &stop});
    double v;
    int x = kairos_find_variable(i, "x"), wrong = 100000;
    size_t size;
    assert_int_equal(kairos_find_variable(i, "nothing"), -1);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_USE_ERROR);
    assert_true(reported(s, "must be initialized first"));
    assert_int_equal(kairos_get_values(i, &x, 1, &v), KAIROS_USE_ERROR);
    assert_null(kairos_save_state(i, &size));
    assert_int_equal(set(i, "n", 3), KAIROS_USE_ERROR);
    assert_true(reported(s, "it is structural"));
    assert_int_equal(set(i, "u", NAN), KAIROS_USE_ERROR);
    assert_true(reported(s, "not finite"));
    assert_int_equal(set(i, "gear", 3), KAIROS_USE_ERROR);
    assert_true(reported(s, "no literal with this number"));
    assert_int_equal(set(i, "gear", 2), KAIROS_OK);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_USE_ERROR);
    assert_int_equal(kairos_get_values(i, &wrong, 1, &v), KAIROS_USE_ERROR);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 0.5, 0), KAIROS_USE_ERROR);
    assert_true(reported(s, "time cannot go back"));
    assert_int_equal(kairos_advance_instance(i, 3, 0), KAIROS_USE_ERROR);
    assert_true(reported(s, "beyond the stop time"));
    assert_int_equal(kairos_advance_instance(i, NAN, 0), KAIROS_USE_ERROR);
    KairosSetting shape = {"n", "3"};
    assert_int_equal(
        kairos_simulate_model(
            s.m, &(KairosRun){.size = sizeof(KairosRun), .settings = &shape, .n_settings = 1}),
        KAIROS_USE_ERROR);
    assert_true(reported(s, "has instances"));
    assert_near(value(i, "x"), 1, 1e-9);
    kairos_free_instance(i);
    end(s);
}

/* Inputs that the run drives: u = 2*time, so x = time^2, also in a clone and after a state of
 * another instance. Such an input cannot be set. */
static void driven_inputs(void **state)
{
    (void)state;
    Session s = begin(integrator);
    KairosInput drive = {"u", "2*time"};
    KairosRun how = {.size = sizeof how, .inputs = &drive, .n_inputs = 1};
    KairosInstance *i = kairos_create_instance(s.m, &how), *other;
    size_t size;
    assert_non_null(i);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_OK);
    assert_near(value(i, "x"), 1, 1e-6);
    assert_int_equal(set(i, "u", 3), KAIROS_USE_ERROR);
    void *saved = kairos_save_state(i, &size);
    KairosInstance *copy = kairos_clone_instance(i);
    other = kairos_create_instance(s.m, &how);
    assert_int_equal(kairos_restore_state(other, saved, size), KAIROS_OK);
    KairosInstance *all[] = {i, copy, other};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(kairos_advance_instance(all[k], 2, 0), KAIROS_OK);
        assert_near(value(all[k], "x"), 4, 1e-5);
        assert_true(value(all[k], "x") == value(i, "x"));
        kairos_free_instance(k ? all[k] : NULL);
    }
    kairos_free_instance(i);
    kairos_free_state(saved);
    end(s);
}

/* A model that fails can be reset and restored, and then goes on. */
static void instances_that_fail(void **state)
{
    (void)state;
    Session s = begin("model M\n"
                      "  Real x(start = 0, fixed = true);\n"
                      "equation\n"
                      "  der(x) = 1;\n"
                      "  assert(x < 0.5, \"too large\");\n"
                      "end M;\n");
    KairosInstance *i = start(s);
    size_t size;
    assert_int_equal(kairos_advance_instance(i, 0.25, 0), KAIROS_OK);
    void *saved = kairos_save_state(i, &size);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_FAILED);
    assert_true(reported(s, "too large"));
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_USE_ERROR);
    assert_null(kairos_clone_instance(i));
    assert_int_equal(kairos_restore_state(i, saved, size), KAIROS_OK);
    assert_near(value(i, "x"), 0.25, 1e-9);
    assert_int_equal(kairos_advance_instance(i, 1, 0), KAIROS_FAILED);
    assert_int_equal(kairos_reset_instance(i), KAIROS_OK);
    KairosInstance *copy = kairos_clone_instance(i);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_initialize_instance(copy), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(copy, 0.4, 0), KAIROS_OK);
    kairos_free_state(saved);
    kairos_free_instance(copy);
    kairos_free_instance(i);
    end(s);
}

/* The first impacts of a ball dropped from 1 with g = 10: sqrt(0.2), then 0.8 of twice that. */
static void stops_at_events(void **state)
{
    (void)state;
    Session s = begin(ball);
    KairosInstance *i = start(s);
    assert_null(kairos_last_event(i));
    assert_int_equal(kairos_advance_instance(i, 10, 1), KAIROS_OK);
    assert_near(kairos_instance_time(i), sqrt(0.2), 1e-7);
    assert_near(value(i, "v"), 0.8 * sqrt(20), 1e-5);
    assert_int_equal(kairos_count_events(i), 1);
    assert_non_null(strstr(kairos_last_event(i), "h <= 0"));
    assert_int_equal(kairos_advance_instance(i, 10, 1), KAIROS_OK);
    assert_near(kairos_instance_time(i), sqrt(0.2) * 2.6, 1e-6);
    kairos_free_instance(i);
    end(s);
}

static void count_steps(void *user, const char *line)
{
    const char *at = strstr(line, " steps,");
    while (at && at[-1] >= '0' && at[-1] <= '9')
        at--;
    if (at && strstr(line, "Solver ") == line)
        *(unsigned *)user = (unsigned)strtoul(at, NULL, 10);
}

/* Short advances do not shorten the solver's steps; a value that is set in the middle of a step
 * counts from there on. x = sin(time) up to 3, then an impulse brings x back to 1. */
static void steps_go_beyond_advances(void **state)
{
    (void)state;
    Session s = begin("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true);\n"
                      "  Real e = x - sin(time); Boolean up = v > 0;\n"
                      "equation der(x) = v; der(v) = -x; end M;\n");
    unsigned steps = 0;
    const double stop = 10;
    KairosRun run = {.size = sizeof run,
                     .stop_time = &stop,
                     .log = "stats",
                     .on_log = count_steps,
                     .user = &steps};
    KairosInstance *i = kairos_create_instance(s.m, &run);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    for (int k = 1; k <= 3000; k++) {
        assert_int_equal(kairos_advance_instance(i, 1e-3 * k, 0), KAIROS_OK);
        assert_near(value(i, "e"), 0, 1e-5);
        assert_true(value(i, "time") == 1e-3 * k);
        assert_true(value(i, "up") == (1e-3 * k < acos(-1) / 2));
    }
    assert_int_equal(set(i, "x", 1), KAIROS_OK);
    assert_int_equal(set(i, "v", 0), KAIROS_OK);
    for (int k = 1; k <= 1000; k++) {
        assert_int_equal(kairos_advance_instance(i, 3 + 1e-3 * k, 0), KAIROS_OK);
        assert_near(value(i, "x"), cos(1e-3 * k), 1e-5);
    }
    kairos_free_instance(i);
    assert_in_range(steps, 1, 400);
    end(s);
}

static void states_come_back(void **state)
{
    (void)state;
    Session s = begin(ball);
    KairosInstance *i = start(s);
    size_t size;
    assert_int_equal(kairos_advance_instance(i, 0.6, 0), KAIROS_OK);
    void *saved = kairos_save_state(i, &size);
    assert_non_null(saved);
    KairosInstance *copy = kairos_clone_instance(i);
    assert_int_equal(kairos_advance_instance(i, 1.1, 0), KAIROS_OK);
    double later = value(i, "h");
    assert_int_equal(kairos_advance_instance(copy, 1.1, 0), KAIROS_OK);
    assert_true(value(copy, "h") == later);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(kairos_restore_state(i, saved, size), KAIROS_OK);
        assert_true(kairos_instance_time(i) == 0.6);
        assert_int_equal(kairos_advance_instance(i, 1.1, 0), KAIROS_OK);
        assert_true(value(i, "h") == later);
    }
    kairos_free_state(saved);
    kairos_free_instance(copy);
    kairos_free_instance(i);
    end(s);
}

/* Every truncated state is refused, and so are some with a changed byte. */
static void damaged_states(void **state)
{
    (void)state;
    Session s = begin(ball), other = begin(integrator);
    KairosInstance *i = start(s), *foreign = start(other);
    size_t size;
    char *saved = kairos_save_state(i, &size);
    for (size_t n = 0; n < size; n += 7)
        assert_int_equal(kairos_restore_state(i, saved, n), KAIROS_USE_ERROR);
    for (size_t n = 0; n < size; n += 11) {
        saved[n] ^= 4;
        assert_int_equal(kairos_restore_state(i, saved, size), KAIROS_USE_ERROR);
        saved[n] ^= 4;
    }
    kairos_clear_messages(s.k);
    assert_int_equal(kairos_restore_state(foreign, saved, size), KAIROS_USE_ERROR);
    assert_int_equal(kairos_restore_state(i, saved, size), KAIROS_OK);
    KairosInstance *finer =
        kairos_create_instance(s.m, &(KairosRun){.size = sizeof(KairosRun), .tolerance = 1e-9});
    assert_int_equal(kairos_restore_state(finer, saved, size), KAIROS_USE_ERROR);
    assert_true(reported(s, "other options"));
    kairos_free_state(saved);
    kairos_free_instance(i);
    kairos_free_instance(finer);
    kairos_free_instance(foreign);
    end(s);
    end(other);
}

enum { THREADS = 4, INSTANCES = 8 };

typedef struct Job {
    KairosModel *m;
    double h;
    bool ok;
} Job;

static void *work(void *arg)
{
    Job *j = arg;
    j->ok = true;
    for (int n = 0; n < INSTANCES; n++) {
        KairosInstance *i = kairos_create_instance(j->m, NULL);
        int h = kairos_find_variable(i, "h");
        j->ok = j->ok && kairos_initialize_instance(i) == KAIROS_OK;
        for (int k = 1; k <= 10; k++)
            j->ok = j->ok && kairos_advance_instance(i, 0.1 * k, 0) == KAIROS_OK;
        j->ok = j->ok && kairos_get_values(i, &h, 1, &j->h) == KAIROS_OK;
        kairos_free_instance(i);
    }
    return NULL;
}

static void instances_in_threads(void **state)
{
    (void)state;
    Session s = begin(ball);
    pthread_t threads[THREADS];
    Job jobs[THREADS];
    for (int k = 0; k < THREADS; k++) {
        jobs[k] = (Job){.m = s.m};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++)
        assert_true(jobs[k].ok && jobs[k].h == jobs[0].h);
    end(s);
}

/* ---- rows ---- */

typedef struct Kept {
    double time[16], h[16];
    unsigned n;
} Kept;

static int keep(void *user, const KairosRow *row)
{
    Kept *kept = user;
    for (unsigned i = 0; i < row->n; i++)
        if (!strcmp(row->names[i], "h"))
            kept->h[kept->n] = row->values[i];
    kept->time[kept->n++] = row->values[0];
    return kept->n == 16;
}

/* The start, each 0.2, the impact at sqrt(0.2) twice, the change twice, and the end. */
static void rows_of_an_instance(void **state)
{
    (void)state;
    const double impact = sqrt(0.2), expected[] = {0, 0.2, 0.4, impact, impact, 0.5, 0.5, 0.6, 0.7};
    Session s = begin(ball);
    Kept kept = {0};
    KairosRun run = {.size = sizeof run, .output_step = 0.2, .on_row = keep, .user = &kept};
    KairosInstance *i = kairos_create_instance(s.m, &run);
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 0.5, 0), KAIROS_OK);
    assert_int_equal(set(i, "h", 3), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, 0.7, 0), KAIROS_OK);
    assert_int_equal(kept.n, sizeof expected / sizeof *expected);
    for (unsigned k = 0; k < kept.n; k++)
        assert_near(kept.time[k], expected[k], 1e-6);
    assert_near(kept.h[2], 1 - 5 * 0.4 * 0.4, 1e-6);
    assert_near(kept.h[6], 3, 1e-9);
    kairos_free_instance(i);
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_and_parameters),    cmocka_unit_test(values_before_the_start),
        cmocka_unit_test(calls_in_error),           cmocka_unit_test(stops_at_events),
        cmocka_unit_test(states_come_back),         cmocka_unit_test(damaged_states),
        cmocka_unit_test(instances_in_threads),     cmocka_unit_test(driven_inputs),
        cmocka_unit_test(instances_that_fail),      cmocka_unit_test(rows_of_an_instance),
        cmocka_unit_test(steps_go_beyond_advances), cmocka_unit_test(many_values_before_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

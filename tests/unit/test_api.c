/* The public interface, as another program would use it; nothing but kairos.h is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kairos.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char decay[] = "model Decay\n"
                            "  parameter Real k = 1;\n"
                            "  parameter Integer n = 2;\n"
                            "  Real x[n](each start = 1, each fixed = true);\n"
                            "equation\n"
                            "  for i in 1:n loop\n"
                            "    der(x[i]) = -i*k*x[i];\n"
                            "  end for;\n"
                            "end Decay;\n";

/* Last value in the column `name` of a CSV file; NAN if there is no such column. */
static double last_value(const char *path, const char *name)
{
    FILE *f = fopen(path, "r");
    char header[4096], line[4096], last[4096] = "";
    if (!f)
        return NAN;
    if (!fgets(header, sizeof header, f))
        header[0] = 0;
    while (fgets(line, sizeof line, f))
        strcpy(last, line);
    fclose(f);
    char *hs, *vs;
    for (char *h = strtok_r(header, ",\r\n", &hs), *v = strtok_r(last, ",\r\n", &vs); h && v;
         h = strtok_r(NULL, ",\r\n", &hs), v = strtok_r(NULL, ",\r\n", &vs))
        if (!strcmp(h, name))
            return strtod(v, NULL);
    return NAN;
}

static Kairos *open_with(const char *text)
{
    Kairos *k = kairos_open();
    assert_non_null(k);
    assert_int_equal(kairos_load_text(k, "text.mo", text, strlen(text)), KAIROS_OK);
    return k;
}

static void one_model_many_runs(void **state)
{
    (void)state;
    Kairos *k = open_with(decay);
    KairosModel *m = kairos_compile_model(k, "Decay", NULL);
    assert_non_null(m);
    assert_string_equal(kairos_model_name(m), "Decay");
    for (int i = 1; i <= 5; i++) {
        char value[16];
        snprintf(value, sizeof value, "%d", i);
        KairosSetting set = {"k", value};
        KairosRun run = {.size = sizeof run,
                         .settings = &set,
                         .n_settings = 1,
                         .output = "api.csv",
                         .tolerance = 1e-9};
        assert_int_equal(kairos_simulate_model(m, &run), KAIROS_OK);
        assert_true(fabs(last_value("api.csv", "x[1]") - exp(-i)) < 1e-6);
        assert_true(fabs(last_value("api.csv", "x[2]") - exp(-2 * i)) < 1e-6);
    }
    kairos_free_model(m);
    kairos_close(k);
}

static void a_size_is_set_by_flattening_anew(void **state)
{
    (void)state;
    Kairos *k = open_with(decay);
    KairosModel *m = kairos_compile_model(k, NULL, NULL);
    KairosSetting set = {"n", "3"};
    KairosRun run = {.size = sizeof run,
                     .settings = &set,
                     .n_settings = 1,
                     .output = "api3.csv",
                     .tolerance = 1e-9};
    assert_int_equal(kairos_simulate_model(m, &run), KAIROS_OK);
    assert_true(fabs(last_value("api3.csv", "x[3]") - exp(-3)) < 1e-6);
    kairos_free_model(m);
    kairos_close(k);
}

static void errors_are_messages(void **state)
{
    (void)state;
    Kairos *k = open_with("model M\n  Real x = y;\nend M;\n");
    assert_null(kairos_compile_model(k, NULL, NULL));
    assert_int_equal(kairos_compile_status(k), KAIROS_MODEL_ERROR);
    assert_int_equal(kairos_count_errors(k), 1);
    char *text = kairos_render_messages(k, KAIROS_TEXT);
    assert_non_null(strstr(text, "text.mo:2:12: error[I001]"));
    kairos_free_text(text);
    kairos_clear_messages(k);
    assert_int_equal(kairos_count_errors(k), 0);
    assert_int_equal(kairos_load_file(k, "no such file.mo"), KAIROS_USE_ERROR);
    kairos_close(k);
}

typedef struct Job {
    int number;
    double value;
} Job;

static void *work(void *arg)
{
    Job *job = arg;
    char text[256], path[32];
    snprintf(text, sizeof text,
             "model M%d Real x(start = 1, fixed = true); equation der(x) = -%d*x; end M%d;",
             job->number, job->number, job->number);
    snprintf(path, sizeof path, "thread%d.csv", job->number);
    for (int i = 0; i < 10; i++) {
        Kairos *k = kairos_open();
        kairos_load_text(k, "m.mo", text, strlen(text));
        KairosModel *m = kairos_compile_model(k, NULL, NULL);
        KairosRun run = {.size = sizeof run, .output = path, .tolerance = 1e-9};
        if (!m || kairos_simulate_model(m, &run) != KAIROS_OK)
            return NULL;
        kairos_free_model(m);
        kairos_close(k);
    }
    job->value = last_value(path, "x");
    return NULL;
}

static void sessions_work_side_by_side(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    Job jobs[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        jobs[i].number = i + 1;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(fabs(jobs[i].value - exp(-(i + 1))) < 1e-6);
    }
}

static const char bouncing[] =
    "model Bouncing\n"
    "  parameter Real e = 0.5;\n"
    "  parameter Integer n = 2;\n"
    "  parameter Real limit = 10;\n"
    "  Real h(start = 1, fixed = true), v(start = 0, fixed = true), y[n];\n"
    "equation\n"
    "  der(h) = v; der(v) = -9.81;\n"
    "  when h <= 0 then reinit(v, -e*pre(v)); end when;\n"
    "  y[1] + 0.1*sin(y[1]) = h;\n"
    "  for i in 2:n loop y[i] = y[i-1]^2; end for;\n"
    "  assert(h < limit, \"too high: \" + String(h));\n"
    "end Bouncing;\n";

static int open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* In pages. */
static long resident_memory(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long all = 0, resident = 0;
    int n = f ? fscanf(f, "%ld %ld", &all, &resident) : 0;
    if (f)
        fclose(f);
    return n == 2 ? resident : 0;
}

/* A thousand sessions with runs that have events: descriptors and memory do not grow. */
static void many_sessions_in_turn(void **state)
{
    (void)state;
    enum { SESSIONS = 1000, FIRST = 100 };
    int descriptors = 0;
    long memory = 0;
    for (int i = 0; i < SESSIONS; i++) {
        Kairos *k = open_with(bouncing);
        KairosModel *m = kairos_compile_model(k, NULL, NULL);
        KairosRun run = {.size = sizeof run};
        assert_non_null(m);
        assert_int_equal(kairos_simulate_model(m, &run), KAIROS_OK);
        kairos_free_model(m);
        kairos_close(k);
        if (i == FIRST) {
            descriptors = open_descriptors();
            memory = resident_memory();
        }
    }
    assert_int_equal(open_descriptors(), descriptors);
#ifndef KAIROS_SANITIZE /* sanitizers keep what was freed */
    assert_in_range(resident_memory(), 1, memory + 256);
#endif
    (void)memory;
}

typedef struct Sweep {
    KairosModel *m;
    int number, status;
    double h, y; /* at the end */
} Sweep;

static void take_final(void *user, const char *name, double value)
{
    Sweep *s = user;
    if (!strcmp(name, "h"))
        s->h = value;
    if (!strncmp(name, "y[", 2))
        s->y = value;
}

static void *sweep(void *arg)
{
    Sweep *s = arg;
    char e[16], n[16], path[32];
    snprintf(e, sizeof e, "0.%d", s->number + 1);
    snprintf(n, sizeof n, "%d", s->number == 3 ? 4 : 2); /* one of them needs another structure */
    snprintf(path, sizeof path, "sweep%d.csv", s->number);
    KairosSetting sets[] = {{"e", e}, {"n", n}, {"limit", s->number == 2 ? "0.9" : "2"}};
    KairosRun run = {.size = sizeof run,
                     .settings = sets,
                     .n_settings = 3,
                     .output = path,
                     .tolerance = 1e-9,
                     .log = "events",
                     .on_final = take_final,
                     .user = s};
    double stop = 0.9;
    run.stop_time = &stop;
    for (int i = 0; i < 5; i++)
        s->status = kairos_simulate_model(s->m, &run);
    return NULL;
}

/* Height at 0.9 s: the ball falls for sqrt(2/g), then flies with e times the speed of the impact.
 * It has not come back yet. */
static double height(double e)
{
    double fall = sqrt(2 / 9.81), t = 0.9 - fall, v = e * 9.81 * fall;
    return v * t - 9.81 / 2 * t * t;
}

static void one_model_in_several_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    Kairos *k = open_with(bouncing);
    KairosModel *m = kairos_compile_model(k, NULL, NULL);
    assert_non_null(m);
    pthread_t threads[THREADS];
    Sweep all[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        all[i] = (Sweep){.m = m, .number = i + 4 * (i != 2 && i != 3)};
        assert_int_equal(pthread_create(&threads[i], NULL, sweep, &all[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        bool fails = all[i].number == 2;
        assert_int_equal(all[i].status, fails ? KAIROS_FAILED : KAIROS_OK);
        if (!fails && all[i].number > 3) /* 0.5, 0.6: one impact so far */
            assert_true(fabs(all[i].h - height((all[i].number + 1) / 10.0)) < 1e-6);
    }
    char *text = kairos_render_messages(k, KAIROS_TEXT);
    assert_non_null(strstr(text, "too high: 1"));
    kairos_free_text(text);
    kairos_free_model(m);
    kairos_close(k);
}

/* Mistakes that a picture ignores are reported when the model is checked. */
static void a_picture_hides_no_errors(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "model M N n annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}))); end M;\n",
        "model A parameter Integer n; Real x[n]; equation x = zeros(n); end A;\nmodel M A a "
        "annotation(Placement(visible = a.y)); end M;\n",
        "model A extends B; end A;\nmodel M A a; annotation(Icon(graphics = {Line(points = {{0, "
        "0}, {k, 1}}, "
        "visible = a.b)})); end M;\n",
        "model M outer Real w annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}))); "
        "Real x = w; "
        "end M;\n",
        "model M constant Real k = M.f(1); Real x = k; annotation(Icon(graphics = {Line(points = "
        "{{0, 0}, {k, "
        "1}})})); end M;\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Kairos *plain = open_with(bad[i]), *drawn = open_with(bad[i]);
        char *picture = kairos_draw_diagram(drawn, "M", i % 2 ? KAIROS_ICON : KAIROS_DIAGRAM);
        kairos_check_model(plain, "M", NULL);
        kairos_check_model(drawn, "M", NULL);
        char *one = kairos_render_messages(plain, KAIROS_TEXT),
             *two = kairos_render_messages(drawn, KAIROS_TEXT);
        assert_true(kairos_count_errors(plain) > 0);
        assert_true(kairos_count_errors(drawn) > 0);
        assert_string_equal(one, two);
        kairos_free_text(picture);
        kairos_free_text(one);
        kairos_free_text(two);
        kairos_close(plain);
        kairos_close(drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_model_many_runs),
        cmocka_unit_test(a_size_is_set_by_flattening_anew),
        cmocka_unit_test(errors_are_messages),
        cmocka_unit_test(sessions_work_side_by_side),
        cmocka_unit_test(many_sessions_in_turn),
        cmocka_unit_test(one_model_in_several_threads),
        cmocka_unit_test(a_picture_hides_no_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

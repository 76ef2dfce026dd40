/* instances FOLDER: what instances and batches cost, on the models of bench/models.
 *
 * steps: N communication steps of one instance against one run with the same N steps of the same
 * solver; prints the microseconds of both for each step. states: saving and restoring a model with
 * 1,000 states against copying the bytes of its state; prints the microseconds of the three, the
 * number of bytes, and the microseconds of the first use after a restore, which makes the rest
 * again. runs: a batch of short runs of examples/BouncingBall.mo in one thread; prints the
 * microseconds of each run. All times are those of this thread. */
#include "kairos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 20000, ROUNDS = 200, TRIES = 5, RUNS = 2000 };

typedef struct Opened {
    Kairos *k;
    KairosModel *m;
} Opened;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(const Opened *o, int good)
{
    if (good)
        return;
    char *messages = kairos_render_messages(o->k, KAIROS_TEXT);
    fputs(messages ? messages : "out of memory\n", stderr);
    exit(1);
}

static Opened compile(const char *folder, const char *file, const char *n)
{
    char path[4000];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    Opened o = {.k = kairos_open()};
    KairosSetting size = {"n", n};
    KairosCompile how = {
        .size = sizeof how, .compiler = "tcc", .settings = &size, .n_settings = n ? 1 : 0};
    need(&o, !kairos_load_file(o.k, path));
    o.m = kairos_compile_model(o.k, NULL, &how);
    need(&o, o.m != NULL);
    return o;
}

static void end(Opened o)
{
    kairos_free_model(o.m);
    kairos_close(o.k);
}

static double of_run(const Opened *o, const KairosRun *how)
{
    double begin = now();
    need(o, !kairos_simulate_model(o->m, how));
    return now() - begin;
}

static double of_instance(const Opened *o, const KairosRun *how, double stop)
{
    KairosInstance *i = kairos_create_instance(o->m, how);
    need(o, i && !kairos_initialize_instance(i));
    double begin = now();
    for (int k = 1; k <= STEPS; k++)
        need(o, !kairos_advance_instance(i, stop * k / STEPS, 0));
    double seconds = now() - begin;
    kairos_free_instance(i);
    return seconds;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void steps(const char *folder)
{
    Opened o = compile(folder, "Small.mo", NULL);
    const double stop = 10;
    KairosRun how = {.size = sizeof how, .stop_time = &stop, .solver = "rk4", .step = stop / STEPS};
    double run = 1e9, instance = 1e9;
    for (int k = 0; k < TRIES; k++) {
        run = least(run, of_run(&o, &how));
        instance = least(instance, of_instance(&o, &how, stop));
    }
    printf("steps %g %g\n", 1e6 * run / STEPS, 1e6 * instance / STEPS);
    end(o);
}

/* Returns the seconds of a copy of the bytes. */
static double copy(const void *state, size_t size)
{
    char *to = malloc(size);
    double begin = now();
    for (int k = 0; k < ROUNDS; k++) {
        memcpy(to, state, size);
        __asm__ volatile("" : : "r"(to) : "memory");
    }
    double seconds = (now() - begin) / ROUNDS;
    free(to);
    return seconds;
}

static void states(const char *folder)
{
    Opened o = compile(folder, "Line.mo", "1000");
    KairosInstance *i = kairos_create_instance(o.m, NULL);
    need(&o, i && !kairos_initialize_instance(i) && !kairos_advance_instance(i, 0.01, 0));
    size_t size;
    double saving = 1e9, restoring = 1e9, using = 1e9, value;
    void *state = kairos_save_state(i, &size);
    for (int k = 0; k < ROUNDS; k++) {
        kairos_free_state(state);
        double begin = now();
        state = kairos_save_state(i, &size);
        double middle = now();
        need(&o, state && !kairos_restore_state(i, state, size));
        saving = least(saving, middle - begin);
        double end = now();
        restoring = least(restoring, end - middle);
        need(&o, !kairos_get_values(i, &(int){1}, 1, &value));
        using = least(using, now() - end);
    }
    printf("states %g %g %g %zu %g\n", 1e6 * saving, 1e6 * restoring, 1e6 * copy(state, size), size,
           1e6 * using);
    kairos_free_state(state);
    kairos_free_instance(i);
    end(o);
}

static void runs(const char *folder)
{
    Opened o = compile(folder, "../../examples/BouncingBall.mo", NULL);
    static double values[RUNS];
    static KairosRows *rows[RUNS];
    static int status[RUNS];
    for (int i = 0; i < RUNS; i++)
        values[i] = 0.7 + 0.2 * i / RUNS;
    const KairosBatch batch = {.size = sizeof batch,
                               .n = RUNS,
                               .names = (const char *[]){"e"},
                               .n_names = 1,
                               .values = values,
                               .jobs = 1};
    double seconds = 1e9;
    for (int k = 0; k < TRIES; k++) {
        double begin = now();
        need(&o, !kairos_simulate_batch(o.m, &batch, rows, status));
        seconds = least(seconds, now() - begin);
        for (int i = 0; i < RUNS; i++)
            kairos_free_rows(rows[i]);
    }
    printf("runs %g\n", 1e6 * seconds / RUNS);
    end(o);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    steps(argv[1]);
    states(argv[1]);
    runs(argv[1]);
    return 0;
}

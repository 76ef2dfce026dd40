/* --sweep: one compiled model, many sets of values, several runs at once.
 *
 * Every combination of the swept values is a run with its own result file, NAME_1.csv, NAME_2.csv,
 * …; the last sweep varies fastest. NAME_sweep.csv has a row for each run: its number, the values,
 * its exit status, and the final values of the variables (without parameters). */
#include "sweep.h"
#include "study.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 1000000 };

typedef struct Row { /* of the table */
    bool done;
    int status;
    double *values; /* at the end; size n_values */
    unsigned n_values, room;
} Row;

typedef struct Sweep {
    KairosModel *model;
    const SimulateOptions *options;
    const KairosRun *base;
    const char *output;
    Study grid; /* a factor for each --sweep */
    unsigned n_runs;
    pthread_mutex_t lock; /* for the members below, and for standard error */
    unsigned next;        /* run to begin */
    bool stop;            /* an error of the call, or interrupted */
    Row *rows;
    char **names; /* of the values at the end, from the first run */
    unsigned n_names;
} Sweep;

/* ---- values ---- */

/* The sweeps are the factors of a grid, with their values as given. */
static bool parse_values(Factor *f, const KairosSetting *s)
{
    *f = (Factor){.name = strdup(s->name), .low = -INFINITY, .high = INFINITY};
    const char *bad = factor_list(f, s->value);
    if (bad)
        fprintf(stderr,
                "kairos: --sweep %s: '%.*s' is neither a value nor a range first:step:last\n",
                s->name, (int)strcspn(bad, ","), bad);
    f->words = true;
    for (size_t i = 0; i < f->n; i++)
        f->values[i] = (double)i;
    return !bad;
}

/* The value of sweep k in a run. */
static const char *value_of(const Sweep *s, unsigned run, unsigned k)
{
    double values[s->grid.n_factors];
    char unused[32];
    design_point(&s->grid, run, values, NULL);
    return factor_text(&s->grid.factors[k], values[k], unused);
}

/* ---- names of files ---- */

/* "dir/name.csv" with a text inserted before the ending. */
static char *file_name(const char *output, const char *more)
{
    const char *slash = strrchr(output, '/'), *dot = strrchr(output, '.');
    size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - output) : strlen(output);
    char *name = malloc(strlen(output) + strlen(more) + 1);
    memcpy(name, output, n);
    strcpy(name + n, more);
    return strcat(name, output + n);
}

static char *run_file(const Sweep *s, unsigned run)
{
    char number[16];
    snprintf(number, sizeof number, "_%0*u", snprintf(NULL, 0, "%u", s->n_runs), run + 1);
    return file_name(s->output, number);
}

/* ---- runs ---- */

typedef struct Job {
    Sweep *sweep;
    unsigned run;
    Row row;
    char **names;
} Job;

static void take_log(void *user, const char *text)
{
    const Job *j = user;
    pthread_mutex_lock(&j->sweep->lock);
    fprintf(stderr, "run %u: %s%s", j->run + 1, text,
            *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
    pthread_mutex_unlock(&j->sweep->lock);
}

static void take_final(void *user, const char *name, double value)
{
    Job *j = user;
    Row *r = &j->row;
    if (r->n_values == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->values = realloc(r->values, r->room * sizeof *r->values);
        j->names = realloc(j->names, r->room * sizeof *j->names);
    }
    j->names[r->n_values] = strdup(name);
    r->values[r->n_values++] = value;
}

static void report_run(const Sweep *s, unsigned run, int status, const char *file)
{
    if (s->options->run.common.quiet || s->options->run.common.json)
        return;
    fprintf(stderr, "run %u of %u:", run + 1, s->n_runs);
    for (unsigned k = 0; k < s->options->sweeps.n; k++)
        fprintf(stderr, " %s=%s", s->options->sweeps.at[k].name, value_of(s, run, k));
    fprintf(stderr, status ? ": %s (status %d)\n" : ": %s\n", file, status);
}

static void keep_row(Sweep *s, Job *j)
{
    bool first = !s->names && j->row.n_values;
    if (first) {
        s->names = j->names;
        s->n_names = j->row.n_values;
    }
    for (unsigned i = 0; !first && i < j->row.n_values; i++)
        free(j->names[i]);
    if (!first)
        free(j->names);
    j->row.done = true;
    s->rows[j->run] = j->row;
}

static void simulate_run(Sweep *s, unsigned run)
{
    unsigned n = s->base->n_settings, k = s->options->sweeps.n;
    KairosSetting *settings = malloc((n + k) * sizeof *settings);
    for (unsigned i = 0; i < n; i++)
        settings[i] = s->base->settings[i];
    for (unsigned i = 0; i < k; i++)
        settings[n + i] = (KairosSetting){s->options->sweeps.at[i].name, value_of(s, run, i)};
    char *file = run_file(s, run);
    Job job = {.sweep = s, .run = run};
    KairosRun r = *s->base;
    r.settings = settings;
    r.n_settings = n + k;
    r.output = file;
    r.on_log = take_log;
    r.on_progress = NULL;
    r.on_event = NULL;
    r.on_final = take_final;
    r.user = &job;
    int status = job.row.status = kairos_simulate_model(s->model, &r);
    pthread_mutex_lock(&s->lock);
    s->stop |=
        status == KAIROS_USE_ERROR || status == KAIROS_MODEL_ERROR || status == KAIROS_INTERRUPTED;
    report_run(s, run, status, file);
    keep_row(s, &job);
    pthread_mutex_unlock(&s->lock);
    free(file);
    free(settings);
}

static void *work(void *arg)
{
    Sweep *s = arg;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        unsigned run = s->stop ? s->n_runs : s->next++;
        pthread_mutex_unlock(&s->lock);
        if (run >= s->n_runs)
            return NULL;
        simulate_run(s, run);
    }
}

static void run_all(Sweep *s)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = s->options->jobs ? s->options->jobs
                    : cores > 0      ? (unsigned)cores
                                     : 1,
             started = 0;
    jobs = jobs < s->n_runs ? jobs : s->n_runs;
    pthread_t *threads = malloc(jobs * sizeof *threads);
    while (started + 1 < jobs && !pthread_create(&threads[started], NULL, work, s))
        started++;
    work(s);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* ---- the table ---- */

static bool write_table(const Sweep *s)
{
    char *base = strdup(s->output), *dot = strrchr(base, '.');
    if (dot && !strchr(dot, '/'))
        strcpy(dot, "");
    base = realloc(base, strlen(base) + sizeof "_sweep.csv");
    strcat(base, "_sweep.csv");
    FILE *f = fopen(base, "w");
    if (f)
        fputs("run", f);
    for (unsigned k = 0; f && k < s->options->sweeps.n; k++) {
        fputc(',', f);
        table_text(f, s->options->sweeps.at[k].name);
    }
    if (f)
        fputs(",status", f);
    for (unsigned k = 0; f && k < s->n_names; k++) {
        fputc(',', f);
        table_text(f, s->names[k]);
    }
    for (unsigned i = 0; f && i < s->n_runs; i++) {
        const Row *r = &s->rows[i];
        if (!r->done)
            continue;
        fprintf(f, "\n%u", i + 1);
        for (unsigned k = 0; k < s->options->sweeps.n; k++)
            fprintf(f, ",%s", value_of(s, i, k));
        fprintf(f, ",%d", r->status);
        for (unsigned k = 0; k < s->n_names; k++) {
            fputc(',', f);
            table_real(f, k < r->n_values ? r->values[k] : NAN);
        }
    }
    bool ok = f && fputs("\n", f) >= 0;
    ok = f && !fclose(f) && ok;
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", base, strerror(errno));
    else if (!s->options->run.common.quiet && !s->options->run.common.json)
        fprintf(stderr, "%s: %s\n", kairos_model_name(s->model), base);
    free(base);
    return ok;
}

/* The worst status of all runs. An error of the call is worse than a failure of the model. */
static int worst(const Sweep *s)
{
    int status = KAIROS_OK;
    for (unsigned i = 0; i < s->n_runs; i++) {
        int one = s->rows[i].status;
        bool worse = one == KAIROS_INTERRUPTED || status == KAIROS_OK || one == KAIROS_USE_ERROR;
        if (one && worse)
            status = one;
    }
    return status;
}

static void free_sweep(Sweep *s)
{
    for (unsigned k = 0; k < s->grid.n_factors; k++)
        factor_free(&s->grid.factors[k]);
    free(s->grid.factors);
    for (unsigned i = 0; s->rows && i < s->n_runs; i++)
        free(s->rows[i].values);
    for (unsigned i = 0; i < s->n_names; i++)
        free(s->names[i]);
    free(s->names);
    free(s->rows);
    pthread_mutex_destroy(&s->lock);
}

int sweep_run(KairosModel *m, const SimulateOptions *o, const KairosRun *base, const char *output)
{
    Sweep s = {.model = m, .options = o, .base = base, .output = output};
    s.grid = (Study){.path = (char[]){"--sweep"}, .factors = calloc(o->sweeps.n, sizeof(Factor))};
    pthread_mutex_init(&s.lock, NULL);
    bool ok = !o->plot && !o->run.events;
    if (!ok)
        fprintf(stderr, "kairos: --plot and --events are for one run, not for --sweep\n");
    for (unsigned k = 0; k < o->sweeps.n && ok; k++)
        ok = parse_values(&s.grid.factors[s.grid.n_factors++], &o->sweeps.at[k]);
    ok = ok && design_prepare(&s.grid);
    double n = ok ? (double)s.grid.design.points : 0;
    if (n > MOST_RUNS)
        fprintf(stderr, "kairos: a sweep of %g runs is too large; at most %d are allowed\n", n,
                MOST_RUNS);
    int status = KAIROS_USE_ERROR;
    if (ok && n <= MOST_RUNS) {
        s.n_runs = (unsigned)n;
        s.rows = calloc(s.n_runs, sizeof *s.rows);
        run_all(&s);
        status = worst(&s);
        if (status != KAIROS_USE_ERROR && status != KAIROS_MODEL_ERROR && !write_table(&s))
            status = KAIROS_USE_ERROR;
    }
    free_sweep(&s);
    return status;
}

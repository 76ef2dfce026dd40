#include "api/fitting/experiment.h"

#include "api/drive.h"
#include "base/text.h"
#include "flatten/units/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* ---- columns ---- */

/* "h [mm]": the unit, and the name without it. */
static void split_header(Experiments *e, Table *t, uint32_t k)
{
    const char *name = t->names[k], *open = strstr(name, " [");
    size_t n = strlen(name);
    if (!open || name[n - 1] != ']')
        return;
    t->units[k] = arena_copy(e->arena, open + 2, n - (size_t)(open - name) - 3);
    while (open > name && open[-1] == ' ')
        open--;
    t->names[k] = arena_copy(e->arena, name, (size_t)(open - name));
}

/* Converts a column to the unit of the model. False after a message. */
static bool convert(Experiments *e, Table *t, uint32_t k, const char *wanted)
{
    const char *given = t->units[k];
    Unit from, to;
    if (!given || !*given || !wanted || !*wanted || !strcmp(given, wanted))
        return true;
    UnitText known = unit_parse(given, &from);
    if (known != UNIT_GOOD || unit_parse(wanted, &to) != UNIT_GOOD) {
        diag(e->ctx, (Span){0}, DIAG_A020,
             "%s: the unit '%s' of column '%s' cannot be converted to '%s', the unit of the model; "
             "convert the values",
             t->path, given, t->names[k], wanted);
        return false;
    }
    if (!unit_same_dimension(from, to)) {
        diag(e->ctx, (Span){0}, DIAG_A020,
             "%s: column '%s' is in '%s', but '%s' of the model is in '%s'", t->path, t->names[k],
             given, t->names[k], wanted);
        return false;
    }
    for (uint32_t i = 0; i < t->n_rows; i++)
        t->columns[k][i] *= from.factor / to.factor;
    return true;
}

static const Column *find_column(const Columns *columns, const char *name)
{
    for (uint32_t i = 0; i < columns->list.n; i++)
        if (!strcmp(columns->list.at[i].name, name))
            return &columns->list.at[i];
    return NULL;
}

/* Values that are not missing. Warns of others. */
static size_t count_values(Experiments *e, const Table *t, uint32_t k)
{
    size_t missing = 0;
    uint32_t first = 0;
    for (uint32_t i = t->n_rows; i-- > 0;)
        if (!isfinite(t->columns[k][i])) {
            missing++;
            first = i;
        }
    if (missing)
        diag(e->ctx, (Span){0}, DIAG_A021,
             "%s: %zu of %u values of '%s' are missing or not numbers, the first at time %.9g; "
             "they are left out",
             t->path, missing, t->n_rows, t->names[k], t->time[first]);
    return t->n_rows - missing;
}

static uint32_t signal_of(Experiments *e, const char *name)
{
    for (uint32_t i = 0; i < e->signals.n; i++)
        if (!strcmp(e->signals.at[i], name))
            return i;
    vec_push(&e->signals, name);
    return e->signals.n - 1;
}

static bool is_fitted(const Experiments *e, const char *name)
{
    for (uint32_t j = 0; j < e->n_parameters; j++)
        if (!strcmp(e->parameters[j], name))
            return true;
    return false;
}

/* A parameter or start value: one value for the experiment. */
static bool take_setting(Experiments *e, FitExperiment *x, uint32_t k)
{
    const Table *t = x->table;
    const double *v = t->columns[k];
    bool constant = isfinite(v[0]) != 0;
    for (uint32_t i = 1; i < t->n_rows; i++)
        constant &= !isfinite(v[i]) || !(fabs(v[i] - v[0]) > 0);
    if (!constant || is_fitted(e, t->names[k])) {
        diag(e->ctx, (Span){0}, DIAG_A020,
             constant ? "%s: '%s' is fitted, so it cannot have a column"
                      : "%s: '%s' is a parameter, so its column must have one value, in its first "
                        "row or in all",
             t->path, t->names[k]);
        return false;
    }
    char text[REAL_TEXT];
    size_t n = real_print(text, v[0]);
    vec_push(&x->settings, ((KairosSetting){t->names[k], arena_copy(e->arena, text, n)}));
    return true;
}

static bool take_input(Experiments *e, FitExperiment *x, uint32_t k)
{
    const Table *t = x->table;
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (!isfinite(t->columns[k][i])) {
            diag(e->ctx, (Span){0}, DIAG_A020,
                 "%s: column '%s' drives an input, so it cannot have gaps; the value at time %.9g "
                 "is missing",
                 t->path, t->names[k], t->time[i]);
            return false;
        }
    vec_push(&x->inputs, t->names[k]);
    return true;
}

static bool is_start(const char *name)
{
    return text_ends_with(name, ".start");
}

static bool take_column(Experiments *e, FitExperiment *x, const Columns *columns, uint32_t k)
{
    Table *t = x->table;
    const char *name = t->names[k];
    const Dae *dae = e->m->compilation.plan->dae;
    if (!strcmp(name, "time")) {
        diag(e->ctx, (Span){0}, DIAG_A020, "%s: the time must be the first column", t->path);
        return false;
    }
    for (uint32_t other = 0; other < k; other++)
        if (!strcmp(t->names[other], name)) {
            diag(e->ctx, (Span){0}, DIAG_A020, "%s: two columns are called '%s'", t->path, name);
            return false;
        }
    const Column *column = find_column(columns, name);
    if (column && !convert(e, t, k, column->unit))
        return false;
    if (drive_has_input(e->m->compilation.flat, name))
        return take_input(e, x, k);
    if (is_start(name) || (column && column->constant))
        return take_setting(e, x, k);
    double sign;
    if (settings_variable(e->ctx, dae, name, &sign) == NONE) {
        diag_note(e->ctx, (Span){0}, "a column of %s has this name", t->path);
        return false;
    }
    Measured m = {.name = name, .column = k, .n = count_values(e, t, k)};
    m.unit = column && column->unit && *column->unit ? column->unit : NULL;
    m.signal = signal_of(e, name);
    vec_push(&x->names, name);
    vec_push(&x->measured, m);
    x->n += m.n;
    return true;
}

/* ---- files ---- */

static bool read_file(Experiments *e, FitExperiment *x, const Columns *columns, const char *path)
{
    x->table = table_read(e->ctx, path);
    if (!x->table)
        return false;
    Table *t = x->table;
    bool ok = true;
    for (uint32_t k = 0; k < t->n_columns; k++) {
        split_header(e, t, k);
        ok &= take_column(e, x, columns, k);
    }
    if (!ok)
        return false;
    x->start = e->run->start_time ? *e->run->start_time : t->time[0];
    x->stop = t->time[t->n_rows - 1];
    if (!x->n || !isfinite(t->time[0]) || x->start > t->time[0] || !(x->stop > x->start)) {
        diag(e->ctx, (Span){0}, DIAG_A020,
             !x->n ? "%s: no column with values is that of a variable of the model, so there is "
                     "nothing to fit to"
             : x->start > t->time[0] ? "%s: the data begin before the start time"
                                     : "%s: the times of the data must span some time",
             path);
        return false;
    }
    e->n_values += x->n;
    return true;
}

static void take_row(void *user, double time, const double *values, const double *d)
{
    FitExperiment *x = user;
    const SearchRun *t = &x->trial;
    (void)time;
    if (x->rows >= t->n_times)
        return;
    size_t at = (size_t)x->rows++ * t->n_of;
    memcpy(x->values + at, values, t->n_of * sizeof *values);
    if (t->derivatives)
        memcpy(x->derivatives + at * t->n_names, d, t->n_of * t->n_names * sizeof *d);
}

static void set_up(Experiments *e, FitExperiment *x)
{
    Table *t = x->table;
    size_t n = (size_t)t->n_rows * x->measured.n;
    x->values = ARENA_ARRAY(e->arena, double, n);
    x->derivatives = ARENA_ARRAY(e->arena, double, n * e->n_parameters);
    x->trial = (SearchRun){.m = e->m,
                           .run = *e->run,
                           .names = e->parameters,
                           .n_names = e->n_parameters,
                           .of = x->names.at,
                           .n_of = x->names.n,
                           .times = t->time,
                           .n_times = t->n_rows,
                           .row = take_row,
                           .user = x};
    KairosRun *run = &x->trial.run;
    run->start_time = &x->start;
    run->stop_time = &x->stop;
    run->settings = x->settings.at;
    run->n_settings = x->settings.n;
    run->inputs = NULL;
    run->n_inputs = 0;
    run->log = NULL;
    run->on_log = NULL;
    run->on_event = NULL;
    run->on_progress = NULL;
    run->intervals = 1;
    run->output_points = "grid";
}

bool experiments_read(Experiments *e, const char *const *paths, uint32_t n)
{
    e->at = ARENA_ARRAY(e->arena, FitExperiment, n + (size_t)1);
    e->n = n;
    Columns *columns = columns_new(e->ctx, e->m->compilation.plan, NULL, false);
    bool ok = columns;
    for (uint32_t i = 0; i < n && columns; i++) {
        FitExperiment *x = &e->at[i];
        for (unsigned k = 0; k < e->run->n_settings; k++)
            vec_push(&x->settings, e->run->settings[k]);
        ok &= read_file(e, x, columns, paths[i]);
    }
    for (uint32_t i = 0; i < n && ok; i++)
        for (uint32_t k = 0; k < e->at[i].measured.n; k++) { /* outlive the columns */
            const char **unit = &e->at[i].measured.at[k].unit;
            *unit = *unit ? arena_copy(e->arena, *unit, strlen(*unit)) : NULL;
        }
    columns_free(columns);
    if (ok && e->n_values < e->n_parameters) {
        diag(e->ctx, (Span){0}, DIAG_A020, "%zu measured values are too few for %u parameters",
             e->n_values, e->n_parameters);
        ok = false;
    }
    for (uint32_t i = 0; i < n && ok; i++)
        set_up(e, &e->at[i]);
    return ok;
}

/* ---- models with inputs ---- */

typedef struct Inputs {
    const Experiments *e;
    const FitExperiment *x;
    DriveTable table;
    int status;
} Inputs;

static void collect_inputs(void *arg)
{
    Inputs *w = arg;
    const Table *t = w->x->table;
    unsigned n = w->x->inputs.n + 1;
    double *values = ARENA_ARRAY(w->e->arena, double, (size_t)n * t->n_rows);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        values[(size_t)i * n] = t->time[i];
        for (unsigned k = 1; k < n; k++)
            values[(size_t)i * n + k] = t->columns[table_find(t, w->x->inputs.at[k - 1])][i];
    }
    w->table = (DriveTable){t->path, w->x->inputs.at, n, values, t->n_rows};
    w->status = KAIROS_OK;
}

int experiments_prepare(Experiments *e)
{
    int status = KAIROS_OK;
    for (uint32_t i = 0; i < e->n && status == KAIROS_OK; i++) {
        FitExperiment *x = &e->at[i];
        if (!x->inputs.n && !e->run->n_inputs)
            continue;
        KairosRun run = x->trial.run;
        run.inputs = e->run->inputs;
        run.n_inputs = e->run->n_inputs;
        Inputs w = {.e = e, .x = x};
        status = session_guard(e->m->session, collect_inputs, &w, &w.status);
        if (status == KAIROS_OK)
            status = model_copy(e->m, &run, x->inputs.n ? &w.table : NULL, &x->own);
        x->trial.m = x->own;
        x->trial.driven = true;
    }
    return status;
}

/* ---- runs ---- */

typedef struct Batch {
    Experiments *e;
    const double *p;
    atomic_uint next;
} Batch;

static void *work(void *arg)
{
    Batch *b = arg;
    for (uint32_t i; (i = b->next++) < b->e->n;) {
        FitExperiment *x = &b->e->at[i];
        x->rows = 0;
        x->status = search_run(&x->trial, b->p);
        if (x->status == KAIROS_OK && x->rows < x->trial.n_times) {
            x->status = KAIROS_FAILED;
            strcpy(x->trial.reason, "the run ended before the last time of the data");
        }
    }
    return NULL;
}

int experiments_run(Experiments *e, const double *p, bool derivatives, bool messages)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    Batch b = {.e = e, .p = p};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t jobs = e->jobs ? e->jobs : cores > 0 ? (uint32_t)cores : 1, started = 0;
    jobs = jobs > MOST ? MOST : jobs;
    jobs = jobs > e->n ? e->n : jobs;
    for (uint32_t i = 0; i < e->n; i++) {
        e->at[i].trial.derivatives = derivatives;
        e->at[i].trial.messages = messages;
    }
    while (started + 1 < jobs && !pthread_create(&threads[started], NULL, work, &b))
        started++;
    work(&b);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->at[i].status != KAIROS_OK)
            return e->at[i].status;
    return KAIROS_OK;
}

void experiments_free(Experiments *e)
{
    for (uint32_t i = 0; i < e->n; i++) {
        FitExperiment *x = &e->at[i];
        table_free(x->table);
        vec_free(&x->measured);
        vec_free(&x->inputs);
        vec_free(&x->settings);
        vec_free(&x->names);
        kairos_free_model(x->own);
    }
    vec_free(&e->signals);
}

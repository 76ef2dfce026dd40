/* Runs whose rows stay in memory: one model, many sets of values, several threads. */
#include "api/session.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct KairosRows {
    char **names;
    double *values; /* row by row */
    size_t n, room; /* rows */
    unsigned columns;
    Text events; /* the objects, separated by commas */
    char *messages;
};

typedef struct Batch {
    KairosModel *m;
    const KairosBatch *given;
    KairosBatch how;
    KairosRun run;
    KairosRows **rows;
    int *status;
    size_t expected; /* rows of a run */
    atomic_size_t next;
    atomic_int stop;
    pthread_mutex_t lock; /* for on_done */
    int result;
} Batch;

/* ---- rows ---- */

static void take_names(KairosRows *r, const KairosRow *row)
{
    r->names = memory_alloc(row->n * sizeof *r->names);
    r->columns = row->n;
    for (unsigned i = 0; i < row->n; i++)
        r->names[i] = session_text(row->names[i]);
}

typedef struct Worker { /* the user of one run */
    Batch *batch;
    KairosRows *rows;
} Worker;

static int take_row(void *user, const KairosRow *row)
{
    KairosRows *r = ((Worker *)user)->rows;
    if (!r->names)
        take_names(r, row);
    if (r->n == r->room) {
        size_t size = r->columns * sizeof *r->values,
               more = r->room ? 2 * r->room : ((Worker *)user)->batch->expected;
        r->values = memory_grow(r->values, r->room * size, more * size);
        r->room = more;
    }
    memcpy(r->values + r->n++ * r->columns, row->values, r->columns * sizeof *r->values);
    return 0;
}

static void take_event(void *user, const char *text)
{
    Text *t = &((Worker *)user)->rows->events;
    text_put(t, t->n ? "," : "[");
    text_put(t, text);
}

static void take_messages(void *user, const char *text)
{
    ((Worker *)user)->rows->messages = session_text(text);
}

static void pass_log(void *user, const char *text)
{
    const Batch *b = ((Worker *)user)->batch;
    b->run.on_log(b->run.user, text);
}

static void pass_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    const Batch *b = ((Worker *)user)->batch;
    b->run.on_progress(b->run.user, time, steps, events);
}

void kairos_free_rows(KairosRows *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < r->columns && r->names; i++)
        memory_free(r->names[i]);
    memory_free(r->names);
    memory_free(r->values);
    memory_free(r->messages);
    text_free(&r->events);
    memory_free(r);
}

double *kairos_rows_values(KairosRows *r, size_t *rows, unsigned *columns)
{
    *rows = r->n;
    *columns = r->columns;
    return r->values;
}

const char *kairos_rows_name(const KairosRows *r, unsigned column)
{
    return column < r->columns ? r->names[column] : NULL;
}

const char *kairos_rows_events(const KairosRows *r)
{
    return r->events.n ? r->events.at : "[]";
}

const char *kairos_rows_messages(const KairosRows *r)
{
    return r->messages ? r->messages : "[]";
}

/* ---- the runs ---- */

enum { VALUE = 32 }; /* bytes of a number as text */

typedef struct Task {
    Batch *batch;
    KairosSetting *settings; /* those of all runs, then those of this one */
    char *texts;             /* VALUE bytes each */
    Worker worker;
    int status;
} Task;

static void prepare(void *arg)
{
    Task *t = arg;
    const Batch *b = t->batch;
    unsigned common = b->run.n_settings, own = b->how.n_names;
    t->settings = memory_alloc((common + own + (size_t)1) * sizeof *t->settings);
    t->texts = memory_alloc(own * (size_t)VALUE + 1);
    for (unsigned i = 0; i < common; i++)
        t->settings[i] = b->run.settings[i];
    for (unsigned i = 0; i < own; i++)
        t->settings[common + i] = (KairosSetting){b->how.names[i], t->texts + i * (size_t)VALUE};
    t->status = KAIROS_OK;
}

static void begin_run(void *arg)
{
    Task *t = arg;
    t->worker = (Worker){t->batch, memory_alloc(sizeof *t->worker.rows)};
    t->status = KAIROS_OK;
}

static void end_run(void *arg)
{
    Text *t = &((Task *)arg)->worker.rows->events;
    if (t->n)
        text_put_char(t, ']');
}

static void run_one(Task *t, size_t i)
{
    Batch *b = t->batch;
    for (unsigned k = 0; k < b->how.n_names; k++)
        real_print(t->texts + k * (size_t)VALUE, b->how.values[i * b->how.n_names + k]);
    int status = session_guard(b->m->session, begin_run, t, &t->status);
    if (status == KAIROS_OK) {
        KairosRun run = b->run;
        run.settings = t->settings;
        run.n_settings += b->how.n_names;
        run.output = NULL;
        run.on_row = take_row;
        run.on_final = NULL;
        run.on_event = b->how.events ? take_event : NULL;
        run.on_messages = take_messages;
        run.on_log = b->run.on_log ? pass_log : NULL;
        run.on_progress = b->run.on_progress ? pass_progress : NULL;
        run.user = &t->worker;
        b->rows[i] = t->worker.rows;
        status = kairos_simulate_model(b->m, &run);
        if (session_guard(b->m->session, end_run, t, &t->status) != KAIROS_OK)
            status = KAIROS_FAILED;
    }
    b->status[i] = status;
    pthread_mutex_lock(&b->lock);
    bool stop =
        status == KAIROS_INTERRUPTED || (b->how.on_done && b->how.on_done(b->how.user, i, status));
    pthread_mutex_unlock(&b->lock);
    if (stop)
        b->stop = 1;
}

static void *work(void *arg)
{
    Batch *b = arg;
    Task t = {.batch = b};
    if (session_guard(b->m->session, prepare, &t, &t.status) == KAIROS_OK)
        for (size_t i; !b->stop && (i = b->next++) < b->how.n;)
            run_one(&t, i);
    memory_free(t.settings);
    memory_free(t.texts);
    return NULL;
}

static void read_batch(void *arg)
{
    Batch *b = arg;
    bool ok = SESSION_READ(b->m->session, KairosBatch, b->given, &b->how) &&
              SESSION_READ(b->m->session, KairosRun, b->how.run, &b->run);
    enum { USUAL = 500, AT_EVENTS = 24 };
    b->expected = (b->run.intervals ? b->run.intervals : USUAL) + AT_EVENTS;
    b->result = ok ? KAIROS_OK : KAIROS_USE_ERROR;
}

static void run_threads(Batch *b)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = b->how.jobs ? b->how.jobs : cores > 0 ? (size_t)cores : 1, started = 0;
    jobs = jobs > MOST ? MOST : jobs;
    jobs = jobs > b->how.n ? b->how.n : jobs;
    while (started + 1 < jobs && !pthread_create(&threads[started], NULL, work, b))
        started++;
    work(b);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

int kairos_simulate_batch(KairosModel *m, const KairosBatch *batch, KairosRows **rows, int *status)
{
    Batch b = {.m = m, .given = batch, .rows = rows, .status = status};
    int result = session_guard(m->session, read_batch, &b, &b.result);
    if (result != KAIROS_OK)
        return result;
    for (size_t i = 0; i < b.how.n; i++) {
        rows[i] = NULL;
        status[i] = KAIROS_INTERRUPTED; /* unless it begins */
    }
    if (m->session->runs++ == 0) /* the batch is one action: an interruption ends all its runs */
        *m->session->ctx->interrupt = 0;
    pthread_mutex_init(&b.lock, NULL);
    run_threads(&b);
    pthread_mutex_destroy(&b.lock);
    m->session->runs--;
    for (size_t i = 0; i < b.how.n && result == KAIROS_OK; i++)
        result = status[i];
    return result;
}

/* Workers: processes that run points. They are forked from the process that compiled the model, so
 * that they share its code. A crash of external code ends one of them: the point is lost, and a new
 * worker takes its place. */
#include "study.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct Shared {
    atomic_ullong next, end; /* the present range of places */
    atomic_ullong count;     /* finished points */
    atomic_int closed;       /* no further range will come */
    atomic_int stop;         /* take no further point */
    atomic_int failed;       /* a journal cannot be written; otherwise as stop */
    atomic_ullong current[]; /* of each worker: its point + 1, 0: none */
};

struct Team {
    const Study *s;
    RunHow how;
    const uint8_t *done;
    const uint64_t *order; /* places to points; NULL: the same */
    Shared *shared;
    size_t size;
    pid_t *workers;   /* size how.jobs; 0: ended */
    Journal *journal; /* of points that crashed */
    uint64_t killed;  /* the last point whose worker was killed, + 1 */
    unsigned kills;   /* how often */
};
enum { MOST_KILLS = 3 };

/* ---- one point ---- */

typedef struct Run {
    const Study *s;
    Kept *kept;
    char message[2000];
    char *rendered; /* messages of a run of a sweep; NULL: none */
    double *finals; /* of a sweep: values at the end; size n_keeps */
    unsigned at;    /* place of the next of them */
    uint64_t point;
    bool lacks;   /* a name is missing */
    double *rows; /* of trajectories */
    uint64_t n_rows, room;
    int *columns; /* of trajectories; size n_trajectories */
} Run;

static bool find_columns(Run *r, const KairosRow *row)
{
    for (unsigned i = 0; i < r->s->n_trajectories; i++) {
        r->columns[i] = -1;
        for (unsigned k = 0; k < row->n; k++)
            if (!strcmp(row->names[k], r->s->trajectories[i]))
                r->columns[i] = (int)k;
        if (r->columns[i] < 0)
            return false;
    }
    return true;
}

static int take_row(void *user, const KairosRow *row)
{
    Run *r = user;
    unsigned n = r->s->n_trajectories;
    r->lacks = !kept_row(r->kept, row->names, row->n, row->values, NULL, NULL) ||
               (n && !r->n_rows && !find_columns(r, row));
    if (r->lacks)
        return 1;
    if (!n)
        return 0;
    if (r->n_rows == r->room) {
        r->room = r->room ? 2 * r->room : 512;
        r->rows = study_resize(r->rows, r->room * (n + 1), sizeof *r->rows);
    }
    double *at = r->rows + r->n_rows++ * (n + 1);
    at[0] = row->values[0];
    for (unsigned i = 0; i < n; i++)
        at[i + 1] = row->values[r->columns[i]];
    return 0;
}

static void take_event(void *user, const char *json)
{
    kept_event(((Run *)user)->kept, json);
}

/* The first error with its text, otherwise the codes of warnings. */
static void take_messages(void *user, const char *json)
{
    Run *r = user;
    cJSON *all = cJSON_Parse(json), *one;
    char *at = r->message, *end = at + sizeof r->message;
    cJSON_ArrayForEach(one, all)
    {
        const char *severity =
                       cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "severity")),
                   *code = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "code")),
                   *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "message"));
        if (!severity || !code || !text)
            continue;
        if (!strcmp(severity, "error")) {
            snprintf(r->message, sizeof r->message, "%s: %s", code, text);
            break;
        }
        if (!strstr(r->message, code) && end - at > 40)
            at += snprintf(at, (size_t)(end - at), "%swarning %s", at == r->message ? "" : ", ",
                           code);
    }
    cJSON_Delete(all);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- a run of a study ---- */

static int simulate_point(const Team *t, Run *r, const KairosSetting *settings, unsigned n)
{
    const Study *s = t->s;
    bool rows = keep_needs_rows(s);
    KairosRun run = {.size = sizeof run,
                     .start_time = s->has_start ? &s->start : NULL,
                     .stop_time = s->has_stop ? &s->stop : NULL,
                     .intervals = rows ? s->intervals : 1,
                     .tolerance = s->tolerance,
                     .solver = s->solver,
                     .step = s->step,
                     .settings = settings,
                     .n_settings = n,
                     .on_row = take_row,
                     .on_event = keep_needs_events(s) ? take_event : NULL,
                     .on_messages = take_messages,
                     .output_points = "grid",
                     .seconds = s->seconds,
                     .user = r};
    kept_begin(r->kept);
    *r->message = 0;
    r->n_rows = 0;
    r->lacks = false;
    int status = kairos_simulate_model(t->how.model, &run);
    if (status && !*r->message) { /* of a compilation */
        char *text = kairos_render_messages(t->how.session, KAIROS_JSON);
        if (text)
            take_messages(r, text);
        kairos_free_text(text);
        kairos_clear_messages(t->how.session);
    }
    if (r->lacks)
        snprintf(r->message, sizeof r->message, "the model of this point lacks a kept variable");
    kept_values(r->kept, r->finals);
    for (unsigned i = 0; status && i < s->n_keeps; i++)
        r->finals[i] = NAN; /* of a part of the run: never mixed with others */
    if (status && s->stop_at_failure)
        t->shared->stop = 1;
    return status;
}

/* ---- a run of a sweep ---- */

static void put_log(void *user, const char *text)
{
    const Run *r = user;
    fprintf(stderr, "run %llu: %s%s", (unsigned long long)r->point + 1, text,
            *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
}

/* Names come in the same order, unless the structure of the model has changed. */
static void take_final(void *user, const char *name, double value)
{
    Run *r = user;
    for (unsigned i = 0, n = r->s->n_keeps; i < n; i++) {
        unsigned k = (r->at + i) % n;
        if (!strcmp(r->s->keeps[k], name)) {
            r->finals[k] = value;
            r->at = k + 1;
            return;
        }
    }
}

/* "dir/name.csv" to "dir/name_03.csv". */
static char *result_file(const char *files, uint64_t point, uint64_t n)
{
    const char *slash = strrchr(files, '/'), *dot = strrchr(files, '.');
    int stem = (int)(dot && (!slash || dot > slash) ? (size_t)(dot - files) : strlen(files));
    int digits = snprintf(NULL, 0, "%llu", (unsigned long long)n);
    char *name = study_alloc(strlen(files) + 32, 1);
    sprintf(name, "%.*s_%0*llu%s", stem, files, digits, (unsigned long long)point + 1,
            files + stem);
    return name;
}

static void report_run(const Team *t, const Run *r, const KairosSetting *factors, int status,
                       const char *file)
{
    char text[1000];
    size_t n =
        (size_t)snprintf(text, sizeof text, "run %llu of %llu:", (unsigned long long)r->point + 1,
                         (unsigned long long)t->s->design.points);
    for (unsigned k = 0; k < t->s->n_factors && n < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s=%s", factors[k].name,
                              factors[k].value);
    fprintf(stderr, status ? "%s: %s (status %d)\n" : "%s: %s\n", text, file, status);
}

static int simulate_sweep(const Team *t, Run *r, const KairosSetting *settings, unsigned n)
{
    const RunHow *how = &t->how;
    char *file = result_file(how->files, r->point, t->s->design.points);
    KairosRun run = *how->run;
    run.settings = settings;
    run.n_settings = n;
    run.output = file;
    run.on_log = put_log;
    run.on_final = take_final;
    run.user = r;
    r->at = 0;
    for (unsigned i = 0; i < t->s->n_keeps; i++)
        r->finals[i] = NAN;
    int status = kairos_simulate_model(how->model, &run);
    kairos_free_text(r->rendered);
    r->rendered = kairos_render_messages(how->session, how->format);
    kairos_clear_messages(how->session);
    if (!how->quiet)
        report_run(t, r, settings + t->s->n_settings, status, file);
    if (status == KAIROS_USE_ERROR || status == KAIROS_MODEL_ERROR || status == KAIROS_INTERRUPTED)
        t->shared->stop = 1;
    free(file);
    return status;
}

/* ---- both ---- */

static bool run_point(const Team *t, Run *r, Journal *j, uint64_t point)
{
    const Study *s = t->s;
    KairosSetting settings[s->n_settings + s->n_factors + 1];
    char texts[s->n_factors + 1][32];
    unsigned n = point_settings(s, point, settings, texts);
    double begin = now();
    r->point = point;
    int status = s->sweep ? simulate_sweep(t, r, settings, n) : simulate_point(t, r, settings, n);
    return journal_write(j, s,
                         &(Record){.point = point,
                                   .status = status ? POINT_FAILED : POINT_OK,
                                   .exit = status,
                                   .seconds = now() - begin,
                                   .values = r->finals,
                                   .message = r->rendered ? r->rendered : r->message,
                                   .rows = r->rows,
                                   .n_rows = r->n_rows});
}

/* ---- a worker ---- */

static bool take_point(const Team *t, uint64_t *point)
{
    for (Shared *h = t->shared;;) {
        unsigned long long next = h->next;
        if (h->stop || h->failed)
            return false;
        if (next < h->end) {
            if (atomic_compare_exchange_weak(&h->next, &next, next + 1)) {
                *point = t->order ? t->order[next] : next;
                return true;
            }
        } else if (h->closed) {
            return false;
        } else {
            usleep(200);
        }
    }
}

/* `again`: a point to begin with, + 1; 0: none. */
static void work(const Team *t, unsigned number, uint64_t again)
{
    Shared *h = t->shared;
    Journal *j = journal_open(t->s);
    Run r = {.s = t->s,
             .kept = t->s->sweep ? NULL : kept_new(t->s->kept_exprs, t->s->n_keeps, 0),
             .finals = study_alloc(t->s->n_keeps + 1, sizeof *r.finals),
             .columns = study_alloc(t->s->n_trajectories + 1, sizeof *r.columns)};
    kairos_clear_messages(t->how.session); /* the first process has those of the compilation */
    uint64_t point = again - 1;
    while (j && (again || take_point(t, &point))) {
        again = 0;
        if (t->done[point])
            continue;
        h->current[number] = point + 1;
        if (!run_point(t, &r, j, point)) {
            fprintf(stderr, "kairos: cannot write to '%s': %s\n", t->s->journal, strerror(errno));
            h->failed = 1;
        } else {
            h->count++;
        }
        h->current[number] = 0;
    }
    if (!j)
        h->failed = 1;
    journal_close(j);
    fflush(stderr);
    _exit(0);
}

/* The session and the memory of this process, if it is a worker of a sweep. */
static Kairos *session;
static Shared *memory;

/* The run ends and its rows are saved. */
static void interrupt_run(int number)
{
    (void)number;
    memory->stop = 1;
    kairos_interrupt(session);
}

static bool start_worker(Team *t, unsigned number, uint64_t again)
{
    fflush(NULL);
    pid_t parent = getpid(), id = fork();
    if (id == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        session = t->how.session;
        memory = t->shared;
        struct sigaction gentle = {.sa_handler = interrupt_run};
        signal(SIGINT, SIG_IGN);
        if (t->how.files)
            sigaction(SIGTERM, &gentle, NULL);
        else
            signal(SIGTERM, SIG_DFL);
        if (getppid() != parent)
            _exit(0);
        work(t, number, again);
    }
    t->workers[number] = id > 0 ? id : 0;
    return id > 0;
}

/* ---- the team ---- */

Team *team_start(const Study *s, const RunHow *how, const uint8_t *done, const uint64_t *order)
{
    Team *t = study_alloc(1, sizeof *t);
    t->s = s;
    t->how = *how;
    t->done = done;
    t->order = order;
    t->size = sizeof *t->shared + how->jobs * sizeof t->shared->current[0];
    t->shared = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    t->workers = study_alloc(how->jobs, sizeof *t->workers);
    t->journal = journal_open(s);
    bool ok = t->shared != MAP_FAILED && t->journal;
    for (unsigned i = 0; ok && i < how->jobs; i++)
        ok = start_worker(t, i, 0);
    if (ok)
        return t;
    fprintf(stderr, "kairos: cannot start a worker: %s\n", strerror(errno));
    team_free(t);
    return NULL;
}

void team_give(Team *t, uint64_t begin, uint64_t end)
{
    t->shared->next = begin; /* not before the old end: nobody takes it yet */
    t->shared->end = end;
}

bool team_idle(const Team *t)
{
    return t->shared->next >= t->shared->end;
}

void team_finish_giving(Team *t)
{
    t->shared->closed = 1;
}

/* A worker has ended. If it was at work, its point has crashed. */
static void worker_ended(Team *t, unsigned number, int status)
{
    uint64_t current = t->shared->current[number];
    t->workers[number] = 0;
    if (!current || t->shared->failed)
        return;
    if (t->shared->stop && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return; /* nothing more is to begin */
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
        (t->killed != current || ++t->kills < MOST_KILLS)) {
        t->kills = t->killed == current ? t->kills : 1;
        t->killed = current;
        start_worker(t, number, current); /* it came from outside: try the point again */
        return;
    }
    double values[t->s->n_keeps + 1];
    for (unsigned i = 0; i < t->s->n_keeps; i++)
        values[i] = NAN;
    char message[200];
    if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "the process was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(message, sizeof message, "the process ended with exit status %d",
                 WEXITSTATUS(status));
    t->shared->current[number] = 0;
    if (!journal_write(t->journal, t->s,
                       &(Record){.point = current - 1,
                                 .status = POINT_CRASHED,
                                 .exit = KAIROS_FAILED,
                                 .values = values,
                                 .message = message}))
        t->shared->failed = 1;
    t->shared->count++;
    if (t->s->stop_at_failure)
        t->shared->stop = 1;
    start_worker(t, number, 0);
}

bool team_tend(Team *t, int milliseconds)
{
    bool any = false, ended = false;
    for (unsigned i = 0; i < t->how.jobs; i++) {
        int status;
        if (t->workers[i] && waitpid(t->workers[i], &status, WNOHANG) == t->workers[i]) {
            worker_ended(t, i, status);
            ended = true;
        }
        any |= t->workers[i] != 0;
    }
    if (any && !ended)
        usleep((useconds_t)milliseconds * 1000);
    return any;
}

uint64_t team_count(const Team *t)
{
    return t->shared->count;
}

bool team_failed(const Team *t)
{
    return t->shared->failed || t->shared->stop;
}

void team_interrupt(Team *t)
{
    t->shared->stop = 1;
    for (unsigned i = 0; i < t->how.jobs; i++)
        if (t->workers[i])
            kill(t->workers[i], SIGTERM);
}

void team_free(Team *t)
{
    for (unsigned i = 0; t->workers && i < t->how.jobs; i++)
        if (t->workers[i]) {
            kill(t->workers[i], SIGKILL); /* finished points are safe */
            waitpid(t->workers[i], NULL, 0);
        }
    journal_close(t->journal);
    if (t->shared && t->shared != MAP_FAILED)
        munmap(t->shared, t->size);
    free(t->workers);
    free(t);
}

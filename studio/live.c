/* A live model: compiled once, run as often as the server asks. It is compiled again only if a
 * setting is structural.
 *
 * One thread runs, another one listens to the server. A stop reaches a run at any time, and the end
 * of the server ends the process. */
#include "child.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 1 << 18 };                /* bytes of rows per message */
enum { GENTLE = 2 };                     /* seconds until the process is killed */
static const double flush_period = 0.02; /* s */

/* How a column of a row reaches the server: once for all rows, with each row, or not at all,
 * because another column has its values. */
typedef enum ColumnUse { USE_CONSTANT, USE_VARYING, USE_ALIAS } ColumnUse;

typedef struct Live {
    Worker *w; /* NULL once the worker is left, which the thread `hear` may outlive */
    int fd;    /* of the worker */
    KairosModel *model;
    ColumnUse *use; /* by columns of a row, time included */
    uint32_t n_columns;

    pthread_mutex_t lock; /* for the members below */
    pthread_cond_t changed;
    VEC(char *) requests;  /* runs to come */
    VEC(char *) questions; /* about surfaces; answered also during a run */
    bool over;
    VEC(uint32_t) stopped; /* runs that are to end */

    /* the run at work */
    uint32_t run;
    VEC(double) rows; /* of the columns that vary, not sent yet */
    uint32_t n_rows;
    bool begun;
    _Atomic bool stopping;
    uint64_t names; /* hash of the names of columns that the server knows */
    double flushed, reported;
    double steps, events;
} Live;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- hearing the server ---- */

/* Under the lock. */
static bool is_stopped(const Live *l)
{
    for (uint32_t i = 0; i < l->stopped.n; i++)
        if (l->stopped.at[i] == l->run)
            return true;
    return false;
}

static void take_request(Live *l, char *text)
{
    cJSON *o = cJSON_Parse(text);
    const cJSON *stop = json_part(o, "end_run");
    pthread_mutex_lock(&l->lock);
    if (stop) {
        vec_push(&l->stopped, (uint32_t)cJSON_GetNumberValue(stop));
        if (l->w && is_stopped(l)) {
            l->stopping = true;
            kairos_interrupt(l->w->k);
        }
        free(text);
    } else {
        if (json_part(o, "surfaces"))
            vec_push(&l->questions, text);
        else
            vec_push(&l->requests, text);
        pthread_cond_signal(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
    cJSON_Delete(o);
}

static void *hear(void *user)
{
    Live *l = user;
    FrameHead head;
    Text text = {0};
    while (frame_receive(l->fd, &head, &text))
        take_request(l, strdup(text.at));
    text_free(&text);
    pthread_mutex_lock(&l->lock);
    if (l->w)
        kairos_interrupt(l->w->k);
    l->over = true;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
    sleep(GENTLE);
    _exit(1);
}

/* ---- surfaces ---- */

enum { NUMBERS_MOST = 1 << 20 };

static char *points_of(const Live *l, const cJSON *one, double time)
{
    const cJSON *x, *list = json_part(one, "values");
    const char *name = json_text(one, "name");
    VEC(double) values = {0};
    cJSON_ArrayForEach(x, list) if (values.n < NUMBERS_MOST)
        vec_push(&values, cJSON_IsNumber(x) ? x->valuedouble : (double)NAN);
    char *text = name ? kairos_describe_surface(l->model, name, time, values.at, values.n) : NULL;
    vec_free(&values);
    return text;
}

/* The points of all surfaces in the question; those without points are left out. */
static void answer_surfaces(Live *l, const cJSON *question)
{
    const cJSON *one;
    double time = json_number(question, "time");
    Text t = {0};
    const char *comma = "";
    text_put(&t, "{\"time\":");
    json_put_number(&t, time);
    text_put(&t, ",\"surfaces\":[");
    cJSON_ArrayForEach(one, json_part(question, "surfaces"))
    {
        char *points = points_of(l, one, time);
        if (points) {
            text_put(&t, comma);
            text_put(&t, points);
            comma = ",";
        }
        kairos_free_text(points);
    }
    text_put(&t, "]}");
    worker_answer(l->w, 200, 0, t.at, t.n);
    text_free(&t);
}

static void answer_questions(Live *l)
{
    for (;;) {
        char *text = NULL;
        pthread_mutex_lock(&l->lock);
        if (l->questions.n) {
            text = l->questions.at[0];
            memmove(l->questions.at, l->questions.at + 1,
                    --l->questions.n * sizeof *l->questions.at);
        }
        pthread_mutex_unlock(&l->lock);
        if (!text)
            return;
        cJSON *o = cJSON_Parse(text);
        answer_surfaces(l, o);
        cJSON_Delete(o);
        free(text);
    }
}

/* The next run; NULL at the end. */
static char *next_request(Live *l)
{
    for (char *text = NULL;;) {
        pthread_mutex_lock(&l->lock);
        while (!l->requests.n && !l->questions.n && !l->over)
            pthread_cond_wait(&l->changed, &l->lock);
        bool over = l->over;
        if (!over && !l->questions.n) {
            text = l->requests.at[0];
            memmove(l->requests.at, l->requests.at + 1, --l->requests.n * sizeof *l->requests.at);
        }
        pthread_mutex_unlock(&l->lock);
        if (text || over)
            return text;
        answer_questions(l);
    }
}

/* ---- rows ---- */

static void send_rows(Live *l)
{
    if (l->n_rows)
        frame_send_for(l->w->fd, FRAME_ROWS, l->run, l->n_rows, l->rows.at,
                       l->rows.n * sizeof *l->rows.at);
    l->rows.n = l->n_rows = 0;
    l->flushed = now();
}

/* After a structural setting, a run may have other columns than the model had at first. */
static void report_columns(Live *l, uint64_t hash)
{
    char *text = kairos_describe_model(l->model);
    cJSON *o = cJSON_Parse(text ? text : "{}"), *row, *list = json_part(o, "variables");
    l->n_columns = 1;
    l->names = hash;
    l->use = realloc(l->use, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *l->use);
    l->use[0] = USE_VARYING;
    cJSON_ArrayForEach(row, list) l->use[l->n_columns++] = json_flag(row, "constant") ? USE_CONSTANT
                                                           : json_part(row, "alias")  ? USE_ALIAS
                                                                                      : USE_VARYING;
    cJSON *columns = cJSON_CreateObject();
    cJSON_AddItemReferenceToObject(columns, "variables", list);
    cJSON_AddItemReferenceToObject(columns, "visuals", json_part(o, "visuals"));
    char *names = cJSON_PrintUnformatted(columns);
    cJSON_Delete(columns);
    frame_send(l->w->fd, FRAME_NAMES, names, strlen(names));
    free(names);
    cJSON_Delete(o);
    kairos_free_text(text);
}

static uint64_t hash_names(const KairosRow *row)
{
    uint64_t h = row->n;
    for (uint32_t i = 0; i < row->n; i++)
        for (const char *p = row->names[i]; *p; p++)
            h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return h | 1;
}

static void begin_rows(Live *l, const KairosRow *row)
{
    VEC(double) constants = {0};
    uint64_t hash = hash_names(row);
    if (hash != l->names)
        report_columns(l, hash);
    l->begun = true;
    for (uint32_t i = 0; i < row->n; i++)
        if (l->use[i] == USE_CONSTANT)
            vec_push(&constants, row->values[i]);
    frame_send_for(l->w->fd, FRAME_CONSTANTS, l->run, 0, constants.at,
                   constants.n * sizeof *constants.at);
    vec_free(&constants);
}

static int on_row(void *user, const KairosRow *row)
{
    Live *l = user;
    if (!l->begun)
        begin_rows(l, row);
    for (uint32_t i = 0; i < row->n; i++)
        if (l->use[i] == USE_VARYING)
            vec_push(&l->rows, row->values[i]);
    l->n_rows++;
    if (l->rows.n * sizeof(double) >= BATCH || now() - l->flushed > flush_period)
        send_rows(l);
    return l->stopping;
}

static void on_event(void *user, const char *json)
{
    Live *l = user;
    frame_send_for(l->w->fd, FRAME_EVENT, l->run, 0, json, strlen(json));
}

static void on_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    Live *l = user;
    double values[] = {time, (double)steps, (double)events};
    l->steps = values[1];
    l->events = values[2];
    if (now() - l->reported < flush_period)
        return; /* rows that were sent meanwhile do not count: they would hold progress back */
    l->reported = now();
    send_rows(l);
    frame_send_for(l->w->fd, FRAME_PROGRESS, l->run, 0, values, sizeof values);
    answer_questions(l);
}

/* ---- runs ---- */

static void report_end(Live *l, int status, double seconds)
{
    cJSON *o = cJSON_CreateObject(), *stats = cJSON_AddObjectToObject(o, "stats");
    bool stopped = status == KAIROS_INTERRUPTED || l->stopping;
    cJSON_AddNumberToObject(o, "run", l->run);
    cJSON_AddStringToObject(o, "status",
                            stopped               ? "stopped"
                            : status == KAIROS_OK ? "done"
                                                  : "failed");
    cJSON *messages = worker_messages(l->w);
    cJSON_AddItemToObject(o, "why", worker_why(messages));
    cJSON_AddItemToObject(o, "diagnostics", messages);
    cJSON_AddNumberToObject(stats, "seconds", seconds);
    cJSON_AddNumberToObject(stats, "steps", l->steps);
    cJSON_AddNumberToObject(stats, "events", l->events);
    char *text = cJSON_PrintUnformatted(o);
    frame_send(l->w->fd, FRAME_END, text, strlen(text));
    free(text);
    cJSON_Delete(o);
}

static void simulate(Live *l, const cJSON *o)
{
    RunRequest request;
    run_request_read(&request, o);
    KairosRun *run = &request.run;
    run->output_points = "auto"; /* curves between events are true */
    run->output = json_text(o, "output");
    run->on_event = on_event;
    run->on_progress = on_progress;
    run->on_row = on_row;
    run->user = l;
    l->begun = false;
    l->steps = l->events = 0;
    double begin = l->flushed = l->reported = now();
    pthread_mutex_lock(&l->lock);
    l->run = (uint32_t)json_number(o, "run");
    bool skip = is_stopped(l);
    l->stopping = skip;
    pthread_mutex_unlock(&l->lock);
    frame_send_for(l->w->fd, FRAME_BEGIN, l->run, 0, "", 0);
    kairos_clear_messages(l->w->k);
    int status = skip ? KAIROS_INTERRUPTED : kairos_simulate_model(l->model, run);
    send_rows(l);
    report_end(l, status, now() - begin);
    pthread_mutex_lock(&l->lock);
    l->run = 0;
    pthread_mutex_unlock(&l->lock);
    run_request_free(&request);
}

/* ---- the model ---- */

static void answer_model(Live *l, double seconds)
{
    cJSON *o;
    if (l->model) {
        char *text = kairos_describe_model(l->model);
        o = cJSON_Parse(text);
        kairos_free_text(text);
    } else {
        o = cJSON_CreateObject();
    }
    cJSON_AddItemToObject(o, "diagnostics", worker_messages(l->w));
    cJSON_AddNumberToObject(o, "ms", 1e3 * seconds);
    char *text = cJSON_PrintUnformatted(o), *stripped = worker_strip(l->w, text);
    worker_answer(l->w, l->model ? 200 : 422, 0, stripped, strlen(stripped));
    memory_free(stripped);
    free(text);
    cJSON_Delete(o);
}

void live_run(Worker *w, const cJSON *request)
{
    Live *l = memory_alloc(sizeof *l); /* the thread `hear` runs until the end of the process */
    *l = (Live){.w = w,
                .fd = w->fd,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .changed = PTHREAD_COND_INITIALIZER};
    pthread_t ear;
    double start = now();
    if (pthread_create(&ear, NULL, hear, l)) {
        worker_fail(w, 500, "cannot start a thread");
        return;
    }
    int status = worker_load(w, request);
    if (!status)
        l->model = kairos_compile_model(w->k, json_text(request, "class"), NULL);
    answer_model(l, now() - start);
    worker_send_read(w);
    for (char *text; l->model && (text = next_request(l)); free(text)) {
        cJSON *o = cJSON_Parse(text);
        simulate(l, o);
        cJSON_Delete(o);
    }
    kairos_free_model(l->model);
    pthread_mutex_lock(&l->lock);
    l->w = NULL;
    pthread_mutex_unlock(&l->lock);
}

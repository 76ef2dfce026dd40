/* Runs: data from the children of models, kept until the page drops it, and reported to pages as it
 * comes. */
#include "server.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

static const char *const status_names[] = {"queued",  "running", "done", "failed",
                                           "stopped", "crashed", "limit"};
enum { ROWS_AT_ONCE = 400, WATCH_MOST = 64, EVENTS_MOST = 200000, RUNS_MOST = 1000 };
static const double frame_period = 0.05, stop_seconds = 3; /* s */
static const size_t total_most = (size_t)1 << 30;          /* bytes of all results */

Run *run_find(Studio *s, unsigned id)
{
    for (Run *run = s->runs; run; run = run->after)
        if (run->id == id)
            return run;
    return NULL;
}

static void clear_watch(Run *run)
{
    for (uint32_t i = 0; i < run->watch.n; i++)
        free(run->watch.at[i]);
    vec_clear(&run->watch);
}

static void run_free(Run *run)
{
    for (Run **p = &run->studio->runs; *p; p = &(*p)->after)
        if (*p == run) {
            *p = run->after;
            break;
        }
    if (run->result)
        unlink(run->result);
    clear_watch(run);
    vec_free(&run->watch);
    columns_drop(run->columns);
    memory_free(run->constants);
    rows_free(&run->rows);
    text_free(&run->events.text);
    vec_free(&run->events.starts);
    lanes_free(run->lanes);
    free(run->name);
    free(run->settings);
    free(run->about);
    free(run->message);
    free(run->result);
    free(run->end);
    memory_free(run);
}

void runs_free(Studio *s)
{
    while (s->runs)
        run_free(s->runs);
}

/* ---- events for pages ---- */

static void put_run(Text *t, const Run *run)
{
    text_printf(t, "{\"run\":%u,\"model\":%u,\"class\":", run->id, run->model);
    text_put_json(t, run->name);
    text_printf(t, ",\"status\":\"%s\",\"message\":", status_names[run->status]);
    json_put_text(t, run->message);
    text_printf(t, ",\"rows\":%zu,\"events\":%u,\"keep\":%s,\"start\":", run->n_rows,
                run->events.starts.n, run->keep ? "true" : "false");
    json_put_number(t, run->start);
    text_put(t, ",\"stop\":");
    json_put_number(t, run->stop);
    text_put(t, ",\"time\":");
    json_put_number(t, run->time);
    text_printf(t, ",\"settings\":%s,\"about\":%s}", run->settings ? run->settings : "{}",
                run->about ? run->about : "{}");
}

void runs_put_list(const Studio *s, Text *t)
{
    text_put(t, "[");
    for (const Run *run = s->runs; run; run = run->after) {
        put_run(t, run);
        text_put(t, run->after ? "," : "");
    }
    text_put(t, "]");
}

static void report_run(Run *run)
{
    Text t = {0};
    put_run(&t, run);
    events_send(run->studio, "run", &t);
    text_free(&t);
}

static void report_rows(Run *run)
{
    if (run->sent_rows == run->n_rows || !run->studio->clients)
        return;
    Text t = {0};
    text_printf(&t, "{\"run\":%u,\"from\":%zu,", run->id, run->sent_rows);
    trajectory_put(&t, run, run->watch.at, run->watch.n,
                   (DataRange){run->sent_rows, run->n_rows, NAN, NAN, ROWS_AT_ONCE, NULL});
    text_put(&t, "}");
    run->sent_rows = run->n_rows;
    events_send(run->studio, "rows", &t);
    text_free(&t);
}

static void report_progress(Run *run, double now)
{
    double elapsed = now - run->begun, share = (run->time - run->start) / (run->stop - run->start);
    Text t = {0};
    text_printf(&t, "{\"run\":%u,\"time\":", run->id);
    json_put_number(&t, run->time);
    text_put(&t, ",\"start\":");
    json_put_number(&t, run->start);
    text_put(&t, ",\"stop\":");
    json_put_number(&t, run->stop);
    text_put(&t, ",\"rate\":");
    json_put_number(&t, elapsed > 0 ? (run->time - run->start) / elapsed : (double)NAN);
    text_put(&t, ",\"eta\":");
    json_put_number(&t, share > 0 ? elapsed * (1 / share - 1) : (double)NAN);
    text_printf(&t, ",\"steps\":%.0f,\"events\":%.0f}", run->steps, run->n_events);
    events_send(run->studio, "progress", &t);
    text_free(&t);
}

/* The answer to a request that waits for the run. */
static void answer_waiting(Run *run)
{
    Request *r = run->waiting;
    Text t = {0};
    run->waiting = NULL;
    text_printf(&t, "{\"run\":%u,\"status\":\"%s\",\"message\":", run->id,
                status_names[run->status]);
    json_put_text(&t, run->message);
    text_printf(&t, ",\"rows\":%zu,\"events\":%u,", run->n_rows, run->events.starts.n);
    trajectory_put(&t, run, run->watch.at, run->watch.n,
                   (DataRange){0, run->n_rows, NAN, NAN, run->wait_points, NULL});
    text_put(&t, "}");
    request_json(r, 200, &t);
}

/* ---- the end ---- */

static void report_end(Run *run)
{
    Text t = {0};
    if (run->waiting && !run->keep) { /* the run of a slider: its page gets the answer */
        answer_waiting(run);
        return;
    }
    report_rows(run);
    text_printf(&t, "{\"run\":%u,\"status\":\"%s\",\"message\":", run->id,
                status_names[run->status]);
    json_put_text(&t, run->message);
    text_printf(&t, ",\"rows\":%zu,\"time\":", run->n_rows);
    json_put_number(&t, run->time);
    text_printf(&t, "%s%s}", run->end ? "," : "", run->end ? run->end : "");
    events_send(run->studio, "end", &t);
    text_free(&t);
    if (run->waiting)
        answer_waiting(run);
}

static void end_run(Run *run, RunStatus status, const char *message)
{
    run->status = status;
    free(run->message);
    run->message = message ? strdup(message) : NULL;
    report_end(run);
}

static const char *first_error(const cJSON *o)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, json_part(o, "diagnostics"))
    {
        const char *severity = json_text(row, "severity");
        if (severity && !strcmp(severity, "error"))
            return json_text(row, "message");
    }
    return NULL;
}

static RunStatus status_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof status_names / sizeof *status_names; i++)
        if (!strcmp(name, status_names[i]))
            return (RunStatus)i;
    return RUN_FAILED;
}

/* "diagnostics", "why" and "stats" as the child gave them, without the braces. */
static void keep_end(Run *run, cJSON *o)
{
    cJSON_DeleteItemFromObjectCaseSensitive(o, "run");
    cJSON_DeleteItemFromObjectCaseSensitive(o, "status");
    char *text = cJSON_PrintUnformatted(o);
    size_t n = text ? strlen(text) : 0;
    free(run->end);
    run->end = n > 2 ? strndup(text + 1, n - 2) : NULL;
    free(text);
}

static void take_end(Model *m, const char *body, size_t n)
{
    char *copy = strndup(body, n);
    cJSON *o = cJSON_Parse(copy);
    free(copy);
    Run *run = run_find(m->studio, (unsigned)json_number(o, "run"));
    child_limit(m->child, 0);
    if (run && run->status <= RUN_RUNNING) {
        RunStatus status = status_of(json_text(o, "status"));
        const char *message = status == RUN_FAILED ? first_error(o) : NULL;
        if (status == RUN_STOPPED && run->ending && *run->ending)
            status = RUN_LIMIT;
        message = status == RUN_LIMIT ? run->ending : message;
        char *kept = message ? strdup(message) : NULL;
        keep_end(run, o);
        end_run(run, status, kept);
        free(kept);
    }
    cJSON_Delete(o);
}

void runs_model_gone(Model *m, const char *why)
{
    for (Run *run = m->studio->runs, *next; run; run = next) {
        next = run->after;
        if (run->model != m->id || run->status > RUN_RUNNING)
            continue;
        if (run->ending && *run->ending)
            end_run(run, RUN_LIMIT, run->ending);
        else if (run->ending)
            end_run(run, RUN_STOPPED, NULL);
        else
            end_run(run, RUN_CRASHED, why);
    }
}

/* `why`: empty if the user asked for it. */
static void ask_to_end(Run *run, const char *why)
{
    Model *m = model_find(run->studio, run->model);
    if (!m || run->ending || run->status > RUN_RUNNING)
        return;
    char text[64];
    run->ending = why;
    snprintf(text, sizeof text, "{\"end_run\":%u}", run->id);
    child_send(m->child, text);
    if (run->status == RUN_RUNNING)
        child_limit(m->child, stop_seconds);
}

/* ---- what children say ---- */

static void take_rows(Run *run, uint32_t n, const char *body, size_t size)
{
    size_t want = (size_t)n * (run->columns ? run->columns->n_varying : 0) * sizeof(double);
    if (!run->columns || size != want || !n)
        return;
    if (run->ending && *run->ending) /* over its limit */
        return;
    rows_add(&run->rows, run->columns->n_varying, body, n);
    run->n_rows += n;
    run->time = rows_value(&run->rows, 0, run->n_rows - 1);
    if (rows_bytes(&run->rows) > (size_t)run->studio->options.limit_result << 20)
        ask_to_end(run, "the result is larger than its limit; fewer intervals or a shorter time "
                        "make it smaller, 'kairos studio --limit-result MB' allows more");
}

static void take_constants(Model *m, Run *run, const char *body, size_t size)
{
    if (!m->columns || size != m->columns->n_constants * sizeof(double))
        return;
    columns_drop(run->columns);
    run->columns = columns_keep(m->columns);
    memory_free(run->constants);
    run->constants = memory_alloc(size + sizeof(double));
    memcpy(run->constants, body, size);
}

static void take_event(Run *run, const char *body, size_t size)
{
    if (run->events.starts.n >= EVENTS_MOST) {
        run->events_capped = true;
        return;
    }
    vec_push(&run->events.starts, run->events.text.n);
    text_put_n(&run->events.text, body, size);
}

static void take_progress(Run *run, const char *body, size_t size)
{
    double values[3];
    if (size != sizeof values)
        return;
    memcpy(values, body, sizeof values);
    run->time = values[0];
    run->steps = values[1];
    run->n_events = values[2];
    run->progress_due = true;
}

static void take_begin(Model *m, Run *run)
{
    run->status = RUN_RUNNING;
    run->begun = run->sent = m->used = studio_now();
    if (run->keep)
        report_run(run);
}

void run_take(Model *m, const FrameHead *head, const char *body)
{
    uint32_t numbers[2] = {0};
    if (head->kind == FRAME_NAMES) {
        char *text = strndup(body, head->size);
        columns_drop(m->columns);
        m->columns = columns_read(text);
        free(text);
        return;
    }
    if (head->kind == FRAME_END) {
        take_end(m, body, head->size);
        return;
    }
    if (head->size < sizeof numbers)
        return;
    memcpy(numbers, body, sizeof numbers);
    body += sizeof numbers;
    size_t n = head->size - sizeof numbers;
    Run *run = run_find(m->studio, numbers[0]);
    if (!run || run->status > RUN_RUNNING)
        return;
    switch (head->kind) {
    case FRAME_BEGIN: take_begin(m, run); break;
    case FRAME_CONSTANTS: take_constants(m, run, body, n); break;
    case FRAME_ROWS: take_rows(run, numbers[1], body, n); break;
    case FRAME_EVENT: take_event(run, body, n); break;
    case FRAME_PROGRESS: take_progress(run, body, n); break;
    default: break;
    }
}

/* ---- starting and stopping ---- */

static void forget(Run *run)
{
    Text t = {0};
    text_printf(&t, "{\"run\":%u}", run->id);
    if (run->waiting)
        answer_waiting(run);
    events_send(run->studio, "gone", &t);
    text_free(&t);
    run_free(run);
}

/* The run of a slider replaces the previous one. */
static void end_earlier(Studio *s, unsigned model)
{
    for (Run *run = s->runs, *next; run; run = next) {
        next = run->after;
        if (run->model != model || run->keep)
            continue;
        ask_to_end(run, "");
        if (run->status > RUN_RUNNING || run->ending) {
            run->status = run->status > RUN_RUNNING ? run->status : RUN_STOPPED;
            forget(run);
        }
    }
}

static size_t run_bytes(const Run *run)
{
    return rows_bytes(&run->rows) + run->events.text.cap;
}

/* Drops old results to make room for new ones. */
static void make_room(Studio *s)
{
    for (;;) {
        size_t total = 0, n = 0;
        Run *oldest = NULL;
        for (Run *run = s->runs; run; run = run->after) {
            total += run_bytes(run);
            n++;
            if (run->status > RUN_RUNNING && (!oldest || run->id < oldest->id))
                oldest = run;
        }
        if ((total <= total_most && n < RUNS_MOST) || !oldest)
            return;
        forget(oldest);
    }
}

static void read_watch(Run *run, const cJSON *names)
{
    const cJSON *row;
    clear_watch(run);
    cJSON_ArrayForEach(row, names) if (cJSON_IsString(row) && run->watch.n < WATCH_MOST)
        vec_push(&run->watch, strdup(row->valuestring));
}

static double number(const cJSON *o, const char *name, double least, double most, double otherwise)
{
    const cJSON *v = json_part(o, name);
    if (!cJSON_IsNumber(v) || !isfinite(v->valuedouble))
        return otherwise;
    return v->valuedouble < least ? least : v->valuedouble > most ? most : v->valuedouble;
}

static void answer_nothing(Request *r)
{
    Text t = {0};
    text_put(&t, "{}");
    request_json(r, 200, &t);
}

/* {"about": {…}}: what the user wrote about a run; other pages get an event. */
void runs_describe(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    const cJSON *about = json_part(request_body(r), "about");
    if (!run)
        return;
    if (!cJSON_IsObject(about)) {
        request_error(r, 400, "'about' must be an object");
        return;
    }
    free(run->about);
    run->about = cJSON_PrintUnformatted(about);
    report_run(run);
    answer_nothing(r);
}

static Run *run_new(Studio *s, const Model *m, const cJSON *o)
{
    Run *run = memory_alloc(sizeof *run), **last = &s->runs;
    const cJSON *settings = json_part(o, "settings");
    *run = (Run){.studio = s, .id = ++s->last_run, .model = m->id, .name = strdup(m->name)};
    run->keep = json_flag(o, "keep");
    run->settings = cJSON_IsObject(settings) ? cJSON_PrintUnformatted(settings) : NULL;
    const cJSON *about = json_part(o, "about");
    run->about = cJSON_IsObject(about) ? cJSON_PrintUnformatted(about) : NULL;
    run->start = run->time = number(o, "start", -1e300, 1e300, m->start);
    run->stop = number(o, "stop", -1e300, 1e300, m->stop);
    run->wait_points = (unsigned)number(o, "points", 0, 1e6, 2000);
    read_watch(run, json_part(o, "watch"));
    while (*last)
        last = &(*last)->after;
    *last = run;
    return run;
}

/* The request to the child: only known members, within bounds. */
static void send_run(Studio *s, Model *m, Run *run, const cJSON *o)
{
    static const char *const numbers[] = {"start", "stop", "tolerance", "intervals"};
    cJSON *ask = cJSON_CreateObject();
    const cJSON *settings = json_part(o, "settings");
    const cJSON *solver = json_part(o, "solver");
    cJSON_AddNumberToObject(ask, "run", run->id);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double x = number(o, numbers[i], i < 2 ? -1e300 : 0, i == 3 ? 1e7 : 1e300, (double)NAN);
        if (!isnan(x))
            cJSON_AddNumberToObject(ask, numbers[i], x);
    }
    if (cJSON_IsObject(settings))
        cJSON_AddItemToObject(ask, "settings", cJSON_Duplicate(settings, true));
    if (cJSON_IsString(solver))
        cJSON_AddStringToObject(ask, "solver", solver->valuestring);
    if (run->keep && asprintf(&run->result, "%s/run-%u.mat", s->scratch, run->id) > 0)
        cJSON_AddStringToObject(ask, "output", run->result);
    char *text = cJSON_PrintUnformatted(ask);
    child_send(m->child, text);
    free(text);
    cJSON_Delete(ask);
}

void runs_start(Studio *s, Request *r)
{
    const cJSON *o = request_body(r);
    Model *m = model_find(s, (unsigned)number(o, "model", 0, 4e9, 0));
    if (!m || m->waiting) {
        request_error(r, 410, "there is no such model any more; compile it again");
        return;
    }
    double wait = number(o, "wait", 0, 60000, 0);
    bool keep = json_flag(o, "keep");
    if (!keep)
        end_earlier(s, m->id);
    make_room(s);
    Run *run = run_new(s, m, o);
    m->used = studio_now();
    send_run(s, m, run, o);
    if (wait > 0) {
        run->waiting = r;
        run->wait_until = studio_now() + wait / 1e3;
        return;
    }
    Text t = {0};
    text_printf(&t, "{\"run\":%u}", run->id);
    request_json(r, 200, &t);
}

Run *run_meant(Studio *s, Request *r, const char *name)
{
    const char *arg = request_arg(r, name);
    double id = arg ? strtod(arg, NULL) : number(request_body(r), name, 0, 4e9, 0);
    Run *run = id > 0 && id < 4e9 ? run_find(s, (unsigned)id) : NULL;
    if (!run)
        request_error(r, 404, "there is no such run");
    return run;
}

void runs_stop(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    ask_to_end(run, "");
    answer_nothing(r);
}

void runs_delete(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "id");
    if (!run)
        return;
    ask_to_end(run, "");
    forget(run);
    answer_nothing(r);
}

void runs_watch(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    read_watch(run, json_part(request_body(r), "names"));
    answer_nothing(r);
}

/* ---- the clock ---- */

void runs_tick(Studio *s, double now)
{
    for (Run *run = s->runs; run; run = run->after) {
        if (run->waiting && now > run->wait_until)
            answer_waiting(run);
        if (run->status != RUN_RUNNING)
            continue;
        if (now - run->begun > s->options.limit_seconds)
            ask_to_end(run, "the run took longer than its limit; 'kairos studio --limit-seconds N' "
                            "allows more");
        if (now - run->sent < frame_period)
            continue;
        run->sent = now;
        if (run->keep)
            report_rows(run);
        if (run->progress_due)
            report_progress(run, now);
        run->progress_due = false;
    }
}

/* ---- data of a run ---- */

uint32_t split_names(const char *text, char ***names)
{
    VEC(char *) list = {0};
    for (const char *p = text ? text : ""; *p;) {
        size_t n = strcspn(p, ";");
        if (n)
            vec_push(&list, strndup(p, n));
        p += n + (p[n] == ';');
    }
    *names = list.at;
    return list.n;
}

void free_names(char **names, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        free(names[i]);
    memory_free(names);
}

double arg_number(Request *r, const char *name, double otherwise)
{
    const char *text = request_arg(r, name);
    char *end;
    double x = text ? strtod(text, &end) : otherwise;
    return text && (end == text || !isfinite(x)) ? otherwise : x;
}

void runs_data(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    char **names;
    uint32_t n = split_names(request_arg(r, "names"), &names);
    double points = arg_number(r, "points", 2000);
    const char *minus = request_arg(r, "minus");
    DataRange range = {0,
                       run->n_rows,
                       arg_number(r, "from", (double)NAN),
                       arg_number(r, "to", (double)NAN),
                       points < 0     ? 0
                       : points > 1e7 ? 10000000
                                      : (unsigned)points,
                       minus ? run_find(s, (unsigned)strtoul(minus, NULL, 10)) : NULL};
    Text t = {0};
    text_printf(&t, "{\"run\":%u,\"rows\":%zu,", run->id, run->n_rows);
    trajectory_put(&t, run, names, n, range);
    text_put(&t, "}");
    request_json(r, 200, &t);
    free_names(names, n);
}

void runs_variables(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    Text t = {0};
    text_put(&t, "[");
    for (uint32_t i = 0; run->columns && i < run->columns->list.n; i++) {
        const Column *c = &run->columns->list.at[i];
        text_put(&t, i ? ",{\"name\":" : "{\"name\":");
        text_put_json(&t, c->name);
        text_put(&t, ",\"unit\":");
        json_put_text(&t, c->unit);
        text_put(&t, ",\"display_unit\":");
        json_put_text(&t, c->display);
        text_put(&t, ",\"description\":");
        json_put_text(&t, c->description);
        text_put(&t, ",\"kind\":");
        json_put_text(&t, c->kind);
        if (c->constant) {
            text_put(&t, ",\"value\":");
            json_put_number(&t, run->constants[c->at]);
        }
        text_put(&t, "}");
    }
    text_put(&t, "]");
    request_json(r, 200, &t);
}

/* Live models: each has a child, which keeps the compiled model. */
#include "server.h"

#include <stdlib.h>

enum { MODELS_MOST = 6 };
static const double compile_seconds = 120;

/* ---- columns ---- */

static char *text_of(const cJSON *o, const char *name)
{
    const char *text = json_text(o, name);
    return text ? strdup(text) : NULL;
}

static void add_column(Columns *c, const cJSON *o)
{
    Column x = {.name = text_of(o, "name"),
                .unit = text_of(o, "unit"),
                .display = text_of(o, "display_unit"),
                .description = text_of(o, "description"),
                .kind = text_of(o, "kind"),
                .constant = json_flag(o, "constant"),
                .negative = json_number(o, "sign") < 0};
    const cJSON *alias = json_part(o, "alias"); /* the time is before the variables */
    uint32_t of = cJSON_IsNumber(alias) ? (uint32_t)alias->valuedouble + 1 : 0;
    x.at = of && of < c->list.n ? c->list.at[of].at
           : x.constant         ? c->n_constants++
                                : c->n_varying++;
    vec_push(&c->list, x);
}

Columns *columns_read(const char *json)
{
    Columns *c = memory_alloc(sizeof *c);
    cJSON *o = cJSON_Parse(json), *list = json_part(o, "variables"), *row;
    c->users = 1;
    vec_push(&c->list,
             ((Column){.name = strdup("time"), .unit = strdup("s"), .kind = strdup("time")}));
    c->n_varying = 1;
    cJSON_ArrayForEach(row, list) add_column(c, row);
    c->visuals = cJSON_DetachItemFromObjectCaseSensitive(o, "visuals");
    cJSON_Delete(o);
    return c;
}

Columns *columns_keep(Columns *c)
{
    c->users++;
    return c;
}

void columns_drop(Columns *c)
{
    if (!c || --c->users)
        return;
    for (uint32_t i = 0; i < c->list.n; i++) {
        Column *x = &c->list.at[i];
        free(x->name);
        free(x->unit);
        free(x->display);
        free(x->description);
        free(x->kind);
    }
    vec_free(&c->list);
    cJSON_Delete(c->visuals);
    memory_free(c);
}

/* ---- models ---- */

Model *model_find(Studio *s, unsigned id)
{
    for (Model *m = s->models; m; m = m->after)
        if (m->id == id)
            return m;
    return NULL;
}

void model_ask(Model *m, Request *r, const char *question)
{
    vec_push(&m->asked, r);
    child_send(m->child, question);
}

/* The answer to the first question that is open. */
static void pass_answer(Model *m, const char *body, size_t n)
{
    uint32_t status[2];
    memcpy(status, body, sizeof status);
    Text t = {0};
    text_put_n(&t, body + sizeof status, n - sizeof status);
    Request *r = m->asked.at[0];
    memmove(m->asked.at, m->asked.at + 1, --m->asked.n * sizeof *m->asked.at);
    request_json(r, status[0], &t);
}

static void model_free(Model *m)
{
    for (uint32_t i = 0; i < m->asked.n; i++)
        request_error(m->asked.at[i], 410, "the model is gone; run it again");
    vec_free(&m->asked);
    for (Model **p = &m->studio->models; *p; p = &(*p)->after)
        if (*p == m) {
            *p = m->after;
            break;
        }
    columns_drop(m->columns);
    free(m->name);
    free(m->request);
    memory_free(m);
}

/* Its runs end; their results stay. */
static void model_end(Model *m, const char *why)
{
    Text t = {0};
    text_printf(&t, "{\"model\":%u}", m->id);
    runs_model_gone(m, why);
    events_send(m->studio, "gone", &t);
    text_free(&t);
    model_free(m);
}

static void model_answer(Model *m, const char *body, size_t n)
{
    uint32_t status[2];
    memcpy(status, body, sizeof status);
    body += sizeof status;
    n -= sizeof status;
    Text t = {0};
    Request *r = m->waiting;
    m->waiting = NULL;
    if (status[0] != 200) {
        text_put_n(&t, body, n);
        request_json(r, status[0], &t);
        child_drop(m->child);
        model_free(m);
        return;
    }
    char *copy = strndup(body, n);
    cJSON *o = cJSON_Parse(copy);
    free(copy);
    const cJSON *experiment = json_part(o, "experiment");
    m->name = text_of(o, "class");
    m->start = json_number(experiment, "start");
    m->stop = json_number(experiment, "stop");
    cJSON_Delete(o);
    child_limit(m->child, 0);
    text_printf(&t, "{\"model\":%u,", m->id);
    text_put_n(&t, body + 1, n - 1);
    request_json(r, 200, &t);
}

static void model_frame(void *user, const FrameHead *head, const char *body)
{
    Model *m = user;
    if (head->kind == FRAME_ANSWER && head->size > 8 && m->waiting)
        model_answer(m, body, head->size);
    else if (head->kind == FRAME_ANSWER && head->size >= 8 && m->asked.n)
        pass_answer(m, body, head->size);
    else
        run_take(m, head, body);
}

static void model_gone(void *user, const char *why)
{
    Model *m = user;
    if (m->waiting) {
        request_error(m->waiting, 500, "compiling failed: %s", why);
        model_free(m);
    } else {
        model_end(m, why);
    }
}

static bool is_at_work(const Model *m)
{
    for (const Run *run = m->studio->runs; run; run = run->after)
        if (run->model == m->id && run->status <= RUN_RUNNING)
            return true;
    return m->waiting;
}

/* Drops the least recently used model. */
static void make_room(Studio *s)
{
    unsigned n = 0;
    Model *oldest = NULL;
    for (Model *m = s->models; m; m = m->after) {
        n++;
        if (!is_at_work(m) && (!oldest || m->used < oldest->used))
            oldest = m;
    }
    if (n < MODELS_MOST || !oldest)
        return;
    child_drop(oldest->child);
    model_end(oldest, "it made room for another");
}

void models_compile(Studio *s, Request *r)
{
    static const ChildCalls calls = {model_frame, model_gone};
    cJSON *o = cJSON_Duplicate(request_body(r), true);
    cJSON_DeleteItemFromObjectCaseSensitive(o, "job");
    cJSON_AddStringToObject(o, "job", "model");
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    make_room(s);
    Model *m = memory_alloc(sizeof *m);
    *m = (Model){
        .studio = s, .id = ++s->last_model, .waiting = r, .used = studio_now(), .after = s->models};
    s->models = m;
    m->child = child_start(s, text, compile_seconds, &calls, m);
    m->request = text;
    if (!m->child) {
        request_error(r, 503,
                      "the model cannot be compiled now: the studio's workers do not start");
        model_free(m);
    }
}

void models_delete(Studio *s, Request *r)
{
    const char *id = request_arg(r, "id");
    Model *m = id ? model_find(s, (unsigned)strtoul(id, NULL, 10)) : NULL;
    Text t = {0};
    if (!m || m->waiting) {
        request_error(r, 404, "there is no such model");
        return;
    }
    child_drop(m->child);
    model_end(m, "its model was closed");
    text_put(&t, "{}");
    request_json(r, 200, &t);
}

void models_put_list(const Studio *s, Text *t)
{
    const char *comma = "";
    text_put(t, "[");
    for (const Model *m = s->models; m; m = m->after) {
        if (m->waiting)
            continue;
        text_printf(t, "%s{\"model\":%u,\"class\":", comma, m->id);
        text_put_json(t, m->name ? m->name : "");
        text_put(t, "}");
        comma = ",";
    }
    text_put(t, "]");
}

void models_free(Studio *s)
{
    while (s->models)
        model_free(s->models);
}

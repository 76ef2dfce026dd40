/* The event log of a run, and the timeline of its modes. If the run has no modes of variable
 * structure, the timeline shows the discrete variables that events changed. */
#include "server.h"

#include <math.h>
#include <stdlib.h>

enum { TRACKED_MOST = 24, MODES_MOST = 20000 };

/* Event i as text; its length in *n. */
static const char *event_text(const Run *run, uint32_t i, size_t *n)
{
    const Lines *l = &run->events;
    *n = (i + 1 < l->starts.n ? l->starts.at[i + 1] : l->text.n) - l->starts.at[i];
    return l->text.at + l->starts.at[i];
}

/* "file" is "path" for pages, and within the workspace relative to it. */
static void put_event(Text *t, const Studio *s, const char *text, size_t n)
{
    static const char key[] = "\"file\":\"";
    size_t key_size = sizeof key - 1, place = strlen(s->workspace.place);
    while (n) {
        const char *at = memmem(text, n, key, key_size);
        size_t before = at ? (size_t)(at - text) : n;
        text_put_n(t, text, before);
        text += before;
        n -= before;
        if (!at)
            break;
        text_put(t, "\"path\":\"");
        text += key_size;
        n -= key_size;
        if (n > place && !strncmp(text, s->workspace.place, place) && text[place] == '/') {
            text += place + 1;
            n -= place + 1;
        }
    }
}

void runs_events(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    double from = arg_number(r, "from", 0), count = arg_number(r, "count", 1000);
    uint32_t first = from > 0 ? (uint32_t)fmin(from, 4e9) : 0, total = run->events.starts.n;
    uint32_t n = count > 0 ? (uint32_t)fmin(count, 10000) : 0;
    Text t = {0};
    text_printf(&t, "{\"total\":%u,\"events\":[", total);
    for (uint32_t i = first; i < total && i - first < n; i++) {
        size_t size;
        const char *text = event_text(run, i, &size);
        text_put(&t, i > first ? "," : "");
        put_event(&t, s, text, size);
    }
    text_printf(&t, "],\"capped\":%s}", run->events_capped ? "true" : "false");
    request_json(r, 200, &t);
}

/* ---- modes ---- */

typedef struct Tracked { /* a discrete variable that events change */
    char *name;
    cJSON *value; /* at the time of the present entry */
} Tracked;

typedef struct Timeline {
    Text *t;
    double start; /* start of the open mode; NAN: no mode is open */
    Text open;    /* its guards, states and jumps */
    uint32_t n;
} Timeline;

static void close_mode(Timeline *l, double end)
{
    if (isnan(l->start) || l->n >= MODES_MOST)
        return;
    text_put(l->t, l->n++ ? ",{\"time\":" : "{\"time\":");
    json_put_number(l->t, l->start);
    text_put(l->t, ",\"end\":");
    json_put_number(l->t, end);
    text_put_n(l->t, l->open.at, l->open.n);
    text_put(l->t, "}");
}

static void open_mode(Timeline *l, double time)
{
    if (!isnan(l->start) && l->start != time)
        close_mode(l, time);
    l->start = time;
    l->open.n = 0;
}

static void put_part(Text *t, const char *name, const cJSON *part)
{
    text_printf(t, ",\"%s\":", name);
    if (part)
        json_put_cjson(t, part);
    else
        text_put(t, "[]");
}

static cJSON *parse_event(const Run *run, uint32_t i)
{
    size_t n;
    const char *text = event_text(run, i, &n);
    return cJSON_ParseWithLength(text, n);
}

static double time_of(const cJSON *event)
{
    return json_number(event, "time");
}

static bool has_modes(const Run *run)
{
    return run->events.text.n && memmem(run->events.text.at, run->events.text.n, "\"mode\":{", 8);
}

static void put_structure_modes(const Run *run, Timeline *l)
{
    for (uint32_t i = 0; i < run->events.starts.n; i++) {
        size_t n;
        const char *text = event_text(run, i, &n);
        cJSON *event = memmem(text, n, "\"mode\":{", 8) ? parse_event(run, i) : NULL;
        const cJSON *mode = json_part(event, "mode");
        if (mode) {
            open_mode(l, time_of(event));
            put_part(&l->open, "guards", json_part(mode, "guards"));
            put_part(&l->open, "states", json_part(mode, "states"));
            put_part(&l->open, "jumps", json_part(mode, "jumps"));
        }
        cJSON_Delete(event);
    }
}

/* ---- modes of discrete variables ---- */

typedef VEC(Tracked) TrackedList;

static Tracked *find_tracked(TrackedList *list, const char *name)
{
    for (uint32_t i = 0; name && i < list->n; i++)
        if (!strcmp(list->at[i].name, name))
            return &list->at[i];
    return NULL;
}

/* Those that events change, with their values before the first change. */
static void collect(const Run *run, TrackedList *list)
{
    for (uint32_t i = 0; i < run->events.starts.n && i < MODES_MOST; i++) {
        cJSON *event = parse_event(run, i), *change;
        cJSON_ArrayForEach(change, json_part(event, "changes"))
        {
            const char *name = json_text(change, "name");
            cJSON *old = json_part(change, "old");
            if (name && old && list->n < TRACKED_MOST && !find_tracked(list, name))
                vec_push(list, ((Tracked){strdup(name), cJSON_Duplicate(old, true)}));
        }
        cJSON_Delete(event);
    }
}

static void put_values(Text *t, const TrackedList *list)
{
    text_put(t, ",\"guards\":[");
    for (uint32_t i = 0; i < list->n; i++) {
        char *value = cJSON_PrintUnformatted(list->at[i].value);
        text_put(t, i ? ",{\"name\":" : "{\"name\":");
        text_put_json(t, list->at[i].name);
        text_printf(t, ",\"value\":%s}", value ? value : "null");
        free(value);
    }
    text_put(t, "],\"states\":[],\"jumps\":[]");
}

static bool take_changes(TrackedList *list, const cJSON *event)
{
    const cJSON *change;
    bool any = false;
    cJSON_ArrayForEach(change, json_part(event, "changes"))
    {
        Tracked *x = find_tracked(list, json_text(change, "name"));
        const cJSON *new = json_part(change, "new");
        if (!x || !new)
            continue;
        cJSON_Delete(x->value);
        x->value = cJSON_Duplicate(new, true);
        any = true;
    }
    return any;
}

static void put_discrete_modes(const Run *run, Timeline *l)
{
    TrackedList list = {0};
    collect(run, &list);
    if (list.n) {
        open_mode(l, run->start);
        put_values(&l->open, &list);
    }
    for (uint32_t i = 0; list.n && i < run->events.starts.n; i++) {
        cJSON *event = parse_event(run, i);
        if (take_changes(&list, event)) {
            open_mode(l, time_of(event));
            put_values(&l->open, &list);
        }
        cJSON_Delete(event);
    }
    for (uint32_t i = 0; i < list.n; i++) {
        free(list.at[i].name);
        cJSON_Delete(list.at[i].value);
    }
    vec_free(&list);
}

void runs_modes(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    Text t = {0};
    Timeline l = {.t = &t, .start = (double)NAN};
    text_put(&t, "[");
    if (has_modes(run))
        put_structure_modes(run, &l);
    else
        put_discrete_modes(run, &l);
    close_mode(&l, run->time);
    text_put(&t, "]");
    text_free(&l.open);
    request_json(r, 200, &t);
}

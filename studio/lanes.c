/* Lanes of a run: guards of variable structure and discrete variables, each as spans of time with
 * one value. Marks: the instants of events.
 *
 * Both are for a part of the time axis and a number of pixels. Values that change faster than a
 * pixel become one span without a value, and marks that coincide become one. So answers are small
 * and true at every zoom, however many events there are. */
#include "server.h"

#include <math.h>
#include <stdlib.h>

enum { LANES_MOST = 64, PIXELS = 1500, PIXELS_MOST = 8000 };

typedef enum ValueKind { VALUE_BOOLEAN, VALUE_NUMBER } ValueKind;

typedef struct LaneValue {
    ValueKind kind;
    double x;
} LaneValue;

typedef struct LaneChange {
    double time;
    LaneValue now;
} LaneChange;

typedef struct Lane {
    char *name;
    VEC(LaneChange) changes; /* by time; the first is at the start, if that value is known */
    bool hidden;             /* it took a value that has no lane */
} Lane;

typedef struct Lanes {
    VEC(Lane) list;
    uint32_t read; /* events so far */
} Lanes;

void lanes_free(Lanes *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->list.n; i++) {
        memory_free(l->list.at[i].name);
        vec_free(&l->list.at[i].changes);
    }
    vec_free(&l->list);
    memory_free(l);
}

/* ---- reading events ---- */

/* The lane of this name, a new one if necessary; NULL if there are too many. */
static Lane *lane_of(Lanes *l, const char *name)
{
    for (uint32_t i = 0; i < l->list.n; i++)
        if (!strcmp(l->list.at[i].name, name))
            return &l->list.at[i];
    if (l->list.n == LANES_MOST)
        return NULL;
    Lane lane = {.name = strcpy(memory_alloc(strlen(name) + 1), name)};
    vec_push(&l->list, lane);
    return &vec_last(&l->list);
}

/* Booleans and whole numbers have lanes. */
static bool read_value(const cJSON *v, LaneValue *out)
{
    bool boolean = cJSON_IsBool(v);
    if (!boolean && !(cJSON_IsNumber(v) && v->valuedouble == rint(v->valuedouble)))
        return false;
    *out = (LaneValue){boolean ? VALUE_BOOLEAN : VALUE_NUMBER,
                       boolean ? cJSON_IsTrue(v) : v->valuedouble};
    return true;
}

static void note(Lanes *l, const char *name, double time, const cJSON *now, const cJSON *before,
                 double start)
{
    LaneValue value, old;
    bool whole = read_value(now, &value);
    Lane *lane = name ? lane_of(l, name) : NULL;
    if (lane && !whole)
        lane->hidden = true;
    if (!lane || lane->hidden)
        return;
    if (!lane->changes.n && time > start && before && read_value(before, &old))
        vec_push(&lane->changes, ((LaneChange){start, old}));
    if (!lane->changes.n || vec_last(&lane->changes).now.x != value.x)
        vec_push(&lane->changes, ((LaneChange){time, value}));
}

static void read_event(Lanes *l, const Run *run, uint32_t i)
{
    size_t n;
    const char *text = event_text(run, i, &n);
    cJSON *event = cJSON_ParseWithLength(text, n), *part;
    double time = json_number(event, "time");
    cJSON_ArrayForEach(part, json_part(json_part(event, "mode"), "guards"))
        note(l, json_text(part, "name"), time, json_part(part, "value"), NULL, run->start);
    cJSON_ArrayForEach(part, json_part(event, "changes"))
        note(l, json_text(part, "name"), time, json_part(part, "new"), json_part(part, "old"),
             run->start);
    cJSON_Delete(event);
}

/* The lanes of all events so far. */
static const Lanes *lanes_of(Run *run)
{
    if (!run->lanes)
        run->lanes = memory_alloc(sizeof *run->lanes);
    for (; run->lanes->read < run->events.starts.n; run->lanes->read++)
        read_event(run->lanes, run, run->lanes->read);
    return run->lanes;
}

/* ---- answers ---- */

/* The part of the time axis that a page shows, and the length of a pixel. */
typedef struct View {
    double from, to, pixel;
} View;

static View view_of(Request *r, const Run *run)
{
    View v = {arg_number(r, "from", run->start), arg_number(r, "to", run->time), 0};
    double pixels = fmin(fmax(arg_number(r, "points", PIXELS), 1), PIXELS_MOST);
    v.pixel = fmax(0, (v.to - v.from) / pixels);
    return v;
}

/* Values are known up to here: the log may end before the run. */
static double known_until(const Run *run)
{
    uint32_t n = run->events.starts.n;
    return run->events_capped && n ? event_time(run, n - 1) : run->time;
}

static void put_span(Text *t, bool first, double from, double to, const LaneValue *v)
{
    text_put(t, first ? "[" : ",[");
    json_put_number(t, from);
    text_put(t, ",");
    json_put_number(t, to);
    text_put(t, ",");
    if (!v)
        text_put(t, "null");
    else if (v->kind == VALUE_BOOLEAN)
        text_put(t, v->x != 0 ? "true" : "false");
    else
        json_put_number(t, v->x);
    text_put(t, "]");
}

/* The first change of which the value is in the view. */
static uint32_t first_in_view(const Lane *lane, double from)
{
    uint32_t lo = 0, hi = lane->changes.n;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (lane->changes.at[middle].time <= from)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo ? lo - 1 : 0;
}

static void put_spans(Text *t, const Lane *lane, const View *v, double until)
{
    bool first = true;
    uint32_t n = lane->changes.n;
    for (uint32_t i = first_in_view(lane, v->from); i < n;) {
        const LaneChange *c = &lane->changes.at[i];
        if (c->time > v->to)
            break;
        uint32_t next = i + 1;
        while (next < n && lane->changes.at[next].time - c->time < v->pixel)
            next++;
        double end = next < n ? lane->changes.at[next].time : fmax(until, c->time);
        put_span(t, first, c->time, end, next == i + 1 ? &c->now : NULL);
        first = false;
        i = next;
    }
}

/* {"until": …, "lanes": [{"name", "spans": [[from, to, value], …]}]}; a value of null: it changes
 * faster than a pixel. */
void runs_lanes(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    const Lanes *l = lanes_of(run);
    View view = view_of(r, run);
    double until = known_until(run);
    Text t = {0};
    text_put(&t, "{\"until\":");
    json_put_number(&t, until);
    text_put(&t, ",\"lanes\":[");
    const char *comma = "";
    for (uint32_t i = 0; i < l->list.n; i++) {
        if (l->list.at[i].hidden)
            continue;
        text_printf(&t, "%s{\"name\":", comma);
        text_put_json(&t, l->list.at[i].name);
        text_put(&t, ",\"spans\":[");
        put_spans(&t, &l->list.at[i], &view, until);
        text_put(&t, "]}");
        comma = ",";
    }
    text_put(&t, "]}");
    request_json(r, 200, &t);
}

/* The instants of events in the view, as an array of times: rows come in pairs there. */
void runs_marks(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    View view = view_of(r, run);
    const Column *time = run->columns ? &run->columns->list.at[0] : NULL;
    double last = -INFINITY, before = NAN;
    Text t = {0};
    text_put(&t, "[");
    for (size_t i = 0; time && i < run->n_rows; i++) {
        double at = run_value(run, time, i);
        if (at == before && at >= view.from && at <= view.to && at - last >= view.pixel) {
            text_put(&t, isinf(last) ? "" : ",");
            json_put_number(&t, at);
            last = at;
        }
        before = at;
    }
    text_put(&t, "]");
    request_json(r, 200, &t);
}

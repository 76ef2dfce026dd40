/* Events over time: a row of marks for each triggering relation, a band for each changed discrete
 * variable and for the modes, and a table. */
#include "report/report.h"

#include <math.h>

enum {
    MOST_ROWS = 16,
    MOST_LISTED = 300,
    LEFT = 260,
    WIDTH = 1000,
    HEIGHT = 22,
    LONGEST_NAME = 38
};

typedef struct Mark {
    double time;
    const char *text; /* of a band: the value from here on */
} Mark;

typedef struct Row {
    const char *name;
    bool band;
    const char *first; /* of a band: the value before its first mark */
    VEC(Mark) marks;
} Row;

typedef struct Timeline {
    Report *r;
    VEC(Row) rows;
    double start, stop;
    bool more; /* there are further rows */
} Timeline;

/* ---- copies ---- */

static const char *copy_text(const char *text, Arena *arena)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static RecordedValue copy_value(RecordedValue value, Arena *arena)
{
    value.text = copy_text(value.text, arena);
    return value;
}

static RecordedChange *copy_changes(const RecordedChange *from, uint32_t n, Arena *arena)
{
    RecordedChange *to = ARENA_ARRAY(arena, RecordedChange, n);
    for (uint32_t i = 0; i < n; i++)
        to[i] = (RecordedChange){copy_text(from[i].name, arena), copy_value(from[i].from, arena),
                                 copy_value(from[i].to, arena)};
    return to;
}

static RecordedTrigger *copy_triggers(const EventRecord *record, Arena *arena)
{
    RecordedTrigger *to = ARENA_ARRAY(arena, RecordedTrigger, record->n_triggers);
    for (uint32_t i = 0; i < record->n_triggers; i++) {
        to[i] = record->triggers[i];
        to[i].component = copy_text(to[i].component, arena);
        to[i].text = copy_text(to[i].text, arena);
        to[i].value = copy_value(to[i].value, arena);
    }
    return to;
}

/* Its guards. */
static const RecordedMode *copy_mode(const RecordedMode *mode, Arena *arena)
{
    RecordedMode *to = ARENA_NEW(arena, RecordedMode);
    *to = (RecordedMode){.guards = ARENA_ARRAY(arena, RecordedGuard, mode->n_guards),
                         .n_guards = mode->n_guards};
    for (uint32_t i = 0; i < mode->n_guards; i++)
        to->guards[i] = (RecordedGuard){copy_text(mode->guards[i].name, arena),
                                        copy_value(mode->guards[i].value, arena)};
    return to;
}

const EventRecord *report_event(const EventRecord *record, Arena *arena)
{
    EventRecord *to = ARENA_NEW(arena, EventRecord);
    *to = *record;
    to->triggers = copy_triggers(record, arena);
    to->changes = copy_changes(record->changes, record->n_changes, arena);
    to->reinits = copy_changes(record->reinits, record->n_reinits, arena);
    to->mode = record->mode ? copy_mode(record->mode, arena) : NULL;
    return to;
}

/* ---- rows ---- */

static const char *value_text(Timeline *l, RecordedValue value)
{
    if (value.kind == RECORDED_BOOL)
        return value.number != 0 ? "true" : "false";
    if (value.kind == RECORDED_TEXT)
        return value.text;
    return value.kind == RECORDED_NUMBER && isfinite(value.number)
               ? arena_printf(l->r->arena, "%.6g", value.number)
               : "–";
}

static Row *row_named(Timeline *l, const char *name, bool band)
{
    for (uint32_t i = 0; i < l->rows.n; i++)
        if (l->rows.at[i].band == band && !strcmp(l->rows.at[i].name, name))
            return &l->rows.at[i];
    if (l->rows.n >= 2 * MOST_ROWS) {
        l->more = true;
        return NULL;
    }
    vec_push(&l->rows, ((Row){.name = name, .band = band}));
    return &vec_last(&l->rows);
}

static void add_mark(Row *row, double time, const char *text)
{
    if (row)
        vec_push(&row->marks, ((Mark){time, text}));
}

static void take_changes(Timeline *l, const EventRecord *event)
{
    for (uint32_t i = 0; i < event->n_changes; i++) {
        const RecordedChange *c = &event->changes[i];
        Row *row = row_named(l, c->name, true);
        if (row && !row->marks.n)
            row->first = value_text(l, c->from);
        add_mark(row, event->time, value_text(l, c->to));
    }
}

/* The value of a guard before an event, if it changed there; else its value. */
static const char *value_before(Timeline *l, const EventRecord *event, const RecordedGuard *guard)
{
    for (uint32_t i = 0; i < event->n_changes; i++)
        if (!strcmp(event->changes[i].name, guard->name))
            return value_text(l, event->changes[i].from);
    return value_text(l, guard->value);
}

static char *mode_text(Timeline *l, const EventRecord *event, bool before)
{
    Text t = {0};
    for (uint32_t i = 0; i < event->mode->n_guards; i++) {
        const RecordedGuard *g = &event->mode->guards[i];
        text_printf(&t, "%s%s = %s", t.n ? ", " : "", g->name,
                    before ? value_before(l, event, g) : value_text(l, g->value));
    }
    return text_keep(&t, l->r->arena);
}

static void take_mode(Timeline *l, const EventRecord *event)
{
    if (!event->mode)
        return;
    Row *row = row_named(l, "mode", true);
    if (row && !row->marks.n)
        row->first = mode_text(l, event, true);
    add_mark(row, event->time, mode_text(l, event, false));
}

static void take_event(Timeline *l, const EventRecord *event)
{
    for (uint32_t i = 0; i < event->n_triggers; i++) {
        const RecordedTrigger *t = &event->triggers[i];
        add_mark(row_named(l, t->text, false), event->time, value_text(l, t->value));
    }
    take_changes(l, event);
    take_mode(l, event);
}

/* ---- the picture ---- */

static const char *shortened(const Timeline *l, const char *name)
{
    return strlen(name) <= LONGEST_NAME
               ? name
               : arena_printf(l->r->arena, "%.*s…", (int)text_cut(name, LONGEST_NAME - 3), name);
}

static double at_time(const Timeline *l, double t)
{
    return LEFT + (WIDTH - LEFT) * (l->stop > l->start ? (t - l->start) / (l->stop - l->start) : 0);
}

static void put_marks(Timeline *l, const Row *row, double y)
{
    Text *t = l->r->out;
    double last = -10;
    for (uint32_t i = 0; i < row->marks.n; i++) {
        double x = at_time(l, row->marks.at[i].time);
        if (x < last + 0.7)
            continue;
        last = x;
        text_printf(
            t, "<circle cx=\"%.2f\" cy=\"%.1f\" r=\"3.5\" fill=\"#0072b2\"><title>time = %.9g: ", x,
            y, row->marks.at[i].time);
        text_put_xml(t, row->marks.at[i].text);
        text_put(t, "</title></circle>\n");
    }
}

/* Values get colours in the order of their first use; Booleans have the same colours everywhere. */
static unsigned colour_of(const Row *row, const char *value)
{
    static const char *none = "";
    const char *seen[6];
    unsigned n = 0;
    if (!strcmp(value, "false") || !strcmp(value, "true"))
        return value[0] == 't';
    seen[n++] = row->first ? row->first : none;
    for (uint32_t i = 0;; i++) {
        for (unsigned k = 0; k < n; k++)
            if (!strcmp(seen[k], value))
                return k;
        if (i >= row->marks.n || n == 6)
            return 5;
        const char *next = row->marks.at[i].text;
        bool known = false;
        for (unsigned k = 0; k < n; k++)
            known = known || !strcmp(seen[k], next);
        if (!known)
            seen[n++] = next;
    }
}

static void put_segment(Timeline *l, const Row *row, double y, double from, double to,
                        const char *value)
{
    static const char *const colours[] = {"#9db4c8", "#e69f00", "#56b4e9",
                                          "#009e73", "#cc79a7", "#d55e00"};
    Text *t = l->r->out;
    double x = at_time(l, from), w = at_time(l, to) - x;
    text_printf(t, "<g><title>");
    text_put_xml(t, row->name);
    text_put(t, strcmp(row->name, "mode") ? " = " : ": ");
    text_put_xml(t, value);
    text_printf(t,
                " from %.9g to %.9g</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
                "height=\"14\" rx=\"2\" "
                "fill=\"%s\"/>",
                from, to, x, y - 7, fmax(w, 0.4), colours[colour_of(row, value)]);
    if (w > 7.5 * (double)strlen(value) + 6) {
        text_printf(t, "<text x=\"%.2f\" y=\"%.1f\" style=\"fill:#111;font-size:11px\">", x + 4,
                    y + 4);
        text_put_xml(t, value);
        text_put(t, "</text>");
    }
    text_put(t, "</g>\n");
}

/* Changes nearer to each other than a fifth of a pixel are drawn as one. */
static void put_band(Timeline *l, const Row *row, double y)
{
    double from = l->start, least = (l->stop - l->start) / (5.0 * (WIDTH - LEFT));
    const char *value = row->first ? row->first : "";
    for (uint32_t i = 0; i <= row->marks.n; i++) {
        double to = i < row->marks.n ? row->marks.at[i].time : l->stop;
        if (to - from > least || i == row->marks.n) {
            put_segment(l, row, y, from, to, value);
            from = to;
        }
        if (i < row->marks.n)
            value = row->marks.at[i].text;
    }
}

static void put_axis(Timeline *l, double bottom)
{
    Text *t = l->r->out;
    for (int i = 0; i <= 10; i++) {
        double time = l->start + i * (l->stop - l->start) / 10, x = at_time(l, time);
        text_printf(t, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"4\" y2=\"%.1f\"/>", x, x, bottom);
        text_printf(t,
                    "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.4g</text>\n",
                    x, bottom + 14, i == 10 ? "end" : "middle", time);
    }
}

static void put_picture(Timeline *l)
{
    Text *t = l->r->out;
    uint32_t n = l->rows.n > MOST_ROWS ? MOST_ROWS : l->rows.n;
    double bottom = 8 + n * HEIGHT;
    text_printf(t,
                "<div class=\"scroll\"><svg class=\"timeline\" viewBox=\"0 0 %d %.0f\" "
                "role=\"img\"><title>events over time</title>\n",
                WIDTH + 4, bottom + 22);
    put_axis(l, bottom);
    for (uint32_t i = 0; i < n; i++) {
        const Row *row = &l->rows.at[i];
        double y = 4 + HEIGHT * (i + 0.5);
        text_printf(t, "<g><title>");
        text_put_xml(t, row->name);
        text_printf(t, "</title><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 12, y + 4);
        text_put_xml(t, shortened(l, row->name));
        text_put(t, "</text></g>\n");
        if (row->band)
            put_band(l, row, y);
        else
            put_marks(l, row, y);
    }
    text_put(t, "</svg></div>\n");
    if (l->more || n < l->rows.n)
        text_printf(t, "<p>the first %d relations and variables are shown</p>\n", MOST_ROWS);
}

/* ---- the table ---- */

static void put_changes(Timeline *l, const RecordedChange *changes, uint32_t n)
{
    Text *t = l->r->out;
    for (uint32_t i = 0; i < n; i++) {
        text_put(t, "<div class=\"code\">");
        text_put_xml(t, changes[i].name);
        text_put(t, ": ");
        text_put_xml(t, value_text(l, changes[i].from));
        text_put(t, " → ");
        text_put_xml(t, value_text(l, changes[i].to));
        text_put(t, "</div>");
    }
}

static void put_trigger(Timeline *l, const RecordedTrigger *trigger)
{
    Text *t = l->r->out;
    text_put(t, "<div><span class=\"code\">");
    text_put_xml(t, trigger->text);
    text_put(t, "</span> ");
    text_put_xml(t, value_text(l, trigger->value));
    text_put_char(t, ' ');
    report_put_link(l->r, trigger->span);
    text_put(t, "</div>");
}

static void put_table(Timeline *l)
{
    Text *t = l->r->out;
    const ReportEvents *events = l->r->events;
    text_printf(
        t,
        "<details%s><summary>list of events</summary>\n<div "
        "class=\"scroll\"><table><tr><th>time</th><th>triggered by</th><th>changes</th></tr>\n",
        events->n <= 8 ? " open" : "");
    for (uint32_t i = 0; i < events->n && i < MOST_LISTED; i++) {
        const EventRecord *event = events->at[i];
        text_printf(t, "<tr><td class=\"number\">%.9g</td><td>", event->time);
        for (uint32_t k = 0; k < event->n_triggers; k++)
            put_trigger(l, &event->triggers[k]);
        text_put(t, "</td><td>");
        put_changes(l, event->changes, event->n_changes);
        put_changes(l, event->reinits, event->n_reinits);
        text_put(t, "</td></tr>\n");
    }
    text_put(t, "</table></div>\n");
    if (l->r->n_events > MOST_LISTED)
        text_printf(t, "<p>the first %d of %llu are listed</p>\n", MOST_LISTED,
                    (unsigned long long)l->r->n_events);
    text_put(t, "</details>\n");
}

void report_put_events(Report *r)
{
    text_put(r->out, "<h2 id=\"events\">Events and modes</h2>\n");
    if (!r->events->n) {
        text_put(r->out, "<p>There were no events.</p>\n");
        return;
    }
    const ReportEvents *events = r->events;
    Timeline l = {.r = r, .start = events->at[0]->time, .stop = events->at[events->n - 1]->time};
    if (r->table) {
        l.start = r->table->time[0];
        l.stop = r->table->time[r->table->n_rows - 1];
    }
    for (uint32_t i = 0; i < r->events->n; i++)
        take_event(&l, r->events->at[i]);
    put_picture(&l);
    put_table(&l);
    for (uint32_t i = 0; i < l.rows.n; i++)
        vec_free(&l.rows.at[i].marks);
    vec_free(&l.rows);
}

/* The page about a run: numbers, links to lines, events and values over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/report.h"

#include <math.h>
#include <string.h>

static void check_number(double x, const char *expected)
{
    Text t = {0};
    report_put_number(&t, x);
    assert_string_equal(t.at, expected);
    text_free(&t);
}

static void numbers_are_short(void **state)
{
    (void)state;
    check_number(0.1 + 0.2, "0.3");
    check_number(-0.0, "0");
    check_number(1234567.89, "1234568");
    check_number(1e-20, "1e-20");
    check_number(NAN, "–");
}

typedef struct World {
    Report r;
    Text out;
    ReportEvents events;
    Dae dae;
    Plan plan;
    Table table;
    double times[2];
} World;

/* A run from 0 to 10 with these events; the section about them is in out. */
static void report_events(World *w, const EventRecord *events, uint32_t n)
{
    *w = (World){.times = {0, 10}};
    w->plan.dae = &w->dae;
    w->table = (Table){.n_rows = 2, .time = w->times};
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < n; i++)
        vec_push(&w->events, report_event(&events[i], arena));
    w->r = (Report){.ctx = context_new(),
                    .plan = &w->plan,
                    .table = &w->table,
                    .events = &w->events,
                    .n_events = n,
                    .out = &w->out,
                    .arena = arena};
    report_put_events(&w->r);
}

static void end(World *w)
{
    for (uint32_t i = 0; i < w->r.files.n; i++)
        vec_free(&w->r.files.at[i].lines);
    vec_free(&w->r.files);
    vec_free(&w->events);
    text_free(&w->out);
    arena_free(w->r.arena);
    context_free(w->r.ctx);
}

static void check_says(const World *w, const char *text)
{
    if (!strstr(w->out.at, text))
        fail_msg("'%s' is missing in\n%s", text, w->out.at);
}

static const RecordedValue yes = {RECORDED_BOOL, 1, NULL}, no = {RECORDED_BOOL, 0, NULL};

static void no_events(void **state)
{
    (void)state;
    World w;
    report_events(&w, NULL, 0);
    check_says(&w, "There were no events.");
    end(&w);
}

/* on: false until 2, true until 7, false until the end. The picture is 1000 wide and begins at 260:
 * 2 of 10 is at 260 + 0.2*740 = 408, 5 units are 370 wide. */
static void values_become_bands(void **state)
{
    (void)state;
    RecordedTrigger trigger = {.kind = TRIGGER_RELATION, .text = "x > 1 & y", .value = yes};
    RecordedChange on = {"on", no, yes}, off = {"on", yes, no};
    EventRecord events[] = {
        {.time = 2, .triggers = &trigger, .n_triggers = 1, .changes = &on, .n_changes = 1},
        {.time = 7, .changes = &off, .n_changes = 1}};
    World w;
    report_events(&w, events, 2);
    check_says(&w, "on = false from 0 to 2</title>");
    check_says(&w, "on = true from 2 to 7</title><rect x=\"408.00\"");
    check_says(&w, "width=\"370.00\"");
    check_says(&w, "on = false from 7 to 10</title>");
    check_says(&w, "<circle cx=\"408.00\"");
    check_says(&w, "x &gt; 1 &amp; y");
    end(&w);
}

/* A run that failed before its first row has events, but no table: they span the picture. */
static void events_without_a_table(void **state)
{
    (void)state;
    RecordedChange on = {"on", no, yes}, off = {"on", yes, no};
    const EventRecord first = {.time = 40, .changes = &on, .n_changes = 1},
                      last = {.time = 50, .changes = &off, .n_changes = 1};
    World w;
    report_events(&w, NULL, 0);
    vec_push(&w.events, &first);
    vec_push(&w.events, &last);
    w.r.table = NULL;
    report_put_events(&w.r);
    check_says(&w, "on = true from 40 to 50</title><rect x=\"260.00\"");
    check_says(&w, "width=\"740.00\"");
    end(&w);
}

/* A long name is cut between characters: each ä has two bytes, and byte 35 is inside one. */
static void long_names_are_cut(void **state)
{
    (void)state;
    RecordedChange on = {"ääääääääääääääääääääääää", no, yes};
    EventRecord event = {.time = 2, .changes = &on, .n_changes = 1};
    World w;
    report_events(&w, &event, 1);
    check_says(&w, ">äääääääääääääääää…</text>");
    end(&w);
}

/* The changes of its first event show the mode before it. */
static void modes_become_a_band(void **state)
{
    (void)state;
    RecordedChange change = {"a", no, yes};
    RecordedGuard guards[] = {{"a", yes}, {"b", no}};
    RecordedMode mode = {.guards = guards, .n_guards = 2};
    EventRecord events[] = {{.time = 4, .changes = &change, .n_changes = 1, .mode = &mode}};
    World w;
    report_events(&w, events, 1);
    check_says(&w, "mode: a = false, b = false from 0 to 4");
    check_says(&w, "mode: a = true, b = false from 4 to 10");
    end(&w);
}

static void numbers_and_texts_change(void **state)
{
    (void)state;
    RecordedChange reinit = {"v", {RECORDED_NUMBER, -2.5, NULL}, {RECORDED_NUMBER, 1.25, NULL}};
    RecordedChange changes[] = {{"s", {RECORDED_TEXT, 0, "<a>"}, {RECORDED_TEXT, 0, "b"}},
                                {"n", {RECORDED_NUMBER, NAN, NULL}, {RECORDED_NUMBER, 3, NULL}}};
    EventRecord event = {
        .time = 5, .changes = changes, .n_changes = 2, .reinits = &reinit, .n_reinits = 1};
    World w;
    report_events(&w, &event, 1);
    check_says(&w, "<td class=\"number\">5</td>");
    check_says(&w, "s: &lt;a&gt; → b");
    check_says(&w, "n: – → 3");
    check_says(&w, "v: -2.5 → 1.25");
    end(&w);
}

static void links_lead_to_lines(void **state)
{
    (void)state;
    World w;
    report_events(&w, NULL, 0);
    uint32_t file = sources_add(w.r.ctx->sources, "lib/a<b.mo", "model M\n  Real x;\nend M;\n", 25);
    report_put_link(&w.r, (Span){file, 10, 14});
    check_says(&w, "<a class=\"place\" href=\"#f1-L2\">a&lt;b.mo:2</a>");
    assert_int_equal(w.r.files.n, 1);
    assert_int_equal(w.r.files.at[0].lines.at[0], 2);
    size_t n = w.out.n;
    report_put_link(&w.r, (Span){0}); /* nowhere */
    assert_int_equal(w.out.n, n);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short),        cmocka_unit_test(no_events),
        cmocka_unit_test(values_become_bands),      cmocka_unit_test(events_without_a_table),
        cmocka_unit_test(long_names_are_cut),       cmocka_unit_test(modes_become_a_band),
        cmocka_unit_test(numbers_and_texts_change), cmocka_unit_test(links_lead_to_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Reports on models: the public side of src/report. Runs the model and the analyses, collects its
 * log, and writes the page. */
#include "report/report.h"
#include "api/reports/report_analyses.h"
#include "base/atomic_file.h"

#include <stdlib.h>
#include <errno.h>
#include <unistd.h>

enum { MOST_EVENTS = 20000 };

typedef struct Gather {
    KairosModel *m;
    const KairosRun *given;
    KairosRun copy, *run; /* run: its copy */
    const char *output;
    char *result; /* the file of the run; "" if there is none */
    ReportEvents events;
    uint64_t n_events;
    const ProfileRecord *profile; /* NULL: none was measured */
    Arena *arena;                 /* of the events and the profile */
    Text log;
    const KairosReport *wanted;
    ReportAnalyses analyses;
    int status;
} Gather;

static void take_log(void *user, const char *text)
{
    Gather *g = user;
    text_put(&g->log, text);
    if (*text && text[strlen(text) - 1] != '\n')
        text_put_char(&g->log, '\n');
    if (g->run->on_log)
        g->run->on_log(g->run->user, text);
}

static void take_record(void *user, const EventRecord *record)
{
    Gather *g = user;
    if (g->n_events++ < MOST_EVENTS)
        vec_push(&g->events, report_event(record, g->arena));
}

static void take_profile(void *user, const ProfileRecord *record)
{
    Gather *g = user;
    g->profile = report_profile(record, g->arena);
}

static void pass_profile(void *user, const char *json)
{
    const Gather *g = user;
    if (g->run->on_profile)
        g->run->on_profile(g->run->user, json);
}

static void pass_event(void *user, const char *line)
{
    const Gather *g = user;
    g->run->on_event(g->run->user, line);
}

static void pass_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    const Gather *g = user;
    g->run->on_progress(g->run->user, time, steps, events);
}

static int pass_row(void *user, const KairosRow *row)
{
    const Gather *g = user;
    return g->run->on_row(g->run->user, row);
}

static void pass_final(void *user, const char *name, double value)
{
    const Gather *g = user;
    g->run->on_final(g->run->user, name, value);
}

static int simulate(Gather *g)
{
    KairosRun run = *g->run;
    run.output = g->result;
    run.describe = 0;
    run.log = run.log ? run.log : "init,stats";
    run.on_log = take_log;
    run.on_event = run.on_event ? pass_event : NULL;
    run.on_profile = pass_profile; /* asks for one */
    run.on_progress = run.on_progress ? pass_progress : NULL;
    run.on_row = run.on_row ? pass_row : NULL;
    run.on_final = run.on_final ? pass_final : NULL;
    run.user = g;
    return session_simulate(g->m, &run, (SessionSinks){take_record, take_profile});
}

static bool shows_something(const char *svg)
{
    return strstr(svg, "<path") || strstr(svg, "<text") || strstr(svg, "<image");
}

static void write_page(Gather *g, const char *messages, const char *diagram)
{
    Kairos *k = g->m->session;
    Text page = {0}, analyses = {0}, links = {0};
    report_put_analyses(&g->analyses, &analyses);
    report_link_analyses(&g->analyses, &links);
    Table *table = access(g->result, R_OK) ? NULL : table_read(k->ctx, g->result);
    Report r = {.ctx = k->ctx,
                .model = g->m->compilation.model,
                .flat = g->m->compilation.flat,
                .plan = g->m->compilation.plan,
                .table = table,
                .events = &g->events,
                .n_events = g->n_events,
                .profile = g->profile,
                .log = g->log.at,
                .diagram = diagram && shows_something(diagram) ? diagram : NULL,
                .messages = messages,
                .analyses = analyses.at,
                .links = links.at,
                .out = &page,
                .arena = arena_new()};
    report_write(&r);
    if (!atomic_save_text(k->ctx, g->output, &page))
        g->status = KAIROS_USE_ERROR;
    arena_free(r.arena);
    table_free(table);
    text_free(&page);
    text_free(&analyses);
    text_free(&links);
}

/* A model without a diagram has a page without it. When memory runs out, there is no page: the
 * calls have reported that. */
static void write_report(Gather *g)
{
    Kairos *k = g->m->session;
    char *messages = kairos_render_messages(k, KAIROS_TEXT), *diagram = NULL;
    int drawn = session_draw(k, kairos_model_name(g->m), KAIROS_DIAGRAM, &diagram);
    if (messages && drawn != KAIROS_FAILED)
        write_page(g, messages, diagram);
    else
        g->status = KAIROS_FAILED;
    kairos_free_text(messages);
    kairos_free_text(diagram);
}

static bool has_page(int status)
{
    return status == KAIROS_OK || status == KAIROS_FAILED || status == KAIROS_INTERRUPTED;
}

static void gather(void *arg)
{
    Gather *g = arg;
    Kairos *k = g->m->session;
    g->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(k, KairosRun, g->given, &g->copy) ||
        !SESSION_READ(k, KairosReport, g->wanted, &g->analyses.how))
        return;
    g->run = &g->copy;
    g->analyses.m = g->m;
    g->analyses.run = g->copy;
    g->analyses.run.output = NULL;
    g->analyses.run.on_row = NULL;
    g->analyses.run.on_event = NULL;
    g->analyses.run.on_final = NULL;
    g->analyses.run.on_log = NULL;
    g->arena = arena_new();
    int error = report_begin_analyses(&g->analyses);
    g->result = error ? NULL : report_temporary(&g->analyses, "result.mat");
    if (!g->result)
        diag(k->ctx, (Span){0}, DIAG_U002,
             "cannot write temporary files: %s; the variable TMPDIR names their folder",
             strerror(error ? error : ENOMEM));
    g->status = g->result ? simulate(g) : KAIROS_USE_ERROR;
}

static void write_gathered(void *arg)
{
    Gather *g = arg;
    write_report(g);
}

/* The analyses call public functions, between the parts that are guarded. */
static int run_all(Gather *g)
{
    Kairos *k = g->m->session;
    int status = session_guard(k, gather, g, &g->status);
    if (!has_page(status) || !g->result) /* memory may have run out before the run */
        return status;
    int analysed = report_run_analyses(&g->analyses, g->result);
    g->status = status;
    int written = session_guard(k, write_gathered, g, &g->status);
    return written != status ? written : analysed != KAIROS_OK ? analysed : status;
}

int kairos_report_analyses(KairosModel *m, const KairosRun *run, const KairosReport *what,
                           const char *output)
{
    Gather g = {.m = m, .given = run, .wanted = what, .output = output};
    int status = run_all(&g);
    report_end_analyses(&g.analyses);
    free(g.result);
    vec_free(&g.events);
    arena_free(g.arena);
    text_free(&g.log);
    return status;
}

int kairos_report_model(KairosModel *m, const KairosRun *run, const char *output)
{
    return kairos_report_analyses(m, run, NULL, output);
}

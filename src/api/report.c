/* Reports on models: the public side of src/report. Runs the model, collects its log, and writes
 * the page. */
#include "report/report.h"
#include "api/session.h"
#include "base/atomic_file.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_EVENTS = 20000 };

typedef struct Gather {
    KairosModel *m;
    const KairosRun *given;
    KairosRun copy, *run; /* run: its copy */
    const char *output;
    char *result; /* the file of the run, deleted at the end; "" if there is none */
    ReportEvents events;
    uint64_t n_events;
    const ProfileRecord *profile; /* NULL: none was measured */
    Arena *arena;                 /* of the events and the profile */
    Text log;
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
    Text page = {0};
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
                .out = &page,
                .arena = arena_new()};
    report_write(&r);
    if (!atomic_save_text(k->ctx, g->output, &page))
        g->status = KAIROS_USE_ERROR;
    arena_free(r.arena);
    table_free(table);
    text_free(&page);
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

static void gather(void *arg)
{
    Gather *g = arg;
    g->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(g->m->session, KairosRun, g->given, &g->copy))
        return;
    g->run = &g->copy;
    g->arena = arena_new();
    g->result = memory_alloc(strlen(g->output) + 12);
    strcat(strcpy(g->result, g->output), ".XXXXXX.mat");
    int fd = mkstemps(g->result, 4);
    if (fd >= 0)
        close(fd);
    else /* the folder does not exist: reported when the page is written */
        g->result[0] = 0;
    g->status = g->result[0] ? simulate(g) : KAIROS_OK;
    if (g->status == KAIROS_OK || g->status == KAIROS_FAILED || g->status == KAIROS_INTERRUPTED)
        write_report(g);
}

int kairos_report_model(KairosModel *m, const KairosRun *run, const char *output)
{
    Gather g = {.m = m, .given = run, .output = output};
    int status = session_guard(m->session, gather, &g, &g.status);
    if (g.result && g.result[0])
        unlink(g.result);
    memory_free(g.result);
    vec_free(&g.events);
    arena_free(g.arena);
    text_free(&g.log);
    return status;
}

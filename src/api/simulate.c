/* Runs of a compiled model: options, output, structural settings, several threads at once. */
#include "api/drive.h"
#include "base/clock.h"
#include "output/output.h"
#include "replan/replan.h"
#include "api/model_fit.h"
#include "api/row_feed.h"
#include "api/saved_run.h"
#include "api/settings.h"

#include <math.h>
#include <stdio.h>

typedef struct Run {
    KairosModel *m;
    const KairosRun *given;
    KairosRun copy;
    const KairosRun *how; /* the copy */
    SessionSinks sinks;
    ModelFit fit;
    SavedRun saved;
    Settings settings;
    Context *ctx; /* for its messages; NULL before it began */
    Writer *writer;
    Columns *columns;
    /* the first row, for the parameters of the file, with the time of the last one */
    double *first;
    double *last; /* the last row, if requested; otherwise NULL */
    RowFeed feed;
    size_t n_vars;
    bool begun;   /* there was a row */
    double start; /* of the run, by clock_now */
    int status;
} Run;

static bool take_row(void *user, const double *v)
{
    Run *r = user;
    if (!r->begun)
        memcpy(r->first, v, r->n_vars * sizeof *v);
    r->begun = true;
    r->first[0] = v[0];
    if (r->last)
        memcpy(r->last, v, r->n_vars * sizeof *v);
    if (r->feed.columns && !row_feed_give(&r->feed, v))
        return false;
    return saved_run_keep(&r->saved, v) && (!r->writer || writer_row(r->writer, v));
}

/* A million variables at 500 points take gigabytes: warns before the run. */
static void report_size(const Run *r, uint32_t intervals)
{
    static const double LARGE = 1e9, VALUE = 10; /* bytes, of a file and of a value in it */
    double varying = 0;
    for (uint32_t i = 0; i < r->columns->list.n; i++)
        varying += !r->columns->list.at[i].constant;
    double bytes = VALUE * varying * ((double)intervals + 1);
    if (bytes > LARGE)
        diag(r->ctx, (Span){0}, DIAG_U012,
             "the result has %.0f variables at %.0f points, about %.1f GB; "
             "choose variables with --variables REGEX, or fewer points with --intervals N",
             varying, (double)intervals + 1, bytes / 1e9);
}

static bool open_output(Run *r, uint32_t intervals)
{
    if (!r->how->output && !r->how->on_final && !r->how->on_row)
        return true;
    r->columns =
        columns_new(r->ctx, r->m->compilation.plan, r->how->variables, r->how->hide_protected);
    if (r->columns && r->how->on_row)
        row_feed_open(&r->feed, r->columns, r->how);
    if (!r->columns || !r->how->output)
        return r->columns;
    report_size(r, intervals);
    r->writer = writer_open(r->ctx, r->how->output, r->columns);
    if (r->writer && r->how->result_tolerance > 0)
        writer_leave_out(r->writer, r->n_vars, r->how->result_tolerance);
    return r->writer;
}

static int status_of(SimStatus s)
{
    switch (s) {
    case SIM_DONE: return KAIROS_OK;
    case SIM_FAILED: return KAIROS_FAILED;
    case SIM_INTERRUPTED: return KAIROS_INTERRUPTED;
    default: return KAIROS_USE_ERROR;
    }
}

static void report_phases(const Run *r)
{
    const Compilation *c = &r->m->compilation;
    char text[256];
    double total = 0;
    for (int i = 0; i < PHASE_COUNT; i++)
        total += c->seconds[i];
    snprintf(text, sizeof text,
             "compiled in %.1f ms: instance %.1f, flatten %.1f, dae %.1f, structure %.1f, codegen "
             "%.1f, load %.1f\n",
             1e3 * total, 1e3 * c->seconds[PHASE_INSTANCE], 1e3 * c->seconds[PHASE_FLATTEN],
             1e3 * c->seconds[PHASE_DAE], 1e3 * c->seconds[PHASE_STRUCTURE],
             1e3 * c->seconds[PHASE_CODEGEN], 1e3 * c->seconds[PHASE_LOAD]);
    r->how->on_log(r->how->user, text);
}

static const ModelCode *poll_code(void *user, double done)
{
    const Run *r = user;
    return tier_poll(r->m->compilation.code_tier, clock_now() - r->start, done);
}

static SimStatus run_sim(Run *r, Sim *s, const SimOptions *o)
{
    if (!s)
        return SIM_BAD_SETTING;
    r->saved = (SavedRun){.ctx = r->ctx,
                          .how = r->how,
                          .of = {kairos_model_name(r->m), r->m->compilation.plan, o, 0,
                                 r->how->settings, r->how->n_settings},
                          .sim = s,
                          .row = take_row,
                          .user = r};
    if (saved_run_begin(&r->saved) && saved_run_advance(&r->saved))
        sim_finish(s);
    SimStatus status = sim_close(s);
    bool misfit = r->saved.misfit, unwritten = r->saved.unwritten;
    saved_run_end(&r->saved, status == SIM_DONE && !misfit && !unwritten);
    return misfit ? SIM_BAD_SETTING : unwritten ? SIM_SINK_FAILED : status;
}

static SimStatus integrate(Run *r, SimOptions *o)
{
    const Compilation *c = &r->m->compilation;
    SimTier tier = {r, poll_code};
    o->tier = &tier;
    r->start = clock_now();
    SimStats stats = {0};
    Replan replan = replan_of(&(ReplanFor){&r->m->compilation, r->ctx});
    o->replan = &replan;
    SimText text = {.user = r->how->user,
                    .log = r->how->on_log,
                    .event = r->how->on_event,
                    .progress = r->how->on_progress,
                    .record = r->sinks.event,
                    .profile = r->sinks.profile,
                    .profile_json = r->how->on_profile};
    ResultSink sink = {r, take_row, r->columns ? columns_need(r->columns, c->plan) : ROW_TIME};
    if (o->log & LOG_STATS && r->how->on_log)
        report_phases(r);
    Sim *sim = sim_open(r->ctx, c->plan, tier_code(c->code_tier), o, &sink, &text, &stats);
    SimStatus status = run_sim(r, sim, o);
    tier_count(c->code_tier, clock_now() - r->start);
    if (r->how->on_progress)
        r->how->on_progress(r->how->user, stats.end_time, stats.steps,
                            stats.state_events + stats.time_events);
    if (o->log & LOG_STATS && r->how->on_log && c->tiered && tier_state(c->code_tier) == TIER_NONE)
        r->how->on_log(r->how->user, "Kairos found no C compiler for faster code\n");
    return status;
}

static bool prepare(Run *r, SimOptions *o, Settings *settings)
{
    const Dae *dae = r->m->compilation.plan->dae;
    CONTEXT_HOLD(r->ctx);
    r->n_vars = dae->vars.n;
    r->first = memory_alloc(r->n_vars * sizeof *r->first);
    r->last = r->how->on_final ? memory_alloc(r->n_vars * sizeof *r->last) : NULL;
    bool ok = options_of_run(r->ctx, r->m, r->how, o) &&
              settings_resolve(r->ctx, dae, r->how->settings, r->how->n_settings, settings) &&
              open_output(r, o->intervals);
    o->sets = settings->sets.at;
    o->n_sets = settings->sets.n;
    return ok;
}

/* Without a row there are names alone. */
static void give_final(const Run *r)
{
    r->how->on_final(r->how->user, "time", r->begun ? r->last[0] : NAN);
    for (uint32_t i = 0; i < r->columns->list.n; i++) {
        const Column *c = &r->columns->list.at[i];
        if (!c->constant)
            r->how->on_final(r->how->user, c->name, r->begun ? c->sign * r->last[c->var] : NAN);
    }
}

static void name_finals(void *arg)
{
    Run *r = arg;
    r->status = KAIROS_USE_ERROR;
    r->ctx = context_fork(r->m->session->ctx);
    r->copy.output = NULL;
    r->copy.on_row = NULL;
    SimOptions o;
    if (prepare(r, &o, &r->settings)) {
        give_final(r);
        r->status = KAIROS_OK;
    }
}

static void run_model(void *arg)
{
    Run *r = arg;
    r->status = KAIROS_USE_ERROR;
    r->ctx = context_fork(r->m->session->ctx);
    SimOptions o;
    if (prepare(r, &o, &r->settings)) {
        drive_warn(r->ctx, r->m->compilation.flat);
        SimStatus s = integrate(r, &o);
        Writer *writer = s == SIM_BAD_SETTING ? NULL : r->writer;
        if (writer)
            r->writer = NULL;
        bool saved = !writer || writer_close(writer, r->first);
        if (saved && writer && r->how->describe)
            saved = metadata_write(r->ctx, r->how->output, r->columns, kairos_model_name(r->m));
        r->status = saved ? status_of(s) : KAIROS_USE_ERROR;
        if (r->last && r->begun)
            give_final(r);
    }
}

static void free_run(Run *r)
{
    if (r->writer)
        writer_discard(r->writer);
    settings_free(&r->settings);
    row_feed_close(&r->feed);
    columns_free(r->columns);
    memory_free(r->first);
    memory_free(r->last);
    arena_free(r->fit.arena);
}

void kairos_model_times(const KairosModel *m, double *start, double *stop)
{
    const Experiment *e = &m->compilation.flat->experiment;
    *start = isnan(e->start) ? 0 : e->start;
    *stop = isnan(e->stop) ? *start + 1 : e->stop;
}

static void read_run(void *arg)
{
    Run *r = arg;
    r->how = &r->copy;
    r->status =
        SESSION_READ(r->m->session, KairosRun, r->given, &r->copy) ? KAIROS_OK : KAIROS_USE_ERROR;
}

/* The messages of the run to the caller, or to the session. */
static void join_context(void *arg)
{
    Run *r = arg;
    CONTEXT_HOLD(r->m->session->ctx);
    if (r->how->on_messages && r->ctx->diags.n) {
        r->how->on_messages(r->how->user, diag_render(r->ctx, DIAG_JSON, false, r->ctx->arena));
        vec_clear(&r->ctx->diags);
    }
    context_join(r->ctx);
}

/* Calls the action with a run whose model fits its settings. */
static int with_run(KairosModel *m, const KairosRun *run, SessionSinks sinks,
                    void (*action)(void *))
{
    Kairos *k = m->session;
    Run r = {.m = m, .given = run, .sinks = sinks};
    int status = session_guard(k, read_run, &r, &r.status);
    if (status != KAIROS_OK)
        return status;
    if (k->runs++ == 0)
        *k->ctx->interrupt = 0;
    r.fit = (ModelFit){.m = m, .how = r.how};
    status = model_enter(&r.fit);
    if (status == KAIROS_OK)
        status = session_guard(k, action, &r, &r.status);
    free_run(&r);
    int joined = KAIROS_OK;
    if (r.ctx && session_guard(k, join_context, &r, &joined) != KAIROS_OK)
        status = KAIROS_FAILED;
    pthread_rwlock_unlock(&k->models);
    k->runs--;
    return status;
}

int session_simulate(KairosModel *m, const KairosRun *run, SessionSinks sinks)
{
    return with_run(m, run, sinks, run_model);
}

int kairos_name_finals(KairosModel *m, const KairosRun *run)
{
    return with_run(m, run, (SessionSinks){0}, name_finals);
}

int kairos_simulate_model(KairosModel *m, const KairosRun *run)
{
    return session_simulate(m, run, (SessionSinks){0});
}

const char *const *kairos_list_solvers(void)
{
    return sim_solvers();
}

/* Runs of a compiled model: options, output, structural settings, several threads at once. */
#include "api/drive.h"
#include "base/clock.h"
#include "output/output.h"
#include "replan/replan.h"
#include "api/session.h"
#include "api/settings.h"

#include <math.h>
#include <stdio.h>

typedef struct Run {
    KairosModel *m;
    const KairosRun *given;
    KairosRun copy;
    const KairosRun *how;      /* the copy */
    SessionRecordFn on_record; /* or NULL */
    bool fits;                 /* the model fits the run */
    Arena *arena;              /* for the text that drives its inputs */
    const char *driven;        /* that text; NULL without inputs */
    Settings settings;
    Context *ctx; /* for its messages; NULL before it began */
    Writer *writer;
    Columns *columns;
    /* the first row, for the parameters of the file, with the time of the last one */
    double *first;
    double *last;  /* the last row, if requested; otherwise NULL */
    KairosRow row; /* names and room for values, if rows are requested */
    double *values;
    size_t n_vars;
    bool begun;   /* there was a row */
    double start; /* of the run, by clock_now */
    int status;
} Run;

static void make_row(Run *r)
{
    uint32_t n = r->columns->list.n + 1;
    const char **names = memory_alloc(n * sizeof *names);
    r->values = memory_alloc(n * sizeof *r->values);
    names[0] = "time";
    for (uint32_t i = 1; i < n; i++)
        names[i] = r->columns->list.at[i - 1].name;
    r->row = (KairosRow){n, names, r->values};
}

static bool give_row(Run *r, const double *v)
{
    r->values[0] = v[0];
    for (uint32_t i = 1; i < r->row.n; i++) {
        const Column *c = &r->columns->list.at[i - 1];
        r->values[i] = c->sign * v[c->var];
    }
    return !r->how->on_row(r->how->user, &r->row);
}

static bool take_row(void *user, const double *v)
{
    Run *r = user;
    if (!r->begun)
        memcpy(r->first, v, r->n_vars * sizeof *v);
    r->begun = true;
    r->first[0] = v[0];
    if (r->last)
        memcpy(r->last, v, r->n_vars * sizeof *v);
    if (r->how->on_row && !give_row(r, v))
        return false;
    return !r->writer || writer_row(r->writer, v);
}

static double or_else(double a, double b)
{
    return isnan(a) ? b : a;
}

/* Missing settings come from the experiment annotation, then from the defaults. */
static SimOptions sim_options(const Run *r)
{
    const KairosRun *how = r->how;
    const Experiment *e = &r->m->compilation.flat->experiment;
    SimOptions o = {
        .start = how->start_time ? *how->start_time : or_else(e->start, 0),
        .tolerance = how->tolerance > 0 ? how->tolerance : or_else(e->tolerance, 1e-6),
        .solver = how->solver ? how->solver : "auto",
        .step = how->step,
        .event_epsilon = how->event_epsilon,
    };
    o.stop = how->stop_time ? *how->stop_time : or_else(e->stop, o.start + 1);
    double count = (o.stop - o.start) / e->interval;
    o.intervals = how->intervals              ? how->intervals
                  : count >= 1 && count < 1e8 ? (uint32_t)lround(count)
                                              : 500;
    double steps = how->output_step > 0 ? ceil((o.stop - o.start) / how->output_step - 1e-9) : 0;
    if (steps >= 1 && steps < 1e8) {
        o.output_step = how->output_step;
        o.intervals = (uint32_t)steps;
    }
    return o;
}

static bool choose_log(Context *ctx, const char *list, unsigned *log)
{
    static const struct {
        const char *name;
        unsigned bit;
    } kinds[] = {{"events", LOG_EVENTS},
                 {"init", LOG_INIT},
                 {"blocks", LOG_BLOCKS},
                 {"stats", LOG_STATS},
                 {"modes", LOG_MODES}};
    *log = 0;
    while (list && *list) {
        size_t n = strcspn(list, ","), i = 0, count = sizeof kinds / sizeof *kinds;
        while (i < count && (strlen(kinds[i].name) != n || strncmp(kinds[i].name, list, n)))
            i++;
        if (i == count) {
            diag(ctx, (Span){0}, DIAG_U008,
                 "there is no log '%.*s'; use events, modes, init, blocks or stats", (int)n, list);
            return false;
        }
        *log |= kinds[i].bit;
        list += n + (list[n] == ',');
    }
    return true;
}

/* The place of `word` in the list; 0 if it is NULL. -1 after an error. */
static int choose(Context *ctx, const char *option, const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (!word || !strcmp(word, list[i]))
            return i;
    diag(ctx, (Span){0}, DIAG_U008, "--%s cannot be '%s'; '%s' is its default", option, word,
         list[0]);
    return -1;
}

static bool choose_hows(Context *ctx, const KairosRun *how, SimOptions *o)
{
    static const char *const accumulation[] = {"rest", "stop", NULL};
    static const char *const chattering[] = {"slide", "stop", NULL};
    static const char *const mixed[] = {"auto", "fixpoint", "limited", "search", NULL};
    static const char *const inline_method[] = {"radau", "euler", "bdf2", NULL};
    int a = choose(ctx, "accumulation", how->accumulation, accumulation);
    int c = choose(ctx, "chattering", how->chattering, chattering),
        m = choose(ctx, "mixed", how->mixed, mixed),
        i = choose(ctx, "inline-method", how->inline_method, inline_method);
    o->accumulation_stops = a == 1;
    o->chattering_stops = c == 1;
    o->mixed = m > 0 ? (MixedMethod)m : MIXED_AUTO;
    o->inline_method = i > 0 ? (InlineMethod)i : INLINE_RADAU;
    return a >= 0 && c >= 0 && m >= 0 && i >= 0;
}

static bool choose_structure(Context *ctx, const char *name, SimStructure *structure)
{
    static const char *const names[] = {[STRUCTURE_AUTO] = "auto",
                                        [STRUCTURE_SINGLE] = "single",
                                        [STRUCTURE_MODES] = "modes",
                                        [STRUCTURE_INLINE] = "inline",
                                        [STRUCTURE_MIXED] = "mixed"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name ? name : "auto", names[i])) {
            *structure = (SimStructure)i;
            return true;
        }
    diag(ctx, (Span){0}, DIAG_U008,
         "there is no structure '%s'; use auto, single, modes, inline or mixed", name);
    return false;
}

/* A million variables at 500 points are gigabytes: better said before than after. */
static void tell_size(const Run *r, uint32_t intervals)
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
        make_row(r);
    if (!r->columns || !r->how->output)
        return r->columns;
    tell_size(r, intervals);
    r->writer = writer_open(r->ctx, r->how->output, r->columns);
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

static void tell_phases(const Run *r)
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

static SimStatus integrate(Run *r, SimOptions *o)
{
    const Compilation *c = &r->m->compilation;
    SimTier tier = {r, poll_code};
    o->tier = &tier;
    r->start = clock_now();
    SimStats stats = {0};
    Replan replan = replan_of(&(ReplanFor){&r->m->compilation, r->ctx});
    o->replan = &replan;
    SimText text = {r->how->user, r->how->on_log, r->how->on_event, r->how->on_progress,
                    r->on_record};
    ResultSink sink = {r, take_row, r->columns ? columns_need(r->columns, c->plan) : ROW_TIME};
    if (o->log & LOG_STATS && r->how->on_log)
        tell_phases(r);
    SimStatus status = sim_run(r->ctx, c->plan, tier_code(c->code_tier), o, &sink, &text, &stats);
    tier_count(c->code_tier, clock_now() - r->start);
    if (o->log & LOG_STATS && r->how->on_log && c->tiered && tier_state(c->code_tier) == TIER_NONE)
        r->how->on_log(r->how->user, "There is no C compiler that could make better code\n");
    return status;
}

static bool prepare(Run *r, SimOptions *o, Settings *settings)
{
    const Dae *dae = r->m->compilation.plan->dae;
    CONTEXT_HOLD(r->ctx);
    r->n_vars = dae->vars.n;
    r->first = memory_alloc(r->n_vars * sizeof *r->first);
    r->last = r->how->on_final ? memory_alloc(r->n_vars * sizeof *r->last) : NULL;
    bool ok = choose_log(r->ctx, r->how->log, &o->log) &&
              choose_structure(r->ctx, r->how->structure, &o->structure) &&
              choose_hows(r->ctx, r->how, o) &&
              settings_resolve(r->ctx, dae, r->how->settings, r->how->n_settings, settings) &&
              settings_changes(r->ctx, dae, r->how->changes, r->how->n_changes, settings) &&
              open_output(r, o->intervals);
    o->sets = settings->sets.at;
    o->n_sets = settings->sets.n;
    o->changes = settings->changes.at;
    o->n_changes = settings->changes.n;
    o->inlined = r->how->inlined;
    o->n_inlined = r->how->n_inlined;
    return ok;
}

static void give_final(const Run *r)
{
    r->how->on_final(r->how->user, "time", r->last[0]);
    for (uint32_t i = 0; i < r->columns->list.n; i++) {
        const Column *c = &r->columns->list.at[i];
        if (!c->constant)
            r->how->on_final(r->how->user, c->name, c->sign * r->last[c->var]);
    }
}

static void run_model(void *arg)
{
    Run *r = arg;
    r->status = KAIROS_USE_ERROR;
    r->ctx = context_fork(r->m->session->ctx);
    SimOptions o = sim_options(r);
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
    memory_free((void *)(uintptr_t)r->row.names);
    memory_free(r->values);
    columns_free(r->columns);
    memory_free(r->first);
    memory_free(r->last);
    arena_free(r->arena);
}

void kairos_model_times(const KairosModel *m, double *start, double *stop)
{
    const Experiment *e = &m->compilation.flat->experiment;
    *start = isnan(e->start) ? 0 : e->start;
    *stop = isnan(e->stop) ? *start + 1 : e->stop;
}

/* ---- settings that shape the model ---- */

static bool has_mod(const KairosModel *m, const KairosSetting *s)
{
    for (uint32_t i = 0; i < m->n_mods; i++)
        if (!strcmp(s->name, m->mods[i].name))
            return !strcmp(settings_expression(m->compilation.flat, s, m->compilation.ctx->arena),
                           m->mods[i].value);
    return false;
}

/* Whether the plan's assumptions hold with the run's settings. They hold for the settings of the
 * compilation. */
static bool holds(const KairosModel *m, const KairosRun *run)
{
    bool compiled = true;
    for (unsigned i = 0; i < run->n_settings && compiled; i++)
        compiled = has_mod(m, &run->settings[i]);
    return compiled || settings_hold(m->compilation.plan, run->settings, run->n_settings);
}

/* ---- inputs ---- */

static bool drives_alike(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Makes known the class that drives the inputs, in a package of its own; its name. */
static const char *add_driven(KairosModel *m, const char *text)
{
    Context *ctx = m->session->ctx;
    unsigned number = ++m->session->n_driven;
    const char *whole = arena_printf(ctx->arena, "package '--input %u'\n%send '--input %u';\n",
                                     number, text, number);
    uint32_t source = sources_add(ctx->sources, "--input", whole, strlen(whole));
    if (!library_add_source(m->session->library, source))
        return NULL;
    return arena_printf(ctx->arena, "'--input %u'.Driven", number);
}

/* Whether the model was compiled with the settings and inputs of the run. */
static bool fits(const KairosModel *m, const KairosRun *run, const char *driven)
{
    bool fit = drives_alike(m->driven, driven);
    for (unsigned i = 0; i < run->n_settings && fit; i++)
        fit = has_mod(m, &run->settings[i]) ||
              !settings_shape(m->compilation.flat, run->settings[i].name);
    return fit && holds(m, run);
}

/* The settings for the compilation: structural settings of the run, otherwise the model's own
 * modifications. */
static KairosModel *compile_shaped(KairosModel *m, const KairosRun *run, const char *driven)
{
    VEC(KairosSetting) all = {0};
    bool anew = !holds(m, run);
    for (unsigned i = 0; i < run->n_settings; i++)
        if (anew || settings_shape(m->compilation.flat, run->settings[i].name))
            vec_push(&all,
                     ((KairosSetting){run->settings[i].name,
                                      settings_expression(m->compilation.flat, &run->settings[i],
                                                          m->compilation.ctx->arena)}));
    uint32_t shaping = all.n;
    for (uint32_t i = 0; i < m->n_mods; i++) {
        bool given = false;
        for (uint32_t k = 0; k < shaping; k++)
            given |= !strcmp(all.at[k].name, m->mods[i].name);
        if (!given)
            vec_push(&all, ((KairosSetting){m->mods[i].name, m->mods[i].value}));
    }
    const Compilation *c = &m->compilation;
    KairosCompile how = {.size = sizeof how,
                         .compiler = c->tier == LOAD_CC ? "cc"
                                     : c->tiered        ? "auto"
                                                        : "tcc",
                         .settings = all.at,
                         .n_settings = all.n,
                         .no_events = (const char *const *)m->no_events,
                         .n_no_events = m->n_no_events};
    int status;
    const char *source = m->source ? m->source : c->flat->name,
               *name = driven ? add_driven(m, driven) : source;
    KairosModel *fresh = name ? session_compile(m->session, name, &how, PHASE_LOAD, &status) : NULL;
    vec_free(&all);
    if (!name)
        m->session->compiled = KAIROS_USE_ERROR;
    if (fresh && driven) {
        fresh->driven = session_text(driven);
        fresh->source = session_text(source);
        fresh->compilation.flat->name = name_of(m->session->ctx->names, source);
        fresh->compilation.flat->experiment = c->flat->experiment;
    }
    return fresh;
}

/* Compiles again if necessary. False after an error. */
static bool respecialise(KairosModel *m, const KairosRun *run, const char *driven)
{
    KairosModel *fresh = fits(m, run, driven) ? m : compile_shaped(m, run, driven);
    if (!fresh || fresh == m)
        return fresh;
    KairosModel old = *m;
    m->compilation = fresh->compilation;
    m->mods = fresh->mods;
    m->n_mods = fresh->n_mods;
    m->no_events = fresh->no_events;
    m->driven = fresh->driven;
    m->source = fresh->source;
    *fresh = old;
    kairos_free_model(fresh);
    return true;
}

static void read_run(void *arg)
{
    Run *r = arg;
    r->how = &r->copy;
    r->status =
        SESSION_READ(r->m->session, KairosRun, r->given, &r->copy) ? KAIROS_OK : KAIROS_USE_ERROR;
}

static void try_fit(void *arg)
{
    Run *r = arg;
    CONTEXT_HOLD(r->m->session->ctx);
    const KairosRun *how = r->how;
    if (how->n_inputs && !r->driven) {
        r->arena = arena_new();
        r->driven = drive_text(r->m->session->ctx, r->m->compilation.flat, how->inputs,
                               how->n_inputs, r->arena);
    }
    bool drives = r->driven || !how->n_inputs;
    r->fits = drives && fits(r->m, how, r->driven);
    r->status = drives ? KAIROS_OK : KAIROS_USE_ERROR;
}

static void make_fit(void *arg)
{
    Run *r = arg;
    r->fits = respecialise(r->m, r->how, r->driven);
    r->status = r->fits ? KAIROS_OK : r->m->session->compiled;
}

/* Waits until the model fits the run; leaves the lock of the models taken. */
static int enter(Run *r)
{
    enum { TRIES = 3 };
    Kairos *k = r->m->session;
    for (int i = 1;; i++) {
        pthread_rwlock_rdlock(&k->models);
        int status = session_guard(k, try_fit, r, &r->status);
        if (status != KAIROS_OK || r->fits)
            return status;
        pthread_rwlock_unlock(&k->models);
        pthread_rwlock_wrlock(&k->models);
        status = session_guard(k, make_fit, r, &r->status);
        /* other runs keep changing the structure: this run goes alone */
        if (status != KAIROS_OK || i == TRIES)
            return status;
        pthread_rwlock_unlock(&k->models);
    }
}

static void join_context(void *arg)
{
    Run *r = arg;
    CONTEXT_HOLD(r->m->session->ctx);
    context_join(r->ctx);
}

int session_simulate(KairosModel *m, const KairosRun *run, SessionRecordFn on_record)
{
    Kairos *k = m->session;
    Run r = {.m = m, .given = run, .on_record = on_record};
    int status = session_guard(k, read_run, &r, &r.status);
    if (status != KAIROS_OK)
        return status;
    if (k->runs++ == 0)
        *k->ctx->interrupt = 0;
    status = enter(&r);
    if (status == KAIROS_OK)
        status = session_guard(k, run_model, &r, &r.status);
    free_run(&r);
    int joined = KAIROS_OK;
    if (r.ctx && session_guard(k, join_context, &r, &joined) != KAIROS_OK)
        status = KAIROS_FAILED;
    pthread_rwlock_unlock(&k->models);
    k->runs--;
    return status;
}

int kairos_simulate_model(KairosModel *m, const KairosRun *run)
{
    return session_simulate(m, run, NULL);
}

const char *const *kairos_list_solvers(void)
{
    return sim_solvers();
}

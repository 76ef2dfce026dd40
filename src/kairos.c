/* The public interface: sessions, models, runs. See include/kairos.h for the contracts. */
#include "session.h"

#include "base/clock.h"
#include "compile.h"
#include "notation/notation.h"
#include "output/output.h"
#include "replan.h"
#include "settings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct KairosModel {
    Kairos *session;
    Compilation compilation;
    OuterMod *mods; /* settings that shaped the model; owned */
    uint32_t n_mods;
};

const char *kairos_version(void)
{
    return KAIROS_VERSION;
}

/* ---- sessions ---- */

static void open_session(void *arg)
{
    Kairos *k = memory_alloc(sizeof *k);
    *(Kairos **)arg = k;
    k->ctx = context_new();
    k->graph = graph_new(k->ctx);
    k->library = library_new(k->ctx, k->graph);
}

Kairos *kairos_open(void)
{
    Kairos *k = NULL;
    return memory_guard(open_session, &k) ? k : NULL;
}

void kairos_close(Kairos *k)
{
    if (!k)
        return;
    library_free(k->library);
    graph_free(k->graph);
    context_free(k->ctx);
    memory_free(k);
}

void kairos_add_library(Kairos *k, const char *folder)
{
    library_add_path(k->library, folder);
}

void kairos_interrupt(Kairos *k)
{
    k->ctx->interrupt = 1;
}

int session_guard(Kairos *k, void (*action)(void *arg), void *arg, const int *status)
{
    if (memory_guard(action, arg))
        return *status;
    diag(k->ctx, (Span){0}, DIAG_U009, "there is not enough memory");
    return KAIROS_FAILED;
}

typedef struct Load {
    Kairos *k;
    const char *name, *text; /* text NULL: a file */
    size_t size;
    int status;
} Load;

/* The file to read for a path: a folder stands for its package.mo. */
static const char *file_of(Context *ctx, const char *path)
{
    struct stat st;
    bool folder = !stat(path, &st) && S_ISDIR(st.st_mode);
    return folder ? arena_printf(ctx->arena, "%s/package.mo", path) : path;
}

static void load(void *arg)
{
    Load *l = arg;
    Context *ctx = l->k->ctx;
    const char *path = l->text ? NULL : file_of(ctx, l->name);
    uint32_t source =
        l->text ? sources_add(ctx->sources, l->name, l->text, l->size) : sources_load(ctx->sources, path);
    if (!source) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", l->name, strerror(errno));
        l->status = KAIROS_USE_ERROR;
    } else {
        l->status = library_add_source(l->k->library, source) ? KAIROS_OK : KAIROS_MODEL_ERROR;
    }
}

int kairos_load_file(Kairos *k, const char *path)
{
    Load l = {k, path, NULL, 0, 0};
    return session_guard(k, load, &l, &l.status);
}

int kairos_load_text(Kairos *k, const char *name, const char *text, size_t size)
{
    Load l = {k, name, text, size, 0};
    return session_guard(k, load, &l, &l.status);
}

/* ---- messages ---- */

char *session_text(const char *s)
{
    char *copy = memory_alloc(strlen(s) + 1);
    return strcpy(copy, s);
}

char *kairos_render_messages(Kairos *k, KairosFormat format)
{
    Arena *arena = arena_new();
    char *text = session_text(diag_render(k->ctx, format == KAIROS_JSON ? DIAG_JSON : DIAG_TEXT,
                                          format == KAIROS_TEXT_COLOUR, arena));
    arena_free(arena);
    return text;
}

void kairos_clear_messages(Kairos *k)
{
    vec_clear(&k->ctx->diags);
    k->ctx->n_errors = k->ctx->n_warnings = 0;
}

unsigned kairos_count_errors(const Kairos *k)
{
    return k->ctx->n_errors;
}

void kairos_free_text(char *text)
{
    memory_free(text);
}

/* ---- models ---- */

typedef struct Build {
    Kairos *k;
    const char *name;
    const KairosCompile *how;
    Phase last;
    KairosModel *model; /* the answer; NULL after an error */
    int status;
} Build;

static bool choose_tier(Kairos *k, const char *compiler, Compilation *c)
{
    c->tiered = !compiler || !strcmp(compiler, "auto");
    c->tier = compiler && !strcmp(compiler, "cc") ? LOAD_CC : LOAD_TCC;
    if (c->tiered || !strcmp(compiler, "cc") || !strcmp(compiler, "tcc"))
        return true;
    diag(k->ctx, (Span){0}, DIAG_U008, "there is no compiler '%s'; use auto, tcc or cc", compiler);
    return false;
}

static bool emit_code(Kairos *k, const char *path, const char *code)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fputs(code, f) >= 0;
    if (f && fclose(f))
        ok = false;
    if (!ok)
        diag(k->ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(errno));
    return ok;
}

static void copy_mods(KairosModel *m, const KairosSetting *settings, uint32_t n)
{
    m->mods = memory_alloc(n * sizeof *m->mods);
    m->n_mods = n;
    for (uint32_t i = 0; i < n; i++)
        m->mods[i] = (OuterMod){session_text(settings[i].name), session_text(settings[i].value)};
}

static void build(void *arg)
{
    Build *b = arg;
    Kairos *k = b->k;
    static const KairosCompile defaults;
    const KairosCompile *how = b->how ? b->how : &defaults;
    b->status = KAIROS_MODEL_ERROR;
    KairosModel *m = b->model = memory_alloc(sizeof *m);
    *m = (KairosModel){.session = k,
                       .compilation = {.ctx = k->ctx,
                                       .library = k->library,
                                       .comments = how->emit_c || b->last == PHASE_CODEGEN}};
    copy_mods(m, how->settings, how->n_settings);
    Compilation *c = &m->compilation;
    c->mods = m->mods;
    c->n_mods = m->n_mods;
    if (!choose_tier(k, how->compiler, c)) {
        b->status = KAIROS_USE_ERROR;
        return;
    }
    c->model = k->ctx->n_errors ? NULL : library_find_model(k->library, b->name);
    k->ctx->interrupt = 0;
    if (!c->model || !compile_model(c, b->last)) {
        b->status = k->ctx->interrupt ? KAIROS_INTERRUPTED : b->status;
        return;
    }
    b->status = how->emit_c && c->code && !emit_code(k, how->emit_c, c->code) ? KAIROS_USE_ERROR : KAIROS_OK;
}

static Build build_model(Kairos *k, const char *name, const KairosCompile *how, Phase last)
{
    Build b = {k, name, how, last, NULL, 0};
    k->compiled = b.status = session_guard(k, build, &b, &b.status);
    if (b.status != KAIROS_OK) {
        kairos_free_model(b.model);
        b.model = NULL;
    }
    return b;
}

KairosModel *kairos_compile_model(Kairos *k, const char *name, const KairosCompile *how)
{
    return build_model(k, name, how, PHASE_LOAD).model;
}

int kairos_compile_status(const Kairos *k)
{
    return k->compiled;
}

int kairos_check_model(Kairos *k, const char *name, const KairosCompile *how)
{
    Build b = build_model(k, name, how, PHASE_STRUCTURE);
    kairos_free_model(b.model);
    return b.status;
}

char *kairos_dump_phase(Kairos *k, const char *name, const char *phase, const KairosCompile *how)
{
    Arena *arena = arena_new();
    char *text = NULL;
    if (!strcmp(phase, "syntax")) {
        const AstClass *c = library_find_model(k->library, name);
        text = c ? session_text(ast_print_class(c, arena)) : NULL;
        k->compiled = c ? KAIROS_OK : KAIROS_MODEL_ERROR;
    } else if (compile_phase(phase) == PHASE_COUNT) {
        k->compiled = KAIROS_USE_ERROR;
        diag(k->ctx, (Span){0}, DIAG_U008,
             "there is no phase '%s' to print; use syntax, instance, flatten, dae, structure or codegen",
             phase);
    } else {
        Build b = build_model(k, name, how, compile_phase(phase));
        if (b.model)
            text = session_text(compile_dump(&b.model->compilation, compile_phase(phase), arena));
        kairos_free_model(b.model);
    }
    arena_free(arena);
    return text;
}

char *kairos_translate_file(Kairos *k, const char *path)
{
    uint32_t source = sources_load(k->ctx->sources, path);
    if (!source) {
        diag(k->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    uint32_t errors = k->ctx->n_errors;
    AstFile *file = notation_parse(k->ctx, source);
    Arena *arena = arena_new();
    char *text = k->ctx->n_errors > errors ? NULL : session_text(ast_print(file, arena));
    arena_free(arena);
    ast_free(file);
    return text;
}

void kairos_free_model(KairosModel *m)
{
    if (!m)
        return;
    compile_free(&m->compilation);
    for (uint32_t i = 0; i < m->n_mods; i++) {
        memory_free((char *)(uintptr_t)m->mods[i].name);
        memory_free((char *)(uintptr_t)m->mods[i].value);
    }
    memory_free(m->mods);
    memory_free(m);
}

const char *kairos_model_name(const KairosModel *m)
{
    return m->compilation.flat->name;
}

/* ---- simulation ---- */

typedef struct Run {
    KairosModel *m;
    const KairosRun *how;
    Writer *writer;
    Columns *columns;
    double *first; /* the first row, for the parameters of the file, with the time of the last one */
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
    return !r->writer || writer_row(r->writer, v);
}

static double or_else(double a, double b)
{
    return isnan(a) ? b : a;
}

/* What is not given comes from the experiment annotation, then from the defaults. */
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
    o.intervals = how->intervals ? how->intervals : count >= 1 && count < 1e8 ? (uint32_t)lround(count) : 500;
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
            diag(ctx, (Span){0}, DIAG_U008, "there is no log '%.*s'; use events, modes, init, blocks or stats",
                 (int)n, list);
            return false;
        }
        *log |= kinds[i].bit;
        list += n + (list[n] == ',');
    }
    return true;
}

static bool choose_structure(Context *ctx, const char *name, SimStructure *structure)
{
    static const char *const names[] = {[STRUCTURE_AUTO] = "auto",
                                        [STRUCTURE_SINGLE] = "single",
                                        [STRUCTURE_MODES] = "modes",
                                        [STRUCTURE_INLINE] = "inline"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name ? name : "auto", names[i])) {
            *structure = (SimStructure)i;
            return true;
        }
    diag(ctx, (Span){0}, DIAG_U008, "there is no structure '%s'; use auto, single, modes or inline", name);
    return false;
}

static bool open_output(Run *r)
{
    Context *ctx = r->m->compilation.ctx;
    if (!r->how->output)
        return true;
    r->columns = columns_new(ctx, r->m->compilation.plan, r->how->variables, r->how->hide_protected);
    r->writer = r->columns ? writer_open(ctx, r->how->output, r->columns) : NULL;
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
    snprintf(
        text, sizeof text,
        "compiled in %.1f ms: instance %.1f, flatten %.1f, dae %.1f, structure %.1f, codegen %.1f, load %.1f\n",
        1e3 * total, 1e3 * c->seconds[PHASE_INSTANCE], 1e3 * c->seconds[PHASE_FLATTEN],
        1e3 * c->seconds[PHASE_DAE], 1e3 * c->seconds[PHASE_STRUCTURE], 1e3 * c->seconds[PHASE_CODEGEN],
        1e3 * c->seconds[PHASE_LOAD]);
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
    Replan replan = replan_of(&r->m->compilation);
    o->replan = &replan;
    SimText text = {r->how->user, r->how->on_log, r->how->on_event, r->how->on_progress};
    ResultSink sink = {r, take_row, r->columns ? columns_need(r->columns, c->plan) : ROW_TIME};
    if (o->log & LOG_STATS && r->how->on_log)
        tell_phases(r);
    SimStatus status = sim_run(c->ctx, c->plan, tier_code(c->code_tier), o, &sink, &text, &stats);
    tier_count(c->code_tier, clock_now() - r->start);
    if (o->log & LOG_STATS && r->how->on_log && c->tiered && tier_state(c->code_tier) == TIER_NONE)
        r->how->on_log(r->how->user, "There is no C compiler that could make better code\n");
    return status;
}

static void run_model(void *arg)
{
    Run *r = arg;
    r->status = KAIROS_USE_ERROR;
    SimOptions o = sim_options(r);
    Settings settings = {0};
    r->n_vars = r->m->compilation.dae->vars.n;
    r->first = memory_alloc(r->n_vars * sizeof *r->first);
    Context *ctx = r->m->compilation.ctx;
    if (choose_log(ctx, r->how->log, &o.log) && choose_structure(ctx, r->how->structure, &o.structure) &&
        settings_resolve(ctx, r->m->compilation.dae, r->how->settings, r->how->n_settings, &settings) &&
        open_output(r)) {
        o.sets = settings.sets.at;
        o.n_sets = settings.sets.n;
        SimStatus s = integrate(r, &o);
        bool saved = !r->writer || s == SIM_BAD_SETTING || writer_close(r->writer, r->first);
        if (s == SIM_BAD_SETTING)
            writer_discard(r->writer);
        r->status = saved ? status_of(s) : KAIROS_USE_ERROR;
    }
    settings_free(&settings);
    columns_free(r->columns);
    memory_free(r->first);
}

static bool same_mods(const KairosModel *m, const KairosSetting *list, uint32_t n)
{
    bool same = n == m->n_mods;
    for (uint32_t i = 0; i < n && same; i++)
        same = !strcmp(list[i].name, m->mods[i].name) && !strcmp(list[i].value, m->mods[i].value);
    return same;
}

/* Compiles anew with the settings that shape the model, where there are any that it was not compiled with. */
static bool respecialise(KairosModel *m, const KairosRun *run)
{
    VEC(KairosSetting) shaping = {0};
    for (unsigned i = 0; i < run->n_settings; i++)
        if (settings_shape(m->compilation.dae, run->settings[i].name))
            vec_push(&shaping, run->settings[i]);
    bool ok = true;
    if (shaping.n && !same_mods(m, shaping.at, shaping.n)) {
        KairosCompile how = {.compiler = m->compilation.tier == LOAD_CC ? "cc"
                                         : m->compilation.tiered        ? "auto"
                                                                        : "tcc",
                             .settings = shaping.at,
                             .n_settings = shaping.n};
        KairosModel *fresh = kairos_compile_model(m->session, m->compilation.flat->name, &how);
        ok = fresh;
        if (ok) {
            KairosModel old = *m;
            *m = *fresh;
            *fresh = old;
            m->compilation.mods = m->mods;
            kairos_free_model(fresh);
        }
    }
    vec_free(&shaping);
    return ok;
}

int kairos_simulate_model(KairosModel *m, const KairosRun *run)
{
    static const KairosRun defaults;
    Run r = {.m = m, .how = run ? run : &defaults};
    if (!respecialise(m, r.how))
        return KAIROS_MODEL_ERROR;
    m->session->ctx->interrupt = 0;
    return session_guard(m->session, run_model, &r, &r.status);
}

const char *const *kairos_list_solvers(void)
{
    return sim_solvers();
}

/* ---- results ---- */

typedef struct Tables {
    Table **at;
    uint32_t n;
    PlotOptions options;
} Tables;

static void free_tables(Tables *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        table_free(t->at[i]);
    memory_free(t->at);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The result and those drawn over it; false after telling. Free also then. */
static bool read_tables(Kairos *k, const char *result, const KairosPlot *plot, Tables *t)
{
    *t = (Tables){.at = memory_alloc(sizeof *t->at * (plot->n_others + 1))};
    for (unsigned i = 0; i <= plot->n_others; i++) {
        t->at[t->n] = table_read(k->ctx, i ? plot->others[i - 1] : result);
        if (!t->at[t->n])
            return false;
        t->n++;
    }
    t->options = (PlotOptions){.variables = plot->variables,
                               .n_variables = plot->n_variables,
                               .title = plot->title ? plot->title : last_part(result),
                               .x = plot->x,
                               .colour = plot->colour,
                               .x_range = plot->x_range,
                               .y_range = plot->y_range,
                               .log_x = plot->log_x,
                               .log_y = plot->log_y,
                               .events = plot->events,
                               .separate = plot->separate};
    return true;
}

int kairos_plot_result(Kairos *k, const char *result, const KairosPlot *plot)
{
    Tables t;
    bool ok = read_tables(k, result, plot, &t) &&
              plot_tables(k->ctx, (const Table *const *)t.at, t.n, &t.options, plot->output);
    free_tables(&t);
    return ok ? KAIROS_OK : KAIROS_USE_ERROR;
}

char *kairos_plot_text(Kairos *k, const char *result, const KairosPlot *plot, unsigned columns, unsigned rows,
                       int colour)
{
    Tables t;
    Arena *arena = arena_new();
    char *text = NULL;
    if (read_tables(k, result, plot, &t))
        text = plot_text(k->ctx, (const Table *const *)t.at, t.n, &t.options, columns, rows, colour, arena);
    text = text ? session_text(text) : NULL;
    free_tables(&t);
    arena_free(arena);
    return text;
}

int kairos_compare_results(Kairos *k, const char *result, const char *reference, const KairosCompare *how,
                           char **report)
{
    static const KairosCompare defaults;
    how = how ? how : &defaults;
    CompareOptions o = {how->tolerance, how->time_tolerance, how->variables, how->n_variables};
    Table *a = table_read(k->ctx, result), *b = a ? table_read(k->ctx, reference) : NULL;
    int status = KAIROS_USE_ERROR;
    if (b) {
        Arena *arena = arena_new();
        char *text;
        bool alike = compare_tables(k->ctx, a, b, &o, &text, arena);
        if (report)
            *report = session_text(text);
        status = k->ctx->n_errors ? KAIROS_USE_ERROR : alike ? KAIROS_OK : KAIROS_MODEL_ERROR;
        arena_free(arena);
    }
    table_free(a);
    table_free(b);
    return status;
}

/* The public interface: sessions, models, runs. See include/kairos.h for the contracts. */
#include "api/session.h"

#include "base/atomic_file.h"
#include "compile.h"
#include "foreign/component/component.h"
#include "foreign/system/system.h"
#include "notation/notation.h"
#include "replan/replan.h"
#include "structure/modes/modes.h"
#include "api/settings.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

const char *kairos_version(void)
{
    return KAIROS_VERSION;
}

/* ---- sessions ---- */

static void open_session(void *arg)
{
    Kairos *k = memory_alloc(sizeof *k);
    *(Kairos **)arg = k;
    pthread_rwlock_init(&k->models, NULL);
    k->ctx = context_new();
    k->graph = graph_new(k->ctx);
    k->library = library_new(k->ctx, k->graph);
    k->components = components_new(k->ctx);
    k->graph->natives = components_natives(k->components);
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
    components_free(k->components);
    for (uint32_t i = 0; i < k->systems.n; i++)
        system_close(k->systems.at[i]);
    vec_free(&k->systems);
    text_free(&k->structure);
    context_free(k->ctx);
    pthread_rwlock_destroy(&k->models);
    memory_free(k);
}

typedef struct Adding {
    Kairos *k;
    const char *folder;
    int status;
} Adding;

static void add_library(void *arg)
{
    const Adding *a = arg;
    library_add_path(a->k->library, a->folder);
}

void kairos_add_library(Kairos *k, const char *folder)
{
    Adding a = {k, folder, KAIROS_OK};
    session_guard(k, add_library, &a, &a.status);
}

void kairos_refuse_external(Kairos *k)
{
    library_refuse_external(k->library);
}

void kairos_accept_compatible(Kairos *k)
{
    k->ctx->compatible = true;
}

void kairos_interrupt(Kairos *k)
{
    *k->ctx->interrupt = 1;
}

static void report_memory(void *arg)
{
    Context *ctx = arg;
    CONTEXT_HOLD(ctx);
    diag(ctx, (Span){0}, DIAG_U009, "there is not enough memory");
}

void session_watch(Kairos *k)
{
    *k->ctx->interrupt = 0;
    memory_watch(k->ctx->interrupt);
}

int session_guard(Kairos *k, void (*action)(void *arg), void *arg, const int *status)
{
    bool whole = memory_guard(action, arg);
    const _Atomic int *watched = memory_watch(NULL);
    if (whole)
        return *status;
    context_recover(k->ctx);
    if (watched && *watched)
        return KAIROS_INTERRUPTED;
    if (!memory_guard(report_memory, k->ctx)) /* no memory for the message either */
        context_recover(k->ctx);
    return KAIROS_FAILED;
}

typedef struct Load {
    Kairos *k;
    const char *name, *text; /* text NULL: a file */
    size_t size;
    int status;
} Load;

/* The file to read for a path: a folder means its package.mo. */
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
    session_watch(l->k);
    const char *path = l->text ? NULL : file_of(ctx, l->name);
    uint32_t source = l->text ? sources_add(ctx->sources, l->name, l->text, l->size)
                              : sources_load(ctx->sources, path);
    if (!source) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", path, strerror(errno));
        if (path != l->name)
            diag_note(ctx, (Span){0},
                      "a folder is a package with a package.mo; otherwise name a file");
        l->status = KAIROS_USE_ERROR;
    } else {
        l->status = library_add_source(l->k->library, source) ? KAIROS_OK : KAIROS_MODEL_ERROR;
    }
}

int session_load(Kairos *k, const char *path)
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

typedef struct Render {
    Kairos *k;
    KairosFormat format;
    Arena *arena;
    char *text; /* the answer */
    int status;
} Render;

static void render(void *arg)
{
    Render *r = arg;
    r->arena = arena_new();
    r->text = session_text(diag_render(r->k->ctx, r->format == KAIROS_JSON ? DIAG_JSON : DIAG_TEXT,
                                       r->format == KAIROS_TEXT_COLOUR, r->arena));
}

char *kairos_render_messages(Kairos *k, KairosFormat format)
{
    Render r = {.k = k, .format = format};
    session_guard(k, render, &r, &r.status);
    arena_free(r.arena);
    return r.text;
}

void kairos_clear_messages(Kairos *k)
{
    vec_clear(&k->ctx->diags);
    k->ctx->n_errors = k->ctx->n_warnings = k->ctx->n_failures = 0;
}

unsigned kairos_count_errors(const Kairos *k)
{
    return k->ctx->n_errors + k->ctx->n_failures;
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
    bool (*check)(Compilation *c); /* in place of compile_model; or NULL */
    KairosModel *model;            /* the answer; NULL after an error */
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
    Text t = {.at = (char *)code, .n = strlen(code)};
    return atomic_save_text(k->ctx, path, &t);
}

static void free_mods(KairosModel *m)
{
    for (uint32_t i = 0; i < m->n_mods; i++) {
        memory_free((char *)(uintptr_t)m->mods[i].name);
        memory_free((char *)(uintptr_t)m->mods[i].value);
    }
    memory_free(m->mods);
    m->mods = NULL;
    m->n_mods = 0;
}

static void copy_mods(KairosModel *m, const KairosSetting *settings, uint32_t n)
{
    m->mods = memory_alloc(n * sizeof *m->mods);
    m->n_mods = n;
    for (uint32_t i = 0; i < n; i++)
        m->mods[i] = (OuterMod){session_text(settings[i].name), session_text(settings[i].value)};
}

static void copy_patterns(KairosModel *m, const KairosCompile *how)
{
    m->no_events = memory_alloc(how->n_no_events * sizeof *m->no_events);
    m->n_no_events = how->n_no_events;
    for (uint32_t i = 0; i < m->n_no_events; i++)
        m->no_events[i] = session_text(how->no_events[i]);
    m->compilation.no_events = (const char *const *)m->no_events;
    m->compilation.n_no_events = m->n_no_events;
}

static void free_patterns(KairosModel *m)
{
    for (uint32_t i = 0; i < m->n_no_events; i++)
        memory_free(m->no_events[i]);
    memory_free(m->no_events);
}

/* Applies the structural settings of later runs now. Flattening reports which ones are structural.
 */
static bool shape_model(KairosModel *m, const KairosCompile *how)
{
    Compilation *c = &m->compilation;
    VEC(KairosSetting) all = {0};
    if (!how->n_expected)
        return true;
    bool ok = compile_model(c, PHASE_FLATTEN);
    for (uint32_t i = 0; ok && i < how->n_expected; i++)
        if (settings_shape(c->flat, how->expected[i].name))
            vec_push(&all, ((KairosSetting){
                               how->expected[i].name,
                               settings_expression(c->flat, &how->expected[i], c->ctx->arena)}));
    if (all.n) {
        for (uint32_t i = 0; i < how->n_settings; i++)
            vec_push(&all, how->settings[i]);
        free_mods(m);
        copy_mods(m, all.at, all.n);
        flat_free(c->flat);
        c->flat = NULL;
        c->mods = m->mods;
        c->n_mods = m->n_mods;
    }
    vec_free(&all);
    return ok;
}

static void build(void *arg)
{
    Build *b = arg;
    Kairos *k = b->k;
    KairosCompile compile;
    const KairosCompile *how = &compile;
    b->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(k, KairosCompile, b->how, &compile))
        return;
    b->status = KAIROS_MODEL_ERROR;
    KairosModel *m = b->model = memory_alloc(sizeof *m);
    *m = (KairosModel){.session = k,
                       .compilation = {.ctx = k->ctx,
                                       .library = k->library,
                                       .comments = how->emit_c || b->last == PHASE_CODEGEN,
                                       .profiled = how->profile}};
    copy_mods(m, how->settings, how->n_settings);
    Compilation *c = &m->compilation;
    c->mods = m->mods;
    c->n_mods = m->n_mods;
    copy_patterns(m, how);
    if (!choose_tier(k, how->compiler, c)) {
        b->status = KAIROS_USE_ERROR;
        return;
    }
    session_watch(k);
    c->model = k->ctx->n_errors ? NULL : library_find_model(k->library, b->name);
    c->units = how->check_units;
    c->initial = how->check_initial;
    if (!c->model || !shape_model(m, how) ||
        !(b->check ? b->check(c) : compile_model(c, b->last))) {
        b->status = *k->ctx->interrupt ? KAIROS_INTERRUPTED
                    : c->misused       ? KAIROS_USE_ERROR
                                       : b->status;
        return;
    }
    b->status = how->emit_c && c->code && !emit_code(k, how->emit_c, c->code) ? KAIROS_USE_ERROR
                                                                              : KAIROS_OK;
}

KairosModel *session_compile(Kairos *k, const char *name, const KairosCompile *how, Phase last,
                             int *status)
{
    Build b = {.k = k, .name = name, .how = how, .last = last};
    k->compiled = *status = session_guard(k, build, &b, &b.status);
    if (*status == KAIROS_OK)
        return b.model;
    kairos_free_model(b.model);
    return NULL;
}

int session_check_alone(Kairos *k, const char *name, const KairosCompile *how,
                        bool (*check)(Compilation *c))
{
    Build b = {.k = k, .name = name, .how = how, .last = PHASE_STRUCTURE, .check = check};
    pthread_rwlock_wrlock(&k->models);
    k->compiled = session_guard(k, build, &b, &b.status);
    pthread_rwlock_unlock(&k->models);
    kairos_free_model(b.model);
    return k->compiled;
}

/* The same while no model runs. */
static KairosModel *session_compile_alone(Kairos *k, const char *name, const KairosCompile *how,
                                          Phase last, int *status)
{
    pthread_rwlock_wrlock(&k->models);
    KairosModel *m = session_compile(k, name, how, last, status);
    pthread_rwlock_unlock(&k->models);
    return m;
}

KairosModel *kairos_compile_model(Kairos *k, const char *name, const KairosCompile *how)
{
    int status;
    return session_compile_alone(k, name, how, PHASE_LOAD, &status);
}

int kairos_compile_status(const Kairos *k)
{
    return k->compiled;
}

typedef struct Dump {
    Kairos *k;
    const char *name, *phase;
    const KairosCompile *how;
    Arena *arena;
    KairosModel *model;
    char *text; /* the answer */
    int status;
} Dump;

static void dump_inlined(Dump *d)
{
    char *text =
        replan_print_inlined(&d->model->compilation, d->how->inlined, d->how->n_inlined, d->arena);
    d->text = text ? session_text(text) : NULL;
    d->status = text ? KAIROS_OK : KAIROS_USE_ERROR;
}

static void dump_phase(void *arg)
{
    Dump *d = arg;
    Kairos *k = d->k;
    bool modes = !strcmp(d->phase, "modes");
    Phase last = modes ? PHASE_STRUCTURE : compile_phase(d->phase);
    d->arena = arena_new();
    if (!strcmp(d->phase, "syntax")) {
        const AstClass *c = library_find_model(k->library, d->name);
        d->text = c ? session_text(ast_print_class(c, d->arena)) : NULL;
        d->status = c ? KAIROS_OK : KAIROS_MODEL_ERROR;
    } else if (last == PHASE_COUNT) {
        d->status = KAIROS_USE_ERROR;
        diag(k->ctx, (Span){0}, DIAG_U008,
             "there is no phase '%s' to print; use syntax, instance, flatten, dae, structure or "
             "codegen",
             d->phase);
    } else {
        d->model = session_compile_alone(k, d->name, d->how, last, &d->status);
        bool inlines = d->how && d->how->n_inlined;
        if (d->model && last == PHASE_STRUCTURE && !modes)
            compile_as_written(&d->model->compilation, inlines);
        if (d->model && last == PHASE_STRUCTURE && !modes && inlines)
            dump_inlined(d);
        else if (d->model)
            d->text = session_text(modes ? plan_print_modes(d->model->compilation.plan, d->arena)
                                         : compile_dump(&d->model->compilation, last, d->arena));
    }
}

char *kairos_dump_phase(Kairos *k, const char *name, const char *phase, const KairosCompile *how)
{
    Dump d = {.k = k, .name = name, .phase = phase, .how = how};
    k->compiled = session_guard(k, dump_phase, &d, &d.status);
    kairos_free_model(d.model);
    arena_free(d.arena);
    return d.text;
}

typedef struct Translation {
    Kairos *k;
    const char *path;
    AstFile *file;
    Arena *arena;
    char *text; /* the answer */
    int status;
} Translation;

static void translate(void *arg)
{
    Translation *t = arg;
    Context *ctx = t->k->ctx;
    uint32_t source = sources_load(ctx->sources, t->path), errors = ctx->n_errors;
    if (!source) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", t->path, strerror(errno));
        return;
    }
    t->file = notation_parse(ctx, source);
    t->arena = arena_new();
    t->text = ctx->n_errors > errors ? NULL : session_text(ast_print(t->file, t->arena));
}

char *kairos_translate_file(Kairos *k, const char *path)
{
    Translation t = {.k = k, .path = path};
    session_guard(k, translate, &t, &t.status);
    arena_free(t.arena);
    ast_free(t.file);
    return t.text;
}

void kairos_free_model(KairosModel *m)
{
    if (!m)
        return;
    replan_free(m->compilation.programs);
    compile_free(&m->compilation);
    free_mods(m);
    free_patterns(m);
    memory_free(m->driven);
    memory_free(m->source);
    memory_free(m);
}

const char *kairos_model_name(const KairosModel *m)
{
    return m->compilation.flat->name;
}

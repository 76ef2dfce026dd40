/* Fits a model to a run: structural settings, driven inputs and a profile compile it
 * again. */
#include "api/model_fit.h"

#include "api/drive.h"
#include "api/settings.h"
#include "replan/replan.h"

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

/* Whether the run counts calls of functions. */
static bool wants_profile(const KairosRun *run)
{
    static const char word[] = "profile";
    size_t n = sizeof word - 1;
    for (const char *at = run->log; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (!strncmp(at, word, n) && (!at[n] || at[n] == ','))
            return true;
    return run->on_profile;
}

/* ---- inputs ---- */

static bool drives_alike(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Loads the class that drives the inputs, in its own package. Returns its name. */
static const char *add_driven(KairosModel *m, const char *text)
{
    Context *ctx = m->session->ctx;
    unsigned number = ++m->session->n_driven;
    const char *whole = arena_printf(ctx->arena, "package '--input %u'\n%send '--input %u';\n",
                                     number, text, number);
    uint32_t source = sources_add(ctx->sources, "--input", whole, strlen(whole));
    Library *library = m->session->library;
    if (!drive_find_origins(ctx, library, source) || !library_add_source(library, source))
        return NULL;
    return arena_printf(ctx->arena, "'--input %u'.Driven", number);
}

/* Whether the model was compiled with the settings and inputs of the run. */
static bool fits(const KairosModel *m, const KairosRun *run, const char *driven)
{
    bool fit = drives_alike(m->driven, driven) && (m->compilation.profiled || !wants_profile(run));
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
                         .n_no_events = m->n_no_events,
                         .profile = c->profiled || wants_profile(run)};
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

static void report_instances(KairosModel *m)
{
    Context *ctx = m->session->ctx;
    CONTEXT_HOLD(ctx);
    uint32_t errors = ctx->n_errors;
    diag(ctx, (Span){0}, DIAG_U018,
         "%s has instances, so it cannot be compiled for other settings; free them, or compile the "
         "model once more with these settings",
         kairos_model_name(m));
    ctx->n_failures += ctx->n_errors - errors;
    ctx->n_errors = errors;
    m->session->compiled = KAIROS_USE_ERROR;
}

/* Compiles again if necessary. False after an error. */
static bool respecialise(KairosModel *m, const KairosRun *run, const char *driven)
{
    if (fits(m, run, driven))
        return true;
    if (m->n_instances) {
        report_instances(m);
        return false;
    }
    KairosModel *fresh = compile_shaped(m, run, driven);
    if (!fresh)
        return false;
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

static void try_fit(void *arg)
{
    ModelFit *r = arg;
    CONTEXT_HOLD(r->m->session->ctx);
    const KairosRun *how = r->how;
    if (how->n_inputs && !r->driven) {
        r->arena = arena_new();
        r->driven = drive_text(r->m->session->ctx, r->m->compilation.flat, how->inputs,
                               how->n_inputs, NULL, r->variations, r->arena);
    }
    bool drives = r->driven || !how->n_inputs;
    r->fits =
        drives && fits(r->m, how, r->driven) && (!r->variations || r->m->compilation.variations);
    r->status = drives ? KAIROS_OK : KAIROS_USE_ERROR;
}

/* Compiles with variations. False after an error. */
static bool add_variations(KairosModel *m)
{
    if (m->compilation.variations)
        return true;
    if (m->n_instances) {
        report_instances(m);
        return false;
    }
    replan_free(m->compilation.programs);
    m->compilation.programs = NULL;
    if (compile_variations(&m->compilation))
        return true;
    m->session->compiled = KAIROS_MODEL_ERROR;
    return false;
}

static void make_fit(void *arg)
{
    ModelFit *r = arg;
    r->fits = respecialise(r->m, r->how, r->driven) && (!r->variations || add_variations(r->m));
    r->status = r->fits ? KAIROS_OK : r->m->session->compiled;
}

int model_enter(ModelFit *r)
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

typedef struct Copying {
    KairosModel *m, *copy;
    const KairosRun *run;
    const DriveTable *table;
    Arena *arena;
    int status;
} Copying;

static void make_copy(void *arg)
{
    Copying *c = arg;
    Kairos *k = c->m->session;
    CONTEXT_HOLD(k->ctx);
    c->arena = arena_new();
    c->status = KAIROS_USE_ERROR;
    const char *text = drive_text(k->ctx, c->m->compilation.flat, c->run->inputs, c->run->n_inputs,
                                  c->table, false, c->arena);
    if (!text)
        return;
    c->copy = compile_shaped(c->m, c->run, text);
    c->status = c->copy ? KAIROS_OK : k->compiled;
}

int model_copy(KairosModel *m, const KairosRun *run, const DriveTable *table, KairosModel **copy)
{
    Copying c = {.m = m, .run = run, .table = table};
    pthread_rwlock_wrlock(&m->session->models);
    int status = session_guard(m->session, make_copy, &c, &c.status);
    pthread_rwlock_unlock(&m->session->models);
    arena_free(c.arena);
    *copy = c.copy;
    return status;
}

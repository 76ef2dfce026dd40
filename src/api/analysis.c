#include "api/analysis.h"

bool analysis_open(Analysis *a, const ResultSink *sink)
{
    const Compilation *c = &a->m->compilation;
    if (a->sim)
        sim_close(a->sim);
    a->replan_for = (ReplanFor){&a->m->compilation, a->ctx};
    a->replan = replan_of(&a->replan_for);
    a->options.replan = &a->replan;
    a->options.keeps_states = true;
    a->options.sets = a->settings.sets.at;
    a->options.n_sets = a->settings.sets.n;
    a->text = (SimText){.user = a->how->user,
                        .log = a->how->on_log,
                        .event = a->how->on_event,
                        .progress = a->how->on_progress};
    a->sim =
        sim_open(a->ctx, c->plan, tier_code(c->code_tier), &a->options, sink, &a->text, &a->stats);
    return a->sim;
}

int analysis_status(const Analysis *a)
{
    switch (a->sim ? sim_status(a->sim) : SIM_BAD_SETTING) {
    case SIM_DONE: return KAIROS_OK;
    case SIM_INTERRUPTED: return KAIROS_INTERRUPTED;
    case SIM_BAD_SETTING: return KAIROS_USE_ERROR;
    default: return KAIROS_FAILED;
    }
}

const char *analysis_flaw(VariationFlaw flaw)
{
    static const char *const flaws[] = {
        [FLAW_NONE] = "",
        [FLAW_GRAZING] = "a crossing function touches zero without crossing it",
        [FLAW_START] =
            "an event at the start moves, so a small change of a parameter decides whether "
            "it happens",
        [FLAW_ORDER] = "events at one instant move apart, so a small change of a parameter changes "
                       "their order",
        [FLAW_SINGULAR] = "the tangents of the equations have no solution",
        [FLAW_DELAY] =
            "a past (of delay or spatialDistribution) varies, which is not computed here",
        [FLAW_INLINE] = "the run uses inline integration, which has no derivatives of states",
        [FLAW_REST] = "the motion slides along a surface, or rests there, which is not computed",
    };
    return flaws[flaw];
}

const char *analysis_name(const Analysis *a, VarId var)
{
    return dae_var_name(a->m->compilation.plan->dae, var, a->arena);
}

static bool has_name(const Dae *d, VarId v)
{
    return d->vars.at[v].flat != NONE && d->vars.at[v].kind == DAE_CONTINUOUS;
}

/* A state may be the derivative of another; the model may have a name for it. */
const char *analysis_state_name(const Analysis *a, VarId var)
{
    const Dae *d = a->m->compilation.plan->dae;
    if (var >= d->vars.n || d->vars.at[var].kind != DAE_DERIVATIVE)
        return analysis_name(a, var);
    for (VarId v = 0; v < d->n_model_vars; v++)
        if (d->vars.at[v].alias == var && d->vars.at[v].alias_sign > 0 && has_name(d, v))
            return analysis_name(a, v);
    bool negative;
    VarId equal = dae_equal(d, var, &negative);
    return analysis_name(a, equal != NONE && !negative && has_name(d, equal) ? equal : var);
}

/* Modes have states of their own; inlined states are none. */
static void prefer_modes(Analysis *a)
{
    if (a->m->compilation.plan->guards.n && a->options.structure == STRUCTURE_AUTO)
        a->options.structure = STRUCTURE_MODES;
}

static void analyse(void *arg)
{
    Analysis *a = arg;
    a->status = KAIROS_USE_ERROR;
    a->ctx = context_fork(a->m->session->ctx);
    a->arena = arena_new();
    const Dae *dae = a->m->compilation.plan->dae;
    bool good;
    {
        CONTEXT_HOLD(a->ctx);
        good = options_of_run(a->ctx, a->m, a->how, &a->options) &&
               settings_resolve(a->ctx, dae, a->how->settings, a->how->n_settings, &a->settings);
    }
    if (!good)
        return;
    prefer_modes(a);
    a->body(a);
    if (a->sim)
        sim_close(a->sim);
    a->sim = NULL;
}

static void read_run(void *arg)
{
    Analysis *a = arg;
    a->how = &a->copy;
    a->status =
        SESSION_READ(a->m->session, KairosRun, a->given, &a->copy) ? KAIROS_OK : KAIROS_USE_ERROR;
}

static void join_context(void *arg)
{
    Analysis *a = arg;
    CONTEXT_HOLD(a->m->session->ctx);
    context_join(a->ctx);
}

int analysis_run(KairosModel *m, const KairosRun *run, void (*body)(Analysis *a), void *user)
{
    return analysis_run_driven(m, run, NULL, body, user);
}

int analysis_run_driven(KairosModel *m, const KairosRun *run, const char *driven,
                        void (*body)(Analysis *a), void *user)
{
    Kairos *k = m->session;
    Analysis a = {.m = m, .given = run, .body = body, .user = user};
    int status = session_guard(k, read_run, &a, &a.status);
    if (status != KAIROS_OK)
        return status;
    if (k->runs++ == 0)
        *k->ctx->interrupt = 0;
    a.fit = (ModelFit){.m = m, .how = a.how, .driven = driven, .variations = true};
    status = model_enter(&a.fit);
    if (status == KAIROS_OK)
        status = session_guard(k, analyse, &a, &a.status);
    settings_free(&a.settings);
    arena_free(a.fit.arena);
    arena_free(a.arena);
    int joined = KAIROS_OK;
    if (a.ctx && session_guard(k, join_context, &a, &joined) != KAIROS_OK)
        status = KAIROS_FAILED;
    pthread_rwlock_unlock(&k->models);
    k->runs--;
    return status;
}

#include "api/fitting/search_run.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

typedef struct Attempt {
    SearchRun *t;
    const double *p;
    KairosRun run;
    Variation *variation;
    double *plain; /* values of a row */
    VEC(VariationOf) of;
    KairosSetting *settings;
    char *texts; /* REAL_TEXT bytes for each parameter */
    VarId *parameters;
    double *signs;
    int status;
    int ended; /* status of the run; -1: it did not end */
} Attempt;

static bool find_names(Analysis *a, Attempt *w)
{
    const Dae *dae = a->m->compilation.plan->dae;
    const SearchRun *t = w->t;
    bool good = true;
    CONTEXT_HOLD(a->ctx);
    for (uint32_t i = 0; i < t->n_of; i++) {
        double sign;
        bool real;
        VarId v = t->plain ? settings_any_variable(a->ctx, dae, t->of[i], &sign, &real)
                           : settings_variable(a->ctx, dae, t->of[i], &sign);
        vec_push(&w->of, ((VariationOf){v, sign}));
        good &= v != NONE;
    }
    w->parameters = ARENA_ARRAY(a->arena, VarId, t->n_names + (size_t)1);
    w->signs = ARENA_ARRAY(a->arena, double, t->n_names + (size_t)1);
    for (uint32_t j = 0; j < t->n_names; j++) {
        w->parameters[j] = settings_parameter(a->ctx, dae, t->names[j], &w->signs[j]);
        good &= w->parameters[j] != NONE;
    }
    return good;
}

static bool start(Analysis *a, Attempt *w)
{
    const SearchRun *t = w->t;
    if (!sim_start(a->sim))
        return false;
    const double *v = t->values ? sim_values(a->sim) : NULL;
    for (uint32_t j = 0; v && j < t->n_names; j++)
        t->values[j] = w->signs[j] * v[w->parameters[j]];
    return !t->values || v;
}

static void note_reason(const Analysis *a, SearchRun *t)
{
    const char *text = "the run failed";
    for (uint32_t i = 0; i < a->ctx->diags.n; i++)
        if (a->ctx->diags.at[i]->severity == SEVERITY_ERROR) {
            text = a->ctx->diags.at[i]->text;
            break;
        }
    snprintf(t->reason, sizeof t->reason, "%s", text);
}

static bool take_plain(void *user, const double *v)
{
    Attempt *w = user;
    for (uint32_t i = 0; i < w->of.n; i++)
        w->plain[i] = w->of.at[i].sign * v[w->of.at[i].var];
    w->t->row(w->t->user, v[0], w->plain, NULL);
    return true;
}

static void vary(Analysis *a, Attempt *w)
{
    const SearchRun *t = w->t;
    w->variation = variation_new(a->sim, w->of.at, w->of.n, t->derivatives ? t->n_names : 0);
    w->t->variation = w->variation;
    variation_on_row(w->variation, t->row, t->user);
    if (t->times)
        variation_at_times(w->variation, t->times, t->n_times);
    if (!t->end)
        variation_without_scalars(w->variation);
    for (uint32_t j = 0; t->derivatives && j < t->n_names; j++)
        variation_of_parameter(w->variation, j, w->parameters[j], w->signs[j]);
}

static void simulate(Analysis *a, Attempt *w)
{
    SearchRun *t = w->t;
    ResultSink sink = {.user = w, .row = t->plain ? take_plain : NULL, .needs = ROW_ALL};
    DiagMark mark = diag_mark(a->ctx);
    w->plain = ARENA_ARRAY(a->arena, double, t->n_of + (size_t)1);
    t->flaw = FLAW_NONE;
    if (!find_names(a, w) || !analysis_open(a, &sink))
        return;
    if (!t->plain)
        vary(a, w);
    bool done = start(a, w) && sim_advance(a->sim, a->options.stop, false);
    done = (done && sim_finish(a->sim)) || sim_terminated(a->sim);
    a->status = analysis_status(a);
    if (w->variation)
        t->flaw = variation_flaw(w->variation, &t->flaw_time);
    if (done && a->status == KAIROS_OK && t->end)
        t->end(t->user, w->variation);
    sim_close(a->sim);
    a->sim = NULL;
    if (a->status != KAIROS_OK)
        note_reason(a, t);
    if (!t->messages)
        diag_discard(a->ctx, mark);
    w->ended = a->status;
}

static void body(Analysis *a)
{
    simulate(a, a->user);
}

/* The parameters as settings after those of the run. */
static void prepare(void *arg)
{
    Attempt *w = arg;
    const SearchRun *t = w->t;
    unsigned common = t->run.n_settings, own = w->p ? t->n_names : 0;
    w->status = KAIROS_OK;
    w->settings = memory_alloc((common + own + (size_t)1) * sizeof *w->settings);
    w->texts = memory_alloc(own * (size_t)REAL_TEXT + 1);
    for (unsigned i = 0; i < common; i++)
        w->settings[i] = t->run.settings[i];
    for (unsigned j = 0; j < own; j++) {
        char *text = w->texts + j * (size_t)REAL_TEXT;
        real_print(text, w->p[j]);
        w->settings[common + j] = (KairosSetting){t->names[j], text};
    }
    w->run = t->run;
    w->run.settings = w->settings;
    w->run.n_settings = common + own;
}

int search_run(SearchRun *t, const double *p)
{
    Attempt w = {.t = t, .p = p, .ended = -1};
    *t->reason = 0;
    int status = session_guard(t->m->session, prepare, &w, &w.status);
    if (status == KAIROS_OK)
        status = analysis_run_driven(t->m, &w.run, t->driven ? t->m->driven : NULL, body, &w);
    t->no_memory = status == KAIROS_FAILED && w.ended != KAIROS_FAILED;
    t->variation = NULL;
    variation_free(w.variation);
    vec_free(&w.of);
    memory_free(w.settings);
    memory_free(w.texts);
    return status;
}

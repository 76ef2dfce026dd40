/* Linear models: the public side of analysis/linear_model.h. */
#include "analysis/linear_model.h"
#include "api/analysis.h"
#include "base/atomic_file.h"
#include "sim/linear.h"

#include <math.h>
#include <stdlib.h>

typedef struct Linearize {
    const KairosLinearize *given;
    KairosLinearize how; /* its copy */
    VEC(LinearVar) inputs, outputs;
    VEC(VarId) input_ids, output_ids; /* as declared */
    Text json;
    char *made; /* the JSON, for the caller; NULL: not requested */
    bool wanted;
    unsigned done; /* points so far */
} Linearize;

/* ---- inputs and outputs ---- */

static bool is_declared(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->flat != NONE && x->type == DAE_REAL && x->kind != DAE_DERIVATIVE &&
           x->kind != DAE_PRE && x->kind != DAE_PARAMETER && !x->hidden && v < d->n_model_vars;
}

static void list_variables(const Analysis *a, Linearize *w)
{
    const Dae *d = a->m->compilation.plan->dae;
    for (VarId v = 0; v < d->n_model_vars; v++) {
        if (!is_declared(d, v))
            continue;
        uint8_t causality = d->flat->vars.at[d->vars.at[v].flat].causality;
        bool negative;
        VarId holder = dae_representative(d, v, &negative);
        LinearVar x = {holder, negative ? -1 : 1};
        if (causality == FLAT_INPUT && dae_rests(d, holder)) {
            vec_push(&w->inputs, x);
            vec_push(&w->input_ids, v);
        } else if (causality == FLAT_OUTPUT) {
            vec_push(&w->outputs, x);
            vec_push(&w->output_ids, v);
        }
    }
}

/* ---- points ---- */

static bool fail(Analysis *a)
{
    a->status = analysis_status(a);
    a->status = a->status == KAIROS_OK ? KAIROS_FAILED : a->status;
    return false;
}

static bool no_equilibrium(Analysis *a, EquilibriumResult result, VarId rest)
{
    static const char *const reasons[] = {
        [EQUILIBRIUM_NONE] = "no change of the states makes all derivatives zero",
        [EQUILIBRIUM_DIVERGED] = "Newton's method does not converge",
        [EQUILIBRIUM_OF_TIME] = "the derivatives depend on time",
        [EQUILIBRIUM_FAILED] = "the equations cannot be evaluated on the way",
    };
    diag(a->ctx, (Span){0}, DIAG_A004, "no equilibrium found near the state at time %.9g: %s%s%s",
         sim_time(a->sim), reasons[result],
         rest == NONE ? "" : "; farthest from rest: ", rest == NONE ? "" : analysis_name(a, rest));
    a->status = KAIROS_FAILED;
    return false;
}

/* If Newton's method fails from the initial point, it begins again at the end of the run. */
static bool go_to_equilibrium(Analysis *a)
{
    VarId rest;
    unsigned iterations;
    EquilibriumResult result = sim_equilibrium(a->sim, &rest, &iterations);
    if (result == EQUILIBRIUM_FOUND)
        return true;
    if (result == EQUILIBRIUM_OF_TIME)
        return no_equilibrium(a, result, rest);
    if (!analysis_open(a, NULL) || !sim_start(a->sim) ||
        !sim_advance(a->sim, a->options.stop, false))
        return fail(a);
    result = sim_equilibrium(a->sim, &rest, &iterations);
    return result == EQUILIBRIUM_FOUND || no_equilibrium(a, result, rest);
}

/* A time, "end" or "steady"; NULL: the initial point. */
static bool go_to(Analysis *a, const char *at)
{
    double t = a->options.start;
    bool steady = at && !strcmp(at, "steady");
    if (at && !strcmp(at, "end")) {
        t = a->options.stop;
    } else if (at && !steady) {
        char *end;
        t = strtod(at, &end);
        if (end == at || *end || !isfinite(t) || t < a->options.start) {
            diag(a->ctx, (Span){0}, DIAG_U008,
                 "--at cannot be '%s'; it is a time from %.9g on, 'end' or 'steady'", at,
                 a->options.start);
            return false;
        }
    }
    a->options.stop = fmax(a->options.stop, t);
    if (!analysis_open(a, NULL) || !sim_start(a->sim))
        return fail(a);
    if (steady)
        return go_to_equilibrium(a);
    return t <= a->options.start || sim_advance(a->sim, t, false) ? true : fail(a);
}

/* ---- the model at a point ---- */

static void put_names(const Analysis *a, const Linearize *w, LinearModel *l)
{
    for (uint32_t i = 0; i < l->system.n; i++)
        l->states[i] = analysis_state_name(a, linear_state(a->sim, i));
    for (uint32_t i = 0; i < l->system.m; i++)
        l->inputs[i] = analysis_name(a, w->input_ids.at[i]);
    for (uint32_t i = 0; i < l->system.p; i++)
        l->outputs[i] = analysis_name(a, w->output_ids.at[i]);
}

static LinearModel *linear_at_point(Analysis *a, const Linearize *w)
{
    LinearModel *l = linear_model_new(linear_n_states(a->sim), w->inputs.n, w->outputs.n);
    l->name = kairos_model_name(a->m);
    l->time = sim_time(a->sim);
    if (linear_is_sampled(a->sim))
        diag(a->ctx, (Span){0}, DIAG_A007,
             "%s has sampled parts; the linear model holds their values constant", l->name);
    put_names(a, w, l);
    LinearSystem *s = &l->system;
    LinearPoint p = {w->inputs.at, w->outputs.at, w->inputs.n, w->outputs.n,
                     s->a,         s->b,          s->c,        s->d};
    if (linear_slides(a->sim)) {
        diag(a->ctx, (Span){0}, DIAG_A001,
             "%s slides along a surface or rests there at time %.9g; choose another point", l->name,
             l->time);
        a->status = KAIROS_FAILED;
    } else if (linear_matrices(a->sim, &p)) {
        diag(a->ctx, (Span){0}, DIAG_A001,
             "%s cannot be linearized at time %.9g: its equations have no regular solution there",
             l->name, l->time);
        a->status = KAIROS_FAILED;
    } else if (!linear_model_analyse(a->ctx, l)) {
        a->status = KAIROS_FAILED;
    } else {
        return l;
    }
    linear_model_free(l);
    return NULL;
}

static bool save(Analysis *a, const Linearize *w, const LinearModel *l)
{
    const KairosLinearize *how = &w->how;
    return (!how->mat || linear_save_mat(a->ctx, l, how->mat)) &&
           (!how->script || linear_save_script(a->ctx, l, how->script)) &&
           (!how->bode || linear_plot_bode(a->ctx, l, how->bode)) &&
           (!how->poles || linear_plot_poles(a->ctx, l, how->poles));
}

/* Files other than the JSON show the last point. */
static bool add_point(Analysis *a, Linearize *w, const char *at, bool last)
{
    if (!go_to(a, at))
        return false;
    LinearModel *l = linear_at_point(a, w);
    if (!l)
        return false;
    text_put(&w->json, w->done++ ? ",\n" : "");
    linear_model_json(l, &w->json);
    a->status = !last || save(a, w, l) ? KAIROS_OK : KAIROS_USE_ERROR;
    linear_model_free(l);
    return a->status == KAIROS_OK;
}

static void linearize(Analysis *a)
{
    Linearize *w = a->user;
    if (!SESSION_READ(a->m->session, KairosLinearize, w->given, &w->how))
        return;
    list_variables(a, w);
    unsigned n = w->how.n_at ? w->how.n_at : 1;
    text_put(&w->json, n > 1 ? "[" : "");
    for (unsigned i = 0; i < n; i++)
        if (!add_point(a, w, w->how.n_at ? w->how.at[i] : NULL, i + 1 == n))
            break;
    text_put(&w->json, n > 1 ? "]\n" : "");
    if (w->how.output && w->done && !atomic_save_text(a->ctx, w->how.output, &w->json))
        a->status = KAIROS_USE_ERROR;
    if (w->wanted && a->status == KAIROS_OK)
        w->made = session_text(w->json.at);
}

int kairos_linearize_model(KairosModel *m, const KairosRun *run, const KairosLinearize *how,
                           char **json)
{
    Linearize w = {.given = how, .wanted = json != NULL};
    int status = analysis_run(m, run, linearize, &w);
    if (json)
        *json = w.made;
    text_free(&w.json);
    vec_free(&w.inputs);
    vec_free(&w.outputs);
    vec_free(&w.input_ids);
    vec_free(&w.output_ids);
    return status;
}

/* Linear models: the public side of analysis/linear_model.h. */
#include "analysis/linear_model.h"
#include "api/steady.h"
#include "base/atomic_file.h"
#include "sim/linear.h"

#include <math.h>
#include <stdlib.h>

typedef struct Probe {
    VarId parameter;
    const char *input;
} Probe;

typedef struct Linearize {
    const KairosLinearize *given;
    KairosLinearize how; /* its copy */
    VEC(LinearVar) inputs, outputs;
    VEC(const char *) input_names;
    VEC(Probe) probes;     /* parameters that vary driven inputs */
    VEC(VarId) output_ids; /* as declared */
    Text json;
    char *made; /* the JSON, for the caller; NULL: not requested */
    bool wanted;
    unsigned done; /* points so far */
    bool lost;     /* the present point is not the equilibrium that was asked for */
    double period; /* of the model at the present point; 0: it is continuous */
    double time; /* of this point. If there is a period, the run does not stand there yet, unless */
    bool at_start, at_orbit; /* this is its start, or a periodic motion was found */
} Linearize;

/* ---- inputs and outputs ---- */

static bool is_declared(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->flat != NONE && x->type == DAE_REAL && x->kind != DAE_DERIVATIVE &&
           x->kind != DAE_PRE && x->kind != DAE_PARAMETER && !x->hidden && v < d->n_model_vars;
}

/* The input that a parameter of the drive varies; NULL if it is none. */
static const char *probed(const Analysis *a, VarId v)
{
    static const char probe[] = "'--probe ";
    const DaeVar *x = &a->m->compilation.plan->dae->vars.at[v];
    if (x->kind != DAE_PARAMETER || x->flat == NONE || x->base != NONE)
        return NULL;
    const char *name = analysis_name(a, v), *end = strrchr(name, '\'');
    size_t begin = sizeof probe - 1;
    if (strncmp(name, probe, begin) != 0 || end < name + begin)
        return NULL;
    return arena_printf(a->arena, "%.*s%s", (int)(end - (name + begin)), name + begin, end + 1);
}

static void find_probes(const Analysis *a, Linearize *w)
{
    for (VarId v = 0; v < a->m->compilation.plan->dae->n_model_vars && a->how->n_inputs; v++) {
        const char *input = probed(a, v);
        if (input)
            vec_push(&w->probes, ((Probe){v, input}));
    }
}

/* A driven input is varied through its parameter. */
static void add_probed(const Analysis *a, Linearize *w, VarId v)
{
    const char *name = w->probes.n ? analysis_name(a, v) : NULL;
    for (uint32_t i = 0; i < w->probes.n; i++)
        if (!strcmp(name, w->probes.at[i].input)) {
            vec_push(&w->inputs, ((LinearVar){w->probes.at[i].parameter, 1}));
            vec_push(&w->input_names, name);
        }
}

static void list_variables(const Analysis *a, Linearize *w)
{
    find_probes(a, w);
    const Dae *d = a->m->compilation.plan->dae;
    for (VarId v = 0; v < d->n_model_vars; v++) {
        if (!is_declared(d, v))
            continue;
        add_probed(a, w, v);
        uint8_t causality = d->flat->vars.at[d->vars.at[v].flat].causality;
        bool negative;
        VarId holder = dae_representative(d, v, &negative);
        LinearVar x = {holder, negative ? -1 : 1};
        if (causality == FLAT_INPUT && dae_rests(d, holder)) {
            vec_push(&w->inputs, x);
            vec_push(&w->input_names, analysis_name(a, v));
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
        [EQUILIBRIUM_OF_PAST] = "it has delays, and the motion from the initial point does not "
                                "come to rest",
        [EQUILIBRIUM_FAILED] = "the equations cannot be evaluated on the way",
    };
    diag(a->ctx, (Span){0}, DIAG_A004, "no equilibrium found near the state at time %.9g: %s%s%s",
         sim_time(a->sim), reasons[result],
         rest == NONE ? "" : "; farthest from rest: ", rest == NONE ? "" : analysis_name(a, rest));
    a->status = KAIROS_FAILED;
    return false;
}

/* No equilibrium was found: the linear model where the run stands is the result. */
static bool stay_here(const Analysis *a, Linearize *w)
{
    diag_note(a->ctx, (Span){0}, "the linear model at time %.9g is saved instead",
              sim_time(a->sim));
    return w->lost = true;
}

static bool open_again(Analysis *a)
{
    return analysis_open(a, NULL) && sim_start(a->sim);
}

/* With delays: the motion from the initial point comes to rest, or there is no equilibrium. */
static bool wait_for_rest(Analysis *a, Linearize *w, double tolerance)
{
    bool rests;
    if (!open_again(a) || !sim_advance(a->sim, a->options.stop, false) ||
        !steady_wait(a, tolerance, &rests))
        return fail(a);
    if (rests)
        return true;
    no_equilibrium(a, EQUILIBRIUM_OF_PAST, NONE);
    return stay_here(a, w);
}

/* If Newton's method fails from the initial point, it begins again at the end of the run. */
static bool go_to_equilibrium(Analysis *a, Linearize *w, double tolerance)
{
    VarId rest;
    unsigned iterations;
    EquilibriumResult result = sim_equilibrium(a->sim, &rest, &iterations);
    if (result == EQUILIBRIUM_FOUND)
        return true;
    if (result == EQUILIBRIUM_OF_TIME)
        return no_equilibrium(a, result, rest);
    if (result == EQUILIBRIUM_OF_PAST)
        return wait_for_rest(a, w, tolerance);
    if (!open_again(a))
        return fail(a);
    if (!sim_advance(a->sim, a->options.stop, false)) {
        diag(a->ctx, (Span){0}, DIAG_A004,
             "no equilibrium found near the initial point, and the motion from there ends at time "
             "%.9g",
             sim_time(a->sim));
        return sim_status(a->sim) == SIM_FAILED ? stay_here(a, w) : fail(a);
    }
    result = sim_equilibrium(a->sim, &rest, &iterations);
    if (result == EQUILIBRIUM_FOUND)
        return true;
    no_equilibrium(a, result, rest);
    return open_again(a) && sim_advance(a->sim, a->options.stop, false) ? stay_here(a, w) : fail(a);
}

static bool no_orbit(Analysis *a, const char *why)
{
    diag(a->ctx, (Span){0}, DIAG_A009, "no periodic motion found: %s", why);
    a->status = KAIROS_FAILED;
    return false;
}

static bool go_to_orbit(Analysis *a, Linearize *w, double period, double tolerance)
{
    Orbit orbit = {0};
    unsigned used = 0;
    OrbitResult result = steady_driven(a, NULL, period, tolerance, &orbit, &used);
    w->period = orbit.period;
    w->time = sim_time(a->sim);
    w->at_orbit = true;
    orbit_free(&orbit);
    return result == ORBIT_FOUND    ? true
           : result == ORBIT_FAILED ? fail(a)
                                    : no_orbit(a, "the search does not converge");
}

/* An equilibrium, or a period of the motion under a drive. */
static bool go_to_steady(Analysis *a, Linearize *w)
{
    double tolerance = steady_tolerance(a), period = w->how.period,
           span = a->options.stop - a->options.start;
    if (!analysis_open(a, NULL) || !sim_start(a->sim))
        return fail(a);
    if (period > 0)
        return go_to_orbit(a, w, period, tolerance);
    switch (drive_find(a->sim, a->options.start + (span > 0 ? span : 1), &period)) {
    case DRIVE_PERIODIC: return go_to_orbit(a, w, period, tolerance);
    case DRIVE_NONE: return go_to_equilibrium(a, w, tolerance);
    case DRIVE_OTHER: return no_equilibrium(a, EQUILIBRIUM_OF_TIME, NONE);
    default: return fail(a);
    }
}

static bool read_time(Analysis *a, const char *at, double *t)
{
    *t = !at ? a->options.start : a->options.stop;
    if (!at || !strcmp(at, "end"))
        return true;
    char *end;
    *t = strtod(at, &end);
    if (end != at && !*end && isfinite(*t) && *t >= a->options.start)
        return true;
    diag(a->ctx, (Span){0}, DIAG_U008,
         "--at cannot be '%s'; it is a time from %.9g on, 'end' or 'steady'", at, a->options.start);
    return false;
}

/* A time, "end" or "steady"; NULL: the initial point. */
static bool go_to(Analysis *a, Linearize *w, const char *at)
{
    double t;
    w->period = 0;
    w->lost = w->at_start = w->at_orbit = false;
    if (at && !strcmp(at, "steady"))
        return go_to_steady(a, w);
    if (!read_time(a, at, &t))
        return false;
    a->options.stop = fmax(a->options.stop, t);
    if (!analysis_open(a, NULL) || !sim_start(a->sim))
        return fail(a);
    w->time = t;
    w->at_start = !(t > a->options.start);
    w->period = w->how.period > 0 ? w->how.period : drive_of_clocks(a->sim);
    return w->period > 0 || w->at_start || sim_advance(a->sim, t, false) || fail(a);
}

/* ---- the model at a point ---- */

enum { DEFAULT_PADE = 4, HIGHEST_PADE = 10 };

static LinearModel *new_model(const Analysis *a, const Linearize *w, uint32_t n, double time)
{
    LinearModel *l = linear_model_new(n, w->inputs.n, w->outputs.n);
    l->name = kairos_model_name(a->m);
    l->time = time;
    l->lost = w->lost;
    for (uint32_t i = 0; i < l->system.m; i++)
        l->inputs[i] = w->input_names.at[i];
    for (uint32_t i = 0; i < l->system.p; i++)
        l->outputs[i] = analysis_name(a, w->output_ids.at[i]);
    return l;
}

static LinearModel *no_model(Analysis *a, LinearModel *l, const char *why)
{
    diag(a->ctx, (Span){0}, DIAG_A001, "%s cannot be linearized at time %.9g: %s",
         kairos_model_name(a->m), sim_time(a->sim), why);
    a->status = KAIROS_FAILED;
    if (l)
        linear_model_free(l);
    return NULL;
}

static void warn_held(const Analysis *a, const LinearModel *l)
{
    bool slides = linear_slides(a->sim);
    if (linear_is_sampled(a->sim))
        diag(a->ctx, (Span){0}, DIAG_A007,
             "the samples of %s have no common period; the linear model holds their values "
             "constant",
             l->name);
    if (slides ? linear_has_past(a->sim) : linear_has_transports(a->sim))
        diag(a->ctx, (Span){0}, DIAG_A012,
             "%s has %s; the linear model holds their values constant, so loops through them are "
             "open in it",
             l->name, slides ? "past values" : "transports (spatialDistribution)");
}

/* Derivatives at the present point, into the matrices of `to`. */
static bool fill_matrices(const Analysis *a, const LinearVar *inputs, const LinearVar *outputs,
                          LinearSystem *to, uint32_t *kept)
{
    LinearPoint p = {inputs, outputs, to->m, to->p, to->a, to->b, to->c, to->d};
    for (uint32_t i = 0; i < to->n; i++)
        kept[i] = i;
    return !(linear_slides(a->sim) ? linear_along(a->sim, &p, kept) : linear_matrices(a->sim, &p));
}

static LinearModel *no_solution(Analysis *a, LinearModel *l)
{
    return no_model(a, l, "its equations have no regular solution there");
}

/* Delayed values are inputs of the system around the delays, and what is delayed are outputs. */
static LinearModel *delayed_model(Analysis *a, const Linearize *w)
{
    const Dae *dae = a->m->compilation.plan->dae;
    uint32_t n = linear_n_states(a->sim), q = linear_n_delays(a->sim);
    LinearDelays d = {q, w->how.pade_order ? (uint32_t)w->how.pade_order : DEFAULT_PADE,
                      ARENA_ARRAY(a->arena, double, q + (size_t)1),
                      ARENA_ARRAY(a->arena, const char *, q + (size_t)1)};
    LinearVar *inputs = ARENA_ARRAY(a->arena, LinearVar, w->inputs.n + (size_t)q + 1),
              *outputs = ARENA_ARRAY(a->arena, LinearVar, w->outputs.n + (size_t)q + 1);
    for (uint32_t i = 0; i < w->inputs.n; i++)
        inputs[i] = w->inputs.at[i];
    for (uint32_t i = 0; i < w->outputs.n; i++)
        outputs[i] = w->outputs.at[i];
    for (uint32_t k = 0; k < q; k++) {
        linear_delay(a->sim, k, &inputs[w->inputs.n + k], &outputs[w->outputs.n + k], &d.time[k]);
        d.names[k] = dae_term_print(dae, dae->delays.at[k].argument, a->arena);
    }
    LinearModel *l = new_model(a, w, n + linear_delay_states(&d), sim_time(a->sim));
    l->delays = d;
    l->open = linear_system_new(l->arena, n, w->inputs.n + q, w->outputs.n + q);
    warn_held(a, l);
    uint32_t *kept = ARENA_ARRAY(a->arena, uint32_t, n + (size_t)1), at = n;
    if (!linear_vary_delays(a->sim) || !fill_matrices(a, inputs, outputs, &l->open, kept) ||
        !linear_close_delays(&l->open, &d, &l->system))
        return no_solution(a, l);
    for (uint32_t i = 0; i < n; i++)
        l->states[i] = analysis_state_name(a, linear_state(a->sim, i));
    for (uint32_t k = 0; k < q; k++)
        for (uint32_t i = 0; i < d.order && d.time[k] > 0; i++)
            l->states[at++] = arena_printf(a->arena, "delay(%s)[%u]", d.names[k], i + 1);
    diag(a->ctx, (Span){0}, DIAG_A012,
         "%s has delay%s (%s%s); in the matrices, poles and zeros, Padé approximations of order %u "
         "replace %s; Bode plots are exact",
         l->name, q == 1 ? "" : "s", d.names[0], q > 1 ? ", …" : "", d.order,
         q == 1 ? "it" : "them");
    return l;
}

static LinearModel *continuous_model(Analysis *a, const Linearize *w)
{
    if (!linear_exists(a->sim))
        return no_model(a, NULL, "it rests on a surface; choose another point");
    bool slides = linear_slides(a->sim);
    if (!slides && linear_n_delays(a->sim))
        return delayed_model(a, w);
    uint32_t n = slides ? linear_n_along(a->sim) : linear_n_states(a->sim);
    LinearModel *l = new_model(a, w, n, sim_time(a->sim));
    uint32_t *kept = ARENA_ARRAY(a->arena, uint32_t, linear_n_states(a->sim) + (size_t)1);
    warn_held(a, l);
    if (!fill_matrices(a, w->inputs.at, w->outputs.at, &l->system, kept))
        return no_solution(a, l);
    for (uint32_t i = 0; i < n; i++)
        l->states[i] = analysis_state_name(a, linear_state(a->sim, kept[i]));
    return l;
}

static void copy_matrices(const PeriodicLinear *p, LinearSystem *s)
{
    memcpy(s->a, p->a, (size_t)s->n * s->n * sizeof *s->a);
    memcpy(s->b, p->b, (size_t)s->n * s->m * sizeof *s->b);
    memcpy(s->c, p->c, (size_t)s->p * s->n * sizeof *s->c);
    memcpy(s->d, p->d, (size_t)s->p * s->m * sizeof *s->d);
}

/* Before the instant at which the period begins. The first ticks of clocked equations differ from
 * all others. */
static double go_before(Analysis *a, const Linearize *w, bool *at_start)
{
    const Flat *flat = a->m->compilation.plan->dae->flat;
    *at_start = w->at_start && !flat->clocks.n;
    if (*at_start)
        return analysis_open(a, NULL) ? w->time : NAN;
    return w->at_start ? w->time + 2 * w->period : w->at_orbit ? w->time + w->period : w->time;
}

static LinearModel *periodic_model(Analysis *a, const Linearize *w)
{
    bool at_start;
    double at = go_before(a, w, &at_start);
    if (isnan(at)) {
        fail(a);
        return NULL;
    }
    PeriodicLinear p = {.inputs = w->inputs.at,
                        .outputs = w->outputs.at,
                        .n_inputs = w->inputs.n,
                        .n_outputs = w->outputs.n,
                        .mean = w->how.average,
                        .at_start = at_start};
    LinearResult result = orbit_linear(a->sim, at, w->period, a->arena, &p);
    if (result == LINEAR_FAILED)
        fail(a);
    if (result == LINEAR_NONE)
        return no_model(a, NULL,
                        "derivatives over a period do not exist, or its states change from "
                        "period to period");
    if (result != LINEAR_FOUND)
        return NULL;
    LinearModel *l = new_model(a, w, p.n, w->time);
    l->period = w->period;
    for (uint32_t i = 0; i < p.n; i++)
        l->states[i] = analysis_state_name(a, p.vars[i]);
    copy_matrices(&p, &l->system);
    return l;
}

/* Its rate would be one more input. */
static void warn_differentiated(const Analysis *a, const Linearize *w, const LinearModel *l)
{
    const Dae *d = a->m->compilation.plan->dae;
    for (uint32_t i = 0; i < w->inputs.n; i++)
        if (d->vars.at[w->inputs.at[i].var].rate_is_zero)
            diag(a->ctx, (Span){0}, DIAG_A013,
                 "%s differentiates its input %s; the linear model leaves this derivative out",
                 l->name, w->input_names.at[i]);
}

static LinearModel *linear_at_point(Analysis *a, const Linearize *w)
{
    if (w->how.average && !(w->period > 0)) {
        diag(a->ctx, (Span){0}, DIAG_U008,
             "means over a period (--average) need a period: use --at steady for a model with a "
             "drive, or --period T");
        return NULL;
    }
    LinearModel *l = w->period > 0 ? periodic_model(a, w) : continuous_model(a, w);
    if (l)
        warn_differentiated(a, w, l);
    if (l && !linear_model_analyse(a->ctx, l)) {
        a->status = KAIROS_FAILED;
        linear_model_free(l);
        l = NULL;
    }
    return l;
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
    if (!go_to(a, w, at))
        return false;
    LinearModel *l = linear_at_point(a, w);
    if (!l)
        return false;
    text_put(&w->json, w->done++ ? ",\n" : "");
    linear_model_json(l, &w->json);
    a->status = last && !save(a, w, l) ? KAIROS_USE_ERROR : w->lost ? KAIROS_FAILED : KAIROS_OK;
    linear_model_free(l);
    return a->status == KAIROS_OK;
}

static void linearize(Analysis *a)
{
    Linearize *w = a->user;
    if (!SESSION_READ(a->m->session, KairosLinearize, w->given, &w->how))
        return;
    if (w->how.pade_order > HIGHEST_PADE) {
        diag(a->ctx, (Span){0}, DIAG_U008, "the order of Padé approximations is at most %d",
             HIGHEST_PADE);
        a->status = KAIROS_USE_ERROR;
        return;
    }
    list_variables(a, w);
    unsigned n = w->how.n_at ? w->how.n_at : 1;
    text_put(&w->json, n > 1 ? "[" : "");
    for (unsigned i = 0; i < n; i++)
        if (!add_point(a, w, w->how.n_at ? w->how.at[i] : NULL, i + 1 == n))
            break;
    text_put(&w->json, n > 1 ? "]\n" : "");
    if (w->how.output && w->done && !atomic_save_text(a->ctx, w->how.output, &w->json))
        a->status = KAIROS_USE_ERROR;
    if (w->wanted && (a->status == KAIROS_OK || (w->lost && w->done)))
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
    vec_free(&w.input_names);
    vec_free(&w.probes);
    vec_free(&w.output_ids);
    return status;
}

/* The data of one run, and the evaluations that the other parts ask for. Everything is allocated
 * here or by the create functions of the parts, before the first step. */
#include "sim/state/state.h"

#include "base/clock.h"

#include <assert.h>
#include <math.h>

double sim_clock(const Sim *s)
{
    return s->timed ? clock_now() : 0;
}

VarId resolve_alias(const Sim *s, VarId var, double *sign)
{
    *sign = 1;
    while (s->dae->vars.at[var].alias != NONE) {
        *sign *= s->dae->vars.at[var].alias_sign;
        var = s->dae->vars.at[var].alias;
    }
    return var;
}

/* ---- lists of variables ---- */

static void list_strings(Sim *s)
{
    for (VarId i = 0; i < s->dae->vars.n; i++)
        s->n_strings += s->dae->vars.at[i].type == DAE_STRING;
    s->strings = ARENA_ARRAY(s->arena, VarId, s->n_strings + 1);
    for (VarId i = 0, n = 0; i < s->dae->vars.n; i++)
        if (s->dae->vars.at[i].type == DAE_STRING)
            s->strings[n++] = i;
}

static void list_discrete(Sim *s)
{
    uint32_t n = s->dae->vars.n;
    s->discrete = ARENA_ARRAY(s->arena, VarId, n);
    for (VarId i = 0; i < n; i++) {
        const DaeVar *var = &s->dae->vars.at[i];
        if (var->alias == NONE && (var->kind == DAE_DISCRETE || var->kind == DAE_RELATION))
            s->discrete[s->n_discrete++] = i;
    }
    s->before = ARENA_ARRAY(s->arena, double, s->n_discrete);
    s->left = ARENA_ARRAY(s->arena, double, n);
}

static void mark_operands(const Sim *s, Term t, bool *used)
{
    for (uint32_t k = 0; k < t.n; k++)
        used[dae_op(s->dae, t, k)] = true;
}

static void mark_block(const Sim *s, const PlanBlock *b, bool *used)
{
    for (uint32_t k = 0; k < b->n_torn; k++)
        mark_operands(s, s->dae->eqs.at[s->plan->torn.at[b->torn + k].eq].term, used);
    for (uint32_t k = 0; k < b->n_steps; k++)
        mark_operands(s, s->dae->eqs.at[s->plan->steps.at[b->step + k].eq].term, used);
}

/* What continuous equations and crossing functions depend on; everything, where the plan names no
 * equations. */
static void find_relevant(Sim *s)
{
    enum { CONTINUOUS = USE_DERIVATIVE | USE_INDICATOR | USE_OUTPUT };
    bool *used = ARENA_ARRAY(s->own, bool, s->dae->vars.n);
    const PlanSequence *main = &s->plan->main;
    for (uint32_t i = 0; i < main->n_blocks; i++) {
        const PlanBlock *b = &s->plan->blocks.at[main->block + i];
        if (b->uses & CONTINUOUS)
            mark_block(s, b, used);
    }
    for (uint32_t i = 0; i < s->dae->relations.n; i++)
        mark_operands(s, s->dae->relations.at[i].z, used);
    s->relevant = ARENA_ARRAY(s->own, bool, s->n_discrete);
    for (uint32_t i = 0; i < s->n_discrete; i++) {
        const DaeVar *var = &s->dae->vars.at[s->discrete[i]];
        s->relevant[i] =
            !main->n_blocks || used[s->discrete[i]] || (var->pre != NONE && used[var->pre]);
    }
}

static PreLink pre_link(const Sim *s, VarId pre)
{
    double sign;
    VarId var = resolve_alias(s, s->dae->vars.at[pre].base, &sign);
    const DaeVar *base = &s->dae->vars.at[var];
    bool continuous = base->kind == DAE_CONTINUOUS || base->kind == DAE_DERIVATIVE;
    return (PreLink){pre, var, (float)sign, continuous ? (float)(1e-12 * base->nominal) : 0};
}

static void list_pres(Sim *s)
{
    uint32_t n = 0;
    for (VarId i = 0; i < s->dae->vars.n; i++)
        n += s->dae->vars.at[i].kind == DAE_PRE && s->dae->vars.at[i].alias == NONE;
    s->pres = ARENA_ARRAY(s->arena, PreLink, n);
    for (VarId i = 0; i < s->dae->vars.n; i++)
        if (s->dae->vars.at[i].kind == DAE_PRE && s->dae->vars.at[i].alias == NONE)
            s->pres[s->n_pres++] = pre_link(s, i);
}

static void list_actions(Sim *s)
{
    uint32_t n = s->dae->actions.n;
    s->guard = ARENA_ARRAY(s->arena, double, n);
    s->value = ARENA_ARRAY(s->arena, double, n);
    s->warned = ARENA_ARRAY(s->arena, bool, n);
    s->event.reinits = ARENA_ARRAY(s->arena, Reinit, n);
    for (uint32_t i = 0; i < n; i++)
        s->n_asserts += s->dae->actions.at[i].kind == ACTION_ASSERT;
}

static void list_states(Sim *s)
{
    s->n = s->plan->states.n;
    s->x = ARENA_ARRAY(s->own, double, s->n);
    s->xi = ARENA_ARRAY(s->own, double, s->n);
    s->failed_x = ARENA_ARRAY(s->own, double, s->n);
    s->atol = ARENA_ARRAY(s->own, double, s->n);
    if (s->options->log & LOG_STATS)
        s->limited = ARENA_ARRAY(s->own, uint64_t, s->n + (size_t)1);
    for (uint32_t i = 0; i < s->n; i++)
        s->atol[i] = s->options->tolerance * s->dae->vars.at[s->plan->states.at[i].var].nominal;
}

static void list_relations(Sim *s)
{
    uint32_t n = s->dae->relations.n;
    s->decided = ARENA_ARRAY(s->arena, uint8_t, n);
    s->decided_z = ARENA_ARRAY(s->arena, double, n);
    s->z = ARENA_ARRAY(s->arena, double, n);
    s->event.triggers = ARENA_ARRAY(s->arena, uint32_t, n);
    s->fired = ARENA_ARRAY(s->arena, uint64_t, n);
    s->cadences = ARENA_ARRAY(s->arena, EventCadence, 2 * (size_t)n);
    s->event.trigger_z = ARENA_ARRAY(s->arena, double, n);
}

/* ---- creation ---- */

/* Nominal values count in seconds: where a run is shorter, so are the times that its scheduled
 * relations compare. */
double relation_scale(const Sim *s, uint32_t relation)
{
    const DaeRelation *r = &s->dae->relations.at[relation];
    double last = fmax(fabs(s->options->start), fabs(s->options->stop));
    return r->is_time_event && last > 0 && last < 1 ? r->scale * last : r->scale;
}

static void create_runtime(Sim *s)
{
    uint32_t n = s->code->n_vars, n_relations = s->dae->relations.n;
    RuntimeVar *vars = ARENA_ARRAY(s->own, RuntimeVar, n);
    RuntimeRelation *relations = ARENA_ARRAY(s->own, RuntimeRelation, n_relations);
    for (uint32_t b = 0; b < s->code->n_blocks; b++)
        for (uint32_t i = 0; i < s->code->blocks[b].n; i++) {
            const DaeVar *var = &s->dae->vars.at[s->code->blocks[b].vars[i]];
            vars[s->code->blocks[b].vars[i]] = (RuntimeVar){var->nominal, var->min, var->max};
        }
    for (uint32_t i = 0; i < n_relations; i++)
        relations[i].scale = relation_scale(s, i);
    s->rt = runtime_new(s->code, vars, relations, n_relations, s->options->tolerance);
    s->m = runtime_data(s->rt);
    if (!s->decided_at) {
        s->decided_at = ARENA_ARRAY(s->arena, double, n_relations);
        for (uint32_t i = 0; i < n_relations; i++)
            s->decided_at[i] = NAN;
    }
    runtime_decided_at(s->rt, s->decided_at);
    runtime_interrupt(s->rt, s->ctx->interrupt);
    runtime_mixed(s->rt, s->options->mixed);
    if (!s->m->v)
        s->m->v = ARENA_ARRAY(s->own, double, n);
    if (!s->m->dv)
        s->m->dv = ARENA_ARRAY(s->own, double, n);
    s->set = ARENA_ARRAY(s->own, uint8_t, n);
    s->m->set = s->set;
    s->v = s->m->v;
}

void program_create_data(Sim *s)
{
    assert(s->code->n_vars == s->dae->vars.n);
    create_runtime(s);
    stateset_create(s);
    list_states(s);
    find_relevant(s);
}

void sim_create(Sim *s)
{
    s->arena = s->own = arena_new();
    s->scratch = arena_new();
    s->eps = s->options->event_epsilon > 0 ? s->options->event_epsilon : 1e-10;
    s->n_common = s->dae->vars.n;
    list_strings(s);
    list_discrete(s);
    s->prog = ARENA_NEW(s->arena, ModeProgram);
    s->prog->own = s->own;
    program_create_data(s);
    program_store(s);
    externals_create(s);
    list_pres(s);
    list_relations(s);
    list_actions(s);
    schedule_create(s);
    locator_create(s);
    bounds_create(s);
    simultaneous_create(s);
    range_create(s);
}

void sim_free(Sim *s)
{
    externals_free(s);
    modes_free(s);
    arena_free(s->scratch);
    arena_free(s->arena);
}

/* ---- values ---- */

double start_value(const Sim *s, VarId var)
{
    const DaeVar *d = &s->dae->vars.at[var];
    double value = d->type == DAE_ENUM ? 1 : 0;
    if (d->start != NONE) {
        double sign;
        VarId start = resolve_alias(s, d->start, &sign);
        return sign * s->v[start];
    }
    return fmin(fmax(value, d->min), d->max);
}

void put_states(Sim *s, double t, const double *x)
{
    s->v[0] = t;
    for (uint32_t i = 0; i < s->n; i++)
        s->v[s->plan->states.at[i].var] = x[i];
    if (s->plan->inlined.n)
        modes_aim(s, t);
}

void get_states(Sim *s, double *x)
{
    for (uint32_t i = 0; i < s->n; i++)
        x[i] = s->v[s->plan->states.at[i].var];
}

/* ---- evaluations ---- */

int evaluate_call(Sim *s, int (*function)(ModelData *m))
{
    runtime_sweep(s->rt, s->strings, s->n_strings);
    s->m->status = 0;
    int status = function(s->m);
    return status ? status : s->m->status;
}

int evaluate_event(Sim *s, int (*function)(ModelData *m))
{
    s->m->event = 1;
    int status = evaluate_call(s, function);
    s->m->event = 0;
    return status;
}

/* x - x is zero for finite x alone, and a sum of zeros needs no branch. */
static int check_derivatives(const Sim *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double der = s->v[s->plan->states.at[i].der];
        sum += der - der;
    }
    return sum == 0 ? MODEL_OK : MODEL_NOT_FINITE;
}

int evaluate_derivatives(Sim *s, double t, const double *x)
{
    if (sliding_active(s))
        return sliding_derivatives(s, t, x);
    put_states(s, t, x);
    double begin = sim_clock(s);
    int status = evaluate_call(s, s->code->derivatives);
    s->stats->seconds_derivatives += sim_clock(s) - begin;
    s->stats->derivatives++;
    if (!status)
        status = check_derivatives(s);
    if (status)
        note_failure(s, status, t, x);
    return status;
}

int evaluate_outputs(Sim *s, double t, const double *x)
{
    if (sliding_active(s))
        return sliding_blend(s, t, x, s->code->outputs);
    int status = evaluate_derivatives(s, t, x);
    if (status)
        return status;
    status = evaluate_call(s, s->code->outputs);
    if (status)
        note_failure(s, status, t, x);
    return status;
}

int evaluate_indicators(Sim *s, double t, const double *x, double *z)
{
    int status =
        sliding_active(s) ? sliding_blend(s, t, x, s->code->guards) : evaluate_derivatives(s, t, x);
    if (status)
        return status;
    if (!sliding_active(s))
        status = evaluate_call(s, s->code->guards);
    if (!status) {
        status = s->code->indicators(s->m, z);
        status = status ? status : s->m->status;
    }
    for (uint32_t i = 0; !status && i < s->dae->relations.n; i++)
        if (isnan(z[i]))
            status = MODEL_NOT_FINITE;
    if (status)
        note_failure(s, status, t, x);
    return status;
}

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
    const ModeProgram *prog = s->prog;
    *sign = 1;
    while (prog->dae->vars.at[var].alias != NONE) {
        *sign *= prog->dae->vars.at[var].alias_sign;
        var = prog->dae->vars.at[var].alias;
    }
    return var;
}

/* ---- lists of variables ---- */

static void list_strings(Sim *s)
{
    ModeProgram *prog = s->prog;
    for (VarId i = 0; i < prog->dae->vars.n; i++)
        s->strings.n += prog->dae->vars.at[i].type == DAE_STRING;
    s->strings.at = ARENA_ARRAY(s->arena, VarId, s->strings.n + 1);
    for (VarId i = 0, n = 0; i < prog->dae->vars.n; i++)
        if (prog->dae->vars.at[i].type == DAE_STRING)
            s->strings.at[n++] = i;
}

static void list_discrete(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = prog->dae->vars.n;
    s->discrete.vars = ARENA_ARRAY(s->arena, VarId, n);
    for (VarId i = 0; i < n; i++) {
        const DaeVar *var = &prog->dae->vars.at[i];
        if (var->alias == NONE && (var->kind == DAE_DISCRETE || var->kind == DAE_RELATION))
            s->discrete.vars[s->discrete.n++] = i;
    }
    s->discrete.before = ARENA_ARRAY(s->arena, double, s->discrete.n);
    s->left = ARENA_ARRAY(s->arena, double, n);
}

static void mark_operands(const Sim *s, Term t, bool *used)
{
    for (uint32_t k = 0; k < t.n; k++)
        used[dae_op(s->prog->dae, t, k)] = true;
}

static void mark_block(const Sim *s, const PlanBlock *b, bool *used)
{
    const ModeProgram *prog = s->prog;
    for (uint32_t k = 0; k < b->n_torn; k++)
        mark_operands(s, prog->dae->eqs.at[prog->plan->torn.at[b->torn + k].eq].term, used);
    for (uint32_t k = 0; k < b->n_steps; k++)
        mark_operands(s, prog->dae->eqs.at[prog->plan->steps.at[b->step + k].eq].term, used);
}

/* What continuous equations and crossing functions depend on; everything, where the plan names no
 * equations. */
static void find_relevant(Sim *s)
{
    ModeProgram *prog = s->prog;
    enum { CONTINUOUS = USE_DERIVATIVE | USE_INDICATOR | USE_OUTPUT };
    bool *used = ARENA_ARRAY(prog->own, bool, prog->dae->vars.n);
    const PlanSequence *main = &prog->plan->main;
    for (uint32_t i = 0; i < main->n_blocks; i++) {
        const PlanBlock *b = &prog->plan->blocks.at[main->block + i];
        if (b->uses & CONTINUOUS)
            mark_block(s, b, used);
    }
    for (uint32_t i = 0; i < prog->dae->relations.n; i++)
        mark_operands(s, prog->dae->relations.at[i].z, used);
    prog->relevant = ARENA_ARRAY(prog->own, bool, s->discrete.n);
    for (uint32_t i = 0; i < s->discrete.n; i++) {
        const DaeVar *var = &prog->dae->vars.at[s->discrete.vars[i]];
        prog->relevant[i] =
            !main->n_blocks || used[s->discrete.vars[i]] || (var->pre != NONE && used[var->pre]);
    }
}

static PreLink pre_link(const Sim *s, VarId pre)
{
    const ModeProgram *prog = s->prog;
    double sign;
    VarId var = resolve_alias(s, prog->dae->vars.at[pre].base, &sign);
    const DaeVar *base = &prog->dae->vars.at[var];
    bool continuous = base->kind == DAE_CONTINUOUS || base->kind == DAE_DERIVATIVE;
    return (PreLink){pre, var, (float)sign, continuous ? (float)(1e-12 * base->nominal) : 0};
}

static void list_pres(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = 0;
    for (VarId i = 0; i < prog->dae->vars.n; i++)
        n += prog->dae->vars.at[i].kind == DAE_PRE && prog->dae->vars.at[i].alias == NONE;
    s->pres.at = ARENA_ARRAY(s->arena, PreLink, n);
    for (VarId i = 0; i < prog->dae->vars.n; i++)
        if (prog->dae->vars.at[i].kind == DAE_PRE && prog->dae->vars.at[i].alias == NONE)
            s->pres.at[s->pres.n++] = pre_link(s, i);
}

static void list_actions(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = prog->dae->actions.n;
    s->actions.guard = ARENA_ARRAY(s->arena, double, n);
    s->actions.value = ARENA_ARRAY(s->arena, double, n);
    s->actions.warned = ARENA_ARRAY(s->arena, bool, n);
    s->event.reinits = ARENA_ARRAY(s->arena, Reinit, n);
    for (uint32_t i = 0; i < n; i++)
        s->actions.n_asserts += prog->dae->actions.at[i].kind == ACTION_ASSERT;
}

static void list_states(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->n = prog->plan->states.n;
    prog->x = ARENA_ARRAY(prog->own, double, prog->n);
    prog->xi = ARENA_ARRAY(prog->own, double, prog->n);
    prog->failed_x = ARENA_ARRAY(prog->own, double, prog->n);
    prog->atol = ARENA_ARRAY(prog->own, double, prog->n);
    if (s->options->log & LOG_STATS)
        prog->limited = ARENA_ARRAY(prog->own, uint64_t, prog->n + (size_t)1);
    for (uint32_t i = 0; i < prog->n; i++)
        prog->atol[i] =
            s->options->tolerance * prog->dae->vars.at[prog->plan->states.at[i].var].nominal;
}

static void list_relations(Sim *s)
{
    uint32_t n = s->prog->dae->relations.n;
    s->relations.decided = ARENA_ARRAY(s->arena, uint8_t, n);
    s->relations.decided_z = ARENA_ARRAY(s->arena, double, n);
    s->relations.z = ARENA_ARRAY(s->arena, double, n);
    s->event.triggers = ARENA_ARRAY(s->arena, uint32_t, n);
    s->relations.fired = ARENA_ARRAY(s->arena, uint64_t, n);
    s->accumulation.cadences = ARENA_ARRAY(s->arena, EventCadence, 2 * (size_t)n);
    s->event.trigger_z = ARENA_ARRAY(s->arena, double, n);
}

/* ---- creation ---- */

/* Nominal values count in seconds: where a run is shorter, so are the times that its scheduled
 * relations compare. */
double relation_scale(const Sim *s, uint32_t relation)
{
    const DaeRelation *r = &s->prog->dae->relations.at[relation];
    double last = fmax(fabs(s->options->start), fabs(s->options->stop));
    return r->is_time_event && last > 0 && last < 1 ? r->scale * last : r->scale;
}

static void create_runtime(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = prog->code->n_vars, n_relations = prog->dae->relations.n;
    RuntimeVar *vars = ARENA_ARRAY(prog->own, RuntimeVar, n);
    RuntimeRelation *relations = ARENA_ARRAY(prog->own, RuntimeRelation, n_relations);
    for (uint32_t b = 0; b < prog->code->n_blocks; b++)
        for (uint32_t i = 0; i < prog->code->blocks[b].n; i++) {
            const DaeVar *var = &prog->dae->vars.at[prog->code->blocks[b].vars[i]];
            vars[prog->code->blocks[b].vars[i]] = (RuntimeVar){var->nominal, var->min, var->max};
        }
    for (uint32_t i = 0; i < n_relations; i++)
        relations[i].scale = relation_scale(s, i);
    prog->rt = runtime_new(prog->code, vars, relations, n_relations, s->options->tolerance);
    prog->m = runtime_data(prog->rt);
    if (!s->relations.decided_at) {
        s->relations.decided_at = ARENA_ARRAY(s->arena, double, n_relations);
        for (uint32_t i = 0; i < n_relations; i++)
            s->relations.decided_at[i] = NAN;
    }
    runtime_decided_at(prog->rt, s->relations.decided_at);
    runtime_interrupt(prog->rt, s->ctx->interrupt);
    runtime_mixed(prog->rt, s->options->mixed);
    if (!prog->m->v)
        prog->m->v = ARENA_ARRAY(prog->own, double, n);
    if (!prog->m->dv)
        prog->m->dv = ARENA_ARRAY(prog->own, double, n);
    prog->set = ARENA_ARRAY(prog->own, uint8_t, n);
    prog->m->set = prog->set;
    prog->v = prog->m->v;
}

void program_create_data(Sim *s)
{
    ModeProgram *prog = s->prog;
    assert(prog->code->n_vars == prog->dae->vars.n);
    create_runtime(s);
    stateset_create(s);
    list_states(s);
    find_relevant(s);
}

void sim_create(Sim *s, const Plan *plan, const ModelCode *code)
{
    s->arena = arena_new();
    s->scratch = arena_new();
    s->eps = s->options->event_epsilon > 0 ? s->options->event_epsilon : 1e-10;
    s->n_common = plan->dae->vars.n;
    s->prog = ARENA_NEW(s->arena, ModeProgram);
    *s->prog = (ModeProgram){.plan = plan, .dae = plan->dae, .code = code, .own = s->arena};
    list_strings(s);
    list_discrete(s);
    program_create_data(s);
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
    const ModeProgram *prog = s->prog;
    const DaeVar *d = &prog->dae->vars.at[var];
    double value = d->type == DAE_ENUM ? 1 : 0;
    if (d->start != NONE) {
        double sign;
        VarId start = resolve_alias(s, d->start, &sign);
        return sign * prog->v[start];
    }
    return fmin(fmax(value, d->min), d->max);
}

void put_states(Sim *s, double t, const double *x)
{
    ModeProgram *prog = s->prog;
    prog->v[0] = t;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->v[prog->plan->states.at[i].var] = x[i];
    if (prog->plan->inlined.n)
        modes_aim(s, t);
}

void get_states(Sim *s, double *x)
{
    ModeProgram *prog = s->prog;
    for (uint32_t i = 0; i < prog->n; i++)
        x[i] = prog->v[prog->plan->states.at[i].var];
}

/* ---- evaluations ---- */

int evaluate_call(Sim *s, int (*function)(ModelData *m))
{
    ModeProgram *prog = s->prog;
    runtime_sweep(prog->rt, s->strings.at, s->strings.n);
    prog->m->status = 0;
    int status = function(prog->m);
    return status ? status : prog->m->status;
}

int evaluate_event(Sim *s, int (*function)(ModelData *m))
{
    ModeProgram *prog = s->prog;
    prog->m->event = 1;
    int status = evaluate_call(s, function);
    prog->m->event = 0;
    return status;
}

/* x - x is zero for finite x alone, and a sum of zeros needs no branch. */
static int check_derivatives(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    double sum = 0;
    for (uint32_t i = 0; i < prog->n; i++) {
        double der = prog->v[prog->plan->states.at[i].der];
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
    int status = evaluate_call(s, s->prog->code->derivatives);
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
    ModeProgram *prog = s->prog;
    if (sliding_active(s))
        return sliding_blend(s, t, x, prog->code->outputs);
    int status = evaluate_derivatives(s, t, x);
    if (status)
        return status;
    status = evaluate_call(s, prog->code->outputs);
    if (status)
        note_failure(s, status, t, x);
    return status;
}

int evaluate_indicators(Sim *s, double t, const double *x, double *z)
{
    ModeProgram *prog = s->prog;
    int status = sliding_active(s) ? sliding_blend(s, t, x, prog->code->guards)
                                   : evaluate_derivatives(s, t, x);
    if (status)
        return status;
    if (!sliding_active(s))
        status = evaluate_call(s, prog->code->guards);
    if (!status) {
        status = prog->code->indicators(prog->m, z);
        status = status ? status : prog->m->status;
    }
    for (uint32_t i = 0; !status && i < prog->dae->relations.n; i++)
        if (isnan(z[i]))
            status = MODEL_NOT_FINITE;
    if (status)
        note_failure(s, status, t, x);
    return status;
}

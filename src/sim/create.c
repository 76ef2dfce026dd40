/* Creation and end of a run. Everything is allocated here, or by the create functions of the parts,
 * before the first step. */
#include "sim/run.h"

#include "sim/event/event.h"
#include "sim/event/crossing_bounds.h"
#include "sim/event/poles.h"
#include "sim/event/locator.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/profile/profile.h"
#include "sim/state/evaluate.h"
#include "sim/state/externals.h"

static void list_strings(Sim *s, const ModeProgram *p)
{
    for (VarId i = 0; i < program_n_vars(p); i++)
        s->run.strings.n += program_var(p, i)->type == DAE_STRING;
    s->run.strings.at = ARENA_ARRAY(s->run.arena, VarId, s->run.strings.n + 1);
    for (VarId i = 0, n = 0; i < program_n_vars(p); i++)
        if (program_var(p, i)->type == DAE_STRING)
            s->run.strings.at[n++] = i;
}

static void list_discrete(Sim *s, const ModeProgram *p)
{
    uint32_t n = program_n_vars(p);
    s->discrete.vars = ARENA_ARRAY(s->run.arena, VarId, n);
    for (VarId i = 0; i < n; i++) {
        const DaeVar *var = program_var(p, i);
        if (var->alias == NONE && (var->kind == DAE_DISCRETE || var->kind == DAE_RELATION))
            s->discrete.vars[s->discrete.n++] = i;
    }
    s->discrete.before = ARENA_ARRAY(s->run.arena, double, s->discrete.n);
    s->left = ARENA_ARRAY(s->run.arena, double, n);
}

static PreLink pre_link(const Sim *s, VarId pre)
{
    const ModeProgram *prog = s->prog;
    double sign;
    VarId var = resolve_alias(s->prog, program_var(prog, pre)->base, &sign);
    const DaeVar *base = program_var(prog, var);
    bool continuous = base->kind == DAE_CONTINUOUS || base->kind == DAE_DERIVATIVE;
    return (PreLink){pre, var, (float)sign, continuous ? (float)(1e-12 * base->nominal) : 0};
}

static void list_pres(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = 0;
    for (VarId i = 0; i < prog->code->n_vars; i++)
        n += program_var(prog, i)->kind == DAE_PRE && program_var(prog, i)->alias == NONE;
    s->pres.at = ARENA_ARRAY(s->run.arena, PreLink, n);
    for (VarId i = 0; i < prog->code->n_vars; i++)
        if (program_var(prog, i)->kind == DAE_PRE && program_var(prog, i)->alias == NONE)
            s->pres.at[s->pres.n++] = pre_link(s, i);
}

static void list_targets(Sim *s, uint32_t n)
{
    Map known = {0};
    s->actions.target = ARENA_ARRAY(s->run.arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        double sign;
        if (program_action(s->prog, i)->kind != ACTION_REINIT)
            continue;
        VarId v = resolve_alias(s->prog, program_action(s->prog, i)->target, &sign);
        uint32_t at = map_get(&known, v);
        if (at == MAP_NONE)
            map_put(&known, v, at = s->actions.n_targets++);
        s->actions.target[i] = at;
    }
    s->actions.by = ARENA_ARRAY(s->run.arena, uint32_t, s->actions.n_targets);
    s->actions.place = ARENA_ARRAY(s->run.arena, uint32_t, s->actions.n_targets);
    map_free(&known);
}

static void list_actions(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = program_n_actions(prog);
    s->actions.guard = ARENA_ARRAY(s->run.arena, double, n);
    s->actions.value = ARENA_ARRAY(s->run.arena, double, n);
    s->actions.warned = ARENA_ARRAY(s->run.arena, bool, n);
    s->event.reinits = ARENA_ARRAY(s->run.arena, Reinit, n);
    for (uint32_t i = 0; i < n; i++)
        s->actions.n_asserts += program_action(prog, i)->kind == ACTION_ASSERT;
    list_targets(s, n);
}

static void list_relations(Sim *s)
{
    uint32_t n = program_n_relations(s->prog);
    s->relations.decided = ARENA_ARRAY(s->run.arena, uint8_t, n);
    s->relations.foreseen = ARENA_ARRAY(s->run.arena, bool, n);
    s->relations.decided_z = ARENA_ARRAY(s->run.arena, double, n);
    s->relations.z = ARENA_ARRAY(s->run.arena, double, n);
    s->event.triggers = ARENA_ARRAY(s->run.arena, uint32_t, n);
    s->relations.fired = ARENA_ARRAY(s->run.arena, uint64_t, n);
    s->accumulation.cadences = ARENA_ARRAY(s->run.arena, EventCadence, 2 * (size_t)n);
    s->event.trigger_z = ARENA_ARRAY(s->run.arena, double, n);
}

void sim_create(Sim *s, const Plan *plan, const ModelCode *code)
{
    s->run.arena = arena_new();
    s->run.scratch = arena_new();
    s->run.eps = s->run.options->event_epsilon > 0 ? s->run.options->event_epsilon : 1e-10;
    const ModeProgram model = {.plan = plan}; /* enough to inspect the model */
    s->run.n_common = program_n_vars(&model);
    list_strings(s, &model);
    list_discrete(s, &model);
    program_create(s, plan, code);
    s->run.externals = externals_new(s->prog);
    externals_attach(s->run.externals, s->prog);
    list_pres(s);
    list_relations(s);
    list_actions(s);
    s->schedule = schedule_new(s->prog, s->run.arena);
    locator_create(s);
    s->prog->bounds = bounds_new(s->prog, s->locator, s->accumulation.cadences, s->run.scratch);
    s->prog->poles = poles_new(s->prog, s->run.scratch);
    simultaneous_create(s->prog);
    s->ranges = range_list(s->prog);
}

void sim_free(Sim *s)
{
    externals_free(s->run.externals);
    s->run.externals = NULL;
    modes_free(s);
    run_profile_free(&s->run);
    arena_free(s->run.scratch);
    arena_free(s->run.arena);
}

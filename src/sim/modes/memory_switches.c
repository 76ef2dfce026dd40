/* Lists switches with a memory: left limits of Booleans that switch equations depend on. */
#include "sim/modes/variable_structure.h"

/* Variables of switch equations, and left limits of which such variables are copies:
 * OpenSwitch = pre(OpenSwitch_new). */
static bool *find_deciding(const Sim *s, const ModeProgram *model)
{
    bool *deciding = ARENA_ARRAY(s->run.scratch, bool, s->prog->code->n_vars);
    for (uint32_t i = 0; i < model->plan->switch_vars.n; i++)
        deciding[model->plan->switch_vars.at[i]] = true;
    for (EqId e = 0; e < program_n_model_equations(model); e++) {
        const DaeEq *q = program_equation(model, e);
        if (q->target != NONE && deciding[q->target] && q->term.n == 1)
            deciding[program_operand(model, q->term, 0)] = true;
    }
    return deciding;
}

/* Variables that when-clauses determine. */
static bool *find_commanded(const Sim *s, const ModeProgram *model)
{
    bool *commanded = ARENA_ARRAY(s->run.scratch, bool, s->prog->code->n_vars);
    for (EqId e = 0; e < program_n_model_equations(model); e++) {
        const DaeEq *q = program_equation(model, e);
        if (q->origin == DAE_EQ_WHEN && q->target != NONE)
            commanded[q->target] = true;
    }
    return commanded;
}

static void list_switches(Sim *s, MemorySwitches *w)
{
    const ModeProgram model = {.plan = s->given.plan};
    const bool *deciding = find_deciding(s, &model), *commanded = find_commanded(s, &model);
    for (uint32_t i = 0; i < s->pres.n; i++) {
        const PreLink *link = &s->pres.at[i];
        const DaeVar *base = program_var(s->prog, link->base);
        if (base->type != DAE_BOOL || base->kind != DAE_DISCRETE ||
            !(deciding[link->pre] || deciding[link->base]))
            continue;
        w->commanded[w->n] = commanded[link->base];
        w->links[w->n++] = link;
    }
}

const MemorySwitches *switches_with_memory(Sim *s)
{
    if (s->switches)
        return s->switches;
    CONTEXT_HOLD(s->run.ctx);
    arena_reset(s->run.scratch);
    MemorySwitches *w = s->switches = ARENA_NEW(s->run.arena, MemorySwitches);
    w->links = ARENA_ARRAY(s->run.arena, const PreLink *, s->pres.n);
    w->commanded = ARENA_ARRAY(s->run.arena, bool, s->pres.n);
    w->at = ARENA_ARRAY(s->run.arena, bool, s->pres.n);
    w->from = ARENA_ARRAY(s->run.arena, bool, s->pres.n);
    list_switches(s, w);
    return w;
}

/* Switches with a memory, if the event iteration leads them into equations without a solution, or
 * makes a state jump.
 *
 * A diode by an automaton (0 = if pre(off) then i else v) reads its position from the left limit,
 * so the event iteration moves one diode after the other. When diodes commutate, the combination
 * in between may short a source. Its equations are singular, or consistent at this instant only.
 * The iteration is then started again from other positions: those nearest to the combination at
 * which it failed come first. The first one from which the iteration ends with equations that stay
 * solvable is taken.
 *
 * If a switch opens the circuit of a coil, the freewheeling diode still blocks, because its
 * position is that of before the event. The current then jumps to zero. The voltage that turns the
 * diode on exists only during that jump. So positions from which the iteration ends without a jump
 * are searched, too. */
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"

#include <math.h>

enum { MOST_SWITCHES = 24, MOST_TRIALS = 4096, FEW_TRIALS = 64 };
static const double STILL = 2e-8; /* relative to nominal + |x|: x that moved less has not jumped */

typedef struct Switches {
    const PreLink *links[MOST_SWITCHES]; /* left limits that switch equations depend on */
    bool at[MOST_SWITCHES];              /* their values where the iteration failed */
    uint32_t n;
} Switches;

typedef struct SwitchTrial {
    EventIteration *iterate;
    bool jumping; /* states may jump */
} SwitchTrial;

/* Whether the variable is a copy of the left limit: OpenSwitch = pre(OpenSwitch_new). */
static bool copies(const Sim *s, VarId var, VarId pre)
{
    const Plan *p = s->given.plan;
    const ModeProgram model = {.plan = p};
    for (EqId e = 0; e < program_n_model_equations(&model); e++) {
        const DaeEq *q = program_equation(&model, e);
        if (q->target == var && q->term.n == 1 && program_operand(&model, q->term, 0) == pre)
            return true;
    }
    return false;
}

/* Whether a switch equation depends on this left limit, or on a variable that has it. */
static bool decides_switch(const Sim *s, const PreLink *link)
{
    const Plan *p = s->given.plan;
    for (uint32_t i = 0; i < p->switch_vars.n; i++) {
        VarId v = p->switch_vars.at[i];
        if (v == link->pre || v == link->base || copies(s, v, link->pre))
            return true;
    }
    return false;
}

/* Whether a when-clause determines the variable: its position is a command. */
static bool is_commanded(const Sim *s, VarId var)
{
    const ModeProgram model = {.plan = s->given.plan};
    for (EqId e = 0; e < program_n_model_equations(&model); e++) {
        const DaeEq *q = program_equation(&model, e);
        if (q->origin == DAE_EQ_WHEN && q->target == var)
            return true;
    }
    return false;
}

static void find_switches(const Sim *s, Switches *w, bool commanded)
{
    for (uint32_t i = 0; i < s->pres.n && w->n < MOST_SWITCHES; i++) {
        const PreLink *link = &s->pres.at[i];
        const DaeVar *base = program_var(s->prog, link->base);
        if (base->type != DAE_BOOL || base->kind != DAE_DISCRETE || !decides_switch(s, link) ||
            (!commanded && is_commanded(s, link->base)))
            continue;
        w->at[w->n] = s->prog->v[link->pre] != 0;
        w->links[w->n++] = link;
    }
}

/* The next larger number with the same number of bits; 0 after the last below 2^n. */
static uint32_t next_choice(uint32_t bits, uint32_t n)
{
    uint32_t low = bits & -bits, up = bits + low;
    uint32_t next = up | (((bits ^ up) >> 2) / low);
    return next < 1U << n ? next : 0;
}

/* Whether all switches are where they were before the event. */
static bool none_moved(const Sim *s, const Switches *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (s->prog->v[w->links[i]->base] != s->left[w->links[i]->base])
            return false;
    return true;
}

/* Whether a state jumped from its left limit. */
static bool any_jumped(const Sim *s, const ModeProgram *begin)
{
    for (uint32_t i = 0; i < begin->n; i++) {
        VarId x = begin->plan->states.at[i].var;
        double size = program_var(begin, x)->nominal + fabs(s->left[x]);
        if (x < s->run.n_common && fabs(s->prog->v[x] - s->left[x]) > STILL * size)
            return true;
    }
    return false;
}

/* Goes back to the values and the program at the beginning. */
static void go_back(Sim *s, ModeProgram *begin)
{
    InlinedPrograms *inlined = s->modes ? &s->modes->inlined : NULL;
    if (inlined && inlined->in_use && inlined->instead_of == begin) {
        inlined->in_use = false;
        inlined->staged = inlined->was_staged;
    }
    program_use(s, begin);
    iteration_restore(s);
    modes_begin_instant(s);
}

/* Iterates with these switches changed. */
static bool try_switches(Sim *s, ModeProgram *begin, const Switches *w, uint32_t changes,
                         const SwitchTrial *how)
{
    go_back(s, begin);
    for (uint32_t i = 0; i < w->n; i++) {
        bool value = w->at[i] != (changes >> i & 1U);
        s->prog->v[w->links[i]->pre] = s->prog->v[w->links[i]->base] = value;
    }
    int status = 0;
    return how->iterate(s, &status) && !status && s->run.status != SIM_FAILED &&
           !s->event.momentary && !none_moved(s, w) && (how->jumping || !any_jumped(s, begin));
}

/* Changes of 1, 2, … switches, until a trial succeeds. */
static bool search_nearest(Sim *s, ModeProgram *begin, const Switches *w, const SwitchTrial *how,
                           uint32_t most)
{
    uint32_t trials = 0;
    for (uint32_t flips = 1; flips <= w->n; flips++)
        for (uint32_t k = (1U << flips) - 1; k && trials < most; k = next_choice(k, w->n))
            if (trials++, try_switches(s, begin, w, k, how))
                return true;
    return false;
}

/* First without jumps, because a position without a jump is nearer than one with it. */
bool switches_search(Sim *s, ModeProgram *begin, EventIterations ways)
{
    Switches w = {.n = 0};
    if (s->run.status == SIM_FAILED)
        return false;
    find_switches(s, &w, true);
    for (uint32_t i = 0; i < 2 * ways.n; i++)
        if (search_nearest(s, begin, &w, &(SwitchTrial){ways.at[i % ways.n], i >= ways.n},
                           MOST_TRIALS)) {
            s->run.stats->switch_searches++;
            return true;
        }
    return false;
}

bool switches_may_stop_jump(const Sim *s, const ModeProgram *begin)
{
    Switches w = {.n = 0};
    if (s->event.initial || s->event.n_reinits || !program_n_relations(begin) ||
        !any_jumped(s, begin))
        return false;
    find_switches(s, &w, false);
    return w.n > 0;
}

bool switches_stop_jump(Sim *s, ModeProgram *begin, EventIterations ways)
{
    Switches w = {.n = 0};
    find_switches(s, &w, false);
    for (uint32_t i = 0; i < ways.n; i++) {
        SwitchTrial how = {ways.at[i], false};
        if (try_switches(s, begin, &w, 0, &how) || search_nearest(s, begin, &w, &how, FEW_TRIALS)) {
            s->run.stats->switch_searches++;
            return true;
        }
    }
    go_back(s, begin);
    return false;
}

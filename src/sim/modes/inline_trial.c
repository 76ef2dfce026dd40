/* Whether the states or inline integration serve leaking switches better.
 *
 * In: how much the switches depend on the states (event_tolerances.h). Out: which program is in
 * use.
 *
 * If switches need accurate states, both ways are possible. Steps of the states are short then, or
 * waste evaluations on rounding errors. Stages of inline integration are costly and of low order.
 * Neither cost is known in advance, so it is measured: after some evaluations, inline integration
 * gets a window of them, and then the states get another one. Inline integration stays if it
 * advances twice as far per evaluation as the states did before and after. Otherwise the next
 * window comes after four times as many evaluations. Only counts decide, so that a run can be
 * repeated.
 *
 * If the states do not have the digits that switches need, inline integration gets its window at
 * once. That may last for one short position of the switches, so it is measured as well. If the run
 * could not return from inline integration, this takes over for good. */
#include "base/snapshot.h"
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <math.h>

static const double SHORT_STEP = 1e-3, LESS = 0.1; /* to see whether inline integration helps */
static const double MUCH_MORE = 10;                /* to see it once more */
enum { PATIENCE = 5000, WINDOW = 2000 /* evaluations */, MORE_PATIENCE = 4, FASTER = 2 };

/* Whether switches are much less sensitive to the states if all equations of a step are solved
 * together. */
static bool is_better_inline(Sim *s, double gain)
{
    ModeProgram *from = s->prog;
    bool restart = s->run.restart;
    modes_begin_between(s);
    program_use(s, s->modes->inlined.all);
    double then = jump_gain(s->prog, SHORT_STEP * model_time_scale(&s->run));
    program_use(s, from);
    s->run.restart = restart;
    return then < LESS * gain;
}

/* An inline stage starts far from its solution, which only linear blocks tolerate. */
static bool is_piecewise_linear(const Plan *plan)
{
    for (uint32_t b = 0; b < plan->blocks.n; b++)
        if (plan->blocks.at[b].kind == BLOCK_NONLINEAR)
            return false;
    return true;
}

static bool may_leave_states(Sim *s)
{
    const Modes *w = s->modes;
    return w && !w->inlined.in_use && !s->run.options->keeps_states && solver_is_auto(&s->run) &&
           is_piecewise_linear(s->prog->plan);
}

bool modes_leave_states(Sim *s, double gain)
{
    if (!may_leave_states(s) || !(gain > MUCH_MORE * s->modes->inlined.tried) || !need_jump(s))
        return false;
    s->modes->inlined.tried = isfinite(gain) ? gain : s->modes->inlined.tried;
    return is_better_inline(s, gain) &&
           inline_from_here(s, "the switches need more digits than the states have");
}

/* ---- the comparison ---- */

static void begin_window(Sim *s, TrialPhase phase)
{
    InlineTrial *t = &s->modes->inlined.trial;
    t->phase = phase;
    t->time = s->run.time;
    t->evaluations = program_evaluations(s->prog);
}

static double evaluations_since(const Sim *s)
{
    return program_evaluations(s->prog) - s->modes->inlined.trial.evaluations;
}

static double pace(const Sim *s)
{
    return (s->run.time - s->modes->inlined.trial.time) / evaluations_since(s);
}

/* Bands of relations that inline integration has widened. */
static void narrow_bands(Sim *s)
{
    const Locator *l = s->modes->jump.locator;
    for (uint32_t k = 0; l->switching && k < program_n_relations(s->prog); k++)
        if (l->switching[k]) {
            s->run.scales[k].scale = relation_first_scale(s->prog, k);
            locator_widen(s->locator, &s->run, k);
        }
}

/* Continues with the ordinary program, between events. */
static bool return_to_states(Sim *s, const char *why)
{
    InlinedPrograms *w = &s->modes->inlined;
    event_begin(s, s->run.time);
    modes_begin_between(s);
    program_use(s, s->modes->single);
    w->in_use = false;
    w->staged = w->was_staged;
    narrow_bands(s);
    get_states(s->prog, s->prog->x);
    program_solver_name(s->prog);
    automatic_skip(&s->prog->automatic, s->run.time - w->trial.time, evaluations_since(s));
    s->run.restart = true;
    run_log(&s->run, LOG_MODES | LOG_STATS, "From time = %.9g on with %s: %s\n", s->run.time,
            s->prog->kind->name, why);
    return locator_restart(s);
}

static void wait_longer(Sim *s)
{
    s->modes->inlined.trial.patience *= MORE_PATIENCE;
    begin_window(s, TRIAL_STATES);
}

static bool end_of_states(Sim *s)
{
    InlineTrial *t = &s->modes->inlined.trial;
    t->of_states = pace(s);
    if (!is_better_inline(s, t->gain) ||
        !inline_from_here(s, "to compare it with the solver of the states")) {
        wait_longer(s);
        return true;
    }
    begin_window(s, TRIAL_INLINE);
    return true;
}

static bool end_of_inline(Sim *s)
{
    InlineTrial *t = &s->modes->inlined.trial;
    t->of_inline = pace(s);
    bool faster = t->of_inline > FASTER * t->of_states;
    if (!return_to_states(s, faster ? "to compare it with inline integration"
                                    : "inline integration is not faster"))
        return false;
    if (faster)
        begin_window(s, TRIAL_STATES_AGAIN);
    else
        wait_longer(s);
    return true;
}

static bool end_of_states_again(Sim *s)
{
    InlineTrial *t = &s->modes->inlined.trial;
    if (t->of_inline > FASTER * pace(s) && inline_from_here(s, "it is faster here"))
        begin_window(s, TRIAL_ENDED);
    else
        wait_longer(s);
    return true;
}

bool modes_compare_inline(Sim *s)
{
    Modes *w = s->modes;
    if (!w || w->inlined.trial.phase == TRIAL_NONE || w->inlined.trial.phase == TRIAL_ENDED)
        return true;
    InlineTrial *t = &w->inlined.trial;
    if (w->inlined.in_use != (t->phase == TRIAL_INLINE)) { /* for another reason */
        t->phase = TRIAL_ENDED;
        return true;
    }
    if (evaluations_since(s) < (t->phase == TRIAL_STATES ? t->patience : WINDOW) ||
        sliding_active(s->prog) || (s->prog->fallback.replaced && !s->prog->fallback.stiff))
        return true;
    switch (t->phase) {
    case TRIAL_STATES: return end_of_states(s);
    case TRIAL_INLINE: return end_of_inline(s);
    default: return end_of_states_again(s);
    }
}

/* Whether the run can return from inline integration: both programs have the same states. */
static bool can_return(const Sim *s)
{
    const Plan *p = s->modes->single->plan, *q = s->modes->inlined.all->plan;
    return s->prog == s->modes->single && !s->modes->active && !p->guards.n && !p->sets.n &&
           p->states.n == q->states.n;
}

/* The window of inline integration begins at once; false if it is not possible, or does not help.
 */
static bool try_early(Sim *s, double gain)
{
    InlineTrial *t = &s->modes->inlined.trial;
    bool measured = t->phase == TRIAL_STATES && evaluations_since(s) >= WINDOW;
    double of_states = measured ? pace(s) : 0;
    if (!modes_leave_states(s, gain))
        return false;
    t->of_states = of_states;
    if (t->phase != TRIAL_ENDED)
        begin_window(s, TRIAL_INLINE);
    return true;
}

bool modes_doubt_states(Sim *s, double gain, bool lost)
{
    if (!may_leave_states(s) || !need_jump(s))
        return false;
    if (!can_return(s))
        return modes_leave_states(s, gain);
    InlineTrial *t = &s->modes->inlined.trial;
    t->gain = fmax(t->gain, gain);
    if (t->phase == TRIAL_NONE) {
        t->patience = PATIENCE;
        begin_window(s, TRIAL_STATES);
    }
    return lost && try_early(s, gain);
}

bool modes_end_trial(Sim *s)
{
    if (!s->modes || !s->modes->inlined.in_use || s->modes->inlined.trial.phase != TRIAL_INLINE)
        return false;
    s->modes->inlined.trial.phase = TRIAL_ENDED;
    s->run.status = SIM_DONE;
    return return_to_states(s, "a step of inline integration failed");
}

void inline_trial_snapshot(InlineTrial *t, Snapshot *p)
{
    t->phase = (TrialPhase)snapshot_count(p, t->phase, TRIAL_ENDED);
    snapshot_value(p, t->time);
    snapshot_value(p, t->evaluations);
    snapshot_value(p, t->patience);
    snapshot_value(p, t->gain);
    snapshot_value(p, t->of_states);
    snapshot_value(p, t->of_inline);
}

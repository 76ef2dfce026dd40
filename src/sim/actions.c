/* Actions of the model: reinit, terminate and assert. */
#include "sim/run.h"

#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

/* Subscripts that are parameters may meet: then a clause has two new values for one state. */
static bool acts_alone(Sim *s, uint32_t action)
{
    uint32_t *by = &s->actions.by[s->actions.target[action]], first = *by;
    *by = action + 1;
    return !first || program_action(s->prog, action)->ordered ||
           fail_second_reinit(s->prog, first - 1, action);
}

static void reinit(Sim *s, uint32_t action)
{
    double sign, value = s->actions.value[action];
    VarId var = resolve_alias(s->prog, program_action(s->prog, action)->target, &sign);
    Event *e = &s->event;
    uint32_t *place = &s->actions.place[s->actions.target[action]];
    if (*place >= e->n_reinits || e->reinits[*place].var != var) {
        *place = e->n_reinits++;
        e->reinits[*place] = (Reinit){var, s->prog->v[var], 0};
    }
    e->reinits[*place].to = sign * value;
    s->prog->v[var] = sign * value;
}

static void terminate(Sim *s, const DaeAction *action)
{
    if (s->terminated)
        return;
    s->terminated = true;
    arena_reset(s->run.scratch);
    char *place = describe_place(&s->run, action->span);
    run_log(&s->run, UINT32_MAX, "The model ends the simulation at time = %.12g: %s%s%s\n",
            s->run.time, failure_message(s->prog, action->message), *place ? ", " : "", place);
}

/* An assert inside a when is checked only when the when is active. */
static void check_edge(Sim *s, uint32_t i)
{
    if (!program_action(s->prog, i)->at_edge || s->actions.guard[i] != 0 || s->actions.warned[i])
        return;
    s->actions.warned[i] = true;
    fail_assert(s->prog, i);
}

bool event_act(Sim *s, int *status)
{
    if (!program_n_actions(s->prog))
        return false;
    *status = s->prog->code->actions(s->prog->m, s->actions.guard, s->actions.value);
    s->event.reinit_now = false;
    for (uint32_t i = 0; i < s->actions.n_targets; i++)
        s->actions.by[i] = 0;
    for (uint32_t i = 0; !*status && i < program_n_actions(s->prog); i++) {
        const DaeAction *a = program_action(s->prog, i);
        if (a->kind == ACTION_ASSERT)
            check_edge(s, i);
        if (a->kind == ACTION_ASSERT || s->actions.guard[i] == 0 ||
            (a->initial && !s->event.initial))
            continue;
        if (a->kind == ACTION_REINIT) {
            if (!acts_alone(s, i))
                return false;
            reinit(s, i);
            s->event.reinit_now = true;
        } else {
            terminate(s, a);
        }
    }
    if (s->event.reinit_now)
        modes_reinit(s);
    return s->event.reinit_now;
}

bool event_violated(Sim *s)
{
    if (!s->actions.n_asserts ||
        s->prog->code->actions(s->prog->m, s->actions.guard, s->actions.value))
        return false;
    for (uint32_t i = 0; i < program_n_actions(s->prog); i++) {
        const DaeAction *a = program_action(s->prog, i);
        if (a->kind == ACTION_ASSERT && !a->initial && s->actions.guard[i] == 0 &&
            !s->actions.warned[i])
            return true;
    }
    return false;
}

static bool check_asserts(Sim *s, bool initial)
{
    if (!s->actions.n_asserts)
        return true;
    int status = s->prog->code->actions(s->prog->m, s->actions.guard, s->actions.value);
    if (status)
        return fail_model(s->prog, status, "checking assertions");
    for (uint32_t i = 0; i < program_n_actions(s->prog); i++) {
        const DaeAction *a = program_action(s->prog, i);
        if (a->kind != ACTION_ASSERT || a->initial != initial || s->actions.guard[i] != 0 ||
            s->actions.warned[i])
            continue;
        s->actions.warned[i] = true;
        if (!fail_assert(s->prog, i) && !a->warning)
            return false;
    }
    return true;
}

bool event_asserts(Sim *s)
{
    return check_asserts(s, false);
}

bool event_initial_asserts(Sim *s)
{
    return check_asserts(s, true);
}

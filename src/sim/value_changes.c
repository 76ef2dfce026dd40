/* Values that are changed from outside once a number of rows has been given: an event at which
 * states, discrete variables and parameters take them. The run up to there is the same as without
 * it, to the last bit. */
#include "sim/run.h"

#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

#include <math.h>

bool value_changes_due(const Sim *s)
{
    if (s->changes.n_made >= s->changes.list.n)
        return false;
    const SimChange *c = &s->changes.list.at[s->changes.n_made];
    return c->rows <= s->rows.n && c->time <= s->run.time;
}

double value_changes_next(const Sim *s)
{
    if (s->changes.n_made >= s->changes.list.n)
        return INFINITY;
    const SimChange *c = &s->changes.list.at[s->changes.n_made];
    return c->time > s->run.time ? c->time : INFINITY;
}

bool value_changes_take(Sim *s)
{
    bool parameters = false, states = false;
    uint32_t first = s->changes.first = s->changes.n_made;
    for (; s->changes.under_way && value_changes_due(s); s->changes.n_made++) {
        const SimChange *c = &s->changes.list.at[s->changes.n_made];
        double sign;
        if (c->var == NONE)
            continue;
        VarId var = resolve_alias(s->prog, c->var, &sign);
        s->prog->v[var] = sign * c->value;
        parameters |= program_var(s->prog, var)->kind == DAE_PARAMETER;
        states |= program_var(s->prog, var)->kind == DAE_CONTINUOUS ||
                  program_var(s->prog, var)->kind == DAE_DERIVATIVE;
    }
    s->changes.under_way = false;
    if (parameters && evaluate_call(s->prog, s->prog->code->parameters))
        s->run.status = SIM_FAILED;
    if (states)
        modes_reinit(s);
    return s->changes.n_made > first;
}

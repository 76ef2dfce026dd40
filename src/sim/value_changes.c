/* Values that are changed from outside: an event at the present time, at which states, discrete
 * variables, inputs and parameters take them. */
#include "sim/run.h"

#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

#include <math.h>

bool value_changes_due(const Sim *s)
{
    return s->changes.n_made < s->changes.list.n;
}

bool value_changes_take(Sim *s)
{
    bool parameters = false, states = false;
    uint32_t first = s->changes.first = s->changes.n_made;
    for (; s->changes.under_way && value_changes_due(s); s->changes.n_made++) {
        const SimSet *c = &s->changes.list.at[s->changes.n_made];
        double sign;
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

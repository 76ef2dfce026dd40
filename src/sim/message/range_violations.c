/* Reports a value outside `min` and `max` of its variable like a violated assertion of warning
 * level, once per variable (Modelica 3.6, section 4.9.1). */
#include "sim/message/message.h"
#include "sim/state/evaluate.h"
#include "structure/plan/description.h"

#include <math.h>

enum { MOST_REPORTED = 20 };

VarIds range_list(const ModeProgram *prog)
{
    uint32_t n = prog->run->n_common;
    VarIds list = {ARENA_ARRAY(prog->run->arena, VarId, n), 0};
    for (VarId i = 0; i < n; i++) {
        const DaeVar *x = program_var(prog, i);
        bool unknown = x->kind == DAE_CONTINUOUS || x->kind == DAE_DISCRETE;
        if (unknown && !x->hidden && (isfinite(x->min) || isfinite(x->max)))
            list.at[list.n++] = i;
    }
    return list;
}

static void report(ModeProgram *prog, VarId var, double value, bool low)
{
    const DaeVar *x = program_var(prog, var);
    Span span = plan_var_span(prog->plan, var);
    arena_reset(prog->run->scratch);
    diag(prog->run->ctx, span, DIAG_R022, "%s = %s at time = %.10g is %s its %s = %s",
         describe_variable(prog, var), describe_value(prog, var, value), prog->v[0],
         low ? "below" : "above", low ? "min" : "max",
         describe_value(prog, var, low ? x->min : x->max));
}

void range_check(ModeProgram *prog, VarIds *list)
{
    for (uint32_t i = 0, reported = 0; i < list->n && reported < MOST_REPORTED; i++) {
        VarId var = list->at[i];
        const DaeVar *x = program_var(prog, var);
        double sign, value = prog->v[resolve_alias(prog, var, &sign)] * sign;
        double slack = x->type == DAE_REAL ? 100 * prog->run->options->tolerance * x->nominal : 0;
        bool low = value < x->min - slack;
        if (!low && !(value > x->max + slack))
            continue;
        report(prog, var, value, low);
        list->at[i--] = list->at[--list->n];
        reported++;
    }
}

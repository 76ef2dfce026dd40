#include "sim/report/event_words.h"

#include "sim/message/message.h"

#include <math.h>

bool event_shows_change(const Sim *s, uint32_t i)
{
    const ModeProgram *prog = s->prog;
    VarId var = s->discrete.vars[i];
    const DaeVar *x = program_var(prog, var);
    return s->discrete.before[i] != prog->v[var] && x->kind == DAE_DISCRETE && !x->hidden &&
           !plan_hides_result(prog->plan, var);
}

char *event_delayed_text(ModeProgram *prog, const DaeRelation *r)
{
    if (r->of_delay)
        return program_term_text(prog, program_delay(prog, r->of_delay - 1)->argument,
                                 prog->run->scratch);
    uint32_t at = r->of_transport - 1;
    return program_term_text(prog, program_transport(prog, at / 2)->entering[1 - at % 2],
                             prog->run->scratch);
}

char *event_floor_text(ModeProgram *prog, const DaeRelation *r, double *value)
{
    const Graph *g = program_graph(prog);
    if (!r->of_floor)
        return NULL;
    const DaeEq *q = program_equation(prog, r->of_floor - 1);
    if (expr_op(g, q->term.shape) != OP_IF || q->target == NONE)
        return NULL;
    *value = prog->v[q->target];
    return describe_part(prog, q->term, expr_arg(g, q->term.shape, 1));
}

bool event_became(const Sim *s, uint32_t i)
{
    const ModeProgram *prog = s->prog;
    const DaeRelation *r = program_relation(prog, s->event.triggers[i]);
    bool after = prog->v[r->var] != 0, before = s->left[r->var] != 0;
    double z = s->event.trigger_z[i];
    if (after != before || s->event.initial)
        return after;
    if (r->is_time_event)
        return !before;
    return z == 0 || isnan(z) ? after : (r->op == OP_GT || r->op == OP_GE) == (z > 0);
}

const char *event_mixed_name(MixedMethod method)
{
    static const char *const names[] = {"", "fixpoint", "limited", "search"};
    return names[method];
}

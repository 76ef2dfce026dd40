#include "sim/exchange.h"

#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/run.h"
#include "sim/state/evaluate.h"

#include <math.h>

const char *exchange_obstacle(const Plan *plan)
{
    return plan->guards.n            ? "switches that change its structure"
           : plan->dae->delays.n     ? "delay(), whose history needs the solver's steps"
           : plan->dae->transports.n ? "spatialDistribution()"
                                     : NULL;
}

/* Assertions and the choice of states follow the steps, and so do the guesses of blocks. */
bool exchange_needs_steps(const Plan *plan)
{
    bool needs = plan->sets.n;
    for (uint32_t i = 0; i < plan->dae->actions.n && !needs; i++)
        needs = plan->dae->actions.at[i].kind == ACTION_ASSERT;
    for (uint32_t i = 0; i < plan->blocks.n && !needs; i++)
        needs = plan->blocks.at[i].n_torn > 0;
    return needs;
}

/* ---- the point ---- */

void exchange_place(Sim *s, double t, const double *x)
{
    s->run.time = t;
    s->complete = VALUES_DUE;
    if (x)
        memcpy(s->prog->x, x, s->prog->n * sizeof *x);
}

const double *exchange_states(const Sim *s, uint32_t *n)
{
    *n = s->prog->n;
    return s->prog->x;
}

bool exchange_keeps_states(const Sim *s)
{
    const Plan *now = s->prog->plan, *first = s->given.plan;
    bool same = now->states.n == first->states.n && !now->inlined.n;
    for (uint32_t i = 0; same && i < first->states.n; i++)
        same = now->states.at[i].var == first->states.at[i].var;
    return same;
}

void exchange_put(Sim *s, VarId var, double value)
{
    double sign;
    VarId holder = resolve_alias(s->prog, var, &sign);
    s->prog->v[holder] = sign * value;
    s->complete = VALUES_DUE;
}

/* ---- evaluations ---- */

int exchange_derivatives(Sim *s, double *derivatives)
{
    const ModeProgram *prog = s->prog;
    s->complete = VALUES_DUE;
    int status = evaluate_derivatives(s->prog, s->run.time, prog->x);
    for (uint32_t i = 0; !status && i < prog->n; i++)
        derivatives[i] = prog->v[prog->plan->states.at[i].der];
    return status;
}

int exchange_tangent(Sim *s, const double *seed, double *sensitivity)
{
    const ModeProgram *prog = s->prog;
    const PlanState *states = prog->plan->states.at;
    double *dv = prog->m->dv;
    for (uint32_t i = 0; i < prog->n; i++)
        dv[states[i].var] = seed[i];
    int status = evaluate_call(s->prog, prog->code->tangent);
    for (uint32_t i = 0; i < prog->n; i++)
        sensitivity[i] = dv[states[i].der];
    for (uint32_t i = 0; i < prog->n; i++)
        dv[states[i].var] = 0;
    return status;
}

int exchange_values(Sim *s, const double **v)
{
    int status = s->complete ? 0 : evaluate_outputs(s->prog, s->run.time, s->prog->x);
    *v = NULL;
    if (status)
        return status;
    if (s->complete != VALUES_DEFINED)
        s->complete = report_undefined(s->prog) ? VALUES_COMPLETE : VALUES_DEFINED;
    if (s->complete == VALUES_DEFINED)
        *v = modes_row(s, s->prog->v);
    return 0;
}

/* +1 or -1: the side of zero on which the relation stands. */
static double side_of(const Sim *s, uint32_t relation)
{
    ExprOp op = program_relation(s->prog, relation)->op;
    bool above = op == OP_GT || op == OP_GE;
    return program_relation_holds(s->prog, relation) == above ? 1 : -1;
}

/* A value that arrives at exactly zero is taken literally. */
static bool is_at_zero(const Sim *s, uint32_t relation, double z)
{
    return z == 0 && !locator_literal(s->prog, relation);
}

int exchange_indicators(Sim *s, double *indicators)
{
    double *z = s->relations.z;
    s->complete = VALUES_DUE;
    int status = evaluate_indicators(s->prog, s->run.time, s->prog->x, z);
    for (uint32_t k = 0; !status && k < program_n_relations(s->prog); k++) {
        if (program_relation(s->prog, k)->is_time_event)
            continue;
        double shift = side_of(s, k) * s->run.eps * relation_scale(&s->run, k);
        *indicators++ = is_at_zero(s, k, z[k]) ? -shift : z[k] + shift;
    }
    return status;
}

/* ---- events ---- */

/* Relations that reach zero at this event and were far away after the last one: the event is theirs
 * too, unless they turn back (simultaneous_judge). */
static void find_arriving(Sim *s, const double *z)
{
    static const double FAR = 100;
    Locator *l = s->locator;
    l->left = l->z[3];
    for (uint32_t k = 0; k < l->n; k++) {
        l->z[3][k] = z[l->relations[k]];
        uint32_t relation = l->relations[k];
        double band = s->run.eps * relation_scale(&s->run, relation);
        if (fabs(z[relation]) <= band && fabs(l->z[0][k]) > FAR * band &&
            !is_at_zero(s, relation, z[relation]))
            event_trigger(s, relation, z[relation]);
    }
    s->event.n_arriving = s->event.n_triggers;
}

/* Importers stop a little before or after the zero of an indicator, which is at a distance of ε. */
static int find_triggers(Sim *s)
{
    static const double REACHED = 0.5;
    double *z = s->relations.z;
    int status = evaluate_indicators(s->prog, s->run.time, s->prog->x, z);
    if (status)
        return status;
    find_arriving(s, z);
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++) {
        bool crossed = side_of(s, k) * z[k] < -REACHED * s->run.eps * relation_scale(&s->run, k);
        if (!program_relation(s->prog, k)->is_time_event && !s->relations.decided[k] &&
            (crossed || is_at_zero(s, k, z[k])))
            event_trigger(s, k, z[k]);
    }
    return 0;
}

/* States may have been exchanged when the last step was completed. */
bool exchange_event(Sim *s, bool *restart)
{
    event_begin(s, s->run.time);
    int status = find_triggers(s);
    status = status ? status : evaluate_outputs(s->prog, s->run.time, s->prog->x);
    if (status)
        return fail_model(s->prog, status, "looking for events");
    s->changes.under_way = value_changes_due(s);
    if (!event_handle(s))
        return false;
    if (stateset_monitor(s->prog))
        modes_states_changed(s);
    *restart |= s->run.restart;
    s->run.restart = false;
    s->complete = VALUES_DUE;
    return true;
}

bool exchange_complete(Sim *s, bool *event)
{
    *event = false;
    if (!exchange_needs_steps(s->prog->plan))
        return true;
    s->complete = VALUES_DUE;
    int status = evaluate_outputs(s->prog, s->run.time, s->prog->x);
    if (status)
        return fail_model(s->prog, status, "computing results");
    if (s->actions.n_asserts && !event_asserts(s))
        return false;
    runtime_accept(s->prog->rt);
    *event = stateset_monitor(s->prog);
    return true;
}

double exchange_next_event(const Sim *s)
{
    return schedule_next(s->schedule);
}

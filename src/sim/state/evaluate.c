/* Evaluations of the program in use, and the values they start from. */
#include "sim/state/evaluate.h"

#include "base/clock.h"

#include <math.h>

double run_clock(const RunContext *run)
{
    return run->timed ? clock_now() : 0;
}

VarId resolve_alias(const ModeProgram *prog, VarId var, double *sign)
{
    *sign = 1;
    while (program_var(prog, var)->alias != NONE) {
        *sign *= program_var(prog, var)->alias_sign;
        var = program_var(prog, var)->alias;
    }
    return var;
}

/* ---- values ---- */

static const double FINEST = 1e-9; /* tolerance below the requested one */

/* Events amplify errors: a late event delays everything after it. */
double solver_tolerance(const ModeProgram *prog)
{
    bool eventful = program_has_state_events(prog);
    double asked = prog->run->options->tolerance;
    return eventful ? fmax(0.1 * asked, fmin(asked, FINEST)) : asked;
}

double model_time_scale(const RunContext *run)
{
    return run->longest > 0 ? run->longest : FIRST_TIME_SCALE;
}

/* Nominal values assume seconds. While the time is shorter, so are the times that scheduled
 * relations compare with it. */
double relation_first_scale(const ModeProgram *prog, uint32_t relation)
{
    static const double shortest = 1e-20;
    const DaeRelation *r = program_relation(prog, relation);
    return r->is_time_event ? r->scale * fmin(1, fmax(shortest, fabs(prog->run->time))) : r->scale;
}

double relation_scale(const RunContext *run, uint32_t relation)
{
    return run->scales[relation].scale;
}

double start_value(const ModeProgram *prog, VarId var)
{
    const DaeVar *d = program_var(prog, var);
    double value = d->type == DAE_ENUM ? 1 : 0;
    if (d->start != NONE) {
        double sign;
        VarId start = resolve_alias(prog, d->start, &sign);
        return sign * prog->v[start];
    }
    return fmin(fmax(value, d->min), d->max);
}

void put_states(ModeProgram *prog, double t, const double *x)
{
    const PlanState *states = prog->plan->states.at;
    double *v = prog->v;
    v[0] = t;
    for (uint32_t i = 0; i < prog->n; i++)
        v[states[i].var] = x[i];
    if (prog->set_rate)
        prog->set_rate(prog, t);
}

void get_states(const ModeProgram *prog, double *x)
{
    for (uint32_t i = 0; i < prog->n; i++)
        x[i] = prog->v[prog->plan->states.at[i].var];
}

/* ---- evaluations ---- */

void note_failure(ModeProgram *prog, int status, double t, const double *x)
{
    prog->run->failed.status = status;
    prog->run->failed.time = t;
    if (x != prog->failed_x)
        memcpy(prog->failed_x, x, prog->n * sizeof *x);
}

static int call(const RunContext *run, const ModeProgram *prog, int (*function)(ModelData *m))
{
    ModelData *m = prog->m;
    runtime_sweep(prog->rt, run->strings.at, run->strings.n);
    m->status = 0;
    int status = function(m);
    return status ? status : m->status;
}

int evaluate_call(ModeProgram *prog, int (*function)(ModelData *m))
{
    return call(prog->run, prog, function);
}

int evaluate_event(ModeProgram *prog, int (*function)(ModelData *m))
{
    prog->m->event = 1;
    int status = evaluate_call(prog, function);
    prog->m->event = 0;
    return status;
}

/* x - x is zero only for finite x, and a sum of zeros needs no branch. */
static int check_derivatives(const ModeProgram *prog)
{
    const PlanState *states = prog->plan->states.at;
    const double *v = prog->v;
    double sum = 0;
    for (uint32_t i = 0, n = prog->n; i < n; i++) {
        double der = v[states[i].der];
        sum += der - der;
    }
    return sum == 0 ? MODEL_OK : MODEL_NOT_FINITE;
}

static int timed_derivatives(ModeProgram *prog)
{
    double begin = clock_now();
    profile_enter(prog->run->calls, PROFILE_PART, PART_DERIVATIVES);
    int status = call(prog->run, prog, prog->code->derivatives);
    profile_leave(prog->run->calls);
    prog->run->stats->seconds_derivatives += clock_now() - begin;
    return status;
}

int evaluate_derivatives(ModeProgram *prog, double t, const double *x)
{
    if (prog->mixed)
        return prog->mixed->derivatives(prog, t, x);
    put_states(prog, t, x);
    int status =
        prog->run->timed ? timed_derivatives(prog) : call(prog->run, prog, prog->code->derivatives);
    prog->run->stats->derivatives++;
    if (!status)
        status = check_derivatives(prog);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

int evaluate_outputs(ModeProgram *prog, double t, const double *x)
{
    if (prog->mixed)
        return prog->mixed->values(prog, t, x, prog->code->outputs);
    int status = evaluate_derivatives(prog, t, x);
    if (status)
        return status;
    profile_enter(prog->run->calls, PROFILE_PART, PART_RESULTS);
    status = evaluate_call(prog, prog->code->outputs);
    profile_leave(prog->run->calls);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

/* z after everything that it depends on. */
static int read_indicators(ModeProgram *prog, double *z)
{
    int status = prog->code->indicators(prog->m, z);
    status = status ? status : prog->m->status;
    for (uint32_t i = 0; !status && i < program_n_relations(prog); i++)
        if (isnan(z[i]))
            status = MODEL_NOT_FINITE;
    return status;
}

int evaluate_indicators(ModeProgram *prog, double t, const double *x, double *z)
{
    int status = prog->mixed ? prog->mixed->values(prog, t, x, prog->code->guards)
                             : evaluate_derivatives(prog, t, x);
    if (status)
        return status;
    profile_enter(prog->run->calls, PROFILE_PART, PART_RELATIONS);
    if (!prog->mixed)
        status = evaluate_call(prog, prog->code->guards);
    if (!status)
        status = read_indicators(prog, z);
    profile_leave(prog->run->calls);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

int evaluate_crossings(ModeProgram *prog, double t, const double *x, double *z)
{
    if (prog->mixed || !prog->code->crossings)
        return evaluate_indicators(prog, t, x, z);
    profile_enter(prog->run->calls, PROFILE_PART, PART_RELATIONS);
    put_states(prog, t, x);
    int status = evaluate_call(prog, prog->code->crossings);
    prog->run->stats->crossings++;
    if (!status)
        status = read_indicators(prog, z);
    profile_leave(prog->run->calls);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

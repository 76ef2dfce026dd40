/* Evaluations of the program in use, and the values they start from. */
#include "sim/state/evaluate.h"

#include "base/clock.h"

#include <math.h>

double sim_clock(const Sim *s)
{
    return s->run.timed ? clock_now() : 0;
}

VarId resolve_alias(const Sim *s, VarId var, double *sign)
{
    const ModeProgram *prog = s->prog;
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
double solver_tolerance(const Sim *s)
{
    bool eventful = program_has_state_events(s->prog);
    double asked = s->run.options->tolerance;
    return eventful ? fmax(0.1 * asked, fmin(asked, FINEST)) : asked;
}

double model_first_time_scale(const Sim *s)
{
    double span = s->run.options->stop - s->run.options->start;
    return 0.02 * (span > 0 ? fmin(span, 1) : 1);
}

double model_time_scale(const Sim *s)
{
    return s->run.longest > 0 ? s->run.longest : model_first_time_scale(s);
}

/* Nominal values assume seconds: in a shorter run, the times that its scheduled relations compare
 * are shorter too. */
double relation_first_scale(const Sim *s, uint32_t relation)
{
    const DaeRelation *r = program_relation(s->prog, relation);
    double last = fmax(fabs(s->run.options->start), fabs(s->run.options->stop));
    return r->is_time_event && last > 0 && last < 1 ? r->scale * last : r->scale;
}

double relation_scale(const Sim *s, uint32_t relation)
{
    return s->relations.scales[relation].scale;
}

double start_value(const Sim *s, VarId var)
{
    const ModeProgram *prog = s->prog;
    const DaeVar *d = program_var(prog, var);
    double value = d->type == DAE_ENUM ? 1 : 0;
    if (d->start != NONE) {
        double sign;
        VarId start = resolve_alias(s, d->start, &sign);
        return sign * prog->v[start];
    }
    return fmin(fmax(value, d->min), d->max);
}

void put_states(Sim *s, double t, const double *x)
{
    const ModeProgram *prog = s->prog;
    const PlanState *states = prog->plan->states.at;
    double *v = prog->v;
    v[0] = t;
    for (uint32_t i = 0; i < prog->n; i++)
        v[states[i].var] = x[i];
    if (prog->set_rate)
        prog->set_rate(s, t);
}

void get_states(const Sim *s, double *x)
{
    const ModeProgram *prog = s->prog;
    for (uint32_t i = 0; i < prog->n; i++)
        x[i] = prog->v[prog->plan->states.at[i].var];
}

/* ---- evaluations ---- */

void note_failure(Sim *s, int status, double t, const double *x)
{
    s->run.failed.status = status;
    s->run.failed.time = t;
    if (x != s->prog->failed_x)
        memcpy(s->prog->failed_x, x, s->prog->n * sizeof *x);
}

static int call(const Sim *s, const ModeProgram *prog, int (*function)(ModelData *m))
{
    ModelData *m = prog->m;
    runtime_sweep(prog->rt, s->run.strings.at, s->run.strings.n);
    m->status = 0;
    int status = function(m);
    return status ? status : m->status;
}

int evaluate_call(Sim *s, int (*function)(ModelData *m))
{
    return call(s, s->prog, function);
}

int evaluate_event(Sim *s, int (*function)(ModelData *m))
{
    s->prog->m->event = 1;
    int status = evaluate_call(s, function);
    s->prog->m->event = 0;
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

static int timed_derivatives(Sim *s)
{
    double begin = clock_now();
    int status = call(s, s->prog, s->prog->code->derivatives);
    s->run.stats->seconds_derivatives += clock_now() - begin;
    return status;
}

int evaluate_derivatives(Sim *s, double t, const double *x)
{
    const ModeProgram *prog = s->prog;
    if (prog->mixed)
        return prog->mixed->derivatives(s, t, x);
    put_states(s, t, x);
    int status = s->run.timed ? timed_derivatives(s) : call(s, prog, prog->code->derivatives);
    s->run.stats->derivatives++;
    if (!status)
        status = check_derivatives(prog);
    if (status)
        note_failure(s, status, t, x);
    return status;
}

int evaluate_outputs(Sim *s, double t, const double *x)
{
    const ModeProgram *prog = s->prog;
    if (prog->mixed)
        return prog->mixed->values(s, t, x, prog->code->outputs);
    int status = evaluate_derivatives(s, t, x);
    if (status)
        return status;
    status = evaluate_call(s, prog->code->outputs);
    if (status)
        note_failure(s, status, t, x);
    return status;
}

int evaluate_indicators(Sim *s, double t, const double *x, double *z)
{
    const ModeProgram *prog = s->prog;
    int status = prog->mixed ? prog->mixed->values(s, t, x, prog->code->guards)
                             : evaluate_derivatives(s, t, x);
    if (status)
        return status;
    if (!prog->mixed)
        status = evaluate_call(s, prog->code->guards);
    if (!status) {
        status = prog->code->indicators(prog->m, z);
        status = status ? status : prog->m->status;
    }
    for (uint32_t i = 0; !status && i < program_n_relations(prog); i++)
        if (isnan(z[i]))
            status = MODEL_NOT_FINITE;
    if (status)
        note_failure(s, status, t, x);
    return status;
}

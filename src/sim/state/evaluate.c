/* Evaluations of the program in use, and the values they start from. */
#include "sim/state/evaluate.h"

#include "base/clock.h"

#include <float.h>
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

static const double FINEST = 1e-11; /* tolerance below the requested one */

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

double model_later_time_scale(const RunContext *run)
{
    static const double young = 2e-5; /* seconds */
    double scale = model_time_scale(run);
    return run->time - run->options->start < young ? fmax(FIRST_TIME_SCALE, scale) : scale;
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

int evaluate_parameter_tangents(ModeProgram *prog, VarId seed)
{
    uint8_t set = prog->set[seed];
    prog->set[seed] = 1; /* its own equation, if it has one, is left out */
    int status = evaluate_call(prog, prog->code->variations->parameters);
    prog->set[seed] = set;
    return status;
}

int evaluate_constant_tangents(ModeProgram *prog, VarId seed)
{
    int status = evaluate_parameter_tangents(prog, seed);
    return status ? status : evaluate_call(prog, prog->code->variations->constants);
}

int evaluate_event(ModeProgram *prog, int (*function)(ModelData *m))
{
    prog->m->event = 1;
    int status = evaluate_call(prog, function);
    prog->m->event = 0;
    return status;
}

int evaluate_equations(ModeProgram *prog, bool *momentary)
{
    RunContext *run = prog->run;
    int status = evaluate_event(prog, prog->code->event);
    *momentary = false;
    if (status || runtime_singular(prog->rt) < 0)
        return status;
    CONTEXT_HOLD(run->ctx);
    arena_reset(run->scratch);
    *momentary = runtime_is_momentary(
        prog->rt, &(RuntimeInstant){.strings = run->strings.at,
                                    .n_strings = run->strings.n,
                                    .time_scale = model_time_scale(run),
                                    .kept = ARENA_ARRAY(run->scratch, double, prog->code->n_vars)});
    return 0;
}

/* x - x is zero only for finite x, and a sum of zeros needs no branch. Two sums do not wait for
 * each other. */
static int check_derivatives(const ModeProgram *prog)
{
    const PlanState *states = prog->plan->states.at;
    const double *v = prog->v;
    double even = 0, odd = 0;
    uint32_t i = 0, n = prog->n;
    for (; i + 1 < n; i += 2) {
        double a = v[states[i].der], b = v[states[i + 1].der];
        even += a - a;
        odd += b - b;
    }
    if (i < n)
        even += v[states[i].der] - v[states[i].der];
    return even + odd == 0 ? MODEL_OK : MODEL_NOT_FINITE;
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

/* Without a note of failure. */
static int plain_derivatives(ModeProgram *prog, double t, const double *x)
{
    put_states(prog, t, x);
    int status =
        prog->run->timed ? timed_derivatives(prog) : call(prog->run, prog, prog->code->derivatives);
    prog->run->stats->derivatives++;
    return status ? status : check_derivatives(prog);
}

/* ---- beyond the end of a domain ----
 *
 * Between events relations keep their values, so there are points where functions of the present
 * branch have no value: sqrt(h) of a tank that runs empty, under `if h > 0`. If a relation changes
 * on the way to such a point, the motion ends before it in an event. Until the event is located,
 * the branch continues with its values at the end of its domain. */

static const double *way_begin(const ModeProgram *prog, double *t)
{
    *t = prog->way.kept ? prog->way.t : prog->run->time;
    return prog->way.kept ? prog->way.from : prog->x;
}

static int derivatives_on_way(ModeProgram *prog, double t, const double *x, double share)
{
    double t0;
    const double *from = way_begin(prog, &t0);
    for (uint32_t i = 0; i < prog->n; i++)
        prog->way.x[i] = from[i] + share * (x[i] - from[i]);
    return plain_derivatives(prog, t0 + share * (t - t0), prog->way.x);
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

/* Share of the way at which the first relation changes, if z are linear; INFINITY: none
 * does. */
static double first_change(const ModeProgram *prog, const double *here, const double *there)
{
    double first = INFINITY;
    for (uint32_t k = 0; k < program_n_relations(prog); k++)
        if (!program_relation(prog, k)->is_time_event && here[k] * there[k] < 0)
            first = fmin(first, here[k] / (here[k] - there[k]));
    return first;
}

/* At the last point of the way that has values, which is near `guess`. */
static int derivatives_at_end(ModeProgram *prog, double t, const double *x, double guess)
{
    double from = 0, to = 1;
    int status = MODEL_NOT_FINITE;
    for (int i = 0; i < 60 && to - from > 4 * DBL_EPSILON * to; i++) {
        double share = i == 0   ? guess * (1 - DBL_EPSILON)
                       : i == 1 ? guess * (1 + DBL_EPSILON)
                                : 0.5 * (from + to);
        if (!(share > from && share < to))
            continue;
        status = derivatives_on_way(prog, t, x, share);
        if (status && status != MODEL_NOT_FINITE)
            return status;
        *(status ? &to : &from) = share;
    }
    return status ? derivatives_on_way(prog, t, x, from) : 0;
}

/* After a failure at (t, x). The states in v are then those at the end of the domain. */
static int continue_branch(ModeProgram *prog, double t, const double *x)
{
    double *there = prog->way.z, *here = there + program_n_relations(prog);
    (void)evaluate_call(prog, prog->code->guards);
    (void)read_indicators(prog, there);
    if (derivatives_on_way(prog, t, x, 0))
        return MODEL_NOT_FINITE;
    (void)evaluate_call(prog, prog->code->guards);
    (void)read_indicators(prog, here);
    double change = first_change(prog, here, there);
    return change <= 1 ? derivatives_at_end(prog, t, x, change) : MODEL_NOT_FINITE;
}

void evaluate_keep_way(ModeProgram *prog)
{
    if (!prog->way.x)
        return;
    memcpy(prog->way.from, prog->x, prog->n * sizeof *prog->x);
    prog->way.t = prog->run->time;
    prog->way.kept = true;
}

void evaluate_free_way(ModeProgram *prog)
{
    prog->way.kept = false;
}

/* *continued: v has the values at the end of the domain. */
static int branch_derivatives(ModeProgram *prog, double t, const double *x, bool *continued)
{
    int status = plain_derivatives(prog, t, x);
    bool tried = status == MODEL_NOT_FINITE && prog->way.x;
    *continued = tried && !continue_branch(prog, t, x);
    if (*continued)
        return 0;
    if (tried) /* messages tell the values at (t, x) */
        status = plain_derivatives(prog, t, x);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

bool evaluate_is_beyond(ModeProgram *prog, double t, const double *x)
{
    return plain_derivatives(prog, t, x) == MODEL_NOT_FINITE && prog->way.x &&
           !continue_branch(prog, t, x);
}

/* ---- of the present branch ---- */

int evaluate_derivatives(ModeProgram *prog, double t, const double *x)
{
    if (prog->mixed)
        return prog->mixed->derivatives(prog, t, x);
    bool continued;
    int status = branch_derivatives(prog, t, x, &continued);
    if (continued)
        put_states(prog, t, x);
    return status;
}

int evaluate_outputs(ModeProgram *prog, double t, const double *x)
{
    if (prog->mixed)
        return prog->mixed->values(prog, t, x, prog->code->outputs);
    bool continued;
    int status = branch_derivatives(prog, t, x, &continued);
    if (status)
        return status;
    profile_enter(prog->run->calls, PROFILE_PART, PART_RESULTS);
    status = evaluate_call(prog, prog->code->outputs);
    profile_leave(prog->run->calls);
    if (continued)
        put_states(prog, t, x);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

/* z at (t, x) itself, even if derivatives exist only before it. */
static int plain_indicators(ModeProgram *prog, double t, const double *x, double *z)
{
    int status = plain_derivatives(prog, t, x);
    if (!status || status == MODEL_NOT_FINITE) {
        status = evaluate_call(prog, prog->code->guards);
        status = status ? status : read_indicators(prog, z);
    }
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
    if (!status && z)
        status = read_indicators(prog, z);
    profile_leave(prog->run->calls);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

static int only_crossings(ModeProgram *prog, double t, const double *x, double *z)
{
    put_states(prog, t, x);
    int status = evaluate_call(prog, prog->code->crossings);
    prog->run->stats->crossings++;
    return status ? status : read_indicators(prog, z);
}

int evaluate_crossings(ModeProgram *prog, double t, const double *x, double *z)
{
    if (prog->mixed)
        return evaluate_indicators(prog, t, x, z);
    profile_enter(prog->run->calls, PROFILE_PART, PART_RELATIONS);
    int status =
        prog->code->crossings ? only_crossings(prog, t, x, z) : plain_indicators(prog, t, x, z);
    profile_leave(prog->run->calls);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

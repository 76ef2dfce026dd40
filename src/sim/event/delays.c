/* Histories of delay() and profiles of spatialDistribution(). They are recorded step by step on the
 * dense output, with the breaks that events make in delays.
 *
 * A break is pending until it arrives. Its relation `time - T >= next` is scheduled, or located if
 * T varies. A jump that arrives is an event. If only a slope changes, the solver restarts without
 * an event.
 *
 * A step is never longer than the shortest delay, so that it needs no value from itself. If a delay
 * may vanish, the step leads beyond the history (runtime/delay.c). A step moves at most a part of a
 * profile, by the speed of the step before. */
#include "base/snapshot.h"
#include "sim/event/event.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { SMOOTH = 10 /* tolerances */, MOST_DIVISIONS = 8 };

typedef struct Delays {
    uint32_t n;
    VarId *source, *time; /* representatives; time: NONE if it is fixed */
    double *sign, *time_sign;
    double *fixed; /* delay time if it is fixed */
    double *longest;
    double *left;    /* source at the left limit of the event */
    double *values;  /* of each delay at the nodes of a step: k*DELAY_NODES + i */
    double shortest; /* shortest requested step */
    uint32_t n_transports;
    VarId *recorded;       /* of each transport: x, in0, in1; representatives */
    double *recorded_sign; /* as recorded */
    double *nodes;         /* of each: x, in0, in1 at the nodes of a step */
    double *entered;       /* of each: x, in0, in1 at the left limit of the event */
    /* time for the whole way at the largest speed at the end of the last step; INFINITY: none
     * moves */
    double slowest;
} Delays;

static bool fail_times(ModeProgram *prog, uint32_t k, double time, double longest)
{
    prog->run->status = SIM_FAILED;
    diag(prog->run->ctx, program_delay(prog, k)->span, DIAG_R018,
         "delay(expression, %g, %g): the time must not be negative, nor longer than the longest",
         time, longest);
    return false;
}

static bool delay_times(ModeProgram *prog, Delays *d, uint32_t k)
{
    const DaeDelay *x = program_delay(prog, k);
    d->fixed[k] = 0;
    if (!program_value(prog, x->longest, &d->longest[k]) || !isfinite(d->longest[k]) ||
        (!x->varies && !program_value(prog, x->time, &d->fixed[k]))) {
        prog->run->status = SIM_FAILED;
        diag(prog->run->ctx, x->span, DIAG_R018, "times of delay() cannot be evaluated");
        return false;
    }
    double now = x->varies ? d->time_sign[k] * prog->v[d->time[k]] : d->fixed[k];
    return (now >= 0 && now <= d->longest[k] * (1 + 1e-9)) ||
           fail_times(prog, k, now, d->longest[k]);
}

static void create_transports(ModeProgram *prog, Delays *d)
{
    uint32_t n = d->n_transports = program_n_transports(prog);
    d->recorded = ARENA_ARRAY(prog->run->arena, VarId, 3 * (size_t)n);
    d->recorded_sign = ARENA_ARRAY(prog->run->arena, double, 3 * (size_t)n);
    d->nodes = ARENA_ARRAY(prog->run->arena, double, 3 * (size_t)n * DELAY_NODES);
    d->entered = ARENA_ARRAY(prog->run->arena, double, 3 * (size_t)n);
    for (uint32_t k = 0; k < n; k++) {
        const DaeTransport *t = program_transport(prog, k);
        const VarId vars[] = {t->x, t->in[0], t->in[1]};
        for (uint32_t i = 0; i < 3; i++)
            d->recorded[3 * k + i] = resolve_alias(prog, vars[i], &d->recorded_sign[3 * k + i]);
    }
}

static void create(Sim *s)
{
    ModeProgram *prog = s->prog;
    Delays *d = s->delays = arena_alloc(s->run.arena, sizeof *d);
    uint32_t n = d->n = program_n_delays(prog);
    d->source = ARENA_ARRAY(s->run.arena, VarId, n);
    d->time = ARENA_ARRAY(s->run.arena, VarId, n);
    double **part[] = {&d->sign, &d->time_sign, &d->fixed, &d->longest, &d->left};
    for (uint32_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = ARENA_ARRAY(s->run.arena, double, n);
    d->values = ARENA_ARRAY(s->run.arena, double, (size_t)n *DELAY_NODES);
    for (uint32_t k = 0; k < n; k++) {
        const DaeDelay *x = program_delay(prog, k);
        d->source[k] = resolve_alias(s->prog, x->source, &d->sign[k]);
        d->time[k] = x->varies ? resolve_alias(s->prog, x->time_var, &d->time_sign[k]) : NONE;
    }
    create_transports(s->prog, d);
}

static double source(const Sim *s, uint32_t k, const double *v)
{
    return s->delays->sign[k] * v[s->delays->source[k]];
}

static void set_next(ModeProgram *prog, uint32_t k)
{
    prog->v[program_delay(prog, k)->next] = fmin(delay_next_break(prog->rt, k), 1e300);
}

/* Whether the delay is zero now, so that breaks arrive at once. */
static bool is_zero(const Sim *s, uint32_t k)
{
    const Delays *d = s->delays;
    return d->time[k] != NONE &&
           d->time_sign[k] * s->prog->v[d->time[k]] <= solver_resolution(s->run.time);
}

static bool no_memory(ModeProgram *prog)
{
    return fail_model(prog, MODEL_NO_MEMORY, "recording the history of a delay");
}

static void set_next_arrivals(ModeProgram *prog, uint32_t k)
{
    for (int place = 0; place < 2; place++)
        prog->v[program_transport(prog, k)->next[place]] =
            fmin(transport_next_break(prog->rt, k, place), 1e300);
}

static double recorded(const Sim *s, uint32_t i)
{
    return s->delays->recorded_sign[i] * s->prog->v[s->delays->recorded[i]];
}

static bool differs(double a, double b)
{
    return fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b));
}

static bool start_profile(Sim *s, uint32_t k)
{
    ModeProgram *prog = s->prog;
    const DaeTransport *t = program_transport(prog, k);
    double *places = memory_alloc(2 * (size_t)t->n * sizeof *places), *values = places + t->n;
    bool known = true, rising = true;
    for (uint32_t i = 0; i < t->n && known; i++) {
        known = program_value(prog, t->points[i], &places[i]) &&
                program_value(prog, t->values[i], &values[i]);
        rising &= known && (i == 0 || places[i] >= places[i - 1]);
    }
    bool ok = known && rising && places[0] == 0 && places[t->n - 1] == 1;
    if (!ok) {
        s->run.status = SIM_FAILED;
        diag(s->run.ctx, t->span, DIAG_R018,
             "initialPoints of spatialDistribution() must rise from 0 to 1");
    } else if (!transport_start(prog->rt, k, recorded(s, 3 * k), places, values, t->n)) {
        ok = no_memory(s->prog);
    } else {
        transport_break(prog->rt, k, differs(recorded(s, 3 * k + 1), values[0]),
                        differs(recorded(s, 3 * k + 2), values[t->n - 1]));
        set_next_arrivals(s->prog, k);
    }
    memory_free(places);
    return ok;
}

bool delays_start(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (!program_n_delays(prog) && !program_n_transports(prog))
        return true;
    if (!s->delays) {
        create(s);
        if (!runtime_delays(prog->rt, s->delays->n) ||
            !runtime_transports(prog->rt, s->delays->n_transports))
            return no_memory(s->prog);
    }
    Delays *d = s->delays;
    d->slowest = INFINITY;
    for (uint32_t k = 0; k < d->n_transports; k++)
        if (!start_profile(s, k))
            return false;
    double slack = fmax(s->schedule->merge, solver_resolution(s->run.time));
    d->shortest = INFINITY;
    for (uint32_t k = 0; k < d->n; k++) {
        if (!delay_times(s->prog, d, k))
            return false;
        double value = source(s, k, prog->v);
        delay_start(prog->rt, k, s->run.time, value, d->longest[k],
                    fmax(slack, 1e-11 * d->longest[k]));
        if (!is_zero(s, k) && !delay_break(prog->rt, k, s->run.time, value, false))
            return no_memory(s->prog);
        set_next(s->prog, k);
        d->shortest =
            fmin(d->shortest,
                 d->longest[k] > 0 ? cbrt(s->run.options->tolerance) * d->longest[k] : INFINITY);
    }
    return true;
}

double delays_limit(const Delays *d, const double *v)
{
    double limit = INFINITY;
    for (uint32_t k = 0; d && k < d->n; k++) {
        if (d->longest[k] <= 0)
            continue;
        double now = d->time[k] == NONE ? d->fixed[k] : d->time_sign[k] * v[d->time[k]];
        limit = fmin(limit, d->time[k] == NONE && now > 0 ? now : fmax(now, d->shortest));
    }
    return d ? fmin(limit, 0.3 * d->slowest) : limit;
}

static bool append_profiles(Sim *s, double t0, double t)
{
    Delays *d = s->delays;
    double fastest = 0;
    for (uint32_t k = 0; k < d->n_transports; k++) {
        const double *x = d->nodes + 3 * (size_t)k * DELAY_NODES;
        if (!transport_append(s->prog->rt, k, x, x + DELAY_NODES, x + 2 * DELAY_NODES))
            return no_memory(s->prog);
        fastest = fmax(fastest, fabs(x[DELAY_NODES - 1] - x[0]) / (t - t0));
    }
    d->slowest = fastest > 0 ? 1 / fastest : INFINITY;
    return true;
}

/* Values at the nodes of [a, b], within the solver's last step. */
static bool sample_piece(Sim *s, double a, double b)
{
    Delays *d = s->delays;
    for (uint32_t i = 0; i < DELAY_NODES; i++) {
        double at = i + 1 < DELAY_NODES ? a + (b - a) * delay_nodes[i] : b;
        program_states_at(s->prog, at, s->prog->xi);
        int status = evaluate_indicators(s->prog, at, s->prog->xi, s->relations.z);
        if (status)
            return fail_model(s->prog, status, "recording the history of a delay");
        for (uint32_t k = 0; k < d->n; k++)
            d->values[k * DELAY_NODES + i] = source(s, k, s->prog->v);
        for (uint32_t k = 0; k < 3 * d->n_transports; k++)
            d->nodes[k * DELAY_NODES + i] = recorded(s, k);
    }
    return true;
}

/* Whether the middle value lies on the cubic through the others. */
static bool is_smooth(const RunContext *run, const double *v)
{
    double size = fmax(fabs(v[0]), fmax(fabs(v[2]), fabs(v[4])));
    return fabs(v[2] - (v[1] + v[3] - 0.5 * (v[0] + v[4]))) <=
           SMOOTH * run->options->tolerance * (1 + size);
}

static bool all_smooth(const Sim *s)
{
    const Delays *d = s->delays;
    bool smooth = true;
    for (uint32_t k = 0; k < d->n && smooth; k++)
        smooth = is_smooth(&s->run, d->values + (size_t)k * DELAY_NODES);
    for (uint32_t k = 0; k < 3 * d->n_transports && smooth; k++)
        smooth = is_smooth(&s->run, d->nodes + (size_t)k * DELAY_NODES);
    return smooth;
}

/* The recorded value may depend only on time, which the solver's steps do not resolve: a piece that
 * its polynomial does not represent is divided. */
static bool record_piece(Sim *s, double a, double b, int divisions)
{
    Delays *d = s->delays;
    double middle = a + 0.5 * (b - a);
    if (!sample_piece(s, a, b))
        return false;
    if (divisions > 0 && middle > a && middle < b && !all_smooth(s))
        return record_piece(s, a, middle, divisions - 1) &&
               record_piece(s, middle, b, divisions - 1);
    for (uint32_t k = 0; k < d->n; k++)
        if (!delay_append(s->prog->rt, k, a, b, d->values + k * DELAY_NODES))
            return no_memory(s->prog);
    return append_profiles(s, a, b);
}

bool delays_record(Sim *s, double t)
{
    return !s->delays || t <= s->run.time || record_piece(s, s->run.time, t, MOST_DIVISIONS);
}

/* The host's part of delays_pass for profiles. */
static bool transports_pass(Sim *s)
{
    ModeProgram *prog = s->prog;
    bool jumps = false;
    for (uint32_t i = 0; i < 3 * s->delays->n_transports; i++)
        s->delays->entered[i] = recorded(s, i);
    for (uint32_t i = 0; i < 2 * s->delays->n_transports; i++) {
        uint32_t relation = program_transport(prog, i / 2)->relation[i % 2];
        if (s->relations.decided[relation] != 2)
            continue;
        s->relations.decided[relation] = 0;
        s->run.restart = true;
        jumps |=
            transport_pass(prog->rt, i / 2, (int)(i % 2)) || event_untrigger(&s->event, relation);
        set_next_arrivals(s->prog, i / 2);
    }
    return jumps;
}

bool delays_pass(Sim *s)
{
    ModeProgram *prog = s->prog;
    bool jumps = s->delays && transports_pass(s);
    for (uint32_t k = 0; s->delays && k < s->delays->n; k++) {
        uint32_t relation = program_delay(prog, k)->relation;
        s->delays->left[k] = source(s, k, prog->v);
        if (s->relations.decided[relation] != 2)
            continue;
        s->relations.decided[relation] = 0;
        s->run.restart = true;
        double next = delay_next_break(prog->rt, k);
        jumps |= delay_pass(prog->rt, k, next) || event_untrigger(&s->event, relation);
        set_next(s->prog, k);
    }
    return jumps;
}

static void transports_note(Sim *s, bool relevant)
{
    const double *before = s->delays->entered;
    for (uint32_t k = 0; k < s->delays->n_transports; k++) {
        bool low = differs(recorded(s, 3 * k + 1), before[3 * k + 1]);
        bool high = differs(recorded(s, 3 * k + 2), before[3 * k + 2]);
        if (low || high || relevant)
            transport_break(s->prog->rt, k, low, high);
        set_next_arrivals(s->prog, k);
    }
}

void delays_note(Sim *s, bool relevant)
{
    ModeProgram *prog = s->prog;
    if (s->delays)
        transports_note(s, relevant);
    for (uint32_t k = 0; s->delays && k < s->delays->n; k++) {
        double now = source(s, k, prog->v), before = s->delays->left[k];
        bool jumps = differs(now, before);
        if (jumps || relevant)
            delay_break(prog->rt, k, s->run.time, now, jumps);
        set_next(s->prog, k);
    }
}

void delays_arrive(Sim *s)
{
    for (uint32_t k = 0; s->delays && k < s->delays->n; k++)
        if (is_zero(s, k)) {
            delay_pass(s->prog->rt, k, s->run.time);
            set_next(s->prog, k);
        }
}

void delays_snapshot_limits(Delays *d, Snapshot *p)
{
    snapshot_expect(p, d ? d->n : 0);
    if (!d)
        return;
    snapshot_array(p, d->fixed, d->n);
    snapshot_array(p, d->longest, d->n);
    snapshot_value(p, d->shortest);
    snapshot_value(p, d->slowest);
}

/* Events: the schedule, and the iteration at an instant. Each iteration evaluates all equations;
 * then reinit takes effect; then left limits follow their variables. Samples are true in the first
 * iteration only. A relation that crossed or is due is decided, not evaluated, until its crossing
 * function moves. */
#include "fmu/source/source.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TIME_SCALE = 0.02; /* seconds; of the model, whose steps are not known here */

/* ---- relations ---- */

bool source_holds(const KairosInstance *i, uint32_t relation)
{
    return i->v[kairos_model.relations[relation]] != 0;
}

static bool is_rising(const KairosInstance *i, uint32_t relation)
{
    return i->tables->relations[relation].op >= 2;
}

static double side_of(const KairosInstance *i, uint32_t relation)
{
    return source_holds(i, relation) == is_rising(i, relation) ? 1 : -1;
}

/* A value that arrives at exactly zero is taken literally. */
static bool is_at_zero(const KairosInstance *i, uint32_t relation, double z)
{
    bool closed = i->tables->relations[relation].op & 1;
    return z == 0 && closed != source_holds(i, relation);
}

static double band(const KairosInstance *i, uint32_t relation)
{
    return SOURCE_EPSILON * i->scales[relation].scale;
}

double source_shifted(const KairosInstance *i, uint32_t relation, double z)
{
    double shift = side_of(i, relation) * band(i, relation);
    return is_at_zero(i, relation, z) ? -shift : z + shift;
}

static void decide(KairosInstance *i, uint32_t relation)
{
    i->decided[relation] = source_holds(i, relation) ? 1 : 2;
}

/* Relations that reach zero at this event and were far away after the last one: the event is theirs
 * too, if they go on to the other side in the next moment. */
static int find_arriving(KairosInstance *i)
{
    static const double FAR = 100, MOMENT = 1e-7;
    const SourceTables *t = i->tables;
    double h = MOMENT * fmax(1, fabs(i->time)), *z = i->decided_z;
    bool any = false;
    for (uint32_t k = 0; k < t->n_relations; k++)
        any |= fabs(i->z[k]) <= band(i, k) && fabs(i->z_after[k]) > FAR * band(i, k);
    if (!any)
        return 0;
    for (uint32_t k = 0; k < t->n_states; k++)
        i->v[t->states[k].var] = i->x[k] + h * i->v[t->states[k].der];
    i->v[0] = i->time + h;
    int status = source_call(i, kairos_model.derivatives);
    status = status ? status : source_call(i, kairos_model.guards);
    status = status ? status : kairos_model.indicators(i->data, z);
    for (uint32_t k = 0; !status && k < t->n_relations; k++)
        if (!t->relations[k].scheduled && !i->decided[k] && fabs(i->z[k]) <= band(i, k) &&
            fabs(i->z_after[k]) > FAR * band(i, k) && side_of(i, k) * z[k] < -band(i, k))
            decide(i, k);
    return status;
}

/* Importers stop a little before or after the zero of an indicator, which is at a distance of ε. */
static int find_crossed(KairosInstance *i)
{
    int status = source_indicators(i, i->z);
    for (uint32_t k = 0; !status && k < i->tables->n_relations; k++)
        if (!i->tables->relations[k].scheduled &&
            (side_of(i, k) * i->z[k] < -0.5 * band(i, k) || is_at_zero(i, k, i->z[k])))
            decide(i, k);
    return status ? status : find_arriving(i);
}

/* ---- the schedule ---- */

static double resolution(double t)
{
    return 100 * DBL_EPSILON * fmax(1, fabs(t));
}

static void set_tick(SourceClock *c, uint64_t tick)
{
    c->tick = tick;
    c->next = c->start + (double)tick * c->interval;
}

/* Instants closer than this are one. */
static double slack(const KairosInstance *i)
{
    double shortest = INFINITY;
    for (uint32_t k = 0; k < i->tables->n_samples; k++)
        shortest = fmin(shortest, i->clocks[k].interval);
    return fmax(shortest < 1e50 ? 1e-9 * shortest : 0, resolution(i->time));
}

static bool start_clock(KairosInstance *i, uint32_t k)
{
    SourceClock *c = &i->clocks[k];
    c->start = i->terms[2 * k] + (i->tables->samples[k].from_start ? i->start : 0);
    c->interval = i->terms[2 * k + 1];
    if (!(c->interval > 0) || !isfinite(c->interval) || !isfinite(c->start)) {
        source_message(i->model,
                       "sample with start %g and interval %g: the interval must be "
                       "positive",
                       c->start, c->interval);
        i->failed = true;
        return false;
    }
    double ticks = ceil((i->start - c->start) / c->interval - 1e-9);
    set_tick(c, ticks > 0 ? (uint64_t)ticks : 0);
    return true;
}

int source_schedule(KairosInstance *i)
{
    int status = i->tables->n_samples ? i->tables->instants(i->data, i->terms) : 0;
    for (uint32_t k = 0; k < i->tables->n_relations; k++)
        i->instants[k] = INFINITY;
    for (uint32_t k = 0; !status && k < i->tables->n_samples; k++)
        if (!start_clock(i, k))
            break;
    return status;
}

static int lines(KairosInstance *i, double t, double *z)
{
    i->v[0] = t;
    i->data->status = 0;
    int status = kairos_model.indicators(i->data, z);
    return status ? status : i->data->status;
}

/* When a scheduled relation takes another value than now: the root of the line z0 + slope*(t - t0).
 */
static double crossing(const KairosInstance *i, uint32_t k, double z0, double slope)
{
    if (!isfinite(slope) || slope == 0 || ((slope > 0) == is_rising(i, k)) == source_holds(i, k))
        return INFINITY;
    return fmax(i->time, i->time - z0 / slope);
}

/* After an event: instants of scheduled relations, from two evaluations with all else frozen; and
 * once more from the earliest of them, so that it is exact. */
static int update_schedule(KairosInstance *i)
{
    const SourceTables *t = i->tables;
    double span = fmax(1, fabs(i->time)), first = INFINITY;
    double *z0 = i->decided_z;
    int status = lines(i, i->time, z0);
    memcpy(i->z_after, z0, t->n_relations * sizeof *z0);
    status = status ? status : lines(i, i->time + span, i->z);
    for (uint32_t k = 0; !status && k < t->n_relations; k++) {
        if (!t->relations[k].scheduled)
            continue;
        i->instants[k] = crossing(i, k, z0[k], (i->z[k] - z0[k]) / span);
        first = fmin(first, i->instants[k]);
        z0[k] = (i->z[k] - z0[k]) / span;
    }
    if (!status && first > i->time && isfinite(first))
        status = lines(i, first, i->z);
    for (uint32_t k = 0; !status && k < t->n_relations; k++)
        if (t->relations[k].scheduled && i->instants[k] <= first + slack(i) && first > i->time)
            i->instants[k] = fmax(i->time, first - i->z[k] / z0[k]);
    i->v[0] = i->time;
    return status;
}

double source_next_event(const KairosInstance *i)
{
    double next = INFINITY;
    for (uint32_t k = 0; k < i->tables->n_samples; k++)
        next = fmin(next, i->clocks[k].next);
    for (uint32_t k = 0; k < i->tables->n_relations; k++)
        next = fmin(next, i->instants[k]);
    return next;
}

/* Samples and relations that are due. True if a sample is. */
static bool fire(KairosInstance *i)
{
    double until = i->time + slack(i);
    bool any = false;
    for (uint32_t k = 0; k < i->tables->n_samples; k++) {
        SourceClock *c = &i->clocks[k];
        if (c->next > until)
            continue;
        any = true;
        i->v[i->tables->samples[k].var] = 1;
        double ticks = floor((until - c->start) / c->interval);
        uint64_t tick = ticks > (double)c->tick + 2 ? (uint64_t)fmin(ticks, 9e15) - 1 : c->tick;
        do
            set_tick(c, ++tick);
        while (c->next <= until && tick < 9000000000000000u);
    }
    for (uint32_t k = 0; k < i->tables->n_relations; k++)
        if (i->instants[k] <= until && !i->decided[k])
            decide(i, k);
    return any;
}

static void release_samples(KairosInstance *i)
{
    for (uint32_t k = 0; k < i->tables->n_samples; k++)
        i->v[i->tables->samples[k].var] = 0;
}

/* ---- actions ---- */

static void tell_violation(KairosInstance *i, uint32_t k)
{
    i->warned[k] = 1;
    i->failed |= !i->tables->actions[k].warning;
    source_message(i->model, "%s: %s (at time %.9g)",
                   i->tables->actions[k].warning ? "warning" : "assertion failed",
                   i->tables->actions[k].message, i->time);
}

static int get_actions(KairosInstance *i)
{
    i->data->status = 0;
    int status = kairos_model.actions(i->data, i->guard, i->action);
    return status ? status : i->data->status;
}

int source_check(KairosInstance *i, bool initial)
{
    int status = i->tables->n_actions ? get_actions(i) : 0;
    for (uint32_t k = 0; !status && k < i->tables->n_actions; k++) {
        const SourceAction *a = &i->tables->actions[k];
        if (a->kind == SOURCE_ASSERT && a->initial == initial && i->guard[k] == 0 && !i->warned[k])
            tell_violation(i, k);
    }
    return status;
}

static void terminate(KairosInstance *i, const SourceAction *a)
{
    if (!i->terminated)
        source_message(i->model, "the model ends the simulation at time %.9g: %s", i->time,
                       a->message);
    i->terminated = true;
}

int source_act(KairosInstance *i, bool *changed)
{
    int status = i->tables->n_actions ? get_actions(i) : 0;
    *changed = false;
    for (uint32_t k = 0; !status && k < i->tables->n_actions; k++) {
        const SourceAction *a = &i->tables->actions[k];
        if (a->kind == SOURCE_ASSERT) {
            if (a->at_edge && i->guard[k] == 0 && !i->warned[k])
                tell_violation(i, k);
            continue;
        }
        if (i->guard[k] == 0 || (a->initial && !i->initial))
            continue;
        if (a->kind == SOURCE_TERMINATE) {
            terminate(i, a);
            continue;
        }
        double sign;
        uint32_t var = source_holder(a->target, &sign);
        i->v[var] = sign * i->action[k];
        *changed = true;
    }
    return status;
}

/* ---- the iteration ---- */

static bool update_left_limits(KairosInstance *i)
{
    bool changed = false;
    for (uint32_t k = 0; k < i->n_pres; k++) {
        double sign, slack = 0;
        uint32_t base = source_holder(i->tables->variables[i->pres[k]].base, &sign);
        double value = sign * i->v[base], old = i->v[i->pres[k]];
        if (i->tables->variables[base].kind == SOURCE_CONTINUOUS)
            slack = 1e-12 * i->tables->variables[base].nominal;
        if (value == old || (isnan(value) && isnan(old)))
            continue;
        changed |= !(fabs(value - old) <= slack + slack * fabs(value));
        i->v[i->pres[k]] = value;
    }
    return changed;
}

/* Crossing functions of the decided relations at the left limit. */
static int note_decided(KairosInstance *i)
{
    int status = kairos_model.indicators(i->data, i->z);
    for (uint32_t k = 0; k < i->tables->n_relations; k++) {
        i->decided_z[k] = i->z[k];
        i->decided_at[k] = i->decided[k] && i->tables->relations[k].scheduled ? i->z[k] : NAN;
    }
    return status;
}

static int release_decided(KairosInstance *i)
{
    int status = kairos_model.indicators(i->data, i->z);
    for (uint32_t k = 0; !status && k < i->tables->n_relations; k++)
        if (!(fabs(i->z[k] - i->decided_z[k]) <= band(i, k)))
            i->decided[k] = 0;
    return status;
}

/* All equations, with a combination of switches that is valid for longer than an instant. */
static int evaluate(KairosInstance *i)
{
    (void)runtime_rescued(i->runtime);
    i->data->event = 1;
    int status = source_call(i, kairos_model.event);
    i->data->event = 0;
    if (status || runtime_singular(i->runtime) < 0)
        return status;
    bool momentary = runtime_is_momentary(
        i->runtime, &(RuntimeInstant){i->strings, i->n_strings, TIME_SCALE, i->kept});
    return momentary ? MODEL_SINGULAR : 0;
}

static int iterate(KairosInstance *i, bool first, bool *changed)
{
    runtime_relations(i->runtime, i->decided, SOURCE_EPSILON, 0);
    int status = evaluate(i);
    status = status ? status : source_act(i, changed);
    if (status || i->failed)
        return status;
    if (first) {
        bool sampled = false;
        for (uint32_t k = 0; k < i->tables->n_samples; k++)
            sampled |= i->v[i->tables->samples[k].var] != 0;
        release_samples(i);
        *changed |= sampled;
    }
    *changed |= update_left_limits(i);
    return *changed ? release_decided(i) : 0;
}

int source_settle(KairosInstance *i)
{
    uint64_t most = 100 + (uint64_t)i->n_pres;
    bool changed = true;
    int status = note_decided(i);
    runtime_invalidate(i->runtime);
    for (uint64_t k = 0; !status && changed && !i->failed; k++) {
        if (k >= most) {
            source_message(i->model, "the event iteration at time %.9g does not end", i->time);
            i->failed = true;
        }
        changed = false;
        status = iterate(i, k == 0, &changed);
    }
    for (uint32_t k = 0; k < i->tables->n_relations; k++)
        i->decided_at[k] = NAN;
    memset(i->decided, 0, i->tables->n_relations);
    runtime_relations(i->runtime, NULL, SOURCE_EPSILON, 0);
    return status;
}

/* ---- the whole event ---- */

static int change_parameters(KairosInstance *i)
{
    int status = i->reset ? source_parameters(i) : 0;
    if (!status && i->reset)
        status = source_call(i, kairos_model.constants);
    i->reset = false;
    return status;
}

/* The states and their derivatives before the event; afterwards whether they have changed. */
static void keep_motion(KairosInstance *i)
{
    for (uint32_t k = 0; k < i->tables->n_states; k++) {
        i->motion[2 * k] = i->x[k];
        i->motion[2 * k + 1] = i->v[i->tables->states[k].der];
    }
}

static bool motion_changed(const KairosInstance *i)
{
    bool changed = false;
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        changed |=
            i->motion[2 * k] != i->x[k] || i->motion[2 * k + 1] != i->v[i->tables->states[k].der];
    return changed;
}

static int handle_instant(KairosInstance *i, bool *restart)
{
    memset(i->decided, 0, i->tables->n_relations);
    int status = find_crossed(i);
    status = status ? status : source_outputs(i);
    keep_motion(i);
    status = status ? status : change_parameters(i);
    if (status)
        return status;
    update_left_limits(i);
    fire(i);
    status = source_settle(i);
    source_get_states(i);
    *restart |= motion_changed(i);
    status = status || i->failed ? status : source_check(i, false);
    return status || i->failed ? status : update_schedule(i);
}

/* An event may schedule another one for the same instant. */
int source_event(KairosInstance *i, bool *restart)
{
    int status = handle_instant(i, restart);
    for (int n = 0; !status && !i->failed && !i->terminated; n++) {
        double next = source_next_event(i);
        if (!(next <= i->time) || i->time - next > 1e-12 * fmax(1, fabs(i->time)))
            break;
        if (n == 1000) {
            source_message(i->model, "events at time %.9g do not end", i->time);
            i->failed = true;
        }
        status = handle_instant(i, restart);
    }
    i->complete = false;
    return status;
}

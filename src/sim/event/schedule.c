/* Time events: instants of sample(start, interval), and of relations that are linear in time. The
 * integrator stops exactly at them; relations are set there, not evaluated.
 *
 * Clocks are kept in a heap by their next instant, computed as start + tick*interval. Instants of
 * relations are computed again after each event from two evaluations of z = a*time + b with
 * everything else frozen. */
#include "sim/event/schedule.h"

#include "base/snapshot.h"
#include "sim/event/event.h"
#include "sim/message/message.h"
#include "sim/state/evaluate.h"

#include <math.h>
#include <stdlib.h>

Schedule *schedule_new(const ModeProgram *prog, Arena *arena)
{
    Schedule *c = ARENA_NEW(arena, Schedule);
    uint32_t n = program_n_samples(prog), n_relations = program_n_relations(prog);
    c->clocks = ARENA_ARRAY(arena, Clock, n);
    c->heap = ARENA_ARRAY(arena, uint32_t, n);
    c->samples = ARENA_ARRAY(arena, uint32_t, n);
    c->fired = ARENA_ARRAY(arena, uint32_t, n);
    c->relations = ARENA_ARRAY(arena, uint32_t, n_relations);
    c->instants = ARENA_ARRAY(arena, double, n_relations);
    c->z0 = ARENA_ARRAY(arena, double, n_relations);
    c->z1 = ARENA_ARRAY(arena, double, n_relations);
    for (uint32_t i = 0; i < n_relations; i++)
        if (program_relation(prog, i)->is_time_event)
            c->relations[c->n_relations++] = i;
    return c;
}

/* ---- clocks ---- */

static const double ONCE = 1e50; /* a clock with a longer interval ticks once */

static void sift_down(Schedule *c, uint32_t i)
{
    for (;;) {
        uint32_t least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < c->n_clocks; child++)
            if (c->clocks[c->heap[child]].next < c->clocks[c->heap[least]].next)
                least = child;
        if (least == i)
            return;
        uint32_t moved = c->heap[i];
        c->heap[i] = c->heap[least];
        c->heap[least] = moved;
        i = least;
    }
}

static void order_clocks(Schedule *c)
{
    for (uint32_t i = c->n_clocks / 2; i-- > 0;)
        sift_down(c, i);
}

static void set_tick(Clock *clock, uint64_t tick)
{
    clock->tick = tick;
    clock->next = clock->start + (double)tick * clock->interval;
}

static int compare_keys(const void *left, const void *right)
{
    const SampleKey *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->interval != b->interval)
        return a->interval < b->interval ? -1 : 1;
    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

static bool evaluate_sample(ModeProgram *prog, uint32_t i, SampleKey *key)
{
    const DaeSample *sample = program_sample(prog, i);
    key->sample = i;
    bool known = program_value(prog, sample->start, &key->start) &&
                 program_value(prog, sample->interval, &key->interval);
    if (sample->from_start)
        key->start += prog->run->options->start;
    if (known && key->interval > 0 && isfinite(key->interval) && isfinite(key->start))
        return true;
    prog->run->status = SIM_FAILED;
    if (known)
        diag(prog->run->ctx, sample->span, DIAG_R012,
             "sample with start %g and interval %g: the interval must be positive", key->start,
             key->interval);
    else
        diag(prog->run->ctx, sample->span, DIAG_R012,
             "start and interval of sample cannot be evaluated");
    return false;
}

static void group_clocks(Schedule *c, const SampleKey *keys, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool same =
            i && keys[i].start == keys[i - 1].start && keys[i].interval == keys[i - 1].interval;
        if (!same)
            c->clocks[c->n_clocks++] =
                (Clock){.start = keys[i].start, .interval = keys[i].interval, .first = i};
        c->clocks[c->n_clocks - 1].n++;
        c->samples[i] = keys[i].sample;
    }
}

/* The first tick at or after t. */
static uint64_t first_tick(const Clock *clock, double t)
{
    double ticks = ceil((t - clock->start) / clock->interval - 1e-9);
    return ticks > 0 ? (uint64_t)ticks : 0;
}

void schedule_set_clocks(Schedule *c, SampleKey *keys, uint32_t n, double start)
{
    double shortest = INFINITY;
    if (n)
        qsort(keys, n, sizeof *keys, compare_keys);
    group_clocks(c, keys, n);
    for (uint32_t i = 0; i < c->n_clocks; i++) {
        c->heap[i] = i;
        set_tick(&c->clocks[i], first_tick(&c->clocks[i], start));
        if (c->clocks[i].interval < ONCE)
            shortest = fmin(shortest, c->clocks[i].interval);
    }
    order_clocks(c);
    c->merge = isfinite(shortest) ? 1e-9 * shortest : 0;
}

bool schedule_start(Sim *s)
{
    uint32_t n = program_n_samples(s->prog);
    SampleKey *keys = ARENA_ARRAY(s->run.arena, SampleKey, n);
    for (uint32_t i = 0; i < n; i++)
        if (!evaluate_sample(s->prog, i, &keys[i]))
            return false;
    schedule_set_clocks(s->schedule, keys, n, s->run.options->start);
    return true;
}

/* ---- relations linear in time ---- */

static double slack(const Schedule *c, double t)
{
    return fmax(c->merge, solver_resolution(t));
}

static bool rises_to_true(ExprOp op)
{
    return op == OP_GT || op == OP_GE;
}

/* When relation k takes another value than now: root of the line through (t0, z0) and (t1, z1). */
static double crossing(const ModeProgram *prog, uint32_t k, double t0, double z0, double t1,
                       double z1)
{
    const DaeRelation *r = program_relation(prog, k);
    double slope = (z1 - z0) / (t1 - t0);
    bool now = prog->v[r->var] != 0;
    if (!isfinite(slope) || slope == 0)
        return INFINITY;
    bool later = (slope > 0) == rises_to_true(r->op);
    if (later == now)
        return INFINITY;
    return fmax(t0, t0 - z0 / slope);
}

static int lines(ModeProgram *prog, double t, double *z)
{
    prog->v[0] = t;
    prog->m->status = 0;
    int status = prog->code->indicators(prog->m, z);
    return status ? status : prog->m->status;
}

/* Once more from the earliest instant itself, so that it is exact to the last digit; later ones
 * have their turn after it. */
static int refine_earliest(Sim *s, double t0, double span)
{
    Schedule *c = s->schedule;
    double t = INFINITY;
    for (uint32_t i = 0; i < c->n_relations; i++)
        t = fmin(t, c->instants[i]);
    if (!(t > t0) || t > fmax(s->run.options->stop, s->until) + span)
        return 0;
    int status = lines(s->prog, t, s->relations.z);
    for (uint32_t i = 0; !status && i < c->n_relations; i++) {
        uint32_t k = c->relations[i];
        if (c->instants[i] <= t + slack(c, t))
            c->instants[i] = fmax(t0, t - s->relations.z[k] * span / (c->z1[k] - c->z0[k]));
    }
    return status;
}

bool schedule_update(Sim *s)
{
    Schedule *c = s->schedule;
    if (!c->n_relations)
        return true;
    double t0 = s->run.time, span = fmax(1, fabs(t0));
    int status = lines(s->prog, t0, c->z0);
    status = status ? status : lines(s->prog, t0 + span, c->z1);
    for (uint32_t i = 0; !status && i < c->n_relations; i++) {
        uint32_t k = c->relations[i];
        c->instants[i] = crossing(s->prog, k, t0, c->z0[k], t0 + span, c->z1[k]);
    }
    status = status ? status : refine_earliest(s, t0, span);
    s->prog->v[0] = t0;
    return !status || fail_model(s->prog, status, "scheduling time events");
}

void schedule_rescale(const Schedule *c, ModeProgram *prog)
{
    for (uint32_t i = 0; i < c->n_relations; i++)
        prog->run->scales[c->relations[i]].scale = relation_first_scale(prog, c->relations[i]);
}

/* ---- the next instant ---- */

double schedule_next(const Schedule *c)
{
    double next = c->n_clocks ? c->clocks[c->heap[0]].next : INFINITY;
    for (uint32_t i = 0; i < c->n_relations; i++)
        next = fmin(next, c->instants[i]);
    return next;
}

bool schedule_due(const Schedule *c, double t)
{
    return schedule_next(c) <= t + slack(c, t);
}

/* The first tick after `until`, which may be far away if others move the time. Beyond the numbers
 * that are whole, there is none. */
static void skip_ticks(Clock *clock, double until)
{
    static const double LAST = 9007199254740992.0; /* 2^53 */
    double ticks = floor((until - clock->start) / clock->interval);
    uint64_t tick = clock->tick;
    if (ticks >= LAST) {
        clock->next = INFINITY;
        return;
    }
    if (ticks > (double)tick + 2)
        tick = (uint64_t)ticks - 1;
    do
        set_tick(clock, ++tick);
    while (clock->next <= until);
}

void schedule_tick(Schedule *c, double t)
{
    double until = t + slack(c, t);
    c->n_fired = 0;
    while (c->n_clocks && c->clocks[c->heap[0]].next <= until) {
        Clock *clock = &c->clocks[c->heap[0]];
        c->fired[c->n_fired++] = c->heap[0];
        clock->fired++;
        skip_ticks(clock, until);
        sift_down(c, 0);
    }
}

/* ---- the event ---- */

static void set_samples(const Schedule *c, ModeProgram *prog, double value)
{
    for (uint32_t i = 0; i < c->n_fired; i++) {
        const Clock *clock = &c->clocks[c->fired[i]];
        for (uint32_t j = 0; j < clock->n; j++)
            prog->v[program_sample(prog, c->samples[clock->first + j])->var] = value;
    }
}

void schedule_fire(Schedule *c, ModeProgram *prog, Relations *r, Event *e, double t)
{
    double until = t + slack(c, t);
    schedule_tick(c, t);
    set_samples(c, prog, 1);
    for (uint32_t i = 0; i < c->n_relations; i++) {
        if (!(c->instants[i] <= until) || r->decided[c->relations[i]])
            continue;
        event_decide(r, prog, c->relations[i]);
        e->triggers[e->n_triggers++] = c->relations[i];
    }
}

bool schedule_release(const Schedule *c, ModeProgram *prog)
{
    set_samples(c, prog, 0);
    return c->n_fired > 0;
}

/* ---- snapshots ---- */

void schedule_snapshot(Schedule *c, Snapshot *p)
{
    snapshot_expect(p, c->n_clocks);
    snapshot_expect(p, c->n_relations);
    for (uint32_t i = 0; i < c->n_clocks; i++) {
        uint64_t tick = c->clocks[i].tick;
        snapshot_value(p, tick);
        snapshot_value(p, c->clocks[i].fired);
        if (p->reading)
            set_tick(&c->clocks[i], tick);
    }
    if (p->reading)
        order_clocks(c);
    snapshot_array(p, c->instants, c->n_relations);
}

/* Accumulation and chattering: infinitely many events in finite time are recognised by their
 * sequence. A relation whose gaps and excursions shrink steadily accumulates. One that changes back
 * and forth with excursions below any tolerance chatters. sliding.c then rests or slides; the run
 * ends only if that is impossible or not wanted. */
#include "sim/event/locator.h"
#include "sim/message/message.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { MOVED = 10 /* ε: a smaller reinit does not count */ };
enum { ACCUMULATED = 10000, CHATTERED = 100, SHRUNK = 4, TREMBLED = 300, TREMBLING = 20 };
enum { TRIED = 4 /* narrow events: if the motion can slide, it does */ };
enum { NARROW = 4 /* excursion between events, in units of ε */ };
enum { RESOLVED = 100000 /* excursions of so many tolerances have five digits */ };

/* ---- cadences ---- */

/* The time at which these events would accumulate; INFINITY if they do not seem to. */
static double extrapolate_cadence(EventCadence *r, double t)
{
    double gap = t - r->time, ratio = r->events > 1 && r->gap > 0 ? gap / r->gap : 1;
    bool steady = ratio < 0.999 && (r->shrinking == 0 || fabs(ratio - r->ratio) < 0.1);
    r->shrinking = steady ? r->shrinking + 1 : 0;
    r->gap = gap;
    r->events++;
    r->ratio = ratio;
    r->time = t;
    return r->shrinking >= SHRUNK ? t + gap * ratio / (1 - ratio) : INFINITY;
}

static bool stops(const RunContext *run, bool chattering)
{
    return chattering ? run->options->chattering_stops : run->options->accumulation_stops;
}

static bool request_sliding(Sim *s, uint32_t k, bool chattering, double limit)
{
    if (stops(&s->run, chattering && !s->accumulation.cadences[2 * k].bounces))
        return !fail_without_solution(s->prog) &&
               fail_accumulation(s->prog, &s->event, chattering, limit);
    s->accumulation.relation = k;
    s->accumulation.chattering = chattering;
    s->accumulation.limit = limit;
    return true;
}

/* The excursion since the last event of the same kind. `width` is the one since the last event of
 * the relation. */
static double whole_width(EventCadence *first, EventCadence *r, double width)
{
    EventCadence *other = first == r ? first + 1 : first;
    double whole = fmax(r->width, width);
    r->width = 0;
    other->width = fmax(other->width, width);
    return whole;
}

/* One relation that triggered the event. */
static bool count_event(Sim *s, uint32_t k, double width)
{
    ModeProgram *prog = s->prog;
    EventCadence *first = &s->accumulation.cadences[2 * k],
                 *r = first + (s->relations.decided[k] == 2);
    double limit = extrapolate_cadence(r, s->run.time);
    width = whole_width(first, r, width);
    first->peak = 0;
    first->inside = width < 1 ? first->inside + 1 : 0;
    first->trembling =
        width <= 10 * s->run.options->tolerance / s->run.eps ? first->trembling + 1 : 0;
    if (r->shrinking >= SHRUNK && fallback_needed(s->prog, r->gap, width, RESOLVED)) {
        fallback_enter(s->prog);
        prog->fallback.last_event = s->run.time;
        prog->fallback.max_step = r->gap;
    }
    if (first->trembling > TREMBLING && !first->bounces)
        fallback_for_small_events(s->prog, r->gap);
    double next = width * r->ratio * r->ratio, shift = locator_share(&s->accumulation, k);
    if (isfinite(limit) && next <= 4 * shift)
        return request_sliding(s, k, !first->bounces, first->bounces ? limit : s->run.time);
    bool trembles = first->trembling > TREMBLED && !first->bounces;
    return !trembles || request_sliding(s, k, true, s->run.time);
}

static bool count_cadences(Sim *s, double width)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (!program_relation(s->prog, k)->is_time_event && s->relations.decided[k] &&
            !count_event(s, k, width))
            return false;
    }
    return true;
}

/* Too many events within no time, in any rhythm. */
static bool request_literally(Sim *s)
{
    if (!s->event.n_triggers || s->run.options->chattering_stops ||
        s->accumulation.cadences[2 * (size_t)s->event.triggers[0]].bounces)
        return !fail_without_solution(s->prog) &&
               fail_accumulation(s->prog, &s->event, false, s->run.time);
    s->accumulation.window_events = 0;
    s->accumulation.literal = s->accumulation.relation == NONE;
    return s->accumulation.relation != NONE ||
           request_sliding(s, s->event.triggers[0], true, s->run.time);
}

/* Whether the relation has changed to and fro within the narrow events. Several relations that
 * change once at one instant do not chatter. */
static bool turns_back(const Accumulation *a, uint32_t k)
{
    const EventCadence *c = &a->cadences[2 * (size_t)k];
    return c[0].events && c[1].events && fmin(c[0].time, c[1].time) >= a->narrow_since;
}

/* A few events within no time: where the motion can slide, it begins to. Where it cannot, more
 * events have to tell. */
static void request_early(Sim *s)
{
    Accumulation *a = &s->accumulation;
    if (a->narrow_events < TRIED || a->tried || a->relation != NONE || !s->event.n_triggers ||
        !turns_back(a, s->event.triggers[0]) ||
        a->cadences[2 * (size_t)s->event.triggers[0]].bounces || s->run.options->chattering_stops ||
        s->prog->plan->inlined.n)
        return;
    a->tried = true;
    a->early = request_sliding(s, s->event.triggers[0], true, s->run.time);
}

static void count_narrow(Sim *s, double width)
{
    Accumulation *a = &s->accumulation;
    a->narrow_events = width <= NARROW ? a->narrow_events + 1 : 0;
    if (a->narrow_events <= 1) {
        a->narrow_since = s->run.time;
        a->tried = false;
    }
}

bool event_count(Sim *s, double width)
{
    double so_far = fmax(s->run.time - s->run.options->start, model_time_scale(&s->run));
    s->accumulation.relation = NONE;
    s->accumulation.flight = s->accumulation.literal = s->accumulation.early = false;
    count_narrow(s, width);
    if (!count_cadences(s, width))
        return false;
    request_early(s);
    if (s->accumulation.narrow_events > CHATTERED && s->accumulation.relation == NONE &&
        s->event.n_triggers && turns_back(&s->accumulation, s->event.triggers[0])) {
        s->accumulation.narrow_events = 0;
        if (!request_sliding(s, s->event.triggers[0], true, s->run.time))
            return false;
    }
    if (s->run.time - s->accumulation.window_start > 1e-5 * so_far ||
        !s->accumulation.window_events) {
        s->accumulation.window_start = s->run.time;
        s->accumulation.window_events = 1;
        return true;
    }
    return ++s->accumulation.window_events <= ACCUMULATED || request_literally(s);
}

/* ---- flights ---- */

/* After an impact the motion leads back to its surface. If the tolerance does not resolve a flight,
 * the one-step method takes over, with steps shorter than the flight. If a flight is too short to
 * locate events, the bouncing ends. It also ends if another impact cuts a flight short before the
 * relation has changed back. */
static bool watch_flight(Sim *s, uint32_t k)
{
    ModeProgram *prog = s->prog;
    const DaeRelation *r = program_relation(prog, k);
    bool is = prog->v[r->var] != 0;
    double length, height, ratio = s->accumulation.cadences[2 * k + is].ratio;
    if (s->accumulation.cadences[2 * k].impact != (is ? 2 : 1) ||
        !impact_flight(s->prog, k, &length, &height))
        return true;
    double width = height / (s->run.eps * relation_scale(&s->run, k));
    if (width < -IMPACT_NEAR) /* it is somewhere else */
        return true;
    if (width > 4 * locator_shift(s->locator, k)) {
        fallback_flight(s->prog, length, width);
        return true;
    }
    s->accumulation.flight |= s->accumulation.relation == NONE;
    return s->accumulation.relation != NONE ||
           request_sliding(s, k, false,
                           s->run.time + length / (ratio > 0 && ratio < 1 ? 1 - ratio : 1));
}

static void note_impact(Sim *s, uint32_t k)
{
    ModeProgram *prog = s->prog;
    const DaeRelation *r = program_relation(prog, k);
    bool is = prog->v[r->var] != 0, was = s->left[r->var] != 0;
    s->accumulation.cadences[2 * k].bounces = true;
    if (is == was || r->is_time_event)
        return;
    uint8_t side = is ? 2 : 1, *impact = &s->accumulation.cadences[2 * k].impact;
    if ((*impact == 0 || *impact == side) && impact_note(s, k))
        *impact = side;
}

static bool watch_impacts(Sim *s)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        note_impact(s, s->event.triggers[i]);
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++)
        if (s->accumulation.cadences[2 * k].impact && !watch_flight(s, k))
            return false;
    return true;
}

/* A switch chatters, and the motion does not slide: the first time, the run may continue with
 * another program. */
static bool is_stuck(Sim *s)
{
    Accumulation *a = &s->accumulation;
    if (s->run.status == SIM_FAILED || !a->chattering || a->was_stuck || !s->locator->switching ||
        !s->locator->switching[a->relation])
        return false;
    return a->stuck = a->was_stuck = true;
}

/* Holds the requested surface; false if the run ends. */
static bool begin_requested(Sim *s)
{
    bool rest = s->accumulation.cadences[2 * s->accumulation.relation].bounces;
    if (rest && !s->event.n_reinits) { /* the next impact will do */
        s->accumulation.relation = NONE;
        return true;
    }
    bool early = s->accumulation.early;
    if (!rest && !early && fail_without_solution(s->prog))
        return false;
    bool held = !s->accumulation.literal && sliding_begin(s, s->accumulation.relation, rest);
    if (!held && early && s->run.status != SIM_FAILED) {
        s->accumulation.relation = NONE;
        return true;
    }
    /* inline integration allows small changes back and forth, as long as time advances */
    bool goes_on = s->prog->plan->inlined.n && s->accumulation.chattering;
    if (!held && !goes_on && is_stuck(s)) {
        s->accumulation.relation = NONE;
        return true;
    }
    if (!held && !rest && !goes_on && s->run.status != SIM_FAILED)
        held = sliding_take_literally(s, s->accumulation.relation);
    if (held && solver_reads_derivatives_only(s->prog))
        fallback_end(s->prog);
    if (!held && s->run.status == SIM_FAILED)
        return false;
    if (!held && !s->accumulation.flight && !goes_on)
        return fail_accumulation(s->prog, &s->event, s->accumulation.chattering,
                                 s->accumulation.limit);
    s->accumulation.relation = NONE;
    if (held) /* the motion is another one now */
        s->accumulation.narrow_events = 0;
    return !held || !s->event.n_reinits || watch_impacts(s);
}

/* Whether a reinit moved a state by more than the accuracy of events. A reinit that sets a velocity
 * to zero when it has just reached zero moves nothing: that is not an impact. */
static bool anything_moved(const Sim *s)
{
    for (uint32_t i = 0; i < s->event.n_reinits; i++) {
        const Reinit *r = &s->event.reinits[i];
        double size = program_var(s->prog, r->var)->nominal + fabs(r->from);
        if (!(fabs(r->to - r->from) <= MOVED * s->run.eps * size))
            return true;
    }
    return false;
}

bool event_continue(Sim *s)
{
    if (anything_moved(s) && !s->terminated && !watch_impacts(s))
        return false;
    while (s->accumulation.relation != NONE && !s->terminated)
        if (!begin_requested(s))
            return false;
    return true;
}

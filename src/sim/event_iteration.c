/* The event at an instant: event iteration, actions, rows before and after.
 *
 * Each iteration evaluates all equations; then reinit takes effect; then the left limits follow
 * their variables. It ends when nothing changes any more. Sample variables are true only in the
 * first iteration. A relation that was located or scheduled is decided, not evaluated, while its z
 * does not move. */
#include "sim/run.h"

#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/profile/profile.h"
#include "sim/report/report.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"
#include "sim/variation_hooks.h"

#include <math.h>

enum { DEFAULT_ITERATIONS = 100, MOST_FORESEEN = 20 };

/* ---- left limits ---- */

/* Whether a value that has a left limit became undefined just now. */
static bool becomes_undefined(const Sim *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->pres.n; i++)
        any |= isnan(s->prog->v[s->pres.at[i].base]) && !isnan(s->prog->v[s->pres.at[i].pre]);
    return any;
}

static bool update_pres(Sim *s)
{
    bool changed = false;
    for (uint32_t i = 0; i < s->pres.n; i++) {
        const PreLink *link = &s->pres.at[i];
        double value = link->sign * s->prog->v[link->base], old = s->prog->v[link->pre];
        if (value == old)
            continue;
        changed |= !(fabs(value - old) <= link->slack + link->slack * fabs(value)) &&
                   !(isnan(value) && isnan(old));
        s->prog->v[link->pre] = value;
    }
    return changed;
}

static void remember_discrete(Sim *s)
{
    for (uint32_t i = 0; i < s->discrete.n; i++)
        s->discrete.before[i] = s->prog->v[s->discrete.vars[i]];
}

/* Whether continuous equations have changed, and whether a visible variable has. */
static void judge_changes(const Sim *s, bool *relevant, bool *visible)
{
    *relevant = *visible = s->event.n_reinits > 0 || s->event.mode_changed || s->event.delayed;
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (s->discrete.before[i] != s->prog->v[s->discrete.vars[i]]) {
            *relevant |= s->prog->relevant[i];
            *visible |= s->prog->relevant[i] || !program_var(s->prog, s->discrete.vars[i])->hidden;
        }
    *visible |= s->schedule->n_fired > 0 || s->terminated || s->event.terminal;
}

/* ---- the iteration ---- */

static bool any_decided(const Sim *s)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        if (s->relations.decided[s->event.triggers[i]])
            return true;
    return false;
}

/* z of the decided relations at the left limit, which is in v. */
static int note_decided(Sim *s)
{
    if (!any_decided(s))
        return 0;
    int status = s->prog->code->indicators(s->prog->m, s->relations.z);
    for (uint32_t i = 0; !status && i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (!s->relations.decided[k])
            continue;
        s->relations.decided_z[k] = s->event.trigger_z[i] = s->relations.z[k];
        s->relations.decided_at[k] =
            program_relation(s->prog, k)->is_time_event ? s->relations.z[k] : NAN;
    }
    return status;
}

/* Returns decided relations to the rule if their z moved. */
static int release_decided(Sim *s)
{
    if (!any_decided(s))
        return 0;
    int status = s->prog->code->indicators(s->prog->m, s->relations.z);
    for (uint32_t i = 0; !status && i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (!(fabs(s->relations.z[k] - s->relations.decided_z[k]) <=
              s->run.eps * relation_scale(&s->run, k)))
            s->relations.decided[k] = 0;
    }
    return status;
}

/* Whether the event decided relation k, and its z has not moved since. */
static bool keeps_decision(const Sim *s, uint32_t k)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        if (s->event.triggers[i] == k)
            return s->relations.decided[k] && fabs(s->relations.z[k] - s->relations.decided_z[k]) <=
                                                  s->run.eps * relation_scale(&s->run, k);
    return false;
}

/* Relations that are zero up to rounding count as exactly zero, except those that caused the event.
 * True if one of them changes. */
static bool decide_at_zero(Sim *s, int *status)
{
    bool changes = false;
    *status = s->prog->code->indicators(s->prog->m, s->relations.z);
    for (uint32_t k = 0; !*status && k < program_n_relations(s->prog); k++) {
        const DaeRelation *r = program_relation(s->prog, k);
        if (r->is_time_event || keeps_decision(s, k))
            continue;
        bool at_zero = fabs(s->relations.z[k]) <= s->run.eps * relation_scale(&s->run, k);
        bool holds = r->op == OP_GE || r->op == OP_LE;
        changes |= at_zero && holds != program_relation_holds(s->prog, k);
        s->relations.decided[k] = !at_zero ? 0 : holds ? 2 : 1;
    }
    return changes && !*status;
}

typedef struct Iteration {
    bool foreseeing; /* relations at zero get the values that they have a moment later */
    bool following;  /* a block that has no solution for these left limits takes one turn */
    bool literal;    /* relations at zero get their literal values */
} Iteration;

/* Whether a value that was finite before the event no longer is. */
static bool loses_value(const Sim *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->run.n_common; i++)
        any |= !isfinite(s->prog->v[i]) && isfinite(s->left[i]);
    return any;
}

static const double NEXT_MOMENT = 1e-13; /* in time scales of the model */

/* Evaluates all equations. `time > e` is false at e itself, and the branch that begins after e may
 * have no value there: sin(time - e)/(time - e). The event then takes place a moment later, once.
 */
static int evaluate_branch(Sim *s)
{
    int status = modes_event(s);
    if (s->event.initial || s->event.terminal || s->run.time != s->event.time ||
        (status ? status != MODEL_NOT_FINITE : !loses_value(s)))
        return status;
    s->run.time += fmax(solver_resolution(s->run.time), NEXT_MOMENT * model_time_scale(&s->run));
    s->prog->v[0] = s->run.time;
    s->prog->m->status = 0;
    return modes_event(s);
}

/* Evaluates all equations, and again while relations at zero are about to change. */
static int evaluate(Sim *s, const Iteration *how)
{
    Runtime *rt = s->prog->rt;
    runtime_relations(rt, s->relations.decided, s->run.eps, 0);
    runtime_one_turn(rt, how->following);
    int status = evaluate_branch(s);
    runtime_one_turn(rt, false);
    for (int turn = 0; turn < MOST_FORESEEN && how->foreseeing && !status && can_foresee(s->prog) &&
                       foresee_relations(s);
         turn++)
        status = evaluate_branch(s);
    for (int turn = 0; turn < MOST_FORESEEN && how->literal && !status; turn++) {
        if (!decide_at_zero(s, &status))
            break;
        status = modes_event(s);
    }
    return status;
}

/* One iteration; *changed: another one is needed. MODEL_NO_MIXED if left limits no longer change
 * and a block still has no solution. */
static int iterate(Sim *s, const Iteration *how, bool *changed)
{
    int status = evaluate(s, how);
    bool unsettled = how->following && runtime_unsettled(s->prog->rt);
    s->event.followed |= unsettled;
    if (!status)
        variation_pass(s);
    s->event.iterations++;
    s->run.stats->event_iterations++;
    if (status)
        return status;
    *changed = event_act(s, &status);
    variation_acted(s);
    if (s->run.status == SIM_FAILED)
        *changed = false;
    if (status || s->run.status == SIM_FAILED)
        return status;
    if (s->event.iterations == 1)
        *changed |= schedule_release(s->schedule, s->prog);
    if (becomes_undefined(s) && !fail_unless_finite(s->prog)) {
        *changed = false;
        return 0;
    }
    bool followed = update_pres(s);
    *changed |= followed;
    if (unsettled && !followed)
        return MODEL_NO_MIXED;
    return *changed ? release_decided(s) : 0;
}

/* Iterates until nothing changes; *status is a ModelStatus. False if it does not end. A change that
 * passes from each variable to the next takes as many iterations as there are left limits. If the
 * iteration goes round through several modes, rounding has decided it: then relations at zero get
 * their literal values. */
static bool iterate_all(Sim *s, const Iteration *how, int *status)
{
    uint64_t most = s->run.options->max_events_at_instant
                        ? s->run.options->max_events_at_instant
                        : DEFAULT_ITERATIONS + (uint64_t)s->pres.n;
    Iteration now = *how;
    *status = note_decided(s);
    runtime_invalidate(s->prog->rt);
    for (bool changed = true; !*status && changed;) {
        if (s->event.iterations >= most) {
            if (now.literal || !s->event.mode_changed || sliding_active(s->prog))
                return false;
            now.literal = true;
            most *= 2;
        }
        *status = iterate(s, &now, &changed);
    }
    return true;
}

static bool iterate_plainly(Sim *s, int *status)
{
    return iterate_all(s, &(Iteration){0}, status);
}

/* The iteration from the left limits. A block without a solution for them may get one as they
 * change. If it does not, the structure of the equations decides. */
static bool iterate_from_left(Sim *s, int *status)
{
    const ModeProgram *begin = s->prog;
    bool following = !s->event.initial && program_n_relations(s->prog) && !modes_active(s) &&
                     !sliding_active(s->prog);
    s->event.followed = false;
    bool ends = iterate_all(s, &(Iteration){.following = following}, status),
         good = ends && !*status;
    if (!s->event.followed || good || s->run.status == SIM_FAILED || s->prog != begin)
        return ends;
    iteration_restore(s);
    modes_begin_instant(s);
    return iterate_plainly(s, status);
}

/* Whether relations caused the event because they rest at exactly zero. */
static bool is_rest(const Sim *s)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        if (s->event.trigger_z[i] != 0 ||
            program_relation(s->prog, s->event.triggers[i])->is_time_event)
            return false;
    return s->event.n_triggers > 0 && !s->schedule->n_fired;
}

/* The iteration in which relations at zero get the values that they have a moment later. *good: it
 * has succeeded. */
static bool iterate_foreseeing(Sim *s, int *status, bool *good)
{
    bool ends = iterate_all(s, &(Iteration){.foreseeing = true}, status);
    *good = ends && !*status && !iteration_returned(s);
    return ends;
}

/* The iteration from the left limits. If it cycles, or returns to its beginning, relations that are
 * zero up to rounding have decided it. It then runs once more, with the values that these relations
 * have a moment later. If relations rest at zero, it begins with these values: others may have just
 * begun to move. */
static bool settle(Sim *s, int *status)
{
    const ModeProgram *begin = s->prog;
    bool good = false, ends;
    iteration_save(s);
    if (is_rest(s) && can_foresee(s->prog)) {
        ends = iterate_foreseeing(s, status, &good);
        if (good || s->run.status == SIM_FAILED || s->prog != begin)
            return ends;
        iteration_restore(s);
        modes_begin_instant(s);
        return iterate_from_left(s, status);
    }
    ends = iterate_from_left(s, status);
    if (*status || s->run.status == SIM_FAILED || s->terminated || s->prog != begin ||
        !can_foresee(s->prog) || (ends && !iteration_returned(s)))
        return ends;
    iteration_restore(s);
    modes_begin_instant(s);
    ends = iterate_foreseeing(s, status, &good);
    if (good || s->run.status == SIM_FAILED || s->prog != begin)
        return ends;
    iteration_restore(s);
    modes_begin_instant(s);
    return iterate_from_left(s, status);
}

static bool iterate_literally(Sim *s, int *status)
{
    return iterate_all(s, &(Iteration){.literal = true}, status);
}

static bool iterate_ahead(Sim *s, int *status)
{
    return iterate_all(s, &(Iteration){.foreseeing = true}, status);
}

/* The same if a relation that caused the event returns to its old value as other switches move: of
 * two diodes that reach zero together, only one conducts a moment later. */
static bool iterate_freely(Sim *s, int *status)
{
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (!program_relation(s->prog, k)->is_time_event)
            s->relations.decided[k] = 0;
    }
    return iterate_ahead(s, status);
}

static bool is_settled(const Sim *s, bool ends, int status)
{
    return ends && !s->event.momentary && status != MODEL_SINGULAR && status != MODEL_NO_MIXED;
}

/* As above. If the iteration left the program for inline integration and did not settle, it starts
 * again with the inlined program. If a combination of switches on the way has no solution, or only
 * at this instant, the nearest one that has is searched. If switches contradict a jump of a state,
 * positions that do not are searched, too. Without success, the message describes the iteration. */
static bool settle_switches(Sim *s, int *status)
{
    static EventIteration *const all[] = {iterate_plainly, iterate_literally, iterate_ahead,
                                          iterate_freely};
    const EventIterations ways = {all, sizeof all / sizeof *all};
    ModeProgram *begin = s->prog;
    switches_forget_jump(s);
    bool ends = settle(s, status);
    if (!is_settled(s, ends, *status) && s->run.status != SIM_FAILED && !s->terminated &&
        modes_restart_inline(s, begin))
        ends = settle(s, status);
    if (s->run.status == SIM_FAILED || s->terminated)
        return ends;
    if (is_settled(s, ends, *status)) {
        if (*status || !switches_contradict_jump(s) || switches_correct_jump(s, begin, ways))
            return ends;
        ends = settle(s, status);
        if (ends && !*status && switches_contradict_jump(s))
            switches_warn(s);
        return ends;
    }
    if (switches_search(s, begin, ways)) {
        *status = 0;
        return true;
    }
    return ends;
}

bool event_settle(Sim *s)
{
    int status = 0;
    if (!settle_switches(s, &status))
        return fail_iteration(s->prog, &s->pres, &s->event);
    memset(s->relations.decided, 0, program_n_relations(s->prog));
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        s->relations.decided_at[s->event.triggers[i]] = NAN;
    runtime_relations(s->prog->rt, NULL, s->run.eps, 0);
    s->event.mixed = runtime_mixed_used(s->prog->rt, &s->event.turns);
    if (s->run.status == SIM_FAILED)
        return false;
    return !status || fail_model(s->prog, status, "iterating at an event");
}

/* ---- the whole event ---- */

static void count_kinds(Sim *s)
{
    bool timed = s->schedule->n_fired > 0;
    for (uint32_t i = 0; !timed && i < s->event.n_triggers; i++)
        timed = program_relation(s->prog, s->event.triggers[i])->is_time_event;
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        s->relations.fired[s->event.triggers[i]]++;
    if (timed)
        s->run.stats->time_events++;
    else if (s->event.n_triggers)
        s->run.stats->state_events++;
}

static void begin_instant(Sim *s)
{
    memcpy(s->left, s->prog->v, s->run.n_common * sizeof *s->prog->v);
    modes_begin_instant(s);
    remember_discrete(s);
    bool changed = value_changes_take(s);
    update_pres(s);
    schedule_rescale(s->schedule, s->prog);
    if (!s->event.terminal && schedule_due(s->schedule, s->run.time))
        schedule_fire(s->schedule, s->prog, &s->relations, &s->event, s->run.time);
    s->event.delayed = delays_pass(s) || changed;
    if (s->event.terminal)
        s->prog->v[program_terminal(s->prog)] = 1;
    sliding_keep(s->prog, &s->relations);
}

/* The rows before and after; if another event follows at once, the row after the first is the row
 * before the second. */
static bool write_event(Sim *s)
{
    if (!fail_unless_finite(s->prog))
        return false;
    count_kinds(s);
    s->instants++;
    event_log_write(s);
    return (s->rows.last >= s->run.time || row_write(s, s->left)) && row_write(s, s->prog->v);
}

static bool handle_instant(Sim *s)
{
    begin_instant(s);
    locator_rested(s);
    simultaneous_judge(s);
    bool relevant = false, visible = true, going = event_settle(s);
    if (going)
        get_states(s->prog, s->prog->x);
    if (going && (impact_rearm(s) || locator_moved_to_zero(s))) {
        going = event_settle(s);
        get_states(s->prog, s->prog->x);
    }
    if (going) {
        judge_changes(s, &relevant, &visible);
        s->run.restart |= relevant;
        if (!sliding_refresh(s))
            return false;
        variation_settled(s, visible);
        delays_note(s, relevant);
        variation_breaks(s);
        delays_arrive(s);
        going = (!visible || write_event(s)) && event_asserts(s) && schedule_update(s) &&
                locator_restart(s);
    } else if (s->rows.last < s->run.time) {
        row_write(s, s->left);
    }
    return going;
}

bool event_handle(Sim *s)
{
    double begin = run_clock(&s->run), writing = s->run.stats->seconds_output;
    profile_enter(s->run.calls, PROFILE_PART, PART_EVENTS);
    bool going = handle_instant(s);
    profile_leave(s->run.calls);
    double seconds = run_clock(&s->run) - begin;
    run_profile_event(s, seconds);
    s->run.stats->seconds_events += seconds - (s->run.stats->seconds_output - writing);
    return going;
}

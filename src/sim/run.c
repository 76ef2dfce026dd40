/* A model in time: initialization, then steps, events and rows up to a time, as often as asked.
 *
 * Solvers step, the locator looks for state events on their dense output, the schedule says when to
 * stop; this file puts them in order. */
#include "sim/run.h"

#include "base/clock.h"
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/event/poles.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/profile/profile.h"
#include "sim/report/report.h"
#include "sim/sliding/sliding.h"
#include "sim/solver/fast_transient.h"
#include "sim/state/evaluate.h"
#include "sim/state/externals.h"
#include "sim/variation_hooks.h"

#include <math.h>

enum { MOST_BLOCKED = 50 }; /* steps that may fail before one branch of a solution is left */
static const double INSTANT = 1e-12; /* in time scales of the model */

/* ---- events ---- */

/* Between events, at (time, x): states may be exchanged. */
static void monitor_states(Sim *s)
{
    variation_exchange(s, true);
    if (stateset_monitor(s->prog)) {
        variation_exchange(s, false);
        modes_states_changed(s);
    }
}

/* All values of the left limit at s->run.time, then the event. */
static bool handle(Sim *s)
{
    int status = evaluate_outputs(s->prog, s->run.time, s->prog->x);
    if (status)
        return fail_model(s->prog, status, "computing results");
    variation_left(s);
    if (!event_handle(s))
        return false;
    /* a silent event writes none */
    if (s->rows.last < s->run.time && rows_due(s) && !row_at(s, s->run.time, s->prog->x))
        return false;
    if (s->rows.last >= s->run.time)
        rows_skip(s);
    monitor_states(s);
    return !s->terminated;
}

static bool time_event(Sim *s, double t)
{
    event_begin(s, t);
    s->run.time = t;
    locator_arriving(s);
    return event_count(s, INFINITY) && handle(s);
}

/* How far z of the triggering relations went since the last event, in units of ε: at steps, and in
 * the middle of this one. INFINITY if unknown. */
static double excursion(Sim *s, double t0, double te)
{
    double middle = t0 + 0.5 * (te - t0), most = 0;
    program_states_at(s->prog, middle, s->prog->xi);
    if (!s->event.n_triggers || evaluate_crossings(s->prog, middle, s->prog->xi, s->relations.z))
        return INFINITY;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        double here = fabs(s->relations.z[k]) / (s->run.eps * relation_scale(&s->run, k));
        most = fmax(most, fmax(here, s->accumulation.cadences[2 * k].peak));
    }
    return most;
}

/* The step is repeated from t0 with a quarter of its length, if it is longer than `shortest`. */
static bool quarter_step(Sim *s, double t0, double shortest)
{
    double length = s->prog->solver->t - t0;
    if (length <= shortest + 64 * solver_resolution(t0))
        return false;
    s->run.failed.status = 0;
    program_states_at(s->prog, t0, s->prog->x);
    event_begin(s, t0);
    s->spurious.max_step = 0.25 * length;
    s->run.restart = true;
    return locator_restart(s);
}

/* The same; false if the step is too short. */
static bool shorten_step(Sim *s, double t0)
{
    return quarter_step(s, t0, 1e-9 * fmax(1, fabs(t0)));
}

/* A step that passes a pole of derivatives is shortened. Shorter steps see the pole, or do not
 * reach it. If the shortest one passes it, the model has a value on both sides, as sin(x)/x. */
static bool avoid_pole(Sim *s)
{
    const ModeProgram *prog = s->prog;
    return !(prog->kind->properties & SOLVER_FIXED_STEP) && poles_passed(prog->poles) &&
           quarter_step(s, s->run.time, 1e-9 * model_time_scale(&s->run));
}

/* Whether a shorter step may help where the model could not be evaluated inside a step. */
static bool is_local_failure(int status)
{
    return status == MODEL_NO_CONVERGENCE || status == MODEL_NOT_FINITE || status == MODEL_ASSERT;
}

/* After rows_until returned false. Both ends of the step may be in the domain of the model while a
 * value in between, which the solver interpolates, is not. A shorter step is more accurate. */
static bool repeat_for_row(Sim *s)
{
    int status = s->rows.failed;
    s->rows.failed = 0;
    if (!status)
        return false;
    return (!s->variation && is_local_failure(status) && shorten_step(s, s->run.time)) ||
           fail_model(s->prog, status, "computing results");
}

/* A crossing in the last step: rows up to it, then the event, together with time events that fall
 * on it. */
static bool state_event(Sim *s, double t0, double te)
{
    double width = excursion(s, t0, te);
    if (s->prog->solver->t == s->limit && schedule_due(s->schedule, te))
        te = s->limit;
    variation_follow(s, te);
    program_states_at(s->prog, te, s->prog->x);
    if (!rows_until(s, te, true))
        return repeat_for_row(s);
    if (!delays_record(s, te))
        return false;
    s->run.time = s->event.time = te;
    if (!event_count(s, width) || !handle(s) || !event_continue(s))
        return false;
    variation_held(s);
    return true;
}

/* ---- steps ---- */

/* Whether assertions are true at t inside the solver's last step; values that they need are then
 * those at t. Other results may cost much more than a step. */
static bool asserts_hold(Sim *s, double t)
{
    program_states_at(s->prog, t, s->prog->xi);
    return evaluate_indicators(s->prog, t, s->prog->xi, NULL) || !event_violated(s);
}

/* The assertions at the end of the step. A violation is traced to its beginning, with rows up to
 * it. */
static bool check_step(Sim *s, double t)
{
    if (!s->actions.n_asserts || asserts_hold(s, t))
        return !s->actions.n_asserts || event_asserts(s);
    double good = s->run.time;
    while (t - good > fmax(solver_resolution(t), 1e-9 * fabs(s->prog->solver->t - s->run.time))) {
        double middle = 0.5 * (good + t);
        *(asserts_hold(s, middle) ? &good : &t) = middle;
    }
    if (!rows_until(s, t, true))
        return repeat_for_row(s);
    s->run.time = t;
    program_states_at(s->prog, t, s->prog->xi);
    return row_at(s, t, s->prog->xi);
}

/* Warns about the chosen method, not about one that replaces it for a while. */
static void warn_stiff(Sim *s)
{
    if (!s->prog->solver->stiff || s->run.reported.stiff || s->prog->automatic.at == EXPLICIT ||
        s->prog->fallback.replaced)
        return;
    s->run.reported.stiff = true;
    diag(s->run.ctx, (Span){0, 0, 0}, DIAG_R011,
         "the model is stiff near time = %g: %s takes very small steps; use --solver cvode "
         "or --solver auto",
         s->run.time, s->prog->kind->name);
}

/* A surface is left at te, inside the last step. */
static bool leave(Sim *s, double te)
{
    variation_follow(s, te);
    program_states_at(s->prog, te, s->prog->x);
    if (!rows_until(s, te, true))
        return repeat_for_row(s);
    if (!delays_record(s, te))
        return false;
    event_begin(s, te);
    s->run.time = te;
    s->run.restart = true;
    return sliding_release(s) && handle(s);
}

/* The step ends just before a spurious crossing, and the solver restarts there. */
static bool end_step(Sim *s, double t0, double te)
{
    te = fmax(te - 4 * solver_resolution(te), t0);
    variation_follow(s, te);
    if (!rows_until(s, te, false))
        return repeat_for_row(s);
    if (!delays_record(s, te))
        return false;
    program_states_at(s->prog, te, s->prog->x);
    event_begin(s, te);
    s->run.time = te;
    s->run.restart = true;
    return locator_restart(s);
}

/* Whether nothing changes by ε up to `end`, and this lies beyond zero of a relation and beyond the
 * domain of its branch. */
static bool leaves_domain(Sim *s, double end)
{
    ModeProgram *prog = s->prog;
    if (!locator_ends_beyond(s->locator))
        return false;
    program_states_at(prog, end, prog->xi);
    return evaluate_is_beyond(prog, end, prog->xi);
}

/* The first crossing between t0 and `end`, within the last step. If there is one, the solver makes
 * its dense output exact, because the event passes its error on. Then the crossing is located
 * again. If it is gone, the search begins anew, because the first one ended there. */
static Located find_crossing(Sim *s, double t0, double end, double *te)
{
    Solver *solver = s->prog->solver;
    event_begin(s, t0);
    Located located = locator_find(s->locator, t0, end, te);
    if (located == LOCATED_NONE && leaves_domain(s, end)) {
        locator_sharpen(s->locator);
        return locator_find_again(s->locator, t0, end, te);
    }
    if (located != LOCATED_EVENT || !solver->refine || !solver->refine(solver))
        return located;
    event_begin(s, t0);
    located = locator_find_again(s->locator, t0, end, te);
    if (located != LOCATED_NONE)
        return located;
    event_begin(s, t0);
    return locator_find(s->locator, t0, end, te);
}

static Located find_event(Sim *s, double t0, double end, double *te)
{
    profile_enter(s->run.calls, PROFILE_PART, PART_LOCATION);
    Located located = find_crossing(s, t0, end, te);
    profile_leave(s->run.calls);
    return located;
}

static bool step_through_events(Sim *s, double end)
{
    while (s->run.time < end && !s->run.restart) {
        double t0 = s->run.time, te;
        evaluate_keep_way(s->prog);
        Located located = find_event(s, t0, end, &te);
        if (located == LOCATED_FAILED)
            return (s->run.failed.status == MODEL_NO_CONVERGENCE && shorten_step(s, t0)) ||
                   modes_end_trial(s) || modes_retreat(s) ||
                   fail_model(s->prog, s->run.failed.status, "looking for events");
        double until = located == LOCATED_EVENT ? te : end;
        if (sliding_leave(s->prog, until, &te))
            return leave(s, te);
        if (located == LOCATED_NONE)
            return true;
        if (crossing_is_spurious(s, t0, &te))
            return end_step(s, t0, te);
        uint64_t instants = s->instants;
        s->spurious.max_step = INFINITY;
        if (!state_event(s, t0, te))
            return false;
        s->run.restart |= schedule_next(s->schedule) < s->prog->solver->t ||
                          (s->stop_at_event && s->instants > instants);
    }
    return true;
}

/* State events between s->run.time and `end`, a time within the solver's last step, as long as the
 * step stays valid. */
static bool events_of_step(Sim *s, double end)
{
    ModeProgram *prog = s->prog; /* an event may change it */
    bool going = step_through_events(s, end);
    evaluate_free_way(prog);
    return going;
}

/* If a solver keeps blocks open, it cannot solve the step at the end of a branch. A closed
 * evaluation just ahead reveals this. */
static void probe_ahead(Sim *s)
{
    double ahead = 1e-9 * (1 + fabs(s->run.time));
    if (evaluate_derivatives(s->prog, s->run.time, s->prog->x))
        return;
    for (uint32_t i = 0; i < s->prog->n; i++)
        s->prog->xi[i] = s->prog->x[i] + ahead * s->prog->v[s->prog->plan->states.at[i].der];
    evaluate_derivatives(s->prog, s->run.time + ahead, s->prog->xi);
}

/* After a step that failed because a block has no solution further on: tries once more from here,
 * to come nearer. If that does not help, the branch of the solution ends (hysteresis without
 * relations), and an event at the point of failure lets it jump. False if neither helps. */
static bool pass_branch_end(Sim *s, StepStatus status)
{
    if (status == STEP_NO_CONVERGENCE)
        probe_ahead(s);
    double ahead = s->run.failed.time - s->run.time;
    if (s->run.failed.status != MODEL_NO_CONVERGENCE ||
        fabs(ahead) > 1e-4 * (1 + fabs(s->run.time)) || s->blocked.n++ >= MOST_BLOCKED)
        return false;
    bool nearer = s->blocked.n == 1 || s->run.time > s->blocked.time;
    s->run.restart = true;
    s->blocked.time = s->run.time;
    if (nearer && ahead > 1e-9 * fmax(fabs(s->run.time), solver_resolution(s->run.time)))
        return true;
    if (ahead > 0)
        memcpy(s->prog->x, s->prog->failed_x, s->prog->n * sizeof *s->prog->x);
    s->run.time = s->blocked.time = fmax(s->run.time, s->run.failed.time);
    s->run.failed.status = 0;
    event_begin(s, s->run.time);
    int block = s->prog->m->failed_block;
    runtime_jumps(s->prog->rt, 1);
    bool ok = handle(s);
    runtime_jumps(s->prog->rt, 0);
    if (ok)
        warn_solution_jump(s->prog, block);
    return ok;
}

/* After a step that failed because it had to be too short: a transient that is faster than times
 * can be told apart takes place at this instant. False if there is none. */
static bool pass_fast_transient(Sim *s, StepStatus status)
{
    double t = s->run.time,
           h = fmax(INSTANT * model_time_scale(&s->run), 16 * solver_resolution(t));
    if ((status != STEP_TOO_SMALL && status != STEP_NO_CONVERGENCE) || !s->prog->solver->implicit ||
        s->blocked.n++ >= MOST_BLOCKED || !fast_transient_pass(&s->prog->problem, t, h, s->prog->x))
        return false;
    s->run.failed.status = 0;
    s->run.restart = true;
    event_begin(s, t);
    return handle(s);
}

static StepStatus solver_step(Sim *s, double limit)
{
    double begin = run_clock(&s->run);
    profile_enter(s->run.calls, PROFILE_PART, PART_SOLVER);
    variation_begin_step(s);
    StepStatus status = s->prog->solver->step(s->prog->solver, limit);
    variation_end_step(s);
    profile_leave(s->run.calls);
    run_profile_step(s->prog, run_clock(&s->run) - begin);
    return status;
}

/* ---- objects that step with the run ---- */

/* Before a step: they get the present values, and say how far they know theirs. */
static bool begin_objects(Sim *s, double *limit)
{
    if (!externals_steps(s->run.externals).before)
        return true;
    int status = evaluate_outputs(s->prog, s->run.time, s->prog->x);
    if (!status && !externals_limit(s->run.externals, s->run.time, limit))
        status = MODEL_EXTERNAL;
    return !status || fail_model(s->prog, status, "beginning a step");
}

/* After a step: *event is set if one of them needs an event now. */
static bool end_objects(Sim *s, bool *event)
{
    ExternalSteps steps = externals_steps(s->run.externals);
    if (!steps.after)
        return true;
    int status = steps.values ? evaluate_derivatives(s->prog, s->run.time, s->prog->x) : 0;
    if (!status && !externals_accept(s->run.externals, s->run.time, event))
        status = MODEL_EXTERNAL;
    return !status || fail_model(s->prog, status, "ending a step");
}

/* The end of the solver's step, without an event on the way. */
static bool end_of_step(Sim *s, bool due)
{
    double t = s->run.time;
    bool requested = false;
    sizes_follow(s->prog);
    warn_stiff(s);
    if (!end_objects(s, &requested))
        return false;
    if (due)
        return time_event(s, t);
    crossing_step_passed(s, s->prog->solver->t - s->prog->solver->t0);
    locator_accept(s->locator, &s->accumulation);
    jump_bands_follow(s->prog);
    runtime_accept(s->prog->rt);
    monitor_states(s);
    if (requested)
        event_begin(s, t);
    return !requested || handle(s);
}

/* The run follows the solver's last step to its end, or to the time asked for. */
static bool follow_step(Sim *s)
{
    double end = s->prog->solver->t, t = fmin(end, s->until);
    if (!events_of_step(s, t))
        return false;
    if (s->run.restart || s->run.time >= t) /* an event ended the step */
        return true;
    bool due = t == s->limit && schedule_due(s->schedule, t);
    variation_follow(s, t);
    if (!check_step(s, t))
        return false;
    if (s->run.restart) /* the step is repeated */
        return true;
    if (!rows_until(s, t, due))
        return repeat_for_row(s);
    if (!delays_record(s, t))
        return false;
    s->run.time = t;
    program_states_at(s->prog, t, s->prog->x);
    if (t == end)
        return end_of_step(s, due);
    locator_accept(s->locator, &s->accumulation);
    return true;
}

/* One step of the solver and its consequences. */
static bool step(Sim *s, double limit)
{
    StepStatus status = solver_step(s, limit);
    if (status != STEP_OK)
        return tolerances_raise(s->prog) || sizes_raise(s->prog, status) ||
               program_change_solver(s->prog) || pass_fast_transient(s, status) ||
               modes_end_trial(s) || modes_retreat(s) || pass_branch_end(s, status) ||
               fail_step(s->prog, status);
    if (avoid_pole(s))
        return true;
    s->run.longest = fmax(s->run.longest, s->prog->solver->t - s->prog->solver->t0);
    statistics_step(s->prog);
    s->blocked.n = s->prog->solver->t > s->run.failed.time + 1e-6 * fabs(s->run.failed.time)
                       ? 0
                       : s->blocked.n;
    s->limit = limit;
    return follow_step(s);
}

/* Whether the run is inside the solver's last step, which is still valid. */
static bool inside_step(const Sim *s)
{
    return !s->run.restart && s->run.time < s->prog->solver->t;
}

/* The end of steps for what is asked for. If nothing was changed, probably nothing will be at the
 * end of this advance; then a step may go beyond it, and the next advance follows it further.
 * Histories, objects and surfaces follow the steps themselves. */
static double step_horizon(const Sim *s)
{
    static const double AHEAD = 100; /* advances like this one */
    const SimOptions *o = s->run.options;
    bool ends = !o->goes_beyond || s->changed || !s->prog->n || s->delays || s->variation ||
                sliding_active(s->prog) || s->prog->fallback.replaced ||
                externals_step(s->run.externals);
    return ends ? s->until
                : fmin(fmax(o->beyond, s->until), s->until + AHEAD * (s->until - s->from));
}

/* A separate event, after the other events at the same time. */
static bool change(Sim *s)
{
    event_begin(s, s->run.time);
    s->changes.under_way = true;
    return handle(s);
}

/* The present instant as an event: discrete variables have moved. */
static bool settle(Sim *s)
{
    event_begin(s, s->run.time);
    return handle(s);
}

/* Before a restart: inline integration takes over if switches need it. */
static bool consider_states(Sim *s)
{
    bool lost;
    double gain = tolerances_gain(s->prog, &lost);
    return gain > 0 && modes_doubt_states(s, gain, lost);
}

static bool advance(Sim *s)
{
    if (value_changes_due(s))
        return change(s);
    if (inside_step(s))
        return follow_step(s);
    if (!fallback_suits(s->prog) && !modes_leave_states(s, INFINITY))
        fallback_become_implicit(s->prog);
    double limit = fmin(fmin(step_horizon(s), schedule_next(s->schedule)),
                        s->run.time + delays_limit(s->delays, s->prog->v));
    limit = fmin(limit, s->run.time +
                            fmin(fmin(fallback_limit(s->prog, s->locator), sliding_limit(s->prog)),
                                 s->spurious.max_step));
    if (!begin_objects(s, &limit))
        return false;
    /* too near for a step: the state does not change */
    if (!(limit - s->run.time > solver_resolution(limit))) {
        bool stands = !(limit > s->run.time);
        s->run.time = fmax(s->run.time, limit);
        s->run.restart = true;
        if (schedule_due(s->schedule, s->run.time))
            return time_event(s, s->run.time);
        return !stands || fail_step(s->prog, STEP_TOO_SMALL);
    }
    if (s->accumulation.stuck)
        (void)modes_leave_states(s, INFINITY);
    s->accumulation.stuck = false;
    if (!modes_compare_inline(s))
        return false;
    program_consider_solver(s->prog);
    if (s->run.restart) {
        stages_restart(s);
        poles_restart(s->prog->poles);
        sizes_restart(s->prog, s->instants);
        tolerances_choose(s->prog);
        if (consider_states(s))
            tolerances_choose(s->prog);
        if (modes_unsettled(s))
            return settle(s);
        profile_enter(s->run.calls, PROFILE_PART, PART_SOLVER);
        s->prog->solver->restart(s->prog->solver, s->run.time, s->prog->x);
        profile_leave(s->run.calls);
    }
    s->run.restart = false;
    return step(s, limit);
}

/* Whether the run takes longer than its limit. */
static bool late(Sim *s)
{
    const SimOptions *o = s->run.options;
    if (!(o->deadline > 0) || clock_now() < o->deadline)
        return false;
    diag(s->run.ctx, (Span){0}, DIAG_R027, "the run reached time = %.9g within its limit of %.6g s",
         s->run.time, o->seconds);
    s->run.status = SIM_FAILED;
    return true;
}

static bool interrupted(Sim *s)
{
    if (late(s))
        return true;
    if (!*s->run.ctx->interrupt)
        return false;
    s->run.status = SIM_INTERRUPTED;
    return true;
}

/* The first reports follow each other closely, because nobody knows yet how long a step takes. */
static void report_progress(Sim *s)
{
    enum { MOST = 256 };
    const double slow = 0.1, fast = 0.02;
    ProgressPace *pace = &s->pace;
    if (!s->run.text || !s->run.text->progress)
        return;
    if (pace->left > 1) {
        pace->left--;
        return;
    }
    double now = clock_now(), taken = now - pace->reported;
    if (!pace->every || taken > slow)
        pace->every = pace->every > 4 ? pace->every / 4 : 1;
    else if (taken < fast && pace->every < MOST)
        pace->every *= 2;
    pace->left = pace->every;
    pace->reported = now;
    s->run.text->progress(s->run.text->user, s->run.time, s->steps,
                          s->run.stats->state_events + s->run.stats->time_events);
}

/* At a step boundary: changes to better code if there is some. */
static void consider_code(Sim *s)
{
    const SimTier *tier = s->run.options->tier;
    if (!tier || s->steps % 32 != 0 || modes_have_own_states(s))
        return;
    const ModelCode *code =
        tier->poll(tier->user, (s->run.time - s->run.options->start) /
                                   (s->run.options->stop - s->run.options->start));
    if (code == s->prog->code)
        return;
    s->prog->code = code;
    runtime_adopt(s->prog->rt, code);
    run_log(&s->run, LOG_STATS, "From time = %.9g on with code of the system's compiler\n",
            s->run.time);
}

static bool advance_measured(Sim *s)
{
    double begin = run_clock(&s->run);
    uint32_t mode = run_profile_present_mode(s->prog);
    uint64_t instants = s->instants;
    bool going = advance(s);
    run_profile_passed(&s->run, mode, run_clock(&s->run) - begin, s->instants - instants);
    return going;
}

/* Makes changes for the present time, even if the run does not advance. */
static bool integrate(Sim *s)
{
    uint64_t instants = s->instants;
    while (s->run.time < s->until || (!s->going && value_changes_due(s))) {
        s->going = true;
        if (interrupted(s) || !advance_measured(s))
            return false;
        s->steps++;
        report_progress(s);
        consider_code(s);
        if (s->stop_at_event && s->instants > instants)
            break;
    }
    return true;
}

/* ---- the run ---- */

/* Equations that are inlined from the start on may move switches with a memory, and rounded values:
 * this is iterated as at any event. */
static bool settle_start(Sim *s)
{
    bool moved = false;
    for (uint32_t i = 0; i < s->pres.n; i++) {
        const PreLink *link = &s->pres.at[i];
        moved |= s->prog->v[link->pre] != link->sign * s->prog->v[link->base] &&
                 program_var(s->prog, link->base)->kind == DAE_DISCRETE;
    }
    if (!moved)
        return true;
    event_begin(s, s->run.time);
    s->event.initial = true;
    modes_begin_instant(s);
    if (!event_settle(s))
        return false;
    get_states(s->prog, s->prog->x);
    return true;
}

static bool start(Sim *s)
{
    double at = run_clock(&s->run);
    s->run.restart = true;
    s->steps = 0;
    bool good = modes_start(s) && sim_initialize(s) && modes_started(s) && settle_start(s) &&
                row_at(s, s->run.time, s->prog->x) && event_asserts(s) && schedule_update(s) &&
                locator_restart(s);
    s->rows.next = 1;
    s->run.restart = true;
    if (good)
        sizes_start(s->prog, s->instants);
    s->run.stats->seconds_init = run_clock(&s->run) - at;
    if (!good || s->terminated)
        return false;
    return !schedule_due(s->schedule, s->run.time) || time_event(s, s->run.time);
}

bool sim_start(Sim *s)
{
    event_log_literal(s->prog);
    s->complete = VALUES_COMPLETE;
    profile_enter(s->run.calls, PROFILE_PART, PART_START);
    bool going = modes_create(s) && start(s);
    profile_leave(s->run.calls);
    return going;
}

bool sim_advance(Sim *s, double until, bool stop_at_event)
{
    if (!sim_settle(s))
        return false;
    SimStats *t = s->run.stats;
    double at = run_clock(&s->run) - t->seconds_events - t->seconds_output;
    s->from = s->run.time;
    s->until = until;
    s->changed = value_changes_due(s);
    s->stop_at_event = stop_at_event;
    s->going = false;
    s->complete = VALUES_DUE;
    bool going = integrate(s);
    t->seconds_integrate += run_clock(&s->run) - at - t->seconds_events - t->seconds_output;
    return going;
}

bool sim_row(Sim *s)
{
    return s->rows.last >= s->run.time || row_at(s, s->run.time, s->prog->x);
}

bool sim_finish(Sim *s)
{
    if (!sim_settle(s))
        return false;
    if (s->rows.last < s->run.options->stop && !row_at(s, s->run.time, s->prog->x))
        return false;
    if (program_terminal(s->prog) == NONE)
        return true;
    event_begin(s, s->run.time);
    s->event.terminal = true;
    return handle(s);
}

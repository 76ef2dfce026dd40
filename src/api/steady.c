/* Steady states: the public side of sim/orbit/orbit.h and of equilibria. */
#include "api/steady.h"

#include "sim/linear.h"

#include <math.h>

enum { MOST_PERIODS = 400, MOST_TIMES = 8 };

/* ---- rows ---- */

static bool take_row(void *user, const double *v)
{
    Steady *w = user;
    if (w->recurrence)
        return w->repeats.row(w->repeats.user, v);
    return !w->writer || writer_row(w->writer, v);
}

static bool open_run(Analysis *a, Steady *w)
{
    w->sink = (ResultSink){.user = w, .row = take_row, .needs = ROW_TIME};
    a->options.points = POINTS_GRID;
    return analysis_open(a, &w->sink) && sim_start(a->sim);
}

static bool fail(Analysis *a)
{
    a->status = analysis_status(a);
    if (a->status == KAIROS_OK && sim_terminated(a->sim))
        diag(a->ctx, (Span){0}, DIAG_A008, "the model ends by itself at time %.9g",
             sim_time(a->sim));
    a->status = a->status == KAIROS_OK ? KAIROS_FAILED : a->status;
    return false;
}

double steady_tolerance(Analysis *a)
{
    double tolerance = a->options.tolerance;
    a->options.tolerance = fmax(1e-3 * tolerance, 1e-12);
    return tolerance;
}

/* ---- equilibria ---- */

/* Poles at the present point. Whether none of them grows; *damped: all but drifts decay. */
static bool find_poles(Analysis *a, Steady *w, bool *damped)
{
    uint32_t n = linear_n_states(a->sim);
    double size = 0;
    w->n_poles = 0;
    w->pole_re = ARENA_ARRAY(a->arena, double, n + (size_t)1);
    w->pole_im = ARENA_ARRAY(a->arena, double, n + (size_t)1);
    *damped = true;
    if (!linear_poles(a->sim, w->pole_re, w->pole_im))
        return true;
    w->n_poles = n;
    bool stable = true;
    for (uint32_t i = 0; i < n; i++)
        size = fmax(size, hypot(w->pole_re[i], w->pole_im[i]));
    for (uint32_t i = 0; i < n; i++) {
        double re = w->pole_re[i], own = hypot(re, w->pole_im[i]);
        bool drifts = own <= 1e-12 * size;
        stable &= drifts || re <= 1e-9 * own;
        *damped &= drifts || re < -1e-9 * own;
    }
    return stable;
}

static EquilibriumResult equilibrium(Analysis *a, Steady *w, bool *damped)
{
    unsigned iterations;
    EquilibriumResult result = sim_equilibrium(a->sim, &w->farthest, &iterations);
    *damped = false;
    if (result == EQUILIBRIUM_FOUND)
        w->stable = find_poles(a, w, damped);
    return result;
}

static bool give_equilibrium(Analysis *a, Steady *w)
{
    w->periodic = false;
    w->used = 0; /* of motions that were tried */
    orbit_free(&w->orbit);
    if (!w->stable)
        diag(a->ctx, (Span){0}, DIAG_A010,
             "the equilibrium is unstable: a small disturbance grows, and the motion leaves it");
    return steady_save(a, w);
}

/* ---- periodic motion ---- */

static bool no_convergence(Analysis *a, Steady *w, double period)
{
    w->periodic = true;
    w->converged = false;
    w->orbit.period = period;
    bool saved = steady_save(a, w);
    diag(a->ctx, (Span){0}, DIAG_A009,
         "no motion with the period %.9g found after %u periods%s%s; what was reached is saved",
         period, w->used + w->orbit.n_used, w->orbit.farthest == NONE ? "" : "; farthest from it: ",
         w->orbit.farthest == NONE ? "" : analysis_name(a, w->orbit.farthest));
    if (saved)
        a->status = KAIROS_FAILED;
    return false;
}

static bool give_orbit(Analysis *a, Steady *w)
{
    w->periodic = w->converged = true;
    w->stable = w->orbit.stable;
    if (w->orbit.times > 1)
        diag(a->ctx, (Span){0}, DIAG_A011,
             "the motion repeats after %u periods of its drive, not after one", w->orbit.times);
    if (!w->stable)
        diag(a->ctx, (Span){0}, DIAG_A010,
             "the periodic motion is unstable: a small disturbance grows with each period");
    return steady_save(a, w);
}

OrbitResult steady_driven(Analysis *a, const ResultSink *sink, double period, double tolerance,
                          Orbit *orbit, unsigned *used)
{
    static const unsigned relax[] = {1, 16, 128};
    enum { TRIES = sizeof relax / sizeof *relax };
    OrbitOptions o = {.period = period,
                      .origin = a->options.start,
                      .tolerance = tolerance,
                      .most = MOST_PERIODS,
                      .most_times = MOST_TIMES};
    for (int i = 0; i < TRIES; i++) {
        o.relax = relax[i];
        a->ctx->quiet = i + 1 < TRIES;
        OrbitResult result = orbit_find(a->sim, &o, orbit);
        a->ctx->quiet = false;
        if (result != ORBIT_FAILED || sim_status(a->sim) != SIM_FAILED)
            return result;
        *used += orbit->n_used;
        orbit_free(orbit);
        if (i + 1 < TRIES && (!analysis_open(a, sink) || !sim_start(a->sim)))
            break;
    }
    return ORBIT_FAILED;
}

static bool driven(Analysis *a, Steady *w, double period)
{
    switch (steady_driven(a, &w->sink, period, w->tolerance, &w->orbit, &w->used)) {
    case ORBIT_FOUND: return give_orbit(a, w);
    case ORBIT_DIVERGED: return no_convergence(a, w, period);
    default: return fail(a);
    }
}

/* ---- without a drive ---- */

/* The motion for a while. 0: it does not repeat; INFINITY: it rests; negative: the run ends. */
static double watch(Analysis *a, Steady *w, double span)
{
    recurrence_begin(w->recurrence);
    w->sink.needs = ROW_ALL;
    a->options.points = POINTS_STEPS;
    bool going = sim_advance(a->sim, sim_time(a->sim) + span, false);
    w->sink.needs = ROW_TIME;
    a->options.points = POINTS_GRID;
    double period = recurrence_end(w->recurrence);
    return going ? period : -1;
}

/* Periods begin at the start plus multiples of the period. */
static bool align(Analysis *a, const Steady *w)
{
    double t0 = a->options.start, k = ceil((sim_time(a->sim) - t0) / w->orbit.period);
    double t = t0 + k * w->orbit.period;
    return t <= sim_time(a->sim) || sim_advance(a->sim, t, false);
}

static OrbitResult free_orbit(Analysis *a, Steady *w, double period)
{
    OrbitOptions o = {.period = period,
                      .free = true,
                      .origin = a->options.start,
                      .tolerance = w->tolerance,
                      .most = linear_has_past(a->sim) ? MOST_PERIODS : 60};
    orbit_free(&w->orbit);
    return orbit_find(a->sim, &o, &w->orbit);
}

/* A search that need not succeed: its messages are left out. */
static OrbitResult quiet_orbit(Analysis *a, Steady *w, double period)
{
    bool quiet = a->ctx->quiet;
    a->ctx->quiet = true;
    OrbitResult result = free_orbit(a, w, period);
    a->ctx->quiet = quiet;
    return result;
}

/* After a search without result, which may have moved the states anywhere: the motion from the
 * initial point once more, up to where the search began. False if the run ends. */
static bool go_back(Analysis *a, Steady *w, OrbitResult result, double begin)
{
    if (result == ORBIT_FAILED && sim_status(a->sim) != SIM_FAILED)
        return false;
    return open_run(a, w) && sim_advance(a->sim, begin, false);
}

typedef enum Watched { WATCHED_REST, WATCHED_ORBIT, WATCHED_NOTHING, WATCHED_END } Watched;

static Watched watch_longer(Analysis *a, Steady *w)
{
    enum { DOUBLINGS = 7, MOST = 14 };
    double span = a->options.stop - a->options.start;
    span = span > 0 ? span : 1;
    for (int i = 0, k = 0; i < DOUBLINGS && k < MOST; k++) {
        double period = watch(a, w, span);
        bool slow = recurrence_was_slow(w->recurrence);
        span *= slow ? 16 : 2.17; /* searches begin at no multiple of a period */
        i += !slow;
        if (period < 0)
            return WATCHED_END;
        if (isinf(period))
            return WATCHED_REST;
        if (period == 0)
            continue;
        double begin = sim_time(a->sim);
        OrbitResult result = quiet_orbit(a, w, period);
        if (result == ORBIT_FOUND && linear_rests(a->sim, w->orbit.period)) /* no orbit at all */
            return WATCHED_REST;
        if (result == ORBIT_FOUND)
            return align(a, w) ? WATCHED_ORBIT : WATCHED_END;
        w->used += w->orbit.n_used;
        if (!go_back(a, w, result, begin))
            return WATCHED_END;
    }
    return WATCHED_NOTHING;
}

/* How far the states are from x, relative to their sizes. */
static double distance(Analysis *a, const double *x)
{
    double most = 0;
    for (uint32_t k = 0; k < linear_n_states(a->sim); k++) {
        VarId var = linear_state(a->sim, k);
        double now = sim_values(a->sim)[var],
               size = fabs(now) + a->m->compilation.plan->dae->vars.at[var].nominal;
        most = fmax(most, fabs(now - x[k]) / size);
    }
    return most;
}

/* Two unequal parts, because a motion that does not rest may come back to where it was. */
bool steady_wait(Analysis *a, double tolerance, bool *rests)
{
    static const double parts[] = {0.38196601125, 0.61803398875};
    uint32_t n = linear_n_states(a->sim);
    double *x = ARENA_ARRAY(a->arena, double, n + (size_t)1),
           span = sim_time(a->sim) - a->options.start, moved = INFINITY;
    for (int i = 0; i < 8 && moved > 0.1 * tolerance; i++) {
        for (uint32_t k = 0; k < n; k++)
            x[k] = sim_values(a->sim)[linear_state(a->sim, k)];
        moved = 0;
        for (int part = 0; part < 2; part++) {
            if (!sim_advance(a->sim, sim_time(a->sim) + parts[part] * span, false) ||
                linear_n_states(a->sim) != n)
                return false;
            moved = fmax(moved, distance(a, x));
        }
    }
    *rests = moved <= tolerance;
    return true;
}

/* The motion rests: Newton's method makes the point exact. If it cannot, because surfaces hold the
 * motion, the point itself is the result. */
static bool give_rest(Analysis *a, Steady *w)
{
    bool damped, rests;
    w->stable = true;
    if (linear_has_past(a->sim))
        return steady_wait(a, w->tolerance, &rests) ? give_equilibrium(a, w) : fail(a);
    if (!linear_slides(a->sim) && equilibrium(a, w, &damped) != EQUILIBRIUM_FOUND) {
        diag(a->ctx, (Span){0}, DIAG_A004,
             "no equilibrium found, but the motion rests at time %.9g", sim_time(a->sim));
        return false;
    }
    return give_equilibrium(a, w);
}

static bool nothing_found(Analysis *a, Steady *w, double reached)
{
    w->periodic = w->converged = false;
    bool saved = steady_save(a, w);
    diag(a->ctx, (Span){0}, DIAG_A004,
         "no equilibrium and no periodic motion found until time %.9g%s%s; what was reached is "
         "saved",
         reached, w->farthest == NONE ? "" : "; farthest from rest: ",
         w->farthest == NONE ? "" : analysis_name(a, w->farthest));
    if (saved)
        a->status = KAIROS_FAILED;
    return false;
}

/* The run failed on the way; its last values are the result. */
static bool run_ended(Analysis *a, Steady *w, double reached)
{
    diag(a->ctx, (Span){0}, DIAG_A004,
         "no equilibrium found, and the motion from the initial point ends at time %.9g; what was "
         "reached is saved",
         reached);
    w->periodic = w->converged = false;
    steady_save(a, w);
    return fail(a);
}

/* A stable equilibrium is the steady state, unless the state decides about events. Otherwise the
 * motion is watched; the equilibrium is the result only if there is nothing else. */
static bool undriven(Analysis *a, Steady *w)
{
    bool damped, known = equilibrium(a, w, &damped) == EQUILIBRIUM_FOUND;
    if (known && damped && !linear_has_state_events(a->sim))
        return give_equilibrium(a, w);
    w->recurrence = recurrence_new(a->m->compilation.plan);
    w->repeats = recurrence_sink(w->recurrence);
    if (!open_run(a, w))
        return fail(a);
    a->ctx->quiet = known;
    Watched watched = watch_longer(a, w);
    a->ctx->quiet = false;
    double reached = sim_time(a->sim);
    recurrence_free(w->recurrence);
    w->recurrence = NULL;
    if (watched == WATCHED_ORBIT)
        return give_orbit(a, w);
    if (watched == WATCHED_REST)
        return give_rest(a, w);
    if (known)
        return open_run(a, w) && equilibrium(a, w, &damped) == EQUILIBRIUM_FOUND
                   ? give_equilibrium(a, w)
                   : fail(a);
    if (watched == WATCHED_END && sim_status(a->sim) == SIM_FAILED)
        return run_ended(a, w, reached);
    return watched == WATCHED_END ? fail(a) : nothing_found(a, w, reached);
}

/* ---- the command ---- */

static bool no_period(Analysis *a)
{
    diag(a->ctx, (Span){0}, DIAG_A008,
         "the model depends on time, and no period of it is known; give it with --period T");
    a->status = KAIROS_FAILED;
    return false;
}

static bool find(Analysis *a, Steady *w)
{
    double span = a->options.stop - a->options.start, period = 0;
    span = span > 0 ? span : 1;
    if (w->how.period > 0) {
        if (drive_acts(a->sim, span))
            return driven(a, w, w->how.period);
        OrbitResult result = free_orbit(a, w, w->how.period);
        if (result == ORBIT_FAILED || (result == ORBIT_FOUND && !align(a, w)))
            return fail(a);
        return result == ORBIT_FOUND ? give_orbit(a, w) : no_convergence(a, w, w->how.period);
    }
    switch (drive_find(a->sim, a->options.start + span, &period)) {
    case DRIVE_PERIODIC: return driven(a, w, period);
    case DRIVE_OTHER: return no_period(a);
    case DRIVE_NONE: return undriven(a, w);
    default: return fail(a);
    }
}

static void look_for_steady(Analysis *a)
{
    Steady *w = a->user;
    if (!SESSION_READ(a->m->session, KairosSteady, w->given, &w->how))
        return;
    if (w->how.period < 0 || !isfinite(w->how.period)) {
        diag(a->ctx, (Span){0}, DIAG_U008, "--period must be a positive time");
        return;
    }
    w->columns = columns_new(a->ctx, a->m->compilation.plan, NULL, false);
    if (!w->columns)
        return;
    w->converged = true;
    w->farthest = w->orbit.farthest = NONE;
    w->tolerance = steady_tolerance(a);
    if (!open_run(a, w))
        fail(a);
    else if (find(a, w))
        a->status = KAIROS_OK;
}

int kairos_steady(KairosModel *m, const KairosRun *run, const KairosSteady *how, char **json)
{
    Steady w = {.given = how, .wanted = json != NULL};
    int status = analysis_run(m, run, look_for_steady, &w);
    if (json)
        *json = w.made;
    recurrence_free(w.recurrence);
    orbit_free(&w.orbit);
    if (w.columns)
        columns_free(w.columns);
    text_free(&w.json);
    return status;
}

/* Solver `auto`. All decisions use counts, so that a run can be repeated exactly.
 *
 * Beginning. It begins with an explicit one-step method, dopri5. If the model is not stiff, this
 * has smaller errors for less work than backward differentiation formulas, does not damp
 * oscillations, and restarts cost nothing. Large models begin with the multistep method.
 *
 * Stiff models. The multistep method takes over: cvode, or ida if the Jacobian with closed blocks
 * has far more entries than with open ones. After the work of thousands of explicit steps the
 * implicit methods may try as well. One that advances twice as far per evaluation stays: stability
 * may limit the steps although Hairer's test does not show it.
 *
 * Dense events. A restart discards the history of a multistep method, which begins again with
 * order one and short steps. If a window of restarts had only few steps between them, a one-step
 * method gets a window: dopri5, or radau if the model is stiff. It is left if it needs more
 * evaluations for an event, if a step fails (both for good), or if events have become rare.
 *
 * A long way. Errors of thousands of steps without an event add up in an oscillation, and those of
 * a multistep method most. A stiff model of moderate size continues with radau then, and at once if
 * derivatives by parameters are wanted.
 *
 * Fine tolerances for relations can hold up all methods. If thousands of steps have hardly advanced
 * the time, those that were lowered are raised first.
 *
 * Discontinuities without events, under noEvent or in a function. The step of a multistep method
 * collapses if the solution stays at one. If thousands of steps have hardly advanced the time, both
 * one-step methods try in turn, and the one that advances furthest per evaluation stays. */
#include "base/snapshot.h"
#include "sim/solver/automatic.h"

#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 8 /* restarts */,
    DENSE = 60 /* steps between restarts */,
    RARE = 100,
    EXPLICIT_FIRST_UP_TO = 200 /* states */
};
enum {
    DENSE_STIFF = 25
}; /* the same if the model is stiff: many steps between events resolve transients after them */
enum { CRAWL = 2000, TRIAL = 300 /* steps */ };
static const double CRAWLED = 1e-3; /* of the time so far, or less, in CRAWL steps */
enum {
    PATIENCE = 2000 /* explicit steps before the multistep method may try */,
    COSTLY = 20 /* or as many evaluations for each of these, where each step looks for events */,
    MORE_PATIENCE = 4
};
static const double SURELY_STABLE = 0.7; /* step times spectral radius of the Jacobian */
enum { LONG_WAY = 3000 /* steps without an event */ };
enum { LARGE_MATRIX = 10000 /* entries */ };

/* By the entries of both forms, if they are enough to matter. */
static bool is_open_better(const Problem *p)
{
    const OpenProblem *open = &p->open;
    if (!open->has_blocks || !open->col_ptr || !open->jacobian)
        return false;
    return !p->col_ptr || (p->col_ptr[p->n] > LARGE_MATRIX &&
                           p->col_ptr[p->n] / AUTOMATIC_FULLER > open->col_ptr[open->n]);
}

static const SolverKind *multistep_kind(const Problem *p)
{
    unsigned open = is_open_better(p) ? SOLVER_OPEN_FORM : 0;
    return solver_with(SOLVER_AUTO | SOLVER_MULTISTEP | open);
}

const SolverKind *automatic_first(const Problem *p)
{
    bool large = p->n > EXPLICIT_FIRST_UP_TO || is_open_better(p);
    return large ? multistep_kind(p) : solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
}

void automatic_create(Automatic *a, const Problem *p, const SolverKind *kind, Solver *solver,
                      AutomaticListener listener)
{
    if (!p->n)
        return;
    a->problem = p;
    a->listener = listener;
    a->kinds[MULTISTEP] = multistep_kind(p);
    a->kinds[EXPLICIT] = solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
    a->kinds[IMPLICIT] = solver_with(SOLVER_AUTO);
    a->at = kind == a->kinds[EXPLICIT] ? EXPLICIT : MULTISTEP;
    a->solvers[a->at] = solver;
    a->used[a->at] = true;
    a->explicit_first = a->at == EXPLICIT;
    a->pace.patience = PATIENCE;
}

/* False if the solver cannot be set up; then nothing changes. */
static bool need_solver(Automatic *a, AutomaticMethod which)
{
    if (!a->solvers[which])
        a->solvers[which] = a->kinds[which]->create(a->problem);
    a->settled |= !a->solvers[which];
    return a->solvers[which];
}

void automatic_destroy(Automatic *a, const Solver *but)
{
    for (int i = 0; i < N_METHODS; i++)
        if (a->solvers[i] && a->solvers[i] != but)
            a->solvers[i]->destroy(a->solvers[i]);
}

void automatic_count(const Automatic *a, const Solver *but, uint64_t *steps, uint64_t *rejected)
{
    for (int i = 0; i < N_METHODS; i++)
        if (a->solvers[i] && a->solvers[i] != but) {
            *steps += a->solvers[i]->steps;
            *rejected += a->solvers[i]->rejected;
        }
}

static uint64_t steps_of(const Automatic *a)
{
    return a->solvers[a->at]->steps;
}

static void begin_window(Automatic *a, const AutomaticProgress *now)
{
    a->restarts = 0;
    a->steps = a->last_steps = steps_of(a);
    a->evaluations = now->evaluations;
}

static void begin_pace(Automatic *a, const AutomaticProgress *now)
{
    a->pace.steps = steps_of(a);
    a->pace.time = now->time;
    a->pace.evaluations = now->evaluations;
}

/* True if the change was made. */
static bool change(Automatic *a, const AutomaticProgress *now, AutomaticMethod to, bool settled,
                   const char *why)
{
    if (!need_solver(a, to))
        return false;
    a->at = to;
    a->settled = settled;
    a->used[to] = true;
    a->listener.changed(a->listener.user, why);
    begin_window(a, now);
    begin_pace(a, now);
    return true;
}

void automatic_names(const Automatic *a, char *text, size_t size)
{
    const char *names[N_METHODS] = {0};
    uint32_t n = 0;
    for (int i = 0; i < N_METHODS; i++)
        if (a->used[i])
            names[n++] = a->kinds[i]->name;
    snprintf(text, size, "%s%s%s%s%s", names[0],
             n > 2   ? ", "
             : n > 1 ? " and "
                     : "",
             n > 1 ? names[1] : "", n > 2 ? " and " : "", n > 2 ? names[2] : "");
}

static void judge_window(Automatic *a, const AutomaticProgress *now)
{
    double cost = (now->evaluations - a->evaluations) / WINDOW;
    if (a->at != MULTISTEP) {
        if (a->cost > 0 && cost > a->cost)
            change(a, now, MULTISTEP, true, "it needs fewer evaluations for an event");
    } else if (steps_of(a) - a->steps < (a->stiff ? DENSE_STIFF : DENSE) * WINDOW &&
               (!a->stiff || a->kinds[IMPLICIT])) {
        a->cost = cost;
        a->between = (steps_of(a) - a->steps) / WINDOW;
        change(a, now, a->stiff ? IMPLICIT : EXPLICIT, false, "events are dense");
    }
    begin_window(a, now);
}

static bool leave_explicit(Automatic *a, const AutomaticProgress *now)
{
    a->stiff = true;
    if (a->cost == 0) /* how dense events are for the multistep method is not known yet */
        return change(a, now, MULTISTEP, false, "the model is stiff");
    if (a->kinds[IMPLICIT] && a->between < DENSE_STIFF)
        return change(a, now, IMPLICIT, false, "the model is stiff and events are dense");
    return change(a, now, MULTISTEP, true, "the model is stiff");
}

/* The next method tries; after the last the best one stays: the multistep method if none is
 * twice as fast. */
static bool next_trial(Automatic *a, const AutomaticProgress *now)
{
    double *of = a->pace.of;
    for (AutomaticMethod next = a->at + 1; next < N_METHODS; next++)
        if (a->kinds[next] && need_solver(a, next))
            return change(a, now, next, false, "thousands of steps have hardly moved the time");
    AutomaticMethod best = of[IMPLICIT] > of[EXPLICIT] ? IMPLICIT : EXPLICIT;
    best = of[best] < 2 * of[MULTISTEP] ? MULTISTEP : best;
    a->pace.on_trial = false;
    a->pace.crawled = best != MULTISTEP;
    return best != a->at &&
           change(a, now, best, best == MULTISTEP,
                  best == MULTISTEP ? "no other method is faster" : "it is faster here");
}

/* The implicit methods have tried: one stays if it advances twice as far per evaluation. */
static bool end_comparison(Automatic *a, const AutomaticProgress *now)
{
    const double *of = a->pace.of;
    AutomaticMethod best = of[IMPLICIT] > 2 * of[MULTISTEP] ? IMPLICIT : MULTISTEP;
    a->pace.compares = false;
    a->stiff = of[best] > 2 * of[EXPLICIT];
    if (!a->stiff)
        return change(a, now, EXPLICIT, false, "no other method is faster");
    a->pace.crawled = best == IMPLICIT;
    if (best != a->at)
        return change(a, now, best, false, "it is faster here");
    begin_pace(a, now);
    begin_window(a, now);
    return false;
}

/* After many explicit steps that stability may limit, the other methods try. */
static bool compare_methods(Automatic *a, const AutomaticProgress *now)
{
    uint64_t steps = steps_of(a) - a->pace.steps;
    double evaluations = now->evaluations - a->pace.evaluations;
    bool patient = steps < a->pace.patience && evaluations < COSTLY * (double)a->pace.patience;
    if (a->pace.compares ? steps < TRIAL : a->at != EXPLICIT || patient)
        return false;
    if (a->at == EXPLICIT && a->solvers[EXPLICIT]->stiffness < SURELY_STABLE) {
        begin_pace(a, now);
        return false;
    }
    a->pace.of[a->at] = (now->time - a->pace.time) / evaluations;
    if (a->at == IMPLICIT || (a->at == MULTISTEP && !a->kinds[IMPLICIT]))
        return end_comparison(a, now);
    if (a->at == EXPLICIT) {
        a->pace.patience *= MORE_PATIENCE;
        a->pace.of[MULTISTEP] = a->pace.of[IMPLICIT] = 0;
    }
    a->pace.compares = change(a, now, a->at == EXPLICIT ? MULTISTEP : IMPLICIT, false,
                              "to compare it with the explicit method");
    return a->pace.compares;
}

static bool judge_pace(Automatic *a, const AutomaticProgress *now)
{
    double moved = now->time - a->pace.time;
    bool changed = false;
    if (steps_of(a) - a->pace.steps < (a->pace.on_trial ? TRIAL : CRAWL))
        return false;
    double pace = moved / (now->evaluations - a->pace.evaluations);
    bool crawls = a->at == MULTISTEP && moved < CRAWLED * now->age;
    if (crawls && !a->pace.on_trial && a->listener.raise && a->listener.raise(a->listener.user)) {
        begin_pace(a, now);
        return true;
    }
    if (a->pace.on_trial || crawls)
        a->pace.of[a->at] = pace;
    if (crawls)
        a->pace.of[EXPLICIT] = a->pace.of[IMPLICIT] = 0;
    if (a->pace.crawled && pace < 2 * a->pace.of[MULTISTEP]) {
        changed = change(a, now, MULTISTEP, true, "the other method is no faster any more");
    } else if (a->pace.on_trial || crawls) {
        a->pace.on_trial = true;
        changed = next_trial(a, now);
    }
    begin_pace(a, now);
    return changed;
}

/* Oscillations that go on and on are for the implicit one-step method. So are motions with
 * tangents: where these are large, they show errors of a multistep method between its steps. Where
 * steps hardly move the time, trials decide. */
static bool is_long_way(const Automatic *a, const AutomaticProgress *now)
{
    return a->at == MULTISTEP && a->explicit_first && a->kinds[IMPLICIT] && !a->pace.compares &&
           !a->pace.on_trial && (now->precise || a->problem->way > LONG_WAY) &&
           now->time - a->pace.time > CRAWLED * now->age;
}

void automatic_consider(Automatic *a, const AutomaticProgress *now)
{
    if (a->settled || !a->kinds[EXPLICIT])
        return;
    if (is_long_way(a, now) &&
        change(a, now, IMPLICIT, true,
               now->precise ? "derivatives by parameters need exact motion between steps"
                            : "thousands of steps without events add up their errors"))
        return;
    bool restart = now->restart;
    bool explicit_first = a->explicit_first && !a->stiff;
    if (a->at == EXPLICIT && a->solvers[a->at]->stiff && !a->pace.on_trial && !a->pace.crawled)
        restart |= leave_explicit(a, now);
    else if (explicit_first)
        restart |= compare_methods(a, now);
    else
        restart |= judge_pace(a, now);
    if (a->pace.on_trial || a->pace.crawled || a->pace.compares)
        return;
    if (!explicit_first && a->at != MULTISTEP && steps_of(a) - a->last_steps > RARE)
        restart |= change(a, now, MULTISTEP, false, "events have become rare");
    if (!restart)
        return;
    a->last_steps = steps_of(a);
    if (++a->restarts >= WINDOW)
        judge_window(a, now);
}

void automatic_skip(Automatic *a, double time, double evaluations)
{
    a->evaluations += evaluations;
    a->pace.evaluations += evaluations;
    a->pace.time += time;
}

/* Continues the counts of the other one: differences to the steps of a solver. */
bool automatic_take(Automatic *a, const Automatic *b)
{
    if (!a->kinds[EXPLICIT] || !b->kinds[EXPLICIT] || !need_solver(a, b->at))
        return false;
    a->at = b->at;
    memcpy(a->used, b->used, sizeof a->used);
    a->settled = b->settled;
    a->stiff = b->stiff;
    a->restarts = b->restarts;
    a->steps = steps_of(a) - (steps_of(b) - b->steps);
    a->last_steps = steps_of(a) - (steps_of(b) - b->last_steps);
    a->evaluations = b->evaluations;
    a->cost = b->cost;
    a->between = b->between;
    a->pace = b->pace;
    a->pace.steps = steps_of(a) - (steps_of(b) - b->pace.steps);
    a->explicit_first = b->explicit_first;
    return true;
}

bool automatic_retreat(Automatic *a, const AutomaticProgress *now)
{
    if (a->pace.compares) {
        a->pace.compares = false;
        return change(a, now, EXPLICIT, false, "a step failed");
    }
    if (a->at == MULTISTEP)
        return false;
    bool first = a->explicit_first && !a->stiff;
    a->stiff |= first;
    if (a->pace.on_trial)
        next_trial(a, now);
    else
        change(a, now, MULTISTEP, !first, "a step failed");
    return true;
}

static void snapshot_solvers(Automatic *a, Snapshot *p)
{
    for (int i = 0; i < N_METHODS; i++) {
        bool made = a->solvers[i];
        snapshot_value(p, made);
        if (made && !a->solvers[i] && (!a->kinds[i] || !need_solver(a, (AutomaticMethod)i)))
            p->bad = true;
        if (made && !p->bad)
            solver_snapshot(a->solvers[i], p);
    }
}

void automatic_snapshot(Automatic *a, Snapshot *p)
{
    snapshot_solvers(a, p);
    snapshot_array(p, a->used, N_METHODS);
    a->at = (AutomaticMethod)snapshot_count(p, a->at, N_METHODS - 1);
    p->bad |= !a->solvers[a->at];
    snapshot_value(p, a->settled);
    snapshot_value(p, a->explicit_first);
    snapshot_value(p, a->stiff);
    snapshot_value(p, a->restarts);
    snapshot_value(p, a->steps);
    snapshot_value(p, a->evaluations);
    snapshot_value(p, a->last_steps);
    snapshot_value(p, a->cost);
    snapshot_value(p, a->between);
    snapshot_value(p, a->pace.steps);
    snapshot_value(p, a->pace.time);
    snapshot_value(p, a->pace.evaluations);
    snapshot_value(p, a->pace.of);
    snapshot_value(p, a->pace.on_trial);
    snapshot_value(p, a->pace.crawled);
    snapshot_value(p, a->pace.patience);
    snapshot_value(p, a->pace.compares);
}

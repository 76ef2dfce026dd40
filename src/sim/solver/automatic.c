/* Solver `auto`.
 *
 * It begins with backward differentiation formulas: cvode, or ida where the blocks of the model
 * couple the states so much that the Jacobian with these blocks solved is far fuller than with
 * their tearing variables as unknowns.
 *
 * A restart throws away the history on which a multistep method lives; it comes back with order one
 * and short steps. So, once a window of restarts had only few steps between them, a one-step method
 * gets a window of its own: dopri5, and radau once the model has proved stiff. It is left again
 * where it needs more evaluations for an event, where a step fails (both for good), and where
 * events have become rare.
 *
 * A discontinuity or a sharp bend that makes no event, under noEvent or in a function, lets the
 * step of a multistep method collapse where the solution stays at it. So, where thousands of steps
 * have hardly moved the time, both one-step methods may try in turn, and the one of which an
 * evaluation goes furthest stays. All decisions rest on counts, so that a run can be repeated
 * exactly. */
#include "sim/state/state.h"

enum {
    WINDOW = 50 /* restarts */,
    DENSE = 60 /* steps between restarts */,
    RARE = 100,
    STATES_UP_TO = 1000
};
enum {
    DENSE_STIFF = 25
}; /* the same where the model is stiff: many steps between events resolve transients after them */
enum { CRAWL = 2000, TRIAL = 300 /* steps */ };
static const double CRAWLED = 1e-3; /* of the span, or less, in CRAWL steps */
enum { LARGE_MATRIX = 10000 /* entries */, FULLER = 4 };

static bool is_auto(const Sim *s)
{
    return !s->options->solver || !strcmp(s->options->solver, "auto");
}

/* By the entries of both forms, where they are enough to matter. */
static bool is_open_better(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    const PlanJacobian *closed = &prog->plan->jacobian, *open = &prog->plan->open_jacobian;
    uint32_t n = prog->problem.open.n;
    if (!prog->plan->open.n || !open->col_ptr || !prog->problem.open.jacobian)
        return false;
    return !closed->col_ptr || (closed->col_ptr[prog->n] > LARGE_MATRIX &&
                                closed->col_ptr[prog->n] / FULLER > open->col_ptr[n]);
}

/* Told once, also where every mode has a solver of its own. */
static void tell_first(Sim *s, bool open)
{
    ModeProgram *prog = s->prog;
    const PlanJacobian *closed = &prog->plan->jacobian;
    if (s->told.solver)
        return;
    s->told.solver = true;
    if (!open)
        sim_log(s, LOG_STATS,
                "Solver auto begins with cvode: %u states, %u entries in the Jacobian%s\n", prog->n,
                closed->col_ptr ? closed->col_ptr[prog->n] : 0,
                closed->col_ptr ? "" : " (too many to count)");
    else
        sim_log(s, LOG_STATS,
                "Solver auto begins with ida: blocks with %u tearing variables couple %u states; "
                "the Jacobian "
                "has %u "
                "entries with them open, more than %u times as many with them solved\n",
                prog->problem.open.n - prog->n, prog->n,
                prog->plan->open_jacobian.col_ptr[prog->problem.open.n], FULLER);
}

const SolverKind *automatic_first(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (!is_auto(s) || !prog->n)
        return solver_find(s->options->solver, &prog->problem);
    bool open = is_open_better(s);
    tell_first(s, open);
    return solver_find(open ? "ida" : "cvode", &prog->problem);
}

void automatic_create(Sim *s)
{
    ModeProgram *prog = s->prog;
    static const char *const names[] = {[EXPLICIT] = "dopri5", [IMPLICIT] = "radau"};
    Automatic *a = &prog->automatic;
    if (!is_auto(s) || !prog->n || prog->n > STATES_UP_TO || prog->plan->inlined.n)
        return;
    a->kinds[MULTISTEP] = prog->kind;
    a->solvers[MULTISTEP] = prog->solver;
    for (int i = EXPLICIT; i <= IMPLICIT; i++)
        a->kinds[i] = solver_find(names[i], &prog->problem);
}

/* False where the solver cannot be set up: then all stays as it is. */
static bool need_solver(Sim *s, AutomaticMethod which)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    if (!a->solvers[which])
        a->solvers[which] = a->kinds[which]->create(&prog->problem);
    a->settled |= !a->solvers[which];
    return a->solvers[which];
}

void automatic_destroy(Sim *s)
{
    ModeProgram *prog = s->prog;
    for (int i = 0; i < N_METHODS; i++)
        if (prog->automatic.solvers[i] && prog->automatic.solvers[i] != prog->solver)
            prog->automatic.solvers[i]->destroy(prog->automatic.solvers[i]);
}

void automatic_count(const ModeProgram *m, uint64_t *steps, uint64_t *rejected)
{
    *steps = m->solver->steps;
    *rejected = m->solver->rejected;
    for (int i = 0; i < N_METHODS; i++) {
        const Solver *other = m->automatic.solvers[i];
        if (other && other != m->solver) {
            *steps += other->steps;
            *rejected += other->rejected;
        }
    }
}

/* Evaluations so far; a Jacobian takes one per colour. */
static double evaluations(const Sim *s)
{
    return (double)s->stats->derivatives +
           (double)s->stats->jacobians * s->prog->plan->jacobian.n_colours;
}

static void begin_window(Sim *s)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    a->restarts = 0;
    a->steps = a->last_steps = prog->solver->steps;
    a->evaluations = evaluations(s);
}

static void begin_pace(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->automatic.pace.steps = prog->solver->steps;
    prog->automatic.pace.time = s->time;
    prog->automatic.pace.evaluations = evaluations(s);
}

static void change(Sim *s, AutomaticMethod to, bool settled, const char *why)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    if (!need_solver(s, to))
        return;
    a->at = to;
    a->settled = settled;
    prog->solver = a->solvers[to];
    prog->kind = a->kinds[to];
    s->restart = true;
    a->used[to] = true;
    sim_log(s, LOG_STATS, "From time = %.9g on with %s: %s\n", s->time, prog->kind->name, why);
    begin_window(s);
    begin_pace(s);
}

const char *automatic_names(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    static const char *const names[2][4] = {
        {"cvode", "cvode and dopri5", "cvode and radau", "cvode, dopri5 and radau"},
        {"ida", "ida and dopri5", "ida and radau", "ida, dopri5 and radau"},
    };
    const Automatic *a = &prog->automatic;
    if (!a->solvers[MULTISTEP])
        return prog->kind->name;
    return names[!strcmp(a->kinds[MULTISTEP]->name, "ida")]
                [a->used[EXPLICIT] + 2 * a->used[IMPLICIT]];
}

static void judge_window(Sim *s)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    double cost = (evaluations(s) - a->evaluations) / WINDOW;
    if (a->at != MULTISTEP) {
        if (cost > a->cost)
            change(s, MULTISTEP, true, "it needs fewer evaluations for an event");
    } else if (prog->solver->steps - a->steps < (a->stiff ? DENSE_STIFF : DENSE) * WINDOW &&
               (!a->stiff || a->kinds[IMPLICIT])) {
        a->cost = cost;
        a->between = (prog->solver->steps - a->steps) / WINDOW;
        change(s, a->stiff ? IMPLICIT : EXPLICIT, false, "events are dense");
    }
    begin_window(s);
}

static void leave_explicit(Sim *s)
{
    Automatic *a = &s->prog->automatic;
    a->stiff = true;
    if (a->kinds[IMPLICIT] && a->between < DENSE_STIFF)
        change(s, IMPLICIT, false, "the model is stiff and events are dense");
    else
        change(s, MULTISTEP, true, "the model is stiff");
}

/* The next method tries; after the last the best one stays: the multistep method where none is
 * twice as fast. */
static void next_trial(Sim *s)
{
    Automatic *a = &s->prog->automatic;
    double *of = a->pace.of;
    for (AutomaticMethod next = a->at + 1; next < N_METHODS; next++)
        if (a->kinds[next] && need_solver(s, next)) {
            change(s, next, false, "thousands of steps have hardly moved the time");
            return;
        }
    AutomaticMethod best = of[IMPLICIT] > of[EXPLICIT] ? IMPLICIT : EXPLICIT;
    best = of[best] < 2 * of[MULTISTEP] ? MULTISTEP : best;
    a->pace.on_trial = false;
    a->pace.crawled = best != MULTISTEP;
    if (best != a->at)
        change(s, best, best == MULTISTEP,
               best == MULTISTEP ? "no other method is faster" : "it is faster here");
}

static void watch_pace(Sim *s)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    double span = s->options->stop - s->options->start, moved = s->time - a->pace.time;
    if (prog->solver->steps - a->pace.steps < (a->pace.on_trial ? TRIAL : CRAWL))
        return;
    double pace = moved / (evaluations(s) - a->pace.evaluations);
    bool crawls = a->at == MULTISTEP && moved < CRAWLED * span;
    if (a->pace.on_trial || crawls)
        a->pace.of[a->at] = pace;
    if (crawls)
        a->pace.of[EXPLICIT] = a->pace.of[IMPLICIT] = 0;
    if (a->pace.crawled && pace < 2 * a->pace.of[MULTISTEP]) {
        change(s, MULTISTEP, true, "the other method is no faster any more");
    } else if (a->pace.on_trial || crawls) {
        a->pace.on_trial = true;
        next_trial(s);
    }
    begin_pace(s);
}

void automatic_consider(Sim *s)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    if (a->settled || !a->kinds[EXPLICIT])
        return;
    watch_pace(s);
    if (a->pace.on_trial || a->pace.crawled)
        return;
    if (a->at == EXPLICIT && prog->solver->stiff)
        leave_explicit(s);
    else if (a->at != MULTISTEP && prog->solver->steps - a->last_steps > RARE)
        change(s, MULTISTEP, false, "events have become rare");
    if (!s->restart)
        return;
    a->last_steps = prog->solver->steps;
    if (++a->restarts >= WINDOW)
        judge_window(s);
}

/* Counts go on where those of the other end: differences to the steps of a solver. */
void automatic_take(Sim *s, const ModeProgram *from)
{
    ModeProgram *prog = s->prog;
    Automatic *a = &prog->automatic;
    const Automatic *b = &from->automatic;
    if (!a->kinds[EXPLICIT] || !b->kinds[EXPLICIT] || !need_solver(s, b->at))
        return;
    a->at = b->at;
    prog->solver = a->solvers[a->at];
    prog->kind = a->kinds[a->at];
    memcpy(a->used, b->used, sizeof a->used);
    a->settled = b->settled;
    a->stiff = b->stiff;
    a->restarts = b->restarts;
    a->steps = prog->solver->steps - (from->solver->steps - b->steps);
    a->last_steps = prog->solver->steps - (from->solver->steps - b->last_steps);
    a->evaluations = b->evaluations;
    a->cost = b->cost;
    a->between = b->between;
    a->pace = b->pace;
    a->pace.steps = prog->solver->steps - (from->solver->steps - b->pace.steps);
}

bool automatic_retreat(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (prog->automatic.at == MULTISTEP)
        return false;
    if (prog->automatic.pace.on_trial)
        next_trial(s);
    else
        change(s, MULTISTEP, true, "a step failed");
    return true;
}

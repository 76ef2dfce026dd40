/* The one-step method that takes over while events accumulate. Multistep methods do not resolve
 * motions below their tolerance; no step is longer than the next gap. It is explicit until it finds
 * the motion stiff. */
#include "sim/event/locator.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { LEFT = 100 /* gaps without event */, FORESEEN = 1000 };
enum { DEPARTED = 1000 /* tolerances from the surface */, DEPARTURE_STEPS = 500 };

void fallback_create(ModeProgram *prog)
{
    prog->fallback.max_step = INFINITY;
    prog->fallback.until = -INFINITY;
    const SolverKind *kind = solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
    bool other = prog->kind != kind || prog->automatic.problem;
    if (program_has_state_events(prog) && prog->n && !prog->plan->inlined.n && other)
        prog->fallback.solver = kind->create(&prog->problem);
}

void fallback_destroy(ModeProgram *prog)
{
    fallback_leave(prog);
    if (prog->fallback.solver)
        prog->fallback.solver->destroy(prog->fallback.solver);
}

void fallback_enter(ModeProgram *prog)
{
    if (!prog->fallback.solver || prog->fallback.replaced ||
        prog->kind == solver_with(SOLVER_AUTO | SOLVER_EXPLICIT))
        return;
    prog->fallback.replaced = prog->solver;
    prog->solver = prog->fallback.solver;
    prog->run->restart = true;
}

void fallback_leave(ModeProgram *prog)
{
    prog->fallback.max_step = INFINITY;
    prog->fallback.until = -INFINITY;
    prog->fallback.departs = false;
    if (!prog->fallback.replaced)
        return;
    prog->solver = prog->fallback.replaced;
    prog->fallback.replaced = NULL;
    prog->run->restart = true;
}

void fallback_end(ModeProgram *prog)
{
    if (prog->run->time >= prog->fallback.until)
        fallback_leave(prog);
}

bool solver_reads_derivatives_only(const ModeProgram *prog)
{
    bool open = prog->problem.open.has_blocks && (prog->kind->properties & SOLVER_OPEN_FORM);
    return !prog->problem.stage && !open;
}

void fallback_departure(ModeProgram *prog, uint32_t relation)
{
    FallbackSolver *f = &prog->fallback;
    fallback_enter(prog);
    f->departs = f->replaced != NULL;
    f->departing = relation;
    f->departure_steps = prog->solver->steps;
}

/* Whether the motion is still near the surface that it leaves. */
static bool is_departing(const ModeProgram *prog, const Locator *l)
{
    const FallbackSolver *f = &prog->fallback;
    if (!f->departs || l->far || prog->solver->stiff ||
        prog->solver->steps - f->departure_steps > DEPARTURE_STEPS)
        return false;
    uint32_t k = locator_column(l, f->departing);
    return fabs(l->z[0][k]) <= DEPARTED * prog->run->options->tolerance * l->scale[k];
}

void fallback_for_small_events(ModeProgram *prog, double gap)
{
    FallbackSolver *f = &prog->fallback;
    if (f->replaced || !(gap > 0))
        return;
    fallback_enter(prog);
    f->last_event = prog->run->time;
    f->max_step = gap;
}

bool fallback_suits(const ModeProgram *prog)
{
    return !prog->fallback.replaced || prog->fallback.stiff || !prog->solver->stiff;
}

void fallback_become_implicit(ModeProgram *prog)
{
    FallbackSolver *f = &prog->fallback;
    const SolverKind *kind = solver_with(SOLVER_AUTO);
    Solver *explicit = f->solver,
           *implicit = prog->problem.jacobian ? kind->create(&prog->problem) : NULL;
    if (!implicit)
        return;
    f->stiff = true;
    f->steps = explicit->steps;
    f->rejected = explicit->rejected;
    f->solver = implicit;
    if (f->replaced) {
        prog->solver = implicit;
        prog->run->restart = true;
        run_log(prog->run, LOG_STATS,
                "From time = %.9g on with %s while events follow each other closely: the model is "
                "stiff\n",
                prog->run->time, kind->name);
    }
    explicit->destroy(explicit);
}

double fallback_limit(ModeProgram *prog, const struct Locator *l)
{
    if (is_departing(prog, l))
        return INFINITY;
    prog->fallback.departs = false;
    double since = prog->run->time - prog->fallback.last_event;
    if (since <= LEFT * prog->fallback.max_step) /* along a held surface, no gap follows */
        return sliding_active(prog) ? fmax(prog->fallback.max_step, since)
                                    : prog->fallback.max_step;
    if (sliding_active(prog) && !solver_reads_derivatives_only(prog))
        prog->fallback.max_step = INFINITY;
    else
        fallback_leave(prog);
    return prog->fallback.max_step;
}

/* Whether an excursion of `width` ε is so small that only a one-step method resolves it to so many
 * tolerances. */
bool fallback_needed(const ModeProgram *prog, double gap, double width, double tolerances)
{
    bool fixed = prog->kind->properties & SOLVER_FIXED_STEP;
    return width <= tolerances * prog->run->options->tolerance / prog->run->eps ||
           (fixed && gap < 10 * prog->problem.step);
}

void fallback_flight(ModeProgram *prog, double length, double width)
{
    if (!fallback_needed(prog, length, width, FORESEEN))
        return;
    fallback_enter(prog);
    prog->fallback.last_event = prog->run->time;
    prog->fallback.max_step = fmin(
        prog->run->time < prog->fallback.until ? prog->fallback.max_step : INFINITY, 0.5 * length);
    prog->fallback.until = fmax(prog->fallback.until, prog->run->time + length);
}

/* The one-step method that takes over while events accumulate. Multistep methods do not resolve
 * motions below their tolerance; no step is longer than the next gap. */
#include "sim/event/locator.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { LEFT = 100 /* gaps without event */, FORESEEN = 1000 };
enum { DEPARTED = 1000 /* tolerances from the surface */, DEPARTURE_STEPS = 500 };

void fallback_create(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->fallback.max_step = INFINITY;
    prog->fallback.until = -INFINITY;
    const SolverKind *kind = solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
    bool other = prog->kind != kind || prog->automatic.problem;
    if (s->locator->n && prog->n && !prog->plan->inlined.n && other)
        prog->fallback.solver = kind->create(&prog->problem);
}

void fallback_destroy(Sim *s)
{
    ModeProgram *prog = s->prog;
    fallback_leave(s);
    if (prog->fallback.solver)
        prog->fallback.solver->destroy(prog->fallback.solver);
}

void fallback_enter(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (!prog->fallback.solver || prog->fallback.replaced ||
        prog->kind == solver_with(SOLVER_AUTO | SOLVER_EXPLICIT))
        return;
    prog->fallback.replaced = prog->solver;
    prog->solver = prog->fallback.solver;
    s->run.restart = true;
}

void fallback_leave(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->fallback.max_step = INFINITY;
    prog->fallback.until = -INFINITY;
    prog->fallback.departs = false;
    if (!prog->fallback.replaced)
        return;
    prog->solver = prog->fallback.replaced;
    prog->fallback.replaced = NULL;
    s->run.restart = true;
}

void fallback_end(Sim *s)
{
    if (s->run.time >= s->prog->fallback.until)
        fallback_leave(s);
}

bool solver_reads_derivatives_only(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    bool open = prog->problem.open.has_blocks && (prog->kind->properties & SOLVER_OPEN_FORM);
    return !prog->problem.stage && !open;
}

void fallback_departure(Sim *s, uint32_t relation)
{
    FallbackSolver *f = &s->prog->fallback;
    fallback_enter(s);
    f->departs = f->replaced != NULL;
    f->departing = relation;
    f->departure_steps = s->prog->solver->steps;
}

/* Whether the motion is still near the surface that it leaves. */
static bool is_departing(const Sim *s)
{
    const FallbackSolver *f = &s->prog->fallback;
    const Locator *l = s->locator;
    if (!f->departs || l->far || s->prog->solver->stiff ||
        s->prog->solver->steps - f->departure_steps > DEPARTURE_STEPS)
        return false;
    uint32_t k = locator_column(l, f->departing);
    return fabs(l->z[0][k]) <= DEPARTED * s->run.options->tolerance * l->scale[k];
}

void fallback_for_small_events(Sim *s, double gap)
{
    FallbackSolver *f = &s->prog->fallback;
    if (f->replaced || !(gap > 0))
        return;
    fallback_enter(s);
    f->last_event = s->run.time;
    f->max_step = gap;
}

double fallback_limit(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (is_departing(s))
        return INFINITY;
    prog->fallback.departs = false;
    if (s->run.time - prog->fallback.last_event <= LEFT * prog->fallback.max_step)
        return prog->fallback.max_step;
    if (sliding_active(s) && !solver_reads_derivatives_only(s))
        prog->fallback.max_step = INFINITY;
    else
        fallback_leave(s);
    return prog->fallback.max_step;
}

/* Whether an excursion of `width` ε is so small that only a one-step method resolves it to so many
 * tolerances. */
bool fallback_needed(const Sim *s, double gap, double width, double tolerances)
{
    const ModeProgram *prog = s->prog;
    bool fixed = prog->kind->properties & SOLVER_FIXED_STEP;
    return width <= tolerances * s->run.options->tolerance / s->run.eps ||
           (fixed && gap < 10 * prog->problem.step);
}

void fallback_flight(Sim *s, double length, double width)
{
    ModeProgram *prog = s->prog;
    if (!fallback_needed(s, length, width, FORESEEN))
        return;
    fallback_enter(s);
    prog->fallback.last_event = s->run.time;
    prog->fallback.max_step =
        fmin(s->run.time < prog->fallback.until ? prog->fallback.max_step : INFINITY, 0.5 * length);
    prog->fallback.until = fmax(prog->fallback.until, s->run.time + length);
}

/* Sizes of states, for absolute tolerances.
 *
 * The absolute tolerance of a state is the relative one times its size. A nominal value other than
 * 1 is its size. Otherwise the size is ten times the largest recent value, and at most 1. A value
 * at half the present time counts a quarter. So a state that stays tiny, or falls like a power of
 * time, is still accurate. A state that passes zero keeps its size. A state at rest need not be
 * resolved for ever: a small part of the largest value so far is a lower limit.
 *
 * Before anything is seen, a small size is assumed. It fades, so that a state that begins with zero
 * and stays tiny is accurate from the start.
 *
 * A state may be zero up to rounding, or its equations may be rough at this scale. Then steps fail,
 * or most of them are rejected, and the lower limit of the state that limits the step rises beyond
 * its size. At 1 the tolerances are those of nominal values.
 *
 * Models with state events keep tolerances by nominal values: after an event many states are at
 * zero, and small sizes would make the steps of each transient shorter. So does inline integration,
 * because its equations are solved no more accurately. */
#include "sim/state/evaluate.h"

#include <math.h>

static const double ASSUMED = 1e-6;    /* size, before anything is seen */
static const double FADES = 0.5;       /* of it, in a step */
static const double SLACK = 10;        /* what is less than a tenth counts as small */
static const double REMEMBERED = 1e-6; /* of the largest value so far */
static const double FINEST = 1e-10;    /* tolerance, of the largest value so far */
static const double LEAST = 1e-24;     /* tolerance */
static const double RISES = 100;       /* the lower limit of a size, after a failure */
/* By these factors, before a tolerance changes. A higher one makes the next steps longer at once,
 * and the relative tolerance serves a state that has grown. */
static const double LOWERED = 2, RAISED = 100;
enum { WINDOW = 100 /* steps */, ROUGH = 60 /* of them rejected */ };

void sizes_create(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->sizes.recent = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.largest = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.assumed = ASSUMED;
    prog->sizes.floor = ARENA_ARRAY(prog->own, double, prog->n);
    for (uint32_t i = 0; i < prog->n; i++)
        prog->sizes.floor[i] = LEAST / solver_tolerance(s);
}

static bool has_sizes(const ModeProgram *prog)
{
    return !prog->problem.stage && !prog->plan->inlined.n && !program_has_state_events(prog);
}

bool sizes_raise(Sim *s, StepStatus status)
{
    ModeProgram *prog = s->prog;
    if ((status != STEP_TOO_SMALL && status != STEP_NO_CONVERGENCE) || !has_sizes(prog))
        return false;
    uint32_t limiting = prog->solver->limiting;
    bool raised = false, all = limiting >= prog->n;
    for (uint32_t i = 0; i < prog->n; i++) {
        double *floor = &prog->sizes.floor[i], size = prog->usual_atol[i] / prog->problem.rtol;
        if ((all || i == limiting) && *floor < 1 && size < 1) {
            *floor = fmin(1, RISES * fmax(*floor, size));
            raised = true;
        }
    }
    s->restart |= raised;
    if (raised)
        sizes_follow(s);
    return raised;
}

/* After steps that were mostly rejected. */
static void notice_rough(ModeProgram *prog)
{
    StateSizes *z = &prog->sizes;
    const Solver *solver = prog->solver;
    if (z->solver == solver && solver->steps - z->first_step <= WINDOW)
        return;
    if (z->solver == solver && solver->rejected - z->rejected > ROUGH)
        for (uint32_t i = 0; i < prog->n; i++)
            z->floor[i] = 1;
    z->solver = solver;
    z->first_step = solver->steps;
    z->rejected = solver->rejected;
}

/* fades: what was seen before the step counts less. */
static double size_of(ModeProgram *prog, uint32_t i, double fades)
{
    StateSizes *z = &prog->sizes;
    double *recent = &z->recent[i], *largest = &z->largest[i], now = fabs(prog->x[i]);
    *largest = fmax(*largest, now);
    *recent = fmax(fades * *recent, now);
    double least = fmax(REMEMBERED, FINEST / prog->problem.rtol) * *largest,
           seen = fmax(SLACK * *recent, z->assumed);
    return fmin(1, fmax(seen, fmax(least, z->floor[i])));
}

void sizes_follow(Sim *s)
{
    ModeProgram *prog = s->prog;
    StateSizes *z = &prog->sizes;
    if (!has_sizes(prog))
        return;
    notice_rough(prog);
    z->assumed *= FADES;
    double old = fmax(0, prog->solver->t0 - s->options->start), age = s->time - s->options->start,
           fades = age > old ? (old / age) * (old / age) : 1;
    for (uint32_t i = 0; i < prog->n; i++) {
        if (program_var(prog, prog->plan->states.at[i].var)->nominal != 1)
            continue;
        double atol = prog->problem.rtol * size_of(prog, i, fades),
               part = atol / prog->usual_atol[i];
        if (part > 1 / LOWERED && part < RAISED)
            continue;
        prog->usual_atol[i] = atol;
        prog->atol[i] *= part;
        prog->open_atol[i] = prog->atol[i];
    }
}

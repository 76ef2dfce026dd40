/* Sizes of states, for absolute tolerances.
 *
 * The absolute tolerance of a state is the relative one times its size. A nominal value other than
 * 1 is its size. Otherwise the size is ten times the largest recent value, and at most 1. A value
 * at half the present time counts a quarter. So a state that stays tiny, or has fallen by orders of
 * magnitude, is still accurate. A state that passes zero keeps its size. There are two lower
 * limits. One is a small part of the largest value so far, because a state at rest need not be
 * resolved for ever. The other is a smaller part of 1, because a state may be zero up to rounding.
 *
 * If many steps are rejected, the equations are rough at this scale. Then all sizes are 1, as they
 * are along held surfaces. Inline integration keeps its tolerances, because its equations are
 * solved no more accurately. */
#include "sim/state/evaluate.h"

#include <math.h>

static const double ASSUMED = 0.03;    /* size, before anything is seen */
static const double FADES = 0.97;      /* of it, in a step */
static const double SLACK = 10;        /* what is less than a tenth counts as small */
static const double REMEMBERED = 1e-6; /* of the largest value so far */
static const double FINEST = 1e-10;    /* tolerance, of the largest value so far */
static const double LEAST = 1e-15;     /* tolerance */
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
}

/* After steps that were mostly rejected. */
static bool is_rough(StateSizes *z, const Solver *solver)
{
    if (z->solver != solver || solver->steps - z->steps > WINDOW) {
        z->rough |= z->solver == solver && solver->rejected - z->rejected > ROUGH;
        z->solver = solver;
        z->steps = solver->steps;
        z->rejected = solver->rejected;
    }
    return z->rough;
}

/* fades: what was seen before the step counts less. */
static double size_of(ModeProgram *prog, uint32_t i, double fades)
{
    double *recent = &prog->sizes.recent[i], *largest = &prog->sizes.largest[i],
           now = fabs(prog->x[i]);
    *largest = fmax(*largest, now);
    *recent = fmax(fades * *recent, now);
    double rtol = prog->problem.rtol, least = fmax(REMEMBERED, FINEST / rtol) * *largest,
           seen = fmax(SLACK * *recent, prog->sizes.assumed);
    return fmin(1, fmax(seen, fmax(least, LEAST / rtol)));
}

void sizes_follow(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (prog->problem.stage || prog->plan->inlined.n)
        return;
    bool rough = is_rough(&prog->sizes, prog->solver) || prog->mixed;
    prog->sizes.assumed *= FADES;
    double old = fmax(0, prog->solver->t0 - s->options->start), age = s->time - s->options->start,
           fades = age > old ? (old / age) * (old / age) : 1;
    for (uint32_t i = 0; i < prog->n; i++) {
        if (program_var(prog, prog->plan->states.at[i].var)->nominal != 1)
            continue;
        double atol = prog->problem.rtol * (rough ? 1 : size_of(prog, i, fades)),
               part = atol / prog->usual_atol[i];
        if (part > 1 / LOWERED && part < RAISED)
            continue;
        prog->usual_atol[i] = atol;
        prog->atol[i] *= part;
        prog->open_atol[i] = prog->atol[i];
    }
}

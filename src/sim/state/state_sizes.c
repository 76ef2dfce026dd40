/* Sizes of states, for absolute tolerances.
 *
 * The absolute tolerance of a state is the relative one times its nominal value. This does not
 * control a state that is far smaller: any value within the tolerance is accepted, also one with
 * the wrong sign. If other equations depend on such a state, the result can be wrong without a
 * message. So a tiny state without a nominal value has a tolerance by its size, which is the
 * largest value since the first quarter of the time that has passed since the last event.
 *
 * Ordinary models must not pay for this. The tolerance falls slowly: by a factor of 4 while time
 * doubles, after 50 steps without an event. These states keep the usual tolerance:
 *
 * - states that change their sign, unless they are below the tolerance altogether;
 * - states that grow fast, as ahead of a wave that will arrive;
 * - states at zero up to rounding, which go up and down from step to step.
 *
 * A start value other than zero shows a size as well. If all states are tiny at the start, those
 * that start at zero are assumed to be smaller still, for some steps.
 *
 * If the equations are rough at this scale, steps fail, or most of them are rejected. Then the
 * least tolerance rises. Inline integration has no sizes, because its equations are solved no more
 * accurately.
 *
 * Errors of steps add up where nothing damps them, as in an oscillation. On a long way without
 * events they count more and more: the k-th step as k/2000. Their sum then grows like a
 * logarithm. If steps are mostly rejected, they are many because the equations are rough, and the
 * way begins anew. */
#include "sim/state/evaluate.h"

#include <math.h>

static const double TINY = 1e-2;    /* least size of a state with the usual tolerance */
static const double UNSEEN = 10;    /* tolerances: size of an oscillation that is followed */
static const double SLACK = 10;     /* what is less than a tenth counts as small */
static const double GROWS = 10;     /* factor of a fast growth, while time doubles */
static const double LEAST = 1e-10;  /* tolerance, of the largest value of the state so far */
static const double NOISE = 1e-21;  /* tolerance, of the largest value of all states */
static const double NOTABLE = 1e-2; /* change in a step, of the size */
static const double GROWN = 3;      /* factor, before a tolerance rises */
static const double FALLS = 4;      /* tolerance, at most by this factor while time doubles */
/* If all states are tiny at the start: their size in relation to the largest, until more is seen.
 */
static const double ASSUMED = 1e-6;
static const double FADES = 2;       /* this assumption, in a step, by this factor */
static const double RISES = 100;     /* a tolerance that was too fine, by this factor */
static const double SMALLEST = 1e-9; /* start value that is more than rounding */
static const double FAR = 2000;      /* steps without events, before errors count more */
static const double STRICTEST = 1000;
static const double FINEST = 1e-13; /* relative tolerance of a step */
enum { NOISY = 4 /* reversals in 16 steps */ };
enum { FIRST = 50 /* steps after an event */, WINDOW = 100 /* steps */, ROUGH = 60 /* rejected */ };

void sizes_create(ModeProgram *prog)
{
    prog->sizes.now = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.before = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.earlier = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.largest = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.last = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.change = ARENA_ARRAY(prog->own, double, prog->n);
    prog->sizes.reversals = ARENA_ARRAY(prog->own, uint16_t, prog->n);
    prog->sizes.turns = ARENA_ARRAY(prog->own, uint8_t, prog->n);
    prog->sizes.assumed = 1;
    prog->sizes.least = ARENA_ARRAY(prog->own, double, prog->n);
}

/* A fixed step does not depend on tolerances. */
static bool has_sizes(const ModeProgram *prog)
{
    bool fixed = prog->kind && (prog->kind->properties & SOLVER_FIXED_STEP);
    return !fixed && !prog->problem.stage && !prog->plan->inlined.n;
}

/* A nominal value other than 1 is the user's. */
static bool is_free(const ModeProgram *prog, uint32_t i)
{
    return program_var(prog, prog->plan->states.at[i].var)->nominal == 1;
}

static void set_tolerance(ModeProgram *prog, uint32_t i, double atol)
{
    prog->atol[i] *= atol / prog->usual_atol[i];
    prog->open_atol[i] = prog->atol[i];
    prog->usual_atol[i] = atol;
}

static bool is_lowered(const ModeProgram *prog, uint32_t i)
{
    return is_free(prog, i) && prog->usual_atol[i] < prog->problem.rtol;
}

bool sizes_raise(ModeProgram *prog, StepStatus status)
{
    if ((status != STEP_TOO_SMALL && status != STEP_NO_CONVERGENCE) || !has_sizes(prog))
        return false;
    uint32_t limiting = prog->solver->limiting;
    bool raised = false, all = limiting >= prog->n;
    for (uint32_t i = 0; i < prog->n; i++)
        if ((all || i == limiting) && is_lowered(prog, i)) {
            prog->sizes.least[i] = fmin(prog->problem.rtol, RISES * prog->usual_atol[i]);
            set_tolerance(prog, i, prog->sizes.least[i]);
            raised = true;
        }
    prog->run->restart |= raised;
    return raised;
}

/* After `way` steps without events. */
static void set_strictness(ModeProgram *prog, uint64_t way)
{
    double most = fmax(1, fmin(STRICTEST, prog->problem.rtol / FINEST));
    prog->problem.way = way;
    prog->problem.strictness = fmax(1, fmin(most, (double)way / FAR));
}

/* After steps that were mostly rejected. */
static void notice_rough(ModeProgram *prog)
{
    StateSizes *z = &prog->sizes;
    const Solver *solver = prog->solver;
    if (z->solver == solver && solver->steps - z->first_step <= WINDOW)
        return;
    if (z->solver == solver && solver->rejected - z->rejected > ROUGH) {
        set_strictness(prog, 0);
        for (uint32_t i = 0; i < prog->n; i++)
            z->least[i] = prog->problem.rtol;
    }
    z->solver = solver;
    z->first_step = solver->steps;
    z->rejected = solver->rejected;
}

void sizes_restart(ModeProgram *prog, uint64_t instants)
{
    StateSizes *z = &prog->sizes;
    if (z->instants == instants)
        return;
    z->instants = instants;
    z->steps = 0;
    z->assumed = 1;
    set_strictness(prog, 0);
    for (uint32_t i = 0; i < prog->n; i++)
        if (is_lowered(prog, i))
            set_tolerance(prog, i, prog->problem.rtol);
}

void sizes_start(ModeProgram *prog, uint64_t instants)
{
    double all = 0;
    for (uint32_t i = 0; i < prog->n; i++)
        all = fmax(all, fabs(prog->x[i]));
    prog->sizes.assumed = all > 0 && all < TINY ? ASSUMED * all : 1;
    for (uint32_t i = 0; i < prog->n && has_sizes(prog); i++) {
        double start = fabs(prog->x[i]),
               size = start > SMALLEST ? SLACK * start : prog->sizes.assumed;
        if (is_free(prog, i) && size < 1)
            set_tolerance(prog, i, prog->problem.rtol * size);
    }
    prog->sizes.instants = instants;
}

static void remember_sign_and_change(StateSizes *z, uint32_t i, double x, bool anew)
{
    double change = x - z->last[i];
    bool reversed = change * z->change[i] < 0 && fabs(change) > NOTABLE * z->now[i];
    z->turns[i] = (uint8_t)((anew ? z->turns[i] << 1 & 2 : z->turns[i]) | (z->last[i] * x < 0));
    z->reversals[i] = (uint16_t)(z->reversals[i] << 1 | reversed);
    z->change[i] = change;
    z->last[i] = x;
}

/* Values of the last whiles. Returns the largest of all so far. */
static double remember(ModeProgram *prog)
{
    StateSizes *z = &prog->sizes;
    bool first = z->steps++ == 0, anew = z->doubled = first || prog->run->time > z->until;
    if (first)
        z->since = prog->solver->t0;
    if (anew)
        z->until = z->since + 2 * (prog->run->time - z->since);
    double all = 0;
    for (uint32_t i = 0; i < prog->n; i++) {
        double x = fabs(prog->x[i]);
        remember_sign_and_change(z, i, prog->x[i], anew);
        if (anew) {
            z->earlier[i] = first ? 0 : z->before[i];
            z->before[i] = first ? 0 : z->now[i];
            z->now[i] = 0;
        }
        z->now[i] = fmax(z->now[i], x);
        z->largest[i] = fmax(z->largest[i], x);
        all = fmax(all, z->largest[i]);
    }
    return all;
}

/* Rounding reverses the change in every other step. */
static bool is_noise(uint16_t reversals)
{
    int n = 0;
    for (; reversals; reversals &= (uint16_t)(reversals - 1))
        n++;
    return n >= NOISY;
}

static bool may_follow(const StateSizes *z, uint32_t i, double size, double rtol)
{
    return (!z->turns[i] || size < UNSEEN * rtol) && !is_noise(z->reversals[i]) &&
           z->now[i] < GROWS * z->before[i] && z->before[i] < GROWS * z->earlier[i];
}

/* A state that is followed stays so while it is tiny. */
static bool is_followed(const ModeProgram *prog, uint32_t i)
{
    const StateSizes *z = &prog->sizes;
    double size = fmax(z->now[i], z->before[i]), rtol = prog->problem.rtol;
    bool already = is_lowered(prog, i) && z->assumed >= 1;
    return z->now[i] > 0 && size < TINY && (already || may_follow(z, i, size, rtol));
}

/* The tolerance that state i asks for; all: the largest value of all states. */
static double wanted_tolerance(const ModeProgram *prog, uint32_t i, double all)
{
    const StateSizes *z = &prog->sizes;
    bool followed = is_followed(prog, i);
    double rtol = prog->problem.rtol, falls = is_noise(z->reversals[i]) ? 1 : FALLS,
           size = followed ? SLACK * fmax(z->now[i], z->before[i]) : z->assumed,
           least = fmax(fmax(NOISE * all, z->least[i]), LEAST * z->largest[i]);
    if (followed)
        least = fmax(least, prog->usual_atol[i] / falls);
    return fmin(rtol, fmax(rtol * size, least));
}

void sizes_follow(ModeProgram *prog)
{
    StateSizes *z = &prog->sizes;
    if (!has_sizes(prog))
        return;
    notice_rough(prog);
    double all = remember(prog);
    set_strictness(prog, prog->problem.way + 1);
    z->assumed *= FADES;
    for (uint32_t i = 0; i < prog->n && (z->steps > FIRST || z->assumed < 1); i++) {
        if (!is_free(prog, i))
            continue;
        double atol = wanted_tolerance(prog, i, all), old = prog->usual_atol[i];
        if (atol > GROWN * old || (z->doubled && atol < old))
            set_tolerance(prog, i, atol);
    }
}

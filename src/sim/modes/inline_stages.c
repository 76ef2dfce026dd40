/* Stages of inline integration: all equations at one time with der = rate*(x - old), solved by the
 * inlined program.
 *
 * If the structure of a model may change, the inlined program is in use throughout. If one
 * structure serves all modes, the ordinary program computes events, relations and results. The
 * inlined one is only used for stages. Events are then treated as for every solver. If the ordinary
 * program meets a block that it cannot solve, the inlined one takes over for good (modes.c). */
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"
#include "sim/state/evaluate.h"

#include <math.h>

/* Evaluates all equations once. Returns x of inlined states; takes x of the others. */
static int evaluate_stage(ModeProgram *prog, double *x, double *der)
{
    const Plan *p = prog->plan;
    uint32_t others = prog->n - p->inlined.n;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->v[p->states.at[i].var] = x[i];
    prog->run->stats->derivatives++;
    int status = evaluate_call(prog, prog->code->derivatives);
    for (uint32_t i = 0; i < prog->n; i++) {
        x[i] = i < others ? x[i] : prog->v[p->states.at[i].var];
        der[i] = prog->v[p->states.at[i].der];
        if (!status && !isfinite(x[i] + der[i]))
            status = MODEL_NOT_FINITE;
    }
    return status;
}

/* How far the states that are not inlined are from old + der/rate, in units of the tolerance;
 * images and differences into g and f. */
static double others_miss(const ModeProgram *prog, double rate, const double *old, const double *x,
                          const double *der, double *f, double *g)
{
    double most = 0;
    for (uint32_t i = 0; i < prog->n - prog->plan->inlined.n; i++) {
        g[i] = old[i] + der[i] / rate;
        f[i] = g[i] - x[i];
        most = fmax(most, fabs(f[i]) / solver_weight(&prog->problem, i, fabs(x[i])));
    }
    return most;
}

/* Sets the operands of the integrator's equations, and solves all equations with the states in x
 * that are not inlined. */
static int solve_part(void *user, double t, double rate, const double *old, double *x, double *der)
{
    ModeProgram *prog = user;
    const Plan *p = prog->plan;
    uint32_t others = prog->n - p->inlined.n;
    prog->v[0] = t;
    prog->v[p->step] = 1 / rate;
    for (uint32_t i = 0; i < p->inlined.n; i++)
        prog->v[p->inlined.at[i].old] = old[others + i];
    int status = evaluate_stage(prog, x, der);
    if (status)
        note_failure(prog, status, t, x);
    return status == MODEL_NO_MEMORY ? -1 : status ? 1 : 0;
}

/* All equations at t with der = rate*(x - old). The program has this for inlined states. Other
 * states are iterated, which converges if the step is short compared with their own motion. */
static int solve_stage(void *user, double t, double rate, const double *old, double *x, double *der)
{
    enum { MOST_TURNS = 40 };
    ModeProgram *prog = user;
    double *f = prog->xi, *g = prog->others, miss = 0;
    int status = solve_part(prog, t, rate, old, x, der);
    for (uint32_t turn = 0; !status && turn < MOST_TURNS; turn++) {
        miss = others_miss(prog, rate, old, x, der, f, g);
        if (!(miss > 1e-4))
            break;
        anderson_next(prog->anderson, &prog->problem, x, turn, f, g, x);
        status = solve_part(prog, t, rate, old, x, der);
    }
    return status || miss <= 1e-4 ? status : 1;
}

/* ---- stages for the ordinary program ---- */

static uint32_t state_of(const Plan *p, VarId var)
{
    uint32_t i = 0;
    while (i < p->states.n && p->states.at[i].var != var)
        i++;
    return i < p->states.n ? i : NONE;
}

bool stages_possible(Sim *s)
{
    const Modes *w = s->modes;
    const Plan *p = w->single->plan, *q = w->inlined.steps->plan;
    if (p->guards.n || p->sets.n || p->states.n != q->states.n ||
        s->run.options->structure == STRUCTURE_INLINE)
        return false;
    for (uint32_t i = 0; i < q->states.n; i++)
        if (state_of(p, q->states.at[i].var) == NONE)
            return false;
    return true;
}

void stages_create(Sim *s)
{
    Modes *w = s->modes;
    const Plan *q = w->inlined.steps->plan;
    ModeProgram *home = s->prog;
    w->inlined.staged = true;
    w->inlined.home = ARENA_ARRAY(s->run.arena, uint32_t, q->states.n);
    for (uint32_t i = 0; i < 3; i++)
        w->inlined.stage[i] = ARENA_ARRAY(s->run.arena, double, q->states.n);
    for (uint32_t i = 0; i < q->states.n; i++)
        w->inlined.home[i] = state_of(w->single->plan, q->states.at[i].var);
    problem_create(w->inlined.steps);
    stages_problem(w->inlined.steps);
    s->prog = w->inlined.steps;
    tolerances_create(s);
    s->prog = home;
}

void stages_restart(Sim *s)
{
    if (s->modes && s->modes->inlined.staged)
        program_copy_values(s->prog, s->modes->inlined.steps);
}

typedef int (*Stage)(void *user, double t, double rate, const double *old, double *x, double *der);

static int solve_elsewhere(ModeProgram *prog, Stage solve, double t, double rate, const double *old,
                           double *x, double *der)
{
    const InlinedPrograms *w = &prog->modes->inlined;
    for (uint32_t i = 0; i < prog->n; i++) {
        w->stage[0][i] = old[w->home[i]];
        w->stage[1][i] = x[w->home[i]];
    }
    runtime_take_delays(w->steps->rt, prog->rt);
    int status = solve(w->steps, t, rate, w->stage[0], w->stage[1], w->stage[2]);
    runtime_take_delays(prog->rt, w->steps->rt);
    for (uint32_t i = 0; i < prog->n; i++) {
        x[w->home[i]] = w->stage[1][i];
        der[w->home[i]] = w->stage[2][i];
    }
    return status;
}

static int stage_elsewhere(void *user, double t, double rate, const double *old, double *x,
                           double *der)
{
    return solve_elsewhere(user, solve_stage, t, rate, old, x, der);
}

static int part_elsewhere(void *user, double t, double rate, const double *old, double *x,
                          double *der)
{
    return solve_elsewhere(user, solve_part, t, rate, old, x, der);
}

/* Mixed mode is possible if some states are inlined and others are not. home: per state of the
 * inlined program its index in the program in use, NULL: the same. */
static void offer_part(ModeProgram *prog, const Plan *inlined, const uint32_t *home, Stage part)
{
    uint32_t others = inlined->states.n - inlined->inlined.n;
    if (!others)
        return;
    bool *is_inlined = ARENA_ARRAY(prog->own, bool, prog->n);
    for (uint32_t i = others; i < prog->n; i++)
        is_inlined[home ? home[i] : i] = true;
    prog->problem.inlined = is_inlined;
    prog->problem.part = part;
}

void stages_problem(ModeProgram *prog)
{
    if (prog->modes && prog->modes->inlined.staged && prog == prog->modes->single) {
        prog->problem.stage = stage_elsewhere;
        offer_part(prog, prog->modes->inlined.steps->plan, prog->modes->inlined.home,
                   part_elsewhere);
    }
    if (!prog->plan->inlined.n)
        return;
    prog->problem.stage = solve_stage;
    offer_part(prog, prog->plan, NULL, solve_part);
    if (prog->anderson) /* from the time when it only solved stages for another program */
        return;
    prog->others = ARENA_ARRAY(prog->own, double, prog->n);
    prog->anderson = anderson_new(prog->n - prog->plan->inlined.n);
}

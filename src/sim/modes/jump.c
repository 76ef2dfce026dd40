/* The next mode and the jump as one problem (Moreau's time-stepping, for one step of vanishing
 * length).
 *
 * At a mode change all equations of the model are solved together with der(x) = (x - left)/h. They
 * are unreduced and have the incidence of all branches. This is the mixed system of one step of
 * implicit Euler.
 *
 * - Variables that must stay finite cannot jump. Variables that a constraint of the new mode forces
 * jump so that momentum, charge and flux are balanced. The equations of these balances are among
 * those solved. A diode that turns on because another switch turned off does so in the same
 * solution. - The limit for h to 0 is found by extrapolation. If x moves less than rounding and
 * extrapolation can resolve, it has not jumped and keeps its value exactly. - A second solution
 * from the new values gives derivatives and all other variables at the right limit. If the mode
 * changes again there, the next jump begins from it.
 *
 * Events are located to within ε, so left limits may miss a constraint of the new mode slightly.
 * An impulse that removes this miss would, divided by h, outweigh all finite values and decide the
 * relations. So the mode in which only the triggering relations have changed is tried first. If
 * nothing jumps in it, and it is consistent without that miss, it is the next one.
 *
 * If the new mode constrains positions, a miss d causes velocities of d/h, which grow as h falls.
 * Positions still have a limit: they are moved there, and velocities jump from their old values. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/modes/variable_structure.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum {
    RETURNED = 1,
    RETURNED_BEFORE = 2
}; /* a relation took its former value again: in this turn of the jump, or earlier */
enum { WIDE = 10, BAND = 4 /* answers of relations, in ε */ };
enum { MOST_JUMPS = 20, MOST_LENGTHS = 7, MOST_LONGER = 3, MOST_CORRECTIONS = 3, MOST_REFINED = 4 };
static const double first_length = 5e-6; /* of the model's time scale */
/* length of the jump as a share of the next inline step, which does not resolve shorter
 * transients */
static const double of_step = 4e-3;
static const double shorter = 1.0 / 16;
/* if a shorter step enlarges the difference of extrapolations by this factor, there is no limit */
static const double growing = 4;
static const double agree = 1e-9; /* extrapolations, relative to nominal + |x| */
static const double far = 0.1;    /* extrapolations caused by a miss that is much larger than ε */
static const double alike = 1e-2; /* derivatives of two steps */
static const double rounded = 1e-13; /* error of z, relative to the largest tearing variable */
static const double exactly = 1e-3;  /* ε: x that moved less keeps its value */
static const double still = 2e-8;    /* x that moved less has not jumped */

static double jump_length(const RunContext *run)
{
    return first_length * model_time_scale(run);
}

/* The step that inline integration will try next; 0 if it is unknown or not in use. */
static double next_step(const ModeProgram *prog)
{
    const ModeProgram *steps = prog->modes->inlined.in_use ? prog->modes->inlined.steps : NULL;
    const Solver *solver = steps ? steps->solver : NULL;
    return solver ? solver->restart_share * (solver->t - solver->t0) : 0;
}

/* Longer if inline integration continues with a step that resolves no more. */
static double coarse_length(const ModeProgram *prog)
{
    return fmax(jump_length(prog->run), of_step * next_step(prog));
}

/* ---- present values ---- */

void jump_begin(ModeProgram *prog, const double *left)
{
    Modes *w = prog->modes;
    if (!w || !w->inlined.all)
        return;
    memcpy(w->jump.from, left, prog->run->n_common * sizeof *left);
    w->jump.begun = true;
    w->jump.impulse.jumped = w->jump.impulse.contradicts = false;
    for (uint32_t i = 0; i < w->inlined.all->n; i++)
        if (w->inlined.all->plan->inlined.at[i].var < prog->run->n_common)
            w->jump.stand[i] = left[w->inlined.all->plan->inlined.at[i].var];
}

void jump_put(ModeProgram *prog, VarId var, double value)
{
    Modes *w = prog->modes;
    if (!w || !w->inlined.all)
        return;
    w->jump.from[var] = value;
    for (uint32_t i = 0; i < w->inlined.all->n; i++)
        if (w->inlined.all->plan->inlined.at[i].var == var)
            w->jump.stand[i] = value;
}

/* The candidates of slots of state sets, and their values. */
static void resolve_slots(ModeProgram *prog)
{
    Modes *w = prog->modes;
    for (uint32_t i = 0; i < prog->n; i++) {
        VarId v = prog->plan->inlined.at[i].var;
        w->jump.means[i] = program_stands_for(prog, v);
        if (w->jump.begun && v != w->jump.means[i] && w->jump.means[i] < prog->run->n_common)
            w->jump.stand[i] = w->jump.from[w->jump.means[i]];
    }
    w->jump.begun = false;
}

/* Sets everything integrated to its present value. */
static void put_stand(ModeProgram *prog, const double *stand)
{
    for (uint32_t i = 0; i < prog->n; i++)
        prog->v[prog->plan->inlined.at[i].var] = prog->v[prog->modes->jump.means[i]] = stand[i];
}

/* ---- solutions for a length ---- */

/* From these values. */
static int solve_from(ModeProgram *prog, double h, const double *begin, bool discrete)
{
    const Plan *p = prog->plan;
    if (p->step != NONE) /* otherwise nothing is integrated */
        prog->v[p->step] = h;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->v[p->inlined.at[i].old] = begin[i];
    if (discrete)
        return evaluate_equations(prog, &prog->modes->jump.event->momentary);
    int status = evaluate_call(prog, prog->code->derivatives);
    return status ? status : evaluate_call(prog, prog->code->outputs);
}

/* From the present values. */
static int solve(ModeProgram *prog, double h, bool discrete)
{
    return solve_from(prog, h, prog->modes->jump.stand, discrete);
}

static void note(const ModeProgram *prog, double *x)
{
    for (uint32_t i = 0; i < prog->n; i++)
        x[i] = prog->v[prog->plan->inlined.at[i].var];
}

static double size_of(const ModeProgram *prog, uint32_t i, double x)
{
    return program_var(prog, prog->modes->inlined.all->plan->inlined.at[i].var)->nominal + fabs(x);
}

/* The limit for h to 0 into `to`, from solutions for h, h/2 and h/4 in the present mode; *error:
 * how well two extrapolations agree. The same for crossing functions, into w->jump.z with the
 * difference of the two in w->jump.noise: an impulse grows like 1/h and keeps its sign. */
static int extrapolate(ModeProgram *prog, double h, double *to, double *error)
{
    Modes *w = prog->modes;
    double *x[3] = {w->jump.work[0], w->jump.work[1], w->jump.work[2]};
    for (int k = 0; k < 3; k++) {
        int status = solve(prog, h / (1 << k), false);
        status = status ? status : prog->code->indicators(prog->m, w->jump.zs[k]);
        if (status)
            return status;
        note(prog, x[k]);
    }
    *error = 0;
    for (uint32_t i = 0; i < prog->n; i++) {
        double coarse = 2 * x[1][i] - x[0][i], fine = 2 * x[2][i] - x[1][i];
        to[i] = fine + (fine - coarse) / 3;
        w->jump.spread[i] = fabs(fine - coarse) / size_of(prog, i, fine);
        *error = fmax(*error, w->jump.spread[i]);
    }
    return 0;
}

static void limits_of_z(ModeProgram *prog)
{
    Modes *w = prog->modes;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        double coarse = 2 * w->jump.zs[1][k] - w->jump.zs[0][k],
               fine = 2 * w->jump.zs[2][k] - w->jump.zs[1][k];
        w->jump.z[k] = fine;
        w->jump.noise[k] = fabs(fine - coarse);
    }
}

static void take(ModeProgram *prog, double *best, double error)
{
    Modes *w = prog->modes;
    *best = error;
    memcpy(w->jump.next, w->jump.work[3], prog->n * sizeof *w->jump.next);
    limits_of_z(prog);
}

/* Marks variables without a limit: their extrapolations from shorter steps differ more. `spread`
 * has the differences for the present length, `first` those for another. */
static void mark_unlimited(ModeProgram *prog, bool longer)
{
    Modes *w = prog->modes;
    for (uint32_t i = 0; i < prog->n; i++) {
        double less = longer ? w->jump.spread[i] : w->jump.first[i],
               more = longer ? w->jump.first[i] : w->jump.spread[i];
        w->jump.unlimited[i] = more > agree && more > growing * less;
    }
}

static bool any_unlimited(const ModeProgram *prog)
{
    for (uint32_t i = 0; i < prog->n; i++)
        if (prog->modes->jump.unlimited[i] && prog->modes->jump.first[i] > far)
            return true;
    return false;
}

/* Tries shorter steps than h, while they agree better. */
static void try_shorter(ModeProgram *prog, double h, double *best)
{
    double error;
    for (int k = 1; k<MOST_LENGTHS && * best> agree; k++) {
        int status = extrapolate(prog, h *= shorter, prog->modes->jump.work[3], &error);
        if (!status && k == 1)
            mark_unlimited(prog, false);
        if (status || !(error < *best))
            break;
        take(prog, best, error);
    }
}

/* Tries longer steps than h. `with`: the step of length h was not lost in rounding. */
static void try_longer(ModeProgram *prog, double h, bool with, double *best)
{
    double error;
    for (int k = 1; k <= MOST_LONGER && *best > agree && !any_unlimited(prog); k++) {
        int status = extrapolate(prog, h /= shorter, prog->modes->jump.work[3], &error);
        if (!status && k == 1 && with)
            mark_unlimited(prog, true);
        if (!status && error < *best)
            take(prog, best, error);
        else if (*best < INFINITY)
            break;
    }
}

/* The jump in the present mode into w->jump.next, with the longest step for which the
 * extrapolations agree, otherwise the best step. The result of the first length goes into
 * w->jump.near. If positions are constrained, a short step may be lost in rounding: then longer
 * ones are tried as well. */
static int find_jump(ModeProgram *prog, double h)
{
    Modes *w = prog->modes;
    double best = INFINITY, error;
    memset(w->jump.unlimited, 0, prog->n * sizeof *w->jump.unlimited);
    int status = extrapolate(prog, h, w->jump.work[3], &error);
    memcpy(w->jump.first, w->jump.spread, prog->n * sizeof *w->jump.first);
    if (!status) {
        take(prog, &best, error);
        memcpy(w->jump.near, w->jump.next, prog->n * sizeof *w->jump.near);
        try_shorter(prog, h, &best);
    }
    try_longer(prog, h, !status, &best);
    if (status)
        memcpy(w->jump.near, w->jump.next, prog->n * sizeof *w->jump.near);
    w->jump.error = fmax(w->jump.error, best);
    return best < INFINITY ? 0 : status ? status : MODEL_NOT_FINITE;
}

bool jump_moved(const ModeProgram *prog, uint32_t i, double from, double to)
{
    return fabs(to - from) > still * size_of(prog, i, from);
}

/* Moves to w->jump.next; true if something jumped. */
static bool move(ModeProgram *prog)
{
    Modes *w = prog->modes;
    bool moved = false;
    for (uint32_t i = 0; i < prog->n; i++) {
        if (!jump_moved(prog, i, w->jump.stand[i], w->jump.next[i]))
            continue;
        w->jump.stand[i] = w->jump.next[i];
        moved = true;
    }
    return moved;
}

/* Positions move to their limits, while velocities without a limit wait for the next turn. First
 * the positions with a small miss and, if that does not help, those with a large one. `turn` counts
 * the corrections. False if no more are needed. */
static bool correct(ModeProgram *prog, int *turn)
{
    Modes *w = prog->modes;
    double worst = 0;
    for (uint32_t i = 0; i < prog->n; i++)
        worst = w->jump.unlimited[i] ? fmax(worst, w->jump.first[i]) : worst;
    bool all = *turn == 1;
    if (worst <= (*turn == 0 ? agree : far) || *turn >= MOST_CORRECTIONS)
        return false;
    for (uint32_t i = 0; i < prog->n; i++)
        if (!w->jump.unlimited[i] &&
            (all || !jump_moved(prog, i, w->jump.stand[i], w->jump.near[i])))
            w->jump.stand[i] = w->jump.near[i];
    ++*turn;
    return true;
}

/* ---- relations in the limit ---- */

static bool is_true(const DaeRelation *r, double z)
{
    switch (r->op) {
    case OP_LT: return z < 0;
    case OP_LE: return z <= 0;
    case OP_GT: return z > 0;
    default: return z >= 0;
    }
}

/* The value of a relation in the iteration before; in the first one, at the left limit. */
static bool held_before(const ModeProgram *prog, VarId relation)
{
    return (prog->modes->jump.event->iterations ? prog->modes->row
                                                : prog->modes->jump.left)[relation] != 0;
}

/* ---- positions of switches during the jump ---- */

static bool jumps(const ModeProgram *prog)
{
    const Jump *j = &prog->modes->jump;
    for (uint32_t i = 0; i < prog->n; i++)
        if (jump_moved(prog, i, j->stand[i], j->next[i]))
            return true;
    return false;
}

/* The largest tearing variable: impulses are as large as this. */
static double largest_torn(const ModeProgram *prog)
{
    const PlanSequence *main = &prog->plan->main;
    double size = 0;
    for (uint32_t i = 0; i < main->n_blocks; i++) {
        const PlanBlock *b = &prog->plan->blocks.at[main->block + i];
        for (uint32_t k = 0; k < b->n_torn; k++)
            size = fmax(size, fabs(prog->v[prog->plan->torn.at[b->torn + k].var]));
    }
    return size;
}

/* Relations that are zero up to rounding of the impulses get their values at zero. True if some had
 * others. */
static bool clear_rounded(ModeProgram *prog, uint8_t *kept)
{
    Modes *w = prog->modes;
    double noise = rounded * largest_torn(prog), *z = w->jump.zs[0];
    bool any = false;
    if (prog->code->indicators(prog->m, z))
        return false;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        const DaeRelation *r = program_relation(prog, k);
        bool at_zero = is_true(r, 0);
        if (r->is_time_event || kept[k] || !(fabs(z[k]) <= noise))
            continue;
        kept[k] = at_zero ? 2 : 1;
        any |= (prog->v[r->var] != 0) != at_zero;
    }
    return any;
}

/* Something is about to jump. Notes the positions within the jump, where impulses act on the
 * switches. */
static void note_impulse(ModeProgram *prog, double h)
{
    Modes *w = prog->modes;
    const MemorySwitches *switches = w->jump.switches;
    Impulse *p = &w->jump.impulse;
    p->jumped = true;
    if (p->contradicts || !switches->n)
        return;
    memcpy(w->jump.resolved, w->jump.kept, program_n_relations(prog));
    if (clear_rounded(prog, w->jump.resolved)) {
        runtime_relations(prog->rt, w->jump.resolved, prog->run->eps, 0);
        (void)solve(prog, h, true);
        runtime_relations(prog->rt, w->jump.kept, prog->run->eps, 0);
    }
    for (uint32_t i = 0; i < switches->n; i++) {
        p->from[i] = prog->v[switches->links[i]->pre] != 0;
        p->to[i] = prog->v[switches->links[i]->base] != 0;
        p->contradicts |= p->from[i] != p->to[i] && !switches->commanded[i];
    }
}

/* Decides relations again whose value in the present mode contradicts the limit of z. The motion of
 * z within the step does not count. If the limit is zero, the relation returns to its former value,
 * once. True if there are any. */
static bool contradicted(ModeProgram *prog)
{
    Modes *w = prog->modes;
    bool any = false;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        const DaeRelation *r = program_relation(prog, k);
        bool now = prog->v[r->var] != 0,
             before = w->jump.event->initial ? now : held_before(prog, r->var);
        if (r->is_time_event || w->jump.relations->decided[k] || !isfinite(w->jump.z[k]))
            continue;
        bool sure =
            fabs(w->jump.z[k]) > prog->run->eps * relation_scale(prog->run, k) + w->jump.noise[k];
        bool wanted = sure ? is_true(r, w->jump.z[k]) : before;
        if (now == wanted || (!sure && w->jump.returned[k]))
            continue;
        w->jump.returned[k] = sure ? w->jump.returned[k] : RETURNED;
        w->jump.kept[k] = wanted ? 2 : 1;
        any = true;
    }
    return any;
}

/* Whether a relation at zero has changed to a value that its z denies. It would change back as soon
 * as z moves. */
static bool is_doubtful(ModeProgram *prog)
{
    Modes *w = prog->modes;
    double *z = w->jump.zs[0];
    if (w->jump.event->initial || prog->code->indicators(prog->m, z))
        return false;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        const DaeRelation *r = program_relation(prog, k);
        bool now = prog->v[r->var] != 0;
        if (!r->is_time_event && !w->jump.kept[k] && now != held_before(prog, r->var) &&
            now != is_true(r, z[k]))
            return true;
    }
    return false;
}

/* Ends a turn in which relations returned. Their former values may leave no solution: a brake
 * without normal force does not hold, although nothing moves yet. Or they may leave one that is
 * valid at this instant only, or that needs a doubtful change instead. Then they keep the values
 * that had a solution: `back`. */
static void end_return(ModeProgram *prog, bool back)
{
    Modes *w = prog->modes;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        if (w->jump.returned[k] == RETURNED && back)
            w->jump.kept[k] = w->jump.kept[k] == 2 ? 1 : 2;
        w->jump.returned[k] = w->jump.returned[k] ? RETURNED_BEFORE : 0;
    }
}

/* Relations other than those decided for the event, as they were before it. */
static void keep_relations(ModeProgram *prog)
{
    uint8_t *kept = prog->modes->jump.kept;
    for (uint32_t k = 0; k < program_n_relations(prog); k++)
        kept[k] = prog->modes->jump.relations->decided[k] ? prog->modes->jump.relations->decided[k]
                  : prog->modes->jump.left[program_relation(prog, k)->var] != 0 ? 2
                                                                                : 1;
    runtime_relations(prog->rt, kept, prog->run->eps, 0);
}

/* Crossing functions in the present mode after the jump, without the small miss of the left limits.
 * What extrapolations leave open is no miss. */
static int settle(ModeProgram *prog, double h)
{
    Modes *w = prog->modes;
    for (uint32_t i = 0; i < prog->n; i++) {
        double moved = fabs(w->jump.near[i] - w->jump.stand[i]);
        if (moved > w->jump.first[i] * size_of(prog, i, w->jump.stand[i]))
            w->jump.stand[i] = w->jump.near[i];
    }
    return find_jump(prog, h);
}

/* Inline integration begins at the values to which the equations of the mode lead at once.
 * Otherwise its first step would correct the miss, with large currents. */
static void remove_miss(const ModeProgram *prog, double *stand)
{
    const Modes *w = prog->modes;
    for (uint32_t i = 0; w->inlined.in_use && i < prog->n; i++)
        if (fabs(w->jump.next[i] - stand[i]) >
            exactly * prog->run->eps * size_of(prog, i, stand[i]))
            stand[i] = w->jump.next[i];
}

/* The result of the jump in the mode with the kept relations, and whether this mode is valid
 * there. */
static bool holds_still(ModeProgram *prog, double *stand)
{
    Modes *w = prog->modes;
    double h = w->jump.length = coarse_length(prog);
    keep_relations(prog);
    memset(w->jump.returned, 0, program_n_relations(prog));
    if (solve(prog, h, true) || w->jump.event->momentary || find_jump(prog, h) || move(prog) ||
        settle(prog, h) || contradicted(prog))
        return false;
    remove_miss(prog, stand);
    put_stand(prog, stand);
    return true;
}

bool jump_unneeded(ModeProgram *prog)
{
    Modes *w = prog->modes;
    resolve_slots(prog);
    memcpy(w->row, prog->v, prog->run->n_common * sizeof *prog->v);
    memcpy(w->jump.before, w->jump.stand, prog->n * sizeof *w->jump.stand);
    bool none = holds_still(prog, w->jump.before);
    memcpy(w->jump.stand, w->jump.before, prog->n * sizeof *w->jump.stand);
    if (!none)
        memcpy(prog->v, w->row, prog->run->n_common * sizeof *prog->v);
    runtime_relations(prog->rt, w->jump.relations->decided, prog->run->eps, 0);
    return none;
}

/* One turn: the jump in the present mode and, if nothing jumps, whether the mode is valid. *done:
 * it is. */
static int turn(ModeProgram *prog, double h, int *corrections, bool *done)
{
    Modes *w = prog->modes;
    int status = find_jump(prog, h);
    if (!status && correct(prog, corrections))
        return solve(prog, h, true);
    if (!status && jumps(prog))
        note_impulse(prog, h);
    bool moved = !status && move(prog);
    if (status || moved)
        return status ? status : solve(prog, h, true);
    memcpy(w->jump.exact, w->jump.stand, prog->n * sizeof *w->jump.stand);
    status = settle(prog, h);
    *done = !status && !contradicted(prog);
    bool changed = !status && !*done;
    memcpy(w->jump.solved, prog->v, prog->run->n_common * sizeof *prog->v);
    if (!status)
        status = solve(prog, h, !*done);
    memcpy(w->jump.stand, w->jump.exact, prog->n * sizeof *w->jump.stand);
    if (changed && (status || w->jump.event->momentary || is_doubtful(prog))) {
        memcpy(prog->v, w->jump.solved, prog->run->n_common * sizeof *prog->v);
        end_return(prog, true);
        status = solve(prog, h, true);
    }
    end_return(prog, false);
    return status;
}

static int jump_with(ModeProgram *prog, double h, bool *plain)
{
    Modes *w = prog->modes;
    bool done = false;
    int corrections = 0;
    w->jump.error = 0;
    w->jump.length = h;
    memcpy(w->jump.kept, w->jump.relations->decided, program_n_relations(prog));
    memset(w->jump.returned, 0, program_n_relations(prog));
    runtime_relations(prog->rt, w->jump.kept, prog->run->eps, 0);
    int status = solve(prog, h, true);
    for (int k = 0; !status && !done && k < MOST_JUMPS; k++)
        status = turn(prog, h, &corrections, &done);
    *plain = done && corrections == 0 && w->jump.error <= agree;
    return status;
}

/* A step may be lost in rounding and need to be longer. It may also be so long that other relations
 * change within it. */
static bool is_matter_of_length(int status)
{
    return status == MODEL_NO_CONVERGENCE || status == MODEL_NO_MIXED;
}

static void back_to_begin(ModeProgram *prog, Impulse earlier)
{
    Modes *w = prog->modes;
    w->jump.impulse.jumped = earlier.jumped;
    w->jump.impulse.contradicts = earlier.contradicts;
    memcpy(prog->v, w->row, prog->run->n_common * sizeof *prog->v);
    memcpy(w->jump.stand, w->jump.begin, prog->n * sizeof *w->jump.stand);
}

/* With the length of the next step, if that is exact: shorter transients are over. */
static bool jump_coarsely(ModeProgram *prog, double h)
{
    const Impulse earlier = prog->modes->jump.impulse;
    bool plain;
    if (coarse_length(prog) <= h)
        return false;
    if (!jump_with(prog, coarse_length(prog), &plain) && plain)
        return true;
    back_to_begin(prog, earlier);
    return false;
}

int jump_event(ModeProgram *prog)
{
    Modes *w = prog->modes;
    double h = jump_length(prog->run);
    resolve_slots(prog);
    memcpy(w->row, prog->v, prog->run->n_common * sizeof *prog->v);
    memcpy(w->jump.begin, w->jump.stand, prog->n * sizeof *w->jump.stand);
    const Impulse earlier = w->jump.impulse;
    bool plain;
    int status = jump_coarsely(prog, h) ? 0 : jump_with(prog, h, &plain);
    int first = status;
    for (int k = 0; status && is_matter_of_length(status) && status == first && k < MOST_LONGER;
         k++) {
        back_to_begin(prog, earlier);
        h = first == MODEL_NO_MIXED ? h * shorter : h / shorter;
        status = jump_with(prog, h, &plain);
    }
    if (!status)
        put_stand(prog, w->jump.stand);
    runtime_relations(prog->rt, w->jump.relations->decided, prog->run->eps, 0);
    return status;
}

/* ---- derivatives at the right limit ---- */

/* The derivatives of the second of two steps. The first step with constrained positions takes
 * velocities for chords and gives half of an acceleration. */
static int second_step(ModeProgram *prog, double h, double *slope)
{
    Modes *w = prog->modes;
    memcpy(w->jump.begin, w->jump.stand, prog->n * sizeof *w->jump.stand);
    int status = solve(prog, h, false);
    note(prog, w->jump.stand);
    status = status ? status : solve(prog, h, false);
    memcpy(w->jump.stand, w->jump.begin, prog->n * sizeof *w->jump.stand);
    for (uint32_t i = 0; i < prog->n; i++)
        slope[i] = prog->v[prog->plan->inlined.at[i].der];
    return status;
}

static bool agree_well(const ModeProgram *prog, const double *a, const double *b)
{
    for (uint32_t i = 0; i < prog->n; i++)
        if (!(fabs(a[i] - b[i]) <= alike * (fabs(a[i]) + fabs(b[i])) + agree))
            return false;
    return true;
}

/* ---- bands of relations ---- */

/* Moves the present values by ε, in no special proportion. */
static void shift_stand(ModeProgram *prog)
{
    Modes *w = prog->modes;
    for (uint32_t i = 0; i < prog->n; i++) {
        double part = fmod(0.618034 * (i + 1), 1), x = w->jump.stand[i];
        w->jump.stand[i] +=
            (part > 0.5 ? 1 : -1) * (0.5 + part) * prog->run->eps * size_of(prog, i, x);
    }
}

/* Crossing functions at the end of a step from the present values. */
static bool look_at_step(ModeProgram *prog, double h, double *z)
{
    return !solve(prog, h, false) && !prog->code->indicators(prog->m, z);
}

/* Crossing functions at the end of a step from the present values into zs[0], and with these moved
 * by ε into zs[1]. */
static bool answers_to_states(ModeProgram *prog, double h)
{
    Modes *w = prog->modes;
    double *stand = w->jump.work[2];
    memcpy(stand, w->jump.stand, prog->n * sizeof *stand);
    bool known = look_at_step(prog, h, w->jump.zs[0]);
    shift_stand(prog);
    known = known && look_at_step(prog, h, w->jump.zs[1]);
    memcpy(w->jump.stand, stand, prog->n * sizeof *stand);
    return known;
}

/* In ε. */
static double answer_of(const ModeProgram *prog, uint32_t relation)
{
    const Modes *w = prog->modes;
    return fabs(w->jump.zs[1][relation] - w->jump.zs[0][relation]) /
           (prog->run->eps * relation_first_scale(prog, relation));
}

double jump_gain(ModeProgram *prog, double h)
{
    double most = 0;
    bool known = answers_to_states(prog, h);
    for (uint32_t k = 0; known && k < program_n_relations(prog); k++)
        if (prog->modes->jump.locator->switching && prog->modes->jump.locator->switching[k])
            most = fmax(most, answer_of(prog, k));
    return known ? most : INFINITY;
}

/* States are known to ε. A closed switch between storage elements corrects such a miss within the
 * next step. The currents for this depend on the length of the step. These currents have no
 * meaning, so relations keep their value within a wider band. The longer the step, the smaller the
 * currents: see jump_bands_follow. */
static void choose_bands(ModeProgram *prog)
{
    Modes *w = prog->modes;
    double h = fmax(next_step(prog), w->jump.length);
    const bool *switching = w->jump.locator->switching;
    if (!w->inlined.in_use || !switching)
        return;
    w->jump.band_step = h;
    bool known = answers_to_states(prog, h);
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        double first = relation_first_scale(prog, k), answer = answer_of(prog, k);
        bool wide = known && switching[k] && answer > WIDE && isfinite(answer);
        prog->run->scales[k].scale = wide ? BAND * answer * first : first;
        if (switching[k])
            locator_widen(w->jump.locator, prog->run, k);
    }
}

void jump_bands_follow(ModeProgram *prog)
{
    Modes *w = prog->modes;
    double length = prog->solver->t - prog->solver->t0;
    if (!w || !w->inlined.in_use || !w->jump.locator->switching || !(length > w->jump.band_step))
        return;
    const Locator *l = w->jump.locator;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        double first = relation_first_scale(prog, k), *scale = &prog->run->scales[k].scale;
        if (!l->switching[k] || *scale <= first)
            continue;
        double beyond = fmax(0, -locator_side(l, k) * l->z[0][locator_column(l, k)]);
        double less = fmax(*scale * w->jump.band_step / length, 2 * beyond / prog->run->eps);
        *scale = fmax(first, fmin(*scale, less));
        locator_widen(w->jump.locator, prog->run, k);
    }
    w->jump.band_step = length;
}

/* Derivatives in the limit: the step of length h now begins h before the present values and ends
 * there. Until they do not change any more, but no derivative moves further than `open`. Leaves all
 * values of the last step. */
static int refine_slopes(ModeProgram *prog, double h, const double *open)
{
    Modes *w = prog->modes;
    int status = 0;
    for (int turn = 0; !status && turn < MOST_REFINED; turn++) {
        for (uint32_t i = 0; i < prog->n; i++)
            w->jump.begin[i] = w->jump.stand[i] - h * w->jump.slope[i];
        status = solve_from(prog, h, w->jump.begin, false);
        for (uint32_t i = 0; !status && i < prog->n; i++) {
            double now = prog->v[prog->plan->inlined.at[i].der];
            if (fabs(now - w->jump.slope[i]) <= open[i])
                w->jump.slope[i] = now;
        }
    }
    return status;
}

void jump_slopes(ModeProgram *prog)
{
    Modes *w = prog->modes;
    double h = w->jump.length, *far_one = w->jump.work[0], *near_one = w->jump.work[1];
    for (uint32_t i = 0; i < prog->n; i++)
        w->jump.slope[i] = prog->v[prog->plan->inlined.at[i].der];
    if (prog->n == 0 || second_step(prog, h / shorter, far_one))
        return;
    if (agree_well(prog, far_one, w->jump.slope))
        memcpy(near_one, w->jump.slope, prog->n * sizeof *near_one);
    else if (second_step(prog, h / shorter / 2, near_one))
        memcpy(near_one, far_one, prog->n * sizeof *near_one);
    else
        for (uint32_t i = 0; i < prog->n; i++)
            w->jump.slope[i] = 2 * near_one[i] - far_one[i];
    choose_bands(prog);
    for (uint32_t i = 0; i < prog->n; i++)
        far_one[i] = fabs(near_one[i] - far_one[i]);
    if (refine_slopes(prog, h, far_one))
        (void)solve(prog, h, false);
    put_stand(prog, w->jump.stand);
}

/* ---- inline integration ---- */

int jump_look_at_limit(ModeProgram *prog, double *z)
{
    const Jump *j = &prog->modes->jump;
    for (uint32_t k = 0; k < program_n_relations(prog); k++)
        z[k] = copysign(fdim(fabs(j->z[k]), j->noise[k]), j->z[k]);
    return 0;
}

int jump_look_ahead(ModeProgram *prog, double step, double *z)
{
    ModeProgram *all = prog->modes->inlined.all;
    if (prog != all) { /* Strings keep the numbers of prog's runtime: motion does not use them */
        memcpy(all->v, prog->v, prog->run->n_common * sizeof *all->v);
        runtime_invalidate(all->rt);
    }
    all->v[0] = prog->run->time + step;
    int status = solve(all, step, false);
    status = status ? status : all->code->indicators(all->m, z);
    all->m->status = 0;
    return status;
}

void jump_set_rate(ModeProgram *prog, double t)
{
    Modes *w = prog->modes;
    double rate = 1 / (w->jump.length > 0 ? w->jump.length : jump_length(prog->run));
    bool anew = prog->run->restart || !prog->solver;
    uint32_t others = prog->n - prog->plan->inlined.n;
    if (!anew)
        rate = prog->solver->rate_at(prog->solver, t, w->jump.old);
    prog->v[prog->plan->step] = 1 / rate;
    for (uint32_t i = 0; i < prog->plan->inlined.n; i++) {
        uint32_t k = w->inlined.place && prog == w->inlined.steps ? w->inlined.place[i] : i;
        prog->v[prog->plan->inlined.at[i].old] =
            anew ? w->jump.stand[k] - w->jump.slope[k] / rate : w->jump.old[others + i];
    }
}

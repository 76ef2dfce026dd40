/* Bounds of crossing functions over a step: they decide where the locator has to look.
 *
 * z of a relation is a program of intervals over time, states, and variables that are fixed between
 * events. Explicit equations are part of it; unknowns of torn blocks have no bounds. While states
 * and time stay within a box in which z keeps its sign, nothing is evaluated. A box is several
 * steps wide and grows while it is useful.
 *
 * A relation that is affine in time and states follows the polynomial of the dense output. Any
 * other relation is *wild*: it may turn within a step even if the states are smooth, and is bounded
 * on pieces of the step. The range of a state is that of three points of the dense output, widened
 * by its width. */
#include "sim/event/crossing_bounds.h"

#include "sim/event/interval_program.h"

#include <math.h>

enum {
    BUILD_AFTER = 4 /* steps */,
    LARGEST = 500 /* nodes of a wild relation */,
    SMALL = 16 /* nodes of others */
};
enum { WIDEST = 64 /* steps */, FEW = 32 /* relations */ };

struct CrossingBounds {
    ModeProgram *prog;
    Locator *l;
    EventCadence *cadences;
    IntervalProgram p;
    uint32_t *z; /* per column of the locator: its node */
    /* per column, and one more: its nodes in `parts`; none if they are too many */
    uint32_t *first;
    bool any_wild;
    NodeIndices parts; /* ascending */
    double *lo, *hi;   /* per state in use: range in the last step */
    double *box_lo, *box_hi;
    double box_t0, box_t1; /* box_t1 < box_t0: there is no box */
    bool *open;            /* per column: may reach zero in the box */
    uint32_t n_open;
    uint32_t steps;  /* since the box was made, or there was an event */
    double grow;     /* steps on each side of it */
    double t0, t1;   /* the last step looked at */
    double *xa, *xb; /* states at the ends of a piece */
};

static bool is_wild(const CrossingBounds *w, uint32_t k)
{
    return w->p.nodes.at[w->z[k]].degree == NONLINEAR;
}

/* The nodes that relation k depends on, without those that are fixed between events; none if they
 * are too many. mark: all false. */
static void add_parts(CrossingBounds *w, uint32_t k, bool *mark)
{
    intervals_list_parts(&w->p, w->z[k], is_wild(w, k) ? LARGEST : SMALL, &w->parts, mark);
}

/* ---- programs ---- */

static void list_parts(CrossingBounds *w, Arena *scratch)
{
    bool *mark = ARENA_ARRAY(scratch, bool, w->p.nodes.n);
    for (uint32_t k = 0; k < w->l->n; k++) {
        w->first[k] = w->parts.n;
        if (w->p.nodes.at[w->z[k]].degree != UNBOUNDED)
            add_parts(w, k, mark);
        w->any_wild |= is_wild(w, k);
    }
    w->first[w->l->n] = w->parts.n;
}

static void make_program(CrossingBounds *w, Arena *scratch)
{
    uint32_t n = w->l->n;
    IntervalTerm *terms = ARENA_ARRAY(scratch, IntervalTerm, n);
    for (uint32_t k = 0; k < n; k++) {
        Term z = program_relation(w->prog, w->l->relations[k])->z;
        terms[k] = (IntervalTerm){z, z.shape};
    }
    intervals_create(&w->p, w->prog, terms, n, false, w->z, scratch);
}

CrossingBounds *bounds_new(ModeProgram *prog, Locator *l, EventCadence *cadences, Arena *scratch)
{
    uint32_t n = l->n;
    if (!n)
        return NULL;
    CrossingBounds *w = ARENA_NEW(prog->own, CrossingBounds);
    *w = (CrossingBounds){.prog = prog, .l = l, .cadences = cadences, .box_t0 = 1, .grow = 4};
    w->z = ARENA_ARRAY(prog->own, uint32_t, n);
    w->first = ARENA_ARRAY(prog->own, uint32_t, n + 1);
    w->open = ARENA_ARRAY(prog->own, bool, n);
    arena_reset(scratch);
    make_program(w, scratch);
    list_parts(w, scratch);
    double **ranges[] = {&w->lo, &w->hi, &w->box_lo, &w->box_hi};
    for (int i = 0; i < 4; i++)
        *ranges[i] = ARENA_ARRAY(prog->own, double, w->p.states.n);
    w->xa = ARENA_ARRAY(prog->own, double, prog->n);
    w->xb = ARENA_ARRAY(prog->own, double, prog->n);
    return w;
}

void bounds_free(CrossingBounds *w)
{
    if (!w)
        return;
    intervals_free(&w->p);
    vec_free(&w->parts);
}

/* ---- bounds ---- */

/* While a surface is held, values are not those of the equations. */
static bool usable(const CrossingBounds *w)
{
    return w && !w->prog->mixed;
}

void bounds_restart(CrossingBounds *w)
{
    if (!usable(w))
        return;
    intervals_fix(&w->p);
    w->box_t0 = 1;
    w->box_t1 = 0;
    w->steps = 0;
}

static void set_leaves(CrossingBounds *w, double a, double b, const double *lo, const double *hi)
{
    w->p.value.at[w->p.time] = (Range){a, b, false};
    for (uint32_t i = 0; i < w->p.states.n; i++)
        w->p.value.at[w->p.leaves.at[i]] = (Range){lo[i], hi[i], false};
}

/* A lower bound of the distance of relation k from a change, without its shift; -INFINITY if
 * unknown. */
static double least(const CrossingBounds *w, uint32_t k)
{
    Range z = w->p.value.at[w->z[k]];
    double d = w->l->side[k] > 0 ? z.lo : -z.hi;
    return z.nan || isnan(d) ? -INFINITY : d;
}

/* ---- the last step ---- */

static void begin_range(const CrossingBounds *w, const double *x)
{
    for (uint32_t i = 0; i < w->p.states.n; i++)
        w->lo[i] = w->hi[i] = x[w->p.states.at[i]];
}

/* By comparisons, which the compiler turns into single instructions; NaN does not occur in an
 * accepted step. */
static void include(const CrossingBounds *w, const double *x)
{
    for (uint32_t i = 0; i < w->p.states.n; i++) {
        double v = x[w->p.states.at[i]];
        w->lo[i] = v < w->lo[i] ? v : w->lo[i];
        w->hi[i] = v > w->hi[i] ? v : w->hi[i];
    }
}

static void range_of_step(CrossingBounds *w, double t0, double t1)
{
    ModeProgram *prog = w->prog;
    w->t0 = t0;
    w->t1 = t1;
    begin_range(w, prog->x); /* at t0 */
    for (int i = 1; i < 3; i++) {
        program_states_at(prog, i == 2 ? t1 : t0 + 0.5 * (t1 - t0), prog->xi);
        include(w, prog->xi);
    }
    for (uint32_t i = 0; i < w->p.states.n; i++) {
        double more = w->hi[i] - w->lo[i];
        w->lo[i] -= more;
        w->hi[i] += more;
    }
}

static bool within_box(const CrossingBounds *w)
{
    bool within = w->t0 >= w->box_t0 && w->t1 <= w->box_t1;
    for (uint32_t i = 0; i < w->p.states.n && within; i++)
        within = w->lo[i] >= w->box_lo[i] && w->hi[i] <= w->box_hi[i];
    return within;
}

static void judge_box(CrossingBounds *w)
{
    Locator *l = w->l;
    w->n_open = 0;
    for (uint32_t k = 0; k < l->n; k++) {
        double d = least(w, k);
        w->open[k] = !l->suspended[k] && !(d > l->full[k]);
        w->n_open += w->open[k];
        if (w->open[k])
            continue;
        l->shift[k] = l->full[k];
        double *peak = &w->cadences[2 * l->relations[k]].peak;
        *peak = fmax(*peak, fmin(d, 1e300) / l->full[k]);
    }
}

static void make_box(CrossingBounds *w)
{
    w->box_t0 = w->t0;
    w->box_t1 = w->t1 + w->grow * (w->t1 - w->t0);
    for (uint32_t i = 0; i < w->p.states.n; i++) {
        double more = w->grow * (w->hi[i] - w->lo[i]);
        w->box_lo[i] = w->lo[i] - more;
        w->box_hi[i] = w->hi[i] + more;
    }
    set_leaves(w, w->box_t0, w->box_t1, w->box_lo, w->box_hi);
    for (uint32_t i = 0; i < w->p.nodes.n; i++)
        if (w->p.nodes.at[i].degree != CONSTANT)
            intervals_compute(&w->p, i);
    judge_box(w);
    locator_select(w->l, w->open);
    w->grow = w->n_open ? fmax(4, 0.5 * w->grow) : fmin(WIDEST, 2 * w->grow);
    w->steps = 0;
}

static bool boxed(const CrossingBounds *w)
{
    return w->box_t1 >= w->box_t0;
}

/* A lower bound of the distance of relation k from a change, without its shift; leaves of states
 * are set. */
static double bound_parts(CrossingBounds *w, uint32_t k, double a, double b)
{
    for (uint32_t i = w->first[k]; i < w->first[k + 1]; i++) {
        uint32_t node = w->parts.at[i];
        if (w->p.nodes.at[node].what == BOUND_TIME)
            w->p.value.at[node] = (Range){a, b, false};
        intervals_compute(&w->p, node);
    }
    return least(w, k);
}

/* Whether none of the few relations that may reach zero in the box can do so in the step itself. */
static bool none_in_step(CrossingBounds *w)
{
    const Locator *l = w->l;
    if (l->n_active > FEW)
        return false;
    for (uint32_t i = 0; i < w->p.states.n; i++)
        w->p.value.at[w->p.leaves.at[i]] = (Range){w->lo[i], w->hi[i], false};
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        if (w->first[k] == w->first[k + 1] || !(bound_parts(w, k, w->t0, w->t1) > l->full[k]))
            return false;
    }
    return true;
}

bool bounds_exclude_step(CrossingBounds *w, double t0, double t1)
{
    if (!usable(w))
        return false;
    w->steps++;
    if (!boxed(w) && w->steps < BUILD_AFTER && !w->any_wild)
        return false;
    range_of_step(w, t0, t1);
    if (!boxed(w) || !within_box(w)) {
        if (w->steps < BUILD_AFTER && !boxed(w))
            return false;
        make_box(w);
    }
    return !w->n_open || none_in_step(w);
}

bool bounds_exclude(const CrossingBounds *w, uint32_t k)
{
    return usable(w) && boxed(w) && !w->open[k];
}

bool bounds_may_turn(const CrossingBounds *w, uint32_t k)
{
    return usable(w) && w->any_wild && is_wild(w, k) && w->first[k] < w->first[k + 1] &&
           !bounds_exclude(w, k);
}

/* ---- pieces of it ---- */

static void range_of_piece(CrossingBounds *w, double a, double b)
{
    ModeProgram *prog = w->prog;
    program_states_at(prog, a, w->xa);
    program_states_at(prog, b, w->xb);
    double share = 0.25 * (b - a) / (w->t1 - w->t0);
    for (uint32_t i = 0; i < w->p.states.n; i++) {
        double xa = w->xa[w->p.states.at[i]], xb = w->xb[w->p.states.at[i]];
        double more = share * (w->hi[i] - w->lo[i]);
        w->p.value.at[w->p.leaves.at[i]] = (Range){fmin(xa, xb) - more, fmax(xa, xb) + more, false};
    }
}

double bounds_of_piece(CrossingBounds *w, uint32_t k, double a, double b)
{
    range_of_piece(w, a, b);
    return bound_parts(w, k, a, b);
}

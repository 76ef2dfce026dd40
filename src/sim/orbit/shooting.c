/* Shooting: Newton's method for motions that repeat. See orbit.h. */
#include "numerics/dense.h"
#include "numerics/linear_systems.h"
#include "sim/orbit/period_map.h"

#include <math.h>

enum { MOST_RELAXED = 64 }; /* periods without Newton's method in a row */
/* tolerances of the integration: errors of the motion and its derivatives over a period */
static const double NOISE = 30;
/* share of a value that a period seems to change by rounding */
static const double CONSERVED = 1e-9;

typedef struct Shooting {
    Sim *s;
    const OrbitOptions *o;
    Orbit *orbit;
    Arena *arena;
    double drive;  /* period of the drive, or the guess */
    double period; /* a multiple of it */
    double begin;  /* of the present period */
    PeriodMap p;   /* the last one */
    double *scale, *step;
    double *left;      /* difference over the period, without drifts, in scales */
    double *drift;     /* the rest of this difference */
    double *seen;      /* per variable: its largest size so far */
    double time_step;  /* of a free period */
    double rest, move; /* sizes of the difference over a period, and of the Newton step */
    double last_rest, last_move;
    bool stepped;   /* the present period began with a Newton step */
    unsigned relax; /* periods to pass without one */
    unsigned failures;
    unsigned period_steps; /* steps in a row that changed the period alone */
    bool only_counters;    /* are the discrete states that differ after a period */
    unsigned differing;    /* periods in a row after which discrete states differed */
    bool early;            /* discrete states gave the multiple before the unknowns repeated */
} Shooting;

/* ---- one Newton step ---- */

/* Discrete variables that no unknown influences do not remember anything. They leave the map. */
static void drop_forgetful(PeriodMap *p)
{
    for (uint32_t i = p->n; i-- > p->n_states;) {
        bool depends = false;
        for (uint32_t j = 0; j < p->n; j++)
            depends |= p->matrix[(size_t)j * p->n + i] != 0;
        if (depends)
            continue;
        uint32_t n = p->n - 1;
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t k = 0; k < n; k++)
                p->matrix[(size_t)j * n + k] =
                    p->matrix[(size_t)(j + (j >= i)) * p->n + k + (k >= i)];
        for (uint32_t k = i; k < n; k++) {
            p->vars[k] = p->vars[k + 1];
            p->from[k] = p->from[k + 1];
            p->to[k] = p->to[k + 1];
            p->rate_from[k] = p->rate_from[k + 1];
            p->rate_to[k] = p->rate_to[k + 1];
            p->turn[k] = p->turn[k + 1];
        }
        p->n = n;
    }
}

static void find_scales(Shooting *w)
{
    const PeriodMap *p = &w->p;
    w->scale = ARENA_ARRAY(w->arena, double, p->n + 1);
    for (uint32_t i = 0; i < p->n; i++) {
        double motion = 0.1 * fmax(fabs(p->rate_from[i]), fabs(p->rate_to[i])) * w->period;
        double size = fmax(fmax(fabs(p->from[i]), fabs(p->to[i])), motion);
        double least = 1e-9 * program_var(w->s->prog, p->vars[i])->nominal;
        double *seen = &w->seen[p->vars[i] < w->s->run.n_common ? p->vars[i] : 0];
        *seen = fmax(*seen, size); /* of a motion that shrinks to zero */
        w->scale[i] = fmax(size, fmax(least, 1e-3 * *seen));
    }
}

/* The change over the period, in scales, without full turns of angles. */
static void find_differences(const Shooting *w, double *r)
{
    const PeriodMap *p = &w->p;
    for (uint32_t i = 0; i < p->n; i++) {
        double change = p->to[i] - p->from[i];
        double turns = p->turn[i] > 0 ? round(change / p->turn[i]) : 0;
        if (fabs(change - turns * p->turn[i]) < 0.05 * p->turn[i])
            change -= turns * p->turn[i];
        r[i] = change / w->scale[i];
    }
}

/* Whether the motion leaves unknown i as it is, whatever it and the others are. Its value is given
 * by the model, and steps keep it. */
static bool is_conserved(const Shooting *w, uint32_t i)
{
    const PeriodMap *p = &w->p;
    double most = fabs(p->to[i] - p->from[i]) / w->scale[i];
    for (uint32_t j = 0; j < p->n; j++)
        most = fmax(most,
                    fabs(p->matrix[(size_t)j * p->n + i] - (i == j)) * w->scale[j] / w->scale[i]);
    return most <= CONSERVED;
}

/* The matrix of the difference over a period, in scales. */
static void scaled_matrix(const Shooting *w, double *k)
{
    const PeriodMap *p = &w->p;
    for (uint32_t j = 0; j < p->n; j++) {
        bool kept = is_conserved(w, j);
        for (uint32_t i = 0; i < p->n; i++)
            k[(size_t)j * p->n + i] =
                kept ? 0 : (p->matrix[(size_t)j * p->n + i] - (i == j)) * w->scale[j] / w->scale[i];
    }
}

static void normalize(double *x, uint32_t n)
{
    double size = sqrt(dense_product(x, x, n));
    for (uint32_t i = 0; i < n && size > 0; i++)
        x[i] /= size;
}

/* How much shifts along the columns of `basis` change rates and crossing functions at the present
 * point: the products of these changes, m by m. Each row of the changes counts by its share. */
static void change_products(const Shooting *w, const double *g, uint32_t rows, const double *basis,
                            uint32_t m, double *products)
{
    uint32_t n = w->p.n, n_states = w->p.n_states;
    double *change = ARENA_ARRAY(w->arena, double, m + 1);
    for (uint32_t r = 0; r < rows; r++) {
        double size = 0;
        for (uint32_t j = 0; j < n_states; j++)
            size += fabs(g[(size_t)j * rows + r]) * w->scale[j];
        for (uint32_t c = 0; c < m; c++) {
            change[c] = 0;
            for (uint32_t j = 0; j < n_states && size > 0; j++)
                change[c] += g[(size_t)j * rows + r] * w->scale[j] * basis[c * n + j] / size;
        }
        for (uint32_t a = 0; a < m; a++)
            for (uint32_t b = 0; b < m; b++)
                products[a * m + b] += change[a] * change[b];
    }
}

/* Without a drive, only shifts that change no rate and no crossing function are drifts: others
 * could be taken for a change of the period. Returns the number of those that are left. */
static uint32_t keep_symmetries(const Shooting *w, double *basis, uint32_t m)
{
    uint32_t n = w->p.n, rows, *column = ARENA_ARRAY(w->arena, uint32_t, m + 1);
    double *g = m ? period_gradients(w->s, w->arena, &rows) : NULL, most = 0;
    if (!g || w->s->prog->n != w->p.n_states)
        return 0;
    double *products = ARENA_ARRAY(w->arena, double, (size_t)m *m + 1),
           *kept = ARENA_ARRAY(w->arena, double, (size_t)m *m + 1),
           *old = ARENA_ARRAY(w->arena, double, (size_t)n *m + 1);
    change_products(w, g, rows, basis, m, products);
    for (uint32_t i = 0; i < m; i++)
        most = fmax(most, products[(size_t)i * m + i]);
    if (most <= 1e-18)
        return m;
    uint32_t left = dense_null_space(m, products, DENSE_SINGULAR, kept, column);
    memcpy(old, basis, (size_t)n * m * sizeof *old);
    for (uint32_t c = 0; c < left; c++)
        for (uint32_t i = 0; i < n; i++) {
            basis[(size_t)c * n + i] = 0;
            for (uint32_t k = 0; k < m; k++)
                basis[(size_t)c * n + i] += kept[(size_t)c * m + k] * old[(size_t)k * n + i];
        }
    return left;
}

/* Shifts that change nothing but themselves: along them the motion may drift. Without a drive, the
 * motion itself, f, is none. Returns their number. */
static uint32_t find_drifts(Shooting *w, const double *f, double *basis)
{
    uint32_t n = w->p.n, kept = 0, *column = ARENA_ARRAY(w->arena, uint32_t, n + 1);
    double *k = ARENA_ARRAY(w->arena, double, (size_t)n *n + 1);
    scaled_matrix(w, k);
    uint32_t found = n ? dense_null_space(n, k, CONSERVED, basis, column) : 0;
    if (f)
        found = keep_symmetries(w, basis, found);
    for (uint32_t c = 0; c < found; c++) {
        double *x = basis + (size_t)c * n, along = f ? dense_product(x, f, n) : 0,
               size = dense_product(x, x, n);
        if (size - along * along < 1e-6 * size)
            continue;
        memmove(basis + (size_t)kept++ * n, x, n * sizeof *x);
    }
    return kept;
}

typedef struct Bordered { /* the linear system of a step: of size `size` */
    uint32_t size;
    double *a, *b;
} Bordered;

static void put_entry(Bordered *q, uint32_t i, uint32_t j, double x)
{
    q->a[(size_t)j * q->size + i] = x;
}

static void fill(Shooting *w, Bordered *q, const double *basis, uint32_t drifts, const double *f0,
                 const double *f1)
{
    uint32_t n = w->p.n;
    double *k = ARENA_ARRAY(w->arena, double, (size_t)n *n + 1);
    scaled_matrix(w, k);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            put_entry(q, i, j, k[(size_t)j * n + i]);
    for (uint32_t c = 0; c < drifts; c++)
        for (uint32_t i = 0; i < n; i++) {
            put_entry(q, i, n + c, basis[(size_t)c * n + i]);
            put_entry(q, n + c, i, basis[(size_t)c * n + i]);
        }
    for (uint32_t i = 0; i < n && w->o->free; i++) {
        put_entry(q, i, n + drifts, f1[i]);
        put_entry(q, n + drifts, i, f0[i]);
    }
}

/* The motion at both ends, in scales per period; at the beginning normalized. */
static void find_flow(Shooting *w, double *f0, double *f1)
{
    for (uint32_t i = 0; i < w->p.n; i++) {
        f0[i] = w->p.rate_from[i] / w->scale[i];
        f1[i] = w->p.rate_to[i] * w->period / w->scale[i];
    }
    normalize(f0, w->p.n);
}

static double largest(const double *x, uint32_t n, uint32_t *which)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) {
            most = fabs(x[i]);
            *which = i;
        }
    return most;
}

/* Differences over the period that are as small as the integration allows. */
static bool are_noise(const Shooting *w, const double *r)
{
    const ModeProgram *prog = w->s->prog;
    double relative = w->s->run.options->tolerance;
    for (uint32_t i = 0; i < w->p.n; i++) {
        double least = i < w->p.n_states ? prog->atol[i] : 0, size = fabs(w->p.to[i]);
        if (fabs(r[i]) * w->scale[i] > NOISE * (least + relative * size))
            return false;
    }
    return true;
}

/* Whether the rest of a difference, after a change of the period by a share of it, is noise or
 * comes from the curvature of the motion. */
static bool is_of_period(const Shooting *w, const double *r, double share)
{
    enum { BENT = 30, MOST_IN_A_ROW = 4 };
    uint32_t which;
    return are_noise(w, r) || (w->period_steps < MOST_IN_A_ROW && fabs(share) < 0.05 &&
                               largest(r, w->p.n, &which) < BENT * share * share);
}

/* Without a drive, motions that begin anywhere may repeat, as those of an undamped oscillator. If
 * the motion from here does so after another period, only the period changes. True if it does. */
static bool change_period(Shooting *w, const double *f1, const double *r)
{
    uint32_t n = w->p.n, which = 0;
    double square = dense_product(f1, f1, n),
           share = square > 0 ? -dense_product(r, f1, n) / square : 0;
    double *rest = ARENA_ARRAY(w->arena, double, n + 1);
    for (uint32_t i = 0; i < n; i++)
        rest[i] = r[i] + share * f1[i];
    if (fabs(share) <= NOISE * w->s->run.options->tolerance || !is_of_period(w, rest, share)) {
        w->period_steps = 0;
        return false;
    }
    w->period_steps++;
    w->time_step = share * w->period;
    w->rest = largest(r, n, &which);
    w->orbit->farthest = w->p.vars[which];
    w->move = fabs(share);
    return true;
}

/* Fills step and time_step; sizes into rest and move. */
static void newton_step(Shooting *w)
{
    Arena *arena = w->arena;
    uint32_t n = w->p.n, rank, which = 0;
    double *f0 = ARENA_ARRAY(arena, double, n + 1), *f1 = ARENA_ARRAY(arena, double, n + 1),
           *basis = ARENA_ARRAY(arena, double, (size_t)n *n + 1);
    find_scales(w);
    find_flow(w, f0, f1);
    uint32_t drifts = find_drifts(w, w->o->free ? f0 : NULL, basis);
    Bordered q = {.size = n + drifts + w->o->free};
    q.a = ARENA_ARRAY(arena, double, (size_t)q.size *q.size + 1);
    q.b = ARENA_ARRAY(arena, double, q.size + 1);
    double *r = w->left = ARENA_ARRAY(arena, double, n + 1),
           *work = ARENA_ARRAY(arena, double, (size_t)q.size *q.size + 3 * (size_t)q.size + 1);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)q.size + 1);
    find_differences(w, r);
    w->drift = ARENA_ARRAY(arena, double, n + 1);
    w->step = ARENA_ARRAY(arena, double, n + 1);
    if (w->o->free && change_period(w, f1, r))
        return;
    fill(w, &q, basis, drifts, f0, f1);
    for (uint32_t i = 0; i < n; i++)
        q.b[i] = -r[i];
    double least = w->o->free ? NOISE * w->s->run.options->tolerance : DENSE_SINGULAR;
    if (q.size)
        dense_min_norm(q.size, q.a, q.b, fmax(least, DENSE_SINGULAR), work, order, &rank);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = 0; c < drifts; c++)
            w->drift[i] -= q.b[n + c] * basis[(size_t)c * n + i];
        r[i] -= w->drift[i]; /* what drifts is no rest */
        w->drift[i] *= w->scale[i];
    }
    for (uint32_t i = 0; i < n; i++)
        w->step[i] = q.b[i] * w->scale[i];
    w->time_step = w->o->free ? q.b[n + drifts] * w->period : 0;
    w->rest = largest(r, n, &which);
    w->orbit->farthest = n ? w->p.vars[which] : NONE;
    w->move = fmax(largest(q.b, n, &which), fabs(w->time_step) / w->period);
}

/* ---- periods ---- */

/* The end of the present period. Those of a drive are counted from the origin. */
static double end_of_period(const Shooting *w)
{
    if (w->o->free)
        return w->begin + w->period;
    double k = round((w->begin - w->o->origin) / w->drive);
    return w->o->origin + (k + round(w->period / w->drive)) * w->drive;
}

static void count_periods(Shooting *w, double n)
{
    w->orbit->n_used += (unsigned)ceil(n - 1e-6);
}

static bool run_period(Shooting *w, bool tangents)
{
    arena_free(w->arena);
    w->arena = arena_new();
    w->begin = w->s->run.time;
    double until = end_of_period(w);
    count_periods(w, w->period / w->drive);
    return (tangents ? period_map : period_pass)(w->s, until, w->arena, &w->p);
}

/* To the next beginning of a period: the origin plus a multiple of it. */
static bool to_boundary(Shooting *w)
{
    double k = ceil((w->s->run.time - w->o->origin) / w->period - 1e-9), t;
    t = w->o->origin + k * w->period;
    return t <= w->s->run.time || sim_advance(w->s, t, false);
}

/* Steps are small enough, or do not shrink any more. */
static bool has_converged(const Shooting *w)
{
    return w->move <= w->o->tolerance ||
           (w->stepped && w->move > 0.3 * w->last_move && are_noise(w, w->left));
}

static bool take_step(Shooting *w)
{
    double *x = ARENA_ARRAY(w->arena, double, w->p.n + 1);
    for (uint32_t i = 0; i < w->p.n; i++) {
        double turns = w->p.turn[i] > 0 ? round((w->p.to[i] - w->p.from[i]) / w->p.turn[i]) : 0;
        x[i] = w->p.from[i] + turns * w->p.turn[i] + w->drift[i] + w->step[i];
    }
    w->stepped = true;
    w->last_rest = w->rest;
    w->last_move = w->move;
    if (w->o->free && w->period + w->time_step > 0.2 * w->period)
        w->period += w->time_step;
    if (w->o->free)
        w->drive = w->period;
    return period_put(w->s, &w->p, x);
}

/* ---- discrete states ---- */

static bool same_marks(const PeriodMap *p)
{
    return !p->n_marks || !memcmp(p->mark_from, p->mark_to, p->n_marks * sizeof *p->mark_from);
}

/* Counters grow by the same number in each period. */
static bool is_counter(double **at, unsigned n_at, uint32_t i)
{
    for (unsigned k = 2; k < n_at; k++)
        if (at[k][i] - at[k - 1][i] != at[1][i] - at[0][i])
            return false;
    return true;
}

static bool repeat_after(double **at, unsigned n_at, uint32_t i, unsigned m)
{
    for (unsigned k = m; k < n_at; k++)
        if (at[k][i] != at[k - m][i])
            return false;
    return true;
}

/* *multiple: after so many periods, Booleans, Integers and enumerations repeat; 0: after no such
 * number. False if the run ends. */
static bool find_marks(Shooting *w, unsigned *multiple)
{
    enum { PERIODS = 24 };
    double *at[PERIODS + 1];
    Arena *kept = w->arena, *points = arena_new();
    w->arena = arena_new();
    PeriodMap p = w->p;
    bool going = true;
    for (unsigned k = 0; k <= PERIODS && going; k++) {
        at[k] = ARENA_ARRAY(points, double, p.n_marks + (size_t)1);
        memcpy(at[k], k ? w->p.mark_to : p.mark_to, p.n_marks * sizeof *at[k]);
        going = k == PERIODS || run_period(w, false);
    }
    bool found = false;
    *multiple = 0;
    for (unsigned m = 1; m <= w->o->most_times && going && !found; m++) {
        found = true;
        for (uint32_t i = 0; i < p.n_marks && found; i++)
            found = is_counter(at, PERIODS + 1, i) || repeat_after(at, PERIODS + 1, i, m);
        *multiple = found ? m : 0;
    }
    arena_free(w->arena);
    arena_free(points);
    w->arena = kept;
    w->p = p;
    return going;
}

/* ---- drifts ---- */

/* The largest drift of a state, in scales. */
static double drift_of_states(const Shooting *w)
{
    double most = 0;
    for (uint32_t i = 0; i < w->p.n_states; i++)
        most = fmax(most, fabs(w->drift[i]) / w->scale[i]);
    return most;
}

/* Whether the period that was run last changes its states as `p` does, to 1e-5 of `scale`. */
static bool moves_alike(const PeriodMap *now, const PeriodMap *p, const double *scale)
{
    bool alike = now->n_states == p->n_states && now->n;
    for (uint32_t i = 0; i < p->n_states && alike; i++) {
        double change = now->to[i] - now->from[i] - (p->to[i] - p->from[i]);
        double turns = p->turn[i] > 0 ? round(change / p->turn[i]) : 0;
        alike = fabs(change - turns * p->turn[i]) <= 1e-5 * scale[i];
    }
    return alike;
}

typedef enum Drifting { DRIFT_HOLDS, DRIFT_ENDS, DRIFT_FAILED } Drifting;

/* A period that begins far away along the drift. */
static Drifting drift_from_afar(Shooting *w, const PeriodMap *p, const double *scale,
                                const double *drift, double far)
{
    double *x = ARENA_ARRAY(w->arena, double, p->n + 1);
    period_read(w->s, p, x);
    for (uint32_t i = 0; i < p->n_states; i++)
        x[i] += far * drift[i];
    if (!period_put(w->s, p, x) || !run_period(w, false))
        return DRIFT_FAILED;
    return moves_alike(&w->p, p, scale) ? DRIFT_HOLDS : DRIFT_ENDS;
}

/* Further periods as they come. */
static Drifting drift_goes_on(Shooting *w, const PeriodMap *p, const double *scale)
{
    enum { PERIODS = 16 };
    for (int k = 0; k < PERIODS; k++) {
        if (!run_period(w, false))
            return DRIFT_FAILED;
        if (!moves_alike(&w->p, p, scale))
            return DRIFT_ENDS;
    }
    return DRIFT_HOLDS;
}

/* A drift is real if the motion is the same far away. A capacitor that is charged from period to
 * period drifts only until it is full. Afterwards the run is at the end of a period again. */
static Drifting check_drift(Shooting *w)
{
    double most = drift_of_states(w);
    if (most <= 1e-6)
        return DRIFT_HOLDS;
    Arena *kept = w->arena; /* of p */
    w->arena = arena_new();
    PeriodMap p = w->p;
    const double *scale = w->scale, *drift = w->drift;
    double *x = ARENA_ARRAY(kept, double, p.n + 1);
    period_read(w->s, &p, x);
    Drifting far = drift_from_afar(w, &p, scale, drift, fmax(7.3, 3 / most));
    bool back = far != DRIFT_FAILED && w->s->prog->n == p.n_states;
    if (back && !period_put(w->s, &p, x))
        far = DRIFT_FAILED;
    if (far == DRIFT_ENDS)
        far = drift_goes_on(w, &p, scale);
    arena_free(w->arena);
    w->arena = kept;
    w->p = p;
    return far;
}

/* After a step that made things worse: some periods without steps. */
static void relax(Shooting *w)
{
    w->failures++;
    w->relax = w->failures < 6 ? 1u << w->failures : MOST_RELAXED;
    w->stepped = false;
    w->last_rest = INFINITY;
}

static bool is_finite_step(const Shooting *w)
{
    bool good = isfinite(w->time_step);
    for (uint32_t i = 0; i < w->p.n; i++)
        good &= isfinite(w->step[i]);
    return good;
}

/* An unknown period without a matrix: the part of the difference along the motion changes it. */
static void follow_phase(Shooting *w, const double *r)
{
    double along = 0, square = 0;
    for (uint32_t i = 0; i < w->p.n; i++) {
        double rate = w->scale[i] > 0 ? w->p.rate_to[i] / w->scale[i] : 0;
        along += r[i] * rate;
        square += rate * rate;
    }
    double step = square > 0 ? along / square : 0;
    if (fabs(step) < 0.2 * w->period)
        w->drive = w->period -= step;
}

/* Without a matrix: the motion itself shows whether it repeats. */
static bool repeats_by_itself(Shooting *w)
{
    double *r = ARENA_ARRAY(w->arena, double, w->p.n + 1);
    uint32_t which = 0;
    find_scales(w);
    find_differences(w, r);
    w->rest = largest(r, w->p.n, &which);
    w->orbit->farthest = w->p.n ? w->p.vars[which] : NONE;
    if (w->o->free)
        follow_phase(w, r);
    double shrinks = isfinite(w->last_rest) ? fmin(w->rest / w->last_rest, 0.999) : 0.5,
           error = w->rest * fmax(1, shrinks / (1 - shrinks));
    w->last_rest = w->rest;
    return error <= fmax(w->o->tolerance, 30 * w->s->run.options->tolerance);
}

typedef enum Turn { TURN_ON, TURN_DONE, TURN_NONE, TURN_FAILED } Turn;

static bool marks_differ(const Shooting *w)
{
    return !w->o->free && !w->only_counters && !same_marks(&w->p);
}

/* The search goes on with this number of periods as one; with 1, only counters differ. */
static Turn search_multiple(Shooting *w, unsigned multiple)
{
    w->only_counters = multiple == 1;
    w->period *= multiple;
    w->stepped = false;
    return to_boundary(w) ? TURN_ON : TURN_FAILED;
}

/* An orbit of several periods was found, since discrete states alternated on the way. If it repeats
 * after one period too, the search goes on with one. */
static Turn try_one_period(Shooting *w)
{
    double several = w->period;
    w->early = w->stepped = false;
    w->period = w->drive;
    if (!take_step(w) || !run_period(w, false))
        return TURN_FAILED;
    double *r = ARENA_ARRAY(w->arena, double, w->p.n + 1);
    uint32_t which = 0;
    find_scales(w);
    find_differences(w, r);
    double close = 10 * fmax(w->o->tolerance, 30 * w->s->run.options->tolerance);
    if (same_marks(&w->p) && largest(r, w->p.n, &which) <= close)
        return TURN_ON;
    w->period = several;
    return to_boundary(w) ? TURN_ON : TURN_FAILED;
}

/* The unknowns repeat. If discrete states do so after several periods, the search goes on with
 * these. If only counters differ, it goes on behind the periods that have shown this. */
static Turn end_with_marks(Shooting *w)
{
    unsigned multiple = 1;
    if (!marks_differ(w) && w->early)
        return try_one_period(w);
    if (!marks_differ(w))
        return !w->p.n || take_step(w) ? TURN_DONE : TURN_FAILED;
    if (!find_marks(w, &multiple))
        return TURN_FAILED;
    if (!multiple || (multiple > 1 && w->period > w->drive))
        return TURN_NONE;
    return search_multiple(w, multiple);
}

/* Discrete states that the drive alone changes, such as a Boolean that each sample inverts, keep
 * the unknowns from repeating after one period. TURN_NONE: they give no multiple. */
static Turn look_at_marks(Shooting *w)
{
    enum { IN_A_ROW = 3 };
    unsigned multiple = 0;
    w->differing = marks_differ(w) && w->period == w->drive ? w->differing + 1 : 0;
    if (w->differing != IN_A_ROW)
        return TURN_NONE;
    if (!find_marks(w, &multiple))
        return TURN_FAILED;
    if (!multiple)
        return TURN_NONE;
    w->early = multiple > 1;
    return search_multiple(w, multiple);
}

/* Discrete unknowns that depend on each other alone, as in s = -pre(s), may repeat after several
 * periods whatever their values are. Between these values the map has a fixed point, which the
 * motion does not approach. Returns this number of periods; 1: there are none. */
static unsigned rotation(const Shooting *w)
{
    const PeriodMap *p = &w->p;
    uint32_t n = p->n, first = p->n_states;
    bool *apart = ARENA_ARRAY(w->arena, bool, n + 1), moves = false;
    for (uint32_t i = first; i < n; i++)
        apart[i] = true;
    for (bool again = true; again;) { /* without those that others influence */
        again = false;
        for (uint32_t i = first; i < n; i++)
            for (uint32_t j = 0; j < n && apart[i]; j++)
                if (!apart[j] && p->matrix[(size_t)j * n + i] != 0) {
                    apart[i] = false;
                    again = true;
                }
    }
    for (uint32_t i = first; i < n; i++)
        moves |= apart[i] && p->to[i] != p->from[i];
    double *x = ARENA_ARRAY(w->arena, double, (size_t)n *n + 1),
           *y = ARENA_ARRAY(w->arena, double, (size_t)n *n + 1);
    for (uint32_t i = 0; i < n; i++)
        x[(size_t)i * n + i] = 1;
    for (unsigned m = 1; moves && m <= w->o->most_times; m++) {
        double most = 0;
        for (uint32_t c = first; c < n; c++)
            for (uint32_t i = first; i < n; i++) {
                double sum = 0;
                for (uint32_t j = first; j < n; j++)
                    sum += p->matrix[(size_t)j * n + i] * x[(size_t)c * n + j];
                y[(size_t)c * n + i] = sum;
                if (apart[i] && apart[c])
                    most = fmax(most, fabs(sum - (i == c)));
            }
        if (most <= CONSERVED)
            return m;
        double *old = x;
        x = y;
        y = old;
    }
    return 1;
}

static Turn shoot_once(Shooting *w)
{
    bool tangents = !w->relax;
    w->relax -= w->relax > 0;
    if (!run_period(w, tangents))
        return TURN_FAILED;
    if (!w->p.n && !w->s->prog->n)
        return end_with_marks(w);
    if (!tangents || !w->p.n)
        return TURN_ON;
    if (!w->p.matrix && w->p.delayed)
        return repeats_by_itself(w) ? TURN_DONE : TURN_ON;
    if (!w->p.matrix) {
        if (!period_differences(w->s, w->period, w->arena, &w->p))
            return TURN_FAILED;
        count_periods(w, w->p.n_states * w->period / w->drive);
    }
    if (!w->p.matrix)
        return TURN_ON;
    drop_forgetful(&w->p);
    unsigned multiple = w->o->free || w->period > w->drive ? 1 : rotation(w);
    if (multiple > 1) {
        w->early = true;
        return search_multiple(w, multiple);
    }
    newton_step(w);
    bool good = is_finite_step(w);
    if (good && has_converged(w)) {
        Drifting drift = check_drift(w);
        if (drift == DRIFT_HOLDS)
            return end_with_marks(w);
        relax(w);
        return drift == DRIFT_ENDS ? TURN_ON : TURN_FAILED;
    }
    Turn turn = look_at_marks(w);
    if (turn != TURN_NONE)
        return turn;
    if (!good || (w->stepped && !(w->rest < 2 * w->last_rest) && w->rest > 1e-6)) {
        relax(w);
        return TURN_ON;
    }
    return take_step(w) ? TURN_ON : TURN_FAILED;
}

/* ---- results ---- */

static void keep_map(Shooting *w, uint32_t n, const PeriodMap *p)
{
    Orbit *o = w->orbit;
    o->n = n;
    o->vars = ARENA_ARRAY(o->arena, VarId, n + (size_t)1);
    memcpy(o->vars, p->vars, n * sizeof *o->vars);
    o->map = NULL;
    if (!p->matrix)
        return;
    o->map = ARENA_ARRAY(o->arena, double, (size_t)n *n + 1);
    memcpy(o->map, p->matrix, (size_t)n * n * sizeof *o->map);
}

/* Without the multiplier of the motion itself, which is 1. */
static void leave_out_motion(Orbit *o)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < o->n_multipliers; i++)
        if (hypot(o->re[i] - 1, o->im[i]) < hypot(o->re[nearest] - 1, o->im[nearest]))
            nearest = i;
    for (uint32_t i = nearest; i + 1 < o->n_multipliers; i++) {
        o->re[i] = o->re[i + 1];
        o->im[i] = o->im[i + 1];
    }
    o->n_multipliers -= o->n_multipliers > 0;
}

static void find_multipliers(Shooting *w)
{
    /* without a drive, families of motions have a double multiplier 1 */
    const double slack = w->o->free ? 1e-4 : 1e-5;
    Orbit *o = w->orbit;
    o->stable = true;
    o->n_multipliers = 0;
    if (!o->map || !o->n)
        return;
    double *a = ARENA_ARRAY(o->arena, double, (size_t)o->n * o->n + 1);
    memcpy(a, o->map, (size_t)o->n * o->n * sizeof *a);
    o->re = ARENA_ARRAY(o->arena, double, o->n + 1);
    o->im = ARENA_ARRAY(o->arena, double, o->n + 1);
    if (!linear_eigenvalues(o->n, a, o->re, o->im))
        return;
    o->n_multipliers = o->n;
    if (w->o->free)
        leave_out_motion(o);
    for (uint32_t i = 0; i < o->n_multipliers; i++)
        o->stable &= hypot(o->re[i], o->im[i]) <= 1 + slack;
}

static void keep_result(Shooting *w)
{
    w->orbit->period = w->period;
    w->orbit->times = (unsigned)round(w->period / w->drive);
    w->orbit->rest = w->rest;
    keep_map(w, w->p.n, &w->p);
    find_multipliers(w);
}

static OrbitResult shoot(Shooting *w, unsigned most)
{
    w->stepped = w->only_counters = w->early = false;
    w->failures = w->differing = 0;
    w->relax = w->period > w->drive ? 0 : w->o->relax;
    w->last_rest = w->last_move = INFINITY;
    for (unsigned until = w->orbit->n_used + most; w->orbit->n_used < until;) {
        Turn turn = shoot_once(w);
        if (turn == TURN_FAILED)
            return ORBIT_FAILED;
        if (turn == TURN_NONE)
            break;
        if (turn == TURN_DONE) {
            keep_result(w);
            return ORBIT_FOUND;
        }
    }
    w->orbit->rest = w->rest;
    return ORBIT_DIVERGED;
}

/* ---- multiples of the period ---- */

enum { WATCHED = 64 };

/* Leaves an orbit a little, to see where the motion goes. */
static bool disturb(Shooting *w)
{
    double *x = ARENA_ARRAY(w->arena, double, w->p.n + 1);
    period_read(w->s, &w->p, x);
    for (uint32_t i = 0; i < w->p.n; i++)
        x[i] += w->p.matrix && is_conserved(w, i) ? 0 : 0.01 * w->scale[i];
    return !w->p.n || period_put(w->s, &w->p, x);
}

/* Distance of two points in units of the larger one. */
static double distance(const double *a, const double *b, const double *range, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        if (range[i] > 0)
            most = fmax(most, fabs(a[i] - b[i]) / range[i]);
    return most;
}

/* The number of periods after which the last points repeat; 0: none. */
static unsigned find_multiple(const Shooting *w, double **at, unsigned n_at, uint32_t n)
{
    double *range = ARENA_ARRAY(w->arena, double, n + 1);
    for (unsigned k = n_at / 2; k < n_at; k++)
        for (uint32_t i = 0; i < n; i++)
            range[i] = fmax(range[i], fabs(at[k][i] - at[n_at - 1][i]));
    for (uint32_t i = 0; i < n; i++)
        if (range[i] <= 1e-6 * fabs(at[n_at - 1][i]))
            range[i] = 0;
    for (unsigned m = 1; m <= w->o->most_times && 2 * m < n_at; m++) {
        double most = 0;
        for (unsigned k = n_at - m; k < n_at; k++)
            most = fmax(most, distance(at[k], at[k - m], range, n));
        if (most < 0.05)
            return m;
    }
    return 0;
}

/* Periods without steps. *multiple: after so many the motion repeats. False if the run ends. */
static bool watch(Shooting *w, unsigned *multiple)
{
    double *at[WATCHED];
    unsigned kept = 0;
    uint32_t n = UINT32_MAX;
    Arena *points = arena_new();
    bool going = true;
    w->period = w->drive;
    for (unsigned k = 0; k < WATCHED && going; k++) {
        going = run_period(w, false);
        if (!going || !w->p.n)
            continue;
        kept = w->p.n == n ? kept : 0;
        n = w->p.n;
        at[kept] = ARENA_ARRAY(points, double, n + 1);
        memcpy(at[kept++], w->p.to, n * sizeof *at[0]);
    }
    *multiple = going && kept ? find_multiple(w, at, kept, n) : 0;
    arena_free(points);
    return going;
}

/* The motion from here repeats after several periods, perhaps. */
static OrbitResult shoot_multiple(Shooting *w, bool found)
{
    unsigned multiple;
    if ((found && !disturb(w)) || !watch(w, &multiple))
        return ORBIT_FAILED;
    if (!multiple)
        return ORBIT_DIVERGED;
    w->period = multiple * w->drive;
    return to_boundary(w) ? shoot(w, w->o->most) : ORBIT_FAILED;
}

/* Back to an orbit that was found and left. */
static OrbitResult shoot_again(Shooting *w, const PeriodMap *p, const double *x)
{
    w->period = w->drive;
    if (w->p.n != p->n)
        return ORBIT_DIVERGED;
    return period_put(w->s, p, x) ? shoot(w, w->o->most) : ORBIT_FAILED;
}

static OrbitResult shoot_all(Shooting *w)
{
    OrbitResult first = shoot(w, w->o->most);
    if (w->o->free || w->o->most_times < 2 || first == ORBIT_FAILED ||
        (first == ORBIT_FOUND && w->orbit->stable))
        return first;
    Arena *kept = w->arena; /* of the unstable orbit */
    w->arena = arena_new();
    PeriodMap p = w->p;
    double *x = ARENA_ARRAY(kept, double, p.n + 1);
    if (first == ORBIT_FOUND)
        period_read(w->s, &p, x);
    OrbitResult result = shoot_multiple(w, first == ORBIT_FOUND);
    if (first == ORBIT_FOUND && (result != ORBIT_FOUND || !w->orbit->stable) &&
        result != ORBIT_FAILED)
        result = shoot_again(w, &p, x);
    arena_free(kept);
    return result;
}

OrbitResult orbit_find(Sim *s, const OrbitOptions *o, Orbit *orbit)
{
    *orbit = (Orbit){.arena = arena_new(), .times = 1, .farthest = NONE};
    Shooting w = {.s = s,
                  .o = o,
                  .orbit = orbit,
                  .arena = arena_new(),
                  .drive = o->period,
                  .period = o->period,
                  .seen = ARENA_ARRAY(orbit->arena, double, s->run.n_common + 1)};
    OrbitResult result = ORBIT_FAILED;
    if (o->free || to_boundary(&w)) {
        count_periods(&w, (s->run.time - o->origin) / w.drive);
        result = shoot_all(&w);
    }
    arena_free(w.arena);
    return result;
}

void orbit_free(Orbit *orbit)
{
    if (orbit->arena)
        arena_free(orbit->arena);
    *orbit = (Orbit){0};
}

bool orbit_trace(Sim *s, SimOptions *options, double period, uint32_t n)
{
    double until = s->run.time + period;
    options->points = POINTS_STEPS;
    options->output_step = period / n;
    options->stop = until;
    double done = round((s->run.time - options->start) / options->output_step);
    s->rows.next = (uint32_t)fmin(done, 4e9) + 1;
    options->intervals = s->rows.next - 1 + n;
    return sim_advance(s, until, false);
}

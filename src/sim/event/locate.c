/* The event locator, one for all solvers. It examines the crossing functions z on the dense output
 * of the last step.
 *
 * - A relation keeps its value while z stays on its side of zero, shifted by ε away from that
 *   side. A relation that is exactly zero at a restart neither fires at once nor is missed. If z
 *   comes from its own side, the event time is that of zero itself.
 * - If bounds of z over the step exclude a change (crossing_bounds.c), nothing is evaluated.
 * - Otherwise z is examined at both ends and at two inner points. If the cubic through the four
 *   comes near zero, its minimum is searched, so that an excursion there and back is found. A
 *   relation that may turn within a step is bounded on ever smaller pieces of it.
 * - The first crossing is enclosed by the Illinois method to the resolution of time. The right end
 *   of the bracket is returned, at which the relation has changed.
 *
 * Cost: three evaluations per step if a relation can come near zero, otherwise none. */
#include "sim/event/locate.h"
#include "base/names.h"

#include "sim/solver/solver.h"

#include <math.h>

enum { SEARCH_POINTS = 24, BRACKET_POINTS = 120, SHORTEST = 30 /* halvings */ };
/* of a bracket: the last of these halves it, before estimates are judged */
enum { EARLY_POINTS = 6 };
enum {
    MOST_PIECES = 12,
    FEWEST_PIECES = 3 /* of a step, as powers of two */,
    MANY_PIECES = 60,
    FEW_PIECES = 12,
    HALVINGS = 3, /* between evaluations */
    MOST_KEPT = 64
};

/* A relation whose distance from a change stays above this share of the largest one keeps its
 * value.
 */
static const double NEAR = 0.3;

/* Share of ε by which an event lies beyond zero, so that both > and >= have changed there.
 */
static const double beyond_zero = 1e-5;

Locator *locator_new(Arena *arena, const uint32_t *relations, uint32_t n, uint32_t n_all)
{
    Locator *l = ARENA_NEW(arena, Locator);
    l->n = n;
    l->relations = ARENA_ARRAY(arena, uint32_t, n);
    if (n)
        memcpy(l->relations, relations, n * sizeof *relations);
    bool **flags[] = {&l->suspended, &l->exact, &l->passing, &l->is_near};
    for (uint32_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = ARENA_ARRAY(arena, bool, n);
    l->side = ARENA_ARRAY(arena, int8_t, n);
    l->active = ARENA_ARRAY(arena, uint32_t, n);
    l->near = ARENA_ARRAY(arena, uint32_t, n);
    l->changing = ARENA_ARRAY(arena, uint32_t, n);
    l->pieces = ARENA_ARRAY(arena, uint8_t, n);
    memset(l->pieces, MOST_PIECES, n);
    l->all = ARENA_ARRAY(arena, double, n_all);
    l->rested = ARENA_ARRAY(arena, double, n);
    for (uint32_t k = 0; k < n; k++)
        l->rested[k] = -INFINITY;
    double **part[] = {&l->shift, &l->full, &l->scale, &l->z[0], &l->z[1],
                       &l->z[2],  &l->z[3], &l->za,    &l->zb,   &l->zm};
    for (uint32_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = ARENA_ARRAY(arena, double, n);
    if (n <= MOST_KEPT)
        l->kept_z = ARENA_ARRAY(arena, double, (size_t)MOST_KEPT *n);
    l->kept_t = ARENA_ARRAY(arena, double, MOST_KEPT);
    return l;
}

void locator_select_all(Locator *l)
{
    for (uint32_t k = 0; k < l->n && l->n_active < l->n; k++)
        l->active[k] = k;
    l->n_active = l->n;
}

void locator_select(Locator *l, const bool *wanted)
{
    l->n_active = 0;
    for (uint32_t k = 0; k < l->n; k++)
        if (wanted[k])
            l->active[l->n_active++] = k;
    l->far = true;
}

/* Positive while relation k keeps its value. */
static double distance(const Locator *l, uint32_t k, double z)
{
    return l->suspended[k]
               ? INFINITY
               : l->side[k] * z + (l->exact[k] ? beyond_zero * l->full[k] : l->shift[k]);
}

uint32_t locator_column(const Locator *l, uint32_t relation)
{
    uint32_t low = 0, high = l->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(l->relations[middle] <= relation ? &low : &high) = middle;
    }
    return low;
}

double locator_shift(const Locator *l, uint32_t relation)
{
    uint32_t k = locator_column(l, relation);
    return l->shift[k] / l->full[k];
}

int locator_side(const Locator *l, uint32_t relation)
{
    return l->side[locator_column(l, relation)];
}

void locator_suspend(Locator *l, uint32_t relation, bool held)
{
    l->suspended[locator_column(l, relation)] = held;
}

static int evaluate(Locator *l, double t, double *z)
{
    int status = l->host.evaluate(l->host.user, t, l->all);
    for (uint32_t i = 0; i < l->n_active; i++)
        z[l->active[i]] = l->all[l->relations[l->active[i]]];
    return status;
}

static void trigger(Locator *l, uint32_t k, double z)
{
    l->host.trigger(l->host.user, l->relations[k], z);
}

static bool crossed(const Locator *l, const double *z)
{
    for (uint32_t i = 0; i < l->n_active; i++)
        if (distance(l, l->active[i], z[l->active[i]]) <= 0)
            return true;
    return false;
}

/* Inner point in (0, 1) at which the cubic through d at 0, 1/3, 2/3, 1 is smallest; false if it has
 * no inner minimum. `low` receives the smallest value. */
static bool cubic_minimum(const double d[4], double *at, double *low)
{
    /* in u = 3θ, Newton's form expanded */
    double d1 = d[1] - d[0], d2 = (d[2] - 2 * d[1] + d[0]) / 2,
           d3 = (d[3] - 3 * d[2] + 3 * d[1] - d[0]) / 6;
    double c1 = d1 - d2 + 2 * d3, c2 = d2 - 3 * d3, c3 = d3;
    double a = 3 * c3, b = 2 * c2, c = c1, u;
    if (fabs(a) < 1e-12 * (fabs(b) + fabs(c))) {
        if (b <= 0)
            return false;
        u = -c / b;
    } else {
        double disc = b * b - 4 * a * c;
        if (disc <= 0)
            return false;
        u = (-b + sqrt(disc)) / (2 * a); /* the second derivative 2*a*u + b is positive here */
    }
    if (!(u > 0 && u < 3))
        return false;
    *at = u / 3;
    *low = d[0] + u * (c1 + u * (c2 + u * c3));
    return true;
}

/* ---- an excursion there and back ---- */

typedef struct Search {
    uint32_t k;
    double t[3], d[3]; /* left, middle, right; the middle is least */
} Search;

static double next_point(const Search *q)
{
    double a = q->t[1] - q->t[0], b = q->t[1] - q->t[2];
    double num = a * a * (q->d[1] - q->d[2]) - b * b * (q->d[1] - q->d[0]);
    double den = a * (q->d[1] - q->d[2]) - b * (q->d[1] - q->d[0]);
    double t = q->t[1] - 0.5 * num / den;
    double least = 1e-3 * (q->t[2] - q->t[0]);
    if (!isfinite(t) || t <= q->t[0] + least || t >= q->t[2] - least ||
        fabs(t - q->t[1]) < 1e-2 * least)
        t = q->t[2] - q->t[1] > q->t[1] - q->t[0] ? q->t[1] + 0.38 * (q->t[2] - q->t[1])
                                                  : q->t[1] - 0.38 * (q->t[1] - q->t[0]);
    return t;
}

static void narrow(Search *q, double t, double d)
{
    int side = t < q->t[1] ? 0 : 2;
    if (d < q->d[1]) { /* the old middle becomes the end on the other side */
        q->t[2 - side] = q->t[1];
        q->d[2 - side] = q->d[1];
        q->t[1] = t;
        q->d[1] = d;
    } else {
        q->t[side] = t;
        q->d[side] = d;
    }
}

/* Whether the ends are too high above the middle's neighbourhood for a minimum below zero: nothing
 * more to find. */
static bool settled(const Search *q)
{
    double drop = fmin(q->d[0], q->d[2]) - q->d[1];
    return drop < 0.1 * q->d[1] || q->t[2] - q->t[0] <= 64 * solver_resolution(q->t[1]);
}

/* Looks for d <= 0 near the bracketed minimum; zm is then z there. 1: found at *te; 0: not found;
 * -1: failed. */
static int search_minimum(Locator *l, Search *q, double *te)
{
    for (int i = 0; i < SEARCH_POINTS && !settled(q); i++) {
        double t = next_point(q);
        if (evaluate(l, t, l->zm))
            return -1;
        double d = distance(l, q->k, l->zm[q->k]);
        if (d <= 0) {
            *te = t;
            return 1;
        }
        narrow(q, t, d);
    }
    return 0;
}

/* Whether the cubic through d at 0, 1/3, 2/3, 1 stays above `least`: it lies between its Bernstein
 * coefficients. */
static bool stays_above(const double d[4], double least)
{
    double b1 = (-5 * d[0] + 18 * d[1] - 9 * d[2] + 2 * d[3]) / 6,
           b2 = (2 * d[0] - 9 * d[1] + 18 * d[2] - 5 * d[3]) / 6;
    return d[0] > least && b1 > least && b2 > least && d[3] > least;
}

static int search_excursion(Locator *l, uint32_t k, const double t[4], double *te)
{
    double d[4], at, low, high = 0;
    for (int i = 0; i < 4; i++) {
        d[i] = distance(l, k, l->z[i][k]);
        high = d[i] > high ? d[i] : high;
    }
    if (stays_above(d, NEAR * high))
        return 0;
    if (!cubic_minimum(d, &at, &low) || low > NEAR * high)
        return 0;
    double tm = t[0] + at * (t[3] - t[0]);
    if (tm >= *te || tm <= t[0] || tm >= t[3])
        return 0;
    if (evaluate(l, tm, l->zm))
        return -1;
    int i = at < 1.0 / 3 ? 0 : at < 2.0 / 3 ? 1 : 2;
    double dm = distance(l, k, l->zm[k]);
    if (dm <= 0) {
        *te = tm;
        return 1;
    }
    Search q = {k, {t[i], tm, t[i + 1]}, {d[i], dm, d[i + 1]}};
    if (dm > q.d[0] && i > 0) /* the minimum is on the other side of the inner point */
        q = (Search){k, {t[i - 1], t[i], tm}, {d[i - 1], d[i], dm}};
    else if (dm > q.d[2] && i < 2)
        q = (Search){k, {tm, t[i + 1], t[i + 2]}, {dm, d[i + 1], d[i + 2]}};
    return search_minimum(l, &q, te);
}

/* ---- a value that arrives at exactly zero and stays there ---- */

static const double NOISE = 1e-5; /* of ε: rounding of a value that is zero */

bool locator_is_switch(const Locator *l, uint32_t k)
{
    return l->switching && l->switching[l->relations[k]];
}

bool locator_rests(const Locator *l, uint32_t k, double z)
{
    if (l->suspended[k])
        return false;
    if (locator_is_switch(l, k))
        /* at the corner of a characteristic both branches are valid: it keeps its own */
        return false;
    return z == 0 && !l->host.literal(l->host.user, l->relations[k]);
}

/* The first instant after which z stays exactly zero, if the relation's value is not the literal
 * one there. */
static Located find_rest(Locator *l, uint32_t k, const double t[4], double *te)
{
    int i = 3;
    while (i > 0 && locator_rests(l, k, l->z[i - 1][k]))
        i--;
    double b = t[i], a = i ? t[i - 1] : b;
    while (b - a > solver_resolution(b)) {
        double m = a + 0.5 * (b - a);
        if (evaluate(l, m, l->zm))
            return LOCATED_FAILED;
        if (locator_rests(l, k, l->zm[k]))
            b = m;
        else
            a = m;
    }
    *te = b;
    return LOCATED_EVENT;
}

/* ---- the first crossing ---- */

/* Points around a crossing. z is za at a, zb at b, and zm at c. A relation has changed at b; c is
 * outside of [a, b]. */
typedef struct Bracket {
    double a, b, c;            /* c NAN: not known */
    double weight_a, weight_b; /* Illinois' factors for the values at the ends */
} Bracket;

/* Earliest secant estimate over the relations that have changed at b, and which it is. */
static double secant(const Locator *l, const Bracket *q, uint32_t *column)
{
    double t = q->b;
    for (uint32_t i = 0; i < l->n_changing; i++) {
        uint32_t k = l->changing[i];
        double db = distance(l, k, l->zb[k]);
        if (db > 0)
            continue;
        double da = q->weight_a * distance(l, k, l->za[k]);
        double at = da > 0 ? q->a + (q->b - q->a) * (da / (da - q->weight_b * db)) : q->a;
        if (at <= t) {
            t = at;
            *column = k;
        }
    }
    return t;
}

/* By the parabola through three points, time over distance; by the secant if that fails. */
static double estimate(const Locator *l, const Bracket *q)
{
    uint32_t k = 0;
    double t = secant(l, q, &k);
    double da = distance(l, k, l->za[k]), db = distance(l, k, l->zb[k]),
           dc = distance(l, k, l->zm[k]);
    bool monotone = q->c < q->a ? dc > da : dc < db;
    if (isnan(q->c) || !monotone || t <= q->a)
        return t;
    double p = q->a * db * dc / ((da - db) * (da - dc)) + q->b * da * dc / ((db - da) * (db - dc)) +
               q->c * da * db / ((dc - da) * (dc - db));
    return p > q->a && p < q->b ? p : t;
}

static double inside(const Bracket *q, double t, double tolerance)
{
    double margin = fmin(0.5 * tolerance, 0.25 * (q->b - q->a));
    return fmin(fmax(t, q->a + margin), q->b - margin);
}

/* Whether b is practically at the crossing, for any a. */
static bool close_enough(const Locator *l, const Bracket *q, double tolerance)
{
    uint32_t k;
    Bracket plain = {q->a, q->b, NAN, 1, 1};
    return q->b - q->a <= tolerance || q->b - secant(l, &plain, &k) <= tolerance;
}

/* Relation k has changed at the right end; before it, it had not. */
static void add_changing(Locator *l, uint32_t k)
{
    l->passing[k] = true;
    l->changing[l->n_changing++] = k;
    l->exact[k] = l->side[k] * l->za[k] > 0 && !locator_is_switch(l, k);
}

/* z at t is zm: it takes the place of an end, which becomes the third point. A relation that is
 * back at the right end may have changed at t: that is the earlier change. */
static void replace_end(Locator *l, Bracket *q, double t, int *side)
{
    bool right = false;
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        if (distance(l, k, l->zm[k]) > 0)
            continue;
        right = true;
        if (!l->passing[k])
            add_changing(l, k);
    }
    double **end = right ? &l->zb : &l->za, *old = *end;
    *end = l->zm;
    l->zm = old;
    q->weight_a = right && *side > 0 ? 0.5 : 1;
    q->weight_b = !right && *side < 0 ? 0.5 : 1;
    *side = right ? 1 : -1;
    q->c = right ? q->b : q->a;
    *(right ? &q->b : &q->a) = t;
}

/* Which points of a bracket are halves of it. Estimates hardly narrow it if z jumps, or if its
 * rounding exceeds its change; then ever more halvings follow each estimate. */
typedef struct Halvings {
    uint32_t left; /* before the next estimate */
    uint32_t next; /* after the next estimate that fails */
} Halvings;

static bool halve(Halvings *h, uint32_t point)
{
    if (point < EARLY_POINTS)
        return point == EARLY_POINTS - 1;
    if (!h->left)
        return false;
    h->left--;
    return true;
}

/* The estimate changed the width of the bracket by this factor. */
static void judge_estimate(Halvings *h, double factor)
{
    h->next = factor < 0.5 ? 1 : 2 * h->next;
    h->left = factor < 0.5 ? 0 : h->next;
}

/* Narrows the bracket until b is at the crossing. */
static int enclose(Locator *l, Bracket *q)
{
    double tolerance = solver_resolution(q->b) / 4;
    int side = 0;
    Halvings h = {0, 1};
    for (uint32_t i = 0; i < BRACKET_POINTS && !close_enough(l, q, tolerance); i++) {
        bool half = halve(&h, i);
        double t = half ? q->a + 0.5 * (q->b - q->a) : estimate(l, q) + 0.25 * tolerance;
        double width = q->b - q->a;
        t = inside(q, t, tolerance);
        if (t <= q->a || t >= q->b)
            break;
        if (evaluate(l, t, l->zm))
            return -1;
        replace_end(l, q, t, &side);
        if (!half && i >= EARLY_POINTS)
            judge_estimate(&h, (q->b - q->a) / width);
    }
    return 0;
}

/* zc: at c, outside of [a, b]; NULL: not known. */
static Located locate(Locator *l, Bracket *q, const double *za, const double *zb, const double *zc,
                      double *te)
{
    if (zc && zc != l->zm)
        memcpy(l->zm, zc, l->n * sizeof *zc);
    if (zb != l->zb)
        memcpy(l->zb, zb, l->n * sizeof *zb);
    memcpy(l->za, za, l->n * sizeof *za);
    l->n_changing = 0;
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        l->passing[k] = l->exact[k] = false;
        if (distance(l, k, zb[k]) <= 0)
            add_changing(l, k);
    }
    if (enclose(l, q))
        return LOCATED_FAILED;
    *te = q->b;
    l->left = l->zb;
    /* relations practically at zero, or past it, change with the first */
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        bool past = l->passing[k] && l->side[k] * l->zb[k] < 0;
        if (distance(l, k, l->zb[k]) <= 0 || past || (l->exact[k] && fabs(l->zb[k]) <= l->shift[k]))
            trigger(l, k, l->zb[k]);
        l->exact[k] = false;
    }
    return LOCATED_EVENT;
}

/* Whether z grows from zero, with digits that noise does not have: a current begins to flow. */
static bool grows_from_zero(const Locator *l, uint32_t k)
{
    bool grows = fabs(l->z[0][k]) <= 1e-6 * fabs(l->z[3][k]);
    for (int i = 1; i < 4; i++)
        grows &= l->z[i][k] * l->z[3][k] > 0 && fabs(l->z[i][k]) > fabs(l->z[i - 1][k]);
    return grows;
}

/* Whether z is zero up to rounding all along, while the relation does not have its literal value.
 * For example, a conducting switch has no voltage except for rounding. A value that keeps its sign
 * is small, but not noise (a leaking switch). */
static bool is_noise(const Locator *l, uint32_t k)
{
    bool changes = false;
    for (int i = 0; i < 4; i++) {
        if (!(fabs(l->z[i][k]) <= NOISE * l->full[k]))
            return false;
        changes |= l->z[i][k] * l->z[0][k] <= 0;
    }
    return changes && !grows_from_zero(l, k) && locator_rests(l, k, 0);
}

/* The first instant of the piece from which on a relation rests at zero, and its column. */
static Located find_first_rest(Locator *l, const double t[4], double *te, uint32_t *column)
{
    Located answer = LOCATED_NONE;
    *te = t[3] - 64 * solver_resolution(t[3]); /* one at the end may just pass */
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        bool noise = is_noise(l, k);
        double at = t[0];
        if (!noise && !locator_rests(l, k, l->z[3][k]))
            continue;
        if (!noise && find_rest(l, k, t, &at) == LOCATED_FAILED)
            return LOCATED_FAILED;
        if (at < *te || (at == *te && answer == LOCATED_NONE)) {
            *te = at;
            *column = k;
            answer = LOCATED_EVENT;
        }
    }
    return answer;
}

/* Whether a relation is at zero, where the values are z, and changes later in the piece: it has
 * changed already, up to rounding. */
static bool changes_from_zero(const Locator *l, const double *z)
{
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        for (int j = 1; j < 4 && fabs(z[k]) <= l->full[k]; j++)
            if (distance(l, k, l->z[j][k]) <= 0)
                return true;
    }
    return false;
}

static Located rests(Locator *l, uint32_t column, double at, double *te)
{
    *te = at;
    trigger(l, column, 0);
    l->left = l->z[0];
    return LOCATED_EVENT;
}

static int sample_step(Locator *l, const double t[4])
{
    if (l->far && evaluate(l, t[0], l->z[0]))
        return -1;
    l->far = false;
    for (int i = 3; i > 0; i--)
        if (evaluate(l, t[i], l->z[i]))
            return -1;
    l->left = l->z[3];
    l->span = t[1] - t[0];
    l->sampled = true;
    return 0;
}

/* ---- relations that may turn within a step ---- */

/* As evaluate. Halving meets the same points for each relation; z there is kept. */
static int evaluate_once(Locator *l, double t, double *z)
{
    uint32_t i = 0;
    while (i < l->n_kept && l->kept_t[i] != t)
        i++;
    if (i < l->n_kept) {
        memcpy(z, l->kept_z + (size_t)i * l->n, l->n * sizeof *z);
        return 0;
    }
    if (evaluate(l, t, z))
        return -1;
    if (l->kept_z && i < MOST_KEPT) {
        l->kept_t[i] = t;
        memcpy(l->kept_z + (size_t)i * l->n, z, l->n * sizeof *z);
        l->n_kept++;
    }
    return 0;
}

typedef struct Piece {
    double a, b;
    uint32_t halvings;
} Piece;

/* The first change of relation k before *te. Pieces of the step in which it cannot be excluded are
 * halved, and examined in the middle after some halvings: a bound costs less than the model. Its
 * excursion must exceed the tolerance. If bounds exclude nothing step after step (a relation at
 * zero throughout), they are used less and less, down to eight pieces. 1: at *te, with z in zm, and
 * not yet at *from; 0: none; -1: failed. */
static int search_pieces(Locator *l, uint32_t k, double t0, double *from, double *te)
{
    double depth = fmax(l->full[k], l->tolerance * l->scale[k]);
    Piece stack[SHORTEST + 2] = {{t0, *te, 0}};
    uint32_t n = 1;
    int most = 1 << l->pieces[k], shortest = l->pieces[k] < MOST_PIECES ? l->pieces[k] : SHORTEST,
        i = 0;
    for (; n && i < most; i++) {
        Piece p = stack[--n];
        double m = p.a + 0.5 * (p.b - p.a);
        if (p.halvings >= (uint32_t)shortest || m <= p.a || m >= p.b ||
            l->host.bound(l->host.user, k, p.a, p.b) > -depth)
            continue;
        bool look = p.halvings % HALVINGS == HALVINGS - 1;
        if (look && evaluate_once(l, m, l->zm))
            return -1;
        if (look && distance(l, k, l->zm[k]) <= 0) {
            *from = p.a;
            *te = m;
            return 1;
        }
        stack[n++] = (Piece){m, p.b, p.halvings + 1};
        stack[n++] = (Piece){p.a, m, p.halvings + 1};
    }
    if (i > MANY_PIECES && l->pieces[k] > FEWEST_PIECES)
        l->pieces[k]--;
    else if (i < FEW_PIECES && l->pieces[k] < MOST_PIECES)
        l->pieces[k]++;
    return 0;
}

/* Whether z is zero at all sampled points: bounds could then only show their own width. */
static bool lies_at_zero(const Locator *l, uint32_t k)
{
    for (int i = 0; i < 4; i++)
        if (fabs(l->z[i][k]) > l->full[k])
            return false;
    return true;
}

/* Fraction of a piece of a step at which its samples are checked. */
static const double checked = 0.146;
/* The first piece, in seconds, of a model without states. */
static const double FIRST_LOOK = 1e-9;
enum { RESOLVED = 100 /* tolerances */, MOST_LOOKS = 64 /* pieces of a step */, LOOK_GROWTH = 4 };

/* ---- one step ---- */

/* The step at four points, and the place of a possible change. */
typedef struct Step {
    double t[4];
    double limit; /* the earliest change found so far */
    double from;  /* a wild relation had not changed there */
} Step;

/* A search for a change of relation k before q->limit: -1 failed, 0 none, 1 it is at q->limit, with
 * z in zm. */
typedef int SearchColumn(Locator *l, uint32_t k, Step *q);

static int search_between(Locator *l, uint32_t k, Step *q)
{
    return search_excursion(l, k, q->t, &q->limit);
}

static int search_wild(Locator *l, uint32_t k, Step *q)
{
    if (l->suspended[k] || lies_at_zero(l, k) || !l->host.may_turn(l->host.user, k))
        return 0;
    return search_pieces(l, k, q->t[0], &q->from, &q->limit);
}

/* Searches all relations; z of the earliest change goes to zb. */
static int search_all(Locator *l, SearchColumn *search, Step *q)
{
    int found = 0;
    for (uint32_t i = 0; i < l->n_active; i++) {
        int answer = search(l, l->active[i], q);
        if (answer < 0)
            return -1;
        if (answer) {
            found = 1;
            memcpy(l->zb, l->zm, l->n * sizeof *l->zb);
        }
    }
    return found;
}

/* The cubic through the values at 0, 1/3, 2/3 and 1, at `checked`. */
static double predicted(double *const z[4], uint32_t k)
{
    double u = 3 * checked, d1 = z[1][k] - z[0][k], d2 = z[2][k] - 2 * z[1][k] + z[0][k],
           d3 = z[3][k] - 3 * z[2][k] + 3 * z[1][k] - z[0][k];
    return z[0][k] + u * (d1 + (u - 1) / 2 * (d2 + (u - 2) / 3 * d3));
}

/* Whether the samples represent relation k: another value lies on the cubic through them, within
 * some tolerances, or within its distance from zero. */
static bool is_resolved(const Locator *l, uint32_t k)
{
    double nearest = INFINITY, miss = fabs(l->zm[k] - predicted(l->z, k));
    for (int i = 0; i < 4; i++)
        nearest = fabs(l->z[i][k]) < nearest ? fabs(l->z[i][k]) : nearest;
    return l->suspended[k] || miss <= 0.25 * nearest ||
           miss <= RESOLVED * l->tolerance * l->scale[k];
}

/* z at four points of [a, *b]; *b is reduced until they represent all relations. A relation may
 * depend only on time, which the solver's steps do not resolve. */
static int sample_resolved(Locator *l, double a, double *b, double shortest, double t[4])
{
    for (;;) {
        double h = *b - a;
        bool divisible = h > 1.5 * shortest, good = true;
        t[0] = a;
        t[1] = a + h / 3;
        t[2] = a + h * (2.0 / 3);
        t[3] = *b;
        if (sample_step(l, t) || (divisible && evaluate(l, a + checked * h, l->zm)))
            return -1;
        for (uint32_t i = 0; divisible && i < l->n_active && good; i++)
            good = is_resolved(l, l->active[i]);
        if (good) {
            l->look = h >= 0.999 * l->look ? LOOK_GROWTH * h : l->look;
            return 0;
        }
        l->look = fmax(0.5 * h, shortest);
        *b = a + l->look;
    }
}

/* The first crossing of a piece, or the rest of a relation from `at` on if that is earlier;
 * column NONE: no relation rests. */
static Located find_change(Locator *l, const double piece[4], uint32_t column, double at,
                           double *te)
{
    double t0 = piece[0], t1 = piece[3];
    Step q = {{t0, piece[1], piece[2], t1}, t1, t0};
    const double *t = q.t;
    int first = 1;
    while (first < 4 && !crossed(l, l->z[first]))
        first++;
    q.limit = first < 4 ? t[first] : t1;
    l->n_kept = 0;
    int found = search_all(l, search_between, &q),
        wild = found < 0 ? -1 : search_all(l, search_wild, &q);
    if (found < 0 || wild < 0)
        return LOCATED_FAILED;
    if (wild && evaluate(l, q.from, l->zm))
        return LOCATED_FAILED;
    bool earlier = wild && crossed(l, l->zm); /* another, between the samples */
    if (wild && !earlier)
        return locate(l, &(Bracket){q.from, q.limit, NAN, 1, 1}, l->zm, l->zb, NULL, te);
    if (earlier) {
        memcpy(l->zb, l->zm, l->n * sizeof *l->zb);
        q.limit = q.from;
    }
    if (found || earlier) {
        int left = 0;
        while (left < 2 && t[left + 1] < q.limit)
            left++;
        return locate(l, &(Bracket){t[left], q.limit, NAN, 1, 1}, l->z[left], l->zb, NULL, te);
    }
    if (first < 4 && column != NONE && at < t[first]) {
        if (evaluate(l, at, l->zm))
            return LOCATED_FAILED;
        first = crossed(l, l->zm) || changes_from_zero(l, l->zm) ? first : 4;
    }
    if (first == 4)
        return column != NONE ? rests(l, column, at, te) : LOCATED_NONE;
    int third = first == 1 ? 2 : first - 2;
    return locate(l, &(Bracket){t[first - 1], t[first], t[third], 1, 1}, l->z[first - 1],
                  l->z[first], l->z[third], te);
}

static Located find_in_piece(Locator *l, const double piece[4], double *te)
{
    uint32_t column = NONE;
    double at;
    Located rest = find_first_rest(l, piece, &at, &column);
    if (rest == LOCATED_FAILED)
        return rest;
    if (rest == LOCATED_EVENT && at == piece[0] && !changes_from_zero(l, l->z[0]))
        return rests(l, column, at, te);
    return find_change(l, piece, column, at, te);
}

/* The end of a piece is the beginning of the next. */
static void pass_piece(Locator *l)
{
    double *first = l->z[0];
    l->z[0] = l->z[3];
    l->z[3] = first;
    l->left = l->z[0];
    for (uint32_t i = 0; i < l->n_active; i++)
        if (fabs(l->z[0][l->active[i]]) > l->full[l->active[i]])
            l->shift[l->active[i]] = l->full[l->active[i]];
}

/* Whether the cubic through the samples stays clear of zero, so that relation k keeps its value
 * there. */
static bool stays_away(const Locator *l, uint32_t k)
{
    double d[4], high = 0;
    if (l->suspended[k])
        return true;
    for (int i = 0; i < 4; i++) {
        d[i] = distance(l, k, l->z[i][k]);
        high = d[i] > high ? d[i] : high;
    }
    return NEAR * high > 4 * l->full[k] && stays_above(d, NEAR * high) &&
           !l->host.may_turn(l->host.user, k);
}

/* Whether z is the same at all samples. It may jump between them and back, as the result of a
 * function that is true or false. */
static bool is_constant(const Locator *l, uint32_t k)
{
    return !l->suspended[k] && l->z[1][k] == l->z[0][k] && l->z[2][k] == l->z[0][k] &&
           l->z[3][k] == l->z[0][k];
}

/* As find_in_piece, for the columns that do not stay away. If there are any, the points of their
 * search show jumps of the others. */
static Located find_near(Locator *l, const double piece[4], double *te)
{
    uint32_t *active = l->active, n_active = l->n_active, n = 0;
    for (uint32_t i = 0; i < n_active; i++)
        if (!stays_away(l, active[i])) {
            l->near[n++] = active[i];
            l->is_near[active[i]] = true;
        }
    if (!n)
        return LOCATED_NONE;
    for (uint32_t i = 0; i < n_active; i++)
        if (is_constant(l, active[i]) && stays_away(l, active[i])) {
            l->near[n++] = active[i];
            l->is_near[active[i]] = true;
        }
    memcpy(l->zm, l->z[3], l->n * sizeof *l->zm); /* for other columns: a value of this step */
    l->active = l->near;
    l->n_active = n;
    Located answer = find_in_piece(l, piece, te);
    l->active = active;
    l->n_active = n_active;
    return answer;
}

typedef Located FindInPiece(Locator *l, const double piece[4], double *te);

/* The first change in [t0, t1], piece by piece. */
static Located find_in_pieces(Locator *l, double t0, double t1, FindInPiece *find, double *te)
{
    double shortest = fmax(64 * solver_resolution(t1), l->stateless ? 0 : (t1 - t0) / MOST_LOOKS);
    double t[4];
    if (l->stateless && l->look == 0)
        l->look = FIRST_LOOK;
    for (double a = t0;; a = t[3]) {
        double b = l->look > 0 && l->look < 0.9 * (t1 - a) ? a + fmax(l->look, shortest) : t1;
        if (sample_resolved(l, a, &b, shortest, t))
            return LOCATED_FAILED;
        Located answer = find(l, t, te);
        if (answer != LOCATED_NONE || b >= t1)
            return answer;
        pass_piece(l);
    }
}

Located locator_find(Locator *l, double t0, double t1, double *te)
{
    l->sampled = false;
    if (!l->n)
        return LOCATED_NONE;
    memset(l->is_near, 0, l->n * sizeof *l->is_near);
    if (l->host.excluded(l->host.user, t0, t1)) {
        l->far = true;
        return LOCATED_NONE;
    }
    return find_in_pieces(l, t0, t1, find_near, te);
}

Located locator_find_again(Locator *l, double t0, double t1, double *te)
{
    uint32_t *active = l->active, n_active = l->n_active, n = 0;
    for (uint32_t i = 0; i < n_active; i++)
        if (l->is_near[active[i]])
            l->near[n++] = active[i];
    l->active = l->near;
    l->n_active = n;
    l->far = true;
    Located answer = find_in_pieces(l, t0, t1, find_in_piece, te);
    l->active = active;
    l->n_active = n_active;
    l->far = answer == LOCATED_NONE; /* z of other columns is of an earlier time */
    return answer;
}

/* Column k came from its own side, and ends beyond zero. */
static bool ends_beyond(const Locator *l, uint32_t k)
{
    return !l->suspended[k] && l->side[k] * l->z[0][k] > 0 && l->side[k] * l->z[3][k] < 0;
}

bool locator_ends_beyond(const Locator *l)
{
    bool any = false;
    for (uint32_t i = 0; l->sampled && i < l->n_active && !any; i++)
        any = ends_beyond(l, l->active[i]);
    return any;
}

void locator_sharpen(Locator *l)
{
    for (uint32_t i = 0; i < l->n_active; i++)
        if (ends_beyond(l, l->active[i]))
            l->shift[l->active[i]] = 0;
}

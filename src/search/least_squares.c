/* Least squares within bounds by Levenberg and Marquardt's method.
 *
 * A step minimizes |r + J d|² + l |D d|² over the parameters that may move; D holds the largest
 * norms of the columns of J so far. Parameters that would leave their bounds are put onto them, and
 * the others are solved for again. The damping l shrinks with the agreement of prediction and
 * result (Nielsen). It grows until |D d| is within a radius, which follows the steps that helped
 * (Moré): so a search far from the minimum does not jump, and a step that does not help is followed
 * by one as long as the parabola through both sums says.
 *
 * Trials need no derivatives. After a step whose effect the linear model predicted within 10 %, J
 * is corrected by Broyden's formula instead of computed; the end of the search computes it once
 * more.
 *
 * The search ends if the next step would change the residuals by less than 4e-5 of their standard
 * deviation, or no parameter by more than 1e-9 of its size. A step with fresh derivatives that
 * changes them by less than 2e-4 of it is the last one. */
#include "search/search.h"

#include <math.h>
#include <string.h>

static const double SMALL_STEP = 1e-9, SMALL_CHANGE = 4e-5, LAST_CHANGE = 2e-4,
                    FIRST_DAMPING = 1e-3, GOOD_AGREEMENT = 0.1;
enum { MOST_TRIALS = 40 };

static double square_sum(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

void triangularize(size_t m, uint32_t n, double *a, double *b)
{
    for (uint32_t k = 0; k < n && k < m; k++) {
        double *v = a + k * m, norm = sqrt(square_sum(v + k, m - k));
        if (!(norm > 0))
            continue;
        double top = v[k] > 0 ? -norm : norm, head = v[k] - top;
        v[k] = head;
        double scale = -1 / (top * head); /* 2 / |v|² */
        for (uint32_t j = k + 1; j <= n; j++) {
            double *x = j < n ? a + j * m : b, sum = 0;
            for (size_t i = k; i < m; i++)
                sum += v[i] * x[i];
            for (size_t i = k; i < m; i++)
                x[i] -= scale * sum * v[i];
        }
        v[k] = top;
        memset(v + k + 1, 0, (m - k - 1) * sizeof *v);
    }
}

typedef struct Method {
    LeastSquares *s;
    uint32_t n;
    double *triangle; /* n by n: J = Q R */
    double *top;      /* the first n entries of Q'r */
    double *norms;    /* D */
    double *step, *trial;
    double *work, *side; /* of the damped system: 2n by n, 2n */
    double *r;
    double *copy; /* of J, and of r */
    bool updated; /* J was corrected since the last run with derivatives */
    bool *held;
    double damping;
    double radius; /* of |D d| */
} Method;

static void factor(Method *w)
{
    LeastSquares *s = w->s;
    double *b = w->copy + s->m * w->n;
    memcpy(w->copy, s->jacobian, s->m * w->n * sizeof *w->copy);
    memcpy(b, s->r, s->m * sizeof *b);
    for (uint32_t j = 0; j < w->n; j++) {
        double norm = sqrt(square_sum(s->jacobian + j * s->m, s->m));
        w->norms[j] = fmax(w->norms[j], norm);
    }
    triangularize(s->m, w->n, w->copy, b);
    for (uint32_t i = 0; i < w->n; i++) {
        w->top[i] = i < s->m ? b[i] : 0;
        for (uint32_t j = 0; j < w->n; j++)
            w->triangle[j * w->n + i] = i < s->m && i <= j ? w->copy[j * s->m + i] : 0;
    }
}

/* Parameters at a bound that would leave it do not move. */
static void hold_bounds(Method *w)
{
    const LeastSquares *s = w->s;
    for (uint32_t j = 0; j < w->n; j++) {
        double slope = 0;
        for (uint32_t i = 0; i <= j; i++)
            slope += w->triangle[j * w->n + i] * w->top[i];
        w->held[j] = (s->p[j] <= s->low[j] && slope > 0) || (s->p[j] >= s->high[j] && slope < 0) ||
                     !(w->norms[j] > 0);
        w->step[j] = 0;
    }
}

/* The damped step of the parameters that are not held, the others given. */
static void solve_damped(Method *w)
{
    uint32_t n = w->n, k = 0, rows = 2 * n;
    memset(w->work, 0, (size_t)rows * n * sizeof *w->work);
    memset(w->side, 0, rows * sizeof *w->side);
    for (uint32_t i = 0; i < n; i++) {
        w->side[i] = -w->top[i];
        for (uint32_t j = i; j < n; j++)
            w->side[i] -= w->held[j] ? w->triangle[j * n + i] * w->step[j] : 0;
    }
    for (uint32_t j = 0; j < n; j++) {
        if (w->held[j])
            continue;
        memcpy(w->work + k * rows, w->triangle + j * n, n * sizeof *w->work);
        w->work[k * rows + n + k] = sqrt(w->damping) * w->norms[j];
        k++;
    }
    triangularize(rows, k, w->work, w->side);
    for (uint32_t j = n, at = k; j-- > 0;) {
        if (w->held[j])
            continue;
        double x = w->side[--at], pivot = w->work[at * rows + at];
        w->step[j] = fabs(pivot) > 0 ? x / pivot : 0;
        for (uint32_t i = 0; i < at; i++)
            w->side[i] -= w->work[at * rows + i] * w->step[j];
    }
}

static void find_step(Method *w)
{
    const LeastSquares *s = w->s;
    hold_bounds(w);
    for (bool again = true; again;) {
        again = false;
        solve_damped(w);
        for (uint32_t j = 0; j < w->n; j++) {
            double room = w->step[j] < 0 ? s->low[j] - s->p[j] : s->high[j] - s->p[j];
            if (!w->held[j] && fabs(w->step[j]) > fabs(room)) {
                w->step[j] = room;
                w->held[j] = again = true;
            }
        }
    }
    for (uint32_t j = 0; j < w->n; j++)
        w->trial[j] = fmin(fmax(s->p[j] + w->step[j], s->low[j]), s->high[j]);
}

static double length_of(const Method *w)
{
    double sum = 0;
    for (uint32_t j = 0; j < w->n; j++)
        sum += w->norms[j] * w->step[j] * w->norms[j] * w->step[j];
    return sqrt(sum);
}

/* The step within the radius. */
static void find_limited_step(Method *w)
{
    find_step(w);
    while (length_of(w) > w->radius && w->damping < 1e15) {
        w->damping = fmax(3 * w->damping, 1e-9);
        find_step(w);
    }
}

/* |J d|², and by how much the linear model lowers the sum. */
static double prediction(const Method *w, double *gain)
{
    double change = 0;
    *gain = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        double x = 0;
        for (uint32_t j = i; j < w->n; j++)
            x += w->triangle[j * w->n + i] * w->step[j];
        change += x * x;
        *gain -= 2 * x * w->top[i] + x * x;
    }
    return change;
}

static double variance(const Method *w)
{
    const LeastSquares *s = w->s;
    return s->sum / (double)(s->m > w->n ? s->m - w->n : 1);
}

static bool is_small(const Method *w, double change)
{
    const LeastSquares *s = w->s;
    bool small = true;
    for (uint32_t j = 0; j < w->n; j++)
        small &= fabs(w->step[j]) <= SMALL_STEP * fmax(fabs(s->p[j]), s->size[j]);
    return small || change <= SMALL_CHANGE * SMALL_CHANGE * variance(w);
}

/* Whether the step is the last one: the derivatives are exact, and after it nothing is left. */
static bool is_last(const Method *w, double change)
{
    return !w->updated && change <= LAST_CHANGE * LAST_CHANGE * variance(w);
}

/* The derivatives at the best point, from a run. */
static bool refresh(Method *w)
{
    LeastSquares *s = w->s;
    s->done++;
    if (!s->evaluate(s->user, s->p, s->r, s->jacobian))
        return false;
    s->sum = square_sum(s->r, s->m);
    w->updated = false;
    return true;
}

/* Broyden: the smallest change of the derivatives that explains the new residuals. */
static void update(Method *w)
{
    LeastSquares *s = w->s;
    double length = 0, *off = w->copy;
    for (uint32_t j = 0; j < w->n; j++)
        length += w->norms[j] * w->step[j] * w->norms[j] * w->step[j];
    for (size_t i = 0; i < s->m; i++) {
        off[i] = w->r[i] - s->r[i];
        for (uint32_t j = 0; j < w->n; j++)
            off[i] -= s->jacobian[j * s->m + i] * w->step[j];
    }
    for (uint32_t j = 0; j < w->n; j++) {
        double share = w->norms[j] * w->norms[j] * w->step[j] / length;
        for (size_t i = 0; i < s->m; i++)
            s->jacobian[j * s->m + i] += share * off[i];
    }
    w->updated = true;
}

static void take_trial(Method *w, double sum)
{
    LeastSquares *s = w->s;
    memcpy(s->p, w->trial, w->n * sizeof *s->p);
    memcpy(s->r, w->r, s->m * sizeof *s->r);
    s->sum = sum;
}

/* After a step that helps. Derivatives that predicted it well are kept and corrected. */
static bool accept(Method *w, double sum, double agreement)
{
    double off = 2 * agreement - 1, length = length_of(w);
    bool good = fabs(agreement - 1) < GOOD_AGREEMENT;
    w->damping *= fmax(1.0 / 3, 1 - off * off * off);
    w->damping = fmax(agreement > 0.9 ? 0.1 * w->damping : w->damping, 1e-15);
    w->radius = length * (agreement > 0.75 ? 3 : agreement < 0.25 ? 0.5 : 1.5);
    if (good)
        update(w);
    take_trial(w, sum);
    return good || refresh(w);
}

/* After a step that does not help: the minimum of the parabola through both sums, with the slope of
 * the linear model at the first one, shortens the radius. */
static void shorten(Method *w, double sum, double gain, double change)
{
    double slope = gain + change, /* -d(sum)/d(share) at the beginning */
        rise = sum - w->s->sum, share = isfinite(rise) ? 0.5 * slope / (rise + slope) : 0;
    w->radius = fmin(fmax(share, 0.1), 0.5) * length_of(w);
}

/* The last step: the derivatives before it are good enough for covariances. */
static bool finish(Method *w, double sum, SearchStatus *status)
{
    take_trial(w, sum);
    *status = SEARCH_CONVERGED;
    return false;
}

/* The end of the search, or fresh derivatives for another look. */
static bool conclude(Method *w, SearchStatus *status)
{
    if (*status != SEARCH_INTERRUPTED && w->updated && w->s->done < w->s->most)
        return refresh(w);
    if (w->updated)
        (void)refresh(w); /* covariances need them */
    return false;
}

/* Tries steps until one helps. False at the end of the search. */
static bool improve(Method *w, SearchStatus *status)
{
    LeastSquares *s = w->s;
    bool failed = false;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        double gain, change;
        find_limited_step(w);
        change = prediction(w, &gain);
        *status = failed && trial ? SEARCH_STUCK : SEARCH_CONVERGED;
        if (is_small(w, change))
            return conclude(w, status);
        *status = s->interrupt && *s->interrupt ? SEARCH_INTERRUPTED : SEARCH_LIMIT;
        if (*status == SEARCH_INTERRUPTED || s->done >= s->most)
            return conclude(w, status);
        s->done++;
        bool ok = s->evaluate(s->user, w->trial, w->r, NULL);
        double sum = ok ? square_sum(w->r, s->m) : INFINITY;
        failed = !isfinite(sum);
        s->failures += failed;
        *status = SEARCH_STUCK;
        if (sum <= s->sum && is_last(w, change))
            return finish(w, sum, status);
        if (sum < s->sum)
            return accept(w, sum, gain > 0 ? fmin((s->sum - sum) / gain, 2) : 1);
        if (w->updated)
            return refresh(w);
        shorten(w, sum, gain, change);
    }
    return false;
}

SearchStatus least_squares(LeastSquares *s, Arena *arena)
{
    uint32_t n = s->n;
    Method w = {.s = s, .n = n, .damping = FIRST_DAMPING, .radius = INFINITY};
    w.triangle = ARENA_ARRAY(arena, double, (size_t)n *n);
    w.top = ARENA_ARRAY(arena, double, 8 * (size_t)n);
    w.norms = w.top + n;
    w.step = w.norms + n;
    w.trial = w.step + n;
    w.side = w.trial + n;
    w.work = ARENA_ARRAY(arena, double, 2 * (size_t)n * n);
    w.held = ARENA_ARRAY(arena, bool, n);
    w.r = ARENA_ARRAY(arena, double, s->m);
    w.copy = ARENA_ARRAY(arena, double, s->m *((size_t)n + 1));
    s->done++;
    bool ok = s->evaluate(s->user, s->p, s->r, s->jacobian);
    s->sum = ok ? square_sum(s->r, s->m) : NAN;
    if (!isfinite(s->sum)) {
        s->failures++;
        return SEARCH_FAILED;
    }
    SearchStatus status;
    do
        factor(&w);
    while (improve(&w, &status));
    return s->interrupt && *s->interrupt ? SEARCH_INTERRUPTED : status;
}

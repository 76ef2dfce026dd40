/* Scalars of trajectories with their derivatives: end, mean, RMS, minimum, maximum, event times. */
#include "sim/variation_internal.h"

#include <math.h>

#define ROOT6 2.449489742783178098197284
static const double weights[3] = {(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9};

/* Of equal values the first counts: it moves with its event, which may be followed by others at
 * once. */
static void consider(Extremum *e, bool most, double value, const double *d, uint32_t n)
{
    double slack = isfinite(e->value) ? 1e-13 * fabs(e->value) : 0;
    if (most ? value <= e->value + slack : value >= e->value - slack)
        return;
    e->at_bend = false;
    e->value = value;
    memcpy(e->d, d, n * sizeof *d);
}

static void consider_both(Tally *y, double value, const double *d, uint32_t n)
{
    consider(&y->least, false, value, d, n);
    consider(&y->most, true, value, d, n);
}

void tally_start(Variation *w)
{
    const Sim *s = w->s;
    size_t n = s->prog->n;
    w->begin = s->run.time;
    if (!w->n_of)
        return;
    double *now = memory_alloc(((size_t)w->n * n + n + 1) * sizeof *now),
           *x = now + (size_t)w->n * n;
    get_states(s->prog, x);
    variation_states_at(w, s->run.time, now);
    if (variation_point(w, s->run.time, x, now, w->row_y, w->row_dy))
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t k = 0; k < w->n_of; k++) {
        Tally *y = &w->tallies[k];
        y->y = w->row_y[k];
        memcpy(y->dy, w->row_dy + (size_t)k * w->n, w->n * sizeof *y->dy);
        consider_both(y, y->y, y->dy, w->n);
    }
    memory_free(now);
}

/* Where the cubic through four values has its slope zero; returns the number of places. */
static int stationary(const double value[4], double at[2])
{
    const double *x = variation_nodes;
    double d[4] = {value[0], value[1], value[2], value[3]};
    for (int order = 1; order < 4; order++) /* divided differences */
        for (int k = 3; k >= order; k--)
            d[k] = (d[k] - d[k - 1]) / (x[k] - x[k - order]);
    double c = d[1] + x[1] * (-d[2] + x[2] * d[3]),
           b = d[2] - (x[1] + x[2]) * d[3]; /* x[0] is 0: d0 + c x + b x² + d3 x³ */
    double square = b * b - 3 * c * d[3];
    if (square < 0 || (b == 0 && d[3] == 0))
        return 0;
    double q = -(b + copysign(sqrt(square), b)); /* 3 d3 x² + 2 b x + c = 0 */
    int n = 0;
    if (d[3] != 0)
        at[n++] = q / (3 * d[3]);
    if (q != 0)
        at[n++] = c / q;
    return n;
}

/* The extremum at a bend has the same value after it, and so its derivative. */
static void end_bend(Extremum *e, double value, const double *d, uint32_t n)
{
    if (!e->at_bend || fabs(value - e->value) > 1e-11 * fabs(e->value))
        return;
    e->at_bend = false;
    memcpy(e->d, d, n * sizeof *d);
}

/* The extrema of the cubic through four values. Those at its ends count a little less, so that the
 * same values at an event or at the end of the run, which move with them, win. */
static void consider_inside(Variation *w, Tally *y, const double value[4], const double *const d[4])
{
    double *at = w->tally_work, size = 0, places[4] = {0, 1}, low = y->least.value,
           high = y->most.value;
    for (int k = 0; k < 4; k++)
        size = fmax(size, fabs(value[k]));
    int n = 2 + stationary(value, places + 2);
    for (int i = 0; i < n; i++) {
        double x = places[i], sum = 0, basis[4];
        bool end = x < 1e-9 || x > 1 - 1e-9;
        if (!(x >= 0 && x <= 1))
            continue;
        variation_basis(x, basis);
        for (int k = 0; k < 4; k++)
            sum += basis[k] * value[k];
        double less = end ? 1e-12 * size : 0;
        if (sum - less <= y->most.value && sum + less >= y->least.value && !y->least.at_bend &&
            !y->most.at_bend)
            continue;
        memset(at, 0, w->n * sizeof *at);
        for (int k = 0; k < 4; k++)
            for (uint32_t j = 0; j < w->n; j++)
                at[j] += basis[k] * d[k][j];
        if (x > 0.5) {
            end_bend(&y->most, sum, at, w->n);
            end_bend(&y->least, sum, at, w->n);
        }
        consider(&y->most, true, sum - less, at, w->n);
        consider(&y->least, false, sum + less, at, w->n);
    }
    y->most.moved = y->most.value > high;
    y->least.moved = y->least.value < low;
}

/* In a short interval with a bend or a jump without an event, the extremum has no known derivative
 * if it is there: a value is beyond it, or it has just moved, and may lie between the values. */
static void consider_bend(Extremum *e, double sign, const double value[4])
{
    double most = -INFINITY, least = INFINITY, before = sign * e->value;
    for (int k = 0; k < 4; k++) {
        most = fmax(most, sign * value[k]);
        least = fmin(least, sign * value[k]);
    }
    bool here = most > before + 1e-13 * fabs(before);
    if (here)
        e->value = sign * most;
    e->moved = here || (e->moved && 2 * most - least >= before);
    e->at_bend |= e->moved;
}

/* Values and derivatives at t of a piece; after a flaw, values alone. */
static void values_at(Variation *w, const Piece *p, double t, double *y, double *dy)
{
    ModeProgram *prog = w->s->prog;
    program_states_at(prog, t, w->x);
    if (!w->flaw) {
        variation_piece_at(w, p, t, w->now);
        if (!variation_states_point(w, w->x, w->now, y, dy) &&
            variation_point(w, t, w->x, w->now, y, dy))
            variation_note_flaw(w, FLAW_SINGULAR);
        return;
    }
    if (!variation_states_point(w, w->x, NULL, y, NULL) && !evaluate_outputs(prog, t, w->x))
        for (uint32_t k = 0; k < w->n_of; k++)
            y[k] = w->of[k].sign * prog->v[w->of[k].var];
    for (size_t i = 0; i < (size_t)w->n_of * w->n; i++)
        dy[i] = NAN;
}

/* The values at 0, at the collocation points, and at PROBE, which is another. */
enum { PROBED = 4, N_VALUES, MOST_HALVINGS = 8 };
/* Around bends without events, such as those of abs, halves are halved further, but so often at
 * most in a piece. */
enum { MOST_AT_BENDS = 24, AT_BENDS = 128 };
static const double PROBE = 0.4;
static const double ROUGH = 1e-4; /* of the largest derivative in a piece */

/* Whether cubics represent the derivatives of variable k, too. They jump at a bend. `largest`: of
 * its values. */
static bool derivatives_resolved(const Variation *w, const double *dy, const double *basis,
                                 uint32_t k, double largest)
{
    size_t next = (size_t)w->n_of * w->n;
    for (uint32_t j = 0; j < w->n; j++) {
        const double *d = dy + (size_t)k * w->n + j;
        double size = largest / w->size[j], sum = 0;
        for (size_t a = 0; a < PROBED; a++) {
            size = fmax(size, fabs(d[a * next]));
            sum += basis[a] * d[a * next];
        }
        if (fabs(sum - d[PROBED * next]) > ROUGH * size)
            return false;
    }
    return true;
}

/* Whether the cubics through the values represent all variables. */
static bool is_resolved(const Variation *w, const double *y, const double *dy)
{
    double allowed = fmin(w->s->run.options->tolerance, 1e-4), basis[4];
    variation_basis(PROBE, basis);
    for (uint32_t k = 0; k < w->n_of; k++) {
        double size = 0, sum = 0;
        for (size_t a = 0; a < PROBED; a++) {
            size = fmax(size, fabs(y[a * w->n_of + k]));
            sum += basis[a] * y[a * w->n_of + k];
        }
        size = fmax(size, 1e-3 * program_var(w->s->prog, w->of[k].var)->nominal);
        if (fabs(sum - y[(size_t)PROBED * w->n_of + k]) > allowed * size ||
            !derivatives_resolved(w, dy, basis, k, size))
            return false;
    }
    return true;
}

static void tally_values(Variation *w, double length, const double *y, const double *dy,
                         bool resolved)
{
    size_t n_of = w->n_of, n = w->n;
    for (size_t k = 0; k < n_of; k++) {
        Tally *to = &w->tallies[k];
        double value[4];
        const double *d[4];
        for (size_t a = 0; a < 4; a++) {
            value[a] = y[a * n_of + k];
            d[a] = dy + (a * n_of + k) * n;
        }
        for (size_t a = 1; a < 4; a++) {
            double part = weights[a - 1] * length;
            to->integral += part * value[a];
            to->square += part * value[a] * value[a];
            for (size_t j = 0; j < n; j++) {
                to->d_integral[j] += part * d[a][j];
                to->d_square[j] += part * 2 * value[a] * d[a][j];
            }
        }
        if (resolved)
            consider_inside(w, to, value, d);
        else {
            consider_bend(&to->most, 1, value);
            consider_bend(&to->least, -1, value);
        }
        to->y = value[3];
        memcpy(to->dy, d[3], n * sizeof *to->dy);
    }
}

/* On [a, b] of the piece: in halves, until cubics represent the variables. */
static void tally_between(Variation *w, const Piece *p, double a, double b, int depth)
{
    size_t n_of = w->n_of, n = w->n;
    double *y = w->tally_work + n + 1, *dy = y + N_VALUES * n_of;
    for (size_t k = 0; k < n_of; k++) {
        y[k] = w->tallies[k].y;
        memcpy(dy + k * n, w->tallies[k].dy, n * sizeof *dy);
    }
    if (w->flaw) /* events are not followed */
        values_at(w, p, a, y, dy);
    for (size_t i = 1; i < N_VALUES; i++)
        values_at(w, p, a + (i == PROBED ? PROBE : variation_nodes[i]) * (b - a), y + i * n_of,
                  dy + i * n_of * n);
    bool resolved = is_resolved(w, y, dy), more = depth < MOST_HALVINGS;
    if (!resolved && !more && depth < MOST_AT_BENDS && w->bends < AT_BENDS) {
        more = true;
        w->bends++;
    }
    if (!resolved && more) {
        tally_between(w, p, a, a + 0.5 * (b - a), depth + 1);
        tally_between(w, p, a + 0.5 * (b - a), b, depth + 1);
    } else
        tally_values(w, b - a, y, dy, resolved);
}

void tally_piece(Variation *w, const Piece *p)
{
    size_t size = w->n + 1 + N_VALUES * w->n_of * ((size_t)w->n + 1);
    if (!w->tally_work)
        w->tally_work = ARENA_ARRAY(w->arena, double, size);
    w->bends = 0;
    if (w->n_of && !w->no_scalars)
        tally_between(w, p, p->begin, p->begin + p->length, 0);
}

void tally_flawed(Variation *w)
{
    for (uint32_t k = 0; k < w->n_of; k++) {
        Tally *to = &w->tallies[k];
        to->y = w->of[k].sign * w->s->prog->v[w->of[k].var];
        consider_both(to, to->y, to->dy, w->n);
    }
}

static bool differ(double a, double b, double size)
{
    return fabs(a - b) > 1e-7 * (fabs(a) + fabs(b) + size);
}

/* The run ends with the event, and moves with it. */
static void end_here(Variation *w, const double *y, const double *dy, const double *total_right)
{
    w->d_end = ARENA_ARRAY(w->arena, double, w->n + (size_t)1);
    memcpy(w->d_end, w->dt, w->n * sizeof *w->dt);
    for (uint32_t k = 0; k < w->n_of; k++)
        for (uint32_t j = 0; j < w->n; j++) {
            size_t at = (size_t)k * w->n + j;
            w->tallies[k].d_over[j] = total_right[at] - dy[at];
            w->tallies[k].d_integral[j] += y[k] * w->dt[j];
            w->tallies[k].d_square[j] += y[k] * y[k] * w->dt[j];
        }
}

/* Notes which scalars the event leaves without a derivative if the run ends with it. */
static void note_open(Variation *w, uint32_t k, double y, const double *dy)
{
    Tally *to = &w->tallies[k];
    bool jumps = differ(w->y_left[k], y, 0);
    for (uint32_t j = 0; j < w->n; j++) {
        bool moves = w->dt[j] != 0,
             bends = differ(w->dy_left[(size_t)k * w->n + j], dy[j], 1e-6 / w->size[j]);
        to->end_open[j] |= moves && (jumps || bends);
        to->mean_open[j] |= moves && jumps;
    }
}

void tally_event(Variation *w, const double *y, const double *dy, const double *slope_left,
                 const double *total_right)
{
    bool again = w->tallied == w->s->run.time;
    w->tallied = w->moved_time = w->s->run.time;
    memcpy(w->moved[1], total_right, (size_t)w->n_of * w->n * sizeof *total_right);
    for (uint32_t k = 0; k < w->n_of; k++) {
        Tally *to = &w->tallies[k];
        double *total = w->moved[0] + (size_t)k * w->n;
        double before = w->y_left[k], low = to->least.value, high = to->most.value;
        if (!again)
            memset(to->end_open, 0, 2 * (size_t)w->n);
        for (uint32_t j = 0; j < w->n; j++) {
            total[j] = w->dy_left[(size_t)k * w->n + j] + slope_left[k] * w->dt[j];
            to->d_integral[j] += (before - y[k]) * w->dt[j];
            to->d_square[j] += (before * before - y[k] * y[k]) * w->dt[j];
        }
        consider_both(to, before, total, w->n);
        note_open(w, k, y[k], dy + (size_t)k * w->n);
        consider_both(to, y[k], total_right + (size_t)k * w->n, w->n);
        to->least_last = to->least.value < low || (again && to->least_last);
        to->most_last = to->most.value > high || (again && to->most_last);
        to->y = y[k];
        memcpy(to->dy, dy + (size_t)k * w->n, w->n * sizeof *to->dy);
    }
    if (w->s->terminated && !w->d_end)
        end_here(w, y, dy, total_right);
}

void tally_held(Variation *w, const double *y, const double *dy)
{
    for (uint32_t k = 0; k < w->n_of; k++) {
        Tally *to = &w->tallies[k];
        for (uint32_t j = 0; j < w->n; j++) {
            to->d_integral[j] += (to->y - y[k]) * w->dt[j];
            to->d_square[j] += (to->y * to->y - y[k] * y[k]) * w->dt[j];
        }
        to->y = y[k];
        memcpy(to->dy, dy + (size_t)k * w->n, w->n * sizeof *to->dy);
    }
}

VariationScalars variation_scalars(Variation *w, uint32_t k)
{
    Tally *y = &w->tallies[k];
    double span = w->t - w->begin;
    VariationScalars r = {.end = y->y, .min = y->least.value, .max = y->most.value};
    r.mean = span > 0 ? y->integral / span : y->y;
    r.rms = span > 0 ? sqrt(y->square / span) : fabs(y->y);
    consider_both(y, y->y, y->dy, w->n); /* the end */
    r.min = y->least.value;
    r.max = y->most.value;
    double *d = ARENA_ARRAY(w->arena, double, 5 * (size_t)w->n + 1);
    double **parts[] = {&r.d_end, &r.d_mean, &r.d_rms, &r.d_min, &r.d_max};
    for (int i = 0; i < 5; i++)
        *parts[i] = d + (size_t)i * w->n;
    bool ends =
        w->tallied == w->t && !w->d_end; /* an extremum there does not move with the event */
    for (uint32_t j = 0; j < w->n; j++) {
        bool lost = variation_ended(w, j);
        double later = w->d_end ? w->d_end[j] : 0; /* the span grows by it */
        r.d_end[j] = lost ? NAN : y->dy[j] + y->d_over[j];
        r.d_mean[j] = lost ? NAN : span > 0 ? (y->d_integral[j] - r.mean * later) / span : y->dy[j];
        r.d_rms[j] = lost ? NAN
                     : span > 0 && y->square > 0
                         ? (y->d_square[j] - r.rms * r.rms * later) / (2 * span * r.rms)
                         : y->dy[j];
        bool least = ends && y->least_last, most = ends && y->most_last;
        r.d_min[j] = lost || y->least.at_bend ? NAN : least ? y->dy[j] : y->least.d[j];
        r.d_max[j] = lost || y->most.at_bend ? NAN : most ? y->dy[j] : y->most.d[j];
        const bool open[] = {y->end_open[j], y->mean_open[j], y->mean_open[j],
                             least && y->end_open[j], most && y->end_open[j]};
        for (int i = 0; i < 5 && ends; i++)
            (*parts[i])[j] = open[i] ? NAN : (*parts[i])[j];
    }
    return r;
}

bool variation_end_moves(const Variation *w)
{
    bool moves = false;
    for (uint32_t k = 0; k < w->n_of && w->tallied == w->t && !w->d_end; k++)
        for (uint32_t j = 0; j < w->n; j++)
            moves |= w->tallies[k].end_open[j];
    return moves;
}

uint32_t variation_n_events(const Variation *w)
{
    return w->times.n;
}

VariationEvent variation_event_at(const Variation *w, uint32_t i)
{
    return (VariationEvent){w->times.at[i], w->d_times.at + (size_t)i * w->n};
}

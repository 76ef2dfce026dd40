/* Scalars of trajectories with their derivatives: end, mean, RMS, minimum, maximum, event times. */
#include "sim/variation_internal.h"

#include <math.h>

#define ROOT6 2.449489742783178098197284
static const double weights[3] = {(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9};

static void consider(Extremum *e, bool most, double value, const double *d, uint32_t n)
{
    if (most ? value < e->value : value > e->value)
        return;
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

/* The extrema of the cubic through four values. Those at its ends count a little less, so that the
 * same values at an event or at the end of the run, which move with them, win. */
static void consider_inside(Variation *w, Tally *y, const double value[4], const double *const d[4])
{
    enum { PARTS = 8 };
    double *at = memory_alloc((w->n + (size_t)1) * sizeof *at), size = 0;
    for (int k = 0; k < 4; k++)
        size = fmax(size, fabs(value[k]));
    for (int most = 0; most < 2; most++) {
        double best = 0, sign = most ? 1 : -1, top = -INFINITY, low = 0, high = 1;
        for (int i = 0; i <= PARTS; i++) {
            double x = (double)i / PARTS, sum = 0;
            for (int k = 0; k < 4; k++)
                sum += variation_basis(k, x) * value[k];
            if (sign * sum > top) {
                top = sign * sum;
                best = x;
            }
        }
        low = fmax(best - 1.0 / PARTS, 0);
        high = fmin(best + 1.0 / PARTS, 1);
        for (int turn = 0; turn < 60; turn++) { /* golden section */
            double a = high - 0.6180339887498949 * (high - low),
                   b = low + 0.6180339887498949 * (high - low), ya = 0, yb = 0;
            for (int k = 0; k < 4; k++) {
                ya += variation_basis(k, a) * value[k];
                yb += variation_basis(k, b) * value[k];
            }
            *(sign * ya > sign * yb ? &high : &low) = sign * ya > sign * yb ? b : a;
        }
        double x = 0.5 * (low + high), sum = 0;
        memset(at, 0, w->n * sizeof *at);
        for (int k = 0; k < 4; k++) {
            sum += variation_basis(k, x) * value[k];
            for (uint32_t j = 0; j < w->n; j++)
                at[j] += variation_basis(k, x) * d[k][j];
        }
        if (x < 1e-9 || x > 1 - 1e-9)
            sum -= sign * 1e-12 * size;
        consider(most ? &y->most : &y->least, most, sum, at, w->n);
    }
    memory_free(at);
}

void tally_piece(Variation *w, const Piece *p)
{
    static const double nodes[3] = {(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1};
    ModeProgram *prog = w->s->prog;
    uint32_t n_of = w->n_of, n = w->n;
    if (!n_of || w->no_scalars)
        return;
    double *y = memory_alloc((3 * (size_t)n_of * (n + (size_t)1) + 1) * sizeof *y),
           *dy = y + 3 * (size_t)n_of, *x = memory_alloc((prog->n + (size_t)1) * sizeof *x);
    for (int a = 0; a < 3 && !w->flaw; a++) {
        double t = p->begin + nodes[a] * p->length;
        program_states_at(prog, t, x);
        if (variation_point(w, t, x, p->s[a + 1], y + (size_t)a * n_of, dy + (size_t)a * n_of * n))
            variation_note_flaw(w, FLAW_SINGULAR);
    }
    for (uint32_t k = 0; k < n_of && !w->flaw; k++) {
        Tally *to = &w->tallies[k];
        double value[4] = {to->y};
        const double *d[4] = {to->dy};
        for (int a = 0; a < 3; a++) {
            value[a + 1] = y[(size_t)a * n_of + k];
            d[a + 1] = dy + ((size_t)a * n_of + k) * n;
            double part = weights[a] * p->length;
            to->integral += part * value[a + 1];
            to->square += part * value[a + 1] * value[a + 1];
            for (uint32_t j = 0; j < n; j++) {
                to->d_integral[j] += part * d[a + 1][j];
                to->d_square[j] += part * 2 * value[a + 1] * d[a + 1][j];
            }
        }
        consider_inside(w, to, value, d);
        to->y = value[3];
        memcpy(to->dy, d[3], n * sizeof *to->dy);
    }
    memory_free(y);
    memory_free(x);
}

void tally_event(Variation *w, const double *y, const double *dy, const double *slope_left,
                 const double *total_right)
{
    double *total = memory_alloc((w->n + (size_t)1) * sizeof *total);
    for (uint32_t k = 0; k < w->n_of; k++) {
        Tally *to = &w->tallies[k];
        double before = w->y_left[k];
        for (uint32_t j = 0; j < w->n; j++) {
            total[j] = w->dy_left[(size_t)k * w->n + j] + slope_left[k] * w->dt[j];
            to->d_integral[j] += (before - y[k]) * w->dt[j];
            to->d_square[j] += (before * before - y[k] * y[k]) * w->dt[j];
        }
        consider_both(to, before, total, w->n);
        consider_both(to, y[k], total_right + (size_t)k * w->n, w->n);
        to->y = y[k];
        memcpy(to->dy, dy + (size_t)k * w->n, w->n * sizeof *to->dy);
    }
    memory_free(total);
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
    for (uint32_t j = 0; j < w->n; j++) {
        r.d_end[j] = w->flaw ? NAN : y->dy[j];
        r.d_mean[j] = w->flaw ? NAN : span > 0 ? y->d_integral[j] / span : y->dy[j];
        r.d_rms[j] = w->flaw                     ? NAN
                     : span > 0 && y->square > 0 ? y->d_square[j] / (2 * span * r.rms)
                                                 : y->dy[j];
        r.d_min[j] = w->flaw ? NAN : y->least.d[j];
        r.d_max[j] = w->flaw ? NAN : y->most.d[j];
    }
    return r;
}

uint32_t variation_n_events(const Variation *w)
{
    return w->times.n;
}

VariationEvent variation_event_at(const Variation *w, uint32_t i)
{
    return (VariationEvent){w->times.at[i], w->d_times.at + (size_t)i * w->n};
}

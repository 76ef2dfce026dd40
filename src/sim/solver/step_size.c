/* Shared by integrators: the resolution of time, norms, and the size of the first step. */
#include "sim/solver/solver.h"

#include <float.h>
#include <math.h>

/* ---- search for the first step ---- */
static const double SHORTEST_PROBE = 1e-10;           /* of the span */
static const double LEAST_KEPT = 1e-4;                /* of the step before a restart */
static const double SMALL_PART = 0.01;                /* of x: a probe does not go further */
static const double LEAST_BENT = 0.01, MOST_BENT = 1; /* what a probe looks for */
static const double AIM = 0.3;                        /* squared: of what it looks for */
static const double LONGEST_STRIDE = 100;             /* from a probe to the next */
static const double ERROR = 0.01;                     /* of the first step, in tolerances */
static const double MOST_GROWTH = 100;                /* from the last probe to the step */
static const double SHARE_AT_REST = 0.01;             /* of the span if no probe saw a change */
enum { MOST_PROBES = 24 };

double solver_resolution(double t)
{
    return 16 * DBL_EPSILON * fabs(t) + DBL_MIN;
}

double solver_step_end(double t, double h, double limit)
{
    double end = t + h;
    return end >= limit - 1e-6 * h - solver_resolution(limit) ? limit : end;
}

double solver_norm(const Problem *p, const double *v, const double *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double w = v[i] / solver_weight(p, i, fabs(x[i]));
        sum += w * w;
    }
    return sqrt(sum / p->n);
}

/* δ|f(t + δ, x + δf) - f(t, x)|: twice the error of a step δ of Euler's method, in units of the
 * tolerance. Rounding of f hardly counts in it, however short δ is. */
static double bend(const Problem *p, double t, const double *x, const double *f, double length,
                   double *w1, double *w2)
{
    for (uint32_t i = 0; i < p->n; i++)
        w1[i] = x[i] + length * f[i];
    if (p->f(p->user, t + length, w1, w2))
        return INFINITY;
    for (uint32_t i = 0; i < p->n; i++)
        w2[i] -= f[i];
    double size = length * solver_norm(p, w2, x);
    return isnan(size) ? INFINITY : size;
}

double solver_first_step(const Problem *p, double t, const double *x, const double *f,
                         const FirstStep *first, double *w1, double *w2)
{
    double span = first->span, size = solver_norm(p, x, x), rate = solver_norm(p, f, x);
    double least = 1e3 * solver_resolution(t); /* x may be zero but for rounding */
    double shortest = first->kept > 0 ? LEAST_KEPT * first->kept : SHORTEST_PROBE * span;
    double longest = fmin(span, fmax(SMALL_PART * size, 1) / rate);
    double length = fmin(fmax(shortest, least), longest);
    double low = 0, high = INFINITY, bent = 0;
    for (int probe = 0; probe < MOST_PROBES; probe++) {
        bent = bend(p, t, x, f, length, w1, w2);
        double next = fmin(length * fmin(LONGEST_STRIDE, AIM / sqrt(bent)), longest);
        if (bent < LEAST_BENT) {
            low = length;
            next = next < high ? next : sqrt(low * high);
        } else {
            high = length;
            next = low > 0 ? sqrt(low * high) : length / LONGEST_STRIDE;
        }
        bool found = bent >= LEAST_BENT && bent <= MOST_BENT;
        if (found || next < least || next == length)
            break;
        length = next;
    }
    double second = bent / (length * length), time = rate / second, amplitude = rate * time;
    double h = isfinite(bent) ? sqrt(ERROR / second) : length;
    if (amplitude > 0 && isfinite(amplitude))
        h = fmax(h, time * pow(ERROR / amplitude, 1.0 / (first->order + 1)));
    bool rests = bent < LEAST_BENT && length == span && first->kept <= 0;
    h = fmin(fmin(h, MOST_GROWTH * length), rests ? SHARE_AT_REST * span : span);
    return fmin(fmax(h, least), span);
}

double solver_restart_step(const Problem *p, double t, const double *x, const double *f,
                           const FirstStep *first, double *w1, double *w2)
{
    double kept = first->kept, h = solver_first_step(p, t, x, f, first, w1, w2);
    return kept > 0 ? fmin(kept, fmax(h, LEAST_KEPT * kept)) : h;
}

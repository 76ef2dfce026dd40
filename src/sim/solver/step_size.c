/* Shared by integrators: the resolution of time, norms, and the size of the first step. */
#include "sim/solver/solver.h"

#include <float.h>
#include <math.h>

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

double solver_first_step(const Problem *p, double t, const double *x, const double *f, double span,
                         double *w1, double *w2)
{
    double d0 = solver_norm(p, x, x), d1 = solver_norm(p, f, x);
    double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h = fmin(fmax(h, 1e3 * solver_resolution(t)), span); /* x may be zero but for rounding */
    for (uint32_t i = 0; i < p->n; i++)
        w1[i] = x[i] + h * f[i];
    if (p->f(p->user, t + h, w1, w2))
        return h;
    for (uint32_t i = 0; i < p->n; i++)
        w2[i] -= f[i];
    double d2 = fmax(solver_norm(p, w2, x) / h, d1);
    double h1 = d2 <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / d2, 0.2);
    return fmin(fmin(100 * h, h1), span);
}

double solver_restart_step(const Problem *p, double t, const double *x, const double *f,
                           double span, double kept, double *w1, double *w2)
{
    double first = solver_first_step(p, t, x, f, span, w1, w2);
    return kept > 0 ? fmin(kept, fmax(first, 1e-4 * kept)) : first;
}

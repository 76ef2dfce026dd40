/* Results of stiff components inside steps, and at the end of an advance.
 *
 * In: x of the dense output at t, derivatives there. Out: x + δ with
 *
 *     f(t, x + δ) = u'(t) + rate δ,
 *
 * u' the slope of the dense output and rate that of the implicit equations of the step, whose
 * factors solve it. For a stiff component, δ = -J⁻¹(f - u') is its error, and the new derivative is
 * wrong by rate δ only. For others, δ = (f - u')/rate is of the size of the error estimate. If
 * these prevail, x stays as it is. */
#include "sim/solver/solver.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 /* corrections */ };
static const double NEGLIGIBLE = 1; /* a defect over a step, in units of the tolerance */
static const double STIFF = 0.1;    /* the filter leaves so much of the defect */
/* δ in units of the tolerance: more is no error, but motion */
static const double MOST_MOVED = 100;

static void add(uint32_t n, double factor, const double *from, double *to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] += factor * from[i];
}

/* The defect f - u' - rate δ; its size. */
static double find_defect(const Settling *w, const Problem *p, const double *x, const double *f)
{
    memcpy(w->defect, f, p->n * sizeof *f);
    add(p->n, -1, w->slope, w->defect);
    add(p->n, -w->rate, w->moved, w->defect);
    return solver_norm(p, w->defect, x);
}

static bool begin(Settling *w, Solver *s, double t, const double *x, const double *f)
{
    if (!s->slope || !(t <= s->t) || !s->slope(s, t, w->slope))
        return false;
    w->rate = 0;
    memset(w->moved, 0, s->p->n * sizeof *w->moved);
    w->size = find_defect(w, s->p, x, f);
    if (!((s->t - s->t0) * w->size > NEGLIGIBLE))
        return false;
    w->rate = s->filter(s, w->defect);
    return w->rate > 0 && w->rate * solver_norm(s->p, w->defect, x) < STIFF * w->size;
}

static bool improve(Settling *w, Solver *s, double *x, const double *f)
{
    double size = find_defect(w, s->p, x, f);
    if (!(size < w->size)) {
        settle_back(w, s->p, x);
        return true;
    }
    w->size = size;
    if (w->n >= MOST || !((s->t - s->t0) * size > NEGLIGIBLE))
        return false;
    w->rate = s->filter(s, w->defect);
    return w->rate > 0;
}

bool settle_once(Settling *w, Solver *s, double t, double *x, const double *f)
{
    if (w->ended || !(w->n ? improve(w, s, x, f) : begin(w, s, t, x, f)))
        return false;
    if (w->ended)
        return true;
    w->n++;
    add(s->p->n, 1, w->defect, w->moved);
    add(s->p->n, 1, w->defect, x);
    if (!(solver_norm(s->p, w->moved, x) <= MOST_MOVED))
        settle_back(w, s->p, x);
    return !w->ended || w->n > 1;
}

void settle_back(Settling *w, const Problem *p, double *x)
{
    add(p->n, -1, w->moved, x);
    w->ended = true;
}

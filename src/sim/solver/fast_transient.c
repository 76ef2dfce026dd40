/* Implicit Euler steps at a fixed time: they damp a component of time constant T by h/T each. The
 * transient has ended if a step changes nothing any more. Changes that do not become smaller
 * belong to a solution that grows or switches, which is not passed. */
#include "sim/solver/fast_transient.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

enum { MOST_STEPS = 30, MOST_NEWTON = 20 };
static const double DECAYS = 0.5;     /* a step changes the state at most this much of the last */
static const double CONVERGED = 1e-3; /* of the tolerance */

typedef struct Transient {
    const Problem *p;
    double t, h;
    double *x, *f, *change; /* size n */
    double *values;         /* Jacobian, in the order of the problem's pattern */
    int *Ap, *Ai;           /* pattern of 1 - hJ: the diagonal first in each column */
    double *Ax;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} Transient;

static void build_pattern(Transient *w)
{
    const Problem *p = w->p;
    int at = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        w->Ai[at++] = (int)j;
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++)
            if (p->row[k] != j)
                w->Ai[at++] = (int)p->row[k];
        w->Ap[j + 1] = at;
    }
}

/* Factors of 1 - hJ at the present x. */
static bool factor(Transient *w)
{
    const Problem *p = w->p;
    if (p->jacobian(p->user, w->t, w->x, w->values))
        return false;
    int at = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        double *diagonal = &w->Ax[at++];
        *diagonal = 1;
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++) {
            if (p->row[k] == j)
                *diagonal -= w->h * w->values[k];
            else
                w->Ax[at++] = -w->h * w->values[k];
        }
    }
    klu_free_numeric(&w->numeric, &w->common);
    w->numeric = klu_factor(w->Ap, w->Ai, w->Ax, w->symbolic, &w->common);
    return w->numeric != NULL;
}

/* Largest change, in tolerances. */
static double size_of(const Problem *p, const double *change, const double *x)
{
    double most = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double size = fabs(change[i]) / solver_weight(p, i, fabs(x[i]));
        most = size > most || isnan(size) ? size : most;
    }
    return most;
}

/* Solves x = from + h f(t, x); false if Newton's iteration does not converge. */
static bool euler_step(Transient *w, const double *from)
{
    const Problem *p = w->p;
    double last = INFINITY;
    for (int k = 0; k < MOST_NEWTON; k++) {
        if (!factor(w) || p->f(p->user, w->t, w->x, w->f))
            return false;
        for (uint32_t i = 0; i < p->n; i++)
            w->change[i] = from[i] + w->h * w->f[i] - w->x[i];
        if (!klu_solve(w->symbolic, w->numeric, (int)p->n, 1, w->change, &w->common))
            return false;
        for (uint32_t i = 0; i < p->n; i++)
            w->x[i] += w->change[i];
        double size = size_of(p, w->change, w->x);
        if (!isfinite(size) || (k > 2 && size > last))
            return false;
        if (size <= CONVERGED)
            return true;
        last = size;
    }
    return false;
}

/* Whether steps lead to a state that a further step keeps; the first one must leave x. */
static bool comes_to_rest(Transient *w, double *from, const double *x)
{
    const Problem *p = w->p;
    double last = INFINITY;
    for (int k = 0; k < MOST_STEPS; k++) {
        memcpy(from, k ? w->x : x, p->n * sizeof *from);
        if (!euler_step(w, from))
            return false;
        for (uint32_t i = 0; i < p->n; i++)
            w->change[i] = w->x[i] - from[i];
        double size = size_of(p, w->change, w->x);
        if (size <= CONVERGED)
            return k > 0;
        if (size > DECAYS * last)
            return false;
        last = size;
    }
    return false;
}

bool fast_transient_pass(const Problem *p, double t, double h, double *x)
{
    if (!p->jacobian || !p->n)
        return false;
    Transient w = {.p = p, .t = t, .h = h};
    size_t n = p->n, nnz = p->col_ptr[n] + n;
    double *from = memory_alloc((4 * n + 2 * nnz) * sizeof *from);
    w.x = from + n;
    w.f = w.x + n;
    w.change = w.f + n;
    w.values = w.change + n;
    w.Ax = w.values + nnz;
    w.Ap = memory_alloc((n + 1) * sizeof *w.Ap);
    w.Ai = memory_alloc(nnz * sizeof *w.Ai);
    build_pattern(&w);
    klu_defaults(&w.common);
    w.symbolic = klu_analyze((int)n, w.Ap, w.Ai, &w.common);
    memcpy(w.x, x, n * sizeof *x);
    bool rests = w.symbolic && comes_to_rest(&w, from, x);
    if (rests)
        memcpy(x, w.x, n * sizeof *x);
    klu_free_numeric(&w.numeric, &w.common);
    klu_free_symbolic(&w.symbolic, &w.common);
    memory_free(from);
    memory_free(w.Ap);
    memory_free(w.Ai);
    return rests;
}

/* Residuals of a block at the present point. The Newton iteration (solve.c) and its rescues call
 * this. */
#include "runtime/internal.h"

#include <math.h>

static const double ROUNDED =
    1e-13; /* error of z of a relation, relative to the largest tearing variable */

/* Residuals at the present point; inner variables are evaluated. */
int solve_evaluate(Runtime *rt, Block *b)
{
    b->exact = false;
    if (rt->interrupt != NULL && *rt->interrupt) {
        return MODEL_INTERRUPTED;
    }
    rt->m.status = MODEL_OK;
    b->code->residual(&rt->m);
    if (rt->m.status != MODEL_OK) {
        return rt->m.status;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        if (!isfinite(rt->m.r[i])) {
            return MODEL_NOT_FINITE;
        }
    }
    for (uint32_t i = 0; rt->shift_by != 0.0 && i < b->n; i++) {
        rt->m.r[i] -= rt->shift_by * rt->shift[i];
    }
    return MODEL_OK;
}

void solve_keep(const Runtime *rt, const Block *b, double *x)
{
    for (uint32_t i = 0; i < b->n; i++) {
        x[i] = rt->m.v[b->code->vars[i]];
    }
}

/* Evaluates the discrete part again; returns its failure, if any. z has the rounding errors of
 * large solutions: a relation this near to its limit keeps its value. */
int evaluate_discretes(Runtime *rt, Block *b)
{
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        double x = fabs(rt->m.v[b->code->vars[i]]);
        size = x > size ? x : size;
    }
    rt->slack = ROUNDED * size;
    rt->m.status = MODEL_OK;
    b->code->discrete(&rt->m);
    rt->slack = 0.0;
    return rt->m.status;
}

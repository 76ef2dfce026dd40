/* The explicit Euler method with a fixed step; linear between steps. */
#include "base/memory.h"
#include "sim/solver/solver.h"

#include <math.h>

typedef struct Euler {
    Solver base;
    double *x0, *x, *dx; /* size n: at t0, at t, f at t0 */
} Euler;

static void euler_restart(Solver *s, double t, const double *x)
{
    Euler *e = (Euler *)s;
    s->t0 = s->t = t;
    memcpy(e->x, x, s->p->n * sizeof *x);
    memcpy(e->x0, x, s->p->n * sizeof *x);
}

static StepStatus euler_step(Solver *s, double limit)
{
    Euler *e = (Euler *)s;
    const Problem *p = s->p;
    if (p->f(p->user, s->t, e->x, e->dx))
        return STEP_MODEL_FAILED;
    s->t0 = s->t;
    s->t = solver_step_end(s->t0, p->step, limit);
    double h = s->t - s->t0;
    bool finite = true;
    for (uint32_t i = 0; i < p->n; i++) {
        e->x0[i] = e->x[i];
        e->x[i] += h * e->dx[i];
        finite &= isfinite(e->x[i]) != 0;
    }
    s->steps++;
    return finite ? STEP_OK : STEP_OUT_OF_RANGE;
}

static void euler_dense(Solver *s, double t, double *x)
{
    Euler *e = (Euler *)s;
    for (uint32_t i = 0; i < s->p->n; i++)
        x[i] = t == s->t ? e->x[i] : e->x0[i] + (t - s->t0) * e->dx[i];
}

static void euler_destroy(Solver *s)
{
    memory_free(((Euler *)s)->x0);
    memory_free(s);
}

Solver *solver_euler(const Problem *p)
{
    Euler *e = memory_alloc(sizeof *e);
    e->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = euler_restart,
                       .step = euler_step,
                       .dense = euler_dense,
                       .destroy = euler_destroy};
    e->x0 = memory_alloc(3 * (size_t)p->n * sizeof(double));
    e->x = e->x0 + p->n;
    e->dx = e->x + p->n;
    return &e->base;
}

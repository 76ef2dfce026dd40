/* The classical Runge-Kutta method of order 4 with a fixed step; cubic Hermite interpolation
 * between steps. */
#include "base/memory.h"
#include "sim/solver/solver.h"

#include <math.h>

typedef struct Rk4 {
    Solver base;
    double *x0, *x;  /* size n: at t0 and at t */
    double *f0, *f1; /* f at both; f1 serves as the first stage of the next step */
    double *k2, *k3, *k4, *y;
    bool have_f1;
} Rk4;

static void rk4_restart(Solver *s, double t, const double *x)
{
    Rk4 *r = (Rk4 *)s;
    s->t0 = s->t = t;
    r->have_f1 = false;
    memcpy(r->x, x, s->p->n * sizeof *x);
    memcpy(r->x0, x, s->p->n * sizeof *x);
}

/* k = f(t, x0 + h*slope) */
static int stage(Rk4 *r, double t, double h, const double *slope, double *k)
{
    const Problem *p = r->base.p;
    for (uint32_t i = 0; i < p->n; i++)
        r->y[i] = r->x0[i] + h * slope[i];
    return p->f(p->user, t, r->y, k);
}

static int stages(Rk4 *r, double t, double h)
{
    const Problem *p = r->base.p;
    if (stage(r, t + h / 2, h / 2, r->f0, r->k2) || stage(r, t + h / 2, h / 2, r->k2, r->k3) ||
        stage(r, t + h, h, r->k3, r->k4))
        return 1;
    for (uint32_t i = 0; i < p->n; i++)
        r->x[i] = r->x0[i] + h / 6 * (r->f0[i] + 2 * r->k2[i] + 2 * r->k3[i] + r->k4[i]);
    return p->f(p->user, r->base.t, r->x, r->f1);
}

static StepStatus rk4_step(Solver *s, double limit)
{
    Rk4 *r = (Rk4 *)s;
    const Problem *p = s->p;
    if (!r->have_f1 && p->f(p->user, s->t, r->x, r->f1))
        return STEP_MODEL_FAILED;
    memcpy(r->f0, r->f1, p->n * sizeof *r->f0);
    memcpy(r->x0, r->x, p->n * sizeof *r->x0);
    s->t0 = s->t;
    s->t = solver_step_end(s->t0, p->step, limit);
    r->have_f1 = true;
    s->steps++;
    if (stages(r, s->t0, s->t - s->t0))
        return STEP_MODEL_FAILED;
    for (uint32_t i = 0; i < p->n; i++)
        if (!isfinite(r->x[i]))
            return STEP_OUT_OF_RANGE;
    return STEP_OK;
}

static void rk4_dense(Solver *s, double t, double *x)
{
    Rk4 *r = (Rk4 *)s;
    double h = s->t - s->t0;
    double u = h > 0 ? (t - s->t0) / h : 1;
    double a = (1 + 2 * u) * (1 - u) * (1 - u), b = u * u * (3 - 2 * u);
    double c = h * u * (1 - u) * (1 - u), d = h * u * u * (u - 1);
    for (uint32_t i = 0; i < s->p->n; i++)
        x[i] = t == s->t ? r->x[i] : a * r->x0[i] + b * r->x[i] + c * r->f0[i] + d * r->f1[i];
}

static void rk4_destroy(Solver *s)
{
    memory_free(((Rk4 *)s)->x0);
    memory_free(s);
}

Solver *solver_rk4(const Problem *p)
{
    Rk4 *r = memory_alloc(sizeof *r);
    r->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = rk4_restart,
                       .step = rk4_step,
                       .dense = rk4_dense,
                       .destroy = rk4_destroy};
    double *at = memory_alloc(8 * (size_t)p->n * sizeof(double));
    double **part[] = {&r->x0, &r->x, &r->f0, &r->f1, &r->k2, &r->k3, &r->k4, &r->y};
    for (uint32_t i = 0; i < 8; i++)
        *part[i] = at + (size_t)i * p->n;
    return &r->base;
}

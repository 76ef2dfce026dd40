/* Dormand and Prince's explicit method of order 5 with error estimate and continuous extension of order 4
 * (Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, section II.5 and II.6), with PI control of the step
 * size. The step size survives restarts, so that an event costs one evaluation. */
#include "base/memory.h"
#include "sim/solver.h"

#include <math.h>

typedef struct Dopri5 {
    Solver base;
    double *x0, *x, *y, *error; /* size n */
    double *k[7];               /* stages; k[6] is f at t and the first stage of the next step */
    double *r4;                 /* last coefficient of the continuous extension */
    double h;                   /* proposed, not cut to a limit; 0: none yet */
    double last_error;          /* of the last accepted step, for PI control */
    bool have_f;                /* k[6] holds f(t, x) */
    int stiff_steps, easy_steps;
} Dopri5;

static const double c[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
static const double a[7][6] = {
    {0},
    {0.2},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double d[7] = {-12715105075.0 / 11282082432,  0,
                            87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                            701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                            69997945.0 / 29380423};

static double weight(const Problem *p, uint32_t i, double x)
{
    return p->atol[i] + p->rtol * fabs(x);
}

static double norm(const Problem *p, const double *v, const double *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double w = v[i] / weight(p, i, x[i]);
        sum += w * w;
    }
    return sqrt(sum / p->n);
}

static void dopri5_restart(Solver *s, double t, const double *x)
{
    Dopri5 *m = (Dopri5 *)s;
    s->t0 = s->t = t;
    m->have_f = false;
    memcpy(m->x, x, s->p->n * sizeof *x);
    memcpy(m->x0, x, s->p->n * sizeof *x);
}

static double bounded(const Problem *p, double h)
{
    return p->max_step > 0 && h > p->max_step ? p->max_step : h;
}

/* A first step after Hairer: from the sizes of x, f and an estimate of x''. */
static double first_step(Dopri5 *m, double span)
{
    const Problem *p = m->base.p;
    double d0 = norm(p, m->x, m->x), d1 = norm(p, m->k[6], m->x);
    double h = d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * d0 / d1;
    h = fmin(h, span);
    for (uint32_t i = 0; i < p->n; i++)
        m->y[i] = m->x[i] + h * m->k[6][i];
    if (p->f(p->user, m->base.t + h, m->y, m->k[1]))
        return h;
    for (uint32_t i = 0; i < p->n; i++)
        m->error[i] = m->k[1][i] - m->k[6][i];
    double d2 = fmax(norm(p, m->error, m->x) / h, d1);
    double h1 = d2 <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / d2, 0.2);
    return fmin(fmin(100 * h, h1), span);
}

/* The stages from t0 to t0 + h; x at the end in `x`. */
static int stages(Dopri5 *m, double h)
{
    const Problem *p = m->base.p;
    for (int j = 1; j < 7; j++) {
        double *y = j == 6 ? m->x : m->y;
        for (uint32_t i = 0; i < p->n; i++) {
            double sum = 0;
            for (int l = 0; l < j; l++)
                sum += a[j][l] * m->k[l][i];
            y[i] = m->x0[i] + h * sum;
        }
        int status = p->f(p->user, m->base.t0 + c[j] * h, y, m->k[j]);
        if (status)
            return status;
    }
    return 0;
}

static double step_error(Dopri5 *m, double h)
{
    const Problem *p = m->base.p;
    double sum = 0, worst = -1;
    for (uint32_t i = 0; i < p->n; i++) {
        double err = 0;
        for (int j = 0; j < 7; j++)
            err += e[j] * m->k[j][i];
        double w = h * err / weight(p, i, fmax(fabs(m->x0[i]), fabs(m->x[i])));
        sum += w * w;
        if (fabs(w) > worst || isnan(w)) {
            worst = fabs(w);
            m->base.limiting = i;
        }
    }
    return sqrt(sum / p->n);
}

/* Hairer's test: the step is bounded by stability where h times the spectral radius stays above 3.25. */
static void watch_stiffness(Dopri5 *m, double h)
{
    double num = 0, den = 0;
    for (uint32_t i = 0; i < m->base.p->n; i++) {
        double df = m->k[6][i] - m->k[5][i], dx = m->x[i] - m->y[i];
        num += df * df;
        den += dx * dx;
    }
    if (den > 0 && h * sqrt(num / den) > 3.25) {
        m->easy_steps = 0;
        m->base.stiff |= ++m->stiff_steps >= 15;
    } else if (++m->easy_steps >= 6) {
        m->stiff_steps = 0;
    }
}

/* Finishes a step; one that was cut to a limit says nothing against the proposed step size. */
static void accept(Dopri5 *m, double h, double err, bool cut, bool after_reject)
{
    const Problem *p = m->base.p;
    for (uint32_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (int j = 0; j < 7; j++)
            sum += d[j] * m->k[j][i];
        m->r4[i] = h * sum;
    }
    double factor = 0.9 * pow(fmax(err, 1e-10), -0.17) * pow(fmax(m->last_error, 1e-4), 0.04);
    factor = fmin(fmax(factor, 0.2), after_reject ? 1 : 10);
    m->last_error = err;
    if (!cut || factor < 1 || h > 0.9 * m->h)
        m->h = bounded(p, h * factor);
    m->have_f = true;
    m->base.steps++;
    watch_stiffness(m, h);
}

static StepStatus begin_step(Dopri5 *m, double limit)
{
    const Problem *p = m->base.p;
    if (!m->have_f && p->f(p->user, m->base.t, m->x, m->k[6]))
        return STEP_MODEL_FAILED;
    if (m->h <= 0)
        m->h = bounded(p, first_step(m, limit - m->base.t));
    memcpy(m->x0, m->x, p->n * sizeof *m->x);
    double *k = m->k[0];
    m->k[0] = m->k[6];
    m->k[6] = k;
    m->base.t0 = m->base.t;
    return STEP_OK;
}

/* After a step that cannot be completed: back to t0. */
static StepStatus give_up(Dopri5 *m, StepStatus status)
{
    memcpy(m->x, m->x0, m->base.p->n * sizeof *m->x);
    m->base.t = m->base.t0;
    m->have_f = false;
    return status;
}

static StepStatus dopri5_step(Solver *s, double limit)
{
    Dopri5 *m = (Dopri5 *)s;
    StepStatus status = begin_step(m, limit);
    if (status != STEP_OK)
        return status;
    for (bool rejected = false;; rejected = true, s->rejected++) {
        s->t = solver_step_end(s->t0, m->h, limit);
        double h = s->t - s->t0;
        if (h < solver_resolution(s->t0))
            return give_up(m, status == STEP_OK ? STEP_TOO_SMALL : status);
        int failed = stages(m, h);
        if (failed < 0)
            return give_up(m, STEP_MODEL_FAILED);
        double err = failed ? INFINITY : step_error(m, h);
        if (err <= 1) {
            accept(m, h, err, s->t == limit, rejected);
            return STEP_OK;
        }
        status = failed ? STEP_MODEL_FAILED : STEP_TOO_SMALL;
        m->h = isfinite(err) ? h * fmax(0.2, 0.9 * pow(err, -0.2)) : h * 0.2;
    }
}

static void dopri5_dense(Solver *s, double t, double *x)
{
    Dopri5 *m = (Dopri5 *)s;
    double h = s->t - s->t0, u = h > 0 ? (t - s->t0) / h : 1;
    for (uint32_t i = 0; i < s->p->n; i++) {
        double dx = m->x[i] - m->x0[i], r2 = h * m->k[0][i] - dx, r3 = dx - h * m->k[6][i] - r2;
        x[i] = t == s->t ? m->x[i] : m->x0[i] + u * (dx + (1 - u) * (r2 + u * (r3 + (1 - u) * m->r4[i])));
    }
}

static void dopri5_destroy(Solver *s)
{
    memory_free(((Dopri5 *)s)->x0);
    memory_free(s);
}

Solver *solver_dopri5(const Problem *p)
{
    Dopri5 *m = memory_alloc(sizeof *m);
    m->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = dopri5_restart,
                       .step = dopri5_step,
                       .dense = dopri5_dense,
                       .destroy = dopri5_destroy};
    m->last_error = 1e-4;
    double *at = memory_alloc(12 * (size_t)p->n * sizeof(double));
    double **part[] = {&m->x0,   &m->x,    &m->y,    &m->error, &m->r4,   &m->k[0],
                       &m->k[1], &m->k[2], &m->k[3], &m->k[4],  &m->k[5], &m->k[6]};
    for (uint32_t i = 0; i < 12; i++)
        *part[i] = at + (size_t)i * p->n;
    return &m->base;
}

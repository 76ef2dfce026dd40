/* Explicit Runge-Kutta methods of order 5 with error estimate, PI control of the step size, and a
 * continuous extension of order 4. They are Dormand and Prince's, and Fehlberg's (Hairer, Nørsett,
 * Wanner: Solving Ordinary Differential Equations I, sections II.4 to II.6). The step size survives
 * restarts, so that an event costs one evaluation.
 *
 * Both are written with seven stages, the last at the end of the step: it is the first of the next.
 * The extension adds u²(1 - u)² r4 to Hermite's cubic. r4 = h Σ d k is h⁴x⁗/24 up to higher orders.
 * This also gives Fehlberg's weights d, up to one free parameter.
 *
 * On request the extension gets order 5 for two evaluations more (bootstrapping; Enright, Jackson,
 * Nørsett, Thomsen 1986). Then u²(1 - u)² (r4 + (2u - 1) r5) has the slopes of the equations at two
 * inner points. */
#include "base/snapshot.h"
#include "sim/solver/solver.h"

#include <math.h>

typedef struct Method {
    double c[7], a[7][6];
    double e[7]; /* error: weights of order 5 less those of order 4 */
    double d[7]; /* continuous extension */
} Method;

typedef struct Rk {
    Solver base;
    const Method *method;
    double *x0, *x, *y; /* size n */
    double *k[7];       /* stages; k[6] is f at t and the first stage of the next step */
    double *r4, *r5;    /* last coefficients of the continuous extension */
    double h;           /* proposed, not cut to a limit; 0: none yet */
    double last_error;  /* of the last accepted step, for PI control */
    bool have_f;        /* k[6] is f(t, x) */
    bool refined;       /* the continuous extension has order 5 */
    int stiff_steps, easy_steps;
} Rk;

static const double MOST_SHORTER = 0.2; /* of a rejected step */
enum { MOST_TURNS = 4 };                /* tangents that bend get no better by shorter steps */
static const double BESIDE = 0.35; /* inner slopes are taken so far from the middle of a step */

static const Method dormand_prince = {
    .c = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1},
    .a =
        {
            {0},
            {0.2},
            {3.0 / 40, 9.0 / 40},
            {44.0 / 45, -56.0 / 15, 32.0 / 9},
            {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
            {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
            {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
        },
    .e = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .d = {-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
          701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423},
};

static const Method fehlberg = {
    .c = {0, 0.25, 3.0 / 8, 12.0 / 13, 1, 0.5, 1},
    .a =
        {
            {0},
            {0.25},
            {3.0 / 32, 9.0 / 32},
            {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
            {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
            {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
            {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55},
        },
    .e = {1.0 / 360, 0, -128.0 / 4275, -2197.0 / 75240, 1.0 / 50, 2.0 / 55, 0},
    .d = {-7.0 / 8, 0, 1024.0 / 285, -2197.0 / 456, 8.0 / 5, -2, 5.0 / 2},
};

static void rk_restart(Solver *s, double t, const double *x)
{
    Rk *m = (Rk *)s;
    s->t0 = s->t = t;
    m->have_f = false;
    memcpy(m->x, x, s->p->n * sizeof *x);
    memcpy(m->x0, x, s->p->n * sizeof *x);
}

/* ---- tangents beside the states ---- */

static size_t beside_size(const Rk *m)
{
    return (size_t)m->base.beside->n * m->base.p->n;
}

/* The slopes of stage j, where f was evaluated. Without them, the step goes on. */
static void beside_slopes(Rk *m, int j, const double *s)
{
    Beside *b = m->base.beside;
    b->known = b->known && !b->f(b->user, s, b->slopes[j]);
}

static void beside_stage(Rk *m, int j, double h)
{
    Beside *b = m->base.beside;
    if (!b || !b->known)
        return;
    const double *a = m->method->a[j];
    double *s = j == 6 ? b->to : b->stage;
    size_t size = beside_size(m);
    for (size_t i = 0; i < size; i++) {
        double sum = 0;
        for (int l = 0; l < j; l++)
            sum += a[l] * b->slopes[l][i];
        s[i] = b->from[i] + h * sum;
    }
    beside_slopes(m, j, s);
}

/* The first slopes. `here`: f was evaluated last at (t, x). */
static int beside_begin(Rk *m, bool here)
{
    Beside *b = m->base.beside;
    int status = 0;
    b->known = true;
    if (here || !b->same) {
        if (!here)
            status = m->base.p->f(m->base.p->user, m->base.t, m->x, m->k[6]);
        beside_slopes(m, 6, b->from);
    }
    double *first = b->slopes[0];
    b->slopes[0] = b->slopes[6];
    b->slopes[6] = first;
    return status;
}

/* The error of tangents over a step of length h, in tolerances; 0 if it is not known. */
static double beside_error(Rk *m, double h)
{
    Beside *b = m->base.beside;
    if (!b || !b->known)
        return 0;
    size_t size = beside_size(m);
    for (size_t i = 0; i < size; i++) {
        double error = 0, r4 = 0;
        for (int j = 0; j < 7; j++) {
            error += m->method->e[j] * b->slopes[j][i];
            r4 += m->method->d[j] * b->slopes[j][i];
        }
        b->error[i] = h * error;
        b->r4[i] = h * r4;
    }
    b->size = b->measure(b->user);
    return isfinite(b->size) ? b->size : 0;
}

/* ---- steps ---- */

/* The stages from t0 to t0 + h; x at the end in `x`. */
static int stages(Rk *m, double h)
{
    const Problem *p = m->base.p;
    for (int j = 1; j < 7; j++) {
        double *y = j == 6 ? m->x : m->y;
        for (uint32_t i = 0; i < p->n; i++) {
            double sum = 0;
            for (int l = 0; l < j; l++)
                sum += m->method->a[j][l] * m->k[l][i];
            y[i] = m->x0[i] + h * sum;
        }
        int status = p->f(p->user, m->base.t0 + m->method->c[j] * h, y, m->k[j]);
        if (status)
            return status;
        beside_stage(m, j, h);
    }
    return 0;
}

static double step_error(Rk *m, double h)
{
    const Problem *p = m->base.p;
    double sum = 0, worst = -1;
    for (uint32_t i = 0; i < p->n; i++) {
        double err = 0;
        for (int j = 0; j < 7; j++)
            err += m->method->e[j] * m->k[j][i];
        double w = h * err / solver_weight(p, i, fmax(fabs(m->x0[i]), fabs(m->x[i])));
        sum += w * w;
        if (fabs(w) > worst || isnan(w)) {
            worst = fabs(w);
            m->base.limiting = i;
        }
    }
    return solver_strictness(p) * sqrt(sum / p->n) / (p->share > 0 ? p->share : 1);
}

/* Hairer's test: stability limits the step if h times the spectral radius stays above 3.25. The
 * radius is estimated from two stages at the end of the step. */
static void watch_stiffness(Rk *m, double h)
{
    const Method *q = m->method;
    int j = q->c[5] == 1 ? 5 : 4;
    double num = 0, den = 0;
    for (uint32_t i = 0; i < m->base.p->n; i++) {
        double y = m->x0[i];
        for (int l = 0; l < j; l++)
            y += h * q->a[j][l] * m->k[l][i];
        double df = m->k[6][i] - m->k[j][i], dx = m->x[i] - y;
        num += df * df;
        den += dx * dx;
    }
    m->base.stiffness = den > 0 ? h * sqrt(num / den) : 0;
    if (m->base.stiffness > 3.25) {
        m->easy_steps = 0;
        m->base.stiff |= ++m->stiff_steps >= 15;
    } else if (++m->easy_steps >= 6) {
        m->stiff_steps = 0;
    }
}

/* Finishes a step. A step that was cut at a limit does not change the proposed step size. */
static void accept(Rk *m, double h, double err, bool cut, bool after_reject)
{
    const Problem *p = m->base.p;
    for (uint32_t i = 0; i < p->n; i++) {
        double sum = 0;
        for (int j = 0; j < 7; j++)
            sum += m->method->d[j] * m->k[j][i];
        m->r4[i] = h * sum;
    }
    memset(m->r5, 0, p->n * sizeof *m->r5);
    m->refined = false;
    double factor = 0.9 * pow(fmax(err, 1e-10), -0.17) * pow(fmax(m->last_error, 1e-4), 0.04);
    factor = fmin(fmax(factor, 0.2), after_reject ? 1 : 10);
    m->last_error = err;
    if (!cut || factor < 1 || h > 0.9 * m->h)
        m->h = h * factor;
    m->have_f = true;
    m->base.steps++;
    watch_stiffness(m, h);
}

static StepStatus begin_step(Rk *m, double limit)
{
    const Problem *p = m->base.p;
    if (!m->have_f && p->f(p->user, m->base.t, m->x, m->k[6]))
        return STEP_MODEL_FAILED;
    if (m->base.beside && beside_begin(m, !m->have_f))
        return STEP_MODEL_FAILED;
    if (m->h <= 0)
        m->h =
            solver_first_step(p, m->base.t, m->x, m->k[6],
                              &(FirstStep){.span = limit - m->base.t, .order = 4}, m->y, m->k[1]);
    memcpy(m->x0, m->x, p->n * sizeof *m->x);
    double *k = m->k[0];
    m->k[0] = m->k[6];
    m->k[6] = k;
    m->base.t0 = m->base.t;
    return STEP_OK;
}

/* After a step that cannot be completed: goes back to t0. Its step size means nothing for another
 * start. */
static StepStatus give_up(Rk *m, StepStatus status)
{
    memcpy(m->x, m->x0, m->base.p->n * sizeof *m->x);
    if (m->base.beside)
        m->base.beside->known = false;
    m->base.t = m->base.t0;
    m->have_f = false;
    m->h = 0;
    return status;
}

static StepStatus rk_step(Solver *s, double limit)
{
    Rk *m = (Rk *)s;
    StepStatus status = begin_step(m, limit);
    if (status != STEP_OK)
        return status;
    int turns = 0; /* rejections by the error of tangents alone */
    for (bool rejected = false;; rejected = true, s->rejected++) {
        s->t = solver_step_end(s->t0, m->h, limit);
        double h = s->t - s->t0;
        if (h < solver_resolution(s->t0))
            return give_up(m, status == STEP_OK ? STEP_TOO_SMALL : status);
        int failed = stages(m, h);
        if (failed < 0)
            return give_up(m, STEP_MODEL_FAILED);
        double own = failed ? INFINITY : step_error(m, h),
               err = own <= 1 ? fmax(own, beside_error(m, h)) : own;
        bool enough = turns == MOST_TURNS || MOST_SHORTER * h < solver_resolution(s->t0);
        if (err <= 1 || (own <= 1 && enough)) {
            accept(m, h, err, s->t == limit, rejected);
            return STEP_OK;
        }
        turns += own <= 1;
        status = failed ? STEP_MODEL_FAILED : STEP_TOO_SMALL;
        m->h = isfinite(err) ? h * fmax(MOST_SHORTER, 0.9 * pow(err, -0.2)) : h * MOST_SHORTER;
    }
}

/* Hermite's cubic at u: dx, r2, r3 are its coefficients. */
typedef struct Cubic {
    double dx, r2, r3;
} Cubic;

static Cubic cubic(const Rk *m, double h, uint32_t i)
{
    double dx = m->x[i] - m->x0[i], r2 = h * m->k[0][i] - dx;
    return (Cubic){dx, r2, dx - h * m->k[6][i] - r2};
}

static void rk_dense(Solver *s, double t, double *x)
{
    Rk *m = (Rk *)s;
    double h = s->t - s->t0, u = h > 0 ? (t - s->t0) / h : 1;
    for (uint32_t i = 0; i < s->p->n; i++) {
        Cubic c = cubic(m, h, i);
        double r = m->r4[i] + (2 * u - 1) * m->r5[i];
        x[i] = t == s->t ? m->x[i]
                         : m->x0[i] + u * (c.dx + (1 - u) * (c.r2 + u * (c.r3 + (1 - u) * r)));
    }
}

/* k[1] and k[2] are no longer needed once a step is accepted. */
static bool rk_refine(Solver *s)
{
    Rk *m = (Rk *)s;
    const Problem *p = s->p;
    double h = s->t - s->t0, w = 0.25 - BESIDE * BESIDE;
    if (m->refined || !m->have_f || !(h > 0))
        return false;
    m->refined = true;
    for (int j = 0; j < 2; j++) {
        double t = s->t0 + (0.5 + (j ? BESIDE : -BESIDE)) * h;
        rk_dense(s, t, m->y);
        if (p->f(p->user, t, m->y, m->k[1 + j]))
            return false;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        Cubic c = cubic(m, h, i);
        double d[2];
        for (int j = 0; j < 2; j++) {
            double u = 0.5 + (j ? BESIDE : -BESIDE);
            d[j] = h * m->k[1 + j][i] - (c.dx + (1 - 2 * u) * c.r2 + (2 - 3 * u) * u * c.r3);
        }
        m->r4[i] = (d[0] - d[1]) / (8 * w * BESIDE);
        m->r5[i] = (d[0] + d[1]) / (4 * w * (w - 4 * BESIDE * BESIDE));
    }
    return true;
}

static void rk_snapshot(Solver *s, Snapshot *p)
{
    Rk *m = (Rk *)s;
    snapshot_value(p, m->h);
    snapshot_value(p, m->last_error);
    snapshot_value(p, m->stiff_steps);
    snapshot_value(p, m->easy_steps);
}

static void rk_destroy(Solver *s)
{
    memory_free(((Rk *)s)->x0);
    memory_free(s);
}

static Solver *create(const Problem *p, const Method *method)
{
    Rk *m = memory_alloc(sizeof *m);
    m->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = rk_restart,
                       .step = rk_step,
                       .dense = rk_dense,
                       .refine = rk_refine,
                       .snapshot = rk_snapshot,
                       .destroy = rk_destroy};
    m->method = method;
    m->last_error = 1e-4;
    double *at = memory_alloc(12 * (size_t)p->n * sizeof(double));
    double **part[] = {&m->x0,   &m->x,    &m->y,    &m->r4,   &m->r5,   &m->k[0],
                       &m->k[1], &m->k[2], &m->k[3], &m->k[4], &m->k[5], &m->k[6]};
    for (uint32_t i = 0; i < 12; i++)
        *part[i] = at + (size_t)i * p->n;
    return &m->base;
}

Solver *solver_dopri5(const Problem *p)
{
    return create(p, &dormand_prince);
}

Solver *solver_rkf45(const Problem *p)
{
    return create(p, &fehlberg);
}

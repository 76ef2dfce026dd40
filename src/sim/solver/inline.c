/* Inline integration: implicit Euler, BDF of order 2, and Radau IIA of two stages (order 3), with
 * step-size control.
 *
 * A stage solves all equations of the model, unreduced, with der = rate*(x - old). Constraints hold
 * at the end of every step, for any index. The stages of Radau IIA depend on each other; they are
 * solved in turn, with Anderson's acceleration. Between the ends of a step x is interpolated. An
 * evaluation there solves all equations, so constraints hold there too. It uses the formula of a
 * shorter step, or der from the interpolation (rate_at). */
#include "base/snapshot.h"
#include "sim/solver/anderson.h"
#include "sim/solver/inline.h"

#include <math.h>

enum { CROWDED = 20 /* restarts */ };
enum { MOST_TURNS = 40, MOST_TRIALS = 60, MOST_MISS = 100 /* tolerances */ };

typedef struct Inline {
    Solver base;
    InlineMethod method;
    double h;                /* the next step to try; 0: none known */
    uint32_t restarts;       /* at times up to `first` after `since` */
    double since, first;     /* the first of them, and the step to try before it */
    double before;           /* length of the step before the last; 0: after a restart */
    double *x0, *k0, *x, *k; /* at t0 and t: values and derivatives */
    double *xm;              /* one step earlier: BDF2 */
    double *xe;              /* one step before t0, by `earlier`; BDF2 */
    double earlier;          /* 0: the last step was Euler's */
    double *y, *x1, *k1;     /* stage in work; first stage of Radau */
    double *xn, *kn;         /* the new point */
    double *f, *g;           /* Anderson: residual and image */
    Anderson *anderson;
} Inline;

static double norm(const Inline *s, const double *e, double factor)
{
    double sum = 0;
    uint32_t n = s->base.p->n;
    for (uint32_t i = 0; i < n; i++) {
        double size = fmax(fabs(s->x[i]), fabs(s->xn[i])),
               r = factor * e[i] / solver_weight(s->base.p, i, size);
        sum += r * r;
    }
    return sqrt(sum / n);
}

static int stage(Inline *s, double t, double rate, const double *old, double *x, double *k)
{
    const Problem *p = s->base.p;
    return p->stage(p->user, t, rate, old, x, k);
}

/* ---- the methods: from (t, x, k) over h to (xn, kn); *error in units of the tolerance; status of
 * the model ---- */

static int euler(Inline *s, double h, double *error)
{
    uint32_t n = s->base.p->n;
    for (uint32_t i = 0; i < n; i++)
        s->xn[i] = s->x[i] + h * s->k[i];
    int status = stage(s, s->base.t + h, 1 / h, s->x, s->xn, s->kn);
    for (uint32_t i = 0; i < n; i++)
        s->y[i] = s->kn[i] - s->k[i];
    *error = norm(s, s->y, h / 2);
    return status;
}

/* The error is judged by the parabola through the last two points and the last derivative. */
static int bdf2(Inline *s, double h, double *error)
{
    uint32_t n = s->base.p->n;
    double m = s->before, w = h / m;
    if (m == 0)
        return euler(s, h, error);
    for (uint32_t i = 0; i < n; i++) {
        double q = (s->xm[i] - s->x[i] + m * s->k[i]) / (m * m);
        s->f[i] = s->xn[i] = s->x[i] + h * (s->k[i] + h * q);
        s->y[i] = ((1 + w) * (1 + w) * s->x[i] - w * w * s->xm[i]) / (1 + 2 * w);
    }
    int status = stage(s, s->base.t + h, (1 + 2 * w) / ((1 + w) * h), s->y, s->xn, s->kn);
    double own = (h + m) * (h + m) / (2 * h + m);
    for (uint32_t i = 0; i < n; i++)
        s->f[i] -= s->xn[i];
    *error = norm(s, s->f, own / (own + h + m));
    return status;
}

/* Both stages once, for the derivative kn at the end: its image in g. */
static int turn_radau(Inline *s, double h)
{
    uint32_t n = s->base.p->n;
    for (uint32_t i = 0; i < n; i++)
        s->y[i] = s->x[i] - h / 12 * s->kn[i];
    int status = stage(s, s->base.t + h / 3, 12 / (5 * h), s->y, s->x1, s->k1);
    for (uint32_t i = 0; i < n; i++)
        s->y[i] = s->x[i] + 0.75 * h * s->k1[i];
    return status ? status : stage(s, s->base.t + h, 4 / h, s->y, s->xn, s->g);
}

/* Small against the tolerance, or as small as rounding lets it become. */
static bool is_settled(double rest, double last)
{
    return rest <= 1e-3 || (rest <= 0.1 && rest > 0.5 * last);
}

static int radau(Inline *s, double h, double *error)
{
    uint32_t n = s->base.p->n;
    double rest = INFINITY, last = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        s->kn[i] = s->k[i];
        s->x1[i] = s->x[i] + h / 3 * s->k[i];
        s->xn[i] = s->x[i] + h * s->k[i];
    }
    for (uint32_t turn = 0; turn < MOST_TURNS && !is_settled(rest, last); turn++) {
        last = rest;
        int status = turn_radau(s, h);
        if (status)
            return status;
        for (uint32_t i = 0; i < n; i++)
            s->f[i] = s->g[i] - s->kn[i];
        rest = norm(s, s->f, h);
        if (!is_settled(rest, last))
            anderson_next(s->anderson, s->base.p, s->x, turn, s->f, s->g, s->kn);
    }
    for (uint32_t i = 0; i < n; i++) {
        s->kn[i] = s->g[i];
        s->y[i] = 2 * s->k[i] - 3 * s->k1[i] + s->kn[i];
    }
    *error = !is_settled(rest, last) ? INFINITY : norm(s, s->y, h / 6);
    return 0;
}

/* ---- steps ---- */

static uint32_t order_of(const Inline *s)
{
    return s->method == INLINE_EULER || (s->method == INLINE_BDF2 && s->before == 0) ? 1 : 2;
}

static int attempt(Inline *s, double h, double *error)
{
    switch (s->method) {
    case INLINE_EULER: return euler(s, h, error);
    case INLINE_BDF2: return bdf2(s, h, error);
    case INLINE_RADAU: return radau(s, h, error);
    }
    return -1;
}

/* A model at rest gives no time scale. Its first step is so short that the steps, which grow by
 * factors of at most 4, meet the first motion whatever the length of the run is. */
double inline_first_step(const Problem *p, const double *x, const double *slope, double length)
{
    double size = solver_norm(p, x, x), rate = solver_norm(p, slope, x);
    double moving = fmax(1e-3 * size, 1) / rate;
    return moving <= 1e-3 * length ? moving : 1e-10 * length;
}

static void accept(Inline *s, double end)
{
    size_t size = s->base.p->n * sizeof(double);
    s->base.t0 = s->base.t;
    s->earlier = s->method == INLINE_BDF2 ? s->before : 0;
    s->before = end - s->base.t;
    memcpy(s->xe, s->xm, size);
    s->base.t = end;
    memcpy(s->xm, s->x, size);
    memcpy(s->x0, s->x, size);
    memcpy(s->k0, s->k, size);
    memcpy(s->x, s->xn, size);
    memcpy(s->k, s->kn, size);
    s->base.steps++;
}

double inline_own_error(double error, double length, double last, double longer)
{
    bool both = isfinite(last) && isfinite(error) && longer > length;
    return both && error <= MOST_MISS ? fmin(error, (last - error) / (longer / length - 1)) : error;
}

static StepStatus inline_step(Solver *solver, double limit)
{
    Inline *s = (Inline *)solver;
    double first = inline_first_step(s->base.p, s->x, s->k, limit - s->base.t);
    double h = s->h > 0 ? s->h : first, last = INFINITY, longer = 0;
    if (limit - solver->t > h && limit - solver->t < 2 * h) /* no tiny step at the end */
        h = 0.5 * (limit - solver->t);
    StepStatus failed = STEP_TOO_SMALL;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        double end = solver_step_end(solver->t, h, limit), error = INFINITY,
               length = end - solver->t;
        if (length < solver_resolution(solver->t))
            break;
        int status = attempt(s, length, &error);
        if (status < 0)
            return STEP_MODEL_FAILED;
        failed = status ? STEP_MODEL_FAILED : STEP_TOO_SMALL;
        if (!status && inline_own_error(error, length, last, longer) <= 1) {
            double grow = fmin(4, 0.9 * pow(error + 1e-10, -1.0 / (order_of(s) + 1)));
            if (s->before == 0)
                grow = fmin(grow, s->method == INLINE_BDF2 ? 1 : 4);
            s->h = fmax(length < h ? h : 0, length * fmax(grow, 0.3));
            accept(s, end);
            return STEP_OK;
        }
        solver->rejected++;
        last = error;
        longer = length;
        h = length * (status || !isfinite(error)
                          ? 0.25
                          : fmax(0.1, 0.9 * pow(error, -1.0 / (order_of(s) + 1))));
    }
    return failed;
}

/* A restart begins with a shorter step. After an event a step longer than the fastest transients
 * meets the positions of switches that hold after them. Steps far shorter than these meet other
 * positions, each with an event. If many restarts have hardly moved the time, the next one tries
 * the step before them again. */
static void restart_step(Inline *s, double t)
{
    if (!s->restarts || t - s->since > s->first) {
        s->restarts = 0;
        s->since = t;
        s->first = s->h;
    }
    s->h *= s->base.restart_share;
    if (++s->restarts <= CROWDED)
        return;
    s->h = s->base.restart_share * s->first;
    s->restarts = 1;
}

static void inline_restart(Solver *solver, double t, const double *x)
{
    Inline *s = (Inline *)solver;
    const Problem *p = solver->p;
    memcpy(s->x, x, p->n * sizeof *x);
    memcpy(s->x0, x, p->n * sizeof *x);
    memcpy(s->xn, x, p->n * sizeof *x);
    p->f(p->user, t, x, s->k);
    memcpy(s->k0, s->k, p->n * sizeof *x);
    solver->t0 = solver->t = t;
    s->before = s->earlier = 0;
    restart_step(s, t);
}

void inline_interpolate(const InlineStep *s, double t, uint32_t i, double *x, double *k)
{
    double h = s->t - s->t0, u = h > 0 ? (t - s->t0) / h : 1;
    *x = s->x[i];
    *k = s->k[i];
    if (h <= 0 || t == s->t)
        return;
    if (s->method == INLINE_EULER) {
        *k = s->k0[i] + u * (s->k[i] - s->k0[i]);
        *x = s->x0[i] + u * h * *k;
        return;
    }
    double d = s->x[i] - s->x0[i], a = h * s->k0[i] - d, b = d - h * s->k[i];
    *x = s->x0[i] + u * d + u * (1 - u) * ((1 - u) * a + u * b);
    *k = (d + (1 - 2 * u) * ((1 - u) * a + u * b) + u * (1 - u) * (b - a)) / h;
}

double inline_shorter(const InlineStep *s, uint32_t n, double t, double *old)
{
    double h = t - s->t0, w = s->earlier > 0 ? h / s->earlier : 0;
    for (uint32_t i = 0; i < n; i++)
        old[i] = ((1 + w) * (1 + w) * s->x0[i] - w * w * s->xe[i]) / (1 + 2 * w);
    return (1 + 2 * w) / ((1 + w) * h);
}

static InlineStep last_step(const Inline *s)
{
    return (InlineStep){s->method, s->base.t0, s->base.t, s->earlier, s->x0,
                        s->k0,     s->x,       s->k,      s->xe};
}

static void inline_dense(Solver *solver, double t, double *x)
{
    InlineStep step = last_step((Inline *)solver);
    double k;
    for (uint32_t i = 0; i < solver->p->n; i++)
        inline_interpolate(&step, t, i, &x[i], &k);
}

static double inline_rate_at(Solver *solver, double t, double *old)
{
    InlineStep step = last_step((Inline *)solver);
    double h = solver->t - solver->t0, rate = h > 0 ? 4 / h : 1e8;
    if (step.method != INLINE_RADAU && t - solver->t0 > 1e-3 * h)
        return inline_shorter(&step, solver->p->n, t, old);
    for (uint32_t i = 0; i < solver->p->n; i++) {
        double x, k;
        inline_interpolate(&step, t, i, &x, &k);
        old[i] = x - k / rate;
    }
    return rate;
}

static void inline_snapshot(Solver *solver, Snapshot *p)
{
    Inline *s = (Inline *)solver;
    snapshot_value(p, s->h);
    snapshot_value(p, s->restarts);
    snapshot_value(p, s->since);
    snapshot_value(p, s->first);
}

static void inline_destroy(Solver *solver)
{
    anderson_free(((Inline *)solver)->anderson);
    memory_free(((Inline *)solver)->x0);
    memory_free(solver);
}

static Solver *create(const Problem *p, InlineMethod method)
{
    Inline *s = memory_alloc(sizeof *s);
    s->method = method;
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart_share = method == INLINE_RADAU ? 0.25 : 0.01,
                       .restart = inline_restart,
                       .step = inline_step,
                       .dense = inline_dense,
                       .rate_at = inline_rate_at,
                       .snapshot = inline_snapshot,
                       .destroy = inline_destroy};
    double **part[] = {&s->x0, &s->k0, &s->x,  &s->k,  &s->xm, &s->xe, &s->y,
                       &s->x1, &s->k1, &s->xn, &s->kn, &s->f,  &s->g};
    enum { PARTS = sizeof part / sizeof *part };
    double *at = memory_alloc(PARTS * (size_t)(p->n + 1) * sizeof(double));
    for (uint32_t i = 0; i < PARTS; i++)
        *part[i] = at + (size_t)i * p->n;
    s->anderson = anderson_new(p->n);
    return &s->base;
}

Solver *solver_inline_euler(const Problem *p)
{
    return create(p, INLINE_EULER);
}
Solver *solver_inline_bdf2(const Problem *p)
{
    return create(p, INLINE_BDF2);
}
Solver *solver_inline_radau(const Problem *p)
{
    return create(p, INLINE_RADAU);
}

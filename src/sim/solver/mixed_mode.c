/* Mixed-mode integration: inlined states by an inline method, the other states by any solver.
 *
 * In: a Problem with `part`, the kind of the other states' solver, the inline method. Out: a
 * solver of all states.
 *
 * Let z be the other states and y the inlined ones. At time t of a step that begins at t0, y is the
 * solution of the inline method over [t0, t] with z given at t. The equations of the model and of
 * the method are solved together (Problem.part). So y is a function Y(t, z) during the step. The
 * solver of z integrates z' = f(t, z, Y(t, z)) with its own order and error control. Y is smooth in
 * t and z, and Y(t0, z0) = y0. At the end of the step y1 = Y(t1, z1).
 *
 * Radau IIA needs z at its first stage, a third of the way: it uses the parabola through z0, z0'
 * and z. Its error there is of third order, as good as the method itself. Local errors of y are of
 * order 2, 3 and 4 for Euler, BDF2 and Radau; those of z are one order lower. If the error in y is
 * too large, the step is repeated with a shorter one. With a fixed step nothing is repeated. */
#include "base/memory.h"
#include "sim/solver/anderson.h"
#include "sim/solver/inline.h"

#include <math.h>

enum { MOST_TURNS = 40, MOST_TRIALS = 60 };

typedef struct MixedMode {
    Solver base;
    InlineMethod method;
    const SolverKind *kind;
    Solver *inner;   /* of the other states */
    Problem others;  /* as it sees them */
    Problem own;     /* tolerances of the inlined states */
    uint32_t *index; /* size n: the other states, then the inlined ones */
    double *atol;    /* likewise */
    uint32_t *col_ptr, *row;
    double h;               /* the longest step that the inlined states allow; 0: unknown */
    double before, earlier; /* lengths of the last two steps; 0: after a restart */
    uint64_t taken_back;
    /* all of size n */
    double *x0, *k0, *x, *k;     /* at t0 and t: values and derivatives */
    double *xm, *xe;             /* one step before t, and one before t0: BDF2 */
    double at;                   /* time of the last evaluation; NAN: none */
    double *xn, *kn;             /* its values and derivatives */
    double *x1, *k1;             /* first stage of Radau */
    double rate, *old;           /* of its last call of part */
    double *z, *z0;              /* work: the other states */
    double *turn, *f, *g, *size; /* Anderson: derivatives of the inlined states, images */
    Anderson *anderson;
} MixedMode;

static uint32_t n_inlined(const MixedMode *s)
{
    return s->own.n;
}

/* The state that belongs to an inlined one. */
static uint32_t inlined(const MixedMode *s, uint32_t i)
{
    return s->index[s->others.n + i];
}

static int part(MixedMode *s, double t, double rate, double *x, double *k)
{
    const Problem *p = s->base.p;
    s->rate = rate;
    return p->part(p->user, t, rate, s->old, x, k);
}

/* In units of the tolerance: sum of weights times derivatives of three points. */
static double norm(MixedMode *s, double a, const double *p, double b, const double *q, double c,
                   const double *r)
{
    double sum = 0, worst = 0;
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        uint32_t v = inlined(s, i);
        double size = fmax(fabs(s->x[v]), fabs(s->xn[v])),
               e = (a * p[v] + b * q[v] + c * r[v]) / solver_weight(s->base.p, v, size);
        sum += e * e;
        if (fabs(e) >= worst) {
            worst = fabs(e);
            s->base.limiting = v;
        }
    }
    return sqrt(sum / n_inlined(s));
}

/* ---- all equations at a time, with the other states given in xn: values into xn, derivatives into
 * kn ---- */

/* At the beginning of the step nothing has moved. */
static int hold(MixedMode *s, double t)
{
    const Problem *p = s->base.p;
    bool same = true;
    double rate = s->before > 0 ? 4 / s->before : 1e8;
    for (uint32_t i = 0; i < p->n; i++)
        s->old[i] = s->x[i] - s->k[i] / rate;
    for (uint32_t i = 0; i < s->others.n; i++)
        same &= s->xn[s->index[i]] == s->x[s->index[i]];
    for (uint32_t i = 0; i < n_inlined(s); i++)
        s->xn[inlined(s, i)] = s->x[inlined(s, i)];
    s->rate = rate;
    if (!same)
        return part(s, t, rate, s->xn, s->kn);
    memcpy(s->kn, s->k, p->n * sizeof *s->k);
    return 0;
}

static int euler(MixedMode *s, double t, double h)
{
    memcpy(s->old, s->x, s->base.p->n * sizeof *s->x);
    return part(s, t, 1 / h, s->xn, s->kn);
}

static int bdf2(MixedMode *s, double t, double h)
{
    double w = s->before > 0 ? h / s->before : 0;
    if (w == 0)
        return euler(s, t, h);
    for (uint32_t i = 0; i < s->base.p->n; i++)
        s->old[i] = ((1 + w) * (1 + w) * s->x[i] - w * w * s->xm[i]) / (1 + 2 * w);
    return part(s, t, (1 + 2 * w) / ((1 + w) * h), s->xn, s->kn);
}

/* The beginning of the first stage; derivatives at the end are guessed unless they are known. */
static void begin_radau(MixedMode *s, double h, bool again)
{
    for (uint32_t i = 0; i < s->others.n; i++) {
        uint32_t v = s->index[i];
        s->x1[v] = s->x[v] + h / 3 * s->k[v] + (s->xn[v] - s->x[v] - h * s->k[v]) / 9;
    }
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        uint32_t v = inlined(s, i);
        s->turn[i] = again ? s->kn[v] : s->k[v];
        s->size[i] = s->x[v];
        if (!again)
            s->x1[v] = s->x[v] + h / 3 * s->k[v];
    }
}

/* Both stages once, with derivatives s->turn at the end. */
static int turn_radau(MixedMode *s, double t, double h)
{
    for (uint32_t i = 0; i < n_inlined(s); i++)
        s->old[inlined(s, i)] = s->x[inlined(s, i)] - h / 12 * s->turn[i];
    int status = part(s, t - 2 * h / 3, 12 / (5 * h), s->x1, s->k1);
    for (uint32_t i = 0; i < n_inlined(s); i++)
        s->old[inlined(s, i)] = s->x[inlined(s, i)] + 0.75 * h * s->k1[inlined(s, i)];
    return status ? status : part(s, t, 4 / h, s->xn, s->kn);
}

/* The residual of the stages' equations, in units of the tolerance. */
static double rest_radau(MixedMode *s, double h)
{
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        s->g[i] = s->kn[inlined(s, i)];
        s->f[i] = h * (s->g[i] - s->turn[i]);
    }
    double rest = solver_norm(&s->own, s->f, s->size);
    for (uint32_t i = 0; i < n_inlined(s); i++)
        s->f[i] /= h;
    return rest;
}

/* Small against the tolerance, or as small as rounding lets it become. */
static bool is_settled(double rest, double last)
{
    return rest <= 1e-4 || (rest <= 0.01 && rest > 0.5 * last);
}

static int radau(MixedMode *s, double t, double h, bool again)
{
    double rest = INFINITY, last = INFINITY;
    begin_radau(s, h, again);
    for (uint32_t turn = 0; turn < MOST_TURNS; turn++) {
        last = rest;
        int status = turn_radau(s, t, h);
        if (status)
            return status;
        rest = rest_radau(s, h);
        if (is_settled(rest, last))
            return 0;
        anderson_next(s->anderson, &s->own, s->size, turn, s->f, s->g, s->turn);
    }
    return 1;
}

static int evaluate(MixedMode *s, double t, const double *z)
{
    double h = t - s->base.t;
    bool again = s->at == t;
    s->at = NAN;
    for (uint32_t i = 0; i < s->others.n; i++)
        s->xn[s->index[i]] = z[i];
    for (uint32_t i = 0; !again && i < n_inlined(s); i++)
        s->xn[inlined(s, i)] = s->x[inlined(s, i)] + h * s->k[inlined(s, i)];
    int status = h < solver_resolution(t)    ? hold(s, t)
                 : s->method == INLINE_EULER ? euler(s, t, h)
                 : s->method == INLINE_BDF2  ? bdf2(s, t, h)
                                             : radau(s, t, h, again);
    if (!status)
        s->at = t;
    return status;
}

/* The error of the inlined states in a step to the last evaluation. */
static double inlined_error(MixedMode *s, double h)
{
    double m = s->before, own = (h + m) * (h + m) / (2 * h + m), part_of = own / (own + h + m);
    if (s->method == INLINE_RADAU)
        return norm(s, h / 3, s->k, -h / 2, s->k1, h / 6, s->kn);
    if (s->method == INLINE_EULER || m == 0)
        return norm(s, h / 2, s->kn, -h / 2, s->k, 0, s->k);
    /* the parabola through the last two points and the last derivative */
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        uint32_t v = inlined(s, i);
        double q = (s->xm[v] - s->x[v] + m * s->k[v]) / (m * m);
        s->k1[v] = s->x[v] + h * (s->k[v] + h * q) - s->xn[v];
    }
    return norm(s, part_of, s->k1, 0, s->k, 0, s->k);
}

/* ---- the other states, as their solver sees them ---- */

static int others_f(void *user, double t, const double *z, double *dz)
{
    MixedMode *s = user;
    int status = evaluate(s, t, z);
    for (uint32_t i = 0; !status && i < s->others.n; i++)
        dz[i] = s->kn[s->index[i]];
    return status;
}

/* By differences, with the formula of the last stage kept: the equations are solved together with
 * it for each other state. */
static int others_jacobian(void *user, double t, const double *z, double *values)
{
    MixedMode *s = user;
    uint32_t n = s->others.n;
    int status = evaluate(s, t, z);
    memcpy(s->x1, s->xn, s->base.p->n * sizeof *s->x1);
    if (!status)
        status = part(s, t, s->rate, s->x1, s->kn);
    s->at = NAN;
    for (uint32_t j = 0; !status && j < n; j++) {
        uint32_t v = s->index[j];
        double kept = s->xn[v], d = 1e-7 * fmax(fabs(kept), s->others.atol[j] / s->others.rtol);
        s->x1[v] = kept + d;
        d = s->x1[v] - kept;
        status = part(s, t, s->rate, s->x1, s->k1);
        s->x1[v] = kept;
        for (uint32_t i = 0; i < n; i++)
            values[(size_t)j * n + i] = (s->k1[s->index[i]] - s->kn[s->index[i]]) / d;
    }
    return status;
}

static int others_start(void *user, double t, double *y, double *slope)
{
    return others_f(user, t, y, slope);
}

/* ---- steps ---- */

static double order_of(const MixedMode *s)
{
    return s->method == INLINE_EULER || (s->method == INLINE_BDF2 && s->before == 0) ? 1 : 2;
}

/* For the inlined states. */
static double first_step(const MixedMode *s, double limit)
{
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        s->size[i] = s->x[inlined(s, i)];
        s->f[i] = s->k[inlined(s, i)];
    }
    return inline_first_step(&s->own, s->size, s->f, limit - s->base.t);
}

static void accept(MixedMode *s, double end)
{
    size_t size = s->base.p->n * sizeof(double);
    s->base.t0 = s->base.t;
    s->earlier = s->method == INLINE_BDF2 ? s->before : 0;
    s->before = end - s->base.t;
    s->base.t = end;
    memcpy(s->xe, s->xm, size);
    memcpy(s->xm, s->x, size);
    memcpy(s->x0, s->x, size);
    memcpy(s->k0, s->k, size);
    memcpy(s->x, s->xn, size);
    memcpy(s->k, s->kn, size);
    s->base.steps++;
    s->at = NAN;
}

static void begin_again(MixedMode *s)
{
    for (uint32_t i = 0; i < s->others.n; i++)
        s->z0[i] = s->x[s->index[i]];
    s->at = NAN;
    s->inner->restart(s->inner, s->base.t, s->z0);
}

static bool has_fixed_step(const MixedMode *s)
{
    return s->kind->properties & SOLVER_FIXED_STEP;
}

static void note_longest(MixedMode *s, double tried, double length, double error)
{
    double grow = fmin(4, 0.9 * pow(error + 1e-10, -1.0 / (order_of(s) + 1)));
    if (s->before == 0)
        grow = fmin(grow, s->method == INLINE_BDF2 ? 1 : 4);
    s->h = fmax(length < tried && grow >= 1 ? tried : 0, length * fmax(grow, 0.3));
}

/* One step of the other states' solver, not beyond end, and the resulting inlined states. */
static StepStatus attempt(MixedMode *s, double end, double *error)
{
    StepStatus status = s->inner->step(s->inner, end);
    *error = INFINITY;
    if (status != STEP_OK) {
        s->base.limiting =
            s->inner->limiting < s->others.n ? s->index[s->inner->limiting] : UINT32_MAX;
        return status;
    }
    s->inner->dense(s->inner, s->inner->t, s->z);
    int failed = evaluate(s, s->inner->t, s->z);
    if (!failed)
        *error = inlined_error(s, s->inner->t - s->base.t);
    if (*error <= 1 && s->inner->limiting < s->others.n)
        s->base.limiting = s->index[s->inner->limiting];
    return failed < 0 || (failed && has_fixed_step(s)) ? STEP_MODEL_FAILED : STEP_OK;
}

static StepStatus mixed_step(Solver *solver, double limit)
{
    MixedMode *s = (MixedMode *)solver;
    bool fixed = has_fixed_step(s);
    double h = fixed ? limit - solver->t : s->h > 0 ? s->h : first_step(s, limit);
    double last = INFINITY, longer = 0, error;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        double end = solver_step_end(solver->t, h, limit);
        if (end - solver->t < solver_resolution(solver->t))
            break;
        StepStatus status = attempt(s, end, &error);
        if (status != STEP_OK)
            return status;
        double length = s->inner->t - solver->t;
        solver->stiff = s->inner->stiff;
        solver->rejected = s->taken_back + s->inner->rejected;
        if (fixed || inline_own_error(error, length, last, longer) <= 1) {
            note_longest(s, h, length, error);
            accept(s, s->inner->t);
            return STEP_OK;
        }
        s->taken_back++;
        last = error;
        longer = length;
        h = length * (isfinite(error) ? fmax(0.1, 0.9 * pow(error, -1 / (order_of(s) + 1))) : 0.25);
        begin_again(s);
    }
    return STEP_TOO_SMALL;
}

static void mixed_restart(Solver *solver, double t, const double *x)
{
    MixedMode *s = (MixedMode *)solver;
    const Problem *p = solver->p;
    size_t size = p->n * sizeof *x;
    for (uint32_t i = 0; i < p->n; i++)
        s->atol[i] = p->atol[s->index[i]];
    memcpy(s->x, x, size);
    memcpy(s->x0, x, size);
    memcpy(s->xn, x, size);
    p->f(p->user, t, x, s->k);
    memcpy(s->k0, s->k, size);
    solver->t0 = solver->t = t;
    s->before = s->earlier = 0;
    s->h *= s->method == INLINE_RADAU ? 0.25 : 0.01;
    begin_again(s);
}

static InlineStep last_step(const MixedMode *s)
{
    return (InlineStep){s->method, s->base.t0, s->base.t, s->earlier, s->x0,
                        s->k0,     s->x,       s->k,      s->xe};
}

static void mixed_dense(Solver *solver, double t, double *x)
{
    MixedMode *s = (MixedMode *)solver;
    InlineStep step = last_step(s);
    double k;
    s->inner->dense(s->inner, t, s->z);
    for (uint32_t i = 0; i < s->others.n; i++)
        x[s->index[i]] = t == solver->t ? s->x[s->index[i]] : s->z[i];
    for (uint32_t i = 0; i < n_inlined(s); i++)
        inline_interpolate(&step, t, inlined(s, i), &x[inlined(s, i)], &k);
}

static double mixed_rate_at(Solver *solver, double t, double *old)
{
    MixedMode *s = (MixedMode *)solver;
    InlineStep step = last_step(s);
    double h = solver->t - solver->t0, rate = h > 0 ? 4 / h : 1e8;
    if (s->method != INLINE_RADAU && t - solver->t0 > 1e-3 * h)
        return inline_shorter(&step, solver->p->n, t, old);
    for (uint32_t i = 0; i < n_inlined(s); i++) {
        double x, k;
        inline_interpolate(&step, t, inlined(s, i), &x, &k);
        old[inlined(s, i)] = x - k / rate;
    }
    return rate;
}

static void mixed_destroy(Solver *solver)
{
    MixedMode *s = (MixedMode *)solver;
    if (s->inner)
        s->inner->destroy(s->inner);
    anderson_free(s->anderson);
    memory_free(s->x0);
    memory_free(s->index);
    memory_free(s->atol);
    memory_free(s->col_ptr);
    memory_free(s->row);
    memory_free(s);
}

/* ---- creation ---- */

static void list_states(MixedMode *s)
{
    const Problem *p = s->base.p;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (!p->inlined[i])
            s->index[n++] = i;
    s->others.n = n;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->inlined[i])
            s->index[n++] = i;
    s->own.n = n - s->others.n;
    for (uint32_t i = 0; i < n; i++)
        s->atol[i] = p->atol[s->index[i]];
}

/* Every derivative may depend on every state. */
static void fill_pattern(MixedMode *s)
{
    uint32_t n = s->others.n;
    s->col_ptr = memory_alloc(((size_t)n + 1) * sizeof *s->col_ptr);
    s->row = memory_alloc(((size_t)n * n + 1) * sizeof *s->row);
    for (uint32_t j = 0; j <= n; j++)
        s->col_ptr[j] = j * n;
    for (uint32_t k = 0; k < n * n; k++)
        s->row[k] = k % n;
}

static void describe_others(MixedMode *s)
{
    const Problem *p = s->base.p;
    uint32_t n = s->others.n;
    s->own.rtol = p->rtol;
    s->own.atol = s->atol + n;
    s->others = (Problem){.n = n,
                          .user = s,
                          .f = others_f,
                          .jacobian = others_jacobian,
                          .col_ptr = s->col_ptr,
                          .row = s->row,
                          .rtol = p->rtol,
                          .atol = s->atol,
                          .step = p->step,
                          .ranked = p->ranked,
                          .n_colours = n};
    s->others.open = (OpenProblem){.n = n,
                                   .f = others_f,
                                   .jacobian = others_jacobian,
                                   .start = others_start,
                                   .col_ptr = s->col_ptr,
                                   .row = s->row,
                                   .atol = s->atol};
}

Solver *solver_mixed_mode(const Problem *p, const SolverKind *kind, InlineMethod method)
{
    MixedMode *s = memory_alloc(sizeof *s);
    s->method = method;
    s->kind = kind;
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = mixed_restart,
                       .step = mixed_step,
                       .dense = mixed_dense,
                       .rate_at = mixed_rate_at,
                       .destroy = mixed_destroy};
    double **of_n[] = {&s->x0, &s->k0,  &s->x, &s->k,  &s->xm,   &s->xe, &s->xn, &s->kn,  &s->x1,
                       &s->k1, &s->old, &s->z, &s->z0, &s->turn, &s->f,  &s->g,  &s->size};
    enum { PARTS = sizeof of_n / sizeof *of_n };
    double *at = memory_alloc(PARTS * ((size_t)p->n + 1) * sizeof *at);
    for (uint32_t i = 0; i < PARTS; i++)
        *of_n[i] = at + (size_t)i * p->n;
    s->index = memory_alloc(((size_t)p->n + 1) * sizeof *s->index);
    s->atol = memory_alloc(((size_t)p->n + 1) * sizeof *s->atol);
    s->at = NAN;
    list_states(s);
    fill_pattern(s);
    describe_others(s);
    s->anderson = anderson_new(n_inlined(s));
    s->inner = kind->create(&s->others);
    if (s->inner) {
        s->base.implicit = s->inner->implicit;
        return &s->base;
    }
    mixed_destroy(&s->base);
    return NULL;
}

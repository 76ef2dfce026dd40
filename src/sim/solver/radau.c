/* Radau IIA of order 5, three stages, after Hairer and Wanner: Solving Ordinary Differential
 * Equations II, section IV.8.
 *
 * The implicit equations are transformed to one real and one complex system of the size of the
 * model (W = T⁻¹Z, Z the increments of the stages). A simplified Newton iteration solves them; KLU
 * factors both with one ordering. The Jacobian is kept while the iteration contracts well, also
 * over restarts. Step size: predictive control (Gustafsson). Dense output: the collocation
 * polynomial. */
#include "base/snapshot.h"
#include "sim/solver/solver.h"

#include <float.h>
#include <math.h>
#include <suitesparse/klu.h>

enum { MAX_NEWTON = 7 };
static const double SAFETY = 0.9, KEEP_JACOBIAN = 1e-3;
static const double STIFF = 10; /* step times bound of the rates: the error estimate is damped */

typedef struct Radau {
    Solver base;
    double *x, *f, *scale;   /* size n; state and f at t, weights of errors */
    double *z[3], *w[3];     /* increments of the stages, transformed */
    double *g[3];            /* f at the stages; right sides */
    double *dense[4];        /* of the collocation polynomial around the end of the last step */
    double *slope;           /* h(f - u') at t0, u the polynomial, filtered */
    double *bump, *bend;     /* of the two terms that give the polynomial the slope f at t0 */
    double *values;          /* Jacobian, in the order of the problem's pattern */
    int *Ap, *Ai, *position; /* its pattern with the whole diagonal; place of each value */
    int *diagonal;
    double *Ax, *Az; /* real matrix; complex one, interleaved */
    double *rhs;     /* size 2n, interleaved */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *real, *complex;
    double h;       /* proposed; 0: none yet */
    double dense_h; /* step of `dense`; 0: none since the restart */
    /* no step since the restart: the filtered error estimate would ignore fast transients */
    bool fresh;
    /* of the last accepted step, for the predictive control; 0: none */
    double last_h, last_error;
    double contraction; /* of the last Newton iteration */
    double rate;        /* bound of the spectral radius of the Jacobian; 0: not known yet */
    /* inner tolerance; of Newton's iteration, in units of it */
    double rtol, fnewt;
    double factored_h;                   /* step of the factors; 0: none */
    bool have_f, have_jacobian, current; /* the Jacobian belongs to t */
    bool after_failure;                  /* the last attempt was rejected */
} Radau;

static const double C1 = 0.15505102572168219018, C2 = 0.64494897427831780982; /* (4 ∓ √6)/10 */
/* eigenvalues of A⁻¹: real, */
static const double GAMMA = 3.6378342527444957322;
/* and a complex pair */
static const double ALPHA = 2.6810828736277521339, BETA = 3.0504301992474105694;
static const double T[3][3] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};
static const double TI[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};
static const double E[3] = {-10.048809399827415562, 1.3821427331607488954, -0.33333333333333333333};

/* ---- linear algebra ---- */

static void build_pattern(Radau *m)
{
    const Problem *p = m->base.p;
    uint32_t n = p->n, nnz = p->col_ptr[n];
    int at = 0;
    m->Ap = memory_alloc(((size_t)n + 1) * sizeof *m->Ap);
    m->Ai = memory_alloc(((size_t)nnz + n + 1) * sizeof *m->Ai);
    m->position = memory_alloc(((size_t)nnz + 1) * sizeof *m->position);
    m->diagonal = memory_alloc(((size_t)n + 1) * sizeof *m->diagonal);
    m->Ax = memory_alloc(3 * ((size_t)nnz + n + 1) * sizeof *m->Ax);
    m->Az = m->Ax + nnz + n + 1;
    for (uint32_t j = 0; j < n; j++) {
        m->diagonal[j] = -1;
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++) {
            if (p->row[k] == j)
                m->diagonal[j] = at;
            m->position[k] = at;
            m->Ai[at++] = (int)p->row[k];
        }
        if (m->diagonal[j] < 0) {
            m->diagonal[j] = at;
            m->Ai[at++] = (int)j;
        }
        m->Ap[j + 1] = at;
    }
}

/* Factors of γ/h - J and (α + iβ)/h - J. */
static bool factor(Radau *m, double h)
{
    const Problem *p = m->base.p;
    int n = (int)p->n, nnz = m->Ap[n];
    memset(m->Ax, 0, (size_t)nnz * sizeof *m->Ax);
    memset(m->Az, 0, 2 * (size_t)nnz * sizeof *m->Az);
    for (uint32_t k = 0; k < p->col_ptr[n]; k++)
        m->Ax[m->position[k]] = m->Az[2 * m->position[k]] = -m->values[k];
    for (int j = 0; j < n; j++) {
        m->Ax[m->diagonal[j]] += GAMMA / h;
        m->Az[2 * m->diagonal[j]] += ALPHA / h;
        m->Az[2 * m->diagonal[j] + 1] += BETA / h;
    }
    m->factored_h = h;
    klu_free_numeric(&m->real, &m->common);
    klu_z_free_numeric(&m->complex, &m->common);
    m->real = klu_factor(m->Ap, m->Ai, m->Ax, m->symbolic, &m->common);
    m->complex = klu_z_factor(m->Ap, m->Ai, m->Az, m->symbolic, &m->common);
    return m->real && m->complex;
}

static void solve_real(Radau *m, double *b)
{
    klu_solve(m->symbolic, m->real, (int)m->base.p->n, 1, b, &m->common);
}

static void solve_complex(Radau *m, double *re, double *im)
{
    uint32_t n = m->base.p->n;
    for (uint32_t i = 0; i < n; i++) {
        m->rhs[2 * i] = re[i];
        m->rhs[2 * i + 1] = im[i];
    }
    klu_z_solve(m->symbolic, m->complex, (int)n, 1, m->rhs, &m->common);
    for (uint32_t i = 0; i < n; i++) {
        re[i] = m->rhs[2 * i];
        im[i] = m->rhs[2 * i + 1];
    }
}

/* ---- Newton's iteration ---- */

static void transform(const double a[3][3], double *const from[3], double *const to[3], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double u = from[0][i], v = from[1][i], w = from[2][i];
        for (int k = 0; k < 3; k++)
            to[k][i] = a[k][0] * u + a[k][1] * v + a[k][2] * w;
    }
}

/* Increments of the stages from the last step's polynomial. */
static void extrapolate(Radau *m, double h)
{
    static const double c[3] = {0.15505102572168219018, 0.64494897427831780982, 1};
    for (uint32_t i = 0; i < m->base.p->n; i++)
        for (int k = 0; k < 3; k++) {
            double q = m->dense_h > 0 ? c[k] * h / m->dense_h : 0;
            m->z[k][i] = q * (m->dense[1][i] +
                              (q - (C2 - 1)) * (m->dense[2][i] + (q - (C1 - 1)) * m->dense[3][i]));
        }
    transform(TI, m->z, m->w, m->base.p->n);
}

static int stages(Radau *m, double h)
{
    static const double c[3] = {0.15505102572168219018, 0.64494897427831780982, 1};
    const Problem *p = m->base.p;
    int status = 0;
    for (int k = 0; k < 3 && !status; k++) {
        for (uint32_t i = 0; i < p->n; i++)
            m->rhs[i] = m->x[i] + m->z[k][i];
        status = p->f(p->user, m->base.t0 + c[k] * h, m->rhs, m->g[k]);
    }
    return status;
}

/* One correction of w; its size in units of the tolerance. */
static double correct(Radau *m, double h)
{
    uint32_t n = m->base.p->n;
    double sum = 0;
    transform(TI, m->g, m->g, n);
    for (uint32_t i = 0; i < n; i++) {
        double u = m->w[1][i], v = m->w[2][i];
        m->g[0][i] -= GAMMA / h * m->w[0][i];
        m->g[1][i] -= ALPHA / h * u - BETA / h * v;
        m->g[2][i] -= ALPHA / h * v + BETA / h * u;
    }
    solve_real(m, m->g[0]);
    solve_complex(m, m->g[1], m->g[2]);
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            double d = m->g[k][i] / m->scale[i];
            sum += d * d;
            m->w[k][i] += m->g[k][i];
        }
    transform(T, m->w, m->z, n);
    return sqrt(sum / (3.0 * n));
}

typedef enum Newton { NEWTON_OK, NEWTON_SLOW, NEWTON_FAILED, NEWTON_NEVER } Newton;

/* Leaves the stages in z; *shrink is the factor for another try, *n the number of corrections. */
static Newton iterate(Radau *m, double h, int *n, double *shrink)
{
    double last = 0, last_theta = 0;
    *shrink = 0.5;
    extrapolate(m, h);
    m->contraction = 0;
    for (int k = 1; k <= MAX_NEWTON; k++) {
        int status = stages(m, h);
        if (status)
            return status < 0 ? NEWTON_NEVER : NEWTON_FAILED;
        double size = correct(m, h);
        *n = k;
        if (!isfinite(size))
            return NEWTON_FAILED;
        if (k > 1) {
            double q = last > 0 ? size / last : 0;
            m->contraction = k == 2 ? q : sqrt(q * last_theta);
            last_theta = q;
            if (m->contraction >= 0.99)
                return NEWTON_SLOW;
            double rest = m->contraction / (1 - m->contraction) * size *
                          pow(m->contraction, MAX_NEWTON - 1 - k) / m->fnewt;
            if (rest >= 1) {
                *shrink = 0.8 * pow(fmin(fmax(rest, 1e-4), 20), -1.0 / (4 + MAX_NEWTON - 1 - k));
                return NEWTON_SLOW;
            }
        }
        last = fmax(size, DBL_EPSILON);
        if (size == 0 || (k > 1 && m->contraction / (1 - m->contraction) * size <= m->fnewt) ||
            (k == 1 && size <= 1e-3 * m->fnewt))
            return NEWTON_OK;
    }
    return NEWTON_SLOW;
}

/* ---- error and step size ---- */

static double error_norm(Radau *m, const double *e)
{
    double sum = 0, worst = -1;
    for (uint32_t i = 0; i < m->base.p->n; i++) {
        double w = e[i] / m->scale[i];
        sum += w * w;
        if (fabs(w) > worst || isnan(w)) {
            worst = fabs(w);
            m->base.limiting = i;
        }
    }
    return fmax(sqrt(sum / m->base.p->n), 1e-10);
}

/* Of the embedded method of order 3, filtered by (γ/h - J)⁻¹ so that stiff components do not count
 * too much. */
static double estimate(Radau *m, double h, bool first)
{
    const Problem *p = m->base.p;
    double *e = m->g[0], *sum = m->g[1], *y = m->g[2];
    for (uint32_t i = 0; i < p->n; i++) {
        sum[i] = (E[0] * m->z[0][i] + E[1] * m->z[1][i] + E[2] * m->z[2][i]) / h;
        e[i] = sum[i] + m->f[i];
    }
    solve_real(m, e);
    for (uint32_t i = 0; i < p->n; i++)
        m->slope[i] = GAMMA * e[i];
    double size = error_norm(m, e);
    if (size < 1 || !(first || m->after_failure))
        return size;
    for (uint32_t i = 0; i < p->n; i++)
        y[i] = m->x[i] + e[i];
    if (p->f(p->user, m->base.t0, y, e))
        return size;
    for (uint32_t i = 0; i < p->n; i++)
        e[i] += sum[i];
    solve_real(m, e);
    return error_norm(m, e);
}

/* The norm of the Jacobian in units of the tolerance. */
static double rate_bound(Radau *m)
{
    const Problem *p = m->base.p;
    if (m->rate > 0)
        return m->rate;
    memset(m->rhs, 0, p->n * sizeof *m->rhs);
    for (uint32_t j = 0; j < p->n; j++)
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++)
            m->rhs[p->row[k]] += fabs(m->values[k]) * m->scale[j] / m->scale[p->row[k]];
    for (uint32_t i = 0; i < p->n; i++)
        m->rate = fmax(m->rate, m->rhs[i]);
    return m->rate;
}

/* Of the polynomial inside the step. Stiff components meet the equations at the stages and at the
 * end, so the estimate above hardly sees them, however fast they are driven. There (γ/h - J)⁻¹
 * turns the defect into the error itself, which may be ten tolerances (the step controls a method
 * of lower order with a larger one). */
static double inner_error(Radau *m, double h)
{
    static const double AT = 0.85; /* near the largest error between stages */
    static const double c[3] = {0.15505102572168219018, 0.64494897427831780982, 1};
    const Problem *p = m->base.p;
    double *e = m->g[0], *y = m->g[2], value[3], slope[3];
    if (h * rate_bound(m) < STIFF)
        return 0;
    for (int k = 0; k < 3; k++) { /* of Lagrange's polynomials on t0 and the stages */
        double a = c[(k + 1) % 3], b = c[(k + 2) % 3], size = c[k] * (c[k] - a) * (c[k] - b);
        value[k] = AT * (AT - a) * (AT - b) / size;
        slope[k] = ((AT - a) * (AT - b) + AT * (2 * AT - a - b)) / size;
    }
    for (uint32_t i = 0; i < p->n; i++)
        y[i] = m->x[i] + value[0] * m->z[0][i] + value[1] * m->z[1][i] + value[2] * m->z[2][i];
    if (p->f(p->user, m->base.t0 + AT * h, y, e))
        return 0;
    for (uint32_t i = 0; i < p->n; i++)
        e[i] -= (slope[0] * m->z[0][i] + slope[1] * m->z[1][i] + slope[2] * m->z[2][i]) / h;
    solve_real(m, e);
    return error_norm(m, e) * fmax(1, 0.1 * m->rtol / p->rtol);
}

static void set_scale(Radau *m)
{
    const Problem *p = m->base.p;
    double rtol = m->rtol / pow(solver_strictness(p), 2.0 / 3);
    for (uint32_t i = 0; i < p->n; i++)
        m->scale[i] = rtol * (p->atol[i] / p->rtol + fabs(m->x[i]));
}

/* The collocation polynomial u satisfies the equations at the stages, not at t0. Its slope there is
 * wrong by about the error of the step. A value that leaves zero with zero slope may then get the
 * wrong sign. Inside the step u is wrong by as much; the ends are far better. Two terms of fourth
 * degree correct this: - A multiple of Q with Q' = (θ - c1)(θ - c2)(θ - 1) vanishes at both ends
 * and leaves the slopes at the stages. With the filtered miss of the slope it removes the error of
 * u. - The other term vanishes at the stages and corrects the slope by the rest, which stiff
 * components have. It is omitted if it moves u by more than the tolerance: then f at t0 shows a
 * small error of a stiff component. Both are omitted if the miss is as large as the motion itself.
 * Then f at t0 belongs to a transient that the step has passed. */
static const double BEND = 0.02; /* the largest value of the second term, for a factor 1 */

static void keep_bend(Radau *m, double h)
{
    for (uint32_t i = 0; i < m->base.p->n; i++) {
        double d1 = m->dense[1][i], d2 = m->dense[2][i], d3 = m->dense[3][i];
        double slope = d1 - (C2 + 1) * d2 +
                       (C1 + C2 + C1 * C2) * d3; /* of the polynomial at q = -1, see radau_dense */
        double miss = h * m->f[i] - slope;
        double motion = fmax(fmax(fabs(m->z[0][i]), fabs(m->z[1][i])), fabs(m->z[2][i]));
        bool mends = fabs(miss) <= 0.5 * motion;
        m->bump[i] = mends ? m->slope[i] / (-C1 * C2) : 0;
        double rest = (miss - m->slope[i]) / (-C1 * C2);
        m->bend[i] = mends && BEND * fabs(rest) <= m->scale[i] ? rest : 0;
    }
}

static void keep_polynomial(Radau *m, double h)
{
    for (uint32_t i = 0; i < m->base.p->n; i++) {
        double z1 = m->z[0][i], z2 = m->z[1][i], z3 = m->z[2][i];
        double ak = (z1 - z2) / (C1 - C2);
        m->dense[0][i] = m->x[i] + z3;
        m->dense[1][i] = (z2 - z3) / (C2 - 1);
        m->dense[2][i] = (ak - m->dense[1][i]) / (C1 - 1);
        m->dense[3][i] = m->dense[2][i] - (ak - z1 / C1) / C2;
    }
    m->dense_h = h;
    keep_bend(m, h);
}

/* The step for which the next error estimate is expected to be 1, less a margin for slow Newton
 * iterations. */
static double next_quotient(double error, int n)
{
    double margin = fmin(SAFETY, SAFETY * (1 + 2 * MAX_NEWTON) / (n + 2.0 * MAX_NEWTON));
    return fmax(0.125, fmin(5, pow(error, 0.25) / margin));
}

static void accept(Radau *m, double h, double error, int n, bool cut)
{
    double quotient = next_quotient(error, n);
    if (m->last_h > 0) {
        double predicted = m->last_h / h * pow(error * error / m->last_error, 0.25) / SAFETY;
        quotient = fmax(quotient, fmax(0.125, fmin(5, predicted)));
    }
    m->last_h = h;
    m->last_error = fmax(0.01, error);
    keep_polynomial(m, h);
    memcpy(m->x, m->dense[0], m->base.p->n * sizeof *m->x);
    double next = h / quotient;
    if (m->after_failure)
        next = fmin(next, h);
    bool keep = m->contraction <= KEEP_JACOBIAN && quotient <= 1 && quotient >= 1 / 1.2;
    if (!cut || next < m->h)
        m->h = keep && !cut ? h : next;
    m->current = false;
    m->have_jacobian = m->contraction <= KEEP_JACOBIAN;
    m->have_f = m->after_failure = false;
    m->base.steps++;
}

/* ---- the solver ---- */

static void radau_restart(Solver *s, double t, const double *x)
{
    Radau *m = (Radau *)s;
    s->t0 = s->t = t;
    memcpy(m->x, x, s->p->n * sizeof *x);
    m->have_f = m->have_jacobian = m->current = m->after_failure = false;
    m->dense_h = m->last_h = 0;
    m->fresh = true;
}

static StepStatus begin_step(Radau *m, double limit)
{
    const Problem *p = m->base.p;
    m->base.t0 = m->base.t;
    if (!m->have_f && p->f(p->user, m->base.t, m->x, m->f))
        return STEP_MODEL_FAILED;
    m->have_f = true;
    set_scale(m);
    if (m->fresh)
        m->h = solver_restart_step(p, m->base.t, m->x, m->f,
                                   &(FirstStep){limit - m->base.t, m->h, 4}, m->z[0], m->z[1]);
    m->fresh = false;
    return STEP_OK;
}

/* The Jacobian at t0, unless the present one can be kept. */
static int prepare(Radau *m, double h)
{
    const Problem *p = m->base.p;
    if (!m->have_jacobian) {
        int status = p->jacobian(p->user, m->base.t0, m->x, m->values);
        if (status < 0)
            return status;
        /* none here: the iteration is one of fixed points, and its contraction decides */
        if (status > 0)
            memset(m->values, 0, p->col_ptr[p->n] * sizeof *m->values);
        m->have_jacobian = m->current = true;
        m->factored_h = m->rate = 0;
    }
    return m->factored_h != h && !factor(m, h);
}

static StepStatus give_up(Radau *m, StepStatus status)
{
    m->base.t = m->base.t0;
    m->have_f = m->have_jacobian = false;
    m->h = 0;
    return status;
}

static StepStatus radau_step(Solver *s, double limit)
{
    Radau *m = (Radau *)s;
    StepStatus status = begin_step(m, limit);
    if (status != STEP_OK)
        return status;
    for (;;) {
        double from = s->t0, h;
        s->t = solver_step_end(from, m->h, limit);
        h = s->t - from;
        if (h < solver_resolution(from))
            return give_up(m, status == STEP_OK ? STEP_TOO_SMALL : status);
        bool cut = s->t == limit && h < 0.99 * m->h;
        int n = 0, prepared = prepare(m, fabs(h - m->h) <= 1e-9 * h ? m->h : h);
        double shrink = 0.5;
        Newton newton = prepared < 0 ? NEWTON_NEVER
                        : prepared   ? NEWTON_FAILED
                                     : iterate(m, h, &n, &shrink);
        if (newton == NEWTON_NEVER)
            return give_up(m, STEP_MODEL_FAILED);
        double error = newton == NEWTON_OK ? estimate(m, h, m->last_h <= 0) : 0;
        if (newton == NEWTON_OK && error < 1 && m->last_h > 0)
            error = fmax(error, inner_error(m, h));
        if (newton == NEWTON_OK && error < 1) {
            accept(m, h, error, n, cut);
            return STEP_OK;
        }
        s->rejected++;
        if (newton == NEWTON_OK) {
            status = STEP_TOO_SMALL;
            m->h = h / next_quotient(error, n);
        } else {
            status = newton == NEWTON_FAILED && prepared ? STEP_NO_CONVERGENCE : STEP_MODEL_FAILED;
            status = newton == NEWTON_SLOW ? STEP_NO_CONVERGENCE : status;
            if (m->current || newton == NEWTON_FAILED)
                m->h = h * shrink;
            m->have_jacobian = m->current && !prepared;
            m->dense_h = 0;
        }
        m->after_failure = true;
    }
}

/* Q, see keep_bend, at q = θ - 1. */
static double bump(double q)
{
    double theta = 1 + q, sum = C1 + C2 + 1, pairs = C1 * C2 + C1 + C2;
    return theta * (theta * (theta * (theta / 4 - sum / 3) + pairs / 2) - C1 * C2);
}

static void radau_dense(Solver *s, double t, double *x)
{
    const Radau *m = (const Radau *)s;
    double q = m->dense_h > 0 ? (t - s->t) / m->dense_h : 0, b = bump(q);
    double q1 = q - (C1 - 1), q2 = q - (C2 - 1);
    for (uint32_t i = 0; i < s->p->n; i++) {
        double u =
            m->dense[1][i] + q2 * (m->dense[2][i] + q1 * (m->dense[3][i] + (q + 1) * m->bend[i]));
        x[i] = t == s->t || m->dense_h <= 0 ? m->x[i] : m->dense[0][i] + q * u + b * m->bump[i];
    }
}

static bool radau_slope(Solver *s, double t, double *slope)
{
    const Radau *m = (const Radau *)s;
    if (!(m->dense_h > 0) || fabs(m->factored_h - m->dense_h) > 1e-6 * m->dense_h)
        return false;
    double q = (t - s->t) / m->dense_h, q1 = q - (C1 - 1), q2 = q - (C2 - 1);
    double b = (q1 * q2) * q;                /* Q' */
    for (uint32_t i = 0; i < s->p->n; i++) { /* see radau_dense */
        double w = m->dense[3][i] + (q + 1) * m->bend[i];
        double v = m->dense[2][i] + q1 * w, dv = w + q1 * m->bend[i];
        double u = m->dense[1][i] + q2 * v, du = v + q2 * dv;
        slope[i] = (u + q * du + b * m->bump[i]) / m->dense_h;
    }
    return true;
}

static double radau_filter(Solver *s, double *b)
{
    Radau *m = (Radau *)s;
    solve_real(m, b);
    return GAMMA / m->factored_h;
}

static void radau_snapshot(Solver *s, Snapshot *p)
{
    Radau *m = (Radau *)s;
    snapshot_value(p, m->h);
    snapshot_value(p, m->contraction);
}

static void radau_destroy(Solver *s)
{
    Radau *m = (Radau *)s;
    klu_free_numeric(&m->real, &m->common);
    klu_z_free_numeric(&m->complex, &m->common);
    klu_free_symbolic(&m->symbolic, &m->common);
    memory_free(m->x);
    memory_free(m->values);
    memory_free(m->Ap);
    memory_free(m->Ai);
    memory_free(m->position);
    memory_free(m->diagonal);
    memory_free(m->Ax);
    memory_free(m);
}

Solver *solver_radau(const Problem *p)
{
    if (!p->jacobian)
        return NULL;
    Radau *m = memory_alloc(sizeof *m);
    m->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .implicit = true,
                       .restart = radau_restart,
                       .step = radau_step,
                       .dense = radau_dense,
                       .slope = radau_slope,
                       .filter = radau_filter,
                       .snapshot = radau_snapshot,
                       .destroy = radau_destroy};
    double **part[] = {&m->x,        &m->f,    &m->scale,    &m->z[0],     &m->z[1],
                       &m->z[2],     &m->w[0], &m->w[1],     &m->w[2],     &m->g[0],
                       &m->g[1],     &m->g[2], &m->dense[0], &m->dense[1], &m->dense[2],
                       &m->dense[3], &m->bend, &m->bump,     &m->slope,    &m->rhs};
    double *at = memory_alloc(21 * (size_t)p->n * sizeof(double));
    for (uint32_t i = 0; i < 20; i++)
        *part[i] = at + (size_t)i * p->n;
    m->values = memory_alloc(((size_t)p->col_ptr[p->n] + 1) * sizeof *m->values);
    m->rtol = 0.1 * pow(p->rtol, 2.0 / 3);
    m->fnewt = fmax(10 * DBL_EPSILON / m->rtol, fmin(0.03, sqrt(m->rtol)));
    build_pattern(m);
    klu_defaults(&m->common);
    m->symbolic = klu_analyze((int)p->n, m->Ap, m->Ai, &m->common);
    if (m->symbolic)
        return &m->base;
    radau_destroy(&m->base);
    return NULL;
}

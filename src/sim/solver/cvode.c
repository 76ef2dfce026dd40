/* SUNDIALS' CVODE: backward differentiation formulas with Newton's method and the exact Jacobian.
 * It does not look for roots. */
#include "base/memory.h"
#include "sim/solver/sundials.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stddef.h>

enum { MOST_RETRIES = 20 };
static const double SHORTER = 0.1; /* a step that did not solve its equations is repeated so long */
static const double STALE = 0.1;   /* a row of the Jacobian was so much larger before */
static const double UNCHANGED = 0.7; /* a residual that a correction leaves so large */

typedef struct Cvode {
    Solver base;
    Sundials u;
    void *mem;
    uint64_t rejected_before; /* the last restart */
    bool fresh;               /* no step since the last restart */
    double *before;           /* states at the beginning of the step */
    double *x, *f, t;         /* of the last evaluation of derivatives */
    uint32_t n_calls;         /* evaluations at t */
    double *slope, *now;      /* derivatives of the polynomial, and of the model at its end */
    double *jacobian;         /* there */
    double *size[2];          /* of its rows, and of those that were used */
} Cvode;

static int right_side(realtype t, N_Vector x, N_Vector dx, void *user)
{
    Cvode *s = (Cvode *)((char *)user - offsetof(Cvode, u));
    s->n_calls = t == s->t ? s->n_calls + 1 : 1;
    s->t = t;
    int status = sundials_right_side(t, x, dx, user);
    memcpy(s->x, N_VGetArrayPointer(x), s->u.n * sizeof *s->x);
    memcpy(s->f, N_VGetArrayPointer(dx), s->u.n * sizeof *s->f);
    return status;
}

static void create_work(Cvode *s)
{
    const Problem *p = s->base.p;
    double **vector[] = {&s->before, &s->x, &s->f, &s->slope, &s->now, &s->size[0], &s->size[1]};
    for (uint32_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = memory_alloc(((size_t)p->n + 1) * sizeof **vector[i]);
    s->jacobian =
        memory_alloc(((size_t)(p->jacobian ? p->col_ptr[p->n] : 0) + 1) * sizeof *s->jacobian);
}

static void free_work(Cvode *s)
{
    double *vector[] = {s->before, s->x,       s->f,       s->slope,
                        s->now,    s->size[0], s->size[1], s->jacobian};
    for (uint32_t i = 0; i < sizeof vector / sizeof *vector; i++)
        memory_free(vector[i]);
}

static bool create_all(Cvode *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p, p->n, p->atol))
        return false;
    create_work(s);
    s->mem = CVodeCreate(CV_BDF, s->u.context);
    if (!s->mem)
        return false;
    bool failed = CVodeSetErrHandlerFn(s->mem, sundials_ignore_message, NULL) ||
                  CVodeInit(s->mem, right_side, 0, s->u.x) ||
                  CVodeWFtolerances(s->mem, sundials_weights) || CVodeSetUserData(s->mem, &s->u) ||
                  CVodeSetMaxHnilWarns(s->mem, -1) || CVodeSetMaxErrTestFails(s->mem, 20) ||
                  CVodeSetMaxConvFails(s->mem, 30);
    if (failed || !sundials_linear(&s->u, p->jacobian ? p->col_ptr : NULL, p->row) ||
        CVodeSetLinearSolver(s->mem, s->u.linear, s->u.matrix))
        return false;
    return !p->jacobian || !CVodeSetJacFn(s->mem, sundials_jacobian);
}

static void cvode_restart(Solver *solver, double t, const double *x)
{
    Cvode *s = (Cvode *)solver;
    solver->t0 = solver->t = t;
    s->fresh = true;
    s->rejected_before = solver->rejected;
    memcpy(N_VGetArrayPointer(s->u.x), x, solver->p->n * sizeof *x);
    CVodeReInit(s->mem, t, s->u.x);
    CVodeSetInitStep(s->mem, 0);
}

static void find_limiting(Cvode *s)
{
    bool known =
        !CVodeGetErrWeights(s->mem, s->u.weight) && !CVodeGetEstLocalErrors(s->mem, s->u.error);
    s->base.limiting = known ? sundials_largest(&s->u, s->u.n) : UINT32_MAX;
}

static StepStatus translate(Cvode *s, int flag)
{
    switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN:
    case CV_WARNING: return STEP_OK;
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_WORK:
    case CV_TOO_MUCH_ACC:
    case CV_TOO_CLOSE: find_limiting(s); return STEP_TOO_SMALL;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_LSETUP_FAIL: return STEP_MODEL_FAILED;
    default: find_limiting(s); return STEP_NO_CONVERGENCE;
    }
}

/* ---- equations of a step that only seem to be solved ---- */

static void row_sizes(const Problem *p, const double *values, double *size)
{
    memset(size, 0, p->n * sizeof *size);
    for (uint32_t k = 0; k < p->col_ptr[p->n]; k++)
        size[p->row[k]] += fabs(values[k]);
}

/* Whether the only correction of the step was far smaller than what was missing in an equation, and
 * that more than the tolerance. */
static bool is_suspicious(const Cvode *s, double gamma)
{
    const double *x = N_VGetArrayPointer(s->u.x), *weight = N_VGetArrayPointer(s->u.weight);
    for (uint32_t i = 0; i < s->u.n; i++) {
        double correction = x[i] - s->x[i],
               missing = fabs(gamma * (s->f[i] - s->slope[i]) + correction);
        if (missing * weight[i] > 1 && fabs(correction) < STALE * missing)
            return true;
    }
    return false;
}

/* Whether the correction has left equation i as it was; its row in the Jacobian is checked if said.
 */
static bool is_missed(const Cvode *s, uint32_t i, double gamma, bool row)
{
    double weight = N_VGetArrayPointer(s->u.weight)[i], end = N_VGetArrayPointer(s->u.x)[i],
           first = gamma * (s->f[i] - s->slope[i]) + end - s->x[i],
           last = gamma * (s->now[i] - s->slope[i]);
    return fabs(last) * weight > 1 && fabs(last) > UNCHANGED * fabs(first) &&
           (!row || s->size[0][i] < STALE * s->size[1][i]);
}

static bool any_missed(const Cvode *s, double gamma, bool rows)
{
    for (uint32_t i = 0; i < s->u.n; i++)
        if (is_missed(s, i, gamma, rows))
            return true;
    return false;
}

/* Near a point at which the slope of an equation is infinite, as that of sqrt(abs(x)) at zero, the
 * Jacobian may be far too large a moment later. Then the first correction is tiny, and the
 * equations of the step seem to be solved. */
static bool seems_solved(Cvode *s, double to)
{
    const Problem *p = s->base.p;
    const double *x = N_VGetArrayPointer(s->u.x);
    double gamma;
    if (!p->jacobian || s->t != to || s->n_calls != 1 || CVodeGetCurrentGamma(s->mem, &gamma) ||
        CVodeGetErrWeights(s->mem, s->u.weight))
        return false;
    N_VSetArrayPointer(s->slope, s->u.work);
    if (CVodeGetDky(s->mem, to, 1, s->u.work) || !is_suspicious(s, gamma) ||
        p->f(p->user, to, x, s->now) || !any_missed(s, gamma, false) ||
        p->jacobian(p->user, to, x, s->jacobian))
        return false;
    row_sizes(p, s->jacobian, s->size[0]);
    row_sizes(p, s->u.values, s->size[1]);
    return any_missed(s, gamma, true);
}

/* One step of the library, repeated from its beginning while its equations only seem to be solved.
 */
static StepStatus advance(Cvode *s, double limit, double *to, bool *at_limit)
{
    double from = s->base.t;
    StepStatus status = STEP_OK;
    memcpy(s->before, N_VGetArrayPointer(s->u.x), s->u.n * sizeof *s->before);
    for (int retries = 0;; retries++) {
        CVodeSetStopTime(s->mem, limit);
        int flag = CVode(s->mem, limit, s->u.x, to, CV_ONE_STEP);
        status = translate(s, flag);
        *at_limit = flag == CV_TSTOP_RETURN;
        if (status != STEP_OK || retries == MOST_RETRIES || !seems_solved(s, *to))
            return status;
        double length = *to - from;
        s->base.rejected++;
        s->base.restart(&s->base, from, s->before);
        CVodeSetInitStep(s->mem, SHORTER * length);
    }
}

static StepStatus cvode_step(Solver *solver, double limit)
{
    Cvode *s = (Cvode *)solver;
    double from = solver->t, to = solver->t;
    bool at_limit;
    StepStatus status = advance(s, limit, &to, &at_limit);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = at_limit || to > limit ? limit : to;
    s->fresh = false;
    solver->steps++;
    if (solver->p->ranked)
        find_limiting(s);
    long failures = 0;
    CVodeGetNumErrTestFails(s->mem, &failures);
    solver->rejected = s->rejected_before + (uint64_t)failures;
    return sundials_advances(&s->u, from, to) ? STEP_OK : STEP_TOO_SMALL;
}

static void cvode_dense(Solver *solver, double t, double *x)
{
    Cvode *s = (Cvode *)solver;
    bool known = t == solver->t || s->fresh;
    if (!known) {
        N_VSetArrayPointer(x, s->u.work);
        known = CVodeGetDky(s->mem, t, 0, s->u.work) != CV_SUCCESS;
    }
    if (known)
        memcpy(x, N_VGetArrayPointer(s->u.x), solver->p->n * sizeof *x);
}

static bool cvode_slope(Solver *solver, double t, double *slope)
{
    Cvode *s = (Cvode *)solver;
    N_VSetArrayPointer(slope, s->u.work);
    return !s->fresh && !CVodeGetDky(s->mem, t, 1, s->u.work);
}

static double cvode_filter(Solver *solver, double *b)
{
    Cvode *s = (Cvode *)solver;
    double gamma = 0;
    return CVodeGetCurrentGamma(s->mem, &gamma) ? 0 : sundials_filter(&s->u, gamma, b);
}

static void cvode_destroy(Solver *solver)
{
    Cvode *s = (Cvode *)solver;
    if (s->mem)
        CVodeFree(&s->mem);
    sundials_destroy(&s->u);
    free_work(s);
    memory_free(s);
}

Solver *solver_cvode(const Problem *p)
{
    Cvode *s = memory_alloc(sizeof *s);
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .implicit = true,
                       .restart = cvode_restart,
                       .step = cvode_step,
                       .dense = cvode_dense,
                       .slope = cvode_slope,
                       .filter = cvode_filter,
                       .destroy = cvode_destroy};
    if (create_all(s))
        return &s->base;
    cvode_destroy(&s->base);
    return NULL;
}

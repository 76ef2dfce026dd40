/* SUNDIALS' ARKODE with Kennedy and Carpenter's ESDIRK method of order 4 (ARK4(3)6L[2]SA): implicit
 * in one stage after the other, stiffly accurate, with the exact Jacobian. The step size survives
 * restarts.
 *
 * The equations of a stage begin at an extrapolation of the last step, and get a new Jacobian with
 * each step. The library's own settings are three corrections and a Jacobian for twenty steps. With
 * them, most steps end because the corrections do not converge, and stiff models take ten times the
 * evaluations. */
#include "base/snapshot.h"
#include "sim/solver/sundials.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>

typedef struct Esdirk {
    Solver base;
    Sundials u;
    void *mem;
    uint64_t rejected_before; /* the last restart */
    double *f;                /* size n; work; the others follow it */
    /* of the last step: its beginning, slopes at its ends times its length */
    double *from, *slope[2];
    bool known; /* they are */
    double h;   /* proposed; 0: none yet */
    bool fresh; /* no step since the last restart */
} Esdirk;

static bool create_all(Esdirk *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p, p->n, p->atol))
        return false;
    s->mem = ARKStepCreate(NULL, sundials_right_side, 0, s->u.x, s->u.context);
    if (!s->mem)
        return false;
    bool failed = ARKStepSetErrHandlerFn(s->mem, sundials_ignore_message, NULL) ||
                  ARKStepSetTableNum(s->mem, ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ERK_NONE) ||
                  ARKStepWFtolerances(s->mem, sundials_weights) ||
                  ARKStepSetUserData(s->mem, &s->u) || ARKStepSetMaxHnilWarns(s->mem, -1) ||
                  ARKStepSetMaxErrTestFails(s->mem, 20) || ARKStepSetMaxConvFails(s->mem, 30) ||
                  ARKStepSetNonlinCRDown(s->mem, 1) || ARKStepSetMaxNonlinIters(s->mem, 10) ||
                  ARKStepSetPredictorMethod(s->mem, 1);
    if (failed || !sundials_linear(&s->u, p->jacobian ? p->col_ptr : NULL, p->row) ||
        ARKStepSetLinearSolver(s->mem, s->u.linear, s->u.matrix) ||
        ARKStepSetLSetupFrequency(s->mem, 1) || ARKStepSetJacEvalFrequency(s->mem, 1))
        return false;
    return !p->jacobian || !ARKStepSetJacFn(s->mem, sundials_jacobian);
}

static void esdirk_restart(Solver *solver, double t, const double *x)
{
    Esdirk *s = (Esdirk *)solver;
    solver->t0 = solver->t = t;
    s->fresh = true;
    s->known = false;
    s->rejected_before = solver->rejected;
    memcpy(N_VGetArrayPointer(s->u.x), x, solver->p->n * sizeof *x);
    ARKStepReInit(s->mem, NULL, sundials_right_side, t, s->u.x);
}

static void choose_first_step(Esdirk *s, double limit)
{
    const Problem *p = s->base.p;
    const double *x = N_VGetArrayPointer(s->u.x);
    if (limit <= s->base.t || p->f(p->user, s->base.t, x, s->f))
        return;
    FirstStep first = {limit - s->base.t, s->h, 4};
    ARKStepSetInitStep(s->mem, solver_restart_step(p, s->base.t, x, s->f, &first,
                                                   N_VGetArrayPointer(s->u.weight),
                                                   N_VGetArrayPointer(s->u.error)));
}

static void find_limiting(Esdirk *s)
{
    bool known =
        !ARKStepGetErrWeights(s->mem, s->u.weight) && !ARKStepGetEstLocalErrors(s->mem, s->u.error);
    s->base.limiting = known ? sundials_largest(&s->u, s->u.n) : UINT32_MAX;
}

static StepStatus translate(Esdirk *s, int flag)
{
    switch (flag) {
    case ARK_SUCCESS:
    case ARK_TSTOP_RETURN:
    case ARK_WARNING: return STEP_OK;
    case ARK_ERR_FAILURE:
    case ARK_TOO_MUCH_WORK:
    case ARK_TOO_MUCH_ACC:
    case ARK_TOO_CLOSE: find_limiting(s); return STEP_TOO_SMALL;
    case ARK_RHSFUNC_FAIL:
    case ARK_FIRST_RHSFUNC_ERR:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
    case ARK_LSETUP_FAIL: return STEP_MODEL_FAILED;
    default: find_limiting(s); return STEP_NO_CONVERGENCE;
    }
}

static StepStatus esdirk_step(Solver *solver, double limit)
{
    Esdirk *s = (Esdirk *)solver;
    if (s->fresh)
        choose_first_step(s, limit);
    ARKStepSetStopTime(s->mem, limit);
    double from = solver->t, to = solver->t, next = 0;
    int flag = ARKStepEvolve(s->mem, limit, s->u.x, &to, ARK_ONE_STEP);
    StepStatus status = translate(s, flag);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = flag == ARK_TSTOP_RETURN || to > limit ? limit : to;
    s->fresh = s->known = false;
    solver->steps++;
    if (solver->p->ranked)
        find_limiting(s);
    /* a step cut at the limit proves nothing */
    if (solver->t < limit && !ARKStepGetCurrentStep(s->mem, &next))
        s->h = next;
    long failures = 0;
    ARKStepGetNumErrTestFails(s->mem, &failures);
    solver->rejected = s->rejected_before + (uint64_t)failures;
    return sundials_advances(&s->u, from, to) ? STEP_OK : STEP_TOO_SMALL;
}

static bool derivative(Esdirk *s, double t, int order, double *values)
{
    N_VSetArrayPointer(values, s->u.work);
    return ARKStepGetDky(s->mem, t, order, s->u.work) == ARK_SUCCESS;
}

/* If slopes at the ends fit neither the secant nor each other, they belong to a component so stiff
 * that its slope is rounding. */
static void keep_slopes(Esdirk *s)
{
    const double *x = N_VGetArrayPointer(s->u.x);
    double h = s->base.t - s->base.t0;
    s->known = derivative(s, s->base.t0, 0, s->from) && derivative(s, s->base.t0, 1, s->slope[0]) &&
               derivative(s, s->base.t, 1, s->slope[1]);
    for (uint32_t i = 0; s->known && i < s->u.n; i++) {
        double way = x[i] - s->from[i], a = h * s->slope[0][i] - way, b = h * s->slope[1][i] - way;
        double size = fabs(a) + fabs(b);
        bool fits = size <= 6 * fabs(way) || fabs(a + b) <= 0.5 * size;
        s->slope[0][i] = fits ? a + way : way;
        s->slope[1][i] = fits ? b + way : way;
    }
}

/* Hermite's cubic polynomial. */
static void esdirk_dense(Solver *solver, double t, double *x)
{
    Esdirk *s = (Esdirk *)solver;
    const double *end = N_VGetArrayPointer(s->u.x);
    if (t != solver->t && !s->fresh && !s->known)
        keep_slopes(s);
    double q = s->known ? (t - solver->t0) / (solver->t - solver->t0) : 1, r = 1 - q;
    for (uint32_t i = 0; i < s->u.n; i++) {
        double way = s->known ? end[i] - s->from[i] : 0;
        x[i] = t == solver->t || !s->known
                   ? end[i]
                   : s->from[i] + q * way +
                         q * r * (r * (s->slope[0][i] - way) - q * (s->slope[1][i] - way));
    }
}

static bool esdirk_slope(Solver *solver, double t, double *slope)
{
    Esdirk *s = (Esdirk *)solver;
    if (!s->known)
        return false;
    const double *end = N_VGetArrayPointer(s->u.x);
    double h = solver->t - solver->t0, q = (t - solver->t0) / h, r = 1 - q;
    for (uint32_t i = 0; i < s->u.n; i++) {
        double way = end[i] - s->from[i];
        slope[i] = (way + r * (r - 2 * q) * (s->slope[0][i] - way) -
                    q * (2 * r - q) * (s->slope[1][i] - way)) /
                   h;
    }
    return true;
}

static double esdirk_filter(Solver *solver, double *b)
{
    Esdirk *s = (Esdirk *)solver;
    double gamma = 0;
    return ARKStepGetCurrentGamma(s->mem, &gamma) ? 0 : sundials_filter(&s->u, gamma, b);
}

static void esdirk_snapshot(Solver *solver, Snapshot *p)
{
    Esdirk *s = (Esdirk *)solver;
    snapshot_value(p, s->h);
}

static void esdirk_destroy(Solver *solver)
{
    Esdirk *s = (Esdirk *)solver;
    if (s->mem)
        ARKStepFree(&s->mem);
    sundials_destroy(&s->u);
    memory_free(s->f);
    memory_free(s);
}

Solver *solver_esdirk(const Problem *p)
{
    Esdirk *s = memory_alloc(sizeof *s);
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .implicit = true,
                       .restart = esdirk_restart,
                       .step = esdirk_step,
                       .dense = esdirk_dense,
                       .slope = esdirk_slope,
                       .filter = esdirk_filter,
                       .snapshot = esdirk_snapshot,
                       .destroy = esdirk_destroy};
    s->f = memory_alloc((4 * (size_t)p->n + 1) * sizeof *s->f);
    s->from = s->f + p->n;
    s->slope[0] = s->from + p->n;
    s->slope[1] = s->slope[0] + p->n;
    if (create_all(s))
        return &s->base;
    esdirk_destroy(&s->base);
    return NULL;
}

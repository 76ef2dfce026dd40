/* SUNDIALS' CVODE: backward differentiation formulas with Newton's method and the exact Jacobian.
 * It does not look for roots. */
#include "base/memory.h"
#include "sim/solver/sundials.h"

#include <cvode/cvode.h>

typedef struct Cvode {
    Solver base;
    Sundials u;
    void *mem;
    uint64_t rejected_before; /* the last restart */
    bool fresh;               /* no step since the last restart */
} Cvode;

static bool create_all(Cvode *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p, p->n, p->atol))
        return false;
    s->mem = CVodeCreate(CV_BDF, s->u.context);
    if (!s->mem)
        return false;
    bool failed = CVodeSetErrHandlerFn(s->mem, sundials_ignore_message, NULL) ||
                  CVodeInit(s->mem, sundials_right_side, 0, s->u.x) ||
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

static StepStatus cvode_step(Solver *solver, double limit)
{
    Cvode *s = (Cvode *)solver;
    CVodeSetStopTime(s->mem, limit);
    double from = solver->t, to = solver->t;
    int flag = CVode(s->mem, limit, s->u.x, &to, CV_ONE_STEP);
    StepStatus status = translate(s, flag);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = flag == CV_TSTOP_RETURN || to > limit ? limit : to;
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

static void cvode_destroy(Solver *solver)
{
    Cvode *s = (Cvode *)solver;
    if (s->mem)
        CVodeFree(&s->mem);
    sundials_destroy(&s->u);
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
                       .destroy = cvode_destroy};
    if (create_all(s))
        return &s->base;
    cvode_destroy(&s->base);
    return NULL;
}

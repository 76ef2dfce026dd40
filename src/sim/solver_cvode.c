/* SUNDIALS' CVODE: backward differentiation formulas with Newton's method and the exact Jacobian. Roots are not looked for here. */
#include "base/memory.h"
#include "sim/sundials.h"

#include <cvode/cvode.h>

typedef struct Cvode {
    Solver base;
    Sundials u;
    void *mem;
    N_Vector weight, error;   /* for the ranking of states */
    uint64_t rejected_before; /* the last restart */
    bool fresh;               /* no step since the last restart */
} Cvode;

static int right_side(realtype t, N_Vector x, N_Vector dx, void *user)
{
    const Problem *p = ((Cvode *)user)->base.p;
    return p->f(p->user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static int jacobian(realtype t, N_Vector x, N_Vector fx, SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2,
                    N_Vector w3)
{
    (void)fx, (void)w1, (void)w2, (void)w3;
    Cvode *s = user;
    const Problem *p = s->base.p;
    int status = p->jacobian(p->user, t, N_VGetArrayPointer(x), s->u.values);
    if (status < 0)
        return status;
    /* Newton's iteration of CVODE never ends where this function asks for another point; without a Jacobian it fails as it
     * should, and the step is tried again with half the size. */
    if (status > 0)
        memset(s->u.values, 0, p->col_ptr[p->n] * sizeof *s->u.values);
    sundials_fill(&s->u, matrix, 0, 0);
    return 0;
}

static bool create_all(Cvode *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p->n, p->atol))
        return false;
    s->mem = CVodeCreate(CV_BDF, s->u.context);
    s->weight = N_VClone(s->u.x);
    s->error = N_VClone(s->u.x);
    if (!s->mem || !s->weight || !s->error)
        return false;
    bool failed = CVodeSetErrHandlerFn(s->mem, sundials_be_silent, NULL) ||
                  CVodeInit(s->mem, right_side, 0, s->u.x) || CVodeSVtolerances(s->mem, p->rtol, s->u.atol) ||
                  CVodeSetUserData(s->mem, s) || CVodeSetMaxHnilWarns(s->mem, -1) ||
                  CVodeSetMaxErrTestFails(s->mem, 20) || CVodeSetMaxConvFails(s->mem, 30) ||
                  (p->max_step > 0 && CVodeSetMaxStep(s->mem, p->max_step));
    if (failed || !sundials_linear(&s->u, p->jacobian ? p->col_ptr : NULL, p->row) ||
        CVodeSetLinearSolver(s->mem, s->u.linear, s->u.matrix))
        return false;
    return !p->jacobian || !CVodeSetJacFn(s->mem, jacobian);
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
    bool known = !CVodeGetErrWeights(s->mem, s->weight) && !CVodeGetEstLocalErrors(s->mem, s->error);
    s->base.limiting = known ? sundials_largest(s->u.n, s->weight, s->error) : UINT32_MAX;
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
    return sundials_moves(&s->u, from, to) ? STEP_OK : STEP_TOO_SMALL;
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
    if (s->weight)
        N_VDestroy(s->weight);
    if (s->error)
        N_VDestroy(s->error);
    sundials_destroy(&s->u);
    memory_free(s);
}

Solver *solver_cvode(const Problem *p)
{
    Cvode *s = memory_alloc(sizeof *s);
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = cvode_restart,
                       .step = cvode_step,
                       .dense = cvode_dense,
                       .destroy = cvode_destroy};
    if (create_all(s))
        return &s->base;
    cvode_destroy(&s->base);
    return NULL;
}

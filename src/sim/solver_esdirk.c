/* SUNDIALS' ARKODE with Kennedy and Carpenter's ESDIRK method of order 4 (ARK4(3)6L[2]SA): implicit in one stage after the
 * other, stiffly accurate, with the exact Jacobian. The step size survives restarts. */
#include "base/memory.h"
#include "sim/sundials.h"

#include <arkode/arkode_arkstep.h>

typedef struct Esdirk {
    Solver base;
    Sundials u;
    void *mem;
    uint64_t rejected_before; /* the last restart */
    double h;                 /* proposed; 0: none yet */
    bool fresh;               /* no step since the last restart */
} Esdirk;

static bool create_all(Esdirk *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p, p->n, p->atol))
        return false;
    s->mem = ARKStepCreate(NULL, sundials_right_side, 0, s->u.x, s->u.context);
    if (!s->mem)
        return false;
    bool failed = ARKStepSetErrHandlerFn(s->mem, sundials_be_silent, NULL) ||
                  ARKStepSetTableNum(s->mem, ARKODE_ARK436L2SA_DIRK_6_3_4, ARKODE_ERK_NONE) ||
                  ARKStepSVtolerances(s->mem, p->rtol, s->u.atol) || ARKStepSetUserData(s->mem, &s->u) ||
                  ARKStepSetMaxHnilWarns(s->mem, -1) || ARKStepSetMaxErrTestFails(s->mem, 20) ||
                  ARKStepSetMaxConvFails(s->mem, 30) || ARKStepSetNonlinCRDown(s->mem, 1) ||
                  (p->max_step > 0 && ARKStepSetMaxStep(s->mem, p->max_step));
    if (failed || !sundials_linear(&s->u, p->jacobian ? p->col_ptr : NULL, p->row) ||
        ARKStepSetLinearSolver(s->mem, s->u.linear, s->u.matrix))
        return false;
    return !p->jacobian || !ARKStepSetJacFn(s->mem, sundials_jacobian);
}

static void esdirk_restart(Solver *solver, double t, const double *x)
{
    Esdirk *s = (Esdirk *)solver;
    solver->t0 = solver->t = t;
    s->fresh = true;
    s->rejected_before = solver->rejected;
    memcpy(N_VGetArrayPointer(s->u.x), x, solver->p->n * sizeof *x);
    ARKStepReInit(s->mem, NULL, sundials_right_side, t, s->u.x);
    if (s->h > 0)
        ARKStepSetInitStep(s->mem, s->h);
}

static void find_limiting(Esdirk *s)
{
    bool known = !ARKStepGetErrWeights(s->mem, s->u.weight) && !ARKStepGetEstLocalErrors(s->mem, s->u.error);
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
    ARKStepSetStopTime(s->mem, limit);
    double from = solver->t, to = solver->t, next = 0;
    int flag = ARKStepEvolve(s->mem, limit, s->u.x, &to, ARK_ONE_STEP);
    StepStatus status = translate(s, flag);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = flag == ARK_TSTOP_RETURN || to > limit ? limit : to;
    s->fresh = false;
    solver->steps++;
    if (solver->p->ranked)
        find_limiting(s);
    if (solver->t < limit && !ARKStepGetCurrentStep(s->mem, &next)) /* one that was cut proves nothing */
        s->h = next;
    long failures = 0;
    ARKStepGetNumErrTestFails(s->mem, &failures);
    solver->rejected = s->rejected_before + (uint64_t)failures;
    return sundials_moves(&s->u, from, to) ? STEP_OK : STEP_TOO_SMALL;
}

static void esdirk_dense(Solver *solver, double t, double *x)
{
    Esdirk *s = (Esdirk *)solver;
    bool known = t == solver->t || s->fresh;
    if (!known) {
        N_VSetArrayPointer(x, s->u.work);
        known = ARKStepGetDky(s->mem, t, 0, s->u.work) != ARK_SUCCESS;
    }
    if (known)
        memcpy(x, N_VGetArrayPointer(s->u.x), solver->p->n * sizeof *x);
}

static void esdirk_destroy(Solver *solver)
{
    Esdirk *s = (Esdirk *)solver;
    if (s->mem)
        ARKStepFree(&s->mem);
    sundials_destroy(&s->u);
    memory_free(s);
}

Solver *solver_esdirk(const Problem *p)
{
    Esdirk *s = memory_alloc(sizeof *s);
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .restart = esdirk_restart,
                       .step = esdirk_step,
                       .dense = esdirk_dense,
                       .destroy = esdirk_destroy};
    if (create_all(s))
        return &s->base;
    esdirk_destroy(&s->base);
    return NULL;
}

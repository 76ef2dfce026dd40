/* SUNDIALS' IDA on the open form. Unknowns are the states and the tearing variables of blocks,
 * which are solved together with the step, not inside the evaluation. Rows: 0 = f(t, x, w) - x', 0
 * = residuals(t, x, w). If a large block couples many states, this Jacobian stays sparse, while
 * that of the closed form is full. */
#include "base/memory.h"
#include "sim/solver/sundials.h"

#include <ida/ida.h>
#include <math.h>

typedef struct Ida {
    Solver base;
    Sundials u; /* its x is y = (x, w) */
    void *mem;
    N_Vector dy, id;
    double cj;                /* of the last Jacobian; 0: not known */
    uint64_t rejected_before; /* the last restart */
    bool fresh;               /* no step since the last restart */
    bool failed;              /* the last restart found no consistent values */
} Ida;

static int residual(realtype t, N_Vector y, N_Vector dy, N_Vector r, void *user)
{
    const Problem *p = ((Ida *)user)->base.p;
    double *out = N_VGetArrayPointer(r);
    const double *slope = N_VGetArrayPointer(dy);
    int status = p->open.f(p->user, t, N_VGetArrayPointer(y), out);
    for (uint32_t i = 0; !status && i < p->n; i++)
        out[i] -= slope[i];
    return status;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector dy, N_Vector r, SUNMatrix matrix,
                    void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)dy, (void)r, (void)w1, (void)w2, (void)w3;
    Ida *s = user;
    const Problem *p = s->base.p;
    int status = p->open.jacobian(p->user, t, N_VGetArrayPointer(y), s->u.values);
    s->cj = status ? 0 : cj;
    if (!status)
        sundials_fill(&s->u, matrix, -cj, p->n);
    return status;
}

static bool create_vectors(Ida *s)
{
    s->dy = N_VClone(s->u.x);
    s->id = N_VClone(s->u.x);
    if (!s->dy || !s->id)
        return false;
    N_VConst(0, s->dy);
    for (uint32_t i = 0; i < s->u.n; i++)
        N_VGetArrayPointer(s->id)[i] = i < s->base.p->n;
    return true;
}

static int weights(N_Vector y, N_Vector w, void *user)
{
    return sundials_weights(y, w, &((Ida *)user)->u);
}

static bool create_all(Ida *s)
{
    const Problem *p = s->base.p;
    if (!sundials_create(&s->u, p, p->open.n, p->open.atol) || !create_vectors(s))
        return false;
    s->mem = IDACreate(s->u.context);
    bool failed = !s->mem || IDASetErrHandlerFn(s->mem, sundials_ignore_message, NULL) ||
                  IDAInit(s->mem, residual, 0, s->u.x, s->dy) || IDAWFtolerances(s->mem, weights) ||
                  IDASetUserData(s->mem, s) || IDASetId(s->mem, s->id) ||
                  IDASetSuppressAlg(s->mem, SUNTRUE) || IDASetMaxErrTestFails(s->mem, 20) ||
                  IDASetMaxConvFails(s->mem, 30);
    if (failed || !sundials_linear(&s->u, p->open.jacobian ? p->open.col_ptr : NULL, p->open.row) ||
        IDASetLinearSolver(s->mem, s->u.linear, s->u.matrix))
        return false;
    return !p->open.jacobian || !IDASetJacFn(s->mem, jacobian);
}

static void ida_restart(Solver *solver, double t, const double *x)
{
    Ida *s = (Ida *)solver;
    const Problem *p = solver->p;
    solver->t0 = solver->t = t;
    s->fresh = true;
    s->rejected_before = solver->rejected;
    double *y = N_VGetArrayPointer(s->u.x);
    memcpy(y, x, p->n * sizeof *x);
    N_VConst(0, s->dy);
    s->failed = p->open.start(p->user, t, y, N_VGetArrayPointer(s->dy));
    IDAReInit(s->mem, t, s->u.x, s->dy);
}

static void find_limiting(Ida *s)
{
    bool known =
        !IDAGetErrWeights(s->mem, s->u.weight) && !IDAGetEstLocalErrors(s->mem, s->u.error);
    s->base.limiting = known ? sundials_largest(&s->u, s->base.p->n) : UINT32_MAX;
}

static StepStatus translate(Ida *s, int flag)
{
    switch (flag) {
    case IDA_SUCCESS:
    case IDA_TSTOP_RETURN:
    case IDA_WARNING: return STEP_OK;
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_WORK:
    case IDA_TOO_MUCH_ACC: find_limiting(s); return STEP_TOO_SMALL;
    case IDA_RES_FAIL:
    case IDA_FIRST_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_LSETUP_FAIL: return STEP_MODEL_FAILED;
    default: find_limiting(s); return STEP_NO_CONVERGENCE;
    }
}

/* IDA's own choice is a thousandth of the whole time, unless rates are large now. Within such a
 * step, an excitation that begins at zero may reverse unseen. */
static void choose_first_step(Ida *s, double limit)
{
    const Problem *p = s->base.p;
    const double *x = N_VGetArrayPointer(s->u.x), *f = N_VGetArrayPointer(s->dy);
    FirstStep first = {.span = limit - s->base.t, .order = 1};
    double h = solver_first_step(p, s->base.t, x, f, &first, N_VGetArrayPointer(s->u.weight),
                                 N_VGetArrayPointer(s->u.error));
    double rate = solver_norm(p, f, x);
    IDASetInitStep(s->mem, rate * h > 0.5 ? 0.5 / rate : h);
}

static StepStatus ida_step(Solver *solver, double limit)
{
    Ida *s = (Ida *)solver;
    if (s->failed)
        return STEP_MODEL_FAILED;
    if (s->fresh && limit > solver->t)
        choose_first_step(s, limit);
    IDASetStopTime(s->mem, limit);
    double from = solver->t, to = solver->t;
    int flag = IDASolve(s->mem, limit, &to, s->u.x, s->dy, IDA_ONE_STEP);
    StepStatus status = translate(s, flag);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = flag == IDA_TSTOP_RETURN || to > limit ? limit : to;
    s->fresh = false;
    solver->steps++;
    if (solver->p->ranked)
        find_limiting(s);
    long failures = 0;
    IDAGetNumErrTestFails(s->mem, &failures);
    solver->rejected = s->rejected_before + (uint64_t)failures;
    return sundials_advances(&s->u, from, to) ? STEP_OK : STEP_TOO_SMALL;
}

static void ida_dense(Solver *solver, double t, double *x)
{
    Ida *s = (Ida *)solver;
    N_Vector y = s->u.x;
    if (t != solver->t && !s->fresh && !IDAGetDky(s->mem, t, 0, s->u.error))
        y = s->u.error;
    memcpy(x, N_VGetArrayPointer(y), solver->p->n * sizeof *x);
}

static bool ida_slope(Solver *solver, double t, double *slope)
{
    Ida *s = (Ida *)solver;
    if (s->fresh || !(s->cj > 0) || IDAGetDky(s->mem, t, 1, s->u.error))
        return false;
    memcpy(slope, N_VGetArrayPointer(s->u.error), solver->p->n * sizeof *slope);
    return true;
}

/* In the open form, the rows of states are J - cj, and b is zero in the rows of residuals. */
static double ida_filter(Solver *solver, double *b)
{
    Ida *s = (Ida *)solver;
    uint32_t n = solver->p->n;
    double *right = N_VGetArrayPointer(s->u.weight);
    for (uint32_t i = 0; i < s->u.n; i++)
        right[i] = i < n ? -b[i] : 0;
    if (SUNLinSolSolve(s->u.linear, s->u.matrix, s->u.error, s->u.weight, 0))
        return 0;
    memcpy(b, N_VGetArrayPointer(s->u.error), n * sizeof *b);
    return s->cj;
}

static void ida_destroy(Solver *solver)
{
    Ida *s = (Ida *)solver;
    N_Vector vectors[] = {s->dy, s->id};
    if (s->mem)
        IDAFree(&s->mem);
    for (int i = 0; i < 2; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    sundials_destroy(&s->u);
    memory_free(s);
}

Solver *solver_ida(const Problem *p)
{
    Ida *s = memory_alloc(sizeof *s);
    s->base = (Solver){.p = p,
                       .limiting = UINT32_MAX,
                       .implicit = true,
                       .restart = ida_restart,
                       .step = ida_step,
                       .dense = ida_dense,
                       .slope = ida_slope,
                       .filter = ida_filter,
                       .destroy = ida_destroy};
    if (create_all(s))
        return &s->base;
    ida_destroy(&s->base);
    return NULL;
}

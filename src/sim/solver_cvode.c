/* SUNDIALS' CVODE: backward differentiation formulas with Newton's method and the exact Jacobian, dense for few states,
 * sparse with KLU for many. Roots are not looked for here. */
#include "base/memory.h"
#include "sim/solver.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { DENSE_UP_TO = 30, STANDING = 20 };

typedef struct Cvode {
    Solver base;
    SUNContext context;
    void *mem;
    N_Vector x, work, atol;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    double *values;     /* of the Jacobian, in the order of the problem's pattern */
    uint32_t *position; /* per value: its place in the sparse matrix, which also holds the whole diagonal */
    sunindextype *col_ptr, *row;
    uint64_t rejected_before; /* the last restart */
    uint32_t standing;        /* steps in a row that hardly moved time */
    bool fresh;               /* no step since the last restart */
} Cvode;

static void be_silent(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static int right_side(realtype t, N_Vector x, N_Vector dx, void *user)
{
    const Problem *p = ((Cvode *)user)->base.p;
    return p->f(p->user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

static void fill_dense(const Cvode *s, SUNMatrix matrix)
{
    const Problem *p = s->base.p;
    for (uint32_t j = 0; j < p->n; j++) {
        realtype *column = SUNDenseMatrix_Column(matrix, j);
        memset(column, 0, p->n * sizeof *column);
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++)
            column[p->row[k]] = s->values[k];
    }
}

static void fill_sparse(const Cvode *s, SUNMatrix matrix)
{
    const Problem *p = s->base.p;
    uint32_t n = p->n;
    sunindextype nnz = s->col_ptr[n];
    memcpy(SUNSparseMatrix_IndexPointers(matrix), s->col_ptr, (n + 1) * sizeof *s->col_ptr);
    memcpy(SUNSparseMatrix_IndexValues(matrix), s->row, (size_t)nnz * sizeof *s->row);
    realtype *data = SUNSparseMatrix_Data(matrix);
    memset(data, 0, (size_t)nnz * sizeof *data);
    for (uint32_t k = 0; k < p->col_ptr[n]; k++)
        data[s->position[k]] = s->values[k];
}

static int jacobian(realtype t, N_Vector x, N_Vector fx, SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2,
                    N_Vector w3)
{
    (void)fx, (void)w1, (void)w2, (void)w3;
    Cvode *s = user;
    const Problem *p = s->base.p;
    int status = p->jacobian(p->user, t, N_VGetArrayPointer(x), s->values);
    if (status < 0)
        return status;
    /* Newton's iteration of CVODE never ends where this function asks for another point; without a Jacobian it fails as it
     * should, and the step is tried again with half the size. */
    if (status > 0)
        memset(s->values, 0, p->col_ptr[p->n] * sizeof *s->values);
    if (SUNMatGetID(matrix) == SUNMATRIX_DENSE)
        fill_dense(s, matrix);
    else
        fill_sparse(s, matrix);
    return 0;
}

/* The problem's pattern with the whole diagonal added, as I - γJ needs it. */
static void build_pattern(Cvode *s)
{
    const Problem *p = s->base.p;
    uint32_t n = p->n, nnz = p->col_ptr[n], at = 0;
    s->position = memory_alloc(((size_t)nnz + 1) * sizeof *s->position);
    s->col_ptr = memory_alloc(((size_t)n + 1) * sizeof *s->col_ptr);
    s->row = memory_alloc(((size_t)nnz + n) * sizeof *s->row);
    for (uint32_t j = 0; j < n; j++) {
        bool diagonal = false;
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++) {
            diagonal |= p->row[k] == j;
            s->position[k] = at;
            s->row[at++] = p->row[k];
        }
        if (!diagonal)
            s->row[at++] = j;
        s->col_ptr[j + 1] = at;
    }
}

/* Ordered by AMD: the pattern of an ODE is nearly symmetric, and the fill is known before the factors get their memory, where
 * COLAMD makes KLU ask for ten times the matrix. */
static SUNLinearSolver sparse_linear(Cvode *s)
{
    enum { ORDER_AMD = 0 };
    SUNLinearSolver linear = s->matrix ? SUNLinSol_KLU(s->x, s->matrix, s->context) : NULL;
    if (linear)
        SUNLinSol_KLUSetOrdering(linear, ORDER_AMD);
    return linear;
}

static bool create_linear(Cvode *s)
{
    const Problem *p = s->base.p;
    bool sparse = p->jacobian && p->n > DENSE_UP_TO;
    if (sparse) {
        build_pattern(s);
        s->matrix = SUNSparseMatrix(p->n, p->n, s->col_ptr[p->n], CSC_MAT, s->context);
        s->linear = sparse_linear(s);
    } else {
        s->matrix = SUNDenseMatrix(p->n, p->n, s->context);
        s->linear = s->matrix ? SUNLinSol_Dense(s->x, s->matrix, s->context) : NULL;
    }
    if (!s->linear || CVodeSetLinearSolver(s->mem, s->linear, s->matrix))
        return false;
    return !p->jacobian || !CVodeSetJacFn(s->mem, jacobian);
}

static bool create_all(Cvode *s)
{
    const Problem *p = s->base.p;
    if (SUNContext_Create(NULL, &s->context))
        return false;
    s->x = N_VNew_Serial(p->n, s->context);
    s->atol = N_VNew_Serial(p->n, s->context);
    s->work = N_VNewEmpty_Serial(p->n, s->context);
    s->mem = CVodeCreate(CV_BDF, s->context);
    if (!s->x || !s->atol || !s->work || !s->mem)
        return false;
    memcpy(N_VGetArrayPointer(s->atol), p->atol, p->n * sizeof *p->atol);
    N_VConst(0, s->x);
    bool failed = CVodeSetErrHandlerFn(s->mem, be_silent, NULL) || CVodeInit(s->mem, right_side, 0, s->x) ||
                  CVodeSVtolerances(s->mem, p->rtol, s->atol) || CVodeSetUserData(s->mem, s) ||
                  CVodeSetMaxHnilWarns(s->mem, -1) || CVodeSetMaxErrTestFails(s->mem, 20) ||
                  CVodeSetMaxConvFails(s->mem, 30) || (p->max_step > 0 && CVodeSetMaxStep(s->mem, p->max_step));
    return !failed && create_linear(s);
}

static void cvode_restart(Solver *solver, double t, const double *x)
{
    Cvode *s = (Cvode *)solver;
    solver->t0 = solver->t = t;
    s->fresh = true;
    s->rejected_before = solver->rejected;
    memcpy(N_VGetArrayPointer(s->x), x, solver->p->n * sizeof *x);
    CVodeReInit(s->mem, t, s->x);
}

static void find_limiting(Cvode *s)
{
    N_Vector weight = N_VClone(s->x), error = N_VClone(s->x);
    if (weight && error && !CVodeGetErrWeights(s->mem, weight) && !CVodeGetEstLocalErrors(s->mem, error)) {
        const double *w = N_VGetArrayPointer(weight), *e = N_VGetArrayPointer(error);
        double worst = -1;
        for (uint32_t i = 0; i < s->base.p->n; i++)
            if (fabs(w[i] * e[i]) > worst) {
                worst = fabs(w[i] * e[i]);
                s->base.limiting = i;
            }
    }
    if (weight)
        N_VDestroy(weight);
    if (error)
        N_VDestroy(error);
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
    int flag = CVode(s->mem, limit, s->x, &to, CV_ONE_STEP);
    StepStatus status = translate(s, flag);
    if (status != STEP_OK)
        return status;
    solver->t0 = from;
    solver->t = flag == CV_TSTOP_RETURN || to > limit ? limit : to;
    s->fresh = false;
    solver->steps++;
    long failures = 0;
    CVodeGetNumErrTestFails(s->mem, &failures);
    solver->rejected = s->rejected_before + (uint64_t)failures;
    s->standing = to - from < solver_resolution(from) ? s->standing + 1 : 0;
    return s->standing < STANDING ? STEP_OK : STEP_TOO_SMALL;
}

static void cvode_dense(Solver *solver, double t, double *x)
{
    Cvode *s = (Cvode *)solver;
    bool known = t == solver->t || s->fresh;
    if (!known) {
        N_VSetArrayPointer(x, s->work);
        known = CVodeGetDky(s->mem, t, 0, s->work) != CV_SUCCESS;
    }
    if (known)
        memcpy(x, N_VGetArrayPointer(s->x), solver->p->n * sizeof *x);
}

static void cvode_destroy(Solver *solver)
{
    Cvode *s = (Cvode *)solver;
    if (s->mem)
        CVodeFree(&s->mem);
    if (s->linear)
        SUNLinSolFree(s->linear);
    if (s->matrix)
        SUNMatDestroy(s->matrix);
    N_Vector vectors[] = {s->x, s->atol, s->work};
    for (int i = 0; i < 3; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    if (s->context)
        SUNContext_Free(&s->context);
    memory_free(s->values);
    memory_free(s->position);
    memory_free(s->col_ptr);
    memory_free(s->row);
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
    if (p->jacobian)
        s->values = memory_alloc(((size_t)p->col_ptr[p->n] + 1) * sizeof *s->values);
    if (create_all(s))
        return &s->base;
    cvode_destroy(&s->base);
    return NULL;
}

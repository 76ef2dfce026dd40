/* What is tried for a nonlinear block when Newton's method fails from all starts: KINSOL's line search, then a homotopy of our own. */
#include "runtime/internal.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* ---- KINSOL ---- */

typedef struct Kinsol {
    Runtime *rt;
    Block *b;
    SUNContext context;
    void *mem;
    N_Vector x, x_scale, r_scale;
    SUNMatrix matrix;
    SUNLinearSolver linear;
} Kinsol;

static void be_silent(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static int system_function(N_Vector x, N_Vector r, void *user)
{
    const Kinsol *k = user;
    solve_restore(k->rt, k->b, N_VGetArrayPointer(x));
    int status = solve_evaluate(k->rt, k->b);
    memcpy(N_VGetArrayPointer(r), k->rt->m.r, k->b->n * sizeof(double));
    return status == MODEL_OK ? 0 : status == MODEL_INTERRUPTED ? -1 : 1;
}

static int jacobian_function(N_Vector x, N_Vector r, SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2)
{
    (void)r, (void)w1, (void)w2;
    const Kinsol *k = user;
    solve_restore(k->rt, k->b, N_VGetArrayPointer(x));
    int status = solve_evaluate(k->rt, k->b);
    for (uint32_t j = 0; status == MODEL_OK && j < k->b->n; j++) {
        jacobian_column(k->rt, k->b, j);
        memcpy(SUNDenseMatrix_Column(matrix, j), k->rt->m.r, k->b->n * sizeof(double));
    }
    return status == MODEL_OK ? 0 : 1;
}

static bool kinsol_create(Kinsol *k)
{
    sunindextype n = k->b->n;
    if (SUNContext_Create(NULL, &k->context)) {
        return false;
    }
    k->x = N_VNew_Serial(n, k->context);
    k->x_scale = N_VNew_Serial(n, k->context);
    k->r_scale = N_VNew_Serial(n, k->context);
    k->matrix = SUNDenseMatrix(n, n, k->context);
    k->mem = KINCreate(k->context);
    if (k->x == NULL || k->x_scale == NULL || k->r_scale == NULL || k->matrix == NULL || k->mem == NULL) {
        return false;
    }
    k->linear = SUNLinSol_Dense(k->x, k->matrix, k->context);
    return k->linear != NULL && KINSetErrHandlerFn(k->mem, be_silent, NULL) == 0 &&
           KINSetUserData(k->mem, k) == 0 && KINInit(k->mem, system_function, k->x) == 0 &&
           KINSetLinearSolver(k->mem, k->linear, k->matrix) == 0 &&
           KINSetJacFn(k->mem, jacobian_function) == 0 && KINSetFuncNormTol(k->mem, 1e-9) == 0;
}

static void kinsol_destroy(Kinsol *k)
{
    if (k->mem != NULL) {
        KINFree(&k->mem);
    }
    if (k->linear != NULL) {
        SUNLinSolFree(k->linear);
    }
    if (k->matrix != NULL) {
        SUNMatDestroy(k->matrix);
    }
    N_Vector vectors[] = {k->x, k->x_scale, k->r_scale};
    for (int i = 0; i < 3; i++) {
        if (vectors[i] != NULL) {
            N_VDestroy(vectors[i]);
        }
    }
    if (k->context != NULL) {
        SUNContext_Free(&k->context);
    }
}

int rescue_by_kinsol(Runtime *rt, Block *b)
{
    if (b->n > RESCUE_LIMIT) {
        return MODEL_NO_CONVERGENCE;
    }
    Kinsol k = {.rt = rt, .b = b};
    solve_start_anew(rt, b);
    bool ok = kinsol_create(&k);
    for (uint32_t i = 0; ok && i < b->n; i++) {
        N_VGetArrayPointer(k.x)[i] = rt->m.v[b->code->vars[i]];
        N_VGetArrayPointer(k.x_scale)[i] = 1.0 / b->nominal[i];
        N_VGetArrayPointer(k.r_scale)[i] = 1.0 / b->scale[i];
    }
    ok = ok && KINSol(k.mem, k.x, KIN_LINESEARCH, k.x_scale, k.r_scale) >= 0;
    if (ok) {
        solve_restore(rt, b, N_VGetArrayPointer(k.x));
    }
    kinsol_destroy(&k);
    b->factored = false;
    return ok ? solve_iterate(rt, b, true) : MODEL_NO_CONVERGENCE;
}

/* ---- homotopy ---- */

/* From F(x) = (1 - λ) F(x0), which x0 solves for λ = 0, to λ = 1 in steps that adapt (Newton's homotopy). */
int rescue_by_homotopy(Runtime *rt, Block *b)
{
    double at = 0.0, step = 0.1;
    solve_start_anew(rt, b);
    int status = solve_evaluate(rt, b);
    memcpy(rt->shift, rt->m.r, b->n * sizeof *rt->shift);
    solve_keep(rt, b, rt->path);
    while (status == MODEL_OK && at < 1.0) {
        double next = fmin(1.0, at + step);
        rt->shift_by = 1.0 - next;
        b->factored = false;
        status = solve_iterate(rt, b, true);
        if (status == MODEL_OK) {
            at = next;
            step *= 2.0;
            solve_keep(rt, b, rt->path);
        } else if (step > 1e-4 && status != MODEL_INTERRUPTED) {
            solve_restore(rt, b, rt->path);
            step /= 4.0;
            status = MODEL_OK;
        }
    }
    rt->shift_by = 0.0;
    return status;
}

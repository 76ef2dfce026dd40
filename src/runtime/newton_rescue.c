/* What is tried for a nonlinear block when Newton's method fails from all starts: KINSOL's line
 * search, then a homotopy of our own. */
#include "runtime/internal.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
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

static int jacobian_function(N_Vector x, N_Vector r, SUNMatrix matrix, void *user, N_Vector w1,
                             N_Vector w2)
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
    if (k->x == NULL || k->x_scale == NULL || k->r_scale == NULL || k->matrix == NULL ||
        k->mem == NULL) {
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

/* The curve F(x) = (1 - λ) F(x0) leads from x0 at λ = 0 to solutions at λ = 1 (Newton's homotopy).
 * It is followed by its length, so that it may turn back in λ: a damped Newton's method follows it
 * as well, but ends where it turns. x is measured in units of nominal + |x0|. */
typedef struct Curve {
    Runtime *rt;
    Block *b;
    double *unit;        /* of x; size n, as all below */
    double *x, *tangent; /* at the last point */
    double *a, *v;       /* -J⁻¹ H and -J⁻¹ F(x0) */
    double at, slope;    /* λ of the last point, and its change along the tangent */
} Curve;

enum { CURVE_STEPS = 400, CURVE_ITERATIONS = 8, CURVE_EASY = 4 };
static const double CURVE_TOLERANCE = 1e-7, CURVE_SHORTEST = 1e-8;

static double curve_product(const Curve *c, const double *p, const double *q)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < c->b->n; i++) {
        sum += p[i] * q[i] / (c->unit[i] * c->unit[i]);
    }
    return sum;
}

/* Residuals H at the present x and at λ into m.r, factors there. */
static int curve_evaluate(Curve *c, double at)
{
    c->rt->shift_by = 1.0 - at;
    int status = solve_evaluate(c->rt, c->b);
    if (status != MODEL_OK) {
        return status;
    }
    memcpy(c->a, c->rt->m.r, c->b->n * sizeof *c->a);
    status = jacobian_factor(c->rt, c->b);
    if (status != MODEL_OK) {
        return status;
    }
    memcpy(c->v, c->rt->shift, c->b->n * sizeof *c->v);
    jacobian_solve(c->rt, c->b, c->a);
    jacobian_solve(c->rt, c->b, c->v);
    return MODEL_OK;
}

/* Onto the curve, across the tangent, from the present x and *at. The number of iterations, 0 for
 * none that leads there. */
static int curve_correct(Curve *c, double *at)
{
    for (int k = 1; k <= CURVE_ITERATIONS; k++) {
        if (curve_evaluate(c, *at) != MODEL_OK) {
            return 0;
        }
        double along =
            -curve_product(c, c->tangent, c->a) / (curve_product(c, c->tangent, c->v) + c->slope);
        double size = fabs(along);
        *at += along;
        for (uint32_t i = 0; i < c->b->n; i++) {
            double dx = c->a[i] + along * c->v[i];
            c->rt->m.v[c->b->code->vars[i]] += dx;
            size = fmax(size, fabs(dx) / c->unit[i]);
        }
        if (!isfinite(size)) {
            return 0;
        }
        if (size <= CURVE_TOLERANCE) {
            return k;
        }
    }
    return 0;
}

/* The direction at the present point, where c->v belongs to it: as before, or at first that of
 * `sign` in λ. */
static void curve_turn(Curve *c, double sign)
{
    double same = sign != 0.0 ? sign : curve_product(c, c->tangent, c->v) + c->slope;
    double length = sqrt(1.0 + curve_product(c, c->v, c->v));
    c->slope = (same < 0.0 ? -1.0 : 1.0) / length;
    for (uint32_t i = 0; i < c->b->n; i++) {
        c->tangent[i] = c->v[i] * c->slope;
    }
}

/* Along the curve, first to growing or falling λ; the present x is near a solution where λ has come
 * to 1. */
static int curve_follow(Curve *c, double sign)
{
    double step = 0.1;
    solve_start_anew(c->rt, c->b);
    solve_keep(c->rt, c->b, c->x);
    c->at = 0.0;
    int status = curve_evaluate(c, 0.0);
    curve_turn(c, sign);
    for (int k = 0; status == MODEL_OK && k < CURVE_STEPS && c->at < 1.0; k++) {
        double at = c->at + step * c->slope;
        for (uint32_t i = 0; i < c->b->n; i++) {
            c->rt->m.v[c->b->code->vars[i]] = c->x[i] + step * c->tangent[i];
        }
        int iterations = curve_correct(c, &at);
        if (iterations == 0) {
            step /= 4.0;
            status = step < CURVE_SHORTEST ? MODEL_NO_CONVERGENCE : MODEL_OK;
            continue;
        }
        step = iterations <= CURVE_EASY ? 2.0 * step : step;
        c->at = at;
        solve_keep(c->rt, c->b, c->x);
        curve_turn(c, 0.0);
    }
    return status == MODEL_OK && !(c->at >= 1.0) ? MODEL_NO_CONVERGENCE : status;
}

static int curve_solve(Curve *c)
{
    int status = MODEL_NO_CONVERGENCE;
    for (double sign = 1.0; status != MODEL_OK && sign >= -1.0; sign -= 2.0) {
        status = curve_follow(c, sign);
        c->rt->shift_by = 0.0;
        c->b->factored = false;
        status = status == MODEL_OK ? solve_iterate(c->rt, c->b, true) : status;
    }
    return status;
}

int rescue_by_homotopy(Runtime *rt, Block *b)
{
    size_t n = b->n;
    double *work = n <= RESCUE_LIMIT ? calloc(5 * n + 1, sizeof *work) : NULL;
    if (work == NULL) {
        return MODEL_NO_CONVERGENCE;
    }
    Curve c = {.rt = rt, .b = b, .unit = work, .x = work + n, .tangent = work + 2 * n};
    c.a = work + 3 * n;
    c.v = work + 4 * n;
    solve_start_anew(rt, b);
    int status = solve_evaluate(rt, b);
    memcpy(rt->shift, rt->m.r, n * sizeof *rt->shift);
    solve_keep(rt, b, c.x);
    for (size_t i = 0; i < n; i++) {
        c.unit[i] = b->nominal[i] + fabs(c.x[i]);
    }
    status = status == MODEL_OK ? curve_solve(&c) : status;
    free(work);
    return status;
}

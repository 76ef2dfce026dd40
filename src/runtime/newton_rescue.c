/* The homotopy that is tried for a nonlinear block when Newton's method fails from all starts. */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The curve F(x) = (1 - λ) F(x0) leads from x0 at λ = 0 to solutions at λ = 1 (Newton's homotopy).
 * It is followed by its arc length, so that it may turn back in λ. A damped Newton method also
 * follows it, but ends at the first turning point. x is measured in units of nominal + |x0|. */
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

/* Goes from the present x and *at onto the curve, across the tangent. Returns the number of
 * iterations, 0 if they do not converge. */
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

/* The direction at the present point, to which c->v belongs. It continues the last direction; the
 * first one has `sign` in λ. */
static void curve_turn(Curve *c, double sign)
{
    double same = sign != 0.0 ? sign : curve_product(c, c->tangent, c->v) + c->slope;
    double length = sqrt(1.0 + curve_product(c, c->v, c->v));
    c->slope = (same < 0.0 ? -1.0 : 1.0) / length;
    for (uint32_t i = 0; i < c->b->n; i++) {
        c->tangent[i] = c->v[i] * c->slope;
    }
}

/* Along the curve, first with growing or falling λ; if λ has reached 1, the present x is near a
 * solution. */
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

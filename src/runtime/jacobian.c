/* Jacobians of torn blocks, from the block's tangent. Small blocks are dense; sparse_jacobian.c has
 * those of large ones. */
#include "runtime/internal.h"

#include <math.h>
#include <string.h>

void jacobian_clear_seeds(Runtime *rt, const Block *b)
{
    for (uint32_t j = 0; j < b->n; j++) {
        rt->m.dv[b->code->vars[j]] = 0.0;
    }
}

/* Column j into m.r. */
static void unit_column(Runtime *rt, const Block *b, uint32_t j)
{
    rt->m.dv[b->code->vars[j]] = 1.0;
    b->code->tangent(&rt->m);
    rt->m.dv[b->code->vars[j]] = 0.0;
}

/* ---- scaling: rows by their largest entry times nominal values ---- */

void jacobian_begin_scale(Block *b)
{
    memset(b->scale, 0, b->n * sizeof *b->scale);
}

void jacobian_note_entry(Block *b, uint32_t i, double scaled)
{
    double x = fabs(scaled);
    b->scale[i] = x > b->scale[i] ? x : b->scale[i];
}

void jacobian_end_scale(Block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        b->scale[i] = b->scale[i] > 0.0 ? b->scale[i] : 1.0;
    }
}

/* ---- dense ---- */

bool jacobian_dense(Runtime *rt, Block *b, double *a)
{
    uint32_t n = b->n;
    bool finite = true;
    jacobian_clear_seeds(rt, b);
    jacobian_begin_scale(b);
    for (uint32_t j = 0; j < n; j++) {
        unit_column(rt, b, j);
        double *column = a + (size_t)j * n;
        for (uint32_t i = 0; i < n; i++) {
            column[i] = rt->m.r[i] * b->nominal[j];
            finite = finite && isfinite(column[i]);
            jacobian_note_entry(b, i, column[i]);
        }
    }
    jacobian_end_scale(b);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            a[(size_t)j * n + i] /= b->scale[i];
        }
    }
    return finite;
}

/* ---- both ---- */

int jacobian_factor(Runtime *rt, Block *b)
{
    rt->stats.jacobians++;
    rt->stats.factorizations++;
    b->stats.factorizations++;
    b->factored = b->exact = false;
    int status = MODEL_OK;
    if (b->lu == NULL) {
        status = sparse_factor(rt, b);
    } else if (!jacobian_dense(rt, b, b->lu)) {
        status = MODEL_NOT_FINITE;
    } else if (!dense_factor(b->n, b->lu, b->pivot)) {
        status = MODEL_SINGULAR;
    }
    b->factored = b->exact = status == MODEL_OK;
    return status;
}

void jacobian_solve(Runtime *rt, Block *b, double *r)
{
    (void)rt;
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = -r[i] / b->scale[i];
    }
    if (b->lu != NULL) {
        dense_solve(b->n, b->lu, b->pivot, r);
    } else {
        sparse_solve(b, r);
    }
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] *= b->nominal[i];
    }
}

static bool column_is_zero(uint32_t n, const double *column)
{
    for (uint32_t i = 0; i < n; i++) {
        if (column[i] != 0.0) {
            return false;
        }
    }
    return true;
}

/* Between events, relations keep their value a little beyond their zeros, and a coefficient that
 * has reached zero stays there. The remaining residual is then an error of the integrator, not of
 * the block. */
static double slack(const Runtime *rt)
{
    return rt->m.event ? rt->tolerance : rt->tolerance / RUNTIME_SHARE;
}

/* kept[j] if column j of the matrix is zero, otherwise 0. */
static void keep_open(const Runtime *rt, const Block *b, double *kept)
{
    for (uint32_t j = 0; j < b->n; j++) {
        kept[j] = column_is_zero(b->n, rt->matrix + (size_t)j * b->n) ? kept[j] : 0.0;
    }
}

int jacobian_rescue(Runtime *rt, Block *b, double *r, double *kept)
{
    if (b->n > RESCUE_LIMIT || !jacobian_dense(rt, b, rt->matrix)) {
        return MODEL_SINGULAR;
    }
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = -r[i] / b->scale[i];
        size = fabs(r[i]) > size ? fabs(r[i]) : size;
    }
    if (kept != NULL) {
        keep_open(rt, b, kept);
    }
    double left =
        dense_min_norm(b->n, rt->matrix, r, DENSE_SINGULAR, rt->work, rt->order, &rt->rank);
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = r[i] * b->nominal[i] + (kept != NULL ? kept[i] : 0.0);
    }
    return left <= 1e-9 * size + slack(rt) ? MODEL_OK : MODEL_SINGULAR;
}

/* Σ|a_ij·x_j| of row i, at least 1. */
static double row_terms(const Runtime *rt, const Block *b, uint32_t i)
{
    double sum = 0.0;
    for (uint32_t j = 0; j < b->n; j++) {
        double x = rt->m.v[b->code->vars[j]] / b->nominal[j];
        sum += fabs(rt->matrix[(size_t)j * b->n + i] * b->scale[i] * x);
    }
    return sum > 1.0 ? sum : 1.0;
}

bool jacobian_solved(Runtime *rt, Block *b, double limit)
{
    bool small = true, solved = true;
    memcpy(rt->r, rt->m.r, b->n * sizeof *rt->r);
    for (uint32_t i = 0; i < b->n; i++) {
        solved = solved && fabs(rt->r[i]) <= limit * b->scale[i];
        small = small && fabs(rt->r[i]) <= limit;
    }
    if (!solved || small || b->n > RESCUE_LIMIT) {
        return solved;
    }
    solved = jacobian_dense(rt, b, rt->matrix);
    for (uint32_t i = 0; i < b->n && solved; i++) {
        solved = fabs(rt->r[i]) <= limit * row_terms(rt, b, i);
    }
    memcpy(rt->m.r, rt->r, b->n * sizeof *rt->r);
    return solved;
}

void jacobian_open(const Runtime *rt, const Block *b, uint32_t i, double *x)
{
    const double *null = rt->matrix + (size_t)(rt->rank + i) * b->n;
    memset(x, 0, b->n * sizeof *x);
    for (uint32_t k = 0; k < rt->rank; k++) {
        x[rt->order[k]] = -null[k] * b->nominal[rt->order[k]];
    }
    x[rt->order[rt->rank + i]] = b->nominal[rt->order[rt->rank + i]];
}

bool jacobian_null(Runtime *rt, Block *b, double *rows, double *columns)
{
    uint32_t n = b->n;
    if (n == 0 || n > RESCUE_LIMIT || !jacobian_dense(rt, b, rt->matrix)) {
        return false;
    }
    double *transposed = rt->work;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            transposed[(size_t)i * n + j] = rt->matrix[(size_t)j * n + i];
        }
    }
    return dense_null(n, rt->matrix, columns, rt->order) &&
           dense_null(n, transposed, rows, rt->order);
}

/* Jacobians of torn blocks, from the block's tangent. Small blocks are dense. For large blocks,
 * columns that share no row are computed together, and KLU factors with an ordering that is kept.
 */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

struct Sparse {
    int *Ap, *Ai; /* by columns */
    double *Ax;
    /* size n; the matrix has column j divided by column[j], so that pivots can be compared */
    double *column;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

static void clear_seeds(Runtime *rt, const Block *b)
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

static void begin_scale(Block *b)
{
    memset(b->scale, 0, b->n * sizeof *b->scale);
}

static void note_entry(Block *b, uint32_t i, double scaled)
{
    double x = fabs(scaled);
    b->scale[i] = x > b->scale[i] ? x : b->scale[i];
}

static void end_scale(Block *b)
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
    clear_seeds(rt, b);
    begin_scale(b);
    for (uint32_t j = 0; j < n; j++) {
        unit_column(rt, b, j);
        double *column = a + (size_t)j * n;
        for (uint32_t i = 0; i < n; i++) {
            column[i] = rt->m.r[i] * b->nominal[j];
            finite = finite && isfinite(column[i]);
            note_entry(b, i, column[i]);
        }
    }
    end_scale(b);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            a[(size_t)j * n + i] /= b->scale[i];
        }
    }
    return finite;
}

/* ---- sparse ---- */

static void sparse_free(Sparse *s)
{
    if (s == NULL) {
        return;
    }
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    free(s->Ap);
    free(s->Ai);
    free(s->Ax);
    free(s->column);
    free(s);
}

void jacobian_free(Block *b)
{
    sparse_free(b->sparse);
    b->sparse = NULL;
}

static Sparse *sparse_new(const Block *b)
{
    const ModelBlockCode *code = b->code;
    Sparse *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    klu_defaults(&s->common);
    uint32_t nnz = code->col_ptr[b->n];
    s->Ap = malloc(((size_t)b->n + 1) * sizeof *s->Ap);
    s->Ai = malloc(((size_t)nnz + 1) * sizeof *s->Ai);
    s->Ax = malloc(((size_t)nnz + 1) * sizeof *s->Ax);
    s->column = calloc((size_t)b->n + 1, sizeof *s->column);
    if (s->Ap == NULL || s->Ai == NULL || s->Ax == NULL || s->column == NULL) {
        sparse_free(s);
        return NULL;
    }
    for (uint32_t j = 0; j <= b->n; j++) {
        s->Ap[j] = (int)code->col_ptr[j];
    }
    for (uint32_t k = 0; k < nnz; k++) {
        s->Ai[k] = (int)code->row[k];
    }
    s->symbolic = klu_analyze((int)b->n, s->Ap, s->Ai, &s->common);
    return s;
}

static void sparse_build(Runtime *rt, Block *b)
{
    Sparse *s = b->sparse;
    clear_seeds(rt, b);
    for (uint32_t c = 0; c < b->code->n_colours; c++) {
        for (uint32_t j = 0; j < b->n; j++) {
            rt->m.dv[b->code->vars[j]] = b->code->colour[j] == c ? 1.0 : 0.0;
        }
        b->code->tangent(&rt->m);
        for (uint32_t j = 0; j < b->n; j++) {
            for (int k = s->Ap[j]; b->code->colour[j] == c && k < s->Ap[j + 1]; k++) {
                s->Ax[k] = rt->m.r[s->Ai[k]] * b->nominal[j];
            }
        }
    }
}

/* Rows by their largest entry, then columns by theirs. False if an entry is not finite. */
static bool sparse_scale(Block *b)
{
    Sparse *s = b->sparse;
    begin_scale(b);
    for (int k = 0; k < s->Ap[b->n]; k++) {
        if (!isfinite(s->Ax[k])) {
            return false;
        }
        note_entry(b, (uint32_t)s->Ai[k], s->Ax[k]);
    }
    end_scale(b);
    for (uint32_t j = 0; j < b->n; j++) {
        double largest = 0.0;
        for (int k = s->Ap[j]; k < s->Ap[j + 1]; k++) {
            s->Ax[k] /= b->scale[s->Ai[k]];
            largest = fabs(s->Ax[k]) > largest ? fabs(s->Ax[k]) : largest;
        }
        s->column[j] = largest > 0.0 ? largest : 1.0;
        for (int k = s->Ap[j]; k < s->Ap[j + 1]; k++) {
            s->Ax[k] /= s->column[j];
        }
    }
    return true;
}

static int sparse_factor(Runtime *rt, Block *b)
{
    if (b->sparse == NULL && (b->sparse = sparse_new(b)) == NULL) {
        return MODEL_NO_MEMORY;
    }
    sparse_build(rt, b);
    clear_seeds(rt, b);
    Sparse *s = b->sparse;
    if (!sparse_scale(b)) {
        return MODEL_NOT_FINITE;
    }
    if (s->symbolic == NULL) {
        return MODEL_SINGULAR;
    }
    if (s->numeric != NULL &&
        klu_refactor(s->Ap, s->Ai, s->Ax, s->symbolic, s->numeric, &s->common) &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > 1e-12) {
        return MODEL_OK;
    }
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->Ap, s->Ai, s->Ax, s->symbolic, &s->common);
    bool regular = s->numeric != NULL && klu_rcond(s->symbolic, s->numeric, &s->common) &&
                   s->common.rcond > 1e-15;
    return regular ? MODEL_OK : MODEL_SINGULAR;
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
        klu_solve(b->sparse->symbolic, b->sparse->numeric, (int)b->n, 1, r, &b->sparse->common);
        for (uint32_t i = 0; i < b->n; i++) {
            r[i] /= b->sparse->column[i];
        }
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
    double left = dense_min_norm(b->n, rt->matrix, r, rt->work, rt->order, &rt->rank);
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = r[i] * b->nominal[i] + (kept != NULL ? kept[i] : 0.0);
    }
    return left <= 1e-9 * size + slack(rt) ? MODEL_OK : MODEL_SINGULAR;
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

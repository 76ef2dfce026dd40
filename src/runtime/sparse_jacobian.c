/* Jacobians of large blocks: columns that share no row are computed together, and KLU factors with
 * an ordering that is kept. */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
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

static void free_parts(Sparse *s)
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

void sparse_free(Block *b)
{
    free_parts(b->sparse);
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
        free_parts(s);
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
    jacobian_clear_seeds(rt, b);
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
    jacobian_begin_scale(b);
    for (int k = 0; k < s->Ap[b->n]; k++) {
        if (!isfinite(s->Ax[k])) {
            return false;
        }
        jacobian_note_entry(b, (uint32_t)s->Ai[k], s->Ax[k]);
    }
    jacobian_end_scale(b);
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

int sparse_factor(Runtime *rt, Block *b)
{
    if (b->sparse == NULL && (b->sparse = sparse_new(b)) == NULL) {
        return MODEL_NO_MEMORY;
    }
    sparse_build(rt, b);
    jacobian_clear_seeds(rt, b);
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

void sparse_solve(Block *b, double *r)
{
    klu_solve(b->sparse->symbolic, b->sparse->numeric, (int)b->n, 1, r, &b->sparse->common);
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] /= b->sparse->column[i];
    }
}

/* Jacobians of torn blocks, from the block's tangent: dense for small blocks; for large ones the pattern is found once by unit
 * seeds, columns that share no row are seeded together, and KLU factors. A check with a random seed finds a pattern that has grown. */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

struct Sparse {
    int *Ap, *Ai; /* by columns */
    double *Ax;
    double *column; /* size n; the matrix holds column j divided by column[j], so that pivots can be compared */
    uint32_t *colour; /* size n */
    uint32_t n_colours;
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

/* Scaled by columns with nominal values, by rows with `scale`. */
static bool dense_build(Runtime *rt, Block *b, double *a)
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
    free(s->colour);
    free(s);
}

void jacobian_free(Block *b)
{
    sparse_free(b->sparse);
    b->sparse = NULL;
}

/* Entries of all columns, one seed at a time. */
static bool sparse_probe(Runtime *rt, Block *b, Sparse *s)
{
    size_t cap = (size_t)b->n * 4, nnz = 0;
    s->Ai = malloc(cap * sizeof *s->Ai);
    clear_seeds(rt, b);
    for (uint32_t j = 0; j < b->n && s->Ai != NULL; j++) {
        unit_column(rt, b, j);
        s->Ap[j] = (int)nnz;
        for (uint32_t i = 0; i < b->n; i++) {
            if (rt->m.r[i] == 0.0) {
                continue;
            }
            if (nnz == cap) {
                int *larger = realloc(s->Ai, 2 * cap * sizeof *s->Ai);
                if (larger == NULL) {
                    return false;
                }
                s->Ai = larger;
                cap *= 2;
            }
            s->Ai[nnz++] = (int)i;
        }
    }
    s->Ap[b->n] = (int)nnz;
    s->Ax = malloc((nnz + 1) * sizeof *s->Ax);
    return s->Ai != NULL && s->Ax != NULL;
}

/* The pattern by rows: columns of row i are column[start[i] … start[i + 1]), ascending. start: n + 2, zeroed. */
static void by_rows(const Sparse *s, uint32_t n, uint32_t *start, uint32_t *column)
{
    for (int k = 0; k < s->Ap[n]; k++) {
        start[s->Ai[k] + 2]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        start[i + 2] += start[i + 1];
    }
    for (uint32_t j = 0; j < n; j++) {
        for (int k = s->Ap[j]; k < s->Ap[j + 1]; k++) {
            column[start[s->Ai[k] + 1]++] = j;
        }
    }
}

/* Greedy: each column takes the first colour that none of its rows has seen. used: size n + 1. */
static void choose_colours(Sparse *s, uint32_t n, const uint32_t *start, const uint32_t *column, uint32_t *used)
{
    memset(used, 0xFF, ((size_t)n + 1) * sizeof *used);
    s->n_colours = 0;
    for (uint32_t j = 0; j < n; j++) {
        for (int k = s->Ap[j]; k < s->Ap[j + 1]; k++) {
            for (uint32_t q = start[s->Ai[k]]; column[q] < j; q++) {
                used[s->colour[column[q]]] = j;
            }
        }
        uint32_t c = 0;
        while (used[c] == j) {
            c++;
        }
        s->colour[j] = c;
        s->n_colours = c + 1 > s->n_colours ? c + 1 : s->n_colours;
    }
}

static bool sparse_colour(const Block *b, Sparse *s)
{
    uint32_t n = b->n;
    uint32_t *start = calloc((size_t)n + 2, sizeof *start), *used = malloc(((size_t)n + 1) * sizeof *used);
    uint32_t *column = malloc(((size_t)s->Ap[n] + 1) * sizeof *column);
    bool ok = start != NULL && column != NULL && used != NULL;
    if (ok) {
        by_rows(s, n, start, column);
        choose_colours(s, n, start, column, used);
    }
    free(start);
    free(column);
    free(used);
    return ok;
}

static Sparse *sparse_new(Runtime *rt, Block *b)
{
    Sparse *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    klu_defaults(&s->common);
    s->Ap = calloc((size_t)b->n + 1, sizeof *s->Ap);
    s->colour = calloc((size_t)b->n + 1, sizeof *s->colour);
    s->column = calloc((size_t)b->n + 1, sizeof *s->column);
    if (s->Ap == NULL || s->colour == NULL || s->column == NULL || !sparse_probe(rt, b, s) ||
        !sparse_colour(b, s)) {
        sparse_free(s);
        return NULL;
    }
    s->symbolic = klu_analyze((int)b->n, s->Ap, s->Ai, &s->common);
    return s;
}

static void sparse_build(Runtime *rt, Block *b)
{
    Sparse *s = b->sparse;
    clear_seeds(rt, b);
    for (uint32_t c = 0; c < s->n_colours; c++) {
        for (uint32_t j = 0; j < b->n; j++) {
            rt->m.dv[b->code->vars[j]] = s->colour[j] == c ? 1.0 : 0.0;
        }
        b->code->tangent(&rt->m);
        for (uint32_t j = 0; j < b->n; j++) {
            for (int k = s->Ap[j]; s->colour[j] == c && k < s->Ap[j + 1]; k++) {
                s->Ax[k] = rt->m.r[s->Ai[k]] * b->nominal[j];
            }
        }
    }
}

/* Compares J*w with the tangent in direction w, for a w without structure. */
static bool sparse_agrees(Runtime *rt, Block *b)
{
    const Sparse *s = b->sparse;
    double *sum = rt->x, *size = rt->dx;
    memset(sum, 0, b->n * sizeof *sum);
    memset(size, 0, b->n * sizeof *size);
    uint64_t state = 88172645463325252ULL;
    for (uint32_t j = 0; j < b->n; j++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double w = 0.5 + (double)(state >> 12) * 0x1p-53;
        rt->m.dv[b->code->vars[j]] = w * b->nominal[j];
        for (int k = s->Ap[j]; k < s->Ap[j + 1]; k++) {
            sum[s->Ai[k]] += w * s->Ax[k];
            size[s->Ai[k]] += fabs(w * s->Ax[k]);
        }
    }
    b->code->tangent(&rt->m);
    clear_seeds(rt, b);
    for (uint32_t i = 0; i < b->n; i++) {
        if (!(fabs(rt->m.r[i] - sum[i]) <= 1e-9 * (size[i] + fabs(rt->m.r[i])))) {
            return false;
        }
    }
    return true;
}

/* Rows by their largest entry, then columns by theirs. False where an entry is not finite. */
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
    for (int attempt = 0; attempt < 2; attempt++) {
        if (b->sparse == NULL && (b->sparse = sparse_new(rt, b)) == NULL) {
            return MODEL_NO_MEMORY;
        }
        sparse_build(rt, b);
        if (sparse_agrees(rt, b)) {
            break;
        }
        if (attempt == 0) {
            jacobian_free(b);
        }
    }
    Sparse *s = b->sparse;
    if (!sparse_scale(b)) {
        return MODEL_NOT_FINITE;
    }
    if (s->symbolic == NULL) {
        return MODEL_SINGULAR;
    }
    if (s->numeric != NULL && klu_refactor(s->Ap, s->Ai, s->Ax, s->symbolic, s->numeric, &s->common) &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > 1e-12) {
        return MODEL_OK;
    }
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->Ap, s->Ai, s->Ax, s->symbolic, &s->common);
    bool regular =
        s->numeric != NULL && klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > 1e-15;
    return regular ? MODEL_OK : MODEL_SINGULAR;
}

/* ---- both ---- */

int jacobian_factor(Runtime *rt, Block *b)
{
    rt->stats.jacobians++;
    rt->stats.factorizations++;
    b->factored = b->exact = false;
    int status = MODEL_OK;
    if (b->lu == NULL) {
        status = sparse_factor(rt, b);
    } else if (!dense_build(rt, b, b->lu)) {
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

int jacobian_rescue(Runtime *rt, Block *b, double *r)
{
    if (b->n > RESCUE_LIMIT || !dense_build(rt, b, rt->matrix)) {
        return MODEL_SINGULAR;
    }
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] = -r[i] / b->scale[i];
        size = fabs(r[i]) > size ? fabs(r[i]) : size;
    }
    uint32_t rank;
    double left = dense_min_norm(b->n, rt->matrix, r, rt->work, rt->order, &rank);
    for (uint32_t i = 0; i < b->n; i++) {
        r[i] *= b->nominal[i];
    }
    return left <= 1e-9 * size + rt->tolerance ? MODEL_OK : MODEL_SINGULAR;
}

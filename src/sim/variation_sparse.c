/* The linear system of a collocation step with a sparse Jacobian, by KLU: three by three blocks
 * with the pattern of the Jacobian, and the diagonal. */
#include "sim/variation_internal.h"

#include <klu.h>
#include <math.h>

#define ROOT6 2.449489742783178098197284
const double variation_radau[3][3] = {
    {(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225},
    {(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225},
    {(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9},
};

static const double SAME = 1e-3; /* tolerances by which an entry may differ from the last one */

struct SparseStep {
    const ModeProgram *program; /* whose pattern it is */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int *column, *row; /* Ap, Ai */
    int *entry;        /* per row index: the entry in the pattern of the Jacobian, or -1 */
    double *value;
    double *jacobian, h; /* of the last factorization: Jacobians of the three points, step */
    bool good;           /* it can be used */
};
typedef struct SparseStep SparseStep;

void variation_sparse_free(Variation *w)
{
    SparseStep *s = w->sparse;
    if (!s)
        return;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    memory_free(s->column);
    memory_free(s->row);
    memory_free(s->entry);
    memory_free(s->value);
    memory_free(s->jacobian);
    memory_free(s);
    w->sparse = NULL;
}

/* The rows of column j of block column b, in rising order, with their entries of the Jacobian. */
static int put_column(const Problem *p, int n, int b, int j, int *row, int *entry)
{
    int count = 0;
    for (int a = 0; a < 3; a++) {
        bool diagonal = a != b; /* already there, or not in this block */
        for (uint32_t k = p->col_ptr[j]; k < p->col_ptr[j + 1]; k++) {
            int i = (int)p->row[k];
            if (!diagonal && i >= j) {
                diagonal = true;
                if (i > j) {
                    entry[count] = -1;
                    row[count++] = a * n + j;
                }
            }
            entry[count] = (int)k;
            row[count++] = a * n + i;
        }
        if (!diagonal) {
            entry[count] = -1;
            row[count++] = a * n + j;
        }
    }
    return count;
}

static void analyse(Variation *w, const Problem *p)
{
    const ModeProgram *prog = w->s->prog;
    int n = (int)prog->n, at = 0;
    SparseStep *s = w->sparse = memory_alloc(sizeof *s);
    *s = (SparseStep){.program = prog};
    klu_defaults(&s->common);
    size_t most = 9 * (size_t)p->col_ptr[n] + 3 * (size_t)n + 1;
    s->column = memory_alloc((3 * (size_t)n + 1) * sizeof *s->column);
    s->row = memory_alloc(most * sizeof *s->row);
    s->entry = memory_alloc(most * sizeof *s->entry);
    s->value = memory_alloc(most * sizeof *s->value);
    s->jacobian = memory_alloc((3 * (size_t)p->col_ptr[n] + 1) * sizeof *s->jacobian);
    for (int b = 0; b < 3; b++)
        for (int j = 0; j < n; j++) {
            s->column[b * n + j] = at;
            at += put_column(p, n, b, j, s->row + at, s->entry + at);
        }
    s->column[3 * n] = at;
    s->symbolic = klu_analyze(3 * n, s->column, s->row, &s->common);
}

/* With the pivots of the last step, if they are still good. */
static bool factor(SparseStep *s)
{
    static const double GOOD = 1e-10; /* reciprocal condition of the pivots */
    klu_common *common = &s->common;
    if (s->numeric && klu_refactor(s->column, s->row, s->value, s->symbolic, s->numeric, common) &&
        common->status == KLU_OK && klu_rcond(s->symbolic, s->numeric, common) &&
        common->rcond > GOOD)
        return true;
    klu_free_numeric(&s->numeric, common);
    s->numeric = s->symbolic ? klu_factor(s->column, s->row, s->value, s->symbolic, common) : NULL;
    return s->numeric && common->status == KLU_OK;
}

/* Whether the last factorization has the matrix of a step of length h: linear models with equal
 * steps need no other. */
static bool is_same(const Variation *w, const Problem *p, double h)
{
    const SparseStep *s = w->sparse;
    double equal = SAME * w->s->run.options->tolerance;
    size_t n = 3 * (size_t)p->col_ptr[w->s->prog->n];
    bool same = s->good && fabs(h - s->h) <= equal * h;
    for (size_t k = 0; k < n && same; k++)
        same = fabs(w->jacobian[k] - s->jacobian[k]) <= equal * fabs(s->jacobian[k]);
    return same;
}

static void fill(Variation *w, const Problem *p, double h)
{
    SparseStep *s = w->sparse;
    int n = (int)w->s->prog->n;
    size_t entries = p->col_ptr[n];
    memcpy(s->jacobian, w->jacobian, 3 * entries * sizeof *s->jacobian);
    s->h = h;
    for (int b = 0; b < 3; b++) {
        const double *jacobian = w->jacobian + (size_t)b * entries;
        for (int c = b * n; c < (b + 1) * n; c++)
            for (int k = s->column[c], a = 0; k < s->column[c + 1]; k++) {
                while (s->row[k] >= (a + 1) * n)
                    a++;
                double value = s->entry[k] < 0 ? 0 : jacobian[s->entry[k]];
                s->value[k] = (s->row[k] == c) - h * variation_radau[a][b] * value;
            }
    }
}

bool variation_is_sparse(const Variation *w, const Problem *p)
{
    enum { LEAST = 8 };
    size_t n = w->s->prog->n;
    return p && n >= LEAST && 4 * (size_t)p->col_ptr[n] <= n * n;
}

bool variation_sparse_factor(Variation *w, const Problem *p, double h)
{
    if (!variation_is_sparse(w, p))
        return false;
    if (w->sparse && w->sparse->program != w->s->prog)
        variation_sparse_free(w);
    if (!w->sparse)
        analyse(w, p);
    SparseStep *s = w->sparse;
    if (is_same(w, p, h))
        return true;
    fill(w, p, h);
    s->good = factor(s);
    return s->good;
}

void variation_sparse_solve(Variation *w, double *r)
{
    SparseStep *s = w->sparse;
    klu_solve(s->symbolic, s->numeric, s->symbolic->n, 1, r, &s->common);
}

/* Elimination on the Jacobian of constraints, by sparse rows.
 *
 * In: entries with a value, and whether that is a constant of the model. Out: after each pivot the rows that are left, as if the pivot's
 * column had been solved for. An entry made from constants alone stays constant and vanishes where it cancels; any other stays
 * in the pattern whatever its value, since it may be different elsewhere. */
#include "structure/structure.h"

#include <math.h>

static const double zero_fraction = 1e-10;

void pivots_start(Pivots *w, uint32_t n_rows, uint32_t n_cols)
{
    *w = (Pivots){.n_rows = n_rows, .n_cols = n_cols};
    w->rows = memory_alloc(((size_t)n_rows + 1) * sizeof *w->rows);
    w->col_rows = memory_alloc(((size_t)n_cols + 1) * sizeof *w->col_rows);
    w->pivot_col = memory_alloc(((size_t)n_rows + 1) * sizeof *w->pivot_col);
    w->pivot_row = memory_alloc(((size_t)n_cols + 1) * sizeof *w->pivot_row);
    w->place = memory_alloc(((size_t)n_cols + 1) * sizeof *w->place);
    for (uint32_t i = 0; i < n_rows; i++)
        w->pivot_col[i] = NONE;
    for (uint32_t j = 0; j < n_cols; j++)
        w->pivot_row[j] = w->place[j] = NONE;
}

void pivots_end(Pivots *w)
{
    for (uint32_t i = 0; i < w->n_rows; i++)
        vec_free(&w->rows[i]);
    for (uint32_t j = 0; j < w->n_cols; j++)
        vec_free(&w->col_rows[j]);
    memory_free(w->rows);
    memory_free(w->col_rows);
    memory_free(w->pivot_col);
    memory_free(w->pivot_row);
    memory_free(w->place);
    vec_free(&w->done);
}

void pivots_enter(Pivots *w, uint32_t row, PivotEntry e)
{
    vec_push(&w->rows[row], e);
    vec_push(&w->col_rows[e.col], row);
}

const PivotEntry *pivots_at(const Pivots *w, uint32_t row, uint32_t col)
{
    for (uint32_t k = 0; k < w->rows[row].n; k++)
        if (w->rows[row].at[k].col == col)
            return &w->rows[row].at[k];
    return NULL;
}

/* row r minus f times the pivot's row; the pivot's column leaves r. */
static void subtract(Pivots *w, uint32_t r, uint32_t pivot, const PivotEntry *at, const PivotEntry *p)
{
    double f = at->value / p->value;
    bool constant = at->constant && p->constant;
    uint32_t col = p->col;
    for (uint32_t k = 0; k < w->rows[r].n; k++)
        w->place[w->rows[r].at[k].col] = k;
    uint32_t n_before = w->rows[r].n;
    for (uint32_t k = 0; k < w->rows[pivot].n; k++) {
        PivotEntry e = w->rows[pivot].at[k];
        w->work++;
        if (e.col == col)
            continue;
        if (w->place[e.col] == NONE) {
            pivots_enter(w, r, (PivotEntry){e.col, constant && e.constant, -f * e.value});
            continue;
        }
        PivotEntry *x = &w->rows[r].at[w->place[e.col]];
        double size = fmax(fabs(x->value), fabs(f * e.value));
        x->value -= f * e.value;
        x->constant &= constant && e.constant;
        if (x->constant && fabs(x->value) <= zero_fraction * size)
            x->value = 0;
    }
    for (uint32_t k = 0; k < n_before; k++)
        w->place[w->rows[r].at[k].col] = NONE;
}

/* Removes the pivot's column and constants that cancelled. */
static void tidy(Pivots *w, uint32_t r, uint32_t col)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->rows[r].n; k++) {
        PivotEntry e = w->rows[r].at[k];
        if (e.col != col && !(e.constant && e.value == 0))
            w->rows[r].at[n++] = e;
    }
    w->rows[r].n = n;
}

void pivots_eliminate(Pivots *w, uint32_t row, uint32_t col)
{
    PivotEntry p = *pivots_at(w, row, col);
    w->pivot_col[row] = col;
    w->pivot_row[col] = row;
    vec_push(&w->done, col);
    for (uint32_t i = 0; i < w->col_rows[col].n; i++) {
        uint32_t r = w->col_rows[col].at[i];
        const PivotEntry *at = w->pivot_col[r] == NONE ? pivots_at(w, r, col) : NULL;
        if (!at)
            continue;
        PivotEntry e = *at;
        subtract(w, r, row, &e, &p);
        tidy(w, r, col);
    }
}

void pivots_release(Pivots *w, uint32_t row)
{
    w->pivot_row[w->pivot_col[row]] = NONE;
    w->pivot_col[row] = NONE;
}

void pivots_reduce(Pivots *w, uint32_t row)
{
    for (uint32_t i = 0; i < w->done.n; i++) {
        uint32_t col = w->done.at[i], by = w->pivot_row[col];
        const PivotEntry *at = by == NONE ? NULL : pivots_at(w, row, col);
        if (!at)
            continue;
        PivotEntry e = *at, p = *pivots_at(w, by, col);
        subtract(w, row, by, &e, &p);
        tidy(w, row, col);
    }
}

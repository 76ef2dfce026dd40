/* Elimination on the Jacobian of constraints, by sparse rows.
 *
 * In: entries with a value, and whether it is a constant of the model. Out: after each pivot the
 * remaining rows, as if the pivot's column had been solved for. An entry made only from constants
 * stays constant and disappears if it cancels. Any other entry stays in the pattern, even if its
 * value is zero, because it may differ later.
 *
 * A step costs as much as the pivot's row and the other one, if that is short. A long row is looked
 * up by an index. So a chain of constraints, each of which depends on all before it, takes the
 * square of its length. */
#include "structure/states/states.h"

#include <math.h>

static const double zero_fraction = 1e-10;
enum { LONG_ROW = 64 };

void pivots_start(Pivots *w, uint32_t n_rows, uint32_t n_cols)
{
    *w = (Pivots){.n_rows = n_rows, .n_cols = n_cols};
    w->rows = memory_alloc(((size_t)n_rows + 1) * sizeof *w->rows);
    w->index = memory_alloc(((size_t)n_rows + 1) * sizeof *w->index);
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
    for (uint32_t i = 0; i < w->n_rows; i++) {
        vec_free(&w->rows[i]);
        map_free(&w->index[i]);
    }
    for (uint32_t j = 0; j < w->n_cols; j++)
        vec_free(&w->col_rows[j]);
    memory_free(w->rows);
    memory_free(w->index);
    memory_free(w->col_rows);
    memory_free(w->pivot_col);
    memory_free(w->pivot_row);
    memory_free(w->place);
    vec_free(&w->done);
    vec_free(&w->gone);
}

void pivots_enter(Pivots *w, uint32_t row, PivotEntry e)
{
    PivotRow *r = &w->rows[row];
    vec_push(r, e);
    vec_push(&w->col_rows[e.col], row);
    if (w->index[row].cap)
        map_put(&w->index[row], e.col, r->n - 1);
    else
        for (uint32_t k = 0; r->n > LONG_ROW && k < r->n; k++)
            map_put(&w->index[row], r->at[k].col, k);
}

const PivotEntry *pivots_at(const Pivots *w, uint32_t row, uint32_t col)
{
    if (w->index[row].cap) {
        uint32_t k = map_get(&w->index[row], col);
        return k == MAP_NONE ? NULL : &w->rows[row].at[k];
    }
    for (uint32_t k = 0; k < w->rows[row].n; k++)
        if (w->rows[row].at[k].col == col)
            return &w->rows[row].at[k];
    return NULL;
}

/* Places of the row's columns in w->place, or NONE again. Long rows have their index. */
static void set_places(Pivots *w, uint32_t r, uint32_t n, bool away)
{
    for (uint32_t k = 0; k < n; k++)
        w->place[w->rows[r].at[k].col] = away ? NONE : k;
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

/* The same for a long row; the last entry replaces a removed one. */
static void tidy_long(Pivots *w, uint32_t r, uint32_t col)
{
    PivotRow *row = &w->rows[r];
    vec_push(&w->gone, col);
    for (uint32_t i = 0; i < w->gone.n; i++) {
        uint32_t k = map_get(&w->index[r], w->gone.at[i]);
        PivotEntry last = vec_pop(row);
        map_put(&w->index[r], last.col, k);
        map_put(&w->index[r], w->gone.at[i], MAP_NONE);
        if (k < row->n)
            row->at[k] = last;
    }
}

/* Row r, which has the value of `at` in the pivot's column, minus a multiple of the pivot's row;
 * the column disappears from it. */
static void subtract(Pivots *w, uint32_t r, uint32_t pivot, PivotEntry at, PivotEntry p)
{
    double f = at.value / p.value;
    bool constant = at.constant && p.constant, is_long = w->index[r].cap;
    uint32_t n_before = is_long ? 0 : w->rows[r].n;
    set_places(w, r, n_before, false);
    vec_clear(&w->gone);
    for (uint32_t k = 0; k < w->rows[pivot].n; k++) {
        PivotEntry e = w->rows[pivot].at[k];
        w->work++;
        if (e.col == p.col)
            continue;
        uint32_t place = is_long ? map_get(&w->index[r], e.col) : w->place[e.col];
        if (place == NONE) {
            pivots_enter(w, r, (PivotEntry){e.col, constant && e.constant, -f * e.value});
            continue;
        }
        PivotEntry *x = &w->rows[r].at[place];
        double size = fmax(fabs(x->value), fabs(f * e.value));
        x->value -= f * e.value;
        x->constant &= constant && e.constant;
        if (x->constant && fabs(x->value) <= zero_fraction * size) {
            x->value = 0;
            vec_push(&w->gone, e.col);
        }
    }
    set_places(w, r, n_before, true);
    if (w->index[r].cap)
        tidy_long(w, r, p.col);
    else
        tidy(w, r, p.col);
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
        subtract(w, r, row, *at, p);
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
        subtract(w, row, by, *at, *pivots_at(w, by, col));
    }
}

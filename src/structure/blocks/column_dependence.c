/* Which columns a variable depends on, and patterns of Jacobians with their colouring.
 *
 * Each variable has the set of columns it depends on, as a sorted list. Variables with one relevant
 * operand share the list of that operand. If all lists together exceed a bound, longer ones are
 * widened to "all columns". Colours: greedy, columns of high degree first, ties by index (Curtis,
 * Powell and Reid 1974; Coleman and Moré 1983). */
#include "structure/blocks/blocks.h"

#include <stdlib.h>

enum { MOST_ITEMS = 200 * 1000 * 1000, MOST_VISITS = 500 * 1000 * 1000 };

void depend_start(Depend *w, const Dae *d, uint32_t n_columns)
{
    *w = (Depend){.d = d, .n_columns = n_columns};
    w->of = memory_alloc(((size_t)d->vars.n + 1) * sizeof *w->of);
    w->seen = memory_alloc(((size_t)n_columns + 1) * sizeof *w->seen);
}

void depend_end(Depend *w)
{
    memory_free(w->of);
    memory_free(w->seen);
    vec_free(&w->items);
    vec_free(&w->gathered);
}

void depend_seed(Depend *w, VarId v, uint32_t column)
{
    w->of[v] = (ColumnSet){w->items.n, 1};
    vec_push(&w->items, column);
}

/* ---- gathering ---- */

static uint64_t item_limit(const Depend *w)
{
    uint64_t limit = (uint64_t)w->n_columns * 200 + 1000000;
    return limit < MOST_ITEMS ? limit : MOST_ITEMS;
}

void depend_begin(Depend *w)
{
    w->stamp++;
    w->n_sets = 0;
    w->all = false;
    vec_clear(&w->gathered);
}

static void depend_gather(Depend *w, ColumnSet s)
{
    if (s.n == NONE)
        w->all = true;
    if (s.n == 0 || w->all)
        return;
    if (w->n_sets == 0)
        w->only = s;
    if (w->n_sets == 0 || s.n > w->largest.n)
        w->largest = s;
    if (w->n_sets == 0 || s.at != w->only.at || s.n != w->only.n)
        w->n_sets++;
    else
        return;
    for (uint32_t i = 0; i < s.n; i++) {
        uint32_t x = w->items.at[s.at + i];
        if (w->seen[x] == w->stamp)
            continue;
        w->seen[x] = w->stamp;
        vec_push(&w->gathered, x);
    }
}

static void gather_holes(Depend *w, Term t, ExprId e)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(w->d->symbolic, e, &n);
    for (uint32_t k = 0; k < n; k++)
        depend_gather(w, w->of[dae_op(w->d, t, holes[k])]);
}

/* The call of a function with rows whose element the shape is, and the row; EXPR_NONE. */
static ExprId row_of_call(const Graph *g, ExprId shape, const FnRows **rows, uint32_t *row)
{
    if (expr_op(g, shape) != OP_INDEX || expr_n(g, shape) != 2)
        return EXPR_NONE;
    ExprId call = expr_arg(g, shape, 0), at = expr_arg(g, shape, 1);
    if (expr_op(g, call) != OP_CALL || expr_op(g, at) != OP_INT)
        return EXPR_NONE;
    *rows = g->functions.at[expr_index(g, call)]->rows;
    int64_t k = expr_int_value(g, at) - 1;
    if (!*rows || k < 0 || k >= (*rows)->n || (*rows)->input >= expr_n(g, call))
        return EXPR_NONE;
    *row = (uint32_t)k;
    return expr_op(g, expr_arg(g, call, (*rows)->input)) == OP_ARRAY ? call : EXPR_NONE;
}

static void gather_row(Depend *w, Term t, ExprId vector, const FnRows *rows, uint32_t row)
{
    const Graph *g = w->d->g;
    for (uint32_t k = rows->start[row]; k < rows->start[row + 1]; k++)
        if (rows->items[k] >= expr_n(g, vector))
            gather_holes(w, t, vector);
        else
            gather_holes(w, t, expr_arg(g, vector, rows->items[k]));
}

static void gather_shape(Depend *w, Term t, ExprId shape)
{
    const Graph *g = w->d->g;
    const FnRows *rows;
    uint32_t row;
    ExprId call = row_of_call(g, shape, &rows, &row);
    if (call == EXPR_NONE) {
        gather_holes(w, t, shape);
        return;
    }
    for (uint32_t i = 0; i < expr_n(g, call); i++)
        if (i == rows->input)
            gather_row(w, t, expr_arg(g, call, i), rows, row);
        else
            gather_holes(w, t, expr_arg(g, call, i));
}

void depend_gather_step(Depend *w, const PlanStep *step)
{
    Term t = w->d->eqs.at[step->eq].term;
    gather_shape(w, t, step->value != EXPR_NONE ? step->value : t.shape);
}

void depend_gather_residual(Depend *w, EqId e)
{
    const DaeEq *q = &w->d->eqs.at[e];
    gather_shape(w, q->term, q->term.shape);
    if (q->target != NONE)
        depend_gather(w, w->of[q->target]);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

ColumnSet depend_set(Depend *w)
{
    if (w->all)
        return (ColumnSet){0, NONE};
    if (w->n_sets == 0)
        return (ColumnSet){0, 0};
    if (w->gathered.n == w->largest.n)
        return w->largest;
    if (w->items.n + (uint64_t)w->gathered.n > item_limit(w) && w->gathered.n > 1)
        return (ColumnSet){0, NONE};
    qsort(w->gathered.at, w->gathered.n, sizeof *w->gathered.at, by_value);
    ColumnSet s = {w->items.n, w->gathered.n};
    for (uint32_t i = 0; i < w->gathered.n; i++)
        vec_push(&w->items, w->gathered.at[i]);
    return s;
}

/* ---- by rows, by columns ---- */

typedef struct Rows {
    uint32_t n, n_columns;
    uint32_t *ptr, *col;
} Rows;

static Rows rows_of(const Depend *w, const ColumnSet *sets, uint32_t n, uint32_t first,
                    uint32_t n_columns, uint64_t nnz)
{
    Rows a = {.n = n, .n_columns = n_columns};
    uint32_t at = 0;
    a.ptr = memory_alloc(((size_t)n + 1) * sizeof *a.ptr);
    a.col = memory_alloc((size_t)(nnz + 1) * sizeof *a.col);
    for (uint32_t i = 0; i < n; i++) {
        ColumnSet s = sets[i];
        for (uint32_t k = 0; k < (s.n == NONE ? n_columns : s.n); k++)
            a.col[at++] = s.n == NONE ? k : w->items.at[s.at + k] - first;
        a.ptr[i + 1] = at;
    }
    return a;
}

static void transpose(const Rows *a, PlanJacobian *j, Arena *arena)
{
    uint32_t nnz = a->ptr[a->n];
    j->col_ptr = ARENA_ARRAY(arena, uint32_t, (size_t)a->n_columns + 2);
    j->row = ARENA_ARRAY(arena, uint32_t, (size_t)nnz + 1);
    for (uint32_t k = 0; k < nnz; k++)
        j->col_ptr[a->col[k] + 2]++;
    for (uint32_t c = 0; c < a->n_columns; c++)
        j->col_ptr[c + 2] += j->col_ptr[c + 1];
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = a->ptr[i]; k < a->ptr[i + 1]; k++)
            j->row[j->col_ptr[a->col[k] + 1]++] = i;
}

/* ---- colouring ---- */

/* Columns by falling degree, ties by index; counting sort. */
static uint32_t *by_degree(const PlanJacobian *j, uint32_t n)
{
    uint32_t largest = 0;
    for (uint32_t c = 0; c < n; c++)
        if (j->col_ptr[c + 1] - j->col_ptr[c] > largest)
            largest = j->col_ptr[c + 1] - j->col_ptr[c];
    uint32_t *start = memory_alloc(((size_t)largest + 2) * sizeof *start);
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order);
    for (uint32_t c = 0; c < n; c++)
        start[largest - (j->col_ptr[c + 1] - j->col_ptr[c]) + 1]++;
    for (uint32_t k = 0; k < largest; k++)
        start[k + 1] += start[k];
    for (uint32_t c = 0; c < n; c++)
        order[start[largest - (j->col_ptr[c + 1] - j->col_ptr[c])]++] = c;
    memory_free(start);
    return order;
}

static void colour_greedily(const Rows *a, PlanJacobian *j)
{
    uint32_t *order = by_degree(j, a->n_columns);
    uint32_t *taken = memory_alloc(((size_t)a->n_columns + 1) *
                                   sizeof *taken); /* per colour: last column that met it, + 1 */
    for (uint32_t c = 0; c < a->n_columns; c++)
        j->colour[c] = NONE;
    for (uint32_t i = 0; i < a->n_columns; i++) {
        uint32_t c = order[i], colour = 0;
        for (uint32_t k = j->col_ptr[c]; k < j->col_ptr[c + 1]; k++)
            for (uint32_t m = a->ptr[j->row[k]]; m < a->ptr[j->row[k] + 1]; m++)
                if (j->colour[a->col[m]] != NONE)
                    taken[j->colour[a->col[m]]] = c + 1;
        while (taken[colour] == c + 1)
            colour++;
        j->colour[c] = colour;
        if (colour >= j->n_colours)
            j->n_colours = colour + 1;
    }
    memory_free(order);
    memory_free(taken);
}

/* A full row needs as many colours as there are columns; so may rows that are too wide to be looked
 * at pair by pair. */
static bool needs_all_colours(const Rows *a)
{
    uint64_t visits = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t n = a->ptr[i + 1] - a->ptr[i];
        visits += n * n;
        if (n == a->n_columns || visits > MOST_VISITS)
            return true;
    }
    return false;
}

static void colour_apart(const Rows *a, PlanJacobian *j)
{
    for (uint32_t c = 0; c < a->n_columns; c++)
        j->colour[c] = c;
    j->n_colours = a->n_columns;
}

bool depend_pattern(const Depend *w, const ColumnSet *sets, uint32_t n_rows, uint32_t first,
                    uint32_t n, uint64_t most, Arena *arena, PlanJacobian *out)
{
    uint64_t nnz = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        nnz += sets[i].n == NONE ? n : sets[i].n;
    if (nnz > most)
        return false;
    Rows a = rows_of(w, sets, n_rows, first, n, nnz);
    transpose(&a, out, arena);
    out->colour = ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
    if (needs_all_colours(&a))
        colour_apart(&a, out);
    else
        colour_greedily(&a, out);
    memory_free(a.ptr);
    memory_free(a.col);
    return true;
}

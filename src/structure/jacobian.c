/* Sparsity of the derivatives with respect to the states, and its colouring.
 *
 * In: the main sequence with its uses. Out: Plan.jacobian. Each real unknown carries the set of states it depends on, as a sorted list; unknowns
 * with one operand that matters share the list of that operand. When all lists together outgrow a bound, longer ones are widened to
 * "all states". Colours: greedy, columns of high degree first, ties by index (Curtis, Powell and Reid 1974; Coleman and Moré 1983). */
#include "structure/structure.h"

#include <stdlib.h>

typedef struct Set {
    uint32_t at, n; /* in Sets.items; n = NONE: all states */
} Set;

typedef struct Sets {
    Plan *plan;
    const Dae *d;
    Set *of; /* per variable */
    VEC(uint32_t) items;
    VEC(uint32_t) gathered; /* of the block at work */
    uint32_t *seen;         /* per state: the last block that gathered it */
    uint32_t block;
    Set only;    /* set gathered first, while no second one differs */
    Set largest; /* of those gathered: the union where it is as large */
    uint32_t n_sets;
    bool all;
} Sets;

enum { MOST_ITEMS = 200 * 1000 * 1000, MOST_ENTRIES = 400 * 1000 * 1000, MOST_VISITS = 500 * 1000 * 1000 };

static uint64_t item_limit(const Sets *w)
{
    uint64_t limit = (uint64_t)w->plan->states.n * 200 + 1000000;
    return limit < MOST_ITEMS ? limit : MOST_ITEMS;
}

static void gather(Sets *w, Set s)
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
        if (w->seen[x] == w->block)
            continue;
        w->seen[x] = w->block;
        vec_push(&w->gathered, x);
    }
}

static void gather_term(Sets *w, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        gather(w, w->of[dae_op(w->d, t, k)]);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static Set gathered_set(Sets *w)
{
    if (w->all)
        return (Set){0, NONE};
    if (w->n_sets == 0)
        return (Set){0, 0};
    if (w->gathered.n == w->largest.n)
        return w->largest;
    if (w->items.n + (uint64_t)w->gathered.n > item_limit(w) && w->gathered.n > 1)
        return (Set){0, NONE};
    qsort(w->gathered.at, w->gathered.n, sizeof *w->gathered.at, by_value);
    Set s = {w->items.n, w->gathered.n};
    for (uint32_t i = 0; i < w->gathered.n; i++)
        vec_push(&w->items, w->gathered.at[i]);
    return s;
}

static void begin_set(Sets *w)
{
    w->block++;
    w->n_sets = 0;
    w->all = false;
    vec_clear(&w->gathered);
}

/* In a torn block every unknown depends on whatever any of its equations depends on. */
static void propagate(Sets *w, const PlanBlock *b)
{
    const Plan *p = w->plan;
    begin_set(w);
    for (uint32_t i = 0; i < b->n_steps; i++)
        gather_term(w, w->d->eqs.at[p->steps.at[b->step + i].eq].term);
    for (uint32_t i = 0; i < b->n_torn; i++)
        gather_term(w, w->d->eqs.at[p->torn.at[b->torn + i].eq].term);
    Set s = gathered_set(w);
    for (uint32_t i = 0; i < b->n_steps; i++)
        if (var_is_real(w->d, p->steps.at[b->step + i].var))
            w->of[p->steps.at[b->step + i].var] = s;
    for (uint32_t i = 0; i < b->n_torn; i++)
        w->of[p->torn.at[b->torn + i].var] = s;
}

static void propagate_all(Sets *w)
{
    Plan *p = w->plan;
    for (uint32_t i = 0; i < p->states.n; i++) {
        vec_push(&w->items, i);
        w->of[p->states.at[i].var] = (Set){i, 1};
    }
    for (uint32_t b = p->main.block; b < p->main.block + p->main.n_blocks; b++)
        if (p->blocks.at[b].uses & USE_DERIVATIVE)
            propagate(w, &p->blocks.at[b]);
}

/* ---- by rows, by columns ---- */

typedef struct Pattern {
    uint32_t n;
    uint32_t *row_ptr, *col; /* by rows */
} Pattern;

static uint64_t entries_of(const Sets *w)
{
    uint64_t nnz = 0;
    for (uint32_t i = 0; i < w->plan->states.n; i++) {
        Set s = w->of[w->plan->states.at[i].der];
        nnz += s.n == NONE ? w->plan->states.n : s.n;
    }
    return nnz;
}

static Pattern rows_of(const Sets *w)
{
    const Plan *p = w->plan;
    Pattern a = {.n = p->states.n};
    uint64_t nnz = 0;
    a.row_ptr = memory_alloc(((size_t)a.n + 1) * sizeof *a.row_ptr);
    for (uint32_t i = 0; i < a.n; i++) {
        Set s = w->of[p->states.at[i].der];
        nnz += s.n == NONE ? a.n : s.n;
        a.row_ptr[i + 1] = (uint32_t)nnz;
    }
    a.col = memory_alloc((size_t)(nnz + 1) * sizeof *a.col);
    for (uint32_t i = 0; i < a.n; i++) {
        Set s = w->of[p->states.at[i].der];
        uint32_t *out = a.col + a.row_ptr[i];
        for (uint32_t k = 0; k < (s.n == NONE ? a.n : s.n); k++)
            out[k] = s.n == NONE ? k : w->items.at[s.at + k];
    }
    return a;
}

static void transpose(const Pattern *a, PlanJacobian *j, Arena *arena)
{
    uint32_t nnz = a->row_ptr[a->n];
    j->col_ptr = ARENA_ARRAY(arena, uint32_t, (size_t)a->n + 2);
    j->row = ARENA_ARRAY(arena, uint32_t, (size_t)nnz + 1);
    for (uint32_t k = 0; k < nnz; k++)
        j->col_ptr[a->col[k] + 2]++;
    for (uint32_t c = 0; c < a->n; c++)
        j->col_ptr[c + 2] += j->col_ptr[c + 1];
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
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

static void colour_greedily(const Pattern *a, PlanJacobian *j)
{
    uint32_t *order = by_degree(j, a->n);
    uint32_t *taken =
        memory_alloc(((size_t)a->n + 1) * sizeof *taken); /* per colour: last column that met it, + 1 */
    for (uint32_t c = 0; c < a->n; c++)
        j->colour[c] = NONE;
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t c = order[i], colour = 0;
        for (uint32_t k = j->col_ptr[c]; k < j->col_ptr[c + 1]; k++)
            for (uint32_t m = a->row_ptr[j->row[k]]; m < a->row_ptr[j->row[k] + 1]; m++)
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

/* A full row needs as many colours as there are columns; so may rows that are too wide to be looked at pair by pair. */
static bool needs_all_colours(const Pattern *a)
{
    uint64_t visits = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t n = a->row_ptr[i + 1] - a->row_ptr[i];
        visits += n * n;
        if (n == a->n || visits > MOST_VISITS)
            return true;
    }
    return false;
}

static void colour_apart(const Pattern *a, PlanJacobian *j)
{
    for (uint32_t c = 0; c < a->n; c++)
        j->colour[c] = c;
    j->n_colours = a->n;
}

static void store(const Sets *w, Plan *p)
{
    Pattern a = rows_of(w);
    transpose(&a, &p->jacobian, p->arena);
    p->jacobian.colour = ARENA_ARRAY(p->arena, uint32_t, (size_t)a.n + 1);
    if (needs_all_colours(&a))
        colour_apart(&a, &p->jacobian);
    else
        colour_greedily(&a, &p->jacobian);
    memory_free(a.row_ptr);
    memory_free(a.col);
}

void plan_jacobian(Plan *p)
{
    Sets w = {.plan = p, .d = p->dae};
    w.of = memory_alloc((size_t)p->dae->vars.n * sizeof *w.of);
    w.seen = memory_alloc(((size_t)p->states.n + 1) * sizeof *w.seen);
    propagate_all(&w);
    if (entries_of(&w) <= MOST_ENTRIES)
        store(&w, p);
    memory_free(w.of);
    memory_free(w.seen);
    vec_free(&w.items);
    vec_free(&w.gathered);
}

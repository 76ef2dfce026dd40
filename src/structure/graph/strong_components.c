/* Strong components of equations in order of dependency: Tarjan (1972), iterative, linear.
 *
 * In: Incidence and a matching. An equation depends on the equations that its other variables are
 * matched to. Unmatched variables count as known. Out: equations by component, each component after
 * those it depends on; within a component by index. Depth-first search starts from the equations in
 * order, so ties follow the index. */
#include "structure/graph/graph.h"

#include <stdlib.h>

typedef struct Tarjan {
    const Incidence *a;
    const uint32_t *match, *of_var;
    uint32_t *number;         /* size n_eqs; order of discovery from 1; 0: not yet seen */
    uint32_t *low;            /* size n_eqs; NONE: its component is complete */
    uint32_t *at;             /* size n_eqs; next entry */
    uint32_t *path, n_path;   /* being explored */
    uint32_t *open, n_open;   /* seen, component not complete */
    uint32_t *order, n_order; /* out */
    uint32_t *start, n_start;
    uint32_t counter;
} Tarjan;

static void enter(Tarjan *t, uint32_t e)
{
    t->number[e] = t->low[e] = ++t->counter;
    t->at[e] = t->a->ptr[e];
    t->path[t->n_path++] = e;
    t->open[t->n_open++] = e;
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void close_component(Tarjan *t, uint32_t e)
{
    uint32_t first = t->n_order, x;
    do {
        x = t->open[--t->n_open];
        t->low[x] = NONE;
        t->order[t->n_order++] = x;
    } while (x != e);
    qsort(t->order + first, t->n_order - first, sizeof *t->order, by_value);
    t->start[t->n_start++] = first;
}

/* The next equation that e depends on, or NONE. */
static uint32_t successor(Tarjan *t, uint32_t e)
{
    while (t->at[e] < t->a->ptr[e + 1]) {
        uint32_t f = t->of_var[t->a->var[t->at[e]++]];
        if (f != NONE && f != e)
            return f;
    }
    return NONE;
}

static void explore(Tarjan *t, uint32_t root)
{
    enter(t, root);
    while (t->n_path > 0) {
        uint32_t e = t->path[t->n_path - 1], f = successor(t, e);
        if (f == NONE) {
            uint32_t low = t->low[e];
            t->n_path--;
            if (low == t->number[e])
                close_component(t, e);
            else if (t->low[t->path[t->n_path - 1]] > low)
                t->low[t->path[t->n_path - 1]] = low;
        } else if (!t->number[f]) {
            enter(t, f);
        } else if (t->low[f] != NONE && t->number[f] < t->low[e]) {
            t->low[e] = t->number[f];
        }
    }
}

uint32_t structure_sort(const Incidence *a, const uint32_t *match, uint32_t *order, uint32_t *start)
{
    size_t n = a->n_eqs;
    uint32_t *of_var = memory_alloc((size_t)a->n_vars * sizeof *of_var);
    uint32_t *work = memory_alloc(5 * n * sizeof *work);
    Tarjan t = {.a = a, .match = match, .of_var = of_var, .order = order, .start = start};
    t.number = work;
    t.low = work + n;
    t.at = work + 2 * n;
    t.path = work + 3 * n;
    t.open = work + 4 * n;
    for (uint32_t v = 0; v < a->n_vars; v++)
        of_var[v] = NONE;
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (match[e] != NONE)
            of_var[match[e]] = e;
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (!t.number[e])
            explore(&t, e);
    start[t.n_start] = t.n_order;
    memory_free(of_var);
    memory_free(work);
    return t.n_start;
}

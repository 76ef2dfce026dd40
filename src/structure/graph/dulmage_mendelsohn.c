/* Coarse Dulmage-Mendelsohn decomposition (Dulmage and Mendelsohn 1958; Pothen and Fan 1990).
 *
 * In: Incidence and a maximum matching. Out: the part of every equation and variable. The
 * overdetermined part is reached by alternating paths from unmatched equations, the underdetermined
 * part from unmatched variables; the rest is well determined. */
#include "structure/graph/graph.h"

typedef struct Parts {
    const Incidence *a;
    const uint32_t *match;
    uint32_t *of_var;        /* size n_vars */
    uint32_t *col_ptr, *col; /* the incidence by variables */
    uint32_t *stack;         /* size n_eqs + n_vars */
    uint8_t *eq_part, *var_part;
} Parts;

static void by_columns(Parts *p)
{
    const Incidence *a = p->a;
    uint32_t nnz = incidence_count(a);
    p->col_ptr = memory_alloc(((size_t)a->n_vars + 2) * sizeof *p->col_ptr);
    p->col = memory_alloc((size_t)nnz * sizeof *p->col);
    for (uint32_t i = 0; i < nnz; i++)
        p->col_ptr[a->var[i] + 2]++;
    for (uint32_t v = 0; v < a->n_vars; v++)
        p->col_ptr[v + 1] += p->col_ptr[v];
    for (uint32_t e = 0; e < a->n_eqs; e++)
        for (uint32_t i = a->ptr[e]; i < a->ptr[e + 1]; i++)
            p->col[p->col_ptr[a->var[i] + 1]++] = e;
}

static void spread_over(Parts *p, uint32_t e)
{
    uint32_t n = 0;
    p->stack[n++] = e;
    p->eq_part[e] = 1;
    while (n > 0) {
        e = p->stack[--n];
        for (uint32_t i = p->a->ptr[e]; i < p->a->ptr[e + 1]; i++) {
            uint32_t v = p->a->var[i], f = p->of_var[v];
            p->var_part[v] = 1;
            if (f != NONE && p->eq_part[f] != 1) {
                p->eq_part[f] = 1;
                p->stack[n++] = f;
            }
        }
    }
}

static void spread_under(Parts *p, uint32_t v)
{
    uint32_t n = 0;
    p->stack[n++] = v;
    p->var_part[v] = 2;
    while (n > 0) {
        v = p->stack[--n];
        for (uint32_t i = p->col_ptr[v]; i < p->col_ptr[v + 1]; i++) {
            uint32_t e = p->col[i], w = p->match[e];
            p->eq_part[e] = 2;
            if (w != NONE && p->var_part[w] != 2) {
                p->var_part[w] = 2;
                p->stack[n++] = w;
            }
        }
    }
}

void structure_parts(const Incidence *a, const uint32_t *match, uint8_t *eq_part, uint8_t *var_part)
{
    Parts p = {.a = a, .match = match, .eq_part = eq_part, .var_part = var_part};
    p.of_var = memory_alloc((size_t)a->n_vars * sizeof *p.of_var);
    p.stack = memory_alloc(((size_t)a->n_eqs + a->n_vars) * sizeof *p.stack);
    memset(eq_part, 0, a->n_eqs);
    memset(var_part, 0, a->n_vars);
    for (uint32_t v = 0; v < a->n_vars; v++)
        p.of_var[v] = NONE;
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (match[e] != NONE)
            p.of_var[match[e]] = e;
    by_columns(&p);
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (match[e] == NONE && eq_part[e] == 0)
            spread_over(&p, e);
    for (uint32_t v = 0; v < a->n_vars; v++)
        if (p.of_var[v] == NONE && var_part[v] == 0)
            spread_under(&p, v);
    memory_free(p.of_var);
    memory_free(p.stack);
    memory_free(p.col_ptr);
    memory_free(p.col);
}

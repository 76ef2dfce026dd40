/* Values to choose states by: start values, propagated through the equations.
 *
 * In: the planner's values, which are start values if the model has them. Out: values of further
 * variables, computed by equations with one unknown. A coefficient like sin(phi) in a constraint
 * means little unless its operands are consistent. */
#include "structure/states/states.h"

#include <math.h>

typedef struct Guess {
    Planner *p;
    Dae *d;
    uint8_t *known;        /* per variable */
    uint32_t *left;        /* per equation: unknown operands; NONE for those that do not count */
    uint32_t *ptr, *where; /* equations by variable */
    VEC(EqId) queue;       /* with one unknown left */
} Guess;

static bool counts(const Dae *d, EqId e)
{
    return d->eqs.at[e].origin == DAE_EQ_MODEL && d->eqs.at[e].target == NONE;
}

static void begin(Guess *w)
{
    Dae *d = w->d;
    w->known = memory_alloc((size_t)d->vars.n + 1);
    w->left = memory_alloc(((size_t)d->eqs.n + 1) * sizeof *w->left);
    w->ptr = memory_alloc(((size_t)d->vars.n + 2) * sizeof *w->ptr);
    for (VarId v = 0; v < d->vars.n; v++) {
        const DaeVar *x = &d->vars.at[v];
        w->known[v] = x->kind != DAE_CONTINUOUS || x->has_start;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (EqId e = 0; e < d->eqs.n; e++) {
            Term t = d->eqs.at[e].term;
            for (uint32_t k = 0; counts(d, e) && k < t.n; k++) {
                VarId v = dae_op(d, t, k);
                if (pass == 0)
                    w->ptr[v + 2]++;
                else
                    w->where[w->ptr[v + 1]++] = e;
                w->left[e] += pass == 0 && !w->known[v];
            }
        }
        for (VarId v = 0; pass == 0 && v < d->vars.n; v++)
            w->ptr[v + 2] += w->ptr[v + 1];
        if (pass == 0)
            w->where = memory_alloc(((size_t)w->ptr[d->vars.n + 1] + 1) * sizeof *w->where);
    }
    for (EqId e = 0; e < d->eqs.n; e++)
        if (counts(d, e) && w->left[e] == 1)
            vec_push(&w->queue, e);
}

static void settle(Guess *w, VarId v)
{
    w->known[v] = 1;
    for (uint32_t i = w->ptr[v]; i < w->ptr[v + 1]; i++)
        if (--w->left[w->where[i]] == 1)
            vec_push(&w->queue, w->where[i]);
}

/* The only unknown of the equation, if it can be solved for. */
static void solve(Guess *w, EqId e)
{
    Term t = w->d->eqs.at[e].term;
    uint32_t k = 0;
    while (k < t.n && w->known[dae_op(w->d, t, k)])
        k++;
    if (k == t.n)
        return;
    VarId v = dae_op(w->d, t, k);
    Solution s = symbolic_solve(w->d->symbolic, t.shape, k);
    double x;
    if (s.kind == SOLVE_NO)
        return;
    t.shape = s.value;
    if (dae_eval(w->d, t, w->p->value.at, &x) != EVAL_OK || !isfinite(x))
        return;
    w->p->value.at[v] = x;
    settle(w, v);
}

static void propagate(Guess *w)
{
    while (w->queue.n > 0)
        solve(w, vec_pop(&w->queue));
}

void planner_propagate_start(Planner *p)
{
    Guess w = {.p = p, .d = p->dae};
    begin(&w);
    propagate(&w);
    /* then states without a start value, at their default */
    for (VarId v = 0; v < p->dae->vars.n; v++)
        if (!w.known[v] && p->next.at[v] != NONE) {
            settle(&w, v);
            propagate(&w);
        }
    memory_free(w.known);
    memory_free(w.left);
    memory_free(w.ptr);
    memory_free(w.where);
    vec_free(&w.queue);
}

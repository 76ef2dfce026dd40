/* Which of too many initial conditions to use: those that determine something at the given values.
 *
 * In: the incidence of the initial system with redundant conditions. Out: the incidence without
 * entries whose coefficient is zero at these values. Example: a pendulum that starts level, x = L
 * and y = 0, satisfies x^2 + y^2 = L^2. That equation gives x from y, but not y from x, because 2*y
 * is zero there. Known are parameters, fixed start values, and variables that one initial equation
 * determines. With other values of parameters the plan is no longer valid (PlanAssumption). */
#include "structure/initialization/initialization.h"

typedef struct Known {
    Planner *p;
    const System *s;
    double *value;  /* per variable */
    uint8_t *known; /* per variable */
} Known;

/* The only unknown of an initial equation whose other operands are parameters; its value. */
static void take_equation(Known *w, Term t)
{
    const Dae *d = w->p->dae;
    uint32_t hole = NONE;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        if (system_constant(w->s, d, v))
            continue;
        if (hole != NONE || !var_is_real(d, v))
            return;
        hole = k;
    }
    if (hole == NONE)
        return;
    VarId v = dae_op(d, t, hole);
    Solution sol = symbolic_solve(d->symbolic, t.shape, hole);
    t.shape = sol.value;
    w->known[v] = sol.kind == SOLVE_UNIT && dae_eval(d, t, w->value, &w->value[v]) == EVAL_OK;
}

static void take_conditions(Known *w, uint32_t n_model)
{
    const Dae *d = w->p->dae;
    for (VarId v = 0; v < d->vars.n; v++) {
        w->known[v] = system_constant(w->s, d, v);
        w->value[v] = w->known[v] && v < w->p->value.n ? w->p->value.at[v] : 0;
    }
    for (uint32_t i = n_model; i < w->s->eqs.n; i++) {
        const DaeEq *q = &d->eqs.at[w->s->eqs.at[i]];
        if (q->origin == DAE_EQ_INITIAL && q->target == NONE)
            take_equation(w, q->term);
        else if (q->origin == DAE_EQ_START)
            w->known[q->target] = dae_eval(d, q->term, w->value, &w->value[q->target]) == EVAL_OK;
    }
}

/* Replaces operands that were known by their start values. */
static Term over_start_values(const Known *w, Term t)
{
    Dae *d = w->p->dae;
    VarId *ops = memory_alloc(((size_t)t.n + 1) * sizeof *ops);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        ops[k] = d->vars.at[v].fixed && d->vars.at[v].start != NONE ? d->vars.at[v].start : v;
    }
    Term over = dae_term(d, t.shape, ops, t.n);
    memory_free(ops);
    return over;
}

/* Whether the coefficient of an operand is known and zero. */
static bool vanishes(const Known *w, Term t, uint32_t hole)
{
    Dae *d = w->p->dae;
    Linearity linear = symbolic_linearity(d->symbolic, t.shape, hole);
    uint32_t n;
    double x;
    if (linear != LINEAR_VARYING && linear != LINEAR_NOT)
        return false;
    t.shape = symbolic_diff(d->symbolic, t.shape, hole);
    if (t.shape == EXPR_NONE)
        return false;
    const uint32_t *holes = symbolic_holes(d->symbolic, t.shape, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!w->known[dae_op(d, t, holes[i])])
            return false;
    if (n == 0 || dae_eval(d, t, w->value, &x) != EVAL_OK || x != 0)
        return false;
    vec_push(&w->p->plan->assumptions, ((PlanAssumption){over_start_values(w, t), NONE}));
    return true;
}

static bool entry_vanishes(const Known *w, EqId e, VarId v)
{
    const Dae *d = w->p->dae;
    Term t = d->eqs.at[e].term;
    for (uint32_t k = 0; d->eqs.at[e].target == NONE && k < t.n; k++)
        if (dae_op(d, t, k) == v)
            return vanishes(w, t, k);
    return false;
}

bool drop_vanishing(Planner *p, System *s, uint32_t n_model)
{
    size_t n_vars = (size_t)p->dae->vars.n + 1;
    Known w = {p, s, memory_alloc(n_vars * sizeof *w.value), memory_alloc(n_vars)};
    take_conditions(&w, n_model);
    uint32_t n = 0, first = 0;
    bool any = false;
    for (uint32_t i = 0; i < s->a.n_eqs; i++) {
        for (uint32_t k = first; k < s->a.ptr[i + 1]; k++)
            if (i < n_model && entry_vanishes(&w, s->eqs.at[i], s->vars.at[s->a.var[k]]))
                any = true;
            else
                s->a.var[n++] = s->a.var[k];
        first = s->a.ptr[i + 1];
        s->a.ptr[i + 1] = n;
    }
    memory_free(w.value);
    memory_free(w.known);
    return any;
}

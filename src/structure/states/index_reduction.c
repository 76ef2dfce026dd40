/* Index reduction: which equations must be differentiated (Pantelides 1988).
 *
 * In: the continuous equations of the Dae, with chains of derivatives x, x', x'' … Out: derivatives
 * of equations and variables, appended to the Dae. The equations that were not differentiated
 * further can be solved for the highest derivatives. Planner.next and Planner.prev are the chains.
 *
 * A first maximum matching settles ordinary models in one pass; only the remaining equations are
 * handled one by one. Equations that can be matched but are linearly dependent are combined
 * (linear_combinations.c) and handled again. Termination is checked before: the system in which a
 * variable and its derivatives count as one unknown must be non-singular. */
#include "structure/states/states.h"

typedef struct Pantelides {
    Planner *p;
    Dae *d;
    VEC(EqId) eq_of;                 /* per variable: equation it is assigned to, or NONE */
    VEC(VarId) var_of;               /* per equation */
    VEC(uint32_t) eq_mark, var_mark; /* the last search that saw it */
    VEC(EqId) eqs;                   /* seen by the present search */
    VEC(VarId) vars;
    VEC(EqId) stack;
    VEC(uint32_t) at; /* per depth of the stack: next operand */
    VEC(EqId) queue;  /* unassigned, still to be examined */
    uint32_t stamp;
} Pantelides;

static void cover(Pantelides *w)
{
    planner_cover(w->p);
    while (w->eq_of.n < w->d->vars.n)
        vec_push(&w->eq_of, NONE);
    while (w->var_mark.n < w->d->vars.n)
        vec_push(&w->var_mark, 0);
    while (w->var_of.n < w->d->eqs.n)
        vec_push(&w->var_of, NONE);
    while (w->eq_mark.n < w->d->eqs.n)
        vec_push(&w->eq_mark, 0);
}

/* A highest derivative that is to be solved for. */
static bool is_active(const Pantelides *w, VarId v)
{
    return w->p->role.at[v] == VAR_ROLE_UNKNOWN && var_is_real(w->d, v) && w->p->next.at[v] == NONE;
}

static bool is_continuous_eq(const Dae *d, const DaeEq *e)
{
    return eq_in_main(e) && eq_is_real(d, e);
}

static void shift(Pantelides *w, VarId v)
{
    while (w->stack.n > 0) {
        EqId e = vec_pop(&w->stack);
        VarId old = w->var_of.at[e];
        w->var_of.at[e] = v;
        w->eq_of.at[v] = e;
        v = old;
    }
}

static void see_eq(Pantelides *w, EqId e)
{
    w->eq_mark.at[e] = w->stamp;
    vec_push(&w->eqs, e);
    vec_push(&w->stack, e);
    vec_push(&w->at, 0);
}

/* A free active variable of e, or NONE. */
static VarId free_operand(const Pantelides *w, EqId e)
{
    Term t = w->d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        if (is_active(w, v) && w->eq_of.at[v] == NONE && system_occurs(w->d, t, k))
            return v;
    }
    return NONE;
}

static VarId next_operand(Pantelides *w, EqId e, uint32_t *at)
{
    Term t = w->d->eqs.at[e].term;
    while (*at < t.n) {
        uint32_t k = (*at)++;
        VarId v = dae_op(w->d, t, k);
        if (is_active(w, v) && w->var_mark.at[v] != w->stamp && system_occurs(w->d, t, k))
            return v;
    }
    return NONE;
}

/* Assigns e, or leaves the nodes of the search in w->eqs and w->vars. */
static bool augment(Pantelides *w, EqId root)
{
    w->stamp++;
    vec_clear(&w->eqs);
    vec_clear(&w->vars);
    vec_clear(&w->stack);
    vec_clear(&w->at);
    see_eq(w, root);
    while (w->stack.n > 0) {
        EqId e = vec_last(&w->stack);
        uint32_t depth = w->stack.n - 1;
        VarId v = w->at.at[depth] == 0 ? free_operand(w, e) : NONE;
        if (v != NONE) {
            shift(w, v);
            return true;
        }
        v = next_operand(w, e, &w->at.at[depth]);
        if (v == NONE) {
            w->stack.n--;
            w->at.n--;
            continue;
        }
        w->var_mark.at[v] = w->stamp;
        vec_push(&w->vars, v);
        see_eq(w, w->eq_of.at[v]);
    }
    return false;
}

static bool occurs(const Dae *d, EqId e, VarId v)
{
    Term t = d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++)
        if (dae_op(d, t, k) == v && system_occurs(d, t, k))
            return true;
    return false;
}

static bool differentiate_eqs(Pantelides *w)
{
    for (uint32_t i = 0; i < w->eqs.n; i++) {
        EqId e = w->eqs.at[i];
        if (dae_derivative_eq(w->d, e) == NONE) {
            diag_note(w->d->ctx, w->d->eqs.at[e].span,
                      "its derivative is needed, because the equations constrain states");
            return false;
        }
        vec_push(&w->p->plan->differentiated, e);
    }
    cover(w);
    return true;
}

/* Differentiates all nodes that the failed search saw. Assignments pass on to the derivatives. */
static bool differentiate(Pantelides *w)
{
    for (uint32_t i = 0; i < w->vars.n; i++) {
        VarId v = w->vars.at[i], der = dae_derivative_var(w->d, v);
        cover(w);
        w->p->next.at[v] = der;
        w->p->prev.at[der] = v;
        w->p->role.at[der] = VAR_ROLE_UNKNOWN;
    }
    if (!differentiate_eqs(w))
        return false;
    for (uint32_t i = 0; i < w->vars.n; i++) {
        VarId v = w->vars.at[i], der = w->p->next.at[v];
        EqId e = w->eq_of.at[v], de = w->d->eqs.at[e].der;
        w->var_of.at[e] = NONE;
        if (occurs(w->d, de, der)) {
            w->eq_of.at[der] = de;
            w->var_of.at[de] = der;
        } else {
            vec_push(&w->queue, de);
        }
    }
    return true;
}

static bool reduce_from(Pantelides *w, EqId e)
{
    uint64_t limit = (uint64_t)w->d->eqs.n * 16 + 1000;
    while (!augment(w, e)) {
        if (*w->d->ctx->interrupt)
            return false;
        if (w->d->eqs.n > limit) {
            diag(w->d->ctx, w->d->eqs.at[e].span, DIAG_T001,
                 "differentiating this equation cannot make the model solvable");
            return false;
        }
        if (!differentiate(w))
            return false;
        e = w->d->eqs.at[e].der;
    }
    return true;
}

/* ---- the first matching ---- */

/* Continuous equations against unknowns. chains: a variable and its derivatives are one column;
 * otherwise only highest derivatives. */
static void continuous_system(Planner *p, bool chains, System *s)
{
    Dae *d = p->dae;
    system_start(s, d);
    for (VarId v = 0; v < d->vars.n; v++)
        if (p->role.at[v] == VAR_ROLE_UNKNOWN && var_is_real(d, v) &&
            (chains ? p->prev.at[v] : p->next.at[v]) == NONE)
            system_add_var(s, v);
    for (VarId v = 0; chains && v < d->vars.n; v++) {
        if (s->col[v] == NONE || p->prev.at[v] != NONE)
            continue;
        for (VarId x = p->next.at[v]; x != NONE; x = p->next.at[x])
            s->col[x] = s->col[v];
    }
    for (EqId e = 0; e < d->eqs.n; e++)
        if (is_continuous_eq(d, &d->eqs.at[e]) &&
            (chains ? d->eqs.at[e].of : d->eqs.at[e].der) == NONE)
            vec_push(&s->eqs, e);
    system_incidence(s, d, false);
    s->match = memory_alloc(((size_t)s->eqs.n + 1) * sizeof *s->match);
}

/* True if Pantelides' algorithm ends; otherwise reports the offending part. */
static bool can_be_reduced(Planner *p)
{
    System s;
    continuous_system(p, true, &s);
    uint32_t n = structure_match(&s.a, s.match);
    bool ok = n == s.eqs.n && n == s.vars.n;
    if (!ok)
        report_singular(p->dae, &s.a, s.match, s.eqs.at, s.vars.at, "the model");
    system_end(&s);
    return ok;
}

static void take_over(Pantelides *w, const System *s)
{
    for (uint32_t i = 0; i < s->eqs.n; i++) {
        EqId e = s->eqs.at[i];
        if (s->match[i] == NONE) {
            vec_push(&w->queue, e);
            continue;
        }
        w->var_of.at[e] = s->vars.at[s->match[i]];
        w->eq_of.at[w->var_of.at[e]] = e;
    }
}

static void end(Pantelides *w)
{
    vec_free(&w->eq_of);
    vec_free(&w->var_of);
    vec_free(&w->eq_mark);
    vec_free(&w->var_mark);
    vec_free(&w->eqs);
    vec_free(&w->vars);
    vec_free(&w->stack);
    vec_free(&w->at);
    vec_free(&w->queue);
}

bool index_expands(const Dae *d)
{
    for (EqId e = 0; e < d->eqs.n; e++)
        if (d->eqs.at[e].origin == DAE_EQ_MODEL &&
            symbolic_expand(d->symbolic, d->eqs.at[e].term.shape) != d->eqs.at[e].term.shape)
            return true;
    return false;
}

void index_expand(Dae *d)
{
    for (EqId e = 0; e < d->eqs.n; e++) {
        Term t = d->eqs.at[e].term;
        ExprId shape = symbolic_expand(d->symbolic, t.shape);
        if (shape == t.shape)
            continue;
        VarId *ops = memory_alloc(((size_t)t.n + 1) * sizeof *ops);
        memcpy(ops, d->ops.at + t.ops, t.n * sizeof *ops);
        t = dae_term(d, shape, ops, t.n);
        d->eqs.at[e].term = t;
        memory_free(ops);
    }
}

/* One pass. *again: dependent equations were combined, so more must be differentiated. */
static bool reduce(Planner *p, bool *again)
{
    Pantelides w = {.p = p, .d = p->dae};
    System s;
    continuous_system(p, false, &s);
    uint32_t n = structure_match(&s.a, s.match);
    bool ok = (n == s.eqs.n && n == s.vars.n) || can_be_reduced(p);
    *again = ok;
    if (ok && n < s.eqs.n) {
        cover(&w);
        take_over(&w, &s);
        for (uint32_t i = 0; ok && i < w.queue.n; i++)
            ok = reduce_from(&w, w.queue.at[i]);
    } else if (ok) {
        *again = !p->separate && linear_combine_matched(p, &s);
        p->combined |= *again;
    }
    system_end(&s);
    end(&w);
    return ok;
}

bool index_reduce(Planner *p)
{
    enum { MOST_ROUNDS = 100 };
    bool ok = true, again = true;
    for (int i = 0; i < MOST_ROUNDS && ok && again; i++)
        ok = reduce(p, &again);
    if (ok)
        index_expand(p->dae);
    return ok;
}

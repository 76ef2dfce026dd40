/* Variables of other types than Real that change between events.
 *
 * Fields of records that are not Reals may do so. A function of continuous arguments returns the
 * whole record, such as the state of a medium with its phase. So may the results of functions:
 * events inside them are not seen. Where such a value is the condition of a when-clause, a relation
 * watches it: its crossing function is 1 if the value is true, and -1 otherwise. */
#include "dae/lower/lower.h"

#include "expr/walk.h"

bool expr_is_discrete(Lower *L, ExprId e)
{
    uint32_t mark = L->d->ops.n;
    bool discrete = term_is_discrete(L->d, shape_term(L->d, e));
    L->d->ops.n = mark;
    return discrete;
}

bool varies_between(Lower *L, Span span, VarId v)
{
    diag(L->ctx, span, DIAG_D011,
         "%s changes only at events, but the expression that defines it changes between events (a "
         "relation under noEvent, or a continuous variable outside a relation)",
         dae_var_name(L->d, v, L->scratch));
    return false;
}

/* Whether v, which is not a Real, may change between events. */
static bool may_follow(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return (x->kind == DAE_DISCRETE || x->kind == DAE_FOLLOWING) && x->type != DAE_REAL &&
           x->flat != NONE;
}

typedef struct Variation {
    const Lower *L;
    const Dae *d;
    Map seen;
} Variation;

static Walk look_for_variation(void *user, ExprId e)
{
    Variation *w = user;
    const Graph *g = w->d->g;
    if (expr_op(g, e) == OP_CALL || map_get(&w->seen, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&w->seen, e, 1);
    VarId v = expr_op(g, e) == OP_HOLE ? expr_index(g, e) : NONE;
    const DaeVar *x = v == NONE ? NULL : &w->d->vars.at[v];
    bool varies = x && is_continuous(w->d, v) &&
                  (x->kind != DAE_FOLLOWING || w->L->flat->vars.at[x->flat].nondiscrete);
    return varies ? WALK_END : WALK_ON;
}

/* Whether e changes between events only because it calls functions. */
static bool only_calls_vary(const Lower *L, ExprId e)
{
    Variation w = {.L = L, .d = L->d};
    bool only = expr_walk_down(L->g, e, look_for_variation, &w);
    map_free(&w.seen);
    return only;
}

bool variable_follows(Lower *L, VarId v, ExprId e)
{
    const FlatVar *f = may_follow(L->d, v) ? &L->flat->vars.at[L->d->vars.at[v].flat] : NULL;
    return f && (f->is_field || f->nondiscrete || only_calls_vary(L, e));
}

/* ---- conditions ---- */

bool lower_event_condition(Lower *L, ExprId c, ExprId *out)
{
    *out = c;
    if (expr_is_discrete(L, c))
        return true;
    if (!only_calls_vary(L, c))
        return false;
    ExprId z = expr_if(L->g, c, expr_real(L->g, 1.0), expr_real(L->g, -1.0));
    return lower_relation(L, OP_GT, z, expr_real(L->g, 0.0), LOWER_EVENTS, out);
}

/* The condition of equation e depends on a following variable. */
static bool watch_condition(Lower *L, EqId e)
{
    const DaeEq *q = &L->d->eqs.at[e];
    ExprId c;
    L->span = q->span;
    L->component = q->component;
    ExprId *with = ARENA_ARRAY(L->scratch, ExprId, q->term.n + 1);
    for (uint32_t k = 0; k < q->term.n; k++)
        with[k] = hole_of(L->d, dae_op(L->d, q->term, k));
    ExprId condition = symbolic_substitute(L->d->symbolic, q->term.shape, with, q->term.n);
    if (!lower_event_condition(L, condition, &c))
        return varies_between(L, q->span, q->target);
    L->d->eqs.at[e].term = shape_term(L->d, c);
    return true;
}

/* ---- spreading ---- */

static bool has_following(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (d->vars.at[dae_op(d, t, k)].kind == DAE_FOLLOWING)
            return true;
    return false;
}

bool spread_following(Lower *L)
{
    Dae *d = L->d;
    bool ok = true;
    for (bool more = true; more && ok;) {
        more = false;
        for (EqId e = 0; e < d->eqs.n && ok; e++) {
            const DaeEq *q = &d->eqs.at[e];
            bool given = q->origin == DAE_EQ_MODEL || q->origin == DAE_EQ_CONDITION;
            if (!given || q->target == NONE || d->vars.at[q->target].kind != DAE_DISCRETE ||
                !has_following(d, q->term))
                continue;
            more = true;
            if (q->origin == DAE_EQ_CONDITION) {
                ok = watch_condition(L, e);
                continue;
            }
            ok = may_follow(d, q->target) || varies_between(L, q->span, q->target);
            if (ok)
                d->vars.at[q->target].kind = DAE_FOLLOWING;
        }
    }
    return ok;
}

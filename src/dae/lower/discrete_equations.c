/* Equations for Integers, Booleans and enumerations without a fixed unknown. They may define one of
 * several variables, or no variable is alone on one side: a = b, not b = …, n + m = 5. They are
 * solved for a variable that no other equation defines, once all equations are known. */
#include "dae/lower/lower.h"

typedef struct Occurrences {
    const Graph *g;
    VarId var;
    bool found;
} Occurrences;

static void note_occurrence(void *user, ExprId e)
{
    Occurrences *o = user;
    o->found |= expr_op(o->g, e) == OP_HOLE && expr_index(o->g, e) == o->var;
}

static bool occurs(const Lower *L, VarId v, ExprId e)
{
    Occurrences o = {.g = L->g, .var = v};
    expr_walk(L->g, e, note_occurrence, &o);
    return o.found;
}

/* sum = value as an equation for the only term in which v occurs; false if there are several. */
static bool isolate_term(Lower *L, VarId v, ExprId *sum, ExprId *value)
{
    ExprId term = EXPR_NONE, rest = *value;
    for (uint32_t i = 0; i < expr_n(L->g, *sum); i++) {
        ExprId e = expr_arg(L->g, *sum, i);
        if (!occurs(L, v, e))
            rest = expr_sub(L->g, rest, e);
        else if (term)
            return false;
        else
            term = e;
    }
    *sum = term;
    *value = rest;
    return true;
}

/* The value of v by the equation lhs = rhs; EXPR_NONE if inverting `not`, signs and sums does not
 * isolate v. */
static ExprId isolate(Lower *L, VarId v, ExprId lhs, ExprId rhs)
{
    bool left = occurs(L, v, lhs);
    ExprId side = left ? lhs : rhs, value = left ? rhs : lhs;
    if (occurs(L, v, value))
        return EXPR_NONE;
    while (expr_op(L->g, side) != OP_HOLE) {
        ExprOp op = expr_op(L->g, side);
        if (op == OP_ADD) {
            if (!isolate_term(L, v, &side, &value))
                return EXPR_NONE;
            continue;
        }
        if (op != OP_NOT && op != OP_NEG)
            return EXPR_NONE;
        value = op == OP_NOT ? expr_not(L->g, value) : expr_neg(L->g, value);
        side = expr_arg(L->g, side, 0);
    }
    return value;
}

typedef VEC(VarId) Vars;

/* Variables that the equation lhs = rhs may define: those that can be isolated, under not, signs
 * and sums; each once. */
static void find_candidates(Lower *L, ExprId e, ExprId lhs, ExprId rhs, Vars *out)
{
    ExprOp op = expr_op(L->g, e);
    for (uint32_t i = 0; (op == OP_ADD || op == OP_NOT || op == OP_NEG) && i < expr_n(L->g, e); i++)
        find_candidates(L, expr_arg(L->g, e, i), lhs, rhs, out);
    if (op != OP_HOLE)
        return;
    VarId v = expr_index(L->g, e);
    const DaeVar *x = &L->d->vars.at[v];
    bool open =
        x->kind == DAE_DISCRETE && x->type != DAE_REAL && map_get(&L->discrete, v) == MAP_NONE;
    if (open && isolate(L, v, lhs, rhs)) /* so that it occurs once */
        vec_push(out, v);
}

static void candidates(Lower *L, ExprId lhs, ExprId rhs, Vars *out)
{
    vec_clear(out);
    find_candidates(L, lhs, lhs, rhs, out);
    find_candidates(L, rhs, lhs, rhs, out);
}

void discrete_solve(Lower *L, ExprId *lhs, ExprId *rhs)
{
    Vars c = {0};
    candidates(L, *lhs, *rhs, &c);
    if (c.n == 1) {
        *rhs = isolate(L, c.at[0], *lhs, *rhs);
        *lhs = hole_of(L->d, c.at[0]);
    }
    vec_free(&c);
}

bool discrete_later(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs, uint32_t least)
{
    Vars c = {0};
    candidates(L, lhs, rhs, &c);
    bool kept = c.n >= least;
    if (kept)
        vec_push(&L->open, ((OpenEquation){*eq, lhs, rhs}));
    vec_free(&c);
    return kept;
}

/* ---- which equation defines which variable ---- */

typedef struct Choice {
    Lower *L;
    Vars vars;             /* candidates of all open equations, one after the other */
    uint32_t *first;       /* per equation, and one more: its candidates in `vars` */
    uint32_t *left;        /* per equation: candidates that no equation defines so far */
    bool *solved;          /* per equation */
    Map given;             /* variables that have an equation */
    Map head;              /* variable → first of its uses + 1 */
    VEC(uint32_t) next;    /* per use: the next of the same variable, or 0 */
    VEC(uint32_t) of;      /* per use: its equation */
    VEC(uint32_t) pending; /* equations with one candidate left */
} Choice;

static void list_candidates(Choice *c)
{
    Lower *L = c->L;
    Vars some = {0};
    for (uint32_t i = 0; i < L->open.n; i++) {
        candidates(L, L->open.at[i].lhs, L->open.at[i].rhs, &some);
        c->first[i] = c->vars.n;
        c->left[i] = some.n;
        for (uint32_t k = 0; k < some.n; k++) {
            uint32_t before = map_get(&c->head, some.at[k]);
            vec_push(&c->vars, some.at[k]);
            vec_push(&c->next, before == MAP_NONE ? 0 : before);
            vec_push(&c->of, i);
            map_put(&c->head, some.at[k], c->of.n);
        }
    }
    c->first[L->open.n] = c->vars.n;
    vec_free(&some);
}

static void give(Choice *c, VarId v)
{
    uint32_t use = map_get(&c->head, v);
    if (use == MAP_NONE || map_get(&c->given, v) != MAP_NONE)
        return;
    map_put(&c->given, v, 1);
    for (; use; use = c->next.at[use - 1])
        if (--c->left[c->of.at[use - 1]] == 1)
            vec_push(&c->pending, c->of.at[use - 1]);
}

/* Equation i defines its first candidate that nothing else defines. If there is none, there are too
 * many equations, which structure reports. */
static bool settle(Choice *c, uint32_t i)
{
    Lower *L = c->L;
    const OpenEquation *q = &L->open.at[i];
    uint32_t k = c->first[i];
    while (k + 1 < c->first[i + 1] && map_get(&c->given, c->vars.at[k]) != MAP_NONE)
        k++;
    VarId v = c->vars.at[k];
    c->solved[i] = true;
    give(c, v);
    return define_discrete(L, &q->eq, v, isolate(L, v, q->lhs, q->rhs));
}

static bool settle_all(Choice *c)
{
    bool ok = true;
    for (uint32_t i = 0; i < c->L->open.n; i++)
        if (c->left[i] == 1)
            vec_push(&c->pending, i);
    for (uint32_t i = 0, done = 0; i < c->L->open.n; i++) {
        for (; done < c->pending.n; done++) /* those that leave no choice come first */
            if (!c->solved[c->pending.at[done]])
                ok &= settle(c, c->pending.at[done]);
        if (!c->solved[i])
            ok &= settle(c, i);
    }
    return ok;
}

bool discrete_finish(Lower *L)
{
    uint32_t n = L->open.n;
    if (!n)
        return true;
    Choice c = {.L = L};
    c.first = memory_alloc((n + 1) * sizeof *c.first);
    c.left = memory_alloc(n * sizeof *c.left);
    c.solved = memory_alloc(n * sizeof *c.solved);
    list_candidates(&c);
    for (EqId e = 0; e < L->d->eqs.n; e++)
        if (L->d->eqs.at[e].target != NONE && L->d->eqs.at[e].origin != DAE_EQ_INITIAL)
            give(&c, L->d->eqs.at[e].target);
    bool ok = settle_all(&c);
    vec_free(&c.vars);
    vec_free(&c.next);
    vec_free(&c.of);
    vec_free(&c.pending);
    map_free(&c.given);
    map_free(&c.head);
    memory_free(c.first);
    memory_free(c.left);
    memory_free(c.solved);
    return ok;
}

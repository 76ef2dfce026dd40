/* Reals that are numbers chosen by discrete variables: sw = if off then 1 else 0.
 *
 * In a product with an unknown, such a Real decides which unknowns the equation has, as in the
 * switch 0 = sw*i + (1 - sw)*v. With its value in its place, the analysis of structure sees the
 * branches. The equation of the Real itself stays. */
#include "dae/model/model.h"

#include "expr/walk.h"

typedef struct Choices {
    Dae *d;
    ExprId *value; /* per variable: its chosen number, holes are variables; or EXPR_NONE */
} Choices;

/* An expression without signs and conversions around it. */
static ExprId inside(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_NEG || op_class(expr_op(g, e)) == CLASS_CONVERSION)
        e = expr_arg(g, e, 0);
    return e;
}

/* Whether e is a number, or an if-expression whose branches are. */
static bool chooses_number(const Graph *g, ExprId e)
{
    for (e = inside(g, e); expr_op(g, e) == OP_IF; e = inside(g, expr_arg(g, e, 2)))
        if (!chooses_number(g, expr_arg(g, e, 1)))
            return false;
    return expr_is_literal(g, e);
}

/* The only operand of a residual that changes between events, if it is a Real without a derivative.
 */
static uint32_t only_real(const Dae *d, const DaeEq *q)
{
    uint32_t found = NONE;
    for (uint32_t k = 0; k < q->term.n; k++) {
        VarId v = dae_op(d, q->term, k);
        if (!is_continuous(d, v))
            continue;
        const DaeVar *x = &d->vars.at[v];
        if (found != NONE || x->kind != DAE_CONTINUOUS || x->type != DAE_REAL || x->der != NONE)
            return NONE;
        found = k;
    }
    return found;
}

/* The term with variables in place of operands. */
static ExprId with_variables(Dae *d, Term t, ExprId e, const ExprId *value)
{
    ExprId *with = memory_alloc(((size_t)t.n + 1) * sizeof *with);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        with[k] = value && value[v] ? value[v] : hole_of(d, v);
    }
    ExprId made = symbolic_substitute(d->symbolic, e, with, t.n);
    memory_free(with);
    return made;
}

static Walk look_for_if(void *user, ExprId e)
{
    const Dae *d = user;
    return expr_op(d->g, e) == OP_IF ? WALK_END : WALK_ON;
}

/* An equation of the model with one Real that varies, and an if-expression. */
static bool is_candidate(const Dae *d, const DaeEq *q)
{
    return q->origin == DAE_EQ_MODEL && q->target == NONE && !q->partition &&
           only_real(d, q) != NONE && !expr_walk_down(d->g, q->term.shape, look_for_if, (void *)d);
}

static bool find_choices(Choices *c)
{
    Dae *d = c->d;
    bool any = false;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *q = &d->eqs.at[e];
        if (!is_candidate(d, q))
            continue;
        uint32_t k = only_real(d, q);
        Solution s = symbolic_solve(d->symbolic, q->term.shape, k);
        if (s.kind != SOLVE_UNIT || expr_op(d->g, inside(d->g, s.value)) != OP_IF ||
            !chooses_number(d->g, s.value))
            continue;
        c->value[dae_op(d, q->term, k)] = with_variables(d, q->term, s.value, NULL);
        any = true;
    }
    return any;
}

typedef struct Product {
    const Choices *c;
    Term term;
    bool chosen, varies; /* a chosen number occurs, and another variable that varies */
} Product;

static Walk look_into_product(void *user, ExprId e)
{
    Product *p = user;
    const Dae *d = p->c->d;
    if (expr_op(d->g, e) != OP_HOLE)
        return WALK_ON;
    VarId v = dae_op(d, p->term, expr_index(d->g, e));
    p->chosen |= p->c->value[v] != EXPR_NONE;
    p->varies |= p->c->value[v] == EXPR_NONE && is_continuous(d, v);
    return WALK_ON;
}

/* Ends at a product of a chosen number and an unknown. */
static Walk look_for_product(void *user, ExprId e)
{
    Product *p = user;
    if (expr_op(p->c->d->g, e) != OP_MUL)
        return WALK_ON;
    p->chosen = p->varies = false;
    expr_walk_down(p->c->d->g, e, look_into_product, p);
    return p->chosen && p->varies ? WALK_END : WALK_ON;
}

/* Puts values into equation e if one of them multiplies an unknown there. */
static bool put_values(const Choices *c, EqId e)
{
    Dae *d = c->d;
    const DaeEq *q = &d->eqs.at[e];
    Term t = q->term;
    Product p = {.c = c, .term = t};
    if (q->origin != DAE_EQ_MODEL || q->target != NONE || q->partition ||
        expr_walk_down(d->g, t.shape, look_for_product, &p))
        return false;
    d->eqs.at[e].term = shape_term(d, with_variables(d, t, t.shape, c->value));
    return true;
}

bool dae_may_have_switch_values(const Dae *d)
{
    for (EqId e = 0; e < d->eqs.n; e++)
        if (is_candidate(d, &d->eqs.at[e]))
            return true;
    return false;
}

bool dae_put_switch_values(Dae *d)
{
    Choices c = {d, memory_alloc(((size_t)d->vars.n + 1) * sizeof *c.value)};
    uint32_t n = d->eqs.n;
    bool changed = false;
    bool any = find_choices(&c);
    for (EqId e = 0; any && e < n; e++)
        changed |= put_values(&c, e);
    memory_free(c.value);
    return changed;
}

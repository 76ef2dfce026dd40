/* The contract of the Dae, as code. */
#include "dae/model/model.h"

typedef struct Check {
    const Dae *d;
    Arena *arena;
    Map shapes; /* shapes found good → number of their holes */
    const char *breach;
    VEC(uint32_t) stamp; /* per VarId: last term that has it */
    uint32_t serial;
    uint32_t holes; /* of the shape at hand: largest index + 1 */
    uint32_t count; /* distinct ones */
} Check;

static void breach(Check *c, const char *what, const char *where, uint32_t index)
{
    if (!c->breach)
        c->breach = arena_printf(c->arena, "%s (%s %u)", what, where, index);
}

static void visit(void *user, ExprId e)
{
    Check *c = user;
    const Graph *g = c->d->g;
    ExprOp op = expr_op(g, e);
    if (op_behaviour(op) == VALUE_DISCRETE || op_behaviour(op) == VALUE_CONTINUOUS)
        breach(c, "a shape contains a node that must be an operand", expr_op_text(op), e);
    switch (op) {
    case OP_VAR:
    case OP_LOCAL:
    case OP_ITER:
    case OP_NOEVENT:
    case OP_SMOOTH:
    case OP_HOMOTOPY:
    case OP_COMPREHEND:
    case OP_REDUCE:
        breach(c, "a shape contains a node that must be an operand or scalar", expr_op_text(op), e);
        break;
    case OP_HOLE:
        c->count++;
        if (expr_index(g, e) >= c->holes)
            c->holes = expr_index(g, e) + 1;
        break;
    default: break;
    }
}

static uint32_t check_shape(Check *c, ExprId shape, const char *where, uint32_t index)
{
    uint32_t known = map_get(&c->shapes, shape);
    if (known != MAP_NONE)
        return known;
    c->holes = c->count = 0;
    expr_walk(c->d->g, shape, visit, c);
    if (c->holes != c->count)
        breach(c, "a shape omits a hole, or has a hole with two types", where, index);
    map_put(&c->shapes, shape, c->holes);
    return c->holes;
}

static void check_term(Check *c, Term t, const char *where, uint32_t index)
{
    const Dae *d = c->d;
    c->serial++;
    if (t.ops + t.n > d->ops.n) {
        breach(c, "operands out of range", where, index);
        return;
    }
    if (check_shape(c, t.shape, where, index) != t.n)
        breach(c, "numbers of holes and operands differ", where, index);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        if (v >= d->vars.n) {
            breach(c, "operand is not a variable", where, index);
            return;
        }
        if (d->vars.at[v].alias != NONE)
            breach(c, "operand is an alias", where, index);
        if (c->stamp.at[v] == c->serial)
            breach(c, "an operand occurs twice", where, index);
        c->stamp.at[v] = c->serial;
    }
}

static void check_var(Check *c, VarId v)
{
    const Dae *d = c->d;
    const DaeVar *x = &d->vars.at[v];
    if (x->alias != NONE && (x->alias >= d->vars.n || d->vars.at[x->alias].alias != NONE))
        breach(c, "an alias has no representative", "variable", v);
    if (x->alias != NONE && x->alias_sign != 1 && x->alias_sign != -1)
        breach(c, "an alias has no sign", "variable", v);
    if (x->alias != NONE && x->alias != v && d->vars.at[x->alias].kind != x->kind)
        breach(c, "an alias is of another kind", "variable", v);
    if (x->der != NONE &&
        (d->vars.at[x->der].kind != DAE_DERIVATIVE || d->vars.at[x->der].base != v))
        breach(c, "derivative and variable do not point at each other", "variable", v);
    if (x->pre != NONE && (d->vars.at[x->pre].kind != DAE_PRE || d->vars.at[x->pre].base != v))
        breach(c, "left limit and variable do not point at each other", "variable", v);
    if (x->start != NONE && d->vars.at[x->start].kind != DAE_PARAMETER)
        breach(c, "a start value is not a parameter", "variable", v);
    if (!(x->nominal > 0))
        breach(c, "nominal is not positive", "variable", v);
    if (x->kind == DAE_PARAMETER && x->detail != NONE &&
        (x->detail >= d->eqs.n || d->eqs.at[x->detail].target != v ||
         d->eqs.at[x->detail].origin != DAE_EQ_PARAMETER))
        breach(c, "a parameter and its equation do not point at each other", "variable", v);
    if ((x->kind == DAE_TIME) != (v == 0))
        breach(c, "variable 0 is not time", "variable", v);
}

static void check_eq(Check *c, EqId e)
{
    const Dae *d = c->d;
    const DaeEq *eq = &d->eqs.at[e];
    check_term(c, eq->term, "equation", e);
    if (eq->target != NONE && (eq->target >= d->vars.n || d->vars.at[eq->target].alias != NONE))
        breach(c, "target is not a representative", "equation", e);
    if (eq->target == NONE && expr_type(d->g, eq->term.shape) != T_REAL &&
        expr_type(d->g, eq->term.shape) != T_INT)
        breach(c, "a residual is not a number", "equation", e);
    if (eq->origin == DAE_EQ_DERIVED && (eq->of >= d->eqs.n || d->eqs.at[eq->of].der != e))
        breach(c, "a derived equation and its origin do not point at each other", "equation", e);
}

static void check_events(Check *c)
{
    const Dae *d = c->d;
    for (uint32_t i = 0; i < d->relations.n; i++) {
        const DaeRelation *r = &d->relations.at[i];
        check_term(c, r->z, "relation", i);
        if (d->vars.at[r->var].kind != DAE_RELATION || d->vars.at[r->var].detail != i ||
            r->eq >= d->eqs.n || d->eqs.at[r->eq].target != r->var)
            breach(c, "relation, variable and equation do not point at each other", "relation", i);
        if (!(r->scale > 0) || r->op < OP_LT || r->op > OP_GE)
            breach(c, "relation without scale or operator", "relation", i);
    }
    for (uint32_t i = 0; i < d->samples.n; i++) {
        check_term(c, d->samples.at[i].start, "sample", i);
        check_term(c, d->samples.at[i].interval, "sample", i);
    }
    for (uint32_t i = 0; i < d->actions.n; i++) {
        const DaeAction *a = &d->actions.at[i];
        check_term(c, a->guard, "action", i);
        check_term(c, a->value, "action", i);
        check_term(c, a->message, "action", i);
        if (a->kind == ACTION_REINIT &&
            (a->target >= d->vars.n || d->vars.at[a->target].alias != NONE))
            breach(c, "reinit of an alias", "action", i);
    }
}

const char *dae_check(const Dae *d, Arena *arena)
{
    Check c = {.d = d, .arena = arena};
    for (VarId v = 0; v < d->vars.n; v++)
        vec_push(&c.stamp, 0);
    for (VarId v = 0; v < d->vars.n; v++)
        check_var(&c, v);
    for (EqId e = 0; e < d->eqs.n; e++)
        check_eq(&c, e);
    check_events(&c);
    vec_free(&c.stamp);
    map_free(&c.shapes);
    return c.breach;
}

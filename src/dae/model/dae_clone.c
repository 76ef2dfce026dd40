/* Copies of the scalar model for further plans, and terms with values put in: what variable
 * structure needs. */
#include "dae/model/model.h"

static void copy_vectors(Dae *c, const Dae *d, uint32_t n_eqs)
{
    for (VarId v = 0; v < d->vars.n; v++)
        vec_push(&c->vars, d->vars.at[v]);
    for (uint32_t i = 0; i < n_eqs; i++)
        vec_push(&c->eqs, d->eqs.at[i]);
    for (uint32_t i = 0; i < d->ops.n; i++)
        vec_push(&c->ops, d->ops.at[i]);
    for (uint32_t i = 0; i < d->relations.n; i++)
        vec_push(&c->relations, d->relations.at[i]);
    for (uint32_t i = 0; i < d->samples.n; i++)
        vec_push(&c->samples, d->samples.at[i]);
    for (uint32_t i = 0; i < d->delays.n; i++)
        vec_push(&c->delays, d->delays.at[i]);
    for (uint32_t i = 0; i < d->transports.n; i++)
        vec_push(&c->transports, d->transports.at[i]);
    for (uint32_t i = 0; i < d->actions.n; i++)
        vec_push(&c->actions, d->actions.at[i]);
}

static Dae *copy(const Dae *d, uint32_t n_eqs)
{
    Dae *c = memory_alloc(sizeof *c);
    *c = (Dae){.ctx = d->ctx,
               .g = d->g,
               .flat = d->flat,
               .initial = d->initial,
               .terminal = d->terminal,
               .lambda = d->lambda,
               .n_aliases = d->n_aliases,
               .n_model_vars = d->n_model_vars,
               .n_model_eqs = d->n_model_eqs};
    c->arena = arena_new();
    c->symbolic = symbolic_new(d->g);
    c->shapes = shapes_new();
    c->flat_base = d->flat_base;
    copy_vectors(c, d, n_eqs);
    return c;
}

Dae *dae_copy(const Dae *d)
{
    return copy(d, d->eqs.n);
}

Dae *dae_clone(const Dae *d)
{
    Dae *c = copy(d, d->n_model_eqs);
    for (VarId v = d->n_model_vars; v < c->vars.n; v++)
        if (c->vars.at[v].kind == DAE_CONTINUOUS)
            c->vars.at[v].kind = DAE_INPUT; /* slots of state sets: the copy gets its own */
    for (EqId e = 0; e < c->eqs.n; e++)
        c->eqs.at[e].der = NONE;
    return c;
}

ExprId dae_literal(Dae *d, VarId v, double value)
{
    TypeId type = hole_type(d, v);
    if (type == T_REAL)
        return expr_real(d->g, value);
    if (type == T_BOOL)
        return expr_bool(d->g, value != 0);
    return type == T_INT ? expr_int(d->g, (int64_t)value) : expr_enum(d->g, type, (int64_t)value);
}

Term dae_fix(Dae *d, Term t, const uint8_t *fixed, const double *value)
{
    ExprId *with = memory_alloc(((size_t)t.n + 1) * sizeof *with);
    bool any = false;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        with[k] = fixed[v] ? dae_literal(d, v, value[v]) : EXPR_NONE;
        any |= fixed[v];
    }
    if (any)
        t = dae_put(d, t, with);
    memory_free(with);
    return t;
}

EqId dae_add_equation(Dae *d, ExprId shape, const VarId *ops, uint32_t n, Span span)
{
    DaeEq e = {.target = NONE, .origin = DAE_EQ_MODEL, .of = NONE, .der = NONE, .span = span};
    e.term = dae_term(d, shape, ops, n);
    vec_push(&d->eqs, e);
    return d->eqs.n - 1;
}

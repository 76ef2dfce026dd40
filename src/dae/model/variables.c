/* Variables made on demand: derivatives, left limits and similar ones. */
#include "dae/model/model.h"

#include <math.h>

const DaeVar dae_blank_var = {.state_select = SELECT_DEFAULT,
                              .flat = NONE,
                              .element = NONE,
                              .base = NONE,
                              .der = NONE,
                              .pre = NONE,
                              .alias = NONE,
                              .start = NONE,
                              .detail = NONE,
                              .nominal = 1.0,
                              .min = -INFINITY,
                              .max = INFINITY};

VarId dae_hidden_var(Dae *d, DaeVarKind kind, DaeType type)
{
    DaeVar v = dae_blank_var;
    v.kind = (uint8_t)kind;
    v.type = (uint8_t)type;
    v.hidden = true;
    vec_push(&d->vars, v);
    return d->vars.n - 1;
}

VarId dae_derivative_var(Dae *d, VarId x)
{
    if (d->vars.at[x].alias != NONE)
        x = d->vars.at[x].alias;
    if (d->vars.at[x].der != NONE)
        return d->vars.at[x].der;
    VarId v = dae_hidden_var(d, DAE_DERIVATIVE, DAE_REAL);
    DaeVar *base = &d->vars.at[x];
    base->der = v;
    d->vars.at[v].base = x;
    d->vars.at[v].hidden = base->hidden;
    d->vars.at[v].is_protected = base->is_protected;
    d->vars.at[v].nominal = base->nominal;
    return v;
}

VarId pre_var(Dae *d, VarId v)
{
    if (d->vars.at[v].pre != NONE)
        return d->vars.at[v].pre;
    VarId p = dae_hidden_var(d, DAE_PRE, (DaeType)d->vars.at[v].type);
    d->vars.at[v].pre = p;
    d->vars.at[p].base = v;
    d->vars.at[p].nominal = d->vars.at[v].nominal;
    return p;
}

VarId initial_var(Dae *d)
{
    if (d->initial == NONE)
        d->initial = dae_hidden_var(d, DAE_INITIAL, DAE_BOOL);
    return d->initial;
}

VarId terminal_var(Dae *d)
{
    if (d->terminal == NONE)
        d->terminal = dae_hidden_var(d, DAE_TERMINAL, DAE_BOOL);
    return d->terminal;
}

VarId lambda_var(Dae *d)
{
    if (d->lambda == NONE) {
        d->lambda = dae_hidden_var(d, DAE_LAMBDA, DAE_REAL);
        d->vars.at[d->lambda].value = 1.0;
    }
    return d->lambda;
}

bool is_continuous(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->kind == DAE_TIME || x->kind == DAE_CONTINUOUS || x->kind == DAE_DERIVATIVE ||
           x->kind == DAE_FOLLOWING || x->kind == DAE_OUTSIDE ||
           (x->kind == DAE_INPUT && x->type == DAE_REAL && x->flat != NONE &&
            d->flat->vars.at[x->flat].variability == VARIES_CONTINUOUS);
}

bool is_known_parameter(const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_PARAMETER;
}

bool term_is_discrete(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (is_continuous(d, dae_op(d, t, k)))
            return false;
    return true;
}

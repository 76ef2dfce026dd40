/* delay(expression, time, longest): the value is a variable of its own that a history gives (runtime/delay.c).
 *
 * Its equation is delayed(number, time, T); at initialization it equals the expression. The expression and a delay time that
 * is no parameter are variables too, so that the host can record and read them. A relation `time - T >= next` says when the next
 * break of the history arrives; `next` is a hidden parameter that the host moves on. Where the delay time may become zero the present value
 * of the expression is a further argument, since the result is that value then. */
#include "dae/lower.h"

#include <math.h>

static bool over_parameters(const Dae *d, Term t, VarId *other)
{
    for (uint32_t k = 0; k < t.n; k++) {
        *other = dae_op(d, t, k);
        if (!is_known_parameter(d, *other))
            return false;
    }
    return true;
}

static void push_eq(Lower *L, DaeEqOrigin origin, ExprId residual)
{
    vec_push(&L->d->eqs, ((DaeEq){.term = shape_term(L->d, residual),
                                  .target = NONE,
                                  .origin = (uint8_t)origin,
                                  .of = NONE,
                                  .der = NONE,
                                  .component = L->component,
                                  .span = L->span}));
}

void delay_define(Lower *L, VarId v, ExprId e)
{
    push_eq(L, DAE_EQ_MODEL, expr_sub(L->g, hole_of(L->d, v), e));
}

/* A hidden unknown that equals e. */
static VarId name_value(Lower *L, ExprId e)
{
    VarId v = dae_hidden_var(L->d, DAE_CONTINUOUS, DAE_REAL);
    delay_define(L, v, e);
    return v;
}

static VarId hidden_parameter(Dae *d, double value)
{
    VarId v = dae_hidden_var(d, DAE_PARAMETER, DAE_REAL);
    d->vars.at[v].value = value;
    d->vars.at[v].fixed = true;
    return v;
}

/* False after telling. */
static bool check_times(Lower *L, DaeDelay *delay, bool has_longest)
{
    VarId other = NONE;
    bool fixed = over_parameters(L->d, delay->time, &other);
    if (!fixed && !has_longest) {
        diag(L->ctx, L->span, DIAG_D003,
             "time of delay() depends on %s, which is no parameter; delay(expression, time, longest) takes a "
             "time that varies",
             dae_var_name(L->d, other, L->scratch));
        return false;
    }
    if (!over_parameters(L->d, delay->longest, &other)) {
        diag(L->ctx, L->span, DIAG_D003, "longest time of delay() depends on %s, which is no parameter",
             dae_var_name(L->d, other, L->scratch));
        return false;
    }
    delay->varies = !fixed;
    return true;
}

static bool add_break_relation(Lower *L, DaeDelay *delay, ExprId time)
{
    ExprId arrives;
    delay->next = hidden_parameter(L->d, 0);
    ExprId behind = expr_sub(L->g, hole_of(L->d, 0), time);
    if (!lower_relation(L, OP_GE, behind, hole_of(L->d, delay->next), LOWER_EVENTS, &arrives))
        return false;
    delay->relation = L->d->vars.at[expr_index(L->g, arrives)].detail;
    L->d->relations.at[delay->relation].of_delay = L->d->delays.n + 1;
    return true;
}

bool lower_delay(Lower *L, const ExprId *args, uint32_t n, ExprId *out)
{
    Dae *d = L->d;
    DaeDelay delay = {.number = hidden_parameter(d, d->delays.n), .component = L->component, .span = L->span};
    ExprId time = args[1];
    double value;
    delay.time = shape_term(d, time);
    delay.longest = shape_term(d, args[n - 1]);
    if (!check_times(L, &delay, n > 2))
        return false;
    if (delay.varies)
        time = hole_of(d, delay.time_var = name_value(L, time));
    bool may_vanish = delay.varies || !default_of(L, time, &value) || value == 0;
    delay.source = name_value(L, args[0]);
    d->vars.at[delay.source].detail = 2 * d->delays.n + 1;
    delay.var = dae_hidden_var(d, DAE_CONTINUOUS, DAE_REAL);
    d->vars.at[delay.var].detail = 2 * d->delays.n;
    if (!add_break_relation(L, &delay, time))
        return false;
    ExprId parts[] = {hole_of(d, delay.number), hole_of(d, 0), time, hole_of(d, delay.source)};
    ExprId past = expr_apply(L->g, OP_DELAYED, T_REAL, 0, parts, may_vanish ? 4 : 3);
    push_eq(L, DAE_EQ_DELAYED, expr_sub(L->g, hole_of(d, delay.var), past));
    delay.eq = d->eqs.n - 1;
    vec_push(&d->delays, delay);
    *out = hole_of(d, delay.var);
    return true;
}

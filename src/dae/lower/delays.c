/* delay(expression, time, longest): the value is a variable computed from a history
 * (runtime/delay.c).
 *
 * Its equation is delayed(number, time, T); at initialization it equals the expression. The
 * expression, and a delay time that varies, are variables too, so that the host can record and read
 * them. A relation `time - T >= next` announces the next break of the history; `next` is a hidden
 * parameter that the host updates. If the delay time may become zero, the present value of the
 * expression is a further argument, because it is then the result.
 *
 * spatialDistribution(in0, in1, x, forward, …): the profile at both ends is a variable that the
 * runtime computes (runtime/transport.c). At initialization it is the end of the initial profile.
 * The inputs, x and the direction are variables, so that the host can record them. */
#include "dae/lower/lower.h"

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

/* False after an error. */
static bool check_times(Lower *L, DaeDelay *delay, bool has_longest)
{
    VarId other = NONE;
    bool fixed = over_parameters(L->d, delay->time, &other);
    if (!fixed && !has_longest) {
        diag(L->ctx, L->span, DIAG_D003,
             "the time of delay() depends on %s, which is not a parameter; use "
             "delay(expression, time, longest) for a time that varies",
             dae_var_name(L->d, other, L->scratch));
        return false;
    }
    if (!over_parameters(L->d, delay->longest, &other)) {
        diag(L->ctx, L->span, DIAG_D003,
             "the longest time of delay() depends on %s, which is not a parameter",
             dae_var_name(L->d, other, L->scratch));
        return false;
    }
    delay->varies = !fixed;
    return true;
}

/* The relation `reached >= *next`, *next a hidden parameter that is `start` at first; NONE after
 * an error. */
static uint32_t add_break_relation(Lower *L, ExprId reached, double start, VarId *next)
{
    ExprId arrives;
    *next = hidden_parameter(L->d, start);
    if (!lower_relation(L, OP_GE, reached, hole_of(L->d, *next), LOWER_EVENTS, &arrives))
        return NONE;
    return L->d->vars.at[expr_index(L->g, arrives)].detail;
}

bool lower_delay(Lower *L, const ExprId *args, uint32_t n, ExprId *out)
{
    Dae *d = L->d;
    DaeDelay delay = {
        .number = hidden_parameter(d, d->delays.n), .component = L->component, .span = L->span};
    ExprId time = args[1];
    double value;
    delay.time = shape_term(d, time);
    delay.longest = shape_term(d, args[n - 1]);
    if (!check_times(L, &delay, n > 2))
        return false;
    if (delay.varies)
        time = hole_of(d, delay.time_var = name_value(L, time));
    bool may_vanish = delay.varies || !default_of(L, time, &value) || value == 0;
    delay.argument = shape_term(d, args[0]);
    delay.source = name_value(L, args[0]);
    d->vars.at[delay.source].detail = 2 * d->delays.n + 1;
    delay.var = dae_hidden_var(d, DAE_CONTINUOUS, DAE_REAL);
    d->vars.at[delay.var].detail = 2 * d->delays.n;
    delay.relation = add_break_relation(L, expr_sub(L->g, hole_of(d, 0), time), 0, &delay.next);
    if (delay.relation == NONE)
        return false;
    d->relations.at[delay.relation].of_delay = d->delays.n + 1;
    ExprId parts[] = {hole_of(d, delay.number), hole_of(d, 0), time, hole_of(d, delay.source)};
    ExprId past = expr_apply(L->g, OP_DELAYED, T_REAL, 0, parts, may_vanish ? 4 : 3);
    push_eq(L, DAE_EQ_DELAYED, expr_sub(L->g, hole_of(d, delay.var), past));
    delay.eq = d->eqs.n - 1;
    vec_push(&d->delays, delay);
    *out = hole_of(d, delay.var);
    return true;
}

static bool lower_profile(Lower *L, ExprId e, Term **out, ExprId ends[2], uint32_t *n)
{
    Elems v;
    VarId other;
    if (!lower_elements(L, e, LOWER_LITERAL, &v))
        return false;
    *n = v.n;
    *out = ARENA_ARRAY(L->d->arena, Term, v.n + 1);
    for (uint32_t k = 0; k < v.n; k++) {
        ExprId x = L->elems.at[v.at + k];
        (*out)[k] = shape_term(L->d, x);
        if (k == 0)
            ends[0] = x;
        ends[1] = x;
        if (!over_parameters(L->d, (*out)[k], &other)) {
            diag(L->ctx, L->span, DIAG_D003,
                 "the initial profile of spatialDistribution() depends on %s, which is not a "
                 "parameter",
                 dae_var_name(L->d, other, L->scratch));
            return false;
        }
    }
    return true;
}

static bool lower_end(Lower *L, DaeTransport *t, uint32_t k, ExprId start)
{
    Dae *d = L->d;
    ExprId x = hole_of(d, t->x);
    t->relation[k] = add_break_relation(L, k ? x : expr_neg(L->g, x), 0, &t->next[k]);
    if (t->relation[k] == NONE)
        return false;
    d->relations.at[t->relation[k]].of_transport = 2 * d->transports.n + k + 1;
    t->first[k] = name_value(L, start);
    t->out[k] = dae_hidden_var(d, DAE_CONTINUOUS, DAE_REAL);
    ExprId parts[] = {hole_of(d, t->number), expr_real(L->g, k), hole_of(d, t->x)};
    ExprId value = expr_apply(L->g, OP_CARRIED, T_REAL, 0, parts, 3);
    push_eq(L, DAE_EQ_DELAYED, expr_sub(L->g, hole_of(d, t->out[k]), value));
    t->eq[k] = d->eqs.n - 1;
    return true;
}

bool lower_transport(Lower *L, ExprId e, LowerMode mode)
{
    Dae *d = L->d;
    ExprId args[4], ends[2] = {0}, places[2];
    DaeTransport t = {.component = L->component, .span = L->span};
    for (uint32_t i = 0; i < 4; i++)
        if (!lower_scalar(L, expr_arg(L->g, e, i), mode, &args[i]))
            return false;
    if (!lower_profile(L, expr_arg(L->g, e, 4), &t.points, places, &t.n) ||
        !lower_profile(L, expr_arg(L->g, e, 5), &t.values, ends, &t.n))
        return false;
    if (t.n < 2) {
        diag(L->ctx, L->span, DIAG_D003,
             "the initial profile of spatialDistribution() needs at least the points 0 and 1");
        return false;
    }
    t.number = hidden_parameter(d, d->transports.n);
    uint32_t first = d->vars.n;
    for (uint32_t i = 0; i < 2; i++) {
        t.entering[i] = shape_term(d, args[i]);
        t.in[i] = name_value(L, args[i]);
    }
    t.x = name_value(L, args[2]);
    t.forward = name_value(L, expr_if(L->g, args[3], expr_real(L->g, 1), expr_real(L->g, 0)));
    if (!lower_end(L, &t, 0, ends[0]) || !lower_end(L, &t, 1, ends[1]))
        return false;
    for (VarId v = first; v < d->vars.n; v++)
        if (d->vars.at[v].kind == DAE_CONTINUOUS)
            d->vars.at[v].detail = DETAIL_TRANSPORT + d->transports.n;
    vec_push(&d->transports, t);
    return true;
}

/* The results of an algorithm section, as equations and actions of the model. */
#include "dae/clauses/algorithm.h"

bool algorithm_add_condition(Algorithm *a, const Stmt *s, VarId c, ExprId condition)
{
    Lower *L = a->L;
    if (!lower_event_condition(L, condition, &condition)) {
        diag(L->ctx, s->span, DIAG_D011,
             "the condition of a when-clause must change only at events");
        return false;
    }
    FlatEq place = *a->eq;
    place.span = s->span;
    add_eq(L, &place, DAE_EQ_CONDITION, c, condition);
    return true;
}

/* The scalars of output k of the section. */
static bool output(Algorithm *a, ExprId all, uint32_t k, LowerMode mode, Elems *v)
{
    Graph *g = a->L->g;
    uint32_t n = a->outputs.n + a->extras.n;
    TypeId t = k < a->outputs.n ? a->L->flat->vars.at[a->outputs.at[k]].type
                                : a->extras.at[k - a->outputs.n].type;
    if (n > 1 && expr_op(g, all) == OP_TUPLE)
        all = expr_arg(g, all, k);
    else if (n > 1)
        all = expr_apply(g, OP_OUT, t, k, &all, 1);
    return lower_elements(a->L, all, mode, v);
}

static bool changes_between_events(Algorithm *a, VarId x)
{
    Lower *L = a->L;
    diag(L->ctx, a->eq->span, DIAG_D011,
         "%s changes only at events, but this algorithm section computes it from variables that "
         "change between events",
         dae_var_name(L->d, x, L->scratch));
    return false;
}

/* x = e, where x is an element of output k. */
static bool add_output_equation(Algorithm *a, uint32_t flat_var, VarId x, ExprId e)
{
    Lower *L = a->L;
    const DaeVar *v = &L->d->vars.at[x];
    bool residual = v->type == DAE_REAL && v->kind != DAE_DISCRETE;
    bool when = map_get(&a->by_when, flat_var) != MAP_NONE;
    if (!residual && !a->eq->initial && !when && a->varies && !expr_is_discrete(L, e))
        return changes_between_events(a, x);
    if (when && !residual && !when_determines(L, x, a->eq->span))
        return false;
    bool only = when && map_get(&a->unconditional, flat_var) == MAP_NONE;
    DaeEqOrigin origin = a->eq->initial      ? DAE_EQ_INITIAL
                         : only && !residual ? DAE_EQ_WHEN
                                             : DAE_EQ_MODEL;
    add_eq(L, a->eq, origin, residual ? NONE : x,
           residual ? expr_sub(L->g, hole_of(L->d, x), e) : e);
    return true;
}

bool algorithm_add_outputs(Algorithm *a, ExprId all, LowerMode mode)
{
    Lower *L = a->L;
    for (uint32_t k = 0; k < a->outputs.n; k++) {
        uint32_t f = a->outputs.at[k];
        Elems v;
        if (!output(a, all, k, mode, &v))
            return false;
        for (uint32_t i = 0; i < v.n; i++)
            if (!add_output_equation(a, f, L->d->flat_base[f] + i, L->elems.at[v.at + i]))
                return false;
    }
    return true;
}

/* A subscript of a reinit is out of range, if `fired` is true. */
static void nothing_selected(Lower *L, const Extra *x, ExprId fired, DaeAction act)
{
    static const char text[] = "a subscript in reinit is out of range";
    act.kind = ACTION_ASSERT;
    act.at_edge = true;
    act.target = NONE;
    act.guard = act.shown = shape_term(L->d, expr_not(L->g, fired));
    act.value = (Term){.shape = expr_real(L->g, 0.0)};
    act.message = (Term){.shape = expr_string(L->g, text, sizeof text - 1)};
    act.span = x->stmt->span;
    vec_push(&L->d->actions, act);
}

/* reinit(state, value), if `fired` is true. The state may be an element that a parameter selects: a
 * choice among variables. */
static bool reinit_state(Algorithm *a, const Extra *x, ExprId fired, DaeAction act, ExprId state,
                         ExprId value)
{
    Lower *L = a->L;
    if (expr_op(L->g, state) == OP_IF) {
        ExprId c = expr_arg(L->g, state, 0);
        return reinit_state(a, x, expr_and(L->g, fired, c), act, expr_arg(L->g, state, 1), value) &&
               reinit_state(a, x, expr_and(L->g, fired, expr_not(L->g, c)), act,
                            expr_arg(L->g, state, 2), value);
    }
    if (expr_op(L->g, state) == OP_REAL) {
        nothing_selected(L, x, fired, act);
        return true;
    }
    if (expr_op(L->g, state) != OP_HOLE ||
        L->d->vars.at[expr_index(L->g, state)].kind != DAE_CONTINUOUS) {
        diag(L->ctx, x->stmt->span, DIAG_D008, "first argument of reinit() must be a state");
        return false;
    }
    act.guard = shape_term(L->d, fired);
    act.target = expr_index(L->g, state);
    act.value = shape_term(L->d, value);
    act.message = (Term){.shape = expr_string(L->g, "", 0)};
    vec_push(&L->d->actions, act);
    return true;
}

/* At initialization reinit(x, e) is the initial equation x = e. */
static bool add_reinit(Algorithm *a, const Extra *x, ExprId fired, DaeAction act, const Elems *to)
{
    Lower *L = a->L;
    Elems states;
    if (!lower_elements(L, x->stmt->lhs, LOWER_LITERAL, &states))
        return false;
    if (x->at_beginning)
        fired = expr_and(L->g, fired, expr_not(L->g, hole_of(L->d, initial_var(L->d))));
    for (uint32_t i = 0; i < states.n; i++) {
        ExprId state = L->elems.at[states.at + i], e = L->elems.at[to->at + (to->n == 1 ? 0 : i)];
        if (!reinit_state(a, x, fired, act, state, e))
            return false;
        if (x->at_beginning)
            add_eq(L, a->eq, DAE_EQ_INITIAL, NONE, expr_sub(L->g, state, e));
    }
    return true;
}

/* The action of statement x, at place k among the further outputs. */
static bool add_action(Algorithm *a, uint32_t k, ExprId all, LowerMode mode, ExprId guard)
{
    Lower *L = a->L;
    const Extra *x = &a->extras.at[k];
    Elems v = {0};
    bool next = k + 1 < a->extras.n && a->extras.at[k + 1].stmt == x->stmt && x->stmt;
    if (next && !output(a, all, a->outputs.n + k + 1, mode, &v))
        return false;
    DaeAction act = {.kind = x->kind == EXTRA_FIRED ? ACTION_TERMINATE : ACTION_ASSERT,
                     .warning = x->stmt && x->stmt->warning,
                     .initial = a->eq->initial,
                     .at_edge = x->in_when,
                     .target = NONE,
                     .component = a->eq->component,
                     .span = x->stmt ? x->stmt->span : a->eq->span};
    if (x->stmt && x->stmt->kind == STMT_REINIT) {
        act.kind = ACTION_REINIT;
        act.ordered = true;
        act.clause = a->eq->span;
        return add_reinit(a, x, guard, act, &v);
    }
    if (x->kind == EXTRA_HOLDS && expr_op(L->g, guard) == OP_BOOL && expr_int_value(L->g, guard))
        return true;
    act.guard = act.shown = shape_term(L->d, guard);
    act.value = (Term){.shape = expr_real(L->g, 0.0)};
    act.message = (Term){.shape = expr_string(L->g, "", 0)};
    if (next)
        act.message = shape_term(L->d, L->elems.at[v.at]);
    else if (x->stmt && !lower_message(L, x->stmt->rhs, &act.message))
        return false;
    vec_push(&L->d->actions, act);
    return true;
}

bool algorithm_add_extras(Algorithm *a, ExprId all, LowerMode mode)
{
    for (uint32_t k = 0; k < a->extras.n; k++) {
        const Extra *x = &a->extras.at[k];
        bool condition = x->kind == EXTRA_CONDITION;
        Elems v;
        if (x->kind == EXTRA_MESSAGE || x->kind == EXTRA_VALUE)
            continue;
        if (!output(a, all, a->outputs.n + k, mode, &v))
            return false;
        ExprId e = a->L->elems.at[v.at];
        if (x->kind == EXTRA_SOURCE) {
            delay_define(a->L, x->var, e);
            continue;
        }
        if (condition ? !algorithm_add_condition(a, x->stmt, x->var, e)
                      : !add_action(a, k, all, mode, e))
            return false;
    }
    return true;
}

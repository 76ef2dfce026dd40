/* Equations outside when-clauses: equalities, asserts. */
#include "dae/lower/lower.h"

/* ---- equations ---- */

static VarId hole_var(const Lower *L, ExprId e)
{
    return expr_op(L->g, e) == OP_HOLE ? expr_index(L->g, e) : NONE;
}

static bool is_kind(const Lower *L, VarId v, DaeVarKind kind)
{
    return v != NONE && L->d->vars.at[v].kind == kind;
}

/* The unknown that an equation in target form may define. Hidden variables, such as a rounded
 * value, have their own equation. */
static bool is_discrete(const Lower *L, VarId v)
{
    return (is_kind(L, v, DAE_DISCRETE) || is_kind(L, v, DAE_FOLLOWING)) &&
           L->d->vars.at[v].flat != NONE;
}

static bool by_when(const Lower *L, VarId v)
{
    return map_get(&L->discrete, v) != MAP_NONE;
}

static bool residual(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs)
{
    add_eq(L, eq, eq->initial ? DAE_EQ_INITIAL : DAE_EQ_MODEL, NONE, expr_sub(L->g, lhs, rhs));
    return true;
}

static bool not_solved(Lower *L, const FlatEq *eq)
{
    bool integer = expr_op(L->g, eq->lhs) == OP_TO_REAL || expr_op(L->g, eq->rhs) == OP_TO_REAL;
    if (integer && expr_type(L->g, eq->lhs) == T_REAL)
        diag(L->ctx, eq->span, DIAG_D010,
             "an Integer variable cannot equal a Real expression; integer(x) is the largest "
             "Integer not above x");
    else
        diag(L->ctx, eq->span, DIAG_D010,
             "an equation for a discrete variable must have the form 'variable = expression'");
    return false;
}

/* May an equation of initialization define v by itself? */
static bool is_initial_unknown(const Lower *L, VarId v)
{
    if (v == NONE)
        return false;
    const DaeVar *x = &L->d->vars.at[v];
    return x->kind == DAE_DISCRETE || x->kind == DAE_PRE || (x->kind == DAE_PARAMETER && !x->fixed);
}

static bool add_initial(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs)
{
    VarId l = hole_var(L, lhs), r = hole_var(L, rhs);
    if (expr_type(L->g, lhs) == T_REAL)
        return residual(L, eq, lhs, rhs);
    if (is_initial_unknown(L, l))
        add_eq(L, eq, DAE_EQ_INITIAL, l, rhs);
    else if (is_initial_unknown(L, r))
        add_eq(L, eq, DAE_EQ_INITIAL, r, lhs);
    else
        return not_solved(L, eq);
    return true;
}

bool define_discrete(Lower *L, const FlatEq *eq, VarId v, ExprId e)
{
    bool discrete = expr_is_discrete(L, e);
    if (!discrete && !by_when(L, v) && variable_follows(L, v, e))
        L->d->vars.at[v].kind = DAE_FOLLOWING;
    if (discrete || L->d->vars.at[v].kind == DAE_FOLLOWING) {
        add_eq(L, eq, DAE_EQ_MODEL, v, e);
        return true;
    }
    if (expr_type(L->g, e) == T_REAL && is_kind(L, hole_var(L, e), DAE_CONTINUOUS))
        return residual(L, eq, hole_of(L->d, v), e);
    return varies_between(L, eq->span, v);
}

static bool has_discrete(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (d->vars.at[dae_op(d, t, k)].kind == DAE_DISCRETE)
            return true;
    return false;
}

/* A discrete variable of the equation, if nothing else in it is unknown. */
static VarId only_discrete(const Dae *d, Term t)
{
    VarId found = NONE;
    for (uint32_t k = 0; k < t.n; k++) {
        uint8_t kind = d->vars.at[dae_op(d, t, k)].kind;
        if (kind == DAE_CONTINUOUS || kind == DAE_DERIVATIVE)
            return NONE;
        if (kind == DAE_DISCRETE)
            found = dae_op(d, t, k);
    }
    return found;
}

/* A Real equation without discrete variable on a side of its own: for continuous unknowns, or
 * solved for a discrete one. */
static bool add_real(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs)
{
    Dae *d = L->d;
    Term t = shape_term(d, expr_sub(L->g, lhs, rhs));
    VarId target = NONE;
    ExprId value = EXPR_NONE;
    bool continuous = !term_is_discrete(d, t);
    for (uint32_t k = 0; k < t.n && !continuous && target == NONE; k++) {
        VarId v = dae_op(d, t, k);
        if (!is_discrete(L, v) || d->vars.at[v].type != DAE_REAL || by_when(L, v))
            continue;
        Solution s = symbolic_solve(d->symbolic, t.shape, k);
        if (s.kind == SOLVE_UNIT) {
            target = v;
            value = s.value;
        }
    }
    if (!continuous && target == NONE && has_discrete(d, t))
        return not_solved(L, eq);
    if (continuous && only_discrete(d, t) != NONE)
        return varies_between(L, eq->span, only_discrete(d, t));
    if (target != NONE) {
        VarId *ops = memory_alloc((t.n + 1) * sizeof *ops);
        memcpy(ops, d->ops.at + t.ops, t.n * sizeof *ops);
        t = dae_term(d, value, ops, t.n);
        memory_free(ops);
    }
    vec_push(&d->eqs, equation_at(eq, DAE_EQ_MODEL, target, t));
    return true;
}

bool add_equation(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs)
{
    if (eq->initial)
        return add_initial(L, eq, lhs, rhs);
    VarId l = hole_var(L, lhs), r = hole_var(L, rhs);
    bool real = expr_type(L->g, lhs) == T_REAL || expr_type(L->g, rhs) == T_REAL;
    bool left = is_discrete(L, l), right = is_discrete(L, r);
    if (!real && discrete_later(L, eq, lhs, rhs, 2))
        return true;
    if (left && !by_when(L, l))
        return define_discrete(L, eq, l, rhs);
    if (right && !by_when(L, r))
        return define_discrete(L, eq, r, lhs);
    if (real)
        return add_real(L, eq, lhs, rhs);
    if (left || right)
        return define_discrete(L, eq, left ? l : r, left ? rhs : lhs);
    return discrete_later(L, eq, lhs, rhs, 1) || not_solved(L, eq);
}

/* ---- both sides as scalars ---- */

static bool append(Lower *L, ExprId e, LowerMode mode, ExprVec *out)
{
    Elems v;
    if (!lower_elements(L, e, mode, &v))
        return false;
    for (uint32_t k = 0; k < v.n; k++)
        vec_push(out, L->elems.at[v.at + k]);
    return true;
}

static bool tuple_sides(Lower *L, const FlatEq *eq, LowerMode mode, ExprVec *lhs, ExprVec *rhs)
{
    for (uint32_t i = 0; i < expr_n(L->g, eq->lhs); i++) {
        ExprId item = expr_arg(L->g, eq->lhs, i), call = eq->rhs;
        if (!item)
            continue;
        TypeId t = expr_type(L->g, call);
        const Type *type = type_get(L->g->types, t);
        if (type->kind == TYPE_TUPLE)
            call = expr_apply(L->g, OP_OUT, type->fields[i].type, i, &call, 1);
        if (!append(L, item, mode, lhs) || !append(L, call, mode, rhs))
            return false;
    }
    return true;
}

bool lower_sides(Lower *L, const FlatEq *eq, LowerMode mode, ExprVec *lhs, ExprVec *rhs)
{
    bool ok = expr_op(L->g, eq->lhs) == OP_TUPLE
                  ? tuple_sides(L, eq, mode, lhs, rhs)
                  : append(L, eq->lhs, mode, lhs) && append(L, eq->rhs, mode, rhs);
    if (ok && lhs->n != rhs->n) {
        diag(L->ctx, eq->span, DIAG_D004, "sides of the equation have %u and %u elements", lhs->n,
             rhs->n);
        return false;
    }
    return ok;
}

static LowerMode mode_of(const FlatEq *eq)
{
    return eq->initial ? LOWER_LITERAL : LOWER_EVENTS;
}

static bool for_continuous(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (d->vars.at[dae_op(d, t, k)].kind == DAE_DISCRETE)
            return false;
    return true;
}

/* The term with literals for parameters that count as their values. */
static Term fold_evaluated(Lower *L, Term t)
{
    Dae *d = L->d;
    bool any = false;
    for (uint32_t k = 0; k < t.n && !any; k++) {
        const DaeVar *x = &d->vars.at[dae_op(d, t, k)];
        any = x->kind == DAE_PARAMETER && x->flat != NONE && L->flat->vars.at[x->flat].evaluated;
    }
    if (!any)
        return t;
    ExprId *with = memory_alloc(((size_t)t.n + 1) * sizeof *with);
    for (uint32_t k = 0; k < t.n; k++)
        with[k] = evaluated_value(L, dae_op(d, t, k));
    if (t.ops + t.n == d->ops.n)
        d->ops.n = t.ops; /* dae_put reads them before it appends others */
    t = dae_put(d, t, with);
    memory_free(with);
    return t;
}

/* The equation of element k, which knows its own place if it is one of a list of elements. */
static FlatEq element_equation(const Lower *L, const FlatEq *eq, uint32_t k)
{
    FlatEq one = *eq;
    if (eq->origin == ORIGIN_BINDING && expr_op(L->g, eq->lhs) == OP_VAR) {
        const FlatShared *x = L->flat->vars.at[expr_index(L->g, eq->lhs)].shared;
        if (k < x->n_element_spans)
            one.span = x->element_spans[k];
    }
    return one;
}

/* The common case, without a detour: a Real equation for continuous unknowns, of plain scalars or
 * element by element. */
static bool lower_fast(Lower *L, const FlatEq *eq)
{
    Dae *d = L->d;
    TypeId t = expr_type(L->g, eq->lhs);
    if (eq->initial || type_element(L->g->types, t) != T_REAL || expr_type(L->g, eq->rhs) != t)
        return false;
    uint32_t ops = d->ops.n, eqs = d->eqs.n;
    bool scalar = t == T_REAL, ok = true;
    int64_t n = type_count(L->g->types, t);
    for (int64_t i = 0; i < n && ok; i++) {
        Term term;
        ok = scalar ? shape_fast(d, eq->lhs, eq->rhs, &term)
                    : shape_fast_element(d, eq->lhs, eq->rhs, (uint32_t)i, &term);
        ok = ok && for_continuous(d, term);
        if (ok) {
            FlatEq one = element_equation(L, eq, (uint32_t)i);
            vec_push(&d->eqs, equation_at(&one, DAE_EQ_MODEL, NONE, fold_evaluated(L, term)));
        }
    }
    if (!ok) {
        d->ops.n = ops;
        d->eqs.n = eqs;
    }
    return ok && n > 0;
}

bool lower_equal(Lower *L, const FlatEq *eq)
{
    if (lower_fast(L, eq))
        return true;
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, mode_of(eq), &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++) {
        FlatEq one = element_equation(L, eq, k);
        ok = add_equation(L, &one, lhs.at[k], rhs.at[k]);
    }
    vec_free(&lhs);
    vec_free(&rhs);
    return ok;
}

/* ---- asserts ---- */

bool lower_message(Lower *L, ExprId e, Term *out)
{
    ExprId m;
    if (!lower_scalar(L, e, LOWER_LITERAL, &m))
        return false;
    *out = shape_term(L->d, m);
    return true;
}

bool add_assert(Lower *L, const FlatEq *eq, ExprId guard, bool at_edge)
{
    DaeAction a = {.kind = ACTION_ASSERT,
                   .warning = eq->warning,
                   .initial = eq->initial,
                   .at_edge = at_edge,
                   .target = NONE,
                   .component = eq->component,
                   .span = eq->span};
    ExprId c;
    if (!lower_scalar(L, eq->lhs, LOWER_LITERAL, &c) || !lower_message(L, eq->rhs, &a.message))
        return false;
    ExprId written = c;
    if (guard)
        c = expr_or(L->g, expr_not(L->g, guard), c);
    if (expr_op(L->g, c) == OP_BOOL && expr_int_value(L->g, c))
        return true;
    a.guard = shape_term(L->d, c);
    a.shown = shape_term(L->d, written);
    a.value = (Term){.shape = expr_real(L->g, 0.0)};
    vec_push(&L->d->actions, a);
    return true;
}

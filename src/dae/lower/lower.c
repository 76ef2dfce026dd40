/* From Flat to Dae: the phase, and equations outside when-clauses. */
#include "dae/lower/lower.h"

/* ---- equations ---- */

static DaeEq equation_at(const FlatEq *eq, DaeEqOrigin origin, VarId target, Term t)
{
    return (DaeEq){.term = t,
                   .target = target,
                   .origin = (uint8_t)origin,
                   .flat_origin = eq->origin,
                   .partition = (uint16_t)eq->partition,
                   .of = NONE,
                   .der = NONE,
                   .component = eq->component,
                   .span = eq->span};
}

EqId add_eq(Lower *L, const FlatEq *eq, DaeEqOrigin origin, VarId target, ExprId lowered)
{
    Term t = shape_term(L->d, lowered);
    vec_push(&L->d->eqs, equation_at(eq, origin, target, t));
    return L->d->eqs.n - 1;
}

static VarId hole_var(const Lower *L, ExprId e)
{
    return expr_op(L->g, e) == OP_HOLE ? expr_index(L->g, e) : NONE;
}

static bool is_kind(const Lower *L, VarId v, DaeVarKind kind)
{
    return v != NONE && L->d->vars.at[v].kind == kind;
}

/* Unknown that an equation in target form gives. */
static bool is_discrete(const Lower *L, VarId v)
{
    return is_kind(L, v, DAE_DISCRETE) || is_kind(L, v, DAE_FOLLOWING);
}

static bool by_when(const Lower *L, VarId v)
{
    return map_get(&L->discrete, v) != MAP_NONE;
}

static bool expr_is_discrete(Lower *L, ExprId e)
{
    uint32_t mark = L->d->ops.n;
    bool discrete = term_is_discrete(L->d, shape_term(L->d, e));
    L->d->ops.n = mark;
    return discrete;
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
             "one side is an Integer variable and the other a Real: it is no equation for the "
             "Integer "
             "(integer(x) gives the largest one not above x)");
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

static bool varies_between(Lower *L, Span span, VarId v)
{
    diag(L->ctx, span, DIAG_D011,
         "%s changes only at events, but the expression that defines it changes between them "
         "(a relation under noEvent, or a continuous variable outside a relation)",
         dae_var_name(L->d, v, L->scratch));
    return false;
}

/* Fields of records that are no Reals may change between events: a function that is called with
 * continuous arguments gives the record whole (the phase in the state of a medium). */
static bool may_follow(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return (x->kind == DAE_DISCRETE || x->kind == DAE_FOLLOWING) && x->type != DAE_REAL &&
           x->flat != NONE &&
           (d->flat->vars.at[x->flat].is_field || d->flat->vars.at[x->flat].nondiscrete);
}

bool define_discrete(Lower *L, const FlatEq *eq, VarId v, ExprId e)
{
    bool discrete = expr_is_discrete(L, e);
    if (!discrete && may_follow(L->d, v) && !by_when(L, v))
        L->d->vars.at[v].kind = DAE_FOLLOWING;
    if (discrete || L->d->vars.at[v].kind == DAE_FOLLOWING) {
        add_eq(L, eq, DAE_EQ_MODEL, v, e);
        return true;
    }
    if (expr_type(L->g, e) == T_REAL && is_kind(L, hole_var(L, e), DAE_CONTINUOUS))
        return residual(L, eq, hole_of(L->d, v), e);
    return varies_between(L, eq->span, v);
}

static bool has_following(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (d->vars.at[dae_op(d, t, k)].kind == DAE_FOLLOWING)
            return true;
    return false;
}

static bool has_discrete(const Dae *d, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (d->vars.at[dae_op(d, t, k)].kind == DAE_DISCRETE)
            return true;
    return false;
}

/* A discrete variable of the equation where nothing else in it is unknown. */
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
        if (!is_kind(L, v, DAE_DISCRETE) || d->vars.at[v].type != DAE_REAL || by_when(L, v))
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
        d->ops.n = t.ops; /* they are read before others come there */
    t = dae_put(d, t, with);
    memory_free(with);
    return t;
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
        if (ok)
            vec_push(&d->eqs, equation_at(eq, DAE_EQ_MODEL, NONE, fold_evaluated(L, term)));
    }
    if (!ok) {
        d->ops.n = ops;
        d->eqs.n = eqs;
    }
    return ok && n > 0;
}

static bool lower_equal(Lower *L, const FlatEq *eq)
{
    if (lower_fast(L, eq))
        return true;
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, mode_of(eq), &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++)
        ok = add_equation(L, eq, lhs.at[k], rhs.at[k]);
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

/* ---- if-equations ---- */

typedef struct Pair {
    ExprId lhs, rhs;
    bool used;
} Pair;

typedef VEC(Pair) Pairs;

static bool collect_pairs(Lower *L, const FlatEq *body, uint32_t n, ExprId path, Pairs *out);

static bool collect_equal(Lower *L, const FlatEq *eq, Pairs *out)
{
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, mode_of(eq), &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++) {
        if (expr_type(L->g, lhs.at[k]) != T_REAL && hole_var(L, lhs.at[k]) == NONE)
            discrete_solve(L, &lhs.at[k], &rhs.at[k]);
        vec_push(out, ((Pair){.lhs = lhs.at[k], .rhs = rhs.at[k]}));
    }
    vec_free(&lhs);
    vec_free(&rhs);
    return ok;
}

/* The pair of branch b that has variable v alone on its left; NULL where there is none. */
static Pair *find_pair(const Lower *L, Pairs *branch, const Map *by_var, VarId v)
{
    uint32_t k = map_get(by_var, v);
    (void)L;
    return k == MAP_NONE || branch->at[k].used ? NULL : &branch->at[k];
}

/* v = if c1 then e1 … else en, for every v that all branches define. */
static void merge_targets(Lower *L, const ExprId *conditions, Pairs *branches, uint32_t n,
                          Pairs *out)
{
    Map *by_var = memory_alloc(n * sizeof *by_var);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0; k < branches[b].n; k++) {
            VarId v = hole_var(L, branches[b].at[k].lhs);
            if (v != NONE && map_get(&by_var[b], v) == MAP_NONE)
                map_put(&by_var[b], v, k);
        }
    for (uint32_t k = 0; k < branches[0].n; k++) {
        VarId v = hole_var(L, branches[0].at[k].lhs);
        uint32_t in = 0;
        for (uint32_t b = 0; b < n && v != NONE; b++)
            in += find_pair(L, &branches[b], &by_var[b], v) != NULL;
        if (v == NONE || in != n)
            continue;
        ExprId e = EXPR_NONE;
        for (uint32_t b = n; b-- > 0;) {
            Pair *p = find_pair(L, &branches[b], &by_var[b], v);
            p->used = true;
            e = e ? expr_if(L->g, conditions[b], p->rhs, e) : p->rhs;
        }
        vec_push(out, ((Pair){.lhs = branches[0].at[k].lhs, .rhs = e}));
    }
    for (uint32_t b = 0; b < n; b++)
        map_free(&by_var[b]);
    memory_free(by_var);
}

static ExprId next_residual(Lower *L, Pairs *branch, uint32_t *at)
{
    while (*at < branch->n && branch->at[*at].used)
        ++*at;
    Pair *p = &branch->at[(*at)++];
    return type_is_numeric(L->g->types, expr_type(L->g, p->lhs)) ? expr_sub(L->g, p->lhs, p->rhs)
                                                                 : EXPR_NONE;
}

/* 0 = if c1 then l1 - r1 … else ln - rn, for what is left, in order. */
static bool merge_residuals(Lower *L, const FlatEq *eq, const ExprId *conditions, Pairs *branches,
                            uint32_t n, uint32_t left, Pairs *out)
{
    uint32_t *place = memory_alloc(n * sizeof *place);
    bool ok = true;
    for (uint32_t i = 0; i < left && ok; i++) {
        ExprId e = EXPR_NONE;
        for (uint32_t b = n; b-- > 0 && ok;) {
            ExprId r = next_residual(L, &branches[b], &place[b]);
            ok = r != EXPR_NONE;
            if (ok)
                e = e ? expr_if(L->g, conditions[b], r, e) : r;
        }
        if (!ok)
            diag(L->ctx, eq->span, DIAG_D012,
                 "every branch of an if-equation must define the same discrete variables, each as "
                 "'variable = "
                 "…'");
        else
            vec_push(out, ((Pair){.lhs = e, .rhs = expr_real(L->g, 0.0)}));
    }
    memory_free(place);
    return ok;
}

static bool merge_branches(Lower *L, const FlatEq *eq, const ExprId *conditions, Pairs *branches,
                           uint32_t n, Pairs *out)
{
    for (uint32_t b = 1; b < n; b++)
        if (branches[b].n != branches[0].n) {
            diag(L->ctx, eq->span, DIAG_D012,
                 "branches of an if-equation hold %u and %u scalar equations", branches[0].n,
                 branches[b].n);
            return false;
        }
    uint32_t before = out->n, all = branches[0].n;
    merge_targets(L, conditions, branches, n, out);
    return merge_residuals(L, eq, conditions, branches, n, all - (out->n - before), out);
}

static bool collect_if(Lower *L, const FlatEq *eq, ExprId path, Pairs *out)
{
    uint32_t n = 0, size = eq->n_branches + 1;
    ExprId *conditions = memory_alloc(size * sizeof *conditions), rest = path;
    Pairs *branches = memory_alloc(size * sizeof *branches);
    bool ok = true, closed = false;
    for (uint32_t i = 0; i < eq->n_branches && ok && !closed; i++) {
        const FlatBranch *br = &eq->branches[i];
        ExprId c = expr_bool(L->g, true);
        L->span = br->span.file ? br->span : eq->span;
        ok = !br->condition || lower_scalar(L, br->condition, mode_of(eq), &c);
        bool literal = ok && expr_op(L->g, c) == OP_BOOL;
        if (!ok || (literal && !expr_int_value(L->g, c)))
            continue;
        closed = literal;
        conditions[n] = c;
        ok = collect_pairs(L, br->body, br->n, rest ? expr_and(L->g, rest, c) : c, &branches[n]);
        rest = rest ? expr_and(L->g, rest, expr_not(L->g, c)) : expr_not(L->g, c);
        n++;
    }
    if (ok && !closed)
        n++; /* an empty else */
    ok = ok && merge_branches(L, eq, conditions, branches, n, out);
    for (uint32_t b = 0; b < size; b++)
        vec_free(&branches[b]);
    memory_free(branches);
    memory_free(conditions);
    return ok;
}

static bool collect_pair(Lower *L, const FlatEq *eq, ExprId path, Pairs *out)
{
    L->span = eq->span;
    L->component = eq->component;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: return collect_equal(L, eq, out);
    case FLAT_IF: return collect_if(L, eq, path, out);
    case FLAT_ASSERT: return add_assert(L, eq, path, false);
    case FLAT_WHEN:
        return unsupported(L,
                           "a when-equation inside an if-equation whose condition is no constant");
    case FLAT_ALGORITHM: return unsupported(L, "an algorithm inside an if-equation");
    case FLAT_CALL: return lower_call(L, eq, path);
    case FLAT_REINIT:
    case FLAT_TERMINATE: break;
    }
    diag(L->ctx, eq->span, DIAG_D013, "%s() is allowed only inside a when",
         eq->kind == FLAT_REINIT ? "reinit" : "terminate");
    return false;
}

static bool collect_pairs(Lower *L, const FlatEq *body, uint32_t n, ExprId path, Pairs *out)
{
    if (L->depth >= 500)
        return too_deep(L);
    L->depth++;
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        ok &= collect_pair(L, &body[i], path, out);
    L->depth--;
    return ok;
}

static bool lower_if(Lower *L, const FlatEq *eq)
{
    Pairs pairs = {0};
    bool ok = collect_if(L, eq, EXPR_NONE, &pairs);
    for (uint32_t k = 0; ok && k < pairs.n; k++)
        ok = add_equation(L, eq, pairs.at[k].lhs, pairs.at[k].rhs);
    vec_free(&pairs);
    return ok;
}

/* ---- the phase ---- */

static bool lower_equation(Lower *L, const FlatEq *eq)
{
    L->span = eq->span;
    L->component = eq->component;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: return lower_equal(L, eq);
    case FLAT_IF: return lower_if(L, eq);
    case FLAT_WHEN: return lower_when(L, eq);
    case FLAT_ASSERT: return add_assert(L, eq, EXPR_NONE, false);
    case FLAT_ALGORITHM: return lower_algorithm(L, eq);
    case FLAT_CALL: return lower_call(L, eq, EXPR_NONE);
    case FLAT_REINIT:
    case FLAT_TERMINATE: break;
    }
    diag(L->ctx, eq->span, DIAG_D013, "%s() is allowed only inside a when",
         eq->kind == FLAT_REINIT ? "reinit" : "terminate");
    return false;
}

static bool lower_equations(Lower *L)
{
    bool ok = true;
    vec_reserve(&L->d->eqs, (size_t)L->d->eqs.n + L->flat->eqs.n);
    for (uint32_t i = 0; i < L->flat->eqs.n; i++) {
        ok &= lower_equation(L, &L->flat->eqs.at[i]);
        arena_reset(L->scratch);
    }
    return ok;
}

/* Every potential state can be given a start value. */
static void start_states(Lower *L)
{
    uint32_t n = L->d->vars.n;
    for (VarId v = 0; v < n; v++)
        if (L->d->vars.at[v].der != NONE && L->d->vars.at[v].kind == DAE_CONTINUOUS)
            start_var(L->d, v);
}

/* What an equation without when gives from a following variable follows as well, or is an error. */
static bool spread_following(Lower *L)
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
            ok = may_follow(d, q->target) || varies_between(L, q->span, q->target);
            if (ok)
                d->vars.at[q->target].kind = DAE_FOLLOWING;
            more = true;
        }
    }
    return ok;
}

static bool lower_model(Lower *L)
{
    bool ok = make_variables(L);
    if (!ok)
        return false;
    ok &= lower_parameters(L);
    ok &= lower_attributes(L);
    collect_when_targets(L);
    ok &= lower_equations(L) && discrete_finish(L) && spread_following(L);
    if (!ok || L->ctx->n_errors)
        return false;
    start_states(L);
    ok = find_aliases(L->d);
    finish_relations(L);
    return ok;
}

static void free_lower(Lower *L)
{
    arena_free(L->scratch);
    map_free(&L->memo);
    vec_free(&L->spans);
    vec_free(&L->elems);
    vec_free(&L->work);
    map_free(&L->relations);
    vec_free(&L->relation_next);
    map_free(&L->floors);
    map_free(&L->samples);
    map_free(&L->outside);
    map_free(&L->delays);
    memory_free(L->bound);
    vec_free(&L->known);
    vec_free(&L->defaults);
    map_free(&L->when_spans);
    vec_free(&L->when_sites);
    map_free(&L->discrete);
    vec_free(&L->open);
}

/* Functions that are partial derivatives have no bodies so far. */
static bool make_partials(Dae *d)
{
    for (uint32_t i = 0; i < d->g->functions.n; i++) {
        Function *f = d->g->functions.at[i];
        if (!f->n_partial || f->ready || symbolic_partial(d->symbolic, f))
            continue;
        const char *why = symbolic_why(d->symbolic);
        diag(d->ctx, f->span, DIAG_D006, "function %s cannot be had: %s", f->name,
             why ? why : "its function is not differentiable");
        return false;
    }
    return true;
}

Dae *dae_build(Context *ctx, const Flat *flat)
{
    Dae *d = memory_alloc(sizeof *d);
    d->ctx = ctx;
    d->g = flat->g;
    d->flat = flat;
    d->arena = arena_new();
    d->symbolic = symbolic_new(flat->g);
    d->shapes = shapes_new();
    d->initial = d->terminal = d->lambda = NONE;
    if (!make_partials(d) || !(flat = unclock(ctx, flat, d->arena))) {
        dae_free(d);
        return NULL;
    }
    d->flat = flat;
    Lower L = {.d = d, .ctx = ctx, .g = flat->g, .flat = flat, .scratch = arena_new()};
    L.bound = memory_alloc((size_t)flat->vars.n + 1);
    uint32_t errors = ctx->n_errors;
    bool ok = lower_model(&L) && ctx->n_errors == errors;
    free_lower(&L);
    d->n_model_vars = d->vars.n;
    d->n_model_eqs = d->eqs.n;
    if (ok)
        return d;
    dae_free(d);
    return NULL;
}

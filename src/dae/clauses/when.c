/* when-equations: conditions become hidden Boolean variables, and assignments become `v = if active
 * then e else pre(v)`. reinit, assert and terminate become actions with a guard. A branch is active
 * if one of its conditions has an edge and no earlier branch is active. At initialization,
 * initial() must be a condition. */
#include "dae/clauses/clauses.h"
#include "flatten/flat/flat_walk.h"

typedef struct When {
    const FlatEq *eq;
    ExprId path; /* of the branch of an if-equation around; EXPR_NONE for none */
    uint32_t n_branches;
    ExprId *edge;       /* per branch: a condition has an edge */
    ExprId *active;     /* per branch: the same, and no earlier branch */
    Map slots;          /* VarId → slot */
    VEC(VarId) targets; /* by slot */
    ExprVec values;     /* slot * n_branches + branch: value, or EXPR_NONE */
    VEC(Span) spans;    /* by slot: first assignment */
    VEC(Span) places;   /* of the values */
} When;

/* ---- conditions ---- */

/* A hidden Boolean that is `condition`, and its edge outside initialization. */
static ExprId edge_of(Lower *L, ExprId condition)
{
    Dae *d = L->d;
    VarId c = dae_hidden_var(d, DAE_DISCRETE, DAE_BOOL);
    d->vars.at[c].detail = L->n_made++;
    vec_push(&d->eqs, ((DaeEq){.term = shape_term(d, condition),
                               .target = c,
                               .origin = DAE_EQ_CONDITION,
                               .of = NONE,
                               .der = NONE,
                               .component = L->component,
                               .span = L->span}));
    ExprId rose = expr_and(L->g, hole_of(d, c), expr_not(L->g, hole_of(d, pre_var(d, c))));
    return expr_and(L->g, rose, expr_not(L->g, hole_of(d, initial_var(d))));
}

static bool is_initial(const Lower *L, ExprId e)
{
    return expr_op(L->g, e) == OP_HOLE && expr_index(L->g, e) == L->d->initial;
}

static bool lower_condition(Lower *L, ExprId e, ExprId *out)
{
    Elems v;
    *out = expr_bool(L->g, false);
    if (!lower_elements(L, e, LOWER_EVENTS, &v))
        return false;
    for (uint32_t k = 0; k < v.n; k++) {
        ExprId c = L->elems.at[v.at + k];
        if (expr_is_literal(L->g, c)) /* never rises */
            continue;
        if (!lower_event_condition(L, c, &c)) {
            diag(L->ctx, L->span, DIAG_D011,
                 "the condition of a when-clause must change only at events; remove noEvent");
            return false;
        }
        *out = expr_or(L->g, *out, is_initial(L, c) ? c : edge_of(L, c));
    }
    return true;
}

/* ---- assignments ---- */

static bool bad_left_side(Lower *L, Span span)
{
    diag(L->ctx, span, DIAG_D008,
         "the left side of an equation in a when-equation must be a variable");
    return false;
}

static uint32_t slot_of(When *w, VarId v, Span span)
{
    uint32_t slot = map_get(&w->slots, v);
    if (slot != MAP_NONE)
        return slot;
    slot = w->targets.n;
    map_put(&w->slots, v, slot);
    vec_push(&w->targets, v);
    vec_push(&w->spans, span);
    for (uint32_t b = 0; b < w->n_branches; b++) {
        vec_push(&w->values, EXPR_NONE);
        vec_push(&w->places, span);
    }
    return slot;
}

/* v = e in branch b, if `path` (EXPR_NONE: always) is true. */
static bool assign(Lower *L, When *w, uint32_t b, ExprId path, VarId v, ExprId e, Span span)
{
    uint32_t slot = slot_of(w, v, span);
    ExprId *value = &w->values.at[slot * w->n_branches + b];
    if (!path && *value) {
        diag(L->ctx, span, DIAG_D009, "%s is assigned twice in one branch of a when-clause",
             dae_var_name(L->d, v, L->scratch));
        return false;
    }
    ExprId otherwise = *value ? *value : hole_of(L->d, pre_var(L->d, v));
    *value = path ? expr_if(L->g, path, e, otherwise) : e;
    w->places.at[slot * w->n_branches + b] = span;
    return true;
}

static bool when_equal(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, LOWER_LITERAL, &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++) {
        ExprId l = lhs.at[k], r = rhs.at[k];
        if (expr_op(L->g, l) == OP_NEG && expr_op(L->g, expr_arg(L->g, l, 0)) == OP_HOLE) {
            l = expr_arg(L->g, l, 0);
            r = expr_neg(L->g, r);
        }
        bool variable =
            expr_op(L->g, l) == OP_HOLE && L->d->vars.at[expr_index(L->g, l)].kind == DAE_DISCRETE;
        ok = variable ? assign(L, w, b, path, expr_index(L->g, l), r, eq->span)
                      : bad_left_side(L, eq->span);
    }
    vec_free(&lhs);
    vec_free(&rhs);
    return ok;
}

/* ---- actions ---- */

static ExprId guard_of(Lower *L, const When *w, uint32_t b, ExprId path)
{
    return path ? expr_and(L->g, w->active[b], path) : w->active[b];
}

/* Whether the branch is active at initialization by its own initial(). */
static bool acts_initially(const Lower *L, const When *w, uint32_t b)
{
    ExprId c = w->eq->branches[b].condition;
    if (expr_op(L->g, c) == OP_INITIAL)
        return true;
    for (uint32_t i = 0; expr_op(L->g, c) == OP_ARRAY && i < expr_n(L->g, c); i++)
        if (expr_op(L->g, expr_arg(L->g, c, i)) == OP_INITIAL)
            return true;
    return false;
}

/* At initialization reinit(x, e) is the initial equation x = e (Modelica 3.6, section 8.6); later
 * it is an action. */
static ExprId reinit_guard(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq, ExprId x,
                           ExprId value)
{
    ExprId guard = guard_of(L, w, b, path);
    if (b > 0 || path || w->path || !acts_initially(L, w, b))
        return guard;
    add_eq(L, eq, DAE_EQ_INITIAL, NONE, expr_sub(L->g, x, value));
    return expr_and(L->g, guard, expr_not(L->g, hole_of(L->d, initial_var(L->d))));
}

/* A subscript of a reinit is out of range, if `path` is true. */
static bool nothing_selected(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    static const char text[] = "a subscript in reinit is out of range";
    ExprId in_range = expr_not(L->g, path);
    vec_push(&L->d->actions,
             ((DaeAction){
                 .kind = ACTION_ASSERT,
                 .at_edge = true,
                 .target = NONE,
                 .guard = shape_term(L->d, expr_or(L->g, expr_not(L->g, w->active[b]), in_range)),
                 .shown = shape_term(L->d, in_range),
                 .value = {.shape = expr_real(L->g, 0.0)},
                 .message = {.shape = expr_string(L->g, text, sizeof text - 1)},
                 .component = eq->component,
                 .span = eq->span}));
    return true;
}

/* reinit(x, value), if `path` is true. x may be an element that a parameter selects: a choice among
 * variables, of which the chosen one is reinitialized. */
static bool reinit_state(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq, ExprId x,
                         ExprId value)
{
    if (expr_op(L->g, x) == OP_IF) {
        ExprId c = expr_arg(L->g, x, 0), not_c = expr_not(L->g, c);
        return reinit_state(L, w, b, path ? expr_and(L->g, path, c) : c, eq, expr_arg(L->g, x, 1),
                            value) &&
               reinit_state(L, w, b, path ? expr_and(L->g, path, not_c) : not_c, eq,
                            expr_arg(L->g, x, 2), value);
    }
    if (expr_op(L->g, x) == OP_REAL && path)
        return nothing_selected(L, w, b, path, eq);
    if (expr_op(L->g, x) != OP_HOLE || L->d->vars.at[expr_index(L->g, x)].kind != DAE_CONTINUOUS) {
        diag(L->ctx, eq->span, DIAG_D008, "first argument of reinit() must be a state");
        return false;
    }
    Term guard = shape_term(L->d, reinit_guard(L, w, b, path, eq, x, value));
    Term to = shape_term(L->d, value);
    vec_push(&L->d->actions, ((DaeAction){.kind = ACTION_REINIT,
                                          .guard = guard,
                                          .target = expr_index(L->g, x),
                                          .value = to,
                                          .message = {.shape = expr_string(L->g, "", 0)},
                                          .clause = w->eq->span,
                                          .component = eq->component,
                                          .span = eq->span}));
    return true;
}

static bool when_reinit(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, LOWER_LITERAL, &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++)
        ok = reinit_state(L, w, b, path, eq, lhs.at[k], rhs.at[k]);
    vec_free(&lhs);
    vec_free(&rhs);
    return ok;
}

static bool when_terminate(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    DaeAction a = {
        .kind = ACTION_TERMINATE, .target = NONE, .component = eq->component, .span = eq->span};
    if (!lower_message(L, eq->rhs, &a.message))
        return false;
    a.guard = shape_term(L->d, guard_of(L, w, b, path));
    a.value = (Term){.shape = expr_real(L->g, 0.0)};
    vec_push(&L->d->actions, a);
    return true;
}

/* ---- bodies ---- */

static bool when_body(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *body, uint32_t n);

static bool when_if(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    ExprId rest = path; /* path, and no earlier branch */
    bool ok = true;
    for (uint32_t i = 0; i < eq->n_branches && ok; i++) {
        const FlatBranch *br = &eq->branches[i];
        ExprId c = expr_bool(L->g, true);
        L->span = br->span;
        if (br->condition && !lower_scalar(L, br->condition, LOWER_LITERAL, &c))
            return false;
        ExprId here = rest ? expr_and(L->g, rest, c) : c;
        ok = when_body(L, w, b, here, br->body, br->n);
        ExprId not_c = expr_not(L->g, c);
        rest = rest ? expr_and(L->g, rest, not_c) : not_c;
    }
    return ok;
}

static bool when_equation(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *eq)
{
    L->span = eq->span;
    L->component = eq->component;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: return when_equal(L, w, b, path, eq);
    case FLAT_IF: return when_if(L, w, b, path, eq);
    case FLAT_REINIT: return when_reinit(L, w, b, path, eq);
    case FLAT_ASSERT: return add_assert(L, eq, guard_of(L, w, b, path), true);
    case FLAT_TERMINATE: return when_terminate(L, w, b, path, eq);
    case FLAT_WHEN:
        diag(L->ctx, eq->span, DIAG_D013, "when-equations cannot be nested");
        return false;
    case FLAT_CALL: return lower_call(L, eq, guard_of(L, w, b, path));
    case FLAT_ALGORITHM: return unsupported(L, "an algorithm inside a when");
    }
    return false;
}

static bool when_body(Lower *L, When *w, uint32_t b, ExprId path, const FlatEq *body, uint32_t n)
{
    if (L->depth >= 500)
        return too_deep(L);
    L->depth++;
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        ok &= when_equation(L, w, b, path, &body[i]);
    L->depth--;
    return ok;
}

/* ---- the clause ---- */

bool when_determines(Lower *L, VarId v, Span span)
{
    uint32_t known = map_get(&L->when_spans, v);
    if (known == MAP_NONE) {
        map_put(&L->when_spans, v, L->when_sites.n);
        vec_push(&L->when_sites, span);
        return true;
    }
    diag(L->ctx, span, DIAG_D009,
         "%s is assigned in two when-clauses; a variable has one defining equation (use elsewhen, "
         "or one "
         "algorithm)",
         dae_var_name(L->d, v, L->scratch));
    diag_note(L->ctx, L->when_sites.at[known], "the other when assigns it here");
    return false;
}

/* if edge then e1 elseif … else `otherwise`, for the target of slot s */
static ExprId joined_values(Lower *L, const When *w, uint32_t s, ExprId otherwise)
{
    ExprId before = hole_of(L->d, pre_var(L->d, w->targets.at[s]));
    for (uint32_t b = w->n_branches; b-- > 0;) {
        ExprId value = w->values.at[s * w->n_branches + b];
        otherwise = expr_if(L->g, w->edge[b], value ? value : before, otherwise);
    }
    return otherwise;
}

static bool add_assignments(Lower *L, When *w)
{
    bool ok = true;
    for (uint32_t s = 0; s < w->targets.n; s++) {
        VarId v = w->targets.at[s];
        if (!when_determines(L, v, w->spans.at[s])) {
            ok = false;
            continue;
        }
        FlatEq place = *w->eq;
        place.span = w->spans.at[s];
        add_eq(L, &place, DAE_EQ_WHEN, v, joined_values(L, w, s, hole_of(L->d, pre_var(L->d, v))));
    }
    return ok;
}

/* ---- in branches of if-equations ---- */

static bool holds_part(const Graph *g, ExprId e, ExprId part)
{
    bool found = e == part;
    for (uint32_t i = 0; !found && expr_op(g, e) == OP_AND && i < expr_n(g, e); i++)
        found = holds_part(g, expr_arg(g, e, i), part);
    return found;
}

/* Whether one of the two conditions requires what the other one excludes: they belong to different
 * branches of an if-equation. */
static bool exclude(Lower *L, ExprId a, ExprId b)
{
    if (expr_op(L->g, b) == OP_OR) {
        bool all = true;
        for (uint32_t i = 0; all && i < expr_n(L->g, b); i++)
            all = exclude(L, a, expr_arg(L->g, b, i));
        return all;
    }
    bool found = holds_part(L->g, b, expr_not(L->g, a));
    for (uint32_t i = 0; !found && expr_op(L->g, a) == OP_AND && i < expr_n(L->g, a); i++)
        found = exclude(L, expr_arg(L->g, a, i), b);
    return found;
}

/* Variables that the when determines: several branches may determine the same one. */
static bool join_assignments(Lower *L, const When *w, WhenJoin *join)
{
    bool ok = true;
    for (uint32_t s = 0; s < w->targets.n && ok; s++) {
        JoinedTarget *t = NULL;
        for (uint32_t k = 0; k < join->targets.n; k++)
            t = join->targets.at[k].var == w->targets.at[s] ? &join->targets.at[k] : t;
        if (!t || !exclude(L, w->path, t->path)) {
            ok = when_determines(L, w->targets.at[s], w->spans.at[s]);
            ExprId before = hole_of(L->d, pre_var(L->d, w->targets.at[s]));
            vec_push(&join->targets, ((JoinedTarget){.var = w->targets.at[s],
                                                     .value = joined_values(L, w, s, before),
                                                     .path = w->path,
                                                     .span = w->spans.at[s]}));
        } else {
            t->value = joined_values(L, w, s, t->value);
            t->path = expr_or(L->g, t->path, w->path);
        }
    }
    return ok;
}

void when_join(Lower *L, const FlatEq *eq, WhenJoin *join)
{
    for (uint32_t k = 0; k < join->targets.n; k++) {
        FlatEq place = *eq;
        place.span = join->targets.at[k].span;
        add_eq(L, &place, DAE_EQ_WHEN, join->targets.at[k].var, join->targets.at[k].value);
    }
    vec_free(&join->targets);
}

static bool reads(Lower *L, ExprId e, VarId v)
{
    uint32_t mark = L->d->ops.n;
    Term t = shape_term(L->d, e);
    bool found = false;
    for (uint32_t k = 0; k < t.n && !found; k++)
        found = dae_op(L->d, t, k) == v;
    L->d->ops.n = mark;
    return found;
}

/* An equation beside reinit(x, …) that reads x gets the old value; pre(x) makes this explicit. */
static void warn_of_values_before(Lower *L, const When *w, uint32_t b, uint32_t first_action)
{
    for (uint32_t i = first_action; i < L->d->actions.n; i++) {
        const DaeAction a = L->d->actions.at[i];
        for (uint32_t s = 0; a.kind == ACTION_REINIT && s < w->targets.n; s++) {
            ExprId value = w->values.at[s * w->n_branches + b];
            if (!value || !reads(L, value, a.target))
                continue;
            char *name = dae_var_name(L->d, a.target, L->scratch);
            diag(L->ctx, w->places.at[s * w->n_branches + b], DIAG_D103,
                 "this equation reads %s before its reinit takes effect; write pre(%s) for the old "
                 "value, or the expression of the new value",
                 name, name);
            diag_note(L->ctx, a.span, "%s is reinitialized here", name);
        }
    }
}

static bool same_term(const Dae *d, Term a, Term b)
{
    bool same = a.shape == b.shape && a.n == b.n;
    for (uint32_t k = 0; same && k < a.n; k++)
        same = dae_op(d, a, k) == dae_op(d, b, k);
    return same;
}

/* Of the target and the guard of a reinit. */
static uint64_t reinit_key(const Dae *d, const DaeAction *a)
{
    uint64_t key = hash_mix(a->target, a->guard.shape);
    for (uint32_t k = 0; k < a->guard.n; k++)
        key = hash_mix(key, dae_op(d, a->guard, k));
    return key >> 1;
}

/* A branch gives a state one new value. If parameters choose the states, the run checks it. */
static bool reject_second_reinit(Lower *L, uint32_t first_action)
{
    const DaeAction *at = L->d->actions.at;
    Map known = {0};
    bool ok = true;
    for (uint32_t i = first_action; ok && i < L->d->actions.n; i++) {
        if (at[i].kind != ACTION_REINIT)
            continue;
        uint64_t key = reinit_key(L->d, &at[i]);
        uint32_t k = map_get(&known, key);
        map_put(&known, key, i);
        ok = k == MAP_NONE || at[i].target != at[k].target ||
             !same_term(L->d, at[i].guard, at[k].guard);
        if (ok)
            continue;
        diag(L->ctx, at[i].span, DIAG_D009, "this clause reinitializes %s twice; remove one",
             dae_var_name(L->d, at[i].target, L->scratch));
        diag_note(L->ctx, at[k].span, "the first reinit is here");
    }
    map_free(&known);
    return ok;
}

static bool lower_branches(Lower *L, When *w)
{
    ExprId none = expr_bool(L->g, true); /* no earlier branch is active */
    bool ok = true;
    for (uint32_t b = 0; b < w->n_branches; b++) {
        const FlatBranch *br = &w->eq->branches[b];
        L->span = br->span.file ? br->span : w->eq->span;
        L->component = w->eq->component;
        w->edge[b] = expr_bool(L->g, false);
        ok &= lower_condition(L, br->condition, &w->edge[b]);
        if (w->path)
            w->edge[b] = expr_and(L->g, w->path, w->edge[b]);
        w->active[b] = expr_and(L->g, w->edge[b], none);
        none = expr_and(L->g, none, expr_not(L->g, w->edge[b]));
        uint32_t first_action = L->d->actions.n;
        ok &=
            when_body(L, w, b, EXPR_NONE, br->body, br->n) && reject_second_reinit(L, first_action);
        warn_of_values_before(L, w, b, first_action);
    }
    return ok;
}

static bool lower_in(Lower *L, const FlatEq *eq, ExprId path, WhenJoin *join)
{
    When w = {.eq = eq, .path = path, .n_branches = eq->n_branches};
    if (eq->initial) {
        diag(L->ctx, eq->span, DIAG_D013,
             "a when-equation is not allowed in an initial equation section");
        return false;
    }
    w.edge = memory_alloc((eq->n_branches + 1) * sizeof *w.edge);
    w.active = memory_alloc((eq->n_branches + 1) * sizeof *w.active);
    bool ok =
        lower_branches(L, &w) && (join ? join_assignments(L, &w, join) : add_assignments(L, &w));
    memory_free(w.edge);
    memory_free(w.active);
    map_free(&w.slots);
    vec_free(&w.targets);
    vec_free(&w.values);
    vec_free(&w.spans);
    vec_free(&w.places);
    return ok;
}

bool lower_when(Lower *L, const FlatEq *eq)
{
    return lower_in(L, eq, EXPR_NONE, NULL);
}

bool lower_when_in_branch(Lower *L, const FlatEq *eq, ExprId path, WhenJoin *join)
{
    return lower_in(L, eq, path, join);
}

/* ---- what whens assign ---- */

static void mark_targets(Lower *L, ExprId lhs)
{
    Elems v;
    if (expr_op(L->g, lhs) == OP_TUPLE) {
        for (uint32_t i = 0; i < expr_n(L->g, lhs); i++)
            if (expr_arg(L->g, lhs, i))
                mark_targets(L, expr_arg(L->g, lhs, i));
        return;
    }
    if (!lower_elements(L, lhs, LOWER_LITERAL, &v))
        return;
    for (uint32_t k = 0; k < v.n; k++) {
        ExprId e = L->elems.at[v.at + k];
        if (expr_op(L->g, e) == OP_NEG)
            e = expr_arg(L->g, e, 0);
        if (expr_op(L->g, e) != OP_HOLE)
            continue;
        DaeVar *x = &L->d->vars.at[expr_index(L->g, e)];
        if (x->kind == DAE_CONTINUOUS)
            x->kind = DAE_DISCRETE;
        map_put(&L->discrete, expr_index(L->g, e), 1);
    }
}

static Walk mark_equation(void *user, const FlatEq *eq)
{
    Lower *L = user;
    L->span = eq->span;
    L->component = eq->component;
    if (eq->kind == FLAT_EQUAL)
        mark_targets(L, eq->lhs);
    return eq->kind == FLAT_IF ? WALK_ON : WALK_PAST;
}

enum { ASSIGNED_IN_WHEN = 1, ASSIGNED_OUTSIDE = 2 };

typedef struct AssignedFinder {
    const Lower *L;
    Map *found;     /* flat variable -> bits of the above */
    unsigned whens; /* around */
} AssignedFinder;

static void note_assigned(const AssignedFinder *f, ExprId to)
{
    const Graph *g = f->L->g;
    while (to && expr_op(g, to) == OP_INDEX)
        to = expr_arg(g, to, 0);
    if (!to || expr_op(g, to) != OP_VAR)
        return;
    uint32_t how = f->whens ? ASSIGNED_IN_WHEN : ASSIGNED_OUTSIDE;
    uint32_t var = expr_index(g, to), before = map_get(f->found, var);
    map_put(f->found, var, (before == MAP_NONE ? 0 : before) | how);
}

static Walk find_assigned(void *user, const Stmt *s)
{
    AssignedFinder *f = user;
    const Graph *g = f->L->g;
    bool tuple = s->kind == STMT_ASSIGN && expr_op(g, s->lhs) == OP_TUPLE;
    for (uint32_t k = 0; tuple && k < expr_n(g, s->lhs); k++)
        note_assigned(f, expr_arg(g, s->lhs, k));
    if (s->kind == STMT_ASSIGN && !tuple)
        note_assigned(f, s->lhs);
    f->whens += s->kind == STMT_WHEN;
    return WALK_ON;
}

static void leave_statement(void *user, const Stmt *s)
{
    AssignedFinder *f = user;
    f->whens -= s->kind == STMT_WHEN;
}

/* A variable that an algorithm section assigns only in whens changes only at events. */
static void mark_section(Lower *L, const FlatEq *eq)
{
    Map found = {0};
    stmt_walk(eq->stmts, eq->n_stmts,
              &(StmtVisitor){.statement = find_assigned, .leave = leave_statement},
              &(AssignedFinder){.L = L, .found = &found});
    for (uint32_t i = 0; i < found.cap; i++) {
        uint32_t f = found.keys[i] ? (uint32_t)(found.keys[i] - 1) : NONE;
        if (f == NONE || map_get(&found, f) != ASSIGNED_IN_WHEN || L->d->flat_base[f] == NONE)
            continue;
        for (uint32_t k = 0; k < type_scalars(L, L->flat->vars.at[f].type); k++) {
            DaeVar *x = &L->d->vars.at[L->d->flat_base[f] + k];
            if (x->kind == DAE_CONTINUOUS)
                x->kind = DAE_DISCRETE;
            map_put(&L->discrete, L->d->flat_base[f] + k, 1);
        }
    }
    map_free(&found);
}

static void mark_whens(Lower *L, const FlatEq *eqs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const FlatEq *eq = &eqs[i];
        for (uint32_t b = 0; eq->kind == FLAT_WHEN && b < eq->n_branches; b++)
            flat_walk(eq->branches[b].body, eq->branches[b].n,
                      &(FlatVisitor){.equation = mark_equation}, L);
        for (uint32_t b = 0; eq->kind == FLAT_IF && b < eq->n_branches; b++)
            mark_whens(L, eq->branches[b].body, eq->branches[b].n);
        if (eq->kind == FLAT_ALGORITHM && !eq->initial)
            mark_section(L, eq);
    }
}

void collect_when_targets(Lower *L)
{
    mark_whens(L, L->flat->eqs.at, L->flat->eqs.n);
}

/* The statements of an algorithm section over the variables of its function. Variables that it
 * reads become inputs. A when becomes an if on the edge of its conditions. An assert, terminate or
 * reinit becomes an assignment to further outputs. */
#include "dae/clauses/algorithm.h"

#include "expr/walk.h"

/* ---- expressions ---- */

ExprId algorithm_input(Algorithm *a, ExprId value, TypeId type)
{
    uint32_t k = map_get(&a->input_of, value);
    if (k == MAP_NONE) {
        k = a->inputs.n;
        map_put(&a->input_of, value, k);
        vec_push(&a->inputs, ((Input){.value = value, .type = type}));
    }
    a->inputs.at[k].outside |= !a->in_when;
    return expr_leaf(a->L->g, OP_LOCAL, type, k);
}

static ExprId to_local(void *user, Graph *g, ExprId e);

ExprId algorithm_local(Algorithm *a, ExprId e)
{
    return e ? expr_map(a->L->g, e, to_local, a) : EXPR_NONE;
}

/* der(x), pre(x): of the whole variable as an input, then subscripted. */
static ExprId limit(Algorithm *a, ExprOp op, ExprId x)
{
    Graph *g = a->L->g;
    ExprVec subs = {0};
    ExprId base = x;
    if (expr_op(g, x) == OP_INDEX) {
        base = expr_arg(g, x, 0);
        for (uint32_t i = 1; i < expr_n(g, x); i++)
            vec_push(&subs, expr_arg(g, x, i));
    }
    if (expr_op(g, base) != OP_VAR) {
        algorithm_refuse(a, a->eq->span,
                         op == OP_DER ? "der() of an expression" : "pre() of an expression");
        vec_free(&subs);
        return x;
    }
    TypeId t = expr_type(g, base);
    ExprId all = algorithm_input(a, expr1(g, op, t, base), t);
    if (subs.n) {
        ExprId *args = memory_alloc((subs.n + 1) * sizeof *args);
        args[0] = all;
        for (uint32_t i = 0; i < subs.n; i++)
            args[i + 1] = algorithm_local(a, subs.at[i]);
        all = expr_apply(g, OP_INDEX, expr_type(g, x), 0, args, subs.n + 1);
        memory_free(args);
    }
    vec_free(&subs);
    return all;
}

static ExprId variable(Algorithm *a, ExprId e)
{
    Lower *L = a->L;
    uint32_t f = expr_index(L->g, e), out = map_get(&a->output_of, f);
    if (out != MAP_NONE)
        return expr_leaf(L->g, OP_LOCAL, expr_type(L->g, e), a->n_in + out);
    bool folded = L->flat->vars.at[f].variability == VARIES_CONSTANT ||
                  type_element(L->g->types, expr_type(L->g, e)) == T_STRING;
    Elems v;
    if (!folded)
        return algorithm_input(a, e, expr_type(L->g, e));
    if (!lower_elements(L, e, LOWER_LITERAL, &v) || v.n == 0) {
        a->failed = true;
        return e;
    }
    return assemble(L, expr_type(L->g, e), L->elems.at + v.at);
}

/* Whether e is a variable, or an element of one at a fixed place. */
static bool is_fixed_place(const Graph *g, ExprId e)
{
    bool fixed = expr_op(g, e) == OP_VAR ||
                 (expr_op(g, e) == OP_INDEX && expr_op(g, expr_arg(g, e, 0)) == OP_VAR);
    for (uint32_t i = 1; fixed && i < expr_n(g, e); i++)
        fixed = expr_is_literal(g, expr_arg(g, e, i));
    return fixed;
}

/* A left limit is an input of the section, even if the section assigns the variable. */
static Walk note_operand(void *user, ExprId e)
{
    Operands *o = user;
    const Graph *g = o->a->L->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_PRE && is_fixed_place(g, expr_arg(g, e, 0)))
        return WALK_PAST;
    o->own |= op == OP_ITER || op == OP_LOCAL ||
              (op == OP_VAR && map_get(&o->a->output_of, expr_index(g, e)) != MAP_NONE);
    o->continuous |=
        op == OP_TIME || op == OP_DER ||
        (op == OP_VAR && o->a->L->flat->vars.at[expr_index(g, e)].variability == VARIES_CONTINUOUS);
    return WALK_ON;
}

bool algorithm_is_continuous(Algorithm *a, ExprId e)
{
    Operands o = {.a = a};
    expr_walk_down(a->L->g, e, note_operand, &o);
    return o.continuous;
}

bool algorithm_is_own(Algorithm *a, ExprId e)
{
    Operands o = {.a = a};
    expr_walk_down(a->L->g, e, note_operand, &o);
    return o.own;
}

/* A relation of the section as a call: an input if it can be computed outside, otherwise unchanged.
 */
static ExprId relation(Algorithm *a, ExprId e)
{
    Operands o = {.a = a};
    Lower *L = a->L;
    expr_walk_down(L->g, e, note_operand, &o);
    if (a->symbolic || a->literal || !o.continuous)
        return EXPR_NONE;
    if (!o.own && expr_type(L->g, e) == T_BOOL) {
        ExprId lowered;
        if (lower_scalar(L, e, LOWER_EVENTS, &lowered))
            return algorithm_input(a, lowered, T_BOOL);
        a->failed = true;
        return e;
    }
    if (!a->warned)
        diag(L->ctx, a->eq->span, DIAG_D102,
             "relations in this algorithm section cause no events; move them to equations if they "
             "must");
    a->warned = true;
    return EXPR_NONE;
}

/* delay(): an input; a variable that the section itself assigns becomes an output first. */
static ExprId delayed(Algorithm *a, ExprId e)
{
    bool own = algorithm_is_own(a, expr_op(a->L->g, e) == OP_DELAY ? expr_arg(a->L->g, e, 0) : e);
    return own ? algorithm_delay(a, e) : algorithm_input(a, e, expr_type(a->L->g, e));
}

/* The argument of noEvent or smooth, which keeps its operator if that matters later. */
static ExprId without_events(Algorithm *a, ExprId e)
{
    Graph *g = a->L->g;
    bool before = a->literal;
    a->literal = true;
    ExprId x = algorithm_local(a, e);
    a->literal = before;
    return a->symbolic ? expr1(g, OP_NOEVENT, expr_type(g, x), x) : x;
}

static ExprId to_local(void *user, Graph *g, ExprId e)
{
    Algorithm *a = user;
    ExprId x = expr_n(g, e) ? expr_arg(g, e, 0) : EXPR_NONE;
    switch (expr_op(g, e)) {
    case OP_VAR: return variable(a, e);
    case OP_TIME:
    case OP_INITIAL:
    case OP_TERMINAL:
    case OP_SAMPLE: return algorithm_input(a, e, expr_type(g, e));
    case OP_DER:
    case OP_PRE: return limit(a, expr_op(g, e), x);
    case OP_EDGE: return expr_and(g, algorithm_local(a, x), expr_not(g, limit(a, OP_PRE, x)));
    case OP_CHANGE: return expr_compare(g, OP_NE, algorithm_local(a, x), limit(a, OP_PRE, x));
    case OP_NOEVENT: return without_events(a, x);
    case OP_SMOOTH: return without_events(a, expr_arg(g, e, 1));
    case OP_HOLE: return algorithm_input(a, e, expr_type(g, e));
    case OP_SPATIAL:
    case OP_DELAY: return delayed(a, e);
    case OP_HOMOTOPY: return a->symbolic ? EXPR_NONE : algorithm_local(a, x);
    case OP_SEMILINEAR:
        if (a->symbolic)
            return EXPR_NONE;
        algorithm_refuse(a, a->eq->span, "semiLinear() beside loops of unknown length");
        return e;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return type_element(g->types, expr_type(g, x)) == T_REAL ? relation(a, e) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

/* ---- statements ---- */

static Stmt *localise_body(Algorithm *a, const Stmt *body, uint32_t n, uint32_t *n_out);

/* In the body of a when, relations are evaluated literally. */
static ExprId value(Algorithm *a, ExprId e)
{
    if (!e || !a->in_when || type_get(a->L->g->types, expr_type(a->L->g, e))->kind == TYPE_TUPLE)
        return algorithm_local(a, e);
    return without_events(a, e);
}

static uint32_t n_variables(const Algorithm *a)
{
    return a->n_in + a->outputs.n + a->n_extras;
}

ExprId algorithm_extra(Algorithm *a, ExtraKind kind, TypeId type, const Stmt *s)
{
    uint32_t k = a->next_extra++;
    if (k == a->extras.n)
        vec_push(
            &a->extras,
            ((Extra){.kind = kind, .type = type, .var = NONE, .stmt = s, .in_when = a->in_when}));
    return expr_leaf(a->L->g, OP_LOCAL, type, a->n_in + a->outputs.n + k);
}

static Stmt assignment(const Stmt *at, ExprId lhs, ExprId rhs)
{
    return (Stmt){.kind = STMT_ASSIGN, .span = at->span, .lhs = lhs, .rhs = rhs};
}

/* (a, b) := (x, y), through variables of their own. */
static void assign_at_once(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    uint32_t first = a->temps.n, n = expr_n(g, s->lhs);
    for (uint32_t i = 0; i < n; i++) {
        TypeId t = expr_type(g, expr_arg(g, s->lhs, i));
        ExprId rhs = value(a, expr_arg(g, s->rhs, i));
        vec_push(out, assignment(s, expr_leaf(g, OP_LOCAL, t, n_variables(a) + a->temps.n), rhs));
        vec_push(&a->temps, t);
    }
    for (uint32_t i = 0; i < n; i++) {
        ExprId rhs = expr_leaf(g, OP_LOCAL, a->temps.at[first + i], n_variables(a) + first + i);
        vec_push(out, assignment(s, algorithm_local(a, expr_arg(g, s->lhs, i)), rhs));
    }
}

/* assert(c, m) as: if not c then holds := false; message := m; */
static void localise_assert(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    Stmt to = {.kind = STMT_IF, .span = s->span, .n_branches = 1};
    to.branches = ARENA_ARRAY(g->arena, StmtBranch, 1);
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 2);
    body[0] = assignment(s, algorithm_extra(a, EXTRA_HOLDS, T_BOOL, s), expr_bool(g, false));
    body[1] =
        assignment(s, algorithm_extra(a, EXTRA_MESSAGE, T_STRING, s), algorithm_local(a, s->rhs));
    to.branches[0] = (StmtBranch){expr_not(g, without_events(a, s->lhs)), body, 2};
    vec_push(out, to);
}

static void localise_action(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    uint32_t k = a->next_extra;
    vec_push(out, assignment(s, algorithm_extra(a, EXTRA_FIRED, T_BOOL, s), expr_bool(g, true)));
    a->extras.at[k].at_beginning = a->initially && a->paths == 0;
    if (s->kind == STMT_REINIT)
        vec_push(out, assignment(s, algorithm_extra(a, EXTRA_VALUE, expr_type(g, s->lhs), s),
                                 value(a, s->rhs)));
    else if (a->symbolic)
        vec_push(out, assignment(s, algorithm_extra(a, EXTRA_MESSAGE, T_STRING, s),
                                 algorithm_local(a, s->rhs)));
}

/* ---- when ---- */

/* The hidden variable of the condition at this place of the section. */
static Condition *hidden_condition(Algorithm *a)
{
    uint32_t at = a->next_condition++;
    if (at == a->conditions.n) {
        Dae *d = a->L->d;
        VarId c = dae_hidden_var(d, DAE_DISCRETE, DAE_BOOL);
        d->vars.at[c].detail = a->L->n_made++;
        vec_push(&a->conditions, ((Condition){.var = c}));
    }
    return &a->conditions.at[at];
}

/* The present value of a condition: a variable of the model if the section can read it without a
 * loop. */
static ExprId condition_now(Algorithm *a, const Stmt *s, ExprId e, Condition *c, Stmts *out)
{
    Lower *L = a->L;
    bool own = algorithm_is_own(a, e);
    ExprId lowered;
    if (!own && !c->defined) {
        L->span = s->span;
        c->defined = lower_scalar(L, e, LOWER_EVENTS, &lowered) &&
                     algorithm_add_condition(a, s, c->var, lowered);
        a->failed |= !c->defined;
    }
    if (!own)
        return algorithm_input(a, hole_of(L->d, c->var), T_BOOL);
    uint32_t k = a->next_extra;
    ExprId now = algorithm_extra(a, EXTRA_CONDITION, T_BOOL, s);
    a->extras.at[k].var = c->var;
    vec_push(out, assignment(s, now, algorithm_local(a, e)));
    return a->symbolic ? algorithm_input(a, hole_of(L->d, c->var), T_BOOL) : now;
}

/* The edge of a condition outside initialization. */
static ExprId edge_of(Algorithm *a, const Stmt *s, ExprId condition, Stmts *out)
{
    Lower *L = a->L;
    Condition *c = hidden_condition(a);
    VarId v = c->var;
    ExprId now = condition_now(a, s, condition, c, out);
    ExprId before = algorithm_input(a, hole_of(L->d, pre_var(L->d, v)), T_BOOL);
    ExprId start = algorithm_input(a, hole_of(L->d, initial_var(L->d)), T_BOOL);
    ExprId rose = expr_and(L->g, now, expr_not(L->g, before));
    return expr_and(L->g, rose, expr_not(L->g, start));
}

static ExprId any_edge(Algorithm *a, const Stmt *s, ExprId condition, Stmts *out, bool *initially)
{
    Graph *g = a->L->g;
    bool array = type_rank(g->types, expr_type(g, condition)) > 0;
    int64_t n = array ? type_count(g->types, expr_type(g, condition)) : 1;
    ExprId any = expr_bool(g, false);
    for (int64_t i = 0; i < n; i++) {
        ExprId args[2] = {condition, expr_int(g, i + 1)}, c = condition;
        if (array)
            c = expr_op(g, c) == OP_ARRAY ? expr_arg(g, c, (uint32_t)i)
                                          : expr_apply(g, OP_INDEX, T_BOOL, 0, args, 2);
        if (expr_op(g, c) == OP_INITIAL) {
            any =
                expr_or(g, any, algorithm_input(a, hole_of(a->L->d, initial_var(a->L->d)), T_BOOL));
            *initially = true;
        } else if (!expr_is_literal(g, c)) {
            any = expr_or(g, any, edge_of(a, s, c, out));
        }
    }
    return any;
}

/* An if on the edges; the conditions are all computed before it. */
static void localise_when(Algorithm *a, const Stmt *s, Stmts *out)
{
    Stmt to = *s;
    to.kind = STMT_IF;
    to.branches = ARENA_ARRAY(a->L->g->arena, StmtBranch, s->n_branches + 1);
    bool first = false;
    for (uint32_t b = 0; b < s->n_branches; b++) {
        bool initially = false;
        to.branches[b].condition = any_edge(a, s, s->branches[b].condition, out, &initially);
        first |= initially && b == 0;
    }
    a->in_when = true;
    for (uint32_t b = 0; b < s->n_branches; b++) {
        a->initially = first && b == 0;
        to.branches[b].body =
            localise_body(a, s->branches[b].body, s->branches[b].n, &to.branches[b].n);
    }
    a->in_when = a->initially = false;
    vec_push(out, to);
}

/* ---- all statements ---- */

static void localise_plain(Algorithm *a, const Stmt *s, Stmts *out)
{
    Stmt to = *s;
    bool loop = s->kind == STMT_FOR || s->kind == STMT_WHILE;
    to.lhs = s->kind == STMT_FOR || !s->lhs ? s->lhs : algorithm_local(a, s->lhs);
    to.rhs = value(a, s->rhs);
    to.branches = ARENA_ARRAY(a->L->g->arena, StmtBranch, s->n_branches + 1);
    a->paths += s->n_branches > 0;
    a->loops += loop;
    for (uint32_t b = 0; b < s->n_branches; b++) {
        to.branches[b].condition = value(a, s->branches[b].condition);
        to.branches[b].body =
            localise_body(a, s->branches[b].body, s->branches[b].n, &to.branches[b].n);
    }
    a->paths -= s->n_branches > 0;
    a->loops -= loop;
    vec_push(out, to);
}

static void move_all(Stmts *to, Stmts *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(to, from->at[i]);
    vec_clear(from);
}

static void localise_all(Algorithm *a, const Stmt *body, uint32_t n, Stmts *out);

static void localise_one(Algorithm *a, const Stmt *s, Stmts *out)
{
    const Graph *g = a->L->g;
    uint32_t n;
    const Stmt *turns = algorithm_unroll(a, s, &n);
    if (turns) {
        a->paths++;
        localise_all(a, turns, n, out);
        a->paths--;
    } else if (s->kind == STMT_ASSIGN && expr_op(g, s->lhs) == OP_TUPLE &&
               expr_op(g, s->rhs) == OP_TUPLE) {
        assign_at_once(a, s, out);
    } else if (s->kind == STMT_WHEN) {
        localise_when(a, s, out);
    } else if (s->kind == STMT_ASSERT && a->symbolic) {
        localise_assert(a, s, out);
    } else if (s->kind == STMT_TERMINATE || s->kind == STMT_REINIT) {
        localise_action(a, s, out);
    } else {
        localise_plain(a, s, out);
    }
}

/* Each statement, after the outputs of its delays. */
static void localise_all(Algorithm *a, const Stmt *body, uint32_t n, Stmts *out)
{
    for (uint32_t i = 0; i < n; i++) {
        Stmts one = {0}, around = a->pending;
        a->pending = (Stmts){0};
        localise_one(a, &body[i], &one);
        if (a->depth == 1)
            move_all(out, &a->hoisted);
        move_all(out, &a->pending);
        move_all(out, &one);
        vec_free(&one);
        vec_free(&a->pending);
        a->pending = around;
    }
}

static Stmt *localise_body(Algorithm *a, const Stmt *body, uint32_t n, uint32_t *n_out)
{
    Stmts out = {0};
    a->depth++;
    localise_all(a, body, n, &out);
    a->depth--;
    *n_out = out.n;
    return vec_keep(&out, a->L->g->arena);
}

Stmt *algorithm_localise(Algorithm *a, uint32_t *n)
{
    Graph *g = a->L->g;
    a->next_extra = a->next_condition = a->next_delay = 0;
    vec_clear(&a->temps);
    Stmt *body = localise_body(a, a->eq->stmts, a->eq->n_stmts, n);
    if (!a->guard)
        return body;
    Stmt *outer = ARENA_ARRAY(g->arena, Stmt, 1);
    *outer = (Stmt){.kind = STMT_IF, .span = a->eq->span, .n_branches = 1};
    outer->branches = ARENA_ARRAY(g->arena, StmtBranch, 1);
    outer->branches[0] = (StmtBranch){algorithm_input(a, a->guard, T_BOOL), body, *n};
    *n = 1;
    return outer;
}

/* Algorithm sections of models, by way of a function made for them.
 *
 * Variables read are its inputs, variables assigned its outputs; an output that may be read before it is assigned begins with its start
 * value, a discrete one with its left limit (11.1.2 of the specification). A when becomes an if on the edge of its conditions, which
 * are further outputs; so are what asserts, terminate and reinit need. Where the body can be executed with expressions in place of
 * values (inline.c), each output has an equation of its own, whose relations yield events like those of any other equation. Else
 * the outputs are those of a call: relations on what the section does not assign are inputs, the others are taken literally. */
#include "dae/lower.h"
#include "dae/symbolic_work.h"

typedef struct Input {
    ExprId value; /* over the flat model, or a lowered expression */
    TypeId type;
} Input;

typedef enum ExtraKind {
    EXTRA_CONDITION, /* Boolean variable `var`: a condition of a when */
    EXTRA_HOLDS,     /* false where an assert is violated */
    EXTRA_FIRED,     /* terminate or reinit acts */
    EXTRA_MESSAGE,   /* of the one before it */
    EXTRA_VALUE,     /* of the reinit before it */
    EXTRA_DONE,      /* true: the section is there for its effects */
} ExtraKind;

/* An output that is no variable of the model. */
typedef struct Extra {
    ExtraKind kind;
    TypeId type;
    VarId var;         /* EXTRA_CONDITION */
    const Stmt *stmt;  /* that it belongs to */
    bool at_beginning; /* reinit: under a when that acts at initialization, unconditionally */
    bool in_when;
} Extra;

/* A condition of a when, in the order of the section. */
typedef struct Condition {
    VarId var;
    bool defined; /* has its equation */
} Condition;

typedef struct Algorithm {
    Lower *L;
    const FlatEq *eq;
    ExprId guard;   /* the section runs where it holds; EXPR_NONE: always */
    bool symbolic;  /* to be executed with expressions */
    bool literal;   /* here relations are taken literally */
    bool in_when;   /* in the body of a when */
    bool initially; /* in the first branch of a when that acts at initialization */
    uint32_t paths; /* conditional and repeated bodies around the statement, the when itself excepted */
    VEC(Extra) extras;
    uint32_t n_extras, next_extra; /* as known from the first reading; of the present reading */
    VEC(Condition) conditions;     /* met so far, kept over readings */
    uint32_t next_condition;
    Map unconditional; /* flat variables assigned outside whens */
    Map by_when;       /* flat variables assigned in a when */
    VEC(Input) inputs;
    VEC(uint32_t) outputs;   /* flat variables */
    Map input_of, output_of; /* ExprId, flat variable → number */
    Map assigned;            /* flat variables assigned as a whole before any other use */
    ExprVec begin;           /* per output: what it begins with, or EXPR_NONE */
    uint32_t n_in;           /* as known from the first reading; 0 during it */
    VEC(TypeId) temps;       /* variables of its own, after the outputs */
    bool failed, warned;
} Algorithm;

/* ---- outputs ---- */

static bool refuse(Algorithm *a, Span span, const char *what)
{
    diag(a->L->ctx, span, DIAG_D001, "%s in an algorithm section of a model is not yet supported", what);
    a->failed = true;
    return false;
}

static void add_output(Algorithm *a, ExprId lhs, bool in_when, Span span)
{
    const Graph *g = a->L->g;
    if (expr_op(g, lhs) == OP_TUPLE) {
        for (uint32_t i = 0; i < expr_n(g, lhs); i++)
            if (expr_arg(g, lhs, i))
                add_output(a, expr_arg(g, lhs, i), in_when, span);
        return;
    }
    while (expr_op(g, lhs) == OP_INDEX)
        lhs = expr_arg(g, lhs, 0);
    if (expr_op(g, lhs) != OP_VAR) {
        refuse(a, span, "this left side of an assignment");
        return;
    }
    uint32_t f = expr_index(g, lhs);
    map_put(in_when ? &a->by_when : &a->unconditional, f, 1);
    if (map_get(&a->output_of, f) == MAP_NONE) {
        map_put(&a->output_of, f, a->outputs.n);
        vec_push(&a->outputs, f);
    }
}

static void find_outputs(Algorithm *a, const Stmt *body, uint32_t n, bool in_when, unsigned depth)
{
    if (depth > 200) {
        refuse(a, a->eq->span, "nesting of more than 200 levels");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        bool when = in_when || s->kind == STMT_WHEN;
        if (s->kind == STMT_WHEN && depth > 0)
            refuse(a, s->span, "a 'when' inside another statement");
        else if (s->kind == STMT_WHEN && a->eq->initial)
            refuse(a, s->span, "a 'when' at initialization");
        else if (s->kind == STMT_ASSIGN)
            add_output(a, s->lhs, when, s->span);
        for (uint32_t b = 0; b < s->n_branches; b++)
            find_outputs(a, s->branches[b].body, s->branches[b].n, when, depth + 1);
    }
}

/* ---- uses before assignment ---- */

typedef struct Uses {
    const Graph *g;
    Map *seen;
} Uses;

static void note_use(void *user, ExprId e)
{
    Uses *u = user;
    if (expr_op(u->g, e) == OP_VAR && map_get(u->seen, expr_index(u->g, e)) == MAP_NONE)
        map_put(u->seen, expr_index(u->g, e), 1);
}

static void note_uses(Uses *u, const Stmt *s)
{
    if (s->rhs)
        expr_walk(u->g, s->rhs, note_use, u);
    if (s->lhs && !(s->kind == STMT_ASSIGN && expr_op(u->g, s->lhs) == OP_VAR))
        expr_walk(u->g, s->lhs, note_use, u);
    for (uint32_t b = 0; b < s->n_branches; b++) {
        if (s->branches[b].condition)
            expr_walk(u->g, s->branches[b].condition, note_use, u);
        for (uint32_t i = 0; i < s->branches[b].n; i++) {
            const Stmt *inner = &s->branches[b].body[i];
            note_uses(u, inner);
            if (inner->lhs)
                expr_walk(u->g, inner->lhs, note_use, u);
        }
    }
}

static void find_assigned(Algorithm *a)
{
    Map seen = {0};
    Uses u = {a->L->g, &seen};
    for (uint32_t i = 0; i < a->eq->n_stmts; i++) {
        const Stmt *s = &a->eq->stmts[i];
        note_uses(&u, s);
        if (s->kind != STMT_ASSIGN || expr_op(a->L->g, s->lhs) != OP_VAR)
            continue;
        uint32_t f = expr_index(a->L->g, s->lhs);
        if (map_get(&seen, f) == MAP_NONE)
            map_put(&a->assigned, f, 1);
        map_put(&seen, f, 1);
    }
    map_free(&seen);
}

/* ---- expressions ---- */

static ExprId input(Algorithm *a, ExprId value, TypeId type)
{
    uint32_t k = map_get(&a->input_of, value);
    if (k == MAP_NONE) {
        k = a->inputs.n;
        map_put(&a->input_of, value, k);
        vec_push(&a->inputs, ((Input){value, type}));
    }
    return expr_leaf(a->L->g, OP_LOCAL, type, k);
}

static ExprId to_local(void *user, Graph *g, ExprId e);

static ExprId localise(Algorithm *a, ExprId e)
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
        refuse(a, a->eq->span, op == OP_DER ? "der() of an expression" : "pre() of an expression");
        vec_free(&subs);
        return x;
    }
    TypeId t = expr_type(g, base);
    ExprId all = input(a, expr1(g, op, t, base), t);
    if (subs.n) {
        ExprId *args = memory_alloc((subs.n + 1) * sizeof *args);
        args[0] = all;
        for (uint32_t i = 0; i < subs.n; i++)
            args[i + 1] = localise(a, subs.at[i]);
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
        return input(a, e, expr_type(L->g, e));
    if (!lower_elements(L, e, LOWER_LITERAL, &v) || v.n == 0) {
        a->failed = true;
        return e;
    }
    return assemble(L, expr_type(L->g, e), L->elems.at + v.at);
}

typedef struct Operands {
    Algorithm *a;
    bool continuous, own; /* a continuous variable; an iterator or what the section assigns */
} Operands;

static void note_operand(void *user, ExprId e)
{
    Operands *o = user;
    const Graph *g = o->a->L->g;
    ExprOp op = expr_op(g, e);
    o->own |= op == OP_ITER || op == OP_LOCAL ||
              (op == OP_VAR && map_get(&o->a->output_of, expr_index(g, e)) != MAP_NONE);
    o->continuous |=
        op == OP_TIME || op == OP_DER ||
        (op == OP_VAR && o->a->L->flat->vars.at[expr_index(g, e)].variability == VARIES_CONTINUOUS);
}

/* A relation of the section as a call: an input where it can be computed outside, else as it stands. */
static ExprId relation(Algorithm *a, ExprId e)
{
    Operands o = {.a = a};
    Lower *L = a->L;
    expr_walk(L->g, e, note_operand, &o);
    if (a->symbolic || a->literal || !o.continuous)
        return EXPR_NONE;
    if (!o.own && expr_type(L->g, e) == T_BOOL) {
        ExprId lowered;
        if (lower_scalar(L, e, LOWER_EVENTS, &lowered))
            return input(a, lowered, T_BOOL);
        a->failed = true;
        return e;
    }
    if (!a->warned)
        diag(L->ctx, a->eq->span, DIAG_D102,
             "relations in this algorithm section yield no events; write them as equations where they must");
    a->warned = true;
    return EXPR_NONE;
}

/* The argument of noEvent or smooth, which stays under its operator where that has a meaning later. */
static ExprId without_events(Algorithm *a, ExprId e)
{
    Graph *g = a->L->g;
    bool before = a->literal;
    a->literal = true;
    ExprId x = localise(a, e);
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
    case OP_SAMPLE: return input(a, e, expr_type(g, e));
    case OP_DER:
    case OP_PRE: return limit(a, expr_op(g, e), x);
    case OP_EDGE: return expr_and(g, localise(a, x), expr_not(g, limit(a, OP_PRE, x)));
    case OP_CHANGE: return expr_compare(g, OP_NE, localise(a, x), limit(a, OP_PRE, x));
    case OP_NOEVENT: return without_events(a, x);
    case OP_SMOOTH: return without_events(a, expr_arg(g, e, 1));
    case OP_HOLE: return input(a, e, expr_type(g, e));
    case OP_DELAY: refuse(a, a->eq->span, "delay()"); return e;
    case OP_HOMOTOPY: return a->symbolic ? EXPR_NONE : localise(a, x);
    case OP_SEMILINEAR:
        if (a->symbolic)
            return EXPR_NONE;
        refuse(a, a->eq->span, "semiLinear() beside loops of unknown length");
        return e;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return type_element(g->types, expr_type(g, x)) == T_REAL ? relation(a, e) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

/* ---- statements ---- */

typedef VEC(Stmt) Stmts;

static Stmt *localise_body(Algorithm *a, const Stmt *body, uint32_t n, uint32_t *n_out);

/* In the body of a when relations are taken literally. */
static ExprId value(Algorithm *a, ExprId e)
{
    if (!e || !a->in_when || type_get(a->L->g->types, expr_type(a->L->g, e))->kind == TYPE_TUPLE)
        return localise(a, e);
    return without_events(a, e);
}

static uint32_t n_variables(const Algorithm *a)
{
    return a->n_in + a->outputs.n + a->n_extras;
}

/* The further output of that kind for a statement, as a variable. */
static ExprId extra(Algorithm *a, ExtraKind kind, TypeId type, const Stmt *s)
{
    uint32_t k = a->next_extra++;
    if (k == a->extras.n)
        vec_push(&a->extras,
                 ((Extra){.kind = kind, .type = type, .var = NONE, .stmt = s, .in_when = a->in_when}));
    return expr_leaf(a->L->g, OP_LOCAL, type, a->n_in + a->outputs.n + k);
}

static Stmt assignment(const Stmt *at, ExprId lhs, ExprId rhs)
{
    return (Stmt){.kind = STMT_ASSIGN, .span = at->span, .lhs = lhs, .rhs = rhs};
}

/* (a, b) := (x, y), by way of variables of their own. */
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
        vec_push(out, assignment(s, localise(a, expr_arg(g, s->lhs, i)), rhs));
    }
}

/* assert(c, m) as: if not c then holds := false; message := m; */
static void localise_assert(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    Stmt to = {.kind = STMT_IF, .span = s->span, .n_branches = 1};
    to.branches = ARENA_ARRAY(g->arena, StmtBranch, 1);
    Stmt *body = ARENA_ARRAY(g->arena, Stmt, 2);
    body[0] = assignment(s, extra(a, EXTRA_HOLDS, T_BOOL, s), expr_bool(g, false));
    body[1] = assignment(s, extra(a, EXTRA_MESSAGE, T_STRING, s), localise(a, s->rhs));
    to.branches[0] = (StmtBranch){expr_not(g, without_events(a, s->lhs)), body, 2};
    vec_push(out, to);
}

static void localise_action(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    uint32_t k = a->next_extra;
    vec_push(out, assignment(s, extra(a, EXTRA_FIRED, T_BOOL, s), expr_bool(g, true)));
    a->extras.at[k].at_beginning = a->initially && a->paths == 0;
    if (s->kind == STMT_REINIT)
        vec_push(out, assignment(s, extra(a, EXTRA_VALUE, expr_type(g, s->lhs), s), value(a, s->rhs)));
    else if (a->symbolic)
        vec_push(out, assignment(s, extra(a, EXTRA_MESSAGE, T_STRING, s), localise(a, s->rhs)));
}

/* ---- when ---- */

static bool is_discrete(Lower *L, ExprId e)
{
    uint32_t mark = L->d->ops.n;
    bool discrete = term_is_discrete(L->d, shape_term(L->d, e));
    L->d->ops.n = mark;
    return discrete;
}

static bool add_condition(Algorithm *a, const Stmt *s, VarId c, ExprId condition)
{
    Lower *L = a->L;
    if (!is_discrete(L, condition)) {
        diag(L->ctx, s->span, DIAG_D011, "condition of a when changes between events");
        return false;
    }
    FlatEq place = *a->eq;
    place.span = s->span;
    add_eq(L, &place, DAE_EQ_CONDITION, c, condition);
    return true;
}

/* The hidden variable of the condition at this place of the section. */
static Condition *hidden_condition(Algorithm *a)
{
    uint32_t at = a->next_condition++;
    if (at == a->conditions.n) {
        Dae *d = a->L->d;
        VarId c = make_hidden(d, DAE_DISCRETE, DAE_BOOL);
        d->vars.at[c].detail = a->L->n_made++;
        vec_push(&a->conditions, ((Condition){.var = c}));
    }
    return &a->conditions.at[at];
}

/* A condition as it is now: a variable of the model where the section can read that without a loop. */
static ExprId condition_now(Algorithm *a, const Stmt *s, ExprId e, Condition *c, Stmts *out)
{
    Lower *L = a->L;
    Operands o = {.a = a};
    expr_walk(L->g, e, note_operand, &o);
    ExprId lowered;
    if (!o.own && !c->defined) {
        L->span = s->span;
        c->defined = lower_scalar(L, e, LOWER_EVENTS, &lowered) && add_condition(a, s, c->var, lowered);
        a->failed |= !c->defined;
    }
    if (!o.own)
        return input(a, hole_of(L->d, c->var), T_BOOL);
    uint32_t k = a->next_extra;
    ExprId now = extra(a, EXTRA_CONDITION, T_BOOL, s);
    a->extras.at[k].var = c->var;
    vec_push(out, assignment(s, now, localise(a, e)));
    return a->symbolic ? input(a, hole_of(L->d, c->var), T_BOOL) : now;
}

/* The edge of a condition outside initialization. */
static ExprId edge_of(Algorithm *a, const Stmt *s, ExprId condition, Stmts *out)
{
    Lower *L = a->L;
    Condition *c = hidden_condition(a);
    VarId v = c->var;
    ExprId now = condition_now(a, s, condition, c, out);
    ExprId before = input(a, hole_of(L->d, pre_var(L->d, v)), T_BOOL);
    ExprId start = input(a, hole_of(L->d, initial_var(L->d)), T_BOOL);
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
            any = expr_or(g, any, input(a, hole_of(a->L->d, initial_var(a->L->d)), T_BOOL));
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
        to.branches[b].body = localise_body(a, s->branches[b].body, s->branches[b].n, &to.branches[b].n);
    }
    a->in_when = a->initially = false;
    vec_push(out, to);
}

/* ---- all statements ---- */

static void localise_plain(Algorithm *a, const Stmt *s, Stmts *out)
{
    Stmt to = *s;
    to.lhs = s->kind == STMT_FOR || !s->lhs ? s->lhs : localise(a, s->lhs);
    to.rhs = value(a, s->rhs);
    to.branches = ARENA_ARRAY(a->L->g->arena, StmtBranch, s->n_branches + 1);
    a->paths += s->n_branches > 0;
    for (uint32_t b = 0; b < s->n_branches; b++) {
        to.branches[b].condition = value(a, s->branches[b].condition);
        to.branches[b].body = localise_body(a, s->branches[b].body, s->branches[b].n, &to.branches[b].n);
    }
    a->paths -= s->n_branches > 0;
    vec_push(out, to);
}

static Stmt *localise_body(Algorithm *a, const Stmt *body, uint32_t n, uint32_t *n_out)
{
    const Graph *g = a->L->g;
    Stmts out = {0};
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        if (s->kind == STMT_ASSIGN && expr_op(g, s->lhs) == OP_TUPLE && expr_op(g, s->rhs) == OP_TUPLE)
            assign_at_once(a, s, &out);
        else if (s->kind == STMT_WHEN)
            localise_when(a, s, &out);
        else if (s->kind == STMT_ASSERT && a->symbolic)
            localise_assert(a, s, &out);
        else if (s->kind == STMT_TERMINATE || s->kind == STMT_REINIT)
            localise_action(a, s, &out);
        else
            localise_plain(a, s, &out);
    }
    *n_out = out.n;
    return vec_keep(&out, a->L->g->arena);
}

/* The whole section, with its guard. */
static Stmt *localise_section(Algorithm *a, uint32_t *n)
{
    Graph *g = a->L->g;
    a->next_extra = a->next_condition = 0;
    vec_clear(&a->temps);
    Stmt *body = localise_body(a, a->eq->stmts, a->eq->n_stmts, n);
    if (!a->guard)
        return body;
    Stmt *outer = ARENA_ARRAY(g->arena, Stmt, 1);
    *outer = (Stmt){.kind = STMT_IF, .span = a->eq->span, .n_branches = 1};
    outer->branches = ARENA_ARRAY(g->arena, StmtBranch, 1);
    outer->branches[0] = (StmtBranch){input(a, a->guard, T_BOOL), body, *n};
    *n = 1;
    return outer;
}

/* ---- the function ---- */

/* What each output begins with, as inputs. */
static void find_beginnings(Algorithm *a)
{
    Lower *L = a->L;
    for (uint32_t k = 0; k < a->outputs.n; k++) {
        uint32_t f = a->outputs.at[k], n = type_scalars(L, L->flat->vars.at[f].type);
        TypeId t = L->flat->vars.at[f].type;
        ExprVec scalars = {0};
        if (map_get(&a->assigned, f) == MAP_NONE && n > 0 && L->d->flat_base[f] != NONE) {
            for (uint32_t i = 0; i < n; i++) {
                VarId v = L->d->flat_base[f] + i;
                bool left = L->d->vars.at[v].kind == DAE_DISCRETE && !a->eq->initial;
                VarId from = left ? pre_var(L->d, v) : start_var(L->d, v);
                vec_push(&scalars, hole_of(L->d, from));
            }
            vec_push(&a->begin, input(a, assemble(L, t, scalars.at), t));
        } else {
            vec_push(&a->begin, EXPR_NONE);
        }
        vec_free(&scalars);
    }
}

static FnVar function_var(Algorithm *a, FnVarKind kind, uint32_t k, TypeId t, ExprId binding)
{
    Lower *L = a->L;
    uint32_t rank = type_rank(L->g->types, t);
    char *name = arena_printf(L->scratch, "%s%u",
                              kind == FN_INPUT    ? "u"
                              : kind == FN_OUTPUT ? "y"
                                                  : "t",
                              k + 1);
    FnVar v = {
        .name = name_of(L->ctx->names, name), .kind = kind, .type = t, .binding = binding, .span = a->eq->span};
    v.dims = ARENA_ARRAY(L->g->arena, ExprId, rank + 1);
    for (uint32_t i = 0; i < rank; i++)
        v.dims[i] = expr_int(L->g, type_dim(L->g->types, t, i));
    return v;
}

static TypeId result_type(Algorithm *a)
{
    Lower *L = a->L;
    VEC(TypeId) types = {0};
    for (uint32_t k = 0; k < a->outputs.n; k++)
        vec_push(&types, L->flat->vars.at[a->outputs.at[k]].type);
    for (uint32_t k = 0; k < a->extras.n; k++)
        vec_push(&types, a->extras.at[k].type);
    TypeId t = types.n == 1 ? types.at[0] : type_tuple(L->g->types, types.at, types.n);
    vec_free(&types);
    return t;
}

/* What a further output is where its statement is not reached. */
static ExprId idle_value(const Algorithm *a, const Extra *x)
{
    Graph *g = a->L->g;
    if (x->kind == EXTRA_MESSAGE)
        return expr_string(g, "", 0);
    return x->kind == EXTRA_VALUE ? symbolic_zero(g, x->type)
                                  : expr_bool(g, x->kind == EXTRA_HOLDS || x->kind == EXTRA_DONE);
}

static Function *make_function(Algorithm *a, Stmt *body, uint32_t n_body)
{
    Lower *L = a->L;
    Graph *g = L->g;
    Function *f = ARENA_NEW(g->arena, Function);
    f->id = g->functions.n;
    f->name = name_of(L->ctx->names, arena_printf(L->scratch, "$algorithm%u", f->id + 1));
    f->n_in = a->inputs.n;
    f->n_out = a->outputs.n + a->extras.n;
    f->n_vars = f->n_in + f->n_out + a->temps.n;
    f->vars = ARENA_ARRAY(g->arena, FnVar, f->n_vars + 1);
    for (uint32_t k = 0; k < f->n_in; k++)
        f->vars[k] = function_var(a, FN_INPUT, k, a->inputs.at[k].type, EXPR_NONE);
    for (uint32_t k = 0; k < a->outputs.n; k++)
        f->vars[f->n_in + k] =
            function_var(a, FN_OUTPUT, k, L->flat->vars.at[a->outputs.at[k]].type, a->begin.at[k]);
    for (uint32_t k = a->outputs.n; k < f->n_out; k++) {
        const Extra *x = &a->extras.at[k - a->outputs.n];
        f->vars[f->n_in + k] = function_var(a, FN_OUTPUT, k, x->type, idle_value(a, x));
    }
    for (uint32_t k = 0; k < a->temps.n; k++)
        f->vars[f->n_in + f->n_out + k] = function_var(a, FN_LOCAL, k, a->temps.at[k], EXPR_NONE);
    f->body = body;
    f->n_body = n_body;
    f->result = result_type(a);
    f->ready = true;
    f->span = a->eq->span;
    vec_push(&g->functions, f);
    return f;
}

/* The scalars of output k of the section. */
static bool output(Algorithm *a, ExprId all, uint32_t k, LowerMode mode, Elems *v)
{
    Graph *g = a->L->g;
    uint32_t n = a->outputs.n + a->extras.n;
    TypeId t =
        k < a->outputs.n ? a->L->flat->vars.at[a->outputs.at[k]].type : a->extras.at[k - a->outputs.n].type;
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
         "%s changes only at events, but this algorithm section computes it from what changes between them",
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
    if (!residual && !a->eq->initial && !when && !is_discrete(L, e))
        return changes_between_events(a, x);
    if (when && !residual && !when_determines(L, x, a->eq->span))
        return false;
    bool only = when && map_get(&a->unconditional, flat_var) == MAP_NONE;
    DaeEqOrigin origin = a->eq->initial ? DAE_EQ_INITIAL : only && !residual ? DAE_EQ_WHEN : DAE_EQ_MODEL;
    add_eq(L, a->eq, origin, residual ? NONE : x, residual ? expr_sub(L->g, hole_of(L->d, x), e) : e);
    return true;
}

static bool add_outputs(Algorithm *a, ExprId all, LowerMode mode)
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
        if (expr_op(L->g, state) != OP_HOLE || L->d->vars.at[expr_index(L->g, state)].kind != DAE_CONTINUOUS) {
            diag(L->ctx, x->stmt->span, DIAG_D008, "first argument of reinit() must be a state");
            return false;
        }
        if (x->at_beginning)
            add_eq(L, a->eq, DAE_EQ_INITIAL, NONE, expr_sub(L->g, state, e));
        act.guard = shape_term(L->d, fired);
        act.target = expr_index(L->g, state);
        act.value = shape_term(L->d, e);
        act.message = (Term){.shape = expr_string(L->g, "", 0)};
        vec_push(&L->d->actions, act);
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
                     .at_edge = x->in_when,
                     .target = NONE,
                     .component = a->eq->component,
                     .span = x->stmt ? x->stmt->span : a->eq->span};
    if (x->stmt && x->stmt->kind == STMT_REINIT) {
        act.kind = ACTION_REINIT;
        return add_reinit(a, x, guard, act, &v);
    }
    if (x->kind == EXTRA_HOLDS && expr_op(L->g, guard) == OP_BOOL && expr_int_value(L->g, guard))
        return true;
    act.guard = shape_term(L->d, guard);
    act.value = (Term){.shape = expr_real(L->g, 0.0)};
    act.message = (Term){.shape = expr_string(L->g, "", 0)};
    if (next)
        act.message = shape_term(L->d, L->elems.at[v.at]);
    else if (x->stmt && !lower_message(L, x->stmt->rhs, &act.message))
        return false;
    vec_push(&L->d->actions, act);
    return true;
}

static bool add_extras(Algorithm *a, ExprId all, LowerMode mode)
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
        if (condition ? !add_condition(a, x->stmt, x->var, e) : !add_action(a, k, all, mode, e))
            return false;
    }
    return true;
}

/* ---- the section ---- */

static ExprId make_call(Algorithm *a)
{
    Lower *L = a->L;
    uint32_t n;
    vec_clear(&a->inputs);
    vec_clear(&a->begin);
    vec_clear(&a->extras);
    map_clear(&a->input_of);
    a->n_in = a->n_extras = 0;
    find_beginnings(a);
    (void)localise_section(a, &n); /* finds the inputs */
    if (a->outputs.n + a->extras.n == 0)
        extra(a, EXTRA_DONE, T_BOOL, NULL);
    a->n_in = a->inputs.n;
    a->n_extras = a->extras.n;
    Stmt *body = localise_section(a, &n);
    if (a->failed)
        return EXPR_NONE;
    const Function *f = make_function(a, body, n);
    ExprVec args = {0};
    for (uint32_t k = 0; k < a->inputs.n; k++)
        vec_push(&args, a->inputs.at[k].value);
    ExprId call = expr_make(L->g, OP_CALL, f->result, f->id, args.at, args.n);
    vec_free(&args);
    return call;
}

static bool convert(Algorithm *a)
{
    Lower *L = a->L;
    find_outputs(a, a->eq->stmts, a->eq->n_stmts, false, 0);
    if (a->failed || a->eq->n_stmts == 0)
        return !a->failed;
    find_assigned(a);
    a->symbolic = true;
    ExprId all = make_call(a);
    if (all)
        all = symbolic_inline(L->d->symbolic, all);
    if (!all && !a->failed) {
        a->symbolic = false;
        all = make_call(a);
    }
    LowerMode mode = a->symbolic && !a->eq->initial ? LOWER_EVENTS : LOWER_LITERAL;
    return all && !a->failed && add_outputs(a, all, mode) && add_extras(a, all, mode);
}

static bool lower_section(Lower *L, const FlatEq *eq, ExprId guard)
{
    Algorithm a = {.L = L, .eq = eq, .guard = guard, .literal = eq->initial};
    bool ok = convert(&a);
    vec_free(&a.inputs);
    vec_free(&a.outputs);
    vec_free(&a.begin);
    vec_free(&a.temps);
    vec_free(&a.extras);
    vec_free(&a.conditions);
    map_free(&a.input_of);
    map_free(&a.output_of);
    map_free(&a.assigned);
    map_free(&a.by_when);
    map_free(&a.unconditional);
    return ok;
}

bool lower_algorithm(Lower *L, const FlatEq *eq)
{
    return lower_section(L, eq, EXPR_NONE);
}

bool lower_call(Lower *L, const FlatEq *eq, ExprId guard)
{
    Stmt call = {.kind = STMT_CALL, .span = eq->span, .rhs = eq->rhs};
    FlatEq section = *eq;
    section.kind = FLAT_ALGORITHM;
    section.stmts = &call;
    section.n_stmts = 1;
    return lower_section(L, &section, guard);
}

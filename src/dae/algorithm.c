/* Algorithm sections of models, as calls of a function made for them.
 *
 * Variables read are its inputs, variables assigned its outputs; an output that may be read before it is assigned begins with its start
 * value, a discrete one with its left limit (11.1.2 of the specification). Relations in it are taken literally. */
#include "dae/lower.h"

typedef struct Input {
    ExprId value; /* over the flat model, or a lowered expression */
    TypeId type;
} Input;

typedef struct Algorithm {
    Lower *L;
    const FlatEq *eq;
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

static void add_output(Algorithm *a, ExprId lhs, Span span)
{
    const Graph *g = a->L->g;
    if (expr_op(g, lhs) == OP_TUPLE) {
        for (uint32_t i = 0; i < expr_n(g, lhs); i++)
            if (expr_arg(g, lhs, i))
                add_output(a, expr_arg(g, lhs, i), span);
        return;
    }
    while (expr_op(g, lhs) == OP_INDEX)
        lhs = expr_arg(g, lhs, 0);
    if (expr_op(g, lhs) != OP_VAR) {
        refuse(a, span, "this left side of an assignment");
        return;
    }
    uint32_t f = expr_index(g, lhs);
    if (map_get(&a->output_of, f) == MAP_NONE) {
        map_put(&a->output_of, f, a->outputs.n);
        vec_push(&a->outputs, f);
    }
}

static void find_outputs(Algorithm *a, const Stmt *body, uint32_t n, unsigned depth)
{
    if (depth > 200) {
        refuse(a, a->eq->span, "nesting of more than 200 levels");
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        if (s->kind == STMT_WHEN)
            refuse(a, s->span, "'when'");
        else if (s->kind == STMT_REINIT || s->kind == STMT_TERMINATE)
            refuse(a, s->span, s->kind == STMT_REINIT ? "reinit()" : "terminate()");
        else if (s->kind == STMT_ASSIGN)
            add_output(a, s->lhs, s->span);
        for (uint32_t b = 0; b < s->n_branches && s->kind != STMT_WHEN; b++)
            find_outputs(a, s->branches[b].body, s->branches[b].n, depth + 1);
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

static void warn_relation(Algorithm *a, ExprId e)
{
    Map seen = {0};
    Uses u = {a->L->g, &seen};
    expr_walk(a->L->g, e, note_use, &u);
    bool continuous = false;
    for (uint32_t i = 0; i < seen.cap && !continuous; i++) {
        uint32_t f = seen.keys[i] ? (uint32_t)(seen.keys[i] - 1) : NONE;
        continuous = f != NONE && a->L->flat->vars.at[f].variability == VARIES_CONTINUOUS;
    }
    map_free(&seen);
    if (continuous && !a->warned)
        diag(a->L->ctx, a->eq->span, DIAG_D102,
             "relations in this algorithm section yield no events; write them as equations where they must");
    a->warned |= continuous;
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
    case OP_NOEVENT: return localise(a, x);
    case OP_SMOOTH: return localise(a, expr_arg(g, e, 1));
    case OP_DELAY: refuse(a, a->eq->span, "delay()"); return e;
    case OP_HOMOTOPY: return localise(a, x);
    case OP_SEMILINEAR: refuse(a, a->eq->span, "semiLinear()"); return e;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        if (type_element(g->types, expr_type(g, x)) == T_REAL)
            warn_relation(a, e);
        return EXPR_NONE;
    default: return EXPR_NONE;
    }
}

typedef VEC(Stmt) Stmts;

/* (a, b) := (x, y), by way of variables of their own. */
static void assign_at_once(Algorithm *a, const Stmt *s, Stmts *out)
{
    Graph *g = a->L->g;
    Stmt one = *s;
    uint32_t first = a->temps.n, n = expr_n(g, s->lhs);
    for (uint32_t i = 0; i < n; i++) {
        TypeId t = expr_type(g, expr_arg(g, s->lhs, i));
        one.lhs = expr_leaf(g, OP_LOCAL, t, a->n_in + a->outputs.n + a->temps.n);
        one.rhs = localise(a, expr_arg(g, s->rhs, i));
        vec_push(&a->temps, t);
        vec_push(out, one);
    }
    for (uint32_t i = 0; i < n; i++) {
        one.rhs = expr_leaf(g, OP_LOCAL, a->temps.at[first + i], a->n_in + a->outputs.n + first + i);
        one.lhs = localise(a, expr_arg(g, s->lhs, i));
        vec_push(out, one);
    }
}

static Stmt *localise_body(Algorithm *a, const Stmt *body, uint32_t n, uint32_t *n_out)
{
    Graph *g = a->L->g;
    Stmts out = {0};
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        Stmt to = *s;
        if (s->kind == STMT_ASSIGN && expr_op(g, s->lhs) == OP_TUPLE && expr_op(g, s->rhs) == OP_TUPLE) {
            assign_at_once(a, s, &out);
            continue;
        }
        to.lhs = s->kind == STMT_FOR ? s->lhs : localise(a, s->lhs);
        to.rhs = localise(a, s->rhs);
        to.branches = ARENA_ARRAY(g->arena, StmtBranch, s->n_branches + 1);
        for (uint32_t b = 0; b < s->n_branches; b++) {
            to.branches[b].condition = localise(a, s->branches[b].condition);
            to.branches[b].body =
                localise_body(a, s->branches[b].body, s->branches[b].n, &to.branches[b].n);
        }
        vec_push(&out, to);
    }
    *n_out = out.n;
    return vec_keep(&out, g->arena);
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
                VarId from = L->d->vars.at[v].kind == DAE_DISCRETE ? pre_var(L->d, v) : start_var(L->d, v);
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
    char *name = arena_printf(L->scratch, "%s%u", kind == FN_INPUT ? "u" : kind == FN_OUTPUT ? "y" : "t", k + 1);
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
    TypeId t = types.n == 1 ? types.at[0] : type_tuple(L->g->types, types.at, types.n);
    vec_free(&types);
    return t;
}

static Function *make_function(Algorithm *a, Stmt *body, uint32_t n_body)
{
    Lower *L = a->L;
    Graph *g = L->g;
    Function *f = ARENA_NEW(g->arena, Function);
    f->id = g->functions.n;
    f->name = name_of(L->ctx->names, arena_printf(L->scratch, "$algorithm%u", f->id + 1));
    f->n_in = a->inputs.n;
    f->n_out = a->outputs.n;
    f->n_vars = f->n_in + f->n_out + a->temps.n;
    f->vars = ARENA_ARRAY(g->arena, FnVar, f->n_vars + 1);
    for (uint32_t k = 0; k < f->n_in; k++)
        f->vars[k] = function_var(a, FN_INPUT, k, a->inputs.at[k].type, EXPR_NONE);
    for (uint32_t k = 0; k < f->n_out; k++)
        f->vars[f->n_in + k] =
            function_var(a, FN_OUTPUT, k, L->flat->vars.at[a->outputs.at[k]].type, a->begin.at[k]);
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

static bool is_discrete(Lower *L, ExprId e)
{
    uint32_t mark = L->d->ops.n;
    bool discrete = term_is_discrete(L->d, shape_term(L->d, e));
    L->d->ops.n = mark;
    return discrete;
}

static bool add_outputs(Algorithm *a, const Function *f)
{
    Lower *L = a->L;
    ExprVec args = {0};
    for (uint32_t k = 0; k < a->inputs.n; k++)
        vec_push(&args, a->inputs.at[k].value);
    ExprId call = expr_make(L->g, OP_CALL, f->result, f->id, args.at, args.n);
    vec_free(&args);
    bool ok = true;
    for (uint32_t k = 0; k < a->outputs.n && ok; k++) {
        uint32_t var = a->outputs.at[k];
        TypeId t = L->flat->vars.at[var].type;
        ExprId out = f->n_out == 1 ? call : expr_apply(L->g, OP_OUT, t, k, &call, 1);
        Elems v;
        ok = lower_elements(L, out, LOWER_LITERAL, &v);
        DaeEqOrigin origin = a->eq->initial ? DAE_EQ_INITIAL : DAE_EQ_MODEL;
        for (uint32_t i = 0; ok && i < v.n; i++) {
            VarId x = L->d->flat_base[var] + i;
            ExprId e = L->elems.at[v.at + i];
            bool residual = L->d->vars.at[x].type == DAE_REAL && L->d->vars.at[x].kind != DAE_DISCRETE;
            if (!residual && !a->eq->initial && !is_discrete(L, e)) {
                diag(L->ctx, a->eq->span, DIAG_D011,
                     "%s changes only at events, but this algorithm section computes it from what changes between "
                     "them; its relations yield no events, so write it as an equation",
                     dae_var_name(L->d, x, L->scratch));
                return false;
            }
            add_eq(L, a->eq, origin, residual ? NONE : x, residual ? expr_sub(L->g, hole_of(L->d, x), e) : e);
        }
    }
    return ok;
}

static bool convert(Algorithm *a)
{
    find_outputs(a, a->eq->stmts, a->eq->n_stmts, 0);
    if (!a->failed && a->outputs.n == 0)
        return a->eq->n_stmts == 0 || refuse(a, a->eq->span, "a section that assigns nothing");
    if (a->failed)
        return false;
    find_assigned(a);
    find_beginnings(a);
    uint32_t n;
    (void)localise_body(a, a->eq->stmts, a->eq->n_stmts, &n); /* finds the inputs */
    a->n_in = a->inputs.n;
    vec_clear(&a->temps);
    Stmt *body = localise_body(a, a->eq->stmts, a->eq->n_stmts, &n);
    if (a->failed)
        return false;
    return add_outputs(a, make_function(a, body, n));
}

bool lower_algorithm(Lower *L, const FlatEq *eq)
{
    Algorithm a = {.L = L, .eq = eq};
    bool ok = convert(&a);
    vec_free(&a.inputs);
    vec_free(&a.outputs);
    vec_free(&a.begin);
    vec_free(&a.temps);
    map_free(&a.input_of);
    map_free(&a.output_of);
    map_free(&a.assigned);
    return ok;
}

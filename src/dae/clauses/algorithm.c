/* Algorithm sections of models, through a function made for them.
 *
 * Variables that are read are its inputs, assigned variables its outputs. An output that may be
 * read before it is assigned begins with its start value. A discrete one begins with its left limit
 * (11.1.2 of the specification). A when becomes an if on the edge of its conditions, which are
 * further outputs. So are the operands of asserts, terminate and reinit.
 *
 * If the body can be executed with expressions instead of values (inline_functions.c), each output
 * has its own equation, whose relations cause events as usual. Otherwise the outputs are those of a
 * call. Relations on variables that the section does not assign are then inputs; the others are
 * evaluated literally. */
#include "dae/clauses/algorithm.h"
#include "dae/symbolic/internal.h"
#include "expr/walk.h"

enum { MAX_NESTING = 200 };

bool algorithm_refuse(Algorithm *a, Span span, const char *what)
{
    diag(a->L->ctx, span, DIAG_D001, "%s in an algorithm section of a model is not yet supported",
         what);
    a->failed = true;
    return false;
}

/* ---- outputs ---- */

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
        algorithm_refuse(a, span, "this left side of an assignment");
        return;
    }
    uint32_t f = expr_index(g, lhs);
    map_put(in_when ? &a->by_when : &a->unconditional, f, 1);
    if (map_get(&a->output_of, f) == MAP_NONE) {
        map_put(&a->output_of, f, a->outputs.n);
        vec_push(&a->outputs, f);
    }
}

typedef struct OutputFinder {
    Algorithm *a;
    unsigned depth; /* of statements around */
    unsigned whens; /* among them */
} OutputFinder;

static Walk find_output(void *user, const Stmt *s)
{
    OutputFinder *f = user;
    Algorithm *a = f->a;
    if (s->kind == STMT_WHEN && f->depth > 0)
        algorithm_refuse(a, s->span, "a 'when' inside another statement");
    else if (s->kind == STMT_WHEN && a->eq->initial)
        algorithm_refuse(a, s->span, "a 'when' at initialization");
    else if (s->kind == STMT_ASSIGN)
        add_output(a, s->lhs, f->whens > 0, s->span);
    if (s->n_branches && f->depth >= MAX_NESTING) {
        algorithm_refuse(a, a->eq->span, "nesting of more than 200 levels");
        return WALK_PAST;
    }
    f->depth++;
    f->whens += s->kind == STMT_WHEN;
    return WALK_ON;
}

static void leave_statement(void *user, const Stmt *s)
{
    OutputFinder *f = user;
    f->depth--;
    f->whens -= s->kind == STMT_WHEN;
}

static void find_outputs(Algorithm *a)
{
    stmt_walk(a->eq->stmts, a->eq->n_stmts,
              &(StmtVisitor){.statement = find_output, .leave = leave_statement},
              &(OutputFinder){.a = a});
}

/* ---- uses before assignment ---- */

typedef struct Uses {
    const Graph *g;
    Map *seen;
    const Stmt *whole; /* the statement looked at, with all inside it */
} Uses;

static void note_use(void *user, ExprId e)
{
    Uses *u = user;
    if (expr_op(u->g, e) == OP_VAR && map_get(u->seen, expr_index(u->g, e)) == MAP_NONE)
        map_put(u->seen, expr_index(u->g, e), 1);
}

static Walk note_condition(void *user, ExprId e)
{
    const Uses *u = user;
    expr_walk(u->g, e, note_use, user);
    return WALK_ON;
}

/* An assignment inside another statement may not happen. It counts as a use, because the old value
 * may remain. */
static Walk note_sides(void *user, const Stmt *s)
{
    const Uses *u = user;
    bool sure = s == u->whole && s->kind == STMT_ASSIGN && expr_op(u->g, s->lhs) == OP_VAR;
    if (s->rhs)
        expr_walk(u->g, s->rhs, note_use, user);
    if (s->lhs && !sure)
        expr_walk(u->g, s->lhs, note_use, user);
    return WALK_ON;
}

static void note_uses(Uses *u, const Stmt *s)
{
    u->whole = s;
    stmt_walk(s, 1, &(StmtVisitor){.statement = note_sides, .condition = note_condition}, u);
}

static void find_assigned(Algorithm *a)
{
    Map seen = {0};
    Uses u = {.g = a->L->g, .seen = &seen};
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

/* ---- the function ---- */

/* The initial value of each output, as inputs. */
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
            vec_push(&a->begin, algorithm_input(a, assemble(L, t, scalars.at), t));
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
    FnVar v = {.name = name_of(L->ctx->names, name),
               .kind = kind,
               .type = t,
               .binding = binding,
               .span = a->eq->span};
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

/* The value of a further output if its statement is not reached. */
static ExprId idle_value(const Algorithm *a, const Extra *x)
{
    Graph *g = a->L->g;
    if (x->kind == EXTRA_MESSAGE)
        return expr_string(g, "", 0);
    return x->kind == EXTRA_VALUE || x->kind == EXTRA_SOURCE
               ? symbolic_zero(g, x->type)
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
    for (uint32_t k = 0; k < a->outputs.n; k++) {
        uint32_t v = a->outputs.at[k];
        FnVar *x = &f->vars[f->n_in + k];
        *x = function_var(a, FN_OUTPUT, k, L->flat->vars.at[v].type, a->begin.at[k]);
        x->name = name_of(L->ctx->names, flat_var_name(L->flat, v, L->scratch));
    }
    for (uint32_t k = a->outputs.n; k < f->n_out; k++) {
        const Extra *x = &a->extras.at[k - a->outputs.n];
        f->vars[f->n_in + k] = function_var(a, FN_OUTPUT, k, x->type, idle_value(a, x));
    }
    for (uint32_t k = 0; k < a->temps.n; k++)
        f->vars[f->n_in + f->n_out + k] = function_var(a, FN_LOCAL, k, a->temps.at[k], EXPR_NONE);
    f->body = body;
    f->n_body = n_body;
    f->result = result_type(a);
    f->ready = f->of_section = true;
    f->span = a->eq->span;
    vec_push(&g->functions, f);
    return f;
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
    (void)algorithm_localise(a, &n); /* finds the inputs */
    if (a->outputs.n + a->extras.n == 0)
        algorithm_extra(a, EXTRA_DONE, T_BOOL, NULL);
    a->n_in = a->inputs.n;
    a->n_extras = a->extras.n;
    Stmt *body = algorithm_localise(a, &n);
    if (a->failed)
        return EXPR_NONE;
    const Function *f = make_function(a, body, n);
    ExprVec args = {0};
    a->varies = false;
    for (uint32_t k = 0; k < a->inputs.n; k++) {
        const Input *in = &a->inputs.at[k];
        a->varies |= in->outside && algorithm_is_continuous(a, in->value);
        vec_push(&args, in->value);
    }
    ExprId call = expr_make(L->g, OP_CALL, f->result, f->id, args.at, args.n);
    vec_free(&args);
    return call;
}

static bool convert(Algorithm *a)
{
    Lower *L = a->L;
    find_outputs(a);
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
    return all && !a->failed && algorithm_add_outputs(a, all, mode) &&
           algorithm_add_extras(a, all, mode);
}

static bool lower_whole(Lower *L, const FlatEq *eq, ExprId guard)
{
    Algorithm a = {.L = L, .eq = eq, .guard = guard, .literal = eq->initial};
    bool ok = convert(&a);
    vec_free(&a.inputs);
    vec_free(&a.outputs);
    vec_free(&a.begin);
    vec_free(&a.temps);
    vec_free(&a.extras);
    vec_free(&a.conditions);
    vec_free(&a.delays);
    vec_free(&a.pending);
    vec_free(&a.hoisted);
    map_free(&a.input_of);
    map_free(&a.output_of);
    map_free(&a.assigned);
    map_free(&a.by_when);
    map_free(&a.unconditional);
    return ok;
}

/* ---- sections that begin without side effects ---- */

static void note_effect(void *user, ExprId e)
{
    Uses *u = user;
    if (expr_op(u->g, e) == OP_CALL && u->g->functions.at[expr_index(u->g, e)]->impure)
        map_put(u->seen, e, 1);
}

static Walk find_effect(void *user, ExprId e)
{
    Uses *u = user;
    expr_walk(u->g, e, note_effect, u);
    return u->seen->n ? WALK_END : WALK_ON;
}

static Walk find_effect_in(void *user, const Stmt *s)
{
    if (s->kind == STMT_CALL)
        return WALK_END;
    return s->rhs ? find_effect(user, s->rhs) : WALK_ON;
}

static bool has_effect(const Graph *g, const Stmt *s)
{
    Map found = {0};
    bool is =
        !stmt_walk(s, 1, &(StmtVisitor){.statement = find_effect_in, .condition = find_effect},
                   &(Uses){.g = g, .seen = &found});
    map_free(&found);
    return is;
}

typedef struct AssignedWalk {
    const Graph *g;
    void (*visit)(void *user, ExprId e);
    void *user;
} AssignedWalk;

static Walk walk_target(void *user, const Stmt *s)
{
    const AssignedWalk *w = user;
    if (s->kind == STMT_ASSIGN)
        expr_walk(w->g, s->lhs, w->visit, w->user);
    return WALK_ON;
}

static void walk_assigned(const Graph *g, const Stmt *s, void (*visit)(void *, ExprId), void *user)
{
    stmt_walk(s, 1, &(StmtVisitor){.statement = walk_target}, &(AssignedWalk){g, visit, user});
}

typedef struct Clash {
    const Graph *g;
    const Map *used;
    bool met;
} Clash;

static void note_clash(void *user, ExprId e)
{
    Clash *c = user;
    c->met |= expr_op(c->g, e) == OP_VAR && map_get(c->used, expr_index(c->g, e)) != MAP_NONE;
}

/* The number of statements before the first one with a side effect. If that one, or a later one,
 * assigns a variable of the statements before, it is 0. */
static uint32_t pure_beginning(const Graph *g, const FlatEq *eq)
{
    uint32_t n = 0;
    Map used = {0};
    Uses before = {.g = g, .seen = &used};
    Clash clash = {.g = g, .used = &used};
    for (; n < eq->n_stmts && !has_effect(g, &eq->stmts[n]); n++) {
        note_uses(&before, &eq->stmts[n]);
        walk_assigned(g, &eq->stmts[n], note_use, &before);
    }
    for (uint32_t i = n; i < eq->n_stmts; i++)
        walk_assigned(g, &eq->stmts[i], note_clash, &clash);
    map_free(&used);
    return clash.met || n == eq->n_stmts ? 0 : n;
}

/* A section with side effects is a call: its relations are evaluated literally, and its results
 * depend on all it reads. The statements before are therefore a section of their own. */
static bool lower_section(Lower *L, const FlatEq *eq, ExprId guard)
{
    FlatEq part = *eq;
    uint32_t n = pure_beginning(L->g, eq);
    part.n_stmts = n;
    if (n > 0 && !lower_whole(L, &part, guard))
        return false;
    part.stmts = eq->stmts + n;
    part.n_stmts = eq->n_stmts - n;
    return lower_whole(L, &part, guard);
}

bool lower_algorithm(Lower *L, const FlatEq *eq)
{
    algorithm_warn_of_values_before(L, eq);
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

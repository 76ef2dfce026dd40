/* Equations and algorithms of a component. Chapter 8 and section 11.1 of the specification.
 * For-equations are unrolled. An if-equation is decided if its conditions are constant, or if it
 * must be. */
#include "flatten/components/components.h"

#include "flatten/connections/connections.h"
#include "flatten/synchronous/synchronous.h"
#include "expr/walk.h"
#include "syntax/tree/ast_walk.h"

enum { MAX_EQUATIONS = 10000000, MAX_NESTING = 200, MAX_FAILING = 10000 };

/* The destination of equations, and their circumstances. */
typedef struct Maker {
    Flattener *f;
    NameScope *names;
    bool initial;
    bool in_when, in_if;
    unsigned depth;
    /* only connect equations are made, for this; NULL: all equations are made */
    ConnectFn collect;
    void *user;
} Maker;

static void make_list(Maker *m, AstEq *const *eqs, uint32_t n, FlatEqs *out);

static FlatEq equation(const Maker *m, FlatEqKind kind, Span span)
{
    FlatEq eq = {
        .kind = (uint8_t)kind, .origin = ORIGIN_EQUATION, .initial = m->initial, .span = span};
    eq.component = m->f->at->comp_at;
    return eq;
}

static FlatEq *keep(Flattener *f, FlatEqs *list, uint32_t *n)
{
    *n = list->n;
    FlatEq *at = vec_keep(list, f->flat->arena);
    *list = (FlatEqs){0};
    return at;
}

/* ---- lhs = rhs ---- */

/* Parameters of two records that are equal: they are not unknowns, but must agree. False for other
 * equations. */
static bool add_agreement(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId rhs)
{
    bool settled =
        expr_op(f->g, lhs) == OP_VAR && flat_variability(f->flat, lhs) <= VARIES_PARAMETER;
    TypeId type = expr_type(f->g, lhs);
    if (!settled || (type != T_INT && type != T_BOOL && type != T_STRING))
        return false;
    const char *text =
        arena_printf(f->lib->arena, "'%s' differs on the two sides of an equation of records",
                     flat_var_name(f->flat, expr_index(f->g, lhs), f->lib->arena));
    like.kind = FLAT_ASSERT;
    like.lhs = expr_compare(f->g, OP_EQ, lhs, rhs);
    like.rhs = expr_string(f->g, text, strlen(text));
    vec_push(out, like);
    return true;
}

static void add_records(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId rhs)
{
    Types *types = f->g->types;
    uint32_t n = type_get(types, type_element(types, expr_type(f->g, lhs)))->n;
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = field_of(f->g, lhs, i), b = field_of(f->g, rhs, i);
        if (!add_agreement(f, out, like, a, b))
            add_equal(f, out, like, a, b);
    }
}

static bool has_record(const Graph *g, ExprId tuple)
{
    for (uint32_t i = 0; i < expr_n(g, tuple); i++) {
        ExprId e = expr_arg(g, tuple, i);
        if (e && type_get(g->types, type_element(g->types, expr_type(g, e)))->kind == TYPE_RECORD)
            return true;
    }
    return false;
}

/* (r, y) = f(…), where r is a record: an equation for each result. */
static void add_results(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId call)
{
    for (uint32_t i = 0; i < expr_n(f->g, lhs); i++) {
        TypeId type = type_get(f->g->types, expr_type(f->g, call))->fields[i].type;
        if (expr_arg(f->g, lhs, i))
            add_equal(f, out, like, expr_arg(f->g, lhs, i),
                      expr_apply(f->g, OP_OUT, type, i, &call, 1));
    }
}

void add_equal(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId rhs)
{
    Types *types = f->g->types;
    if (expr_op(f->g, lhs) == OP_TUPLE && has_record(f->g, lhs)) {
        add_results(f, out, like, lhs, rhs);
        return;
    }
    if (expr_op(f->g, lhs) != OP_TUPLE) {
        TypeId type = expr_type(f->g, lhs);
        if (type_get(types, type_element(types, type))->kind == TYPE_RECORD) {
            add_records(f, out, like, lhs, rhs);
            return;
        }
        if (type_count(types, type) == 0)
            return;
    }
    like.lhs = lhs;
    like.rhs = rhs;
    vec_push(out, like);
}

static void make_simple(Maker *m, const AstEq *eq, FlatEqs *out)
{
    TypeScope *s = &m->names->type;
    ExprId lhs = type_expr(s, eq->lhs), rhs = type_expr(s, eq->rhs);
    if (lhs == EXPR_NONE || rhs == EXPR_NONE || !type_equation(s, &lhs, &rhs, eq->span))
        return;
    add_equal(m->f, out, equation(m, FLAT_EQUAL, eq->span), lhs, rhs);
}

/* ---- calls ---- */

static void make_call(Maker *m, const AstEq *eq, FlatEqs *out)
{
    const AstExpr *call = eq->lhs;
    const AstRef *ref = call->ref;
    if (call->kind == AST_CALL && ref && ref->n == 2 &&
        !strcmp(ref->parts[0].name, "Connections")) {
        if (m->in_when || m->initial || m->in_if)
            diag(m->f->ctx, eq->span, DIAG_F003, "'Connections.%s' is not allowed in a %s",
                 ref->parts[1].name,
                 m->in_when   ? "when-equation"
                 : m->initial ? "section of initial equations"
                              : "branch whose condition is not a parameter expression");
        else
            make_connections_call(m->f, m->names, eq);
        return;
    }
    if (is_transition(call)) {
        if (m->in_when || m->initial || m->in_if)
            diag(m->f->ctx, eq->span, DIAG_F019, "'%s' is not allowed in a %s", ref->parts[0].name,
                 m->in_when   ? "when-equation"
                 : m->initial ? "section of initial equations"
                              : "branch whose condition is not a parameter expression");
        else
            make_transition(m->f, m->names, eq);
        return;
    }
    Stmt s = {0};
    if (!type_effect(&m->names->type, call, &s))
        return;
    FlatEq e = equation(m, FLAT_CALL, eq->span);
    e.lhs = s.lhs;
    e.rhs = s.rhs;
    e.warning = s.warning;
    switch (s.kind) {
    case STMT_ASSERT: e.kind = FLAT_ASSERT; break;
    case STMT_TERMINATE: e.kind = FLAT_TERMINATE; break;
    case STMT_REINIT:
        e.kind = FLAT_REINIT;
        if (!m->in_when)
            diag(m->f->ctx, eq->span, DIAG_F004, "'reinit' is only allowed in a when-equation");
        break;
    default: break;
    }
    if (e.kind == FLAT_CALL)
        add_call(m->f, e, out);
    else
        vec_push(out, e);
}

/* ---- for ---- */

static ExprId iteration_value(Flattener *f, const Value *range, int64_t i)
{
    Types *types = f->g->types;
    TypeId element = type_element(types, range->type);
    Value v = {.type = element};
    switch (type_get(types, element)->kind) {
    case TYPE_STRING: v.str = range->strs[i]; break;
    case TYPE_RECORD: v = range->items[i]; break;
    default: v.num = range->nums[i]; break;
    }
    return eval_literal(f->g, &v);
}

/* All values of an enumeration or of Boolean. False for other types. */
static bool all_values(Flattener *f, TypeId type, Value *out)
{
    const Type *t = type_get(f->g->types, type);
    if (type != T_BOOL && t->kind != TYPE_ENUM)
        return false;
    int64_t n = type == T_BOOL ? 2 : t->n;
    out->type = type_array(f->g->types, type, &n, 1);
    out->nums = ARENA_ARRAY(f->lib->arena, double, n + 1);
    for (int64_t i = 0; i < n; i++)
        out->nums[i] = (double)(type == T_BOOL ? i : i + 1);
    return true;
}

/* The values of an enumeration or of Boolean, if the range names one. */
static bool type_range(Maker *m, const AstExpr *range, Value *out)
{
    Library *lib = m->f->lib;
    if (range->kind != AST_REF)
        return false;
    const AstRef *ref = range->ref;
    TypeId type = T_NONE;
    if (ref->n == 1 && !strcmp(ref->parts[0].name, "Boolean")) {
        type = T_BOOL;
    } else {
        Found x = ref->absolute ? lookup_member(lib, lib->root_inst, ref->parts[0].name)
                                : lookup_name(lib, m->names->scope, ref->parts[0].name);
        for (uint32_t i = 0; x.inst && found_element(x)->kind == ELEMENT_CLASS; i++) {
            Instance *c = inst_class(lib, x.inst, x.index);
            if (!c)
                return false;
            if (i + 1 == ref->n) {
                type = c->cls->type;
                break;
            }
            x = lookup_member(lib, c, ref->parts[i + 1].name);
        }
    }
    return all_values(m->f, type, out);
}

/* The range of an iterator from its first use as a subscript in e. */
static bool range_of_use(Maker *m, Name name, const AstExpr *e, Value *out)
{
    ExprId range = type_inferred_range(&m->names->type, name, e);
    return range != EXPR_NONE &&
           inst_evaluate(m->names, range, e->span, "the range", out) == EVAL_OK;
}

typedef struct RangeFinder {
    Maker *m;
    Name name;
    Value *out;
} RangeFinder;

static Walk find_range(void *user, const AstExpr *e)
{
    const RangeFinder *f = user;
    return range_of_use(f->m, f->name, e, f->out) ? WALK_END : WALK_ON;
}

static bool inferred_range(Maker *m, Name name, AstEq *const *eqs, uint32_t n, Value *out)
{
    return !ast_walk_equations(eqs, n, &(AstVisitor){.expression = find_range},
                               &(RangeFinder){m, name, out});
}

static bool range_of(Maker *m, const AstEq *eq, const AstIter *it, Value *out)
{
    if (!it->range) {
        if (inferred_range(m, it->name, eq->branches.at[0].body.at, eq->branches.at[0].body.n, out))
            return true;
        diag(m->f->ctx, it->span, DIAG_F004,
             "'%s' has no range, and is not used as a subscript from which the range could be "
             "inferred",
             it->name);
        return false;
    }
    if (type_range(m, it->range, out))
        return true;
    ExprId e = type_expr(&m->names->type, it->range);
    const char *what = arena_printf(m->f->lib->arena, "the range of '%s'", it->name);
    if (e != EXPR_NONE && type_count(m->f->g->types, expr_type(m->f->g, e)) > MAX_EQUATIONS) {
        diag(m->f->ctx, it->range->span, DIAG_I016, "%s has more than %d values", what,
             MAX_EQUATIONS);
        return false;
    }
    if (inst_evaluate(m->names, e, it->range->span, what, out) != EVAL_OK)
        return false;
    if (type_rank(m->f->g->types, out->type) == 1)
        return true;
    diag(m->f->ctx, it->range->span, DIAG_F004, "%s is not a vector", what);
    return false;
}

static void make_for(Maker *m, const AstEq *eq, uint32_t k, FlatEqs *out)
{
    if (k == eq->iters.n) {
        make_list(m, eq->branches.at[0].body.at, eq->branches.at[0].body.n, out);
        return;
    }
    Value range;
    if (!range_of(m, eq, &eq->iters.at[k], &range))
        return;
    int64_t n = type_count(m->f->g->types, range.type);
    TypeIter iter = {eq->iters.at[k].name, EXPR_NONE, m->names->type.iters};
    uint32_t errors = m->f->ctx->n_errors;
    for (int64_t i = 0; i < n && m->f->ctx->n_errors <= errors + 10 && !*m->f->ctx->interrupt;
         i++) {
        iter.value = iteration_value(m->f, &range, i);
        m->names->type.iters = &iter;
        make_for(m, eq, k + 1, out);
        if (++m->f->n_iterations > MAX_FAILING && m->f->ctx->n_errors)
            break; /* the other elements would report the same */
        if (out->n > MAX_EQUATIONS || m->f->n_iterations > MAX_EQUATIONS) {
            diag(m->f->ctx, eq->span, DIAG_I016, "the model has more than %d equations",
                 MAX_EQUATIONS);
            break;
        }
    }
    m->names->type.iters = iter.outer;
}

/* ---- if ---- */

static Walk find_connect(void *user, const AstEq *eq)
{
    (void)user;
    bool connects = eq->kind == AST_EQ_CONNECT;
    if (eq->kind == AST_EQ_CALL)
        connects = is_transition(eq->lhs) ||
                   (eq->lhs->kind == AST_CALL && eq->lhs->ref && eq->lhs->ref->n == 2 &&
                    !strcmp(eq->lhs->ref->parts[0].name, "Connections"));
    return connects ? WALK_END : WALK_ON;
}

static bool has_connect(AstEq *const *eqs, uint32_t n)
{
    return !ast_walk_equations(eqs, n, &(AstVisitor){.equation = find_connect}, NULL);
}

typedef enum Decision { DECIDED_NO, DECIDED_YES, UNDECIDED, UNDECIDABLE } Decision;

static ExprId condition(Maker *m, const AstExpr *e, const char *what)
{
    return type_expr_as(&m->names->type, e, T_BOOL, what);
}

/* A condition that depends only on parameters is decided now if it has a value, because its
 * branches may determine different variables. The parameters are then structural, and setting one
 * flattens the model again. Elements of an array of components keep both branches. */
static Decision decide(Maker *m, ExprId e, Span span, bool must)
{
    if (e == EXPR_NONE)
        return UNDECIDABLE;
    NameScope names = *m->names;
    const Instance *inst = m->names->scope.inst;
    bool in_array = inst->outer_rank + inst->rank > 0; /* elements may differ */
    names.soft = !must && (in_array || flat_variability(m->f->flat, e) > VARIES_PARAMETER);
    names.type.optional = !must;
    Value v;
    EvalStatus status =
        inst_evaluate(&names, e, span,
                      "the condition of an if-equation with connections or of branches "
                      "that differ in size",
                      &v);
    if (status == EVAL_OK)
        return v.num != 0 ? DECIDED_YES : DECIDED_NO;
    return must ? UNDECIDABLE : UNDECIDED;
}

static void make_if(Maker *m, const AstEq *eq, FlatEqs *out, bool must);

/* Branches have different numbers of equations: decided if the condition depends only on
 * parameters, otherwise an error. */
static void resolve_difference(Maker *m, const AstEq *eq, const FlatBranch *branches, uint32_t n,
                               FlatEqs *out)
{
    bool structural = true, late = false;
    for (uint32_t i = 0; i < n; i++)
        late |= branches[i].condition != EXPR_NONE &&
                is_connect_dependent(m->f->g, branches[i].condition);
    if (late) {
        FlatEq e = equation(m, FLAT_IF, eq->span);
        e.n_branches = n;
        e.branches = ARENA_ARRAY(m->f->flat->arena, FlatBranch, n);
        memcpy(e.branches, branches, n * sizeof *branches);
        vec_push(out, e);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        structural &= branches[i].condition == EXPR_NONE ||
                      flat_variability(m->f->flat, branches[i].condition) <= VARIES_PARAMETER;
    if (structural) {
        make_if(m, eq, out, true);
        return;
    }
    diag(m->f->ctx, eq->span, DIAG_F006,
         "the branches of the if-equation have different numbers of equations");
    for (uint32_t i = 0; i < n; i++)
        diag_note(m->f->ctx, branches[i].span, "this branch has %lld",
                  (long long)count_equations(m->f->flat, branches[i].body, branches[i].n));
    if (branches[n - 1].condition != EXPR_NONE)
        diag_note(m->f->ctx, eq->span, "there is no else branch");
}

static bool is_even(Maker *m, const FlatBranch *branches, uint32_t n)
{
    int64_t first = count_equations(m->f->flat, branches[0].body, branches[0].n);
    for (uint32_t i = 1; i < n; i++)
        if (count_equations(m->f->flat, branches[i].body, branches[i].n) != first)
            return false;
    return branches[n - 1].condition == EXPR_NONE || first == 0;
}

static void make_if(Maker *m, const AstEq *eq, FlatEqs *out, bool must)
{
    VEC(FlatBranch) branches = {0};
    bool was_in = m->in_if;
    for (uint32_t i = 0; i < eq->branches.n; i++) {
        const AstEqBranch *b = &eq->branches.at[i];
        ExprId c = EXPR_NONE;
        Decision d = DECIDED_YES;
        if (b->condition) {
            c = condition(m, b->condition, "the condition of an if-equation");
            d = decide(m, c, b->condition->span, must);
        }
        if (d == DECIDED_NO)
            continue;
        if (d == UNDECIDABLE)
            goto done;
        if (d == DECIDED_YES && !branches.n) {
            make_list(m, b->body.at, b->body.n, out);
            goto done;
        }
        FlatEqs body = {0};
        m->in_if = true;
        make_list(m, b->body.at, b->body.n, &body);
        m->in_if = was_in;
        FlatBranch branch = {.condition = d == DECIDED_YES ? EXPR_NONE : c, .span = b->span};
        branch.body = keep(m->f, &body, &branch.n);
        vec_push(&branches, branch);
        if (d == DECIDED_YES)
            break;
    }
    if (branches.n && !is_even(m, branches.at, branches.n)) {
        resolve_difference(m, eq, branches.at, branches.n, out);
    } else if (branches.n) {
        FlatEq e = equation(m, FLAT_IF, eq->span);
        e.n_branches = branches.n;
        e.branches = vec_keep(&branches, m->f->flat->arena);
        branches.at = NULL;
        vec_push(out, e);
        return;
    }
done:
    vec_free(&branches);
}

static void choose_if(Maker *m, const AstEq *eq, FlatEqs *out)
{
    bool must = false;
    for (uint32_t i = 0; i < eq->branches.n; i++)
        must |= has_connect(eq->branches.at[i].body.at, eq->branches.at[i].body.n);
    make_if(m, eq, out, must);
}

/* ---- when ---- */

static ExprId when_condition(Maker *m, const AstExpr *ast)
{
    ExprId e = type_expr(&m->names->type, ast);
    if (e == EXPR_NONE)
        return e;
    Types *types = m->f->g->types;
    TypeId type = expr_type(m->f->g, e);
    if (type == T_CLOCK)
        return e;
    if (type_element(types, type) == T_BOOL && type_rank(types, type) <= 1)
        return e;
    diag(m->f->ctx, ast->span, DIAG_F004,
         "the condition of a when-equation must be a Boolean, a vector of Booleans or a Clock");
    return EXPR_NONE;
}

static void make_when(Maker *m, const AstEq *eq, FlatEqs *out)
{
    if (m->in_when || m->initial) {
        diag(m->f->ctx, eq->span, DIAG_F004,
             m->initial ? "a when-equation is not allowed among initial equations"
                        : "when-equations cannot be nested");
        return;
    }
    FlatEq e = equation(m, FLAT_WHEN, eq->span);
    e.branches = ARENA_ARRAY(m->f->flat->arena, FlatBranch, eq->branches.n);
    bool ok = true;
    for (uint32_t i = 0; i < eq->branches.n; i++) {
        const AstEqBranch *b = &eq->branches.at[i];
        FlatBranch *branch = &e.branches[i];
        branch->span = b->span;
        branch->condition = when_condition(m, b->condition);
        ok &= branch->condition != EXPR_NONE;
        FlatEqs body = {0};
        m->in_when = true;
        make_list(m, b->body.at, b->body.n, &body);
        m->in_when = false;
        branch->body = keep(m->f, &body, &branch->n);
    }
    e.n_branches = eq->branches.n;
    if (ok)
        vec_push(out, e);
}

/* ---- lists ---- */

/* Only connect equations, before variables have numbers. Conditions that are not yet known are
 * ignored. */
static void collect_one(Maker *m, const AstEq *eq)
{
    FlatEqs none = {0};
    if (eq->kind == AST_EQ_CONNECT) {
        m->collect(m->user, m->names, eq);
    } else if (eq->kind == AST_EQ_FOR &&
               has_connect(eq->branches.at[0].body.at, eq->branches.at[0].body.n)) {
        make_for(m, eq, 0, &none);
    } else if (eq->kind == AST_EQ_IF &&
               has_connect((AstEq *const *)&(AstEq *){(AstEq *)(uintptr_t)eq}, 1)) {
        for (uint32_t i = 0; i < eq->branches.n; i++) {
            const AstEqBranch *b = &eq->branches.at[i];
            Value v = {.num = 1};
            m->names->type.optional = true;
            bool known = !b->condition ||
                         inst_evaluate(m->names, condition(m, b->condition, "the condition"),
                                       b->condition->span, "", &v) == EVAL_OK;
            m->names->type.optional = false;
            if (known && v.num != 0)
                make_list(m, b->body.at, b->body.n, &none);
            if (!known || v.num != 0)
                break;
        }
    }
}

void each_connect(Flattener *f, Instance *inst, ConnectFn fn, void *user)
{
    f->at = inst;
    for (uint32_t i = inst->cls->layers.n; i-- > 0;) {
        Layer *layer = inst->cls->layers.at[i];
        NameScope names = name_scope(f->lib, (Scope){inst, layer}, NAMES_STRUCTURAL);
        Maker m = {.f = f, .names = &names, .collect = fn, .user = user};
        FlatEqs none = {0};
        for (uint32_t k = 0; layer->ast && k < layer->ast->equations.n; k++)
            if (!layer->ast->equations.at[k].initial)
                make_list(&m, layer->ast->equations.at[k].eqs.at, layer->ast->equations.at[k].eqs.n,
                          &none);
    }
    f->at = NULL;
}

static void make_one(Maker *m, const AstEq *eq, FlatEqs *out)
{
    if (eq->kind == AST_EQ_CONNECT && deselects_connect(m->f->lib, m->names->scope.layer, eq))
        return;
    if (m->collect) {
        collect_one(m, eq);
        return;
    }
    switch (eq->kind) {
    case AST_EQ_SIMPLE: make_simple(m, eq, out); break;
    case AST_EQ_CALL: make_call(m, eq, out); break;
    case AST_EQ_FOR: make_for(m, eq, 0, out); break;
    case AST_EQ_IF: choose_if(m, eq, out); break;
    case AST_EQ_WHEN: make_when(m, eq, out); break;
    case AST_EQ_CONNECT:
        if (m->in_when || m->initial || m->in_if)
            diag(m->f->ctx, eq->span, DIAG_F003, "connect is not allowed in a %s",
                 m->in_when   ? "when-equation"
                 : m->initial ? "section of initial equations"
                              : "branch whose condition is not a parameter expression");
        else
            make_connect(m->f, m->names, eq);
        break;
    }
}

static void make_list(Maker *m, AstEq *const *eqs, uint32_t n, FlatEqs *out)
{
    if (m->depth >= MAX_NESTING) {
        diag(m->f->ctx, n ? eqs[0]->span : (Span){0}, DIAG_I016, "equations are nested too deeply");
        return;
    }
    m->depth++;
    for (uint32_t i = 0; i < n && !*m->f->ctx->interrupt; i++)
        make_one(m, eqs[i], out);
    m->depth--;
}

/* A section with only assert, terminate and calls, also under if, assigns nothing: it is a list of
 * equations. */
static Walk find_assignment(void *user, const Stmt *s)
{
    (void)user;
    bool effect = s->kind == STMT_ASSERT || s->kind == STMT_TERMINATE || s->kind == STMT_CALL ||
                  s->kind == STMT_IF;
    return effect ? WALK_ON : WALK_END;
}

static bool assigns_nothing(const Stmt *stmts, uint32_t n)
{
    return stmt_walk(stmts, n, &(StmtVisitor){.statement = find_assignment}, NULL);
}

static void effects(Maker *m, const Stmt *stmts, uint32_t n, FlatEqs *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &stmts[i];
        FlatEq e = equation(m,
                            s->kind == STMT_ASSERT      ? FLAT_ASSERT
                            : s->kind == STMT_TERMINATE ? FLAT_TERMINATE
                            : s->kind == STMT_CALL      ? FLAT_CALL
                                                        : FLAT_IF,
                            s->span);
        e.lhs = s->lhs;
        e.rhs = s->rhs;
        e.warning = s->warning;
        if (s->kind == STMT_CALL) {
            add_call(m->f, e, out);
            continue;
        }
        e.n_branches = s->n_branches;
        if (s->n_branches)
            e.branches = ARENA_ARRAY(m->f->flat->arena, FlatBranch, s->n_branches);
        for (uint32_t k = 0; k < s->n_branches; k++) {
            FlatEqs body = {0};
            effects(m, s->branches[k].body, s->branches[k].n, &body);
            e.branches[k].condition = s->branches[k].condition;
            e.branches[k].span = s->span;
            e.branches[k].body = keep(m->f, &body, &e.branches[k].n);
        }
        vec_push(out, e);
    }
}

/* Parameters are given by their declarations and in initial sections, inputs of the model from
 * outside. */
static void check_target(const Maker *m, ExprId lhs, Span span)
{
    const Graph *g = m->f->g;
    while (lhs && expr_op(g, lhs) == OP_INDEX)
        lhs = expr_arg(g, lhs, 0);
    if (!lhs || expr_op(g, lhs) != OP_VAR)
        return;
    const FlatVar *v = &m->f->flat->vars.at[expr_index(g, lhs)];
    bool parameter = v->variability <= VARIES_PARAMETER && !m->initial,
         input = v->causality == FLAT_INPUT;
    if (!parameter && !input)
        return;
    diag(m->f->ctx, span, DIAG_I116, "'%s' cannot be assigned to: it is %s",
         path_text(m->f->flat->paths, v->path, m->f->lib->arena),
         input ? "an input of the model" : "a parameter");
    diag_note(m->f->ctx, v->span, "declared here");
}

static Walk check_statement(void *user, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN)
        check_target(user, s->lhs, s->span);
    return WALK_ON;
}

static void make_algorithm(Maker *m, const AstAlgSection *section, FlatEqs *out)
{
    FlatEq e = equation(m, FLAT_ALGORITHM, section->span);
    if (!type_statements(&m->names->type, section->stmts.at, section->stmts.n, &e.stmts,
                         &e.n_stmts) ||
        !e.n_stmts)
        return;
    stmt_walk(e.stmts, e.n_stmts, &(StmtVisitor){.statement = check_statement}, m);
    if (assigns_nothing(e.stmts, e.n_stmts))
        effects(m, e.stmts, e.n_stmts, out);
    else
        vec_push(out, e);
}

void make_equations(Flattener *f, Instance *inst)
{
    Instance *before = f->at;
    f->at = inst;
    FlatEqs out = {0};
    for (uint32_t i = inst->cls->layers.n; i-- > 0;) {
        Layer *layer = inst->cls->layers.at[i];
        if (!layer->ast)
            continue;
        NameScope names = name_scope(f->lib, (Scope){inst, layer}, NAMES_FLAT);
        for (uint32_t k = 0; k < layer->ast->equations.n; k++) {
            const AstEqSection *section = &layer->ast->equations.at[k];
            Maker m = {.f = f, .names = &names, .initial = section->initial};
            make_list(&m, section->eqs.at, section->eqs.n, &out);
        }
        for (uint32_t k = 0; k < layer->ast->algorithms.n; k++) {
            Maker m = {.f = f, .names = &names, .initial = layer->ast->algorithms.at[k].initial};
            make_algorithm(&m, &layer->ast->algorithms.at[k], &out);
        }
    }
    for (uint32_t i = 0; i < out.n; i++)
        vec_push(&f->flat->eqs, out.at[i]);
    vec_free(&out);
    f->at = before;
}

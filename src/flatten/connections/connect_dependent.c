/* Decisions that need all connections: inStream, actualStream, cardinality, Connections.isRoot and
 * rooted, and the if-equations that depend on them. */
#include "flatten/connections/connections.h"
#include "expr/walk.h"

typedef struct ConnectOperators {
    Flattener *f;
    ConnectionSets *s;
    const Roots *r;
    uint8_t *has;      /* by ExprId: contains such an operator */
    uint32_t n;        /* size of has */
    Map cardinalities; /* scalar and size of a connector → number of connections */
} ConnectOperators;

static bool is_connect_operator(ExprOp op)
{
    return op_class(op) == CLASS_CONNECTOR;
}

static Walk find_connect_operator(void *user, ExprId e)
{
    return is_connect_operator(expr_op(user, e)) ? WALK_END : WALK_ON;
}

bool is_connect_dependent(const Graph *g, ExprId e)
{
    return !expr_walk_down(g, e, find_connect_operator, (void *)(uintptr_t)g);
}

/* Arguments have smaller numbers than their nodes: one pass marks all. */
static bool mark_all(ConnectOperators *l)
{
    const Graph *g = l->f->g;
    l->n = g->nodes.n;
    l->has = memory_alloc(l->n + 1);
    bool any = false;
    for (uint32_t e = 1; e < l->n; e++) {
        l->has[e] = is_connect_operator(expr_op(g, e));
        for (uint32_t i = 0; i < expr_n(g, e) && !l->has[e]; i++)
            l->has[e] = l->has[expr_arg(g, e, i)];
        any |= l->has[e];
    }
    return any;
}

/* ---- cardinality ---- */

static void count_end(ConnectOperators *l, uint32_t scalar, uint32_t size)
{
    uint32_t n = map_get(&l->cardinalities, map_pair(scalar, size));
    map_put(&l->cardinalities, map_pair(scalar, size), n == MAP_NONE ? 1 : n + 1);
}

static int64_t scalars_in(const ConnectOperators *l, ExprId e)
{
    const Graph *g = l->f->g;
    if (expr_op(g, e) != OP_RECORD && expr_op(g, e) != OP_ARRAY)
        return type_count(g->types, expr_type(g, e));
    int64_t n = 0;
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        n += scalars_in(l, expr_arg(g, e, i));
    return n;
}

static ExprId cardinality(ConnectOperators *l, ExprId e)
{
    Graph *g = l->f->g;
    ExprId c = expr_arg(g, e, 0);
    uint32_t var = node_of_expr(l->f, c);
    if (var == MAP_NONE)
        return expr_int(g, 0);
    const Instance *inst = l->f->var_inst[var];
    while (inst && !class_is_connector(inst->cls))
        inst = inst->parent;
    if (!inst) {
        diag(l->f->ctx, l->f->flat->vars.at[var].span, DIAG_I103,
             "argument of cardinality must be a connector, but '%s' is not",
             flat_var_name(l->f->flat, var, l->f->lib->arena));
        report_rule(l->f->lib, "3.7.4.3",
                    "cardinality(c) is the number of connections in which connector c appears");
    }
    uint32_t scalar = l->f->scalar[var];
    if (expr_op(g, c) == OP_INDEX) {
        uint32_t at = 0;
        TypeId type = expr_type(g, expr_arg(g, c, 0));
        for (uint32_t k = 1; k < expr_n(g, c); k++) {
            ExprId sub = expr_arg(g, c, k);
            at = at * (uint32_t)type_dim(g->types, type, k - 1);
            at += expr_op(g, sub) == OP_INT ? (uint32_t)expr_int_value(g, sub) - 1 : 0;
        }
        scalar += at;
    }
    uint32_t n = map_get(&l->cardinalities, map_pair(scalar, (uint32_t)scalars_in(l, c)));
    return expr_int(g, n == MAP_NONE ? 0 : n);
}

/* ---- expressions ---- */

static ExprId replace(void *user, Graph *g, ExprId e)
{
    ConnectOperators *l = user;
    if (e >= l->n || !l->has[e])
        return e;
    switch (expr_op(g, e)) {
    case OP_INSTREAM: return l->s ? in_stream(l->s, e) : expr_arg(g, e, 0);
    case OP_ACTUAL_STREAM: return l->s ? actual_stream(l->s, e) : expr_arg(g, e, 0);
    case OP_CARDINALITY: return cardinality(l, e);
    case OP_IS_ROOT: return expr_bool(g, is_root(l->r, node_of_expr(l->f, e)));
    case OP_ROOTED: return expr_bool(g, is_rooted(l->r, node_of_expr(l->f, e)));
    case OP_MUL: return l->s ? stream_product(l->s, e) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

static void settle(void *user, ExprId *e)
{
    ConnectOperators *l = user;
    if (*e != EXPR_NONE && *e < l->n && l->has[*e])
        *e = expr_map(l->f->g, *e, replace, l);
}

/* ---- equations ---- */

static void settle_list(ConnectOperators *l, FlatEq *eqs, uint32_t n, FlatEqs *out);

/* The value of a condition, if it is known: 0 or 1; otherwise -1. `must`: parameters may become
 * structural for it. */
static int value_of(ConnectOperators *l, ExprId e, bool must)
{
    const Graph *g = l->f->g;
    if (e == EXPR_NONE)
        return 1;
    if (expr_op(g, e) == OP_BOOL)
        return expr_int_value(g, e) != 0;
    if (!must || flat_variability(l->f->flat, e) > VARIES_PARAMETER)
        return -1;
    NameScope names =
        name_scope(l->f->lib, (Scope){l->f->root, l->f->root->cls->layers.at[0]}, NAMES_FLAT);
    names.type.optional = true;
    Value v;
    return inst_evaluate(&names, e, (Span){0}, "a condition", &v) == EVAL_OK ? v.num != 0 : -1;
}

/* Drops branches that are never taken, and those after one that always is. */
static uint32_t prune(ConnectOperators *l, FlatBranch *branches, uint32_t n, bool must)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        int value = value_of(l, branches[i].condition, must);
        if (value == 0)
            continue;
        branches[kept] = branches[i];
        if (value == 1)
            branches[kept++].condition = EXPR_NONE;
        else
            kept++;
        if (value == 1)
            break;
    }
    return kept;
}

static bool is_even(const ConnectOperators *l, const FlatEq *eq)
{
    int64_t first = count_equations(l->f->flat, eq->branches[0].body, eq->branches[0].n);
    for (uint32_t i = 1; i < eq->n_branches; i++)
        if (count_equations(l->f->flat, eq->branches[i].body, eq->branches[i].n) != first)
            return false;
    return eq->initial || first == 0 || eq->branches[eq->n_branches - 1].condition == EXPR_NONE;
}

static void settle_if(ConnectOperators *l, FlatEq eq, FlatEqs *out)
{
    bool late = false;
    for (uint32_t i = 0; i < eq.n_branches; i++) {
        FlatBranch *b = &eq.branches[i];
        late |= b->condition != EXPR_NONE && b->condition < l->n && l->has[b->condition];
        settle(l, &b->condition);
        FlatEqs body = {0};
        settle_list(l, b->body, b->n, &body);
        b->n = body.n;
        b->body = vec_keep(&body, l->f->flat->arena);
    }
    if (late && eq.kind == FLAT_IF) {
        eq.n_branches = prune(l, eq.branches, eq.n_branches, false);
        if (eq.n_branches && !is_even(l, &eq))
            eq.n_branches = prune(l, eq.branches, eq.n_branches, true);
        if (eq.n_branches && eq.branches[0].condition == EXPR_NONE) {
            for (uint32_t i = 0; i < eq.branches[0].n; i++) {
                eq.branches[0].body[i].by_connections = true;
                vec_push(out, eq.branches[0].body[i]);
            }
            return;
        }
        if (eq.n_branches && !is_even(l, &eq))
            diag(l->f->ctx, eq.span, DIAG_F006,
                 "the branches of the if-equation have different numbers of equations");
    }
    if (eq.n_branches)
        vec_push(out, eq);
}

static void settle_list(ConnectOperators *l, FlatEq *eqs, uint32_t n, FlatEqs *out)
{
    for (uint32_t i = 0; i < n; i++) {
        FlatEq eq = eqs[i];
        settle(l, &eq.lhs);
        settle(l, &eq.rhs);
        stmt_each_slot(eq.stmts, eq.n_stmts, settle, l);
        if (eq.n_branches)
            settle_if(l, eq, out);
        else
            vec_push(out, eq);
    }
}

void decide_connect_dependent(Flattener *f, ConnectionSets *s, const Roots *r)
{
    ConnectOperators l = {.f = f, .s = s, .r = r};
    if (mark_all(&l)) {
        for (uint32_t i = 0; i < f->links.n; i++) {
            count_end(&l, f->links.at[i].a, f->links.at[i].size_a);
            count_end(&l, f->links.at[i].b, f->links.at[i].size_b);
        }
        for (uint32_t i = 0; i < f->flat->vars.n; i++)
            for (Slot k = SLOT_BINDING; k < SLOT_COUNT; k++)
                settle(&l, slot_of(&f->flat->vars.at[i], k));
        FlatEqs out = {0};
        settle_list(&l, f->flat->eqs.at, f->flat->eqs.n, &out);
        vec_free(&f->flat->eqs);
        f->flat->eqs.at = out.at;
        f->flat->eqs.n = out.n;
        f->flat->eqs.cap = out.cap;
        map_free(&l.cardinalities);
    }
    memory_free(l.has);
}

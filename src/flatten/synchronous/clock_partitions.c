/* Partitions of the equations (Modelica 3.6, section 16.7).
 *
 * In: the equations of Flat. Out: FlatEq.partition and Flat.clocks. Equations that share a variable
 * are in one partition, cut at the operators that convert between clocks. Two relations are kept,
 * each as a forest over nodes: scalars of variables first, then groups, which stand for equations
 * and for arguments of conversions. `sub` joins nodes with one clock. `base` also joins nodes that
 * subSample, superSample, shiftSample and backSample relate. The clock of each partition is found
 * in clock_inference.c. */
#include "flatten/synchronous/clock_partitions.h"

#include "flatten/flat/flat_walk.h"

/* ---- nodes ---- */

static uint32_t find(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

/* The smaller node is the root, so that variables come before groups. */
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find(parent, a);
    b = find(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

uint32_t sub_of(Partitioner *p, uint32_t node)
{
    return find(p->sub.at, node);
}

uint32_t base_of(Partitioner *p, uint32_t node)
{
    return find(p->base.at, node);
}

static uint32_t new_node(Partitioner *p)
{
    uint32_t node = p->sub.n;
    vec_push(&p->sub, node);
    vec_push(&p->base, node);
    return node;
}

static void join_sub(Partitioner *p, uint32_t a, uint32_t b)
{
    join(p->sub.at, a, b);
    join(p->base.at, a, b);
}

/* ---- properties of an expression for its partition ---- */

typedef struct Visit {
    ExprId e;
    uint32_t group;
} Visit;

typedef struct PartWalk {
    Partitioner *p;
    Span span;
    uint32_t group; /* of the equation */
    VEC(Visit) stack;
    Map seen;
} PartWalk;

static void mark(PartWalk *w, uint32_t group, PartMarkKind kind, const char *what)
{
    vec_push(&w->p->marks, ((PartMark){group, kind, what, w->span}));
}

static void visit(PartWalk *w, ExprId e, uint32_t group)
{
    if (e != EXPR_NONE)
        vec_push(&w->stack, ((Visit){e, group}));
}

static void visit_args(PartWalk *w, ExprId e, uint32_t from, uint32_t group)
{
    for (uint32_t i = from; i < expr_n(w->p->g, e); i++)
        visit(w, expr_arg(w->p->g, e, i), group);
}

/* A node for the argument of a conversion. */
static uint32_t visit_cut(PartWalk *w, ExprId arg, PartMarkKind kind, const char *what)
{
    uint32_t inner = new_node(w->p);
    mark(w, inner, kind, what);
    visit(w, arg, inner);
    return inner;
}

static void visit_variable(PartWalk *w, ExprId e, uint32_t group)
{
    Partitioner *p = w->p;
    uint32_t var = expr_index(p->g, e);
    const FlatVar *v = &p->f->flat->vars.at[var];
    if (v->variability <= VARIES_PARAMETER)
        return;
    if (type_element(p->g->types, v->type) == T_CLOCK)
        mark(w, group, PART_CLOCKED, "a Clock");
    for (uint32_t s = p->scalar[var]; s < p->scalar[var + 1]; s++)
        join_sub(p, group, s);
}

/* An element of a variable, if the subscripts are known. */
static bool visit_element(PartWalk *w, ExprId e, uint32_t group)
{
    Partitioner *p = w->p;
    const Graph *g = p->g;
    ExprId array = expr_arg(g, e, 0);
    TypeId type = expr_type(g, array);
    if (expr_op(g, array) != OP_VAR || expr_n(g, e) != type_rank(g->types, type) + 1 ||
        p->f->flat->vars.at[expr_index(g, array)].variability <= VARIES_PARAMETER)
        return false;
    int64_t at = 0;
    for (uint32_t k = 1; k < expr_n(g, e); k++) {
        ExprId sub = expr_arg(g, e, k);
        int64_t n = type_dim(g->types, type, k - 1);
        if (expr_op(g, sub) != OP_INT || expr_int_value(g, sub) < 1 || expr_int_value(g, sub) > n)
            return false;
        at = at * n + expr_int_value(g, sub) - 1;
    }
    if (type_element(g->types, type) == T_CLOCK)
        mark(w, group, PART_CLOCKED, "a Clock");
    join_sub(p, group, p->scalar[expr_index(g, array)] + (uint32_t)at);
    return true;
}

static void visit_clock(PartWalk *w, ExprId e, uint32_t group)
{
    const Graph *g = w->p->g;
    mark(w, group, PART_CLOCKED, "a Clock");
    if (expr_n(g, e) == 0)
        return;
    vec_push(&w->p->constructors, ((PartClock){.node = group, .e = e, .span = w->span}));
    TypeId type = expr_type(g, expr_arg(g, e, 0));
    if (type == T_CLOCK)
        visit(w, expr_arg(g, e, 0), group);
    else if (type == T_BOOL)
        visit_cut(w, expr_arg(g, e, 0), PART_CONTINUOUS, "the condition of a Clock");
}

static void visit_conversion(PartWalk *w, ExprId e, uint32_t group)
{
    Partitioner *p = w->p;
    const char *what = expr_op_text(expr_op(p->g, e));
    mark(w, group, PART_CLOCKED, what);
    uint32_t inner = visit_cut(w, expr_arg(p->g, e, 0), PART_CLOCKED, what);
    join(p->base.at, inner, group);
    vec_push(&p->links, ((PartLink){.from = inner, .to = group, .e = e, .span = w->span}));
}

static void visit_node(PartWalk *w, ExprId e, uint32_t group)
{
    const Graph *g = w->p->g;
    ExprOp op = expr_op(g, e);
    switch (op) {
    case OP_VAR: visit_variable(w, e, group); return;
    case OP_INDEX:
        if (visit_element(w, e, group))
            return;
        break;
    case OP_CLOCK: visit_clock(w, e, group); return;
    case OP_CLOCKED_SAMPLE:
        mark(w, group, PART_CLOCKED, "sample");
        visit_cut(w, expr_arg(g, e, 0), PART_CONTINUOUS, "sample");
        visit_args(w, e, 1, group);
        return;
    case OP_HOLD:
        mark(w, group, PART_CONTINUOUS, "hold");
        visit_cut(w, expr_arg(g, e, 0), PART_CLOCKED, "hold");
        return;
    case OP_NO_CLOCK:
        mark(w, group, PART_CLOCKED, "noClock");
        visit_cut(w, expr_arg(g, e, 0), PART_CLOCKED, "noClock");
        return;
    case OP_SUB_SAMPLE:
    case OP_SUPER_SAMPLE:
    case OP_SHIFT_SAMPLE:
    case OP_BACK_SAMPLE: visit_conversion(w, e, group); return;
    case OP_PREVIOUS:
    case OP_INTERVAL:
    case OP_FIRST_TICK: mark(w, group, PART_CLOCKED, expr_op_text(op)); break;
    default:
        if (op_behaviour(op) == VALUE_DISCRETE ||
            (op_behaviour(op) == VALUE_CONTINUOUS && op != OP_TIME))
            mark(w, group, PART_NEEDS_SOLVER, expr_op_text(op));
        break;
    }
    visit_args(w, e, 0, group);
}

static void walk(PartWalk *w, ExprId e, uint32_t group)
{
    visit(w, e, group);
    while (w->stack.n) {
        Visit v = vec_pop(&w->stack);
        if (map_get(&w->seen, map_pair(v.e, v.group)) != MAP_NONE)
            continue;
        map_put(&w->seen, map_pair(v.e, v.group), 1);
        visit_node(w, v.e, v.group);
    }
}

/* ---- equations ---- */

static void report_elsewhen(Partitioner *p, const FlatEq *eq)
{
    for (uint32_t k = 1; k < eq->n_branches; k++)
        if (expr_type(p->g, eq->branches[0].condition) == T_CLOCK ||
            (eq->branches[k].condition && expr_type(p->g, eq->branches[k].condition) == T_CLOCK)) {
            diag(p->f->ctx, eq->branches[k].span, DIAG_F004,
                 "a when-equation with a clock cannot have an elsewhen");
            report_rule(p->f->lib, "16.6", "a clocked when-clause has one branch");
            return;
        }
}

static Walk walk_sides(void *user, const FlatEq *eq)
{
    PartWalk *w = user;
    w->span = eq->span;
    walk(w, eq->lhs, w->group);
    walk(w, eq->rhs, w->group);
    if (eq->kind == FLAT_WHEN)
        report_elsewhen(w->p, eq);
    return WALK_ON;
}

static Walk walk_statement(void *user, const Stmt *s)
{
    PartWalk *w = user;
    w->span = s->span;
    walk(w, s->lhs, w->group);
    walk(w, s->rhs, w->group);
    return WALK_ON;
}

static void mark_when(PartWalk *w, ExprId condition)
{
    if (condition != EXPR_NONE && expr_type(w->p->g, condition) != T_CLOCK)
        mark(w, w->group, PART_NEEDS_SOLVER, "when with a Boolean condition");
}

static void enter_branch(void *user, const FlatEq *eq, const FlatBranch *b)
{
    PartWalk *w = user;
    w->span = b->span;
    if (eq->kind == FLAT_WHEN)
        mark_when(w, b->condition);
}

static void enter_statement_branch(void *user, const Stmt *s, const StmtBranch *b)
{
    if (s->kind == STMT_WHEN)
        mark_when(user, b->condition);
}

static Walk walk_condition(void *user, ExprId e)
{
    PartWalk *w = user;
    walk(w, e, w->group);
    return WALK_ON;
}

static const FlatVisitor part_visitor = {.equation = walk_sides,
                                         .condition = walk_condition,
                                         .statement = walk_statement,
                                         .branch = enter_branch,
                                         .statement_branch = enter_statement_branch};

static void walk_all(Partitioner *p)
{
    const Flat *flat = p->f->flat;
    for (uint32_t i = 0; i < flat->eqs.n; i++) {
        uint32_t group = p->groups[i] = new_node(p);
        if (flat->eqs.at[i].initial)
            continue;
        PartWalk w = {.p = p, .group = group};
        flat_walk(&flat->eqs.at[i], 1, &part_visitor, &w);
        vec_free(&w.stack);
        map_free(&w.seen);
    }
}

/* ---- clocked or continuous ---- */

const char *part_name(const Partitioner *p, uint32_t node)
{
    const Flattener *f = p->f;
    uint32_t lo = 0, hi = f->flat->vars.n;
    if (node >= p->scalar[f->flat->vars.n])
        return NULL;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (p->scalar[mid] <= node)
            lo = mid;
        else
            hi = mid;
    }
    return flat_var_name(f->flat, lo, f->lib->arena);
}

static void report_mixed(Partitioner *p, const PartMark *clocked, const PartMark *continuous)
{
    const char *name = part_name(p, base_of(p, clocked->node));
    diag(p->f->ctx, clocked->span, DIAG_F016,
         "%s%s%s is both clocked and continuous: it is clocked by '%s' here", name ? "'" : "",
         name ? name : "this equation", name ? "'" : "", clocked->what);
    diag_note(p->f->ctx, continuous->span, "'%s' makes it continuous here", continuous->what);
    report_rule(p->f->lib, "16.7",
                "a variable is in one partition; sample and hold lead from one to another");
}

/* Sets p->clocked for roots of base partitions. */
static void find_clocked(Partitioner *p)
{
    uint32_t *first = memory_alloc(
        (p->sub.n + 1) * sizeof *first); /* by base: first mark + 1 that makes it clocked */
    for (uint32_t i = 0; i < p->marks.n; i++) {
        uint32_t root = base_of(p, p->marks.at[i].node);
        if (p->marks.at[i].kind == PART_CLOCKED && !first[root]) {
            first[root] = i + 1;
            p->clocked[root] = true;
        }
    }
    for (uint32_t i = 0; i < p->marks.n; i++) {
        uint32_t root = base_of(p, p->marks.at[i].node);
        if (p->marks.at[i].kind == PART_CONTINUOUS && first[root]) {
            report_mixed(p, &p->marks.at[first[root] - 1], &p->marks.at[i]);
            p->bad[root] = true;
            first[root] = 0;
        }
    }
    memory_free(first);
}

/* ---- numbers ---- */

static void set_partition(void *user, FlatEq *eq)
{
    const uint32_t *partition = user;
    eq->partition = *partition;
}

static void number_partitions(Partitioner *p)
{
    Flat *flat = p->f->flat;
    uint32_t *number = memory_alloc((p->sub.n + 1) * sizeof *number); /* by root of sub */
    uint32_t *base = memory_alloc((p->sub.n + 1) * sizeof *base);     /* by root of base */
    uint32_t n_bases = 0;
    for (uint32_t i = 0; i < flat->eqs.n; i++) {
        FlatEq *eq = &flat->eqs.at[i];
        uint32_t root = base_of(p, p->groups[i]), sub = sub_of(p, p->groups[i]);
        if (eq->initial || !p->clocked[root])
            continue;
        if (!base[root])
            base[root] = ++n_bases;
        if (!number[sub]) {
            FlatClock c = {.base = base[root], .span = eq->span};
            clock_of_partition(p, sub, &c);
            vec_push(&flat->clocks, c);
            number[sub] = flat->clocks.n;
        }
        flat_each_equation(eq, 1, set_partition, &number[sub]);
    }
    memory_free(number);
    memory_free(base);
}

/* ---- entry ---- */

static bool has_clocks(const Graph *g)
{
    for (uint32_t i = 0; i < g->nodes.n; i++)
        if (op_class(expr_op(g, i)) == CLASS_CLOCK)
            return true;
    return false;
}

void partition_clocks(Flattener *f)
{
    if (f->ctx->n_errors || !has_clocks(f->g))
        return;
    Partitioner p = {.f = f, .g = f->g};
    uint32_t n = f->flat->vars.n;
    p.scalar = memory_alloc((n + 1) * sizeof *p.scalar);
    for (uint32_t i = 0; i < n; i++)
        p.scalar[i + 1] = p.scalar[i] + (uint32_t)type_count(f->g->types, f->flat->vars.at[i].type);
    for (uint32_t i = 0; i < p.scalar[n]; i++)
        new_node(&p);
    p.groups = memory_alloc((f->flat->eqs.n + 1) * sizeof *p.groups);
    walk_all(&p);
    p.clocked = memory_alloc(p.sub.n + 1);
    p.bad = memory_alloc(p.sub.n + 1);
    p.state = memory_alloc((p.sub.n + 1) * sizeof *p.state);
    find_clocked(&p);
    infer_clocks(&p);
    number_partitions(&p);
    memory_free(p.scalar);
    memory_free(p.groups);
    memory_free(p.clocked);
    memory_free(p.bad);
    memory_free(p.state);
    vec_free(&p.sub);
    vec_free(&p.base);
    vec_free(&p.marks);
    vec_free(&p.constructors);
    vec_free(&p.links);
}

/* Removes elements of expandable connectors that no equation mentions and that are connected only
 * with other expandable connectors. Flows of elements that only one side uses are zero. Section
 * 9.1.3 of the specification. */
#include "flatten/connections/connections.h"
#include "flatten/flat/flat_walk.h"

typedef struct Remover {
    Flattener *f;
    uint32_t *set;   /* size n_vars: union-find of connected variables */
    bool *used;      /* size n_vars */
    bool *mentioned; /* size n_vars: in an equation other than those of connections */
    uint32_t *moved; /* size n_vars: new number; MAP_NONE if removed */
    uint8_t *seen;   /* by ExprId */
} Remover;

static uint32_t find(Remover *r, uint32_t a)
{
    while (r->set[a] != a) {
        r->set[a] = r->set[r->set[a]];
        a = r->set[a];
    }
    return a;
}

bool is_in_expandable(const Instance *inst)
{
    for (const Instance *a = inst->parent; a; a = a->parent)
        if (class_is_expandable(a->cls))
            return true;
    return false;
}

/* ---- uses ---- */

static Walk use_node(void *user, ExprId e)
{
    Remover *r = user;
    const Graph *g = r->f->g;
    if (r->seen[e])
        return WALK_PAST;
    r->seen[e] = 1;
    if (expr_op(g, e) == OP_VAR)
        r->used[expr_index(g, e)] = r->mentioned[expr_index(g, e)] = true;
    return WALK_ON;
}

static void use_expr(Remover *r, ExprId e)
{
    expr_walk_down(r->f->g, e, use_node, r);
}

static Walk use_condition(void *user, ExprId e)
{
    use_expr(user, e);
    return WALK_ON;
}

static Walk use_statement(void *user, const Stmt *s)
{
    use_expr(user, s->lhs);
    use_expr(user, s->rhs);
    return WALK_ON;
}

static bool from_connection(const FlatEq *eq)
{
    return eq->origin == ORIGIN_CONNECTION || eq->origin == ORIGIN_FLOW_SUM;
}

static Walk use_equation(void *user, const FlatEq *eq)
{
    if (from_connection(eq))
        return WALK_PAST;
    use_expr(user, eq->lhs);
    use_expr(user, eq->rhs);
    return WALK_ON;
}

static void report_no_source(Remover *r, uint32_t set)
{
    Flattener *f = r->f;
    uint32_t at = set;
    for (uint32_t k = 0; k < f->n_vars && !is_in_expandable(f->var_inst[at]); k++)
        if (find(r, k) == set && is_in_expandable(f->var_inst[k]))
            at = k;
    diag(f->ctx, f->flat->vars.at[at].span, DIAG_F013,
         "'%s' of the expandable connector has readers but no source",
         flat_var_name(f->flat, at, f->lib->arena));
    report_rule(f->lib, "9.1.3",
                "a variable with inputs needs a source in another connector of the set");
}

/* A value that only inputs take has no source. */
static void check_sources(Remover *r, const ConnectionSets *s)
{
    Flattener *f = r->f;
    bool *sourced = memory_alloc(f->n_vars + 1), *taken = memory_alloc(f->n_vars + 1);
    for (uint32_t i = 0; i < 2 * f->edges.n; i++) {
        const Edge *e = &f->edges.at[i / 2];
        uint32_t node = i & 1 ? e->b : e->a, v = s->var[node / 2], set = find(r, v);
        bool expandable = is_in_expandable(f->var_inst[v]);
        taken[set] |= expandable;
        sourced[set] |= expandable
                            ? r->mentioned[v]
                            : f->var_inst[v]->causality != (node & 1 ? AST_OUTPUT : AST_INPUT);
    }
    for (uint32_t v = 0; v < f->n_vars; v++)
        if (r->set[v] == v && taken[v] && !sourced[v] && r->used[v])
            report_no_source(r, v);
    memory_free(sourced);
    memory_free(taken);
}

/* Marks used elements; true if one is unused, or has an equation too many. */
static bool find_unused(Remover *r, const ConnectionSets *s)
{
    Flattener *f = r->f;
    for (uint32_t v = 0; v < f->n_vars; v++) {
        const FlatVar *var = &f->flat->vars.at[v];
        r->set[v] = v;
        r->used[v] |= !is_in_expandable(f->var_inst[v]) || var->variability <= VARIES_PARAMETER;
        for (Slot k = SLOT_BINDING; k < SLOT_COUNT; k++)
            use_expr(r, *slot_of(&f->flat->vars.at[v], k));
    }
    flat_walk(f->flat->eqs.at, f->flat->eqs.n,
              &(FlatVisitor){
                  .equation = use_equation, .condition = use_condition, .statement = use_statement},
              r);
    for (uint32_t i = 0; i < f->edges.n; i++) {
        uint32_t a = find(r, s->var[f->edges.at[i].a / 2]),
                 b = find(r, s->var[f->edges.at[i].b / 2]);
        r->set[a] = b;
        r->used[b] |= r->used[a];
    }
    check_sources(r, s);
    bool any = false;
    uint32_t n = 0;
    for (uint32_t v = 0; v < f->n_vars; v++) {
        bool keep = r->used[find(r, v)];
        r->moved[v] = keep ? n++ : MAP_NONE;
        any |= !keep || (r->mentioned[v] && f->flat->vars.at[v].is_flow);
    }
    return any;
}

/* ---- renumbering ---- */

static ExprId renumber(void *user, Graph *g, ExprId e)
{
    const Remover *r = user;
    if (expr_op(g, e) != OP_VAR)
        return EXPR_NONE;
    uint32_t to = r->moved[expr_index(g, e)];
    return to == MAP_NONE ? e : expr_leaf(g, OP_VAR, expr_type(g, e), to);
}

static void move_expr(void *user, ExprId *e)
{
    Remover *r = user;
    if (*e)
        *e = expr_map(r->f->g, *e, renumber, r);
}

/* Also the zero of a flow inside a component that has equations for it. */
static bool is_gone(const Remover *r, const FlatEq *eq)
{
    uint32_t v =
        from_connection(eq) && eq->kind == FLAT_EQUAL ? node_of_expr(r->f, eq->lhs) : MAP_NONE;
    return v != MAP_NONE && (r->moved[v] == MAP_NONE || (eq->inside && r->mentioned[v]));
}

static uint32_t move_eqs(Remover *r, FlatEq *eqs, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        FlatEq eq = eqs[i];
        if (is_gone(r, &eq))
            continue;
        move_expr(r, &eq.lhs);
        move_expr(r, &eq.rhs);
        stmt_each_slot(eq.stmts, eq.n_stmts, move_expr, r);
        for (uint32_t k = 0; k < eq.n_branches; k++) {
            move_expr(r, &eq.branches[k].condition);
            eq.branches[k].n = move_eqs(r, eq.branches[k].body, eq.branches[k].n);
        }
        eqs[kept++] = eq;
    }
    return kept;
}

static void move_vars(Remover *r)
{
    Flattener *f = r->f;
    Flat *flat = f->flat;
    uint32_t kept = 0;
    for (uint32_t v = 0; v < f->n_vars; v++) {
        if (r->moved[v] == MAP_NONE)
            continue;
        flat->vars.at[kept] = flat->vars.at[v];
        f->var_inst[kept] = f->var_inst[v];
        f->var_element[kept] = f->var_element[v];
        for (Slot k = SLOT_BINDING; k < SLOT_COUNT; k++)
            move_expr(r, slot_of(&flat->vars.at[kept], k));
        kept++;
    }
    flat->vars.n = kept;
}

void remove_unused(Flattener *f, const ConnectionSets *s)
{
    if (!f->has_expandable)
        return;
    Remover r = {.f = f};
    r.set = memory_alloc((f->n_vars + 1) * sizeof *r.set);
    r.used = memory_alloc(f->n_vars + 1);
    r.mentioned = memory_alloc(f->n_vars + 1);
    r.moved = memory_alloc((f->n_vars + 1) * sizeof *r.moved);
    r.seen = memory_alloc(f->g->nodes.n + 1);
    if (find_unused(&r, s)) {
        f->flat->eqs.n = move_eqs(&r, f->flat->eqs.at, f->flat->eqs.n);
        for (uint32_t i = 0; i < f->transitions.n; i++)
            move_expr(&r, &f->transitions.at[i].condition);
        move_vars(&r);
        f->n_vars = f->flat->vars.n;
    }
    memory_free(r.set);
    memory_free(r.used);
    memory_free(r.mentioned);
    memory_free(r.moved);
    memory_free(r.seen);
}

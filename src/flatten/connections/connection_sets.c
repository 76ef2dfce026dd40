/* Connection sets and their equations: equalities to one member of the set, sums of flows.
 * A flow variable that nothing is connected to is zero. Section 9.2 of the specification. */
#include "flatten/connections/connections.h"

#include "flatten/synchronous/synchronous.h"

static uint32_t find(ConnectionSets *s, uint32_t a)
{
    while (s->parent[a] != a) {
        s->parent[a] = s->parent[s->parent[a]];
        a = s->parent[a];
    }
    return a;
}

static void join(ConnectionSets *s, uint32_t a, uint32_t b)
{
    a = find(s, a);
    b = find(s, b);
    if (a < b)
        s->parent[b] = a;
    else
        s->parent[a] = b;
}

uint32_t set_of(ConnectionSets *s, uint32_t node)
{
    return find(s, node);
}

ExprId scalar_expr(ConnectionSets *s, uint32_t scalar)
{
    Flattener *f = s->f;
    uint32_t var = s->var[scalar];
    TypeId type = f->flat->vars.at[var].type;
    ExprId e = expr_leaf(f->g, OP_VAR, type, var);
    uint32_t rank = type_rank(f->g->types, type);
    if (!rank)
        return e;
    ExprId args[16] = {e};
    uint32_t rest = scalar - f->scalar[var];
    for (uint32_t k = rank; k-- > 0;) {
        uint32_t n = (uint32_t)type_dim(f->g->types, type, k);
        args[k + 1] = expr_int(f->g, rest % n + 1);
        rest /= n;
    }
    return expr_make(f->g, OP_INDEX, type_element(f->g->types, type), 0, args, rank + 1);
}

FlatEq connection_equation(ConnectionSets *s, FlatOrigin origin, uint32_t node)
{
    FlatEq eq = {.kind = FLAT_EQUAL, .origin = (uint8_t)origin};
    Flattener *f = s->f;
    if (s->edge[node]) {
        const Edge *e = &f->edges.at[s->edge[node] - 1];
        eq.component = e->comp;
        eq.span = f->spans.at[e->span];
    } else {
        eq.span = f->flat->vars.at[s->var[node / 2]].span;
    }
    return eq;
}

/* ---- flows ---- */

static void add_sum(ConnectionSets *s, uint32_t root)
{
    Flattener *f = s->f;
    VEC(ExprId) terms = {0};
    for (uint32_t a = root; a < s->n; a = s->next[a])
        if (!(a & 1))
            vec_push(&terms, scalar_expr(s, a / 2));
    for (uint32_t a = root; a < s->n; a = s->next[a])
        if (a & 1)
            vec_push(&terms, expr1(f->g, OP_NEG, T_REAL, scalar_expr(s, a / 2)));
    FlatEq eq = connection_equation(s, ORIGIN_FLOW_SUM, root);
    eq.lhs = terms.n == 1 ? terms.at[0] : expr_make(f->g, OP_ADD, T_REAL, 0, terms.at, terms.n);
    eq.rhs = expr_real(f->g, 0);
    vec_push(&f->flat->eqs, eq);
    vec_free(&terms);
}

/* ---- potentials ---- */

static bool is_source(const ConnectionSets *s, uint32_t node)
{
    const Instance *inst = s->f->var_inst[s->var[node / 2]];
    if (node & 1 && inst->is_protected)
        return false;
    return inst->causality == (node & 1 ? AST_INPUT : AST_OUTPUT);
}

static char *node_name(ConnectionSets *s, uint32_t node)
{
    return path_text(s->f->flat->paths, s->f->flat->vars.at[s->var[node / 2]].path,
                     s->f->lib->arena);
}

static uint32_t representative(ConnectionSets *s, uint32_t root)
{
    uint32_t best = s->n;
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        if (!is_source(s, a))
            continue;
        if (best < s->n && are_outputs_of_states(s->f, s->var[best / 2], s->var[a / 2]))
            continue;
        if (best < s->n) {
            diag(s->f->ctx, connection_equation(s, ORIGIN_CONNECTION, a).span, DIAG_F002,
                 "two outputs are connected with each other: '%s' and '%s'", node_name(s, best),
                 node_name(s, a));
            return best;
        }
        best = a;
    }
    return best < s->n ? best : root;
}

/* Outputs of several states of one machine: the others have the value of the active one
 * (section 17.3.6). */
static bool add_merged(ConnectionSets *s, uint32_t root, uint32_t first)
{
    Flattener *f = s->f;
    uint32_t sink = s->n, n_sources = 0;
    bool of_states = true;
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        n_sources += is_source(s, a);
        of_states &= !is_source(s, a) || are_outputs_of_states(f, s->var[first / 2], s->var[a / 2]);
        sink = sink == s->n && !is_source(s, a) ? a : sink;
    }
    if (n_sources < 2 || !of_states)
        return false;
    if (sink == s->n)
        return true;
    ExprId to = scalar_expr(s, sink / 2), value = expr1(f->g, OP_PREVIOUS, expr_type(f->g, to), to);
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        FlatEq eq = connection_equation(s, ORIGIN_CONNECTION, a);
        eq.lhs = scalar_expr(s, a / 2);
        eq.rhs = to;
        if (is_source(s, a))
            value = expr_if(f->g, active_state_of(f, s->var[a / 2]), eq.lhs, value);
        else if (a != sink)
            vec_push(&f->flat->eqs, eq);
    }
    FlatEq eq = connection_equation(s, ORIGIN_CONNECTION, sink);
    eq.lhs = to;
    eq.rhs = value;
    vec_push(&f->flat->eqs, eq);
    return true;
}

static void add_equalities(ConnectionSets *s, uint32_t root)
{
    uint32_t rep = representative(s, root);
    if (s->f->machines && add_merged(s, root, rep))
        return;
    ExprId value = scalar_expr(s, rep / 2);
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        if (a == rep || a / 2 == rep / 2)
            continue;
        FlatEq eq = connection_equation(s, ORIGIN_CONNECTION, a);
        eq.lhs = scalar_expr(s, a / 2);
        eq.rhs = value;
        vec_push(&s->f->flat->eqs, eq);
    }
}

/* ---- the sets ---- */

/* Members of a set in ascending order; its root is the least. */
static void link_members(ConnectionSets *s)
{
    for (uint32_t a = 0; a < s->n; a++)
        s->next[a] = s->n;
    for (uint32_t a = s->n; a-- > 0;) {
        uint32_t root = find(s, a);
        if (root == a)
            continue;
        s->next[a] = s->next[root];
        s->next[root] = a;
    }
}

/* An element of an expandable connector of a component, not of the model itself. */
static bool is_of_component(const Instance *leaf)
{
    const Instance *at = leaf->parent;
    while (at && (class_is_connector(at->cls) || class_is_record(at->cls)))
        at = at->parent;
    return at && at->parent && is_in_expandable(leaf);
}

/* A component has the element because of connections outside it. Unless its equations mention it,
 * nothing flows there. */
static void add_zero_inside(ConnectionSets *s, uint32_t node)
{
    Flattener *f = s->f;
    if (!f->has_expandable || !s->edge[node - 1] || !is_of_component(f->var_inst[s->var[node / 2]]))
        return;
    FlatEq eq = connection_equation(s, ORIGIN_FLOW_SUM, node - 1);
    eq.lhs = scalar_expr(s, node / 2);
    eq.rhs = expr_real(f->g, 0);
    eq.inside = true;
    vec_push(&f->flat->eqs, eq);
}

static void add_set(ConnectionSets *s, uint32_t root)
{
    const FlatVar *v = &s->f->flat->vars.at[s->var[root / 2]];
    bool connected = s->edge[root] != 0;
    if (s->f->var_inst[s->var[root / 2]]->flow == AST_STREAM) {
        if (connected)
            stream_equations(s, root);
    } else if (v->is_flow) {
        if (connected || !(root & 1))
            add_sum(s, root);
        else
            add_zero_inside(s, root);
    } else if (connected) {
        add_equalities(s, root);
    }
}

void connection_equations(Flattener *f)
{
    uint32_t n_scalars = f->scalar[f->n_vars];
    bool needed = f->edges.n > 0 || f->marks.n > 0 || f->links.n > 0;
    for (uint32_t v = 0; v < f->n_vars && !needed; v++)
        needed = f->var_inst[v]->flow != AST_FLOW_NONE;
    if (!needed) {
        decide_connect_dependent(f, NULL, NULL);
        return;
    }
    Roots *roots = find_roots(f);
    ConnectionSets s = {.f = f, .n = 2 * n_scalars};
    uint32_t *room = memory_alloc(((size_t)s.n * 3 + n_scalars + 1) * sizeof *room);
    s.parent = room;
    s.edge = room + s.n;
    s.next = s.edge + s.n;
    s.var = s.next + s.n;
    for (uint32_t v = 0; v < f->n_vars; v++)
        for (uint32_t i = f->scalar[v]; i < f->scalar[v + 1]; i++)
            s.var[i] = v;
    for (uint32_t a = 0; a < s.n; a++)
        s.parent[a] = a;
    for (uint32_t i = 0; i < f->edges.n; i++) {
        Edge e = f->edges.at[i];
        if (e.tie && f->ties.at[e.tie - 1].broken)
            continue;
        s.edge[e.a] = s.edge[e.a] ? s.edge[e.a] : i + 1;
        s.edge[e.b] = s.edge[e.b] ? s.edge[e.b] : i + 1;
        join(&s, e.a, e.b);
    }
    link_members(&s);
    for (uint32_t a = 0; a < s.n; a++)
        if (s.parent[a] == a)
            add_set(&s, a);
    decide_connect_dependent(f, &s, roots);
    remove_unused(f, &s);
    roots_free(roots);
    memory_free(room);
}

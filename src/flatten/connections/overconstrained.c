/* Overconstrained connections: the virtual connection graph, its roots, and the connections that
 * are broken so that it becomes a forest of spanning trees. Section 9.4 of the specification.
 *
 * A node is an overconstrained record, named by its first variable. Branches are kept. A connection
 * is broken if it would close a loop or join two roots. */
#include "flatten/connections/connections.h"

#include <math.h>

typedef struct Node {
    uint32_t var;
    uint32_t set;     /* union-find: parent */
    uint32_t equal;   /* union-find of nodes that connections make equal: parent */
    uint32_t root;    /* of the set's representative: node that is its root, + 1; 0 for none */
    uint32_t level;   /* distance from the root, + 1 */
    uint32_t partner; /* other end of its branch, + 1; 0 for none */
    uint32_t first;   /* its arcs: [first, end) */
    uint32_t end;
    bool is_root;
} Node;

struct Roots {
    Flattener *f;
    VEC(Node) nodes;
    Map by_var;
    VEC(uint32_t) arcs;
};

/* ---- collecting ---- */

bool is_overconstrained(const Flattener *f, const Instance *inst)
{
    Name name = name_find(f->ctx->names, "equalityConstraint", strlen("equalityConstraint"));
    uint32_t at = name ? class_find(inst->cls, name) : MAP_NONE;
    return at != MAP_NONE && inst->cls->elements.at[at].kind == ELEMENT_CLASS;
}

/* The node that argument i of Connections.… names; MAP_NONE after an error. */
static uint32_t mark_node(Flattener *f, NameScope *names, const AstExpr *call, uint32_t i)
{
    ExprId e = type_expr(&names->type, call->args.at[i]);
    uint32_t node = e == EXPR_NONE ? MAP_NONE : node_of_expr(f, e);
    if (e != EXPR_NONE && (node == MAP_NONE || call->args.at[i]->kind != AST_REF))
        diag(f->ctx, call->args.at[i]->span, DIAG_F012,
             "'Connections.%s' needs the name of an overconstrained record",
             call->ref->parts[1].name);
    return node;
}

static bool priority_of(NameScope *names, const AstExpr *call, double *out)
{
    const AstExpr *e = call->args.n > 1 ? call->args.at[1]
                       : call->named.n  ? call->named.at[0].value
                                        : NULL;
    *out = 0;
    if (!e)
        return true;
    ExprId x = type_expr_as(&names->type, e, T_INT, "priority of Connections.potentialRoot");
    Value v;
    if (inst_evaluate(names, x, e->span, "the priority of a potential root", &v) != EVAL_OK)
        return false;
    *out = v.num;
    return true;
}

void make_connections_call(Flattener *f, NameScope *names, const AstEq *eq)
{
    static const struct {
        const char *name;
        MarkKind kind;
        uint32_t min, max;
    } rows[] = {{"branch", MARK_BRANCH, 2, 2},
                {"root", MARK_ROOT, 1, 1},
                {"uniqueRoot", MARK_ROOT, 1, 2},
                {"potentialRoot", MARK_POTENTIAL_ROOT, 1, 2}};
    const AstExpr *call = eq->lhs;
    const char *name = call->ref->parts[1].name;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name))
            continue;
        GraphMark m = {.kind = rows[i].kind, .span = eq->span};
        if (call->args.n < rows[i].min || call->args.n + call->named.n > rows[i].max) {
            diag(f->ctx, eq->span, DIAG_F012, "wrong number of arguments of 'Connections.%s'",
                 name);
            return;
        }
        m.a = mark_node(f, names, call, 0);
        m.b = m.kind == MARK_BRANCH ? mark_node(f, names, call, 1) : m.a;
        bool ok = m.kind != MARK_POTENTIAL_ROOT || priority_of(names, call, &m.priority);
        if (ok && m.a != MAP_NONE && m.b != MAP_NONE)
            vec_push(&f->marks, m);
        return;
    }
    diag(f->ctx, eq->span, DIAG_F005,
         "'Connections.%s' is only supported as an equation of its own", name);
}

/* ---- sets of nodes ---- */

static uint32_t node(Roots *r, uint32_t var)
{
    uint32_t at = map_get(&r->by_var, var);
    if (at != MAP_NONE)
        return at;
    at = r->nodes.n;
    vec_push(&r->nodes, ((Node){.var = var, .set = at, .equal = at}));
    map_put(&r->by_var, var, at);
    return at;
}

static uint32_t find(Roots *r, uint32_t a)
{
    Node *nodes = r->nodes.at;
    while (nodes[a].set != a) {
        nodes[a].set = nodes[nodes[a].set].set;
        a = nodes[a].set;
    }
    return a;
}

/* False if both are in one set already, or both sets have roots. */
static bool join(Roots *r, uint32_t a, uint32_t b)
{
    a = find(r, a);
    b = find(r, b);
    if (a == b || (r->nodes.at[a].root && r->nodes.at[b].root))
        return false;
    r->nodes.at[b].set = a;
    if (r->nodes.at[b].root)
        r->nodes.at[a].root = r->nodes.at[b].root;
    return true;
}

static char *node_name(const Roots *r, uint32_t at)
{
    const Flattener *f = r->f;
    PathId path = f->flat->vars.at[r->nodes.at[at].var].path;
    return path_text(f->flat->paths, path_parent(f->flat->paths, path), f->lib->arena);
}

static void add_roots(Roots *r)
{
    for (uint32_t i = 0; i < r->f->marks.n; i++) {
        const GraphMark *m = &r->f->marks.at[i];
        uint32_t a = node(r, m->a), set = find(r, a);
        if (m->kind != MARK_ROOT || r->nodes.at[set].root == a + 1)
            continue;
        if (r->nodes.at[set].root)
            diag(r->f->ctx, m->span, DIAG_F012, "two roots are joined by branches: '%s' and '%s'",
                 node_name(r, a), node_name(r, r->nodes.at[set].root - 1));
        else
            r->nodes.at[set].root = a + 1;
    }
}

static void add_branches(Roots *r)
{
    for (uint32_t i = 0; i < r->f->marks.n; i++) {
        const GraphMark *m = &r->f->marks.at[i];
        if (m->kind != MARK_BRANCH)
            continue;
        uint32_t a = node(r, m->a), b = node(r, m->b);
        if (!join(r, a, b))
            diag(r->f->ctx, m->span, DIAG_F012,
                 "branches of overconstrained connectors close a loop at '%s'", node_name(r, a));
        r->nodes.at[a].partner = b + 1;
        r->nodes.at[b].partner = a + 1;
    }
}

static void add_ties(Roots *r)
{
    for (uint32_t i = 0; i < r->f->ties.n; i++) {
        uint32_t a = node(r, r->f->ties.at[i].a), b = node(r, r->f->ties.at[i].b);
        r->f->ties.at[i].broken = !join(r, a, b);
    }
}

/* A set without a root takes the potential root with the lowest priority number. Of equals, it
 * takes the first. */
static void choose_potential(Roots *r)
{
    double *best = memory_alloc((r->nodes.n + 1) * sizeof *best);
    uint32_t *choice = memory_alloc((r->nodes.n + 1) * sizeof *choice);
    for (uint32_t i = 0; i < r->f->marks.n; i++) {
        const GraphMark *m = &r->f->marks.at[i];
        uint32_t a = node(r, m->a), set = find(r, a);
        if (m->kind != MARK_POTENTIAL_ROOT || r->nodes.at[set].root)
            continue;
        if (!choice[set] || m->priority < best[set]) {
            best[set] = m->priority;
            choice[set] = a + 1;
        }
    }
    for (uint32_t i = 0; i < r->nodes.n; i++) {
        Node *x = &r->nodes.at[i];
        if (x->set != i || x->root)
            continue;
        x->root = choice[i];
        if (x->root)
            continue;
        const FlatVar *v = &r->f->flat->vars.at[x->var];
        diag(r->f->ctx, v->span, DIAG_F012,
             "the overconstrained connectors connected with '%s' have no root", node_name(r, i));
        diag_note(r->f->ctx, (Span){0},
                  "one of them needs Connections.root or Connections.potentialRoot (Modelica 3.6, "
                  "section 9.4)");
        x->root = i + 1;
    }
    memory_free(best);
    memory_free(choice);
}

/* ---- distances ---- */

static void count_arc(Roots *r, uint32_t a, uint32_t b, bool place)
{
    if (place) {
        r->arcs.at[r->nodes.at[a].end++] = b;
        r->arcs.at[r->nodes.at[b].end++] = a;
    } else {
        r->nodes.at[a].end++;
        r->nodes.at[b].end++;
    }
}

static void each_arc(Roots *r, bool place)
{
    for (uint32_t i = 0; i < r->f->marks.n; i++)
        if (r->f->marks.at[i].kind == MARK_BRANCH)
            count_arc(r, node(r, r->f->marks.at[i].a), node(r, r->f->marks.at[i].b), place);
    for (uint32_t i = 0; i < r->f->ties.n; i++)
        if (!r->f->ties.at[i].broken)
            count_arc(r, node(r, r->f->ties.at[i].a), node(r, r->f->ties.at[i].b), place);
}

static void find_levels(Roots *r)
{
    each_arc(r, false);
    uint32_t total = 0;
    for (uint32_t i = 0; i < r->nodes.n; i++) {
        uint32_t n = r->nodes.at[i].end;
        r->nodes.at[i].first = r->nodes.at[i].end = total;
        total += n;
    }
    vec_reserve(&r->arcs, total + 1);
    each_arc(r, true);
    VEC(uint32_t) queue = {0};
    for (uint32_t i = 0; i < r->nodes.n; i++)
        if (r->nodes.at[i].set == i) {
            uint32_t root = r->nodes.at[i].root - 1;
            r->nodes.at[root].is_root = true;
            r->nodes.at[root].level = 1;
            vec_push(&queue, root);
        }
    for (uint32_t k = 0; k < queue.n; k++) {
        const Node *x = &r->nodes.at[queue.at[k]];
        for (uint32_t i = x->first; i < x->end; i++) {
            Node *y = &r->nodes.at[r->arcs.at[i]];
            if (y->level)
                continue;
            y->level = x->level + 1;
            vec_push(&queue, r->arcs.at[i]);
        }
    }
    vec_free(&queue);
}

/* ---- equations of broken connections ---- */

static void break_tie(Flattener *f, const Tie *t)
{
    Name name = library_name(f->lib, "equalityConstraint");
    Instance *class_ = inst_class(f->lib, t->inst_a, class_find(t->inst_a->cls, name));
    Span span = f->spans.at[t->span];
    Function *fn = class_ ? inst_function(f->lib, class_, span) : NULL;
    if (!fn)
        return;
    if (fn->n_in != 2 || fn->n_out != 1) {
        diag(f->ctx, span, DIAG_F012,
             "'equalityConstraint' of '%s' must have two inputs and one output",
             t->inst_a->cls->name);
        return;
    }
    NameScope names = name_scope(f->lib, (Scope){f->root, f->root->cls->layers.at[0]}, NAMES_FLAT);
    ExprId args[2] = {inst_expr(f->lib, t->inst_a, t->var_a),
                      inst_expr(f->lib, t->inst_b, t->var_b)};
    for (uint32_t i = 0; i < 2; i++) {
        args[i] = type_convert(&names.type, args[i], fn->vars[i].type, span,
                               "argument of equalityConstraint");
        if (args[i] == EXPR_NONE)
            return;
    }
    TypeId type = fn->vars[2].type;
    FlatEq eq = {
        .kind = FLAT_EQUAL, .origin = ORIGIN_CONNECTION, .component = t->comp, .span = span};
    VEC(ExprId) zeros = {0};
    int64_t n = type_count(f->g->types, type);
    for (int64_t i = 0; i < n; i++)
        vec_push(&zeros, expr_real(f->g, 0));
    if (n > 0) {
        eq.lhs = type_rank(f->g->types, type)
                     ? expr_make(f->g, OP_ARRAY, type, 0, zeros.at, zeros.n)
                     : zeros.at[0];
        eq.rhs = expr_apply(f->g, OP_CALL, type, fn->id, args, 2);
        vec_push(&f->flat->eqs, eq);
    }
    vec_free(&zeros);
}

static uint32_t find_equal(Roots *r, uint32_t a)
{
    while (r->nodes.at[a].equal != a)
        a = r->nodes.at[a].equal = r->nodes.at[r->nodes.at[a].equal].equal;
    return a;
}

/* False if other connections make both equal already. */
static bool make_equal(Roots *r, const Tie *t)
{
    uint32_t a = find_equal(r, node(r, t->a)), b = find_equal(r, node(r, t->b));
    r->nodes.at[b].equal = a;
    return a != b;
}

/* A connection that closes a loop of connections alone says nothing new, and has no equation. */
static void break_ties(Roots *r)
{
    Flattener *f = r->f;
    for (uint32_t i = 0; i < f->ties.n; i++)
        if (!f->ties.at[i].broken)
            make_equal(r, &f->ties.at[i]);
    for (uint32_t i = 0; i < f->ties.n; i++)
        if (f->ties.at[i].broken && make_equal(r, &f->ties.at[i]))
            break_tie(f, &f->ties.at[i]);
}

Roots *find_roots(Flattener *f)
{
    if (!f->ties.n && !f->marks.n)
        return NULL;
    Roots *r = memory_alloc(sizeof *r);
    r->f = f;
    add_roots(r);
    add_branches(r);
    add_ties(r);
    choose_potential(r);
    find_levels(r);
    break_ties(r);
    return r;
}

bool is_root(const Roots *r, uint32_t var)
{
    uint32_t at = r ? map_get(&r->by_var, var) : MAP_NONE;
    return at != MAP_NONE && r->nodes.at[at].is_root;
}

bool is_rooted(const Roots *r, uint32_t var)
{
    uint32_t at = r ? map_get(&r->by_var, var) : MAP_NONE;
    if (at == MAP_NONE || !r->nodes.at[at].partner)
        return at != MAP_NONE && r->nodes.at[at].is_root;
    return r->nodes.at[at].level < r->nodes.at[r->nodes.at[at].partner - 1].level;
}

void roots_free(Roots *r)
{
    if (!r)
        return;
    vec_free(&r->nodes);
    vec_free(&r->arcs);
    map_free(&r->by_var);
    memory_free(r);
}

/* Repeats the result for the first element of an array of components for the other elements. The
 * nodes of all expressions that depend on variables of the element are listed once, arguments
 * first. Each further element then costs one pass over that list, without typing anything again. */
#include "flatten/components/components.h"
#include "flatten/flat/flat_walk.h"

typedef struct Copier {
    Flattener *f;
    const Shift *shifts;
    uint32_t n_shifts;
    bool naming;        /* names of instances become texts; nothing is shifted */
    Map slots;          /* node → slot, or MOVED_NO */
    VEC(ExprId) nodes;  /* by slot: nodes that change, arguments first */
    VEC(ExprId) copies; /* by slot */
    VEC(ExprId) args;
} Copier;

enum { MOVED_NO = UINT32_MAX - 1 };

static uint32_t moved_var(const Copier *c, uint32_t var)
{
    uint32_t to = var;
    for (uint32_t i = 0; i < c->n_shifts; i++)
        if (var >= c->shifts[i].lo && var < c->shifts[i].hi)
            to += c->shifts[i].by;
    return to;
}

static uint32_t moved_comp(const Copier *c, uint32_t comp)
{
    uint32_t to = comp;
    for (uint32_t i = 0; i < c->n_shifts; i++)
        if (comp >= c->shifts[i].comp_lo && comp < c->shifts[i].comp_hi)
            to += c->shifts[i].comp_by;
    return to;
}

/* Whether a leaf names a variable, or a component, that changes. */
static bool is_moved(const Copier *c, ExprId e)
{
    ExprOp op = expr_op(c->f->g, e);
    uint32_t at = expr_index(c->f->g, e);
    if (c->naming)
        return op == OP_INSTANCE_NAME;
    bool names = op == OP_VAR || op == OP_ACTIVE_STATE || op == OP_INSTANCE_NAME;
    for (uint32_t i = 0; i < c->n_shifts && names; i++) {
        const Shift *s = &c->shifts[i];
        if (op == OP_VAR ? at >= s->lo && at < s->hi : at >= s->comp_lo && at < s->comp_hi)
            return true;
    }
    return false;
}

/* Lists the nodes below e that change, arguments first. */
static void list_node(void *user, ExprId e)
{
    Copier *c = user;
    if (map_get(&c->slots, e) != MAP_NONE)
        return;
    bool moved = is_moved(c, e);
    for (uint32_t i = 0; i < expr_n(c->f->g, e) && !moved; i++) {
        ExprId a = expr_arg(c->f->g, e, i);
        moved = a != EXPR_NONE && map_get(&c->slots, a) != MOVED_NO;
    }
    map_put(&c->slots, e, moved ? c->nodes.n : MOVED_NO);
    if (moved)
        vec_push(&c->nodes, e);
}

static void list_nodes(void *user, ExprId e)
{
    Copier *c = user;
    if (e != EXPR_NONE && map_get(&c->slots, e) == MAP_NONE)
        expr_walk(c->f->g, e, list_node, c);
}

static ExprId copy_of(const Copier *c, ExprId e)
{
    uint32_t slot = e == EXPR_NONE ? MAP_NONE : map_get(&c->slots, e);
    return slot == MAP_NONE || slot == MOVED_NO ? e : c->copies.at[slot];
}

static bool is_unique(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    const Function *f = op == OP_CALL ? g->functions.at[expr_index(g, e)] : NULL;
    return op == OP_DELAY || op == OP_SPATIAL || op == OP_NOEVENT ||
           (f && (f->impure || f->destructor));
}

static ExprId instance_name(const Flattener *f, uint32_t comp)
{
    const char *path = path_text(f->flat->paths, f->comp_path[comp], f->lib->arena);
    const char *name = arena_printf(f->lib->arena, "%s.%s", class_last_name(f->root->cls), path);
    return expr_string(f->g, name, strlen(name));
}

/* Makes the copies of all listed nodes for the shifts in force. */
static void copy_nodes(Copier *c)
{
    Graph *g = c->f->g;
    vec_clear(&c->copies);
    for (uint32_t i = 0; i < c->nodes.n; i++) {
        ExprId x = c->nodes.at[i];
        ExprOp op = expr_op(g, x);
        TypeId type = expr_type(g, x);
        uint32_t payload = expr_index(g, x), n = expr_n(g, x);
        if (op == OP_VAR) {
            vec_push(&c->copies, expr_leaf(g, OP_VAR, type, moved_var(c, payload)));
            continue;
        }
        if (op == OP_INSTANCE_NAME && c->naming) {
            vec_push(&c->copies, instance_name(c->f, payload));
            continue;
        }
        if (op == OP_ACTIVE_STATE || op == OP_INSTANCE_NAME) {
            vec_push(&c->copies, expr_leaf(g, op, type, moved_comp(c, payload)));
            continue;
        }
        vec_clear(&c->args);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&c->args, copy_of(c, expr_arg(g, x, k)));
        ExprId y = op == OP_CONCAT   ? expr_apply(g, op, type, payload, c->args.at, n)
                   : is_unique(g, x) ? expr_make_unique(g, op, type, payload, c->args.at, n)
                                     : expr_make(g, op, type, payload, c->args.at, n);
        vec_push(&c->copies, y);
    }
}

static void copier_free(Copier *c)
{
    map_free(&c->slots);
    vec_free(&c->nodes);
    vec_free(&c->copies);
    vec_free(&c->args);
}

ExprId shift_expr(Flattener *f, ExprId e, const Shift *shifts, uint32_t n)
{
    Copier c = {.f = f, .shifts = shifts, .n_shifts = n};
    list_nodes(&c, e);
    copy_nodes(&c);
    ExprId copy = copy_of(&c, e);
    copier_free(&c);
    return copy;
}

/* ---- statements and equations ---- */

static ExprId map_copy(void *user, ExprId e)
{
    return copy_of(user, e);
}

static void move_component(void *user, FlatEq *eq)
{
    const uint32_t *comps = user;
    eq->component += *comps;
}

static FlatEq copy_eq(Copier *c, const FlatEq *eq, uint32_t comps)
{
    FlatEq out = flat_map(c->f->flat->arena, eq, map_copy, c);
    flat_each_equation(&out, 1, move_component, &comps);
    return out;
}

static void copy_attributes(Copier *c, uint32_t from, uint32_t to)
{
    FlatVar *a = &c->f->flat->vars.at[from], *b = &c->f->flat->vars.at[to];
    PathId path = b->path;
    *b = *a;
    b->path = path;
    for (Slot s = SLOT_BINDING; s < SLOT_COUNT; s++)
        *slot_of(b, s) = copy_of(c, *slot_of(a, s));
}

Progress progress(const Flattener *f)
{
    return (Progress){f->flat->eqs.n, f->edges.n,       f->ties.n,    f->marks.n,
                      f->links.n,     f->transitions.n, f->surfaces.n};
}

/* Repeats connections for element i: variables and scalars of the array's first element are moved
 * to it. */
static void repeat_connections(Flattener *f, const Instance *array, Progress first, Progress end,
                               uint32_t i)
{
    uint32_t at = array->var_at, size = array->n_vars;
    uint32_t lo = f->scalar[at], hi = f->scalar[at + size];
    uint32_t vars = i * size, scalars = i * (hi - lo), comps = i * array->n_comps;
    uint32_t ties = f->ties.n - first.ties;
#define MOVE(x, low, high, by) ((x) += (x) >= (low) && (x) < (high) ? (by) : 0)
    for (uint32_t k = first.edges; k < end.edges; k++) {
        Edge e = f->edges.at[k];
        MOVE(e.a, 2 * lo, 2 * hi, 2 * scalars);
        MOVE(e.b, 2 * lo, 2 * hi, 2 * scalars);
        e.comp += comps;
        e.tie += e.tie ? ties : 0;
        vec_push(&f->edges, e);
    }
    for (uint32_t k = first.ties; k < end.ties; k++) {
        Tie t = f->ties.at[k];
        MOVE(t.a, at, at + size, vars);
        MOVE(t.b, at, at + size, vars);
        MOVE(t.var_a, at, at + size, vars);
        MOVE(t.var_b, at, at + size, vars);
        t.comp += comps;
        vec_push(&f->ties, t);
    }
    for (uint32_t k = first.marks; k < end.marks; k++) {
        GraphMark m = f->marks.at[k];
        MOVE(m.a, at, at + size, vars);
        MOVE(m.b, at, at + size, vars);
        vec_push(&f->marks, m);
    }
    for (uint32_t k = first.links; k < end.links; k++) {
        Link l = f->links.at[k];
        MOVE(l.a, lo, hi, scalars);
        MOVE(l.b, lo, hi, scalars);
        vec_push(&f->links, l);
    }
#undef MOVE
}

/* Repeats the transitions of state machines, their conditions as the copier has made them. */
static void repeat_transitions(Flattener *f, const Copier *c, Progress first, Progress end)
{
    for (uint32_t k = first.transitions; k < end.transitions; k++) {
        Transition t = f->transitions.at[k];
        t.from.comp = moved_comp(c, t.from.comp);
        t.to.comp = moved_comp(c, t.to.comp);
        t.comp = moved_comp(c, t.comp);
        t.condition = copy_of(c, t.condition);
        vec_push(&f->transitions, t);
    }
}

static void repeat_surfaces(Flattener *f, const Copier *c, Progress first, Progress end)
{
    for (uint32_t k = first.surfaces; k < end.surfaces; k++) {
        Surface s = f->surfaces.at[k];
        vec_push(&f->surfaces, ((Surface){moved_comp(c, s.comp), copy_of(c, s.points)}));
    }
}

void repeat_elements(Flattener *f, const Instance *array, Progress first)
{
    Flat *flat = f->flat;
    Progress end = progress(f);
    uint32_t n = (uint32_t)inst_count(array), first_eq = first.eqs, n_eqs = end.eqs;
    uint32_t at = array->var_at, size = array->n_vars;
    Shift shift = {at, at + size, 0, array->comp_at, array->comp_at + array->n_comps, 0};
    Copier c = {.f = f, .shifts = &shift, .n_shifts = 1};
    for (uint32_t v = at; v < at + size; v++)
        for (Slot s = SLOT_BINDING; s < SLOT_COUNT; s++)
            list_nodes(&c, *slot_of(&flat->vars.at[v], s));
    if (n_eqs > first_eq)
        flat_each_expr(flat->eqs.at + first_eq, n_eqs - first_eq, list_nodes, &c);
    for (uint32_t k = first.transitions; k < end.transitions; k++)
        list_nodes(&c, f->transitions.at[k].condition);
    for (uint32_t k = first.surfaces; k < end.surfaces; k++)
        list_nodes(&c, f->surfaces.at[k].points);
    vec_reserve(&flat->eqs, (size_t)n_eqs + (size_t)(n - 1) * (n_eqs - first_eq));
    uint32_t n_entered = 0;
    for (uint32_t i = 0; i < c.nodes.n; i++)
        n_entered += expr_op(f->g, c.nodes.at[i]) != OP_VAR;
    graph_reserve(f->g, (size_t)(n - 1) * n_entered);
    for (uint32_t i = 1; i < n; i++) {
        shift.by = i * size;
        shift.comp_by = i * array->n_comps;
        copy_nodes(&c);
        for (uint32_t v = at; v < at + size; v++)
            copy_attributes(&c, v, v + shift.by);
        for (uint32_t k = first_eq; k < n_eqs; k++) {
            FlatEq eq = copy_eq(&c, &flat->eqs.at[k], i * array->n_comps);
            vec_push(&flat->eqs, eq);
        }
        repeat_connections(f, array, first, end, i);
        repeat_transitions(f, &c, first, end);
        repeat_surfaces(f, &c, first, end);
    }
    copier_free(&c);
}

void name_instances(Flattener *f)
{
    Flat *flat = f->flat;
    if (!f->lib->names_instances)
        return;
    Copier c = {.f = f, .naming = true};
    for (uint32_t v = 0; v < flat->vars.n; v++)
        for (Slot s = SLOT_BINDING; s < SLOT_COUNT; s++)
            list_nodes(&c, *slot_of(&flat->vars.at[v], s));
    flat_each_expr(flat->eqs.at, flat->eqs.n, list_nodes, &c);
    copy_nodes(&c);
    for (uint32_t v = 0; v < flat->vars.n; v++)
        copy_attributes(&c, v, v);
    for (uint32_t i = 0; i < flat->eqs.n; i++)
        flat->eqs.at[i] = copy_eq(&c, &flat->eqs.at[i], 0);
    copier_free(&c);
}

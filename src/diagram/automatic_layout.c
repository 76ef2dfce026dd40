/* Models without a diagram. Components without a placement are arranged in columns, by their
 * distance along connections and transitions from the first component. Lines with right angles join
 * them; the lines of different nets never cover each other (route.h). In models with placements,
 * connections and transitions without a line are drawn in the same way. */
#include "diagram/diagram.h"
#include "diagram/route.h"
#include "syntax/tree/ast_walk.h"

#include <math.h>

enum { MOST_NODES = 200, ACROSS = 50, DOWNWARD = 40, HALF = 10 }; /* HALF: of an icon */

typedef struct Node {
    Placing at;
    Name name;
    uint32_t column, row;
    const AstEq *initial; /* initialState(node); NULL: it is no initial state */
    const Layer *layer;   /* whose text has it */
} Node;

typedef struct Edge {
    const AstEq *eq;    /* a connection, or transition(a, b, …) */
    const Layer *layer; /* whose text has it */
    const AstExpr *ends[2];
    uint32_t a, b; /* nodes; NONE if an end is not a node */
} Edge;

typedef struct Arrangement {
    const Page *p;
    const LayoutSink *sink; /* NULL: the layout is drawn */
    Arena *arena;
    VEC(Node) nodes;
    VEC(Edge) edges;
    const Layer *layer; /* whose text is searched */
} Arrangement;

/* ---- visible components ---- */

static bool is_part(const Instance *inst)
{
    const Class *c = inst->cls;
    bool kind = c->restriction == AST_MODEL || c->restriction == AST_BLOCK ||
                c->restriction == AST_CLASS || class_is_connector(c);
    return kind && !inst->is_outer && !inst->absent;
}

static void find_nodes(Arrangement *a)
{
    const Class *c = a->p->inst->cls;
    for (uint32_t i = 0; i < c->order.n && a->nodes.n < MOST_NODES; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *inst = inst_component(a->p->lib, a->p->inst, index);
        if (inst && is_part(inst))
            vec_push(&a->nodes, ((Node){.at = {.inst = inst, .shows = LAYER_ICON},
                                        .name = inst->decl->name,
                                        .column = NONE}));
    }
}

static uint32_t node_of(const Arrangement *a, const AstExpr *e)
{
    for (uint32_t i = 0; e && e->kind == AST_REF && i < a->nodes.n; i++)
        if (a->nodes.at[i].name == e->ref->parts[0].name)
            return i;
    return NONE;
}

static void note_edge(Arrangement *a, const AstEq *eq, const AstExpr *from, const AstExpr *to)
{
    Edge e = {eq, a->layer, {from, to}, node_of(a, from), node_of(a, to)};
    if (e.a != NONE && e.b != NONE)
        vec_push(&a->edges, e);
}

static void note_initial(Arrangement *a, const AstEq *eq, const AstExpr *state)
{
    uint32_t node = node_of(a, state);
    if (node == NONE)
        return;
    a->nodes.at[node].initial = eq;
    a->nodes.at[node].layer = a->layer;
}

static Walk find_edge(void *user, const AstEq *eq)
{
    Arrangement *a = user;
    if (eq->kind == AST_EQ_CONNECT)
        note_edge(a, eq, eq->lhs, eq->rhs);
    else if (eq->kind == AST_EQ_CALL && expr_is_call(eq->lhs, "transition") && eq->lhs->args.n > 1)
        note_edge(a, eq, eq->lhs->args.at[0], eq->lhs->args.at[1]);
    else if (eq->kind == AST_EQ_CALL && expr_is_call(eq->lhs, "initialState") && eq->lhs->args.n)
        note_initial(a, eq, eq->lhs->args.at[0]);
    return WALK_ON;
}

static void find_all_edges(Arrangement *a)
{
    const Class *c = a->p->inst->cls;
    const AstVisitor edges = {.equation = find_edge};
    for (uint32_t i = c->layers.n; i-- > 0;) {
        const AstClass *ast = c->layers.at[i]->ast;
        a->layer = c->layers.at[i];
        for (uint32_t s = 0; ast && s < ast->equations.n; s++)
            ast_walk_equations(ast->equations.at[s].eqs.at, ast->equations.at[s].eqs.n, &edges, a);
    }
}

/* ---- places ---- */

/* Columns by breadth-first search, from the first node of each connected part; parts are below each
 * other. */
static void give_columns(Arrangement *a)
{
    VEC(uint32_t) queue = {0};
    uint32_t filled[MOST_NODES] = {0}, base = 0;
    for (uint32_t first = 0; first < a->nodes.n; first++) {
        if (a->nodes.at[first].column != NONE)
            continue;
        queue.n = 0;
        a->nodes.at[first].column = 0;
        vec_push(&queue, first);
        for (uint32_t k = 0; k < queue.n; k++) {
            Node *node = &a->nodes.at[queue.at[k]];
            node->row = base > filled[node->column] ? base : filled[node->column];
            filled[node->column] = node->row + 1;
            for (uint32_t i = 0; i < a->edges.n; i++) {
                const Edge *e = &a->edges.at[i];
                uint32_t other = e->a == queue.at[k] ? e->b : e->b == queue.at[k] ? e->a : NONE;
                if (other == NONE || a->nodes.at[other].column != NONE)
                    continue;
                a->nodes.at[other].column = node->column + 1;
                vec_push(&queue, other);
            }
        }
        for (uint32_t i = 0; i < MOST_NODES; i++)
            base = filled[i] > base ? filled[i] : base;
    }
    vec_free(&queue);
}

static void place_node(const Arrangement *a, Node *node, Affine page)
{
    double x = ACROSS * (double)node->column, y = -DOWNWARD * (double)node->row;
    double half = class_is_connector(node->at.inst->cls) ? 4 : HALF;
    node->at.system = coordinate_system(a->p->lib, node->at.inst, node->at.shows);
    Affine box = affine_map(node->at.system.lo, node->at.system.hi, (Point){x - half, y - half},
                            (Point){x + half, y + half});
    node->at.frame = affine_after(page, box);
}

/* ---- nets ---- */

static uint32_t net_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static bool is_transition(const Edge *e)
{
    return e->eq->kind == AST_EQ_CALL;
}

static bool same_end(const Arrangement *a, const AstExpr *x, const AstExpr *y)
{
    return !strcmp(ast_print_expr(x, a->arena), ast_print_expr(y, a->arena));
}

/* Connections that share an end belong to one net: nets[i] is its number for connection i. */
static void find_nets(const Arrangement *a, uint32_t *nets)
{
    for (uint32_t i = 0; i < a->edges.n; i++)
        nets[i] = i;
    for (uint32_t i = 0; i < a->edges.n; i++)
        for (uint32_t k = 0; k < i; k++) {
            const Edge *x = &a->edges.at[i], *y = &a->edges.at[k];
            if (is_transition(x) || is_transition(y))
                continue;
            if (same_end(a, x->ends[0], y->ends[0]) || same_end(a, x->ends[0], y->ends[1]) ||
                same_end(a, x->ends[1], y->ends[0]) || same_end(a, x->ends[1], y->ends[1]))
                nets[net_root(nets, i)] = net_root(nets, k);
        }
    for (uint32_t i = 0; i < a->edges.n; i++)
        nets[i] = net_root(nets, i);
}

/* ---- lines ---- */

/* The side of a component on which a point is. */
static Point side_of(const Placing *at, Point p)
{
    Point m = placing_middle(at), away = {p.x - m.x, p.y - m.y};
    if (away.x == 0 && away.y == 0)
        return away;
    return fabs(away.x) >= fabs(away.y) ? (Point){away.x > 0 ? 1 : -1, 0}
                                        : (Point){0, away.y > 0 ? 1 : -1};
}

/* Connectors without a place are spread over both sides of the box: the first half on the left. */
static Point spread_place(const Arrangement *a, const Node *node, Name name)
{
    const Class *c = node->at.inst->cls;
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        Instance *inst = e->kind == ELEMENT_COMPONENT && !e->is_protected
                             ? inst_component(a->p->lib, node->at.inst, c->order.at[i])
                             : NULL;
        if (!inst || !class_is_connector(inst->cls))
            continue;
        at = inst->decl->name == name ? n : at;
        n++;
    }
    uint32_t left = (n + 1) / 2, side = at < left ? left : n - left;
    double share = (at < left ? at + 0.5 : at - left + 0.5) / (side ? side : 1);
    Point m = placing_middle(&node->at);
    return (Point){m.x + (at < left ? -HALF : HALF), m.y + HALF * (2 * share - 1)};
}

/* The place of the connector of a reference: at the icon of its component. */
static RouteEnd end_of(const Arrangement *a, const Node *node, const AstExpr *e)
{
    Placing at = find_end(a->p, node->at, e->ref);
    bool spread = at.inst == node->at.inst && !class_is_connector(at.inst->cls) && e->ref->n > 1;
    Point p = spread ? spread_place(a, node, e->ref->parts[1].name) : placing_middle(&at);
    return (RouteEnd){p, side_of(&node->at, p)};
}

/* On which side of node `at` a transition ends: 1 for the right one. */
static int side_towards(const Arrangement *a, uint32_t at, uint32_t other)
{
    double own = placing_middle(&a->nodes.at[at].at).x;
    return placing_middle(&a->nodes.at[other].at).x < own ? -1 : 1;
}

/* Ends of transitions are spread over a side of their state, in the order of the text. */
static RouteEnd transition_end(const Arrangement *a, uint32_t edge, int which)
{
    const Edge *e = &a->edges.at[edge];
    uint32_t at = which ? e->b : e->a, n = 0, place = 0;
    int side = side_towards(a, at, which ? e->a : e->b);
    for (uint32_t i = 0; i < a->edges.n; i++)
        for (int k = 0; k < 2; k++) {
            const Edge *one = &a->edges.at[i];
            uint32_t own = k ? one->b : one->a, other = k ? one->a : one->b;
            if (!is_transition(one) || own != at || side_towards(a, own, other) != side)
                continue;
            place = i == edge && k == which ? n : place;
            n++;
        }
    const Placing *state = &a->nodes.at[at].at;
    Point m = placing_middle(state), corner = affine_apply(&state->frame, state->system.hi);
    double y = fabs(corner.y - m.y) * (2 * (place + 0.5) / n - 1);
    return (RouteEnd){{m.x + side * fabs(corner.x - m.x), m.y + y}, {side, 0}};
}

static void deliver_wire(const Arrangement *a, const AstEq *eq, RoutePoints *points)
{
    for (uint32_t i = 0; i < points->n; i++)
        points->at[i].y = -points->at[i].y;
    a->sink->line(a->sink->user, eq, points->at, points->n);
}

static void write_condition(const Arrangement *a, const Edge *edge, const RoutePoints *points)
{
    const char *words = transition_condition(edge->eq->lhs, a->arena);
    Box box = condition_box(points->at, points->n);
    draw_words(a->p, words, (Letters){.colour = {95, 95, 95}}, box.lo, box.hi, affine_move(0, 0));
}

static void draw_wire(const Arrangement *a, const Edge *edge, const RoutePoints *points)
{
    Style style = {.line = {95, 95, 95}, .width = 0.25, .pattern = LINE_SOLID};
    PathParts path = {0}, target = {0};
    for (uint32_t i = 0; i < points->n; i++) {
        PathPart part = {i ? PATH_LINE : PATH_MOVE, {points->at[i]}};
        vec_push(&path, part);
        vec_push(&target, part);
    }
    open_connection(a->p, edge->layer, edge->eq, edge->ends[0], edge->ends[1]);
    drawing_target(a->p->drawing, &target, 3);
    drawing_path(a->p->drawing, &style, &path);
    if (is_transition(edge)) {
        draw_grey_arrow(a->p, points->at[points->n - 2], points->at[points->n - 1]);
        write_condition(a, edge, points);
    }
    drawing_shut(a->p->drawing);
}

/* A straight line if there is no way. */
static void draw_edge(const Arrangement *a, Router *r, const RouteEnd ends[2], const Edge *edge,
                      uint32_t net)
{
    RoutePoints points = {0};
    if (!router_find(r, ends[0], ends[1], net, &points)) {
        vec_push(&points, ends[0].at);
        vec_push(&points, ends[1].at);
    }
    if (a->sink)
        deliver_wire(a, edge->eq, &points);
    else
        draw_wire(a, edge, &points);
    vec_free(&points);
}

/* Dots, so that a junction does not look like a crossing. */
static void draw_junctions(const Arrangement *a, Router *r)
{
    static const double RADIUS = 0.8;
    Style style = {.line = {95, 95, 95}, .fill = {95, 95, 95}, .filling = FILL_SOLID};
    RoutePoints points = {0};
    Affine same = affine_move(0, 0);
    router_junctions(r, &points);
    for (uint32_t i = 0; i < points.n; i++) {
        Point p = points.at[i];
        PathParts path = box_path((Point){p.x - RADIUS, p.y - RADIUS},
                                  (Point){p.x + RADIUS, p.y + RADIUS}, RADIUS, &same);
        drawing_path(a->p->drawing, &style, &path);
    }
    vec_free(&points);
}

static void draw_edges(const Arrangement *a)
{
    Router *r = router_new();
    uint32_t *nets = memory_alloc((a->edges.n + 1) * sizeof *nets);
    RouteEnd(*ends)[2] = memory_alloc((a->edges.n + 1) * sizeof *ends);
    for (uint32_t i = 0; i < a->nodes.n; i++) {
        const Placing *at = &a->nodes.at[i].at;
        router_avoid(r, affine_apply(&at->frame, at->system.lo),
                     affine_apply(&at->frame, at->system.hi));
    }
    find_nets(a, nets);
    for (uint32_t i = 0; i < a->edges.n; i++) {
        const Edge *e = &a->edges.at[i];
        const Node *one = &a->nodes.at[e->a], *two = &a->nodes.at[e->b];
        for (int k = 0; k < 2; k++)
            ends[i][k] =
                is_transition(e) ? transition_end(a, i, k) : end_of(a, k ? two : one, e->ends[k]);
        router_end(r, ends[i][0], nets[i]);
        router_end(r, ends[i][1], nets[i]);
    }
    for (uint32_t i = 0; i < a->edges.n; i++)
        draw_edge(a, r, ends[i], &a->edges.at[i], nets[i]);
    if (!a->sink)
        draw_junctions(a, r);
    memory_free(nets);
    memory_free(ends);
    router_free(r);
}

static void mark_initial(const Arrangement *a, const Node *node)
{
    RoutePoints points = {0};
    Point line[2];
    initial_mark(&node->at, line);
    vec_push(&points, line[0]);
    vec_push(&points, line[1]);
    if (a->sink)
        deliver_wire(a, node->initial, &points);
    else
        draw_initial(a->p, node->layer, node->initial, &node->at);
    vec_free(&points);
}

static void arrange(Arrangement *a, Affine page)
{
    find_nodes(a);
    find_all_edges(a);
    give_columns(a);
    for (uint32_t i = 0; i < a->nodes.n; i++)
        place_node(a, &a->nodes.at[i], page);
    draw_edges(a);
    for (uint32_t i = 0; i < a->nodes.n; i++)
        if (a->nodes.at[i].initial)
            mark_initial(a, &a->nodes.at[i]);
}

void draw_arranged(const Page *p, Affine page)
{
    Arrangement a = {.p = p, .arena = p->drawing->arena};
    arrange(&a, page);
    for (uint32_t i = 0; i < a.nodes.n; i++)
        draw_placed(p, &a.nodes.at[i].at);
    vec_free(&a.nodes);
    vec_free(&a.edges);
}

/* ---- lines between placed components ---- */

static void place_as_written(Arrangement *a, Affine m, FindPlace *find)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nodes.n; i++) {
        Node node = a->nodes.at[i];
        uint32_t index = class_find(a->p->inst->cls, node.name);
        if (index != MAP_NONE && find(a->p, a->p->inst, index, LAYER_DIAGRAM, m, &node.at))
            a->nodes.at[n++] = node;
    }
    a->nodes.n = n;
}

/* Whether both connectors of a connection are seen; states need none. */
static bool has_visible_ends(const Arrangement *a, const Edge *e)
{
    for (int k = 0; k < 2 && !is_transition(e); k++) {
        const Node *node = &a->nodes.at[k ? e->b : e->a];
        Placing at = find_end(a->p, node->at, e->ends[k]->ref);
        if (!at.inst || !class_is_connector(at.inst->cls))
            return false;
    }
    return true;
}

void draw_unrouted(const Page *p, Affine m, FindPlace *find)
{
    Arrangement a = {.p = p, .arena = p->drawing->arena};
    uint32_t n = 0;
    find_nodes(&a);
    place_as_written(&a, m, find);
    find_all_edges(&a);
    for (uint32_t i = 0; i < a.edges.n; i++) {
        const Edge *e = &a.edges.at[i];
        if (!has_line(p, e->layer, e->eq) && !deselects_connect(p->lib, e->layer, e->eq) &&
            has_visible_ends(&a, e))
            a.edges.at[n++] = *e;
    }
    a.edges.n = n;
    if (n)
        draw_edges(&a);
    vec_free(&a.nodes);
    vec_free(&a.edges);
}

void arrange_class(const Page *p, const LayoutSink *sink)
{
    Arrangement a = {.p = p, .sink = sink, .arena = p->lib->arena};
    arrange(&a, (Affine){1, 0, 0, -1, 0, 0});
    for (uint32_t i = 0; i < a.nodes.n; i++) {
        const Placing *at = &a.nodes.at[i].at;
        Point e[2] = {affine_apply(&at->frame, at->system.lo),
                      affine_apply(&at->frame, at->system.hi)};
        e[0].y = -e[0].y;
        e[1].y = -e[1].y;
        sink->component(sink->user, at->inst, e);
    }
    vec_free(&a.nodes);
    vec_free(&a.edges);
}

/* Models without a diagram. Components without a placement are arranged in columns, by their
 * distance along connections from the first component. Lines with right angles join them. */
#include "diagram/diagram.h"
#include "syntax/tree/ast_walk.h"

enum { MOST_NODES = 200, ACROSS = 50, DOWN = 40 };

typedef struct Node {
    Placing at;
    Name name;
    uint32_t column, row;
} Node;

typedef struct Edge {
    const AstEq *eq;
    uint32_t a, b; /* nodes; NONE if an end is not a node */
} Edge;

typedef struct Arrangement {
    const Page *p;
    VEC(Node) nodes;
    VEC(Edge) edges;
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

static Walk find_edge(void *user, const AstEq *eq)
{
    Arrangement *a = user;
    Edge e = {eq, node_of(a, eq->lhs), node_of(a, eq->rhs)};
    if (eq->kind == AST_EQ_CONNECT && e.a != NONE && e.b != NONE)
        vec_push(&a->edges, e);
    return WALK_ON;
}

static void find_all_edges(Arrangement *a)
{
    const Class *c = a->p->inst->cls;
    const AstVisitor edges = {.equation = find_edge};
    for (uint32_t i = c->layers.n; i-- > 0;) {
        const AstClass *ast = c->layers.at[i]->ast;
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
    double x = ACROSS * (double)node->column, y = -DOWN * (double)node->row;
    double half = class_is_connector(node->at.inst->cls) ? 4 : 10;
    node->at.system = coordinate_system(a->p->lib, node->at.inst, node->at.shows);
    Affine box = affine_map(node->at.system.lo, node->at.system.hi, (Point){x - half, y - half},
                            (Point){x + half, y + half});
    node->at.frame = affine_after(page, box);
}

/* ---- lines ---- */

static Point middle(const Placing *at)
{
    Point m = {(at->system.lo.x + at->system.hi.x) / 2, (at->system.lo.y + at->system.hi.y) / 2};
    return affine_apply(&at->frame, m);
}

/* The place of the connector of a reference: at the icon of its component. If it has no place
 * there, it is on the side of the other component. */
static Point end_point(const Arrangement *a, const Node *node, const Node *other, const AstExpr *e)
{
    Placing at = node->at;
    for (uint32_t i = 1; i < e->ref->n; i++) {
        Placing inner;
        uint32_t index = class_find(at.inst->cls, e->ref->parts[i].name);
        if (index == MAP_NONE || !find_place(a->p, at.inst, index, LAYER_ICON, at.frame, &inner))
            break;
        at = inner;
    }
    Point p = middle(&at);
    if (at.inst == node->at.inst && !class_is_connector(at.inst->cls))
        p.x += other->column < node->column ? -10 : 10;
    return p;
}

static void add_point(PathParts *path, Point p)
{
    vec_push(path, ((PathPart){path->n ? PATH_LINE : PATH_MOVE, {p}}));
}

/* From a connector to its side of the component; to the left from the top or bottom. */
static Point beside(const Node *node, Point p)
{
    double from = middle(&node->at).x;
    return (Point){p.x + (p.x > from + 1 ? 5 : p.x < from - 1 ? -5 : -15), p.y};
}

/* Straight to a neighbour; otherwise through the gap below the upper of the two, each line in its
 * own lane. */
static void draw_edge(const Arrangement *a, const Edge *e, uint32_t number)
{
    const Node *left = &a->nodes.at[e->a], *right = &a->nodes.at[e->b];
    Point from = end_point(a, left, right, e->eq->lhs), to = end_point(a, right, left, e->eq->rhs);
    Point one = beside(left, from), two = beside(right, to);
    bool near = from.y == to.y &&
                ((one.x >= from.x && two.x <= to.x && to.x > from.x && to.x - from.x < ACROSS) ||
                 (one.x <= from.x && two.x >= to.x && from.x > to.x && from.x - to.x < ACROSS));
    uint32_t row = left->row < right->row ? left->row : right->row;
    double lane = DOWN * (row + 0.5) + 1.5 * (number % 7) - 5;
    Style style = {.line = {95, 95, 95}, .width = 0.25, .pattern = LINE_SOLID};
    PathParts path = {0};
    add_point(&path, from);
    if (!near) {
        add_point(&path, one);
        add_point(&path, (Point){one.x, lane});
        add_point(&path, (Point){two.x, lane});
        add_point(&path, two);
    }
    add_point(&path, to);
    open_connection(a->p, e->eq, e->eq->lhs, e->eq->rhs);
    drawing_path(a->p->drawing, &style, &path);
    drawing_shut(a->p->drawing);
}

void draw_arranged(const Page *p, Affine page)
{
    Arrangement a = {.p = p};
    find_nodes(&a);
    find_all_edges(&a);
    give_columns(&a);
    for (uint32_t i = 0; i < a.nodes.n; i++)
        place_node(&a, &a.nodes.at[i], page);
    for (uint32_t i = 0; i < a.edges.n; i++)
        draw_edge(&a, &a.edges.at[i], i);
    for (uint32_t i = 0; i < a.nodes.n; i++)
        draw_placed(p, &a.nodes.at[i].at);
    vec_free(&a.nodes);
    vec_free(&a.edges);
}

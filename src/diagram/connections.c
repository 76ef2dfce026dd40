/* Connections and transitions: the lines that their annotations give. */
#include "diagram/diagram.h"
#include "syntax/tree/ast_walk.h"

#include <math.h>

typedef struct Lines {
    const Page *p;
    Affine m;
    Layer *layer; /* class whose text is searched */
    FindPlace *find;
} Lines;

/* Whether a reference passes through a component that is not there. */
static bool is_absent(const Page *p, const AstExpr *e)
{
    Instance *at = p->inst;
    for (uint32_t i = 0; e && e->kind == AST_REF && at && i < e->ref->n; i++) {
        uint32_t index = class_find(at->cls, e->ref->parts[i].name);
        if (index == MAP_NONE || at->cls->elements.at[index].kind != ELEMENT_COMPONENT)
            return false;
        at = inst_component(p->lib, at, index);
        if (at && at->absent)
            return true;
    }
    return false;
}

static const char *ends_text(const Page *p, const AstExpr *a, const AstExpr *b)
{
    Arena *arena = p->drawing->arena;
    const char *from = a ? ast_print_expr(a, arena) : "", *to = b ? ast_print_expr(b, arena) : "";
    return arena_printf(arena, "%s %s", from, to);
}

/* In a loop or a branch of the text. */
static bool is_nested(const AstClass *ast, const AstEq *eq)
{
    for (uint32_t s = 0; ast && s < ast->equations.n; s++)
        for (uint32_t i = 0; i < ast->equations.at[s].eqs.n; i++)
            if (ast->equations.at[s].eqs.at[i] == eq)
                return false;
    return true;
}

void open_connection(const Page *p, const Layer *layer, const AstEq *eq, const AstExpr *a,
                     const AstExpr *b)
{
    Place place = source_place(p->lib->ctx->sources, eq->span);
    const char *ends = ends_text(p, a, b);
    drawing_open(p->drawing,
                 (Group){.kind = eq->kind == AST_EQ_CONNECT ? "connection" : "transition",
                         .connection = ends,
                         .title = ends,
                         .path = place.path,
                         .line = place.line,
                         .absent = is_absent(p, a) || is_absent(p, b),
                         .inherited = layer->parent && layer->ast ? layer->ast->name : NULL,
                         .nested = is_nested(layer->ast, eq)});
}

/* The argument of a call by its place or its name; NULL if it is not given. */
static const AstExpr *argument(const AstExpr *call, uint32_t place, const char *name)
{
    for (uint32_t i = 0; i < call->named.n; i++)
        if (!strcmp(call->named.at[i].name, name))
            return call->named.at[i].value;
    return call->args.n > place ? call->args.at[place] : NULL;
}

static const double ARROW = 3; /* its length */

const char *transition_condition(const AstExpr *call, Arena *arena)
{
    const AstExpr *condition = argument(call, 2, "condition");
    return condition ? ast_print_expr(condition, arena) : "";
}

bool transition_is_immediate(const AstExpr *call)
{
    const AstExpr *immediate = argument(call, 3, "immediate");
    return !immediate || immediate->kind != AST_BOOL || immediate->boolean;
}

Box condition_box(const Point *line, uint32_t n)
{
    static const double WIDE = 26, GAP = 0.6, HIGH = 3.2;
    uint32_t best = 0;
    for (uint32_t i = 1; i + 1 < n; i++)
        if (fabs(line[i + 1].x - line[i].x) > fabs(line[best + 1].x - line[best].x))
            best = i;
    Point from = line[best], to = line[best + 1];
    double left = fmin(from.x, to.x), right = fmax(from.x, to.x), y = fmin(from.y, to.y) - GAP;
    if (right - left < WIDE / 2) /* beside the states */
        right = left + WIDE;
    return (Box){{left + ARROW, y - HIGH}, {right - ARROW, y}};
}

/* ---- arrows and initial states ---- */

static const Style grey = {.line = {95, 95, 95}, .width = 0.25, .pattern = LINE_SOLID};

void draw_grey_arrow(const Page *p, Point from, Point tip)
{
    draw_arrow(p, &grey, ARROW_FILLED, from, tip, ARROW);
}

void initial_mark(const Placing *at, Point line[2])
{
    static const double AWAY = 8, SHARE = 0.12; /* of its height, from the top */
    Point a = affine_apply(&at->frame, at->system.lo), b = affine_apply(&at->frame, at->system.hi);
    double y = fmin(a.y, b.y) + SHARE * fabs(b.y - a.y), x = fmin(a.x, b.x);
    line[0] = (Point){x - AWAY, y};
    line[1] = (Point){x, y};
}

/* A dot, and an arrow from it to the state. */
void draw_initial(const Page *p, const Layer *layer, const AstEq *eq, const Placing *at)
{
    static const double RADIUS = 1.2;
    Point line[2];
    PathParts path = {0};
    Affine same = affine_move(0, 0);
    initial_mark(at, line);
    open_connection(p, layer, eq, eq->lhs->args.at[0], NULL);
    vec_push(&path, ((PathPart){PATH_MOVE, {line[0]}}));
    vec_push(&path, ((PathPart){PATH_LINE, {line[1]}}));
    drawing_path(p->drawing, &grey, &path);
    Style dark = grey;
    dark.fill = grey.line;
    dark.filling = FILL_SOLID;
    PathParts dot = box_path((Point){line[0].x - RADIUS, line[0].y - RADIUS},
                             (Point){line[0].x + RADIUS, line[0].y + RADIUS}, RADIUS, &same);
    drawing_path(p->drawing, &dark, &dot);
    draw_grey_arrow(p, line[0], line[1]);
    drawing_shut(p->drawing);
}

/* An initial state whose equation has no line. */
static void mark_initial(const Lines *l, const AstEq *eq, const AstExpr *state)
{
    const Page *p = l->p;
    uint32_t index =
        state->kind == AST_REF ? class_find(p->inst->cls, state->ref->parts[0].name) : MAP_NONE;
    Placing at;
    if (index != MAP_NONE && l->find(p, p->inst, index, LAYER_DIAGRAM, l->m, &at))
        draw_initial(p, l->layer, eq, &at);
}

/* The text of a transition. Its place is relative to the first point of the line, or to the last
 * one if the transition is immediate, as the specification says. %condition is its third
 * argument. Texts of other tools have `string` for `textString`. */
static void draw_condition(const Lines *l, Record line, Record text, const AstExpr *call)
{
    const char *words = read_string(text, "textString");
    Point from = {0}, origin = {0};
    if (!words)
        words = read_string(text, "string");
    if (!words)
        return;
    if (argument(call, 2, "condition") && !strcmp(words, "%condition"))
        words = transition_condition(call, l->p->drawing->arena);
    read_line_end(line, transition_is_immediate(call), &from);
    read_point(text, "origin", &origin);
    draw_text_as(l->p, text, words,
                 affine_after(l->m, affine_move(from.x + origin.x, from.y + origin.y)));
}

bool has_line(const Page *p, const Layer *layer, const AstEq *eq)
{
    Scope scope = {p->inst, (Layer *)(uintptr_t)layer};
    Record annotation = {p->lib, scope, eq->comment.annotation, NULL, p->dynamic};
    return record_is_there(record_part(annotation, "Line"));
}

/* False if there is no line. */
static bool draw_ends(const Lines *l, const AstEq *eq, const AstExpr *a, const AstExpr *b)
{
    Record annotation = {
        l->p->lib, {l->p->inst, l->layer}, eq->comment.annotation, NULL, l->p->dynamic};
    Record line = record_part(annotation, "Line"), text = record_part(annotation, "Text");
    if (!record_is_there(line))
        return false;
    if (!read_flag(line, "visible", true))
        return true;
    open_connection(l->p, l->layer, eq, a, b);
    draw_line(l->p, line, l->m, true);
    if (record_is_there(text) && eq->kind == AST_EQ_CALL)
        draw_condition(l, line, text, eq->lhs);
    drawing_shut(l->p->drawing);
    return true;
}

static Walk draw_equation(void *user, const AstEq *eq)
{
    const Lines *l = user;
    const AstExpr *call = eq->lhs;
    switch (eq->kind) {
    case AST_EQ_CONNECT:
        if (!deselects_connect(l->p->lib, l->layer, eq))
            draw_ends(l, eq, eq->lhs, eq->rhs);
        break;
    case AST_EQ_CALL:
        if (expr_is_call(call, "transition") && call->args.n > 1)
            draw_ends(l, eq, call->args.at[0], call->args.at[1]);
        else if (expr_is_call(call, "initialState") && call->args.n &&
                 !draw_ends(l, eq, call->args.at[0], NULL))
            mark_initial(l, eq, call->args.at[0]);
        break;
    default: break;
    }
    return eq->kind == AST_EQ_WHEN ? WALK_PAST : WALK_ON;
}

void draw_connections(const Page *p, Affine m, FindPlace *find)
{
    const Class *c = p->inst->cls;
    for (uint32_t i = c->layers.n; i-- > 0;) {
        Lines l = {p, m, c->layers.at[i], find};
        const AstClass *ast = l.layer->ast;
        for (uint32_t s = 0; ast && s < ast->equations.n; s++)
            ast_walk_equations(ast->equations.at[s].eqs.at, ast->equations.at[s].eqs.n,
                               &(AstVisitor){.equation = draw_equation}, &l);
    }
}

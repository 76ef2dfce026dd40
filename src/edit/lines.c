/* Lines of connections: they follow moved components, get new corners, or are routed. */
#include "edit/class_edit.h"

#include "diagram/route.h"
#include "syntax/parse/parse.h"

#include <math.h>

/* ---- points as written ---- */

/* A corner of a line, and its number in the text; NONE if it is new. */
typedef struct Corner {
    Point at;
    uint32_t written;
} Corner;

typedef VEC(Corner) Corners;

/* The list `points`; NULL if it is missing or computed. */
static const AstExpr *line_points(const AstEq *eq, Corners *out)
{
    const AstExpr *list =
        annotation_value(annotation_part(eq->comment.annotation, "Line"), "points");
    if (!list || list->kind != AST_ARRAY || list->iters.n || list->args.n < 2)
        return NULL;
    for (uint32_t i = 0; i < list->args.n; i++) {
        const AstExpr *row = list->args.at[i];
        Point p;
        if (row->kind != AST_ARRAY || row->args.n != 2 || !read_literal(row->args.at[0], &p.x) ||
            !read_literal(row->args.at[1], &p.y))
            return NULL;
        vec_push(out, ((Corner){p, i}));
    }
    return list;
}

/* Removes the written corners [from, to), which are neither the first nor the last one. */
static void remove_corners(ClassEdit *e, const AstExpr *list, uint32_t from, uint32_t to)
{
    if (from < to)
        change(e, list->args.at[from - 1]->span.end, list->args.at[to - 1]->span.end, "");
}

/* Number by number, so that the layout of the text stays. The first and the last corner are never
 * new. */
static void write_corners(ClassEdit *e, const AstExpr *list, const Corners *p)
{
    uint32_t next = 0; /* written corner */
    Text fresh = {0};
    for (uint32_t i = 0; i < p->n; i++) {
        const Corner *c = &p->at[i];
        if (c->written == NONE) {
            text_put(&fresh, ",");
            put_pair(&fresh, c->at);
            continue;
        }
        uint32_t end = next ? list->args.at[next - 1]->span.end : 0;
        if (fresh.n)
            change(e, end, end, text_keep(&fresh, e->arena));
        remove_corners(e, list, next, c->written);
        change_number(e, list->args.at[c->written]->args.at[0], c->at.x);
        change_number(e, list->args.at[c->written]->args.at[1], c->at.y);
        next = c->written + 1;
    }
    text_free(&fresh);
}

/* ---- following ---- */

static bool same(double a, double b)
{
    return fabs(a - b) < 5e-7;
}

static void turn_round(Corners *p)
{
    for (uint32_t i = 0, k = p->n - 1; i < k; i++, k--) {
        Corner swap = p->at[i];
        p->at[i] = p->at[k];
        p->at[k] = swap;
    }
}

static double *across(Point *p, bool level)
{
    return level ? &p->y : &p->x;
}

static double *along(Point *p, bool level)
{
    return level ? &p->x : &p->y;
}

/* Two corners in the middle of the first piece, which is level or upright. */
static void add_step(Corners *p, bool level, double old)
{
    double middle = (*along(&p->at[0].at, level) + *along(&p->at[1].at, level)) / 2;
    Corner corners[2] = {{p->at[0].at, NONE}, {p->at[1].at, NONE}};
    *along(&corners[0].at, level) = *along(&corners[1].at, level) = middle;
    *across(&corners[1].at, level) = old;
    vec_push(p, p->at[0]);
    vec_push(p, p->at[0]);
    memmove(p->at + 3, p->at + 1, (p->n - 3) * sizeof *p->at);
    p->at[1] = corners[0];
    p->at[2] = corners[1];
}

/* Whether corners 1 and 2 are such a step for a first point `was`, and it has become flat. */
static bool is_flat_step(Corners *p, bool level, Point was)
{
    if (p->n < 4)
        return false;
    double middle = (*along(&was, level) + *along(&p->at[3].at, level)) / 2;
    double height = *across(&p->at[0].at, level);
    for (uint32_t i = 1; i < 4; i++)
        if (!same(*across(&p->at[i].at, level), height))
            return false;
    return same(*along(&p->at[1].at, level), middle) && same(*along(&p->at[2].at, level), middle);
}

/* Moves the first point and keeps right angles. A step that was added before and is flat again
 * goes, so that moving there and back leaves the line as it was. */
static void move_end(Corners *p, Point by)
{
    Point was = p->at[0].at, next = p->at[1].at;
    bool level = same(was.y, next.y), upright = same(was.x, next.x);
    p->at[0].at = (Point){was.x + by.x, was.y + by.y};
    if (level && upright && p->n > 2) { /* no length: it lies as the next piece does not */
        level = same(next.x, p->at[2].at.x);
        upright = !level;
    }
    if (level == upright || same(level ? by.y : by.x, 0))
        return;
    if (p->n > 2 && same(*along(&next, level), *along(&p->at[2].at, level))) {
        *across(&p->at[1].at, level) += level ? by.y : by.x;
        if (is_flat_step(p, level, was)) {
            memmove(p->at + 1, p->at + 3, (p->n - 3) * sizeof *p->at);
            p->n -= 2;
        }
        return;
    }
    add_step(p, level, *across(&next, level));
}

static bool moved_end(ClassEdit *e, const MovedList *moved, const AstExpr *end, Point *by)
{
    for (uint32_t i = 0; end->kind == AST_REF && i < moved->n; i++) {
        const Moved *m = &moved->at[i];
        if (m->name != end->ref->parts[0].name)
            continue;
        Placing before = find_end(&e->page, m->before, end->ref);
        Placing after = find_end(&e->page, m->after, end->ref);
        Point p = placing_middle(&before), q = placing_middle(&after);
        *by = (Point){rounded(q.x - p.x), rounded(q.y - p.y)};
        return true;
    }
    return false;
}

static void follow(ClassEdit *e, const AstEq *eq, void *user)
{
    Point first = {0}, last = {0};
    bool a = moved_end(e, user, eq->lhs, &first), b = moved_end(e, user, eq->rhs, &last);
    Corners p = {0};
    const AstExpr *list = a || b ? line_points(eq, &p) : NULL;
    if (list && a && b && same(first.x, last.x) && same(first.y, last.y)) {
        for (uint32_t i = 0; i < p.n; i++)
            p.at[i].at = (Point){p.at[i].at.x + first.x, p.at[i].at.y + first.y};
    } else if (list) {
        if (a)
            move_end(&p, first);
        turn_round(&p);
        if (b)
            move_end(&p, last);
        turn_round(&p);
    }
    if (list)
        write_corners(e, list, &p);
    vec_free(&p);
}

void lines_follow(ClassEdit *e, const MovedList *moved)
{
    each_connection(e, follow, (void *)moved);
}

/* ---- routes ---- */

/* The connector that a text names: its place, and the direction in which a line leaves. */
typedef struct End {
    const AstRef *ref;
    Placing component, connector;
    RouteEnd at;
} End;

static Point outward(const Placing *component, Point p)
{
    Point m = placing_middle(component), away = {p.x - m.x, p.y - m.y};
    if (same(away.x, 0) && same(away.y, 0))
        return (Point){0};
    return fabs(away.x) >= fabs(away.y) ? (Point){away.x > 0 ? 1 : -1, 0}
                                        : (Point){0, away.y > 0 ? 1 : -1};
}

static const AstExpr *parse_end(ClassEdit *e, const char *text)
{
    Context *ctx = e->lib->ctx;
    return is_expression(e, text)
               ? syntax_parse_expr(ctx, sources_add(ctx->sources, "connector", text, strlen(text)),
                                   e->arena)
               : NULL;
}

static bool open_end(ClassEdit *e, const char *text, End *end)
{
    const AstExpr *x = text ? parse_end(e, text) : NULL;
    if (!x || x->kind != AST_REF || x->ref->absolute)
        return refuse(e, "'%.100s' is not the name of a connector", text ? text : "");
    end->ref = x->ref;
    uint32_t index = class_find(e->inst->cls, x->ref->parts[0].name);
    if (index == MAP_NONE || e->inst->cls->elements.at[index].kind != ELEMENT_COMPONENT)
        return refuse(e, "the class has no component '%s'", x->ref->parts[0].name);
    if (!find_place(&e->page, e->inst, index, LAYER_DIAGRAM, affine_move(0, 0), &end->component))
        return refuse(e, "'%s' has no place in the diagram", x->ref->parts[0].name);
    end->connector = find_end(&e->page, end->component, x->ref);
    end->at.at = placing_middle(&end->connector);
    end->at.at = (Point){rounded(end->at.at.x), rounded(end->at.at.y)};
    end->at.away = x->ref->n > 1 ? outward(&end->component, end->at.at) : (Point){0};
    return true;
}

static void avoid_components(ClassEdit *e, Router *r)
{
    const Class *c = e->inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        Placing at;
        if (!find_place(&e->page, e->inst, c->order.at[i], LAYER_DIAGRAM, affine_move(0, 0), &at) ||
            class_is_connector(at.inst->cls))
            continue;
        Point a = affine_apply(&at.frame, at.system.lo), b = affine_apply(&at.frame, at.system.hi);
        router_avoid(r, (Point){fmin(a.x, b.x), fmin(a.y, b.y)},
                     (Point){fmax(a.x, b.x), fmax(a.y, b.y)});
    }
}

typedef VEC(Point) Points;

static bool try_route(ClassEdit *e, const End *a, const End *b, bool around, Points *out)
{
    Router *r = router_new();
    RoutePoints found = {0};
    if (around)
        avoid_components(e, r);
    router_end(r, a->at, 0);
    router_end(r, b->at, 0);
    bool ok = router_find(r, a->at, b->at, 0, &found);
    for (uint32_t i = 0; i < found.n; i++)
        vec_push(out, found.at[i]);
    vec_free(&found);
    router_free(r);
    return ok;
}

/* A line with right angles: around the components, across them if there is no way, straight if a
 * component covers an end. */
static void find_route(ClassEdit *e, const End *a, const End *b, Points *out)
{
    if (try_route(e, a, b, true, out) || try_route(e, a, b, false, out))
        return;
    vec_push(out, a->at.at);
    vec_push(out, b->at.at);
}

/* Moves an end of a line to its connector. The piece at the end stays level or upright if its
 * corner can slide along the next piece. */
static void attach(Point *end, Point *corner, const Point *next, Point to)
{
    if (same(end->y, corner->y) && same(corner->x, next->x))
        corner->y = to.y;
    else if (same(end->x, corner->x) && same(corner->y, next->y))
        corner->x = to.x;
    *end = to;
}

/* "points" of the operation with the ends at the connectors; false if there are none. */
static bool given_points(const cJSON *op, const End *a, const End *b, Points *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(op, "points"), *row;
    cJSON_ArrayForEach(row, list)
    {
        const cJSON *x = cJSON_GetArrayItem(row, 0), *y = cJSON_GetArrayItem(row, 1);
        if (cJSON_IsNumber(x) && cJSON_IsNumber(y) && fabs(x->valuedouble) < 1e6 &&
            fabs(y->valuedouble) < 1e6)
            vec_push(out, ((Point){x->valuedouble, y->valuedouble}));
    }
    if (out->n < 2)
        return false;
    uint32_t last = out->n - 1;
    if (last == 1) { /* a straight line has no corner */
        out->at[0] = a->at.at;
        out->at[1] = b->at.at;
        return true;
    }
    attach(&out->at[0], &out->at[1], &out->at[2], a->at.at);
    attach(&out->at[last], &out->at[last - 1], &out->at[last - 2], b->at.at);
    return true;
}

/* The colour of the first item of the connector's icon. */
static Colour connector_colour(ClassEdit *e, const Placing *at)
{
    const Class *c = at->inst->cls;
    for (uint32_t i = 0; i < c->layers.n; i++) {
        Record layer = class_layer(e->lib, at->inst, c->layers.at[i], LAYER_ICON);
        const AstExpr *list = record_field(layer, "graphics");
        for (uint32_t k = 0; list && list->kind == AST_ARRAY && k < list->args.n; k++) {
            Record r = {e->lib, layer.scope, NULL, chosen_part(layer, list->args.at[k]), NULL};
            if (r.call && record_field(r, "lineColor"))
                return read_colour(r, "lineColor", (Colour){0});
        }
    }
    return (Colour){0};
}

static const char *line_text(ClassEdit *e, const Points *p, const End *a)
{
    Colour c = connector_colour(e, &a->connector);
    Text t = {0};
    text_put(&t, "Line(points={");
    for (uint32_t i = 0; i < p->n; i++) {
        text_put(&t, i ? "," : "");
        put_pair(&t, p->at[i]);
    }
    text_put(&t, "}");
    if (c.r || c.g || c.b)
        text_printf(&t, ", color={%d,%d,%d}", c.r, c.g, c.b);
    text_put(&t, ")");
    return text_keep(&t, e->arena);
}

static bool is_simple_connector(const End *end)
{
    const Class *c = end->connector.inst->cls;
    return class_is_connector(c) || end->ref->n > 1;
}

bool op_connect(ClassEdit *e, const cJSON *op)
{
    End ends[2];
    const char *a = text_arg(op, "a"), *b = text_arg(op, "b");
    if (!open_end(e, a, &ends[0]) || !open_end(e, b, &ends[1]))
        return false;
    for (int i = 0; i < 2; i++)
        if (!is_simple_connector(&ends[i]))
            return refuse(e, "'%s' is not a connector", i ? b : a);
    if (!strcmp(a, b))
        return refuse(e, "'%s' cannot be connected to itself", a);
    Points p = {0};
    if (!given_points(op, &ends[0], &ends[1], &p)) {
        p.n = 0;
        find_route(e, &ends[0], &ends[1], &p);
    }
    insert_equation(e, arena_printf(e->arena, "connect(%s, %s) annotation (%s)", a, b,
                                    line_text(e, &p, &ends[0])));
    vec_free(&p);
    return true;
}

/* The corners in between are replaced; the ends and the layout of the text stay. */
static void write_route(ClassEdit *e, const AstExpr *list, const Corners *old, const Points *p)
{
    Corners fresh = {0};
    for (uint32_t i = 0; i < p->n; i++) {
        bool last = i + 1 == p->n;
        uint32_t written = last ? old->n - 1 : i + 1 < old->n ? i : NONE;
        vec_push(&fresh, ((Corner){p->at[i], written}));
    }
    write_corners(e, list, &fresh);
    vec_free(&fresh);
}

bool op_route(ClassEdit *e, const cJSON *op)
{
    End ends[2];
    const AstEq *eq = find_connection(e, text_arg(op, "a"), text_arg(op, "b"));
    if (!eq || !open_end(e, ast_print_expr(eq->lhs, e->arena), &ends[0]) ||
        !open_end(e, ast_print_expr(eq->rhs, e->arena), &ends[1]))
        return false;
    Points p = {0};
    Corners old = {0};
    const AstMod *line = annotation_part(eq->comment.annotation, "Line");
    const AstExpr *list = line_points(eq, &old);
    if (!given_points(op, &ends[0], &ends[1], &p)) {
        p.n = 0;
        find_route(e, &ends[0], &ends[1], &p);
    }
    if (list) {
        write_route(e, list, &old, &p);
    } else if (line) {
        refuse(e, "the line is computed; edit it in the source");
    } else {
        uint32_t end = eq->comment.span.end > eq->span.end ? eq->comment.span.end : eq->span.end;
        add_annotation(e, eq->comment.annotation, end, line_text(e, &p, &ends[0]));
    }
    vec_free(&p);
    vec_free(&old);
    return !e->refusal;
}

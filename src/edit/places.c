/* Places of components: the numbers of their annotation Placement. */
#include "edit/class_edit.h"

#include <math.h>

enum { GRID = 2 }; /* of diagrams, in their units */

/* A transformation as it is written, with the literals of its numbers. */
typedef struct Transformation {
    const AstMod *placement, *mod; /* NULL if absent */
    bool has_origin, has_extent;
    Point origin, extent[2];
    double rotation;
    const AstExpr *origin_at[2], *extent_at[4], *rotation_at;
    bool is_new; /* an iconTransformation that is not yet written */
} Transformation;

/* A component that an operation places anew. */
typedef struct Placed {
    const AstElement *decl;
    LayerKind layer;
    Placing at;
    Transformation old, fresh;
} Placed;

/* ---- reading ---- */

static bool is_row(const AstExpr *e, uint32_t n)
{
    return e && e->kind == AST_ARRAY && !e->iters.n && e->args.n == n;
}

/* False if it is given, but not as literals. */
static bool read_pair(const AstExpr *e, Point *p, const AstExpr *at[2])
{
    if (!is_row(e, 2) || !read_literal(e->args.at[0], &p->x) || !read_literal(e->args.at[1], &p->y))
        return false;
    at[0] = e->args.at[0];
    at[1] = e->args.at[1];
    return true;
}

static bool read_numbers_of(const AstMod *mod, Transformation *t)
{
    const AstExpr *origin = annotation_value(mod, "origin");
    const AstExpr *extent = annotation_value(mod, "extent");
    const AstExpr *rotation = annotation_value(mod, "rotation");
    t->mod = mod;
    t->has_origin = origin;
    t->has_extent = extent;
    t->rotation_at = rotation;
    return (!origin || read_pair(origin, &t->origin, t->origin_at)) &&
           (!extent ||
            (is_row(extent, 2) && read_pair(extent->args.at[0], &t->extent[0], t->extent_at) &&
             read_pair(extent->args.at[1], &t->extent[1], t->extent_at + 2))) &&
           (!rotation || read_literal(rotation, &t->rotation));
}

static void default_extent(ClassEdit *e, const Placing *at, Point extent[2])
{
    double scale = initial_scale(e->lib, at->inst, at->shows);
    extent[0] = (Point){rounded(at->system.lo.x * scale), rounded(at->system.lo.y * scale)};
    extent[1] = (Point){rounded(at->system.hi.x * scale), rounded(at->system.hi.y * scale)};
}

static bool read_transformation(ClassEdit *e, Placed *p)
{
    Transformation *t = &p->old;
    t->placement = annotation_part(p->decl->comment.annotation, "Placement");
    const AstMod *both = annotation_part(t->placement, "transformation");
    const AstMod *icon = annotation_part(t->placement, "iconTransformation");
    const AstMod *mod = p->layer == LAYER_ICON && icon ? icon : both;
    if (mod && !read_numbers_of(mod, t))
        return refuse(e, "the place of '%s' is computed; edit it in the source", p->decl->name);
    if (!t->has_extent)
        default_extent(e, &p->at, t->extent);
    t->is_new = p->layer == LAYER_ICON && !icon;
    return true;
}

static bool open_placed(ClassEdit *e, const char *name, LayerKind layer, Placed *p)
{
    *p = (Placed){.decl = own_component(e, name), .layer = layer};
    uint32_t index = class_find(e->inst->cls, library_name(e->lib, name));
    if (!p->decl || index == MAP_NONE)
        return false;
    Affine same = affine_move(0, 0);
    if (!find_place(&e->page, e->inst, index, layer, same, &p->at) &&
        !(layer == LAYER_DIAGRAM && find_unknown_place(&e->page, e->inst, index, same, &p->at)))
        return refuse(e, "'%s' has no place here", name);
    if (!read_transformation(e, p))
        return false;
    p->fresh = p->old;
    return true;
}

/* ---- writing ---- */

/* The members that are not written yet, each after a comma. */
static void put_missing(Text *t, const Transformation *old, const Transformation *fresh)
{
    if (!old->has_extent && fresh->has_extent) {
        text_put(t, ", ");
        put_extent(t, fresh->extent);
    }
    if (!old->rotation_at && rounded(fresh->rotation) != 0) {
        text_put(t, ", rotation=");
        put_coordinate(t, fresh->rotation, 0);
    }
    if (!old->has_origin && fresh->has_origin) {
        text_put(t, ", origin=");
        put_pair(t, fresh->origin);
    }
}

/* All members, for a transformation that is not written yet. */
static const char *whole_transformation(ClassEdit *e, const Transformation *t, const char *word)
{
    Transformation none = {0}, all = *t;
    Text text = {0};
    all.has_extent = true;
    put_missing(&text, &none, &all);
    const char *kept = text_keep(&text, e->arena);
    return arena_printf(e->arena, "%s(%s)", word, kept + 2);
}

static void change_pair(ClassEdit *e, const AstExpr *const at[2], Point p)
{
    change_number(e, at[0], p.x);
    change_number(e, at[1], p.y);
}

static void write_place(ClassEdit *e, const Placed *p)
{
    const Transformation *old = &p->old, *fresh = &p->fresh;
    const AstMod *annotation = p->decl->comment.annotation;
    const char *word = p->layer == LAYER_ICON ? "iconTransformation" : "transformation";
    if (!old->mod || old->is_new) {
        const char *text = whole_transformation(e, fresh, word);
        if (old->placement)
            append_argument(e, old->placement, text);
        else
            add_annotation(e, annotation, p->decl->span.end,
                           arena_printf(e->arena, "Placement(%s)", text));
        return;
    }
    Text missing = {0};
    if (old->has_origin)
        change_pair(e, old->origin_at, fresh->origin);
    if (old->has_extent) {
        change_pair(e, old->extent_at, fresh->extent[0]);
        change_pair(e, old->extent_at + 2, fresh->extent[1]);
    }
    if (old->rotation_at)
        change_number(e, old->rotation_at, fresh->rotation);
    put_missing(&missing, old, fresh);
    if (missing.n)
        append_argument(e, old->mod, text_keep(&missing, e->arena) + 2);
    text_free(&missing);
}

/* Writes the place and notes where the component was and is. */
static void finish(ClassEdit *e, const Placed *p, MovedList *moved)
{
    Placing after = p->at;
    Affine same = affine_move(0, 0);
    after.frame =
        placed_frame(after.system, p->fresh.extent, p->fresh.origin, p->fresh.rotation, same);
    write_place(e, p);
    vec_push(moved, ((Moved){p->decl->name, p->at, after}));
}

/* ---- operations ---- */

static Point turned(Point p, double degrees)
{
    Affine m = affine_turn(degrees);
    return affine_apply(&m, p);
}

static bool is_quarter(double rotation)
{
    return fabs(remainder(rotation, 90)) < 1e-9;
}

/* The extent becomes one around zero, the origin the middle of the component. */
static void centre(Transformation *t)
{
    Point m = {(t->extent[0].x + t->extent[1].x) / 2, (t->extent[0].y + t->extent[1].y) / 2};
    Point page = turned(m, t->rotation);
    for (int i = 0; i < 2; i++)
        t->extent[i] = (Point){t->extent[i].x - m.x, t->extent[i].y - m.y};
    t->origin = (Point){t->origin.x + page.x, t->origin.y + page.y};
    t->has_origin = t->has_extent = true;
}

static void shift(Transformation *t, Point by)
{
    if (!t->has_origin && t->has_extent && is_quarter(t->rotation)) {
        Point local = turned(by, -t->rotation);
        for (int i = 0; i < 2; i++)
            t->extent[i] = (Point){t->extent[i].x + local.x, t->extent[i].y + local.y};
        return;
    }
    t->origin = (Point){t->origin.x + by.x, t->origin.y + by.y};
    t->has_origin = true;
}

static bool move_one(ClassEdit *e, Placed *p, const cJSON *op)
{
    Point by;
    if (!point_arg(op, "by", &by))
        return refuse(e, "'by' needs two numbers");
    shift(&p->fresh, by);
    return true;
}

static Point middle(const Transformation *t)
{
    Transformation copy = *t;
    centre(&copy);
    return copy.origin;
}

static double to_grid(double x)
{
    return GRID * round(x / GRID) - x;
}

/* The middle gets one coordinate of the first component's middle, or both from the grid. */
static bool align_one(ClassEdit *e, Placed *p, const cJSON *op)
{
    const char *to = text_arg(op, "to");
    uint32_t n;
    const char **names = component_args(e, op, &n);
    Placed first;
    if (!names || !open_placed(e, names[0], p->layer, &first))
        return false;
    Point a = middle(&first.old), m = middle(&p->old), by = {0};
    if (to && !strcmp(to, "x"))
        by.x = a.x - m.x;
    else if (to && !strcmp(to, "y"))
        by.y = a.y - m.y;
    else if (to && !strcmp(to, "grid"))
        by = (Point){to_grid(m.x), to_grid(m.y)};
    else
        return refuse(e, "'to' is \"x\", \"y\" or \"grid\"");
    shift(&p->fresh, by);
    return true;
}

static bool rotate_one(ClassEdit *e, Placed *p, const cJSON *op)
{
    const cJSON *by = cJSON_GetObjectItemCaseSensitive(op, "by");
    if (!cJSON_IsNumber(by))
        return refuse(e, "'by' needs an angle");
    centre(&p->fresh);
    p->fresh.rotation = remainder(p->fresh.rotation + by->valuedouble, 360);
    if (p->fresh.rotation == -180)
        p->fresh.rotation = 180;
    return true;
}

static bool mirror_one(ClassEdit *e, Placed *p, const cJSON *op)
{
    const char *axis = text_arg(op, "axis");
    Transformation *t = &p->fresh;
    bool across = axis && !strcmp(axis, "horizontal"); /* left and right change places */
    if (!across && (!axis || strcmp(axis, "vertical") != 0))
        return refuse(e, "'axis' is \"horizontal\" or \"vertical\"");
    if (!is_quarter(t->rotation)) {
        centre(t);
        t->rotation = -t->rotation;
    } else if (fabs(remainder(t->rotation, 180)) > 1) {
        across = !across;
    }
    double *a = across ? &t->extent[0].x : &t->extent[0].y;
    double *b = across ? &t->extent[1].x : &t->extent[1].y;
    double swap = *a;
    *a = *b;
    *b = swap;
    t->has_extent = true;
    return true;
}

static bool resize_one(ClassEdit *e, Placed *p, const cJSON *op)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(op, "extent");
    Transformation *t = &p->fresh;
    double x[4];
    for (int i = 0; i < 4; i++) {
        const cJSON *one = cJSON_GetArrayItem(list, i);
        if (!cJSON_IsNumber(one) || !(fabs(one->valuedouble) < 1e6))
            return refuse(e, "'extent' needs four numbers");
        x[i] = one->valuedouble;
    }
    double w = fabs(x[2] - x[0]) / 2, h = fabs(x[3] - x[1]) / 2;
    if (w < 0.5 || h < 0.5)
        return refuse(e, "'%s' would be too small", p->decl->name);
    if (!is_quarter(t->rotation))
        return refuse(e, "'%s' is turned by %g degrees; edit its size in the source", p->decl->name,
                      t->rotation);
    Point middle = {(x[0] + x[2]) / 2, (x[1] + x[3]) / 2};
    bool across = fabs(remainder(t->rotation, 180)) > 1;
    Point half = across ? (Point){h, w} : (Point){w, h};
    Point at = t->has_origin || t->rotation != 0 ? (Point){0} : middle;
    double sx = t->extent[0].x <= t->extent[1].x ? 1 : -1;
    double sy = t->extent[0].y <= t->extent[1].y ? 1 : -1;
    t->extent[0] = (Point){at.x - sx * half.x, at.y - sy * half.y};
    t->extent[1] = (Point){at.x + sx * half.x, at.y + sy * half.y};
    t->has_extent = true;
    if (t->has_origin || t->rotation != 0) {
        t->origin = middle;
        t->has_origin = true;
    }
    return true;
}

typedef bool (*PlaceFn)(ClassEdit *e, Placed *p, const cJSON *op);

static bool place_all(ClassEdit *e, const cJSON *op, PlaceFn fn)
{
    uint32_t n;
    const char **names = component_args(e, op, &n);
    MovedList moved = {0};
    bool ok = names;
    for (uint32_t i = 0; ok && i < n; i++) {
        Placed p;
        ok = open_placed(e, names[i], layer_arg(op), &p) && fn(e, &p, op);
        if (ok)
            finish(e, &p, &moved);
    }
    if (ok && layer_arg(op) == LAYER_DIAGRAM)
        lines_follow(e, &moved);
    vec_free(&moved);
    return ok;
}

bool op_move(ClassEdit *e, const cJSON *op)
{
    return place_all(e, op, move_one);
}

bool op_align(ClassEdit *e, const cJSON *op)
{
    return place_all(e, op, align_one);
}

bool op_rotate(ClassEdit *e, const cJSON *op)
{
    return place_all(e, op, rotate_one);
}

bool op_mirror(ClassEdit *e, const cJSON *op)
{
    return place_all(e, op, mirror_one);
}

bool op_resize(ClassEdit *e, const cJSON *op)
{
    return place_all(e, op, resize_one);
}

/* Graphical items: Line, Polygon, Rectangle, Ellipse; Text and Bitmap are in files of their own
 * (section 18.6.5). */
#include "diagram/diagram.h"

#include <math.h>

enum { MAX_POINTS = 20000 };

static const char *const line_words[] = {"None",    "Solid",      "Dash", "Dot",
                                         "DashDot", "DashDotDot", NULL};
static const char *const fill_words[] = {
    "None",     "Solid",     "Horizontal",         "Vertical",         "Cross",  "Forward",
    "Backward", "CrossDiag", "HorizontalCylinder", "VerticalCylinder", "Sphere", NULL};
static const char *const smooth_words[] = {"None", "Bezier", NULL};
static const char *const arrow_words[] = {"None", "Open", "Filled", "Half", NULL};
static const char *const closure_words[] = {"None", "Chord", "Radial", NULL};

typedef VEC(Point) Points;

static void add(PathParts *path, PathKind kind, Point p)
{
    vec_push(path, ((PathPart){kind, {p}}));
}

static void add_curve(PathParts *path, Point a, Point b, Point end)
{
    vec_push(path, ((PathPart){PATH_CURVE, {a, b, end}}));
}

static Point between(Point a, Point b, double share)
{
    return (Point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

Affine frame_of(Affine m, Point a, Point b)
{
    Affine box = {(b.x - a.x) / 2, 0, 0, (b.y - a.y) / 2, (a.x + b.x) / 2, (a.y + b.y) / 2};
    return affine_after(m, box);
}

/* ---- shared by all items ---- */

static Style filled_style(Record r)
{
    return (Style){.line = read_colour(r, "lineColor", (Colour){0}),
                   .fill = read_colour(r, "fillColor", (Colour){0}),
                   .width = read_number(r, "lineThickness", 0.25),
                   .pattern = (LinePattern)read_word(r, "pattern", line_words, LINE_SOLID),
                   .filling = (FillPattern)read_word(r, "fillPattern", fill_words, FILL_NONE)};
}

/* origin and rotation of an item */
static Affine item_frame(Record r, Affine m)
{
    Point o = {0};
    read_point(r, "origin", &o);
    double turn = read_number(r, "rotation", 0);
    return affine_after(m, affine_after(affine_move(o.x, o.y), affine_turn(turn)));
}

static Points read_points(Record r, const Affine *m)
{
    const AstExpr *e = record_field(r, "points");
    uint32_t room = e && e->kind == AST_ARRAY ? 2 * (e->args.n + 1) : MAX_POINTS;
    double *x = memory_alloc(sizeof *x * room);
    uint32_t n = read_numbers(r, e, x, room);
    Points points = {0};
    for (uint32_t i = 0; i + 1 < n && i < MAX_POINTS; i += 2)
        if (fabs(x[i]) < 1e6 && fabs(x[i + 1]) < 1e6)
            vec_push(&points, affine_apply(m, (Point){x[i], x[i + 1]}));
    memory_free(x);
    return points;
}

bool read_line_end(Record line, bool last, Point *end)
{
    Affine m = affine_move(0, 0);
    Points points = read_points(line, &m);
    bool found = points.n > 0;
    if (found)
        *end = points.at[last ? points.n - 1 : 0];
    vec_free(&points);
    return found;
}

/* A parabola from a to c, tangent to the legs of a, b, c. */
static void add_parabola(PathParts *path, Point a, Point b, Point c)
{
    add_curve(path, between(a, b, 2.0 / 3), between(c, b, 2.0 / 3), c);
}

/* Smooth lines go through the middles of the sides; the first and the last half side are straight.
 */
static PathParts line_path(const Points *p, bool smooth)
{
    PathParts path = {0};
    if (!p->n)
        return path;
    add(&path, PATH_MOVE, p->at[0]);
    if (!smooth || p->n < 3) {
        for (uint32_t i = 1; i < p->n; i++)
            add(&path, PATH_LINE, p->at[i]);
        return path;
    }
    add(&path, PATH_LINE, between(p->at[0], p->at[1], 0.5));
    for (uint32_t i = 1; i + 1 < p->n; i++)
        add_parabola(&path, between(p->at[i - 1], p->at[i], 0.5), p->at[i],
                     between(p->at[i], p->at[i + 1], 0.5));
    add(&path, PATH_LINE, p->at[p->n - 1]);
    return path;
}

static PathParts polygon_path(Points *p, bool smooth)
{
    if (p->n > 1 && p->at[0].x == p->at[p->n - 1].x && p->at[0].y == p->at[p->n - 1].y)
        p->n--;
    PathParts path = smooth && p->n > 2 ? (PathParts){0} : line_path(p, false);
    if (!path.n && p->n) {
        add(&path, PATH_MOVE, between(p->at[p->n - 1], p->at[0], 0.5));
        for (uint32_t i = 0; i < p->n; i++) {
            Point last = p->at[(i + p->n - 1) % p->n], next = p->at[(i + 1) % p->n];
            add_parabola(&path, between(last, p->at[i], 0.5), p->at[i],
                         between(p->at[i], next, 0.5));
        }
    }
    if (path.n)
        add(&path, PATH_CLOSE, (Point){0});
    return path;
}

/* ---- lines ---- */

void draw_arrow(const Page *p, const Style *line, int kind, Point from, Point tip, double size)
{
    double length = hypot(tip.x - from.x, tip.y - from.y);
    if (kind <= 0 || length == 0)
        return;
    Point d = {(tip.x - from.x) / length, (tip.y - from.y) / length},
          base = {tip.x - size * d.x, tip.y - size * d.y};
    double half = size / 3;
    Point left = {base.x - half * d.y, base.y + half * d.x},
          right = {base.x + half * d.y, base.y - half * d.x};
    PathParts path = {0};
    Style style = *line;
    style.pattern = LINE_SOLID;
    style.fill = line->line;
    style.filling = kind == ARROW_FILLED ? FILL_SOLID : FILL_NONE;
    add(&path, PATH_MOVE, left);
    add(&path, PATH_LINE, tip);
    if (kind != 3)
        add(&path, PATH_LINE, right);
    if (kind == ARROW_FILLED)
        add(&path, PATH_CLOSE, left);
    drawing_path(p->drawing, &style, &path);
}

static void read_arrows(Record r, int out[2])
{
    const AstExpr *e = record_field(r, "arrow");
    out[0] = out[1] = 0;
    for (uint32_t i = 0; e && e->kind == AST_ARRAY && i < e->args.n && i < 2; i++) {
        const AstExpr *a = chosen_part(r, e->args.at[i]);
        for (int k = 0; a && a->kind == AST_REF && arrow_words[k]; k++)
            if (!strcmp(a->ref->parts[a->ref->n - 1].name, arrow_words[k]))
                out[i] = k;
    }
}

void draw_line(const Page *p, Record r, Affine m, bool target)
{
    Style style = {.line = read_colour(r, "color", (Colour){0}),
                   .width = read_number(r, "thickness", 0.25),
                   .pattern = (LinePattern)read_word(r, "pattern", line_words, LINE_SOLID)};
    m = item_frame(r, m);
    Points points = read_points(r, &m);
    bool smooth = read_word(r, "smooth", smooth_words, 0);
    if (points.n > 1) {
        if (target) {
            PathParts path = line_path(&points, smooth);
            drawing_target(p->drawing, &path, 3);
        }
        PathParts path = line_path(&points, smooth);
        drawing_path(p->drawing, &style, &path);
        int arrows[2];
        double size = read_number(r, "arrowSize", 3);
        read_arrows(r, arrows);
        draw_arrow(p, &style, arrows[0], points.at[1], points.at[0], size);
        draw_arrow(p, &style, arrows[1], points.at[points.n - 2], points.at[points.n - 1], size);
    }
    vec_free(&points);
}

static void draw_polygon(const Page *p, Record r, Affine m)
{
    Style style = filled_style(r);
    Points points = read_points(r, &m);
    Point lo = {INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY};
    for (uint32_t i = 0; i < points.n; i++) {
        lo = (Point){fmin(lo.x, points.at[i].x), fmin(lo.y, points.at[i].y)};
        hi = (Point){fmax(hi.x, points.at[i].x), fmax(hi.y, points.at[i].y)};
    }
    style.frame = frame_of(affine_move(0, 0), lo, hi);
    PathParts path = polygon_path(&points, read_word(r, "smooth", smooth_words, 0));
    if (path.n)
        drawing_path(p->drawing, &style, &path);
    vec_free(&points);
    vec_free(&path);
}

/* ---- rectangles and ellipses ---- */

static const double QUARTER = 0.5522847498307936; /* of a circle, by a cubic */

/* One rounded corner: from a towards b, round corner c. */
static void add_corner(PathParts *path, const Affine *m, Point a, Point c, Point b)
{
    a = affine_apply(m, a);
    b = affine_apply(m, b);
    c = affine_apply(m, c);
    add(path, path->n ? PATH_LINE : PATH_MOVE, a);
    add_curve(path, between(a, c, QUARTER), between(b, c, QUARTER), b);
}

PathParts box_path(Point a, Point b, double radius, const Affine *m)
{
    PathParts path = {0};
    Point lo = {fmin(a.x, b.x), fmin(a.y, b.y)}, hi = {fmax(a.x, b.x), fmax(a.y, b.y)};
    double r = fmin(fabs(radius), fmin(hi.x - lo.x, hi.y - lo.y) / 2);
    if (r > 0) {
        add_corner(&path, m, (Point){lo.x, lo.y + r}, lo, (Point){lo.x + r, lo.y});
        add_corner(&path, m, (Point){hi.x - r, lo.y}, (Point){hi.x, lo.y}, (Point){hi.x, lo.y + r});
        add_corner(&path, m, (Point){hi.x, hi.y - r}, hi, (Point){hi.x - r, hi.y});
        add_corner(&path, m, (Point){lo.x + r, hi.y}, (Point){lo.x, hi.y}, (Point){lo.x, hi.y - r});
    } else {
        add(&path, PATH_MOVE, affine_apply(m, lo));
        add(&path, PATH_LINE, affine_apply(m, (Point){hi.x, lo.y}));
        add(&path, PATH_LINE, affine_apply(m, hi));
        add(&path, PATH_LINE, affine_apply(m, (Point){lo.x, hi.y}));
    }
    add(&path, PATH_CLOSE, (Point){0});
    return path;
}

static void draw_rectangle(const Page *p, Record r, Affine m)
{
    Point e[2];
    if (!read_extent(r, "extent", e))
        return;
    Style style = filled_style(r);
    style.frame = frame_of(m, e[0], e[1]);
    PathParts path = box_path(e[0], e[1], read_number(r, "radius", 0), &m);
    drawing_path(p->drawing, &style, &path);
}

/* The arc of the unit circle from one angle to another, in pieces of at most a quarter. */
static void add_arc(PathParts *path, const Affine *frame, double from, double to)
{
    int n = (int)ceil(fabs(to - from) / 90 - 1e-9);
    double step = (to - from) / (n ? n : 1) * 3.14159265358979323846 / 180,
           a = from * 3.14159265358979323846 / 180;
    double k = 4.0 / 3 * tan(step / 4);
    add(path, path->n ? PATH_LINE : PATH_MOVE, affine_apply(frame, (Point){cos(a), sin(a)}));
    for (int i = 0; i < n; i++, a += step) {
        double b = a + step;
        Point one = {cos(a) - k * sin(a), sin(a) + k * cos(a)},
              two = {cos(b) + k * sin(b), sin(b) - k * cos(b)};
        add_curve(path, affine_apply(frame, one), affine_apply(frame, two),
                  affine_apply(frame, (Point){cos(b), sin(b)}));
    }
}

static void draw_ellipse(const Page *p, Record r, Affine m)
{
    Point e[2];
    if (!read_extent(r, "extent", e))
        return;
    Style style = filled_style(r);
    style.frame = frame_of(m, (Point){fmin(e[0].x, e[1].x), fmin(e[0].y, e[1].y)},
                           (Point){fmax(e[0].x, e[1].x), fmax(e[0].y, e[1].y)});
    double from = read_number(r, "startAngle", 0), to = read_number(r, "endAngle", 360);
    bool whole = fabs(to - from) >= 360;
    int closure = read_word(r, "closure", closure_words, whole ? 1 : 2);
    if (whole)
        to = from + 360;
    PathParts path = {0};
    if (closure == 2 && !whole)
        add(&path, PATH_MOVE, affine_apply(&style.frame, (Point){0, 0}));
    add_arc(&path, &style.frame, from, to);
    if (closure || whole)
        add(&path, PATH_CLOSE, (Point){0});
    if (!closure)
        style.filling = FILL_NONE;
    drawing_path(p->drawing, &style, &path);
}

/* ---- all of a layer ---- */

static void draw_plain_line(const Page *p, Record r, Affine m)
{
    draw_line(p, r, m, false);
}

/* Rotation and origin belong to the frame; Line applies its own. */
static const struct {
    const char *name;
    void (*draw)(const Page *p, Record r, Affine m);
    bool own_frame;
} kinds[] = {
    {"Line", draw_plain_line, true},      {"Polygon", draw_polygon, false},
    {"Rectangle", draw_rectangle, false}, {"Ellipse", draw_ellipse, false},
    {"Text", draw_text, false},           {"Bitmap", draw_bitmap, false},
};

uint32_t draw_items(const Page *p, Record layer, Affine m)
{
    const AstExpr *list = record_field(layer, "graphics");
    uint32_t drawn = 0;
    for (uint32_t i = 0; list && list->kind == AST_ARRAY && i < list->args.n; i++) {
        Record r = {layer.lib, layer.scope, NULL, chosen_part(layer, list->args.at[i]),
                    layer.dynamic};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (!expr_is_call(r.call, kinds[k].name))
                continue;
            drawn++;
            if (!read_flag(r, "visible", true))
                continue;
            p->drawing->item = p->numbers_items ? i + 1 : 0;
            kinds[k].draw(p, r, kinds[k].own_frame ? m : item_frame(r, m));
            p->drawing->item = 0;
        }
    }
    return drawn;
}

/* Shapes, transformations, and the extent of a picture. */
#include "diagram/drawing.h"

#include <math.h>

/* ---- transformations ---- */

Affine affine_after(Affine o, Affine i)
{
    return (Affine){.xx = o.xx * i.xx + o.xy * i.yx,
                    .yx = o.yx * i.xx + o.yy * i.yx,
                    .xy = o.xx * i.xy + o.xy * i.yy,
                    .yy = o.yx * i.xy + o.yy * i.yy,
                    .x0 = o.xx * i.x0 + o.xy * i.y0 + o.x0,
                    .y0 = o.yx * i.x0 + o.yy * i.y0 + o.y0};
}

Affine affine_move(double x, double y)
{
    return (Affine){1, 0, 0, 1, x, y};
}

Affine affine_turn(double degrees)
{
    double quarter = fmod(degrees, 360) / 90, angle = degrees * 3.14159265358979323846 / 180;
    double c = cos(angle), s = sin(angle);
    if (quarter == floor(quarter)) { /* exact, so that right angles stay right */
        c = round(c);
        s = round(s);
    }
    return (Affine){c, s, -s, c, 0, 0};
}

static double map_side(double a, double b, double c, double d, double *shift)
{
    double scale = b != a ? (d - c) / (b - a) : 1;
    *shift = c - a * scale;
    return scale;
}

Affine affine_map(Point a, Point b, Point c, Point d)
{
    Affine m = {0};
    m.xx = map_side(a.x, b.x, c.x, d.x, &m.x0);
    m.yy = map_side(a.y, b.y, c.y, d.y, &m.y0);
    return m;
}

Point affine_apply(const Affine *m, Point p)
{
    return (Point){m->xx * p.x + m->xy * p.y + m->x0, m->yx * p.x + m->yy * p.y + m->y0};
}

/* ---- the list ---- */

Drawing *drawing_new(const char *title)
{
    Drawing *d = memory_alloc(sizeof *d);
    d->arena = arena_new();
    d->title = arena_copy(d->arena, title, strlen(title));
    d->lo = (Point){INFINITY, INFINITY};
    d->hi = (Point){-INFINITY, -INFINITY};
    return d;
}

void drawing_free(Drawing *d)
{
    if (!d)
        return;
    vec_free(&d->shapes);
    arena_free(d->arena);
    memory_free(d);
}

void drawing_include(Drawing *d, Point p)
{
    if (!isfinite(p.x) || !isfinite(p.y))
        return;
    d->lo = (Point){fmin(d->lo.x, p.x), fmin(d->lo.y, p.y)};
    d->hi = (Point){fmax(d->hi.x, p.x), fmax(d->hi.y, p.y)};
}

static void include_around(Drawing *d, Point p, double r)
{
    drawing_include(d, (Point){p.x - r, p.y - r});
    drawing_include(d, (Point){p.x + r, p.y + r});
}

static Shape path_shape(Drawing *d, PathParts *parts)
{
    Shape s = {.kind = SHAPE_PATH, .item = d->item, .n_parts = parts->n};
    s.parts = vec_keep(parts, d->arena);
    *parts = (PathParts){0};
    return s;
}

void drawing_path(Drawing *d, const Style *style, PathParts *parts)
{
    for (uint32_t i = 0; i < parts->n; i++)
        for (int k = 0; k < (parts->at[i].kind == PATH_CURVE   ? 3
                             : parts->at[i].kind == PATH_CLOSE ? 0
                                                               : 1);
             k++)
            include_around(d, parts->at[i].at[k],
                           style->pattern == LINE_NONE ? 0 : style->width / 2);
    Shape s = path_shape(d, parts);
    s.style = *style;
    vec_push(&d->shapes, s);
}

void drawing_target(Drawing *d, PathParts *parts, double width)
{
    Shape s = path_shape(d, parts);
    s.is_target = true;
    s.style.width = width;
    vec_push(&d->shapes, s);
}

void drawing_letters(Drawing *d, Letters l)
{
    double w = letters_width(l.text) * l.size, angle = l.angle * 3.14159265358979323846 / 180;
    if (l.fit > 0 && w > l.fit)
        w = l.fit;
    Point along = {cos(angle), sin(angle)};
    double from = l.align < 0 ? 0 : l.align ? -w : -w / 2;
    for (int k = 0; k < 2; k++) {
        Point end = {l.at.x + along.x * (from + k * w), l.at.y + along.y * (from + k * w)};
        drawing_include(d,
                        (Point){end.x + along.y * 0.75 * l.size, end.y - along.x * 0.75 * l.size});
        drawing_include(d,
                        (Point){end.x - along.y * 0.25 * l.size, end.y + along.x * 0.25 * l.size});
    }
    vec_push(&d->shapes, ((Shape){.kind = SHAPE_TEXT, .item = d->item, .letters = l}));
}

void drawing_image(Drawing *d, Image i)
{
    static const Point corners[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++)
        drawing_include(d, affine_apply(&i.frame, corners[k]));
    vec_push(&d->shapes, ((Shape){.kind = SHAPE_IMAGE, .item = d->item, .image = i}));
}

void drawing_open(Drawing *d, Group g)
{
    vec_push(&d->shapes, ((Shape){.kind = SHAPE_OPEN, .group = g}));
}

void drawing_shut(Drawing *d)
{
    vec_push(&d->shapes, ((Shape){.kind = SHAPE_SHUT}));
}

/* ---- measures ---- */

/* Widths of Helvetica, and of the fonts made to take its place, in thousandths of the size; from
 * the space on. */
static const uint16_t widths[] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

double letters_width(const char *text)
{
    double w = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p >= 32 && *p < 127)
            w += widths[*p - 32];
        else if ((*p & 0xC0) != 0x80) /* the first byte of a character */
            w += 600;
    return w / 1000;
}

unsigned line_dashes(LinePattern pattern, double width, double out[6])
{
    static const double shapes[][6] = {[LINE_DASH] = {9, 5},
                                       [LINE_DOT] = {1.5, 3},
                                       [LINE_DASH_DOT] = {9, 4, 1.5, 4},
                                       [LINE_DASH_DOT_DOT] = {9, 4, 1.5, 4, 1.5, 4}};
    static const unsigned counts[] = {
        [LINE_DASH] = 2, [LINE_DOT] = 2, [LINE_DASH_DOT] = 4, [LINE_DASH_DOT_DOT] = 6};
    unsigned n = pattern < LINE_DASH ? 0 : counts[pattern];
    double unit = width < 0.25 ? 0.25 : width > 1 ? 1 : width;
    for (unsigned i = 0; i < n; i++)
        out[i] = shapes[pattern][i] * unit;
    return n;
}

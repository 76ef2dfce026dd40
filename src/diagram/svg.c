/* Pictures as SVG. Attributes give the meaning of shapes: data-component, data-class, data-line,
 * data-path, data-connector, data-connection. */
#include "diagram/drawing.h"

#include <math.h>
#include <stdio.h>

typedef struct Svg {
    const Drawing *d;
    Text *out;
    Text defs;
    uint32_t item; /* of the present shape */
    unsigned n_defs;
    VEC(Style) hatches; /* those in defs, by number */
} Svg;

/* Three decimals, without zeros at the end. */
static void put_number(Text *t, double x)
{
    char s[64];
    int n = snprintf(s, sizeof s, "%.3f", isfinite(x) ? x : 0);
    while (n > 0 && s[n - 1] == '0')
        n--;
    if (n > 0 && s[n - 1] == '.')
        n--;
    s[n] = 0;
    text_put(t, !strcmp(s, "-0") ? "0" : s);
}

static void put_attribute_number(Text *t, const char *name, double x)
{
    text_printf(t, " %s=\"", name);
    put_number(t, x);
    text_put_char(t, '"');
}

static void put_attribute(Text *t, const char *name, const char *value)
{
    if (!value)
        return;
    text_printf(t, " %s=\"", name);
    text_put_xml(t, value);
    text_put_char(t, '"');
}

static void put_colour(Text *t, const char *name, Colour c)
{
    text_printf(t, " %s=\"#%02x%02x%02x\"", name, c.r, c.g, c.b);
}

static void put_matrix(Text *t, const char *name, const Affine *m)
{
    const double v[] = {m->xx, m->yx, m->xy, m->yy, m->x0, m->y0};
    text_printf(t, " %s=\"matrix(", name);
    for (int i = 0; i < 6; i++)
        text_printf(t, "%s%.7g", i ? " " : "", isfinite(v[i]) ? v[i] : 0);
    text_put(t, ")\"");
}

/* ---- fillings ---- */

static void put_gradient(Svg *s, const Style *style)
{
    bool sphere = style->filling == FILL_SPHERE;
    Text *t = &s->defs;
    text_printf(t, "<%sGradient id=\"d%u\" gradientUnits=\"userSpaceOnUse\"",
                sphere ? "radial" : "linear", ++s->n_defs);
    text_put(t, sphere ? " cx=\"0\" cy=\"0\" r=\"1\""
                : style->filling == FILL_HORIZONTAL_CYLINDER
                    ? " x1=\"0\" y1=\"-1\" x2=\"0\" y2=\"1\""
                    : " x1=\"-1\" y1=\"0\" x2=\"1\" y2=\"0\"");
    put_matrix(t, "gradientTransform", &style->frame);
    text_put_char(t, '>');
    for (int i = 0; i < (sphere ? 2 : 3); i++) {
        text_printf(t, "<stop offset=\"%s\"",
                    sphere   ? (i ? "1" : "0")
                    : i == 0 ? "0"
                    : i == 1 ? ".5"
                             : "1");
        put_colour(t, "stop-color", (sphere ? i == 0 : i == 1) ? style->fill : style->line);
        text_put(t, "/>");
    }
    text_printf(t, "</%sGradient>\n", sphere ? "radial" : "linear");
}

static bool same_hatch(const Style *a, const Style *b)
{
    return a->filling == b->filling && !memcmp(&a->line, &b->line, sizeof a->line) &&
           !memcmp(&a->fill, &b->fill, sizeof a->fill);
}

static unsigned hatch_number(Svg *s, const Style *style)
{
    static const char *const lines[] = {
        [FILL_HORIZONTAL] = "M0 1.5H3",
        [FILL_VERTICAL] = "M1.5 0V3",
        [FILL_CROSS] = "M0 1.5H3M1.5 0V3",
        [FILL_FORWARD] = "M-.5 -.5L3.5 3.5M-.5 2.5L.5 3.5M2.5 -.5L3.5 .5",
        [FILL_BACKWARD] = "M-.5 3.5L3.5 -.5M-.5 .5L.5 -.5M2.5 3.5L3.5 2.5",
        [FILL_CROSS_DIAG] = "M0 0L3 3M0 3L3 0"};
    for (uint32_t i = 0; i < s->hatches.n; i++)
        if (same_hatch(&s->hatches.at[i], style))
            return i + 1;
    vec_push(&s->hatches, *style);
    Text *t = &s->defs;
    text_printf(
        t,
        "<pattern id=\"h%u\" patternUnits=\"userSpaceOnUse\" width=\"3\" height=\"3\"><rect "
        "width=\"3\" height=\"3\"",
        s->hatches.n);
    put_colour(t, "fill", style->fill);
    text_printf(t, "/><path d=\"%s\" stroke-width=\".25\"", lines[style->filling]);
    put_colour(t, "stroke", style->line);
    text_put(t, "/></pattern>\n");
    return s->hatches.n;
}

static void put_fill(Svg *s, const Style *style)
{
    if (style->filling == FILL_NONE) {
        text_put(s->out, " fill=\"none\"");
    } else if (style->filling == FILL_SOLID) {
        put_colour(s->out, "fill", style->fill);
    } else if (style->filling >= FILL_HORIZONTAL_CYLINDER) {
        put_gradient(s, style);
        text_printf(s->out, " fill=\"url(#d%u)\"", s->n_defs);
    } else {
        text_printf(s->out, " fill=\"url(#h%u)\"", hatch_number(s, style));
    }
}

/* ---- shapes ---- */

static void put_point(Text *t, Point p)
{
    put_number(t, p.x);
    text_put_char(t, ' ');
    put_number(t, p.y);
}

/* The number of the graphical item that the shape belongs to. */
static void put_item(const Svg *s)
{
    if (s->item)
        text_printf(s->out, " data-item=\"%u\"", s->item - 1);
}

static void put_path(Svg *s, const Shape *shape)
{
    Text *t = s->out;
    text_put(t, "<path d=\"");
    for (uint32_t i = 0; i < shape->n_parts; i++) {
        const PathPart *p = &shape->parts[i];
        text_put_char(t, "MLCZ"[p->kind]);
        for (int k = 0; k < (p->kind == PATH_CURVE ? 3 : p->kind == PATH_CLOSE ? 0 : 1); k++) {
            text_put(t, k ? " " : "");
            put_point(t, p->at[k]);
        }
    }
    text_put_char(t, '"');
    put_item(s);
    if (shape->is_target) {
        text_put(t, " class=\"target\" fill=\"none\" stroke=\"none\"");
        if (shape->style.width > 0)
            put_attribute_number(t, "stroke-width", shape->style.width);
        text_put(t, shape->style.width > 0 ? " pointer-events=\"stroke\"/>\n"
                                           : " pointer-events=\"all\"/>\n");
        return;
    }
    const Style *style = &shape->style;
    put_fill(s, style);
    if (style->pattern != LINE_NONE) {
        double dashes[6];
        unsigned n = line_dashes(style->pattern, style->width, dashes);
        put_colour(t, "stroke", style->line);
        put_attribute_number(t, "stroke-width", style->width);
        for (unsigned i = 0; i < n; i++) {
            text_put(t, i ? " " : " stroke-dasharray=\"");
            put_number(t, dashes[i]);
        }
        text_put(t, n ? "\"" : "");
    }
    text_put(t, "/>\n");
}

static void put_letters(Svg *s, const Letters *l)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    Text *t = s->out;
    text_put(t, "<text");
    put_item(s);
    put_attribute_number(t, "x", l->at.x);
    put_attribute_number(t, "y", l->at.y);
    put_attribute_number(t, "font-size", l->size);
    put_colour(t, "fill", l->colour);
    put_attribute(t, "text-anchor", anchors[l->align + 1]);
    put_attribute(t, "font-family", l->font);
    put_attribute(t, "font-weight", l->bold ? "bold" : NULL);
    put_attribute(t, "font-style", l->italic ? "italic" : NULL);
    put_attribute(t, "text-decoration", l->underlined ? "underline" : NULL);
    if (l->fit > 0) {
        put_attribute_number(t, "textLength", l->fit);
        put_attribute(t, "lengthAdjust", "spacingAndGlyphs");
    }
    if (l->angle) {
        text_put(t, " transform=\"rotate(");
        put_number(t, l->angle);
        text_put_char(t, ' ');
        put_point(t, l->at);
        text_put(t, ")\"");
    }
    text_put_char(t, '>');
    text_put_xml(t, l->text);
    text_put(t, "</text>\n");
}

static void put_base64(Text *t, const uint8_t *p, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < n ? (uint32_t)p[i + 1] << 8 : 0) |
                     (i + 2 < n ? p[i + 2] : 0);
        char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
                        i + 1 < n ? digits[v >> 6 & 63] : '=', i + 2 < n ? digits[v & 63] : '='};
        text_put_n(t, four, 4);
    }
}

static void put_image(Svg *s, const Image *i)
{
    Text *t = s->out;
    /* the frame without its scale, so that the proportions of the image are kept */
    double w = hypot(i->frame.xx, i->frame.yx), h = hypot(i->frame.xy, i->frame.yy);
    Affine m = i->frame;
    m.xx /= w > 0 ? w : 1;
    m.yx /= w > 0 ? w : 1;
    m.xy /= h > 0 ? h : 1;
    m.yy /= h > 0 ? h : 1;
    text_put(t, "<image");
    put_item(s);
    put_attribute_number(t, "x", -w);
    put_attribute_number(t, "y", -h);
    put_attribute_number(t, "width", 2 * w);
    put_attribute_number(t, "height", 2 * h);
    put_matrix(t, "transform", &m);
    text_printf(t, " href=\"data:%s;base64,", i->type);
    put_base64(t, i->bytes, i->size);
    text_put(t, "\"/>\n");
}

static void put_group(Svg *s, const Group *g)
{
    Text *t = s->out;
    bool connector = !strcmp(g->kind, "connector");
    text_printf(t, "<g class=\"%s%s\"", g->kind, g->absent ? " absent" : "");
    if (!connector)
        put_attribute(t, "data-component", g->component);
    if (connector || g->is_connector)
        put_attribute(t, "data-connector", g->component);
    put_attribute(t, "data-class", g->class_);
    put_attribute(t, "data-connection", g->connection);
    put_attribute(t, "data-path", g->path);
    if (g->line)
        text_printf(t, " data-line=\"%u\"", g->line);
    put_attribute(t, "data-inherited", g->inherited);
    put_attribute(t, "data-dimensions", g->dimensions);
    put_attribute(t, "data-condition", g->condition);
    put_attribute(t, "data-signals", g->signals);
    if (g->nested)
        text_put(t, " data-nested=\"true\"");
    text_put(t, g->absent ? " opacity=\".3\">" : ">");
    if (g->title) {
        text_put(t, "<title>");
        text_put_xml(t, g->title);
        text_put(t, "</title>");
    }
    text_put_char(t, '\n');
}

static void put_shape(Svg *s, const Shape *shape)
{
    s->item = shape->item;
    switch (shape->kind) {
    case SHAPE_PATH: put_path(s, shape); break;
    case SHAPE_TEXT: put_letters(s, &shape->letters); break;
    case SHAPE_IMAGE: put_image(s, &shape->image); break;
    case SHAPE_OPEN: put_group(s, &shape->group); break;
    case SHAPE_SHUT: text_put(s->out, "</g>\n"); break;
    }
}

static void put_head(Text *t, const Drawing *d)
{
    double w = d->hi.x - d->lo.x, h = d->hi.y - d->lo.y, scale = 4;
    text_put(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
    put_point(t, d->lo);
    text_put_char(t, ' ');
    put_point(t, (Point){w, h});
    text_put_char(t, '"');
    put_attribute_number(t, "width", scale * w);
    put_attribute_number(t, "height", scale * h);
    text_put(t, " font-family=\"'Liberation Sans', Arial, Helvetica, sans-serif\" "
                "stroke-linejoin=\"round\" "
                "role=\"img\"");
    if (d->variables) {
        text_put(t, " data-variables=\"");
        text_put_xml(t, d->variables);
        text_put_char(t, '"');
    }
    if (d->arranged)
        text_put(t, " data-arranged=\"true\"");
    text_put(t, ">\n<title>");
    text_put_xml(t, d->title);
    text_put(t, "</title>\n");
}

void drawing_put_svg(const Drawing *d, Text *out)
{
    Text body = {0};
    Svg s = {.d = d, .out = &body};
    for (uint32_t i = 0; i < d->shapes.n; i++)
        put_shape(&s, &d->shapes.at[i]);
    put_head(out, d);
    if (s.defs.n) {
        text_put(out, "<defs>\n");
        text_put_n(out, s.defs.at, s.defs.n);
        text_put(out, "</defs>\n");
    }
    text_put(out, "<rect class=\"paper\"");
    put_attribute_number(out, "x", d->lo.x);
    put_attribute_number(out, "y", d->lo.y);
    put_attribute_number(out, "width", d->hi.x - d->lo.x);
    put_attribute_number(out, "height", d->hi.y - d->lo.y);
    text_put(out, " fill=\"#fff\"/>\n");
    if (body.n)
        text_put_n(out, body.at, body.n);
    text_put(out, "</svg>\n");
    text_free(&body);
    text_free(&s.defs);
    vec_free(&s.hatches);
}

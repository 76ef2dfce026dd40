/* Pictures through cairo: PNG and PDF. */
#include "graphics/cairo.h"
#include "diagram/drawing.h"

#include <math.h>

static const double SCALE = 6;           /* pixels or points per unit */
static const double MOST_PIXELS = 16000; /* cairo's images end at 32767 */

static void use_colour(cairo_t *cr, Colour c)
{
    cairo_set_source_rgb(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0);
}

static void add_stop(cairo_pattern_t *p, double at, Colour c)
{
    cairo_pattern_add_color_stop_rgb(p, at, c.r / 255.0, c.g / 255.0, c.b / 255.0);
}

/* ---- fillings ---- */

static void fill_gradient(cairo_t *cr, const Style *style)
{
    bool sphere = style->filling == FILL_SPHERE, flat = style->filling == FILL_HORIZONTAL_CYLINDER;
    cairo_pattern_t *p = sphere ? cairo_pattern_create_radial(0, 0, 0, 0, 0, 1)
                         : flat ? cairo_pattern_create_linear(0, -1, 0, 1)
                                : cairo_pattern_create_linear(-1, 0, 1, 0);
    const Affine *f = &style->frame;
    cairo_matrix_t m;
    cairo_matrix_init(&m, f->xx, f->yx, f->xy, f->yy, f->x0, f->y0);
    if (cairo_matrix_invert(&m) == CAIRO_STATUS_SUCCESS)
        cairo_pattern_set_matrix(p, &m);
    add_stop(p, 0, sphere ? style->fill : style->line);
    if (!sphere)
        add_stop(p, 0.5, style->fill);
    add_stop(p, 1, style->line);
    cairo_set_source(cr, p);
    cairo_fill_preserve(cr);
    cairo_pattern_destroy(p);
}

static void hatch(cairo_t *cr, double x0, double y0, double x1, double y1, double dx, double dy)
{
    const double step = 3, reach = (x1 - x0) + (y1 - y0);
    if (dy == 0 || dx == 0) {
        bool flat = dy == 0;
        for (double at = floor((flat ? y0 : x0) / step) * step + step / 2; at < (flat ? y1 : x1);
             at += step) {
            cairo_move_to(cr, flat ? x0 : at, flat ? at : y0);
            cairo_line_to(cr, flat ? x1 : at, flat ? at : y1);
        }
        return;
    }
    double from = dy > 0 ? x0 - (y1 - y0) : x0;
    for (double at = floor(from / step) * step; at < from + reach; at += step) {
        cairo_move_to(cr, at, y0);
        cairo_rel_line_to(cr, dx * (y1 - y0), y1 - y0);
    }
}

static void fill_hatched(cairo_t *cr, const Style *style)
{
    FillPattern p = style->filling;
    use_colour(cr, style->fill);
    cairo_fill_preserve(cr);
    cairo_path_t *path = cairo_copy_path(cr);
    double x0, y0, x1, y1;
    cairo_fill_extents(cr, &x0, &y0, &x1, &y1);
    cairo_save(cr);
    cairo_clip(cr);
    if (p == FILL_HORIZONTAL || p == FILL_CROSS)
        hatch(cr, x0, y0, x1, y1, 1, 0);
    if (p == FILL_VERTICAL || p == FILL_CROSS)
        hatch(cr, x0, y0, x1, y1, 0, 1);
    if (p == FILL_FORWARD || p == FILL_CROSS_DIAG)
        hatch(cr, x0, y0, x1, y1, 1, 1);
    if (p == FILL_BACKWARD || p == FILL_CROSS_DIAG)
        hatch(cr, x0, y0, x1, y1, -1, -1);
    use_colour(cr, style->line);
    cairo_set_line_width(cr, 0.25);
    cairo_stroke(cr);
    cairo_restore(cr);
    cairo_append_path(cr, path);
    cairo_path_destroy(path);
}

/* ---- shapes ---- */

static void draw_path(cairo_t *cr, const Shape *s)
{
    if (s->is_target)
        return;
    cairo_new_path(cr);
    for (uint32_t i = 0; i < s->n_parts; i++) {
        const PathPart *p = &s->parts[i];
        switch (p->kind) {
        case PATH_MOVE: cairo_move_to(cr, p->at[0].x, p->at[0].y); break;
        case PATH_LINE: cairo_line_to(cr, p->at[0].x, p->at[0].y); break;
        case PATH_CURVE:
            cairo_curve_to(cr, p->at[0].x, p->at[0].y, p->at[1].x, p->at[1].y, p->at[2].x,
                           p->at[2].y);
            break;
        case PATH_CLOSE: cairo_close_path(cr); break;
        }
    }
    const Style *style = &s->style;
    if (style->filling >= FILL_HORIZONTAL_CYLINDER) {
        fill_gradient(cr, style);
    } else if (style->filling >= FILL_HORIZONTAL) {
        fill_hatched(cr, style);
    } else if (style->filling == FILL_SOLID) {
        use_colour(cr, style->fill);
        cairo_fill_preserve(cr);
    }
    if (style->pattern != LINE_NONE) {
        double dashes[6];
        unsigned n = line_dashes(style->pattern, style->width, dashes);
        cairo_set_dash(cr, dashes, (int)n, 0);
        use_colour(cr, style->line);
        cairo_set_line_width(cr, style->width);
        cairo_stroke(cr);
    }
    cairo_new_path(cr);
}

static void draw_letters(cairo_t *cr, const Letters *l)
{
    cairo_text_extents_t e;
    cairo_select_font_face(cr, l->font ? l->font : "Liberation Sans",
                           l->italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                           l->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, l->size);
    use_colour(cr, l->colour);
    cairo_text_extents(cr, l->text, &e);
    cairo_save(cr);
    cairo_translate(cr, l->at.x, l->at.y);
    cairo_rotate(cr, l->angle * 3.14159265358979323846 / 180);
    if (l->fit > 0 && e.x_advance > 0)
        cairo_scale(cr, l->fit / e.x_advance, 1);
    cairo_move_to(cr, l->align < 0 ? 0 : l->align ? -e.x_advance : -e.x_advance / 2, 0);
    cairo_show_text(cr, l->text);
    if (l->underlined) {
        cairo_rectangle(cr,
                        l->align < 0 ? 0
                        : l->align   ? -e.x_advance
                                     : -e.x_advance / 2,
                        0.1 * l->size, e.x_advance, 0.06 * l->size);
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

typedef struct Bytes {
    const uint8_t *at;
    size_t left;
} Bytes;

static cairo_status_t read_bytes(void *user, unsigned char *out, unsigned n)
{
    Bytes *b = user;
    if (n > b->left)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(out, b->at, n);
    b->at += n;
    b->left -= n;
    return CAIRO_STATUS_SUCCESS;
}

/* Cairo only reads PNG; other images become a frame. */
static void draw_image(cairo_t *cr, const Image *i)
{
    Bytes bytes = {i->bytes, i->size};
    cairo_surface_t *s = !strcmp(i->type, "image/png")
                             ? cairo_image_surface_create_from_png_stream(read_bytes, &bytes)
                             : NULL;
    bool ok = s && !cairo_surface_status(s);
    const Affine *f = &i->frame;
    double w = 2 * hypot(f->xx, f->yx), h = 2 * hypot(f->xy, f->yy);
    cairo_matrix_t m;
    cairo_matrix_init(&m, f->xx, f->yx, f->xy, f->yy, f->x0, f->y0);
    cairo_save(cr);
    cairo_transform(cr, &m);
    if (ok && w > 0 && h > 0) {
        double iw = cairo_image_surface_get_width(s), ih = cairo_image_surface_get_height(s);
        double k = fmin(w / iw, h / ih);
        cairo_scale(cr, 2 * k / w, 2 * k / h);
        cairo_set_source_surface(cr, s, -iw / 2, -ih / 2);
        cairo_paint(cr);
        cairo_restore(cr);
    } else {
        cairo_rectangle(cr, -1, -1, 2, 2);
        cairo_restore(cr);
        cairo_set_line_width(cr, 0.25);
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_set_source_rgb(cr, 0.6, 0.6, 0.6);
        cairo_stroke(cr);
    }
    cairo_surface_destroy(s);
}

static void draw_shapes(cairo_t *cr, const Drawing *d)
{
    VEC(bool) faint = {0};
    for (uint32_t i = 0; i < d->shapes.n; i++) {
        const Shape *s = &d->shapes.at[i];
        switch (s->kind) {
        case SHAPE_PATH: draw_path(cr, s); break;
        case SHAPE_TEXT: draw_letters(cr, &s->letters); break;
        case SHAPE_IMAGE: draw_image(cr, &s->image); break;
        case SHAPE_OPEN:
            vec_push(&faint, s->group.absent);
            if (s->group.absent)
                cairo_push_group(cr);
            break;
        case SHAPE_SHUT:
            if (vec_pop(&faint)) {
                cairo_pop_group_to_source(cr);
                cairo_paint_with_alpha(cr, 0.3);
            }
            break;
        }
    }
    vec_free(&faint);
}

/* ---- files ---- */

/* The whole drawing as a PDF in the text `pdf`, or as an image of at most `pixels` in each
 * direction if it is NULL. *status is the result. */
static cairo_surface_t *paint(const Drawing *d, Text *pdf, double pixels, cairo_status_t *status)
{
    double w = d->hi.x - d->lo.x, h = d->hi.y - d->lo.y, scale = pdf ? 72 / 25.4 : SCALE;
    if (!pdf && fmax(w, h) * scale > pixels)
        scale = pixels / fmax(w, h);
    cairo_surface_t *surface =
        pdf ? cairo_pdf_surface_create_for_stream(picture_put, pdf, w * scale, h * scale)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(w * scale),
                                         (int)ceil(h * scale));
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_scale(cr, scale, scale);
    cairo_translate(cr, -d->lo.x, -d->lo.y);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    draw_shapes(cr, d);
    *status = cairo_status(cr);
    cairo_destroy(cr);
    return surface;
}

static cairo_status_t put_picture(const Drawing *d, bool pdf, double pixels, Text *out)
{
    cairo_status_t status;
    cairo_surface_t *surface = paint(d, pdf ? out : NULL, pixels, &status);
    if (!status && !pdf)
        status = cairo_surface_write_to_png_stream(surface, picture_put, out);
    return picture_end(surface, status);
}

bool drawing_put_png(Context *ctx, const Drawing *d, double pixels, Text *out)
{
    return cairo_load(ctx) && !put_picture(d, false, pixels, out);
}

bool drawing_save(Context *ctx, const Drawing *d, const char *path)
{
    if (!cairo_load(ctx))
        return false;
    Text t = {0};
    bool pdf = text_ends_with(path, ".pdf");
    bool ok = picture_save(ctx, path, &t, put_picture(d, pdf, MOST_PIXELS, &t));
    text_free(&t);
    return ok;
}

/* Plots drawn with cairo: SVG, PNG, PDF. */
#include "graphics/cairo.h"
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>

enum {
    WIDTH = 900,
    PANE = 230,
    SQUARE = 620,
    TOP = 68,
    BOTTOM = 52,
    LEFT = 86,
    RIGHT = 24,
    GAP = 36
};

/* Okabe and Ito: distinguished also by the colour-blind. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
    {0.80, 0.47, 0.65}, {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00},
};
enum { N_COLOURS = sizeof palette / sizeof *palette };

typedef struct Canvas {
    cairo_t *cr;
    PlotFigure *f;
    double height; /* of a pane */
    /* the pane being drawn */
    const PlotPane *p;
    double top;
    bool labels; /* texts below it */
} Canvas;

static double at_x(const Canvas *c, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * plot_share(x, c->f->x0, c->f->x1, c->f->options->log_x);
}

static double at_y(const Canvas *c, double y)
{
    return c->top + c->height * (1 - plot_share(y, c->p->lo, c->p->hi, c->f->options->log_y));
}

/* In the middle around x, but not beyond the right edge. */
static void put_label(cairo_t *cr, double x, double y, const char *s)
{
    cairo_text_extents_t e;
    cairo_text_extents(cr, s, &e);
    cairo_move_to(cr, fmin(x - e.x_advance / 2, WIDTH - 2 - e.x_advance), y);
    cairo_show_text(cr, s);
}

static void put_text(cairo_t *cr, double x, double y, double align, const char *s)
{
    cairo_text_extents_t e;
    cairo_text_extents(cr, s, &e);
    cairo_move_to(cr, x - align * e.x_advance, y);
    cairo_show_text(cr, s);
}

static void grey(cairo_t *cr, double level)
{
    cairo_set_source_rgb(cr, level, level, level);
}

static void use_colour(cairo_t *cr, uint32_t number)
{
    const double *c = palette[number % N_COLOURS];
    cairo_set_source_rgb(cr, c[0], c[1], c[2]);
}

/* Beyond the first six colours, lines are dashed. */
static void use_dashes(cairo_t *cr, uint32_t number)
{
    static const double dashes[][2] = {{0, 0}, {7, 4}, {2, 3}};
    uint32_t k = number / N_COLOURS % 3;
    cairo_set_dash(cr, dashes[k], k ? 2 : 0, 0);
}

/* ---- the pane ---- */

static void y_tick(void *user, double y, const char *text)
{
    Canvas *c = user;
    double at = floor(at_y(c, y)) + 0.5;
    grey(c->cr, 0.9);
    cairo_move_to(c->cr, LEFT, at);
    cairo_rel_line_to(c->cr, WIDTH - LEFT - RIGHT, 0);
    cairo_stroke(c->cr);
    grey(c->cr, 0.25);
    put_text(c->cr, LEFT - 8, at + 4, 1, text);
}

static void x_tick(void *user, double x, const char *text)
{
    Canvas *c = user;
    double at = floor(at_x(c, x)) + 0.5;
    grey(c->cr, 0.9);
    cairo_move_to(c->cr, at, c->top);
    cairo_rel_line_to(c->cr, 0, c->height);
    cairo_stroke(c->cr);
    grey(c->cr, 0.25);
    if (c->labels)
        put_label(c->cr, at, c->top + c->height + 18, text);
}

static void draw_grid(Canvas *c)
{
    const PlotOptions *o = c->f->options;
    cairo_set_line_width(c->cr, 1);
    plot_ticks(c->p->lo, c->p->hi, o->log_y, c->height > 400 ? 9 : 5, y_tick, c);
    plot_ticks(c->f->x0, c->f->x1, o->log_x, 8, x_tick, c);
    grey(c->cr, 0.55);
    cairo_rectangle(c->cr, LEFT + 0.5, c->top + 0.5, WIDTH - LEFT - RIGHT, c->height);
    cairo_stroke(c->cr);
}

/* Events as fine lines through the pane, if they can be distinguished. */
static void draw_events(Canvas *c)
{
    const PlotFigure *f = c->f;
    double last = -10;
    if (f->options->x || !f->options->events)
        return;
    cairo_set_line_width(c->cr, 0.6);
    cairo_set_source_rgba(c->cr, 0.35, 0.35, 0.35, 0.55);
    for (uint32_t i = 0; i < f->events.n; i++) {
        double x = at_x(c, f->events.at[i]);
        if (x < last + 1.5)
            continue;
        last = x;
        cairo_move_to(c->cr, x, c->top);
        cairo_rel_line_to(c->cr, 0, c->height);
    }
    cairo_stroke(c->cr);
}

/* ---- curves ---- */

/* Over time: rows in one column of pixels are drawn as the vertical line from their smallest to
 * their largest value. No peak is lost, for any number of rows. */
static uint32_t draw_rows(Canvas *c, const PlotCurve *v, uint32_t i, bool pen)
{
    double x = at_x(c, curve_x(v, i)), first = curve_y(v, i), lo = first, hi = first, last = first;
    uint32_t k = i + 1;
    for (;
         v->x == NONE && k < v->table->n_rows && at_x(c, curve_x(v, k)) < x + 0.25 && v->by == NONE;
         k++) {
        double y = curve_y(v, k);
        lo = fmin(lo, y);
        hi = fmax(hi, y);
        last = y;
    }
    if (pen)
        cairo_line_to(c->cr, x, at_y(c, first));
    else
        cairo_move_to(c->cr, x, at_y(c, first));
    if (k > i + 1) {
        cairo_line_to(c->cr, x, at_y(c, lo));
        cairo_line_to(c->cr, x, at_y(c, hi));
        cairo_line_to(c->cr, x, at_y(c, last));
    }
    return k;
}

static bool is_drawable(const Canvas *c, const PlotCurve *v, uint32_t i)
{
    double x = curve_x(v, i), y = curve_y(v, i);
    const PlotOptions *o = c->f->options;
    return isfinite(x) && isfinite(y) && !(o->log_x && x <= 0) && !(o->log_y && y <= 0);
}

static uint32_t colour_at(const Canvas *c, const PlotCurve *v, uint32_t row)
{
    return v->by == NONE ? v->colour : plot_mode(c->f, v->table->columns[v->by][row]);
}

static void draw_curve(Canvas *c, const PlotCurve *v)
{
    bool pen = false;
    uint32_t colour = colour_at(c, v, 0);
    use_colour(c->cr, colour);
    use_dashes(c->cr, v->by == NONE ? v->colour : 0);
    for (uint32_t i = 0; i < v->table->n_rows;) {
        if (!is_drawable(c, v, i)) {
            pen = false;
            i++;
            continue;
        }
        uint32_t now = colour_at(c, v, i);
        if (now != colour && pen) { /* the line up to here keeps its colour */
            cairo_line_to(c->cr, at_x(c, curve_x(v, i)), at_y(c, curve_y(v, i)));
            cairo_stroke(c->cr);
            pen = false;
        }
        if (now != colour)
            use_colour(c->cr, colour = now);
        i = draw_rows(c, v, i, pen);
        pen = true;
    }
    cairo_stroke(c->cr);
    cairo_set_dash(c->cr, NULL, 0, 0);
}

/* ---- legends: above the pane, so that no curve is covered ---- */

static double put_key(Canvas *c, double x, uint32_t colour, bool dashed, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(c->cr, text, &e);
    use_colour(c->cr, colour);
    use_dashes(c->cr, dashed ? colour : 0);
    cairo_set_line_width(c->cr, 2.2);
    cairo_move_to(c->cr, x, c->top - 12.5);
    cairo_rel_line_to(c->cr, 18, 0);
    cairo_stroke(c->cr);
    cairo_set_dash(c->cr, NULL, 0, 0);
    grey(c->cr, 0.1);
    put_text(c->cr, x + 24, c->top - 8, 0, text);
    return x + e.x_advance + 46;
}

static void draw_legend(Canvas *c)
{
    double x = LEFT;
    const PlotFigure *f = c->f;
    bool by_mode = f->options->colour && f->modes.n;
    if (by_mode) {
        char text[200];
        const char *y = c->p->curves.n ? c->p->curves.at[0].label : "";
        grey(c->cr, 0.1);
        put_text(c->cr, x, c->top - 8, 0, y);
        cairo_text_extents_t e;
        cairo_text_extents(c->cr, y, &e);
        x += e.x_advance + 24;
        for (uint32_t i = 0; i < f->modes.n; i++) {
            snprintf(text, sizeof text, "%s = %g", f->options->colour, f->modes.at[i]);
            x = put_key(c, x, i, false, text);
        }
        return;
    }
    for (uint32_t i = 0; i < c->p->curves.n; i++)
        x = put_key(c, x, c->p->curves.at[i].colour, true, c->p->curves.at[i].label);
}

static void draw_pane(Canvas *c)
{
    draw_grid(c);
    cairo_save(c->cr);
    cairo_rectangle(c->cr, LEFT, c->top, WIDTH - LEFT - RIGHT, c->height);
    cairo_clip(c->cr);
    draw_events(c);
    cairo_set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(c->cr, 1.6);
    for (uint32_t i = 0; i < c->p->curves.n; i++)
        draw_curve(c, &c->p->curves.at[i]);
    cairo_restore(c->cr);
    draw_legend(c);
}

static void draw_figure(Canvas *c)
{
    cairo_t *cr = c->cr;
    PlotFigure *f = c->f;
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, 15);
    grey(cr, 0.1);
    put_text(cr, LEFT, 28, 0, f->options->title);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, 12);
    c->top = TOP;
    for (uint32_t i = 0; i < f->panes.n; i++, c->top += c->height + GAP) {
        c->p = &f->panes.at[i];
        c->labels = i + 1 == f->panes.n;
        draw_pane(c);
    }
    grey(cr, 0.1);
    put_text(cr, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, c->top - GAP + 40, 0.5, f->x_title);
}

/* ---- files ---- */

static cairo_surface_t *new_surface(const char *path, int height, Text *out)
{
    if (text_ends_with(path, ".svg"))
        return cairo_svg_surface_create_for_stream(picture_put, out, WIDTH, height);
    if (text_ends_with(path, ".pdf"))
        return cairo_pdf_surface_create_for_stream(picture_put, out, WIDTH, height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * WIDTH, 2 * height);
}

static cairo_status_t put_figure(PlotFigure *f, const char *path, Text *out)
{
    Canvas c = {.f = f, .height = f->options->x && f->panes.n == 1 ? SQUARE : PANE};
    int height = TOP + BOTTOM + (int)(f->panes.n * (c.height + GAP)) - GAP;
    bool image = text_ends_with(path, ".png");
    cairo_surface_t *surface = new_surface(path, height, out);
    c.cr = cairo_create(surface);
    if (image)
        cairo_scale(c.cr, 2, 2);
    draw_figure(&c);
    cairo_status_t status = cairo_status(c.cr);
    cairo_destroy(c.cr);
    if (image && !status)
        status = cairo_surface_write_to_png_stream(surface, picture_put, out);
    return picture_end(surface, status);
}

bool plot_draw(Context *ctx, PlotFigure *f, const char *path)
{
    if (!text_ends_with(path, ".svg") && !text_ends_with(path, ".png") &&
        !text_ends_with(path, ".pdf")) {
        diag(ctx, (Span){0}, DIAG_U008,
             "'%s' has no known format; use a name that ends with .svg, .png, .pdf or .html", path);
        return false;
    }
    if (!cairo_load(ctx))
        return false;
    Text t = {0};
    bool ok = picture_save(ctx, path, &t, put_figure(f, path, &t));
    text_free(&t);
    return ok;
}

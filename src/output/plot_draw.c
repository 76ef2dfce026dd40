/* Plots drawn with cairo: SVG, PNG, PDF. */
#include "output/cairo_api.h"
#include "output/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, PANE = 230, SQUARE = 620, TOP = 68, BOTTOM = 52, LEFT = 86, RIGHT = 24, GAP = 36 };

/* Okabe and Ito: told apart also by the colour-blind. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
    {0.80, 0.47, 0.65}, {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00},
};
enum { N_COLOURS = sizeof palette / sizeof *palette };

typedef struct Canvas {
    CairoApi k;
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

static void put_text(const Canvas *c, double x, double y, double align, const char *s)
{
    cairo_text_extents_t e;
    c->k.text_extents(c->cr, s, &e);
    c->k.move_to(c->cr, x - align * e.x_advance, y);
    c->k.show_text(c->cr, s);
}

static void grey(const Canvas *c, double level)
{
    c->k.set_source_rgb(c->cr, level, level, level);
}

static void use_colour(const Canvas *c, uint32_t number)
{
    const double *rgb = palette[number % N_COLOURS];
    c->k.set_source_rgb(c->cr, rgb[0], rgb[1], rgb[2]);
}

/* Beyond the first six colours, lines are dashed. */
static void use_dashes(const Canvas *c, uint32_t number)
{
    static const double dashes[][2] = {{0, 0}, {7, 4}, {2, 3}};
    uint32_t k = number / N_COLOURS % 3;
    c->k.set_dash(c->cr, dashes[k], k ? 2 : 0, 0);
}

/* ---- the pane ---- */

static void y_tick(void *user, double y, const char *text)
{
    Canvas *c = user;
    double at = floor(at_y(c, y)) + 0.5;
    grey(c, 0.9);
    c->k.move_to(c->cr, LEFT, at);
    c->k.rel_line_to(c->cr, WIDTH - LEFT - RIGHT, 0);
    c->k.stroke(c->cr);
    grey(c, 0.25);
    put_text(c, LEFT - 8, at + 4, 1, text);
}

static void x_tick(void *user, double x, const char *text)
{
    Canvas *c = user;
    double at = floor(at_x(c, x)) + 0.5;
    grey(c, 0.9);
    c->k.move_to(c->cr, at, c->top);
    c->k.rel_line_to(c->cr, 0, c->height);
    c->k.stroke(c->cr);
    grey(c, 0.25);
    if (c->labels)
        put_text(c, at, c->top + c->height + 18, 0.5, text);
}

static void draw_grid(Canvas *c)
{
    const PlotOptions *o = c->f->options;
    c->k.set_line_width(c->cr, 1);
    plot_ticks(c->p->lo, c->p->hi, o->log_y, c->height > 400 ? 9 : 5, y_tick, c);
    plot_ticks(c->f->x0, c->f->x1, o->log_x, 8, x_tick, c);
    grey(c, 0.55);
    c->k.rectangle(c->cr, LEFT + 0.5, c->top + 0.5, WIDTH - LEFT - RIGHT, c->height);
    c->k.stroke(c->cr);
}

/* Events as fine lines through the pane, where they can be told apart. */
static void draw_events(Canvas *c)
{
    const PlotFigure *f = c->f;
    double last = -10;
    if (f->options->x)
        return;
    c->k.set_line_width(c->cr, 0.6);
    c->k.set_source_rgba(c->cr, 0.35, 0.35, 0.35, 0.55);
    for (uint32_t i = 0; i < f->events.n; i++) {
        double x = at_x(c, f->events.at[i]);
        if (x < last + 1.5)
            continue;
        last = x;
        c->k.move_to(c->cr, x, c->top);
        c->k.rel_line_to(c->cr, 0, c->height);
    }
    c->k.stroke(c->cr);
}

/* ---- curves ---- */

/* Over time: rows that fall on one column of pixels are drawn as the vertical line from their least to their greatest value,
 * so that no peak is lost however many rows there are. */
static uint32_t draw_rows(Canvas *c, const PlotCurve *v, uint32_t i, bool pen)
{
    double x = at_x(c, curve_x(v, i)), first = curve_y(v, i), lo = first, hi = first, last = first;
    uint32_t k = i + 1;
    for (; v->x == NONE && k < v->table->n_rows && at_x(c, curve_x(v, k)) < x + 0.25 && v->by == NONE; k++) {
        double y = curve_y(v, k);
        lo = fmin(lo, y);
        hi = fmax(hi, y);
        last = y;
    }
    if (pen)
        c->k.line_to(c->cr, x, at_y(c, first));
    else
        c->k.move_to(c->cr, x, at_y(c, first));
    if (k > i + 1) {
        c->k.line_to(c->cr, x, at_y(c, lo));
        c->k.line_to(c->cr, x, at_y(c, hi));
        c->k.line_to(c->cr, x, at_y(c, last));
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
    use_colour(c, colour);
    use_dashes(c, v->by == NONE ? v->colour : 0);
    for (uint32_t i = 0; i < v->table->n_rows;) {
        if (!is_drawable(c, v, i)) {
            pen = false;
            i++;
            continue;
        }
        uint32_t now = colour_at(c, v, i);
        if (now != colour && pen) { /* the line up to here keeps its colour */
            c->k.line_to(c->cr, at_x(c, curve_x(v, i)), at_y(c, curve_y(v, i)));
            c->k.stroke(c->cr);
            pen = false;
        }
        if (now != colour)
            use_colour(c, colour = now);
        i = draw_rows(c, v, i, pen);
        pen = true;
    }
    c->k.stroke(c->cr);
    c->k.set_dash(c->cr, NULL, 0, 0);
}

/* ---- legends: above the pane, so that no curve is covered ---- */

static double put_key(Canvas *c, double x, uint32_t colour, bool dashed, const char *text)
{
    cairo_text_extents_t e;
    c->k.text_extents(c->cr, text, &e);
    use_colour(c, colour);
    use_dashes(c, dashed ? colour : 0);
    c->k.set_line_width(c->cr, 2.2);
    c->k.move_to(c->cr, x, c->top - 12.5);
    c->k.rel_line_to(c->cr, 18, 0);
    c->k.stroke(c->cr);
    c->k.set_dash(c->cr, NULL, 0, 0);
    grey(c, 0.1);
    put_text(c, x + 24, c->top - 8, 0, text);
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
        grey(c, 0.1);
        put_text(c, x, c->top - 8, 0, y);
        cairo_text_extents_t e;
        c->k.text_extents(c->cr, y, &e);
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
    c->k.save(c->cr);
    c->k.rectangle(c->cr, LEFT, c->top, WIDTH - LEFT - RIGHT, c->height);
    c->k.clip(c->cr);
    draw_events(c);
    c->k.set_line_join(c->cr, CAIRO_LINE_JOIN_ROUND);
    c->k.set_line_width(c->cr, 1.6);
    for (uint32_t i = 0; i < c->p->curves.n; i++)
        draw_curve(c, &c->p->curves.at[i]);
    c->k.restore(c->cr);
    draw_legend(c);
}

static void draw_figure(Canvas *c)
{
    PlotFigure *f = c->f;
    c->k.set_source_rgb(c->cr, 1, 1, 1);
    c->k.paint(c->cr);
    c->k.select_font_face(c->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    c->k.set_font_size(c->cr, 15);
    grey(c, 0.1);
    put_text(c, LEFT, 28, 0, f->options->title);
    c->k.select_font_face(c->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    c->k.set_font_size(c->cr, 12);
    c->top = TOP;
    for (uint32_t i = 0; i < f->panes.n; i++, c->top += c->height + GAP) {
        c->p = &f->panes.at[i];
        c->labels = i + 1 == f->panes.n;
        draw_pane(c);
    }
    grey(c, 0.1);
    put_text(c, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, c->top - GAP + 40, 0.5, f->x_title);
}

/* ---- files ---- */

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && !strcmp(path + n - k, ending);
}

static cairo_surface_t *new_surface(const CairoApi *k, const char *path, int height)
{
    if (has_ending(path, ".svg"))
        return k->svg_surface_create(path, WIDTH, height);
    if (has_ending(path, ".pdf"))
        return k->pdf_surface_create(path, WIDTH, height);
    return k->image_surface_create(CAIRO_FORMAT_RGB24, 2 * WIDTH, 2 * height);
}

static cairo_status_t write_figure(Canvas *c, const char *path)
{
    const CairoApi *k = &c->k;
    const PlotFigure *f = c->f;
    c->height = f->options->x && f->panes.n == 1 ? SQUARE : PANE;
    int height = TOP + BOTTOM + (int)(f->panes.n * (c->height + GAP)) - GAP;
    bool image = has_ending(path, ".png");
    cairo_surface_t *surface = new_surface(k, path, height);
    c->cr = k->create(surface);
    if (image)
        k->scale(c->cr, 2, 2);
    draw_figure(c);
    cairo_status_t status = k->status(c->cr);
    k->destroy(c->cr);
    if (image && !status)
        status = k->surface_write_to_png(surface, path);
    k->surface_finish(surface);
    if (!status)
        status = k->surface_status(surface);
    k->surface_destroy(surface);
    return status;
}

bool plot_draw(Context *ctx, PlotFigure *f, const char *path)
{
    if (!has_ending(path, ".svg") && !has_ending(path, ".png") && !has_ending(path, ".pdf")) {
        diag(ctx, (Span){0}, DIAG_U008,
             "'%s' does not say a format; use a name that ends with .svg, .png or .pdf", path);
        return false;
    }
    Canvas c = {.f = f};
    if (!cairo_api_open(&c.k, ctx))
        return false;
    errno = 0;
    cairo_status_t status = write_figure(&c, path);
    if (status)
        diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path,
             status == CAIRO_STATUS_WRITE_ERROR && errno ? strerror(errno) : c.k.status_to_string(status));
    return !status;
}

/* Plots of trajectories over time, drawn with cairo: one pane or several with a common time axis. */
#include "output/output.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

enum {
    WIDTH = 900,
    PANE = 230,
    TOP = 68,
    BOTTOM = 52,
    LEFT = 86,
    RIGHT = 24,
    GAP = 36,
    MAX_CURVES = 4,
    MAX_CHOSEN = 6
};

/* Okabe and Ito: told apart also by the colour-blind. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45},
    {0.80, 0.47, 0.65}, {0.34, 0.71, 0.91}, {0.90, 0.62, 0.00},
};

typedef struct Pane {
    uint32_t curves[MAX_CURVES]; /* columns of the table */
    uint32_t n;
    double lo, hi;
} Pane;

typedef struct Figure {
    cairo_t *cr;
    const Table *table;
    VEC(Pane) panes;
    double t0, t1;
} Figure;

/* ---- what to draw ---- */

static void range_of(const Table *t, uint32_t column, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        double y = t->columns[column][i];
        if (isfinite(y)) {
            *lo = fmin(*lo, y);
            *hi = fmax(*hi, y);
        }
    }
    if (*lo > *hi)
        *lo = *hi = 0;
}

/* Variables of like size share a pane. */
static bool fits(const Pane *p, double lo, double hi)
{
    double have = p->hi - p->lo, add = hi - lo, both = fmax(p->hi, hi) - fmin(p->lo, lo);
    return p->n < MAX_CURVES && add < 4 * have && have < 4 * add && both < 2 * fmax(have, add);
}

static void add_curve(Figure *f, uint32_t column)
{
    double lo, hi;
    range_of(f->table, column, &lo, &hi);
    Pane *p = NULL;
    for (uint32_t i = 0; i < f->panes.n && !p; i++)
        if (fits(&f->panes.at[i], lo, hi))
            p = &f->panes.at[i];
    if (!p) {
        vec_push(&f->panes, ((Pane){.lo = lo, .hi = hi}));
        p = &vec_last(&f->panes);
    }
    p->curves[p->n++] = column;
    p->lo = fmin(p->lo, lo);
    p->hi = fmax(p->hi, hi);
}

static bool is_state(const Table *t, uint32_t column)
{
    char name[256];
    return snprintf(name, sizeof name, "der(%s)", t->names[column]) < (int)sizeof name &&
           table_find(t, name) != NONE;
}

/* The states, those nearest to the top of the model first; without states, whatever varies. */
static void choose_curves(Figure *f)
{
    const Table *t = f->table;
    for (int states = 1; states >= 0 && !f->panes.n; states--) {
        unsigned chosen = 0;
        for (int depth = 0; depth < 8 && chosen < MAX_CHOSEN; depth++)
            for (uint32_t j = 0; j < t->n_columns && chosen < MAX_CHOSEN; j++) {
                int dots = 0;
                for (const char *s = t->names[j]; *s; s++)
                    dots += *s == '.';
                double lo, hi;
                range_of(t, j, &lo, &hi);
                if (dots != depth || hi == lo || (states ? !is_state(t, j) : !strncmp(t->names[j], "der(", 4)))
                    continue;
                add_curve(f, j);
                chosen++;
            }
    }
    if (!f->panes.n && t->n_columns)
        add_curve(f, 0);
}

static bool take_curves(Context *ctx, Figure *f, const char *const *variables, uint32_t n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = table_find(f->table, variables[i]);
        if (j == NONE) {
            table_tell_missing(ctx, f->table, variables[i]);
            ok = false;
        } else {
            add_curve(f, j);
        }
    }
    return ok;
}

/* ---- axes ---- */

/* A step of 1, 2 or 5 times a power of ten that gives about n ticks. */
static double tick_step(double lo, double hi, int n)
{
    double raw = (hi - lo) / n, power = pow(10, floor(log10(raw))), m = raw / power;
    return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

static void tick_text(double x, double step, char *buf, size_t size)
{
    double a = fabs(x) < step * 1e-6 ? 0 : x;
    if (a != 0 && (fabs(a) >= 1e5 || step < 1e-4))
        snprintf(buf, size, "%.4g", a);
    else
        snprintf(buf, size, "%.*f", step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9), a);
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

static void widen(double *lo, double *hi)
{
    double span = *hi - *lo;
    double by = span > 0 ? 0.06 * span : fmax(0.5 * fabs(*lo), 0.5);
    *lo -= by;
    *hi += by;
}

static void draw_grid(Figure *f, const Pane *p, double top, bool labels)
{
    cairo_t *cr = f->cr;
    double step = tick_step(p->lo, p->hi, 5), w = WIDTH - LEFT - RIGHT;
    char text[32];
    cairo_set_line_width(cr, 1);
    for (double y = ceil(p->lo / step) * step; y <= p->hi; y += step) {
        double at = floor(top + PANE * (p->hi - y) / (p->hi - p->lo)) + 0.5;
        grey(cr, 0.9);
        cairo_move_to(cr, LEFT, at);
        cairo_rel_line_to(cr, w, 0);
        cairo_stroke(cr);
        tick_text(y, step, text, sizeof text);
        grey(cr, 0.25);
        put_text(cr, LEFT - 8, at + 4, 1, text);
    }
    step = tick_step(f->t0, f->t1, 8);
    for (double t = ceil(f->t0 / step - 1e-9) * step; t <= f->t1 + 1e-9 * step; t += step) {
        double at = floor(LEFT + w * (t - f->t0) / (f->t1 - f->t0)) + 0.5;
        grey(cr, 0.9);
        cairo_move_to(cr, at, top);
        cairo_rel_line_to(cr, 0, PANE);
        cairo_stroke(cr);
        tick_text(t, step, text, sizeof text);
        grey(cr, 0.25);
        if (labels)
            put_text(cr, at, top + PANE + 18, 0.5, text);
    }
    grey(cr, 0.55);
    cairo_rectangle(cr, LEFT + 0.5, top + 0.5, w, PANE);
    cairo_stroke(cr);
}

/* ---- curves ---- */

typedef struct View {
    double t0, t_scale, hi, y_scale, top;
} View;

static double view_x(const View *v, double t)
{
    return LEFT + (t - v->t0) * v->t_scale;
}
static double view_y(const View *v, double y)
{
    return v->top + (v->hi - y) * v->y_scale;
}

/* Rows that fall on one column of pixels are drawn as the vertical line from their least to their greatest value, so that no
 * peak is lost however many rows there are. */
static void draw_curve(cairo_t *cr, const Table *t, const double *y, const View *v)
{
    bool pen = false;
    for (uint32_t i = 0; i < t->n_rows;) {
        double x = view_x(v, t->time[i]), lo = y[i], hi = y[i], first = y[i], last = y[i];
        uint32_t k = i + 1;
        for (; k < t->n_rows && view_x(v, t->time[k]) < x + 0.25; k++) {
            lo = fmin(lo, y[k]);
            hi = fmax(hi, y[k]);
            last = y[k];
        }
        if (!isfinite(first)) {
            pen = false;
            i++;
            continue;
        }
        if (pen)
            cairo_line_to(cr, x, view_y(v, first));
        else
            cairo_move_to(cr, x, view_y(v, first));
        if (k > i + 1) {
            cairo_line_to(cr, x, view_y(v, lo));
            cairo_line_to(cr, x, view_y(v, hi));
            cairo_line_to(cr, x, view_y(v, last));
        }
        pen = true;
        i = k;
    }
    cairo_stroke(cr);
}

/* Above the pane, so that no curve is covered. */
static void draw_legend(Figure *f, const Pane *p, double top, uint32_t first_colour)
{
    cairo_t *cr = f->cr;
    double x = LEFT;
    for (uint32_t i = 0; i < p->n; i++) {
        const char *name = f->table->names[p->curves[i]], *unit = f->table->units[p->curves[i]];
        char text[160];
        snprintf(text, sizeof text, unit && *unit ? "%s [%s]" : "%s", name, unit);
        const double *c = palette[(first_colour + i) % (sizeof palette / sizeof *palette)];
        cairo_text_extents_t e;
        cairo_text_extents(cr, text, &e);
        cairo_set_source_rgb(cr, c[0], c[1], c[2]);
        cairo_set_line_width(cr, 2.2);
        cairo_move_to(cr, x, top - 12.5);
        cairo_rel_line_to(cr, 18, 0);
        cairo_stroke(cr);
        grey(cr, 0.1);
        put_text(cr, x + 24, top - 8, 0, text);
        x += e.x_advance + 46;
    }
}

static void draw_pane(Figure *f, Pane *p, double top, bool last, uint32_t first_colour)
{
    cairo_t *cr = f->cr;
    widen(&p->lo, &p->hi);
    draw_grid(f, p, top, last);
    View v = {f->t0, (WIDTH - LEFT - RIGHT) / (f->t1 - f->t0), p->hi, PANE / (p->hi - p->lo), top};
    cairo_save(cr);
    cairo_rectangle(cr, LEFT, top, WIDTH - LEFT - RIGHT, PANE);
    cairo_clip(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (uint32_t i = 0; i < p->n; i++) {
        const double *c = palette[(first_colour + i) % (sizeof palette / sizeof *palette)];
        cairo_set_source_rgb(cr, c[0], c[1], c[2]);
        cairo_set_line_width(cr, 1.6);
        draw_curve(cr, f->table, f->table->columns[p->curves[i]], &v);
    }
    cairo_restore(cr);
    draw_legend(f, p, top, first_colour);
}

static void draw(Figure *f, const char *title)
{
    cairo_t *cr = f->cr;
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, 15);
    grey(cr, 0.1);
    put_text(cr, LEFT, 28, 0, title);
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, 12);
    uint32_t colour = 0;
    double top = TOP;
    for (uint32_t i = 0; i < f->panes.n; i++, top += PANE + GAP) {
        draw_pane(f, &f->panes.at[i], top, i + 1 == f->panes.n, colour);
        colour += f->panes.at[i].n;
    }
    grey(cr, 0.1);
    put_text(cr, LEFT + (WIDTH - LEFT - RIGHT) / 2.0, top - GAP + 40, 0.5, "time [s]");
}

/* ---- files ---- */

static bool has_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && !strcmp(path + n - k, ending);
}

static bool write_figure(Context *ctx, Figure *f, const char *title, const char *path)
{
    int height = TOP + BOTTOM + (int)f->panes.n * (PANE + GAP) - GAP;
    bool svg = has_ending(path, ".svg");
    cairo_surface_t *surface = svg ? cairo_svg_surface_create(path, WIDTH, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * WIDTH, 2 * height);
    f->cr = cairo_create(surface);
    if (!svg)
        cairo_scale(f->cr, 2, 2);
    draw(f, title);
    cairo_status_t status = cairo_status(f->cr);
    cairo_destroy(f->cr);
    if (!svg && !status)
        status = cairo_surface_write_to_png(surface, path);
    cairo_surface_finish(surface);
    if (!status)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status)
        diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path,
             status == CAIRO_STATUS_WRITE_ERROR && errno ? strerror(errno) : cairo_status_to_string(status));
    return !status;
}

bool plot_table(Context *ctx, const Table *t, const char *const *variables, uint32_t n, const char *title,
                const char *path)
{
    if (!has_ending(path, ".svg") && !has_ending(path, ".png")) {
        diag(ctx, (Span){0}, DIAG_U008, "'%s' does not say a format; use a name that ends with .svg or .png",
             path);
        return false;
    }
    Figure f = {.table = t, .t0 = t->time[0], .t1 = t->time[t->n_rows - 1]};
    if (f.t1 <= f.t0)
        widen(&f.t0, &f.t1);
    bool ok = n ? take_curves(ctx, &f, variables, n) : (choose_curves(&f), true);
    errno = 0;
    ok = ok && write_figure(ctx, &f, title, path);
    vec_free(&f.panes);
    return ok;
}

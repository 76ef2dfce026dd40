/* Plots as pages of HTML: the curves as data, drawn by the script of the page. */
#include "base/atomic_file.h"
#include "plot/figure.h"
#include "page/page.h"

#include <math.h>

enum { PIECES = 5000 }; /* of a curve over time that has more rows than four times as many */

static void put_number(Text *t, double x)
{
    if (isfinite(x))
        text_printf(t, "%.8g", x);
    else
        text_put(t, "null");
}

static void put_range(Text *t, const char *name, double lo, double hi)
{
    text_printf(t, "\"%s\":[", name);
    text_put_real(t, lo);
    text_put_char(t, ',');
    text_put_real(t, hi);
    text_put_char(t, ']');
}

static void put_values(Text *t, const char *name, const double *values, const uint32_t *rows,
                       uint32_t n)
{
    text_printf(t, ",\"%s\":[", name);
    for (uint32_t i = 0; i < n; i++) {
        text_put(t, i ? "," : "");
        put_number(t, values[rows[i]]);
    }
    text_put_char(t, ']');
}

static void put_modes(Text *t, const PlotFigure *f, const PlotCurve *c, const uint32_t *rows,
                      uint32_t n)
{
    text_put(t, ",\"by\":[");
    for (uint32_t i = 0; i < n; i++)
        text_printf(t, "%s%u", i ? "," : "", plot_mode(f, c->table->columns[c->by][rows[i]]));
    text_put_char(t, ']');
}

/* Curves over another variable, or coloured by one, keep all their rows. */
static void put_curve(Text *t, const PlotFigure *f, const PlotCurve *c)
{
    const Table *table = c->table;
    uint32_t *rows = memory_alloc(sizeof *rows * table->n_rows);
    bool plain = c->x == NONE && c->by == NONE;
    uint32_t n =
        plot_reduce(table->time, table->columns[c->y], table->n_rows, plain ? PIECES : 0, rows);
    text_put(t, "{\"label\":");
    text_put_json(t, c->label);
    text_printf(t, ",\"colour\":%u", c->colour);
    put_values(t, "t", table->time, rows, n);
    put_values(t, "y", table->columns[c->y], rows, n);
    if (c->x != NONE)
        put_values(t, "x", table->columns[c->x], rows, n);
    if (c->by != NONE)
        put_modes(t, f, c, rows, n);
    text_put_char(t, '}');
    memory_free(rows);
}

static void put_pane(Text *t, const PlotFigure *f, const PlotPane *p)
{
    text_put_char(t, '{');
    put_range(t, "range", p->lo, p->hi);
    text_put(t, ",\"curves\":[");
    for (uint32_t i = 0; i < p->curves.n; i++) {
        text_put(t, i ? ",\n" : "\n");
        put_curve(t, f, &p->curves.at[i]);
    }
    text_put(t, "]}");
}

static void put_data(Text *t, const PlotFigure *f)
{
    const PlotOptions *o = f->options;
    text_put(t, "{\"title\":");
    text_put_json(t, o->title);
    text_put(t, ",\"xTitle\":");
    text_put_json(t, f->x_title);
    text_put(t, ",\"x\":");
    if (o->x)
        text_put_json(t, o->x);
    else
        text_put(t, "null");
    text_printf(t, ",\"logX\":%s,\"logY\":%s,\"marks\":%s,", o->log_x ? "true" : "false",
                o->log_y ? "true" : "false", o->events ? "true" : "false");
    put_range(t, "range", f->x0, f->x1);
    text_put(t, ",\"events\":[");
    for (uint32_t i = 0; i < f->events.n; i++) {
        text_put(t, i ? "," : "");
        put_number(t, f->events.at[i]);
    }
    text_put(t, "],\"modes\":[");
    for (uint32_t i = 0; o->colour && i < f->modes.n; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, arena_printf(f->arena, "%s = %g", o->colour, f->modes.at[i]));
    }
    text_put(t, "],\"panes\":[");
    for (uint32_t i = 0; i < f->panes.n; i++) {
        text_put(t, i ? ",\n" : "");
        put_pane(t, f, &f->panes.at[i]);
    }
    text_put(t, "]}");
}

void plot_put_figure(PlotFigure *f, Text *t)
{
    Text data = {0};
    put_data(&data, f);
    text_put(t, "<figure class=\"plot\"><script type=\"application/json\">");
    page_put_json(t, data.at);
    text_put(t, "</script></figure>\n");
    text_free(&data);
}

bool plot_page(Context *ctx, PlotFigure *f, const char *path)
{
    Text t = {0};
    page_begin(&t, f->options->title);
    plot_put_figure(f, &t);
    page_end(&t);
    bool ok = atomic_save_text(ctx, path, &t);
    text_free(&t);
    return ok;
}

/* A plot that is arranged once (plot_panes.c), and the ways to draw it (plot_draw.c with cairo,
 * plot_page.c for browsers, plot_terminal.c). */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "base/text.h"
#include "plot/plot.h"

typedef struct PlotCurve {
    const Table *table;
    uint32_t x, y;   /* columns; x is NONE for time */
    uint32_t by;     /* column whose value colours it, or NONE */
    unsigned colour; /* number in the palette */
    const char *label;
} PlotCurve;

/* Sorted, each once. */
typedef VEC(double) PlotValues;

typedef struct PlotPane {
    VEC(PlotCurve) curves;
    double lo, hi; /* of y */
} PlotPane;

typedef struct PlotFigure {
    const PlotOptions *options;
    const Table *const *tables;
    uint32_t n_tables;
    VEC(PlotPane) panes;
    double x0, x1;
    const char *x_title;
    PlotValues events; /* times with two rows */
    PlotValues modes;  /* values of the variable that colours */
    Arena *arena;
} PlotFigure;

static inline double curve_x(const PlotCurve *c, uint32_t row)
{
    return c->x == NONE ? c->table->time[row] : c->table->columns[c->x][row];
}

static inline double curve_y(const PlotCurve *c, uint32_t row)
{
    return c->table->columns[c->y][row];
}

/* Chooses curves and panes. False after an error. Free with plot_release. */
bool plot_arrange(Context *ctx, PlotFigure *f);
void plot_release(PlotFigure *f);

/* Ticks of an axis: each is given with its text. */
typedef void PlotTick(void *user, double value, const char *text);
void plot_ticks(double lo, double hi, bool logarithmic, int about, PlotTick *tick, void *user);
/* 0 at lo, 1 at hi. */
double plot_share(double x, double lo, double hi, bool logarithmic);
uint32_t plot_mode(const PlotFigure *f, double value); /* number of a value among the modes */

/* The file's ending gives the format. False after an error. */
bool plot_draw(Context *ctx, PlotFigure *f, const char *path);
/* An interactive page of HTML. False after an error. */
bool plot_page(Context *ctx, PlotFigure *f, const char *path);
/* The figure as a part of such a page (page/page.h). */
void plot_put_figure(PlotFigure *f, Text *t);
/* The rows of a curve that show all its peaks and jumps, in order: at most four for each of
 * `pieces` equal parts of x, or all rows if these are fewer. x increases. rows has room for n;
 * returns their number. */
uint32_t plot_reduce(const double *x, const double *y, uint32_t n, uint32_t pieces, uint32_t *rows);
/* A drawing of `columns` times `rows` characters, in the figure's arena. */
char *plot_in_terminal(PlotFigure *f, unsigned columns, unsigned rows, bool colour);

#endif

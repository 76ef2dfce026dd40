/* Plots of results.
 *
 * In: tables of result files (output/output.h). Out: a picture, an interactive page, or text for a
 * terminal. */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "output/output.h"

typedef struct PlotOptions {
    const char *const *variables; /* none: a good choice is made */
    uint32_t n_variables;
    const char *title;
    const char *x; /* variable along the horizontal axis; NULL: time */
    /* variable whose value colours the curves; NULL: each curve has its colour */
    const char *colour;
    const double *x_range, *y_range; /* two numbers each; NULL: everything */
    bool log_x, log_y;
    bool events;   /* marks where events are */
    bool separate; /* a pane for each variable */
} PlotOptions;

/* One picture of one or several results. The ending of the path gives the format: .svg, .png, .pdf.
 */
bool plot_tables(Context *ctx, const Table *const *tables, uint32_t n, const PlotOptions *options,
                 const char *path);
/* The picture as text for a terminal of that size, in `arena`; NULL after an error. */
char *plot_text(Context *ctx, const Table *const *tables, uint32_t n, const PlotOptions *options,
                unsigned columns, unsigned rows, bool colour, Arena *arena);

#endif

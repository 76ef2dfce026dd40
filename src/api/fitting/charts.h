/* Charts of pages about fits and optimizations: SVG that follows the colours of the page. */
#ifndef API_FITTING_CHARTS_H
#define API_FITTING_CHARTS_H

#include "base/text.h"

typedef struct Chart {
    const char *title, *x_title;
    const double *x, *dots; /* measured values; NULL: none */
    const double *line;     /* the curve, at the same x */
    size_t n;
} Chart;

/* Points that are not finite are left out. */
void put_chart(Text *t, const Chart *c);
/* A cell of a table with a number; empty if it is not finite. */
void put_number_cell(Text *t, double x);
/* A cell with code. */
void put_code_cell(Text *t, const char *text);

#endif

/* Rows for a caller's function on_row: names once, values of each row. */
#ifndef API_ROW_FEED_H
#define API_ROW_FEED_H

#include "kairos.h"

#include "output/output.h"

typedef struct RowFeed {
    const Columns *columns; /* NULL: nobody wants rows */
    KairosRow row;
    double *values;
    int (*on_row)(void *user, const KairosRow *row);
    void *user;
} RowFeed;

void row_feed_open(RowFeed *f, const Columns *columns, const KairosRun *how);
/* False: the caller ends the run. */
bool row_feed_give(RowFeed *f, const double *v);
/* The values of a row back to those of all variables. */
void row_feed_spread(const Columns *columns, const double *row, double *v);
void row_feed_close(RowFeed *f);

#endif

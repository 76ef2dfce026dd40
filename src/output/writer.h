/* Shared by the writers of the different formats. */
#ifndef OUTPUT_WRITER_H
#define OUTPUT_WRITER_H

#include "base/atomic_file.h"
#include "output/output.h"

/* One row per format. All return false if writing failed, with errno set. */
typedef struct WriterFormat {
    const char *ending;
    bool (*begin)(Writer *w);
    bool (*row)(Writer *w, const double *v);
    bool (*end)(Writer *w, const double *v);
} WriterFormat;

typedef struct RowFilter RowFilter;
typedef struct Printed Printed; /* csv.c */

struct Writer {
    Context *ctx;
    const WriterFormat *format;
    const Columns *columns;
    char *path;
    AtomicFile out;
    FILE *file; /* of `out` */
    Text buffer;
    Arena *arena;
    RowFilter *filter; /* NULL: all rows are written */
    uint64_t n_rows;
    long rows_at;     /* .mat: position of the number of rows */
    Printed *printed; /* .csv: numbers as text, */
    uint32_t *place;  /* and which of them each column shows */
    int error;        /* errno of the first failure */
};

/* ---- row_filter.c: leaves out rows that straight lines replace ---- */

typedef bool RowPut(void *user, const double *v); /* false if writing failed */

RowFilter *row_filter_new(const Columns *columns, size_t n_vars, double tolerance, RowPut *put,
                          void *user);
void row_filter_free(RowFilter *f); /* NULL is allowed */
/* Puts rows that are kept; the last one waits. False if writing failed. */
bool row_filter_row(RowFilter *f, const double *v);
bool row_filter_end(RowFilter *f);

extern const WriterFormat writer_csv, writer_mat;

#endif

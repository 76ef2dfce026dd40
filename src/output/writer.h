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

struct Writer {
    Context *ctx;
    const WriterFormat *format;
    const Columns *columns;
    char *path;
    AtomicFile out;
    FILE *file; /* of `out` */
    Text buffer;
    uint64_t n_rows;
    long rows_at; /* .mat: position of the number of rows */
    int error;    /* errno of the first failure */
};

extern const WriterFormat writer_csv, writer_mat;

#endif

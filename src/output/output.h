/* Output: trajectories to files and back, and their comparison. */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "sim/sim.h"

/* ---- columns: which variables of a plan are written, under which names ---- */

typedef struct Column {
    const char *name;
    VarId var;                      /* representative */
    double sign;                    /* value = sign * v[var] */
    bool constant;                  /* a parameter beside variables: not in every row */
    const char *unit, *description; /* NULL if not given */
    uint32_t flat, element;         /* its declaration; of a derivative: that of its variable */
} Column;

typedef struct Columns {
    Arena *arena;
    VEC(Column) list;
} Columns;

/* Every variable of the model in order of declaration, each followed by its derivative if it has
 * one. `pattern`: an extended regular expression that names must match, or NULL. Parameters are
 * columns of every row only if there is nothing else. NULL after an error (a bad pattern). */
Columns *columns_new(Context *ctx, const Plan *plan, const char *pattern, bool hide_protected);
RowNeeds columns_need(const Columns *c, const Plan *plan);
void columns_free(Columns *c);

/* ---- writers ---- A file appears under its name only when complete. */

typedef struct Writer Writer;

/* By the ending of the name: .csv or .mat. NULL after an error. The columns must outlive it. */
Writer *writer_open(Context *ctx, const char *path, const Columns *columns);
/* From now on, leaves out rows that straight lines between the others replace within `tolerance` of
 * the range of each column so far. Rows have n_vars values. */
void writer_leave_out(Writer *w, size_t n_vars, double tolerance);
/* false: the disk is full, …; writer_close reports it */
bool writer_row(Writer *w, const double *v);
/* Completes the file, with v for the parameters. False after an error; the file is then gone. */
bool writer_close(Writer *w, const double *v);
void writer_discard(Writer *w);
/* Units and descriptions of a complete .csv file into the file NAME.csv-metadata.json; nothing for
 * others. False after an error. */
bool metadata_write(Context *ctx, const char *path, const Columns *columns, const char *title);

/* ---- tables: result files read back ---- */

typedef struct Table {
    Arena *arena;
    const char *path;
    uint32_t n_rows, n_columns; /* columns without time */
    double *time;               /* size n_rows */
    const char **names;         /* size n_columns */
    double **columns;           /* each of size n_rows */
    const char **units;         /* NULL if unknown */
    const char *title;          /* the model's name; NULL if unknown */
} Table;

/* A .csv (comma or semicolon; header line) or .mat file (trajectory layout). NULL after an error.
 */
Table *table_read(Context *ctx, const char *path);
void table_free(Table *t);
/* NONE if absent; white space does not count */
uint32_t table_find(const Table *t, const char *name);
/* Reports that `name` is not in t, with the nearest names. */
void table_report_missing(Context *ctx, const Table *t, const char *name);

/* ---- comparison ---- */

typedef struct CompareOptions {
    double tolerance, time_tolerance;
    const char *const *variables;
    uint32_t n_variables;
} CompareOptions;

/* The report is in `arena`. True if all signals are in their tubes. */
bool compare_tables(Context *ctx, const Table *result, const Table *reference,
                    const CompareOptions *options, char **report, Arena *arena);

#endif

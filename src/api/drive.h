/* Inputs of a run that take their values from files and expressions. A driven model is a class that
 * extends the model and binds its inputs.
 *
 * A file becomes a component of this class. At each of its times, an event, it looks up the segment
 * up to the next time. Between them an input is linear in time, or constant if it is not a Real.
 * Inputs are therefore ordinary variables. */
#ifndef DRIVE_H
#define DRIVE_H

#include "kairos.h"

#include "compile.h"
#include "flatten/flat/flat.h"

typedef struct DriveTable {   /* inputs with values in memory, as those of a file */
    const char *path;         /* for messages */
    const char *const *names; /* of the columns but time; size n - 1 */
    unsigned n;
    const double *values; /* row by row, time first */
    uint32_t rows;
} DriveTable;

/* Whether the name is that of an input at the top level, or of an element of one. */
bool drive_has_input(const Flat *flat, const char *name);
/* The text of the class Driven that extends the model of `flat` and drives its inputs, and of what
 * that needs, in the arena. table: NULL if there is none. NULL after an error. With
 * `probes`, a parameter '--probe NAME' is added to each driven input of type Real. */
char *drive_text(Context *ctx, const Flat *flat, const KairosInput *inputs, unsigned n,
                 const DriveTable *table, bool probes, Arena *arena);
/* The places of expressions in a source that contains such a text become those in what the user
 * wrote. False if one of them is no expression. */
bool drive_find_origins(Context *ctx, Library *lib, uint32_t file);
/* Warns of inputs of the model that keep their start values. */
void drive_warn(Context *ctx, const Flat *flat);

#endif

/* Inputs of a run that take their values from files and expressions. A driven model is a class that
 * extends the model and binds its inputs.
 *
 * A file becomes a component of this class. At each of its times, an event, it looks up the segment
 * up to the next time. Between them an input is linear in time, or constant if it is not a Real.
 * Inputs are therefore ordinary variables. */
#ifndef DRIVE_H
#define DRIVE_H

#include "kairos.h"

#include "flatten/flat/flat.h"

/* The text of the class Driven that extends the model of `flat` and drives its inputs, and of what
 * that needs, in the arena. NULL after an error. */
char *drive_text(Context *ctx, const Flat *flat, const KairosInput *inputs, unsigned n,
                 Arena *arena);
/* Warns of inputs of the model that keep their start values. */
void drive_warn(Context *ctx, const Flat *flat);

#endif

/* Tangents of the motion along surfaces that are held, by central differences. */
#ifndef SIM_SLIDE_TANGENTS_H
#define SIM_SLIDE_TANGENTS_H

#include "sim/state/evaluate.h"

/* Where the model was evaluated last: tangents of all continuous variables from those of states,
 * parameters, inputs, discrete Reals and time, into dv; those of crossing functions into z, if it
 * is not NULL. A ModelStatus. */
int slide_tangents(ModeProgram *prog, double *dv, double *z);
/* The matrix of the states, by columns. */
int slide_matrix(ModeProgram *prog, double t, const double *x, double *a);

#endif

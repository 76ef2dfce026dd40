/* Anderson's acceleration of a fixed-point iteration x = g(x). */
#ifndef SIM_SOLVER_ANDERSON_H
#define SIM_SOLVER_ANDERSON_H

#include "sim/solver/solver.h"

typedef struct Anderson Anderson;
Anderson *anderson_new(uint32_t n);
void anderson_free(Anderson *a);
/* The next x from its image g and f = g - x; turn counts from 0. `size`: of each component, for the
 * weights, which are those of the problem's first n states. */
void anderson_next(Anderson *a, const Problem *p, const double *size, uint32_t turn,
                   const double *f, const double *g, double *x);

#endif

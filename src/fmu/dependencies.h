/* Which knowns an unknown depends on: states, inputs and time, directly or through other equations.
 *
 * In: a plan. Out: lists for ModelStructure. A search visits each block once per unknown; if all
 * searches together become too long, further lists are unknown, which the standard allows. */
#ifndef FMU_DEPENDENCIES_H
#define FMU_DEPENDENCIES_H

#include "structure/plan/plan.h"

typedef struct Dependencies Dependencies;

/* `states`: states are knowns; otherwise only inputs and time are. */
Dependencies *dependencies_new(const Plan *plan, bool states, Arena *arena);
/* The knowns of a variable in ascending order, valid until the next call; false if they are not
 * known. */
bool dependencies_find(Dependencies *d, VarId unknown, const VarId **knowns, uint32_t *n);
void dependencies_free(Dependencies *d);

#endif

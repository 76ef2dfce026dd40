/* Which knowns an unknown depends on, directly or through other equations: states, inputs and time,
 * or at initialization parameters, start values, inputs and time.
 *
 * In: a plan. Out: lists for ModelStructure. A search visits each block once per unknown; if all
 * searches together become too long, further lists are unknown, which the standard allows. */
#ifndef FMU_DEPENDENCIES_H
#define FMU_DEPENDENCIES_H

#include "structure/plan/plan.h"

typedef struct Dependencies Dependencies;

typedef enum DependOn {
    ON_INPUTS,    /* and time */
    ON_STATES,    /* and inputs and time */
    ON_THE_START, /* at initialization: parameters that are given, also those of start values;
                     inputs and time */
} DependOn;

Dependencies *dependencies_new(const Plan *plan, DependOn on, Arena *arena);
/* The knowns of a variable in ascending order, valid until the next call; false if they are not
 * known. */
bool dependencies_find(Dependencies *d, VarId unknown, const VarId **knowns, uint32_t *n);
void dependencies_free(Dependencies *d);

#endif

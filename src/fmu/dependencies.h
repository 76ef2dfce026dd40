/* Which knowns an unknown depends on, directly or through other equations: states, inputs and time,
 * or at initialization parameters, start values, inputs and time.
 *
 * In: a plan. Out: lists for ModelStructure. A search visits each block once, the last blocks
 * first: a block is visited when all its users were. Weights are passed on from unknowns to
 * operands, the weakest kind of all ways counts. If all searches together become too long, further
 * lists are unknown, which the standard allows. */
#ifndef FMU_DEPENDENCIES_H
#define FMU_DEPENDENCIES_H

#include "structure/plan/plan.h"

typedef struct Dependencies Dependencies;

/* How an unknown depends on a known, as dependenciesKind of the standard: by a factor that is a
 * number, that parameters give, that changes at events only; or in any way. In rising order. */
typedef enum DependKind {
    BY_CONSTANT,
    BY_FIXED,
    BY_TUNABLE,
    BY_DISCRETE,
    BY_ANYTHING,
} DependKind;

typedef enum DependOn {
    ON_INPUTS,    /* and time */
    ON_STATES,    /* and inputs and time */
    ON_THE_START, /* at initialization: parameters that are given, also those of start values;
                     inputs and time */
} DependOn;

/* `tunable`: per variable, whether it is a parameter that may change during a run. */
Dependencies *dependencies_new(const Plan *plan, DependOn on, const uint8_t *tunable, Arena *arena);
/* The knowns of some variables together in ascending order, with kinds; valid until the next call.
 * False if they are not known. */
bool dependencies_find(Dependencies *d, const VarId *unknowns, uint32_t n_unknowns,
                       const VarId **knowns, const uint8_t **kinds, uint32_t *n);
void dependencies_free(Dependencies *d);

#endif

/* Absolute tolerances of states for crossing functions.
 *
 * In: the usual tolerances, the scales of crossing functions, a function that evaluates these. Out:
 * tolerances for a combination of values of relations. */
#ifndef SIM_EVENT_EVENT_TOLERANCES_H
#define SIM_EVENT_EVENT_TOLERANCES_H

#include "base/memory.h"

/* Who evaluates. */
typedef struct ToleranceHost {
    void *user;
    /* crossing functions at states x, in the present combination; other than 0: not possible */
    int (*evaluate)(void *user, const double *x, double *z);
} ToleranceHost;

typedef struct ToleranceSizes {
    uint32_t n;            /* states */
    const double *atol;    /* size n: the usual tolerances, which are copied */
    double rtol;           /* they are this multiple of nominal values */
    uint32_t n_z;          /* crossing functions */
    const double *z;       /* size n_z: deviation of each that the relative tolerance allows */
    const bool *is_switch; /* size n_z: relations of switches; NULL: not known */
} ToleranceSizes;

typedef struct EventTolerances EventTolerances;

/* Lives in `arena`. */
EventTolerances *event_tolerances_new(Arena *arena, ToleranceSizes sizes, ToleranceHost host);
/* The tolerances for the combination of relations with this hash, size n. If it is not among the
 * last that were met, they are found at states x. */
const double *event_tolerances_of(EventTolerances *w, uint64_t hash, const double *x);
/* Whether switches of the present combination are sensitive to the states. If so, it is the largest
 * change of a switch when a state moves by its tolerance. The unit is the relative tolerance. Else
 * 0. *lost: the states do not have the digits that a switch needs. */
double event_tolerances_gain(const EventTolerances *w, bool *lost);
/* Raises lowered tolerances of the present combination; false if there are none. */
bool event_tolerances_raise(EventTolerances *w);

#endif

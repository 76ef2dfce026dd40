/* The event locator. */
#ifndef SIM_EVENT_LOCATE_H
#define SIM_EVENT_LOCATE_H

#include "sim/state/state.h"

/* Watches the relations that are not scheduled. Column k of its arrays belongs to relations[k]. */
typedef struct Locator {
    uint32_t *relations;
    uint32_t n;
    /* columns that may reach zero in the present box (crossing_bounds.c), ascending; z of others is
     * not kept
     */
    uint32_t *active;
    uint32_t n_active;
    uint8_t *pieces; /* into how many a step may be divided to bound z, as a power of two */
    double *full;    /* ε times the scale of z */
    bool *switching; /* per relation: a switch equation depends on it; NULL: unknown */
    /* present shift: less than `full` for a relation that has just changed and is still near zero
     */
    double *shift;
    bool *suspended; /* not watched */
    bool *exact;     /* for the while: the crossing of zero itself is sought */
    bool *passing;   /* for the while: z will have crossed */
    int8_t *side;    /* +1: the relation keeps its value while z > -shift; -1: while z < shift */
    double *z[4];    /* at the beginning, a third, two thirds and the end of the step */
    double *za, *zb; /* at the ends of a bracket */
    double *zm;      /* at a point inside */
    double *all;     /* z of all relations, as the model computes them */
    bool sampled;    /* z[1], z[2], z[3] belong to the last step */
    /* nothing was evaluated in it: all relations are far from zero, and z[0] is of an earlier time
     */
    bool far;
    double span;        /* a third of the last step */
    const double *left; /* z at the left limit of the present event, as far as known */
} Locator;

typedef enum Located { LOCATED_NONE, LOCATED_EVENT, LOCATED_FAILED } Located;

void locator_create(Sim *s);
bool locator_restart(Sim *s); /* at (time, x), relations as in v; false after telling */
/* First crossing in the solver's last step. Fills s->relations.decided and the event's triggers. */
Located locator_find(Sim *s, double t0, double t1, double *te);
/* from now on at these columns alone; z[0] is out of date */
void locator_select(Locator *l, const bool *wanted);
void locator_accept(Sim *s);                               /* the step is done, without event */
double locator_shift(const Locator *l, uint32_t relation); /* its present shift in units of ε */
double locator_share(const Sim *s, uint32_t relation);     /* that after its next event */
void locator_suspend(Locator *l, uint32_t relation, bool held); /* held ones are not watched */
/* At a time event, after a step that ended there: relations that arrive at zero just then may
 * trigger it too, but not those of switches that hold at zero: the branch need not be left there.
 */
void locator_arriving(Sim *s);
/* After an event, all values being known: relations that it moved to exactly zero, and that do not
 * stand as they read there, are decided. False: none. */
bool locator_moved_to_zero(Sim *s);
/* on which it keeps its value: the sign of z */
int locator_side(const Locator *l, uint32_t relation);
/* stands as it reads where z is exactly zero */
bool locator_literal(const Sim *s, uint32_t relation);

#endif

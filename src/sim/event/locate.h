/* The event locator: the first change of a relation in a step.
 *
 * In: crossing functions z at any time inside the step, and bounds of them, from a LocatorHost.
 * Out: the instant, and the relations that change there. It knows nothing of models, solvers and
 * Sim; locator.h is its side towards a run. */
#ifndef SIM_EVENT_LOCATE_H
#define SIM_EVENT_LOCATE_H

#include "base/memory.h"

typedef struct LocatorHost {
    void *user;
    /* z of all relations at a time inside the step; not 0: failed */
    int (*evaluate)(void *user, double t, double *z);
    /* the relation has its literal value at z exactly zero */
    bool (*literal)(void *user, uint32_t relation);
    /* no relation can reach zero in [t0, t1] */
    bool (*excluded)(void *user, double t0, double t1);
    /* the column may turn within a step however smooth z seems, and can be bounded on pieces */
    bool (*may_turn)(void *user, uint32_t column);
    /* a lower bound of its distance from a change in [a, b], without its shift */
    double (*bound)(void *user, uint32_t column, double a, double b);
    /* the relation changes at the instant found; z: there */
    void (*trigger)(void *user, uint32_t relation, double z);
} LocatorHost;

/* Watches the relations that are not scheduled. Column k of its arrays belongs to relations[k]. */
typedef struct Locator {
    LocatorHost host;
    double tolerance; /* relative: shallower excursions of wild relations do not count */
    uint32_t *relations;
    uint32_t n;
    /* columns that may reach zero in the present box (crossing_bounds.c), ascending; z of others is
     * not kept
     */
    uint32_t *active;
    uint32_t n_active;
    /* active columns that come near zero in a piece of the last step: all others keep their value
     */
    uint32_t *near;
    bool *is_near;
    uint32_t *changing; /* columns that change in the bracket */
    uint32_t n_changing;
    uint8_t *pieces; /* into how many a step may be divided to bound z, as a power of two */
    double *full;    /* ε times the scale of z */
    double *scale;   /* of z */
    bool *switching; /* per relation: a switch equation depends on it; NULL: unknown */
    /* present shift: less than `full` for a relation that has just changed and is still near zero
     */
    double *shift;
    double *rested;  /* the last time at which a rest at zero decided; -INFINITY: none */
    bool *suspended; /* not watched */
    bool *exact;     /* temporarily: the crossing of zero itself is sought */
    bool *passing;   /* temporarily: z will have crossed */
    int8_t *side;    /* +1: the relation keeps its value while z > -shift; -1: while z < shift */
    double *z[4];    /* at the beginning, a third, two thirds and the end of the step */
    double *za, *zb; /* at the ends of a bracket */
    double *zm;      /* at a point inside */
    double *all;     /* z of all relations, as the model computes them */
    /* points of the present step at which wild relations were examined, and z there, by rows; NULL:
     * there are too many relations */
    double *kept_t, *kept_z;
    uint32_t n_kept;
    bool sampled; /* z[1], z[2], z[3] belong to the last step */
    /* nothing was evaluated in it: all relations are far from zero, and z[0] is of an earlier time
     */
    bool far;
    double span;        /* a third of the last step, or of the last piece of it */
    double look;        /* the longest piece of a step to examine at once; 0: any */
    bool stateless;     /* steps are as long as they may be: the model has no states */
    const double *left; /* z at the left limit of the present event, if known */
} Locator;

typedef enum Located { LOCATED_NONE, LOCATED_EVENT, LOCATED_FAILED } Located;

/* Watches these relations, ascending, of n_all; the struct is zero before. */
Locator *locator_new(Arena *arena, const uint32_t *relations, uint32_t n, uint32_t n_all);
/* First change in [t0, t1], z[0] being known at t0 unless `far`; calls host.trigger. */
Located locator_find(Locator *l, double t0, double t1, double *te);
/* The same once more, after the dense output has become more exact: only columns that came near
 * zero. */
Located locator_find_again(Locator *l, double t0, double t1, double *te);
/* After LOCATED_NONE: whether a relation ends beyond zero, by less than its shift. */
bool locator_ends_beyond(const Locator *l);
void locator_sharpen(Locator *l); /* such relations change at zero itself */
void locator_select_all(Locator *l);
/* from now on only at these columns; z[0] is outdated */
void locator_select(Locator *l, const bool *wanted);
uint32_t locator_column(const Locator *l, uint32_t relation); /* or its neighbour */
double locator_shift(const Locator *l, uint32_t relation);    /* its present shift in units of ε */
void locator_suspend(Locator *l, uint32_t relation, bool held); /* held ones are not watched */
/* on which it keeps its value: the sign of z */
int locator_side(const Locator *l, uint32_t relation);
/* At the corner of a characteristic that may change the structure, the new branch must be
 * distinguishable from the old one. */
bool locator_is_switch(const Locator *l, uint32_t column);
/* z rests at zero, and the relation does not have its literal value. */
bool locator_rests(const Locator *l, uint32_t column, double z);

#endif

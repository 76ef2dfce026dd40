/* Periodic motion of a run, by shooting.
 *
 * The run goes on in time, one period after the other. At the end of each period, Newton's method
 * moves the states to where the period would have begun and ended alike. The derivative of the map
 * over a period, the monodromy matrix, comes from variations (sim/variation.h), so it is exact
 * through events, jumps and changes of mode. Because time never goes back, everything that drifts
 * (counters, last instants, angles) needs no special care.
 *
 * The unknowns are the states of the program in use at the boundary of a period, and the discrete
 * Reals that remember something over a period. Other discrete variables follow. If the period is
 * unknown, it is one more unknown, and the move along the motion is left out.
 *
 *   drive.c       the period of sources and clocks
 *   recurrence.c  whether a motion without a drive rests, and a guess of its period
 *   period_map.c  one period: where it leads, and its derivative
 *   shooting.c    Newton's method; multiples of the period; multipliers
 *   periodic_linear.c  the linear model over a period */
#ifndef SIM_ORBIT_ORBIT_H
#define SIM_ORBIT_ORBIT_H

#include "sim/linear.h"

/* ---- the drive ---- */

typedef enum Drive {
    DRIVE_NONE,     /* nothing depends on time itself, and nothing is scheduled */
    DRIVE_PERIODIC, /* with a known period */
    DRIVE_OTHER,    /* depends on time in another way */
    DRIVE_FAILED,   /* the run ended while it was observed; reported */
} Drive;

/* Advances the run if time events must be observed: to `until`, and for some times as long if they
 * have not repeated by then. */
Drive drive_find(Sim *s, double until, double *period);
/* Whether the equations depend on time itself, or time events are to come. */
bool drive_acts(Sim *s, double span);
/* The least time that is a whole multiple of both; 0 if there is none of moderate size. */
double common_period(double a, double b);

/* ---- motions without a drive ---- */

typedef struct Recurrence Recurrence;

/* The sink is given to the run; it keeps rows between recurrence_begin and recurrence_end. */
Recurrence *recurrence_new(const Plan *plan);
void recurrence_free(Recurrence *r);
ResultSink recurrence_sink(Recurrence *r);
void recurrence_begin(Recurrence *r);
/* The time after which the motion repeats, roughly; 0 if it does not, INFINITY if it rests. */
double recurrence_end(Recurrence *r);
/* Whether almost nothing moved in that time. */
bool recurrence_was_slow(const Recurrence *r);

/* ---- shooting ---- */

typedef struct OrbitOptions {
    double period;       /* a guess if `free` */
    bool free;           /* the period is unknown: nothing drives the motion */
    double origin;       /* periods begin here, plus multiples of the period, unless `free` */
    double tolerance;    /* of the result, relative */
    unsigned relax;      /* periods before the first step of Newton's method */
    unsigned most;       /* periods */
    unsigned most_times; /* the motion may repeat after so many periods */
} OrbitOptions;

typedef enum OrbitResult {
    ORBIT_FOUND,
    ORBIT_DIVERGED, /* no convergence */
    ORBIT_FAILED,   /* the run ended; reported */
} OrbitResult;

typedef struct Orbit {
    Arena *arena;
    double period;   /* of the motion */
    unsigned times;  /* multiple of the drive's period */
    unsigned n_used; /* periods of the drive that were simulated */
    uint32_t n;      /* unknowns */
    VarId *vars;
    double *map;     /* monodromy matrix by columns, n by n; NULL: unknown */
    double *re, *im; /* multipliers; size n, without that of the motion itself if `free` */
    uint32_t n_multipliers;
    bool stable;
    double rest;    /* largest difference between begin and end of the last period, relative */
    VarId farthest; /* whose */
} Orbit;

/* From the present point of a run with variations. Then the run stands at the beginning of a
 * period. */
OrbitResult orbit_find(Sim *s, const OrbitOptions *o, Orbit *orbit);
void orbit_free(Orbit *orbit);
/* One period from here with rows at n equal intervals and at steps; `options` are those the run was
 * opened with. False if the run ends. */
bool orbit_trace(Sim *s, SimOptions *options, double period, uint32_t n);

/* ---- the linear model over a period ---- */

typedef struct PeriodicLinear {
    const LinearVar *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
    bool mean;     /* outputs are means over the period */
    bool at_start; /* the run is not started yet; its first period counts */
    /* the result, by columns as in LinearPoint */
    uint32_t n;
    VarId *vars; /* states and discrete Reals */
    double *a, *b, *c, *d;
} PeriodicLinear;

typedef enum LinearResult {
    LINEAR_FOUND,
    LINEAR_NONE,   /* derivatives do not exist, or the mode at both ends differs */
    LINEAR_FAILED, /* the run ended; reported */
} LinearResult;

/* Around the motion of the period that begins at `at`, to whose end the run advances. The run
 * stands before it, unless at_start. */
LinearResult orbit_linear(Sim *s, double at, double period, Arena *arena, PeriodicLinear *l);
/* The least time after which all samples and clocks repeat; 0: there is none. */
double drive_of_clocks(const Sim *s);

#endif

/* The map over one period. Only files of this folder include it. */
#ifndef SIM_ORBIT_PERIOD_MAP_H
#define SIM_ORBIT_PERIOD_MAP_H

#include "sim/orbit/orbit.h"
#include "sim/state/state.h"

typedef struct PeriodMap {
    const ModeProgram *program;
    uint32_t n, n_states; /* unknowns: states first */
    VarId *vars;
    double *from, *to;           /* values */
    double *rate_from, *rate_to; /* along the motion; 0 for discrete ones */
    double *matrix;              /* by columns; NULL: unknown */
    double *turn;                /* 2π or 360 for angles, otherwise 0 */
    bool delayed; /* the unknowns cannot be changed alone: delays, inline integration */
    /* Booleans, Integers and enumerations that the model remembers: values at both ends */
    uint32_t n_marks;
    VarId *marks;
    double *mark_from, *mark_to;
} PeriodMap;

/* Runs from the present time to `until`. False if the run ends. p->n is 0 if begin and end have
 * different states. */
bool period_map(Sim *s, double until, Arena *arena, PeriodMap *p);
/* The same without derivatives. */
bool period_pass(Sim *s, double until, Arena *arena, PeriodMap *p);
/* Puts the unknowns to x in an event at the present time. False if the run ends. */
bool period_put(Sim *s, const PeriodMap *p, const double *x);
/* The matrix by differences over further periods of this length; afterwards the run stands at
 * p->from again. False if the run ends. */
bool period_differences(Sim *s, double length, Arena *arena, PeriodMap *p);
/* The unknowns at the present point, in the arena; *n: their number. Hidden discrete ones are
 * left out: they are values of floor, which follow others and do not vary. */
VarId *period_unknowns(const Sim *s, Arena *arena, uint32_t *n);
/* Derivatives of the rates of states and of crossing functions by the states, at the present point:
 * *rows by n_states, by columns, in the arena; NULL if they do not exist. */
double *period_gradients(Sim *s, Arena *arena, uint32_t *rows);
/* The present values of the unknowns of p. */
void period_read(const Sim *s, const PeriodMap *p, double *x);

#endif

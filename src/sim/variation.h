/* Variations: derivatives of a run with respect to parameters, start values or states, beside it.
 *
 * Between events, S = dx/dp satisfies S' = (df/dx) S + df/dp. After each step of the solver it is
 * integrated over the same interval, along the dense output of x, by collocation at Radau points.
 * This is linear and independent of the solver. If the defect is too large, the interval is halved.
 *
 * At an event the instant moves by dt = -(dz/dp)/(dz/dt). Left values then move by S⁻ + x'⁻ dt. The
 * tangents of all passes of the event iteration carry this to the values after the event, and
 * S⁺ = dx⁺ - x'⁺ dt (saltation). Discrete Reals have the same derivative before and after the
 * instant has moved. */
#ifndef SIM_VARIATION_H
#define SIM_VARIATION_H

#include "sim/sim.h"

typedef struct Variation Variation;

/* Reasons why a derivative does not exist, or is not known, from some time on. */
typedef enum VariationFlaw {
    FLAW_NONE,
    FLAW_GRAZING,  /* the crossing function touches zero without crossing it */
    FLAW_START,    /* an event at the start moves, and may come before it */
    FLAW_ORDER,    /* events at one instant move apart: their order changes with the parameter */
    FLAW_SINGULAR, /* the tangents have no solution */
    FLAW_DELAY,    /* a delayed value depends on the parameter */
    FLAW_INLINE,   /* inline integration: states have no derivatives of their own */
    FLAW_REST,     /* the state moves along a surface, or is put onto it */
} VariationFlaw;

/* A variable whose derivatives are wanted; value = sign * v[var]. */
typedef struct VariationOf {
    VarId var;
    double sign;
} VariationOf;

typedef struct VariationScalars {
    double end, mean, rms, min, max;
    double *d_end, *d_mean, *d_rms, *d_min, *d_max; /* size n_directions */
} VariationScalars;

typedef struct VariationEvent {
    double time;
    const double *d; /* size n_directions */
} VariationEvent;

/* With n directions and n_of variables. To be created before sim_start; freed by the caller after
 * sim_close. sim_open must have had code with variations. */
Variation *variation_new(Sim *s, const VariationOf *of, uint32_t n_of, uint32_t n);
void variation_free(Variation *w);
/* Direction i is that of a parameter; of start values, their parameters. Before sim_start. */
void variation_of_parameter(Variation *w, uint32_t i, VarId parameter, double sign);
/* After sim_start: direction i begins at the present time as that of a variable alone: a state or a
 * discrete Real, an input, or a parameter that drives one. */
void variation_of_variable(Variation *w, uint32_t i, VarId var);
/* Another variable of the same direction; an input keeps its derivative. */
void variation_add(Variation *w, uint32_t i, VarId var, double by);
/* Instead of at sim_start, the variation begins at the present time, with these directions. */
void variation_begin(Variation *w);
/* The same at a left limit, for a function of variation_at_left: before the event. */
void variation_begin_left(Variation *w);
/* `f` is called at the left limit of the first event that is not before `time`. It may end the
 * variation, and let another one begin there. */
typedef void VariationLeft(void *user, Variation *w);
void variation_at_left(Variation *w, double time, VariationLeft *f, void *user);
/* The run goes on without its variation. */
void variation_end(Sim *s);
/* A row for each row of the run: time, values of the variables, and n_of times n derivatives. */
typedef void VariationRow(void *user, double time, const double *values, const double *d);
void variation_on_row(Variation *w, VariationRow *row, void *user);
/* During a row at an event: derivatives as the instant moves with the event; NULL otherwise. */
const double *variation_moved(const Variation *w);
/* How the instant of the last event moves; size n. */
const double *variation_shift(const Variation *w);
/* How the end of a run that `terminate` ended moves; NULL: the end is fixed. */
const double *variation_end_shift(const Variation *w);
/* Rows at these rising times instead, on the motion before events there. They must outlive w. */
void variation_at_times(Variation *w, const double *times, size_t n);
/* variation_scalars will not be asked for. */
void variation_without_scalars(Variation *w);
/* Derivatives of the variable at the present time, size n; NAN if unknown. */
double variation_get(const Variation *w, uint32_t direction, VarId var);
/* The first of any direction. */
VariationFlaw variation_flaw(const Variation *w, double *time);
/* Whether derivatives in this direction have ended. */
bool variation_ended(const Variation *w, uint32_t direction);
uint32_t variation_n_events(const Variation *w);
VariationEvent variation_event_at(const Variation *w, uint32_t i);
/* Of variable k of `of`, from the start to the present time. */
VariationScalars variation_scalars(Variation *w, uint32_t k);
/* Whether some of them do not exist because an event at the present time moves. */
bool variation_end_moves(const Variation *w);

#endif

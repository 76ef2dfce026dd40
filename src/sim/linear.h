/* The linear model of a run at its present point, and equilibria.
 *
 * The run must have been started, with code that has variations (ModelCode.variations). States are
 * those of the program in use, so of the present mode. */
#ifndef SIM_LINEAR_H
#define SIM_LINEAR_H

#include "sim/sim.h"

/* A variable of the model, through aliases: value = sign * v[var]. */
typedef struct LinearVar {
    VarId var;
    double sign;
} LinearVar;

struct ModeProgram;

typedef struct LinearPoint {
    const LinearVar *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
    /* by columns: n by n, n by n_inputs, n_outputs by n, n_outputs by n_inputs */
    double *a, *b, *c, *d;
} LinearPoint;

/* Whether surfaces are held now: the motion along them has other equations than the model. */
bool linear_slides(const Sim *s);
/* Whether the present motion has a linear model: it does not rest on a surface. */
bool linear_exists(const Sim *s);
/* Whether past values count: delay() or spatialDistribution(). The matrices hold them constant,
 * unless delays are varied. */
bool linear_has_past(const Sim *s);
bool linear_has_transports(const Sim *s);
/* From now on, linear_matrices takes past values of delays as inputs; false without memory. */
bool linear_vary_delays(Sim *s);
uint32_t linear_n_delays(const Sim *s);
/* Of delay k: the input that varies its value, what is delayed, and the time. */
void linear_delay(const Sim *s, uint32_t k, LinearVar *past, LinearVar *source, double *time);
/* Whether the model has sampled parts, which the matrices hold constant. */
bool linear_is_sampled(const Sim *s);
/* Whether the state decides about events: poles then say nothing about larger disturbances. */
bool linear_has_state_events(const Sim *s);
/* Whether the states rest at the present point, compared with their size and the time. */
bool linear_rests(Sim *s, double time);
uint32_t linear_n_states(const Sim *s);
/* The variable of state i; of a state that is chosen by value, its present candidate. */
VarId linear_state(const Sim *s, uint32_t i);
/* Derivatives of x' by the states at (t, x): the entries of the problem's pattern, or whole columns
 * if there is none. The model is then evaluated there. A ModelStatus. */
int linear_jacobian(struct ModeProgram *prog, double t, const double *x, double *a);
/* Derivatives at the present point, after an event, by exact tangents. A ModelStatus. */
int linear_matrices(Sim *s, const LinearPoint *p);

/* The same along surfaces that are held, of those states that vary independently there; their
 * number is linear_n_along. `kept`: which states they are. Others follow from the surfaces, so they
 * are left out. */
uint32_t linear_n_along(const Sim *s);
int linear_along(Sim *s, const LinearPoint *p, uint32_t *kept);
/* A small move of state j off the surfaces is undone at once: column j of shift, n numbers, is the
 * change that puts it back. False if the surfaces are dependent. */
bool linear_put_along(Sim *s, double *shift);
/* The direction of time alone, into dv: past values move with it. */
void linear_shift_time(const struct ModeProgram *prog, double *dv);
/* Eigenvalues of the matrix of the states at the present point, size n each; false if there are
 * none. */
bool linear_poles(Sim *s, double *re, double *im);

typedef enum EquilibriumResult {
    EQUILIBRIUM_FOUND,
    EQUILIBRIUM_NONE,     /* the derivatives cannot vanish near here */
    EQUILIBRIUM_DIVERGED, /* Newton's method does not converge */
    EQUILIBRIUM_OF_TIME,  /* the derivatives depend on time itself */
    EQUILIBRIUM_OF_PAST,  /* past values count, which are not part of the search */
    EQUILIBRIUM_FAILED,   /* the model cannot be evaluated; reported */
} EquilibriumResult;

/* Moves the run to an equilibrium by Newton's method, with time as it is: derivatives of states are
 * zero. A state on whose value nothing depends, like an angle, may drift if others rest. Events at
 * the points on the way are handled. *rest: the state whose derivative is farthest from zero, in
 * units of nominal values. */
EquilibriumResult sim_equilibrium(Sim *s, VarId *rest, unsigned *iterations);

#endif

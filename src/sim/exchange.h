/* Model exchange: another program integrates the run's states and finds its events.
 *
 *     start → place, evaluate …; completed; event; place, evaluate … → close
 *
 * The other program moves time and states (exchange_place), reads derivatives and event indicators,
 * and calls exchange_event where an indicator changes its sign or a scheduled event is due. A run
 * with several programs, delays or transports cannot be integrated from outside. */
#ifndef SIM_EXCHANGE_H
#define SIM_EXCHANGE_H

#include "sim/sim.h"

/* The part of the model that does not allow model exchange, for a message; NULL: it is possible. */
const char *exchange_obstacle(const Plan *plan);
/* Whether exchange_complete does something: the other program must call it after each step. */
bool exchange_needs_steps(const Plan *plan);

/* The time and, unless x is NULL, the states. */
void exchange_place(Sim *s, double t, const double *x);
const double *exchange_states(const Sim *s, uint32_t *n);
/* Whether the program in use has the states of the first one. Otherwise nothing here may be called.
 */
bool exchange_keeps_states(const Sim *s);
/* An input changes between events. */
void exchange_put(Sim *s, VarId var, double value);
/* These return a ModelStatus; the run stays usable if it is not zero. */
int exchange_derivatives(Sim *s, double *derivatives);
/* For each relation that is not scheduled: its crossing function, shifted by ε away from the side
 * on which the relation stands. The sign changes only at a real crossing, and not again after it.
 */
int exchange_indicators(Sim *s, double *indicators);
/* Values of all variables, as from sim_read; NULL after a message if one is undefined. */
int exchange_values(Sim *s, const double **v);
/* Sensitivity of the derivatives in the direction `seed` of the states, sizes n; after
 * exchange_derivatives. */
int exchange_tangent(Sim *s, const double *seed, double *sensitivity);

/* The event at the present time: relations whose indicators have crossed, scheduled events, values
 * that were changed. *restart: the other program must start its solver anew, since the continuous
 * equations or the states have changed. False as for sim_advance. */
bool exchange_event(Sim *s, bool *restart);
/* The present point stays: assertions, choice of states. *event: an event is needed. False as
 * above.
 */
bool exchange_complete(Sim *s, bool *event);
/* When the next scheduled event is due; INFINITY: never. */
double exchange_next_event(const Sim *s);

#endif

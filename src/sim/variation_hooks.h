/* What the run tells its variation. Each returns at once if there is none. Only for src/sim. */
#ifndef SIM_VARIATION_HOOKS_H
#define SIM_VARIATION_HOOKS_H

#include "sim/state/state.h"

/* The initial system is solved; its passes follow. */
void variation_initial(Sim *s);
/* Before and after a step of the solver, which may integrate the tangents as well. */
void variation_begin_step(Sim *s);
void variation_end_step(Sim *s);
/* The motion up to t, inside the solver's last step; before rows. */
void variation_follow(Sim *s, double t);
/* All values of the left limit are in v. */
void variation_left(Sim *s);
/* A pass of the event iteration was evaluated; then its actions were taken. */
void variation_pass(Sim *s);
void variation_acted(Sim *s);
/* The event is settled; v holds the values after it. `visible`: it will be written. */
void variation_settled(Sim *s, bool visible);
/* After it: breaks of the histories of delays are noted. */
void variation_breaks(Sim *s);
/* After an event, surfaces are held. */
void variation_held(Sim *s);
/* States chosen by value: before and after an exchange. */
void variation_exchange(Sim *s, bool before);
/* A row is given. */
void variation_row(Sim *s, const double *v);

#endif

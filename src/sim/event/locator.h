/* The locator in a run: what it is told at events, and what it tells. */
#ifndef SIM_EVENT_LOCATOR_H
#define SIM_EVENT_LOCATOR_H

#include "sim/event/locate.h"
#include "sim/state/state.h"

void locator_create(Sim *s);
bool locator_restart(Sim *s); /* at (time, x), relations as in v; false after telling */
void locator_accept(Sim *s);  /* the step is done, without event */
/* its shift after its next event, in ε */
double locator_share(const Accumulation *a, uint32_t relation);
/* At a time event, after a step that ended there: relations that arrive at zero just then may
 * trigger it too, but not those of switches that hold at zero: the branch need not be left there.
 */
void locator_arriving(Sim *s);
/* After an event, all values being known: relations that it moved to exactly zero, and that do not
 * stand as they read there, are decided. False: none. */
bool locator_moved_to_zero(Sim *s);
/* stands as it reads where z is exactly zero */
bool locator_literal(const ModeProgram *prog, uint32_t relation);

#endif

/* The locator in a run: its inputs at events, and its answers. */
#ifndef SIM_EVENT_LOCATOR_H
#define SIM_EVENT_LOCATOR_H

#include "sim/event/locate.h"
#include "sim/state/state.h"

struct Snapshot;

void locator_create(Sim *s);
bool locator_restart(Sim *s); /* at (time, x), relations as in v; false after an error */
void locator_accept(Locator *l, Accumulation *a); /* the step is done, without event */
/* the band of the relation around zero has another width */
void locator_widen(Locator *l, const RunContext *run, uint32_t relation);
/* its shift after its next event, in ε */
double locator_share(const Accumulation *a, uint32_t relation);
/* At a time event, after a step that ended there: relations that reach zero just then may trigger
 * it too. Switches that are valid at zero may not: the branch need not be left there. */
void locator_arriving(Sim *s);
/* At an event, v being the left limit: switches that have rested at zero get their literal value. A
 * conducting diode has no voltage; whether it may block now depends on v <= 0. */
void locator_rested(Sim *s);
/* After an event, with all values known: relations that the event moved to exactly zero get their
 * literal value. False: there are none. */
bool locator_moved_to_zero(Sim *s);
/* Shifts, and relations that are not watched; after reading it must be restarted. */
void locator_snapshot(Locator *l, struct Snapshot *p);
/* has its literal value if z is exactly zero */
bool locator_literal(const ModeProgram *prog, uint32_t relation);

#endif

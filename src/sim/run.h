/* The run: shared by its files. Only files of this folder include it. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "base/snapshot.h"
#include "sim/sim.h"
#include "sim/state/state.h"

/* ---- create.c ---- */
void sim_create(Sim *s, const Plan *plan, const ModelCode *code);
void sim_free(Sim *s);

/* ---- rows.c ---- */
bool row_write(Sim *s, const double *v);
bool values_at(Sim *s, double t, const double *x); /* all values into v; false after a message */
bool row_at(Sim *s, double t, const double *x);
/* The step's output points up to `until`; those that fall on the event there are left to it. False
 * after a message, or without one if the model cannot be evaluated at an output point: then
 * Rows.failed is its status. */
bool rows_until(Sim *s, double until, bool event);
void rows_warn_coarse(const Sim *s); /* at the end of a run */
bool rows_due(const Sim *s);         /* an output point falls on the present event */
void rows_skip(Sim *s);              /* output points that coincide with the event just written */

/* ---- event_iteration.c ---- */
/* The event at s->run.time, with its scheduled events; located relations are decided, v is the left
 * limit. Writes the rows before and after it and the log, unless only conditions on the way to a
 * later event changed. Sets s->run.restart if the continuous equations have changed. False: the run
 * ends, s->run.status says how. */
bool event_handle(Sim *s);
bool event_settle(Sim *s); /* only the iteration */

/* ---- actions.c ---- */
bool event_act(Sim *s, int *status); /* reinit and terminate; true if a state changed */
bool event_asserts(Sim *s);          /* after an evaluation of all guards */
bool event_initial_asserts(Sim *s);  /* those of initial sections, once */
/* an assertion that was not reported yet fails at the present values */
bool event_violated(Sim *s);

/* ---- initialize.c ---- */
bool sim_initialize(Sim *s);

/* ---- value_changes.c ---- */
bool value_changes_due(const Sim *s);
bool value_changes_take(Sim *s); /* in the event for them; false if there were none */

/* ---- snapshot.c ---- */
/* Everything that the motion from s->run.time on depends on. Reading fills in a run that was
 * created with the same plan and options, and not started. False if that fails, or after a message.
 */
bool sim_snapshot(Sim *s, Snapshot *p);
void sim_snapshot_progress(Sim *s, Snapshot *p); /* its beginning: time, counts */

#endif

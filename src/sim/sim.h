/* Simulation: a loaded model from start to stop, with initialization, integration, events.
 *
 * In: Plan (for names, structure and attributes), ModelCode, options. Out: rows to a ResultSink,
 * events to an EventSink, a status. Allocates before the first step and never inside a residual, a
 * root function or a step.
 *
 * Rooms, each of which may use those before it:
 *   solver/   integrators of x' = f(t, x), their table, and solver `auto`
 *   state/    one run: its data, the program in use, evaluations of the model
 *   message/  names, values and failures in words
 *   event/    schedule, delays, the locator, what is decided at an instant
 *   sliding/  events without end: accumulation, sliding (Filippov), impacts
 *   modes/    programs of modes, the jump between them, inline integration, state sets
 *   report/   the event log and the statistics of a run
 * This folder joins them: creation, initialization, the event iteration, rows, the run. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/state/options.h"

SimStatus sim_run(Context *ctx, const Plan *plan, const ModelCode *code, const SimOptions *options,
                  const ResultSink *result, const SimText *text, SimStats *stats);

/* Solvers by name, for help and checks; NULL at the end. */
const char *const *sim_solvers(void);

#endif

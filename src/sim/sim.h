/* Simulation: a loaded model in time, with initialization, integration, events.
 *
 * In: Plan (for names, structure and attributes), ModelCode, options. Out: rows to a ResultSink,
 * events to an EventSink, values, a status. Allocates before the first step and never inside a
 * residual, a root function or a step.
 *
 *     open → start → advance, advance … → finish → close
 *
 * Between two advances values may be read and changed, and the state may be saved. Everything that
 * moves a model in time goes this way: simulation to a file, instances of the library,
 * co-simulation.
 *
 * Saved states. A run that saves its state and a run that restores it both continue from the saved
 * bytes. Both discard everything else: the history of a multistep method, Jacobians, programs of
 * other modes. So they continue with the same bits by construction. This is done when the run is
 * used again (sim_settle): saving and restoring only copy bytes.
 *
 * Rooms, each of which may use those before it:
 *   solver/   integrators of x' = f(t, x), their table, and solver `auto`
 *   state/    one run: its data, the program in use, evaluations of the model
 *   message/  names, values and failures in words
 *   event/    schedule, delays, the locator, what is decided at an instant
 *   sliding/  events without end: accumulation, sliding (Filippov), impacts
 *   profile/  where the time goes, by part, block, function, relation, state and mode
 *   modes/    programs of modes, the jump between them, inline integration, state sets
 *   report/   the event log and the statistics of a run
 *   orbit/    periodic motion by shooting; it uses this folder
 * This folder joins them: creation, initialization, the event iteration, rows, the run, snapshots.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/snapshot.h"
#include "sim/state/options.h"

typedef struct Sim Sim;

/* All arguments must outlive the run; `stats` may be NULL. Returns NULL after a message if an
 * option is wrong. */
Sim *sim_open(Context *ctx, const Plan *plan, const ModelCode *code, const SimOptions *options,
              const ResultSink *result, const SimText *text, SimStats *stats);
/* Initialization, and the event at the start. False if the run cannot continue: sim_status. */
bool sim_start(Sim *s);
/* Steps and events up to the time `until`, at or after the present time; with stop_at_event, only
 * to the first event. False as above. */
bool sim_advance(Sim *s, double until, bool stop_at_event);
/* A row at the present time, unless there is one. False as above. */
bool sim_row(Sim *s);
/* At the stop time: the last row, and terminal(). False as above. */
bool sim_finish(Sim *s);
/* Warnings and statistics, then frees the run. */
SimStatus sim_close(Sim *s);

SimStatus sim_status(const Sim *s);
bool sim_terminated(const Sim *s); /* terminate() acted */
double sim_time(const Sim *s);
uint64_t sim_instants(const Sim *s); /* events so far */
uint64_t sim_rows(const Sim *s);     /* given to the sink so far */
/* Values of all variables by VarId at the present time, aliases not filled in; valid until the next
 * call. NULL after a message if the model cannot be evaluated. */
const double *sim_values(Sim *s);
/* The same. NULL also if a value is undefined, such as sqrt(-1): no caller outside reads it unknown
 * to the user. */
const double *sim_read(Sim *s);
/* The text that the value of a String variable stands for; valid until the next call. */
const char *sim_text(const Sim *s, double value);
/* At the next advance, the variable takes the value in an event at the present time. It is a
 * parameter, an input, a state or a discrete variable. False as above. */
bool sim_change(Sim *s, VarId var, double value);

/* Writes the state and continues from it. False as above. */
bool sim_save(Sim *s, Snapshot *p);
/* Continues from a state that a run of the same plan with the same options saved, and discards the
 * present one. False if the state does not fit; then the run is as before sim_start. */
bool sim_restore(Sim *s, Snapshot *p);
/* Before the run is used after sim_save or sim_restore: the functions of this header call it. False
 * as above; then the run can only be closed, reset or restored. */
bool sim_settle(Sim *s);
/* Whether sim_settle has something to do. */
bool sim_waits(const Sim *s);
/* Back to before sim_start. */
void sim_reset(Sim *s);

/* Solvers by name, for help and checks; NULL at the end. */
const char *const *sim_solvers(void);

#endif

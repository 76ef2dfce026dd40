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
 * Saved states. A run that saves its state goes on from what it saved, as another run that is given
 * the same bytes does: both forget whatever is not among them, such as the history of a multistep
 * method, Jacobians, and programs of other modes. So they continue with the same bits by
 * construction.
 *
 * Rooms, each of which may use those before it:
 *   solver/   integrators of x' = f(t, x), their table, and solver `auto`
 *   state/    one run: its data, the program in use, evaluations of the model
 *   message/  names, values and failures in words
 *   event/    schedule, delays, the locator, what is decided at an instant
 *   sliding/  events without end: accumulation, sliding (Filippov), impacts
 *   modes/    programs of modes, the jump between them, inline integration, state sets
 *   report/   the event log and the statistics of a run
 * This folder joins them: creation, initialization, the event iteration, rows, the run, snapshots.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/snapshot.h"
#include "sim/state/options.h"

typedef struct Sim Sim;

/* All that is passed in must outlive it; `stats` may be NULL. NULL after telling: an option is
 * wrong. */
Sim *sim_open(Context *ctx, const Plan *plan, const ModelCode *code, const SimOptions *options,
              const ResultSink *result, const SimText *text, SimStats *stats);
/* Initialization, and the event at the start. False where nothing more can be done: sim_status. */
bool sim_start(Sim *s);
/* Steps and events up to the time `until`, which is not before the present time; no further than
 * the first event where that is asked. False as above. */
bool sim_advance(Sim *s, double until, bool stop_at_event);
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
 * call. NULL after telling: the model cannot be evaluated. */
const double *sim_values(Sim *s);
/* The variable takes the value at the present time, which is an event: at the next advance. A
 * parameter, an input, a state or a discrete variable. */
void sim_change(Sim *s, VarId var, double value);

/* Writes the state and goes on from what was written. False as above. */
bool sim_save(Sim *s, Snapshot *p);
/* Goes on from a state that a run of the same plan with the same options saved; what it was before
 * is forgotten. False where the state does not fit, and as above: then only closing is left. */
bool sim_restore(Sim *s, Snapshot *p);
/* Back to before sim_start. */
void sim_reset(Sim *s);

/* Solvers by name, for help and checks; NULL at the end. */
const char *const *sim_solvers(void);

#endif

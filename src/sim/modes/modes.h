/* Variable structure: which program is at work, and when it changes.
 *
 * In: the plan and code that the model was compiled with, Replan for others, the values of the
 * structural guards. Out: Sim.prog, the program in use, with its solver; the state after a jump.
 * Called by the run; rooms below know Sim.prog alone. */
#ifndef SIM_MODES_MODES_H
#define SIM_MODES_MODES_H

#include "sim/state/state.h"

/* ---- mode_program.c ---- */
void program_create(Sim *s, const Plan *plan, const ModelCode *code); /* the first */
/* Before a step, at (time, x): solver auto may put another solver to work, which starts anew. */
void program_consider_solver(Sim *s);
/* After a failed step: true where another solver is to try from (time, x). */
bool program_change_solver(Sim *s);

/* ---- modes.c ---- */
bool modes_create(Sim *s); /* once the first program is there; false after telling */
void modes_free(Sim *s);
/* before initialization: chooses the program for it; false after telling */
bool modes_start(Sim *s);
bool modes_started(Sim *s); /* after it; false after telling */
/* After the initial system was solved: *again where its solution belongs to another mode, whose
 * program is in use now. */
int modes_initial(Sim *s, bool *again);
/* after the initial system failed: true where modes were found that may help */
bool modes_retry(Sim *s);
/* likewise: true where another program is in use, with blocks torn sparingly */
bool modes_sparing(Sim *s, int status);
/* takes the jump from the start values for the beginning; false where there is none */
bool modes_jumped(Sim *s);
/* all equations at an event, with the program that the mode asks for in use afterwards */
int modes_event(Sim *s);
/* after a failed step: true where inline integration goes on from (time, x) */
bool modes_retreat(Sim *s);
void modes_begin_instant(Sim *s); /* v holds the left limit */
void modes_reinit(Sim *s);        /* after reinits of an iteration, noted in s->event */
/* inlined: the states have changed at (time, x), between events */
void modes_stand_here(Sim *s);
const double *modes_row(Sim *s, const double *v); /* the row with NaN for what does not exist */
bool modes_have_own_states(const Sim *s);         /* the program in use is not the first */
bool modes_active(const Sim *s);                  /* a mode's program is, or will be, in use */

/* ---- start_values.c ---- */
bool set_parameters(Sim *s); /* as the model and the options have them; false after telling */
void set_guesses(Sim *s);    /* start values */

/* ---- inline_stages.c ---- */
/* before the solver starts anew: what is fixed between events has changed */
void stages_restart(Sim *s);

/* ---- stateset.c ---- */
/* at consistent values: the best choice; values of slots follow */
void stateset_start(Sim *s);
/* At (time, x), between events: may exchange states; then x follows, a restart is asked for, and
 * the answer is true. */
bool stateset_monitor(Sim *s);

/* ---- mode_log.c ---- */
void modes_stats(Sim *s); /* counts of all programs to those of the run */

#endif

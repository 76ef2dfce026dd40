/* Variable structure: which program is in use, and when it changes.
 *
 * In: the plan and code of the compilation, Replan for others, the values of the structural guards.
 * Out: Sim.prog, the program in use, with its solver; the state after a jump. Called by the run;
 * lower rooms know only Sim.prog. */
#ifndef SIM_MODES_MODES_H
#define SIM_MODES_MODES_H

#include "sim/state/state.h"

struct Snapshot;

/* ---- mode_program.c ---- */
void program_create(Sim *s, const Plan *plan, const ModelCode *code); /* the first */

/* ---- program_solver.c ---- */
/* Before a step, at (time, x): solver auto may put another solver to work, which starts again. */
void program_consider_solver(ModeProgram *prog);
/* After a failed step: true if another solver is to try from (time, x). */
bool program_change_solver(ModeProgram *prog);

/* ---- modes.c ---- */
bool modes_create(Sim *s); /* once the first program is there; false after an error */
void modes_free(Sim *s);
/* before initialization: chooses the program for it; false after an error */
bool modes_start(Sim *s);
bool modes_started(Sim *s); /* after it; false after an error */
/* After the initial system was solved: *again if its solution belongs to another mode, whose
 * program is then in use. */
int modes_initial(Sim *s, bool *again);
/* after the initial system failed: true if modes were found that may help */
bool modes_retry(Sim *s);
/* the same: true if another program is in use, with less tearing */
bool modes_use_less_tearing(Sim *s, int status);
/* uses the jump from the start values as the beginning; false if there is none */
bool modes_jumped(Sim *s);
/* all equations at an event; the program of the mode is in use afterwards */
int modes_event(Sim *s);
/* after a failed step: true if inline integration continues from (time, x) */
bool modes_retreat(Sim *s);
/* Before a restart: whether a change to inline integration has moved discrete variables, once. An
 * event must follow. */
bool modes_unsettled(Sim *s);
void modes_begin_instant(Sim *s); /* v holds the left limit */
/* If the iteration of an instant left program `begin` for inline integration: back to its
 * beginning, with the inlined program. Otherwise false. */
bool modes_restart_inline(Sim *s, ModeProgram *begin);
void modes_reinit(Sim *s); /* after reinits of an iteration, noted in s->event */
/* inlined: the states have changed at (time, x), between events */
void modes_states_changed(Sim *s);
/* the row with NaN for variables that do not exist */
const double *modes_row(Sim *s, const double *v);
bool modes_have_own_states(const Sim *s); /* the program in use is not the first */
bool modes_active(const Sim *s);          /* a mode's program is, or will be, in use */

/* ---- inline_trial.c ---- */
/* Before a restart: the states are not accurate enough for the switches, which depend on them with
 * this gain. Solver auto continues inline, where all equations of a step are solved together. False
 * if that is not possible, or does not help. */
bool modes_leave_states(Sim *s, double gain);
/* Before a restart: the switches need accurate states; lost: more accurate than numbers are. Both
 * ways will be compared; true if inline integration takes over at once, because the states are
 * lost, or because the run could not return from it. */
bool modes_doubt_states(Sim *s, double gain, bool lost);
/* Before a step: may change the way, which requests a restart. False after an error. */
bool modes_compare_inline(Sim *s);
/* After a failed step: true if inline integration was on trial, and the states continue. */
bool modes_end_trial(Sim *s);

/* ---- switch_search.c ---- */
/* An event iteration from the left limits in v. False if it does not end; *status: a ModelStatus.
 */
typedef bool EventIteration(Sim *s, int *status);
/* Iterations that treat relations at zero differently. */
typedef struct EventIterations {
    EventIteration *const *at;
    uint32_t n;
} EventIterations;
/* After an iteration that failed, or ended with equations that are solvable at this instant only.
 * It began with program `begin` and values that iteration_save has saved. True if one of the
 * iterations succeeds from other positions of switches with a memory; its result is then in v. */
bool switches_search(Sim *s, ModeProgram *begin, EventIterations ways);
/* Before the iterations of an instant. */
void switches_forget_jump(Sim *s);
/* After an iteration that succeeded: whether switches with a memory contradict a jump in it. */
bool switches_contradict_jump(const Sim *s);
/* Then: true if an iteration from other positions ends without such a jump; its result is in v.
 * False: values and program are those of the beginning. */
bool switches_correct_jump(Sim *s, ModeProgram *begin, EventIterations ways);
void switches_warn(Sim *s); /* of such a jump that stays */

/* ---- jump.c ---- */
/* After a step: bands of relations around zero become narrower with longer steps. */
void jump_bands_follow(ModeProgram *prog);

/* ---- mode_snapshot.c ---- */
/* Which program is in use, its values and its solver. Reading makes that program and puts it to
 * use; modes_create comes before. False after a message, or if the snapshot is bad. */
bool modes_snapshot(Sim *s, struct Snapshot *p);

/* ---- start_values.c ---- */
bool set_parameters(
    ModeProgram *prog);   /* as the model and the options have them; false after an error */
void set_guesses(Sim *s); /* start values */

/* ---- block_guesses.c ---- */
/* RuntimeGuess: tearing variables of the block without a start value follow from start values of
 * the block's other unknowns. False if the block has no such unknowns. */
bool block_guess(void *program, uint32_t number);

/* ---- inline_stages.c ---- */
/* before the solver restarts: variables that are fixed between events have changed */
void stages_restart(Sim *s);

/* ---- stateset.c ---- */
/* at consistent values: the best choice; values of slots follow */
void stateset_start(ModeProgram *prog);
/* At (time, x), between events: may exchange states. Then x follows, a restart is requested, and
 * the result is true. */
bool stateset_monitor(ModeProgram *prog);

/* ---- mode_log.c ---- */
void modes_stats(Sim *s); /* counts of all programs to those of the run */

#endif

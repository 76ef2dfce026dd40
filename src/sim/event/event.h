/* Events: when one happens, and what is decided there.
 *
 * In: the run at a time, and the solver's last step. Out: instants, decided relations and triggers
 * in Sim.relations and Sim.event. The iteration at an event is in sim/event_iteration.c, which
 * joins this room with sliding/ and modes/. */
#ifndef SIM_EVENT_EVENT_H
#define SIM_EVENT_EVENT_H

#include "sim/state/state.h"

/* ---- event.c ---- */
void event_begin(Sim *s, double t); /* an event without triggers */
/* The relation changes at this event; z: its crossing function there. */
void event_trigger(Sim *s, uint32_t relation, double z);
/* Decides that the relation takes its other value. */
void event_decide(Relations *r, const ModeProgram *prog, uint32_t relation);
bool event_untrigger(Event *e, uint32_t relation); /* it did not trigger the event; false */

/* ---- delays.c: histories of delay() ---- */
/* histories begin with the values now in v; false after an error */
bool delays_start(Sim *s);
/* the longest step that histories allow from the present values on; d may be NULL */
double delays_limit(const struct Delays *d, const double *v);
/* the solver's last step from s->run.time to t; false after an error */
bool delays_record(Sim *s, double t);
/* At the beginning of an event: breaks that arrive now pass. True if one jumps. */
bool delays_pass(Sim *s);
/* after an event, with all values known; relevant: it changed continuous equations */
void delays_note(Sim *s, bool relevant);
/* Then breaks of delays that are zero now arrive at once. */
void delays_arrive(Sim *s);
/* what steps depend on beside the histories; read after delays_start */
void delays_snapshot_limits(struct Delays *d, struct Snapshot *p);

/* ---- state_tolerances.c: absolute tolerances for crossing functions ---- */
void tolerances_create(Sim *s);
void tolerances_choose(ModeProgram *prog); /* before a restart at (time, x), relations as in v */
/* After tolerances_choose: 0 if the present switches need no accurate states. Otherwise how far a
 * switch moves, in ε, if states move by ε. *lost: the states do not have so many digits. */
double tolerances_gain(const ModeProgram *prog, bool *lost);
/* after a failed step: true if lowered tolerances were raised, for another try from (time, x) */
bool tolerances_raise(ModeProgram *prog);

/* ---- spurious_crossing.c ---- */
/* Whether the equations contradict the crossing at *te that was located in the step from t0; the
 * step must then end at *te. */
bool crossing_is_spurious(Sim *s, double t0, double *te);
/* A step of this length had no event. */
void crossing_step_passed(Sim *s, double length);

/* ---- simultaneous_crossings.c ---- */
void simultaneous_create(ModeProgram *prog);
/* Before the iteration at an event: leaves out triggers that do not pass zero after it. */
void simultaneous_judge(Sim *s);
/* Saves the values and decisions at the beginning of an event iteration, and restores them. */
void iteration_save(Sim *s);
void iteration_restore(Sim *s);
/* After the iteration: whether a triggering relation has its old value again, at its old place.
 * Relations that are expected to leave zero on that side do not count. */
bool iteration_returned(Sim *s);
bool can_foresee(const ModeProgram *prog);
/* After an evaluation of all equations at an event: relations at zero are decided as they are a
 * moment later. True if one of them changes by this. */
bool foresee_relations(Sim *s);

#endif

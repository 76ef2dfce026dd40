/* The profile of a run: where its time goes, by part, block, function, relation, state and mode.
 *
 * In: calls that the runtime measures (runtime/profile.h), counts of programs, steps and events.
 * Out: a ProfileRecord at the end of the run, also as a table for the log and as JSON. The
 * functions of run_profile.c do nothing if no profile is requested. */
#ifndef SIM_PROFILE_PROFILE_H
#define SIM_PROFILE_PROFILE_H

#include "base/text.h"
#include "sim/state/state.h"

/* ---- run_profile.c ---- */
void run_profile_create(RunContext *run); /* before the first program of the run */
void run_profile_free(RunContext *run);
/* A new program: describes its blocks, so that calls of these are measured. */
void run_profile_program(ModeProgram *prog);
/* It belongs to this mode. */
void run_profile_mode(ModeProgram *prog, const char *mode);
void run_profile_visit(const ModeProgram *prog); /* it comes into use */
/* It ends: its counts of blocks. */
void run_profile_add(RunContext *run, const ModeProgram *prog);
/* A step of the solver that took `seconds`. */
void run_profile_step(ModeProgram *prog, double seconds);
/* The mode with which a step of the run begins; its row, NONE without a profile. */
uint32_t run_profile_present_mode(ModeProgram *prog);
void run_profile_passed(RunContext *run, uint32_t mode, double seconds, uint64_t events);
/* The present event took `seconds`. */
void run_profile_event(const Sim *s, double seconds);

/* ---- profile_record.c ---- */
/* At the end of the run: hands out the record, its JSON and its table. */
void profile_report(Sim *s);

/* ---- profile_json.c ---- */
void profile_put_json(Text *t, const Sources *sources, const ProfileRecord *record);

/* ---- profile_table.c ---- */
void profile_put_table(Text *t, const Sources *sources, const ProfileRecord *record);

#endif

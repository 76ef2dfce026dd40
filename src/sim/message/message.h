/* Names, values and failures in words.
 *
 * In: a run that continues, fails or is described. Out: texts in Sim.run.scratch, diagnostics.
 * Every room above state/ may call; callers reset Sim.run.scratch. */
#ifndef SIM_MESSAGE_MESSAGE_H
#define SIM_MESSAGE_MESSAGE_H

#include "sim/state/state.h"

/* ---- describe.c; texts live in the scratch arena ---- */
const char *describe_variable(ModeProgram *prog, VarId var);
char *describe_value(ModeProgram *prog, VarId var, double value);
char *describe_relation(ModeProgram *prog, uint32_t relation);   /* in the words of the model */
char *describe_part(ModeProgram *prog, Term whole, ExprId part); /* of an equation */
char *describe_path(ModeProgram *prog, PathId component);        /* "plant.pump", or "" */
char *describe_component(ModeProgram *prog, PathId component,
                         Span span);              /* " in pump (plant.mo:7)" */
char *describe_place(RunContext *run, Span span); /* "ball.mo:7", or "" */

/* ---- failure.c: reports why a run ends. All set RunContext.status and return false. ---- */
bool fail_model(ModeProgram *prog, int status, const char *doing);
bool fail_initial(ModeProgram *prog, int status);
bool fail_unless_finite(
    ModeProgram *prog); /* after an evaluation of all outputs; true if all is well */
/* The same, but the status stays; returns whether a value is undefined. */
bool report_undefined(ModeProgram *prog);
bool fail_step(ModeProgram *prog, StepStatus status);
bool fail_iteration(ModeProgram *prog, const PreLinks *pres, const Event *e);
/* limit: the time at which the events accumulate */
bool fail_accumulation(ModeProgram *prog, const Event *e, bool chattering, double limit);
/* Reports and returns whether the equations have no solution a moment later: relations that change
 * back at once look like endless events. */
bool fail_without_solution(ModeProgram *prog);
bool fail_assert(ModeProgram *prog, uint32_t action);
bool fail_second_reinit(ModeProgram *prog, uint32_t first, uint32_t second);
char *failure_message(ModeProgram *prog, Term message);
const char *fail_text(int status); /* a ModelStatus as text */
/* by ModelData.failed_block; NULL if there is none */
const PlanBlock *fail_block(const ModeProgram *prog, int number);
/* Reports violated asserts of warning level in functions. */
void fail_warnings(ModeProgram *prog);
/* Reports that block `block` jumped to another solution; the first few times. */
void warn_solution_jump(ModeProgram *prog, int block);
/* Reports that the equations leave a variable open, and that a derivative depends on it. */
void warn_open_derivative(ModeProgram *prog, VarId open, VarId der);
/* Reports that a state jumps although this switch would prevent it; the first few times. */
void warn_contradicted_jump(ModeProgram *prog, VarId state, double from, VarId position);

/* ---- range_violations.c ---- */
VarIds range_list(const ModeProgram *prog); /* variables that have a min or max */
/* Reports variables of the list that are outside their min and max, all values being known; these
 * leave the list. */
void range_check(ModeProgram *prog, VarIds *list);

#endif

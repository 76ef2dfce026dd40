/* Evaluations of the program in use. They return a ModelStatus and leave all values of their use in
 * v. */
#ifndef SIM_STATE_EVALUATE_H
#define SIM_STATE_EVALUATE_H

#include "sim/state/model_view.h"

void put_states(ModeProgram *prog, double t, const double *x); /* time and states into v */
void get_states(const ModeProgram *prog, double *x);
int evaluate_derivatives(ModeProgram *prog, double t, const double *x);
int evaluate_outputs(ModeProgram *prog, double t, const double *x); /* everything continuous */
/* Derivatives, what relations and assertions need, and z of all relations, unless it is NULL. */
int evaluate_indicators(ModeProgram *prog, double t, const double *x, double *z);
/* Only z; derivatives may stay as they were. */
int evaluate_crossings(ModeProgram *prog, double t, const double *x, double *z);
/* Whether derivatives at (t, x) exist in the present branch only as continued from before. */
bool evaluate_is_beyond(ModeProgram *prog, double t, const double *x);
/* Branches are continued from x at the present time, even if x changes; until they are freed. */
void evaluate_keep_way(ModeProgram *prog);
void evaluate_free_way(ModeProgram *prog);
int evaluate_call(ModeProgram *prog, int (*function)(ModelData *m));
/* Tangents of what is constant in a run by the parameter `seed`, whose tangent is set. */
int evaluate_parameter_tangents(ModeProgram *prog, VarId seed);
int evaluate_constant_tangents(ModeProgram *prog, VarId seed); /* the same, with `constants` */
int evaluate_event(ModeProgram *prog,
                   int (*function)(ModelData *m)); /* with relations taken again */
/* All equations at an event, with a combination of switches that is valid for longer than an
 * instant. *momentary: there is none. */
int evaluate_equations(ModeProgram *prog, bool *momentary);
/* Remembers a failed evaluation. */
void note_failure(ModeProgram *prog, int status, double t, const double *x);

/* Whether a surface is held: values are mixed from both of its sides (sliding/filippov.c). */
static inline bool sliding_active(const ModeProgram *prog)
{
    return prog->mixed != NULL;
}

/* The time scale of the model in the run so far: the longest step, or FIRST_TIME_SCALE before the
 * first step. */
double model_time_scale(const RunContext *run);
/* The same, but not less than FIRST_TIME_SCALE in the first moments of a run: the steps so far say
 * nothing of the model then. */
double model_later_time_scale(const RunContext *run);
static const double FIRST_TIME_SCALE = 0.02; /* seconds */
/* The tolerance of solvers: a tenth of the requested one if state events are possible. */
double solver_tolerance(const ModeProgram *prog);
/* Of the relation's z, by nominal values; of a scheduled relation, at the present time. */
double relation_first_scale(const ModeProgram *prog, uint32_t relation);
/* ε is relative to it: the first scale, unless the band around zero was widened */
double relation_scale(const RunContext *run, uint32_t relation);
VarId resolve_alias(const ModeProgram *prog, VarId var, double *sign); /* through aliases */
/* start value, or the nearest to zero within the bounds */
double start_value(const ModeProgram *prog, VarId var);

/* ---- state_sizes.c ---- */
void sizes_create(ModeProgram *prog);
void sizes_start(ModeProgram *prog, uint64_t instants); /* after initialization */
/* Before a restart of the solver; instants: events so far. */
void sizes_restart(ModeProgram *prog, uint64_t instants);
/* After a step: absolute tolerances that the states at x ask for. */
void sizes_follow(ModeProgram *prog);
/* After a failed step. True if greater tolerances may help, with which the solver is to restart. */
bool sizes_raise(ModeProgram *prog, StepStatus status);

#endif

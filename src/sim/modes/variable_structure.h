/* Variable structure of a run: its programs, and data shared by the files of this room. */
#ifndef SIM_MODES_VARIABLE_STRUCTURE_H
#define SIM_MODES_VARIABLE_STRUCTURE_H

#include "sim/modes/jump.h"
#include "sim/modes/modes.h"

typedef VEC(ModeProgram *) ModePrograms;

typedef enum TrialPhase {
    TRIAL_NONE,
    TRIAL_STATES,
    TRIAL_INLINE,
    TRIAL_STATES_AGAIN,
    TRIAL_ENDED
} TrialPhase;

/* The comparison of inline integration with the solver of the states (inline_trial.c). */
typedef struct InlineTrial {
    TrialPhase phase;
    double time, evaluations;    /* when the window began */
    double patience;             /* evaluations of the next window of the states */
    double gain;                 /* the largest of switches so far */
    double of_states, of_inline; /* advance of time per evaluation */
} InlineTrial;

/* Programs with integration written into the equations. */
typedef struct InlinedPrograms {
    ModeProgram *all; /* all derivatives inlined; NULL while not needed */
    /* the program for steps of inline integration: `all`, or one in which some derivatives are
     * inlined; NULL while not needed */
    ModeProgram *steps;
    uint32_t *place;         /* per inlined variable of steps: its place among those of all */
    bool in_use;             /* `steps` is in use throughout */
    ModeProgram *instead_of; /* the program that `steps` replaced in the run; NULL: none */
    bool was_staged;         /* and `staged` before that */
    double tried;   /* last gain of switches for which the states were too inaccurate; 0: none */
    bool staged;    /* the ordinary program is in use, and `steps` solves its solver's stages */
    uint32_t *home; /* staged: per state of steps its index in the ordinary program */
    double *stage[3];
    InlineTrial trial;
} InlinedPrograms;

/* Programs of modes. */
typedef struct ModeCache {
    /* modes visited; those put together from groups, of which the last few are kept, by last use */
    ModePrograms list;
    uint32_t n_assembled;     /* of them */
    const ModeProgram *begin; /* of the instant, to which an event iteration returns: stays */
    const ModeProgram *from;  /* before the present change of mode: stays */
    ModePrograms former;      /* programs of modes with fewer guards: no longer used */
} ModeCache;

typedef struct ModeCounts {
    uint64_t joined;    /* modes put together from groups */
    double joining;     /* seconds that took */
    uint32_t n_planned; /* modes planned for the whole model */
    double planned;     /* seconds that took */
    uint64_t changes;
    double later; /* seconds that entering known modes took */
} ModeCounts;

typedef struct GuardValues {
    double *values;
    uint32_t n;
} GuardValues;

/* Variable structure of a run. */
typedef struct Modes {
    double *key;         /* size RunContext.guards.n: the requested mode */
    ModeProgram *single; /* the plan that the model was compiled with */
    InlinedPrograms inlined;
    Jump jump;
    ModeCache cache;
    ModeCounts counts;
    GuardValues reported; /* in the mode reported last */
    VarIds split; /* variables that the last singular block leaves open: the smallest were taken */
    double *row;  /* size n_common */
    bool started; /* initialization is done */
    bool active;  /* a mode's program is, or will be, in use */
    bool again;   /* the jump of the instant is to be found again */
    bool unsettled; /* inline integration began with other values of discrete variables */
} Modes;

/* ---- mode_program.c ---- */
ModeProgram *program_new(Sim *s, const Plan *plan, const ModelCode *code); /* not yet in use */
/* the same; the program is released with it */
ModeProgram *program_assembled(Sim *s, SimProgram *p);
/* copies values of common variables; s->run.restart is set */
void program_use(Sim *s, ModeProgram *m);
/* values of common variables to one that is not in use */
void program_copy_values(ModeProgram *prog, ModeProgram *to);
void program_free(ModeProgram *m);

/* ---- switch_relations.c ---- */
void switch_relations_find(Sim *s); /* into the locator: before the run begins */

/* ---- memory_switches.c ---- */
const MemorySwitches *switches_with_memory(Sim *s);

/* ---- program_solver.c ---- */
bool program_solver(Sim *s); /* problem and solver of the program in use; false after an error */
void program_solver_name(ModeProgram *prog); /* its name into the statistics */
bool solver_is_auto(const RunContext *run);  /* by the options */

/* evaluations of the run so far; a Jacobian takes one for each colour */
double program_evaluations(const ModeProgram *prog);

/* ---- inline_trial.c ---- */
void inline_trial_snapshot(InlineTrial *t, struct Snapshot *p);

/* ---- modes.c ---- */
/* Continues with inline integration from (time, x), between events; false if it is not possible. */
bool inline_from_here(Sim *s, const char *why);
/* Relations, and the values that a jump begins with, are those of the motion at (time, x). */
void modes_begin_between(Sim *s);
/* The program of the mode in Modes.key, made if it is missing. NULL after a message. */
ModeProgram *program_of_mode(Sim *s);
/* The inlined program and what the jump needs, made if they are missing; false after a message. */
bool need_jump(Sim *s);

/* ---- problem.c ---- */
void problem_create(ModeProgram *prog); /* of the program in use */
/* From now on the evaluation solves all blocks, also for solvers of the open form. */
void problem_close(ModeProgram *prog);

/* ---- inline_choice.c ---- */
/* The program for inline integration as the options have it into InlinedPrograms.steps; `all` must
 * be there. False after an error. */
bool inline_choose(Sim *s);

/* ---- inline_stages.c ---- */
bool stages_possible(Sim *s); /* whether `single` can stay in use; InlinedPrograms.steps is there */
void stages_create(Sim *s);   /* it does */
void stages_problem(ModeProgram *prog); /* the stage of the problem */

/* ---- stateset.c ---- */
void stateset_create(ModeProgram *prog); /* with the choice of the plan */
void stateset_free(ModeProgram *prog);
void stateset_snapshot(ModeProgram *prog, struct Snapshot *p); /* the choice */
/* the choice of the program before, and the values of its candidates */
void stateset_take(ModeProgram *prog, const ModeProgram *from);

/* ---- mode_log.c ---- */
char *mode_log_text(ModeProgram *prog,
                    const double *key); /* "closed = true, s > 1 = false", in s->run.scratch */
/* the one in use; before: values of inlined variables before the jump, NULL for none */
void mode_log_mode(Sim *s, const double *before);
void mode_log_split(Sim *s); /* the part that a singular block leaves open */
void mode_log_add(RunContext *run, const ModeProgram *m); /* its counts to those of the run */

#endif

/* Inputs and outputs of a run: options, sinks, statistics. Part of sim/sim.h. */
#ifndef SIM_STATE_OPTIONS_H
#define SIM_STATE_OPTIONS_H

#include "runtime/model.h"
#include "sim/state/event_record.h"
#include "sim/state/profile_record.h"
#include "sim/solver/solver.h"
#include "structure/plan/plan.h"

typedef enum SimStatus {
    SIM_DONE, /* stop time reached, or terminate() */
    /* numerically; reported as R-diagnostic with time, equation, line and values; rows up to then
     * were delivered */
    SIM_FAILED,
    SIM_BAD_SETTING, /* unknown solver, parameter name, …: reported */
    SIM_INTERRUPTED,
    SIM_SINK_FAILED, /* the sink refused a row; the sink knows why */
} SimStatus;

/* The columns that a sink reads of rows between events; rows at events are complete. */
typedef enum RowNeeds {
    ROW_ALL,
    ROW_STATES /* states, discrete variables and time */,
    ROW_TIME
} RowNeeds;

/* Rows in order of time; an event yields two rows with the same time: before and after. v is
 * indexed by VarId; aliases are not filled in. */
typedef struct ResultSink {
    void *user;
    bool (*row)(void *user, const double *v);
    RowNeeds needs;
} ResultSink;

typedef enum SimLog {
    LOG_EVENTS = 1,
    LOG_INIT = 2,
    LOG_BLOCKS = 4,
    LOG_STATS = 8,
    LOG_MODES = 16,
    LOG_PROFILE = 32
} SimLog;

typedef struct SimText { /* receives log text and the event log; NULL functions are skipped */
    void *user;
    void (*log)(void *user, const char *text);        /* --log: lines for people */
    void (*event)(void *user, const char *json_line); /* --events: one JSON object per instant */
    void (*progress)(void *user, double time, uint64_t steps, uint64_t events); /* now and then */
    void (*record)(void *user, const EventRecord *); /* each event; valid only during the call */
    /* at the end, if a profile is measured: the same, and one JSON object */
    void (*profile)(void *user, const ProfileRecord *);
    void (*profile_json)(void *user, const char *json);
} SimText;

/* a value from outside: parameter, start value ("x.start") as its parameter, or input */
typedef struct SimSet {
    VarId var;
    double value;
} SimSet;

/* Better code of the same model, which computes the same bits. */
typedef struct SimTier {
    void *user;
    /* called at steps; done: fraction of the run */
    const ModelCode *(*poll)(void *user, double done);
} SimTier;
/* A program that was made on demand; lives as long as the model. */
typedef struct SimProgram {
    const Plan *plan;
    const ModelCode *code;
    double seconds; /* that making it took */
} SimProgram;

/* Counts of the programs for groups of guards. */
typedef struct SimGroups {
    uint32_t n_groups, n_programs;
    double seconds; /* that making them took */
    /* seconds for finding the groups, and for the program of the common part */
    double common;
} SimGroups;

/* The only way back to structure. The first three return the same program when called again, and
 * NULL after an error. */
typedef struct Replan {
    void *user;
    /* The program of a mode: guards have these values; NAN: the variable stays a variable. */
    const SimProgram *(*mode)(void *user, const VarId *guards, const double *values, uint32_t n);
    /* On the unreduced equations, with the derivatives of these variables inlined; n = 0: of all.
     */
    const SimProgram *(*inlined)(void *user, const VarId *vars, uint32_t n);
    /* With less tearing: more unknowns, each from its own start value, and simpler equations. */
    const SimProgram *(*sparing)(void *user);
    /* The program of a mode put together from those of its groups, which are made if they do not
     * exist; it has no initial sequence. NULL, without a message, if it is impossible. To be
     * released. */
    SimProgram *(*assemble)(void *user, const VarId *guards, const double *values, uint32_t n);
    void (*release)(SimProgram *p);
    SimGroups (*groups)(void *user);
} Replan;

typedef enum SimStructure {
    STRUCTURE_AUTO,
    STRUCTURE_SINGLE,
    STRUCTURE_MODES,
    STRUCTURE_INLINE,
    STRUCTURE_MIXED, /* inline integration of the states that fix the causality of switches */
} SimStructure;

typedef enum OutputPoints {
    POINTS_GRID,  /* the output points, and two rows at each event */
    POINTS_STEPS, /* also the end of each step of the solver */
    POINTS_DENSE, /* also points so that straight lines follow the states, if steps need them */
    POINTS_AUTO,  /* the same, but a limited number for each output interval and event */
} OutputPoints;

typedef struct SimOptions {
    double start, stop; /* stop >= start */
    uint32_t intervals; /* output points are start + i*(stop - start)/intervals */
    double output_step; /* other than 0: start + i*output_step instead, `intervals` of them */
    bool endless;       /* the number of these is not limited, and the stop time does not count */
    OutputPoints points;
    bool warn_coarse;     /* warn if events are denser than the output points */
    double tolerance;     /* relative */
    const char *solver;   /* one of sim_solvers() */
    double step;          /* of solvers with a fixed step; 0: (stop - start)/intervals */
    double event_epsilon; /* 0: 1e-10 */
    /* accumulating events end the run; otherwise the model rests there */
    bool accumulation_stops;
    bool chattering_stops;          /* chattering ends the run; otherwise the model slides */
    MixedMethod mixed;              /* of blocks with discrete unknowns */
    unsigned log;                   /* SimLog bits */
    bool profile;                   /* measure one, also without LOG_PROFILE */
    uint64_t max_events_at_instant; /* event iterations before giving up; 0: 100 */
    const SimSet *sets;
    uint32_t n_sets;
    const SimTier *tier; /* NULL: the code stays */
    SimStructure structure;
    bool keeps_states; /* no inline integration for more digits: analyses need the states */
    /* patterns of the variables to inline; size n_inlined, 0: all */
    const char *const *inlined;
    uint32_t n_inlined;
    InlineMethod inline_method; /* of inlined states, unless the solver is an inline one */
    const Replan *replan;       /* NULL: the plan given is the only one */
    /* by clock_now, when the run fails, and the limit that this comes from; 0: none */
    double deadline, seconds;
    /* Steps of the solver may go beyond the end of an advance, where the run stays, up to this
     * time. */
    bool goes_beyond;
    double beyond;
} SimOptions;

typedef struct SimStats {
    /* crossings: evaluations of relations without derivatives */
    uint64_t steps, rejected, derivatives, crossings, jacobians, state_events, time_events,
        event_iterations, set_changes;
    uint64_t switch_searches; /* events whose switch positions the plain iteration did not find */
    /* Only measured with LOG_STATS. The first four do not overlap; derivatives and Jacobians are
     * parts of them. */
    double seconds_init, seconds_integrate, seconds_events, seconds_output;
    double seconds_derivatives, seconds_jacobian;
    RuntimeStats blocks;
    double end_time;
    char solver[48]; /* those that ran: "cvode, dopri5 and radau" */
} SimStats;

#endif

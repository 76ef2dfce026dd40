/* One run: its data in addition to its programs. Every room of sim except solver/ may include this;
 * parts with their own rules (Schedule, Locator, Sliding, Modes …) are defined in their rooms. */
#ifndef SIM_STATE_STATE_H
#define SIM_STATE_STATE_H

#include "sim/state/event_state.h"
#include "sim/state/model_view.h"

/* Discrete variables and relations. */
typedef struct DiscreteVars {
    VarId *vars;
    double *before; /* their values at the left limit of the event */
    uint32_t n;
} DiscreteVars;

typedef struct PreLink { /* pre := sign * base */
    VarId pre, base;
    float sign;
    float slack; /* difference below which both are equal; 0 for discrete variables */
} PreLink;

typedef struct PreLinks {
    PreLink *at;
    uint32_t n;
} PreLinks;

/* Arrays with an entry per relation. */
/* The position of a switch depends on the relation. */
typedef struct SwitchRelation {
    uint32_t relation, element; /* element: a number of the switch */
} SwitchRelation;

typedef struct Relations {
    uint8_t *decided;         /* 0: by the rule, 1: false, 2: true */
    bool *foreseen;           /* decided by what they are a moment later */
    double *decided_z;        /* z of the decided ones at the instant */
    double *decided_at;       /* the same for scheduled ones, NAN for others */
    uint64_t *fired;          /* events it triggered */
    double *z;                /* work */
    SwitchRelation *switches; /* by relation, then element */
    uint32_t n_switches;
    bool *away; /* per element, at an event: one of its relations is not at zero */
} Relations;

/* Arrays with an entry per action of the model: reinit, terminate, assert. */
typedef struct Actions {
    double *guard, *value;
    bool *warned;
    uint32_t n_asserts;
    uint32_t *target;   /* of a reinit: number of its variable among n_targets */
    uint32_t n_targets; /* different variables */
    uint32_t *by;       /* per target: the reinit of this iteration, counted from 1; 0: none */
    uint32_t *place;    /* per target: in Event.reinits, if it is there */
} Actions;

typedef struct Rows {
    uint64_t n;    /* given so far */
    double last;   /* time of the last */
    uint32_t next; /* output point */
    /* output intervals with several events, and the events of the one before `next` */
    uint32_t crowded, interval, events;
    uint32_t extra, extra_interval; /* rows beside the output points before `next` */
    int failed; /* status of the evaluation inside a step for which no row could be written */
} Rows;

/* Values changed from outside, in the event at the present time. */
typedef struct ValueChanges {
    VEC(SimSet) list;
    uint32_t n_made;
    uint32_t first; /* of those made in the present event */
    bool under_way; /* the present event is for them */
} ValueChanges;

/* Steps that failed. */
typedef struct BlockedSteps {
    double time; /* at which the last one began */
    uint32_t n;  /* since a step succeeded well past it */
} BlockedSteps;

typedef struct SpuriousCrossings {
    uint32_t n;      /* since a step had none */
    double max_step; /* after the last */
} SpuriousCrossings;

/* The inputs of the creation of the run. */
typedef struct Given {
    const Plan *plan;
    const ModelCode *code;
    SimStats stats; /* if the caller asks for none */
} Given;

typedef struct SavedBytes {
    uint8_t *at; /* owned; NULL while none was needed */
    size_t n, cap;
    bool waits;
} SavedBytes;

/* Progress is reported every few steps, about ten times a second if steps are slow. */
typedef struct ProgressPace {
    uint32_t left, every; /* steps until the next report, and between reports */
    double reported;      /* when, by clock_now */
} ProgressPace;

/* Of all variables, in v at the present time. VALUES_DEFINED: none is undefined. */
typedef enum ValuesState { VALUES_DUE, VALUES_COMPLETE, VALUES_DEFINED } ValuesState;

typedef struct Sim {
    Given given;
    RunContext run;
    ModeProgram *prog;               /* the program in use */
    struct Modes *modes;             /* NULL: there is one program only */
    struct MemorySwitches *switches; /* NULL: not yet listed */
    const ResultSink *result;

    double from, until; /* of the present advance */
    double limit;       /* of the solver's last step */
    uint64_t steps;     /* of the run loop */
    ProgressPace pace;
    uint64_t instants; /* events that were written */
    bool stop_at_event;
    bool changed; /* values, at the beginning of the advance */
    bool going;   /* since this was asked for */
    ValuesState complete;
    bool terminated;  /* terminate() acted */
    SavedBytes saved; /* the state that the run must continue from before it is used again */

    DiscreteVars discrete;
    double *left; /* size n_vars: all values at the left limit of the event */
    PreLinks pres;
    Relations relations;
    Actions actions;
    Event event;
    struct Schedule *schedule;
    struct Locator *locator;
    struct Delays *delays; /* NULL: none */
    /* derivatives of the run beside it; NULL: none (sim/variation.h) */
    struct Variation *variation;
    Accumulation accumulation;
    SpuriousCrossings spurious;
    VarIds ranges; /* variables whose bounds have not been violated so far */
    Rows rows;
    ValueChanges changes;
    BlockedSteps blocked;
} Sim;

#endif

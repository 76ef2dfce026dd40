/* The present event, and the sequence of events. */
#ifndef SIM_STATE_EVENT_STATE_H
#define SIM_STATE_EVENT_STATE_H

#include "sim/state/options.h"

typedef struct Reinit {
    VarId var;
    double from, to;
} Reinit;

/* The events at an instant, for the log. */
typedef struct Event {
    double time;
    bool initial, terminal;
    uint32_t *triggers; /* relations; size n_relations */
    double *trigger_z;  /* z of each at the instant */
    uint32_t n_triggers;
    uint32_t n_arriving; /* it is not known whether the first of them pass zero */
    Reinit *reinits;     /* size: number of reinit actions; one entry per state */
    uint32_t n_reinits;
    uint32_t iterations;
    bool mode_changed; /* another program is in use */
    bool delayed;      /* a delayed jump arrives */
    bool leaves;       /* the motion leaves a surface, to the side that is decided */
    bool reinit_now;   /* a reinit acted in the last iteration */
    MixedMethod mixed; /* that settled a block with discrete unknowns; MIXED_AUTO: there was none */
    uint32_t turns;    /* it took */
    bool followed;     /* a block had no solution until left limits followed */
    bool momentary;    /* the last evaluation is valid at this instant only */
} Event;

/* The sequence of events at which a relation becomes true, or false. Gaps that shrink steadily
 * announce an accumulation of events. */
typedef struct EventCadence {
    double time, gap, ratio; /* of the last event */
    uint64_t events;
    double width;       /* largest excursion since the last event, in units of ε */
    uint32_t shrinking; /* how often in a row the gap shrank by about the same factor */
    /* the members below are kept in the first of the two cadences of a relation */
    double peak;        /* of |z| at steps since the last event, in units of ε */
    uint32_t inside;    /* events in a row whose excursion was below ε */
    uint32_t trembling; /* events in a row whose excursion the tolerance cannot resolve */
    bool bounces;       /* its events reinitialize states */
    bool literal;       /* the literal evaluation near zero was reported */
    /* value that it took when its reinits last turned the motion: 1: false, 2: true; 0: never */
    uint8_t impact;
} EventCadence;

/* Events that follow each other without end. */
typedef struct Accumulation {
    EventCadence *cadences; /* two per relation: becoming false, becoming true */
    double window_start;
    uint64_t window_events, narrow_events;
    double narrow_since; /* time of the first of the narrow events */
    bool tried;          /* to slide since then */
    /* a request to hold a surface from this event on */
    uint32_t relation; /* NONE: there is none */
    bool chattering;
    bool literal;          /* by taking the relation literally near it */
    bool early;            /* if the motion can slide; otherwise events go on */
    bool stuck, was_stuck; /* a switch chatters, and no surface can be held: now, or before */
    bool flight;           /* because a flight from it is too short at present */
    double limit;          /* the time at which its events accumulate */
} Accumulation;

#endif

/* Shared by state_machines.c and state_equations.c: see state_machines.c. */
#ifndef FLATTEN_MACHINE_H
#define FLATTEN_MACHINE_H

#include "flatten/synchronous/synchronous.h"

enum { NO_STATE = UINT32_MAX };

typedef struct State {
    RefComponent at;
    PathId path;
    uint32_t machine;
    uint32_t number; /* in its machine, from 1, which is the initial state */
    uint32_t around; /* the state that contains its machine; NO_STATE for none */
    bool is_final;   /* no transition leads from it */
    Span span;       /* of the first equation that names it */
    /* made by machine_equations */
    ExprId active;  /* variable: true at ticks at which it is active */
    ExprId pending; /* variable: it is to be reset when it becomes active next */
    ExprId reset;   /* variable: it is active, and reset at this tick */
} State;

typedef struct Machine {
    uint32_t comp;     /* component whose class holds it */
    uint32_t first, n; /* its transitions in Machines.order, those of low priority first */
    uint32_t initial;  /* state; NO_STATE while unknown */
    uint32_t around;   /* the state that contains it; NO_STATE for none */
    uint32_t n_states;
    Span span; /* of its initialState */
    /* variables, made by machine_equations */
    ExprId selected, fired, state, in_final;
    /* ticksInState, time of entry; EXPR_NONE if nothing uses them */
    ExprId ticks, entry;
    ExprId ticks_before, entry_before; /* the same for immediate transitions: as if none fired */
} Machine;

struct Machines {
    VEC(State) states;
    VEC(Machine) all;
    VEC(uint32_t) order;  /* transitions, by machine */
    Map by_comp;          /* component → state */
    Map by_path;          /* PathId of a state → state */
    Map defined;          /* variable → a state that defines it */
    uint32_t *comp_state; /* size n_comps: innermost state around, itself included */
    uint32_t first_var;   /* of those made */
    bool asks_ticks, asks_time;
};

/* The innermost state that determines a variable; inputs of a state belong to its surroundings. */
uint32_t state_of_var(const Flattener *f, uint32_t var);
bool is_within(const Machines *m, uint32_t state, uint32_t around); /* the same, or inside it */
/* Whether two states are never active at the same tick. */
bool are_exclusive(const Machines *m, uint32_t a, uint32_t b);

/* state_equations.c */
typedef enum StateUse { USE_EQUATION, USE_IMMEDIATE, USE_DELAYED } StateUse;

#endif

/* The next mode and the jump to it, by one implicit step of vanishing length. */
#ifndef SIM_MODES_JUMP_H
#define SIM_MODES_JUMP_H

#include "sim/state/state.h"

/* Switches with a memory: switch equations depend on these left limits. */
typedef struct MemorySwitches {
    const PreLink **links;
    bool *commanded; /* a when-clause gives the position */
    bool *at;        /* the positions with which an iteration begins */
    bool *from;      /* those with which a search begins */
    uint32_t n;
} MemorySwitches;

/* The jumps of states at an instant, and the positions of switches with a memory during the first
 * jump that contradicts them. */
typedef struct Impulse {
    bool jumped;      /* a state did */
    bool contradicts; /* during a jump, the equations gave other positions than those it began with
                       */
    bool *from, *to;  /* then, per switch: the position before it, and the one given during it */
} Impulse;

/* The jump at an instant (jump.c). Sizes: that of the variables inlined in InlinedPrograms.all,
 * unless said otherwise. */
typedef struct Jump {
    double *stand;  /* present value of each variable */
    double *slope;  /* its derivative there */
    double *before; /* value before the jump */
    double *begin;  /* value at which the jump begins */
    /* value after the jump: by the best length of the step, by the first one; work */
    double *next, *near, *work[4];
    double *spread;  /* how far two extrapolations differ */
    double *first;   /* the same for the first length */
    bool *unlimited; /* grows without limit as the step becomes shorter */
    double *from;    /* size n_common: values from which the jump begins */
    double *solved;  /* size n_common: values of the solution before relations returned */
    VarId *means;    /* itself, or the candidate that a slot of a state set represents */
    bool begun;      /* slots still represent their old candidates */
    double *exact;   /* present value, while a small miss is removed */
    double *old;     /* left values of inline integration */
    /* per relation: for three lengths of the step; the limit, and its uncertainty */
    double *zs[3], *z, *noise;
    uint8_t *returned; /* per relation: took its value of the left limit again */
    uint8_t *resolved; /* per relation: as `kept`, and others that are zero up to rounding */
    uint8_t *kept;     /* per relation: decided for the event, or as before it */
    double length;     /* of the step for the last jump */
    double band_step;  /* of the step that bands of relations belong to */
    double error;      /* of the extrapolations in it */
    bool from_start;   /* the jump from the start values is in Modes.row */
    const MemorySwitches *switches;
    Impulse impulse;
    /* of the run */
    Event *event;
    const Relations *relations;
    const double *left; /* Sim.left */
    struct Locator *locator;
} Jump;

/* At an instant: present values of everything integrated, from values by VarId. */
void jump_begin(ModeProgram *prog, const double *left);
void jump_put(ModeProgram *prog, VarId var, double value); /* reinit */
/* With the inlined program in use: all equations again from the present values. Leaves the values
 * of the right limit. */
int jump_event(ModeProgram *prog);
/* The same before an event's first jump: whether the mode in which only the triggering relations
 * have changed is valid without a jump. If so, its values are left as by jump_event; if not, the
 * values are unchanged. */
bool jump_unneeded(ModeProgram *prog);
/* After a jump: derivatives at the right limit into Jump.slope. */
void jump_slopes(ModeProgram *prog);
/* Whether inlined variable i, which moved this far, has jumped or was only adjusted. */
bool jump_moved(const ModeProgram *prog, uint32_t i, double from, double to);
/* How far switches move, in ε, at the end of a step of length h if its beginning moves by ε. */
double jump_gain(ModeProgram *prog, double h);
/* ModeProgram.set_rate, look_at_limit and look_ahead of inlined programs. The last one follows the
 * right limit of a jump, by one implicit step. */
void jump_set_rate(ModeProgram *prog, double t);
int jump_look_at_limit(ModeProgram *prog, double *z);
int jump_look_ahead(ModeProgram *prog, double step, double *z);

#endif

/* Clocked partitions without their clocks. Only for clocked_partitions.c and clock_methods.c. */
#ifndef DAE_CLOCKED_H
#define DAE_CLOCKED_H

#include "dae/lower/lower.h"
#include "flatten/flat/flat_walk.h"

/* An equation that applies at the ticks of a partition. */
typedef struct ClockedEquation {
    uint32_t partition;
    FlatEq eq;
} ClockedEquation;

typedef struct Unclock {
    Context *ctx;
    Graph *g;
    const Flat *from;
    Flat *to;
    Arena *arena;
    uint32_t *var_part; /* per variable: its clocked partition; 0 for none */
    ExprId *ticks;      /* per partition - 1: condition of its when-equations */
    ExprId *takes;      /* per partition - 1: which of these ticks are its own; EXPR_NONE: all */
    /* per partition - 1: variable that is true from the first tick on; EXPR_NONE: not made */
    ExprId *ticked;
    bool *implicit; /* per partition - 1: a solver method makes algebraic loops of its equations */
    /* per partition - 1: variable with the time of its last tick; EXPR_NONE: not made */
    ExprId *last;
    bool *target;              /* per variable: a when-equation determines it */
    bool *assigned;            /* per variable: a when-clause or an algorithm of the model does */
    uint32_t partition;        /* of the equation at work */
    uint32_t stage;            /* of the solver method, for a copy of the equation; 0: itself */
    uint32_t n_values;         /* names of our own variables */
    VEC(ClockedEquation) more; /* equations for these */
    VEC(ClockedEquation)
    counts;          /* equations for all ticks of the clock that a clock is derived from */
    Map previous;    /* value of previous(x) → left limit of x */
    Map derivatives; /* variable → variable for its derivative */
    Map copies;      /* variable and stage → its value there; its derivative: slopes */
    Map slopes;
    Map inputs; /* partition and expression → variable with its value at ticks; means: the
                   mean of this value and the one at the tick before */
    Map means;
    Span span;
    bool failed;
} Unclock;

/* ---- clocked_partitions.c ---- */
/* Reports, once, that the model cannot be simulated. */
ExprId clocked_refuse(Unclock *u, const char *what);
/* An expression of the partition and the stage at work, without clocks. */
ExprId clocked_map(Unclock *u, ExprId e);
/* A variable of our own: `what` and `number` are its name. */
ExprId clocked_variable(Unclock *u, const char *what, uint32_t number, ExprId start, TypeId type);
/* A variable of the model that is not a parameter, or an element of one. */
bool clocked_is_variable(const Unclock *u, ExprId e);
ExprId clocked_left(Unclock *u, ExprId e); /* its left limit */
ExprId clocked_first_tick(Unclock *u);     /* whether this is the first tick of the partition */
ExprId clocked_interval(Unclock *u);       /* the interval of the partition */
/* Marks the variables of a left side as targets. */
void clocked_mark_target(Unclock *u, ExprId e);

/* ---- clock_methods.c: derivatives of clocked partitions (section 16.8.2) ---- */
/* The variable for a derivative, OP_DER, with the equations of the solver method. */
ExprId clocked_derivative(Unclock *u, ExprId e);
/* Number of stages between two ticks for which the equations of a partition are copied. */
uint32_t clocked_stages(const FlatClock *c);
/* The value of an expression at the stage at work; EXPR_NONE: from its operands. */
ExprId clocked_at_stage(Unclock *u, ExprId e);

#endif

/* Expressions over a run, inside this room. */
#ifndef KEPT_EXPRESSION_H
#define KEPT_EXPRESSION_H

#include "kept/kept.h"

typedef enum Op {
    OP_NUMBER,
    OP_NAME,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW,
    OP_NEG,
    OP_CALL,   /* of a function of numbers */
    OP_REDUCE, /* over time */
    OP_LE,
    OP_LT,
    OP_GE,
    OP_GT,
    OP_EVENTS
} Op;

typedef enum Reduction {
    RED_END,
    RED_START,
    RED_MIN,
    RED_MAX,
    RED_MEAN,
    RED_RMS,
    RED_INTEGRAL,
    RED_COUNT,
    RED_TIME
} Reduction;

typedef struct KeptExpr {
    Op op;
    double number; /* a constant; of RED_TIME: which occurrence */
    char *name;    /* of a variable; of a relation: its text without blanks */
    unsigned slot; /* of a name: its place among all names; of a reduction: its own number */
    Reduction reduce;
    double (*call1)(double);
    double (*slope1)(double); /* derivative of call1 */
    double (*call2)(double, double);
    struct KeptExpr *a, *b;
} Expr;

/* The text of a relation without blanks, as the event log has it; to be freed. */
char *kept_squeeze(const char *from, const char *to);

#endif

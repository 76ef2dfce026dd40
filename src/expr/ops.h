/* Properties of operators, from the table ops.def. */
#ifndef EXPR_OPS_H
#define EXPR_OPS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ExprOp {
    OP_NONE,
#define X(op, ...) OP_##op,
#include "expr/ops.def"
    OP_COUNT
} ExprOp;

typedef enum OpClass {
    CLASS_NONE,
    CLASS_LITERAL,
    CLASS_LEAF,
    CLASS_ARITHMETIC,
    CLASS_MATRIX,
    CLASS_RELATION,
    CLASS_LOGIC,
    CLASS_CHOICE,
    CLASS_FUNCTION,      /* of numbers, which may be Integers */
    CLASS_REAL_FUNCTION, /* of Reals: Integers are converted */
    CLASS_CONVERSION,
    CLASS_TEXT,      /* makes Strings */
    CLASS_OPERATOR,  /* of the language, no function: der, pre, noEvent, … */
    CLASS_CLOCK,     /* chapter 16; gone once clocked partitions are lowered */
    CLASS_NAME,      /* gone after flattening */
    CLASS_MACHINE,   /* chapter 17; gone after flattening */
    CLASS_CONNECTOR, /* gone after flattening */
    CLASS_ARRAY,
    CLASS_RECORD, /* records and calls */
} OpClass;

/* How the value of an operator changes in time. */
typedef enum OpBehaviour {
    VALUE_FOLLOWS,    /* as its arguments do */
    VALUE_STEPS,      /* constant except for steps, without an event */
    VALUE_SWITCHES,   /* a relation: an event when it changes */
    VALUE_ROUNDS,     /* constant except for steps, each an event */
    VALUE_JUMPS,      /* follows its arguments except for jumps, each an event */
    VALUE_DISCRETE,   /* changes only at events, for any arguments */
    VALUE_CONTINUOUS, /* changes between events, for any arguments */
} OpBehaviour;

/* How the unit of a function follows from those of its arguments. */
typedef enum OpUnits {
    UNITS_OPEN,   /* no rule */
    UNITS_SAME,   /* that of the argument */
    UNITS_ROOT,   /* its square root */
    UNITS_NUMBER, /* the argument is a number or an angle */
    UNITS_RATIO,  /* the arguments agree */
} OpUnits;

typedef enum OpSlope {
    SLOPE_OWN, /* expr/interval.c has a rule of its own */
    SLOPE_RISING,
    SLOPE_FALLING,
    SLOPE_PERIODIC, /* a rule of its own; an infinite argument gives NaN */
} OpSlope;

typedef struct OpTraits {
    const char *text;
    int8_t args;
    uint8_t class;     /* OpClass */
    uint8_t behaviour; /* OpBehaviour */
    uint8_t units;     /* OpUnits */
    const char *c;     /* of a function: its name in generated code; otherwise NULL */
} OpTraits;

extern const OpTraits op_traits[OP_COUNT];

static inline OpClass op_class(ExprOp op)
{
    return (OpClass)op_traits[op].class;
}
static inline OpBehaviour op_behaviour(ExprOp op)
{
    return (OpBehaviour)op_traits[op].behaviour;
}
/* A built-in function of numbers, and how many it takes. */
static inline bool op_is_function(ExprOp op)
{
    return op_class(op) == CLASS_FUNCTION || op_class(op) == CLASS_REAL_FUNCTION;
}
static inline bool op_is_function_of(ExprOp op, int args)
{
    return op_is_function(op) && op_traits[op].args == args;
}
/* Computes a scalar from scalars: the kernels of expr/scalar_kernels.h know it, or it is OP_IF. */
static inline bool op_is_scalar(ExprOp op)
{
    OpClass c = op_class(op);
    return c == CLASS_ARITHMETIC || c == CLASS_RELATION || c == CLASS_LOGIC || c == CLASS_CHOICE ||
           c == CLASS_CONVERSION || op_is_function(op);
}
/* Rounds or jumps: div, mod, rem, ceil, floor, integer. */
static inline bool op_makes_integer_events(ExprOp op)
{
    return op_behaviour(op) == VALUE_ROUNDS || op_behaviour(op) == VALUE_JUMPS;
}

#endif

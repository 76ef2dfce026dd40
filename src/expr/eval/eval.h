/* The evaluator: computes expressions and functions on the graph itself.
 * It finds constants and structural parameters at compile time, is the oracle for generated code,
 * and replays a block after a NaN. Arithmetic is done exactly as in generated code (the same libm,
 * the same order). */
#ifndef EXPR_EVAL_H
#define EXPR_EVAL_H

#include "expr/function.h"
#include "expr/scalar_kernels.h"

/* A value. Booleans are 0 or 1, enumerations 1..n, Integers exact up to 2^53, all as doubles.
 * Arrays are row-major; their type has known dimensions. */
typedef struct Value {
    TypeId type;
    union {
        double num;   /* scalar number, Boolean, enumeration */
        double *nums; /* array of these */
        Name str;     /* String */
        Name *strs;   /* array of Strings */
        /* fields of a record, items of a tuple, elements of an array of records */
        struct Value *items;
        uint32_t function; /* TYPE_FUNCTION */
    };
} Value;

typedef enum EvalStatus {
    EVAL_OK,
    EVAL_UNKNOWN, /* a variable has no value (yet): not an error by itself */
    /* index out of range, division by zero of Integers, failed assert, too many steps, …: reported
     * to ctx unless silent */
    EVAL_ERROR,
} EvalStatus;

typedef struct EvalEnv {
    Graph *g;
    Arena *arena; /* for values */
    /* Value of OP_VAR `var`; EVAL_UNKNOWN if there is none. May be NULL. */
    EvalStatus (*var)(void *user, uint32_t var, Value *out);
    void *user;
    const double *holes; /* values of OP_HOLE; may be NULL */
    /* Text of a String among the holes, by its number (base/format.h); NULL: such holes have no
     * value. */
    const char *(*text)(void *user, double number);
    void *text_user;
    double time; /* value of OP_TIME; NAN: unknown */
    Span span;   /* place of the expression, for messages */
    bool silent; /* report nothing */
    bool impure; /* impure functions are called; otherwise their values are unknown */
    /* statements and iterations left; 0 at the start means the default of 10^8 */
    uint64_t steps;
    const char *why;      /* set on EVAL_UNKNOWN and EVAL_ERROR: the missing or wrong part */
    Name unknown_name;    /* set by `var` if it can, for messages */
    unsigned depth;       /* of calls; limited */
    ExprLeafPrinter leaf; /* names of variables in messages, with `user`; may be NULL */
} EvalEnv;

EvalStatus eval_expr(EvalEnv *env, ExprId e, Value *out);
/* Scalar results; of a String the number of its text. */
EvalStatus eval_number(EvalEnv *env, ExprId e, double *out);
/* Calls f with n_in values. Several results come as a tuple. */
EvalStatus eval_call(EvalEnv *env, const Function *f, const Value *args, Value *out);

/* Whether Kairos itself has the external function of language "builtin". All its variables are
 * scalars. */
bool eval_has_builtin(const Function *f);

/* A literal expression for a value (OP_REAL …, OP_ARRAY, OP_RECORD). */
ExprId eval_literal(Graph *g, const Value *v);

#endif

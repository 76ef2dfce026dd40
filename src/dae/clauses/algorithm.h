/* Algorithm sections on their way to equations; shared by algorithm.c, algorithm_body.c and
 * algorithm_effects.c. */
#ifndef DAE_ALGORITHM_H
#define DAE_ALGORITHM_H

#include "dae/clauses/clauses.h"

typedef struct Input {
    ExprId value; /* over the flat model, or a lowered expression */
    TypeId type;
    bool outside; /* it is read outside whens */
} Input;

typedef enum ExtraKind {
    EXTRA_CONDITION, /* Boolean variable `var`: a condition of a when */
    EXTRA_HOLDS,     /* false if an assert is violated */
    EXTRA_FIRED,     /* terminate or reinit acts */
    EXTRA_MESSAGE,   /* of the one before it */
    EXTRA_VALUE,     /* of the reinit before it */
    EXTRA_DONE,      /* true: the section is there for its effects */
    EXTRA_SOURCE,    /* Real variable `var`: the argument of a delay() at its place */
} ExtraKind;

/* An output that is not a variable of the model. */
typedef struct Extra {
    ExtraKind kind;
    TypeId type;
    VarId var;         /* EXTRA_CONDITION, EXTRA_SOURCE */
    const Stmt *stmt;  /* that it belongs to */
    bool at_beginning; /* reinit: under a when that acts at initialization, unconditionally */
    bool in_when;
} Extra;

/* A condition of a when, in the order of the section. */
typedef struct Condition {
    VarId var;
    bool defined; /* has its equation */
} Condition;

/* A delay() of a variable that the section assigns, in the order of the section. */
typedef struct OwnDelay {
    VarId source;
    ExprId value; /* lowered */
} OwnDelay;

typedef VEC(Stmt) Stmts;

typedef struct Algorithm {
    Lower *L;
    const FlatEq *eq;
    ExprId guard;   /* the section runs if this is true; EXPR_NONE: always */
    bool symbolic;  /* to be executed with expressions */
    bool literal;   /* here relations are taken literally */
    bool in_when;   /* in the body of a when */
    bool initially; /* in the first branch of a when that acts at initialization */
    /* conditional and repeated bodies around the statement, the when itself excepted */
    uint32_t paths;
    VEC(Extra) extras;
    uint32_t n_extras, next_extra; /* as known from the first reading; of the present reading */
    VEC(Condition) conditions;     /* met so far, kept over readings */
    uint32_t next_condition;
    VEC(OwnDelay) delays; /* likewise */
    uint32_t next_delay;
    uint32_t depth;    /* bodies around the current statement, including the section */
    uint32_t loops;    /* loops around it that are not unrolled */
    Stmts pending;     /* statements to insert before it */
    Stmts hoisted;     /* statements to insert before the outermost one around it */
    Map unconditional; /* flat variables assigned outside whens */
    Map by_when;       /* flat variables assigned in a when */
    VEC(Input) inputs;
    VEC(uint32_t) outputs;   /* flat variables */
    Map input_of, output_of; /* ExprId, flat variable → number */
    Map assigned;            /* flat variables assigned as a whole before any other use */
    ExprVec begin;           /* per output: its initial value, or EXPR_NONE */
    uint32_t n_in;           /* as known from the first reading; 0 during it */
    VEC(TypeId) temps;       /* variables of its own, after the outputs */
    bool varies;             /* between events: it reads continuous variables outside whens */
    bool failed, warned;
} Algorithm;

typedef struct Operands {
    Algorithm *a;
    /* a continuous variable; an iterator or a variable that the section assigns */
    bool continuous, own;
} Operands;

/* Reports an unsupported construct in the section; returns false. */
bool algorithm_refuse(Algorithm *a, Span span, const char *what);

/* ---- algorithm_body.c ---- */
/* The input that has the value, as a variable of the function. */
ExprId algorithm_input(Algorithm *a, ExprId value, TypeId type);
/* An expression of the section over the variables of the function. */
ExprId algorithm_local(Algorithm *a, ExprId e);
/* Whether an expression over the flat model changes between events. */
bool algorithm_is_continuous(Algorithm *a, ExprId e);
/* Whether it depends on an iterator or on a variable that the section assigns. */
bool algorithm_is_own(Algorithm *a, ExprId e);
/* The further output of that kind for a statement, as a variable. */
ExprId algorithm_extra(Algorithm *a, ExtraKind kind, TypeId type, const Stmt *s);
/* The statements of the whole section over the variables of the function, with its guard. Notes
 * inputs, further outputs and temporaries: read twice, since the numbers of outputs follow those of
 * the inputs. */
Stmt *algorithm_localise(Algorithm *a, uint32_t *n);

/* ---- algorithm_delay.c ---- */
/* The value of a delay() of a variable that the section assigns. */
ExprId algorithm_delay(Algorithm *a, ExprId e);
/* The statements of all iterations of a loop with such a delay or a reinit. NULL for other loops,
 * and for an unknown number of iterations. */
Stmt *algorithm_unroll(Algorithm *a, const Stmt *s, uint32_t *n);

/* ---- algorithm_effects.c ---- */
/* c = condition, a condition of the when s. */
bool algorithm_add_condition(Algorithm *a, const Stmt *s, VarId c, ExprId condition);
/* The equations of the variables assigned; `all` is the section's result, a tuple of expressions or
 * a call. */
bool algorithm_add_outputs(Algorithm *a, ExprId all, LowerMode mode);
/* Conditions, asserts, terminate and reinit. */
bool algorithm_add_extras(Algorithm *a, ExprId all, LowerMode mode);

/* ---- algorithm_reinit.c ---- */
/* Warns of statements that read a state after its reinit. */
void algorithm_warn_of_values_before(Lower *L, const FlatEq *eq);

#endif

/* Lowering: from flat variables and equations to scalar ones. Only for src/dae.
 *
 * In: Flat. Out: the Dae, step by step (the order is in dae/build.c). During lowering, an
 * expression is scalar and over *global holes*: OP_HOLE whose index is a VarId. A finished Term is
 * over holes 0 … n-1 (model/shapes.c). */
#ifndef DAE_LOWER_H
#define DAE_LOWER_H

#include "dae/model/model.h"

/* How relations and integer functions are evaluated. */
typedef enum LowerMode {
    LOWER_EVENTS,  /* those of continuous variability become variables of their own */
    LOWER_LITERAL, /* literally: noEvent, smooth, bodies of when, asserts, initial equations */
} LowerMode;

/* A run of lowered scalars: elems.at[at … at + n). */
typedef struct Elems {
    uint32_t at, n;
} Elems;

typedef struct OpenEquation { /* between discrete variables, none of which is alone on one side */
    FlatEq eq;
    ExprId lhs, rhs; /* lowered */
} OpenEquation;

typedef struct Lower {
    Dae *d;
    Context *ctx;
    Graph *g;
    const Flat *flat;
    Arena *scratch;
    Span span;        /* of the equation or declaration at work */
    PathId component; /* whose */
    uint32_t depth;   /* of recursion */
    Map memo;         /* (expression, mode) → spans */
    VEC(Elems) spans;
    ExprVec elems, work;
    Map relations;               /* hash of (operator, z) → first of relation_chain + 1 */
    VEC(uint32_t) relation_next; /* per relation: the next with the same hash, or NONE */
    Map floors;                  /* lowered argument → variable for its floor */
    Map samples;                 /* start and interval → variable */
    Map outside;                 /* type and size → function that fails for a subscript outside */
    Map delays;                  /* OP_DELAY → its value, lowered */
    uint8_t *bound;              /* per FlatVar: parameter's binding 0 not, 1 being, 2 lowered */
    VEC(uint8_t) known;          /* per VarId: default value 0 not, 1 being, 2 computed */
    VEC(double) defaults;        /* per VarId */
    Map when_spans;              /* VarId → index in when_sites */
    VEC(Span) when_sites;
    Map discrete;    /* flat variables that a when assigns, by VarId */
    uint32_t n_made; /* names of hidden variables */
    VEC(OpenEquation) open;
} Lower;

/* ---- discrete_equations.c ---- */
/* Rearranges an equation with one discrete unknown so that the unknown is the left side; leaves it
 * unchanged if that is not possible. */
void discrete_solve(Lower *L, ExprId *lhs, ExprId *rhs);
/* Keeps an equation for discrete_finish; false if fewer variables than `least` can be isolated
 * in it. */
bool discrete_later(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs, uint32_t least);
bool discrete_finish(Lower *L); /* once all equations are lowered; false after an error */

/* ---- clocked_partitions.c ---- */
/* The model without clocks, made in `arena`; the model itself if it has none. NULL after an error.
 */
const Flat *unclock(Context *ctx, const Flat *flat, Arena *arena);

/* ---- variables.c ---- */
/* The scalars of all flat variables: Dae.flat_base. False after an error. */
bool make_variables(Lower *L);

/* ---- parameters.c ---- */
/* False after an error. The binding of one parameter; those of all; attributes of all variables. */
bool lower_binding(Lower *L, uint32_t flat_var);
bool lower_parameters(Lower *L);
bool lower_attributes(Lower *L);
/* the parameter for its start value, made if there is none */
VarId start_var(Dae *d, VarId v);
/* Value of a parameter with the model's own settings; NAN if it has none. */
double default_value(Lower *L, VarId v);
/* A lowered expression over parameters. False if it depends on others, or fails. */
bool default_of(Lower *L, ExprId lowered, double *out);

/* ---- scalarize.c, scalarize_arrays.c: false after an error ---- */
/* The lowered scalars of an expression over flat variables, in order of rows; memoised. */
bool lower_elements(Lower *L, ExprId e, LowerMode mode, Elems *out);
bool lower_scalar(Lower *L, ExprId e, LowerMode mode, ExprId *out);
/* Pushes the scalars of an operator on arrays to L->work. */
bool lower_array_op(Lower *L, ExprId e, LowerMode mode);
/* number of scalars of a value, fields of records included; 0 if unknown */
uint32_t type_scalars(const Lower *L, TypeId t);
/* The literal of a parameter that counts as its value; EXPR_NONE for any other variable. */
ExprId evaluated_value(Lower *L, VarId v);
/* Array, record or scalar of type t from its scalars. */
ExprId assemble(Lower *L, TypeId t, const ExprId *scalars);
bool too_deep(Lower *L); /* reports it; false */
bool unsupported(Lower *L, const char *what);

/* ---- relations.c: false after an error ---- */
/* A relation of lowered scalars: its variable, which equal relations share, or literally. */
bool lower_relation(Lower *L, ExprOp op, ExprId a, ExprId b, LowerMode mode, ExprId *out);
/* div, mod, rem, ceil, floor, integer: with a variable for the whole number at events. */
bool lower_integer_op(Lower *L, ExprOp op, TypeId type, const ExprId *args, LowerMode mode,
                      ExprId *out);
/* sample(start, interval): its variable, which equal samples share. */
bool lower_sample(Lower *L, ExprId start, ExprId interval, bool from_start, ExprId *out);
/* Scales of crossing functions, and which of them are linear in time; all equations are lowered. */
void finish_relations(Lower *L);

/* ---- delays.c: OP_SPATIAL; the transport is the last of the Dae ---- */
bool lower_transport(Lower *L, ExprId e, LowerMode mode);
/* ---- delays.c: args are lowered scalars: expression, time, [longest] ---- */
bool lower_delay(Lower *L, const ExprId *args, uint32_t n, ExprId *out);
/* The equation v = e. */
void delay_define(Lower *L, VarId v, ExprId e);

/* ---- add_equation.c: at the place of eq ---- */
/* A value, and one that is added to the Dae. */
DaeEq equation_at(const FlatEq *eq, DaeEqOrigin origin, VarId target, Term t);
EqId add_eq(Lower *L, const FlatEq *eq, DaeEqOrigin origin, VarId target, ExprId lowered);

/* ---- following.c ---- */
/* Whether a lowered expression changes only at events. */
bool expr_is_discrete(Lower *L, ExprId e);
/* Reports that the value of v changes between events; false. */
bool varies_between(Lower *L, Span span, VarId v);
/* Whether v, defined by e, may follow it between events. */
bool variable_follows(Lower *L, VarId v, ExprId e);
/* The lowered Boolean c, which is a condition of a when-clause, as an expression that changes only
 * at events; false if c changes between them for other reasons than calls of functions. */
bool lower_event_condition(Lower *L, ExprId c, ExprId *out);
/* A variable that an equation without when computes from a following variable follows as well, or
 * is an error. */
bool spread_following(Lower *L);

/* ---- equations.c ---- */
/* All scalars of an equation lhs = rhs; false after an error. */
bool lower_equal(Lower *L, const FlatEq *eq);
/* lhs = rhs, both lowered scalars. */
bool add_equation(Lower *L, const FlatEq *eq, ExprId lhs, ExprId rhs);
/* discrete v = e; false after an error */
bool define_discrete(Lower *L, const FlatEq *eq, VarId v, ExprId e);
bool lower_message(Lower *L, ExprId e, Term *out);
/* guard: lowered, EXPR_NONE for always; at_edge: it is true only for a moment of the event
 * iteration. */
bool add_assert(Lower *L, const FlatEq *eq, ExprId guard, bool at_edge);
bool lower_sides(Lower *L, const FlatEq *eq, LowerMode mode, ExprVec *lhs, ExprVec *rhs);

/* ---- aliases.c ---- */
/* Removes equations x = ±y, and makes one of both an alias. False after an error. */
bool find_aliases(Dae *d);

#endif

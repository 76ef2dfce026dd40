/* The flat model: variables, equations, resolved connections, functions.
 *
 * In: the instance tree of a model. Out: Flat. There are no components: every variable is of a
 * predefined or enumeration type, a scalar or an array. Records are split into their fields, and
 * for-equations are unrolled. If-equations with parameter conditions are decided if necessary.
 * Connections have become equations. Array equations, if- and when-equations are kept. Expressions
 * are in `g`, with OP_VAR leaves that index `vars`.
 *
 * Read-only once built. flat_check states the contract. */
#ifndef FLATTEN_FLAT_H
#define FLATTEN_FLAT_H

#include "base/path.h"
#include "expr/function.h"

typedef enum Variability {
    VARIES_CONSTANT,
    VARIES_PARAMETER,
    VARIES_DISCRETE,
    VARIES_CONTINUOUS
} Variability;

/* Of the model's own top level, in the order of AstCausality. */
typedef enum FlatCausality { FLAT_ACAUSAL, FLAT_INPUT, FLAT_OUTPUT } FlatCausality;

typedef enum StateSelect {
    SELECT_NEVER = 1,
    SELECT_AVOID,
    SELECT_DEFAULT,
    SELECT_PREFER,
    SELECT_ALWAYS
} StateSelect;

/* Attributes that are texts or choices. */
typedef struct FlatTraits {
    Name unit, display_unit, quantity; /* NULL if not given */
    uint8_t state_select;              /* StateSelect */
} FlatTraits;
typedef enum Trait { TRAIT_UNIT, TRAIT_DISPLAY_UNIT, TRAIT_QUANTITY, TRAIT_SELECT } Trait;

/* Properties that the elements of an array of components usually share. */
typedef struct FlatShared {
    FlatTraits traits;       /* of every element, or of the first */
    const FlatTraits *each;  /* of each element of an array if they differ, otherwise NULL */
    const char *description; /* NULL if absent */
    Span binding_span;
    const Span *element_spans; /* of a binding that is a list of elements; NULL otherwise */
    uint32_t n_element_spans;
} FlatShared;

typedef struct FlatVar {
    PathId path;
    /* Real, Integer, Boolean, String, an enumeration, an external object (a parameter), or an array
     * of one of these */
    TypeId type;
    uint8_t variability; /* Variability: as declared; discrete for types other than Real */
    /* FlatCausality, for variables of the model's own top level; acausal below */
    uint8_t causality;
    bool top_input; /* an input of the model's own top level, also if it is bound */
    bool is_protected, is_final;
    bool hide_result; /* annotation(HideResult=true), of it or of a component around it */
    bool is_flow;     /* of a connector */
    bool is_field;    /* of a record */
    bool nondiscrete; /* declared so: may change between events, for any type */
    /* an input of a component that nothing is connected to, and that has no value */
    bool is_loose;
    /* a structural parameter: another value means flattening again */
    bool evaluated;
    /* of parameters and constants; bindings of others are among the equations. EXPR_NONE if
     * absent */
    ExprId binding;
    /* attributes: of the variable's type, or scalar and meant for each element; EXPR_NONE if not
     * given */
    ExprId start, fixed, min, max, nominal;
    bool start_of_type; /* start is only that of the variable's type, the same for all like it */
    Span span;          /* of its declaration */
    const FlatShared *shared;
} FlatVar;

typedef enum FlatEqKind {
    /* lhs = rhs, of equal types, scalars or arrays; lhs may be an OP_TUPLE with rhs an OP_CALL of
       several results */
    FLAT_EQUAL,
    /* branches; all conditions of discrete or parameter variability or relations; balanced,
     * otherwise reported */
    FLAT_IF,
    FLAT_WHEN,      /* branches; conditions Boolean scalars or vectors */
    FLAT_REINIT,    /* reinit(lhs, rhs), in a when */
    FLAT_ASSERT,    /* lhs condition, rhs message */
    FLAT_TERMINATE, /* rhs message */
    FLAT_CALL,      /* rhs: a call for its effect */
    FLAT_ALGORITHM, /* stmts */
} FlatEqKind;

typedef enum FlatOrigin {
    ORIGIN_EQUATION,
    ORIGIN_BINDING,
    ORIGIN_CONNECTION,
    ORIGIN_FLOW_SUM
} FlatOrigin;

typedef struct FlatEq FlatEq;

typedef struct FlatBranch {
    ExprId condition; /* EXPR_NONE for else */
    FlatEq *body;
    uint32_t n;
    Span span;
} FlatBranch;

struct FlatEq {
    uint8_t kind;   /* FlatEqKind */
    uint8_t origin; /* FlatOrigin */
    bool initial;
    bool warning;        /* FLAT_ASSERT: AssertionLevel.warning */
    bool literal;        /* its relations are evaluated literally because of --no-events */
    bool inside;         /* the zero of a flow inside a component (unused_elements.c) */
    bool by_connections; /* in a branch that was taken because of connections (cardinality) */
    uint32_t partition;  /* 0: the base partition; clocks count from 1 */
    PathId component;    /* the component whose class contains it */
    Span span;
    ExprId lhs, rhs;
    FlatBranch *branches;
    uint32_t n_branches;
    Stmt *stmts;
    uint32_t n_stmts;
};

/* A rational number in lowest terms; den > 0. */
typedef struct FlatRatio {
    int64_t num, den;
} FlatRatio;

typedef enum FlatClockKind {
    FLAT_CLOCK_INTERVAL, /* Clock(interval), in seconds */
    FLAT_CLOCK_RATIONAL, /* Clock(counter, resolution) */
    FLAT_CLOCK_EVENT,    /* Clock(condition, startInterval) */
} FlatClockKind;

/* The clock of a partition, relative to the clock of its base partition. */
typedef struct FlatClock {
    uint8_t kind;      /* FlatClockKind */
    uint32_t base;     /* its base partition, from 1 */
    ExprId base_clock; /* OP_CLOCK: what defines the clock of the base partition */
    FlatRatio period;  /* FLAT_CLOCK_RATIONAL: interval of base_clock in seconds */
    FlatRatio factor;  /* its interval in intervals of base_clock */
    FlatRatio shift;   /* its first tick after that of base_clock, in the same unit */
    Name solver;       /* method by which derivatives are discretised; NULL for none */
    bool assumed;      /* assumed, because the model gives a state machine no clock */
    bool discretised;  /* it contains derivatives, or operators on events */
    Span span;         /* of its first equation */
} FlatClock;

/* Settings of the experiment annotation; NAN if not given. */
typedef struct Experiment {
    double start, stop, tolerance, interval;
} Experiment;

/* A component that is drawn in an animation, of a class of ModelicaServices.Animation. */
typedef enum FlatVisualKind { VISUAL_SHAPE, VISUAL_VECTOR, VISUAL_SURFACE } FlatVisualKind;
typedef struct FlatVisual {
    PathId path;
    uint8_t kind;  /* FlatVisualKind */
    uint32_t type; /* variable shapeType of a shape; NONE if absent */
    Name shape;    /* its value: "box", "modelica://…"; NULL if unknown before the run */
    /* of a surface: the call that gives its points X, Y, Z and colours C. It is no equation: it is
     * evaluated when a picture is drawn. EXPR_NONE if there is none. */
    ExprId points;
} FlatVisual;

typedef struct Flat {
    Graph *g;
    Paths *paths;
    Arena *arena;
    Name name; /* full name of the model's class */
    const char *description;
    Span span; /* of the name in the model's declaration */
    Experiment experiment;
    VEC(FlatVar) vars;
    VEC(FlatEq) eqs;       /* of equation sections, bindings and connections, initial ones marked */
    VEC(FlatClock) clocks; /* of the clocked partitions: at[i] of partition i + 1 */
    VEC(FlatVisual) visuals; /* in order of declaration */
} Flat;

void flat_free(Flat *f);
/* Frees the equations that are not needed after the Dae is built: all except those whose relations
 * are evaluated literally. */
void flat_drop_equations(Flat *f);
/* For variables without a declaration. */
extern const FlatShared flat_plain;
/* Gives v its own copy of the properties that it shares with others. */
FlatShared *flat_own(Flat *f, FlatVar *v);

/* Largest variability of the leaves of e; OP_SAMPLE, OP_PRE, OP_INITIAL and relations outside
 * noEvent are discrete. */
Variability flat_variability(const Flat *f, ExprId e);
/* The start value of a variable or of an element of it. The default is zero, false, "" or the first
 * value. */
ExprId flat_start_value(const Flat *f, ExprId e);
const FlatTraits *flat_traits(const FlatVar *v, uint32_t element);
char *flat_var_name(const Flat *f, uint32_t var, Arena *arena);
/* Readable flat Modelica. */
char *flat_print(const Flat *f, Arena *arena);
/* Visits the functions that this text declares. */
void flat_each_function(const Flat *f, void (*visit)(void *user, const Function *f), void *user);
/* NULL, or the first violation of the contract. */
const char *flat_check(const Flat *f, Arena *arena);
/* Puts the equations for Reals of matching components under noEvent, and marks them. False after an
 * error: a pattern matches nothing. Call it right after flattening. */
bool flat_without_events(Context *ctx, Flat *f, const char *const *patterns, uint32_t n);
/* Replaces sign(e) by a conditional expression, with events, where derivatives jump with it. */
void flat_add_sign_events(Flat *f);
/* Compares numbers of scalar equations and unknowns; reports an imbalance with the components in
 * question. */
bool flat_balance(Context *ctx, const Flat *f);

/* Number of scalar equations; of an if or a when those of its first branch. */
int64_t count_equations(const Flat *flat, const FlatEq *eqs, uint32_t n);

#endif

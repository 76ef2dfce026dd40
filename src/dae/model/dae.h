/* The scalar model: variables and equations as shapes with operands.
 *
 * In: Flat. Out: Dae. There are no arrays and records. A derivative, a left limit, a relation and a
 * sample are variables too. So an equation is a shape (an expression over OP_HOLE) and a vector of
 * operands. Variables that are equal up to sign are aliases of one representative. Equal shapes are
 * one ExprId; symbolic.h works once per shape.
 *
 * Every variable has one slot for the whole run, its VarId. All values are doubles: Integers exact
 * to 2^53, Booleans 0 or 1, enumerations 1..n, Strings the number of their text (base/format.h).
 * Variable 0 is time. String parameters that are known before initialization are folded. An
 * external object is a hidden Integer parameter, its number, which the call of its constructor
 * returns.
 *
 * Read-only once built, except that `structure` appends variables and equations made by
 * differentiation. */
#ifndef DAE_DAE_H
#define DAE_DAE_H

#include "dae/symbolic/symbolic.h"
#include "flatten/flat/flat.h"

typedef uint32_t VarId;
typedef uint32_t EqId;

/* shape over operands dae->ops.at[ops … ops + n): hole k is variable ops[k]. Operands are distinct,
 * none is an alias. */
typedef struct Term {
    ExprId shape;
    uint32_t ops, n;
} Term;

typedef enum DaeVarKind {
    DAE_TIME,
    /* known before initialization; given by `value`, or computed by an equation from other
       parameters */
    DAE_PARAMETER,
    DAE_CONTINUOUS, /* Real unknown; a state if `der` is not NONE and structure chooses it */
    DAE_DERIVATIVE, /* of `base` */
    DAE_DISCRETE,   /* unknown that changes at events only; of any type */
    /* an unknown of another type than Real that its equation also changes between events: field of
     * a record, result of a function */
    DAE_FOLLOWING,
    DAE_PRE,      /* left limit of `base` (discrete or continuous): known during an evaluation */
    DAE_RELATION, /* Boolean; keeps its value between events; relations.at[detail] */
    DAE_SAMPLE,   /* Boolean; true at its instants; samples.at[detail] */
    DAE_INITIAL,  /* Boolean: initial() */
    DAE_TERMINAL, /* Boolean: terminal() */
    DAE_INPUT,    /* input of the model: known; its start value if nothing drives it */
    DAE_LAMBDA,   /* Real 0..1: the parameter of homotopy */
    /* in a part of the model: another part computes it, between events too; its rate is not known
     */
    DAE_OUTSIDE,
    DAE_HELD, /* in a part of the model: another part computes it, at events only */
} DaeVarKind;

typedef enum DaeType { DAE_REAL, DAE_INT, DAE_BOOL, DAE_ENUM, DAE_STRING } DaeType;

typedef struct DaeVar {
    uint8_t kind;         /* DaeVarKind */
    uint8_t type;         /* DaeType */
    uint8_t state_select; /* StateSelect */
    int8_t alias_sign;    /* +1 or -1 if alias != NONE */
    /* start is an initial condition (parameters: false means unknown at initialization) */
    bool fixed;
    bool has_start;     /* given in the model */
    bool start_of_type; /* only by the type of the variable */
    bool hidden;        /* no variable of the model: not in results */
    bool is_protected;
    bool of_switch;         /* an unknown of a switch equation; known once there is a plan */
    bool rate_is_zero;      /* an equation was differentiated as if it were constant */
    uint32_t flat, element; /* FlatVar and element of it (row-major), or NONE for made ones */
    /* DAE_DERIVATIVE, DAE_PRE, parameter for a start value: the variable it belongs to; otherwise
     * NONE */
    VarId base;
    VarId der, pre; /* its derivative and left limit, NONE if there is none */
    VarId alias;    /* representative, NONE if it is its own; value = alias_sign * v[alias] */
    /* DAE_PARAMETER for its start value, NONE: zero. Settable as "x.start" */
    VarId start;
    /* relation or sample; hidden ones: number in their names; for parameters: the EqId that
     * computes it, or NONE */
    uint32_t detail;
    double value; /* of a parameter without equation */
    /* evaluated with the parameters' defaults; nominal > 0; ±inf if not given */
    double nominal, min, max;
} DaeVar;

/* DaeVar.detail of the hidden inputs of inline integration: the step; from here on + 1 + variable:
 * its old value */
enum { DETAIL_STEP = 1 << 28 };
/* DaeVar.detail of the hidden variables of transports: from here on */
enum { DETAIL_TRANSPORT = 1 << 29 };
/* DaeVar.detail of the hidden variables of state sets: from here on */
enum { DETAIL_SET = 1 << 30 };

typedef enum DaeEqOrigin {
    DAE_EQ_MODEL, /* an equation, connection or binding of the model */
    /* value of a delay or a transport from its history; at initialization it equals its source
       instead */
    DAE_EQ_DELAYED,
    DAE_EQ_PARAMETER, /* computes parameter `target` from parameters */
    DAE_EQ_RELATION,  /* relation `target`; the term is z > 0, z >= 0, z < 0 or z <= 0 */
    DAE_EQ_WHEN,      /* `target` = if edge of condition then … else pre(target) */
    DAE_EQ_CONDITION, /* condition of a when, as a hidden Boolean `target` */
    DAE_EQ_DERIVED,   /* derivative of equation `of` */
    DAE_EQ_INITIAL,   /* applies only at initialization */
    DAE_EQ_START,     /* target = its start value, at initialization only */
    DAE_EQ_SET,       /* of a state set: made by structure */
    /* equation `of` with other equations of its block put into it, by structure */
    DAE_EQ_SOLVED,
    DAE_EQ_ABSENT, /* in a part of the model: belongs to another; its term is empty */
} DaeEqOrigin;

typedef struct DaeEq {
    Term term; /* 0 = term, or target = term */
    /* NONE for a residual. Discrete and following unknowns always have target form */
    VarId target;
    uint8_t origin;      /* DaeEqOrigin */
    uint8_t flat_origin; /* FlatOrigin */
    uint16_t partition;
    /* DAE_EQ_DERIVED: the equation whose derivative it is; DAE_EQ_SOLVED: its source; otherwise
     * NONE */
    EqId of;
    EqId der; /* the equation that is its derivative, or NONE */
    PathId component;
    Span span;
} DaeEq;

typedef struct DaeRelation {
    VarId var;
    EqId eq;
    ExprOp op; /* OP_LT, OP_LE, OP_GT, OP_GE, comparing z with 0 */
    Term z;    /* left side minus right side */
    /* z is linear in time with coefficients that are parameters or discrete: scheduled, not
     * searched */
    bool is_time_event;
    uint32_t of_delay; /* 0, or 1 + the number of the delay that it serves */
    /* 0, or 1 + 2*number of the transport that it serves + place at which something arrives */
    uint32_t of_transport;
    uint32_t of_floor; /* 0, or 1 + the equation n = floor(q) that it updates */
    double scale;      /* of z, from nominal values, > 0 */
    PathId component;
    Span span;
} DaeRelation;

typedef struct DaeSample {
    VarId var;
    Term start, interval; /* over parameters */
    bool from_start;      /* start counts from the beginning of the run */
    PathId component;
    Span span;
} DaeSample;

/* delay(source, time, longest) */
typedef struct DaeDelay {
    VarId var, source;  /* unknowns: its value, the delayed expression */
    Term argument;      /* the delayed expression, as written in the model */
    VarId time_var;     /* the delay time if it varies */
    VarId number;       /* hidden parameter: its place in Dae.delays */
    VarId next;         /* hidden parameter: the next break of the history, set by the host */
    uint32_t relation;  /* that it arrives */
    EqId eq;            /* DAE_EQ_DELAYED */
    Term time, longest; /* over parameters, except for a time that varies */
    bool varies;
    PathId component;
    Span span;
} DaeDelay;

/* (out0, out1) = spatialDistribution(in[0], in[1], x, forward, points, values): a transport along x
 * over a length of 1 */
typedef struct DaeTransport {
    VarId in[2], x, forward; /* unknowns; forward is 0 or 1 */
    Term entering[2];        /* in, as the model writes it */
    VarId out[2], first[2];  /* unknowns: the profile at 0 and at 1, and the same at the start */
    EqId eq[2];              /* DAE_EQ_DELAYED: of out */
    VarId number;            /* hidden parameter: its place in Dae.transports */
    /* hidden parameters, set by the host: -x or x at which the next break arrives at 0 or 1 */
    VarId next[2];
    uint32_t relation[2];  /* that it arrives */
    Term *points, *values; /* n each, over parameters */
    uint32_t n;
    PathId component;
    Span span;
} DaeTransport;

typedef enum DaeActionKind { ACTION_REINIT, ACTION_ASSERT, ACTION_TERMINATE } DaeActionKind;

typedef struct DaeAction {
    uint8_t kind; /* DaeActionKind */
    bool warning; /* ACTION_ASSERT */
    bool initial; /* of an initial section: applies only at the end of initialization */
    bool at_edge; /* ACTION_ASSERT: of a when; its condition counts while events are iterated */
    Term guard;   /* Boolean: acts if true; for ACTION_ASSERT the condition that must be true */
    Term shown;   /* ACTION_ASSERT: the condition as the model writes it, for messages */
    VarId target; /* ACTION_REINIT: the state */
    bool ordered; /* ACTION_REINIT: a statement, which replaces those before it */
    /* ACTION_REINIT: the when or the algorithm section; one may reinitialize a state in several
     * places */
    Span clause;
    Term value;   /* ACTION_REINIT: the new value */
    Term message; /* a String expression; evaluated by the evaluator */
    PathId component;
    Span span;
} DaeAction;

typedef struct Dae {
    Context *ctx;
    Graph *g;
    Symbolic *symbolic;
    const Flat *flat; /* for names, spans of declarations, units */
    Arena *arena;
    VEC(DaeVar) vars;
    VEC(DaeEq) eqs;
    VEC(VarId) ops; /* operands of all terms */
    VEC(DaeRelation) relations;
    VEC(DaeSample) samples;
    VEC(DaeDelay) delays;
    VEC(DaeTransport) transports;
    VEC(DaeAction) actions;
    uint32_t *flat_base;                /* per FlatVar: VarId of its first element */
    VarId initial, terminal, lambda;    /* NONE if unused */
    uint32_t n_aliases;                 /* statistics */
    uint32_t n_model_vars, n_model_eqs; /* of the model; structure made those after them */
    struct Shapes *shapes;              /* what dae_term has built already */
} Dae;

void dae_free(Dae *d);
char *dae_print(const Dae *d, Arena *arena);
const char *dae_check(const Dae *d, Arena *arena);

/* "R1.v", "x[2]", "der(x)", "pre(b)", "$when3": the name in results and messages. */
char *dae_var_name(const Dae *d, VarId v, Arena *arena);
char *dae_term_print(const Dae *d, Term t, Arena *arena);
/* "R*i = v" as in the model if possible; with target form "x = …". */
char *dae_eq_print(const Dae *d, EqId e, Arena *arena);
/* The term as the evaluator sees it, with values v of all variables. */
EvalStatus dae_eval(const Dae *d, Term t, const double *v, double *out);

/* The model once more, for another plan: the same variables under the same numbers, the model's
 * equations without those that structure made. Shares the graph, Flat and tables that never change
 * with d, which must outlive it. */
Dae *dae_clone(const Dae *d);
/* The same with all that structure made. */
Dae *dae_copy(const Dae *d);
/* The term with the values of some operands put in: fixed[v] for those variables, which have
 * value[v]. */
Term dae_fix(Dae *d, Term t, const uint8_t *fixed, const double *value);
/* The literal of v's type. */
ExprId dae_literal(Dae *d, VarId v, double value);
/* The equation 0 = shape over operands. */
EqId dae_add_equation(Dae *d, ExprId shape, const VarId *ops, uint32_t n, Span span);

/* Appending, for structure: a derivative of variable x (made once), the derivative of equation e
 * (made once; NONE after an error). */
VarId dae_derivative_var(Dae *d, VarId x);
VarId dae_hidden_var(Dae *d, DaeVarKind kind, DaeType type);
/* An input at the top level that nothing drives: it stays at its start value. */
static inline bool dae_rests(const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_INPUT && !d->vars.at[v].hidden;
}
/* through aliases; negative may be NULL */
VarId dae_representative(const Dae *d, VarId v, bool *negative);
/* A variable that an equation of the model makes equal to v, or to -v; NONE if there is none. */
VarId dae_equal(const Dae *d, VarId v, bool *negative);
EqId dae_derivative_eq(Dae *d, EqId e);
/* makes operands distinct, drops unused ones, resolves aliases */
Term dae_term(Dae *d, ExprId shape, const VarId *ops, uint32_t n);
/* The term with expressions without operands instead of some holes: with[k] if it is not EXPR_NONE,
 * size t.n. Similar terms with the same expressions are computed once. */
Term dae_put(Dae *d, Term t, const ExprId *with);
static inline VarId dae_op(const Dae *d, Term t, uint32_t k)
{
    return d->ops.at[t.ops + k];
}

/* ---- switch_values.c: Reals that discrete variables choose among numbers ---- */
/* Whether there may be any; cheap. */
bool dae_may_have_switch_values(const Dae *d);
/* Puts their values in their place where they multiply unknowns. False if nothing has changed. */
bool dae_put_switch_values(Dae *d);

#endif

/* The plan: the sorted, index-reduced, torn system.
 *
 * In: Dae, which does not change. Out: Plan, with its own Dae to which derivatives of equations and
 * variables are appended.
 *
 * A plan has three sequences of blocks: parameters, `initial` for the start (own unknowns, own
 * matching) and `main` for everything after it. In `main` the states and time are known. Every
 * other unknown, continuous or discrete, is computed by exactly one block; all equations are sorted
 * together. Between events the discrete parts of blocks are skipped: relations and discrete
 * variables keep their values. */
#ifndef STRUCTURE_PLAN_H
#define STRUCTURE_PLAN_H

#include "dae/model/dae.h"

/* var := value(operands of equation eq). If value is EXPR_NONE, the equation has target form and is
 * used as it is. */
typedef struct PlanStep {
    EqId eq;
    VarId var;
    ExprId value; /* shape over the operands of eq */
    /* EXPR_NONE, or the divisor of the solution: zero means that the plan's assumption is violated
     */
    ExprId divisor;
} PlanStep;

typedef struct PlanTorn {
    VarId var; /* tearing variable, iterated */
    EqId eq;   /* residual equation */
} PlanTorn;

typedef enum BlockKind {
    BLOCK_EXPLICIT, /* one step, nothing to iterate; discrete or continuous */
    BLOCK_LINEAR,   /* torn; residuals are linear in the tearing variables */
    BLOCK_NONLINEAR,
} BlockKind;

enum { /* users of the block: bits of PlanBlock.uses */
       /* depends only on parameters: computed once, after initialization of parameters */
       USE_PARAMETER = 1,
       USE_DERIVATIVE = 2, /* continuous part needed for derivatives of states */
       USE_INDICATOR = 4,  /* continuous part needed for relations and asserts */
       USE_OUTPUT = 8,     /* every other continuous one: only for results */
       USE_DISCRETE = 16,  /* computes discrete unknowns: only at events */
};

/* A product in the tangent of a dense variable: slope times the tangent of the operand. */
typedef struct PlanDenseTerm {
    VarId operand;
    uint32_t dense; /* the operand is this dense variable; NONE: it is not dense */
    ExprId slope;   /* over the operands of the equation; EXPR_NONE: factor */
    double factor;  /* if slope is EXPR_NONE */
    uint32_t column,
        n_columns; /* PlanDense.columns, on which an operand that is not dense depends */
} PlanDenseTerm;

typedef struct PlanDenseVar {
    VarId var;
    EqId eq;
    uint32_t term, n_terms; /* PlanDense.terms */
} PlanDenseVar;

/* Variables that depend on many states. Their tangents are sums of those of their operands, so that
 * the tangents of all other rows and of operands need few colours. */
typedef struct PlanDense {
    PlanDenseVar *vars; /* in the order of their steps */
    uint32_t n_vars;
    PlanDenseTerm *terms;
    uint32_t n_terms;
    const uint32_t *columns;
    uint32_t *of_row; /* size n: the dense variable of a row; NONE */
    uint32_t *colour; /* size n; columns of one colour share no other row and no operand */
    uint32_t n_colours;
} PlanDense;

/* Sparsity of a square Jacobian, by columns, with a colouring: columns of one colour share no row.
 * All NULL if it has too many entries. */
typedef struct PlanJacobian {
    uint32_t *col_ptr, *row; /* sizes n + 1, nnz */
    uint32_t *colour;        /* size n */
    uint32_t n_colours;
    const PlanDense *dense; /* NULL: no such variables */
} PlanJacobian;

typedef struct PlanBlock {
    uint8_t kind;           /* BlockKind */
    bool mixed;             /* real and discrete unknowns depend on each other */
    bool constant_jacobian; /* torn; the Jacobian of the residuals depends only on parameters */
    bool steady_jacobian;   /* …, or on these and discrete variables: it changes at events only */
    uint8_t uses;
    /* plan->steps: real (or single) unknowns in order; inner ones of a torn block */
    uint32_t step, n_steps;
    uint32_t torn, n_torn; /* plan->torn */
    /* plan->steps: discrete unknowns of a mixed block, after the real ones */
    uint32_t discrete, n_discrete;
    /* residuals by tearing variables, of a large block that is sparse; NULL: dense */
    const PlanJacobian *jacobian;
} PlanBlock;

/* Simultaneous equations that were solved symbolically: adjacent explicit blocks, those of the
 * tearing variables (their equations are DAE_EQ_SOLVED) first. */
typedef struct PlanSolved {
    uint32_t block, n_torn, n_steps;
} PlanSolved;

typedef struct PlanState {
    VarId var, der;
} PlanState;

/* An entry of the Jacobian of a set's constraints: the value of var, or a number if var is NONE. */
typedef struct PlanSetEntry {
    uint32_t row, col;
    VarId var;
    double value;
} PlanSetEntry;

/* States chosen by value. Of n_cols candidates, n_rows constraints determine as many; the others
 * are states. A slot represents one candidate at a time: slot = Σ weight*candidate, with weights 0
 * and 1 that are known variables. `depth` levels share one choice, for example positions and
 * velocities. The Jacobian has the set's rows and columns first, then n_fixed rows whose columns
 * are solved for with every choice. */
typedef struct PlanSet {
    uint32_t n_rows, n_cols, n_fixed, depth;
    /* depth times n_cols: level l at l*n_cols; level 0 has the highest derivatives that can be
     * states */
    VarId *cols;
    VarId *weights;   /* n_cols - n_rows times n_cols, by slots */
    VarId *slots;     /* depth times n_cols - n_rows */
    uint32_t *chosen; /* size n_cols - n_rows: column of each slot at the start */
    /* size n_cols: by which factor the candidate is less preferred as a state; with its nominal
     * value */
    double *wish;
    EqId *eqs; /* size n_rows */
    PlanSetEntry *entries;
    uint32_t n_entries;
} PlanSet;

typedef struct PlanChoice { /* a choice of the initialization, for --log init */
    VarId var;
    enum { CHOSE_START, DROPPED_REDUNDANT } what;
    EqId eq;
} PlanChoice;

/* var = old + step*der, where the host sets step and old: the integrator written into the
 * equations. */
typedef struct PlanInlined {
    VarId var, der, old;
} PlanInlined;

/* A discrete variable, and a value of it at which a switch equation lacks the unknown to solve
 * for. */
typedef struct PlanGuard {
    VarId var;
    EqId eq;       /* the switch equation */
    double value;  /* the first value at which the equation has no unknown to solve for */
    VarId storage; /* state that fixes the causality of the switch; NONE: only sources do */
} PlanGuard;

/* A state that the switch equation may constrain: in some combination of values, the overdetermined
 * equations lead to it. */
typedef struct PlanStorage {
    EqId eq;
    VarId state;
} PlanStorage;

/* An expression over parameters, and over variables of earlier assumptions, that is zero at the
 * parameters' values and was left out of the equations. */
typedef struct PlanAssumption {
    Term zero;
    VarId var; /* the variable with this value; NONE for a coefficient */
} PlanAssumption;

typedef struct PlanValue {
    VarId var; /* a parameter */
    double value;
} PlanValue;

typedef struct PlanSequence {
    uint32_t block, n_blocks; /* plan->blocks */
} PlanSequence;

typedef struct Plan {
    /* the scalar model of this plan: a copy of the phase's input, with the derivatives of equations
     * and variables that index reduction appended */
    Dae *dae;
    bool owns_dae; /* plan_free frees it */
    Arena *arena;
    VEC(PlanState) states; /* slots of sets last */
    VEC(PlanSet) sets;
    bool no_start; /* there is no initial sequence: another plan handles the start */
    VEC(PlanBlock) blocks;
    VEC(PlanStep) steps;
    VEC(PlanTorn) torn;
    VEC(PlanSolved) solved;  /* by block */
    PlanSequence parameters; /* parameters computed from parameters, in order */
    /* unknowns: states, derivatives, algebraic, discrete, pre, parameters with fixed = false */
    PlanSequence initial;
    PlanSequence main;
    PlanJacobian jacobian; /* derivatives of states by states, blocks solved */
    /* torn blocks that derivatives need and that depend on states, in order */
    VEC(uint32_t) open;
    /* the same with open blocks unsolved: rows are derivatives of states, then the residuals of
     * open blocks; columns are states, then their tearing variables */
    PlanJacobian open_jacobian;
    VEC(PlanChoice) choices;
    VEC(PlanAssumption) assumptions; /* in order */
    VEC(EqId) differentiated;        /* equations whose derivatives were added, in order */
    VEC(VarId) dummies;              /* derivatives that became algebraic */
    /* switch equations: which unknowns occur depends on a discrete variable; ascending */
    VEC(EqId) switches;
    VEC(VarId) switch_vars; /* the discrete variables and Real parameters in them */
    VEC(PlanGuard) guards;  /* structural guards, by variable */
    VEC(PlanStorage) storages;
    /* positions of switches that only a source forbids, and that may occur during the run */
    VEC(PlanGuard) against_source;
    VEC(PlanInlined)
    inlined;    /* the last of the states, although blocks compute them; such a plan has no initial
                   sequence and no Jacobian */
    VarId step; /* of the inlined ones; NONE if there are none */
} Plan;

/* How a plan differs from the usual one. */
typedef struct PlanOptions {
    /* guards were put in: no search for guards; a target of reinit may not be a state here */
    bool mode;
    bool inline_all;      /* all states are inlined */
    const VarId *inlined; /* or those of these variables */
    uint32_t n_inlined;
    bool sparing; /* blocks are torn less */
    /* for a part of the model (modes/modes.h), which has no initial sequence and no Jacobian: per
     * variable whether other parts need it for derivatives; size n_needed */
    const uint8_t *needed;
    uint32_t n_needed;
} PlanOptions;

void plan_free(Plan *p);
bool plan_is_state(const Plan *plan, VarId v);
/* `kairos equations`: blocks, unknowns, torn variables, differentiated equations, states; in the
 * manner of the 1993 paper. */
char *plan_print(const Plan *p, Arena *arena);
/* The first violation of the contract, or NULL. */
const char *plan_check(const Plan *p, Arena *arena);

#endif

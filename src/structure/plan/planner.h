/* What the files of this folder share. A Planner is the work on one plan; it dies with
 * structure_plan. */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "structure/plan/plan.h"

/* Augmenting paths one row at a time, for matchings that are built in an order of priority. */
typedef struct Matcher {
    const Incidence *a;
    uint32_t *match;  /* size n_eqs; variable or NONE */
    uint32_t *of_var; /* size n_vars; equation or NONE */
    /* size n_vars; the last search that saw the variable; NONE: no path leads on from it */
    uint32_t *mark;
    uint32_t *stack;    /* size n_eqs; equations of the path */
    uint32_t *at;       /* size n_eqs; next entry to try */
    uint32_t *look;     /* size n_eqs; next entry that may be free; only moves on */
    VEC(uint32_t) seen; /* by the search at work */
    uint32_t stamp;     /* of the search at work */
    uint32_t phase;     /* first search of this phase: what later ones saw is not searched again */
    bool met;           /* the search came upon what another of the phase saw */
    bool backward;      /* equations are read from their end: alternating is fairer */
} Matcher;

/* match is taken as it stands and kept up to date. */
void matcher_start(Matcher *m, const Incidence *a, uint32_t *match);
void matcher_end(Matcher *m);
/* Assigns equation e. False where there is no augmenting path; what the search saw is then never
 * searched again, so that all failures together cost no more than one pass over the graph. */
bool matcher_augment(Matcher *m, uint32_t e);

/* Equations and unknowns that are sorted together. Real unknowns come first, discrete ones after
 * them, in both lists. */
typedef struct System {
    VEC(EqId) eqs;
    VEC(VarId) vars;
    uint32_t n_real; /* rows and columns below are real */
    uint32_t *col;   /* size n_col; column of a variable, NONE where it is known */
    uint32_t n_col;
    Incidence a;     /* rows as eqs, columns as vars */
    uint32_t *match; /* size eqs.n */
    bool at_start;   /* initial() holds */
} System;

typedef struct Eliminate Eliminate;
typedef struct TearRoom TearRoom;

typedef struct Planner {
    Dae *dae;
    Plan *plan;
    /* per variable: its derivative where that takes part in the model, else NONE */
    VEC(VarId) next;
    /* per variable: what it is the derivative of, as far as it takes part, else NONE */
    VEC(VarId) prev;
    VEC(uint8_t) role; /* per variable: VarRole */
    VEC(double) value; /* per variable: parameters at their defaults, start values, else zero */
    bool *late;        /* size n_late: parameter that depends on one with fixed = false */
    uint32_t n_late;
    uint32_t n_slots; /* variables of state sets, for their names */
    /* per column of the system being cut into blocks: number within the block, else NONE */
    uint32_t *local;
    Eliminate *eliminate;
    TearRoom *tearing; /* NULL until a block is torn */
    PlanOptions options;
    /* equations that depend on each other by their coefficients are not to be combined */
    bool separate;
    bool combined; /* some were */
} Planner;

typedef enum VarRole { ROLE_NONE, ROLE_UNKNOWN, ROLE_STATE } VarRole;

static inline bool var_is_real(const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_CONTINUOUS || d->vars.at[v].kind == DAE_DERIVATIVE;
}
static inline bool eq_in_main(const DaeEq *e)
{
    return e->origin == DAE_EQ_MODEL || e->origin == DAE_EQ_DELAYED || e->origin == DAE_EQ_WHEN ||
           e->origin == DAE_EQ_CONDITION || e->origin == DAE_EQ_RELATION ||
           e->origin == DAE_EQ_DERIVED || e->origin == DAE_EQ_SET;
}
/* A real equation: its target, where it has one, is no discrete unknown. */
static inline bool eq_is_real(const Dae *d, const DaeEq *e)
{
    return e->target == NONE || var_is_real(d, e->target);
}
static inline uint32_t incidence_count(const Incidence *a)
{
    return a->ptr[a->n_eqs];
}

/* ---- structure.c ---- */
void planner_cover(Planner *p); /* extends the per-variable arrays to variables made meanwhile */
double planner_coefficient(Planner *p, Term t, uint32_t hole,
                           bool *known);          /* ∂t/∂hole at the planner's values */
EqId planner_start_equation(Planner *p, VarId v); /* target v = its start value; made */
bool plan_is_state(const Plan *plan, VarId v);

/* ---- index_reduction.c, state_selection.c ---- false after telling */
bool index_reduce(Planner *p);
bool index_expands(const Dae *d); /* equations of the model hold calls that index_expand replaces */
/* functions that are to be inlined are replaced by their bodies */
void index_expand(Dae *d);
bool index_select(Planner *p);

/* ---- state_preferences.c ---- variables with stateSelect = prefer or always that equations
 * differentiate too little */
typedef struct StatePreference {
    VarId var;
    uint32_t depth; /* derivatives that it is to have */
} StatePreference;
enum { DEEPEST_PREFERENCE = 2 };
typedef VEC(StatePreference) StatePreferences;
void state_preferences_find(const Dae *d, const PlanOptions *options,
                            StatePreferences *wanted); /* adds them */
/* gives them derivatives */
void state_preferences_enter(Planner *p, const StatePreferences *wanted);
bool state_preferences_hold(const Plan *plan,
                            const StatePreferences *wanted); /* all became states */
/* only those that did */
void state_preferences_keep(const Plan *plan, StatePreferences *wanted);
bool state_preferences_deepen(
    const Plan *plan,
    StatePreferences *wanted); /* one more for those that always are to be states and are not */

/* ---- start_propagation.c ---- */
void planner_propagate_start(Planner *p);

/* ---- sparse_pivots.c ---- */
typedef struct PivotEntry {
    uint32_t col;
    bool constant; /* made of parameters and numbers */
    double value;  /* at the planner's values */
} PivotEntry;

typedef VEC(PivotEntry) PivotRow;
typedef VEC(uint32_t) RowList;

typedef struct Pivots {
    uint32_t n_rows, n_cols;
    PivotRow *rows; /* what is left of each row */
    Map *index;     /* of long rows: column → place, MAP_NONE where it went; empty for others */
    RowList *col_rows;               /* rows that may hold the column; some more than once */
    uint32_t *pivot_col, *pivot_row; /* NONE where there is none */
    VEC(uint32_t) done;              /* columns in the order of their pivots */
    uint32_t *place;                 /* work, per column; NONE between calls */
    RowList gone;                    /* work: columns that a row loses */
    uint64_t work;                   /* multiplications so far */
} Pivots;

void pivots_start(Pivots *w, uint32_t n_rows, uint32_t n_cols);
void pivots_end(Pivots *w);
void pivots_enter(Pivots *w, uint32_t row, PivotEntry e); /* not yet in the row */
/* NULL where there is none */
const PivotEntry *pivots_at(const Pivots *w, uint32_t row, uint32_t col);
/* with a value that is not zero */
void pivots_eliminate(Pivots *w, uint32_t row, uint32_t col);
/* the row has no pivot any more */
void pivots_release(Pivots *w, uint32_t row);
/* by all pivots there are, for a row that was released */
void pivots_reduce(Pivots *w, uint32_t row);

/* ---- state_sets.c ---- */
/* A coupled part of the constraints whose states are chosen by value. */
typedef struct Coupled {
    VEC(uint32_t) rows, cols; /* of a Constraints */
    VEC(uint32_t) dummies;    /* columns chosen at the start; as many as rows */
} Coupled;

/* Constraints that share candidates, at their highest derivatives. */
typedef struct Constraints {
    VEC(EqId) eqs;
    VEC(VarId) tops;     /* candidates to become dummies */
    uint32_t *depth;     /* per equation: how often it was differentiated */
    uint32_t *class_;    /* per candidate: StateSelect */
    uint32_t *col_depth; /* per candidate: how many derivatives of its variable there are */
    uint32_t *early;     /* per candidate: row that eliminates it from deeper ones, or NONE */
    Pivots w;
} Constraints;

typedef VEC(Coupled) CoupledList;

void coupled_free(CoupledList *parts); /* and leaves it empty */
/* Cuts the one part into several that can be chosen one after the other. */
void stateset_cut(const Constraints *c, CoupledList *parts);
/* Chooses dummies for a coupled part at the planner's values. False where it is singular there. */
bool stateset_choose(const Planner *p, const Constraints *c, Coupled *part);
/* Makes the state set: candidates, slots, selectors, Jacobian, with their equations. */
void stateset_make(Planner *p, const Constraints *c, const Coupled *part);
void stateset_states(Planner *p); /* enters the slots as states, after all others */

/* ---- system.c ---- */
void system_start(System *s, const Dae *d);
void system_end(System *s);
void system_add_var(System *s, VarId v);                        /* real ones before discrete ones */
void system_incidence(System *s, const Dae *d, bool real_only); /* (re)builds s->a */
/* Operand k counts: it is not just handed to a function that makes no use of it. */
bool system_occurs(const Dae *d, Term t, uint32_t k);
/* Where initial() holds: a when-equation that it does not make active loses what it waits for. */
ExprId shape_at_start(const Dae *d, Term t);
bool system_constant(const System *s, const Dae *d, VarId v); /* a parameter that is known here */

/* ---- sequence.c: sorts a matched system into blocks of the plan ---- */
bool sequence_build(Planner *p, System *s, PlanSequence *out);

/* ---- tearing.c ---- */
typedef struct Torn {
    VEC(PlanStep) steps;
    VEC(PlanTorn) torn;
} Torn;
/* Solves equation e for v where that is safe inside a block: with a coefficient that is a number or
 * made of parameters and not zero. */
bool tearing_solve(Planner *p, const System *s, EqId e, VarId v, PlanStep *step);
/* rows: real equations and those of following unknowns; their matched unknowns are to be found.
 * Appends to out. */
void tearing_run(Planner *p, const System *s, const uint32_t *rows, uint32_t n, Torn *out);

/* ---- small_linear_blocks.c ---- */
void tearing_free(TearRoom *t);
Eliminate *eliminate_new(void);
void eliminate_free(Eliminate *w);
/* Turns a small linear block whose coefficients are made of parameters into explicit steps:
 * t->steps then gives all unknowns in order, the tearing variables first. False where it stays
 * torn; nothing was changed. */
bool eliminate_run(Planner *p, const System *s, Torn *t);

/* ---- column_dependence.c ---- */
typedef struct ColumnSet {
    uint32_t at, n; /* in Depend.items, ascending; n = NONE: all columns */
} ColumnSet;

/* Which columns variables depend on. A set is gathered between depend_begin and depend_set. */
typedef struct Depend {
    const Dae *d;
    uint32_t n_columns;
    ColumnSet *of; /* per variable */
    VEC(uint32_t) items;
    VEC(uint32_t) gathered; /* of the set at work */
    uint32_t *seen;         /* per column: the last set that gathered it */
    uint32_t stamp;
    ColumnSet only;    /* gathered first, while no second one differs */
    ColumnSet largest; /* of those gathered: the union where it is as large */
    uint32_t n_sets;
    bool all;
} Depend;

void depend_start(Depend *w, const Dae *d, uint32_t n_columns);
void depend_end(Depend *w);
void depend_seed(Depend *w, VarId v, uint32_t column);
void depend_begin(Depend *w);
void depend_gather(Depend *w, ColumnSet s);
void depend_gather_step(Depend *w, const PlanStep *step);
void depend_gather_residual(Depend *w, EqId e);
ColumnSet depend_set(Depend *w);
/* The pattern with rows `sets` and n columns from `first` on; false, and nothing done, where it has
 * more than `most` entries. */
bool depend_pattern(const Depend *w, const ColumnSet *sets, uint32_t first, uint32_t n,
                    uint64_t most, Arena *arena, PlanJacobian *out);

/* ---- parameter_assumptions.c ---- */
void assume_zeros(Planner *p); /* once parameters have values, before unknowns are looked for */

/* ---- block_uses.c, jacobian_patterns.c, initial_system.c, parameter_order.c ---- */
void plan_block_jacobians(Plan *p); /* of large blocks */
bool plan_parameters(Planner *p);
/* Takes entries out of the rows below n_model whose coefficient is zero at the values that the
 * conditions after them give; true where there are any. */
bool drop_vanishing(Planner *p, System *s, uint32_t n_model);
bool plan_initial(Planner *p, const System *main);

/* ---- linear_combinations.c ---- */
/* brings out constraints that equations with literal coefficients hide */
void linear_combine_literal(Planner *p);
/* Likewise with coefficients of parameters, in a system of highest derivatives that is matched
 * completely; true where equations were replaced. */
bool linear_combine_matched(Planner *p, const System *s);

/* ---- inline_integration.c ---- */
void inline_states(
    Planner *p); /* makes states that are inlined unknowns, and adds the integrator's equations */

/* ---- reachable_values.c: instants at which discrete variables have given values ---- */
typedef struct ReachableValues ReachableValues;
ReachableValues *reachable_values_new(Planner *p);
void reachable_values_free(ReachableValues *w);
/* that gives the discrete variable v at all times, or NONE */
EqId reachable_values_equation(const ReachableValues *w, VarId v);
/* An instant at which those of the variables that time and parameters determine, one at least, have
 * values[v]. */
bool reachable_values_find(ReachableValues *w, const VarId *vars, const double *values, uint32_t n);
bool reachable_values_knows(const ReachableValues *w,
                            VarId v); /* at the instant found: v is one of those */

/* ---- structural_guards.c: switch equations and structural guards of the main sequence; false
 * after telling
 * ---- */
bool plan_guards(Planner *p);

/* ---- singular_report.c ---- */
/* Tells the over- and underdetermined parts. `where` says of what: "the model", "the initial
 * system". */
void report_singular(Dae *d, const Incidence *a, const uint32_t *match, const EqId *eqs,
                     const VarId *vars, const char *where);
/* Adds notes with the first equations of a list, and how many more there are. */
void report_equations(Dae *d, const EqId *eqs, uint32_t n);
Span report_var_span(const Dae *d, VarId v);

#endif

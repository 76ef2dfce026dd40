/* Index reduction and the choice of states.
 *
 * In: the continuous equations of the Dae with their unknowns (Planner). Out: derivatives of
 * equations appended to the Dae; Plan.states, Plan.sets, Plan.differentiated, Plan.dummies. */
#ifndef STRUCTURE_STATES_H
#define STRUCTURE_STATES_H

#include "structure/plan/planner.h"

/* ---- index_reduction.c, state_selection.c ---- false after an error */
bool index_reduce(Planner *p);
/* equations of the model contain calls that index_expand replaces */
bool index_expands(const Dae *d);
/* functions that are to be inlined are replaced by their bodies */
void index_expand(Dae *d);
bool index_select(Planner *p);

/* ---- linear_combinations.c ---- */
/* brings out constraints that equations with literal coefficients hide */
void linear_combine_literal(Planner *p);
/* The same with parameter coefficients, in a completely matched system of highest derivatives; true
 * if equations were replaced. */
bool linear_combine_matched(Planner *p, const System *s);

/* ---- state_preferences.c ---- variables with stateSelect = prefer or always that equations
 * differentiate too little */
typedef struct StatePreference {
    VarId var;
    uint32_t depth; /* derivatives that it is to have */
} StatePreference;
enum { DEEPEST_PREFERENCE = 2 };
typedef VEC(StatePreference) StatePreferences;
/* adds them */
void state_preferences_find(const Dae *d, const PlanOptions *options, StatePreferences *wanted);
/* gives them derivatives */
void state_preferences_enter(Planner *p, const StatePreferences *wanted);
/* all became states */
bool state_preferences_hold(const Plan *plan, const StatePreferences *wanted);
/* only those that did */
void state_preferences_keep(const Plan *plan, StatePreferences *wanted);
/* one more derivative for variables that must be states but are not */
bool state_preferences_deepen(const Plan *plan, StatePreferences *wanted);

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
    PivotRow *rows; /* the rest of each row */
    Map *index; /* of long rows: column → place, MAP_NONE if it was removed; empty for others */
    RowList *col_rows;               /* rows that may have the column; some more than once */
    uint32_t *pivot_col, *pivot_row; /* NONE if there is none */
    VEC(uint32_t) done;              /* columns in the order of their pivots */
    uint32_t *place;                 /* work, per column; NONE between calls */
    RowList gone;                    /* work: columns that a row loses */
    uint64_t work;                   /* multiplications so far */
} Pivots;

void pivots_start(Pivots *w, uint32_t n_rows, uint32_t n_cols);
void pivots_end(Pivots *w);
void pivots_enter(Pivots *w, uint32_t row, PivotEntry e); /* not yet in the row */
/* NULL if there is none */
const PivotEntry *pivots_at(const Pivots *w, uint32_t row, uint32_t col);
/* with a value that is not zero */
void pivots_eliminate(Pivots *w, uint32_t row, uint32_t col);
/* the row has no pivot any more */
void pivots_release(Pivots *w, uint32_t row);
/* by all existing pivots, for a row that was released */
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
/* Chooses dummies for a coupled part at the planner's values. False if it is singular there. */
bool stateset_choose(const Planner *p, const Constraints *c, Coupled *part);
/* Makes the state set: candidates, slots, selectors, Jacobian, with their equations. */
void stateset_make(Planner *p, const Constraints *c, const Coupled *part);
void stateset_states(Planner *p); /* enters the slots as states, after all others */

#endif

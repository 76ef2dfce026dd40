/* Blocks: from a matched System to a sequence of blocks, torn if equations are simultaneous. Also
 * the users of each block, and patterns of the Jacobians that solvers need. */
#ifndef STRUCTURE_BLOCKS_H
#define STRUCTURE_BLOCKS_H

#include "structure/plan/planner.h"

/* ---- sequence.c: sorts a matched system into blocks of the plan ---- */
bool sequence_build(Planner *p, System *s, PlanSequence *out);

/* ---- equal_conditions.c ---- */
/* Whether the equation only says that two variables are equal, or one the negative of the other. */
bool equation_connects(const Dae *d, EqId e);
/* Whether all when-equations among the rows have the conditions of `first`. Adds assumptions about
 * parameters to the plan. */
bool conditions_same(Planner *p, const System *s, const uint32_t *rows, uint32_t n, EqId first);

/* ---- tearing.c ---- */
typedef struct Torn {
    VEC(PlanStep) steps;
    VEC(PlanTorn) torn;
} Torn;
/* Solves equation e for v if that is safe inside a block: the coefficient is a number or a
 * parameter expression that is not zero. */
bool tearing_solve(Planner *p, const System *s, EqId e, VarId v, PlanStep *step);
/* rows: real equations and those of following unknowns; their matched unknowns are to be found.
 * Appends to out. */
void tearing_run(Planner *p, const System *s, const uint32_t *rows, uint32_t n, Torn *out);

void tearing_free(TearRoom *t);

/* ---- small_linear_blocks.c ---- */
Eliminate *eliminate_new(void);
void eliminate_free(Eliminate *w);
/* Turns a small linear block with parameter coefficients into explicit steps: t->steps then
 * computes all unknowns in order, the tearing variables first. False if it stays torn; nothing was
 * changed. */
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
    ColumnSet largest; /* of the collected sets: the union if it is as large */
    uint32_t n_sets;
    bool all;
} Depend;

void depend_start(Depend *w, const Dae *d, uint32_t n_columns); /* no variable depends on any */
void depend_end(Depend *w);
void depend_seed(Depend *w, VarId v, uint32_t column); /* v is this column */
void depend_begin(Depend *w);                          /* an empty set */
/* Adds the columns on which the operands of a step, or of a residual, depend. */
void depend_gather_step(Depend *w, const PlanStep *step);
void depend_gather_residual(Depend *w, EqId e);
/* Ends the set; sets with equal columns may be the same one. */
ColumnSet depend_set(Depend *w);
/* The pattern with rows `sets` and n columns from `first` on; false, and nothing done, if it has
 * more than `most` entries. */
bool depend_pattern(const Depend *w, const ColumnSet *sets, uint32_t n_rows, uint32_t first,
                    uint32_t n, uint64_t most, Arena *arena, PlanJacobian *out);

/* ---- dense_rows.c ---- */
typedef struct DenseRows DenseRows;
DenseRows *dense_rows_new(Depend *w, Plan *p);
void dense_rows_free(DenseRows *r);
/* The next block that derivatives need, and its columns. */
void dense_rows_note(DenseRows *r, const PlanBlock *b, ColumnSet columns);
/* Sets j->dense, if that is useful. */
void dense_rows_finish(DenseRows *r, PlanJacobian *j);

/* ---- block_uses.c, jacobian_patterns.c ---- */
/* fills in PlanBlock.uses; needed: see PlanOptions, NULL for none */
void plan_uses(Plan *p, const uint8_t *needed, uint32_t n);
void plan_jacobians(Plan *p);
void plan_block_jacobians(Plan *p); /* of large blocks */

#endif

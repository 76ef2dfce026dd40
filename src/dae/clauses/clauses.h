/* if- and when-equations, algorithm sections and calls for their effects.
 *
 * In: such a FlatEq. Out: equations, conditions and actions of the Dae. */
#ifndef DAE_CLAUSES_H
#define DAE_CLAUSES_H

#include "dae/lower/lower.h"

/* ---- if_equations.c ---- */
bool lower_if(Lower *L, const FlatEq *eq);

/* ---- when.c ---- */
void collect_when_targets(Lower *L);
bool lower_when(Lower *L, const FlatEq *eq);
/* Notes that a when at `span` determines v; reports it if another one does. */
bool when_determines(Lower *L, VarId v, Span span);

/* ---- algorithm.c ---- */
bool lower_algorithm(Lower *L, const FlatEq *eq);
/* A function call for its effects, if the lowered guard (EXPR_NONE: always) is true. */
bool lower_call(Lower *L, const FlatEq *eq, ExprId guard);

#endif

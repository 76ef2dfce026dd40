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

/* A variable that whens in branches of an if-equation determine. */
typedef struct JoinedTarget {
    VarId var;
    ExprId value; /* its value in the branches so far, else its left limit */
    ExprId path;  /* one of these branches is taken */
    Span span;
} JoinedTarget;

typedef struct WhenJoin {
    VEC(JoinedTarget) targets;
} WhenJoin;

/* A when in the branch that is taken if `path` is true. Its assignments gather in *join. At the end
 * of the if-equation, when_join turns them into equations. */
bool lower_when_in_branch(Lower *L, const FlatEq *eq, ExprId path, WhenJoin *join);
void when_join(Lower *L, const FlatEq *eq, WhenJoin *join);
/* Notes that a when at `span` determines v; reports it if another one does. */
bool when_determines(Lower *L, VarId v, Span span);

/* ---- algorithm.c ---- */
bool lower_algorithm(Lower *L, const FlatEq *eq);
/* A function call for its effects, if the lowered guard (EXPR_NONE: always) is true. */
bool lower_call(Lower *L, const FlatEq *eq, ExprId guard);

#endif

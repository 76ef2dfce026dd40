/* Walks over the equations of Flat, written once. */
#ifndef FLATTEN_FLAT_WALK_H
#define FLATTEN_FLAT_WALK_H

#include "expr/walk.h"
#include "flatten/flat/flat.h"

/* Members may be NULL. */
typedef struct FlatVisitor {
    Walk (*equation)(void *user, const FlatEq *eq);
    Walk (*condition)(void *user, ExprId e); /* of a branch, before its body */
    Walk (*statement)(void *user, const Stmt *s);
    /* before the condition, which may be EXPR_NONE */
    void (*branch)(void *user, const FlatEq *eq, const FlatBranch *b);
    void (*statement_branch)(void *user, const Stmt *s, const StmtBranch *b);
    /* after the parts of the item; not called after PAST and END */
    void (*leave)(void *user, const FlatEq *eq);
    void (*leave_statement)(void *user, const Stmt *s);
} FlatVisitor;

/* Visits equations in order, each before those in its branches and its statements. False after
 * WALK_END. */
bool flat_walk(const FlatEq *eqs, uint32_t n, const FlatVisitor *v, void *user);
/* Calls `visit` for all expressions in equations: sides, conditions, statements. */
void flat_each_expr(const FlatEq *eqs, uint32_t n, void (*visit)(void *user, ExprId e), void *user);
/* Calls `change` for each equation and those in its branches. */
void flat_each_equation(FlatEq *eqs, uint32_t n, void (*change)(void *user, FlatEq *eq),
                        void *user);
/* A copy in `arena` with each expression passed through `map`; iterators of loops stay. */
FlatEq flat_map(Arena *arena, const FlatEq *eq, ExprId (*map)(void *user, ExprId e), void *user);
/* Calls `change` for the place of each of these expressions. */
void flat_each_slot(FlatEq *eqs, uint32_t n, void (*change)(void *user, ExprId *e), void *user);

#endif

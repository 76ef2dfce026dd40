/* Walks over expressions and statements, written once. */
#ifndef EXPR_WALK_H
#define EXPR_WALK_H

#include "base/walk.h"
#include "expr/function.h"

/* Visits e and everything below it, each node before its arguments, and the last argument first. A
 * shared node is visited as often as it occurs; a visit that records nodes answers WALK_PAST. False
 * after WALK_END. */
bool expr_walk_down(const Graph *g, ExprId e, Walk (*visit)(void *user, ExprId e), void *user);

/* Members may be NULL. */
typedef struct StmtVisitor {
    Walk (*statement)(void *user, const Stmt *s);
    Walk (*condition)(void *user, ExprId e); /* of a branch, before its body */
    /* before the condition, which may be EXPR_NONE */
    void (*branch)(void *user, const Stmt *s, const StmtBranch *b);
    void (*leave)(void *user, const Stmt *s); /* after its branches; not after PAST and END */
} StmtVisitor;

/* Visits statements in the order of the text, each before those in its branches. False after
 * WALK_END. */
bool stmt_walk(const Stmt *body, uint32_t n, const StmtVisitor *v, void *user);
/* Visitors for walks that hand all expressions to one function: a condition, or both sides of a
 * statement. */
typedef struct ExprEach {
    void (*visit)(void *user, ExprId e);
    void *user;
} ExprEach;
Walk expr_each_visit(void *each, ExprId e);
Walk stmt_each_visit(void *each, const Stmt *s);
/* Calls `change` for the place of each expression in statements. */
void stmt_each_slot(Stmt *body, uint32_t n, void (*change)(void *user, ExprId *e), void *user);
/* A copy in `arena` with each expression passed through `map`; iterators of loops stay. */
Stmt *stmt_map(Arena *arena, const Stmt *body, uint32_t n, ExprId (*map)(void *user, ExprId e),
               void *user);

#endif

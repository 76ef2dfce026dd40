/* Walks over the equations, statements and expressions of Ast, written once. */
#ifndef SYNTAX_AST_WALK_H
#define SYNTAX_AST_WALK_H

#include "base/walk.h"
#include "syntax/tree/ast.h"

/* Members may be NULL. `expression` gets sides and conditions, never NULL: those of an equation
 * after it, those of a branch before its body. */
typedef struct AstVisitor {
    Walk (*equation)(void *user, const AstEq *eq);
    Walk (*statement)(void *user, const AstStmt *s);
    Walk (*expression)(void *user, const AstExpr *e);
} AstVisitor;

/* Visit in the order of the text, each node before those in its branches. False after WALK_END. */
bool ast_walk_equations(AstEq *const *eqs, uint32_t n, const AstVisitor *v, void *user);
bool ast_walk_statements(AstStmt *const *stmts, uint32_t n, const AstVisitor *v, void *user);
/* Visits e and the operands, arguments and subscripts below it, each before what is below it, and
 * its first operand last. False after WALK_END. e may be NULL. */
bool ast_walk_expr(const AstExpr *e, Walk (*visit)(void *user, const AstExpr *e), void *user);

#endif

/* Builders of syntax trees for texts that are not Modelica. Operands are put in parentheses if
 * Modelica's grammar needs them. The span is that of the text from which the node was made. */
#ifndef NOTATION_TREE_H
#define NOTATION_TREE_H

#include "syntax/tree/ast.h"

typedef struct Tree {
    Context *ctx;
    Arena *arena;
    uint32_t clause; /* component clauses so far */
} Tree;

typedef VEC(AstExpr *) ExprList;

/* ---- expressions ---- */

AstExpr *tree_ref(Tree *t, Span span, Name name);
/* component.name; component may be NULL */
AstExpr *tree_member(Tree *t, Span span, Name component, Name name);
AstExpr *tree_integer(Tree *t, Span span, int64_t value);
/* as written; an integer if it is one */
AstExpr *tree_number(Tree *t, Span span, const char *text, uint32_t n);
AstExpr *tree_bool(Tree *t, Span span, bool value);
AstExpr *tree_string(Tree *t, Span span, const char *text, uint32_t n);
AstExpr *tree_unary(Tree *t, Span span, AstOp op, AstExpr *a);
AstExpr *tree_binary(Tree *t, AstOp op, AstExpr *a, AstExpr *b);
AstExpr *tree_if(Tree *t, Span span, AstExpr *condition, AstExpr *then, AstExpr *otherwise);
AstExpr *tree_call(Tree *t, Span span, const char *function, AstExpr *const *args, uint32_t n);
AstExpr *tree_call1(Tree *t, Span span, const char *function, AstExpr *arg);
AstExpr *tree_list(Tree *t, Span span, AstExprKind kind, AstExpr *const *args, uint32_t n);
/* { e for name in 1:last } */
AstExpr *tree_comprehension(Tree *t, Span span, AstExpr *e, Name name, AstExpr *last);
AstExpr *tree_size(Tree *t, Span span, AstExpr *array, uint32_t dim); /* size(array, dim) */
AstExpr *tree_brackets(Tree *t, AstExpr *e); /* ( e ), if e needs brackets */

/* The name if e is a reference without subscripts, otherwise NULL. The argument if e is a call of
 * `function` with one argument, otherwise NULL. */
Name tree_plain_name(const AstExpr *e);
AstExpr *tree_argument(const AstExpr *e, const char *function);
bool tree_is_call(const AstExpr *e, const char *function);

/* Calls visit for e and everything below it, operands first. If visit returns a node, it replaces
 * the old one. */
typedef AstExpr *TreeVisit(void *user, AstExpr *e);
AstExpr *tree_rewrite(Tree *t, AstExpr *e, TreeVisit *visit, void *user);

/* Solves lhs = rhs for the unknown, which `is_unknown` recognises; NULL if it does not occur
 * linearly. */
typedef bool TreeTest(void *user, const AstExpr *e);
AstExpr *tree_solve(Tree *t, AstExpr *lhs, AstExpr *rhs, TreeTest *is_unknown, void *user);
bool tree_contains(const AstExpr *e, TreeTest *test, void *user);

/* ---- classes ---- */

/* An empty file; the arena is its own. */
AstFile *tree_file(uint32_t source);

AstClass *tree_class(Tree *t, Span span, AstRestriction restriction, Name name);
AstElement *tree_component(Tree *t, Span span, const char *type, Name name);
AstElement *tree_extends(Tree *t, Span span, Name base);
AstEq *tree_equation(Tree *t, Span span, AstExpr *lhs, AstExpr *rhs);
AstEq *tree_connect(Tree *t, Span span, AstExpr *a, AstExpr *b);
/* for name in 1:last loop body end for; when condition then body end when. The body moves. */
typedef VEC(AstEq *) EqList;
AstEq *tree_for(Tree *t, Span span, Name name, AstExpr *last, EqList *body);
AstEq *tree_when(Tree *t, Span span, AstExpr *condition, EqList *body);
AstEq *tree_call_equation(Tree *t, Span span, AstExpr *call);
/* Adds name = value to the modification of a component. */
void tree_modify(Tree *t, AstElement *e, Name name, AstExpr *value, Span span);
/* The same for a part of the element: e(path[0](path[1] = value)). */
void tree_modify_part(Tree *t, AstElement *e, const Name *path, uint32_t n, AstExpr *value,
                      bool each, Span span);
/* annotation(HideResult=true) */
void tree_hide(Tree *t, AstElement *e);
/* annotation(__Kairos(balanced=false)) */
void tree_waive_balance(Tree *t, AstClass *c);
void tree_bind(Tree *t, AstElement *e, AstExpr *value);

/* Moves vectors to the lists of a class. */
#define tree_keep(t, list, vec) ((list).n = (vec)->n, (list).at = vec_keep((vec), (t)->arena))

#endif

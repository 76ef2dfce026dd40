/* Equality of trees, up to spans. Numbers of clauses are compared as groupings: which neighbours
 * share one. */
#include "syntax/tree/ast.h"

static bool same_expr(const AstExpr *a, const AstExpr *b);
static bool same_mod(const AstMod *a, const AstMod *b);
static bool same_class(const AstClass *a, const AstClass *b);
static bool same_element(const AstElement *a, const AstElement *b);
static bool same_eq(const AstEq *a, const AstEq *b);
static bool same_stmt(const AstStmt *a, const AstStmt *b);

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_names(const Name *a, uint32_t n, const Name *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_text(a[i], b[i]))
            return false;
    return true;
}

static bool same_name(const AstName *a, const AstName *b)
{
    return a->absolute == b->absolute && same_names(a->parts, a->n, b->parts, b->n);
}

static bool same_exprs(AstExpr *const *a, uint32_t n, AstExpr *const *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_expr(a[i], b[i]))
            return false;
    return true;
}

static bool same_ref(const AstRef *a, const AstRef *b)
{
    if (!a || !b)
        return a == b;
    if (a->n != b->n || a->absolute != b->absolute)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        const AstRefPart *x = &a->parts[i], *y = &b->parts[i];
        if (!same_text(x->name, y->name) ||
            !same_exprs(x->subs.at, x->subs.n, y->subs.at, y->subs.n))
            return false;
    }
    return true;
}

static bool same_iters(const AstIter *a, uint32_t n, const AstIter *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_text(a[i].name, b[i].name) || !same_expr(a[i].range, b[i].range))
            return false;
    return true;
}

static bool same_named(const AstExpr *a, const AstExpr *b)
{
    if (a->named.n != b->named.n)
        return false;
    for (uint32_t i = 0; i < a->named.n; i++)
        if (!same_text(a->named.at[i].name, b->named.at[i].name) ||
            !same_expr(a->named.at[i].value, b->named.at[i].value))
            return false;
    return true;
}

static bool same_leaf(const AstExpr *a, const AstExpr *b)
{
    switch (a->kind) {
    case AST_REAL:
    case AST_INT:
    case AST_FIELD: return same_text(a->text, b->text);
    case AST_STRING:
        return a->string_size == b->string_size && !memcmp(a->string, b->string, a->string_size);
    case AST_BOOL: return a->boolean == b->boolean;
    case AST_REF:
    case AST_CALL:
    case AST_PARTIAL: return same_ref(a->ref, b->ref);
    default: return true;
    }
}

/* Follows the left operands of chains in a loop. */
static bool same_expr(const AstExpr *a, const AstExpr *b)
{
    while (a && b && a->kind == AST_BINARY && b->kind == AST_BINARY) {
        if (a->op != b->op || !same_expr(a->args.at[1], b->args.at[1]))
            return false;
        a = a->args.at[0];
        b = b->args.at[0];
    }
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || !same_leaf(a, b))
        return false;
    if (a->kind == AST_UNARY && a->op != b->op)
        return false;
    return same_exprs(a->args.at, a->args.n, b->args.at, b->args.n) && same_named(a, b) &&
           same_iters(a->iters.at, a->iters.n, b->iters.at, b->iters.n);
}

/* ---- modifications and elements ---- */

static bool same_comment(const AstComment *a, const AstComment *b)
{
    return same_text(a->text, b->text) && same_mod(a->annotation, b->annotation);
}

static bool same_arg(const AstArg *a, const AstArg *b)
{
    return a->each == b->each && a->final == b->final && a->redeclare == b->redeclare &&
           a->replaceable == b->replaceable && a->is_break == b->is_break &&
           same_name(&a->name, &b->name) && same_mod(a->mod, b->mod) &&
           same_element(a->element, b->element) && same_eq(a->broken_connect, b->broken_connect) &&
           same_comment(&a->comment, &b->comment);
}

static bool same_mod(const AstMod *a, const AstMod *b)
{
    if (!a || !b)
        return a == b;
    if (a->args.n != b->args.n || a->has_args != b->has_args || a->is_break != b->is_break)
        return false;
    for (uint32_t i = 0; i < a->args.n; i++)
        if (!same_arg(&a->args.at[i], &b->args.at[i]))
            return false;
    return same_expr(a->value, b->value);
}

static bool same_element(const AstElement *a, const AstElement *b)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->visibility == b->visibility && a->redeclare == b->redeclare &&
           a->final == b->final && a->inner == b->inner && a->outer == b->outer &&
           a->replaceable == b->replaceable && same_text(a->name, b->name) &&
           same_name(&a->type, &b->type) && a->import_all == b->import_all &&
           same_names(a->import_list.at, a->import_list.n, b->import_list.at, b->import_list.n) &&
           same_class(a->class_, b->class_) && a->flow == b->flow &&
           a->variability == b->variability && a->nondiscrete == b->nondiscrete &&
           a->causality == b->causality &&
           same_exprs(a->type_dims.at, a->type_dims.n, b->type_dims.at, b->type_dims.n) &&
           same_exprs(a->dims.at, a->dims.n, b->dims.at, b->dims.n) &&
           same_expr(a->condition, b->condition) && same_mod(a->mod, b->mod) &&
           same_name(&a->constrained_by, &b->constrained_by) &&
           same_mod(a->constraint_mod, b->constraint_mod) &&
           same_comment(&a->comment, &b->comment) &&
           same_comment(&a->constraint_comment, &b->constraint_comment);
}

static bool same_elements(const AstClass *a, const AstClass *b)
{
    if (a->elements.n != b->elements.n)
        return false;
    AstElement **x = a->elements.at, **y = b->elements.at;
    for (uint32_t i = 0; i < a->elements.n; i++) {
        if (!same_element(x[i], y[i]))
            return false;
        if (i && (x[i]->clause == x[i - 1]->clause) != (y[i]->clause == y[i - 1]->clause))
            return false;
    }
    return true;
}

/* ---- equations and statements ---- */

static bool same_eqs(AstEq *const *a, uint32_t n, AstEq *const *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_eq(a[i], b[i]))
            return false;
    return true;
}

static bool same_eq(const AstEq *a, const AstEq *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || !same_expr(a->lhs, b->lhs) || !same_expr(a->rhs, b->rhs) ||
        !same_iters(a->iters.at, a->iters.n, b->iters.at, b->iters.n) ||
        a->branches.n != b->branches.n)
        return false;
    for (uint32_t i = 0; i < a->branches.n; i++) {
        const AstEqBranch *x = &a->branches.at[i], *y = &b->branches.at[i];
        if (!same_expr(x->condition, y->condition) ||
            !same_eqs(x->body.at, x->body.n, y->body.at, y->body.n))
            return false;
    }
    return same_comment(&a->comment, &b->comment);
}

static bool same_stmts(AstStmt *const *a, uint32_t n, AstStmt *const *b, uint32_t m)
{
    if (n != m)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_stmt(a[i], b[i]))
            return false;
    return true;
}

static bool same_stmt(const AstStmt *a, const AstStmt *b)
{
    if (a->kind != b->kind || !same_expr(a->lhs, b->lhs) || !same_expr(a->rhs, b->rhs) ||
        !same_iters(a->iters.at, a->iters.n, b->iters.at, b->iters.n) ||
        a->branches.n != b->branches.n)
        return false;
    for (uint32_t i = 0; i < a->branches.n; i++) {
        const AstStmtBranch *x = &a->branches.at[i], *y = &b->branches.at[i];
        if (!same_expr(x->condition, y->condition) ||
            !same_stmts(x->body.at, x->body.n, y->body.at, y->body.n))
            return false;
    }
    return same_comment(&a->comment, &b->comment);
}

/* ---- classes ---- */

static bool same_sections(const AstClass *a, const AstClass *b)
{
    if (a->equations.n != b->equations.n || a->algorithms.n != b->algorithms.n)
        return false;
    for (uint32_t i = 0; i < a->equations.n; i++) {
        const AstEqSection *x = &a->equations.at[i], *y = &b->equations.at[i];
        if (x->initial != y->initial || !same_eqs(x->eqs.at, x->eqs.n, y->eqs.at, y->eqs.n))
            return false;
    }
    for (uint32_t i = 0; i < a->algorithms.n; i++) {
        const AstAlgSection *x = &a->algorithms.at[i], *y = &b->algorithms.at[i];
        if (x->initial != y->initial ||
            !same_stmts(x->stmts.at, x->stmts.n, y->stmts.at, y->stmts.n))
            return false;
    }
    return true;
}

static bool same_external(const AstExternal *a, const AstExternal *b)
{
    if (!a || !b)
        return a == b;
    return same_text(a->language, b->language) && same_text(a->function, b->function) &&
           same_ref(a->result, b->result) && a->has_call == b->has_call &&
           same_exprs(a->args.at, a->args.n, b->args.at, b->args.n) &&
           same_mod(a->annotation, b->annotation);
}

static bool same_literals(const AstClass *a, const AstClass *b)
{
    if (a->literals.n != b->literals.n)
        return false;
    for (uint32_t i = 0; i < a->literals.n; i++)
        if (!same_text(a->literals.at[i].name, b->literals.at[i].name) ||
            !same_comment(&a->literals.at[i].comment, &b->literals.at[i].comment))
            return false;
    return true;
}

static bool same_class(const AstClass *a, const AstClass *b)
{
    if (!a || !b)
        return a == b;
    return same_text(a->name, b->name) && a->restriction == b->restriction && a->form == b->form &&
           a->encapsulated == b->encapsulated && a->partial == b->partial && a->final == b->final &&
           a->pure == b->pure && a->impure == b->impure && same_elements(a, b) &&
           same_sections(a, b) && same_external(a->external, b->external) &&
           same_name(&a->base, &b->base) && a->base_causality == b->base_causality &&
           same_exprs(a->base_dims.at, a->base_dims.n, b->base_dims.at, b->base_dims.n) &&
           same_mod(a->base_mod, b->base_mod) && same_literals(a, b) &&
           same_names(a->der_vars.at, a->der_vars.n, b->der_vars.at, b->der_vars.n) &&
           same_comment(&a->comment, &b->comment);
}

bool ast_equal(const AstFile *a, const AstFile *b)
{
    if (a->has_within != b->has_within || !same_name(&a->within, &b->within) ||
        a->classes.n != b->classes.n)
        return false;
    for (uint32_t i = 0; i < a->classes.n; i++)
        if (!same_class(a->classes.at[i], b->classes.at[i]))
            return false;
    return true;
}

bool ast_equal_expr(const AstExpr *a, const AstExpr *b)
{
    return same_expr(a, b);
}

/* Equations solved for an unknown that occurs in them linearly, as text: new(x) + a*x = b*u. */
#include "notation/reader/tree.h"

#include <math.h>

/* e = slope*unknown + rest. A NULL slope or rest is zero; a NULL slope with `one` set is 1. */
typedef struct Line {
    AstExpr *slope, *rest;
    bool one;
    bool failed;
} Line;

typedef struct Solver {
    Tree *t;
    TreeTest *is_unknown;
    void *user;
} Solver;

static Line split(Solver *s, AstExpr *e);

static AstExpr *negated(Tree *t, AstExpr *e)
{
    if (!e)
        return NULL;
    if (e->kind == AST_UNARY && e->op == AST_OP_SUB)
        return e->args.at[0];
    return tree_unary(t, e->span, AST_OP_SUB, e);
}

static AstExpr *sum(Tree *t, AstExpr *a, AstExpr *b)
{
    if (!a || !b)
        return a ? a : b;
    if (b->kind == AST_UNARY && b->op == AST_OP_SUB)
        return tree_binary(t, AST_OP_SUB, a, b->args.at[0]);
    if (a->kind == AST_UNARY && a->op == AST_OP_SUB)
        return tree_binary(t, AST_OP_SUB, b, a->args.at[0]);
    return tree_binary(t, AST_OP_ADD, a, b);
}

static AstExpr *slope_of(Tree *t, Line a, Span span)
{
    return a.one ? tree_integer(t, span, 1) : a.slope;
}

static Line add(Solver *s, Line a, Line b, Span span)
{
    Line r = {.failed = a.failed || b.failed, .rest = sum(s->t, a.rest, b.rest)};
    bool has_a = a.one || a.slope, has_b = b.one || b.slope;
    if (has_a && has_b)
        r.slope = sum(s->t, slope_of(s->t, a, span), slope_of(s->t, b, span));
    else
        r.slope = has_a ? a.slope : b.slope, r.one = a.one || b.one;
    return r;
}

static Line minus(Solver *s, Line a, Span span)
{
    Line r = {.failed = a.failed, .rest = negated(s->t, a.rest)};
    if (a.one || a.slope)
        r.slope = negated(s->t, slope_of(s->t, a, span));
    return r;
}

/* a scaled by the operand k, by multiplication (from the left) or division. */
static Line scale(Solver *s, Line a, AstExpr *k, AstOp op)
{
    Tree *t = s->t;
    Line r = {.failed = a.failed};
    AstExpr *slope = slope_of(t, a, k->span);
    bool times = op == AST_OP_MUL;
    if (a.one && times)
        r.slope = k;
    else if (slope)
        r.slope = times ? tree_binary(t, op, k, slope) : tree_binary(t, op, slope, k);
    if (a.rest)
        r.rest = times ? tree_binary(t, op, k, a.rest) : tree_binary(t, op, a.rest, k);
    return r;
}

static Line split_binary(Solver *s, AstExpr *e)
{
    AstExpr *a = e->args.at[0], *b = e->args.at[1];
    bool in_a = tree_contains(a, s->is_unknown, s->user),
         in_b = tree_contains(b, s->is_unknown, s->user);
    switch (e->op) {
    case AST_OP_ADD: return add(s, split(s, a), split(s, b), e->span);
    case AST_OP_SUB: return add(s, split(s, a), minus(s, split(s, b), e->span), e->span);
    case AST_OP_MUL:
        if (in_a && in_b)
            break;
        return in_a ? scale(s, split(s, a), b, AST_OP_MUL) : scale(s, split(s, b), a, AST_OP_MUL);
    case AST_OP_DIV:
        if (in_b)
            break;
        return scale(s, split(s, a), b, AST_OP_DIV);
    default: break;
    }
    return (Line){.failed = true};
}

static Line split(Solver *s, AstExpr *e)
{
    if (s->is_unknown(s->user, e))
        return (Line){.one = true};
    if (!tree_contains(e, s->is_unknown, s->user))
        return (Line){.rest = e};
    if (e->kind == AST_TUPLE && e->args.n == 1)
        return split(s, e->args.at[0]);
    if (e->kind == AST_UNARY && e->op != AST_OP_NOT) {
        Line a = split(s, e->args.at[0]);
        return e->op == AST_OP_SUB ? minus(s, a, e->span) : a;
    }
    return e->kind == AST_BINARY ? split_binary(s, e) : (Line){.failed = true};
}

static bool is_zero(const AstExpr *e)
{
    return (e->kind == AST_INT || e->kind == AST_REAL) && e->real == 0;
}

/* The value of a number, or of numbers joined by + - * /; NAN for all else. `size`: each counts
 * with its absolute value, also where it is subtracted. */
static double number(const AstExpr *e, bool size)
{
    double a = e->args.n ? number(e->args.at[0], size) : NAN;
    if (e->kind == AST_INT || e->kind == AST_REAL)
        return e->real;
    if (e->kind == AST_TUPLE && e->args.n == 1)
        return a;
    if (e->kind == AST_UNARY && e->op == AST_OP_SUB)
        return size ? a : -a;
    if (e->kind != AST_BINARY)
        return NAN;
    double b = number(e->args.at[1], size);
    switch (e->op) {
    case AST_OP_ADD: return a + b;
    case AST_OP_SUB: return size ? a + b : a - b;
    case AST_OP_MUL: return a * b;
    case AST_OP_DIV: return a / b;
    default: return NAN;
    }
}

/* Whether the unknown cancels, up to rounding, as far as numbers tell. */
static bool cancels(const AstExpr *slope)
{
    return slope && fabs(number(slope, false)) <= 1e-14 * number(slope, true);
}

AstExpr *tree_solve(Tree *t, AstExpr *lhs, AstExpr *rhs, TreeTest *is_unknown, void *user)
{
    Solver s = {t, is_unknown, user};
    if (is_unknown(user, lhs) && !tree_contains(rhs, is_unknown, user))
        return rhs;
    if (is_unknown(user, rhs) && !tree_contains(lhs, is_unknown, user))
        return lhs;
    Line a = split(&s, lhs), b = split(&s, rhs);
    b.rest = b.rest && is_zero(b.rest) ? NULL : b.rest;
    a.rest = a.rest && is_zero(a.rest) ? NULL : a.rest;
    Line moved =
        add(&s, a, minus(&s, (Line){.slope = b.slope, .one = b.one}, lhs->span), lhs->span);
    AstExpr *rest = sum(t, b.rest, negated(t, a.rest));
    if (a.failed || b.failed || !(moved.one || moved.slope) || cancels(moved.slope))
        return NULL;
    if (!rest)
        return tree_integer(t, lhs->span, 0);
    return moved.one ? rest : tree_binary(t, AST_OP_DIV, rest, moved.slope);
}

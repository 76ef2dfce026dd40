/* Builders of syntax trees. */
#include "notation/reader/tree.h"

#include <stdio.h>
#include <stdlib.h>

static AstExpr *node(Tree *t, AstExprKind kind, Span span)
{
    AstExpr *e = ARENA_NEW(t->arena, AstExpr);
    e->kind = kind;
    e->span = span;
    return e;
}

static void set_args(Tree *t, AstExpr *e, AstExpr *const *args, uint32_t n)
{
    e->args.at = ARENA_ARRAY(t->arena, AstExpr *, n ? n : 1);
    e->args.n = n;
    for (uint32_t i = 0; i < n; i++)
        e->args.at[i] = args[i];
}

/* ---- leaves ---- */

static AstRef *reference(Tree *t, Span span, Name first, Name second)
{
    AstRef *ref = ARENA_NEW(t->arena, AstRef);
    ref->n = second ? 2 : 1;
    ref->parts = ARENA_ARRAY(t->arena, AstRefPart, ref->n);
    ref->parts[0] = (AstRefPart){.name = first, .span = span};
    if (second)
        ref->parts[1] = (AstRefPart){.name = second, .span = span};
    ref->span = span;
    return ref;
}

AstExpr *tree_ref(Tree *t, Span span, Name name)
{
    return tree_member(t, span, NULL, name);
}

AstExpr *tree_member(Tree *t, Span span, Name component, Name name)
{
    AstExpr *e = node(t, AST_REF, span);
    e->ref = component ? reference(t, span, component, name) : reference(t, span, name, NULL);
    return e;
}

AstExpr *tree_integer(Tree *t, Span span, int64_t value)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%lld", (long long)value);
    return tree_number(t, span, text, (uint32_t)n);
}

AstExpr *tree_number(Tree *t, Span span, const char *text, uint32_t n)
{
    char *copy = arena_copy(t->arena, text, n);
    bool integer = !strpbrk(copy, ".eE");
    AstExpr *e = node(t, integer ? AST_INT : AST_REAL, span);
    e->text = name_intern(t->ctx->names, copy, n);
    e->real = strtod(copy, NULL);
    e->integer = integer ? strtoll(copy, NULL, 10) : 0;
    return e;
}

AstExpr *tree_bool(Tree *t, Span span, bool value)
{
    AstExpr *e = node(t, AST_BOOL, span);
    e->boolean = value;
    return e;
}

AstExpr *tree_string(Tree *t, Span span, const char *text, uint32_t n)
{
    AstExpr *e = node(t, AST_STRING, span);
    e->string = arena_copy(t->arena, text, n);
    e->string_size = n;
    return e;
}

/* ---- operations ---- */

/* Levels of Modelica's grammar, from loose to tight. */
enum { OPEN, RANGE, OR, AND, NOT, RELATION, SUM, TERM, FACTOR, PRIMARY };

static int level_of_operator(AstOp op)
{
    return op == AST_OP_OR     ? OR
           : op == AST_OP_AND  ? AND
           : op == AST_OP_NOT  ? NOT
           : op <= AST_OP_NE   ? RELATION
           : op <= AST_OP_ESUB ? SUM
           : op <= AST_OP_EDIV ? TERM
                               : FACTOR;
}

static int level_of(const AstExpr *e)
{
    switch (e->kind) {
    case AST_IF: return OPEN;
    case AST_RANGE: return RANGE;
    case AST_UNARY:
    case AST_BINARY: return level_of_operator(e->op);
    default: return PRIMARY;
    }
}

AstExpr *tree_brackets(Tree *t, AstExpr *e)
{
    if (level_of(e) == PRIMARY)
        return e;
    AstExpr *tuple = node(t, AST_TUPLE, e->span);
    set_args(t, tuple, &e, 1);
    return tuple;
}

static AstExpr *at_level(Tree *t, AstExpr *e, int level)
{
    return level_of(e) >= level ? e : tree_brackets(t, e);
}

AstExpr *tree_unary(Tree *t, Span span, AstOp op, AstExpr *a)
{
    AstExpr *e = node(t, AST_UNARY, span);
    AstExpr *operand = at_level(t, a, op == AST_OP_NOT ? RELATION : TERM);
    e->op = op;
    set_args(t, e, &operand, 1);
    return e;
}

AstExpr *tree_binary(Tree *t, AstOp op, AstExpr *a, AstExpr *b)
{
    int level = level_of_operator(op);
    bool associates = level != RELATION && level != FACTOR;
    AstExpr *e = node(t, AST_BINARY, span_join(a->span, b->span));
    AstExpr *args[] = {at_level(t, a, associates ? level : level + 1), at_level(t, b, level + 1)};
    if (e->span.end < e->span.at)
        e->span = a->span;
    e->op = op;
    set_args(t, e, args, 2);
    return e;
}

AstExpr *tree_if(Tree *t, Span span, AstExpr *condition, AstExpr *then, AstExpr *otherwise)
{
    AstExpr *e = node(t, AST_IF, span);
    AstExpr *args[] = {condition, then, otherwise};
    set_args(t, e, args, 3);
    return e;
}

AstExpr *tree_call(Tree *t, Span span, const char *function, AstExpr *const *args, uint32_t n)
{
    AstExpr *e = node(t, AST_CALL, span);
    e->ref = reference(t, span, name_of(t->ctx->names, function), NULL);
    set_args(t, e, args, n);
    return e;
}

AstExpr *tree_call1(Tree *t, Span span, const char *function, AstExpr *arg)
{
    return tree_call(t, span, function, &arg, 1);
}

AstExpr *tree_list(Tree *t, Span span, AstExprKind kind, AstExpr *const *args, uint32_t n)
{
    AstExpr *e = node(t, kind, span);
    set_args(t, e, args, n);
    return e;
}

/* ---- the kind of a node ---- */

Name tree_plain_name(const AstExpr *e)
{
    return e && e->kind == AST_REF && e->ref->n == 1 && !e->ref->absolute &&
                   !e->ref->parts[0].subs.n
               ? e->ref->parts[0].name
               : NULL;
}

bool tree_is_call(const AstExpr *e, const char *function)
{
    return e->kind == AST_CALL && e->ref->n == 1 && !strcmp(e->ref->parts[0].name, function);
}

AstExpr *tree_argument(const AstExpr *e, const char *function)
{
    return tree_is_call(e, function) && e->args.n == 1 ? e->args.at[0] : NULL;
}

bool tree_contains(const AstExpr *e, TreeTest *test, void *user)
{
    if (test(user, e))
        return true;
    for (uint32_t i = 0; i < e->args.n; i++)
        if (e->args.at[i] && tree_contains(e->args.at[i], test, user))
            return true;
    if (e->kind != AST_REF && e->kind != AST_CALL)
        return false;
    for (uint32_t k = 0; k < e->ref->n; k++)
        for (uint32_t i = 0; i < e->ref->parts[k].subs.n; i++)
            if (tree_contains(e->ref->parts[k].subs.at[i], test, user))
                return true;
    return false;
}

static void rewrite_subscripts(Tree *t, AstRef *ref, TreeVisit *visit, void *user)
{
    for (uint32_t k = 0; k < ref->n; k++)
        for (uint32_t i = 0; i < ref->parts[k].subs.n; i++)
            ref->parts[k].subs.at[i] = tree_rewrite(t, ref->parts[k].subs.at[i], visit, user);
}

/* An operand that binds less tightly than its place requires gets brackets. */
static AstExpr *fit(Tree *t, const AstExpr *parent, uint32_t i, AstExpr *old, AstExpr *e)
{
    bool operand =
        parent->kind == AST_BINARY || parent->kind == AST_UNARY || parent->kind == AST_RANGE;
    (void)i;
    return operand && level_of(e) < level_of(old) ? tree_brackets(t, e) : e;
}

AstExpr *tree_rewrite(Tree *t, AstExpr *e, TreeVisit *visit, void *user)
{
    for (uint32_t i = 0; i < e->args.n; i++)
        if (e->args.at[i])
            e->args.at[i] =
                fit(t, e, i, e->args.at[i], tree_rewrite(t, e->args.at[i], visit, user));
    for (uint32_t i = 0; i < e->named.n; i++)
        e->named.at[i].value = tree_rewrite(t, e->named.at[i].value, visit, user);
    if (e->kind == AST_REF || e->kind == AST_CALL)
        rewrite_subscripts(t, e->ref, visit, user);
    AstExpr *other = visit(user, e);
    return other ? other : e;
}

/* ---- classes ---- */

AstFile *tree_file(uint32_t source)
{
    Arena *arena = arena_new();
    AstFile *file = ARENA_NEW(arena, AstFile);
    file->arena = arena;
    file->source = source;
    return file;
}

AstClass *tree_class(Tree *t, Span span, AstRestriction restriction, Name name)
{
    AstClass *c = ARENA_NEW(t->arena, AstClass);
    c->name = name;
    c->restriction = restriction;
    c->form = AST_LONG;
    c->span = c->name_span = span;
    return c;
}

static AstName one_name(Tree *t, Span span, Name name)
{
    AstName n = {.parts = ARENA_NEW(t->arena, Name), .n = 1, .span = span};
    n.parts[0] = name;
    return n;
}

AstElement *tree_component(Tree *t, Span span, const char *type, Name name)
{
    AstElement *e = ARENA_NEW(t->arena, AstElement);
    e->kind = AST_EL_COMPONENT;
    e->span = span;
    e->name = name;
    e->type = one_name(t, span, name_of(t->ctx->names, type));
    e->clause = ++t->clause;
    return e;
}

AstElement *tree_extends(Tree *t, Span span, Name base)
{
    AstElement *e = ARENA_NEW(t->arena, AstElement);
    e->kind = AST_EL_EXTENDS;
    e->span = span;
    e->type = one_name(t, span, base);
    return e;
}

static AstMod *new_mod(Tree *t, Span span)
{
    AstMod *m = ARENA_NEW(t->arena, AstMod);
    m->span = span;
    return m;
}

static AstMod *modification(Tree *t, AstElement *e)
{
    if (!e->mod)
        e->mod = new_mod(t, e->span);
    return e->mod;
}

static AstMod *add_argument(Tree *t, AstMod *m, Name name, Span span)
{
    AstArg *args = ARENA_ARRAY(t->arena, AstArg, m->args.n + 1);
    for (uint32_t i = 0; i < m->args.n; i++)
        args[i] = m->args.at[i];
    AstMod *inner = new_mod(t, span);
    args[m->args.n] = (AstArg){.name = one_name(t, span, name), .mod = inner, .span = span};
    m->args.at = args;
    m->args.n++;
    m->has_args = true;
    return inner;
}

void tree_modify(Tree *t, AstElement *e, Name name, AstExpr *value, Span span)
{
    add_argument(t, modification(t, e), name, span)->value = value;
}

void tree_modify_part(Tree *t, AstElement *e, const Name *path, uint32_t n, AstExpr *value,
                      bool each, Span span)
{
    AstMod *m = modification(t, e);
    for (uint32_t i = 0; i < n; i++) {
        AstMod *inner = NULL;
        for (uint32_t k = 0; k < m->args.n && i + 1 < n; k++)
            if (m->args.at[k].name.n == 1 && m->args.at[k].name.parts[0] == path[i])
                inner = m->args.at[k].mod;
        AstMod *outer = m;
        m = inner ? inner : add_argument(t, m, path[i], span);
        if (i + 1 == n)
            outer->args.at[outer->args.n - 1].each = each;
    }
    m->value = value;
}

void tree_waive_balance(Tree *t, AstClass *c)
{
    Names *names = t->ctx->names;
    AstMod *m = c->comment.annotation = new_mod(t, c->span);
    c->comment.span = c->span;
    AstMod *own = add_argument(t, m, name_of(names, "__Kairos"), c->span);
    add_argument(t, own, name_of(names, "balanced"), c->span)->value = tree_bool(t, c->span, false);
}

void tree_hide(Tree *t, AstElement *e)
{
    AstMod *m = e->comment.annotation = new_mod(t, e->span);
    e->comment.span = e->span;
    add_argument(t, m, name_of(t->ctx->names, "HideResult"), e->span)->value =
        tree_bool(t, e->span, true);
}

void tree_bind(Tree *t, AstElement *e, AstExpr *value)
{
    modification(t, e)->value = value;
}

static AstEq *new_equation(Tree *t, Span span, AstEqKind kind, AstExpr *lhs, AstExpr *rhs)
{
    AstEq *eq = ARENA_NEW(t->arena, AstEq);
    eq->kind = kind;
    eq->span = span;
    eq->lhs = lhs;
    eq->rhs = rhs;
    return eq;
}

AstEq *tree_equation(Tree *t, Span span, AstExpr *lhs, AstExpr *rhs)
{
    return new_equation(t, span, AST_EQ_SIMPLE, at_level(t, lhs, RANGE), rhs);
}

AstEq *tree_connect(Tree *t, Span span, AstExpr *a, AstExpr *b)
{
    return new_equation(t, span, AST_EQ_CONNECT, a, b);
}

AstEq *tree_call_equation(Tree *t, Span span, AstExpr *call)
{
    return new_equation(t, span, AST_EQ_CALL, call, NULL);
}

static AstEq *block_equation(Tree *t, Span span, AstEqKind kind, AstExpr *condition, EqList *body)
{
    AstEq *eq = new_equation(t, span, kind, NULL, NULL);
    eq->branches.at = ARENA_NEW(t->arena, AstEqBranch);
    eq->branches.n = 1;
    eq->branches.at->condition = condition;
    eq->branches.at->span = span;
    tree_keep(t, eq->branches.at->body, body);
    return eq;
}

static AstIter *up_to(Tree *t, Span span, Name name, AstExpr *last)
{
    AstExpr *range[] = {tree_integer(t, span, 1), last};
    AstIter *iter = ARENA_NEW(t->arena, AstIter);
    *iter = (AstIter){.name = name, .range = tree_list(t, span, AST_RANGE, range, 2), .span = span};
    return iter;
}

AstEq *tree_for(Tree *t, Span span, Name name, AstExpr *last, EqList *body)
{
    AstEq *eq = block_equation(t, span, AST_EQ_FOR, NULL, body);
    eq->iters.at = up_to(t, span, name, last);
    eq->iters.n = 1;
    return eq;
}

AstEq *tree_when(Tree *t, Span span, AstExpr *condition, EqList *body)
{
    return block_equation(t, span, AST_EQ_WHEN, condition, body);
}

AstExpr *tree_comprehension(Tree *t, Span span, AstExpr *e, Name name, AstExpr *last)
{
    AstExpr *made = tree_list(t, span, AST_ARRAY, &e, 1);
    made->iters.at = up_to(t, span, name, last);
    made->iters.n = 1;
    return made;
}

AstExpr *tree_size(Tree *t, Span span, AstExpr *array, uint32_t dim)
{
    AstExpr *args[] = {array, tree_integer(t, span, dim)};
    return tree_call(t, span, "size", args, 2);
}

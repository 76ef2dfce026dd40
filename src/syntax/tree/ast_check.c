/* The contract of the tree as code: the children of each kind of node, and operands that need no
 * further brackets when printed. */
#include "syntax/tree/ast.h"

typedef struct Checker {
    Arena *arena;
    const char *breach; /* the first one; NULL so far */
    uint32_t file;
} Checker;

static void check_expr(Checker *k, const AstExpr *e, unsigned level);
static void check_mod(Checker *k, const AstMod *m);
static void check_class(Checker *k, const AstClass *c);
static void check_element(Checker *k, const AstElement *e);
static void check_eq(Checker *k, const AstEq *eq);

static void breach(Checker *k, Span span, const char *what)
{
    if (!k->breach)
        k->breach = arena_printf(k->arena, "bytes %u to %u: %s", span.at, span.end, what);
}

static void require(Checker *k, bool holds, Span span, const char *what)
{
    if (!holds)
        breach(k, span, what);
}

static void check_span(Checker *k, Span span)
{
    require(k, span.file == k->file && span.at <= span.end, span, "a span of another file");
}

/* ---- expressions ---- */

/* Levels of the grammar, from loose to tight. */
enum {
    LEVEL_EXPRESSION,
    LEVEL_SIMPLE,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_ARITHMETIC,
    LEVEL_TERM,
    LEVEL_FACTOR,
    LEVEL_PRIMARY,
    LEVEL_ARGUMENT, /* only as a requirement: an expression or a partial application */
    LEVEL_SUBSCRIPT /* only as a requirement: an expression or ":" */
};

static unsigned level_of_operator(AstOp op)
{
    return op == AST_OP_OR     ? LEVEL_OR
           : op == AST_OP_AND  ? LEVEL_AND
           : op == AST_OP_NOT  ? LEVEL_NOT
           : op <= AST_OP_NE   ? LEVEL_RELATION
           : op <= AST_OP_ESUB ? LEVEL_ARITHMETIC
           : op <= AST_OP_EDIV ? LEVEL_TERM
                               : LEVEL_FACTOR;
}

static unsigned level_of(const AstExpr *e)
{
    switch (e->kind) {
    case AST_IF: return LEVEL_EXPRESSION;
    case AST_RANGE: return LEVEL_SIMPLE;
    case AST_UNARY:
    case AST_BINARY: return level_of_operator(e->op);
    default: return LEVEL_PRIMARY;
    }
}

static bool associates(AstOp op)
{
    unsigned level = level_of_operator(op);
    return level != LEVEL_RELATION && level != LEVEL_FACTOR;
}

static void check_exprs(Checker *k, AstExpr *const *at, uint32_t n, unsigned level)
{
    for (uint32_t i = 0; i < n; i++)
        check_expr(k, at[i], level);
}

static void check_iters(Checker *k, const AstIter *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        require(k, at[i].name != NULL, at[i].span, "an index without a name");
        if (at[i].range)
            check_expr(k, at[i].range, LEVEL_EXPRESSION);
    }
}

static void check_ref(Checker *k, const AstRef *r, Span span)
{
    require(k, r && r->n, span, "an empty reference");
    for (uint32_t i = 0; r && i < r->n; i++) {
        require(k, r->parts[i].name != NULL, r->span, "a reference with a part that has no name");
        check_exprs(k, r->parts[i].subs.at, r->parts[i].subs.n, LEVEL_SUBSCRIPT);
    }
}

static void check_name(Checker *k, const AstName *n)
{
    require(k, n->n > 0, n->span, "an empty name");
    for (uint32_t i = 0; i < n->n; i++)
        require(k, n->parts[i] != NULL, n->span, "a name with an empty part");
}

static void check_call(Checker *k, const AstExpr *e)
{
    check_ref(k, e->ref, e->span);
    check_exprs(k, e->args.at, e->args.n, LEVEL_ARGUMENT);
    require(k, e->kind == AST_CALL || !e->args.n, e->span,
            "a partial application with positional arguments");
    require(k, !e->iters.n || (e->args.n == 1 && !e->named.n), e->span,
            "a comprehension of several arguments");
    for (uint32_t i = 0; i < e->named.n; i++) {
        require(k, e->named.at[i].name != NULL, e->span, "a named argument without its name");
        check_expr(k, e->named.at[i].value, LEVEL_ARGUMENT);
    }
}

static void check_tuple(Checker *k, const AstExpr *e)
{
    for (uint32_t i = 0; i < e->args.n; i++)
        if (e->args.at[i])
            check_expr(k, e->args.at[i], LEVEL_EXPRESSION);
}

static void check_part(Checker *k, const AstExpr *e)
{
    const AstExpr *of = e->args.n ? e->args.at[0] : NULL;
    require(k, of && (of->kind == AST_TUPLE || of->kind == AST_FIELD || of->kind == AST_ELEMENT),
            e->span, "a part of an expression without brackets");
    require(k, e->kind == AST_FIELD ? e->text && e->args.n == 1 : e->args.n > 1, e->span,
            "a part of a wrong shape");
    check_exprs(k, e->args.at, e->args.n, LEVEL_SUBSCRIPT);
}

static void check_matrix(Checker *k, const AstExpr *e)
{
    require(k, e->args.n > 0, e->span, "a matrix without rows");
    for (uint32_t i = 0; i < e->args.n; i++) {
        const AstExpr *row = e->args.at[i];
        require(k, row && row->kind == AST_ARRAY && row->args.n && !row->iters.n, e->span,
                "a row that is not a list");
        if (row)
            check_exprs(k, row->args.at, row->args.n, LEVEL_EXPRESSION);
    }
}

/* Anything but AST_BINARY. */
static void check_operand(Checker *k, const AstExpr *e)
{
    uint32_t n = e->args.n;
    switch (e->kind) {
    case AST_REAL:
    case AST_INT: require(k, e->text != NULL, e->span, "a number without its text"); break;
    case AST_STRING:
        require(k, e->string && strlen(e->string) == e->string_size, e->span, "a bad string");
        break;
    case AST_REF: check_ref(k, e->ref, e->span); break;
    case AST_UNARY:
        require(k, n == 1, e->span, "a unary operation without its operand");
        check_exprs(k, e->args.at, n, e->op == AST_OP_NOT ? LEVEL_RELATION : LEVEL_TERM);
        break;
    case AST_IF:
        require(k, n >= 3 && n % 2 == 1, e->span, "an if-expression with a wrong number of parts");
        check_exprs(k, e->args.at, n, LEVEL_EXPRESSION);
        break;
    case AST_CALL:
    case AST_PARTIAL: check_call(k, e); break;
    case AST_ARRAY:
        require(k, n > 0 && (!e->iters.n || n == 1), e->span,
                "an array constructor of a wrong shape");
        check_exprs(k, e->args.at, n, LEVEL_EXPRESSION);
        break;
    case AST_MATRIX: check_matrix(k, e); break;
    case AST_RANGE:
        require(k, n == 2 || n == 3, e->span, "a range with a wrong number of parts");
        check_exprs(k, e->args.at, n, LEVEL_OR);
        break;
    case AST_TUPLE: check_tuple(k, e); break;
    case AST_FIELD:
    case AST_ELEMENT: check_part(k, e); break;
    default: break;
    }
    check_iters(k, e->iters.at, e->iters.n);
}

static bool fits(const AstExpr *e, unsigned level)
{
    if (e->kind == AST_PARTIAL)
        return level == LEVEL_ARGUMENT;
    if (e->kind == AST_COLON)
        return level == LEVEL_SUBSCRIPT;
    return level >= LEVEL_ARGUMENT || level_of(e) >= level;
}

/* `level` is the loosest that fits. Follows the left operands of chains in a loop. */
static void check_expr(Checker *k, const AstExpr *e, unsigned level)
{
    while (e && e->kind == AST_BINARY) {
        check_span(k, e->span);
        require(k, fits(e, level), e->span, "an operand that binds too loosely");
        unsigned own = level_of_operator(e->op);
        if (e->args.n != 2) {
            breach(k, e->span, "a binary operation without two operands");
            return;
        }
        check_expr(k, e->args.at[1], own == LEVEL_RELATION ? LEVEL_ARITHMETIC : own + 1);
        level = associates(e->op) ? own : own + 1;
        e = e->args.at[0];
    }
    if (!e) {
        breach(k, (Span){0}, "a missing expression");
        return;
    }
    check_span(k, e->span);
    require(k, fits(e, level), e->span, "an operand that binds too loosely");
    check_operand(k, e);
}

/* ---- modifications and elements ---- */

static void check_comment(Checker *k, const AstComment *c)
{
    if (c->annotation)
        check_mod(k, c->annotation);
}

static void check_arg(Checker *k, const AstArg *a)
{
    check_span(k, a->span);
    if (a->broken_connect) {
        require(k, a->is_break && a->broken_connect->kind == AST_EQ_CONNECT, a->span,
                "'break' without a connection");
        check_eq(k, a->broken_connect);
        return;
    }
    check_name(k, &a->name);
    if (a->element) {
        require(k, (a->redeclare || a->replaceable) && !a->mod, a->span,
                "an element that is not redeclared");
        require(k, a->name.n == 1 && a->name.parts[0] == a->element->name, a->span,
                "an argument of another name");
        check_element(k, a->element);
    }
    if (a->mod)
        check_mod(k, a->mod);
    check_comment(k, &a->comment);
}

static void check_mod(Checker *k, const AstMod *m)
{
    check_span(k, m->span);
    require(k, m->has_args || !m->args.n, m->span, "arguments without their brackets");
    require(k, m->has_args || m->is_break || m->value, m->span, "an empty modification");
    require(k, !m->is_break || !m->value, m->span, "'break' with a value");
    for (uint32_t i = 0; i < m->args.n; i++)
        check_arg(k, &m->args.at[i]);
    if (m->value)
        check_expr(k, m->value, LEVEL_EXPRESSION);
}

static void check_component(Checker *k, const AstElement *e)
{
    check_name(k, &e->type);
    require(k, e->name && e->clause, e->span, "a component without a name or a clause");
    check_exprs(k, e->type_dims.at, e->type_dims.n, LEVEL_SUBSCRIPT);
    check_exprs(k, e->dims.at, e->dims.n, LEVEL_SUBSCRIPT);
    if (e->condition)
        check_expr(k, e->condition, LEVEL_EXPRESSION);
}

static void check_element(Checker *k, const AstElement *e)
{
    check_span(k, e->span);
    switch (e->kind) {
    case AST_EL_IMPORT:
        check_name(k, &e->type);
        require(k, e->import_all + (e->import_list.n > 0) + (e->name != NULL) <= 1, e->span,
                "an import of two kinds");
        break;
    case AST_EL_EXTENDS: check_name(k, &e->type); break;
    case AST_EL_CLASS:
        require(k, e->class_ && e->class_->name == e->name, e->span,
                "a class element without its class");
        if (e->class_)
            check_class(k, e->class_);
        break;
    case AST_EL_COMPONENT: check_component(k, e); break;
    }
    if (e->mod)
        check_mod(k, e->mod);
    if (e->constrained_by.n)
        check_name(k, &e->constrained_by);
    if (e->constraint_mod)
        check_mod(k, e->constraint_mod);
    check_comment(k, &e->comment);
    check_comment(k, &e->constraint_comment);
}

/* ---- equations and statements ---- */

static void check_eqs(Checker *k, AstEq *const *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        check_eq(k, at[i]);
}

/* Every branch has a condition, except a "for" and, optionally, the last branch of an "if". */
static bool branch_fits(bool condition, uint32_t i, uint32_t n, bool is_for, bool is_if)
{
    return is_for ? n == 1 && !condition : condition || (is_if && i && i + 1 == n);
}

static void check_eq_branches(Checker *k, const AstEq *eq)
{
    uint32_t n = eq->branches.n;
    require(k, n > 0, eq->span, "a clause without a body");
    for (uint32_t i = 0; i < n; i++) {
        const AstEqBranch *b = &eq->branches.at[i];
        require(k, branch_fits(b->condition, i, n, eq->kind == AST_EQ_FOR, eq->kind == AST_EQ_IF),
                b->span, "a branch with a wrong condition");
        if (b->condition)
            check_expr(k, b->condition, LEVEL_EXPRESSION);
        check_eqs(k, b->body.at, b->body.n);
    }
}

static void check_eq(Checker *k, const AstEq *eq)
{
    check_span(k, eq->span);
    switch (eq->kind) {
    case AST_EQ_SIMPLE:
        check_expr(k, eq->lhs, LEVEL_SIMPLE);
        check_expr(k, eq->rhs, LEVEL_EXPRESSION);
        break;
    case AST_EQ_CALL:
        check_expr(k, eq->lhs, LEVEL_PRIMARY);
        require(k, eq->lhs && eq->lhs->kind == AST_CALL && !eq->rhs, eq->span,
                "a call that is none");
        break;
    case AST_EQ_CONNECT:
        require(k, eq->lhs && eq->lhs->kind == AST_REF && eq->rhs && eq->rhs->kind == AST_REF,
                eq->span, "a connection without its connectors");
        break;
    default:
        check_iters(k, eq->iters.at, eq->iters.n);
        check_eq_branches(k, eq);
        break;
    }
    check_comment(k, &eq->comment);
}

static void check_stmt(Checker *k, const AstStmt *s);

static void check_stmts(Checker *k, AstStmt *const *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        check_stmt(k, at[i]);
}

static void check_st_branches(Checker *k, const AstStmt *s)
{
    uint32_t n = s->branches.n;
    require(k, n > 0, s->span, "a clause without a body");
    for (uint32_t i = 0; i < n; i++) {
        const AstStmtBranch *b = &s->branches.at[i];
        require(k, branch_fits(b->condition, i, n, s->kind == AST_ST_FOR, s->kind == AST_ST_IF),
                b->span, "a branch with a wrong condition");
        if (b->condition)
            check_expr(k, b->condition, LEVEL_EXPRESSION);
        check_stmts(k, b->body.at, b->body.n);
    }
}

static void check_assignment(Checker *k, const AstStmt *s)
{
    check_expr(k, s->lhs, LEVEL_PRIMARY);
    check_expr(k, s->rhs, LEVEL_EXPRESSION);
    if (!s->lhs || !s->rhs)
        return;
    require(k, s->lhs->kind == AST_REF || (s->lhs->kind == AST_TUPLE && s->rhs->kind == AST_CALL),
            s->span, "an assignment to what is neither a reference nor a list");
}

static void check_stmt(Checker *k, const AstStmt *s)
{
    check_span(k, s->span);
    switch (s->kind) {
    case AST_ST_ASSIGN: check_assignment(k, s); break;
    case AST_ST_CALL:
        check_expr(k, s->rhs, LEVEL_PRIMARY);
        require(k, s->rhs && s->rhs->kind == AST_CALL && !s->lhs, s->span, "a call that is none");
        break;
    case AST_ST_BREAK:
    case AST_ST_RETURN: break;
    default:
        check_iters(k, s->iters.at, s->iters.n);
        check_st_branches(k, s);
        break;
    }
    check_comment(k, &s->comment);
}

/* ---- classes ---- */

static void check_external(Checker *k, const AstExternal *x)
{
    require(k, x->language != NULL, x->span, "an external function without a language");
    require(k, !x->has_call || x->function, x->span, "an external call without a name");
    if (x->result)
        check_ref(k, x->result, x->span);
    check_exprs(k, x->args.at, x->args.n, LEVEL_EXPRESSION);
    if (x->annotation)
        check_mod(k, x->annotation);
}

static void check_body(Checker *k, const AstClass *c)
{
    for (uint32_t i = 0; i < c->elements.n; i++)
        check_element(k, c->elements.at[i]);
    for (uint32_t i = 0; i < c->equations.n; i++)
        check_eqs(k, c->equations.at[i].eqs.at, c->equations.at[i].eqs.n);
    for (uint32_t i = 0; i < c->algorithms.n; i++)
        check_stmts(k, c->algorithms.at[i].stmts.at, c->algorithms.at[i].stmts.n);
    if (c->external)
        check_external(k, c->external);
}

static void check_class(Checker *k, const AstClass *c)
{
    check_span(k, c->span);
    require(k, c->name != NULL, c->span, "a class without a name");
    require(k, !(c->pure && c->impure), c->span, "a function both pure and impure");
    if (c->form == AST_SHORT || c->form == AST_DER_CLASS)
        check_name(k, &c->base);
    require(k, (c->form == AST_DER_CLASS) == (c->der_vars.n > 0), c->span,
            "variables of no derivative");
    require(k, c->form == AST_ENUMERATION || !c->literals.n, c->span, "literals of no enumeration");
    for (uint32_t i = 0; i < c->literals.n; i++) {
        require(k, c->literals.at[i].name != NULL, c->span, "a literal without a name");
        check_comment(k, &c->literals.at[i].comment);
    }
    check_exprs(k, c->base_dims.at, c->base_dims.n, LEVEL_SUBSCRIPT);
    if (c->base_mod)
        check_mod(k, c->base_mod);
    check_body(k, c);
    check_comment(k, &c->comment);
}

const char *ast_check(const AstFile *file, Arena *arena)
{
    Checker k = {.arena = arena, .file = file->source};
    for (uint32_t i = 0; i < file->classes.n && !k.breach; i++)
        check_class(&k, file->classes.at[i]);
    return k.breach;
}

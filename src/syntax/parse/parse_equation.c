/* Equations (Modelica 3.6, A.2.6). */
#include "syntax/parse/parser.h"

static void equation_list(Parser *p, AstEq ***at, uint32_t *n);

/* ---- clauses with bodies ---- */

static void push_branch(Parser *p, AstEqBranch *branch, uint32_t at)
{
    equation_list(p, &branch->body.at, &branch->body.n);
    branch->span = span_since(p, at);
    list_push(&p->items, *branch);
}

/* ( "if" | "elseif" | "when" | "elsewhen" ) expression "then" { equation ";" } */
static void conditional_branch(Parser *p, const char *context)
{
    uint32_t at = p->tok.at;
    AstEqBranch branch = {0};
    next(p);
    branch.condition = parse_condition(p);
    expect_word(p, TOK_THEN, context);
    if (in_panic(p))
        synchronize_head(p, TOK_THEN, at);
    push_branch(p, &branch, at);
}

/* if-equation = "if" expression "then" { equation ";" } { "elseif" expression "then" { equation ";"
 * } } [ "else" { equation ";" } ] "end" "if" */
static void if_equation(Parser *p, AstEq *eq)
{
    eq->kind = AST_EQ_IF;
    size_t mark = list_open(&p->items);
    do
        conditional_branch(p, "after the condition of 'if'");
    while (p->tok.kind == TOK_ELSEIF);
    uint32_t at = p->tok.at;
    if (accept(p, TOK_ELSE)) {
        AstEqBranch branch = {0};
        push_branch(p, &branch, at);
    }
    list_close(p, &p->items, mark, eq->branches);
    parse_block_end(p);
}

/* when-equation = "when" expression "then" { equation ";" } { "elsewhen" expression "then" {
 * equation ";" } } "end" "when" */
static void when_equation(Parser *p, AstEq *eq)
{
    eq->kind = AST_EQ_WHEN;
    size_t mark = list_open(&p->items);
    do
        conditional_branch(p, "after the condition of 'when'");
    while (p->tok.kind == TOK_ELSEWHEN);
    list_close(p, &p->items, mark, eq->branches);
    parse_block_end(p);
}

/* for-equation = "for" for-indices "loop" { equation ";" } "end" "for" */
static void for_equation(Parser *p, AstEq *eq)
{
    uint32_t at = p->tok.at;
    eq->kind = AST_EQ_FOR;
    next(p);
    eq->iters.at = parse_for_indices(p, &eq->iters.n);
    expect_word(p, TOK_LOOP, "after the indices of 'for'");
    if (in_panic(p))
        synchronize_head(p, TOK_LOOP, at);
    size_t mark = list_open(&p->items);
    AstEqBranch branch = {0};
    push_branch(p, &branch, at);
    list_close(p, &p->items, mark, eq->branches);
    parse_block_end(p);
}

/* ---- simple equations ---- */

/* connect-equation = "connect" "(" component-reference "," component-reference ")" */
AstEq *parse_connect(Parser *p)
{
    uint32_t at = p->tok.at;
    AstEq *eq = ARENA_NEW(p->arena, AstEq);
    eq->kind = AST_EQ_CONNECT;
    next(p);
    if (expect_token(p, TOK_LPAREN, "after 'connect'")) {
        eq->lhs = parse_plain_reference(p);
        expect_token(p, TOK_COMMA, "between the connectors");
        eq->rhs = parse_plain_reference(p);
        expect_token(p, TOK_RPAREN, "after the second connector");
    }
    eq->span = span_since(p, at);
    return eq;
}

/* The "==" between the operands of e. */
static Span place_of_equality(const Parser *p, const AstExpr *e)
{
    Span span = {p->lexer.file, e->args.at[0]->span.end, e->args.at[1]->span.at};
    while (span.at + 2 < span.end && strncmp(p->lexer.text + span.at, "==", 2))
        span.at++;
    span.end = span.at + 2;
    return span;
}

/* A call by component-reference, not of "der", "initial" or "pure". */
static bool is_function_call(const Parser *p, const AstExpr *e)
{
    if (e->kind != AST_CALL)
        return false;
    Names *names = p->ctx->names;
    Name first = e->ref->parts[0].name;
    return first != name_of(names, "der") && first != name_of(names, "initial") &&
           first != name_of(names, "pure");
}

/* simple-expression "=" expression | component-reference function-call-args */
static void simple_equation(Parser *p, AstEq *eq)
{
    AstExpr *e = parse_simple_expression(p);
    eq->lhs = e;
    if (in_panic(p))
        return;
    if (accept(p, TOK_EQUALS)) {
        eq->rhs = parse_expression(p);
        return;
    }
    if (p->tok.kind == TOK_ASSIGN) {
        report(p, tok_span(p), DIAG_S006,
               "':=' is an assignment in an algorithm; write an equation with '='");
        next(p);
        eq->rhs = parse_expression(p);
    } else if (is_function_call(p, e)) {
        eq->kind = AST_EQ_CALL;
    } else if (e->kind == AST_BINARY && e->op == AST_OP_EQ) {
        report(p, place_of_equality(p, e), DIAG_S007,
               "'==' compares values; write an equation with '='");
        eq->lhs = e->args.at[0];
        eq->rhs = e->args.at[1];
    } else if (e->kind == AST_REF && e->ref->n == 1 && !strncmp(e->ref->parts[0].name, "end", 3) &&
               p->tok.kind == TOK_SEMICOLON) {
        report(p, e->span, DIAG_S010,
               "expected '=' in the equation; write the end in two words: end %s",
               e->ref->parts[0].name + 3);
        panic(p);
    } else {
        unexpected(p, "'='", "in the equation");
    }
}

static void block_equation(Parser *p, void *eq)
{
    switch (p->tok.kind) {
    case TOK_IF: if_equation(p, eq); break;
    case TOK_FOR: for_equation(p, eq); break;
    default: when_equation(p, eq); break;
    }
}

/* equation = ( simple-expression "=" expression | if-equation | for-equation | connect-equation |
 * when-equation | component-reference function-call-args ) description; NULL if it must be dropped
 */
static void *equation(Parser *p)
{
    uint32_t at = p->tok.at;
    AstEq *eq;
    bool whole = true;
    if (p->tok.kind == TOK_CONNECT) {
        eq = parse_connect(p);
    } else {
        eq = ARENA_NEW(p->arena, AstEq);
        if (p->tok.kind == TOK_IF || p->tok.kind == TOK_FOR || p->tok.kind == TOK_WHEN)
            whole = parse_block(p, block_equation, eq);
        else if (p->tok.kind == TOK_WHILE || p->tok.kind == TOK_BREAK || p->tok.kind == TOK_RETURN)
            unexpected(p, "an equation",
                       "(loops with 'while', 'break' and 'return' are for algorithms)");
        else
            simple_equation(p, eq);
    }
    eq->span = span_since(p, at);
    eq->comment = parse_description(p);
    return whole ? eq : NULL;
}

/* { equation ";" } */
static void equation_list(Parser *p, AstEq ***at, uint32_t *n)
{
    *at = semicolon_list(p, equation, "equation", n);
}

/* equation-section = [ "initial" ] "equation" { equation ";" } */
AstEqSection parse_equation_section(Parser *p, bool initial)
{
    AstEqSection s = {.initial = initial};
    uint32_t at = initial ? p->prev_at : p->tok.at;
    next(p);
    equation_list(p, &s.eqs.at, &s.eqs.n);
    s.span = span_since(p, at);
    return s;
}

/* Statements of algorithms (Modelica 3.6, A.2.6). */
#include "syntax/parse/parser.h"

static void statement_list(Parser *p, AstStmt ***at, uint32_t *n);

/* ---- clauses with bodies ---- */

static void push_branch(Parser *p, AstStmtBranch *branch, uint32_t at)
{
    statement_list(p, &branch->body.at, &branch->body.n);
    branch->span = span_since(p, at);
    list_push(&p->items, *branch);
}

/* ( "if" | "elseif" | "when" | "elsewhen" | "while" ) expression ( "then" | "loop" ) { statement
 * ";" } */
static void conditional_branch(Parser *p, TokenKind word, const char *context)
{
    uint32_t at = p->tok.at;
    AstStmtBranch branch = {0};
    next(p);
    branch.condition = parse_condition(p);
    expect_word(p, word, context);
    if (in_panic(p))
        synchronize_head(p, word, at);
    push_branch(p, &branch, at);
}

/* if-statement = "if" expression "then" { statement ";" } { "elseif" expression "then" { statement
 * ";" } } [ "else" { statement ";" } ] "end" "if" */
static void if_statement(Parser *p, AstStmt *s)
{
    s->kind = AST_ST_IF;
    size_t mark = list_open(&p->items);
    do
        conditional_branch(p, TOK_THEN, "after the condition of 'if'");
    while (p->tok.kind == TOK_ELSEIF);
    uint32_t at = p->tok.at;
    if (accept(p, TOK_ELSE)) {
        AstStmtBranch branch = {0};
        push_branch(p, &branch, at);
    }
    list_close(p, &p->items, mark, s->branches);
    parse_block_end(p);
}

/* when-statement = "when" expression "then" { statement ";" } { "elsewhen" expression "then" {
 * statement ";" } } "end" "when" */
static void when_statement(Parser *p, AstStmt *s)
{
    s->kind = AST_ST_WHEN;
    size_t mark = list_open(&p->items);
    do
        conditional_branch(p, TOK_THEN, "after the condition of 'when'");
    while (p->tok.kind == TOK_ELSEWHEN);
    list_close(p, &p->items, mark, s->branches);
    parse_block_end(p);
}

/* while-statement = "while" expression "loop" { statement ";" } "end" "while" */
static void while_statement(Parser *p, AstStmt *s)
{
    s->kind = AST_ST_WHILE;
    size_t mark = list_open(&p->items);
    conditional_branch(p, TOK_LOOP, "after the condition of 'while'");
    list_close(p, &p->items, mark, s->branches);
    parse_block_end(p);
}

/* for-statement = "for" for-indices "loop" { statement ";" } "end" "for" */
static void for_statement(Parser *p, AstStmt *s)
{
    uint32_t at = p->tok.at;
    s->kind = AST_ST_FOR;
    next(p);
    s->iters.at = parse_for_indices(p, &s->iters.n);
    expect_word(p, TOK_LOOP, "after the indices of 'for'");
    if (in_panic(p))
        synchronize_head(p, TOK_LOOP, at);
    size_t mark = list_open(&p->items);
    AstStmtBranch branch = {0};
    push_branch(p, &branch, at);
    list_close(p, &p->items, mark, s->branches);
    parse_block_end(p);
}

/* ---- simple statements ---- */

/* ":="; "=" and "==" in its place are reported. */
static bool assignment_sign(Parser *p)
{
    if (p->tok.kind == TOK_EQUALS || p->tok.kind == TOK_EQ) {
        report(p, tok_span(p), DIAG_S006, "'%s' is not an assignment; write ':=' in an algorithm",
               token_text(p->tok.kind));
        next(p);
        return true;
    }
    return accept(p, TOK_ASSIGN);
}

/* "(" output-expression-list ")" ":=" component-reference function-call-args */
static void multiple_assignment(Parser *p, AstStmt *s)
{
    s->kind = AST_ST_ASSIGN;
    s->lhs = parse_output_list(p);
    if (!assignment_sign(p)) {
        unexpected(p, "':='", "after the list of outputs");
        return;
    }
    if (p->tok.kind != TOK_IDENT && p->tok.kind != TOK_DOT) {
        unexpected(p, "a function call", "as the source of a list of outputs");
        return;
    }
    s->rhs = parse_reference(p);
    if (s->rhs->kind != AST_CALL)
        unexpected(p, "the arguments of a function call", "as the source of a list of outputs");
}

/* x += 1 of other languages: reported, and parsed as an assignment. */
static bool update_sign(Parser *p)
{
    TokenKind sign = p->tok.kind;
    Span span = tok_span(p);
    if (sign != TOK_ADD && sign != TOK_SUB && sign != TOK_MUL && sign != TOK_DIV)
        return false;
    if (p->lexer.text[span.end] != '=')
        return false;
    span.end++;
    report(p, span, DIAG_S008, "'%s=' is not an operator of Modelica; write x := x %s …",
           token_text(sign), token_text(sign));
    next(p);
    return accept(p, TOK_EQUALS);
}

/* component-reference ( ":=" expression | function-call-args ) */
static void assignment_or_call(Parser *p, AstStmt *s)
{
    AstExpr *e = parse_reference(p);
    if (in_panic(p))
        return;
    if (e->kind == AST_CALL) {
        s->kind = AST_ST_CALL;
        s->rhs = e;
        return;
    }
    s->kind = AST_ST_ASSIGN;
    s->lhs = e;
    if (assignment_sign(p) || update_sign(p))
        s->rhs = parse_expression(p);
    else
        unexpected(p, "':='", "in the statement");
}

static void block_statement(Parser *p, void *s)
{
    switch (p->tok.kind) {
    case TOK_IF: if_statement(p, s); break;
    case TOK_FOR: for_statement(p, s); break;
    case TOK_WHILE: while_statement(p, s); break;
    default: when_statement(p, s); break;
    }
}

/* statement = ( component-reference ( ":=" expression | function-call-args ) | "("
 * output-expression-list ")" ":=" component-reference function-call-args | "break" | "return" |
 * if-statement | for-statement | while-statement | when-statement ) description; NULL if it must be
 * dropped */
static void *statement(Parser *p)
{
    uint32_t at = p->tok.at;
    AstStmt *s = ARENA_NEW(p->arena, AstStmt);
    bool whole = true;
    switch (p->tok.kind) {
    case TOK_IF:
    case TOK_FOR:
    case TOK_WHILE:
    case TOK_WHEN: whole = parse_block(p, block_statement, s); break;
    case TOK_BREAK:
    case TOK_RETURN:
        s->kind = p->tok.kind == TOK_BREAK ? AST_ST_BREAK : AST_ST_RETURN;
        next(p);
        break;
    case TOK_LPAREN: multiple_assignment(p, s); break;
    case TOK_IDENT:
    case TOK_DOT: assignment_or_call(p, s); break;
    default: unexpected(p, "a statement", ""); break;
    }
    s->span = span_since(p, at);
    s->comment = parse_description(p);
    return whole ? s : NULL;
}

/* { statement ";" } */
static void statement_list(Parser *p, AstStmt ***at, uint32_t *n)
{
    *at = semicolon_list(p, statement, "statement", n);
}

/* algorithm-section = [ "initial" ] "algorithm" { statement ";" } */
AstAlgSection parse_algorithm_section(Parser *p, bool initial)
{
    AstAlgSection s = {.initial = initial};
    uint32_t at = initial ? p->prev_at : p->tok.at;
    next(p);
    statement_list(p, &s.stmts.at, &s.stmts.n);
    s.span = span_since(p, at);
    return s;
}

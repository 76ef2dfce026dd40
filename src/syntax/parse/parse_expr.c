/* Expressions (Modelica 3.6, A.2.7). Chains of one operator become left-deep trees, built by loops:
 * only brackets, "if" and arguments nest. */
#include "syntax/parse/parser.h"

#include <math.h>

static AstExpr *primary(Parser *p);
static AstExpr *factor(Parser *p);

static AstExpr *new_expr(Parser *p, AstExprKind kind, uint32_t at)
{
    AstExpr *e = ARENA_NEW(p->arena, AstExpr);
    e->kind = kind;
    e->span = span_since(p, at);
    return e;
}

/* The node and its operands, in one piece of memory. */
static AstExpr *operation(Parser *p, AstExprKind kind, AstOp op, uint32_t at, AstExpr *a,
                          AstExpr *b)
{
    struct {
        AstExpr e;
        AstExpr *args[2];
    } *node = arena_alloc(p->arena, sizeof *node);
    node->e.kind = kind;
    node->e.op = op;
    node->e.span = span_since(p, at);
    node->args[0] = a;
    node->args[1] = b;
    node->e.args.at = node->args;
    node->e.args.n = b ? 2 : 1;
    return &node->e;
}

static AstExpr *binary(Parser *p, AstOp op, AstExpr *a, AstExpr *b)
{
    return operation(p, AST_BINARY, op, a->span.at, a, b);
}

/* Adds the missing "(" and ")" around e. */
static AstExpr *parenthesized(Parser *p, AstExpr *e)
{
    return operation(p, AST_TUPLE, (AstOp)0, e->span.at, e, NULL);
}

/* The operator of a token, or -1. */
static int operator_of(TokenKind kind)
{
    static const int8_t ops[TOK_COUNT] = {
#define X(id) [TOK_##id] = AST_OP_##id + 1,
        X(LT) X(LE) X(GT) X(GE) X(EQ) X(NE) X(ADD) X(SUB) X(EADD) X(ESUB) X(MUL) X(DIV) X(EMUL)
            X(EDIV) X(POW) X(EPOW)
#undef X
    };
    return ops[kind] - 1;
}

static bool is_relational(TokenKind k)
{
    return k >= TOK_LT && k <= TOK_NE;
}

static bool is_add(TokenKind k)
{
    return k >= TOK_ADD && k <= TOK_ESUB;
}

static bool is_mul(TokenKind k)
{
    return k >= TOK_MUL && k <= TOK_EDIV;
}

static bool is_pow(TokenKind k)
{
    return k == TOK_POW || k == TOK_EPOW;
}

static AstOp take_operator(Parser *p)
{
    AstOp op = (AstOp)operator_of(p->tok.kind);
    next(p);
    return op;
}

/* ---- names and references ---- */

/* name = IDENT { "." IDENT } */
AstName parse_name(Parser *p)
{
    uint32_t at = p->tok.at;
    AstName name = {0};
    size_t mark = list_open(&p->items);
    do {
        Name part = expect_name(p, "");
        list_push(&p->items, part);
    } while (accept(p, TOK_DOT));
    name.parts = stack_take(&p->items, mark, sizeof(Name), &name.n, p->arena);
    name.span = span_since(p, at);
    return name;
}

/* type-specifier = [ "." ] name */
AstName parse_type_specifier(Parser *p)
{
    uint32_t at = p->tok.at;
    bool absolute = accept(p, TOK_DOT);
    AstName name = parse_name(p);
    name.absolute = absolute;
    name.span.at = at;
    return name;
}

/* subscript = ":" | expression */
static AstExpr *subscript(Parser *p)
{
    uint32_t at = p->tok.at;
    if (accept(p, TOK_COLON))
        return new_expr(p, AST_COLON, at);
    return parse_expression(p);
}

AstExpr **parse_array_subscripts(Parser *p, uint32_t *n)
{
    Span open = tok_span(p);
    size_t mark = list_open(&p->items);
    next(p);
    p->in_subscript++;
    do {
        AstExpr *e = subscript(p);
        list_push(&p->items, e);
    } while (accept(p, TOK_COMMA));
    p->in_subscript--;
    expect_close(p, TOK_RBRACKET, open);
    return stack_take(&p->items, mark, sizeof(AstExpr *), n, p->arena);
}

/* component-reference = [ "." ] IDENT [ array-subscripts ] { "." IDENT [ array-subscripts ] } */
AstRef *parse_component_reference(Parser *p)
{
    uint32_t at = p->tok.at;
    AstRef *ref = ARENA_NEW(p->arena, AstRef);
    ref->absolute = accept(p, TOK_DOT);
    size_t mark = list_open(&p->items);
    do {
        AstRefPart part = {0};
        uint32_t part_at = p->tok.at;
        part.name = expect_name(p, p->prev_kind == TOK_DOT ? "after '.'" : "");
        if (p->tok.kind == TOK_LBRACKET)
            part.subs.at = parse_array_subscripts(p, &part.subs.n);
        part.span = span_since(p, part_at);
        list_push(&p->items, part);
    } while (accept(p, TOK_DOT));
    ref->parts = stack_take(&p->items, mark, sizeof(AstRefPart), &ref->n, p->arena);
    ref->span = span_since(p, at);
    return ref;
}

AstExpr *parse_plain_reference(Parser *p)
{
    uint32_t at = p->tok.at;
    AstRef *ref = parse_component_reference(p);
    AstExpr *e = new_expr(p, AST_REF, at);
    e->ref = ref;
    return e;
}

/* ---- arguments ---- */

/* for-index = IDENT [ "in" expression ] */
static AstIter for_index(Parser *p)
{
    uint32_t at = p->tok.at;
    AstIter iter = {.name = expect_name(p, "as the index of 'for'")};
    if (p->tok.kind == TOK_EQUALS) {
        report(p, tok_span(p), DIAG_S001, "expected 'in' after the index of 'for', found '='");
        next(p);
        iter.range = parse_expression(p);
    } else if (accept(p, TOK_IN)) {
        iter.range = parse_expression(p);
    }
    iter.span = span_since(p, at);
    return iter;
}

/* for-indices = for-index { "," for-index } */
AstIter *parse_for_indices(Parser *p, uint32_t *n)
{
    size_t mark = list_open(&p->items);
    do {
        AstIter iter = for_index(p);
        list_push(&p->items, iter);
    } while (accept(p, TOK_COMMA));
    return stack_take(&p->items, mark, sizeof(AstIter), n, p->arena);
}

static AstExpr *function_argument(Parser *p);

/* named-argument = IDENT "=" function-argument; at least the first of them is there */
static AstNamedArg named_argument(Parser *p)
{
    uint32_t at = p->tok.at;
    AstNamedArg arg = {.name = expect_name(p, "of an argument")};
    expect_token(p, TOK_EQUALS, "after the name of the argument");
    arg.value = function_argument(p);
    arg.span = span_since(p, at);
    return arg;
}

static bool at_named_argument(Parser *p)
{
    return p->tok.kind == TOK_IDENT && peek(p)->kind == TOK_EQUALS;
}

/* named-arguments = named-argument { "," named-argument }. A positional argument between them is
 * reported and dropped. */
static void named_arguments(Parser *p, AstExpr *call)
{
    size_t mark = list_open(&p->items);
    do {
        if (at_named_argument(p)) {
            AstNamedArg arg = named_argument(p);
            list_push(&p->items, arg);
        } else if (p->tok.kind == TOK_RPAREN) {
            unexpected(p, "an argument", "after ','");
        } else {
            report(p, tok_span(p), DIAG_S025, "a positional argument cannot follow a named one");
            function_argument(p);
        }
    } while (accept(p, TOK_COMMA));
    list_close(p, &p->items, mark, call->named);
}

/* function-partial-application = "function" type-specifier "(" [ named-arguments ] ")" */
static AstExpr *partial_application(Parser *p)
{
    uint32_t at = p->tok.at;
    next(p);
    AstExpr *e = new_expr(p, AST_PARTIAL, at);
    e->ref = parse_component_reference(p);
    for (uint32_t i = 0; i < e->ref->n; i++)
        if (e->ref->parts[i].subs.n)
            report(p, e->ref->parts[i].span, DIAG_S024, "the name of a function has no subscripts");
    Span open = tok_span(p);
    if (expect_token(p, TOK_LPAREN, "after the name of the function")) {
        if (p->tok.kind != TOK_RPAREN)
            named_arguments(p, e);
        expect_close(p, TOK_RPAREN, open);
    }
    e->span = span_since(p, at);
    return e;
}

/* function-argument = function-partial-application | expression */
static AstExpr *function_argument(Parser *p)
{
    if (p->tok.kind != TOK_FUNCTION)
        return parse_expression(p);
    AstExpr *e = enter(p) ? partial_application(p) : p->bad;
    leave(p);
    return e;
}

/* function-arguments = expression [ "," function-arguments-non-first | "for" for-indices ]
 *                    | function-partial-application [ "," function-arguments-non-first ] |
 * named-arguments */
static void function_arguments(Parser *p, AstExpr *call)
{
    size_t mark = list_open(&p->items);
    bool named = at_named_argument(p);
    if (!named) {
        bool partial = p->tok.kind == TOK_FUNCTION;
        AstExpr *e = function_argument(p);
        list_push(&p->items, e);
        if (!partial && accept(p, TOK_FOR))
            call->iters.at = parse_for_indices(p, &call->iters.n);
        while (!call->iters.n && !named && accept(p, TOK_COMMA)) {
            named = at_named_argument(p);
            if (named)
                break;
            e = function_argument(p);
            list_push(&p->items, e);
        }
    }
    list_close(p, &p->items, mark, call->args);
    if (named)
        named_arguments(p, call);
}

/* function-call-args = "(" [ function-arguments ] ")" */
static AstExpr *call(Parser *p, AstRef *ref, uint32_t at)
{
    Span open = tok_span(p);
    next(p);
    AstExpr *e = new_expr(p, AST_CALL, at);
    e->ref = ref;
    if (p->tok.kind != TOK_RPAREN)
        function_arguments(p, e);
    expect_close(p, TOK_RPAREN, open);
    e->span = span_since(p, at);
    return e;
}

AstExpr *parse_reference(Parser *p)
{
    uint32_t at = p->tok.at;
    AstRef *ref = parse_component_reference(p);
    if (p->tok.kind == TOK_LPAREN)
        return call(p, ref, at);
    AstExpr *e = new_expr(p, AST_REF, at);
    e->ref = ref;
    return e;
}

/* ( "der" | "initial" | "pure" ) function-call-args */
static AstExpr *operator_call(Parser *p)
{
    uint32_t at = p->tok.at;
    TokenKind kind = p->tok.kind;
    AstRef *ref = ARENA_NEW(p->arena, AstRef);
    ref->parts = ARENA_NEW(p->arena, AstRefPart);
    ref->n = 1;
    ref->span = ref->parts->span = tok_span(p);
    ref->parts->name = name_of(p->ctx->names, token_text(kind));
    next(p);
    if (p->tok.kind == TOK_LPAREN)
        return call(p, ref, at);
    unexpected(p, "'('",
               kind == TOK_DER    ? "after 'der'"
               : kind == TOK_PURE ? "after 'pure'"
                                  : "after 'initial'");
    return p->bad;
}

/* ---- primaries ---- */

static AstExpr *number(Parser *p)
{
    bool is_real = p->tok.kind == TOK_REAL;
    Token t = p->tok;
    int64_t integer = 0;
    if (!is_real && !lexer_integer(&p->lexer, &t, &integer))
        report(p, tok_span(p), DIAG_S016,
               "integer literal is larger than %lld; with a decimal point it would be a Real",
               (long long)INT64_MAX);
    double real = is_real ? lexer_real(&p->lexer, &t, p->scratch) : (double)integer;
    arena_reset(p->scratch);
    if (!isfinite(real))
        report(p, tok_span(p), DIAG_S015,
               "real literal is larger than the largest Real, 1.797e308");
    next(p);
    AstExpr *e = new_expr(p, is_real ? AST_REAL : AST_INT, t.at);
    e->real = real;
    e->integer = integer;
    e->text = name_intern(p->ctx->names, p->lexer.text + t.at, t.end - t.at);
    return e;
}

static AstExpr *string(Parser *p)
{
    Token t = p->tok;
    next(p);
    AstExpr *e = new_expr(p, AST_STRING, t.at);
    e->string = lexer_string(&p->lexer, &t, p->arena, &e->string_size);
    return e;
}

static AstExpr *boolean(Parser *p)
{
    uint32_t at = p->tok.at;
    bool value = p->tok.kind == TOK_TRUE;
    next(p);
    AstExpr *e = new_expr(p, AST_BOOL, at);
    e->boolean = value;
    return e;
}

/* output-expression-list = [ expression ] { "," [ expression ] } */
AstExpr *parse_output_list(Parser *p)
{
    Span open = tok_span(p);
    next(p);
    AstExpr *e = new_expr(p, AST_TUPLE, open.at);
    size_t mark = list_open(&p->items);
    if (p->tok.kind != TOK_RPAREN)
        do {
            bool omitted = p->tok.kind == TOK_COMMA || p->tok.kind == TOK_RPAREN;
            AstExpr *item = omitted ? NULL : parse_expression(p);
            list_push(&p->items, item);
        } while (accept(p, TOK_COMMA));
    list_close(p, &p->items, mark, e->args);
    expect_close(p, TOK_RPAREN, open);
    e->span = span_since(p, open.at);
    return e;
}

/* expression-list = expression { "," expression } */
AstExpr **parse_expression_list(Parser *p, uint32_t *n)
{
    size_t mark = list_open(&p->items);
    do {
        AstExpr *e = parse_expression(p);
        list_push(&p->items, e);
    } while (accept(p, TOK_COMMA));
    return stack_take(&p->items, mark, sizeof(AstExpr *), n, p->arena);
}

/* "[" expression-list { ";" expression-list } "]" */
static AstExpr *matrix(Parser *p)
{
    Span open = tok_span(p);
    next(p);
    AstExpr *e = new_expr(p, AST_MATRIX, open.at);
    size_t mark = list_open(&p->items);
    do {
        uint32_t at = p->tok.at;
        AstExpr *row = new_expr(p, AST_ARRAY, at);
        row->args.at = parse_expression_list(p, &row->args.n);
        row->span = span_since(p, at);
        list_push(&p->items, row);
    } while (accept(p, TOK_SEMICOLON));
    list_close(p, &p->items, mark, e->args);
    expect_close(p, TOK_RBRACKET, open);
    e->span = span_since(p, open.at);
    return e;
}

/* "{" expression [ "," array-arguments-non-first | "for" for-indices ] "}" */
static AstExpr *array(Parser *p)
{
    Span open = tok_span(p);
    next(p);
    AstExpr *e = new_expr(p, AST_ARRAY, open.at);
    e->args.at = parse_expression_list(p, &e->args.n);
    if (e->args.n == 1 && accept(p, TOK_FOR))
        e->iters.at = parse_for_indices(p, &e->iters.n);
    expect_close(p, TOK_RBRACE, open);
    e->span = span_since(p, open.at);
    return e;
}

/* "(" output-expression-list ")" [ array-subscripts | "." IDENT ]; further parts may follow */
static AstExpr *brackets(Parser *p)
{
    uint32_t at = p->tok.at;
    AstExpr *e = parse_output_list(p);
    while (p->tok.kind == TOK_DOT || p->tok.kind == TOK_LBRACKET) {
        AstExpr *part = new_expr(p, p->tok.kind == TOK_DOT ? AST_FIELD : AST_ELEMENT, at);
        size_t mark = list_open(&p->items);
        list_push(&p->items, e);
        if (accept(p, TOK_DOT)) {
            part->text = expect_name(p, "after '.'");
        } else {
            uint32_t n;
            AstExpr **subs = parse_array_subscripts(p, &n);
            for (uint32_t i = 0; i < n; i++)
                list_push(&p->items, subs[i]);
        }
        list_close(p, &p->items, mark, part->args);
        part->span = span_since(p, at);
        e = part;
    }
    return e;
}

/* primary = UNSIGNED-NUMBER | STRING | "false" | "true" | component-reference [ function-call-args
 * ] | ( "der" | "initial" | "pure" ) function-call-args | "(" output-expression-list ")" [
 * array-subscripts | "." IDENT ] | "[" expression-list { ";" expression-list } "]" | "{"
 * array-arguments "}" | "end" */
static AstExpr *primary(Parser *p)
{
    switch (p->tok.kind) {
    case TOK_INT:
    case TOK_REAL: return number(p);
    case TOK_STRING: return string(p);
    case TOK_TRUE:
    case TOK_FALSE: return boolean(p);
    case TOK_IDENT:
    case TOK_DOT: return parse_reference(p);
    case TOK_DER:
    case TOK_INITIAL:
    case TOK_PURE: return operator_call(p);
    case TOK_LPAREN: return brackets(p);
    case TOK_LBRACKET: return matrix(p);
    case TOK_LBRACE: return array(p);
    case TOK_END:
        if (p->in_subscript) {
            next(p);
            return new_expr(p, AST_END, p->prev_at);
        }
        break;
    default: break;
    }
    unexpected(p, "an expression", "");
    return p->bad;
}

/* ---- operators ---- */

/* A sign after another operator: reports what to write instead, and parses it as if written so. */
static AstExpr *signed_operand(Parser *p, const AstExpr *left, AstOp outer)
{
    enum { SHOWN = 24 };
    Span sign = tok_span(p);
    AstOp op = take_operator(p);
    AstExpr *operand = outer == AST_OP_POW || outer == AST_OP_EPOW ? primary(p) : factor(p);
    AstExpr *e = operation(p, AST_UNARY, op, sign.at, operand, NULL);
    const char *text = p->lexer.text;
    int n_left = (int)(left->span.end - left->span.at), n_right = (int)(e->span.end - e->span.at);
    bool show = n_left <= SHOWN && n_right <= SHOWN;
    report(p, sign, DIAG_S019, "a sign cannot follow '%s': write %.*s%s(%.*s)", ast_op_text(outer),
           show ? n_left : 0, text + left->span.at, ast_op_text(outer), show ? n_right : 3,
           show ? text + e->span.at : "-b)");
    return parenthesized(p, e);
}

/* factor = primary [ ( "^" | ".^" ) primary ] */
static AstExpr *factor(Parser *p)
{
    AstExpr *a = primary(p);
    if (!is_pow(p->tok.kind))
        return a;
    AstOp op = take_operator(p);
    a = binary(p, op, a, is_add(p->tok.kind) ? signed_operand(p, a, op) : primary(p));
    while (is_pow(p->tok.kind)) {
        report(p, tok_span(p), DIAG_S020, "'%s' cannot be chained: write (a^b)^c or a^(b^c)",
               token_text(p->tok.kind));
        op = take_operator(p);
        AstExpr *left = parenthesized(p, a);
        a = binary(p, op, left, primary(p));
    }
    return a;
}

/* term = factor { mul-operator factor } */
static AstExpr *term(Parser *p)
{
    AstExpr *a = factor(p);
    while (is_mul(p->tok.kind)) {
        AstOp op = take_operator(p);
        a = binary(p, op, a, is_add(p->tok.kind) ? signed_operand(p, a, op) : factor(p));
    }
    return a;
}

/* arithmetic-expression = [ add-operator ] term { add-operator term } */
static AstExpr *arithmetic_expression(Parser *p)
{
    AstExpr *a;
    if (is_add(p->tok.kind)) {
        uint32_t at = p->tok.at;
        AstOp op = take_operator(p);
        AstExpr *operand = term(p);
        a = operation(p, AST_UNARY, op, at, operand, NULL);
    } else {
        a = term(p);
    }
    while (is_add(p->tok.kind)) {
        AstOp op = take_operator(p);
        a = binary(p, op, a, is_add(p->tok.kind) ? signed_operand(p, a, op) : term(p));
    }
    return a;
}

/* relation = arithmetic-expression [ relational-operator arithmetic-expression ] */
static AstExpr *relation(Parser *p)
{
    AstExpr *a = arithmetic_expression(p);
    if (!is_relational(p->tok.kind))
        return a;
    AstOp op = take_operator(p);
    a = binary(p, op, a, arithmetic_expression(p));
    while (is_relational(p->tok.kind)) {
        report(p, tok_span(p), DIAG_S020, "relations cannot be chained: write a %s b and b %s c",
               ast_op_text(op), token_text(p->tok.kind));
        op = take_operator(p);
        AstExpr *left = parenthesized(p, a);
        a = binary(p, op, left, arithmetic_expression(p));
    }
    return a;
}

/* logical-factor = [ "not" ] relation */
static AstExpr *logical_factor(Parser *p)
{
    uint32_t at = p->tok.at;
    if (!accept(p, TOK_NOT))
        return relation(p);
    AstExpr *operand = relation(p);
    return operation(p, AST_UNARY, AST_OP_NOT, at, operand, NULL);
}

/* logical-term = logical-factor { "and" logical-factor } */
static AstExpr *logical_term(Parser *p)
{
    AstExpr *a = logical_factor(p);
    while (accept(p, TOK_AND)) {
        AstExpr *b = logical_factor(p);
        a = binary(p, AST_OP_AND, a, b);
    }
    return a;
}

/* logical-expression = logical-term { "or" logical-term } */
static AstExpr *logical_expression(Parser *p)
{
    AstExpr *a = logical_term(p);
    while (accept(p, TOK_OR)) {
        AstExpr *b = logical_term(p);
        a = binary(p, AST_OP_OR, a, b);
    }
    return a;
}

/* simple-expression = logical-expression [ ":" logical-expression [ ":" logical-expression ] ] */
AstExpr *parse_simple_expression(Parser *p)
{
    AstExpr *items[3] = {logical_expression(p)};
    uint32_t n = 1;
    while (n < 3 && accept(p, TOK_COLON))
        items[n++] = logical_expression(p);
    if (n == 1)
        return items[0];
    AstExpr *e = new_expr(p, AST_RANGE, items[0]->span.at);
    e->args.at = ARENA_ARRAY(p->arena, AstExpr *, n);
    memcpy(e->args.at, items, n * sizeof *items);
    e->args.n = n;
    return e;
}

/* A condition: an expression in which "=" for "==" is reported and parsed as "==". */
AstExpr *parse_condition(Parser *p)
{
    AstExpr *e = parse_expression(p);
    if (p->tok.kind != TOK_EQUALS)
        return e;
    report(p, tok_span(p), DIAG_S007, "'=' states an equation; compare values with '=='");
    next(p);
    parse_expression(p);
    return e;
}

/* "if" expression "then" expression { "elseif" expression "then" expression } "else" expression */
static AstExpr *if_expression(Parser *p)
{
    uint32_t at = p->tok.at;
    size_t mark = list_open(&p->items);
    do {
        next(p);
        AstExpr *condition = parse_condition(p);
        list_push(&p->items, condition);
        expect_word(p, TOK_THEN, "after the condition of 'if'");
        AstExpr *value = parse_expression(p);
        list_push(&p->items, value);
    } while (p->tok.kind == TOK_ELSEIF);
    expect_token(p, TOK_ELSE, "in an if-expression, which needs a value for every case");
    AstExpr *value = parse_expression(p);
    list_push(&p->items, value);
    AstExpr *e = new_expr(p, AST_IF, at);
    list_close(p, &p->items, mark, e->args);
    return e;
}

/* expression = simple-expression | if-expression */
AstExpr *parse_expression(Parser *p)
{
    AstExpr *e = p->bad;
    if (enter(p))
        e = p->tok.kind == TOK_IF ? if_expression(p) : parse_simple_expression(p);
    leave(p);
    return e;
}

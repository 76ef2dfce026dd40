/* What the parts of the parser share. A function is named after the production it reads.
 *
 * Errors: report() tells one, unless one has been told at the same token. panic() then makes the
 * current token TOK_PANIC, which no production accepts, so that all of them return at once without
 * consuming anything; synchronize() ends it at a place where an element, an equation or a statement
 * may start. While in panic, productions return nodes that must be dropped: lists of elements,
 * equations and statements do so, hence a tree never holds anything that was only half understood.
 */
#ifndef SYNTAX_PARSER_H
#define SYNTAX_PARSER_H

#include "syntax/ast.h"
#include "syntax/token.h"

enum { PARSER_MAX_DEPTH = 500 };

/* Items of lists that are still open; the list opened last lies on top. */
typedef struct Stack {
    char *at;
    size_t n, cap; /* bytes */
} Stack;

/* A construct that waits for its "end": the innermost first. */
typedef struct Block {
    struct Block *outer;
    TokenKind kind; /* TOK_IF, TOK_FOR, TOK_WHEN, TOK_WHILE, TOK_CLASS */
    Name name;      /* of a class */
    Span span;      /* of its first word, or of the class's name */
    bool broken;    /* its condition or indices were in error: the whole is to be dropped */
} Block;

typedef struct Parser {
    Context *ctx;
    Arena *arena;   /* of the product */
    Arena *scratch; /* for long literals */
    Lexer lexer;
    Token tok, ahead;
    bool has_ahead;
    bool fatal;          /* given up: only TOK_EOF follows, and no more errors are told */
    TokenKind held;      /* in panic: the kind of tok */
    TokenKind prev_kind; /* of the token before tok */
    uint32_t prev_at, prev_end;
    uint32_t error_at; /* place of the token at which the last error was told */
    uint32_t depth;
    uint32_t in_subscript; /* "end" is an expression where this is not 0 */
    uint32_t clause;       /* component clauses so far */
    Block *block;
    Stack items, equations, algorithms;
    AstExpr *bad; /* stands for an expression in panic */
} Parser;

/* ---- tokens ---- */

static inline void next(Parser *p)
{
    p->prev_kind = p->tok.kind;
    p->prev_at = p->tok.at;
    p->prev_end = p->tok.end;
    if (p->has_ahead) {
        p->tok = p->ahead;
        p->has_ahead = false;
    } else {
        lexer_next(&p->lexer, &p->tok);
    }
}

static inline bool accept(Parser *p, TokenKind kind)
{
    if (p->tok.kind != kind)
        return false;
    next(p);
    return true;
}

static inline bool in_panic(const Parser *p)
{
    return p->tok.kind == TOK_PANIC;
}

static inline Span tok_span(const Parser *p)
{
    return (Span){p->lexer.file, p->tok.at, p->tok.end};
}

/* From `at` to the end of the token before the current one. */
static inline Span span_since(const Parser *p, uint32_t at)
{
    return (Span){p->lexer.file, at, p->prev_end > at ? p->prev_end : at};
}

const Token *peek(Parser *p); /* the token behind the current one */

/* ---- errors ---- */

/* True where the error was told; notes may then be added. The last one that the context keeps ends
 * the parsing. */
bool report(Parser *p, Span span, DiagCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void panic(Parser *p);
/* "expected WHAT CONTEXT, found ...": told at the current token, then panic. */
void unexpected(Parser *p, const char *what, const char *context);
/* Ends a panic. `start` is where the item began in which it happened; at least one token is
 * consumed since. */
void synchronize(Parser *p, uint32_t start);
/* Ends a panic in the head of the innermost block, which ends with `word`: goes on behind that, if
 * it comes first. */
void synchronize_head(Parser *p, TokenKind word, uint32_t start);
/* "else", "end if" and the like where nothing of that kind is open: told and skipped. False where
 * it is none. */
bool skip_stray_part(Parser *p);
/* How the current token is called in a message. */
const char *found(const Parser *p, char *buffer, size_t size);

bool expect_token(Parser *p, TokenKind kind, const char *context);
/* The closing bracket, behind a list, of the one at `open`; otherwise an error with a note there.
 */
bool expect_close(Parser *p, TokenKind kind, Span open);
/* ";" after `what`. A missing one is told and, where the next token starts a line or a section,
 * made good. */
void expect_semicolon(Parser *p, const char *what);
/* IDENT. A reserved word in its place is told and taken as the name, where it is meant so. NULL in
 * panic. */
Name expect_name(Parser *p, const char *context);
/* "then" or "loop". */
void expect_word(Parser *p, TokenKind kind, const char *context);

/* A level of nesting; false, and a fatal error, where there are too many. leave() belongs to both.
 */
bool enter(Parser *p);
static inline void leave(Parser *p)
{
    p->depth--;
}
void give_up(Parser *p);

/* ---- lists ---- */

void stack_push(Stack *s, const void *item, size_t size);
void *stack_take(Stack *s, size_t mark, size_t size, uint32_t *n, Arena *arena);

#define list_open(stack) ((stack)->n)
#define list_push(stack, item) stack_push((stack), &(item), sizeof(item))
/* Moves what was pushed since `mark` to the arena, as the list. */
#define list_close(p, stack, mark, list)                                                           \
    ((list).at = stack_take((stack), (mark), sizeof *(list).at, &(list).n, (p)->arena))

/* ---- parse_expr.c ---- */

AstExpr *parse_expression(Parser *p);
AstExpr *parse_simple_expression(Parser *p);
AstExpr *parse_output_list(Parser *p); /* "(" output-expression-list ")" */
AstExpr *parse_reference(Parser *p);   /* component-reference, perhaps with function-call-args */
AstRef *parse_component_reference(Parser *p);
AstExpr *parse_plain_reference(Parser *p); /* component-reference as an AST_REF */
/* array-subscripts = "[" subscript { "," subscript } "]" */
AstExpr **parse_array_subscripts(Parser *p, uint32_t *n);
AstExpr **parse_expression_list(Parser *p, uint32_t *n);
AstIter *parse_for_indices(Parser *p, uint32_t *n);
AstExpr *parse_condition(Parser *p);
AstName parse_name(Parser *p);
AstName parse_type_specifier(Parser *p);

/* ---- parse_modification.c ---- */

AstComment parse_description(Parser *p);
const char *parse_description_string(Parser *p);
AstMod *parse_annotation(Parser *p); /* NULL where there is none */
AstMod *parse_class_modification(Parser *p, bool in_extends);
AstMod *parse_modification(Parser *p); /* NULL where there is none */

/* ---- parse_class.c, parse_element.c ---- */

AstClass *parse_class_definition(Parser *p, bool encapsulated);
AstClass *parse_short_class_definition(Parser *p);
bool starts_class(TokenKind kind);
/* words that can start an element, but no equation and no statement */
bool starts_element(TokenKind kind);

/* Pushes the elements read to p->items. */
void parse_element(Parser *p, AstVisibility visibility);
void parse_type_prefix(Parser *p, AstElement *e);
void parse_declaration(Parser *p, AstElement *e);
void parse_constraining_clause(Parser *p, AstElement *e);

/* ---- parse_equation.c, parse_statement.c ---- */

AstEqSection parse_equation_section(Parser *p, bool initial);
AstAlgSection parse_algorithm_section(Parser *p, bool initial);
AstEq *parse_connect(Parser *p);
/* Where a list of equations or statements ends. */
bool ends_section(Parser *p);
/* { part ";" } as an array of pointers; `part` returns NULL for what is to be dropped. An error is
 * reported and the part left out. */
void *semicolon_list(Parser *p, void *(*part)(Parser *p), const char *what, uint32_t *n);
/* "end" kind of the innermost block. */
void parse_block_end(Parser *p);

#endif

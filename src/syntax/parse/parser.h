/* Shared by the parts of the parser. A function is named after the production that it parses.
 *
 * Errors: report() reports one, unless one was reported at the same token. panic() then makes the
 * current token TOK_PANIC, which no production accepts. All productions return at once without
 * consuming anything. synchronize() ends the panic at a place where an element, an equation or a
 * statement may start. During a panic, productions return nodes that must be dropped. Lists of
 * elements, equations and statements drop them, so a tree contains no node that was only half
 * understood. */
#ifndef SYNTAX_PARSER_H
#define SYNTAX_PARSER_H

#include "syntax/tree/ast.h"
#include "syntax/parse/token.h"

enum { PARSER_MAX_DEPTH = 500 };

/* Items of open lists; the list opened last is on top. */
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
    bool broken;    /* its condition or indices were in error: the whole block is dropped */
} Block;

typedef struct Parser {
    Context *ctx;
    Arena *arena;   /* of the product */
    Arena *scratch; /* for long literals */
    Lexer lexer;
    Token tok, ahead;
    bool has_ahead;
    bool fatal;          /* only TOK_EOF follows, and no more errors are reported */
    TokenKind held;      /* in panic: the kind of tok */
    TokenKind prev_kind; /* of the token before tok */
    uint32_t prev_at, prev_end;
    uint32_t error_at; /* place of the token of the last reported error */
    uint32_t depth;
    uint32_t in_subscript; /* not 0: "end" is an expression */
    uint32_t clause;       /* component clauses so far */
    Block *block;
    Stack items, equations, algorithms;
    AstExpr *bad; /* placeholder for an expression during a panic */
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

const Token *peek(Parser *p); /* the token after the current one */

/* ---- errors ---- */

/* True if the error was reported; notes may then be added. The last error that the context keeps
 * ends the parsing. */
bool report(Parser *p, Span span, DiagCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void panic(Parser *p);
/* Reports "expected WHAT CONTEXT, found ..." at the current token, then panics. */
void unexpected(Parser *p, const char *what, const char *context);
/* Ends a panic. `start` is the beginning of the item in which it happened; at least one token after
 * it is consumed. */
void synchronize(Parser *p, uint32_t start);
/* Ends a panic in the head of the innermost block, which ends with `word`: continues after that
 * word if it comes first. */
void synchronize_head(Parser *p, TokenKind word, uint32_t start);
/* Reports and skips "else", "end if" and similar words if no such block is open. False for other
 * tokens. */
bool skip_stray_part(Parser *p);
/* How the current token is called in a message. */
const char *found(const Parser *p, char *buffer, size_t size);

bool expect_token(Parser *p, TokenKind kind, const char *context);
/* The closing bracket, after a list, of the one at `open`; otherwise an error with a note there. */
bool expect_close(Parser *p, TokenKind kind, Span open);
/* ";" after `what`. A missing one is reported. If the next token starts a line or a section,
 * parsing continues as if it were there. */
void expect_semicolon(Parser *p, const char *what);
/* IDENT. A reserved word is reported and used as the name if it was meant so. NULL in panic. */
Name expect_name(Parser *p, const char *context);
/* "then" or "loop". */
void expect_word(Parser *p, TokenKind kind, const char *context);

/* Enters a level of nesting. Too many levels are a fatal error: false. Call leave() in both cases.
 */
bool enter(Parser *p);
/* An if, for, while or when: calls `parse` for it, one level deeper. False if it must be dropped.
 */
bool parse_block(Parser *p, void (*parse)(Parser *p, void *to), void *to);
static inline void leave(Parser *p)
{
    p->depth--;
}

/* ---- lists ---- */

void stack_push(Stack *s, const void *item, size_t size);
void *stack_take(Stack *s, size_t mark, size_t size, uint32_t *n, Arena *arena);

#define list_open(stack) ((stack)->n)
#define list_push(stack, item) stack_push((stack), &(item), sizeof(item))
/* Moves the items pushed since `mark` to the arena, as a list. */
#define list_close(p, stack, mark, list)                                                           \
    ((list).at = stack_take((stack), (mark), sizeof *(list).at, &(list).n, (p)->arena))

/* ---- parser.c ---- */

bool starts_class(TokenKind kind);
/* { part ";" } as an array of pointers. `part` returns NULL for a part that must be dropped, after
 * an error. */
void *semicolon_list(Parser *p, void *(*part)(Parser *p), const char *what, uint32_t *n);
/* "end" kind of the innermost block. */
void parse_block_end(Parser *p);

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
AstMod *parse_annotation(Parser *p); /* NULL if there is none */
AstMod *parse_class_modification(Parser *p, bool in_extends);
AstMod *parse_modification(Parser *p); /* NULL if there is none */

/* ---- parse_class.c, parse_element.c ---- */

AstClass *parse_class_definition(Parser *p, bool encapsulated);
AstClass *parse_short_class_definition(Parser *p);

/* Pushes the elements read to p->items. */
void parse_element(Parser *p, AstVisibility visibility);
void parse_type_prefix(Parser *p, AstElement *e);
void parse_declaration(Parser *p, AstElement *e);
void parse_constraining_clause(Parser *p, AstElement *e);

/* ---- parse_equation.c, parse_statement.c ---- */

AstEqSection parse_equation_section(Parser *p, bool initial);
AstAlgSection parse_algorithm_section(Parser *p, bool initial);
AstEq *parse_connect(Parser *p);

#endif

/* Tokens of Modelica 3.6 (specification, chapter 2 and A.1) and the lexer that yields them one by
 * one. */
#ifndef SYNTAX_TOKEN_H
#define SYNTAX_TOKEN_H

#include "base/context.h"
#include "syntax/tree/ast.h"

#define SYNTAX_SYMBOLS(X)                                                                          \
    X(LPAREN, "(")                                                                                 \
    X(RPAREN, ")")                                                                                 \
    X(LBRACKET, "[")                                                                               \
    X(RBRACKET, "]")                                                                               \
    X(LBRACE, "{")                                                                                 \
    X(RBRACE, "}")                                                                                 \
    X(COMMA, ",")                                                                                  \
    X(SEMICOLON, ";")                                                                              \
    X(COLON, ":")                                                                                  \
    X(ASSIGN, ":=")                                                                                \
    X(EQUALS, "=")                                                                                 \
    X(DOT, ".")                                                                                    \
    AST_SIGNS(X)

/* In alphabetical order: the lexer relies on words with the same first letter being neighbours. */
#define SYNTAX_KEYWORDS(X)                                                                         \
    X(ALGORITHM, "algorithm")                                                                      \
    X(AND, "and")                                                                                  \
    X(ANNOTATION, "annotation")                                                                    \
    X(BLOCK, "block")                                                                              \
    X(BREAK, "break")                                                                              \
    X(CLASS, "class")                                                                              \
    X(CONNECT, "connect")                                                                          \
    X(CONNECTOR, "connector")                                                                      \
    X(CONSTANT, "constant")                                                                        \
    X(CONSTRAINEDBY, "constrainedby")                                                              \
    X(DER, "der")                                                                                  \
    X(DISCRETE, "discrete")                                                                        \
    X(EACH, "each")                                                                                \
    X(ELSE, "else")                                                                                \
    X(ELSEIF, "elseif")                                                                            \
    X(ELSEWHEN, "elsewhen")                                                                        \
    X(ENCAPSULATED, "encapsulated")                                                                \
    X(END, "end")                                                                                  \
    X(ENUMERATION, "enumeration")                                                                  \
    X(EQUATION, "equation")                                                                        \
    X(EXPANDABLE, "expandable")                                                                    \
    X(EXTENDS, "extends")                                                                          \
    X(EXTERNAL, "external")                                                                        \
    X(FALSE, "false")                                                                              \
    X(FINAL, "final")                                                                              \
    X(FLOW, "flow")                                                                                \
    X(FOR, "for")                                                                                  \
    X(FUNCTION, "function")                                                                        \
    X(IF, "if")                                                                                    \
    X(IMPORT, "import")                                                                            \
    X(IMPURE, "impure")                                                                            \
    X(IN, "in")                                                                                    \
    X(INITIAL, "initial")                                                                          \
    X(INNER, "inner")                                                                              \
    X(INPUT, "input")                                                                              \
    X(LOOP, "loop")                                                                                \
    X(MODEL, "model")                                                                              \
    X(NOT, "not")                                                                                  \
    X(OPERATOR, "operator")                                                                        \
    X(OR, "or")                                                                                    \
    X(OUTER, "outer")                                                                              \
    X(OUTPUT, "output")                                                                            \
    X(PACKAGE, "package")                                                                          \
    X(PARAMETER, "parameter")                                                                      \
    X(PARTIAL, "partial")                                                                          \
    X(PROTECTED, "protected")                                                                      \
    X(PUBLIC, "public")                                                                            \
    X(PURE, "pure")                                                                                \
    X(RECORD, "record")                                                                            \
    X(REDECLARE, "redeclare")                                                                      \
    X(REPLACEABLE, "replaceable")                                                                  \
    X(RETURN, "return")                                                                            \
    X(STREAM, "stream")                                                                            \
    X(THEN, "then")                                                                                \
    X(TRUE, "true")                                                                                \
    X(TYPE, "type")                                                                                \
    X(WHEN, "when")                                                                                \
    X(WHILE, "while")                                                                              \
    X(WITHIN, "within")

typedef enum TokenKind {
    TOK_EOF,
    /* never lexed: the token of the parser during a panic */
    TOK_PANIC,
    TOK_IDENT,
    TOK_STRING,
    TOK_INT,
    TOK_REAL,
#define X(id, text) TOK_##id,
    SYNTAX_SYMBOLS(X) SYNTAX_KEYWORDS(X)
#undef X
        TOK_COUNT
} TokenKind;

typedef struct Token {
    TokenKind kind;
    uint32_t at, end; /* bytes [at, end) of the text */
    bool newline;     /* first of its line */
    bool bad;         /* a lexical error was reported in it or just before it */
    bool plain;       /* TOK_STRING: neither escapes nor carriage returns inside */
    Name name;        /* TOK_IDENT */
} Token;

typedef struct Lexer {
    Context *ctx;
    const char *text; /* NUL-terminated */
    uint32_t file, size, at;
    uint32_t n_errors;
} Lexer;

/* Requires a source that exists. */
void lexer_init(Lexer *x, Context *ctx, uint32_t source);
/* The next token; TOK_EOF again and again at the end. Lexical errors go to the context. An operator
 * of another language ("&&") becomes the Modelica token that was meant. */
void lexer_next(Lexer *x, Token *t);
/* The value of a TOK_STRING: escapes resolved, CR LF as LF. NUL-terminated, in `arena`. */
char *lexer_string(const Lexer *x, const Token *t, Arena *arena, uint32_t *size);
/* The value of a TOK_REAL or TOK_INT, correctly rounded in any locale; infinite if out of range.
 * Long literals use the scratch arena. */
double lexer_real(const Lexer *x, const Token *t, Arena *scratch);
/* The value of a TOK_INT. False if it exceeds 64 bits; *value is then the largest integer. */
bool lexer_integer(const Lexer *x, const Token *t, int64_t *value);

const char *token_text(TokenKind kind); /* "<=", "equation", "a name" */
static inline bool token_is_keyword(TokenKind kind)
{
    return kind >= TOK_ALGORITHM && kind < TOK_COUNT;
}

#endif

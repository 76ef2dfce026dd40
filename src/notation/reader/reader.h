/* Words and expressions of the older notations. The whole text is split into words first; a reader
 * walks over them.
 *
 * Errors: reader_error reports one per place. Productions then return NULL or false, the statement
 * is dropped, and the caller continues at the next statement. */
#ifndef NOTATION_READER_H
#define NOTATION_READER_H

#include "notation/reader/tree.h"

typedef enum WordKind {
    WORD_END,
    WORD_NAME,
    WORD_NUMBER,
    WORD_STRING,
    WORD_QUOTED,
    WORD_SYMBOL
} WordKind;

typedef struct Word {
    WordKind kind;
    bool newline; /* first of its line */
    uint32_t at, end;
    Name name; /* the text; for a string and a quoted value, the text between the quotes */
} Word;

typedef struct Remark {
    Span span;
    const char *text;
    bool trailing; /* follows a word on the same line */
    bool used;
} Remark;

/* The differences between the notations. */
typedef struct Style {
    const char *name;            /* as it is called in messages */
    bool fold_case;              /* words of the language are written in either case */
    bool lines;                  /* no separators: a new line may start a new statement */
    bool equality;               /* = compares, in brackets and in conditions */
    const char *comment_open;    /* "{"; NULL if there is none */
    const char *comment_close;   /* "}" */
    const char *comment_line;    /* "%" up to the end of the line; NULL if there is none */
    const char *const *reserved; /* words that are not names in expressions; NULL at the end */
    const char *const *symbols;  /* longer ones first; NULL at the end */
} Style;

enum { READER_MAX_DEPTH = 400 };

typedef struct Reader {
    Tree tree;
    const Style *style;
    uint32_t file;
    const char *text;
    VEC(Word) words; /* the last one is WORD_END */
    uint32_t at;     /* current word */
    VEC(Remark) remarks;
    uint32_t error_at; /* place of the word at which the last error was reported */
    uint32_t depth;
    uint32_t comparing; /* brackets and conditions around the current word */
    Arena *scratch;
} Reader;

/* Splits the text of `source`; lexical errors go to ctx. */
void reader_init(Reader *r, Context *ctx, uint32_t source, const Style *style, Arena *arena);
void reader_done(Reader *r);

static inline const Word *word(const Reader *r)
{
    return &r->words.at[r->at];
}

static inline const Word *word_after(const Reader *r, uint32_t n)
{
    return &r->words.at[r->at + n < r->words.n ? r->at + n : r->words.n - 1];
}

static inline Span word_span(const Reader *r)
{
    return (Span){r->file, word(r)->at, word(r)->end};
}

/* From `at` to the end of the word before the current one. */
Span reader_since(const Reader *r, uint32_t at);
void reader_next(Reader *r);
/* a name or a symbol, as the style compares them */
bool word_reads(const Reader *r, const Word *w, const char *text);
bool at_word(const Reader *r, const char *text);
bool accept_word(Reader *r, const char *text);
/* an error if it is not here */
bool expect_word_of(Reader *r, const char *text, const char *context);
/* A name, in quotes if it is a word of Modelica; NULL after an error. */
Name expect_plain_name(Reader *r, const char *what);
/* Whether the current word starts a line with an equation, although it could continue the line
 * before. */
bool starts_statement(const Reader *r);
bool word_is_reserved(const Reader *r, const Word *w);
/* Whether an `if` in a notation without separators is a name, as that of a field current: nothing
 * follows that could be a condition. */
bool if_is_name(const Reader *r, const Word *w);

void reader_error(Reader *r, Span span, DiagCode code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void reader_unexpected(Reader *r, const char *what);

/* expression = if | or; NULL after an error */
AstExpr *read_expression(Reader *r);
/* An expression in which = may compare, if the style has that. */
AstExpr *read_condition(Reader *r);
/* name { "." name } with subscripts; "(" arguments ")" after it makes it a call */
AstExpr *read_reference(Reader *r);

/* The remarks between `from` and `to`, or after `to` on its line, that were not used yet, joined;
 * or NULL. */
const char *take_remarks(Reader *r, uint32_t from, uint32_t to);

#endif

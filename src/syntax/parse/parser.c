/* Shared by all parts of the parser: tokens, errors and recovery, lists. */
#include "syntax/parse/parser.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

/* ---- tokens ---- */

const Token *peek(Parser *p)
{
    if (!p->has_ahead) {
        lexer_next(&p->lexer, &p->ahead);
        p->has_ahead = true;
    }
    return &p->ahead;
}

/* ---- kinds of tokens ---- */

bool starts_class(TokenKind kind)
{
    switch (kind) {
    case TOK_PARTIAL:
    case TOK_CLASS:
    case TOK_MODEL:
    case TOK_OPERATOR:
    case TOK_RECORD:
    case TOK_BLOCK:
    case TOK_EXPANDABLE:
    case TOK_CONNECTOR:
    case TOK_TYPE:
    case TOK_PACKAGE:
    case TOK_PURE:
    case TOK_IMPURE:
    case TOK_FUNCTION: return true;
    default: return false;
    }
}

/* words that can start an element, but no equation and no statement */
static bool starts_element(TokenKind kind)
{
    switch (kind) {
    case TOK_IMPORT:
    case TOK_EXTENDS:
    case TOK_REDECLARE:
    case TOK_FINAL:
    case TOK_INNER:
    case TOK_OUTER:
    case TOK_REPLACEABLE:
    case TOK_ENCAPSULATED:
    case TOK_FLOW:
    case TOK_STREAM:
    case TOK_DISCRETE:
    case TOK_PARAMETER:
    case TOK_CONSTANT:
    case TOK_INPUT:
    case TOK_OUTPUT: return true;
    case TOK_PURE: return false; /* pure(f(x)) starts an equation as well */
    default: return starts_class(kind);
    }
}

/* Whether a list of equations or statements ends here. */
static bool ends_section(Parser *p)
{
    switch (p->tok.kind) {
    case TOK_EOF:
    case TOK_PANIC:
    case TOK_END:
    case TOK_ELSE:
    case TOK_ELSEIF:
    case TOK_ELSEWHEN:
    case TOK_EQUATION:
    case TOK_ALGORITHM:
    case TOK_PUBLIC:
    case TOK_PROTECTED:
    case TOK_EXTERNAL:
    case TOK_ANNOTATION: return true;
    case TOK_INITIAL: return peek(p)->kind == TOK_EQUATION || peek(p)->kind == TOK_ALGORITHM;
    default: return starts_element(p->tok.kind);
    }
}

/* ---- errors ---- */

const char *found(const Parser *p, char *buffer, size_t size)
{
    enum { SHOWN = 40 };
    const Token *t = &p->tok;
    if (t->kind == TOK_EOF)
        return "end of file";
    uint32_t n = t->end - t->at;
    const char *s = p->lexer.text + t->at;
    bool cut = n > SHOWN;
    n = cut ? (uint32_t)text_cut(s, SHOWN) : n;
    const char *mark = t->kind == TOK_STRING || *s == '\'' ? "" : "'";
    snprintf(buffer, size, "%s%.*s%s%s", mark, (int)n, s, cut ? "..." : "", mark);
    for (char *c = buffer; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return buffer;
}

static void give_up(Parser *p)
{
    p->fatal = true;
    p->lexer.at = p->lexer.size;
    p->has_ahead = false;
    p->tok.at = p->tok.end = p->lexer.size;
    p->tok.kind = TOK_PANIC;
    p->held = TOK_EOF;
}

/* Removes an incomplete UTF-8 character from the end of a text that was cut to n bytes. */
static void end_with_character(char *text, size_t n)
{
    while (n && ((unsigned char)text[n - 1] & 0xC0) == 0x80)
        text[--n] = 0;
    if (n && (unsigned char)text[n - 1] >= 0x80)
        text[n - 1] = 0;
}

bool report(Parser *p, Span span, DiagCode code, const char *format, ...)
{
    if (in_panic(p) || p->fatal || p->tok.bad || p->error_at == p->tok.at)
        return false;
    p->error_at = p->tok.at;
    char text[400];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= (int)sizeof text)
        end_with_character(text, sizeof text - 1);
    diag(p->ctx, span, code, "%s", text);
    if (++p->lexer.n_errors >= p->ctx->max_errors)
        give_up(p);
    return true;
}

void panic(Parser *p)
{
    if (in_panic(p))
        return;
    p->held = p->tok.kind;
    p->tok.kind = TOK_PANIC;
}

static bool is_number(TokenKind kind)
{
    return kind == TOK_INT || kind == TOK_REAL;
}

/* 2x: the number and the name that touches it. */
static bool report_touching(Parser *p)
{
    if (p->tok.kind != TOK_IDENT || !is_number(p->prev_kind) || p->prev_end != p->tok.at)
        return false;
    const char *text = p->lexer.text;
    report(p, (Span){p->lexer.file, p->prev_at, p->tok.end}, DIAG_S017,
           "a number and a name touch; write a product as %.*s*%.30s",
           (int)(p->prev_end - p->prev_at), text + p->prev_at, p->tok.name);
    return true;
}

/* For Model, Equation: the keyword that differs only in case, or NULL. */
static const char *word_meant(const Parser *p)
{
    if (p->tok.kind != TOK_IDENT)
        return NULL;
    for (unsigned k = 0; k < TOK_COUNT; k++)
        if (token_is_keyword((TokenKind)k) && !strcasecmp(token_text((TokenKind)k), p->tok.name))
            return token_text((TokenKind)k);
    return NULL;
}

void unexpected(Parser *p, const char *what, const char *context)
{
    char buffer[80];
    const char *meant = word_meant(p);
    if (!report_touching(p) &&
        report(p, tok_span(p), DIAG_S001, "expected %s%s%s, found %s", what, *context ? " " : "",
               context, found(p, buffer, sizeof buffer)) &&
        meant)
        diag_note(p->ctx, (Span){0},
                  "did you mean '%s'? Words of the language are written in small letters", meant);
    panic(p);
}

static bool starts_item(TokenKind kind)
{
    return starts_element(kind) || kind == TOK_WHEN || kind == TOK_WHILE || kind == TOK_CONNECT;
}

/* Whether parsing can continue here, although no ";" came before. */
static bool is_landmark(Parser *p)
{
    TokenKind k = p->tok.kind;
    switch (k) {
    case TOK_EOF:
    case TOK_EQUATION:
    case TOK_ALGORITHM:
    case TOK_PUBLIC:
    case TOK_PROTECTED: return true;
    case TOK_END: {
        TokenKind then = peek(p)->kind;
        return then == TOK_IDENT || then == TOK_IF || then == TOK_FOR || then == TOK_WHEN ||
               then == TOK_WHILE || then == TOK_SEMICOLON;
    }
    case TOK_INITIAL: return peek(p)->kind == TOK_EQUATION || peek(p)->kind == TOK_ALGORITHM;
    case TOK_ELSE:
    case TOK_ELSEIF: return p->tok.newline && p->block && p->block->kind == TOK_IF;
    case TOK_ELSEWHEN: return p->block && p->block->kind == TOK_WHEN;
    default: return p->tok.newline && starts_item(k);
    }
}

void synchronize(Parser *p, uint32_t start)
{
    if (in_panic(p))
        p->tok.kind = p->held;
    if (p->tok.at == start && p->tok.kind != TOK_EOF && p->tok.kind != TOK_SEMICOLON)
        next(p);
    while (!is_landmark(p)) {
        if (accept(p, TOK_SEMICOLON))
            return;
        next(p);
    }
}

void synchronize_head(Parser *p, TokenKind word, uint32_t start)
{
    p->block->broken = true;
    p->tok.kind = in_panic(p) ? p->held : p->tok.kind;
    while (p->tok.kind != word && p->tok.kind != TOK_SEMICOLON && !is_landmark(p))
        next(p);
    if (!accept(p, word))
        synchronize(p, start);
}

static bool is_block_word(TokenKind k)
{
    return k == TOK_IF || k == TOK_FOR || k == TOK_WHEN || k == TOK_WHILE;
}

bool skip_stray_part(Parser *p)
{
    TokenKind k = p->tok.kind;
    if (p->block->kind != TOK_CLASS)
        return false;
    if (k == TOK_END && is_block_word(peek(p)->kind)) {
        const char *word = token_text(peek(p)->kind);
        report(p, tok_span(p), DIAG_S027, "'end %s' without a matching '%s'", word, word);
        next(p);
        next(p);
        accept(p, TOK_SEMICOLON);
        return true;
    }
    if (k != TOK_ELSE && k != TOK_ELSEIF && k != TOK_ELSEWHEN)
        return false;
    report(p, tok_span(p), DIAG_S027, "'%s' without a matching '%s'", token_text(k),
           k == TOK_ELSEWHEN ? "when" : "if");
    next(p);
    while (k != TOK_ELSE && p->tok.kind != TOK_SEMICOLON && !is_landmark(p) && !accept(p, TOK_THEN))
        next(p);
    return true;
}

static const char *quoted(TokenKind kind, char *buffer, size_t size)
{
    if (kind <= TOK_REAL)
        return token_text(kind);
    snprintf(buffer, size, "'%s'", token_text(kind));
    return buffer;
}

bool expect_token(Parser *p, TokenKind kind, const char *context)
{
    char buffer[32];
    if (accept(p, kind))
        return true;
    unexpected(p, quoted(kind, buffer, sizeof buffer), context);
    return false;
}

bool expect_close(Parser *p, TokenKind kind, Span open)
{
    char buffer[80];
    if (accept(p, kind))
        return true;
    if (!report_touching(p) && report(p, tok_span(p), DIAG_S026, "expected ',' or '%s', found %s",
                                      token_text(kind), found(p, buffer, sizeof buffer)))
        diag_note(p->ctx, open, "to close the '%c' here", p->lexer.text[open.at]);
    panic(p);
    return false;
}

void expect_semicolon(Parser *p, const char *what)
{
    char buffer[80];
    if (accept(p, TOK_SEMICOLON) || in_panic(p))
        return;
    if (report_touching(p)) {
        panic(p);
        return;
    }
    Span behind = {p->lexer.file, p->prev_end, p->prev_end + (p->prev_end < p->lexer.size)};
    report(p, behind, DIAG_S002, "expected ';' after %s, found %s", what,
           found(p, buffer, sizeof buffer));
    if (!is_landmark(p) &&
        !(p->tok.newline && (p->tok.kind == TOK_IDENT || token_is_keyword(p->tok.kind))))
        panic(p);
}

/* A token that may follow a name. A reserved word before it was meant as a name. */
static bool follows_name(TokenKind kind)
{
    switch (kind) {
    case TOK_SEMICOLON:
    case TOK_COMMA:
    case TOK_EQUALS:
    case TOK_ASSIGN:
    case TOK_LPAREN:
    case TOK_RPAREN:
    case TOK_LBRACKET:
    case TOK_DOT:
    case TOK_STRING: return true;
    default: return false;
    }
}

Name expect_name(Parser *p, const char *context)
{
    Name name = p->tok.name;
    if (accept(p, TOK_IDENT))
        return name;
    TokenKind kind = p->tok.kind;
    if (token_is_keyword(kind) && kind != TOK_END && follows_name(peek(p)->kind)) {
        const char *text = token_text(kind);
        report(p, tok_span(p), DIAG_S011, "'%s' is a reserved word and cannot be a name", text);
        next(p);
        return name_of(p->ctx->names, text);
    }
    unexpected(p, "a name", context);
    return NULL;
}

void expect_word(Parser *p, TokenKind kind, const char *context)
{
    char buffer[80];
    if (accept(p, kind) || in_panic(p))
        return;
    report(p, tok_span(p), DIAG_S009, "expected '%s' %s, found %s", token_text(kind), context,
           found(p, buffer, sizeof buffer));
    TokenKind k = p->tok.kind;
    bool wrong_word = k == TOK_THEN || k == TOK_LOOP;
    if (wrong_word)
        next(p);
    else if (!p->tok.newline)
        panic(p);
}

bool enter(Parser *p)
{
    if (++p->depth <= PARSER_MAX_DEPTH)
        return true;
    report(p, tok_span(p), DIAG_S018, "nesting is deeper than %d levels", PARSER_MAX_DEPTH);
    give_up(p);
    return false;
}

bool parse_block(Parser *p, void (*parse)(Parser *p, void *to), void *to)
{
    Block block = {p->block, p->tok.kind, NULL, tok_span(p), false};
    p->block = &block;
    if (enter(p))
        parse(p, to);
    leave(p);
    p->block = block.outer;
    return !block.broken;
}

/* ---- lists ---- */

void stack_push(Stack *s, const void *item, size_t size)
{
    if (!s->at || s->cap - s->n < size) {
        size_t cap = s->cap ? s->cap * 2 : 4096;
        s->at = memory_grow(s->at, s->cap, cap);
        s->cap = cap;
    }
    memcpy(s->at + s->n, item, size);
    s->n += size;
}

void *stack_take(Stack *s, size_t mark, size_t size, uint32_t *n, Arena *arena)
{
    size_t bytes = s->n - mark;
    *n = (uint32_t)(bytes / size);
    s->n = mark;
    if (!bytes)
        return NULL;
    void *at = arena_alloc(arena, bytes);
    memcpy(at, s->at + mark, bytes);
    return at;
}

void *semicolon_list(Parser *p, void *(*part)(Parser *p), const char *what, uint32_t *n)
{
    size_t mark = list_open(&p->items);
    while (skip_stray_part(p) || !ends_section(p)) {
        if (ends_section(p))
            continue;
        uint32_t start = p->tok.at;
        void *item = part(p);
        if (!in_panic(p)) {
            if (item)
                list_push(&p->items, item);
            expect_semicolon(p, what);
        }
        if (in_panic(p))
            synchronize(p, start);
    }
    return stack_take(&p->items, mark, sizeof(void *), n, p->arena);
}

static bool is_open_block(const Parser *p, TokenKind kind)
{
    for (const Block *b = p->block->outer; b && b->kind != TOK_CLASS; b = b->outer)
        if (b->kind == kind)
            return true;
    return false;
}

void parse_block_end(Parser *p)
{
    const Block *block = p->block;
    TokenKind kind = block->kind;
    if (in_panic(p))
        return;
    bool at_end = p->tok.kind == TOK_END;
    TokenKind then = at_end ? peek(p)->kind : TOK_EOF;
    if (then == kind) {
        next(p);
        next(p);
        return;
    }
    char buffer[80];
    const char *word = token_text(kind);
    bool reported = at_end ? report(p, tok_span(p), DIAG_S010, "expected 'end %s', found 'end %s'",
                                    word, then == TOK_IDENT ? p->ahead.name : token_text(then))
                           : report(p, tok_span(p), DIAG_S010, "expected 'end %s', found %s", word,
                                    found(p, buffer, sizeof buffer));
    if (reported)
        diag_note(p->ctx, block->span, "'%s' begins here", word);
    bool wrong_word = then == TOK_IF || then == TOK_FOR || then == TOK_WHEN || then == TOK_WHILE;
    if (at_end && (then == TOK_SEMICOLON || (wrong_word && !is_open_block(p, then)))) {
        next(p);
        if (wrong_word)
            next(p);
    }
}

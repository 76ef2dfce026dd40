/* Semantic tokens: the kind of each word, by its meaning. */
#include "service/cursor.h"

#include "syntax/parse/token.h"

/* In the order of the legend that language/lsp_lifecycle.c announces. */
typedef enum Kind {
    KIND_NAMESPACE,
    KIND_CLASS,
    KIND_TYPE,
    KIND_FUNCTION,
    KIND_PARAMETER,
    KIND_VARIABLE,
    KIND_PROPERTY,
    KIND_KEYWORD,
    KIND_STRING,
    KIND_NUMBER,
    KIND_COMMENT,
    KIND_OPERATOR
} Kind;

enum { MOD_DECLARATION = 1, MOD_READONLY = 2 };

typedef struct Tokens {
    Service *s;
    uint32_t line, character; /* of the token before */
    size_t counted;           /* byte up to which lines are counted, and where that is */
    uint32_t at_line, at_character;
    Cursor c;
    size_t scope_from, scope_to; /* bytes for which the scope of the cursor holds */
} Tokens;

static uint32_t units(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 0xF0 ? 2 : (u & 0xC0) != 0x80;
}

static void count_to(Tokens *w, size_t at)
{
    for (; w->counted < at; w->counted++)
        if (w->c.text[w->counted] == '\n') {
            w->at_line++;
            w->at_character = 0;
        } else {
            w->at_character += units(w->c.text[w->counted]);
        }
}

/* One line of a token; clients do not know tokens of several lines. */
static void put_part(Tokens *w, size_t at, size_t end, Kind kind, unsigned modifiers)
{
    uint32_t length = 0;
    for (size_t i = at; i < end; i++)
        length += units(w->c.text[i]);
    count_to(w, at);
    uint32_t lines = w->at_line - w->line;
    put_comma(w->s->t);
    text_printf(w->s->t, "%u,%u,%u,%u,%u", lines,
                lines ? w->at_character : w->at_character - w->character, length, (unsigned)kind,
                modifiers);
    w->line = w->at_line;
    w->character = w->at_character;
}

static void put_token(Tokens *w, size_t at, size_t end, Kind kind, unsigned modifiers)
{
    while (at < end) {
        const char *stop = memchr(w->c.text + at, '\n', end - at);
        size_t to = stop ? (size_t)(stop - w->c.text) : end;
        size_t trimmed = to > at && w->c.text[to - 1] == '\r' ? to - 1 : to;
        if (trimmed > at)
            put_part(w, at, trimmed, kind, modifiers);
        at = to + 1;
    }
}

static void put_comments(Tokens *w, size_t at, size_t end)
{
    const char *text = w->c.text;
    while (at + 1 < end) {
        if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*')) {
            at++;
            continue;
        }
        const char *close = text[at + 1] == '/' ? strchr(text + at, '\n') : strstr(text + at, "*/");
        size_t stop = close ? (size_t)(close - text) + (text[at + 1] == '*' ? 2 : 0) : end;
        put_token(w, at, stop < end ? stop : end, KIND_COMMENT, 0);
        at = stop;
    }
}

static Kind class_kind(const AstClass *c)
{
    return c->restriction == AST_PACKAGE ? KIND_NAMESPACE
           : c->restriction == AST_FUNCTION || c->restriction == AST_OPERATOR_FUNCTION
               ? KIND_FUNCTION
           : c->restriction == AST_TYPE ? KIND_TYPE
                                        : KIND_CLASS;
}

/* Before the next class begins or this one ends, the scope stays the same. */
static void move_scope(Tokens *w, size_t at)
{
    if (at >= w->scope_from && at < w->scope_to) {
        w->c.at = at;
        return;
    }
    cursor_move(&w->c, at);
    const AstClass *a = w->c.around;
    w->scope_from = w->scope_to = at;
    if (!a || at < a->span.at || at > a->span.end)
        return;
    w->scope_to = a->span.end;
    for (uint32_t i = 0; i < a->elements.n; i++) {
        const AstElement *e = a->elements.at[i];
        if (e->kind == AST_EL_CLASS && e->class_ && e->class_->span.at > at &&
            e->class_->span.at < w->scope_to)
            w->scope_to = e->class_->span.at;
    }
}

static void put_identifier(Tokens *w, const Token *tok)
{
    move_scope(w, tok->at);
    Meaning m = cursor_meaning(&w->c);
    const Element *e = m.element;
    unsigned modifiers =
        m.declared.file == w->c.file->source && m.declared.at == tok->at ? MOD_DECLARATION : 0;
    const AstClass *class_ = e ? inspect_ast(w->s->lib, e) : NULL;
    if (class_)
        put_token(w, tok->at, tok->end, class_kind(class_), modifiers);
    else if (e && e->kind == ELEMENT_ATTRIBUTE)
        put_token(w, tok->at, tok->end, KIND_PROPERTY, modifiers);
    else if (e && e->ast && e->ast->variability >= AST_PARAMETER)
        put_token(w, tok->at, tok->end, KIND_PARAMETER, modifiers | MOD_READONLY);
    else if (m.is_iterator || (e && e->ast))
        put_token(w, tok->at, tok->end, KIND_VARIABLE, modifiers);
}

static void put_lexed(Tokens *w, const Token *tok)
{
    if (tok->kind == TOK_STRING)
        put_token(w, tok->at, tok->end, KIND_STRING, 0);
    else if (tok->kind == TOK_INT || tok->kind == TOK_REAL)
        put_token(w, tok->at, tok->end, KIND_NUMBER, 0);
    else if (token_is_keyword(tok->kind))
        put_token(w, tok->at, tok->end, KIND_KEYWORD, 0);
    else if (tok->kind == TOK_IDENT)
        put_identifier(w, tok);
}

/* The whole annotation has no names of the model; its words are found by the lexer alone. */
static void skip_annotation(Tokens *w, Lexer *x, Token *tok)
{
    uint32_t depth = 0;
    size_t last = tok->end;
    do {
        lexer_next(x, tok);
        if (tok->kind == TOK_EOF)
            return;
        put_comments(w, last, tok->at);
        last = tok->end;
        if (tok->kind != TOK_IDENT)
            put_lexed(w, tok);
        depth += tok->kind == TOK_LPAREN;
        depth -= tok->kind == TOK_RPAREN && depth;
    } while (depth);
}

void ask_tokens(Service *s)
{
    const Question *q = s->q;
    Tokens w = {.s = s, .c = s->c};
    Lexer x;
    Token tok = {0};
    size_t last = 0, from = 0, to = s->c.size;
    if (q->end_line || q->end_character) {
        from = position_offset(q->text, q->size, q->line, q->character);
        to = position_offset(q->text, q->size, q->end_line, q->end_character);
    }
    Context *scratch = context_new();
    lexer_init(&x, scratch, sources_add(scratch->sources, q->path, q->text, q->size));
    text_put(s->t, "{\"data\":[");
    for (lexer_next(&x, &tok); tok.kind != TOK_EOF && tok.at < to; lexer_next(&x, &tok)) {
        if (tok.end >= from) {
            put_comments(&w, last < from ? from : last, tok.at);
            put_lexed(&w, &tok);
        }
        last = tok.end;
        if (tok.kind == TOK_ANNOTATION && tok.end >= from) {
            skip_annotation(&w, &x, &tok);
            last = tok.end;
        }
    }
    if (tok.kind == TOK_EOF)
        put_comments(&w, last, to);
    text_put(s->t, "]}");
    context_free(scratch);
}

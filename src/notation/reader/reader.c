/* Words of the older notations. */
#include "notation/reader/reader.h"
#include "syntax/parse/token.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

/* ---- errors ---- */

void reader_error(Reader *r, Span span, DiagCode code, const char *format, ...)
{
    if (r->error_at == span.at)
        return;
    r->error_at = span.at;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(r->scratch, format, args);
    va_end(args);
    diag(r->tree.ctx, span, code, "%s", text);
}

void reader_unexpected(Reader *r, const char *what)
{
    const Word *w = word(r);
    if (w->kind == WORD_END)
        reader_error(r, word_span(r), DIAG_S001, "expected %s, found the end of the file", what);
    else
        reader_error(r, word_span(r), DIAG_S001, "expected %s, found '%.*s'", what,
                     (int)(w->end - w->at > 40 ? 40 : w->end - w->at), r->text + w->at);
}

/* ---- splitting ---- */

typedef struct Splitter {
    Reader *r;
    uint32_t at, size;
    bool newline;
} Splitter;

static bool starts_with(const Splitter *s, const char *text)
{
    return text && !strncmp(s->r->text + s->at, text, strlen(text));
}

static void add_remark(Splitter *s, uint32_t from, uint32_t to, uint32_t end)
{
    const char *text = s->r->text;
    while (from < to && isspace((unsigned char)text[from]))
        from++;
    while (to > from && isspace((unsigned char)text[to - 1]))
        to--;
    Remark remark = {.span = {s->r->file, from, end},
                     .text = arena_copy(s->r->tree.arena, text + from, to - from),
                     .trailing = !s->newline};
    vec_push(&s->r->remarks, remark);
}

static void skip_line_comment(Splitter *s)
{
    uint32_t from = s->at + (uint32_t)strlen(s->r->style->comment_line);
    while (s->at < s->size && s->r->text[s->at] != '\n')
        s->at++;
    add_remark(s, from, s->at, s->at);
}

static void skip_block_comment(Splitter *s)
{
    const Style *style = s->r->style;
    uint32_t from = s->at + (uint32_t)strlen(style->comment_open);
    const char *close = strstr(s->r->text + from, style->comment_close);
    if (!close) {
        reader_error(s->r, (Span){s->r->file, s->at, from}, DIAG_S004,
                     "this comment is not closed by '%s'", style->comment_close);
        s->at = s->size;
        return;
    }
    uint32_t to = (uint32_t)(close - s->r->text);
    s->at = to + (uint32_t)strlen(style->comment_close);
    add_remark(s, from, to, s->at);
}

static void skip_blanks(Splitter *s)
{
    while (s->at < s->size) {
        char c = s->r->text[s->at];
        if (c == '\n')
            s->newline = true;
        if (isspace((unsigned char)c))
            s->at++;
        else if (starts_with(s, s->r->style->comment_open))
            skip_block_comment(s);
        else if (starts_with(s, s->r->style->comment_line))
            skip_line_comment(s);
        else
            return;
    }
}

static void add_word(Splitter *s, WordKind kind, uint32_t from, uint32_t text_from,
                     uint32_t text_to)
{
    Name name = name_intern(s->r->tree.ctx->names, s->r->text + text_from, text_to - text_from);
    Word w = {kind, s->newline, from, s->at, name};
    vec_push(&s->r->words, w);
    s->newline = false;
}

static bool is_digit(const Splitter *s, uint32_t at)
{
    return at < s->size && isdigit((unsigned char)s->r->text[at]);
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name_char(const Splitter *s, uint32_t at)
{
    return at < s->size && (is_letter(s->r->text[at]) || is_digit(s, at));
}

static void split_number(Splitter *s)
{
    const char *text = s->r->text;
    uint32_t from = s->at;
    while (is_digit(s, s->at))
        s->at++;
    if (text[s->at] == '.' && text[s->at + 1] != '.')
        for (s->at++; is_digit(s, s->at);)
            s->at++;
    if (text[s->at] == 'e' || text[s->at] == 'E') {
        uint32_t sign = text[s->at + 1] == '+' || text[s->at + 1] == '-';
        if (is_digit(s, s->at + 1 + sign))
            for (s->at += 1 + sign; is_digit(s, s->at);)
                s->at++;
    }
    add_word(s, WORD_NUMBER, from, from, s->at);
}

static void split_name(Splitter *s)
{
    uint32_t from = s->at;
    while (is_name_char(s, s->at))
        s->at++;
    add_word(s, WORD_NAME, from, from, s->at);
}

static void split_string(Splitter *s)
{
    const char *text = s->r->text;
    uint32_t from = s->at++;
    while (s->at < s->size && text[s->at] != '"' && text[s->at] != '\n')
        s->at++;
    bool closed = text[s->at] == '"';
    if (!closed)
        reader_error(s->r, (Span){s->r->file, from, s->at}, DIAG_S003,
                     "this string is not closed in its line");
    uint32_t to = s->at;
    s->at += closed;
    add_word(s, WORD_STRING, from, from + 1, to);
}

/* 'Inactive, with or without a closing quote. A quote directly after a word is a symbol (a prime).
 */
static bool split_quoted(Splitter *s)
{
    uint32_t from = s->at;
    const Word *last = s->r->words.n ? &vec_last(&s->r->words) : NULL;
    bool behind =
        last && last->end == from &&
        (last->kind == WORD_NAME || (last->kind == WORD_SYMBOL && strchr("])", *last->name)));
    if (behind || s->at + 1 >= s->size || !is_letter(s->r->text[s->at + 1]))
        return false;
    for (s->at++; is_name_char(s, s->at);)
        s->at++;
    uint32_t to = s->at;
    s->at += s->r->text[s->at] == '\'';
    add_word(s, WORD_QUOTED, from, from + 1, to);
    return true;
}

static void split_symbol(Splitter *s)
{
    uint32_t from = s->at;
    for (const char *const *symbol = s->r->style->symbols; *symbol; symbol++)
        if (starts_with(s, *symbol)) {
            s->at += (uint32_t)strlen(*symbol);
            add_word(s, WORD_SYMBOL, from, from, s->at);
            return;
        }
    for (s->at++; s->at < s->size && ((unsigned char)s->r->text[s->at] & 0xC0) == 0x80;)
        s->at++;
    reader_error(s->r, (Span){s->r->file, from, s->at}, DIAG_S012,
                 "this character has no meaning in %s", s->r->style->name);
}

static void split_word(Splitter *s)
{
    const char *c = s->r->text + s->at;
    if (isdigit((unsigned char)*c) || (*c == '.' && is_digit(s, s->at + 1)))
        split_number(s);
    else if (is_letter(*c))
        split_name(s);
    else if (*c == '"')
        split_string(s);
    else if (*c != '\'' || !split_quoted(s))
        split_symbol(s);
}

void reader_init(Reader *r, Context *ctx, uint32_t source, const Style *style, Arena *arena)
{
    const Source *text = sources_get(ctx->sources, source);
    *r = (Reader){.tree = {.ctx = ctx, .arena = arena},
                  .style = style,
                  .file = source,
                  .text = text->text,
                  .error_at = UINT32_MAX,
                  .scratch = arena_new()};
    Splitter s = {.r = r, .size = text->size, .newline = true};
    for (skip_blanks(&s); s.at < s.size; skip_blanks(&s))
        split_word(&s);
    s.newline = true;
    add_word(&s, WORD_END, s.at, s.at, s.at);
}

void reader_done(Reader *r)
{
    vec_free(&r->words);
    vec_free(&r->remarks);
    arena_free(r->scratch);
}

/* ---- walking ---- */

void reader_next(Reader *r)
{
    if (r->at + 1 < r->words.n)
        r->at++;
}

Span reader_since(const Reader *r, uint32_t at)
{
    uint32_t end = r->at ? r->words.at[r->at - 1].end : at;
    return (Span){r->file, at, end > at ? end : at};
}

bool word_reads(const Reader *r, const Word *w, const char *text)
{
    if (w->kind == WORD_SYMBOL)
        return !strcmp(w->name, text);
    return w->kind == WORD_NAME &&
           !(r->style->fold_case ? strcasecmp(w->name, text) : strcmp(w->name, text));
}

bool at_word(const Reader *r, const char *text)
{
    return word_reads(r, word(r), text);
}

bool accept_word(Reader *r, const char *text)
{
    bool here = at_word(r, text);
    if (here)
        reader_next(r);
    return here;
}

bool expect_word_of(Reader *r, const char *text, const char *context)
{
    if (accept_word(r, text))
        return true;
    char what[80];
    snprintf(what, sizeof what, "'%s'%s%s", text, *context ? " " : "", context);
    reader_unexpected(r, what);
    return false;
}

static bool is_line_end(const Word *w)
{
    return w->kind == WORD_END || w->newline;
}

bool if_is_name(const Reader *r, const Word *w)
{
    if (!r->style->lines || !word_reads(r, w, "if"))
        return false;
    const Word *next = w + 1;
    if (is_line_end(next) || (next->kind == WORD_NAME && word_is_reserved(r, next) &&
                              !word_reads(r, next, "not") && !word_reads(r, next, "if")))
        return true;
    if (next->kind != WORD_SYMBOL)
        return false;
    if (!word_reads(r, next, "(") && !word_reads(r, next, "-") && !word_reads(r, next, "+"))
        return true;
    while (!is_line_end(next) && !word_reads(r, next, "then"))
        next++;
    return is_line_end(next) && !word_reads(r, next, "then");
}

bool word_is_reserved(const Reader *r, const Word *w)
{
    if (if_is_name(r, w))
        return false;
    for (const char *const *text = r->style->reserved; *text; text++)
        if (w->kind == WORD_NAME && word_reads(r, w, *text))
            return true;
    return false;
}

static bool is_modelica_word(const char *text)
{
    static const char *const words[] = {
#define X(id, word) word,
        SYNTAX_KEYWORDS(X)
#undef X
    };
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i]))
            return strcmp(text, "der") && strcmp(text, "initial");
    return false;
}

Name expect_plain_name(Reader *r, const char *what)
{
    const Word *w = word(r);
    if (w->kind != WORD_NAME || word_is_reserved(r, w)) {
        reader_unexpected(r, what);
        return NULL;
    }
    reader_next(r);
    return is_modelica_word(w->name)
               ? name_of(r->tree.ctx->names, arena_printf(r->scratch, "'%s'", w->name))
               : w->name;
}

/* ---- remarks ---- */

static bool ends_line_before(const Reader *r, uint32_t from, uint32_t to)
{
    return memchr(r->text + from, '\n', to - from) != NULL;
}

const char *take_remarks(Reader *r, uint32_t from, uint32_t to)
{
    const char *all = NULL;
    for (uint32_t i = 0; i < r->remarks.n; i++) {
        Remark *k = &r->remarks.at[i];
        bool inside = k->span.at >= from && k->span.at < to;
        bool behind = k->trailing && k->span.at >= to && !ends_line_before(r, to, k->span.at);
        if (k->used || !(inside || behind))
            continue;
        k->used = true;
        all = all ? arena_printf(r->tree.arena, "%s\n%s", all, k->text) : k->text;
    }
    return all;
}

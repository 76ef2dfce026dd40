/* The lexer: text → tokens, one at a time (Modelica 3.6, A.1). A table maps every byte to the
 * tokens that may start with it. The NUL after the text ends all inner loops, so none of them
 * compares positions. Lexical errors are reported here and never stop the lexer. */
#include "syntax/parse/token.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    C_BAD,
    C_END,
    C_SPACE,
    C_NEWLINE,
    C_LETTER,
    C_DIGIT,
    C_STRING,
    C_TICK,
    C_DOT,
    C_SLASH,
    C_SYMBOL
};

static const uint8_t class_of[256] = {
    [0] = C_END,
    [' '] = C_SPACE,
    ['\t'] = C_SPACE,
    ['\v'] = C_SPACE,
    ['\f'] = C_SPACE,
    ['\n'] = C_NEWLINE,
    ['\r'] = C_NEWLINE,
    ['a' ... 'z'] = C_LETTER,
    ['A' ... 'Z'] = C_LETTER,
    ['_'] = C_LETTER,
    ['0' ... '9'] = C_DIGIT,
    ['"'] = C_STRING,
    ['\''] = C_TICK,
    ['.'] = C_DOT,
    ['/'] = C_SLASH,
    ['('] = C_SYMBOL,
    [')'] = C_SYMBOL,
    ['['] = C_SYMBOL,
    [']'] = C_SYMBOL,
    ['{'] = C_SYMBOL,
    ['}'] = C_SYMBOL,
    [','] = C_SYMBOL,
    [';'] = C_SYMBOL,
    [':'] = C_SYMBOL,
    ['='] = C_SYMBOL,
    ['<'] = C_SYMBOL,
    ['>'] = C_SYMBOL,
    ['+'] = C_SYMBOL,
    ['-'] = C_SYMBOL,
    ['*'] = C_SYMBOL,
    ['^'] = C_SYMBOL,
};

static const char *const texts[TOK_COUNT] = {
    [TOK_EOF] = "end of file",           [TOK_PANIC] = "",         [TOK_IDENT] = "a name",
    [TOK_STRING] = "a string",           [TOK_INT] = "an integer", [TOK_REAL] = "a number",
#define X(id, text) [TOK_##id] = text,
    SYNTAX_SYMBOLS(X) SYNTAX_KEYWORDS(X)
#undef X
};

static const uint8_t keyword_sizes[TOK_COUNT + 1] = {
#define X(id, text) [TOK_##id] = sizeof text - 1,
    SYNTAX_KEYWORDS(X)
#undef X
};

/* The first keyword with a letter; 0 if there is none. */
static const uint8_t first_keyword[26] = {
    ['a' - 'a'] = TOK_ALGORITHM, ['b' - 'a'] = TOK_BLOCK,    ['c' - 'a'] = TOK_CLASS,
    ['d' - 'a'] = TOK_DER,       ['e' - 'a'] = TOK_EACH,     ['f' - 'a'] = TOK_FALSE,
    ['i' - 'a'] = TOK_IF,        ['l' - 'a'] = TOK_LOOP,     ['m' - 'a'] = TOK_MODEL,
    ['n' - 'a'] = TOK_NOT,       ['o' - 'a'] = TOK_OPERATOR, ['p' - 'a'] = TOK_PACKAGE,
    ['r' - 'a'] = TOK_RECORD,    ['s' - 'a'] = TOK_STREAM,   ['t' - 'a'] = TOK_THEN,
    ['w' - 'a'] = TOK_WHEN,
};

const char *token_text(TokenKind kind)
{
    return texts[kind];
}

void lexer_init(Lexer *x, Context *ctx, uint32_t source)
{
    const Source *src = sources_get(ctx->sources, source);
    *x = (Lexer){.ctx = ctx, .text = src->text, .file = source, .size = src->size};
}

/* Beyond the limit, errors are not reported, and lexer_next() ends the text. */
static bool count_error(Lexer *x, Token *t)
{
    t->bad = true;
    return x->n_errors < x->ctx->max_errors && ++x->n_errors;
}

#define LEX_ERROR(x, t, at_, end_, code, ...)                                                      \
    (count_error((x), (t))                                                                         \
         ? diag((x)->ctx, (Span){(x)->file, (at_), (end_)}, DIAG_##code, __VA_ARGS__)              \
         : (void)0)

static bool is_word(char c)
{
    uint8_t k = class_of[(unsigned char)c];
    return k == C_LETTER || k == C_DIGIT;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void finish(Lexer *x, Token *t, TokenKind kind, uint32_t end)
{
    t->kind = kind;
    t->end = x->at = end;
}

/* ---- UTF-8 ---- */

typedef struct LookAlike {
    const char *character, *meant;
} LookAlike;

static const LookAlike look_alikes[] = {
    {"\u2212", "-"},
    {"\u2013", "-"},
    {"\u2014", "-"},
    {"\u201C", "\""},
    {"\u201D", "\""},
    {"\u2018", "'"},
    {"\u2019", "'"},
    {"\u00D7", "*"},
    {"\u00B7", "*"},
    {"\u2264", "<="},
    {"\u2265", ">="},
    {"\u2260", "<>"},
    {"\u00A0", "a plain space"},
    {"?", "if a then b else c"},
    {"%", "mod(a, b)"},
    {"\u00B2", "^2"},
    {"\u00B3", "^3"},
};

/* Reports the character at x->at, which can start nothing, and steps over it. */
static void bad_character(Lexer *x, Token *t)
{
    const char *s = x->text + x->at;
    unsigned n = text_character(s);
    uint32_t at = x->at;
    x->at += n ? n : 1;
    if (!n) {
        LEX_ERROR(x, t, at, x->at, S013, "byte 0x%02X is not UTF-8", (unsigned char)*s);
        return;
    }
    if ((unsigned char)*s < 0x20 || *s == 0x7F) {
        LEX_ERROR(x, t, at, x->at, S012, "control character 0x%02X in the text", (unsigned char)*s);
        return;
    }
    for (size_t i = 0; i < sizeof look_alikes / sizeof *look_alikes; i++)
        if (strlen(look_alikes[i].character) == n && !memcmp(look_alikes[i].character, s, n)) {
            LEX_ERROR(x, t, at, x->at, S012, "character '%.*s' has no meaning here; write %s",
                      (int)n, s, look_alikes[i].meant);
            return;
        }
    LEX_ERROR(x, t, at, x->at, S012, "character '%.*s' has no meaning here", (int)n, s);
}

/* ---- words ---- */

static TokenKind keyword(const char *s, uint32_t n)
{
    unsigned letter = (unsigned)(s[0] - 'a');
    if (letter >= 26 || !first_keyword[letter])
        return TOK_IDENT;
    for (unsigned k = first_keyword[letter]; k < TOK_COUNT && texts[k][0] == s[0]; k++)
        if (keyword_sizes[k] == n && !memcmp(texts[k], s, n))
            return (TokenKind)k;
    return TOK_IDENT;
}

static void word(Lexer *x, Token *t)
{
    const char *s = x->text + x->at;
    uint32_t n = 1;
    while (is_word(s[n]))
        n++;
    TokenKind kind = keyword(s, n);
    if (kind == TOK_IDENT)
        t->name = name_intern(x->ctx->names, s, n);
    finish(x, t, kind, x->at + n);
}

static bool is_escape(char c)
{
    return c && strchr("'\"?\\abfnrtv", c);
}

/* A quoted identifier's name: the escapes \? and \" are the same as ? and ". */
static Name quoted_name(Lexer *x, const char *s, size_t n)
{
    char *plain = memory_alloc(n);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\' && i + 1 < n) {
            if (s[i + 1] != '?' && s[i + 1] != '"')
                plain[k++] = s[i];
            i++;
        }
        plain[k++] = s[i];
    }
    Name name = name_intern(x->ctx->names, plain, k);
    memory_free(plain);
    return name;
}

static bool is_quotable(char c)
{
    return c >= ' ' && c < 0x7F && c != '\'' && c != '\\' && c != '`';
}

/* Reports an invalid character of a quoted identifier at s[n]; returns the bytes to skip. */
static uint32_t bad_quoted(Lexer *x, Token *t, const char *s, uint32_t n)
{
    unsigned size = text_character(s + n);
    uint32_t at = t->at + n;
    if (s[n] == '\\')
        LEX_ERROR(x, t, at, at + 1, S014, "'\\' does not start an escape in a quoted identifier");
    else if (!size)
        LEX_ERROR(x, t, at, at + 1, S013, "byte 0x%02X is not UTF-8", (unsigned char)s[n]);
    else
        LEX_ERROR(x, t, at, at + size, S022,
                  "character '%.*s' is not allowed in a quoted identifier", (int)size, s + n);
    return size ? size : 1;
}

/* Q-IDENT = "'" ( Q-CHAR | S-ESCAPE ) { Q-CHAR | S-ESCAPE } "'" */
static void quoted_identifier(Lexer *x, Token *t)
{
    const char *s = x->text + x->at;
    bool escapes = false;
    uint32_t n = 1;
    while (s[n] != '\'') {
        if (!s[n] || s[n] == '\n' || s[n] == '\r') {
            LEX_ERROR(x, t, t->at, t->at + n, S021, "quoted identifier is not closed on its line%s",
                      t->at && is_word(x->text[t->at - 1]) ? "; a derivative is der(x), not x'"
                                                           : "");
            break;
        }
        if (s[n] == '\\' && is_escape(s[n + 1])) {
            escapes = true;
            n += 2;
        } else {
            n += is_quotable(s[n]) ? 1 : bad_quoted(x, t, s, n);
        }
    }
    if (n == 1 && s[1] == '\'')
        LEX_ERROR(x, t, t->at, t->at + 2, S022, "a quoted identifier cannot be empty");
    n += s[n] == '\'';
    t->name = escapes ? quoted_name(x, s, n) : name_intern(x->ctx->names, s, n);
    finish(x, t, TOK_IDENT, x->at + n);
}

/* ---- strings ---- */

static const uint8_t string_stop[256] = {
    [0] = 1, ['"'] = 1, ['\\'] = 1, ['\r'] = 1, [0x80 ... 0xFF] = 1,
};

/* A string without a closing quote. It is assumed to end with its first line, so that the rest of
 * the text is still parsed. */
static void unterminated_string(Lexer *x, Token *t)
{
    const char *s = x->text + t->at;
    uint32_t n = (uint32_t)strcspn(s, "\r\n");
    LEX_ERROR(x, t, t->at, t->at + 1, S003, "string is not closed: its '\"' is missing");
    finish(x, t, TOK_STRING, t->at + n);
}

/* STRING = """ { S-CHAR | S-ESCAPE } """ */
static void string(Lexer *x, Token *t)
{
    const char *text = x->text;
    uint32_t i = x->at + 1;
    bool utf8_told = false;
    t->plain = true;
    for (;;) {
        while (!string_stop[(unsigned char)text[i]])
            i++;
        char c = text[i];
        if (c == '"')
            break;
        if (!c && i >= x->size) {
            unterminated_string(x, t);
            return;
        }
        if (c == '\\') {
            t->plain = false;
            if (is_escape(text[i + 1])) {
                i += 2;
                continue;
            }
            LEX_ERROR(x, t, i, i + 1, S014,
                      "'\\' does not start an escape here; write '\\\\' for a backslash");
            i++;
        } else if (c == '\r') {
            t->plain = false;
            i++;
        } else if (!c) {
            t->plain = false;
            LEX_ERROR(x, t, i, i + 1, S012, "control character 0x00 in a string");
            i++;
        } else {
            unsigned n = text_character(text + i);
            if (!n && !utf8_told) {
                utf8_told = true;
                LEX_ERROR(x, t, i, i + 1, S013, "byte 0x%02X is not UTF-8", (unsigned char)c);
            }
            i += n ? n : 1;
        }
    }
    finish(x, t, TOK_STRING, i + 1);
}

static char escaped(char c)
{
    switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return c;
    }
}

char *lexer_string(const Lexer *x, const Token *t, Arena *arena, uint32_t *size)
{
    const char *s = x->text + t->at + 1;
    size_t n = t->end - t->at - 1;
    if (n && s[n - 1] == '"' && t->end > t->at + 1)
        n--;
    if (t->plain) {
        *size = (uint32_t)n;
        return arena_copy(arena, s, n);
    }
    char *out = arena_alloc(arena, n + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\' && i + 1 < n && is_escape(s[i + 1]))
            out[k++] = escaped(s[++i]);
        else if (s[i] && !(s[i] == '\r' && s[i + 1] == '\n'))
            out[k++] = s[i];
    }
    *size = (uint32_t)k;
    return out;
}

/* ---- numbers ---- */

static uint32_t skip_digits(const char *s, uint32_t i)
{
    while (is_digit(s[i]))
        i++;
    return i;
}

/* [ ( "e" | "E" ) [ "+" | "-" ] UNSIGNED-INTEGER ] */
static uint32_t skip_exponent(const char *s, uint32_t i)
{
    if (s[i] != 'e' && s[i] != 'E')
        return i;
    uint32_t k = i + 1 + (s[i + 1] == '+' || s[i + 1] == '-');
    return is_digit(s[k]) ? skip_digits(s, k) : i;
}

/* UNSIGNED-INTEGER | UNSIGNED-REAL; starts at a digit, or at "." before a digit */
static void number(Lexer *x, Token *t)
{
    const char *s = x->text + x->at;
    uint32_t n = skip_digits(s, 0);
    TokenKind kind = TOK_INT;
    if (s[n] == '.') {
        kind = TOK_REAL;
        n = skip_digits(s, n + 1);
    }
    uint32_t end = skip_exponent(s, n);
    finish(x, t, end > n ? TOK_REAL : kind, x->at + end);
}

/* The slow way: the digits without their point, with the exponent adjusted, read by the C library.
 * Without a point the result does not depend on the locale. */
static double long_real(const char *digits, size_t n, long exponent, Arena *scratch)
{
    char *text = arena_alloc(scratch, n + 32);
    memcpy(text, digits, n);
    snprintf(text + n, 32, "e%ld", exponent);
    return strtod(text, NULL);
}

double lexer_real(const Lexer *x, const Token *t, Arena *scratch)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { LARGEST_EXPONENT = 1000000000 };
    const char *s = x->text + t->at, *end = x->text + t->end;
    uint64_t mantissa = 0;
    unsigned n_digits = 0;
    long exponent = 0, scale = 0;
    bool point = false, minus = false;
    const char *c = s;
    for (; c < end && *c != 'e' && *c != 'E'; c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        scale -= point;
        n_digits += n_digits || *c != '0';
        if (n_digits <= 19)
            mantissa = mantissa * 10 + (uint64_t)(*c - '0');
    }
    const char *digits_end = c;
    if (c < end)
        c++;
    if (c < end && (*c == '-' || *c == '+'))
        minus = *c++ == '-';
    for (; c < end; c++)
        if (exponent < LARGEST_EXPONENT)
            exponent = exponent * 10 + (*c - '0');
    exponent = (minus ? -exponent : exponent) + scale;
    if (n_digits <= 19 && mantissa <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)mantissa / power[-exponent]
                            : (double)mantissa * power[exponent];
    char *digits = arena_alloc(scratch, (size_t)(digits_end - s) + 1);
    size_t n = 0;
    for (c = s; c < digits_end; c++)
        if (*c != '.')
            digits[n++] = *c;
    return long_real(digits, n, exponent, scratch);
}

bool lexer_integer(const Lexer *x, const Token *t, int64_t *value)
{
    int64_t v = 0;
    for (uint32_t i = t->at; i < t->end; i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, x->text[i] - '0', &v)) {
            *value = INT64_MAX;
            return false;
        }
    *value = v;
    return true;
}

/* ---- comments and symbols ---- */

static void line_comment(Lexer *x)
{
    const char *s = x->text + x->at;
    while (*s != '\n' && *s != '\r' && (*s || s < x->text + x->size))
        s++;
    x->at = (uint32_t)(s - x->text);
}

static void block_comment(Lexer *x, Token *t)
{
    uint32_t start = x->at;
    const char *s = x->text + start + 2, *end = x->text + x->size;
    for (; s < end; s++) {
        t->newline |= *s == '\n';
        if (*s == '*' && s[1] == '/') {
            x->at = (uint32_t)(s + 2 - x->text);
            return;
        }
    }
    x->at = x->size;
    LEX_ERROR(x, t, start, start + 2, S004, "comment is not closed: its '*/' is missing");
}

/* True if a comment was skipped, false if a token was made. */
static bool slash(Lexer *x, Token *t)
{
    char next = x->text[x->at + 1];
    if (next == '/') {
        line_comment(x);
        return true;
    }
    if (next == '*') {
        block_comment(x, t);
        return true;
    }
    finish(x, t, TOK_DIV, x->at + 1);
    return false;
}

static void dot(Lexer *x, Token *t)
{
    switch (x->text[x->at + 1]) {
    case '+': finish(x, t, TOK_EADD, x->at + 2); break;
    case '-': finish(x, t, TOK_ESUB, x->at + 2); break;
    case '*': finish(x, t, TOK_EMUL, x->at + 2); break;
    case '/': finish(x, t, TOK_EDIV, x->at + 2); break;
    case '^': finish(x, t, TOK_EPOW, x->at + 2); break;
    case '0' ... '9': number(x, t); break;
    default: finish(x, t, TOK_DOT, x->at + 1); break;
    }
}

/* One character, or two if `next` follows. */
static void one_or_two(Lexer *x, Token *t, TokenKind one, char next, TokenKind two)
{
    bool both = x->text[x->at + 1] == next;
    finish(x, t, both ? two : one, x->at + (both ? 2 : 1));
}

static void symbol(Lexer *x, Token *t)
{
    static const uint8_t single[128] = {
        ['('] = TOK_LPAREN, [')'] = TOK_RPAREN, ['['] = TOK_LBRACKET, [']'] = TOK_RBRACKET,
        ['{'] = TOK_LBRACE, ['}'] = TOK_RBRACE, [','] = TOK_COMMA,    [';'] = TOK_SEMICOLON,
        ['+'] = TOK_ADD,    ['-'] = TOK_SUB,    ['^'] = TOK_POW,
    };
    char c = x->text[x->at];
    switch (c) {
    case ':': one_or_two(x, t, TOK_COLON, '=', TOK_ASSIGN); break;
    case '=': one_or_two(x, t, TOK_EQUALS, '=', TOK_EQ); break;
    case '>': one_or_two(x, t, TOK_GT, '=', TOK_GE); break;
    case '<':
        if (x->text[x->at + 1] == '>')
            finish(x, t, TOK_NE, x->at + 2);
        else
            one_or_two(x, t, TOK_LT, '=', TOK_LE);
        break;
    case '*':
        one_or_two(x, t, TOK_MUL, '*', TOK_POW);
        if (t->kind == TOK_POW)
            LEX_ERROR(x, t, t->at, t->end, S008, "'**' is not an operator of Modelica; write '^'");
        break;
    default: finish(x, t, single[(unsigned char)c], x->at + 1); break;
    }
}

typedef struct Foreign {
    const char *text, *meant;
    TokenKind kind;
} Foreign;

/* Operators of other languages, which start with a character that Modelica does not use. */
static bool foreign_operator(Lexer *x, Token *t)
{
    static const Foreign foreign[] = {
        {"&&", "and", TOK_AND}, {"&", "and", TOK_AND}, {"||", "or", TOK_OR},  {"|", "or", TOK_OR},
        {"!=", "<>", TOK_NE},   {"~=", "<>", TOK_NE},  {"!", "not", TOK_NOT}, {"~", "not", TOK_NOT},
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        uint32_t n = (uint32_t)strlen(foreign[i].text);
        if (strncmp(x->text + x->at, foreign[i].text, n))
            continue;
        finish(x, t, foreign[i].kind, x->at + n);
        LEX_ERROR(x, t, t->at, t->end, S008, "'%s' is not an operator of Modelica; write '%s'",
                  foreign[i].text, foreign[i].meant);
        return true;
    }
    return false;
}

void lexer_next(Lexer *x, Token *t)
{
    t->newline = !x->at;
    t->bad = false;
    for (;;) {
        t->at = x->at;
        switch (class_of[(unsigned char)x->text[x->at]]) {
        case C_SPACE: x->at++; break;
        case C_NEWLINE:
            t->newline = true;
            x->at++;
            break;
        case C_LETTER: word(x, t); return;
        case C_DIGIT: number(x, t); return;
        case C_STRING: string(x, t); return;
        case C_TICK: quoted_identifier(x, t); return;
        case C_DOT: dot(x, t); return;
        case C_SYMBOL: symbol(x, t); return;
        case C_SLASH:
            if (!slash(x, t))
                return;
            break;
        case C_END:
            if (x->at >= x->size) {
                finish(x, t, TOK_EOF, x->size);
                return;
            }
            bad_character(x, t);
            break;
        default:
            if (foreign_operator(x, t))
                return;
            bad_character(x, t);
            break;
        }
        if (t->bad && x->n_errors >= x->ctx->max_errors)
            x->at = x->size;
    }
}

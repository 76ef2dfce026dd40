/* Changes of the text, and scans over it. */
#include "edit/class_edit.h"
#include "syntax/parse/parse.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

void change(ClassEdit *e, uint32_t from, uint32_t to, const char *text)
{
    vec_push(&e->changes, ((Change){from, to, text}));
}

const char *source_of(const ClassEdit *e, Span span)
{
    return arena_copy(e->arena, e->text + span.at, span.end - span.at);
}

/* ---- scans ---- */

/* After the string or quoted identifier at `at`. */
static uint32_t quoted_end(const ClassEdit *e, uint32_t at)
{
    char quote = e->text[at++];
    while (at < e->size && e->text[at] != quote)
        at += e->text[at] == '\\' && at + 1 < e->size ? 2 : 1;
    return at < e->size ? at + 1 : e->size;
}

/* After the comment at `at`; `at` if there is none. */
static uint32_t comment_end(const ClassEdit *e, uint32_t at)
{
    const char *p = e->text + at, *end;
    if (p[0] != '/' || (p[1] != '/' && p[1] != '*'))
        return at;
    end = p[1] == '/' ? strchr(p, '\n') : strstr(p + 2, "*/");
    return end ? (uint32_t)(end - e->text) + (p[1] == '*' ? 2 : 0) : e->size;
}

/* After the token, comment or white space at `at`, as far as brackets and strings matter. */
static uint32_t skip_piece(const ClassEdit *e, uint32_t at)
{
    uint32_t after = comment_end(e, at);
    if (after != at)
        return after;
    return e->text[at] == '"' || e->text[at] == '\'' ? quoted_end(e, at) : at + 1;
}

uint32_t skip_space(const ClassEdit *e, uint32_t at)
{
    for (uint32_t before = UINT32_MAX; before != at && at < e->size;) {
        before = at;
        while (isspace((unsigned char)e->text[at]))
            at++;
        at = comment_end(e, at);
    }
    return at;
}

uint32_t bracket_end(const ClassEdit *e, uint32_t open)
{
    unsigned depth = 0;
    for (uint32_t at = open; at < e->size; at = skip_piece(e, at)) {
        depth += e->text[at] && strchr("([{", e->text[at]) ? 1 : 0;
        if (strchr(")]}", e->text[at]) && --depth == 0)
            return at + 1;
    }
    return e->size;
}

uint32_t statement_end(const ClassEdit *e, uint32_t at)
{
    while (at < e->size && e->text[at] != ';')
        at = e->text[at] == '(' ? bracket_end(e, at) : skip_piece(e, at);
    return at < e->size ? at + 1 : at;
}

static uint32_t skip_blanks(const ClassEdit *e, uint32_t at)
{
    while (e->text[at] == ' ' || e->text[at] == '\t' || e->text[at] == '\r')
        at++;
    return at;
}

uint32_t line_end_after(const ClassEdit *e, uint32_t at)
{
    uint32_t end = statement_end(e, at), rest = skip_blanks(e, end);
    if (e->text[rest] == '/' && e->text[rest + 1] == '/')
        rest = comment_end(e, rest);
    if (rest < e->size && e->text[rest] != '\n')
        return end;
    return rest > end && e->text[rest - 1] == '\r' ? rest - 1 : rest;
}

static uint32_t line_begin(const ClassEdit *e, uint32_t at)
{
    while (at && e->text[at - 1] != '\n')
        at--;
    return at;
}

const char *indent_of(const ClassEdit *e, uint32_t at)
{
    uint32_t begin = line_begin(e, at), end = begin;
    while (e->text[end] == ' ' || e->text[end] == '\t')
        end++;
    return arena_copy(e->arena, e->text + begin, end - begin);
}

void remove_statement(ClassEdit *e, uint32_t from, uint32_t end)
{
    uint32_t to = statement_end(e, end), begin = line_begin(e, from), rest = skip_blanks(e, to);
    if (skip_blanks(e, begin) == from && e->text[rest] == '\n') {
        from = begin;
        to = rest + 1;
    }
    change(e, from, to, "");
}

/* ---- numbers ---- */

double rounded(double x)
{
    double y = round(x * 1e6) / 1e6;
    return y == 0 ? 0 : y;
}

void put_coordinate(Text *t, double x, unsigned decimals)
{
    char buffer[64];
    unsigned n = decimals < 6 ? decimals : 6;
    x = rounded(x);
    while (n < 6 && fabs(round(x * pow(10, n)) / pow(10, n) - x) > 1e-9)
        n++;
    snprintf(buffer, sizeof buffer, "%.*f", (int)n, x);
    text_put(t, buffer);
}

bool read_literal(const AstExpr *e, double *out)
{
    if (e && e->kind == AST_UNARY && (e->op == AST_OP_SUB || e->op == AST_OP_ADD) &&
        read_literal(e->args.at[0], out)) {
        *out = e->op == AST_OP_SUB ? -*out : *out;
        return true;
    }
    if (!e || (e->kind != AST_REAL && e->kind != AST_INT))
        return false;
    *out = e->real;
    return true;
}

void change_number(ClassEdit *e, const AstExpr *literal, double value)
{
    double old;
    if (read_literal(literal, &old) && fabs(old - value) < 5e-7)
        return;
    const char *written = source_of(e, literal->span), *dot = strchr(written, '.');
    Text t = {0};
    put_coordinate(&t, value, dot ? (unsigned)strspn(dot + 1, "0123456789") : 0);
    change(e, literal->span.at, literal->span.end, text_keep(&t, e->arena));
}

/* ---- names and expressions of the user ---- */

bool is_identifier(const char *s)
{
    if (!s || (!isalpha((unsigned char)*s) && *s != '_'))
        return false;
    for (const char *p = s; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    return true;
}

/* One expression, nothing else. */
bool is_expression(ClassEdit *e, const char *text)
{
    Context *scratch = context_new();
    const char *model = arena_printf(e->arena, "model M\n  Real x = %s\n;\nend M;\n", text);
    AstFile *file =
        syntax_parse(scratch, sources_add(scratch->sources, "expression", model, strlen(model)));
    bool ok = !scratch->n_errors && file->classes.n == 1 && file->classes.at[0]->elements.n == 1;
    const AstElement *x = ok ? file->classes.at[0]->elements.at[0] : NULL;
    ok = x && x->mod && x->mod->value && !x->condition && !x->comment.text &&
         !x->comment.annotation && file->classes.at[0]->equations.n == 0;
    ast_free(file);
    context_free(scratch);
    return ok;
}

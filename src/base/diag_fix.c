/* Repairs that a program can apply: a piece of the text and its replacement. They follow from the
 * code, the words and the place of a message. */
#include "base/context.h"

#include <ctype.h>

static const char *text_of(const Context *ctx, Span span)
{
    return span.file ? sources_get(ctx->sources, span.file)->text : "";
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The text between the quotes after `before`; NULL if there is none. */
static const char *quoted_after(const char *text, const char *before, Arena *arena)
{
    const char *p = strstr(text, before), *end;
    p = p ? p + strlen(before) : NULL;
    if (!p || *p != '\'' || !(end = strchr(p + 1, '\'')) || end == p + 1)
        return NULL;
    return arena_copy(arena, p + 1, (size_t)(end - p - 1));
}

/* The suggested name in the message or in one of its notes. */
static const char *suggestion_of(const Diag *d, Arena *arena)
{
    const char *name = quoted_after(d->text, "did you mean ", arena);
    for (const DiagNote *n = d->notes; n && !name; n = n->next)
        name = quoted_after(n->text, "did you mean ", arena);
    return name;
}

/* The last of the quoted names before the suggestion that is a word of the span. */
static bool find_wrong_word(const Context *ctx, const Diag *d, Arena *arena, Span *word)
{
    const char *text = text_of(ctx, d->span), *stop = strstr(d->text, "did you mean ");
    bool found = false;
    for (const char *p = d->text; (p = strchr(p, '\'')) && (!stop || p < stop);) {
        const char *end = strchr(p + 1, '\'');
        if (!end)
            break;
        const char *name = arena_copy(arena, p + 1, (size_t)(end - p - 1));
        uint32_t n = (uint32_t)strlen(name);
        for (uint32_t i = d->span.at; n && i + n <= d->span.end; i++)
            if (!strncmp(text + i, name, n) && !is_word(text[i + n]) &&
                (i == d->span.at || !is_word(text[i - 1]))) {
                *word = (Span){d->span.file, i, i + n};
                found = true;
            }
        p = end + 1;
    }
    return found;
}

static bool fix_name(const Context *ctx, const Diag *d, Arena *arena, DiagFix *fix)
{
    const char *name = suggestion_of(d, arena);
    if (!name || !d->span.file || !find_wrong_word(ctx, d, arena, &fix->span))
        return false;
    fix->text = name;
    fix->title = arena_printf(arena, "replace by '%s'", name);
    return true;
}

/* "=" for ":=", and the other way round; "==" for "=". */
static bool fix_equals(const Context *ctx, const Diag *d, DiagFix *fix)
{
    const char *text = text_of(ctx, d->span) + d->span.at;
    size_t n = d->span.end - d->span.at;
    const char *other = n == 1 && *text == '='              ? ":="
                        : n == 2 && !strncmp(text, ":=", 2) ? "="
                        : n == 2 && !strncmp(text, "==", 2) ? "="
                                                            : NULL;
    if (!other)
        return false;
    *fix = (DiagFix){d->span, !strcmp(other, ":=") ? "write ':='" : "write '='", other};
    return true;
}

/* The value of a modification: "each" before the name that it belongs to. */
static bool fix_each(const Context *ctx, const Diag *d, DiagFix *fix)
{
    const char *text = text_of(ctx, d->span);
    uint32_t i = d->span.at;
    if (!strstr(d->text, "numbers of dimensions differ") || !strstr(d->text, " 0)"))
        return false;
    while (i && isspace((unsigned char)text[i - 1]))
        i--;
    if (!i || text[i - 1] != '=')
        return false;
    for (i--; i && isspace((unsigned char)text[i - 1]);)
        i--;
    uint32_t end = i;
    while (i && is_word(text[i - 1]))
        i--;
    uint32_t before = i;
    while (before && isspace((unsigned char)text[before - 1]))
        before--;
    if (i == end || !before || !strchr("(,", text[before - 1]))
        return false;
    *fix = (DiagFix){{d->span.file, i, i}, "write 'each'", "each "};
    return true;
}

static bool fix_fixed(const Context *ctx, const Diag *d, Arena *arena, DiagFix *fix)
{
    const char *path = quoted_after(d->text, "determines ", arena);
    return path && diag_fix_fixed(text_of(ctx, d->span), d->span, path, arena, fix);
}

bool diag_fix(const Context *ctx, const Diag *d, Arena *arena, DiagFix *fix)
{
    switch (d->code) {
    case DIAG_S002:
        *fix = (DiagFix){{d->span.file, d->span.at, d->span.at}, "insert ';'", ";"};
        return d->span.file;
    case DIAG_S006:
    case DIAG_S007: return d->span.file && fix_equals(ctx, d, fix);
    case DIAG_T102: return d->span.file && fix_fixed(ctx, d, arena, fix);
    case DIAG_I102: return d->span.file && fix_each(ctx, d, fix);
    default: return fix_name(ctx, d, arena, fix);
    }
}

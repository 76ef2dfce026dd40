/* The repair of a state without initial condition: fixed=true among the modifiers of the component
 * that contains it. */
#include "base/context.h"

#include <ctype.h>

typedef struct Scan {
    const char *text;
    uint32_t at, end;
} Scan;

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_comment(const char *p)
{
    return *p == '/' && (p[1] == '/' || p[1] == '*');
}

/* Past a string, a comment, a quoted name, or one character. */
static void skip_one(Scan *s)
{
    const char *p = s->text + s->at, *q = p + 1;
    if (*p == '"' || *p == '\'') {
        for (; *q && *q != *p; q++)
            q += *q == '\\' && q[1];
        q += *q != 0;
    } else if (is_comment(p) && p[1] == '/') {
        q = p + strcspn(p, "\n");
    } else if (is_comment(p)) {
        q = strstr(p + 2, "*/");
        q = q ? q + 2 : s->text + s->end;
    }
    s->at = q < s->text + s->end ? (uint32_t)(q - s->text) : s->end;
}

static void skip_space(Scan *s)
{
    while (s->at < s->end &&
           (isspace((unsigned char)s->text[s->at]) || is_comment(s->text + s->at)))
        skip_one(s);
}

/* From an opening bracket to behind the closing one. */
static bool skip_brackets(Scan *s)
{
    int depth = 0;
    do {
        char c = s->text[s->at];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        skip_one(s);
    } while (depth && s->at < s->end);
    return !depth;
}

/* To behind the word, outside of brackets. */
static bool find_word(Scan *s, const char *word, size_t n)
{
    bool inside = false; /* a longer name */
    while (s->at < s->end) {
        const char *p = s->text + s->at;
        if (!inside && !strncmp(p, word, n) && !is_letter(p[n]) && p[n] != '.') {
            s->at += (uint32_t)n;
            return true;
        }
        inside = is_letter(*p) || *p == '.';
        if (!strchr("([{", *p))
            skip_one(s);
        else if (!skip_brackets(s))
            return false;
    }
    return false;
}

/* Behind a name: past its dimensions, and into the list of its modifiers, which ends at s->end.
 * False if it has no list. */
static bool enter_modifiers(Scan *s)
{
    Scan t = *s;
    skip_space(&t);
    if (t.at < t.end && t.text[t.at] == '[' && skip_brackets(&t)) {
        s->at = t.at;
        skip_space(&t);
    }
    if (t.at >= t.end || t.text[t.at] != '(')
        return false;
    s->at = t.at + 1;
    if (!skip_brackets(&t))
        return false;
    s->end = t.at - 1;
    return true;
}

/* ---- the path of the state ---- */

typedef struct Part { /* "a", or "a[:]" if it is an array */
    const char *name;
    size_t n;
    bool is_array;
} Part;

enum { PARTS_MOST = 50 };

static uint32_t split(const char *path, Part *parts)
{
    uint32_t n = 0;
    for (const char *p = path; *p && n < PARTS_MOST; n++) {
        size_t length = *p == '\'' ? strcspn(p + 1, "'") + 2 : strcspn(p, ".[");
        parts[n] = (Part){p, length, p[length] == '['};
        p += length;
        p += strcspn(p, ".");
        p += *p == '.';
    }
    return n;
}

/* The modifier for the state below parts[from], inside the list of that part. */
static const char *modifier(const Part *parts, uint32_t from, uint32_t n, Arena *arena)
{
    const char *text = "fixed=true";
    for (uint32_t i = n; i-- > from;) {
        text = arena_printf(arena, "%s%s", parts[i].is_array ? "each " : "", text);
        if (i > from)
            text = arena_printf(arena, "%.*s(%s)", (int)parts[i].n, parts[i].name, text);
    }
    return text;
}

bool diag_fix_fixed(const char *text, Span declaration, const char *path, Arena *arena,
                    DiagFix *fix)
{
    Part parts[PARTS_MOST];
    Scan s = {text, declaration.at, declaration.end};
    uint32_t n = split(path, parts), i = 0;
    if (!n || !find_word(&s, parts[0].name, parts[0].n))
        return false;
    bool has_list = enter_modifiers(&s);
    for (Scan t = s; has_list && i + 1 < n && find_word(&t, parts[i + 1].name, parts[i + 1].n);) {
        i++;
        s = t;
        has_list = enter_modifiers(&s);
        t = s;
    }
    Scan known = s, first = s;
    if (has_list && find_word(&known, "fixed", 5))
        return false;
    skip_space(&first);
    const char *more = modifier(parts, i, n, arena);
    *fix = (DiagFix){{declaration.file, s.at, s.at},
                     "write 'fixed=true'",
                     !has_list              ? arena_printf(arena, "(%s)", more)
                     : first.at < first.end ? arena_printf(arena, "%s, ", more)
                                            : more};
    return true;
}

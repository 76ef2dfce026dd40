#include "base/text.h"

#include <errno.h>
#include <stdarg.h>

static void make_room(Text *t, size_t extra)
{
    if (t->n + extra + 1 <= t->cap)
        return;
    size_t cap = t->cap ? t->cap * 2 : 256;
    while (cap < t->n + extra + 1)
        cap *= 2;
    t->at = memory_grow(t->at, t->cap, cap);
    t->cap = cap;
}

void text_put_n(Text *t, const char *s, size_t n)
{
    make_room(t, n);
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}

void text_put(Text *t, const char *s)
{
    text_put_n(t, s, strlen(s));
}

void text_put_char(Text *t, char c)
{
    text_put_n(t, &c, 1);
}

void text_printf(Text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    make_room(t, (size_t)n);
    vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
    t->n += (size_t)n;
    va_end(again);
    va_end(args);
}

bool text_read(Text *t, FILE *f, size_t most)
{
    size_t begin = t->n, got;
    do {
        make_room(t, 1 << 16);
        got = fread(t->at + t->n, 1, t->cap - t->n - 1, f);
        t->n += got;
    } while (got && t->n - begin <= most);
    t->at[t->n] = 0;
    if (t->n - begin <= most)
        return !ferror(f);
    errno = EFBIG;
    return false;
}

bool text_read_file(Text *t, const char *path, size_t most)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    bool ok = text_read(t, f, most);
    int why = errno;
    fclose(f);
    errno = why;
    return ok;
}

void text_put_json(Text *t, const char *s)
{
    text_put_char(t, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            text_printf(t, "\\%c", c);
        else if (c == '\n')
            text_put(t, "\\n");
        else if (c == '\t')
            text_put(t, "\\t");
        else if (c < 0x20)
            text_printf(t, "\\u%04x", c);
        else
            text_put_char(t, (char)c);
    }
    text_put_char(t, '"');
}

void text_put_real(Text *t, double x)
{
    char buf[REAL_TEXT];
    text_put_n(t, buf, real_print(buf, x));
}

/* ---- UTF-8 ---- */

unsigned text_character(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    unsigned n = u[0] < 0x80   ? 1
                 : u[0] < 0xC2 ? 0
                 : u[0] < 0xE0 ? 2
                 : u[0] < 0xF0 ? 3
                 : u[0] < 0xF5 ? 4
                               : 0;
    for (unsigned i = 1; i < n; i++)
        if ((u[i] & 0xC0) != 0x80)
            return 0;
    if ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F) ||
        (u[0] == 0xF0 && u[1] < 0x90) || (u[0] == 0xF4 && u[1] > 0x8F))
        return 0;
    return n;
}

/* ---- XML ---- */

void text_put_xml(Text *t, const char *s)
{
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        unsigned n = text_character((const char *)p);
        if (*p == '<')
            text_put(t, "&lt;");
        else if (*p == '>')
            text_put(t, "&gt;");
        else if (*p == '&')
            text_put(t, "&amp;");
        else if (*p == '"')
            text_put(t, "&quot;");
        else if (!n || (*p < 32 && *p != '\n' && *p != '\t'))
            text_put(t, "\xEF\xBF\xBD");
        else
            text_put_n(t, (const char *)p, n);
        p += n ? n : 1;
    }
}

char *text_keep(Text *t, Arena *arena)
{
    char *s = arena_copy(arena, t->at ? t->at : "", t->n);
    text_free(t);
    return s;
}

void text_free(Text *t)
{
    memory_free(t->at);
    *t = (Text){0};
}

size_t text_cut(const char *s, size_t most)
{
    size_t n = most;
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    return n;
}

bool text_ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && !strcmp(s + n - k, end);
}

#include "base/source.h"

#include "base/text.h"

#include <errno.h>

struct Sources {
    Arena *arena;
    VEC(Source *) list;
};

enum { LARGEST_FILE = 1 << 30 };

Sources *sources_new(void)
{
    Sources *s = memory_alloc(sizeof *s);
    s->arena = arena_new();
    return s;
}

void sources_free(Sources *s)
{
    if (!s)
        return;
    arena_free(s->arena);
    vec_free(&s->list);
    memory_free(s);
}

uint32_t sources_add(Sources *s, const char *path, const char *text, size_t size)
{
    if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
        text += 3;
        size -= 3;
    }
    Source *src = ARENA_NEW(s->arena, Source);
    src->path = arena_copy(s->arena, path, strlen(path));
    src->text = arena_copy(s->arena, text, size);
    src->size = (uint32_t)size;
    vec_push(&s->list, src);
    return s->list.n;
}

uint32_t sources_load(Sources *s, const char *path)
{
    Text t = {0};
    uint32_t file = text_read_file(&t, path, LARGEST_FILE) ? sources_add(s, path, t.at, t.n) : 0;
    int why = errno;
    text_free(&t);
    errno = why;
    return file;
}

Source *sources_get(const Sources *s, uint32_t file)
{
    return file && file <= s->list.n ? s->list.at[file - 1] : NULL;
}

void sources_excerpt(Sources *s, Span part, Span frame, uint32_t source)
{
    Source *src = sources_get(s, part.file);
    Excerpt *e = ARENA_NEW(s->arena, Excerpt);
    *e = (Excerpt){part, frame, source, src->excerpts};
    src->excerpts = e;
}

static uint32_t clip(uint32_t at, const Excerpt *e)
{
    return at < e->part.at ? 0 : (at < e->part.end ? at : e->part.end) - e->part.at;
}

Span sources_origin(const Sources *s, Span span)
{
    const Source *src = sources_get(s, span.file);
    for (const Excerpt *e = src ? src->excerpts : NULL; e; e = e->next)
        if (span.at >= e->frame.at && span.end <= e->frame.end)
            return (Span){e->source, clip(span.at, e), clip(span.end, e)};
    return span;
}

/* A line ends with LF, CR LF or CR. */
static void index_lines(const Sources *s, Source *src)
{
    VEC(uint32_t) starts = {0};
    vec_push(&starts, 0);
    for (uint32_t i = 0; i < src->size; i++) {
        char c = src->text[i];
        if (c == '\n' || (c == '\r' && src->text[i + 1] != '\n'))
            vec_push(&starts, i + 1);
    }
    src->n_lines = starts.n;
    src->lines = vec_keep(&starts, s->arena);
}

Place source_place(const Sources *s, Span span)
{
    span = sources_origin(s, span);
    Source *src = sources_get(s, span.file);
    if (!src)
        return (Place){0};
    if (!src->lines)
        index_lines(s, src);
    uint32_t lo = 0, hi = src->n_lines;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (src->lines[mid] <= span.at)
            lo = mid;
        else
            hi = mid;
    }
    uint32_t column = 1;
    for (uint32_t i = src->lines[lo]; i < span.at && i < src->size; i++)
        column += ((unsigned char)src->text[i] & 0xC0) != 0x80;
    return (Place){src->path, lo + 1, column};
}

const char *source_line(const Sources *s, uint32_t file, uint32_t line, size_t *n)
{
    Source *src = sources_get(s, file);
    if (!src)
        return *n = 0, "";
    if (!src->lines)
        index_lines(s, src);
    if (!line || line > src->n_lines)
        return *n = 0, "";
    const char *at = src->text + src->lines[line - 1];
    size_t k = 0;
    while (at[k] && at[k] != '\n' && at[k] != '\r')
        k++;
    *n = k;
    return at;
}

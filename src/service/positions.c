/* Positions of the Language Server Protocol: lines and characters from 0, in units of UTF-16. */
#include "base/uri.h"
#include "service/cursor.h"

static bool is_inner_byte(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Units of UTF-16 that the character takes whose first byte is c. */
static uint32_t units_of(char c)
{
    return (unsigned char)c >= 0xF0 ? 2 : !is_inner_byte(c);
}

size_t position_offset(const char *text, size_t size, uint32_t line, uint32_t character)
{
    size_t i = 0;
    for (; line && i < size; line--) {
        const char *end = memchr(text + i, '\n', size - i);
        i = end ? (size_t)(end - text) + 1 : size;
    }
    while (character && i < size && text[i] != '\n' && text[i] != '\r') {
        uint32_t units = units_of(text[i]);
        character -= units < character ? units : character;
        for (i++; i < size && is_inner_byte(text[i]); i++)
            ;
    }
    return i;
}

static void put_position(Text *t, const Library *lib, uint32_t file, uint32_t at)
{
    const Sources *sources = lib->ctx->sources;
    Place place = source_place(sources, (Span){file, at, at});
    const Source *source = sources_get(sources, file);
    size_t n;
    const char *line = source_line(sources, file, place.line ? place.line : 1, &n);
    uint32_t units = 0;
    for (const char *p = line; p < source->text + at; p++)
        units += units_of(*p);
    text_printf(t, "{\"line\":%u,\"character\":%u}", place.line ? place.line - 1 : 0, units);
}

void put_range(Text *t, const Library *lib, Span span)
{
    text_put(t, "{\"start\":");
    put_position(t, lib, span.file, span.at);
    text_put(t, ",\"end\":");
    put_position(t, lib, span.file, span.end);
    text_put(t, "}");
}

void put_uri(Text *t, const char *path)
{
    Text uri = {0};
    uri_put(&uri, path);
    text_put_json(t, uri.at ? uri.at : "");
    text_free(&uri);
}

void put_location(Text *t, const Library *lib, Span span)
{
    text_put(t, "{\"uri\":");
    put_uri(t, sources_get(lib->ctx->sources, span.file)->path);
    text_put(t, ",\"range\":");
    put_range(t, lib, span);
    text_put(t, "}");
}

void put_comma(Text *t)
{
    if (t->n && !strchr("[{:", t->at[t->n - 1]))
        text_put(t, ",");
}

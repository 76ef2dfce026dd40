/* Source texts and places in them. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/memory.h"

/* Bytes [at, end) of source `file`. A zeroed Span is "nowhere" (file 0 is never used). */
typedef struct Span {
    uint32_t file, at, end;
} Span;

/* A part of a text that was written elsewhere: it is the text of another source, from its
 * beginning. `frame`: the part with what was put around it. */
typedef struct Excerpt {
    Span part, frame;
    uint32_t source;
    struct Excerpt *next;
} Excerpt;

typedef struct Source {
    const char *path; /* as the user wrote it, or as found on the library path */
    const char *text; /* NUL-terminated, BOM removed, otherwise as in the file */
    uint32_t size;
    uint32_t *lines; /* start of each line; built on the first request */
    uint32_t n_lines;
    Excerpt *excerpts;
} Source;

typedef struct Place {
    const char *path;
    uint32_t line, column; /* from 1; columns count UTF-8 characters */
} Place;

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *s);
/* Copies text. Returns the file number, from 1. */
uint32_t sources_add(Sources *s, const char *path, const char *text, size_t size);
/* Reads a file. 0 on failure, with errno set. EFBIG over 1 GiB, EISDIR for a folder. */
uint32_t sources_load(Sources *s, const char *path);
/* Places of the part are those of the other source. */
void sources_excerpt(Sources *s, Span part, Span frame, uint32_t source);
/* The span where it was written: in the other source if it lies in the frame of an excerpt. */
Span sources_origin(const Sources *s, Span span);
Source *sources_get(const Sources *s, uint32_t file);
/* Of sources_origin; line 0 for nowhere. */
Place source_place(const Sources *s, Span span);
/* The text of line `line` (from 1) without its line end. */
const char *source_line(const Sources *s, uint32_t file, uint32_t line, size_t *n);

static inline Span span_join(Span a, Span b)
{
    return (Span){a.file, a.at, b.end};
}

#endif

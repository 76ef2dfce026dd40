/* Rules for the files of the archive: names, and sources that the description lists. */
#include "foreign/check/check.h"

#include <unistd.h>

static void check_source(Context *ctx, const FmuFile *f, const XmlNode *file, Arena *scratch)
{
    const char *name = xml_get(file, "name");
    if (name && access(arena_printf(scratch, "%s/sources/%s", f->folder, name), R_OK) != 0)
        diag(ctx, xml_span(&f->description->xml, file), DIAG_U052,
             "the source file 'sources/%s' is missing in the archive", name);
}

static void check_sources(Context *ctx, const FmuFile *f, const FmiInterface *i, Arena *scratch)
{
    const XmlNode *files = xml_child(i->node, "SourceFiles");
    for (const XmlNode *n = xml_child(files, "File"); n; n = xml_next(n, "File"))
        check_source(ctx, f, n, scratch);
}

/* ---- names in the archive ---- */

static size_t number(const char *p, int bytes)
{
    size_t value = 0;
    while (bytes--)
        value = value << 8 | (unsigned char)p[bytes];
    return value;
}

/* The first entry of the archive's directory; NULL if there is none. */
static const char *first_entry(const char *text, size_t n)
{
    enum { END = 22 };
    for (size_t at = n >= END ? n - END : 0; at > 0; at--)
        if (!memcmp(text + at, "PK\5\6", 4)) {
            size_t begin = number(text + at + 16, 4);
            return begin < at ? text + begin : NULL;
        }
    return NULL;
}

/* Some tools write the separator of Windows. */
static void check_separators(Context *ctx, const FmuFile *f, Arena *scratch)
{
    enum { ENTRY = 46 };
    size_t n = 0;
    const char *text = archive_read(f->path, scratch, &n);
    const char *e = text ? first_entry(text, n) : NULL;
    while (e && (size_t)(text + n - e) > ENTRY && !memcmp(e, "PK\1\2", 4)) {
        size_t length = number(e + 28, 2), more = number(e + 30, 2) + number(e + 32, 2);
        if ((size_t)(text + n - e) < ENTRY + length + more)
            return;
        if (memchr(e + ENTRY, '\\', length))
            diag(ctx, (Span){0}, DIAG_U052,
                 "the name '%.*s' in the archive has a backslash; folders are separated by /",
                 (int)length, e + ENTRY);
        e += ENTRY + length + more;
    }
}

void check_files(Context *ctx, const FmuFile *f)
{
    Arena *scratch = arena_new();
    if (f->description->version == 2) {
        check_sources(ctx, f, &f->description->exchange, scratch);
        check_sources(ctx, f, &f->description->co_simulation, scratch);
    }
    check_separators(ctx, f, scratch);
    arena_free(scratch);
}

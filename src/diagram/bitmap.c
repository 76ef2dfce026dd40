/* Bitmaps: images of a library's resources, or written into the annotation (section 18.6.5.6).
 * Files outside the folder of a library are not read. */
#include "diagram/diagram.h"

#include "instance/library/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_IMAGE = 8 << 20 };

static const char *image_type(const uint8_t *p, size_t n)
{
    static const struct {
        const char *head, *type;
        size_t n;
    } types[] = {{"\x89PNG\r\n\x1a\n", "image/png", 8},
                 {"\xff\xd8\xff", "image/jpeg", 3},
                 {"GIF8", "image/gif", 4},
                 {"BM", "image/bmp", 2},
                 {"<svg", "image/svg+xml", 4},
                 {"<?xml", "image/svg+xml", 5}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (n > types[i].n && !memcmp(p, types[i].head, types[i].n))
            return types[i].type;
    return NULL;
}

/* ---- from a file ---- */

/* Whether the file is in the folder of the library that the URI names, after following all links.
 */
static bool is_inside(Library *lib, const char *uri, const char *path)
{
    size_t scheme = strlen("modelica://"), n = strcspn(uri + scheme, "./");
    const char *top = library_resource(lib, arena_copy(lib->arena, uri, scheme + n));
    char *folder = top ? realpath(top, NULL) : NULL, *file = realpath(path, NULL);
    size_t k = folder ? strlen(folder) : 0;
    bool inside = folder && file && !strncmp(folder, file, k) && file[k] == '/';
    free(folder);
    free(file);
    return inside;
}

static bool read_bytes(const Page *p, const char *path, Image *out)
{
    struct stat s;
    FILE *f = fopen(path, "rb");
    bool ok =
        f && !fstat(fileno(f), &s) && S_ISREG(s.st_mode) && s.st_size > 0 && s.st_size <= MAX_IMAGE;
    if (ok) {
        uint8_t *bytes = arena_alloc(p->drawing->arena, (size_t)s.st_size);
        out->bytes = bytes;
        out->size = fread(bytes, 1, (size_t)s.st_size, f);
        ok = out->size == (size_t)s.st_size;
    }
    if (f)
        fclose(f);
    return ok;
}

static bool read_image(const Page *p, const char *uri, Image *out)
{
    if (strncmp(uri, "modelica://", strlen("modelica://")) != 0)
        return false;
    const char *path = library_resource(p->lib, uri);
    return path && is_inside(p->lib, uri, path) && read_bytes(p, path, out);
}

/* ---- from the text ---- */

static int digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static bool decode_image(const Page *p, const char *text, Image *out)
{
    uint8_t *bytes = arena_alloc(p->drawing->arena, strlen(text) * 3 / 4 + 3);
    uint32_t bits = 0, have = 0;
    out->bytes = bytes;
    for (; *text && *text != '='; text++) {
        int d = digit(*text);
        if (d < 0)
            continue;
        bits = bits << 6 | (uint32_t)d;
        have += 6;
        if (have >= 8)
            bytes[out->size++] = (uint8_t)(bits >> (have -= 8));
    }
    return out->size > 0;
}

void draw_bitmap(const Page *p, Record r, Affine m)
{
    Point e[2];
    Image image = {0};
    const char *uri = read_string(r, "fileName"), *source = read_string(r, "imageSource");
    if (!read_extent(r, "extent", e))
        return;
    if (!(source && decode_image(p, source, &image)) && !(uri && read_image(p, uri, &image)))
        return;
    image.type = image_type(image.bytes, image.size);
    if (!image.type)
        return;
    Affine flip = {1, 0, 0, -1, 0, 0}; /* rows of an image go downward */
    image.frame = affine_after(frame_of(m, e[0], e[1]), flip);
    drawing_image(p->drawing, image);
}

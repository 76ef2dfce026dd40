/* Fuzzer of FMUs of others. The first byte chooses: '<' is a model description, 'S' the structure
 * of a system (SSP) after it, and all else an archive. A description without errors gives the text
 * of a wrapper that can be parsed. */
#include "foreign/check/check.h"
#include "foreign/system/system.h"
#include "foreign/wrapper/wrapper.h"
#include "syntax/parse/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- descriptions ---- */

static void check_wrapper(Context *ctx, const FmuFile *f, WrapperKind kind)
{
    Text t = {0};
    const char *name;
    WrapperOptions o = {.kind = kind, .path = f->path};
    if (wrapper_write(ctx, f, &o, f->arena, &t, &name)) {
        Context *other = context_new();
        ast_free(syntax_parse(other, sources_add(other->sources, "wrapper", t.at, t.n)));
        if (other->n_errors) {
            fprintf(stderr, "the wrapper has errors:\n%s\n", t.at);
            abort();
        }
        context_free(other);
    }
    text_free(&t);
}

static void read_description(Context *ctx, const uint8_t *data, size_t size)
{
    enum { MOST_VALUES = 10000 }; /* arrays may be declared with any size */
    FmuFile f = {.arena = arena_new(), .path = "fuzz.fmu", .folder = "nowhere"};
    f.description = fmi_read_description(ctx, "fuzz.xml", (const char *)data, size, f.arena);
    if (f.description) {
        size_t values = 0;
        for (uint32_t i = 0; i < f.description->variables.n; i++)
            values += f.description->variables.at[i].size;
        check_schema(ctx, &f);
        check_variables(ctx, &f);
        check_values(ctx, &f);
        check_structure(ctx, &f);
        if (values < MOST_VALUES) {
            check_wrapper(ctx, &f, WRAPPER_AUTO);
            check_wrapper(ctx, &f, WRAPPER_CO_SIMULATION);
        }
    }
    fmi_free_description(f.description);
    arena_free(f.arena);
}

/* ---- archives ---- */

static void put_number(Text *t, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        text_put_char(t, (char)(value & 255));
}

static uint32_t checksum(const uint8_t *data, size_t size)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* What the header of a file and its entry in the directory have in common. */
static void put_entry(Text *t, const uint8_t *data, size_t size, const char *name)
{
    put_number(t, 20, 2);
    put_number(t, 0, 8);
    put_number(t, checksum(data, size), 4);
    put_number(t, (uint32_t)size, 4);
    put_number(t, (uint32_t)size, 4);
    put_number(t, (uint32_t)strlen(name), 2);
    put_number(t, 0, 2);
}

/* An archive with one file that is not compressed. */
static void pack(Text *t, const char *name, const uint8_t *data, size_t size)
{
    put_number(t, 0x04034b50, 4);
    put_entry(t, data, size, name);
    text_put(t, name);
    text_put_n(t, (const char *)data, size);
    uint32_t directory = (uint32_t)t->n;
    put_number(t, 0x02014b50, 4);
    put_number(t, 20, 2);
    put_entry(t, data, size, name);
    put_number(t, 0, 14);
    text_put(t, name);
    uint32_t end = (uint32_t)t->n;
    put_number(t, 0x06054b50, 4);
    put_number(t, 0, 4);
    put_number(t, 1, 2);
    put_number(t, 1, 2);
    put_number(t, end - directory, 4);
    put_number(t, directory, 4);
    put_number(t, 0, 2);
}

static void read_system(Context *ctx, const char *path)
{
    SystemFile *s = NULL;
    Text t = {0};
    system_open(ctx, path, &s, &t);
    system_close(s);
    text_free(&t);
}

static void read_archive(Context *ctx, const char *path)
{
    FmuFile *f = NULL;
    fmu_open(ctx, path, &f);
    fmu_close(f);
}

static void with_file(Context *ctx, const char *data, size_t size,
                      void (*read)(Context *ctx, const char *path))
{
    char path[] = "/tmp/kairos-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size)
        read(ctx, path);
    if (fd >= 0)
        close(fd);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Context *ctx = context_new();
    if (size && data[0] == '<') {
        read_description(ctx, data, size);
    } else if (size && data[0] == 'S') {
        Text t = {0};
        pack(&t, "SystemStructure.ssd", data + 1, size - 1);
        with_file(ctx, t.at, t.n, read_system);
        text_free(&t);
    } else {
        with_file(ctx, (const char *)data, size, read_archive);
    }
    context_free(ctx);
    return 0;
}

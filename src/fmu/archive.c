/* The file of an FMU, packed by libzip, which is opened when needed (decision 53).
 *
 * The binary is in the program as an archive that the build made: its entry is copied as it is,
 * without compressing it again. All entries have the same time, so that the same model gives the
 * same bytes. */
#include "fmu/fmu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <zip.h>

/* The functions of libzip that are called. */
#define FUNCTIONS(X)                                                                               \
    X(open)                                                                                        \
    X(open_from_source)                                                                            \
    X(close)                                                                                       \
    X(discard)                                                                                     \
    X(strerror)                                                                                    \
    X(source_buffer)                                                                               \
    X(source_buffer_create)                                                                        \
    X(source_zip)                                                                                  \
    X(source_free)                                                                                 \
    X(file_add)                                                                                    \
    X(file_set_mtime)                                                                              \
    X(error_init_with_code)                                                                        \
    X(error_strerror)                                                                              \
    X(error_fini)

typedef struct Packer {
    Context *ctx;
    const char *output;
    Arena *arena;
    zip_t *zip, *engine;
    void *library;
#define X(name) __typeof__(zip_##name) *name;
    FUNCTIONS(X)
#undef X
} Packer;

/* Files that the build puts into the program. */
extern const char fmu_engine[], fmu_engine_end[] __attribute__((visibility("hidden")));
__asm__(".section .rodata\n"
        "fmu_licence:\n.incbin \"" FMU_LICENCE "\"\n"
        "fmu_licence_end:\n.byte 0\n.previous\n");
extern const char fmu_licence[], fmu_licence_end[] __attribute__((visibility("hidden")));

static bool fail(const Packer *p, const char *why)
{
    diag(p->ctx, (Span){0}, DIAG_U020, "'%s' cannot be written: %s", p->output, why);
    return false;
}

static bool load_library(Packer *p)
{
    static const char *const names[] = {"libzip.so.5", "libzip.so.4", "libzip.so"};
    for (size_t i = 0; !p->library && i < sizeof names / sizeof *names; i++)
        p->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!p->library)
        return fail(p, "libzip is not installed (package libzip4)");
    bool ok = true;
#define X(name) ok = (*(void **)&p->name = dlsym(p->library, "zip_" #name)) && ok;
    FUNCTIONS(X)
#undef X
    return ok || fail(p, "libzip is too old");
}

static bool open_output(Packer *p)
{
    int code = 0;
    p->zip = p->open(p->output, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (p->zip)
        return true;
    zip_error_t error;
    p->error_init_with_code(&error, code);
    fail(p, p->error_strerror(&error));
    p->error_fini(&error);
    return false;
}

static bool add_source(Packer *p, const char *name, zip_source_t *source)
{
    const time_t moment = 946684800; /* 2000-01-01 */
    zip_int64_t at = source ? p->file_add(p->zip, name, source, ZIP_FL_ENC_UTF_8) : -1;
    if (at >= 0 && !p->file_set_mtime(p->zip, (zip_uint64_t)at, moment, 0))
        return true;
    if (source && at < 0)
        p->source_free(source);
    return fail(p, p->strerror(p->zip));
}

static bool add_file(Packer *p, const FmuFile *f)
{
    return add_source(p, f->name, p->source_buffer(p->zip, f->data, f->n, 0));
}

static bool add_engine(Packer *p, const char *name)
{
    zip_error_t error;
    p->error_init_with_code(&error, 0);
    zip_source_t *from =
        p->source_buffer_create(fmu_engine, (size_t)(fmu_engine_end - fmu_engine), 0, &error);
    p->engine = from ? p->open_from_source(from, ZIP_RDONLY, &error) : NULL;
    bool ok = p->engine || fail(p, p->error_strerror(&error));
    p->error_fini(&error);
    return ok && add_source(p, name, p->source_zip(p->zip, p->engine, 0, ZIP_FL_COMPRESSED, 0, 0));
}

static bool add_all(Packer *p, const FmuOptions *o, const char *identifier, const FmuFile *files,
                    uint32_t n)
{
    const char *platform = o->version == 3 ? "x86_64-linux" : "linux64";
    FmuFile licence = {"documentation/licenses/license.txt", fmu_licence,
                       (size_t)(fmu_licence_end - fmu_licence)};
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = add_file(p, &files[i]);
    return ok && add_file(p, &licence) &&
           add_engine(p, arena_printf(p->arena, "binaries/%s/%s.so", platform, identifier));
}

bool fmu_pack(Context *ctx, const FmuOptions *o, const char *identifier, const FmuFile *files,
              uint32_t n)
{
    Packer p = {.ctx = ctx, .output = o->output, .arena = arena_new()};
    bool ok = load_library(&p) && open_output(&p) && add_all(&p, o, identifier, files, n);
    if (ok && p.close(p.zip)) {
        ok = fail(&p, p.strerror(p.zip));
        p.discard(p.zip);
    } else if (!ok && p.zip) {
        p.discard(p.zip);
    }
    if (p.engine)
        p.discard(p.engine);
    if (p.library)
        dlclose(p.library);
    arena_free(p.arena);
    return ok;
}

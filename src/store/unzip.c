/* Unpacks a zip archive with libzip, which is opened when needed: linked, it would add libcrypto
 * and 7 ms to every start of the program. Nothing is written outside the folder. Absolute names,
 * "..", links and devices are refused, and so are duplicate files and archives that are too large.
 */
#include "store/store.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

enum { MOST_FILES = 500000, BUFFER = 65536 };
static const zip_uint64_t largest_file = (zip_uint64_t)1 << 30,
                          largest_total = (zip_uint64_t)1 << 32, small_file = (zip_uint64_t)1 << 26,
                          largest_ratio = 500;

/* The functions of libzip that are called. */
#define FUNCTIONS(X)                                                                               \
    X(open)                                                                                        \
    X(discard)                                                                                     \
    X(get_num_entries)                                                                             \
    X(stat_index)                                                                                  \
    X(name_locate)                                                                                 \
    X(fopen_index)                                                                                 \
    X(fread)                                                                                       \
    X(fclose)                                                                                      \
    X(file_strerror)                                                                               \
    X(strerror)                                                                                    \
    X(file_get_external_attributes)                                                                \
    X(error_init_with_code)                                                                        \
    X(error_strerror)                                                                              \
    X(error_fini)

typedef struct Unzip {
    Context *ctx;
    const char *path, *folder;
    Arena *arena;
    zip_t *zip;
    zip_uint64_t total;
    void *library;
#define X(name) __typeof__(zip_##name) *name;
    FUNCTIONS(X)
#undef X
} Unzip;

static bool fail(Unzip *u, const char *name, const char *why)
{
    if (name)
        diag(u->ctx, (Span){0}, DIAG_U011, "'%s' cannot be unpacked: '%s' %s", u->path, name, why);
    else
        diag(u->ctx, (Span){0}, DIAG_U011, "'%s' cannot be unpacked: %s", u->path, why);
    return false;
}

static bool load_library(Unzip *u)
{
    static const char *const names[] = {"libzip.so.5", "libzip.so.4", "libzip.so"};
    for (size_t i = 0; !u->library && i < sizeof names / sizeof *names; i++)
        u->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!u->library)
        return fail(u, NULL, "libzip is not installed; on Debian the package libzip4 has it");
    bool ok = true;
#define X(name) ok = (*(void **)&u->name = dlsym(u->library, "zip_" #name)) && ok;
    FUNCTIONS(X)
#undef X
    return ok || fail(u, NULL, "libzip is too old");
}

/* ---- names ---- */

static bool is_safe(const char *name)
{
    if (*name == '/' || (*name && name[1] == ':'))
        return false;
    for (const char *p = name; p; p = strchr(p, '/'), p = p ? p + 1 : NULL)
        if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2]))
            return false;
    return *name;
}

static bool is_plain(Unzip *u, zip_uint64_t i)
{
    zip_uint8_t system;
    zip_uint32_t attributes;
    if (u->file_get_external_attributes(u->zip, i, 0, &system, &attributes) ||
        system != ZIP_OPSYS_UNIX)
        return true;
    mode_t mode = (mode_t)(attributes >> 16);
    return !(mode & S_IFMT) || S_ISREG(mode) || S_ISDIR(mode);
}

/* ---- files ---- */

static bool copy_data(Unzip *u, zip_file_t *in, int out, const char *name, zip_uint64_t size)
{
    char buffer[BUFFER];
    zip_uint64_t written = 0;
    for (zip_int64_t n; (n = u->fread(in, buffer, sizeof buffer)) != 0;
         written += (zip_uint64_t)n) {
        if (n < 0)
            return fail(u, name, u->file_strerror(in));
        if (written + (zip_uint64_t)n > size)
            return fail(u, name, "is larger than it declares");
        for (zip_int64_t done = 0, k; done < n; done += k)
            if ((k = write(out, buffer + done, (size_t)(n - done))) < 0)
                return fail(u, name, strerror(errno));
    }
    return true;
}

/* A file that the archive has twice, with the same contents. */
static bool is_repeated(Unzip *u, zip_uint64_t i)
{
    zip_stat_t own, first;
    zip_int64_t at;
    return !u->stat_index(u->zip, i, 0, &own) && (at = u->name_locate(u->zip, own.name, 0)) >= 0 &&
           (zip_uint64_t)at < i && !u->stat_index(u->zip, (zip_uint64_t)at, 0, &first) &&
           (own.valid & first.valid & ZIP_STAT_CRC) && own.crc == first.crc &&
           own.size == first.size;
}

static bool write_file(Unzip *u, zip_uint64_t i, const char *name, zip_uint64_t size)
{
    const char *path = arena_printf(u->arena, "%s/%s", u->folder, name);
    char *folder = arena_copy(u->arena, path, (size_t)(strrchr(path, '/') - path));
    if (!store_make_folders(folder))
        return fail(u, name, strerror(errno));
    if (name[strlen(name) - 1] == '/' || is_repeated(u, i))
        return true;
    zip_file_t *in = u->fopen_index(u->zip, i, 0);
    if (!in)
        return fail(u, name, u->strerror(u->zip));
    int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    bool ok = out >= 0 || fail(u, name, errno == EEXIST ? "appears twice" : strerror(errno));
    ok = ok && copy_data(u, in, out, name, size);
    u->fclose(in);
    if (out >= 0 && close(out) && ok)
        ok = fail(u, name, strerror(errno));
    return ok;
}

static bool unpack_entry(Unzip *u, zip_uint64_t i)
{
    zip_stat_t st;
    if (u->stat_index(u->zip, i, 0, &st) || !(st.valid & ZIP_STAT_NAME) ||
        !(st.valid & ZIP_STAT_SIZE))
        return fail(u, NULL, "its list of files is broken");
    char *name = arena_copy(u->arena, st.name, strlen(st.name));
    for (char *p = name; *p; p++)
        *p = *p == '\\' ? '/' : *p;
    if (!is_safe(name))
        return fail(u, st.name, "is not a name inside the archive");
    if (!is_plain(u, i))
        return fail(u, st.name, "is neither a file nor a folder");
    if (st.size > largest_file)
        return fail(u, st.name, "is larger than 1 GB");
    bool suspicious = st.size > small_file && (st.valid & ZIP_STAT_COMP_SIZE) &&
                      st.size / largest_ratio > st.comp_size;
    if (suspicious)
        return fail(u, st.name, "becomes more than 500 times as large");
    if ((u->total += st.size) > largest_total)
        return fail(u, NULL, "it contains more than 4 GB");
    return write_file(u, i, name, st.size);
}

static bool unpack_all(Unzip *u)
{
    int code = 0;
    u->zip = u->open(u->path, ZIP_RDONLY, &code);
    if (!u->zip) {
        zip_error_t error;
        u->error_init_with_code(&error, code);
        fail(u, NULL, u->error_strerror(&error));
        u->error_fini(&error);
        return false;
    }
    zip_int64_t n = u->get_num_entries(u->zip, 0);
    bool ok = n <= MOST_FILES || fail(u, NULL, "it contains more than 500000 files");
    for (zip_int64_t i = 0; ok && i < n; i++) {
        arena_reset(u->arena);
        ok = unpack_entry(u, (zip_uint64_t)i);
    }
    u->discard(u->zip);
    return ok;
}

bool store_unzip(Context *ctx, const char *path, const char *folder)
{
    Unzip u = {.ctx = ctx, .path = path, .folder = folder, .arena = arena_new()};
    bool ok = load_library(&u) && unpack_all(&u);
    if (u.library)
        dlclose(u.library);
    arena_free(u.arena);
    return ok;
}

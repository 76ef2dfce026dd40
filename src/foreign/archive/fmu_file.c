#include "foreign/archive/fmu_file.h"

#include "base/text.h"
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders ---- */

bool archive_folder(Context *ctx, Arena *arena, char **folder)
{
    const char *place = getenv("TMPDIR");
    *folder = arena_printf(arena, "%s/kairos-fmu-XXXXXX", place && *place ? place : P_tmpdir);
    if (mkdtemp(*folder))
        return true;
    diag(ctx, (Span){0}, DIAG_U050, "cannot make a folder '%s': %s", *folder, strerror(errno));
    *folder = NULL;
    return false;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s, (void)kind, (void)at;
    remove(path);
    return 0;
}

void archive_remove(const char *folder)
{
    if (folder)
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *archive_read(const char *path, Arena *arena, size_t *n)
{
    Text t = {0};
    bool ok = text_read_file(&t, path, SIZE_MAX);
    *n = t.n;
    char *text = ok ? text_keep(&t, arena) : NULL;
    text_free(&t);
    return text;
}

/* ---- FMUs ---- */

static bool unpack(Context *ctx, FmuFile *f)
{
    struct stat s;
    if (stat(f->path, &s) || !S_ISREG(s.st_mode)) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", f->path,
             errno ? strerror(errno) : "it is not a file");
        return false;
    }
    if (!archive_folder(ctx, f->arena, &f->outer))
        return false;
    f->folder = arena_printf(f->arena, "%s/contents", f->outer);
    f->call = arena_printf(f->arena, "%s/call", f->outer);
    return mkdir(f->folder, 0700) == 0 && store_unzip(ctx, f->path, f->folder);
}

static bool read_description(Context *ctx, FmuFile *f)
{
    size_t n = 0;
    const char *path = arena_printf(f->arena, "%s/modelDescription.xml", f->folder);
    char *text = archive_read(path, f->arena, &n);
    if (!text) {
        diag(ctx, (Span){0}, DIAG_U050, "'%s' is not an FMU: it has no modelDescription.xml",
             f->path);
        return false;
    }
    const char *name = arena_printf(f->arena, "%s/modelDescription.xml", f->path);
    f->description = fmi_read_description(ctx, name, text, n, f->arena);
    return f->description;
}

bool fmu_open(Context *ctx, const char *path, FmuFile **f)
{
    Arena *arena = arena_new();
    *f = ARENA_NEW(arena, FmuFile);
    **f =
        (FmuFile){.arena = arena, .path = arena_copy(arena, path, strlen(path)), .owner = getpid()};
    errno = 0;
    return unpack(ctx, *f) && read_description(ctx, *f);
}

void fmu_close(FmuFile *f)
{
    if (!f)
        return;
    if (f->owner == getpid())
        archive_remove(f->outer);
    fmi_free_description(f->description);
    arena_free(f->arena);
}

/* ---- binaries ---- */

/* The folders of binaries/, for a message. */
static const char *platforms(const FmuFile *f, Arena *arena)
{
    DIR *dir = opendir(arena_printf(arena, "%s/binaries", f->folder));
    char *list = arena_printf(arena, "%s", "");
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            list = arena_printf(arena, "%s%s%s", list, *list ? ", " : "", e->d_name);
    if (dir)
        closedir(dir);
    return *list ? list : "no platform";
}

const char *fmu_binary(const FmuFile *f, const char *identifier, Arena *arena, const char **why)
{
#if defined(__aarch64__)
    static const char *const names[] = {"aarch64-linux", "linux-aarch64"};
#else
    static const char *const names[] = {"x86_64-linux", "linux64"};
#endif
    bool third = f->description->version == 3;
    if (strchr(identifier, '/')) {
        *why = "modelIdentifier is not the name of a file";
        return NULL;
    }
    const char *path =
        arena_printf(arena, "%s/binaries/%s/%s.so", f->folder, names[third ? 0 : 1], identifier);
    if (access(path, R_OK) == 0)
        return path;
    *why = arena_printf(arena,
                        "the FMU has no binary for this machine (binaries/%s/%s.so); it has "
                        "binaries for %s",
                        names[third ? 0 : 1], identifier, platforms(f, arena));
    return NULL;
}

/* A shared object is named after a hash of its sources: the text, the words, and the size and time
 * of the named files. It is written under another name and renamed, so that programs do not disturb
 * each other. */
#include "external/shared_object.h"

#include "base/atomic_file.h"
#include "base/compiler_job.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- the cache ---- */

static bool make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* The folder for shared objects; NULL if none can be made. */
static const char *cache_folder(Arena *arena)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *tmp = getenv("TMPDIR");
    if (!base || base[0] != '/')
        base = home && home[0] == '/' ? arena_printf(arena, "%s/.cache", home)
               : tmp && *tmp          ? tmp
                                      : P_tmpdir;
    const char *folder = arena_printf(arena, "%s/kairos", base);
    return make_folder(base) && make_folder(folder) ? folder : NULL;
}

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static uint64_t hash_word(uint64_t h, const char *word)
{
    struct stat s;
    h = hash_bytes(h, word, strlen(word) + 1);
    if (word[0] != '/' || stat(word, &s))
        return h;
    int64_t facts[] = {(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec, (int64_t)s.st_mtim.tv_nsec};
    return hash_bytes(h, facts, sizeof facts);
}

static uint64_t recipe_hash(const Recipe *r)
{
    static const char form[] = "2"; /* of the objects; another one makes them again */
    uint64_t h = hash_bytes(0xcbf29ce484222325u, form, sizeof form);
    if (r->text)
        h = hash_bytes(h, r->text, strlen(r->text));
    for (uint32_t i = 0; i < r->n; i++)
        h = hash_word(h, r->words[i]);
    return h;
}

/* ---- the compiler ---- */

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    return f && fclose(f) == 0 && ok;
}

/* The first line of the log that reports an error. */
static const char *first_error(Arena *arena, const char *log)
{
    char line[512];
    const char *found = "the compiler failed";
    FILE *f = fopen(log, "r");
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "error") || strstr(line, "undefined reference")) {
            line[strcspn(line, "\n")] = '\0';
            found = arena_copy(arena, line, strlen(line));
            break;
        }
    if (f)
        fclose(f);
    return found;
}

/* Objects find each other in their own folder, so that they can be copied together. */
static bool build(Arena *arena, const Recipe *r, CompilerJob *b, const char *name, const char **why)
{
    static const char *const options[] = {
        "cc", "-O1", "-fPIC", "-shared", "-w", "-ffp-contract=off", "-o"};
    enum { N_OPTIONS = sizeof options / sizeof *options };
    if (r->text && !write_text(b->source, r->text)) {
        *why = arena_printf(arena, "cannot write '%s': %s", b->source, strerror(errno));
        return false;
    }
    char **argv = ARENA_ARRAY(arena, char *, N_OPTIONS + r->n + 6);
    uint32_t n = 0;
    for (; n < N_OPTIONS; n++)
        argv[n] = (char *)(uintptr_t)options[n];
    argv[n++] = b->object;
    argv[n++] = arena_printf(arena, "-Wl,-soname,%s", name);
    argv[n++] = arena_printf(arena, "-Wl,-rpath,$ORIGIN");
    if (r->text)
        argv[n++] = b->source;
    for (uint32_t i = 0; i < r->n; i++)
        argv[n++] = (char *)(uintptr_t)r->words[i];
    int error = compiler_start(b, argv, NULL);
    if (error)
        *why = arena_printf(
            arena, "cannot run the C compiler 'cc': %s; install one (packages gcc and libc6-dev)",
            strerror(error));
    else if (!compiler_wait(b, r->interrupt))
        *why = "the compiler was interrupted";
    else if (b->failed)
        *why = first_error(arena, b->log);
    return !error && !b->failed;
}

/* Programs that need the same object wait for the first one to make it. The lock ends with its
 * descriptor; -1: no lock. */
static int take_turn(const char *path, const volatile int *interrupt)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK &&
           !(interrupt && *interrupt))
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    return fd;
}

/* The source whose error is `why`, if it includes a header that this system lacks: it is written
 * for another one, and others of its folder take its place here. r->n if there is none. */
static uint32_t foreign_source(const Recipe *r, const char *why)
{
    for (uint32_t i = 0; i < r->n && strstr(why, "No such file or directory"); i++) {
        size_t n = strlen(r->words[i]);
        if (text_ends_with(r->words[i], ".c") && !strncmp(why, r->words[i], n) && why[n] == ':')
            return i;
    }
    return r->n;
}

/* Leaves out sources for other systems. */
static bool build_without(Arena *arena, const Recipe *r, CompilerJob *b, const char *name,
                          const char **why)
{
    const char **words = ARENA_ARRAY(arena, const char *, r->n + (size_t)1);
    Recipe rest = *r;
    for (uint32_t i = 0; i < r->n; i++)
        words[i] = r->words[i];
    rest.words = words;
    while (!build(arena, &rest, b, name, why)) {
        uint32_t i = foreign_source(&rest, *why);
        if (i == rest.n)
            return false;
        memmove(words + i, words + i + 1, (rest.n - i - 1) * sizeof *words);
        rest.n--;
    }
    return true;
}

static bool build_at(Arena *arena, const Recipe *r, const char *cache, const char *path,
                     const char **why)
{
    CompilerJob b = {0};
    int error = compiler_open(&b, cache, "entry");
    if (error) {
        *why = arena_printf(arena, "cannot make a folder in '%s': %s", cache, strerror(error));
        return false;
    }
    bool ok = build_without(arena, r, &b, strrchr(path, '/') + 1, why);
    if (ok && rename(b.object, path)) {
        *why = arena_printf(arena, "cannot write '%s': %s", path, strerror(errno));
        ok = false;
    }
    compiler_close(&b);
    return ok;
}

const char *shared_object_compile(Arena *arena, const Recipe *r, const char **why)
{
    const char *cache = cache_folder(arena);
    if (!cache) {
        *why = "there is no folder to keep compiled code in; set XDG_CACHE_HOME";
        return NULL;
    }
    const char *path =
        arena_printf(arena, "%s/%s-%016llx.so", cache, r->name, (unsigned long long)recipe_hash(r));
    if (access(path, R_OK) == 0)
        return path;
    const volatile int *watched = memory_watch(NULL); /* its files and its lock are released here */
    int lock = take_turn(arena_printf(arena, "%s.lock", path), r->interrupt);
    bool ok = access(path, R_OK) == 0 || build_at(arena, r, cache, path, why);
    if (lock >= 0)
        close(lock);
    memory_watch(watched);
    return ok ? path : NULL;
}

const char *shared_object_header(Arena *arena, const char *name, const char *text, const char **why)
{
    const char *cache = cache_folder(arena);
    uint64_t hash = recipe_hash(&(Recipe){.text = text});
    const char *folder =
        arena_printf(arena, "%s/include-%016llx", cache ? cache : "", (unsigned long long)hash);
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    if (cache && access(path, R_OK) == 0)
        return folder;
    if (!cache || !make_folder(folder) || !atomic_save(path, text, strlen(text), false)) {
        *why = arena_printf(arena, "cannot write '%s': %s", path, strerror(errno));
        return NULL;
    }
    return folder;
}

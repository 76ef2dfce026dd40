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

static bool is_source(const char *word)
{
    return text_ends_with(word, ".c");
}

typedef struct Command {
    char **argv; /* ends with NULL */
    uint32_t n;
} Command;

static void add_word(Command *c, const char *word)
{
    c->argv[c->n++] = (char *)(uintptr_t)word;
}

static Command new_command(Arena *arena, const Recipe *r, const char *const *words, uint32_t n)
{
    enum { FURTHER = 8 };
    Command c = {ARENA_ARRAY(arena, char *, n + r->n + FURTHER), 0};
    for (uint32_t i = 0; i < n; i++)
        add_word(&c, words[i]);
    return c;
}

/* False after a failure (*why). */
static bool run(Arena *arena, const Recipe *r, CompilerJob *b, const Command *c, const char **why)
{
    int error = compiler_start(b, c->argv, NULL);
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

#define COMPILE "cc", "-O1", "-fPIC", "-w", "-ffp-contract=off"

/* ---- many sources, several at a time ---- */

static const char *source_object(Arena *arena, const CompilerJob *b, const char *source)
{
    uint64_t h = hash_bytes(0xcbf29ce484222325u, source, strlen(source));
    return arena_printf(arena, "%s/%016llx.o", b->folder.path, (unsigned long long)h);
}

/* Writes a list for xargs: "-oOBJECT" and "SOURCE" for each source that has no object yet. */
static bool write_sources(Arena *arena, const Recipe *r, const CompilerJob *b, const char *list)
{
    FILE *f = fopen(list, "w");
    bool ok = f != NULL;
    for (uint32_t i = 0; ok && i < r->n; i++) {
        const char *object = is_source(r->words[i]) ? source_object(arena, b, r->words[i]) : NULL;
        if (object && access(object, R_OK))
            ok = fprintf(f, "-o%s%c%s%c", object, 0, r->words[i], 0) > 0;
    }
    return f && fclose(f) == 0 && ok;
}

/* Compiles each source into an object of its own. */
static bool compile_each(Arena *arena, const Recipe *r, CompilerJob *b, const char **why)
{
    enum { MOST_JOBS = 16 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const char *list = arena_printf(arena, "%s/sources", b->folder.path);
    const char *jobs = arena_printf(arena, "%ld",
                                    processors < 1           ? 1
                                    : processors > MOST_JOBS ? MOST_JOBS
                                                             : processors);
    const char *const words[] = {
        "sh", "-c",   "list=$1; shift; exec xargs -0 -n 2 -P \"$@\" < \"$list\"", "sh", list,
        jobs, COMPILE};
    Command c = new_command(arena, r, words, sizeof words / sizeof *words);
    for (uint32_t i = 0; i < r->n; i++)
        if (!is_source(r->words[i]))
            add_word(&c, r->words[i]);
    add_word(&c, "-c");
    if (!write_sources(arena, r, b, list)) {
        *why = arena_printf(arena, "cannot write '%s': %s", list, strerror(errno));
        return false;
    }
    return run(arena, r, b, &c, why);
}

/* ---- the shared object ---- */

/* Objects find each other in their own folder, so that they can be copied together. */
static bool build(Arena *arena, const Recipe *r, CompilerJob *b, const char *name, const char **why)
{
    static const char *const words[] = {COMPILE, "-shared", "-Wl,-rpath,$ORIGIN"};
    uint32_t sources = 0;
    for (uint32_t i = 0; i < r->n; i++)
        sources += is_source(r->words[i]);
    if (sources > 1 && !compile_each(arena, r, b, why))
        return false;
    if (r->text && !write_text(b->source, r->text)) {
        *why = arena_printf(arena, "cannot write '%s': %s", b->source, strerror(errno));
        return false;
    }
    Command c = new_command(arena, r, words, sizeof words / sizeof *words);
    add_word(&c, "-o");
    add_word(&c, b->object);
    add_word(&c, arena_printf(arena, "-Wl,-soname,%s", name));
    if (r->text)
        add_word(&c, b->source);
    for (uint32_t i = 0; i < r->n; i++)
        add_word(&c, sources > 1 && is_source(r->words[i]) ? source_object(arena, b, r->words[i])
                                                           : r->words[i]);
    return run(arena, r, b, &c, why);
}

/* Programs that need the same object wait for the first one to make it. The lock ends with its
 * descriptor; -1: no lock. */
static int take_turn(const char *path, const _Atomic int *interrupt)
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
        if (is_source(r->words[i]) && !strncmp(why, r->words[i], n) && why[n] == ':')
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
    const _Atomic int *watched = memory_watch(NULL); /* its files and its lock are released here */
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

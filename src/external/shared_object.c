/* A shared object is named after a hash of all it is made from: the text, the words, size and time
 * of the files they name. It is written under another name and moved into place, so that programs
 * running at once do not disturb each other. */
#include "external/shared_object.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- the cache ---- */

static bool make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* The folder for shared objects; NULL where none can be made. */
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
    uint64_t h = 0xcbf29ce484222325u;
    if (r->text)
        h = hash_bytes(h, r->text, strlen(r->text));
    for (uint32_t i = 0; i < r->n; i++)
        h = hash_word(h, r->words[i]);
    return h;
}

/* ---- the compiler ---- */

typedef struct Bench { /* a folder to work in */
    const char *folder, *source, *object, *log;
} Bench;

static bool open_bench(Arena *arena, const char *cache, Bench *b)
{
    char *folder = arena_printf(arena, "%s/build-XXXXXX", cache);
    if (!mkdtemp(folder))
        return false;
    b->folder = folder;
    b->source = arena_printf(arena, "%s/entry.c", folder);
    b->object = arena_printf(arena, "%s/entry.so", folder);
    b->log = arena_printf(arena, "%s/log", folder);
    return true;
}

static void close_bench(const Bench *b)
{
    unlink(b->source);
    unlink(b->object);
    unlink(b->log);
    rmdir(b->folder);
}

static bool write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    return f && fclose(f) == 0 && ok;
}

/* Runs argv with its output in `log`; 0 on success, errno where it cannot be started, -1 where it
 * fails. */
static int run(char *const *argv, const char *log)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t pid;
    error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return error;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* The first line of the log that tells an error. */
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

static bool build(Arena *arena, const Recipe *r, const Bench *b, const char **why)
{
    static const char *const options[] = {
        "cc", "-O1", "-fPIC", "-shared", "-w", "-ffp-contract=off", "-o"};
    enum { N_OPTIONS = sizeof options / sizeof *options };
    if (r->text && !write_text(b->source, r->text)) {
        *why = arena_printf(arena, "cannot write '%s': %s", b->source, strerror(errno));
        return false;
    }
    char **argv = ARENA_ARRAY(arena, char *, N_OPTIONS + r->n + 4);
    uint32_t n = 0;
    for (; n < N_OPTIONS; n++)
        argv[n] = (char *)(uintptr_t)options[n];
    argv[n++] = (char *)(uintptr_t)b->object;
    if (r->text)
        argv[n++] = (char *)(uintptr_t)b->source;
    for (uint32_t i = 0; i < r->n; i++)
        argv[n++] = (char *)(uintptr_t)r->words[i];
    int error = run(argv, b->log);
    if (error > 0)
        *why = arena_printf(
            arena, "cannot run the C compiler 'cc': %s; install one (packages gcc and libc6-dev)",
            strerror(error));
    else if (error < 0)
        *why = first_error(arena, b->log);
    return error == 0;
}

/* Programs that want the same object wait for the first to make it. The lock ends with its
 * descriptor; -1 where there is none. */
static int take_turn(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
        continue;
    return fd;
}

static bool build_at(Arena *arena, const Recipe *r, const char *cache, const char *path,
                     const char **why)
{
    Bench b;
    if (!open_bench(arena, cache, &b)) {
        *why = arena_printf(arena, "cannot make a folder in '%s': %s", cache, strerror(errno));
        return false;
    }
    bool ok = build(arena, r, &b, why);
    if (ok && rename(b.object, path)) {
        *why = arena_printf(arena, "cannot write '%s': %s", path, strerror(errno));
        ok = false;
    }
    close_bench(&b);
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
    int lock = take_turn(arena_printf(arena, "%s.lock", path));
    bool ok = access(path, R_OK) == 0 || build_at(arena, r, cache, path, why);
    if (lock >= 0)
        close(lock);
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

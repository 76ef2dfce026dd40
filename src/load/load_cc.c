/* Compiling with the system's compiler into a shared object.
 *
 * The text is compiled as it stands. What it calls is bound without exporting symbols of the host:
 * before the text, every such name becomes a macro
 * `(*kr_to_NAME)`, which turns its prototype into the definition of a pointer, and each call into
 * one through it; after the text comes a function that fills the pointers from a table.
 *
 * The compiler runs beside us, in a process group and a temporary folder of its own, so that it can
 * be ended with all it started and all it wrote. */
#include "load/internal.h"

#include "base/text.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { PATH_ROOM = 512, NAME_ROOM = 300 };

typedef enum Fault { /* why there is no shared object */
                     FAULT_NONE,
                     FAULT_FOLDER, /* error: errno */
                     FAULT_WRITE,  /* error: errno */
                     FAULT_START,  /* error: errno */
                     FAULT_COMPILE,
                     FAULT_ENDED, /* by us */
} Fault;

struct LoadJob {
    char folder[PATH_ROOM]; /* temporary, holds source, object, log and what the compiler needs */
    char source[PATH_ROOM + 16], object[PATH_ROOM + 16], log[PATH_ROOM + 16];
    pid_t pid; /* of the compiler, which leads its process group; 0 while none runs */
    Fault fault;
    int error;
};

static bool fault(LoadJob *j, Fault what, int error)
{
    j->fault = what;
    j->error = error;
    return false;
}

/* ---- the folder ---- */

static bool open_folder(LoadJob *j)
{
    const char *base = getenv("TMPDIR");
    int n = snprintf(j->folder, sizeof j->folder, "%s/kairos-XXXXXX",
                     base != NULL && *base != '\0' ? base : P_tmpdir);
    if (n < 0 || (size_t)n >= sizeof j->folder) {
        j->folder[0] = '\0';
        return fault(j, FAULT_FOLDER, ENAMETOOLONG);
    }
    if (mkdtemp(j->folder) == NULL) {
        int error = errno;
        j->folder[0] = '\0';
        return fault(j, FAULT_FOLDER, error);
    }
    snprintf(j->source, sizeof j->source, "%s/model.c", j->folder);
    snprintf(j->object, sizeof j->object, "%s/model.so", j->folder);
    snprintf(j->log, sizeof j->log, "%s/log", j->folder);
    return true;
}

/* Removes it with all files in it, those of a compiler that was ended included. */
static void close_folder(LoadJob *j)
{
    DIR *d = j->folder[0] != '\0' ? opendir(j->folder) : NULL;
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char path[PATH_ROOM + NAME_ROOM];
        int n = snprintf(path, sizeof path, "%s/%s", j->folder, e->d_name);
        if (n > 0 && (size_t)n < sizeof path && e->d_name[0] != '.') {
            unlink(path);
        }
    }
    if (d != NULL) {
        closedir(d);
        rmdir(j->folder);
    }
    j->folder[0] = '\0';
}

static bool write_source(LoadJob *j, const char *text)
{
    FILE *f = fopen(j->source, "w");
    bool ok = f != NULL;
    for (const LoadSymbol *x = load_symbols; ok && x->name != NULL; x++) {
        ok = fprintf(f, "#define %s (*kr_to_%s)\n", x->name, x->name) > 0;
    }
    ok = ok && fputs("#line 1 \"model.c\"\n", f) >= 0 && fputs(text, f) >= 0 &&
         fputs("\n__attribute__((visibility(\"default\"))) const ModelCode *kairos_bind(void "
               "*const *table)\n{\n",
               f) >= 0;
    unsigned i = 0;
    for (const LoadSymbol *x = load_symbols; ok && x->name != NULL; x++) {
        ok = fprintf(f, "    *(void **)&kr_to_%s = table[%u];\n", x->name, i++) > 0;
    }
    ok = ok && fputs("    return &kairos_model;\n}\n", f) >= 0;
    int error = errno;
    if (f != NULL && fclose(f) != 0) {
        ok = false;
        error = errno;
    }
    return ok || fault(j, FAULT_WRITE, error);
}

/* ---- the compiler ---- */

/* The environment with TMPDIR pointing to the job's folder; `text` holds that entry. To be freed.
 */
static char **environment(const LoadJob *j, char *text, size_t size)
{
    size_t n = 0, k = 0;
    while (environ[n] != NULL) {
        n++;
    }
    char **all = memory_alloc((n + 2) * sizeof *all);
    snprintf(text, size, "TMPDIR=%s", j->folder);
    for (size_t i = 0; i < n; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0) {
            all[k++] = environ[i];
        }
    }
    all[k] = text;
    return all;
}

static bool start_compiler(LoadJob *j)
{
    char *argv[] = {"cc",
                    "-O1",
                    "-fPIC",
                    "-shared",
                    "-w",
                    "-ffp-contract=off",
                    "-fno-builtin",
                    "-fno-strict-aliasing",
                    "-fvisibility=hidden",
                    "-o",
                    j->object,
                    j->source,
                    NULL};
    char folder[PATH_ROOM + 16];
    char **env = environment(j, folder, sizeof folder);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, j->log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t pid;
    int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    memory_free(env);
    j->pid = error == 0 ? pid : 0;
    return error == 0 || fault(j, FAULT_START, error);
}

/* Whether the compiler has come to its end. */
static bool has_ended(LoadJob *j)
{
    int status = 0;
    if (j->pid == 0) {
        return true;
    }
    pid_t ended = waitpid(j->pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) {
        return false;
    }
    j->pid = 0;
    if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fault(j, FAULT_COMPILE, 0);
    }
    return true;
}

static void pause_for(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void end_compiler(LoadJob *j)
{
    if (j->pid != 0) {
        kill(-j->pid, SIGKILL);
        while (!has_ended(j)) {
            pause_for(1);
        }
        fault(j, FAULT_ENDED, 0);
    }
}

/* ---- the object ---- */

static void tell_log(Context *ctx, const LoadJob *j, const char *text)
{
    char buf[4096];
    size_t n = 0;
    FILE *f = fopen(j->log, "r");
    if (f != NULL) {
        n = fread(buf, 1, sizeof buf - 1, f);
        fclose(f);
    }
    buf[n] = '\0';
    load_tell(ctx, "cc", buf, text);
}

static void tell_fault(Context *ctx, const LoadJob *j, const char *text)
{
    switch (j->fault) {
    case FAULT_FOLDER:
        diag(ctx, (Span){0}, DIAG_C003, "cannot make a temporary folder: %s", strerror(j->error));
        break;
    case FAULT_WRITE:
        diag(ctx, (Span){0}, DIAG_C003, "cannot write '%s': %s", j->source, strerror(j->error));
        break;
    case FAULT_START:
        diag(ctx, (Span){0}, DIAG_C003,
             "cannot run the C compiler 'cc': %s; install one (packages gcc and libc6-dev), or "
             "compile in memory",
             strerror(j->error));
        break;
    case FAULT_COMPILE: tell_log(ctx, j, text); break;
    case FAULT_ENDED:
    case FAULT_NONE: break;
    }
}

static void close_object(void *handle)
{
    dlclose(handle);
}

/* NULL, or why it cannot be opened. */
static const char *open_object(const LoadJob *j, Loaded *l)
{
    enum { MAX_SYMBOLS = 256 };
    void *table[MAX_SYMBOLS];
    unsigned n = 0;
    for (const LoadSymbol *x = load_symbols; x->name != NULL && n < MAX_SYMBOLS; x++) {
        table[n++] = x->address;
    }
    l->handle = dlopen(j->object, RTLD_NOW | RTLD_LOCAL);
    l->close = close_object;
    const ModelCode *(*bind)(void *const *) = NULL;
    if (l->handle != NULL) {
        *(void **)&bind = dlsym(l->handle, "kairos_bind");
    }
    if (bind == NULL) {
        return dlerror();
    }
    l->code = bind(table);
    return NULL;
}

bool load_with_cc(Context *ctx, const char *text, Loaded *l)
{
    LoadJob j = {0};
    if (open_folder(&j) && write_source(&j, text) && start_compiler(&j)) {
        while (!has_ended(&j)) {
            pause_for(1);
            if (*ctx->interrupt) {
                end_compiler(&j);
            }
        }
    }
    const char *why = j.fault == FAULT_NONE ? open_object(&j, l) : NULL;
    if (why != NULL) {
        diag(ctx, (Span){0}, DIAG_C003, "cannot load the compiled model: %s", why);
    }
    tell_fault(ctx, &j, text);
    bool ok = j.fault == FAULT_NONE && why == NULL;
    close_folder(&j);
    return ok;
}

/* ---- in the background ---- */

LoadJob *load_begin(const char *text)
{
    LoadJob *j = memory_alloc(sizeof *j);
    if (open_folder(j) && write_source(j, text) && start_compiler(j)) {
        return j;
    }
    load_end(j);
    return NULL;
}

bool load_poll(LoadJob *j, Loaded **out)
{
    *out = NULL;
    if (!has_ended(j)) {
        return false;
    }
    Loaded *l = memory_alloc(sizeof *l);
    if (j->fault == FAULT_NONE && open_object(j, l) == NULL && l->code->abi == MODEL_ABI) {
        *out = l;
    } else {
        load_free(l);
    }
    return true;
}

void load_end(LoadJob *j)
{
    if (j == NULL) {
        return;
    }
    end_compiler(j);
    close_folder(j);
    memory_free(j);
}

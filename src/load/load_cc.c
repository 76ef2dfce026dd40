/* Compiling with the system's compiler into a shared object.
 *
 * The text is compiled as it stands. What it calls is bound without exporting symbols of the host: before the text, every such name becomes a macro
 * `(*kr_to_NAME)`, which turns its prototype into the definition of a pointer, and each call into one through it; after the text comes a
 * function that fills the pointers from a table. */
#include "load/internal.h"

#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct Workshop { /* a temporary folder */
    char folder[512];
    char source[540], object[540], log[540];
} Workshop;

static bool open_workshop(Context *ctx, Workshop *w)
{
    const char *base = getenv("TMPDIR");
    int n = snprintf(w->folder, sizeof w->folder, "%s/kairos-XXXXXX",
                     base != NULL && *base != '\0' ? base : P_tmpdir);
    if (n < 0 || (size_t)n >= sizeof w->folder || mkdtemp(w->folder) == NULL) {
        diag(ctx, (Span){0}, DIAG_C003, "cannot make a temporary folder '%s': %s", w->folder, strerror(errno));
        return false;
    }
    snprintf(w->source, sizeof w->source, "%s/model.c", w->folder);
    snprintf(w->object, sizeof w->object, "%s/model.so", w->folder);
    snprintf(w->log, sizeof w->log, "%s/log", w->folder);
    return true;
}

static void close_workshop(const Workshop *w)
{
    unlink(w->source);
    unlink(w->object);
    unlink(w->log);
    rmdir(w->folder);
}

static bool write_source(Context *ctx, const Workshop *w, const char *text)
{
    FILE *f = fopen(w->source, "w");
    bool ok = f != NULL;
    for (const LoadSymbol *x = load_symbols; ok && x->name != NULL; x++) {
        ok = fprintf(f, "#define %s (*kr_to_%s)\n", x->name, x->name) > 0;
    }
    ok = ok && fputs("#line 1 \"model.c\"\n", f) >= 0 && fputs(text, f) >= 0 &&
         fputs(
             "\n__attribute__((visibility(\"default\"))) const ModelCode *kairos_bind(void *const *table)\n{\n",
             f) >= 0;
    unsigned i = 0;
    for (const LoadSymbol *x = load_symbols; ok && x->name != NULL; x++) {
        ok = fprintf(f, "    *(void **)&kr_to_%s = table[%u];\n", x->name, i++) > 0;
    }
    ok = ok && fputs("    return &kairos_model;\n}\n", f) >= 0;
    if (f != NULL && fclose(f) != 0) {
        ok = false;
    }
    if (!ok) {
        diag(ctx, (Span){0}, DIAG_C003, "cannot write '%s': %s", w->source, strerror(errno));
    }
    return ok;
}

/* Runs cc; 0 on success, errno where it cannot be started, -1 where it fails. */
static int run_compiler(const Workshop *w)
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
                    (char *)w->object,
                    (char *)w->source,
                    NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, w->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t pid;
    error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        return error;
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static void tell_log(Context *ctx, const Workshop *w, const char *text)
{
    char buf[4096];
    size_t n = 0;
    FILE *f = fopen(w->log, "r");
    if (f != NULL) {
        n = fread(buf, 1, sizeof buf - 1, f);
        fclose(f);
    }
    buf[n] = '\0';
    load_tell(ctx, "cc", buf, text);
}

static void close_object(void *handle)
{
    dlclose(handle);
}

static bool open_object(Context *ctx, const Workshop *w, Loaded *l)
{
    enum { MAX_SYMBOLS = 256 };
    void *table[MAX_SYMBOLS];
    unsigned n = 0;
    for (const LoadSymbol *x = load_symbols; x->name != NULL && n < MAX_SYMBOLS; x++) {
        table[n++] = x->address;
    }
    l->handle = dlopen(w->object, RTLD_NOW | RTLD_LOCAL);
    l->close = close_object;
    const ModelCode *(*bind)(void *const *) = NULL;
    if (l->handle != NULL) {
        *(void **)&bind = dlsym(l->handle, "kairos_bind");
    }
    if (bind == NULL) {
        diag(ctx, (Span){0}, DIAG_C003, "cannot load the compiled model: %s", dlerror());
        return false;
    }
    l->code = bind(table);
    return true;
}

bool load_with_cc(Context *ctx, const char *text, Loaded *l)
{
    Workshop w;
    if (!open_workshop(ctx, &w)) {
        return false;
    }
    bool ok = write_source(ctx, &w, text);
    if (ok) {
        int error = run_compiler(&w);
        if (error > 0) {
            diag(ctx, (Span){0}, DIAG_C003,
                 "cannot run the C compiler 'cc': %s; install one, or compile in memory", strerror(error));
        } else if (error < 0) {
            tell_log(ctx, &w, text);
        }
        ok = error == 0 && open_object(ctx, &w, l);
    }
    close_workshop(&w);
    return ok;
}

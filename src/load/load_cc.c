/* Compilation with the system's compiler into a shared object (base/compiler_job.h).
 *
 * The text is compiled as it is. Its calls are bound without exporting symbols of the host. Before
 * the text, every such name becomes a macro `(*kr_to_NAME)`. It turns the prototype into the
 * definition of a pointer, and each call into a call through the pointer. A function after the text
 * fills the pointers from a table. */
#include "load/internal.h"

#include "base/compiler_job.h"
#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum Fault { /* the reason why there is no shared object */
                     FAULT_NONE,
                     FAULT_FOLDER, /* error: errno */
                     FAULT_WRITE,  /* error: errno */
                     FAULT_START,  /* error: errno */
                     FAULT_COMPILE,
                     FAULT_ENDED, /* by us */
} Fault;

struct LoadJob {
    CompilerJob cc;
    Fault fault;
    int error;
};

static bool fault(LoadJob *j, Fault what, int error)
{
    j->fault = what;
    j->error = error;
    return false;
}

/* ---- the text ---- */

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && *folder != '\0' ? folder : P_tmpdir;
}

static bool open_folder(LoadJob *j)
{
    int error = compiler_open(&j->cc, temporary_folder(), "model");
    return error == 0 || fault(j, FAULT_FOLDER, error);
}

static bool write_source(LoadJob *j, const char *text)
{
    FILE *f = fopen(j->cc.source, "w");
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

static bool start_compiler(LoadJob *j, const CompilerLimits *limits)
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
                    j->cc.object,
                    j->cc.source,
                    NULL};
    int error = compiler_start(&j->cc, argv, limits);
    return error == 0 || fault(j, FAULT_START, error);
}

static bool has_ended(LoadJob *j)
{
    bool ended = compiler_ended(&j->cc);
    if (ended && j->cc.failed && j->fault == FAULT_NONE) {
        fault(j, FAULT_COMPILE, 0);
    }
    return ended;
}

static void end_compiler(LoadJob *j)
{
    if (compiler_kill(&j->cc)) {
        fault(j, FAULT_ENDED, 0);
    }
}

/* ---- the object ---- */

static void report_log(Context *ctx, const LoadJob *j, const char *text)
{
    char buf[4096];
    size_t n = 0;
    FILE *f = fopen(j->cc.log, "r");
    if (f != NULL) {
        n = fread(buf, 1, sizeof buf - 1, f);
        fclose(f);
    }
    buf[n] = '\0';
    load_report(ctx, "cc", buf, text);
}

static void report_fault(Context *ctx, const LoadJob *j, const char *text)
{
    switch (j->fault) {
    case FAULT_FOLDER:
        diag(ctx, (Span){0}, DIAG_C003,
             "cannot make a folder in '%s': %s; let TMPDIR name a folder for temporary files",
             temporary_folder(), strerror(j->error));
        break;
    case FAULT_WRITE:
        diag(ctx, (Span){0}, DIAG_C003, "cannot write '%s': %s", j->cc.source, strerror(j->error));
        break;
    case FAULT_START:
        diag(ctx, (Span){0}, DIAG_C003,
             "cannot run the C compiler 'cc': %s; install one (packages gcc and libc6-dev), or "
             "compile in memory",
             strerror(j->error));
        break;
    case FAULT_COMPILE: report_log(ctx, j, text); break;
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
    l->handle = dlopen(j->cc.object, RTLD_NOW | RTLD_LOCAL);
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
    if (open_folder(&j) && write_source(&j, text) && start_compiler(&j, NULL)) {
        if (!compiler_wait(&j.cc, ctx->interrupt)) {
            fault(&j, FAULT_ENDED, 0);
        }
        has_ended(&j);
    }
    const char *why = j.fault == FAULT_NONE ? open_object(&j, l) : NULL;
    if (why != NULL) {
        diag(ctx, (Span){0}, DIAG_C003, "cannot load the compiled model: %s", why);
    }
    report_fault(ctx, &j, text);
    bool ok = j.fault == FAULT_NONE && why == NULL;
    compiler_close(&j.cc);
    return ok;
}

/* ---- in the background ---- */

LoadJob *load_begin(const char *text)
{
    static const CompilerLimits background = {.kilobytes = 1 << 20, .seconds = 600};
    LoadJob *j = memory_alloc(sizeof *j);
    if (open_folder(j) && write_source(j, text) && start_compiler(j, &background)) {
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
    compiler_close(&j->cc);
    memory_free(j);
}

/* Compiling in memory. libtcc keeps its state in statics while it compiles, so compiles take turns.
 */
#include "load/internal.h"

#include "base/text.h"

#include <libtcc.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* What libtcc in libkairos.so uses in place of the C library's variables (cmake/Library.cmake). */
FILE *tcc_stdout, *tcc_stderr;
char **tcc_environ;

extern char **environ;

static void collect(void *user, const char *message)
{
    Text *t = user;
    text_put(t, message);
    text_put(t, "\n");
}

static void close_tcc(void *handle)
{
    pthread_mutex_lock(&turn);
    tcc_delete(handle);
    pthread_mutex_unlock(&turn);
}

static bool compile(TCCState *s, const char *text)
{
    tcc_set_options(s, "-nostdlib");
    tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
    for (const LoadSymbol *x = load_symbols; x->name != NULL; x++) {
        tcc_add_symbol(s, x->name, x->address);
    }
    return tcc_compile_string(s, text) == 0 && tcc_relocate(s, TCC_RELOCATE_AUTO) == 0;
}

bool load_with_tcc(Context *ctx, const char *text, Loaded *l)
{
    Text messages = {0};
    text_put(&messages, "");
    pthread_mutex_lock(&turn);
    tcc_stdout = stdout;
    tcc_stderr = stderr;
    tcc_environ = environ;
    TCCState *s = tcc_new();
    bool ok = s != NULL;
    if (ok) {
        tcc_set_error_func(s, &messages, collect);
        ok = compile(s, text);
        l->handle = s;
        l->close = close_tcc;
        l->code = ok ? tcc_get_symbol(s, "kairos_model") : NULL;
    }
    pthread_mutex_unlock(&turn);
    if (!ok || l->code == NULL) {
        load_tell(ctx, "libtcc", messages.at, text);
        ok = false;
    }
    text_free(&messages);
    return ok;
}

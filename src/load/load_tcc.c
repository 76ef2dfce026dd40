/* Compiling in memory. */
#include "load/internal.h"

#include "load/for_tcc.h"

#include <libtcc.h>
#include <stdio.h>

typedef struct Job {
    const char *text;
    TCCState *state;       /* NULL: libtcc has no memory */
    const ModelCode *code; /* NULL after an error */
    char messages[4096];
    size_t n; /* of them */
} Job;

static void collect(void *user, const char *message)
{
    Job *j = user;
    size_t room = sizeof j->messages - j->n;
    int n = snprintf(j->messages + j->n, room, "%s\n", message);
    j->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void delete (void *handle)
{
    tcc_delete(handle);
}

static void close_tcc(void *handle)
{
    for_tcc_take_turn(delete, handle);
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

static void make_code(void *arg)
{
    Job *j = arg;
    j->state = tcc_new();
    if (j->state != NULL) {
        tcc_set_error_func(j->state, j, collect);
        j->code = compile(j->state, j->text) ? tcc_get_symbol(j->state, "kairos_model") : NULL;
        tcc_set_error_func(j->state, NULL, NULL);
    }
}

bool load_with_tcc(Context *ctx, const char *text, Loaded *l)
{
    Job j = {.text = text};
    if (!for_tcc_take_turn(make_code, &j) || j.state == NULL) {
        diag(ctx, (Span){0}, DIAG_U009,
             "libtcc ran out of memory, and cannot be used again in this process; "
             "the compiler 'cc' can");
        return false;
    }
    l->handle = j.state;
    l->close = close_tcc;
    l->code = j.code;
    if (j.code == NULL) {
        load_report(ctx, "libtcc", j.messages, text);
    }
    return j.code != NULL;
}

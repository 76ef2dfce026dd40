/* Loading: the symbols, the choice of the tier, messages of a compiler. */
#include "load/internal.h"

#include <math.h>
#include <stdlib.h>

#include <stdio.h>

const LoadSymbol load_symbols[] = {
#define X(name) {#name, (void *)name},
#include "runtime/symbols.def"
#undef X
#define F1(op, name, class, behaviour, c, ...) {#c, (void *)c},
#define F2(op, name, class, behaviour, c, ...) {#c, (void *)c},
#include "expr/ops.def"
    {NULL, NULL},
};

static const char *find_line(const char *text, long line)
{
    for (long k = 1; k < line && text != NULL; k++) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

/* The number after the first "name:" of a message, 0 if there is none. */
static long message_line(const char *message, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        if (message[i] == ':' && message[i + 1] >= '1' && message[i + 1] <= '9') {
            return strtol(message + i + 1, NULL, 10);
        }
    }
    return 0;
}

void load_report(Context *ctx, const char *compiler, const char *messages, const char *text)
{
    diag(ctx, (Span){0}, DIAG_C001, "the generated code does not compile with %s", compiler);
    unsigned reported = 0;
    for (const char *at = messages; *at != '\0' && reported < 5; reported++) {
        size_t n = strcspn(at, "\n");
        diag_note(ctx, (Span){0}, "%.*s", (int)(n < 400 ? n : 400), at);
        const char *line = find_line(text, message_line(at, n));
        if (line != NULL && message_line(at, n) > 0) {
            size_t length = strcspn(line, "\n");
            diag_note(ctx, (Span){0}, "    %.*s", (int)(length < 400 ? length : 400), line);
        }
        at += n + (at[n] == '\n');
    }
}

Loaded *load_compile(Context *ctx, const char *text, LoadTier tier)
{
    const _Atomic int *watched = memory_watch(NULL); /* releases files and locks in order */
    Loaded *l = memory_alloc(sizeof *l);
    bool ok = tier == LOAD_TCC ? load_with_tcc(ctx, text, l) : load_with_cc(ctx, text, l);
    if (ok && l->code->abi != MODEL_ABI) {
        diag(ctx, (Span){0}, DIAG_C001, "the generated code has interface version %u, expected %d",
             l->code->abi, MODEL_ABI);
        ok = false;
    }
    memory_watch(watched);
    if (!ok) {
        load_free(l);
        return NULL;
    }
    return l;
}

const ModelCode *load_code(const Loaded *l)
{
    return l->code;
}

void load_free(Loaded *l)
{
    if (l == NULL) {
        return;
    }
    if (l->handle != NULL) {
        l->close(l->handle);
    }
    memory_free(l);
}

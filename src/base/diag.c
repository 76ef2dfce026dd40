#include "base/context.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

typedef struct CodeInfo {
    const char *name;
    Severity severity;
    const char *texts[2]; /* title and section; NULL: none */
} CodeInfo;

static const CodeInfo code_info[] = {
#define X(code, severity, ...) {#code, SEVERITY_##severity, {__VA_ARGS__}},
#include "base/diagnostics.def"
#undef X
};

DiagMark diag_mark(const Context *ctx)
{
    return (DiagMark){ctx->diags.n, ctx->n_errors, ctx->n_warnings};
}

void diag_discard(Context *ctx, DiagMark mark)
{
    ctx->diags.n = mark.n;
    ctx->n_errors = mark.n_errors;
    ctx->n_warnings = mark.n_warnings;
    ctx->last = NULL;
}

const char *diag_code_name(DiagCode code)
{
    return code_info[code].name;
}

const char *diag_code_title(DiagCode code)
{
    return code_info[code].texts[0];
}

Severity diag_code_severity(DiagCode code)
{
    return code_info[code].severity;
}

const char *diag_code_section(DiagCode code)
{
    return code_info[code].texts[1];
}

Context *context_new(void)
{
    Arena *arena = arena_new();
    Context *ctx = ARENA_NEW(arena, Context);
    ctx->arena = arena;
    ctx->names = names_new();
    ctx->sources = sources_new();
    ctx->max_errors = 100;
    ctx->interrupt = &ctx->own_interrupt;
    ctx->root = ctx;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&ctx->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return ctx;
}

Context *context_fork(Context *ctx)
{
    Arena *arena = arena_new();
    Context *fork = ARENA_NEW(arena, Context);
    fork->arena = arena;
    fork->names = ctx->names;
    fork->sources = ctx->sources;
    fork->max_errors = ctx->max_errors;
    fork->interrupt = ctx->interrupt;
    fork->root = ctx->root;
    return fork;
}

void context_give(Context *fork)
{
    Context *root = fork->root;
    uint32_t n_errors = root->n_errors;
    for (uint32_t i = 0; i < fork->diags.n; i++) {
        const Diag *d = fork->diags.at[i];
        diag(root, d->span, d->code, "%s", d->text);
        for (const DiagNote *n = d->notes; n; n = n->next)
            diag_fact(root, n->span, n->fact, "%s", n->text);
    }
    root->n_failures += root->n_errors - n_errors;
    root->n_errors = n_errors;
    vec_clear(&fork->diags);
    fork->last = NULL;
}

void context_join(Context *fork)
{
    context_give(fork);
    vec_free(&fork->diags);
    arena_free(fork->arena);
}

Context *context_take_(Context *ctx)
{
    pthread_mutex_lock(&ctx->root->lock);
    ctx->root->holds++;
    return ctx->root;
}

void context_release_(Context **held)
{
    (*held)->holds--;
    pthread_mutex_unlock(&(*held)->lock);
}

void context_recover(Context *ctx)
{
    Context *root = ctx->root;
    if (pthread_mutex_trylock(&root->lock))
        return; /* another thread's */
    unsigned holds = root->holds;
    root->holds = 0;
    for (unsigned i = 0; i <= holds; i++)
        pthread_mutex_unlock(&root->lock);
}

void context_free(Context *ctx)
{
    if (!ctx)
        return;
    names_free(ctx->names);
    sources_free(ctx->sources);
    vec_free(&ctx->diags);
    pthread_mutex_destroy(&ctx->lock);
    arena_free(ctx->arena);
}

static Diag *known(const Context *ctx, Span span, DiagCode code, const char *text)
{
    for (uint32_t i = 0; i < ctx->diags.n; i++) {
        Diag *d = ctx->diags.at[i];
        if (d->code == code && d->span.file == span.file && d->span.at == span.at &&
            !strcmp(d->text, text))
            return d;
    }
    return NULL;
}

static bool has_note(const Diag *d, Span span, const char *text)
{
    for (const DiagNote *n = d->notes; n; n = n->next)
        if (n->span.file == span.file && n->span.at == span.at && !strcmp(n->text, text))
            return true;
    return false;
}

enum { LONGEST_TEXT = 2000 };

/* The text of a message. An equation may name every element of a large table: the end is cut. */
static const char *message_text(Context *ctx, const char *format, va_list args)
{
    const char *text = arena_vprintf(ctx->arena, format, args);
    size_t n = strlen(text) > LONGEST_TEXT ? text_cut(text, LONGEST_TEXT) : 0;
    return n ? arena_printf(ctx->arena, "%.*s …", (int)n, text) : text;
}

static void add(Context *ctx, Span span, DiagCode code, Severity severity, const char *format,
                va_list args)
{
    if (ctx->quiet)
        return;
    span = sources_origin(ctx->sources, span);
    Diag *d = ARENA_NEW(ctx->arena, Diag);
    *d = (Diag){code, severity, span, message_text(ctx, format, args), NULL, NULL};
    bool error = d->severity == SEVERITY_ERROR;
    Diag *old = known(ctx, span, code, d->text);
    ctx->last = old ? old : d;
    if (ctx->diags.n > ctx->max_errors || old) {
        ctx->n_errors += error && ctx->diags.n > ctx->max_errors;
        return;
    }
    ctx->n_errors += error;
    ctx->n_warnings += d->severity == SEVERITY_WARNING;
    vec_push(&ctx->diags, d);
}

void diag(Context *ctx, Span span, DiagCode code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(ctx, span, code, code_info[code].severity, format, args);
    va_end(args);
}

bool diag_compatible(Context *ctx, Span span, DiagCode code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(ctx, span, code, ctx->compatible ? SEVERITY_WARNING : SEVERITY_ERROR, format, args);
    va_end(args);
    return ctx->compatible;
}

static void add_note(Context *ctx, Span span, DiagFact fact, const char *format, va_list args)
{
    Diag *d = ctx->last;
    span = sources_origin(ctx->sources, span);
    DiagNote *note = ARENA_NEW(ctx->arena, DiagNote);
    *note = (DiagNote){span, message_text(ctx, format, args), fact, NULL};
    if (has_note(d, span, note->text))
        return;
    if (fact.name)
        note->fact.name = arena_copy(ctx->arena, fact.name, strlen(fact.name));
    if (d->last)
        d->last->next = note;
    else
        d->notes = note;
    d->last = note;
}

void diag_note(Context *ctx, Span span, const char *format, ...)
{
    if (!ctx->diags.n || ctx->quiet)
        return;
    va_list args;
    va_start(args, format);
    add_note(ctx, span, (DiagFact){0}, format, args);
    va_end(args);
}

void diag_fact(Context *ctx, Span span, DiagFact fact, const char *format, ...)
{
    if (!ctx->diags.n || ctx->quiet)
        return;
    va_list args;
    va_start(args, format);
    add_note(ctx, span, fact, format, args);
    va_end(args);
}

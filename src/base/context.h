/* The context: everything one compilation shares. The caller of the library owns it; one thread at
 * a time.
 *
 * Runs of a compiled model may share what it was compiled with in several threads: each has a fork,
 * in which its messages gather. What runs use and what grows on use (names, types, lines of
 * sources, symbolic memory, external code) is used under CONTEXT_HOLD. */
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include "base/diag.h"

#include <pthread.h>

struct Context {
    Arena *arena; /* lives as long as the context */
    Names *names;
    Sources *sources;
    VEC(Diag *) diags;
    Diag *told; /* the diagnostic recorded last: notes belong to it */
    uint32_t n_errors, n_warnings;
    /* what is told now is not kept: the work under way will be done again */
    bool quiet;
    uint32_t n_failures; /* errors of runs: none of the text that is compiled */
    uint32_t max_errors; /* further ones are counted, not kept; 100 */
    /* set by another thread or a signal handler: stop at the next safe point */
    volatile int *interrupt;
    volatile int own_interrupt;
    Context *root;        /* of a fork; itself otherwise */
    pthread_mutex_t lock; /* of the root, recursive */
    unsigned holds;       /* of the root: how often its thread holds it */
};

Context *context_new(void);
void context_free(Context *ctx);
/* A context with messages of its own that shares all else with ctx. */
Context *context_fork(Context *ctx);
/* Gives the messages of a fork to its root, which must be held, and frees it. */
void context_join(Context *fork);

/* Holds what forks share until the end of the block. The same thread may hold it several times. */
#define CONTEXT_HOLD(ctx)                                                                          \
    __attribute__((cleanup(context_release_), unused)) Context *held_ = context_take_(ctx)
/* After memory ran out in a guarded action: gives up what this thread still holds. */
void context_recover(Context *ctx);
Context *context_take_(Context *ctx);
void context_release_(Context **held);

#endif

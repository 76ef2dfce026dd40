/* The context: everything that one compilation shares. The caller of the library owns it; one
 * thread uses it at a time.
 *
 * Several threads may run a compiled model. Each run has a fork of the context, which collects its
 * messages. Shared data that grows on use (names, types, source lines, symbolic memory, external
 * code) is used under CONTEXT_HOLD. */
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include "base/diag.h"

#include <pthread.h>

struct Context {
    Arena *arena; /* lives as long as the context */
    Names *names;
    Sources *sources;
    VEC(Diag *) diags;
    Diag *last; /* the diagnostic recorded last: notes belong to it */
    uint32_t n_errors, n_warnings;
    /* messages are not kept now: the work will be done again */
    bool quiet;
    bool plain_names;    /* variables are named without the quotes of their identifiers */
    bool compatible;     /* accept, with a warning, text that other tools accept */
    uint32_t n_failures; /* errors of runs, not of the compiled text */
    uint32_t max_errors; /* further ones are counted, not kept; 100 */
    /* set by another thread or a signal handler: stop at the next safe point */
    _Atomic int *interrupt;
    _Atomic int own_interrupt;
    Context *root;        /* of a fork; itself otherwise */
    pthread_mutex_t lock; /* of the root, recursive */
    unsigned holds;       /* of the root: how often its thread holds the lock */
};

Context *context_new(void);
void context_free(Context *ctx);
/* A context with its own messages that shares everything else with ctx. */
Context *context_fork(Context *ctx);
/* Gives the messages of a fork to its root, which must be held; the fork stays in use. */
void context_give(Context *fork);
/* The same, and frees the fork. */
void context_join(Context *fork);

/* Locks shared data until the end of the block. The same thread may lock it several times. */
#define CONTEXT_HOLD(ctx)                                                                          \
    __attribute__((cleanup(context_release_), unused)) Context *held_ = context_take_(ctx)
/* After memory ran out in a guarded action: releases the locks of this thread. */
void context_recover(Context *ctx);
Context *context_take_(Context *ctx);
void context_release_(Context **held);

#endif

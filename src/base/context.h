/* The context: everything one compilation shares. The caller of the library owns it; one thread at a time. */
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include "base/diag.h"

struct Context {
    Arena *arena; /* lives as long as the context */
    Names *names;
    Sources *sources;
    VEC(Diag *) diags;
    Diag *told; /* the diagnostic recorded last: notes belong to it */
    uint32_t n_errors, n_warnings;
    uint32_t max_errors;    /* further ones are counted, not kept; 100 */
    volatile int interrupt; /* set by another thread or a signal handler: stop at the next safe point */
};

Context *context_new(void);
void context_free(Context *ctx);

#endif

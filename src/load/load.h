/* Loading: C text → ModelCode, compiled in memory by libtcc or by the system's compiler into a
 * shared object. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/context.h"
#include "runtime/model.h"

typedef enum LoadTier { LOAD_TCC, LOAD_CC } LoadTier;

typedef struct Loaded Loaded;

/* NULL after an error. */
Loaded *load_compile(Context *ctx, const char *text, LoadTier tier);
const ModelCode *load_code(const Loaded *l);
void load_free(Loaded *l);

/* A compilation by the system's compiler in the background. It reports nothing: if it fails, there
 * is no better code. */
typedef struct LoadJob LoadJob;
LoadJob *load_begin(const char *text); /* NULL if it cannot be started */
/* True if it has ended: *out is the result, or NULL if it failed. The job must still be ended. */
bool load_poll(LoadJob *j, Loaded **out);
/* ends the compiler if it still runs, and removes its files; NULL is allowed */
void load_end(LoadJob *j);

#endif

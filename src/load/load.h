/* Loading: C text → ModelCode, compiled in memory by libtcc or by the system's compiler into a shared object. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/context.h"
#include "runtime/model.h"

typedef enum LoadTier { LOAD_TCC, LOAD_CC } LoadTier;

typedef struct Loaded Loaded;

/* NULL after telling. libraries, includes: of external functions; may be NULL. */
Loaded *load_compile(Context *ctx, const char *text, LoadTier tier);
const ModelCode *load_code(const Loaded *l);
void load_free(Loaded *l);

#endif

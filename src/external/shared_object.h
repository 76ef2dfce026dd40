/* Shared objects made by the system's compiler and kept in the user's cache. Only for src/external.
 */
#ifndef EXTERNAL_COMPILE_H
#define EXTERNAL_COMPILE_H

#include "base/memory.h"
#include "base/text.h"

typedef struct Recipe {
    const char *name;         /* part of the file's name */
    const char *text;         /* C text to be compiled; NULL for none */
    const char *const *words; /* size n: further words for the compiler: files, options */
    uint32_t n;
    const _Atomic int *interrupt; /* once it is set, the compiler is ended; NULL for none */
} Recipe;

/* The path of the shared object, which is made if it does not exist. NULL after a failure: *why is
 * the reason. */
const char *shared_object_compile(Arena *arena, const Recipe *r, const char **why);
/* The path of a folder with the header, which is made if it does not exist. NULL after a failure.
 */
const char *shared_object_header(Arena *arena, const char *name, const char *text,
                                 const char **why);

#endif

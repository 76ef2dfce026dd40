/* Measured time of a run as a tree of calls: parts of the run, blocks, functions.
 *
 * The host enters and leaves parts, the runtime blocks, generated code functions (kr_enter). A node
 * is one item below one chain of callers. All nodes are allocated at the beginning; a call that
 * finds none left counts for its caller. */
#ifndef RUNTIME_PROFILE_H
#define RUNTIME_PROFILE_H

#include <stddef.h>
#include <stdint.h>

typedef enum ProfileKind {
    PROFILE_RUN, /* the root */
    PROFILE_PART,
    PROFILE_BLOCK,
    PROFILE_FUNCTION,
} ProfileKind;

/* No chain of callers is longer. */
enum { PROFILE_DEPTH = 64 };

typedef struct ProfileCall {
    ProfileKind kind;
    uint32_t item;              /* of the host's list of this kind */
    uint32_t parent;            /* of the root: itself */
    uint32_t first, last, next; /* children in order of their first call; 0: none */
    uint32_t recent;            /* child that was called most recently */
    uint32_t depth;
    uint64_t calls;
    double seconds; /* with everything called */
    double began;   /* the present call */
} ProfileCall;

typedef struct Profile {
    ProfileCall *at; /* the root first; each after its parent */
    uint32_t n, cap;
    uint32_t now;     /* the node that is being executed */
    uint32_t omitted; /* calls below it that are not measured, still open */
} Profile;

Profile *profile_new(void); /* the root runs; NULL without memory */
void profile_free(Profile *p);
void profile_begin(Profile *p, ProfileKind kind, uint32_t item);
void profile_end(Profile *p);
/* The run ends: closes everything that is open. */
void profile_close(Profile *p);

/* The same for a profile that may be NULL: none is requested. */
static inline void profile_enter(Profile *p, ProfileKind kind, uint32_t item)
{
    if (p != NULL) {
        profile_begin(p, kind, item);
    }
}

static inline void profile_leave(Profile *p)
{
    if (p != NULL) {
        profile_end(p);
    }
}

#endif

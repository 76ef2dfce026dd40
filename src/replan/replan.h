/* Further plans of a compiled model: the only way back from simulation to structure. A new mode,
 * and inline integration, need a program other than that of the compilation. It is planned on a
 * copy of the model's equations, compiled like the first, and kept with the compilation for later
 * runs. */
#ifndef REPLAN_H
#define REPLAN_H

#include "compile.h"
#include "sim/sim.h"

typedef struct ReplanFor {
    Compilation *compilation;
    /* of the run, for messages; runs in other threads may call at the same time */
    Context *ctx;
} ReplanFor;

/* The functions of sim.h's Replan for a run; *w must outlive it. */
Replan replan_of(const ReplanFor *w);
void replan_free(struct Programs *p);

/* ---- inlined_equations.c ---- */
/* The sorted equations as text. The states that the patterns name are inlined, and further ones
 * that switches need. NULL after an error. */
char *replan_print_inlined(const Compilation *c, const char *const *patterns, uint32_t n,
                           Arena *arena);

#endif

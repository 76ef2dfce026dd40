/* Further plans of a compiled model: the one way back from the simulation to structure.
 *
 * A mode visited for the first time, and inline integration, need another program than the one that
 * the pipeline made. It is planned on a copy of the model's equations, compiled like the first, and
 * kept with the compilation, so that a later run finds it. */
#ifndef REPLAN_H
#define REPLAN_H

#include "compile.h"
#include "sim/sim.h"

typedef struct ReplanFor {
    Compilation *compilation;
    /* of the run that asks, for messages; runs in other threads may ask at the same time */
    Context *ctx;
} ReplanFor;

/* The functions of sim.h's Replan for a run; *w must outlive it. */
Replan replan_of(const ReplanFor *w);
void replan_free(struct Programs *p);

/* ---- inlined_equations.c ---- */
/* The sorted equations as text, with the states inlined that the patterns name, and those that
 * switches ask for besides. NULL after telling. */
char *replan_print_inlined(const Compilation *c, const char *const *patterns, uint32_t n,
                           Arena *arena);

#endif

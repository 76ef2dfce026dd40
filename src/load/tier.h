/* Tiers: a model begins with code compiled in memory. If its runs are long, the system's compiler
 * makes better code from the same text in the background. Both compute the same bits, so the change
 * may happen at any step. Used by several threads at once. */
#ifndef LOAD_TIER_H
#define LOAD_TIER_H

#include "load/load.h"

typedef enum TierState {
    TIER_FIRST,     /* the runs so far were too short */
    TIER_COMPILING, /* in the background */
    TIER_BETTER,    /* there is better code */
    TIER_NONE,      /* there will be none: not wanted, no compiler, or it failed */
} TierState;

typedef struct Tier Tier;

/* `first` and `text` belong to the caller and must live as long. `wanted` false: no better code. */
Tier *tier_new(const ModelCode *first, const char *text, bool wanted);
void tier_free(Tier *t); /* ends a compilation that still runs; NULL is allowed */
/* The best code there is. */
const ModelCode *tier_code(Tier *t);
/* The same, called at a step of a run that took `seconds` for the fraction `done`. Starts the
 * compiler if the expected rest of the run, or the time of earlier runs, exceeds the expected time
 * of compiling. */
const ModelCode *tier_poll(Tier *t, double seconds, double done);
/* A run that took `seconds` has ended. */
void tier_count(Tier *t, double seconds);
TierState tier_state(Tier *t);

#endif

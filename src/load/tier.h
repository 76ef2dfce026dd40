/* Tiers: a model begins with code compiled in memory; where its runs are long, the system's
 * compiler makes better code of the same text in the background. Both compute the same bits, so the
 * change may happen at any step. Used by several threads at once. */
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

/* `first` and `text` stay the caller's and must live as long; wanted false: there will be no better
 * code. */
Tier *tier_new(const ModelCode *first, const char *text, bool wanted);
void tier_free(Tier *t); /* ends a compilation that still runs; NULL is allowed */
/* The best code there is. */
const ModelCode *tier_code(Tier *t);
/* The same, asked at a step of a run that took `seconds` for the share `done` of it. Starts the
 * compiler where the expected rest of the run, or what earlier runs took, exceeds the expected time
 * of compiling. */
const ModelCode *tier_poll(Tier *t, double seconds, double done);
/* A run that took `seconds` has ended. */
void tier_count(Tier *t, double seconds);
TierState tier_state(Tier *t);

#endif

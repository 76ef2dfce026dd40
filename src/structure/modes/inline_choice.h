/* Which states are integrated inline: those requested by name, those that fix the causality of
 * switches, and those tied to them by a mode. */
#ifndef STRUCTURE_MODES_INLINE_CHOICE_H
#define STRUCTURE_MODES_INLINE_CHOICE_H

#include "structure/plan/plan.h"

typedef struct InlineChoice {
    const Plan *single; /* the usual plan */
    const Plan *all;    /* with all states inlined */
    VEC(VarId) list;    /* chosen so far; the caller frees it */
} InlineChoice;

/* Adds the states that match the pattern; false if there are none. */
bool inline_choose_named(InlineChoice *c, const char *pattern);
/* Adds the storage elements of this plan's guards; true if there are new ones. */
bool inline_choose_storage(InlineChoice *c, const Plan *p);
/* A mode that ties states to each other makes the derivative of one a multiple of their difference
 * divided by the step. No solver converges for such a term, so all of them are inlined if one is.
 */
void inline_choose_tied(InlineChoice *c);

#endif

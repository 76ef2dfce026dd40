/* Numbers by which the compiled model speaks of its plan: of blocks and of assertions. The code
 * generator counts as these functions do, and messages find their way back. */
#ifndef STRUCTURE_PLAN_NUMBERS_H
#define STRUCTURE_PLAN_NUMBERS_H

#include "structure/plan/plan.h"

/* Whether the block has a number (ModelData.failed_block, an index of ModelCode.blocks): torn and
 * mixed ones do, in order over plan->blocks. */
static inline bool plan_is_numbered(const PlanBlock *b)
{
    return b->n_torn > 0 || b->mixed;
}

/* The block with this number; NULL if there is none. */
const PlanBlock *plan_numbered_block(const Plan *plan, uint32_t number);

/* Asserts and while loops of functions are numbered through all functions, in order. The number of
 * the first one of a function: */
uint32_t plan_first_assert(const Graph *g, uint32_t function);
/* The one that ModelData.failed_assert or runtime_warnings names, and its function; NULL for a
 * number out of range. */
const Stmt *plan_assert(const Plan *plan, uint32_t number, const Function **function);

#endif

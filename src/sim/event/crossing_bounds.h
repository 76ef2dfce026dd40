/* Bounds of crossing functions over a step of the solver.
 *
 * In: a program, the columns of its locator. Out: steps, columns and pieces of steps that cannot
 * contain a crossing. NULL from bounds_new: nothing is excluded. */
#ifndef SIM_EVENT_CROSSING_BOUNDS_H
#define SIM_EVENT_CROSSING_BOUNDS_H

#include "sim/event/locate.h"
#include "sim/state/state.h"

typedef struct CrossingBounds CrossingBounds;

/* In prog->own. Peaks of columns that stay away from zero go to their cadences. NULL: no columns.
 */
CrossingBounds *bounds_new(ModeProgram *prog, Locator *l, EventCadence *cadences, Arena *scratch);
void bounds_free(CrossingBounds *w);
/* after an event: variables that are fixed between events have changed */
void bounds_restart(CrossingBounds *w);
/* no relation can reach zero in [t0, t1] of the last step */
bool bounds_exclude_step(CrossingBounds *w, double t0, double t1);
bool bounds_exclude(const CrossingBounds *w, uint32_t column); /* cannot reach zero in the box */
/* may turn within a step, and can be bounded on pieces of it */
bool bounds_may_turn(const CrossingBounds *w, uint32_t column);
/* A lower bound of the distance of a wild relation from a change in [a, b] of the last step,
 * without its shift. */
double bounds_of_piece(CrossingBounds *w, uint32_t column, double a, double b);

#endif

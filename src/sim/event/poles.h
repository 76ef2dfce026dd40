/* Poles of derivatives: steps that pass one.
 *
 * In: a program. Out: whether a divisor in its derivatives has the other sign at the end of a step.
 * A solution does not pass a pole, but a step may: in x' = -x/(x + 1e-3), the slope is nearly -1
 * not far from zero on both sides of the pole at -1e-3, so that no estimate of the error sees it.
 */
#ifndef SIM_EVENT_POLES_H
#define SIM_EVENT_POLES_H

#include "sim/state/state.h"

typedef struct PoleWatch PoleWatch;

/* In prog->own; NULL: no divisor can be zero, or is simple enough to be watched. */
PoleWatch *poles_new(ModeProgram *prog, Arena *scratch);
void poles_free(PoleWatch *w);
/* after an event: variables that are fixed between events have changed */
void poles_restart(PoleWatch *w);
/* Whether the solver's last step passes one. */
bool poles_passed(PoleWatch *w);

#endif

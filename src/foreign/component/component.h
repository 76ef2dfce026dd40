/* An FMU as a part of a running model: the functions that the text of a wrapper calls.
 *
 *     open → start → (continuous values | update)… → close
 *
 * Time moves back and forth while a solver tries steps and the locator looks for crossings; this is
 * allowed between events. An *epoch* is the time between two events of the FMU. Each function gets
 * the epoch that it is called for. component_update ends an epoch. Called again for the same event,
 * it answers the same. If the arguments have changed, it goes back to the state before the event,
 * if the FMU can, and otherwise iterates on.
 *
 * Model exchange: event indicators are shifted away from the side on which they stand, and divided
 * by their size. So a relation `indicator < 0` becomes true at a crossing, and false again with the
 * event.
 *
 * Co-simulation: component_limit does the next communication step before the solver steps, with
 * the present inputs. Within it, continuous values are interpolated. component_accept asks for an
 * event if the FMU does, or if a discrete variable has changed.
 *
 * Functions return NULL, or the reason of a failure. */
#ifndef FOREIGN_COMPONENT_H
#define FOREIGN_COMPONENT_H

#include "external/external.h"
#include "foreign/archive/fmu_file.h"
#include "foreign/component/layout.h"

typedef struct Components Components; /* what all components of a session share */
typedef struct Component Component;

Components *components_new(Context *ctx);
void components_free(Components *all);
/* Keeps an open FMU for components of this path and structure, which then need not unpack it again.
 * components_free closes it. */
void components_keep(Components *all, FmuFile *file, const char *path, const char *structure);
/* The functions for external code, under the symbols kairos_fmu_*. They belong to `all`. */
const ExternalNatives *components_natives(Components *all);

#endif

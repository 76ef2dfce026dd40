/* External functions and objects of the run. */
#ifndef SIM_STATE_EXTERNALS_H
#define SIM_STATE_EXTERNALS_H

#include "external/external.h"
#include "sim/state/model_view.h"

struct Snapshot;

typedef struct Externals Externals;

Externals *externals_new(const ModeProgram *prog);            /* of the first program, for all */
void externals_attach(Externals *x, const ModeProgram *prog); /* for calls from its code */
void externals_free(Externals *x);                            /* destructs the objects */
/* Objects are constructed again when a state is read. Those from which something was asked before
 * are asked again for the same: the last call of each function. `number` is the object's value.
 * False after a failed call (MODEL_EXTERNAL). */
bool externals_snapshot(Externals *x, const ModeProgram *prog, double number, struct Snapshot *p);
/* Whether objects keep a state of their own. */
bool externals_step(const Externals *x);
/* How objects step with the run: these are called before a step from t, and after one to t. See
 * ExternalNatives. False after a failure (MODEL_EXTERNAL). */
ExternalSteps externals_steps(const Externals *x);
bool externals_limit(Externals *x, double t, double *limit);
bool externals_accept(Externals *x, double t, bool *event);
/* after MODEL_EXTERNAL: reports it */
void externals_report(const Externals *x, const ModeProgram *prog, const char *doing);

#endif

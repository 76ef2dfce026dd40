/* External functions and objects of the run. */
#ifndef SIM_STATE_EXTERNALS_H
#define SIM_STATE_EXTERNALS_H

#include "external/external.h"
#include "sim/state/model_view.h"

typedef struct Externals Externals;

Externals *externals_new(const ModeProgram *prog);            /* of the first program, for all */
void externals_attach(Externals *x, const ModeProgram *prog); /* for calls from its code */
void externals_free(Externals *x);                            /* destructs the objects */
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

/* External functions and objects of the run. */
#ifndef SIM_STATE_EXTERNALS_H
#define SIM_STATE_EXTERNALS_H

#include "sim/state/state.h"

void externals_create(Sim *s);
void externals_attach(Sim *s); /* to the runtime in use */
void externals_free(Sim *s);   /* destructs the objects */
/* after MODEL_EXTERNAL: reports it */
void externals_report(Sim *s, const char *doing);

#endif

/* Shared by runs and instances of a model: options, and a model that fits them. */
#ifndef API_MODEL_FIT_H
#define API_MODEL_FIT_H

#include "api/session.h"
#include "sim/sim.h"

typedef struct ModelFit {
    KairosModel *m;
    const KairosRun *how;
    Arena *arena;       /* for the text that drives its inputs; to be freed */
    const char *driven; /* that text; NULL without inputs */
    bool variations;    /* the code is to have variations */
    bool fits;
    int status;
} ModelFit;

/* Waits until the model fits the run. On return it holds the lock of the session's models, with any
 * status. */
int model_enter(ModelFit *f);

struct DriveTable;
/* Another model of the same class, whose inputs are driven as the run and the table (or NULL) say.
 * KAIROS_OK, or the status of the compilation. */
int model_copy(KairosModel *m, const KairosRun *run, const struct DriveTable *table,
               KairosModel **copy);

/* Missing values come from the experiment annotation, then from the defaults. False after a
 * message. */
bool options_of_run(Context *ctx, const KairosModel *m, const KairosRun *how, SimOptions *o);

#endif

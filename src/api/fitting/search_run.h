/* One run of a model on the way of a search: values of its parameters in, values and derivatives of
 * variables out. Messages of failed runs are not kept: the search goes on. */
#ifndef API_FITTING_SEARCH_RUN_H
#define API_FITTING_SEARCH_RUN_H

#include "api/analysis.h"
#include "sim/variation.h"

typedef struct SearchRun {
    KairosModel *m;
    bool driven;              /* m was made by model_copy */
    KairosRun run;            /* without the parameters of the search */
    const char *const *names; /* the parameters */
    uint32_t n_names;
    const char *const *of; /* variables */
    uint32_t n_of;
    const double *times; /* rows there; NULL: the rows of the run */
    size_t n_times;
    bool derivatives;     /* by parameters; otherwise values alone */
    bool plain;           /* the rows of the run, without variations: they exist after any flaw */
    bool messages;        /* keep them */
    Variation *variation; /* during the run */
    VariationRow *row;
    void *user; /* of row and end */
    void (*end)(void *user,
                Variation *w); /* of a run that succeeded; may be NULL; w is NULL if plain */
    /* results */
    VariationFlaw flaw; /* and from which time on */
    double flaw_time;
    double *values;   /* if not NULL: of the parameters in this run; size n_names */
    char reason[200]; /* of a failure */
    bool no_memory;   /* memory ran out: the search has to end */
} SearchRun;

/* p: values of the parameters; NULL: as the model and the settings of the run have them. A status
 * of kairos.h. Several threads may run different trials. */
int search_run(SearchRun *t, const double *p);

#endif

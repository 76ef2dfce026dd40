/* Experiments: files with measured values, and the runs that are to reproduce them.
 *
 * The first column of a file is the time. Each other column is that of a variable of the model
 * (measured), of an input at its top level (it drives the input), or of a parameter or start value
 * (one value, which holds in this experiment). Empty cells and NaN are missing values. */
#ifndef API_FITTING_EXPERIMENT_H
#define API_FITTING_EXPERIMENT_H

#include "api/fitting/search_run.h"
#include "output/output.h"

typedef struct Measured { /* a column */
    const char *name;
    const char *unit; /* of the model; NULL if unknown */
    uint32_t column;  /* of the table, whose values are in the unit of the model */
    uint32_t signal;  /* the same name in all experiments */
    size_t n;         /* values that are not missing */
} Measured;

typedef struct FitExperiment {
    Table *table;
    VEC(Measured) measured;
    VEC(const char *) inputs;    /* columns that drive inputs */
    VEC(KairosSetting) settings; /* of all runs, then those of columns */
    VEC(const char *) names;     /* of measured, for the trial */
    size_t n;                    /* measured values */
    KairosModel *own;            /* its model, if it drives inputs */
    double start, stop;
    SearchRun trial;
    double *values, *derivatives; /* by rows of the table: n_of, and n_of times parameters */
    size_t rows;                  /* received */
    int status;
} FitExperiment;

typedef struct Experiments {
    KairosModel *m;
    const KairosRun *run;
    const char *const *parameters;
    uint32_t n_parameters;
    FitExperiment *at;
    uint32_t n;
    VEC(const char *) signals; /* names of measured columns, each once */
    size_t n_values;           /* measured values of all */
    Arena *arena;
    Context *ctx;
    uint32_t jobs; /* 0: one for each core */
} Experiments;

/* Reads the files and matches their columns with the model. In an action of the session. False
 * after a message. */
bool experiments_read(Experiments *e, const char *const *paths, uint32_t n);
/* Models for experiments with inputs; not in an action. A status. */
int experiments_prepare(Experiments *e);
/* Runs all experiments at p (NULL: as the model has it), several at the same time. Their values do
 * not depend on how many. The first status other than KAIROS_OK. */
int experiments_run(Experiments *e, const double *p, bool derivatives, bool messages);
void experiments_free(Experiments *e);

#endif

/* The runs of `simulate --sweep`. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "runs.h"

typedef struct SimulateOptions {
    RunOptions run;
    SettingList sweeps; /* value: the list of values */
    const char *plot, *emit_c;
    unsigned jobs;
    TextList saves; /* FILE@T */
    const char *resume;
    double checkpoint; /* seconds; 0: none */
} SimulateOptions;

/* Simulates every combination of the values of --sweep; `base` as for one run. The messages of the
 * runs go to `r`. The exit status. */
int sweep_run(Kairos *k, KairosModel *m, const SimulateOptions *o, const KairosRun *base, Run *r);

#endif

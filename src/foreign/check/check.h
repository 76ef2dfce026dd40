/* Checks of an FMU, as a reviewer would do them: its description against the rules of the standard,
 * then its binary in a trial.
 *
 * The rules are those of FMI 2.0.4 and 3.0.2; an FMU of FMI 1.0 gets those that it shares with
 * them: schema_rules.c elements and attributes, rules.c variables, value_rules.c start values and
 * references, structure_rules.c the model structure, file_rules.c files. The trial (trial.c) runs
 * in a process of its own (apart.c), with limits for time and memory, so that a crash or an endless
 * loop of the FMU is a finding. */
#ifndef FOREIGN_CHECK_H
#define FOREIGN_CHECK_H

#include "foreign/archive/fmu_file.h"

typedef struct CheckOptions {
    double seconds;  /* limit of the trial of one interface; 0: 20 */
    unsigned memory; /* limit in MB; 0: 4096 */
    bool only_description;
} CheckOptions;

/* Findings are messages: U052 violations, U053 doubts, U054 failures of the trial. */
void check_fmu(Context *ctx, const FmuFile *f, const CheckOptions *o);

/* ---- inside this room ---- */

void check_schema(Context *ctx, const FmuFile *f);
void check_variables(Context *ctx, const FmuFile *f);
void check_values(Context *ctx, const FmuFile *f);
void check_structure(Context *ctx, const FmuFile *f);
void check_files(Context *ctx, const FmuFile *f);

typedef void Finding(void *user, bool doubt, const char *text);
/* Runs one interface; calls of `found` report findings. */
void trial_run(const FmuFile *f, bool exchange, Finding *found, void *user);

typedef struct Apart {
    double seconds;
    unsigned memory;
    /* results */
    int signal;    /* that ended it; 0: none */
    bool late;     /* it was ended after the time */
    bool wrote;    /* it left files in its working folder */
    char call[64]; /* the function of the FMU that did not return; "" if unknown */
} Apart;

/* Runs the action in another process, in an empty folder; `found` is called here for its findings.
 * False if no process can be made. */
bool apart_run(const FmuFile *f, Apart *a, void (*action)(void *arg, Finding *found, void *user),
               void *arg, Finding *found, void *user);

#endif

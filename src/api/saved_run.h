/* A run that saves its state on the way, or continues from a saved one.
 *
 * With a checkpoint, the rows of the run are kept in FILE.rows too: the number of the first row,
 * then all values of each row. The state in FILE contains the number of rows so far. After a crash,
 * Kairos delivers these rows again and continues the run. */
#ifndef API_SAVED_RUN_H
#define API_SAVED_RUN_H

#include "api/state_header.h"
#include "kairos.h"

#include <stdio.h>

typedef struct SavedRun {
    Context *ctx;
    const KairosRun *how;
    StateOf of;
    Sim *sim;
    bool (*row)(void *user, const double *v); /* receives the rows that are delivered again */
    void *user;
    FILE *rows; /* FILE.rows; NULL: not kept */
    char *rows_path;
    double written; /* time by the clock of the last checkpoint */
    bool misfit;    /* the state to continue from does not fit */
    bool unwritten; /* a file could not be written */
} SavedRun;

/* Initializes the model, or continues from the saved state. False if the run cannot continue. */
bool saved_run_begin(SavedRun *x);
/* Advances to the stop time and saves states on the way. The result is as above. */
bool saved_run_advance(SavedRun *x);
/* A row of the run; false after a message that it cannot be kept. */
bool saved_run_keep(SavedRun *x, const double *v);
/* Removes the files of the checkpoint if the run is complete. */
void saved_run_end(SavedRun *x, bool complete);

#endif

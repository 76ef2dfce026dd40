/* The bar that runs of more than half a second show on a terminal: simulated time, rate, estimated
 * end, events. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "session.h"

#include <time.h>

/* The options of commands that run a model. */
typedef struct RunOptions {
    Options common;
    const char *events, *log, *solver, *variables, *compiler, *structure, *profile;
    const char *accumulation, *chattering, *mixed, *inline_method;
    TextList inlined;
    InputList inputs;
    double start_time, stop_time, tolerance, step, event_epsilon;
    bool has_start, has_stop, progress, hide_protected, units;
    bool profiled; /* the command measures a profile in any case */
    unsigned intervals;
    const char *output_points;
    double result_tolerance;
} RunOptions;

typedef struct Progress {
    double start, stop; /* simulated */
    bool terminal;      /* one line, overwritten; otherwise a line every five seconds */
    struct timespec begin, shown;
    double last, rate; /* simulated time when shown last; simulated by real seconds, lately */
    bool visible;
} Progress;

/* False if no progress is reported: --quiet, or standard error is not a terminal and --progress is
 * not given. */
bool progress_begin(Progress *p, const RunOptions *o, const KairosModel *m);
/* Call it often; it usually returns at once. */
void progress_show(Progress *p, double time, uint64_t steps, uint64_t events);
void progress_end(Progress *p); /* wipes the bar */

#endif

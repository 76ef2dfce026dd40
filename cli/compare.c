#include "session.h"

#include <stdio.h>

typedef struct CompareOptions {
    Options common;
    double tolerance, time_tolerance;
} CompareOptions;

static int compare(Options *o)
{
    const CompareOptions *own = (const CompareOptions *)o;
    if (o->arguments.n < 2)
        return usage("compare needs two result files: RESULT REFERENCE");
    Kairos *k = kairos_open();
    KairosCompare how = {.size = sizeof how,
                         .tolerance = own->tolerance,
                         .time_tolerance = own->time_tolerance,
                         .variables = o->arguments.at + 2,
                         .n_variables = o->arguments.n - 2};
    char *report = NULL;
    int status = kairos_compare_results(k, o->arguments.at[0], o->arguments.at[1], &how, &report);
    if (report)
        fputs(report, stdout);
    kairos_free_text(report);
    return finish(k, o, status);
}

static const Option compare_options[] = {
    {"--tolerance", "R",
     "half height of the tube, relative to the range of the signal; default 0.002", OPT_REAL,
     TO(CompareOptions, tolerance)},
    {"--time-tolerance", "R",
     "half width of the tube, relative to the simulated time; default 0.002", OPT_REAL,
     TO(CompareOptions, time_tolerance)},
    {0},
};

const Command command_compare = {
    .name = "compare",
    .arguments = "RESULT REFERENCE [VARIABLE...]",
    .summary = "compare two results",
    .text = "Draws a tube around each signal of the reference and reports where the result leaves "
            "it. The exit status is 1 if it does.",
    .run = compare,
    .size = sizeof(CompareOptions),
    .options = {compare_options, common_options},
    .examples = ENTRIES({"kairos compare new.csv old.mat h v", "Compare two variables."}),
    .files = "csv mat",
};

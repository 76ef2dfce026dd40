#include "runs.h"

#include <stdlib.h>

static int run_and_report(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    char *output = result_name(m, o, ".html");
    KairosRun run = how_to_run(o, m, r);
    int status = kairos_report_model(m, &run, output);
    progress_end(&r->progress);
    if (has_result(status))
        report_name(m, o, output);
    free(output);
    return status;
}

static int report(Options *common)
{
    RunOptions *o = (RunOptions *)common;
    o->profiled = true;
    return with_model(o, NULL, run_and_report);
}

static const Option report_options[] = {
    {"--output", "FILE", "page to write; default NAME.html", OPT_TEXT, TO(Options, output),
     .letter = "-o", .files = "html"},
    {0},
};

const Command command_report = {
    .name = "report",
    .arguments = "FILE.mo|Class.Name [-o FILE.html] [OPTION...]",
    .summary = "simulate a model and write a report",
    .text = "Compiles and simulates the model, and writes one page of HTML: description, diagram, "
            "plots, events and modes, initial values, statistics, sorted equations with links to "
            "the source. Without -o, its name is NAME.html.",
    .manual = "The page is one file and needs no network.",
    .run = report,
    .size = sizeof(RunOptions),
    .options = {report_options, run_options, model_options, library_options, common_options},
    .examples = ENTRIES({"kairos report BouncingBall.mo -o ball.html", "Write a report."}),
    .files = "mo dym om",
};

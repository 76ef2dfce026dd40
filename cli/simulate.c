#include "runs.h"
#include "sweep.h"

#include <stdlib.h>

static int run_and_plot(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    const SimulateOptions *own = (const SimulateOptions *)o;
    char *output = result_name(m, o, ".csv");
    KairosRun run = how_to_run(o, m, r);
    run.output = output;
    run.describe = !own->sweeps.n;
    run.on_log = put_log;
    int status = own->sweeps.n ? sweep_run(m, own, &run, output) : kairos_simulate_model(m, &run);
    progress_end(&r->progress);
    bool saved = !own->sweeps.n && has_result(status);
    if (saved)
        tell_name(m, o, output);
    if (saved && own->plot) {
        int plotted = kairos_plot_result(k, output,
                                         &(KairosPlot){.size = sizeof(KairosPlot),
                                                       .output = own->plot,
                                                       .title = kairos_model_name(m)});
        status = status ? status : plotted;
    }
    free(output);
    return status;
}

static int simulate(Options *common)
{
    const SimulateOptions *o = (const SimulateOptions *)common;
    return with_model(&o->run, o->emit_c, run_and_plot);
}

static const Option simulate_options[] = {
    {"--output", "FILE", "result file: .csv or .mat; default NAME.csv", OPT_TEXT,
     TO(Options, output), .letter = "-o", .files = "csv mat",
     .manual = "The file appears under its name when it is complete. It has no Strings; the event "
               "log shows them."},
    {"--plot", "FILE", "also draw the states: .svg, .png, .pdf or .html", OPT_TEXT,
     TO(SimulateOptions, plot), .files = "svg png pdf html"},
    {"--sweep", "NAME=VALUES", "a run for each value: 1,2,5 or first:step:last", OPT_SETTINGS,
     TO(SimulateOptions, sweeps),
     .manual = "The values are a list (R=1,2,5), a range as in Modelica (R=0:0.5:3), or both. "
               "Several sweeps run all combinations. The model is compiled once. Results are "
               "NAME_1.csv, NAME_2.csv and so on. NAME_sweep.csv has a row for each run: number, "
               "values, exit status, and each variable of the result at the end."},
    {"--jobs", "N", "number of runs of a sweep at the same time; default: the number of cores",
     OPT_COUNT, TO(SimulateOptions, jobs)},
    {"--emit-c", "FILE", "write the generated C", OPT_TEXT, TO(SimulateOptions, emit_c),
     .files = "c"},
    {0},
};

const Command command_simulate = {
    .name = "simulate",
    .arguments = "FILE.mo|Class.Name|- [OPTION...]",
    .summary = "compile and simulate a model",
    .text = "Compiles the model and simulates it; - reads the model from standard input. The "
            "result has all variables. An event has two rows with the same time, before and after. "
            "Without --output, Kairos writes "
            "NAME.csv in the current folder.",
    .manual = "The experiment annotation of the model gives the settings that are not options. Its "
              "defaults are start 0, stop 1, 500 intervals, tolerance 1e-6.",
    .run = simulate,
    .size = sizeof(SimulateOptions),
    .options = {simulate_options, run_options, model_options, library_options, common_options},
    .examples =
        ENTRIES({"kairos simulate BouncingBall.mo --stop-time 2 --plot ball.svg",
                 "Write BouncingBall.csv and a picture."},
                {"kairos simulate BouncingBall.mo --set e=0.9 --log events",
                 "Change a parameter and report each event."},
                {"kairos simulate BouncingBall.mo --sweep e=0.7:0.05:0.95",
                 "Run the model for six values of a parameter."},
                {"kairos simulate Hybrid.Examples.Circuits.DiodeInductor --log modes",
                 "Simulate a model of the library Hybrid, and report changes of structure."}),
    .files = "mo dym om",
};

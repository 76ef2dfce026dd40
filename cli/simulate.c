#include "apart.h"
#include "runs.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads FILE@T of --save-state into *save. The caller owns its path. False after a message. */
static bool parse_save(const char *text, KairosSave *save)
{
    const char *at = strrchr(text, '@');
    char *end = NULL;
    save->time = at ? strtod(at + 1, &end) : 0;
    bool good = at && at > text && end > at + 1 && !*end && isfinite(save->time);
    if (!good)
        fprintf(stderr,
                "kairos: --save-state '%s' is not a file and a time; write, for example, "
                "--save-state run.state@2.5\n",
                text);
    save->path = good ? strndup(text, (size_t)(at - text)) : NULL;
    return good;
}

/* The states to save and to continue from; false after a message. */
static bool choose_states(const SimulateOptions *o, const char *output, KairosRun *run)
{
    KairosSave *saves = calloc(o->saves.n + 1, sizeof *saves);
    run->saves = saves;
    run->resume = o->resume;
    for (unsigned i = 0; i < o->saves.n; i++)
        if (!parse_save(o->saves.at[i], &saves[run->n_saves++]))
            return false;
    if (o->checkpoint > 0) {
        char *path = malloc(strlen(output) + sizeof ".checkpoint");
        run->checkpoint = strcat(strcpy(path, output), ".checkpoint");
        run->checkpoint_seconds = o->checkpoint;
    }
    bool many = o->sweeps.n && (o->saves.n || o->resume || o->checkpoint > 0);
    if (many)
        fprintf(stderr, "kairos: --save-state, --resume and --checkpoint are for one run, not for "
                        "--sweep\n");
    return !many;
}

static void free_states(const KairosRun *run)
{
    for (size_t i = 0; i < run->n_saves; i++)
        free((void *)(uintptr_t)run->saves[i].path);
    free((void *)(uintptr_t)run->saves);
    free((void *)(uintptr_t)run->checkpoint);
}

static int run_and_plot(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    const SimulateOptions *own = (const SimulateOptions *)o;
    char *output = result_name(m, o, ".csv");
    KairosRun run = how_to_run(o, m, r);
    run.output = output;
    run.describe = !own->sweeps.n;
    run.on_log = put_log;
    run.on_progress = own->sweeps.n ? NULL : run.on_progress;
    int status = !choose_states(own, output, &run) ? KAIROS_USE_ERROR
                 : own->sweeps.n                   ? sweep_run(k, m, own, &run, r)
                                                   : kairos_simulate_model(m, &run);
    free_states(&run);
    progress_end(&r->progress);
    bool saved = !own->sweeps.n && has_result(status);
    if (saved)
        report_name(m, o, output);
    if (saved && own->plot) {
        int plotted = kairos_plot_result(k, output,
                                         &(KairosPlot){.size = sizeof(KairosPlot),
                                                       .output = own->plot,
                                                       .title = kairos_model_name(m)});
        if (!plotted)
            report_name(m, o, own->plot);
        status = status ? status : plotted;
    }
    free(output);
    return status;
}

static int simulate(Options *common)
{
    const SimulateOptions *o = (const SimulateOptions *)common;
    int status;
    if (apart(common, &status))
        return status;
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
               "values, exit status, and the variables of the first run at the end. A sweep is the "
               "short form of a grid study: kairos study has more designs, and continues after an "
               "interruption."},
    {"--jobs", "N", "number of runs of a sweep at the same time; default: the number of cores",
     OPT_COUNT, TO(SimulateOptions, jobs)},
    {"--save-state", "FILE@T", "save the complete state at time T", OPT_TEXTS,
     TO(SimulateOptions, saves), .files = "",
     .manual = "The solver restarts at this time, as after an event. "
               "The run and every run that resumes from the file continue with the same bits."},
    {"--resume", "FILE", "continue from a saved state or a checkpoint", OPT_TEXT,
     TO(SimulateOptions, resume), .files = "",
     .manual = "Model, settings and options must be those of the run that saved the state. The "
               "result begins at the time of the state; after a checkpoint it is complete."},
    {"--checkpoint", "SECONDS", "save the state at this interval, to continue after a crash",
     OPT_REAL, TO(SimulateOptions, checkpoint),
     .manual = "The files are OUTPUT.checkpoint and OUTPUT.checkpoint.rows. The end of a complete "
               "run removes them. After a crash, the same command with --resume OUTPUT.checkpoint "
               "continues the run, and the result is that of a run without a crash. The run is "
               "divided into 100 parts. The solver restarts after each, and Kairos saves states "
               "only there. A continued run starts the file of --events again."},
    {"--kind", "KIND", "interface of an FMU", OPT_TEXT, TO(Options, kind),
     .choices = ENTRIES({"me", "model exchange: the solvers of Kairos integrate; the default"},
                        {"cs", "co-simulation: the FMU integrates"})},
    {"--emit-c", "FILE", "write the generated C", OPT_TEXT, TO(SimulateOptions, emit_c),
     .files = "c"},
    {0},
};

const Command command_simulate = {
    .name = "simulate",
    .arguments = "FILE.mo|FILE.fmu|FILE.ssp|Class.Name|- [OPTION...]",
    .summary = "compile and simulate a model",
    .text = "Compiles the model and simulates it; - reads the model from standard input. An FMU of "
            "FMI 1.0, 2.0 or 3.0 is simulated like a model; its code runs with your rights. The "
            "result has all variables. An event has two rows with the same time, before and after. "
            "Without --output, Kairos writes "
            "NAME.csv in the current folder.",
    .manual =
        "If an option is missing, the experiment annotation of the model gives its value. The "
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
                {"kairos simulate Ball.fmu --kind cs", "Simulate an FMU by co-simulation."},
                {"kairos simulate Hybrid.Examples.Circuits.DiodeInductor --log modes",
                 "Simulate a model of the library Hybrid, and report changes of structure."}),
    .files = "mo dym om fmu ssp",
};

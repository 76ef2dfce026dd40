#include "runs.h"

typedef struct SteadyOptions {
    RunOptions run;
    double period;
    const char *orbit;
} SteadyOptions;

static int run_and_find(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const SteadyOptions *own = (const SteadyOptions *)o;
    KairosRun run = how_to_run(o, m, r);
    KairosSteady how = {
        .size = sizeof how, .period = own->period, .output = o->common.output, .orbit = own->orbit};
    char *json = NULL;
    int status = kairos_steady(m, &run, &how, &json);
    finish_analysis(m, o, r, json);
    return status;
}

static int steady(Options *common)
{
    return with_model((const RunOptions *)common, NULL, run_and_find);
}

static const Option steady_options[] = {
    {"--period", "T", "the period of the motion, in seconds; default: it is found", OPT_REAL,
     TO(SteadyOptions, period),
     .manual =
         "Kairos finds the period of clocks, of sines of time and of time events that repeat. "
         "If nothing drives the motion, T is a first guess."},
    {"--orbit", "FILE", "write one period to a file: .csv or .mat", OPT_TEXT,
     TO(SteadyOptions, orbit), .files = "csv mat"},
    {0},
};

const Command command_steady = {
    .name = "steady",
    .arguments = "FILE.mo|Class.Name [--period T] [OPTION...]",
    .summary = "find an equilibrium or a periodic steady state",
    .text = "Finds the steady state of a model: an equilibrium, or a motion that repeats after a "
            "period. It takes a few periods instead of a long simulation. The JSON has values at "
            "the beginning of a period, Floquet multipliers, and whether the motion is stable. "
            "Without --output, Kairos prints it.",
    .manual = "Periodic motion is found by shooting, with exact derivatives through events, jumps "
              "and changes of mode. See docs/steady.md.",
    .run = steady,
    .size = sizeof(SteadyOptions),
    .options = {steady_options, json_options, run_options, model_options, library_options,
                common_options},
    .examples = ENTRIES({"kairos steady Buck.mo --orbit buck.csv -o buck.json",
                         "The periodic steady state of a converter, and one period of it."}),
    .files = "mo dym om",
};

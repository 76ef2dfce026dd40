#include "ocl.h"

typedef struct ScriptOptions {
    Options common;
    double tolerance;
} ScriptOptions;

static int run(Options *common)
{
    return run_script(common, ((const ScriptOptions *)common)->tolerance);
}

static const Option script_options[] = {
    {"--tolerance", "R", "relative tolerance of the simulators; default 1e-6", OPT_REAL,
     TO(ScriptOptions, tolerance)},
    {0},
};

const Command command_run = {
    .name = "run",
    .arguments = "FILE.ocl [OPTION...]",
    .summary = "run a script of Omsim's command language",
    .text = "Makes the models, simulators and plotters of the script and runs them. Each plotter "
            "is drawn into a file SCRIPT-PLOTTER.svg in the current folder.",
    .run = run,
    .size = sizeof(ScriptOptions),
    .options = {script_options, library_options, common_options},
    .examples = ENTRIES({"kairos run Tank.ocl", "Run the script and draw its plotters."}),
    .files = "ocl",
};

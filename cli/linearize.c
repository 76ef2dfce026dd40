#include "runs.h"

typedef struct LinearizeOptions {
    RunOptions run;
    TextList at;
    const char *mat, *script, *bode, *poles;
    double period;
    bool average;
    unsigned pade;
} LinearizeOptions;

static int run_and_linearize(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const LinearizeOptions *own = (const LinearizeOptions *)o;
    KairosRun run = how_to_run(o, m, r);
    KairosLinearize how = {.size = sizeof how,
                           .at = own->at.at,
                           .n_at = own->at.n,
                           .output = o->common.output,
                           .mat = own->mat,
                           .script = own->script,
                           .bode = own->bode,
                           .poles = own->poles,
                           .period = own->period,
                           .average = own->average,
                           .pade_order = own->pade};
    char *json = NULL;
    int status = kairos_linearize_model(m, &run, &how, &json);
    finish_analysis(m, o, r, json);
    return status;
}

static int linearize(Options *common)
{
    return with_model((const RunOptions *)common, NULL, run_and_linearize);
}

static const Option linearize_options[] = {
    {"--at", "T", "the point: a time, 'end' or 'steady'; default: the initial point", OPT_TEXTS,
     TO(LinearizeOptions, at),
     .manual =
         "With 'steady', Newton's method looks for an equilibrium or, if something drives the "
         "model, for a periodic motion. The option may be repeated; then the JSON is a "
         "list."},
    {"--period", "T", "linearize over a period; default: that of samples, or of the drive",
     OPT_REAL, TO(LinearizeOptions, period)},
    {"--average", NULL, "outputs are means over the period", OPT_FLAG,
     TO(LinearizeOptions, average)},
    {"--pade", "N", "order of the approximations that replace delays; default: 4", OPT_COUNT,
     TO(LinearizeOptions, pade)},
    {"--mat", "FILE", "write the matrices A, B, C, D to a MAT file (version 4)", OPT_TEXT,
     TO(LinearizeOptions, mat), .files = "mat"},
    {"--script", "FILE", "write the matrices as text: .m (MATLAB, Octave) or .py (Python)",
     OPT_TEXT, TO(LinearizeOptions, script), .files = "m py"},
    {"--bode", "FILE", "draw the Bode plot: .svg, .png, .pdf or .html", OPT_TEXT,
     TO(LinearizeOptions, bode), .files = "svg png pdf html"},
    {"--poles", "FILE", "draw poles and zeros: .svg, .png, .pdf or .html", OPT_TEXT,
     TO(LinearizeOptions, poles), .files = "svg png pdf html"},
    {0},
};

const Command command_linearize = {
    .name = "linearize",
    .arguments = "FILE.mo|Class.Name [--at T]... [OPTION...]",
    .summary = "compute a linear model, its poles and zeros",
    .text = "Computes the matrices of x' = A x + B u, y = C x + D u around a point of the run, by "
            "exact derivatives. Inputs and outputs are the Real inputs and outputs at the top "
            "level. The JSON also has poles with frequency (Hz) and damping, and zeros. Without "
            "--output, Kairos prints it.",
    .manual = "States are those of the present mode of the model. See docs/analysis.md.",
    .run = linearize,
    .size = sizeof(LinearizeOptions),
    .options = {linearize_options, json_options, run_options, model_options, library_options,
                common_options},
    .examples = ENTRIES({"kairos linearize Motor.mo --at steady --bode motor.svg",
                         "Linearize at an equilibrium, and draw the Bode plot."}),
    .files = "mo dym om",
};

#include "lists.h"
#include "runs.h"

typedef struct SensitivityOptions {
    RunOptions run;
    TextList of, to;
} SensitivityOptions;

static int run_and_differentiate(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const SensitivityOptions *own = (const SensitivityOptions *)o;
    KairosRun run = how_to_run(o, m, r);
    unsigned n_of, n_to;
    char **of = list_names(&own->of, &n_of), **to = list_names(&own->to, &n_to), *json = NULL;
    KairosSensitivities how = {.size = sizeof how,
                               .of = (const char *const *)of,
                               .n_of = n_of,
                               .to = (const char *const *)to,
                               .n_to = n_to,
                               .output = o->common.output};
    int status = kairos_sensitivities(m, &run, &how, &json);
    finish_analysis(m, o, r, json);
    free_listed(of, n_of);
    free_listed(to, n_to);
    return status;
}

static int sensitivities(Options *common)
{
    return with_model((const RunOptions *)common, NULL, run_and_differentiate);
}

static const Option sensitivity_options[] = {
    {"--of", "NAMES", "variables, separated by commas", OPT_TEXTS, TO(SensitivityOptions, of)},
    {"--to", "NAMES", "parameters and start values (x.start), separated by commas", OPT_TEXTS,
     TO(SensitivityOptions, to)},
    {0},
};

const Command command_sensitivities = {
    .name = "sensitivities",
    .arguments = "FILE.mo|Class.Name --of NAMES --to NAMES [OPTION...]",
    .summary = "compute derivatives with respect to parameters",
    .text = "Simulates the model and computes the derivatives of variables with respect to "
            "parameters and start values: of the trajectories, of their values at the end, their "
            "mean, RMS, minimum and maximum, and of the times of events. Without --output, Kairos "
            "prints the JSON.",
    .manual = "The conditions at events are exact. Where a derivative does not exist, the JSON "
              "says from which time on, and why. See docs/analysis.md.",
    .run = sensitivities,
    .size = sizeof(SensitivityOptions),
    .options = {sensitivity_options, json_options, run_options, model_options, library_options,
                common_options},
    .examples = ENTRIES({"kairos sensitivities Ball.mo --of h,v --to e,h.start -o ball.json",
                         "Derivatives of height and velocity."}),
    .files = "mo dym om",
};

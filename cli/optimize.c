/* kairos optimize: designs from goals. */
#include "lists.h"
#include "runs.h"

typedef struct OptimizeOptions {
    RunOptions run;
    TextList over, constraints;
    const char *minimize, *report;
    bool global;
    unsigned most;
} OptimizeOptions;

static int run_and_optimize(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const OptimizeOptions *own = (const OptimizeOptions *)o;
    KairosRun run = how_to_run(o, m, r);
    unsigned n;
    char *json = NULL;
    KairosRange *over = list_ranges("--over", &own->over, &n);
    KairosOptimize how = {.size = sizeof how,
                          .minimize = own->minimize,
                          .over = over,
                          .n_over = n,
                          .constraints = own->constraints.at,
                          .n_constraints = own->constraints.n,
                          .global = own->global,
                          .most = own->most,
                          .output = o->common.output,
                          .report = own->report};
    int status = over ? kairos_optimize_model(m, &run, &how, &json) : KAIROS_USE_ERROR;
    finish_analysis(m, o, r, json);
    free_ranges(over, n);
    return status;
}

static int optimize(Options *common)
{
    const OptimizeOptions *o = (const OptimizeOptions *)common;
    if (!o->minimize)
        return usage("optimize needs --minimize EXPRESSION");
    if (!o->over.n)
        return usage("optimize needs --over NAME=LOW:HIGH");
    return with_model(&o->run, NULL, run_and_optimize);
}

static const Option optimize_options[] = {
    {"--minimize", "EXPR", "what is to be least, such as max(x) - 2*end(y) or time(h <= 0)",
     OPT_TEXT, TO(OptimizeOptions, minimize),
     .manual = "The functions are those of studies: end, start, min, max, mean, rms, integral, "
               "count, time. A name alone is its value at the end."},
    {"--over", "NAME=LOW:HIGH", "parameters and start values with bounds, separated by commas",
     OPT_TEXTS, TO(OptimizeOptions, over)},
    {"--subject-to", "RELATION", "a constraint, such as max(v) <= 3 or end(x) == 1", OPT_TEXTS,
     TO(OptimizeOptions, constraints)},
    {"--global", NULL, "first search the whole box of the bounds", OPT_FLAG,
     TO(OptimizeOptions, global)},
    {"--most", "N", "largest number of runs of a search; default 200 for each parameter, and 200",
     OPT_COUNT, TO(OptimizeOptions, most)},
    {"--report", "FILE", "also write a page: parameters, constraints, the best run (.html)",
     OPT_TEXT, TO(OptimizeOptions, report), .files = "html"},
    {0},
};

const Command command_optimize = {
    .name = "optimize",
    .arguments = "FILE.mo|Class.Name --minimize EXPR --over NAME=LOW:HIGH [OPTION...]",
    .summary = "find the best values of parameters for a goal",
    .text = "Changes parameters within bounds until an expression over the run is least and all "
            "constraints hold, at the end or along the run. Prints the values as JSON.",
    .manual = "If derivatives exist, the search uses them, exact also through events. If nothing "
              "satisfies the constraints, or the search does not converge, the best result so far "
              "is written and the exit status is 3. See docs/fitting.md.",
    .run = optimize,
    .size = sizeof(OptimizeOptions),
    .options = {optimize_options, json_options, run_options, model_options, library_options,
                common_options},
    .examples = ENTRIES({"kairos optimize Servo.mo --minimize \"rms(e)\" --over k=0:50,Td=0:1 "
                         "--subject-to \"max(u) <= 24\" -o servo.json",
                         "A controller with a limited voltage."}),
    .files = "mo dym om",
};

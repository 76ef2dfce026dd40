/* kairos fit: parameters from measurements. */
#include "lists.h"
#include "runs.h"

#include <stdlib.h>
#include <string.h>

typedef struct FitOptions {
    RunOptions run;
    TextList parameters, bounds, weights, noise;
    TextList data; /* files among the arguments */
    bool global;
    unsigned most, jobs;
    double confidence;
    const char *report;
} FitOptions;

/* --weights is a word or a list of numbers. */
static const char *weighting(const TextList *weights)
{
    return weights->n == 1 && !strchr(weights->at[0], '=') ? weights->at[0] : NULL;
}

static int run_and_fit(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const FitOptions *own = (const FitOptions *)o;
    const char *word = weighting(&own->weights);
    const TextList none = {0};
    KairosRun run = how_to_run(o, m, r);
    unsigned n, n_bounds, n_weights, n_noise;
    char **parameters = list_names(&own->parameters, &n), *json = NULL;
    KairosRange *bounds = list_ranges("--bounds", &own->bounds, &n_bounds);
    KairosNumber *weights = list_numbers("--weights", word ? &none : &own->weights, &n_weights),
                 *noise = list_numbers("--noise", &own->noise, &n_noise);
    KairosFit how = {.size = sizeof how,
                     .data = own->data.at,
                     .n_data = own->data.n,
                     .parameters = (const char *const *)parameters,
                     .n_parameters = n,
                     .bounds = bounds,
                     .n_bounds = n_bounds,
                     .weighting = word,
                     .weights = weights,
                     .n_weights = n_weights,
                     .noise = noise,
                     .n_noise = n_noise,
                     .global = own->global,
                     .most = own->most,
                     .confidence = own->confidence,
                     .jobs = own->jobs,
                     .output = o->common.output,
                     .report = own->report};
    int status =
        bounds && weights && noise ? kairos_fit_model(m, &run, &how, &json) : KAIROS_USE_ERROR;
    finish_analysis(m, o, r, json);
    free_listed(parameters, n);
    free_ranges(bounds, n_bounds);
    free_numbers(weights, n_weights);
    free_numbers(noise, n_noise);
    return status;
}

static int fit(Options *common)
{
    FitOptions *o = (FitOptions *)common;
    TextList *all = &common->arguments;
    unsigned n = 0;
    o->data.at = calloc(all->n + 1, sizeof *o->data.at);
    for (unsigned i = 0; i < all->n; i++)
        if (ends_in(all->at[i], ".csv") || ends_in(all->at[i], ".mat"))
            o->data.at[o->data.n++] = all->at[i];
        else
            all->at[n++] = all->at[i];
    all->n = n;
    int status = !o->data.n         ? usage("fit needs a file with data, such as data.csv")
                 : !o->parameters.n ? usage("fit needs --parameters NAMES")
                                    : with_model(&o->run, NULL, run_and_fit);
    free(o->data.at);
    o->data = (TextList){0};
    return status;
}

static const Option fit_options[] = {
    {"--parameters", "NAMES", "parameters and start values (x.start) to fit, separated by commas",
     OPT_TEXTS, TO(FitOptions, parameters)},
    {"--bounds", "NAME=LOW:HIGH", "bounds of parameters, separated by commas", OPT_TEXTS,
     TO(FitOptions, bounds),
     .manual = "Other parameters have the bounds min and max of the model. An end may be empty: "
               "a=0:"},
    {"--weights", "HOW", "weights of measured columns: units, equal, noise, or NAME=NUMBER",
     OPT_TEXTS, TO(FitOptions, weights),
     .manual = "units (the default): columns with the same unit count alike; different units are "
               "divided by the spread of their values. noise: each column by the size of its "
               "residuals. A number is a factor of the squares of a column."},
    {"--noise", "NAME=SIGMA", "standard deviations of the noise of all measured columns", OPT_TEXTS,
     TO(FitOptions, noise)},
    {"--global", NULL, "first search the whole box of the bounds", OPT_FLAG,
     TO(FitOptions, global)},
    {"--most", "N", "largest number of runs with derivatives; default 200", OPT_COUNT,
     TO(FitOptions, most)},
    {"--confidence", "P", "probability of the intervals; default 0.95", OPT_REAL,
     TO(FitOptions, confidence)},
    {"--jobs", "N", "experiments at the same time; default: the number of cores", OPT_COUNT,
     TO(FitOptions, jobs)},
    {"--report", "FILE", "also write a page: data, fit and parameters (.html)", OPT_TEXT,
     TO(FitOptions, report), .files = "html"},
    {0},
};

const Command command_fit = {
    .name = "fit",
    .arguments = "FILE.mo|Class.Name DATA.csv... --parameters NAMES [OPTION...]",
    .summary = "fit parameters to measured values",
    .text = "Runs the model for each file of data, from its first to its last time, and changes "
            "parameters and start values until the model agrees best with the measured columns. "
            "Prints values, standard deviations, confidence intervals and covariances as JSON.",
    .manual = "The first column of a file is the time. The others are named after variables "
              "(measured), inputs (they drive them), or parameters (a value of this experiment). "
              "If the search does not converge, the best result so far is written and the exit "
              "status is 3. See docs/fitting.md.",
    .run = fit,
    .size = sizeof(FitOptions),
    .options = {fit_options, json_options, run_options, model_options, library_options,
                common_options},
    .examples = ENTRIES({"kairos fit Ball.mo drop.csv --parameters e,g --bounds e=0:1 -o ball.json",
                         "Restitution and gravity from measured heights."},
                        {"kairos fit Motor.mo a.csv b.csv --parameters R,L,J --global "
                         "--bounds R=0.1:10,L=1e-4:0.1,J=1e-5:1 --report motor.html",
                         "Two experiments at once, after a search of the whole box."}),
    .files = "mo dym om csv",
};

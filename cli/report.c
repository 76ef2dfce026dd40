#include "lists.h"
#include "runs.h"

#include <stdlib.h>
#include <string.h>

typedef struct ReportOptions {
    RunOptions run;
    TextList linearize, of, to, spectrum, data, parameters, bounds, over, constraints;
    bool steady;
    double period;
    const char *minimize;
} ReportOptions;

/* Lists of names and ranges of the options, for one report. */
typedef struct Lists {
    char **of, **to, **spectrum, **parameters;
    unsigned n_of, n_to, n_spectrum, n_parameters, n_bounds, n_over;
    KairosRange *bounds, *over;
} Lists;

static Lists make_lists(const ReportOptions *o)
{
    Lists l = {0};
    l.of = list_names(&o->of, &l.n_of);
    l.to = list_names(&o->to, &l.n_to);
    l.spectrum = list_names(&o->spectrum, &l.n_spectrum);
    l.parameters = list_names(&o->parameters, &l.n_parameters);
    l.bounds = list_ranges("--bounds", &o->bounds, &l.n_bounds);
    l.over = list_ranges("--over", &o->over, &l.n_over);
    return l;
}

static void free_lists(Lists *l)
{
    free_listed(l->of, l->n_of);
    free_listed(l->to, l->n_to);
    free_listed(l->spectrum, l->n_spectrum);
    free_listed(l->parameters, l->n_parameters);
    free_ranges(l->bounds, l->n_bounds);
    free_ranges(l->over, l->n_over);
}

static int write_report(KairosModel *m, const ReportOptions *o, const KairosRun *run,
                        const Lists *l, const char *output)
{
    const char *at[32];
    unsigned n_at = o->linearize.n < 32 ? o->linearize.n : 32;
    double start, stop;
    char first[32];
    kairos_model_times(m, &start, &stop);
    snprintf(first, sizeof first, "%.17g", run->start_time ? *run->start_time : start);
    for (unsigned i = 0; i < n_at; i++)
        at[i] = strcmp(o->linearize.at[i], "initial") != 0 ? o->linearize.at[i] : first;
    const KairosLinearize linear = {
        .size = sizeof linear, .at = at, .n_at = n_at, .period = o->period};
    const KairosSteady steady = {.size = sizeof steady, .period = o->period};
    const KairosSensitivities sensitive = {.size = sizeof sensitive,
                                           .of = (const char *const *)l->of,
                                           .n_of = l->n_of,
                                           .to = (const char *const *)l->to,
                                           .n_to = l->n_to};
    const KairosSpectrum spectrum = {.size = sizeof spectrum,
                                     .variables = (const char *const *)l->spectrum,
                                     .n_variables = l->n_spectrum,
                                     .frequency = o->period > 0 ? 1 / o->period : 0};
    const KairosFit fit = {.size = sizeof fit,
                           .data = o->data.at,
                           .n_data = o->data.n,
                           .parameters = (const char *const *)l->parameters,
                           .n_parameters = l->n_parameters,
                           .bounds = l->bounds,
                           .n_bounds = l->n_bounds};
    const KairosOptimize best = {.size = sizeof best,
                                 .minimize = o->minimize,
                                 .over = l->over,
                                 .n_over = l->n_over,
                                 .constraints = o->constraints.at,
                                 .n_constraints = o->constraints.n};
    const KairosReport what = {.size = sizeof what,
                               .linearize = n_at ? &linear : NULL,
                               .steady = o->steady ? &steady : NULL,
                               .sensitivities = l->n_of ? &sensitive : NULL,
                               .spectrum = l->n_spectrum ? &spectrum : NULL,
                               .fit = o->data.n ? &fit : NULL,
                               .optimize = o->minimize ? &best : NULL};
    return kairos_report_analyses(m, run, &what, output);
}

static int run_and_report(Kairos *k, KairosModel *m, const RunOptions *o, Run *r)
{
    (void)k;
    const ReportOptions *own = (const ReportOptions *)o;
    char *output = result_name(m, o, ".html");
    KairosRun run = how_to_run(o, m, r);
    Lists lists = make_lists(own);
    int status =
        lists.bounds && lists.over ? write_report(m, own, &run, &lists, output) : KAIROS_USE_ERROR;
    free_lists(&lists);
    progress_end(&r->progress);
    if (has_result(status))
        report_name(m, o, output);
    free(output);
    return status;
}

static int report(Options *common)
{
    ReportOptions *o = (ReportOptions *)common;
    o->run.profiled = true;
    if (!o->of.n != !o->to.n)
        return usage("sensitivities need --of NAMES and --to NAMES");
    if (!o->data.n != !o->parameters.n)
        return usage("a fit needs --data FILE.csv and --parameters NAMES");
    if (!o->minimize != !o->over.n)
        return usage("an optimization needs --minimize EXPRESSION and --over NAME=LOW:HIGH");
    return with_model(&o->run, NULL, run_and_report);
}

static const Option report_options[] = {
    {"--output", "FILE", "page to write; default NAME.html", OPT_TEXT, TO(Options, output),
     .letter = "-o", .files = "html"},
    {"--linearize", "T", "a linear model at 'initial', 'end', 'steady' or a time", OPT_TEXTS,
     TO(ReportOptions, linearize)},
    {"--steady", NULL, "the equilibrium or the periodic steady state", OPT_FLAG,
     TO(ReportOptions, steady)},
    {"--of", "NAMES", "sensitivities of these variables", OPT_TEXTS, TO(ReportOptions, of)},
    {"--to", "NAMES", "with respect to these parameters and start values", OPT_TEXTS,
     TO(ReportOptions, to)},
    {"--spectrum", "NAMES", "spectra of these variables of the run", OPT_TEXTS,
     TO(ReportOptions, spectrum)},
    {"--period", "T", "period of the linear model, the steady state and the spectrum", OPT_REAL,
     TO(ReportOptions, period)},
    {"--data", "FILE", "a fit to these measured values", OPT_TEXTS, TO(ReportOptions, data),
     .files = "csv mat"},
    {"--parameters", "NAMES", "parameters and start values of the fit", OPT_TEXTS,
     TO(ReportOptions, parameters)},
    {"--bounds", "NAME=LOW:HIGH", "bounds of the fit", OPT_TEXTS, TO(ReportOptions, bounds)},
    {"--minimize", "EXPR", "an optimization: what is to be least", OPT_TEXT,
     TO(ReportOptions, minimize)},
    {"--over", "NAME=LOW:HIGH", "parameters of the optimization", OPT_TEXTS,
     TO(ReportOptions, over)},
    {"--subject-to", "RELATION", "a constraint of the optimization", OPT_TEXTS,
     TO(ReportOptions, constraints)},
    {0},
};

const Command command_report = {
    .name = "report",
    .arguments = "FILE.mo|Class.Name [-o FILE.html] [OPTION...]",
    .summary = "simulate a model and write a report",
    .text = "Compiles and simulates the model, and writes one page of HTML: description, diagram, "
            "plots, events and modes, initial values, statistics, sorted equations with links to "
            "the source. Without -o, its name is NAME.html. Analyses become sections on request.",
    .manual = "The page is one file and needs no network. Options of analyses are those of the "
              "commands linearize, steady, sensitivities, spectrum, fit and optimize.",
    .run = report,
    .size = sizeof(ReportOptions),
    .options = {report_options, run_options, model_options, library_options, common_options},
    .examples = ENTRIES({"kairos report BouncingBall.mo -o ball.html", "Write a report."},
                        {"kairos report Buck.mo --steady --linearize steady --spectrum vC "
                         "--of vC --to L,C",
                         "With the steady state, a linear model, a spectrum and derivatives."}),
    .files = "mo dym om",
};

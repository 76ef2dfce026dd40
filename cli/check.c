#include "session.h"

#include <stdio.h>
#include <string.h>

typedef struct CheckOptions {
    Options common;
    const char *log;
    bool units, initial, all;
} CheckOptions;

static int check(Options *common)
{
    const CheckOptions *own = (const CheckOptions *)common;
    const Options *o = common;
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    KairosCompile how = how_to_look(o);
    how.check_units = own->units;
    how.check_initial = own->initial;
    char *modes = NULL;
    if (!status && own->log && strstr(own->log, "modes")) {
        modes = kairos_dump_phase(k, name, "modes", &how);
        status = kairos_compile_status(k);
    } else if (!status) {
        status = (own->all ? kairos_check_classes : kairos_check_model)(k, name, &how);
    }
    if (modes && o->output)
        status = put_output(o, modes);
    else if (modes)
        fputs(modes, stderr);
    kairos_free_text(modes);
    if (!status && !o->quiet && !o->json)
        fprintf(stderr, "no errors\n");
    return finish(k, o, status);
}

static const Option check_options[] = {
    {"--all", NULL, "check every class of the file or package, not only the model", OPT_FLAG,
     TO(CheckOptions, all)},
    {"--units", NULL, "warn if units differ", OPT_FLAG, TO(CheckOptions, units)},
    {"--initial", NULL, "warn if a start value is an initial condition without fixed=true",
     OPT_FLAG, TO(CheckOptions, initial)},
    {"--log", "LIST", "what else to report on standard error", OPT_TEXT, TO(CheckOptions, log),
     .choices = ENTRIES({"modes", "switches that change the structure of the model"})},
    {"--output", "FILE", "file for the report of --log; default: standard error", OPT_TEXT,
     TO(Options, output), .letter = "-o", .files = ""},
    {0},
};

const Command command_check = {
    .name = "check",
    .arguments = "FILE.mo|Class.Name [OPTION...]",
    .summary = "check a model without simulating it",
    .text = "Checks the model up to its sorted equations and reports all errors. If the model is a "
            "component with flow connectors, Kairos treats them as connected. With --all, or if "
            "the file has no model, it checks every class.",
    .manual =
        "--all also checks functions, partial models and constants of packages. It accepts "
        "parameters without values and missing inner components, because the user of a class "
        "supplies them. For models with inputs or flow connectors of their own, it counts the "
        "equations but does not sort them.\n\n"
        "--units follows chapter 19 of the Modelica specification. A variable without a unit takes "
        "the one that the equations give it. An unknown unit agrees with all others.\n\n"
        "--initial reports states of which nothing but a start value determines the initial value. "
        "Without fixed=true it is only a guess.",
    .run = check,
    .size = sizeof(CheckOptions),
    .options = {check_options, model_options, library_options, common_options},
    .examples =
        ENTRIES({"kairos check --units Motor.mo", "Check a model and its units."},
                {"kairos check --all MyLibrary/package.mo", "Check every class of a package."}),
    .files = "mo dym om",
};

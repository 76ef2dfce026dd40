#include "foreign.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct FmuOptions {
    Options common;
    unsigned version;
    const char *kind;
    bool source;
    double seconds; /* limit of a trial */
} FmuOptions;

/* NAME.fmu, after the last part of the class's name or the file's; freed by the caller. */
static char *default_output(const Options *o)
{
    const char *name = o->model ? o->model : o->arguments.at[o->arguments.n - 1];
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    bool file = ends_in(name, ".mo") || ends_in(name, ".dym") || ends_in(name, ".om");
    const char *dot = strrchr(name, '.');
    if (!file && dot)
        name = dot + 1;
    size_t n = file ? (size_t)(dot - name) : strlen(name);
    char *output = malloc(n + sizeof ".fmu");
    memcpy(output, name, n);
    return strcpy(output + n, ".fmu") - n;
}

static bool is_word(const Options *o, const char *word)
{
    return o->arguments.n && !strcmp(o->arguments.at[0], word);
}

static int fmu(Options *common)
{
    const FmuOptions *o = (const FmuOptions *)common;
    if (is_word(common, "check"))
        return fmu_check_command(common, o->seconds);
    if (is_word(common, "import"))
        return fmu_import_command(common, o->kind);
    const char *name = NULL;
    Kairos *k = kairos_open();
    int status = load_model(k, common, &name);
    if (status)
        return finish(k, common, status);
    KairosCompile compile = how_to_look(common);
    char *output = common->output ? NULL : default_output(common);
    KairosFmu how = {.size = sizeof how,
                     .output = output ? output : common->output,
                     .version = o->version ? o->version : 2,
                     .kind = o->kind,
                     .compile = &compile,
                     .source = o->source};
    status = kairos_export_fmu(k, name, &how);
    if (!status && !common->quiet)
        fprintf(stderr, "%s\n", how.output);
    free(output);
    return finish(k, common, status);
}

static const Option fmu_options[] = {
    {"--output", "FILE", "the FMU; default NAME.fmu", OPT_TEXT, TO(Options, output), .letter = "-o",
     .files = "fmu"},
    {"--fmi", "VERSION", "version of FMI", OPT_COUNT, TO(FmuOptions, version),
     .choices = ENTRIES({"2", "FMI 2.0.4, the default"}, {"3", "FMI 3.0.2"})},
    {"--kind", "KIND", "interface of the FMU", OPT_TEXT, TO(FmuOptions, kind),
     .choices =
         ENTRIES({"cs", "co-simulation: the FMU contains the solver; the default"},
                 {"me", "model exchange: the importer integrates"}, {"both", "both in one FMU"})},
    {"--source", NULL,
     "put C sources for model exchange into the FMU; --kind is then me or both, the default",
     OPT_FLAG, TO(FmuOptions, source)},
    {"--limit-time", "SECONDS", "check: limit of the trial of an interface; default 20", OPT_REAL,
     TO(FmuOptions, seconds)},
    {0},
};

const Command command_fmu = {
    .name = "fmu",
    .arguments = "FILE.mo|Class.Name|check FILE.fmu|import FILE.fmu [OPTION...]",
    .summary = "write the model as an FMU for other simulators",
    .text =
        "Writes a Functional Mock-up Unit (FMI). An FMU for co-simulation contains the whole "
        "engine of Kairos, so that ideal switches, changes of structure, impacts and clocks "
        "work in any importer. The FMU needs no installation of Kairos. check finds faults of an "
        "FMU, in its description and in a trial of its binary. import writes a Modelica class "
        "for an FMU.",
    .run = fmu,
    .size = sizeof(FmuOptions),
    .options = {fmu_options, model_options, library_options, common_options},
    .examples =
        ENTRIES({"kairos fmu BouncingBall.mo", "Write BouncingBall.fmu."},
                {"kairos fmu BouncingBall.mo --fmi 3 -o ball.fmu", "Write an FMU of FMI 3."}),
    .files = "mo dym om",
};

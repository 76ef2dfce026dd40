#include "session.h"

typedef struct DumpOptions {
    Options common;
    const char *after;
} DumpOptions;

static int dump(Options *common)
{
    const DumpOptions *o = (const DumpOptions *)common;
    return o->after ? print_phase(common, o->after)
                    : usage("dump needs --after=PHASE: syntax, instance, flatten, dae, structure "
                            "or codegen");
}

static const Option dump_options[] = {
    {"--after", "PHASE", "the phase whose product is printed", OPT_TEXT, TO(DumpOptions, after),
     .choices = ENTRIES({"syntax", "the parsed text"}, {"instance", "the instance tree"},
                        {"flatten", "the flat model"}, {"dae", "scalar equations and events"},
                        {"structure", "the sorted equations"}, {"codegen", "the C text"})},
    {0},
};

const Command command_dump = {
    .name = "dump",
    .arguments = "--after=PHASE FILE.mo|Class.Name [OPTION...]",
    .summary = "print the product of any phase",
    .text = "Prints the product of a phase of the compiler.",
    .run = dump,
    .size = sizeof(DumpOptions),
    .options = {dump_options, model_options, library_options, output_options, common_options},
    .examples = ENTRIES({"kairos dump --after=codegen BouncingBall.mo -o ball.c",
                         "Write the generated C to a file."}),
    .files = "mo dym om",
};

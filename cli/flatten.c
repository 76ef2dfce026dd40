#include "session.h"

static int flatten(Options *o)
{
    return print_phase(o, "flatten");
}

const Command command_flatten = {
    .name = "flatten",
    .arguments = "FILE.mo|Class.Name [OPTION...]",
    .summary = "print the flat model",
    .text = "Prints the model as one flat class: components, inheritance and connections are "
            "resolved.",
    .run = flatten,
    .size = sizeof(Options),
    .options = {model_options, library_options, output_options, common_options},
    .examples = ENTRIES({"kairos flatten BouncingBall.mo", "Print the flat model."}),
    .files = "mo dym om",
};

#include "session.h"

static int equations(Options *o)
{
    return print_phase(o, "structure");
}

const Command command_equations = {
    .name = "equations",
    .arguments = "FILE.mo|Class.Name [OPTION...]",
    .summary = "print the sorted and solved equations",
    .text = "Prints the equations in the order in which Kairos solves them: blocks with their "
            "unknowns, torn variables, differentiated equations, chosen states.",
    .run = equations,
    .size = sizeof(Options),
    .options = {model_options, library_options, output_options, common_options},
    .examples = ENTRIES({"kairos equations TwoPort.mo --model TwoPort.Series",
                         "Print the equations of one model of the file."}),
    .files = "mo dym om",
};

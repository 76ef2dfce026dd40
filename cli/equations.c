#include "session.h"

typedef struct EquationsOptions {
    Options common;
    TextList inlined;
} EquationsOptions;

static int equations(Options *common)
{
    const EquationsOptions *o = (const EquationsOptions *)common;
    KairosCompile how = how_to_look(common);
    how.inlined = o->inlined.at;
    how.n_inlined = o->inlined.n;
    return print_phase_as(common, "structure", &how);
}

static const Option equations_options[] = {
    {"--inline", "NAME", "write the integration of this state (with * and ?) into the equations",
     OPT_TEXTS, TO(EquationsOptions, inlined),
     .manual = "Prints x = pre(x) + h*der(x), implicit Euler with the step h, among the equations. "
               "Kairos adds the states that a switch then still needs."},
    {0},
};

const Command command_equations = {
    .name = "equations",
    .arguments = "FILE.mo|Class.Name [OPTION...]",
    .summary = "print the sorted and solved equations",
    .text = "Prints the equations in the order in which Kairos solves them: blocks with their "
            "unknowns, torn variables, differentiated equations, chosen states. Small linear "
            "systems are also printed solved, with the determinant of switches.",
    .run = equations,
    .size = sizeof(EquationsOptions),
    .options = {equations_options, model_options, library_options, output_options, common_options},
    .examples = ENTRIES({"kairos equations TwoPort.mo --model TwoPort.Series",
                         "Print the equations of one model of the file."},
                        {"kairos equations DiodeInductor.mo --inline iD",
                         "Print them with the integrator of the coil inlined."}),
    .files = "mo dym om",
};

#include "session.h"

static int translate(Options *o)
{
    if (o->arguments.n != 1)
        return usage("translate needs one file (.dym or .om)");
    Kairos *k = kairos_open();
    char *text = kairos_translate_file(k, o->arguments.at[0]);
    int status = text ? put_output(o, text) : KAIROS_MODEL_ERROR;
    kairos_free_text(text);
    return finish(k, o, status);
}

const Command command_translate = {
    .name = "translate",
    .arguments = "FILE.dym|FILE.om [-o FILE.mo]",
    .summary = "write a model in an older notation as Modelica",
    .text = "Reads a file in the notation of Dymola (1993, .dym) or Omola (.om) and writes it as "
            "readable Modelica.",
    .manual = "Other commands accept such files instead of a Modelica file.",
    .run = translate,
    .size = sizeof(Options),
    .options = {output_options, common_options},
    .examples = ENTRIES({"kairos translate Tank.om -o Tank.mo", "Write Tank.om as Modelica."}),
    .files = "dym om",
};

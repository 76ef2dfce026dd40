#include "session.h"

#include <stdio.h>

typedef struct DiagramOptions {
    Options common;
    bool icon;
} DiagramOptions;

static int diagram(Options *o)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    KairosLayer layer = ((const DiagramOptions *)o)->icon ? KAIROS_ICON : KAIROS_DIAGRAM;
    if (!status && o->output) {
        status = kairos_save_diagram(k, name, layer, o->output);
    } else if (!status) {
        char *text = kairos_draw_diagram(k, name, layer);
        status = text ? KAIROS_OK : KAIROS_MODEL_ERROR;
        if (text)
            fputs(text, stdout);
        kairos_free_text(text);
    }
    return finish(k, o, status);
}

static const Option diagram_options[] = {
    {"--icon", NULL, "the icon of the class instead of its diagram", OPT_FLAG,
     TO(DiagramOptions, icon)},
    {"--model", "NAME", "the class to draw; default: the last model in the file", OPT_TEXT,
     TO(Options, model)},
    {"--output", "FILE", "file to write: .svg, .png or .pdf; default: SVG to standard output",
     OPT_TEXT, TO(Options, output), .letter = "-o", .files = "svg png pdf"},
    {0},
};

const Command command_diagram = {
    .name = "diagram",
    .arguments = "FILE.mo|Class.Name [CLASS] [--icon] [-o FILE]",
    .summary = "draw the diagram or the icon of a class",
    .text = "Draws the annotations of the class: graphics, components with their "
            "icons, connections. The ending of FILE (.svg, .png, .pdf) gives the format. Without "
            "-o, SVG goes to standard output.",
    .manual = "Graphics come from the class and its bases (chapter 18.6 of the Modelica "
              "specification). If a model has no placements, Kairos arranges its components. "
              "Components whose condition is false are faint.\n\n"
              "Groups of the SVG carry the attributes data-component, data-class, data-path, "
              "data-line and data-connection.",
    .run = diagram,
    .size = sizeof(DiagramOptions),
    .options = {diagram_options, library_options, common_options},
    .examples = ENTRIES({"kairos diagram Hybrid.Examples.Circuits.DiodeInductor -o diode.svg",
                         "Draw a circuit of the library Hybrid."}),
    .files = "mo dym om",
};

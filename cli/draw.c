/* The command `diagram`. */
#include "options.h"

#include <stdio.h>

int diagram_command(Options *o)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    KairosLayer layer = o->icon ? KAIROS_ICON : KAIROS_DIAGRAM;
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

#include "session.h"

static int explain(Options *o)
{
    if (o->arguments.n > 1)
        return usage("explain takes one code, such as R006; without a code it lists all");
    Kairos *k = kairos_open();
    if (!k)
        return usage("there is not enough memory");
    char *text = kairos_explain_code(k, o->arguments.n ? o->arguments.at[0] : NULL);
    int status = text ? put_output(o, text) : KAIROS_USE_ERROR;
    kairos_free_text(text);
    return finish(k, o, status);
}

const Command command_explain = {
    .name = "explain",
    .arguments = "[CODE]",
    .summary = "explain the code of an error or warning",
    .text = "Explains a code such as R006: what it means, an example, and how to fix the model. "
            "Without a code, lists all codes.",
    .run = explain,
    .size = sizeof(Options),
    .options = {output_options, common_options},
    .examples = ENTRIES({"kairos explain R006", "Explain error R006: infinitely many events."},
                        {"kairos explain", "List all codes."}),
};

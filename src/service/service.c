/* The questions, by name. */
#include "service/cursor.h"

/* A question that needs no cursor still loads the text. */
static const struct {
    const char *about;
    void (*answer)(Service *s);
} questions[] = {
    {"hover", ask_hover},
    {"definition", ask_definition},
    {"type-definition", ask_type_definition},
    {"signature", ask_signature},
    {"symbols", ask_symbols},
    {"folds", ask_folds},
    {"selection", ask_selection},
    {"tokens", ask_tokens},
    {"hints", ask_hints},
    {"links", ask_links},
    {"lenses", ask_lenses},
    {"references", ask_references},
    {"highlights", ask_highlights},
    {"prepare-rename", ask_prepare_rename},
    {"rename", ask_rename},
    {"implementations", ask_implementations},
    {"prepare-types", ask_prepare_types},
    {"supertypes", ask_supertypes},
    {"subtypes", ask_subtypes},
    {"prepare-calls", ask_prepare_calls},
    {"callers", ask_callers},
    {"calls", ask_calls},
    {"places", ask_places},
};

bool service_ask(Library *lib, const Question *q, Text *t)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (strcmp(questions[i].about, q->about))
            continue;
        size_t at = position_offset(q->text, q->size, q->line, q->character);
        Service s = {.lib = lib, .q = q, .t = t};
        s.c = cursor_open(lib, q->path, q->text, q->size, at);
        questions[i].answer(&s);
        return true;
    }
    return false;
}

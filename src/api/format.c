/* Formatted text: the public side of src/format. */
#include "api/session.h"

#include "format/format.h"

typedef struct Formatting {
    Kairos *k;
    const char *name, *source;
    size_t size;
    unsigned flags;
    Text text; /* the answer */
    int status;
} Formatting;

static void format(void *arg)
{
    Formatting *f = arg;
    bool ok = format_modelica(f->k->ctx, f->name, f->source, f->size, f->flags, &f->text);
    text_put(&f->text, "");
    f->status = ok ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

char *kairos_format_text(Kairos *k, const char *name, const char *text, size_t size,
                         int annotations)
{
    Formatting f = {.k = k,
                    .name = name,
                    .source = text,
                    .size = size,
                    .flags = annotations ? FORMAT_ANNOTATIONS : 0};
    if (session_guard(k, format, &f, &f.status) == KAIROS_OK)
        return f.text.at; /* now the caller's */
    text_free(&f.text);
    return NULL;
}

/* For tests that begin with Modelica text: a library that holds it, and the products up to the flat
 * model. Include cmocka first. */
#ifndef TESTS_FROM_TEXT_H
#define TESTS_FROM_TEXT_H

#include "compile.h"

#include <string.h>

typedef struct FromText {
    Context *ctx;
    Graph *g;
    Library *lib;
    Arena *arena;
    Flat *flat; /* NULL before flatten_text */
} FromText;

static inline void text_begin(FromText *w, const char *text)
{
    *w = (FromText){.ctx = context_new(), .arena = arena_new()};
    w->g = graph_new(w->ctx);
    w->lib = library_new(w->ctx, w->g);
    if (text)
        assert_true(
            library_add_source(w->lib, sources_add(w->ctx->sources, "t.mo", text, strlen(text))));
}

/* The last model of the text as a flat model, which may be incomplete after errors. */
static inline void flatten_text(FromText *w, const char *text)
{
    text_begin(w, text);
    const AstClass *model = library_find_model(w->lib, NULL);
    assert_non_null(model);
    Compilation c = {.ctx = w->ctx, .library = w->lib};
    c.instance = instance_model(w->lib, model, NULL, 0);
    assert_non_null(c.instance);
    compile_flatten(&c);
    w->flat = c.flat;
}

static inline void text_end(FromText *w)
{
    if (w->flat)
        flat_free(w->flat);
    library_free(w->lib);
    graph_free(w->g);
    arena_free(w->arena);
    context_free(w->ctx);
}

#endif

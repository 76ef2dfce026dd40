/* Fuzzer of the instance and flatten phases: any text that can be parsed is rejected with a
 * message, or flattened to a valid model. */
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what, const char *detail)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

static void flatten_text(Context *ctx, Library *lib)
{
    const AstClass *model = library_find_model(lib, NULL);
    require(model || ctx->n_errors, "no model", "and no message");
    Compilation c = {.ctx = ctx, .library = lib};
    c.instance = model ? instance_model(lib, model, NULL, 0) : NULL;
    require(!model || c.instance || ctx->n_errors, "no instance", "and no message");
    if (!c.instance)
        return;
    compile_flatten(&c);
    Flat *flat = c.flat;
    if (!ctx->n_errors) {
        const char *breach = instance_check(c.instance, ctx->arena);
        require(!breach, "the instance breaks its contract", breach ? breach : "");
        breach = flat_check(flat, ctx->arena);
        require(!breach, "the flat model breaks its contract", breach ? breach : "");
        if (flat->vars.n + flat->eqs.n < 10000)
            flat_print(flat, ctx->arena);
        flat_balance(ctx, flat);
    }
    flat_free(flat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Context *ctx = context_new();
    Graph *g = graph_new(ctx);
    Library *lib = library_new(ctx, g);
    uint32_t source = sources_add(ctx->sources, "fuzz.mo", (const char *)data, size);
    if (library_add_source(lib, source))
        flatten_text(ctx, lib);
    library_free(lib);
    graph_free(g);
    context_free(ctx);
    return 0;
}

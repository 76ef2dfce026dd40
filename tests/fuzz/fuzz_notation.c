/* Fuzzer of the older notations: any text is read into a tree. If there are no errors, the tree
 * printed is Modelica, and a valid text of it. The first byte chooses: 'd' is Dymola, anything else
 * Omola. */
#include "notation/notation.h"
#include "syntax/parse/parse.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const AstFile *file, Arena *arena)
{
    char *text = ast_print(file, arena);
    Context *other = context_new();
    ast_free(syntax_parse(other, sources_add(other->sources, "printed.mo", text, strlen(text))));
    if (other->n_errors) {
        fprintf(stderr, "the translation has errors:\n%s\n", text);
        abort();
    }
    context_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    Context *ctx = context_new();
    const char *name = data[0] == 'd' ? "fuzz.dym" : "fuzz.om";
    AstFile *file =
        notation_parse(ctx, sources_add(ctx->sources, name, (const char *)data + 1, size - 1));
    if (!ctx->n_errors)
        check_print(file, ctx->arena);
    ast_free(file);
    context_free(ctx);
    return 0;
}

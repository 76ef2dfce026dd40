/* Fuzzer of the syntax phase: any text is parsed into a valid tree. A text without errors gives an
 * equal tree when printed and parsed again. */
#include "syntax/tree/ast.h"
#include "syntax/parse/parse.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what, const char *text)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n%s\n", what, text);
    abort();
}

static void check_print(Context *ctx, const AstFile *file)
{
    char *text = ast_print(file, ctx->arena);
    AstFile *again = syntax_parse(ctx, sources_add(ctx->sources, "printed", text, strlen(text)));
    require(!ctx->n_errors, "the print has errors:", text);
    require(ast_equal(file, again), "the tree of the print differs:", text);
    ast_free(again);
}

static void check_expr(const uint8_t *data, size_t size)
{
    Context *ctx = context_new();
    uint32_t source = sources_add(ctx->sources, "fuzz", (const char *)data, size);
    AstExpr *e = syntax_parse_expr(ctx, source, ctx->arena);
    require((e != NULL) == (ctx->n_errors == 0),
            "an expression in spite of errors, or none without", "");
    if (e) {
        char *text = ast_print_expr(e, ctx->arena);
        source = sources_add(ctx->sources, "printed", text, strlen(text));
        e = syntax_parse_expr(ctx, source, ctx->arena);
        require(e != NULL, "the print has errors:", text);
        require(!strcmp(text, ast_print_expr(e, ctx->arena)),
                "the print of the print differs:", text);
    }
    context_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == '=') {
        check_expr(data + 1, size - 1);
        return 0;
    }
    Context *ctx = context_new();
    uint32_t source = sources_add(ctx->sources, "fuzz", (const char *)data, size);
    AstFile *file = syntax_parse(ctx, source);
    const char *breach = ast_check(file, ctx->arena);
    require(!breach, "the tree breaks its contract:", breach);
    if (!ctx->n_errors)
        check_print(ctx, file);
    ast_free(file);
    context_free(ctx);
    return 0;
}

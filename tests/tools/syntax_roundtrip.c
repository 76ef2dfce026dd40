/* Parses files, or all .mo files in folders; prints each and parses the print again, which must
 * give an equal tree.
 *
 *     syntax_roundtrip [--lenient] FILE|FOLDER...
 *
 * Exit status 1 if a file has an error (unless --lenient), a tree violates its contract, or a tree
 * and the tree of its print differ. Prints the time for parsing alone. */
#include "syntax/tree/ast.h"
#include "syntax/parse/parse.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

typedef struct Run {
    bool lenient;
    unsigned n_files, n_rejected, n_failed;
    size_t bytes, ast_bytes;
    double seconds;
} Run;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report_diagnostics(const Context *ctx)
{
    for (uint32_t i = 0; i < ctx->diags.n; i++) {
        const Diag *d = ctx->diags.at[i];
        Place at = source_place(ctx->sources, d->span);
        fprintf(stderr, "%s:%u:%u: error[%s]: %s\n", at.path, at.line, at.column,
                diag_code_name(d->code), d->text);
    }
}

static void fail(Run *run, const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    run->n_failed++;
}

static void compare_with_print(Run *run, Context *ctx, const AstFile *file, const char *path)
{
    Arena *scratch = arena_new();
    char *text = ast_print(file, scratch);
    uint32_t source = sources_add(ctx->sources, "(printed)", text, strlen(text));
    AstFile *again = syntax_parse(ctx, source);
    if (ctx->n_errors) {
        fail(run, path, "the print has errors");
        report_diagnostics(ctx);
    } else if (!ast_equal(file, again)) {
        fail(run, path, "the tree of the print differs");
    }
    ast_free(again);
    arena_free(scratch);
}

static void check_file(Run *run, const char *path)
{
    Context *ctx = context_new();
    uint32_t source = sources_load(ctx->sources, path);
    if (!source) {
        fail(run, path, "cannot be read");
        context_free(ctx);
        return;
    }
    double start = now();
    AstFile *file = syntax_parse(ctx, source);
    run->seconds += now() - start;
    run->bytes += sources_get(ctx->sources, source)->size;
    run->ast_bytes += arena_bytes(file->arena);
    run->n_files++;
    const char *breach = ast_check(file, ctx->arena);
    if (breach)
        fail(run, path, breach);
    if (ctx->n_errors) {
        run->n_rejected++;
        run->n_failed += !run->lenient;
        report_diagnostics(ctx);
    } else {
        compare_with_print(run, ctx, file, path);
    }
    ast_free(file);
    context_free(ctx);
}

static bool is_modelica(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, ".mo");
}

static void check_path(Run *run, const char *path, bool named)
{
    struct stat st;
    if (stat(path, &st)) {
        fail(run, path, "cannot be found");
        return;
    }
    if (!S_ISDIR(st.st_mode)) {
        if (named || is_modelica(path))
            check_file(run, path);
        return;
    }
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char inner[4096];
        if (entries[i]->d_name[0] != '.') {
            snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
            check_path(run, inner, false);
        }
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    Run run = {0};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--lenient"))
            run.lenient = true;
        else
            check_path(&run, argv[i], true);
    }
    double mb = (double)run.bytes / 1e6;
    printf("%u files, %u rejected, %u failed; %.1f MB in %.0f ms: %.0f MB/s; trees of %.1f MB\n",
           run.n_files, run.n_rejected, run.n_failed, mb, run.seconds * 1e3,
           run.seconds > 0 ? mb / run.seconds : 0.0, (double)run.ast_bytes / 1e6);
    return run.n_failed || !run.n_files;
}

/* Fuzzer of result files and of expressions over a run. The first byte chooses: 'k' is an
 * expression, 'm' a MAT file, anything else a CSV file. A table that was read is compared with
 * itself and drawn. */
#include "kairos.h"
#include "kept/kept.h"
#include "output/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_expression(const char *text)
{
    static const char *const names[] = {"x", "y"};
    char wrong[200];
    bool equal;
    kept_free_expr(kept_parse_constraint(text, &equal, wrong, sizeof wrong));
    KeptExpr *e = kept_parse(text, wrong, sizeof wrong);
    if (e && !kept_resolve(e, names, 2)) {
        Kept *k = kept_new(&e, 1, 0);
        double row[2] = {1, 2}, value;
        kept_begin(k);
        kept_row(k, names, 2, row, NULL, NULL);
        kept_row(k, names, 2, row, NULL, NULL);
        kept_values(k, &value);
        kept_free(k);
    }
    kept_free_expr(e);
}

static void read_table(const char *path)
{
    Context *ctx = context_new();
    Table *t = table_read(ctx, path);
    if (!t && !ctx->n_errors)
        abort(); /* no table and no message */
    if (t) {
        CompareOptions how = {.tolerance = 1e-3};
        char *report = NULL;
        compare_tables(ctx, t, t, &how, &report, ctx->arena);
        table_free(t);
    }
    context_free(ctx);
    Kairos *k = kairos_open();
    KairosPlot plot = {.size = sizeof plot};
    kairos_free_text(kairos_plot_text(k, path, &plot, 60, 20, 0));
    kairos_close(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (data[0] == 'k') {
        char *text = calloc(size, 1);
        memcpy(text, data + 1, size - 1);
        read_expression(text);
        free(text);
        return 0;
    }
    char path[40];
    snprintf(path, sizeof path, "result-%d.%s", (int)getpid(), data[0] == 'm' ? "mat" : "csv");
    FILE *f = fopen(path, "wb");
    if (f && fwrite(data + 1, 1, size - 1, f) == size - 1 && !fclose(f))
        read_table(path);
    unlink(path);
    return 0;
}

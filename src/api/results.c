/* Results of earlier runs: plots and comparisons. The public side of src/output. */
#include "api/session.h"

#include "output/output.h"

#include <string.h>

typedef struct Tables {
    Table **at;
    uint32_t n;
    PlotOptions options;
} Tables;

static void free_tables(Tables *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        table_free(t->at[i]);
    memory_free(t->at);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The result and those drawn over it; false after telling. Free also then. */
static bool read_tables(Kairos *k, const char *result, const KairosPlot *plot, Tables *t)
{
    *t = (Tables){.at = memory_alloc(sizeof *t->at * (plot->n_others + 1))};
    for (unsigned i = 0; i <= plot->n_others; i++) {
        t->at[t->n] = table_read(k->ctx, i ? plot->others[i - 1] : result);
        if (!t->at[t->n])
            return false;
        t->n++;
    }
    t->options = (PlotOptions){.variables = plot->variables,
                               .n_variables = plot->n_variables,
                               .title = plot->title       ? plot->title
                                        : t->at[0]->title ? t->at[0]->title
                                                          : last_part(result),
                               .x = plot->x,
                               .colour = plot->colour,
                               .x_range = plot->x_range,
                               .y_range = plot->y_range,
                               .log_x = plot->log_x,
                               .log_y = plot->log_y,
                               .events = plot->events,
                               .separate = plot->separate};
    return true;
}

int kairos_plot_result(Kairos *k, const char *result, const KairosPlot *plot)
{
    Tables t;
    bool ok = read_tables(k, result, plot, &t) &&
              plot_tables(k->ctx, (const Table *const *)t.at, t.n, &t.options, plot->output);
    free_tables(&t);
    return ok ? KAIROS_OK : KAIROS_USE_ERROR;
}

char *kairos_plot_text(Kairos *k, const char *result, const KairosPlot *plot, unsigned columns,
                       unsigned rows, int colour)
{
    Tables t;
    Arena *arena = arena_new();
    char *text = NULL;
    if (read_tables(k, result, plot, &t))
        text = plot_text(k->ctx, (const Table *const *)t.at, t.n, &t.options, columns, rows, colour,
                         arena);
    text = text ? session_text(text) : NULL;
    free_tables(&t);
    arena_free(arena);
    return text;
}

int kairos_compare_results(Kairos *k, const char *result, const char *reference,
                           const KairosCompare *how, char **report)
{
    static const KairosCompare defaults;
    how = how ? how : &defaults;
    CompareOptions o = {how->tolerance, how->time_tolerance, how->variables, how->n_variables};
    Table *a = table_read(k->ctx, result), *b = a ? table_read(k->ctx, reference) : NULL;
    int status = KAIROS_USE_ERROR;
    if (b) {
        Arena *arena = arena_new();
        char *text;
        bool alike = compare_tables(k->ctx, a, b, &o, &text, arena);
        if (report)
            *report = session_text(text);
        status = k->ctx->n_errors ? KAIROS_USE_ERROR : alike ? KAIROS_OK : KAIROS_MODEL_ERROR;
        arena_free(arena);
    }
    table_free(a);
    table_free(b);
    return status;
}

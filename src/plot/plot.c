/* Plots of results: the plot is arranged once, then drawn to a file or as text. */
#include "plot/figure.h"

bool plot_tables(Context *ctx, const Table *const *tables, uint32_t n, const PlotOptions *options,
                 const char *path)
{
    PlotFigure f = {.options = options, .tables = tables, .n_tables = n};
    bool ok = plot_arrange(ctx, &f) &&
              (text_ends_with(path, ".html") ? plot_page : plot_draw)(ctx, &f, path);
    plot_release(&f);
    return ok;
}

char *plot_text(Context *ctx, const Table *const *tables, uint32_t n, const PlotOptions *options,
                unsigned columns, unsigned rows, bool colour, Arena *arena)
{
    PlotFigure f = {.options = options, .tables = tables, .n_tables = n};
    char *text = plot_arrange(ctx, &f) ? plot_in_terminal(&f, columns, rows, colour) : NULL;
    text = text ? arena_copy(arena, text, strlen(text)) : NULL;
    plot_release(&f);
    return text;
}

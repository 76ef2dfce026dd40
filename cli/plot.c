#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct PlotOptions {
    Options common;
    const char *title, *x, *colour_by, *x_range, *y_range;
    bool log_x, log_y, mark_events, separate;
} PlotOptions;

static bool is_result(const char *name)
{
    return ends_in(name, ".csv") || ends_in(name, ".mat");
}

/* "A:B" as two numbers. */
static bool read_range(const char *text, double range[2])
{
    char *end;
    range[0] = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    const char *second = end + 1;
    range[1] = strtod(second, &end);
    return end != second && !*end && range[1] > range[0];
}

static char *picture_name(const char *result)
{
    const char *dot = strrchr(result, '.');
    size_t n = dot ? (size_t)(dot - result) : strlen(result);
    char *name = malloc(n + 5);
    memcpy(name, result, n);
    strcpy(name + n, ".svg");
    return name;
}

static int plot_to_terminal(Kairos *k, const char *result, const KairosPlot *how)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40 || size.ws_row < 10)
        size = (struct winsize){.ws_col = 100, .ws_row = 30};
    char *text =
        kairos_plot_text(k, result, how, size.ws_col, size.ws_row - 3u, !getenv("NO_COLOR"));
    if (text)
        fputs(text, stdout);
    int status = text ? KAIROS_OK : KAIROS_USE_ERROR;
    kairos_free_text(text);
    return status;
}

/* Without --output: draws in the terminal if there is one, otherwise writes a picture next to the
 * result. */
static int draw_plot(const Options *o, Kairos *k, const char *result, KairosPlot *how)
{
    if (!o->output && isatty(STDOUT_FILENO))
        return plot_to_terminal(k, result, how);
    char *name = picture_name(result);
    how->output = o->output ? o->output : name;
    int status = kairos_plot_result(k, result, how);
    if (!status && !o->quiet)
        fprintf(stderr, "%s\n", how->output);
    free(name);
    return status;
}

static int plot(Options *common)
{
    const PlotOptions *own = (const PlotOptions *)common;
    const Options *o = common;
    unsigned results = 0;
    while (results < o->arguments.n && is_result(o->arguments.at[results]))
        results++;
    if (!results)
        return usage("plot needs a result file (.csv or .mat) first");
    double x_range[2], y_range[2];
    if ((own->x_range && !read_range(own->x_range, x_range)) ||
        (own->y_range && !read_range(own->y_range, y_range)))
        return usage("a range is written A:B with A < B, as in --x-range 0:1.5");
    KairosPlot how = {.size = sizeof how,
                      .variables = o->arguments.at + results,
                      .n_variables = o->arguments.n - results,
                      .title = own->title,
                      .others = o->arguments.at + 1,
                      .n_others = results - 1,
                      .x = own->x,
                      .colour = own->colour_by,
                      .x_range = own->x_range ? x_range : NULL,
                      .y_range = own->y_range ? y_range : NULL,
                      .log_x = own->log_x,
                      .log_y = own->log_y,
                      .events = own->mark_events,
                      .separate = own->separate};
    Kairos *k = kairos_open();
    int status = draw_plot(o, k, o->arguments.at[0], &how);
    return finish(k, o, status);
}

static const Option plot_options[] = {
    {"--output", "FILE", "picture to write: .svg, .png, .pdf or .html", OPT_TEXT,
     TO(Options, output), .letter = "-o", .files = "svg png pdf html"},
    {"--x", "NAME", "variable along the horizontal axis; default: time", OPT_TEXT,
     TO(PlotOptions, x)},
    {"--colour", "NAME", "colour the curves by the value of a discrete variable", OPT_TEXT,
     TO(PlotOptions, colour_by)},
    {"--x-range", "A:B", "range of the horizontal axis", OPT_TEXT, TO(PlotOptions, x_range)},
    {"--y-range", "A:B", "range of the vertical axis", OPT_TEXT, TO(PlotOptions, y_range)},
    {"--log-x", NULL, "logarithmic horizontal axis", OPT_FLAG, TO(PlotOptions, log_x)},
    {"--log-y", NULL, "logarithmic vertical axis", OPT_FLAG, TO(PlotOptions, log_y)},
    {"--mark-events", NULL, "mark the instants of events", OPT_FLAG, TO(PlotOptions, mark_events)},
    {"--separate", NULL, "a pane for each variable", OPT_FLAG, TO(PlotOptions, separate)},
    {"--title", "TEXT", "title of the plot", OPT_TEXT, TO(PlotOptions, title)},
    {0},
};

const Command command_plot = {
    .name = "plot",
    .arguments = "RESULT... [VARIABLE...] [-o FILE]",
    .summary = "draw results",
    .text = "Draws variables of a result over time, or over another variable. Without names, it "
            "draws the states. Further results are drawn over the first. Without -o it draws in "
            "the terminal.",
    .manual =
        "If standard output is not a terminal, the default of -o is RESULT with the ending .svg. "
        "FILE.html is an interactive page in one file: zoom, a cursor with values, curves to show "
        "and hide.\n\n"
        "Units and title come from the file RESULT-metadata.json, which 'kairos simulate' writes "
        "beside a CSV file.",
    .run = plot,
    .size = sizeof(PlotOptions),
    .options = {plot_options, common_options},
    .examples = ENTRIES({"kairos plot Ball.csv h v -o Ball.png", "Draw two variables over time."},
                        {"kairos plot s.csv --x 'x[1]' 'x[2]' --colour q -o s.svg",
                         "Draw a phase plane, coloured by the mode q."}),
    .files = "csv mat",
};

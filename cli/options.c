#include "options.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum OptionKind {
    OPT_TEXT,
    OPT_REAL,
    OPT_COUNT,
    OPT_FLAG,
    OPT_TEXTS,
    OPT_SETTINGS,
    OPT_FORMAT
} OptionKind;

typedef struct Option {
    const char *name, *value, *help;
    unsigned commands;
    OptionKind kind;
    size_t field, flag; /* where the value goes, and a bool to set with it (0: none) */
} Option;

#define AT(member) offsetof(Options, member)
enum {
    ON_RUNS = CMD_SIMULATE | CMD_REPORT,
    ON_MODELS = ON_RUNS | CMD_CHECK | CMD_FLATTEN | CMD_EQUATIONS | CMD_DUMP,
    ON_ALL = ON_MODELS | CMD_PLOT | CMD_COMPARE | CMD_VERSION | CMD_TRANSLATE | CMD_LIB | CMD_RUN |
             CMD_DIAGRAM | CMD_STUDIO,
};

static const Option options[] = {
    {"--model", "NAME", "the model meant; without it, the last model in the file",
     ON_MODELS | CMD_DIAGRAM, OPT_TEXT, AT(model), 0},
    {"--start-time", "T", "start time; default: the model's experiment annotation, then 0", ON_RUNS,
     OPT_REAL, AT(start_time), AT(has_start)},
    {"--stop-time", "T", "stop time; default: the model's experiment annotation, then 1", ON_RUNS,
     OPT_REAL, AT(stop_time), AT(has_stop)},
    {"--intervals", "N", "number of output intervals; default 500", ON_RUNS, OPT_COUNT,
     AT(intervals), 0},
    {"--tolerance", "R",
     "relative tolerance; default 1e-6 (compare: height of the tube, default 0.002)",
     ON_RUNS | CMD_COMPARE | CMD_RUN, OPT_REAL, AT(tolerance), 0},
    {"--time-tolerance", "R", "width of the tube; default 0.002", CMD_COMPARE, OPT_REAL,
     AT(time_tolerance), 0},
    {"--solver", "NAME",
     "auto, cvode, ida, esdirk, radau, dopri5, rkf45, rk4, euler, inline-euler, inline-bdf2 or "
     "inline-radau",
     ON_RUNS, OPT_TEXT, AT(solver), 0},
    {"--structure", "HOW",
     "auto, single (one plan for all modes), modes (a plan per visited mode), inline (integration "
     "written into the equations) or mixed (inline for what fixes the causality of switches)",
     ON_RUNS, OPT_TEXT, AT(structure), 0},
    {"--inline", "NAME",
     "integration of this state (with * and ?) is written into the equations; may be repeated",
     ON_RUNS, OPT_TEXTS, AT(inlined), 0},
    {"--step", "H", "step of rk4 and euler; default: the output interval", ON_RUNS, OPT_REAL,
     AT(step), 0},
    {"--event-epsilon", "R", "crossings are shifted by this share of their scale; default 1e-10",
     ON_RUNS, OPT_REAL, AT(event_epsilon), 0},
    {"--no-events", "PATTERN",
     "relations in equations for Reals of components of this name (with * and ?) are taken "
     "literally; may be "
     "repeated",
     CMD_SIMULATE | CMD_FLATTEN | CMD_EQUATIONS | CMD_DUMP | CMD_CHECK, OPT_TEXTS, AT(no_events),
     0},
    {"--accumulation", "HOW", "where events accumulate: rest (the default) or stop", ON_RUNS,
     OPT_TEXT, AT(accumulation), 0},
    {"--chattering", "HOW", "where events chatter: slide (the default) or stop", ON_RUNS, OPT_TEXT,
     AT(chattering), 0},
    {"--mixed", "HOW",
     "how blocks with discrete unknowns are solved: fixpoint, limited, search, or auto (each in "
     "turn)",
     ON_RUNS, OPT_TEXT, AT(mixed), 0},
    {"--set", "NAME=VALUE",
     "value of a parameter or a start value (m.J=2, x.start=1); may be repeated", ON_MODELS,
     OPT_SETTINGS, AT(settings), 0},
    {"--sweep", "NAME=VALUES",
     "a run for each value: 1,2,5 or first:step:last; repeated: all combinations. NAME_1.csv, … "
     "and "
     "NAME_sweep.csv",
     CMD_SIMULATE, OPT_SETTINGS, AT(sweeps), 0},
    {"--jobs", "N", "runs of a sweep at once; default: the number of cores", CMD_SIMULATE,
     OPT_COUNT, AT(jobs), 0},
    {"--library", "PATH",
     "folder with Modelica packages, before those of MODELICAPATH; may be repeated",
     ON_MODELS | CMD_RUN | CMD_LIB | CMD_DIAGRAM | CMD_STUDIO | CMD_NURSERY, OPT_TEXTS,
     AT(libraries), 0},
    {"--output", "FILE",
     "result file: .csv or .mat; default NAME.csv (plot: .svg, .png, .pdf or .html)",
     CMD_SIMULATE | CMD_PLOT | CMD_TRANSLATE | CMD_DIAGRAM | ON_MODELS, OPT_TEXT, AT(output), 0},
    {"-o", "FILE", "the same as --output",
     CMD_SIMULATE | CMD_PLOT | CMD_TRANSLATE | CMD_DIAGRAM | ON_MODELS, OPT_TEXT, AT(output), 0},
    {"--variables", "REGEX", "only variables whose names match go into the result", ON_RUNS,
     OPT_TEXT, AT(variables), 0},
    {"--hide-protected", NULL, "leave protected variables out of the result", ON_RUNS, OPT_FLAG,
     AT(hide_protected), 0},
    {"--plot", "FILE", "also draw the states: .svg, .png, .pdf or .html", CMD_SIMULATE, OPT_TEXT,
     AT(plot), 0},
    {"--icon", NULL, "the icon of the class instead of its diagram", CMD_DIAGRAM, OPT_FLAG,
     AT(icon), 0},
    {"--x", "NAME", "variable along the horizontal axis; default: time", CMD_PLOT, OPT_TEXT, AT(x),
     0},
    {"--colour", "NAME", "colour the curves by the value of a discrete variable", CMD_PLOT,
     OPT_TEXT, AT(colour_by), 0},
    {"--x-range", "A:B", "range of the horizontal axis", CMD_PLOT, OPT_TEXT, AT(x_range), 0},
    {"--y-range", "A:B", "range of the vertical axis", CMD_PLOT, OPT_TEXT, AT(y_range), 0},
    {"--log-x", NULL, "logarithmic horizontal axis", CMD_PLOT, OPT_FLAG, AT(log_x), 0},
    {"--log-y", NULL, "logarithmic vertical axis", CMD_PLOT, OPT_FLAG, AT(log_y), 0},
    {"--mark-events", NULL, "mark the instants of events", CMD_PLOT, OPT_FLAG, AT(mark_events), 0},
    {"--separate", NULL, "a pane for each variable", CMD_PLOT, OPT_FLAG, AT(separate), 0},
    {"--title", "TEXT", "title of the plot", CMD_PLOT, OPT_TEXT, AT(title), 0},
    {"--events", "FILE", "write one JSON line per event instant; - is standard output", ON_RUNS,
     OPT_TEXT, AT(events), 0},
    {"--log", "LIST",
     "tell of events, modes, init, blocks, stats (separated by commas) on standard error; check: "
     "modes",
     ON_RUNS | CMD_CHECK, OPT_TEXT, AT(log), 0},
    {"--compiler", "NAME",
     "auto (the default: in memory at once, by cc in the background for long runs), tcc or cc",
     ON_RUNS, OPT_TEXT, AT(compiler), 0},
    {"--emit-c", "FILE", "write the generated C", CMD_SIMULATE, OPT_TEXT, AT(emit_c), 0},
    {"--after", "PHASE", "syntax, instance, flatten, dae, structure or codegen", CMD_DUMP, OPT_TEXT,
     AT(after), 0},
    {"--all", NULL, "check every class of the file or package, not the model alone", CMD_CHECK,
     OPT_FLAG, AT(all), 0},
    {"--units", NULL, "warn where units do not agree", CMD_CHECK, OPT_FLAG, AT(units), 0},
    {"--progress", NULL, "tell the progress of long runs also where standard error is no terminal",
     ON_RUNS, OPT_FLAG, AT(progress), 0},
    {"--port", "N", "port to serve at; default: one that is free", CMD_STUDIO, OPT_COUNT, AT(port),
     0},
    {"--bind", "ADDRESS",
     "address to serve at; default: 127.0.0.1, which other machines cannot reach", CMD_STUDIO,
     OPT_TEXT, AT(bind), 0},
    {"--no-open", NULL, "do not open a browser", CMD_STUDIO, OPT_FLAG, AT(no_open), 0},
    {"--workspace", "FOLDER",
     "folder whose files can be opened; default: that of the first file, else the present one",
     CMD_STUDIO | CMD_NURSERY, OPT_TEXT, AT(workspace), 0},
    {"--allow-external", NULL, "let models call external C code", CMD_STUDIO | CMD_NURSERY,
     OPT_FLAG, AT(allow_external), 0},
    {"--limit-seconds", "N", "longest time of a run; default 600", CMD_STUDIO, OPT_COUNT,
     AT(limit_seconds), 0},
    {"--limit-memory", "MB", "memory of a run; default 4096", CMD_STUDIO | CMD_NURSERY, OPT_COUNT,
     AT(limit_memory), 0},
    {"--limit-result", "MB", "size of a result; default 256", CMD_STUDIO | CMD_NURSERY, OPT_COUNT,
     AT(limit_result), 0},
    {"--control", "N", "descriptor of the server", CMD_NURSERY, OPT_COUNT, AT(control), 0},
    {"--diagnostics", "FORMAT", "text or json", ON_ALL, OPT_FORMAT, AT(json), 0},
    {"--quiet", NULL, "no status lines", ON_ALL, OPT_FLAG, AT(quiet), 0},
    {"--help", NULL, "this text", ON_ALL, OPT_FLAG, AT(help), 0},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

/* ---- help ---- */

void help_all(void)
{
    printf("kairos: compiles and simulates hybrid systems written in Modelica\n\nusage: kairos "
           "COMMAND "
           "[ARGUMENT...] [OPTION...]\n\n");
    for (const Command *c = commands; c->name; c++)
        if (c->summary)
            printf("  %-10s %s\n", c->name, c->summary);
    printf("\n'kairos COMMAND --help' tells more. A small model to try: examples/BouncingBall.mo\n"
           "Exit status: 0 done; 1 the model is in error; 2 the call is in error; 3 the simulation "
           "failed "
           "(results up to\n"
           "then are saved); 130 interrupted.\n");
}

void help_command(const Command *c)
{
    printf("usage: kairos %s %s\n\n%s\n", c->name, c->arguments, c->text);
    printf("\noptions:\n");
    for (int i = 0; i < N_OPTIONS; i++) {
        const Option *o = &options[i];
        char text[64];
        snprintf(text, sizeof text, "%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        if (o->commands & c->bit)
            printf("  %-22s %s\n", text, o->help);
    }
}

/* ---- parsing ---- */

static bool fail(const char *format, const char *a, const char *b)
{
    fprintf(stderr, "kairos: ");
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return false;
}

static void add_text(TextList *list, const char *s)
{
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] = s;
}

static bool add_setting(const Option *o, SettingList *list, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return fail("%s wants NAME=VALUE, not '%s'", o->name, text);
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] =
        (KairosSetting){strndup(text, (size_t)(equals - text)), strdup(equals + 1)};
    return true;
}

static bool parse_real(const Option *o, const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end || !isfinite(*x))
        return fail("%s wants a number, not '%s'", o->name, text);
    bool is_time = strstr(o->name, "-time") && !strstr(o->name, "tolerance");
    return is_time || *x > 0 || fail("%s wants a positive number, not '%s'", o->name, text);
}

static bool parse_count(const Option *o, const char *text, unsigned *n)
{
    char *end;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (end == text || *end || x < 1 || x > 100000000 || errno)
        return fail("%s wants a whole number of at least 1, not '%s'", o->name, text);
    *n = (unsigned)x;
    return true;
}

static bool parse_format(const char *text, bool *json)
{
    *json = !strcmp(text, "json");
    return *json || !strcmp(text, "text") ||
           fail("--diagnostics wants text or json, not '%s'%s", text, "");
}

static bool take(Options *all, const Option *o, const char *value)
{
    char *field = (char *)all + o->field;
    if (o->flag)
        *((bool *)((char *)all + o->flag)) = true;
    switch (o->kind) {
    case OPT_TEXT: *(const char **)field = value; return true;
    case OPT_REAL: return parse_real(o, value, (double *)field);
    case OPT_COUNT: return parse_count(o, value, (unsigned *)field);
    case OPT_FLAG: *(bool *)field = true; return true;
    case OPT_TEXTS: add_text((TextList *)field, value); return true;
    case OPT_SETTINGS: return add_setting(o, (SettingList *)field, value);
    case OPT_FORMAT: return parse_format(value, (bool *)field);
    }
    return false;
}

static const Option *find_option(const char *text, size_t n)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (strlen(options[i].name) == n && !strncmp(options[i].name, text, n))
            return &options[i];
    return NULL;
}

/* "--name value" or "--name=value". */
static bool parse_option(Options *all, int argc, char **argv, int *i)
{
    const char *text = argv[*i], *equals = strncmp(text, "--", 2) ? NULL : strchr(text, '=');
    const Option *o = find_option(text, equals ? (size_t)(equals - text) : strlen(text));
    if (!o)
        return fail("there is no option '%s'; 'kairos %s --help' lists them", text,
                    all->command->name);
    if (!(o->commands & all->command->bit))
        return fail("option %s does not apply to 'kairos %s'", o->name, all->command->name);
    if (!o->value)
        return equals ? fail("option %s takes no value%s", o->name, "") : take(all, o, NULL);
    if (!equals && *i + 1 >= argc)
        return fail("option %s wants a value (%s)", o->name, o->value);
    return take(all, o, equals ? equals + 1 : argv[++*i]);
}

static const Command *find_command(const char *name)
{
    for (const Command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

bool options_parse(Options *o, int argc, char **argv)
{
    o->colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    o->command = find_command(argv[1]);
    if (!o->command)
        return fail("there is no command '%s'; 'kairos --help' lists them%s", argv[1], "");
    for (int i = 2; i < argc; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1];
        if (is_option && !parse_option(o, argc, argv, &i))
            return false;
        if (!is_option)
            add_text(&o->arguments, argv[i]);
    }
    return true;
}

static void free_settings(SettingList *list)
{
    for (unsigned i = 0; i < list->n; i++) {
        free((char *)(uintptr_t)list->at[i].name);
        free((char *)(uintptr_t)list->at[i].value);
    }
    free(list->at);
}

void options_free(Options *o)
{
    free_settings(&o->settings);
    free_settings(&o->sweeps);
    free(o->libraries.at);
    free(o->no_events.at);
    free(o->inlined.at);
    free(o->arguments.at);
}

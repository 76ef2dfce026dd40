/* The program `kairos`: commands on top of the public library. */
#include "ocl.h"
#include "options.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static Kairos *interrupted; /* the session that Ctrl-C stops */

static void on_signal(int number)
{
    if (interrupted)
        kairos_interrupt(interrupted);
    signal(number, SIG_DFL); /* a second one ends the program at once */
}

void catch_interrupt(Kairos *k)
{
    interrupted = k;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of writing */
}

int finish(Kairos *k, const Options *o, int status)
{
    char *text = kairos_render_messages(k, o->json     ? KAIROS_JSON
                                           : o->colour ? KAIROS_TEXT_COLOUR
                                                       : KAIROS_TEXT);
    fputs(text, stderr);
    kairos_free_text(text);
    interrupted = NULL;
    kairos_close(k);
    return status;
}

static int usage(const char *text)
{
    fprintf(stderr, "kairos: %s\n", text);
    return KAIROS_USE_ERROR;
}

/* ---- the model meant ---- */

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

static bool is_file(const char *name)
{
    return ends_in(name, ".mo") || ends_in(name, ".dym") || ends_in(name, ".om") ||
           strchr(name, '/') || !access(name, R_OK);
}

int load_model(Kairos *k, const Options *o, const char **name)
{
    *name = o->model;
    if (!o->arguments.n)
        return usage("which model? Give a file (FILE.mo) or a class of a library (Class.Name)");
    add_libraries(k, o);
    int status = KAIROS_OK;
    for (unsigned i = 0; i < o->arguments.n; i++) {
        if (!is_file(o->arguments.at[i])) {
            *name = *name ? *name : o->arguments.at[i];
            continue;
        }
        int one = kairos_load_file(k, o->arguments.at[i]);
        status = one > status ? one : status;
    }
    return status;
}

/* ---- check, flatten, equations, dump ---- */

static KairosCompile how_to_look(const Options *o)
{
    return (KairosCompile){.settings = o->settings.at,
                           .n_settings = o->settings.n,
                           .no_events = o->no_events.at,
                           .n_no_events = o->no_events.n};
}

static int check(Options *o)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    KairosCompile how = how_to_look(o);
    how.check_units = o->units;
    char *modes = NULL;
    if (!status && o->log && strstr(o->log, "modes")) {
        modes = kairos_dump_phase(k, name, "modes", &how);
        status = kairos_compile_status(k);
    } else if (!status) {
        status = (o->all ? kairos_check_classes : kairos_check_model)(k, name, &how);
    }
    if (modes)
        fputs(modes, stderr);
    kairos_free_text(modes);
    if (!status && !o->quiet && !o->json)
        fprintf(stderr, "no errors\n");
    return finish(k, o, status);
}

static int put_output(const Options *o, const char *text)
{
    FILE *f = o->output ? fopen(o->output, "w") : stdout;
    int failed = !f || fputs(text, f) < 0 || (f == stdout ? fflush(f) : fclose(f));
    if (failed)
        fprintf(stderr, "kairos: cannot write '%s': %s\n",
                o->output ? o->output : "standard output", strerror(errno));
    return failed ? KAIROS_USE_ERROR : KAIROS_OK;
}

static int print_phase(Options *o, const char *phase)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    KairosCompile how = how_to_look(o);
    char *text = status ? NULL : kairos_dump_phase(k, name, phase, &how);
    if (text)
        status = put_output(o, text);
    else if (!status)
        status = kairos_compile_status(k);
    kairos_free_text(text);
    return finish(k, o, status);
}

static int flatten(Options *o)
{
    return print_phase(o, "flatten");
}

static int equations(Options *o)
{
    return print_phase(o, "structure");
}

static int dump(Options *o)
{
    return o->after ? print_phase(o, o->after)
                    : usage("dump wants --after=PHASE: syntax, instance, flatten, dae, structure "
                            "or codegen");
}

static int translate(Options *o)
{
    if (o->arguments.n != 1)
        return usage("translate wants one file (.dym or .om)");
    Kairos *k = kairos_open();
    char *text = kairos_translate_file(k, o->arguments.at[0]);
    int status = text ? put_output(o, text) : KAIROS_MODEL_ERROR;
    kairos_free_text(text);
    return finish(k, o, status);
}

/* ---- results ---- */

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

/* Without --output: on a terminal a drawing there, otherwise a picture beside the result. */
static int draw_plot(Options *o, Kairos *k, const char *result, KairosPlot *how)
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

static int plot(Options *o)
{
    unsigned results = 0;
    while (results < o->arguments.n && is_result(o->arguments.at[results]))
        results++;
    if (!results)
        return usage("plot wants a result file (.csv or .mat) first");
    double x_range[2], y_range[2];
    if ((o->x_range && !read_range(o->x_range, x_range)) ||
        (o->y_range && !read_range(o->y_range, y_range)))
        return usage("a range is written A:B with A < B, as in --x-range 0:1.5");
    KairosPlot how = {.variables = o->arguments.at + results,
                      .n_variables = o->arguments.n - results,
                      .title = o->title,
                      .others = o->arguments.at + 1,
                      .n_others = results - 1,
                      .x = o->x,
                      .colour = o->colour_by,
                      .x_range = o->x_range ? x_range : NULL,
                      .y_range = o->y_range ? y_range : NULL,
                      .log_x = o->log_x,
                      .log_y = o->log_y,
                      .events = o->mark_events,
                      .separate = o->separate};
    Kairos *k = kairos_open();
    int status = draw_plot(o, k, o->arguments.at[0], &how);
    return finish(k, o, status);
}

static int compare(Options *o)
{
    if (o->arguments.n < 2)
        return usage("compare wants two result files: RESULT REFERENCE");
    Kairos *k = kairos_open();
    KairosCompare how = {o->tolerance, o->time_tolerance, o->arguments.at + 2, o->arguments.n - 2};
    char *report = NULL;
    int status = kairos_compare_results(k, o->arguments.at[0], o->arguments.at[1], &how, &report);
    if (report)
        fputs(report, stdout);
    kairos_free_text(report);
    return finish(k, o, status);
}

static int version(Options *o)
{
    (void)o;
    printf("kairos %s\n", kairos_version());
    return KAIROS_OK;
}

const Command commands[] = {
    {"simulate", "FILE.mo|Class.Name [OPTION...]", "compile and simulate a model",
     "Compiles the model and simulates it. The result holds all variables; an event yields two "
     "rows with the "
     "same\n"
     "time, before and after. Without --output it is written to NAME.csv in the present folder.",
     CMD_SIMULATE, simulate_command},
    {"report", "FILE.mo|Class.Name [-o FILE.html] [OPTION...]",
     "simulate a model and write a report",
     "Compiles and simulates the model, and writes one page of HTML: description, diagram, plots, "
     "events and "
     "modes,\n"
     "initial values, statistics, sorted equations with links to the source. Without -o it is "
     "NAME.html.",
     CMD_REPORT, report_command},
    {"check", "FILE.mo|Class.Name [OPTION...]", "check a model without simulating it",
     "Does everything up to the sorted equations and reports all errors. With --all, and where "
     "there is no "
     "model, every class is "
     "checked.",
     CMD_CHECK, check},
    {"flatten", "FILE.mo|Class.Name [OPTION...]", "print the flat model",
     "Prints the model as one flat class: components, inheritance and connections resolved.",
     CMD_FLATTEN, flatten},
    {"equations", "FILE.mo|Class.Name [OPTION...]", "print the sorted and solved equations",
     "Prints the equations in the order in which they are solved: blocks with their unknowns, torn "
     "variables,\n"
     "differentiated equations, chosen states.",
     CMD_EQUATIONS, equations},
    {"dump", "--after=PHASE FILE.mo|Class.Name [OPTION...]", "print the product of any phase",
     "Prints what a phase of the compiler made: syntax, instance, flatten, dae, structure, "
     "codegen.",
     CMD_DUMP, dump},
    {"diagram", "FILE.mo|Class.Name [CLASS] [--icon] [-o FILE]",
     "draw the diagram or the icon of a class",
     "Draws what the annotations of the class say: graphics, components with their icons, "
     "connections. The "
     "ending of\n"
     "FILE (.svg, .png, .pdf) gives the format; without -o, SVG goes to standard output.",
     CMD_DIAGRAM, diagram_command},
    {"translate", "FILE.dym|FILE.om [-o FILE.mo]", "write a model in an older notation as Modelica",
     "Writes what a file in the notation of Dymola (1993) or Omola says as readable Modelica.",
     CMD_TRANSLATE, translate},
    {"run", "FILE.ocl [OPTION...]", "run a script of Omsim's command language",
     "Makes the models, simulators and plotters of the script and runs them; each plotter is drawn "
     "into a "
     "file.",
     CMD_RUN, run_script},
    {"plot", "RESULT... [VARIABLE...] [-o FILE]", "draw results",
     "Draws variables of a result over time, or over another variable; without names, the states. "
     "Further "
     "results are\n"
     "drawn over the first. Without -o it draws in the terminal.",
     CMD_PLOT, plot},
    {"compare", "RESULT REFERENCE [VARIABLE...]", "compare two results",
     "Draws a tube around each signal of the reference and says where the result leaves it. Exit "
     "status 1 "
     "where it does.",
     CMD_COMPARE, compare},
    {"lib", "list | add FOLDER|FILE.zip | remove NAME [VERSION] | path [NAME [VERSION]]",
     "keep libraries at hand",
     "list shows the libraries that models can use: name, version, kind, place, and which of "
     "several is "
     "taken.\n"
     "add keeps a folder, a checkout or a zip with one or more packages for later calls; a zip is "
     "unpacked, "
     "others stay\n"
     "where they are. remove forgets one again. path prints where a library is, or, without a "
     "name, where the\n"
     "user's libraries are kept (KAIROS_DATA or XDG_DATA_HOME say where else).\n"
     "Libraries are looked for in the folders of --library, then of MODELICAPATH, then among those "
     "added. Of "
     "several\n"
     "versions the one is taken that a 'uses' annotation asks for.",
     CMD_LIB, libraries_command},
    {"studio", "[FILE...] [OPTION...]", "edit, simulate and look at models in the browser",
     "Serves a page for the browser and opens it. The first line on standard output is its "
     "address, with a "
     "token\n"
     "without which nothing is answered. Ctrl-C ends it.",
     CMD_STUDIO, studio_command},
    {"studio-nursery", "", NULL, "The studio's workers; not for people.", CMD_NURSERY,
     nursery_command},
    {"version", "", "print the version", "Prints the version.", CMD_VERSION, version},
    {0},
};

int main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        help_all();
        return argc < 2 ? KAIROS_USE_ERROR : KAIROS_OK;
    }
    if (!strcmp(argv[1], "--version"))
        return version(NULL);
    Options o = {0};
    int status = KAIROS_USE_ERROR;
    if (options_parse(&o, argc, argv)) {
        if (o.help)
            status = (help_command(o.command), KAIROS_OK);
        else
            status = o.command->run(&o);
    }
    options_free(&o);
    return status;
}

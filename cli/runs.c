#include "runs.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put_log(void *user, const char *text)
{
    (void)user;
    fputs(text, stderr);
    if (!*text || text[strlen(text) - 1] != '\n')
        fputc('\n', stderr);
}

static void put_event(void *user, const char *line)
{
    Run *r = user;
    fprintf(r->events, "%s\n", line);
}

static void put_profile(void *user, const char *json)
{
    Run *r = user;
    fprintf(r->profile, "%s\n", json);
}

static void put_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    Run *r = user;
    progress_show(&r->progress, time, steps, events);
}

char *result_name(const KairosModel *m, const RunOptions *o, const char *ending)
{
    if (o->common.output)
        return strdup(o->common.output);
    const char *name = kairos_model_name(m);
    char *path = malloc(strlen(name) + strlen(ending) + 1);
    return strcat(strcpy(path, name), ending);
}

/* Opens the file of an option; standard output for "-". Leaves *file NULL without a path. */
static bool open_file(AtomicFile *f, FILE **file, const char *path)
{
    if (!path)
        return true;
    if (!strcmp(path, "-"))
        *file = stdout;
    else if (atomic_open(f, path))
        *file = f->file;
    else {
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
        atomic_discard(f);
    }
    return *file;
}

static bool close_file(AtomicFile *f, FILE *file, const char *path)
{
    if (!path || !file)
        return !path;
    bool ok = file == stdout ? !ferror(stdout) && !fflush(stdout) : atomic_commit(f);
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    return ok;
}

/* Fills a run from the options; its progress begins. */
KairosRun how_to_run(const RunOptions *o, const KairosModel *m, Run *r)
{
    bool progress = progress_begin(&r->progress, o, m);
    return (KairosRun){
        .size = sizeof(KairosRun),
        .start_time = o->has_start ? &o->start_time : NULL,
        .stop_time = o->has_stop ? &o->stop_time : NULL,
        .intervals = o->intervals,
        .output_points = o->output_points,
        .result_tolerance = o->result_tolerance,
        .tolerance = o->tolerance,
        .solver = o->solver,
        .structure = o->structure,
        .inlined = o->inlined.at,
        .n_inlined = o->inlined.n,
        .inline_method = o->inline_method,
        .inputs = o->inputs.at,
        .n_inputs = o->inputs.n,
        .step = o->step,
        .event_epsilon = o->event_epsilon,
        .accumulation = o->accumulation,
        .chattering = o->chattering,
        .mixed = o->mixed,
        .settings = o->common.settings.at,
        .n_settings = o->common.settings.n,
        .variables = o->variables,
        .hide_protected = o->hide_protected,
        .log = o->log,
        .on_log = o->log ? put_log : NULL,
        .on_event = r->events ? put_event : NULL,
        .on_profile = r->profile ? put_profile : NULL,
        .on_progress = progress ? put_progress : NULL,
        .user = r,
    };
}

bool has_result(int status)
{
    return status == KAIROS_OK || status == KAIROS_FAILED || status == KAIROS_INTERRUPTED;
}

void report_name(const KairosModel *m, const RunOptions *o, const char *output)
{
    if (!o->common.quiet && !o->common.json)
        fprintf(stderr, "%s: %s\n", kairos_model_name(m), output);
}

void finish_analysis(const KairosModel *m, const RunOptions *o, Run *r, char *json)
{
    progress_end(&r->progress);
    if (json && !o->common.output)
        fputs(json, stdout);
    else if (json)
        report_name(m, o, o->common.output);
    kairos_free_text(json);
}

static KairosCompile how_to_compile(const RunOptions *o, const char *emit_c)
{
    return (KairosCompile){.size = sizeof(KairosCompile),
                           .compiler = o->compiler,
                           .emit_c = emit_c,
                           .check_units = o->units,
                           .expected = o->common.settings.at,
                           .n_expected = o->common.settings.n,
                           .no_events = o->common.no_events.at,
                           .n_no_events = o->common.no_events.n,
                           .profile =
                               o->profiled || o->profile || (o->log && strstr(o->log, "profile"))};
}

int with_model(const RunOptions *o, const char *emit_c, RunAction *action)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, &o->common, &name);
    if (status)
        return finish(k, &o->common, status);
    KairosCompile how = how_to_compile(o, emit_c);
    KairosModel *m = kairos_compile_model(k, name, &how);
    if (!m)
        return finish(k, &o->common, kairos_compile_status(k));
    Run r = {0};
    AtomicFile events = {0}, profile = {0};
    if (!open_file(&events, &r.events, o->events) || !open_file(&profile, &r.profile, o->profile)) {
        status = KAIROS_USE_ERROR;
    } else {
        save_results(true);
        status = action(k, m, o, &r);
        save_results(false);
    }
    bool closed = close_file(&events, r.events, o->events);
    if (!close_file(&profile, r.profile, o->profile) || !closed)
        status = status ? status : KAIROS_USE_ERROR;
    kairos_free_model(m);
    return finish_with(k, &o->common, status, &r.messages);
}

static const Entry solver_choices[] = {
    {"auto", "choose a method; --log stats reports it (the default)"},
#define SOLVER(function, name, properties, text) {name, text},
#include "sim/solver/solvers.def"
#undef SOLVER
    {0},
};

const Option run_options[] = {
    {"--start-time", "T", "start time; default: the experiment annotation of the model, then 0",
     OPT_TIME, TO(RunOptions, start_time), .given = offsetof(RunOptions, has_start)},
    {"--stop-time", "T", "stop time; default: the experiment annotation of the model, then 1",
     OPT_TIME, TO(RunOptions, stop_time), .given = offsetof(RunOptions, has_stop)},
    {"--intervals", "N", "number of output intervals; default 500", OPT_COUNT,
     TO(RunOptions, intervals)},
    {"--output-points", "WHICH", "where the rows of the result are", OPT_TEXT,
     TO(RunOptions, output_points),
     .choices = ENTRIES({"grid", "at the output points (the default)"},
                        {"steps", "also at the end of each step of the solver"},
                        {"dense", "also as many as straight lines need to follow the states"},
                        {"auto", "the same, at most 20 per output interval and 6 per event"}),
     .manual = "An event has two rows in any case. Without this option, a warning says if events "
               "are denser than the output points."},
    {"--result-tolerance", "R",
     "leave out rows that straight lines replace within R of a variable's range", OPT_REAL,
     TO(RunOptions, result_tolerance)},
    {"--tolerance", "R", "relative tolerance; default 1e-6", OPT_REAL, TO(RunOptions, tolerance)},
    {"--solver", "NAME", "method of integration", OPT_TEXT, TO(RunOptions, solver),
     .choices = solver_choices},
    {"--step", "H", "step of solvers with a fixed step; default: the output interval", OPT_REAL,
     TO(RunOptions, step)},
    {"--structure", "HOW", "treatment of models whose structure changes", OPT_TEXT,
     TO(RunOptions, structure),
     .choices = ENTRIES(
         {"auto", "one plan if it serves all modes, else a plan per visited mode (the default)"},
         {"single", "one plan for all modes"}, {"modes", "a plan per visited mode"},
         {"inline", "integration written into the equations"},
         {"mixed", "inline only for storage elements that fix the causality of switches"})},
    {"--input", "FILE|NAME=EXPRESSION",
     "values of inputs: a .csv file with columns by name, or an expression (u=sin(time))",
     OPT_INPUTS, TO(RunOptions, inputs), .files = "csv",
     .manual = "The first line of the file names the columns; one is time. A Real is linear in "
               "time between rows, other inputs keep the value of the row before. Two rows of one "
               "time are a jump. Before the first and after the last row the values stay constant. "
               "An input without values keeps its start value."},
    {"--inline", "NAME", "write the integration of this state (with * and ?) into the equations",
     OPT_TEXTS, TO(RunOptions, inlined),
     .manual = "Kairos adds the states that a switch then still needs. --solver names the method "
               "of all other states (mixed-mode integration). If it is an inline method, all "
               "states are integrated by it."},
    {"--inline-method", "NAME", "method of inlined states", OPT_TEXT, TO(RunOptions, inline_method),
     .choices = ENTRIES({"radau", "Radau IIA of two stages, order 3 (the default)"},
                        {"euler", "implicit Euler, order 1"},
                        {"bdf2", "backward differentiation, order 2"})},
    {"--event-epsilon", "R",
     "how far beyond zero a crossing counts, relative to its scale; default 1e-10", OPT_REAL,
     TO(RunOptions, event_epsilon)},
    {"--accumulation", "HOW", "what to do if events accumulate", OPT_TEXT,
     TO(RunOptions, accumulation),
     .choices = ENTRIES({"rest", "keep the state on the switching surface (the default)"},
                        {"stop", "end the run"}),
     .manual = "With rest, a warning names the suspended equation."},
    {"--chattering", "HOW", "what to do if a relation changes back and forth without end", OPT_TEXT,
     TO(RunOptions, chattering),
     .choices =
         ENTRIES({"slide", "slide along the surface with a mixture of both sides (the default)"},
                 {"stop", "end the run"})},
    {"--mixed", "HOW", "how to solve blocks with discrete unknowns", OPT_TEXT,
     TO(RunOptions, mixed),
     .choices =
         ENTRIES({"auto", "each of the following in turn (the default)"},
                 {"fixpoint", "iterate to a fixpoint"}, {"limited", "change one unknown at a time"},
                 {"search", "search the combinations"})},
    {"--variables", "REGEX", "put only variables with matching names into the result", OPT_TEXT,
     TO(RunOptions, variables)},
    {"--hide-protected", NULL, "leave protected variables out of the result", OPT_FLAG,
     TO(RunOptions, hide_protected)},
    {"--units", NULL, "warn if units differ", OPT_FLAG, TO(RunOptions, units)},
    {"--events", "FILE", "write one JSON line per event instant; - is standard output", OPT_TEXT,
     TO(RunOptions, events), .files = ""},
    {"--log", "LIST", "what to report on standard error, separated by commas", OPT_TEXT,
     TO(RunOptions, log), .list = true,
     .choices = ENTRIES({"events", "events and their causes"}, {"modes", "changes of structure"},
                        {"init", "the initialization"}, {"blocks", "systems of equations"},
                        {"stats", "steps, events and times of the run"},
                        {"profile", "where the time goes: by part, block, function, relation, "
                                    "state and mode"})},
    {"--profile", "FILE", "write where the time goes as JSON; - is standard output", OPT_TEXT,
     TO(RunOptions, profile), .files = "json",
     .manual = "The object has the tables of --log profile, and the calls as a tree. The report "
               "shows them as a flame graph."},
    {"--compiler", "NAME", "compiler of the model", OPT_TEXT, TO(RunOptions, compiler),
     .choices = ENTRIES({"auto", "in memory at once; by cc in the background for long runs"},
                        {"tcc", "in memory"}, {"cc", "the C compiler of the system"}),
     .manual = "With auto, the default, the code of cc takes over at a step. Results are the same "
               "to the last bit."},
    {"--progress", NULL, "report progress even if standard error is not a terminal", OPT_FLAG,
     TO(RunOptions, progress),
     .manual = "On a terminal, runs of more than half a second show a bar with the simulated "
               "time, rate, estimated remaining time, steps and events. --quiet hides it."},
    {0},
};

const Option json_options[] = {
    {"--output", "FILE", "write the JSON to a file", OPT_TEXT, TO(Options, output), .letter = "-o",
     .files = "json"},
    {0},
};

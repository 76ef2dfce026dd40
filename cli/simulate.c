/* The commands that run a model: simulate, report. */
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    Progress progress;
    FILE *events; /* NULL: not asked for */
} Run;

static void put_log(void *user, const char *text)
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

static void put_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    Run *r = user;
    progress_show(&r->progress, time, steps, events);
}

static char *result_name(const KairosModel *m, const Options *o, const char *ending)
{
    if (o->output)
        return strdup(o->output);
    const char *name = kairos_model_name(m);
    char *path = malloc(strlen(name) + strlen(ending) + 1);
    return strcat(strcpy(path, name), ending);
}

static bool open_events(Run *r, const char *path)
{
    if (!path)
        return true;
    r->events = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!r->events)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    return r->events;
}

static bool close_events(Run *r, const char *path)
{
    if (!r->events)
        return true;
    int failed = ferror(r->events) || (r->events == stdout ? fflush(stdout) : fclose(r->events));
    if (failed)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    return !failed;
}

/* What the options say of a run; its progress begins. */
static KairosRun how_to_run(const Options *o, const KairosModel *m, Run *r)
{
    bool progress = progress_begin(&r->progress, o, m);
    return (KairosRun){
        .start_time = o->has_start ? &o->start_time : NULL,
        .stop_time = o->has_stop ? &o->stop_time : NULL,
        .intervals = o->intervals,
        .tolerance = o->tolerance,
        .solver = o->solver,
        .structure = o->structure,
        .inlined = o->inlined.at,
        .n_inlined = o->inlined.n,
        .step = o->step,
        .event_epsilon = o->event_epsilon,
        .accumulation = o->accumulation,
        .chattering = o->chattering,
        .mixed = o->mixed,
        .settings = o->settings.at,
        .n_settings = o->settings.n,
        .variables = o->variables,
        .hide_protected = o->hide_protected,
        .log = o->log,
        .on_log = o->log ? put_log : NULL,
        .on_event = r->events ? put_event : NULL,
        .on_progress = progress ? put_progress : NULL,
        .user = r,
    };
}

static bool has_result(int status)
{
    return status == KAIROS_OK || status == KAIROS_FAILED || status == KAIROS_INTERRUPTED;
}

static void tell_name(const KairosModel *m, const Options *o, const char *output)
{
    if (!o->quiet && !o->json)
        fprintf(stderr, "%s: %s\n", kairos_model_name(m), output);
}

static int run_and_plot(Kairos *k, KairosModel *m, const Options *o, Run *r)
{
    char *output = result_name(m, o, ".csv");
    KairosRun run = how_to_run(o, m, r);
    run.output = output;
    run.describe = !o->sweeps.n;
    run.on_log = put_log;
    int status = o->sweeps.n ? sweep_run(m, o, &run, output) : kairos_simulate_model(m, &run);
    progress_end(&r->progress);
    bool saved = !o->sweeps.n && has_result(status);
    if (saved)
        tell_name(m, o, output);
    if (saved && o->plot) {
        int plotted = kairos_plot_result(
            k, output, &(KairosPlot){.output = o->plot, .title = kairos_model_name(m)});
        status = status ? status : plotted;
    }
    free(output);
    return status;
}

static int run_and_report(Kairos *k, KairosModel *m, const Options *o, Run *r)
{
    (void)k;
    char *output = result_name(m, o, ".html");
    KairosRun run = how_to_run(o, m, r);
    int status = kairos_report_model(m, &run, output);
    progress_end(&r->progress);
    if (has_result(status))
        tell_name(m, o, output);
    free(output);
    return status;
}

static KairosCompile how_to_compile(const Options *o)
{
    return (KairosCompile){.compiler = o->compiler,
                           .emit_c = o->emit_c,
                           .expected = o->settings.at,
                           .n_expected = o->settings.n,
                           .no_events = o->no_events.at,
                           .n_no_events = o->no_events.n};
}

static int with_model(Options *o,
                      int (*action)(Kairos *k, KairosModel *m, const Options *o, Run *r))
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    if (status)
        return finish(k, o, status);
    KairosCompile how = how_to_compile(o);
    /* a compiler that runs for long is ended with its files */
    if (o->compiler && !strcmp(o->compiler, "cc"))
        catch_interrupt(k);
    KairosModel *m = kairos_compile_model(k, name, &how);
    if (!m)
        return finish(k, o, kairos_compile_status(k));
    Run r = {0};
    if (!open_events(&r, o->events)) {
        status = KAIROS_USE_ERROR;
    } else {
        catch_interrupt(k);
        status = action(k, m, o, &r);
        if (!close_events(&r, o->events))
            status = status ? status : KAIROS_USE_ERROR;
    }
    kairos_free_model(m);
    return finish(k, o, status);
}

int simulate_command(Options *o)
{
    return with_model(o, run_and_plot);
}

int report_command(Options *o)
{
    return with_model(o, run_and_report);
}

#include "session.h"

#include "base/atomic_file.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

int usage(const char *text)
{
    fprintf(stderr, "kairos: %s\n", text);
    return KAIROS_USE_ERROR;
}

/* ---- signals ---- */

enum { TICK = 100, LATE = 8 }; /* milliseconds, ticks */

static Kairos *interrupted;          /* the session that Ctrl-C stops */
static volatile sig_atomic_t saving; /* a run is in progress, and its results will be saved */
static volatile sig_atomic_t n_ticks;

/* The session runs several actions in turn, and each must stop. If one does not stop in time, the
 * program ends, unless there are results to save: then it says how to end it without them. The code
 * of an FMU or of an external function may never return. */
static void on_tick(int number)
{
    static const char late[] = "kairos: the run has not ended yet, to save its results; interrupt "
                               "it again to end it at once, without results\n";
    (void)number;
    if (!interrupted)
        return;
    kairos_interrupt(interrupted);
    n_ticks++;
    if (n_ticks >= LATE && !saving)
        _exit(KAIROS_INTERRUPTED);
    if (n_ticks == LATE && write(STDERR_FILENO, late, sizeof late - 1) < 0)
        return; /* nobody reads it */
}

static void on_signal(int number)
{
    static const struct itimerval ticks = {{0, TICK * 1000}, {0, TICK * 1000}};
    on_tick(number);
    setitimer(ITIMER_REAL, &ticks, NULL);
    signal(number, SIG_DFL); /* a second one ends the program at once */
}

void catch_interrupt(Kairos *k)
{
    interrupted = k;
    struct sigaction action = {.sa_handler = on_signal}, tick = {.sa_handler = on_tick};
    sigaction(SIGALRM, &tick, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of writing */
}

void save_results(bool on)
{
    saving = on;
}

KairosFormat message_format(const Options *o)
{
    return o->json ? KAIROS_JSON : o->colour ? KAIROS_TEXT_COLOUR : KAIROS_TEXT;
}

void add_text(TextList *list, const char *text)
{
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] = strdup(text);
}

/* One array of the elements of several. */
static void print_arrays(const TextList *list)
{
    bool any = false;
    for (unsigned i = 0; i < list->n; i++) {
        const char *begin = strchr(list->at[i], '['), *end = strrchr(list->at[i], ']');
        if (!begin || !end || end - begin < 2)
            continue;
        fprintf(stderr, "%s%.*s", any ? ",\n" : "[", (int)(end - begin - 1), begin + 1);
        any = true;
    }
    fputs(any ? "]\n" : "[]\n", stderr);
}

int finish_with(Kairos *k, const Options *o, int status, TextList *more)
{
    char *own = kairos_render_messages(k, message_format(o));
    TextList all = {0};
    add_text(&all, own ? own : "there is not enough memory\n");
    for (unsigned i = 0; i < more->n; i++)
        add_text(&all, more->at[i]);
    if (own && o->json)
        print_arrays(&all);
    for (unsigned i = 0; i < all.n && !(own && o->json); i++)
        fputs(all.at[i], stderr);
    for (unsigned i = 0; i < all.n; i++)
        free((void *)(uintptr_t)all.at[i]);
    for (unsigned i = 0; i < more->n; i++)
        free((void *)(uintptr_t)more->at[i]);
    free(all.at);
    free(more->at);
    kairos_free_text(own);
    interrupted = NULL;
    kairos_close(k);
    return status;
}

int finish(Kairos *k, const Options *o, int status)
{
    TextList none = {0};
    return finish_with(k, o, status, &none);
}

/* ---- models ---- */

bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

static bool is_file(const char *name)
{
    return ends_in(name, ".mo") || ends_in(name, ".fmu") || ends_in(name, ".ssp") ||
           ends_in(name, ".dym") || ends_in(name, ".om") || strchr(name, '/') ||
           !access(name, R_OK);
}

void add_libraries(Kairos *k, const Options *o)
{
    for (unsigned i = 0; i < o->libraries.n; i++)
        kairos_add_library(k, o->libraries.at[i]);
    const char *path = getenv("MODELICAPATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        char *folder = strndup(path, n);
        if (*folder)
            kairos_add_library(k, folder);
        free(folder);
        path += n + (path[n] == ':');
    }
    kairos_use_libraries(k);
}

/* A model from standard input, under the name `<stdin>` in messages. */
static int load_input(Kairos *k)
{
    Text t = {0};
    int status = text_read(&t, stdin, SIZE_MAX) ? kairos_load_text(k, "<stdin>", t.at, t.n)
                                                : usage("cannot read standard input");
    text_free(&t);
    return status;
}

void structure_fmus(Kairos *k, const Options *o)
{
    for (unsigned i = 0; i < o->settings.n; i++)
        kairos_structure_fmus(k, o->settings.at[i].name, o->settings.at[i].value);
}

int load_model(Kairos *k, const Options *o, const char **name)
{
    *name = o->model;
    if (!o->arguments.n)
        return usage("which model? Give a file (FILE.mo), a class of a library (Class.Name),\n"
                     "        or - for a model on standard input");
    catch_interrupt(k);
    if (o->compatible)
        kairos_accept_compatible(k);
    add_libraries(k, o);
    structure_fmus(k, o);
    int status = KAIROS_OK;
    for (unsigned i = 0; i < o->arguments.n; i++) {
        bool input = !strcmp(o->arguments.at[i], "-");
        if (!input && !is_file(o->arguments.at[i])) {
            *name = *name ? *name : o->arguments.at[i];
            continue;
        }
        int one = input ? load_input(k)
                  : ends_in(o->arguments.at[i], ".fmu")
                      ? kairos_load_fmu(k, o->arguments.at[i], o->kind)
                      : kairos_load_file(k, o->arguments.at[i]);
        status = one > status ? one : status;
    }
    return status;
}

KairosCompile how_to_look(const Options *o)
{
    return (KairosCompile){.size = sizeof(KairosCompile),
                           .settings = o->settings.at,
                           .n_settings = o->settings.n,
                           .no_events = o->no_events.at,
                           .n_no_events = o->no_events.n};
}

/* ---- text ---- */

int put_output(const Options *o, const char *text)
{
    bool failed = o->output ? !atomic_save(o->output, text, strlen(text), false)
                            : fputs(text, stdout) < 0 || ferror(stdout) || fflush(stdout);
    if (failed)
        fprintf(stderr, "kairos: cannot write '%s': %s\n",
                o->output ? o->output : "standard output", strerror(errno));
    return failed ? KAIROS_USE_ERROR : KAIROS_OK;
}

int print_phase(const Options *o, const char *phase)
{
    KairosCompile how = how_to_look(o);
    return print_phase_as(o, phase, &how);
}

int print_phase_as(const Options *o, const char *phase, const KairosCompile *how)
{
    Kairos *k = kairos_open();
    const char *name;
    int status = load_model(k, o, &name);
    char *text = status ? NULL : kairos_dump_phase(k, name, phase, how);
    if (text)
        status = put_output(o, text);
    else if (!status)
        status = kairos_compile_status(k);
    kairos_free_text(text);
    return finish(k, o, status);
}

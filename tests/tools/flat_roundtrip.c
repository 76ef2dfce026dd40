/* Flattens models, reads the flat text again and flattens that: the second text must equal the
 * first. With --simulate both are simulated as well and must give the same rows.
 *
 *     flat_roundtrip [--library FOLDER]... [--simulate] [--save FOLDER]
 * FILE.mo|FOLDER|Class.Name...
 *
 * Models that do not flatten are counted and skipped. Exit status 1 if a text or a result
 * differs. */
#include "kairos.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LIBRARIES = 8, SECONDS = 10 };

static Kairos *volatile running; /* simulation under way */

static void on_alarm(int number)
{
    (void)number;
    if (running)
        kairos_interrupt(running);
}

typedef struct Run {
    const char *libraries[MAX_LIBRARIES];
    int n_libraries;
    bool simulate;
    const char *save;
    unsigned n_models, n_rejected, n_failed, n_same, n_alike;
} Run;

static Kairos *open_session(const Run *r)
{
    Kairos *k = kairos_open();
    for (int i = 0; i < r->n_libraries; i++)
        kairos_add_library(k, r->libraries[i]);
    return k;
}

static bool is_file(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, ".mo");
}

/* The first line of `a` in which the texts differ. */
static void report_difference(const char *a, const char *b)
{
    size_t at = 0, line = 0;
    for (; a[at] && a[at] == b[at]; at++)
        if (a[at] == '\n')
            line = at + 1;
    fprintf(stderr, "  first:  %.*s\n  second: %.*s\n", (int)strcspn(a + line, "\n"), a + line,
            (int)strcspn(b + line, "\n"), b + line);
}

static void save_text(const Run *r, const char *name, const char *suffix, const char *text)
{
    char path[4096];
    const char *slash = strrchr(name, '/');
    snprintf(path, sizeof path, "%s/%s%s.mo", r->save ? r->save : "", slash ? slash + 1 : name,
             suffix);
    FILE *f = r->save ? fopen(path, "w") : NULL;
    if (!f)
        return;
    fputs(text, f);
    fclose(f);
}

static void report_messages(Kairos *k)
{
    char *messages = kairos_render_messages(k, KAIROS_TEXT);
    fprintf(stderr, "%.2000s\n", messages);
    kairos_free_text(messages);
}

/* Runs the model into `path`; false if it fails, or takes too long. */
static bool simulate(Kairos *k, const char *class_name, const char *path)
{
    KairosModel *m = kairos_compile_model(k, class_name, NULL);
    running = k;
    alarm(SECONDS);
    int status =
        m ? kairos_simulate_model(m, &(KairosRun){.size = sizeof(KairosRun), .output = path})
          : KAIROS_MODEL_ERROR;
    running = NULL;
    kairos_free_model(m);
    return status == KAIROS_OK;
}

static bool same_bytes(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    bool same = f && g;
    for (int c = 0; same && c != EOF;)
        same = (c = getc(f)) == getc(g);
    if (f)
        fclose(f);
    if (g)
        fclose(g);
    return same;
}

/* Compares the runs of a model and of its flat text. False if they differ. */
static bool compare_runs(Run *r, Kairos *first, const char *class_name, Kairos *second,
                         const char *name)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "roundtrip-%d-a.csv", (int)getpid());
    snprintf(b, sizeof b, "roundtrip-%d-b.csv", (int)getpid());
    bool ran = simulate(first, class_name, a), ok = true;
    if (ran && !simulate(second, NULL, b)) {
        fprintf(stderr, "FAILED %s: the flat text cannot be simulated\n", name);
        report_messages(second);
        ok = false;
    } else if (ran) {
        char *report = NULL;
        bool same = same_bytes(a, b);
        KairosCompare tight = {.size = sizeof tight, .tolerance = 1e-4, .time_tolerance = 1e-4};
        ok = same || kairos_compare_results(second, b, a, &tight, &report) == KAIROS_OK;
        r->n_same += same;
        r->n_alike += ok && !same;
        if (!ok)
            fprintf(stderr, "FAILED %s: the results differ\n%.1500s\n", name, report ? report : "");
        kairos_free_text(report);
    }
    unlink(a);
    unlink(b);
    return ok;
}

static bool check_model(Run *r, const char *name)
{
    Kairos *first = open_session(r), *second = open_session(r);
    const char *class_name = is_file(name) ? NULL : name;
    bool loaded = class_name || kairos_load_file(first, name) == KAIROS_OK, ok = true;
    char *text = loaded ? kairos_dump_phase(first, class_name, "flatten", NULL) : NULL,
         *again = NULL;
    r->n_models++;
    r->n_rejected += !text;
    if (text) {
        save_text(r, name, "", text);
        if (kairos_load_text(second, "flat.mo", text, strlen(text)) == KAIROS_OK)
            again = kairos_dump_phase(second, NULL, "flatten", NULL);
        ok = again && !strcmp(text, again);
        if (!ok)
            fprintf(stderr, "FAILED %s: the flat text %s\n", name,
                    again ? "changes when it is read again" : "cannot be read again");
        if (!again)
            report_messages(second);
        else if (!ok)
            report_difference(text, again), save_text(r, name, "-again", again);
        if (again && r->simulate)
            ok = compare_runs(r, first, class_name, second, name) && ok;
    }
    kairos_free_text(text);
    kairos_free_text(again);
    kairos_close(first);
    kairos_close(second);
    return ok;
}

static void check_path(Run *r, const char *path)
{
    struct stat st;
    if (stat(path, &st) || !S_ISDIR(st.st_mode)) {
        r->n_failed += !check_model(r, path);
        return;
    }
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        bool folder = !stat(inner, &st) && S_ISDIR(st.st_mode);
        if (entries[i]->d_name[0] != '.' && (folder || is_file(inner)))
            check_path(r, inner);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    Run r = {0};
    signal(SIGALRM, on_alarm);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--simulate"))
            r.simulate = true;
        else if (!strcmp(argv[i], "--save") && i + 1 < argc)
            r.save = argv[++i];
        else if (!strcmp(argv[i], "--library") && i + 1 < argc && r.n_libraries < MAX_LIBRARIES)
            r.libraries[r.n_libraries++] = argv[++i];
        else
            check_path(&r, argv[i]);
    }
    printf("%u models, %u do not flatten, %u failed", r.n_models, r.n_rejected, r.n_failed);
    if (r.simulate)
        printf("; %u results the same to the last bit, %u alike", r.n_same, r.n_alike);
    printf("\n");
    return r.n_failed || r.n_models == r.n_rejected;
}

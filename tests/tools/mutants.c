/* Mutates Modelica files (characters, tokens, lines) and checks and flattens each mutant. For any
 * text, the answer is a message or a flat model within the time limit: no crash, no hang, no
 * violation of a phase's contract.
 *
 *     mutants [--count N] [--first N] [--seconds S] [--limit S] [--library FOLDER]... [--save
 * FOLDER] FILE|FOLDER...
 *
 * Mutant k depends on k and the files alone, so `--first k --count 1 --save .` shows it again.
 * Mutants run in child processes, so that a crash ends one mutant only. Exit status 1 if one
 * failed. */
#include "kairos.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FILE = 400000, MAX_LIBRARIES = 8, HANG = 99 };

typedef struct File {
    char *path, *text;
    size_t size;
} File;

typedef struct Run {
    File *files;
    size_t n_files;
    const char *libraries[MAX_LIBRARIES];
    int n_libraries;
    unsigned long first, count;
    double seconds, limit; /* of the whole run, 0 for no limit; of one mutant, CPU time */
    const char *save;
} Run;

/* The report of a child to its parent. */
typedef struct Shared {
    volatile unsigned long at;       /* the mutant under way */
    volatile unsigned long accepted; /* mutants without errors */
} Shared;

/* ---- files ---- */

static void add_file(Run *r, const char *path, size_t size)
{
    FILE *f = size < MAX_FILE ? fopen(path, "rb") : NULL;
    if (!f)
        return;
    char *text = malloc(size + 1);
    size = fread(text, 1, size, f);
    text[size] = 0;
    fclose(f);
    /* mutated C code may do anything when it is called */
    if (strstr(text, "Include")) {
        free(text);
        return;
    }
    r->files = realloc(r->files, (r->n_files + 1) * sizeof *r->files);
    r->files[r->n_files++] = (File){strdup(path), text, size};
}

static void add_path(Run *r, const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return;
    if (!S_ISDIR(st.st_mode)) {
        const char *dot = strrchr(path, '.');
        if (dot && (!strcmp(dot, ".mo") || !strcmp(dot, ".dym") || !strcmp(dot, ".om")))
            add_file(r, path, (size_t)st.st_size);
        return;
    }
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            add_path(r, inner);
        free(entries[i]);
    }
    free(entries);
}

/* ---- mutation ---- */

typedef struct Mutant {
    char *text; /* with room for a few more characters and one more line */
    size_t size;
    uint64_t random;
} Mutant;

/* splitmix64 */
static uint64_t draw(Mutant *m, uint64_t below)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % (below ? below : 1);
}

typedef struct Piece {
    size_t at, n;
} Piece;

static void splice(Mutant *m, Piece p, const char *with, size_t n)
{
    char *copy = malloc(n + 1);
    memcpy(copy, with, n);
    memmove(m->text + p.at + n, m->text + p.at + p.n, m->size - p.at - p.n);
    memcpy(m->text + p.at, copy, n);
    m->size = m->size - p.n + n;
    free(copy);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static Piece some_character(Mutant *m)
{
    return (Piece){draw(m, m->size), 1};
}

static Piece some_token(Mutant *m)
{
    size_t at = draw(m, m->size), end;
    while (at < m->size && (m->text[at] == ' ' || m->text[at] == '\n'))
        at++;
    if (at == m->size)
        return (Piece){0, 1};
    while (at > 0 && is_word(m->text[at]) && is_word(m->text[at - 1]))
        at--;
    for (end = at + 1; end < m->size && is_word(m->text[at]) && is_word(m->text[end]);)
        end++;
    return (Piece){at, end - at};
}

static Piece some_line(Mutant *m)
{
    size_t at = draw(m, m->size), end = at;
    while (at > 0 && m->text[at - 1] != '\n')
        at--;
    while (end < m->size && m->text[end] != '\n')
        end++;
    return (Piece){at, end + (end < m->size) - at};
}

/* Deletes, doubles, exchanges or replaces a piece. */
static void mutate(Mutant *m)
{
    static const char *const words[] = {"0",
                                        "-1",
                                        "1e308",
                                        "2147483647",
                                        "{}",
                                        "[1, 2; 3, 4]",
                                        "fill(1.0, 3)",
                                        "time",
                                        "end",
                                        "each",
                                        "final",
                                        "redeclare",
                                        "outer",
                                        "inner",
                                        "constant",
                                        "parameter",
                                        "der(x)",
                                        "pre(x)",
                                        "flow",
                                        "stream",
                                        "for",
                                        "when",
                                        "if",
                                        "annotation",
                                        "extends",
                                        "partial",
                                        ":",
                                        "replaceable",
                                        ".",
                                        "[",
                                        "(",
                                        "\"",
                                        "model",
                                        "record",
                                        "type",
                                        "function",
                                        "input",
                                        "encapsulated",
                                        "discrete",
                                        "initial",
                                        "import",
                                        "'",
                                        "/*",
                                        "Clock(0.1)",
                                        "=",
                                        ":=",
                                        "<>",
                                        "expandable",
                                        "\xc3",
                                        "[:]",
                                        "Real",
                                        "Integer x[3]",
                                        "break",
                                        "size(x, 1)",
                                        "enumeration",
                                        "connect"};
    static Piece (*const pick[])(Mutant *) = {some_character, some_token, some_token, some_line};
    if (!m->size)
        return;
    uint64_t kind = draw(m, 4);
    Piece p = pick[kind](m), q = pick[kind](m);
    char c = (char)(' ' + draw(m, 95));
    switch (draw(m, 5)) {
    case 0: splice(m, p, "", 0); break;
    case 1: splice(m, (Piece){p.at, 0}, m->text + p.at, p.n); break;
    case 2: splice(m, p, m->text + q.at, q.n); break;
    case 3:
        if (kind == 0)
            splice(m, p, &c, 1);
        else
            splice(m, p, m->text + q.at, q.n);
        break;
    default: {
        const char *word = words[draw(m, sizeof words / sizeof *words)];
        splice(m, kind == 3 ? some_token(m) : p, word, strlen(word));
    }
    }
}

static Mutant make_mutant(const Run *r, unsigned long k, const File **file)
{
    Mutant m = {.random = k * 0x2545f4914f6cdd1du + 1};
    const File *f = *file = &r->files[draw(&m, r->n_files)];
    m.text = malloc(8 * (f->size + 100));
    memcpy(m.text, f->text, f->size);
    m.size = f->size;
    for (uint64_t n = 1 + draw(&m, 3); n && m.size < 2 * (f->size + 20); n--)
        mutate(&m);
    return m;
}

/* ---- running ---- */

static void save_mutant(const Run *r, unsigned long k, const Mutant *m)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/mutant-%lu.mo", r->save, k);
    FILE *f = r->save ? fopen(path, "wb") : NULL;
    if (!f)
        return;
    fwrite(m->text, 1, m->size, f);
    fclose(f);
}

static bool try_mutant(const Run *r, unsigned long k, Shared *shared)
{
    const File *file;
    Mutant m = make_mutant(r, k, &file);
    if (r->count == 1)
        save_mutant(r, k, &m);
    Kairos *session = kairos_open();
    for (int i = 0; i < r->n_libraries; i++)
        kairos_add_library(session, r->libraries[i]);
    bool ok = kairos_load_text(session, file->path, m.text, m.size) == KAIROS_OK;
    char *picture =
        ok && k % 2 ? kairos_draw_diagram(session, NULL, k % 4 == 1 ? KAIROS_DIAGRAM : KAIROS_ICON)
                    : NULL;
    bool all = k % 4 == 2; /* a quarter is checked class by class */
    char *flat = ok && !all ? kairos_dump_phase(session, NULL, "flatten", NULL) : NULL;
    bool accepted = ok && all && kairos_check_classes(session, NULL, NULL) == KAIROS_OK;
    accepted |= flat && kairos_check_model(session, NULL, NULL) == KAIROS_OK;
    shared->accepted += accepted;
    char *messages = kairos_render_messages(session, KAIROS_TEXT);
    bool breach = strstr(messages, "[X001]");
    if (breach || (!flat && !accepted && !*messages))
        fprintf(stderr, "mutant %lu of %s: %s\n", k, file->path,
                breach ? messages : "rejected without a message");
    kairos_free_text(messages);
    kairos_free_text(flat);
    kairos_free_text(picture);
    kairos_close(session);
    free(m.text);
    return !breach;
}

static void on_timeout(int signal_number)
{
    (void)signal_number;
    _exit(HANG);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs mutants from shared->at on; ends when all are done, or with the first one that fails. */
static int run_child(const Run *r, Shared *shared, double end)
{
    struct itimerval limit = {
        .it_value = {(time_t)r->limit, (suseconds_t)(1e6 * (r->limit - (double)(time_t)r->limit))}};
    signal(SIGPROF, on_timeout);
    if (!freopen("/dev/null", "r", stdin))
        return 1;
    for (unsigned n = 0; shared->at < r->first + r->count && now() < end; shared->at++, n++) {
        if (n == 2000)
            return 0; /* a fresh process now and then, so that leftovers do not add up */
        setitimer(ITIMER_PROF, &limit, NULL);
        if (!try_mutant(r, shared->at, shared))
            return 1;
    }
    return 0;
}

static unsigned long run_all(const Run *r, Shared *shared)
{
    unsigned long failed = 0;
    double end = r->seconds > 0 ? now() + r->seconds : 1e300;
    shared->at = r->first;
    while (shared->at < r->first + r->count && now() < end) {
        fflush(NULL);
        pid_t child = fork();
        int status = 1;
        if (child == 0)
            exit(run_child(r, shared, end)); /* with a look for leaks */
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return failed + 1;
        if (status == 0)
            continue;
        const File *file;
        Mutant m = make_mutant(r, shared->at, &file);
        bool hang = WIFEXITED(status) && WEXITSTATUS(status) == HANG;
        fprintf(stderr, "FAILED mutant %lu of %s: %s (%s %d)\n", shared->at, file->path,
                hang ? "no answer within the limit" : "crash or breach",
                WIFSIGNALED(status) ? "signal" : "exit",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        save_mutant(r, shared->at, &m);
        free(m.text);
        failed++;
        shared->at++;
    }
    return failed;
}

int main(int argc, char **argv)
{
    Run r = {.count = 1000, .limit = 10};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool option = !strncmp(argv[i], "--", 2);
        if (!strcmp(argv[i], "--count"))
            r.count = strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--first"))
            r.first = strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--seconds"))
            r.seconds = strtod(value, NULL);
        else if (!strcmp(argv[i], "--limit"))
            r.limit = strtod(value, NULL);
        else if (!strcmp(argv[i], "--save"))
            r.save = value;
        else if (!strcmp(argv[i], "--library") && r.n_libraries < MAX_LIBRARIES)
            r.libraries[r.n_libraries++] = value;
        else
            add_path(&r, argv[i]);
        i += option;
    }
    if (!r.n_files)
        return fprintf(stderr, "mutants: no files\n"), 2;
    Shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned long failed = run_all(&r, shared);
    for (size_t i = 0; i < r.n_files; i++) {
        free(r.files[i].path);
        free(r.files[i].text);
    }
    free(r.files);
    printf("%lu mutants of %zu files, %lu accepted, %lu failed\n", shared->at - r.first, r.n_files,
           shared->accepted, failed);
    return failed != 0;
}

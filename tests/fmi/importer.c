/* fmi_importer COMMAND DESCRIPTION [ARGUMENT...]: a small importer of FMUs. It shares no code with
 * the exporter. The descriptions are those of fmu.h.
 *
 *     run DESCRIPTION START STOP INTERVALS TOLERANCE equal|summed|divided|events
 *         prints rows: the time and all values
 *     save DESCRIPTION START STOP INTERVALS TOLERANCE FILE
 *         co-simulation: like run, and writes the state of the middle of the run to FILE
 *     resume DESCRIPTION START STOP INTERVALS TOLERANCE FILE
 *         the second half of such a run, in another process
 *     states DESCRIPTION START STOP INTERVALS TOLERANCE
 *         repeats a run in all ways that must give the same bits
 *     loads DESCRIPTION N
 *         loads the library N times, each time with a short run; memory must not grow
 *     two DESCRIPTION DESCRIPTION2
 *         runs two FMUs in one process, alone and side by side: the same bits
 *     wrong DESCRIPTION START STOP
 *         calls with wrong arguments: each fails with a logged reason
 *     later DESCRIPTION START
 *         there is no solution at the start until the first change is made
 *     jacobian DESCRIPTION START STOP
 *         model exchange, in the middle of a run: for each unknown and known, a line with the
 *         difference quotient and the directional derivative
 *     fuzz DESCRIPTION SEED CALLS
 *         calls in any order; after a reset the FMU runs as a new one does
 *
 * The exit status is 0, or 1 after a message on stderr. */
#include "fuzz.h"
#include "runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool bad(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return false;
}

/* ---- rows ---- */

typedef struct Rows {
    double *values;
    size_t n, width; /* of a row, with the time */
} Rows;

static bool keep_row(void *user, double time, const double *values)
{
    Rows *r = user;
    r->values = realloc(r->values, (r->n + 1) * r->width * sizeof *r->values);
    double *row = r->values + r->n++ * r->width;
    row[0] = time;
    memcpy(row + 1, values, (r->width - 1) * sizeof *values);
    return true;
}

/* The end of both is the same. */
static bool same_rows(const Rows *a, const Rows *b, const char *what)
{
    size_t n = a->n < b->n ? a->n : b->n;
    bool same =
        n > 0 && !memcmp(a->values + (a->n - n) * a->width, b->values + (b->n - n) * b->width,
                         n * a->width * sizeof *a->values);
    if (!same)
        fprintf(stderr, "%s: other rows (%zu and %zu)\n", what, a->n, b->n);
    return same;
}

static void print_rows(const Rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t j = 0; j < r->width; j++)
            printf("%.17g%c", r->values[i * r->width + j], j + 1 < r->width ? ',' : '\n');
}

static Rows new_rows(const Fmu *f, Plan *p)
{
    p->row = keep_row;
    return (Rows){.width = f->description->width + 1};
}

/* A complete run of an instance that was created or reset. */
static bool run_whole(Fmu *f, Plan *p, Rows *r)
{
    *r = new_rows(f, p);
    p->user = r;
    return run_begin(f, p) && run_continue(f, p);
}

/* ---- commands ---- */

static Plan read_plan(char **args)
{
    return (Plan){.start = atof(args[0]),
                  .stop = atof(args[1]),
                  .intervals = (unsigned)atoi(args[2]),
                  .tolerance = atof(args[3])};
}

static Steps read_steps(const char *name)
{
    return !strcmp(name, "events")    ? AT_EVENTS
           : !strcmp(name, "summed")  ? SUMMED
           : !strcmp(name, "divided") ? DIVIDED
                                      : EQUAL;
}

static bool run(Fmu *f, char **args)
{
    Plan p = read_plan(args);
    Rows r = {0};
    p.steps = read_steps(args[4]);
    f->events = p.steps == AT_EVENTS;
    bool good = fmu_instantiate(f, "run") && run_whole(f, &p, &r) && fmu_terminate(f);
    print_rows(&r);
    fprintf(stderr, "%u events\n", p.n_events);
    free(r.values);
    fmu_free(f);
    return good;
}

/* ---- states in files ---- */

static bool write_state(Fmu *f, const char *path)
{
    void *state;
    char *bytes;
    size_t size;
    FILE *file = fopen(path, "wb");
    bool good = fmu_save(f, &state) && fmu_serialize(f, state, &bytes, &size) &&
                fmu_forget(f, &state) && file && fwrite(bytes, size, 1, file) == 1;
    free(bytes);
    return !fclose(file) && good;
}

static bool read_state(Fmu *f, const char *path)
{
    FILE *file = fopen(path, "rb");
    void *state;
    if (!file)
        return bad("no file");
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *bytes = malloc(size + 1);
    rewind(file);
    bool good = fread(bytes, size, 1, file) == 1 && fmu_deserialize(f, bytes, size, &state) &&
                fmu_restore(f, state) && fmu_forget(f, &state);
    free(bytes);
    fclose(file);
    return good;
}

/* The first half of a run. */
static bool run_half(Fmu *f, Plan *p)
{
    Plan half = *p;
    half.intervals = p->intervals / 2;
    half.stop = p->start + half.intervals * ((p->stop - p->start) / p->intervals);
    half.row = NULL;
    return run_begin(f, p) && run_continue(f, &half);
}

static bool save(Fmu *f, char **args)
{
    Plan p = read_plan(args);
    Rows r = new_rows(f, &p);
    p.user = &r;
    bool good = fmu_instantiate(f, "save") && run_half(f, &p) && write_state(f, args[4]) &&
                run_from(f, &p, p.intervals / 2);
    print_rows(&r);
    free(r.values);
    fmu_free(f);
    return good;
}

static bool resume(Fmu *f, char **args)
{
    Plan p = read_plan(args);
    Rows r = new_rows(f, &p);
    p.user = &r;
    bool good = fmu_instantiate(f, "resume") && run_begin(f, &p) && read_state(f, args[4]) &&
                run_from(f, &p, p.intervals / 2);
    print_rows(&r);
    free(r.values);
    fmu_free(f);
    return good;
}

/* ---- the same bits ---- */

/* Co-simulation: a state that is saved in the middle, restored twice, and given to another
 * instance. */
static bool states_of_cs(Fmu *f, Plan p)
{
    Rows r[3];
    void *state = NULL, *copy = NULL;
    char *bytes = NULL;
    size_t size;
    bool good = fmu_instantiate(f, "a") && run_half(f, &p) && fmu_save(f, &state);
    for (int k = 0; k < 2 && good; k++) {
        r[k] = new_rows(f, &p);
        p.user = &r[k];
        good = (k == 0 || fmu_restore(f, state)) && run_from(f, &p, p.intervals / 2);
    }
    good = good && fmu_serialize(f, state, &bytes, &size) && fmu_forget(f, &state);
    fmu_free(f);
    r[2] = new_rows(f, &p);
    p.user = &r[2];
    good = good && fmu_instantiate(f, "b") && run_begin(f, &p) &&
           fmu_deserialize(f, bytes, size, &copy) && fmu_restore(f, copy) && fmu_forget(f, &copy) &&
           run_from(f, &p, p.intervals / 2);
    fmu_free(f);
    good = good && same_rows(&r[0], &r[1], "a state that is restored") &&
           same_rows(&r[0], &r[2], "a state in another instance");
    for (int k = 0; k < 3 && good; k++)
        free(r[k].values);
    free(bytes);
    return good;
}

typedef struct Look {
    double *x, *dx, *z, *row;
} Look;

static bool look(Fmu *f, Look *l)
{
    const Description *d = f->description;
    l->x = calloc(d->n_states + 1, sizeof(double));
    l->dx = calloc(d->n_states + 1, sizeof(double));
    l->z = calloc(d->n_indicators + 1, sizeof(double));
    l->row = calloc(d->width + 1, sizeof(double));
    return fmu_get_states(f, l->x) && fmu_get_derivatives(f, l->dx) &&
           fmu_get_indicators(f, l->z) && fmu_row(f, l->row);
}

static bool same_look(const Description *d, Look *a, Look *b)
{
    bool same = !memcmp(a->x, b->x, d->n_states * sizeof(double)) &&
                !memcmp(a->dx, b->dx, d->n_states * sizeof(double)) &&
                !memcmp(a->z, b->z, d->n_indicators * sizeof(double)) &&
                !memcmp(a->row, b->row, d->width * sizeof(double));
    Look *both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        free(both[k]->x);
        free(both[k]->dx);
        free(both[k]->z);
        free(both[k]->row);
    }
    return same || bad("a state that is restored: other values");
}

/* Model exchange: a state that is saved in continuous-time mode, left and restored. */
static bool states_of_me(Fmu *f, Plan p)
{
    const Description *d = f->description;
    Look before, after;
    void *state = NULL;
    bool good =
        fmu_instantiate(f, "a") && run_half(f, &p) && fmu_save(f, &state) && look(f, &before);
    double *x = calloc(d->n_states + 1, sizeof *x);
    for (size_t i = 0; good && i < d->n_states; i++)
        x[i] = 1.01 * before.x[i] + 1e-3;
    good = good && fmu_set_time(f, p.stop) && fmu_set_states(f, x) && fmu_get_derivatives(f, x) &&
           fmu_restore(f, state) && look(f, &after) && same_look(d, &before, &after) &&
           fmu_forget(f, &state);
    free(x);
    fmu_free(f);
    return good;
}

/* A run again after a reset, and while another instance is in the middle of its run. */
static bool repeats(Fmu *f, Plan *p)
{
    Rows first, second, third;
    Fmu other = *f;
    bool good = fmu_instantiate(f, "a") && run_whole(f, p, &first) && fmu_reset(f) &&
                run_whole(f, p, &second) && same_rows(&first, &second, "after a reset") &&
                fmu_reset(f) && fmu_instantiate(&other, "b") && run_half(f, p) &&
                run_whole(&other, p, &third) && same_rows(&first, &third, "another instance") &&
                fmu_reset(f) && run_whole(f, p, &second) &&
                same_rows(&first, &second, "after a reset in the middle") && fmu_terminate(f);
    fmu_free(&other);
    fmu_free(f);
    return good;
}

static bool states(Fmu *f, char **args)
{
    Plan p = read_plan(args);
    return repeats(f, &p) && (f->description->cs ? states_of_cs(f, p) : states_of_me(f, p));
}

/* ---- loads ---- */

static long memory_pages(void)
{
    long all = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (f)
        fclose(f);
    return resident;
}

static bool loads(Fmu *f, char **args)
{
    const Description *d = f->description;
    int n = atoi(args[0]);
    long half = 0;
    Plan p = {.stop = 1e-3, .intervals = 1, .tolerance = 1e-6};
    fmu_unload(f);
    for (int k = 0; k < n; k++) {
        Rows r = {0};
        fmu_load(f, d);
        if (!fmu_instantiate(f, "load") || !run_whole(f, &p, &r))
            return false;
        free(r.values);
        fmu_free(f);
        if (k == n / 2)
            half = memory_pages();
        if (k + 1 < n)
            fmu_unload(f);
    }
    double grown = (double)(memory_pages() - half) * (double)sysconf(_SC_PAGESIZE);
    fprintf(stderr, "memory grew by %.0f bytes for each load\n", grown / (n - n / 2));
    return grown < 300e3 + 500.0 * n || bad("memory grows");
}

/* ---- two FMUs ---- */

static bool run_alone(Fmu *f, Plan p, Rows *r)
{
    bool good = fmu_instantiate(f, "alone") && run_whole(f, &p, r);
    fmu_free(f);
    return good;
}

static bool two(Fmu *f, char **args)
{
    Description d = description_read(args[0]);
    Plan p = {.stop = 0.5, .intervals = 50, .tolerance = 1e-6};
    Fmu g;
    Rows first, second, third, fourth;
    bool good = run_alone(f, p, &first);
    fmu_load(&g, &d);
    good = good && run_alone(&g, p, &second) && fmu_instantiate(f, "f") &&
           fmu_instantiate(&g, "g") && run_half(f, &p) && run_half(&g, &p) && fmu_reset(f) &&
           fmu_reset(&g) && run_whole(f, &p, &third) && run_whole(&g, &p, &fourth) &&
           same_rows(&first, &third, "the first FMU") &&
           same_rows(&second, &fourth, "the second FMU");
    fmu_free(f);
    fmu_free(&g);
    fmu_unload(&g);
    description_free(&d);
    return good;
}

/* ---- wrong arguments ---- */

static bool refused(Fmu *f, bool succeeded, const char *what)
{
    if (succeeded || !f->n_logs) {
        fprintf(stderr, "%s: %s\n", what, succeeded ? "no error" : "an error without a reason");
        return false;
    }
    f->n_logs = 0;
    return true;
}

/* Another token: there is no instance. */
static bool wrong_token(Fmu *f)
{
    Description other = *f->description;
    snprintf(other.token, sizeof other.token, "{00000000-0000-0000-0000-000000000000}");
    Fmu g = *f;
    g.description = &other;
    bool made = fmu_instantiate(&g, "token");
    f->n_logs = g.n_logs;
    fmu_free(&g);
    return refused(f, made, "a wrong token");
}

static bool wrong_steps(Fmu *f, Plan p)
{
    Step s;
    double half = p.start + 0.5 * (p.stop - p.start);
    return fmu_instantiate(f, "steps") && refused(f, fmu_step(f, p.start, 1e-3, &s), "too early") &&
           fmu_reset(f) && run_half(f, &p) &&
           refused(f, fmu_step(f, half, -1e-3, &s), "a step back") && fmu_reset(f) &&
           run_half(f, &p) && refused(f, fmu_step(f, p.start, 1e-3, &s), "a step from the past") &&
           fmu_reset(f) && run_half(f, &p) &&
           refused(f, fmu_step(f, half, p.stop, &s), "a step beyond the stop time") &&
           fmu_reset(f) && run_half(f, &p) &&
           refused(f, fmu_step(f, half, NAN, &s), "a step that is not a number");
}

static bool wrong_time(Fmu *f, Plan p)
{
    return fmu_instantiate(f, "time") &&
           refused(f, fmu_set_time(f, p.start), "a time before the initialization") &&
           fmu_reset(f) && run_half(f, &p) &&
           refused(f, fmu_set_time(f, NAN), "a time that is not a number");
}

/* Inputs, which the description lists as changes. */
static bool wrong_values(Fmu *f, Plan p)
{
    const Variable none = {.reference = 0xfffffff0, .type = FLOAT, .size = 1};
    const Description *d = f->description;
    double value = 0;
    bool good = fmu_reset(f) && run_half(f, &p) &&
                refused(f, fmu_get(f, &none, &value), "an unknown reference") && fmu_reset(f) &&
                refused(f, fmu_set(f, &none, &value), "an unknown reference to set");
    value = NAN;
    for (size_t i = 0; good && i < d->n_changes; i++)
        if (d->changes[i].variable.type == FLOAT)
            good = fmu_reset(f) && run_half(f, &p) &&
                   refused(f, fmu_set(f, &d->changes[i].variable, &value) && fmu_setup(f, 0, 0, 0),
                           "an input that is not a number");
    return good;
}

static bool set_two(Fmu *f, const Reference *two)
{
    const int values[] = {77, 77};
    return !(f->description->version == 2 ? f->f2.SetInteger(f->instance, two, 2, values)
                                          : f->f3.SetInt32(f->instance, two, 2, values, 2));
}

/* If one of two values is refused, the other one is not set. */
static bool wrong_pairs(Fmu *f, Plan p)
{
    const Description *d = f->description;
    const Variable *input = NULL;
    double before, after;
    for (size_t i = 0; i < d->n_changes; i++)
        if (d->changes[i].variable.type == INT32)
            input = &d->changes[i].variable;
    bool good = fmu_reset(f) && run_half(f, &p) && (d->cs || fmu_event_mode(f));
    for (size_t i = 0; good && input && i < d->n_variables; i++) {
        const Variable *other = &d->variables[i];
        if (other->type != INT32 || other->reference == input->reference || other->size > 1)
            continue;
        good = fmu_get(f, input, &before);
        if (!good || set_two(f, (Reference[]){input->reference, other->reference}))
            continue;
        good = fmu_get(f, input, &after) && (before == after || bad("one of two values was set"));
    }
    return good;
}

/* The derivatives of all unknowns in a direction that is not finite. */
static bool wrong_seeds(Fmu *f, Plan p)
{
    const Description *d = f->description;
    double *y = calloc(d->unknown_width + 1, sizeof *y), seed = INFINITY;
    bool good = fmu_reset(f) && run_half(f, &p);
    if (good && d->n_knowns && d->known_sizes[0] == 1)
        good = refused(f,
                       fmu_directional(f, d->unknowns, d->n_unknowns, d->unknown_width, d->knowns,
                                       1, 1, &seed, y),
                       "a seed that is not finite");
    free(y);
    return good;
}

static bool wrong(Fmu *f, char **args)
{
    Plan p = {.start = atof(args[0]), .stop = atof(args[1]), .intervals = 20, .tolerance = 1e-6};
    Rows r = {0};
    bool good = wrong_token(f) && (f->description->cs ? wrong_steps(f, p) : wrong_time(f, p)) &&
                wrong_values(f, p) && wrong_pairs(f, p) && wrong_seeds(f, p) && fmu_reset(f) &&
                run_whole(f, &p, &r);
    free(r.values);
    fmu_free(f);
    return good;
}

/* Values that have no solution at the start until the first change of the description is made. */
static bool later(Fmu *f, char **args)
{
    const Description *d = f->description;
    double *row = calloc(d->width + 1, sizeof *row);
    bool good = fmu_instantiate(f, "later") && fmu_setup(f, 0, atof(args[0]), NULL) &&
                refused(f, fmu_row(f, row), "no solution yet") &&
                (f->discarded || bad("the values are not discarded")) &&
                fmu_set(f, &d->changes[0].variable, &d->changes[0].value) && fmu_row(f, row) &&
                fmu_initialized(f) && fmu_row(f, row);
    free(row);
    fmu_free(f);
    return good;
}

/* ---- derivatives ---- */

typedef struct Point {
    double *x; /* states */
    double *u; /* the known: all its elements */
} Point;

/* The unknowns, with an element of known number k moved by `shift`. */
static bool moved(Fmu *f, Point p, size_t k, size_t element, double shift, double *y)
{
    const Description *d = f->description;
    bool state = d->state_of[k] >= 0;
    const Variable input = {d->knowns[k], FLOAT, d->known_sizes[k]};
    double *at = state ? &p.x[(size_t)d->state_of[k] + element] : &p.u[element], old = *at;
    *at += shift;
    bool good = state ? fmu_set_states(f, p.x) : fmu_set(f, &input, p.u);
    *at = old;
    for (size_t i = 0; good && i < d->n_unknowns; i++) {
        good = fmu_get(f, &(Variable){d->unknowns[i], FLOAT, d->unknown_sizes[i]}, y);
        y += d->unknown_sizes[i];
    }
    return good;
}

static void print_column(const Description *d, size_t k, const double *y, double h)
{
    size_t n = d->unknown_width, at = 0;
    for (size_t i = 0; i < d->n_unknowns; i++)
        for (size_t e = 0; e < d->unknown_sizes[i]; e++, at++)
            printf("%u %u %.17g %.17g\n", d->unknowns[i], d->knowns[k],
                   (y[at] - y[n + at]) / (2 * h), y[2 * n + at]);
}

static bool column(Fmu *f, Point p, size_t k, size_t element)
{
    const Description *d = f->description;
    size_t n = d->unknown_width, size = d->known_sizes[k];
    double *y = calloc(3 * n + 1, sizeof *y), *seed = calloc(size, sizeof *seed);
    p.u = calloc(size, sizeof *p.u);
    bool good = fmu_get(f, &(Variable){d->knowns[k], FLOAT, size}, p.u);
    double h = 1e-5 * (1 + fabs(p.u[element]));
    seed[element] = 1;
    good =
        good && moved(f, p, k, element, h, y) && moved(f, p, k, element, -h, y + n) &&
        moved(f, p, k, element, 0, y + 2 * n) &&
        fmu_directional(f, d->unknowns, d->n_unknowns, n, &d->knowns[k], 1, size, seed, y + 2 * n);
    if (good)
        print_column(d, k, y, h);
    free(y);
    free(seed);
    free(p.u);
    return good;
}

static bool jacobian(Fmu *f, char **args)
{
    const Description *d = f->description;
    Plan p = {.start = atof(args[0]), .stop = atof(args[1]), .intervals = 20, .tolerance = 1e-6};
    Point at = {.x = calloc(d->n_states + 1, sizeof(double))};
    bool good = fmu_instantiate(f, "jacobian") && run_half(f, &p) && fmu_get_states(f, at.x);
    for (size_t k = 0; good && k < d->n_knowns; k++)
        for (size_t e = 0; good && e < d->known_sizes[k]; e++)
            good = column(f, at, k, e);
    free(at.x);
    fmu_free(f);
    return good;
}

/* ---- any order ---- */

static bool fuzz(Fmu *f, char **args)
{
    Plan p = {.stop = 0.1, .intervals = 10, .tolerance = 1e-6};
    Rows before = {0}, after = {0};
    bool good = run_alone(f, p, &before) && fuzz_calls(f, (uint32_t)atol(args[0]), atoi(args[1])) &&
                fmu_reset(f) && run_whole(f, &p, &after) &&
                same_rows(&before, &after, "after calls in any order and a reset");
    free(before.values);
    free(after.values);
    fmu_free(f);
    return good;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*run)(Fmu *f, char **args);
        int n; /* arguments */
    } commands[] = {{"run", run, 5},          {"save", save, 5},   {"resume", resume, 5},
                    {"states", states, 4},    {"loads", loads, 1}, {"two", two, 1},
                    {"wrong", wrong, 2},      {"later", later, 1}, {"fuzz", fuzz, 2},
                    {"jacobian", jacobian, 2}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (argc < 3 || strcmp(argv[1], commands[i].name) != 0 || argc != 3 + commands[i].n)
            continue;
        Description d = description_read(argv[2]);
        Fmu f;
        fmu_load(&f, &d);
        f.print_logs = true;
        bool good = commands[i].run(&f, argv + 3);
        fmu_unload(&f);
        description_free(&d);
        return !good;
    }
    return bad("fmi_importer COMMAND DESCRIPTION [ARGUMENT...]") || 2;
}

/* What a fit costs: 5 parameters, 1,000 points of a driven oscillator, in units of one simulation.
 * Prints the processor time of a simulation with 1,000 rows and of a fit. */
#include "kairos.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 1000, PARAMETERS = 5 };

static const char model[] = "model M\n"
                            "  parameter Real m = 1, k = 20, d = 0.3, F = 2, w = 3;\n"
                            "  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(x) = v;\n"
                            "  m*der(v) = -k*x - d*v + F*sin(w*time);\n"
                            "  annotation(experiment(StopTime = 10));\n"
                            "end M;\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Writer {
    FILE *file;
    unsigned state;
} Writer;

/* A row of the model with other values, and noise. */
static int write_row(void *user, const KairosRow *row)
{
    Writer *w = user;
    double noise = 0;
    for (int i = 0; i < 12; i++) {
        w->state = w->state * 1664525u + 1013904223u;
        noise += (double)w->state / 4294967296.0 - 0.5;
    }
    for (unsigned i = 1; i < row->n; i++)
        if (!strcmp(row->names[i], "x"))
            fprintf(w->file, "%.17g,%.17g\n", row->values[0], row->values[i] + 0.01 * noise);
    return 0;
}

static int count_row(void *user, const KairosRow *row)
{
    *(unsigned *)user += row->n > 0;
    return 0;
}

static int write_data(KairosModel *m, const char *path)
{
    const KairosSetting truth[] = {
        {"k", "21"}, {"d", "0.35"}, {"F", "2.2"}, {"w", "3.1"}, {"x.start", "0.9"}};
    Writer w = {fopen(path, "w"), 1};
    if (!w.file)
        return KAIROS_USE_ERROR;
    fputs("time,x\n", w.file);
    KairosRun run = {.size = sizeof run,
                     .intervals = POINTS - 1,
                     .settings = truth,
                     .n_settings = PARAMETERS,
                     .on_row = write_row,
                     .user = &w};
    int status = kairos_simulate_model(m, &run);
    fclose(w.file);
    return status;
}

int main(void)
{
    enum { SIMULATIONS = 200, FITS = 20 };
    const char *names[] = {"k", "d", "F", "w", "x.start"}, *data[] = {"fits.csv"};
    unsigned rows = 0;
    Kairos *k = kairos_open();
    kairos_load_text(k, "M.mo", model, strlen(model));
    KairosModel *m = kairos_compile_model(k, "M", NULL);
    int status = m ? write_data(m, data[0]) : KAIROS_FAILED;
    KairosRun run = {
        .size = sizeof run, .intervals = POINTS - 1, .on_row = count_row, .user = &rows};
    KairosFit fit = {.size = sizeof fit,
                     .data = data,
                     .n_data = 1,
                     .parameters = names,
                     .n_parameters = PARAMETERS,
                     .jobs = 1};
    status = status ? status : kairos_fit_model(m, NULL, &fit, NULL);
    double begin = now();
    for (int i = 0; i < SIMULATIONS && !status; i++)
        status = kairos_simulate_model(m, &run);
    double simulation = (now() - begin) / SIMULATIONS;
    begin = now();
    for (int i = 0; i < FITS && !status; i++)
        status = kairos_fit_model(m, NULL, &fit, NULL);
    double whole = (now() - begin) / FITS;
    printf("simulation %.6f ms, fit %.6f ms, ratio %.2f\n", 1e3 * simulation, 1e3 * whole,
           whole / simulation);
    kairos_free_model(m);
    kairos_close(k);
    return status;
}

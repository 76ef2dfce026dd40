/* The plotters of a script, drawn into files: kairos plot draws a table with the values that each
 * plotter shows, piece by piece. */
#include "ocl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int column_of(const Rows *r, const char *name)
{
    for (unsigned i = 0; i < r->width; i++)
        if (!strcmp(r->names[i], name))
            return (int)i;
    return -1;
}

static double value_in(const Rows *r, unsigned row, const char *name)
{
    int column = column_of(r, name);
    return column < 0 ? NAN : r->values[(size_t)row * r->width + (unsigned)column];
}

/* The header: time, x, and a column for each place in the lists of variables. */
static unsigned put_header(FILE *f, const Plotter *p, const char *x)
{
    unsigned most = 0;
    for (unsigned i = 0; i < p->n_pieces; i++)
        most = p->pieces[i].n > most ? p->pieces[i].n : most;
    fprintf(f, "time,\"%s \"", x);
    for (unsigned k = 0; k < most; k++)
        for (unsigned i = 0; i < p->n_pieces; i++)
            if (k < p->pieces[i].n) {
                fprintf(f, ",\"%s%.*s\"", p->pieces[i].y[k], (int)k, "''''''''''''''''");
                break;
            }
    fputc('\n', f);
    return most;
}

static void put_piece(FILE *f, const Rows *r, const Piece *piece, unsigned most)
{
    double last = 0;
    for (unsigned row = piece->from; row <= piece->to; row++) {
        last = value_in(r, row, "time");
        fprintf(f, "%.17g,%.17g", last, *piece->x ? value_in(r, row, piece->x) : last);
        for (unsigned k = 0; k < most; k++)
            fprintf(f, ",%.17g", k < piece->n ? value_in(r, row, piece->y[k]) : NAN);
        fputc('\n', f);
    }
    fprintf(f, "%.17g,nan", last); /* the pen is lifted */
    for (unsigned k = 0; k < most; k++)
        fputs(",nan", f);
    fputc('\n', f);
}

static bool check_names(Script *s, const Rows *r, const Piece *piece)
{
    for (unsigned k = 0; k <= piece->n; k++) {
        const char *name = k < piece->n ? piece->y[k] : piece->x;
        if (*name && column_of(r, name) < 0) {
            fprintf(stderr, "%s: error: the model has no variable '%s' to draw\n", s->path, name);
            s->status = KAIROS_MODEL_ERROR;
            return false;
        }
    }
    return true;
}

enum { MOST_RUNS = 32, PATH = 1000 };

/* The plotter's variables of one run, as a table in a temporary file; false after an error. */
static bool write_run(Script *s, const Plotter *p, const Rows *r, unsigned run, char path[PATH],
                      unsigned *most)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH, "%s/kairos-ocl-XXXXXX.csv", folder && *folder ? folder : P_tmpdir);
    int handle = mkstemps(path, 4);
    FILE *f = handle < 0 ? NULL : fdopen(handle, "w");
    if (!f) {
        fprintf(stderr, "%s: error: cannot write a temporary file\n", s->path);
        s->status = KAIROS_USE_ERROR;
        return false;
    }
    *most = put_header(f, p, p->x);
    for (unsigned i = 0; i < p->n_pieces && !s->status; i++)
        if (p->pieces[i].run == run && check_names(s, r, &p->pieces[i]))
            put_piece(f, r, &p->pieces[i], *most);
    fclose(f);
    return !s->status;
}

/* Each run of the simulator over the ones before. */
static void draw_plotter(Script *s, const Plotter *p, const Simulator *sim)
{
    char data[MOST_RUNS][PATH], picture[NAME + PATH], x[NAME + 1];
    const char *others[MOST_RUNS];
    const char *stem = strrchr(s->path, '/') ? strrchr(s->path, '/') + 1 : s->path;
    unsigned most = 0, n = 0, first = sim->n_past >= MOST_RUNS ? sim->n_past + 1 - MOST_RUNS : 0;
    for (unsigned run = first; run <= sim->n_past && !s->status; run++, n++) {
        const Rows *r = run < sim->n_past ? &sim->past[run] : &sim->rows;
        write_run(s, p, r, run, data[n], &most);
        others[n] = data[n];
    }
    snprintf(picture, sizeof picture, "%.*s-%s.svg", (int)strcspn(stem, "."), stem, p->name);
    snprintf(x, sizeof x, "%s ", p->x);
    KairosPlot how = {.size = sizeof how,
                      .output = picture,
                      .title = p->name,
                      .x = *p->x ? x : NULL,
                      .others = others + 1,
                      .n_others = n - 1,
                      .x_range = p->has_x ? p->x_range : NULL,
                      .y_range = p->has_y ? p->y_range : NULL};
    char names[MAX_NAMES][NAME + MAX_NAMES];
    const char *list[MAX_NAMES];
    for (unsigned k = 0; k < most; k++)
        for (unsigned i = p->n_pieces; i-- > 0;)
            if (k < p->pieces[i].n) {
                snprintf(names[k], sizeof names[k], "%s%.*s", p->pieces[i].y[k], (int)k,
                         "''''''''''''''''");
                list[k] = names[k];
            }
    how.variables = list;
    how.n_variables = most;
    if (!s->status && kairos_plot_result(s->k, data[0], &how))
        s->status = KAIROS_USE_ERROR;
    else if (!s->status && !s->o->quiet)
        fprintf(stderr, "%s\n", picture);
    for (unsigned i = 0; i < n; i++)
        remove(data[i]);
}

void draw_plotters(Script *s)
{
    for (unsigned i = 0; i < s->n_plotters && !s->status; i++)
        for (unsigned k = 0; k < s->n_simulators; k++)
            if (s->simulators[k].model == s->plotters[i].model && s->plotters[i].n_pieces)
                draw_plotter(s, &s->plotters[i], &s->simulators[k]);
}

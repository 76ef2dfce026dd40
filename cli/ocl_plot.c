/* The plotters of a script, drawn into files: a table of what each of them shows, piece by piece,
 * goes through kairos plot. */
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

static void draw_plotter(Script *s, const Plotter *p, const Rows *r)
{
    char data[1000], picture[NAME + 1000], x[NAME + 1];
    const char *stem = strrchr(s->path, '/') ? strrchr(s->path, '/') + 1 : s->path;
    const char *folder = getenv("TMPDIR");
    snprintf(data, sizeof data, "%s/kairos-ocl-XXXXXX.csv", folder && *folder ? folder : P_tmpdir);
    int handle = mkstemps(data, 4);
    FILE *f = handle < 0 ? NULL : fdopen(handle, "w");
    if (!f) {
        fprintf(stderr, "%s: error: cannot write a temporary file\n", s->path);
        s->status = KAIROS_USE_ERROR;
        return;
    }
    unsigned most = put_header(f, p, p->x);
    for (unsigned i = 0; i < p->n_pieces && !s->status; i++)
        if (check_names(s, r, &p->pieces[i]))
            put_piece(f, r, &p->pieces[i], most);
    fclose(f);
    snprintf(picture, sizeof picture, "%.*s-%s.svg", (int)strcspn(stem, "."), stem, p->name);
    snprintf(x, sizeof x, "%s ", p->x);
    KairosPlot how = {.size = sizeof how,
                      .output = picture,
                      .title = p->name,
                      .x = *p->x ? x : NULL,
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
    if (!s->status && kairos_plot_result(s->k, data, &how))
        s->status = KAIROS_USE_ERROR;
    else if (!s->status && !s->o->quiet)
        fprintf(stderr, "%s\n", picture);
    remove(data);
}

void draw_plotters(Script *s)
{
    for (unsigned i = 0; i < s->n_plotters && !s->status; i++)
        for (unsigned k = 0; k < s->n_simulators; k++)
            if (s->simulators[k].model == s->plotters[i].model && s->plotters[i].n_pieces)
                draw_plotter(s, &s->plotters[i], &s->simulators[k].rows);
}

/* Scripts of Omsim's command language: ocl.c reads and runs them, ocl_plot.c draws their plotters.
 */
#ifndef CLI_OCL_H
#define CLI_OCL_H

#include "session.h"

enum { MAX_NAMES = 16, MAX_DEPTH = 100, NAME = 128 };

typedef struct Model {
    char name[NAME], class_name[NAME];
    KairosModel *model;
    KairosSetting *settings;
    unsigned n_settings;
} Model;

typedef struct Rows {
    char **names;
    unsigned width, n, cap; /* of values: n rows of width */
    double *values;
} Rows;

typedef struct Change { /* a value set during a run */
    char name[NAME + 16];
    double value;
} Change;

typedef struct Simulator {
    char name[NAME];
    unsigned model;
    double start, stop, step;
    bool started;
    KairosInstance *instance;
    Change *changes; /* since it continued last */
    unsigned n_changes;
    Rows rows;
    Rows *past; /* rows of the runs before this one, for the plotters */
    unsigned n_past;
    unsigned from, at; /* rows of the present piece, up to the last one */
} Simulator;

/* The drawing of one piece of the run. */
typedef struct Piece {
    unsigned run; /* number of the simulator's run, from 0 */
    unsigned from, to;
    char x[NAME], y[MAX_NAMES][NAME];
    unsigned n;
} Piece;

typedef struct Plotter {
    char name[NAME];
    unsigned model;
    char x[NAME], y[MAX_NAMES][NAME];
    unsigned n;
    double x_range[2], y_range[2];
    bool has_x, has_y;
    Piece *pieces;
    unsigned n_pieces;
} Plotter;

typedef struct Variable {
    char name[NAME];
    double value;
} Variable;

typedef struct Script {
    const Options *o;
    double tolerance; /* 0: the default */
    Kairos *k;
    const char *path, *text, *at;
    int status; /* not 0: the script has ended */
    int depth;
    Model *models;
    Simulator *simulators;
    Plotter *plotters;
    Variable *variables;
    unsigned n_models, n_simulators, n_plotters, n_variables;
} Script;

/* The column of a variable, or -1. */
int column_of(const Rows *r, const char *name);
/* Draws each plotter that has seen a piece of a run into a file; sets the script's status. */
void draw_plotters(Script *s);

/* Runs the script that is the argument. The status. */
int run_script(const Options *o, double tolerance);

#endif

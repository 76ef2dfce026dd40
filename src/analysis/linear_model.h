/* A linear model with names: its poles, zeros and warnings, and the files that show it. */
#ifndef ANALYSIS_LINEAR_MODEL_H
#define ANALYSIS_LINEAR_MODEL_H

#include "base/context.h"
#include "base/text.h"
#include "numerics/linear_systems.h"

/* Delays around a system: input m - n + k of it is its output p - n + k, delayed by time[k]. */
typedef struct LinearDelays {
    uint32_t n;
    uint32_t order; /* of Padé approximations */
    double *time;
    const char **names;
} LinearDelays;

typedef struct LinearModel {
    Arena *arena;
    const char *name; /* of the model */
    double time;
    bool lost;     /* not at the equilibrium that was asked for */
    double period; /* of a sampled system; 0: a continuous one */
    const char **states, **inputs, **outputs;
    LinearSystem system;
    LinearSystem open; /* with delays: the system around them */
    LinearDelays delays;
    double *pole_re, *pole_im; /* size system.n */
    double *zero_re, *zero_im; /* size n_zeros */
    uint32_t n_zeros;
} LinearModel;

/* Room for the matrices and names of a model with so many states, inputs and outputs. */
LinearModel *linear_model_new(uint32_t n, uint32_t m, uint32_t p);
/* Room for matrices alone. */
LinearSystem linear_system_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p);
void linear_model_free(LinearModel *l);
/* Poles and zeros from the matrices, and warnings about poles that no input reaches or no output
 * shows. False after a message. */
bool linear_model_analyse(Context *ctx, LinearModel *l);

/* In Hz, and relative: 1 for a real stable pole, 0 for an undamped one. Of the equivalent
 * continuous pole if there is a period. */
void linear_damping(double re, double im, double period, double *frequency, double *damping);

void linear_model_json(const LinearModel *l, Text *t);

/* ---- linear_delays.c ---- */
/* States that the approximations add. */
uint32_t linear_delay_states(const LinearDelays *d);
/* The system with them, for which there is room; its first states are those of `open`. False: it
 * has no solution. */
bool linear_close_delays(const LinearSystem *open, const LinearDelays *d, LinearSystem *to);

/* ---- linear_files.c ---- each false after a message */
/* MAT version 4 with A, B, C, D. */
bool linear_save_mat(Context *ctx, const LinearModel *l, const char *path);
/* Text for MATLAB and Octave (.m) or Python (.py). */
bool linear_save_script(Context *ctx, const LinearModel *l, const char *path);

/* ---- linear_plots.c ---- .svg, .png, .pdf or .html; each false after a message */
bool linear_plot_bode(Context *ctx, const LinearModel *l, const char *path);
bool linear_plot_poles(Context *ctx, const LinearModel *l, const char *path);

#endif

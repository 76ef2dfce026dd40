/* Spectra of results.
 *
 * In: a table of a result (output/output.h) and the names of variables. Out: mean, RMS, harmonics
 * and total harmonic distortion of each, as JSON, as a table for people, or as a picture.
 *
 * Between two rows a variable is a cubic polynomial; where two rows have the same time it jumps.
 * Fourier coefficients are integrals of these polynomials, not sums over samples. So rows need not
 * be equally spaced, jumps are exact, and nothing is aliased.
 *
 * Over a whole number of periods the coefficients are those of the Fourier series. If the variables
 * are not periodic, or no period is known, a Hann window is applied and the result says so. */
#ifndef SPECTRUM_SPECTRUM_H
#define SPECTRUM_SPECTRUM_H

#include "base/text.h"
#include "output/output.h"

/* ---- curve.c: one variable between two times ---- */

typedef struct CurvePiece {
    double from, to;
    double c[4]; /* value at from + h is c0 + c1 h + c2 h² + c3 h³ */
} CurvePiece;

typedef struct Curve {
    VEC(CurvePiece) pieces; /* by rising time, without gaps */
    double from, to;
} Curve;

/* Column `column` of the table between two times within it. Values must be numbers; returns false
 * if they are not, with *where at the first one that is not. Free in both cases. */
bool curve_make(Curve *c, const Table *t, uint32_t column, double from, double to, double *where);
void curve_free(Curve *c);
void curve_shift(Curve *c, double by); /* adds a constant */
/* Values in the middle of n equal parts of the interval. */
void curve_samples(const Curve *c, double *at, uint32_t n);
double curve_value(const Curve *c, double t);
double curve_mean(const Curve *c, double from, double to);
double curve_mean_square(const Curve *c, double from, double to);

typedef struct Phasor {
    double re, im;
} Phasor;

/* 2/(to - from) times the integral of y(t) exp(-2πi f t): its absolute value is the amplitude of
 * this frequency. With `window`, y is weighted by a Hann window of mean 1. */
Phasor curve_phasor(const Curve *c, double from, double to, double frequency, bool window);
/* The same with a window for lines 1 to n: those with so many periods in the interval. */
void curve_windowed_lines(const Curve *c, double from, double to, uint32_t n, Phasor *lines);

/* ---- fundamental.c ---- */

/* The frequency of the shortest period of the curve, found from its largest line. 0 if the curve is
 * constant or its length has fewer than two periods. */
double fundamental_frequency(const Curve *c);
/* Curves repeat if the mismatch is below this. */
#define FUNDAMENTAL_SAME 0.01
/* How much the last two periods differ, as a share of the range of the last one. */
double fundamental_mismatch(const Curve *c, double frequency);

/* ---- spectrum.c ---- */

typedef struct SpectrumOptions {
    const char *const *variables;
    uint32_t n_variables;
    const double *from, *to; /* NULL: the ends of the result */
    double frequency;        /* of the fundamental; 0: find it */
    uint32_t harmonics;      /* 0: 50 */
    bool window;             /* use a window in any case */
} SpectrumOptions;

typedef struct SpectrumLine {
    double frequency;
    Phasor phasor;
} SpectrumLine;

typedef struct SpectrumOf {
    const char *name, *unit; /* unit is NULL if unknown */
    double mean, rms;
    /* of all harmonics of the fundamental from the second on; NaN if it is not periodic */
    double distortion;
    SpectrumLine *lines; /* size n_lines of the Spectrum */
} SpectrumOf;

typedef struct Spectrum {
    double from, to;
    double frequency; /* of the fundamental; 0: none */
    double periods;   /* in the interval */
    bool windowed, window_asked;
    uint32_t n_lines; /* harmonics, or lines of the windowed spectrum */
    uint32_t n_variables;
    SpectrumOf *of;
} Spectrum;

/* False after an error. */
bool spectrum_compute(Context *ctx, const Table *t, const SpectrumOptions *o, Spectrum *s,
                      Arena *arena);

/* ---- spectrum_print.c ---- */

void spectrum_json(const Spectrum *s, Text *out);
void spectrum_text(const Spectrum *s, Text *out);
/* A table of stems over `frequency`, for plots; in `arena`. */
Table *spectrum_stems(const Spectrum *s, const char *title, Arena *arena);

#endif

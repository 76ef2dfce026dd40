/* Fits of parameters to measured values: data shared by the files of kairos_fit_model.
 *
 *     read the data → run once at the first values → [search the whole box] → least squares, again
 *     if weights follow from the residuals → covariances → messages, JSON, report
 *
 * fit.c has this order, fit_weights.c the weights, fit_result.c messages and JSON, fit_report.c the
 * page. */
#ifndef API_FITTING_FIT_H
#define API_FITTING_FIT_H

#include "api/fitting/experiment.h"
#include "base/text.h"
#include "search/search.h"

typedef enum Weighting { WEIGHT_UNITS, WEIGHT_EQUAL, WEIGHT_NOISE, WEIGHT_GIVEN } Weighting;

typedef struct Fit {
    KairosModel *m;
    const KairosRun *given_run;
    const KairosFit *given;
    KairosRun run;
    KairosFit how;
    Experiments data;
    Arena *arena;
    Context *ctx;
    uint32_t n; /* parameters */
    double *first, *low, *high, *size;
    double *p, *probe;
    bool has_first;        /* the values of the first run are there */
    DiagMark before_first; /* messages before the first run */
    Weighting weighting;
    bool known_noise; /* the standard deviations of all columns are given */
    double *scale;    /* by signal: weighted residual = scale * (model - data) */
    LeastSquares search;
    SearchStatus status;
    Estimate estimate;
    double freedom;   /* degrees of freedom; infinite if the noise is known */
    double t;         /* factor of sigma for the interval */
    bool differences; /* derivatives are difference quotients */
    VariationFlaw flaw;
    double flaw_time;
    double tolerance;
    bool no_memory;
    _Atomic int stop; /* the search has to end: interrupted, or no memory */
    char reason[200]; /* of the last run that failed */
    int result;       /* a status of kairos.h */
    Text json;
    char *made; /* the JSON for the caller */
} Fit;

/* ---- fit_weights.c ---- */
/* False after a message. */
bool weights_choose(Fit *f);
/* New scales from the residuals; false if they hardly change. */
bool weights_from_noise(Fit *f);
/* Sum of the squares of the unweighted residuals of a signal, and their number; x NULL: of all. */
double signal_squares(const Fit *f, const FitExperiment *x, uint32_t signal, size_t *n);

/* ---- fit_result.c ---- */
void fit_report_words(Fit *f);
void fit_put_json(Fit *f);
bool fit_at_bound(const Fit *f, uint32_t j);
/* Standard deviation and interval of a parameter; NaN if unknown. */
double fit_sigma(const Fit *f, uint32_t j);
double fit_limit(const Fit *f, uint32_t j, int side);

/* ---- fit_report.c ---- */
void fit_write_page(Fit *f);

#endif

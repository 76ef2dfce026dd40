/* Searches for the best values of parameters, and what they are worth.
 *
 * In: functions of parameters within bounds, with their derivatives. Out: the best point, why the
 * search ended, covariances. least_squares.c is the method of Levenberg and Marquardt; estimate.c
 * computes covariances and combinations that the data do not determine; nlopt.c calls the library
 * NLopt, which is opened when it is needed. */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/diag.h"

#include <stddef.h>

typedef enum SearchStatus {
    SEARCH_CONVERGED,
    SEARCH_LIMIT,       /* the allowed number of evaluations is used up */
    SEARCH_STUCK,       /* no step makes it better, though the derivatives promise it */
    SEARCH_FAILED,      /* the function fails at the first point */
    SEARCH_INFEASIBLE,  /* no point satisfies the constraints */
    SEARCH_INTERRUPTED, /* the best point so far is the result */
} SearchStatus;

/* ---- least squares ---- */

typedef struct LeastSquares {
    uint32_t n;               /* parameters */
    size_t m;                 /* residuals */
    const double *low, *high; /* bounds; infinite: none */
    const double *size;       /* of the parameters, positive: for the smallest step */
    uint32_t most;            /* evaluations */
    /* Residuals and their derivatives by columns: m for each parameter; jacobian NULL: residuals
     * alone. False: it fails there. */
    bool (*evaluate)(void *user, const double *p, double *r, double *jacobian);
    void *user;
    const _Atomic int *interrupt;
    /* results */
    double *p;         /* in: where to begin; out: the best point; size n */
    double *r;         /* residuals there; size m */
    double *jacobian;  /* size m*n */
    double sum;        /* of the squares */
    uint32_t done;     /* evaluations */
    uint32_t failures; /* of them failed */
} LeastSquares;

SearchStatus least_squares(LeastSquares *s, Arena *arena);

/* ---- the worth of an estimate ---- */

typedef struct Estimate {
    double *covariance; /* n by n; NaN for parameters that the data do not determine */
    double condition;   /* of the scaled information matrix's root; infinite if it is singular */
    uint32_t n_free;    /* combinations that change nothing */
    double *free;       /* n numbers each: changes relative to `size`, the largest 1 */
} Estimate;

/* From the derivatives of weighted residuals; `variance`: of one of them. */
Estimate estimate_of(const double *jacobian, size_t m, uint32_t n, const double *size,
                     double variance, Arena *arena);
/* t with P(|T| <= t) = p, T of Student's distribution; n infinite: of the normal one. */
double student_quantile(double p, double n);

/* a (m by n, by columns) becomes upper triangular by reflections, which b (size m) undergoes too.
 */
void triangularize(size_t m, uint32_t n, double *a, double *b);

/* ---- NLopt ---- */

typedef struct Minimization {
    uint32_t n;               /* variables */
    const double *low, *high; /* bounds */
    uint32_t n_constraints;   /* each g(x) <= 0, or g(x) = 0 if `equal` */
    const bool *equal;
    double constraint_tolerance;
    const double *scale; /* of constraints: tolerances are relative to it */
    bool has_gradient;
    uint32_t most; /* evaluations of one search */
    /* The objective and the constraints; `d`, n numbers for each of them, is NULL if derivatives
     * are not wanted. False: it fails there. */
    bool (*evaluate)(void *user, const double *x, double *f, double *d);
    void *user;
    const _Atomic int *interrupt;
    /* results */
    double *x; /* in: where to begin; out: the best point */
    double *f; /* objective and constraints there */
    uint32_t done, failures;
} Minimization;

/* Searches near the first point. */
SearchStatus minimize_local(Context *ctx, Minimization *m, Arena *arena);
/* Divides the box of the bounds, which are finite, and keeps the best `count` points: x has room
 * for count*n numbers. The number that was found; 0 after a message. Ignores constraints. */
uint32_t minimize_global(Context *ctx, Minimization *m, uint32_t count, Arena *arena);

#endif

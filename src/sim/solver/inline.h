/* Formulas of inline integration, for solvers that inline all states or some of them. */
#ifndef SIM_SOLVER_INLINE_H
#define SIM_SOLVER_INLINE_H

#include "sim/solver/solver.h"

/* The last step, from t0 to t. */
typedef struct InlineStep {
    InlineMethod method;
    double t0, t;
    double earlier;                /* length of the step before t0, for BDF2; otherwise 0 */
    const double *x0, *k0, *x, *k; /* at t0 and t: values and derivatives */
    const double *xe;              /* values at t0 - earlier */
} InlineStep;

/* Value and derivative of state i at t within the step: a cubic. For Euler it is the result of a
 * shorter step, with derivatives linear in time. So a value that falls to zero follows its
 * equation. */
void inline_interpolate(const InlineStep *s, double t, uint32_t i, double *x, double *k);

/* The formula of a shorter step from t0 to t, as Euler and BDF2 have it: der = rate*(x - old).
 * Returns the rate. `old` has n values. */
double inline_shorter(const InlineStep *s, uint32_t n, double t, double *old);

/* A small part of the time in which the states x change by their own size; for states at rest, a
 * tiny part of `length`. */
double inline_first_step(const Problem *p, const double *x, const double *slope, double length);

/* The part of the error that the step itself makes, if a longer one was tried before. The part that
 * does not fall with the length corrects a miss of a hidden constraint (the velocity of a body held
 * in place). No shorter step avoids it. */
double inline_own_error(double error, double length, double last, double longer);

#endif

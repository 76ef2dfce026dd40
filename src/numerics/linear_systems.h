/* Linear systems x' = A x + B u, y = C x + D u: eigenvalues, zeros, parts that inputs do not reach.
 *
 * Matrices are stored by columns. Eigenvalues come from a balanced Hessenberg matrix and implicit
 * double shifts (Golub and Van Loan, Matrix Computations, section 7.5). */
#ifndef NUMERICS_LINEAR_SYSTEMS_H
#define NUMERICS_LINEAR_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct LinearSystem {
    uint32_t n, m, p; /* states, inputs, outputs */
    double *a;        /* n by n */
    double *b;        /* n by m */
    double *c;        /* p by n */
    double *d;        /* p by m */
} LinearSystem;

/* Eigenvalues of the n by n matrix a (overwritten), sorted by their real, then imaginary parts; a
 * pair stands together. False if the iteration does not converge. */
bool linear_eigenvalues(uint32_t n, double *a, double *re, double *im);

/* Invariant zeros, by the reduction of Emami-Naeini and Van Dooren (Automatica 18, 1982). re and im
 * have room for n; returns their number, or UINT32_MAX if an iteration fails. None without inputs
 * or outputs. */
uint32_t linear_zeros(const LinearSystem *s, double *re, double *im);

/* Eigenvalues of the part of (A, B) that no input reaches, as above. For the part that no output
 * shows, `dual`. */
uint32_t linear_unreached(const LinearSystem *s, bool dual, double *re, double *im);

/* The response of output `out` to input `in` at s = i*omega, or at z = exp(i*omega*period) if the
 * period is not zero. The last inputs are the last outputs, delayed by `delays`, n_delays times.
 * work: 2*k*k + 2*k doubles, with k = n + n_delays. False at a pole. */
bool linear_response(const LinearSystem *s, const double *delays, uint32_t n_delays, uint32_t in,
                     uint32_t out, double omega, double period, double *work, double *re,
                     double *im);

#endif

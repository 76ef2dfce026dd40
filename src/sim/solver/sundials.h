/* Shared by the solvers on SUNDIALS: a context, vectors, and the linear algebra of their implicit
 * equations. It is dense for few unknowns, sparse with KLU for many. */
#ifndef SIM_SUNDIALS_H
#define SIM_SUNDIALS_H

#include "sim/solver/solver.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { STANDING = 20 }; /* steps in a row that may hardly move time */

typedef struct Sundials {
    const Problem *p;
    SUNContext context;
    uint32_t n;
    const double *atol;     /* size n, of the problem */
    N_Vector x, work;       /* work has no data of its own */
    N_Vector weight, error; /* for the ranking of states */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    const uint32_t *from_col_ptr, *from_row; /* pattern of the values */
    double *values;
    /* per value: its place in the sparse matrix, which also has the whole diagonal */
    uint32_t *position;
    uint32_t *diagonal; /* per column: place of the diagonal */
    sunindextype *col_ptr, *row;
    uint32_t standing; /* steps in a row that hardly moved time */
} Sundials;

bool sundials_create(Sundials *s, const Problem *p, uint32_t n, const double *atol);
/* Weights of errors, from tolerances that may change from step to step; `user` is the Sundials. */
int sundials_weights(N_Vector x, N_Vector weights, void *user);
/* der(x) and its Jacobian, as CVODE and ARKODE call them; `user` is the Sundials. */
int sundials_right_side(realtype t, N_Vector x, N_Vector dx, void *user);
int sundials_jacobian(realtype t, N_Vector x, N_Vector fx, SUNMatrix matrix, void *user,
                      N_Vector w1, N_Vector w2, N_Vector w3);
/* The matrix and its solver. Without a pattern (col_ptr NULL) it is dense and the library uses
 * difference quotients. */
bool sundials_linear(Sundials *s, const uint32_t *col_ptr, const uint32_t *row);
/* s->values into the matrix; `shift` is added to the first n_shift entries of the diagonal. */
void sundials_fill(const Sundials *s, SUNMatrix matrix, double shift, uint32_t n_shift);
/* Solver.filter with the factors of 1 - γJ: b becomes (1/γ - J)⁻¹ b. Returns 1/γ, or 0: failed. */
double sundials_filter(Sundials *s, double gamma, double *b);
void sundials_destroy(Sundials *s);
/* The one of the first n components with the largest |weight*error|. */
uint32_t sundials_largest(const Sundials *s, uint32_t n);
/* Counts steps that hardly move time: false after too many of them. */
bool sundials_advances(Sundials *s, double from, double to);
void sundials_ignore_message(int code, const char *module, const char *function, char *text,
                             void *user);

#endif

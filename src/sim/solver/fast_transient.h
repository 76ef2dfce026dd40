/* Transients that end before the next time that can be told apart: time constants near the
 * resolution of time. No step with error control can follow them.
 *
 * In: the problem, a time and a state. Out: the state after the transient, at the same time. */
#ifndef SIM_SOLVER_FAST_TRANSIENT_H
#define SIM_SOLVER_FAST_TRANSIENT_H

#include "sim/solver/solver.h"

/* Lets the fast components of x come to rest, by steps of length h. h is so short that the other
 * components keep their values within the tolerance. False if there is no such transient, if it
 * does not decay, or if the Jacobian is not available; then x keeps its value. */
bool fast_transient_pass(const Problem *p, double t, double h, double *x);

#endif

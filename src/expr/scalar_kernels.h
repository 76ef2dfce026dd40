/* Scalar kernels: the operators on doubles. Evaluator, constant folding and generated code share
 * them. Booleans are 0 and 1. */
#ifndef EXPR_SCALAR_KERNELS_H
#define EXPR_SCALAR_KERNELS_H

#include "expr/graph.h"

double op_apply1(ExprOp op, double a);
double op_apply2(ExprOp op, double a, double b);

#endif

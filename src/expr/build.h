/* Shared by the files of expr/ that build simplified nodes. Not for other folders. */
#ifndef EXPR_BUILD_H
#define EXPR_BUILD_H

#include "expr/function.h"
#include "expr/scalar_kernels.h"

static inline bool is_number(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return op == OP_REAL || op == OP_INT;
}

/* Inserts OP_TO_REAL if e is Integer and `element` is Real. */
ExprId build_coerce(Graph *g, ExprId e, TypeId element);
/* The type of an element-wise operation: dimensions of the array operand, Real unless both are
 * Integer; known dimensions win over unknown ones. */
TypeId build_join(Graph *g, TypeId a, TypeId b);

/* n-ary sums and products (build_sum.c). */
ExprId build_sum(Graph *g, const ExprId *args, uint32_t n);
ExprId build_product(Graph *g, const ExprId *args, uint32_t n);

#endif

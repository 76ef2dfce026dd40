/* Shared by the files of expr/ that build simplified nodes. Not for other folders. */
#ifndef EXPR_BUILD_H
#define EXPR_BUILD_H

#include "expr/function.h"
#include "expr/scalar_kernels.h"

/* A literal number: exact for Integers. */
typedef struct Num {
    bool real;
    double r;
    int64_t i;
} Num;

static inline bool is_number(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return op == OP_REAL || op == OP_INT;
}

Num num_of(const Graph *g, ExprId literal);
Num num_make(bool real, int64_t v);
ExprId num_literal(Graph *g, Num v);
/* False if the result would overflow, or vanish without a factor of zero. */
bool num_add(Num a, Num b, Num *out);
bool num_mul(Num a, Num b, Num *out);
static inline bool num_is(Num a, int64_t v)
{
    return a.real ? a.r == (double)v : a.i == v;
}
static inline bool num_negative(Num a)
{
    return a.real ? a.r < 0 : a.i < 0;
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

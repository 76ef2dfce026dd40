/* Shared by the files that implement symbolic.h. Not for other folders. */
#ifndef DAE_SYMBOLIC_WORK_H
#define DAE_SYMBOLIC_WORK_H

#include "dae/symbolic/symbolic.h"

typedef struct HoleSet {
    uint32_t at, n; /* in Symbolic.pool */
} HoleSet;

struct Symbolic {
    Graph *g;
    Arena *arena; /* for messages */
    const char *why;
    Map derivatives; /* (node, hole) to ∂node/∂hole; EXPR_NONE if there is none */
    Map reasons;     /* (node, hole) to an index of `texts` */
    VEC(const char *) texts;
    Map sets; /* node to an index of hole_sets */
    VEC(HoleSet) hole_sets;
    VEC(uint32_t) pool;
    Map linearities; /* (node, hole) to Linearity */
    Map solutions;   /* (node, hole) to an index of `solved` */
    VEC(Solution) solved;
    Map inlined;  /* OP_CALL to its body as an expression; EXPR_NONE if there is none */
    Map expanded; /* node to itself with calls replaced */
    /* body that replaced a call of a function with derivative annotations to that call */
    Map expanded_calls;
    unsigned inlining;
    /* bodies being differentiated as the calls they replace */
    unsigned calling;
    Map tangent_of;                     /* function to an index of `tangents` */
    VEC(const FnDerivative *) tangents; /* NULL if there is none */
    /* derivative function of first order to the number of its inputs before the derivatives of
     * inputs, in which it is linear */
    Map seeds;
};

/* EXPR_NONE */
ExprId symbolic_fail(Symbolic *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The result of an OP_CALL as an expression over its arguments: a scalar, OP_ARRAY, OP_RECORD or,
 * of several results, OP_TUPLE. EXPR_NONE if its body does not allow that. */
ExprId symbolic_inline(Symbolic *s, ExprId call);
/* A derivative of first order made from the body of f; NULL if it has none (external code, …).
 */
const FnDerivative *symbolic_tangent(Symbolic *s, const Function *f);
/* The derivative of an expression in a function; local k moves as local tangents[k] (UINT32_MAX: it
 * does not). */
ExprId symbolic_along(Symbolic *s, ExprId e, const uint32_t *tangents, uint32_t n);
/* derive_reductions.c: the derivative of OP_PRODUCT, OP_MIN_OF, OP_MAX_OF or an OP_REDUCE by one of
 * these; `rate` is that of the array, or of the body. */
ExprId symbolic_reduction(Symbolic *s, ExprId e, ExprId rate);
/* ---- symbolic.c ---- */
/* e = a * hole + b with a and b free of the hole; false if it is not of that form. */
bool symbolic_affine(Symbolic *s, ExprId e, uint32_t hole, ExprId *a, ExprId *b);

/* ---- zero.c ---- */
/* the type of a derivative: Real if the value is Integer */
TypeId symbolic_rate_type(Graph *g, TypeId type);
bool symbolic_holds_reals(const Graph *g, TypeId type); /* a part of such a value is a Real */
/* of the type and the sizes of e; Real if e is Integer */
ExprId symbolic_zero_like(Graph *g, ExprId e);
/* A value of this type with zeros in it. */
ExprId symbolic_zero(Graph *g, TypeId type);

static inline bool is_zero(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return (op == OP_REAL || op == OP_INT) && expr_real_value(g, e) == 0.0;
}

/* function_rules.c: the derivative of a function of one or two numbers. Its arguments move at da
 * and db, not both zero. EXPR_NONE if it has none. */
ExprId function_derivative(Graph *g, ExprId e, ExprId da);
ExprId function_derivative2(Graph *g, ExprId e, ExprId da, ExprId db);
/* The a for which op(a) = v; EXPR_NONE if the function is not one-to-one. */
ExprId function_inverse(Symbolic *s, ExprOp op, ExprId v);
/* if v >= 0 then f(v) else -f(-v), without an event: an odd function from its positive half. */
ExprId function_odd(Graph *g, ExprId v, ExprId positive, ExprId negative);

static inline ExprId num(Graph *g, double v)
{
    return expr_real(g, v);
}
static inline ExprId fn1(Graph *g, ExprOp op, ExprId a)
{
    return expr_apply(g, op, T_REAL, 0, &a, 1);
}
static inline ExprId square(Graph *g, ExprId a)
{
    return expr_pow(g, a, num(g, 2));
}
/* if c then a else b, without an event. */
static inline ExprId branch(Graph *g, ExprId c, ExprId a, ExprId b)
{
    ExprId e = expr_if(g, c, a, b);
    return expr_apply(g, OP_NOEVENT, expr_type(g, e), 0, &e, 1);
}

#endif

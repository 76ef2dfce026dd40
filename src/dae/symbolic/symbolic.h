/* Symbolic work on shapes: scalar expressions whose leaves are literals and OP_HOLE. Everything is
 * done once per shape and cached, for any number of equations.
 *
 * Shapes contain no OP_VAR, OP_DER, OP_PRE, OP_TIME: these are operands of the Term (dae.h).
 * Array-valued nodes occur only as arguments and results of OP_CALL. */
#ifndef DAE_SYMBOLIC_H
#define DAE_SYMBOLIC_H

#include "expr/eval/eval.h"

typedef struct Symbolic Symbolic;

Symbolic *symbolic_new(Graph *g);
void symbolic_free(Symbolic *s);

/* Holes of e, ascending; valid until the next call with a new shape. */
const uint32_t *symbolic_holes(Symbolic *s, ExprId e, uint32_t *n);
bool symbolic_depends(Symbolic *s, ExprId e, uint32_t hole);

/* ∂e/∂hole, simplified. EXPR_NONE if it does not exist (an external function without derivative
 * annotation, …); symbolic_why then has the reason. OP_IF differentiates by branch; relations,
 * integer functions and discrete functions have derivative zero; abs, min, max, sign differentiate
 * by branches. Functions: by their derivative annotation, by differentiating a body of plain
 * assignments (inlined), or otherwise any body statement by statement (function_tangents.c). */
ExprId symbolic_diff(Symbolic *s, ExprId e, uint32_t hole);
enum { RATE_NONE = UINT32_MAX, RATE_ONE = UINT32_MAX - 1 };
/* Total derivative with respect to time: hole k changes at the rate of hole rate[k] (RATE_NONE: it
 * is constant; RATE_ONE: it is time). A derivative function of second or higher order is used only
 * if the rate of an input is the hole that the call has for it. */
ExprId symbolic_rate(Symbolic *s, ExprId e, const uint32_t *rate, uint32_t n);
/* The same for code that is executed, not differentiated again: a call of a long function becomes a
 * call of its derivative. */
ExprId symbolic_direction(Symbolic *s, ExprId e, const uint32_t *rate, uint32_t n);
const char *symbolic_why(const Symbolic *s);

/* e with calls of functions annotated with Inline, LateInline or InlineAfterIndexReduction replaced
 * by their bodies; e itself if there are none. Derivatives use the annotations of such functions,
 * so this comes after index reduction. */
ExprId symbolic_expand(Symbolic *s, ExprId e);
/* Gives function g = der(f, x, …) its body. False if a derivative does not exist. */
bool symbolic_partial(Symbolic *s, Function *g);

typedef enum SolveKind {
    SOLVE_NO,     /* not in closed form, or more than one solution */
    SOLVE_UNIT,   /* coefficient is a non-zero constant */
    SOLVE_DIVIDE, /* linear; divides by `divisor`, free of the hole */
    /* by inverting a function that is one-to-one (exp, log, sinh, odd powers, inverse annotation,
       …) */
    SOLVE_INVERSE,
} SolveKind;

typedef struct Solution {
    SolveKind kind;
    ExprId value;   /* over the other holes */
    ExprId divisor; /* SOLVE_DIVIDE */
} Solution;

/* Solves 0 = e for a hole. */
Solution symbolic_solve(Symbolic *s, ExprId e, uint32_t hole);

typedef enum Linearity {
    LINEAR_FREE,
    LINEAR_UNIT,
    LINEAR_CONSTANT,
    LINEAR_VARYING,
    LINEAR_NOT
} Linearity;
/* How e depends on the hole: not at all; with coefficient ±1; with another literal; with a
 * coefficient free of the hole; nonlinearly. */
Linearity symbolic_linearity(Symbolic *s, ExprId e, uint32_t hole);

/* Replaces holes: hole k by with[k] (an expression; EXPR_NONE keeps it). */
ExprId symbolic_substitute(Symbolic *s, ExprId e, const ExprId *with, uint32_t n);

/* Bounds of e for holes within [lo[k], hi[k]] by interval arithmetic; (-inf, inf) if nothing better
 * is known. */
void symbolic_bounds(Symbolic *s, ExprId e, const double *lo, const double *hi, double *e_lo,
                     double *e_hi);

#endif

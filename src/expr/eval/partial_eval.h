/* Partial evaluation: values that do not depend on unknown inputs.
 *
 * Functions run with the known arguments, and other values are marked as unknown. A branch on an
 * unknown condition runs both ways and keeps the values on which both agree. A product with zero is
 * zero. For example, the capacitance of a device vanishes if its parameters say so, although its
 * function computes it from voltages. */
#ifndef EXPR_PARTIAL_EVAL_H
#define EXPR_PARTIAL_EVAL_H

#include "expr/eval/eval.h"

typedef struct PartialEval {
    Graph *g;
    double (*leaf)(void *user, ExprId e); /* value of an OP_HOLE, NaN if unknown */
    void *user;
    uint32_t budget; /* nodes that may still be looked at; once used up nothing is known */
} PartialEval;

/* The value of the scalar e, NaN if unknown. */
double partial_eval_number(PartialEval *w, ExprId e);

#endif

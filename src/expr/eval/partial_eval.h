/* Values that hold whatever is not known turns out to be.
 *
 * Functions are run with those arguments that are known: what is not known is marked, a branch on a
 * condition that is not known runs both ways and keeps what both agree on, and a product with zero
 * is zero. So the capacitance of a device is seen to vanish where its parameters say so, although
 * its function computes it from voltages. */
#ifndef EXPR_PARTIAL_EVAL_H
#define EXPR_PARTIAL_EVAL_H

#include "expr/eval/eval.h"

typedef struct PartialEval {
    Graph *g;
    double (*leaf)(void *user, ExprId e); /* value of an OP_HOLE, NaN where it is not known */
    void *user;
    uint32_t budget; /* nodes that may still be looked at; once used up nothing is known */
} PartialEval;

/* NaN where the value of the scalar e is not known. */
double partial_eval_number(PartialEval *w, ExprId e);

#endif

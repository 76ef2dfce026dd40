/* Interval arithmetic on the operators of expressions. A result contains all values of the operator
 * for operands in their intervals. Results of rounded operations are widened by two units in the
 * last place, but not across zero, because rounding keeps the sign. Values that may be NaN are
 * marked; their interval is for the operands that give a number. Booleans are intervals within [0,
 * 1]. */
#ifndef EXPR_RANGE_H
#define EXPR_RANGE_H

#include "expr/graph.h"

typedef struct Range {
    double lo, hi;
    bool nan; /* may also be NaN */
} Range;

/* Of an operator with arguments all[args[0]] … all[args[n - 1]]; kind: of its result. Leaves are
 * the caller's. */
Range range_apply(ExprOp op, TypeKind kind, const Range *all, const uint32_t *args, uint32_t n);
/* Whether it knows more about the operator than that its value is a number. */
bool range_knows(ExprOp op);

#endif

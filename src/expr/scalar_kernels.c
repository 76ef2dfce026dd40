/* Scalar kernels: the operators on doubles. Evaluator, constant folding and generated code agree on
 * these definitions to the last bit. Booleans are 0 and 1. */
#include "expr/scalar_kernels.h"

#include "base/arith.h"

double op_apply1(ExprOp op, double a)
{
    switch (op) {
        /* clang-format off */
#define F1(op, name, class, behaviour, c, kernel, ...) case OP_##op: return kernel(a);
#define F2(...)
#include "expr/ops.def"
    /* clang-format on */
    case OP_NEG: return -a;
    case OP_NOT: return a == 0.0;
    case OP_INTEGER: return floor(a);
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM:
    case OP_NOEVENT: return a;
    default: return NAN;
    }
}

double op_apply2(ExprOp op, double a, double b)
{
    switch (op) {
        /* clang-format off */
#define F1(...)
#define F2(op, name, class, behaviour, c, kernel, ...) case OP_##op: return kernel(a, b);
#include "expr/ops.def"
    /* clang-format on */
    case OP_ADD: return a + b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_POW: return arith_pow(a, b);
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    case OP_GE: return a >= b;
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_AND: return a != 0.0 && b != 0.0;
    case OP_OR: return a != 0.0 || b != 0.0;
    case OP_MIN: return a < b ? a : b;
    case OP_MAX: return a > b ? a : b;
    case OP_SMOOTH: return b;
    case OP_HOMOTOPY: return a;
    default: return NAN;
    }
}

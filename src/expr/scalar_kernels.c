/* Scalar kernels: what an operator computes on doubles. Evaluator, constant folding and generated
 * code agree on these definitions to the last bit. Booleans are 0 and 1. */
#include "expr/scalar_kernels.h"

#include "base/arith.h"

double op_apply1(ExprOp op, double a)
{
    switch (op) {
    case OP_NEG: return -a;
    case OP_NOT: return a == 0.0;
    case OP_ABS: return fabs(a);
    case OP_SIGN: return arith_sign(a);
    case OP_SQRT: return sqrt(a);
    case OP_SIN: return sin(a);
    case OP_COS: return cos(a);
    case OP_TAN: return tan(a);
    case OP_ASIN: return asin(a);
    case OP_ACOS: return acos(a);
    case OP_ATAN: return atan(a);
    case OP_SINH: return sinh(a);
    case OP_COSH: return cosh(a);
    case OP_TANH: return tanh(a);
    case OP_EXP: return exp(a);
    case OP_LOG: return log(a);
    case OP_LOG10: return log10(a);
    case OP_CEIL: return ceil(a);
    case OP_FLOOR:
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
    case OP_ATAN2: return atan2(a, b);
    case OP_MIN: return a < b ? a : b;
    case OP_MAX: return a > b ? a : b;
    case OP_QUOT: return arith_div(a, b);
    case OP_MOD: return arith_mod(a, b);
    case OP_REM: return arith_rem(a, b);
    case OP_SMOOTH: return b;
    case OP_HOMOTOPY: return a;
    default: return NAN;
    }
}

/* Interval arithmetic: the interval of an operator contains its values at points of the operands'
 * intervals. The values come from the kernels that the evaluator uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/interval.h"
#include "expr/scalar_kernels.h"

#include <math.h>
#include <stdlib.h>

enum { INTERVALS = 400, POINTS = 40 };

static double random_part(void)
{
    return (double)rand() / RAND_MAX;
}

/* Numbers of both signs and many sizes; some are whole, zero or infinite. */
static double random_number(void)
{
    double sign = rand() % 2 ? 1 : -1;
    switch (rand() % 8) {
    case 0: return 0;
    case 1: return sign * INFINITY;
    case 2: return sign * (rand() % 5);
    case 3: return sign * 1e-12 * random_part();
    case 4: return sign * 1e12 * random_part();
    default: return sign * 3 * random_part();
    }
}

static Range random_range(void)
{
    double a = random_number(), b = random_number();
    if (rand() % 6 == 0)
        b = a;
    return (Range){fmin(a, b), fmax(a, b), false};
}

/* A finite point of the interval: near an end, or anywhere. */
static double random_point(Range r)
{
    double lo = fmax(r.lo, -1e15), hi = fmin(r.hi, 1e15);
    if (lo > hi) /* infinite itself */
        return r.lo;
    switch (rand() % 4) {
    case 0: return lo;
    case 1: return hi;
    default: return fmin(hi, fmax(lo, lo + random_part() * (hi - lo)));
    }
}

static void check_value(ExprOp op, const Range *of, uint32_t n, Range found, const double *at)
{
    double y = n == 1 ? op_apply1(op, at[0]) : op_apply2(op, at[0], at[1]);
    bool inside = isnan(y) ? found.nan : y >= found.lo && y <= found.hi;
    if (!inside)
        fail_msg("%s(%.17g, %.17g) = %.17g is not in [%.17g, %.17g] of [%g, %g], [%g, %g]",
                 op_traits[op].text, at[0], at[1], y, found.lo, found.hi, of[0].lo, of[0].hi,
                 of[1].lo, of[1].hi);
}

static void check_operator(ExprOp op, TypeKind kind, uint32_t n)
{
    for (int i = 0; i < INTERVALS; i++) {
        Range of[] = {random_range(), random_range()};
        Range found = range_apply(op, kind, of, (uint32_t[]){0, 1}, n);
        assert_true(found.lo <= found.hi);
        for (int k = 0; k < POINTS; k++)
            check_value(op, of, n, found, (double[]){random_point(of[0]), random_point(of[1])});
    }
}

static void intervals_contain_values(void **state)
{
    (void)state;
    srand(1);
    for (ExprOp op = 1; op < OP_COUNT; op++) {
        OpClass class = op_class(op);
        int args = op_traits[op].args < 0 ? 2 : op_traits[op].args;
        if (class == CLASS_RELATION)
            check_operator(op, TYPE_BOOL, 2);
        else if (class == CLASS_ARITHMETIC || op_is_function(op))
            check_operator(op, TYPE_REAL, (uint32_t)args);
    }
}

/* Exact cases: an interval that is wider than needed proves nothing. */
static void intervals_are_narrow(void **state)
{
    (void)state;
    const Range of[] = {{-2, 3, false}, {2, 2, false}, {0, 1, false}, {1, 4, false}};
    Range square = range_apply(OP_POW, TYPE_REAL, of, (uint32_t[]){0, 1}, 2);
    assert_true(square.lo == 0 && square.hi >= 9 && square.hi < 9 + 1e-12);
    Range root = range_apply(OP_SQRT, TYPE_REAL, of, (uint32_t[]){3}, 1);
    assert_true(root.lo <= 1 && root.lo > 1 - 1e-12 && root.hi >= 2 && root.hi < 2 + 1e-12);
    assert_false(root.nan);
    Range below = range_apply(OP_LT, TYPE_BOOL, of, (uint32_t[]){2, 1}, 2);
    assert_true(below.lo == 1 && below.hi == 1);
    Range absolute = range_apply(OP_ABS, TYPE_REAL, of, (uint32_t[]){0}, 1);
    assert_true(absolute.lo == 0 && absolute.hi == 3);
    assert_true(range_apply(OP_SQRT, TYPE_REAL, of, (uint32_t[]){0}, 1).nan);
    assert_true(range_apply(OP_DIV, TYPE_REAL, of, (uint32_t[]){3, 2}, 2).nan);
    assert_false(range_apply(OP_DIV, TYPE_REAL, of, (uint32_t[]){2, 3}, 2).nan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_contain_values),
        cmocka_unit_test(intervals_are_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

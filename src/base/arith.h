/* Modelica arithmetic that C lacks. The evaluator, constant folding and generated code (through the
 * runtime) all use it, so they agree to the last bit. */
#ifndef BASE_ARITH_H
#define BASE_ARITH_H

#include <math.h>

enum { ARITH_POWER = 64 }; /* integer exponents of at most this size are done by multiplication */

/* Towards zero. */
static inline double arith_div(double a, double b)
{
    return trunc(a / b);
}

static inline double arith_mod(double a, double b)
{
    return a - floor(a / b) * b;
}

static inline double arith_rem(double a, double b)
{
    return a - trunc(a / b) * b;
}

static inline double arith_sign(double a)
{
    return (double)((a > 0.0) - (a < 0.0));
}

/* By repeated squaring; a^2, a^3 and a^4 are a*a, (a*a)*a and (a*a)*(a*a). */
static inline double arith_powi(double a, int n)
{
    double power = a, result = 1.0;
    for (unsigned k = (unsigned)(n < 0 ? -n : n); k != 0; k >>= 1) {
        if (k & 1U) {
            result *= power;
        }
        power *= power;
    }
    return n < 0 ? 1.0 / result : result;
}

static inline double arith_pow(double a, double b)
{
    return fabs(b) <= ARITH_POWER && b == rint(b) ? arith_powi(a, (int)b) : pow(a, b);
}

/* c (m x n) := a (m x k) * b (k x n), by rows. */
static inline void arith_matmul(const double *a, const double *b, double *c, long m, long k, long n)
{
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            double sum = k > 0 ? a[i * k] * b[j] : 0.0;
            for (long l = 1; l < k; l++) {
                sum += a[i * k + l] * b[l * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/* Equal, or both no number. */
static inline int arith_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

#endif

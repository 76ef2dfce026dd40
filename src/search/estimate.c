/* What an estimate is worth: covariances, and combinations of parameters without effect. */
#include "search/search.h"

#include <math.h>
#include <string.h>

/* Below this share of the largest singular value, a combination is not determined. The derivatives
 * are not exact enough to say more. */
static const double SINGULAR = 1e-7;

/* Singular values and right vectors of a (n by n, by columns, overwritten) by rotations of columns
 * (Hestenes). Column k of a becomes u_k s_k. */
static void decompose(uint32_t n, double *a, double *v, double *values)
{
    enum { MOST_SWEEPS = 60 };
    for (uint32_t i = 0; i < n; i++)
        v[i * n + i] = 1;
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++) {
                double x = 0, y = 0, xy = 0;
                for (uint32_t i = 0; i < n; i++) {
                    x += a[p * n + i] * a[p * n + i];
                    y += a[q * n + i] * a[q * n + i];
                    xy += a[p * n + i] * a[q * n + i];
                }
                if (fabs(xy) <= 1e-15 * sqrt(x * y) || !(fabs(xy) > 0))
                    continue;
                double zeta = (y - x) / (2 * xy),
                       t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta)),
                       c = 1 / sqrt(1 + t * t), s = c * t;
                for (uint32_t i = 0; i < 2 * n; i++) {
                    double *at = i < n ? a + i : v + (i - n), left = at[p * n], right = at[q * n];
                    at[p * n] = c * left - s * right;
                    at[q * n] = s * left + c * right;
                }
                turned = true;
            }
    }
    for (uint32_t k = 0; k < n; k++) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += a[k * n + i] * a[k * n + i];
        values[k] = sqrt(sum);
    }
}

/* A combination without effect, its largest entry 1, without the noise of the others. */
static void keep_free(Estimate *e, uint32_t n, const double *v)
{
    double *to = e->free + (size_t)e->n_free++ * n, most = 0;
    for (uint32_t j = 0; j < n; j++)
        most = fabs(v[j]) > fabs(most) * (1 + 1e-6) ? v[j] : most;
    for (uint32_t j = 0; j < n; j++)
        to[j] = fabs(v[j] / most) < 1e-4 ? 0 : v[j] / most;
}

Estimate estimate_of(const double *jacobian, size_t m, uint32_t n, const double *size,
                     double variance, Arena *arena)
{
    Estimate e = {.covariance = ARENA_ARRAY(arena, double, (size_t)n *n),
                  .free = ARENA_ARRAY(arena, double, (size_t)n *n)};
    size_t rows = m > n ? m : n;
    double *copy = ARENA_ARRAY(arena, double, rows *(n + (size_t)1)),
           *a = ARENA_ARRAY(arena, double, (size_t)n *n),
           *v = ARENA_ARRAY(arena, double, (size_t)n *n), *values = ARENA_ARRAY(arena, double, n);
    for (uint32_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++)
            copy[j * rows + i] = jacobian[j * m + i] * size[j];
    triangularize(rows, n, copy, copy + rows * n);
    for (uint32_t j = 0; j < n; j++)
        memcpy(a + j * n, copy + j * rows, n * sizeof *a);
    decompose(n, a, v, values);
    double most = 0, least = INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        most = fmax(most, values[k]);
        least = fmin(least, values[k]);
    }
    e.condition = least > SINGULAR * most ? most / least : INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        if (!(values[k] > SINGULAR * most)) {
            keep_free(&e, n, v + k * n);
            continue;
        }
        double share = variance / (values[k] * values[k]);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                e.covariance[i * n + j] += share * size[i] * size[j] * v[k * n + i] * v[k * n + j];
    }
    for (uint32_t k = 0; k < e.n_free; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n && fabs(e.free[k * n + i]) > 0; j++)
                e.covariance[i * n + j] = e.covariance[j * n + i] = NAN;
    return e;
}

/* ---- Student's distribution ---- */

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;
    d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
    h = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
               odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
               parts[2] = {even, odd}, factor = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + parts[i] * d;
            c = 1 + parts[i] / c;
            d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
            c = fabs(c) < 1e-300 ? 1e-300 : c;
            factor = c * d;
            h *= factor;
        }
        if (fabs(factor - 1) < 1e-15)
            break;
    }
    return h;
}

static double log_gamma(double x)
{
    int sign; /* lgamma has a global one */
    return lgamma_r(x, &sign);
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x >= 1;
    double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(|T| > t) */
static double tails(double t, double n)
{
    return isinf(n) || n > 1e6 ? erfc(t / sqrt(2)) : incomplete_beta(n / 2, 0.5, n / (n + t * t));
}

double student_quantile(double p, double n)
{
    double low = 0, high = 1;
    while (tails(high, n) > 1 - p && high < 1e12)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        *(tails(middle, n) > 1 - p ? &low : &high) = middle;
    }
    return high;
}

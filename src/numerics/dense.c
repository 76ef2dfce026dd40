/* Small dense linear algebra. See dense.h. */
#include "numerics/dense.h"

#include <math.h>
#include <stddef.h>

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

bool dense_factor(uint32_t n, double *a, uint32_t *pivot)
{
    for (uint32_t k = 0; k < n; k++) {
        double *ck = a + (size_t)k * n, largest = 0.0, column = 0.0;
        uint32_t p = k;
        for (uint32_t i = 0; i < n; i++) {
            double x = fabs(ck[i]);
            column = x > column ? x : column;
            if (i >= k && x > largest) {
                largest = x;
                p = i;
            }
        }
        pivot[k] = p;
        if (!(largest > 1e-14 * column) || !(largest > 1e-300)) {
            return false;
        }
        if (p != k) {
            for (uint32_t j = 0; j < n; j++) {
                swap(a + (size_t)j * n + k, a + (size_t)j * n + p);
            }
        }
        for (uint32_t i = k + 1; i < n; i++) {
            ck[i] /= ck[k];
        }
        for (uint32_t j = k + 1; j < n; j++) {
            double *cj = a + (size_t)j * n, f = cj[k];
            for (uint32_t i = k + 1; f != 0.0 && i < n; i++) {
                cj[i] -= ck[i] * f;
            }
        }
    }
    return true;
}

void dense_solve(uint32_t n, const double *a, const uint32_t *pivot, double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        if (pivot[k] != k) {
            swap(&b[k], &b[pivot[k]]);
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *ck = a + (size_t)k * n;
        for (uint32_t i = k + 1; i < n; i++) {
            b[i] -= ck[i] * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *ck = a + (size_t)k * n;
        b[k] /= ck[k];
        for (uint32_t i = 0; i < k; i++) {
            b[i] -= ck[i] * b[k];
        }
    }
}

/* Moves the largest remaining entry to (k, k); returns its size. */
static double bring_pivot(uint32_t n, double *a, double *b, uint32_t *column, uint32_t k)
{
    uint32_t pi = k, pj = k;
    double largest = 0.0;
    for (uint32_t j = k; j < n; j++) {
        for (uint32_t i = k; i < n; i++) {
            double x = fabs(a[(size_t)j * n + i]);
            if (x > largest) {
                largest = x;
                pi = i;
                pj = j;
            }
        }
    }
    for (uint32_t j = 0; pi != k && j < n; j++) {
        swap(&a[(size_t)j * n + k], &a[(size_t)j * n + pi]);
    }
    for (uint32_t i = 0; pj != k && i < n; i++) {
        swap(&a[(size_t)k * n + i], &a[(size_t)pj * n + i]);
    }
    swap(&b[k], &b[pi]);
    uint32_t c = column[k];
    column[k] = column[pj];
    column[pj] = c;
    return largest;
}

static uint32_t eliminate(uint32_t n, double *a, double *b, double least, uint32_t *column)
{
    double first = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        column[k] = k;
    }
    for (uint32_t k = 0; k < n; k++) {
        double largest = bring_pivot(n, a, b, column, k);
        first = k == 0 ? largest : first;
        if (!(largest > least * first) || largest == 0.0) {
            return k;
        }
        double *ck = a + (size_t)k * n;
        for (uint32_t i = k + 1; i < n; i++) {
            double f = ck[i] / ck[k];
            for (uint32_t j = k + 1; f != 0.0 && j < n; j++) {
                a[(size_t)j * n + i] -= f * a[(size_t)j * n + k];
            }
            b[i] -= f * b[k];
        }
    }
    return n;
}

/* x := U⁻¹ x for the leading r by r triangle. */
static void back_substitute(uint32_t n, uint32_t r, const double *a, double *x)
{
    for (uint32_t k = r; k-- > 0;) {
        x[k] /= a[(size_t)k * n + k];
        for (uint32_t i = 0; i < k; i++) {
            x[i] -= a[(size_t)k * n + i] * x[k];
        }
    }
}

/* Adds the null-space vector to y that makes y shortest. y is a solution in pivot order. */
static void shorten(uint32_t n, uint32_t r, double *a, double *y, double *work, uint32_t *pivot)
{
    uint32_t k = n - r;
    double *g = work, *z = work + (size_t)k * k; /* normal equations of the null space */
    for (uint32_t c = 0; c < k; c++) {
        back_substitute(n, r, a, a + (size_t)(r + c) * n); /* null vector c: (-column, unit c) */
    }
    for (uint32_t c = 0; c < k; c++) {
        const double *nc = a + (size_t)(r + c) * n;
        z[c] = 0.0;
        for (uint32_t i = 0; i < r; i++) {
            z[c] += nc[i] * y[i];
        }
        for (uint32_t d = 0; d < k; d++) {
            const double *nd = a + (size_t)(r + d) * n;
            double sum = c == d ? 1.0 : 0.0;
            for (uint32_t i = 0; i < r; i++) {
                sum += nc[i] * nd[i];
            }
            g[(size_t)d * k + c] = sum;
        }
    }
    if (!dense_factor(k, g, pivot)) {
        return;
    }
    dense_solve(k, g, pivot, z);
    for (uint32_t c = 0; c < k; c++) {
        for (uint32_t i = 0; i < r; i++) {
            y[i] -= a[(size_t)(r + c) * n + i] * z[c];
        }
        y[r + c] = z[c];
    }
}

double dense_min_norm(uint32_t n, double *a, double *b, double least, double *work, uint32_t *order,
                      uint32_t *rank)
{
    uint32_t r = eliminate(n, a, b, least, order);
    double left = 0.0, *y = work + (size_t)n * n + n;
    for (uint32_t i = r; i < n; i++) {
        left = fabs(b[i]) > left ? fabs(b[i]) : left;
    }
    for (uint32_t i = 0; i < n; i++) {
        y[i] = i < r ? b[i] : 0.0;
    }
    back_substitute(n, r, a, y);
    if (r < n && r > 0) {
        shorten(n, r, a, y, work, order + n);
    }
    for (uint32_t i = 0; i < n; i++) {
        b[order[i]] = y[i];
    }
    *rank = r;
    return left;
}

/* Null vector c after an elimination of rank r, its largest entry 1. */
static void null_vector(uint32_t n, uint32_t r, uint32_t c, double *a, const uint32_t *column,
                        double *x)
{
    double *null = a + (size_t)(r + c) * n, largest = 1.0;
    back_substitute(n, r, a, null);
    for (uint32_t i = 0; i < n; i++) {
        x[column[i]] = i < r ? -null[i] : 0.0;
        largest = i < r && fabs(null[i]) > largest ? fabs(null[i]) : largest;
    }
    x[column[r + c]] = 1.0;
    for (uint32_t i = 0; i < n; i++) {
        x[i] /= largest;
    }
}

bool dense_null(uint32_t n, double *a, double *x, uint32_t *column)
{
    for (uint32_t i = 0; i < n; i++) {
        x[i] = 0.0;
    }
    uint32_t r = eliminate(n, a, x, DENSE_SINGULAR, column);
    if (r == n) {
        return false;
    }
    null_vector(n, r, 0, a, column, x);
    return true;
}

uint32_t dense_null_space(uint32_t n, double *a, double least, double *basis, uint32_t *column)
{
    for (uint32_t i = 0; i < n; i++) {
        basis[i] = 0.0;
    }
    uint32_t r = eliminate(n, a, basis, least, column);
    for (uint32_t c = 0; c < n - r; c++) {
        null_vector(n, r, c, a, column, basis + (size_t)c * n);
    }
    return n - r;
}

double dense_product(const double *a, const double *b, uint32_t n)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

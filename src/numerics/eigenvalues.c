/* Eigenvalues of a dense matrix: balancing, Hessenberg form, double shifts. */
#include "numerics/linear_systems.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define AT(i, j) a[(size_t)(j)*n + (i)]

/* ---- balancing ---- */

static double row_sum(uint32_t n, const double *a, uint32_t i)
{
    double sum = 0;
    for (uint32_t j = 0; j < n; j++)
        sum += j == i ? 0 : fabs(AT(i, j));
    return sum;
}

static double column_sum(uint32_t n, const double *a, uint32_t i)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += k == i ? 0 : fabs(AT(k, i));
    return sum;
}

/* Scales rows and columns by powers of two, until their sums are alike. */
static void balance(uint32_t n, double *a)
{
    enum { MOST_SWEEPS = 100 };
    bool changed = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; sweep++) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            double r = row_sum(n, a, i), c = column_sum(n, a, i);
            if (r == 0 || c == 0)
                continue;
            int power = (int)lround(0.5 * log2(r / c));
            double f = ldexp(1, power);
            if (power == 0 || c * f + r / f > 0.95 * (c + r))
                continue;
            changed = true;
            for (uint32_t j = 0; j < n; j++)
                AT(i, j) /= f;
            for (uint32_t k = 0; k < n; k++)
                AT(k, i) *= f;
        }
    }
}

/* ---- reflections ---- */

/* v and *beta with (I - beta*v*v') x = (norm, 0, …). */
static void reflector(uint32_t n, const double *x, double *v, double *beta)
{
    double largest = 0, norm = 0;
    for (uint32_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    *beta = 0;
    if (largest == 0)
        return;
    for (uint32_t i = 0; i < n; i++) {
        v[i] = x[i] / largest;
        norm += v[i] * v[i];
    }
    norm = sqrt(norm);
    v[0] += v[0] < 0 ? -norm : norm;
    double square = 0;
    for (uint32_t i = 0; i < n; i++)
        square += v[i] * v[i];
    *beta = 2 / square;
}

/* Rows first … first + k of columns from … to, from the left. */
static void reflect_rows(uint32_t n, double *a, const double *v, double beta, uint32_t first,
                         uint32_t k, uint32_t from, uint32_t to)
{
    for (uint32_t j = from; j < to; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < k; i++)
            sum += v[i] * AT(first + i, j);
        for (uint32_t i = 0; i < k; i++)
            AT(first + i, j) -= beta * sum * v[i];
    }
}

/* Columns first … first + k of rows from … to, from the right. */
static void reflect_columns(uint32_t n, double *a, const double *v, double beta, uint32_t first,
                            uint32_t k, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < k; j++)
            sum += v[j] * AT(i, first + j);
        for (uint32_t j = 0; j < k; j++)
            AT(i, first + j) -= beta * sum * v[j];
    }
}

static void to_hessenberg(uint32_t n, double *a, double *v)
{
    for (uint32_t k = 0; k + 2 < n; k++) {
        double beta;
        reflector(n - k - 1, &AT(k + 1, k), v, &beta);
        if (beta == 0)
            continue;
        reflect_rows(n, a, v, beta, k + 1, n - k - 1, k, n);
        reflect_columns(n, a, v, beta, k + 1, n - k - 1, 0, n);
        for (uint32_t i = k + 2; i < n; i++)
            AT(i, k) = 0;
    }
}

/* ---- double shifts ---- */

/* The first row of the active block that ends with row `hi`: small entries below the diagonal
 * become zero. */
static uint32_t active_block(uint32_t n, double *a, uint32_t hi)
{
    uint32_t l = hi;
    for (; l > 0; l--) {
        double scale = fabs(AT(l - 1, l - 1)) + fabs(AT(l, l));
        scale = scale == 0 ? 1 : scale;
        if (fabs(AT(l, l - 1)) <= DBL_EPSILON * scale) {
            AT(l, l - 1) = 0;
            break;
        }
    }
    return l;
}

static void pair_values(uint32_t n, const double *a, uint32_t i, double *re, double *im)
{
    double p = 0.5 * (AT(i, i) - AT(i + 1, i + 1)), bc = AT(i, i + 1) * AT(i + 1, i);
    double q = p * p + bc, root = sqrt(fabs(q));
    if (q >= 0) {
        double far = p + (p < 0 ? -root : root);
        re[i] = AT(i + 1, i + 1) + far;
        re[i + 1] = far == 0 ? AT(i + 1, i + 1) : AT(i + 1, i + 1) - bc / far;
        im[i] = im[i + 1] = 0;
    } else {
        re[i] = re[i + 1] = AT(i + 1, i + 1) + p;
        im[i] = root;
        im[i + 1] = -root;
    }
}

/* One step on rows l … hi, with the eigenvalues of its last two rows as shifts; `odd`: others, in
 * case the iteration goes round. */
static void shift_step(uint32_t n, double *a, uint32_t l, uint32_t hi, bool odd)
{
    double s = AT(hi - 1, hi - 1) + AT(hi, hi),
           t = AT(hi - 1, hi - 1) * AT(hi, hi) - AT(hi - 1, hi) * AT(hi, hi - 1);
    if (odd) {
        double w = fabs(AT(hi, hi - 1)) + fabs(AT(hi - 1, hi - 2));
        s = 1.5 * w + 2 * AT(hi, hi);
        t = w * w + 1.5 * w * AT(hi, hi) + AT(hi, hi) * AT(hi, hi);
    }
    double x[3] = {AT(l, l) * AT(l, l) + AT(l, l + 1) * AT(l + 1, l) - s * AT(l, l) + t,
                   AT(l + 1, l) * (AT(l, l) + AT(l + 1, l + 1) - s),
                   AT(l + 1, l) * AT(l + 2, l + 1)};
    for (uint32_t k = l; k < hi; k++) {
        uint32_t size = k + 1 < hi ? 3 : 2, from = k > l ? k - 1 : l,
                 to = k + 4 < hi + 1 ? k + 4 : hi + 1;
        double v[3], beta;
        reflector(size, x, v, &beta);
        reflect_rows(n, a, v, beta, k, size, from, hi + 1);
        reflect_columns(n, a, v, beta, k, size, l, to);
        for (uint32_t i = k + 1; k > l && i < k + size; i++)
            AT(i, k - 1) = 0;
        for (uint32_t i = 0; i < 3; i++)
            x[i] = k + 1 + i <= hi ? AT(k + 1 + i, k) : 0;
    }
}

static bool iterate(uint32_t n, double *a, double *re, double *im)
{
    enum { MOST = 60 };
    uint32_t left = n;
    for (int turn = 1; left > 0; turn++) {
        uint32_t hi = left - 1, l = active_block(n, a, hi);
        if (turn > MOST)
            return false;
        if (l + 1 < hi) {
            shift_step(n, a, l, hi, turn % 10 == 0);
            continue;
        }
        if (l == hi) {
            re[hi] = AT(hi, hi);
            im[hi] = 0;
        } else {
            pair_values(n, a, l, re, im);
        }
        left = l;
        turn = 0;
    }
    return true;
}

/* ---- the whole ---- */

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_values(uint32_t n, double *re, double *im)
{
    double *pairs = memory_alloc(((size_t)n + 1) * 2 * sizeof *pairs);
    for (uint32_t i = 0; i < n; i++) {
        pairs[2 * i] = re[i];
        pairs[2 * i + 1] = im[i];
    }
    qsort(pairs, n, 2 * sizeof *pairs, by_value);
    for (uint32_t i = 0; i < n; i++) {
        re[i] = pairs[2 * i];
        im[i] = pairs[2 * i + 1];
    }
    memory_free(pairs);
}

bool linear_eigenvalues(uint32_t n, double *a, double *re, double *im)
{
    for (size_t i = 0; i < (size_t)n * n; i++)
        if (!isfinite(a[i]))
            return false;
    double *v = memory_alloc(((size_t)n + 1) * sizeof *v);
    balance(n, a);
    to_hessenberg(n, a, v);
    bool found = iterate(n, a, re, im);
    if (found)
        sort_values(n, re, im);
    memory_free(v);
    return found;
}

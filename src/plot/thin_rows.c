/* Fewer rows of a curve, with the same peaks and jumps. */
#include "plot/figure.h"

#include <math.h>

/* The first, least, greatest and last row of [i, k) in order. */
static uint32_t keep(const double *y, uint32_t i, uint32_t k, uint32_t *rows)
{
    uint32_t lo = i, hi = i, n = 0;
    for (uint32_t r = i; r < k; r++) {
        if (y[r] < y[lo] || isnan(y[lo]))
            lo = r;
        if (y[r] > y[hi] || isnan(y[hi]))
            hi = r;
    }
    uint32_t chosen[4] = {i, lo < hi ? lo : hi, lo < hi ? hi : lo, k - 1};
    for (int c = 0; c < 4; c++)
        if (!n || chosen[c] > rows[n - 1])
            rows[n++] = chosen[c];
    return n;
}

uint32_t plot_reduce(const double *x, const double *y, uint32_t n, uint32_t pieces, uint32_t *rows)
{
    if (n <= 4 * pieces || pieces == 0) {
        for (uint32_t i = 0; i < n; i++)
            rows[i] = i;
        return n;
    }
    double width = (x[n - 1] - x[0]) / pieces;
    uint32_t kept = 0;
    for (uint32_t i = 0, k; i < n; i = k) {
        double end = x[0] + width * (floor((x[i] - x[0]) / width) + 1);
        for (k = i + 1; k < n && x[k] < end; k++)
            ;
        kept += keep(y, i, k, rows + kept);
    }
    return kept;
}

#include "numerics/column_basis.h"

#include <math.h>

static const double singular_fraction = 1e-12, best_slack = 1.01;

static bool in_basis(const uint32_t *basis, uint32_t n, uint32_t j)
{
    for (uint32_t i = 0; i < n; i++)
        if (basis[i] == j)
            return true;
    return false;
}

static void swap_rows(double *a, uint32_t n, uint32_t i, uint32_t k)
{
    for (uint32_t j = 0; j < n && i != k; j++) {
        double x = a[(uint64_t)i * n + j];
        a[(uint64_t)i * n + j] = a[(uint64_t)k * n + j];
        a[(uint64_t)k * n + j] = x;
    }
}

/* Column j becomes the unit vector of row i, by row operations. */
static void pivot(double *a, uint32_t m, uint32_t n, uint32_t i, uint32_t j)
{
    double *row = a + (uint64_t)i * n, p = row[j];
    for (uint32_t k = 0; k < n; k++)
        row[k] /= p;
    for (uint32_t r = 0; r < m; r++) {
        double *other = a + (uint64_t)r * n, f = other[j];
        for (uint32_t k = 0; k < n && r != i && f != 0; k++)
            other[k] -= f * row[k];
        if (r != i)
            other[j] = 0;
    }
}

static double largest_of(const double *a, uint64_t n)
{
    double most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* The largest entry in rows k … m of one column, or of all that are not in the basis yet. */
static double largest_entry(const double *a, uint32_t m, uint32_t n, const uint32_t *basis,
                            uint32_t k, bool fresh, uint32_t *row, uint32_t *col)
{
    double most = 0;
    for (uint32_t j = fresh ? 0 : basis[k]; j < (fresh ? n : basis[k] + 1); j++) {
        if (fresh && in_basis(basis, k, j))
            continue;
        for (uint32_t i = k; i < m; i++)
            if (fabs(a[(uint64_t)i * n + j]) > most) {
                most = fabs(a[(uint64_t)i * n + j]);
                *row = i;
                *col = j;
            }
    }
    return most;
}

static bool reduce(double *a, uint32_t m, uint32_t n, uint32_t *basis, bool fresh)
{
    double scale = largest_of(a, (uint64_t)m * n);
    for (uint32_t k = 0; k < m; k++) {
        uint32_t row = k, col = 0;
        if (!(largest_entry(a, m, n, basis, k, fresh, &row, &col) > singular_fraction * scale))
            return false;
        swap_rows(a, n, k, row);
        pivot(a, m, n, k, col);
        basis[k] = col;
    }
    return true;
}

ColumnsChoice columns_choose(double *a, uint32_t m, uint32_t n, uint32_t *basis, bool fresh,
                             double slack)
{
    if (!reduce(a, m, n, basis, fresh))
        return COLUMNS_SINGULAR;
    for (bool changed = false;; changed = true) {
        uint32_t row = 0, col = 0;
        double most = 0;
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < n; j++)
                if (fabs(a[(uint64_t)i * n + j]) > most && !in_basis(basis, m, j)) {
                    most = fabs(a[(uint64_t)i * n + j]);
                    row = i;
                    col = j;
                }
        if (!(most > (changed || fresh ? best_slack : slack)))
            return changed || fresh ? COLUMNS_CHANGED : COLUMNS_KEPT;
        pivot(a, m, n, row, col);
        basis[row] = col;
    }
}

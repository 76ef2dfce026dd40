/* Anderson's acceleration of a fixed-point iteration x = g(x).
 *
 * In: an image g of the present x, and g - x. Out: the next x, the combination of the last images
 * for which the residuals nearly cancel in the least-squares sense, weighted by the tolerances. It
 * solves coupled stages of inline integration, and states that are not inlined. */
#include "base/memory.h"
#include "sim/solver/anderson.h"

#include <math.h>

enum { DEPTH = 6 };

struct Anderson {
    uint32_t n;
    double *df[DEPTH], *dg[DEPTH];
    double *last_f, *last_g;
};

Anderson *anderson_new(uint32_t n)
{
    Anderson *a = memory_alloc(sizeof *a);
    double *at = memory_alloc((2 * DEPTH + 2) * ((size_t)n + 1) * sizeof *at);
    a->n = n;
    a->last_f = at;
    a->last_g = at + n;
    for (uint32_t i = 0; i < DEPTH; i++) {
        a->df[i] = at + (2 + (size_t)i) * n;
        a->dg[i] = at + (2 + DEPTH + (size_t)i) * n;
    }
    return a;
}

void anderson_free(Anderson *a)
{
    if (a)
        memory_free(a->last_f);
    memory_free(a);
}

/* Solves the normal equations a*c = b of size n, in place; undetermined components stay zero. */
static void solve_small(uint32_t n, double a[DEPTH][DEPTH], double *b)
{
    for (uint32_t i = 0; i < n; i++)
        a[i][i] *= 1 + 1e-10;
    for (uint32_t k = 0; k < n; k++) {
        if (!(a[k][k] > 0)) {
            for (uint32_t i = 0; i < n; i++)
                b[i] = 0;
            return;
        }
        for (uint32_t i = k + 1; i < n; i++) {
            double q = a[i][k] / a[k][k];
            for (uint32_t j = k; j < n; j++)
                a[i][j] -= q * a[k][j];
            b[i] -= q * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t j = k + 1; j < n; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

static double scaled_dot(const Problem *p, const double *size, const double *a, const double *b,
                         uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double w = solver_weight(p, i, fabs(size[i]));
        sum += a[i] / w * (b[i] / w);
    }
    return sum;
}

void anderson_next(Anderson *w, const Problem *p, const double *size, uint32_t turn,
                   const double *f, const double *g, double *x)
{
    uint32_t n = w->n, m = turn < DEPTH ? turn : DEPTH;
    double a[DEPTH][DEPTH], c[DEPTH];
    if (turn > 0) {
        double *df = w->df[(turn - 1) % DEPTH], *dg = w->dg[(turn - 1) % DEPTH];
        for (uint32_t i = 0; i < n; i++) {
            df[i] = f[i] - w->last_f[i];
            dg[i] = g[i] - w->last_g[i];
        }
    }
    for (uint32_t i = 0; i < m; i++) {
        c[i] = scaled_dot(p, size, w->df[i], f, n);
        for (uint32_t j = 0; j < m; j++)
            a[i][j] = scaled_dot(p, size, w->df[i], w->df[j], n);
    }
    solve_small(m, a, c);
    for (uint32_t i = 0; i < n; i++) {
        w->last_f[i] = f[i];
        w->last_g[i] = g[i];
        x[i] = g[i];
        for (uint32_t j = 0; j < m; j++)
            x[i] -= c[j] * w->dg[j][i];
    }
}

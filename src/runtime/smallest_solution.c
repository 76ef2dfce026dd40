/* The smallest of the solutions of a linear block that is singular but consistent.
 *
 * In: a block at one of its solutions. Out: the solution for which the sum of squares of all its
 * real unknowns, in units of their nominal values, is smallest. Tearing has no effect: each of
 * several parallel ideal switches takes its share, although only some of their currents are torn.
 * An unknown that no equation determines, and on which no other unknown depends, keeps its
 * value. */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FREE = 16 };
static const double NEGLIGIBLE = 1e-11; /* of the largest entry */

struct Smallest {
    uint32_t *inner, n_inner; /* unknowns that inner steps compute */
    /* MOST_FREE of size n + n_inner, in nominal values, and room for one more */
    double *direction;
    uint32_t n_kept; /* directions in which values are kept; the first one if there are no others */
};

void smallest_free(Block *b)
{
    if (b->smallest == NULL) {
        return;
    }
    free(b->smallest->inner);
    free(b->smallest->direction);
    free(b->smallest);
    b->smallest = NULL;
}

/* A value that no computation yields, as a marker. */
static double mark(void)
{
    uint64_t bits = 0x7ff8a5a5a5a5a5a5ULL;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool is_marked(const double *x)
{
    double m = mark();
    return memcmp(x, &m, sizeof m) == 0;
}

/* The tangent of the block computes its inner unknowns, and nothing else but residuals. */
static bool find_inner(Runtime *rt, const Block *b, Smallest *s)
{
    uint32_t n = rt->code->n_vars;
    double *kept = malloc(((size_t)n + 1) * sizeof *kept);
    s->inner = malloc(((size_t)n + 1) * sizeof *s->inner);
    if (kept == NULL || s->inner == NULL) {
        free(kept);
        return false;
    }
    memcpy(kept, rt->m.dv, n * sizeof *kept);
    for (uint32_t v = 0; v < n; v++) {
        rt->m.dv[v] = mark();
    }
    for (uint32_t i = 0; i < b->n; i++) {
        rt->m.dv[b->code->vars[i]] = 0.0;
    }
    b->code->tangent(&rt->m);
    for (uint32_t i = 0; i < b->n; i++) {
        rt->m.dv[b->code->vars[i]] = mark();
    }
    for (uint32_t v = 0; v < n; v++) {
        if (!is_marked(&rt->m.dv[v])) {
            s->inner[s->n_inner++] = v;
        }
    }
    memcpy(rt->m.dv, kept, n * sizeof *kept);
    free(kept);
    return true;
}

static Smallest *smallest_of(Runtime *rt, Block *b)
{
    if (b->smallest != NULL) {
        return b->smallest;
    }
    Smallest *s = b->smallest = calloc(1, sizeof *s);
    if (s != NULL && find_inner(rt, b, s)) {
        s->direction =
            malloc((MOST_FREE + 1) * ((size_t)b->n + s->n_inner + 1) * sizeof *s->direction);
    }
    if (s == NULL || s->direction == NULL) {
        smallest_free(b);
    }
    return b->smallest;
}

/* ---- directions in which the solution is free ---- */

/* Gauss and Jordan's elimination with complete pivoting of a, by columns; order: columns, pivots
 * first. Returns the rank. */
static uint32_t eliminate(uint32_t n, double *a, uint32_t *order)
{
    double first = 0.0;
    for (uint32_t j = 0; j < n; j++) {
        order[j] = j;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t row = k, col = k;
        double most = 0.0;
        for (uint32_t j = k; j < n; j++) {
            for (uint32_t i = k; i < n; i++) {
                double x = fabs(a[(size_t)order[j] * n + i]);
                if (x > most) {
                    most = x, row = i, col = j;
                }
            }
        }
        first = k == 0 ? most : first;
        if (most <= NEGLIGIBLE * first) {
            return k;
        }
        uint32_t c = order[col];
        order[col] = order[k];
        order[k] = c;
        for (uint32_t j = 0; j < n; j++) {
            double x = a[(size_t)j * n + row];
            a[(size_t)j * n + row] = a[(size_t)j * n + k];
            a[(size_t)j * n + k] = x;
        }
        for (uint32_t i = 0; i < n; i++) {
            double q = i == k ? 0.0 : a[(size_t)c * n + i] / a[(size_t)c * n + k];
            for (uint32_t j = k; q != 0.0 && j < n; j++) {
                a[(size_t)order[j] * n + i] -= q * a[(size_t)order[j] * n + k];
            }
        }
    }
    return n;
}

static double nominal_of(const Runtime *rt, uint32_t v)
{
    return rt->vars[v].nominal > 0.0 ? rt->vars[v].nominal : 1.0;
}

/* All unknowns of the block for a move of its tearing variables, which d begins with. */
static void complete(Runtime *rt, const Block *b, const Smallest *s, double *d)
{
    for (uint32_t i = 0; i < b->n; i++) {
        rt->m.dv[b->code->vars[i]] = d[i] * b->nominal[i];
    }
    b->code->tangent(&rt->m);
    for (uint32_t i = 0; i < s->n_inner; i++) {
        d[b->n + i] = rt->m.dv[s->inner[i]] / nominal_of(rt, s->inner[i]);
    }
}

static bool moves_others(const Block *b, const Smallest *s, const double *d)
{
    for (uint32_t i = 0; i < s->n_inner; i++) {
        if (d[b->n + i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* The number of directions. */
static uint32_t find_directions(Runtime *rt, Block *b, Smallest *s)
{
    uint32_t n = b->n, found = 0;
    s->n_kept = 0;
    uint8_t *open = (uint8_t *)(rt->order + n);
    if (!jacobian_dense(rt, b, rt->matrix)) {
        return 0;
    }
    for (uint32_t j = 0; j < n; j++) {
        open[j] = 1;
        for (uint32_t i = 0; i < n; i++) {
            open[j] &= rt->matrix[(size_t)j * n + i] == 0.0;
        }
    }
    uint32_t rank = eliminate(n, rt->matrix, rt->order);
    for (uint32_t f = rank; f < n && found < MOST_FREE; f++) {
        uint32_t c = rt->order[f];
        double *d = s->direction + (size_t)found * (n + s->n_inner);
        memset(d, 0, n * sizeof *d);
        d[c] = 1.0;
        for (uint32_t k = 0; k < rank; k++) {
            uint32_t p = rt->order[k];
            d[p] = -rt->matrix[(size_t)c * n + k] / rt->matrix[(size_t)p * n + k];
        }
        complete(rt, b, s, d);
        bool kept = open[c] && !moves_others(b, s, d);
        found += !kept;
        s->n_kept += kept;
    }
    return found;
}

/* ---- the smallest ---- */

/* Removes the part along direction k from the solution and from the directions that follow. */
static void shorten(Runtime *rt, const Block *b, const Smallest *s, uint32_t k, uint32_t n_free)
{
    uint32_t n = b->n + s->n_inner;
    double *d = s->direction + (size_t)k * n, size = dense_product(d, d, n), along = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        along += d[i] * rt->m.v[b->code->vars[i]] / b->nominal[i];
    }
    for (uint32_t i = 0; i < s->n_inner; i++) {
        along += d[b->n + i] * rt->m.v[s->inner[i]] / nominal_of(rt, s->inner[i]);
    }
    for (uint32_t i = 0; i < b->n; i++) {
        rt->m.v[b->code->vars[i]] -= along / size * d[i] * b->nominal[i];
    }
    for (uint32_t l = k + 1; l < n_free; l++) {
        double *e = s->direction + (size_t)l * n, share = dense_product(d, e, n) / size;
        for (uint32_t i = 0; i < n; i++) {
            e[i] -= share * d[i];
        }
    }
}

int smallest_solution(Runtime *rt, Block *b)
{
    Smallest *s = b->code->tangent != NULL && b->n <= RESCUE_LIMIT ? smallest_of(rt, b) : NULL;
    uint32_t n_free = s != NULL ? find_directions(rt, b, s) : 0;
    int status = MODEL_OK;
    for (uint32_t k = 0; k < n_free && status == MODEL_OK; k++) {
        shorten(rt, b, s, k, n_free);
        status = solve_evaluate(rt, b);
    }
    if (s != NULL && n_free + s->n_kept > 0 && rt->split_shift != 0.0 && status == MODEL_OK) {
        for (uint32_t i = 0; i < b->n; i++) {
            rt->m.v[b->code->vars[i]] += rt->split_shift * s->direction[i] * b->nominal[i];
        }
        status = solve_evaluate(rt, b);
    }
    return status;
}

void runtime_split(Runtime *rt, double shift)
{
    rt->split_shift = shift;
}

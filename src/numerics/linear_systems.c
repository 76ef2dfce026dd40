/* Zeros, unreached parts and responses of linear systems. */
#include "numerics/linear_systems.h"

#include "base/memory.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices of changing size ---- */

typedef struct Matrix {
    uint32_t rows, columns;
    double *at; /* by columns; rows*columns */
} Matrix;

static Matrix matrix_new(uint32_t rows, uint32_t columns)
{
    return (Matrix){rows, columns, memory_alloc(((size_t)rows * columns + 1) * sizeof(double))};
}

static double get(const Matrix *m, uint32_t i, uint32_t j)
{
    return m->at[(size_t)j * m->rows + i];
}

static void put(Matrix *m, uint32_t i, uint32_t j, double x)
{
    m->at[(size_t)j * m->rows + i] = x;
}

/* Rows r … r + rows and columns c … c + columns of m. */
static Matrix part(const Matrix *m, uint32_t r, uint32_t rows, uint32_t c, uint32_t columns)
{
    Matrix to = matrix_new(rows, columns);
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t i = 0; i < rows; i++)
            put(&to, i, j, get(m, r + i, c + j));
    return to;
}

static Matrix transposed(const Matrix *m)
{
    Matrix to = matrix_new(m->columns, m->rows);
    for (uint32_t j = 0; j < m->columns; j++)
        for (uint32_t i = 0; i < m->rows; i++)
            put(&to, j, i, get(m, i, j));
    return to;
}

/* a above b. */
static Matrix stacked(const Matrix *a, const Matrix *b)
{
    Matrix to = matrix_new(a->rows + b->rows, a->columns);
    for (uint32_t j = 0; j < to.columns; j++)
        for (uint32_t i = 0; i < to.rows; i++)
            put(&to, i, j, i < a->rows ? get(a, i, j) : get(b, i - a->rows, j));
    return to;
}

static void replace(Matrix *m, Matrix by)
{
    memory_free(m->at);
    *m = by;
}

/* (I - beta*v*v') from row `first` on of all columns. */
static void reflect(Matrix *m, const double *v, double beta, uint32_t first)
{
    for (uint32_t j = 0; j < m->columns; j++) {
        double sum = 0;
        for (uint32_t i = first; i < m->rows; i++)
            sum += v[i] * get(m, i, j);
        for (uint32_t i = first; i < m->rows; i++)
            put(m, i, j, get(m, i, j) - beta * sum * v[i]);
    }
}

static double column_norm(const Matrix *m, uint32_t first, uint32_t j)
{
    double sum = 0;
    for (uint32_t i = first; i < m->rows; i++)
        sum += get(m, i, j) * get(m, i, j);
    return sqrt(sum);
}

/* Compresses m into its first rows by reflections, which `q` (rows by rows, the identity before)
 * gathers: q*old = m. Columns change places. Returns the rank. */
static uint32_t compress(Matrix *m, Matrix *q, double tolerance)
{
    double *v = memory_alloc(((size_t)m->rows + 1) * sizeof *v);
    uint32_t rank = 0;
    for (; rank < m->rows && rank < m->columns; rank++) {
        uint32_t best = rank;
        for (uint32_t j = rank; j < m->columns; j++)
            best = column_norm(m, rank, j) > column_norm(m, rank, best) ? j : best;
        double norm = column_norm(m, rank, best);
        if (norm <= tolerance)
            break;
        for (uint32_t i = 0; i < m->rows; i++) {
            double x = get(m, i, rank);
            put(m, i, rank, get(m, i, best));
            put(m, i, best, x);
        }
        double square = 0;
        for (uint32_t i = rank; i < m->rows; i++)
            v[i] = get(m, i, rank);
        v[rank] += v[rank] < 0 ? -norm : norm;
        for (uint32_t i = rank; i < m->rows; i++)
            square += v[i] * v[i];
        reflect(m, v, 2 / square, rank);
        reflect(q, v, 2 / square, rank);
    }
    memory_free(v);
    return rank;
}

static Matrix identity(uint32_t n)
{
    Matrix m = matrix_new(n, n);
    for (uint32_t i = 0; i < n; i++)
        put(&m, i, i, 1);
    return m;
}

static Matrix product(const Matrix *a, const Matrix *b)
{
    Matrix to = matrix_new(a->rows, b->columns);
    for (uint32_t j = 0; j < b->columns; j++)
        for (uint32_t k = 0; k < a->columns; k++)
            for (uint32_t i = 0; i < a->rows; i++)
                to.at[(size_t)j * to.rows + i] += get(a, i, k) * get(b, k, j);
    return to;
}

/* q*m*q', q*m or m*q'. */
static void transform(Matrix *m, const Matrix *q, bool left, bool right)
{
    if (left)
        replace(m, product(q, m));
    if (right) {
        Matrix t = transposed(q);
        replace(m, product(m, &t));
        memory_free(t.at);
    }
}

/* ---- systems of changing size ---- */

typedef struct System {
    Matrix a, b, c, d;
    double tolerance;
} System;

static double norm_of(const System *s)
{
    double sum = 0;
    const Matrix *all[] = {&s->a, &s->b, &s->c, &s->d};
    for (int k = 0; k < 4; k++)
        for (uint32_t j = 0; j < all[k]->columns; j++)
            sum = hypot(sum, column_norm(all[k], 0, j));
    return sum;
}

static double across(const Matrix *m, uint32_t i, bool row)
{
    double sum = 0;
    for (uint32_t k = 0; k < (row ? m->columns : m->rows); k++)
        sum += fabs(row ? get(m, i, k) : get(m, k, i));
    return sum;
}

static void scale(Matrix *m, uint32_t i, bool row, double f)
{
    for (uint32_t k = 0; k < (row ? m->columns : m->rows); k++) {
        if (row)
            put(m, i, k, get(m, i, k) * f);
        else
            put(m, k, i, get(m, k, i) * f);
    }
}

/* States in units in which their rows and columns are alike; inputs and outputs of size one. */
static void balance(System *s)
{
    enum { SWEEPS = 20 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (uint32_t i = 0; i < s->a.rows; i++) {
            double r = across(&s->a, i, true) - fabs(get(&s->a, i, i)) + across(&s->b, i, true),
                   c = across(&s->a, i, false) - fabs(get(&s->a, i, i)) + across(&s->c, i, false);
            if (r <= 0 || c <= 0)
                continue;
            double f = ldexp(1, (int)lround(0.5 * log2(r / c)));
            scale(&s->a, i, true, 1 / f);
            scale(&s->b, i, true, 1 / f);
            scale(&s->a, i, false, f);
            scale(&s->c, i, false, f);
        }
        double size = 0;
        for (uint32_t i = 0; i < s->a.rows; i++)
            size = fmax(size, across(&s->a, i, true));
        size = size > 0 ? size : 1; /* integrators alone */
        for (uint32_t j = 0; j < s->b.columns; j++) {
            double sum = across(&s->b, j, false) + across(&s->d, j, false);
            double f = sum > 0 ? size / sum : 1;
            scale(&s->b, j, false, f);
            scale(&s->d, j, false, f);
        }
        for (uint32_t i = 0; i < s->c.rows; i++) {
            double sum = across(&s->c, i, true) + across(&s->d, i, true);
            double f = sum > 0 ? size / sum : 1;
            scale(&s->c, i, true, f);
            scale(&s->d, i, true, f);
        }
    }
}

static System system_of(const LinearSystem *s, bool with_c, bool with_b)
{
    System to = {.a = matrix_new(s->n, s->n),
                 .b = matrix_new(s->n, with_b ? s->m : 0),
                 .c = matrix_new(with_c ? s->p : 0, s->n),
                 .d = matrix_new(with_c ? s->p : 0, with_b ? s->m : 0)};
    memcpy(to.a.at, s->a, (size_t)s->n * s->n * sizeof(double));
    memcpy(to.b.at, s->b, (size_t)s->n * to.b.columns * sizeof(double));
    memcpy(to.c.at, s->c, (size_t)s->n * to.c.rows * sizeof(double));
    memcpy(to.d.at, s->d, (size_t)to.c.rows * to.b.columns * sizeof(double));
    if (s->n)
        balance(&to);
    to.tolerance = 100 * DBL_EPSILON * norm_of(&to);
    return to;
}

static void system_free(System *s)
{
    memory_free(s->a.at);
    memory_free(s->b.at);
    memory_free(s->c.at);
    memory_free(s->d.at);
}

static void transpose(System *s)
{
    System t = {transposed(&s->a), transposed(&s->c), transposed(&s->b), transposed(&s->d),
                s->tolerance};
    system_free(s);
    *s = t;
}

/* States that outputs without direct transmission force to zero leave the system, until D has full
 * row rank. */
static void reduce(System *s)
{
    for (;;) {
        Matrix d = part(&s->d, 0, s->d.rows, 0, s->d.columns), q = identity(s->d.rows);
        uint32_t rank = compress(&d, &q, s->tolerance), others = s->d.rows - rank;
        memory_free(d.at);
        transform(&s->c, &q, true, false);
        transform(&s->d, &q, true, false);
        memory_free(q.at);
        Matrix zero = part(&s->c, rank, others, 0, s->c.columns), t = transposed(&zero);
        Matrix v = identity(s->a.rows);
        uint32_t forced = others ? compress(&t, &v, s->tolerance) : 0, n = s->a.rows - forced;
        memory_free(zero.at);
        memory_free(t.at);
        transform(&s->a, &v, true, true);
        transform(&s->b, &v, true, false);
        transform(&s->c, &v, false, true);
        memory_free(v.at);
        Matrix c1 = part(&s->c, 0, rank, forced, n), d1 = part(&s->d, 0, rank, 0, s->d.columns);
        Matrix a21 = part(&s->a, 0, forced, forced, n),
               b2 = part(&s->b, 0, forced, 0, s->b.columns);
        replace(&s->c, stacked(&c1, &a21));
        replace(&s->d, stacked(&d1, &b2));
        replace(&s->a, part(&s->a, forced, n, forced, n));
        replace(&s->b, part(&s->b, forced, n, 0, s->b.columns));
        memory_free(c1.at);
        memory_free(d1.at);
        memory_free(a21.at);
        memory_free(b2.at);
        if (!forced)
            return;
    }
}

/* A := A - B inv(D) C for a square regular D. */
static void close_loop(System *s)
{
    uint32_t k = s->d.rows, n = s->a.rows;
    for (uint32_t step = 0; step < k; step++) { /* elimination with the largest pivot */
        uint32_t pr = step, pc = step;
        for (uint32_t j = step; j < k; j++)
            for (uint32_t i = step; i < k; i++)
                if (fabs(get(&s->d, i, j)) > fabs(get(&s->d, pr, pc))) {
                    pr = i;
                    pc = j;
                }
        double pivot = get(&s->d, pr, pc);
        for (uint32_t j = 0; j < k; j++) {
            double x = get(&s->d, pr, j);
            put(&s->d, pr, j, get(&s->d, step, j));
            put(&s->d, step, j, x);
        }
        for (uint32_t j = 0; j < n; j++) {
            double x = get(&s->c, pr, j);
            put(&s->c, pr, j, get(&s->c, step, j));
            put(&s->c, step, j, x);
        }
        for (uint32_t i = 0; i < k; i++) {
            double x = get(&s->d, i, pc);
            put(&s->d, i, pc, get(&s->d, i, step));
            put(&s->d, i, step, x);
        }
        for (uint32_t i = 0; i < n; i++) {
            double x = get(&s->b, i, pc);
            put(&s->b, i, pc, get(&s->b, i, step));
            put(&s->b, i, step, x);
        }
        for (uint32_t i = 0; i < n; i++) {
            double f = get(&s->b, i, step) / pivot;
            for (uint32_t j = 0; j < n; j++)
                put(&s->a, i, j, get(&s->a, i, j) - f * get(&s->c, step, j));
            for (uint32_t j = step; j < k; j++)
                put(&s->b, i, j, get(&s->b, i, j) - f * get(&s->d, step, j));
        }
        for (uint32_t i = step + 1; i < k; i++) {
            double f = get(&s->d, i, step) / pivot;
            for (uint32_t j = 0; j < n; j++)
                put(&s->c, i, j, get(&s->c, i, j) - f * get(&s->c, step, j));
            for (uint32_t j = step; j < k; j++)
                put(&s->d, i, j, get(&s->d, i, j) - f * get(&s->d, step, j));
        }
    }
}

static uint32_t values_of(Matrix *a, double *re, double *im)
{
    return linear_eigenvalues(a->rows, a->at, re, im) ? a->rows : UINT32_MAX;
}

/* Takes those eigenvalues from `a` that are zero up to the tolerance; returns their number.
 * Computed with the others, k equal ones would be noise of the size of the k-th root of a rounding.
 */
static uint32_t take_zeros(Matrix *a, double tolerance)
{
    uint32_t taken = 0;
    while (a->rows) {
        Matrix first = part(a, 0, a->rows, 0, a->columns), q = identity(a->rows);
        uint32_t rank = compress(&first, &q, tolerance), more = a->rows - rank;
        memory_free(first.at);
        if (more) { /* the last rows of q*a*q' are zero */
            transform(a, &q, true, true);
            replace(a, part(a, 0, rank, 0, rank));
        }
        memory_free(q.at);
        taken += more;
        if (!more)
            break;
    }
    return taken;
}

/* Adds `zero` zeros to n values, which are sorted by their real parts; returns their number. */
static uint32_t insert_zeros(uint32_t n, uint32_t zero, double *re, double *im)
{
    uint32_t at = 0;
    while (at < n && re[at] < 0)
        at++;
    memmove(re + at + zero, re + at, (n - at) * sizeof *re);
    memmove(im + at + zero, im + at, (n - at) * sizeof *im);
    memset(re + at, 0, zero * sizeof *re);
    memset(im + at, 0, zero * sizeof *im);
    return n + zero;
}

uint32_t linear_zeros(const LinearSystem *s, double *re, double *im)
{
    if (!s->m || !s->p || !s->n)
        return 0;
    System w = system_of(s, true, true);
    reduce(&w);
    transpose(&w);
    reduce(&w);
    uint32_t n = 0;
    if (w.d.rows == w.d.columns) {
        close_loop(&w);
        uint32_t zero = take_zeros(&w.a, w.tolerance);
        n = values_of(&w.a, re, im);
        n = n == UINT32_MAX ? n : insert_zeros(n, zero, re, im);
    }
    system_free(&w);
    return n;
}

uint32_t linear_unreached(const LinearSystem *s, bool dual, double *re, double *im)
{
    System w = system_of(s, dual, !dual);
    if (dual)
        transpose(&w);
    uint32_t rank = 1;
    while (rank && w.a.rows) {
        Matrix q = identity(w.b.rows);
        rank = compress(&w.b, &q, w.tolerance);
        transform(&w.a, &q, true, true);
        memory_free(q.at);
        uint32_t n = w.a.rows - rank;
        if (rank) {
            replace(&w.b, part(&w.a, rank, n, 0, rank));
            replace(&w.a, part(&w.a, rank, n, rank, n));
        }
    }
    uint32_t n = w.a.rows ? values_of(&w.a, re, im) : 0;
    system_free(&w);
    return n;
}

/* ---- response ---- */

/* Unknowns are states and delayed values w = exp(-s T) z. */
static void fill_pencil(const LinearSystem *s, const double *delays, uint32_t q, uint32_t in,
                        double complex at, double complex *m, double complex *x)
{
    uint32_t n = s->n, k = n + q, first_in = s->m - q, first_out = s->p - q;
    for (uint32_t j = 0; j < k; j++) {
        const double *a = j < n ? s->a + (size_t)j * n : s->b + (size_t)(first_in + j - n) * n,
                     *c =
                         j < n ? s->c + (size_t)j * s->p : s->d + (size_t)(first_in + j - n) * s->p;
        for (uint32_t i = 0; i < n; i++)
            m[(size_t)j * k + i] = (i == j ? at : 0) - a[i];
        for (uint32_t i = n; i < k; i++)
            m[(size_t)j * k + i] =
                (i == j ? 1 : 0) - cexp(-at * delays[i - n]) * c[first_out + i - n];
    }
    for (uint32_t i = 0; i < n; i++)
        x[i] = s->b[(size_t)in * n + i];
    for (uint32_t i = n; i < k; i++)
        x[i] = cexp(-at * delays[i - n]) * s->d[(size_t)in * s->p + first_out + i - n];
}

bool linear_response(const LinearSystem *s, const double *delays, uint32_t n_delays, uint32_t in,
                     uint32_t out, double omega, double period, double *work, double *re,
                     double *im)
{
    uint32_t n = s->n + n_delays;
    double complex *m = (double complex *)work, *x = m + (size_t)n * n;
    double complex at = period > 0 ? cexp(I * omega * period) : I * omega;
    fill_pencil(s, delays, n_delays, in, at, m, x);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k; i < n; i++)
            best = cabs(m[(size_t)k * n + i]) > cabs(m[(size_t)k * n + best]) ? i : best;
        if (m[(size_t)k * n + best] == 0)
            return false;
        for (uint32_t j = k; j < n && best != k; j++) {
            double complex y = m[(size_t)j * n + k];
            m[(size_t)j * n + k] = m[(size_t)j * n + best];
            m[(size_t)j * n + best] = y;
        }
        double complex y = x[k];
        x[k] = x[best];
        x[best] = y;
        for (uint32_t i = k + 1; i < n; i++) {
            double complex f = m[(size_t)k * n + i] / m[(size_t)k * n + k];
            for (uint32_t j = k; j < n && f != 0; j++)
                m[(size_t)j * n + i] -= f * m[(size_t)j * n + k];
            x[i] -= f * x[k];
        }
    }
    double complex y = s->d[(size_t)in * s->p + out];
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t j = k + 1; j < n; j++)
            x[k] -= m[(size_t)j * n + k] * x[j];
        x[k] /= m[(size_t)k * n + k];
        y += (k < s->n ? s->c[(size_t)k * s->p + out]
                       : s->d[(size_t)(s->m - n_delays + k - s->n) * s->p + out]) *
             x[k];
    }
    *re = creal(y);
    *im = cimag(y);
    return true;
}

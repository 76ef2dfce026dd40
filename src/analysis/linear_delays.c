/* Linear models with delays.
 *
 * In: the system around them, whose last inputs are delayed values and whose last outputs are what
 * is delayed. Out: a system with finitely many states, in which a Padé approximation stands for
 * each delay. Its numerator has one degree less than its denominator: a delay passes nothing at
 * once, so D stays exact. */
#include "analysis/linear_model.h"
#include "numerics/dense.h"

#include <math.h>

/* Of exp(-s): the denominator is the sum of a[j] s^j with a[n] = 1, the numerator that of b[j] s^j,
 * j < n. */
static void pade(uint32_t n, double *a, double *b)
{
    a[n] = 1;
    for (uint32_t j = n; j-- > 0;) /* (2n - 1 - j)! n! / (j! (n - j)!) */
        a[j] = a[j + 1] * (2 * n - 1 - j) * (j + 1.0) / (n - j);
    for (uint32_t j = 0; j < n; j++) /* (2n - 1 - j)! (n - 1)! / (j! (n - 1 - j)!) */
        b[j] = (j % 2 ? -1 : 1) * a[j] * (n - j) / n;
}

/* A column of the closed system: from the present values of x, the states of the delays and u. */
typedef struct Column {
    const double *x, *past, *u;
    double *x_rate, *past_rate, *y;
} Column;

typedef struct Closing {
    const LinearSystem *open;
    const LinearDelays *delays;
    double *a, *b; /* of Padé */
    double *matrix, *w, *z;
    uint32_t *pivot;
} Closing;

static uint32_t order_of(const LinearDelays *d, uint32_t k)
{
    return d->time[k] > 0 ? d->order : 0;
}

/* Of row i of (C, D), without delayed values. */
static double row_of(const LinearSystem *s, uint32_t m, uint32_t i, const Column *c)
{
    double sum = 0;
    for (uint32_t j = 0; j < s->n; j++)
        sum += s->c[(size_t)j * s->p + i] * c->x[j];
    for (uint32_t j = 0; j < m; j++)
        sum += s->d[(size_t)j * s->p + i] * c->u[j];
    return sum;
}

static void solve_column(const Closing *q, const Column *c)
{
    const LinearSystem *s = q->open;
    uint32_t n_delays = q->delays->n, m = s->m - n_delays, p = s->p - n_delays, at = 0;
    for (uint32_t k = 0; k < n_delays; k++) {
        uint32_t n = order_of(q->delays, k);
        q->z[k] = row_of(s, m, p + k, c);
        q->w[k] = n ? 0 : q->z[k];
        for (uint32_t j = 0; j < n; j++)
            q->w[k] += q->b[j] * c->past[at + j];
        at += n;
    }
    dense_solve(n_delays, q->matrix, q->pivot, q->w);
    for (uint32_t i = 0; i < s->n; i++) {
        c->x_rate[i] = 0;
        for (uint32_t j = 0; j < s->n; j++)
            c->x_rate[i] += s->a[(size_t)j * s->n + i] * c->x[j];
        for (uint32_t j = 0; j < s->m; j++)
            c->x_rate[i] += s->b[(size_t)j * s->n + i] * (j < m ? c->u[j] : q->w[j - m]);
    }
    for (uint32_t i = 0; i < s->p; i++) {
        double y = row_of(s, m, i, c);
        for (uint32_t k = 0; k < n_delays; k++)
            y += s->d[(size_t)(m + k) * s->p + i] * q->w[k];
        *(i < p ? &c->y[i] : &q->z[i - p]) = y;
    }
    at = 0;
    for (uint32_t k = 0; k < n_delays; k++) {
        uint32_t n = order_of(q->delays, k);
        double rate = 1 / q->delays->time[k], last = q->z[k];
        for (uint32_t j = 0; j < n; j++) {
            last -= q->a[j] * c->past[at + j];
            c->past_rate[at + j] = rate * (j + 1 < n ? c->past[at + j + 1] : last);
        }
        at += n;
    }
}

uint32_t linear_delay_states(const LinearDelays *d)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < d->n; k++)
        n += order_of(d, k);
    return n;
}

bool linear_close_delays(const LinearSystem *open, const LinearDelays *d, LinearSystem *to)
{
    Arena *arena = arena_new();
    uint32_t q = d->n, m = open->m - q, p = open->p - q, n_past = to->n - open->n;
    Closing c = {.open = open,
                 .delays = d,
                 .a = ARENA_ARRAY(arena, double, d->order + (size_t)1),
                 .b = ARENA_ARRAY(arena, double, d->order + (size_t)1),
                 .matrix = ARENA_ARRAY(arena, double, (size_t)q *q + 1),
                 .w = ARENA_ARRAY(arena, double, q + (size_t)1),
                 .z = ARENA_ARRAY(arena, double, q + (size_t)1),
                 .pivot = ARENA_ARRAY(arena, uint32_t, q + (size_t)1)};
    double *from = ARENA_ARRAY(arena, double, (size_t)to->n + m + 1);
    pade(d->order, c.a, c.b);
    for (uint32_t j = 0; j < q; j++) /* w = held + (-1)^order (z + D w) */
        for (uint32_t i = 0; i < q; i++)
            c.matrix[(size_t)j * q + i] = (i == j) - (order_of(d, i) % 2 ? -1 : 1) *
                                                         open->d[(size_t)(m + j) * open->p + p + i];
    bool good = dense_factor(q, c.matrix, c.pivot);
    for (uint32_t j = 0; j < to->n + m && good; j++) {
        memset(from, 0, ((size_t)to->n + m) * sizeof *from);
        from[j] = 1;
        double *rate = j < to->n ? to->a + (size_t)j * to->n : to->b + (size_t)(j - to->n) * to->n,
               *y = j < to->n ? to->c + (size_t)j * p : to->d + (size_t)(j - to->n) * p;
        solve_column(
            &c, &(Column){from, from + open->n, from + open->n + n_past, rate, rate + open->n, y});
    }
    arena_free(arena);
    return good;
}

/* Numbers about a curve: integrals of its cubic pieces, and their extremes. */
#include "curve_measures.h"

#include "spectrum/spectrum.h"

#include <math.h>

static double value_at(const CurvePiece *p, double h)
{
    return p->c[0] + h * (p->c[1] + h * (p->c[2] + h * p->c[3]));
}

/* ---- extremes ---- */

typedef struct Extremes {
    double least, most;
} Extremes;

static void include(Extremes *x, double value)
{
    x->least = fmin(x->least, value);
    x->most = fmax(x->most, value);
}

/* Values at the ends of the part of a piece within [from, to], and where its slope is zero. */
static void include_piece(Extremes *x, const CurvePiece *p, double from, double to)
{
    double low = fmax(from, p->from) - p->from, high = fmin(to, p->to) - p->from;
    if (low > high)
        return;
    double a = 3 * p->c[3], b = 2 * p->c[2], c = p->c[1], root = sqrt(fmax(b * b - 4 * a * c, 0));
    /* both roots without cancellation; infinite if there is none */
    double q = -(b + copysign(root, b)) / 2;
    double at[] = {low, high, q / a, c / q};
    for (unsigned i = 0; i < 4; i++)
        if (at[i] >= low && at[i] <= high)
            include(x, value_at(p, at[i]));
}

static Extremes extremes_of(const Curve *c, double from, double to)
{
    Extremes x = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < c->pieces.n; i++)
        include_piece(&x, &c->pieces.at[i], from, to);
    return x;
}

/* ---- period ---- */

static const double hysteresis =
    0.1;                           /* share of the range that a curve must fall below its middle */
static const double uneven = 0.01; /* share by which periods may differ */

/* Upward crossings of the middle, as an oscilloscope counts them. */
typedef struct Crossings {
    double middle, low;
    bool armed; /* the curve was below `low` since the last crossing */
    unsigned n;
    double first, last, shortest, longest;
} Crossings;

static void add_crossing(Crossings *x, double time)
{
    double since = time - x->last;
    if (x->n)
        x->shortest = fmin(x->shortest, since), x->longest = fmax(x->longest, since);
    else
        x->first = time;
    x->last = time;
    x->n++;
    x->armed = false;
}

static void follow(Crossings *x, const CurvePiece *p)
{
    double low = 0, high = p->to - p->from;
    if (x->armed && value_at(p, low) >= x->middle)
        add_crossing(x, p->from); /* by a jump */
    x->armed |= fmin(value_at(p, low), value_at(p, high)) < x->low;
    if (!x->armed || value_at(p, low) >= x->middle || value_at(p, high) < x->middle)
        return;
    for (unsigned i = 0; i < 60; i++) {
        double half = (low + high) / 2;
        *(value_at(p, half) < x->middle ? &low : &high) = half;
    }
    add_crossing(x, p->from + high);
}

/* 0 if there are less than two crossings, or at uneven distances. */
static double frequency_of(const Curve *c, Extremes e)
{
    double middle = (e.least + e.most) / 2;
    Crossings x = {
        .middle = middle, .low = middle - hysteresis * (e.most - e.least), .shortest = INFINITY};
    for (uint32_t i = 0; i < c->pieces.n && e.most > e.least; i++)
        follow(&x, &c->pieces.at[i]);
    if (x.n < 2 || x.longest - x.shortest > uneven * x.longest)
        return 0;
    return (x.n - 1) / (x.last - x.first);
}

/* ---- all ---- */

bool curve_measure(const double *times, const double *values, uint32_t n, double from, double to,
                   CurveMeasures *out, double *where)
{
    double *column = (double *)(uintptr_t)values;
    Table table = {
        .n_rows = n, .n_columns = 1, .time = (double *)(uintptr_t)times, .columns = &column};
    Curve c;
    *where = from;
    bool ok = curve_make(&c, &table, 0, from, to, where) && c.pieces.n;
    if (ok) {
        Extremes x = extremes_of(&c, from, to);
        *out = (CurveMeasures){.first = curve_value(&c, from),
                               .last = curve_value(&c, to),
                               .mean = curve_mean(&c, from, to),
                               .rms = sqrt(fmax(curve_mean_square(&c, from, to), 0)),
                               .least = x.least,
                               .most = x.most,
                               .frequency = frequency_of(&c, x)};
    }
    curve_free(&c);
    return ok;
}

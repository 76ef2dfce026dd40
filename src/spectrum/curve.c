/* A variable of a result as pieces of cubic polynomials, and integrals over it.
 *
 * Slopes at rows come from the parabola through three neighbours (of the same smooth stretch), so
 * the error of an integral is of fourth order in the distance of rows. */
#include "spectrum/spectrum.h"

#include <math.h>

/* ---- making ---- */

/* The slope at row i of the parabola through the rows a < b < c, one of which is i. */
static double parabola_slope(const double *t, const double *y, uint32_t a, uint32_t i)
{
    uint32_t b = a + 1, c = a + 2;
    double ab = (y[b] - y[a]) / (t[b] - t[a]), bc = (y[c] - y[b]) / (t[c] - t[b]);
    double bend = (bc - ab) / (t[c] - t[a]);
    return ab + bend * (2 * t[i] - t[a] - t[b]);
}

/* The slope at row i of a smooth stretch of rows first … last. */
static double slope(const double *t, const double *y, uint32_t first, uint32_t last, uint32_t i)
{
    if (last - first < 2)
        return (y[last] - y[first]) / (t[last] - t[first]);
    uint32_t a = i == first ? first : i == last ? last - 2 : i - 1;
    return parabola_slope(t, y, a, i);
}

static void add_piece(Curve *c, const double *t, const double *y, const double s[2])
{
    double h = t[1] - t[0], rise = (y[1] - y[0]) / h;
    CurvePiece p = {
        .from = t[0],
        .to = t[1],
        .c = {y[0], s[0], (3 * rise - 2 * s[0] - s[1]) / h, (s[0] + s[1] - 2 * rise) / (h * h)}};
    vec_push(&c->pieces, p);
}

typedef VEC(double) Values;

/* Whether row i, between the row kept last at `before` and row i + 1, is almost at one of them.
 * Slopes from such rows would be noise. */
static bool almost_double(const double *t, double before, uint32_t i)
{
    static const double CLOSE = 1e-3;
    double left = t[i] - before, right = t[i + 1] - t[i];
    return left < CLOSE * right || right < CLOSE * left;
}

/* The smooth stretch of rows first … last. */
static void add_stretch(Curve *c, const double *t, const double *y, uint32_t first, uint32_t last)
{
    Values ts = {0}, ys = {0};
    for (uint32_t i = first; i <= last; i++)
        if (i == first || i == last || !almost_double(t, vec_last(&ts), i)) {
            vec_push(&ts, t[i]);
            vec_push(&ys, y[i]);
        }
    for (uint32_t i = 0; i + 1 < ts.n; i++)
        add_piece(c, ts.at + i, ys.at + i,
                  (const double[]){slope(ts.at, ys.at, 0, ts.n - 1, i),
                                   slope(ts.at, ys.at, 0, ts.n - 1, i + 1)});
    vec_free(&ts);
    vec_free(&ys);
}

/* Rows without a number outside the interval are passed over. */
bool curve_make(Curve *c, const Table *table, uint32_t column, double from, double to,
                double *where)
{
    const double *t = table->time, *y = table->columns[column];
    *c = (Curve){.from = from, .to = to};
    uint32_t first = 0;
    for (uint32_t i = 0; i < table->n_rows; i++) {
        if (!isfinite(y[i]) && t[i] >= from && t[i] <= to) {
            *where = t[i];
            return false;
        }
        bool ends = i + 1 == table->n_rows || t[i + 1] <= t[i] || !isfinite(y[i + 1]);
        if (ends && i > first && isfinite(y[first]))
            add_stretch(c, t, y, first, i);
        first = ends ? i + 1 : first;
    }
    return true;
}

void curve_free(Curve *c)
{
    vec_free(&c->pieces);
}

/* ---- values and integrals ---- */

static double piece_value(const CurvePiece *p, double t)
{
    double h = t - p->from;
    return p->c[0] + h * (p->c[1] + h * (p->c[2] + h * p->c[3]));
}

void curve_shift(Curve *c, double by)
{
    for (uint32_t i = 0; i < c->pieces.n; i++)
        c->pieces.at[i].c[0] += by;
}

/* The first piece that ends after t. */
static uint32_t find_piece(const Curve *c, double t)
{
    uint32_t lo = 0, hi = c->pieces.n - 1;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (c->pieces.at[middle].to > t)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

double curve_value(const Curve *c, double t)
{
    return piece_value(&c->pieces.at[find_piece(c, t)], t);
}

/* Gauss-Legendre with six points, exact for polynomials of degree 11. */
enum { GAUSS = 6 };
static const double gauss_at[GAUSS] = {-0.9324695142031521, -0.6612093864662645,
                                       -0.2386191860831969, 0.2386191860831969,
                                       0.6612093864662645,  0.9324695142031521};
static const double gauss_weight[GAUSS] = {0.1713244923791704, 0.3607615730481386,
                                           0.4679139345726910, 0.4679139345726910,
                                           0.3607615730481386, 0.1713244923791704};

/* For each piece between two times: FOR_PIECES(c, p, a, b, from, to) { … from a to b of p … } */
#define FOR_PIECES(c, p, a, b, from, to)                                                           \
    for (uint32_t i_ = find_piece(c, from); i_ < (c)->pieces.n && (c)->pieces.at[i_].from < (to);  \
         i_++)                                                                                     \
        for (const CurvePiece *p = &(c)->pieces.at[i_], *once_ = p; once_; once_ = NULL)           \
            for (double a = fmax(p->from, from), b = fmin(p->to, to); a < b; a = b)

static double integral(const Curve *c, double from, double to, bool squared)
{
    double sum = 0;
    FOR_PIECES(c, p, a, b, from, to)
    {
        for (int g = 0; g < GAUSS; g++) {
            double y = piece_value(p, 0.5 * (a + b) + 0.5 * (b - a) * gauss_at[g]);
            sum += 0.5 * (b - a) * gauss_weight[g] * (squared ? y * y : y);
        }
    }
    return sum;
}

double curve_mean(const Curve *c, double from, double to)
{
    return integral(c, from, to, false) / (to - from);
}

double curve_mean_square(const Curve *c, double from, double to)
{
    return integral(c, from, to, true) / (to - from);
}

void curve_samples(const Curve *c, double *at, uint32_t n)
{
    double step = (c->to - c->from) / n;
    uint32_t i = find_piece(c, c->from);
    for (uint32_t k = 0; k < n; k++) {
        double t = c->from + (k + 0.5) * step;
        while (i + 1 < c->pieces.n && c->pieces.at[i].to <= t)
            i++;
        at[k] = piece_value(&c->pieces.at[i], t);
    }
}

/* ---- Fourier integrals ---- */

static Phasor sum_of(Phasor a, double weight, Phasor b)
{
    return (Phasor){a.re + weight * b.re, a.im + weight * b.im};
}

static Phasor product_of(Phasor a, Phasor b)
{
    return (Phasor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static Phasor unit(double angle)
{
    return (Phasor){cos(angle), sin(angle)};
}

enum { POWERS = 4 };

/* The integral of s^k exp(-iωs) from 0 to h by the series of the exponential; power: h^k. */
static Phasor moment(double angle, double h, int k, double power)
{
    enum { MOST = 24 };
    Phasor sum = {0, 0}, term = {power * h, 0};
    for (int j = 0; j < MOST; j++) {
        sum = sum_of(sum, 1.0 / (k + 1 + j), term);
        term = (Phasor){term.im * angle / (j + 1), -term.re * angle / (j + 1)};
        if (fabs(term.re) + fabs(term.im) < 1e-18 * power * h)
            break;
    }
    return sum;
}

/* All for k up to 3, by parts: iω m[k] = k m[k - 1] - h^k exp(-iωh). This loses digits upwards if
 * ωh is small, and downwards if it is large. */
static void moments(double w, double h, Phasor m[POWERS])
{
    double angle = w * h, powers[POWERS] = {1, h, h * h, h * h * h};
    Phasor end = unit(-angle);
    if (fabs(angle) <= 1) {
        m[POWERS - 1] = moment(angle, h, POWERS - 1, powers[POWERS - 1]);
        for (int k = POWERS - 1; k > 0; k--)
            m[k - 1] = (Phasor){(-w * m[k].im + powers[k] * end.re) / k,
                                (w * m[k].re + powers[k] * end.im) / k};
        return;
    }
    for (int k = 0; k < POWERS; k++) {
        Phasor before = k ? m[k - 1] : (Phasor){1, 0};
        double by = k ? k : 1;
        m[k] = (Phasor){(by * before.im - powers[k] * end.im) / w,
                        -(by * before.re - powers[k] * end.re) / w};
    }
}

/* The polynomial of a piece around `at`. */
static void around(const CurvePiece *p, double at, double c[POWERS])
{
    double h = at - p->from;
    c[0] = p->c[0] + h * (p->c[1] + h * (p->c[2] + h * p->c[3]));
    c[1] = p->c[1] + h * (2 * p->c[2] + 3 * h * p->c[3]);
    c[2] = p->c[2] + 3 * h * p->c[3];
    c[3] = p->c[3];
}

/* Pieces whose lengths are equal but for rounding of their times share their moments, and the
 * exponential turns from one to the next; now and then it is computed anew. */
static Phasor fourier(const Curve *c, double from, double to, double w)
{
    enum { TURNS = 64 };
    Phasor sum = {0, 0}, m[POWERS] = {{0, 0}}, turn = {1, 0}, step = {1, 0};
    double length = -1, next = NAN, rounding = 1e-15 * fmax(fabs(from), fabs(to));
    int turns = 0;
    FOR_PIECES(c, p, a, b, from, to)
    {
        double h = b - a, y[POWERS];
        if (!(fabs(h - length) <= rounding)) {
            length = h;
            moments(w, h, m);
            step = unit(-w * h);
            turns = 0;
        }
        turn = turns-- > 0 && fabs(a - next) <= 1e-12 * h ? product_of(turn, step) : unit(-w * a);
        turns = turns < 0 ? TURNS : turns;
        next = b;
        around(p, a, y);
        Phasor own = {0, 0};
        for (int k = 0; k < POWERS; k++)
            own = sum_of(own, y[k], m[k]);
        sum = sum_of(sum, 1, product_of(turn, own));
    }
    return sum;
}

static Phasor turned(Phasor p, double angle)
{
    return product_of(p, unit(angle));
}

/* 1 - cos(dw (t - from)) is a sum of three exponentials: of a line and its neighbours. */
static Phasor windowed(Phasor below, Phasor at, Phasor above, double angle)
{
    Phasor sum = sum_of(at, -0.5, turned(below, -angle));
    return sum_of(sum, -0.5, turned(above, angle));
}

Phasor curve_phasor(const Curve *c, double from, double to, double frequency, bool window)
{
    double w = 2 * M_PI * frequency, length = to - from, dw = 2 * M_PI / length;
    Phasor sum = fourier(c, from, to, w);
    if (window)
        sum = windowed(fourier(c, from, to, w - dw), sum, fourier(c, from, to, w + dw), dw * from);
    double scale = (frequency == 0 ? 1 : 2) / length;
    return (Phasor){scale * sum.re, scale * sum.im};
}

void curve_windowed_lines(const Curve *c, double from, double to, uint32_t n, Phasor *lines)
{
    double length = to - from, dw = 2 * M_PI / length, scale = 2 / length;
    Phasor below = fourier(c, from, to, 0), at = fourier(c, from, to, dw);
    for (uint32_t k = 0; k < n; k++) {
        Phasor above = fourier(c, from, to, (k + 2) * dw),
               sum = windowed(below, at, above, dw * from);
        lines[k] = (Phasor){scale * sum.re, scale * sum.im};
        below = at;
        at = above;
    }
}

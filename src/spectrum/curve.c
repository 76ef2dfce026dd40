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

/* ---- Fourier integrals ---- */

static Phasor sum_of(Phasor a, double weight, Phasor b)
{
    return (Phasor){a.re + weight * b.re, a.im + weight * b.im};
}

/* The antiderivative of p(t) exp(-iωt), by parts: exp(-iωt) (i p/ω + p'/ω² - i p''/ω³ - p'''/ω⁴).
 * Loses digits if ω times the length of the piece is small. */
static Phasor antiderivative(const CurvePiece *p, double w, double t)
{
    double h = t - p->from;
    double y1 = p->c[1] + h * (2 * p->c[2] + 3 * h * p->c[3]), y2 = 2 * p->c[2] + 6 * h * p->c[3];
    double re = y1 / (w * w) - 6 * p->c[3] / (w * w * w * w);
    double im = piece_value(p, t) / w - y2 / (w * w * w);
    double cosine = cos(w * t), sine = sin(w * t);
    return (Phasor){re * cosine + im * sine, im * cosine - re * sine};
}

static Phasor piece_gauss(const CurvePiece *p, double w, double a, double b)
{
    Phasor sum = {0, 0};
    for (int g = 0; g < GAUSS; g++) {
        double t = 0.5 * (a + b) + 0.5 * (b - a) * gauss_at[g];
        double y = 0.5 * (b - a) * gauss_weight[g] * piece_value(p, t);
        sum = sum_of(sum, y, (Phasor){cos(w * t), -sin(w * t)});
    }
    return sum;
}

static Phasor fourier(const Curve *c, double from, double to, double w)
{
    Phasor sum = {0, 0};
    FOR_PIECES(c, p, a, b, from, to)
    {
        if (fabs(w) * (b - a) < 1)
            sum = sum_of(sum, 1, piece_gauss(p, w, a, b));
        else
            sum = sum_of(sum_of(sum, 1, antiderivative(p, w, b)), -1, antiderivative(p, w, a));
    }
    return sum;
}

static Phasor turned(Phasor p, double angle)
{
    return (Phasor){p.re * cos(angle) - p.im * sin(angle), p.re * sin(angle) + p.im * cos(angle)};
}

Phasor curve_phasor(const Curve *c, double from, double to, double frequency, bool window)
{
    double w = 2 * M_PI * frequency, length = to - from, dw = 2 * M_PI / length;
    Phasor sum = fourier(c, from, to, w);
    if (window) { /* 1 - cos(dw (t - from)) is a sum of three exponentials */
        sum = sum_of(sum, -0.5, turned(fourier(c, from, to, w - dw), -dw * from));
        sum = sum_of(sum, -0.5, turned(fourier(c, from, to, w + dw), dw * from));
    }
    double scale = (frequency == 0 ? 1 : 2) / length;
    return (Phasor){scale * sum.re, scale * sum.im};
}

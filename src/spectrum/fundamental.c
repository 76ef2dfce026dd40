/* The period of a curve.
 *
 * 1. The largest line of the windowed spectrum, refined, is a harmonic of the fundamental.
 * 2. The period is a multiple of the period of that line: the smallest one after which the curve
 *    repeats. With the right multiple, the line has the same phase in both halves of the curve,
 *    of whole periods each; the difference corrects the frequency. */
#include "spectrum/spectrum.h"

#include <math.h>

enum { SAMPLES = 256, MOST_MULTIPLE = 200, MOST_LINES = 2000 };

static double amplitude(const Curve *c, double frequency)
{
    Phasor p = curve_phasor(c, c->from, c->to, frequency, true);
    return hypot(p.re, p.im);
}

/* Lines up to this number of periods in the curve are searched: rows must resolve them. */
static uint32_t count_lines(const Curve *c)
{
    return (uint32_t)fmin(MOST_LINES, c->pieces.n / 2.0);
}

/* The amplitude of line k of samples with a window, by the recurrence of Goertzel. */
static double line_of(const double *y, uint32_t n, uint32_t k)
{
    double by = 2 * cos(2 * M_PI * k / n), last = 0, before = 0;
    for (uint32_t i = 0; i < n; i++) {
        double now = y[i] + by * last - before;
        before = last;
        last = now;
    }
    return sqrt(fmax(last * last + before * before - by * last * before, 0)) * 2 / n;
}

/* The number of the largest line, from 2 on; 0 if the curve is constant. */
static uint32_t largest_line(const Curve *c)
{
    uint32_t n = (uint32_t)fmin(fmax(2.0 * c->pieces.n, 4.0 * MOST_LINES), 1 << 16), at = 0;
    double *y = memory_alloc(n * sizeof *y), most = 0, mean = curve_mean(c, c->from, c->to);
    double noise = 1e-9 * sqrt(curve_mean_square(c, c->from, c->to)) + 1e-300 * fabs(mean);
    curve_samples(c, y, n);
    for (uint32_t i = 0; i < n; i++) /* Hann */
        y[i] = (y[i] - mean) * (1 - cos(2 * M_PI * (i + 0.5) / n));
    for (uint32_t k = 2; k <= count_lines(c); k++) {
        double a = line_of(y, n, k);
        if (a > most && a > noise) {
            most = a;
            at = k;
        }
    }
    memory_free(y);
    return at;
}

/* The frequency between lo and hi with the largest amplitude, by golden section. */
static double refine(const Curve *c, double lo, double hi)
{
    static const double GOLDEN = 0.6180339887498949;
    double a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo);
    double at_a = amplitude(c, a), at_b = amplitude(c, b);
    while (hi - lo > 1e-10 * hi) {
        if (at_a > at_b) {
            hi = b, b = a, at_b = at_a;
            at_a = amplitude(c, a = hi - GOLDEN * (hi - lo));
        } else {
            lo = a, a = b, at_a = at_b;
            at_b = amplitude(c, b = lo + GOLDEN * (hi - lo));
        }
    }
    return 0.5 * (lo + hi);
}

double fundamental_mismatch(const Curve *c, double frequency)
{
    double period = 1 / frequency, sum = 0, least = INFINITY, most = -INFINITY;
    if (2 * period > (c->to - c->from) * (1 + 1e-9))
        return INFINITY;
    for (int i = 0; i < SAMPLES; i++) { /* not at the ends, where jumps are likely */
        double t = c->to - period * (i + 0.37) / SAMPLES;
        double y = curve_value(c, t), before = curve_value(c, fmax(c->from, t - period));
        sum += (y - before) * (y - before);
        least = fmin(least, y);
        most = fmax(most, y);
    }
    return most > least ? sqrt(sum / SAMPLES) / (most - least) : 0;
}

/* Makes the phases of a line agree in two equal halves, of whole periods each. A period has
 * `multiple` periods of the line, so that other harmonics do not disturb it. */
static double agree_phases(const Curve *c, double frequency, int multiple)
{
    enum { ROUNDS = 5 };
    for (int i = 0; i < ROUNDS; i++) {
        double period = multiple / frequency;
        double half = floor(0.5 * (c->to - c->from) / period * (1 + 1e-6)) * period;
        double middle = c->to - half, from = fmax(c->from, middle - half);
        if (!(half > 0))
            return frequency;
        Phasor a = curve_phasor(c, from, middle, frequency, false);
        Phasor b = curve_phasor(c, middle, c->to, frequency, false);
        double turn = atan2(b.im * a.re - b.re * a.im, b.re * a.re + b.im * a.im);
        frequency += turn / (2 * M_PI * half);
        if (fabs(turn) < 1e-13)
            break;
    }
    return frequency;
}

/* Long periods fit many curves almost, so they must fit better. */
static double allowed(int multiple)
{
    return multiple <= 12 ? FUNDAMENTAL_SAME : 0.1 * FUNDAMENTAL_SAME;
}

double fundamental_frequency(const Curve *c)
{
    static const double CLOSE = 0.3; /* worth a correction of the frequency */
    double length = c->to - c->from, best = 0, least = INFINITY;
    uint32_t line = c->pieces.n ? largest_line(c) : 0;
    if (!line)
        return 0;
    double frequency = refine(c, (line - 1) / length, (line + 1) / length);
    for (int m = 1; m <= MOST_MULTIPLE && m <= 0.5 * length * frequency * (1 + 1e-6); m++) {
        double found = frequency, mismatch = fundamental_mismatch(c, found / m);
        if (mismatch < CLOSE || m == 1 || isinf(mismatch)) {
            double other = agree_phases(c, frequency, m), then = fundamental_mismatch(c, other / m);
            found = then <= mismatch ? other : found; /* jumps between samples are not seen */
            mismatch = fmin(mismatch, then);
        }
        if (mismatch < least) {
            least = mismatch;
            best = found / m;
        }
        if (mismatch <= allowed(m))
            return found / m;
    }
    return best;
}

/* The period of a curve.
 *
 * 1. The largest line of the windowed spectrum, refined, is a harmonic of the fundamental. If its
 *    frequency is exact, it has the same phase in both halves of the curve; the difference corrects
 *    it.
 * 2. The period is a multiple of the period of that line: the smallest one after which the curve
 *    repeats. */
#include "spectrum/spectrum.h"

#include <math.h>

enum { SAMPLES = 256, MOST_MULTIPLE = 12, MOST_LINES = 2000 };

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

/* The number of the largest line, from 2 on; 0 if the curve is constant. */
static uint32_t largest_line(const Curve *c)
{
    double length = c->to - c->from, most = 0;
    double mean = curve_mean(c, c->from, c->to);
    double noise = 1e-9 * sqrt(curve_mean_square(c, c->from, c->to)) + 1e-300 * fabs(mean);
    uint32_t at = 0;
    for (uint32_t k = 2; k <= count_lines(c); k++) {
        double a = amplitude(c, k / length);
        if (a > most && a > noise) {
            most = a;
            at = k;
        }
    }
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

/* Makes the phases of two equal halves, of whole periods each, agree. */
static double agree_phases(const Curve *c, double frequency)
{
    enum { ROUNDS = 8 };
    for (int i = 0; i < ROUNDS; i++) {
        double half = floor(0.5 * (c->to - c->from) * frequency * (1 + 1e-9)) / frequency;
        double middle = c->to - half, from = fmax(c->from, middle - half);
        if (!(half > 0))
            return frequency;
        Phasor a = curve_phasor(c, from, middle, frequency, false);
        Phasor b = curve_phasor(c, middle, c->to, frequency, false);
        double turn = atan2(b.im * a.re - b.re * a.im, b.re * a.re + b.im * a.im);
        frequency += turn / (2 * M_PI * half);
    }
    return frequency;
}

double fundamental_frequency(const Curve *c)
{
    double length = c->to - c->from;
    uint32_t line = c->pieces.n ? largest_line(c) : 0;
    if (!line)
        return 0;
    double frequency = agree_phases(c, refine(c, (line - 1) / length, (line + 1) / length));
    double best = 0, least = INFINITY;
    for (int m = 1; m <= MOST_MULTIPLE && least > FUNDAMENTAL_SAME; m++) {
        double mismatch = fundamental_mismatch(c, frequency / m);
        if (mismatch < least) {
            least = mismatch;
            best = frequency / m;
        }
    }
    return best;
}

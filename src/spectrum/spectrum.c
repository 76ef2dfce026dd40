/* Spectra of the variables of a result over a whole number of periods, or windowed. */
#include "spectrum/spectrum.h"

#include "base/context.h"

#include <math.h>

typedef struct Work {
    Context *ctx;
    const Table *table;
    const SpectrumOptions *options;
    Spectrum *s;
    Arena *arena;
    Curve *curves; /* per variable */
} Work;

static bool choose_interval(Work *w)
{
    const Table *t = w->table;
    double first = t->time[0], last = t->time[t->n_rows - 1];
    double from = w->options->from ? *w->options->from : first;
    double to = w->options->to ? *w->options->to : last;
    if (!(from >= first && to <= last && from < to)) {
        diag(w->ctx, (Span){0}, DIAG_U030,
             "no data between %g and %g; the result has times from %g to %g", from, to, first,
             last);
        return false;
    }
    w->s->from = from;
    w->s->to = to;
    return true;
}

static bool make_curve(Work *w, uint32_t i)
{
    const char *name = w->options->variables[i];
    uint32_t column = table_find(w->table, name);
    double where;
    if (column == NONE) {
        table_report_missing(w->ctx, w->table, name);
        return false;
    }
    w->s->of[i].name = w->table->names[column];
    w->s->of[i].unit = w->table->units ? w->table->units[column] : NULL;
    if (curve_make(&w->curves[i], w->table, column, w->s->from, w->s->to, &where))
        return true;
    diag(w->ctx, (Span){0}, DIAG_U030,
         "'%s' is not a number at time %g; choose another interval with --from and --to", name,
         where);
    return false;
}

static bool make_curves(Work *w)
{
    bool ok = true;
    for (uint32_t i = 0; i < w->options->n_variables; i++)
        ok &= make_curve(w, i);
    return ok;
}

/* The last whole number of periods in the interval; 0 if there is none. */
static double whole_periods(const Spectrum *s, double frequency)
{
    return floor((s->to - s->from) * frequency * (1 + 1e-9));
}

/* All variables repeat with this frequency. */
static bool all_repeat(const Work *w, double frequency)
{
    for (uint32_t i = 0; i < w->s->n_variables; i++)
        if (!(fundamental_mismatch(&w->curves[i], frequency) < FUNDAMENTAL_SAME))
            return false;
    return true;
}

/* If the interval has a whole number of periods but for the error of the search, exactly that. */
static double fit_interval(const Spectrum *s, double frequency)
{
    double length = s->to - s->from, periods = round(length * frequency);
    return fabs(length * frequency - periods) < 1e-5 ? periods / length : frequency;
}

/* The frequency: given, or that of the first variable that has one. */
static double find_frequency(const Work *w)
{
    if (w->options->frequency > 0)
        return w->options->frequency;
    for (uint32_t i = 0; i < w->s->n_variables; i++) {
        double frequency = fundamental_frequency(&w->curves[i]);
        if (frequency > 0)
            return fit_interval(w->s, frequency);
    }
    return 0;
}

static void choose_periods(Work *w)
{
    Spectrum *s = w->s;
    const SpectrumOptions *o = w->options;
    s->frequency = find_frequency(w);
    s->periods = s->frequency > 0 ? whole_periods(s, s->frequency) : 0;
    bool given = o->frequency > 0;
    s->windowed = o->window || s->periods < 1 || (!given && !all_repeat(w, s->frequency));
    if (s->windowed)
        s->periods = (s->to - s->from) * s->frequency;
    else
        s->from = s->to - s->periods / s->frequency;
    s->window_asked = o->window;
    s->n_lines = o->harmonics ? o->harmonics : 50;
}

/* Frequencies of a windowed spectrum are multiples of those that the interval resolves. */
static double line_frequency(const Spectrum *s, uint32_t k)
{
    return s->windowed ? k / (s->to - s->from) : k * s->frequency;
}

/* Everything but mean and fundamental, as a share of the fundamental; NaN without one. */
static double distortion(const SpectrumOf *of)
{
    double a1 = hypot(of->lines[0].phasor.re, of->lines[0].phasor.im);
    double rest = of->rms * of->rms - of->mean * of->mean - 0.5 * a1 * a1;
    return a1 > 1e-6 * of->rms ? sqrt(fmax(rest, 0) / (0.5 * a1 * a1)) : NAN;
}

static void analyse(Work *w, uint32_t i)
{
    Spectrum *s = w->s;
    SpectrumOf *of = &s->of[i];
    Curve *c = &w->curves[i];
    of->mean = curve_mean(c, s->from, s->to);
    of->rms = sqrt(curve_mean_square(c, s->from, s->to));
    if (s->windowed) /* its line would cover its neighbours */
        curve_shift(c, -of->mean);
    of->lines = ARENA_ARRAY(w->arena, SpectrumLine, s->n_lines);
    Phasor *windowed = s->windowed ? ARENA_ARRAY(w->arena, Phasor, s->n_lines) : NULL;
    if (windowed)
        curve_windowed_lines(c, s->from, s->to, s->n_lines, windowed);
    for (uint32_t k = 0; k < s->n_lines; k++) {
        double f = line_frequency(s, k + 1);
        of->lines[k] =
            (SpectrumLine){f, windowed ? windowed[k] : curve_phasor(c, s->from, s->to, f, false)};
    }
    of->distortion = s->windowed ? NAN : distortion(of);
}

/* A windowed spectrum without a choice of lines reaches to the resolution of the rows. */
static void choose_lines(const Work *w)
{
    enum { MOST = 1000 };
    Spectrum *s = w->s;
    if (!s->windowed || w->options->harmonics)
        return;
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < s->n_variables; i++)
        pieces = w->curves[i].pieces.n > pieces ? w->curves[i].pieces.n : pieces;
    s->n_lines = pieces / 2 < MOST ? pieces / 2 + 1 : MOST;
}

bool spectrum_compute(Context *ctx, const Table *t, const SpectrumOptions *o, Spectrum *s,
                      Arena *arena)
{
    *s = (Spectrum){.n_variables = o->n_variables,
                    .of = ARENA_ARRAY(arena, SpectrumOf, o->n_variables)};
    Work w = {ctx, t, o, s, arena, ARENA_ARRAY(arena, Curve, o->n_variables)};
    bool ok = choose_interval(&w) && make_curves(&w);
    if (ok) {
        choose_periods(&w);
        choose_lines(&w);
        for (uint32_t i = 0; i < s->n_variables; i++)
            analyse(&w, i);
    }
    for (uint32_t i = 0; i < o->n_variables; i++)
        curve_free(&w.curves[i]);
    return ok;
}

/* Spectra as JSON, as a table for people, and as stems for a plot. */
#include "spectrum/spectrum.h"

#include <math.h>

static double amplitude(const SpectrumLine *l)
{
    return hypot(l->phasor.re, l->phasor.im);
}

/* Degrees of the cosine at time zero. */
static double phase(const SpectrumLine *l)
{
    return atan2(l->phasor.im, l->phasor.re) * (180 / M_PI);
}

/* ---- JSON ---- */

static void put_number(Text *out, const char *name, double x)
{
    text_printf(out, "\"%s\": ", name);
    if (isfinite(x))
        text_put_real(out, x);
    else
        text_put(out, "null");
}

static void put_line(Text *out, const Spectrum *s, const SpectrumLine *l, uint32_t order)
{
    text_put(out, "{");
    if (!s->windowed)
        text_printf(out, "\"order\": %u, ", order);
    put_number(out, "frequency", l->frequency);
    text_put(out, ", ");
    put_number(out, "amplitude", amplitude(l));
    text_put(out, ", ");
    put_number(out, "phase", phase(l));
    text_put(out, "}");
}

static void put_variable(Text *out, const Spectrum *s, const SpectrumOf *of)
{
    text_put_json(out, of->name);
    text_put(out, ": {");
    put_number(out, "mean", of->mean);
    text_put(out, ", ");
    put_number(out, "rms", of->rms);
    text_put(out, ", ");
    put_number(out, "thd", of->distortion);
    text_put(out, s->windowed ? ",\n    \"lines\": [" : ",\n    \"harmonics\": [");
    for (uint32_t k = 0; k < s->n_lines; k++) {
        text_put(out, k ? ",\n      " : "\n      ");
        put_line(out, s, &of->lines[k], k + 1);
    }
    text_put(out, "]}");
}

void spectrum_json(const Spectrum *s, Text *out)
{
    text_put(out, "{");
    put_number(out, "from", s->from);
    text_put(out, ", ");
    put_number(out, "to", s->to);
    text_put(out, ", ");
    put_number(out, "fundamental", s->frequency > 0 ? s->frequency : NAN);
    text_put(out, ", ");
    put_number(out, "periods", s->frequency > 0 ? s->periods : NAN);
    text_printf(out, ", \"window\": \"%s\",\n  \"variables\": {", s->windowed ? "hann" : "none");
    for (uint32_t i = 0; i < s->n_variables; i++) {
        text_put(out, i ? ",\n  " : "\n  ");
        put_variable(out, s, &s->of[i]);
    }
    text_put(out, "}}\n");
}

/* ---- for people ---- */

static void put_head(const Spectrum *s, Text *out)
{
    if (!s->windowed)
        text_printf(out, "%g periods of %.9g Hz, time %g to %g\n", s->periods, s->frequency,
                    s->from, s->to);
    else if (s->window_asked)
        text_printf(out, "Hann window, time %g to %g\n", s->from, s->to);
    else if (s->frequency > 0)
        text_printf(out,
                    "not periodic between %g and %g (nearest: %.6g Hz): Hann window; for whole "
                    "periods give --frequency, --from and --to\n",
                    s->from, s->to, s->frequency);
    else
        text_printf(out,
                    "no period found between %g and %g: Hann window; if this is one period, give "
                    "--period %.9g\n",
                    s->from, s->to, s->to - s->from);
}

/* Lines below this share of the largest are not printed. */
static double least_printed(const Spectrum *s, const SpectrumOf *of)
{
    double most = 0;
    for (uint32_t k = 0; k < s->n_lines; k++)
        most = fmax(most, amplitude(&of->lines[k]));
    return 1e-6 * most;
}

static void put_table(const Spectrum *s, const SpectrumOf *of, Text *out)
{
    double least = least_printed(s, of);
    text_printf(out, "\n%s%s%s%s: mean %.6g, rms %.6g", of->name, of->unit ? " [" : "",
                of->unit ? of->unit : "", of->unit ? "]" : "", of->mean, of->rms);
    if (isfinite(of->distortion))
        text_printf(out, ", THD %.4g %%", 100 * of->distortion);
    text_printf(out, "\n%6s %14s %14s %10s\n", s->windowed ? "" : "order", "frequency/Hz",
                "amplitude", "phase/deg");
    for (uint32_t k = 0; k < s->n_lines; k++) {
        const SpectrumLine *l = &of->lines[k];
        if (!(amplitude(l) > least))
            continue;
        if (s->windowed)
            text_printf(out, "%6s", "");
        else
            text_printf(out, "%6u", k + 1);
        text_printf(out, " %14.7g %14.6g %10.2f\n", l->frequency, amplitude(l), phase(l));
    }
}

void spectrum_text(const Spectrum *s, Text *out)
{
    put_head(s, out);
    for (uint32_t i = 0; i < s->n_variables; i++)
        put_table(s, &s->of[i], out);
}

/* ---- stems ---- */

/* Three rows for each line: at the axis, at its amplitude, at the axis. */
static void fill_stems(const Spectrum *s, Table *t)
{
    for (uint32_t r = 0; r < t->n_rows; r++) {
        uint32_t k = r / 3;
        t->time[r] = t->columns[0][r] = s->of[0].lines[k].frequency;
        for (uint32_t i = 0; i < s->n_variables; i++)
            t->columns[i + 1][r] = r % 3 == 1 ? amplitude(&s->of[i].lines[k]) : 0;
    }
}

Table *spectrum_stems(const Spectrum *s, const char *title, Arena *arena)
{
    Table *t = ARENA_NEW(arena, Table);
    *t = (Table){.path = title,
                 .title = title,
                 .n_rows = 3 * s->n_lines,
                 .n_columns = s->n_variables + 1,
                 .time = ARENA_ARRAY(arena, double, 3 * s->n_lines),
                 .names = ARENA_ARRAY(arena, const char *, s->n_variables + 1),
                 .columns = ARENA_ARRAY(arena, double *, s->n_variables + 1),
                 .units = ARENA_ARRAY(arena, const char *, s->n_variables + 1)};
    for (uint32_t i = 0; i <= s->n_variables; i++) {
        t->names[i] = i ? s->of[i - 1].name : "frequency";
        t->units[i] = i ? s->of[i - 1].unit : "Hz";
        t->columns[i] = ARENA_ARRAY(arena, double, 3 * s->n_lines);
    }
    fill_stems(s, t);
    return t;
}

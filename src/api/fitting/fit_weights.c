/* Weights of measured columns. */
#include "api/fitting/fit.h"

#include <math.h>

static double *zeros(Fit *f)
{
    return ARENA_ARRAY(f->arena, double, f->data.signals.n + (size_t)1);
}

static const char *unit_of(const Fit *f, uint32_t signal)
{
    for (uint32_t i = 0; i < f->data.n; i++)
        for (uint32_t k = 0; k < f->data.at[i].measured.n; k++)
            if (f->data.at[i].measured.at[k].signal == signal)
                return f->data.at[i].measured.at[k].unit;
    return NULL;
}

static bool same_unit(const Fit *f, uint32_t a, uint32_t b)
{
    const char *x = unit_of(f, a), *y = unit_of(f, b);
    return !strcmp(x ? x : "", y ? y : "");
}

/* The standard deviation of all values that have the unit of a signal. */
static double spread(const Fit *f, uint32_t signal)
{
    double sum = 0, squares = 0, n = 0;
    for (uint32_t i = 0; i < f->data.n; i++)
        for (uint32_t k = 0; k < f->data.at[i].measured.n; k++) {
            const FitExperiment *x = &f->data.at[i];
            const Measured *c = &x->measured.at[k];
            for (uint32_t row = 0; row < x->table->n_rows && same_unit(f, signal, c->signal);
                 row++) {
                double y = x->table->columns[c->column][row];
                if (!isfinite(y))
                    continue;
                sum += y;
                squares += y * y;
                n += 1;
            }
        }
    double variance = n > 0 ? squares / n - sum / n * (sum / n) : 0;
    return variance > 1e-12 * squares / fmax(n, 1) ? sqrt(variance) : 1;
}

static void weigh_by_units(Fit *f)
{
    bool alike = true;
    for (uint32_t s = 1; s < f->data.signals.n; s++)
        alike &= same_unit(f, 0, s);
    for (uint32_t s = 0; s < f->data.signals.n; s++)
        f->scale[s] = alike ? 1 : 1 / spread(f, s);
}

static uint32_t find_signal(Fit *f, const char *name, const char *what)
{
    const char *near = NULL;
    unsigned nearest = name_suggestion_limit(name);
    for (uint32_t s = 0; s < f->data.signals.n; s++) {
        const char *have = f->data.signals.at[s];
        if (!strcmp(have, name))
            return s;
        unsigned distance = name_distance(name, have, nearest);
        if (distance < nearest) {
            nearest = distance;
            near = have;
        }
    }
    diag(f->ctx, (Span){0}, DIAG_A028, "%s of '%s': the data have no measured column of this name",
         what, name);
    if (near)
        diag_note(f->ctx, (Span){0}, "did you mean '%s'?", near);
    return NONE;
}

static bool take_numbers(Fit *f, const KairosNumber *list, unsigned n, const char *what, double *to)
{
    bool ok = true;
    for (unsigned i = 0; i < n; i++) {
        uint32_t s = find_signal(f, list[i].name, what);
        bool good = list[i].value >= 0 && isfinite(list[i].value);
        if (!good)
            diag(f->ctx, (Span){0}, DIAG_A028, "%s of '%s' must be a positive number", what,
                 list[i].name);
        ok &= s != NONE && good;
        if (s != NONE)
            to[s] = list[i].value;
    }
    return ok;
}

static bool take_noise(Fit *f)
{
    double *noise = zeros(f);
    bool ok = take_numbers(f, f->how.noise, f->how.n_noise, "the noise", noise);
    for (uint32_t s = 0; s < f->data.signals.n && ok; s++) {
        if (!(noise[s] > 0)) {
            diag(f->ctx, (Span){0}, DIAG_A028,
                 "the noise of '%s' is missing; give a positive number for each measured column",
                 f->data.signals.at[s]);
            ok = false;
        }
        f->scale[s] = 1 / noise[s];
    }
    f->known_noise = true;
    f->weighting = WEIGHT_GIVEN;
    return ok;
}

static bool take_weights(Fit *f)
{
    double *weights = zeros(f);
    for (uint32_t s = 0; s < f->data.signals.n; s++)
        weights[s] = 1;
    bool ok = take_numbers(f, f->how.weights, f->how.n_weights, "the weight", weights);
    for (uint32_t s = 0; s < f->data.signals.n; s++)
        f->scale[s] = sqrt(weights[s]);
    f->weighting = WEIGHT_GIVEN;
    return ok;
}

bool weights_choose(Fit *f)
{
    static const char *const words[] = {"units", "equal", "noise"};
    f->scale = zeros(f);
    if (f->how.n_noise + f->how.n_weights > 0 && f->how.weighting) {
        diag(f->ctx, (Span){0}, DIAG_A028, "give either one way to weigh, or numbers");
        return false;
    }
    if (f->how.n_noise)
        return take_noise(f);
    if (f->how.n_weights)
        return take_weights(f);
    int kind = 0;
    while (f->how.weighting && kind < 3 && strcmp(words[kind], f->how.weighting) != 0)
        kind++;
    if (kind == 3) {
        diag(f->ctx, (Span){0}, DIAG_A028,
             "weights cannot be '%s'; use units, equal, noise, or numbers such as h=2,v=0.5",
             f->how.weighting);
        return false;
    }
    f->weighting = (Weighting)kind;
    if (f->weighting == WEIGHT_EQUAL)
        for (uint32_t s = 0; s < f->data.signals.n; s++)
            f->scale[s] = 1;
    else
        weigh_by_units(f);
    return true;
}

double signal_squares(const Fit *f, const FitExperiment *only, uint32_t signal, size_t *n)
{
    double sum = 0;
    size_t at = 0;
    *n = 0;
    for (uint32_t i = 0; i < f->data.n; i++)
        for (uint32_t k = 0; k < f->data.at[i].measured.n; k++) {
            const FitExperiment *x = &f->data.at[i];
            const Measured *c = &x->measured.at[k];
            bool counts = (!only || x == only) && c->signal == signal;
            for (size_t r = 0; r < c->n; r++, at++) {
                double y = counts && f->scale[signal] > 0 ? f->search.r[at] / f->scale[signal] : 0;
                sum += y * y;
            }
            *n += counts ? c->n : 0;
        }
    return sum;
}

bool weights_from_noise(Fit *f)
{
    bool changed = false;
    double all = (double)f->data.n_values, share = all > f->n ? 1 - f->n / all : 1;
    for (uint32_t s = 0; s < f->data.signals.n; s++) {
        size_t n;
        double squares = signal_squares(f, NULL, s, &n),
               noise = n ? sqrt(squares / ((double)n * share)) : 0,
               scale = 1 / fmax(noise, 1e-9 * spread(f, s));
        changed |= fabs(scale - f->scale[s]) > 1e-3 * f->scale[s];
        f->scale[s] = scale;
    }
    return changed;
}

/* The result of `kairos steady`: one more period, the JSON, the file of the orbit. */
#include "analysis/result_json.h"
#include "api/steady.h"
#include "base/atomic_file.h"
#include "sim/linear.h"
#include "sim/variation.h"

#include <math.h>

enum { POINTS = 500, MOST_MEANS = 2000 };

typedef struct Figures { /* of one period */
    double *begin, *end; /* all values at both ends; at an equilibrium the same */
    Variation *period;   /* means and extrema of `of`; NULL: none */
    VEC(VariationOf) of;
    VEC(uint32_t) column; /* of each */
} Figures;

/* ---- one more period ---- */

static double *copy_values(Analysis *a)
{
    const double *v = sim_values(a->sim);
    size_t n = a->m->compilation.plan->dae->vars.n;
    double *copy = ARENA_ARRAY(a->arena, double, n + 1);
    if (v)
        memcpy(copy, v, n * sizeof *copy);
    return v ? copy : NULL;
}

static bool is_varying(const Analysis *a, const Column *c)
{
    const DaeVar *x = &a->m->compilation.plan->dae->vars.at[c->var];
    return !c->constant && x->type == DAE_REAL && x->kind != DAE_PARAMETER && c->var != 0;
}

static void choose_means(const Analysis *a, const Steady *w, Figures *f)
{
    for (uint32_t i = 0; i < w->columns->list.n && f->of.n < MOST_MEANS; i++) {
        const Column *c = &w->columns->list.at[i];
        if (!is_varying(a, c))
            continue;
        vec_push(&f->of, ((VariationOf){c->var, c->sign}));
        vec_push(&f->column, i);
    }
    f->period = variation_new(a->sim, f->of.at, f->of.n, 0);
    variation_begin(f->period);
}

/* The first row, the period, and its end. */
static bool trace(Analysis *a, Steady *w, Figures *f)
{
    if (w->writer && !writer_row(w->writer, f->begin))
        return false;
    choose_means(a, w, f);
    w->sink.needs = w->writer ? ROW_ALL : ROW_TIME;
    bool going = orbit_trace(a->sim, &a->options, w->orbit.period, POINTS);
    f->end = going ? copy_values(a) : NULL;
    return f->end;
}

/* At an equilibrium, a little later: what drifts has changed. */
static bool rest(Analysis *a, Steady *w, Figures *f)
{
    if (w->writer && !writer_row(w->writer, f->begin))
        return false;
    double span = 1e-3 * (a->options.stop - a->options.start), t = sim_time(a->sim);
    if (!w->converged || !sim_advance(a->sim, t + (span > 0 ? span : 1e-3), false))
        return true;
    f->end = copy_values(a);
    return f->end;
}

static bool record(Analysis *a, Steady *w, Figures *f)
{
    f->begin = f->end = copy_values(a);
    if (!f->begin)
        return false;
    w->writer = w->how.orbit ? writer_open(a->ctx, w->how.orbit, w->columns) : NULL;
    if (w->how.orbit && !w->writer)
        return false;
    bool good = w->periodic ? trace(a, w, f) : rest(a, w, f);
    Writer *writer = w->writer;
    w->writer = NULL;
    if (!writer)
        return good;
    if (good)
        return writer_close(writer, f->begin);
    writer_discard(writer);
    return false;
}

/* ---- values ---- */

static double turn_of(const Column *c)
{
    return !c->unit                  ? 0
           : !strcmp(c->unit, "rad") ? 6.28318530717958647692
           : !strcmp(c->unit, "deg") ? 360
                                     : 0;
}

/* How far the variable of this column moves in the period; 0: it is not known. */
static double range_of(const Figures *f, uint32_t column)
{
    uint32_t k = 0;
    while (k < f->column.n && f->column.at[k] < column) /* they rise */
        k++;
    if (!f->period || k == f->column.n || f->column.at[k] != column)
        return 0;
    VariationScalars s = variation_scalars(f->period, k);
    return s.max - s.min;
}

/* Whether the variable of this column has another value after a period. *value: of an angle, modulo
 * a turn. */
static bool drifts(const Steady *w, const Figures *f, uint32_t column, double *value)
{
    const Column *c = &w->columns->list.at[column];
    double begin = c->sign * f->begin[c->var], end = c->sign * f->end[c->var], turn = turn_of(c);
    double size = fmax(fabs(begin), range_of(f, column)) + 1e-6,
           slack = fmax(1e-5, 100 * w->tolerance) * size;
    *value = begin;
    if (!(fabs(end - begin) > slack))
        return false;
    double turns = turn > 0 ? round((end - begin) / turn) : 0;
    if (turns == 0 || fabs(end - begin - turns * turn) > 1e-4 * turn)
        return true;
    *value = begin - turn * floor(begin / turn);
    return false;
}

static void put_value(const Analysis *a, Text *t, const Column *c, double value)
{
    put_json_member(t, c->name);
    if (a->m->compilation.plan->dae->vars.at[c->var].type == DAE_BOOL)
        text_put(t, value != 0 ? "true" : "false");
    else
        put_json_number(t, value);
}

static void put_values(Analysis *a, const Steady *w, Text *t, const Figures *f)
{
    const Dae *d = a->m->compilation.plan->dae;
    put_json_member(t, "values");
    text_put(t, "{");
    for (uint32_t i = 0; i < w->columns->list.n; i++) {
        const Column *c = &w->columns->list.at[i];
        const DaeVar *x = &d->vars.at[c->var];
        double value;
        if (c->constant || x->type == DAE_STRING || x->kind == DAE_PARAMETER || c->var == 0)
            continue;
        if (!drifts(w, f, i, &value) || !w->converged)
            put_value(a, t, c, value);
    }
    text_put(t, "}");
}

static void put_figures(const Steady *w, Text *t, const Figures *f)
{
    put_json_member(t, "figures");
    text_put(t, "{");
    for (uint32_t k = 0; f->period && k < f->of.n; k++) {
        VariationScalars s = variation_scalars(f->period, k);
        put_json_member(t, w->columns->list.at[f->column.at[k]].name);
        text_put(t, "{");
        put_json_real(t, "mean", s.mean);
        put_json_real(t, "rms", s.rms);
        put_json_real(t, "min", s.min);
        put_json_real(t, "max", s.max);
        text_put(t, "}");
    }
    text_put(t, "}");
}

/* ---- JSON ---- */

static void put_complex(Text *t, const char *name, const double *re, const double *im, uint32_t n)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (uint32_t i = 0; i < n; i++) {
        text_put(t, i ? ", {" : "{");
        put_json_real(t, "re", re[i]);
        put_json_real(t, "im", im[i]);
        text_put(t, "}");
    }
    text_put(t, "]");
}

static void put_flag(Text *t, const char *name, bool value)
{
    put_json_member(t, name);
    text_put(t, value ? "true" : "false");
}

static void put_json(Analysis *a, Steady *w, const Figures *f)
{
    Text *t = &w->json;
    text_put(t, "{");
    put_json_member(t, "kind");
    text_put_json(t, w->periodic ? "periodic" : "equilibrium");
    put_json_real(t, "period", w->periodic ? w->orbit.period : NAN);
    put_values(a, w, t, f);
    if (w->periodic)
        put_complex(t, "multipliers", w->orbit.re, w->orbit.im, w->orbit.n_multipliers);
    else
        put_complex(t, "multipliers", NULL, NULL, 0);
    put_flag(t, "stable", w->stable);
    put_json_member(t, "periods_used");
    text_printf(t, "%u", w->used + w->orbit.n_used);
    put_json_real(t, "time", f->begin[0]);
    put_flag(t, "converged", w->converged);
    put_json_member(t, "multiple");
    text_printf(t, "%u", w->periodic ? w->orbit.times : 1);
    put_complex(t, "poles", w->pole_re, w->pole_im, w->periodic ? 0 : w->n_poles);
    put_figures(w, t, f);
    text_put(t, "}\n");
}

static void free_figures(Analysis *a, Figures *f)
{
    if (f->period)
        variation_end(a->sim);
    variation_free(f->period);
    vec_free(&f->of);
    vec_free(&f->column);
}

bool steady_save(Analysis *a, Steady *w)
{
    Figures f = {0};
    bool good = record(a, w, &f);
    if (good)
        put_json(a, w, &f);
    free_figures(a, &f);
    if (good && w->how.output)
        good = atomic_save_text(a->ctx, w->how.output, &w->json);
    if (good && w->wanted)
        w->made = session_text(w->json.at);
    if (!good)
        a->status = analysis_status(a) == KAIROS_OK ? KAIROS_USE_ERROR : analysis_status(a);
    return good;
}

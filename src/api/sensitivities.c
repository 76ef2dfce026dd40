/* Sensitivities: the public side of sim/variation.h. */
#include "analysis/result_json.h"
#include "api/analysis.h"
#include "base/atomic_file.h"
#include "sim/variation.h"

#include <math.h>

typedef VEC(double) Reals;

typedef struct Sensitivities {
    const KairosSensitivities *given;
    KairosSensitivities how; /* its copy */
    VEC(VariationOf) of;
    Variation *variation;
    Reals time, values, d; /* rows; n_of values and n_of*n_to derivatives each */
    Text json;
    bool wanted;
    char *made; /* the JSON for the caller */
} Sensitivities;

/* ---- names ---- */

static bool find_variables(Analysis *a, Sensitivities *w)
{
    const Dae *dae = a->m->compilation.plan->dae;
    bool good = true;
    for (unsigned i = 0; i < w->how.n_of; i++) {
        double sign;
        VarId v = settings_variable(a->ctx, dae, w->how.of[i], &sign);
        vec_push(&w->of, ((VariationOf){v, sign}));
        good &= v != NONE;
    }
    return good;
}

static bool find_parameters(Analysis *a, Sensitivities *w)
{
    const Dae *dae = a->m->compilation.plan->dae;
    bool good = true;
    for (unsigned j = 0; j < w->how.n_to; j++) {
        double sign;
        VarId v = settings_parameter(a->ctx, dae, w->how.to[j], &sign);
        if (v != NONE)
            variation_of_parameter(w->variation, j, v, sign);
        good &= v != NONE;
    }
    return good;
}

/* ---- rows ---- */

static void take_row(void *user, double time, const double *values, const double *d)
{
    Sensitivities *w = user;
    if (w->how.on_row)
        w->how.on_row(w->how.user, time, values, d);
    vec_push(&w->time, time);
    for (unsigned i = 0; i < w->how.n_of; i++)
        vec_push(&w->values, values[i]);
    for (unsigned i = 0; i < w->how.n_of * w->how.n_to; i++)
        vec_push(&w->d, d[i]);
}

/* ---- JSON ---- */

/* Entry `at` of each row of `width` numbers. */
static void put_column(Text *t, const char *name, const Reals *from, size_t width, size_t at)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (size_t i = at; i < from->n; i += width) {
        text_put(t, i == at ? "" : ", ");
        put_json_number(t, from->at[i]);
    }
    text_put(t, "]");
}

static void put_rows(Sensitivities *w, Text *t)
{
    unsigned n_of = w->how.n_of, n_to = w->how.n_to;
    put_column(t, "time", &w->time, 1, 0);
    put_json_member(t, "values");
    text_put(t, "{");
    for (unsigned i = 0; i < n_of; i++)
        put_column(t, w->how.of[i], &w->values, n_of, i);
    text_put(t, "}");
    put_json_member(t, "d");
    text_put(t, "{");
    for (unsigned i = 0; i < n_of; i++) {
        put_json_member(t, w->how.of[i]);
        text_put(t, "{");
        for (unsigned j = 0; j < n_to; j++)
            put_column(t, w->how.to[j], &w->d, (size_t)n_of * n_to, (size_t)i * n_to + j);
        text_put(t, "}");
    }
    text_put(t, "}");
}

static void put_derivatives(const Sensitivities *w, Text *t, const double *d)
{
    for (unsigned j = 0; j < w->how.n_to; j++)
        put_json_real(t, w->how.to[j], d[j]);
    text_put(t, "}");
}

static void put_scalar(const Sensitivities *w, Text *t, const char *name, double value,
                       const double *d)
{
    put_json_member(t, name);
    text_put(t, "{");
    put_json_real(t, "value", value);
    put_derivatives(w, t, d);
}

static void put_scalars(const Analysis *a, const Sensitivities *w, Text *t)
{
    enum { MOST_TIMES = 1000 };
    put_json_member(t, "scalars");
    text_put(t, "{");
    for (unsigned i = 0; i < w->how.n_of; i++) {
        VariationScalars s = variation_scalars(w->variation, i);
        const char *x = w->how.of[i];
        put_scalar(w, t, arena_printf(a->arena, "end(%s)", x), s.end, s.d_end);
        put_scalar(w, t, arena_printf(a->arena, "mean(%s)", x), s.mean, s.d_mean);
        put_scalar(w, t, arena_printf(a->arena, "rms(%s)", x), s.rms, s.d_rms);
        put_scalar(w, t, arena_printf(a->arena, "min(%s)", x), s.min, s.d_min);
        put_scalar(w, t, arena_printf(a->arena, "max(%s)", x), s.max, s.d_max);
    }
    uint32_t n = variation_n_events(w->variation);
    for (uint32_t i = 0; i < n && i < MOST_TIMES; i++) {
        VariationEvent e = variation_event_at(w->variation, i);
        put_scalar(w, t, arena_printf(a->arena, "time(%u)", i + 1), e.time, e.d);
    }
    text_put(t, "}");
}

static void put_events(const Sensitivities *w, Text *t)
{
    put_json_member(t, "events");
    text_put(t, "[");
    for (uint32_t i = 0; i < variation_n_events(w->variation); i++) {
        VariationEvent e = variation_event_at(w->variation, i);
        text_put(t, i ? ", {" : "{");
        put_json_real(t, "time", e.time);
        put_derivatives(w, t, e.d);
    }
    text_put(t, "]");
}

/* The parameters by which there are no derivatives any more. Returns words for them if there are
 * others, too. */
static const char *put_ended(Analysis *a, const Sensitivities *w, Text *t)
{
    const char **names = ARENA_ARRAY(a->arena, const char *, w->how.n_to + (size_t)1);
    const char *words = "";
    uint32_t n = 0;
    for (unsigned j = 0; j < w->how.n_to; j++)
        if (variation_ended(w->variation, j)) {
            names[n++] = w->how.to[j];
            words = arena_printf(a->arena, "%s%s %s", words, n == 1 ? " by" : ",", w->how.to[j]);
        }
    put_json_names(t, "to", names, n);
    return n < w->how.n_to ? words : "";
}

static void put_flaw(Analysis *a, const Sensitivities *w, Text *t)
{
    double time;
    VariationFlaw flaw = variation_flaw(w->variation, &time);
    bool end = !flaw && variation_end_moves(w->variation);
    const char *reason = end ? "an event at the end of the run moves with a parameter, so a small "
                               "change decides whether it happens"
                             : analysis_flaw(flaw);
    put_json_member(t, "flaw");
    if (!flaw && !end) {
        text_put(t, "null");
        return;
    }
    time = end ? w->time.at[w->time.n - 1] : time;
    text_put(t, "{");
    put_json_real(t, "time", time);
    put_json_member(t, "reason");
    text_put_json(t, reason);
    const char *some = end ? "" : put_ended(a, w, t);
    text_put(t, "}");
    diag(a->ctx, (Span){0}, DIAG_A006, "derivatives%s are unknown %s time %.9g%s: %s", some,
         end ? "at" : "from", time, end ? "" : " on", reason);
}

static void put_json(Analysis *a, Sensitivities *w)
{
    Text *t = &w->json;
    text_put(t, "{");
    put_rows(w, t);
    put_scalars(a, w, t);
    put_events(w, t);
    put_flaw(a, w, t);
    text_put(t, "}\n");
}

/* ---- the run ---- */

static bool run(Analysis *a, Sensitivities *w)
{
    Sim *s = a->sim;
    bool going = sim_start(s) && sim_advance(s, a->options.stop, false);
    bool done = (going && sim_finish(s)) || sim_terminated(s);
    a->status = analysis_status(a);
    (void)w;
    return done || a->status == KAIROS_FAILED || a->status == KAIROS_INTERRUPTED;
}

static void differentiate(Analysis *a)
{
    Sensitivities *w = a->user;
    ResultSink sink = {.needs = ROW_ALL};
    if (!SESSION_READ(a->m->session, KairosSensitivities, w->given, &w->how))
        return;
    if (!w->how.n_of || !w->how.n_to) {
        diag(a->ctx, (Span){0}, DIAG_U008, "name variables (--of) and parameters (--to)");
        return;
    }
    w->how.of = settings_names(a->m->compilation.plan->dae, w->how.of, &w->how.n_of, a->arena);
    w->how.to = settings_names(a->m->compilation.plan->dae, w->how.to, &w->how.n_to, a->arena);
    if (!find_variables(a, w) || !analysis_open(a, &sink))
        return;
    w->variation = variation_new(a->sim, w->of.at, w->of.n, w->how.n_to);
    variation_on_row(w->variation, take_row, w);
    if (w->how.times)
        variation_at_times(w->variation, w->how.times, w->how.n_times);
    if (!find_parameters(a, w) || !run(a, w))
        return;
    put_json(a, w);
    if (w->how.output && !atomic_save_text(a->ctx, w->how.output, &w->json))
        a->status = KAIROS_USE_ERROR;
    if (w->wanted && w->json.at)
        w->made = session_text(w->json.at);
}

int kairos_sensitivities(KairosModel *m, const KairosRun *given, const KairosSensitivities *how,
                         char **json)
{
    Sensitivities w = {.given = how, .wanted = json != NULL};
    int status = analysis_run(m, given, differentiate, &w);
    if (json)
        *json = w.made;
    variation_free(w.variation);
    vec_free(&w.of);
    vec_free(&w.time);
    vec_free(&w.values);
    vec_free(&w.d);
    text_free(&w.json);
    return status;
}

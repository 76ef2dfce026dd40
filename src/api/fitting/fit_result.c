/* The result of a fit in words and as JSON. */
#include "api/fitting/fit.h"

#include "analysis/result_json.h"

#include <math.h>

bool fit_at_bound(const Fit *f, uint32_t j)
{
    return f->p[j] <= f->low[j] || f->p[j] >= f->high[j];
}

double fit_sigma(const Fit *f, uint32_t j)
{
    return sqrt(f->estimate.covariance[(size_t)j * f->n + j]);
}

double fit_limit(const Fit *f, uint32_t j, int side)
{
    double limit = f->p[j] + side * f->t * fit_sigma(f, j);
    return isnan(limit) ? NAN : fmin(fmax(limit, f->low[j]), f->high[j]);
}

/* ---- words ---- */

/* "a by 1 %, b by -1 %": changes of a combination, relative to the values. */
static const char *combination(const Fit *f, const double *free)
{
    Text t = {0};
    for (uint32_t j = 0; j < f->n; j++) {
        if (!(fabs(free[j]) > 0))
            continue;
        text_printf(&t, "%s%s by %.3g %%", t.n ? ", " : "", f->how.parameters[j], free[j]);
    }
    return text_keep(&t, f->arena);
}

static void report_free(Fit *f)
{
    for (uint32_t k = 0; k < f->estimate.n_free; k++) {
        const double *free = f->estimate.free + (size_t)k * f->n;
        uint32_t n = 0, only = 0;
        for (uint32_t j = 0; j < f->n; j++)
            if (fabs(free[j]) > 0) {
                n++;
                only = j;
            }
        if (n == 1)
            diag(f->ctx, (Span){0}, DIAG_A022,
                 "'%s' is not identifiable: the measured values do not depend on it; fix it, or "
                 "measure more",
                 f->how.parameters[only]);
        else
            diag(f->ctx, (Span){0}, DIAG_A022,
                 "a combination of parameters is not identifiable: a change of %s changes no "
                 "measured value; fix one of them, or measure more",
                 combination(f, free));
    }
}

static void report_bounds(Fit *f)
{
    for (uint32_t j = 0; j < f->n; j++)
        if (fit_at_bound(f, j))
            diag(
                f->ctx, (Span){0}, DIAG_A023,
                "'%s' ends at its %s bound %.9g: the best value may be beyond it, and its interval "
                "is not reliable",
                f->how.parameters[j], f->p[j] <= f->low[j] ? "lower" : "upper", f->p[j]);
}

static void report_end(Fit *f)
{
    switch (f->status) {
    case SEARCH_LIMIT:
        diag(f->ctx, (Span){0}, DIAG_A024,
             "the fit has not converged after %u runs; the best result so far is saved. Allow more "
             "(--most), or begin nearer (--set)",
             f->search.done);
        break;
    case SEARCH_STUCK:
        diag(f->ctx, (Span){0}, DIAG_A024,
             "the fit has not converged: near the best values no step makes it better%s%s; they "
             "are saved",
             *f->reason ? ", and runs fail there: " : "", f->reason);
        break;
    case SEARCH_INTERRUPTED:
        diag(f->ctx, (Span){0}, DIAG_A024,
             "the fit was interrupted; the best result so far is saved");
        break;
    default: break;
    }
}

void fit_report_words(Fit *f)
{
    report_end(f);
    report_free(f);
    report_bounds(f);
    if (f->search.failures && f->status == SEARCH_CONVERGED)
        diag(f->ctx, (Span){0}, DIAG_A025,
             "%u of %u runs failed on the way, and the search went around them; the last one: %s",
             f->search.failures, f->search.done, f->reason);
    if (!(f->freedom > 0))
        diag(f->ctx, (Span){0}, DIAG_A022,
             "%zu values for %u parameters leave nothing to estimate the noise from, so there are "
             "no intervals; give the noise (--noise), or more data",
             f->data.n_values, f->n);
}

/* ---- JSON ---- */

static void put_parameters(Fit *f, Text *t)
{
    put_json_member(t, "parameters");
    text_put(t, "{");
    for (uint32_t j = 0; j < f->n; j++) {
        put_json_member(t, f->how.parameters[j]);
        text_put(t, "{");
        put_json_real(t, "value", f->p[j]);
        put_json_real(t, "sigma", fit_sigma(f, j));
        put_json_real(t, "low", fit_limit(f, j, -1));
        put_json_real(t, "high", fit_limit(f, j, 1));
        text_put(t, "}");
    }
    text_put(t, "}");
}

static void put_column(const Fit *f, Text *t, const FitExperiment *x, const Measured *c)
{
    size_t n;
    double squares = signal_squares(f, x, c->signal, &n), scale = f->scale[c->signal];
    put_json_member(t, c->name);
    text_put(t, "{");
    put_json_real(t, "points", (double)n);
    put_json_real(t, "residual", n ? sqrt(squares / (double)n) : 0);
    put_json_real(t, "weight", scale * scale);
    text_put(t, "}");
}

static void put_experiments(Fit *f, Text *t)
{
    put_json_member(t, "experiments");
    text_put(t, "[");
    for (uint32_t i = 0; i < f->data.n; i++) {
        const FitExperiment *x = &f->data.at[i];
        double sum = 0;
        for (uint32_t k = 0; k < x->measured.n; k++) {
            size_t n;
            double scale = f->scale[x->measured.at[k].signal];
            sum += scale * scale * signal_squares(f, x, x->measured.at[k].signal, &n);
        }
        text_put(t, i ? ",\n {" : "{");
        put_json_member(t, "file");
        text_put_json(t, x->table->path);
        put_json_real(t, "start", x->start);
        put_json_real(t, "stop", x->stop);
        put_json_real(t, "points", (double)x->n);
        put_json_real(t, "residual", sqrt(sum / (double)x->n));
        put_json_names(t, "inputs", x->inputs.at, x->inputs.n);
        put_json_member(t, "columns");
        text_put(t, "{");
        for (uint32_t k = 0; k < x->measured.n; k++)
            put_column(f, t, x, &x->measured.at[k]);
        text_put(t, "}}");
    }
    text_put(t, "]");
}

static void put_free(Fit *f, Text *t)
{
    put_json_member(t, "not_identifiable");
    text_put(t, "[");
    for (uint32_t k = 0; k < f->estimate.n_free; k++) {
        text_put(t, k ? ", {" : "{");
        for (uint32_t j = 0; j < f->n; j++)
            if (fabs(f->estimate.free[(size_t)k * f->n + j]) > 0)
                put_json_real(t, f->how.parameters[j], f->estimate.free[(size_t)k * f->n + j]);
        text_put(t, "}");
    }
    text_put(t, "]");
    VEC(const char *) names = {0};
    for (uint32_t j = 0; j < f->n; j++)
        if (fit_at_bound(f, j))
            vec_push(&names, f->how.parameters[j]);
    put_json_names(t, "at_bounds", names.at, names.n);
    vec_free(&names);
}

void fit_put_json(Fit *f)
{
    static const char *const words[] = {
        [SEARCH_CONVERGED] = "converged",   [SEARCH_LIMIT] = "limit",
        [SEARCH_STUCK] = "stuck",           [SEARCH_FAILED] = "failed",
        [SEARCH_INFEASIBLE] = "infeasible", [SEARCH_INTERRUPTED] = "interrupted"};
    Text *t = &f->json;
    text_put(t, "{");
    put_parameters(f, t);
    put_json_real(t, "residual", sqrt(f->search.sum / (double)f->data.n_values));
    put_json_matrix(t, "covariance", f->estimate.covariance, f->n, f->n);
    put_experiments(f, t);
    put_json_member(t, "status");
    text_put_json(t, words[f->status]);
    put_json_real(t, "sum_of_squares", f->search.sum);
    put_json_real(t, "degrees_of_freedom", (double)f->data.n_values - f->n);
    put_json_real(t, "confidence", f->how.confidence);
    put_json_real(t, "condition", f->estimate.condition);
    put_free(f, t);
    put_json_real(t, "runs", f->search.done);
    put_json_real(t, "failed_runs", f->search.failures);
    text_put(t, "}\n");
}

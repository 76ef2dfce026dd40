/* A page about a fit: parameters with intervals, correlations, data against the model. */
#include "api/fitting/charts.h"
#include "api/fitting/fit.h"
#include "base/atomic_file.h"
#include "page/page.h"

#include <math.h>

static void put_head(Fit *f, Text *t)
{
    text_put(t, "<h1>Fit of ");
    text_put_xml(t, kairos_model_name(f->m));
    text_printf(t,
                "</h1>\n<p>%u parameters · %zu measured values · %u experiments · residual %.6g · "
                "%u runs</p>\n",
                f->n, f->data.n_values, f->data.n, sqrt(f->search.sum / (double)f->data.n_values),
                f->search.done);
    const char *messages = diag_render(f->ctx, DIAG_TEXT, false, f->arena);
    if (messages && *messages) {
        text_put(t, "<pre class=\"log\">");
        text_put_xml(t, messages);
        text_put(t, "</pre>\n");
    }
}

static void put_parameters(Fit *f, Text *t)
{
    text_printf(t,
                "<h2 id=\"parameters\">Parameters</h2>\n<div class=\"scroll\"><table><tr>"
                "<th>parameter</th><th>before</th><th>value</th><th>sigma</th>"
                "<th>low (%.3g %%)</th><th>high</th><th></th></tr>\n",
                100 * f->how.confidence);
    for (uint32_t j = 0; j < f->n; j++) {
        text_put(t, "<tr>");
        put_code_cell(t, f->how.parameters[j]);
        put_number_cell(t, f->first[j]);
        put_number_cell(t, f->p[j]);
        put_number_cell(t, fit_sigma(f, j));
        put_number_cell(t, fit_limit(f, j, -1));
        put_number_cell(t, fit_limit(f, j, 1));
        text_printf(t, "<td>%s</td></tr>\n",
                    fit_at_bound(f, j)       ? "at its bound"
                    : isnan(fit_sigma(f, j)) ? "not identifiable"
                                             : "");
    }
    text_put(t, "</table></div>\n");
}

static void put_correlations(Fit *f, Text *t)
{
    if (f->n < 2)
        return;
    text_put(
        t, "<h2 id=\"correlations\">Correlations</h2>\n<div class=\"scroll\"><table><tr><th></th>");
    for (uint32_t j = 0; j < f->n; j++) {
        text_put(t, "<th>");
        text_put_xml(t, f->how.parameters[j]);
        text_put(t, "</th>");
    }
    text_put(t, "</tr>\n");
    for (uint32_t i = 0; i < f->n; i++) {
        text_put(t, "<tr>");
        put_code_cell(t, f->how.parameters[i]);
        for (uint32_t j = 0; j < f->n; j++)
            put_number_cell(t, f->estimate.covariance[(size_t)i * f->n + j] /
                                   (fit_sigma(f, i) * fit_sigma(f, j)));
        text_put(t, "</tr>\n");
    }
    text_put(t, "</table></div>\n");
}

/* The model at the measured times: data plus residual. `r` is that of the column. */
static void put_column(Fit *f, Text *t, const FitExperiment *x, const Measured *c, const double *r)
{
    const Table *table = x->table;
    double *line = ARENA_ARRAY(f->arena, double, table->n_rows), scale = f->scale[c->signal];
    for (uint32_t i = 0; i < table->n_rows; i++) {
        double y = table->columns[c->column][i];
        line[i] = isfinite(y) && scale > 0 ? y + *r / scale : NAN;
        r += isfinite(y) != 0;
    }
    size_t n;
    double squares = signal_squares(f, x, c->signal, &n);
    Chart chart = {.title =
                       arena_printf(f->arena, "%s%s%s%s: data (dots) and fit (line); residual %.4g",
                                    c->name, c->unit ? " [" : "", c->unit ? c->unit : "",
                                    c->unit ? "]" : "", n ? sqrt(squares / (double)n) : 0),
                   .x_title = "time",
                   .x = table->time,
                   .dots = table->columns[c->column],
                   .line = line,
                   .n = table->n_rows};
    put_chart(t, &chart);
}

void fit_write_page(Fit *f)
{
    Text page = {0}, *t = &page;
    page_begin(t, arena_printf(f->arena, "Fit of %s", kairos_model_name(f->m)));
    put_head(f, t);
    put_parameters(f, t);
    put_correlations(f, t);
    const double *r = f->search.r;
    for (uint32_t i = 0; i < f->data.n; i++) {
        const FitExperiment *x = &f->data.at[i];
        text_put(t, "<h2>");
        text_put_xml(t, x->table->path);
        text_put(t, "</h2>\n");
        for (uint32_t k = 0; k < x->measured.n; k++) {
            put_column(f, t, x, &x->measured.at[k], r);
            r += x->measured.at[k].n;
        }
    }
    page_end(t);
    if (!atomic_save_text(f->ctx, f->how.report, &page))
        f->result = KAIROS_USE_ERROR;
    text_free(&page);
}

#include "api/reports/report_analyses.h"

#include "api/fitting/charts.h"
#include "output/output.h"
#include "plot/figure.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *id, *title;
} sections[REPORT_ANALYSES] = {
    [REPORT_LINEARIZE] = {"linearize", "Linear model"},
    [REPORT_STEADY] = {"steady", "Steady state"},
    [REPORT_SENSITIVITIES] = {"sensitivities", "Sensitivities"},
    [REPORT_SPECTRUM] = {"spectrum", "Spectrum"},
    [REPORT_FIT] = {"fit", "Fit"},
    [REPORT_OPTIMIZE] = {"optimize", "Optimization"},
};

/* ---- running ---- */

int report_begin_analyses(ReportAnalyses *a)
{
    const char *base = getenv("TMPDIR");
    return temporary_folder_open(&a->folder, base && *base ? base : P_tmpdir, "report");
}

char *report_temporary(const ReportAnalyses *a, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", a->folder.path, name) < 0 ? NULL : path;
}

static void linearize(ReportAnalyses *a, ReportAnalysis *x)
{
    KairosLinearize how = *a->how.linearize;
    how.output = NULL;
    how.poles = x->file[0] = report_temporary(a, "poles.html");
    x->status = kairos_linearize_model(a->m, &a->run, &how, &x->json);
    cJSON *json = x->json ? cJSON_Parse(x->json) : NULL;
    const cJSON *last = cJSON_IsArray(json) && cJSON_GetArraySize(json)
                            ? cJSON_GetArrayItem(json, cJSON_GetArraySize(json) - 1)
                            : json;
    bool responds = cJSON_GetArraySize(cJSON_GetObjectItem(last, "inputs")) &&
                    cJSON_GetArraySize(cJSON_GetObjectItem(last, "outputs"));
    cJSON_Delete(json);
    if (x->status != KAIROS_OK || !responds)
        return;
    char *again = NULL;
    how.poles = NULL;
    how.bode = x->file[1] = report_temporary(a, "bode.html");
    x->status = kairos_linearize_model(a->m, &a->run, &how, &again);
    kairos_free_text(again);
}

static void steady(ReportAnalyses *a, ReportAnalysis *x)
{
    KairosSteady how = *a->how.steady;
    how.output = NULL;
    how.orbit = x->file[0] = report_temporary(a, "orbit.mat");
    x->status = kairos_steady(a->m, &a->run, &how, &x->json);
}

static void sensitivities(ReportAnalyses *a, ReportAnalysis *x)
{
    KairosSensitivities how = *a->how.sensitivities;
    how.output = NULL;
    x->status = kairos_sensitivities(a->m, &a->run, &how, &x->json);
}

static void spectrum(ReportAnalyses *a, ReportAnalysis *x, const char *result)
{
    KairosSpectrum how = *a->how.spectrum;
    how.format = KAIROS_JSON;
    how.plot = x->file[0] = report_temporary(a, "spectrum.html");
    x->status = kairos_compute_spectrum(a->m->session, result, &how, &x->json);
}

static void fit(ReportAnalyses *a, ReportAnalysis *x)
{
    KairosFit how = *a->how.fit;
    how.output = NULL;
    how.report = x->file[0] = report_temporary(a, "fit.html");
    x->status = kairos_fit_model(a->m, &a->run, &how, &x->json);
}

static void optimize(ReportAnalyses *a, ReportAnalysis *x)
{
    KairosOptimize how = *a->how.optimize;
    how.output = NULL;
    how.report = x->file[0] = report_temporary(a, "optimum.html");
    x->status = kairos_optimize_model(a->m, &a->run, &how, &x->json);
}

int report_run_analyses(ReportAnalyses *a, const char *result)
{
    const KairosReport *how = &a->how;
    const bool wanted[REPORT_ANALYSES] = {
        [REPORT_LINEARIZE] = how->linearize,
        [REPORT_STEADY] = how->steady,
        [REPORT_SENSITIVITIES] = how->sensitivities,
        [REPORT_SPECTRUM] = how->spectrum && result,
        [REPORT_FIT] = how->fit,
        [REPORT_OPTIMIZE] = how->optimize,
    };
    int worst = KAIROS_OK;
    for (int i = 0; i < REPORT_ANALYSES; i++) {
        ReportAnalysis *x = &a->of[i];
        x->wanted = wanted[i];
        if (!x->wanted)
            continue;
        switch (i) {
        case REPORT_LINEARIZE: linearize(a, x); break;
        case REPORT_STEADY: steady(a, x); break;
        case REPORT_SENSITIVITIES: sensitivities(a, x); break;
        case REPORT_SPECTRUM: spectrum(a, x, result); break;
        case REPORT_FIT: fit(a, x); break;
        default: optimize(a, x); break;
        }
        worst = x->status > worst ? x->status : worst;
    }
    return worst;
}

void report_end_analyses(ReportAnalyses *a)
{
    for (int i = 0; i < REPORT_ANALYSES; i++) {
        kairos_free_text(a->of[i].json);
        for (int k = 0; k < 2; k++)
            free(a->of[i].file[k]);
    }
    temporary_folder_close(&a->folder);
}

/* ---- parts of sections ---- */

/* What a page that was written by another function shows, without its title. */
static void put_page(Text *t, const char *path)
{
    Text page = {0};
    bool is_read = path && text_read_file(&page, path, SIZE_MAX);
    char *begin = is_read ? strstr(page.at, "<main>") : NULL,
         *end = begin ? strstr(begin, "</main>") : NULL, *head = begin;
    if (end) {
        *end = 0;
        begin += strlen("<main>");
        head = strstr(begin, "</h1>");
        text_put(t, head ? head + strlen("</h1>") : begin);
    }
    text_free(&page);
}

static double number(const cJSON *x)
{
    return cJSON_IsNumber(x) ? x->valuedouble : NAN;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static void put_heads(Text *t, const char *const *heads)
{
    text_put(t, "<div class=\"scroll\"><table><tr>");
    for (; *heads; heads++) {
        text_put(t, "<th>");
        text_put_xml(t, *heads);
        text_put(t, "</th>");
    }
    text_put(t, "</tr>\n");
}

/* Rows of numbers of objects with these members. */
static void put_numbers(Text *t, const char *title, const cJSON *list, const char *const *members)
{
    const cJSON *item;
    if (!cJSON_GetArraySize(list))
        return;
    text_printf(t, "<h3>%s</h3>\n", title);
    put_heads(t, members);
    cJSON_ArrayForEach(item, list)
    {
        text_put(t, "<tr>");
        for (const char *const *name = members; *name; name++)
            put_number_cell(t, number(member(item, *name)));
        text_put(t, "</tr>\n");
    }
    text_put(t, "</table></div>\n");
}

/* By name: objects with these members. The first head is that of the names. */
static void put_named(Text *t, const cJSON *object, const char *const *heads)
{
    enum { MOST = 200 };
    const cJSON *item;
    int rows = 0;
    put_heads(t, heads);
    cJSON_ArrayForEach(item, object)
    {
        if (rows++ == MOST)
            break;
        text_put(t, "<tr>");
        put_code_cell(t, item->string);
        for (const char *const *name = heads + 1; *name; name++)
            put_number_cell(t, number(cJSON_IsObject(item) ? member(item, *name) : item));
        text_put(t, "</tr>\n");
    }
    text_put(t, "</table></div>\n");
    if (rows > MOST)
        text_printf(t, "<p>the first %d are shown</p>\n", MOST);
}

static void put_matrix(Text *t, const char *name, const cJSON *rows, const cJSON *row_names,
                       const cJSON *column_names)
{
    enum { MOST = 20 };
    const cJSON *row, *entry;
    int i = 0, n = cJSON_GetArraySize(row_names), m = cJSON_GetArraySize(column_names);
    if (!n || !m || n > MOST || m > MOST)
        return;
    text_printf(t, "<div class=\"scroll\"><table><tr><th>%s</th>", name);
    cJSON_ArrayForEach(entry, column_names)
    {
        text_put(t, "<th>");
        text_put_xml(t, entry->valuestring);
        text_put(t, "</th>");
    }
    text_put(t, "</tr>\n");
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *of = cJSON_GetArrayItem(row_names, i++);
        text_put(t, "<tr>");
        put_code_cell(t, of ? of->valuestring : "");
        cJSON_ArrayForEach(entry, row) put_number_cell(t, number(entry));
        text_put(t, "</tr>\n");
    }
    text_put(t, "</table></div>\n");
}

/* ---- sections ---- */

static const char *const poles[] = {"re", "im", "frequency", "damping", NULL};

static void put_point(Text *t, const cJSON *p)
{
    const cJSON *states = member(p, "states"), *inputs = member(p, "inputs"),
                *outputs = member(p, "outputs");
    text_printf(t, "<p>at time %.9g", number(member(p, "time")));
    if (cJSON_IsNumber(member(p, "period")))
        text_printf(t, ", over the period %.9g", number(member(p, "period")));
    text_put(t, "</p>\n");
    put_numbers(t, "Poles", member(p, "poles"), poles);
    put_numbers(t, "Zeros", member(p, "zeros"), poles);
    put_matrix(t, "A", member(p, "A"), states, states);
    put_matrix(t, "B", member(p, "B"), states, inputs);
    put_matrix(t, "C", member(p, "C"), outputs, states);
    put_matrix(t, "D", member(p, "D"), outputs, inputs);
}

static void put_linearize(Text *t, const ReportAnalysis *x, const cJSON *json)
{
    const cJSON *point;
    if (cJSON_IsArray(json))
        cJSON_ArrayForEach(point, json) put_point(t, point);
    else
        put_point(t, json);
    put_page(t, x->file[1]);
    put_page(t, x->file[0]);
}

static bool has_content(const char *path)
{
    struct stat s;
    return path && !stat(path, &s) && s.st_size > 0;
}

static void put_orbit(const ReportAnalyses *a, Text *t, const char *path)
{
    Context *ctx = a->m->session->ctx;
    Table *table = has_content(path) ? table_read(ctx, path) : NULL;
    const Table *tables[] = {table};
    PlotOptions o = {.title = "One period"};
    PlotFigure f = {.options = &o, .tables = tables, .n_tables = 1};
    if (table && plot_arrange(ctx, &f))
        plot_put_figure(&f, t);
    plot_release(&f);
    table_free(table);
}

static void put_steady(const ReportAnalyses *a, Text *t, const ReportAnalysis *x, const cJSON *json)
{
    static const char *const heads[] = {"variable", "mean", "rms", "min", "max", NULL};
    static const char *const multipliers[] = {"re", "im", NULL};
    const cJSON *kind = member(json, "kind");
    bool periodic = cJSON_IsString(kind) && !strcmp(kind->valuestring, "periodic");
    text_printf(t, "<p>%s %s",
                cJSON_IsTrue(member(json, "converged")) ? "" : "not converged; reached:",
                cJSON_IsTrue(member(json, "stable")) ? "stable" : "unstable");
    text_printf(t, " %s", periodic ? "periodic motion" : "equilibrium");
    if (periodic)
        text_printf(t, " with the period %.9g, after %g periods", number(member(json, "period")),
                    number(member(json, "periods_used")));
    text_put(t, "</p>\n");
    put_numbers(t, "Floquet multipliers", member(json, "multipliers"), multipliers);
    put_numbers(t, "Poles", member(json, "poles"), multipliers);
    if (periodic) {
        text_put(t, "<h3>Figures of a period</h3>\n");
        put_named(t, member(json, "figures"), heads);
        put_orbit(a, t, x->file[0]);
    } else {
        put_named(t, member(json, "values"), (const char *const[]){"variable", "value", NULL});
    }
}

static double *numbers(const cJSON *list, int *n)
{
    const cJSON *item;
    double *at = memory_alloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *at);
    *n = 0;
    cJSON_ArrayForEach(item, list) at[(*n)++] = number(item);
    return at;
}

static void put_derivatives(Text *t, const cJSON *json)
{
    enum { MOST = 12 };
    int n, m, charts = 0;
    double *time = numbers(member(json, "time"), &n);
    const cJSON *of, *to;
    cJSON_ArrayForEach(of, member(json, "d"))
    {
        cJSON_ArrayForEach(to, of)
        {
            if (charts++ >= MOST)
                continue;
            double *line = numbers(to, &m);
            Text title = {0};
            text_printf(&title, "derivative of %s with respect to %s", of->string, to->string);
            Chart c = {.title = title.at,
                       .x_title = "time",
                       .x = time,
                       .line = line,
                       .n = (size_t)(m < n ? m : n)};
            put_chart(t, &c);
            text_free(&title);
            memory_free(line);
        }
    }
    memory_free(time);
}

/* The names of parameters are those of the members of a scalar. */
static void put_sensitivities(Text *t, const cJSON *json)
{
    enum { MOST = 64 };
    const cJSON *flaw = member(json, "flaw"), *scalars = member(json, "scalars"), *item;
    const char *heads[MOST + 3] = {"scalar"};
    int n = 1;
    for (item = scalars && scalars->child ? scalars->child->child : NULL; item && n < MOST;
         item = item->next)
        heads[n++] = item->string;
    if (cJSON_IsObject(flaw)) {
        text_printf(t, "<p>No derivatives from time %.9g on: ", number(member(flaw, "time")));
        text_put_xml(t, member(flaw, "reason") ? member(flaw, "reason")->valuestring : "");
        text_put(t, "</p>\n");
    }
    put_named(t, scalars, heads);
    put_derivatives(t, json);
}

static void put_spectrum(Text *t, const ReportAnalysis *x, const cJSON *json)
{
    static const char *const heads[] = {"variable", "mean", "rms", "thd", NULL};
    text_printf(t, "<p>from %.9g to %.9g", number(member(json, "from")),
                number(member(json, "to")));
    if (number(member(json, "fundamental")) > 0)
        text_printf(t, ", fundamental %.9g Hz", number(member(json, "fundamental")));
    text_put(t, "</p>\n");
    put_named(t, member(json, "variables"), heads);
    put_page(t, x->file[0]);
}

static void put_section(const ReportAnalyses *a, int i, Text *t)
{
    const ReportAnalysis *x = &a->of[i];
    cJSON *json = x->json ? cJSON_Parse(x->json) : NULL;
    text_printf(t, "<h2 id=\"%s\">%s</h2>\n", sections[i].id, sections[i].title);
    if (!json)
        text_put(t, "<p>There is no result; see the messages above.</p>\n");
    else if (i == REPORT_LINEARIZE)
        put_linearize(t, x, json);
    else if (i == REPORT_STEADY)
        put_steady(a, t, x, json);
    else if (i == REPORT_SENSITIVITIES)
        put_sensitivities(t, json);
    else if (i == REPORT_SPECTRUM)
        put_spectrum(t, x, json);
    else
        put_page(t, x->file[0]);
    cJSON_Delete(json);
}

void report_put_analyses(const ReportAnalyses *a, Text *t)
{
    for (int i = 0; i < REPORT_ANALYSES; i++)
        if (a->of[i].wanted)
            put_section(a, i, t);
}

void report_link_analyses(const ReportAnalyses *a, Text *t)
{
    for (int i = 0; i < REPORT_ANALYSES; i++)
        if (a->of[i].wanted)
            text_printf(t, "<a href=\"#%s\">%s</a>", sections[i].id, sections[i].id);
}

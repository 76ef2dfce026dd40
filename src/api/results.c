/* Results of earlier runs: files, plots, comparisons and spectra. The public side of src/output,
 * src/plot and src/spectrum. */
#include "api/row_feed.h"
#include "api/session.h"

#include "plot/plot.h"
#include "spectrum/spectrum.h"

#include <string.h>

typedef struct Tables {
    Kairos *k;
    const char *result;
    const KairosPlot *given;
    KairosPlot plot;
    PlotOptions options;
    Table **at;
    uint32_t n;
    Arena *arena;
    unsigned columns, rows; /* of a terminal */
    bool colour;
    char *text; /* the picture for a terminal */
    int status;
} Tables;

static void free_tables(Tables *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        table_free(t->at[i]);
    memory_free(t->at);
    arena_free(t->arena);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The result and those drawn over it; false after an error. Free them in both cases. */
static bool read_tables(Tables *t)
{
    const KairosPlot *plot = &t->plot;
    if (!SESSION_READ(t->k, KairosPlot, t->given, &t->plot))
        return false;
    t->at = memory_alloc(sizeof *t->at * (plot->n_others + 1));
    for (unsigned i = 0; i <= plot->n_others; i++) {
        t->at[t->n] = table_read(t->k->ctx, i ? plot->others[i - 1] : t->result);
        if (!t->at[t->n])
            return false;
        t->n++;
    }
    t->options = (PlotOptions){.variables = plot->variables,
                               .n_variables = plot->n_variables,
                               .title = plot->title       ? plot->title
                                        : t->at[0]->title ? t->at[0]->title
                                                          : last_part(t->result),
                               .x = plot->x,
                               .colour = plot->colour,
                               .x_range = plot->x_range,
                               .y_range = plot->y_range,
                               .log_x = plot->log_x,
                               .log_y = plot->log_y,
                               .events = plot->events,
                               .separate = plot->separate};
    return true;
}

static void draw_result(void *arg)
{
    Tables *t = arg;
    t->status = KAIROS_USE_ERROR;
    if (!read_tables(t))
        return;
    if (!t->plot.output)
        diag(t->k->ctx, (Span){0}, DIAG_U008, "the member 'output' of KairosPlot names no file");
    else if (plot_tables(t->k->ctx, (const Table *const *)t->at, t->n, &t->options, t->plot.output))
        t->status = KAIROS_OK;
}

int kairos_plot_result(Kairos *k, const char *result, const KairosPlot *plot)
{
    Tables t = {.k = k, .result = result, .given = plot};
    int status = session_guard(k, draw_result, &t, &t.status);
    free_tables(&t);
    return status;
}

static void print_result(void *arg)
{
    Tables *t = arg;
    t->arena = arena_new();
    if (!read_tables(t))
        return;
    const char *text = plot_text(t->k->ctx, (const Table *const *)t->at, t->n, &t->options,
                                 t->columns, t->rows, t->colour, t->arena);
    t->text = text ? session_text(text) : NULL;
}

char *kairos_plot_text(Kairos *k, const char *result, const KairosPlot *plot, unsigned columns,
                       unsigned rows, int colour)
{
    Tables t = {.k = k,
                .result = result,
                .given = plot,
                .columns = columns,
                .rows = rows,
                .colour = colour};
    session_guard(k, print_result, &t, &t.status);
    free_tables(&t);
    return t.text;
}

typedef struct Comparison {
    Kairos *k;
    const char *result, *reference;
    const KairosCompare *given;
    Table *a, *b;
    Arena *arena;
    char **report;
    int status;
} Comparison;

static void compare(void *arg)
{
    Comparison *c = arg;
    Context *ctx = c->k->ctx;
    KairosCompare how;
    c->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(c->k, KairosCompare, c->given, &how))
        return;
    CompareOptions o = {how.tolerance, how.time_tolerance, how.variables, how.n_variables};
    c->a = table_read(ctx, c->result);
    c->b = c->a ? table_read(ctx, c->reference) : NULL;
    if (!c->b)
        return;
    char *text;
    c->arena = arena_new();
    bool alike = compare_tables(ctx, c->a, c->b, &o, &text, c->arena);
    if (c->report)
        *c->report = session_text(text);
    c->status = ctx->n_errors ? KAIROS_USE_ERROR : alike ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

int kairos_compare_results(Kairos *k, const char *result, const char *reference,
                           const KairosCompare *how, char **report)
{
    Comparison c = {
        .k = k, .result = result, .reference = reference, .given = how, .report = report};
    int status = session_guard(k, compare, &c, &c.status);
    arena_free(c.arena);
    table_free(c.a);
    table_free(c.b);
    return status;
}

typedef struct SpectrumCall {
    Kairos *k;
    const char *result;
    const KairosSpectrum *given;
    KairosSpectrum how;
    Table *table;
    Arena *arena;
    Text text;
    char **report;
    int status;
} SpectrumCall;

static bool draw_spectrum(SpectrumCall *c, const Spectrum *s)
{
    const char *title = c->table->title ? c->table->title : last_part(c->result);
    const Table *stems = spectrum_stems(s, title, c->arena);
    PlotOptions o = {.variables = c->how.variables,
                     .n_variables = c->how.n_variables,
                     .title = arena_printf(c->arena, "%s: spectrum", title),
                     .x = "frequency",
                     .separate = true};
    return plot_tables(c->k->ctx, &stems, 1, &o, c->how.plot);
}

static void compute_spectrum(void *arg)
{
    SpectrumCall *c = arg;
    c->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(c->k, KairosSpectrum, c->given, &c->how))
        return;
    c->arena = arena_new();
    c->table = table_read(c->k->ctx, c->result);
    SpectrumOptions o = {c->how.variables, c->how.n_variables, c->how.from,       c->how.to,
                         c->how.frequency, c->how.harmonics,   c->how.window != 0};
    Spectrum s;
    if (!c->table || !spectrum_compute(c->k->ctx, c->table, &o, &s, c->arena) ||
        (c->how.plot && !draw_spectrum(c, &s)))
        return;
    (c->how.format == KAIROS_JSON ? spectrum_json : spectrum_text)(&s, &c->text);
    if (c->report)
        *c->report = session_text(c->text.at);
    c->status = KAIROS_OK;
}

int kairos_compute_spectrum(Kairos *k, const char *result, const KairosSpectrum *how, char **report)
{
    SpectrumCall c = {.k = k, .result = result, .given = how, .report = report};
    int status = session_guard(k, compute_spectrum, &c, &c.status);
    text_free(&c.text);
    arena_free(c.arena);
    table_free(c.table);
    return status;
}

/* ---- rows ---- */

typedef struct KeptRows {
    KairosModel *m;
    const double *rows;
    size_t n;
    const char *path;
    Columns *columns;
    Writer *writer;
    double *v; /* all variables of a row */
    int status;
} KeptRows;

/* Parameters have the values of the first row. */
static bool write_all(KeptRows *x)
{
    size_t width = (size_t)x->columns->list.n + 1;
    bool good = true;
    for (size_t i = 0; good && i < x->n; i++) {
        row_feed_spread(x->columns, x->rows + i * width, x->v);
        good = writer_row(x->writer, x->v); /* closing reports an error */
    }
    double last = x->v[0];
    row_feed_spread(x->columns, x->rows, x->v);
    x->v[0] = last;
    Writer *writer = x->writer;
    x->writer = NULL;
    return writer_close(writer, x->v);
}

static void write_rows(void *arg)
{
    KeptRows *x = arg;
    const Plan *plan = x->m->compilation.plan;
    Context *ctx = x->m->session->ctx;
    CONTEXT_HOLD(ctx);
    x->columns = columns_new(ctx, plan, NULL, false);
    x->v = memory_alloc(plan->dae->vars.n * sizeof *x->v);
    x->writer = x->columns ? writer_open(ctx, x->path, x->columns) : NULL;
    x->status = x->writer && write_all(x) ? KAIROS_OK : KAIROS_USE_ERROR;
}

int kairos_write_rows(KairosModel *m, const double *rows, size_t n, const char *path)
{
    KeptRows x = {.m = m, .rows = rows, .n = n, .path = path, .status = KAIROS_USE_ERROR};
    if (!n)
        return KAIROS_USE_ERROR;
    pthread_rwlock_rdlock(&m->session->models);
    int status = session_guard(m->session, write_rows, &x, &x.status);
    pthread_rwlock_unlock(&m->session->models);
    if (x.writer)
        writer_discard(x.writer);
    memory_free(x.v);
    columns_free(x.columns);
    return status;
}

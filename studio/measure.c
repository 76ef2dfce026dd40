/* Measurements of a run between two times: values, mean, RMS, extremes, integral, period; and its
 * spectra. */
#include "curve_measures.h"
#include "server.h"

#include <math.h>
#include <stdlib.h>

enum { BESIDE = 4 }; /* rows on each side that shape the first and last piece */

/* The rows around [from, to], of one variable. */
typedef struct Rows {
    double *times, *values;
    uint32_t n;
} Rows;

static Rows rows_around(const Run *run, const Column *c, double from, double to)
{
    const Column *time = &run->columns->list.at[0];
    size_t first = 0, end = run->n_rows;
    while (first + BESIDE + 1 < end && run_value(run, time, first + BESIDE + 1) < from)
        first++;
    while (end > first + BESIDE + 1 && run_value(run, time, end - BESIDE - 2) > to)
        end--;
    Rows rows = {.n = (uint32_t)(end - first)};
    rows.times = memory_alloc(rows.n * sizeof *rows.times);
    rows.values = memory_alloc(rows.n * sizeof *rows.values);
    for (uint32_t i = 0; i < rows.n; i++) {
        rows.times[i] = run_value(run, time, first + i);
        rows.values[i] = run_value(run, c, first + i);
    }
    return rows;
}

/* ---- the answer ---- */

static void put_number(Text *t, const char *name, double x)
{
    text_printf(t, ",\"%s\":", name);
    json_put_number(t, x);
}

static void put_measures(Text *t, const CurveMeasures *m, double from, double to)
{
    put_number(t, "first", m->first);
    put_number(t, "last", m->last);
    put_number(t, "difference", m->last - m->first);
    put_number(t, "slope", (m->last - m->first) / (to - from));
    put_number(t, "mean", m->mean);
    put_number(t, "rms", m->rms);
    put_number(t, "min", m->least);
    put_number(t, "max", m->most);
    put_number(t, "integral", m->mean * (to - from));
    put_number(t, "period", m->frequency > 0 ? 1 / m->frequency : (double)NAN);
    put_number(t, "frequency", m->frequency > 0 ? m->frequency : (double)NAN);
}

static void put_variable(Text *t, const Run *run, const char *name, double from, double to)
{
    const Column *c = columns_find(run->columns, name);
    text_put(t, t->at[t->n - 1] == '[' ? "{\"name\":" : ",{\"name\":");
    text_put_json(t, name);
    if (!c) {
        text_put(t, ",\"error\":\"this run has no such variable\"}");
        return;
    }
    text_put(t, ",\"unit\":");
    json_put_text(t, c->unit);
    CurveMeasures m = {0};
    double where = from;
    if (c->constant) {
        double x = run->constants[c->at];
        m = (CurveMeasures){x, x, x, fabs(x), x, x, 0};
        put_measures(t, &m, from, to);
    } else {
        Rows rows = rows_around(run, c, from, to);
        if (curve_measure(rows.times, rows.values, rows.n, from, to, &m, &where))
            put_measures(t, &m, from, to);
        else
            text_printf(t, ",\"error\":\"it has no value at %.6g s\"", where);
        memory_free(rows.times);
        memory_free(rows.values);
    }
    text_put(t, "}");
}

/* Times beyond the rows of the run become its ends; the answer says which were taken. */
void runs_measure(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    if (!run->columns || run->n_rows < 2) {
        request_error(r, 409, "the run has no rows yet");
        return;
    }
    const Column *time = &run->columns->list.at[0];
    double start = run_value(run, time, 0), stop = run_value(run, time, run->n_rows - 1);
    double from = fmin(fmax(arg_number(r, "from", start), start), stop);
    double to = fmin(fmax(arg_number(r, "to", stop), start), stop);
    if (!(to > from)) {
        request_error(r, 400, "the two cursors must be at different times of the run");
        return;
    }
    char **names;
    uint32_t n = split_names(request_arg(r, "names"), &names);
    Text t = {0};
    text_printf(&t, "{\"run\":%u,\"from\":%.17g,\"to\":%.17g,\"variables\":[", run->id, from, to);
    for (uint32_t i = 0; i < n; i++)
        put_variable(&t, run, names[i], from, to);
    text_put(&t, "]}");
    request_json(r, 200, &t);
    free_names(names, n);
}

/* Harmonics by a job: kairos_compute_spectrum reads the result file. */
void runs_spectrum(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    const char *name = request_arg(r, "name");
    if (!run)
        return;
    char *result = run->n_rows > 1 && name ? run_result_file(s, run) : NULL;
    if (!result) {
        request_error(r, 409, name ? "the run has no rows yet" : "'name' must be a variable");
        return;
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "job", "spectrum");
    cJSON_AddStringToObject(o, "result", result);
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddNumberToObject(o, "frequency", fmax(arg_number(r, "frequency", 0), 0));
    if (request_arg(r, "from") && request_arg(r, "to")) {
        cJSON_AddNumberToObject(o, "from", arg_number(r, "from", 0));
        cJSON_AddNumberToObject(o, "to", arg_number(r, "to", 0));
    }
    Text t = {0};
    json_put_cjson(&t, o);
    cJSON_Delete(o);
    free(result);
    job_for(s, r, &t, "the spectrum", 60);
}

/* Columns of a run as JSON. If there are more rows than points, each interval of time is
 * represented by the first, smallest, largest and last row of each variable. Peaks and jumps are
 * kept. */
#include "server.h"

#include <math.h>

double run_value(const Run *run, const Column *c, size_t row)
{
    double x = c->constant ? run->constants[c->at] : rows_value(&run->rows, c->at, row);
    return c->negative ? -x : x;
}

/* ---- reduction ---- */

/* A time in another run: between the rows `row` and row + 1; share NaN: it has no such time. */
typedef struct Place {
    size_t row;
    double share;
} Place;

typedef struct Reduction {
    const Run *run;
    const Column *const *columns; /* time first */
    uint32_t n;
    size_t first, end;
    bool *keep; /* by row from `first` on */

    /* a run that is subtracted; NULL: none */
    const Run *minus;
    const Column *const *others; /* its columns; NULL: it has no such variable */
    const Place *places;         /* by row from `first` on */
} Reduction;

static double minus_value(const Reduction *r, uint32_t k, size_t row)
{
    const Place *p = &r->places[row - r->first];
    const Column *c = r->others[k];
    if (!c || isnan(p->share))
        return (double)NAN;
    double x = run_value(r->minus, c, p->row);
    return p->share == 0 ? x : x + p->share * (run_value(r->minus, c, p->row + 1) - x);
}

static double value(const Reduction *r, uint32_t k, size_t row)
{
    double x = run_value(r->run, r->columns[k], row);
    return r->minus && k ? x - minus_value(r, k, row) : x;
}

/* Where the times of the rows are in the run that is subtracted. At an event of both, left limits
 * meet left limits. */
static void find_places(const Reduction *r, Place *places)
{
    const Column *time = &r->minus->columns->list.at[0];
    size_t n = r->minus->n_rows, at = 0;
    for (size_t i = r->first; i < r->end; i++) {
        double t = run_value(r->run, r->columns[0], i);
        bool left = i + 1 < r->run->n_rows && run_value(r->run, r->columns[0], i + 1) == t;
        while (at + 1 < n && (left ? run_value(r->minus, time, at + 1) < t
                                   : run_value(r->minus, time, at + 1) <= t))
            at++;
        if (left && at + 1 < n && run_value(r->minus, time, at + 1) == t)
            at++;
        double from = run_value(r->minus, time, at);
        double to = at + 1 < n ? run_value(r->minus, time, at + 1) : from;
        places[i - r->first] = (Place){at, t == from            ? 0
                                           : t > from && t < to ? (t - from) / (to - from)
                                                                : (double)NAN};
    }
}

static void keep_extremes(const Reduction *r, size_t first, size_t end)
{
    r->keep[first - r->first] = r->keep[end - 1 - r->first] = true;
    for (uint32_t k = 1; k < r->n; k++) {
        size_t least = first, most = first;
        for (size_t i = first; i < end; i++) {
            double x = value(r, k, i);
            least = x < value(r, k, least) ? i : least;
            most = x > value(r, k, most) ? i : most;
        }
        r->keep[least - r->first] = r->keep[most - r->first] = true;
    }
}

static void reduce(const Reduction *r, unsigned points)
{
    double start = run_value(r->run, r->columns[0], r->first),
           stop = run_value(r->run, r->columns[0], r->end - 1);
    unsigned stretches = points / 4 + 1;
    double width = (stop - start) / stretches;
    for (size_t i = r->first; i < r->end;) {
        double number =
            width > 0 ? floor((run_value(r->run, r->columns[0], i) - start) / width) : 0;
        size_t end = i + 1;
        while (end < r->end &&
               (width > 0 ? floor((run_value(r->run, r->columns[0], end) - start) / width) : 0) <=
                   number)
            end++;
        keep_extremes(r, i, end);
        i = end;
    }
}

/* ---- JSON ---- */

const Column *columns_find(const Columns *c, const char *name)
{
    for (uint32_t i = 0; i < c->list.n; i++)
        if (!strcmp(c->list.at[i].name, name))
            return &c->list.at[i];
    return NULL;
}

/* Rows between two times; rows are in order of time. */
static void cut_range(const Run *run, DataRange *r)
{
    const Column *time = &run->columns->list.at[0];
    while (!isnan(r->from) && r->first + 1 < r->end && run_value(run, time, r->first + 1) < r->from)
        r->first++;
    while (!isnan(r->to) && r->end > r->first + 1 && run_value(run, time, r->end - 2) > r->to)
        r->end--;
}

static void put_column(Text *t, const Reduction *r, uint32_t k)
{
    const char *comma = "";
    text_put(t, "[");
    for (size_t i = r->first; i < r->end; i++)
        if (r->keep[i - r->first]) {
            text_put(t, comma);
            json_put_number(t, value(r, k, i));
            comma = ",";
        }
    text_put(t, "]");
}

static void put_texts(Text *t, const Reduction *r, const char *title, bool units)
{
    text_printf(t, "\"%s\":[", title);
    for (uint32_t i = 0; i < r->n; i++) {
        text_put(t, i ? "," : "");
        json_put_text(t, units ? r->columns[i]->unit : r->columns[i]->name);
    }
    text_put(t, "],");
}

void trajectory_put(Text *t, const Run *run, char *const *names, uint32_t n, DataRange range)
{
    VEC(const Column *) columns = {0}, others = {0};
    const Run *minus = range.minus && range.minus->n_rows ? range.minus : NULL;
    if (!run->columns || range.end <= range.first) {
        text_put(t, "\"names\":[],\"units\":[],\"columns\":[]");
        return;
    }
    vec_push(&columns, &run->columns->list.at[0]);
    vec_push(&others, NULL);
    for (uint32_t i = 0; i < n; i++) {
        const Column *c = columns_find(run->columns, names[i]);
        if (!c || c == columns.at[0])
            continue;
        vec_push(&columns, c);
        vec_push(&others, minus ? columns_find(minus->columns, names[i]) : NULL);
    }
    cut_range(run, &range);
    size_t rows = range.end - range.first;
    Place *places = minus ? memory_alloc(rows * sizeof *places) : NULL;
    Reduction r = {run,   columns.at, columns.n, range.first, range.end, memory_alloc(rows),
                   minus, others.at,  places};
    if (minus)
        find_places(&r, places);
    if (range.points && rows > range.points)
        reduce(&r, range.points);
    else
        memset(r.keep, 1, rows);
    put_texts(t, &r, "names", false);
    put_texts(t, &r, "units", true);
    text_put(t, "\"columns\":[");
    for (uint32_t i = 0; i < columns.n; i++) {
        text_put(t, i ? "," : "");
        put_column(t, &r, i);
    }
    text_put(t, "]");
    memory_free(r.keep);
    memory_free(places);
    vec_free(&columns);
    vec_free(&others);
}

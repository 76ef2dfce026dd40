/* Columns of a run as JSON. If there are more rows than points, each interval of time is
 * represented by the first, smallest, largest and last row of each variable. Peaks and jumps are
 * kept. */
#include "server.h"

#include <math.h>

double run_value(const Run *run, const Column *c, size_t row)
{
    return c->constant ? run->constants[c->at]
                       : run->rows.at[row * run->columns->n_varying + c->at];
}

/* ---- reduction ---- */

typedef struct Reduction {
    const Run *run;
    const Column *const *columns; /* time first */
    uint32_t n;
    size_t first, end;
    bool *keep; /* by row from `first` on */
} Reduction;

static void keep_extremes(const Reduction *r, size_t first, size_t end)
{
    r->keep[first - r->first] = r->keep[end - 1 - r->first] = true;
    for (uint32_t k = 1; k < r->n; k++) {
        size_t least = first, most = first;
        for (size_t i = first; i < end; i++) {
            double x = run_value(r->run, r->columns[k], i);
            least = x < run_value(r->run, r->columns[k], least) ? i : least;
            most = x > run_value(r->run, r->columns[k], most) ? i : most;
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

static void put_column(Text *t, const Reduction *r, const Column *c)
{
    const char *comma = "";
    text_put(t, "[");
    for (size_t i = r->first; i < r->end; i++)
        if (r->keep[i - r->first]) {
            text_put(t, comma);
            json_put_number(t, run_value(r->run, c, i));
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
    VEC(const Column *) columns = {0};
    if (!run->columns || range.end <= range.first) {
        text_put(t, "\"names\":[],\"units\":[],\"columns\":[]");
        return;
    }
    vec_push(&columns, &run->columns->list.at[0]);
    for (uint32_t i = 0; i < n; i++) {
        const Column *c = columns_find(run->columns, names[i]);
        if (c && c != columns.at[0])
            vec_push(&columns, c);
    }
    cut_range(run, &range);
    size_t rows = range.end - range.first;
    Reduction r = {run, columns.at, columns.n, range.first, range.end, memory_alloc(rows)};
    if (range.points && rows > range.points)
        reduce(&r, range.points);
    else
        memset(r.keep, 1, rows);
    put_texts(t, &r, "names", false);
    put_texts(t, &r, "units", true);
    text_put(t, "\"columns\":[");
    for (uint32_t i = 0; i < columns.n; i++) {
        text_put(t, i ? "," : "");
        put_column(t, &r, columns.at[i]);
    }
    text_put(t, "]");
    memory_free(r.keep);
    vec_free(&columns);
}

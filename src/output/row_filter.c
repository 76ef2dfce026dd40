/* Leaves out rows that straight lines replace.
 *
 * The last row that was kept is the anchor. For each column, `low` and `high` bound the slopes of
 * the lines from the anchor that pass all rows since then within the tolerance. A new row is a
 * possible end of these lines as long as its slope is within the bounds. If it is not, the row
 * before it is kept and becomes the anchor. Both rows of an event are kept. The cost of a row is
 * proportional to the number of columns, and only one row waits in memory. */
#include "output/writer.h"

#include <math.h>

typedef struct Cone {
    double anchor, low, high;
    double least, most; /* values so far */
} Cone;

struct RowFilter {
    const Columns *columns;
    double tolerance;
    size_t n_vars;
    RowPut *put; /* writes a row */
    void *user;
    double *waiting; /* the last row, size n_vars */
    bool waits;      /* it was not written yet */
    bool begun;
    double time; /* of the anchor */
    Cone *cones; /* per column */
};

RowFilter *row_filter_new(const Columns *columns, size_t n_vars, double tolerance, RowPut *put,
                          void *user)
{
    RowFilter *f = memory_alloc(sizeof *f);
    *f = (RowFilter){
        .columns = columns, .tolerance = tolerance, .n_vars = n_vars, .put = put, .user = user};
    f->waiting = memory_alloc((n_vars + 1) * sizeof *f->waiting);
    f->cones = memory_alloc((columns->list.n + 1) * sizeof *f->cones);
    for (uint32_t i = 0; i < columns->list.n; i++)
        f->cones[i] = (Cone){.least = INFINITY, .most = -INFINITY};
    return f;
}

void row_filter_free(RowFilter *f)
{
    if (!f)
        return;
    memory_free(f->waiting);
    memory_free(f->cones);
    memory_free(f);
}

static void begin_lines(RowFilter *f, const double *v)
{
    f->time = v[0];
    for (uint32_t i = 0; i < f->columns->list.n; i++) {
        Cone *c = &f->cones[i];
        c->anchor = v[f->columns->list.at[i].var];
        c->low = -INFINITY;
        c->high = INFINITY;
    }
}

/* Whether the line from the anchor to this value passes all values since. NaN only follows NaN. */
static bool reaches(const Cone *c, double dt, double value)
{
    if (isnan(value) || isnan(c->anchor))
        return isnan(value) && isnan(c->anchor);
    double slope = (value - c->anchor) / dt;
    return slope >= c->low && slope <= c->high;
}

static bool all_reach(const RowFilter *f, const double *v)
{
    double dt = v[0] - f->time;
    for (uint32_t i = 0; i < f->columns->list.n; i++)
        if (!reaches(&f->cones[i], dt, v[f->columns->list.at[i].var]))
            return false;
    return true;
}

static void widen_ranges(RowFilter *f, const double *v)
{
    for (uint32_t i = 0; i < f->columns->list.n; i++) {
        double value = v[f->columns->list.at[i].var];
        f->cones[i].least = fmin(f->cones[i].least, value);
        f->cones[i].most = fmax(f->cones[i].most, value);
    }
}

/* Lines must pass this row too. */
static void narrow(RowFilter *f, const double *v)
{
    double dt = v[0] - f->time;
    widen_ranges(f, v);
    for (uint32_t i = 0; i < f->columns->list.n; i++) {
        Cone *c = &f->cones[i];
        double value = v[f->columns->list.at[i].var];
        double away = f->tolerance * (c->most - c->least);
        c->low = fmax(c->low, (value - away - c->anchor) / dt);
        c->high = fmin(c->high, (value + away - c->anchor) / dt);
    }
}

/* Writes the row that waits, if any. It becomes the anchor. */
static bool keep(RowFilter *f)
{
    bool ok = !f->waits || f->put(f->user, f->waiting);
    f->waits = false;
    begin_lines(f, f->waiting);
    return ok;
}

/* The first row, and the second one of an event, are kept. */
static bool keep_now(RowFilter *f, const double *v)
{
    bool ok = !f->begun || keep(f);
    f->begun = true;
    begin_lines(f, v);
    widen_ranges(f, v);
    return ok && f->put(f->user, v);
}

bool row_filter_row(RowFilter *f, const double *v)
{
    bool ok = true;
    if (!f->begun || v[0] <= f->waiting[0]) {
        ok = keep_now(f, v);
    } else {
        ok = all_reach(f, v) || keep(f);
        narrow(f, v);
        f->waits = true;
    }
    memcpy(f->waiting, v, f->n_vars * sizeof *v);
    return ok;
}

bool row_filter_end(RowFilter *f)
{
    return !f->waits || f->put(f->user, f->waiting);
}

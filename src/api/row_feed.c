#include "api/row_feed.h"

#include "base/memory.h"

void row_feed_open(RowFeed *f, const Columns *columns, const KairosRun *how)
{
    uint32_t n = columns->list.n + 1;
    const char **names = memory_alloc(n * sizeof *names);
    f->values = memory_alloc(n * sizeof *f->values);
    f->columns = columns;
    f->on_row = how->on_row;
    f->user = how->user;
    names[0] = "time";
    for (uint32_t i = 1; i < n; i++)
        names[i] = columns->list.at[i - 1].name;
    f->row = (KairosRow){n, names, f->values};
}

bool row_feed_give(RowFeed *f, const double *v)
{
    f->values[0] = v[0];
    for (uint32_t i = 1; i < f->row.n; i++) {
        const Column *c = &f->columns->list.at[i - 1];
        f->values[i] = c->sign * v[c->var];
    }
    return !f->on_row(f->user, &f->row);
}

void row_feed_spread(const Columns *columns, const double *row, double *v)
{
    v[0] = row[0];
    for (uint32_t i = 0; i < columns->list.n; i++)
        v[columns->list.at[i].var] = columns->list.at[i].sign * row[i + 1];
}

void row_feed_close(RowFeed *f)
{
    memory_free((void *)(uintptr_t)f->row.names);
    memory_free(f->values);
    *f = (RowFeed){0};
}

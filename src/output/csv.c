/* CSV as in RFC 4180: a header line, `time` first, numbers that read back exactly. */
#include "output/writer.h"

enum { BUFFER = 1 << 16 };

static bool flush(Writer *w, size_t at_least)
{
    if (w->buffer.n < at_least || !w->buffer.n)
        return true;
    bool ok = fwrite(w->buffer.at, 1, w->buffer.n, w->file) == w->buffer.n;
    w->buffer.n = 0;
    return ok;
}

static void put_name(Text *t, const char *name)
{
    if (!strpbrk(name, ",\"\n\r")) {
        text_put(t, name);
        return;
    }
    text_put_char(t, '"');
    for (; *name; name++) {
        if (*name == '"')
            text_put_char(t, '"');
        text_put_char(t, *name);
    }
    text_put_char(t, '"');
}

static bool begin(Writer *w)
{
    text_put(&w->buffer, "time");
    for (uint32_t i = 0; i < w->columns->list.n; i++) {
        const Column *c = &w->columns->list.at[i];
        if (c->constant)
            continue;
        text_put_char(&w->buffer, ',');
        put_name(&w->buffer, c->name);
    }
    text_put(&w->buffer, "\r\n");
    return flush(w, BUFFER);
}

static bool row(Writer *w, const double *v)
{
    text_put_real(&w->buffer, v[0]);
    for (uint32_t i = 0; i < w->columns->list.n; i++) {
        const Column *c = &w->columns->list.at[i];
        if (c->constant)
            continue;
        text_put_char(&w->buffer, ',');
        text_put_real(&w->buffer, c->sign * v[c->var]);
    }
    text_put(&w->buffer, "\r\n");
    return flush(w, BUFFER);
}

static bool end(Writer *w, const double *v)
{
    (void)v;
    return flush(w, 0) && !fflush(w->file);
}

const WriterFormat writer_csv = {".csv", begin, row, end};

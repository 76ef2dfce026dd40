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

/* ---- numbers as text ----
 * Many columns have the value of another one, or keep theirs from row to row. Each value is printed
 * once, when it has changed. */

struct Printed {
    double value;
    uint32_t n;               /* 0: nothing yet */
    char text[REAL_TEXT + 1]; /* a comma, the number */
};

/* The columns of rows share entries of `printed` if they show the same variable. */
static void share_numbers(Writer *w)
{
    const Columns *c = w->columns;
    uint32_t n = c->list.n, n_vars = 0, n_printed = 0;
    for (uint32_t i = 0; i < n; i++)
        n_vars = c->list.at[i].var >= n_vars ? c->list.at[i].var + 1 : n_vars;
    uint32_t *entry[2]; /* by sign: of each variable, + 1 */
    for (int k = 0; k < 2; k++)
        entry[k] = ARENA_ARRAY(w->arena, uint32_t, n_vars);
    w->place = ARENA_ARRAY(w->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *at = &entry[c->list.at[i].sign < 0][c->list.at[i].var];
        if (!*at)
            *at = ++n_printed;
        w->place[i] = *at - 1;
    }
    w->printed = ARENA_ARRAY(w->arena, Printed, n_printed);
}

static void put_number(Text *t, Printed *p, double value)
{
    if (!p->n || memcmp(&p->value, &value, sizeof value) != 0) {
        p->value = value;
        p->text[0] = ',';
        p->n = 1 + (uint32_t)real_print(p->text + 1, value);
    }
    text_put_n(t, p->text, p->n);
}

static bool begin(Writer *w)
{
    share_numbers(w);
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
        put_number(&w->buffer, &w->printed[w->place[i]], c->sign * v[c->var]);
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

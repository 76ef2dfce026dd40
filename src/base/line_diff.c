/* Myers' algorithm (An O(ND) difference algorithm, 1986) on the lines between the common beginning
 * and the common end. Texts that differ in more lines than a limit become one hunk. */
#include "base/line_diff.h"

enum { MOST_CHANGES = 2000, CONTEXT = 3 };

typedef struct Side {
    const char *text;
    LineStarts starts;
} Side;

typedef struct Diff {
    Side old, new;
    uint32_t first;        /* common lines at the beginning */
    uint32_t n_old, n_new; /* lines between the common beginning and end */
    LineHunks hunks;
} Diff;

LineStarts line_starts(const char *text, size_t size)
{
    LineStarts s = {0};
    vec_push(&s, 0);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n')
            vec_push(&s, (uint32_t)(i + 1));
    if (vec_last(&s) != size)
        vec_push(&s, (uint32_t)size);
    return s;
}

static uint32_t lines_of(const Side *s)
{
    return s->starts.n - 1;
}

static bool same_line(const Diff *d, uint32_t i, uint32_t k)
{
    const uint32_t *a = d->old.starts.at + i, *b = d->new.starts.at + k;
    return a[1] - a[0] == b[1] - b[0] &&
           !memcmp(d->old.text + a[0], d->new.text + b[0], a[1] - a[0]);
}

static void trim(Diff *d)
{
    uint32_t n = lines_of(&d->old), m = lines_of(&d->new);
    while (d->first < n && d->first < m && same_line(d, d->first, d->first))
        d->first++;
    while (n > d->first && m > d->first && same_line(d, n - 1, m - 1))
        n--, m--;
    d->n_old = n - d->first;
    d->n_new = m - d->first;
}

/* A change of one line at (x, y), found from the end of the text to its beginning. */
static void prepend(Diff *d, uint32_t x, uint32_t y, bool deletes)
{
    LineHunk *last = d->hunks.n ? &vec_last(&d->hunks) : NULL;
    if (!last || x + deletes != last->old_at || y + !deletes != last->new_at) {
        vec_push(&d->hunks, ((LineHunk){x + deletes, 0, y + !deletes, 0}));
        last = &vec_last(&d->hunks);
    }
    last->old_at = x;
    last->new_at = y;
    last->old_n += deletes;
    last->new_n += !deletes;
}

/* reach[r][k + r] is the furthest x on diagonal k = x - y with r changes. */
static void trace(Diff *d, int32_t **reach, int32_t r, int32_t x, int32_t y)
{
    uint32_t first = d->first;
    for (; r > 0; r--) {
        const int32_t *before = reach[r - 1] + (r - 1);
        int32_t k = x - y;
        bool inserts = k == -r || (k != r && before[k - 1] < before[k + 1]);
        int32_t from = inserts ? k + 1 : k - 1;
        if ((from > r - 1 || from < 1 - r))
            break;
        x = before[from];
        y = x - from;
        prepend(d, first + (uint32_t)x, first + (uint32_t)y, !inserts);
    }
}

static int32_t furthest(const Diff *d, int32_t **reach, int32_t r, int32_t k)
{
    const int32_t *before = r ? reach[r - 1] + (r - 1) : NULL;
    int32_t x = 0;
    if (r) {
        bool inserts = k == -r || (k != r && before[k - 1] < before[k + 1]);
        x = inserts ? before[k + 1] : before[k - 1] + 1;
    }
    int32_t y = x - k;
    while (x >= 0 && y >= 0 && x < (int32_t)d->n_old && y < (int32_t)d->n_new &&
           same_line(d, d->first + (uint32_t)x, d->first + (uint32_t)y))
        x++, y++;
    return x;
}

static bool search(Diff *d, int32_t **reach, int32_t *n_rows)
{
    int32_t n = (int32_t)d->n_old, m = (int32_t)d->n_new;
    for (int32_t r = 0; r <= MOST_CHANGES; r++) {
        reach[r] = memory_alloc(sizeof **reach * (size_t)(2 * r + 1));
        *n_rows = r + 1;
        for (int32_t k = -r; k <= r; k += 2) {
            int32_t x = reach[r][k + r] = furthest(d, reach, r, k);
            if (x >= n && x - k >= m) {
                trace(d, reach, r, n, m);
                return true;
            }
        }
    }
    return false;
}

static void reverse(LineHunks *h)
{
    for (uint32_t i = 0; i < h->n / 2; i++) {
        LineHunk x = h->at[i];
        h->at[i] = h->at[h->n - 1 - i];
        h->at[h->n - 1 - i] = x;
    }
}

static void compare(Diff *d)
{
    int32_t **reach = memory_alloc(sizeof *reach * (MOST_CHANGES + 1)), n_rows = 0;
    trim(d);
    if ((d->n_old || d->n_new) && !search(d, reach, &n_rows)) {
        vec_clear(&d->hunks);
        vec_push(&d->hunks, ((LineHunk){d->first, d->n_old, d->first, d->n_new}));
    }
    for (int32_t i = 0; i < n_rows; i++)
        memory_free(reach[i]);
    memory_free(reach);
    reverse(&d->hunks);
}

static Diff begin(const char *old, size_t old_size, const char *text, size_t size)
{
    Diff d = {.old = {old, line_starts(old, old_size)}, .new = {text, line_starts(text, size)}};
    compare(&d);
    return d;
}

static void end(Diff *d)
{
    vec_free(&d->old.starts);
    vec_free(&d->new.starts);
}

LineHunks line_diff(const char *old, size_t old_size, const char *text, size_t size)
{
    Diff d = begin(old, old_size, text, size);
    end(&d);
    return d.hunks;
}

/* ---- the unified format ---- */

static void put_lines(const Side *s, uint32_t at, uint32_t n, char sign, Text *out)
{
    for (uint32_t i = at; i < at + n; i++) {
        uint32_t from = s->starts.at[i], to = s->starts.at[i + 1];
        text_put_char(out, sign);
        text_put_n(out, s->text + from, to - from);
        if (to == from || s->text[to - 1] != '\n')
            text_put(out, "\n\\ No newline at end of file\n");
    }
}

/* Hunks [i, end) with the lines between them, and a few around. */
static void put_group(const Diff *d, uint32_t i, uint32_t stop, Text *out)
{
    const LineHunk *h = d->hunks.at, *last = &h[stop - 1];
    uint32_t before = h[i].old_at < CONTEXT ? h[i].old_at : CONTEXT;
    uint32_t rest = lines_of(&d->old) - (last->old_at + last->old_n);
    uint32_t after = rest < CONTEXT ? rest : CONTEXT;
    uint32_t old_at = h[i].old_at - before, new_at = h[i].new_at - before;
    uint32_t n_old = last->old_at + last->old_n + after - old_at,
             n_new = last->new_at + last->new_n + after - new_at;
    text_printf(out, "@@ -%u,%u +%u,%u @@\n", old_at + (n_old > 0), n_old, new_at + (n_new > 0),
                n_new);
    for (; i < stop; i++) {
        put_lines(&d->old, old_at, h[i].old_at - old_at, ' ', out);
        put_lines(&d->old, h[i].old_at, h[i].old_n, '-', out);
        put_lines(&d->new, h[i].new_at, h[i].new_n, '+', out);
        old_at = h[i].old_at + h[i].old_n;
    }
    put_lines(&d->old, old_at, after, ' ', out);
}

void line_diff_print(const char *path, const char *old, size_t old_size, const char *text,
                     size_t size, Text *out)
{
    Diff d = begin(old, old_size, text, size);
    const LineHunk *h = d.hunks.at;
    if (d.hunks.n)
        text_printf(out, "--- %s\n+++ %s\n", path, path);
    for (uint32_t i = 0, stop; i < d.hunks.n; i = stop) {
        stop = i + 1;
        while (stop < d.hunks.n &&
               h[stop].old_at - (h[stop - 1].old_at + h[stop - 1].old_n) <= 2 * CONTEXT)
            stop++;
        put_group(&d, i, stop, out);
    }
    vec_free(&d.hunks);
    end(&d);
}

/* Reading result files: CSV of Kairos and of other programs, MAT 4 trajectories. */
#include "base/text.h"
#include "output/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- CSV ---- */

typedef struct Csv {
    const char *at, *end;
    char delimiter;
    char *field; /* the field read last, unquoted; in the text's own memory */
    bool last;   /* it ended its line */
} Csv;

/* Reads a field and unquotes it in place. */
static void next_field(Csv *c)
{
    char *in = (char *)(uintptr_t)c->at, *out = in, *end = (char *)(uintptr_t)c->end;
    c->field = in;
    bool quoted = in < end && *in == '"';
    if (quoted)
        in++;
    while (in < end) {
        if (quoted && *in == '"') {
            if (in + 1 < end && in[1] == '"')
                in++;
            else {
                quoted = false;
                in++;
                continue;
            }
        } else if (!quoted && (*in == c->delimiter || *in == '\n' || *in == '\r')) {
            break;
        }
        *out++ = *in++;
    }
    char stop = in < end ? *in : '\n';
    c->last = stop != c->delimiter;
    if (in < end)
        in++;
    if (stop == '\r' && in < end && *in == '\n')
        in++;
    *out = 0;
    c->at = in;
}

static char find_delimiter(const char *text)
{
    size_t commas = 0, semicolons = 0;
    for (; *text && *text != '\n'; text++) {
        commas += *text == ',';
        semicolons += *text == ';';
    }
    return semicolons > commas ? ';' : ',';
}

static bool parse_number(const char *s, double *x)
{
    char *end;
    while (*s == ' ')
        s++;
    *x = strtod(s, &end);
    if (end == s) {
        *x = !strcmp(s, "true") ? 1 : !strcmp(s, "false") ? 0 : NAN;
        return !*s || !isnan(*x);
    }
    while (*end == ' ')
        end++;
    return !*end;
}

typedef VEC(double) Numbers;

static void read_header(Table *t, Csv *c)
{
    VEC(const char *) names = {0};
    do {
        next_field(c);
        vec_push(&names, arena_copy(t->arena, c->field, strlen(c->field)));
    } while (!c->last);
    t->n_columns = names.n - 1;
    t->names = (const char **)vec_keep(&names, t->arena) + 1;
}

static bool read_rows(Context *ctx, Table *t, Csv *c, Numbers *all)
{
    for (uint32_t line = 2; c->at < c->end; line++) {
        uint32_t k = 0;
        do {
            double x;
            next_field(c);
            if (k == 0 && c->last && !*c->field)
                break;
            if (!parse_number(c->field, &x)) {
                diag(ctx, (Span){0}, DIAG_U006, "%s:%u: '%.40s' is not a number", t->path, line,
                     c->field);
                return false;
            }
            vec_push(all, x);
            k++;
        } while (!c->last);
        if (k && k != t->n_columns + 1) {
            diag(ctx, (Span){0}, DIAG_U006, "%s:%u: %u values where the header has %u names",
                 t->path, line, k, t->n_columns + 1);
            return false;
        }
        t->n_rows += k > 0;
    }
    return true;
}

/* Row after row to column after column. */
static void split_columns(Table *t, const double *all)
{
    size_t width = t->n_columns + 1;
    t->time = ARENA_ARRAY(t->arena, double, t->n_rows);
    t->columns = ARENA_ARRAY(t->arena, double *, t->n_columns);
    for (uint32_t j = 0; j < t->n_columns; j++)
        t->columns[j] = ARENA_ARRAY(t->arena, double, t->n_rows);
    for (uint32_t i = 0; i < t->n_rows; i++) {
        t->time[i] = all[i * width];
        for (uint32_t j = 0; j < t->n_columns; j++)
            t->columns[j][i] = all[i * width + j + 1];
    }
}

static bool read_csv(Context *ctx, Table *t, char *text, size_t size)
{
    Csv c = {text, text + size, find_delimiter(text), NULL, false};
    read_header(t, &c);
    Numbers all = {0};
    bool ok = read_rows(ctx, t, &c, &all);
    if (ok)
        split_columns(t, all.at);
    vec_free(&all);
    return ok;
}

/* ---- both ---- */

static bool check_times(Context *ctx, const Table *t)
{
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (!isfinite(t->time[i])) {
            diag(ctx, (Span){0}, DIAG_U006, "%s: the time of row %u is not a finite number",
                 t->path, i + 1);
            return false;
        } else if (i > 0 && t->time[i] < t->time[i - 1]) {
            diag(ctx, (Span){0}, DIAG_U006, "%s: time goes back from %g to %g in row %u", t->path,
                 t->time[i - 1], t->time[i], i + 1);
            return false;
        }
    if (!t->n_rows)
        diag(ctx, (Span){0}, DIAG_U006, "%s contains no values", t->path);
    return t->n_rows;
}

Table *table_read(Context *ctx, const char *path)
{
    uint32_t file = sources_load(ctx->sources, path);
    if (!file) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    const Source *source = sources_get(ctx->sources, file);
    Table *t = memory_alloc(sizeof *t);
    t->arena = arena_new();
    t->path = arena_copy(t->arena, path, strlen(path));
    char *text = arena_copy(t->arena, source->text, source->size);
    bool ok = text_ends_with(path, ".mat") ? table_read_mat(ctx, t, text, source->size)
                                           : read_csv(ctx, t, text, source->size);
    if (ok && check_times(ctx, t)) {
        if (!t->units) {
            t->units = ARENA_ARRAY(t->arena, const char *, t->n_columns);
            metadata_read(t);
        }
        return t;
    }
    table_free(t);
    return NULL;
}

void table_free(Table *t)
{
    if (!t)
        return;
    arena_free(t->arena);
    memory_free(t);
}

static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

uint32_t table_find(const Table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n_columns; i++)
        if (same_name(t->names[i], name))
            return i;
    return NONE;
}

void table_report_missing(Context *ctx, const Table *t, const char *name)
{
    diag(ctx, (Span){0}, DIAG_U007, "there is no variable '%s' in %s", name, t->path);
    uint32_t best = NONE;
    unsigned nearest = strlen(name) < 6 ? (unsigned)strlen(name) / 2 + 1 : 4;
    for (uint32_t i = 0; i < t->n_columns; i++) {
        unsigned d = name_distance(name, t->names[i], nearest);
        if (d < nearest) {
            nearest = d;
            best = i;
        }
    }
    if (best != NONE)
        diag_note(ctx, (Span){0}, "did you mean '%s'?", t->names[best]);
}

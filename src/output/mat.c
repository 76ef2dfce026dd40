/* MAT version 4 in the trajectory layout of Dymola and OpenModelica ("binTrans"): Aclass, name,
 * description, dataInfo, data_1 (parameters, two instants) and data_2 (everything else, one column
 * per instant). It is written directly, because rows arrive one by one and their number is known
 * only at the end. table_mat.c reads it. */
#include "output/writer.h"

#include <errno.h>

typedef struct Header { /* of a MAT 4 matrix */
    int32_t type, rows, columns, imaginary, name_size;
} Header;

enum { MAT_DOUBLE = 0, MAT_INT32 = 20, MAT_TEXT = 51 };

static bool put(Writer *w, const void *data, size_t size)
{
    return fwrite(data, 1, size, w->file) == size;
}

static bool put_header(Writer *w, int32_t type, size_t rows, size_t columns, const char *name)
{
    if (rows > INT32_MAX || columns > INT32_MAX) {
        errno = EFBIG;
        return false;
    }
    Header h = {type, (int32_t)rows, (int32_t)columns, 0, (int32_t)strlen(name) + 1};
    return put(w, &h, sizeof h) && put(w, name, strlen(name) + 1);
}

/* Texts as columns of a character matrix, padded with `pad`. */
static bool put_texts(Writer *w, const char *name, const char *const *texts, size_t n, char pad)
{
    size_t longest = 1;
    for (size_t i = 0; i < n; i++)
        if (strlen(texts[i]) > longest)
            longest = strlen(texts[i]);
    if (!put_header(w, MAT_TEXT, longest, n, name))
        return false;
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        size_t k = strlen(texts[i]);
        ok = put(w, texts[i], k);
        for (; k < longest && ok; k++)
            ok = put(w, &pad, 1);
    }
    return ok;
}

/* The class matrix is stored transposed with respect to the others: one text per row. */
static bool put_class(Writer *w)
{
    static const char *const lines[] = {"Atrajectory", "1.1", "", "binTrans"};
    enum { ROWS = 4, WIDTH = 11 };
    char text[WIDTH][ROWS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < WIDTH; j++)
            text[j][i] = j < strlen(lines[i]) ? lines[i][j] : ' ';
    return put_header(w, MAT_TEXT, ROWS, WIDTH, "Aclass") && put(w, text, sizeof text);
}

static bool put_names(Writer *w, Arena *scratch)
{
    const Columns *c = w->columns;
    const char **names = ARENA_ARRAY(scratch, const char *, c->list.n + 1);
    const char **texts = ARENA_ARRAY(scratch, const char *, c->list.n + 1);
    names[0] = "time";
    texts[0] = "Time in [s]";
    for (uint32_t i = 0; i < c->list.n; i++) {
        const Column *x = &c->list.at[i];
        names[i + 1] = x->name;
        texts[i + 1] =
            x->unit && *x->unit
                ? arena_printf(scratch, "%s [%s]", x->description ? x->description : "", x->unit)
            : x->description ? x->description
                             : "";
    }
    return put_texts(w, "name", names, c->list.n + 1, 0) &&
           put_texts(w, "description", texts, c->list.n + 1, 0);
}

/* Each variable has its own row, so the sign is always positive; -1: not defined outside the time
 * range. */
static bool put_info(Writer *w)
{
    const Columns *c = w->columns;
    if (!put_header(w, MAT_INT32, 4, c->list.n + 1, "dataInfo"))
        return false;
    int32_t info[4] = {0, 1, 0, -1}, next[2] = {1, 1};
    bool ok = put(w, info, sizeof info);
    for (uint32_t i = 0; i < c->list.n && ok; i++) {
        bool constant = c->list.at[i].constant;
        info[0] = constant ? 1 : 2;
        info[1] = ++next[!constant];
        info[2] = 0;
        info[3] = constant ? 0 : -1;
        ok = put(w, info, sizeof info);
    }
    return ok;
}

static size_t count(const Columns *c, bool constant)
{
    size_t n = 0;
    for (uint32_t i = 0; i < c->list.n; i++)
        n += c->list.at[i].constant == constant;
    return n;
}

/* data_1 is written as zeros and filled in at the end, when parameters have their values. */
static bool put_parameters(Writer *w, const double *v)
{
    bool ok = true;
    for (int instant = 0; instant < 2 && ok; instant++) {
        double time = v ? v[0] * instant : 0;
        ok = put(w, &time, sizeof time);
        for (uint32_t i = 0; i < w->columns->list.n && ok; i++) {
            const Column *x = &w->columns->list.at[i];
            double value = v ? x->sign * v[x->var] : 0;
            if (x->constant)
                ok = put(w, &value, sizeof value);
        }
    }
    return ok;
}

static bool begin(Writer *w)
{
    Arena *scratch = arena_new();
    bool ok = put_class(w) && put_names(w, scratch) && put_info(w);
    arena_free(scratch);
    if (!ok || !put_header(w, MAT_DOUBLE, count(w->columns, true) + 1, 2, "data_1"))
        return false;
    w->rows_at = ftell(w->file);
    return put_parameters(w, NULL) &&
           put_header(w, MAT_DOUBLE, count(w->columns, false) + 1, 0, "data_2");
}

static bool row(Writer *w, const double *v)
{
    bool ok = put(w, &v[0], sizeof v[0]);
    for (uint32_t i = 0; i < w->columns->list.n && ok; i++) {
        const Column *x = &w->columns->list.at[i];
        double value = x->sign * v[x->var];
        if (!x->constant)
            ok = put(w, &value, sizeof value);
    }
    return ok;
}

static bool end(Writer *w, const double *v)
{
    return !fseek(w->file, w->rows_at, SEEK_SET) && put_parameters(w, v) &&
           put_header(w, MAT_DOUBLE, count(w->columns, false) + 1, w->n_rows, "data_2") &&
           !fflush(w->file);
}

const WriterFormat writer_mat = {".mat", begin, row, end};

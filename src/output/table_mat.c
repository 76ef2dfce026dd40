/* MAT version 4, trajectory layout: see mat.c. Both orientations ("binTrans" and "binNormal") are
 * read; numbers may be double, float or int32. */
#include "output/table.h"

typedef struct Matrix {
    const char *name;
    const char *data;
    uint32_t rows, columns;
    int precision; /* second digit of the type: 0 double, 1 float, 2 int32, 5 byte */
} Matrix;

enum { MATRICES = 6 };
typedef struct Mat {
    Matrix aclass, name, description, info, data1, data2;
} Mat;

static size_t item_size(int precision)
{
    switch (precision) {
    case 0: return 8;
    case 1:
    case 2: return 4;
    case 3:
    case 4: return 2;
    default: return 1;
    }
}

/* Reads one matrix at *at; false at the end or if the bytes are not a MAT 4 matrix. */
static bool next_matrix(const char *bytes, size_t size, size_t *at, Matrix *m)
{
    int32_t h[5];
    if (size - *at < sizeof h)
        return false;
    memcpy(h, bytes + *at, sizeof h);
    *at += sizeof h;
    if (h[0] < 0 || h[0] > 99 || h[1] < 0 || h[2] < 0 || h[3] || h[4] <= 0 ||
        (size_t)h[4] > size - *at)
        return false;
    m->name = bytes + *at;
    m->precision = h[0] / 10 % 10;
    m->rows = (uint32_t)h[1];
    m->columns = (uint32_t)h[2];
    if (m->name[h[4] - 1])
        return false;
    *at += (size_t)h[4];
    m->data = bytes + *at;
    size_t cells = (size_t)m->rows * m->columns;
    if (cells > (size - *at) / item_size(m->precision))
        return false;
    *at += cells * item_size(m->precision);
    return true;
}

static double number(const Matrix *m, size_t row, size_t column)
{
    size_t i = column * m->rows + row;
    double d;
    float f;
    int32_t k;
    switch (m->precision) {
    case 0: memcpy(&d, m->data + 8 * i, 8); return d;
    case 1: memcpy(&f, m->data + 4 * i, 4); return (double)f;
    case 2: memcpy(&k, m->data + 4 * i, 4); return k;
    default: return (unsigned char)m->data[i];
    }
}

static double cell(const Matrix *m, bool transposed, size_t variable, size_t instant)
{
    return transposed ? number(m, variable, instant) : number(m, instant, variable);
}

static char character(double code)
{
    return code >= 0 && code < 256 ? (char)(unsigned char)code : '?';
}

static char *text_of(const Matrix *m, bool transposed, uint32_t k, Arena *arena)
{
    uint32_t n = transposed ? m->rows : m->columns;
    char *s = ARENA_ARRAY(arena, char, n + 1);
    for (uint32_t i = 0; i < n; i++)
        s[i] = character(cell(m, transposed, i, k));
    for (uint32_t i = n; i > 0 && (s[i - 1] == ' ' || !s[i - 1]); i--)
        s[i - 1] = 0;
    return s;
}

/* "… [V]" → "V"; a display unit ("[rad|deg]") is dropped. */
static const char *unit_of(char *description)
{
    char *open = strrchr(description, '['), *close = strrchr(description, ']');
    if (!open || !close || close[1] || close < open)
        return NULL;
    open[1 + strcspn(open + 1, "|]:")] = 0;
    return open + 1;
}

static bool find_matrices(const char *bytes, size_t size, Mat *mat)
{
    static const char *const names[MATRICES] = {"Aclass",   "name",   "description",
                                                "dataInfo", "data_1", "data_2"};
    Matrix *const slots[MATRICES] = {&mat->aclass, &mat->name,  &mat->description,
                                     &mat->info,   &mat->data1, &mat->data2};
    Matrix m;
    for (size_t at = 0; next_matrix(bytes, size, &at, &m);)
        for (int i = 0; i < MATRICES; i++)
            if (!strcmp(m.name, names[i]))
                *slots[i] = m;
    return mat->aclass.name && mat->name.name && mat->info.name && mat->data2.name;
}

static bool is_transposed(const Mat *mat, Arena *arena)
{
    return mat->aclass.rows >= 4 && strstr(text_of(&mat->aclass, false, 3, arena), "binTrans");
}

static uint32_t width(const Matrix *m, bool transposed)
{
    return transposed ? m->columns : m->rows;
}
static uint32_t height(const Matrix *m, bool transposed)
{
    return transposed ? m->rows : m->columns;
}

/* Column k of the table; false if dataInfo points outside. */
static bool read_column(Table *t, const Mat *mat, bool tr, uint32_t k, double *out)
{
    int kind = (int)cell(&mat->info, tr, 0, k), index = (int)cell(&mat->info, tr, 1, k);
    const Matrix *m = kind == 1 ? &mat->data1 : &mat->data2;
    double sign = index < 0 ? -1 : 1;
    uint32_t row = (uint32_t)(index < 0 ? -index : index) - 1;
    if (!m->name || !index || row >= height(m, tr) || !width(m, tr))
        return false;
    for (uint32_t i = 0; i < t->n_rows; i++)
        out[i] = sign * cell(m, tr, row, m == &mat->data1 ? 0 : i);
    return true;
}

static bool fill(Table *t, const Mat *mat, bool tr)
{
    uint32_t n = width(&mat->name, tr);
    if (!n || width(&mat->info, tr) < n || height(&mat->info, tr) < 2)
        return false;
    t->n_rows = width(&mat->data2, tr);
    t->n_columns = n - 1;
    t->time = ARENA_ARRAY(t->arena, double, t->n_rows);
    t->names = ARENA_ARRAY(t->arena, const char *, n);
    t->units = ARENA_ARRAY(t->arena, const char *, n);
    t->columns = ARENA_ARRAY(t->arena, double *, n);
    for (uint32_t i = 0; i < t->n_rows; i++)
        t->time[i] = cell(&mat->data2, tr, 0, i);
    for (uint32_t k = 1; k < n; k++) {
        t->names[k - 1] = text_of(&mat->name, tr, k, t->arena);
        if (mat->description.name && k < width(&mat->description, tr))
            t->units[k - 1] = unit_of(text_of(&mat->description, tr, k, t->arena));
        t->columns[k - 1] = ARENA_ARRAY(t->arena, double, t->n_rows);
        if (!read_column(t, mat, tr, k, t->columns[k - 1]))
            return false;
    }
    return true;
}

bool table_read_mat(Context *ctx, Table *t, const char *bytes, size_t size)
{
    Mat mat = {0};
    if (find_matrices(bytes, size, &mat) && fill(t, &mat, is_transposed(&mat, t->arena)))
        return true;
    diag(ctx, (Span){0}, DIAG_U006,
         "'%s' is not a trajectory in MAT 4 format (Aclass, name, dataInfo, data_1, data_2)",
         t->path);
    return false;
}

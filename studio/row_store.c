/* The rows of a run in memory. Large models have many columns that change rarely or never: elements
 * of rotation matrices, Booleans, zero forces. */
#include "server.h"

enum { BLOCK = 64 }; /* rows */
static const uint32_t is_constant = 1u << 31;

struct RowBlock {
    double *values;
    uint32_t at[]; /* by column: its first value; with is_constant the only one */
};

static bool is_same(const RowStore *s, uint32_t column)
{
    const double *x = &s->open.at[column];
    for (uint32_t i = 1; i < BLOCK; i++)
        if (memcmp(x, x + (size_t)i * s->n_columns, sizeof *x) != 0) /* also for NaN */
            return false;
    return true;
}

/* The open rows become a block. */
static void close_block(RowStore *s)
{
    size_t head = sizeof(RowBlock) + s->n_columns * sizeof(uint32_t);
    RowBlock *b = memory_alloc(head);
    uint32_t n = 0;
    for (uint32_t c = 0; c < s->n_columns; c++) {
        bool same = is_same(s, c);
        b->at[c] = n | (same ? is_constant : 0);
        n += same ? 1 : BLOCK;
    }
    b->values = memory_alloc(n * sizeof *b->values);
    for (uint32_t c = 0; c < s->n_columns; c++) {
        double *to = &b->values[b->at[c] & ~is_constant];
        for (uint32_t i = 0; i < (b->at[c] & is_constant ? 1 : BLOCK); i++)
            to[i] = s->open.at[(size_t)i * s->n_columns + c];
    }
    vec_push(&s->blocks, b);
    s->bytes += head + n * sizeof *b->values;
    vec_clear(&s->open);
}

void rows_add(RowStore *s, uint32_t n_columns, const char *rows, size_t n)
{
    s->n_columns = n_columns;
    for (size_t i = 0; i < n; i++) {
        vec_reserve(&s->open, s->open.n + n_columns);
        memcpy(s->open.at + s->open.n, rows + i * n_columns * sizeof(double),
               n_columns * sizeof(double));
        s->open.n += n_columns;
        if (s->open.n == (size_t)BLOCK * n_columns)
            close_block(s);
    }
    s->n_rows += n;
}

double rows_value(const RowStore *s, uint32_t column, size_t row)
{
    size_t block = row / BLOCK;
    if (block >= s->blocks.n)
        return s->open.at[(row - (size_t)s->blocks.n * BLOCK) * s->n_columns + column];
    const RowBlock *b = s->blocks.at[block];
    uint32_t at = b->at[column];
    return b->values[at & is_constant ? at & ~is_constant : at + row % BLOCK];
}

size_t rows_bytes(const RowStore *s)
{
    return s->bytes + s->open.cap * sizeof(double);
}

void rows_free(RowStore *s)
{
    for (uint32_t i = 0; i < s->blocks.n; i++) {
        memory_free(s->blocks.at[i]->values);
        memory_free(s->blocks.at[i]);
    }
    vec_free(&s->blocks);
    vec_free(&s->open);
}

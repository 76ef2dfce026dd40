/* Modelica arithmetic that C lacks, and arrays of functions. */
#include "base/arith.h"
#include "runtime/internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double kr_div(double a, double b)
{
    return arith_div(a, b);
}

double kr_mod(double a, double b)
{
    return arith_mod(a, b);
}

double kr_rem(double a, double b)
{
    return arith_rem(a, b);
}

double kr_sign(double a)
{
    return arith_sign(a);
}

double kr_powi(double a, int n)
{
    return arith_powi(a, n);
}

double kr_pow(double a, double b)
{
    return arith_pow(a, b);
}

double kr_increment(double x)
{
    return 1.5e-8 * (fabs(x) > 1e-3 ? fabs(x) : 1e-3);
}

void kr_matmul(const double *a, const double *b, double *c, int rows, int inner, int columns)
{
    arith_matmul(a, b, c, rows, inner, columns);
}

void kr_matpow(ModelData *m, const double *a, double power, double *c, int n)
{
    int mark = kr_mark(m);
    double *d = kr_alloc(m, n * n);
    if (!(power >= 0.0 && power < INT_MAX)) {
        kr_fail(m, FAILED_RANGE);
    }
    for (int i = 0; i < n; i++) {
        c[i * n + i] = 1.0;
    }
    for (int p = 0; d != NULL && m->status == MODEL_OK && p < (int)power; p++) {
        arith_matmul(c, a, d, n, n, n);
        memcpy(c, d, (size_t)n * (size_t)n * sizeof *c);
    }
    kr_release(m, mark);
}

void kr_fail(ModelData *m, int assert_id)
{
    if (m->status == MODEL_OK) {
        m->status = MODEL_ASSERT;
        m->failed_assert = assert_id;
        runtime_of(m)->failed_text = 0.0;
    }
}

int kr_warn(ModelData *m, int assert_id)
{
    Runtime *rt = runtime_of(m);
    for (uint32_t i = 0; i < rt->n_warned; i++) {
        if (rt->warned[i] == assert_id) {
            return 0;
        }
    }
    if (rt->n_warned == WARNING_LIMIT) {
        return 0;
    }
    rt->warned_text[rt->n_warned] = 0.0;
    rt->warned[rt->n_warned++] = assert_id;
    return 1;
}

void kr_external(ModelData *m, int function, double *const *args, const int *dims)
{
    const Runtime *rt = runtime_of(m);
    if (m->status == MODEL_OK) {
        m->status = rt->external != NULL ? rt->external(rt->external_user, function, args, dims)
                                         : MODEL_EXTERNAL;
    }
}

int kr_loop(ModelData *m, int *n, int id)
{
    const _Atomic int *interrupt = runtime_of(m)->interrupt;
    if (++*n >= LOOP_LIMIT) {
        kr_fail(m, id);
        return 1;
    }
    if (*n % 1024 == 0 && interrupt != NULL && *interrupt) {
        m->status = m->status != MODEL_OK ? m->status : MODEL_INTERRUPTED;
        return 1;
    }
    return 0;
}

int kr_index(ModelData *m, double i, int n)
{
    if (i >= 1.0 && i <= n) {
        return (int)i - 1;
    }
    kr_fail(m, FAILED_INDEX);
    return 0;
}

int kr_next(ModelData *m, int *q, int n)
{
    if (*q < n) {
        return (*q)++;
    }
    kr_fail(m, FAILED_SIZE);
    return 0;
}

/* ---- the stack: chunks in a list, with offsets counted over all chunks ---- */

enum { CHUNK = 1 << 13, MAX_ELEMENTS = 1 << 28 };

struct StackChunk {
    struct StackChunk *below, *above;
    int base, used, size; /* in doubles; base: of all chunks below */
    double at[];
};

static struct StackChunk *new_chunk(struct StackChunk *below, int n)
{
    int size = n > CHUNK ? n : CHUNK;
    struct StackChunk *c = malloc(sizeof *c + (size_t)size * sizeof(double));
    if (c != NULL) {
        *c = (struct StackChunk){
            .below = below, .size = size, .base = below != NULL ? below->base + below->size : 0};
        if (below != NULL) {
            below->above = c;
        }
    }
    return c;
}

static void free_above(struct StackChunk *c)
{
    while (c != NULL) {
        struct StackChunk *above = c->above;
        free(c);
        c = above;
    }
}

double *kr_alloc(ModelData *m, int n)
{
    Runtime *rt = runtime_of(m);
    struct StackChunk *c = rt->chunk;
    n = n > 0 ? n : 1;
    if (c == NULL || c->size - c->used < n) {
        if (c != NULL && c->above != NULL && c->above->size < n) {
            free_above(c->above);
            c->above = NULL;
        }
        bool large = n > MAX_ELEMENTS || (c != NULL && c->base > INT_MAX / 2);
        struct StackChunk *next = large                           ? NULL
                                  : c != NULL && c->above != NULL ? c->above
                                                                  : new_chunk(c, n);
        if (next == NULL) {
            m->status = m->status != MODEL_OK ? m->status : MODEL_NO_MEMORY;
            return NULL;
        }
        next->used = 0;
        c = rt->chunk = next;
    }
    double *p = c->at + c->used;
    c->used += n;
    memset(p, 0, (size_t)n * sizeof *p);
    return p;
}

enum { STACK_LIMIT = 2 << 20 };

/* Functions request their frame on entry, so an endless recursion is noticed here. So is an
 * interrupt, so that loops over calls end. */
int kr_mark(ModelData *m)
{
    Runtime *rt = runtime_of(m);
    const struct StackChunk *c = rt->chunk;
    const char *here = __builtin_frame_address(0);
    if (rt->stack == NULL || here > rt->stack) {
        rt->stack = here;
    } else if (rt->stack - here > STACK_LIMIT) {
        kr_fail(m, FAILED_DEPTH);
    }
    if (rt->interrupt != NULL && *rt->interrupt && m->status == MODEL_OK) {
        m->status = MODEL_INTERRUPTED;
    }
    return c != NULL ? c->base + c->used : 0;
}

void kr_release(ModelData *m, int mark)
{
    struct StackChunk *c = runtime_of(m)->chunk;
    while (c != NULL && c->base > mark && c->below != NULL) {
        c = c->below;
    }
    if (c != NULL) {
        c->used = mark - c->base;
        runtime_of(m)->chunk = c;
    }
}

void stack_free(Runtime *rt)
{
    struct StackChunk *c = rt->chunk;
    while (c != NULL && c->below != NULL) {
        c = c->below;
    }
    free_above(c);
    rt->chunk = NULL;
}

int kr_range_count(ModelData *m, double first, double step, double last)
{
    double steps = (last - first) / step;
    double n = steps < 0.0 ? 0.0 : floor(steps * (1.0 + 8.0 * DBL_EPSILON)) + 1.0;
    if (!(n <= MAX_ELEMENTS)) {
        kr_fail(m, FAILED_RANGE);
        return 0;
    }
    return (int)n;
}

int kr_range(ModelData *m, double first, double step, double last, double **out)
{
    int n = kr_range_count(m, first, step, last);
    *out = kr_alloc(m, n);
    for (int i = 0; *out != NULL && i < n; i++) {
        (*out)[i] = first + i * step;
    }
    return n;
}

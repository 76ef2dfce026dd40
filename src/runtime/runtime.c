/* The runtime of one instance: its data block and what solving needs. */
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct Sizes {
    uint32_t block, rescue, discretes, switched;
} Sizes;

static Sizes find_sizes(const ModelCode *code)
{
    Sizes s = {1, 1, 1, 0};
    for (uint32_t i = 0; i < code->n_blocks; i++) {
        const ModelBlockCode *b = &code->blocks[i];
        s.block = b->n > s.block ? b->n : s.block;
        s.rescue = b->n > s.rescue && b->n <= RESCUE_LIMIT ? b->n : s.rescue;
        s.switched = b->n_switched > s.switched ? b->n_switched : s.switched;
        s.discretes = b->n_discretes > s.discretes ? b->n_discretes : s.discretes;
    }
    return s;
}

static bool new_block(Runtime *rt, Block *b, const ModelBlockCode *code)
{
    size_t n = code->n;
    b->code = code;
    b->n = code->n;
    double *p = calloc(9 * n + 1, sizeof *p);
    b->pivot = calloc(n + 1, sizeof *b->pivot);
    bool dense = code->col_ptr == NULL;
    if (dense) {
        b->lu = calloc(n * n + 1, sizeof *b->lu);
    }
    b->nominal = p;
    if (p == NULL || b->pivot == NULL || (dense && b->lu == NULL)) {
        return false;
    }
    b->lo = p + n;
    b->hi = p + 2 * n;
    b->good = p + 3 * n;
    b->last = p + 4 * n;
    b->scale = p + 5 * n;
    b->last_good = p + 6 * n;
    b->base = p + 7 * n;
    b->stuck = p + 8 * n;
    for (size_t i = 0; i < n; i++) {
        const RuntimeVar *x = &rt->vars[code->vars[i]];
        b->nominal[i] = x->nominal > 0.0 && isfinite(x->nominal) ? x->nominal : 1.0;
        b->lo[i] = x->min;
        b->hi[i] = x->max;
        b->scale[i] = 1.0;
    }
    return true;
}

static bool new_work(Runtime *rt, Sizes s)
{
    size_t n = s.block, k = s.rescue;
    rt->m.v = calloc((size_t)rt->code->n_vars + 1, sizeof(double));
    rt->m.dv = calloc((size_t)rt->code->n_vars + 1, sizeof(double));
    rt->m.set = calloc((size_t)rt->code->n_vars + 1, 1);
    rt->m.r = calloc(n, sizeof(double));
    rt->x = calloc(4 * n, sizeof(double));
    rt->matrix = calloc(2 * k * k + 3 * k, sizeof(double));
    rt->order = calloc(2 * k, sizeof *rt->order);
    rt->open_work = calloc(open_size(s.block, s.switched, s.discretes), sizeof(double));
    rt->old_discretes = calloc(s.discretes, sizeof(double));
    rt->seen = calloc(SEEN_LIMIT, sizeof *rt->seen);
    rt->forced = calloc((size_t)rt->n_relations + 1, 1);
    rt->held = calloc(3 * (size_t)rt->n_relations + 3, sizeof(double));
    rt->wanted = calloc((size_t)rt->n_relations + 1, sizeof(bool));
    rt->from = calloc(2 * n + s.discretes + 1, sizeof(double));
    rt->start = rt->from + n;
    rt->blocks = calloc((size_t)rt->code->n_blocks + 1, sizeof *rt->blocks);
    rt->dx = rt->x + n;
    rt->r = rt->x + 2 * n;
    rt->shift = rt->x + 3 * n;
    rt->work = rt->matrix + k * k;
    rt->last_z = rt->held + rt->n_relations + 1;
    rt->from_z = rt->last_z + rt->n_relations + 1;
    return rt->m.v && rt->m.dv && rt->m.set && rt->m.r && rt->x && rt->matrix && rt->order &&
           rt->open_work && rt->old_discretes && rt->seen && rt->forced && rt->held && rt->blocks &&
           rt->wanted && rt->from;
}

/* The relations among the discrete unknowns of each block. */
static bool find_relations(Runtime *rt)
{
    uint32_t *relation_of = calloc((size_t)rt->code->n_vars + 1, sizeof *relation_of);
    bool ok = relation_of != NULL;
    for (uint32_t k = 0; ok && rt->code->relations != NULL && k < rt->code->n_relations; k++) {
        relation_of[rt->code->relations[k]] = k + 1;
    }
    for (uint32_t i = 0; ok && i < rt->code->n_blocks; i++) {
        Block *b = &rt->blocks[i];
        uint32_t n = b->code->discrete != NULL ? b->code->n_discretes : 0;
        b->relations = calloc((size_t)n + 1, sizeof *b->relations);
        ok = b->relations != NULL;
        for (uint32_t j = 0; ok && j < n; j++) {
            if (relation_of[b->code->discretes[j]] != 0) {
                b->relations[b->n_relations++] = relation_of[b->code->discretes[j]] - 1;
            }
        }
    }
    free(relation_of);
    return ok;
}

Runtime *runtime_new(const ModelCode *code, const RuntimeVar *vars,
                     const RuntimeRelation *relations, uint32_t n_relations, double tolerance)
{
    Runtime *rt = calloc(1, sizeof *rt);
    if (rt == NULL) {
        return NULL;
    }
    rt->code = code;
    rt->vars = vars;
    rt->relations = relations;
    rt->n_relations = n_relations;
    rt->tolerance = fmin(fmax(RUNTIME_SHARE * tolerance, 1e-13), 1e-9);
    rt->eps = 1e-10;
    rt->m.host = rt;
    bool ok = new_work(rt, find_sizes(code));
    rt->own_set = rt->m.set;
    rt->own_v = rt->m.v;
    rt->own_dv = rt->m.dv;
    for (uint32_t i = 0; ok && i < code->n_blocks; i++) {
        ok = new_block(rt, &rt->blocks[i], &code->blocks[i]);
    }
    ok = ok && find_relations(rt);
    if (ok) {
        strings_of_code(rt, code);
        ok = rt->m.status == MODEL_OK;
    }
    if (!ok) {
        runtime_free(rt);
        return NULL;
    }
    return rt;
}

void runtime_free(Runtime *rt)
{
    if (rt == NULL) {
        return;
    }
    for (uint32_t i = 0; rt->blocks != NULL && i < rt->code->n_blocks; i++) {
        sparse_free(&rt->blocks[i]);
        smallest_free(&rt->blocks[i]);
        free(rt->blocks[i].nominal);
        free(rt->blocks[i].pivot);
        free(rt->blocks[i].lu);
        free(rt->blocks[i].relations);
    }
    stack_free(rt);
    delays_free(rt);
    transports_free(rt);
    strings_free(rt);
    free(rt->own_v);
    free(rt->own_dv);
    free((void *)rt->own_set);
    free(rt->m.r);
    free(rt->x);
    free(rt->matrix);
    free(rt->order);
    free(rt->open_work);
    free(rt->old_discretes);
    free(rt->seen);
    free(rt->forced);
    free(rt->held);
    free(rt->wanted);
    free(rt->from);
    free(rt->blocks);
    free(rt);
}

ModelData *runtime_data(Runtime *rt)
{
    return &rt->m;
}

RuntimeStats *runtime_stats(Runtime *rt)
{
    return &rt->stats;
}

RuntimeStats runtime_block_stats(const Runtime *rt, uint32_t block)
{
    return rt->blocks[block].stats;
}

void runtime_relations(Runtime *rt, const uint8_t *decided, double eps, int literal)
{
    rt->decided = decided;
    rt->eps = eps;
    rt->literal = literal != 0;
}

void runtime_decided_at(Runtime *rt, const double *z)
{
    rt->decided_at = z;
}

void runtime_interrupt(Runtime *rt, const _Atomic int *flag)
{
    rt->interrupt = flag;
}

void runtime_external(Runtime *rt, RuntimeExternal call, void *user)
{
    rt->external = call;
    rt->external_user = user;
}

void runtime_guess(Runtime *rt, RuntimeGuess guess, void *user)
{
    rt->guess = guess;
    rt->guess_user = user;
}

bool runtime_quick(Runtime *rt, bool quick)
{
    bool gave_up = rt->gave_up;
    rt->quick = quick;
    rt->gave_up = false;
    return gave_up;
}

const int32_t *runtime_warnings(const Runtime *rt, uint32_t *n)
{
    *n = rt->n_warned;
    return rt->warned;
}

int runtime_rescued(Runtime *rt)
{
    int block = rt->rescued - 1;
    rt->rescued = 0;
    return block;
}

int runtime_singular(const Runtime *rt)
{
    return rt->rescued - 1;
}

void runtime_regular(Runtime *rt, int only)
{
    rt->regular = only != 0;
}

void runtime_jumps(Runtime *rt, int allowed)
{
    rt->jumps = allowed != 0;
}

void runtime_accept(Runtime *rt)
{
    for (uint32_t i = 0; i < rt->code->n_blocks; i++) {
        solve_accept(&rt->blocks[i]);
    }
}

void runtime_open(Runtime *rt, double *rest)
{
    rt->open = rest;
}

void runtime_adopt(Runtime *rt, const ModelCode *code)
{
    rt->code = code;
    for (uint32_t i = 0; i < code->n_blocks; i++) {
        rt->blocks[i].code = &code->blocks[i];
    }
}

void runtime_invalidate(Runtime *rt)
{
    for (uint32_t i = 0; i < rt->code->n_blocks; i++) {
        rt->blocks[i].factored = rt->blocks[i].exact = false;
    }
}

int runtime_null(Runtime *rt, int block, double *rows, double *columns)
{
    Block *b = &rt->blocks[block];
    return solve_evaluate(rt, b) == MODEL_OK && jacobian_null(rt, b, rows, columns);
}

double runtime_residual(const Runtime *rt, int block, uint32_t i)
{
    return rt->blocks[block].last[i];
}

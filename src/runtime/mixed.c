/* Mixed systems: real and discrete unknowns of a block that depend on each other, and relations.
 *
 * First the two parts are solved in turn until the discrete one repeats itself. If it cycles, combinations of the block's relations are tried,
 * those nearest to the present one first; a combination counts if the relations, taken freely, agree with it. */
#include "runtime/internal.h"

#include <math.h>
#include <string.h>

static const double ROUNDED = 1e-13; /* of the largest tearing variable: what z of a relation may be wrong by */
enum { MAX_TURNS = 60, MAX_SEARCHED = 12 };

static bool compare(int op, double z)
{
    switch (op) {
    case 0: return z < 0.0;
    case 1: return z <= 0.0;
    case 2: return z > 0.0;
    default: return z >= 0.0;
    }
}

double kr_relation(ModelData *m, int relation, int op, double z)
{
    Runtime *rt = runtime_of(m);
    uint32_t k = (uint32_t)relation;
    bool named = rt->code->relations != NULL && k < rt->code->n_relations;
    double value = named ? m->v[rt->code->relations[k]] : rt->held[k];
    if (rt->forced[k] != 0) {
        value = rt->forced[k] == 2 ? 1.0 : 0.0;
    } else if (rt->literal || !m->event) {
        value = compare(op, z) ? 1.0 : 0.0;
    } else if (rt->decided != NULL && rt->decided[k] != 0) {
        value = rt->decided[k] == 2 ? 1.0 : 0.0;
    } else if (fabs(z) > rt->eps * rt->relations[k].scale + rt->slack) {
        value = compare(op, z) ? 1.0 : 0.0;
    }
    rt->held[k] = value;
    return value;
}

static void save_discretes(Runtime *rt, const ModelBlockCode *c, double *out)
{
    for (uint32_t i = 0; i < c->n_discretes; i++) {
        out[i] = rt->m.v[c->discretes[i]];
    }
}

static bool same_discretes(const Runtime *rt, const ModelBlockCode *c, const double *old)
{
    for (uint32_t i = 0; i < c->n_discretes; i++) {
        if (rt->m.v[c->discretes[i]] != old[i]) {
            return false;
        }
    }
    return true;
}

static uint64_t hash_discretes(const Runtime *rt, const ModelBlockCode *c)
{
    uint64_t h = 1469598103934665603ULL;
    for (uint32_t i = 0; i < c->n_discretes; i++) {
        uint64_t bits;
        memcpy(&bits, &rt->m.v[c->discretes[i]], sizeof bits);
        h = (h ^ bits) * 1099511628211ULL;
        h ^= h >> 29;
    }
    return h;
}

static bool was_seen(Runtime *rt, uint32_t n, uint64_t h)
{
    for (uint32_t i = 0; i < n; i++) {
        if (rt->seen[i] == h) {
            return true;
        }
    }
    rt->seen[n] = h;
    return false;
}

/* The discrete part anew; its failure, if any. Of a large solution z has the rounding: a relation this near to its limit keeps its value. */
static int update_discretes(Runtime *rt, Block *b)
{
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        double x = fabs(rt->m.v[b->code->vars[i]]);
        size = x > size ? x : size;
    }
    rt->slack = ROUNDED * size;
    rt->m.status = MODEL_OK;
    b->code->discrete(&rt->m);
    rt->slack = 0.0;
    return rt->m.status;
}

/* MODEL_NO_MIXED where the iteration cycles. */
static int in_turn(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    for (uint32_t turn = 0; turn < MAX_TURNS; turn++) {
        rt->stats.mixed_iterations++;
        if (was_seen(rt, turn, hash_discretes(rt, b->code))) {
            return MODEL_NO_MIXED;
        }
        save_discretes(rt, b->code, rt->old_discretes);
        int status = solve_block(rt, number);
        if (status == MODEL_OK) {
            status = update_discretes(rt, b);
        }
        if (status != MODEL_OK) {
            return status;
        }
        if (same_discretes(rt, b->code, rt->old_discretes)) {
            return MODEL_OK;
        }
        b->factored = false;
    }
    return MODEL_NO_MIXED;
}

/* Relations among the discrete unknowns; at most `limit`. */
static uint32_t find_relations(const Runtime *rt, const ModelBlockCode *c, uint32_t *out, uint32_t limit)
{
    uint32_t n = 0;
    for (uint32_t k = 0; rt->code->relations != NULL && k < rt->code->n_relations; k++) {
        for (uint32_t i = 0; i < c->n_discretes && n <= limit; i++) {
            if (c->discretes[i] == rt->code->relations[k]) {
                if (n == limit) {
                    return limit + 1;
                }
                out[n++] = k;
            }
        }
    }
    return n;
}

/* Is the combination (bits of `values`) of the relations consistent? Leaves its solution. */
static bool try_combination(Runtime *rt, uint32_t number, const uint32_t *relation, uint32_t n, uint32_t values)
{
    Block *b = &rt->blocks[number];
    rt->stats.mixed_iterations++;
    for (uint32_t i = 0; i < n; i++) {
        rt->forced[relation[i]] = values >> i & 1U ? 2 : 1;
    }
    b->factored = false;
    bool ok = update_discretes(rt, b) == MODEL_OK && solve_block(rt, number) == MODEL_OK &&
              update_discretes(rt, b) == MODEL_OK;
    save_discretes(rt, b->code, rt->old_discretes);
    for (uint32_t i = 0; i < n; i++) {
        rt->forced[relation[i]] = 0;
    }
    return ok && update_discretes(rt, b) == MODEL_OK && same_discretes(rt, b->code, rt->old_discretes);
}

static int search_combinations(Runtime *rt, uint32_t number)
{
    uint32_t relation[MAX_SEARCHED], now = 0;
    uint32_t n = find_relations(rt, rt->blocks[number].code, relation, MAX_SEARCHED);
    if (n == 0 || n > MAX_SEARCHED) {
        return MODEL_NO_MIXED;
    }
    for (uint32_t i = 0; i < n; i++) {
        now |= (rt->m.v[rt->code->relations[relation[i]]] != 0.0 ? 1U : 0U) << i;
    }
    for (int flips = 0; flips <= (int)n; flips++) {
        for (uint32_t change = 0; change < 1U << n; change++) {
            if (__builtin_popcount(change) == flips && try_combination(rt, number, relation, n, now ^ change)) {
                return MODEL_OK;
            }
        }
    }
    return MODEL_NO_MIXED;
}

int kr_solve_mixed(ModelData *m, int block)
{
    Runtime *rt = runtime_of(m);
    uint32_t number = (uint32_t)block;
    if (m->status != MODEL_OK) {
        return m->status;
    }
    if (rt->blocks[number].code->discrete == NULL) {
        return solve_block(rt, number);
    }
    rt->blocks[number].factored = false;
    int status = in_turn(rt, number);
    if (status != MODEL_OK) {
        int found = search_combinations(rt, number);
        status = found == MODEL_OK || status == MODEL_NO_MIXED ? found : status;
    }
    if (status == MODEL_OK) {
        m->status = MODEL_OK;
    } else {
        m->failed_block = block;
        m->status = status;
    }
    return status;
}

/* Mixed systems: real and discrete unknowns of a block that depend on each other, and relations.
 *
 * 1. The real and the discrete part are solved alternately until the discrete part repeats.
 * 2. If that cycles, the solution is followed from the last one up to the nearest boundary of a
 *    relation. The relation changes there, and so on. For piecewise linear equations this is
 *    pivoting from piece to piece (Katzenelson).
 * 3. If that fails, combinations of the block's relations are tried, those nearest to the present
 *    one first. A combination is accepted if the relations of its solution agree with it.
 *    Each is solved by Newton's method alone; before the first solution also with its rescues. */
#include "runtime/internal.h"

#include <math.h>
#include <string.h>

static const double PLAINLY = 100.0; /* times eps */
enum { MAX_TURNS = 60, MAX_SEARCHED = 12, MAX_THOROUGH = 4 };

static bool compare(int op, double z)
{
    switch (op) {
    case 0: return z < 0.0;
    case 1: return z <= 0.0;
    case 2: return z > 0.0;
    default: return z >= 0.0;
    }
}

/* Whether relation k was decided for the event, and z has not moved since. */
static bool is_decided(const Runtime *rt, uint32_t k, double z)
{
    if (rt->decided == NULL || rt->decided[k] == 0) {
        return false;
    }
    return rt->decided_at == NULL ||
           !(fabs(z - rt->decided_at[k]) > rt->eps * rt->relations[k].scale);
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
    } else if (is_decided(rt, k, z)) {
        value = rt->decided[k] == 2 ? 1.0 : 0.0;
    } else if (fabs(z) > rt->eps * rt->relations[k].scale + rt->slack) {
        value = compare(op, z) ? 1.0 : 0.0;
    }
    rt->held[k] = value;
    rt->last_z[k] = z;
    rt->wanted[k] = compare(op, z);
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

/* Whether the event has decided a relation of the block. */
static bool any_decided(const Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; rt->decided != NULL && i < b->n_relations; i++) {
        if (rt->decided[b->relations[i]] != 0) {
            return true;
        }
    }
    return false;
}

/* MODEL_NO_MIXED if the iteration cycles. Decisions of the event come first: the real part need not
 * be solved for the old values. */
static int in_turn(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    if (any_decided(rt, b) && evaluate_discretes(rt, b) != MODEL_OK) {
        return rt->m.status;
    }
    for (uint32_t turn = 0; turn < MAX_TURNS; turn++) {
        rt->stats.mixed_iterations++;
        rt->turns++;
        if (was_seen(rt, turn, hash_discretes(rt, b->code))) {
            return MODEL_NO_MIXED;
        }
        save_discretes(rt, b->code, rt->old_discretes);
        int status = solve_block(rt, number);
        if (status == MODEL_OK) {
            status = evaluate_discretes(rt, b);
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

/* The point from which each method starts. */
static void keep_start(Runtime *rt, const Block *b, bool back)
{
    for (uint32_t i = 0; i < b->n + b->code->n_discretes; i++) {
        double *x = &rt->m.v[i < b->n ? b->code->vars[i] : b->code->discretes[i - b->n]];
        *(back ? x : &rt->start[i]) = back ? rt->start[i] : *x;
    }
}

static void go_to_start(Runtime *rt, Block *b)
{
    keep_start(rt, b, true);
    b->factored = false;
    rt->m.status = MODEL_OK;
}

/* ---- step-limited iteration ---- */

static double relation_value(const Runtime *rt, uint32_t k)
{
    return rt->m.v[rt->code->relations[k]];
}

/* Relations begin with the values they have, or that were decided for the event. */
static void force_present(Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; i < b->n_relations; i++) {
        uint32_t k = b->relations[i];
        bool decided = rt->decided != NULL && rt->decided[k] != 0;
        rt->forced[k] = decided ? rt->decided[k] : relation_value(rt, k) != 0.0 ? 2 : 1;
    }
}

static void release(Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; i < b->n_relations; i++) {
        rt->forced[b->relations[i]] = 0;
    }
}

/* The fraction of the way to the new point at which the first relation that must change reaches
 * zero; > 1 if none must change. */
static double nearest_boundary(const Runtime *rt, const Block *b)
{
    double nearest = 2.0;
    for (uint32_t i = 0; i < b->n_relations; i++) {
        uint32_t k = b->relations[i];
        double from = rt->from_z[k], to = rt->last_z[k];
        if (rt->wanted[k] == (rt->forced[k] == 2) || fabs(to) <= rt->eps * rt->relations[k].scale) {
            continue;
        }
        double part = from == to ? 0.0 : from / (from - to);
        nearest = fmin(nearest, fmin(fmax(part, 0.0), 1.0));
    }
    return nearest;
}

/* Goes to the point at `part` of the way, and changes the relations whose boundary is there. */
static void cross(Runtime *rt, Block *b, double part)
{
    for (uint32_t i = 0; i < b->n_relations; i++) {
        uint32_t k = b->relations[i];
        double from = rt->from_z[k], to = rt->last_z[k];
        bool wants =
            rt->wanted[k] != (rt->forced[k] == 2) && fabs(to) > rt->eps * rt->relations[k].scale;
        double at = from == to ? 0.0 : fmin(fmax(from / (from - to), 0.0), 1.0);
        if (wants && at <= part + 1e-12) {
            rt->forced[k] = rt->forced[k] == 2 ? 1 : 2;
        }
        rt->from_z[k] = from + part * (to - from);
    }
    for (uint32_t i = 0; i < b->n; i++) {
        double *x = &rt->m.v[b->code->vars[i]];
        rt->from[i] += part * (*x - rt->from[i]);
        *x = rt->from[i];
    }
}

static uint64_t hash_forced(const Runtime *rt, const Block *b)
{
    uint64_t h = 1469598103934665603ULL;
    for (uint32_t i = 0; i < b->n_relations; i++) {
        h = (h ^ rt->forced[b->relations[i]]) * 1099511628211ULL;
        h ^= h >> 29;
    }
    return h;
}

/* Starts from the present point, which is a solution for the present relations, or near one. */
static int in_limits(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    int status = b->n_relations > 0 ? MODEL_OK : MODEL_NO_MIXED;
    force_present(rt, b);
    for (uint32_t i = 0; i < b->n; i++) {
        rt->from[i] = rt->m.v[b->code->vars[i]];
    }
    b->code->residual(&rt->m);
    status = status == MODEL_OK ? evaluate_discretes(rt, b) : status;
    for (uint32_t i = 0; i < b->n_relations; i++) {
        rt->from_z[b->relations[i]] = rt->last_z[b->relations[i]];
    }
    double part = 0.0;
    for (uint32_t turn = 0; status == MODEL_OK && part <= 1.0; turn++) {
        rt->turns++;
        rt->stats.mixed_iterations++;
        b->factored = false;
        bool seen = turn >= SEEN_LIMIT || was_seen(rt, turn, hash_forced(rt, b));
        status = seen ? MODEL_NO_MIXED : evaluate_discretes(rt, b);
        status = status == MODEL_OK ? solve_block(rt, number) : status;
        status = status == MODEL_OK ? evaluate_discretes(rt, b) : status;
        part = nearest_boundary(rt, b);
        if (status == MODEL_OK && part <= 1.0) {
            cross(rt, b, part);
        }
    }
    save_discretes(rt, b->code, rt->old_discretes);
    release(rt, b);
    if (status != MODEL_OK || evaluate_discretes(rt, b) != MODEL_OK) {
        return status == MODEL_OK ? MODEL_NO_MIXED : status;
    }
    return same_discretes(rt, b->code, rt->old_discretes) ? MODEL_OK : MODEL_NO_MIXED;
}

/* ---- search ---- */

/* Whether a relation that was decided for the event clearly has another value in the present
 * solution. This is then not a solution, because the relation would change back at once. */
static bool is_denied(const Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; rt->decided != NULL && i < b->n_relations; i++) {
        uint32_t k = b->relations[i];
        bool other = rt->decided[k] != 0 && rt->wanted[k] != (rt->decided[k] == 2);
        if (other && fabs(rt->last_z[k]) > PLAINLY * rt->eps * rt->relations[k].scale) {
            return true;
        }
    }
    return false;
}

/* Is the combination (bits of `values`) of the relations consistent? Leaves its solution. Each
 * trial begins at the same point: the solution of another one may be so large that rounding at it
 * exceeds eps. */
static bool try_combination(Runtime *rt, uint32_t number, const uint32_t *relation, uint32_t n,
                            uint32_t values)
{
    Block *b = &rt->blocks[number];
    rt->stats.mixed_iterations++;
    rt->turns++;
    keep_start(rt, b, true);
    for (uint32_t i = 0; i < n; i++) {
        rt->forced[relation[i]] = values >> i & 1U ? 2 : 1;
    }
    b->factored = false;
    rt->trial = !rt->thorough;
    bool ok = evaluate_discretes(rt, b) == MODEL_OK && solve_block(rt, number) == MODEL_OK &&
              evaluate_discretes(rt, b) == MODEL_OK;
    rt->trial = false;
    save_discretes(rt, b->code, rt->old_discretes);
    for (uint32_t i = 0; i < n; i++) {
        rt->forced[relation[i]] = 0;
    }
    return ok && evaluate_discretes(rt, b) == MODEL_OK &&
           same_discretes(rt, b->code, rt->old_discretes) && !is_denied(rt, b);
}

/* Whether the combination changes a relation that is zero up to rounding, to a value that its z
 * denies. It would change back as soon as z moves. */
static bool is_doubtful(const Runtime *rt, const Block *b, uint32_t values, uint32_t change)
{
    for (uint32_t i = 0; i < b->n_relations; i++) {
        bool value = values >> i & 1U;
        if ((change >> i & 1U) != 0 && value != rt->wanted[b->relations[i]]) {
            return true;
        }
    }
    return false;
}

/* The relations whose decision for the event holds wherever their z is: their bits in *which, and
 * their values. Other combinations are not consistent with them. */
static uint32_t find_decided(const Runtime *rt, const Block *b, uint32_t *which)
{
    uint32_t values = 0;
    *which = 0;
    for (uint32_t i = 0; rt->decided != NULL && i < b->n_relations; i++) {
        uint32_t k = b->relations[i];
        if (rt->decided[k] != 0 && (rt->decided_at == NULL || isnan(rt->decided_at[k]))) {
            *which |= 1U << i;
            values |= (rt->decided[k] == 2 ? 1U : 0U) << i;
        }
    }
    return values;
}

/* The nearest combinations first. One without doubtful changes is better, if it is nearly as near.
 */
static int search_nearest(Runtime *rt, uint32_t number, uint32_t now)
{
    const Block *b = &rt->blocks[number];
    uint32_t n = b->n_relations, doubtful = 0, which, decided = find_decided(rt, b, &which);
    int most = (int)n;
    bool any = false;
    for (int flips = rt->present_failed ? 1 : 0; flips <= most; flips++) {
        for (uint32_t change = 0; change < 1U << n; change++) {
            if (__builtin_popcount(change) != flips || ((now ^ change) & which) != decided ||
                !try_combination(rt, number, b->relations, n, now ^ change)) {
                continue;
            }
            if (!is_doubtful(rt, b, now ^ change, change)) {
                return MODEL_OK;
            }
            doubtful = any ? doubtful : change;
            most = any || flips + 1 > most ? most : flips + 1;
            any = true;
        }
    }
    return any && try_combination(rt, number, b->relations, n, now ^ doubtful) ? MODEL_OK
                                                                               : MODEL_NO_MIXED;
}

static int search_combinations(Runtime *rt, uint32_t number)
{
    const uint32_t *relation = rt->blocks[number].relations;
    uint32_t n = rt->blocks[number].n_relations, now = 0;
    if (n == 0 && rt->mixed == MIXED_SEARCH) { /* there is nothing to choose */
        return in_turn(rt, number);
    }
    if (n == 0 || n > MAX_SEARCHED) {
        return MODEL_NO_MIXED;
    }
    for (uint32_t i = 0; i < n; i++) {
        now |= (rt->m.v[rt->code->relations[relation[i]]] != 0.0 ? 1U : 0U) << i;
    }
    return search_nearest(rt, number, now);
}

/* The same before the first solution, each combination with all that Newton's method has: the
 * start values may be where another branch is flat. */
static int search_thoroughly(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    if (b->has_good || b->code->linear || b->n_relations > MAX_THOROUGH) {
        return MODEL_NO_MIXED;
    }
    go_to_start(rt, b);
    rt->thorough = true;
    int status = search_combinations(rt, number);
    rt->thorough = false;
    return status;
}

/* The step-limited iteration from the point at which the turns end. It is a solution for some
 * relations; the start need not be near one. */
static int limits_after_turns(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    go_to_start(rt, b);
    if (in_turn(rt, number) == MODEL_OK) {
        return MODEL_OK;
    }
    b->factored = false;
    rt->m.status = MODEL_OK;
    return in_limits(rt, number);
}

static bool may(const Runtime *rt, MixedMethod method)
{
    return rt->mixed == method || rt->mixed == MIXED_AUTO;
}

/* One turn from the point from which the methods started. */
static int take_one_turn(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    go_to_start(rt, b);
    if (any_decided(rt, b) && evaluate_discretes(rt, b) != MODEL_OK) {
        return rt->m.status;
    }
    int status = solve_block(rt, number);
    status = status == MODEL_OK ? evaluate_discretes(rt, b) : status;
    rt->unsettled |= status == MODEL_OK;
    return status == MODEL_OK ? MODEL_OK : MODEL_NO_MIXED;
}

/* Which method comes i-th. If the present combination is singular from the start, it has no
 * solution to follow: then the step-limited iteration is the last resort. */
static MixedMethod method_at(const Runtime *rt, int i)
{
    static const MixedMethod usual[] = {MIXED_FIXPOINT, MIXED_LIMITED, MIXED_SEARCH},
                             singular[] = {MIXED_FIXPOINT, MIXED_SEARCH, MIXED_LIMITED};
    return (rt->present_failed ? singular : usual)[i];
}

static int (*method_of(MixedMethod how))(Runtime *, uint32_t)
{
    return how == MIXED_FIXPOINT ? in_turn : how == MIXED_LIMITED ? in_limits : search_combinations;
}

static int solve_mixed(Runtime *rt, uint32_t number)
{
    ModelData *m = &rt->m;
    if (m->status != MODEL_OK) {
        return m->status;
    }
    Block *b = &rt->blocks[number];
    if (b->code->discrete == NULL) {
        return solve_block(rt, number);
    }
    int status = MODEL_NO_MIXED;
    keep_start(rt, b, false);
    rt->turns = 0;
    rt->present_failed = false;
    for (int i = 0; i < 3 && status != MODEL_OK; i++) {
        MixedMethod how = method_at(rt, i);
        if (!may(rt, how)) {
            continue;
        }
        go_to_start(rt, b);
        int found = method_of(how)(rt, number);
        rt->present_failed |= how == MIXED_FIXPOINT && found == MODEL_SINGULAR && rt->turns == 1;
        status = found == MODEL_NO_MIXED && how > MIXED_FIXPOINT ? status : found;
        rt->mixed_used = found == MODEL_OK ? how : rt->mixed_used;
    }
    if (status == MODEL_NO_MIXED && may(rt, MIXED_LIMITED) &&
        limits_after_turns(rt, number) == MODEL_OK) {
        status = MODEL_OK;
        rt->mixed_used = MIXED_LIMITED;
    }
    if (status != MODEL_OK && may(rt, MIXED_SEARCH) && search_thoroughly(rt, number) == MODEL_OK) {
        status = MODEL_OK;
        rt->mixed_used = MIXED_SEARCH;
    }
    if (status == MODEL_NO_MIXED && rt->one_turn) {
        status = take_one_turn(rt, number);
    }
    if (status == MODEL_OK) {
        m->status = MODEL_OK;
    } else {
        m->failed_block = (int32_t)number;
        m->status = status;
    }
    return status;
}

int kr_solve_mixed(ModelData *m, int block)
{
    return solve_profiled(runtime_of(m), block, solve_mixed);
}

void runtime_mixed(Runtime *rt, MixedMethod method)
{
    rt->mixed = method;
}

bool runtime_can_search(const Runtime *rt, uint32_t block)
{
    return rt->blocks[block].n_relations <= MAX_SEARCHED;
}

void runtime_one_turn(Runtime *rt, bool allowed)
{
    rt->one_turn = allowed;
    rt->unsettled = rt->unsettled && !allowed;
}

bool runtime_unsettled(const Runtime *rt)
{
    return rt->unsettled;
}

MixedMethod runtime_mixed_used(Runtime *rt, uint32_t *turns)
{
    MixedMethod used = rt->mixed_used;
    *turns = rt->turns;
    rt->mixed_used = MIXED_AUTO;
    return used;
}

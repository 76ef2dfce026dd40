/* Groups of coupled guards: ten separate rectifiers have ten small mode spaces, not one of a
 * thousand modes.
 *
 * In: the plan for all branches, structural guards. Out: the blocks of its main sequence as groups
 * and common ones.
 *
 * - A mode changes how the blocks with its guards are solved. If it constrains a state
 *   (Plan.storages), it also changes the block of the derivative, which is then solved for another
 *   unknown. These blocks and all blocks between them are one group.
 * - States that no mode constrains are known to all blocks, so they separate groups.
 * - Blocks and their uses form a graph in which a constrained state is computed with its
 *   derivative. Everything that is strongly connected with a group belongs to it.
 * - Equations stay together with their derivatives, and so do equations that were solved together.
 *
 * It is an assumption that no mode constrains another state. If it fails, index reduction of the
 * group meets a variable with an unknown rate. The caller then asks again with `wide`. */

#include "structure/modes/modes.h"

#include <math.h>
#include <stdlib.h>

typedef struct Grouping {
    PlanGroups *g;
    const Plan *plan;
    const Dae *d;
    uint32_t n;        /* blocks */
    uint32_t *root;    /* per block: parent among united blocks */
    uint32_t *ring;    /* per block: the next united one */
    uint8_t *is_guard; /* per variable */
    uint8_t *is_bound; /* per variable: it is a state that some mode may constrain */
    uint8_t *is_seed;  /* per block: contains a guard */
    Incidence a;       /* blocks by their dependencies */
    uint32_t *order, *start, n_parts;
    uint32_t *part_of; /* per block: strong component */
    uint8_t *is_group; /* per strong component */
} Grouping;

/* ---- blocks and equations ---- */

typedef void (*VisitEquation)(Grouping *w, uint32_t block, EqId e, VarId v);

/* The equations of a block, each with its unknown. */
static void visit_block(Grouping *w, uint32_t b, VisitEquation visit)
{
    const Plan *p = w->plan;
    const PlanBlock *x = &p->blocks.at[p->main.block + b];
    for (uint32_t i = 0; i < x->n_steps; i++)
        visit(w, b, p->steps.at[x->step + i].eq, p->steps.at[x->step + i].var);
    for (uint32_t i = 0; i < x->n_torn; i++)
        visit(w, b, p->torn.at[x->torn + i].eq, p->torn.at[x->torn + i].var);
    for (uint32_t i = 0; i < x->n_discrete; i++)
        visit(w, b, p->steps.at[x->discrete + i].eq, p->steps.at[x->discrete + i].var);
}

static void visit_all(Grouping *w, VisitEquation visit)
{
    for (uint32_t b = 0; b < w->n; b++)
        visit_block(w, b, visit);
}

static uint32_t root_of(Grouping *w, uint32_t b)
{
    while (w->root[b] != b)
        b = w->root[b] = w->root[w->root[b]];
    return b;
}

static void unite(Grouping *w, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE || root_of(w, a) == root_of(w, b))
        return;
    uint32_t next = w->ring[a];
    w->ring[a] = w->ring[b];
    w->ring[b] = next;
    w->root[root_of(w, a)] = root_of(w, b);
}

static void note_place(Grouping *w, uint32_t b, EqId e, VarId v)
{
    w->g->block_of[v] = b;
    for (; e != NONE; e = w->d->eqs.at[e].origin == DAE_EQ_SOLVED ? w->d->eqs.at[e].of : NONE)
        w->g->eq_block[e] = b;
}

static void join_derived(Grouping *w, uint32_t b, EqId e, VarId v)
{
    (void)v;
    if (w->d->eqs.at[e].origin == DAE_EQ_DERIVED)
        unite(w, b, w->g->eq_block[w->d->eqs.at[e].of]);
}

static void mark_seed(Grouping *w, uint32_t b, EqId e, VarId v)
{
    (void)v;
    const DaeEq *q = &w->d->eqs.at[e];
    for (uint32_t k = 0; eq_is_real(w->d, q) && k < q->term.n; k++)
        w->is_seed[b] |= w->is_guard[dae_op(w->d, q->term, k)];
}

/* Blocks that were one system of equations before it was solved symbolically. */
static void join_solved(Grouping *w)
{
    const Plan *p = w->plan;
    for (uint32_t i = 0; i < p->solved.n; i++) {
        const PlanSolved *s = &p->solved.at[i];
        if (s->block < p->main.block || s->block >= p->main.block + p->main.n_blocks)
            continue;
        for (uint32_t k = 1; k < s->n_torn + s->n_steps; k++)
            unite(w, s->block - p->main.block, s->block - p->main.block + k);
    }
}

/* The derivative of a state may be a state itself. Then it is the block that computes the
 * derivative of that state. */
static void find_rates(Grouping *w)
{
    const Plan *p = w->plan;
    uint32_t *rate_of = w->g->rate_of;
    bool again = true;
    for (uint32_t i = 0; i < p->states.n; i++)
        rate_of[p->states.at[i].var] = w->g->block_of[p->states.at[i].der];
    while (again) {
        again = false;
        for (uint32_t i = 0; i < p->states.n; i++) {
            const PlanState *x = &p->states.at[i];
            if (rate_of[x->var] != NONE || rate_of[x->der] == NONE)
                continue;
            rate_of[x->var] = rate_of[x->der];
            again = true;
        }
    }
}

/* Every equation of the main sequence has its block. */
static bool is_complete(const Grouping *w)
{
    for (EqId e = 0; e < w->d->n_model_eqs; e++)
        if (eq_in_main(&w->d->eqs.at[e]) && w->g->eq_block[e] == NONE)
            return false;
    return true;
}

/* ---- states that modes constrain ---- */

static void bind_state(Grouping *w, uint32_t block, VarId state)
{
    w->is_bound[state] = 1;
    unite(w, block, w->g->rate_of[state]);
}

static void bind_known(Grouping *w)
{
    for (uint32_t i = 0; i < w->plan->storages.n; i++) {
        const PlanStorage *s = &w->plan->storages.at[i];
        uint32_t b = w->g->eq_block[s->eq];
        if (b != NONE && w->is_seed[b] && w->g->rate_of[s->state] != NONE)
            bind_state(w, b, s->state);
    }
}

typedef struct UpstreamSearch {
    VEC(uint32_t) queue;
    uint32_t *seen; /* per block: the last search that saw it */
    uint32_t stamp, seed;
} UpstreamSearch;

static void look_upstream(Grouping *w, UpstreamSearch *u, Term t)
{
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        uint32_t b = w->g->block_of[v];
        if (w->g->rate_of[v] != NONE) {
            bind_state(w, u->seed, v);
            b = w->g->rate_of[v];
        }
        if (b == NONE || u->seen[b] == u->stamp)
            continue;
        u->seen[b] = u->stamp;
        vec_push(&u->queue, b);
    }
}

static void look_in_block(Grouping *w, UpstreamSearch *u, uint32_t b)
{
    const Plan *p = w->plan;
    const PlanBlock *x = &p->blocks.at[p->main.block + b];
    for (uint32_t i = 0; i < x->n_steps; i++)
        look_upstream(w, u, w->d->eqs.at[p->steps.at[x->step + i].eq].term);
    for (uint32_t i = 0; i < x->n_torn; i++)
        look_upstream(w, u, w->d->eqs.at[p->torn.at[x->torn + i].eq].term);
}

/* All states that blocks with guards depend on, and those that their rates depend on: a position
 * that is constrained constrains its velocity. */
static void bind_upstream(Grouping *w)
{
    UpstreamSearch u = {.seen = memory_alloc(((size_t)w->n + 1) * sizeof *u.seen)};
    for (uint32_t b = 0; b < w->n; b++) {
        if (!w->is_seed[b])
            continue;
        u.stamp++;
        u.seed = b;
        vec_clear(&u.queue);
        vec_push(&u.queue, b);
        u.seen[b] = u.stamp;
        for (uint32_t i = 0; i < u.queue.n; i++)
            look_in_block(w, &u, u.queue.at[i]);
    }
    vec_free(&u.queue);
    memory_free(u.seen);
}

/* ---- strong components ---- */

static void add_uses(const Grouping *w, Term t, uint32_t *n, uint32_t *out)
{
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        uint32_t from = w->g->block_of[v];
        if (from == NONE && w->is_bound[v])
            from = w->g->rate_of[v];
        if (from == NONE)
            continue;
        if (out)
            out[*n] = from;
        ++*n;
    }
}

static uint32_t uses_of(const Grouping *w, uint32_t b, uint32_t *out)
{
    const Plan *p = w->plan;
    const PlanBlock *x = &p->blocks.at[p->main.block + b];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_steps; i++)
        add_uses(w, w->d->eqs.at[p->steps.at[x->step + i].eq].term, &n, out);
    for (uint32_t i = 0; i < x->n_torn; i++)
        add_uses(w, w->d->eqs.at[p->torn.at[x->torn + i].eq].term, &n, out);
    for (uint32_t i = 0; i < x->n_discrete; i++)
        add_uses(w, w->d->eqs.at[p->steps.at[x->discrete + i].eq].term, &n, out);
    if (out) {
        out[n] = b;
        out[n + 1] = w->ring[b];
    }
    return n + 2;
}

static void find_components(Grouping *w)
{
    uint32_t n = 0, *match = memory_alloc(((size_t)w->n + 1) * sizeof *match);
    w->a.n_eqs = w->a.n_vars = w->n;
    for (uint32_t b = 0; b < w->n; b++) {
        w->a.ptr[b] = n;
        n += uses_of(w, b, NULL);
        match[b] = b;
    }
    w->a.ptr[w->n] = n;
    memory_free(w->a.var);
    w->a.var = memory_alloc(((size_t)n + 1) * sizeof *w->a.var);
    for (uint32_t b = 0; b < w->n; b++)
        uses_of(w, b, w->a.var + w->a.ptr[b]);
    w->n_parts = structure_sort(&w->a, match, w->order, w->start);
    memset(w->is_group, 0, w->n);
    for (uint32_t c = 0; c < w->n_parts; c++)
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++) {
            w->part_of[w->order[i]] = c;
            w->is_group[c] |= w->is_seed[w->order[i]];
        }
    memory_free(match);
}

/* States whose derivatives a group computes may be constrained like its other states; true if there
 * are new ones. */
static bool bind_inside(Grouping *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->plan->states.n; i++) {
        VarId v = w->plan->states.at[i].var;
        uint32_t b = w->g->rate_of[v];
        if (b == NONE || w->is_bound[v] || !w->is_group[w->part_of[b]])
            continue;
        w->is_bound[v] = 1;
        any = true;
    }
    return any;
}

/* ---- levels ---- */

static uint32_t level_of(const Grouping *w, uint32_t c)
{
    uint32_t level = w->is_group[c];
    for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++) {
        uint32_t b = w->order[i];
        for (uint32_t k = w->a.ptr[b]; k < w->a.ptr[b + 1]; k++) {
            uint32_t other = w->a.var[k], o = w->part_of[other];
            uint32_t least =
                w->g->level[other] + (w->is_group[c] ? 1 + w->is_group[o] : w->is_group[o]);
            if (o != c && least > level)
                level = least;
        }
    }
    return level;
}

static bool is_fixed_between(const Dae *d, VarId v)
{
    uint8_t kind = d->vars.at[v].kind;
    return kind == DAE_PARAMETER || kind == DAE_DISCRETE || kind == DAE_RELATION ||
           kind == DAE_PRE || kind == DAE_SAMPLE;
}

static bool term_is_timed(const Grouping *w, uint32_t c, Term t)
{
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        uint32_t b = w->g->block_of[v];
        bool known = v == 0 || is_fixed_between(w->d, v);
        if (!known && (b == NONE || (w->part_of[b] != c && !w->g->timed[b])))
            return false;
    }
    return true;
}

static bool block_is_timed(const Grouping *w, uint32_t c, uint32_t b)
{
    const Plan *p = w->plan;
    const PlanBlock *x = &p->blocks.at[p->main.block + b];
    bool timed = !x->mixed;
    for (uint32_t i = 0; i < x->n_steps + x->n_torn && timed; i++) {
        bool torn = i >= x->n_steps;
        EqId e = torn ? p->torn.at[x->torn + i - x->n_steps].eq : p->steps.at[x->step + i].eq;
        VarId v = torn ? p->torn.at[x->torn + i - x->n_steps].var : p->steps.at[x->step + i].var;
        uint8_t origin = w->d->eqs.at[e].origin;
        timed = (origin == DAE_EQ_MODEL || origin == DAE_EQ_SOLVED) &&
                w->d->vars.at[v].kind == DAE_CONTINUOUS &&
                term_is_timed(w, c, w->d->eqs.at[e].term);
    }
    return timed;
}

static void set_levels(Grouping *w)
{
    PlanGroups *g = w->g;
    for (uint32_t c = 0; c < w->n_parts; c++) {
        uint32_t level = level_of(w, c);
        bool timed = !w->is_group[c];
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++)
            timed = timed && block_is_timed(w, c, w->order[i]);
        for (uint32_t i = w->start[c]; i < w->start[c + 1]; i++) {
            g->level[w->order[i]] = level;
            g->timed[w->order[i]] = timed;
        }
        g->n_levels = level >= g->n_levels ? level + 1 : g->n_levels;
    }
}

/* ---- the groups ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Guards of the group, in the order of the list. */
static void list_guards(Grouping *w, PlanGroup *k, const VarId *guards, uint32_t n, uint8_t *used)
{
    const Plan *p = w->plan;
    for (uint32_t i = 0; i < k->n_blocks; i++) {
        const PlanBlock *x = &p->blocks.at[p->main.block + k->blocks[i]];
        for (uint32_t s = 0; s < x->n_steps + x->n_torn; s++) {
            EqId e = s < x->n_steps ? p->steps.at[x->step + s].eq
                                    : p->torn.at[x->torn + s - x->n_steps].eq;
            Term t = w->d->eqs.at[e].term;
            for (uint32_t j = 0; j < t.n; j++)
                used[dae_op(w->d, t, j)] = 1;
        }
    }
    k->guards = ARENA_ARRAY(w->g->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        if (w->is_guard[guards[i]] && used[guards[i]])
            k->guards[k->n_guards++] = i;
    for (VarId v = 0; v < w->d->vars.n; v++)
        used[v] = 0;
}

static void list_groups(Grouping *w, const VarId *guards, uint32_t n)
{
    PlanGroups *g = w->g;
    uint8_t *used = memory_alloc((size_t)w->d->vars.n + 1);
    for (uint32_t c = 0; c < w->n_parts; c++)
        g->n += w->is_group[c];
    g->list = ARENA_ARRAY(g->arena, PlanGroup, g->n + (size_t)1);
    g->n = 0;
    for (uint32_t c = 0; c < w->n_parts; c++) {
        if (!w->is_group[c])
            continue;
        PlanGroup *k = &g->list[g->n];
        k->n_blocks = w->start[c + 1] - w->start[c];
        k->blocks = ARENA_ARRAY(g->arena, uint32_t, k->n_blocks);
        memcpy(k->blocks, w->order + w->start[c], k->n_blocks * sizeof *k->blocks);
        qsort(k->blocks, k->n_blocks, sizeof *k->blocks, by_number);
        k->level = g->level[k->blocks[0]];
        for (uint32_t i = 0; i < k->n_blocks; i++)
            g->group[k->blocks[i]] = g->n;
        list_guards(w, k, guards, n, used);
        g->n++;
    }
    memory_free(used);
}

/* ---- the whole ---- */

static uint32_t *numbers(Arena *a, uint32_t n, uint32_t value)
{
    uint32_t *list = ARENA_ARRAY(a, uint32_t, (size_t)n + 1);
    for (uint32_t i = 0; i < n; i++)
        list[i] = value;
    return list;
}

static void prepare(Grouping *w, Arena *work, const VarId *guards, const double *values, uint32_t n)
{
    PlanGroups *g = w->g;
    uint32_t n_vars = w->d->vars.n;
    g->level = numbers(g->arena, w->n, 0);
    g->group = numbers(g->arena, w->n, NONE);
    g->timed = ARENA_ARRAY(g->arena, uint8_t, w->n + (size_t)1);
    g->block_of = numbers(g->arena, n_vars, NONE);
    g->rate_of = numbers(g->arena, n_vars, NONE);
    g->eq_block = numbers(g->arena, w->d->eqs.n, NONE);
    w->root = numbers(work, w->n, 0);
    w->ring = numbers(work, w->n, 0);
    for (uint32_t b = 0; b < w->n; b++)
        w->root[b] = w->ring[b] = b;
    w->order = numbers(work, w->n, 0);
    w->start = numbers(work, w->n + 1, 0);
    w->part_of = numbers(work, w->n, 0);
    w->a.ptr = numbers(work, w->n + 1, 0);
    w->is_guard = ARENA_ARRAY(work, uint8_t, n_vars + (size_t)1);
    w->is_bound = ARENA_ARRAY(work, uint8_t, n_vars + (size_t)1);
    w->is_seed = ARENA_ARRAY(work, uint8_t, w->n + (size_t)1);
    w->is_group = ARENA_ARRAY(work, uint8_t, w->n + (size_t)1);
    for (uint32_t i = 0; i < n; i++)
        w->is_guard[guards[i]] =
            w->d->vars.at[guards[i]].kind != DAE_PARAMETER || !isnan(values[i]);
}

static bool find(Grouping *w, bool wide)
{
    visit_all(w, note_place);
    find_rates(w);
    if (!is_complete(w))
        return false;
    visit_all(w, join_derived);
    visit_all(w, mark_seed);
    join_solved(w);
    bind_known(w);
    if (wide)
        bind_upstream(w);
    do
        find_components(w);
    while (bind_inside(w));
    return true;
}

PlanGroups *groups_find(const Plan *plan, const VarId *guards, const double *values, uint32_t n,
                        bool wide)
{
    if (plan->sets.n || plan->inlined.n)
        return NULL;
    PlanGroups *g = memory_alloc(sizeof *g);
    Arena *work = arena_new();
    *g = (PlanGroups){.plan = plan, .arena = arena_new()};
    Grouping w = {.g = g, .plan = plan, .d = plan->dae, .n = plan->main.n_blocks};
    prepare(&w, work, guards, values, n);
    bool ok = find(&w, wide);
    if (ok) {
        set_levels(&w);
        list_groups(&w, guards, n);
    } else {
        groups_free(g);
    }
    memory_free(w.a.var);
    arena_free(work);
    return ok ? g : NULL;
}

void groups_free(PlanGroups *g)
{
    if (!g)
        return;
    arena_free(g->arena);
    memory_free(g);
}

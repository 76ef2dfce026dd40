#include "fmu/dependencies.h"

#include <stdlib.h>

static const uint64_t LONGEST = 20000000; /* operands seen in all searches */

enum { KNOWN = 1, STATE = 2 };

struct Dependencies {
    const Plan *plan;
    DependOn on;
    bool open;         /* the structure changes: nothing is known */
    uint32_t *block;   /* per VarId: the block that computes it; NONE */
    uint8_t *kind;     /* per VarId: KNOWN, STATE, or 0 */
    uint32_t *visited; /* per block: the last search that saw it */
    uint32_t *listed;  /* per VarId: the last search that listed it */
    uint32_t search;
    uint64_t seen;
    VEC(uint32_t) open_blocks;
    VEC(VarId) knowns;
};

/* Calls `visit` for each equation and unknown of a block. */
static void each_equation(const Plan *plan, const PlanBlock *b,
                          void (*visit)(void *user, EqId eq, VarId var), void *user)
{
    for (uint32_t i = 0; i < b->n_steps; i++)
        visit(user, plan->steps.at[b->step + i].eq, plan->steps.at[b->step + i].var);
    for (uint32_t i = 0; i < b->n_torn; i++)
        visit(user, plan->torn.at[b->torn + i].eq, plan->torn.at[b->torn + i].var);
    for (uint32_t i = 0; i < b->n_discrete; i++)
        visit(user, plan->steps.at[b->discrete + i].eq, plan->steps.at[b->discrete + i].var);
}

typedef struct Numbering {
    Dependencies *d;
    uint32_t block;
} Numbering;

static void number_unknown(void *user, EqId eq, VarId var)
{
    const Numbering *x = user;
    (void)eq;
    x->d->block[var] = x->block;
}

static void number_blocks(Dependencies *d, PlanSequence s)
{
    for (uint32_t i = s.block; i < s.block + s.n_blocks; i++)
        each_equation(d->plan, &d->plan->blocks.at[i], number_unknown, &(Numbering){d, i});
}

/* The knowns of the main sequence. */
static void mark_run(Dependencies *d)
{
    const Plan *plan = d->plan;
    number_blocks(d, plan->main);
    d->kind[0] = KNOWN;
    for (VarId v = 1; v < plan->dae->vars.n; v++)
        d->kind[v] = dae_rests(plan->dae, v) ? KNOWN : 0;
    for (uint32_t i = 0; i < plan->states.n; i++)
        d->kind[plan->states.at[i].var] = STATE;
}

/* The knowns of the initial sequence: all that no block computes. */
static void mark_start(Dependencies *d)
{
    const Dae *dae = d->plan->dae;
    number_blocks(d, d->plan->parameters);
    number_blocks(d, d->plan->initial);
    for (VarId v = 0; v < dae->vars.n; v++)
        d->kind[v] = d->block[v] == NONE && (v == 0 || dae->vars.at[v].kind == DAE_PARAMETER ||
                                             dae->vars.at[v].kind == DAE_INPUT)
                         ? KNOWN
                         : 0;
    d->open |= d->plan->no_start;
}

Dependencies *dependencies_new(const Plan *plan, DependOn on, Arena *arena)
{
    uint32_t n = plan->dae->vars.n;
    Dependencies *d = ARENA_NEW(arena, Dependencies);
    *d = (Dependencies){.plan = plan,
                        .on = on,
                        .open = plan->guards.n > 0,
                        .block = ARENA_ARRAY(arena, uint32_t, n),
                        .kind = ARENA_ARRAY(arena, uint8_t, n),
                        .visited = ARENA_ARRAY(arena, uint32_t, plan->blocks.n + 1),
                        .listed = ARENA_ARRAY(arena, uint32_t, n)};
    memset(d->block, 0xff, n * sizeof *d->block);
    if (on == ON_THE_START)
        mark_start(d);
    else
        mark_run(d);
    return d;
}

static void meet(Dependencies *d, VarId var)
{
    var = dae_representative(d->plan->dae, var, NULL);
    bool known = d->kind[var] == KNOWN || (d->kind[var] == STATE && d->on == ON_STATES);
    if (known && d->listed[var] != d->search) {
        d->listed[var] = d->search;
        vec_push(&d->knowns, var);
    }
    uint32_t block = d->kind[var] ? NONE : d->block[var];
    if (block != NONE && d->visited[block] != d->search) {
        d->visited[block] = d->search;
        vec_push(&d->open_blocks, block);
    }
}

static void meet_operands(void *user, EqId eq, VarId var)
{
    Dependencies *d = user;
    Term term = d->plan->dae->eqs.at[eq].term;
    (void)var;
    d->seen += term.n;
    for (uint32_t k = 0; k < term.n; k++)
        meet(d, dae_op(d->plan->dae, term, k));
}

static int by_number(const void *a, const void *b)
{
    VarId x = *(const VarId *)a, y = *(const VarId *)b;
    return (x > y) - (x < y);
}

bool dependencies_find(Dependencies *d, VarId unknown, const VarId **knowns, uint32_t *n)
{
    d->search++;
    vec_clear(&d->knowns);
    if (d->open || d->seen > LONGEST)
        return false;
    meet(d, unknown);
    while (d->open_blocks.n)
        each_equation(d->plan, &d->plan->blocks.at[vec_pop(&d->open_blocks)], meet_operands, d);
    if (d->knowns.n)
        qsort(d->knowns.at, d->knowns.n, sizeof *d->knowns.at, by_number);
    *knowns = d->knowns.at;
    *n = d->knowns.n;
    return d->seen <= LONGEST;
}

void dependencies_free(Dependencies *d)
{
    vec_free(&d->open_blocks);
    vec_free(&d->knowns);
}

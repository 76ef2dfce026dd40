#include "fmu/dependencies.h"

#include <stdlib.h>

static const uint64_t LONGEST = 20000000; /* operands seen in all searches */

enum { KNOWN = 1, STATE = 2 };

struct Dependencies {
    const Plan *plan;
    DependOn on;
    bool open;       /* the structure changes: nothing is known */
    uint32_t *block; /* per VarId: the block that computes it; NONE */
    uint8_t *kind;   /* per VarId: KNOWN, STATE, or 0 */
    const uint8_t *tunable;
    uint32_t *visited; /* per block: the last search that saw it */
    uint32_t *listed;  /* per VarId: the last search that met it */
    uint8_t *weight;   /* per VarId: how the unknowns of that search depend on it */
    uint32_t search;
    uint64_t seen;
    VEC(uint32_t) heap; /* open blocks, the last one first */
    VEC(VarId) knowns;
    VEC(uint8_t) kinds; /* of the knowns */
    VEC(ExprId) parts;  /* of the last find_parts */
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

Dependencies *dependencies_new(const Plan *plan, DependOn on, const uint8_t *tunable, Arena *arena)
{
    uint32_t n = plan->dae->vars.n;
    Dependencies *d = ARENA_NEW(arena, Dependencies);
    *d = (Dependencies){.plan = plan,
                        .on = on,
                        .open = plan->guards.n > 0,
                        .tunable = tunable,
                        .block = ARENA_ARRAY(arena, uint32_t, n),
                        .kind = ARENA_ARRAY(arena, uint8_t, n),
                        .visited = ARENA_ARRAY(arena, uint32_t, plan->blocks.n + 1),
                        .listed = ARENA_ARRAY(arena, uint32_t, n),
                        .weight = ARENA_ARRAY(arena, uint8_t, n)};
    memset(d->block, 0xff, n * sizeof *d->block);
    if (on == ON_THE_START)
        mark_start(d);
    else
        mark_run(d);
    return d;
}

/* ---- kinds ---- */

static DependKind kind_of_variable(const Dependencies *d, VarId v)
{
    v = dae_representative(d->plan->dae, v, NULL);
    switch ((DaeVarKind)d->plan->dae->vars.at[v].kind) {
    case DAE_PARAMETER: return d->tunable[v] ? BY_TUNABLE : BY_FIXED;
    case DAE_DISCRETE:
    case DAE_PRE:
    case DAE_RELATION:
    case DAE_SAMPLE:
    case DAE_INITIAL:
    case DAE_TERMINAL: return BY_DISCRETE;
    default: return BY_ANYTHING;
    }
}

static DependKind worse(DependKind a, DependKind b)
{
    return a > b ? a : b;
}

/* For each of n holes, the part of `shape` to differentiate: the summand that alone contains it, or
 * all of it. To search a wide sum for each of its holes takes long. */
static void find_parts(Dependencies *d, ExprId shape, uint32_t n)
{
    const Dae *dae = d->plan->dae;
    bool sum = expr_op(dae->g, shape) == OP_ADD;
    vec_clear(&d->parts);
    for (uint32_t k = 0; k < n; k++)
        vec_push(&d->parts, sum ? EXPR_NONE : shape);
    for (uint32_t i = 0; sum && i < expr_n(dae->g, shape); i++) {
        uint32_t n_holes;
        ExprId part = expr_arg(dae->g, shape, i);
        const uint32_t *holes = symbolic_holes(dae->symbolic, part, &n_holes);
        for (uint32_t k = 0; k < n_holes; k++) {
            ExprId *known = &d->parts.at[holes[k]];
            *known = *known == EXPR_NONE ? part : shape;
        }
    }
}

/* How the value of the last find_parts depends on its hole k: what the derivative contains. */
static DependKind kind_of_factor(Dependencies *d, Term term, uint32_t k)
{
    ExprId shape = d->parts.at[k];
    Symbolic *symbolic = d->plan->dae->symbolic;
    DependKind kind = BY_CONSTANT;
    if (d->on == ON_THE_START)
        return BY_ANYTHING;
    if (shape == EXPR_NONE) /* no summand contains it */
        return kind;
    Linearity linearity = symbolic_linearity(symbolic, shape, k);
    if (linearity != LINEAR_VARYING)
        return linearity == LINEAR_NOT ? BY_ANYTHING : BY_CONSTANT;
    ExprId factor = symbolic_diff(symbolic, shape, k);
    if (factor == EXPR_NONE)
        return BY_ANYTHING;
    uint32_t n;
    const uint32_t *holes = symbolic_holes(symbolic, factor, &n);
    for (uint32_t i = 0; i < n && kind < BY_ANYTHING; i++)
        kind = worse(kind, kind_of_variable(d, dae_op(d->plan->dae, term, holes[i])));
    return kind;
}

/* ---- the search ---- */

static void put_block(Dependencies *d, uint32_t block)
{
    d->visited[block] = d->search;
    vec_push(&d->heap, block);
    for (uint32_t i = d->heap.n - 1; i > 0 && d->heap.at[(i - 1) / 2] < d->heap.at[i];) {
        uint32_t up = (i - 1) / 2, moved = d->heap.at[up];
        d->heap.at[up] = d->heap.at[i];
        d->heap.at[i] = moved;
        i = up;
    }
}

/* The last of the open blocks. */
static uint32_t take_block(Dependencies *d)
{
    uint32_t top = d->heap.at[0], last = vec_pop(&d->heap), n = d->heap.n, i = 0;
    for (uint32_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && d->heap.at[child + 1] > d->heap.at[child])
            child++;
        if (d->heap.at[child] <= last)
            break;
        d->heap.at[i] = d->heap.at[child];
        i = child;
    }
    if (n)
        d->heap.at[i] = last;
    return top;
}

/* The unknown depends on the variable in this way. */
static void meet(Dependencies *d, VarId var, DependKind kind)
{
    var = dae_representative(d->plan->dae, var, NULL);
    bool new = d->listed[var] != d->search;
    if (new || d->weight[var] < kind)
        d->weight[var] = (uint8_t)kind;
    if (!new)
        return;
    d->listed[var] = d->search;
    if (d->kind[var] == KNOWN || (d->kind[var] == STATE && d->on == ON_STATES))
        vec_push(&d->knowns, var);
    uint32_t block = d->kind[var] ? NONE : d->block[var];
    if (block != NONE && d->visited[block] != d->search)
        put_block(d, block);
}

typedef struct Visit {
    Dependencies *d;
    uint32_t block;
    DependKind kind; /* of the block's own unknowns: of those that are used, and of its matrix */
} Visit;

static void weigh_unknown(void *user, EqId eq, VarId var)
{
    Visit *x = user;
    (void)eq;
    if (x->d->listed[var] == x->d->search)
        x->kind = worse(x->kind, (DependKind)x->d->weight[var]);
}

/* Entries of the matrix of simultaneous equations. */
static void weigh_matrix(void *user, EqId eq, VarId var)
{
    Visit *x = user;
    Dependencies *d = x->d;
    Term term = d->plan->dae->eqs.at[eq].term;
    (void)var;
    find_parts(d, term.shape, term.n);
    for (uint32_t k = 0; k < term.n && x->kind < BY_ANYTHING; k++)
        if (d->block[dae_representative(d->plan->dae, dae_op(d->plan->dae, term, k), NULL)] ==
            x->block)
            x->kind = worse(x->kind, kind_of_factor(d, term, k));
}

static void meet_operands(void *user, EqId eq, VarId var)
{
    const Visit *x = user;
    Dependencies *d = x->d;
    Term term = d->plan->dae->eqs.at[eq].term;
    (void)var;
    d->seen += term.n;
    find_parts(d, term.shape, term.n);
    for (uint32_t k = 0; k < term.n; k++) {
        DependKind kind = x->kind;
        if (kind < BY_ANYTHING)
            kind = worse(kind, kind_of_factor(d, term, k));
        meet(d, dae_op(d->plan->dae, term, k), kind);
    }
}

/* One unknown that a step computes: the shape of its value has the factors. */
static void meet_step(Visit *x, const PlanStep *step)
{
    Dependencies *d = x->d;
    Term term = d->plan->dae->eqs.at[step->eq].term;
    ExprId shape = step->value != EXPR_NONE ? step->value : term.shape;
    d->seen += term.n;
    find_parts(d, shape, term.n);
    for (uint32_t k = 0; k < term.n; k++) {
        VarId var = dae_op(d->plan->dae, term, k);
        DependKind kind = x->kind;
        if (dae_representative(d->plan->dae, var, NULL) == step->var)
            continue;
        if (kind < BY_ANYTHING)
            kind = worse(kind, kind_of_factor(d, term, k));
        meet(d, var, kind);
    }
}

static void visit_block(Dependencies *d, uint32_t number)
{
    const PlanBlock *b = &d->plan->blocks.at[number];
    Visit x = {d, number, BY_CONSTANT};
    each_equation(d->plan, b, weigh_unknown, &x);
    if (b->kind == BLOCK_EXPLICIT && !b->mixed && b->n_steps == 1 && !b->n_torn) {
        meet_step(&x, &d->plan->steps.at[b->step]);
        return;
    }
    if (b->kind == BLOCK_NONLINEAR || b->mixed)
        x.kind = BY_ANYTHING;
    each_equation(d->plan, b, weigh_matrix, &x);
    each_equation(d->plan, b, meet_operands, &x);
}

static int by_number(const void *a, const void *b)
{
    VarId x = *(const VarId *)a, y = *(const VarId *)b;
    return (x > y) - (x < y);
}

bool dependencies_find(Dependencies *d, const VarId *unknowns, uint32_t n_unknowns,
                       const VarId **knowns, const uint8_t **kinds, uint32_t *n)
{
    d->search++;
    vec_clear(&d->knowns);
    vec_clear(&d->kinds);
    if (d->open || d->seen > LONGEST)
        return false;
    for (uint32_t i = 0; i < n_unknowns; i++)
        meet(d, unknowns[i], BY_CONSTANT);
    while (d->heap.n)
        visit_block(d, take_block(d));
    if (d->knowns.n)
        qsort(d->knowns.at, d->knowns.n, sizeof *d->knowns.at, by_number);
    for (uint32_t i = 0; i < d->knowns.n; i++)
        vec_push(&d->kinds, d->weight[d->knowns.at[i]]);
    *knowns = d->knowns.at;
    *kinds = d->kinds.at;
    *n = d->knowns.n;
    return d->seen <= LONGEST;
}

void dependencies_free(Dependencies *d)
{
    vec_free(&d->heap);
    vec_free(&d->knowns);
    vec_free(&d->kinds);
    vec_free(&d->parts);
}

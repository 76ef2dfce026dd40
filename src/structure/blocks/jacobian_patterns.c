/* Patterns of the Jacobians that solvers and blocks need. In: all sequences with their uses. Out:
 * - Plan.jacobian: derivatives with respect to states, with solved blocks;
 * - Plan.open and Plan.open_jacobian: the same system with the tearing variables of its blocks as
 * unknowns;
 * - PlanBlock.jacobian: residuals of large blocks with respect to their tearing variables. */
#include "structure/blocks/blocks.h"

enum { MOST_ENTRIES = 400 * 1000 * 1000, DENSE_UP_TO = 50 };

static bool in_derivatives(const PlanBlock *b)
{
    return b->uses & USE_DERIVATIVE && !(b->uses & USE_PARAMETER);
}

static void seed_states(Depend *w, const Plan *p)
{
    for (uint32_t i = 0; i < p->states.n; i++)
        depend_seed(w, p->states.at[i].var, i);
}

/* In a torn block every unknown depends on the operands of all its equations. */
static ColumnSet solve_block(Depend *w, const Plan *p, const PlanBlock *b)
{
    depend_begin(w);
    for (uint32_t i = 0; i < b->n_steps; i++)
        depend_gather_step(w, &p->steps.at[b->step + i]);
    for (uint32_t i = 0; i < b->n_torn; i++)
        depend_gather_residual(w, p->torn.at[b->torn + i].eq);
    ColumnSet s = depend_set(w);
    for (uint32_t i = 0; i < b->n_steps; i++)
        if (var_is_real(w->d, p->steps.at[b->step + i].var))
            w->of[p->steps.at[b->step + i].var] = s;
    for (uint32_t i = 0; i < b->n_torn; i++)
        w->of[p->torn.at[b->torn + i].var] = s;
    return s;
}

static void derivative_sets(const Depend *w, const Plan *p, ColumnSet *out)
{
    for (uint32_t i = 0; i < p->states.n; i++)
        out[i] = w->of[p->states.at[i].der];
}

static void states_jacobian(Plan *p)
{
    Depend w;
    depend_start(&w, p->dae, p->states.n);
    seed_states(&w, p);
    DenseRows *dense = dense_rows_new(&w, p);
    for (uint32_t b = p->main.block; b < p->main.block + p->main.n_blocks; b++) {
        const PlanBlock *x = &p->blocks.at[b];
        if (!(x->uses & USE_DERIVATIVE))
            continue;
        ColumnSet s = solve_block(&w, p, x);
        dense_rows_note(dense, x, s);
        if (x->n_torn > 0 && s.n > 0 && in_derivatives(x))
            vec_push(&p->open, b);
    }
    ColumnSet *sets = memory_alloc(((size_t)p->states.n + 1) * sizeof *sets);
    derivative_sets(&w, p, sets);
    depend_pattern(&w, sets, p->states.n, 0, p->states.n, MOST_ENTRIES, p->arena, &p->jacobian);
    dense_rows_finish(dense, &p->jacobian);
    dense_rows_free(dense);
    memory_free(sets);
    depend_end(&w);
}

/* Inner steps in order, then the residuals. The dependence of the tearing variables is given. */
static void open_block(Depend *w, const Plan *p, const PlanBlock *b, ColumnSet *residuals)
{
    for (uint32_t i = 0; i < b->n_steps; i++) {
        depend_begin(w);
        depend_gather_step(w, &p->steps.at[b->step + i]);
        w->of[p->steps.at[b->step + i].var] = depend_set(w);
    }
    for (uint32_t i = 0; i < b->n_torn; i++) {
        depend_begin(w);
        depend_gather_residual(w, p->torn.at[b->torn + i].eq);
        residuals[i] = depend_set(w);
    }
}

static void open_jacobian(Plan *p)
{
    uint32_t n = p->states.n, next = 0;
    for (uint32_t i = 0; i < p->open.n; i++)
        n += p->blocks.at[p->open.at[i]].n_torn;
    Depend w;
    depend_start(&w, p->dae, n);
    seed_states(&w, p);
    ColumnSet *sets = memory_alloc(((size_t)n + 1) * sizeof *sets);
    n = p->states.n;
    for (uint32_t b = p->main.block; b < p->main.block + p->main.n_blocks; b++) {
        const PlanBlock *x = &p->blocks.at[b];
        if (!in_derivatives(x))
            continue;
        if (next == p->open.n || p->open.at[next] != b) {
            solve_block(&w, p, x);
            continue;
        }
        for (uint32_t i = 0; i < x->n_torn; i++)
            depend_seed(&w, p->torn.at[x->torn + i].var, n + i);
        open_block(&w, p, x, sets + n);
        n += x->n_torn;
        next++;
    }
    derivative_sets(&w, p, sets);
    depend_pattern(&w, sets, n, 0, n, MOST_ENTRIES, p->arena, &p->open_jacobian);
    memory_free(sets);
    depend_end(&w);
}

/* Of one block; columns are counted over plan->torn. */
static void block_jacobian(Depend *w, Plan *p, PlanBlock *b)
{
    ColumnSet *sets = memory_alloc((size_t)b->n_torn * sizeof *sets);
    PlanJacobian *j = ARENA_NEW(p->arena, PlanJacobian);
    for (uint32_t i = 0; i < b->n_torn; i++)
        depend_seed(w, p->torn.at[b->torn + i].var, b->torn + i);
    open_block(w, p, b, sets);
    if (depend_pattern(w, sets, b->n_torn, b->torn, b->n_torn, (uint64_t)b->n_torn * b->n_torn / 4,
                       p->arena, j))
        b->jacobian = j;
    for (uint32_t i = 0; i < b->n_torn; i++)
        w->of[p->torn.at[b->torn + i].var] = (ColumnSet){0, 0};
    for (uint32_t i = 0; i < b->n_steps; i++)
        w->of[p->steps.at[b->step + i].var] = (ColumnSet){0, 0};
    memory_free(sets);
}

void plan_block_jacobians(Plan *p)
{
    Depend w;
    bool any = false;
    for (uint32_t b = 0; b < p->blocks.n; b++)
        any |= p->blocks.at[b].n_torn > DENSE_UP_TO;
    if (!any)
        return;
    depend_start(&w, p->dae, p->torn.n);
    for (uint32_t b = 0; b < p->blocks.n; b++)
        if (p->blocks.at[b].n_torn > DENSE_UP_TO)
            block_jacobian(&w, p, &p->blocks.at[b]);
    depend_end(&w);
}

void plan_jacobians(Plan *p)
{
    if (!p->inlined.n)
        states_jacobian(p);
    if (p->open.n)
        open_jacobian(p);
    plan_block_jacobians(p);
}

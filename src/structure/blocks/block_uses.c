/* The users of each block of the main sequence. In: the sorted main sequence. Out: PlanBlock.uses.
 *
 * Between events discrete unknowns keep their values, so needs spread only through real and
 * following unknowns. Blocks that depend only on parameters have USE_PARAMETER and no other bit. */
#include "structure/blocks/blocks.h"

typedef struct Uses {
    Plan *plan;
    const Dae *d;
    /* per variable: block of the main sequence that also computes it between events, or NONE */
    uint32_t *block_of;
} Uses;

typedef void (*VisitOperand)(Uses *w, uint32_t block, VarId v, void *arg);

static void visit_term(Uses *w, uint32_t b, Term t, VisitOperand visit, void *arg)
{
    for (uint32_t k = 0; k < t.n; k++)
        visit(w, b, dae_op(w->d, t, k), arg);
}

/* Operands of all real equations of a block. */
static void visit_block(Uses *w, uint32_t b, VisitOperand visit, void *arg)
{
    const PlanBlock *x = &w->plan->blocks.at[b];
    for (uint32_t i = 0; i < x->n_steps; i++)
        visit_term(w, b, w->d->eqs.at[w->plan->steps.at[x->step + i].eq].term, visit, arg);
    for (uint32_t i = 0; i < x->n_torn; i++)
        visit_term(w, b, w->d->eqs.at[w->plan->torn.at[x->torn + i].eq].term, visit, arg);
}

static void enter_block(Uses *w, uint32_t b)
{
    PlanBlock *x = &w->plan->blocks.at[b];
    x->uses = x->mixed ? USE_DISCRETE : 0;
    for (uint32_t i = 0; i < x->n_torn; i++) {
        VarId v = w->plan->torn.at[x->torn + i].var;
        w->block_of[v] = b;
        x->uses |= var_is_real(w->d, v) ? 0 : USE_DISCRETE;
    }
    for (uint32_t i = 0; i < x->n_steps; i++) {
        VarId v = w->plan->steps.at[x->step + i].var;
        if (var_is_real(w->d, v) || w->d->vars.at[v].kind == DAE_FOLLOWING)
            w->block_of[v] = b;
        else
            x->uses |= USE_DISCRETE;
    }
}

static void check_parameter(Uses *w, uint32_t b, VarId v, void *arg)
{
    bool *all = arg;
    uint32_t by = w->block_of[v];
    if (by == b || w->d->vars.at[v].kind == DAE_PARAMETER)
        return;
    *all &= by != NONE && w->plan->blocks.at[by].uses == USE_PARAMETER;
}

static void mark_need(Uses *w, uint32_t b, VarId v, void *arg)
{
    (void)b;
    uint32_t by = w->block_of[v];
    if (by != NONE)
        w->plan->blocks.at[by].uses |= *(uint8_t *)arg;
}

static void mark_roots(Uses *w)
{
    uint8_t derivative = USE_DERIVATIVE, indicator = USE_INDICATOR;
    for (uint32_t i = 0; i < w->plan->states.n; i++)
        mark_need(w, 0, w->plan->states.at[i].der, &derivative);
    for (uint32_t i = 0; i < w->plan->inlined.n; i++)
        mark_need(w, 0, w->plan->inlined.at[i].var, &derivative);
    for (uint32_t i = 0; i < w->d->relations.n; i++)
        visit_term(w, 0, w->d->relations.at[i].z, mark_need, &indicator);
    for (uint32_t i = 0; i < w->d->delays.n; i++) {
        mark_need(w, 0, dae_representative(w->d, w->d->delays.at[i].source, NULL), &indicator);
    }
    for (uint32_t i = 0; i < w->d->transports.n; i++) {
        const DaeTransport *t = &w->d->transports.at[i];
        const VarId recorded[] = {t->in[0], t->in[1], t->x};
        for (uint32_t k = 0; k < 3; k++)
            mark_need(w, 0, dae_representative(w->d, recorded[k], NULL), &indicator);
    }
    for (uint32_t i = 0; i < w->plan->sets.n; i++)
        for (uint32_t k = 0; k < w->plan->sets.at[i].n_entries; k++)
            if (w->plan->sets.at[i].entries[k].var != NONE)
                mark_need(w, 0, w->plan->sets.at[i].entries[k].var, &indicator);
    for (uint32_t i = 0; i < w->d->actions.n; i++)
        if (w->d->actions.at[i].kind == ACTION_ASSERT)
            visit_term(w, 0, w->d->actions.at[i].guard, mark_need, &indicator);
}

void plan_uses(Plan *p, const uint8_t *needed, uint32_t n_needed)
{
    Uses w = {.plan = p, .d = p->dae};
    uint32_t first = p->main.block, n = p->main.n_blocks;
    w.block_of = memory_alloc((size_t)p->dae->vars.n * sizeof *w.block_of);
    for (VarId v = 0; v < p->dae->vars.n; v++)
        w.block_of[v] = NONE;
    for (uint32_t b = first; b < first + n; b++) {
        enter_block(&w, b);
        bool all = p->blocks.at[b].uses == 0;
        visit_block(&w, b, check_parameter, &all);
        if (all)
            p->blocks.at[b].uses = USE_PARAMETER;
    }
    mark_roots(&w);
    for (VarId v = 0; v < n_needed; v++)
        if (needed[v])
            mark_need(&w, 0, v, &(uint8_t){USE_DERIVATIVE});
    for (uint32_t b = first + n; b-- > first;) {
        PlanBlock *x = &p->blocks.at[b];
        uint8_t need = x->uses & (USE_DERIVATIVE | USE_INDICATOR);
        if (x->uses & USE_PARAMETER)
            x->uses = USE_PARAMETER;
        else if (need)
            visit_block(&w, b, mark_need, &need);
        else if (!x->uses || (x->mixed && x->n_steps + x->n_torn > 0))
            x->uses |= USE_OUTPUT;
    }
    memory_free(w.block_of);
}

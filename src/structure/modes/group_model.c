/* The model of one group. In: the groups of a plan. Out: a copy of the plan's Dae for a plan of the
 * group.
 *
 * Its unknowns are those of its blocks and the states whose derivatives it computes. Variables of
 * other groups are known, without a rate. Variables that depend only on time can be differentiated,
 * so the copy also has the equations of those that the group uses. */

#include "structure/modes/modes.h"

typedef struct Part {
    const PlanGroups *g;
    const Plan *plan;
    const Dae *d;
    uint8_t *in_part;      /* per block */
    uint8_t *inside;       /* per variable */
    VEC(uint32_t) members; /* blocks of the part */
} Part;

static void add_block(Part *w, uint32_t b)
{
    if (w->in_part[b])
        return;
    w->in_part[b] = 1;
    vec_push(&w->members, b);
}

static void add_timed(Part *w, Term t)
{
    for (uint32_t k = 0; k < t.n; k++) {
        uint32_t b = w->g->block_of[dae_op(w->d, t, k)];
        if (b != NONE && w->g->timed[b])
            add_block(w, b);
    }
}

/* Marks the unknowns of a block; operands that depend only on time become members. */
static void enter_block(Part *w, uint32_t b)
{
    const PlanBlock *x = &w->plan->blocks.at[w->plan->main.block + b];
    for (uint32_t i = 0; i < x->n_steps; i++) {
        w->inside[w->plan->steps.at[x->step + i].var] = 1;
        add_timed(w, w->d->eqs.at[w->plan->steps.at[x->step + i].eq].term);
    }
    for (uint32_t i = 0; i < x->n_torn; i++) {
        w->inside[w->plan->torn.at[x->torn + i].var] = 1;
        add_timed(w, w->d->eqs.at[w->plan->torn.at[x->torn + i].eq].term);
    }
    for (uint32_t i = 0; i < x->n_discrete; i++)
        w->inside[w->plan->steps.at[x->discrete + i].var] = 1;
}

static void find_members(Part *w, uint32_t k)
{
    const PlanGroup *group = &w->g->list[k];
    for (uint32_t i = 0; i < group->n_blocks; i++)
        add_block(w, group->blocks[i]);
    for (uint32_t i = 0; i < w->members.n; i++)
        enter_block(w, w->members.at[i]);
    for (uint32_t i = 0; i < w->plan->states.n; i++) {
        VarId v = w->plan->states.at[i].var;
        uint32_t b = w->g->rate_of[v];
        if (b != NONE && w->g->group[b] == k)
            w->inside[v] = 1;
    }
}

/* A derivative is a member if its variable is. */
static bool is_inside(const Part *w, VarId v)
{
    while (w->d->vars.at[v].kind == DAE_DERIVATIVE)
        v = dae_representative(w->d, w->d->vars.at[v].base, NULL);
    return w->inside[v];
}

static void restrict_vars(const Part *w, Dae *c)
{
    for (VarId v = 0; v < c->vars.n; v++) {
        uint8_t *kind = &c->vars.at[v].kind;
        if (c->vars.at[v].alias != NONE || is_inside(w, v))
            continue;
        if (*kind == DAE_CONTINUOUS || *kind == DAE_DERIVATIVE || *kind == DAE_FOLLOWING)
            *kind = DAE_OUTSIDE;
        else if (*kind == DAE_DISCRETE || *kind == DAE_RELATION)
            *kind = DAE_HELD;
    }
}

static void restrict_eqs(const Part *w, Dae *c)
{
    for (EqId e = 0; e < c->eqs.n; e++) {
        DaeEq *q = &c->eqs.at[e];
        uint32_t b = w->g->eq_block[e];
        if (q->origin == DAE_EQ_PARAMETER || (eq_in_main(q) && b != NONE && w->in_part[b]))
            continue;
        q->origin = DAE_EQ_ABSENT;
        q->target = NONE;
        q->term = (Term){.shape = expr_real(c->g, 0)};
    }
}

Dae *group_dae(const PlanGroups *g, uint32_t k, uint32_t from)
{
    Part w = {.g = g, .plan = g->plan, .d = g->plan->dae};
    w.in_part = memory_alloc((size_t)g->plan->main.n_blocks + 1);
    w.inside = memory_alloc((size_t)w.d->vars.n + 1);
    find_members(&w, k);
    Dae *c = dae_clone(w.d);
    restrict_vars(&w, c);
    restrict_eqs(&w, c);
    while (c->vars.n < from)
        dae_hidden_var(c, DAE_HELD, DAE_REAL);
    memory_free(w.in_part);
    memory_free(w.inside);
    vec_free(&w.members);
    return c;
}

static void mark_uses(const PlanGroups *g, uint32_t b, uint8_t *needed)
{
    const Plan *p = g->plan;
    const PlanBlock *x = &p->blocks.at[p->main.block + b];
    for (uint32_t i = 0; i < x->n_steps + x->n_torn; i++) {
        EqId e =
            i < x->n_steps ? p->steps.at[x->step + i].eq : p->torn.at[x->torn + i - x->n_steps].eq;
        Term t = p->dae->eqs.at[e].term;
        for (uint32_t k = 0; k < t.n; k++)
            needed[dae_op(p->dae, t, k)] = 1;
    }
}

uint8_t *group_needed(const PlanGroups *g, uint32_t k)
{
    const Plan *p = g->plan;
    uint8_t *needed = memory_alloc((size_t)p->dae->vars.n + 1);
    for (uint32_t b = 0; b < p->main.n_blocks; b++) {
        bool uses = p->blocks.at[p->main.block + b].uses & USE_DERIVATIVE || g->group[b] != NONE;
        if (g->group[b] != k && uses)
            mark_uses(g, b, needed);
    }
    for (uint32_t i = 0; i < p->states.n; i++)
        needed[p->states.at[i].der] = 1;
    return needed;
}

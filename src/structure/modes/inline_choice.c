#include "structure/modes/inline_choice.h"

#include "base/pattern.h"

static bool is_inlined(const Plan *p, VarId v)
{
    for (uint32_t i = 0; i < p->inlined.n; i++)
        if (p->inlined.at[i].var == v)
            return true;
    return false;
}

static bool is_chosen(const InlineChoice *c, VarId v)
{
    v = dae_representative(c->single->dae, v, NULL);
    for (uint32_t i = 0; i < c->list.n; i++)
        if (c->list.at[i] == v)
            return true;
    return false;
}

static void add(InlineChoice *c, VarId v)
{
    if (!is_chosen(c, v))
        vec_push(&c->list, v);
}

/* Slots of a state set that may represent v. */
static bool choose_slots(InlineChoice *c, const PlanSet *p, VarId v)
{
    uint32_t n_slots = p->n_cols - p->n_rows;
    for (uint32_t k = 0; k < p->depth * p->n_cols; k++) {
        for (uint32_t i = 0; p->cols[k] == v && i < n_slots; i++)
            add(c, p->slots[k / p->n_cols * n_slots + i]);
        if (p->cols[k] == v)
            return true;
    }
    return false;
}

/* Adds v if it is or may be a state; true if so. */
static bool choose(InlineChoice *c, VarId v)
{
    bool found = false;
    v = dae_representative(c->single->dae, v, NULL);
    if (is_inlined(c->all, v)) {
        add(c, v);
        return true;
    }
    for (uint32_t i = 0; i < c->all->sets.n && !found; i++)
        found = choose_slots(c, &c->all->sets.at[i], v);
    return found;
}

bool inline_choose_named(InlineChoice *c, const char *pattern)
{
    const Dae *d = c->single->dae;
    Arena *scratch = arena_new();
    bool any = false;
    for (VarId v = 0; v < d->n_model_vars; v++) {
        arena_reset(scratch);
        if (d->vars.at[v].kind == DAE_CONTINUOUS &&
            pattern_names(pattern, dae_var_name(d, v, scratch)))
            any |= choose(c, v);
    }
    arena_free(scratch);
    return any;
}

bool inline_choose_storage(InlineChoice *c, const Plan *p)
{
    uint32_t n = c->list.n;
    for (uint32_t i = 0; i < p->guards.n; i++)
        if (p->guards.at[i].storage != NONE)
            choose(c, p->guards.at[i].storage);
    return c->list.n > n;
}

void inline_choose_tied(InlineChoice *c)
{
    const Plan *p = c->single;
    uint32_t n;
    do {
        n = c->list.n;
        for (uint32_t i = 0; i < p->storages.n; i++)
            for (uint32_t k = 0; k < p->storages.n; k++)
                if (p->storages.at[k].eq == p->storages.at[i].eq &&
                    is_chosen(c, p->storages.at[k].state))
                    choose(c, p->storages.at[i].state);
    } while (c->list.n > n);
}

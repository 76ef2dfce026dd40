/* Variables that the model wants as states though no equation differentiates them: stateSelect = prefer or always counts for them as well (4.9.7.1).
 *
 * The mass and the energy of a volume are differentiated, its pressure and temperature are wanted. Giving such a variable a derivative turns what
 * relates it to the others into a constraint, which index reduction differentiates; selection then takes it for a state, and what was differentiated
 * follows from it explicitly, where it would otherwise be found from that by iteration. Wishes that lead to no state, or to a model that cannot be
 * differentiated, are dropped: the caller tries again without them. */
#include "structure/structure.h"

void wanted_find(const Dae *d, const PlanOptions *options, VarList *wanted)
{
    for (VarId v = 0; !options->inline_all && !options->n_inlined && v < d->vars.n; v++) {
        const DaeVar *x = &d->vars.at[v];
        if (x->kind == DAE_CONTINUOUS && x->alias == NONE && x->state_select >= SELECT_PREFER && x->der == NONE)
            vec_push(wanted, v);
    }
}

void wanted_enter(Planner *p, const VarList *wanted)
{
    for (uint32_t i = 0; i < wanted->n; i++) {
        VarId v = wanted->at[i], der = dae_derivative_var(p->dae, v);
        planner_cover(p);
        p->next.at[v] = der;
        p->prev.at[der] = v;
        p->role.at[der] = ROLE_UNKNOWN;
    }
}

bool wanted_keep(const Plan *plan, VarList *wanted)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < wanted->n; i++)
        if (plan_is_state(plan, wanted->at[i]))
            wanted->at[n++] = wanted->at[i];
    bool all = n == wanted->n;
    wanted->n = n;
    return all;
}

/* Variables that the model prefers as states although no equation differentiates them, or not often
 * enough. stateSelect = prefer or always also counts for them (4.9.7.1). For example, the mass and
 * the energy of a volume are differentiated, but its pressure and temperature are preferred.
 *
 * Such a variable gets a derivative. The equations that relate it to the others become constraints,
 * which index reduction differentiates. Selection then takes it as a state, and the differentiated
 * variables follow from it explicitly, without iteration. A relative angle that must be a state may
 * need a second derivative, like the absolute ones.
 *
 * Preferences that lead to no state, or to a model that cannot be differentiated, are dropped: the
 * caller tries again without them. */
#include "structure/states/states.h"

void state_preferences_find(const Dae *d, const PlanOptions *options, StatePreferences *wanted)
{
    for (VarId v = 0; !options->inline_all && !options->n_inlined && v < d->vars.n; v++) {
        const DaeVar *x = &d->vars.at[v];
        bool counts = x->state_select == SELECT_ALWAYS ||
                      (x->state_select == SELECT_PREFER && x->der == NONE);
        if (x->kind == DAE_CONTINUOUS && x->alias == NONE && counts)
            vec_push(wanted, ((StatePreference){v, 1}));
    }
}

/* The derivative of v that takes part; NONE if it belongs to another variable. */
static VarId enter(Planner *p, VarId v)
{
    if (p->next.at[v] != NONE)
        return p->next.at[v];
    VarId der = dae_derivative_var(p->dae, v);
    planner_cover(p);
    if (p->dae->vars.at[der].alias != NONE)
        return NONE;
    p->next.at[v] = der;
    p->prev.at[der] = v;
    p->role.at[der] = VAR_ROLE_UNKNOWN;
    return der;
}

void state_preferences_enter(Planner *p, const StatePreferences *wanted)
{
    for (uint32_t i = 0; i < wanted->n; i++) {
        VarId v = wanted->at[i].var;
        for (uint32_t k = 0; k < wanted->at[i].depth && v != NONE; k++)
            v = enter(p, v);
    }
}

bool state_preferences_hold(const Plan *plan, const StatePreferences *wanted)
{
    for (uint32_t i = 0; i < wanted->n; i++)
        if (!plan_is_state(plan, wanted->at[i].var))
            return false;
    return true;
}

void state_preferences_keep(const Plan *plan, StatePreferences *wanted)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < wanted->n; i++)
        if (plan_is_state(plan, wanted->at[i].var))
            wanted->at[n++] = wanted->at[i];
    wanted->n = n;
}

bool state_preferences_deepen(const Plan *plan, StatePreferences *wanted)
{
    bool any = false;
    for (uint32_t i = 0; i < wanted->n; i++) {
        StatePreference *w = &wanted->at[i];
        bool always = plan->dae->vars.at[w->var].state_select == SELECT_ALWAYS;
        if (always && w->depth < DEEPEST_PREFERENCE && !plan_is_state(plan, w->var)) {
            w->depth++;
            any = true;
        }
    }
    return any;
}

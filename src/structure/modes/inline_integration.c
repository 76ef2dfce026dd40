/* Inline integration: the integrator written into the equations (Elmqvist, Otter, Cellier 1995).
 *
 * In: the equations after index reduction with the incidence of all branches, and the chosen
 * states. Differentiated equations constrain states in every mode; constraints of single modes stay
 * as they are. Out: for each inlined state x the equation x = old + step*der(x).
 *
 * The host sets step and old. These are h and the last value for implicit Euler. Other methods have
 * other values, if their stages can be solved one by one. The equation is well conditioned for x,
 * for any step; it is never solved for der(x). x is then an ordinary unknown, which the constraint
 * of a mode may determine. */
#include "structure/modes/modes.h"

static bool is_inlined(const Planner *p, VarId v)
{
    const PlanOptions *o = &p->options;
    bool found = o->inline_all;
    for (uint32_t i = 0; i < o->n_inlined && !found; i++)
        found = o->inlined[i] == v;
    return found;
}

static void add_integrator(Planner *p, VarId x)
{
    Dae *d = p->dae;
    Graph *g = d->g;
    VarId der = p->next.at[x], old = dae_hidden_var(d, DAE_INPUT, DAE_REAL);
    VarId ops[] = {der, p->plan->step, x, old};
    ExprId hole[4];
    for (uint32_t k = 0; k < 4; k++)
        hole[k] = expr_leaf(g, OP_HOLE, T_REAL, k);
    ExprId change = expr_add(g, hole[3], expr_mul(g, hole[1], hole[0]));
    d->vars.at[old].nominal = d->vars.at[x].nominal;
    d->vars.at[old].detail = DETAIL_STEP + 1 + x;
    planner_cover(p);
    dae_add_equation(d, expr_sub(g, hole[2], change), ops, 4, report_var_span(d, x));
    vec_push(&p->plan->inlined, ((PlanInlined){x, der, old}));
    p->next.at[x] = p->prev.at[der] = NONE;
    p->role.at[x] = VAR_ROLE_UNKNOWN;
}

void inline_states(Planner *p)
{
    uint32_t n = p->plan->states.n, kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        PlanState x = p->plan->states.at[i];
        if (!is_inlined(p, x.var)) {
            p->plan->states.at[kept++] = x;
            continue;
        }
        if (p->plan->step == NONE) {
            p->plan->step = dae_hidden_var(p->dae, DAE_INPUT, DAE_REAL);
            p->dae->vars.at[p->plan->step].detail = DETAIL_STEP;
            planner_cover(p);
        }
        add_integrator(p, x.var);
    }
    p->plan->states.n = kept;
}

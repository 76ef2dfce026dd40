/* Shared by all steps of a plan: values per variable, coefficients, start equations. */
#include "structure/plan/planner.h"

#include <math.h>

void planner_cover(Planner *p)
{
    while (p->next.n < p->dae->vars.n) {
        VarId v = p->next.n;
        const DaeVar *x = &p->dae->vars.at[v];
        vec_push(&p->next, NONE);
        vec_push(&p->prev, NONE);
        vec_push(&p->role, VAR_ROLE_NONE);
        vec_push(&p->value, x->kind == DAE_PARAMETER || x->kind == DAE_LAMBDA ? x->value : 0);
    }
}

double planner_coefficient(Planner *p, Term t, uint32_t hole, bool *known)
{
    double x = 0;
    ExprId diff = symbolic_diff(p->dae->symbolic, t.shape, hole);
    *known = false;
    if (diff == EXPR_NONE)
        return 0;
    t.shape = diff;
    *known = dae_eval(p->dae, t, p->value.at, &x) == EVAL_OK && isfinite(x);
    return x;
}

EqId planner_start_equation(Planner *p, VarId v)
{
    Dae *d = p->dae;
    static const uint8_t type_of[] = {[DAE_REAL] = T_REAL,
                                      [DAE_INT] = T_INT,
                                      [DAE_BOOL] = T_BOOL,
                                      [DAE_ENUM] = T_INT,
                                      [DAE_STRING] = T_STRING};
    DaeEq e = {.target = v,
               .origin = DAE_EQ_START,
               .of = NONE,
               .der = NONE,
               .span = report_var_span(d, v)};
    VarId start = d->vars.at[v].start;
    if (start == NONE)
        e.term = dae_term(d, expr_real(d->g, 0), NULL, 0);
    else
        e.term =
            dae_term(d, expr_leaf(d->g, OP_HOLE, type_of[d->vars.at[start].type], 0), &start, 1);
    vec_push(&d->eqs, e);
    return d->eqs.n - 1;
}

bool plan_is_state(const Plan *plan, VarId v)
{
    for (uint32_t i = 0; i < plan->states.n; i++)
        if (plan->states.at[i].var == v)
            return true;
    return false;
}

void plan_free(Plan *p)
{
    if (!p)
        return;
    vec_free(&p->states);
    vec_free(&p->sets);
    vec_free(&p->blocks);
    vec_free(&p->steps);
    vec_free(&p->torn);
    vec_free(&p->solved);
    vec_free(&p->choices);
    vec_free(&p->assumptions);
    vec_free(&p->differentiated);
    vec_free(&p->dummies);
    vec_free(&p->open);
    vec_free(&p->switches);
    vec_free(&p->guards);
    vec_free(&p->storages);
    vec_free(&p->against_source);
    vec_free(&p->switch_vars);
    vec_free(&p->inlined);
    arena_free(p->arena);
    if (p->owns_dae)
        dae_free(p->dae);
    memory_free(p);
}

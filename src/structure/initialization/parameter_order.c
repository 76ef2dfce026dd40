/* Parameters computed from parameters: their order, and their values at the model's own settings.
 *
 * In: equations of origin DAE_EQ_PARAMETER. Out: Plan.parameters. Parameters with fixed = false,
 * and those that depend on them, belong to the initial system (Planner.late). An earlier plan may
 * have put them there already: their equations then have no target. A cycle is reported by its
 * members. */
#include "structure/initialization/initialization.h"

#include "structure/blocks/blocks.h"

static void parameter_system(Planner *p, System *s, bool skip_late)
{
    Dae *d = p->dae;
    system_start(s, d);
    for (EqId e = 0; e < d->eqs.n; e++) {
        VarId target = d->eqs.at[e].target;
        if (d->eqs.at[e].origin != DAE_EQ_PARAMETER || target == NONE ||
            (skip_late && p->late[target]))
            continue;
        vec_push(&s->eqs, e);
        system_add_var(s, target);
    }
    system_incidence(s, d, false);
    s->match = memory_alloc(((size_t)s->eqs.n + 1) * sizeof *s->match);
    for (uint32_t i = 0; i < s->eqs.n; i++)
        s->match[i] = i;
}

static bool uses_itself(const Dae *d, EqId e)
{
    Term t = d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++)
        if (dae_op(d, t, k) == d->eqs.at[e].target)
            return true;
    return false;
}

static void report_cycle(Planner *p, const System *s, const uint32_t *rows, uint32_t n)
{
    Dae *d = p->dae;
    Arena *scratch = arena_new();
    VEC(EqId) eqs = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&eqs, s->eqs.at[rows[i]]);
    const DaeEq *first = &d->eqs.at[eqs.at[0]];
    if (n == 1)
        diag(d->ctx, first->span, DIAG_T006, "parameter %s depends on itself",
             dae_var_name(d, first->target, scratch));
    else
        diag(d->ctx, first->span, DIAG_T006,
             "parameter %s depends on itself, through %u other parameter%s",
             dae_var_name(d, first->target, scratch), n - 1, n == 2 ? "" : "s");
    report_equations(d, eqs.at, n);
    vec_free(&eqs);
    arena_free(scratch);
}

/* Value of the target at the model's settings, and whether it must wait for initialization. */
static void settle(Planner *p, EqId e)
{
    Dae *d = p->dae;
    const DaeEq *q = &d->eqs.at[e];
    double x;
    p->late[q->target] |= !d->vars.at[q->target].fixed;
    for (uint32_t k = 0; k < q->term.n; k++)
        p->late[q->target] |= p->late[dae_op(d, q->term, k)];
    if (dae_eval(d, q->term, p->value.at, &x) == EVAL_OK)
        p->value.at[q->target] = x;
}

static bool settle_all(Planner *p)
{
    System s;
    parameter_system(p, &s, false);
    uint32_t *order = memory_alloc(((size_t)s.eqs.n + 1) * sizeof *order);
    uint32_t *start = memory_alloc(((size_t)s.eqs.n + 1) * sizeof *start);
    uint32_t n = structure_sort(&s.a, s.match, order, start);
    bool ok = true;
    for (uint32_t c = 0; c < n; c++) {
        EqId e = s.eqs.at[order[start[c]]];
        if (start[c + 1] - start[c] > 1 || uses_itself(p->dae, e)) {
            report_cycle(p, &s, order + start[c], start[c + 1] - start[c]);
            ok = false;
        } else {
            settle(p, e);
        }
    }
    memory_free(order);
    memory_free(start);
    system_end(&s);
    return ok;
}

bool plan_parameters(Planner *p)
{
    Dae *d = p->dae;
    p->n_late = d->vars.n;
    p->late = memory_alloc((size_t)p->n_late + 1);
    for (VarId v = 0; v < d->vars.n; v++)
        p->late[v] = d->vars.at[v].kind == DAE_PARAMETER && !d->vars.at[v].fixed &&
                     d->vars.at[v].alias == NONE;
    if (!settle_all(p))
        return false;
    System s;
    parameter_system(p, &s, true);
    bool ok = sequence_build(p, &s, &p->plan->parameters);
    system_end(&s);
    for (uint32_t b = 0; b < p->plan->parameters.n_blocks; b++)
        p->plan->blocks.at[p->plan->parameters.block + b].uses = USE_PARAMETER;
    return ok;
}

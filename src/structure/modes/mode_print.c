/* Structural guards as text: their causes, groups and treatment. */
#include "base/text.h"
#include "structure/modes/modes.h"

#include <math.h>

/* for more switches, or larger models, positions of two are not tried together */
enum { MOST_TOGETHER = 12, LARGEST_MODEL = 4000 };

/* "off = true": a guard and the value at which its switch lacks the unknown to solve for. */
static void put_guard_value(Text *out, const Dae *d, const PlanGuard *g, Arena *scratch)
{
    const DaeVar *x = &d->vars.at[g->var];
    if (x->kind == DAE_RELATION)
        text_printf(out, "%s",
                    dae_term_print(d, d->eqs.at[d->relations.at[x->detail].eq].term, scratch));
    else
        text_printf(out, "%s", dae_var_name(d, g->var, scratch));
    if (x->type == DAE_BOOL)
        text_printf(out, " = %s", g->value != 0 ? "true" : "false");
    else
        text_printf(out, " = %g", g->value);
}

/* Whether both values together leave the equations without a unique solution, all others being
 * open. */
static bool exclude_each_other(const Plan *p, const PlanGuard *a, const PlanGuard *b)
{
    VarId vars[] = {a->var, b->var};
    double values[] = {a->value, b->value};
    Dae *d = dae_clone(p->dae);
    structure_fit_guards(d, vars, values, 2);
    dae_free(d);
    return isnan(values[0]) || isnan(values[1]);
}

/* Both values of the Booleans of switch equations; returns their number, 0 if there are too many.
 */
static uint32_t switch_positions(const Plan *p, PlanGuard out[2 * MOST_TOGETHER])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->switch_vars.n; i++) {
        const DaeVar *x = &p->dae->vars.at[p->switch_vars.at[i]];
        if (x->type != DAE_BOOL || x->kind == DAE_PARAMETER)
            continue;
        if (n == 2 * MOST_TOGETHER || p->dae->vars.n > LARGEST_MODEL)
            return 0;
        for (int value = 0; value < 2; value++)
            out[n++] = (PlanGuard){.var = p->switch_vars.at[i], .value = value};
    }
    return n;
}

/* Positions of two switches that are not solvable together. Returns their number. */
static uint32_t put_excluded(Text *out, const Plan *p, Arena *scratch)
{
    PlanGuard at[2 * MOST_TOGETHER];
    uint32_t n = switch_positions(p, at), found = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            if (at[i].var == at[k].var || !exclude_each_other(p, &at[i], &at[k]))
                continue;
            text_printf(out, "With ");
            put_guard_value(out, p->dae, &at[i], scratch);
            text_printf(out, " and ");
            put_guard_value(out, p->dae, &at[k], scratch);
            text_printf(out, " together, the equations have no unique solution\n");
            arena_reset(scratch);
            found++;
        }
    return found;
}

/* The number of groups of the structural guards; 1 if the plan cannot be divided. */
static uint32_t count_groups(const Plan *p)
{
    VarId *guards = memory_alloc(((size_t)p->guards.n + 1) * sizeof *guards);
    double *values = memory_alloc(((size_t)p->guards.n + 1) * sizeof *values);
    for (uint32_t i = 0; i < p->guards.n; i++)
        guards[i] = p->guards.at[i].var;
    PlanGroups *g = groups_find(p, guards, values, p->guards.n, false);
    uint32_t n = g ? g->n : 1;
    groups_free(g);
    memory_free(guards);
    memory_free(values);
    return n;
}

char *plan_print_modes(const Plan *p, Arena *arena)
{
    const Dae *d = p->dae;
    Arena *scratch = arena_new();
    Text out = {0};
    text_printf(&out, "%u switch equation%s, %u structural guard%s\n", p->switches.n,
                p->switches.n == 1 ? "" : "s", p->guards.n, p->guards.n == 1 ? "" : "s");
    for (uint32_t i = 0; i < p->guards.n; i++) {
        const PlanGuard *g = &p->guards.at[i];
        text_printf(&out, "With ");
        put_guard_value(&out, d, g, scratch);
        text_printf(&out, ", the storage element of %s fixes the causality of the switch  %s\n",
                    dae_var_name(d, g->storage, scratch), dae_eq_print(d, g->eq, scratch));
        arena_reset(scratch);
    }
    for (uint32_t i = 0; i < p->against_source.n; i++) {
        const PlanGuard *g = &p->against_source.at[i];
        text_printf(&out, "With ");
        put_guard_value(&out, d, g, scratch);
        text_printf(&out,
                    ", a source contradicts the switch  %s: if this happens during a run, the run "
                    "ends\n",
                    dae_eq_print(d, g->eq, scratch));
        arena_reset(scratch);
    }
    uint32_t n_groups = p->guards.n ? count_groups(p) : 0,
             excluded = p->guards.n ? 0 : put_excluded(&out, p, scratch);
    if (n_groups > 1)
        text_printf(&out, "They form %u uncoupled groups, each with its own modes\n", n_groups);
    if (p->guards.n)
        text_printf(&out, "Treatment: a plan per visited mode. At a mode change, one implicit step "
                          "of vanishing length finds the next mode and the new state together.\n");
    else if (p->switches.n)
        text_printf(&out,
                    "Treatment: one plan for all modes. All switches are in systems of equations "
                    "that each %sposition leaves solvable.\n",
                    p->against_source.n + excluded ? "other " : "");
    arena_free(scratch);
    return text_keep(&out, arena);
}

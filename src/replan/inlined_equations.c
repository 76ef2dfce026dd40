/* `kairos equations --inline`: the equations with integrators written into them, sorted and torn.
 */
#include "replan/replan.h"
#include "structure/modes/inline_choice.h"
#include "structure/structure.h"

enum { MOST_ROUNDS = 20 };

static Plan *plan_with(const Compilation *c, const PlanOptions *options)
{
    Dae *d = dae_clone(c->plan->dae);
    Plan *p = structure_plan_as(d, options);
    dae_free(d);
    return p;
}

static bool report_unknown(const Compilation *c, const Plan *all, const char *pattern)
{
    Arena *scratch = arena_new();
    diag(c->ctx, (Span){0}, DIAG_U008, "--inline %s: %s", pattern,
         all->inlined.n ? "no state has this name" : "the model has no states");
    for (uint32_t i = 0; i < all->inlined.n && i < 10; i++)
        if (all->inlined.at[i].var < all->dae->n_model_vars)
            diag_note(c->ctx, (Span){0}, "state: %s",
                      dae_var_name(all->dae, all->inlined.at[i].var, scratch));
    arena_free(scratch);
    return false;
}

/* Inlines the chosen states, and further ones that switches need. */
static Plan *plan_chosen(const Compilation *c, InlineChoice *choice)
{
    Plan *p = NULL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        plan_free(p);
        p = plan_with(c, &(PlanOptions){.inlined = choice->list.at, .n_inlined = choice->list.n});
        if (!p || !inline_choose_storage(choice, p))
            break;
    }
    return p;
}

char *replan_print_inlined(const Compilation *c, const char *const *patterns, uint32_t n,
                           Arena *arena)
{
    Plan *all = plan_with(c, &(PlanOptions){.inline_all = true}), *some = NULL;
    InlineChoice choice = {.single = c->plan, .all = all};
    bool ok = all;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = inline_choose_named(&choice, patterns[i]) || report_unknown(c, all, patterns[i]);
    if (ok)
        inline_choose_tied(&choice);
    if (ok && choice.list.n < all->inlined.n)
        some = plan_chosen(c, &choice);
    char *text = ok ? plan_print(some ? some : all, arena) : NULL;
    vec_free(&choice.list);
    plan_free(some);
    plan_free(all);
    return text;
}

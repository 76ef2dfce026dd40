/* States whose initial value nothing in the model determines: the start value is taken, although it
 * is only a guess. They are reported at the component of the model that contains them, if that is
 * declared in its file; `x[:]` means an element of the array x. */
#include "api/session.h"

#include "base/text.h"

/* The path without the numbers of subscripts, and its first name. */
static char *general_name(const Compilation *c, const char *path, Name *first)
{
    Text t = {0};
    *first = NULL;
    for (const char *p = path; *p;) {
        size_t n = *p == '\'' ? strcspn(p + 1, "'") + 2 : *p == '[' ? strcspn(p, "]") + 1 : 1;
        if (*p == '[')
            text_put(&t, "[:]");
        else
            text_put_n(&t, p, n);
        p += n;
        if (!*first && (!*p || *p == '.' || *p == '['))
            *first = name_find(c->ctx->names, path, (size_t)(p - path));
    }
    char *name = arena_copy(c->ctx->arena, t.at, t.n);
    text_free(&t);
    return name;
}

/* The smaller, the better users know the variable: its depth, and whether it has a start value. */
static uint32_t rank_of(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    if (x->flat == NONE || x->hidden)
        return UINT32_MAX;
    return 2 * path_depth(d->flat->paths, d->flat->vars.at[x->flat].path) + !x->has_start;
}

/* Per variable the best known one of those that are equal to it; to be freed. */
static VarId *best_names(const Dae *d)
{
    VarId *best = memory_alloc(((size_t)d->vars.n + 1) * sizeof *best);
    for (VarId v = 0; v < d->vars.n; v++)
        best[v] = v;
    for (VarId v = 0; v < d->vars.n; v++) {
        VarId of = d->vars.at[v].alias;
        if (of != NONE && rank_of(d, v) < rank_of(d, best[of]))
            best[of] = v;
    }
    return best;
}

static void report(const Compilation *c, VarId v)
{
    const Dae *d = c->plan->dae;
    Context *ctx = c->ctx;
    Name first;
    char *name = general_name(c, dae_var_name(d, v, ctx->arena), &first);
    Span place = first ? instance_component_place(c->instance, first) : (Span){0};
    if (place.file)
        diag(ctx, place, DIAG_T102,
             "nothing determines '%s' at the start; its start value is used. Write 'fixed=true', "
             "or an initial equation",
             name);
}

static bool is_unfixed_state(const Dae *d, const PlanChoice *choice)
{
    uint8_t kind = d->vars.at[choice->var].kind;
    return choice->what == CHOSE_START && kind != DAE_PARAMETER && kind != DAE_DERIVATIVE;
}

void check_initial_values(const Compilation *c)
{
    const Dae *d = c->plan->dae;
    VarId *best = best_names(d);
    for (uint32_t i = 0; i < c->plan->choices.n; i++) {
        const PlanChoice *choice = &c->plan->choices.at[i];
        if (is_unfixed_state(d, choice) && rank_of(d, best[choice->var]) != UINT32_MAX)
            report(c, best[choice->var]);
    }
    memory_free(best);
}

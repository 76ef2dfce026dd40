/* The columns of a result: variables of the plan, filtered by the names that the user chose. */
#include "output/output.h"

#include <regex.h>

typedef struct Filter {
    regex_t regex;
    bool active, hide_protected;
} Filter;

static bool passes(const Filter *f, const DaeVar *v, const char *name)
{
    if (f->hide_protected && v->is_protected)
        return false;
    return !f->active || !regexec(&f->regex, name, 0, NULL, 0);
}

static void add_column(Columns *c, const Plan *plan, VarId id, const DaeVar *declared,
                       const Filter *filter, Arena *scratch)
{
    const Dae *dae = plan->dae;
    const DaeVar *x = &dae->vars.at[id];
    arena_reset(scratch);
    const char *name = dae_var_name(dae, id, scratch);
    if (!passes(filter, declared, name))
        return;
    name = arena_copy(c->arena, name, strlen(name));
    const FlatVar *flat = &dae->flat->vars.at[declared->flat];
    Column column = {.name = name,
                     .var = id,
                     .sign = 1,
                     .constant = x->kind == DAE_PARAMETER,
                     .flat = declared->flat,
                     .element = declared->element};
    if (x->alias != NONE) {
        column.var = x->alias;
        column.sign = x->alias_sign;
    }
    if (x->kind != DAE_DERIVATIVE) {
        column.unit = flat_traits(flat, declared->element)->unit;
        column.description = flat->shared->description;
    }
    vec_push(&c->list, column);
}

static void add_columns(Columns *c, const Plan *plan, const Filter *filter)
{
    const Dae *dae = plan->dae;
    Arena *scratch = arena_new();
    for (VarId id = 0; id < dae->vars.n; id++) {
        const DaeVar *x = &dae->vars.at[id];
        if (x->hidden || x->flat == NONE || x->kind == DAE_DERIVATIVE || x->kind == DAE_PRE ||
            x->type == DAE_STRING || dae->flat->vars.at[x->flat].hide_result)
            continue;
        add_column(c, plan, id, x, filter, scratch);
        if (x->der != NONE && !dae->vars.at[x->der].hidden)
            add_column(c, plan, x->der, x, filter, scratch);
    }
    arena_free(scratch);
}

/* If there are only parameters, they are the result. */
static void show_parameters_alone(Columns *c)
{
    for (uint32_t i = 0; i < c->list.n; i++)
        if (!c->list.at[i].constant)
            return;
    for (uint32_t i = 0; i < c->list.n; i++)
        c->list.at[i].constant = false;
}

Columns *columns_new(Context *ctx, const Plan *plan, const char *pattern, bool hide_protected)
{
    Filter filter = {.hide_protected = hide_protected, .active = pattern};
    int error = pattern ? regcomp(&filter.regex, pattern, REG_EXTENDED | REG_NOSUB) : 0;
    if (error) {
        char text[200];
        regerror(error, &filter.regex, text, sizeof text);
        diag(ctx, (Span){0}, DIAG_U005, "'%s' is not a regular expression: %s", pattern, text);
        return NULL;
    }
    Columns *c = memory_alloc(sizeof *c);
    c->arena = arena_new();
    add_columns(c, plan, &filter);
    show_parameters_alone(c);
    if (pattern)
        regfree(&filter.regex);
    return c;
}

RowNeeds columns_need(const Columns *c, const Plan *plan)
{
    RowNeeds needs = ROW_TIME;
    bool *state = memory_alloc(plan->dae->vars.n * sizeof *state);
    for (uint32_t i = 0; i < plan->states.n; i++)
        state[plan->states.at[i].var] = true;
    for (uint32_t i = 0; i < c->list.n; i++) {
        const Column *x = &c->list.at[i];
        if (x->constant)
            continue;
        bool known = state[x->var] || plan->dae->vars.at[x->var].kind == DAE_DISCRETE;
        needs = known && needs != ROW_ALL ? ROW_STATES : ROW_ALL;
    }
    memory_free(state);
    return needs;
}

void columns_free(Columns *c)
{
    if (!c)
        return;
    arena_free(c->arena);
    vec_free(&c->list);
    memory_free(c);
}

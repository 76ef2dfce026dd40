/* Descriptions of variables, components and places, from the flat model. */
#include "structure/plan/description.h"

static const FlatVar *flat_var(const Plan *p, VarId var)
{
    const Dae *d = p->dae;
    uint32_t flat = d->vars.at[var].flat;
    return d->flat && flat != NONE ? &d->flat->vars.at[flat] : NULL;
}

Span plan_var_span(const Plan *p, VarId var)
{
    const FlatVar *v = flat_var(p, var);
    return v ? v->span : (Span){0};
}

bool plan_hides_result(const Plan *p, VarId var)
{
    const FlatVar *v = flat_var(p, var);
    return v && v->hide_result;
}

const char *plan_literal_name(const Plan *p, VarId var, double value)
{
    const FlatVar *v = flat_var(p, var);
    const Types *types = p->dae->g->types;
    const Type *t = v ? type_get(types, type_element(types, v->type)) : NULL;
    if (!t || t->kind != TYPE_ENUM || !(value >= 1 && value <= t->n))
        return NULL;
    return t->fields[(uint32_t)value - 1].name;
}

char *plan_component_name(const Plan *p, PathId component, Arena *arena)
{
    if (!component || !p->dae->flat)
        return arena_copy(arena, "", 0);
    return path_text(p->dae->flat->paths, component, arena);
}

PlanLiteralPlaces plan_literal_places(const Plan *p)
{
    PlanLiteralPlaces places = {0};
    const Flat *f = p->dae->flat;
    Map known = {0};
    for (uint32_t i = 0; f && i < f->eqs.n; i++) {
        const FlatEq *eq = &f->eqs.at[i];
        if (!eq->literal)
            continue;
        uint64_t key = map_pair(eq->span.file, eq->span.at);
        uint32_t at = map_get(&known, key);
        if (at == MAP_NONE) {
            map_put(&known, key, places.n);
            vec_push(&places, ((PlanLiteralPlace){eq->component, eq->span, 1}));
        } else {
            places.at[at].n++;
        }
    }
    map_free(&known);
    return places;
}

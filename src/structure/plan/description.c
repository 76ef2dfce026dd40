/* Descriptions of variables, components and places, from the flat model. */
#include "structure/plan/description.h"

#include <math.h>

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

typedef struct Choice {
    VarId var;
    int sign;
} Choice;

/* The array whose elements, up to aliases, are the n variables; NONE if there is none. */
static uint32_t array_of(const Dae *d, const Choice *of, uint32_t n)
{
    for (VarId v = 0; v + n <= d->vars.n; v++) {
        uint32_t k = 0;
        for (; k < n; k++) {
            const DaeVar *x = &d->vars.at[v + k];
            bool negative = false;
            if (x->flat == NONE || x->kind == DAE_DERIVATIVE || x->kind == DAE_PRE ||
                x->flat != d->vars.at[v].flat || x->element != k ||
                dae_representative(d, v + k, &negative) != of[k].var ||
                (negative ? -1 : 1) != of[k].sign)
                break;
        }
        if (k == n)
            return d->vars.at[v].flat;
    }
    return NONE;
}

char *plan_selection_name(const Plan *p, Term whole, ExprId e, Arena *arena)
{
    enum { MOST = 64 };
    const Dae *d = p->dae;
    const Graph *g = d->g;
    ExprId index = EXPR_NONE;
    Choice of[MOST];
    uint32_t n = 0;
    for (; expr_op(g, e) == OP_IF && n < MOST; e = expr_arg(g, e, 2)) {
        ExprId c = expr_arg(g, e, 0), x = expr_arg(g, e, 1);
        of[n].sign = expr_op(g, x) == OP_NEG ? -1 : 1;
        x = expr_op(g, x) == OP_NEG ? expr_arg(g, x, 0) : x;
        if (expr_op(g, c) != OP_EQ || expr_op(g, x) != OP_HOLE)
            return NULL;
        bool first = expr_op(g, expr_arg(g, c, 0)) == OP_INT;
        ExprId number = expr_arg(g, c, first ? 0 : 1), k = expr_arg(g, c, first ? 1 : 0);
        of[n++].var = dae_op(d, whole, expr_index(g, x));
        if (expr_op(g, number) != OP_INT || expr_int_value(g, number) != n || (index && k != index))
            return NULL;
        index = k;
    }
    if (!index || !d->flat || expr_op(g, e) != OP_REAL || !isnan(expr_real_value(g, e)))
        return NULL;
    uint32_t flat = array_of(d, of, n);
    if (flat == NONE)
        return NULL;
    return arena_printf(arena, "%s[%s]", flat_var_name(d->flat, flat, arena),
                        dae_term_print(d, (Term){index, whole.ops, whole.n}, arena));
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

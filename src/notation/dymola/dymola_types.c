/* Which variables are Boolean. Dymola does not declare it; their use decides. Variables and
 * expressions belong to sets of one type. An equation, an if-expression, a parameter or a
 * connection joins sets. A set of unknown type is Real. */
#include "notation/dymola/internal.h"

uint32_t dymola_new_type(Dymola *d)
{
    uint32_t n = d->types.n;
    vec_push(&d->types, n);
    vec_push(&d->kinds, DYM_UNKNOWN);
    return n;
}

static uint32_t find(Dymola *d, uint32_t t)
{
    while (d->types.at[t] != t)
        t = d->types.at[t] = d->types.at[d->types.at[t]];
    return t;
}

/* If both are known and differ, the Modelica type check reports it later, with the place. */
static void join(Dymola *d, uint32_t a, uint32_t b)
{
    a = find(d, a);
    b = find(d, b);
    if (a == b)
        return;
    if (!d->kinds.at[a])
        d->kinds.at[a] = d->kinds.at[b];
    d->types.at[b] = a;
}

static uint32_t known(Dymola *d, DymType kind)
{
    uint32_t t = dymola_new_type(d);
    d->kinds.at[t] = kind;
    return t;
}

DymType dymola_type(Dymola *d, const DymVar *v)
{
    DymType kind = d->kinds.at[find(d, v->type)];
    return kind ? kind : DYM_REAL;
}

static uint32_t type_of(Dymola *d, DymModel *m, const AstExpr *e);

static void demand(Dymola *d, DymModel *m, const AstExpr *e, DymType kind)
{
    join(d, type_of(d, m, e), known(d, kind));
}

static uint32_t type_of_operation(Dymola *d, DymModel *m, const AstExpr *e)
{
    bool logical = e->op <= AST_OP_NOT, relation = e->op >= AST_OP_LT && e->op <= AST_OP_NE;
    bool equality = e->op == AST_OP_EQ || e->op == AST_OP_NE;
    if (equality)
        join(d, type_of(d, m, e->args.at[0]), type_of(d, m, e->args.at[1]));
    for (uint32_t i = 0; i < e->args.n && !equality; i++)
        demand(d, m, e->args.at[i], logical ? DYM_BOOLEAN : DYM_REAL);
    return known(d, logical || relation ? DYM_BOOLEAN : DYM_REAL);
}

static uint32_t type_of_if(Dymola *d, DymModel *m, const AstExpr *e)
{
    uint32_t t = type_of(d, m, e->args.at[e->args.n - 1]);
    for (uint32_t i = 0; i + 1 < e->args.n; i += 2) {
        demand(d, m, e->args.at[i], DYM_BOOLEAN);
        join(d, t, type_of(d, m, e->args.at[i + 1]));
    }
    return t;
}

static uint32_t type_of_call(Dymola *d, DymModel *m, const AstExpr *e)
{
    const AstExpr *of = tree_argument(e, "new");
    of = of ? of : tree_argument(e, "old");
    if (of)
        return type_of(d, m, of);
    for (uint32_t i = 0; i < e->args.n; i++)
        demand(d, m, e->args.at[i], DYM_REAL);
    return known(d, DYM_REAL);
}

static uint32_t type_of(Dymola *d, DymModel *m, const AstExpr *e)
{
    switch (e->kind) {
    case AST_BOOL: return known(d, DYM_BOOLEAN);
    case AST_REF: {
        DymVar *v = dymola_var_of(m, e);
        return v ? v->type : dymola_new_type(d);
    }
    case AST_UNARY:
    case AST_BINARY: return type_of_operation(d, m, e);
    case AST_IF: return type_of_if(d, m, e);
    case AST_TUPLE: return type_of(d, m, e->args.at[0]);
    case AST_CALL: return type_of_call(d, m, e);
    default: return known(d, DYM_REAL);
    }
}

static void join_items(Dymola *d, const DymEnd *a, const DymEnd *b, const DymItem *x,
                       const DymItem *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        DymVar *v = dymola_var(a->owner, x[i].name), *w = dymola_var(b->owner, y[i].name);
        if (v && w)
            join(d, v->type, w->type);
    }
}

static void join_cuts(Dymola *d, const DymEnd *a, const DymEnd *b)
{
    join_items(d, a, b, a->cut->across.at, b->cut->across.at, a->cut->across.n);
    join_items(d, a, b, a->cut->through.at, b->cut->through.at, a->cut->through.n);
}

static void type_model(Dymola *d, DymModel *m)
{
    for (uint32_t i = 0; i < m->vars.n; i++)
        if (m->vars.at[i]->value)
            join(d, m->vars.at[i]->type, type_of(d, m, m->vars.at[i]->value));
    for (uint32_t i = 0; i < m->equations.n; i++)
        join(d, type_of(d, m, m->equations.at[i].lhs), type_of(d, m, m->equations.at[i].rhs));
    for (uint32_t i = 0; i < m->whens.n; i++)
        demand(d, m, m->whens.at[i].condition, DYM_BOOLEAN);
    for (uint32_t i = 0; i < m->pairs.n; i++)
        join_cuts(d, &m->pairs.at[i].a, &m->pairs.at[i].b);
    for (uint32_t i = 0; i < m->subs.n; i++) {
        const DymSub *sub = m->subs.at[i];
        for (uint32_t k = 0; sub->model && k < sub->args.n; k++) {
            DymVar *v = dymola_var(sub->model, sub->args.at[k].name);
            if (v)
                join(d, v->type, type_of(d, m, sub->args.at[k].value));
        }
    }
}

void dymola_types(Dymola *d)
{
    for (uint32_t i = 0; i < d->models.n; i++)
        type_model(d, d->models.at[i]);
}

/* Systems of equations and unknowns: the input of matching and sorting.
 *
 * In: lists of equations and unknowns, real ones first. Out: the incidence of one in the other. The
 * target of an equation in target form counts as occurring in it. */
#include "structure/plan/planner.h"

void system_start(System *s, const Dae *d)
{
    *s = (System){.n_col = d->vars.n};
    s->col = memory_alloc((size_t)s->n_col * sizeof *s->col);
    for (uint32_t v = 0; v < s->n_col; v++)
        s->col[v] = NONE;
}

void system_end(System *s)
{
    vec_free(&s->eqs);
    vec_free(&s->vars);
    memory_free(s->col);
    memory_free(s->a.ptr);
    memory_free(s->a.var);
    memory_free(s->match);
    *s = (System){0};
}

void system_add_var(System *s, VarId v)
{
    s->col[v] = s->vars.n;
    vec_push(&s->vars, v);
}

bool system_constant(const System *s, const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_PARAMETER && (v >= s->n_col || s->col[v] == NONE);
}

bool system_occurs(const Dae *d, Term t, uint32_t k)
{
    ExprId e = symbolic_expand(d->symbolic, t.shape);
    return e == t.shape || symbolic_depends(d->symbolic, e, k);
}

ExprId shape_at_start(const Dae *d, Term t)
{
    ExprId *with = memory_alloc(((size_t)t.n + 1) * sizeof *with);
    bool any = false;
    for (uint32_t k = 0; k < t.n; k++)
        if (dae_op(d, t, k) == d->initial) {
            with[k] = expr_bool(d->g, true);
            any = true;
        }
    ExprId shape = any ? symbolic_substitute(d->symbolic, t.shape, with, t.n) : t.shape;
    memory_free(with);
    return shape;
}

void system_incidence(System *s, const Dae *d, bool real_only)
{
    uint32_t n_rows = real_only ? s->n_real : s->eqs.n;
    uint32_t n_cols = real_only ? s->n_real : s->vars.n;
    VEC(uint32_t) entries = {0};
    memory_free(s->a.ptr);
    memory_free(s->a.var);
    uint32_t *ptr = memory_alloc(((size_t)n_rows + 1) * sizeof *ptr);
    for (uint32_t i = 0; i < n_rows; i++) {
        const DaeEq *e = &d->eqs.at[s->eqs.at[i]];
        bool target_seen = e->target == NONE;
        ExprId start = s->at_start ? shape_at_start(d, e->term) : e->term.shape;
        for (uint32_t k = 0; k < e->term.n; k++) {
            VarId v = dae_op(d, e->term, k);
            target_seen |= v == e->target;
            if (s->col[v] < n_cols && system_occurs(d, e->term, k) &&
                (start == e->term.shape || symbolic_depends(d->symbolic, start, k)))
                vec_push(&entries, s->col[v]);
        }
        if (!target_seen && s->col[e->target] < n_cols)
            vec_push(&entries, s->col[e->target]);
        ptr[i + 1] = entries.n;
    }
    s->a = (Incidence){.n_eqs = n_rows, .n_vars = n_cols, .ptr = ptr, .var = entries.at};
    if (!s->a.var)
        s->a.var = memory_alloc(sizeof *s->a.var);
}

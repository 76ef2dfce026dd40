/* Singular systems in the words of the model: the over- and underdetermined parts with equations
 * and unknowns. */
#include "structure/plan/planner.h"

enum { LISTED = 10 };

Span report_var_span(const Dae *d, VarId v)
{
    for (int depth = 0; depth < 16; depth++) {
        const DaeVar *x = &d->vars.at[v];
        if (x->flat != NONE && d->flat)
            return d->flat->vars.at[x->flat].span;
        if (x->base == NONE)
            break;
        v = x->base;
    }
    return (Span){0};
}

void report_equations(Dae *d, const EqId *eqs, uint32_t n)
{
    Arena *scratch = arena_new();
    for (uint32_t i = 0; i < n && i < LISTED; i++) {
        const DaeEq *q = &d->eqs.at[eqs[i]];
        if (q->origin == DAE_EQ_WHEN && q->target != NONE) /* its conditions have no names */
            diag_note(d->ctx, q->span, "%s gets its value in this when-clause",
                      dae_var_name(d, q->target, scratch));
        else
            diag_note(d->ctx, q->span, "%s%s", dae_eq_print(d, eqs[i], scratch),
                      q->origin == DAE_EQ_DERIVED ? "  (differentiated)" : "");
    }
    if (n > LISTED)
        diag_note(d->ctx, (Span){0}, "and %u more equations", n - LISTED);
    arena_free(scratch);
}

/* "a, b, c and 25 more" */
static char *list_vars(const Dae *d, const VarId *vars, uint32_t n, Arena *arena)
{
    char *text = arena_copy(arena, "", 0);
    for (uint32_t i = 0; i < n && i < LISTED; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", dae_var_name(d, vars[i], arena));
    if (n > LISTED)
        text = arena_printf(arena, "%s and %u more", text, n - LISTED);
    return text;
}

typedef struct Part {
    VEC(EqId) eqs;
    VEC(VarId) vars;
} Part;

static void collect(Part *part, uint8_t which, const Incidence *a, const uint8_t *eq_part,
                    const uint8_t *var_part, const EqId *eqs, const VarId *vars)
{
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (eq_part[e] == which)
            vec_push(&part->eqs, eqs[e]);
    for (uint32_t v = 0; v < a->n_vars; v++)
        if (var_part[v] == which)
            vec_push(&part->vars, vars[v]);
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static void report_over(Dae *d, const Part *part, DiagCode code, const char *where, Arena *scratch)
{
    uint32_t n = part->eqs.n, m = part->vars.n;
    Span span = d->eqs.at[part->eqs.at[0]].span;
    if (m == 0)
        diag(d->ctx, span, code,
             "too many equations in %s: %u equation%s with no unknown left to determine", where, n,
             plural(n));
    else
        diag(d->ctx, span, code,
             "too many equations in %s: %u equation%s for only %u unknown%s (%s)", where, n,
             plural(n), m, plural(m), list_vars(d, part->vars.at, m, scratch));
    report_equations(d, part->eqs.at, n);
}

static void report_under(Dae *d, const Part *part, DiagCode code, const char *where, Arena *scratch)
{
    uint32_t n = part->eqs.n, m = part->vars.n;
    diag(d->ctx, report_var_span(d, part->vars.at[0]), code,
         "too few equations in %s: %u unknown%s (%s) but only %u equation%s that contain%s them",
         where, m, plural(m), list_vars(d, part->vars.at, m, scratch), n, plural(n),
         n == 1 ? "s" : "");
    report_equations(d, part->eqs.at, n);
}

void report_singular(Dae *d, const Incidence *a, const uint32_t *match, const EqId *eqs,
                     const VarId *vars, const char *where)
{
    Arena *scratch = arena_new();
    uint8_t *eq_part = memory_alloc((size_t)a->n_eqs + 1),
            *var_part = memory_alloc((size_t)a->n_vars + 1);
    Part over = {0}, under = {0};
    structure_parts(a, match, eq_part, var_part);
    collect(&over, 1, a, eq_part, var_part, eqs, vars);
    collect(&under, 2, a, eq_part, var_part, eqs, vars);
    bool both = over.eqs.n > 0 && under.vars.n > 0;
    if (over.eqs.n > 0)
        report_over(d, &over, both ? DIAG_T001 : DIAG_T002, where, scratch);
    if (under.vars.n > 0)
        report_under(d, &under, both ? DIAG_T001 : DIAG_T003, where, scratch);
    vec_free(&over.eqs);
    vec_free(&over.vars);
    vec_free(&under.eqs);
    vec_free(&under.vars);
    memory_free(eq_part);
    memory_free(var_part);
    arena_free(scratch);
}

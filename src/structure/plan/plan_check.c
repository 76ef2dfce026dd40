/* The contract of the plan, as code. */
#include "structure/plan/planner.h"

typedef struct Check {
    const Plan *p;
    const Dae *d;
    Arena *arena;
    uint8_t *known;    /* per variable: has a value at this point of the sequence */
    uint8_t *computed; /* per variable: by a block of this sequence */
    const char *what;  /* name of the sequence */
    bool at_start;     /* initial() is true in it */
    const char *breach;
} Check;

static bool fail(Check *c, uint32_t block, const char *format, VarId v)
{
    if (!c->breach) {
        const char *name = v < c->d->vars.n ? dae_var_name(c->d, v, c->arena) : "?";
        const char *text = arena_printf(c->arena, "%s: %s", format, name);
        c->breach = arena_printf(c->arena, "%s, block %u: %s", c->what, block, text);
    }
    return false;
}

static bool operands_known(Check *c, uint32_t b, EqId e, VarId except)
{
    if (e >= c->d->eqs.n)
        return fail(c, b, "equation out of range", NONE);
    Term t = c->d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(c->d, t, k);
        bool ready = v == except || c->known[v] ||
                     (c->at_start && !symbolic_depends(c->d->symbolic, shape_at_start(c->d, t), k));
        if (!ready)
            return fail(c, b, "used before it is computed", v);
    }
    return true;
}

static bool compute(Check *c, uint32_t b, VarId v)
{
    if (v >= c->d->vars.n)
        return fail(c, b, "variable out of range", NONE);
    if (c->d->vars.at[v].alias != NONE)
        return fail(c, b, "an alias is computed", v);
    if (c->computed[v])
        return fail(c, b, "computed twice", v);
    c->computed[v] = c->known[v] = 1;
    return true;
}

static bool check_step(Check *c, uint32_t b, const PlanStep *s)
{
    if (s->eq >= c->d->eqs.n)
        return fail(c, b, "equation out of range", NONE);
    bool as_it_stands = c->d->eqs.at[s->eq].target == s->var;
    if (as_it_stands != (s->value == EXPR_NONE))
        return fail(c, b, "target form and solved form do not agree", s->var);
    return operands_known(c, b, s->eq, as_it_stands ? NONE : s->var);
}

/* Inside a mixed block discrete unknowns are iterated: they count as known. */
static bool enter_iterated(Check *c, uint32_t b, const PlanBlock *x)
{
    for (uint32_t i = 0; i < x->n_torn; i++)
        if (!compute(c, b, c->p->torn.at[x->torn + i].var))
            return false;
    for (uint32_t i = 0; i < x->n_discrete; i++)
        if (!compute(c, b, c->p->steps.at[x->discrete + i].var))
            return false;
    return true;
}

static bool check_shape(Check *c, uint32_t b, const PlanBlock *x)
{
    if ((uint64_t)x->step + x->n_steps > c->p->steps.n ||
        (uint64_t)x->torn + x->n_torn > c->p->torn.n ||
        (uint64_t)x->discrete + x->n_discrete > c->p->steps.n)
        return fail(c, b, "steps out of range", NONE);
    if (x->kind == BLOCK_EXPLICIT && (x->n_steps != 1 || x->n_torn || x->n_discrete || x->mixed))
        return fail(c, b, "an explicit block is one step", NONE);
    if (x->mixed != (x->n_discrete > 0))
        return fail(c, b, "mixed without discrete unknowns, or the reverse", NONE);
    if (x->kind != BLOCK_EXPLICIT && !x->mixed && !x->n_torn)
        return fail(c, b, "a block with nothing to iterate", NONE);
    return true;
}

static bool check_block(Check *c, uint32_t b)
{
    const PlanBlock *x = &c->p->blocks.at[b];
    if (!check_shape(c, b, x) || !enter_iterated(c, b, x))
        return false;
    for (uint32_t i = 0; i < x->n_steps; i++) {
        const PlanStep *s = &c->p->steps.at[x->step + i];
        if (!check_step(c, b, s) || !compute(c, b, s->var))
            return false;
    }
    for (uint32_t i = 0; i < x->n_torn; i++)
        if (!operands_known(c, b, c->p->torn.at[x->torn + i].eq, NONE))
            return false;
    for (uint32_t i = 0; i < x->n_discrete; i++)
        if (!check_step(c, b, &c->p->steps.at[x->discrete + i]))
            return false;
    return true;
}

static bool check_sequence(Check *c, PlanSequence s)
{
    if ((uint64_t)s.block + s.n_blocks > c->p->blocks.n)
        return fail(c, s.block, "blocks out of range", NONE);
    memset(c->computed, 0, c->d->vars.n);
    for (uint32_t b = s.block; b < s.block + s.n_blocks; b++)
        if (!check_block(c, b))
            return false;
    return true;
}

/* Known before a sequence: variables that no block of it computes and that are not unknowns by
 * their kind. */
static void set_known(Check *c, bool states, const PlanSequence *own)
{
    for (VarId v = 0; v < c->d->vars.n; v++) {
        uint8_t kind = c->d->vars.at[v].kind;
        c->known[v] = !var_is_real(c->d, v) && kind != DAE_DISCRETE && kind != DAE_RELATION &&
                      kind != DAE_FOLLOWING;
    }
    for (uint32_t i = 0; states && i < c->p->states.n; i++)
        c->known[c->p->states.at[i].var] = 1;
    for (uint32_t b = own->block; b < own->block + own->n_blocks; b++) {
        const PlanBlock *x = &c->p->blocks.at[b];
        for (uint32_t i = 0; i < x->n_steps; i++)
            c->known[c->p->steps.at[x->step + i].var] = 0;
    }
}

static bool check_complete(Check *c)
{
    for (VarId v = 0; v < c->d->vars.n; v++) {
        const DaeVar *x = &c->d->vars.at[v];
        bool unknown = x->kind == DAE_CONTINUOUS || x->kind == DAE_DISCRETE ||
                       x->kind == DAE_RELATION || x->kind == DAE_FOLLOWING;
        if (unknown && x->alias == NONE && !c->known[v])
            return fail(c, 0, "never computed", v);
    }
    for (uint32_t i = 0; i < c->p->states.n; i++)
        if (!c->known[c->p->states.at[i].der])
            return fail(c, 0, "derivative of a state is not known", c->p->states.at[i].der);
    return true;
}

static bool check_colours(Check *c)
{
    const PlanJacobian *j = &c->p->jacobian;
    uint32_t n = c->p->states.n;
    if (!j->col_ptr)
        return true;
    uint32_t *last = memory_alloc(
        ((size_t)n + 1) * sizeof *last); /* per row: last column of the colour at work, + 1 */
    uint32_t *start = memory_alloc(((size_t)j->n_colours + 2) * sizeof *start);
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order);
    bool ok = true;
    for (uint32_t k = 0; k < n; k++) {
        ok &= j->colour[k] < j->n_colours;
        if (ok)
            start[j->colour[k] + 2]++;
    }
    for (uint32_t k = 0; ok && k < j->n_colours; k++)
        start[k + 1] += start[k];
    for (uint32_t k = 0; ok && k < n; k++)
        order[start[j->colour[k] + 1]++] = k;
    for (uint32_t k = 0; ok && k < n; k++)
        for (uint32_t i = j->col_ptr[order[k]]; i < j->col_ptr[order[k] + 1]; i++) {
            uint32_t seen = last[j->row[i]];
            ok &= !seen || j->colour[seen - 1] != j->colour[order[k]];
            last[j->row[i]] = order[k] + 1;
        }
    memory_free(last);
    memory_free(start);
    memory_free(order);
    return ok || fail(c, 0, "columns of one colour share a row", NONE);
}

/* Columns of an operand have different colours; dense operands come before. */
static bool check_dense(Check *c)
{
    const PlanDense *d = c->p->jacobian.dense;
    bool ok = true;
    for (uint32_t i = 0; d && i < d->n_vars; i++)
        for (uint32_t k = d->vars[i].term; k < d->vars[i].term + d->vars[i].n_terms; k++) {
            const PlanDenseTerm *x = &d->terms[k];
            ok &= x->dense == NONE || x->dense < i;
            for (uint32_t a = 0; a < x->n_columns; a++)
                for (uint32_t b = 0; b < a; b++)
                    ok &= d->colour[d->columns[x->column + a]] !=
                          d->colour[d->columns[x->column + b]];
        }
    return ok || fail(c, 0, "columns of one colour share an operand", NONE);
}

const char *plan_check(const Plan *p, Arena *arena)
{
    Check c = {.p = p, .d = p->dae, .arena = arena};
    c.known = memory_alloc((size_t)p->dae->vars.n + 1);
    c.computed = memory_alloc((size_t)p->dae->vars.n + 1);
    c.what = "parameters";
    set_known(&c, false, &p->parameters);
    bool ok = check_sequence(&c, p->parameters);
    c.what = "initial sequence";
    c.at_start = true;
    set_known(&c, false, &p->initial);
    ok = ok &&
         (p->inlined.n || p->no_start || (check_sequence(&c, p->initial) && check_complete(&c)));
    c.what = "main sequence";
    c.at_start = false;
    set_known(&c, true, &p->main);
    ok = ok && check_sequence(&c, p->main) && check_complete(&c);
    c.what = "Jacobian";
    ok = ok && check_colours(&c) && check_dense(&c);
    memory_free(c.known);
    memory_free(c.computed);
    return c.breach;
}

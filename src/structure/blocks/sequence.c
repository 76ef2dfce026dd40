/* From a matched system to blocks of the plan: sorting, classification, mixed blocks.
 *
 * In: System with a complete matching. Out: blocks appended to the plan, each after those it
 * depends on. Blocks of one level of dependency are ordered by shape and index of their first
 * equation. So runs of similar equations can be emitted as loops. */
#include "structure/blocks/blocks.h"

#include <stdlib.h>

/* The key by which equations are grouped: the shape. Results of one call, whose fields and elements
 * are separate equations, have the call as their key. */
static ExprId kinship(const Graph *g, ExprId shape)
{
    bool sum = expr_op(g, shape) == OP_ADD;
    for (uint32_t i = 0; i < (sum ? expr_n(g, shape) : 1); i++) {
        ExprId e = sum ? expr_arg(g, shape, i) : shape;
        if (expr_op(g, e) == OP_NEG)
            e = expr_arg(g, e, 0);
        bool part = false;
        for (ExprOp op; (op = expr_op(g, e)) == OP_FIELD || op == OP_OUT || op == OP_INDEX;
             part = true)
            e = expr_arg(g, e, 0);
        if (part && expr_op(g, e) == OP_CALL)
            return e;
    }
    return shape;
}

typedef struct BlockPlace { /* of a strong component in the final order */
    uint32_t level, shape, eq, component;
} BlockPlace;

static int by_place(const void *a, const void *b)
{
    const BlockPlace *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->eq > y->eq) - (x->eq < y->eq);
}

/* Longest chain of components below each; components come in order of dependency. */
static BlockPlace *place_components(const Planner *p, const System *s, const uint32_t *order,
                                    const uint32_t *start, uint32_t n)
{
    /* per column */
    uint32_t *component_of = memory_alloc(((size_t)s->vars.n + 1) * sizeof *component_of);
    BlockPlace *places = memory_alloc(((size_t)n + 1) * sizeof *places);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = start[c]; i < start[c + 1]; i++)
            component_of[s->match[order[i]]] = c;
    for (uint32_t c = 0; c < n; c++) {
        EqId first = s->eqs.at[order[start[c]]];
        places[c] = (BlockPlace){.shape = kinship(p->dae->g, p->dae->eqs.at[first].term.shape),
                                 .eq = first,
                                 .component = c};
        for (uint32_t i = start[c]; i < start[c + 1]; i++)
            for (uint32_t k = s->a.ptr[order[i]]; k < s->a.ptr[order[i] + 1]; k++) {
                uint32_t below = component_of[s->a.var[k]];
                if (below != c && places[below].level >= places[c].level)
                    places[c].level = places[below].level + 1;
            }
    }
    memory_free(component_of);
    return places;
}

/* ---- linearity ---- */

/* Discrete variables and relations keep their values between events. */
static bool changes_at_events(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->kind == DAE_DISCRETE || x->kind == DAE_RELATION || x->kind == DAE_HELD ||
           (x->kind == DAE_PRE && d->vars.at[x->base].kind == DAE_DISCRETE);
}

typedef enum BlockLinear {
    COEFFICIENTS_CONSTANT,
    COEFFICIENTS_DISCRETE,
    COEFFICIENTS_KNOWN,
    NOT_LINEAR
} BlockLinear;

/* Classifies a coefficient in term t: constant, free of the block's real unknowns (marked in
 * p->local), or not free. */
static BlockLinear coefficient_kind(const Planner *p, const System *s, Term t, ExprId coefficient)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(p->dae->symbolic, coefficient, &n);
    BlockLinear kind = COEFFICIENTS_CONSTANT;
    for (uint32_t i = 0; i < n; i++) {
        VarId v = dae_op(p->dae, t, holes[i]);
        if (s->col[v] != NONE && p->local[s->col[v]] != NONE)
            return NOT_LINEAR;
        if (!system_constant(s, p->dae, v) && kind != COEFFICIENTS_KNOWN)
            kind = changes_at_events(p->dae, v) ? COEFFICIENTS_DISCRETE : COEFFICIENTS_KNOWN;
    }
    return kind;
}

static BlockLinear row_linearity(const Planner *p, const System *s, EqId e)
{
    Term t = p->dae->eqs.at[e].term;
    BlockLinear worst = COEFFICIENTS_CONSTANT;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(p->dae, t, k);
        if (s->col[v] == NONE || p->local[s->col[v]] == NONE)
            continue;
        Linearity l = symbolic_linearity(p->dae->symbolic, t.shape, k);
        if (l == LINEAR_NOT)
            return NOT_LINEAR;
        if (l != LINEAR_VARYING)
            continue;
        ExprId c = symbolic_diff(p->dae->symbolic, t.shape, k);
        BlockLinear kind = c == EXPR_NONE ? NOT_LINEAR : coefficient_kind(p, s, t, c);
        worst = kind > worst ? kind : worst;
        if (worst == NOT_LINEAR)
            return worst;
    }
    return worst;
}

static BlockLinear block_linearity(Planner *p, const System *s, const uint32_t *rows, uint32_t n)
{
    BlockLinear worst = COEFFICIENTS_CONSTANT;
    for (uint32_t i = 0; i < n; i++)
        p->local[s->match[rows[i]]] = i;
    for (uint32_t i = 0; i < n && worst != NOT_LINEAR; i++) {
        BlockLinear kind = row_linearity(p, s, s->eqs.at[rows[i]]);
        worst = kind > worst ? kind : worst;
    }
    for (uint32_t i = 0; i < n; i++)
        p->local[s->match[rows[i]]] = NONE;
    return worst;
}

/* ---- blocks ---- */

static void classify(Planner *p, const System *s, const uint32_t *rows, uint32_t n, PlanBlock *b)
{
    BlockLinear kind = block_linearity(p, s, rows, n);
    b->kind = kind == NOT_LINEAR ? BLOCK_NONLINEAR : BLOCK_LINEAR;
    b->constant_jacobian = kind == COEFFICIENTS_CONSTANT;
    b->steady_jacobian = kind == COEFFICIENTS_DISCRETE;
}

static void add_explicit(Planner *p, PlanStep step)
{
    PlanBlock b = {.kind = BLOCK_EXPLICIT, .step = p->plan->steps.n, .n_steps = 1};
    b.torn = p->plan->torn.n;
    vec_push(&p->plan->steps, step);
    b.discrete = p->plan->steps.n;
    vec_push(&p->plan->blocks, b);
}

/* A block in closed form. */
static void add_solved(Planner *p, const Torn *t)
{
    PlanSolved x = {
        .block = p->plan->blocks.n, .n_torn = t->torn.n, .n_steps = t->steps.n - t->torn.n};
    for (uint32_t i = 0; i < t->steps.n; i++)
        add_explicit(p, t->steps.at[i]);
    vec_push(&p->plan->solved, x);
}

/* Real equations, torn; the discrete ones of a mixed block follow. */
static void add_torn(Planner *p, const System *s, const uint32_t *rows, uint32_t n,
                     const PlanStep *discrete, uint32_t n_discrete)
{
    Plan *plan = p->plan;
    PlanBlock b = {.kind = BLOCK_LINEAR, .step = plan->steps.n, .torn = plan->torn.n};
    Torn t = {0};
    tearing_run(p, s, rows, n, &t);
    classify(p, s, rows, n, &b);
    if (n_discrete == 0 && b.constant_jacobian && eliminate_run(p, s, &t)) {
        add_solved(p, &t);
        vec_free(&t.steps);
        vec_free(&t.torn);
        return;
    }
    for (uint32_t i = 0; i < t.steps.n; i++)
        vec_push(&plan->steps, t.steps.at[i]);
    for (uint32_t i = 0; i < t.torn.n; i++)
        vec_push(&plan->torn, t.torn.at[i]);
    b.n_steps = t.steps.n;
    b.n_torn = t.torn.n;
    b.mixed = n_discrete > 0;
    b.discrete = plan->steps.n;
    b.n_discrete = n_discrete;
    for (uint32_t i = 0; i < n_discrete; i++)
        vec_push(&plan->steps, discrete[i]);
    vec_push(&plan->blocks, b);
    vec_free(&t.steps);
    vec_free(&t.torn);
}

/* A divisor that switches: it has branches or discrete operands, and may be zero in one of them. */
static bool divisor_switches(const Planner *p, Term t, ExprId divisor)
{
    const Dae *d = p->dae;
    uint32_t n;
    const uint32_t *holes = symbolic_holes(d->symbolic, divisor, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t kind = d->vars.at[dae_op(d, t, holes[i])].kind;
        if (kind == DAE_DISCRETE || kind == DAE_RELATION || kind == DAE_PRE || kind == DAE_SAMPLE ||
            kind == DAE_INITIAL || kind == DAE_TERMINAL || kind == DAE_INPUT || kind == DAE_HELD ||
            d->vars.at[dae_op(d, t, holes[i])].type == DAE_BOOL)
            return true;
    }
    return expr_op(d->g, divisor) == OP_IF;
}

/* One real equation, one real unknown. */
static void add_single(Planner *p, const System *s, uint32_t row)
{
    Dae *d = p->dae;
    EqId e = s->eqs.at[row];
    VarId v = s->vars.at[s->match[row]];
    PlanStep step;
    if (tearing_solve(p, s, e, v, &step)) {
        add_explicit(p, step);
        return;
    }
    Term t = d->eqs.at[e].term;
    uint32_t hole = 0;
    while (hole < t.n && dae_op(d, t, hole) != v)
        hole++;
    Solution sol = {.kind = SOLVE_NO};
    if (hole < t.n && d->eqs.at[e].target == NONE)
        sol = symbolic_solve(d->symbolic, t.shape, hole);
    bool constant = true;
    for (uint32_t k = 0; k < t.n && sol.kind == SOLVE_DIVIDE; k++)
        constant &= !symbolic_depends(d->symbolic, sol.divisor, k) ||
                    system_constant(s, d, dae_op(d, t, k));
    if (sol.kind == SOLVE_INVERSE ||
        (sol.kind == SOLVE_DIVIDE && !constant && !divisor_switches(p, t, sol.divisor)))
        add_explicit(
            p, (PlanStep){e, v, sol.value, sol.kind == SOLVE_DIVIDE ? sol.divisor : EXPR_NONE});
    else
        add_torn(p, s, &row, 1, NULL, 0);
}

/* ---- discrete parts ---- */

static bool depends_on_itself(const Dae *d, EqId e)
{
    const DaeEq *q = &d->eqs.at[e];
    for (uint32_t k = 0; k < q->term.n; k++)
        if (dae_op(d, q->term, k) == q->target)
            return true;
    return false;
}

/* Sorts some rows, which have their unknowns among themselves: their order, and the places in it at
 * which loops begin. If `known`, relations are not unknowns. Returns the number of loops. */
static uint32_t sort_rows(Planner *p, const System *s, const uint32_t *rows, uint32_t n, bool known,
                          uint32_t *order, uint32_t *start)
{
    Incidence a = {.n_eqs = n, .n_vars = n};
    VEC(uint32_t) entries = {0};
    uint32_t *match = memory_alloc(((size_t)n + 1) * sizeof *match);
    a.ptr = memory_alloc(((size_t)n + 1) * sizeof *a.ptr);
    for (uint32_t i = 0; i < n; i++)
        p->local[s->match[rows[i]]] = match[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = s->a.ptr[rows[i]]; k < s->a.ptr[rows[i] + 1]; k++) {
            uint32_t column = s->a.var[k];
            bool relation = known && p->dae->vars.at[s->vars.at[column]].kind == DAE_RELATION;
            if (p->local[column] != NONE && (!relation || p->local[column] == i))
                vec_push(&entries, p->local[column]);
        }
        a.ptr[i + 1] = entries.n;
    }
    a.var = entries.at;
    uint32_t n_loops = structure_sort(&a, match, order, start);
    for (uint32_t i = 0; i < n; i++)
        p->local[s->match[rows[i]]] = NONE;
    memory_free(match);
    memory_free(a.ptr);
    vec_free(&entries);
    return n_loops;
}

/* A loop through when-equations with different conditions, or through a when-equation and another
 * one, is a deadlock. If the inlined integrator closes the loop, it is not, because its results do
 * not change at an instant. */
static bool report_loop(Planner *p, const System *s, const uint32_t *rows, uint32_t n)
{
    Dae *d = p->dae;
    EqId when = NONE;
    bool others = false;
    for (uint32_t i = 0; i < n; i++) {
        if (d->eqs.at[s->eqs.at[rows[i]]].origin != DAE_EQ_WHEN)
            others |= !equation_connects(d, s->eqs.at[rows[i]]);
        else if (when == NONE)
            when = s->eqs.at[rows[i]];
    }
    if (when == NONE || p->plan->inlined.n)
        return false;
    others = others || !conditions_same(p, s, rows, n, when);
    if (!others)
        return false;
    VEC(EqId) eqs = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&eqs, s->eqs.at[rows[i]]);
    diag(d->ctx, d->eqs.at[when].span, DIAG_T005,
         "algebraic loop between when-clauses: %u equations that are not all active at once depend "
         "on each other; break the loop with pre()",
         n);
    report_equations(d, eqs.at, eqs.n);
    vec_free(&eqs);
    return true;
}

/* Whether the equation belongs to a when-clause that may be active or not. At the start initial()
 * decides, so that the equation is an ordinary one. */
static bool is_conditional(const Dae *d, const System *s, uint32_t row)
{
    const DaeEq *e = &d->eqs.at[s->eqs.at[row]];
    return e->origin == DAE_EQ_WHEN &&
           !(s->at_start && shape_at_start(d, e->term) != e->term.shape);
}

/* A loop that relations close is no deadlock: the event iteration finds their values. */
static bool report_deadlock(Planner *p, const System *s, const uint32_t *rows, uint32_t n)
{
    bool when = false, reported = false;
    for (uint32_t i = 0; i < n; i++)
        when |= is_conditional(p->dae, s, rows[i]);
    if (!when)
        return false;
    uint32_t *work = memory_alloc(((size_t)n * 3 + 3) * sizeof *work);
    uint32_t *order = work, *start = work + n + 1, *loop = work + 2 * (size_t)n + 2;
    uint32_t n_loops = sort_rows(p, s, rows, n, true, order, start);
    for (uint32_t c = 0; c < n_loops && !reported; c++) {
        uint32_t size = start[c + 1] - start[c];
        for (uint32_t i = 0; i < size; i++)
            loop[i] = rows[order[start[c] + i]];
        reported = size > 1 && report_loop(p, s, loop, size);
    }
    memory_free(work);
    return reported;
}

/* Discrete equations of a block in order, as if the real unknowns were known; loops among them keep
 * the order of the source. */
static void discrete_steps(Planner *p, const System *s, const uint32_t *rows, uint32_t n,
                           PlanStep *out)
{
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order);
    uint32_t *start = memory_alloc(((size_t)n + 1) * sizeof *start);
    sort_rows(p, s, rows, n, false, order, start);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (PlanStep){.eq = s->eqs.at[rows[order[i]]],
                            .var = s->vars.at[s->match[rows[order[i]]]]};
    memory_free(order);
    memory_free(start);
}

/* A Real that a when-equation defines, or a left limit of the start. In a loop of such equations it
 * is an ordinary unknown. */
static bool is_discrete_real(const Planner *p, const System *s, uint32_t row)
{
    const DaeVar *v = &p->dae->vars.at[s->vars.at[s->match[row]]];
    return v->type == DAE_REAL && (p->dae->eqs.at[s->eqs.at[row]].origin == DAE_EQ_WHEN ||
                                   (s->at_start && v->kind == DAE_PRE));
}

/* Moves rows of following unknowns and of discrete Reals, which are computed together with the
 * real ones, before those of discrete ones. Returns how many are not discrete. rows ascend, so
 * that the real ones come first. */
static uint32_t continuous_rows(const Planner *p, const System *s, uint32_t *rows, uint32_t n)
{
    uint32_t n_first = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        if (row >= s->n_real && !is_discrete_real(p, s, row) &&
            p->dae->vars.at[s->vars.at[s->match[row]]].kind != DAE_FOLLOWING)
            continue;
        memmove(rows + n_first + 1, rows + n_first, (i - n_first) * sizeof *rows);
        rows[n_first++] = row;
    }
    return n_first;
}

static bool add_component(Planner *p, const System *s, uint32_t *rows, uint32_t n)
{
    uint32_t n_real = continuous_rows(p, s, rows, n), n_discrete = n - n_real;
    if (n == 1 && rows[0] < s->n_real) {
        add_single(p, s, rows[0]);
        return true;
    }
    if (n == 1 && !depends_on_itself(p->dae, s->eqs.at[rows[0]])) {
        add_explicit(p, (PlanStep){.eq = s->eqs.at[rows[0]], .var = s->vars.at[s->match[rows[0]]]});
        return true;
    }
    if (n > 1 && report_deadlock(p, s, rows, n))
        return false;
    PlanStep *discrete = memory_alloc(((size_t)n_discrete + 1) * sizeof *discrete);
    discrete_steps(p, s, rows + n_real, n_discrete, discrete);
    add_torn(p, s, rows, n_real, discrete, n_discrete);
    memory_free(discrete);
    return true;
}

bool sequence_build(Planner *p, System *s, PlanSequence *out)
{
    uint32_t n = s->eqs.n;
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order);
    uint32_t *start = memory_alloc(((size_t)n + 1) * sizeof *start);
    bool ok = true;
    system_incidence(s, p->dae, false);
    p->local = memory_alloc(((size_t)s->vars.n + 1) * sizeof *p->local);
    for (uint32_t i = 0; i < s->vars.n; i++)
        p->local[i] = NONE;
    uint32_t n_components = structure_sort(&s->a, s->match, order, start);
    BlockPlace *places = place_components(p, s, order, start, n_components);
    qsort(places, n_components, sizeof *places, by_place);
    out->block = p->plan->blocks.n;
    for (uint32_t i = 0; i < n_components; i++) {
        uint32_t c = places[i].component;
        ok &= add_component(p, s, order + start[c], start[c + 1] - start[c]);
    }
    out->n_blocks = p->plan->blocks.n - out->block;
    memory_free(order);
    memory_free(start);
    memory_free(places);
    memory_free(p->local);
    p->local = NULL;
    return ok;
}

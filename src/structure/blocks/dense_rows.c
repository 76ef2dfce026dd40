/* Rows of the Jacobian that depend on many columns, such as the balance of a supply with many
 * consumers. By colours, each column of such a row needs a tangent of its own. Instead, the row is
 * added up from the tangents of the operands of its equation, most of which depend on few columns.
 *
 * In: the explicit steps with wide sets of columns, in their order. Out: PlanJacobian.dense, if it
 * saves most of the tangents. It is not available if a torn block depends on many columns. */
#include "structure/blocks/blocks.h"

enum {
    WIDE = 32 /* columns */,
    MOST_HOLES = 64 /* of a part that is not a sum */,
    SAVED = 2,
    LARGEST = 8 /* work, in entries of the Jacobian */
};

/* A part of a sum, and its slope: the derivative of the sum by it. */
typedef struct Part {
    ExprId e, slope;
} Part;

struct DenseRows {
    Depend *w;
    Plan *p;
    bool possible;
    uint32_t *number; /* per variable: of dense ones, + 1 */
    VEC(PlanDenseVar) vars;
    VEC(PlanDenseTerm) terms;
    VEC(Part) parts; /* still to be looked at */
};

DenseRows *dense_rows_new(Depend *w, Plan *p)
{
    DenseRows *r = memory_alloc(sizeof *r);
    *r = (DenseRows){.w = w, .p = p, .possible = true};
    r->number = memory_alloc(((size_t)w->d->vars.n + 1) * sizeof *r->number);
    return r;
}

void dense_rows_free(DenseRows *r)
{
    memory_free(r->number);
    vec_free(&r->vars);
    vec_free(&r->terms);
    vec_free(&r->parts);
    memory_free(r);
}

static ColumnSet columns_of(const DenseRows *r, Term t, uint32_t hole)
{
    return r->w->of[dae_op(r->w->d, t, hole)];
}

/* Holes of e whose operands depend on a column. */
static uint32_t n_active(const DenseRows *r, Term t, ExprId e)
{
    uint32_t n, active = 0;
    const uint32_t *holes = symbolic_holes(r->w->d->symbolic, e, &n);
    for (uint32_t k = 0; k < n; k++)
        active += columns_of(r, t, holes[k]).n > 0;
    return active;
}

static void add_term(DenseRows *r, Term t, uint32_t hole, ExprId slope)
{
    Graph *g = r->w->d->g;
    VarId v = dae_op(r->w->d, t, hole);
    PlanDenseTerm x = {.operand = v, .dense = NONE, .slope = slope};
    if (expr_is_literal(g, slope)) {
        x.factor = expr_real_value(g, slope);
        x.slope = EXPR_NONE;
    }
    if (r->number[v])
        x.dense = r->number[v] - 1;
    vec_push(&r->terms, x);
}

/* A part that is no sum: by its derivatives. */
static bool add_derivatives(DenseRows *r, Term t, Part part)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(r->w->d->symbolic, part.e, &n);
    if (n > MOST_HOLES)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (columns_of(r, t, holes[k]).n == 0)
            continue;
        ExprId d = symbolic_diff(r->w->d->symbolic, part.e, holes[k]);
        if (d == EXPR_NONE)
            return false;
        add_term(r, t, holes[k], expr_mul(r->w->d->g, part.slope, d));
        holes = symbolic_holes(r->w->d->symbolic, part.e, &n);
    }
    return true;
}

/* The one factor of a product that depends on columns; false if there are several. */
static bool push_product(DenseRows *r, Term t, Part part)
{
    Graph *g = r->w->d->g;
    Part next = {EXPR_NONE, part.slope};
    for (uint32_t i = 0; i < expr_n(g, part.e); i++) {
        ExprId a = expr_arg(g, part.e, i);
        if (!n_active(r, t, a))
            next.slope = expr_mul(g, next.slope, a);
        else if (next.e != EXPR_NONE)
            return false;
        else
            next.e = a;
    }
    vec_push(&r->parts, next);
    return true;
}

static bool add_part(DenseRows *r, Term t, Part part)
{
    Graph *g = r->w->d->g;
    ExprOp op = expr_op(g, part.e);
    if (op == OP_HOLE) {
        if (columns_of(r, t, expr_index(g, part.e)).n > 0)
            add_term(r, t, expr_index(g, part.e), part.slope);
        return true;
    }
    if (!n_active(r, t, part.e))
        return true;
    if (op == OP_ADD) {
        for (uint32_t i = 0; i < expr_n(g, part.e); i++)
            vec_push(&r->parts, ((Part){expr_arg(g, part.e, i), part.slope}));
        return true;
    }
    if (op == OP_NEG) {
        vec_push(&r->parts, ((Part){expr_arg(g, part.e, 0), expr_neg(g, part.slope)}));
        return true;
    }
    if (op == OP_DIV && !n_active(r, t, expr_arg(g, part.e, 1))) {
        ExprId slope = expr_div(g, part.slope, expr_arg(g, part.e, 1));
        vec_push(&r->parts, ((Part){expr_arg(g, part.e, 0), slope}));
        return true;
    }
    return (op == OP_MUL && push_product(r, t, part)) || add_derivatives(r, t, part);
}

static bool add_variable(DenseRows *r, const PlanStep *step)
{
    Term t = r->w->d->eqs.at[step->eq].term;
    PlanDenseVar x = {.var = step->var, .eq = step->eq, .term = r->terms.n};
    vec_clear(&r->parts);
    vec_push(&r->parts,
             ((Part){step->value != EXPR_NONE ? step->value : t.shape, expr_real(r->w->d->g, 1)}));
    while (r->parts.n) {
        Part part = r->parts.at[--r->parts.n];
        if (!add_part(r, t, part))
            return false;
    }
    x.n_terms = r->terms.n - x.term;
    vec_push(&r->vars, x);
    r->number[step->var] = r->vars.n;
    return true;
}

void dense_rows_note(DenseRows *r, const PlanBlock *b, ColumnSet columns)
{
    if (!r->possible || columns.n <= WIDE)
        return;
    const PlanStep *step = &r->p->steps.at[b->step];
    r->possible = b->n_torn == 0 && b->n_steps == 1 && b->n_discrete == 0 &&
                  var_is_real(r->w->d, step->var) && add_variable(r, step);
}

/* ---- the plan ---- */

/* Rows to be found by colours: those of the Jacobian that are not dense, and operands. */
static uint32_t narrow_rows(const DenseRows *r, ColumnSet *sets)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->p->states.n; i++)
        if (!r->number[r->p->states.at[i].der])
            sets[n++] = r->w->of[r->p->states.at[i].der];
    for (uint32_t i = 0; i < r->terms.n; i++)
        if (r->terms.at[i].dense == NONE && r->w->of[r->terms.at[i].operand].n > 1)
            sets[n++] = r->w->of[r->terms.at[i].operand];
    return n;
}

static uint64_t work_of(const DenseRows *r)
{
    uint64_t work = (uint64_t)r->vars.n * r->p->states.n;
    for (uint32_t i = 0; i < r->terms.n; i++)
        work += r->terms.at[i].dense == NONE ? r->w->of[r->terms.at[i].operand].n : r->p->states.n;
    return work;
}

static void copy_columns(const DenseRows *r, Arena *arena, PlanDense *d)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->n_terms; i++)
        n += d->terms[i].dense == NONE ? r->w->of[d->terms[i].operand].n : 0;
    uint32_t *columns = ARENA_ARRAY(arena, uint32_t, (size_t)n + 1);
    d->columns = columns;
    n = 0;
    for (uint32_t i = 0; i < d->n_terms; i++) {
        PlanDenseTerm *x = &d->terms[i];
        ColumnSet s = r->w->of[x->operand];
        x->column = n;
        x->n_columns = x->dense == NONE ? s.n : 0;
        for (uint32_t k = 0; k < x->n_columns; k++)
            columns[n++] = r->w->items.at[s.at + k];
    }
}

static PlanDense *build(const DenseRows *r, Arena *arena)
{
    const Plan *p = r->p;
    PlanDense *d = ARENA_NEW(arena, PlanDense);
    d->n_vars = r->vars.n;
    d->vars = ARENA_ARRAY(arena, PlanDenseVar, r->vars.n);
    memcpy(d->vars, r->vars.at, r->vars.n * sizeof *d->vars);
    d->n_terms = r->terms.n;
    d->terms = ARENA_ARRAY(arena, PlanDenseTerm, (size_t)r->terms.n + 1);
    if (r->terms.n)
        memcpy(d->terms, r->terms.at, r->terms.n * sizeof *d->terms);
    d->of_row = ARENA_ARRAY(arena, uint32_t, (size_t)p->states.n + 1);
    for (uint32_t i = 0; i < p->states.n; i++)
        d->of_row[i] = r->number[p->states.at[i].der] ? r->number[p->states.at[i].der] - 1 : NONE;
    copy_columns(r, arena, d);
    return d;
}

void dense_rows_finish(DenseRows *r, PlanJacobian *j)
{
    Plan *p = r->p;
    if (!r->possible || !r->vars.n || !j->col_ptr || j->n_colours <= WIDE ||
        work_of(r) > LARGEST * (uint64_t)j->col_ptr[p->states.n])
        return;
    ColumnSet *sets = memory_alloc(((size_t)p->states.n + r->terms.n + 1) * sizeof *sets);
    uint32_t n_rows = narrow_rows(r, sets);
    Arena *scratch = arena_new();
    PlanJacobian narrow = {0};
    depend_pattern(r->w, sets, n_rows, 0, p->states.n, UINT32_MAX, scratch, &narrow);
    if (SAVED * (uint64_t)narrow.n_colours <= j->n_colours) {
        PlanDense *d = build(r, p->arena);
        d->n_colours = narrow.n_colours;
        d->colour = ARENA_ARRAY(p->arena, uint32_t, (size_t)p->states.n + 1);
        memcpy(d->colour, narrow.colour, p->states.n * sizeof *d->colour);
        j->dense = d;
    }
    arena_free(scratch);
    memory_free(sets);
}

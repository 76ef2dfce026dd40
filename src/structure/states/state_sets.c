/* State sets: states chosen by value (after Mattsson, Olsson and Elmqvist 2000).
 *
 * In: a coupled part of the constraints, with more candidates than equations and varying
 * coefficients. Out: a PlanSet, and in the Dae its slots s (hidden states), its weights w (hidden
 * inputs, 0 or 1), and for each level the equations
 *
 *   s = Σ w*candidate        der(s) = Σ w*der(candidate)
 *
 * All candidates are then ordinary unknowns, and one program serves every choice. The Jacobian of
 * the constraints becomes equations too, so that the model computes it. The host chooses weights
 * by it, and changes them at an event. */
#include "numerics/column_basis.h"
#include "structure/states/states.h"

#include <math.h>

static const double class_factor =
    10; /* the weight of one class of stateSelect against the size of a pivot */
/* of a row's largest coefficient that its own candidates must reach */
static const double own_fraction = 0.1;

void coupled_free(CoupledList *parts)
{
    for (uint32_t i = 0; i < parts->n; i++) {
        vec_free(&parts->at[i].rows);
        vec_free(&parts->at[i].cols);
        vec_free(&parts->at[i].dummies);
    }
    vec_free(parts);
    *parts = (CoupledList){0};
}

/* ---- cutting ---- */

typedef struct Cut {
    const Constraints *c;
    const Coupled *whole;
    uint32_t *part_of_row, *part_of_col; /* per row and column of the constraints; NONE: not yet, or
                                            not of this part */
    bool *mine;                          /* per column of the constraints */
    uint32_t n_parts;
} Cut;

/* Columns of the row that belong to no part yet. */
static uint32_t own_columns(const Cut *w, uint32_t r)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->c->w.rows[r].n; k++) {
        uint32_t j = w->c->w.rows[r].at[k].col;
        n += w->mine[j] && w->part_of_col[j] == NONE;
    }
    return n;
}

/* Whether the row's own columns determine one of them well, at the start values. */
static bool stands_alone(const Cut *w, uint32_t r)
{
    double own = 0, most = 0;
    for (uint32_t k = 0; k < w->c->w.rows[r].n; k++) {
        const PivotEntry *e = &w->c->w.rows[r].at[k];
        if (!w->mine[e->col])
            continue;
        most = fmax(most, fabs(e->value));
        if (w->part_of_col[e->col] == NONE)
            own = fmax(own, fabs(e->value));
    }
    return own_columns(w, r) >= 2 && own >= own_fraction * most;
}

static void relabel(Cut *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < w->whole->rows.n; i++)
        if (w->part_of_row[w->whole->rows.at[i]] == from)
            w->part_of_row[w->whole->rows.at[i]] = to;
    for (uint32_t i = 0; i < w->whole->cols.n; i++)
        if (w->part_of_col[w->whole->cols.at[i]] == from)
            w->part_of_col[w->whole->cols.at[i]] = to;
}

/* Row r joins part `part`, with all parts that it depends on, directly or through their rows. */
static void join(Cut *w, uint32_t r, uint32_t part)
{
    w->part_of_row[r] = part;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < w->whole->rows.n; i++) {
            uint32_t row = w->whole->rows.at[i];
            for (uint32_t k = 0; w->part_of_row[row] == part && k < w->c->w.rows[row].n; k++) {
                uint32_t j = w->c->w.rows[row].at[k].col, other = w->part_of_col[j];
                if (!w->mine[j] || other == part)
                    continue;
                if (other == NONE)
                    w->part_of_col[j] = part;
                else
                    relabel(w, other, part);
                again |= other != NONE;
            }
        }
    }
}

static void take_own(Cut *w, uint32_t r)
{
    for (uint32_t k = 0; k < w->c->w.rows[r].n; k++) {
        uint32_t j = w->c->w.rows[r].at[k].col;
        if (w->mine[j] && w->part_of_col[j] == NONE)
            w->part_of_col[j] = w->n_parts;
    }
    w->part_of_row[r] = w->n_parts;
}

/* The next row: one with at most one column of its own, otherwise the one with fewest. */
static uint32_t next_row(const Cut *w)
{
    uint32_t best = NONE, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < w->whole->rows.n; i++) {
        uint32_t r = w->whole->rows.at[i], n;
        if (w->part_of_row[r] != NONE)
            continue;
        n = own_columns(w, r);
        if (n < fewest) {
            fewest = n;
            best = r;
        }
    }
    return best;
}

static void collect_parts(const Cut *w, CoupledList *out)
{
    for (uint32_t part = 0; part < w->n_parts; part++) {
        Coupled c = {0};
        for (uint32_t i = 0; i < w->whole->rows.n; i++)
            if (w->part_of_row[w->whole->rows.at[i]] == part)
                vec_push(&c.rows, w->whole->rows.at[i]);
        for (uint32_t i = 0; i < w->whole->cols.n; i++)
            if (w->part_of_col[w->whole->cols.at[i]] == part)
                vec_push(&c.cols, w->whole->cols.at[i]);
        if (c.rows.n > 0)
            vec_push(out, c);
    }
}

void stateset_cut(const Constraints *c, CoupledList *parts)
{
    Coupled whole = parts->at[0];
    Cut w = {.c = c, .whole = &whole};
    w.part_of_row = memory_alloc(((size_t)c->w.n_rows + 1) * sizeof *w.part_of_row);
    w.part_of_col = memory_alloc(((size_t)c->w.n_cols + 1) * sizeof *w.part_of_col);
    w.mine = memory_alloc((size_t)c->w.n_cols + 1);
    for (uint32_t i = 0; i < c->w.n_rows; i++)
        w.part_of_row[i] = NONE;
    for (uint32_t j = 0; j < c->w.n_cols; j++)
        w.part_of_col[j] = NONE;
    for (uint32_t i = 0; i < whole.cols.n; i++)
        w.mine[whole.cols.at[i]] = true;
    for (uint32_t r; (r = next_row(&w)) != NONE; w.n_parts++) {
        if (stands_alone(&w, r))
            take_own(&w, r);
        else
            join(&w, r, w.n_parts);
    }
    vec_clear(parts);
    collect_parts(&w, parts);
    memory_free(w.part_of_row);
    memory_free(w.part_of_col);
    memory_free(w.mine);
    vec_free(&whole.rows);
    vec_free(&whole.cols);
    vec_free(&whole.dummies);
}

/* ---- the choice at the start ---- */

static double wish_factor(const Planner *p, const Constraints *c, uint32_t col)
{
    return pow(class_factor, (double)SELECT_DEFAULT - (double)c->class_[col]) *
           p->dae->vars.at[c->tops.at[col]].nominal;
}

bool stateset_choose(const Planner *p, const Constraints *c, Coupled *part)
{
    uint32_t m = part->rows.n, n = part->cols.n;
    double *a = memory_alloc((size_t)m * n * sizeof *a);
    uint32_t *basis = memory_alloc(((size_t)m + 1) * sizeof *basis);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++) {
            const PivotEntry *e = pivots_at(&c->w, part->rows.at[i], part->cols.at[j]);
            a[(size_t)i * n + j] = e ? e->value * wish_factor(p, c, part->cols.at[j]) : 0;
        }
    bool ok = columns_choose(a, m, n, basis, true, 1) != COLUMNS_SINGULAR;
    vec_clear(&part->dummies);
    for (uint32_t i = 0; ok && i < m; i++)
        vec_push(&part->dummies, part->cols.at[basis[i]]);
    memory_free(a);
    memory_free(basis);
    return ok;
}

/* ---- equations ---- */

static void add_equation(Planner *p, ExprId shape, const VarId *ops, uint32_t n, Span span)
{
    Dae *d = p->dae;
    Term t = dae_term(d, shape, ops, n);
    vec_push(&d->eqs, ((DaeEq){.term = t,
                               .target = NONE,
                               .origin = DAE_EQ_SET,
                               .flat_origin = ORIGIN_BINDING,
                               .of = NONE,
                               .der = NONE,
                               .span = span}));
}

static VarId add_var(Planner *p, DaeVarKind kind, uint32_t number, double nominal)
{
    VarId v = dae_hidden_var(p->dae, kind, DAE_REAL);
    p->dae->vars.at[v].detail = DETAIL_SET + number;
    p->dae->vars.at[v].nominal = nominal;
    planner_cover(p);
    if (kind == DAE_CONTINUOUS)
        p->role.at[v] = VAR_ROLE_UNKNOWN;
    return v;
}

/* 0 = slot - Σ weight*candidate, with operands in this order. */
static ExprId slot_shape(Graph *g, uint32_t n)
{
    ExprId sum = expr_leaf(g, OP_HOLE, T_REAL, 0);
    for (uint32_t j = 0; j < n; j++)
        sum = expr_sub(g, sum,
                       expr_mul(g, expr_leaf(g, OP_HOLE, T_REAL, 1 + j),
                                expr_leaf(g, OP_HOLE, T_REAL, 1 + n + j)));
    return sum;
}

static void slot_equation(Planner *p, const PlanSet *s, uint32_t slot, VarId var, uint32_t level,
                          bool derivative)
{
    uint32_t n = s->n_cols;
    VarId *ops = memory_alloc((2 * (size_t)n + 1) * sizeof *ops);
    ops[0] = var;
    for (uint32_t j = 0; j < n; j++) {
        VarId v = s->cols[(size_t)level * n + j];
        ops[1 + j] = s->weights[(size_t)slot * n + j];
        ops[1 + n + j] = derivative ? p->next.at[v] : v;
    }
    add_equation(p, slot_shape(p->dae->g, n), ops, 2 * n + 1, p->dae->eqs.at[s->eqs[0]].span);
    memory_free(ops);
}

static void add_slots(Planner *p, PlanSet *s)
{
    uint32_t n = s->n_cols - s->n_rows;
    for (uint32_t level = 0; level < s->depth; level++)
        for (uint32_t i = 0; i < n; i++) {
            double nominal = INFINITY;
            for (uint32_t j = 0; j < s->n_cols; j++)
                nominal =
                    fmin(nominal, p->dae->vars.at[s->cols[(size_t)level * s->n_cols + j]].nominal);
            VarId slot = add_var(p, DAE_CONTINUOUS, p->n_slots++, nominal);
            VarId der = dae_derivative_var(p->dae, slot);
            planner_cover(p);
            p->next.at[slot] = der;
            p->prev.at[der] = slot;
            p->role.at[slot] = VAR_ROLE_STATE;
            p->role.at[der] = VAR_ROLE_UNKNOWN;
            s->slots[(size_t)level * n + i] = slot;
            slot_equation(p, s, i, slot, level, false);
            slot_equation(p, s, i, der, level, true);
        }
}

/* ---- the Jacobian ---- */

/* of the Jacobian: the set's, then those whose column is solved for with every choice */
typedef struct Rows {
    RowList rows;
    uint32_t *col; /* per column of the constraints: its number in the set's Jacobian, or NONE */
} Rows;

/* Rows with fixed pivots that the set's rows depend on, directly or through others. */
static void add_fixed(Planner *p, const Constraints *c, PlanSet *s, Rows *w, const uint32_t *col_of)
{
    const Dae *d = p->dae;
    for (uint32_t i = 0; i < w->rows.n; i++) {
        Term t = d->eqs.at[c->eqs.at[w->rows.at[i]]].term;
        for (uint32_t k = 0; k < t.n; k++) {
            uint32_t j = col_of[dae_op(d, t, k)];
            if (j == NONE || w->col[j] != NONE)
                continue;
            uint32_t by = c->col_depth[j] < s->depth ? c->early[j] : c->w.pivot_row[j];
            if (by == NONE || (c->col_depth[j] >= s->depth && c->depth[by] < s->depth))
                continue;
            w->col[j] = s->n_cols + s->n_fixed++;
            vec_push(&w->rows, by);
        }
    }
}

/* The entry as a number, or as a variable with an equation of its own. */
static PlanSetEntry entry_of(Planner *p, EqId e, uint32_t hole, uint32_t row, uint32_t col)
{
    Dae *d = p->dae;
    Term t = d->eqs.at[e].term;
    PlanSetEntry x = {.row = row, .col = col, .var = NONE};
    ExprId diff = symbolic_diff(d->symbolic, t.shape, hole);
    uint32_t n;
    symbolic_holes(d->symbolic, diff, &n);
    if (n == 0) {
        bool known;
        x.value = planner_coefficient(p, t, hole, &known);
        return x;
    }
    x.var = add_var(p, DAE_CONTINUOUS, p->n_slots++, 1);
    VarId *ops = memory_alloc(((size_t)t.n + 1) * sizeof *ops);
    for (uint32_t k = 0; k < t.n; k++)
        ops[k] = dae_op(d, t, k);
    ops[t.n] = x.var;
    add_equation(p, expr_sub(d->g, expr_leaf(d->g, OP_HOLE, T_REAL, t.n), diff), ops, t.n + 1,
                 d->eqs.at[e].span);
    memory_free(ops);
    return x;
}

static void add_jacobian(Planner *p, const Constraints *c, PlanSet *s, const Rows *w,
                         const uint32_t *col_of)
{
    VEC(PlanSetEntry) entries = {0};
    for (uint32_t i = 0; i < w->rows.n; i++) {
        EqId e = c->eqs.at[w->rows.at[i]];
        for (uint32_t k = 0; k < p->dae->eqs.at[e].term.n; k++) {
            uint32_t j = col_of[dae_op(p->dae, p->dae->eqs.at[e].term, k)];
            if (j != NONE && w->col[j] != NONE)
                vec_push(&entries, entry_of(p, e, k, i, w->col[j]));
        }
    }
    s->n_entries = entries.n;
    s->entries = ARENA_ARRAY(p->plan->arena, PlanSetEntry, entries.n + 1);
    memcpy(s->entries, entries.at, entries.n * sizeof *entries.at);
    vec_free(&entries);
}

/* ---- the set ---- */

static void fill_set(Planner *p, const Constraints *c, const Coupled *part, PlanSet *s)
{
    Arena *a = p->plan->arena;
    uint32_t m = part->rows.n, n = part->cols.n;
    s->cols = ARENA_ARRAY(a, VarId, (size_t)s->depth * n);
    s->weights = ARENA_ARRAY(a, VarId, (size_t)(n - m) * n);
    s->slots = ARENA_ARRAY(a, VarId, (size_t)s->depth * (n - m));
    s->chosen = ARENA_ARRAY(a, uint32_t, n - m);
    s->wish = ARENA_ARRAY(a, double, n);
    s->eqs = ARENA_ARRAY(a, EqId, m);
    for (uint32_t i = 0; i < m; i++)
        s->eqs[i] = c->eqs.at[part->rows.at[i]];
    uint32_t slot = 0;
    for (uint32_t j = 0; j < n; j++) {
        VarId v = c->tops.at[part->cols.at[j]];
        bool dummy = false;
        s->wish[j] = wish_factor(p, c, part->cols.at[j]);
        for (uint32_t level = 0; level < s->depth; level++)
            s->cols[(size_t)level * n + j] = v = p->prev.at[v];
        for (uint32_t i = 0; i < m; i++)
            dummy |= part->dummies.at[i] == part->cols.at[j];
        if (!dummy)
            s->chosen[slot++] = j;
    }
    for (uint32_t i = 0; i < (n - m) * n; i++) {
        s->weights[i] = add_var(p, DAE_INPUT, p->n_slots++, 1);
        p->value.at[s->weights[i]] = s->chosen[i / n] == i % n;
    }
}

void stateset_make(Planner *p, const Constraints *c, const Coupled *part)
{
    PlanSet s = {
        .n_rows = part->rows.n, .n_cols = part->cols.n, .depth = c->depth[part->rows.at[0]]};
    uint32_t n_vars = p->dae->vars.n;
    uint32_t *col_of = memory_alloc((size_t)n_vars * sizeof *col_of);
    Rows w = {.col = memory_alloc(((size_t)c->tops.n + 1) * sizeof *w.col)};
    for (uint32_t v = 0; v < n_vars; v++)
        col_of[v] = NONE;
    for (uint32_t j = 0; j < c->tops.n; j++) {
        col_of[c->tops.at[j]] = j;
        w.col[j] = NONE;
    }
    for (uint32_t j = 0; j < part->cols.n; j++)
        w.col[part->cols.at[j]] = j;
    for (uint32_t i = 0; i < part->rows.n; i++)
        vec_push(&w.rows, part->rows.at[i]);
    add_fixed(p, c, &s, &w, col_of);
    fill_set(p, c, part, &s);
    add_slots(p, &s);
    add_jacobian(p, c, &s, &w, col_of);
    vec_push(&p->plan->sets, s);
    vec_free(&w.rows);
    memory_free(w.col);
    memory_free(col_of);
}

void stateset_states(Planner *p)
{
    for (uint32_t i = 0; i < p->plan->sets.n; i++) {
        const PlanSet *s = &p->plan->sets.at[i];
        for (uint32_t k = 0; k < s->depth * (s->n_cols - s->n_rows); k++)
            vec_push(&p->plan->states, ((PlanState){s->slots[k], p->next.at[s->slots[k]]}));
    }
}

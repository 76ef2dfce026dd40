/* What the switches of a mode leave open: the smallest split, as an equation.
 *
 * In: the equations, and values of guards of which some do not fit, because an equation of a switch
 * only repeats others. Out: instead of such equations, those that make the voltages and currents of
 * switches smallest; then all guards fit. Closed switches in parallel share their current evenly,
 * and open ones in a row their voltage.
 *
 * If the mode leaves directions n open, all solutions are x + N c. The sum of squares of the
 * switched unknowns, in units of their nominal values, is smallest if n'x = 0 for each direction,
 * over these unknowns. Only directions and repetitions with literal coefficients are found:
 * those of connections. */
#include "structure/modes/modes.h"

#include <math.h>

enum { MOST_ROWS = 600, MOST_OPEN = 32 };
static const double ZERO = 1e-9; /* literals are small whole numbers, or nearly so */

typedef struct Entry {
    VarId var;
    double value; /* NAN: not a literal */
} Entry;

typedef struct Row {
    EqId eq;
    uint32_t first, n; /* entries */
    double constant;
    bool literal; /* all entries are */
    bool refused; /* contains a guard that does not fit */
} Row;

typedef struct Split {
    Dae *d;
    uint8_t *refused; /* per variable: a guard that does not fit */
    VEC(Row) rows;
    VEC(Entry) entries;
    uint32_t *col;   /* per variable: column + 1, or 0 */
    VEC(VarId) vars; /* per column */
    double *a;       /* by rows */
    uint32_t *pivot;
    uint32_t n_cols;
} Split;

/* ---- rows ---- */

static double coefficient(Dae *d, Term t, uint32_t k)
{
    VarId v = dae_op(d, t, k);
    Linearity l = symbolic_linearity(d->symbolic, t.shape, k);
    if (l == LINEAR_FREE)
        return 0;
    if (d->vars.at[v].type != DAE_REAL || (l != LINEAR_UNIT && l != LINEAR_CONSTANT))
        return NAN;
    ExprId c = symbolic_diff(d->symbolic, t.shape, k);
    return c != EXPR_NONE && expr_is_literal(d->g, c) ? expr_real_value(d->g, c) : NAN;
}

static void add_entry(Split *w, Row *r, VarId v, double value)
{
    vec_push(&w->entries, ((Entry){v, value}));
    r->literal &= !isnan(value);
    r->n++;
}

static void add_row(Split *w, EqId e, const uint8_t *fixed, const double *value,
                    const double *zeros)
{
    const DaeEq *q = &w->d->eqs.at[e];
    Row r = {.eq = e, .first = w->entries.n, .literal = true};
    for (uint32_t k = 0; k < q->term.n; k++)
        r.refused |= w->refused[dae_op(w->d, q->term, k)];
    VarId target = q->target;
    Term t = dae_fix(w->d, q->term, fixed, value);
    for (uint32_t k = 0; k < t.n; k++)
        add_entry(w, &r, dae_op(w->d, t, k), coefficient(w->d, t, k));
    if (target != NONE)
        add_entry(w, &r, target, -1);
    r.literal = r.literal && dae_eval(w->d, t, zeros, &r.constant) == EVAL_OK;
    vec_push(&w->rows, r);
}

static bool is_in_motion(const DaeEq *q)
{
    return q->origin == DAE_EQ_MODEL || q->origin == DAE_EQ_DELAYED;
}

/* All equations of the motion, with the values of the guards put in. */
static void add_rows(Split *w, const VarId *guards, const double *values, uint32_t n)
{
    uint8_t *fixed = memory_alloc(w->d->vars.n);
    double *value = memory_alloc((size_t)w->d->vars.n * sizeof *value);
    double *zeros = memory_alloc((size_t)w->d->vars.n * sizeof *zeros);
    for (uint32_t i = 0; i < n; i++) {
        fixed[guards[i]] = (uint8_t)!isnan(values[i]);
        value[guards[i]] = values[i];
    }
    for (EqId e = 0; e < w->d->n_model_eqs; e++)
        if (is_in_motion(&w->d->eqs.at[e]) && eq_is_real(w->d, &w->d->eqs.at[e]))
            add_row(w, e, fixed, value, zeros);
    memory_free(fixed);
    memory_free(value);
    memory_free(zeros);
}

/* ---- elimination ---- */

static void take_column(Split *w, VarId v)
{
    if (!w->col[v]) {
        vec_push(&w->vars, v);
        w->col[v] = w->vars.n;
    }
}

static void begin_matrix(Split *w, uint32_t n_rows)
{
    memory_free(w->a);
    memory_free(w->pivot);
    w->n_cols = w->vars.n + 1; /* the last one for constants */
    w->a = memory_alloc(((size_t)n_rows * w->n_cols + 1) * sizeof *w->a);
    w->pivot = memory_alloc(((size_t)n_rows + 1) * sizeof *w->pivot);
}

static void forget_columns(Split *w)
{
    for (uint32_t i = 0; i < w->vars.n; i++)
        w->col[w->vars.at[i]] = 0;
    w->vars.n = 0;
}

static void fill_row(Split *w, const Row *r, uint32_t i)
{
    double *row = w->a + (size_t)i * w->n_cols;
    for (uint32_t k = r->first; k < r->first + r->n; k++)
        if (w->col[w->entries.at[k].var])
            row[w->col[w->entries.at[k].var] - 1] += w->entries.at[k].value;
    row[w->n_cols - 1] = r->constant;
}

/* Row `to` minus a multiple of row `from`, without the column of its pivot. */
static void subtract(Split *w, uint32_t from, uint32_t to)
{
    const double *other = w->a + (size_t)from * w->n_cols;
    double *row = w->a + (size_t)to * w->n_cols, f = row[w->pivot[from]];
    for (uint32_t j = 0; f != 0 && j < w->n_cols; j++)
        row[j] -= f * other[j];
    row[w->pivot[from]] = 0;
}

/* Reduces row i by those before it, and scales it; false if nothing is left of it. A constant that
 * is left is a contradiction, with the last column as pivot. */
static bool reduce(Split *w, uint32_t i)
{
    double *row = w->a + (size_t)i * w->n_cols, largest = ZERO;
    for (uint32_t r = 0; r < i; r++)
        if (w->pivot[r] != NONE)
            subtract(w, r, i);
    w->pivot[i] = NONE;
    for (uint32_t j = 0; j + 1 < w->n_cols; j++)
        if (fabs(row[j]) > largest) {
            largest = fabs(row[j]);
            w->pivot[i] = j;
        }
    if (w->pivot[i] == NONE)
        return fabs(row[w->n_cols - 1]) > ZERO;
    double scale = 1 / row[w->pivot[i]];
    for (uint32_t j = 0; j < w->n_cols; j++)
        row[j] *= scale;
    return true;
}

/* ---- equations that repeat others ---- */

/* Literal rows with refused guards that those before them make redundant, into list. Returns their
 * number; MOST_OPEN + 1 if there are too many. */
static uint32_t find_repeated(Split *w, EqId *list)
{
    uint32_t n = 0, used = 0;
    for (uint32_t i = 0; i < w->rows.n; i++)
        for (uint32_t k = 0; w->rows.at[i].literal && k < w->rows.at[i].n; k++)
            take_column(w, w->entries.at[w->rows.at[i].first + k].var);
    begin_matrix(w, w->rows.n);
    for (int refused = 0; refused < 2; refused++)
        for (uint32_t i = 0; i < w->rows.n; i++) {
            const Row *r = &w->rows.at[i];
            if (!r->literal || r->refused != refused)
                continue;
            fill_row(w, r, used);
            bool open = !reduce(w, used) && refused && w->d->eqs.at[r->eq].target == NONE;
            if (open && n < MOST_OPEN)
                list[n] = r->eq;
            n += open;
            used++;
        }
    forget_columns(w);
    return n;
}

/* ---- open directions ---- */

/* Columns of unknowns that are not states and have literal coefficients everywhere. */
static void take_literal_columns(Split *w)
{
    uint8_t *other = memory_alloc(w->d->vars.n);
    for (uint32_t k = 0; k < w->entries.n; k++)
        other[w->entries.at[k].var] |= (uint8_t)isnan(w->entries.at[k].value);
    for (uint32_t k = 0; k < w->entries.n; k++) {
        const DaeVar *v = &w->d->vars.at[w->entries.at[k].var];
        if (!other[w->entries.at[k].var] && v->kind == DAE_CONTINUOUS && v->type == DAE_REAL &&
            v->der == NONE)
            take_column(w, w->entries.at[k].var);
    }
    memory_free(other);
}

/* Makes the columns of pivots zero in the rows before, too. */
static void reduce_back(Split *w, uint32_t n_rows)
{
    for (uint32_t i = n_rows; i-- > 0;)
        for (uint32_t r = 0; w->pivot[i] != NONE && r < i; r++)
            if (w->pivot[r] != NONE)
                subtract(w, i, r);
}

/* 0 = n'x for the direction in which column `open` moves by 1, over switched unknowns in units of
 * their nominal values. */
static Term smallest_along(Split *w, uint32_t n_rows, uint32_t open)
{
    Graph *g = w->d->g;
    ExprId sum = expr_real(g, 0);
    VEC(VarId) ops = {0};
    double *along = memory_alloc(w->n_cols * sizeof *along);
    along[open] = 1;
    for (uint32_t i = 0; i < n_rows; i++)
        if (w->pivot[i] != NONE)
            along[w->pivot[i]] = -w->a[(size_t)i * w->n_cols + open];
    for (uint32_t j = 0; j < w->vars.n; j++) {
        const DaeVar *v = &w->d->vars.at[w->vars.at[j]];
        if (!v->of_switch || fabs(along[j]) <= ZERO)
            continue;
        ExprId x = expr_leaf(g, OP_HOLE, T_REAL, ops.n);
        double nominal = v->nominal > 0 && isfinite(v->nominal) ? v->nominal : 1;
        sum = expr_add(g, sum, expr_mul(g, expr_real(g, along[j] / nominal / nominal), x));
        vec_push(&ops, w->vars.at[j]);
    }
    Term t = ops.n ? dae_term(w->d, sum, ops.at, ops.n) : (Term){0};
    vec_free(&ops);
    memory_free(along);
    return t;
}

/* One equation for each open direction into list; returns how many there are. */
static uint32_t find_open(Split *w, Term *list)
{
    uint32_t n = 0;
    take_literal_columns(w);
    begin_matrix(w, w->rows.n);
    for (uint32_t i = 0; i < w->rows.n; i++) {
        Row r = w->rows.at[i];
        r.constant = 0;
        fill_row(w, &r, i);
        reduce(w, i);
    }
    reduce_back(w, w->rows.n);
    uint8_t *bound = memory_alloc(w->n_cols);
    for (uint32_t i = 0; i < w->rows.n; i++)
        if (w->pivot[i] != NONE)
            bound[w->pivot[i]] = 1;
    for (uint32_t j = 0; j < w->vars.n; j++)
        if (!bound[j] && n++ < MOST_OPEN)
            list[n - 1] = smallest_along(w, w->rows.n, j);
    memory_free(bound);
    return n;
}

/* ---- the split ---- */

static bool exchange(Split *w, const VarId *guards, const double *values, uint32_t n)
{
    EqId repeated[MOST_OPEN];
    Term open[MOST_OPEN], old[MOST_OPEN];
    uint32_t k = find_repeated(w, repeated);
    if (!k || k > MOST_OPEN || find_open(w, open) != k)
        return false;
    double *fitting = memory_alloc(((size_t)n + 1) * sizeof *fitting);
    memcpy(fitting, values, n * sizeof *fitting);
    bool fits = true;
    for (uint32_t i = 0; i < k; i++) {
        old[i] = w->d->eqs.at[repeated[i]].term;
        fits &= open[i].n > 0;
        w->d->eqs.at[repeated[i]].term = open[i].n ? open[i] : old[i];
    }
    if (fits)
        structure_fit_guards(w->d, guards, fitting, n);
    for (uint32_t i = 0; i < n; i++)
        fits &= isnan(fitting[i]) == isnan(values[i]);
    for (uint32_t i = 0; i < k && !fits; i++)
        w->d->eqs.at[repeated[i]].term = old[i];
    memory_free(fitting);
    return fits;
}

bool structure_split_smallest(Dae *dae, const VarId *guards, const double *values,
                              const double *fitting, uint32_t n)
{
    Split w = {.d = dae, .refused = memory_alloc(dae->vars.n)};
    bool any = false;
    for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]) && isnan(fitting[i])) {
            w.refused[guards[i]] = 1;
            any = true;
        }
    w.col = memory_alloc((size_t)dae->vars.n * sizeof *w.col);
    if (any)
        add_rows(&w, guards, values, n);
    bool fits = any && w.rows.n <= MOST_ROWS && exchange(&w, guards, values, n);
    memory_free(w.refused);
    memory_free(w.col);
    memory_free(w.a);
    memory_free(w.pivot);
    vec_free(&w.rows);
    vec_free(&w.entries);
    vec_free(&w.vars);
    return fits;
}

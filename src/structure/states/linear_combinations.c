/* Hidden constraints among equations with constant coefficients.
 *
 * linear_combine_literal. In: the continuous equations before index reduction. Out: the same, some
 * replaced by constraints on states. Example: the voltages of a capacitor and of a closed switch
 * in parallel are both the difference of the same two node voltages. Structurally these are two
 * equations for two nodes; in fact they are one constraint and one free voltage. Matching cannot
 * see this, but elimination can. It is exact for literal coefficients, such as those of
 * connections. Rows are eliminated by unknowns to solve for (algebraic ones and highest
 * derivatives). A row without such unknowns contains only states, and replaces its equation. The
 * work is limited.
 *
 * linear_combine_matched. In: the equations that index reduction solves for the highest
 * derivatives, divided into strong components. Out: the same, some replaced. Example: C*(der(u) -
 * der(v)) = i and C*(der(v) - der(u)) = j can be matched, but they determine only der(u) - der(v),
 * and imply i + j = 0. Rows with parameter coefficients are eliminated at the present values,
 * within a component. If nothing is left, the combination replaces an equation that was not
 * differentiated. Then index reduction continues (Tan, Nedialkov and Pryce 2017, here with constant
 * factors). The values of these parameters become assumptions of the plan. */
#include "structure/states/states.h"

#include <math.h>
#include <stdlib.h>

static const double ROUNDING = 1e-10;
enum { MOST_ROWS = 3000, MOST_WORK = 20 * 1000 * 1000, MOST_HOLES = 64 };

typedef struct Entry {
    uint32_t at; /* variable, or row of a combination */
    double value;
} Entry;

typedef VEC(Entry) Entries;

typedef struct Row {
    EqId eq;
    Entries
        terms; /* by variable, ascending; of linear_combine_matched only those to be solved for */
    Entries from; /* rows that it combines, ascending */
    VarId pivot;  /* NONE while it has none */
} Row;

typedef struct Kernel {
    Planner *p;
    Dae *d;
    VEC(Row) rows;
    uint32_t *row_of; /* per variable: the row whose pivot it is, or NONE */
    /* per variable: the present component is solved for it; NULL: there is only one component */
    uint8_t *inside;
    Entries spare;
    uint64_t work;
} Kernel;

/* ---- rows ---- */

static bool is_literal_row(Kernel *k, EqId e, Entries *out)
{
    Dae *d = k->d;
    Term t = d->eqs.at[e].term;
    if (t.n > MOST_HOLES || d->eqs.at[e].target != NONE)
        return false;
    for (uint32_t j = 0; j < t.n; j++) {
        VarId v = dae_op(d, t, j);
        if (!var_is_real(d, v))
            continue;
        Linearity l = symbolic_linearity(d->symbolic, t.shape, j);
        ExprId c = l == LINEAR_UNIT || l == LINEAR_CONSTANT ? symbolic_diff(d->symbolic, t.shape, j)
                                                            : EXPR_NONE;
        if (c == EXPR_NONE || !expr_is_literal(d->g, c))
            return false;
        vec_push(out, ((Entry){v, expr_real_value(d->g, c)}));
    }
    return out->n > 0;
}

static int by_place(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static void collect_rows(Kernel *k)
{
    Dae *d = k->d;
    Entries terms = {0};
    for (EqId e = 0; e < d->eqs.n && k->rows.n <= MOST_ROWS; e++) {
        vec_clear(&terms);
        if (d->eqs.at[e].origin != DAE_EQ_MODEL || !is_literal_row(k, e, &terms))
            continue;
        Row r = {.eq = e, .pivot = NONE};
        for (uint32_t i = 0; i < terms.n; i++)
            vec_push(&r.terms, terms.at[i]);
        qsort(r.terms.at, r.terms.n, sizeof *r.terms.at, by_place);
        vec_push(&r.from, ((Entry){k->rows.n, 1}));
        vec_push(&k->rows, r);
    }
    vec_free(&terms);
}

/* a += f*b, without entries that vanish. */
static void add_entries(Kernel *k, Entries *a, const Entries *b, double f)
{
    vec_clear(&k->spare);
    uint32_t i = 0, j = 0;
    while (i < a->n || j < b->n) {
        Entry e;
        if (j == b->n || (i < a->n && a->at[i].at < b->at[j].at)) {
            e = a->at[i++];
        } else if (i == a->n || b->at[j].at < a->at[i].at) {
            e = (Entry){b->at[j].at, f * b->at[j].value};
            j++;
        } else {
            double x = a->at[i].value, y = f * b->at[j].value;
            e = (Entry){a->at[i].at, fabs(x + y) > ROUNDING * (fabs(x) + fabs(y)) ? x + y : 0};
            i++, j++;
        }
        if (e.value != 0)
            vec_push(&k->spare, e);
    }
    k->work += k->spare.n + 1;
    Entries old = *a;
    *a = k->spare;
    k->spare = old;
}

static double value_at(const Entries *a, uint32_t at)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->at[i].at == at)
            return a->at[i].value;
    return 0;
}

/* ---- elimination ---- */

static bool is_active(const Kernel *k, VarId v)
{
    return k->inside ? k->inside[v]
                     : k->p->role.at[v] == VAR_ROLE_UNKNOWN && k->p->next.at[v] == NONE;
}

static void reduce_row(Kernel *k, Row *r)
{
    for (uint32_t i = 0; i < r->terms.n && k->work < MOST_WORK;) {
        uint32_t other = k->row_of[r->terms.at[i].at];
        if (other == NONE) {
            i++;
            continue;
        }
        const Row *o = &k->rows.at[other];
        double f = -r->terms.at[i].value / value_at(&o->terms, o->pivot);
        add_entries(k, &r->terms, &o->terms, f);
        add_entries(k, &r->from, &o->from, f);
        i = 0;
    }
}

static VarId choose_pivot(const Kernel *k, const Row *r)
{
    VarId best = NONE;
    double size = 0;
    for (uint32_t i = 0; i < r->terms.n; i++)
        if (is_active(k, r->terms.at[i].at) && fabs(r->terms.at[i].value) > size * (1 + 1e-9)) {
            size = fabs(r->terms.at[i].value);
            best = r->terms.at[i].at;
        }
    return best;
}

/* ---- replacement ---- */

/* The contribution of equation e, times f, without its real unknowns; operands are appended to ops.
 */
static ExprId known_part(Kernel *k, EqId e, double f, Entries *ops)
{
    Dae *d = k->d;
    Graph *g = d->g;
    Term t = d->eqs.at[e].term;
    ExprId with[MOST_HOLES];
    for (uint32_t j = 0; j < t.n; j++) {
        VarId v = dae_op(d, t, j);
        with[j] = expr_real(g, 0);
        if (var_is_real(d, v))
            continue;
        with[j] = expr_leaf(g, OP_HOLE, expr_type(g, dae_literal(d, v, 1)), ops->n);
        vec_push(ops, ((Entry){v, 0}));
    }
    return expr_mul(g, expr_real(g, f), symbolic_substitute(d->symbolic, t.shape, with, t.n));
}

static void replace(Kernel *k, const Row *r)
{
    Dae *d = k->d;
    Graph *g = d->g;
    Entries ops = {0};
    ExprId sum = expr_real(g, 0);
    for (uint32_t i = 0; i < r->terms.n; i++) {
        ExprId hole = expr_leaf(g, OP_HOLE, T_REAL, ops.n);
        vec_push(&ops, r->terms.at[i]);
        sum = expr_add(g, sum, expr_mul(g, expr_real(g, r->terms.at[i].value), hole));
    }
    for (uint32_t i = 0; i < r->from.n; i++)
        sum = expr_add(g, sum,
                       known_part(k, k->rows.at[r->from.at[i].at].eq, r->from.at[i].value, &ops));
    VarId *list = memory_alloc(((size_t)ops.n + 1) * sizeof *list);
    for (uint32_t i = 0; i < ops.n; i++)
        list[i] = ops.at[i].at;
    Term t = dae_term(d, sum, list, ops.n);
    d->eqs.at[r->eq].term = t;
    memory_free(list);
    vec_free(&ops);
}

static void start_pivots(Kernel *k)
{
    k->row_of = memory_alloc(((size_t)k->d->vars.n + 1) * sizeof *k->row_of);
    for (VarId v = 0; v < k->d->vars.n; v++)
        k->row_of[v] = NONE;
}

/* Rows without a pivot that combine several rows are added to `bare`. */
static void eliminate_rows(Kernel *k, RowList *bare)
{
    for (uint32_t i = 0; i < k->rows.n && k->work < MOST_WORK; i++) {
        Row *r = &k->rows.at[i];
        reduce_row(k, r);
        r->pivot = choose_pivot(k, r);
        if (r->pivot != NONE)
            k->row_of[r->pivot] = i;
        else if (r->from.n > 1)
            vec_push(bare, i);
    }
}

static void free_rows(Kernel *k)
{
    for (uint32_t i = 0; i < k->rows.n; i++) {
        if (k->rows.at[i].pivot != NONE)
            k->row_of[k->rows.at[i].pivot] = NONE;
        vec_free(&k->rows.at[i].terms);
        vec_free(&k->rows.at[i].from);
    }
    vec_clear(&k->rows);
}

static void free_all(Kernel *k)
{
    free_rows(k);
    vec_free(&k->rows);
    vec_free(&k->spare);
    memory_free(k->row_of);
}

void linear_combine_literal(Planner *p)
{
    Kernel k = {.p = p, .d = p->dae};
    RowList bare = {0};
    start_pivots(&k);
    collect_rows(&k);
    if (k.rows.n <= MOST_ROWS)
        eliminate_rows(&k, &bare);
    for (uint32_t i = 0; k.work < MOST_WORK && i < bare.n; i++)
        if (k.rows.at[bare.at[i]].terms.n > 0)
            replace(&k, &k.rows.at[bare.at[i]]);
    vec_free(&bare);
    free_all(&k);
}

/* ---- combinations of equations for the highest derivatives ---- */

/* The coefficient of operand j, if it consists of numbers and known parameters; otherwise 0. */
static double constant_coefficient(const Kernel *k, Term t, uint32_t j, ExprId *coefficient)
{
    Dae *d = k->d;
    Linearity l = symbolic_linearity(d->symbolic, t.shape, j);
    *coefficient =
        l == LINEAR_NOT || l == LINEAR_FREE ? EXPR_NONE : symbolic_diff(d->symbolic, t.shape, j);
    uint32_t n = 0;
    const uint32_t *holes = *coefficient ? symbolic_holes(d->symbolic, *coefficient, &n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        VarId v = dae_op(d, t, holes[i]);
        if (d->vars.at[v].kind != DAE_PARAMETER || (v < k->p->n_late && k->p->late[v]))
            return 0;
    }
    double x = 0;
    t.shape = *coefficient;
    return *coefficient && dae_eval(d, t, k->p->value.at, &x) == EVAL_OK && isfinite(x) ? x : 0;
}

/* The unknowns to solve for occur in equation e only with constant coefficients. */
static bool is_constant_row(const Kernel *k, EqId e, Entries *out)
{
    Term t = k->d->eqs.at[e].term;
    ExprId coefficient;
    if (t.n > MOST_HOLES || k->d->eqs.at[e].target != NONE)
        return false;
    for (uint32_t j = 0; j < t.n; j++) {
        VarId v = dae_op(k->d, t, j);
        if (!var_is_real(k->d, v) || !is_active(k, v))
            continue;
        double c = constant_coefficient(k, t, j, &coefficient);
        if (c == 0)
            return false;
        vec_push(out, ((Entry){v, c}));
    }
    return out->n > 0;
}

static void add_row(Kernel *k, EqId e, Entries *terms)
{
    Row r = {.eq = e, .pivot = NONE, .terms = *terms};
    qsort(r.terms.at, r.terms.n, sizeof *r.terms.at, by_place);
    vec_push(&r.from, ((Entry){k->rows.n, 1}));
    vec_push(&k->rows, r);
    *terms = (Entries){0};
}

static uint32_t hole_for(Entries *ops, VarId v)
{
    for (uint32_t i = 0; i < ops->n; i++)
        if (ops->at[i].at == v)
            return i;
    vec_push(ops, ((Entry){v, 0}));
    return ops->n - 1;
}

/* Equation e, times f, without the unknowns to solve for. The values of coefficients become
 * assumptions. */
static ExprId rest_of(Kernel *k, EqId e, double f, Entries *ops)
{
    Dae *d = k->d;
    Graph *g = d->g;
    Term t = d->eqs.at[e].term;
    ExprId with[MOST_HOLES], coefficient;
    for (uint32_t j = 0; j < t.n; j++) {
        VarId v = dae_op(d, t, j);
        bool real = var_is_real(d, v);
        if (!real || !is_active(k, v)) {
            TypeId type = real ? T_REAL : expr_type(g, dae_literal(d, v, 1));
            with[j] = expr_leaf(g, OP_HOLE, type, hole_for(ops, v));
            continue;
        }
        with[j] = expr_real(g, 0);
        double value = constant_coefficient(k, t, j, &coefficient);
        Term off = t;
        off.shape = expr_sub(g, coefficient, expr_real(g, value));
        if (!expr_is_literal(g, coefficient))
            vec_push(&k->p->plan->assumptions, ((PlanAssumption){off, NONE}));
    }
    return expr_mul(g, expr_real(g, f), symbolic_substitute(d->symbolic, t.shape, with, t.n));
}

/* The equation that a combination replaces: one that was not differentiated, with the largest
 * factor; or NONE. */
static uint32_t replaced_by(const Kernel *k, const Row *r)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < r->from.n; i++) {
        const DaeEq *q = &k->d->eqs.at[k->rows.at[r->from.at[i].at].eq];
        bool may = q->of == NONE && q->origin == DAE_EQ_MODEL;
        if (may && (best == NONE || fabs(r->from.at[i].value) > fabs(r->from.at[best].value)))
            best = i;
    }
    return best;
}

/* False if the combination is empty, or there is no equation that it can replace. */
static bool put_combination(Kernel *k, const Row *r)
{
    Dae *d = k->d;
    Graph *g = d->g;
    Entries ops = {0};
    ExprId sum = expr_real(g, 0);
    uint32_t at = replaced_by(k, r), n_assumptions = k->p->plan->assumptions.n;
    for (uint32_t i = 0; at != NONE && i < r->from.n; i++)
        sum = expr_add(g, sum,
                       rest_of(k, k->rows.at[r->from.at[i].at].eq,
                               r->from.at[i].value / r->from.at[at].value, &ops));
    VarId *list = memory_alloc(((size_t)ops.n + 1) * sizeof *list);
    for (uint32_t i = 0; i < ops.n; i++)
        list[i] = ops.at[i].at;
    Term t = dae_term(d, sum, list, ops.n);
    bool says = false;
    for (uint32_t i = 0; i < t.n; i++)
        says |= var_is_real(d, dae_op(d, t, i));
    if (says)
        d->eqs.at[k->rows.at[r->from.at[at].at].eq].term = t;
    else
        k->p->plan->assumptions.n = n_assumptions;
    memory_free(list);
    vec_free(&ops);
    return says;
}

/* Whether an equation of the component was replaced. */
static bool combine_rows(Kernel *k, const System *s, const uint32_t *order, uint32_t n)
{
    RowList bare = {0};
    Entries terms = {0};
    bool any = false;
    k->work = 0;
    for (uint32_t i = 0; i < n; i++)
        k->inside[s->vars.at[s->match[order[i]]]] = 1;
    for (uint32_t i = 0; i < n; i++) {
        vec_clear(&terms);
        if (is_constant_row(k, s->eqs.at[order[i]], &terms))
            add_row(k, s->eqs.at[order[i]], &terms);
    }
    if (k->rows.n > 1)
        eliminate_rows(k, &bare);
    for (uint32_t i = 0; k->work < MOST_WORK && !any && i < bare.n; i++)
        any = put_combination(k, &k->rows.at[bare.at[i]]);
    for (uint32_t i = 0; i < n; i++)
        k->inside[s->vars.at[s->match[order[i]]]] = 0;
    free_rows(k);
    vec_free(&terms);
    vec_free(&bare);
    return any;
}

bool linear_combine_matched(Planner *p, const System *s)
{
    Kernel k = {.p = p, .d = p->dae};
    uint32_t *order = memory_alloc(((size_t)s->eqs.n + 1) * sizeof *order);
    uint32_t *start = memory_alloc(((size_t)s->eqs.n + 2) * sizeof *start);
    uint32_t n = structure_sort(&s->a, s->match, order, start);
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t size = start[i + 1] - start[i];
        if (size < 2 || size > MOST_ROWS)
            continue;
        if (!k.row_of) {
            start_pivots(&k);
            k.inside = memory_alloc((size_t)p->dae->vars.n + 1);
        }
        any = combine_rows(&k, s, order + start[i], size) || any;
    }
    free_all(&k);
    memory_free(k.inside);
    memory_free(order);
    memory_free(start);
    return any;
}

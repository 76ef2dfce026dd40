/* Constraints that equations with literal coefficients hide.
 *
 * In: the continuous equations before index reduction. Out: the same, some of them replaced by what they say about states. The voltages of a capacitor and of a closed
 * switch beside it are both the difference of the same two node voltages: structurally two equations for two nodes, in truth one constraint and one free
 * voltage. Matching cannot see that, elimination can, and is exact where all coefficients are literals, as those of connections are.
 * Rows are eliminated by unknowns that are to be solved for (algebraic ones and highest derivatives); a row that has none of them left holds
 * states alone. It takes the place of its equation, which it is equivalent to together with the others. Done as far as the work stays small. */
#include "structure/structure.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 3000, MOST_WORK = 20 * 1000 * 1000, MOST_HOLES = 64 };

typedef struct Entry {
    uint32_t at; /* variable, or row of a combination */
    double value;
} Entry;

typedef VEC(Entry) Entries;

typedef struct Row {
    EqId eq;
    Entries terms; /* by variable, ascending */
    Entries from;  /* rows that it is made of, ascending */
    VarId pivot;   /* NONE while it has none */
} Row;

typedef struct Kernel {
    Planner *p;
    Dae *d;
    VEC(Row) rows;
    uint32_t *row_of; /* per variable: the row that it is pivot of, or NONE */
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
        ExprId c =
            l == LINEAR_UNIT || l == LINEAR_CONSTANT ? symbolic_diff(d->symbolic, t.shape, j) : EXPR_NONE;
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

/* a += f*b, entries that vanish left out. */
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
            e = (Entry){a->at[i].at, a->at[i].value + f * b->at[j].value};
            i++, j++;
        }
        if (fabs(e.value) > 1e-9)
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

static bool is_active(const Planner *p, VarId v)
{
    return p->role.at[v] == ROLE_UNKNOWN && p->next.at[v] == NONE;
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
        if (is_active(k->p, r->terms.at[i].at) && fabs(r->terms.at[i].value) > size * (1 + 1e-9)) {
            size = fabs(r->terms.at[i].value);
            best = r->terms.at[i].at;
        }
    return best;
}

/* ---- replacement ---- */

/* What equation e adds, times f, apart from its real unknowns; operands are appended to ops. */
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
        sum = expr_add(g, sum, known_part(k, k->rows.at[r->from.at[i].at].eq, r->from.at[i].value, &ops));
    VarId *list = memory_alloc(((size_t)ops.n + 1) * sizeof *list);
    for (uint32_t i = 0; i < ops.n; i++)
        list[i] = ops.at[i].at;
    Term t = dae_term(d, sum, list, ops.n);
    d->eqs.at[r->eq].term = t;
    memory_free(list);
    vec_free(&ops);
}

void kernel_reduce(Planner *p)
{
    Kernel k = {.p = p, .d = p->dae};
    collect_rows(&k);
    if (k.rows.n <= MOST_ROWS) {
        VEC(uint32_t) bare = {0};
        k.row_of = memory_alloc(((size_t)p->dae->vars.n + 1) * sizeof *k.row_of);
        for (VarId v = 0; v < p->dae->vars.n; v++)
            k.row_of[v] = NONE;
        for (uint32_t i = 0; i < k.rows.n && k.work < MOST_WORK; i++) {
            Row *r = &k.rows.at[i];
            reduce_row(&k, r);
            r->pivot = choose_pivot(&k, r);
            if (r->pivot != NONE)
                k.row_of[r->pivot] = i;
            else if (r->terms.n > 0 && r->from.n > 1)
                vec_push(&bare, i);
        }
        for (uint32_t i = 0; k.work < MOST_WORK && i < bare.n; i++)
            replace(&k, &k.rows.at[bare.at[i]]);
        vec_free(&bare);
    }
    for (uint32_t i = 0; i < k.rows.n; i++) {
        vec_free(&k.rows.at[i].terms);
        vec_free(&k.rows.at[i].from);
    }
    vec_free(&k.rows);
    vec_free(&k.spare);
    memory_free(k.row_of);
}

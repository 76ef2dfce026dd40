/* Choice of states by dummy derivatives with a fixed choice (Mattsson and Söderlind 1993).
 *
 * In: the differentiated system of index.c. Out: Plan.states, Plan.dummies, roles. Level by level, from the highest derivatives down,
 * as many derivatives are declared algebraic ("dummy") as there are differentiated equations, such that the Jacobian of these with
 * respect to those is regular: structurally, and numerically at the start values. Wanted as states are, in this order: stateSelect, variables
 * of the model rather than made derivatives, start values that are fixed, start values that are given, early declaration. Where
 * coefficients change in time (x^2 + y^2 = L^2), a pivot below a tenth of the best is refused whatever the wish. */
#include "structure/structure.h"

#include <math.h>
#include <stdlib.h>

typedef VEC(VarId) VarVec;
typedef VEC(EqId) EqVec;

/* One level of one coupled group of constraints. */
typedef struct Level {
    EqVec eqs;
    VarVec candidates;
    VarVec chosen; /* dummies; as many as eqs */
} Level;

static const double pivot_fraction = 0.1, zero_fraction = 1e-9;
enum { LARGEST_DENSE = 100000000 }; /* multiplications spent on a numerical choice */

static uint32_t select_of(const Planner *p, VarId v)
{
    uint32_t select = p->dae->vars.at[v].state_select;
    while (p->prev.at[v] != NONE && (select == 0 || select == SELECT_DEFAULT)) {
        v = p->prev.at[v];
        select = p->dae->vars.at[v].state_select;
    }
    return select ? select : SELECT_DEFAULT;
}

/* How much the variable whose derivative is `der` is wanted as a state; declaration order apart. */
static uint32_t wish(const Planner *p, VarId der)
{
    VarId v = p->prev.at[der];
    const DaeVar *x = &p->dae->vars.at[v];
    return select_of(p, v) * 8 + (x->kind == DAE_CONTINUOUS) * 4u + x->fixed * 2u + x->has_start;
}

static VarId root_of(const Planner *p, VarId v)
{
    while (p->prev.at[v] != NONE)
        v = p->prev.at[v];
    return v;
}

/* ---- numerical choice, dense, with complete pivoting among equally unwanted candidates ---- */

typedef struct Dense {
    uint32_t m, n; /* equations, candidates */
    double *a;     /* m by n, by rows */
    bool *row_done, *col_done;
    bool varying; /* a coefficient depends on more than parameters */
} Dense;

static double generic_value(uint32_t i, uint32_t j)
{
    return 0.5 + (double)(hash_mix(hash_mix(17, i), j) >> 11) * 0x1p-53;
}

static bool only_parameters(const Dae *d, ExprId shape, Term t)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(d->symbolic, shape, &n);
    for (uint32_t i = 0; i < n; i++)
        if (d->vars.at[dae_op(d, t, holes[i])].kind != DAE_PARAMETER)
            return false;
    return true;
}

static void fill_row(Planner *p, Dense *w, const Level *l, const uint32_t *col_of, uint32_t i, bool generic)
{
    Term t = p->dae->eqs.at[l->eqs.at[i]].term;
    double *row = w->a + (size_t)i * w->n, largest = 0;
    for (uint32_t k = 0; k < t.n; k++) {
        uint32_t j = col_of[dae_op(p->dae, t, k)];
        if (j == NONE)
            continue;
        bool known;
        double c = planner_coefficient(p, t, k, &known);
        row[j] = generic || !known ? generic_value(i, j) : c;
        ExprId diff = symbolic_diff(p->dae->symbolic, t.shape, k);
        w->varying |= diff == EXPR_NONE || !only_parameters(p->dae, diff, t);
        largest = fmax(largest, fabs(row[j]));
    }
    for (uint32_t j = 0; j < w->n && largest > 0; j++)
        row[j] /= largest;
}

/* Largest entry of a column among the rows that are left. */
static double column_size(const Dense *w, uint32_t j, uint32_t *row)
{
    double size = 0;
    for (uint32_t i = 0; i < w->m; i++) {
        double x = fabs(w->a[(size_t)i * w->n + j]);
        if (!w->row_done[i] && x > size) {
            size = x;
            *row = i;
        }
    }
    return size;
}

/* The candidate to become a dummy next, or NONE where the rest is singular. */
static uint32_t pick_column(const Planner *p, const Dense *w, const Level *l, double *sizes, uint32_t *pivot)
{
    uint32_t lowest = UINT32_MAX, best = NONE, row = 0;
    double largest = 0;
    for (uint32_t j = 0; j < w->n; j++) {
        sizes[j] = w->col_done[j] ? 0 : column_size(w, j, &row);
        if (sizes[j] <= zero_fraction)
            continue;
        uint32_t select = wish(p, l->candidates.at[j]) / 8;
        if (select < lowest || (select == lowest && sizes[j] > largest))
            largest = sizes[j];
        lowest = select < lowest ? select : lowest;
    }
    for (uint32_t j = 0; j < w->n; j++) {
        uint32_t rank = wish(p, l->candidates.at[j]);
        if (sizes[j] <= zero_fraction || rank / 8 != lowest ||
            (w->varying && sizes[j] < pivot_fraction * largest))
            continue;
        if (best != NONE) {
            uint32_t best_rank = wish(p, l->candidates.at[best]);
            if (rank > best_rank || (rank == best_rank && w->varying && sizes[j] < sizes[best] * (1 - 1e-6)))
                continue;
            if (rank == best_rank && !(w->varying && sizes[j] > sizes[best] * (1 + 1e-6)) &&
                root_of(p, l->candidates.at[j]) < root_of(p, l->candidates.at[best]))
                continue;
        }
        best = j;
    }
    if (best != NONE)
        (void)column_size(w, best, pivot);
    return best;
}

static void eliminate(Dense *w, uint32_t i, uint32_t j)
{
    const double *pivot = w->a + (size_t)i * w->n;
    w->row_done[i] = w->col_done[j] = true;
    for (uint32_t r = 0; r < w->m; r++) {
        double *row = w->a + (size_t)r * w->n, f = row[j] / pivot[j];
        if (w->row_done[r] || f == 0)
            continue;
        for (uint32_t k = 0; k < w->n; k++)
            row[k] = w->col_done[k] ? row[k] : row[k] - f * pivot[k];
        row[j] = 0;
    }
}

static bool choose_dense(Planner *p, Level *l, const uint32_t *col_of, bool generic)
{
    Dense w = {.m = l->eqs.n, .n = l->candidates.n};
    w.a = memory_alloc((size_t)w.m * w.n * sizeof *w.a);
    w.row_done = memory_alloc(w.m);
    w.col_done = memory_alloc(w.n);
    double *sizes = memory_alloc(w.n * sizeof *sizes);
    for (uint32_t i = 0; i < w.m; i++)
        fill_row(p, &w, l, col_of, i, generic);
    vec_clear(&l->chosen);
    for (uint32_t k = 0; k < w.m; k++) {
        uint32_t pivot = 0, j = pick_column(p, &w, l, sizes, &pivot);
        if (j == NONE)
            break;
        vec_push(&l->chosen, l->candidates.at[j]);
        eliminate(&w, pivot, j);
    }
    memory_free(w.a);
    memory_free(w.row_done);
    memory_free(w.col_done);
    memory_free(sizes);
    return l->chosen.n == l->eqs.n;
}

/* ---- structural choice for large groups: candidates in order of rising wish enter while they can be matched ---- */

typedef struct Ranked {
    uint32_t wish, root, col;
} Ranked;

static int by_wish(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->wish != y->wish)
        return x->wish < y->wish ? -1 : 1;
    return x->root != y->root ? (x->root > y->root ? -1 : 1) : (x->col > y->col) - (x->col < y->col);
}

/* Candidates as rows, equations as columns. */
static void transposed(Planner *p, const Level *l, const uint32_t *col_of, Incidence *a)
{
    Dae *d = p->dae;
    *a = (Incidence){.n_eqs = l->candidates.n, .n_vars = l->eqs.n};
    a->ptr = memory_alloc(((size_t)a->n_eqs + 2) * sizeof *a->ptr);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < l->eqs.n; i++) {
            Term t = d->eqs.at[l->eqs.at[i]].term;
            for (uint32_t k = 0; k < t.n; k++) {
                uint32_t j = col_of[dae_op(d, t, k)];
                if (j != NONE && pass == 0)
                    a->ptr[j + 2]++;
                else if (j != NONE)
                    a->var[a->ptr[j + 1]++] = i;
            }
        }
        for (uint32_t j = 0; pass == 0 && j < a->n_eqs; j++)
            a->ptr[j + 2] += a->ptr[j + 1];
        if (pass == 0)
            a->var = memory_alloc(((size_t)a->ptr[a->n_eqs + 1] + 1) * sizeof *a->var);
    }
}

static bool choose_structural(Planner *p, Level *l, const uint32_t *col_of)
{
    Incidence a;
    Matcher m;
    transposed(p, l, col_of, &a);
    uint32_t *match = memory_alloc(((size_t)a.n_eqs + 1) * sizeof *match);
    Ranked *order = memory_alloc(((size_t)a.n_eqs + 1) * sizeof *order);
    for (uint32_t j = 0; j < a.n_eqs; j++) {
        match[j] = NONE;
        order[j] = (Ranked){wish(p, l->candidates.at[j]), root_of(p, l->candidates.at[j]), j};
    }
    qsort(order, a.n_eqs, sizeof *order, by_wish);
    matcher_start(&m, &a, match);
    vec_clear(&l->chosen);
    for (uint32_t j = 0; j < a.n_eqs && l->chosen.n < l->eqs.n; j++)
        if (matcher_augment(&m, order[j].col))
            vec_push(&l->chosen, l->candidates.at[order[j].col]);
    matcher_end(&m);
    memory_free(match);
    memory_free(order);
    memory_free(a.ptr);
    memory_free(a.var);
    return l->chosen.n == l->eqs.n;
}

/* ---- levels and groups ---- */

static bool choose(Planner *p, Level *l, uint32_t *col_of)
{
    for (uint32_t j = 0; j < l->candidates.n; j++)
        col_of[l->candidates.at[j]] = j;
    double cost = (double)l->eqs.n * l->eqs.n * l->candidates.n;
    bool ok = l->eqs.n == 0;
    if (!ok && l->candidates.n >= l->eqs.n && cost <= LARGEST_DENSE)
        ok = choose_dense(p, l, col_of, false) || choose_dense(p, l, col_of, true);
    if (!ok && l->candidates.n >= l->eqs.n)
        ok = choose_structural(p, l, col_of);
    for (uint32_t j = 0; j < l->candidates.n; j++)
        col_of[l->candidates.at[j]] = NONE;
    if (!ok) {
        diag(p->dae->ctx, p->dae->eqs.at[l->eqs.at[0]].span, DIAG_T007,
             "no choice of states fulfils the constraints among the variables of the model");
        report_equations(p->dae, l->eqs.at, l->eqs.n);
    }
    return ok;
}

/* The level below: equations and chosen derivatives one order lower, as far as they are derivatives themselves. */
static void descend(const Planner *p, Level *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->eqs.n; i++) {
        EqId of = p->dae->eqs.at[l->eqs.at[i]].of;
        if (p->dae->eqs.at[of].of != NONE)
            l->eqs.at[n++] = of;
    }
    l->eqs.n = n;
    vec_clear(&l->candidates);
    for (uint32_t i = 0; i < l->chosen.n; i++) {
        VarId v = p->prev.at[l->chosen.at[i]];
        if (p->prev.at[v] != NONE)
            vec_push(&l->candidates, v);
    }
}

/* A variable that must be a state and cannot. */
static bool always_kept(Planner *p, const Level *l)
{
    Dae *d = p->dae;
    bool ok = true;
    for (uint32_t i = 0; i < l->chosen.n; i++) {
        VarId v = p->prev.at[l->chosen.at[i]];
        if (d->vars.at[v].state_select != SELECT_ALWAYS)
            continue;
        Arena *scratch = arena_new();
        diag(d->ctx, report_var_span(d, v), DIAG_T007,
             "%s has stateSelect = StateSelect.always, but constraints determine it from other states",
             dae_var_name(d, v, scratch));
        report_equations(d, l->eqs.at, l->eqs.n);
        arena_free(scratch);
        ok = false;
    }
    return ok;
}

static bool choose_levels(Planner *p, Level *l, uint32_t *col_of, bool *is_dummy)
{
    while (l->eqs.n > 0) {
        if (!choose(p, l, col_of) || !always_kept(p, l))
            return false;
        for (uint32_t i = 0; i < l->chosen.n; i++) {
            is_dummy[l->chosen.at[i]] = true;
            vec_push(&p->plan->dummies, l->chosen.at[i]);
        }
        descend(p, l);
    }
    return true;
}

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static bool is_candidate(const Planner *p, VarId v)
{
    return var_is_real(p->dae, v) && p->role.at[v] == ROLE_UNKNOWN && p->next.at[v] == NONE &&
           p->prev.at[v] != NONE;
}

/* parent[i] of the groups of coupled constraints: equations that share a candidate. */
static uint32_t *groups(const Planner *p, const EqVec *eqs)
{
    Dae *d = p->dae;
    uint32_t *parent = memory_alloc(((size_t)eqs->n + 1) * sizeof *parent);
    uint32_t *owner = memory_alloc((size_t)d->vars.n * sizeof *owner);
    for (uint32_t i = 0; i < eqs->n; i++) {
        Term t = d->eqs.at[eqs->at[i]].term;
        parent[i] = i;
        for (uint32_t k = 0; k < t.n; k++) {
            VarId v = dae_op(d, t, k);
            if (!is_candidate(p, v))
                continue;
            if (!owner[v])
                owner[v] = i + 1;
            uint32_t a = find(parent, owner[v] - 1), b = find(parent, i);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    memory_free(owner);
    return parent;
}

typedef struct Member {
    uint32_t group, eq;
} Member;

static int by_group(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->eq > y->eq) - (x->eq < y->eq);
}

static void collect_candidates(const Planner *p, Level *l, uint32_t *col_of)
{
    Dae *d = p->dae;
    vec_clear(&l->candidates);
    for (uint32_t i = 0; i < l->eqs.n; i++) {
        Term t = d->eqs.at[l->eqs.at[i]].term;
        for (uint32_t k = 0; k < t.n; k++) {
            VarId v = dae_op(d, t, k);
            if (is_candidate(p, v) && col_of[v] == NONE) {
                col_of[v] = 0;
                vec_push(&l->candidates, v);
            }
        }
    }
    for (uint32_t j = 0; j < l->candidates.n; j++)
        col_of[l->candidates.at[j]] = NONE;
}

static bool choose_groups(Planner *p, const EqVec *eqs, bool *is_dummy)
{
    uint32_t *parent = groups(p, eqs);
    Member *members = memory_alloc(((size_t)eqs->n + 1) * sizeof *members);
    uint32_t *col_of = memory_alloc((size_t)p->dae->vars.n * sizeof *col_of);
    Level l = {0};
    bool ok = true;
    for (uint32_t v = 0; v < p->dae->vars.n; v++)
        col_of[v] = NONE;
    for (uint32_t i = 0; i < eqs->n; i++)
        members[i] = (Member){find(parent, i), eqs->at[i]};
    qsort(members, eqs->n, sizeof *members, by_group);
    for (uint32_t i = 0; i < eqs->n;) {
        uint32_t group = members[i].group;
        vec_clear(&l.eqs);
        while (i < eqs->n && members[i].group == group)
            vec_push(&l.eqs, members[i++].eq);
        collect_candidates(p, &l, col_of);
        ok &= choose_levels(p, &l, col_of, is_dummy);
    }
    vec_free(&l.eqs);
    vec_free(&l.candidates);
    vec_free(&l.chosen);
    memory_free(parent);
    memory_free(members);
    memory_free(col_of);
    return ok;
}

bool index_select(Planner *p)
{
    Dae *d = p->dae;
    EqVec eqs = {0};
    bool *is_dummy = memory_alloc((size_t)d->vars.n * sizeof *is_dummy), ok = true;
    for (EqId e = 0; e < d->eqs.n; e++)
        if (d->eqs.at[e].origin == DAE_EQ_DERIVED && d->eqs.at[e].der == NONE)
            vec_push(&eqs, e);
    if (eqs.n > 0)
        ok = choose_groups(p, &eqs, is_dummy);
    for (VarId v = 0; ok && v < d->vars.n; v++) {
        VarId der = p->next.at[v];
        if (der == NONE || is_dummy[der])
            continue;
        p->role.at[v] = ROLE_STATE;
        vec_push(&p->plan->states, ((PlanState){v, der}));
    }
    vec_free(&eqs);
    memory_free(is_dummy);
    return ok;
}

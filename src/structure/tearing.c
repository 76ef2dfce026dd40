/* Tearing of algebraic loops.
 *
 * In: real equations of a block. Out: a sequence of explicit steps, and pairs of tearing variables and residual equations. The heuristic is of the
 * kind of Carpanzano (2000) and Cellier: as long as an equation has one unknown left that it can be solved for with a coefficient that is
 * a number or made of parameters, it is; otherwise the unknown that occurs in most of the remaining equations is torn; ties go to the one that fewest
 * equations can be solved for, then by index. An unknown that no equation can be solved for is torn at the start. An equation whose
 * last unknown it cannot be solved for becomes a residual.
 *
 * A long chain of such steps may amplify errors without bound (a ladder network solved from one end). So each unknown carries a bound
 * on its growth: the sum of the growths of what it is computed from, 1 for tearing variables, tenfold where an operand enters by a nonlinear
 * function, which far from the solution may be steep; an equation with one linear operand only passes it on. Beyond a limit the unknown is torn instead. Cost: entries of the incidence times the logarithm of their number.
 *
 * The growth also bounds how many tearing variables an inner unknown depends on. A block that keeps many of them is solved by a sparse
 * factorization, which knows better what to eliminate; there the limit is low, so that residuals stay sparse. */
#include "structure/structure.h"

#include <math.h>

static const double usual_limit = 1e4, sparse_limit = 8, nonlinear_growth = 10;
enum { DENSE_UP_TO = 100, WIDE = 1000 };

typedef struct Candidate { /* for tearing; out of date where degree is no longer that of the column */
    uint32_t degree, solvable, col;
} Candidate;

typedef struct Tear {
    Planner *p;
    const System *s;
    const uint32_t *rows;
    uint32_t n;
    uint32_t *row_ptr, *row_col; /* local incidence by rows */
    uint32_t *col_ptr, *col_row; /* and by columns */
    uint32_t *cols;              /* size n; column of the system */
    uint32_t *left;              /* size n; unknowns of the row not yet found */
    uint32_t *degree;            /* size n; rows of the column not yet used */
    uint32_t *solvable;          /* size n; rows that can be solved for the column */
    bool *row_used, *col_found;
    double *growth;      /* size n */
    double limit;        /* of growth */
    VEC(uint32_t) queue; /* rows with one unknown left */
    uint32_t head;
    VEC(Candidate) heap;
    VEC(uint32_t) torn; /* columns */
} Tear;

/* ---- solving one equation ---- */

static bool divisor_is_safe(Planner *p, const System *s, Term t, ExprId divisor)
{
    uint32_t n;
    double x;
    const uint32_t *holes = symbolic_holes(p->dae->symbolic, divisor, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!system_constant(s, p->dae, dae_op(p->dae, t, holes[i])))
            return false;
    t.shape = divisor;
    return dae_eval(p->dae, t, p->value.at, &x) == EVAL_OK && isfinite(x) && x != 0;
}

static uint32_t hole_of_var(const Dae *d, Term t, VarId v)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (dae_op(d, t, k) == v)
            return k;
    return NONE;
}

bool tearing_solve(Planner *p, const System *s, EqId e, VarId v, PlanStep *step)
{
    Term t = p->dae->eqs.at[e].term;
    uint32_t hole = hole_of_var(p->dae, t, v);
    *step = (PlanStep){.eq = e, .var = v};
    if (p->dae->eqs.at[e].target == v)
        return hole == NONE;
    if (hole == NONE || p->dae->eqs.at[e].target != NONE)
        return false;
    Solution sol = symbolic_solve(p->dae->symbolic, t.shape, hole);
    step->value = sol.value;
    if (sol.kind == SOLVE_UNIT)
        return true;
    if (sol.kind != SOLVE_DIVIDE || !divisor_is_safe(p, s, t, sol.divisor))
        return false;
    step->divisor = sol.divisor;
    return true;
}

/* ---- the heap of candidates ---- */

static bool before(Candidate a, Candidate b)
{
    if (a.degree != b.degree)
        return a.degree > b.degree;
    return a.solvable != b.solvable ? a.solvable < b.solvable : a.col < b.col;
}

static void heap_push(Tear *w, Candidate c)
{
    vec_push(&w->heap, c);
    uint32_t i = w->heap.n - 1;
    for (; i > 0 && before(c, w->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
        w->heap.at[i] = w->heap.at[(i - 1) / 2];
    w->heap.at[i] = c;
}

static Candidate heap_pop(Tear *w)
{
    Candidate top = w->heap.at[0], last = vec_pop(&w->heap);
    uint32_t i = 0, n = w->heap.n;
    while (2 * i + 1 < n) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < n && before(w->heap.at[child + 1], w->heap.at[child]))
            child++;
        if (!before(w->heap.at[child], last))
            break;
        w->heap.at[i] = w->heap.at[child];
        i = child;
    }
    if (n > 0)
        w->heap.at[i] = last;
    return top;
}

/* ---- local incidence ---- */

static void count_entries(Tear *w)
{
    const Incidence *a = &w->s->a;
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = a->ptr[w->rows[i]]; k < a->ptr[w->rows[i] + 1]; k++)
            if (w->p->local[a->var[k]] != NONE)
                nnz++;
    w->row_col = memory_alloc(((size_t)nnz + 1) * sizeof *w->row_col);
    w->col_row = memory_alloc(((size_t)nnz + 1) * sizeof *w->col_row);
    nnz = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t k = a->ptr[w->rows[i]]; k < a->ptr[w->rows[i] + 1]; k++) {
            uint32_t c = w->p->local[a->var[k]];
            if (c == NONE)
                continue;
            w->row_col[nnz++] = c;
            w->degree[c]++;
            PlanStep step;
            w->solvable[c] +=
                tearing_solve(w->p, w->s, w->s->eqs.at[w->rows[i]], w->s->vars.at[w->cols[c]], &step);
        }
        w->row_ptr[i + 1] = nnz;
        w->left[i] = nnz - w->row_ptr[i];
    }
}

static void fill_columns(Tear *w)
{
    for (uint32_t c = 0; c < w->n; c++)
        w->col_ptr[c + 1] = w->col_ptr[c] + w->degree[c];
    uint32_t *at = memory_alloc(((size_t)w->n + 1) * sizeof *at);
    memcpy(at, w->col_ptr, w->n * sizeof *at);
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = w->row_ptr[i]; k < w->row_ptr[i + 1]; k++)
            w->col_row[at[w->row_col[k]]++] = i;
    memory_free(at);
}

static void begin(Tear *w)
{
    size_t n = (size_t)w->n + 1;
    w->row_ptr = memory_alloc(n * sizeof *w->row_ptr);
    w->col_ptr = memory_alloc(n * sizeof *w->col_ptr);
    w->cols = memory_alloc(n * sizeof *w->cols);
    w->left = memory_alloc(n * sizeof *w->left);
    w->degree = memory_alloc(n * sizeof *w->degree);
    w->solvable = memory_alloc(n * sizeof *w->solvable);
    w->row_used = memory_alloc(n);
    w->col_found = memory_alloc(n);
    w->growth = memory_alloc(n * sizeof *w->growth);
    for (uint32_t i = 0; i < w->n; i++) {
        w->cols[i] = w->s->match[w->rows[i]];
        w->p->local[w->cols[i]] = i;
    }
    count_entries(w);
    fill_columns(w);
    for (uint32_t i = 0; i < w->n; i++) {
        heap_push(w, (Candidate){w->degree[i], w->solvable[i], i});
        if (w->left[i] == 1)
            vec_push(&w->queue, i);
    }
}

static void end(Tear *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->p->local[w->cols[i]] = NONE;
    memory_free(w->row_ptr);
    memory_free(w->row_col);
    memory_free(w->col_ptr);
    memory_free(w->col_row);
    memory_free(w->cols);
    memory_free(w->left);
    memory_free(w->degree);
    memory_free(w->solvable);
    memory_free(w->row_used);
    memory_free(w->col_found);
    memory_free(w->growth);
    vec_free(&w->queue);
    vec_free(&w->heap);
    vec_free(&w->torn);
}

/* ---- the heuristic ---- */

static void use_row(Tear *w, uint32_t r)
{
    w->row_used[r] = true;
    for (uint32_t k = w->row_ptr[r]; k < w->row_ptr[r + 1]; k++) {
        uint32_t c = w->row_col[k];
        w->degree[c]--;
        if (!w->col_found[c])
            heap_push(w, (Candidate){w->degree[c], w->solvable[c], c});
    }
}

static void find_column(Tear *w, uint32_t c, double growth)
{
    w->col_found[c] = true;
    w->growth[c] = growth;
    for (uint32_t k = w->col_ptr[c]; k < w->col_ptr[c + 1]; k++)
        if (--w->left[w->col_row[k]] == 1 && !w->row_used[w->col_row[k]])
            vec_push(&w->queue, w->col_row[k]);
}

static void tear_column(Tear *w, uint32_t c)
{
    vec_push(&w->torn, c);
    find_column(w, c, 1);
}

static bool is_following(const Tear *w, uint32_t c)
{
    return w->p->dae->vars.at[w->s->vars.at[w->cols[c]]].kind == DAE_FOLLOWING;
}

/* The one unknown that row r has left, and the growth of the others. */
static uint32_t last_unknown(const Tear *w, uint32_t r, double *growth)
{
    const Dae *d = w->p->dae;
    Term t = d->eqs.at[w->s->eqs.at[w->rows[r]]].term;
    uint32_t last = NONE;
    *growth = 0;
    for (uint32_t k = w->row_ptr[r]; k < w->row_ptr[r + 1]; k++)
        if (!w->col_found[w->row_col[k]])
            last = w->row_col[k];
    for (uint32_t k = 0; k < t.n; k++) {
        uint32_t col = w->s->col[dae_op(d, t, k)], c = col == NONE ? NONE : w->p->local[col];
        if (c == NONE || c == last)
            continue;
        bool nonlinear = t.n <= WIDE && symbolic_linearity(d->symbolic, t.shape, k) == LINEAR_NOT;
        *growth += (nonlinear ? nonlinear_growth : 1) * w->growth[c];
    }
    return last;
}

/* What has grown so far is carried no further: the next equation with it tears again, and the chain starts afresh. */
static void close_chain(Tear *w, uint32_t r)
{
    for (uint32_t k = w->row_ptr[r]; k < w->row_ptr[r + 1]; k++)
        if (w->growth[w->row_col[k]] > w->limit / 4)
            w->growth[w->row_col[k]] = 2 * w->limit;
}

static void take_row(Tear *w, uint32_t r, Torn *out)
{
    double growth;
    PlanStep step;
    if (w->left[r] != 1 || w->row_used[r])
        return;
    uint32_t c = last_unknown(w, r, &growth);
    VarId v = w->s->vars.at[w->cols[c]];
    if (!tearing_solve(w->p, w->s, w->s->eqs.at[w->rows[r]], v, &step))
        return;
    if (growth > w->limit) {
        close_chain(w, r);
        tear_column(w, c);
        return;
    }
    vec_push(&out->steps, step);
    use_row(w, r);
    find_column(w, c, is_following(w, c) ? 0 : growth);
}

/* A following unknown is torn only where nothing else is left. */
static bool tear_next(Tear *w)
{
    uint32_t following = NONE;
    while (w->heap.n > 0) {
        Candidate c = heap_pop(w);
        if (w->col_found[c.col] || c.degree != w->degree[c.col])
            continue;
        if (is_following(w, c.col)) {
            following = c.col;
            continue;
        }
        tear_column(w, c.col);
        return true;
    }
    for (uint32_t c = 0; c < w->n && following == NONE; c++)
        if (!w->col_found[c] && is_following(w, c))
            following = c;
    if (following == NONE)
        return false;
    tear_column(w, following);
    return true;
}

/* Pairs tearing variables with the equations left over, those that hold the variable first. */
static void pair(Tear *w, Torn *out)
{
    bool *paired = memory_alloc((size_t)w->n + 1);
    uint32_t *row_of = memory_alloc(((size_t)w->torn.n + 1) * sizeof *row_of), next = 0;
    for (uint32_t i = 0; i < w->torn.n; i++) {
        uint32_t c = w->torn.at[i];
        row_of[i] = NONE;
        for (uint32_t k = w->col_ptr[c]; k < w->col_ptr[c + 1] && row_of[i] == NONE; k++) {
            uint32_t r = w->col_row[k];
            if (w->row_used[r] || paired[r])
                continue;
            paired[r] = true;
            row_of[i] = r;
        }
    }
    for (uint32_t i = 0; i < w->torn.n; i++) {
        while (row_of[i] == NONE) {
            if (!w->row_used[next] && !paired[next])
                row_of[i] = next;
            next++;
        }
        vec_push(&out->torn,
                 ((PlanTorn){w->s->vars.at[w->cols[w->torn.at[i]]], w->s->eqs.at[w->rows[row_of[i]]]}));
    }
    memory_free(paired);
    memory_free(row_of);
}

static void tear(Planner *p, const System *s, const uint32_t *rows, uint32_t n, double limit, Torn *out)
{
    Tear w = {.p = p, .s = s, .rows = rows, .n = n, .limit = limit};
    begin(&w);
    for (uint32_t c = 0; c < n; c++)
        if (w.solvable[c] == 0)
            tear_column(&w, c);
    do
        while (w.head < w.queue.n)
            take_row(&w, w.queue.at[w.head++], out);
    while (tear_next(&w));
    pair(&w, out);
    end(&w);
}

void tearing_run(Planner *p, const System *s, const uint32_t *rows, uint32_t n, Torn *out)
{
    tear(p, s, rows, n, usual_limit, out);
    if (out->torn.n <= DENSE_UP_TO)
        return;
    vec_clear(&out->steps);
    vec_clear(&out->torn);
    tear(p, s, rows, n, sparse_limit, out);
}

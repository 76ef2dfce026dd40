/* Tearing of algebraic loops.
 *
 * In: real equations of a block. Out: a sequence of explicit steps, and pairs of tearing variables
 * and residual equations. The heuristic follows Carpanzano (2000) and Cellier:
 *
 * 1. An unknown that no equation can be solved for is torn at the start.
 * 2. If an equation has one unknown left, and its coefficient is a number or a parameter
 *    expression, the equation is solved for it.
 * 3. Otherwise the unknown from which most others follow is torn, which is tried out. Of equals,
 *    one with a start value is preferred.
 * 4. In wide blocks, and if no unknown determines another, the unknown in most of the remaining
 *    equations is torn. Ties go to the one that fewest equations can be solved for, then by index.
 * 5. An equation that cannot be solved for its last unknown becomes a residual.
 * 6. Finally, tearing variables that follow from the others are removed.
 *
 * Growth. A long chain of such steps may amplify errors without bound (a ladder network solved
 * from one end). Each unknown has an estimate of its growth: 1 for tearing variables, otherwise the
 * sum of the growths of its operands times their coefficients. Coefficients count within a factor
 * of ten, because larger ones are mostly changes of unit. A nonlinear function counts ten, because
 * it may be steep far from the solution. Beyond a limit, the unknown is torn instead.
 *
 * Wide blocks. The growth also bounds how many tearing variables an inner unknown depends on. A
 * block with many of them is solved by a sparse factorization. There the limit is low and
 * coefficients do not count, so that residuals stay sparse. A plan may also limit tearing
 * everywhere: an iteration over few tearing variables may fail although one over all unknowns
 * converges.
 *
 * Cost: entries of the incidence times the logarithm of their number. In blocks that are not wide,
 * add an attempt with each unknown for each tearing variable. */
#include "structure/blocks/blocks.h"

#include <assert.h>
#include <math.h>

static const double usual_limit = 1e6, sparse_limit = 8, steepest = 10;
enum { DENSE_UP_TO = 100, WIDE = 1000, LOOKAHEAD = 2000, FARTHEST = 200 };

/* for tearing; outdated if degree is no longer that of the column */
typedef struct Candidate {
    uint32_t degree, solvable, col;
} Candidate;

/* Memory that the next block uses again, because a model may have a million small blocks. */
struct TearRoom {
    VEC(uint64_t) words; /* room of the arrays of Tear */
    VEC(uint32_t) queue; /* rows with one unknown left */
    VEC(Candidate) heap;
    VEC(uint32_t) torn;        /* columns */
    VEC(uint32_t) trial;       /* columns that are found temporarily */
    VEC(uint32_t) first, kept; /* columns torn at the start; those that stay */
};

void tearing_free(TearRoom *t)
{
    if (!t)
        return;
    vec_free(&t->words);
    vec_free(&t->queue);
    vec_free(&t->heap);
    vec_free(&t->torn);
    vec_free(&t->trial);
    vec_free(&t->first);
    vec_free(&t->kept);
    memory_free(t);
}

typedef struct Tear {
    Planner *p;
    const System *s;
    const uint32_t *rows;
    uint32_t n;
    uint32_t *row_ptr, *row_col; /* local incidence by rows */
    bool *explicit;              /* per entry of row_col: the row can be solved for the column */
    uint32_t *col_ptr, *col_row; /* and by columns */
    uint32_t *cols;              /* size n; column of the system */
    uint32_t *left;              /* size n; unknowns of the row not yet found */
    uint32_t *degree;            /* size n; rows of the column not yet used */
    uint32_t *solvable;          /* size n; rows that can be solved for the column */
    bool *row_used, *col_found, *paired;
    double *growth; /* size n */
    double limit;   /* of growth */
    uint32_t head;  /* of the queue */
    TearRoom *t;
} Tear;

/* ---- solving one equation ---- */

/* The value of a part of the shape of t that consists of numbers and parameters. False for other
 * parts, or if it is zero or infinite. */
static bool constant_value(Planner *p, const System *s, Term t, ExprId part, double *x)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(p->dae->symbolic, part, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!system_constant(s, p->dae, dae_op(p->dae, t, holes[i])))
            return false;
    t.shape = part;
    return dae_eval(p->dae, t, p->value.at, x) == EVAL_OK && isfinite(*x) && *x != 0;
}

static bool divisor_is_safe(Planner *p, const System *s, Term t, ExprId divisor)
{
    double x;
    return constant_value(p, s, t, divisor, &x);
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
    vec_push(&w->t->heap, c);
    uint32_t i = w->t->heap.n - 1;
    for (; i > 0 && before(c, w->t->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
        w->t->heap.at[i] = w->t->heap.at[(i - 1) / 2];
    w->t->heap.at[i] = c;
}

static Candidate heap_pop(Tear *w)
{
    Candidate top = w->t->heap.at[0], last = vec_pop(&w->t->heap);
    uint32_t i = 0, n = w->t->heap.n;
    while (2 * i + 1 < n) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < n && before(w->t->heap.at[child + 1], w->t->heap.at[child]))
            child++;
        if (!before(w->t->heap.at[child], last))
            break;
        w->t->heap.at[i] = w->t->heap.at[child];
        i = child;
    }
    if (n > 0)
        w->t->heap.at[i] = last;
    return top;
}

/* ---- local incidence ---- */

static uint32_t count_entries(const Tear *w)
{
    const Incidence *a = &w->s->a;
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = a->ptr[w->rows[i]]; k < a->ptr[w->rows[i] + 1]; k++)
            nnz += w->p->local[a->var[k]] != NONE;
    return nnz;
}

static void fill_rows(Tear *w)
{
    const Incidence *a = &w->s->a;
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t k = a->ptr[w->rows[i]]; k < a->ptr[w->rows[i] + 1]; k++) {
            uint32_t c = w->p->local[a->var[k]];
            if (c == NONE)
                continue;
            PlanStep step;
            w->explicit[nnz] = tearing_solve(w->p, w->s, w->s->eqs.at[w->rows[i]],
                                             w->s->vars.at[w->cols[c]], &step);
            w->solvable[c] += w->explicit[nnz];
            w->row_col[nnz++] = c;
            w->degree[c]++;
        }
        w->row_ptr[i + 1] = nnz;
    }
}

static void fill_columns(Tear *w)
{
    for (uint32_t c = 0; c < w->n; c++)
        w->col_ptr[c + 1] = w->col_ptr[c] + w->degree[c];
    uint32_t *at = w->left; /* not yet in use */
    memcpy(at, w->col_ptr, w->n * sizeof *at);
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t k = w->row_ptr[i]; k < w->row_ptr[i + 1]; k++)
            w->col_row[at[w->row_col[k]]++] = i;
}

/* `count` zeroed items of a size, from the next free words of the room. */
static void *take(uint64_t **at, size_t count, size_t size)
{
    void *p = *at;
    *at += (count * size + 7) / 8;
    return p;
}

static void make_room(Tear *w, uint32_t nnz)
{
    size_t n = (size_t)w->n + 1, m = (size_t)nnz + 1, words = 7 * n + 3 * m + 12;
    vec_reserve(&w->t->words, words);
    memset(w->t->words.at, 0, words * sizeof *w->t->words.at);
    uint64_t *at = w->t->words.at;
    w->growth = take(&at, n, sizeof *w->growth);
    w->row_ptr = take(&at, n, sizeof *w->row_ptr);
    w->col_ptr = take(&at, n, sizeof *w->col_ptr);
    w->cols = take(&at, n, sizeof *w->cols);
    w->left = take(&at, n, sizeof *w->left);
    w->degree = take(&at, n, sizeof *w->degree);
    w->solvable = take(&at, n, sizeof *w->solvable);
    w->row_col = take(&at, m, sizeof *w->row_col);
    w->col_row = take(&at, m, sizeof *w->col_row);
    w->row_used = take(&at, n, sizeof *w->row_used);
    w->col_found = take(&at, n, sizeof *w->col_found);
    w->paired = take(&at, n, sizeof *w->paired);
    w->explicit = take(&at, m, sizeof *w->explicit);
    assert(at <= w->t->words.at + words);
}

static void begin(Tear *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->p->local[w->s->match[w->rows[i]]] = i;
    make_room(w, count_entries(w));
    for (uint32_t i = 0; i < w->n; i++)
        w->cols[i] = w->s->match[w->rows[i]];
    fill_rows(w);
    fill_columns(w);
}

/* Nothing is found yet. */
static void start(Tear *w, Torn *out)
{
    vec_clear(&w->t->queue);
    vec_clear(&w->t->heap);
    vec_clear(&w->t->torn);
    vec_clear(&out->steps);
    w->head = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        w->row_used[i] = w->col_found[i] = false;
        w->degree[i] = w->col_ptr[i + 1] - w->col_ptr[i];
        w->left[i] = w->row_ptr[i + 1] - w->row_ptr[i];
        heap_push(w, (Candidate){w->degree[i], w->solvable[i], i});
        if (w->left[i] == 1)
            vec_push(&w->t->queue, i);
    }
}

static void end(Tear *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->p->local[w->cols[i]] = NONE;
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
            vec_push(&w->t->queue, w->col_row[k]);
}

static void tear_column(Tear *w, uint32_t c)
{
    vec_push(&w->t->torn, c);
    find_column(w, c, 1);
}

static bool is_following(const Tear *w, uint32_t c)
{
    return w->p->dae->vars.at[w->s->vars.at[w->cols[c]]].kind == DAE_FOLLOWING;
}

/* Size of the coefficient of operand k. INFINITY if the term is nonlinear in it. 1 if it depends on
 * variables, or if growth only counts tearing variables. */
static double coefficient(const Tear *w, Term t, uint32_t k)
{
    Symbolic *symbolic = w->p->dae->symbolic;
    Linearity linearity = t.n <= WIDE ? symbolic_linearity(symbolic, t.shape, k) : LINEAR_UNIT;
    if (linearity == LINEAR_NOT)
        return INFINITY;
    bool counts = linearity != LINEAR_UNIT && w->limit > sparse_limit;
    ExprId e = counts ? symbolic_diff(symbolic, t.shape, k) : EXPR_NONE;
    double x;
    return e != EXPR_NONE && constant_value(w->p, w->s, t, e, &x) ? fabs(x) : 1;
}

/* The one unknown that row r has left, and its growth from that of the others. */
static uint32_t last_unknown(const Tear *w, uint32_t r, double *growth)
{
    const Dae *d = w->p->dae;
    const DaeEq *e = &d->eqs.at[w->s->eqs.at[w->rows[r]]];
    uint32_t last = NONE;
    *growth = 0;
    for (uint32_t k = w->row_ptr[r]; k < w->row_ptr[r + 1]; k++)
        if (!w->col_found[w->row_col[k]])
            last = w->row_col[k];
    uint32_t hole = hole_of_var(d, e->term, w->s->vars.at[w->cols[last]]);
    double own = hole == NONE ? 1 : coefficient(w, e->term, hole);
    for (uint32_t k = 0; k < e->term.n; k++) {
        uint32_t col = w->s->col[dae_op(d, e->term, k)], c = col == NONE ? NONE : w->p->local[col];
        if (c != NONE && c != last)
            *growth +=
                w->growth[c] * fmin(fmax(coefficient(w, e->term, k) / own, 1 / steepest), steepest);
    }
    return last;
}

/* The growth so far ends here: the next equation with it tears again, and a new chain starts. */
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

/* ---- the gain of a tearing variable ---- */

/* The only unknown left in row r, if the row can be solved for it; otherwise NONE. */
static uint32_t explicit_for(const Tear *w, uint32_t r)
{
    for (uint32_t k = w->row_ptr[r]; k < w->row_ptr[r + 1]; k++)
        if (!w->col_found[w->row_col[k]])
            return w->explicit[k] ? w->row_col[k] : NONE;
    return NONE;
}

static void try_column(Tear *w, uint32_t c)
{
    w->col_found[c] = true;
    vec_push(&w->t->trial, c);
}

/* How many unknowns follow one after the other once column c is known; the count stops at a
 * limit. */
static uint32_t gain(Tear *w, uint32_t c)
{
    vec_clear(&w->t->trial);
    try_column(w, c);
    for (uint32_t i = 0; i < w->t->trial.n && i < FARTHEST; i++)
        for (uint32_t at = w->t->trial.at[i], k = w->col_ptr[at]; k < w->col_ptr[at + 1]; k++) {
            uint32_t r = w->col_row[k];
            uint32_t next = --w->left[r] == 1 && !w->row_used[r] ? explicit_for(w, r) : NONE;
            if (next != NONE)
                try_column(w, next);
        }
    for (uint32_t i = 0; i < w->t->trial.n; i++) {
        uint32_t at = w->t->trial.at[i];
        w->col_found[at] = false;
        for (uint32_t k = w->col_ptr[at]; i < FARTHEST && k < w->col_ptr[at + 1]; k++)
            w->left[w->col_row[k]]++;
    }
    return w->t->trial.n - 1;
}

static bool has_start(const Tear *w, uint32_t c)
{
    return w->p->dae->vars.at[w->s->vars.at[w->cols[c]]].has_start;
}

/* Of two with equal gain: whether c is better. A given start value means that the modeller knows
 * its rough value. */
static bool serves_better(const Tear *w, uint32_t c, uint32_t other)
{
    bool knows = has_start(w, c);
    return knows != has_start(w, other) ? knows : w->degree[c] > w->degree[other];
}

/* The unknown with the largest gain; NONE if none has any. */
static uint32_t best_column(Tear *w)
{
    uint32_t best = NONE, most = 0;
    for (uint32_t c = 0; c < w->n; c++) {
        if (w->col_found[c] || is_following(w, c))
            continue;
        uint32_t here = gain(w, c);
        if (here > most || (here == most && best != NONE && serves_better(w, c, best))) {
            best = c;
            most = here;
        }
    }
    return best;
}

static bool looks_ahead(const Tear *w)
{
    return w->limit > sparse_limit && w->n <= LOOKAHEAD;
}

/* A following unknown is torn only if nothing else is left. */
static bool tear_next(Tear *w)
{
    uint32_t following = NONE, best = looks_ahead(w) ? best_column(w) : NONE;
    if (best != NONE) {
        tear_column(w, best);
        return true;
    }
    while (w->t->heap.n > 0) {
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

/* ---- tearing variables that are redundant because of later ones ---- */

static void find_in_trial(Tear *w, uint32_t c)
{
    if (!w->col_found[c])
        try_column(w, c);
}

/* Whether all unknowns follow from the n columns except the one at `skip`, by a chain of any
 * length. */
static bool determine(Tear *w, const uint32_t *columns, uint32_t n, uint32_t skip)
{
    vec_clear(&w->t->trial);
    memset(w->col_found, 0, w->n);
    for (uint32_t r = 0; r < w->n; r++)
        w->left[r] = w->row_ptr[r + 1] - w->row_ptr[r];
    for (uint32_t i = 0; i < n; i++)
        if (i != skip)
            try_column(w, columns[i]);
    for (uint32_t r = 0; r < w->n; r++) {
        uint32_t c = w->left[r] == 1 ? explicit_for(w, r) : NONE;
        if (c != NONE)
            find_in_trial(w, c);
    }
    for (uint32_t i = 0; i < w->t->trial.n; i++)
        for (uint32_t at = w->t->trial.at[i], k = w->col_ptr[at]; k < w->col_ptr[at + 1]; k++) {
            uint32_t r = w->col_row[k], next = --w->left[r] == 1 ? explicit_for(w, r) : NONE;
            if (next != NONE)
                find_in_trial(w, next);
        }
    return w->t->trial.n == w->n;
}

/* Removes columns that the others make redundant, those without a start value first. Returns how
 * many stay. */
static uint32_t without_needless(Tear *w, uint32_t *columns, uint32_t n)
{
    for (int known = 0; known < 2; known++)
        for (uint32_t i = n; i-- > 0;) {
            bool candidate = has_start(w, columns[i]) == (known == 1);
            if (!candidate || !determine(w, columns, n, i))
                continue;
            n--;
            memmove(&columns[i], &columns[i + 1], (n - i) * sizeof *columns);
        }
    return n;
}

/* Pairs tearing variables with the remaining equations, those that contain the variable first. */
static void pair(Tear *w, Torn *out)
{
    bool *paired = w->paired;
    uint32_t *row_of = w->left, next = 0; /* not in use any more */
    for (uint32_t i = 0; i < w->t->torn.n; i++) {
        uint32_t c = w->t->torn.at[i];
        row_of[i] = NONE;
        for (uint32_t k = w->col_ptr[c]; k < w->col_ptr[c + 1] && row_of[i] == NONE; k++) {
            uint32_t r = w->col_row[k];
            if (w->row_used[r] || paired[r])
                continue;
            paired[r] = true;
            row_of[i] = r;
        }
    }
    for (uint32_t i = 0; i < w->t->torn.n; i++) {
        while (row_of[i] == NONE) {
            if (!w->row_used[next] && !paired[next])
                row_of[i] = next;
            next++;
        }
        vec_push(&out->torn, ((PlanTorn){w->s->vars.at[w->cols[w->t->torn.at[i]]],
                                         w->s->eqs.at[w->rows[row_of[i]]]}));
    }
}

static void run(Tear *w, const uint32_t *forced, uint32_t n, Torn *out)
{
    start(w, out);
    for (uint32_t i = 0; i < n; i++)
        tear_column(w, forced[i]);
    do
        while (w->head < w->t->queue.n)
            take_row(w, w->t->queue.at[w->head++], out);
    while (tear_next(w));
}

static void tear(Planner *p, const System *s, const uint32_t *rows, uint32_t n, double limit,
                 Torn *out)
{
    TearRoom *t = p->tearing = p->tearing ? p->tearing : memory_alloc(sizeof *t);
    Tear w = {.p = p, .s = s, .rows = rows, .n = n, .limit = limit, .t = t};
    vec_clear(&t->first);
    vec_clear(&t->kept);
    begin(&w);
    for (uint32_t c = 0; c < n; c++)
        if (w.solvable[c] == 0)
            vec_push(&t->first, c);
    run(&w, t->first.at, t->first.n, out);
    for (uint32_t i = 0; i < t->torn.n; i++)
        vec_push(&t->kept, t->torn.at[i]);
    t->kept.n = looks_ahead(&w) ? without_needless(&w, t->kept.at, t->kept.n) : t->kept.n;
    if (t->kept.n < t->torn.n) {
        uint32_t most = t->torn.n;
        run(&w, t->kept.at, t->kept.n, out);
        if (t->torn.n >= most) /* without it, the others follow by too long a chain */
            run(&w, t->first.at, t->first.n, out);
    }
    pair(&w, out);
    end(&w);
}

void tearing_run(Planner *p, const System *s, const uint32_t *rows, uint32_t n, Torn *out)
{
    if (!p->options.sparing) {
        tear(p, s, rows, n, usual_limit, out);
        if (out->torn.n <= DENSE_UP_TO)
            return;
        vec_clear(&out->torn);
    }
    tear(p, s, rows, n, sparse_limit, out);
}

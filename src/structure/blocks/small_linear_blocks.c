/* Small linear blocks in closed form.
 *
 * In: a torn block with parameter coefficients, one or two tearing variables and few steps. Out:
 * the same block as explicit steps.
 *
 * The inner steps are substituted into the residual equations. These are solved for the tearing
 * variables one after the other, by the coefficient that is largest at the model's settings. Each
 * becomes an equation of its own (DAE_EQ_SOLVED); values then follow in the reverse order. Results
 * are found again by shapes and the pattern of operands, so that one of many similar blocks is
 * computed. A block stays torn if a coefficient vanishes or nearly cancels, or if an expression
 * would grow too large. */
#include "structure/blocks/blocks.h"

#include <math.h>

enum { MOST_TORN = 2, MOST_STEPS = 8, MOST_OPERANDS = 40, MOST_SIZE = 120 };

/* of a sum, relative to its terms, for it to count as not zero */
static const double least_rest = 1e-9;

typedef struct Composed { /* a residual with steps put into it */
    uint32_t words, n_words;
    /* over the operands in order of first occurrence; EXPR_NONE if it is too large */
    ExprId shape;
    uint32_t next; /* with the same hash, or NONE */
} Composed;

typedef struct MadeEquation { /* an equation that was made from a residual */
    EqId eq;                  /* NONE: none */
    VarId var;                /* that it gives */
} MadeEquation;

struct Eliminate {
    Map table; /* hash → entry */
    VEC(Composed) entries;
    VEC(uint32_t) words;
    VEC(uint32_t) read;     /* words of the composition at hand */
    VEC(VarId) ops;         /* its operands */
    VEC(ExprId) values;     /* per operand: the expression that takes its place, or EXPR_NONE */
    VEC(MadeEquation) made; /* per residual equation */
};

Eliminate *eliminate_new(void)
{
    return memory_alloc(sizeof(Eliminate));
}

void eliminate_free(Eliminate *w)
{
    if (!w)
        return;
    map_free(&w->table);
    vec_free(&w->made);
    vec_free(&w->entries);
    vec_free(&w->words);
    vec_free(&w->read);
    vec_free(&w->ops);
    vec_free(&w->values);
    memory_free(w);
}

/* ---- composition ---- */

typedef VEC(PlanStep) Steps;

static uint32_t place_of(Eliminate *w, VarId v)
{
    for (uint32_t i = 0; i < w->ops.n; i++)
        if (w->ops.at[i] == v)
            return i;
    vec_push(&w->ops, v);
    return w->ops.n - 1;
}

static void read_term(Eliminate *w, const Dae *d, ExprId shape, Term t)
{
    vec_push(&w->read, shape);
    vec_push(&w->read, t.n);
    for (uint32_t k = 0; k < t.n && w->ops.n <= MOST_OPERANDS; k++)
        vec_push(&w->read, place_of(w, dae_op(d, t, k)));
}

static ExprId step_shape(const Dae *d, const PlanStep *s)
{
    return s->value != EXPR_NONE ? s->value : d->eqs.at[s->eq].term.shape;
}

/* False if there are too many operands. */
static bool read_all(Eliminate *w, const Dae *d, const Steps *steps, EqId residual)
{
    vec_clear(&w->read);
    vec_clear(&w->ops);
    for (uint32_t i = 0; i < steps->n; i++) {
        const PlanStep *s = &steps->at[i];
        read_term(w, d, step_shape(d, s), d->eqs.at[s->eq].term);
        vec_push(&w->read, place_of(w, s->var));
    }
    read_term(w, d, d->eqs.at[residual].term.shape, d->eqs.at[residual].term);
    return w->ops.n <= MOST_OPERANDS;
}

static uint64_t hash_words(const Eliminate *w)
{
    uint64_t h = w->read.n;
    for (uint32_t i = 0; i < w->read.n; i++)
        h = hash_mix(h, w->read.at[i]);
    return h >> 1;
}

static uint32_t find_composed(const Eliminate *w, uint64_t hash)
{
    uint32_t k = map_get(&w->table, hash);
    for (; k != MAP_NONE; k = w->entries.at[k].next) {
        const Composed *x = &w->entries.at[k];
        if (x->n_words == w->read.n &&
            !memcmp(w->words.at + x->words, w->read.at, w->read.n * sizeof *w->read.at))
            return k;
    }
    return NONE;
}

typedef struct Rename {
    const Eliminate *w;
    const Dae *d;
    Term t;
} Rename;

static ExprId put_in(void *user, Graph *g, ExprId e)
{
    const Rename *r = user;
    if (expr_op(g, e) != OP_HOLE)
        return EXPR_NONE;
    VarId v = dae_op(r->d, r->t, expr_index(g, e));
    uint32_t at = 0;
    while (r->w->ops.at[at] != v)
        at++;
    return r->w->values.at[at] ? r->w->values.at[at] : expr_leaf(g, OP_HOLE, expr_type(g, e), at);
}

typedef struct Sizes {
    const Graph *g;
    Map of; /* node → operators of its text, shared ones counted at each occurrence */
    uint32_t last;
} Sizes;

static void add_size(void *user, ExprId e)
{
    Sizes *s = user;
    uint32_t size = 1;
    for (uint32_t i = 0; i < expr_n(s->g, e) && size <= MOST_SIZE; i++)
        size += map_get(&s->of, expr_arg(s->g, e, i));
    s->last = size > MOST_SIZE ? MOST_SIZE + 1 : size;
    map_put(&s->of, e, s->last);
}

static bool too_large(const Graph *g, ExprId e)
{
    Sizes s = {.g = g};
    expr_walk(g, e, add_size, &s);
    map_free(&s.of);
    return s.last > MOST_SIZE;
}

static ExprId compose(Eliminate *w, Dae *d, const Steps *steps, EqId residual)
{
    vec_clear(&w->values);
    for (uint32_t i = 0; i < w->ops.n; i++)
        vec_push(&w->values, EXPR_NONE);
    Rename r = {.w = w, .d = d};
    for (uint32_t i = 0; i < steps->n; i++) {
        const PlanStep *s = &steps->at[i];
        r.t = d->eqs.at[s->eq].term;
        ExprId value = expr_map(d->g, step_shape(d, s), put_in, &r);
        if (too_large(d->g, value))
            return EXPR_NONE;
        w->values.at[place_of(w, s->var)] = value;
    }
    r.t = d->eqs.at[residual].term;
    ExprId e = expr_map(d->g, r.t.shape, put_in, &r);
    return too_large(d->g, e) ? EXPR_NONE : e;
}

/* The residual with the steps put into it. False if that grows too large. */
static bool composed_term(Eliminate *w, Dae *d, const Steps *steps, EqId residual, Term *out)
{
    if (!read_all(w, d, steps, residual))
        return false;
    uint64_t hash = hash_words(w);
    uint32_t k = find_composed(w, hash);
    if (k == NONE) {
        Composed x = {.words = w->words.n, .n_words = w->read.n, .next = map_get(&w->table, hash)};
        for (uint32_t i = 0; i < w->read.n; i++)
            vec_push(&w->words, w->read.at[i]);
        x.shape = compose(w, d, steps, residual);
        k = w->entries.n;
        vec_push(&w->entries, x);
        map_put(&w->table, hash, k);
    }
    if (w->entries.at[k].shape == EXPR_NONE)
        return false;
    *out = dae_term(d, w->entries.at[k].shape, w->ops.at, w->ops.n);
    return true;
}

/* ---- solving ---- */

/* Value of a divisor at the model's settings; 0 if it cannot be evaluated, or is only the rounding
 * error of a sum. */
static double divisor_value(const Planner *p, Term t, ExprId divisor)
{
    const Graph *g = p->dae->g;
    double x, part, sum = 0;
    t.shape = divisor;
    if (dae_eval(p->dae, t, p->value.at, &x) != EVAL_OK || !isfinite(x))
        return 0;
    if (expr_op(g, divisor) != OP_ADD)
        return fabs(x);
    for (uint32_t i = 0; i < expr_n(g, divisor); i++) {
        t.shape = expr_arg(g, divisor, i);
        if (dae_eval(p->dae, t, p->value.at, &part) != EVAL_OK)
            return 0;
        sum += fabs(part);
    }
    return fabs(x) > least_rest * sum ? fabs(x) : 0;
}

static bool only_constants(const Planner *p, const System *s, Term t, ExprId e)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(p->dae->symbolic, e, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!system_constant(s, p->dae, dae_op(p->dae, t, holes[i])))
            return false;
    return true;
}

/* Solves 0 = t for the variable with the largest coefficient among torn[0 … n) not yet found. */
static bool solve_for_best(Planner *p, const System *s, Term t, const PlanTorn *torn,
                           const bool *found, uint32_t n, uint32_t *which, PlanStep *step)
{
    Dae *d = p->dae;
    double best = 0;
    for (uint32_t j = 0; j < n; j++) {
        uint32_t hole = 0;
        while (hole < t.n && dae_op(d, t, hole) != torn[j].var)
            hole++;
        if (found[j] || hole == t.n)
            continue;
        Solution sol = symbolic_solve(d->symbolic, t.shape, hole);
        double size = 0;
        if (sol.kind == SOLVE_UNIT ||
            (sol.kind == SOLVE_DIVIDE && only_constants(p, s, t, sol.divisor))) {
            ExprId c = n > 1 || sol.kind == SOLVE_DIVIDE ? symbolic_diff(d->symbolic, t.shape, hole)
                                                         : EXPR_NONE;
            size = c == EXPR_NONE ? sol.kind == SOLVE_UNIT : divisor_value(p, t, c);
        }
        if (!(size > best))
            continue;
        best = size;
        *which = j;
        *step = (PlanStep){NONE, torn[j].var, sol.value,
                           sol.kind == SOLVE_DIVIDE ? sol.divisor : EXPR_NONE};
    }
    return best > 0;
}

static bool same_term(const Dae *d, Term a, Term b)
{
    return a.shape == b.shape && a.n == b.n &&
           !memcmp(d->ops.at + a.ops, d->ops.at + b.ops, a.n * sizeof *d->ops.at);
}

/* The equation 0 = t, made from a residual; the existing one if the main sequence has it already.
 */
static EqId solved_equation(Eliminate *w, Dae *d, EqId residual, VarId v, Term t)
{
    while (w->made.n <= residual)
        vec_push(&w->made, ((MadeEquation){NONE, NONE}));
    MadeEquation known = w->made.at[residual];
    if (known.var == v && known.eq < d->eqs.n && d->eqs.at[known.eq].of == residual &&
        same_term(d, d->eqs.at[known.eq].term, t)) {
        d->ops.n = t.ops;
        return known.eq;
    }
    DaeEq e = d->eqs.at[residual];
    e.term = t;
    e.origin = DAE_EQ_SOLVED;
    e.of = residual;
    e.der = NONE;
    vec_push(&d->eqs, e);
    w->made.at[residual] = (MadeEquation){d->eqs.n - 1, v};
    return d->eqs.n - 1;
}

static bool is_small(const Dae *d, const Torn *t)
{
    if (t->torn.n == 0 || t->torn.n > MOST_TORN || t->steps.n > MOST_STEPS ||
        t->torn.n + t->steps.n == 1)
        return false;
    for (uint32_t i = 0; i < t->torn.n; i++)
        if (d->eqs.at[t->torn.at[i].eq].target != NONE)
            return false;
    return true;
}

static void prepend(Steps *steps, PlanStep s)
{
    vec_push(steps, s);
    memmove(steps->at + 1, steps->at, (steps->n - 1) * sizeof *steps->at);
    steps->at[0] = s;
}

bool eliminate_run(Planner *p, const System *s, Torn *t)
{
    Dae *d = p->dae;
    bool found[MOST_TORN] = {false}, ok = is_small(d, t);
    uint32_t n_eqs = d->eqs.n, n_ops = d->ops.n;
    Steps steps = {0};
    for (uint32_t i = 0; ok && i < t->steps.n; i++)
        vec_push(&steps, t->steps.at[i]);
    for (uint32_t i = 0; ok && i < t->torn.n; i++) {
        Term term = {0};
        PlanStep step = {0};
        uint32_t which = 0;
        EqId residual = t->torn.at[i].eq;
        ok = composed_term(p->eliminate, d, &steps, residual, &term) &&
             solve_for_best(p, s, term, t->torn.at, found, t->torn.n, &which, &step);
        if (!ok)
            break;
        found[which] = true;
        step.eq = solved_equation(p->eliminate, d, residual, step.var, term);
        prepend(&steps, step);
    }
    if (ok) {
        vec_clear(&t->steps);
        for (uint32_t i = 0; i < steps.n; i++)
            vec_push(&t->steps, steps.at[i]);
    } else {
        d->eqs.n = n_eqs;
        d->ops.n = n_ops;
    }
    vec_free(&steps);
    return ok;
}

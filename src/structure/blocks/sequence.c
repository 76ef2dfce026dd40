/* From a matched system to blocks of the plan: sorting, classification, mixed blocks.
 *
 * In: System with a complete matching. Out: blocks appended to the plan, each after those it
 * depends on. Blocks of one level of dependency are ordered by shape and index of their first
 * equation. So runs of similar equations can be emitted as loops. */
#include "structure/blocks/blocks.h"

#include <math.h>
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

/* Whether the equation only says that two variables are equal, or one the negative of the other. */
static bool only_connects(const Dae *d, EqId e)
{
    const DaeEq *q = &d->eqs.at[e];
    const Graph *g = d->g;
    ExprId s = q->term.shape;
    if (q->term.n + (q->target != NONE) != 2)
        return false;
    if (q->target == NONE && (expr_op(g, s) != OP_ADD || expr_n(g, s) != 2))
        return false;
    for (uint32_t i = 0; i < (q->target == NONE ? 2u : 1u); i++) {
        ExprId x = q->target == NONE ? expr_arg(g, s, i) : s;
        x = expr_op(g, x) == OP_NEG ? expr_arg(g, x, 0) : x;
        if (expr_op(g, x) != OP_HOLE)
            return false;
    }
    return true;
}

enum { CONDITION_DEPTH = 32 };

/* An expression over parameters in a condition. */
typedef struct ConditionConstant {
    Term term;
    double value;
} ConditionConstant;

typedef struct Conditions {
    const Dae *d;
    const EqId *defines; /* per variable: the equation that defines it; NONE: there is none */
    const Planner *p;
    VEC(ConditionConstant) constants; /* whose values were looked at */
} Conditions;

static uint64_t value_key(Conditions *c, VarId v, unsigned depth);
static uint64_t relation_key(Conditions *c, const DaeRelation *r, bool inverse, unsigned depth);

static uint64_t expression_key(Conditions *c, Term t, ExprId e, bool negative, unsigned depth);
static uint64_t logic_key(Conditions *c, Term t, ExprId e, unsigned depth);

/* The sum for all operands of `and`, or of `or`, in any order. */
static uint64_t operands_key(Conditions *c, Term t, ExprId e, ExprOp op, unsigned depth)
{
    const Graph *g = c->d->g;
    uint64_t sum = 0;
    if (expr_op(g, e) != op)
        return logic_key(c, t, e, depth);
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        sum += operands_key(c, t, expr_arg(g, e, i), op, depth + 1);
    return sum;
}

/* Of a Boolean expression of the term. */
static uint64_t logic_key(Conditions *c, Term t, ExprId e, unsigned depth)
{
    const Graph *g = c->d->g;
    ExprOp op = expr_op(g, e);
    if (depth >= CONDITION_DEPTH)
        return hash_mix(3, e);
    if (op == OP_HOLE)
        return value_key(c, dae_op(c->d, t, expr_index(g, e)), depth);
    if (op == OP_NOT && expr_op(g, expr_arg(g, e, 0)) == OP_HOLE) {
        const DaeVar *x = &c->d->vars.at[dae_op(c->d, t, expr_index(g, expr_arg(g, e, 0)))];
        if (x->kind == DAE_RELATION)
            return relation_key(c, &c->d->relations.at[x->detail], true, depth);
    }
    if (op == OP_AND || op == OP_OR)
        return hash_mix(16 + (op == OP_OR), operands_key(c, t, e, op, depth));
    return expression_key(c, t, e, false, depth);
}

static uint64_t term_key(Conditions *c, Term t, unsigned depth)
{
    return logic_key(c, t, t.shape, depth);
}

/* ---- constants in conditions ---- */

static bool is_known_parameter(const Conditions *c, VarId v)
{
    const DaeVar *x = &c->d->vars.at[v];
    return x->kind == DAE_PARAMETER && x->alias == NONE &&
           (x->type == DAE_REAL || x->type == DAE_INT) && !(v < c->p->n_late && c->p->late[v]);
}

/* Whether an expression of the term is a number that parameters alone determine. */
static bool constant_value(const Conditions *c, Term t, ExprId e, double *value)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(c->d->symbolic, e, &n);
    ExprOp op = expr_op(c->d->g, e);
    if (n ? expr_type(c->d->g, e) != T_REAL && expr_type(c->d->g, e) != T_INT
          : op != OP_REAL && op != OP_INT)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!is_known_parameter(c, dae_op(c->d, t, holes[i])))
            return false;
    t.shape = e;
    return dae_eval(c->d, t, c->p->value.at, value) == EVAL_OK && isfinite(*value);
}

/* Constants of the same value count as the same. */
static uint64_t constant_key(Conditions *c, Term t, ExprId e, double value, bool negative)
{
    uint64_t bits;
    t.shape = e;
    vec_push(&c->constants, ((ConditionConstant){t, value}));
    value = negative ? 0 - value : value + 0; /* one zero */
    memcpy(&bits, &value, sizeof bits);
    return hash_mix(10, bits);
}

/* The sum of the constant summands counts. */
static uint64_t sum_key(Conditions *c, Term t, ExprId e, bool negative, unsigned depth)
{
    Graph *g = c->d->g;
    ExprId constant = expr_real(g, 0);
    uint64_t key = 0;
    double value;
    for (uint32_t i = 0; i < expr_n(g, e); i++) {
        ExprId a = expr_arg(g, e, i);
        if (constant_value(c, t, a, &value))
            constant = expr_add(g, constant, a);
        else
            key += expression_key(c, t, a, negative, depth + 1);
    }
    if (constant_value(c, t, constant, &value))
        key += constant_key(c, t, constant, value, negative);
    return hash_mix(11, key);
}

/* Of an expression of the term, or of its negative. The order of summands does not matter. */
static uint64_t expression_key(Conditions *c, Term t, ExprId e, bool negative, unsigned depth)
{
    const Graph *g = c->d->g;
    ExprOp op = expr_op(g, e);
    double value;
    if (op == OP_NEG)
        return expression_key(c, t, expr_arg(g, e, 0), !negative, depth);
    if (constant_value(c, t, e, &value))
        return constant_key(c, t, e, value, negative);
    if (depth >= CONDITION_DEPTH)
        return hash_mix(negative, e);
    if (op == OP_HOLE)
        return hash_mix(8 + negative, value_key(c, dae_op(c->d, t, expr_index(g, e)), depth));
    if (op == OP_ADD)
        return sum_key(c, t, e, negative, depth);
    uint64_t key = hash_mix(12 + negative, expr_n(g, e) ? op : e);
    if (expr_n(g, e)) /* the function of a call */
        key = hash_mix(key, expr_index(g, e));
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        key = hash_mix(key, expression_key(c, t, expr_arg(g, e, i), false, depth + 1));
    return key;
}

/* a < b is b > a, and `not a <= b` is a > b. */
static uint64_t relation_key(Conditions *c, const DaeRelation *r, bool inverse, unsigned depth)
{
    bool less = r->op == OP_LT || r->op == OP_LE, equal = r->op == OP_GE || r->op == OP_LE;
    return hash_mix(14 + (equal != inverse),
                    expression_key(c, r->z, r->z.shape, less != inverse, depth));
}

/* The other variable of an equation that says it equals v, or NONE. */
static VarId equal_to(const Dae *d, const DaeEq *q, VarId v)
{
    const Graph *g = d->g;
    ExprId s = q->term.shape;
    uint32_t negative = 0;
    if (!only_connects(d, (EqId)(q - d->eqs.at)))
        return NONE;
    for (uint32_t i = 0; q->target == NONE && i < 2; i++)
        negative += expr_op(g, expr_arg(g, s, i)) == OP_NEG;
    if (q->target != NONE)
        return expr_op(g, s) == OP_HOLE ? dae_op(d, q->term, 0) : NONE;
    return negative == 1 ? dae_op(d, q->term, dae_op(d, q->term, 0) == v) : NONE;
}

/* The same for a Real that its equation computes from variables that are no such Reals. */
static uint64_t real_key(Conditions *c, VarId v, unsigned depth)
{
    const Dae *d = c->d;
    const DaeEq *q = &d->eqs.at[c->defines[v]];
    VarId other = equal_to(d, q, v);
    if (other != NONE)
        return value_key(c, other, depth);
    uint64_t key = hash_mix(5 + (q->target == v), q->term.shape);
    for (uint32_t k = 0; k < q->term.n; k++) {
        VarId op = dae_op(d, q->term, k);
        key = hash_mix(key, op == v ? 0 : value_key(c, op, depth));
    }
    return key;
}

/* A number that is the same for variables that always have the same value, because their equations
 * are the same. */
static uint64_t value_key(Conditions *c, VarId v, unsigned depth)
{
    const Dae *d = c->d;
    const DaeVar *x = &d->vars.at[v];
    if (depth >= CONDITION_DEPTH)
        return hash_mix(1, v);
    if (x->kind == DAE_RELATION) {
        return relation_key(c, &d->relations.at[x->detail], false, depth + 1);
    }
    if (x->kind == DAE_SAMPLE) {
        const DaeSample *p = &d->samples.at[x->detail];
        uint64_t start = expression_key(c, p->start, p->start.shape, false, depth + 1);
        return hash_mix(hash_mix(4, start),
                        expression_key(c, p->interval, p->interval.shape, false, depth + 1));
    }
    if (c->defines[v] == NONE)
        return hash_mix(1, v);
    return var_is_real(d, v) ? real_key(c, v, depth + 1)
                             : term_key(c, d->eqs.at[c->defines[v]].term, depth + 1);
}

/* The only continuous unknown of an equation, or NONE. */
static VarId only_real(const Dae *d, const DaeEq *q)
{
    VarId only = q->target != NONE && var_is_real(d, q->target) ? q->target : NONE;
    for (uint32_t k = 0; k < q->term.n; k++) {
        VarId v = dae_op(d, q->term, k);
        if (!var_is_real(d, v) || v == only)
            continue;
        if (only != NONE)
            return NONE;
        only = v;
    }
    return only;
}

/* The equations that define discrete variables at all times, and Reals from known variables. */
static EqId *find_definitions(const Dae *d)
{
    EqId *defines = memory_alloc(d->vars.n * sizeof *defines);
    for (VarId v = 0; v < d->vars.n; v++)
        defines[v] = NONE;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *q = &d->eqs.at[e];
        if (q->target != NONE && d->vars.at[q->target].kind == DAE_DISCRETE &&
            (q->origin == DAE_EQ_CONDITION || q->origin == DAE_EQ_MODEL))
            defines[q->target] = e;
        VarId real = q->origin == DAE_EQ_MODEL && eq_is_real(d, q) ? only_real(d, q) : NONE;
        if (real != NONE)
            defines[real] = e;
    }
    return defines;
}

/* The conditions of a when-equation as a number that distinguishes different ones. */
static uint64_t condition_key(Conditions *c, EqId e)
{
    const Dae *d = c->d;
    Term t = d->eqs.at[e].term;
    uint64_t key = 0;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        if (c->defines[v] != NONE && d->eqs.at[c->defines[v]].origin == DAE_EQ_CONDITION)
            key += hash_mix(1, value_key(c, v, 0));
    }
    return key;
}

static bool same_term(const Dae *d, Term a, Term b)
{
    bool same = a.shape == b.shape && a.n == b.n;
    for (uint32_t k = 0; same && k < a.n; k++)
        same = dae_op(d, a, k) == dae_op(d, b, k);
    return same;
}

/* The Real parameter that the term is, or NONE. */
static VarId only_parameter(const Dae *d, Term t)
{
    if (expr_op(d->g, t.shape) != OP_HOLE || expr_type(d->g, t.shape) != T_REAL)
        return NONE;
    return dae_op(d, t, expr_index(d->g, t.shape));
}

/* The plan assumes that a constant keeps its value. */
static void assume_value(Planner *p, const ConditionConstant *c)
{
    Graph *g = p->dae->g;
    ExprOp op = expr_op(g, c->term.shape);
    if (op == OP_REAL || op == OP_INT)
        return;
    Term t = c->term;
    t.shape = expr_sub(g, t.shape, expr_real(g, c->value));
    vec_push(&p->plan->assumptions, ((PlanAssumption){t, NONE}));
}

/* The plan holds as long as constants that were taken for the same are equal. Two parameters may
 * change together. */
static void assume_equal(Planner *p, const Conditions *c)
{
    Dae *d = p->dae;
    ExprId difference =
        expr_sub(d->g, expr_leaf(d->g, OP_HOLE, T_REAL, 0), expr_leaf(d->g, OP_HOLE, T_REAL, 1));
    for (uint32_t i = 1; i < c->constants.n; i++) {
        const ConditionConstant *x = &c->constants.at[i], *first = c->constants.at;
        while (fabs(first->value) != fabs(x->value))
            first++;
        if (first == x || same_term(d, first->term, x->term))
            continue;
        VarId a = only_parameter(d, first->term), b = only_parameter(d, x->term);
        if (a != NONE && b != NONE && first->value == x->value) {
            Term t = dae_term(d, difference, (VarId[]){a, b}, 2);
            vec_push(&p->plan->assumptions, ((PlanAssumption){t, NONE}));
        } else {
            assume_value(p, first);
            assume_value(p, x);
        }
    }
}

/* Whether all when-equations among these have the same conditions. */
static bool same_conditions(Planner *p, const System *s, const uint32_t *rows, uint32_t n,
                            EqId first)
{
    EqId *defines = find_definitions(p->dae);
    Conditions c = {.d = p->dae, .defines = defines, .p = p};
    uint64_t key = condition_key(&c, first);
    bool same = true;
    for (uint32_t i = 0; i < n; i++)
        same &= p->dae->eqs.at[s->eqs.at[rows[i]]].origin != DAE_EQ_WHEN ||
                condition_key(&c, s->eqs.at[rows[i]]) == key;
    if (same)
        assume_equal(p, &c);
    vec_free(&c.constants);
    memory_free(defines);
    return same;
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
            others |= !only_connects(d, s->eqs.at[rows[i]]);
        else if (when == NONE)
            when = s->eqs.at[rows[i]];
    }
    if (when == NONE || p->plan->inlined.n)
        return false;
    others = others || !same_conditions(p, s, rows, n, when);
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

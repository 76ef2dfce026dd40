/* Equal conditions of when-equations.
 *
 * In: when-equations of a loop. Out: whether all have the same conditions, so that they are active
 * together and can be solved together. A condition has a key: a number that is the same for
 * expressions that always have the same value. The order of operands, the side of a comparison and
 * names of intermediate variables do not count. Constants count by their value; the plan then
 * assumes that they stay equal. */
#include "structure/blocks/blocks.h"

#include <math.h>

bool equation_connects(const Dae *d, EqId e)
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
    if (!equation_connects(d, (EqId)(q - d->eqs.at)))
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

bool conditions_same(Planner *p, const System *s, const uint32_t *rows, uint32_t n, EqId first)
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

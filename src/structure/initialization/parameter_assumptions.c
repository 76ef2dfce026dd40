/* The assumptions of a plan about parameters, and whether they hold for other values.
 *
 * In: equations, values of parameters. Out: equations without the operands whose coefficient
 * vanishes at these values, and Plan.assumptions. An unknown with a coefficient of zero cannot be
 * computed from its equation (R*i = v with R = 0, C*der(v) = i with C = 0). So the structure must
 * not contain it. A coefficient vanishes if it is a product with a parameter that is zero, or with
 * a variable that is zero for this reason. Functions are evaluated partially with the known
 * arguments (expr/eval/partial_eval.h). Divisors that must not be zero are in the steps of the plan
 * (PlanStep.divisor). */
#include "expr/eval/partial_eval.h"
#include "structure/initialization/initialization.h"

#include <math.h>

enum { MAX_DEPTH = 50, PASSES = 4, WIDE = 100, FORESIGHT = 5000000 };

typedef struct Zeros {
    const Dae *d;
    const double *value;  /* per variable: of parameters */
    const uint8_t *known; /* per variable: `value` is its value */
    uint8_t *zero;        /* per variable: vanishes */
    uint32_t *foresight;  /* budget that is left for calls */
    bool only_stored;     /* of variables, only those with derivatives count */
} Zeros;

/* ---- when does an expression vanish? ---- */

static bool vanishes(const Zeros *w, Term t, ExprId e, int depth);

/* Whether all arguments of e from `from` on vanish, or one of them. */
static bool arguments_vanish(const Zeros *w, Term t, ExprId e, uint32_t from, bool all, int depth)
{
    for (uint32_t i = from; i < expr_n(w->d->g, e); i++)
        if (vanishes(w, t, expr_arg(w->d->g, e, i), depth + 1) != all)
            return !all;
    return all;
}

/* Whether e is a parameter expression that is zero at the present values. */
static bool value_is_zero(const Zeros *w, Term t, ExprId e)
{
    uint32_t n;
    double x;
    const uint32_t *holes = symbolic_holes(w->d->symbolic, e, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!w->known[dae_op(w->d, t, holes[i])])
            return false;
    t.shape = e;
    return n > 0 && dae_eval(w->d, t, w->value, &x) == EVAL_OK && x == 0;
}

typedef struct Known {
    const Zeros *w;
    Term t;
} Known;

static double known_value(void *user, ExprId e)
{
    const Known *k = user;
    VarId v = dae_op(k->w->d, k->t, expr_index(k->w->d->g, e));
    return k->w->zero[v] ? 0 : k->w->known[v] ? k->w->value[v] : NAN;
}

/* Whether a call is zero for all values of its unknown arguments. */
static bool call_vanishes(const Zeros *w, Term t, ExprId e)
{
    Known k = {w, t};
    PartialEval f = {w->d->g, known_value, &k, *w->foresight};
    bool zero = partial_eval_number(&f, e) == 0;
    *w->foresight = f.budget;
    return zero;
}

static bool vanishes(const Zeros *w, Term t, ExprId e, int depth)
{
    const Graph *g = w->d->g;
    if (depth > MAX_DEPTH)
        return false;
    switch (expr_op(g, e)) {
    case OP_REAL: return expr_real_value(g, e) == 0;
    case OP_INT: return expr_int_value(g, e) == 0;
    case OP_HOLE: return w->zero[dae_op(w->d, t, expr_index(g, e))] != 0;
    case OP_MUL: return arguments_vanish(w, t, e, 0, false, depth);
    case OP_DIV: return vanishes(w, t, expr_arg(g, e, 0), depth + 1);
    case OP_NEG:
    case OP_TO_REAL:
    case OP_NOEVENT: return arguments_vanish(w, t, e, 0, true, depth);
    case OP_SMOOTH:
    case OP_IF: return arguments_vanish(w, t, e, 1, true, depth);
    case OP_ADD: return arguments_vanish(w, t, e, 0, true, depth) || value_is_zero(w, t, e);
    case OP_CALL:
    case OP_FIELD:
    case OP_OUT: return call_vanishes(w, t, e);
    default: return false;
    }
}

/* ---- variables that vanish ---- */

/* Whether it is worth a look: it has an operand that is zero, or only one operand. */
static bool has_zero(const Zeros *w, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (w->zero[dae_op(w->d, t, k)])
            return true;
    return t.n == 1;
}

/* Equation e defines a variable that is zero. */
static void find_zero(Planner *p, const Zeros *w, EqId e)
{
    Term t = p->dae->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(p->dae, t, k);
        bool stored = p->dae->vars.at[v].der != NONE;
        if (!var_is_real(p->dae, v) || w->zero[v] || (w->only_stored && !stored))
            continue;
        Solution s = symbolic_solve(p->dae->symbolic, t.shape, k);
        if (s.kind != SOLVE_UNIT || !vanishes(w, t, s.value, 0))
            continue;
        w->zero[v] = 1;
        t.shape = s.value;
        vec_push(&p->plan->assumptions, ((PlanAssumption){t, v}));
        return;
    }
}

/* Wide equations are sums over arrays or calls with records, and expensive to examine operand by
 * operand. */
static bool is_wide(const DaeEq *q)
{
    return q->term.n > WIDE;
}

static bool is_planned(const Dae *d, const DaeEq *q)
{
    return q->target == NONE && (q->origin == DAE_EQ_MODEL || q->origin == DAE_EQ_INITIAL) &&
           eq_is_real(d, q);
}

/* x = f(…) with many arguments: x is known directly. */
static bool gives_result(const Graph *g, ExprId shape)
{
    return expr_op(g, shape) == OP_ADD && expr_n(g, shape) == 2;
}

/* ---- coefficients that vanish ---- */

/* Occurrences of each unknown: the last one is kept, except for derivatives, which need not occur.
 */
static uint32_t *count_occurrences(const Dae *d)
{
    uint32_t *n = memory_alloc(((size_t)d->vars.n + 1) * sizeof *n);
    for (EqId e = 0; e < d->eqs.n; e++)
        for (uint32_t k = 0; k < d->eqs.at[e].term.n; k++)
            n[dae_op(d, d->eqs.at[e].term, k)]++;
    return n;
}

static void drop_operand(Dae *d, EqId e, uint32_t hole)
{
    Term t = d->eqs.at[e].term;
    ExprId *with = memory_alloc(((size_t)t.n + 1) * sizeof *with);
    with[hole] = expr_real(d->g, 0);
    d->eqs.at[e].term = dae_put(d, t, with);
    memory_free(with);
}

/* True if an operand was dropped; the equation has then changed. */
static bool drop_one(Planner *p, const Zeros *w, EqId e, uint32_t *occurrences)
{
    Dae *d = p->dae;
    Term t = d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        bool last = occurrences[v] < 2 && d->vars.at[v].kind != DAE_DERIVATIVE;
        if (!var_is_real(d, v) || last ||
            symbolic_linearity(d->symbolic, t.shape, k) != LINEAR_VARYING)
            continue;
        ExprId c = symbolic_diff(d->symbolic, t.shape, k);
        if (c == EXPR_NONE || !vanishes(w, t, c, 0))
            continue;
        vec_push(&p->plan->assumptions, ((PlanAssumption){{c, t.ops, t.n}, NONE}));
        occurrences[v]--;
        drop_operand(d, e, k);
        return true;
    }
    return false;
}

/* Late parameters, and start values, are not reliable coefficients. */
static void mark_parameters(Planner *p, uint8_t *known, uint8_t *zero)
{
    const Dae *d = p->dae;
    for (VarId v = 0; v < d->vars.n; v++) {
        const DaeVar *x = &d->vars.at[v];
        known[v] = x->kind == DAE_PARAMETER && x->alias == NONE && !(v < p->n_late && p->late[v]);
        zero[v] = known[v] && x->type == DAE_REAL && p->value.at[v] == 0;
    }
}

/* structural_guards.c handles parameters of switches that vanish. Then only contents that are
 * literally zero count here, as the mass in a volume of size zero. */
static bool has_switches(const Dae *d)
{
    for (uint32_t i = 0; i < d->relations.n; i++)
        if (!d->relations.at[i].is_time_event)
            return true;
    return false;
}

void assume_zeros(Planner *p)
{
    Dae *d = p->dae;
    uint8_t *known = memory_alloc((size_t)d->vars.n + 1),
            *zero = memory_alloc((size_t)d->vars.n + 1);
    uint32_t *occurrences = count_occurrences(d), n_eqs = d->eqs.n, foresight = FORESIGHT;
    Zeros w = {d, p->value.at, known, zero, &foresight, has_switches(d)};
    if (!w.only_stored)
        mark_parameters(p, known, zero);
    for (uint32_t pass = 0, before = UINT32_MAX; pass < PASSES && p->plan->assumptions.n != before;
         pass++) {
        before = p->plan->assumptions.n;
        for (EqId e = 0; e < n_eqs; e++)
            if (d->eqs.at[e].origin == DAE_EQ_MODEL && is_planned(d, &d->eqs.at[e]) &&
                (!is_wide(&d->eqs.at[e]) || gives_result(d->g, d->eqs.at[e].term.shape)) &&
                has_zero(&w, d->eqs.at[e].term))
                find_zero(p, &w, e);
    }
    for (EqId e = 0; e < n_eqs; e++)
        while (is_planned(d, &d->eqs.at[e]) && !is_wide(&d->eqs.at[e]) &&
               drop_one(p, &w, e, occurrences)) {
        }
    memory_free(known);
    memory_free(zero);
    memory_free(occurrences);
}

/* ---- other values ---- */

/* Values of all parameters; those that differ from the model's own are marked. */
static void parameter_values(const Plan *p, const PlanValue *given, uint32_t n, double *value,
                             uint8_t *changed)
{
    const Dae *d = p->dae;
    for (VarId v = 0; v < d->vars.n; v++)
        value[v] = d->vars.at[v].kind == DAE_PARAMETER ? d->vars.at[v].value : 0;
    for (uint32_t i = 0; i < n; i++) {
        VarId v = given[i].var;
        double x = given[i].value;
        for (; d->vars.at[v].alias != NONE; v = d->vars.at[v].alias)
            x *= d->vars.at[v].alias_sign;
        value[v] = x;
        changed[v] = 2;
    }
    for (uint32_t b = 0; b < p->parameters.n_blocks; b++) {
        const PlanBlock *x = &p->blocks.at[p->parameters.block + b];
        for (uint32_t i = x->step; i < x->step + x->n_steps; i++) {
            const PlanStep *s = &p->steps.at[i];
            Term t = d->eqs.at[s->eq].term;
            t.shape = s->value != EXPR_NONE ? s->value : t.shape;
            if (changed[s->var] != 2)
                dae_eval(d, t, value, &value[s->var]);
            for (uint32_t k = 0; k < t.n && !changed[s->var]; k++)
                changed[s->var] = changed[dae_op(d, t, k)] != 0;
        }
    }
}

static bool touches(const Dae *d, Term t, const uint8_t *changed)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (changed[dae_op(d, t, k)])
            return true;
    return false;
}

/* Whether a divisor made of parameters, one of which has changed, is still not zero. */
static bool divisor_holds(const Dae *d, const PlanStep *s, const double *value,
                          const uint8_t *changed)
{
    Term t = d->eqs.at[s->eq].term;
    double x;
    if (s->divisor == EXPR_NONE || !touches(d, t, changed))
        return true;
    uint32_t n;
    const uint32_t *holes = symbolic_holes(d->symbolic, s->divisor, &n);
    for (uint32_t i = 0; i < n; i++)
        if (d->vars.at[dae_op(d, t, holes[i])].kind != DAE_PARAMETER)
            return true;
    t.shape = s->divisor;
    return dae_eval(d, t, value, &x) == EVAL_OK && isfinite(x) && x != 0;
}

static bool zeros_hold(const Plan *p, const double *value, uint8_t *known)
{
    const Dae *d = p->dae;
    uint8_t *zero = memory_alloc((size_t)d->vars.n + 1);
    uint32_t foresight = FORESIGHT;
    Zeros w = {d, value, known, zero, &foresight, false};
    bool ok = true;
    for (VarId v = 0; v < d->vars.n; v++) {
        known[v] = d->vars.at[v].kind == DAE_PARAMETER && d->vars.at[v].alias == NONE;
        zero[v] = known[v] && d->vars.at[v].type == DAE_REAL && value[v] == 0;
    }
    for (uint32_t i = 0; i < p->assumptions.n && ok; i++) {
        const PlanAssumption *a = &p->assumptions.at[i];
        ok = vanishes(&w, a->zero, a->zero.shape, 0);
        if (a->var != NONE)
            zero[a->var] = 1;
    }
    memory_free(zero);
    return ok;
}

/* Structural guards were found with parameters of switch equations that are zero (a resistance that
 * an ideal element does not have). With other values, the switch may change nothing in the
 * structure. */
static bool guards_hold(const Plan *p, const double *value)
{
    const Dae *d = p->dae;
    bool ok = true;
    if (!p->guards.n)
        return true;
    double *own = memory_alloc(((size_t)d->vars.n + 1) * sizeof *own);
    uint8_t *changed = memory_alloc((size_t)d->vars.n + 1);
    parameter_values(p, NULL, 0, own, changed);
    for (uint32_t i = 0; i < p->switch_vars.n && ok; i++) {
        VarId v = p->switch_vars.at[i];
        ok = d->vars.at[v].kind != DAE_PARAMETER || own[v] != 0 || value[v] == 0;
    }
    memory_free(own);
    memory_free(changed);
    return ok;
}

bool plan_holds(const Plan *p, const PlanValue *given, uint32_t n)
{
    size_t n_vars = (size_t)p->dae->vars.n + 1;
    double *value = memory_alloc(n_vars * sizeof *value);
    uint8_t *changed = memory_alloc(n_vars);
    parameter_values(p, given, n, value, changed);
    bool ok = true;
    for (uint32_t i = 0; i < p->steps.n && ok; i++)
        ok = divisor_holds(p->dae, &p->steps.at[i], value, changed);
    ok = ok && guards_hold(p, value) && zeros_hold(p, value, changed);
    memory_free(value);
    memory_free(changed);
    return ok;
}

/* The solved form of a system of simultaneous linear equations as text, in the manner of Elmqvist,
 * Cellier and Otter (1993).
 *
 * In: a torn block with few tearing variables. Its inner steps are put into the residuals. A branch
 * of a switch equation is multiplied by a Q that is 1 if the branch holds and 0 otherwise. The
 * residuals are then linear in the tearing variables and are solved by Cramer's rule. Out: the Qs,
 * the determinant among them, the tearing variables as quotients, and the steps that follow. A
 * determinant that vanishes for no position of the switches means that one program serves all of
 * them. This is for the reader: the simulation solves the block numerically. */
#include "structure/plan/planner.h"

#include <stdio.h>

enum { MOST_TORN = 3, MOST_TEXT = 2000, FIRST_Q = 1 << 20 };

typedef struct Operand {
    VarId var;
    uint32_t op;  /* its index in the table of operands */
    ExprId value; /* the expression that replaces it; EXPR_NONE: itself */
} Operand;

typedef struct Factor { /* Q = if condition then 1 else 0, and the next one is the opposite */
    ExprId condition;
} Factor;

typedef struct Form {
    const Dae *d;
    Graph *g;
    Term term; /* whose holes are being read */
    VEC(Operand) operands;
    VEC(Factor) factors;
    ExprId residual[MOST_TORN], constant[MOST_TORN], a[MOST_TORN][MOST_TORN];
    uint32_t n;
    uint32_t hole[MOST_TORN];
    Arena *scratch;
    Text *out;
} Form;

/* ---- expressions over the operands of the whole block ---- */

static uint32_t place_of(Form *f, VarId v, uint32_t op)
{
    for (uint32_t i = 0; i < f->operands.n; i++)
        if (f->operands.at[i].var == v)
            return i;
    vec_push(&f->operands, ((Operand){v, op, EXPR_NONE}));
    return f->operands.n - 1;
}

static ExprId factor_of(Form *f, ExprId condition, bool holds)
{
    uint32_t i = 0;
    while (i < f->factors.n && f->factors.at[i].condition != condition)
        i++;
    if (i == f->factors.n)
        vec_push(&f->factors, ((Factor){condition}));
    return expr_leaf(f->g, OP_HOLE, T_REAL, FIRST_Q + 2 * i + !holds);
}

static ExprId put_in(void *user, Graph *g, ExprId e)
{
    Form *f = user;
    if (expr_op(g, e) == OP_HOLE) {
        uint32_t k = expr_index(g, e), at = place_of(f, dae_op(f->d, f->term, k), f->term.ops + k);
        ExprId value = f->operands.at[at].value;
        return value != EXPR_NONE ? value : expr_leaf(g, OP_HOLE, expr_type(g, e), at);
    }
    if (expr_op(g, e) != OP_IF || expr_type(g, e) != T_REAL)
        return EXPR_NONE;
    ExprId condition = expr_map(g, expr_arg(g, e, 0), put_in, f),
           yes = expr_map(g, expr_arg(g, e, 1), put_in, f),
           no = expr_map(g, expr_arg(g, e, 2), put_in, f);
    return expr_add(g, expr_mul(g, factor_of(f, condition, true), yes),
                    expr_mul(g, factor_of(f, condition, false), no));
}

static ExprId composed(Form *f, Term t, ExprId shape)
{
    f->term = t;
    return expr_map(f->g, shape, put_in, f);
}

static ExprId value_of(Form *f, VarId v)
{
    uint32_t at = place_of(f, v, NONE);
    ExprId value = f->operands.at[at].value;
    return value != EXPR_NONE ? value : expr_leaf(f->g, OP_HOLE, T_REAL, at);
}

static bool is_small(Form *f, ExprId e)
{
    arena_reset(f->scratch);
    return strlen(expr_print(f->g, e, NULL, NULL, f->scratch)) < MOST_TEXT;
}

static bool compose(Form *f, const Plan *p, const PlanBlock *b)
{
    for (uint32_t i = 0; i < b->n_steps; i++) {
        const PlanStep *s = &p->steps.at[b->step + i];
        Term t = f->d->eqs.at[s->eq].term;
        ExprId value = composed(f, t, s->value != EXPR_NONE ? s->value : t.shape);
        if (!is_small(f, value))
            return false;
        uint32_t at = place_of(f, s->var, NONE);
        f->operands.at[at].value = value;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        const DaeEq *e = &f->d->eqs.at[p->torn.at[b->torn + i].eq];
        f->residual[i] = composed(f, e->term, e->term.shape);
        if (e->target != NONE)
            f->residual[i] = expr_sub(f->g, value_of(f, e->target), f->residual[i]);
        if (!is_small(f, f->residual[i]))
            return false;
        f->hole[i] = place_of(f, p->torn.at[b->torn + i].var, NONE);
    }
    return true;
}

/* ---- the linear system ---- */

static bool linear(Form *f)
{
    Symbolic *s = f->d->symbolic;
    ExprId *zero = ARENA_ARRAY(f->scratch, ExprId, f->operands.n);
    bool ok = true;
    for (uint32_t i = 0; i < f->n; i++)
        zero[f->hole[i]] = expr_real(f->g, 0);
    for (uint32_t i = 0; ok && i < f->n; i++) {
        f->constant[i] = symbolic_substitute(s, f->residual[i], zero, f->operands.n);
        for (uint32_t j = 0; ok && j < f->n; j++) {
            f->a[i][j] = symbolic_diff(s, f->residual[i], f->hole[j]);
            ok = f->a[i][j] != EXPR_NONE;
            for (uint32_t k = 0; ok && k < f->n; k++)
                ok = !symbolic_depends(s, f->a[i][j], f->hole[k]);
        }
    }
    return ok;
}

/* The determinant, with column `replaced` (NONE: none) by the constants. */
static ExprId determinant(Form *f, uint32_t replaced)
{
    Graph *g = f->g;
    ExprId m[MOST_TORN][MOST_TORN];
    for (uint32_t i = 0; i < f->n; i++)
        for (uint32_t j = 0; j < f->n; j++)
            m[i][j] = j == replaced ? f->constant[i] : f->a[i][j];
    if (f->n == 1)
        return m[0][0];
    if (f->n == 2)
        return expr_sub(g, expr_mul(g, m[0][0], m[1][1]), expr_mul(g, m[0][1], m[1][0]));
    ExprId sum = expr_real(g, 0);
    for (uint32_t j = 0; j < 3; j++) {
        uint32_t k = (j + 1) % 3, l = (j + 2) % 3;
        ExprId minor = expr_sub(g, expr_mul(g, m[1][k], m[2][l]), expr_mul(g, m[1][l], m[2][k]));
        sum = expr_add(g, sum, expr_mul(g, m[0][j], minor));
    }
    return sum;
}

/* ---- text ---- */

static void print_hole(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    const Form *f = user;
    uint32_t k = expr_index(g, leaf);
    if (k >= FIRST_Q) {
        snprintf(buf, size, "Q%u", k - FIRST_Q + 1);
        return;
    }
    const Operand *o = &f->operands.at[k];
    Term t = {.shape = expr_leaf((Graph *)g, OP_HOLE, T_REAL, 0), .ops = o->op, .n = 1};
    snprintf(buf, size, "%s",
             o->op == NONE ? dae_var_name(f->d, o->var, f->scratch)
                           : dae_term_print(f->d, t, f->scratch));
}

static const char *text_of(Form *f, ExprId e)
{
    return expr_print(f->g, e, print_hole, f, f->scratch);
}

static void put_form(Form *f, const Plan *p, const PlanBlock *b, const ExprId *numerator,
                     ExprId divisor)
{
    uint32_t q = 2 * f->factors.n + 1;
    text_printf(f->out, "SOLVED SYSTEM OF EQUATIONS\n");
    for (uint32_t i = 0; i < f->factors.n; i++) {
        const char *condition = text_of(f, f->factors.at[i].condition);
        text_printf(f->out, "  Q%u = if %s then 1 else 0\n", 2 * i + 1, condition);
        text_printf(f->out, "  Q%u = if %s then 0 else 1\n", 2 * i + 2, condition);
    }
    text_printf(f->out, "  Q%u = %s\n", q, text_of(f, divisor));
    for (uint32_t i = 0; i < f->n; i++)
        text_printf(f->out, "  [%s] = %s\n",
                    dae_var_name(f->d, p->torn.at[b->torn + i].var, f->scratch),
                    text_of(f, expr_div(f->g, numerator[i],
                                        expr_leaf(f->g, OP_HOLE, T_REAL, FIRST_Q + q - 1))));
    for (uint32_t i = 0; i < b->n_steps; i++) {
        const PlanStep *s = &p->steps.at[b->step + i];
        Term t = f->d->eqs.at[s->eq].term;
        t.shape = s->value != EXPR_NONE ? s->value : t.shape;
        text_printf(f->out, "  [%s] = %s\n", dae_var_name(f->d, s->var, f->scratch),
                    dae_term_print(f->d, t, f->scratch));
    }
}

static void solve(Form *f, const Plan *p, const PlanBlock *b)
{
    ExprId numerator[MOST_TORN], divisor = determinant(f, NONE);
    bool ok = is_small(f, divisor);
    for (uint32_t i = 0; ok && i < f->n; i++) {
        numerator[i] = expr_neg(f->g, determinant(f, i));
        ok = is_small(f, numerator[i]);
    }
    arena_reset(f->scratch);
    if (ok)
        put_form(f, p, b, numerator, divisor);
}

void plan_print_solved_form(const Plan *p, const PlanBlock *b, Text *out)
{
    if (b->kind != BLOCK_LINEAR || !b->n_torn || b->n_torn > MOST_TORN)
        return;
    Form f = {.d = p->dae, .g = p->dae->g, .n = b->n_torn, .scratch = arena_new(), .out = out};
    if (compose(&f, p, b) && linear(&f))
        solve(&f, p, b);
    vec_free(&f.operands);
    vec_free(&f.factors);
    arena_free(f.scratch);
}

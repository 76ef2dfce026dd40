/* sign(e) with events, where the motion needs them. sign makes no events by itself. But if it lets
 * a derivative jump while e depends on states, a solver without events takes very short steps at
 * each change of sign, and sliding along e = 0 is never seen. There sign(e) becomes
 * if e > 0 then 1 elseif e < 0 then -1 else 0.
 *
 * It stays as it is
 * - in noEvent, smooth, clauses and algorithm sections;
 * - if only results depend on it;
 * - if e is a function of time;
 * - beside a factor that contains e, as in sign(e)*sqrt(abs(e)), which is taken for continuous. */
#include "flatten/flat/flat.h"
#include "flatten/flat/flat_walk.h"

typedef struct Signs {
    Flat *f;
    uint32_t eq;        /* the present equation, from 1 */
    uint32_t *seen;     /* per variable: the last equation it was found in */
    uint32_t *uses;     /* per variable: number of equations that contain it */
    bool *is_state;     /* per variable: it is differentiated */
    bool *is_known;     /* per variable: a function of time */
    bool *is_result;    /* per equation: only results depend on it */
    bool *has_sign;     /* per equation */
    VEC(uint32_t) vars; /* continuous variables of all equations */
    uint32_t *begin;    /* per equation: its first one there; one more at the end */
    ExprId sought;
    bool found;
    Map all, tame; /* sign(e) → number of places; of those beside a factor with e */
} Signs;

static bool makes_no_events(ExprOp op)
{
    return op == OP_NOEVENT || op == OP_SMOOTH;
}

static bool may_change(const FlatEq *eq)
{
    return !eq->initial && !eq->literal && !eq->partition && eq->kind == FLAT_EQUAL;
}

/* ---- products ---- */

static Walk note_sought(void *user, ExprId e)
{
    Signs *w = user;
    w->found |= e == w->sought;
    return w->found ? WALK_END : WALK_ON;
}

static bool contains(Signs *w, ExprId e, ExprId part)
{
    w->sought = part;
    w->found = false;
    expr_walk_down(w->f->g, e, note_sought, w);
    return w->found;
}

typedef struct Factors {
    ExprId at[16];
    uint32_t n;
} Factors;

static void collect_factors(const Graph *g, ExprId e, Factors *out)
{
    ExprOp op = expr_op(g, e);
    if (op == OP_MUL) {
        collect_factors(g, expr_arg(g, e, 0), out);
        collect_factors(g, expr_arg(g, e, 1), out);
    } else if (op == OP_NEG || op == OP_DIV || op == OP_TO_REAL) {
        collect_factors(g, expr_arg(g, e, 0), out);
    } else if (out->n < sizeof out->at / sizeof *out->at) {
        out->at[out->n++] = e;
    }
}

static void count(Map *m, ExprId e)
{
    uint32_t n = map_get(m, e);
    map_put(m, e, n == MAP_NONE ? 1 : n + 1);
}

/* Counts signs beside factors that contain their argument. */
static void note_product(Signs *w, ExprId e)
{
    const Graph *g = w->f->g;
    Factors factors = {.n = 0};
    collect_factors(g, e, &factors);
    for (uint32_t i = 0; i < factors.n; i++)
        for (uint32_t k = 0; k < factors.n && expr_op(g, factors.at[i]) == OP_SIGN; k++)
            if (k != i && contains(w, factors.at[k], expr_arg(g, factors.at[i], 0))) {
                count(&w->tame, factors.at[i]);
                break;
            }
}

static Walk note_signs(void *user, ExprId e)
{
    Signs *w = user;
    const Graph *g = w->f->g;
    ExprOp op = expr_op(g, e);
    if (makes_no_events(op))
        return WALK_PAST;
    if (op == OP_SIGN && expr_type(g, expr_arg(g, e, 0)) == T_REAL)
        count(&w->all, e);
    return WALK_ON;
}

/* The largest products below e. */
static Walk note_products(void *user, ExprId e)
{
    Signs *w = user;
    const Graph *g = w->f->g;
    ExprOp op = expr_op(g, e);
    if (makes_no_events(op))
        return WALK_PAST;
    if (op != OP_MUL && op != OP_DIV)
        return WALK_ON;
    note_product(w, e);
    Factors factors = {.n = 0};
    collect_factors(g, e, &factors);
    for (uint32_t i = 0; i < factors.n; i++)
        expr_walk_down(g, factors.at[i], note_products, w);
    return WALK_PAST;
}

/* ---- which variables are functions of time, and which equations only give results ---- */

static void note_variable(void *user, ExprId e)
{
    Signs *w = user;
    const Graph *g = w->f->g;
    if (expr_op(g, e) == OP_DER && expr_op(g, expr_arg(g, e, 0)) == OP_VAR)
        w->is_state[expr_index(g, expr_arg(g, e, 0))] = true;
    w->has_sign[w->eq - 1] |= expr_op(g, e) == OP_SIGN;
    if (expr_op(g, e) != OP_VAR)
        return;
    uint32_t v = expr_index(g, e);
    if (w->seen[v] == w->eq || w->f->vars.at[v].variability != VARIES_CONTINUOUS)
        return;
    w->seen[v] = w->eq;
    w->uses[v]++;
    vec_push(&w->vars, v);
}

static void note_expression(void *user, ExprId e)
{
    Signs *w = user;
    expr_walk(w->f->g, e, note_variable, w);
}

static void note_equations(Signs *w)
{
    for (uint32_t i = 0; i < w->f->eqs.n; i++) {
        w->eq = i + 1;
        w->begin[i] = w->vars.n;
        flat_each_expr(&w->f->eqs.at[i], 1, note_expression, w);
    }
    w->begin[w->f->eqs.n] = w->vars.n;
}

/* One variable of an equation of functions of time is one too. Arrays may have other elements. */
static bool note_known(Signs *w, uint32_t eq)
{
    uint32_t open = 0, last = 0;
    for (uint32_t i = w->begin[eq]; i < w->begin[eq + 1]; i++)
        if (!w->is_known[w->vars.at[i]]) {
            last = w->vars.at[i];
            open++;
        }
    if (open != 1 || w->is_state[last] || w->f->eqs.at[eq].initial ||
        w->f->vars.at[last].type != T_REAL)
        return false;
    return w->is_known[last] = true;
}

/* An equation for a variable that no other one contains. */
static bool note_result(Signs *w, uint32_t eq)
{
    bool result = false;
    for (uint32_t i = w->begin[eq]; !w->is_result[eq] && i < w->begin[eq + 1]; i++)
        result |= w->uses[w->vars.at[i]] == 1 && !w->is_state[w->vars.at[i]];
    for (uint32_t i = w->begin[eq]; result && i < w->begin[eq + 1]; i++)
        w->uses[w->vars.at[i]]--;
    w->is_result[eq] |= result;
    return result;
}

static void note_all(Signs *w, bool (*judge)(Signs *w, uint32_t eq))
{
    enum { MOST_SWEEPS = 100 };
    bool changed = true;
    for (int k = 0; k < MOST_SWEEPS && changed; k++) {
        changed = false;
        for (uint32_t i = 0; i < w->f->eqs.n; i++)
            changed |= judge(w, i);
    }
}

/* ---- changes ---- */

static void note_unknown(void *user, ExprId e)
{
    Signs *w = user;
    const Graph *g = w->f->g;
    w->found |= expr_op(g, e) == OP_VAR && !w->is_known[expr_index(g, e)] &&
                w->f->vars.at[expr_index(g, e)].variability == VARIES_CONTINUOUS;
}

static bool jumps(Signs *w, ExprId sign)
{
    uint32_t all = map_get(&w->all, sign), tame = map_get(&w->tame, sign);
    if (all == MAP_NONE || (tame != MAP_NONE && tame >= all))
        return false;
    w->found = false;
    expr_walk(w->f->g, expr_arg(w->f->g, sign, 0), note_unknown, w);
    return w->found;
}

static ExprId with_events(void *user, Graph *g, ExprId e)
{
    if (makes_no_events(expr_op(g, e)))
        return e;
    if (expr_op(g, e) != OP_SIGN || !jumps(user, e))
        return EXPR_NONE;
    ExprId x = expr_arg(g, e, 0), zero = expr_real(g, 0.0);
    return expr_if(g, expr_compare(g, OP_GT, x, zero), expr_int(g, 1),
                   expr_if(g, expr_compare(g, OP_LT, x, zero), expr_int(g, -1), expr_int(g, 0)));
}

static void change_side(Signs *w, ExprId *e)
{
    map_free(&w->all);
    map_free(&w->tame);
    expr_walk_down(w->f->g, *e, note_signs, w);
    expr_walk_down(w->f->g, *e, note_products, w);
    *e = expr_map(w->f->g, *e, with_events, w);
}

static bool any_sign(const Signs *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->f->eqs.n; i++)
        any |= w->has_sign[i] && may_change(&w->f->eqs.at[i]);
    return any;
}

static void change_equations(Signs *w)
{
    note_all(w, note_known);
    note_all(w, note_result);
    for (uint32_t i = 0; i < w->f->eqs.n; i++) {
        FlatEq *eq = &w->f->eqs.at[i];
        if (!w->has_sign[i] || w->is_result[i] || !may_change(eq))
            continue;
        change_side(w, &eq->lhs);
        change_side(w, &eq->rhs);
    }
}

void flat_add_sign_events(Flat *f)
{
    Arena *scratch = arena_new();
    uint32_t n = f->vars.n;
    Signs w = {.f = f,
               .seen = ARENA_ARRAY(scratch, uint32_t, n),
               .uses = ARENA_ARRAY(scratch, uint32_t, n),
               .is_state = ARENA_ARRAY(scratch, bool, n),
               .is_known = ARENA_ARRAY(scratch, bool, n),
               .is_result = ARENA_ARRAY(scratch, bool, f->eqs.n),
               .has_sign = ARENA_ARRAY(scratch, bool, f->eqs.n),
               .begin = ARENA_ARRAY(scratch, uint32_t, f->eqs.n + 1)};
    note_equations(&w);
    if (any_sign(&w))
        change_equations(&w);
    vec_free(&w.vars);
    map_free(&w.all);
    map_free(&w.tame);
    arena_free(scratch);
}

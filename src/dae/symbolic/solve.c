/* Solving 0 = e for a hole in closed form.
 *
 * If the hole is in one argument only, the operators around it are inverted from the outside in.
 * This keeps differences such as h - y together. If it is in several, e is split into a*h + b. A
 * branch of an OP_IF without the hole, or a coefficient with a literal zero in a branch, means no
 * solution. Such an equation is left to a block and is never divided by. */
#include "dae/symbolic/internal.h"

#include <math.h>

enum { DEPTH_LIMIT = 200 };

/* The equation so far: term(hole) = value. */
typedef struct Unwrap {
    Symbolic *s;
    Graph *g;
    uint32_t hole;
    ExprId value;
    ExprId divisor; /* product of the coefficients passed */
    bool inverse;   /* a function was inverted */
} Unwrap;

static bool unwrap(Unwrap *u, ExprId e, unsigned depth);

static bool has_zero_branch(const Graph *g, ExprId e)
{
    switch (expr_op(g, e)) {
    case OP_REAL:
    case OP_INT: return expr_real_value(g, e) == 0.0;
    case OP_IF:
        return has_zero_branch(g, expr_arg(g, e, 1)) || has_zero_branch(g, expr_arg(g, e, 2));
    case OP_MUL:
        for (uint32_t i = 0; i < expr_n(g, e); i++)
            if (has_zero_branch(g, expr_arg(g, e, i)))
                return true;
        return false;
    case OP_NEG:
    case OP_DIV:
    case OP_TO_REAL:
    case OP_NOEVENT: return has_zero_branch(g, expr_arg(g, e, 0));
    case OP_SMOOTH: return has_zero_branch(g, expr_arg(g, e, 1));
    case OP_HOMOTOPY:
        return has_zero_branch(g, expr_arg(g, e, 0)) || has_zero_branch(g, expr_arg(g, e, 1));
    default: return false;
    }
}

static ExprId root_of(Graph *g, ExprId v, double n)
{
    return expr_pow(g, v, num(g, 1 / n));
}

/* ---- single steps: e = value becomes argument = value ---- */

static bool unwrap_sum(Unwrap *u, ExprId e, uint32_t at)
{
    VEC(ExprId) terms = {0};
    vec_push(&terms, u->value);
    for (uint32_t i = 0; i < expr_n(u->g, e); i++)
        if (i != at)
            vec_push(&terms, expr_neg(u->g, expr_arg(u->g, e, i)));
    u->value = expr_apply(u->g, OP_ADD, T_REAL, 0, terms.at, terms.n);
    vec_free(&terms);
    return true;
}

static bool divide(Unwrap *u, ExprId by)
{
    if (has_zero_branch(u->g, by))
        return false;
    u->value = expr_div(u->g, u->value, by);
    u->divisor = expr_mul(u->g, u->divisor, by);
    return true;
}

static bool unwrap_product(Unwrap *u, ExprId e, uint32_t at)
{
    ExprId rest = num(u->g, 1);
    for (uint32_t i = 0; i < expr_n(u->g, e); i++)
        if (i != at)
            rest = expr_mul(u->g, rest, expr_arg(u->g, e, i));
    return divide(u, rest);
}

static bool unwrap_quotient(Unwrap *u, ExprId e, uint32_t at)
{
    ExprId other = expr_arg(u->g, e, 1 - at);
    if (at == 0) {
        u->value = expr_mul(u->g, u->value, other);
        u->divisor = expr_div(u->g, u->divisor, other);
        return true;
    }
    if (expr_op(u->g, other) != OP_REAL || is_zero(u->g, other))
        return false;
    u->value = expr_div(u->g, other, u->value);
    u->inverse = true;
    return true;
}

static bool unwrap_power(Unwrap *u, ExprId e, uint32_t at)
{
    Graph *g = u->g;
    ExprId other = expr_arg(g, e, 1 - at);
    if (expr_op(g, other) != OP_REAL)
        return false;
    double c = expr_real_value(g, other);
    u->inverse = true;
    if (at == 1) {
        if (!(c > 0) || c == 1)
            return false;
        u->value = expr_div(g, fn1(g, OP_LOG, u->value), num(g, log(c)));
        return true;
    }
    if (!(c > 0) || fmod(c, 2) != 1)
        return false;
    u->value =
        function_odd(g, u->value, root_of(g, u->value, c), root_of(g, expr_neg(g, u->value), c));
    return true;
}

static bool unwrap_function(Unwrap *u, ExprId e)
{
    ExprId argument = function_inverse(u->s, expr_op(u->g, e), u->value);
    u->inverse = true;
    u->value = argument ? argument : u->value;
    return argument;
}

static const Function *inverse_of(const Graph *g, ExprId e, uint32_t at)
{
    const Function *f = g->functions.at[expr_index(g, e)];
    return f->inverse && f->inverse_input == at && f->n_out == 1 ? f->inverse : NULL;
}

/* By the inverse annotation: its inputs are found by name among the inputs and the output of the
 * function. */
static bool unwrap_call(Unwrap *u, ExprId e, uint32_t at)
{
    Graph *g = u->g;
    const Function *f = g->functions.at[expr_index(g, e)], *back = inverse_of(g, e, at);
    if (!back)
        return false;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < back->n_in; i++) {
        ExprId a = back->vars[i].name == f->vars[f->n_in].name ? u->value : EXPR_NONE;
        for (uint32_t k = 0; k < f->n_in && !a; k++)
            if (k != at && f->vars[k].name == back->vars[i].name)
                a = expr_arg(g, e, k);
        if (a)
            vec_push(&args, a);
    }
    bool complete = args.n == back->n_in;
    if (complete)
        u->value = expr_apply(g, OP_CALL, back->result, back->id, args.at, args.n);
    u->inverse = true;
    vec_free(&args);
    return complete;
}

/* ---- several steps ---- */

/* Both branches are solved; their values and coefficients become conditional. */
static bool unwrap_if(Unwrap *u, ExprId e, unsigned depth)
{
    Graph *g = u->g;
    ExprId c = expr_arg(g, e, 0);
    Unwrap then = *u, other = *u;
    if (symbolic_depends(u->s, c, u->hole) || !unwrap(&then, expr_arg(g, e, 1), depth + 1) ||
        !unwrap(&other, expr_arg(g, e, 2), depth + 1))
        return false;
    u->value = expr_if(g, c, then.value, other.value);
    u->divisor = expr_if(g, c, then.divisor, other.divisor);
    u->inverse = then.inverse || other.inverse;
    return true;
}

/* e contains the hole in several places: a*h + b = value. */
static bool unwrap_affine(Unwrap *u, ExprId e)
{
    ExprId a, b;
    if (!symbolic_affine(u->s, e, u->hole, &a, &b))
        return false;
    u->value = expr_sub(u->g, u->value, b);
    return divide(u, a);
}

static bool unwrap_step(Unwrap *u, ExprId e, uint32_t at)
{
    switch (expr_op(u->g, e)) {
    case OP_ADD: return unwrap_sum(u, e, at);
    case OP_NEG:
        u->value = expr_neg(u->g, u->value);
        u->divisor = expr_neg(u->g, u->divisor);
        return true;
    case OP_MUL: return unwrap_product(u, e, at);
    case OP_DIV: return unwrap_quotient(u, e, at);
    case OP_POW: return unwrap_power(u, e, at);
    case OP_NOEVENT: return true;
    case OP_SMOOTH: return at == 1;
    case OP_CALL: return unwrap_call(u, e, at);
    default: return unwrap_function(u, e);
    }
}

static bool unwrap(Unwrap *u, ExprId e, unsigned depth)
{
    Graph *g = u->g;
    for (; depth < DEPTH_LIMIT; depth++) {
        uint32_t at = UINT32_MAX, places = 0;
        if (expr_op(g, e) == OP_HOLE)
            return expr_index(g, e) == u->hole &&
                   (expr_type(g, e) == T_REAL || expr_type(g, e) == T_INT);
        if (expr_op(g, e) == OP_IF)
            return unwrap_if(u, e, depth);
        for (uint32_t i = 0; i < expr_n(g, e); i++)
            if (symbolic_depends(u->s, expr_arg(g, e, i), u->hole)) {
                at = i;
                places++;
            }
        if (places != 1)
            return places > 1 && unwrap_affine(u, e);
        if (!unwrap_step(u, e, at))
            return false;
        e = expr_arg(g, e, at);
    }
    return false;
}

/* An Integer is solved for only if nothing must be divided. */
static bool keeps_integer(const Graph *g, const Unwrap *u)
{
    double c = expr_op(g, u->divisor) == OP_REAL ? expr_real_value(g, u->divisor) : 0;
    return !u->inverse && (c == 1 || c == -1) && expr_type(g, u->value) == T_INT;
}

static Solution solve(Symbolic *s, ExprId e, uint32_t hole)
{
    Graph *g = s->g;
    bool integer = expr_type(g, e) == T_INT;
    Unwrap u = {.s = s,
                .g = g,
                .hole = hole,
                .value = integer ? expr_int(g, 0) : num(g, 0),
                .divisor = num(g, 1)};
    Solution no = {.kind = SOLVE_NO};
    if (!symbolic_depends(s, e, hole) || !unwrap(&u, e, 0) || symbolic_depends(s, u.value, hole))
        return no;
    if ((integer && !keeps_integer(g, &u)) || has_zero_branch(g, u.divisor))
        return no;
    bool unit = expr_op(g, u.divisor) == OP_REAL;
    SolveKind kind = u.inverse ? SOLVE_INVERSE : unit ? SOLVE_UNIT : SOLVE_DIVIDE;
    return (Solution){kind, u.value, unit ? EXPR_NONE : u.divisor};
}

Solution symbolic_solve(Symbolic *s, ExprId e, uint32_t hole)
{
    uint64_t key = map_pair(e, hole);
    uint32_t known = map_get(&s->solutions, key);
    if (known != MAP_NONE)
        return s->solved.at[known];
    Solution x = solve(s, e, hole);
    map_put(&s->solutions, key, s->solved.n);
    vec_push(&s->solved, x);
    return x;
}

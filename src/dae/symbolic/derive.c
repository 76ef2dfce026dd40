/* Differentiation of shapes, forward, one node after the other.
 *
 * Every node below the root gets its derivative once. Derivatives with respect to a hole are kept
 * for good, by node and hole. Those along a rate are kept for one call. Relations and functions
 * with integer values are constant between events; their arguments are ignored. abs, min, max
 * differentiate by branches without events, as section 3.7.2 of the specification expands them. */
#include "dae/symbolic/internal.h"

#include "expr/walk.h"

#include <math.h>

enum { LONG_BODY = 48 }; /* nodes, or statements */

typedef struct Diff {
    Symbolic *s;
    Graph *g;
    uint32_t hole;        /* where rate is NULL */
    const uint32_t *rate; /* size n */
    uint32_t n;
    const uint32_t *tangents; /* size n_tangents: of locals, in a function */
    uint32_t n_tangents;
    bool calls; /* calls of long functions stay calls, of their derivatives */
    /* being differentiated because the annotations of its call do not apply; otherwise EXPR_NONE */
    ExprId body;
    Map *memo;
} Diff;

static uint64_t key(const Diff *d, ExprId e)
{
    return d->rate ? e : map_pair(e, d->hole);
}

static ExprId rate_of(const Diff *d, ExprId e)
{
    return map_get(d->memo, key(d, e));
}

static ExprId derive_leaf(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    uint32_t k = expr_index(g, e);
    if (expr_op(g, e) == OP_LOCAL && k < d->n_tangents && d->tangents[k] != UINT32_MAX)
        return expr_leaf(g, OP_LOCAL, expr_type(g, e), d->tangents[k]);
    if (expr_op(g, e) != OP_HOLE || expr_type(g, e) != T_REAL)
        return symbolic_zero_like(g, e);
    if (!d->rate)
        return num(g, k == d->hole);
    bool moves = k < d->n && d->rate[k] != RATE_NONE;
    if (moves && d->rate[k] == RATE_ONE)
        return num(g, 1);
    return moves ? expr_leaf(g, OP_HOLE, T_REAL, d->rate[k]) : num(g, 0);
}

static ExprId derive_product(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    uint32_t n = expr_n(g, e);
    VEC(ExprId) terms = {0}, factors = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprId dx = rate_of(d, expr_arg(g, e, i));
        if (is_zero(g, dx))
            continue;
        vec_clear(&factors);
        for (uint32_t k = 0; k < n; k++)
            vec_push(&factors, k == i ? dx : expr_arg(g, e, k));
        vec_push(&terms, expr_apply(g, OP_MUL, expr_type(g, e), 0, factors.at, n));
    }
    ExprId sum = terms.n ? expr_apply(g, OP_ADD, expr_type(g, e), 0, terms.at, terms.n)
                         : symbolic_zero_like(g, e);
    vec_free(&terms);
    vec_free(&factors);
    return sum;
}

static ExprId derive_quotient(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId a = expr_arg(g, e, 0), b = expr_arg(g, e, 1), da = rate_of(d, a), db = rate_of(d, b);
    ExprId first = is_zero(g, da) ? num(g, 0) : expr_div(g, da, b);
    if (is_zero(g, db))
        return first;
    return expr_sub(g, first, expr_div(g, expr_mul(g, a, db), square(g, b)));
}

static ExprId derive_power(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId a = expr_arg(g, e, 0), b = expr_arg(g, e, 1), da = rate_of(d, a), db = rate_of(d, b);
    ExprId sum = num(g, 0);
    if (!is_zero(g, da)) {
        ExprId lower = expr_pow(g, a, expr_sub(g, b, num(g, 1)));
        sum = expr_mul(g, expr_mul(g, b, lower), da);
    }
    if (!is_zero(g, db))
        sum = expr_add(g, sum, expr_mul(g, expr_mul(g, e, fn1(g, OP_LOG, a)), db));
    return sum;
}

static ExprId derive_semi_linear(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId x = expr_arg(g, e, 0), dx = rate_of(d, x), side[2];
    for (uint32_t i = 0; i < 2; i++) {
        ExprId k = expr_arg(g, e, i + 1);
        side[i] = expr_add(g, expr_mul(g, k, dx), expr_mul(g, x, rate_of(d, k)));
    }
    return expr_if(g, expr_compare(g, OP_GE, x, num(g, 0)), side[0], side[1]);
}

static ExprId derive_smooth(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId p = expr_arg(g, e, 0), dx = rate_of(d, expr_arg(g, e, 1));
    int64_t order = expr_op(g, p) == OP_INT ? expr_int_value(g, p) : 0;
    p = expr_int(g, order > 0 ? order - 1 : 0);
    return expr_apply(g, OP_SMOOTH, expr_type(g, dx), 0, (ExprId[]){p, dx}, 2);
}

/* The same operator on the derivatives of its arguments; those from `from` on. */
static ExprId derive_alike(const Diff *d, ExprId e, uint32_t from, uint32_t to)
{
    Graph *g = d->g;
    ExprOp op = expr_op(g, e);
    uint32_t n = expr_n(g, e), payload = op == OP_FIELD || op == OP_OUT ? expr_index(g, e) : 0;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(g, e, i);
        vec_push(&args, i >= from && i < to && a ? rate_of(d, a) : a);
    }
    ExprId out = expr_apply(g, op, symbolic_rate_type(g, expr_type(g, e)), payload, args.at, n);
    vec_free(&args);
    return out;
}

/* op(da, b) + op(a, db) for operators linear in both. */
static ExprId derive_bilinear(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId a = expr_arg(g, e, 0), b = expr_arg(g, e, 1);
    TypeId type = symbolic_rate_type(g, expr_type(g, e));
    ExprId x = expr_apply(g, expr_op(g, e), type, 0, (ExprId[]){rate_of(d, a), b}, 2);
    ExprId y = expr_apply(g, expr_op(g, e), type, 0, (ExprId[]){a, rate_of(d, b)}, 2);
    return expr_add(g, x, y);
}

/* ---- calls ---- */

/* Whether the annotation applies to the call: inputs under zeroDerivative must not move. An input
 * under noDerivative depends on the others in a way that the derivative function knows; if it moves
 * alone, the annotation does not help. */
static bool holds_here(const Diff *d, ExprId e, const FnDerivative *a)
{
    bool moves = false, given = d->rate != NULL;
    for (uint32_t i = 0; i < expr_n(d->g, e); i++) {
        ExprId x = expr_arg(d->g, e, i);
        if (a->inputs[i] == FN_NOT) {
            moves |= !d->rate && symbolic_holds_reals(d->g, expr_type(d->g, x)) &&
                     symbolic_depends(d->s, x, d->hole);
            continue;
        }
        bool still = !symbolic_holds_reals(d->g, expr_type(d->g, x)) ||
                     rate_of(d, x) == symbolic_zero_like(d->g, x);
        if (a->inputs[i] == FN_ZERO && !still)
            return false;
        given |= a->inputs[i] == FN_DIFFERENTIATED && !still;
    }
    return given || !moves;
}

/* Section 12.7.1: the inputs, then the derivative of every input that has Reals and is not
 * excluded. */
static ExprId derive_annotated(const Diff *d, ExprId e, const FnDerivative *a)
{
    Graph *g = d->g;
    uint32_t n = expr_n(g, e);
    const Function *to = a->function;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&args, expr_arg(g, e, i));
    for (uint32_t i = 0; i < n; i++)
        if (a->inputs[i] == FN_DIFFERENTIATED && symbolic_holds_reals(g, expr_type(g, args.at[i])))
            vec_push(&args, rate_of(d, args.at[i]));
    ExprId out = EXPR_NONE;
    bool known = args.n == to->n_in;
    for (uint32_t i = n; i < args.n; i++)
        known &= args.at[i] != EXPR_NONE;
    if (known) {
        out = expr_apply(g, OP_CALL, to->result, to->id, args.at, args.n);
        map_put(&d->s->seeds, to->id, n);
    }
    vec_free(&args);
    return out;
}

/* A derivative function is linear in the derivatives of its inputs: if only they move, the call
 * with their derivatives; otherwise EXPR_NONE. */
static ExprId derive_linear(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    uint32_t first = map_get(&d->s->seeds, expr_index(g, e)), n = expr_n(g, e);
    VEC(ExprId) args = {0};
    bool linear = first != MAP_NONE;
    for (uint32_t i = 0; linear && i < n; i++) {
        ExprId a = expr_arg(g, e, i);
        bool real = symbolic_holds_reals(g, expr_type(g, a));
        linear = !real || (i < first ? rate_of(d, a) == symbolic_zero_like(g, a)
                                     : rate_of(d, a) != EXPR_NONE);
        vec_push(&args, i < first ? a : rate_of(d, a));
    }
    ExprId out =
        linear ? expr_apply(g, OP_CALL, expr_type(g, e), expr_index(g, e), args.at, n) : EXPR_NONE;
    vec_free(&args);
    return out;
}

/* The inputs of a function that is itself a derivative are x, y, …, then their first derivatives,
 * `more` in number, then the second ones. Its derivative is a total one: each of them must move as
 * the next says. */
static bool moves_as_given(const Diff *d, ExprId e, const FnDerivative *a, uint32_t more)
{
    Graph *g = d->g;
    uint32_t n = expr_n(g, e), first = n - (a->order - 1) * more, at = first;
    for (uint32_t i = 0; i < n - more; i++) {
        ExprId x = expr_arg(g, e, i);
        if (i < first &&
            (a->inputs[i] != FN_DIFFERENTIATED || !symbolic_holds_reals(g, expr_type(g, x))))
            continue;
        if (at >= n || rate_of(d, x) != expr_arg(g, e, at++))
            return false;
    }
    return at == n;
}

/* By a derivative of second or higher order. It takes only the derivatives of the last inputs.
 * EXPR_NONE if the call is not a total derivative. */
static ExprId derive_next_order(const Diff *d, ExprId e, const FnDerivative *a)
{
    Graph *g = d->g;
    uint32_t n = expr_n(g, e), more = a->function->n_in > n ? a->function->n_in - n : 0;
    if (!d->rate || !more || (a->order - 1) * (uint64_t)more > n || !moves_as_given(d, e, a, more))
        return EXPR_NONE;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&args, expr_arg(g, e, i));
    for (uint32_t i = n - more; i < n; i++)
        vec_push(&args, rate_of(d, expr_arg(g, e, i)));
    ExprId out = expr_apply(g, OP_CALL, a->function->result, a->function->id, args.at, args.n);
    vec_free(&args);
    return out;
}

/* By the first derivative annotation that applies; EXPR_NONE if none does. */
static ExprId derive_by_annotation(const Diff *d, ExprId e, const Function *f)
{
    for (uint32_t i = 0; i < f->n_derivatives; i++) {
        const FnDerivative *a = &f->derivatives[i];
        if (!holds_here(d, e, a))
            continue;
        ExprId out = a->order <= 1 ? derive_annotated(d, e, a) : derive_next_order(d, e, a);
        if (out)
            return out;
    }
    return EXPR_NONE;
}

static ExprId derive_at(Diff *d, ExprId root);

typedef struct Size {
    Map seen;
    uint32_t n;
} Size;

static Walk count_node(void *user, ExprId e)
{
    Size *size = user;
    if (map_get(&size->seen, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&size->seen, e, 1);
    return ++size->n > LONG_BODY ? WALK_END : WALK_ON;
}

static bool is_long(const Graph *g, ExprId body)
{
    Size size = {0};
    bool within = expr_walk_down(g, body, count_node, &size);
    map_free(&size.seen);
    return !within;
}

/* The body of the call, if its derivative is taken from that; otherwise EXPR_NONE. */
static ExprId body_to_derive(Diff *d, ExprId e, const Function *f)
{
    bool call = !f->external && (d->tangents || (d->calls && f->n_body > LONG_BODY));
    ExprId body = call ? EXPR_NONE : symbolic_inline(d->s, e);
    return body && d->calls && !f->external && is_long(d->g, body) ? EXPR_NONE : body;
}

static ExprId derive_call(Diff *d, ExprId e)
{
    const Function *f = d->g->functions.at[expr_index(d->g, e)];
    ExprId given = derive_linear(d, e);
    if (!given)
        given = derive_by_annotation(d, e, f);
    if (given)
        return given;
    ExprId body = body_to_derive(d, e, f);
    if (!body) {
        const FnDerivative *a = symbolic_tangent(d->s, f);
        for (uint32_t i = 0; a && i < expr_n(d->g, e); i++)
            derive_at(d, expr_arg(d->g, e, i));
        return a ? derive_annotated(d, e, a) : EXPR_NONE;
    }
    ExprId outer = d->body;
    d->body = body;
    d->s->inlining++; /* a recursion on values that are not fixed ends at the limit */
    ExprId out = derive_at(d, body);
    d->s->inlining--;
    d->body = outer;
    return out;
}

/* A result of a call: the derivative gives only the Real results, unless it comes from the body. */
static ExprId derive_out(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId call = expr_arg(g, e, 0), dc = rate_of(d, call);
    uint32_t k = expr_index(g, e), at = k;
    if (type_get(g->types, expr_type(g, dc))->kind != TYPE_TUPLE)
        return dc;
    const Type *t = type_get(g->types, expr_type(g, call));
    for (uint32_t i = 0; expr_op(g, dc) != OP_TUPLE && i < k; i++)
        at -= !symbolic_holds_reals(g, t->fields[i].type);
    return expr_apply(g, OP_OUT, expr_type(g, e), at, &dc, 1);
}

/* The value at time - T. If the delay is short, it also depends on the present value. The
 * derivative by the number of the history is that of the history itself (DELAYED_VARIED). */
static ExprId derive_delayed(Diff *d, ExprId e)
{
    Graph *g = d->g;
    uint32_t part = expr_index(g, e), n = expr_n(g, e);
    ExprId args[4] = {0};
    if (part >= DELAYED_WEIGHT - 1)
        return num(g, 0);
    for (uint32_t i = 0; i < n && i < 4; i++)
        args[i] = expr_arg(g, e, i);
    ExprId slope = expr_apply(g, OP_DELAYED, T_REAL, part + 1, args, n);
    ExprId varied = expr_apply(g, OP_DELAYED, T_REAL, DELAYED_VARIED + part, args, n);
    ExprId out = expr_mul(g, slope, expr_sub(g, rate_of(d, args[1]), rate_of(d, args[2])));
    out = expr_add(g, out, expr_mul(g, varied, rate_of(d, args[0])));
    if (n < 4 || part)
        return out;
    ExprId weight = expr_apply(g, OP_DELAYED, T_REAL, DELAYED_WEIGHT, args, n);
    return expr_add(g, out, expr_mul(g, weight, rate_of(d, args[3])));
}

static ExprId derive_carried(Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprId args[] = {expr_arg(g, e, 0), expr_arg(g, e, 1), expr_arg(g, e, 2)};
    ExprId slope = expr_apply(g, OP_CARRIED, T_REAL, expr_index(g, e) + 1, args, 3);
    return expr_mul(g, expr_neg(g, slope), rate_of(d, args[2]));
}

static ExprId derive_function(const Diff *d, ExprId e)
{
    Graph *g = d->g;
    ExprOp op = expr_op(g, e);
    ExprId out = EXPR_NONE;
    if (op_is_function_of(op, 1))
        out = function_derivative(g, e, rate_of(d, expr_arg(g, e, 0)));
    else if (op_is_function_of(op, 2))
        out = function_derivative2(g, e, rate_of(d, expr_arg(g, e, 0)),
                                   rate_of(d, expr_arg(g, e, 1)));
    return out ? out : symbolic_fail(d->s, "%s cannot be differentiated", expr_op_text(op));
}

/* ---- one node ---- */

/* Its value does not move with its arguments: it is constant except for steps, or not a Real. */
static bool stands_still(ExprOp op)
{
    OpBehaviour b = op_behaviour(op);
    OpClass c = op_class(op);
    return b == VALUE_STEPS || b == VALUE_SWITCHES || b == VALUE_ROUNDS || b == VALUE_DISCRETE ||
           c == CLASS_LOGIC || c == CLASS_CONVERSION || c == CLASS_TEXT || op == OP_SIZE ||
           op == OP_NDIMS;
}

/* Arguments [*from, *to) matter for the derivative. */
static void moving_args(const Graph *g, ExprId e, uint32_t *from, uint32_t *to)
{
    *from = 0;
    *to = expr_n(g, e);
    switch (expr_op(g, e)) {
    case OP_IF:
    case OP_SMOOTH: *from = 1; break;
    case OP_REDUCE:
        *from = 1;
        *to = 2;
        break;
    case OP_LINSPACE: *to = 2; break;
    case OP_COMPREHEND:
    case OP_INDEX:
    case OP_FILL: *to = 1; break;
    default:
        if (stands_still(expr_op(g, e)))
            *to = 0;
        break;
    }
}

static ExprId derive_node(Diff *d, ExprId e)
{
    Graph *g = d->g;
    switch (expr_op(g, e)) {
    case OP_ADD:
    case OP_NEG:
    case OP_NOEVENT:
    case OP_HOMOTOPY:
    case OP_ARRAY:
    case OP_RECORD:
    case OP_TUPLE:
    case OP_FIELD:
    case OP_SUM:
    case OP_TRANSPOSE:
    case OP_DIAGONAL:
    case OP_SYMMETRIC:
    case OP_SKEW:
    case OP_SCALAR:
    case OP_VECTOR:
    case OP_MATRIX: return derive_alike(d, e, 0, UINT32_MAX);
    case OP_CAT:
    case OP_IF: return derive_alike(d, e, 1, UINT32_MAX);
    case OP_COMPREHEND: return derive_alike(d, e, 0, 1);
    case OP_REDUCE:
        if (expr_int_value(g, expr_arg(g, e, 0)) == OP_SUM)
            return derive_alike(d, e, 1, 2);
        return symbolic_reduction(d->s, e, rate_of(d, expr_arg(g, e, 1)));
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF: return symbolic_reduction(d->s, e, rate_of(d, expr_arg(g, e, 0)));
    case OP_LINSPACE: return derive_alike(d, e, 0, 2);
    case OP_INDEX:
    case OP_FILL: return derive_alike(d, e, 0, 1);
    case OP_MUL: return derive_product(d, e);
    case OP_DIV: return derive_quotient(d, e);
    case OP_POW: return derive_power(d, e);
    case OP_MATMUL:
    case OP_CROSS:
    case OP_OUTER: return derive_bilinear(d, e);
    case OP_SMOOTH: return derive_smooth(d, e);
    case OP_SEMILINEAR: return derive_semi_linear(d, e);
    case OP_DELAYED: return derive_delayed(d, e);
    case OP_CARRIED: return derive_carried(d, e);
    case OP_CALL: return derive_call(d, e);
    case OP_OUT: return derive_out(d, e);
    default: return derive_function(d, e);
    }
}

/* An input of a call that all derivative annotations of the function exclude. */
static bool needs_no_rate(const Graph *g, ExprId e, uint32_t i)
{
    if (expr_op(g, e) != OP_CALL)
        return false;
    const Function *f = g->functions.at[expr_index(g, e)];
    for (uint32_t k = 0; k < f->n_derivatives; k++)
        if (f->derivatives[k].inputs[i] != FN_NOT)
            return false;
    return f->n_derivatives > 0;
}

/* Zero if no argument moves; EXPR_NONE if a needed derivative does not exist. */
static ExprId derive_ready(Diff *d, ExprId e)
{
    Graph *g = d->g;
    uint32_t from, to;
    bool still = true;
    if (expr_n(g, e) == 0)
        return derive_leaf(d, e);
    moving_args(g, e, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        ExprId a = expr_arg(g, e, i), da = a ? rate_of(d, a) : EXPR_NONE;
        if (a && !da && expr_op(g, e) != OP_CALL)
            return EXPR_NONE;
        if (needs_no_rate(g, e, i))
            still &= !d->rate && !symbolic_depends(d->s, a, d->hole);
        else
            still &= !a || da == symbolic_zero_like(g, a);
    }
    TypeId type = expr_type(g, e);
    if (still || !(symbolic_holds_reals(g, type) || type_get(g->types, type)->kind == TYPE_TUPLE))
        return symbolic_zero_like(g, e);
    return derive_node(d, e);
}

enum { CALLS_WITHIN_CALLS = 8 };

/* Differentiates a body that has no derivative with respect to the hole. It uses the annotations of
 * a function whose call the body may replace, because equal expressions have equal derivatives.
 * Along a rate it is differentiated directly, because an annotation contains more than the body.
 * EXPR_NONE if there is no such call, or its annotations do not apply. */
static ExprId derive_as_call(Diff *d, ExprId e)
{
    uint32_t call = d->rate ? MAP_NONE : map_get(&d->s->expanded_calls, e);
    if (call == MAP_NONE || d->body == e || d->s->calling >= CALLS_WITHIN_CALLS)
        return EXPR_NONE;
    d->s->calling++; /* bodies that are calls may replace one another */
    ExprId out = derive_at(d, call);
    d->s->calling--;
    return out;
}

static ExprId derive_at(Diff *d, ExprId root)
{
    VEC(ExprId) stack = {0};
    Map opened = {0};
    vec_push(&stack, root);
    while (stack.n) {
        ExprId e = vec_last(&stack);
        uint32_t from, to;
        if (map_get(d->memo, key(d, e)) != MAP_NONE) {
            (void)vec_pop(&stack);
            continue;
        }
        if (map_get(&opened, e) == MAP_NONE) {
            map_put(&opened, e, 1);
            moving_args(d->g, e, &from, &to);
            for (uint32_t i = to; i-- > from;) {
                ExprId a = expr_arg(d->g, e, i);
                if (a && !needs_no_rate(d->g, e, i) && map_get(d->memo, key(d, a)) == MAP_NONE)
                    vec_push(&stack, a);
            }
            continue;
        }
        ExprId rate = derive_ready(d, e);
        if (!rate)
            rate = derive_as_call(d, e);
        map_put(d->memo, key(d, e), rate);
        (void)vec_pop(&stack);
    }
    vec_free(&stack);
    map_free(&opened);
    return rate_of(d, root);
}

ExprId symbolic_diff(Symbolic *s, ExprId e, uint32_t hole)
{
    uint64_t k = map_pair(e, hole);
    uint32_t known = map_get(&s->derivatives, k);
    if (known == MAP_NONE) {
        Diff d = {.s = s, .g = s->g, .hole = hole, .memo = &s->derivatives};
        s->why = NULL;
        known = derive_at(&d, e);
        if (!known) {
            map_put(&s->reasons, k, s->texts.n);
            vec_push(&s->texts, s->why);
        }
    }
    uint32_t reason = known ? MAP_NONE : map_get(&s->reasons, k);
    if (reason != MAP_NONE)
        s->why = s->texts.at[reason];
    return known;
}

ExprId symbolic_along(Symbolic *s, ExprId e, const uint32_t *tangents, uint32_t n)
{
    Map memo = {0};
    static const uint32_t nothing = UINT32_MAX;
    Diff d = {
        .s = s, .g = s->g, .rate = &nothing, .tangents = tangents, .n_tangents = n, .memo = &memo};
    ExprId out = derive_at(&d, e);
    map_free(&memo);
    return out;
}

static ExprId derive_along(Symbolic *s, ExprId e, const uint32_t *rate, uint32_t n, bool calls)
{
    Map memo = {0};
    static const uint32_t nothing = UINT32_MAX;
    Diff d = {.s = s, .g = s->g, .rate = &nothing, .calls = calls, .memo = &memo};
    if (rate) {
        d.rate = rate;
        d.n = n;
    }
    s->why = NULL;
    ExprId out = derive_at(&d, e);
    map_free(&memo);
    return out;
}

ExprId symbolic_rate(Symbolic *s, ExprId e, const uint32_t *rate, uint32_t n)
{
    return derive_along(s, e, rate, n, false);
}

ExprId symbolic_direction(Symbolic *s, ExprId e, const uint32_t *rate, uint32_t n)
{
    return derive_along(s, e, rate, n, true);
}

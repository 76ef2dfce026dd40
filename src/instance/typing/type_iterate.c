/* Iterators: array constructors and reductions over ranges, and vectorised calls (Modelica 3.6,
 * sections 10.3.4, 10.4.1, 12.4.6). In models all ranges are structural and the loops are unrolled;
 * in functions they are kept. */
#include "instance/typing/internal.h"

#include <float.h>

enum { UNROLL_LIMIT = 20000000 };

ExprId typing_iter_range(TypeScope *s, const AstIter *it, const AstExpr *body,
                         AstStmt *const *stmts, uint32_t n)
{
    uint32_t errors_before = s->ctx->n_errors;
    s->in_range = it->range && it->range->kind == AST_REF;
    ExprId range = it->range ? typing_operand(s, it->range)
                   : body    ? type_inferred_range(s, it->name, body)
                             : typing_inferred_range(s, it->name, stmts, n);
    s->in_range = false;
    if (!range && !it->range && s->ctx->n_errors == errors_before)
        return TELL(s, it->span, I119,
                    "iterator %s has no range, and it is not used as a subscript", it->name);
    if (!range || type_rank(s->g->types, expr_type(s->g, range)) == 1)
        return range;
    return TELL(s, it->range->span, I119, "iterator %s needs a vector, found %s", it->name,
                typing_text(s, expr_type(s->g, range)));
}

/* ---- unrolled ---- */

typedef struct Unroll {
    TypeScope *s;
    const AstExpr *e;
    const AstExpr *body;
    bool flat;     /* all values in one list (reductions), otherwise nested arrays */
    IdList values; /* flat */
} Unroll;

/* The range as an array with a known number of elements, which can be read one by one. */
static ExprId explicit_range(TypeScope *s, ExprId range, Span span, int64_t *n)
{
    ExprOp op = expr_op(s->g, range);
    *n = type_count(s->g->types, expr_type(s->g, range));
    bool simple =
        op == OP_ARRAY || (op == OP_RANGE && expr_is_literal(s->g, expr_arg(s->g, range, 0)) &&
                           expr_is_literal(s->g, expr_arg(s->g, range, 1)));
    if (!simple || *n == DIM_UNKNOWN) {
        Value v;
        if (!s->evaluate || s->evaluate(s, range, span, "range of an iterator", &v) != EVAL_OK)
            return EXPR_NONE;
        range = eval_literal(s->g, &v);
        *n = type_count(s->g->types, expr_type(s->g, range));
    }
    if (*n > UNROLL_LIMIT)
        return TELL(s, span, I123, "a loop of %lld iterations is too long to be unrolled",
                    (long long)*n);
    return range;
}

static ExprId range_item(TypeScope *s, ExprId range, int64_t i, Span span)
{
    Graph *g = s->g;
    if (expr_op(g, range) == OP_RANGE && type_element(g->types, expr_type(g, range)) == T_REAL)
        return expr_real(g, expr_real_value(g, expr_arg(g, range, 0)) +
                                (double)i * expr_real_value(g, expr_arg(g, range, 1)));
    return typing_element(s, range, i + 1, span);
}

static ExprId unroll(Unroll *u, uint32_t k);

/* The type of the values if there are none, from the first possible value of the iterator. That
 * may not be a subscript of an array that has no elements either; any value has a type there. */
static TypeId type_of_none(Unroll *u, uint32_t k, TypeIter *iter, TypeId element)
{
    TypeScope *s = u->s;
    TypeKind kind = typing_kind(s, element);
    iter->value = kind == TYPE_INT    ? expr_int(s->g, 1)
                  : kind == TYPE_REAL ? expr_real(s->g, 1)
                  : kind == TYPE_BOOL ? expr_bool(s->g, false)
                  : kind == TYPE_ENUM ? expr_enum(s->g, element, 1)
                                      : EXPR_NONE;
    bool was_quiet = s->ctx->quiet;
    s->ctx->quiet = true;
    ExprId x = iter->value ? unroll(u, k) : EXPR_NONE;
    if (!x && iter->value) {
        iter->value = expr_new_iter(s->g, element);
        x = unroll(u, k);
    }
    s->ctx->quiet = was_quiet;
    return x ? expr_type(s->g, x) : T_REAL;
}

/* Iterators 0 … k - 1 are still to be run through; the last is the outermost. */
static ExprId unroll(Unroll *u, uint32_t k)
{
    TypeScope *s = u->s;
    if (k == 0) {
        ExprId x = typing_operand(s, u->body);
        if (x && u->flat)
            ids_push(&u->values, x);
        return x;
    }
    const AstIter *it = &u->e->iters.at[k - 1];
    ExprId range = typing_iter_range(s, it, u->body, NULL, 0);
    Span span = it->range ? it->range->span : it->span;
    int64_t n = 0;
    if (!range || !(range = explicit_range(s, range, span, &n)))
        return EXPR_NONE;
    TypeIter iter = {it->name, EXPR_NONE, s->iters};
    s->iters = &iter;
    IdList items;
    ids_init(&items);
    bool ok = true;
    for (int64_t i = 0; i < n && ok; i++) {
        iter.value = range_item(s, range, i, span);
        ExprId x = iter.value ? unroll(u, k - 1) : EXPR_NONE;
        ok = x != EXPR_NONE;
        if (!u->flat)
            ids_push(&items, x);
    }
    TypeId none = n || u->flat ? T_REAL
                               : type_of_none(u, k - 1, &iter,
                                              type_element(s->g->types, expr_type(s->g, range)));
    s->iters = iter.outer;
    ExprId answer = !ok       ? EXPR_NONE
                    : u->flat ? range
                              : typing_array_of(s, items.at, items.n, none, u->e->span);
    ids_free(&items);
    return answer;
}

/* min or max of many, as a balanced tree. */
static ExprId extremum(TypeScope *s, ExprOp op, TypeId type, ExprId *x, uint32_t n)
{
    while (n > 1) {
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; i += 2)
            x[m++] = i + 1 < n ? expr_apply(s->g, op, type, 0, x + i, 2) : x[i];
        n = m;
    }
    return x[0];
}

/* The reduction of nothing (section 10.3.4). */
static ExprId empty_reduction(TypeScope *s, ExprOp op)
{
    switch (op) {
    case OP_SUM: return expr_int(s->g, 0);
    case OP_PRODUCT: return expr_int(s->g, 1);
    case OP_MIN_OF: return expr_real(s->g, DBL_MAX);
    default: return expr_real(s->g, -DBL_MAX);
    }
}

static ExprId reduce_values(TypeScope *s, const AstExpr *e, ExprOp op, IdList *v)
{
    if (v->n == 0)
        return empty_reduction(s, op);
    TypeId type = expr_type(s->g, v->at[0]);
    uint32_t dim = 0;
    for (uint32_t i = 1; i < v->n; i++)
        if (typing_common(s, type, expr_type(s->g, v->at[i]), &type, &dim) != FIT_OK)
            return TELL(s, e->span, I120, "values of the reduction are %s and %s",
                        typing_text(s, type), typing_text(s, expr_type(s->g, v->at[i])));
    bool sum = op == OP_SUM;
    if ((sum || op == OP_PRODUCT) && typing_is_overloaded(s, type))
        return typing_overloaded_reduce(s, op, e, type_element(s->g->types, type), v->at, v->n);
    if ((sum || op == OP_PRODUCT) && !type_is_numeric(s->g->types, type))
        return TELL(s, e->span, I101, "%s needs numbers, found %s", expr_op_text(op),
                    typing_text(s, type));
    if (!sum && !typing_is_scalar(s, type))
        return TELL(s, e->span, I101, "%s over an iterator needs scalars, found %s",
                    expr_op_text(op), typing_text(s, type));
    for (uint32_t i = 0; i < v->n; i++)
        if (!(v->at[i] = typing_try_convert(s, v->at[i], type)))
            return EXPR_NONE;
    if (sum || op == OP_PRODUCT)
        return typing_nary(s, sum ? OP_ADD : OP_MUL, type, v->at, v->n);
    return extremum(s, op == OP_MIN_OF ? OP_MIN : OP_MAX, type, v->at, v->n);
}

/* ---- kept ---- */

typedef ExprId (*WrapFn)(TypeScope *s, ExprOp op, ExprId body, ExprId iter, ExprId range);

static ExprId wrap_array(TypeScope *s, ExprOp op, ExprId body, ExprId iter, ExprId range)
{
    (void)op;
    int64_t n = type_dim(s->g->types, expr_type(s->g, range), 0);
    TypeId type = type_array(s->g->types, expr_type(s->g, body), &n, 1);
    return expr3(s->g, OP_COMPREHEND, type, body, iter, range);
}

static ExprId wrap_reduce(TypeScope *s, ExprOp op, ExprId body, ExprId iter, ExprId range)
{
    ExprId args[] = {expr_int(s->g, (int64_t)op), body, iter, range};
    return expr_make(s->g, OP_REDUCE, expr_type(s->g, body), 0, args, 4);
}

static ExprId keep_loop(TypeScope *s, const AstExpr *e, const AstExpr *body, uint32_t k, ExprOp op,
                        WrapFn wrap)
{
    if (k == 0)
        return typing_operand(s, body);
    const AstIter *it = &e->iters.at[k - 1];
    ExprId range = typing_iter_range(s, it, body, NULL, 0);
    if (!range)
        return EXPR_NONE;
    TypeId type = type_element(s->g->types, expr_type(s->g, range));
    TypeIter iter = {it->name, expr_new_iter(s->g, type), s->iters};
    s->iters = &iter;
    ExprId x = keep_loop(s, e, body, k - 1, op, wrap);
    s->iters = iter.outer;
    return x ? wrap(s, op, x, iter.value, range) : EXPR_NONE;
}

/* Loops stay loops in functions, and if their range depends on an iterator that is kept. */
static bool keeps_loops(const TypeScope *s)
{
    for (const TypeIter *it = s->iters; it; it = it->outer)
        if (!expr_is_literal(s->g, it->value))
            return true;
    return s->in_function;
}

ExprId typing_comprehension(TypeScope *s, const AstExpr *e)
{
    const AstExpr *body = e->args.at[0];
    if (keeps_loops(s))
        return keep_loop(s, e, body, e->iters.n, OP_NONE, wrap_array);
    Unroll u = {.s = s, .e = e, .body = body};
    return unroll(&u, e->iters.n);
}

ExprId typing_reduction(TypeScope *s, const AstExpr *e, ExprOp op)
{
    const AstExpr *body = e->args.at[0];
    if (keeps_loops(s)) {
        ExprId x = keep_loop(s, e, body, e->iters.n, op, wrap_reduce);
        if (!x)
            return EXPR_NONE;
        bool number = op == OP_SUM || op == OP_PRODUCT;
        TypeId type = expr_type(s->g, x);
        if ((number && !type_is_numeric(s->g->types, type)) ||
            (op != OP_SUM && !typing_is_scalar(s, type)))
            return TELL(s, e->span, I101, "%s needs %s, found %s", expr_op_text(op),
                        number ? "numbers" : "scalars", typing_text(s, type));
        return x;
    }
    Unroll u = {.s = s, .e = e, .body = body, .flat = true};
    ids_init(&u.values);
    ExprId x = unroll(&u, e->iters.n) ? reduce_values(s, e, op, &u.values) : EXPR_NONE;
    ids_free(&u.values);
    return x;
}

/* ---- vectorised calls ---- */

static ExprId vectorise(TypeScope *s, const Vectorised *v, const ExprId *args, uint32_t depth);

/* The call for element `sub` of the leading dimension. */
static ExprId at_element(TypeScope *s, const Vectorised *v, const ExprId *args, ExprId sub,
                         uint32_t depth)
{
    IdList items;
    ids_init(&items);
    ExprId answer = EXPR_NONE;
    for (uint32_t i = 0; i < v->n; i++) {
        ExprId x = args[i];
        if (v->mask[i] && !(x = type_index(s, x, &sub, 1, v->span)))
            goto out;
        ids_push(&items, x);
    }
    answer = vectorise(s, v, items.at, depth + 1);
out:
    ids_free(&items);
    return answer;
}

/* A size that is not known: {f(x[i]) for i in 1:size(x, 1)} */
static ExprId at_unknown(TypeScope *s, const Vectorised *v, const ExprId *args, uint32_t depth)
{
    Graph *g = s->g;
    uint32_t first = 0;
    while (!v->mask[first])
        first++;
    ExprId iter = expr_new_iter(g, T_INT), one = expr_int(g, 1);
    ExprId body = at_element(s, v, args, iter, depth);
    if (!body)
        return EXPR_NONE;
    ExprId size = expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){args[first], one}, 2);
    int64_t unknown = DIM_UNKNOWN;
    ExprId range = expr_apply(g, OP_RANGE, type_array(g->types, T_INT, &unknown, 1), 0,
                              (ExprId[]){one, one, size}, 3);
    return wrap_array(s, OP_NONE, body, iter, range);
}

static ExprId vectorise(TypeScope *s, const Vectorised *v, const ExprId *args, uint32_t depth)
{
    const Type *shape = type_get(s->g->types, v->shape);
    if (depth == shape->n)
        return v->fn(s, v->user, args);
    int64_t n = shape->dims[depth];
    if (n == DIM_UNKNOWN)
        return at_unknown(s, v, args, depth);
    IdList items;
    ids_init(&items);
    bool ok = true;
    for (int64_t i = 1; i <= n && ok; i++) {
        ExprId x = at_element(s, v, args, expr_int(s->g, i), depth);
        ok = x != EXPR_NONE;
        ids_push(&items, x);
    }
    TypeId element = v->element;
    if (depth + 1 < shape->n)
        element = type_array(s->g->types, element, shape->dims + depth + 1, shape->n - depth - 1);
    ExprId answer = ok ? typing_array_of(s, items.at, items.n, element, v->span) : EXPR_NONE;
    ids_free(&items);
    return answer;
}

ExprId typing_vectorise(TypeScope *s, const Vectorised *v, const ExprId *args)
{
    return vectorise(s, v, args, 0);
}

/* Subscripts, elements, slices and fields (Modelica 3.6, sections 10.5 and 10.6.9). */
#include "instance/typing/internal.h"

/* ---- subscripts ---- */

static ExprId out_of_range(TypeScope *s, int64_t k, int64_t size, Span span)
{
    if (size == 0)
        return TELL(s, span, I109, "subscript %lld is out of range: the dimension is empty",
                    (long long)k);
    return TELL(s, span, I109, "subscript %lld is out of range 1:%lld", (long long)k,
                (long long)size);
}

static bool check_literal(TypeScope *s, ExprId sub, int64_t size, Span span)
{
    int64_t k = expr_int_value(s->g, sub);
    if (k >= 1 && (k <= size || size == DIM_UNKNOWN))
        return true;
    if (size == DIM_UNKNOWN)
        TELL(s, span, I109, "subscript %lld is out of range: subscripts count from 1",
             (long long)k);
    else
        out_of_range(s, k, size, span);
    return false;
}

static bool literal_range(const Graph *g, ExprId e)
{
    return expr_op(g, e) == OP_RANGE && expr_op(g, expr_arg(g, e, 0)) == OP_INT &&
           expr_op(g, expr_arg(g, e, 1)) == OP_INT &&
           type_count(g->types, expr_type(g, e)) != DIM_UNKNOWN;
}

/* Value of element k (from 0) of a literal range of Integers. */
static int64_t range_value(const Graph *g, ExprId range, int64_t k)
{
    return expr_int_value(g, expr_arg(g, range, 0)) + k * expr_int_value(g, expr_arg(g, range, 1));
}

/* Checks that literal subscripts are within 1:size. */
static bool check_bounds(TypeScope *s, ExprId sub, int64_t size, Span span)
{
    Graph *g = s->g;
    if (expr_op(g, sub) == OP_INT)
        return check_literal(s, sub, size, span);
    if (literal_range(g, sub)) {
        int64_t n = type_count(g->types, expr_type(g, sub));
        return n == 0 || (check_literal(s, expr_int(g, range_value(g, sub, 0)), size, span) &&
                          check_literal(s, expr_int(g, range_value(g, sub, n - 1)), size, span));
    }
    if (expr_op(g, sub) != OP_ARRAY)
        return true;
    for (uint32_t i = 0; i < expr_n(g, sub); i++)
        if (expr_op(g, expr_arg(g, sub, i)) == OP_INT &&
            !check_literal(s, expr_arg(g, sub, i), size, span))
            return false;
    return true;
}

/* Booleans and enumerations count as 1, 2, … (section 10.5.1). */
static ExprId to_integer(TypeScope *s, ExprId sub, Span span)
{
    Graph *g = s->g;
    TypeId type = expr_type(g, sub), element = type_element(g->types, type);
    if (type_rank(g->types, type) > 1)
        return TELL(s, span, I110, "a subscript must be a scalar or a vector, found %s",
                    typing_text(s, type));
    if (element == T_INT)
        return sub;
    if (typing_kind(s, element) == TYPE_ENUM && expr_op(g, sub) != OP_ARRAY)
        return expr_apply(g, OP_TO_INT, typing_with_element(s, type, T_INT), 0, &sub, 1);
    if (type == T_BOOL)
        return expr_if(g, sub, expr_int(g, 2), expr_int(g, 1));
    if (expr_op(g, sub) == OP_ARRAY &&
        (element == T_BOOL || typing_kind(s, element) == TYPE_ENUM)) {
        IdList items;
        ids_init(&items);
        for (uint32_t i = 0; i < expr_n(g, sub); i++)
            ids_push(&items, to_integer(s, expr_arg(g, sub, i), span));
        ExprId e = typing_array_of(s, items.at, items.n, T_INT, span);
        ids_free(&items);
        return e;
    }
    return TELL(s, span, I110, "a subscript must be Integer, found %s", typing_text(s, type));
}

static ExprId one_subscript(TypeScope *s, const AstExpr *e, int64_t size, TypeId index)
{
    if (e->kind == AST_COLON)
        return expr_leaf(s->g, OP_COLON, T_NONE, 0);
    ExprId sub = typing_operand(s, e);
    if (sub && index != T_NONE && index != T_INT && e->kind != AST_END &&
        type_element(s->g->types, expr_type(s->g, sub)) == T_INT) {
        TELL(s, e->span, I110, "a subscript of this dimension must be %s, found %s",
             typing_text(s, index), typing_text(s, expr_type(s->g, sub)));
        diag_note(s->ctx, (Span){0},
                  "a dimension declared by a type is indexed by its values (Modelica 3.6, section "
                  "10.5.1)");
        return EXPR_NONE;
    }
    if (sub && index == T_INT && type_element(s->g->types, expr_type(s->g, sub)) != T_INT)
        return TELL(s, e->span, I110, "a subscript must be Integer, found %s",
                    typing_text(s, expr_type(s->g, sub)));
    sub = sub ? to_integer(s, sub, e->span) : EXPR_NONE;
    return sub && check_bounds(s, sub, size, e->span) ? sub : EXPR_NONE;
}

/* All subscripts of a part; dims has n sizes, n is at least their number or unknown (UINT32_MAX).
 */
static bool subscripts(TypeScope *s, const AstRefPart *part, ExprId array, const int64_t *dims,
                       uint32_t n, const TypeId *index, ExprId *subs)
{
    if (part->subs.n > n) {
        const char *plural = n == 1 ? "" : "s", *verb = part->subs.n == 1 ? " is" : "s are";
        TELL(s, part->span, I108, "%s has %u dimension%s, %u subscript%s given", part->name, n,
             plural, part->subs.n, verb);
        return false;
    }
    TypeScope outer = *s;
    bool ok = true;
    for (uint32_t i = 0; i < part->subs.n; i++) {
        s->has_end = n != UINT32_MAX;
        s->end_of = array;
        s->end_dim = i;
        s->end_size = dims ? dims[i] : DIM_UNKNOWN;
        subs[i] = one_subscript(s, part->subs.at[i], s->end_size, index ? index[i] : T_NONE);
        ok &= subs[i] != EXPR_NONE;
    }
    s->has_end = outer.has_end;
    s->end_of = outer.end_of;
    s->end_dim = outer.end_dim;
    s->end_size = outer.end_size;
    return ok;
}

bool type_subscripts(TypeScope *s, const AstRefPart *part, ExprId array, ExprId *subs)
{
    if (!array)
        return subscripts(s, part, EXPR_NONE, NULL, UINT32_MAX, NULL, subs);
    const Type *t = type_get(s->g->types, expr_type(s->g, array));
    bool is_array = t->kind == TYPE_ARRAY;
    return subscripts(s, part, array, is_array ? t->dims : NULL, is_array ? t->n : 0, NULL, subs);
}

bool type_subscripts_in(TypeScope *s, const AstRefPart *part, const int64_t *dims, uint32_t n,
                        const TypeId *index, ExprId *subs)
{
    return subscripts(s, part, EXPR_NONE, dims, n, index, subs);
}

/* ---- elements and slices ---- */

static bool is_scalar_sub(const TypeScope *s, ExprId sub)
{
    return expr_op(s->g, sub) != OP_COLON && typing_is_scalar(s, expr_type(s->g, sub));
}

/* Element k (from 0) of a vector of subscripts; EXPR_NONE if it is not explicit. */
static ExprId sub_element(TypeScope *s, ExprId subs, int64_t k)
{
    Graph *g = s->g;
    if (literal_range(g, subs))
        return expr_int(g, range_value(g, subs, k));
    return expr_op(g, subs) == OP_ARRAY ? expr_arg(g, subs, (uint32_t)k) : EXPR_NONE;
}

static TypeId index_type(TypeScope *s, TypeId type, const ExprId *subs, uint32_t n)
{
    Types *types = s->g->types;
    const Type *t = type_get(types, type);
    enum { FEW = 8 };
    int64_t few[FEW];
    int64_t *dims = t->n <= FEW ? few : ARENA_ARRAY(s->ctx->arena, int64_t, t->n);
    uint32_t m = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        if (k >= n || expr_op(s->g, subs[k]) == OP_COLON)
            dims[m++] = t->dims[k];
        else if (!typing_is_scalar(s, expr_type(s->g, subs[k])))
            dims[m++] = type_dim(types, expr_type(s->g, subs[k]), 0);
    }
    return type_array(types, t->element, dims, m);
}

/* Subscripts of a slice, applied to the array it is a slice of: x[2:3][1] is x[2]. EXPR_NONE if
 * they do not compose. */
static ExprId compose(TypeScope *s, ExprId slice, const ExprId *subs, uint32_t n, Span span)
{
    Graph *g = s->g;
    IdList all;
    ids_init(&all);
    ExprId answer = EXPR_NONE, base = expr_arg(g, slice, 0);
    uint32_t used = 0;
    for (uint32_t i = 1, m = expr_n(g, slice); i < m; i++) {
        ExprId inner = expr_arg(g, slice, i);
        if (is_scalar_sub(s, inner) || used == n || expr_op(g, subs[used]) == OP_COLON) {
            used += !is_scalar_sub(s, inner) && used < n;
        } else if (expr_op(g, inner) == OP_COLON) {
            inner = subs[used++];
        } else {
            ExprId sub = subs[used++];
            inner = expr_op(g, sub) == OP_INT ? sub_element(s, inner, expr_int_value(g, sub) - 1)
                                              : EXPR_NONE;
            if (!inner)
                goto out;
        }
        ids_push(&all, inner);
    }
    while (used < n)
        ids_push(&all, subs[used++]);
    answer = type_index(s, base, all.at, all.n, span);
out:
    ids_free(&all);
    return answer;
}

/* An explicit array with a slice as its first subscript: the chosen items, each with the rest. */
static ExprId slice_explicit(TypeScope *s, ExprId array, const ExprId *subs, uint32_t n, Span span)
{
    Graph *g = s->g;
    bool whole = expr_op(g, subs[0]) == OP_COLON;
    if (!whole && !literal_range(g, subs[0]) && expr_op(g, subs[0]) != OP_ARRAY)
        return EXPR_NONE;
    int64_t count = whole ? (int64_t)expr_n(g, array) : type_count(g->types, expr_type(g, subs[0]));
    TypeId type = index_type(s, expr_type(g, array), subs, n);
    IdList items;
    ids_init(&items);
    ExprId answer = EXPR_NONE;
    for (int64_t k = 0; k < count; k++) {
        ExprId sub = whole ? expr_int(g, k + 1) : sub_element(s, subs[0], k);
        if (!sub || expr_op(g, sub) != OP_INT)
            goto out;
        ExprId item = expr_arg(g, array, (uint32_t)expr_int_value(g, sub) - 1);
        item = type_index(s, item, subs + 1, n - 1, span);
        if (!item)
            goto out;
        ids_push(&items, item);
    }
    answer = expr_apply(g, OP_ARRAY, type, 0, items.at, items.n);
out:
    ids_free(&items);
    return answer;
}

/* The element of a literal range, or of fill(v, …); EXPR_NONE for other arrays. */
static ExprId element_of(TypeScope *s, ExprId array, const ExprId *subs, uint32_t n)
{
    Graph *g = s->g;
    if (literal_range(g, array) && n == 1 && expr_op(g, subs[0]) == OP_INT)
        return expr_int(g, range_value(g, array, expr_int_value(g, subs[0]) - 1));
    bool pair = n == 2 && expr_op(g, subs[0]) == OP_INT && expr_op(g, subs[1]) == OP_INT;
    if (pair && expr_op(g, array) == OP_IDENTITY)
        return expr_int(g, subs[0] == subs[1]);
    if (expr_op(g, array) != OP_FILL || !typing_is_scalar(s, expr_type(g, expr_arg(g, array, 0))))
        return EXPR_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (expr_op(g, subs[i]) != OP_INT)
            return EXPR_NONE;
    if (n + 1 == expr_n(g, array))
        return expr_arg(g, array, 0);
    IdList args;
    ids_init(&args);
    ids_push(&args, expr_arg(g, array, 0));
    for (uint32_t i = n + 1; i < expr_n(g, array); i++)
        ids_push(&args, expr_arg(g, array, i));
    ExprId e =
        expr_apply(g, OP_FILL, type_drop(g->types, expr_type(g, array), n), 0, args.at, args.n);
    ids_free(&args);
    return e;
}

/* Works element by element on its array operands. */
static bool is_elementwise(ExprOp op)
{
    switch (op) {
    case OP_ADD:
    case OP_NEG:
    case OP_MUL:
    case OP_DIV:
    case OP_POW:
    case OP_AND:
    case OP_OR:
    case OP_NOT:
    case OP_IF:
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM:
    case OP_DER:
    case OP_PRE:
    case OP_EDGE:
    case OP_CHANGE: return true;
    default: return false;
    }
}

/* (a + b)[i] is a[i] + b[i], for scalar subscripts. EXPR_NONE if that does not apply. */
static ExprId element_of_operation(TypeScope *s, ExprId e, const ExprId *subs, uint32_t n,
                                   Span span)
{
    Graph *g = s->g;
    enum { DEEP = 900 };
    for (uint32_t i = 0; i < n; i++)
        if (!is_scalar_sub(s, subs[i]))
            return EXPR_NONE;
    if (!is_elementwise(expr_op(g, e)) || s->depth > DEEP)
        return EXPR_NONE;
    IdList args;
    ids_init(&args);
    s->depth++;
    bool ok = true;
    for (uint32_t i = 0, m = expr_n(g, e); i < m && ok; i++) {
        ExprId a = expr_arg(g, e, i);
        if (!typing_is_scalar(s, expr_type(g, a)))
            a = type_index(s, a, subs, n, span);
        ok = a != EXPR_NONE;
        ids_push(&args, a);
    }
    s->depth--;
    TypeId type = type_drop(g->types, expr_type(g, e), n);
    ExprId x = ok ? expr_apply(g, expr_op(g, e), type, 0, args.at, args.n) : EXPR_NONE;
    ids_free(&args);
    return x;
}

static ExprId make_index(TypeScope *s, ExprId array, const ExprId *subs, uint32_t n)
{
    IdList args;
    ids_init(&args);
    ids_push(&args, array);
    for (uint32_t i = 0; i < n; i++)
        ids_push(&args, subs[i]);
    ExprId e = expr_apply(s->g, OP_INDEX, index_type(s, expr_type(s->g, array), subs, n), 0,
                          args.at, args.n);
    ids_free(&args);
    return e;
}

ExprId type_index(TypeScope *s, ExprId array, const ExprId *subs, uint32_t n, Span span)
{
    Graph *g = s->g;
    TypeId type = expr_type(g, array);
    uint32_t rank = type_rank(g->types, type);
    if (n > rank)
        return TELL(s, span, I108, "%s has %u dimension%s, %u subscript%s given",
                    typing_text(s, type), rank, rank == 1 ? "" : "s", n, n == 1 ? " is" : "s are");
    for (uint32_t i = 0; i < n; i++)
        if (!check_bounds(s, subs[i], type_dim(g->types, type, i), span))
            return EXPR_NONE;
    while (n > 0 && expr_op(g, array) == OP_ARRAY && expr_op(g, subs[0]) == OP_INT) {
        array = expr_arg(g, array, (uint32_t)expr_int_value(g, subs[0]) - 1);
        subs++;
        n--;
    }
    while (n > 0 && expr_op(g, subs[n - 1]) == OP_COLON)
        n--;
    if (n == 0)
        return array;
    ExprId e = EXPR_NONE;
    if (expr_op(g, array) == OP_ARRAY && !is_scalar_sub(s, subs[0]))
        e = slice_explicit(s, array, subs, n, span);
    else if (expr_op(g, array) == OP_INDEX)
        e = compose(s, array, subs, n, span);
    else if (!(e = element_of(s, array, subs, n)))
        e = element_of_operation(s, array, subs, n, span);
    return e ? e : make_index(s, array, subs, n);
}

ExprId typing_element(TypeScope *s, ExprId array, int64_t k, Span span)
{
    ExprId sub = expr_int(s->g, k);
    return type_index(s, array, &sub, 1, span);
}

/* ---- fields ---- */

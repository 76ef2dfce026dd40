/* Array constructors: {…}, […], cat, ranges (Modelica 3.6, sections 10.4 and 3.6.4). */
#include "instance/typing/internal.h"

#include <float.h>
#include <math.h>

ExprId typing_array_of(TypeScope *s, ExprId *items, uint32_t n, TypeId element, Span span)
{
    Types *types = s->g->types;
    int64_t dim = n;
    if (n == 0)
        return expr_make(s->g, OP_ARRAY, type_array(types, element, &dim, 1), 0, NULL, 0);
    TypeId type = expr_type(s->g, items[0]);
    bool mixed = false;
    for (uint32_t i = 1; i < n; i++) {
        TypeId have = expr_type(s->g, items[i]), common;
        if (have == type)
            continue;
        uint32_t k = 0;
        Fit fit = typing_common(s, type, have, &common, &k);
        if (fit != FIT_OK)
            return TELL(s, span, I120, "elements 1 and %u of the array are %s and %s%s", i + 1,
                        typing_text(s, type), typing_text(s, have),
                        typing_reason(s, fit, type, have, k));
        type = common;
        mixed = true;
    }
    for (uint32_t i = 0; i < n && mixed; i++)
        if (!(items[i] = typing_try_convert(s, items[i], type)))
            return TELL(s, span, I113, "an array of different %s is not yet supported",
                        typing_text(s, type));
    return expr_apply(s->g, OP_ARRAY, type_array(types, type, &dim, 1), 0, items, n);
}

/* The items typed; false after an error. */
static bool type_items(TypeScope *s, AstExpr *const *items, uint32_t n, IdList *out)
{
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = typing_operand(s, items[i]);
        ok &= x != EXPR_NONE;
        ids_push(out, x);
    }
    return ok;
}

ExprId typing_array(TypeScope *s, const AstExpr *e)
{
    if (e->args.n == 0)
        return TELL(
            s, e->span, I117,
            "an array constructor needs at least one element; fill(0, 0) is an empty array");
    IdList items;
    ids_init(&items);
    ExprId x = EXPR_NONE;
    if (type_items(s, e->args.at, e->args.n, &items))
        x = typing_array_of(s, items.at, items.n, T_REAL, e->span);
    ids_free(&items);
    return x;
}

/* ---- concatenation (section 10.4.2) ---- */

ExprId typing_promote(TypeScope *s, ExprId e, uint32_t rank, Span span)
{
    Types *types = s->g->types;
    TypeId type = expr_type(s->g, e);
    uint32_t have = type_rank(types, type);
    if (have == rank)
        return e;
    if (rank != 2 || have > 2)
        return TELL(s, span, I113,
                    "concatenation of %s with arrays of %u dimensions is not yet supported",
                    typing_text(s, type), rank);
    int64_t dims[2] = {have == 1 ? type_dim(types, type, 0) : 1, 1};
    TypeId matrix = type_array(types, type_element(types, type), dims, 2);
    if (have == 0) {
        TypeId row = type_drop(types, matrix, 1);
        ExprId inner = expr_apply(s->g, OP_ARRAY, row, 0, &e, 1);
        return expr_apply(s->g, OP_ARRAY, matrix, 0, &inner, 1);
    }
    return expr_apply(s->g, OP_MATRIX, matrix, 0, &e, 1);
}

/* Whether sizes of all dimensions except `dim` agree; their sum along it goes to *total. */
static bool check_cat(TypeScope *s, uint32_t dim, const ExprId *items, uint32_t n, int64_t *total,
                      Span span)
{
    const Types *t = s->g->types;
    TypeId first = expr_type(s->g, items[0]);
    uint32_t rank = type_rank(t, first);
    *total = 0;
    for (uint32_t i = 0; i < n; i++) {
        TypeId have = expr_type(s->g, items[i]);
        const char *a = NULL;
        if (type_rank(t, have) != rank)
            a = "";
        for (uint32_t k = 0; k < rank && !a; k++) {
            int64_t x = type_dim(t, first, k), y = type_dim(t, have, k);
            if (k != dim && x != y && x != DIM_UNKNOWN && y != DIM_UNKNOWN)
                a = typing_reason(s, FIT_SIZE, first, have, k);
        }
        if (a) {
            TELL(s, span, I102, "cannot join %s and %s along dimension %u%s", typing_text(s, first),
                 typing_text(s, have), dim + 1, a);
            return false;
        }
        int64_t size = type_dim(t, have, dim);
        *total = size == DIM_UNKNOWN || *total == DIM_UNKNOWN ? DIM_UNKNOWN : *total + size;
    }
    return true;
}

/* The elements of all items brought to one type. */
static TypeId common_elements(TypeScope *s, ExprId *items, uint32_t n, Span span)
{
    const Types *t = s->g->types;
    TypeId type = type_element(t, expr_type(s->g, items[0]));
    for (uint32_t i = 1; i < n; i++) {
        TypeId have = type_element(t, expr_type(s->g, items[i])), common;
        uint32_t dim;
        if (typing_common(s, type, have, &common, &dim) != FIT_OK)
            return TELL(s, span, I120, "elements 1 and %u of the array are %s and %s", i + 1,
                        typing_text(s, type), typing_text(s, have));
        type = common;
    }
    for (uint32_t i = 0; i < n; i++) {
        TypeId want = typing_with_element(s, expr_type(s->g, items[i]), type);
        if (!(items[i] = typing_try_convert(s, items[i], want)))
            return TELL(s, span, I113, "an array of different %s is not yet supported",
                        typing_text(s, type));
    }
    return type;
}

/* True if all items are OP_ARRAY, so that joining along the first dimension needs no node of its
 * own. */
static bool all_explicit(const Graph *g, const ExprId *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (expr_op(g, items[i]) != OP_ARRAY)
            return false;
    return true;
}

/* Joins explicit arrays along their first (depth 0) or second dimension. */
static ExprId join_explicit(TypeScope *s, TypeId type, uint32_t dim, const ExprId *items,
                            uint32_t n)
{
    Graph *g = s->g;
    IdList out;
    ids_init(&out);
    if (dim == 0) {
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < expr_n(g, items[i]); k++)
                ids_push(&out, expr_arg(g, items[i], k));
    } else {
        TypeId row = type_drop(g->types, type, 1);
        for (uint32_t k = 0; k < expr_n(g, items[0]); k++) {
            IdList parts;
            ids_init(&parts);
            for (uint32_t i = 0; i < n; i++)
                ids_push(&parts, expr_arg(g, items[i], k));
            ExprId x =
                all_explicit(g, parts.at, n) ? join_explicit(s, row, 0, parts.at, n) : EXPR_NONE;
            ids_free(&parts);
            ids_push(&out, x);
            if (!x) {
                ids_free(&out);
                return EXPR_NONE;
            }
        }
    }
    ExprId e = expr_apply(g, OP_ARRAY, type, 0, out.at, out.n);
    ids_free(&out);
    return e;
}

ExprId typing_cat(TypeScope *s, uint32_t dim, ExprId *items, uint32_t n, Span span)
{
    Types *types = s->g->types;
    int64_t total;
    TypeId element = common_elements(s, items, n, span);
    if (!element || !check_cat(s, dim, items, n, &total, span))
        return EXPR_NONE;
    if (n == 1)
        return items[0];
    const Type *first = type_get(types, expr_type(s->g, items[0]));
    int64_t *dims = ARENA_ARRAY(s->ctx->arena, int64_t, first->n);
    memcpy(dims, first->dims, first->n * sizeof *dims);
    dims[dim] = total;
    TypeId type = type_array(types, element, dims, first->n);
    if (dim < 2 && all_explicit(s->g, items, n)) {
        ExprId e = join_explicit(s, type, dim, items, n);
        if (e)
            return e;
    }
    IdList args;
    ids_init(&args);
    ids_push(&args, expr_int(s->g, (int64_t)dim + 1));
    for (uint32_t i = 0; i < n; i++)
        ids_push(&args, items[i]);
    ExprId e = expr_apply(s->g, OP_CAT, type, 0, args.at, args.n);
    ids_free(&args);
    return e;
}

static ExprId matrix_row(TypeScope *s, ExprId *items, uint32_t n, uint32_t rank, Span span)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(items[i] = typing_promote(s, items[i], rank, span)))
            return EXPR_NONE;
    return typing_cat(s, 1, items, n, span);
}

ExprId typing_matrix(TypeScope *s, const AstExpr *e)
{
    IdList items, rows;
    ids_init(&items);
    ids_init(&rows);
    bool ok = true;
    uint32_t rank = 2, at = 0;
    for (uint32_t r = 0; r < e->args.n; r++)
        ok &= type_items(s, e->args.at[r]->args.at, e->args.at[r]->args.n, &items);
    for (uint32_t i = 0; i < items.n && ok; i++) {
        uint32_t have = type_rank(s->g->types, expr_type(s->g, items.at[i]));
        rank = have > rank ? have : rank;
    }
    for (uint32_t r = 0; r < e->args.n && ok; r++) {
        const AstExpr *row = e->args.at[r];
        ExprId x = matrix_row(s, items.at + at, row->args.n, rank, row->span);
        ok = x != EXPR_NONE;
        at += row->args.n;
        ids_push(&rows, x);
    }
    ExprId x = ok ? typing_cat(s, 0, rows.at, rows.n, e->span) : EXPR_NONE;
    ids_free(&items);
    ids_free(&rows);
    return x;
}

/* ---- ranges ---- */

/* Number of values from start by step to stop, as the evaluator counts; includes a last Real that
 * rounding misses. DIM_UNKNOWN if there are too many. */
static int64_t range_count(double start, double step, double stop, bool real)
{
    double steps = (stop - start) / step;
    double n = steps < 0 ? 0 : floor(steps * (real ? 1 + 8 * DBL_EPSILON : 1)) + 1;
    return n <= 1e9 ? (int64_t)n : DIM_UNKNOWN;
}

/* Booleans and enumerations: the literals themselves. */
static ExprId literal_range(TypeScope *s, ExprId start, ExprId stop, TypeId type)
{
    IdList items;
    ids_init(&items);
    for (int64_t v = expr_int_value(s->g, start); v <= expr_int_value(s->g, stop); v++)
        ids_push(&items, type == T_BOOL ? expr_bool(s->g, v != 0) : expr_enum(s->g, type, v));
    ExprId e = typing_array_of(s, items.at, items.n, type, (Span){0});
    ids_free(&items);
    return e;
}

static ExprId discrete_range(TypeScope *s, const AstExpr *e, ExprId start, ExprId stop, TypeId type)
{
    if (e->args.n == 3)
        return TELL(s, e->span, I119, "a range of %s takes no step", typing_text(s, type));
    start = typing_structural(s, start, e->span, "start of a range");
    stop = start ? typing_structural(s, stop, e->span, "end of a range") : EXPR_NONE;
    if (!start || !stop)
        return EXPR_NONE;
    if (!expr_is_literal(s->g, start) || !expr_is_literal(s->g, stop))
        return TELL(s, e->span, I113, "a range of %s with bounds that vary is not yet supported",
                    typing_text(s, type));
    return literal_range(s, start, stop, type);
}

ExprId typing_range(TypeScope *s, const AstExpr *e)
{
    Graph *g = s->g;
    uint32_t n = e->args.n, dim = 0;
    ExprId x[3];
    TypeId type = T_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (!(x[i] = typing_operand(s, e->args.at[i])))
            return EXPR_NONE;
        TypeId have = expr_type(g, x[i]);
        type = i ? type : have;
        if (!typing_is_scalar(s, have) || typing_common(s, type, have, &type, &dim) != FIT_OK)
            return TELL(s, e->args.at[i]->span, I119,
                        "bounds and step of a range must be scalars of one type, found %s",
                        typing_text(s, have));
    }
    if (type == T_BOOL || typing_kind(s, type) == TYPE_ENUM)
        return discrete_range(s, e, x[0], x[n - 1], type);
    if (type != T_INT && type != T_REAL)
        return TELL(s, e->span, I119, "a range cannot be made of %s", typing_text(s, type));
    if (n == 2) {
        x[2] = x[1];
        x[1] = expr_int(g, 1);
    }
    static const char *const parts[] = {"start of a range", "step of a range", "end of a range"};
    bool literal = true;
    for (uint32_t i = 0; i < 3; i++) {
        if (!(x[i] = typing_bound(s, x[i], e->span, parts[i])))
            return EXPR_NONE;
        x[i] = type == T_REAL ? typing_to_real(s, x[i]) : x[i];
        literal &= expr_is_literal(g, x[i]);
    }
    int64_t count = DIM_UNKNOWN;
    if (expr_is_literal(g, x[1]) && expr_real_value(g, x[1]) == 0)
        return TELL(s, e->span, I119, "the step of a range must not be zero");
    if (literal) {
        count = range_count(expr_real_value(g, x[0]), expr_real_value(g, x[1]),
                            expr_real_value(g, x[2]), type == T_REAL);
        if (count == DIM_UNKNOWN)
            return TELL(s, e->span, I123, "the range has more than 10^9 elements");
    }
    return expr_apply(g, OP_RANGE, type_array(g->types, type, &count, 1), 0, x, 3);
}

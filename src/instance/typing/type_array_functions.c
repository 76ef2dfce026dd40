/* Built-in functions of arrays (Modelica 3.6, section 10.3). */
#include "instance/typing/internal.h"

static TypeId type_of(const TypeScope *s, ExprId e)
{
    return expr_type(s->g, e);
}

static uint32_t rank_of(const TypeScope *s, ExprId e)
{
    return type_rank(s->g->types, type_of(s, e));
}

static int64_t dim_of(const TypeScope *s, ExprId e, uint32_t k)
{
    return type_dim(s->g->types, type_of(s, e), k);
}

static ExprId wrong(TypeScope *s, const AstExpr *call, const Builtin *b, const char *need,
                    ExprId found)
{
    return TELL(s, call->span, I103, "argument of %s must be %s, found %s", b->name, need,
                typing_text(s, type_of(s, found)));
}

ExprId array_fn_array(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    (void)b;
    return call->iters.n ? typing_comprehension(s, call) : typing_array(s, call);
}

/* ---- sizes ---- */

/* The argument whose dimensions are asked for: also an array of models. */
static ExprId sized_operand(TypeScope *s, const AstExpr *x)
{
    ExprId extent = s->extent && x->kind == AST_REF ? s->extent(s, x->ref) : EXPR_NONE;
    return extent != EXPR_NONE ? extent : typing_operand(s, x);
}

ExprId array_fn_ndims(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a = sized_operand(s, call->args.at[0]);
    (void)b;
    return a ? expr_int(s->g, rank_of(s, a)) : EXPR_NONE;
}

static ExprId size_along(TypeScope *s, ExprId a, uint32_t k)
{
    return expr_apply(s->g, OP_SIZE, T_INT, 0, (ExprId[]){a, expr_int(s->g, (int64_t)k + 1)}, 2);
}

static ExprId all_sizes(TypeScope *s, ExprId a, Span span)
{
    IdList items;
    ids_init(&items);
    for (uint32_t k = 0; k < rank_of(s, a); k++)
        ids_push(&items, size_along(s, a, k));
    ExprId e = typing_array_of(s, items.at, items.n, T_INT, span);
    ids_free(&items);
    return e;
}

ExprId array_fn_size(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a = sized_operand(s, call->args.at[0]);
    if (!a)
        return EXPR_NONE;
    if (call->args.n == 1)
        return all_sizes(s, a, call->span);
    ExprId k = typing_scalar(s, call->args.at[1], T_INT, "dimension in size");
    if (!k)
        return EXPR_NONE;
    if (rank_of(s, a) == 0)
        return wrong(s, call, b, "an array", a);
    if (!expr_is_literal(s->g, k))
        return type_index(s, all_sizes(s, a, call->span), &k, 1, call->span);
    int64_t v = expr_int_value(s->g, k);
    if (v < 1 || v > rank_of(s, a))
        return TELL(s, call->span, I109, "%s has %u dimension%s; there is no dimension %lld",
                    typing_text(s, type_of(s, a)), rank_of(s, a), rank_of(s, a) == 1 ? "" : "s",
                    (long long)v);
    return size_along(s, a, (uint32_t)v - 1);
}

/* ---- conversion between numbers of dimensions ---- */

ExprId array_fn_scalar(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    bool known = true;
    for (uint32_t k = 0; k < rank_of(s, a); k++) {
        int64_t n = dim_of(s, a, k);
        known &= n != DIM_UNKNOWN;
        if (n != 1 && n != DIM_UNKNOWN)
            return wrong(s, call, b, "an array of one element", a);
    }
    if (!known)
        return expr_apply(s->g, b->op, type_element(s->g->types, type_of(s, a)), 0, &a, 1);
    while (a && rank_of(s, a))
        a = typing_element(s, a, 1, call->span);
    return a;
}

ExprId array_fn_vector(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    uint32_t rank = rank_of(s, a), long_ones = 0;
    if (rank == 1)
        return a;
    if (rank == 0)
        return typing_array_of(s, &a, 1, T_REAL, call->span);
    for (uint32_t k = 0; k < rank; k++)
        long_ones += dim_of(s, a, k) > 1;
    if (long_ones > 1)
        return wrong(s, call, b, "an array with at most one dimension longer than 1", a);
    int64_t n = type_count(s->g->types, type_of(s, a));
    TypeId type = type_array(s->g->types, type_element(s->g->types, type_of(s, a)), &n, 1);
    return expr_apply(s->g, b->op, type, 0, &a, 1);
}

ExprId array_fn_matrix(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    uint32_t rank = rank_of(s, a);
    if (rank <= 2)
        return typing_promote(s, a, 2, call->span);
    for (uint32_t k = 2; k < rank; k++)
        if (dim_of(s, a, k) != 1 && dim_of(s, a, k) != DIM_UNKNOWN)
            return wrong(s, call, b, "an array of size 1 from its third dimension on", a);
    int64_t dims[2] = {dim_of(s, a, 0), dim_of(s, a, 1)};
    TypeId type = type_array(s->g->types, type_element(s->g->types, type_of(s, a)), dims, 2);
    return expr_apply(s->g, b->op, type, 0, &a, 1);
}

/* ---- constructors ---- */

/* Sizes given as arguments from `first` on: the nodes in out, the dimensions of the type in dims.
 */
static bool type_sizes(TypeScope *s, const Builtin *b, const AstExpr *call, uint32_t first,
                       IdList *out, int64_t *dims)
{
    bool ok = true;
    const char *what = b->op == OP_IDENTITY ? "size of identity" : "size of an array";
    for (uint32_t i = first; i < call->args.n; i++) {
        ExprId n = typing_scalar(s, call->args.at[i], T_INT, what);
        int64_t *dim = &dims[i - first];
        if (!n || !typing_size(s, n, call->args.at[i]->span, what, dim)) {
            ok = false;
            continue;
        }
        ids_push(out, *dim == DIM_UNKNOWN ? n : expr_int(s->g, *dim));
    }
    return ok;
}

/* fill(v, n, …), zeros(n, …), ones(n, …) */
ExprId array_fn_fill(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    IdList args;
    ids_init(&args);
    bool fill = b->op == OP_FILL;
    ExprId value = fill ? typing_operand(s, call->args.at[0]) : expr_int(s->g, b->name[0] == 'o');
    int64_t *dims = ARENA_ARRAY(s->ctx->arena, int64_t, call->args.n);
    ids_push(&args, value);
    bool ok = type_sizes(s, b, call, fill, &args, dims) && value;
    ExprId e = EXPR_NONE;
    if (ok) {
        TypeId type = type_array(s->g->types, type_of(s, value), dims, call->args.n - fill);
        e = expr_apply(s->g, OP_FILL, type, 0, args.at, args.n);
    }
    ids_free(&args);
    return e;
}

ExprId array_fn_identity(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    IdList args;
    ids_init(&args);
    int64_t dims[2];
    ExprId e = EXPR_NONE;
    if (type_sizes(s, b, call, 0, &args, dims)) {
        dims[1] = dims[0];
        e = expr_apply(s->g, b->op, type_array(s->g->types, T_INT, dims, 2), 0, args.at, 1);
    }
    ids_free(&args);
    return e;
}

ExprId array_fn_diagonal(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    if (rank_of(s, a) != 1 || !type_is_numeric(s->g->types, type_of(s, a)))
        return wrong(s, call, b, "a vector of numbers", a);
    int64_t dims[2] = {dim_of(s, a, 0), dim_of(s, a, 0)};
    return expr_apply(s->g, b->op,
                      type_array(s->g->types, type_element(s->g->types, type_of(s, a)), dims, 2), 0,
                      &a, 1);
}

ExprId array_fn_linspace(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId x = typing_scalar(s, call->args.at[0], T_REAL, "start of linspace");
    ExprId y = typing_scalar(s, call->args.at[1], T_REAL, "end of linspace");
    ExprId n = typing_scalar(s, call->args.at[2], T_INT, "number of points of linspace");
    int64_t dim;
    if (!x || !y || !n ||
        !typing_size(s, n, call->args.at[2]->span, "number of points of linspace", &dim))
        return EXPR_NONE;
    if (dim != DIM_UNKNOWN && dim < 2 && !s->in_branch)
        return TELL(s, call->args.at[2]->span, I123, "linspace needs at least 2 points, found %lld",
                    (long long)dim);
    n = dim == DIM_UNKNOWN ? n : expr_int(s->g, dim);
    return expr_apply(s->g, b->op, type_array(s->g->types, T_REAL, &dim, 1), 0, (ExprId[]){x, y, n},
                      3);
}

ExprId array_fn_cat(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId along = typing_scalar(s, call->args.at[0], T_INT, "first argument of cat");
    int64_t k;
    if (!along || !typing_size(s, along, call->args.at[0]->span, "first argument of cat", &k))
        return EXPR_NONE;
    IdList items;
    ids_init(&items);
    bool ok = true;
    for (uint32_t i = 1; i < call->args.n; i++) {
        ExprId x = typing_operand(s, call->args.at[i]);
        ok &= x != EXPR_NONE;
        ids_push(&items, x);
    }
    ExprId e = EXPR_NONE;
    if (ok && k == DIM_UNKNOWN)
        TELL(s, call->span, I118, "the dimension along which %s joins must be a constant", b->name);
    else if (ok && (k < 1 || k > rank_of(s, items.at[0])))
        TELL(s, call->span, I109, "%s has no dimension %lld",
             typing_text(s, type_of(s, items.at[0])), (long long)k);
    else if (ok)
        e = typing_cat(s, (uint32_t)k - 1, items.at, items.n, call->span);
    ids_free(&items);
    return e;
}

/* ---- reductions ---- */

/* Elements of an array of any number of dimensions, in order. */
static bool push_elements(TypeScope *s, ExprId a, IdList *out, Span span)
{
    int64_t n = rank_of(s, a) ? type_dim(s->g->types, type_of(s, a), 0) : 0;
    if (rank_of(s, a) == 0)
        ids_push(out, a);
    for (int64_t i = 1; i <= n; i++) {
        ExprId x = typing_element(s, a, i, span);
        if (!x || !push_elements(s, x, out, span))
            return false;
    }
    return true;
}

/* sum or product over an array of operator records. */
static ExprId reduce_records(TypeScope *s, ExprOp op, const AstExpr *call, ExprId a)
{
    TypeId type = type_of(s, a);
    if (type_count(s->g->types, type) == DIM_UNKNOWN)
        return TELL(s, call->span, I113, "%s of %s is not yet supported", expr_op_text(op),
                    typing_text(s, type));
    IdList items;
    ids_init(&items);
    ExprId x = EXPR_NONE;
    if (push_elements(s, a, &items, call->span))
        x = typing_overloaded_reduce(s, op, call, type_element(s->g->types, type), items.at,
                                     items.n);
    ids_free(&items);
    return x;
}

ExprId array_fn_reduce(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (call->iters.n)
        return typing_reduction(s, call, b->op);
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    TypeId element = type_element(s->g->types, type_of(s, a));
    bool number = b->op == OP_SUM || b->op == OP_PRODUCT;
    TypeKind kind = typing_kind(s, element);
    bool ordered = kind == TYPE_ENUM || kind == TYPE_BOOL || kind == TYPE_INT || kind == TYPE_REAL;
    if (rank_of(s, a) == 0)
        return wrong(s, call, b, "an array", a);
    if (number && typing_is_overloaded(s, element))
        return reduce_records(s, b->op, call, a);
    if (number ? !type_is_numeric(s->g->types, element) : !ordered)
        return wrong(
            s, call, b,
            number ? "an array of numbers" : "an array of numbers, Booleans or enumerations", a);
    return expr_apply(s->g, b->op, element, 0, &a, 1);
}

/* ---- linear algebra ---- */

/* Both arguments vectors of numbers, of one element type. */
static bool two_vectors(TypeScope *s, const Builtin *b, const AstExpr *call, ExprId *args)
{
    if (!typing_positional(s, call, args))
        return false;
    bool real = false;
    for (uint32_t i = 0; i < 2; i++) {
        if (rank_of(s, args[i]) != 1 || !type_is_numeric(s->g->types, type_of(s, args[i]))) {
            wrong(s, call, b, "a vector of numbers", args[i]);
            return false;
        }
        real |= type_element(s->g->types, type_of(s, args[i])) == T_REAL;
    }
    for (uint32_t i = 0; i < 2 && real; i++)
        args[i] = typing_to_real(s, args[i]);
    return true;
}

ExprId array_fn_outer(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId args[2];
    if (!two_vectors(s, b, call, args))
        return EXPR_NONE;
    int64_t dims[2] = {dim_of(s, args[0], 0), dim_of(s, args[1], 0)};
    TypeId element = type_element(s->g->types, type_of(s, args[0]));
    return expr_apply(s->g, b->op, type_array(s->g->types, element, dims, 2), 0, args, 2);
}

static bool has_three(const TypeScope *s, ExprId a)
{
    return dim_of(s, a, 0) == 3 || dim_of(s, a, 0) == DIM_UNKNOWN;
}

ExprId array_fn_cross(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId args[2];
    if (!two_vectors(s, b, call, args))
        return EXPR_NONE;
    for (uint32_t i = 0; i < 2; i++)
        if (!has_three(s, args[i]))
            return wrong(s, call, b, "a vector of 3 elements", args[i]);
    int64_t three = 3;
    TypeId element = type_element(s->g->types, type_of(s, args[0]));
    return expr_apply(s->g, b->op, type_array(s->g->types, element, &three, 1), 0, args, 2);
}

ExprId array_fn_skew(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    if (rank_of(s, a) != 1 || !type_is_numeric(s->g->types, type_of(s, a)) || !has_three(s, a))
        return wrong(s, call, b, "a vector of 3 elements", a);
    int64_t dims[2] = {3, 3};
    return expr_apply(s->g, b->op,
                      type_array(s->g->types, type_element(s->g->types, type_of(s, a)), dims, 2), 0,
                      &a, 1);
}

/* transpose of a matrix, symmetric of a square one */
ExprId array_fn_square(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    bool transpose = b->op == OP_TRANSPOSE;
    if (transpose ? rank_of(s, a) < 2 : rank_of(s, a) != 2)
        return wrong(s, call, b, "a matrix", a);
    int64_t rows = dim_of(s, a, 0), columns = dim_of(s, a, 1);
    if (!transpose && rows != columns && rows != DIM_UNKNOWN && columns != DIM_UNKNOWN)
        return wrong(s, call, b, "a square matrix", a);
    const Type *t = type_get(s->g->types, type_of(s, a));
    int64_t *dims = ARENA_ARRAY(s->ctx->arena, int64_t, t->n);
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[0] = columns;
    dims[1] = rows;
    return expr_apply(s->g, b->op, type_array(s->g->types, t->element, dims, t->n), 0, &a, 1);
}

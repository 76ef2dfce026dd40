/* Array operators, as scalars: each takes the elements of its arguments and pushes those of its
 * result. */
#include "dae/lower/lower.h"

#include <float.h>
#include <math.h>

/* An argument with its elements and dimensions. */
typedef struct Arg {
    Elems v;
    TypeId type;
} Arg;

static bool argument(Lower *L, ExprId e, uint32_t i, LowerMode mode, Arg *out)
{
    ExprId a = expr_arg(L->g, e, i);
    out->type = expr_type(L->g, a);
    return lower_elements(L, a, mode, &out->v);
}

static ExprId at(const Lower *L, Arg a, uint32_t k)
{
    return L->elems.at[a.v.at + k];
}

static uint32_t dim(const Lower *L, TypeId t, uint32_t k)
{
    int64_t n = type_dim(L->g->types, t, k);
    return n > 0 ? (uint32_t)n : 0;
}

static TypeId result_element(const Lower *L, ExprId e)
{
    return type_element(L->g->types, expr_type(L->g, e));
}

static ExprId zero(Lower *L, TypeId element)
{
    return element == T_INT ? expr_int(L->g, 0) : expr_real(L->g, 0.0);
}

/* ---- products ---- */

/* Sum of a[a0 + i*da]*b[b0 + i*db] over i < n, taken from L->elems. */
static ExprId dot(Lower *L, TypeId element, uint32_t a0, uint32_t da, uint32_t b0, uint32_t db,
                  uint32_t n)
{
    if (n == 0)
        return zero(L, element);
    uint32_t mark = L->work.n;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&L->work, expr_mul(L->g, L->elems.at[a0 + i * da], L->elems.at[b0 + i * db]));
    ExprId sum = expr_apply(L->g, OP_ADD, element, 0, L->work.at + mark, n);
    L->work.n = mark;
    return sum;
}

static bool push_matmul(Lower *L, ExprId e, LowerMode mode)
{
    Arg a, b;
    if (!argument(L, e, 0, mode, &a) || !argument(L, e, 1, mode, &b))
        return false;
    uint32_t ra = type_rank(L->g->types, a.type), rb = type_rank(L->g->types, b.type);
    uint32_t inner = dim(L, a.type, ra - 1), rows = ra == 2 ? dim(L, a.type, 0) : 1,
             cols = rb == 2 ? dim(L, b.type, 1) : 1;
    TypeId element = result_element(L, e);
    if (dim(L, b.type, 0) != inner) {
        diag(L->ctx, L->span, DIAG_D004, "a matrix product joins sizes %u and %u", inner,
             dim(L, b.type, 0));
        return false;
    }
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            ExprId x = dot(L, element, a.v.at + i * inner, 1, b.v.at + j, cols, inner);
            vec_push(&L->work, x);
        }
    return true;
}

/* c = a*b of n by n matrices in L->elems; returns where c is. */
static uint32_t square_product(Lower *L, TypeId element, uint32_t a, uint32_t b, uint32_t n)
{
    ExprVec c = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            vec_push(&c, dot(L, element, a + i * n, 1, b + j, n, n));
    uint32_t first = L->elems.n;
    for (uint32_t k = 0; k < c.n; k++)
        vec_push(&L->elems, c.at[k]);
    vec_free(&c);
    return first;
}

static bool literal_int(Lower *L, ExprId e, const char *what, int64_t *out)
{
    ExprId v;
    double x;
    if (!lower_scalar(L, e, LOWER_LITERAL, &v))
        return false;
    if (!default_of(L, v, &x)) {
        diag(L->ctx, L->span, DIAG_D003, "%s must be known when the model is compiled", what);
        return false;
    }
    *out = (int64_t)x;
    return true;
}

static bool push_matpow(Lower *L, ExprId e, LowerMode mode)
{
    Arg a;
    int64_t p;
    if (!argument(L, e, 0, mode, &a) ||
        !literal_int(L, expr_arg(L->g, e, 1), "exponent of a matrix", &p))
        return false;
    uint32_t n = dim(L, a.type, 0), base = a.v.at, result = NONE;
    TypeId element = result_element(L, e);
    if (p < 0)
        return unsupported(L, "a negative power of a matrix");
    for (; p > 0; p >>= 1) {
        if (p & 1)
            result = result == NONE ? base : square_product(L, element, result, base, n);
        if (p > 1)
            base = square_product(L, element, base, base, n);
    }
    for (uint32_t k = 0; k < n * n; k++)
        vec_push(&L->work, result != NONE ? L->elems.at[result + k]
                                          : expr_real(L->g, k / n == k % n ? 1.0 : 0.0));
    return true;
}

static bool push_outer(Lower *L, ExprId e, LowerMode mode)
{
    Arg a, b;
    if (!argument(L, e, 0, mode, &a) || !argument(L, e, 1, mode, &b))
        return false;
    for (uint32_t i = 0; i < a.v.n; i++)
        for (uint32_t j = 0; j < b.v.n; j++)
            vec_push(&L->work, expr_mul(L->g, at(L, a, i), at(L, b, j)));
    return true;
}

static bool push_cross(Lower *L, ExprId e, LowerMode mode)
{
    Arg a, b;
    if (!argument(L, e, 0, mode, &a) || !argument(L, e, 1, mode, &b))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        ExprId x = expr_mul(L->g, at(L, a, j), at(L, b, k)),
               y = expr_mul(L->g, at(L, a, k), at(L, b, j));
        vec_push(&L->work, expr_sub(L->g, x, y));
    }
    return true;
}

static bool push_skew(Lower *L, ExprId e, LowerMode mode)
{
    static const int8_t from[9] = {0, -3, 2, 3, 0, -1, -2, 1, 0}; /* ± element, from 1 */
    Arg a;
    if (!argument(L, e, 0, mode, &a))
        return false;
    for (uint32_t k = 0; k < 9; k++) {
        ExprId x = from[k] ? at(L, a, (uint32_t)(from[k] < 0 ? -from[k] : from[k]) - 1)
                           : zero(L, result_element(L, e));
        vec_push(&L->work, from[k] < 0 ? expr_neg(L->g, x) : x);
    }
    return true;
}

/* ---- shapes ---- */

static bool push_transposed(Lower *L, ExprId e, LowerMode mode, bool symmetric)
{
    Arg a;
    if (!argument(L, e, 0, mode, &a))
        return false;
    uint32_t rows = dim(L, a.type, 0), cols = dim(L, a.type, 1);
    if (symmetric) {
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < cols; j++)
                vec_push(&L->work, at(L, a, i <= j ? i * cols + j : j * cols + i));
        return true;
    }
    for (uint32_t j = 0; j < cols; j++)
        for (uint32_t i = 0; i < rows; i++)
            vec_push(&L->work, at(L, a, i * cols + j));
    return true;
}

static bool push_diagonal(Lower *L, ExprId e, LowerMode mode)
{
    Arg a;
    if (!argument(L, e, 0, mode, &a))
        return false;
    for (uint32_t i = 0; i < a.v.n; i++)
        for (uint32_t j = 0; j < a.v.n; j++)
            vec_push(&L->work, i == j ? at(L, a, i) : zero(L, result_element(L, e)));
    return true;
}

static bool push_identity(Lower *L, ExprId e)
{
    int64_t n;
    if (!literal_int(L, expr_arg(L->g, e, 0), "size of an identity matrix", &n))
        return false;
    for (int64_t k = 0; k < n * n; k++)
        vec_push(&L->work, expr_int(L->g, k / n == k % n));
    return true;
}

static bool push_fill(Lower *L, ExprId e, LowerMode mode)
{
    Arg a;
    int64_t count = 1, n;
    if (!argument(L, e, 0, mode, &a))
        return false;
    for (uint32_t i = 1; i < expr_n(L->g, e); i++) {
        if (!literal_int(L, expr_arg(L->g, e, i), "size of an array", &n))
            return false;
        count *= n > 0 ? n : 0;
    }
    for (int64_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < a.v.n; i++)
            vec_push(&L->work, at(L, a, i));
    return true;
}

/* Number of scalars of one slice of a below dimension d (from 0), d included. */
static uint32_t slice(const Lower *L, Arg a, uint32_t d)
{
    uint32_t n = type_scalars(L, type_element(L->g->types, a.type));
    for (uint32_t k = d; k < type_rank(L->g->types, a.type); k++)
        n *= dim(L, a.type, k);
    return n;
}

static bool push_cat(Lower *L, ExprId e, LowerMode mode)
{
    int64_t along;
    uint32_t n = expr_n(L->g, e) - 1, outer = 1;
    if (!literal_int(L, expr_arg(L->g, e, 0), "dimension of cat()", &along) || n == 0)
        return false;
    Arg *args = memory_alloc(n * sizeof *args);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = argument(L, e, i + 1, mode, &args[i]);
    for (uint32_t k = 0; ok && k + 1 < (uint32_t)along; k++)
        outer *= dim(L, args[0].type, k);
    for (uint32_t o = 0; ok && o < outer; o++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t size = slice(L, args[i], (uint32_t)along - 1);
            for (uint32_t k = 0; k < size; k++)
                vec_push(&L->work, at(L, args[i], o * size + k));
        }
    memory_free(args);
    return ok;
}

/* ---- ranges ---- */

static bool push_range(Lower *L, ExprId e, LowerMode mode)
{
    ExprId start, step, stop;
    double a, d, b;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), mode, &start) ||
        !lower_scalar(L, expr_arg(L->g, e, 1), mode, &step) ||
        !lower_scalar(L, expr_arg(L->g, e, 2), mode, &stop))
        return false;
    int64_t n = type_count(L->g->types, expr_type(L->g, e));
    if (n == DIM_UNKNOWN) {
        if (!default_of(L, start, &a) || !default_of(L, step, &d) || !default_of(L, stop, &b) ||
            d == 0) {
            diag(L->ctx, L->span, DIAG_D003,
                 "size of a range must be known when the model is compiled");
            return false;
        }
        n = (b - a) / d < 0 ? 0 : (int64_t)((b - a) / d * (1 + 4 * DBL_EPSILON)) + 1;
    }
    TypeId element = result_element(L, e);
    bool enumeration = type_get(L->g->types, element)->kind == TYPE_ENUM;
    for (int64_t k = 0; k < n; k++) {
        if (enumeration || element == T_BOOL) {
            int64_t first = expr_int_value(L->g, start);
            vec_push(&L->work, enumeration ? expr_enum(L->g, element, first + k)
                                           : expr_bool(L->g, first + k != 0));
            continue;
        }
        ExprId offset = expr_mul(L->g, expr_int(L->g, k), step);
        vec_push(&L->work, k ? expr_add(L->g, start, offset) : start);
    }
    return true;
}

static bool push_linspace(Lower *L, ExprId e, LowerMode mode)
{
    ExprId a, b;
    int64_t n;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), mode, &a) ||
        !lower_scalar(L, expr_arg(L->g, e, 1), mode, &b) ||
        !literal_int(L, expr_arg(L->g, e, 2), "size of linspace()", &n))
        return false;
    for (int64_t k = 0; k < n; k++) {
        ExprId part =
            expr_div(L->g, expr_mul(L->g, expr_real(L->g, (double)k), expr_sub(L->g, b, a)),
                     expr_real(L->g, (double)(n - 1)));
        vec_push(&L->work, k ? expr_add(L->g, a, part) : a);
    }
    return true;
}

/* ---- reductions ---- */

/* Joins work[mark …) with SUM, PRODUCT, MIN_OF or MAX_OF; takes them off. */
static ExprId reduce(Lower *L, ExprOp op, TypeId element, uint32_t mark)
{
    uint32_t n = L->work.n - mark;
    ExprId *x = L->work.at + mark, out;
    bool integer = element == T_INT;
    if (op == OP_SUM)
        out = n ? expr_apply(L->g, OP_ADD, element, 0, x, n) : zero(L, element);
    else if (op == OP_PRODUCT && n)
        out = expr_apply(L->g, OP_MUL, element, 0, x, n);
    else if (op == OP_PRODUCT)
        out = integer ? expr_int(L->g, 1) : expr_real(L->g, 1.0);
    else if (n == 0)
        out = expr_real(L->g, op == OP_MIN_OF ? DBL_MAX : -DBL_MAX);
    else {
        out = x[0];
        for (uint32_t i = 1; i < n; i++)
            out = expr_apply(L->g, op == OP_MIN_OF ? OP_MIN : OP_MAX, element, 0,
                             (ExprId[]){out, x[i]}, 2);
    }
    L->work.n = mark;
    return out;
}

static bool push_reduced(Lower *L, ExprId e, LowerMode mode)
{
    Arg a;
    uint32_t mark = L->work.n;
    if (!argument(L, e, 0, mode, &a))
        return false;
    for (uint32_t k = 0; k < a.v.n; k++)
        vec_push(&L->work, at(L, a, k));
    ExprId x = reduce(L, expr_op(L->g, e), result_element(L, e), mark);
    vec_push(&L->work, x);
    return true;
}

typedef struct IterValue {
    ExprId iter, value;
} IterValue;

static ExprId replace_iter(void *user, Graph *g, ExprId e)
{
    (void)g;
    const IterValue *x = user;
    return e == x->iter ? x->value : EXPR_NONE;
}

/* Pushes the scalars of `body` for each value of the iterator. */
static bool push_iterated(Lower *L, ExprId body, ExprId iter, ExprId range, LowerMode mode)
{
    Elems values, v;
    if (!lower_elements(L, range, LOWER_LITERAL, &values))
        return false;
    for (uint32_t i = 0; i < values.n; i++) {
        IterValue x = {iter, L->elems.at[values.at + i]};
        ExprId one = expr_map(L->g, body, replace_iter, &x);
        if (!lower_elements(L, one, mode, &v))
            return false;
        for (uint32_t k = 0; k < v.n; k++)
            vec_push(&L->work, L->elems.at[v.at + k]);
    }
    return true;
}

static bool push_reduction(Lower *L, ExprId e, LowerMode mode)
{
    uint32_t mark = L->work.n;
    ExprOp op = (ExprOp)expr_int_value(L->g, expr_arg(L->g, e, 0));
    if (!push_iterated(L, expr_arg(L->g, e, 1), expr_arg(L->g, e, 2), expr_arg(L->g, e, 3), mode))
        return false;
    ExprId x = reduce(L, op, result_element(L, e), mark);
    vec_push(&L->work, x);
    return true;
}

/* ---- subscripts ---- */

typedef struct Subscript {
    Elems v;    /* lowered positions; unused for a whole dimension */
    uint32_t n; /* number of positions */
    bool whole;
} Subscript;

/* True if every parameter in e is structural: then its value counts. */
static bool is_structural(Lower *L, ExprId e)
{
    uint32_t mark = L->d->ops.n;
    Term t = shape_term(L->d, e);
    bool all = true;
    for (uint32_t k = 0; k < t.n && all; k++) {
        const DaeVar *x = &L->d->vars.at[dae_op(L->d, t, k)];
        all = x->kind == DAE_PARAMETER && x->flat != NONE && L->flat->vars.at[x->flat].evaluated;
    }
    L->d->ops.n = mark;
    return all;
}

/* The position (from 0) of a lowered subscript; -1 if it varies. */
static bool position(Lower *L, ExprId e, uint32_t size, int64_t *out)
{
    double v;
    bool literal = expr_is_literal(L->g, e);
    if (!literal && (!is_structural(L, e) || !default_of(L, e, &v))) {
        *out = -1;
        return true;
    }
    if (literal)
        v = expr_real_value(L->g, e);
    *out = (int64_t)v - (expr_type(L->g, e) == T_BOOL ? 0 : 1);
    if (*out >= 0 && *out < (int64_t)size)
        return true;
    diag(L->ctx, L->span, DIAG_D015, "subscript %lld is outside 1:%u", (long long)*out + 1, size);
    return false;
}

/* Whether a subscript that varies is position i (from 0). */
static ExprId is_position(Lower *L, ExprId sub, uint32_t i)
{
    TypeId t = expr_type(L->g, sub);
    int64_t v = (int64_t)i + 1;
    if (t == T_BOOL)
        return expr_not(L->g, sub);
    return expr_compare(L->g, OP_EQ, sub, t == T_INT ? expr_int(L->g, v) : expr_enum(L->g, t, v));
}

static FnVar plain_var(Lower *L, FnVarKind kind, const char *name, TypeId type, ExprId binding)
{
    return (FnVar){.name = name_of(L->ctx->names, name),
                   .kind = kind,
                   .type = type,
                   .dims = ARENA_ARRAY(L->g->arena, ExprId, 1),
                   .binding = binding,
                   .span = L->span};
}

/* A function of a subscript that fails, for types without a value that shows it. */
static uint32_t failing_function(Lower *L, TypeId type, TypeId subscript, uint32_t size)
{
    Graph *g = L->g;
    Function *f = ARENA_NEW(g->arena, Function);
    char *message = arena_printf(g->arena, "a subscript is out of range 1:%u", size);
    f->id = g->functions.n;
    f->name = name_of(L->ctx->names, arena_printf(L->scratch, "$outside%u", f->id + 1));
    f->n_in = f->n_out = f->n_body = 1;
    f->n_vars = 2;
    f->vars = ARENA_ARRAY(g->arena, FnVar, 2);
    f->vars[0] = plain_var(L, FN_INPUT, "subscript", subscript, EXPR_NONE);
    f->vars[1] = plain_var(L, FN_OUTPUT, "y", type, expr_blank(g, type));
    f->body = ARENA_NEW(g->arena, Stmt);
    *f->body = (Stmt){.kind = STMT_ASSERT, .span = L->span, .lhs = expr_bool(g, false)};
    f->body->rhs = expr_string(g, message, strlen(message));
    f->result = type;
    f->ready = true;
    f->inlining = FN_INLINE_NEVER;
    f->smooth_order = -1;
    f->span = L->span;
    vec_push(&g->functions, f);
    return f->id;
}

/* The value of a varying subscript outside of its array: NaN, or a failure. */
static ExprId nothing_selected(Lower *L, TypeId type, ExprId sub, uint32_t size)
{
    if (type == T_REAL)
        return expr_real(L->g, NAN);
    uint64_t key = map_pair(type, size);
    uint32_t known = map_get(&L->outside, key);
    if (known == MAP_NONE) {
        known = failing_function(L, type, expr_type(L->g, sub), size);
        map_put(&L->outside, key, known);
    }
    return expr_make(L->g, OP_CALL, type, known, &sub, 1);
}

typedef struct Selection {
    Arg array;
    Subscript *subs;
    uint32_t rank, n_subs, width;
    uint32_t *pick; /* per subscript: which of its positions */
    bool failed;
} Selection;

enum { LONG_CHAIN = 16 };

static ExprId select_element(Lower *L, Selection *s, uint32_t k, uint32_t offset, uint32_t c);

/* Among the positions from..to - 1 of subscript k, by its value: few one after the other, many by
 * halving. `out`: if it is not one of them, or EXPR_NONE if it is known to be one. Integers become
 * Reals if `whole`. */
static ExprId choose_position(Lower *L, Selection *s, uint32_t k, uint32_t offset, uint32_t c,
                              uint32_t from, uint32_t to, bool whole, ExprId out)
{
    ExprId sub = L->elems.at[s->subs[k].v.at + s->pick[k]];
    if (!out && to - from > LONG_CHAIN && expr_type(L->g, sub) == T_INT) {
        uint32_t middle = from + (to - from) / 2;
        ExprId low = choose_position(L, s, k, offset, c, from, middle, whole, EXPR_NONE);
        ExprId high = choose_position(L, s, k, offset, c, middle, to, whole, EXPR_NONE);
        return s->failed ? EXPR_NONE
                         : expr_if(L->g, expr_compare(L->g, OP_LE, sub, expr_int(L->g, middle)),
                                   low, high);
    }
    for (uint32_t i = to; i-- > from;) {
        ExprId here = select_element(L, s, k + 1, offset + i, c);
        if (s->failed)
            return EXPR_NONE;
        here = whole ? expr_apply(L->g, OP_TO_REAL, T_REAL, 0, &here, 1) : here;
        out = out ? expr_if(L->g, is_position(L, sub, i), here, out) : here;
    }
    return out;
}

/* The element that the varying subscript k, of that size, selects. An Integer may be out of range.
 */
static ExprId select_varying(Lower *L, Selection *s, uint32_t k, uint32_t offset, uint32_t c,
                             uint32_t size)
{
    Graph *g = L->g;
    ExprId sub = L->elems.at[s->subs[k].v.at + s->pick[k]],
           last = select_element(L, s, k + 1, offset + size - 1, c);
    if (s->failed || expr_type(g, sub) != T_INT)
        return s->failed ? EXPR_NONE
                         : choose_position(L, s, k, offset, c, 0, size, false, EXPR_NONE);
    bool whole = expr_type(g, last) == T_INT;
    ExprId none = nothing_selected(L, whole ? T_REAL : expr_type(g, last), sub, size);
    bool is_long = size > LONG_CHAIN;
    ExprId out = choose_position(L, s, k, offset, c, 0, size, whole, is_long ? EXPR_NONE : none);
    if (s->failed)
        return EXPR_NONE;
    if (is_long)
        out = expr_if(g,
                      expr_and(g, expr_compare(g, OP_GE, sub, expr_int(g, 1)),
                               expr_compare(g, OP_LE, sub, expr_int(g, size))),
                      out, none);
    return whole ? expr_apply(g, OP_INTEGER, T_INT, 0, &out, 1) : out;
}

/* Scalar c of the element below offset (in elements) whose remaining subscripts start at k. */
static ExprId select_element(Lower *L, Selection *s, uint32_t k, uint32_t offset, uint32_t c)
{
    if (k == s->rank)
        return at(L, s->array, offset * s->width + c);
    uint32_t size = dim(L, s->array.type, k);
    offset *= size;
    if (k >= s->n_subs || s->subs[k].whole)
        return select_element(L, s, k + 1, offset + s->pick[k], c);
    int64_t p;
    if (!position(L, L->elems.at[s->subs[k].v.at + s->pick[k]], size, &p) || size == 0) {
        s->failed = true;
        return EXPR_NONE;
    }
    return p >= 0 ? select_element(L, s, k + 1, offset + (uint32_t)p, c)
                  : select_varying(L, s, k, offset, c, size);
}

static bool next_pick(Selection *s)
{
    for (uint32_t k = s->rank; k-- > 0;) {
        if (++s->pick[k] < s->subs[k].n)
            return true;
        s->pick[k] = 0;
    }
    return false;
}

static bool read_subscripts(Lower *L, ExprId e, Selection *s, LowerMode mode, bool *empty)
{
    for (uint32_t k = 0; k < s->rank; k++) {
        Subscript *x = &s->subs[k];
        x->whole = k >= s->n_subs || expr_op(L->g, expr_arg(L->g, e, k + 1)) == OP_COLON;
        if (!x->whole && !lower_elements(L, expr_arg(L->g, e, k + 1), mode, &x->v))
            return false;
        x->n = x->whole ? dim(L, s->array.type, k) : x->v.n;
        *empty |= x->n == 0;
    }
    return true;
}

static bool push_index(Lower *L, ExprId e, LowerMode mode)
{
    Selection s = {.n_subs = expr_n(L->g, e) - 1};
    bool empty = false;
    if (!argument(L, e, 0, mode, &s.array))
        return false;
    s.rank = type_rank(L->g->types, s.array.type);
    s.width = type_scalars(L, type_element(L->g->types, s.array.type));
    s.subs = memory_alloc((s.rank + 1) * sizeof *s.subs);
    s.pick = memory_alloc((s.rank + 1) * sizeof *s.pick);
    bool ok = read_subscripts(L, e, &s, mode, &empty);
    if (ok && !empty) {
        do {
            for (uint32_t c = 0; c < s.width && !s.failed; c++) {
                ExprId x = select_element(L, &s, 0, 0, c);
                vec_push(&L->work, x);
            }
        } while (!s.failed && next_pick(&s));
    }
    memory_free(s.subs);
    memory_free(s.pick);
    return ok && !s.failed;
}

/* ---- sizes ---- */

static bool push_size(Lower *L, ExprId e)
{
    int64_t k;
    TypeId t = expr_type(L->g, expr_arg(L->g, e, 0));
    if (!literal_int(L, expr_arg(L->g, e, 1), "dimension of size()", &k))
        return false;
    if (k < 1 || k > (int64_t)type_rank(L->g->types, t) ||
        type_dim(L->g->types, t, (uint32_t)k - 1) < 0)
        return unsupported(L, "size() of an array of unknown size");
    vec_push(&L->work, expr_int(L->g, type_dim(L->g->types, t, (uint32_t)k - 1)));
    return true;
}

static bool push_reshaped(Lower *L, ExprId e, LowerMode mode)
{
    Arg a;
    if (!argument(L, e, 0, mode, &a))
        return false;
    for (uint32_t k = 0; k < a.v.n; k++)
        vec_push(&L->work, at(L, a, k));
    return true;
}

bool lower_array_op(Lower *L, ExprId e, LowerMode mode)
{
    switch (expr_op(L->g, e)) {
    case OP_MATMUL: return push_matmul(L, e, mode);
    case OP_MATPOW: return push_matpow(L, e, mode);
    case OP_INDEX: return push_index(L, e, mode);
    case OP_RANGE: return push_range(L, e, mode);
    case OP_SIZE: return push_size(L, e);
    case OP_NDIMS:
        vec_push(&L->work,
                 expr_int(L->g, type_rank(L->g->types, expr_type(L->g, expr_arg(L->g, e, 0)))));
        return true;
    case OP_CAT: return push_cat(L, e, mode);
    case OP_FILL: return push_fill(L, e, mode);
    case OP_IDENTITY: return push_identity(L, e);
    case OP_DIAGONAL: return push_diagonal(L, e, mode);
    case OP_LINSPACE: return push_linspace(L, e, mode);
    case OP_TRANSPOSE: return push_transposed(L, e, mode, false);
    case OP_SYMMETRIC: return push_transposed(L, e, mode, true);
    case OP_OUTER: return push_outer(L, e, mode);
    case OP_CROSS: return push_cross(L, e, mode);
    case OP_SKEW: return push_skew(L, e, mode);
    case OP_SUM:
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF: return push_reduced(L, e, mode);
    case OP_SCALAR:
    case OP_VECTOR:
    case OP_MATRIX: return push_reshaped(L, e, mode);
    case OP_COMPREHEND:
        return push_iterated(L, expr_arg(L->g, e, 0), expr_arg(L->g, e, 1), expr_arg(L->g, e, 2),
                             mode);
    case OP_REDUCE: return push_reduction(L, e, mode);
    default: return unsupported(L, expr_op_text(expr_op(L->g, e)));
    }
}

/* The evaluator: arrays and records. Arrays are row-major; intermediate ones live in run_arena. */
#include "base/arith.h"
#include "expr/eval/internal.h"

#include <math.h>

enum { MAX_RANK = 32 };

/* ---- element by element ---- */

static bool is_array(const Run *r, const Value *v)
{
    return type_rank(r->types, v->type) > 0;
}

static EvalStatus differing(Run *r, ExprId e, TypeId a, TypeId b)
{
    return run_fail(r, "the sizes of the operands of %s differ: %s and %s", run_print(r, e),
                    type_print(r->types, a, run_arena(r)), type_print(r->types, b, run_arena(r)));
}

static bool same_dims(const Run *r, TypeId a, TypeId b)
{
    const Type *x = type_get(r->types, a), *y = type_get(r->types, b);
    if (type_rank(r->types, a) != type_rank(r->types, b))
        return false;
    return x->kind != TYPE_ARRAY || memcmp(x->dims, y->dims, x->n * sizeof *x->dims) == 0;
}

/* out := out op v, where either may be a scalar. */
static EvalStatus combine(Run *r, ExprId e, ExprOp op, Value *out, const Value *v)
{
    const double *a = value_elems(r->types, out), *b = value_elems(r->types, v);
    bool wide_a = is_array(r, out), wide_b = is_array(r, v);
    TypeId element = type_element(r->types, expr_type(r->g, e));
    if (wide_a && wide_b && !same_dims(r, out->type, v->type))
        return differing(r, e, out->type, v->type);
    const Type *t = type_get(r->types, wide_a ? out->type : v->type);
    bool wide = wide_a || wide_b,
         divides = element == T_INT && (op == OP_QUOT || op == OP_MOD || op == OP_REM);
    Value to;
    double scalar = wide_a ? 0 : *a;
    double *c = value_new_array(r, &to, element, wide ? t->dims : NULL, wide ? t->n : 0);
    if (!c)
        return EVAL_ERROR;
    int64_t count = type_count(r->types, to.type);
    for (int64_t i = 0; i < count; i++) {
        double y = b[wide_b ? i : 0];
        if (divides && y == 0)
            return run_fail(r, "division by zero in %s", run_print(r, e));
        c[i] = op_apply2(op, wide_a ? a[i] : scalar, y);
    }
    *out = to;
    return EVAL_OK;
}

static EvalStatus map_unary(Run *r, ExprId e, ExprOp op, Value *out)
{
    Value v = *out;
    const double *a = value_elems(r->types, &v);
    const Type *t = type_get(r->types, v.type);
    bool wide = is_array(r, &v);
    double *c = value_new_array(r, out, type_element(r->types, expr_type(r->g, e)),
                                wide ? t->dims : NULL, wide ? t->n : 0);
    if (!c)
        return EVAL_ERROR;
    int64_t count = type_count(r->types, out->type);
    for (int64_t i = 0; i < count; i++)
        c[i] = op_apply1(op, a[i]);
    return EVAL_OK;
}

EvalStatus run_element_wise(Run *r, ExprId e, Value *out)
{
    ExprOp op = expr_op(r->g, e);
    uint32_t n = expr_n(r->g, e);
    bool single = op == OP_NEG || op == OP_NOT || op_is_function_of(op, 1) ||
                  op_class(op) == CLASS_CONVERSION;
    bool pairs = !single && op != OP_IF && (op_is_scalar(op) || op_class(op) == CLASS_MATRIX);
    if ((!pairs && !single) || n == 0)
        return run_fail(r, "%s cannot be evaluated", run_print(r, e));
    EvalStatus status = run_eval(r, expr_arg(r->g, e, 0), out);
    if (status != EVAL_OK || single)
        return status == EVAL_OK ? map_unary(r, e, op, out) : status;
    for (uint32_t i = 1; i < n && status == EVAL_OK; i++) {
        Value v;
        status = run_eval(r, expr_arg(r->g, e, i), &v);
        if (status == EVAL_OK)
            status = combine(r, e, op, out, &v);
    }
    return status;
}

/* ---- subscripts ---- */

typedef struct Select {
    int64_t n;          /* number of positions */
    const double *list; /* positions from 1, or NULL: first, first + 1, … */
    int64_t first;      /* from 0 */
    bool scalar;        /* drops the dimension */
} Select;

static EvalStatus out_of_range(Run *r, ExprId e, int64_t at, int64_t size)
{
    ExprId base = expr_arg(r->g, e, 0);
    return run_fail(r, "index %lld is out of range 1:%lld of %s", (long long)at, (long long)size,
                    run_print(r, base));
}

/* A Boolean counts as false = 1, true = 2. */
static EvalStatus scalar_position(Run *r, ExprId e, ExprId sub, int64_t size, int64_t *at)
{
    EvalStatus status = run_integer(r, sub, at);
    if (status != EVAL_OK)
        return status;
    *at += expr_type(r->g, sub) == T_BOOL;
    return *at >= 1 && *at <= size ? EVAL_OK : out_of_range(r, e, *at, size);
}

static EvalStatus select_list(Run *r, ExprId e, ExprId sub, int64_t size, Select *s)
{
    Value v;
    EvalStatus status = run_eval(r, sub, &v);
    if (status != EVAL_OK)
        return status;
    *s = (Select){.n = type_count(r->types, v.type), .list = v.nums};
    for (int64_t i = 0; i < s->n; i++)
        if (!(v.nums[i] >= 1 && v.nums[i] <= (double)size))
            return out_of_range(r, e, (int64_t)v.nums[i], size);
    return EVAL_OK;
}

/* Fills sel for every dimension of base; those without a subscript are whole. */
static EvalStatus select_all(Run *r, ExprId e, const Value *base, Select *sel)
{
    uint32_t rank = type_rank(r->types, base->type), n = expr_n(r->g, e) - 1;
    if (n > rank || rank > MAX_RANK)
        return run_fail(r, "too many subscripts in %s", run_print(r, e));
    for (uint32_t k = 0; k < rank; k++) {
        int64_t size = type_dim(r->types, base->type, k), at;
        ExprId sub = k < n ? expr_arg(r->g, e, k + 1) : EXPR_NONE;
        EvalStatus status = EVAL_OK;
        if (!sub || expr_op(r->g, sub) == OP_COLON) {
            sel[k] = (Select){.n = size};
        } else if (type_rank(r->types, expr_type(r->g, sub))) {
            status = select_list(r, e, sub, size, &sel[k]);
        } else {
            status = scalar_position(r, e, sub, size, &at);
            sel[k] = (Select){.n = 1, .first = at - 1, .scalar = true};
        }
        if (status != EVAL_OK)
            return status;
    }
    return EVAL_OK;
}

static int64_t position(const Select *s, int64_t i)
{
    return s->list ? (int64_t)s->list[i] - 1 : s->first + i;
}

/* Copies the selected elements of an array out of it, or into it. */
static void transfer(const Run *r, const Select *sel, TypeId type, char *array, char *flat,
                     bool into)
{
    uint32_t rank = type_rank(r->types, type);
    size_t size = value_elem_size(value_kind(r->types, type));
    int64_t at[MAX_RANK] = {0}, total = 1;
    for (uint32_t k = 0; k < rank; k++)
        total *= sel[k].n;
    for (int64_t i = 0; i < total; i++, flat += size) {
        int64_t offset = 0;
        for (uint32_t k = 0; k < rank; k++)
            offset = offset * type_dim(r->types, type, k) + position(&sel[k], at[k]);
        char *elem = array + (size_t)offset * size;
        memcpy(into ? elem : flat, into ? flat : elem, size);
        for (uint32_t k = rank; k-- > 0 && ++at[k] == sel[k].n;)
            at[k] = 0;
    }
}

static uint32_t selected_dims(const Select *sel, uint32_t rank, int64_t *dims)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < rank; k++)
        if (!sel[k].scalar)
            dims[n++] = sel[k].n;
    return n;
}

static EvalStatus index_value(Run *r, ExprId e, Value *out)
{
    Value base;
    Select sel[MAX_RANK];
    int64_t dims[MAX_RANK];
    EvalStatus status = run_eval(r, expr_arg(r->g, e, 0), &base);
    if (status == EVAL_OK)
        status = select_all(r, e, &base, sel);
    if (status != EVAL_OK)
        return status;
    uint32_t n = selected_dims(sel, type_rank(r->types, base.type), dims);
    void *to = value_new_array(r, out, type_element(r->types, base.type), dims, n);
    if (!to)
        return EVAL_ERROR;
    transfer(r, sel, base.type, (char *)base.nums, to, false);
    return EVAL_OK;
}

EvalStatus run_offset(Run *r, ExprId e, const Value *base, int64_t *offset)
{
    uint32_t rank = type_rank(r->types, base->type), n = expr_n(r->g, e) - 1;
    if (n != rank)
        return run_fail(r, "wrong number of subscripts in %s", run_print(r, e));
    *offset = 0;
    for (uint32_t k = 0; k < n; k++) {
        int64_t size = type_dim(r->types, base->type, k), at;
        EvalStatus status = scalar_position(r, e, expr_arg(r->g, e, k + 1), size, &at);
        if (status != EVAL_OK)
            return status;
        *offset = *offset * size + at - 1;
    }
    return EVAL_OK;
}

/* An element, by number, of the result of a pure function: its other elements may be needed next.
 * Inside functions, each call has its own arguments. */
static bool is_kept_call(const Run *r, ExprId e)
{
    ExprId a = expr_arg(r->g, e, 0);
    bool kept = !r->frame && expr_op(r->g, a) == OP_CALL &&
                !r->g->functions.at[expr_index(r->g, a)]->impure;
    for (uint32_t i = 1; i < expr_n(r->g, e) && kept; i++)
        kept = expr_is_literal(r->g, expr_arg(r->g, e, i));
    return kept;
}

EvalStatus run_index_number(Run *r, ExprId e, double *out)
{
    Value base;
    const Value *kept = NULL;
    int64_t offset;
    EvalStatus status = is_kept_call(r, e) ? run_kept_call(r, expr_arg(r->g, e, 0), &kept)
                                           : run_eval(r, expr_arg(r->g, e, 0), &base);
    if (status == EVAL_OK && kept)
        base = *kept;
    if (status == EVAL_OK)
        status = run_offset(r, e, &base, &offset);
    if (status == EVAL_OK)
        *out = base.nums[offset];
    return status;
}

EvalStatus run_store(Run *r, ExprId e, Value *base, const Value *v)
{
    Select sel[MAX_RANK];
    int64_t dims[MAX_RANK];
    EvalStatus status = select_all(r, e, base, sel);
    if (status != EVAL_OK)
        return status;
    uint32_t n = selected_dims(sel, type_rank(r->types, base->type), dims);
    TypeId wanted = type_array(r->types, type_element(r->types, base->type), dims, n);
    if (!same_dims(r, wanted, v->type))
        return run_fail(r, "cannot assign %s to %s of type %s",
                        type_print(r->types, v->type, run_arena(r)), run_print(r, e),
                        type_print(r->types, wanted, run_arena(r)));
    transfer(r, sel, base->type, (char *)base->nums, (char *)(uintptr_t)value_elems(r->types, v),
             true);
    return EVAL_OK;
}

/* ---- constructors ---- */

/* Stacks n values of one shape along a new first dimension. */
static EvalStatus stack(Run *r, ExprId e, Value *out)
{
    uint32_t n = expr_n(r->g, e), rank = 0;
    int64_t dims[MAX_RANK] = {n}, step = 0;
    TypeId element = type_element(r->types, expr_type(r->g, e)), inner = T_NONE;
    size_t size = value_elem_size(value_kind(r->types, element));
    char *to = NULL;
    for (uint32_t i = 0; i < n; i++) {
        Value v;
        EvalStatus status = run_eval(r, expr_arg(r->g, e, i), &v);
        if (status != EVAL_OK)
            return status;
        if (i == 0) {
            inner = v.type;
            rank = type_rank(r->types, inner);
            step = type_count(r->types, inner);
            for (uint32_t k = 0; k < rank && k + 1 < MAX_RANK; k++)
                dims[k + 1] = type_dim(r->types, inner, k);
            if (!(to = value_new_array(r, out, element, dims, rank + 1)))
                return EVAL_ERROR;
        } else if (!same_dims(r, inner, v.type)) {
            return differing(r, e, inner, v.type);
        }
        memcpy(to + (size_t)i * (size_t)step * size, value_elems(r->types, &v),
               (size_t)step * size);
    }
    if (n == 0) {
        const Type *t = type_get(r->types, expr_type(r->g, e));
        for (uint32_t k = 0; k < t->n && k < MAX_RANK; k++)
            dims[k] = t->dims[k] == DIM_UNKNOWN ? 0 : t->dims[k];
        return value_new_array(r, out, element, dims, t->n) ? EVAL_OK : EVAL_ERROR;
    }
    return EVAL_OK;
}

static EvalStatus cat(Run *r, ExprId e, Value *out)
{
    uint32_t n = expr_n(r->g, e) - 1;
    int64_t d, dims[MAX_RANK], outer = 1, inner = 1;
    EvalStatus status = run_integer(r, expr_arg(r->g, e, 0), &d);
    Value *v = ARENA_ARRAY(run_arena(r), Value, n + 1);
    for (uint32_t i = 0; i < n && status == EVAL_OK; i++)
        status = run_eval(r, expr_arg(r->g, e, i + 1), &v[i]);
    if (status != EVAL_OK)
        return status;
    uint32_t rank = type_rank(r->types, v[0].type);
    if (d < 1 || d > (int64_t)rank || rank > MAX_RANK)
        return run_fail(r, "dimension %lld in %s does not exist", (long long)d, run_print(r, e));
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = type_dim(r->types, v[0].type, k);
    for (uint32_t i = 1; i < n; i++) {
        for (uint32_t k = 0; k < rank; k++)
            if (type_rank(r->types, v[i].type) != rank ||
                (k != (uint32_t)d - 1 && type_dim(r->types, v[i].type, k) != dims[k]))
                return differing(r, e, v[0].type, v[i].type);
        dims[d - 1] += type_dim(r->types, v[i].type, (uint32_t)d - 1);
    }
    for (uint32_t k = 0; k < rank; k++)
        *(k + 1 < (uint32_t)d ? &outer : &inner) *= k + 1 == (uint32_t)d ? 1 : dims[k];
    TypeId element = type_element(r->types, expr_type(r->g, e));
    size_t size = value_elem_size(value_kind(r->types, element));
    char *to = value_new_array(r, out, element, dims, rank);
    if (!to)
        return EVAL_ERROR;
    for (int64_t o = 0; o < outer; o++)
        for (uint32_t i = 0; i < n; i++) {
            size_t chunk = (size_t)(inner * type_dim(r->types, v[i].type, (uint32_t)d - 1)) * size;
            memcpy(to, (const char *)v[i].nums + (size_t)o * chunk, chunk);
            to += chunk;
        }
    return EVAL_OK;
}

static EvalStatus fill(Run *r, ExprId e, Value *out)
{
    uint32_t n = expr_n(r->g, e) - 1, rank;
    int64_t dims[MAX_RANK], count = 1;
    Value v;
    EvalStatus status = run_eval(r, expr_arg(r->g, e, 0), &v);
    for (uint32_t k = 0; k < n && k < MAX_RANK && status == EVAL_OK; k++) {
        status = run_integer(r, expr_arg(r->g, e, k + 1), &dims[k]);
        if (status == EVAL_OK && dims[k] < 0)
            status = run_fail(r, "negative size %lld in %s", (long long)dims[k], run_print(r, e));
    }
    if (status != EVAL_OK)
        return status;
    rank = type_rank(r->types, v.type);
    for (uint32_t k = 0; k < rank && n + k < MAX_RANK; k++)
        dims[n + k] = type_dim(r->types, v.type, k);
    size_t chunk =
        (size_t)type_count(r->types, v.type) * value_elem_size(value_kind(r->types, v.type));
    char *to = value_new_array(r, out, type_element(r->types, expr_type(r->g, e)), dims, n + rank);
    if (!to)
        return EVAL_ERROR;
    for (uint32_t k = 0; k < n; k++)
        count *= dims[k];
    for (int64_t i = 0; i < count; i++)
        memcpy(to + (size_t)i * chunk, value_elems(r->types, &v), chunk);
    return EVAL_OK;
}

/* ---- linear algebra ---- */

static EvalStatus square(Run *r, ExprId e, int64_t n, Value *out, double **to)
{
    *to = n < 0 ? NULL
                : value_new_array(r, out, type_element(r->types, expr_type(r->g, e)),
                                  (int64_t[]){n, n}, 2);
    if (n < 0)
        return run_fail(r, "negative size in %s", run_print(r, e));
    return *to ? EVAL_OK : EVAL_ERROR;
}

static EvalStatus mat_mul(Run *r, ExprId e, Value *out)
{
    Value a, b;
    EvalStatus status;
    if ((status = run_eval(r, expr_arg(r->g, e, 0), &a)) != EVAL_OK ||
        (status = run_eval(r, expr_arg(r->g, e, 1), &b)) != EVAL_OK)
        return status;
    uint32_t ra = type_rank(r->types, a.type), rb = type_rank(r->types, b.type), rank = 0;
    if (ra < 1 || rb < 1 || ra > 2 || rb > 2)
        return differing(r, e, a.type, b.type);
    int64_t m = ra == 2 ? type_dim(r->types, a.type, 0) : 1, k = type_dim(r->types, a.type, ra - 1);
    int64_t n = rb == 2 ? type_dim(r->types, b.type, 1) : 1, dims[2];
    if (type_dim(r->types, b.type, 0) != k)
        return differing(r, e, a.type, b.type);
    if (ra == 2)
        dims[rank++] = m;
    if (rb == 2)
        dims[rank++] = n;
    double *c = value_new_array(r, out, type_element(r->types, expr_type(r->g, e)), dims, rank);
    if (!c || (status = run_step(r, (uint64_t)(m * n * k))) != EVAL_OK)
        return EVAL_ERROR;
    arith_matmul(a.nums, b.nums, c, m, k, n);
    return EVAL_OK;
}

static EvalStatus mat_pow(Run *r, ExprId e, Value *out)
{
    Value a, other;
    int64_t power;
    double *c, *d;
    EvalStatus status;
    if ((status = run_eval(r, expr_arg(r->g, e, 0), &a)) != EVAL_OK ||
        (status = run_integer(r, expr_arg(r->g, e, 1), &power)) != EVAL_OK)
        return status;
    int64_t n = type_rank(r->types, a.type) == 2 ? type_dim(r->types, a.type, 0) : -1;
    if (n < 0 || type_dim(r->types, a.type, 1) != n || power < 0)
        return run_fail(r, "%s needs a square matrix and an exponent that is not negative",
                        run_print(r, e));
    if ((status = square(r, e, n, out, &c)) != EVAL_OK ||
        (status = square(r, e, n, &other, &d)) != EVAL_OK)
        return status;
    for (int64_t i = 0; i < n; i++)
        c[i * n + i] = 1;
    for (int64_t p = 0; p < power; p++) {
        if ((status = run_step(r, (uint64_t)(n * n * n))) != EVAL_OK)
            return status;
        arith_matmul(c, a.nums, d, n, n, n);
        memcpy(c, d, (size_t)(n * n) * sizeof *c);
    }
    return EVAL_OK;
}

static EvalStatus transpose(Run *r, ExprId e, const Value *a, Value *out)
{
    if (type_rank(r->types, a->type) != 2)
        return run_fail(r, "%s needs a matrix", run_print(r, e));
    int64_t m = type_dim(r->types, a->type, 0), n = type_dim(r->types, a->type, 1);
    TypeId element = type_element(r->types, a->type);
    size_t size = value_elem_size(value_kind(r->types, element));
    char *to = value_new_array(r, out, element, (int64_t[]){n, m}, 2);
    if (!to)
        return EVAL_ERROR;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            memcpy(to + (size_t)(j * m + i) * size,
                   (const char *)a->nums + (size_t)(i * n + j) * size, size);
    return EVAL_OK;
}

static EvalStatus symmetric(Run *r, ExprId e, const Value *a, Value *out)
{
    int64_t n = type_rank(r->types, a->type) == 2 ? type_dim(r->types, a->type, 0) : -1;
    double *to;
    EvalStatus status = square(r, e, n, out, &to);
    for (int64_t i = 0; i < n && status == EVAL_OK; i++)
        for (int64_t j = 0; j < n; j++)
            to[i * n + j] = a->nums[i <= j ? i * n + j : j * n + i];
    return status;
}

static EvalStatus skew(Run *r, ExprId e, const Value *a, Value *out)
{
    double *to;
    if (type_count(r->types, a->type) != 3)
        return run_fail(r, "%s needs a vector of 3 elements", run_print(r, e));
    const double *x = a->nums;
    EvalStatus status = square(r, e, 3, out, &to);
    if (status == EVAL_OK)
        memcpy(to, (double[]){0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0}, 9 * sizeof *to);
    return status;
}

static EvalStatus two_vectors(Run *r, ExprId e, Value *out)
{
    Value a, b;
    EvalStatus status;
    if ((status = run_eval(r, expr_arg(r->g, e, 0), &a)) != EVAL_OK ||
        (status = run_eval(r, expr_arg(r->g, e, 1), &b)) != EVAL_OK)
        return status;
    int64_t m = type_count(r->types, a.type), n = type_count(r->types, b.type);
    TypeId element = type_element(r->types, expr_type(r->g, e));
    const double *x = a.nums, *y = b.nums;
    bool cross = expr_op(r->g, e) == OP_CROSS;
    if (cross && (m != 3 || n != 3))
        return run_fail(r, "%s needs vectors of 3 elements", run_print(r, e));
    double *to =
        value_new_array(r, out, element, cross ? (int64_t[]){3} : (int64_t[]){m, n}, cross ? 1 : 2);
    if (!to)
        return EVAL_ERROR;
    if (cross) {
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            to[i] = x[j] * y[k] - x[k] * y[j];
        }
        return EVAL_OK;
    }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            to[i * n + j] = x[i] * y[j];
    return EVAL_OK;
}

static EvalStatus diagonal(Run *r, ExprId e, const Value *a, Value *out)
{
    int64_t n = type_count(r->types, a->type);
    double *to;
    EvalStatus status = square(r, e, n, out, &to);
    for (int64_t i = 0; i < n && status == EVAL_OK; i++)
        to[i * n + i] = a->nums[i];
    return status;
}

static EvalStatus identity(Run *r, ExprId e, Value *out)
{
    int64_t n;
    double *to;
    EvalStatus status = run_integer(r, expr_arg(r->g, e, 0), &n);
    if (status == EVAL_OK)
        status = square(r, e, n, out, &to);
    for (int64_t i = 0; status == EVAL_OK && i < n; i++)
        to[i * n + i] = 1;
    return status;
}

static EvalStatus linspace(Run *r, ExprId e, Value *out)
{
    double a, b;
    int64_t n;
    EvalStatus status;
    if ((status = run_number(r, expr_arg(r->g, e, 0), &a)) != EVAL_OK ||
        (status = run_number(r, expr_arg(r->g, e, 1), &b)) != EVAL_OK ||
        (status = run_integer(r, expr_arg(r->g, e, 2), &n)) != EVAL_OK)
        return status;
    if (n < 2)
        return run_fail(r, "%s needs at least 2 points", run_print(r, e));
    double *to = value_new_array(r, out, T_REAL, &n, 1);
    for (int64_t i = 0; to && i < n; i++)
        to[i] = a + (b - a) * (double)i / (double)(n - 1);
    return to ? EVAL_OK : EVAL_ERROR;
}

/* ---- sizes, shapes, reductions ---- */

static EvalStatus size_of(Run *r, ExprId e, Value *out)
{
    ExprId a = expr_arg(r->g, e, 0), which = expr_n(r->g, e) > 1 ? expr_arg(r->g, e, 1) : EXPR_NONE;
    TypeId type = expr_type(r->g, a);
    int64_t k = 0;
    EvalStatus status = which ? run_integer(r, which, &k) : EVAL_OK;
    if (status == EVAL_OK && type_count(r->types, type) == DIM_UNKNOWN) {
        Value v;
        status = run_eval(r, a, &v);
        type = status == EVAL_OK ? v.type : type;
    }
    if (status != EVAL_OK)
        return status;
    int64_t rank = type_rank(r->types, type);
    if (!which) {
        double *to = value_new_array(r, out, T_INT, &rank, 1);
        for (uint32_t i = 0; to && i < rank; i++)
            to[i] = (double)type_dim(r->types, type, i);
        return to ? EVAL_OK : EVAL_ERROR;
    }
    if (k < 1 || k > rank)
        return run_fail(r, "dimension %lld of %s does not exist", (long long)k, run_print(r, a));
    *out = (Value){.type = T_INT, .num = (double)type_dim(r->types, type, (uint32_t)k - 1)};
    return EVAL_OK;
}

static EvalStatus reduce(Run *r, ExprId e, const Value *a, Value *out)
{
    const double *x = value_elems(r->types, a);
    int64_t n = type_count(r->types, a->type);
    ExprOp op = expr_op(r->g, e);
    *out = (Value){.type = expr_type(r->g, e)};
    run_reduce_empty(op, &out->num);
    for (int64_t i = 0; i < n; i++)
        if (i == 0)
            out->num = x[0];
        else
            run_reduce_step(op, &out->num, x[i]);
    return EVAL_OK;
}

/* scalar, vector, matrix: the same elements in another shape. */
static EvalStatus reshape(Run *r, ExprId e, const Value *a, Value *out)
{
    ExprOp op = expr_op(r->g, e);
    int64_t n = type_count(r->types, a->type), dims[2] = {n, 1};
    uint32_t rank = type_rank(r->types, a->type);
    if (op == OP_SCALAR && n != 1)
        return run_fail(r, "%s has %lld elements", run_print(r, e), (long long)n);
    if (op == OP_MATRIX && rank >= 2) {
        dims[0] = type_dim(r->types, a->type, 0);
        dims[1] = type_dim(r->types, a->type, 1);
        if (dims[0] * dims[1] != n)
            return run_fail(r, "%s has more than two dimensions", run_print(r, e));
    }
    uint32_t to_rank = op == OP_SCALAR ? 0 : op == OP_VECTOR ? 1 : 2;
    TypeId element = type_element(r->types, a->type);
    void *to = value_new_array(r, out, element, dims, to_rank);
    if (to)
        memcpy(to, value_elems(r->types, a),
               (size_t)n * value_elem_size(value_kind(r->types, element)));
    return to ? EVAL_OK : EVAL_ERROR;
}

/* ---- records ---- */

static EvalStatus record(Run *r, ExprId e, Value *out)
{
    uint32_t n = expr_n(r->g, e);
    Value *items = ARENA_ARRAY(run_arena(r), Value, n + 1);
    *out = (Value){.type = expr_type(r->g, e), .items = items};
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(r->g, e, i);
        EvalStatus status = a ? run_eval(r, a, &items[i]) : EVAL_OK;
        if (status != EVAL_OK)
            return status;
    }
    return EVAL_OK;
}

static EvalStatus field(Run *r, ExprId e, Value *out)
{
    Value a;
    uint32_t k = expr_index(r->g, e), rank;
    EvalStatus status = run_eval(r, expr_arg(r->g, e, 0), &a);
    if (status != EVAL_OK)
        return status;
    rank = type_rank(r->types, a.type);
    if (rank == 0) {
        *out = a.items[k];
        return EVAL_OK;
    }
    int64_t count = type_count(r->types, a.type), dims[MAX_RANK];
    TypeId inner = count ? a.items[0].items[k].type : type_drop(r->types, expr_type(r->g, e), rank);
    uint32_t more = type_rank(r->types, inner);
    for (uint32_t i = 0; i < rank + more && i < MAX_RANK; i++)
        dims[i] = type_dim(r->types, i < rank ? a.type : inner, i < rank ? i : i - rank);
    char *to = value_new_array(r, out, type_element(r->types, inner), dims, rank + more);
    size_t chunk =
        (size_t)type_count(r->types, inner) * value_elem_size(value_kind(r->types, inner));
    for (int64_t i = 0; to && i < count; i++)
        memcpy(to + (size_t)i * chunk, value_elems(r->types, &a.items[i].items[k]), chunk);
    return to ? EVAL_OK : EVAL_ERROR;
}

/* Operators whose only argument is an array. */
static EvalStatus one_array(Run *r, ExprId e, Value *out)
{
    Value a;
    EvalStatus status = run_eval(r, expr_arg(r->g, e, 0), &a);
    if (status != EVAL_OK)
        return status;
    switch (expr_op(r->g, e)) {
    case OP_DIAGONAL: return diagonal(r, e, &a, out);
    case OP_TRANSPOSE: return transpose(r, e, &a, out);
    case OP_SYMMETRIC: return symmetric(r, e, &a, out);
    case OP_SKEW: return skew(r, e, &a, out);
    case OP_SUM:
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF: return reduce(r, e, &a, out);
    case OP_SCALAR:
    case OP_VECTOR:
    case OP_MATRIX: return reshape(r, e, &a, out);
    default: return run_fail(r, "%s cannot be evaluated", run_print(r, e));
    }
}

EvalStatus run_array(Run *r, ExprId e, Value *out)
{
    switch (expr_op(r->g, e)) {
    case OP_MATMUL: return mat_mul(r, e, out);
    case OP_MATPOW: return mat_pow(r, e, out);
    case OP_ARRAY: return stack(r, e, out);
    case OP_INDEX: return index_value(r, e, out);
    case OP_SIZE: return size_of(r, e, out);
    case OP_NDIMS:
        *out = (Value){.type = T_INT,
                       .num = type_rank(r->types, expr_type(r->g, expr_arg(r->g, e, 0)))};
        return EVAL_OK;
    case OP_CAT: return cat(r, e, out);
    case OP_FILL: return fill(r, e, out);
    case OP_IDENTITY: return identity(r, e, out);
    case OP_LINSPACE: return linspace(r, e, out);
    case OP_OUTER:
    case OP_CROSS: return two_vectors(r, e, out);
    case OP_RECORD:
    case OP_TUPLE: return record(r, e, out);
    case OP_FIELD:
    case OP_OUT: return field(r, e, out);
    default: return one_array(r, e, out);
    }
}

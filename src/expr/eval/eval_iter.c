/* The evaluator: ranges, array comprehensions, reductions with iterators. */
#include "expr/eval/internal.h"

#include <float.h>
#include <math.h>

enum { MAX_RANK = 32 };

void run_reduce_empty(ExprOp op, double *out)
{
    *out = op == OP_SUM ? 0 : op == OP_PRODUCT ? 1 : op == OP_MIN_OF ? DBL_MAX : -DBL_MAX;
}

void run_reduce_step(ExprOp op, double *acc, double v)
{
    switch (op) {
    case OP_SUM: *acc += v; break;
    case OP_PRODUCT: *acc *= v; break;
    case OP_MIN_OF: *acc = op_apply2(OP_MIN, *acc, v); break;
    default: *acc = op_apply2(OP_MAX, *acc, v); break;
    }
}

/* Section 10.4.3: start, start + step, … up to stop; a last point missed by rounding is taken. */
EvalStatus run_range_parts(Run *r, ExprId e, double *start, double *step, int64_t *n)
{
    double stop;
    ExprId s = expr_arg(r->g, e, 1);
    EvalStatus status;
    *step = 1;
    if ((status = run_number(r, expr_arg(r->g, e, 0), start)) != EVAL_OK ||
        (s && (status = run_number(r, s, step)) != EVAL_OK) ||
        (status = run_number(r, expr_arg(r->g, e, 2), &stop)) != EVAL_OK)
        return status;
    if (*step == 0 || !isfinite(*start) || !isfinite(*step) || !isfinite(stop))
        return run_fail(r, "%s is not a range: its step is %g", run_print(r, e), *step);
    bool real = type_element(r->types, expr_type(r->g, e)) == T_REAL;
    double steps = (stop - *start) / *step;
    double count = steps < 0 ? 0 : floor(steps * (real ? 1 + 8 * DBL_EPSILON : 1)) + 1;
    if (count > 1e15)
        return run_fail(r, "%s has too many elements", run_print(r, e));
    *n = (int64_t)count;
    return EVAL_OK;
}

EvalStatus run_range(Run *r, ExprId e, Value *out)
{
    double start, step;
    int64_t n;
    EvalStatus status = run_range_parts(r, e, &start, &step, &n);
    if (status != EVAL_OK)
        return status;
    double *to = value_new_array(r, out, type_element(r->types, expr_type(r->g, e)), &n, 1);
    for (int64_t i = 0; to && i < n; i++)
        to[i] = start + (double)i * step;
    return to ? EVAL_OK : EVAL_ERROR;
}

/* The values an iterator takes. */
static EvalStatus iterate_over(Run *r, ExprId range, Value *v, int64_t *n)
{
    EvalStatus status = run_eval(r, range, v);
    if (status != EVAL_OK)
        return status;
    if (type_rank(r->types, v->type) != 1)
        return run_fail(r, "%s is not a vector to iterate over", run_print(r, range));
    *n = type_dim(r->types, v->type, 0);
    return EVAL_OK;
}

/* Evaluates body with the iterator bound to element i of v. */
static EvalStatus at_iteration(Run *r, ExprId body, ExprId iter, const Value *v, int64_t i,
                               Value *out)
{
    TypeId element = type_element(r->types, v->type);
    Binding b = {.iter = expr_index(r->g, iter)};
    size_t size = value_elem_size(value_kind(r->types, element));
    value_take(r->types, &b.value, element, (const char *)v->nums + (size_t)i * size);
    EvalStatus status = run_step(r, 1);
    if (status != EVAL_OK)
        return status;
    vec_push(&r->iters, b);
    status = run_eval(r, body, out);
    (void)vec_pop(&r->iters);
    return status;
}

static EvalStatus comprehend(Run *r, ExprId e, Value *out)
{
    Value range, v;
    int64_t n, dims[MAX_RANK], step = 0;
    EvalStatus status = iterate_over(r, expr_arg(r->g, e, 2), &range, &n);
    TypeId element = type_element(r->types, expr_type(r->g, e)), inner = T_NONE;
    size_t size = value_elem_size(value_kind(r->types, element));
    char *to = NULL;
    for (int64_t i = 0; i < n && status == EVAL_OK; i++) {
        status = at_iteration(r, expr_arg(r->g, e, 0), expr_arg(r->g, e, 1), &range, i, &v);
        if (status != EVAL_OK)
            return status;
        if (i == 0) {
            uint32_t rank = type_rank(r->types, v.type);
            inner = v.type;
            step = type_count(r->types, inner);
            dims[0] = n;
            for (uint32_t k = 0; k < rank && k + 1 < MAX_RANK; k++)
                dims[k + 1] = type_dim(r->types, inner, k);
            if (!(to = value_new_array(r, out, element, dims, rank + 1)))
                return EVAL_ERROR;
        } else if (type_count(r->types, v.type) != step) {
            return run_fail(r, "the elements of %s differ in size", run_print(r, e));
        }
        memcpy(to + (size_t)(i * step) * size, value_elems(r->types, &v), (size_t)step * size);
    }
    if (status != EVAL_OK || n > 0)
        return status;
    const Type *t = type_get(r->types, expr_type(r->g, e));
    for (uint32_t k = 0; k < t->n && k < MAX_RANK; k++)
        dims[k] = k == 0 || t->dims[k] == DIM_UNKNOWN ? 0 : t->dims[k];
    return value_new_array(r, out, element, dims, t->n) ? EVAL_OK : EVAL_ERROR;
}

static EvalStatus reduce(Run *r, ExprId e, Value *out)
{
    Value range, v;
    int64_t n;
    ExprOp op = (ExprOp)expr_int_value(r->g, expr_arg(r->g, e, 0));
    EvalStatus status = iterate_over(r, expr_arg(r->g, e, 3), &range, &n);
    if (status != EVAL_OK)
        return status;
    if (n == 0) {
        *out = value_blank(r, run_arena(r), expr_type(r->g, e));
        double *acc = (double *)(uintptr_t)value_elems(r->types, out);
        for (int64_t k = 0; k < type_count(r->types, out->type); k++)
            run_reduce_empty(op, &acc[k]);
        return EVAL_OK;
    }
    for (int64_t i = 0; i < n; i++) {
        status = at_iteration(r, expr_arg(r->g, e, 1), expr_arg(r->g, e, 2), &range, i, &v);
        if (status != EVAL_OK)
            return status;
        if (i == 0) {
            *out = value_copy(r, run_arena(r), &v);
            continue;
        }
        if (v.type != out->type)
            return run_fail(r, "the terms of %s differ in size", run_print(r, e));
        double *acc = (double *)(uintptr_t)value_elems(r->types, out);
        const double *x = value_elems(r->types, &v);
        for (int64_t k = 0; k < type_count(r->types, v.type); k++)
            run_reduce_step(op, &acc[k], x[k]);
    }
    return EVAL_OK;
}

EvalStatus run_iteration(Run *r, ExprId e, Value *out)
{
    return expr_op(r->g, e) == OP_COMPREHEND ? comprehend(r, e, out) : reduce(r, e, out);
}

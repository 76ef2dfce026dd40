/* Scalars of an expression: every array and record becomes the list of its elements, over global
 * holes.
 *
 * In: an expression of the flat model. Out: its scalars, row-major, fields of records in order. A
 * node is lowered once per mode. Operators of the language (der, pre, initial, …) become variables
 * here; relations in relations.c, array operators in scalarize_arrays.c. */
#include "dae/lower/lower.h"

#include <math.h>

static void push_parts(Lower *L, ExprId value);

enum { MAX_DEPTH = 2000 };

bool unsupported(Lower *L, const char *what)
{
    diag(L->ctx, L->span, DIAG_D001, "%s is not yet supported", what);
    return false;
}

bool too_deep(Lower *L)
{
    diag(L->ctx, L->span, DIAG_D005, "expression is nested deeper than %d levels", MAX_DEPTH);
    return false;
}

uint32_t type_scalars(const Lower *L, TypeId t)
{
    const Type *x = type_get(L->g->types, t);
    uint32_t sum = 0;
    switch (x->kind) {
    case TYPE_NONE: return 0;
    case TYPE_ARRAY: {
        int64_t n = type_count(L->g->types, t);
        return n > 0 ? (uint32_t)n * type_scalars(L, x->element) : 0;
    }
    case TYPE_RECORD:
        for (uint32_t i = 0; i < x->n; i++)
            sum += type_scalars(L, x->fields[i].type);
        return sum;
    default: return 1;
    }
}

static ExprId literal_of(Graph *g, TypeId t, double v)
{
    switch (type_get(g->types, t)->kind) {
    case TYPE_INT: return expr_int(g, (int64_t)v);
    case TYPE_BOOL: return expr_bool(g, v != 0);
    case TYPE_ENUM: return expr_enum(g, t, (int64_t)v);
    default: return expr_real(g, v);
    }
}

/* ---- assembling and splitting ---- */

ExprId assemble(Lower *L, TypeId t, const ExprId *scalars)
{
    const Type *x = type_get(L->g->types, t);
    if (x->kind != TYPE_ARRAY && x->kind != TYPE_RECORD)
        return scalars[0];
    ExprVec parts = {0};
    uint32_t at = 0;
    uint32_t n = x->kind == TYPE_RECORD ? x->n : (uint32_t)x->dims[0];
    TypeId row = x->kind == TYPE_ARRAY ? type_drop(L->g->types, t, 1) : T_NONE;
    for (uint32_t i = 0; i < n; i++) {
        TypeId part = row ? row : type_get(L->g->types, t)->fields[i].type;
        vec_push(&parts, assemble(L, part, scalars + at));
        at += type_scalars(L, part);
    }
    ExprId e = expr_make(L->g, row ? OP_ARRAY : OP_RECORD, t, 0, parts.at, parts.n);
    vec_free(&parts);
    return e;
}

static void push_fields(Lower *L, ExprId record)
{
    TypeId t = expr_type(L->g, record);
    for (uint32_t i = 0; i < type_get(L->g->types, t)->n; i++)
        push_parts(
            L, expr_apply(L->g, OP_FIELD, type_get(L->g->types, t)->fields[i].type, i, &record, 1));
}

/* Pushes the scalars of a value that only a call has. */
static void push_parts(Lower *L, ExprId value)
{
    TypeId t = expr_type(L->g, value);
    TypeKind kind = type_get(L->g->types, t)->kind;
    if (kind == TYPE_RECORD) {
        push_fields(L, value);
    } else if (kind == TYPE_ARRAY) {
        uint32_t rank = type_rank(L->g->types, t);
        int64_t n = type_count(L->g->types, t);
        ExprId *args = memory_alloc((rank + 1) * sizeof *args);
        args[0] = value;
        for (int64_t i = 0; i < n; i++) {
            int64_t rest = i;
            for (uint32_t k = rank; k-- > 0;) {
                int64_t dim = type_dim(L->g->types, t, k);
                args[k + 1] = expr_int(L->g, rest % dim + 1);
                rest /= dim;
            }
            push_parts(L,
                       expr_apply(L->g, OP_INDEX, type_element(L->g->types, t), 0, args, rank + 1));
        }
        memory_free(args);
    } else {
        vec_push(&L->work, value);
    }
}

/* ---- variables ---- */

static bool push_string(Lower *L, uint32_t f)
{
    const FlatVar *x = &L->flat->vars.at[f];
    Elems v;
    if (L->bound[f] == 1 || !x->binding) {
        diag(L->ctx, x->span, DIAG_D003, "String %s has no value",
             flat_var_name(L->flat, f, L->scratch));
        return false;
    }
    L->bound[f] = 1;
    bool ok = lower_elements(L, x->binding, LOWER_LITERAL, &v);
    L->bound[f] = 2;
    for (uint32_t k = 0; ok && k < v.n; k++)
        vec_push(&L->work, L->elems.at[v.at + k]);
    return ok;
}

static bool push_constant(Lower *L, uint32_t f, uint32_t n)
{
    if (!lower_binding(L, f))
        return false;
    TypeId t = type_element(L->g->types, L->flat->vars.at[f].type);
    for (uint32_t k = 0; k < n; k++) {
        double v = default_value(L, L->d->flat_base[f] + k);
        if (isnan(v)) {
            diag(L->ctx, L->flat->vars.at[f].span, DIAG_D003, "constant %s has no value",
                 flat_var_name(L->flat, f, L->scratch));
            return false;
        }
        vec_push(&L->work, literal_of(L->g, t, v));
    }
    return true;
}

ExprId evaluated_value(Lower *L, VarId v)
{
    uint32_t f = L->d->vars.at[v].kind == DAE_PARAMETER ? L->d->vars.at[v].flat : NONE;
    const FlatVar *x = f == NONE ? NULL : &L->flat->vars.at[f];
    if (!x || !x->evaluated || x->variability != VARIES_PARAMETER || !x->binding ||
        L->bound[f] == 1 || !lower_binding(L, f) || !L->d->vars.at[v].fixed ||
        isnan(default_value(L, v)))
        return EXPR_NONE;
    return literal_of(L->g, type_element(L->g->types, x->type), default_value(L, v));
}

static bool push_variable(Lower *L, uint32_t f)
{
    const FlatVar *x = &L->flat->vars.at[f];
    if (type_element(L->g->types, x->type) == T_STRING && L->d->flat_base[f] == NONE)
        return push_string(L, f);
    if (L->d->flat_base[f] == NONE)
        return false;
    uint32_t n = type_scalars(L, x->type);
    if (x->variability == VARIES_CONSTANT)
        return push_constant(L, f, n);
    for (uint32_t k = 0; k < n; k++) {
        VarId v = L->d->flat_base[f] + k;
        ExprId value = x->evaluated ? evaluated_value(L, v) : EXPR_NONE;
        vec_push(&L->work, value ? value : hole_of(L->d, v));
    }
    return true;
}

/* ---- derivatives and left limits ---- */

static bool no_derivative(Lower *L, const char *why)
{
    diag(L->ctx, L->span, DIAG_D006, "expression under der() cannot be differentiated: %s", why);
    return false;
}

/* der(e) for a lowered expression that is not a variable, in the derivatives of its variables. */
static bool rate_of(Lower *L, ExprId e, ExprId *out)
{
    Dae *d = L->d;
    Term t = shape_term(d, e);
    uint32_t *rate = memory_alloc((t.n + 1) * sizeof *rate);
    ExprId *with = memory_alloc((2 * t.n + 1) * sizeof *with);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k);
        DaeVarKind kind = (DaeVarKind)d->vars.at[v].kind;
        bool moves = is_continuous(d, v) && !dae_rests(d, v);
        d->vars.at[v].rate_is_zero |= kind == DAE_PARAMETER || dae_rests(d, v);
        rate[k] = moves ? t.n + k : UINT32_MAX;
        with[k] = hole_of(d, v);
        if (kind == DAE_TIME)
            with[t.n + k] = expr_real(L->g, 1.0);
        else if (moves)
            with[t.n + k] = hole_of(d, dae_derivative_var(d, v));
    }
    ExprId r = symbolic_rate(d->symbolic, t.shape, rate, t.n);
    bool ok = r || no_derivative(L, symbolic_why(d->symbolic));
    if (ok)
        *out = symbolic_substitute(d->symbolic, r, with, 2 * t.n);
    memory_free(rate);
    memory_free(with);
    return ok;
}

static bool derivative(Lower *L, ExprId e, ExprId *out)
{
    if (expr_op(L->g, e) != OP_HOLE)
        return expr_is_literal(L->g, e) ? (*out = expr_real(L->g, 0.0), true) : rate_of(L, e, out);
    VarId v = expr_index(L->g, e);
    switch ((DaeVarKind)L->d->vars.at[v].kind) {
    case DAE_TIME: *out = expr_real(L->g, 1.0); return true;
    case DAE_CONTINUOUS:
    case DAE_DERIVATIVE: *out = hole_of(L->d, dae_derivative_var(L->d, v)); return true;
    case DAE_INPUT: return rate_of(L, e, out);
    case DAE_DISCRETE:
    case DAE_FOLLOWING:
        diag(L->ctx, L->span, DIAG_D006, "%s changes only at events and has no derivative",
             dae_var_name(L->d, v, L->scratch));
        return false;
    default: *out = expr_real(L->g, 0.0); return true;
    }
}

static bool left_limit(Lower *L, ExprOp op, ExprId e, LowerMode mode, ExprId *out)
{
    if (expr_is_literal(L->g, e)) {
        *out = e;
        return true;
    }
    if (expr_op(L->g, e) != OP_HOLE) {
        diag(L->ctx, L->span, DIAG_D007, "%s() takes a variable, not an expression",
             expr_op_text(op));
        return false;
    }
    VarId v = expr_index(L->g, e);
    DaeVarKind kind = (DaeVarKind)L->d->vars.at[v].kind;
    if (kind == DAE_CONTINUOUS && mode == LOWER_EVENTS) {
        diag(L->ctx, L->span, DIAG_D007,
             "%s(%s) is only allowed inside a when-clause: %s changes between events",
             expr_op_text(op), dae_var_name(L->d, v, L->scratch),
             dae_var_name(L->d, v, L->scratch));
        return false;
    }
    *out = kind == DAE_PARAMETER ? e : EXPR_NONE;
    if (kind == DAE_DISCRETE || kind == DAE_CONTINUOUS || kind == DAE_INPUT)
        *out = hole_of(L->d, pre_var(L->d, v));
    if (!*out)
        diag(L->ctx, L->span, DIAG_D007, "%s() cannot be applied to %s", expr_op_text(op),
             dae_var_name(L->d, v, L->scratch));
    return *out != EXPR_NONE;
}

/* pre(v)[k] for v[k] with a varying subscript, whose element is not a single variable; EXPR_NONE
 * for others. */
static ExprId limit_of_varying(Lower *L, ExprId e, const Elems *a)
{
    Graph *g = L->g;
    bool varies = expr_op(g, e) == OP_INDEX;
    for (uint32_t k = 0; k < a->n && varies; k++) {
        ExprId x = L->elems.at[a->at + k];
        varies = expr_op(g, x) != OP_HOLE && !expr_is_literal(g, x);
    }
    if (!varies)
        return EXPR_NONE;
    uint32_t n = expr_n(g, e);
    ExprId *args = ARENA_ARRAY(L->scratch, ExprId, n), whole = expr_arg(g, e, 0);
    args[0] = expr_make(g, OP_PRE, expr_type(g, whole), 0, &whole, 1);
    for (uint32_t i = 1; i < n; i++)
        args[i] = expr_arg(g, e, i);
    return expr_make(g, OP_INDEX, expr_type(g, e), expr_index(g, e), args, n);
}

/* der, pre, edge and change, element by element. */
static bool push_limits(Lower *L, ExprId e, LowerMode mode)
{
    ExprOp op = expr_op(L->g, e);
    Elems a, before = {0};
    if (!lower_elements(L, expr_arg(L->g, e, 0), mode, &a))
        return false;
    ExprId varying = op == OP_DER ? EXPR_NONE : limit_of_varying(L, expr_arg(L->g, e, 0), &a);
    if (varying && !lower_elements(L, varying, mode, &before))
        return false;
    for (uint32_t k = 0; k < a.n; k++) {
        ExprId x = L->elems.at[a.at + k], y = EXPR_NONE;
        if (varying)
            y = L->elems.at[before.at + k];
        else if (op == OP_DER ? !derivative(L, x, &y) : !left_limit(L, op, x, mode, &y))
            return false;
        if (op == OP_EDGE)
            y = expr_and(L->g, x, expr_not(L->g, y));
        if (op == OP_CHANGE)
            y = expr_compare(L->g, OP_NE, x, y);
        vec_push(&L->work, y);
    }
    return true;
}

/* ---- element by element ---- */

/* Applies an operator of the node to the k-th elements of its arguments. */
static bool apply_element(Lower *L, ExprId e, const Elems *args, uint32_t n, uint32_t k,
                          LowerMode mode)
{
    ExprId few[8], *x = n <= 8 ? few : memory_alloc(n * sizeof *x), out = EXPR_NONE;
    ExprOp op = expr_op(L->g, e);
    TypeId type = type_element(L->g->types, expr_type(L->g, e));
    for (uint32_t i = 0; i < n; i++)
        x[i] = L->elems.at[args[i].at + (args[i].n == 1 ? 0 : k)];
    bool ok = true;
    if (op_behaviour(op) == VALUE_SWITCHES)
        ok = lower_relation(L, op, x[0], x[1], mode, &out);
    else if (op_makes_integer_events(op))
        ok = lower_integer_op(L, op, type, x, mode, &out);
    else
        out = expr_apply(L->g, op, type, expr_index(L->g, e), x, n);
    if (ok)
        vec_push(&L->work, out);
    if (x != few)
        memory_free(x);
    return ok;
}

static bool lower_args(Lower *L, ExprId e, LowerMode mode, Elems *args, uint32_t *largest)
{
    uint32_t n = expr_n(L->g, e);
    bool empty = false;
    *largest = n ? 1 : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!lower_elements(L, expr_arg(L->g, e, i), mode, &args[i]))
            return false;
        empty |= args[i].n == 0;
        if (args[i].n > *largest)
            *largest = args[i].n;
    }
    if (empty)
        *largest = 0;
    for (uint32_t i = 0; i < n && !empty; i++)
        if (args[i].n != 1 && args[i].n != *largest) {
            diag(L->ctx, L->span, DIAG_D004, "operands of '%s' have %u and %u elements",
                 expr_op_text(expr_op(L->g, e)), args[i].n, *largest);
            return false;
        }
    return true;
}

static bool push_elementwise(Lower *L, ExprId e, LowerMode mode)
{
    uint32_t n = expr_n(L->g, e), count;
    Elems few[8], *args = n <= 8 ? few : memory_alloc(n * sizeof *args);
    bool ok = lower_args(L, e, mode, args, &count);
    for (uint32_t k = 0; ok && k < count; k++)
        ok = apply_element(L, e, args, n, k, mode);
    if (args != few)
        memory_free(args);
    return ok;
}

static bool push_if(Lower *L, ExprId e, LowerMode mode)
{
    ExprId c;
    Elems a, b;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), mode, &c))
        return false;
    bool decided = expr_op(L->g, c) == OP_BOOL, then = decided && expr_int_value(L->g, c);
    if ((!decided || then) && !lower_elements(L, expr_arg(L->g, e, 1), mode, &a))
        return false;
    if ((!decided || !then) && !lower_elements(L, expr_arg(L->g, e, 2), mode, &b))
        return false;
    if (decided)
        *(then ? &b : &a) = then ? a : b;
    if (a.n != b.n) {
        diag(L->ctx, L->span, DIAG_D004, "branches of an if-expression have %u and %u elements",
             a.n, b.n);
        return false;
    }
    for (uint32_t k = 0; k < a.n; k++)
        vec_push(&L->work, expr_if(L->g, c, L->elems.at[a.at + k], L->elems.at[b.at + k]));
    return true;
}

/* ---- other operators ---- */

static bool push_same(Lower *L, ExprId e, LowerMode mode)
{
    Elems a;
    if (!lower_elements(L, e, mode, &a))
        return false;
    for (uint32_t k = 0; k < a.n; k++)
        vec_push(&L->work, L->elems.at[a.at + k]);
    return true;
}

static bool push_homotopy(Lower *L, ExprId e, LowerMode mode)
{
    Elems a, s;
    if (!lower_elements(L, expr_arg(L->g, e, 0), mode, &a) ||
        !lower_elements(L, expr_arg(L->g, e, 1), mode, &s))
        return false;
    for (uint32_t k = 0; k < a.n; k++) {
        ExprId x = L->elems.at[a.at + k], y = L->elems.at[s.at + (s.n == 1 ? 0 : k)];
        if (x != y) {
            ExprId l = hole_of(L->d, lambda_var(L->d));
            ExprId rest = expr_mul(L->g, expr_sub(L->g, expr_real(L->g, 1.0), l), y);
            x = expr_add(L->g, expr_mul(L->g, l, x), rest);
        }
        vec_push(&L->work, x);
    }
    return true;
}

static bool push_semilinear(Lower *L, ExprId e, LowerMode mode)
{
    ExprId x, up, down, c;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), mode, &x) ||
        !lower_scalar(L, expr_arg(L->g, e, 1), mode, &up) ||
        !lower_scalar(L, expr_arg(L->g, e, 2), mode, &down) ||
        !lower_relation(L, OP_GE, x, expr_real(L->g, 0.0), mode, &c))
        return false;
    vec_push(&L->work, expr_if(L->g, c, expr_mul(L->g, up, x), expr_mul(L->g, down, x)));
    return true;
}

static bool push_sample(Lower *L, ExprId e)
{
    ExprId start, interval, out;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), LOWER_LITERAL, &start) ||
        !lower_scalar(L, expr_arg(L->g, e, 1), LOWER_LITERAL, &interval) ||
        !lower_sample(L, start, interval, expr_index(L->g, e) == 1, &out))
        return false;
    vec_push(&L->work, out);
    return true;
}

/* ---- calls and records ---- */

/* The values of a call with only literal arguments, if it can be computed now. */
static bool fold_call(Lower *L, ExprId call)
{
    for (uint32_t i = 0; i < expr_n(L->g, call); i++)
        if (!expr_is_literal(L->g, expr_arg(L->g, call, i)))
            return false;
    const Function *f = L->g->functions.at[expr_index(L->g, call)];
    if (f->impure || f->external || type_get(L->g->types, expr_type(L->g, call))->kind > TYPE_ENUM)
        return false;
    EvalEnv env = {.g = L->g, .arena = L->scratch, .time = NAN, .span = L->span, .silent = true};
    Value v;
    if (eval_expr(&env, call, &v) != EVAL_OK)
        return false;
    vec_push(&L->work, eval_literal(L->g, &v));
    return true;
}

enum { MAX_RANK = 8 };

/* The type of an array of n scalars if one of its dimensions is not known yet. */
static TypeId with_size(Lower *L, TypeId t, uint32_t n)
{
    Types *types = L->g->types;
    uint32_t rank = type_rank(types, t), unknown = rank;
    int64_t dims[MAX_RANK], rest = 1;
    if (!rank || rank > MAX_RANK || type_count(types, t) != DIM_UNKNOWN)
        return t;
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = type_dim(types, t, i);
        if (dims[i] != DIM_UNKNOWN)
            rest *= dims[i];
        else if (unknown < rank)
            return t;
        else
            unknown = i;
    }
    TypeId element = type_element(types, t);
    rest *= type_scalars(L, element);
    if (unknown == rank || rest <= 0 || n % rest != 0)
        return t;
    dims[unknown] = n / rest;
    return type_array(types, element, dims, rank);
}

static bool push_call(Lower *L, ExprId e, LowerMode mode)
{
    uint32_t n = expr_n(L->g, e);
    ExprVec args = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        ExprId a = expr_arg(L->g, e, i);
        Elems v;
        ok = lower_elements(L, a, mode, &v);
        TypeId t = ok ? with_size(L, expr_type(L->g, a), v.n) : T_NONE;
        if (ok && v.n != type_scalars(L, t))
            ok = unsupported(L, "a function argument of unknown size");
        if (ok && v.n)
            vec_push(&args, assemble(L, t, L->elems.at + v.at));
        else if (ok)
            vec_push(&args, expr_make(L->g, OP_ARRAY, t, 0, NULL, 0));
    }
    if (ok) {
        TypeId type = expr_type(L->g, e);
        ExprId call = expr_apply(L->g, OP_CALL, type, expr_index(L->g, e), args.at, args.n);
        if (type_get(L->g->types, type)->kind == TYPE_ARRAY &&
            type_count(L->g->types, type) == DIM_UNKNOWN)
            ok = unsupported(L, "a function result of unknown size in an equation");
        else if (type_get(L->g->types, type)->kind == TYPE_TUPLE)
            vec_push(&L->work, call);
        else if (!fold_call(L, call))
            push_parts(L, call);
    }
    vec_free(&args);
    return ok;
}

static bool push_out(Lower *L, ExprId e, LowerMode mode)
{
    ExprId call;
    if (!lower_scalar(L, expr_arg(L->g, e, 0), mode, &call))
        return false;
    push_parts(L, expr_apply(L->g, OP_OUT, expr_type(L->g, e), expr_index(L->g, e), &call, 1));
    return true;
}

static bool push_field(Lower *L, ExprId e, LowerMode mode)
{
    ExprId a = expr_arg(L->g, e, 0);
    TypeId record = type_element(L->g->types, expr_type(L->g, a));
    uint32_t width = type_scalars(L, record), at = 0, field = expr_index(L->g, e);
    Elems v;
    if (!lower_elements(L, a, mode, &v))
        return false;
    const Type *t = type_get(L->g->types, record);
    for (uint32_t i = 0; i < field; i++)
        at += type_scalars(L, t->fields[i].type);
    uint32_t n = type_scalars(L, t->fields[field].type);
    for (uint32_t r = 0; width && r < v.n / width; r++)
        for (uint32_t k = 0; k < n; k++)
            vec_push(&L->work, L->elems.at[v.at + r * width + at + k]);
    return true;
}

static bool push_all(Lower *L, ExprId e, LowerMode mode)
{
    bool ok = true;
    for (uint32_t i = 0; i < expr_n(L->g, e) && ok; i++)
        ok = push_same(L, expr_arg(L->g, e, i), mode);
    return ok;
}

/* A scalar. Its value belongs to the occurrence, in any mode. */
static bool push_delay(Lower *L, ExprId e, LowerMode mode)
{
    ExprId args[3], value;
    uint32_t known = map_get(&L->delays, e), n = expr_n(L->g, e);
    for (uint32_t i = 0; i < n && known == MAP_NONE; i++)
        if (!lower_scalar(L, expr_arg(L->g, e, i), mode, &args[i]))
            return false;
    if (known == MAP_NONE) {
        if (!lower_delay(L, args, n, &value))
            return false;
        map_put(&L->delays, e, value);
    } else {
        value = known;
    }
    vec_push(&L->work, value);
    return true;
}

/* Its two results. The values belong to the occurrence, in any mode. */
static bool push_spatial(Lower *L, ExprId e, LowerMode mode, uint32_t result)
{
    uint32_t known = map_get(&L->delays, e);
    if (known == MAP_NONE) {
        if (!lower_transport(L, e, mode))
            return false;
        known = L->d->transports.n - 1;
        map_put(&L->delays, e, known);
    }
    const DaeTransport *t = &L->d->transports.at[known];
    Dae *d = L->d;
    ExprId forward = expr_compare(L->g, OP_GT, hole_of(d, t->forward), expr_real(L->g, 0.5));
    ExprId enters = hole_of(d, t->in[result]), passed = hole_of(d, t->out[result]);
    vec_push(&L->work, result == 0 ? expr_if(L->g, forward, enters, passed)
                                   : expr_if(L->g, forward, passed, enters));
    return true;
}

/* ---- every node ---- */

static bool push_node(Lower *L, ExprId e, LowerMode mode)
{
    ExprOp op = expr_op(L->g, e);
    switch (op) {
    case OP_REAL:
    case OP_INT:
    case OP_BOOL:
    case OP_STRING:
    case OP_ENUM:
    case OP_HOLE:
    case OP_FUNCTION: vec_push(&L->work, e); return true;
    case OP_VAR: return push_variable(L, expr_index(L->g, e));
    case OP_TIME: vec_push(&L->work, hole_of(L->d, 0)); return true;
    case OP_NONE:
    case OP_LOCAL:
    case OP_ITER:
    case OP_COLON:
    case OP_TUPLE:
        return unsupported(L, "this use of an iterator, a local variable or a list of results");
    case OP_DER:
    case OP_PRE:
    case OP_EDGE:
    case OP_CHANGE: return push_limits(L, e, mode);
    case OP_SAMPLE: return push_sample(L, e);
    case OP_INITIAL: vec_push(&L->work, hole_of(L->d, initial_var(L->d))); return true;
    case OP_TERMINAL: vec_push(&L->work, hole_of(L->d, terminal_var(L->d))); return true;
    case OP_NOEVENT: return push_same(L, expr_arg(L->g, e, 0), LOWER_LITERAL);
    case OP_SMOOTH: return push_same(L, expr_arg(L->g, e, 1), LOWER_LITERAL);
    case OP_DELAY: return push_delay(L, e, mode);
    case OP_HOMOTOPY: return push_homotopy(L, e, mode);
    case OP_SEMILINEAR: return push_semilinear(L, e, mode);
    case OP_IF: return push_if(L, e, mode);
    case OP_RECORD:
    case OP_ARRAY: return push_all(L, e, mode);
    case OP_FIELD: return push_field(L, e, mode);
    case OP_CALL: return push_call(L, e, mode);
    case OP_OUT:
        return expr_op(L->g, expr_arg(L->g, e, 0)) == OP_SPATIAL
                   ? push_spatial(L, expr_arg(L->g, e, 0), mode, expr_index(L->g, e))
                   : push_out(L, e, mode);
    default: break;
    }
    if (op_class(op) == CLASS_MATRIX || op_class(op) == CLASS_ARRAY)
        return lower_array_op(L, e, mode);
    return push_elementwise(L, e, mode);
}

bool lower_elements(Lower *L, ExprId e, LowerMode mode, Elems *out)
{
    uint64_t key = (uint64_t)e << 1 | mode;
    uint32_t known = map_get(&L->memo, key);
    if (known != MAP_NONE) {
        *out = L->spans.at[known];
        return true;
    }
    if (L->depth >= MAX_DEPTH)
        return too_deep(L);
    L->depth++;
    uint32_t mark = L->work.n;
    bool ok = push_node(L, e, mode);
    if (ok) {
        *out = (Elems){L->elems.n, L->work.n - mark};
        vec_reserve(&L->elems, (size_t)L->elems.n + out->n + 1);
        if (out->n)
            memcpy(L->elems.at + L->elems.n, L->work.at + mark, out->n * sizeof *L->elems.at);
        L->elems.n += out->n;
        vec_push(&L->spans, *out);
        map_put(&L->memo, key, L->spans.n - 1);
    }
    L->work.n = mark;
    L->depth--;
    return ok;
}

bool lower_scalar(Lower *L, ExprId e, LowerMode mode, ExprId *out)
{
    Elems v;
    if (!lower_elements(L, e, mode, &v))
        return false;
    if (v.n != 1) {
        diag(L->ctx, L->span, DIAG_D004, "a scalar is needed here, not %u elements", v.n);
        return false;
    }
    *out = L->elems.at[v.at];
    return true;
}

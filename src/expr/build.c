/* Construction with simplification: everything except sums and products (build_sum.c). A fold that
 * would give NaN or infinity is not done, so that the failure happens at run time, in its equation.
 */
#include "expr/build.h"

#include "base/arith.h"

#include <math.h>
#include <stdlib.h>

typedef VEC(ExprId) Ids;

static bool is_scalar(const Graph *g, ExprId e)
{
    return type_rank(g->types, expr_type(g, e)) == 0;
}

/* A literal of a scalar type for a finite value; EXPR_NONE if there is none. */
static ExprId literal_of(Graph *g, TypeId type, double v)
{
    if (!isfinite(v))
        return EXPR_NONE;
    switch (type_get(g->types, type)->kind) {
    case TYPE_REAL: return expr_real(g, v);
    case TYPE_INT: return fabs(v) <= 0x1p53 ? expr_int(g, (int64_t)v) : EXPR_NONE;
    case TYPE_BOOL: return expr_bool(g, v != 0);
    default: return EXPR_NONE;
    }
}

/* ---- quotients and powers ---- */

static ExprId div_literals(Graph *g, ExprId a, ExprId b)
{
    double x = expr_real_value(g, a), y = expr_real_value(g, b), q = x / y;
    bool keeps = isfinite(q) && (q != 0 || x == 0);
    return keeps ? expr_real(g, q) : expr2(g, OP_DIV, T_REAL, a, b);
}

/* a / b for a literal b that is neither 0 nor ±1, if a is not a literal. */
static ExprId div_by_literal(Graph *g, ExprId a, ExprId b)
{
    if (expr_op(g, a) == OP_MUL && expr_op(g, expr_arg(g, a, 0)) == OP_REAL) {
        double c = expr_real_value(g, expr_arg(g, a, 0)), d = expr_real_value(g, b), q = c / d;
        if (isfinite(q) && fpclassify(q) == FP_NORMAL) {
            Ids f = {0};
            vec_push(&f, expr_real(g, q));
            for (uint32_t i = 1; i < expr_n(g, a); i++)
                vec_push(&f, expr_arg(g, a, i));
            ExprId e = build_product(g, f.at, f.n);
            vec_free(&f);
            return e;
        }
    }
    return expr2(g, OP_DIV, T_REAL, a, b);
}

ExprId expr_div(Graph *g, ExprId a, ExprId b)
{
    TypeId type = build_join(g, expr_type(g, a), expr_type(g, b));
    if (type_element(g->types, type) == T_INT) {
        const Type *t = type_get(g->types, type);
        type = t->kind == TYPE_ARRAY ? type_array(g->types, T_REAL, t->dims, t->n) : T_REAL;
    }
    a = build_coerce(g, a, T_REAL);
    b = build_coerce(g, b, T_REAL);
    if (expr_op(g, b) == OP_REAL && expr_real_value(g, b) == 1.0 && expr_type(g, a) == type)
        return a;
    if (type != T_REAL)
        return expr2(g, OP_DIV, type, a, b);
    if (is_number(g, a) && is_number(g, b))
        return div_literals(g, a, b);
    if (is_number(g, a) && expr_real_value(g, a) == 0.0)
        return expr_real(g, 0.0);
    if (expr_op(g, b) == OP_NEG)
        return expr_neg(g, expr_div(g, a, expr_arg(g, b, 0)));
    if (is_number(g, b)) {
        double d = expr_real_value(g, b);
        if (d == -1.0)
            return expr_neg(g, a);
        if (d < 0)
            return expr_div(g, expr_neg(g, a), expr_real(g, -d));
        if (d > 0 && isfinite(d) && expr_op(g, a) != OP_NEG)
            return div_by_literal(g, a, b);
    }
    if (expr_op(g, a) == OP_NEG)
        return expr_neg(g, expr_div(g, expr_arg(g, a, 0), b));
    return expr2(g, OP_DIV, T_REAL, a, b);
}

ExprId expr_pow(Graph *g, ExprId a, ExprId b)
{
    a = build_coerce(g, a, T_REAL);
    b = build_coerce(g, b, T_REAL);
    TypeId type = build_join(g, expr_type(g, a), expr_type(g, b));
    if (expr_op(g, b) == OP_REAL && expr_real_value(g, b) == 1.0)
        return a;
    if (type != T_REAL)
        return expr2(g, OP_POW, type, a, b);
    if (is_number(g, a) && is_number(g, b)) {
        ExprId e = literal_of(g, T_REAL, arith_pow(expr_real_value(g, a), expr_real_value(g, b)));
        return e ? e : expr2(g, OP_POW, type, a, b);
    }
    if (is_number(g, b)) {
        double n = expr_real_value(g, b);
        if (n == 0.0)
            return expr_real(g, 1.0);
        if (expr_op(g, a) == OP_NEG && fmod(n, 2.0) == 0.0)
            a = expr_arg(g, a, 0);
    }
    if (is_number(g, a) && expr_real_value(g, a) == 1.0)
        return a;
    return expr2(g, OP_POW, type, a, b);
}

/* ---- logic ---- */

ExprId expr_if(Graph *g, ExprId c, ExprId a, ExprId b)
{
    TypeId ta = expr_type(g, a), tb = expr_type(g, b), type = ta;
    if (type_is_numeric(g->types, ta) && type_is_numeric(g->types, tb)) {
        TypeId element = type_element(g->types, ta) == T_REAL ? T_REAL : type_element(g->types, tb);
        a = build_coerce(g, a, element);
        b = build_coerce(g, b, element);
        type = expr_type(g, a);
        const Type *x = type_get(g->types, type), *y = type_get(g->types, expr_type(g, b));
        if (x != y && x->kind == TYPE_ARRAY && y->kind == TYPE_ARRAY && x->n == y->n) {
            VEC(int64_t) dims = {0};
            for (uint32_t i = 0; i < x->n; i++)
                vec_push(&dims, x->dims[i] == y->dims[i] ? x->dims[i] : DIM_UNKNOWN);
            type = type_array(g->types, element, dims.at, dims.n);
            vec_free(&dims);
        }
    }
    if (expr_op(g, c) == OP_BOOL)
        return expr_int_value(g, c) ? a : b;
    if (expr_op(g, c) == OP_NOT)
        return expr_if(g, expr_arg(g, c, 0), b, a);
    if (expr_op(g, a) == OP_IF && expr_arg(g, a, 0) == c)
        a = expr_arg(g, a, 1);
    if (expr_op(g, b) == OP_IF && expr_arg(g, b, 0) == c)
        b = expr_arg(g, b, 2);
    return a == b ? a : expr3(g, OP_IF, type, c, a, b);
}

static bool holds(const Ids *v, ExprId e)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (v->at[i] == e)
            return true;
    return false;
}

/* OP_AND and OP_OR: `absorbing` is the literal that decides. The order is kept: an operand may
 * guard a later one. */
static ExprId build_logic(Graph *g, ExprOp op, const ExprId *args, uint32_t n)
{
    bool absorbing = op == OP_OR, decided = false;
    TypeId type = T_BOOL;
    Ids out = {0};
    for (uint32_t i = 0; i < n && !decided; i++) {
        ExprId a = args[i];
        uint32_t count = expr_op(g, a) == op ? expr_n(g, a) : 1;
        if (!is_scalar(g, a))
            type = expr_type(g, a);
        for (uint32_t k = 0; k < count && !decided; k++) {
            ExprId x = expr_op(g, a) == op ? expr_arg(g, a, k) : a;
            if (expr_op(g, x) == OP_BOOL)
                decided = expr_int_value(g, x) == absorbing;
            else if (n > 64 || !holds(&out, x))
                vec_push(&out, x);
        }
    }
    ExprId e;
    if (decided || out.n == 0)
        e = expr_bool(g, decided == absorbing);
    else
        e = out.n == 1 ? out.at[0] : expr_make(g, op, type, 0, out.at, out.n);
    vec_free(&out);
    return e;
}

ExprId expr_and(Graph *g, ExprId a, ExprId b)
{
    return build_logic(g, OP_AND, (ExprId[]){a, b}, 2);
}

ExprId expr_or(Graph *g, ExprId a, ExprId b)
{
    return build_logic(g, OP_OR, (ExprId[]){a, b}, 2);
}

ExprId expr_not(Graph *g, ExprId a)
{
    if (expr_op(g, a) == OP_BOOL)
        return expr_bool(g, !expr_int_value(g, a));
    return expr_op(g, a) == OP_NOT ? expr_arg(g, a, 0) : expr1(g, OP_NOT, expr_type(g, a), a);
}

ExprId expr_compare(Graph *g, ExprOp op, ExprId a, ExprId b)
{
    if (type_is_numeric(g->types, expr_type(g, a)) && type_is_numeric(g->types, expr_type(g, b))) {
        TypeId element = type_element(g->types, build_join(g, expr_type(g, a), expr_type(g, b)));
        a = build_coerce(g, a, element);
        b = build_coerce(g, b, element);
    }
    if (!expr_is_literal(g, a) || !expr_is_literal(g, b))
        return expr2(g, op, T_BOOL, a, b);
    if (expr_op(g, a) == OP_STRING && expr_op(g, b) == OP_STRING)
        return expr_bool(g, op_apply2(op, strcmp(expr_name(g, a), expr_name(g, b)), 0) != 0);
    if (expr_op(g, a) == OP_INT && expr_op(g, b) == OP_INT) {
        int64_t x = expr_int_value(g, a), y = expr_int_value(g, b);
        return expr_bool(g, op_apply2(op, (double)((x > y) - (x < y)), 0) != 0);
    }
    return expr_bool(g, op_apply2(op, expr_real_value(g, a), expr_real_value(g, b)) != 0);
}

/* ---- functions of numbers ---- */

static bool takes_real(ExprOp op)
{
    return op_class(op) == CLASS_REAL_FUNCTION;
}

static ExprId apply_unary(Graph *g, ExprOp op, TypeId type, ExprId a)
{
    if (takes_real(op))
        a = build_coerce(g, a, T_REAL);
    if (op == OP_TO_REAL)
        return build_coerce(g, a, T_REAL);
    if (op == OP_TO_ENUM && expr_op(g, a) == OP_INT && expr_int_value(g, a) >= 1 &&
        expr_int_value(g, a) <= (int64_t)type_get(g->types, type)->n)
        return expr_enum(g, type, expr_int_value(g, a));
    if (op == OP_TO_INT && expr_op(g, a) == OP_ENUM)
        return expr_int(g, expr_int_value(g, a));
    if (op == OP_ABS && expr_op(g, a) == OP_INT && expr_int_value(g, a) != INT64_MIN)
        return expr_int(g, llabs(expr_int_value(g, a)));
    if (op == OP_ABS && (expr_op(g, a) == OP_NEG || expr_op(g, a) == OP_ABS))
        return apply_unary(g, op, type, expr_arg(g, a, 0));
    if (is_number(g, a) && is_scalar(g, a)) {
        ExprId e = literal_of(g, type, op_apply1(op, expr_real_value(g, a)));
        if (e)
            return e;
    }
    return expr1(g, op, type, a);
}

/* div, mod and rem of Integers, exactly; EXPR_NONE if they fail. */
static ExprId fold_integer(Graph *g, ExprOp op, int64_t a, int64_t b)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return EXPR_NONE;
    int64_t r = a % b;
    if (op == OP_QUOT)
        return expr_int(g, a / b);
    if (op == OP_MOD && r != 0 && (r < 0) != (b < 0))
        r += b;
    return expr_int(g, r);
}

static ExprId apply_binary(Graph *g, ExprOp op, TypeId type, ExprId a, ExprId b)
{
    TypeId element = type_element(g->types, type);
    a = build_coerce(g, a, element);
    b = build_coerce(g, b, element);
    if ((op == OP_MIN || op == OP_MAX) && a == b)
        return a;
    if (is_number(g, a) && is_number(g, b)) {
        bool divides = op == OP_QUOT || op == OP_MOD || op == OP_REM;
        ExprId e;
        if (divides && expr_op(g, a) == OP_INT && expr_op(g, b) == OP_INT)
            e = fold_integer(g, op, expr_int_value(g, a), expr_int_value(g, b));
        else
            e = literal_of(g, type, op_apply2(op, expr_real_value(g, a), expr_real_value(g, b)));
        if (e)
            return e;
    }
    return expr2(g, op, type, a, b);
}

/* ---- operators of the language ---- */

static bool is_plain(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return expr_is_literal(g, e) || op == OP_VAR || op == OP_HOLE || op == OP_LOCAL ||
           op == OP_TIME;
}

static ExprId apply_operator(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                             uint32_t n)
{
    ExprId a = n ? args[0] : EXPR_NONE;
    bool literal = n && expr_is_literal(g, a);
    if (op == OP_NOEVENT && (is_plain(g, a) || expr_op(g, a) == OP_NOEVENT))
        return a;
    if (op == OP_SMOOTH && n == 2 && is_plain(g, args[1]))
        return args[1];
    if (op == OP_HOMOTOPY && n == 2 && args[0] == args[1])
        return a;
    if (op == OP_DER && literal && is_scalar(g, a))
        return expr_real(g, 0.0);
    if (op == OP_PRE && literal)
        return a;
    if ((op == OP_EDGE || op == OP_CHANGE) && literal)
        return expr_bool(g, false);
    if ((op == OP_DELAY && !literal) || op == OP_SPATIAL)
        return expr_make_unique(g, op, type, payload, args, n);
    return op == OP_DELAY ? a : expr_make(g, op, type, payload, args, n);
}

/* ---- arrays, records ---- */

static bool scalar_index(const Graph *g, ExprId sub)
{
    return expr_op(g, sub) == OP_INT || expr_op(g, sub) == OP_ENUM;
}

/* An element of an OP_ARRAY or OP_FILL with literal subscripts. */
static ExprId apply_index(Graph *g, TypeId type, const ExprId *args, uint32_t n)
{
    ExprId base = args[0];
    uint32_t k = 1;
    for (uint32_t i = 1; i < n; i++)
        if (!scalar_index(g, args[i]))
            return expr_make(g, OP_INDEX, type, 0, args, n);
    while (k < n && expr_op(g, base) == OP_ARRAY) {
        int64_t at = expr_int_value(g, args[k]);
        if (at < 1 || at > (int64_t)expr_n(g, base))
            return expr_make(g, OP_INDEX, type, 0, args, n);
        base = expr_arg(g, base, (uint32_t)at - 1);
        k++;
    }
    if (k == n)
        return base;
    if (expr_op(g, base) == OP_FILL && n - k == expr_n(g, base) - 1 &&
        is_scalar(g, expr_arg(g, base, 0))) {
        bool inside = true;
        for (uint32_t i = k; i < n; i++) {
            ExprId d = expr_arg(g, base, i - k + 1);
            int64_t at = expr_int_value(g, args[i]);
            inside &= expr_op(g, d) == OP_INT && at >= 1 && at <= expr_int_value(g, d);
        }
        if (inside)
            return expr_arg(g, base, 0);
    }
    if (expr_op(g, base) == OP_INDEX) { /* x[i][j] is x[i, j] if all i are scalars */
        bool plain = true;
        Ids all = {0};
        for (uint32_t i = 0; i < expr_n(g, base); i++) {
            vec_push(&all, expr_arg(g, base, i));
            plain &= i == 0 || is_scalar(g, all.at[i]);
            plain &= i == 0 || expr_op(g, all.at[i]) != OP_COLON;
        }
        for (uint32_t i = k; i < n; i++)
            vec_push(&all, args[i]);
        ExprId e = plain ? expr_make(g, OP_INDEX, type, 0, all.at, all.n) : EXPR_NONE;
        vec_free(&all);
        if (e)
            return e;
    }
    Ids rest = {0};
    vec_push(&rest, base);
    for (uint32_t i = k; i < n; i++)
        vec_push(&rest, args[i]);
    ExprId e = expr_make(g, OP_INDEX, type, 0, rest.at, rest.n);
    vec_free(&rest);
    return e;
}

static ExprId field_of(Graph *g, uint32_t field, ExprId record)
{
    const Type *t = type_get(g->types, type_element(g->types, expr_type(g, record)));
    TypeId type = t->fields[field].type;
    const Type *shape = type_get(g->types, expr_type(g, record));
    if (shape->kind == TYPE_ARRAY)
        type = type_array(g->types, type, shape->dims, shape->n);
    return expr_apply(g, OP_FIELD, type, field, &record, 1);
}

/* A field of a compound of records is the compound of fields. EXPR_NONE for other expressions. */
static ExprId apply_field(Graph *g, TypeId type, uint32_t field, ExprId e)
{
    ExprOp op = expr_op(g, e);
    uint32_t n = expr_n(g, e);
    if (op == OP_RECORD)
        return expr_arg(g, e, field);
    bool of_array = op == OP_INDEX && expr_op(g, expr_arg(g, e, 0)) == OP_ARRAY;
    if (op != OP_IF && op != OP_ARRAY && op != OP_FILL && !of_array)
        return EXPR_NONE;
    Ids args = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(g, e, i);
        bool record = op == OP_ARRAY || (op == OP_IF ? i > 0 : i == 0);
        vec_push(&args, record ? field_of(g, field, a) : a);
    }
    if (op == OP_FILL && type_rank(g->types, expr_type(g, args.at[0]))) {
        vec_free(&args);
        return EXPR_NONE;
    }
    ExprId x = expr_apply(g, op, type, 0, args.at, args.n);
    vec_free(&args);
    return x;
}

static ExprId apply_array_op(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                             uint32_t n)
{
    TypeId t = n ? expr_type(g, args[0]) : T_NONE;
    if (op == OP_NDIMS)
        return expr_int(g, type_rank(g->types, t));
    if (op == OP_SIZE && n == 2 && expr_op(g, args[1]) == OP_INT) {
        int64_t k = expr_int_value(g, args[1]);
        if (k >= 1 && k <= (int64_t)type_rank(g->types, t) &&
            type_dim(g->types, t, (uint32_t)k - 1) != DIM_UNKNOWN)
            return expr_int(g, type_dim(g->types, t, (uint32_t)k - 1));
    }
    if (op == OP_SUM && expr_op(g, args[0]) == OP_ARRAY && type_rank(g->types, t) == 1) {
        Ids terms = {0};
        for (uint32_t i = 0; i < expr_n(g, args[0]); i++)
            vec_push(&terms, expr_arg(g, args[0], i));
        ExprId e = terms.n ? build_sum(g, terms.at, terms.n) : literal_of(g, type, 0);
        vec_free(&terms);
        return e;
    }
    if (op == OP_FIELD) {
        ExprId e = apply_field(g, type, payload, args[0]);
        if (e)
            return e;
    }
    if (op == OP_OUT && expr_op(g, args[0]) == OP_TUPLE)
        return expr_arg(g, args[0], payload);
    return expr_make(g, op, type, payload, args, n);
}

/* Joins adjacent literals. */
static ExprId apply_concat(Graph *g, TypeId type, const ExprId *args, uint32_t n)
{
    Ids out = {0};
    for (uint32_t i = 0; i < n; i++) {
        bool literal = expr_op(g, args[i]) == OP_STRING;
        if (literal && out.n && expr_op(g, vec_last(&out)) == OP_STRING) {
            const char *a = expr_name(g, vec_last(&out)), *b = expr_name(g, args[i]);
            size_t na = strlen(a), nb = strlen(b);
            char *s = memory_alloc(na + nb + 1);
            memcpy(s, a, na);
            memcpy(s + na, b, nb);
            vec_last(&out) = expr_string(g, s, na + nb);
            memory_free(s);
        } else {
            vec_push(&out, args[i]);
        }
    }
    ExprId e = out.n == 1 ? out.at[0] : expr_make(g, OP_CONCAT, type, 0, out.at, out.n);
    vec_free(&out);
    return e;
}

/* ---- any operator ---- */

static bool is_impure(const Graph *g, uint32_t function)
{
    const Function *f = function < g->functions.n ? g->functions.at[function] : NULL;
    /* every call of a constructor makes an object of its own */
    return f && (f->impure || f->destructor);
}

static ExprId apply(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                    uint32_t n)
{
    switch (op) {
    case OP_ADD: return n ? build_sum(g, args, n) : literal_of(g, type, 0);
    case OP_MUL: return n ? build_product(g, args, n) : literal_of(g, type, 1);
    case OP_NEG: return expr_neg(g, args[0]);
    case OP_DIV: return expr_div(g, args[0], args[1]);
    case OP_POW: return expr_pow(g, args[0], args[1]);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return expr_compare(g, op, args[0], args[1]);
    case OP_AND:
    case OP_OR: return build_logic(g, op, args, n);
    case OP_NOT: return expr_not(g, args[0]);
    case OP_IF: return expr_if(g, args[0], args[1], args[2]);
    case OP_INDEX: return apply_index(g, type, args, n);
    case OP_CONCAT: return apply_concat(g, type, args, n);
    case OP_CALL:
        if (is_impure(g, payload))
            return expr_make_unique(g, op, type, payload, args, n);
        return expr_make(g, op, type, payload, args, n);
    default: break;
    }
    if (op_is_function_of(op, 2))
        return apply_binary(g, op, type, args[0], args[1]);
    if (op_is_function_of(op, 1) || op_class(op) == CLASS_CONVERSION)
        return apply_unary(g, op, type, args[0]);
    if (op_class(op) == CLASS_OPERATOR && op != OP_DELAYED && op != OP_CARRIED)
        return apply_operator(g, op, type, payload, args, n);
    if (op_class(op) == CLASS_ARRAY || op_class(op) == CLASS_RECORD)
        return apply_array_op(g, op, type, payload, args, n);
    return expr_make(g, op, type, payload, args, n);
}

ExprId expr_apply(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                  uint32_t n)
{
    if (n == 0 || args < g->words.at || args >= g->words.at + g->words.n)
        return apply(g, op, type, payload, args, n);
    ExprId few[8], *copy = n <= 8 ? few : memory_alloc(n * sizeof *copy);
    memcpy(copy, args, n * sizeof *copy);
    ExprId e = apply(g, op, type, payload, copy, n);
    if (copy != few)
        memory_free(copy);
    return e;
}

/* ---- maps ---- */

/* Nodes that are never merged with others. */
static bool is_unique(const Graph *g, ExprId e)
{
    const ExprNode *x = expr_node(g, e);
    return x->op == OP_DELAY || x->op == OP_SPATIAL ||
           (x->op == OP_CALL && is_impure(g, x->payload));
}

static bool has_args(const Graph *g, ExprId e, const Ids *args)
{
    for (uint32_t i = 0; i < args->n; i++)
        if (expr_arg(g, e, i) != args->at[i])
            return false;
    return true;
}

/* A unique node with other arguments. The same mapping gives the same node again: still one call,
 * whose results may occur in several equations. */
static ExprId copy_unique(Graph *g, ExprId e, const Ids *args)
{
    ExprNode x = *expr_node(g, e);
    uint64_t h = hash_mix(x.payload, e);
    for (uint32_t i = 0; i < args->n; i++)
        h = hash_mix(h, args->at[i]);
    uint32_t known;
    for (h >>= 1; (known = map_get(&g->copies, h)) != MAP_NONE; h = hash_mix(h, 1) >> 1)
        if (expr_n(g, known) == args->n && expr_index(g, known) == x.payload &&
            has_args(g, known, args))
            return known;
    ExprId made = expr_make_unique(g, (ExprOp)x.op, x.type, x.payload, args->at, args->n);
    map_put(&g->copies, h, made);
    return made;
}

static ExprId rebuild(Graph *g, ExprId e, const Ids *args)
{
    ExprNode x = *expr_node(g, e);
    bool same = true;
    for (uint32_t i = 0; i < args->n && same; i++)
        same = args->at[i] == expr_arg(g, e, i);
    if (is_unique(g, e))
        return same ? e : copy_unique(g, e, args);
    return apply(g, (ExprOp)x.op, x.type, x.payload, args->at, args->n);
}

/* The result for e if it is known already, or if e has no arguments; otherwise EXPR_NONE. */
static ExprId map_known(Graph *g, Map *done, ExprId e, ExprMapFn leaf, void *user)
{
    uint32_t known = map_get(done, e);
    if (known != MAP_NONE)
        return known;
    ExprId to = leaf ? leaf(user, g, e) : EXPR_NONE;
    if (!to && expr_n(g, e) == 0)
        to = e;
    if (to)
        map_put(done, e, to);
    return to;
}

ExprId expr_map(Graph *g, ExprId e, ExprMapFn leaf, void *user)
{
    Map done = {0}, opened = {0};
    Ids stack = {0}, args = {0};
    ExprId result = e ? map_known(g, &done, e, leaf, user) : EXPR_NONE;
    if (e && !result)
        vec_push(&stack, e);
    while (stack.n) {
        ExprId x = vec_last(&stack);
        uint32_t n = expr_n(g, x);
        if (map_get(&done, x) != MAP_NONE) {
            (void)vec_pop(&stack);
            continue;
        }
        if (map_get(&opened, x) == MAP_NONE) {
            map_put(&opened, x, 1);
            for (uint32_t i = n; i-- > 0;) {
                ExprId a = expr_arg(g, x, i);
                if (a && map_get(&opened, a) == MAP_NONE && !map_known(g, &done, a, leaf, user))
                    vec_push(&stack, a);
            }
            continue;
        }
        (void)vec_pop(&stack);
        vec_clear(&args);
        for (uint32_t i = 0; i < n; i++) {
            ExprId a = expr_arg(g, x, i);
            vec_push(&args, a ? map_get(&done, a) : EXPR_NONE);
        }
        result = rebuild(g, x, &args);
        map_put(&done, x, result);
    }
    vec_free(&stack);
    vec_free(&args);
    map_free(&done);
    map_free(&opened);
    return result;
}

ExprId expr_blank(Graph *g, TypeId type)
{
    TypeId element = type_element(g->types, type);
    switch (type_get(g->types, element)->kind) {
    case TYPE_INT: return expr_int(g, 0);
    case TYPE_BOOL: return expr_bool(g, false);
    case TYPE_STRING: return expr_string(g, "", 0);
    case TYPE_ENUM: return expr_enum(g, element, 1);
    default: return expr_real(g, 0.0);
    }
}

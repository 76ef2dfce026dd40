/* Built-in functions and operators with function syntax (Modelica 3.6, section 3.7; those of
 * arrays, section 10.3, are in type_array_functions.c). To add one: a row of the table and a
 * handler. */
#include "instance/typing/internal.h"

#include <stdlib.h>

/* ---- arguments ---- */

static void report_count(TypeScope *s, const AstExpr *call, const char *name, uint32_t min,
                         uint32_t max)
{
    uint32_t given = call->args.n;
    const char *verb = given == 1 ? " is" : "s are";
    if (min == max)
        TELL(s, call->span, I104, "function %s has %u input%s, %u argument%s given", name, max,
             max == 1 ? "" : "s", given, verb);
    else if (given < min)
        TELL(s, call->span, I104, "function %s needs at least %u argument%s, %u argument%s given",
             name, min, min == 1 ? "" : "s", given, verb);
    else
        TELL(s, call->span, I104, "function %s takes at most %u arguments, %u argument%s given",
             name, max, given, verb);
}

bool typing_positional(TypeScope *s, const AstExpr *call, ExprId *args)
{
    bool ok = true;
    for (uint32_t i = 0; i < call->args.n; i++) {
        args[i] = typing_operand(s, call->args.at[i]);
        ok &= args[i] != EXPR_NONE;
    }
    return ok;
}

const AstExpr *typing_argument(const AstExpr *call, uint32_t i, const char *name)
{
    if (i < call->args.n)
        return call->args.at[i];
    for (uint32_t k = 0; k < call->named.n; k++)
        if (!strcmp(call->named.at[k].name, name))
            return call->named.at[k].value;
    return NULL;
}

/* Named arguments are among the n names; false after an error. */
static bool check_names(TypeScope *s, const AstExpr *call, const char *function,
                        const char *const *names, uint32_t n)
{
    for (uint32_t k = 0; k < call->named.n; k++) {
        const AstNamedArg *a = &call->named.at[k];
        uint32_t i = 0;
        while (i < n && strcmp(names[i], a->name))
            i++;
        if (i == n) {
            TELL(s, a->span, I105, "function %s has no input %s", function, a->name);
            return false;
        }
        if (i < call->args.n) {
            TELL(s, a->span, I106, "argument %s of function %s is given twice", a->name, function);
            return false;
        }
    }
    return true;
}

static ExprId need(TypeScope *s, const AstExpr *call, const char *function, const char *what)
{
    return TELL(s, call->span, I107, "argument %s of function %s is missing", what, function);
}

/* Operators that have no meaning in functions (section 12.2). */
static bool in_model(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (!s->in_function)
        return true;
    TELL(s, call->span, I117, "%s cannot be used in a function", b->name);
    diag_note(s->ctx, (Span){0},
              "a function has no memory and no events (Modelica 3.6, section 12.2)");
    return false;
}

/* ---- functions of numbers ---- */

/* The type of a result for scalar arguments; T_NONE if they are not numbers. */
static TypeId number_result(TypeScope *s, ExprOp op, const ExprId *args, uint32_t n)
{
    bool all_int = true, numeric = true;
    for (uint32_t i = 0; i < n; i++) {
        TypeId t = type_element(s->g->types, expr_type(s->g, args[i]));
        all_int &= t == T_INT;
        numeric &= t == T_INT || t == T_REAL;
    }
    if (!numeric)
        return T_NONE;
    switch (op) {
    case OP_SIGN:
    case OP_INTEGER: return T_INT;
    case OP_ABS:
    case OP_QUOT:
    case OP_MOD:
    case OP_REM:
    case OP_MIN:
    case OP_MAX: return all_int ? T_INT : T_REAL;
    default: return T_REAL;
    }
}

/* The type to which the arguments are converted. */
static bool wants_real(ExprOp op, TypeId result)
{
    return op != OP_SIGN && (result == T_REAL || op == OP_INTEGER);
}

static ExprId number_element(TypeScope *s, void *user, const ExprId *args)
{
    const Builtin *b = user;
    ExprId x[2] = {args[0], b->max == 2 ? args[1] : EXPR_NONE};
    TypeId result = number_result(s, b->op, x, b->max);
    for (uint32_t i = 0; i < b->max; i++)
        if (wants_real(b->op, result))
            x[i] = typing_to_real(s, x[i]);
    return expr_apply(s->g, b->op, result, 0, x, b->max);
}

/* The dimensions that a vectorised call runs over: those of the arrays among its arguments. */
static bool common_shape(TypeScope *s, const char *name, const ExprId *args, uint32_t n, bool *mask,
                         TypeId *shape, Span span)
{
    *shape = T_NONE;
    for (uint32_t i = 0; i < n; i++) {
        TypeId t = expr_type(s->g, args[i]);
        mask[i] = !typing_is_scalar(s, t);
        if (!mask[i])
            continue;
        uint32_t dim = 0;
        Fit fit = *shape ? typing_same_dims(s, *shape, t, &dim) : FIT_OK;
        if (fit != FIT_OK) {
            TELL(s, span, I102, "arguments of %s are %s and %s%s", name, typing_text(s, *shape),
                 typing_text(s, t), typing_reason(s, fit, *shape, t, dim));
            return false;
        }
        *shape = *shape ? *shape : t;
    }
    return true;
}

static ExprId number_call(TypeScope *s, const Builtin *b, const ExprId *args, uint32_t n, Span span)
{
    bool mask[2];
    TypeId shape;
    TypeId result = number_result(s, b->op, args, n);
    if (!result) {
        for (uint32_t i = 0; i < n; i++)
            if (!type_is_numeric(s->g->types, expr_type(s->g, args[i])))
                return TELL(s, span, I103, "argument of %s must be a number, found %s", b->name,
                            typing_text(s, expr_type(s->g, args[i])));
    }
    if (!common_shape(s, b->name, args, n, mask, &shape, span))
        return EXPR_NONE;
    if (!shape)
        return number_element(s, (void *)(uintptr_t)b, args);
    Vectorised v = {number_element, (void *)(uintptr_t)b, n, mask, shape, result, span};
    return typing_vectorise(s, &v, args);
}

static ExprId number_fn(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId args[2];
    if (!typing_positional(s, call, args))
        return EXPR_NONE;
    return number_call(s, b, args, call->args.n, call->span);
}

/* min and max: of two scalars of one simple type, of an array, or over iterators. */
static ExprId min_max(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (call->iters.n || call->args.n == 1)
        return array_fn_reduce(
            s, &(Builtin){b->name, b->fn, b->op == OP_MIN ? OP_MIN_OF : OP_MAX_OF, 1, 1}, call);
    ExprId args[2];
    if (!typing_positional(s, call, args))
        return EXPR_NONE;
    TypeId ta = expr_type(s->g, args[0]), tb = expr_type(s->g, args[1]), common;
    uint32_t dim;
    if (type_is_numeric(s->g->types, ta) && type_is_numeric(s->g->types, tb))
        return number_call(s, b, args, 2, call->span);
    TypeKind kind = typing_kind(s, ta);
    if (typing_common(s, ta, tb, &common, &dim) != FIT_OK ||
        (kind != TYPE_ENUM && kind != TYPE_BOOL))
        return TELL(s, call->span, I103,
                    "arguments of %s are %s and %s, which have no order in common", b->name,
                    typing_text(s, ta), typing_text(s, tb));
    return expr_apply(s->g, b->op, common, 0, args, 2);
}

ExprId typing_apply_builtin(TypeScope *s, const Builtin *b, ExprId *args, uint32_t n, Span span,
                            bool *known)
{
    *known = (b->fn == number_fn || b->fn == min_max) && n == b->max;
    return *known ? number_call(s, b, args, n, span) : EXPR_NONE;
}

/* ---- conversion ---- */

/* Integer(e) of an enumeration */
static ExprId integer_of_enum(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    TypeId type = expr_type(s->g, a);
    if (typing_kind(s, type_element(s->g->types, type)) != TYPE_ENUM) {
        TELL(s, call->span, I103, "argument of Integer must be an enumeration, found %s",
             typing_text(s, type));
        diag_note(s->ctx, (Span){0}, "integer(x) gives the largest Integer not above a Real x");
        return EXPR_NONE;
    }
    return expr_apply(s->g, b->op, typing_with_element(s, type, T_INT), 0, &a, 1);
}

/* String(value, …): the options of section 3.7.1, or a format. */
static ExprId string_of(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const real_names[] = {"", "significantDigits", "minimumLength",
                                             "leftJustified", "format"};
    static const char *const other_names[] = {"", "minimumLength", "leftJustified", "format"};
    ExprId args[4], value = typing_operand(s, call->args.at[0]);
    if (!value)
        return EXPR_NONE;
    TypeId type = expr_type(s->g, value);
    TypeKind kind = typing_kind(s, type);
    bool found = false;
    ExprId own =
        kind == TYPE_RECORD ? typing_overloaded_call(s, call, type, "'String'", &found) : EXPR_NONE;
    if (found)
        return own;
    if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_ENUM)
        return TELL(s, call->args.at[0]->span, I103, "String cannot be made of %s",
                    typing_text(s, type));
    bool real = kind == TYPE_REAL;
    if (!check_names(s, call, b->name, real ? real_names : other_names,
                     real               ? 5
                     : kind == TYPE_INT ? 4
                                        : 3))
        return EXPR_NONE;
    args[0] = value;
    const AstExpr *format =
        real || kind == TYPE_INT ? typing_argument(call, real ? 4 : 3, "format") : NULL;
    if (format) {
        args[1] = typing_scalar(s, format, T_STRING, "format of String");
        return args[1] ? expr_apply(s->g, b->op, T_STRING, 0, args, 2) : EXPR_NONE;
    }
    const AstExpr *digits = real ? typing_argument(call, 1, "significantDigits") : NULL;
    const AstExpr *length = typing_argument(call, real ? 2 : 1, "minimumLength");
    const AstExpr *left = typing_argument(call, real ? 3 : 2, "leftJustified");
    if (!digits && !length && !left)
        return expr_apply(s->g, b->op, T_STRING, 0, args, 1);
    args[1] =
        digits ? typing_scalar(s, digits, T_INT, "significantDigits of String") : expr_int(s->g, 6);
    args[2] =
        length ? typing_scalar(s, length, T_INT, "minimumLength of String") : expr_int(s->g, 0);
    args[3] =
        left ? typing_scalar(s, left, T_BOOL, "leftJustified of String") : expr_bool(s->g, true);
    if (!args[1] || !args[2] || !args[3])
        return EXPR_NONE;
    return expr_apply(s->g, b->op, T_STRING, 0, args, 4);
}

/* ---- operators of the language ---- */

/* A variable, an element or field of one, an array of these, or a literal for a constant. */
static bool is_variable(const Graph *g, ExprId e)
{
    for (;;) {
        switch (expr_op(g, e)) {
        case OP_VAR: return true;
        case OP_INDEX:
        case OP_FIELD: e = expr_arg(g, e, 0); break;
        case OP_ARRAY:
            for (uint32_t i = 0; i < expr_n(g, e); i++)
                if (!is_variable(g, expr_arg(g, e, i)))
                    return false;
            return true;
        default: return expr_is_literal(g, e);
        }
    }
}

static ExprId derivative(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!in_model(s, b, call) || !typing_positional(s, call, &a))
        return EXPR_NONE;
    TypeId type = expr_type(s->g, a);
    if (type_element(s->g->types, type) != T_REAL) {
        TELL(s, call->span, I103, "argument of der must be Real, found %s", typing_text(s, type));
        diag_note(s->ctx, (Span){0}, "only Reals have derivatives (Modelica 3.6, section 3.7.4)");
        return EXPR_NONE;
    }
    return expr_apply(s->g, OP_DER, type, 0, &a, 1);
}

/* pre, edge, change: of a variable */
static ExprId left_limit(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!in_model(s, b, call) || !typing_positional(s, call, &a))
        return EXPR_NONE;
    TypeId type = expr_type(s->g, a);
    if (!is_variable(s->g, a))
        return TELL(s, call->span, I103, "argument of %s must be a variable", b->name);
    if (b->op == OP_EDGE && type_element(s->g->types, type) != T_BOOL)
        return TELL(s, call->span, I103, "argument of edge must be Boolean, found %s",
                    typing_text(s, type));
    TypeId result = b->op == OP_PRE ? type : typing_with_element(s, type, T_BOOL);
    return expr_apply(s->g, b->op, result, 0, &a, 1);
}

static ExprId sample(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (!in_model(s, b, call))
        return EXPR_NONE;
    if (call->args.n == 1)
        return clock_sample(s, call, EXPR_NONE);
    ExprId second = typing_operand(s, call->args.at[1]);
    if (second && expr_type(s->g, second) == T_CLOCK)
        return clock_sample(s, call, second);
    ExprId first = typing_scalar(s, call->args.at[0], T_REAL, "start of sample");
    second = second ? type_convert(s, second, T_REAL, call->args.at[1]->span, "interval of sample")
                    : EXPR_NONE;
    return first && second ? expr_apply(s->g, b->op, T_BOOL, 0, (ExprId[]){first, second}, 2)
                           : EXPR_NONE;
}

static ExprId at_phase(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    return in_model(s, b, call) ? expr_make(s->g, b->op, T_BOOL, 0, NULL, 0) : EXPR_NONE;
}

static ExprId no_event(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!typing_positional(s, call, &a))
        return EXPR_NONE;
    return s->in_function ? a : expr_apply(s->g, b->op, expr_type(s->g, a), 0, &a, 1);
}

static ExprId smooth(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId order = typing_scalar(s, call->args.at[0], T_INT, "order of smooth");
    ExprId a = typing_operand(s, call->args.at[1]);
    if (!order || !a ||
        !(order = typing_structural(s, order, call->args.at[0]->span, "order of smooth")))
        return EXPR_NONE;
    if (expr_is_literal(s->g, order) && expr_int_value(s->g, order) < 0)
        return TELL(s, call->span, I123, "order of smooth must not be negative, found %lld",
                    (long long)expr_int_value(s->g, order));
    if (type_element(s->g->types, expr_type(s->g, a)) == T_INT)
        a = typing_to_real(s, a);
    return s->in_function ? a
                          : expr_apply(s->g, b->op, expr_type(s->g, a), 0, (ExprId[]){order, a}, 2);
}

static ExprId delay(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const what[] = {"argument of delay", "delay time", "largest delay time"};
    ExprId args[3];
    if (!in_model(s, b, call))
        return EXPR_NONE;
    bool ok = true;
    for (uint32_t i = 0; i < call->args.n; i++)
        ok &= (args[i] = typing_scalar(s, call->args.at[i], T_REAL, what[i])) != EXPR_NONE;
    return ok ? expr_apply(s->g, b->op, T_REAL, 0, args, call->args.n) : EXPR_NONE;
}

/* A vector of Reals, or {0, last} if it is not given. */
static ExprId profile(TypeScope *s, const AstExpr *e, const char *what, double last)
{
    if (!e) {
        int64_t two = 2;
        ExprId items[] = {expr_real(s->g, 0), expr_real(s->g, last)};
        return expr_make(s->g, OP_ARRAY, type_array(s->g->types, T_REAL, &two, 1), 0, items, 2);
    }
    ExprId x = typing_operand(s, e);
    if (!x)
        return EXPR_NONE;
    TypeId type = expr_type(s->g, x);
    if (type_rank(s->g->types, type) != 1 || !type_is_numeric(s->g->types, type))
        return TELL(s, e->span, I103, "%s must be a vector of Reals, found %s", what,
                    typing_text(s, type));
    return typing_to_real(s, x);
}

static ExprId spatial(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"in0",           "in1",          "x", "positiveVelocity",
                                        "initialPoints", "initialValues"};
    ExprId args[6];
    if (!in_model(s, b, call) || !check_names(s, call, b->name, names, 6))
        return EXPR_NONE;
    bool ok = true;
    for (uint32_t i = 0; i < 6; i++) {
        const AstExpr *a = typing_argument(call, i, names[i]);
        if (!a && i < 4)
            return need(s, call, b->name, names[i]);
        args[i] = i < 4 ? typing_scalar(s, a, i < 3 ? T_REAL : T_BOOL, names[i])
                        : profile(s, a, names[i], i == 4);
        ok &= args[i] != EXPR_NONE;
    }
    if (!ok)
        return EXPR_NONE;
    TypeId points = expr_type(s->g, args[4]), values = expr_type(s->g, args[5]);
    if (points != values)
        return TELL(
            s, call->span, I102,
            "initialPoints and initialValues of spatialDistribution are %s and %s: sizes differ",
            typing_text(s, points), typing_text(s, values));
    return expr_apply(s->g, b->op, type_tuple(s->g->types, (TypeId[]){T_REAL, T_REAL}, 2), 0, args,
                      6);
}

static ExprId homotopy(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"actual", "simplified"};
    ExprId args[2];
    if (!check_names(s, call, b->name, names, 2))
        return EXPR_NONE;
    for (uint32_t i = 0; i < 2; i++) {
        const AstExpr *a = typing_argument(call, i, names[i]);
        if (!a)
            return need(s, call, b->name, names[i]);
        if (!(args[i] = typing_operand(s, a)))
            return EXPR_NONE;
        if (!type_is_numeric(s->g->types, expr_type(s->g, args[i])))
            return TELL(s, a->span, I103, "argument %s of homotopy must be Real, found %s",
                        names[i], typing_text(s, expr_type(s->g, args[i])));
        args[i] = typing_to_real(s, args[i]);
    }
    uint32_t dim = 0;
    TypeId ta = expr_type(s->g, args[0]), tb = expr_type(s->g, args[1]), common;
    Fit fit = typing_common(s, ta, tb, &common, &dim);
    if (fit != FIT_OK)
        return TELL(s, call->span, I102, "arguments of homotopy are %s and %s%s",
                    typing_text(s, ta), typing_text(s, tb), typing_reason(s, fit, ta, tb, dim));
    return s->in_function ? args[0] : expr_apply(s->g, b->op, common, 0, args, 2);
}

static ExprId semi_linear_element(TypeScope *s, void *user, const ExprId *args)
{
    (void)user;
    return expr_apply(s->g, OP_SEMILINEAR, T_REAL, 0, args, 3);
}

static ExprId semi_linear(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId args[3];
    bool mask[3];
    TypeId shape = T_NONE;
    (void)b;
    for (uint32_t i = 0; i < 3; i++) {
        if (!(args[i] = typing_operand(s, call->args.at[i])))
            return EXPR_NONE;
        TypeId type = expr_type(s->g, args[i]);
        uint32_t dim = 0;
        if (!type_is_numeric(s->g->types, type))
            return TELL(s, call->args.at[i]->span, I103,
                        "argument of semiLinear must be Real, found %s", typing_text(s, type));
        mask[i] = !typing_is_scalar(s, type);
        Fit fit = mask[i] && shape ? typing_same_dims(s, shape, type, &dim) : FIT_OK;
        if (fit != FIT_OK)
            return TELL(s, call->args.at[i]->span, I102, "arguments of semiLinear differ in size%s",
                        typing_reason(s, fit, shape, type, dim));
        shape = mask[i] && !shape ? type : shape;
        args[i] = typing_to_real(s, args[i]);
    }
    Vectorised v = {semi_linear_element, NULL, 3, mask, shape, T_REAL, call->span};
    return shape ? typing_vectorise(s, &v, args) : semi_linear_element(s, NULL, args);
}

/* inStream, actualStream: of a stream variable, which flattening checks (section 15.2) */
static ExprId stream_of(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!in_model(s, b, call) || !typing_positional(s, call, &a))
        return EXPR_NONE;
    if (type_element(s->g->types, expr_type(s->g, a)) != T_REAL || !is_variable(s->g, a))
        return TELL(s, call->span, I103, "argument of %s must be a stream variable", b->name);
    return expr_make(s->g, b->op, expr_type(s->g, a), 0, &a, 1);
}

/* cardinality of a connector; isRoot and rooted of an overconstrained record */
static ExprId of_connector(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    ExprId a;
    if (!in_model(s, b, call) || !typing_positional(s, call, &a))
        return EXPR_NONE;
    if (call->args.at[0]->kind != AST_REF)
        return TELL(s, call->span, I103, "argument of %s must be the name of a component", b->name);
    return expr_make(s->g, b->op, b->op == OP_CARDINALITY ? T_INT : T_BOOL, 0, &a, 1);
}

ExprId typing_connections(TypeScope *s, const AstExpr *call)
{
    static const Builtin rows[] = {{"isRoot", of_connector, OP_IS_ROOT, 1, 1},
                                   {"rooted", of_connector, OP_ROOTED, 1, 1}};
    const char *name = call->ref->parts[1].name;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return typing_call_builtin(s, &rows[i], call);
    for (size_t i = 0; i < 3; i++)
        if (!strcmp((const char *[]){"root", "potentialRoot", "branch"}[i], name))
            return TELL(s, call->span, I114,
                        "Connections.%s returns no value; write it as an equation of its own",
                        name);
    return TELL(s, call->span, I113, "operator 'Connections.%s' is not yet supported", name);
}

static ExprId pure(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    (void)b;
    if (call->args.at[0]->kind != AST_CALL)
        return TELL(s, call->span, I103, "argument of pure must be a function call");
    return typing_operand(s, call->args.at[0]);
}

/* In a function the value is not specified (section 3.7.4.1). */
static ExprId instance_name(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    (void)call;
    return s->instance_name && !s->in_function ? s->instance_name(s)
                                               : expr_string(s->g, b->name, strlen(b->name));
}

static ExprId no_value(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    return TELL(s, call->span, I114,
                "%s returns no value; write it as an equation or statement of its own", b->name);
}

static ExprId typing_unsupported(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    return TELL(s, call->span, I113, "operator '%s' is not yet supported", b->name);
}

/* ---- the table ---- */

enum { ANY = UINT16_MAX };

/* Sorted by name (in the order of strcmp). */
static const Builtin builtins[] = {
    {"Clock", clock_constructor, OP_CLOCK, 0, 2},
    {"Integer", integer_of_enum, OP_TO_INT, 1, 1},
    {"String", string_of, OP_TO_STRING, 1, 5},
    {"activeState", clock_active_state, OP_ACTIVE_STATE, 1, 1},
    {"actualStream", stream_of, OP_ACTUAL_STREAM, 1, 1},
    {"array", array_fn_array, OP_ARRAY, 1, ANY},
    {"assert", no_value, OP_NONE, 0, ANY},
    {"backSample", clock_shift, OP_BACK_SAMPLE, 0, 3},
    {"cardinality", of_connector, OP_CARDINALITY, 1, 1},
    {"cat", array_fn_cat, OP_CAT, 2, ANY},
    {"change", left_limit, OP_CHANGE, 1, 1},
    {"cross", array_fn_cross, OP_CROSS, 2, 2},
    {"delay", delay, OP_DELAY, 2, 3},
    {"der", derivative, OP_DER, 1, 1},
    {"diagonal", array_fn_diagonal, OP_DIAGONAL, 1, 1},
    {"edge", left_limit, OP_EDGE, 1, 1},
    {"fill", array_fn_fill, OP_FILL, 2, ANY},
    {"firstTick", clock_query, OP_FIRST_TICK, 0, 1},
    {"getInstanceName", instance_name, OP_NONE, 0, 0},
    {"hold", clock_of_value, OP_HOLD, 0, 1},
    {"homotopy", homotopy, OP_HOMOTOPY, 0, 2},
    {"identity", array_fn_identity, OP_IDENTITY, 1, 1},
    {"inStream", stream_of, OP_INSTREAM, 1, 1},
    {"initial", at_phase, OP_INITIAL, 0, 0},
    {"initialState", no_value, OP_NONE, 0, ANY},
    {"integer", number_fn, OP_INTEGER, 1, 1},
    {"interval", clock_query, OP_INTERVAL, 0, 1},
    {"linspace", array_fn_linspace, OP_LINSPACE, 3, 3},
    {"matrix", array_fn_matrix, OP_MATRIX, 1, 1},
    {"max", min_max, OP_MAX, 1, 2},
    {"min", min_max, OP_MIN, 1, 2},
    {"ndims", array_fn_ndims, OP_NDIMS, 1, 1},
    {"noClock", clock_of_value, OP_NO_CLOCK, 0, 1},
    {"noEvent", no_event, OP_NOEVENT, 1, 1},
    {"ones", array_fn_fill, OP_NONE, 1, ANY},
    {"outerProduct", array_fn_outer, OP_OUTER, 2, 2},
    {"pre", left_limit, OP_PRE, 1, 1},
    {"previous", clock_previous, OP_PREVIOUS, 0, 1},
    {"product", array_fn_reduce, OP_PRODUCT, 1, 1},
    {"pure", pure, OP_NONE, 1, 1},
    {"reinit", no_value, OP_NONE, 0, ANY},
    {"rooted", of_connector, OP_ROOTED, 1, 1},
    {"sample", sample, OP_SAMPLE, 1, 2},
    {"scalar", array_fn_scalar, OP_SCALAR, 1, 1},
    {"semiLinear", semi_linear, OP_SEMILINEAR, 3, 3},
    {"shiftSample", clock_shift, OP_SHIFT_SAMPLE, 0, 3},
    {"size", array_fn_size, OP_SIZE, 1, 2},
    {"skew", array_fn_skew, OP_SKEW, 1, 1},
    {"smooth", smooth, OP_SMOOTH, 2, 2},
    {"spatialDistribution", spatial, OP_SPATIAL, 0, 6},
    {"subSample", clock_factor, OP_SUB_SAMPLE, 0, 2},
    {"sum", array_fn_reduce, OP_SUM, 1, 1},
    {"superSample", clock_factor, OP_SUPER_SAMPLE, 0, 2},
    {"symmetric", array_fn_square, OP_SYMMETRIC, 1, 1},
    {"terminal", at_phase, OP_TERMINAL, 0, 0},
    {"terminate", no_value, OP_NONE, 0, ANY},
    {"ticksInState", clock_in_state, OP_TICKS_IN_STATE, 0, 0},
    {"timeInState", clock_in_state, OP_TIME_IN_STATE, 0, 0},
    {"transition", no_value, OP_NONE, 0, ANY},
    {"transpose", array_fn_square, OP_TRANSPOSE, 1, 1},
    {"vector", array_fn_vector, OP_VECTOR, 1, 1},
    {"zeros", array_fn_fill, OP_NONE, 1, ANY},
};

/* Functions of numbers, in the order of ops.def. */
static const Builtin functions[] = {
#define F1(op, name, ...) {name, number_fn, OP_##op, 1, 1},
#define F2(op, name, ...) {name, number_fn, OP_##op, 2, 2},
#include "expr/ops.def"
};

enum {
    N_BUILTINS = sizeof builtins / sizeof *builtins,
    N_FUNCTIONS = sizeof functions / sizeof *functions,
};

static int by_name(const void *key, const void *row)
{
    return strcmp(key, ((const Builtin *)row)->name);
}

const char *typing_builtin_name(uint32_t i)
{
    if (i < N_BUILTINS)
        return builtins[i].name;
    return i - N_BUILTINS < N_FUNCTIONS ? functions[i - N_BUILTINS].name : NULL;
}

const Builtin *typing_find_builtin(const char *name)
{
    const Builtin *b = bsearch(name, builtins, N_BUILTINS, sizeof *builtins, by_name);
    for (uint32_t i = 0; !b && i < N_FUNCTIONS; i++)
        b = strcmp(functions[i].name, name) ? NULL : &functions[i];
    return b;
}

static bool takes_iterators(const Builtin *b)
{
    return b->fn == array_fn_array || b->fn == array_fn_reduce || b->fn == min_max;
}

/* Operators on clocks have optional and named arguments, which they check. */
static bool checks_its_call(const Builtin *b)
{
    return op_class(b->op) == CLASS_CLOCK;
}

ExprId typing_call_builtin(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (b->fn == typing_unsupported || b->fn == no_value || checks_its_call(b))
        return b->fn(s, b, call);
    if (call->iters.n && !takes_iterators(b))
        return TELL(s, call->span, I117, "function %s takes no iterators", b->name);
    if (call->named.n && b->fn != string_of && b->fn != homotopy && b->fn != spatial &&
        !(call = typing_in_order(s, b, call)))
        return EXPR_NONE;
    if (call->args.n < b->min || call->args.n > b->max) {
        report_count(s, call, b->name, b->min, b->max);
        return EXPR_NONE;
    }
    return b->fn(s, b, call);
}

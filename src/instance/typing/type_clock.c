/* Clocks and the operators on clocked values (Modelica 3.6, chapter 16). Partitions, and the
 * meaning of operators for them, are found once the model is flat
 * (flatten/synchronous/clock_partitions.c). */
#include "instance/typing/internal.h"

#include <stdio.h>

typedef struct Args {
    TypeScope *s;
    const AstExpr *call;
    const char *name;         /* of the operator */
    const char *const *names; /* size n: of its inputs */
    uint32_t n;
} Args;

/* ---- arguments ---- */

/* The argument in position i or of its name; NULL if it is not given. */
static const AstExpr *given(const Args *a, uint32_t i)
{
    if (i < a->call->args.n)
        return a->call->args.at[i];
    for (uint32_t k = 0; k < a->call->named.n; k++)
        if (!strcmp(a->call->named.at[k].name, a->names[i]))
            return a->call->named.at[k].value;
    return NULL;
}

/* The call is in a model, and every argument has a place. False after an error. */
static bool check_call(const Args *a)
{
    TypeScope *s = a->s;
    const AstExpr *call = a->call;
    if (s->in_function) {
        TELL(s, call->span, I117, "%s cannot be used in a function", a->name);
        diag_note(s->ctx, (Span){0}, "functions have no clock (Modelica 3.6, section 12.2)");
        return false;
    }
    if (call->iters.n)
        return TELL(s, call->span, I117, "function %s takes no iterators", a->name);
    if (call->args.n > a->n)
        return TELL(s, call->span, I104, "function %s takes at most %u argument%s, %u are given",
                    a->name, a->n, a->n == 1 ? "" : "s", call->args.n);
    for (uint32_t k = 0; k < call->named.n; k++) {
        uint32_t i = 0;
        while (i < a->n && strcmp(a->names[i], call->named.at[k].name))
            i++;
        if (i == a->n)
            return TELL(s, call->named.at[k].span, I105, "function %s has no input %s", a->name,
                        call->named.at[k].name);
    }
    return true;
}

static ExprId missing(const Args *a, uint32_t i)
{
    return TELL(a->s, a->call->span, I107, "argument %s of function %s is missing", a->names[i],
                a->name);
}

static ExprId scalar_at(const Args *a, uint32_t i, TypeId type)
{
    char what[80];
    snprintf(what, sizeof what, "%s of %s", a->names[i], a->name);
    return typing_scalar(a->s, given(a, i), type, what);
}

/* ---- the constructors (section 16.3) ---- */

static ExprId make_clock(TypeScope *s, const ExprId *args, uint32_t n)
{
    return expr_make(s->g, OP_CLOCK, T_CLOCK, 0, args, n);
}

/* Clock(c, solverMethod) */
static ExprId solver_clock(TypeScope *s, const AstExpr *call, ExprId c)
{
    static const char *const names[] = {"c", "solverMethod"};
    Args a = {s, call, "Clock", names, 2};
    if (!check_call(&a))
        return EXPR_NONE;
    if (!given(&a, 1))
        return missing(&a, 1);
    ExprId method = scalar_at(&a, 1, T_STRING);
    return method ? make_clock(s, (ExprId[]){c, method}, 2) : EXPR_NONE;
}

/* Clock(condition, startInterval = 0) */
static ExprId event_clock(TypeScope *s, const AstExpr *call, ExprId condition)
{
    static const char *const names[] = {"condition", "startInterval"};
    Args a = {s, call, "Clock", names, 2};
    if (!check_call(&a))
        return EXPR_NONE;
    ExprId start = given(&a, 1) ? scalar_at(&a, 1, T_REAL) : expr_real(s->g, 0.0);
    return start ? make_clock(s, (ExprId[]){condition, start}, 2) : EXPR_NONE;
}

/* Clock(intervalCounter, resolution = 1) */
static ExprId rational_clock(TypeScope *s, const AstExpr *call, ExprId counter)
{
    static const char *const names[] = {"intervalCounter", "resolution"};
    Args a = {s, call, "Clock", names, 2};
    if (!check_call(&a))
        return EXPR_NONE;
    ExprId resolution = given(&a, 1) ? scalar_at(&a, 1, T_INT) : expr_int(s->g, 1);
    return resolution ? make_clock(s, (ExprId[]){counter, resolution}, 2) : EXPR_NONE;
}

static ExprId interval_clock(TypeScope *s, const AstExpr *call, ExprId interval)
{
    static const char *const names[] = {"interval"};
    Args a = {s, call, "Clock", names, 1};
    if (!check_call(&a))
        return EXPR_NONE;
    return make_clock(s, &interval, 1);
}

ExprId clock_constructor(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const firsts[] = {"c", "condition", "intervalCounter", "interval"};
    const AstExpr *first = NULL;
    for (uint32_t i = 0; i < 4 && !first; i++) {
        Args a = {s, call, b->name, &firsts[i], 1};
        first = given(&a, 0);
    }
    if (!first) {
        Args none = {s, call, b->name, NULL, 0};
        return check_call(&none) ? make_clock(s, NULL, 0) : EXPR_NONE;
    }
    ExprId e = typing_operand(s, first);
    switch (e ? expr_type(s->g, e) : T_NONE) {
    case T_NONE: return EXPR_NONE;
    case T_CLOCK: return solver_clock(s, call, e);
    case T_BOOL: return event_clock(s, call, e);
    case T_INT: return rational_clock(s, call, e);
    case T_REAL: return interval_clock(s, call, e);
    default:
        TELL(s, first->span, I103, "Clock is made of an interval, a condition or a clock, found %s",
             typing_text(s, expr_type(s->g, e)));
        diag_note(s->ctx, (Span){0}, "the clock constructors (Modelica 3.6, section 16.3)");
        return EXPR_NONE;
    }
}

/* ---- operators on values ---- */

/* op of a value, with the arguments that follow it; on records field by field. */
static ExprId apply(TypeScope *s, ExprOp op, ExprId value, const ExprId *more, uint32_t n)
{
    Graph *g = s->g;
    TypeId type = expr_type(g, value);
    ExprId args[3] = {value};
    if (type_get(g->types, type_element(g->types, type))->kind == TYPE_RECORD &&
        (expr_op(g, value) == OP_RECORD || expr_op(g, value) == OP_ARRAY)) {
        IdList items;
        ids_init(&items);
        for (uint32_t i = 0; i < expr_n(g, value); i++)
            ids_push(&items, apply(s, op, expr_arg(g, value, i), more, n));
        ExprId e = expr_make(g, expr_op(g, value), type, 0, items.at, items.n);
        ids_free(&items);
        return e;
    }
    for (uint32_t i = 0; i < n; i++)
        args[1 + i] = more[i];
    return expr_make(g, op, type, 0, args, 1 + n);
}

/* hold, noClock */
ExprId clock_of_value(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"u"};
    Args a = {s, call, b->name, names, 1};
    if (!check_call(&a))
        return EXPR_NONE;
    if (!given(&a, 0))
        return missing(&a, 0);
    ExprId u = typing_operand(s, given(&a, 0));
    if (u && b->op == OP_HOLD && type_element(s->g->types, expr_type(s->g, u)) == T_CLOCK)
        return TELL(s, call->span, I103, "hold takes a clocked value, not a Clock");
    return u ? apply(s, b->op, u, NULL, 0) : EXPR_NONE;
}

/* A variable, an element of one, or an array of these; a literal represents a constant. */
static bool is_component(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    while (op == OP_INDEX || op == OP_FIELD)
        op = expr_op(g, e = expr_arg(g, e, 0));
    bool ok = op == OP_VAR || expr_is_literal(g, e) || op == OP_ARRAY || op == OP_RECORD;
    for (uint32_t i = 0; ok && (op == OP_ARRAY || op == OP_RECORD) && i < expr_n(g, e); i++)
        ok = is_component(g, expr_arg(g, e, i));
    return ok;
}

ExprId clock_previous(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"u"};
    Args a = {s, call, b->name, names, 1};
    if (!check_call(&a))
        return EXPR_NONE;
    if (!given(&a, 0))
        return missing(&a, 0);
    ExprId u = typing_operand(s, given(&a, 0));
    if (!u)
        return EXPR_NONE;
    if (!is_component(s->g, u) || type_element(s->g->types, expr_type(s->g, u)) == T_CLOCK) {
        TELL(s, call->args.n ? call->args.at[0]->span : call->span, I103,
             "argument of previous must be a variable");
        diag_note(s->ctx, (Span){0},
                  "previous takes a component expression (Modelica 3.6, section 16.4)");
        return EXPR_NONE;
    }
    return apply(s, b->op, u, NULL, 0);
}

ExprId clock_sample(TypeScope *s, const AstExpr *call, ExprId clock)
{
    static const char *const names[] = {"u", "clock"};
    Args a = {s, call, "sample", names, 2};
    if (!check_call(&a))
        return EXPR_NONE;
    ExprId u = typing_operand(s, given(&a, 0));
    return u ? apply(s, OP_CLOCKED_SAMPLE, u, &clock, clock ? 1 : 0) : EXPR_NONE;
}

/* subSample(u, factor), superSample(u, factor) */
ExprId clock_factor(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"u", "factor"};
    Args a = {s, call, b->name, names, 2};
    if (!check_call(&a))
        return EXPR_NONE;
    if (!given(&a, 0))
        return missing(&a, 0);
    ExprId u = typing_operand(s, given(&a, 0)), factor = EXPR_NONE;
    if (given(&a, 1) && !(factor = scalar_at(&a, 1, T_INT)))
        return EXPR_NONE;
    return u ? apply(s, b->op, u, &factor, factor ? 1 : 0) : EXPR_NONE;
}

/* shiftSample(u, shiftCounter, resolution = 1), backSample(u, backCounter, resolution = 1) */
ExprId clock_shift(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const shift[] = {"u", "shiftCounter", "resolution"};
    static const char *const back[] = {"u", "backCounter", "resolution"};
    Args a = {s, call, b->name, b->op == OP_SHIFT_SAMPLE ? shift : back, 3};
    if (!check_call(&a))
        return EXPR_NONE;
    for (uint32_t i = 0; i < 2; i++)
        if (!given(&a, i))
            return missing(&a, i);
    ExprId u = typing_operand(s, given(&a, 0));
    ExprId more[2] = {scalar_at(&a, 1, T_INT),
                      given(&a, 2) ? scalar_at(&a, 2, T_INT) : expr_int(s->g, 1)};
    return u && more[0] && more[1] ? apply(s, b->op, u, more, 2) : EXPR_NONE;
}

/* interval(u), firstTick(u): of the clock of u, or of their equation */
ExprId clock_query(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    static const char *const names[] = {"u"};
    Args a = {s, call, b->name, names, 1};
    TypeId type = b->op == OP_INTERVAL ? T_REAL : T_BOOL;
    if (!check_call(&a))
        return EXPR_NONE;
    if (!given(&a, 0))
        return expr_make(s->g, b->op, type, 0, NULL, 0);
    ExprId u = typing_operand(s, given(&a, 0));
    return u ? expr_make(s->g, b->op, type, 0, &u, 1) : EXPR_NONE;
}

/* ---- state machines (chapter 17) ---- */

ExprId clock_active_state(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (s->in_function || !s->component)
        return TELL(s, call->span, I117, "%s cannot be used in a function", b->name);
    if (call->args.at[0]->kind != AST_REF)
        return TELL(s, call->args.at[0]->span, I103,
                    "argument of %s must be the name of a component", b->name);
    uint32_t component = s->component(s, call->args.at[0]->ref);
    return component == UINT32_MAX ? EXPR_NONE : expr_leaf(s->g, b->op, T_BOOL, component);
}

/* ticksInState(), timeInState() */
ExprId clock_in_state(TypeScope *s, const Builtin *b, const AstExpr *call)
{
    if (s->in_function)
        return TELL(s, call->span, I117, "%s cannot be used in a function", b->name);
    return expr_leaf(s->g, b->op, b->op == OP_TICKS_IN_STATE ? T_INT : T_REAL, 0);
}

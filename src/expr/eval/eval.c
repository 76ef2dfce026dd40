/* The evaluator: entry points and scalars. Scalars go through run_number, which allocates nothing;
 * everything else goes through run_eval. Outside functions, shared nodes of a large expression are
 * computed once. DEPTH_LIMIT limits recursion, the budget of steps limits loops. */
#include "expr/eval/internal.h"

#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { DEPTH_LIMIT = 6000, MEMO_AFTER = 256 };
static const uint64_t default_steps = 100000000;

/* ---- leaves ---- */

static EvalStatus read_var(Run *r, ExprId e, Value *out)
{
    EvalEnv *env = r->env;
    env->unknown_name = NULL;
    EvalStatus status = env->var ? env->var(env->user, expr_index(r->g, e), out) : EVAL_UNKNOWN;
    if (status == EVAL_UNKNOWN)
        return run_unknown(r, "%s has no value",
                           env->unknown_name ? env->unknown_name : run_print(r, e));
    return status;
}

static const Binding *find_iter(const Run *r, uint32_t iter)
{
    for (uint32_t i = r->iters.n; i-- > 0;)
        if (r->iters.at[i].iter == iter)
            return &r->iters.at[i];
    return NULL;
}

static EvalStatus read_text(Run *r, uint32_t hole, Value *out)
{
    if (!r->env->text)
        return run_unknown(r, "the text of operand %u is not known", hole);
    out->str = name_of(r->g->ctx->names, r->env->text(r->env->text_user, r->env->holes[hole]));
    return EVAL_OK;
}

static EvalStatus read_leaf(Run *r, ExprId e, Value *out)
{
    const ExprNode *x = expr_node(r->g, e);
    const Value *v;
    const Binding *b;
    EvalStatus status;
    switch ((ExprOp)x->op) {
    case OP_LOCAL:
        status = run_local(r, x->payload, &v);
        if (status == EVAL_OK)
            *out = *v;
        return status;
    case OP_ITER:
        b = find_iter(r, x->payload);
        if (b)
            *out = b->value;
        return b ? EVAL_OK : run_unknown(r, "the iterator has no value");
    case OP_HOLE:
        *out = (Value){.type = x->type};
        if (!r->env->holes || type_rank(r->types, x->type))
            return run_unknown(r, "operand %u has no value", x->payload);
        if (x->type == T_STRING)
            return read_text(r, x->payload, out);
        out->num = r->env->holes[x->payload];
        return EVAL_OK;
    case OP_TIME:
        *out = (Value){.type = T_REAL, .num = r->env->time};
        return isnan(r->env->time) ? run_unknown(r, "time has no value here") : EVAL_OK;
    default: return read_var(r, e, out);
    }
}

/* ---- scalars ---- */

static EvalStatus chain(Run *r, ExprId e, ExprOp op, double *out)
{
    uint32_t n = expr_n(r->g, e);
    double acc = op == OP_MUL ? 1 : 0, v;
    for (uint32_t i = 0; i < n; i++) {
        EvalStatus status = run_number(r, expr_arg(r->g, e, i), &v);
        if (status != EVAL_OK)
            return status;
        acc = i == 0 ? v : op == OP_ADD ? acc + v : acc * v;
    }
    *out = acc;
    return EVAL_OK;
}

static EvalStatus logic(Run *r, ExprId e, bool stop, double *out)
{
    uint32_t n = expr_n(r->g, e);
    double v;
    *out = !stop;
    for (uint32_t i = 0; i < n; i++) {
        EvalStatus status = run_number(r, expr_arg(r->g, e, i), &v);
        if (status != EVAL_OK)
            return status;
        if ((v != 0) == stop) {
            *out = stop;
            break;
        }
    }
    return EVAL_OK;
}

static EvalStatus compare(Run *r, ExprId e, ExprOp op, double *out)
{
    ExprId a = expr_arg(r->g, e, 0), b = expr_arg(r->g, e, 1);
    EvalStatus status;
    if (expr_type(r->g, a) == T_STRING) {
        Value x, y;
        if ((status = run_eval(r, a, &x)) != EVAL_OK || (status = run_eval(r, b, &y)) != EVAL_OK)
            return status;
        *out = op_apply2(op, (double)strcmp(x.str, y.str), 0);
        return EVAL_OK;
    }
    double x, y;
    if ((status = run_number(r, a, &x)) != EVAL_OK || (status = run_number(r, b, &y)) != EVAL_OK)
        return status;
    *out = op_apply2(op, x, y);
    return EVAL_OK;
}

static EvalStatus binary(Run *r, ExprId e, ExprOp op, double *out)
{
    double a, b;
    EvalStatus status;
    if ((status = run_number(r, expr_arg(r->g, e, 0), &a)) != EVAL_OK ||
        (status = run_number(r, expr_arg(r->g, e, 1), &b)) != EVAL_OK)
        return status;
    bool divides = op == OP_QUOT || op == OP_MOD || op == OP_REM;
    if (divides && b == 0 && expr_type(r->g, e) == T_INT)
        return run_fail(r, "division by zero in %s", run_print(r, e));
    *out = op_apply2(op, a, b);
    return EVAL_OK;
}

static EvalStatus semi_linear(Run *r, ExprId e, double *out)
{
    double x, slope;
    EvalStatus status = run_number(r, expr_arg(r->g, e, 0), &x);
    if (status == EVAL_OK)
        status = run_number(r, expr_arg(r->g, e, x >= 0 ? 1 : 2), &slope);
    if (status == EVAL_OK)
        *out = x * slope;
    return status;
}

static EvalStatus unary(Run *r, ExprId e, ExprOp op, double *out)
{
    double a;
    EvalStatus status = run_number(r, expr_arg(r->g, e, 0), &a);
    if (status == EVAL_OK)
        *out = op_apply1(op, a);
    return status;
}

static EvalStatus to_enum(Run *r, ExprId e, double *out)
{
    EvalStatus status = run_number(r, expr_arg(r->g, e, 0), out);
    const Type *t = type_get(r->types, expr_type(r->g, e));
    if (status == EVAL_OK && !(*out >= 1 && *out <= t->n))
        return run_fail(r, "%g is not a value of the enumeration %s", *out, t->name ? t->name : "");
    return status;
}

static EvalStatus general(Run *r, ExprId e, Value *out);

/* One scalar node; OP_IF has been walked by the caller. */
static EvalStatus scalar(Run *r, ExprId e, double *out)
{
    ExprOp op = expr_op(r->g, e);
    switch (op) {
    case OP_ADD:
    case OP_MUL: return chain(r, e, op, out);
    case OP_AND: return logic(r, e, false, out);
    case OP_OR: return logic(r, e, true, out);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return compare(r, e, op, out);
    case OP_DIV:
    case OP_POW: return binary(r, e, op, out);
    case OP_NEG:
    case OP_NOT:
    case OP_TO_REAL:
    case OP_TO_INT: return unary(r, e, op, out);
    case OP_TO_ENUM: return to_enum(r, e, out);
    case OP_SEMILINEAR: return semi_linear(r, e, out);
    case OP_INDEX: return run_index_number(r, e, out);
    default: {
        if (op_is_function_of(op, 1))
            return unary(r, e, op, out);
        if (op_is_function_of(op, 2))
            return binary(r, e, op, out);
        Value v;
        EvalStatus status = general(r, e, &v);
        if (status == EVAL_OK)
            *out = v.num;
        return status;
    }
    }
}

/* Follows conditionals and wrappers down to the node that gives the value. */
static EvalStatus choose(Run *r, ExprId *e)
{
    for (;;) {
        double c;
        EvalStatus status;
        switch (expr_op(r->g, *e)) {
        case OP_IF:
            status = run_number(r, expr_arg(r->g, *e, 0), &c);
            if (status != EVAL_OK)
                return status;
            *e = expr_arg(r->g, *e, c != 0 ? 1 : 2);
            break;
        case OP_NOEVENT:
        case OP_HOMOTOPY: *e = expr_arg(r->g, *e, 0); break;
        case OP_SMOOTH: *e = expr_arg(r->g, *e, 1); break;
        default: return EVAL_OK;
        }
    }
}

static EvalStatus deeper(Run *r)
{
    if (++r->depth <= DEPTH_LIMIT)
        return EVAL_OK;
    r->depth--;
    return run_fail(r, "expressions and calls are nested too deeply to be evaluated");
}

static EvalStatus number_at(Run *r, ExprId e, double *out)
{
    EvalStatus status = deeper(r);
    if (status != EVAL_OK)
        return status;
    status = choose(r, &e);
    if (status == EVAL_OK) {
        const ExprNode *x = expr_node(r->g, e);
        if (x->op == OP_HOLE && r->env->holes)
            *out = r->env->holes[x->payload];
        else if (expr_is_literal(r->g, e))
            *out = expr_real_value(r->g, e);
        else
            status = scalar(r, e, out);
    }
    r->depth--;
    return status;
}

EvalStatus run_number(Run *r, ExprId e, double *out)
{
    const ExprNode *x = expr_node(r->g, e);
    switch (x->op) {
    case OP_REAL:
    case OP_INT:
    case OP_BOOL:
    case OP_ENUM: *out = expr_real_value(r->g, e); return EVAL_OK;
    case OP_HOLE:
        if (!r->env->holes)
            return run_unknown(r, "operand %u has no value", x->payload);
        *out = r->env->holes[x->payload];
        return EVAL_OK;
    case OP_LOCAL:
        if (r->frame && r->frame->state[x->payload] == LOCAL_SET) {
            *out = r->frame->vals[x->payload].num;
            return EVAL_OK;
        }
        break;
    default: break;
    }
    if (r->frame || r->iters.n || ++r->visited < MEMO_AFTER)
        return number_at(r, e, out);
    uint32_t known = map_get(&r->memo, e);
    if (known != MAP_NONE) {
        *out = r->memo_values.at[known];
        return EVAL_OK;
    }
    EvalStatus status = number_at(r, e, out);
    if (status == EVAL_OK) {
        map_put(&r->memo, e, r->memo_values.n);
        vec_push(&r->memo_values, *out);
    }
    return status;
}

EvalStatus run_integer(Run *r, ExprId e, int64_t *out)
{
    double v;
    EvalStatus status = run_number(r, e, &v);
    return status == EVAL_OK ? run_as_integer(r, e, v, out) : status;
}

/* ---- everything else ---- */

enum { FEW_ARGS = 8 };

/* The arguments of a call, in room for a few of them or in the arena. */
static EvalStatus call_arguments(Run *r, ExprId e, Value *few, Value **args)
{
    uint32_t n = expr_n(r->g, e);
    *args = n <= FEW_ARGS ? few : ARENA_ARRAY(run_arena(r), Value, n);
    for (uint32_t i = 0; i < n; i++) {
        ExprId arg = expr_arg(r->g, e, i);
        EvalStatus status = arg ? run_eval(r, arg, &(*args)[i]) : EVAL_OK;
        if (status != EVAL_OK)
            return status;
    }
    return EVAL_OK;
}

static EvalStatus string_node(Run *r, ExprId e, Value *out)
{
    Value few[FEW_ARGS], *args = few;
    bool scalar = type_rank(r->types, expr_type(r->g, e)) == 0;
    EvalStatus status = scalar ? call_arguments(r, e, few, &args) : EVAL_OK;
    return status == EVAL_OK ? run_string(r, e, args, out) : status;
}

static EvalStatus call_node(Run *r, ExprId e, Value *out)
{
    const Function *f = r->g->functions.at[expr_index(r->g, e)];
    Value few[FEW_ARGS], *args;
    EvalStatus status = call_arguments(r, e, few, &args);
    return status == EVAL_OK ? run_call(r, f, args, out) : status;
}

EvalStatus run_kept_call(Run *r, ExprId e, const Value **out)
{
    const Function *f = r->g->functions.at[expr_index(r->g, e)];
    Value few[FEW_ARGS], *args, result;
    EvalStatus status = call_arguments(r, e, few, &args);
    *out = NULL;
    if (status != EVAL_OK || (*out = memo_find(r, f, args)))
        return status;
    status = run_call(r, f, args, &result);
    if (status == EVAL_OK)
        *out = memo_keep(r, f, args, &result);
    return status;
}

static EvalStatus general(Run *r, ExprId e, Value *out)
{
    ExprOp op = expr_op(r->g, e);
    switch (op) {
    case OP_VAR:
    case OP_HOLE:
    case OP_LOCAL:
    case OP_ITER:
    case OP_TIME: return read_leaf(r, e, out);
    case OP_STRING: *out = (Value){.type = T_STRING, .str = expr_name(r->g, e)}; return EVAL_OK;
    case OP_FUNCTION:
        *out = (Value){.type = expr_type(r->g, e), .function = expr_index(r->g, e)};
        return EVAL_OK;
    case OP_CALL: return call_node(r, e, out);
    case OP_CONCAT:
    case OP_TO_STRING: return string_node(r, e, out);
    case OP_COMPREHEND:
    case OP_REDUCE: return run_iteration(r, e, out);
    case OP_RANGE: return run_range(r, e, out);
    case OP_DER:
    case OP_PRE:
    case OP_EDGE:
    case OP_CHANGE:
    case OP_SAMPLE:
    case OP_INITIAL:
    case OP_TERMINAL:
    case OP_INSTREAM:
    case OP_ACTUAL_STREAM:
    case OP_CARDINALITY:
    case OP_IS_ROOT:
    case OP_ROOTED:
        return run_unknown(r, "%s is known only once all connections are", run_print(r, e));
    case OP_CLOCK:
    case OP_CLOCKED_SAMPLE:
    case OP_HOLD:
    case OP_PREVIOUS:
    case OP_SUB_SAMPLE:
    case OP_SUPER_SAMPLE:
    case OP_SHIFT_SAMPLE:
    case OP_BACK_SAMPLE:
    case OP_NO_CLOCK:
    case OP_INTERVAL:
    case OP_FIRST_TICK:
    case OP_DELAYED:
    case OP_SPATIAL:
    case OP_CARRIED:
    case OP_INSTANCE_NAME:
    case OP_ACTIVE_STATE:
    case OP_TICKS_IN_STATE:
    case OP_TIME_IN_STATE:
    case OP_DELAY: return run_unknown(r, "%s has a value only during simulation", run_print(r, e));
    default: break;
    }
    if (op_class(op) == CLASS_MATRIX || op_class(op) == CLASS_ARRAY || op_class(op) == CLASS_RECORD)
        return run_array(r, e, out);
    return run_element_wise(r, e, out);
}

EvalStatus run_eval(Run *r, ExprId e, Value *out)
{
    TypeId type = expr_type(r->g, e);
    if (type_rank(r->types, type) == 0 && value_kind(r->types, type) == ELEM_NUM) {
        *out = (Value){.type = type};
        return run_number(r, e, &out->num);
    }
    EvalStatus status = deeper(r);
    if (status != EVAL_OK)
        return status;
    status = choose(r, &e);
    if (status == EVAL_OK)
        status = general(r, e, out);
    r->depth--;
    return status;
}

/* ---- entry points ---- */

static void begin(Run *r, EvalEnv *env)
{
    *r = (Run){.env = env, .g = env->g, .types = env->g->types, .span = env->span};
    if (!env->steps)
        env->steps = default_steps;
    env->why = NULL;
}

static void end(Run *r)
{
    vec_free(&r->iters);
    vec_free(&r->memo_values);
    map_free(&r->memo);
}

EvalStatus eval_expr(EvalEnv *env, ExprId e, Value *out)
{
    Run r;
    begin(&r, env);
    EvalStatus status = run_eval(&r, e, out);
    if (status == EVAL_OK)
        value_settle(r.types, out);
    end(&r);
    return status;
}

EvalStatus eval_number(EvalEnv *env, ExprId e, double *out)
{
    Run r;
    Value text;
    begin(&r, env);
    bool string = expr_type(env->g, e) == T_STRING;
    EvalStatus status = string ? run_eval(&r, e, &text) : run_number(&r, e, out);
    if (string && status == EVAL_OK)
        *out = text_number(text.str);
    end(&r);
    return status;
}

EvalStatus eval_call(EvalEnv *env, const Function *f, const Value *args, Value *out)
{
    Run r;
    begin(&r, env);
    EvalStatus status = run_call(&r, f, args, out);
    end(&r);
    return status;
}

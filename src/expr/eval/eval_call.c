/* The evaluator: functions and statements. A frame keeps its variables in its own arena.
 * Intermediate values of a statement are in another arena, which is emptied when it grows; results
 * are copied to the caller. Variables are initialized when first needed, so declarations may be in
 * any order. Assigned arrays are copied: no two variables share elements. */
#include "expr/eval/internal.h"

enum { CALL_LIMIT = 600, TMP_LIMIT = 1 << 20 };

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN } Flow;

static Arena *store_of(Run *r)
{
    if (!r->frame->store)
        r->frame->store = arena_new();
    return r->frame->store;
}

static const char *var_name(const Run *r, uint32_t k)
{
    return r->frame->f->vars[k].name;
}

/* ---- variables ---- */

/* The declared type with its dimensions computed; those that are ":" or unknown stay DIM_UNKNOWN.
 */
static EvalStatus declared_type(Run *r, uint32_t k, TypeId *out)
{
    const FnVar *v = &r->frame->f->vars[k];
    const Type *t = type_get(r->types, v->type);
    *out = v->type;
    if (t->kind != TYPE_ARRAY)
        return EVAL_OK;
    int64_t *dims = ARENA_ARRAY(run_arena(r), int64_t, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        dims[i] = t->dims[i];
        if (dims[i] != DIM_UNKNOWN || !v->dims || !v->dims[i])
            continue;
        EvalStatus status = run_integer(r, v->dims[i], &dims[i]);
        if (status != EVAL_OK)
            return status;
        if (dims[i] < 0)
            return run_fail(r, "dimension %u of %s is negative: %lld", i + 1, v->name,
                            (long long)dims[i]);
    }
    *out = type_array(r->types, t->element, dims, t->n);
    return EVAL_OK;
}

/* Whether a value of type `v` fits into a variable of type `want`; unknown dimensions of `want`
 * accept any size. */
static bool fits(const Run *r, TypeId want, TypeId v)
{
    uint32_t rank = type_rank(r->types, want);
    if (rank != type_rank(r->types, v))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (type_dim(r->types, want, i) != DIM_UNKNOWN &&
            type_dim(r->types, want, i) != type_dim(r->types, v, i))
            return false;
    return true;
}

/* The same value, typed as the variable is (an Integer becomes Real). */
static void retype(Run *r, TypeId want, Value *v)
{
    TypeId element = type_element(r->types, want);
    const Type *t = type_get(r->types, v->type);
    if (t->kind != TYPE_ARRAY)
        v->type = value_kind(r->types, want) == ELEM_NUM ? element : v->type;
    else if (t->element != element && value_kind(r->types, want) == ELEM_NUM)
        v->type = type_array(r->types, element, t->dims, t->n);
}

EvalStatus run_set_local(Run *r, uint32_t k, const Value *v)
{
    Frame *f = r->frame;
    Value *to = &f->vals[k];
    TypeId want = f->f->vars[k].type;
    if (type_rank(r->types, want) == 0 && value_kind(r->types, want) != ELEM_ITEM) {
        *to = *v;
        to->type = want;
        f->state[k] = LOCAL_SET;
        return EVAL_OK;
    }
    EvalStatus status = declared_type(r, k, &want);
    if (status != EVAL_OK)
        return status;
    if (!fits(r, want, v->type))
        return run_fail(r, "cannot assign %s to %s of type %s",
                        type_print(r->types, v->type, run_arena(r)), var_name(r, k),
                        type_print(r->types, want, run_arena(r)));
    Value typed = *v;
    retype(r, want, &typed);
    bool reuse = f->state[k] == LOCAL_SET && k >= f->f->n_in && to->type == typed.type &&
                 type_rank(r->types, typed.type) && value_kind(r->types, typed.type) != ELEM_ITEM;
    if (reuse)
        memmove(to->nums, typed.nums, (size_t)type_count(r->types, typed.type) * sizeof *to->nums);
    else
        *to = value_copy(r, store_of(r), &typed);
    f->state[k] = LOCAL_SET;
    return EVAL_OK;
}

/* Gives an output or local its initial value: its binding, or room for its elements. */
static EvalStatus initialize(Run *r, uint32_t k)
{
    Frame *f = r->frame;
    const FnVar *v = &f->f->vars[k];
    TypeId type;
    f->state[k] = LOCAL_BUSY;
    if (v->binding) {
        Value value;
        EvalStatus status = run_eval(r, v->binding, &value);
        return status == EVAL_OK ? run_set_local(r, k, &value) : status;
    }
    EvalStatus status = declared_type(r, k, &type);
    if (status != EVAL_OK)
        return status;
    bool parts = type_rank(r->types, type) || value_kind(r->types, type) == ELEM_ITEM;
    if (parts)
        f->vals[k] = value_blank(r, store_of(r), type);
    f->state[k] = LOCAL_UNSET;
    return EVAL_OK;
}

EvalStatus run_local(Run *r, uint32_t k, const Value **out)
{
    Frame *f = r->frame;
    if (!f || k >= f->f->n_vars)
        return run_unknown(r, "a variable of a function has no value outside of it");
    if (f->state[k] == LOCAL_FRESH) {
        EvalStatus status = initialize(r, k);
        if (status != EVAL_OK)
            return status;
    }
    if (f->state[k] == LOCAL_BUSY)
        return run_fail(r, "the declaration of %s in %s depends on itself", var_name(r, k),
                        f->f->name);
    const Type *t = type_get(r->types, f->f->vars[k].type);
    bool parts = t->kind == TYPE_ARRAY || t->kind == TYPE_RECORD;
    if (f->state[k] == LOCAL_UNSET && !parts)
        return run_fail(r, "%s in %s is used before it has a value", var_name(r, k), f->f->name);
    *out = &f->vals[k];
    return EVAL_OK;
}

/* ---- assignment ---- */

/* The stored value that an OP_LOCAL, OP_FIELD or OP_INDEX with scalar subscripts refers to, to be
 * changed. */
static EvalStatus place_of(Run *r, ExprId e, Value **out)
{
    ExprOp op = expr_op(r->g, e);
    uint32_t k = expr_index(r->g, e);
    if (op == OP_LOCAL) {
        const Value *v;
        EvalStatus status = run_local(r, k, &v);
        if (status != EVAL_OK)
            return status;
        if (k < r->frame->f->n_in)
            return run_fail(r, "the input %s cannot be assigned", var_name(r, k));
        r->frame->state[k] = LOCAL_SET;
        *out = &r->frame->vals[k];
        return EVAL_OK;
    }
    if (op != OP_FIELD && op != OP_INDEX)
        return run_fail(r, "%s cannot be assigned", run_print(r, e));
    Value *base;
    int64_t offset;
    EvalStatus status = place_of(r, expr_arg(r->g, e, 0), &base);
    if (status != EVAL_OK)
        return status;
    bool items = value_kind(r->types, base->type) == ELEM_ITEM;
    if (op == OP_FIELD) {
        if (type_rank(r->types, base->type))
            return run_fail(r, "%s is a field of an array of records and cannot be assigned",
                            run_print(r, e));
        *out = &base->items[k];
        return EVAL_OK;
    }
    if (!items)
        return run_fail(r, "%s cannot be assigned", run_print(r, e));
    status = run_offset(r, e, base, &offset);
    if (status == EVAL_OK)
        *out = &base->items[offset];
    return status;
}

static EvalStatus assign(Run *r, ExprId lhs, const Value *v)
{
    ExprOp op = expr_op(r->g, lhs);
    if (op == OP_LOCAL) {
        uint32_t k = expr_index(r->g, lhs);
        if (k < r->frame->f->n_in)
            return run_fail(r, "the input %s cannot be assigned", var_name(r, k));
        return run_set_local(r, k, v);
    }
    if (op != OP_INDEX && op != OP_FIELD)
        return run_fail(r, "%s cannot be assigned during evaluation", run_print(r, lhs));
    Value *place, copy = *v;
    EvalStatus status = place_of(r, op == OP_INDEX ? expr_arg(r->g, lhs, 0) : lhs, &place);
    if (status != EVAL_OK)
        return status;
    if (value_kind(r->types, v->type) == ELEM_ITEM || op == OP_FIELD)
        copy = value_copy(r, store_of(r), v);
    if (op == OP_INDEX)
        return run_store(r, lhs, place, &copy);
    retype(r, expr_type(r->g, lhs), &copy);
    *place = copy;
    return EVAL_OK;
}

static EvalStatus assign_statement(Run *r, const Stmt *s)
{
    Value v;
    EvalStatus status;
    if (expr_op(r->g, s->lhs) == OP_LOCAL &&
        r->frame->state[expr_index(r->g, s->lhs)] == LOCAL_FRESH &&
        (status = initialize(r, expr_index(r->g, s->lhs))) != EVAL_OK)
        return status;
    status = run_eval(r, s->rhs, &v);
    if (status != EVAL_OK || expr_op(r->g, s->lhs) != OP_TUPLE)
        return status == EVAL_OK ? assign(r, s->lhs, &v) : status;
    const Type *t = type_get(r->types, v.type);
    uint32_t n = expr_n(r->g, s->lhs);
    for (uint32_t i = 0; i < n && status == EVAL_OK; i++) {
        ExprId to = expr_arg(r->g, s->lhs, i);
        if (t->kind == TYPE_TUPLE && i >= t->n)
            return run_fail(r, "%s has only %u results", run_print(r, s->rhs), t->n);
        if (to)
            status = assign(r, to, t->kind == TYPE_TUPLE ? &v.items[i] : &v);
    }
    return status;
}

/* ---- statements ---- */

static EvalStatus execute(Run *r, const Stmt *body, uint32_t n, Flow *flow);

static EvalStatus if_statement(Run *r, const Stmt *s, Flow *flow)
{
    for (uint32_t i = 0; i < s->n_branches; i++) {
        const StmtBranch *b = &s->branches[i];
        double c = 1;
        EvalStatus status = b->condition ? run_number(r, b->condition, &c) : EVAL_OK;
        if (status != EVAL_OK)
            return status;
        if (c != 0)
            return execute(r, b->body, b->n, flow);
    }
    return EVAL_OK;
}

/* One pass of a loop whose iterator is r->iters.at[at]. */
static EvalStatus loop_pass(Run *r, const Stmt *s, uint32_t at, Value v, Flow *flow)
{
    EvalStatus status = run_step(r, 1);
    r->iters.at[at].value = v;
    return status == EVAL_OK ? execute(r, s->branches[0].body, s->branches[0].n, flow) : status;
}

static EvalStatus loop_over_range(Run *r, const Stmt *s, uint32_t at, Flow *flow)
{
    double start, step;
    int64_t n = 0;
    EvalStatus status = run_range_parts(r, s->rhs, &start, &step, &n);
    Value v = {.type = type_element(r->types, expr_type(r->g, s->rhs))};
    for (int64_t i = 0; i < n && status == EVAL_OK && *flow == FLOW_NEXT; i++) {
        v.num = start + (double)i * step;
        status = loop_pass(r, s, at, v, flow);
    }
    return status;
}

static EvalStatus loop_over_vector(Run *r, const Stmt *s, uint32_t at, Flow *flow)
{
    Value range, v;
    EvalStatus status = run_eval(r, s->rhs, &range);
    if (status != EVAL_OK)
        return status;
    if (type_rank(r->types, range.type) != 1)
        return run_fail(r, "%s is not a vector to iterate over", run_print(r, s->rhs));
    Arena *own = arena_new();
    range = value_copy(r, own, &range);
    TypeId element = type_element(r->types, range.type);
    size_t size = value_elem_size(value_kind(r->types, element));
    int64_t n = type_dim(r->types, range.type, 0);
    for (int64_t i = 0; i < n && status == EVAL_OK && *flow == FLOW_NEXT; i++) {
        value_take(r->types, &v, element, (const char *)range.nums + (size_t)i * size);
        status = loop_pass(r, s, at, v, flow);
    }
    arena_free(own);
    return status;
}

static EvalStatus for_statement(Run *r, const Stmt *s, Flow *flow)
{
    uint32_t at = r->iters.n;
    vec_push(&r->iters, ((Binding){.iter = expr_index(r->g, s->lhs)}));
    EvalStatus status = expr_op(r->g, s->rhs) == OP_RANGE ? loop_over_range(r, s, at, flow)
                                                          : loop_over_vector(r, s, at, flow);
    r->iters.n = at;
    *flow = *flow == FLOW_BREAK ? FLOW_NEXT : *flow;
    return status;
}

static EvalStatus while_statement(Run *r, const Stmt *s, Flow *flow)
{
    const StmtBranch *b = &s->branches[0];
    for (;;) {
        double c;
        EvalStatus status = run_step(r, 1);
        if (status == EVAL_OK)
            status = run_number(r, b->condition, &c);
        if (status != EVAL_OK || c == 0)
            return status;
        status = execute(r, b->body, b->n, flow);
        if (status != EVAL_OK || *flow == FLOW_RETURN)
            return status;
        if (*flow == FLOW_BREAK) {
            *flow = FLOW_NEXT;
            return EVAL_OK;
        }
    }
}

static EvalStatus assert_statement(Run *r, const Stmt *s)
{
    double c;
    Value text;
    EvalStatus status = run_number(r, s->lhs, &c);
    if (status != EVAL_OK || c != 0 || s->warning)
        return status;
    status = s->rhs ? run_eval(r, s->rhs, &text) : EVAL_UNKNOWN;
    return run_fail(r, "assertion failed: %s", status == EVAL_OK ? text.str : run_print(r, s->lhs));
}

static EvalStatus statement(Run *r, const Stmt *s, Flow *flow)
{
    Value ignored;
    switch (s->kind) {
    case STMT_ASSIGN: return assign_statement(r, s);
    case STMT_CALL: return run_eval(r, s->rhs, &ignored);
    case STMT_IF: return if_statement(r, s, flow);
    case STMT_FOR: return for_statement(r, s, flow);
    case STMT_WHILE: return while_statement(r, s, flow);
    case STMT_BREAK: *flow = FLOW_BREAK; return EVAL_OK;
    case STMT_RETURN: *flow = FLOW_RETURN; return EVAL_OK;
    case STMT_ASSERT: return assert_statement(r, s);
    default: return run_fail(r, "this statement is not allowed in a function");
    }
}

static EvalStatus execute(Run *r, const Stmt *body, uint32_t n, Flow *flow)
{
    EvalStatus status = EVAL_OK;
    for (uint32_t i = 0; i < n && status == EVAL_OK && *flow == FLOW_NEXT; i++) {
        r->span = body[i].span;
        status = run_step(r, 1);
        if (status == EVAL_OK)
            status = statement(r, &body[i], flow);
        if (r->frame->tmp && arena_bytes(r->frame->tmp) > TMP_LIMIT)
            arena_reset(r->frame->tmp);
    }
    return status;
}

/* ---- calls ---- */

static EvalStatus bind_inputs(Run *r, const Value *args)
{
    const Function *f = r->frame->f;
    for (uint32_t i = 0; i < f->n_in; i++) {
        Value v = args[i];
        if (!fits(r, f->vars[i].type, v.type))
            return run_fail(r, "argument %s of %s is of type %s, not %s", f->vars[i].name, f->name,
                            type_print(r->types, v.type, run_arena(r)),
                            type_print(r->types, f->vars[i].type, run_arena(r)));
        retype(r, f->vars[i].type, &v);
        r->frame->vals[i] = v;
        r->frame->state[i] = LOCAL_SET;
    }
    for (uint32_t i = 0; i < f->n_in; i++) {
        TypeId want;
        EvalStatus status = declared_type(r, i, &want);
        if (status != EVAL_OK)
            return status;
        if (!fits(r, want, r->frame->vals[i].type))
            return run_fail(r, "argument %s of %s is of type %s, not %s", f->vars[i].name, f->name,
                            type_print(r->types, r->frame->vals[i].type, run_arena(r)),
                            type_print(r->types, want, run_arena(r)));
    }
    return EVAL_OK;
}

/* Copies the outputs to the caller's arena. */
static EvalStatus take_results(Run *r, Arena *arena, Value *out)
{
    const Function *f = r->frame->f;
    Value *items = f->n_out > 1 ? ARENA_ARRAY(arena, Value, f->n_out) : out;
    for (uint32_t i = 0; i < f->n_out; i++) {
        const Value *v;
        EvalStatus status = run_local(r, f->n_in + i, &v);
        if (status != EVAL_OK)
            return status;
        items[i] = value_copy(r, arena, v);
    }
    if (f->n_out != 1)
        *out = (Value){.type = f->result, .items = f->n_out ? items : NULL};
    return EVAL_OK;
}

static EvalStatus run_body(Run *r, const Value *args)
{
    const Function *f = r->frame->f;
    Flow flow = FLOW_NEXT;
    EvalStatus status = bind_inputs(r, args);
    for (uint32_t k = f->n_in; k < f->n_vars && status == EVAL_OK; k++)
        if (r->frame->state[k] == LOCAL_FRESH)
            status = initialize(r, k);
    if (status == EVAL_OK)
        status = execute(r, f->body, f->n_body, &flow);
    return status == EVAL_OK && f->external ? run_external(r) : status;
}

enum { FEW_VARS = 16 };

EvalStatus run_call(Run *r, const Function *f, const Value *args, Value *out)
{
    if (!f->ready && f->partial_of)
        return run_unknown(
            r, "function %s, a partial derivative, has no value before the simulation", f->name);
    if (!f->ready)
        return run_fail(r, "function %s is used while it is being defined", f->name);
    if (f->impure && !r->env->impure)
        return run_unknown(r, "function %s is impure", f->name);
    if (r->env->depth >= CALL_LIMIT)
        return run_fail(r, "calls of %s are nested too deeply: perhaps a recursion does not end",
                        f->name);
    Value few[FEW_VARS];
    uint8_t few_states[FEW_VARS] = {0};
    bool many = f->n_vars > FEW_VARS;
    Frame frame = {.f = f,
                   .up = r->frame,
                   .vals = many ? memory_alloc(f->n_vars * sizeof(Value)) : few,
                   .state = many ? memory_alloc(f->n_vars) : few_states};
    Arena *arena =
        type_rank(r->types, f->result) == 0 && value_kind(r->types, f->result) == ELEM_NUM
            ? NULL
            : run_arena(r);
    Span span = r->span;
    uint32_t iters = r->iters.n;
    r->frame = &frame;
    r->env->depth++;
    EvalStatus status = run_body(r, args);
    if (status == EVAL_OK)
        status = take_results(r, arena, out);
    r->env->depth--;
    r->frame = frame.up;
    r->iters.n = iters;
    r->span = span;
    arena_free(frame.store);
    arena_free(frame.tmp);
    if (many) {
        memory_free(frame.vals);
        memory_free(frame.state);
    }
    return status;
}

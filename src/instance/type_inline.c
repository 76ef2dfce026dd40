/* Calls replaced by the value of the function, for functions annotated with Inline (Modelica 3.6, section 18.3).
 *
 * The body must be a sequence of assignments to whole variables of known sizes. Relations yield no events in a
 * function: where one remains after the arguments are known, the value stands under noEvent. */
#include "instance/type_internal.h"

typedef struct Body {
    Graph *g;
    const Function *f;
    ExprId *vals;  /* size n_vars; EXPR_NONE: no value yet */
    uint8_t *busy; /* size n_vars: its binding is being taken */
    bool failed;
    bool relations; /* the value holds relations, or functions that would yield events */
} Body;

static ExprId replace(void *user, Graph *g, ExprId e);

static ExprId with_values(Body *b, ExprId e)
{
    return b->failed ? e : expr_map(b->g, e, replace, b);
}

static ExprId give_up(Body *b, ExprId e)
{
    b->failed = true;
    return e;
}

static ExprId local_value(Body *b, ExprId e)
{
    uint32_t k = expr_index(b->g, e);
    const FnVar *v = &b->f->vars[k];
    if (b->vals[k])
        return b->vals[k];
    if (b->busy[k] || !v->binding || k < b->f->n_in)
        return give_up(b, e);
    b->busy[k] = 1;
    b->vals[k] = with_values(b, v->binding);
    b->busy[k] = 0;
    return b->vals[k];
}

/* A branch that is not taken may hold what has no value. */
static ExprId choose(Body *b, ExprId e)
{
    ExprId c = with_values(b, expr_arg(b->g, e, 0));
    if (b->failed)
        return e;
    if (expr_op(b->g, c) == OP_BOOL)
        return with_values(b, expr_arg(b->g, e, expr_int_value(b->g, c) ? 1 : 2));
    ExprId x = with_values(b, expr_arg(b->g, e, 1)), y = with_values(b, expr_arg(b->g, e, 2));
    b->relations = true;
    return b->failed ? e : expr_if(b->g, c, x, y);
}

static ExprId relation(Body *b, ExprId e)
{
    ExprId x = with_values(b, expr_arg(b->g, e, 0)), y = with_values(b, expr_arg(b->g, e, 1));
    ExprId r = b->failed ? e : expr_compare(b->g, expr_op(b->g, e), x, y);
    b->relations |= expr_op(b->g, r) != OP_BOOL;
    return r;
}

static ExprId replace(void *user, Graph *g, ExprId e)
{
    Body *b = user;
    if (b->failed)
        return e;
    switch (expr_op(g, e)) {
    case OP_LOCAL: return local_value(b, e);
    case OP_IF: return choose(b, e);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return relation(b, e);
    case OP_FLOOR:
    case OP_CEIL:
    case OP_INTEGER:
    case OP_QUOT:
    case OP_MOD:
    case OP_REM: b->relations = true; return EXPR_NONE;
    default: return EXPR_NONE;
    }
}

/* e without events. */
static ExprId literally(Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    if (expr_is_literal(g, e))
        return e;
    if (op != OP_RECORD && op != OP_ARRAY)
        return expr_apply(g, OP_NOEVENT, expr_type(g, e), 0, &e, 1);
    uint32_t n = expr_n(g, e);
    ExprId *parts = memory_alloc((n + 1) * sizeof *parts);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = literally(g, expr_arg(g, e, i));
    ExprId x = expr_apply(g, op, expr_type(g, e), 0, parts, n);
    memory_free(parts);
    return x;
}

static bool known_sizes(const TypeScope *s, const Function *f)
{
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i].type == T_NONE || type_count(s->g->types, f->vars[i].type) == DIM_UNKNOWN)
            return false;
    return true;
}

static bool is_simple(const TypeScope *s, const Function *f)
{
    enum { LONGEST = 20 };
    if (!f->inlined || !f->ready || f->impure || f->external || f->n_out != 1 || f->n_body > LONGEST)
        return false;
    for (uint32_t i = 0; i < f->n_body; i++)
        if (f->body[i].kind != STMT_ASSIGN || expr_op(s->g, f->body[i].lhs) != OP_LOCAL)
            return false;
    return known_sizes(s, f);
}

ExprId typing_inline(TypeScope *s, const Function *f, const ExprId *slots)
{
    if (!is_simple(s, f))
        return EXPR_NONE;
    Body b = {.g = s->g, .f = f};
    b.vals = memory_alloc((f->n_vars + 1) * sizeof *b.vals);
    b.busy = memory_alloc(f->n_vars + 1);
    memset(b.vals, 0, (f->n_vars + 1) * sizeof *b.vals);
    memset(b.busy, 0, f->n_vars + 1);
    memcpy(b.vals, slots, f->n_in * sizeof *b.vals);
    for (uint32_t i = 0; i < f->n_body && !b.failed; i++) {
        ExprId value = with_values(&b, f->body[i].rhs);
        b.vals[expr_index(s->g, f->body[i].lhs)] = value;
    }
    ExprId out = b.failed ? EXPR_NONE : local_value(&b, expr_leaf(s->g, OP_LOCAL, f->result, f->n_in));
    if (b.failed)
        out = EXPR_NONE;
    else if (b.relations && !s->in_function)
        out = literally(s->g, out);
    memory_free(b.vals);
    memory_free(b.busy);
    return out;
}

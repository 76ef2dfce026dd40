/* Calls replaced by the value of the function, for functions annotated with Inline (Modelica 3.6,
 * section 18.3). The body must be a sequence of assignments to variables of known sizes or their
 * fields. Relations cause no events in a function: if one remains after the arguments are known,
 * the value is put under noEvent. */
#include "instance/typing/internal.h"

typedef struct Body {
    Graph *g;
    const Function *f;
    ExprId *vals;  /* size n_vars; EXPR_NONE: no value yet */
    uint8_t *busy; /* size n_vars: its binding is being taken */
    bool failed;
    bool relations; /* the value contains relations, or functions that would cause events */
} Body;

static ExprId replace(void *user, Graph *g, ExprId e);

static ExprId field_value(Body *b, ExprId e);
static bool is_complete(const Graph *g, ExprId e);

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
        return is_complete(b->g, b->vals[k]) ? b->vals[k] : give_up(b, e);
    if (b->busy[k] || !v->binding || k < b->f->n_in)
        return give_up(b, e);
    b->busy[k] = 1;
    b->vals[k] = with_values(b, v->binding);
    b->busy[k] = 0;
    return b->vals[k];
}

/* A branch that is not taken may contain expressions without a value. */
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
    case OP_FIELD: return field_value(b, e);
    case OP_IF: return choose(b, e);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return relation(b, e);
    default: b->relations |= op_makes_integer_events(expr_op(g, e)); return EXPR_NONE;
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

/* ---- fields ---- */

/* The variable of a field (of a field …); EXPR_NONE for other expressions. */
static ExprId owner(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_FIELD)
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_LOCAL ? e : EXPR_NONE;
}

/* `record` (EXPR_NONE: without any value yet) with the field that `place` names replaced. Fields
 * without a value are EXPR_NONE. */
static ExprId with_field(Graph *g, ExprId record, TypeId type, uint32_t field, ExprId value)
{
    uint32_t n = type_get(g->types, type)->n;
    ExprId *parts = memory_alloc((n + 1) * sizeof *parts);
    for (uint32_t i = 0; i < n; i++) {
        TypeId t = type_get(g->types, type)->fields[i].type;
        parts[i] = !record                           ? EXPR_NONE
                   : expr_op(g, record) == OP_RECORD ? expr_arg(g, record, i)
                                                     : expr_apply(g, OP_FIELD, t, i, &record, 1);
    }
    parts[field] = value;
    ExprId e = expr_make(g, OP_RECORD, type, 0, parts, n);
    memory_free(parts);
    return e;
}

/* The value at a place; EXPR_NONE if it has none. */
static ExprId value_at(Body *b, ExprId place)
{
    Graph *g = b->g;
    if (expr_op(g, place) == OP_LOCAL) {
        uint32_t k = expr_index(g, place);
        return b->vals[k] || !b->f->vars[k].binding ? b->vals[k] : local_value(b, place);
    }
    ExprId record = value_at(b, expr_arg(g, place, 0));
    if (!record)
        return EXPR_NONE;
    if (expr_op(g, record) == OP_RECORD)
        return expr_arg(g, record, expr_index(g, place));
    return expr_apply(g, OP_FIELD, expr_type(g, place), expr_index(g, place), &record, 1);
}

static void store(Body *b, ExprId place, ExprId value)
{
    while (expr_op(b->g, place) == OP_FIELD) {
        ExprId record = expr_arg(b->g, place, 0);
        value = with_field(b->g, value_at(b, record), expr_type(b->g, record),
                           expr_index(b->g, place), value);
        place = record;
    }
    b->vals[expr_index(b->g, place)] = value;
}

static bool is_complete(const Graph *g, ExprId e)
{
    if (!e || expr_op(g, e) != OP_RECORD)
        return e != EXPR_NONE;
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        if (!is_complete(g, expr_arg(g, e, i)))
            return false;
    return true;
}

static ExprId field_value(Body *b, ExprId e)
{
    if (!owner(b->g, e))
        return EXPR_NONE;
    ExprId x = value_at(b, e);
    return is_complete(b->g, x) ? x : give_up(b, e);
}

static bool known_sizes(const TypeScope *s, const Function *f)
{
    for (uint32_t i = 0; i < f->n_vars; i++)
        if (f->vars[i].type == T_NONE || type_is_open(s->g->types, f->vars[i].type))
            return false;
    return true;
}

/* A variable, or a field of a record that is not an array. */
static bool assignable(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_FIELD && !type_rank(g->types, expr_type(g, expr_arg(g, e, 0))))
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_LOCAL;
}

static bool is_simple(const TypeScope *s, const Function *f)
{
    enum { LONGEST = 20 };
    if (!(f->inlined || f->inlining == FN_INLINE) || !f->ready || f->impure || f->external ||
        f->n_out != 1 || f->n_body > LONGEST)
        return false;
    for (uint32_t i = 0; i < f->n_body; i++)
        if (f->body[i].kind != STMT_ASSIGN || !assignable(s->g, f->body[i].lhs))
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
        if (!b.failed)
            store(&b, f->body[i].lhs, value);
    }
    ExprId out =
        b.failed ? EXPR_NONE : local_value(&b, expr_leaf(s->g, OP_LOCAL, f->result, f->n_in));
    if (b.failed)
        out = EXPR_NONE;
    else if (b.relations && !s->in_function)
        out = literally(s->g, out);
    memory_free(b.vals);
    memory_free(b.busy);
    return out;
}

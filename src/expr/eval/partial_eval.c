/* Partial evaluation: see partial_eval.h. A value is a row of numbers, NaN if unknown: records
 * field by field, arrays element by element. A row of unknown length is NULL. The variables of a
 * call are in one row, so that branches are joined by comparing two rows. */
#include "expr/eval/partial_eval.h"
#include "expr/walk.h"

#include <math.h>

enum { LONGEST = 2000, DEEPEST = 40 };

typedef enum Flow {
    FLOW_NEXT,
    FLOW_BREAK,
    FLOW_RETURN,
    FLOW_OPEN /* which one is not known */
} Flow;

typedef struct Call {
    PartialEval *w;
    Graph *g;
    Arena *arena;
    const Function *f; /* NULL outside functions */
    /* size n_vars + 1: the beginning of each variable; variables of unknown size take no place */
    int64_t *at;
    double *vals;
    Map iters; /* iterator to place in iter_vals */
    VEC(double) iter_vals;
    unsigned depth;
} Call;

static double *value(Call *c, ExprId e);

/* ---- rows ---- */

/* How many numbers a value of the type has; -1 if unknown or too many. */
static int64_t length(const Types *t, TypeId type)
{
    const Type *x = type_get(t, type);
    int64_t n = 0, count = type_count(t, type);
    if (x->kind == TYPE_ARRAY) {
        int64_t one = length(t, x->element);
        n = count < 0 || one < 0 || count > LONGEST ? -1 : count * one;
    } else if (x->kind == TYPE_RECORD || x->kind == TYPE_TUPLE) {
        for (uint32_t i = 0; i < x->n && n >= 0; i++) {
            int64_t one = length(t, x->fields[i].type);
            n = one < 0 ? -1 : n + one;
        }
    } else {
        n = 1;
    }
    return n > LONGEST ? -1 : n;
}

/* Where field k begins in the row of a record or tuple. */
static int64_t field_at(const Types *t, TypeId type, uint32_t k)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < k; i++)
        at += length(t, type_get(t, type)->fields[i].type);
    return at;
}

static double *unknown(Call *c, int64_t n)
{
    double *row = n < 0 ? NULL : ARENA_ARRAY(c->arena, double, n + 1);
    for (int64_t i = 0; i < n; i++)
        row[i] = NAN;
    return row;
}

/* Keeps what both rows agree on, in a. */
static void join(double *a, const double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(a[i] == b[i]))
            a[i] = NAN;
}

/* ---- operators ---- */

static double number(Call *c, ExprId e)
{
    double *row = length(c->g->types, expr_type(c->g, e)) == 1 ? value(c, e) : NULL;
    return row ? row[0] : NAN;
}

/* n-ary: one argument may decide alone; otherwise all of them are needed. */
static double fold(Call *c, ExprId e, double decides, double start)
{
    ExprOp op = expr_op(c->g, e);
    bool open = false;
    double acc = start;
    for (uint32_t i = 0; i < expr_n(c->g, e); i++) {
        double x = number(c, expr_arg(c->g, e, i));
        if (x == decides)
            return decides;
        open |= isnan(x);
        acc = op == OP_ADD ? acc + x : op == OP_MUL ? acc * x : start;
    }
    return open ? NAN : acc;
}

static double scalar(Call *c, ExprId e)
{
    Graph *g = c->g;
    ExprOp op = expr_op(g, e);
    switch (op) {
    case OP_REAL:
    case OP_INT:
    case OP_BOOL:
    case OP_ENUM: return expr_real_value(g, e);
    case OP_HOLE: return c->w->leaf(c->w->user, e);
    case OP_ITER: {
        uint32_t k = map_get(&c->iters, expr_index(g, e));
        return k == MAP_NONE ? NAN : c->iter_vals.at[k];
    }
    case OP_ADD: return fold(c, e, NAN, 0);
    case OP_MUL: return fold(c, e, 0, 1);
    case OP_AND: return fold(c, e, 0, 1);
    case OP_OR: return fold(c, e, 1, 0);
    case OP_NOT: return 1 - number(c, expr_arg(g, e, 0));
    case OP_NEG: return -number(c, expr_arg(g, e, 0));
    case OP_NOEVENT:
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM: return number(c, expr_arg(g, e, 0));
    case OP_SMOOTH: return number(c, expr_arg(g, e, 1));
    default: break;
    }
    bool unary = expr_n(g, e) == 1 && op_is_function(op);
    bool binary = expr_n(g, e) == 2 && (op == OP_DIV || op == OP_POW ||
                                        op_class(op) == CLASS_RELATION || op_is_function(op));
    if (!unary && !binary)
        return NAN;
    double a = number(c, expr_arg(g, e, 0)), b = binary ? number(c, expr_arg(g, e, 1)) : 0;
    if (op == OP_DIV && a == 0 && b != 0)
        return 0;
    return isnan(a) || isnan(b) ? NAN : unary ? op_apply1(op, a) : op_apply2(op, a, b);
}

/* ---- parts ---- */

/* The offset of x[…] in the row of x; -1 if a subscript is unknown or selects several elements. */
static int64_t index_at(Call *c, ExprId e)
{
    const Types *t = c->g->types;
    TypeId type = expr_type(c->g, expr_arg(c->g, e, 0));
    uint32_t rank = type_rank(t, type);
    int64_t at = 0;
    if (expr_n(c->g, e) != rank + 1)
        return -1;
    for (uint32_t i = 0; i < rank; i++) {
        ExprId sub = expr_arg(c->g, e, i + 1);
        double k = expr_op(c->g, sub) == OP_COLON ? NAN : number(c, sub);
        if (!(k >= 1 && k <= (double)type_dim(t, type, i)))
            return -1;
        at = at * type_dim(t, type, i) + (int64_t)k - 1;
    }
    return at * length(t, type_element(t, type));
}

/* A part of a value: a field, a result or an element. */
static double *part(Call *c, ExprId e)
{
    const Types *t = c->g->types;
    ExprId base = expr_arg(c->g, e, 0);
    int64_t n = length(t, expr_type(c->g, e)), at = -1;
    double *row = length(t, expr_type(c->g, base)) < 0 ? NULL : value(c, base);
    if (row && expr_op(c->g, e) == OP_INDEX)
        at = index_at(c, e);
    else if (row && type_rank(t, expr_type(c->g, base)) == 0)
        at = field_at(t, expr_type(c->g, base), expr_index(c->g, e));
    return at < 0 ? unknown(c, n) : row + at;
}

/* Rows of the arguments one after the other. */
static double *gather(Call *c, ExprId e)
{
    int64_t n = length(c->g->types, expr_type(c->g, e)), at = 0;
    double *row = unknown(c, n);
    for (uint32_t i = 0; row && i < expr_n(c->g, e); i++) {
        ExprId a = expr_arg(c->g, e, i);
        int64_t m = length(c->g->types, expr_type(c->g, a));
        const double *x = m < 0 || at + m > n ? NULL : value(c, a);
        if (!x)
            return unknown(c, n);
        memcpy(row + at, x, (size_t)m * sizeof *x);
        at += m;
    }
    return row;
}

static double *choice(Call *c, ExprId e)
{
    int64_t n = length(c->g->types, expr_type(c->g, e));
    double k = number(c, expr_arg(c->g, e, 0));
    if (!isnan(k))
        return value(c, expr_arg(c->g, e, k != 0 ? 1 : 2));
    const double *a = value(c, expr_arg(c->g, e, 1)), *b = value(c, expr_arg(c->g, e, 2));
    double *row = unknown(c, n);
    if (row && a && b) {
        memcpy(row, a, (size_t)n * sizeof *a);
        join(row, b, n);
    }
    return row;
}

static double *call_value(Call *c, ExprId e);

static double *value(Call *c, ExprId e)
{
    int64_t n = length(c->g->types, expr_type(c->g, e));
    if (n < 0 || c->w->budget == 0)
        return unknown(c, n);
    c->w->budget--;
    switch (expr_op(c->g, e)) {
    case OP_LOCAL: {
        uint32_t k = expr_index(c->g, e);
        bool there = c->f && k < c->f->n_vars && c->at[k + 1] - c->at[k] == n;
        return there ? c->vals + c->at[k] : unknown(c, n);
    }
    case OP_FIELD:
    case OP_OUT:
    case OP_INDEX: return part(c, e);
    case OP_RECORD:
    case OP_TUPLE:
    case OP_ARRAY: return gather(c, e);
    case OP_IF: return choice(c, e);
    case OP_CALL: return call_value(c, e);
    default: break;
    }
    double *row = unknown(c, n);
    if (n == 1 && type_rank(c->g->types, expr_type(c->g, e)) == 0)
        row[0] = scalar(c, e);
    return row;
}

/* ---- statements ---- */

static Flow execute(Call *c, const Stmt *body, uint32_t n);

/* The row of a left side, and its length. An assignment to an unknown part makes the whole row
 * unknown. */
static double *place(Call *c, ExprId lhs, int64_t *n, bool *sure)
{
    const Types *t = c->g->types;
    ExprOp op = expr_op(c->g, lhs);
    if (op == OP_LOCAL) {
        uint32_t k = expr_index(c->g, lhs);
        *n = c->at[k + 1] - c->at[k];
        return c->vals + c->at[k];
    }
    if (op != OP_FIELD && op != OP_INDEX)
        return NULL;
    ExprId base = expr_arg(c->g, lhs, 0);
    double *row = place(c, base, n, sure);
    if (!row || !*sure || *n == 0)
        return row;
    int64_t at = op == OP_INDEX ? index_at(c, lhs)
                 : type_rank(t, expr_type(c->g, base)) == 0
                     ? field_at(t, expr_type(c->g, base), expr_index(c->g, lhs))
                     : -1;
    if (at < 0)
        *sure = false;
    else
        *n = length(t, expr_type(c->g, lhs));
    return at < 0 ? row : row + at;
}

static void assign(Call *c, ExprId lhs, const double *x, int64_t m)
{
    bool sure = true;
    int64_t n = 0;
    double *to = place(c, lhs, &n, &sure);
    for (int64_t i = 0; to && i < n; i++)
        to[i] = sure && x && m == n ? x[i] : NAN;
}

static void assign_statement(Call *c, const Stmt *s)
{
    const Types *t = c->g->types;
    TypeId type = expr_type(c->g, s->rhs);
    const double *x = value(c, s->rhs);
    if (expr_op(c->g, s->lhs) != OP_TUPLE) {
        assign(c, s->lhs, x, length(t, type));
        return;
    }
    bool tuple = type_get(t, type)->kind == TYPE_TUPLE;
    for (uint32_t i = 0; i < expr_n(c->g, s->lhs); i++) {
        ExprId to = expr_arg(c->g, s->lhs, i);
        TypeId one = tuple && i < type_get(t, type)->n ? type_get(t, type)->fields[i].type : type;
        if (to)
            assign(c, to, x && tuple ? x + field_at(t, type, i) : x, length(t, one));
    }
}

static void forget_variable(Call *c, ExprId lhs)
{
    while (lhs && (expr_op(c->g, lhs) == OP_INDEX || expr_op(c->g, lhs) == OP_FIELD))
        lhs = expr_arg(c->g, lhs, 0);
    if (lhs)
        assign(c, lhs, NULL, 0);
}

/* Statements that may run any number of times: the variables they assign become unknown, and so
 * does everything after a possible return. */
static Walk forget_statement(void *user, const Stmt *s)
{
    Call *c = user;
    if (s->kind == STMT_ASSIGN && expr_op(c->g, s->lhs) == OP_TUPLE)
        for (uint32_t k = 0; k < expr_n(c->g, s->lhs); k++)
            forget_variable(c, expr_arg(c->g, s->lhs, k));
    else if (s->kind == STMT_ASSIGN)
        forget_variable(c, s->lhs);
    return WALK_ON;
}

static Walk find_return(void *user, const Stmt *s)
{
    (void)user;
    return s->kind == STMT_RETURN ? WALK_END : WALK_ON;
}

static Flow forget(Call *c, const Stmt *body, uint32_t n)
{
    stmt_walk(body, n, &(StmtVisitor){.statement = forget_statement}, c);
    bool ends = stmt_walk(body, n, &(StmtVisitor){.statement = find_return}, NULL);
    return ends ? FLOW_NEXT : FLOW_OPEN;
}

/* Branches from k on. */
static Flow if_statement(Call *c, const Stmt *s, uint32_t k)
{
    if (k == s->n_branches)
        return FLOW_NEXT;
    const StmtBranch *b = &s->branches[k];
    double x = b->condition ? number(c, b->condition) : 1;
    if (!isnan(x))
        return x != 0 ? execute(c, b->body, b->n) : if_statement(c, s, k + 1);
    int64_t n = c->at[c->f->n_vars];
    size_t size = (size_t)n * sizeof *c->vals;
    double *before = ARENA_ARRAY(c->arena, double, n + 1),
           *then = ARENA_ARRAY(c->arena, double, n + 1);
    memcpy(before, c->vals, size);
    Flow flow = execute(c, b->body, b->n);
    memcpy(then, c->vals, size);
    memcpy(c->vals, before, size);
    Flow other = if_statement(c, s, k + 1);
    join(c->vals, then, n);
    return flow == other ? flow : FLOW_OPEN;
}

static Flow for_statement(Call *c, const Stmt *s)
{
    const StmtBranch *b = &s->branches[0];
    bool range = expr_op(c->g, s->rhs) == OP_RANGE;
    ExprId by = range ? expr_arg(c->g, s->rhs, 1) : EXPR_NONE;
    double from = range ? number(c, expr_arg(c->g, s->rhs, 0)) : NAN, step = by ? number(c, by) : 1;
    double to = range ? number(c, expr_arg(c->g, s->rhs, 2)) : NAN,
           n = floor((to - from) / step + 1e-9) + 1;
    if (!(n <= LONGEST))
        return forget(c, b->body, b->n);
    Flow flow = FLOW_NEXT;
    map_put(&c->iters, expr_index(c->g, s->lhs), c->iter_vals.n);
    vec_push(&c->iter_vals, 0);
    for (double i = 0; i < n && flow == FLOW_NEXT; i++) {
        c->iter_vals.at[map_get(&c->iters, expr_index(c->g, s->lhs))] = from + i * step;
        flow = execute(c, b->body, b->n);
    }
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static Flow statement(Call *c, const Stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN: assign_statement(c, s); return FLOW_NEXT;
    case STMT_IF: return if_statement(c, s, 0);
    case STMT_FOR: return for_statement(c, s);
    case STMT_WHILE: return forget(c, s->branches[0].body, s->branches[0].n);
    case STMT_BREAK: return FLOW_BREAK;
    case STMT_RETURN: return FLOW_RETURN;
    default: return FLOW_NEXT;
    }
}

static Flow execute(Call *c, const Stmt *body, uint32_t n)
{
    Flow flow = FLOW_NEXT;
    for (uint32_t i = 0; i < n && flow == FLOW_NEXT && c->w->budget; i++)
        flow = statement(c, &body[i]);
    return c->w->budget ? flow : FLOW_OPEN;
}

/* ---- calls ---- */

static void lay_out(Call *c)
{
    const Function *f = c->f;
    c->at = ARENA_ARRAY(c->arena, int64_t, f->n_vars + 1);
    c->at[0] = 0;
    for (uint32_t i = 0; i < f->n_vars; i++) {
        int64_t n = length(c->g->types, f->vars[i].type);
        c->at[i + 1] = c->at[i] + (n < 0 ? 0 : n);
    }
    c->vals = unknown(c, c->at[f->n_vars]);
}

/* The row of the results; NULL if nothing is known of them. */
static double *run(Call *c, const Call *from, ExprId e)
{
    const Function *f = c->f;
    lay_out(c);
    for (uint32_t i = 0; i < f->n_in && i < expr_n(c->g, e); i++) {
        ExprId a = expr_arg(c->g, e, i);
        int64_t n = c->at[i + 1] - c->at[i];
        const double *x =
            a && length(c->g->types, expr_type(c->g, a)) == n ? value((Call *)from, a) : NULL;
        if (x)
            memcpy(c->vals + c->at[i], x, (size_t)n * sizeof *x);
    }
    for (uint32_t i = f->n_in; i < f->n_vars; i++) {
        ExprId a = f->vars[i].binding;
        int64_t n = c->at[i + 1] - c->at[i];
        const double *x = a && length(c->g->types, expr_type(c->g, a)) == n ? value(c, a) : NULL;
        if (x)
            memcpy(c->vals + c->at[i], x, (size_t)n * sizeof *x);
    }
    return execute(c, f->body, f->n_body) == FLOW_OPEN ? NULL : c->vals + c->at[f->n_in];
}

static double *call_value(Call *c, ExprId e)
{
    const Function *f = c->g->functions.at[expr_index(c->g, e)];
    int64_t n = length(c->g->types, expr_type(c->g, e));
    if (f->external || f->impure || !f->ready || f->partial_of || c->depth >= DEEPEST)
        return unknown(c, n);
    Call inner = {.w = c->w, .g = c->g, .arena = c->arena, .f = f, .depth = c->depth + 1};
    double *row = run(&inner, c, e);
    bool all = row && inner.at[f->n_in + f->n_out] - inner.at[f->n_in] == n;
    map_free(&inner.iters);
    vec_free(&inner.iter_vals);
    return all ? row : unknown(c, n);
}

double partial_eval_number(PartialEval *w, ExprId e)
{
    Call c = {.w = w, .g = w->g, .arena = arena_new()};
    double x = number(&c, e);
    arena_free(c.arena);
    return w->budget ? x : NAN;
}

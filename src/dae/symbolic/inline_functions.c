/* Calls as expressions: the body of a function is executed with expressions instead of values.
 * Variables have scalar expressions, or OP_ARRAY nests of them. Loops over literal ranges are
 * unrolled. A branch on a condition that is not a literal runs both ways and joins the variables
 * with OP_IF. Other bodies (loops of unknown length, return within such a branch, external code)
 * have no expression. */
#include "dae/symbolic/internal.h"
#include "expr/walk.h"

#include <math.h>

enum {
    STATEMENT_LIMIT = 20000,
    NESTING_LIMIT = 30,
    MAX_RANK = 8,
    ARRAY_LIMIT = 10000,
    CHOSEN_LIMIT = 3
};

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_RETURN, FLOW_FAIL } Flow;

typedef struct Inline {
    Symbolic *s;
    Graph *g;
    const Function *f;
    ExprId *vals; /* size n_vars; EXPR_NONE: no value yet */
    Map iters;    /* iterator to its present value, a literal */
    uint32_t budget;
    uint32_t chosen; /* assignments to elements that variables number */
    bool failed;
} Inline;

static ExprId substitute(Inline *w, ExprId e);

static ExprId fail(Inline *w, const char *what)
{
    if (!w->failed)
        symbolic_fail(w->s, "function %s has no derivative annotation, and %s", w->f->name, what);
    w->failed = true;
    return EXPR_NONE;
}

/* ---- elements of array expressions ---- */

static ExprId element(Inline *w, ExprId e, const ExprId *at, uint32_t n);

static ExprId element_by_index(Inline *w, ExprId e, const ExprId *at, uint32_t n)
{
    ExprId args[MAX_RANK + 1] = {e};
    memcpy(args + 1, at, n * sizeof *at);
    return expr_apply(w->g, OP_INDEX, type_element(w->g->types, expr_type(w->g, e)), 0, args,
                      n + 1);
}

static ExprId element_wise(Inline *w, ExprId e, const ExprId *at, uint32_t n)
{
    Graph *g = w->g;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < expr_n(g, e); i++) {
        ExprId a = expr_arg(g, e, i);
        vec_push(&args, type_rank(g->types, expr_type(g, a)) ? element(w, a, at, n) : a);
    }
    ExprId out =
        expr_apply(g, expr_op(g, e), type_element(g->types, expr_type(g, e)), 0, args.at, args.n);
    vec_free(&args);
    return out;
}

/* Row times column; a vector is a row on the left and a column on the right. */
static ExprId element_of_product(Inline *w, ExprId e, const ExprId *at, uint32_t n)
{
    Graph *g = w->g;
    ExprId a = expr_arg(g, e, 0), b = expr_arg(g, e, 1), sum = EXPR_NONE;
    uint32_t ra = type_rank(g->types, expr_type(g, a)), rb = type_rank(g->types, expr_type(g, b));
    int64_t inner = type_dim(g->types, expr_type(g, a), ra - 1);
    if (inner < 0)
        return fail(w, "an array in it has no known size");
    if (inner == 0)
        return symbolic_zero(g, T_REAL);
    for (int64_t k = 1; k <= inner; k++) {
        ExprId row[2] = {ra == 2 ? at[0] : expr_int(g, k), expr_int(g, k)};
        ExprId column[2] = {expr_int(g, k), n ? at[n - 1] : EXPR_NONE};
        ExprId term = expr_mul(g, element(w, a, row, ra), element(w, b, column, rb));
        sum = sum ? expr_add(g, sum, term) : term;
    }
    return sum;
}

/* The element of x[…] with some dimensions taken whole. */
static ExprId element_of_slice(Inline *w, ExprId e, const ExprId *at, uint32_t n)
{
    Graph *g = w->g;
    ExprId base = expr_arg(g, e, 0), full[MAX_RANK];
    uint32_t rank = type_rank(g->types, expr_type(g, base)), used = 0;
    if (rank > MAX_RANK)
        return fail(w, "an array has too many dimensions");
    for (uint32_t k = 0; k < rank; k++) {
        ExprId sub = k + 1 < expr_n(g, e) ? expr_arg(g, e, k + 1) : EXPR_NONE;
        bool whole = !sub || expr_op(g, sub) == OP_COLON;
        if (whole || type_rank(g->types, expr_type(g, sub))) {
            if (used == n)
                return fail(w, "a subscript is missing");
            full[k] = whole ? at[used] : element(w, sub, &at[used], 1);
            used++;
        } else {
            full[k] = sub;
        }
    }
    return element(w, base, full, rank);
}

static ExprId element_of_range(Inline *w, ExprId e, ExprId at)
{
    Graph *g = w->g;
    ExprId step = expr_arg(g, e, 1), before = expr_sub(g, at, expr_int(g, 1));
    step = step ? step : expr_int(g, 1);
    return expr_add(g, expr_arg(g, e, 0), expr_mul(g, before, step));
}

/* Element i (from 0) of a vector. */
static ExprId item(Inline *w, ExprId v, int64_t i)
{
    ExprId at = expr_int(w->g, i + 1);
    return element(w, v, &at, 1);
}

/* Element (i, j) of the operators of vectors, i and j from 0; EXPR_NONE for other operators. */
static ExprId element_of_vectors(Inline *w, ExprId e, int64_t i, int64_t j)
{
    Graph *g = w->g;
    ExprId a = expr_n(g, e) ? expr_arg(g, e, 0) : EXPR_NONE,
           b = expr_n(g, e) > 1 ? expr_arg(g, e, 1) : EXPR_NONE;
    int64_t k = (i + 1) % 3, m = (i + 2) % 3;
    ExprId zero = symbolic_zero(g, T_REAL);
    switch (expr_op(g, e)) {
    case OP_CROSS:
        return expr_sub(g, expr_mul(g, item(w, a, k), item(w, b, m)),
                        expr_mul(g, item(w, a, m), item(w, b, k)));
    case OP_OUTER: return expr_mul(g, item(w, a, i), item(w, b, j));
    case OP_DIAGONAL: return i == j ? item(w, a, i) : zero;
    case OP_IDENTITY: return expr_int(g, i == j);
    case OP_SKEW:
        if (i == j)
            return zero;
        return j == k ? expr_neg(g, item(w, a, m)) : item(w, a, k);
    default: return EXPR_NONE;
    }
}

static ExprId element(Inline *w, ExprId e, const ExprId *at, uint32_t n)
{
    Graph *g = w->g;
    ExprOp op = expr_op(g, e);
    if (n == 0)
        return e;
    if (n > MAX_RANK)
        return fail(w, "an array has too many dimensions");
    switch (op) {
    case OP_ARRAY: {
        int64_t k = expr_op(g, at[0]) == OP_INT ? expr_int_value(g, at[0]) : 0;
        if (expr_op(g, at[0]) != OP_INT)
            return element_by_index(w, e, at, n);
        if (k < 1 || k > (int64_t)expr_n(g, e))
            return fail(w, "an index in it is out of range");
        return element(w, expr_arg(g, e, (uint32_t)k - 1), at + 1, n - 1);
    }
    case OP_ADD:
    case OP_NEG:
    case OP_MUL:
    case OP_DIV:
    case OP_IF:
    case OP_NOEVENT:
    case OP_TO_REAL: return element_wise(w, e, at, n);
    case OP_MATMUL: return element_of_product(w, e, at, n);
    case OP_INDEX: return element_of_slice(w, e, at, n);
    case OP_RANGE: return element_of_range(w, e, at[0]);
    case OP_FILL: return expr_n(g, e) - 1 == n ? expr_arg(g, e, 0) : element_by_index(w, e, at, n);
    case OP_TRANSPOSE: return element(w, expr_arg(g, e, 0), (ExprId[]){at[1], at[0]}, 2);
    default:
        if (op_is_function_of(op, 1) && !op_makes_integer_events(op))
            return element_wise(w, e, at, n);
        if (n <= 2 && expr_op(g, at[0]) == OP_INT && expr_op(g, at[n - 1]) == OP_INT) {
            ExprId x = element_of_vectors(w, e, expr_int_value(g, at[0]) - 1,
                                          expr_int_value(g, at[n - 1]) - 1);
            if (x)
                return x;
        }
        return element_by_index(w, e, at, n);
    }
}

/* All elements as an OP_ARRAY nest, below the subscripts already in `at`. */
static ExprId expand_from(Inline *w, ExprId e, TypeId type, ExprId *at, uint32_t k)
{
    Graph *g = w->g;
    uint32_t rank = type_rank(g->types, type);
    if (k == rank)
        return element(w, e, at, k);
    VEC(ExprId) items = {0};
    TypeId inner = type_drop(g->types, type, k);
    for (int64_t i = 1; i <= type_dim(g->types, type, k) && !w->failed; i++) {
        at[k] = expr_int(g, i);
        vec_push(&items, expand_from(w, e, type, at, k + 1));
    }
    ExprId out = w->failed ? EXPR_NONE : expr_make(g, OP_ARRAY, inner, 0, items.at, items.n);
    vec_free(&items);
    return out;
}

static ExprId expand(Inline *w, ExprId e)
{
    ExprId at[MAX_RANK];
    TypeId type = expr_type(w->g, e);
    int64_t count = type_count(w->g->types, type);
    if (type_rank(w->g->types, type) == 0)
        return e;
    if (count < 0 || count > ARRAY_LIMIT || type_rank(w->g->types, type) > MAX_RANK)
        return fail(w, "an array in it has no known size");
    return expand_from(w, e, type, at, 0);
}

typedef struct Scalars { /* of an array, the last first */
    const Graph *g;
    VEC(ExprId) list;
} Scalars;

static Walk add_scalar(void *user, ExprId e)
{
    Scalars *s = user;
    if (type_rank(s->g->types, expr_type(s->g, e)))
        return WALK_ON;
    vec_push(&s->list, e);
    return WALK_PAST;
}

/* sum, product, min, max of an array whose elements are known. */
static ExprId reduce(Inline *w, ExprId e)
{
    Graph *g = w->g;
    ExprOp op = expr_op(g, e);
    ExprOp join = op == OP_SUM       ? OP_ADD
                  : op == OP_PRODUCT ? OP_MUL
                  : op == OP_MIN_OF  ? OP_MIN
                                     : OP_MAX;
    Scalars s = {.g = g};
    ExprId acc = EXPR_NONE;
    expr_walk_down(g, expand(w, expr_arg(g, e, 0)), add_scalar, &s);
    while (s.list.n && !w->failed) {
        ExprId x = vec_pop(&s.list), pair[2] = {acc, x};
        acc = acc ? expr_apply(g, join, expr_type(g, e), 0, pair, 2) : x;
    }
    vec_free(&s.list);
    if (!acc && !w->failed)
        return op == OP_SUM ? symbolic_zero(g, expr_type(g, e))
                            : fail(w, "an array in it is empty");
    return acc;
}

/* ---- expressions over variables ---- */

static ExprId replace(void *user, Graph *g, ExprId e)
{
    Inline *w = user;
    uint32_t k = expr_index(g, e);
    if (w->failed)
        return e;
    if (expr_op(g, e) == OP_LOCAL) {
        if (k < w->f->n_vars && w->vals[k])
            return w->vals[k];
        fail(w, "a variable in it is used before it has a value");
        return e;
    }
    if (expr_op(g, e) == OP_ITER && map_get(&w->iters, k) != MAP_NONE)
        return map_get(&w->iters, k);
    return EXPR_NONE;
}

/* Scalars made from arrays; their arguments contain no variables any more. */
static ExprId scalarize(void *user, Graph *g, ExprId e)
{
    Inline *w = user;
    ExprOp op = expr_op(g, e);
    ExprId out = EXPR_NONE;
    if (w->failed || type_rank(g->types, expr_type(g, e)) || expr_n(g, e) == 0)
        return EXPR_NONE;
    if (op == OP_SUM || op == OP_PRODUCT || op == OP_MIN_OF || op == OP_MAX_OF)
        out = reduce(w, e);
    else if (op == OP_MATMUL)
        out = element_of_product(w, e, NULL, 0);
    else if (op == OP_INDEX && expr_n(g, e) <= MAX_RANK + 1) {
        ExprId at[MAX_RANK];
        for (uint32_t i = 1; i < expr_n(g, e); i++)
            at[i - 1] = expr_arg(g, e, i);
        out = element(w, expr_arg(g, e, 0), at, expr_n(g, e) - 1);
    }
    if (w->failed)
        return e;
    return out == e ? EXPR_NONE : out ? expr_map(g, out, scalarize, w) : EXPR_NONE;
}

static ExprId substitute(Inline *w, ExprId e)
{
    e = expr_map(w->g, e, replace, w);
    if (!w->failed)
        e = expr_map(w->g, e, scalarize, w);
    return w->failed ? EXPR_NONE : expand(w, e);
}

static bool literal_number(Inline *w, ExprId e, double *out)
{
    EvalEnv env = {.g = w->g, .arena = w->s->arena, .time = NAN, .silent = true, .steps = 1000000};
    return e && eval_number(&env, e, out) == EVAL_OK;
}

/* ---- assignment ---- */

/* `whole` with one of its scalars replaced: the one with number `at` when the section runs. If `at`
 * is out of range, the first scalar becomes NaN. Only for Reals in a section, and only a few times:
 * nested branches grow fast, and a call is as good then. */
static ExprId with_chosen_element(Inline *w, ExprId whole, ExprId at, ExprId v)
{
    Graph *g = w->g;
    uint32_t n = expr_n(g, whole);
    if (!w->f->of_section || ++w->chosen > CHOSEN_LIMIT || n == 0 || n > w->budget ||
        expr_type(g, at) != T_INT || expr_type(g, v) != T_REAL ||
        expr_type(g, expr_arg(g, whole, 0)) != T_REAL)
        return fail(w, "it assigns to an element that is not fixed");
    w->budget -= n;
    VEC(ExprId) items = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&items, expr_if(g, expr_compare(g, OP_EQ, at, expr_int(g, i + 1)), v,
                                 expr_arg(g, whole, i)));
    ExprId below = expr_compare(g, OP_LT, at, expr_int(g, 1)),
           above = expr_compare(g, OP_GT, at, expr_int(g, n));
    items.at[0] = expr_if(g, expr_or(g, below, above), expr_real(g, NAN), items.at[0]);
    ExprId out = expr_make(g, OP_ARRAY, expr_type(g, whole), 0, items.at, items.n);
    vec_free(&items);
    return out;
}

/* `whole` with the element at the subscripts replaced. */
static ExprId with_element(Inline *w, ExprId whole, const ExprId *at, uint32_t n, ExprId v)
{
    Graph *g = w->g;
    double k;
    if (n == 0)
        return v;
    if (expr_op(g, whole) != OP_ARRAY)
        return fail(w, "it assigns to an element that is not fixed");
    if (!literal_number(w, at[0], &k))
        return n == 1 ? with_chosen_element(w, whole, at[0], v)
                      : fail(w, "it assigns to an element that is not fixed");
    if (!(k >= 1 && k <= expr_n(g, whole)))
        return fail(w, "an index in it is out of range");
    VEC(ExprId) items = {0};
    for (uint32_t i = 0; i < expr_n(g, whole); i++)
        vec_push(&items, expr_arg(g, whole, i));
    items.at[(uint32_t)k - 1] = with_element(w, items.at[(uint32_t)k - 1], at + 1, n - 1, v);
    ExprId out =
        w->failed ? EXPR_NONE : expr_make(g, OP_ARRAY, expr_type(g, whole), 0, items.at, items.n);
    vec_free(&items);
    return out;
}

/* The declared type of a variable with the dimensions its declaration computes. */
static TypeId declared_type(Inline *w, uint32_t k)
{
    const FnVar *v = &w->f->vars[k];
    const Type *t = type_get(w->g->types, v->type);
    int64_t dims[MAX_RANK];
    if (t->kind != TYPE_ARRAY || t->n > MAX_RANK)
        return v->type;
    for (uint32_t i = 0; i < t->n; i++) {
        double d;
        dims[i] = t->dims[i];
        if (dims[i] == DIM_UNKNOWN && v->dims && v->dims[i] &&
            literal_number(w, substitute(w, v->dims[i]), &d))
            dims[i] = (int64_t)d;
    }
    return type_array(w->g->types, t->element, dims, t->n);
}

static void assign(Inline *w, ExprId lhs, ExprId v)
{
    Graph *g = w->g;
    ExprId at[MAX_RANK], base = lhs;
    uint32_t n = 0;
    if (expr_op(g, lhs) == OP_INDEX) {
        base = expr_arg(g, lhs, 0);
        n = expr_n(g, lhs) - 1;
        for (uint32_t i = 0; i < n && n <= MAX_RANK; i++)
            if (expr_op(g, expr_arg(g, lhs, i + 1)) == OP_COLON ||
                !(at[i] = substitute(w, expr_arg(g, lhs, i + 1))))
                n = MAX_RANK + 1;
    }
    if (expr_op(g, base) != OP_LOCAL || n > MAX_RANK) {
        fail(w, "it assigns to a part of an array or record");
        return;
    }
    uint32_t k = expr_index(g, base);
    if (n && !w->vals[k])
        w->vals[k] = expand(w, symbolic_zero(g, declared_type(w, k)));
    if (!w->failed)
        w->vals[k] = with_element(w, w->vals[k], at, n, v);
}

static void assign_statement(Inline *w, const Stmt *s)
{
    Graph *g = w->g;
    if (expr_op(g, s->lhs) != OP_TUPLE) {
        ExprId v = substitute(w, s->rhs);
        if (v)
            assign(w, s->lhs, v);
        return;
    }
    ExprId call = expr_map(g, s->rhs, replace, w);
    const Type *t = type_get(g->types, expr_type(g, call));
    for (uint32_t i = 0; i < expr_n(g, s->lhs) && !w->failed; i++) {
        ExprId to = expr_arg(g, s->lhs, i);
        if (!to || (t->kind == TYPE_TUPLE && i >= t->n))
            continue;
        ExprId v =
            t->kind == TYPE_TUPLE ? expr_apply(g, OP_OUT, t->fields[i].type, i, &call, 1) : call;
        v = expand(w, v);
        if (v)
            assign(w, to, v);
    }
}

/* ---- statements ---- */

static Flow execute(Inline *w, const Stmt *body, uint32_t n);

/* if c then a else b, element by element. */
static ExprId join(Inline *w, ExprId c, ExprId a, ExprId b)
{
    Graph *g = w->g;
    if (a == b || !a || !b)
        return a == b ? a : EXPR_NONE;
    if (expr_op(g, a) != OP_ARRAY || expr_op(g, b) != OP_ARRAY || expr_n(g, a) != expr_n(g, b))
        return expr_if(g, c, a, b);
    VEC(ExprId) items = {0};
    for (uint32_t i = 0; i < expr_n(g, a); i++)
        vec_push(&items, join(w, c, expr_arg(g, a, i), expr_arg(g, b, i)));
    ExprId out = expr_make(g, OP_ARRAY, expr_type(g, a), 0, items.at, items.n);
    vec_free(&items);
    return out;
}

/* Branches from k on. */
static Flow if_statement(Inline *w, const Stmt *s, uint32_t k)
{
    if (k == s->n_branches)
        return FLOW_NEXT;
    const StmtBranch *b = &s->branches[k];
    ExprId c = b->condition ? substitute(w, b->condition) : expr_bool(w->g, true);
    double v;
    if (!c)
        return FLOW_FAIL;
    if (literal_number(w, c, &v))
        return v != 0 ? execute(w, b->body, b->n) : if_statement(w, s, k + 1);
    size_t size = w->f->n_vars * sizeof *w->vals;
    ExprId *before = memory_alloc(size), *then = memory_alloc(size);
    memcpy(before, w->vals, size);
    Flow flow = execute(w, b->body, b->n), other = FLOW_FAIL;
    memcpy(then, w->vals, size);
    memcpy(w->vals, before, size);
    if (flow == FLOW_NEXT)
        other = if_statement(w, s, k + 1);
    for (uint32_t i = 0; i < w->f->n_vars && other == FLOW_NEXT; i++)
        w->vals[i] = join(w, c, then[i], w->vals[i]);
    memory_free(before);
    memory_free(then);
    if (flow != FLOW_NEXT || other != FLOW_NEXT)
        fail(w, "it leaves a loop or returns under a condition");
    return w->failed ? FLOW_FAIL : FLOW_NEXT;
}

static Flow for_statement(Inline *w, const Stmt *s)
{
    EvalEnv env = {.g = w->g, .arena = w->s->arena, .time = NAN, .silent = true, .steps = 1000000};
    Value range;
    ExprId over = expr_map(w->g, s->rhs, replace, w);
    if (w->failed || eval_expr(&env, over, &range) != EVAL_OK ||
        type_rank(w->g->types, range.type) != 1 || !(type_is_numeric(w->g->types, range.type))) {
        fail(w, "it loops over a range that is not fixed");
        return FLOW_FAIL;
    }
    bool real = type_element(w->g->types, range.type) == T_REAL;
    Flow flow = FLOW_NEXT;
    for (int64_t i = 0; i < type_dim(w->g->types, range.type, 0) && flow == FLOW_NEXT; i++) {
        double v = range.nums[i];
        map_put(&w->iters, expr_index(w->g, s->lhs),
                real ? expr_real(w->g, v) : expr_int(w->g, (int64_t)v));
        flow = execute(w, s->branches[0].body, s->branches[0].n);
    }
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static Flow while_statement(Inline *w, const Stmt *s)
{
    const StmtBranch *b = &s->branches[0];
    for (;;) {
        double c;
        if (!literal_number(w, substitute(w, b->condition), &c)) {
            fail(w, "it loops under a condition that is not fixed");
            return FLOW_FAIL;
        }
        if (c == 0)
            return FLOW_NEXT;
        Flow flow = execute(w, b->body, b->n);
        if (flow != FLOW_NEXT)
            return flow == FLOW_BREAK ? FLOW_NEXT : flow;
    }
}

static Flow statement(Inline *w, const Stmt *s)
{
    switch (s->kind) {
    case STMT_ASSIGN: assign_statement(w, s); break;
    case STMT_IF: return if_statement(w, s, 0);
    case STMT_FOR: return for_statement(w, s);
    case STMT_WHILE: return while_statement(w, s);
    case STMT_BREAK: return FLOW_BREAK;
    case STMT_RETURN: return FLOW_RETURN;
    case STMT_ASSERT: break;
    default: fail(w, "it has statements with effects"); break;
    }
    return w->failed ? FLOW_FAIL : FLOW_NEXT;
}

static Flow execute(Inline *w, const Stmt *body, uint32_t n)
{
    Flow flow = FLOW_NEXT;
    for (uint32_t i = 0; i < n && flow == FLOW_NEXT; i++) {
        if (w->budget-- == 0) {
            w->budget = 0;
            fail(w, "its loops are too long to be unrolled");
            return FLOW_FAIL;
        }
        flow = statement(w, &body[i]);
    }
    return flow;
}

/* ---- calls ---- */

static ExprId results(Inline *w)
{
    const Function *f = w->f;
    for (uint32_t i = 0; i < f->n_out; i++)
        if (!w->vals[f->n_in + i])
            return fail(w, "an output of it has no value");
    if (f->n_out == 1)
        return w->vals[f->n_in];
    return expr_make(w->g, OP_TUPLE, f->result, 0, w->vals + f->n_in, f->n_out);
}

static ExprId inline_body(Inline *w, ExprId call)
{
    const Function *f = w->f;
    for (uint32_t i = 0; i < f->n_in && !w->failed; i++)
        w->vals[i] = expand(w, expr_arg(w->g, call, i));
    for (uint32_t i = f->n_in; i < f->n_vars && !w->failed; i++)
        if (f->vars[i].binding)
            w->vals[i] = substitute(w, f->vars[i].binding);
    if (w->failed || execute(w, f->body, f->n_body) == FLOW_FAIL)
        return EXPR_NONE;
    return results(w);
}

ExprId symbolic_inline(Symbolic *s, ExprId call)
{
    const Function *f = s->g->functions.at[expr_index(s->g, call)];
    uint32_t known = map_get(&s->inlined, call);
    if (known != MAP_NONE && known)
        return known;
    if (f->external)
        return symbolic_fail(s, "external function %s has no derivative annotation", f->name);
    if (f->impure || !f->ready || s->inlining >= NESTING_LIMIT)
        return symbolic_fail(s, "function %s cannot be differentiated", f->name);
    Inline w = {.s = s, .g = s->g, .f = f, .budget = STATEMENT_LIMIT};
    w.vals = memory_alloc((f->n_vars + 1) * sizeof *w.vals);
    s->inlining++;
    ExprId out = inline_body(&w, call);
    s->inlining--;
    memory_free(w.vals);
    map_free(&w.iters);
    map_put(&s->inlined, call, out);
    return out;
}

/* ---- after index reduction ---- */

static bool is_expandable(const Graph *g, ExprId e)
{
    if (expr_op(g, e) != OP_CALL)
        return false;
    const Function *f = g->functions.at[expr_index(g, e)];
    return (f->inlining == FN_INLINE || f->inlining == FN_INLINE_LATE) && !f->external &&
           !f->impure && f->ready;
}

/* Whether the body identifies the call that it replaced. It does not if it lacks an argument of the
 * call: the same shape over other variables would look like the call. */
static bool identifies_call(Symbolic *s, ExprId body, ExprId call)
{
    uint32_t in_body, in_call;
    symbolic_holes(s, body, &in_body);
    symbolic_holes(s, call, &in_call);
    return s->g->functions.at[expr_index(s->g, call)]->n_derivatives && in_body == in_call;
}

/* A call with expanded arguments, as its body, which is expanded too. */
static ExprId expand_call(void *user, Graph *g, ExprId e)
{
    Symbolic *s = user;
    if (!is_expandable(g, e) || s->inlining >= NESTING_LIMIT)
        return EXPR_NONE;
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        vec_push(&args, expr_map(g, expr_arg(g, e, i), expand_call, s));
    ExprId call = expr_make(g, OP_CALL, expr_type(g, e), expr_index(g, e), args.at, args.n);
    vec_free(&args);
    ExprId body = symbolic_inline(s, call);
    if (!body)
        return call;
    s->inlining++;
    body = expr_map(g, body, expand_call, s);
    s->inlining--;
    if (identifies_call(s, body, call) && map_get(&s->expanded_calls, body) == MAP_NONE)
        map_put(&s->expanded_calls, body, call);
    return body;
}

static void find_call(void *user, ExprId e)
{
    Inline *w = user;
    if (!w->f && is_expandable(w->g, e))
        w->f = w->g->functions.at[expr_index(w->g, e)];
}

ExprId symbolic_expand(Symbolic *s, ExprId e)
{
    uint32_t known = map_get(&s->expanded, e);
    if (known != MAP_NONE)
        return known;
    Inline w = {.s = s, .g = s->g};
    expr_walk(s->g, e, find_call, &w);
    ExprId out = e;
    if (w.f) {
        out = expr_map(s->g, e, expand_call, s);
        out = expr_map(s->g, out, scalarize, &w);
    }
    map_put(&s->expanded, e, w.failed ? e : out);
    return w.failed ? e : out;
}

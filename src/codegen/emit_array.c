/* Emission of expressions that need statements: arrays and reductions. An array is a row-major
 * `double *` from kr_alloc, named like a scalar temporary. Dimensions that its type leaves open are
 * `int` variables t<k>_d0, t<k>_d1, … (l<k>_d0 for variables of a function). */
#include "codegen/emit.h"

bool emit_is_array(const Codegen *cg, ExprId e)
{
    return type_rank(cg->g->types, expr_type(cg->g, e)) > 0;
}

uint32_t emit_rank(const Codegen *cg, ExprId e)
{
    return type_rank(cg->g->types, expr_type(cg->g, e));
}

void emit_dim(Codegen *cg, Text *t, ExprId e, uint32_t k)
{
    if (k >= emit_rank(cg, e)) {
        emit_reject(cg, "the size of a dimension that does not exist");
        return;
    }
    int64_t d = type_dim(cg->g->types, expr_type(cg->g, e), k);
    bool variable = expr_op(cg->g, e) == OP_LOCAL;
    if (d >= 0 && !variable) {
        text_printf(t, "%lld", (long long)d);
    } else {
        emit_name(cg, t, e);
        text_printf(t, "_d%u", k);
    }
}

void emit_count(Codegen *cg, Text *t, ExprId e)
{
    for (uint32_t k = 0, n = emit_rank(cg, e); k < n; k++) {
        text_put(t, k == 0 ? "" : "*");
        emit_dim(cg, t, e, k);
    }
}

void emit_subscript(Codegen *cg, Text *t, ExprId array, const ExprId *subs, uint32_t n)
{
    bool element = cg->element;
    cg->element = false;
    for (uint32_t k = 1; k < n; k++) {
        text_put(t, "(");
    }
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0) {
            text_put(t, "*");
            emit_dim(cg, t, array, k);
            text_put(t, " + ");
        }
        EmitNode *x = emit_node(cg, subs[k]);
        int64_t d = type_dim(cg->g->types, expr_type(cg->g, array), k);
        if (x->constant && d >= x->value && x->value >= 1 && expr_op(cg->g, array) != OP_LOCAL) {
            text_printf(t, "%d", (int)x->value - 1);
        } else {
            text_put(t, "kr_index(m, ");
            emit_value(cg, t, subs[k], true);
            text_put(t, ", ");
            emit_dim(cg, t, array, k);
            text_put(t, ")");
        }
        text_put(t, k > 0 ? ")" : "");
    }
    cg->element = element;
}

/* "int t5_d0 = …" for open dimensions, taken from an expression of the same shape. */
static void open_dims_like(Codegen *cg, Text *t, ExprId e, ExprId like)
{
    for (uint32_t k = 0, n = emit_rank(cg, e); k < n; k++) {
        if (type_dim(cg->g->types, expr_type(cg->g, e), k) < 0) {
            text_put(t, "int ");
            emit_name(cg, t, e);
            text_printf(t, "_d%u = ", k);
            emit_dim(cg, t, like, k);
            text_put(t, "; ");
        }
    }
}

void emit_begin_dim(Codegen *cg, Text *t, ExprId e, uint32_t k)
{
    text_put(t, "int ");
    emit_name(cg, t, e);
    text_printf(t, "_d%u = ", k);
}

bool emit_is_open(const Codegen *cg, ExprId e, uint32_t k)
{
    return type_dim(cg->g->types, expr_type(cg->g, e), k) < 0;
}

/* "t = kr_alloc(m, …); if (t == 0) …" */
static void put_allocation(Codegen *cg, Text *t, ExprId e)
{
    emit_name(cg, t, e);
    text_put(t, " = kr_alloc(m, ");
    emit_count(cg, t, e);
    text_put(t, "); if (");
    emit_name(cg, t, e);
    text_printf(t, " == 0) %s\n", cg->escape);
    emit_indent(cg, t);
}

void emit_allocate(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "double *");
    put_allocation(cg, t, e);
}

static ExprId first_array(const Codegen *cg, ExprId e)
{
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        if (emit_is_array(cg, expr_arg(cg->g, e, k))) {
            return expr_arg(cg->g, e, k);
        }
    }
    return EXPR_NONE;
}

void emit_check_dim(Codegen *cg, Text *t, ExprId a, uint32_t i, ExprId b, uint32_t j)
{
    if (emit_is_open(cg, a, i) || emit_is_open(cg, b, j)) {
        text_put(t, "if (");
        emit_dim(cg, t, a, i);
        text_put(t, " != ");
        emit_dim(cg, t, b, j);
        text_printf(t, ") { kr_fail(m, -2); %s }\n", cg->escape);
        emit_indent(cg, t);
    }
}

/* Operands with open dimensions must agree at run time. */
static void check_sizes(Codegen *cg, Text *t, ExprId e, ExprId first)
{
    for (uint32_t j = 0, n = expr_n(cg->g, e); j < n; j++) {
        ExprId a = expr_arg(cg->g, e, j);
        for (uint32_t k = 0; a != first && k < emit_rank(cg, a); k++) {
            emit_check_dim(cg, t, first, k, a, k);
        }
    }
}

static void elementwise(Codegen *cg, Text *t, ExprId e)
{
    ExprId first = first_array(cg, e);
    check_sizes(cg, t, e, first);
    open_dims_like(cg, t, e, first);
    emit_allocate(cg, t, e);
    text_put(t, "for (int k = 0; k < ");
    emit_count(cg, t, e);
    text_put(t, "; k++) { ");
    emit_name(cg, t, e);
    text_put(t, "[k] = ");
    EmitNode *x = emit_node(cg, e);
    bool temp = x->temp, array = x->array;
    x->temp = x->array = false;
    cg->element = true;
    emit_value(cg, t, e, true);
    cg->element = false;
    x = emit_node(cg, e);
    x->temp = temp;
    x->array = array;
    text_put(t, "; }\n");
}

static void array_of(Codegen *cg, Text *t, ExprId e)
{
    uint32_t n = expr_n(cg->g, e);
    bool nested = n > 0 && emit_is_array(cg, expr_arg(cg->g, e, 0));
    for (uint32_t k = 1; nested && k < emit_rank(cg, e); k++) {
        if (emit_is_open(cg, e, k)) {
            emit_begin_dim(cg, t, e, k);
            emit_dim(cg, t, expr_arg(cg->g, e, 0), k - 1);
            text_put(t, "; ");
        }
    }
    emit_allocate(cg, t, e);
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(cg->g, e, i);
        if (nested) {
            text_put(t, "for (int k = 0; k < ");
            emit_count(cg, t, a);
            text_put(t, "; k++) { ");
            emit_name(cg, t, e);
            text_printf(t, "[%u*(", i);
            emit_count(cg, t, a);
            text_put(t, ") + k] = ");
            cg->element = true;
            emit_value(cg, t, a, true);
            cg->element = false;
            text_put(t, "; }");
        } else {
            emit_name(cg, t, e);
            text_printf(t, "[%u] = ", i);
            emit_value(cg, t, a, true);
            text_put(t, ";");
        }
        text_put(t, i + 1 < n ? " " : "\n");
    }
    text_put(t, n == 0 ? "\n" : "");
}

/* Subscript k of an OP_INDEX, EXPR_NONE if the dimension is taken whole. */
static ExprId subscript(const Codegen *cg, ExprId e, uint32_t k)
{
    ExprId s = k + 1 < expr_n(cg->g, e) ? expr_arg(cg->g, e, k + 1) : EXPR_NONE;
    return s != EXPR_NONE && expr_op(cg->g, s) == OP_COLON ? EXPR_NONE : s;
}

void emit_part_loops(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    for (uint32_t k = 0, rank = emit_rank(cg, a); k < rank; k++) {
        ExprId s = subscript(cg, e, k);
        if (s == EXPR_NONE || emit_is_array(cg, s)) {
            text_printf(t, "for (int k%u = 0; k%u < ", k, k);
            emit_dim(cg, t, s == EXPR_NONE ? a : s, s == EXPR_NONE ? k : 0);
            text_printf(t, "; k%u++) ", k);
        }
    }
}

void emit_part(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    uint32_t rank = emit_rank(cg, a);
    emit_name(cg, t, a);
    text_put(t, "[");
    for (uint32_t k = 1; k < rank; k++) {
        text_put(t, "(");
    }
    for (uint32_t k = 0; k < rank; k++) {
        ExprId s = subscript(cg, e, k);
        if (k > 0) {
            text_put(t, "*");
            emit_dim(cg, t, a, k);
            text_put(t, " + ");
        }
        if (s == EXPR_NONE) {
            text_printf(t, "k%u", k);
        } else {
            text_put(t, "kr_index(m, ");
            emit_value(cg, t, s, true);
            if (emit_is_array(cg, s)) {
                text_printf(t, "[k%u]", k);
            }
            text_put(t, ", ");
            emit_dim(cg, t, a, k);
            text_put(t, ")");
        }
        text_put(t, k > 0 ? ")" : "");
    }
    text_put(t, "]");
}

/* The part of an array: subscripts may be scalars, vectors, or whole dimensions. */
static void slice(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    /* open dimensions of the result */
    for (uint32_t k = 0, out = 0, rank = emit_rank(cg, a); k < rank; k++) {
        ExprId s = subscript(cg, e, k);
        if (s != EXPR_NONE && !emit_is_array(cg, s)) {
            continue;
        }
        if (emit_is_open(cg, e, out)) {
            emit_begin_dim(cg, t, e, out);
            emit_dim(cg, t, s == EXPR_NONE ? a : s, s == EXPR_NONE ? k : 0);
            text_put(t, "; ");
        }
        out++;
    }
    emit_allocate(cg, t, e);
    text_put(t, "{ int q = 0; ");
    emit_part_loops(cg, t, e);
    emit_name(cg, t, e);
    text_put(t, "[q++] = ");
    emit_part(cg, t, e);
    text_put(t, "; }\n");
}

static void range(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "double *");
    emit_name(cg, t, e);
    text_put(t, "; int ");
    emit_name(cg, t, e);
    text_put(t, "_d0 = kr_range(m, ");
    for (uint32_t k = 0; k < 3; k++) {
        if (expr_arg(cg->g, e, k) == EXPR_NONE) {
            text_put(t, "1.0");
        } else {
            emit_value(cg, t, expr_arg(cg->g, e, k), true);
        }
        text_put(t, ", ");
    }
    text_put(t, "&");
    emit_name(cg, t, e);
    text_put(t, "); if (");
    emit_name(cg, t, e);
    text_printf(t, " == 0) %s\n", cg->escape);
}

static const char *neutral(ExprOp op)
{
    switch (op) {
    case OP_SUM: return "0.0";
    case OP_PRODUCT: return "1.0";
    case OP_MIN_OF: return "1.7976931348623157e+308";
    default: return "(-1.7976931348623157e+308)";
    }
}

/* "acc = acc + x;" */
static void accumulate(Codegen *cg, Text *t, ExprOp op, ExprId acc, const char *x)
{
    emit_name(cg, t, acc);
    text_put(t, " = ");
    if (op == OP_MIN_OF || op == OP_MAX_OF) {
        emit_name(cg, t, acc);
        text_printf(t, " %s %s ? ", op == OP_MIN_OF ? "<" : ">", x);
        emit_name(cg, t, acc);
        text_printf(t, " : %s;", x);
    } else {
        emit_name(cg, t, acc);
        text_printf(t, " %s %s;", op == OP_SUM ? "+" : "*", x);
    }
}

static void reduction_of_array(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    ExprId a = expr_arg(cg->g, e, 0);
    text_put(t, "double ");
    emit_name(cg, t, e);
    text_printf(t, " = %s; for (int k = 0; k < ", neutral(op));
    emit_count(cg, t, a);
    text_put(t, "; k++) { double x = ");
    emit_name(cg, t, a);
    text_put(t, "[k]; ");
    accumulate(cg, t, op, e, "x");
    text_put(t, " }\n");
}

/* for each element of a range vector: the iterator's variable, then what `body` writes. */
static void begin_iteration(Codegen *cg, Text *t, ExprId iter, ExprId over)
{
    text_put(t, "for (int q = 0; q < ");
    emit_dim(cg, t, over, 0);
    text_printf(t, "; q++) {\n");
    cg->indent++;
    emit_indent(cg, t);
    text_printf(t, "double i%u = ", expr_index(cg->g, iter));
    emit_name(cg, t, over);
    text_put(t, "[q];\n");
}

static bool has_open(const Codegen *cg, ExprId e, uint32_t from)
{
    for (uint32_t k = from; k < emit_rank(cg, e); k++) {
        if (emit_is_open(cg, e, k)) {
            return true;
        }
    }
    return false;
}

/* Dimensions of e from `from` on are those of `body`, which are known only inside the loop. Before
 * the loop they are 0. */
static void declare_late(Codegen *cg, Text *t, ExprId e, uint32_t from)
{
    for (uint32_t k = from; k < emit_rank(cg, e); k++) {
        if (emit_is_open(cg, e, k)) {
            emit_begin_dim(cg, t, e, k);
            text_put(t, "0; ");
        }
    }
    text_put(t, "double *");
    emit_name(cg, t, e);
    text_put(t, " = 0;\n");
    emit_indent(cg, t);
}

/* "e_d1 = …; " for each open dimension of e from `from` on: those of `a`. */
static void put_dims(Codegen *cg, Text *t, ExprId e, uint32_t from, ExprId a)
{
    for (uint32_t k = from; k < emit_rank(cg, e); k++) {
        if (emit_is_open(cg, e, k)) {
            emit_name(cg, t, e);
            text_printf(t, "_d%u = ", k);
            emit_dim(cg, t, a, k - from);
            text_put(t, "; ");
        }
    }
}

/* In the first pass e takes its dimensions and its room; in later ones `body` must have the same.
 */
static void settle_late(Codegen *cg, Text *t, ExprId e, uint32_t from, ExprId body)
{
    emit_indent(cg, t);
    text_put(t, "if (q == 0) { ");
    put_dims(cg, t, e, from, body);
    put_allocation(cg, t, e);
    text_put(t, "}\n");
    emit_indent(cg, t);
    for (uint32_t k = from; k < emit_rank(cg, e); k++) {
        emit_check_dim(cg, t, e, k, body, k - from);
    }
}

static void end_iteration(Codegen *cg, Text *t)
{
    text_put(t, "\n");
    cg->indent--;
    emit_indent(cg, t);
    text_put(t, "}\n");
}

/* Element by element. */
static void reduction_to_array(Codegen *cg, Text *t, ExprId e, ExprOp op)
{
    ExprId body = expr_arg(cg->g, e, 1);
    declare_late(cg, t, e, 0);
    if (!has_open(cg, e, 0)) {
        put_allocation(cg, t, e);
        text_put(t, "for (int k = 0; k < ");
        emit_count(cg, t, e);
        text_put(t, "; k++) ");
        emit_name(cg, t, e);
        text_printf(t, "[k] = %s;\n", neutral(op));
        emit_indent(cg, t);
    }
    begin_iteration(cg, t, expr_arg(cg->g, e, 2), expr_arg(cg->g, e, 3));
    emit_region(cg, t, emit_node(cg, e)->branch[0]);
    if (has_open(cg, e, 0)) {
        settle_late(cg, t, e, 0, body);
    } else {
        emit_indent(cg, t);
    }
    text_put(t, "for (int k = 0; k < ");
    emit_count(cg, t, e);
    text_put(t, "; k++) ");
    emit_name(cg, t, e);
    text_put(t, "[k] = ");
    if (has_open(cg, e, 0)) {
        text_printf(t, "(q == 0 ? %s : ", neutral(op));
        emit_name(cg, t, e);
        text_put(t, "[k])");
    } else {
        emit_name(cg, t, e);
        text_put(t, "[k]");
    }
    text_printf(t, " %s ", op == OP_SUM ? "+" : "*");
    emit_name(cg, t, body);
    text_put(t, "[k];");
    end_iteration(cg, t);
}

static void reduction(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = (ExprOp)expr_int_value(cg->g, expr_arg(cg->g, e, 0));
    ExprId body = expr_arg(cg->g, e, 1);
    if (emit_is_array(cg, body)) {
        reduction_to_array(cg, t, e, op);
        return;
    }
    text_put(t, "double ");
    emit_name(cg, t, e);
    text_printf(t, " = %s;\n", neutral(op));
    emit_indent(cg, t);
    begin_iteration(cg, t, expr_arg(cg->g, e, 2), expr_arg(cg->g, e, 3));
    emit_region(cg, t, emit_node(cg, e)->branch[0]);
    emit_indent(cg, t);
    text_put(t, "double x = ");
    emit_value(cg, t, body, true);
    text_put(t, "; ");
    accumulate(cg, t, op, e, "x");
    end_iteration(cg, t);
}

/* "for (…) e[q*n + k] = body[k];", or the one element. */
static void put_pass(Codegen *cg, Text *t, ExprId e, ExprId body)
{
    if (!emit_is_array(cg, body)) {
        emit_name(cg, t, e);
        text_put(t, "[q] = ");
        emit_value(cg, t, body, true);
        text_put(t, ";");
        return;
    }
    text_put(t, "for (int k = 0; k < ");
    emit_count(cg, t, body);
    text_put(t, "; k++) ");
    emit_name(cg, t, e);
    text_put(t, "[q*(");
    emit_count(cg, t, body);
    text_put(t, ") + k] = ");
    emit_name(cg, t, body);
    text_put(t, "[k];");
}

static void comprehension(Codegen *cg, Text *t, ExprId e)
{
    ExprId body = expr_arg(cg->g, e, 0), over = expr_arg(cg->g, e, 2);
    bool late = has_open(cg, e, 1);
    if (emit_is_open(cg, e, 0)) {
        emit_begin_dim(cg, t, e, 0);
        emit_dim(cg, t, over, 0);
        text_put(t, "; ");
    }
    if (late) {
        declare_late(cg, t, e, 1);
    } else {
        emit_allocate(cg, t, e);
    }
    begin_iteration(cg, t, expr_arg(cg->g, e, 1), over);
    emit_region(cg, t, emit_node(cg, e)->branch[0]);
    if (late) {
        settle_late(cg, t, e, 1, body);
    } else {
        emit_indent(cg, t);
    }
    put_pass(cg, t, e, body);
    end_iteration(cg, t);
}

static void choice_branch(Codegen *cg, Text *t, ExprId e, uint32_t b)
{
    ExprId a = expr_arg(cg->g, e, b + 1);
    cg->indent++;
    emit_region(cg, t, emit_node(cg, e)->branch[b]);
    emit_indent(cg, t);
    emit_name(cg, t, e);
    text_put(t, " = ");
    emit_name(cg, t, a);
    text_put(t, "; ");
    put_dims(cg, t, e, 0, a);
    cg->indent--;
    text_put(t, "\n");
    emit_indent(cg, t);
}

static void choice_of_arrays(Codegen *cg, Text *t, ExprId e)
{
    for (uint32_t k = 0; k < emit_rank(cg, e); k++) {
        if (emit_is_open(cg, e, k)) {
            emit_begin_dim(cg, t, e, k);
            text_put(t, "0; ");
        }
    }
    text_put(t, "double *");
    emit_name(cg, t, e);
    text_put(t, "; if ");
    emit_condition(cg, t, expr_arg(cg->g, e, 0));
    text_put(t, " {\n");
    choice_branch(cg, t, e, 0);
    text_put(t, "} else {\n");
    choice_branch(cg, t, e, 1);
    text_put(t, "}\n");
}

void emit_statement(Codegen *cg, Text *t, ExprId e)
{
    if (emit_matrix(cg, t, e)) {
        return;
    }
    switch (expr_op(cg->g, e)) {
    case OP_ARRAY: array_of(cg, t, e); break;
    case OP_INDEX: slice(cg, t, e); break;
    case OP_RANGE: range(cg, t, e); break;
    case OP_SUM:
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF: reduction_of_array(cg, t, e); break;
    case OP_REDUCE: reduction(cg, t, e); break;
    case OP_COMPREHEND: comprehension(cg, t, e); break;
    case OP_IF: choice_of_arrays(cg, t, e); break;
    case OP_CALL: emit_call_statement(cg, t, e); break;
    case OP_NOEVENT:
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM: text_put(t, "\n"); break;
    case OP_STRING:
    case OP_RECORD:
    case OP_FIELD: emit_reject(cg, expr_op_text(expr_op(cg->g, e))); break;
    default: elementwise(cg, t, e);
    }
}

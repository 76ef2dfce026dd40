/* Emission of the functions that make arrays of arrays: sizes, copies, linear algebra. Values agree
 * with expr/eval/eval_array.c. */
#include "codegen/emit.h"

/* "int t5_d0 = TEXT of the dimension of `like`; " if the type leaves it open. */
static void dim_like(Codegen *cg, Text *t, ExprId e, uint32_t k, ExprId like, uint32_t of)
{
    if (emit_is_open(cg, e, k)) {
        emit_begin_dim(cg, t, e, k);
        emit_dim(cg, t, like, of);
        text_put(t, "; ");
    }
}

/* The number of elements within one step of dimension `from` - 1. */
static void count_from(Codegen *cg, Text *t, ExprId e, uint32_t from, uint32_t to)
{
    text_put(t, "1");
    for (uint32_t k = from; k < to; k++) {
        text_put(t, "*");
        emit_dim(cg, t, e, k);
    }
}

/* cat: for each step of the dimensions before the joined one, copies the chunks of all
 * arguments. */
static void joined(Codegen *cg, Text *t, ExprId e)
{
    const EmitNode *which = emit_node(cg, expr_arg(cg->g, e, 0));
    uint32_t n = expr_n(cg->g, e), rank = emit_rank(cg, e);
    if (which == NULL || !which->constant || !(which->value >= 1.0 && which->value <= rank)) {
        emit_reject(cg, "cat along a computed dimension");
        return;
    }
    uint32_t along = (uint32_t)which->value - 1;
    ExprId first = expr_arg(cg->g, e, 1);
    for (uint32_t i = 2; i < n; i++) {
        for (uint32_t k = 0; k < rank; k++) {
            if (k != along) {
                emit_check_dim(cg, t, first, k, expr_arg(cg->g, e, i), k);
            }
        }
    }
    for (uint32_t k = 0; k < rank; k++) {
        if (k != along) {
            dim_like(cg, t, e, k, first, k);
        } else if (emit_is_open(cg, e, k)) {
            emit_begin_dim(cg, t, e, k);
            for (uint32_t i = 1; i < n; i++) {
                text_put(t, i == 1 ? "" : " + ");
                emit_dim(cg, t, expr_arg(cg->g, e, i), k);
            }
            text_put(t, "; ");
        }
    }
    emit_allocate(cg, t, e);
    text_put(t, "{ int q = 0; for (int o = 0; o < ");
    count_from(cg, t, first, 0, along);
    text_put(t, "; o++) { ");
    for (uint32_t i = 1; i < n; i++) {
        ExprId a = expr_arg(cg->g, e, i);
        text_put(t, "for (int k = 0, c = ");
        count_from(cg, t, a, along, rank);
        text_put(t, "; k < c; k++) ");
        emit_name(cg, t, e);
        text_put(t, "[q++] = ");
        emit_name(cg, t, a);
        text_put(t, "[o*c + k]; ");
    }
    text_put(t, "} }\n");
}

static void size_from(Codegen *cg, Text *t, ExprId e, uint32_t k, ExprId value)
{
    if (emit_is_open(cg, e, k)) {
        emit_begin_dim(cg, t, e, k);
        text_put(t, "(int)");
        emit_value(cg, t, value, false);
        text_put(t, "; ");
    }
}

static void begin_loop(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "for (int k = 0; k < ");
    emit_count(cg, t, e);
    text_put(t, "; k++) { ");
    emit_name(cg, t, e);
    text_put(t, "[k] = ");
}

static void filled(Codegen *cg, Text *t, ExprId e)
{
    ExprId value = expr_arg(cg->g, e, 0);
    uint32_t n = expr_n(cg->g, e) - 1;
    for (uint32_t k = 0; k < emit_rank(cg, e); k++) {
        if (k < n) {
            size_from(cg, t, e, k, expr_arg(cg->g, e, k + 1));
        } else {
            dim_like(cg, t, e, k, value, k - n);
        }
    }
    emit_allocate(cg, t, e);
    begin_loop(cg, t, e);
    if (emit_is_array(cg, value)) {
        emit_name(cg, t, value);
        text_put(t, "[k%(");
        emit_count(cg, t, value);
        text_put(t, ")]");
    } else {
        emit_value(cg, t, value, true);
    }
    text_put(t, "; }\n");
}

static void identity(Codegen *cg, Text *t, ExprId e)
{
    size_from(cg, t, e, 0, expr_arg(cg->g, e, 0));
    size_from(cg, t, e, 1, expr_arg(cg->g, e, 0));
    emit_allocate(cg, t, e);
    begin_loop(cg, t, e);
    text_put(t, "k%(");
    emit_dim(cg, t, e, 0);
    text_put(t, " + 1) == 0 ? 1.0 : 0.0; }\n");
}

static void diagonal(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    dim_like(cg, t, e, 0, a, 0);
    dim_like(cg, t, e, 1, a, 0);
    emit_allocate(cg, t, e);
    text_put(t, "for (int k = 0; k < ");
    emit_dim(cg, t, a, 0);
    text_put(t, "; k++) ");
    emit_name(cg, t, e);
    text_put(t, "[k*(");
    emit_dim(cg, t, a, 0);
    text_put(t, " + 1)] = ");
    emit_name(cg, t, a);
    text_put(t, "[k];\n");
}

static void linspace(Codegen *cg, Text *t, ExprId e)
{
    size_from(cg, t, e, 0, expr_arg(cg->g, e, 2));
    text_put(t, "if (");
    emit_dim(cg, t, e, 0);
    text_printf(t, " < 2) { kr_fail(m, -2); %s }\n", cg->escape);
    emit_indent(cg, t);
    emit_allocate(cg, t, e);
    begin_loop(cg, t, e);
    emit_value(cg, t, expr_arg(cg->g, e, 0), false);
    text_put(t, " + (");
    emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    text_put(t, " - ");
    emit_value(cg, t, expr_arg(cg->g, e, 0), false);
    text_put(t, ")*(double)k/(double)(");
    emit_dim(cg, t, e, 0);
    text_put(t, " - 1); }\n");
}

static void transposed(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    for (uint32_t k = 0; k < 2; k++) {
        if (emit_is_open(cg, e, k)) {
            emit_begin_dim(cg, t, e, k);
            emit_dim(cg, t, a, 1 - k);
            text_put(t, "; ");
        }
    }
    emit_allocate(cg, t, e);
    text_put(t, "for (int i = 0; i < ");
    emit_dim(cg, t, e, 0);
    text_put(t, "; i++) for (int j = 0; j < ");
    emit_dim(cg, t, e, 1);
    text_put(t, "; j++) ");
    emit_name(cg, t, e);
    text_put(t, "[i*");
    emit_dim(cg, t, e, 1);
    text_put(t, " + j] = ");
    emit_name(cg, t, a);
    text_put(t, "[j*");
    emit_dim(cg, t, e, 0);
    text_put(t, " + i];\n");
}

/* rows*inner times inner*columns; a vector is one row on the left, one column on the right. */
static void product(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0), b = expr_arg(cg->g, e, 1);
    uint32_t ra = emit_rank(cg, a), rb = emit_rank(cg, b);
    emit_check_dim(cg, t, a, ra - 1, b, 0);
    uint32_t out = 0;
    for (uint32_t k = 0; k + 1 < ra; k++, out++) {
        if (emit_is_open(cg, e, out)) {
            emit_begin_dim(cg, t, e, out);
            emit_dim(cg, t, a, k);
            text_put(t, "; ");
        }
    }
    for (uint32_t k = 1; k < rb; k++, out++) {
        if (emit_is_open(cg, e, out)) {
            emit_begin_dim(cg, t, e, out);
            emit_dim(cg, t, b, k);
            text_put(t, "; ");
        }
    }
    if (out > 0) {
        emit_allocate(cg, t, e);
    } else {
        text_put(t, "double ");
        emit_name(cg, t, e);
        text_put(t, "; ");
    }
    text_printf(t, "kr_matmul(");
    emit_name(cg, t, a);
    text_put(t, ", ");
    emit_name(cg, t, b);
    text_put(t, out > 0 ? ", " : ", &");
    emit_name(cg, t, e);
    text_put(t, ", ");
    if (ra == 2) {
        emit_dim(cg, t, a, 0);
    } else {
        text_put(t, "1");
    }
    text_put(t, ", ");
    emit_dim(cg, t, b, 0);
    text_put(t, ", ");
    if (rb == 2) {
        emit_dim(cg, t, b, 1);
    } else {
        text_put(t, "1");
    }
    text_put(t, ");\n");
}

/* Two vectors: outer product. */
static void outer(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0), b = expr_arg(cg->g, e, 1);
    dim_like(cg, t, e, 0, a, 0);
    dim_like(cg, t, e, 1, b, 0);
    emit_allocate(cg, t, e);
    begin_loop(cg, t, e);
    emit_name(cg, t, a);
    text_put(t, "[k/");
    emit_dim(cg, t, b, 0);
    text_put(t, "]*");
    emit_name(cg, t, b);
    text_put(t, "[k%");
    emit_dim(cg, t, b, 0);
    text_put(t, "]; }\n");
}

/* symmetric(a): copies the upper triangle to the lower one. */
static void symmetric(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    emit_check_dim(cg, t, a, 0, a, 1);
    dim_like(cg, t, e, 0, a, 0);
    dim_like(cg, t, e, 1, a, 0);
    emit_allocate(cg, t, e);
    text_put(t, "for (int i = 0, n = ");
    emit_dim(cg, t, a, 0);
    text_put(t, "; i < n; i++) for (int j = 0; j < n; j++) ");
    emit_name(cg, t, e);
    text_put(t, "[i*n + j] = ");
    emit_name(cg, t, a);
    text_put(t, "[i <= j ? i*n + j : j*n + i];\n");
}

static void fail_unless_three(Codegen *cg, Text *t, ExprId a)
{
    if (emit_is_open(cg, a, 0)) {
        text_put(t, "if (");
        emit_dim(cg, t, a, 0);
        text_printf(t, " != 3) { kr_fail(m, -2); %s }\n", cg->escape);
        emit_indent(cg, t);
    }
}

static void cross(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0), b = expr_arg(cg->g, e, 1);
    fail_unless_three(cg, t, a);
    fail_unless_three(cg, t, b);
    dim_like(cg, t, e, 0, a, 0);
    emit_allocate(cg, t, e);
    text_put(t, "{ double *a = ");
    emit_name(cg, t, a);
    text_put(t, ", *b = ");
    emit_name(cg, t, b);
    text_put(t, "; for (int i = 0; i < 3; i++) { int j = (i + 1)%3, k = (i + 2)%3; ");
    emit_name(cg, t, e);
    text_put(t, "[i] = a[j]*b[k] - a[k]*b[j]; } }\n");
}

static void skew(Codegen *cg, Text *t, ExprId e)
{
    static const struct {
        const char *sign;
        int of;
    } entries[9] = {{"", -1}, {"-", 2}, {"", 1}, {"", 2}, {"", -1},
                    {"-", 0}, {"-", 1}, {"", 0}, {"", -1}};
    ExprId a = expr_arg(cg->g, e, 0);
    fail_unless_three(cg, t, a);
    dim_like(cg, t, e, 0, a, 0);
    dim_like(cg, t, e, 1, a, 0);
    emit_allocate(cg, t, e);
    for (int k = 0; k < 9; k++) {
        if (entries[k].of >= 0) {
            emit_name(cg, t, e);
            text_printf(t, "[%d] = %s", k, entries[k].sign);
            emit_name(cg, t, a);
            text_printf(t, "[%d]; ", entries[k].of);
        }
    }
    text_put(t, "\n");
}

/* vector, matrix: the same elements under other dimensions. */
static void reshaped(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    uint32_t rank = emit_rank(cg, a);
    for (uint32_t k = 0; k < emit_rank(cg, e); k++) {
        if (!emit_is_open(cg, e, k)) {
            continue;
        }
        emit_begin_dim(cg, t, e, k);
        if (expr_op(cg->g, e) == OP_VECTOR) {
            count_from(cg, t, a, 0, rank);
        } else if (k < rank) {
            emit_dim(cg, t, a, k);
        } else {
            text_put(t, "1");
        }
        text_put(t, "; ");
    }
    emit_allocate(cg, t, e);
    begin_loop(cg, t, e);
    emit_value(cg, t, a, true);
    text_put(t, rank > 0 ? "[k]; }\n" : "; }\n");
}

static void matrix_power(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    emit_check_dim(cg, t, a, 0, a, 1);
    dim_like(cg, t, e, 0, a, 0);
    dim_like(cg, t, e, 1, a, 0);
    emit_allocate(cg, t, e);
    text_put(t, "kr_matpow(m, ");
    emit_name(cg, t, a);
    text_put(t, ", ");
    emit_value(cg, t, expr_arg(cg->g, e, 1), true);
    text_put(t, ", ");
    emit_name(cg, t, e);
    text_put(t, ", ");
    emit_dim(cg, t, a, 0);
    text_printf(t, "); if (m->status != 0) %s\n", cg->escape);
}

/* size(a): all dimensions. */
static void sizes(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0);
    if (emit_is_open(cg, e, 0)) {
        emit_begin_dim(cg, t, e, 0);
        text_printf(t, "%u; ", emit_rank(cg, a));
    }
    emit_allocate(cg, t, e);
    for (uint32_t k = 0; k < emit_rank(cg, a); k++) {
        emit_name(cg, t, e);
        text_printf(t, "[%u] = ", k);
        emit_dim(cg, t, a, k);
        text_put(t, "; ");
    }
    text_put(t, "\n");
}

bool emit_matrix(Codegen *cg, Text *t, ExprId e)
{
    switch (expr_op(cg->g, e)) {
    case OP_CAT: joined(cg, t, e); return true;
    case OP_FILL: filled(cg, t, e); return true;
    case OP_IDENTITY: identity(cg, t, e); return true;
    case OP_DIAGONAL: diagonal(cg, t, e); return true;
    case OP_LINSPACE: linspace(cg, t, e); return true;
    case OP_TRANSPOSE: transposed(cg, t, e); return true;
    case OP_MATMUL: product(cg, t, e); return true;
    case OP_MATPOW: matrix_power(cg, t, e); return true;
    case OP_OUTER: outer(cg, t, e); return true;
    case OP_SYMMETRIC: symmetric(cg, t, e); return true;
    case OP_CROSS: cross(cg, t, e); return true;
    case OP_SKEW: skew(cg, t, e); return true;
    case OP_VECTOR:
    case OP_MATRIX: reshaped(cg, t, e); return true;
    case OP_SIZE: sizes(cg, t, e); return true;
    default: return false;
    }
}

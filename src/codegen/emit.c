/* Text of scalar expressions and of the statements that define temporaries. See emit.h. */
#include "codegen/emit.h"

#include "base/arith.h"
#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double emit_string(Codegen *cg, Name text);

void emit_reject(Codegen *cg, const char *what)
{
    if (!cg->failed) {
        diag(cg->ctx, cg->span, DIAG_C002,
             "%s is not supported in simulated equations and functions yet", what);
    }
    cg->failed = true;
}

void emit_indent(Codegen *cg, Text *t)
{
    static const char blanks[] = "                                        ";
    unsigned n = cg->indent < 10 ? cg->indent * 4 : 40;
    text_put_n(t, blanks, n);
}

/* A C literal of type double that reads back exactly; negative ones are in parentheses. */
static void emit_real(Text *t, double x)
{
    if (isnan(x)) {
        text_put(t, "(1e999 - 1e999)");
    } else if (isinf(x)) {
        text_put(t, x > 0 ? "1e999" : "(-1e999)");
    } else {
        char buf[REAL_TEXT + 3];
        real_print(buf, x);
        const char *point = strpbrk(buf, ".e") == NULL ? ".0" : "";
        text_printf(t, signbit(x) ? "(%s%s)" : "%s%s", buf, point);
    }
}

/* ---- tables ---- */

bool emit_is_table(Codegen *cg, ExprId e)
{
    if (expr_op(cg->g, e) != OP_ARRAY || expr_n(cg->g, e) == 0) {
        return false;
    }
    uint32_t known = map_get(&cg->constant_arrays, e);
    if (known != MAP_NONE) {
        return known != 0;
    }
    bool all = true;
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n && all; k++) {
        ExprId a = expr_arg(cg->g, e, k);
        all = a != EXPR_NONE && (expr_is_literal(cg->g, a) || emit_is_table(cg, a));
    }
    map_put(&cg->constant_arrays, e, all);
    return all;
}

static void table_elements(Codegen *cg, Text *t, ExprId e, uint32_t *count)
{
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        ExprId a = expr_arg(cg->g, e, k);
        if (expr_op(cg->g, a) == OP_ARRAY) {
            table_elements(cg, t, a, count);
            continue;
        }
        text_put(t, *count == 0 ? "" : *count % 8 == 0 ? ",\n    " : ", ");
        emit_real(t, expr_op(cg->g, a) == OP_STRING ? emit_string(cg, expr_name(cg->g, a))
                                                    : expr_real_value(cg->g, a));
        ++*count;
    }
}

static uint32_t table_number(Codegen *cg, ExprId e)
{
    uint32_t number = map_get(&cg->constant_tables, e), count = 0;
    if (number == MAP_NONE) {
        number = cg->constant_tables.n;
        map_put(&cg->constant_tables, e, number);
        text_printf(&cg->tables, "static const double c%u[] = {", number);
        table_elements(cg, &cg->tables, e, &count);
        text_put(&cg->tables, "};\n");
    }
    return number;
}

/* ---- values in a row ---- */

/* The slot of a hole; NONE if the present group does not name a single one for it. */
static uint32_t slot_of_hole(Codegen *cg, uint32_t hole)
{
    Text t = {0};
    unsigned slot = NONE;
    char beyond;
    cg->hole(cg, &t, hole);
    bool single = sscanf(t.at, "v[%u]%c", &slot, &beyond) == 1;
    text_free(&t);
    return single ? slot : NONE;
}

/* The elements of e are the values from *next on; it is moved beyond them. NONE: the first element
 * decides. */
static bool continues_row(Codegen *cg, ExprId e, uint32_t *next)
{
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        ExprId a = expr_arg(cg->g, e, k);
        if (a != EXPR_NONE && expr_op(cg->g, a) == OP_ARRAY && continues_row(cg, a, next)) {
            continue;
        }
        if (a == EXPR_NONE || expr_op(cg->g, a) != OP_HOLE) {
            return false;
        }
        uint32_t slot = slot_of_hole(cg, expr_index(cg->g, a));
        if (slot == NONE || (*next != NONE && slot != *next)) {
            return false;
        }
        *next = slot + 1;
    }
    return *next != NONE;
}

bool emit_find_row(Codegen *cg, ExprId e, uint32_t *slot)
{
    ExprId first = e;
    while (expr_op(cg->g, first) == OP_ARRAY && expr_n(cg->g, first) > 0) {
        first = expr_arg(cg->g, first, 0);
    }
    if (first == e || cg->hole == NULL || expr_op(cg->g, first) != OP_HOLE) {
        return false;
    }
    uint32_t next = NONE;
    *slot = slot_of_hole(cg, expr_index(cg->g, first));
    return continues_row(cg, e, &next);
}

/* ---- text ---- */

void emit_name(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    const EmitNode *x = emit_node(cg, e);
    if (emit_is_table(cg, e)) { /* inputs of functions are not written to */
        text_printf(t, "((double *)c%u)", table_number(cg, e));
    } else if (x != NULL && x->row) { /* likewise */
        text_printf(t, "(v + %u)", x->slot);
    } else if (op == OP_OUT) {
        emit_name(cg, t, expr_arg(cg->g, e, 0));
        text_printf(t, "_%u", expr_index(cg->g, e));
    } else if (op == OP_LOCAL) {
        text_printf(t, "l%u", expr_index(cg->g, e));
    } else if (op == OP_NOEVENT || op == OP_TO_REAL || op == OP_TO_INT || op == OP_TO_ENUM) {
        emit_name(cg, t, expr_arg(cg->g, e, 0));
    } else {
        text_printf(t, "t%u", cg->index.at[e]);
    }
}

static const char *relation_text(ExprOp op)
{
    switch (op) {
    case OP_LT: return " < ";
    case OP_LE: return " <= ";
    case OP_GT: return " > ";
    case OP_GE: return " >= ";
    case OP_EQ: return " == ";
    case OP_NE: return " != ";
    default: return NULL;
    }
}

static bool is_logical(ExprOp op)
{
    return op_class(op) == CLASS_RELATION || op_class(op) == CLASS_LOGIC;
}

static void logical_text(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    const char *relation = relation_text(op);
    if (relation != NULL) {
        bool text = type_element(cg->g->types, expr_type(cg->g, expr_arg(cg->g, e, 0))) == T_STRING;
        bool order = text && op != OP_EQ && op != OP_NE;
        text_put(t, order ? "kr_order(m, " : "");
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, order ? ", " : relation);
        emit_value(cg, t, expr_arg(cg->g, e, 1), false);
        text_printf(t, order ? ")%s0.0" : "", relation);
    } else if (op == OP_NOT) {
        text_put(t, "!");
        emit_condition(cg, t, expr_arg(cg->g, e, 0));
    } else {
        for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
            text_put(t, k == 0 ? "" : op == OP_AND ? " && " : " || ");
            emit_condition(cg, t, expr_arg(cg->g, e, k));
        }
    }
}

void emit_condition(Codegen *cg, Text *t, ExprId e)
{
    EmitNode *x = emit_node(cg, e);
    text_put(t, "(");
    if (is_logical(expr_op(cg->g, e)) && !x->temp && !x->constant) {
        logical_text(cg, t, e);
    } else {
        emit_value(cg, t, e, false);
        text_put(t, " != 0.0");
    }
    text_put(t, ")");
}

/* Sums and products, left to right; constants in front are folded into one. */
static void chain_text(Codegen *cg, Text *t, ExprId e, bool bare)
{
    ExprOp op = expr_op(cg->g, e);
    uint32_t n = expr_n(cg->g, e), k = 0;
    text_put(t, bare || n == 1 ? "" : "(");
    EmitNode *a = emit_node(cg, expr_arg(cg->g, e, 0));
    if (a->constant) {
        double c = a->value;
        for (k = 1; k < n && (a = emit_node(cg, expr_arg(cg->g, e, k)))->constant; k++) {
            c = op_apply2(op, c, a->value);
        }
        emit_real(t, c);
    } else {
        emit_value(cg, t, a->e, false);
        k = 1;
    }
    for (; k < n; k++) {
        a = emit_node(cg, expr_arg(cg->g, e, k));
        bool minus = op == OP_ADD && expr_op(cg->g, a->e) == OP_NEG && !a->temp && !a->constant;
        text_put(t, minus ? " - " : op == OP_ADD ? " + " : "*");
        emit_value(cg, t, minus ? expr_arg(cg->g, a->e, 0) : a->e, false);
    }
    text_put(t, bare || n == 1 ? "" : ")");
}

static void power_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId base = expr_arg(cg->g, e, 0), exponent = expr_arg(cg->g, e, 1);
    EmitNode *x = emit_node(cg, exponent);
    static const char *const before[5][4] = {
        [2] = {"(", "*"}, [3] = {"(", "*", "*"}, [4] = {"((", "*", ")*(", "*"}};
    int small = emit_small_power(cg->g, e);
    if (small != 0) {
        for (int k = 0; k < small; k++) {
            text_put(t, before[small][k]);
            emit_value(cg, t, base, false);
        }
        text_put(t, small == 4 ? "))" : ")");
        return;
    }
    if (x->constant && x->value == rint(x->value) && fabs(x->value) <= ARITH_POWER) {
        text_put(t, "kr_powi(");
        emit_value(cg, t, base, true);
        text_printf(t, ", %d)", (int)x->value);
        return;
    }
    text_put(t, "kr_pow(");
    emit_value(cg, t, base, true);
    text_put(t, ", ");
    emit_value(cg, t, exponent, true);
    text_put(t, ")");
}

static void choice_text(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "(");
    emit_condition(cg, t, expr_arg(cg->g, e, 0));
    text_put(t, " ? ");
    emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    text_put(t, " : ");
    emit_value(cg, t, expr_arg(cg->g, e, 2), false);
    text_put(t, ")");
}

static void extremum_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0), b = expr_arg(cg->g, e, 1);
    text_put(t, "(");
    emit_value(cg, t, a, false);
    text_put(t, expr_op(cg->g, e) == OP_MIN ? " < " : " > ");
    emit_value(cg, t, b, false);
    text_put(t, " ? ");
    emit_value(cg, t, a, false);
    text_put(t, " : ");
    emit_value(cg, t, b, false);
    text_put(t, ")");
}

static void semilinear_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId x = expr_arg(cg->g, e, 0);
    text_put(t, "((");
    emit_value(cg, t, x, false);
    text_put(t, " >= 0.0 ? ");
    emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    text_put(t, " : ");
    emit_value(cg, t, expr_arg(cg->g, e, 2), false);
    text_put(t, ")*");
    emit_value(cg, t, x, false);
    text_put(t, ")");
}

static void function_call_text(Codegen *cg, Text *t, ExprId e, const char *name)
{
    text_printf(t, "%s(", name);
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        text_put(t, k == 0 ? "" : ", ");
        emit_value(cg, t, expr_arg(cg->g, e, k), true);
    }
    text_put(t, ")");
}

static void index_text(Codegen *cg, Text *t, ExprId e)
{
    const ExprNode *x = expr_node(cg->g, e);
    ExprId a = expr_arg(cg->g, e, 0);
    emit_name(cg, t, a);
    text_put(t, "[");
    emit_subscript(cg, t, a, cg->g->words.at + x->at + 1, expr_n(cg->g, e) - 1);
    text_put(t, "]");
}

static void delayed_text(Codegen *cg, Text *t, ExprId e)
{
    uint32_t n = expr_n(cg->g, e);
    const char *function = expr_op(cg->g, e) == OP_CARRIED ? "kr_carried"
                           : n > 3                         ? "kr_delay_to"
                                                           : "kr_delay";
    text_printf(t, "%s(m, %u", function, expr_index(cg->g, e));
    for (uint32_t k = 0; k < n; k++) {
        text_put(t, ", ");
        emit_value(cg, t, expr_arg(cg->g, e, k), true);
    }
    text_put(t, ")");
}

/* The number of a String's text, which becomes one of the code's literals. */
static double emit_string(Codegen *cg, Name text)
{
    double number = text_number(text);
    uint32_t at = map_get(&cg->string_at, (uint64_t)number);
    if (at == MAP_NONE) {
        map_put(&cg->string_at, (uint64_t)number, cg->strings.n);
        vec_push(&cg->strings, text);
    } else if (strcmp(cg->strings.at[at], text) != 0) {
        emit_reject(cg, "this String (its internal number is not unique)");
    }
    return number;
}

static void concat_text(Codegen *cg, Text *t, ExprId e)
{
    uint32_t n = expr_n(cg->g, e);
    text_put(t, "kr_concat(m, (double[]){");
    for (uint32_t k = 0; k < n; k++) {
        text_put(t, k == 0 ? "" : ", ");
        emit_value(cg, t, expr_arg(cg->g, e, k), true);
    }
    text_printf(t, "}, %u)", n);
}

/* The name of an enumeration's value. */
static void literal_text(Codegen *cg, Text *t, ExprId e, const Type *type)
{
    text_put(t, "kr_literal(m, ");
    emit_value(cg, t, e, true);
    text_put(t, ", (double[]){");
    for (uint32_t k = 0; k < type->n; k++) {
        text_put(t, k == 0 ? "" : ", ");
        emit_real(t, emit_string(cg, type->fields[k].name));
    }
    text_printf(t, "}, %u)", type->n);
}

/* Options as the evaluator reads them: with three of them the first is significantDigits; with
 * fewer, only for a Real. */
static void layout_text(Codegen *cg, Text *t, ExprId e, bool real)
{
    ExprId options[3] = {EXPR_NONE}; /* digits, length, left */
    uint32_t n = expr_n(cg->g, e), at = real || n == 4 ? 0 : 1;
    for (uint32_t k = 1; k < n; k++, at++) {
        ExprId a = expr_arg(cg->g, e, k);
        if (a != EXPR_NONE) {
            options[expr_type(cg->g, a) == T_BOOL ? 2 : at == 0 ? 0 : 1] = a;
        }
    }
    static const char *const usual[] = {", 6.0", ", 0.0", ", 1.0"};
    for (uint32_t k = 0; k < 3; k++) {
        text_put(t, options[k] == EXPR_NONE ? usual[k] : ", ");
        if (options[k] != EXPR_NONE) {
            emit_value(cg, t, options[k], true);
        }
    }
    text_put(t, ")");
}

static void string_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0),
           format = expr_n(cg->g, e) > 1 ? expr_arg(cg->g, e, 1) : EXPR_NONE;
    const Type *type = type_get(cg->g->types, type_element(cg->g->types, expr_type(cg->g, a)));
    TypeKind kind = type->kind;
    if (kind == TYPE_ENUM && expr_n(cg->g, e) == 1) {
        literal_text(cg, t, a, type);
        return;
    }
    bool by_format = format != EXPR_NONE && expr_type(cg->g, format) == T_STRING;
    if (by_format && (kind == TYPE_REAL || kind == TYPE_INT)) {
        text_put(t, "kr_format(m, ");
        emit_value(cg, t, a, true);
        text_put(t, ", ");
        emit_value(cg, t, format, true);
        text_put(t, ")");
        return;
    }
    int number = kind == TYPE_REAL ? 0 : kind == TYPE_INT ? 1 : kind == TYPE_BOOL ? 2 : 3;
    text_printf(t, "kr_text(m, %d, ", number);
    if (kind == TYPE_ENUM) {
        literal_text(cg, t, a, type);
    } else {
        emit_value(cg, t, a, true);
    }
    layout_text(cg, t, e, kind == TYPE_REAL);
}

static void leaf_text(Codegen *cg, Text *t, ExprId e)
{
    uint32_t index = expr_index(cg->g, e);
    switch (expr_op(cg->g, e)) {
    case OP_HOLE:
        if (cg->hole != NULL) {
            cg->hole(cg, t, index);
            return;
        }
        break;
    case OP_LOCAL: text_printf(t, "l%u", index); return;
    case OP_ITER: text_printf(t, "i%u", index); return;
    case OP_TIME: text_put(t, "v[0]"); return;
    case OP_STRING: emit_real(t, emit_string(cg, expr_name(cg->g, e))); return;
    default: break;
    }
    emit_reject(cg, expr_op_text(expr_op(cg->g, e)));
}

static void inline_text(Codegen *cg, Text *t, ExprId e, bool bare)
{
    ExprOp op = expr_op(cg->g, e);
    const char *name = op == OP_INTEGER ? "floor" : op_traits[op].c;
    if (name != NULL) {
        function_call_text(cg, t, e, name);
        return;
    }
    if (emit_is_leaf(op)) {
        leaf_text(cg, t, e);
        return;
    }
    if (is_logical(op)) {
        text_put(t, "(");
        logical_text(cg, t, e);
        text_put(t, " ? 1.0 : 0.0)");
        return;
    }
    switch (op) {
    case OP_ADD:
    case OP_MUL: chain_text(cg, t, e, bare); break;
    case OP_NEG:
        text_put(t, "(-");
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, ")");
        break;
    case OP_DIV:
        text_put(t, bare ? "" : "(");
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, "/");
        emit_value(cg, t, expr_arg(cg->g, e, 1), false);
        text_put(t, bare ? "" : ")");
        break;
    case OP_POW: power_text(cg, t, e); break;
    case OP_IF: choice_text(cg, t, e); break;
    case OP_MIN:
    case OP_MAX: extremum_text(cg, t, e); break;
    case OP_SEMILINEAR: semilinear_text(cg, t, e); break;
    case OP_NOEVENT:
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM:
    case OP_HOMOTOPY:
    case OP_SCALAR: emit_value(cg, t, expr_arg(cg->g, e, 0), bare); break;
    case OP_SMOOTH: emit_value(cg, t, expr_arg(cg->g, e, 1), bare); break;
    case OP_CARRIED:
    case OP_DELAYED: delayed_text(cg, t, e); break;
    case OP_INDEX: index_text(cg, t, e); break;
    case OP_SIZE:
        if (!expr_is_literal(cg->g, expr_arg(cg->g, e, 1))) {
            emit_reject(cg, "size of a computed dimension");
            break;
        }
        text_put(t, "(double)");
        emit_dim(cg, t, expr_arg(cg->g, e, 0),
                 (uint32_t)expr_int_value(cg->g, expr_arg(cg->g, e, 1)) - 1);
        break;
    case OP_NDIMS:
        text_printf(t, "%u.0", type_rank(cg->g->types, expr_type(cg->g, expr_arg(cg->g, e, 0))));
        break;
    case OP_OUT: emit_name(cg, t, e); break;
    case OP_CONCAT: concat_text(cg, t, e); break;
    case OP_TO_STRING: string_text(cg, t, e); break;
    case OP_CALL: emit_simple_call(cg, t, e); break;
    default: emit_reject(cg, expr_op_text(op));
    }
}

void emit_value(Codegen *cg, Text *t, ExprId e, bool bare)
{
    if (e == EXPR_NONE) {
        emit_reject(cg, "an omitted argument");
        return;
    }
    EmitNode *x = emit_node(cg, e);
    if (x->constant) {
        emit_real(t, x->value);
        return;
    }
    if (x->temp || x->row || emit_is_table(cg, e)) {
        emit_name(cg, t, e);
    } else {
        inline_text(cg, t, e, bare);
    }
    if (x->array && cg->element) {
        text_put(t, "[k]");
    }
}

/* ---- statements ---- */

/* A sum or product of many terms, in portions. */
static void long_chain(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        if (k % 24 == 0) {
            if (k > 0) {
                text_put(t, ";\n");
                emit_indent(cg, t);
                emit_name(cg, t, e);
            } else {
                text_put(t, "double ");
                emit_name(cg, t, e);
            }
            text_put(t, " = ");
            if (k > 0) {
                emit_name(cg, t, e);
            }
        }
        text_put(t, k == 0 ? "" : op == OP_ADD ? " + " : "*");
        emit_value(cg, t, expr_arg(cg->g, e, k), false);
    }
    text_put(t, ";\n");
}

static void branch_text(Codegen *cg, Text *t, ExprId e, uint32_t k)
{
    cg->indent++;
    emit_region(cg, t, emit_node(cg, e)->branch[k]);
    emit_indent(cg, t);
    emit_name(cg, t, e);
    text_put(t, " = ");
    emit_value(cg, t, expr_arg(cg->g, e, k + 1), true);
    text_put(t, ";\n");
    cg->indent--;
    emit_indent(cg, t);
}

static void choice_statement(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "double ");
    emit_name(cg, t, e);
    text_put(t, ";\n");
    emit_indent(cg, t);
    text_put(t, "if ");
    emit_condition(cg, t, expr_arg(cg->g, e, 0));
    text_put(t, " {\n");
    branch_text(cg, t, e, 0);
    text_put(t, "} else {\n");
    branch_text(cg, t, e, 1);
    text_put(t, "}\n");
}

static void define(Codegen *cg, Text *t, EmitNode *x)
{
    ExprOp op = expr_op(cg->g, x->e);
    emit_indent(cg, t);
    if (x->array || (emit_needs_statement(cg, x) && op != OP_IF)) {
        emit_statement(cg, t, x->e);
    } else if (op == OP_IF && x->inner) {
        choice_statement(cg, t, x->e);
    } else if ((op == OP_ADD || op == OP_MUL) && expr_n(cg->g, x->e) > EMIT_MAX_TERMS) {
        long_chain(cg, t, x->e);
    } else {
        text_put(t, "double ");
        emit_name(cg, t, x->e);
        text_put(t, " = ");
        inline_text(cg, t, x->e, true);
        text_put(t, ";\n");
    }
}

void emit_region(Codegen *cg, Text *t, uint32_t region)
{
    for (uint32_t p = cg->regions.at[region].first; p != EMIT_NONE && !cg->failed;
         p = cg->places.at[p].after) {
        EmitNode *x = &cg->nodes.at[cg->places.at[p].node];
        x->branch[0] = cg->places.at[p].branch[0];
        x->branch[1] = cg->places.at[p].branch[1];
        define(cg, t, x);
    }
}

void emit_group(Codegen *cg, Text *t, const ExprId *roots, uint32_t n)
{
    if (!emit_analyse(cg, roots, n)) {
        return;
    }
    if (cg->arrays) {
        emit_indent(cg, t);
        text_put(t, "int mark = kr_mark(m);\n");
    }
    emit_region(cg, t, 0);
}

/* Functions of the model as C functions. emit_call.c explains how their variables are named and
 * passed. Arrays come from kr_alloc; results are allocated before the function's own frame, so that
 * they outlive it. */
#include "codegen/emit.h"

#include "structure/plan/numbers.h"

#include "external/external.h"

#include <stdio.h>

static bool numbers_only(Codegen *cg, const Function *f)
{
    for (uint32_t k = 0; k < f->n_vars; k++) {
        TypeKind kind = type_get(cg->g->types, type_element(cg->g->types, f->vars[k].type))->kind;
        if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_ENUM &&
            kind != TYPE_STRING && kind != TYPE_EXTERNAL) {
            cg->span = f->vars[k].span;
            emit_reject(cg, kind == TYPE_RECORD ? "a record as a variable of this function"
                                                : "a function as a variable of a function");
            return false;
        }
    }
    return true;
}

/* ---- groups within statements ---- */

static void open_brace(Codegen *cg, Text *t)
{
    emit_indent(cg, t);
    text_put(t, "{\n");
    cg->indent++;
}

static void close_brace(Codegen *cg, Text *t)
{
    cg->indent--;
    emit_indent(cg, t);
    text_put(t, "}\n");
}

static void release(Codegen *cg, Text *t, bool arrays)
{
    if (arrays) {
        emit_indent(cg, t);
        text_put(t, "kr_release(m, mark);\n");
    }
}

/* name = the expression's value, evaluated in a scope of its own. */
static void scalar_statement(Codegen *cg, Text *t, const char *name, ExprId e, bool condition)
{
    open_brace(cg, t);
    emit_group(cg, t, &e, 1);
    bool arrays = cg->arrays;
    emit_indent(cg, t);
    text_printf(t, "%s = ", name);
    if (condition) {
        emit_condition(cg, t, e);
    } else {
        emit_value(cg, t, e, true);
    }
    text_put(t, ";\n");
    release(cg, t, arrays);
    close_brace(cg, t);
}

/* ---- assignments ---- */

/* Loops over the parts of l<k>[subs] that are not scalars; the element is assigned `value` or
 * value[q++]. */
static void assign_part(Codegen *cg, Text *t, ExprId lhs, const char *value, bool array)
{
    text_put(t, "{ int q = 0; ");
    emit_part_loops(cg, t, lhs);
    emit_part(cg, t, lhs);
    text_printf(t, array ? " = %s[kr_next(m, &q, count)]; }\n" : " = %s; }\n", value);
}

/* The size of variable k is that of the assigned value. */
static bool takes_size(const Codegen *cg, const Function *f, uint32_t k)
{
    const FnVar *x = &f->vars[k];
    for (uint32_t d = 0; k >= f->n_in && d < type_rank(cg->g->types, x->type); d++) {
        if (type_dim(cg->g->types, x->type, d) < 0 &&
            (x->dims == NULL || x->dims[d] == EXPR_NONE)) {
            return true;
        }
    }
    return false;
}

static bool grows(const Codegen *cg, const Function *f)
{
    for (uint32_t k = f->n_in; k < f->n_vars; k++) {
        if (takes_size(cg, f, k)) {
            return true;
        }
    }
    return false;
}

/* New memory if the size changes; it outlives the statement, whose own arrays then stay too. */
static void resize(Codegen *cg, Text *t, ExprId lhs, ExprId rhs)
{
    uint32_t rank = emit_rank(cg, lhs);
    emit_indent(cg, t);
    text_put(t, "if (");
    emit_name(cg, t, lhs);
    text_put(t, " == 0");
    for (uint32_t k = 0; k < rank; k++) {
        text_put(t, " || ");
        emit_dim(cg, t, lhs, k);
        text_put(t, " != ");
        emit_dim(cg, t, rhs, k);
    }
    text_put(t, ") {");
    for (uint32_t k = 0; k < rank; k++) {
        text_put(t, " ");
        emit_dim(cg, t, lhs, k);
        text_put(t, " = ");
        emit_dim(cg, t, rhs, k);
        text_put(t, ";");
    }
    text_put(t, " ");
    emit_name(cg, t, lhs);
    text_put(t, " = kr_alloc(m, ");
    emit_count(cg, t, lhs);
    text_put(t, "); if (");
    emit_name(cg, t, lhs);
    text_put(t, cg->arrays ? " == 0) goto done; mark = kr_mark(m); }\n" : " == 0) goto done; }\n");
}

static void assign_whole(Codegen *cg, Text *t, ExprId lhs, ExprId rhs, const char *value)
{
    if (takes_size(cg, cg->function, expr_index(cg->g, lhs))) {
        resize(cg, t, lhs, rhs);
    }
    for (uint32_t k = 0; k < type_rank(cg->g->types, expr_type(cg->g, lhs)); k++) {
        emit_indent(cg, t);
        text_put(t, "if (");
        emit_dim(cg, t, lhs, k);
        text_put(t, " != ");
        emit_dim(cg, t, rhs, k);
        text_put(t, ") { kr_fail(m, -2); goto done; }\n");
    }
    emit_indent(cg, t);
    text_put(t, "for (int k = 0; k < ");
    emit_count(cg, t, lhs);
    text_put(t, "; k++) { ");
    emit_name(cg, t, lhs);
    text_printf(t, "[k] = %s[k]; }\n", value);
}

/* lhs := the value named `value`, which has the shape of rhs. */
static void assign_to(Codegen *cg, Text *t, ExprId lhs, ExprId rhs, const char *value)
{
    bool array = emit_is_array(cg, rhs);
    switch (expr_op(cg->g, lhs)) {
    case OP_LOCAL:
        if (array) {
            assign_whole(cg, t, lhs, rhs, value);
            return;
        }
        emit_indent(cg, t);
        emit_name(cg, t, lhs);
        text_printf(t, " = %s;\n", value);
        return;
    case OP_INDEX:
        if (expr_op(cg->g, expr_arg(cg->g, lhs, 0)) == OP_LOCAL) {
            if (array) {
                emit_indent(cg, t);
                text_put(t, "int count = ");
                emit_count(cg, t, rhs);
                text_put(t, ";\n");
            }
            emit_indent(cg, t);
            assign_part(cg, t, lhs, value, array);
            return;
        }
        break;
    default: break;
    }
    emit_reject(cg, "assigning to a field");
}

static uint32_t subscript_roots(const Graph *g, ExprId lhs, ExprId *roots)
{
    uint32_t n = 0;
    for (uint32_t k = 1; expr_op(g, lhs) == OP_INDEX && k < expr_n(g, lhs) && n < 30; k++) {
        if (expr_op(g, expr_arg(g, lhs, k)) != OP_COLON) {
            roots[n++] = expr_arg(g, lhs, k);
        }
    }
    return n;
}

static void assign(Codegen *cg, Text *t, const Stmt *s)
{
    ExprId roots[32] = {s->rhs};
    uint32_t n = 1 + subscript_roots(cg->g, s->lhs, roots + 1);
    open_brace(cg, t);
    emit_group(cg, t, roots, n);
    bool arrays = cg->arrays;
    Text value = {0};
    emit_value(cg, &value, s->rhs, true);
    assign_to(cg, t, s->lhs, s->rhs, value.at != NULL ? value.at : "");
    text_free(&value);
    release(cg, t, arrays);
    close_brace(cg, t);
}

/* (a, , b) := f(…): results named after the call's temporary. */
static void assign_results(Codegen *cg, Text *t, const Stmt *s)
{
    if (expr_op(cg->g, s->rhs) != OP_CALL) {
        emit_reject(cg, "a list of results that does not come from a call");
        return;
    }
    uint32_t n = expr_n(cg->g, s->lhs);
    VEC(ExprId) roots = {0};
    vec_push(&roots, s->rhs);
    for (uint32_t k = 0; k < n; k++) {
        ExprId item = expr_arg(cg->g, s->lhs, k), subs[32];
        if (item == EXPR_NONE) {
            continue;
        }
        vec_push(&roots, expr_make(cg->g, OP_OUT, expr_type(cg->g, item), k, &s->rhs, 1));
        for (uint32_t i = 0, m = subscript_roots(cg->g, item, subs); i < m; i++) {
            vec_push(&roots, subs[i]);
        }
    }
    open_brace(cg, t);
    emit_group(cg, t, roots.at, roots.n);
    bool arrays = cg->arrays;
    for (uint32_t k = 0; k < n; k++) {
        ExprId item = expr_arg(cg->g, s->lhs, k);
        if (item == EXPR_NONE) {
            continue;
        }
        ExprId out = expr_make(cg->g, OP_OUT, expr_type(cg->g, item), k, &s->rhs, 1);
        Text value = {0};
        emit_name(cg, &value, out);
        open_brace(cg, t);
        assign_to(cg, t, item, out, value.at);
        close_brace(cg, t);
        text_free(&value);
    }
    release(cg, t, arrays);
    close_brace(cg, t);
    vec_free(&roots);
}

/* ---- control ---- */

static void statements(Codegen *cg, Text *t, const Stmt *body, uint32_t n);

static void if_statement(Codegen *cg, Text *t, const Stmt *s)
{
    uint32_t opened = 0;
    for (uint32_t k = 0; k < s->n_branches && !cg->failed; k++) {
        const StmtBranch *b = &s->branches[k];
        if (b->condition == EXPR_NONE) {
            statements(cg, t, b->body, b->n);
            break;
        }
        open_brace(cg, t);
        emit_indent(cg, t);
        text_put(t, "int c;\n");
        scalar_statement(cg, t, "c", b->condition, true);
        emit_indent(cg, t);
        text_put(t, "if (c) {\n");
        cg->indent++;
        statements(cg, t, b->body, b->n);
        cg->indent--;
        emit_indent(cg, t);
        text_put(t, "} else {\n");
        cg->indent++;
        opened++;
    }
    for (; opened > 0; opened--) {
        close_brace(cg, t);
        close_brace(cg, t);
    }
}

static void while_statement(Codegen *cg, Text *t, const Stmt *s)
{
    uint32_t id = cg->n_asserts++;
    emit_indent(cg, t);
    text_put(t, "for (int n = 0;;) {\n");
    cg->indent++;
    emit_indent(cg, t);
    text_put(t, "int c;\n");
    scalar_statement(cg, t, "c", s->branches[0].condition, true);
    emit_indent(cg, t);
    text_printf(t, "if (!c || m->status != 0 || kr_loop(m, &n, %u)) break;\n", id);
    statements(cg, t, s->branches[0].body, s->branches[0].n);
    close_brace(cg, t);
}

/* Over a range without building it. */
static void for_range(Codegen *cg, Text *t, const Stmt *s)
{
    static const char *const names[] = {"first", "step", "last"};
    emit_indent(cg, t);
    text_put(t, "double first, step = 1.0, last;\n");
    for (uint32_t k = 0; k < 3; k++) {
        if (expr_arg(cg->g, s->rhs, k) == EXPR_NONE) {
            continue;
        }
        scalar_statement(cg, t, names[k], expr_arg(cg->g, s->rhs, k), false);
    }
    emit_indent(cg, t);
    text_put(t, "int n = kr_range_count(m, first, step, last);\n");
    emit_indent(cg, t);
    text_put(t, "for (int q = 0; q < n; q++) {\n");
    cg->indent++;
    emit_indent(cg, t);
    text_printf(t, "double i%u = first + q*step;\n", expr_index(cg->g, s->lhs));
    statements(cg, t, s->branches[0].body, s->branches[0].n);
    close_brace(cg, t);
}

static void for_vector(Codegen *cg, Text *t, const Stmt *s)
{
    emit_group(cg, t, &s->rhs, 1);
    bool arrays = cg->arrays;
    Text over = {0}, count = {0};
    emit_name(cg, &over, s->rhs);
    emit_dim(cg, &count, s->rhs, 0);
    emit_indent(cg, t);
    text_printf(t, "double *over = %s;\n", over.at);
    emit_indent(cg, t);
    text_printf(t, "int n = %s;\n", count.at);
    text_free(&over);
    text_free(&count);
    emit_indent(cg, t);
    text_put(t, "for (int q = 0; q < n; q++) {\n");
    cg->indent++;
    emit_indent(cg, t);
    text_printf(t, "double i%u = over[q];\n", expr_index(cg->g, s->lhs));
    statements(cg, t, s->branches[0].body, s->branches[0].n);
    close_brace(cg, t);
    release(cg, t, arrays && !grows(cg, cg->function)); /* variables may have grown in the loop */
}

static void assertion(Codegen *cg, Text *t, const Stmt *s)
{
    uint32_t id = cg->n_asserts++;
    open_brace(cg, t);
    emit_indent(cg, t);
    text_put(t, "int c;\n");
    scalar_statement(cg, t, "c", s->lhs, true);
    emit_indent(cg, t);
    if (s->rhs == EXPR_NONE ||
        expr_op(cg->g, s->rhs) == OP_STRING) { /* known when it is reported */
        text_printf(t,
                    s->warning ? "if (!c) kr_warn(m, %u);\n"
                               : "if (!c) { kr_fail(m, %u); goto done; }\n",
                    id);
        close_brace(cg, t);
        return;
    }
    if (s->warning) {
        text_printf(t, "if (!c && kr_warn(m, %u)) {\n", id);
    } else {
        text_put(t, "if (!c) {\n");
    }
    cg->indent++;
    emit_indent(cg, t);
    text_put(t, "double text;\n");
    scalar_statement(cg, t, "text", s->rhs, false);
    emit_indent(cg, t);
    if (s->warning) {
        text_put(t, "kr_warn_text(m, text);\n");
    } else {
        text_printf(t, "kr_fail_text(m, %u, text); goto done;\n", id);
    }
    close_brace(cg, t);
    close_brace(cg, t);
}

static void statement(Codegen *cg, Text *t, const Stmt *s)
{
    cg->span = s->span;
    switch (s->kind) {
    case STMT_ASSIGN:
        if (expr_op(cg->g, s->lhs) == OP_TUPLE) {
            assign_results(cg, t, s);
        } else {
            assign(cg, t, s);
        }
        break;
    case STMT_CALL:
        open_brace(cg, t);
        emit_group(cg, t, &s->rhs, 1);
        if (!emit_node(cg, s->rhs)->temp) {
            emit_indent(cg, t);
            emit_value(cg, t, s->rhs, true);
            text_put(t, ";\n");
        }
        close_brace(cg, t);
        break;
    case STMT_IF: if_statement(cg, t, s); break;
    case STMT_FOR:
        open_brace(cg, t);
        if (expr_op(cg->g, s->rhs) == OP_RANGE) {
            for_range(cg, t, s);
        } else {
            for_vector(cg, t, s);
        }
        close_brace(cg, t);
        break;
    case STMT_WHILE: while_statement(cg, t, s); break;
    case STMT_BREAK:
        emit_indent(cg, t);
        text_put(t, "break;\n");
        break;
    case STMT_RETURN:
        emit_indent(cg, t);
        text_put(t, "goto done;\n");
        break;
    case STMT_ASSERT: assertion(cg, t, s); break;
    case STMT_WHEN: emit_reject(cg, "when in a function"); break;
    case STMT_TERMINATE: emit_reject(cg, "terminate in a function"); break;
    case STMT_REINIT: emit_reject(cg, "reinit in a function"); break;
    }
}

static void statements(Codegen *cg, Text *t, const Stmt *body, uint32_t n)
{
    for (uint32_t i = 0; i < n && !cg->failed; i++) {
        statement(cg, t, &body[i]);
    }
}

/* ---- functions ---- */

static void declare_array(Codegen *cg, Text *t, const Function *f, uint32_t k)
{
    const FnVar *x = &f->vars[k];
    uint32_t rank = type_rank(cg->g->types, x->type);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = type_dim(cg->g->types, x->type, d);
        emit_indent(cg, t);
        text_printf(t, "int l%u_d%u = %lld;\n", k, d, (long long)(size < 0 ? 0 : size));
        if (size < 0 && x->dims != NULL && x->dims[d] != EXPR_NONE) {
            char name[40];
            snprintf(name, sizeof name, "l%u_d%u", k, d);
            scalar_statement(cg, t, name, x->dims[d], false);
        }
    }
    if (takes_size(cg, f, k)) {
        return;
    }
    emit_indent(cg, t);
    text_printf(t, "l%u = kr_alloc(m, ", k);
    for (uint32_t d = 0; d < rank; d++) {
        text_printf(t, "%sl%u_d%u", d == 0 ? "" : "*", k, d);
    }
    text_printf(t, "); if (l%u == 0) goto out;\n", k);
}

static void declare(Codegen *cg, Text *t, const Function *f, uint32_t k)
{
    if (type_rank(cg->g->types, f->vars[k].type) > 0 && !cg->failed) {
        declare_array(cg, t, f, k);
    }
}

static void bind(Codegen *cg, Text *t, const Function *f, uint32_t k)
{
    const FnVar *x = &f->vars[k];
    if (x->binding != EXPR_NONE && !cg->failed) {
        Stmt s = {.kind = STMT_ASSIGN, .span = x->span, .rhs = x->binding};
        s.lhs = expr_leaf(cg->g, OP_LOCAL, x->type, k);
        statement(cg, t, &s);
    }
}

static const char *const MATH[] = {"sin",   "cos",   "tan",  "asin",  "acos",  "atan",
                                   "atan2", "sinh",  "cosh", "tanh",  "exp",   "log",
                                   "log10", "sqrt",  "fabs", "floor", "ceil",  "pow",
                                   "cbrt",  "hypot", "erf",  "erfc",  "log1p", "expm1"};

static bool is_math(const char *symbol)
{
    for (size_t i = 0; i < sizeof MATH / sizeof *MATH; i++) {
        if (strcmp(MATH[i], symbol) == 0) {
            return true;
        }
    }
    return false;
}

static void reject_external(Codegen *cg, const Function *f, const char *why)
{
    if (!cg->failed) {
        diag(cg->ctx, f->span, DIAG_C004, "external function %s cannot be called: %s", f->name,
             why);
    }
    cg->failed = true;
}

/* The C library's mathematics has it. */
static void math_body(Codegen *cg, Text *t, const Function *f)
{
    const FnExternal *x = f->external;
    emit_group(cg, t, x->args, x->n_args);
    text_printf(t, "    return %s(", x->symbol);
    for (uint32_t k = 0; k < x->n_args; k++) {
        text_put(t, k == 0 ? "" : ", ");
        emit_value(cg, t, x->args[k], true);
    }
    text_put(t, ");\n");
}

static bool can_pass(Codegen *cg, const Function *f, TypeId type)
{
    ExternalPass pass = external_pass(cg->g->types, type);
    if (pass == PASS_NOT || (pass == PASS_OBJECT && type_rank(cg->g->types, type) > 0)) {
        reject_external(cg, f, "arrays of objects cannot be passed yet");
        return false;
    }
    return true;
}

/* Whether all records among the original arguments of f can be passed. */
static bool can_pass_records(Codegen *cg, const Function *f)
{
    const Function *whole = f->external->whole;
    bool fortran = strcmp(f->external->language, "FORTRAN 77") == 0;
    for (uint32_t k = 0; whole != NULL && k < whole->n_vars; k++) {
        if (fortran || !external_can_pass(cg->g->types, whole->vars[k].type)) {
            reject_external(cg, f,
                            fortran ? "FORTRAN takes no records"
                                    : "records with arrays in them cannot be passed yet");
            return false;
        }
    }
    return true;
}

/* Looks for the code now, so that no run begins without it. */
static bool can_call(Codegen *cg, const Function *f)
{
    const FnExternal *x = f->external;
    if (!can_pass_records(cg, f)) {
        return false;
    }
    for (uint32_t k = 0; k < x->n_args; k++) {
        if (!can_pass(cg, f, expr_type(cg->g, x->args[k]))) {
            return false;
        }
    }
    if (strcmp(x->language, "builtin") == 0) {
        if (!eval_has_builtin(f)) {
            reject_external(cg, f, "there is no such function built in");
        }
        return !cg->failed;
    }
    const char *why = NULL;
    if (external_native(cg->g, f) != NULL) {
        return true;
    }
    if (external_entry(external_of(cg->g), cg->g, f, &why) == NULL) {
        reject_external(cg, f, why);
        return false;
    }
    return true;
}

/* "int dims[] = …" of all arrays among the arguments. */
static void external_dims(Codegen *cg, Text *t, const FnExternal *x)
{
    text_put(t, "    int dims[] = {");
    for (uint32_t k = 0; k < x->n_args; k++) {
        for (uint32_t d = 0; d < emit_rank(cg, x->args[k]); d++) {
            emit_dim(cg, t, x->args[k], d);
            text_put(t, ", ");
        }
    }
    text_put(t, "0};\n");
}

/* The addresses of the result and the arguments; values that are not variables get their own. */
static void external_args(Codegen *cg, Text *t, const Function *f)
{
    const FnExternal *x = f->external;
    for (uint32_t k = 0; k < x->n_args; k++) {
        if (emit_rank(cg, x->args[k]) == 0 && external_changes(cg->g, f, k) == UINT32_MAX) {
            text_printf(t, "    double a%u = ", k);
            emit_value(cg, t, x->args[k], true);
            text_put(t, ";\n");
        }
    }
    text_put(t, "    double *args[] = {");
    text_printf(t, x->result == UINT32_MAX ? "0" : "&l%u", f->n_in + x->result);
    for (uint32_t k = 0; k < x->n_args; k++) {
        uint32_t changed = external_changes(cg->g, f, k);
        text_put(t, ", ");
        if (emit_rank(cg, x->args[k]) > 0) {
            emit_value(cg, t, x->args[k], true);
        } else {
            text_printf(t, changed == UINT32_MAX ? "&a%u" : "&l%u",
                        changed == UINT32_MAX ? k : changed);
        }
    }
    text_put(t, "};\n");
}

static void external_call(Codegen *cg, Text *t, const Function *f)
{
    const FnExternal *x = f->external;
    text_put(t, "    {\n");
    if (x->n_args > 0) {
        emit_group(cg, t, x->args, x->n_args);
    }
    bool arrays = x->n_args > 0 && cg->arrays;
    external_dims(cg, t, x);
    external_args(cg, t, f);
    text_printf(t, "    kr_external(m, %u, args, dims);\n", f->id);
    release(cg, t, arrays);
    text_put(t, "    }\n");
}

/* Such results are in the function's own frame, which the caller releases then. */
static bool results_take_size(const Codegen *cg, const Function *f)
{
    for (uint32_t k = f->n_in; k < f->n_in + f->n_out; k++) {
        if (takes_size(cg, f, k)) {
            return true;
        }
    }
    return false;
}

static void function_body(Codegen *cg, Text *t, const Function *f)
{
    for (uint32_t k = f->n_in; k < f->n_vars; k++) {
        text_printf(t,
                    type_rank(cg->g->types, f->vars[k].type) > 0 ? "    double *l%u = 0;\n"
                                                                 : "    double l%u = 0.0;\n",
                    k);
    }
    if (cg->profiled) {
        text_printf(t, "    kr_enter(m, %u);\n", f->id);
    }
    cg->escape = "goto out;";
    for (uint32_t k = f->n_in; k < f->n_in + f->n_out; k++) {
        declare(cg, t, f, k);
    }
    text_put(t, "    int frame = kr_mark(m);\n    if (m->status != 0) goto done;\n");
    cg->escape = "goto done;";
    /* the size of an array may depend on a local before it */
    for (uint32_t k = f->n_in; k < f->n_vars; k++) {
        if (k >= f->n_in + f->n_out) {
            declare(cg, t, f, k);
        }
        bind(cg, t, f, k);
    }
    statements(cg, t, f->body, f->n_body);
    if (f->external != NULL) {
        external_call(cg, t, f);
    }
    text_put(t, results_take_size(cg, f) ? "done:\n    (void)frame;\nout:\n"
                                         : "done:\n    kr_release(m, frame);\nout:\n");
    if (cg->profiled) {
        text_put(t, "    kr_leave(m);\n");
    }
    emit_results(cg, t, f);
}

static void emit_function(Codegen *cg, const Function *f, uint32_t number)
{
    Text *t = &cg->functions;
    if (records_inside(cg->g, f) && (f = records_function(cg, f)) == NULL) {
        return;
    }
    if (!f->ready && f->external == NULL) {
        cg->span = f->span;
        emit_reject(cg, "a function without a body");
        return;
    }
    if (!numbers_only(cg, f)) {
        return;
    }
    emit_prototype(cg, &cg->prototypes, f, number);
    text_printf(t, "\n/* %s */\n", f->name);
    emit_signature(cg, t, f, number);
    text_put(t, "\n{\n");
    emit_inputs(cg, t, f);
    cg->hole = NULL;
    cg->n_asserts = plan_first_assert(cg->g, f->id);
    cg->indent = 1;
    cg->function = f;
    const FnExternal *x = f->external;
    if (x != NULL && x->n_libraries == 0 && is_math(x->symbol) && emit_returns_scalar(cg, f) &&
        x->result == 0) {
        math_body(cg, t, f);
    } else if (x == NULL || can_call(cg, f)) {
        function_body(cg, t, f);
    }
    text_put(t, "}\n");
}

void emit_functions(Codegen *cg)
{
    for (uint32_t i = 0; i < cg->called.n && !cg->failed; i++) {
        emit_function(cg, cg->g->functions.at[cg->called.at[i]], i);
    }
}

/* Calls of functions of the model, and their parameters in C.
 *
 * Variable k of a function is l<k>. Scalars are doubles; arrays are a pointer and `int` dimensions
 * l<k>_d0, …. A function with one scalar result returns it. Others take addresses for their
 * results, r<k> and r<k>_d0, …, after the inputs. A function with many parameters takes the address
 * of a structure with all of them, because compilers limit the number of arguments. */
#include "codegen/emit.h"

enum { MAX_PARAMETERS = 64 };

static uint32_t emit_use_function(Codegen *cg, uint32_t id)
{
    uint32_t at = map_get(&cg->called_at, id);
    if (at == MAP_NONE) {
        at = cg->called.n;
        vec_push(&cg->called, id);
        map_put(&cg->called_at, id, at);
    }
    return at;
}

bool emit_returns_scalar(const Codegen *cg, const Function *f)
{
    return f->n_out == 1 && type_rank(cg->g->types, f->vars[f->n_in].type) == 0;
}

static bool emit_takes_structure(const Codegen *cg, const Function *f)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->n_in + f->n_out; k++) {
        n += 1 + type_rank(cg->g->types, f->vars[k].type);
    }
    return n > MAX_PARAMETERS;
}

/* ---- parameters ---- */

/* Variable k and its dimensions, declared: each after `before`, with `star` before the name
 * `letter`k and `end` after it. */
static void declare_parameter(Codegen *cg, Text *t, const Function *f, uint32_t k,
                              const char *const form[4])
{
    const char *before = form[0], *star = form[1], *letter = form[2], *end = form[3];
    uint32_t rank = type_rank(cg->g->types, f->vars[k].type);
    text_printf(t, "%sdouble %s%s%s%u%s", before, rank > 0 ? "*" : "", star, letter, k, end);
    for (uint32_t d = 0; d < rank; d++) {
        text_printf(t, "%sint %s%s%u_d%u%s", before, star, letter, k, d, end);
    }
}

void emit_signature(Codegen *cg, Text *t, const Function *f, uint32_t number)
{
    static const char *const input[] = {", ", "", "l", ""}, *const result[] = {", ", "*", "r", ""};
    bool scalar = emit_returns_scalar(cg, f);
    text_printf(t, "static %s f%u(ModelData *m", scalar ? "double" : "void", number);
    if (emit_takes_structure(cg, f)) {
        text_printf(t, ", struct all%u *all)", number);
        return;
    }
    for (uint32_t k = 0; k < f->n_in + (scalar ? 0 : f->n_out); k++) {
        declare_parameter(cg, t, f, k, k < f->n_in ? input : result);
    }
    text_put(t, ")");
}

void emit_prototype(Codegen *cg, Text *t, const Function *f, uint32_t number)
{
    static const char *const input[] = {"    ", "", "l", ";\n"}, *const result[] = {"    ", "", "r",
                                                                                    ";\n"};
    if (emit_takes_structure(cg, f)) {
        text_printf(t, "struct all%u {\n", number);
        for (uint32_t k = 0; k < f->n_in + f->n_out; k++) {
            declare_parameter(cg, t, f, k, k < f->n_in ? input : result);
        }
        text_put(t, "};\n");
    }
    emit_signature(cg, t, f, number);
    text_put(t, ";\n");
}

void emit_inputs(Codegen *cg, Text *t, const Function *f)
{
    for (uint32_t k = 0; k < f->n_in && emit_takes_structure(cg, f); k++) {
        uint32_t rank = type_rank(cg->g->types, f->vars[k].type);
        text_printf(t, "    double %sl%u = all->l%u;\n", rank > 0 ? "*" : "", k, k);
        for (uint32_t d = 0; d < rank; d++) {
            text_printf(t, "    int l%u_d%u = all->l%u_d%u;\n", k, d, k, d);
        }
    }
}

void emit_results(Codegen *cg, Text *t, const Function *f)
{
    if (emit_returns_scalar(cg, f)) {
        text_printf(t, "    return l%u;\n", f->n_in);
        return;
    }
    const char *to = emit_takes_structure(cg, f) ? "all->" : "*";
    for (uint32_t k = f->n_in; k < f->n_in + f->n_out; k++) {
        text_printf(t, "    %sr%u = l%u;\n", to, k, k);
        for (uint32_t d = 0; d < type_rank(cg->g->types, f->vars[k].type); d++) {
            text_printf(t, "    %sr%u_d%u = l%u_d%u;\n", to, k, d, k, d);
        }
    }
}

/* ---- calls ---- */

static const Function *function_of(const Codegen *cg, ExprId call)
{
    return cg->g->functions.at[expr_index(cg->g, call)];
}

bool emit_call_is_simple(const Codegen *cg, ExprId e)
{
    TypeKind kind = type_get(cg->g->types, expr_type(cg->g, e))->kind;
    bool scalar = kind == TYPE_REAL || kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_ENUM ||
                  kind == TYPE_STRING || kind == TYPE_EXTERNAL;
    return scalar && !emit_takes_structure(cg, function_of(cg, e));
}

/* "f3(m, …", without the bracket that closes. */
static void call_with_inputs(Codegen *cg, Text *t, ExprId call)
{
    bool element = cg->element;
    cg->element = false;
    text_printf(t, "f%u(m", emit_use_function(cg, expr_index(cg->g, call)));
    for (uint32_t k = 0, n = expr_n(cg->g, call); k < n; k++) {
        ExprId a = expr_arg(cg->g, call, k);
        text_put(t, ", ");
        emit_value(cg, t, a, true);
        for (uint32_t d = 0; a != EXPR_NONE && d < emit_rank(cg, a); d++) {
            text_put(t, ", ");
            emit_dim(cg, t, a, d);
        }
    }
    cg->element = element;
}

void emit_simple_call(Codegen *cg, Text *t, ExprId call)
{
    call_with_inputs(cg, t, call);
    text_put(t, ")");
}

/* "t5", or "t5_2" of several results. */
static void result_name(Codegen *cg, Text *t, ExprId call, uint32_t k)
{
    emit_name(cg, t, call);
    if (function_of(cg, call)->n_out > 1) {
        text_printf(t, "_%u", k);
    }
}

/* Declares a variable for result k of a call and appends its address, and those of its dimensions.
 */
static void result_variable(Codegen *cg, Text *t, Text *addresses, ExprId call, uint32_t k)
{
    const Function *f = function_of(cg, call);
    uint32_t rank = type_rank(cg->g->types, f->vars[f->n_in + k].type);
    Text name = {0};
    result_name(cg, &name, call, k);
    text_printf(t, rank == 0 ? "double %s; " : "double *%s = 0; ", name.at);
    text_printf(addresses, ", &%s", name.at);
    for (uint32_t d = 0; d < rank; d++) {
        text_printf(t, "int %s_d%u; ", name.at, d);
        text_printf(addresses, ", &%s_d%u", name.at, d);
    }
    text_free(&name);
}

static void fill_structure(Codegen *cg, Text *t, ExprId call, const char *all)
{
    bool element = cg->element;
    cg->element = false;
    for (uint32_t k = 0, n = expr_n(cg->g, call); k < n; k++) {
        ExprId a = expr_arg(cg->g, call, k);
        emit_indent(cg, t);
        text_printf(t, "%s.l%u = ", all, k);
        emit_value(cg, t, a, true);
        text_put(t, ";\n");
        for (uint32_t d = 0; a != EXPR_NONE && d < emit_rank(cg, a); d++) {
            emit_indent(cg, t);
            text_printf(t, "%s.l%u_d%u = ", all, k, d);
            emit_dim(cg, t, a, d);
            text_put(t, ";\n");
        }
    }
    cg->element = element;
}

/* Declares a variable for result k with its value, and those of its dimensions. */
static void result_of_structure(Codegen *cg, Text *t, ExprId call, uint32_t k, const char *all)
{
    const Function *f = function_of(cg, call);
    uint32_t at = f->n_in + k, rank = type_rank(cg->g->types, f->vars[at].type);
    Text name = {0};
    result_name(cg, &name, call, k);
    emit_indent(cg, t);
    text_printf(t, "double %s%s = %s.r%u;\n", rank > 0 ? "*" : "", name.at, all, at);
    for (uint32_t d = 0; d < rank; d++) {
        emit_indent(cg, t);
        text_printf(t, "int %s_d%u = %s.r%u_d%u;\n", name.at, d, all, at, d);
    }
    text_free(&name);
}

static void call_with_structure(Codegen *cg, Text *t, ExprId call)
{
    const Function *f = function_of(cg, call);
    uint32_t number = emit_use_function(cg, f->id);
    bool scalar = emit_returns_scalar(cg, f);
    Text all = {0};
    emit_name(cg, &all, call);
    text_put(&all, "_all");
    text_printf(t, "struct all%u %s;\n", number, all.at);
    fill_structure(cg, t, call, all.at);
    emit_indent(cg, t);
    if (scalar) {
        text_put(t, "double ");
        emit_name(cg, t, call);
        text_put(t, " = ");
    }
    text_printf(t, "f%u(m, &%s); if (m->status != 0) %s\n", number, all.at, cg->escape);
    for (uint32_t k = 0; k < f->n_out && !scalar; k++) {
        result_of_structure(cg, t, call, k, all.at);
    }
    text_free(&all);
}

void emit_call_statement(Codegen *cg, Text *t, ExprId call)
{
    const Function *f = function_of(cg, call);
    if (emit_takes_structure(cg, f)) {
        call_with_structure(cg, t, call);
        return;
    }
    Text addresses = {0};
    text_put(&addresses, "");
    for (uint32_t k = 0; k < f->n_out; k++) {
        result_variable(cg, t, &addresses, call, k);
    }
    call_with_inputs(cg, t, call);
    text_printf(t, "%s); if (m->status != 0) %s\n", addresses.at, cg->escape);
    text_free(&addresses);
}

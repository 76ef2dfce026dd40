/* Typing on a small scope of its own: printed form and type of expressions, values of constant
 * ones, messages of wrong ones, statements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "instance/typing/internal.h"
#include "syntax/parse/parse.h"

typedef struct World {
    Context *ctx;
    Graph *g;
    Arena *arena;
    TypeScope scope;
    const char *names[64]; /* of OP_VAR */
    TypeId types[64];
    uint32_t n;
    TypeId color, point;
    Function *f, *two, *half, *noop, *root;
} World;

/* ---- the scope ---- */

static uint32_t find_var(const World *w, Name name)
{
    uint32_t i = 0;
    while (i < w->n && strcmp(w->names[i], name))
        i++;
    return i;
}

static ExprId base_value(World *w, Name name, Span span)
{
    uint32_t i = find_var(w, name);
    if (i < w->n)
        return expr_leaf(w->g, OP_VAR, w->types[i], i);
    if (!strcmp(name, "three"))
        return expr_int(w->g, 3);
    if (!strcmp(name, "p") || !strcmp(name, "q")) {
        ExprId fields[] = {expr_leaf(w->g, OP_VAR, T_REAL, find_var(w, "p.x")),
                           expr_leaf(w->g, OP_VAR, T_INT, find_var(w, "p.i"))};
        return expr_make(w->g, OP_RECORD, w->point, 0, fields, 2);
    }
    diag(w->ctx, span, DIAG_I001, "unknown name %s", name);
    return EXPR_NONE;
}

static ExprId resolve(TypeScope *s, const AstRef *ref)
{
    World *w = s->user;
    if (ref->n == 2 && !strcmp(ref->parts[0].name, "Color")) {
        const Type *t = type_get(w->g->types, w->color);
        for (uint32_t i = 0; i < t->n; i++)
            if (t->fields[i].name == ref->parts[1].name)
                return expr_enum(w->g, w->color, i + 1);
    }
    ExprId e = EXPR_NONE;
    for (uint32_t i = 0; i < ref->n; i++) {
        const AstRefPart *part = &ref->parts[i];
        e = i ? type_field(s, e, part->name, part->span) : base_value(w, part->name, part->span);
        ExprId subs[8];
        if (!e || (part->subs.n && !type_subscripts(s, part, e, subs)))
            return EXPR_NONE;
        e = type_index(s, e, subs, part->subs.n, part->span);
        if (!e)
            return EXPR_NONE;
    }
    return e;
}

static TypeCallee callee(TypeScope *s, const AstRef *ref)
{
    World *w = s->user;
    Name name = ref->parts[ref->n - 1].name;
    Function *const all[] = {w->f, w->two, w->half, w->noop, w->root};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->name, name))
            return (TypeCallee){.function = all[i]};
    if (!strcmp(name, "Color"))
        return (TypeCallee){.enumeration = w->color};
    if (!strcmp(name, "Point"))
        return (TypeCallee){.record = w->point};
    diag(w->ctx, ref->span, DIAG_I001, "unknown function %s", name);
    return (TypeCallee){0};
}

/* The parameter n is 3; nothing else has a value. */
static EvalStatus var_value(void *user, uint32_t var, Value *out)
{
    World *w = user;
    if (var != find_var(w, "n"))
        return EVAL_UNKNOWN;
    *out = (Value){.type = T_INT, .num = 3};
    return EVAL_OK;
}

static EvalStatus evaluate(TypeScope *s, ExprId e, Span span, const char *what, Value *out)
{
    World *w = s->user;
    EvalEnv env = {.g = w->g,
                   .arena = w->arena,
                   .var = var_value,
                   .user = w,
                   .time = 0,
                   .span = span,
                   .silent = true};
    EvalStatus status = eval_expr(&env, e, out);
    if (status != EVAL_OK)
        diag(w->ctx, span, DIAG_I118, "%s is not constant", what);
    return status;
}

static void add_var(World *w, const char *name, TypeId type)
{
    w->names[w->n] = name;
    w->types[w->n++] = type;
}

static TypeId array_type(World *w, TypeId element, int64_t a, int64_t b)
{
    int64_t dims[] = {a, b};
    return type_array(w->g->types, element, dims, b ? 2 : 1);
}

static Function *add_function(World *w, const char *name, const char *const *vars,
                              const TypeId *types, uint32_t n_in, uint32_t n_out)
{
    Function *f = ARENA_NEW(w->g->arena, Function);
    f->name = name_of(w->ctx->names, name);
    f->id = w->g->functions.n;
    f->n_in = n_in;
    f->n_out = n_out;
    f->n_vars = n_in + n_out;
    f->vars = ARENA_ARRAY(w->g->arena, FnVar, f->n_vars ? f->n_vars : 1);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        f->vars[i].name = name_of(w->ctx->names, vars[i]);
        f->vars[i].kind = i < n_in ? FN_INPUT : FN_OUTPUT;
        f->vars[i].type = types[i];
        f->vars[i].dims = ARENA_ARRAY(w->g->arena, ExprId, 4);
    }
    f->result = n_out == 0   ? T_NONE
                : n_out == 1 ? types[n_in]
                             : type_tuple(w->g->types, types + n_in, n_out);
    f->ready = true;
    vec_push(&w->g->functions, f);
    return f;
}

static void add_functions(World *w)
{
    Graph *g = w->g;
    TypeId any = array_type(w, T_REAL, DIM_UNKNOWN, 0);
    w->f = add_function(w, "f", (const char *const[]){"u", "k", "y"},
                        (TypeId[]){T_REAL, T_REAL, T_REAL}, 2, 1);
    w->f->vars[1].binding = expr_mul(g, expr_real(g, 2), expr_leaf(g, OP_LOCAL, T_REAL, 0));
    w->two = add_function(w, "two", (const char *const[]){"u", "a", "b"},
                          (TypeId[]){T_REAL, T_REAL, T_INT}, 1, 2);
    w->half = add_function(w, "half", (const char *const[]){"u", "y"}, (TypeId[]){any, any}, 1, 1);
    ExprId u = expr_leaf(g, OP_LOCAL, any, 0);
    w->half->vars[1].dims[0] =
        expr_apply(g, OP_QUOT, T_INT, 0,
                   (ExprId[]){expr2(g, OP_SIZE, T_INT, u, expr_int(g, 1)), expr_int(g, 2)}, 2);
    w->noop = add_function(w, "noop", NULL, NULL, 0, 0);
    w->root =
        add_function(w, "root", (const char *const[]){"u", "y"}, (TypeId[]){T_REAL, T_REAL}, 1, 1);
    w->root->external = ARENA_NEW(g->arena, FnExternal);
    w->root->external->language = "builtin";
    w->root->external->symbol = name_of(w->ctx->names, "sqrt");
}

static World *world_new(void)
{
    World *w = calloc(1, sizeof *w);
    w->ctx = context_new();
    w->g = graph_new(w->ctx);
    w->arena = arena_new();
    Name colors[] = {name_of(w->ctx->names, "red"), name_of(w->ctx->names, "green"),
                     name_of(w->ctx->names, "blue")};
    w->color = type_enum(w->g->types, name_of(w->ctx->names, "Color"), colors, 3);
    TypeField fields[] = {{name_of(w->ctx->names, "x"), T_REAL},
                          {name_of(w->ctx->names, "i"), T_INT}};
    w->point = type_record(w->g->types, name_of(w->ctx->names, "Point"), fields, 2);
    static const char *const reals[] = {"x", "y", "z", "p.x"};
    for (size_t i = 0; i < 4; i++)
        add_var(w, reals[i], T_REAL);
    add_var(w, "n", T_INT);
    add_var(w, "i", T_INT);
    add_var(w, "p.i", T_INT);
    add_var(w, "b", T_BOOL);
    add_var(w, "c", T_BOOL);
    add_var(w, "s", T_STRING);
    add_var(w, "col", w->color);
    add_var(w, "v", array_type(w, T_REAL, 3, 0));
    add_var(w, "w", array_type(w, T_REAL, 2, 0));
    add_var(w, "k", array_type(w, T_INT, 3, 0));
    add_var(w, "bv", array_type(w, T_BOOL, 2, 0));
    add_var(w, "M", array_type(w, T_REAL, 2, 3));
    add_var(w, "S", array_type(w, T_REAL, 3, 3));
    add_var(w, "u", array_type(w, T_REAL, DIM_UNKNOWN, 0));
    add_functions(w);
    w->scope = (TypeScope){.ctx = w->ctx,
                           .g = w->g,
                           .user = w,
                           .resolve = resolve,
                           .callee = callee,
                           .evaluate = evaluate};
    return w;
}

static void world_free(World *w)
{
    arena_free(w->arena);
    graph_free(w->g);
    context_free(w->ctx);
    free(w);
}

static AstExpr *parse(World *w, const char *text)
{
    uint32_t source = sources_add(w->ctx->sources, "test.mo", text, strlen(text));
    AstExpr *e = syntax_parse_expr(w->ctx, source, w->arena);
    if (!e)
        fail_msg("does not parse: %s", text);
    return e;
}

static void leaf_name(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    World *w = user;
    if (expr_op(g, leaf) == OP_VAR)
        snprintf(buf, size, "%s", w->names[expr_index(g, leaf)]);
    else
        snprintf(buf, size, "%s%u", expr_op_text(expr_op(g, leaf)), expr_index(g, leaf));
}

static const char *first_message(const World *w)
{
    return w->ctx->diags.n ? w->ctx->diags.at[0]->text : "(nothing told)";
}

/* ---- printed form and type ---- */

typedef struct Good {
    const char *text, *printed, *type;
} Good;

static const Good good[] = {
    {"1 + 2", "3", "Integer"},
    {"1 + 2.5", "3.5", "Real"},
    {"7 / 2", "3.5", "Real"},
    {"2 ^ 3", "8.0", "Real"},
    {"x + y + 1 + z", NULL, "Real"},
    {"x - y", "x - y", "Real"},
    {"n + 1", "n + 1", "Integer"},
    {"n * x", NULL, "Real"},
    {"n / 2", NULL, "Real"},
    {"-v", "-v", "Real[3]"},
    {"v + v", NULL, "Real[3]"},
    {"v + k", NULL, "Real[3]"},
    {"2 * v", "2.0*v", "Real[3]"},
    {"v * v", "v*v", "Real"},
    {"M * v", "M*v", "Real[2]"},
    {"w * M", "w*M", "Real[3]"},
    {"M * S", "M*S", "Real[2, 3]"},
    {"S ^ 2", "S^2", "Real[3, 3]"},
    {"v .* v", NULL, "Real[3]"},
    {"v .+ 1", NULL, "Real[3]"},
    {"1 ./ v", NULL, "Real[3]"},
    {"v .^ 2", NULL, "Real[3]"},
    {"v / 2", NULL, "Real[3]"},
    {"\"a\" + \"b\"", "\"ab\"", "String"},
    {"s + \"b\"", "s + \"b\"", "String"},
    {"x < 1", "x < 1.0", "Boolean"},
    {"n == 3", "n == 3", "Boolean"},
    {"col == Color.red", NULL, "Boolean"},
    {"s == \"a\"", "s == \"a\"", "Boolean"},
    {"b <> c", "b <> c", "Boolean"},
    {"b and not c or x > 0", "b and not c or x > 0.0", "Boolean"},
    {"not bv", "not bv", "Boolean[2]"},
    {"if b then 1 else x", "if b then 1.0 else x", "Real"},
    {"if b then 1 elseif c then 2 else 3", NULL, "Integer"},
    {"if 1 > 2 then v[4] else 5", "5", "Integer"},
    {"if n > 2 then v else w", "v", "Real[3]"},
    {"{1, 2.5}", "{1.0, 2.5}", "Real[2]"},
    {"{{1, 2}, {3, 4}}", "{{1, 2}, {3, 4}}", "Integer[2, 2]"},
    {"[1, 2; 3, 4.5]", "{{1.0, 2.0}, {3.0, 4.5}}", "Real[2, 2]"},
    {"[v, v]", NULL, "Real[3, 2]"},
    {"[M; M]", "cat(1, M, M)", "Real[4, 3]"},
    {"[x]", "{{x}}", "Real[1, 1]"},
    {"1:3", "1:3", "Integer[3]"},
    {"1:n", "1:3", "Integer[3]"},
    {"0:0.1:1", NULL, "Real[11]"},
    {"3:-1:1", "3:-1:1", "Integer[3]"},
    {"Color.red:Color.blue", NULL, "Color[3]"},
    {"{i*i for i in 1:3}", "{1, 4, 9}", "Integer[3]"},
    {"{v[j] + 1 for j in 1:n}", NULL, "Real[3]"},
    {"{10*a + b for a in 1:3, b in 1:2}", "{{11, 21, 31}, {12, 22, 32}}", "Integer[2, 3]"},
    {"sum(v[j] for j in 1:3)", "v[1] + v[2] + v[3]", "Real"},
    {"sum(j for j in 1:0)", "0", "Integer"},
    {"product(j for j in 1:5)", "120", "Integer"},
    {"max(j*(4 - j) for j in 1:3)", "4", "Integer"},
    {"min(x, 3)", "min(x, 3.0)", "Real"},
    {"max(v)", "max(v)", "Real"},
    {"sum(v)", "sum(v)", "Real"},
    {"v[2]", "v[2]", "Real"},
    {"v[end]", "v[3]", "Real"},
    {"M[1, end]", "M[1, 3]", "Real"},
    {"M[:, 2]", "M[:, 2]", "Real[2]"},
    {"M[2, :]", "M[2]", "Real[3]"},
    {"M[:, :]", "M", "Real[2, 3]"},
    {"v[2:3]", "v[2:3]", "Real[2]"},
    {"v[{1, 3}]", "v[{1, 3}]", "Real[2]"},
    {"v[n]", "v[n]", "Real"},
    {"sin(x)", "sin(x)", "Real"},
    {"sin(0)", "0.0", "Real"},
    {"sin({x, 1})", NULL, "Real[2]"},
    {"abs(-3)", "3", "Integer"},
    {"sign(-2.5)", "-1", "Integer"},
    {"integer(3.7)", "3", "Integer"},
    {"floor(3.7)", "3.0", "Real"},
    {"div(7, 2)", "3", "Integer"},
    {"mod(-7, 3)", "2", "Integer"},
    {"rem(-7, 3)", "-1", "Integer"},
    {"mod(x, 3)", "mod(x, 3.0)", "Real"},
    {"Integer(Color.green)", "2", "Integer"},
    {"Color(3)", NULL, "Color"},
    {"String(x)", "String(x)", "String"},
    {"der(x)", "der(x)", "Real"},
    {"der(v)", "der(v)", "Real[3]"},
    {"pre(n)", "pre(n)", "Integer"},
    {"edge(b)", "edge(b)", "Boolean"},
    {"change(x)", "change(x)", "Boolean"},
    {"sample(0, 0.1)", "sample(0.0, 0.1)", "Boolean"},
    {"initial()", "initial()", "Boolean"},
    {"noEvent(if x > 0 then x else 0)", NULL, "Real"},
    {"smooth(1, x*abs(x))", NULL, "Real"},
    {"homotopy(actual = x, simplified = y)", "homotopy(x, y)", "Real"},
    {"semiLinear(x, 1, 2)", "semiLinear(x, 1.0, 2.0)", "Real"},
    {"delay(x, 0.1)", "delay(x, 0.1)", "Real"},
    {"time", "time", "Real"},
    {"size(M, 2)", "3", "Integer"},
    {"size(M)", "{2, 3}", "Integer[2]"},
    {"size(M, i)", "({2, 3})[i]", "Integer"},
    {"ndims(M)", "2", "Integer"},
    {"zeros(2, n)", NULL, "Integer[2, 3]"},
    {"fill(x, 2)", "fill(x, 2)", "Real[2]"},
    {"identity(3)", "identity(3)", "Integer[3, 3]"},
    {"diagonal(v)", "diagonal(v)", "Real[3, 3]"},
    {"linspace(0, 1, 5)", NULL, "Real[5]"},
    {"transpose(M)", "transpose(M)", "Real[3, 2]"},
    {"outerProduct(w, v)", NULL, "Real[2, 3]"},
    {"cross(v, v)", NULL, "Real[3]"},
    {"skew(v)", NULL, "Real[3, 3]"},
    {"symmetric(S)", NULL, "Real[3, 3]"},
    {"scalar({{x}})", "x", "Real"},
    {"vector(x)", "{x}", "Real[1]"},
    {"vector([v])", NULL, "Real[3]"},
    {"matrix(v)", NULL, "Real[3, 1]"},
    {"cat(1, v, {x})", NULL, "Real[4]"},
    {"cat(1, {1, 2}, {x})", "{1.0, 2.0, x}", "Real[3]"},
    {"f(x)", "f(x, 2.0*x)", "Real"},
    {"f(k = 1, u = n)", "f(n, 1.0)", "Real"},
    {"f({x, y}, 1)", "{f(x, 1.0), f(y, 1.0)}", "Real[2]"},
    {"f(v[2:3], w)", NULL, "Real[2]"},
    {"f(M)", NULL, "Real[2, 3]"},
    {"sin(v + k)", NULL, "Real[3]"},
    {"sin(-2*w)", "{sin(-2.0*w[1]), sin(-2.0*w[2])}", "Real[2]"},
    {"x - n", "x - n", "Real"},
    {"sign(identity(2))", "{{1, 0}, {0, 1}}", "Integer[2, 2]"},
    {"two(x)", "two(x)", "(Real, Integer)"},
    {"two(x) + 1", NULL, "Real"},
    {"half({1, 2, 3, 4})", NULL, "Real[2]"},
    {"root(x)", "sqrt(x)", "Real"},
    {"Point(1, 2)", "Point(1.0, 2)", "Point"},
    {"Point(i = 1, x = y)", "Point(y, 1)", "Point"},
    {"p.x", "p.x", "Real"},
    {"v[{true, false}]", NULL, "Real[2]"},
    {"{e for e in Color.red:Color.green}", NULL, "Color[2]"},
    {"{2*v[j] for j}", NULL, "Real[3]"},
    {"sum(M[a, b] for a, b)", NULL, "Real"},
    {"array(x, y)", "{x, y}", "Real[2]"},
    {"three * 2", "6", "Integer"},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        World *w = world_new();
        ExprId e = type_expr(&w->scope, parse(w, good[i].text));
        if (!e)
            fail_msg("%s: %s", good[i].text, first_message(w));
        assert_int_equal(w->ctx->n_errors, 0);
        const char *type = type_print(w->g->types, expr_type(w->g, e), w->arena);
        const char *printed = expr_print(w->g, e, leaf_name, w, w->arena);
        if (strcmp(type, good[i].type) || (good[i].printed && strcmp(printed, good[i].printed)))
            fail_msg("%s: %s of type %s, expected %s of type %s", good[i].text, printed, type,
                     good[i].printed, good[i].type);
        world_free(w);
    }
}

/* ---- values ---- */

typedef struct Known {
    const char *text;
    double value;
} Known;

static const Known known[] = {
    {"2 + 3 * 4 - 6 / 4", 12.5},
    {"-2 ^ 2", -4},
    {"(-2) ^ 3", -8},
    {"{1, 2, 3} * {4, 5, 6}", 32},
    {"sum([1, 2; 3, 4] * {1, 1})", 10},
    {"sum([1, 2; 3, 4] * [0, 1; 1, 0])", 10},
    {"([1, 1; 1, 0] ^ 10) * {1, 0} * {0, 1}", 55},
    {"sum(transpose([1, 2; 3, 4]) * {1, 0})", 3},
    {"transpose([1, 2; 3, 4]) * {1, 0} * {0, 1}", 2},
    {"cross({1, 0, 0}, {0, 1, 0}) * {0, 0, 1}", 1},
    {"sum(linspace(0, 1, 5))", 2.5},
    {"sum(1:10)", 55},
    {"sum(1:2:9)", 25},
    {"product({1, 2, 3, 4})", 24},
    {"max({3, 9, 2})", 9},
    {"min([3, 9; 2, 4])", 2},
    {"sum({i*j for i in 1:3, j in 1:4})", 60},
    {"sum(i for i in {1, 5, 7})", 13},
    {"sum(identity(4))", 4},
    {"sum(fill(2.5, 2, 2))", 10},
    {"sum(diagonal({1, 2}) * {3, 4})", 11},
    {"sum(outerProduct({1, 2}, {3, 4}))", 21},
    {"sum(skew({1, 2, 3}) * {1, 2, 3})", 0},
    {"if 3 > 2 and not false then 1 else 0", 1},
    {"sum(abs({-1, 2, -3}))", 6},
    {"atan2(0, 1) + sqrt(16) + exp(0) + log10(100)", 7},
    {"size(zeros(2, 5), 2)", 5},
    {"sum(cat(2, [1; 2], [3; 4]) * {1, 10})", 73},
    {"sum({1, 2, 3} .^ 2)", 14},
    {"sum(0:0.1:1)", 5.5},
    {"sum(symmetric([1, 2; 9, 3]))", 8},
    {"Integer(max(Color.red, Color.blue))", 3},
    {"ceil(-1.5) + floor(-1.5) + integer(-1.5)", -5},
    {"scalar({{7}})", 7},
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        World *w = world_new();
        ExprId e = type_expr(&w->scope, parse(w, known[i].text));
        if (!e)
            fail_msg("%s: %s", known[i].text, first_message(w));
        EvalEnv env = {.g = w->g, .arena = w->arena, .time = 0, .silent = true};
        double v = 0;
        EvalStatus status = eval_number(&env, e, &v);
        if (status != EVAL_OK || v - known[i].value > 1e-12 || known[i].value - v > 1e-12)
            fail_msg("%s: %g, expected %g (%s)", known[i].text, v, known[i].value,
                     env.why ? env.why : "");
        world_free(w);
    }
}

/* ---- errors ---- */

typedef struct Bad {
    const char *text, *code, *message;
} Bad;

static const Bad bad[] = {
    {"v + w", "I102", "cannot add Real[3] and Real[2]: sizes differ in dimension 1 (3 and 2)"},
    {"v - M", "I102",
     "cannot subtract Real[2, 3] from Real[3]: numbers of dimensions differ (1 and 2)"},
    {"x + v", "I102", "cannot add Real and Real[3]: numbers of dimensions differ (0 and 1)"},
    {"x + b", "I101", "cannot add Real and Boolean"},
    {"s + 1", "I101", "cannot add String and Integer"},
    {"b * 2", "I101", "cannot multiply Boolean and Integer"},
    {"v * M", "I102", "cannot multiply Real[3] and Real[2, 3]: inner sizes differ (3 and 2)"},
    {"1 / v", "I101", "cannot divide Integer by Real[3]"},
    {"v ^ 2", "I101", "cannot raise Real[3] to the power Integer"},
    {"x and b", "I101", "'and' needs Boolean operands, found Real and Boolean"},
    {"not x", "I101", "'not' needs a Boolean, found Real"},
    {"-b", "I101", "'-' needs a number, found Boolean"},
    {"x == y", "I112", "Reals cannot be compared with '=='"},
    {"v < v", "I101", "cannot compare Real[3] and Real[3]"},
    {"b == 1", "I101", "cannot compare Boolean and Integer"},
    {"if x then 1 else 2", "I103", "if condition must be Boolean, found Real"},
    {"if b then 1 else \"a\"", "I103", "branches of the if-expression are Integer and String"},
    {"if b then v else w", "I118",
     "condition of an if-expression whose branches differ in size is not constant"},
    {"{1, true}", "I120", "elements 1 and 2 of the array are Integer and Boolean"},
    {"{v, w}", "I120",
     "elements 1 and 2 of the array are Real[3] and Real[2]: sizes differ in dimension 1 (3 and "
     "2)"},
    {"[M, v]", "I102",
     "cannot join Real[2, 3] and Real[3, 1] along dimension 2: sizes differ in dimension 1 (2 and "
     "3)"},
    {"v[4]", "I109", "subscript 4 is out of range 1:3"},
    {"v[0]", "I109", "subscript 0 is out of range 1:3"},
    {"v[2:4]", "I109", "subscript 4 is out of range 1:3"},
    {"v[end + 1]", "I109", "subscript 4 is out of range 1:3"},
    {"v[1, 2]", "I108", "v has 1 dimension, 2 subscripts are given"},
    {"x[1]", "I108", "x has 0 dimensions, 1 subscript is given"},
    {"v[1.5]", "I110", "a subscript must be Integer, found Real"},
    {"f(x, 1, 2)", "I104", "function f has 2 inputs, 3 arguments are given"},
    {"f()", "I107", "argument u of function f is missing"},
    {"f(x, u = 1)", "I106", "argument u of function f is given twice"},
    {"f(x, q = 1)", "I105", "function f has no input q"},
    {"f(\"a\")", "I103", "argument u of function f must be Real, found String"},
    {"f(v, w)", "I102",
     "arguments of a vectorised call of function f differ in size: sizes differ in dimension 1 (3 "
     "and 2)"},
    {"Point(1, 2, 3)", "I104", "record Point has 2 fields, 3 arguments are given"},
    {"Point(1, 2.5)", "I103", "argument i of record Point must be Integer, found Real"},
    {"p.z", "I121", "record Point has no field z"},
    {"Color(4)", "I123", "Color has 3 literals; there is no number 4"},
    {"noop() + 1", "I114", "a call without result cannot be used as a value"},
    {"assert(b, \"m\")", "I114",
     "assert returns no value; write it as an equation or statement of its own"},
    {"sin(x, y)", "I104", "function sin has 1 input, 2 arguments are given"},
    {"sin(b)", "I103", "argument of sin must be a number, found Boolean"},
    {"sin(u = x)", "I105", "function sin has no argument 'u'; its arguments are: x "},
    {"inStream(2*x)", "I103", "argument of inStream must be a stream variable"},
    {"der(n)", "I103", "argument of der must be Real, found Integer"},
    {"pre(x + 1)", "I103", "argument of pre must be a variable"},
    {"edge(x)", "I103", "argument of edge must be Boolean, found Real"},
    {"size(v, 2)", "I109", "Real[3] has 1 dimension; there is no dimension 2"},
    {"zeros(-1)", "I123", "size of an array must not be negative, found -1"},
    {"zeros(i)", "I118", "size of an array is not constant"},
    {"1:0:3", "I119", "the step of a range must not be zero"},
    {"1:\"a\"", "I119", "bounds and step of a range must be scalars of one type, found String"},
    {"sum(x)", "I103", "argument of sum must be an array, found Real"},
    {"cross(w, w)", "I103", "argument of cross must be a vector of 3 elements, found Real[2]"},
    {"nothing + 1", "I001", "unknown name nothing"},
    {"x + nothing(1)", "I001", "unknown function nothing"},
    {"sum(j for j in x)", "I119", "iterator j needs a vector, found Real"},
    {"{2*j for j}", "I119", "iterator j has no range, and it is not used as a subscript"},
    {"Integer(x)", "I103", "argument of Integer must be an enumeration, found Real"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        World *w = world_new();
        ExprId e = type_expr(&w->scope, parse(w, bad[i].text));
        if (e || w->ctx->diags.n != 1)
            fail_msg("%s: %u errors told, %s", bad[i].text, w->ctx->diags.n, first_message(w));
        const Diag *d = w->ctx->diags.at[0];
        if (strcmp(diag_code_name(d->code), bad[i].code) || strcmp(d->text, bad[i].message))
            fail_msg("%s: %s: %s, expected %s: %s", bad[i].text, diag_code_name(d->code), d->text,
                     bad[i].code, bad[i].message);
        assert_true(d->span.file != 0);
        world_free(w);
    }
}

static void test_all_errors_told(void **state)
{
    (void)state;
    World *w = world_new();
    assert_false(type_expr(&w->scope, parse(w, "one + sin(b) + (if x then 1 else two_) + v[9]")));
    assert_int_equal(w->ctx->n_errors, 5);
    world_free(w);
}

/* ---- conversion and equations ---- */

static void test_convert(void **state)
{
    (void)state;
    World *w = world_new();
    ExprId e =
        type_expr_as(&w->scope, parse(w, "{1, 2}"), array_type(w, T_REAL, 2, 0), "binding of w");
    assert_string_equal(expr_print(w->g, e, leaf_name, w, w->arena), "{1.0, 2.0}");
    assert_int_equal(
        type_expr_as(&w->scope, parse(w, "two(x)"), T_REAL, "binding of x") != EXPR_NONE, 1);
    assert_false(
        type_expr_as(&w->scope, parse(w, "{1, 2}"), array_type(w, T_REAL, 3, 0), "binding of v"));
    assert_string_equal(
        w->ctx->diags.at[0]->text,
        "binding of v must be Real[3], found Integer[2]: sizes differ in dimension 1 (3 and 2)");
    assert_false(type_expr_as(&w->scope, parse(w, "2.5"), T_INT, "binding of n"));
    assert_string_equal(w->ctx->diags.at[1]->text, "binding of n must be Integer, found Real");
    world_free(w);
}

static bool equation(World *w, const char *lhs, const char *rhs, ExprId *a, ExprId *b)
{
    const AstExpr *r = parse(w, rhs);
    *a = type_expr(&w->scope, parse(w, lhs));
    *b = type_expr(&w->scope, r);
    return type_equation(&w->scope, a, b, r->span);
}

static void test_equation(void **state)
{
    (void)state;
    World *w = world_new();
    ExprId a, b;
    assert_true(equation(w, "n", "x", &a, &b));
    assert_int_equal(expr_type(w->g, a), T_REAL);
    assert_true(equation(w, "x", "two(y)", &a, &b));
    assert_int_equal(expr_op(w->g, b), OP_OUT);
    assert_true(equation(w, "(x, n)", "two(y)", &a, &b));
    assert_int_equal(expr_op(w->g, b), OP_CALL);
    assert_true(equation(w, "(, n)", "two(y)", &a, &b));
    assert_true(equation(w, "v", "zeros(3)", &a, &b));
    assert_int_equal(w->ctx->n_errors, 0);
    assert_false(equation(w, "(x, n, z)", "two(y)", &a, &b));
    assert_false(equation(w, "v", "w", &a, &b));
    assert_false(equation(w, "b", "x", &a, &b));
    assert_string_equal(w->ctx->diags.at[0]->text, "the call has 2 results, the left side takes 3");
    assert_string_equal(w->ctx->diags.at[1]->text,
                        "the left side is Real[3], the right side is Real[2]: sizes differ in "
                        "dimension 1 (3 and 2)");
    assert_string_equal(w->ctx->diags.at[2]->text,
                        "the left side is Boolean, the right side is Real");
    world_free(w);
}

/* ---- functions: unknown sizes, kept loops ---- */

static void test_in_function(void **state)
{
    (void)state;
    static const Good rows[] = {
        {"u + u", NULL, "Real[:]"},
        {"u[end]", NULL, "Real"},
        {"sum(u[j] for j in 1:size(u, 1))", NULL, "Real"},
        {"{2*j for j in 1:n}", NULL, "Integer[:]"},
        {"sin(u)", NULL, "Real[:]"},
        {"f(u)", NULL, "Real[:]"},
        {"x == y", "x == y", "Boolean"},
        {"half(u)", NULL, "Real[:]"},
        {"zeros(i)", NULL, "Integer[:]"},
        {"u[2:end]", NULL, "Real[:]"},
        {"v + u", NULL, "Real[3]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        World *w = world_new();
        w->scope.in_function = true;
        ExprId e = type_expr(&w->scope, parse(w, rows[i].text));
        if (!e)
            fail_msg("%s: %s", rows[i].text, first_message(w));
        const char *type = type_print(w->g->types, expr_type(w->g, e), w->arena);
        if (strcmp(type, rows[i].type))
            fail_msg("%s: type %s, expected %s", rows[i].text, type, rows[i].type);
        world_free(w);
    }
}

/* ---- statements ---- */

static bool statements(World *w, const char *text, Stmt **out, uint32_t *n)
{
    char *source = arena_printf(w->arena, "model t\nalgorithm\n%s\nend t;\n", text);
    uint32_t id = sources_add(w->ctx->sources, "stmt.mo", source, strlen(source));
    AstFile *file = syntax_parse(w->ctx, id);
    if (w->ctx->n_errors)
        fail_msg("does not parse: %s: %s", text, first_message(w));
    const AstAlgSection *a = &file->classes.at[0]->algorithms.at[0];
    bool ok = type_statements(&w->scope, a->stmts.at, a->stmts.n, out, n);
    ast_free(file);
    return ok;
}

static void test_statements(void **state)
{
    (void)state;
    World *w = world_new();
    Stmt *s;
    uint32_t n;
    bool ok = statements(w,
                         "x := 1; v[2] := n; (x, n) := two(y);\n"
                         "if b then x := 1; elseif c then x := 2; else x := 3; end if;\n"
                         "for j in 1:3, l in 1:2 loop v[j] := l; end for;\n"
                         "for j loop w[j] := 2*w[j]; end for;\n"
                         "while x > 0 loop x := x - 1; break; end while;\n"
                         "when {b, initial()} then reinit(x, 1); y := pre(y); elsewhen c then "
                         "terminate(\"end\"); end when;\n"
                         "assert(x > 0, \"m\", AssertionLevel.warning); noop();",
                         &s, &n);
    if (!ok)
        fail_msg("%s", first_message(w));
    assert_int_equal(n, 10);
    assert_int_equal(expr_op(w->g, s[0].rhs), OP_REAL);
    assert_int_equal(expr_type(w->g, s[1].rhs), T_REAL);
    assert_int_equal(expr_op(w->g, s[2].lhs), OP_TUPLE);
    assert_int_equal(s[3].n_branches, 3);
    assert_int_equal(s[4].kind, STMT_FOR);
    assert_int_equal(s[4].branches[0].body[0].kind, STMT_FOR);
    assert_int_equal(s[4].branches[0].body[0].branches[0].n, 1);
    assert_int_equal(type_dim(w->g->types, expr_type(w->g, s[5].rhs), 0), 2);
    assert_int_equal(s[6].kind, STMT_WHILE);
    assert_int_equal(s[7].kind, STMT_WHEN);
    assert_int_equal(s[7].branches[0].body[0].kind, STMT_REINIT);
    assert_true(s[8].warning);
    assert_int_equal(s[9].kind, STMT_CALL);
    world_free(w);
}

static void test_bad_statements(void **state)
{
    (void)state;
    static const Bad rows[] = {
        {"x := b;", "I103", "value assigned to x must be Real, found Boolean"},
        {"three := 1;", "I116", "three cannot be assigned to"},
        {"for j in 1:3 loop j := 2; end for;", "I116",
         "j cannot be assigned to: it is an iterator"},
        {"break;", "I117", "break can only be used in a loop"},
        {"return;", "I117", "return can only be used in a function"},
        {"if x then y := 1; end if;", "I103", "if condition must be Boolean, found Real"},
        {"while n loop y := 1; end while;", "I103",
         "while condition must be Boolean, found Integer"},
        {"when x then y := 1; end when;", "I103",
         "when condition must be Boolean, a vector of Booleans or a Clock, found Real"},
        {"if b then when c then x := 1; end when; end if;", "I117",
         "a when-statement cannot be inside another statement"},
        {"reinit(x, 1);", "I117", "reinit can only be used in a when"},
        {"assert(x, \"m\");", "I103", "assert condition must be Boolean, found Real"},
        {"(x, y, z) := two(1);", "I122", "the call has 2 results, the left side takes 3"},
        {"for j in x loop y := 1; end for;", "I119", "iterator j needs a vector, found Real"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        World *w = world_new();
        Stmt *s;
        uint32_t n;
        bool ok = statements(w, rows[i].text, &s, &n);
        if (ok || w->ctx->diags.n != 1)
            fail_msg("%s: %u errors told, %s", rows[i].text, w->ctx->diags.n, first_message(w));
        const Diag *d = w->ctx->diags.at[0];
        if (strcmp(diag_code_name(d->code), rows[i].code) || strcmp(d->text, rows[i].message))
            fail_msg("%s: %s: %s", rows[i].text, diag_code_name(d->code), d->text);
        world_free(w);
    }
}

/* ---- what the scope decides ---- */

static bool hides_sin(TypeScope *s, Name name, bool absolute)
{
    (void)s;
    (void)absolute;
    return !strcmp(name, "sin");
}

static void test_hidden_builtin(void **state)
{
    (void)state;
    World *w = world_new();
    w->scope.hides = hides_sin;
    assert_true(type_expr(&w->scope, parse(w, "cos(x)")));
    assert_false(type_expr(&w->scope, parse(w, "sin(x)")));
    assert_string_equal(first_message(w), "unknown function sin");
    world_free(w);
}

static void test_inputs_are_read_only(void **state)
{
    (void)state;
    World *w = world_new();
    w->scope.in_function = true;
    w->scope.function = w->f;
    TypeIter output = {name_of(w->ctx->names, "out"), expr_leaf(w->g, OP_LOCAL, T_REAL, 2), NULL};
    TypeIter input = {name_of(w->ctx->names, "in_"), expr_leaf(w->g, OP_LOCAL, T_REAL, 0), &output};
    w->scope.iters = &input;
    Stmt *s;
    uint32_t n;
    assert_true(statements(w, "out := in_ + 1; return;", &s, &n));
    assert_int_equal(n, 2);
    assert_false(statements(w, "in_ := 1;", &s, &n));
    assert_string_equal(first_message(w),
                        "in_ cannot be assigned to: it is an input of the function");
    world_free(w);
}

static void test_subscripts_of_components(void **state)
{
    (void)state;
    World *w = world_new();
    const AstExpr *e = parse(w, "c[end - 1, 2:end]");
    const int64_t dims[] = {4, 3};
    ExprId subs[2];
    assert_true(type_subscripts_in(&w->scope, &e->ref->parts[0], dims, 2, NULL, subs));
    assert_int_equal(expr_int_value(w->g, subs[0]), 3);
    assert_int_equal(type_dim(w->g->types, expr_type(w->g, subs[1]), 0), 2);
    assert_false(w->scope.has_end);
    e = parse(w, "c[5, 1]");
    assert_false(type_subscripts_in(&w->scope, &e->ref->parts[0], dims, 2, NULL, subs));
    assert_string_equal(first_message(w), "subscript 5 is out of range 1:4");
    world_free(w);
}

/* ---- size ---- */

/* text repeated n times, joined by `op` */
static char *long_chain(Arena *arena, const char *op, uint32_t n)
{
    size_t cap = (size_t)n * 16, at = 0;
    char *text = arena_alloc(arena, cap);
    for (uint32_t i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, cap - at, "%s%s", i ? op : "", i % 2 ? "sin(x)" : "y");
    return text;
}

static void test_long_chains(void **state)
{
    (void)state;
    static const char *const ops[] = {"+", "-", "*", "/"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        World *w = world_new();
        ExprId e = type_expr(&w->scope, parse(w, long_chain(w->arena, ops[i], 100000)));
        assert_int_equal(w->ctx->n_errors, 0);
        assert_int_equal(expr_type(w->g, e), T_REAL);
        world_free(w);
    }
}

static void test_deep_nesting(void **state)
{
    (void)state;
    World *w = world_new();
    AstExpr *e = parse(w, "x");
    for (int i = 0; i < 100000; i++) {
        AstExpr *outer = ARENA_NEW(w->arena, AstExpr);
        outer->kind = AST_UNARY;
        outer->op = AST_OP_SUB;
        outer->span = e->span;
        outer->args.at = ARENA_NEW(w->arena, AstExpr *);
        outer->args.at[0] = e;
        outer->args.n = 1;
        e = outer;
    }
    assert_false(type_expr(&w->scope, e));
    assert_int_equal(w->ctx->n_errors, 1);
    assert_int_equal(w->scope.depth, 0);
    world_free(w);
}

static void test_table_is_sorted(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Clock",    "Integer",  "String", "abs",         "acos",      "array",    "assert",
        "atan2",    "cat",      "der",    "hold",        "homotopy",  "inStream", "initial",
        "integer",  "interval", "log10",  "noClock",     "noEvent",   "ones",     "pre",
        "previous", "sample",   "size",   "superSample", "terminate", "vector",   "zeros"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Builtin *b = typing_find_builtin(names[i]);
        assert_non_null(b);
        assert_string_equal(b->name, names[i]);
    }
    assert_null(typing_find_builtin("f"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_all_errors_told),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_equation),
        cmocka_unit_test(test_in_function),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_bad_statements),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_table_is_sorted),
        cmocka_unit_test(test_hidden_builtin),
        cmocka_unit_test(test_inputs_are_read_only),
        cmocka_unit_test(test_subscripts_of_components),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

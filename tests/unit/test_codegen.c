/* Code generation and loading: generated code against the evaluator, both tiers against each other,
 * loops, functions, blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "structure/plan/numbers.h"
#include "load/load.h"

/* ---- a model by hand ---- */

typedef struct Maker {
    Context *ctx;
    Dae dae;
    Plan plan;
    uint64_t seed;
} Maker;

static void open_maker(Maker *k)
{
    memset(k, 0, sizeof *k);
    k->ctx = context_new();
    k->dae.ctx = k->ctx;
    k->dae.g = graph_new(k->ctx);
    k->dae.symbolic = symbolic_new(k->dae.g);
    k->dae.arena = arena_new();
    k->dae.initial = k->dae.terminal = k->dae.lambda = NONE;
    k->plan.dae = &k->dae;
    k->seed = 12345;
    vec_push(&k->dae.vars, ((DaeVar){.kind = DAE_TIME}));
}

static void close_maker(Maker *k)
{
    vec_free(&k->dae.vars);
    vec_free(&k->dae.eqs);
    vec_free(&k->dae.ops);
    vec_free(&k->dae.relations);
    vec_free(&k->dae.actions);
    vec_free(&k->plan.blocks);
    vec_free(&k->plan.steps);
    vec_free(&k->plan.torn);
    vec_free(&k->plan.states);
    symbolic_free(k->dae.symbolic);
    graph_free(k->dae.g);
    arena_free(k->dae.arena);
    context_free(k->ctx);
}

static VarId add_var(Maker *k, DaeVarKind kind)
{
    vec_push(&k->dae.vars, ((DaeVar){.kind = (uint8_t)kind,
                                     .base = NONE,
                                     .der = NONE,
                                     .pre = NONE,
                                     .alias = NONE,
                                     .start = NONE,
                                     .flat = NONE,
                                     .nominal = 1,
                                     .min = -INFINITY,
                                     .max = INFINITY}));
    return k->dae.vars.n - 1;
}

static Term make_term(Maker *k, ExprId shape, const VarId *ops, uint32_t n)
{
    Term t = {shape, k->dae.ops.n, n};
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&k->dae.ops, ops[i]);
    }
    return t;
}

static EqId add_eq(Maker *k, VarId target, ExprId shape, const VarId *ops, uint32_t n)
{
    vec_push(
        &k->dae.eqs,
        ((DaeEq){.term = make_term(k, shape, ops, n), .target = target, .of = NONE, .der = NONE}));
    return k->dae.eqs.n - 1;
}

/* An explicit block of main: target = shape. */
static EqId add_step(Maker *k, VarId target, ExprId shape, const VarId *ops, uint32_t n,
                     uint8_t uses)
{
    EqId e = add_eq(k, target, shape, ops, n);
    vec_push(
        &k->plan.blocks,
        ((PlanBlock){.kind = BLOCK_EXPLICIT, .uses = uses, .step = k->plan.steps.n, .n_steps = 1}));
    vec_push(&k->plan.steps, ((PlanStep){.eq = e, .var = target}));
    k->plan.main.n_blocks = k->plan.blocks.n;
    return e;
}

typedef struct Instance {
    char *text;
    Loaded *loaded;
    const ModelCode *code;
    RuntimeVar *vars;
    RuntimeRelation *relations;
    Runtime *rt;
    ModelData *m;
} Instance;

static void open_instance(Maker *k, Instance *x, LoadTier tier)
{
    size_t size;
    x->text = codegen_model(&k->plan, &(CodegenOptions){false}, &size);
    if (x->text == NULL) {
        print_message("%s\n", k->ctx->diags.at[0]->text);
    }
    assert_non_null(x->text);
    x->loaded = load_compile(k->ctx, x->text, tier);
    if (x->loaded == NULL) {
        print_message("%s\n%s", x->text, diag_render(k->ctx, DIAG_TEXT, false, k->dae.arena));
    }
    assert_non_null(x->loaded);
    x->code = load_code(x->loaded);
    assert_int_equal(x->code->n_vars, k->dae.vars.n);
    x->vars = calloc(k->dae.vars.n, sizeof *x->vars);
    x->relations = calloc(k->dae.relations.n + 1, sizeof *x->relations);
    for (uint32_t i = 0; i < k->dae.vars.n; i++) {
        x->vars[i] = (RuntimeVar){1, -INFINITY, INFINITY};
    }
    for (uint32_t i = 0; i < k->dae.relations.n; i++) {
        x->relations[i].scale = 1;
    }
    x->rt = runtime_new(x->code, x->vars, x->relations, k->dae.relations.n, 1e-6);
    x->m = runtime_data(x->rt);
}

static void close_instance(Instance *x)
{
    runtime_free(x->rt);
    load_free(x->loaded);
    memory_free(x->text);
    free(x->vars);
    free(x->relations);
}

/* ---- random shapes ---- */

enum { HOLES = 6 };

static uint32_t draw(Maker *k, uint32_t n)
{
    k->seed = k->seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(k->seed >> 33) % n;
}

static ExprId random_shape(Maker *k, unsigned depth);

static ExprId random_condition(Maker *k, unsigned depth)
{
    static const ExprOp relations[] = {OP_LT, OP_LE, OP_GT, OP_GE};
    Graph *g = k->dae.g;
    ExprId a =
        expr2(g, relations[draw(k, 4)], T_BOOL, random_shape(k, depth), random_shape(k, depth));
    switch (draw(k, 4)) {
    case 0: return expr1(g, OP_NOT, T_BOOL, a);
    case 1:
        return expr2(g, draw(k, 2) ? OP_AND : OP_OR, T_BOOL, a,
                     random_condition(k, depth > 0 ? depth - 1 : 0));
    default: return a;
    }
}

static ExprId random_shape(Maker *k, unsigned depth)
{
    static const ExprOp functions[] = {OP_NEG,  OP_ABS,  OP_SIN,   OP_COS, OP_EXP,
                                       OP_ATAN, OP_TANH, OP_FLOOR, OP_SIGN};
    static const ExprOp pairs[] = {OP_DIV, OP_MIN, OP_MAX, OP_ATAN2, OP_MOD};
    Graph *g = k->dae.g;
    if (depth == 0 || draw(k, 6) == 0) {
        return draw(k, 4) ? expr_leaf(g, OP_HOLE, T_REAL, draw(k, HOLES))
                          : expr_real(g, (double)draw(k, 1000) / 7 - 60);
    }
    ExprId a = random_shape(k, depth - 1), b = random_shape(k, depth - 1),
           c = random_shape(k, depth - 1);
    switch (draw(k, 7)) {
    case 6:
        return expr2(g, OP_POW, T_REAL, a,
                     draw(k, 3) ? expr_real(g, (double)draw(k, 140) / 2 - 35) : b);
    case 0: return expr1(g, functions[draw(k, 9)], T_REAL, a);
    case 1: return expr2(g, pairs[draw(k, 5)], T_REAL, a, b);
    case 2: return expr3(g, OP_IF, T_REAL, random_condition(k, depth - 1), a, b);
    case 3: return expr_make(g, OP_MUL, T_REAL, 0, (ExprId[]){a, b, c}, 2 + draw(k, 2));
    default: return expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){a, b, c}, 2 + draw(k, 2));
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void test_random_shapes(void **state)
{
    (void)state;
    enum { N = 250 };
    Maker k;
    open_maker(&k);
    VarId ops[HOLES], first = 0;
    for (int i = 0; i < HOLES; i++) {
        ops[i] = add_var(&k, DAE_PARAMETER);
    }
    for (int i = 0; i < N; i++) {
        VarId y = add_var(&k, DAE_CONTINUOUS);
        first = i == 0 ? y : first;
        add_step(&k, y, random_shape(&k, 2 + (unsigned)i % 5), ops, HOLES, USE_DERIVATIVE);
    }
    Instance tcc, cc;
    open_instance(&k, &tcc, LOAD_TCC);
    open_instance(&k, &cc, LOAD_CC);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < HOLES; i++) {
            double x = round == 0 ? 0.0 : ((double)draw(&k, 2000) - 1000.0) / 37.0;
            tcc.m->v[ops[i]] = cc.m->v[ops[i]] = x;
        }
        assert_int_equal(tcc.code->derivatives(tcc.m), 0);
        assert_int_equal(cc.code->derivatives(cc.m), 0);
        for (VarId y = first; y < first + N; y++) {
            double expected;
            EvalEnv env = {
                .g = k.dae.g, .arena = k.dae.arena, .holes = tcc.m->v + ops[0], .time = 0};
            assert_int_equal(eval_number(&env, k.dae.eqs.at[y - first].term.shape, &expected),
                             EVAL_OK);
            assert_true(same_bits(tcc.m->v[y], cc.m->v[y]));
            if (!same_bits(tcc.m->v[y], expected)) {
                print_message("%s: %.17g, expected %.17g\n",
                              expr_print(k.dae.g, k.dae.eqs.at[y - first].term.shape, NULL, NULL,
                                         k.dae.arena),
                              tcc.m->v[y], expected);
            }
            assert_true(same_bits(tcc.m->v[y], expected));
        }
    }
    close_instance(&tcc);
    close_instance(&cc);
    close_maker(&k);
}

/* Sharing, powers, long sums and deep nesting. */
static void test_large_expressions(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    VarId p = add_var(&k, DAE_PARAMETER), y[4];
    ExprId x = expr_leaf(g, OP_HOLE, T_REAL, 0), deep = x, shared = x, sum[300], choice = x;
    for (int i = 0; i < 4; i++) {
        y[i] = add_var(&k, DAE_CONTINUOUS);
    }
    for (int i = 0; i < 2000; i++) {
        deep = expr1(g, OP_SIN, T_REAL,
                     expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){deep, expr_real(g, 0.1)}, 2));
    }
    for (int i = 0; i < 200; i++) { /* 2^200 if written out */
        shared = expr1(g, OP_TANH, T_REAL,
                       expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){shared, shared}, 2));
    }
    for (int i = 0; i < 300; i++) {
        sum[i] = expr2(g, OP_POW, T_REAL,
                       expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){x, expr_real(g, i)}, 2),
                       expr_real(g, 2 + i % 3));
    }
    for (int i = 0; i < 100; i++) { /* both branches use the expression below */
        choice = expr3(g, OP_IF, T_REAL, expr2(g, OP_LT, T_BOOL, choice, expr_real(g, i)),
                       expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){choice, expr_real(g, 0.7)}, 2),
                       expr_make(g, OP_MUL, T_REAL, 0, (ExprId[]){choice, expr_real(g, 0.9)}, 2));
    }
    add_step(&k, y[0], deep, &p, 1, USE_DERIVATIVE);
    add_step(&k, y[1], shared, &p, 1, USE_DERIVATIVE);
    add_step(&k, y[2], expr_make(g, OP_ADD, T_REAL, 0, sum, 300), &p, 1, USE_DERIVATIVE);
    add_step(&k, y[3], choice, &p, 1, USE_DERIVATIVE);
    Instance a, b;
    open_instance(&k, &a, LOAD_TCC);
    open_instance(&k, &b, LOAD_CC);
    a.m->v[p] = b.m->v[p] = 0.3;
    assert_int_equal(a.code->derivatives(a.m), 0);
    assert_int_equal(b.code->derivatives(b.m), 0);
    double d = 0.3, s = 0.3, c = 0.3, total = 0;
    for (int i = 0; i < 2000; i++) {
        d = sin(d + 0.1);
        s = i < 200 ? tanh(s + s) : s;
        c = i >= 100 ? c : c < i ? c + 0.7 : c * 0.9;
        total = i == 0 ? kr_powi(0.3, 2) : i < 300 ? total + kr_powi(0.3 + i, 2 + i % 3) : total;
    }
    double expected[] = {d, s, total, c};
    for (int i = 0; i < 4; i++) {
        assert_true(same_bits(a.m->v[y[i]], b.m->v[y[i]]));
        assert_true(same_bits(a.m->v[y[i]], expected[i]));
    }
    close_instance(&a);
    close_instance(&b);
    close_maker(&k);
}

/* ---- loops ---- */

/* A heat line: n states, derivatives of one shape except at the ends; flows between cells,
 * interleaved. */
static void heat_line(Maker *k, uint32_t n)
{
    Graph *g = k->dae.g;
    ExprId h0 = expr_leaf(g, OP_HOLE, T_REAL, 0), h1 = expr_leaf(g, OP_HOLE, T_REAL, 1),
           h2 = expr_leaf(g, OP_HOLE, T_REAL, 2);
    ExprId flow = expr_mul(g, h2, expr_sub(g, h0, h1)), rate = expr_sub(g, h0, h1);
    VarId conductance = add_var(k, DAE_PARAMETER), x = k->dae.vars.n;
    for (uint32_t i = 0; i < n; i++) {
        add_var(k, DAE_CONTINUOUS);
    }
    VarId d = k->dae.vars.n;
    for (uint32_t i = 0; i < n; i++) {
        add_var(k, DAE_DERIVATIVE);
        vec_push(&k->plan.states, ((PlanState){x + i, d + i}));
    }
    VarId q = k->dae.vars.n;
    for (uint32_t i = 0; i <= n; i++) {
        add_var(k, DAE_CONTINUOUS);
    }
    for (uint32_t i = 0; i <= n; i++) {
        add_step(k, q + i, flow, (VarId[]){i == 0 ? x : x + i - 1, i == n ? x : x + i, conductance},
                 3, USE_DERIVATIVE);
        if (i > 0) {
            add_step(k, d + i - 1, rate, (VarId[]){q + i - 1, q + i}, 2, USE_DERIVATIVE);
        }
    }
}

static void test_loops(void **state)
{
    (void)state;
    enum { N = 1000 };
    Maker k;
    open_maker(&k);
    heat_line(&k, N);
    Instance a;
    open_instance(&k, &a, LOAD_TCC);
    assert_true(strlen(a.text) < 12000);
    double *v = a.m->v, *dv = a.m->dv;
    v[1] = 2.5;
    for (int i = 0; i < N; i++) {
        v[2 + i] = sin(i);
        dv[2 + i] = cos(i);
    }
    assert_int_equal(a.code->derivatives(a.m), 0);
    assert_int_equal(a.code->tangent(a.m), 0);
    for (int i = 0; i < N; i++) {
        double left = i == 0 ? sin(0) : sin(i - 1), right = i == N - 1 ? sin(0) : sin(i + 1);
        assert_true(fabs(v[2 + N + i] - 2.5 * ((left - sin(i)) - (sin(i) - right))) < 1e-14);
        left = i == 0 ? cos(0) : cos(i - 1);
        right = i == N - 1 ? cos(0) : cos(i + 1);
        assert_true(fabs(dv[2 + N + i] - 2.5 * ((left - cos(i)) - (cos(i) - right))) < 1e-14);
    }
    close_instance(&a);
    close_maker(&k);
}

/* ---- functions ---- */

static Function *add_function(Maker *k, const char *name, FnVar *vars, uint32_t n_in,
                              uint32_t n_out, uint32_t n, Stmt *body, uint32_t n_body)
{
    Function *f = ARENA_NEW(k->dae.g->arena, Function);
    *f = (Function){.name = name_of(k->ctx->names, name),
                    .id = k->dae.g->functions.n,
                    .vars = vars,
                    .n_vars = n,
                    .n_in = n_in,
                    .n_out = n_out,
                    .body = body,
                    .n_body = n_body,
                    .ready = true};
    f->result = n_out == 1 ? vars[n_in].type : T_NONE;
    vec_push(&k->dae.g->functions, f);
    return f;
}

/* sum of c[i]*x^(i-1) by Horner, with a loop, an if and an assert; c has open size. */
static void test_functions(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    int64_t open = DIM_UNKNOWN, four = 4;
    TypeId vector = type_array(g->types, T_REAL, &open, 1),
           vector4 = type_array(g->types, T_REAL, &four, 1);
    ExprId none[1] = {EXPR_NONE};
    FnVar vars[] = {{.name = "c", .kind = FN_INPUT, .type = vector, .dims = none},
                    {.name = "x", .kind = FN_INPUT, .type = T_REAL},
                    {.name = "y", .kind = FN_OUTPUT, .type = T_REAL}};
    ExprId c = expr_leaf(g, OP_LOCAL, vector, 0), x = expr_leaf(g, OP_LOCAL, T_REAL, 1),
           y = expr_leaf(g, OP_LOCAL, T_REAL, 2);
    ExprId size = expr2(g, OP_SIZE, T_INT, c, expr_int(g, 1)), i = expr_new_iter(g, T_INT);
    ExprId range = expr3(g, OP_RANGE, type_array(g->types, T_INT, &open, 1), size, expr_int(g, -1),
                         expr_int(g, 1));
    ExprId ci = expr2(g, OP_INDEX, T_REAL, c, i),
           product = expr_make(g, OP_MUL, T_REAL, 0, (ExprId[]){y, x}, 2);
    Stmt inner = {.kind = STMT_ASSIGN,
                  .lhs = y,
                  .rhs = expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){ci, product}, 2)};
    StmtBranch loop = {.body = &inner, .n = 1};
    Stmt negate = {.kind = STMT_ASSIGN, .lhs = y, .rhs = expr1(g, OP_NEG, T_REAL, y)};
    StmtBranch choice = {
        .condition = expr2(g, OP_GT, T_BOOL, y, expr_real(g, 100)), .body = &negate, .n = 1};
    Stmt body[] = {{.kind = STMT_ASSERT, .lhs = expr2(g, OP_LT, T_BOOL, x, expr_real(g, 50))},
                   {.kind = STMT_FOR, .lhs = i, .rhs = range, .branches = &loop, .n_branches = 1},
                   {.kind = STMT_IF, .branches = &choice, .n_branches = 1}};
    vars[2].binding = expr_real(g, 0);
    Function *f = add_function(&k, "horner", vars, 2, 1, 3, body, 3);
    VarId p = add_var(&k, DAE_PARAMETER), out = add_var(&k, DAE_CONTINUOUS);
    ExprId h = expr_leaf(g, OP_HOLE, T_REAL, 0);
    ExprId coefficients =
        expr_make(g, OP_ARRAY, vector4, 0,
                  (ExprId[]){h, expr_real(g, 2), expr_real(g, 3), expr_real(g, 0.5)}, 4);
    ExprId call = expr_make(g, OP_CALL, T_REAL, f->id, (ExprId[]){coefficients, h}, 2);
    add_step(&k, out, expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){call, h}, 2), &p, 1,
             USE_DERIVATIVE);
    Instance a, b;
    open_instance(&k, &a, LOAD_TCC);
    open_instance(&k, &b, LOAD_CC);
    for (double value = -3; value < 10; value += 0.7) {
        double expected;
        EvalEnv env = {.g = g, .arena = k.dae.arena, .holes = &value};
        a.m->v[p] = b.m->v[p] = value;
        assert_int_equal(a.code->derivatives(a.m), 0);
        assert_int_equal(b.code->derivatives(b.m), 0);
        assert_int_equal(eval_number(&env, k.dae.eqs.at[0].term.shape, &expected), EVAL_OK);
        assert_true(same_bits(a.m->v[out], expected) && same_bits(b.m->v[out], expected));
    }
    a.m->v[p] = 60;
    assert_int_equal(a.code->derivatives(a.m), MODEL_ASSERT);
    assert_int_equal(a.m->failed_assert, 0);
    const Function *where;
    assert_ptr_equal(plan_assert(&k.plan, 0, &where), &body[0]);
    assert_ptr_equal(where, f);
    assert_null(plan_assert(&k.plan, 1, &where));
    assert_int_equal(kr_mark(a.m), 0);
    close_instance(&a);
    close_instance(&b);
    close_maker(&k);
}

/* Array results: y = A*x + transpose(A)*x, element 2 of it, and the sum of all. */
static void test_array_function(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    int64_t open[2] = {DIM_UNKNOWN, DIM_UNKNOWN}, two[2] = {2, 2};
    TypeId vector = type_array(g->types, T_REAL, open, 1),
           matrix = type_array(g->types, T_REAL, open, 2);
    TypeId vector2 = type_array(g->types, T_REAL, two, 1),
           matrix2 = type_array(g->types, T_REAL, two, 2);
    ExprId a = expr_leaf(g, OP_LOCAL, matrix, 0), x = expr_leaf(g, OP_LOCAL, vector, 1),
           y = expr_leaf(g, OP_LOCAL, vector, 2);
    ExprId none[2] = {EXPR_NONE, EXPR_NONE}, size = expr2(g, OP_SIZE, T_INT, x, expr_int(g, 1));
    FnVar vars[] = {{.name = "A", .kind = FN_INPUT, .type = matrix, .dims = none},
                    {.name = "x", .kind = FN_INPUT, .type = vector, .dims = none},
                    {.name = "y", .kind = FN_OUTPUT, .type = vector, .dims = &size}};
    ExprId product = expr2(g, OP_MATMUL, vector, a, x),
           other = expr2(g, OP_MATMUL, vector, expr1(g, OP_TRANSPOSE, matrix, a), x);
    Stmt body = {.kind = STMT_ASSIGN,
                 .lhs = y,
                 .rhs = expr_make(g, OP_ADD, vector, 0, (ExprId[]){product, other}, 2)};
    Function *f = add_function(&k, "twice", vars, 2, 1, 3, &body, 1);
    VarId p[2] = {add_var(&k, DAE_PARAMETER), add_var(&k, DAE_PARAMETER)},
          out = add_var(&k, DAE_CONTINUOUS);
    ExprId h0 = expr_leaf(g, OP_HOLE, T_REAL, 0), h1 = expr_leaf(g, OP_HOLE, T_REAL, 1);
    ExprId v = expr_make(g, OP_ARRAY, vector2, 0, (ExprId[]){h0, h1}, 2),
           w = expr_make(g, OP_ARRAY, vector2, 0, (ExprId[]){h1, h1}, 2);
    ExprId m = expr_make(g, OP_ARRAY, matrix2, 0, (ExprId[]){v, w}, 2),
           call = expr_make(g, OP_CALL, vector2, f->id, (ExprId[]){m, v}, 2);
    ExprId second = expr2(g, OP_INDEX, T_REAL, call, expr_int(g, 2)),
           all = expr1(g, OP_SUM, T_REAL, call);
    add_step(&k, out, expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){second, all}, 2), p, 2,
             USE_DERIVATIVE);
    Instance t;
    open_instance(&k, &t, LOAD_TCC);
    double holes[2] = {1.25, -0.3}, expected;
    EvalEnv env = {.g = g, .arena = k.dae.arena, .holes = holes};
    t.m->v[p[0]] = holes[0];
    t.m->v[p[1]] = holes[1];
    assert_int_equal(t.code->derivatives(t.m), 0);
    assert_int_equal(eval_number(&env, k.dae.eqs.at[0].term.shape, &expected), EVAL_OK);
    assert_true(same_bits(t.m->v[out], expected));
    close_instance(&t);
    close_maker(&k);
}

/* (s, w) = f(x) with w[2:3] := x*{1, 2}, s := 1; while s < x loop s := 2*s; and the tangent by
 * differences. */
static void test_results_and_slices(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    int64_t two = 2, three = 3;
    TypeId pair = type_array(g->types, T_REAL, &two, 1),
           triple = type_array(g->types, T_REAL, &three, 1),
           ints = type_array(g->types, T_INT, &two, 1);
    ExprId x = expr_leaf(g, OP_LOCAL, T_REAL, 0), s = expr_leaf(g, OP_LOCAL, T_REAL, 1),
           w = expr_leaf(g, OP_LOCAL, triple, 2);
    FnVar vars[] = {{.name = "x", .kind = FN_INPUT, .type = T_REAL},
                    {.name = "s", .kind = FN_OUTPUT, .type = T_REAL},
                    {.name = "w", .kind = FN_OUTPUT, .type = triple}};
    ExprId dim = expr_int(g, 3);
    vars[2].dims = &dim;
    ExprId range = expr3(g, OP_RANGE, ints, expr_int(g, 2), expr_int(g, 1), expr_int(g, 3));
    ExprId ramp = expr_make(g, OP_ARRAY, pair, 0, (ExprId[]){expr_real(g, 1), expr_real(g, 2)}, 2);
    Stmt twice = {.kind = STMT_ASSIGN,
                  .lhs = s,
                  .rhs = expr_make(g, OP_MUL, T_REAL, 0, (ExprId[]){expr_real(g, 2), s}, 2)};
    StmtBranch loop = {.condition = expr2(g, OP_LT, T_BOOL, s, x), .body = &twice, .n = 1};
    Stmt body[] = {{.kind = STMT_ASSIGN,
                    .lhs = expr2(g, OP_INDEX, pair, w, range),
                    .rhs = expr_make(g, OP_MUL, pair, 0, (ExprId[]){x, ramp}, 2)},
                   {.kind = STMT_ASSIGN, .lhs = s, .rhs = expr_real(g, 1)},
                   {.kind = STMT_WHILE, .branches = &loop, .n_branches = 1}};
    Function *f = add_function(&k, "f", vars, 1, 2, 3, body, 3);
    f->result = type_tuple(g->types, (TypeId[]){T_REAL, triple}, 2);
    VarId p = add_var(&k, DAE_CONTINUOUS), out = add_var(&k, DAE_DERIVATIVE);
    vec_push(&k.plan.states, ((PlanState){p, out}));
    ExprId h = expr_leaf(g, OP_HOLE, T_REAL, 0),
           call = expr_make(g, OP_CALL, f->result, f->id, &h, 1);
    ExprId scalar = expr_make(g, OP_OUT, T_REAL, 0, &call, 1),
           vector = expr_make(g, OP_OUT, triple, 1, &call, 1);
    ExprId third = expr2(g, OP_INDEX, T_REAL, vector, expr_int(g, 3));
    add_step(&k, out, expr_make(g, OP_ADD, T_REAL, 0, (ExprId[]){scalar, third}, 2), &p, 1,
             USE_DERIVATIVE);
    Instance a;
    open_instance(&k, &a, LOAD_TCC);
    double value = 5.3, expected;
    EvalEnv env = {.g = g, .arena = k.dae.arena, .holes = &value};
    a.m->v[p] = value;
    a.m->dv[p] = 1;
    assert_int_equal(a.code->derivatives(a.m), 0);
    assert_true(same_bits(a.m->v[out], 8 + 2 * 5.3));
    assert_int_equal(eval_number(&env, k.dae.eqs.at[0].term.shape, &expected), EVAL_OK);
    assert_true(same_bits(a.m->v[out], expected));
    assert_int_equal(a.code->tangent(a.m), 0);
    assert_true(fabs(a.m->dv[out] - 2) < 1e-6);
    close_instance(&a);
    close_maker(&k);
}

/* ---- blocks, relations, parameters ---- */

/* State x; block {z = x + w, 0 = z^3 + w - p}: w torn, z inner; der = z. */
static void test_torn_block(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    ExprId h0 = expr_leaf(g, OP_HOLE, T_REAL, 0), h1 = expr_leaf(g, OP_HOLE, T_REAL, 1),
           h2 = expr_leaf(g, OP_HOLE, T_REAL, 2);
    VarId x = add_var(&k, DAE_CONTINUOUS), d = add_var(&k, DAE_DERIVATIVE),
          z = add_var(&k, DAE_CONTINUOUS), w = add_var(&k, DAE_CONTINUOUS),
          p = add_var(&k, DAE_PARAMETER);
    vec_push(&k.plan.states, ((PlanState){x, d}));
    EqId inner = add_eq(&k, z, expr_add(g, h0, h1), (VarId[]){x, w}, 2);
    EqId residual =
        add_eq(&k, NONE, expr_sub(g, expr_add(g, expr_pow(g, h0, expr_real(g, 3)), h1), h2),
               (VarId[]){z, w, p}, 3);
    vec_push(
        &k.plan.blocks,
        ((PlanBlock){.kind = BLOCK_NONLINEAR, .uses = USE_DERIVATIVE, .n_steps = 1, .n_torn = 1}));
    vec_push(&k.plan.steps, ((PlanStep){.eq = inner, .var = z}));
    vec_push(&k.plan.torn, ((PlanTorn){w, residual}));
    add_step(&k, d, h0, &z, 1, USE_DERIVATIVE);
    assert_ptr_equal(plan_numbered_block(&k.plan, 0), &k.plan.blocks.at[0]);
    assert_false(plan_is_numbered(&k.plan.blocks.at[1]));
    assert_null(plan_numbered_block(&k.plan, 1));
    Instance a;
    open_instance(&k, &a, LOAD_TCC);
    a.m->v[x] = 0.5;
    a.m->v[p] = 3;
    assert_int_equal(a.code->derivatives(a.m), 0);
    double at = a.m->v[d], h = 1e-6;
    assert_true(fabs(at * at * at + (at - 0.5) - 3) < 1e-12);
    a.m->dv[x] = 1;
    assert_int_equal(a.code->tangent(a.m), 0);
    assert_true(fabs(a.m->dv[d] - 1 / (3 * at * at + 1)) < 1e-12);
    a.m->v[x] += h;
    assert_int_equal(a.code->derivatives(a.m), 0);
    assert_true(fabs((a.m->v[d] - at) / h - a.m->dv[d]) < 1e-6);
    close_instance(&a);
    close_maker(&k);
}

/* An ideal diode in series with R = 2 at voltage u: s torn, open a relation on s; derivative of the
 * state is the current. */
static void test_mixed_block(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    ExprId h0 = expr_leaf(g, OP_HOLE, T_REAL, 0), open1 = expr_leaf(g, OP_HOLE, T_BOOL, 1),
           h2 = expr_leaf(g, OP_HOLE, T_REAL, 2);
    ExprId zero = expr_real(g, 0);
    VarId u = add_var(&k, DAE_CONTINUOUS), d = add_var(&k, DAE_DERIVATIVE),
          s = add_var(&k, DAE_CONTINUOUS), i = add_var(&k, DAE_CONTINUOUS),
          open = add_var(&k, DAE_RELATION);
    vec_push(&k.plan.states, ((PlanState){u, d}));
    EqId current = add_eq(&k, i, expr_if(g, open1, zero, h0), (VarId[]){s, open}, 2);
    ExprId voltage = expr_if(g, open1, h0, zero);
    ExprId h3 = expr_leaf(g, OP_HOLE, T_REAL, 3);
    EqId kirchhoff =
        add_eq(&k, NONE, expr_sub(g, expr_sub(g, h2, expr_mul(g, expr_real(g, 2), h3)), voltage),
               (VarId[]){s, open, u, i}, 4);
    EqId relation = add_eq(&k, open, expr_compare(g, OP_LT, h0, zero), &s, 1);
    k.dae.eqs.at[relation].origin = DAE_EQ_RELATION;
    k.dae.vars.at[open].detail = 0;
    vec_push(
        &k.dae.relations,
        ((DaeRelation){
            .var = open, .eq = relation, .op = OP_LT, .z = make_term(&k, h0, &s, 1), .scale = 1}));
    vec_push(&k.plan.steps, ((PlanStep){.eq = current, .var = i}));
    vec_push(&k.plan.steps, ((PlanStep){.eq = relation, .var = open}));
    vec_push(&k.plan.torn, ((PlanTorn){s, kirchhoff}));
    vec_push(&k.plan.blocks, ((PlanBlock){.kind = BLOCK_LINEAR,
                                          .mixed = true,
                                          .uses = USE_DERIVATIVE | USE_DISCRETE,
                                          .n_steps = 1,
                                          .n_torn = 1,
                                          .discrete = 1,
                                          .n_discrete = 1}));
    add_step(&k, d, h0, &i, 1, USE_DERIVATIVE);
    Instance a;
    open_instance(&k, &a, LOAD_TCC);
    a.m->event = 1;
    a.m->v[u] = -6;
    assert_int_equal(a.code->event(a.m), 0);
    assert_true(a.m->v[open] == 1 && a.m->v[d] == 0 && a.m->v[s] == -6);
    a.m->event = 0;
    a.m->v[u] = 6; /* not yet an event: it stays open */
    assert_int_equal(a.code->derivatives(a.m), 0);
    assert_true(a.m->v[open] == 1 && a.m->v[s] == 6);
    a.m->event = 1;
    assert_int_equal(a.code->event(a.m), 0);
    assert_true(a.m->v[open] == 0 && a.m->v[d] == 3);
    a.m->dv[u] = 1;
    assert_int_equal(a.code->tangent(a.m), 0);
    assert_true(fabs(a.m->dv[d] - 0.5) < 1e-15);
    close_instance(&a);
    close_maker(&k);
}

/* q = 2*p unless q was set; b: x > 1 as a relation; y = if b then 1 else 2; an assert. */
static void test_sections(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    Graph *g = k.dae.g;
    ExprId h0 = expr_leaf(g, OP_HOLE, T_REAL, 0), bool0 = expr_leaf(g, OP_HOLE, T_BOOL, 0);
    VarId p = add_var(&k, DAE_PARAMETER), q = add_var(&k, DAE_PARAMETER),
          x = add_var(&k, DAE_CONTINUOUS), b = add_var(&k, DAE_RELATION),
          y = add_var(&k, DAE_CONTINUOUS);
    EqId parameter = add_eq(&k, q, expr_mul(g, expr_real(g, 2), h0), &p, 1);
    vec_push(&k.plan.blocks, ((PlanBlock){.kind = BLOCK_EXPLICIT, .n_steps = 1}));
    vec_push(&k.plan.steps, ((PlanStep){.eq = parameter, .var = q}));
    k.plan.parameters.n_blocks = 1;
    k.plan.main.block = 1;
    ExprId z = expr_sub(g, h0, expr_real(g, 1));
    EqId e = add_step(&k, b, expr_compare(g, OP_GT, z, expr_real(g, 0)), &x, 1, USE_DISCRETE);
    k.dae.eqs.at[e].origin = DAE_EQ_RELATION;
    k.dae.vars.at[b].detail = 0;
    vec_push(
        &k.dae.relations,
        ((DaeRelation){.var = b, .eq = e, .op = OP_GT, .z = make_term(&k, z, &x, 1), .scale = 1}));
    vec_push(
        &k.dae.actions,
        ((DaeAction){.kind = ACTION_ASSERT,
                     .guard = make_term(&k, expr_compare(g, OP_LT, h0, expr_real(g, 5)), &x, 1)}));
    add_step(&k, y, expr_if(g, bool0, expr_real(g, 1), expr_real(g, 2)), &b, 1, USE_OUTPUT);
    k.plan.main.n_blocks = k.plan.blocks.n - 1;
    Instance a;
    open_instance(&k, &a, LOAD_TCC);
    uint8_t set[8] = {0};
    a.m->set = set;
    a.m->v[p] = 4;
    assert_int_equal(a.code->parameters(a.m), 0);
    assert_true(a.m->v[q] == 8);
    set[q] = 1;
    a.m->v[q] = 3;
    a.code->parameters(a.m);
    assert_true(a.m->v[q] == 3);
    a.m->v[x] = 2;
    a.m->event = 1;
    assert_int_equal(a.code->event(a.m), 0);
    assert_true(a.m->v[b] == 1 && a.m->v[y] == 1);
    a.m->v[x] = 0; /* between events the relation keeps its value */
    double indicator, guard, value;
    a.code->outputs(a.m);
    a.code->indicators(a.m, &indicator);
    assert_true(a.m->v[y] == 1 && indicator == -1);
    a.code->event(a.m);
    assert_true(a.m->v[b] == 0 && a.m->v[y] == 2);
    a.code->actions(a.m, &guard, &value);
    assert_true(guard == 1);
    close_instance(&a);
    close_maker(&k);
}

static void test_errors(void **state)
{
    (void)state;
    Maker k;
    open_maker(&k);
    assert_null(load_compile(k.ctx, "int f(void) { return nothing; }\n", LOAD_TCC));
    assert_null(load_compile(k.ctx, "int f(void) { return nothing; }\n", LOAD_CC));
    assert_true(k.ctx->n_errors > 0);
    VarId y = add_var(&k, DAE_CONTINUOUS);
    ExprId delay = expr_make(k.dae.g, OP_DELAY, T_REAL, 0,
                             (ExprId[]){expr_real(k.dae.g, 1), expr_real(k.dae.g, 2)}, 2);
    add_step(&k, y, delay, NULL, 0, USE_DERIVATIVE);
    assert_null(codegen_model(&k.plan, &(CodegenOptions){false}, NULL));
    close_maker(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_shapes),  cmocka_unit_test(test_large_expressions),
        cmocka_unit_test(test_loops),          cmocka_unit_test(test_functions),
        cmocka_unit_test(test_array_function), cmocka_unit_test(test_results_and_slices),
        cmocka_unit_test(test_mixed_block),    cmocka_unit_test(test_torn_block),
        cmocka_unit_test(test_sections),       cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The structure phase: graph algorithms on small hand-checked graphs, plans of small models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dae/build.h"
#include "structure/states/states.h"
#include "structure/structure.h"

/* ---- graphs ---- */

/* Rows as strings of digits: variables 0 to 9. */
static Incidence graph(const char *const *rows, uint32_t n_eqs, uint32_t n_vars)
{
    Incidence a = {.n_eqs = n_eqs, .n_vars = n_vars};
    uint32_t n = 0;
    a.ptr = memory_alloc((n_eqs + 1) * sizeof *a.ptr);
    a.var = memory_alloc(256 * sizeof *a.var);
    for (uint32_t e = 0; e < n_eqs; e++) {
        for (const char *c = rows[e]; *c; c++)
            a.var[n++] = (uint32_t)(*c - '0');
        a.ptr[e + 1] = n;
    }
    return a;
}

static void graph_end(Incidence *a)
{
    memory_free(a->ptr);
    memory_free(a->var);
}

static void test_match_needs_augmenting(void **state)
{
    (void)state;
    const char *rows[] = {"01", "02", "0"};
    uint32_t match[3];
    Incidence a = graph(rows, 3, 3);
    assert_int_equal(structure_match(&a, match), 3);
    assert_int_equal(match[2], 0);
    assert_int_equal(match[0], 1);
    assert_int_equal(match[1], 2);
    graph_end(&a);
}

static void test_match_deficient(void **state)
{
    (void)state;
    const char *rows[] = {"0", "0", "012", "12"};
    uint32_t match[4];
    Incidence a = graph(rows, 4, 4);
    assert_int_equal(structure_match(&a, match), 3);
    graph_end(&a);
}

/* A row that takes the whole chain to be moved: deep paths need no stack. */
static void test_match_long_path(void **state)
{
    (void)state;
    uint32_t n = 200000, k = 0;
    Incidence a = {.n_eqs = n, .n_vars = n};
    a.ptr = memory_alloc((n + 1) * sizeof *a.ptr);
    a.var = memory_alloc(2 * (size_t)n * sizeof *a.var);
    for (uint32_t e = 0; e < n; e++) {
        a.var[k++] = e + 1 < n ? e : 0;
        if (e + 1 < n)
            a.var[k++] = e + 1;
        a.ptr[e + 1] = k;
    }
    uint32_t *match = memory_alloc(n * sizeof *match);
    assert_int_equal(structure_match(&a, match), n);
    uint32_t *order = memory_alloc(n * sizeof *order),
             *start = memory_alloc((n + 1) * sizeof *start);
    assert_int_equal(structure_sort(&a, match, order, start), n);
    assert_int_equal(order[0], n - 1);
    memory_free(match);
    memory_free(order);
    memory_free(start);
    graph_end(&a);
}

/* Compares with the best over all assignments, by brute force, on small random graphs. */
static uint32_t best_match(const Incidence *a, uint32_t e, uint32_t used)
{
    if (e == a->n_eqs)
        return 0;
    uint32_t best = best_match(a, e + 1, used);
    for (uint32_t k = a->ptr[e]; k < a->ptr[e + 1]; k++) {
        if (used >> a->var[k] & 1)
            continue;
        uint32_t n = 1 + best_match(a, e + 1, used | 1u << a->var[k]);
        best = n > best ? n : best;
    }
    return best;
}

static void check_parts(const Incidence *a, const uint32_t *match)
{
    uint8_t eq_part[8], var_part[8];
    structure_parts(a, match, eq_part, var_part);
    uint32_t over[2] = {0}, under[2] = {0}, well[2] = {0};
    for (uint32_t e = 0; e < a->n_eqs; e++) {
        *(eq_part[e] == 1 ? &over[0] : eq_part[e] == 2 ? &under[0] : &well[0]) += 1;
        if (match[e] != NONE)
            assert_int_equal(eq_part[e], var_part[match[e]]);
        else
            assert_int_equal(eq_part[e], 1);
        for (uint32_t k = a->ptr[e]; k < a->ptr[e + 1]; k++)
            if (eq_part[e] == 1)
                assert_int_equal(var_part[a->var[k]], 1);
    }
    for (uint32_t v = 0; v < a->n_vars; v++)
        *(var_part[v] == 1 ? &over[1] : var_part[v] == 2 ? &under[1] : &well[1]) += 1;
    assert_int_equal(well[0], well[1]);
    assert_true(over[0] > over[1] || over[0] == 0);
    assert_true(under[0] < under[1] || under[1] == 0);
}

static void test_match_random(void **state)
{
    (void)state;
    uint64_t h = 1;
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t n = 1 + round % 7, m = 1 + round / 7 % 7, k = 0, match[8];
        Incidence a = {.n_eqs = n, .n_vars = m};
        a.ptr = memory_alloc((n + 1) * sizeof *a.ptr);
        a.var = memory_alloc(64 * sizeof *a.var);
        for (uint32_t e = 0; e < n; e++) {
            for (uint32_t v = 0; v < m; v++) {
                h = hash_mix(h, round + v);
                if ((h >> 20) % 4 == 0)
                    a.var[k++] = v;
            }
            a.ptr[e + 1] = k;
        }
        assert_int_equal(structure_match(&a, match), best_match(&a, 0, 0));
        check_parts(&a, match);
        graph_end(&a);
    }
}

static void test_sort_components(void **state)
{
    (void)state;
    const char *rows[] = {"013", "12", "21", "3", "340"};
    uint32_t match[] = {0, 1, 2, 3, 4}, order[5], start[6];
    Incidence a = graph(rows, 5, 5);
    assert_int_equal(structure_sort(&a, match, order, start), 4);
    uint32_t position[5];
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t i = start[c]; i < start[c + 1]; i++)
            position[order[i]] = c;
    assert_int_equal(position[1], position[2]);
    assert_true(position[1] < position[0] && position[3] < position[0] &&
                position[0] < position[4]);
    graph_end(&a);
}

static void test_parts(void **state)
{
    (void)state;
    const char *rows[] = {"0", "0", "1", "1234"};
    uint32_t match[4];
    uint8_t eq_part[4], var_part[5];
    Incidence a = graph(rows, 4, 5);
    structure_match(&a, match);
    structure_parts(&a, match, eq_part, var_part);
    const uint8_t eqs[] = {1, 1, 0, 2}, vars[] = {1, 0, 2, 2, 2};
    assert_memory_equal(eq_part, eqs, 4);
    assert_memory_equal(var_part, vars, 5);
    graph_end(&a);
}

/* ---- small models, built as flat ones ---- */

typedef struct Model {
    Context *ctx;
    Graph *g;
    Flat flat;
    Dae *dae;
    Plan *plan;
    Arena *arena;
    uint32_t file;
} Model;

static void model_start(Model *m)
{
    *m = (Model){.ctx = context_new(), .arena = arena_new()};
    m->g = graph_new(m->ctx);
    m->flat = (Flat){
        .g = m->g, .paths = paths_new(), .arena = m->arena, .name = name_of(m->ctx->names, "M")};
    m->file = sources_add(m->ctx->sources, "m.mo", "model M\nend M;\n", 15);
}

static void model_end(Model *m)
{
    plan_free(m->plan);
    dae_free(m->dae);
    paths_free(m->flat.paths);
    vec_free(&m->flat.vars);
    vec_free(&m->flat.eqs);
    graph_free(m->g);
    arena_free(m->arena);
    context_free(m->ctx);
}

static ExprId variable(Model *m, const char *name, TypeId type, Variability variability)
{
    FlatVar v = {.type = type, .variability = (uint8_t)variability, .shared = &flat_plain};
    v.path = path_make(m->flat.paths, 0, name_of(m->ctx->names, name), NULL, 0);
    v.span = (Span){m->file, m->flat.vars.n, m->flat.vars.n + 1};
    vec_push(&m->flat.vars, v);
    return expr_leaf(m->g, OP_VAR, type, m->flat.vars.n - 1);
}

static ExprId real(Model *m, const char *name)
{
    return variable(m, name, T_REAL, VARIES_CONTINUOUS);
}

static ExprId number(Model *m, double x)
{
    return expr_real(m->g, x);
}

static ExprId parameter(Model *m, const char *name, double value)
{
    ExprId e = variable(m, name, T_REAL, VARIES_PARAMETER);
    vec_last(&m->flat.vars).binding = number(m, value);
    return e;
}

static void set_start(Model *m, ExprId x, double value, bool fixed)
{
    FlatVar *v = &m->flat.vars.at[expr_index(m->g, x)];
    v->start = number(m, value);
    if (fixed)
        v->fixed = expr_bool(m->g, true);
}

static ExprId der(Model *m, ExprId x)
{
    return expr1(m->g, OP_DER, T_REAL, x);
}

static FlatEq *equation(Model *m, ExprId lhs, ExprId rhs)
{
    FlatEq e = {.kind = FLAT_EQUAL, .lhs = lhs, .rhs = rhs};
    e.span = (Span){m->file, m->flat.eqs.n, m->flat.eqs.n + 1};
    vec_push(&m->flat.eqs, e);
    return &vec_last(&m->flat.eqs);
}

static bool plan_of(Model *m)
{
    m->dae = dae_build(m->ctx, &m->flat);
    if (!m->dae) {
        puts(diag_render(m->ctx, DIAG_TEXT, false, m->arena));
        fail_msg("no Dae");
    }
    m->plan = structure_plan(m->dae);
    if (!m->plan && getenv("SHOW"))
        puts(diag_render(m->ctx, DIAG_TEXT, false, m->arena));
    if (!m->plan)
        return false;
    const char *breach = plan_check(m->plan, m->arena);
    if (breach)
        fail_msg("%s\n%s", breach, plan_print(m->plan, m->arena));
    if (getenv("SHOW"))
        puts(plan_print(m->plan, m->arena));
    return true;
}

static bool reported(const Model *m, DiagCode code)
{
    for (uint32_t i = 0; i < m->ctx->diags.n; i++)
        if (m->ctx->diags.at[i]->code == code)
            return true;
    return false;
}

static bool is_state(const Model *m, const char *name)
{
    for (uint32_t i = 0; i < m->plan->states.n; i++)
        if (!strcmp(dae_var_name(m->plan->dae, m->plan->states.at[i].var, m->arena), name))
            return true;
    return false;
}

/* Torn blocks of the main sequence. */
static uint32_t systems(const Model *m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->plan->main.n_blocks; i++)
        n += m->plan->blocks.at[m->plan->main.block + i].kind != BLOCK_EXPLICIT;
    return n;
}

/* Systems of the main sequence that are in closed form. */
static uint32_t solved_systems(const Model *m)
{
    uint32_t n = 0, end = m->plan->main.block + m->plan->main.n_blocks;
    for (uint32_t i = 0; i < m->plan->solved.n; i++)
        n +=
            m->plan->solved.at[i].block >= m->plan->main.block && m->plan->solved.at[i].block < end;
    return n;
}

/* The value that the main sequence computes for a variable from zero states and derivatives. All
 * blocks are explicit. */
static double computed(Model *m, const char *name)
{
    const Dae *d = m->plan->dae;
    double *v = ARENA_ARRAY(m->arena, double, d->vars.n), x = NAN;
    for (VarId i = 0; i < d->vars.n; i++)
        v[i] = d->vars.at[i].kind == DAE_PARAMETER ? d->vars.at[i].value : 0;
    for (uint32_t b = m->plan->main.block; b < m->plan->main.block + m->plan->main.n_blocks; b++) {
        const PlanStep *s = &m->plan->steps.at[m->plan->blocks.at[b].step];
        Term t = d->eqs.at[s->eq].term;
        t.shape = s->value != EXPR_NONE ? s->value : t.shape;
        assert_int_equal(m->plan->blocks.at[b].kind, BLOCK_EXPLICIT);
        assert_int_equal(dae_eval(d, t, v, &v[s->var]), EVAL_OK);
        if (!strcmp(dae_var_name(d, s->var, m->arena), name))
            x = v[s->var];
    }
    return x;
}

#define ADD(a, b) expr_add(m->g, a, b)
#define SUB(a, b) expr_sub(m->g, a, b)
#define MUL(a, b) expr_mul(m->g, a, b)
#define DIV(a, b) expr_div(m->g, a, b)
#define NEG(a) expr_neg(m->g, a)
#define SQUARE(a) expr_pow(m->g, a, number(m, 2))

static void test_linear_ode(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), v = real(m, "v"), f = real(m, "f"), y = real(m, "y"),
           k = parameter(m, "k", 2);
    equation(m, der(m, x), v);
    equation(m, der(m, v), f);
    equation(m, f, NEG(MUL(k, x)));
    equation(m, y, ADD(SQUARE(x), v));
    set_start(m, x, 1, true);
    assert_true(plan_of(m));
    assert_int_equal(m->plan->states.n, 2);
    assert_true(is_state(m, "x") && is_state(m, "v"));
    for (uint32_t i = 0; i < m->plan->main.n_blocks; i++)
        assert_int_equal(m->plan->blocks.at[m->plan->main.block + i].kind, BLOCK_EXPLICIT);
    assert_int_equal(m->plan->choices.n, 1);
    assert_int_equal(m->plan->choices.at[0].what, CHOSE_START);
    const PlanJacobian *j = &m->plan->jacobian;
    assert_int_equal(j->col_ptr[2], 2);
    assert_int_equal(j->row[0], 1);
    assert_int_equal(j->row[1], 0);
    assert_int_equal(j->n_colours, 1);
    model_end(m);
}

/* der(x) = v, der(v) = …, x^2 + y^2 = L^2: index 3. */
static void pendulum(Model *m, double x0, double y0)
{
    ExprId x = real(m, "x"), y = real(m, "y"), vx = real(m, "vx"), vy = real(m, "vy"),
           lambda = real(m, "lambda");
    ExprId length = parameter(m, "L", 1), g = parameter(m, "g", 9.81);
    equation(m, der(m, x), vx);
    equation(m, der(m, y), vy);
    equation(m, der(m, vx), NEG(MUL(lambda, x)));
    equation(m, der(m, vy), SUB(NEG(MUL(lambda, y)), g));
    equation(m, ADD(SQUARE(x), SQUARE(y)), SQUARE(length));
    set_start(m, x, x0, false);
    set_start(m, y, y0, false);
}

/* Neither x nor y is a state for good: a set of both, at the levels of positions and velocities. */
static void test_pendulum(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        Model model, *m = &model;
        model_start(m);
        pendulum(m, side ? 0.1 : 0.99, side ? -0.99 : -0.1);
        assert_true(plan_of(m));
        assert_int_equal(m->plan->states.n, 2);
        assert_int_equal(m->plan->sets.n, 1);
        const PlanSet *s = &m->plan->sets.at[0];
        assert_int_equal(s->n_cols, 2);
        assert_int_equal(s->n_rows, 1);
        assert_int_equal(s->depth, 2);
        VarId chosen = s->cols[s->n_cols + s->chosen[0]];
        assert_string_equal(dae_var_name(m->plan->dae, chosen, m->arena), side ? "x" : "y");
        assert_int_equal(m->plan->dummies.n, 2);
        model_end(m);
    }
}

/* With stateSelect = always on x there is nothing to choose. */
static void test_pendulum_always(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    pendulum(m, 0.1, -0.99);
    flat_own(&m->flat, &m->flat.vars.at[0])->traits.state_select = SELECT_ALWAYS;
    assert_true(plan_of(m));
    assert_int_equal(m->plan->sets.n, 0);
    assert_int_equal(m->plan->states.n, 2);
    assert_true(is_state(m, "x"));
    model_end(m);
}

/* Two inertias and an ideal gear: index 2. */
static void test_gear(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId w1 = real(m, "w1"), w2 = real(m, "w2"), t1 = real(m, "t1"), t2 = real(m, "t2");
    ExprId j1 = parameter(m, "J1", 1), j2 = parameter(m, "J2", 2), r = parameter(m, "r", 100);
    equation(m, MUL(j1, der(m, w1)), SUB(number(m, 1), t1));
    equation(m, MUL(j2, der(m, w2)), t2);
    equation(m, w1, MUL(r, w2));
    equation(m, t2, MUL(r, t1));
    set_start(m, w2, 0, true);
    assert_true(plan_of(m));
    assert_int_equal(m->plan->states.n, 1);
    assert_true(is_state(m, "w2"));
    assert_int_equal(m->plan->differentiated.n, 1);
    assert_int_equal(m->plan->choices.n, 0);
    assert_int_equal(systems(m), 0);
    assert_int_equal(solved_systems(m), 1);
    assert_int_equal(m->plan->solved.at[0].n_torn, 1);
    model_end(m);
}

/* A chain of rigidly geared inertias: one state for any length. */
static void test_gear_chain(void **state)
{
    (void)state;
    enum { N = 60 };
    Model model, *m = &model;
    model_start(m);
    ExprId w[N], t[N], r = parameter(m, "r", 1.5);
    for (int i = 0; i < N; i++) {
        w[i] = real(m, arena_printf(m->arena, "w%d", i));
        t[i] = real(m, arena_printf(m->arena, "t%d", i));
    }
    for (int i = 0; i < N; i++) {
        equation(m, der(m, w[i]), i + 1 < N ? SUB(t[i], MUL(r, t[i + 1])) : t[i]);
        equation(m, i ? w[i] : t[0], i ? MUL(r, w[i - 1]) : number(m, 1));
    }
    assert_true(plan_of(m));
    assert_int_equal(m->plan->states.n, 1);
    assert_true(is_state(m, "w0"));
    assert_int_equal(m->plan->choices.n, 1);
    model_end(m);
}

/* Two capacitors in parallel behind a resistor; stateSelect decides. */
static void test_parallel_capacitors(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId v1 = real(m, "v1"), v2 = real(m, "v2"), i1 = real(m, "i1"), i2 = real(m, "i2"),
           i = real(m, "i");
    ExprId c1 = parameter(m, "C1", 1), c2 = parameter(m, "C2", 2), res = parameter(m, "R", 3);
    equation(m, MUL(c1, der(m, v1)), i1);
    equation(m, MUL(c2, der(m, v2)), i2);
    equation(m, ADD(v1, v2), number(m, 5));
    equation(m, i, SUB(i1, i2));
    equation(m, MUL(res, i), SUB(number(m, 1), v1));
    flat_own(&m->flat, &m->flat.vars.at[expr_index(m->g, v2)])->traits.state_select = SELECT_ALWAYS;
    set_start(m, v1, 1, true);
    set_start(m, v2, 4, true);
    assert_true(plan_of(m));
    assert_int_equal(m->plan->states.n, 1);
    assert_true(is_state(m, "v2"));
    assert_int_equal(m->plan->choices.n, 1);
    assert_int_equal(m->plan->choices.at[0].what, DROPPED_REDUNDANT);
    model_end(m);
}

static void test_nonlinear_loop(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z");
    equation(m, ADD(x, y), number(m, 3));
    equation(m, MUL(x, y), z);
    equation(m, z, ADD(number(m, 1), y));
    assert_true(plan_of(m));
    assert_int_equal(m->plan->main.n_blocks, 1);
    const PlanBlock *b = &m->plan->blocks.at[m->plan->main.block];
    assert_int_equal(b->kind, BLOCK_NONLINEAR);
    assert_int_equal(b->n_torn, 1);
    assert_int_equal(b->n_steps, 2);
    assert_int_equal(b->uses, USE_PARAMETER);
    model_end(m);
}

/* u - R1*i - w = 0, w = R2*i + i: one tearing variable. The numbers are checked by hand. */
static void test_small_block(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId i = real(m, "i"), w = real(m, "w"), x = real(m, "x");
    ExprId r1 = parameter(m, "R1", 2), r2 = parameter(m, "R2", 5);
    equation(m, SUB(number(m, 24), MUL(r1, i)), w);
    equation(m, w, ADD(MUL(r2, i), i));
    equation(m, der(m, x), i);
    assert_true(plan_of(m));
    assert_int_equal(systems(m), 0);
    assert_int_equal(solved_systems(m), 1);
    assert_float_equal(computed(m, "w"), 18, 1e-12);
    assert_float_equal(computed(m, "der(x)"), 3, 1e-12);
    const PlanSolved *solved = &m->plan->solved.at[0];
    const DaeEq *e =
        &m->plan->dae->eqs.at[m->plan->steps.at[m->plan->blocks.at[solved->block].step].eq];
    assert_int_equal(e->origin, DAE_EQ_SOLVED);
    assert_memory_equal(&e->span, &m->plan->dae->eqs.at[e->of].span, sizeof e->span);
    const char *text = plan_print(m->plan, m->arena);
    assert_non_null(strstr(text, "SYSTEM OF 2 SIMULTANEOUS EQUATIONS"));
    assert_non_null(strstr(text, "SOLVED SYSTEM OF EQUATIONS"));
    model_end(m);
}

/* Three unknowns, each in every equation: two tearing variables. 2x + y + z = 7, x + 3y + z = 10, x
 * + y + kz = 15 with k = 4 has the solution 1, 2, 3. */
static void test_small_block_two(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z"), k = parameter(m, "k", 4);
    equation(m, ADD(ADD(MUL(number(m, 2), x), y), z), number(m, 7));
    equation(m, ADD(ADD(x, MUL(number(m, 3), y)), z), number(m, 10));
    equation(m, ADD(ADD(x, y), MUL(k, z)), number(m, 15));
    assert_true(plan_of(m));
    assert_int_equal(solved_systems(m), 1);
    assert_int_equal(m->plan->solved.at[m->plan->solved.n - 1].n_torn, 2);
    assert_float_equal(computed(m, "x"), 1, 1e-12);
    assert_float_equal(computed(m, "y"), 2, 1e-12);
    assert_float_equal(computed(m, "z"), 3, 1e-12);
    model_end(m);
}

/* x + y = 1, p*x + y = 2 is singular for p = 1, though not by structure: it stays a system that is
 * solved at run time. So does one whose coefficient is not a parameter. */
static void test_small_block_stays(void **state)
{
    (void)state;
    for (int varying = 0; varying < 2; varying++) {
        Model model, *m = &model;
        model_start(m);
        ExprId x = real(m, "x"), y = real(m, "y"), s = real(m, "s"), p = parameter(m, "p", 1);
        equation(m, der(m, s), number(m, 1));
        equation(m, ADD(x, y), s);
        equation(m, ADD(MUL(varying ? s : p, x), y), MUL(number(m, 2), s));
        assert_true(plan_of(m));
        assert_int_equal(systems(m), 1);
        assert_int_equal(m->plan->solved.n, 0);
        for (EqId e = 0; e < m->plan->dae->eqs.n; e++)
            assert_int_not_equal(m->plan->dae->eqs.at[e].origin, DAE_EQ_SOLVED);
        model_end(m);
    }
}

/* Many similar blocks: the composition is computed once. */
static void test_small_blocks_share(void **state)
{
    (void)state;
    enum { N = 300 };
    Model model, *m = &model;
    model_start(m);
    for (int k = 0; k < N; k++) {
        ExprId x = real(m, arena_printf(m->arena, "x%d", k)),
               i = real(m, arena_printf(m->arena, "i%d", k));
        ExprId u = real(m, arena_printf(m->arena, "u%d", k));
        ExprId r = parameter(m, arena_printf(m->arena, "R%d", k), 1 + k);
        equation(m, der(m, x), i);
        equation(m, ADD(MUL(r, i), u), x);
        equation(m, u, MUL(r, i));
    }
    assert_true(plan_of(m));
    assert_int_equal(solved_systems(m), N);
    const PlanSolved *first = &m->plan->solved.at[0];
    for (uint32_t k = 0; k < N; k++) {
        const PlanSolved *other = &m->plan->solved.at[k];
        assert_int_equal(m->plan->steps.at[m->plan->blocks.at[other->block].step].value,
                         m->plan->steps.at[m->plan->blocks.at[first->block].step].value);
    }
    model_end(m);
}

/* A ladder of resistors: tearing must not solve it from one end. */
static void test_ladder(void **state)
{
    (void)state;
    enum { N = 2000 };
    Model model, *m = &model;
    model_start(m);
    ExprId *v = memory_alloc(N * sizeof *v), x = real(m, "x"), r = parameter(m, "R", 1);
    for (int i = 0; i < N; i++)
        v[i] = real(m, arena_printf(m->arena, "v%d", i));
    for (int i = 0; i < N; i++) {
        ExprId left = i ? v[i - 1] : x, right = i + 1 < N ? v[i + 1] : number(m, 0);
        equation(m, ADD(SUB(DIV(left, r), MUL(number(m, 3), v[i])), right), number(m, 0));
    }
    equation(m, der(m, x), NEG(v[0]));
    assert_true(plan_of(m));
    for (uint32_t i = 0; i < m->plan->main.n_blocks; i++) {
        const PlanBlock *b = &m->plan->blocks.at[m->plan->main.block + i];
        if (b->kind == BLOCK_EXPLICIT)
            continue;
        assert_true(b->n_torn > N / 60 && b->n_torn < N / 2);
        assert_int_equal(b->n_torn + b->n_steps, N);
        assert_int_equal(b->kind, BLOCK_LINEAR);
    }
    memory_free(v);
    model_end(m);
}

static void test_too_many(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z");
    equation(m, der(m, x), MUL(x, y));
    equation(m, SQUARE(x), number(m, 2));
    equation(m, ADD(x, SQUARE(x)), MUL(number(m, 3), number(m, 1)));
    equation(m, z, MUL(x, number(m, 4)));
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T002) || reported(m, DIAG_T001));
    model_end(m);
}

static void test_singular(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z");
    equation(m, SQUARE(x), number(m, 2));
    equation(m, ADD(x, SQUARE(x)), number(m, 3));
    equation(m, ADD(y, SQUARE(z)), x);
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T001));
    assert_int_equal(m->ctx->n_errors, 2);
    model_end(m);
}

static void test_too_few(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z");
    equation(m, der(m, x), MUL(y, z));
    equation(m, ADD(x, y), SQUARE(z));
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T003));
    model_end(m);
}

static void test_parameter_order(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), p = parameter(m, "p", 1), q = parameter(m, "q", 2),
           s = parameter(m, "s", 3);
    m->flat.vars.at[expr_index(m->g, q)].binding = MUL(number(m, 2), p);
    m->flat.vars.at[expr_index(m->g, s)].binding = ADD(q, p);
    equation(m, der(m, x), MUL(s, x));
    assert_true(plan_of(m));
    assert_int_equal(m->plan->parameters.n_blocks, 2);
    model_end(m);
}

/* Steady state by an initial equation, and a parameter that initialization finds. */
static void test_initial_equations(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), u = variable(m, "u", T_REAL, VARIES_PARAMETER);
    m->flat.vars.at[expr_index(m->g, u)].fixed = expr_bool(m->g, false);
    equation(m, der(m, x), SUB(u, MUL(number(m, 3), x)));
    equation(m, der(m, x), number(m, 0))->initial = true;
    set_start(m, x, 2, true);
    assert_true(plan_of(m));
    assert_int_equal(m->plan->choices.n, 0);
    assert_int_equal(m->plan->states.n, 1);
    model_end(m);
}

/* 0 = if open then i else u, open = u <= 0 and not i > 0: a mixed block. */
static void test_diode(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId i = real(m, "i"), u = real(m, "u"), uc = real(m, "uc"), r = parameter(m, "R", 10);
    ExprId open = variable(m, "open", T_BOOL, VARIES_DISCRETE);
    ExprId t = expr_leaf(m->g, OP_TIME, T_REAL, 0);
    ExprId zero = number(m, 0);
    equation(m, SUB(expr_apply(m->g, OP_SIN, T_REAL, 0, &t, 1), uc), ADD(MUL(r, i), u));
    equation(m, expr_if(m->g, open, i, u), zero);
    equation(m, open,
             expr_and(m->g, expr_compare(m->g, OP_LE, u, zero),
                      expr_not(m->g, expr_compare(m->g, OP_GT, i, zero))));
    equation(m, der(m, uc), i);
    assert_true(plan_of(m));
    uint32_t mixed = 0;
    for (uint32_t k = 0; k < m->plan->main.n_blocks; k++) {
        const PlanBlock *b = &m->plan->blocks.at[m->plan->main.block + k];
        if (!b->mixed)
            continue;
        mixed++;
        assert_int_equal(b->n_torn + b->n_steps, 2);
        assert_int_equal(b->n_discrete, 3);
        assert_int_equal(b->kind, BLOCK_LINEAR);
        assert_false(b->constant_jacobian);
        assert_int_equal(b->uses & (USE_DERIVATIVE | USE_DISCRETE), USE_DERIVATIVE | USE_DISCRETE);
    }
    assert_int_equal(mixed, 1);
    model_end(m);
}

static FlatEq when(Model *m, ExprId condition, ExprId lhs, ExprId rhs)
{
    FlatEq *body = ARENA_NEW(m->arena, FlatEq);
    *body = (FlatEq){.kind = FLAT_EQUAL,
                     .lhs = lhs,
                     .rhs = rhs,
                     .span = {m->file, m->flat.eqs.n, m->flat.eqs.n + 1}};
    FlatBranch *branch = ARENA_NEW(m->arena, FlatBranch);
    *branch = (FlatBranch){.condition = condition, .body = body, .n = 1, .span = body->span};
    FlatEq e = {.kind = FLAT_WHEN, .branches = branch, .n_branches = 1, .span = body->span};
    vec_push(&m->flat.eqs, e);
    return e;
}

/* A plant with a sampled controller: discrete blocks are explicit, in order. */
static void test_sampled(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), y = real(m, "y"), u = variable(m, "u", T_REAL, VARIES_DISCRETE);
    ExprId n = variable(m, "n", T_INT, VARIES_DISCRETE);
    ExprId args[] = {number(m, 0), number(m, 0.1)};
    ExprId sample = expr_make(m->g, OP_SAMPLE, T_BOOL, 0, args, 2);
    equation(m, der(m, x), SUB(u, x));
    equation(m, y, MUL(number(m, 2), x));
    when(m, sample, u, SUB(number(m, 1), y));
    when(m, sample, n, ADD(expr1(m->g, OP_PRE, T_INT, n), expr_int(m->g, 1)));
    assert_true(plan_of(m));
    uint32_t discrete = 0;
    for (uint32_t k = 0; k < m->plan->main.n_blocks; k++) {
        const PlanBlock *b = &m->plan->blocks.at[m->plan->main.block + k];
        assert_int_equal(b->kind, BLOCK_EXPLICIT);
        discrete += b->uses == USE_DISCRETE;
    }
    assert_true(discrete >= 3);
    assert_int_equal(m->plan->jacobian.col_ptr[1], 1);
    model_end(m);
}

/* Two when-clauses that wait for each other. */
static void test_deadlock(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), a = variable(m, "a", T_REAL, VARIES_DISCRETE);
    ExprId b = variable(m, "b", T_REAL, VARIES_DISCRETE);
    equation(m, der(m, x), number(m, 1));
    when(m, expr_compare(m->g, OP_GT, x, number(m, 1)), a, ADD(b, number(m, 1)));
    when(m, expr_compare(m->g, OP_GT, x, number(m, 2)), b, ADD(a, number(m, 1)));
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T005));
    model_end(m);
}

static void test_discrete_twice(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), a = variable(m, "a", T_BOOL, VARIES_DISCRETE);
    ExprId b = variable(m, "b", T_BOOL, VARIES_DISCRETE);
    equation(m, der(m, x), number(m, 1));
    equation(m, a, expr_or(m->g, b, expr_compare(m->g, OP_GT, x, number(m, 1))));
    equation(m, a, expr_and(m->g, b, expr_compare(m->g, OP_GT, x, number(m, 2))));
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T004));
    model_end(m);
}

static void test_parameter_cycle(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), p = parameter(m, "p", 1), q = parameter(m, "q", 2);
    m->flat.vars.at[expr_index(m->g, p)].binding = MUL(number(m, 2), q);
    m->flat.vars.at[expr_index(m->g, q)].binding = ADD(p, number(m, 1));
    equation(m, der(m, x), MUL(p, x));
    m->dae = dae_build(m->ctx, &m->flat);
    if (m->dae) /* lowering may have reported it already */
        m->plan = structure_plan(m->dae);
    assert_null(m->plan);
    assert_true(m->ctx->n_errors > 0);
    assert_true(!m->dae || reported(m, DIAG_T006));
    model_end(m);
}

/* Two states with stateSelect = always and a constraint between them. */
static void test_no_choice_of_states(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId a = real(m, "a"), b = real(m, "b"), f = real(m, "f");
    equation(m, der(m, a), f);
    equation(m, der(m, b), NEG(MUL(number(m, 2), f)));
    equation(m, ADD(a, MUL(number(m, 3), b)), number(m, 1));
    flat_own(&m->flat, &m->flat.vars.at[expr_index(m->g, a)])->traits.state_select = SELECT_ALWAYS;
    flat_own(&m->flat, &m->flat.vars.at[expr_index(m->g, b)])->traits.state_select = SELECT_ALWAYS;
    assert_false(plan_of(m));
    assert_true(reported(m, DIAG_T007));
    model_end(m);
}

static void test_initial_discrete_twice(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), a = variable(m, "a", T_BOOL, VARIES_DISCRETE);
    equation(m, der(m, x), number(m, 1));
    when(m, expr_compare(m->g, OP_GT, x, number(m, 1)), a, expr_bool(m->g, false));
    equation(m, expr1(m->g, OP_PRE, T_BOOL, a), expr_bool(m->g, true))->initial = true;
    equation(m, expr1(m->g, OP_PRE, T_BOOL, a), expr_bool(m->g, false))->initial = true;
    assert_true(plan_of(m));
    assert_int_equal(
        m->plan->choices.n,
        2); /* x starts at its start value; the second condition is left to be checked */
    assert_int_equal(m->plan->choices.at[0].what, DROPPED_REDUNDANT);
    model_end(m);
}

/* An initial equation for a discrete variable gives its left limit. */
static void test_initial_discrete(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId x = real(m, "x"), a = variable(m, "a", T_REAL, VARIES_DISCRETE);
    equation(m, der(m, x), a);
    when(m, expr_compare(m->g, OP_GT, x, number(m, 1)), a, number(m, 0));
    equation(m, a, number(m, 3))->initial = true;
    assert_true(plan_of(m));
    VarId pre = NONE;
    for (uint32_t i = 0; i < m->plan->initial.n_blocks; i++) {
        VarId v = m->plan->steps.at[m->plan->blocks.at[m->plan->initial.block + i].step].var;
        pre = m->plan->dae->vars.at[v].kind == DAE_PRE ? v : pre;
    }
    assert_int_not_equal(pre, NONE);
    assert_string_equal(dae_var_name(m->plan->dae, pre, m->arena), "pre(a)");
    model_end(m);
}

/* A heat line: three colours for any length. */
static void test_heat_line(void **state)
{
    (void)state;
    enum { N = 5000 };
    Model model, *m = &model;
    model_start(m);
    ExprId *x = memory_alloc(N * sizeof *x), *q = memory_alloc((N + 1) * sizeof *q),
           k = parameter(m, "k", 2);
    for (int i = 0; i < N; i++)
        x[i] = real(m, arena_printf(m->arena, "T%d", i));
    for (int i = 0; i <= N; i++)
        q[i] = real(m, arena_printf(m->arena, "q%d", i));
    for (int i = 0; i < N; i++)
        equation(m, der(m, x[i]), SUB(q[i], q[i + 1]));
    for (int i = 0; i <= N; i++)
        equation(m, q[i],
                 i == 0   ? SUB(number(m, 1), x[0])
                 : i == N ? x[N - 1]
                          : MUL(k, SUB(x[i - 1], x[i])));
    assert_true(plan_of(m));
    assert_int_equal(m->plan->states.n, N);
    assert_int_equal(m->plan->jacobian.n_colours, 3);
    assert_int_equal(m->plan->jacobian.col_ptr[N], 3 * N - 2);
    memory_free(x);
    memory_free(q);
    model_end(m);
}

static void test_print(void **state)
{
    (void)state;
    Model model, *m = &model;
    model_start(m);
    ExprId w1 = real(m, "w1"), w2 = real(m, "w2"), t1 = real(m, "t1");
    equation(m, der(m, w1), NEG(t1));
    equation(m, der(m, w2), t1);
    equation(m, w1, MUL(number(m, 3), w2));
    assert_true(plan_of(m));
    const char *text = plan_print(m->plan, m->arena);
    assert_non_null(strstr(text, "SORTED EQUATIONS"));
    assert_non_null(strstr(text, "SYSTEM OF 3 SIMULTANEOUS EQUATIONS"));
    assert_non_null(strstr(text, "UNKNOWN VARIABLES"));
    assert_non_null(strstr(text, "DIFFERENTIATED EQUATIONS"));
    model_end(m);
}

/* ---- elimination on constraints ---- */

enum { CHAIN = 150 };

/* Row i: x[i] = x[i - 1] + a[i] with x in columns 0 … and a behind them; row CHAIN + i: 2 x[i] and
 * a[i]. Eliminated from the end, rows become long; the same is done on a full matrix. */
static void test_pivots_of_a_chain(void **state)
{
    (void)state;
    enum { ROWS = 2 * CHAIN, COLS = 2 * CHAIN };
    static double full[ROWS][COLS];
    Pivots w;
    pivots_start(&w, ROWS, COLS);
    for (uint32_t i = 0; i < CHAIN; i++) {
        full[i][i] = full[CHAIN + i][CHAIN + i] = 1;
        full[i][CHAIN + i] = -1;
        full[CHAIN + i][i] = 2;
        if (i)
            full[i][i - 1] = -1;
    }
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < COLS; j++)
            if (full[i][j] != 0)
                pivots_enter(&w, i, (PivotEntry){j, true, full[i][j]});
    for (uint32_t j = CHAIN; j-- > 0;) {
        pivots_eliminate(&w, j, j);
        for (uint32_t i = 0; i < ROWS; i++)
            for (uint32_t k = 0, open = i >= CHAIN || i < j; open && full[i][j] != 0 && k <= COLS;
                 k++) {
                uint32_t col = k < COLS ? k : j; /* the pivot's own column last */
                if (k == COLS || k != j)
                    full[i][col] -= full[i][j] * full[j][col];
            }
    }
    for (uint32_t i = CHAIN; i < ROWS; i++)
        for (uint32_t j = 0; j < COLS; j++) {
            const PivotEntry *e = pivots_at(&w, i, j);
            assert_true((e ? e->value : 0) == full[i][j]);
        }
    assert_int_equal(w.rows[ROWS - 1].n, CHAIN);
    pivots_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match_needs_augmenting),
        cmocka_unit_test(test_match_deficient),
        cmocka_unit_test(test_match_long_path),
        cmocka_unit_test(test_match_random),
        cmocka_unit_test(test_sort_components),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_linear_ode),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_pendulum_always),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_gear_chain),
        cmocka_unit_test(test_parallel_capacitors),
        cmocka_unit_test(test_nonlinear_loop),
        cmocka_unit_test(test_small_block),
        cmocka_unit_test(test_small_block_two),
        cmocka_unit_test(test_small_block_stays),
        cmocka_unit_test(test_small_blocks_share),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_parameter_order),
        cmocka_unit_test(test_initial_equations),
        cmocka_unit_test(test_diode),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_discrete_twice),
        cmocka_unit_test(test_parameter_cycle),
        cmocka_unit_test(test_no_choice_of_states),
        cmocka_unit_test(test_initial_discrete_twice),
        cmocka_unit_test(test_initial_discrete),
        cmocka_unit_test(test_heat_line),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_pivots_of_a_chain),
    };
    return cmocka_run_group_tests_name("structure", tests, NULL, NULL);
}

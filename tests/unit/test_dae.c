/* The dae phase, on flat models built by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dae/model/dae.h"

#include "dae/build.h"

/* ---- a flat model ---- */

typedef struct Model {
    Context *ctx;
    Graph *g;
    Flat flat;
    Dae *d;
    Arena *arena;
    uint32_t file;
} Model;

static int begin(void **state)
{
    Model *m = memory_alloc(sizeof *m);
    m->ctx = context_new();
    m->g = graph_new(m->ctx);
    m->flat.g = m->g;
    m->flat.paths = paths_new();
    m->flat.arena = arena_new();
    m->arena = arena_new();
    m->file = sources_add(m->ctx->sources, "test.mo", "model test\nend test;\n", 21);
    *state = m;
    return 0;
}

static int end(void **state)
{
    Model *m = *state;
    dae_free(m->d);
    vec_free(&m->flat.vars);
    vec_free(&m->flat.eqs);
    paths_free(m->flat.paths);
    arena_free(m->flat.arena);
    arena_free(m->arena);
    graph_free(m->g);
    context_free(m->ctx);
    memory_free(m);
    return 0;
}

static Span span_at(const Model *m, uint32_t at)
{
    return (Span){m->file, at % 20, at % 20 + 1};
}

static FlatVar *declare(Model *m, const char *name, TypeId type, Variability variability)
{
    PathId path = path_make(m->flat.paths, 0, name_of(m->ctx->names, name), NULL, 0);
    FlatVar v = {.path = path,
                 .type = type,
                 .variability = (uint8_t)variability,
                 .shared = &flat_plain,
                 .span = span_at(m, m->flat.vars.n)};
    vec_push(&m->flat.vars, v);
    return &vec_last(&m->flat.vars);
}

static ExprId var(Model *m, const char *name, TypeId type, Variability variability)
{
    declare(m, name, type, variability);
    return expr_leaf(m->g, OP_VAR, type, m->flat.vars.n - 1);
}

static ExprId real(Model *m, const char *name)
{
    return var(m, name, T_REAL, VARIES_CONTINUOUS);
}

static ExprId parameter(Model *m, const char *name, double value)
{
    FlatVar *v = declare(m, name, T_REAL, VARIES_PARAMETER);
    v->binding = expr_real(m->g, value);
    return expr_leaf(m->g, OP_VAR, T_REAL, m->flat.vars.n - 1);
}

static FlatEq equal(Model *m, ExprId lhs, ExprId rhs)
{
    return (FlatEq){
        .kind = FLAT_EQUAL, .lhs = lhs, .rhs = rhs, .span = span_at(m, m->flat.eqs.n + 3)};
}

static void equation(Model *m, ExprId lhs, ExprId rhs)
{
    FlatEq eq = equal(m, lhs, rhs);
    vec_push(&m->flat.eqs, eq);
}

static ExprId der(Model *m, ExprId e)
{
    return expr1(m->g, OP_DER, expr_type(m->g, e), e);
}

static ExprId pre(Model *m, ExprId e)
{
    return expr1(m->g, OP_PRE, expr_type(m->g, e), e);
}

static ExprId num(Model *m, double v)
{
    return expr_real(m->g, v);
}

static TypeId array(Model *m, int64_t rows, int64_t cols)
{
    return type_array(m->g->types, T_REAL, (int64_t[]){rows, cols}, cols ? 2 : 1);
}

static Dae *build(Model *m)
{
    m->d = dae_build(m->ctx, &m->flat);
    if (!m->d)
        return NULL;
    const char *breach = dae_check(m->d, m->arena);
    if (breach)
        fail_msg("%s\n%s", breach, dae_print(m->d, m->arena));
    return m->d;
}

static VarId named(const Model *m, const char *name)
{
    for (VarId v = 0; v < m->d->vars.n; v++)
        if (!strcmp(dae_var_name(m->d, v, m->arena), name))
            return v;
    fail_msg("no variable %s", name);
    return NONE;
}

static uint32_t count_eqs(const Model *m, DaeEqOrigin origin)
{
    uint32_t n = 0;
    for (EqId e = 0; e < m->d->eqs.n; e++)
        n += m->d->eqs.at[e].origin == origin;
    return n;
}

static EqId eq_for(const Model *m, const char *target)
{
    VarId v = named(m, target);
    for (EqId e = 0; e < m->d->eqs.n; e++)
        if (m->d->eqs.at[e].target == v)
            return e;
    fail_msg("no equation for %s", target);
    return NONE;
}

static EqId first_eq(const Model *m, DaeEqOrigin origin)
{
    for (EqId e = 0; e < m->d->eqs.n; e++)
        if (m->d->eqs.at[e].origin == origin)
            return e;
    fail_msg("no equation of that origin");
    return NONE;
}

static bool reported(const Model *m, DiagCode code)
{
    for (uint32_t i = 0; i < m->ctx->diags.n; i++)
        if (m->ctx->diags.at[i]->code == code)
            return true;
    return false;
}

/* ---- shapes ---- */

static void like_equations_share_a_shape(void **state)
{
    Model *m = *state;
    enum { N = 1000 };
    ExprId x[N];
    char name[16];
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "x%d", i);
        x[i] = real(m, name);
    }
    ExprId k = parameter(m, "k", 2.0);
    for (int i = 1; i < N - 1; i++) {
        ExprId left = expr_sub(m->g, x[i - 1], x[i]), right = expr_sub(m->g, x[i + 1], x[i]);
        equation(m, der(m, x[i]), expr_mul(m->g, k, expr_add(m->g, left, right)));
    }
    assert_non_null(build(m));
    assert_int_equal(m->d->eqs.n, N - 2);
    for (EqId e = 1; e < m->d->eqs.n; e++) {
        assert_int_equal(m->d->eqs.at[e].term.shape, m->d->eqs.at[0].term.shape);
        assert_int_equal(m->d->eqs.at[e].term.n, 5);
    }
    assert_int_equal(m->d->vars.at[named(m, "x5")].der, named(m, "der(x5)"));
}

static void lost_operands_are_dropped(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    equation(m, expr2(m->g, OP_ADD, T_REAL, x, y), expr2(m->g, OP_ADD, T_REAL, x, num(m, 3.0)));
    assert_non_null(build(m));
    assert_int_equal(m->d->eqs.at[0].term.n, 1);
    assert_int_equal(dae_op(m->d, m->d->eqs.at[0].term, 0), named(m, "y"));
}

static void equations_print_as_written(void **state)
{
    Model *m = *state;
    ExprId u = real(m, "u"), i = real(m, "i"), r = parameter(m, "R", 5.0);
    equation(m, u, expr_mul(m->g, r, i));
    assert_non_null(build(m));
    char *text = dae_eq_print(m->d, 0, m->arena);
    assert_true(!strcmp(text, "u = R*i") || !strcmp(text, "u = i*R"));
}

/* ---- parameters ---- */

static void parameters_by_value_and_by_equation(void **state)
{
    Model *m = *state;
    ExprId a = parameter(m, "a", 2.0);
    FlatVar *b = declare(m, "b", T_REAL, VARIES_PARAMETER);
    b->binding = expr_mul(m->g, a, num(m, 3.0));
    ExprId be = expr_leaf(m->g, OP_VAR, T_REAL, 1);
    FlatVar *x = declare(m, "x", T_REAL, VARIES_CONTINUOUS);
    x->start = be;
    x->nominal = expr_mul(m->g, be, num(m, 10.0));
    ExprId xe = expr_leaf(m->g, OP_VAR, T_REAL, 2);
    declare(m, "c", T_REAL, VARIES_PARAMETER);
    equation(m, der(m, xe), expr_neg(m->g, xe));
    assert_non_null(build(m));
    assert_true(m->d->vars.at[named(m, "a")].value == 2.0);
    assert_int_equal(m->d->eqs.at[m->d->vars.at[named(m, "b")].detail].target, named(m, "b"));
    assert_true(m->d->vars.at[named(m, "x")].nominal == 60.0);
    assert_int_equal(m->d->vars.at[named(m, "x")].start, named(m, "x.start"));
    assert_true(reported(m, DIAG_D101));
}

static void parameter_cycle_is_told(void **state)
{
    Model *m = *state;
    declare(m, "a", T_REAL, VARIES_PARAMETER);
    declare(m, "b", T_REAL, VARIES_PARAMETER);
    m->flat.vars.at[0].binding = expr_neg(m->g, expr_leaf(m->g, OP_VAR, T_REAL, 1));
    m->flat.vars.at[1].binding = expr_neg(m->g, expr_leaf(m->g, OP_VAR, T_REAL, 0));
    assert_null(build(m));
    assert_true(reported(m, DIAG_D002));
}

/* ---- aliases ---- */

static void aliases_with_signs(void **state)
{
    Model *m = *state;
    ExprId a = real(m, "a"), b = real(m, "b"), c = real(m, "c"), d = real(m, "d");
    equation(m, a, b);
    equation(m, expr_add(m->g, b, c), num(m, 0.0));
    equation(m, expr_mul(m->g, num(m, 2.0), c), expr_mul(m->g, num(m, -2.0), d));
    equation(m, der(m, c), expr_sub(m->g, num(m, 1.0), expr_add(m->g, a, d)));
    assert_non_null(build(m));
    assert_int_equal(m->d->n_aliases, 3);
    assert_int_equal(count_eqs(m, DAE_EQ_MODEL), 1);
    VarId rep = named(m, "c");
    assert_int_equal(m->d->vars.at[rep].alias, NONE);
    static const char *const others[] = {"a", "b", "d"};
    for (int i = 0; i < 3; i++) {
        const DaeVar *x = &m->d->vars.at[named(m, others[i])];
        assert_int_equal(x->alias, rep);
        assert_int_equal(x->alias_sign, -1);
    }
    EqId e = first_eq(m, DAE_EQ_MODEL);
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    v[rep] = 3.0;
    v[named(m, "der(c)")] = 7.0; /* der(c) = 1 - (a + d) = 1 + 2*c */
    assert_int_equal(dae_eval(m->d, m->d->eqs.at[e].term, v, &r), EVAL_OK);
    assert_true(r == 0.0);
    memory_free(v);
}

static void alias_derivatives_follow(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    equation(m, x, expr_neg(m->g, y));
    equation(m, expr_add(m->g, der(m, x), der(m, y)), num(m, 1.0));
    assert_non_null(build(m));
    const DaeVar *dy = &m->d->vars.at[named(m, "der(y)")];
    assert_int_equal(dy->alias, named(m, "der(x)"));
    assert_int_equal(dy->alias_sign, -1);
    EqId e = first_eq(m, DAE_EQ_MODEL); /* 0 = -1: no variable is left */
    assert_int_equal(m->d->eqs.at[e].term.n, 0);
}

static void redundant_alias_stays(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    equation(m, x, y);
    equation(m, y, x);
    assert_non_null(build(m));
    assert_int_equal(count_eqs(m, DAE_EQ_MODEL), 1);
    assert_int_equal(m->d->eqs.at[0].term.n, 0);
}

static void cycle_with_odd_sign_is_zero(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    equation(m, x, y);
    equation(m, y, expr_neg(m->g, x));
    assert_non_null(build(m));
    assert_int_equal(count_eqs(m, DAE_EQ_MODEL), 1);
    assert_int_equal(m->d->eqs.at[0].term.n, 1);
}

static void fixed_starts_of_aliases_must_agree(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    for (int i = 0; i < 2; i++) {
        m->flat.vars.at[i].start = num(m, i + 1.0);
        m->flat.vars.at[i].fixed = expr_bool(m->g, true);
    }
    equation(m, x, y);
    equation(m, der(m, x), num(m, 1.0));
    assert_null(build(m));
    assert_true(reported(m, DIAG_D014));
}

static void alias_takes_a_start_value(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    m->flat.vars.at[1].start = num(m, 4.0);
    m->flat.vars.at[1].fixed = expr_bool(m->g, true);
    equation(m, x, expr_neg(m->g, y));
    equation(m, der(m, x), num(m, 1.0));
    assert_non_null(build(m));
    const DaeVar *rep = &m->d->vars.at[named(m, "x")];
    assert_int_equal(rep->alias, NONE);
    assert_true(rep->fixed);
    EqId e = m->d->vars.at[rep->start].detail;
    assert_int_not_equal(e, NONE);
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    v[named(m, "y.start")] = 4.0;
    assert_int_equal(dae_eval(m->d, m->d->eqs.at[e].term, v, &r), EVAL_OK);
    assert_true(r == -4.0);
    memory_free(v);
}

/* ---- events ---- */

static ExprId less(Model *m, ExprId a, ExprId b)
{
    return expr2(m->g, OP_LT, T_BOOL, a, b);
}

static void relations_are_made_once(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z"), one = num(m, 1.0),
           two = num(m, 2.0);
    equation(m, der(m, x), expr_if(m->g, less(m, x, one), one, two));
    equation(m, y, expr_if(m->g, less(m, x, one), two, x));
    equation(m, z, expr_if(m->g, expr1(m->g, OP_NOEVENT, T_BOOL, less(m, y, one)), two, x));
    assert_non_null(build(m));
    assert_int_equal(m->d->relations.n, 1);
    assert_int_equal(count_eqs(m, DAE_EQ_RELATION), 1);
    assert_false(m->d->relations.at[0].is_time_event);
    assert_int_equal(m->d->relations.at[0].op, OP_LT);
}

static void time_events_are_seen(void **state)
{
    Model *m = *state;
    ExprId y = real(m, "y"), t0 = parameter(m, "t0", 0.5),
           time = expr_leaf(m->g, OP_TIME, T_REAL, 0);
    equation(m, y, expr_if(m->g, less(m, time, t0), num(m, 1.0), num(m, 2.0)));
    assert_non_null(build(m));
    assert_int_equal(m->d->relations.n, 1);
    assert_true(m->d->relations.at[0].is_time_event);
}

static FlatEq when(Model *m, ExprId condition, FlatEq *body, uint32_t n)
{
    FlatBranch *b = ARENA_NEW(m->flat.arena, FlatBranch);
    *b = (FlatBranch){.condition = condition, .body = body, .n = n, .span = span_at(m, 2)};
    return (FlatEq){.kind = FLAT_WHEN, .branches = b, .n_branches = 1, .span = span_at(m, 1)};
}

static void when_becomes_guarded_assignments(void **state)
{
    Model *m = *state;
    ExprId h = real(m, "h"), v = real(m, "v"), n = var(m, "n", T_INT, VARIES_DISCRETE),
           one = expr_int(m->g, 1);
    equation(m, der(m, h), v);
    equation(m, der(m, v), num(m, -9.81));
    FlatEq body[2] = {
        equal(m, n, expr_add(m->g, pre(m, n), one)),
        {.kind = FLAT_REINIT, .lhs = v, .rhs = expr_neg(m->g, pre(m, v)), .span = span_at(m, 7)}};
    FlatEq w = when(m, less(m, h, num(m, 0.0)), body, 2);
    vec_push(&m->flat.eqs, w);
    assert_non_null(build(m));
    assert_int_equal(count_eqs(m, DAE_EQ_WHEN), 1);
    assert_int_equal(count_eqs(m, DAE_EQ_CONDITION), 1);
    assert_int_equal(m->d->actions.n, 1);
    assert_int_equal(m->d->actions.at[0].target, named(m, "v"));
    Term t = m->d->eqs.at[eq_for(m, "n")].term;
    double *x = memory_alloc(m->d->vars.n * sizeof *x), r;
    x[named(m, "pre(n)")] = 4;
    for (int c = 0; c < 2; c++)
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 2; i++) {
                x[named(m, "$when1")] = c;
                x[named(m, "pre($when1)")] = p;
                x[named(m, "initial()")] = i;
                assert_int_equal(dae_eval(m->d, t, x, &r), EVAL_OK);
                assert_true(r == (c && !p && !i ? 5 : 4));
                assert_int_equal(dae_eval(m->d, m->d->actions.at[0].guard, x, &r), EVAL_OK);
                assert_true(r == (c && !p && !i));
            }
    memory_free(x);
}

static void when_initial_is_active_at_the_start(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), d = real(m, "d");
    equation(m, der(m, x), num(m, 1.0));
    FlatEq body[1] = {equal(m, d, x)};
    TypeId two = type_array(m->g->types, T_BOOL, (int64_t[]){2}, 1);
    ExprId conditions =
        expr2(m->g, OP_ARRAY, two, expr_leaf(m->g, OP_INITIAL, T_BOOL, 0), less(m, x, num(m, 0.0)));
    FlatEq w = when(m, conditions, body, 1);
    vec_push(&m->flat.eqs, w);
    assert_non_null(build(m));
    assert_int_equal(m->d->vars.at[named(m, "d")].kind, DAE_DISCRETE);
    Term t = m->d->eqs.at[eq_for(m, "d")].term;
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    v[named(m, "x")] = 3;
    v[named(m, "initial()")] = 1;
    assert_int_equal(dae_eval(m->d, t, v, &r), EVAL_OK);
    assert_true(r == 3);
    v[named(m, "initial()")] = 0;
    assert_int_equal(dae_eval(m->d, t, v, &r), EVAL_OK);
    assert_true(r == 0);
    memory_free(v);
}

static void two_whens_for_one_variable(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), n = var(m, "n", T_INT, VARIES_DISCRETE);
    equation(m, der(m, x), num(m, 1.0));
    FlatEq body[1] = {equal(m, n, expr_int(m->g, 1))};
    FlatEq a = when(m, less(m, x, num(m, 0.0)), body, 1),
           b = when(m, less(m, x, num(m, 1.0)), body, 1);
    vec_push(&m->flat.eqs, a);
    vec_push(&m->flat.eqs, b);
    assert_null(build(m));
    assert_true(reported(m, DIAG_D009));
}

static void noevent_to_a_boolean_is_an_error(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), b = var(m, "b", T_BOOL, VARIES_DISCRETE);
    equation(m, der(m, x), num(m, 1.0));
    equation(m, b, expr1(m->g, OP_NOEVENT, T_BOOL, less(m, x, num(m, 0.5))));
    assert_null(build(m));
    assert_true(reported(m, DIAG_D011));
}

static void floor_is_a_discrete_variable(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y");
    equation(m, der(m, x), num(m, 1.0));
    equation(m, y, expr1(m->g, OP_FLOOR, T_REAL, x));
    assert_non_null(build(m));
    assert_int_equal(m->d->relations.n, 2);
    assert_int_equal(m->d->vars.at[named(m, "$floor1")].kind, DAE_DISCRETE);
}

static void if_equations_pair_their_branches(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), u = real(m, "u"), i = real(m, "i"),
           on = var(m, "on", T_BOOL, VARIES_DISCRETE);
    equation(m, der(m, x), num(m, 1.0));
    equation(m, on, less(m, x, num(m, 0.5)));
    FlatEq a = equal(m, u, num(m, 0.0)), b = equal(m, i, num(m, 0.0));
    FlatBranch br[2] = {{.condition = on, .body = &a, .n = 1}, {.body = &b, .n = 1}};
    vec_push(&m->flat.eqs,
             ((FlatEq){.kind = FLAT_IF, .branches = br, .n_branches = 2, .span = span_at(m, 4)}));
    equation(m, expr_add(m->g, u, i), x);
    assert_non_null(build(m));
    assert_int_equal(m->d->eqs.at[eq_for(m, "on")].term.n, 1);
    uint32_t switched = 0;
    for (EqId e = 0; e < m->d->eqs.n; e++)
        switched +=
            expr_op(m->g, m->d->eqs.at[e].term.shape) == OP_IF && m->d->eqs.at[e].term.n == 3;
    assert_int_equal(switched, 1);
}

static void derivative_of_an_equation(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y"), time = expr_leaf(m->g, OP_TIME, T_REAL, 0);
    equation(m, expr_add(m->g, expr_mul(m->g, x, y), time), num(m, 1.0));
    assert_non_null(build(m));
    EqId e = dae_derivative_eq(m->d, 0);
    assert_int_not_equal(e, NONE);
    assert_int_equal(dae_derivative_eq(m->d, 0), e);
    assert_null(dae_check(m->d, m->arena));
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    v[named(m, "x")] = 2;
    v[named(m, "y")] = 3;
    v[named(m, "der(x)")] = 5;
    v[named(m, "der(y)")] = 7;
    assert_int_equal(dae_eval(m->d, m->d->eqs.at[e].term, v, &r), EVAL_OK);
    assert_true(r == 5 * 3 + 7 * 2 + 1);
    memory_free(v);
}

static void der_of_an_expression(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), k = parameter(m, "k", 2.0);
    equation(m, der(m, expr_mul(m->g, k, expr_mul(m->g, x, x))), num(m, 1.0));
    assert_non_null(build(m));
    assert_int_equal(m->d->vars.at[named(m, "x")].der, named(m, "der(x)"));
}

/* ---- algorithms ---- */

static void algorithm_becomes_a_call(void **state)
{
    Model *m = *state;
    ExprId x = real(m, "x"), y = real(m, "y"), z = real(m, "z");
    equation(m, der(m, x), num(m, 1.0));
    Stmt s[2] = {{.kind = STMT_ASSIGN, .lhs = y, .rhs = expr_mul(m->g, x, num(m, 2.0))},
                 {.kind = STMT_ASSIGN, .lhs = z, .rhs = expr_add(m->g, y, num(m, 1.0))}};
    vec_push(&m->flat.eqs,
             ((FlatEq){.kind = FLAT_ALGORITHM, .stmts = s, .n_stmts = 2, .span = span_at(m, 4)}));
    assert_non_null(build(m));
    assert_int_equal(count_eqs(m, DAE_EQ_MODEL), 3);
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    v[named(m, "x")] = 3;
    v[named(m, "z")] = 7;
    bool found = false;
    for (EqId e = 0; e < m->d->eqs.n; e++) {
        Term t = m->d->eqs.at[e].term;
        bool has_z = false;
        for (uint32_t k = 0; k < t.n; k++)
            has_z |= dae_op(m->d, t, k) == named(m, "z");
        if (!has_z)
            continue;
        found = true;
        assert_int_equal(dae_eval(m->d, t, v, &r), EVAL_OK);
        assert_true(r == 0);
    }
    assert_true(found);
    memory_free(v);
}

/* ---- arrays, against the evaluator ---- */

typedef struct Values {
    const Model *m;
    const double *v;
    Arena *arena;
} Values;

static EvalStatus value_of(void *user, uint32_t f, Value *out)
{
    Values *x = user;
    TypeId t = x->m->flat.vars.at[f].type;
    int64_t n = type_count(x->m->g->types, t);
    out->type = t;
    VarId base = x->m->d->flat_base[f];
    if (type_rank(x->m->g->types, t) == 0) {
        out->num = x->v[base];
        return EVAL_OK;
    }
    out->nums = ARENA_ARRAY(x->arena, double, n + 1);
    for (int64_t i = 0; i < n; i++)
        out->nums[i] = x->v[base + (uint32_t)i];
    return EVAL_OK;
}

/* y = e must hold, element by element, for y as the evaluator computes e. */
static void agrees(Model *m, ExprId e)
{
    TypeId t = expr_type(m->g, e);
    uint32_t yf = m->flat.vars.n;
    ExprId y = var(m, arena_printf(m->arena, "y%u", yf), t, VARIES_CONTINUOUS);
    m->flat.eqs.n = 0;
    equation(m, y, e);
    dae_free(m->d);
    assert_non_null(build(m));
    double *v = memory_alloc(m->d->vars.n * sizeof *v), r;
    for (VarId k = 1; k < m->d->vars.n; k++)
        v[k] = m->d->vars.at[k].type == DAE_INT ? 2 : (rand() % 1000) / 100.0 - 5;
    Values values = {m, v, m->arena};
    EvalEnv env = {
        .g = m->g, .arena = m->arena, .var = value_of, .user = &values, .time = 0, .silent = true};
    Value result;
    if (eval_expr(&env, e, &result) != EVAL_OK)
        fail_msg("evaluator: %s", env.why ? env.why : "?");
    uint32_t n = (uint32_t)type_count(m->g->types, t);
    VarId base = m->d->flat_base[yf];
    for (uint32_t k = 0; k < n; k++)
        v[base + k] = type_rank(m->g->types, t) ? result.nums[k] : result.num;
    assert_int_equal(m->d->eqs.n + m->d->n_aliases, n);
    for (uint32_t k = 0; k < n; k++) {
        const DaeVar *x = &m->d->vars.at[base + k];
        assert_true(x->alias == NONE || v[base + k] == x->alias_sign * v[x->alias]);
    }
    for (EqId q = 0; q < m->d->eqs.n; q++) {
        assert_int_equal(dae_eval(m->d, m->d->eqs.at[q].term, v, &r), EVAL_OK);
        if (!(fabs(r) < 1e-9))
            fail_msg("%s: %g", dae_eq_print(m->d, q, m->arena), r);
    }
    memory_free(v);
}

static ExprId op2(Model *m, ExprOp op, TypeId t, ExprId a, ExprId b)
{
    return expr2(m->g, op, t, a, b);
}

static void arrays_agree_with_the_evaluator(void **state)
{
    Model *m = *state;
    Graph *g = m->g;
    TypeId v3 = array(m, 3, 0), m33 = array(m, 3, 3), m23 = array(m, 2, 3), m32 = array(m, 3, 2),
           v2 = array(m, 2, 0);
    ExprId a = var(m, "a", v3, VARIES_CONTINUOUS), b = var(m, "b", v3, VARIES_CONTINUOUS);
    ExprId A = var(m, "A", m33, VARIES_CONTINUOUS), B = var(m, "B", m23, VARIES_CONTINUOUS),
           s = real(m, "s");
    ExprId colon = expr_leaf(g, OP_COLON, T_NONE, 0), n = var(m, "n", T_INT, VARIES_DISCRETE);
    (void)n;
    for (int round = 0; round < 3; round++) {
        agrees(m, op2(m, OP_ADD, v3, a, b));
        agrees(m, op2(m, OP_MUL, v3, s, b));
        agrees(m, op2(m, OP_DIV, m33, A, s));
        agrees(m, expr1(g, OP_NEG, m33, A));
        agrees(m, expr1(g, OP_SIN, v3, a));
        agrees(m, op2(m, OP_MATMUL, T_REAL, a, b));
        agrees(m, op2(m, OP_MATMUL, v3, A, a));
        agrees(m, op2(m, OP_MATMUL, v3, a, A));
        agrees(m, op2(m, OP_MATMUL, m23, B, A));
        agrees(m, op2(m, OP_MATPOW, m33, A, expr_int(g, 3)));
        agrees(m, expr1(g, OP_TRANSPOSE, m32, B));
        agrees(m, expr1(g, OP_SYMMETRIC, m33, A));
        agrees(m, expr1(g, OP_SKEW, m33, a));
        agrees(m, expr1(g, OP_DIAGONAL, m33, a));
        agrees(m, op2(m, OP_CROSS, v3, a, b));
        agrees(m, op2(m, OP_OUTER, m33, a, b));
        agrees(m, expr1(g, OP_SUM, T_REAL, A));
        agrees(m, expr1(g, OP_PRODUCT, T_REAL, a));
        agrees(m, expr1(g, OP_MIN_OF, T_REAL, A));
        agrees(m, expr1(g, OP_MAX_OF, T_REAL, B));
        agrees(m, op2(m, OP_INDEX, T_REAL, a, expr_int(g, 2)));
        agrees(m, expr3(g, OP_INDEX, v3, A, colon, expr_int(g, 2)));
        agrees(m, op2(m, OP_INDEX, v3, A, expr_int(g, 3)));
        agrees(m, op2(m, OP_INDEX, T_REAL, a, n));
        agrees(m, expr3(g, OP_INDEX, v3, A, n, colon));
        TypeId i2 = type_array(g->types, T_INT, (int64_t[]){2}, 1);
        ExprId picks = op2(m, OP_ARRAY, i2, expr_int(g, 3), expr_int(g, 1));
        agrees(m, op2(m, OP_INDEX, v2, a, picks));
        agrees(m, expr3(g, OP_CAT, array(m, 6, 0), expr_int(g, 1), a, b));
        agrees(m, expr3(g, OP_CAT, array(m, 2, 6), expr_int(g, 2), B, B));
        agrees(m, expr3(g, OP_FILL, m23, s, expr_int(g, 2), expr_int(g, 3)));
        agrees(m, op2(m, OP_ARRAY, m23, a, b));
        TypeId i3 = type_array(g->types, T_INT, (int64_t[]){3}, 1);
        ExprId range = expr3(g, OP_RANGE, i3, expr_int(g, 1), expr_int(g, 1), expr_int(g, 3));
        ExprId it = expr_new_iter(g, T_INT), ai = op2(m, OP_INDEX, T_REAL, a, it);
        ExprId body = expr_mul(g, ai, ai);
        agrees(m, expr3(g, OP_COMPREHEND, v3, body, it, range));
        agrees(m, expr_make(g, OP_REDUCE, T_REAL, 0,
                            (ExprId[]){expr_int(g, OP_SUM), body, it, range}, 4));
        agrees(m, expr_make(g, OP_REDUCE, T_REAL, 0,
                            (ExprId[]){expr_int(g, OP_MAX_OF), body, it, range}, 4));
        agrees(m, expr3(g, OP_LINSPACE, v3, s, num(m, 2.0), expr_int(g, 3)));
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
    const struct CMUnitTest tests[] = {
        T(like_equations_share_a_shape),
        T(lost_operands_are_dropped),
        T(equations_print_as_written),
        T(parameters_by_value_and_by_equation),
        T(parameter_cycle_is_told),
        T(aliases_with_signs),
        T(alias_derivatives_follow),
        T(redundant_alias_stays),
        T(cycle_with_odd_sign_is_zero),
        T(fixed_starts_of_aliases_must_agree),
        T(alias_takes_a_start_value),
        T(relations_are_made_once),
        T(time_events_are_seen),
        T(when_becomes_guarded_assignments),
        T(when_initial_is_active_at_the_start),
        T(two_whens_for_one_variable),
        T(noevent_to_a_boolean_is_an_error),
        T(floor_is_a_discrete_variable),
        T(if_equations_pair_their_branches),
        T(derivative_of_an_equation),
        T(der_of_an_expression),
        T(algorithm_becomes_a_call),
        T(arrays_agree_with_the_evaluator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

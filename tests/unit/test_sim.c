/* The simulation phase on models written by hand: solvers, events, initialization, failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_sim.h"

#include <math.h>
#include <stdlib.h>

/* ---- building a model ---- */

typedef struct Fixture {
    Context *ctx;
    Graph *g;
    Flat flat;
    Dae dae;
    Plan plan;
    ModelCode code;
    SimOptions options;
    SimStats stats;
    VEC(double) rows; /* n_vars numbers each */
    uint32_t n_rows, interrupt_after;
    VEC(char) json, log;
    uint32_t n_json;
} Fixture;

static Fixture *model_new(void)
{
    Fixture *f = memory_alloc(sizeof *f);
    f->ctx = context_new();
    f->g = graph_new(f->ctx);
    f->flat.g = f->g;
    f->flat.paths = paths_new();
    f->flat.arena = arena_new();
    f->dae.ctx = f->ctx;
    f->dae.g = f->g;
    f->dae.symbolic = symbolic_new(f->g);
    f->dae.flat = &f->flat;
    f->dae.arena = arena_new();
    f->dae.initial = f->dae.terminal = f->dae.lambda = NONE;
    f->plan.dae = &f->dae;
    f->options = (SimOptions){.stop = 1, .intervals = 10, .tolerance = 1e-6, .solver = "auto"};
    vec_push(&f->dae.vars,
             ((DaeVar){.kind = DAE_TIME, .hidden = true, .flat = NONE, .base = NONE}));
    DaeVar *time = &f->dae.vars.at[0];
    time->der = time->pre = time->alias = time->start = time->detail = NONE;
    time->nominal = 1;
    time->min = -INFINITY;
    time->max = INFINITY;
    return f;
}

static void model_free(Fixture *f)
{
    vec_free(&f->rows);
    vec_free(&f->json);
    vec_free(&f->log);
    vec_free(&f->dae.vars);
    vec_free(&f->dae.eqs);
    vec_free(&f->dae.ops);
    vec_free(&f->dae.relations);
    vec_free(&f->dae.samples);
    vec_free(&f->dae.actions);
    vec_free(&f->plan.states);
    vec_free(&f->plan.blocks);
    vec_free(&f->plan.steps);
    vec_free(&f->plan.torn);
    vec_free(&f->plan.choices);
    memory_free(f->plan.jacobian.col_ptr);
    memory_free(f->plan.jacobian.row);
    memory_free(f->plan.jacobian.colour);
    vec_free(&f->flat.vars);
    symbolic_free(f->dae.symbolic);
    arena_free(f->dae.arena);
    arena_free(f->flat.arena);
    paths_free(f->flat.paths);
    graph_free(f->g);
    context_free(f->ctx);
    memory_free(f);
}

static VarId add_var(Fixture *f, const char *name, DaeVarKind kind, DaeType type)
{
    FlatVar flat = {.type = type == DAE_BOOL ? T_BOOL : type == DAE_INT ? T_INT : T_REAL};
    flat.path = path_make(f->flat.paths, 0, name_of(f->ctx->names, name), NULL, 0);
    vec_push(&f->flat.vars, flat);
    DaeVar var = {
        .kind = (uint8_t)kind, .type = (uint8_t)type, .flat = f->flat.vars.n - 1, .nominal = 1};
    var.base = var.der = var.pre = var.alias = var.start = var.detail = NONE;
    var.min = -INFINITY;
    var.max = INFINITY;
    var.fixed = true;
    vec_push(&f->dae.vars, var);
    return f->dae.vars.n - 1;
}

static VarId add_parameter(Fixture *f, const char *name, double value)
{
    VarId p = add_var(f, name, DAE_PARAMETER, DAE_REAL);
    f->dae.vars.at[p].value = value;
    return p;
}

/* A state with the name, its derivative and its start value: three variables in this order. */
static VarId add_state(Fixture *f, const char *name, double start)
{
    VarId x = add_var(f, name, DAE_CONTINUOUS, DAE_REAL),
          der = add_var(f, "der", DAE_DERIVATIVE, DAE_REAL);
    f->dae.vars.at[x].start = add_parameter(f, "start", start);
    f->dae.vars.at[x].der = der;
    f->dae.vars.at[der].base = x;
    vec_push(&f->plan.states, ((PlanState){x, der}));
    return x;
}

/* A discrete variable and its left limit: two variables in this order. */
static VarId add_discrete(Fixture *f, const char *name, DaeType type, bool hidden)
{
    VarId x = add_var(f, name, DAE_DISCRETE, type), pre = add_var(f, "pre", DAE_PRE, type);
    f->dae.vars.at[x].pre = pre;
    f->dae.vars.at[x].hidden = hidden;
    f->dae.vars.at[pre].base = x;
    return x;
}

static Term term_of(Fixture *f, ExprId shape, VarId operand)
{
    uint32_t at = f->dae.ops.n;
    vec_push(&f->dae.ops, operand);
    return (Term){shape, at, 1};
}

static ExprId hole(Fixture *f)
{
    return expr_leaf(f->g, OP_HOLE, T_REAL, 0);
}

static Term constant(Fixture *f, double value)
{
    return (Term){expr_real(f->g, value), 0, 0};
}

static VarId add_relation(Fixture *f, ExprOp op, VarId operand, bool is_time_event)
{
    VarId var = add_var(f, "relation", DAE_RELATION, DAE_BOOL);
    f->dae.vars.at[var].hidden = true;
    DaeRelation r = {.var = var, .eq = NONE, .op = op, .is_time_event = is_time_event, .scale = 1};
    r.z = term_of(f, hole(f), operand);
    vec_push(&f->dae.relations, r);
    return var;
}

static VarId add_sample(Fixture *f, double start, double interval)
{
    VarId var = add_var(f, "sample", DAE_SAMPLE, DAE_BOOL);
    DaeSample sample = {.var = var, .start = constant(f, start), .interval = constant(f, interval)};
    vec_push(&f->dae.samples, sample);
    return var;
}

static void add_action(Fixture *f, DaeActionKind kind, VarId target, const char *message)
{
    DaeAction a = {.kind = (uint8_t)kind, .target = target};
    a.guard = term_of(f, hole(f), 1);
    if (message)
        a.message = (Term){expr_string(f->g, message, strlen(message)), 0, 0};
    vec_push(&f->dae.actions, a);
}

/* Pattern of a band matrix: row i depends on columns i - width … i + width. */
static void add_jacobian(Fixture *f, uint32_t width)
{
    uint32_t n = f->plan.states.n, colours = 2 * width + 1, at = 0;
    PlanJacobian *j = &f->plan.jacobian;
    j->col_ptr = memory_alloc((n + 1) * sizeof *j->col_ptr);
    j->row = memory_alloc((size_t)n * colours * sizeof *j->row);
    j->colour = memory_alloc(n * sizeof *j->colour);
    j->n_colours = colours;
    for (uint32_t c = 0; c < n; c++) {
        j->colour[c] = c % colours;
        for (uint32_t r = c > width ? c - width : 0; r <= c + width && r < n; r++)
            j->row[at++] = r;
        j->col_ptr[c + 1] = at;
    }
}

/* ---- running ---- */

static bool keep_row(void *user, const double *v)
{
    Fixture *f = user;
    for (uint32_t i = 0; i < f->code.n_vars; i++)
        vec_push(&f->rows, v[i]);
    f->n_rows++;
    if (f->interrupt_after && f->n_rows == f->interrupt_after)
        f->ctx->own_interrupt = 1;
    return true;
}

static void keep_json(void *user, const char *line)
{
    Fixture *f = user;
    for (; *line; line++)
        vec_push(&f->json, *line);
    vec_push(&f->json, '\n');
    f->n_json++;
}

static void keep_log(void *user, const char *text)
{
    Fixture *f = user;
    for (; *text; text++)
        vec_push(&f->log, *text);
}

static double row(const Fixture *f, uint32_t i, VarId var)
{
    return f->rows.at[(size_t)i * f->code.n_vars + var];
}

static double last(const Fixture *f, VarId var)
{
    return row(f, f->n_rows - 1, var);
}

static uint32_t rows_at(const Fixture *f, double t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_rows; i++)
        n += row(f, i, 0) == t;
    return n;
}

/* Time of the k-th event: two rows at one time. */
static double event_time(const Fixture *f, uint32_t k)
{
    for (uint32_t i = 1; i < f->n_rows; i++)
        if (row(f, i, 0) == row(f, i - 1, 0) && k-- == 0)
            return row(f, i, 0);
    return NAN;
}

static int nothing(ModelData *m)
{
    (void)m;
    return 0;
}

static int no_indicators(ModelData *m, double *z)
{
    (void)m, (void)z;
    return 0;
}

static int no_actions(ModelData *m, double *guard, double *value)
{
    (void)m, (void)guard, (void)value;
    return 0;
}

static SimStatus run(Fixture *f, const char *solver)
{
    ModelCode *c = &f->code;
    int (**functions[])(ModelData *) = {&c->parameters, &c->initial, &c->derivatives, &c->outputs,
                                        &c->constants,  &c->event,   &c->guards};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        *functions[i] = *functions[i] ? *functions[i] : nothing;
    c->indicators = c->indicators ? c->indicators : no_indicators;
    c->actions = c->actions ? c->actions : no_actions;
    c->n_vars = f->dae.vars.n;
    c->abi = MODEL_ABI;
    vec_clear(&f->rows);
    vec_clear(&f->json);
    vec_clear(&f->log);
    f->n_rows = f->n_json = 0;
    f->options.solver = solver;
    ResultSink sink = {f, keep_row, ROW_ALL};
    SimText text = {.user = f, .log = keep_log, .event = keep_json};
    return run_sim(f->ctx, &f->plan, c, &f->options, &sink, &text, &f->stats);
}

static bool reported(const Fixture *f, DiagCode code, const char *text)
{
    for (uint32_t i = 0; i < f->ctx->diags.n; i++) {
        const Diag *d = f->ctx->diags.at[i];
        bool found = strstr(d->text, text) != NULL;
        for (const DiagNote *note = d->notes; note && !found; note = note->next)
            found = strstr(note->text, text) != NULL;
        if (d->code == code && found)
            return true;
    }
    return false;
}

static const char *const adaptive[] = {"cvode", "dopri5"};
static const char *const all_solvers[] = {"cvode", "dopri5", "rk4", "euler"};

/* ---- harmonic oscillator ---- */

enum { OSC_X = 1, OSC_DX, OSC_X0, OSC_V, OSC_DV, OSC_V0 };

static int osc_initial(ModelData *m)
{
    m->v[OSC_X] = m->v[OSC_X0];
    m->v[OSC_V] = m->v[OSC_V0];
    m->v[OSC_DX] = m->v[OSC_V];
    m->v[OSC_DV] = -m->v[OSC_X];
    return 0;
}

static int osc_derivatives(ModelData *m)
{
    m->v[OSC_DX] = m->v[OSC_V];
    m->v[OSC_DV] = -m->v[OSC_X];
    return 0;
}

static int osc_tangent(ModelData *m)
{
    m->dv[OSC_DX] = m->dv[OSC_V];
    m->dv[OSC_DV] = -m->dv[OSC_X];
    return 0;
}

static Fixture *oscillator(void)
{
    Fixture *f = model_new();
    add_state(f, "x", 1);
    add_state(f, "v", 0);
    add_jacobian(f, 1);
    f->code =
        (ModelCode){.initial = osc_initial, .derivatives = osc_derivatives, .tangent = osc_tangent};
    f->options.stop = 3;
    return f;
}

static double oscillator_error(Fixture *f, const char *solver, double step)
{
    f->options.step = step;
    assert_int_equal(run(f, solver), SIM_DONE);
    assert_true(last(f, 0) == 3);
    double worst = 0;
    for (uint32_t i = 0; i < f->n_rows; i++)
        worst = fmax(worst, fabs(row(f, i, OSC_X) - cos(row(f, i, 0))));
    return worst;
}

static void test_order(void **state)
{
    (void)state;
    Fixture *f = oscillator();
    f->options.intervals = 7; /* points between steps: the dense output has the order as well */
    double euler = oscillator_error(f, "euler", 1e-3) / oscillator_error(f, "euler", 5e-4);
    double rk4 = oscillator_error(f, "rk4", 0.05) / oscillator_error(f, "rk4", 0.025);
    assert_true(euler > 1.8 && euler < 2.2);
    assert_true(rk4 > 13 && rk4 < 19);
    for (int i = 0; i < 2; i++) {
        f->options.tolerance = 1e-5;
        double loose = oscillator_error(f, adaptive[i], 0);
        f->options.tolerance = 1e-9;
        double tight = oscillator_error(f, adaptive[i], 0);
        assert_true(loose < 1e-2 && tight < 1e-6 && tight < loose);
    }
    assert_int_equal(f->n_rows, 8);
    model_free(f);
}

/* ---- a heat line, for the sparse Jacobian ---- */

enum { CELLS = 60 };

static VarId cell(uint32_t i)
{
    return 1 + 3 * i;
}

static int heat_derivatives(ModelData *m)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        double left = i ? m->v[cell(i - 1)] : 1, right = i + 1 < CELLS ? m->v[cell(i + 1)] : 0;
        m->v[cell(i) + 1] = CELLS * CELLS * (left - 2 * m->v[cell(i)] + right);
    }
    return 0;
}

static int heat_tangent(ModelData *m)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        double left = i ? m->dv[cell(i - 1)] : 0, right = i + 1 < CELLS ? m->dv[cell(i + 1)] : 0;
        m->dv[cell(i) + 1] = CELLS * CELLS * (left - 2 * m->dv[cell(i)] + right);
    }
    return 0;
}

static void test_sparse(void **state)
{
    (void)state;
    Fixture *f = model_new();
    for (uint32_t i = 0; i < CELLS; i++)
        add_state(f, "T", 0);
    add_jacobian(f, 1);
    f->code = (ModelCode){.derivatives = heat_derivatives, .tangent = heat_tangent};
    f->options.stop = 10;
    assert_int_equal(run(f, "cvode"), SIM_DONE);
    for (uint32_t i = 0; i < CELLS; i++)
        assert_true(fabs(last(f, cell(i)) - (1 - (i + 1.0) / (CELLS + 1))) < 1e-5);
    assert_true(f->stats.steps < 500);
    assert_int_equal(run(f, "dopri5"), SIM_DONE);
    assert_true(reported(f, DIAG_R011, "stiff"));
    model_free(f);
}

/* ---- bouncing ball ---- */

enum {
    BALL_H = 1,
    BALL_DH,
    BALL_H0,
    BALL_V,
    BALL_DV,
    BALL_V0,
    BALL_WHEN,
    BALL_PWHEN,
    BALL_N,
    BALL_PN,
    BALL_HIT
};

static int ball_derivatives(ModelData *m)
{
    m->v[BALL_DH] = m->v[BALL_V];
    m->v[BALL_DV] = -9.81;
    return 0;
}

static int ball_event(ModelData *m)
{
    ball_derivatives(m);
    m->v[BALL_HIT] = kr_relation(m, 0, 1, m->v[BALL_H]);
    m->v[BALL_WHEN] = m->v[BALL_HIT];
    bool active = m->v[BALL_WHEN] != 0 && m->v[BALL_PWHEN] == 0;
    m->v[BALL_N] = active ? m->v[BALL_PN] + 1 : m->v[BALL_PN];
    return 0;
}

static int ball_initial(ModelData *m)
{
    m->v[BALL_H] = m->v[BALL_H0];
    m->v[BALL_V] = m->v[BALL_V0];
    ball_derivatives(m);
    m->v[BALL_HIT] = kr_relation(m, 0, 1, m->v[BALL_H]);
    m->v[BALL_WHEN] = m->v[BALL_HIT];
    m->v[BALL_N] = m->v[BALL_PN];
    return 0;
}

static int ball_tangent(ModelData *m)
{
    m->dv[BALL_DH] = m->dv[BALL_V];
    m->dv[BALL_DV] = 0;
    return 0;
}

static int ball_indicators(ModelData *m, double *z)
{
    z[0] = m->v[BALL_H];
    return 0;
}

static int ball_actions(ModelData *m, double *guard, double *value)
{
    guard[0] = m->v[BALL_WHEN] != 0 && m->v[BALL_PWHEN] == 0;
    value[0] = -0.7 * m->v[BALL_V];
    return 0;
}

static Fixture *ball(void)
{
    Fixture *f = model_new();
    add_state(f, "h", 1);
    add_state(f, "v", 0);
    add_discrete(f, "$when", DAE_BOOL, true);
    add_discrete(f, "n", DAE_INT, false);
    add_relation(f, OP_LE, BALL_H, false);
    add_jacobian(f, 1);
    add_action(f, ACTION_REINIT, BALL_V, NULL);
    /* der(h) = v: continuous equations do not depend on the relation */
    DaeEq eq = {.term = term_of(f, hole(f), BALL_V), .target = BALL_DH, .of = NONE, .der = NONE};
    vec_push(&f->dae.eqs, eq);
    vec_push(&f->plan.steps, ((PlanStep){.eq = 0, .var = BALL_DH}));
    vec_push(&f->plan.blocks,
             ((PlanBlock){.kind = BLOCK_EXPLICIT, .uses = USE_DERIVATIVE, .n_steps = 1}));
    f->plan.main.n_blocks = 1;
    f->code = (ModelCode){.initial = ball_initial,
                          .derivatives = ball_derivatives,
                          .event = ball_event,
                          .tangent = ball_tangent,
                          .indicators = ball_indicators,
                          .actions = ball_actions};
    f->options.stop = 1.6;
    f->options.intervals = 16;
    return f;
}

static void test_ball(void **state)
{
    (void)state;
    Fixture *f = ball();
    double fall = sqrt(2 / 9.81), impact[] = {fall, 2.4 * fall, 3.38 * fall};
    for (int i = 0; i < 3; i++) {
        f->options.tolerance = 1e-8;
        assert_int_equal(run(f, all_solvers[i]), SIM_DONE);
        double tolerance = i == 0 ? 1e-5 : 1e-8;
        uint32_t found = 0;
        for (uint32_t k = 1; k < f->n_rows; k++)
            if (row(f, k, BALL_N) > row(f, k - 1, BALL_N)) {
                assert_true(row(f, k, 0) == row(f, k - 1, 0));
                assert_true(fabs(row(f, k, 0) - impact[found]) < tolerance);
                assert_true(fabs(row(f, k, BALL_V) + 0.7 * row(f, k - 1, BALL_V)) < 1e-12);
                found++;
            }
        assert_int_equal(found, 3);
        /* the log does not mention that the relation is false again */
        assert_int_equal(f->stats.state_events, 3);
        assert_true(last(f, 0) == 1.6);
    }
    f->options.step = 1e-4;
    assert_int_equal(run(f, "euler"), SIM_DONE);
    assert_true(fabs(event_time(f, 0) - fall) < 2e-4);
    model_free(f);
}

static void test_event_log(void **state)
{
    (void)state;
    Fixture *f = ball();
    f->options.log = LOG_EVENTS | LOG_STATS;
    f->options.stop = 0.5;
    assert_int_equal(run(f, "dopri5"), SIM_DONE);
    vec_push(&f->json, 0);
    vec_push(&f->log, 0);
    assert_int_equal(f->n_json, 1);
    assert_non_null(strstr(f->json.at, "\"changes\":[{\"name\":\"n\",\"old\":0,\"new\":1}]"));
    assert_non_null(strstr(f->json.at, "\"reinits\":[{\"name\":\"v\",\"old\":-4.429"));
    assert_non_null(strstr(f->json.at, "\"kind\":\"relation\",\"text\":\"h <= 0\",\"value\":true"));
    assert_non_null(strstr(f->log.at, "Event at time = 0.45152364"));
    assert_non_null(strstr(f->log.at, "Variable n changed from 0 to 1."));
    assert_non_null(strstr(f->log.at, "State v reinitialized from -4.429"));
    assert_non_null(strstr(f->log.at, "Solver dopri5"));
    model_free(f);
}

/* ---- sampled counter without states; two clocks and a time relation ---- */

enum { CNT_WHEN = 1, CNT_PWHEN, CNT_N, CNT_PN, CNT_TIME, CNT_S1, CNT_S2 };

static int counter_event(ModelData *m)
{
    m->v[CNT_TIME] = kr_relation(m, 0, 3, m->v[0] - 0.3);
    m->v[CNT_WHEN] = m->v[CNT_S1];
    bool active = m->v[CNT_WHEN] != 0 && m->v[CNT_PWHEN] == 0;
    m->v[CNT_N] = active ? m->v[CNT_PN] + 1 : m->v[CNT_PN];
    return 0;
}

static int counter_initial(ModelData *m)
{
    m->v[CNT_TIME] = kr_relation(m, 0, 3, m->v[0] - 0.3);
    m->v[CNT_WHEN] = 0;
    m->v[CNT_N] = m->v[CNT_PN];
    return 0;
}

static int counter_indicators(ModelData *m, double *z)
{
    z[0] = m->v[0] - 0.3;
    return 0;
}

static Fixture *counter(double interval, double other)
{
    Fixture *f = model_new();
    add_discrete(f, "$when", DAE_BOOL, true);
    add_discrete(f, "n", DAE_INT, false);
    add_relation(f, OP_GE, 0, true);
    add_sample(f, 0, interval);
    add_sample(f, 0, other);
    f->code = (ModelCode){
        .initial = counter_initial, .event = counter_event, .indicators = counter_indicators};
    return f;
}

static void test_ticks(void **state)
{
    (void)state;
    Fixture *f = counter(1e-3, 1e-3);
    f->options.stop = 100;
    f->options.intervals = 1;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(run(f, all_solvers[i]), SIM_DONE);
        assert_int_equal(last(f, CNT_N), 100001);
        assert_string_equal(f->stats.solver, "none");
        uint32_t ticks = 0;
        for (uint32_t k = 1; k < f->n_rows; k++)
            if (row(f, k, CNT_N) > row(f, k - 1, CNT_N))
                assert_true(row(f, k, 0) == (double)ticks++ * 1e-3);
        assert_int_equal(ticks, 100001);
        /* the relation shares its instant with a tick */
        assert_int_equal(f->stats.time_events, 100001);
    }
    model_free(f);
}

static void test_one_instant(void **state)
{
    (void)state;
    Fixture *f = counter(0.1, 0.05); /* 3*0.1 and 6*0.05 differ from 0.3 in the last digit */
    f->options.intervals = 100;
    assert_int_equal(run(f, "auto"), SIM_DONE);
    uint32_t near = 0;
    for (uint32_t i = 0; i < f->n_rows; i++)
        near += fabs(row(f, i, 0) - 0.3) < 1e-9;
    assert_int_equal(near, 2);
    assert_int_equal(f->stats.time_events, 21);
    assert_int_equal(last(f, CNT_N), 11);
    assert_int_equal(rows_at(f, 1.0), 2);
    for (uint32_t i = 1; i < f->n_rows; i++)
        assert_true(row(f, i, CNT_TIME) == (row(f, i, 0) > 0.2999 && row(f, i, CNT_TIME) != 0));
    model_free(f);
}

static void test_bad_interval(void **state)
{
    (void)state;
    Fixture *f = counter(0.1, -1);
    assert_int_equal(run(f, "auto"), SIM_FAILED);
    assert_true(reported(f, DIAG_R012, "must be positive"));
    model_free(f);
}

/* ---- one state and one relation on it; the right side is chosen per test ---- */

enum { ONE_X = 1, ONE_DX, ONE_X0, ONE_B };

static double constant_slope(double t, double x)
{
    (void)t, (void)x;
    return 1;
}

static double parabola_slope(double t, double x)
{
    (void)x;
    return 4 - 8 * t;
}

static double valley_slope(double t, double x)
{
    (void)x;
    return 2 * (t - 0.5);
}

static double clipped_slope(double t, double x)
{
    (void)x;
    return t < 0.5 ? -1 : 0;
}

static double log_slope(double t, double x)
{
    (void)t;
    return log(x) - 1;
}

static double blow_up(double t, double x)
{
    (void)t;
    return x * x;
}

/* One right side and one relation at a time; tests run one after another. */
static double (*one_slope)(double t, double x);
static double one_level;
static int one_op;
static bool one_feedback; /* the slope changes its sign with the relation */

static int one_derivatives(ModelData *m)
{
    double slope = one_slope(m->v[0], m->v[ONE_X]);
    m->v[ONE_DX] = one_feedback && m->v[ONE_B] != 0 ? -slope : slope;
    return 0;
}

static int one_event(ModelData *m)
{
    m->v[ONE_B] = kr_relation(m, 0, one_op, m->v[ONE_X] - one_level);
    return one_derivatives(m);
}

static int one_initial(ModelData *m)
{
    m->v[ONE_X] = m->v[ONE_X0];
    return one_event(m);
}

static int one_indicators(ModelData *m, double *z)
{
    z[0] = m->v[ONE_X] - one_level;
    return 0;
}

static Fixture *one(double (*slope)(double, double), double start, int op, double level)
{
    static const ExprOp ops[] = {OP_LT, OP_LE, OP_GT, OP_GE};
    Fixture *f = model_new();
    one_slope = slope;
    one_op = op;
    one_level = level;
    one_feedback = false;
    add_state(f, "x", start);
    f->dae.vars.at[add_relation(f, ops[op], ONE_X, false)].hidden = false;
    f->code = (ModelCode){.initial = one_initial,
                          .derivatives = one_derivatives,
                          .event = one_event,
                          .indicators = one_indicators};
    return f;
}

static void test_starts_at_zero(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        Fixture *f = one(constant_slope, 0, 2,
                         0); /* x > 0 with x = time: false at the start, true at once after it */
        assert_int_equal(run(f, all_solvers[i]), SIM_DONE);
        assert_int_equal(f->stats.state_events, 1);
        assert_true(event_time(f, 0) > 0 && event_time(f, 0) < 1e-8);
        assert_true(last(f, ONE_B) == 1);
        model_free(f);
        f = one(constant_slope, 0, 3, 0); /* x >= 0: true from the start on */
        assert_int_equal(run(f, all_solvers[i]), SIM_DONE);
        assert_int_equal(f->stats.state_events, 0);
        assert_true(last(f, ONE_B) == 1);
        model_free(f);
    }
}

static void test_touch(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int op = 0; op < 4; op++) {
            Fixture *f = one(valley_slope, 0.25, op, i == 0 ? -1e-4 : -1e-7);
            f->options.tolerance = 1e-10;
            assert_int_equal(run(f, adaptive[i]), SIM_DONE);
            assert_int_equal(f->stats.state_events, 0);
            assert_true(last(f, 0) == 1);
            model_free(f);
        }
    /* exactly, if the method is exact */
    for (int op = 0; op < 4; op++) {
        Fixture *f = one(valley_slope, 0.25, op, 0);
        f->options.step = 0.25;
        assert_int_equal(run(f, "rk4"), SIM_DONE);
        assert_int_equal(f->stats.state_events, 0);
        model_free(f);
    }
}

static void test_excursion(void **state)
{
    (void)state;
    static const double levels[] = {0.95, 0.5, 0.999, 1 - 1e-6};
    for (int i = 0; i < 4; i++) {
        Fixture *f = one(parabola_slope, 0, 2, levels[i]);
        f->options.step = 1; /* one step over the whole hill */
        f->options.intervals = 3;
        assert_int_equal(run(f, "rk4"), SIM_DONE);
        assert_int_equal(f->stats.state_events, 2);
        double half = sqrt(1 - levels[i]) / 2;
        assert_true(fabs(event_time(f, 0) - (0.5 - half)) < 1e-6);
        assert_true(fabs(event_time(f, 1) - (0.5 + half)) < 1e-6);
        model_free(f);
        f = one(parabola_slope, 0, 2, levels[i]);
        assert_int_equal(run(f, "dopri5"), SIM_DONE);
        assert_int_equal(f->stats.state_events, 2);
        model_free(f);
    }
}

static void test_rests_at_zero(void **state)
{
    (void)state;
    Fixture *f = one(clipped_slope, 0.5, 2, 0); /* x > 0 until x arrives at zero and stays */
    f->options.step = 0.0625;
    assert_int_equal(run(f, "euler"), SIM_DONE);
    assert_int_equal(f->stats.state_events, 1);
    assert_true(fabs(event_time(f, 0) - 0.5) < 1e-9);
    assert_true(last(f, ONE_B) == 0);
    model_free(f);
}

static void test_chattering(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        Fixture *f = one(constant_slope, -0.5, 2, 0); /* x' = if x > 0 then -1 else 1 */
        one_feedback = true;
        f->options.chattering_stops = true;
        assert_int_equal(run(f, all_solvers[i]), SIM_FAILED);
        assert_true(reported(f, DIAG_R006, "chatters at time = 0.5"));
        assert_true(fabs(f->stats.end_time - 0.5) < 1e-3);
        assert_true(f->stats.state_events < 5000);
        model_free(f);
    }
}

/* ---- failures ---- */

static void test_not_finite(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        Fixture *f = one(log_slope, 0.5, 2, 10);
        ExprId value =
            expr2(f->g, OP_ADD, T_REAL, expr1(f->g, OP_LOG, T_REAL, hole(f)), expr_real(f->g, -1));
        DaeEq eq = {.term = term_of(f, value, ONE_X), .target = ONE_DX, .of = NONE, .der = NONE};
        vec_push(&f->dae.eqs, eq);
        vec_push(&f->plan.steps, ((PlanStep){.eq = 0, .var = ONE_DX}));
        vec_push(&f->plan.blocks,
                 ((PlanBlock){.kind = BLOCK_EXPLICIT, .uses = USE_DERIVATIVE, .n_steps = 1}));
        f->plan.main.n_blocks = 1;
        assert_int_equal(run(f, all_solvers[i]), SIM_FAILED);
        assert_true(reported(f, DIAG_R004, "log(x)"));
        assert_true(reported(f, DIAG_R004, "at x = -"));
        assert_true(f->n_rows > 2); /* what was computed was delivered */
        model_free(f);
    }
}

static void test_step_too_small(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        Fixture *f = one(blow_up, 1, 2, -1);
        f->options.stop = 2;
        assert_int_equal(run(f, adaptive[i]), SIM_FAILED);
        assert_true(fabs(f->stats.end_time - 1) < 1e-3);
        assert_true(f->ctx->diags.n == 1);
        model_free(f);
    }
}

static void test_interrupt(void **state)
{
    (void)state;
    Fixture *f = oscillator();
    f->options.intervals = 1000;
    f->interrupt_after = 5;
    assert_int_equal(run(f, "dopri5"), SIM_INTERRUPTED);
    assert_true(f->n_rows >= 5 && f->n_rows < 1000);
    model_free(f);
}

static void test_settings(void **state)
{
    (void)state;
    Fixture *f = oscillator();
    assert_int_equal(run(f, "magic"), SIM_BAD_SETTING);
    assert_true(reported(f, DIAG_R009, "magic"));
    SimSet set = {OSC_X0, 2};
    f->options.sets = &set;
    f->options.n_sets = 1;
    assert_int_equal(run(f, "auto"), SIM_DONE);
    assert_string_equal(f->stats.solver, "dopri5");
    assert_true(fabs(last(f, OSC_X) - 2 * cos(3)) < 1e-3);
    set.var = OSC_X;
    assert_int_equal(run(f, "auto"), SIM_BAD_SETTING);
    f->options.n_sets = 0;
    f->options.stop = -1;
    assert_int_equal(run(f, "auto"), SIM_BAD_SETTING);
    f->options.stop = 0; /* nothing but the start */
    assert_int_equal(run(f, "auto"), SIM_DONE);
    assert_int_equal(f->n_rows, 1);
    for (const char *const *name = sim_solvers(); *name; name++) {
        bool needs_equations = !strncmp(*name, "inline-", 7);
        f->options.stop = 1;
        assert_int_equal(run(f, *name), needs_equations ? SIM_BAD_SETTING : SIM_DONE);
    }
    model_free(f);
}

static int assert_actions(ModelData *m, double *guard, double *value)
{
    guard[0] = m->v[OSC_X] > -0.5;
    value[0] = 0;
    return 0;
}

static void test_assert(void **state)
{
    (void)state;
    Fixture *f = oscillator();
    f->code.actions = assert_actions;
    add_action(f, ACTION_ASSERT, NONE, "x is too small");
    f->dae.actions.at[0].warning = true;
    assert_int_equal(run(f, "dopri5"), SIM_DONE);
    assert_true(reported(f, DIAG_R008, "x is too small"));
    f->dae.actions.at[0].warning = false;
    assert_int_equal(run(f, "dopri5"), SIM_FAILED);
    assert_true(reported(f, DIAG_R007, "x is too small"));
    assert_true(f->stats.end_time > 2.09 && f->stats.end_time < 3);
    model_free(f);
}

static int stop_actions(ModelData *m, double *guard, double *value)
{
    guard[0] = m->v[BALL_WHEN] != 0 && m->v[BALL_PWHEN] == 0;
    value[0] = 0;
    return 0;
}

static void test_terminate(void **state)
{
    (void)state;
    Fixture *f = ball();
    f->dae.actions.at[0].kind = ACTION_TERMINATE;
    f->code.actions = stop_actions;
    assert_int_equal(run(f, "cvode"), SIM_DONE);
    assert_true(fabs(last(f, 0) - sqrt(2 / 9.81)) < 1e-4);
    model_free(f);
}

/* b = not pre(b) after the first impact */
static int toggle_event(ModelData *m)
{
    ball_event(m);
    m->v[BALL_N] = m->v[BALL_HIT] != 0 ? 1 - m->v[BALL_PN] : m->v[BALL_PN];
    return 0;
}

static void test_toggling(void **state)
{
    (void)state;
    Fixture *f = ball();
    f->code.event = toggle_event;
    assert_int_equal(run(f, "cvode"), SIM_FAILED);
    assert_true(reported(f, DIAG_R005, "does not end after"));
    assert_true(reported(f, DIAG_R005, "n takes the values"));
    model_free(f);
}

static void test_reinit_of_no_state(void **state)
{
    (void)state;
    Fixture *f = ball();
    f->dae.actions.at[0].target = BALL_DH;
    assert_int_equal(run(f, "cvode"), SIM_FAILED);
    assert_true(reported(f, DIAG_R013, "reinit(der"));
    model_free(f);
}

/* ---- initialization ---- */

enum { INI_X = 1, INI_DX, INI_X0, INI_Y, INI_Y0, INI_LAMBDA };

static double (*ini_residual)(double y, double lambda), (*ini_slope)(double y, double lambda);

static double cubic(double y, double lambda)
{
    return lambda * (y * y * y - 2 * y + 2) + (1 - lambda) * (y + 2);
}

static double cubic_slope(double y, double lambda)
{
    return lambda * (3 * y * y - 2) + (1 - lambda);
}

static double rootless(double y, double lambda)
{
    (void)lambda;
    return y * y + 1;
}

static double rootless_slope(double y, double lambda)
{
    (void)lambda;
    return 2 * y;
}

static void ini_block(ModelData *m)
{
    m->r[0] = ini_residual(m->v[INI_Y], m->v[INI_LAMBDA]);
}

static void ini_block_tangent(ModelData *m)
{
    m->r[0] = ini_slope(m->v[INI_Y], m->v[INI_LAMBDA]) * m->dv[INI_Y];
}

static int ini_initial(ModelData *m)
{
    m->v[INI_X] = m->v[INI_X0];
    m->v[INI_DX] = 0;
    return kr_solve(m, 0);
}

static int ini_derivatives(ModelData *m)
{
    m->v[INI_DX] = 0;
    return 0;
}

static const uint32_t ini_vars[] = {INI_Y};
static const ModelBlockCode ini_blocks[] = {
    {.residual = ini_block, .tangent = ini_block_tangent, .vars = ini_vars, .n = 1}};

static Fixture *initial_model(double (*residual)(double, double), double (*slope)(double, double))
{
    Fixture *f = model_new();
    ini_residual = residual;
    ini_slope = slope;
    add_state(f, "x", 1);
    VarId y = add_var(f, "y", DAE_CONTINUOUS, DAE_REAL);
    f->dae.vars.at[y].start = add_parameter(f, "start", 0.25);
    f->dae.vars.at[y].has_start = true;
    f->dae.lambda = add_var(f, "lambda", DAE_LAMBDA, DAE_REAL);
    ExprId square = expr2(f->g, OP_MUL, T_REAL, hole(f), hole(f));
    DaeEq eq = {.term = term_of(f, expr2(f->g, OP_ADD, T_REAL, square, expr_real(f->g, 1)), y),
                .target = NONE};
    eq.of = eq.der = NONE;
    vec_push(&f->dae.eqs, eq);
    vec_push(&f->plan.torn, ((PlanTorn){y, 0}));
    vec_push(&f->plan.blocks,
             ((PlanBlock){.kind = BLOCK_NONLINEAR, .uses = USE_OUTPUT, .n_torn = 1}));
    f->plan.initial.n_blocks = 1;
    f->code = (ModelCode){.initial = ini_initial,
                          .derivatives = ini_derivatives,
                          .blocks = ini_blocks,
                          .n_blocks = 1};
    return f;
}

static void test_homotopy(void **state)
{
    (void)state;
    Fixture *f = initial_model(cubic, cubic_slope);
    f->options.log = LOG_INIT;
    assert_int_equal(run(f, "auto"), SIM_DONE);
    assert_true(fabs(last(f, INI_Y) + 1.76929235423863) < 1e-6);
    vec_push(&f->log, 0);
    assert_non_null(strstr(f->log.at, "Initialization at time = 0"));
    assert_non_null(strstr(f->log.at, "state x = 1"));
    model_free(f);
}

static void test_initial_failure(void **state)
{
    (void)state;
    Fixture *f = initial_model(rootless, rootless_slope);
    f->dae.lambda = NONE;
    assert_int_equal(run(f, "auto"), SIM_FAILED);
    assert_true(reported(f, DIAG_R002, "solving the initial equations"));
    assert_true(reported(f, DIAG_R002, "residual"));
    assert_true(reported(f, DIAG_R002, "start value 0.25"));
    assert_int_equal(f->n_rows, 0);
    model_free(f);
}

static void test_redundant(void **state)
{
    (void)state;
    Fixture *f = oscillator();
    DaeEq eq = {.term =
                    term_of(f, expr2(f->g, OP_ADD, T_REAL, hole(f), expr_real(f->g, -1)), OSC_X)};
    eq.target = eq.of = eq.der = NONE;
    vec_push(&f->dae.eqs, eq); /* 0 = x - 1 */
    vec_push(&f->plan.choices, ((PlanChoice){OSC_X, DROPPED_REDUNDANT, 0}));
    vec_push(&f->plan.choices, ((PlanChoice){OSC_V, CHOSE_START, NONE}));
    f->options.log = LOG_INIT;
    assert_int_equal(run(f, "auto"), SIM_DONE);
    vec_push(&f->log, 0);
    assert_non_null(strstr(f->log.at, "added: v = 0, its start value (by default)"));
    SimSet set = {OSC_X0, 2};
    f->options.sets = &set;
    f->options.n_sets = 1;
    assert_int_equal(run(f, "auto"), SIM_FAILED);
    assert_true(reported(f, DIAG_R003, "contradicts the others"));
    model_free(f);
}

/* ---- initial() and terminal() ---- */

enum { ENDS_INITIAL = 1, ENDS_TERMINAL, ENDS_A, ENDS_PA, ENDS_B, ENDS_PB };

static int ends_event(ModelData *m)
{
    m->v[ENDS_A] = m->v[ENDS_INITIAL] != 0 ? m->v[ENDS_PA] + 1 : m->v[ENDS_PA]; /* when initial() */
    m->v[ENDS_B] = m->v[ENDS_TERMINAL];
    return 0;
}

static void test_initial_and_terminal(void **state)
{
    (void)state;
    Fixture *f = model_new();
    f->dae.initial = add_var(f, "initial", DAE_INITIAL, DAE_BOOL);
    f->dae.terminal = add_var(f, "terminal", DAE_TERMINAL, DAE_BOOL);
    add_discrete(f, "a", DAE_INT, false);
    add_discrete(f, "b", DAE_BOOL, false);
    f->code = (ModelCode){.initial = ends_event, .event = ends_event};
    assert_int_equal(run(f, "rk4"), SIM_DONE);
    assert_int_equal(f->n_rows, 12);
    assert_true(row(f, 0, ENDS_A) == 1 && last(f, ENDS_A) == 1);
    assert_true(row(f, 10, ENDS_B) == 0 && last(f, ENDS_B) == 1);
    model_free(f);
}

/* ---- a state event and a tick at one instant; accumulation ---- */

static void test_both_kinds(void **state)
{
    (void)state;
    Fixture *f = one(constant_slope, 0, 2, 0.5 - 1e-10); /* x > 0.5, seen ε later, at the tick */
    add_sample(f, 0.5, 1);
    f->options.intervals = 1;
    assert_int_equal(run(f, "rk4"), SIM_DONE);
    assert_int_equal(rows_at(f, 0.5), 2);
    assert_int_equal(f->n_rows, 4);
    assert_int_equal(f->n_json, 1);
    model_free(f);
}

static void test_accumulation(void **state)
{
    (void)state;
    Fixture *f = ball();
    f->options.stop = 3;
    f->options.accumulation_stops = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run(f, all_solvers[i]), SIM_FAILED);
        assert_true(reported(f, DIAG_R006, "events accumulate at time = 2.55"));
        assert_true(f->stats.end_time > 2.5 && f->stats.end_time < 2.56);
        assert_true(last(f, BALL_H) > -1e-4);
    }
    f->options.stop = 2.5;
    assert_int_equal(run(f, "dopri5"), SIM_DONE);
    model_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),         cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_ball),          cmocka_unit_test(test_event_log),
        cmocka_unit_test(test_ticks),         cmocka_unit_test(test_one_instant),
        cmocka_unit_test(test_bad_interval),  cmocka_unit_test(test_starts_at_zero),
        cmocka_unit_test(test_touch),         cmocka_unit_test(test_excursion),
        cmocka_unit_test(test_rests_at_zero), cmocka_unit_test(test_chattering),
        cmocka_unit_test(test_not_finite),    cmocka_unit_test(test_step_too_small),
        cmocka_unit_test(test_interrupt),     cmocka_unit_test(test_settings),
        cmocka_unit_test(test_assert),        cmocka_unit_test(test_terminate),
        cmocka_unit_test(test_toggling),      cmocka_unit_test(test_reinit_of_no_state),
        cmocka_unit_test(test_homotopy),      cmocka_unit_test(test_initial_failure),
        cmocka_unit_test(test_redundant),     cmocka_unit_test(test_initial_and_terminal),
        cmocka_unit_test(test_both_kinds),    cmocka_unit_test(test_accumulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Derivatives of clocked partitions by solver methods (Modelica 3.6, section 16.8.2).
 *
 * In: der(x) in an equation of a partition. Out: a variable d for it, and the equation of the
 * method for x. Implicit methods contain d. Explicit methods with stages between two ticks need the
 * derivative there. The equations of the partition are copied for each stage, with variables of
 * their own. States follow from the last slope. Values that other partitions or earlier ticks give
 * are inputs: halfway they are the mean of both ticks. */
#include "dae/lower/clocked.h"

enum { MOST_STAGES = 3 };

/* x = previous(x) + h*(before*previous(der(x)) + now*der(x) + sum of weight*slope), with the
 * interval h. A stage is at previous(x) + at*h*slope, with the slope of the stage before it. */
typedef struct Method {
    const char *name;
    double before, now;
    uint32_t n_stages;
    struct {
        double at, weight;
    } stage[MOST_STAGES];
} Method;

static const Method *method_of(const FlatClock *c)
{
    /* "External" leaves the choice to the tool. */
    static const Method methods[] = {
        {.name = "ExplicitEuler", .before = 1},
        {.name = "ImplicitEuler", .now = 1},
        {.name = "ImplicitTrapezoid", .before = 0.5, .now = 0.5},
        {.name = "External", .before = 0.5, .now = 0.5},
        {.name = "ExplicitMidPoint2", .n_stages = 1, .stage = {{0.5, 1}}},
        {.name = "ExplicitRungeKutta4",
         .before = 1.0 / 6,
         .n_stages = 3,
         .stage = {{0.5, 1.0 / 3}, {0.5, 1.0 / 3}, {1, 1.0 / 6}}},
    };
    for (size_t i = 0; c->solver && i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(c->solver, methods[i].name))
            return &methods[i];
    return NULL;
}

static const Method *method_at_work(const Unclock *u)
{
    return method_of(&u->from->clocks.at[u->partition - 1]);
}

uint32_t clocked_stages(const FlatClock *c)
{
    const Method *m = method_of(c);
    return m ? m->n_stages : 0;
}

/* The variable that an entry of a map names; EXPR_NONE if it has none. */
static ExprId found(const Map *map, uint64_t key)
{
    uint32_t at = map_get(map, key);
    return at == MAP_NONE ? EXPR_NONE : at;
}

static uint64_t stage_key(uint32_t var, uint32_t stage)
{
    return (uint64_t)var * (MOST_STAGES + 1) + stage;
}

/* ---- equations ---- */

/* v = value, at ticks of the partition at work. */
static void define(Unclock *u, ExprId v, ExprId value)
{
    FlatEq eq = {.kind = FLAT_EQUAL, .span = u->span, .lhs = v, .rhs = value};
    vec_push(&u->more, ((ClockedEquation){u->partition, eq}));
}

/* A variable of our own with such a value. */
static ExprId value_at_ticks(Unclock *u, const char *what, ExprId value)
{
    TypeId type = expr_type(u->g, value);
    ExprId v = clocked_variable(u, what, ++u->n_values, expr_blank(u->g, type), type);
    define(u, v, value);
    return v;
}

/* The variable for x, or for the derivative of x, at a stage. */
static ExprId stage_variable(Unclock *u, Map *map, ExprId x, uint32_t stage)
{
    uint64_t key = stage_key(expr_index(u->g, x), stage);
    ExprId v = found(map, key);
    if (v)
        return v;
    const FlatVar *of = &u->from->vars.at[expr_index(u->g, x)];
    uint8_t variability = map == &u->slopes ? VARIES_CONTINUOUS : of->variability;
    v = clocked_variable(u, "stage", ++u->n_values, EXPR_NONE, of->type);
    u->to->vars.at[expr_index(u->g, v)].variability = variability;
    map_put(map, key, v);
    return v;
}

static ExprId scaled(Unclock *u, double factor, ExprId h, ExprId slope)
{
    return expr_mul(u->g, expr_mul(u->g, expr_real(u->g, factor), h), slope);
}

static void add_equation_for(Unclock *u, ExprId v, ExprId value)
{
    FlatEq eq = {.kind = FLAT_EQUAL, .span = u->span, .lhs = v, .rhs = value};
    vec_push(&u->to->eqs, eq);
}

/* The values of x at the stages, and the sum of their slopes for the step. */
static ExprId add_stages(Unclock *u, const Method *m, ExprId x, ExprId d, ExprId step)
{
    Graph *g = u->g;
    if (!m->n_stages)
        return EXPR_NONE;
    ExprId first = clocked_first_tick(u), sum = EXPR_NONE;
    ExprId begin = value_at_ticks(
        u, "begin", expr_if(g, first, flat_start_value(u->from, x), clocked_left(u, x)));
    ExprId slope = value_at_ticks(u, "slope", clocked_left(u, d));
    for (uint32_t s = 0; s < m->n_stages; s++) {
        ExprId value = stage_variable(u, &u->copies, x, s + 1);
        add_equation_for(u, value, expr_add(g, begin, scaled(u, m->stage[s].at, step, slope)));
        slope = stage_variable(u, &u->slopes, x, s + 1);
        ExprId part = scaled(u, m->stage[s].weight, step, slope);
        sum = sum ? expr_add(g, sum, part) : part;
    }
    return sum;
}

/* Analyses show v, which holds the last value of x, as a state. */
static void name_previous(Unclock *u, ExprId v, ExprId x)
{
    const char *of = flat_var_name(u->from, expr_index(u->g, x), u->arena);
    const char *name = arena_printf(u->arena, "previous(%s)", of);
    u->to->vars.at[expr_index(u->g, v)].path =
        path_make(u->from->paths, 0, name_of(u->ctx->names, name), NULL, 0);
}

/* x from its derivative d. Parts with previous values apply at ticks; the rest is an ordinary
 * equation of the partition. */
static void add_method(Unclock *u, const Method *m, ExprId x, ExprId d)
{
    Graph *g = u->g;
    ExprId h = clocked_interval(u), first = clocked_first_tick(u);
    ExprId left = clocked_left(u, x), past = left;
    bool is_explicit = !m->now && !m->n_stages;
    if (m->before)
        past = expr_add(g, past, scaled(u, m->before, h, clocked_left(u, d)));
    past = expr_if(g, first, is_explicit ? left : flat_start_value(u->from, x), past);
    if (is_explicit) {
        clocked_mark_target(u, x);
        define(u, x, past);
        return;
    }
    u->implicit[u->partition - 1] = true;
    u->to->vars.at[expr_index(g, d)].variability = VARIES_CONTINUOUS;
    ExprId known = value_at_ticks(u, "past", past);
    name_previous(u, known, x);
    ExprId step = value_at_ticks(u, "step", expr_if(g, first, expr_real(g, 0.0), h));
    ExprId stages = add_stages(u, m, x, d, step);
    ExprId value = known;
    if (m->now)
        value = expr_add(g, value, scaled(u, m->now, step, d));
    if (stages)
        value = expr_add(g, value, stages);
    add_equation_for(u, x, value);
}

/* ---- derivatives ---- */

/* The element of v that `x` is of its variable. */
static ExprId same_element(Unclock *u, ExprId v, ExprId x)
{
    Graph *g = u->g;
    if (expr_op(g, x) != OP_INDEX)
        return v;
    VEC(ExprId) args = {0};
    vec_push(&args, v);
    for (uint32_t i = 1; i < expr_n(g, x); i++)
        vec_push(&args, expr_arg(g, x, i));
    v = expr_apply(g, OP_INDEX, expr_type(g, x), 0, args.at, args.n);
    vec_free(&args);
    return v;
}

static ExprId variable_of(const Graph *g, ExprId x)
{
    return expr_op(g, x) == OP_INDEX ? expr_arg(g, x, 0) : x;
}

ExprId clocked_derivative(Unclock *u, ExprId e)
{
    Graph *g = u->g;
    ExprId x = expr_arg(g, e, 0), var = variable_of(g, x);
    const Method *m = method_at_work(u);
    if (!m)
        return clocked_refuse(u, "derivatives by a solver method that Modelica does not define");
    if (!clocked_is_variable(u, x))
        return clocked_refuse(u, "the derivative of an expression");
    ExprId d = found(&u->derivatives, var);
    if (!d) {
        TypeId type = expr_type(g, var);
        d = clocked_variable(u, "derivative", ++u->n_values, expr_blank(g, type), type);
        map_put(&u->derivatives, var, d);
        add_method(u, m, var, d);
    }
    return same_element(u, d, x);
}

/* ---- copies for stages ---- */

/* An expression that other partitions or earlier ticks determine, or the time. */
static ExprId input_at_stage(Unclock *u, ExprId e)
{
    Graph *g = u->g;
    uint64_t key = (uint64_t)u->partition << 32 | e;
    uint32_t stage = u->stage;
    double at = method_at_work(u)->stage[stage - 1].at;
    ExprId now = expr_op(g, e) == OP_VAR ? e : found(&u->inputs, key);
    if (!now) {
        u->stage = 0;
        now = value_at_ticks(u, "input", clocked_map(u, e));
        u->stage = stage;
        map_put(&u->inputs, key, now);
    }
    if (at == 1 || type_element(g->types, expr_type(g, e)) != T_REAL)
        return now;
    ExprId mean = found(&u->means, key);
    if (!mean) {
        ExprId sum = expr_add(g, clocked_left(u, now), now);
        ExprId half = expr_mul(g, expr_real(g, 0.5), sum);
        mean = value_at_ticks(u, "mean", expr_if(g, clocked_first_tick(u), now, half));
        map_put(&u->means, key, mean);
    }
    return mean;
}

static bool is_input(const Unclock *u, ExprId e)
{
    const Graph *g = u->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_VAR)
        return u->assigned[expr_index(g, e)];
    return op_class(op) == CLASS_CLOCK || op == OP_TIME || op == OP_PRE || op == OP_EDGE ||
           op == OP_CHANGE || (op == OP_CALL && g->functions.at[expr_index(g, e)]->impure);
}

ExprId clocked_at_stage(Unclock *u, ExprId e)
{
    Graph *g = u->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_DER) {
        ExprId x = expr_arg(g, e, 0), var = variable_of(g, x);
        return same_element(u, stage_variable(u, &u->slopes, var, u->stage), x);
    }
    if (op == OP_VAR && !clocked_is_variable(u, e))
        return EXPR_NONE;
    if (is_input(u, e))
        return input_at_stage(u, e);
    return op == OP_VAR ? stage_variable(u, &u->copies, e, u->stage) : EXPR_NONE;
}

/* Clocked partitions as equations between events (Modelica 3.6, chapter 16).
 *
 * In: a flat model with clocked partitions. Out: the same model without clocks. A clocked variable
 * keeps its value between ticks. An equation that only relates variables of one partition therefore
 * holds at all times. An equation with previous values or another partition holds at the ticks of
 * its clock and becomes a when-equation. There `sample(u)` is the left limit of u, and
 * `previous(x)` the left limit of x, or its start value at the first tick. `hold(y)` is y. A clock
 * with a constant interval ticks by sample(start, interval), the clock of a condition when it
 * becomes true. Other clocks are reported. */
#include "dae/lower/clocked.h"

#include <stdio.h>

ExprId clocked_refuse(Unclock *u, const char *what)
{
    if (!u->failed)
        diag(u->ctx, u->span, DIAG_D001, "%s: such clocked partitions are not simulated yet", what);
    u->failed = true;
    return expr_int(u->g, 0);
}

static const FlatClock *clock_at(const Unclock *u, uint32_t partition)
{
    return &u->from->clocks.at[partition - 1];
}

/* ---- clocks ---- */

static double value_of(FlatRatio r)
{
    return (double)r.num / (double)r.den;
}

/* `factor` intervals of the base clock, in seconds. */
static ExprId duration(Unclock *u, const FlatClock *c, FlatRatio factor)
{
    if (c->kind == FLAT_CLOCK_RATIONAL)
        return expr_real(u->g, value_of(c->period) * value_of(factor));
    return expr_mul(u->g, expr_real(u->g, value_of(factor)), expr_arg(u->g, c->base_clock, 0));
}

static bool is_plain(const FlatClock *c)
{
    return c->factor.num == 1 && c->factor.den == 1 && c->shift.num == 0;
}

/* An interval that is computed again at every tick. */
static bool is_changing(const Unclock *u, const FlatClock *c)
{
    return c->kind == FLAT_CLOCK_INTERVAL &&
           flat_variability(u->from, expr_arg(u->g, c->base_clock, 0)) > VARIES_PARAMETER;
}

static ExprId held_value(Unclock *u, ExprId e);

/* A variable of our own. */
ExprId clocked_variable(Unclock *u, const char *what, uint32_t number, ExprId start, TypeId type)
{
    char name[40];
    snprintf(name, sizeof name, "$%s%u", what, number);
    FlatVar v = {.type = type,
                 .variability = VARIES_DISCRETE,
                 .is_protected = true,
                 .hide_result = true,
                 .start = start,
                 .shared = &flat_plain};
    v.path = path_make(u->from->paths, 0, name_of(u->ctx->names, name), NULL, 0);
    v.span = u->span;
    vec_push(&u->to->vars, v);
    return expr_leaf(u->g, OP_VAR, type, u->to->vars.n - 1);
}

ExprId clocked_left(Unclock *u, ExprId e)
{
    return expr1(u->g, OP_PRE, expr_type(u->g, e), e);
}

/* The clock of a condition ticks when the condition becomes true, and at the start if it is true
 * then. The tick comes an iteration of the event later, because its equations may lead back to the
 * condition. */
static ExprId make_event_tick(Unclock *u, uint32_t k)
{
    const FlatClock *c = clock_at(u, k);
    ExprId v = clocked_variable(u, "condition", k, expr_bool(u->g, false), T_BOOL);
    u->partition = 0;
    FlatEq eq = {.kind = FLAT_EQUAL, .span = c->span, .lhs = v};
    eq.rhs = clocked_map(u, expr_arg(u->g, c->base_clock, 0));
    vec_push(&u->to->eqs, eq);
    return clocked_left(u, v);
}

/* Ticks at the start and then an interval after the last tick. The time of the next one is set at
 * each. */
static ExprId make_changing_tick(Unclock *u, uint32_t k)
{
    Graph *g = u->g;
    const FlatClock *c = clock_at(u, k);
    ExprId never = expr_real(g, 1e60), zero = expr_real(g, 0.0),
           now = expr_leaf(g, OP_TIME, T_REAL, 0);
    ExprId next = clocked_variable(u, "next", k, never, T_REAL);
    ExprId first = expr_make(g, OP_SAMPLE, T_BOOL, 1, (ExprId[]){zero, never}, 2);
    ExprId due = expr_compare(g, OP_GE, now, clocked_left(u, next));
    int64_t two = 2;
    u->partition = k;
    FlatEq eq = {.kind = FLAT_EQUAL, .span = c->span, .lhs = next};
    eq.rhs = expr_add(g, now, clocked_map(u, expr_arg(g, c->base_clock, 0)));
    vec_push(&u->counts, ((ClockedEquation){k, eq}));
    return expr_make(g, OP_ARRAY, type_array(g->types, T_BOOL, &two, 1), 0, (ExprId[]){first, due},
                     2);
}

/* Clocks derived from a clock without a constant interval take some of its ticks: one in `factor`,
 * after `shift`. */
static ExprId make_derived_tick(Unclock *u, uint32_t k, ExprId tick)
{
    Graph *g = u->g;
    const FlatClock *c = clock_at(u, k);
    if (is_plain(c))
        return tick;
    if (c->factor.den != 1 || c->shift.den != 1)
        return clocked_refuse(
            u, "a clock faster than the event clock it is derived from, or between its ticks");
    ExprId count = clocked_variable(u, "count", k, expr_int(g, 0), T_INT);
    FlatEq eq = {.kind = FLAT_EQUAL,
                 .span = c->span,
                 .lhs = count,
                 .rhs = expr_add(g, clocked_left(u, count), expr_int(g, 1))};
    vec_push(&u->counts, ((ClockedEquation){k, eq}));
    ExprId since = expr_sub(g, clocked_left(u, count), expr_int(g, c->shift.num));
    ExprId rest = expr_apply(g, OP_MOD, T_INT, 0, (ExprId[]){since, expr_int(g, c->factor.num)}, 2);
    u->takes[k - 1] = expr_and(g, expr_compare(g, OP_GE, since, expr_int(g, 0)),
                               expr_compare(g, OP_EQ, rest, expr_int(g, 0)));
    return tick;
}

static ExprId make_tick(Unclock *u, uint32_t k)
{
    const FlatClock *c = clock_at(u, k);
    u->span = c->span;
    if (!c->base_clock)
        return clocked_refuse(u, "a clock that is not known");
    if (c->kind == FLAT_CLOCK_EVENT)
        return make_derived_tick(u, k, make_event_tick(u, k));
    if (is_changing(u, c))
        return make_derived_tick(u, k, make_changing_tick(u, k));
    ExprId args[] = {duration(u, c, c->shift), duration(u, c, c->factor)};
    return expr_make(u->g, OP_SAMPLE, T_BOOL, 1, args, 2);
}

/* Whether the clock of a partition has ticked. */
static ExprId has_ticked(Unclock *u, uint32_t partition)
{
    ExprId *v = &u->ticked[partition - 1];
    if (!*v)
        *v = clocked_variable(u, "ticked", partition, expr_bool(u->g, false), T_BOOL);
    return *v;
}

static ExprId first_tick(Unclock *u, uint32_t partition)
{
    return expr_not(u->g, clocked_left(u, has_ticked(u, partition)));
}

/* ---- expressions ---- */

bool clocked_is_variable(const Unclock *u, ExprId e)
{
    if (expr_op(u->g, e) == OP_INDEX)
        e = expr_arg(u->g, e, 0);
    return expr_op(u->g, e) == OP_VAR && expr_index(u->g, e) < u->from->vars.n &&
           u->from->vars.at[expr_index(u->g, e)].variability > VARIES_PARAMETER;
}

static ExprId left_leaf(void *user, Graph *g, ExprId e)
{
    Unclock *u = user;
    bool own = expr_op(g, e) == OP_VAR && expr_index(g, e) >= u->from->vars.n;
    if (own || clocked_is_variable(u, e))
        return clocked_left(u, e);
    if (expr_op(g, e) == OP_HOLD)
        return expr_map(g, held_value(u, e), left_leaf, user);
    if (expr_op(g, e) == OP_DER)
        return clocked_refuse(u, "a derivative that is sampled");
    return EXPR_NONE;
}

static ExprId previous_leaf(void *user, Graph *g, ExprId e)
{
    Unclock *u = user;
    if (!clocked_is_variable(u, e))
        return EXPR_NONE;
    ExprId left = clocked_left(u, e);
    ExprId value = expr_if(g, first_tick(u, u->partition), flat_start_value(u->from, e), left);
    map_put(&u->previous, value, left);
    return value;
}

/* The clock of interval(x) and firstTick(x). */
static uint32_t asked_partition(Unclock *u, ExprId e)
{
    if (!expr_n(u->g, e))
        return u->partition;
    ExprId x = expr_arg(u->g, e, 0);
    if (expr_op(u->g, x) == OP_INDEX)
        x = expr_arg(u->g, x, 0);
    return expr_op(u->g, x) == OP_VAR ? u->var_part[expr_index(u->g, x)] : 0;
}

/* The time since the last tick of a clock without a constant interval; at the first one its
 * interval, or startInterval. */
static ExprId elapsed(Unclock *u, uint32_t k)
{
    Graph *g = u->g;
    const FlatClock *c = clock_at(u, k);
    ExprId now = expr_leaf(g, OP_TIME, T_REAL, 0), last = u->last[k - 1];
    if (!last) {
        last = u->last[k - 1] = clocked_variable(u, "last", k, expr_real(g, 0.0), T_REAL);
        FlatEq eq = {.kind = FLAT_EQUAL, .span = c->span, .lhs = last, .rhs = now};
        vec_push(&u->more, ((ClockedEquation){k, eq}));
    }
    ExprId begin = clocked_map(u, expr_arg(g, c->base_clock, c->kind == FLAT_CLOCK_EVENT ? 1 : 0));
    return expr_if(g, first_tick(u, k), begin, expr_sub(g, now, clocked_left(u, last)));
}

static ExprId interval_of(Unclock *u, ExprId e)
{
    uint32_t k = asked_partition(u, e);
    if (!k)
        return clocked_refuse(u, "interval() of an expression");
    const FlatClock *c = clock_at(u, k);
    return c->kind == FLAT_CLOCK_EVENT || is_changing(u, c) ? elapsed(u, k)
                                                            : duration(u, c, c->factor);
}

static ExprId first_tick_of(Unclock *u, ExprId e)
{
    uint32_t k = asked_partition(u, e);
    return k && (k == u->partition || !u->partition)
               ? first_tick(u, k)
               : clocked_refuse(u, "firstTick() of another clock");
}

ExprId clocked_first_tick(Unclock *u)
{
    return first_tick(u, u->partition);
}

ExprId clocked_interval(Unclock *u)
{
    return interval_of(u, expr_make(u->g, OP_INTERVAL, T_REAL, 0, NULL, 0));
}

/* The contents of an argument of a conversion. */
typedef struct Operand {
    uint32_t partition; /* of a variable in it; 0 if there is none */
    bool looks_back;    /* operators that have a value only at its own ticks */
    bool converts;      /* a conversion whose clock no equation has */
    const Unclock *u;
} Operand;

static Walk look_at_operand(void *user, ExprId e)
{
    Operand *o = user;
    const Graph *g = o->u->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_VAR && o->u->var_part[expr_index(g, e)])
        o->partition = o->u->var_part[expr_index(g, e)];
    o->looks_back |= op == OP_PREVIOUS || op == OP_CLOCKED_SAMPLE || op == OP_INTERVAL ||
                     op == OP_FIRST_TICK || op == OP_TIME;
    o->converts |=
        op == OP_SUB_SAMPLE || op == OP_SHIFT_SAMPLE || op == OP_BACK_SAMPLE || op == OP_NO_CLOCK;
    return op == OP_CLOCKED_SAMPLE ? WALK_PAST : WALK_ON;
}

static Operand operand_of(const Unclock *u, ExprId e)
{
    Operand o = {.u = u};
    expr_walk_down(u->g, e, look_at_operand, &o);
    return o;
}

/* A value of another clock: the one at its last tick. */
static ExprId other_value(Unclock *u, ExprId e)
{
    ExprId arg = expr_arg(u->g, e, 0);
    Operand o = operand_of(u, arg);
    if (o.converts)
        return clocked_refuse(u, "a conversion between clocks inside another");
    if (!o.looks_back)
        return clocked_map(u, arg);
    if (!o.partition)
        return clocked_refuse(
            u, "a conversion between clocks of an expression without clocked variables");
    uint32_t was = u->partition;
    TypeId type = expr_type(u->g, arg);
    ExprId w = clocked_variable(u, "value", ++u->n_values, expr_blank(u->g, type), type);
    u->partition = o.partition;
    FlatEq eq = {.kind = FLAT_EQUAL, .span = u->span, .lhs = w, .rhs = clocked_map(u, arg)};
    u->partition = was;
    vec_push(&u->more, ((ClockedEquation){o.partition, eq}));
    return w;
}

static ExprId held_leaf(void *user, Graph *g, ExprId e)
{
    Unclock *u = user;
    if (!clocked_is_variable(u, e))
        return EXPR_NONE;
    uint32_t k = u->var_part[expr_index(g, expr_op(g, e) == OP_INDEX ? expr_arg(g, e, 0) : e)];
    return k ? expr_if(g, has_ticked(u, k), e, flat_start_value(u->from, e)) : e;
}

/* The same, if the other clock may not have ticked yet: the start value until then. */
static ExprId held_value(Unclock *u, ExprId e)
{
    return expr_map(u->g, other_value(u, e), held_leaf, u);
}

/* ---- operators ---- */

static ExprId clocked_leaf(void *user, Graph *g, ExprId e)
{
    Unclock *u = user;
    ExprOp op = expr_op(g, e);
    if (u->stage)
        return clocked_at_stage(u, e);
    if (op == OP_DER && u->partition)
        return clocked_derivative(u, e);
    /* variables change only at ticks, so that their left limits are their values before the tick */
    bool of_limits = op == OP_PRE || op == OP_EDGE || op == OP_CHANGE;
    if (u->partition && clock_at(u, u->partition)->discretised && !of_limits &&
        (op_behaviour(op) == VALUE_DISCRETE || op == OP_DELAY || op == OP_SPATIAL))
        return clocked_refuse(u, "operators on events in a clocked partition");
    if (op_class(op) != CLASS_CLOCK)
        return EXPR_NONE;
    switch (op) {
    case OP_CLOCKED_SAMPLE: return expr_map(g, expr_arg(g, e, 0), left_leaf, u);
    case OP_PREVIOUS: return expr_map(g, expr_arg(g, e, 0), previous_leaf, u);
    case OP_HOLD:
    case OP_NO_CLOCK:
    case OP_BACK_SAMPLE: return held_value(u, e);
    case OP_SUPER_SAMPLE:
    case OP_SUB_SAMPLE:
    case OP_SHIFT_SAMPLE: return other_value(u, e);
    case OP_INTERVAL: return interval_of(u, e);
    case OP_FIRST_TICK: return first_tick_of(u, e);
    default: return clocked_refuse(u, "this use of a Clock");
    }
}

ExprId clocked_map(Unclock *u, ExprId e)
{
    return e ? expr_map(u->g, e, clocked_leaf, u) : e;
}

/* ---- operands of an equation ---- */

typedef struct OperandSearch {
    Unclock *u;
    uint32_t partition; /* not 0: enter it for the variables */
    bool ticks;         /* out: it applies only at ticks */
    Map seen;
} OperandSearch;

static Walk visit_operand(void *user, ExprId e)
{
    OperandSearch *l = user;
    const Graph *g = l->u->g;
    if (map_get(&l->seen, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&l->seen, e, 1);
    ExprOp op = expr_op(g, e);
    bool clocked = op_class(op) == CLASS_CLOCK;
    l->ticks |=
        clocked || op == OP_TIME || (op == OP_CALL && g->functions.at[expr_index(g, e)]->impure);
    if (op == OP_VAR && l->partition &&
        l->u->from->vars.at[expr_index(g, e)].variability > VARIES_PARAMETER)
        l->u->var_part[expr_index(g, e)] = l->partition;
    return clocked && op != OP_PREVIOUS ? WALK_PAST : WALK_ON;
}

static void look_at(void *user, ExprId e)
{
    OperandSearch *l = user;
    expr_walk_down(l->u->g, e, visit_operand, l);
}

static bool look(Unclock *u, const FlatEq *eq, uint32_t partition)
{
    OperandSearch l = {.u = u, .partition = partition};
    flat_each_expr(eq, 1, look_at, &l);
    map_free(&l.seen);
    return l.ticks;
}

/* ---- statements ---- */

/* The body of a branch, at the ticks of the present partition. */
static void take_stmts(Unclock *u, StmtBranch *b, Span span)
{
    ExprId takes = u->takes[u->partition - 1];
    if (!takes)
        return;
    Stmt *body = ARENA_NEW(u->arena, Stmt);
    StmtBranch *branch = ARENA_NEW(u->arena, StmtBranch);
    *branch = (StmtBranch){takes, b->body, b->n};
    *body = (Stmt){.kind = STMT_IF, .span = span, .branches = branch, .n_branches = 1};
    b->body = body;
    b->n = 1;
}

static Stmt *map_stmts(Unclock *u, const Stmt *stmts, uint32_t n)
{
    Stmt *out = ARENA_ARRAY(u->arena, Stmt, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = stmts[i];
        u->span = stmts[i].span;
        out[i].lhs = clocked_map(u, stmts[i].lhs);
        out[i].rhs = clocked_map(u, stmts[i].rhs);
        out[i].branches = ARENA_ARRAY(u->arena, StmtBranch, stmts[i].n_branches + 1);
        for (uint32_t k = 0; k < stmts[i].n_branches; k++) {
            StmtBranch *b = &out[i].branches[k];
            *b = stmts[i].branches[k];
            bool clock = b->condition && expr_type(u->g, b->condition) == T_CLOCK;
            b->condition = clock ? u->ticks[u->partition - 1] : clocked_map(u, b->condition);
            b->body = map_stmts(u, b->body, b->n);
            if (clock)
                take_stmts(u, b, stmts[i].span);
        }
    }
    return out;
}

/* Statements outside a clocked when act at the ticks of their partition. */
static void guard_stmts(Unclock *u, FlatEq *eq)
{
    for (uint32_t i = 0; i < eq->n_stmts; i++) {
        Stmt *s = &eq->stmts[i];
        if (s->kind == STMT_WHEN)
            continue;
        Stmt *body = ARENA_NEW(u->arena, Stmt);
        StmtBranch *branch = ARENA_NEW(u->arena, StmtBranch);
        *body = *s;
        *branch = (StmtBranch){u->ticks[u->partition - 1], body, 1};
        take_stmts(u, branch, s->span);
        *s = (Stmt){.kind = STMT_WHEN, .span = s->span, .branches = branch, .n_branches = 1};
    }
}

/* ---- equations ---- */

/* The same for equations. */
static void take_equations(Unclock *u, uint32_t partition, FlatBranch *b)
{
    ExprId takes = u->takes[partition - 1];
    if (!takes)
        return;
    FlatEq *body = ARENA_NEW(u->arena, FlatEq);
    FlatBranch *branch = ARENA_NEW(u->arena, FlatBranch);
    *branch = (FlatBranch){takes, b->body, b->n, b->span};
    *body = (FlatEq){.kind = FLAT_IF, .span = b->span, .branches = branch, .n_branches = 1};
    b->body = body;
    b->n = 1;
}

static FlatEq map_eq(Unclock *u, const FlatEq *eq)
{
    FlatEq out = *eq;
    u->span = eq->span;
    out.partition = 0;
    out.lhs = clocked_map(u, eq->lhs);
    out.rhs = clocked_map(u, eq->rhs);
    out.stmts = map_stmts(u, eq->stmts, eq->n_stmts);
    out.branches = ARENA_ARRAY(u->arena, FlatBranch, eq->n_branches + 1);
    for (uint32_t k = 0; k < eq->n_branches; k++) {
        FlatBranch *b = &out.branches[k];
        *b = eq->branches[k];
        bool clock = b->condition && expr_type(u->g, b->condition) == T_CLOCK;
        b->condition = clock ? u->ticks[u->partition - 1] : clocked_map(u, b->condition);
        b->body = ARENA_ARRAY(u->arena, FlatEq, b->n + 1);
        for (uint32_t i = 0; i < b->n; i++)
            b->body[i] = map_eq(u, &eq->branches[k].body[i]);
        if (clock)
            take_equations(u, u->partition, b);
    }
    return out;
}

/* ---- what when-equations determine ---- */

void clocked_mark_target(Unclock *u, ExprId e)
{
    if (!e)
        return;
    ExprOp op = expr_op(u->g, e);
    if (op == OP_VAR && expr_index(u->g, e) < u->from->vars.n)
        u->target[expr_index(u->g, e)] = true;
    for (uint32_t i = 0; i < expr_n(u->g, e) && (op == OP_TUPLE || op == OP_ARRAY || op == OP_NEG);
         i++)
        clocked_mark_target(u, expr_arg(u->g, e, i));
    if (op == OP_INDEX)
        clocked_mark_target(u, expr_arg(u->g, e, 0));
}

static Walk mark_statement(void *user, const Stmt *s)
{
    if (s->kind == STMT_ASSIGN)
        clocked_mark_target(user, s->lhs);
    return WALK_ON;
}

static Walk mark_equation(void *user, const FlatEq *eq)
{
    if (eq->kind == FLAT_EQUAL)
        clocked_mark_target(user, eq->lhs);
    return WALK_ON;
}

static void mark_assigned(Unclock *u, const FlatEq *eq)
{
    flat_walk(eq, 1, &(FlatVisitor){.equation = mark_equation, .statement = mark_statement}, u);
}

/* A clocked variable has its start value before the first tick if a when-equation determines it;
 * other variables follow from these. */
static void place_starts(Unclock *u)
{
    for (uint32_t i = 0; i < u->from->vars.n; i++) {
        FlatVar *v = &u->to->vars.at[i];
        if (!u->var_part[i] || v->variability <= VARIES_PARAMETER)
            continue;
        if (!u->target[i] && u->implicit[u->var_part[i] - 1])
            v->variability =
                u->from->vars.at[i].variability; /* solved for together, as in a continuous block */
        if (!u->target[i])
            v->start = v->fixed = EXPR_NONE;
        else if (!v->start && type_element(u->g->types, v->type) != T_CLOCK)
            v->start = expr_blank(u->g, v->type);
    }
}

static ExprId known_leaf(void *user, Graph *g, ExprId e)
{
    Unclock *u = user;
    uint32_t left = map_get(&u->previous, e);
    if (left == MAP_NONE)
        return EXPR_NONE;
    ExprId x = expr_arg(g, left, 0);
    if (expr_op(g, x) == OP_INDEX)
        x = expr_arg(g, x, 0);
    return u->target[expr_index(g, x)] ? left : EXPR_NONE;
}

static ExprId with_known(void *user, ExprId e)
{
    Unclock *u = user;
    return expr_map(u->g, e, known_leaf, u);
}

/* A variable that has its start value before the first tick needs no other previous value there. So
 * `previous` follows a changed start value. */
static void use_starts(Unclock *u)
{
    if (!u->previous.n)
        return;
    for (uint32_t i = 0; i < u->to->eqs.n; i++)
        u->to->eqs.at[i] = flat_map(u->arena, &u->to->eqs.at[i], with_known, u);
}

/* ---- when-equations ---- */

/* An equation of a when has its variable on the left. */
static void turn(const Unclock *u, FlatEq *eq)
{
    if (eq->kind == FLAT_EQUAL && expr_op(u->g, eq->lhs) != OP_TUPLE &&
        expr_op(u->g, eq->lhs) != OP_VAR && !clocked_is_variable(u, eq->lhs) &&
        clocked_is_variable(u, eq->rhs)) {
        ExprId e = eq->lhs;
        eq->lhs = eq->rhs;
        eq->rhs = e;
    }
}

static FlatEq at_ticks(Unclock *u, uint32_t partition, FlatEq body)
{
    FlatEq when = {
        .kind = FLAT_WHEN, .component = body.component, .span = body.span, .n_branches = 1};
    when.branches = ARENA_NEW(u->arena, FlatBranch);
    FlatEq *inner = ARENA_NEW(u->arena, FlatEq);
    *inner = body;
    turn(u, inner);
    *when.branches = (FlatBranch){u->ticks[partition - 1], inner, 1, body.span};
    take_equations(u, partition, when.branches);
    return when;
}

static bool is_clock_equation(const Unclock *u, const FlatEq *eq)
{
    return eq->kind == FLAT_EQUAL && type_element(u->g->types, expr_type(u->g, eq->lhs)) == T_CLOCK;
}

/* A when-clause of a clock, without others. */
static bool is_clocked_when(const Unclock *u, const FlatEq *eq)
{
    return eq->kind == FLAT_WHEN && eq->partition && eq->n_branches == 1 &&
           expr_type(u->g, eq->branches[0].condition) == T_CLOCK;
}

/* The equation at the stages of the solver method. */
static void copy_for_stages(Unclock *u, const FlatEq *eq)
{
    const FlatClock *c = clock_at(u, eq->partition);
    for (u->stage = c->discretised ? clocked_stages(c) : 0; u->stage; u->stage--) {
        FlatEq copy = map_eq(u, eq);
        vec_push(&u->to->eqs, copy);
    }
}

/* A reinit in the when-clause, at any depth; NULL if it has none. */
static const FlatEq *find_reinit(const FlatEq *eq)
{
    const FlatEq *found = eq->kind == FLAT_REINIT ? eq : NULL;
    for (uint32_t k = 0; k < eq->n_branches && !found; k++)
        for (uint32_t i = 0; i < eq->branches[k].n && !found; i++)
            found = find_reinit(&eq->branches[k].body[i]);
    return found;
}

static void add_equation_of(Unclock *u, const FlatEq *eq)
{
    u->partition = eq->partition;
    const FlatEq *reinit = eq->partition ? find_reinit(eq) : NULL;
    if (reinit) {
        u->span = reinit->span;
        clocked_refuse(u, "reinit");
        return;
    }
    if (is_clock_equation(u, eq))
        return;
    if (is_clocked_when(u, eq) && clock_at(u, eq->partition)->discretised) {
        /* methods may solve these equations together with those outside of the clause */
        for (uint32_t i = 0; i < eq->branches[0].n; i++) {
            FlatEq body = eq->branches[0].body[i];
            body.partition = eq->partition;
            add_equation_of(u, &body);
        }
        return;
    }
    FlatEq out = map_eq(u, eq);
    bool guarded = eq->partition && eq->kind != FLAT_WHEN && eq->kind != FLAT_ALGORITHM &&
                   (eq->kind == FLAT_ASSERT || eq->kind == FLAT_CALL || look(u, eq, 0));
    if (eq->partition && eq->kind == FLAT_ALGORITHM)
        guard_stmts(u, &out);
    if (eq->partition && (eq->kind == FLAT_EQUAL || eq->kind == FLAT_IF))
        copy_for_stages(u, eq);
    if (guarded)
        out = at_ticks(u, eq->partition, out);
    if (eq->partition && (guarded || eq->kind == FLAT_WHEN || eq->kind == FLAT_ALGORITHM))
        mark_assigned(u, &out);
    vec_push(&u->to->eqs, out);
}

static void add_ticked(Unclock *u, uint32_t k)
{
    if (!u->ticked[k])
        return;
    FlatEq eq = {.kind = FLAT_EQUAL, .span = u->from->clocks.at[k].span, .lhs = u->ticked[k]};
    eq.rhs = expr_bool(u->g, true);
    FlatEq when = at_ticks(u, k + 1, eq);
    vec_push(&u->to->eqs, when);
}

/* ---- the model ---- */

static void map_variables(Unclock *u)
{
    for (uint32_t i = 0; i < u->from->vars.n; i++) {
        FlatVar v = u->from->vars.at[i];
        if (u->var_part[i] && v.variability == VARIES_CONTINUOUS)
            v.variability = VARIES_DISCRETE;
        vec_push(&u->to->vars, v);
    }
}

/* The partition of its variables, and those that its statements and when-clauses assign. */
static void look_at_clocked(Unclock *u, const FlatEq *eq)
{
    look(u, eq, eq->partition);
    if (eq->kind == FLAT_ALGORITHM || (eq->kind == FLAT_WHEN && !is_clocked_when(u, eq)))
        mark_assigned(u, eq);
}

static void run(Unclock *u)
{
    uint32_t n = u->from->clocks.n;
    for (uint32_t i = 0; i < u->from->eqs.n; i++)
        if (u->from->eqs.at[i].partition)
            look_at_clocked(u, &u->from->eqs.at[i]);
    memcpy(u->assigned, u->target, u->from->vars.n * sizeof *u->assigned);
    map_variables(u);
    for (uint32_t k = 0; k < n && !u->failed; k++)
        u->ticks[k] = make_tick(u, k + 1);
    for (uint32_t i = 0; i < u->from->eqs.n && !u->failed; i++)
        add_equation_of(u, &u->from->eqs.at[i]);
    for (uint32_t k = 0; k < n && !u->failed; k++)
        add_ticked(u, k);
    for (uint32_t i = 0; i < u->more.n && !u->failed; i++) {
        FlatEq when = at_ticks(u, u->more.at[i].partition, u->more.at[i].eq);
        vec_push(&u->to->eqs, when);
    }
    for (uint32_t i = 0; i < u->counts.n && !u->failed; i++) {
        uint32_t k = u->counts.at[i].partition;
        u->takes[k - 1] = EXPR_NONE;
        FlatEq when = at_ticks(u, k, u->counts.at[i].eq);
        vec_push(&u->to->eqs, when);
    }
    vec_free(&u->more);
    vec_free(&u->counts);
    map_free(&u->derivatives);
    map_free(&u->copies);
    map_free(&u->slopes);
    map_free(&u->inputs);
    map_free(&u->means);
    place_starts(u);
    use_starts(u);
    map_free(&u->previous);
}

const Flat *unclock(Context *ctx, const Flat *flat, Arena *arena)
{
    if (!flat->clocks.n)
        return flat;
    Flat *to = ARENA_NEW(arena, Flat);
    *to = *flat;
    memset(&to->vars, 0, sizeof to->vars);
    memset(&to->eqs, 0, sizeof to->eqs);
    Unclock u = {.ctx = ctx, .g = flat->g, .from = flat, .to = to, .arena = arena};
    u.var_part = ARENA_ARRAY(arena, uint32_t, flat->vars.n + 1);
    u.ticks = ARENA_ARRAY(arena, ExprId, flat->clocks.n);
    u.takes = ARENA_ARRAY(arena, ExprId, flat->clocks.n);
    u.ticked = ARENA_ARRAY(arena, ExprId, flat->clocks.n);
    u.implicit = ARENA_ARRAY(arena, bool, flat->clocks.n);
    u.last = ARENA_ARRAY(arena, ExprId, flat->clocks.n);
    u.target = ARENA_ARRAY(arena, bool, flat->vars.n + 1);
    u.assigned = ARENA_ARRAY(arena, bool, flat->vars.n + 1);
    run(&u);
    to->vars.at = vec_keep(&to->vars, arena);
    to->eqs.at = vec_keep(&to->eqs, arena);
    return u.failed ? NULL : to;
}

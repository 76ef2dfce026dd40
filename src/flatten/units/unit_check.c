/* Checks the units of a flat model (chapter 19 of the specification), as warnings. Variables
 * without a unit take the unit that an equation gives them, if it is clear. An unknown unit fits
 * everything, and so do the unit "1" and literals in sums. As factors, small whole numbers, their
 * quotients and multiples of π have no unit. Other literals may be constants whose unit is lost,
 * and are unknown. */
#include "base/text.h"
#include "flatten/flat/flat_walk.h"
#include "flatten/units/unit.h"
#include "flatten/units/unit_check.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROUNDS = 20, DEEPEST = 500 };

typedef struct Checker {
    Context *ctx;
    const Flat *f;
    Arena *arena;
    Unit *units;  /* per variable */
    bool *given;  /* per variable: its declaration has a unit */
    bool report;  /* the last round */
    bool changed; /* a variable got its unit in this round */
    /* the present value is in a declaration: its literals may be quantities */
    bool binding;
    Span span;            /* of the equation being looked at */
    Map reported;         /* places with a message */
    unsigned conditional; /* branches around: their conclusions need not hold elsewhere */
    unsigned depth;
} Checker;

static const Unit second = {true, {0, 0, UNIT_PARTS}, 1};

static Unit unit_of(Checker *c, ExprId e);

/* ---- messages ---- */

static void print_leaf(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    const Checker *c = user;
    if (expr_op(g, leaf) == OP_VAR && expr_index(g, leaf) < c->f->vars.n)
        snprintf(buf, size, "%s", flat_var_name(c->f, expr_index(g, leaf), c->arena));
}

static const char *text_of(Checker *c, ExprId e)
{
    enum { LONGEST = 60 };
    const char *s = expr_print(c->f->g, e, print_leaf, c, c->arena);
    if (strlen(s) <= LONGEST)
        return s;
    return arena_printf(c->arena, "%.*s…", (int)text_cut(s, LONGEST), s);
}

/* The declared unit if e is a variable; otherwise in base units. */
static const char *unit_text(Checker *c, ExprId e, Unit u)
{
    const Graph *g = c->f->g;
    while (expr_op(g, e) == OP_INDEX || expr_op(g, e) == OP_NEG)
        e = expr_arg(g, e, 0);
    const FlatVar *v = expr_op(g, e) == OP_VAR ? &c->f->vars.at[expr_index(g, e)] : NULL;
    return v && v->shared->traits.unit && *v->shared->traits.unit ? v->shared->traits.unit
                                                                  : unit_print(u, c->arena);
}

static bool is_new(Checker *c)
{
    uint64_t key = ((uint64_t)c->span.file << 32 | c->span.at) + 1;
    bool fresh = c->report && !c->binding && map_get(&c->reported, key) == MAP_NONE;
    if (fresh)
        map_put(&c->reported, key, 1);
    return fresh;
}

static void report_difference(Checker *c, ExprId a, Unit x, ExprId b, Unit y, const char *relation)
{
    if (!is_new(c))
        return;
    diag(c->ctx, c->span, DIAG_F040, "units do not agree: '%s' [%s] %s '%s' [%s]", text_of(c, a),
         unit_text(c, a, x), relation, text_of(c, b), unit_text(c, b, y));
    if (unit_same_dimension(x, y))
        diag_note(c->ctx, (Span){0}, "they measure the same quantity, but differ by a factor of %g",
                  x.factor > y.factor ? x.factor / y.factor : y.factor / x.factor);
    diag_note(c->ctx, (Span){0},
              "Modelica 3.6, chapter 19: both sides of an equation and all terms of a sum have the "
              "same unit");
}

/* Both must agree. Returns the one that is known. */
static Unit join(Checker *c, ExprId a, Unit x, ExprId b, Unit y, const char *relation)
{
    if (!unit_same(x, y))
        report_difference(c, a, x, b, y, relation);
    return x.known ? x : y;
}

/* ---- expressions ---- */

/* A factor that is surely a number: of the form n, 1/n, n/m or a multiple of π, with small n and m.
 */
static bool is_plain_number(double v)
{
    v = fabs(v);
    for (int k = 1; k <= 10; k++) {
        double whole = v * k, turns = v * k / 3.14159265358979323846;
        if ((whole <= 10 && fabs(whole - round(whole)) < 1e-12 && whole > 0.5) ||
            (turns <= 10 && turns > 0.5 && fabs(turns - round(turns)) < 1e-12))
            return true;
    }
    return false;
}

static Unit factor_unit(Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    while (expr_op(g, e) == OP_TO_REAL || expr_op(g, e) == OP_NEG)
        e = expr_arg(g, e, 0);
    bool literal = expr_op(g, e) == OP_REAL || expr_op(g, e) == OP_INT;
    if (expr_op(g, e) == OP_TIME)
        return second;
    if (literal)
        return !c->binding && is_plain_number(expr_real_value(g, e)) ? unit_one : (Unit){0};
    return unit_of(c, e);
}

static bool is_literal(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_TO_REAL || expr_op(g, e) == OP_NEG)
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_REAL || expr_op(g, e) == OP_INT;
}

/* All from argument `from` on agree. Unknown if one of them is, unless it is a literal. */
static Unit agree(Checker *c, ExprId e, uint32_t from, const char *relation)
{
    const Graph *g = c->f->g;
    Unit u = {0};
    ExprId known = EXPR_NONE;
    bool open = false;
    for (uint32_t i = from; i < expr_n(g, e); i++) {
        ExprId a = expr_arg(g, e, i);
        Unit x = unit_of(c, a);
        open |= !x.known && !is_literal(g, a);
        if (x.known && known)
            u = join(c, known, u, a, x, relation);
        if (x.known && !known)
            u = x, known = a;
    }
    return open ? (Unit){0} : u;
}

static bool has_variable(const Graph *g, ExprId e, unsigned depth)
{
    bool found = expr_op(g, e) == OP_VAR || depth > DEEPEST;
    for (uint32_t i = 0; i < expr_n(g, e) && !found; i++)
        found = expr_arg(g, e, i) && has_variable(g, expr_arg(g, e, i), depth + 1);
    return found;
}

static Unit product(Checker *c, ExprId e, int sign)
{
    const Graph *g = c->f->g;
    Unit u = factor_unit(c, expr_arg(g, e, 0));
    if (!has_variable(g, e, 0))
        return (Unit){0}; /* 2*time: the literal may have a unit */
    for (uint32_t i = 1; i < expr_n(g, e); i++)
        u = unit_product(u, factor_unit(c, expr_arg(g, e, i)), sign);
    return u;
}

static Unit power(Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    Unit base = unit_of(c, expr_arg(g, e, 0));
    ExprId x = expr_arg(g, e, 1);
    unit_of(c, x);
    while (expr_op(g, x) == OP_TO_REAL)
        x = expr_arg(g, x, 0);
    double v = expr_op(g, x) == OP_REAL || expr_op(g, x) == OP_INT ? expr_real_value(g, x) : NAN;
    for (int den = 1; den <= UNIT_PARTS; den++)
        if (fabs(v) < 50 && fabs(v * den - round(v * den)) < 1e-12)
            return unit_power(base, (int)lround(v * den), den);
    return (Unit){0};
}

/* The argument of sin, exp and similar ones is a number. sin(time) and sin(2*time) are taken to
 * mean time in seconds. */
static Unit transcendent(Checker *c, ExprId e)
{
    ExprId a = expr_arg(c->f->g, e, 0);
    Unit x = unit_of(c, a);
    if (x.known && has_variable(c->f->g, a, 0) && !unit_same(x, unit_one) && is_new(c)) {
        diag(c->ctx, c->span, DIAG_F040,
             "the argument '%s' of %s has the unit %s; a number is needed", text_of(c, a),
             expr_op_text(expr_op(c->f->g, e)), unit_text(c, a, x));
        diag_note(
            c->ctx, (Span){0},
            "Modelica 3.6, chapter 19: the argument of such a function has the unit 1 or rad");
    }
    return (Unit){0};
}

/* Elements of an array may have different units. */
static Unit common(Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    Unit u = {0};
    bool same = true;
    for (uint32_t i = 0; i < expr_n(g, e); i++) {
        Unit x = unit_of(c, expr_arg(g, e, i));
        same &= x.known && (i == 0 || unit_same(u, x));
        u = i ? u : x;
    }
    return same ? u : (Unit){0};
}

static Unit open_unit(Checker *c, ExprId e)
{
    for (uint32_t i = 0; i < expr_n(c->f->g, e); i++)
        if (expr_arg(c->f->g, e, i))
            unit_of(c, expr_arg(c->f->g, e, i));
    return (Unit){0};
}

/* By the rule in ops.def. */
static Unit unit_of_function(Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    switch ((OpUnits)op_traits[expr_op(g, e)].units) {
    case UNITS_SAME: return unit_of(c, expr_arg(g, e, 0));
    case UNITS_ROOT: return unit_power(unit_of(c, expr_arg(g, e, 0)), 1, 2);
    case UNITS_NUMBER: return transcendent(c, e);
    case UNITS_RATIO: agree(c, e, 0, "and"); return (Unit){0};
    case UNITS_OPEN: break;
    }
    return open_unit(c, e);
}

static Unit dispatch(Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    switch (expr_op(g, e)) {
    case OP_VAR: return c->units[expr_index(g, e)];

    case OP_ADD: return agree(c, e, 0, "+");
    case OP_MIN:
    case OP_MAX: return agree(c, e, 0, "and");
    case OP_MUL:
    case OP_CROSS: return product(c, e, 1);
    case OP_DIV: return product(c, e, -1);
    case OP_POW: return power(c, e);
    case OP_DER: return unit_product(unit_of(c, expr_arg(g, e, 0)), second, -1);
    case OP_NEG:
    case OP_TO_REAL:
    case OP_PRE:
    case OP_PREVIOUS:
    case OP_HOLD:
    case OP_NOEVENT:
    case OP_SUM:
    case OP_MIN_OF:
    case OP_MAX_OF:
    case OP_TRANSPOSE:
    case OP_SCALAR:
    case OP_VECTOR:
    case OP_MATRIX: return unit_of(c, expr_arg(g, e, 0));
    case OP_INDEX:
    case OP_DELAY:
    case OP_CLOCKED_SAMPLE:
    case OP_FILL: open_unit(c, e); return unit_of(c, expr_arg(g, e, 0));
    case OP_SMOOTH: return unit_of(c, expr_arg(g, e, 1));
    case OP_HOMOTOPY: return agree(c, e, 0, "and");
    case OP_IF: unit_of(c, expr_arg(g, e, 0)); return agree(c, e, 1, "and");
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: agree(c, e, 0, expr_op_text(expr_op(g, e))); return (Unit){0};
    case OP_ARRAY: return common(c, e);
    default: return unit_of_function(c, e);
    }
}

static Unit unit_of(Checker *c, ExprId e)
{
    if (c->depth >= DEEPEST)
        return (Unit){0};
    c->depth++;
    Unit u = dispatch(c, e);
    c->depth--;
    return u;
}

/* ---- equations ---- */

/* A variable whose unit an equation may give; UINT32_MAX if e is not a variable. */
static uint32_t open_variable(const Checker *c, ExprId e)
{
    const Graph *g = c->f->g;
    bool is_var = expr_op(g, e) == OP_VAR && !c->units[expr_index(g, e)].known;
    const FlatVar *v = is_var ? &c->f->vars.at[expr_index(g, e)] : NULL;
    return v && !v->shared->each && !v->shared->traits.unit && !c->conditional &&
                   v->variability > VARIES_PARAMETER && type_element(g->types, v->type) == T_REAL
               ? expr_index(g, e)
               : UINT32_MAX;
}

static void equate(Checker *c, ExprId a, ExprId b, const char *relation)
{
    Unit x = unit_of(c, a), y = unit_of(c, b);
    uint32_t left = open_variable(c, a), right = open_variable(c, b);
    if (x.known && y.known) {
        join(c, a, x, b, y, relation);
    } else if (left != UINT32_MAX && y.known) {
        c->units[left] = y;
        c->changed = true;
    } else if (right != UINT32_MAX && x.known) {
        c->units[right] = x;
        c->changed = true;
    }
}

static Walk check_statement(void *user, const Stmt *s)
{
    Checker *c = user;
    c->span = s->span;
    if ((s->kind == STMT_ASSIGN && expr_op(c->f->g, s->lhs) != OP_TUPLE) || s->kind == STMT_REINIT)
        equate(c, s->lhs, s->rhs, s->kind == STMT_ASSIGN ? ":=" : "=");
    c->conditional++;
    return WALK_ON;
}

static void leave_statement(void *user, const Stmt *s)
{
    (void)s;
    ((Checker *)user)->conditional--;
}

static Walk check_equation(void *user, const FlatEq *eq)
{
    Checker *c = user;
    c->span = eq->span;
    bool both = eq->kind == FLAT_EQUAL && expr_op(c->f->g, eq->lhs) != OP_TUPLE;
    if (both || eq->kind == FLAT_REINIT)
        equate(c, eq->lhs, eq->rhs, "=");
    c->conditional += eq->n_branches > 0;
    return WALK_ON;
}

static void enter_branch(void *user, const FlatEq *eq, const FlatBranch *b)
{
    ((Checker *)user)->span = b->span.file ? b->span : eq->span;
}

static void leave_equation(void *user, const FlatEq *eq)
{
    ((Checker *)user)->conditional -= eq->n_branches > 0;
}

static Walk check_condition(void *user, ExprId e)
{
    unit_of(user, e);
    return WALK_ON;
}

static void check_eqs(Checker *c, const FlatEq *eqs, uint32_t n)
{
    flat_walk(eqs, n,
              &(FlatVisitor){.equation = check_equation,
                             .condition = check_condition,
                             .statement = check_statement,
                             .branch = enter_branch,
                             .leave = leave_equation,
                             .leave_statement = leave_statement},
              c);
}

/* The value of a parameter, or a start value: compared as a whole. */
static void check_value(Checker *c, ExprId var, ExprId value)
{
    c->binding = true;
    Unit x = unit_of(c, var), y = unit_of(c, value);
    c->binding = false;
    if (x.known && y.known)
        join(c, var, x, value, y, "=");
}

static void check_vars(Checker *c)
{
    for (uint32_t i = 0; i < c->f->vars.n; i++) {
        const FlatVar *v = &c->f->vars.at[i];
        const ExprId values[] = {v->binding, v->start, v->min, v->max, v->nominal};
        if (type_element(c->f->g->types, v->type) != T_REAL)
            continue;
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            c->span = k == 0 && v->shared->binding_span.file ? v->shared->binding_span : v->span;
            if (values[k])
                check_value(c, expr_leaf(c->f->g, OP_VAR, v->type, i), values[k]);
        }
    }
}

static void read_units(Checker *c)
{
    for (uint32_t i = 0; i < c->f->vars.n; i++) {
        const FlatVar *v = &c->f->vars.at[i];
        if (v->shared->each || !v->shared->traits.unit ||
            unit_parse(v->shared->traits.unit, &c->units[i]) != UNIT_MALFORMED)
            continue;
        c->span = v->span;
        c->report = true;
        if (is_new(c)) {
            diag(c->ctx, v->span, DIAG_F041, "'%s' is not a unit", v->shared->traits.unit);
            diag_note(c->ctx, (Span){0},
                      "Modelica 3.6, section 19.1: factors separated by dots, one '/', exponents "
                      "as numbers: "
                      "\"J/(kg.K)\", \"m/s2\"");
        }
        c->report = false;
    }
}

void flat_check_units(Context *ctx, const Flat *f)
{
    Checker c = {.ctx = ctx, .f = f, .arena = arena_new()};
    c.units = ARENA_ARRAY(c.arena, Unit, f->vars.n + 1);
    read_units(&c);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        c.changed = false;
        check_eqs(&c, f->eqs.at, f->eqs.n);
        if (!c.changed)
            break;
    }
    c.report = true;
    check_vars(&c);
    check_eqs(&c, f->eqs.at, f->eqs.n);
    map_free(&c.reported);
    arena_free(c.arena);
}

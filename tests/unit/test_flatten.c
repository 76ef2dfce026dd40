/* The flatten phase: units, connection sets, clocked partitions, on small cases worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "flatten/flat/flat_walk.h"
#include "flatten/units/unit.h"
#include "from_text.h"

#include <math.h>

/* ---- units ---- */

static Unit unit(const char *text)
{
    Unit u;
    assert_int_equal(unit_parse(text, &u), UNIT_GOOD);
    return u;
}

/* Powers of m, kg, s, A, K, mol, cd and the factor before them. */
static void check_unit(const char *text, double factor, const int *powers)
{
    Unit u = unit(text);
    for (int i = 0; i < UNIT_BASES; i++)
        assert_int_equal(u.of[i], UNIT_PARTS * powers[i]);
    assert_true(fabs(u.factor / factor - 1) < 1e-14);
}

static void units_are_powers_of_base_units(void **state)
{
    (void)state;
    check_unit("N", 1, (int[]){1, 1, -2, 0, 0, 0, 0});
    check_unit("Ohm", 1, (int[]){2, 1, -3, -2, 0, 0, 0});
    check_unit("J/(kg.K)", 1, (int[]){2, 0, -2, 0, -1, 0, 0});
    check_unit("kW.h", 3.6e6, (int[]){2, 1, -2, 0, 0, 0, 0});
    check_unit("km/h", 1000.0 / 3600, (int[]){1, 0, -1, 0, 0, 0, 0});
    check_unit("m-2.s3", 1, (int[]){-2, 0, 3, 0, 0, 0, 0});
    check_unit("(m/s)/(m/s2)", 1, (int[]){0, 0, 1, 0, 0, 0, 0});
}

/* A symbol comes before a prefix with a shorter symbol. */
static void prefixes_do_not_hide_symbols(void **state)
{
    (void)state;
    check_unit("min", 60, (int[]){0, 0, 1, 0, 0, 0, 0}); /* no milli-inch */
    check_unit("mmol", 1e-3, (int[]){0, 0, 0, 0, 0, 1, 0});
    check_unit("Pa", 1, (int[]){-1, 1, -2, 0, 0, 0, 0}); /* no peta-year */
    check_unit("dam", 10, (int[]){1, 0, 0, 0, 0, 0, 0});
    check_unit("dm3", 1e-3, (int[]){3, 0, 0, 0, 0, 0, 0}); /* the power includes the prefix */
    check_unit("kg", 1, (int[]){0, 1, 0, 0, 0, 0, 0});
    check_unit("mg", 1e-6, (int[]){0, 1, 0, 0, 0, 0, 0});
}

static void units_that_are_none(void **state)
{
    (void)state;
    static const char *const malformed[] = {"m//s", "kg.", "(m", "m)", "m2.5", "/s", "m-", ".m"};
    static const char *const open[] = {"", "1", "degC", "furlong", "furlong/s"};
    Unit u;
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        assert_int_equal(unit_parse(malformed[i], &u), UNIT_MALFORMED);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_int_equal(unit_parse(open[i], &u), UNIT_OPEN);
        assert_true(unit_same(u, unit("kg"))); /* fits everything */
    }
}

static void units_multiply(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Unit square = unit_product(unit("mm"), unit("mm"), 1);
    assert_true(fabs(square.factor / 1e-6 - 1) < 1e-14);
    assert_true(unit_same(unit_power(square, 1, 2), unit("mm")));
    assert_true(unit_same(unit_product(unit("J"), unit("W"), -1), unit("s")));
    assert_true(unit_same(unit_product(unit("V"), unit("A"), 1), unit("W")));
    assert_true(unit_same_dimension(unit("kW"), unit("J/s")));
    assert_false(unit_same(unit("kW"), unit("J/s")));
    assert_string_equal(unit_print(unit("W"), arena), "kg.m2/s3");
    assert_string_equal(unit_print(unit("W/(m2.K4)"), arena), "kg/(K4.s3)");
    assert_string_equal(unit_print(unit_power(unit("m"), 1, 2), arena), "m^(6/12)");
    assert_string_equal(unit_print(unit_product(unit_one, unit("ms"), -1), arena), "1000 1/s");
    /* an exponent of 1/5 is not a multiple of 1/12 */
    assert_false(unit_power(unit("m"), 1, 5).known);
    assert_false(unit_product(unit("m"), (Unit){0}, 1).known);
    arena_free(arena);
}

/* ---- connections ---- */

#define PINS                                                                                       \
    "connector Pin Real v; flow Real i; end Pin;\n"                                                \
    "model Two Pin p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end Two;\n"

static uint32_t count(const FromText *w, FlatOrigin origin)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->flat->eqs.n; i++)
        n += w->flat->eqs.at[i].origin == origin;
    return n;
}

static void check_prints(const FromText *w, const char *equation)
{
    const char *text = flat_print(w->flat, w->arena);
    if (!strstr(text, equation))
        fail_msg("%s is missing in\n%s", equation, text);
}

/* A star of three, joined by two connections: 3 - 1 equalities and one sum of three flows. Three
 * ends are left, whose flows are zero. */
static void connection_sets_join(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, PINS "model M Two a, b, c;\n"
                          "equation connect(a.n, b.p); connect(c.p, b.p); end M;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    assert_int_equal(count(&w, ORIGIN_CONNECTION), 2);
    assert_int_equal(count(&w, ORIGIN_FLOW_SUM), 4);
    check_prints(&w, "'a.n.i' + 'b.p.i' + 'c.p.i' = 0.0;");
    check_prints(&w, "'a.p.i' = 0.0;");
    check_prints(&w, "'b.n.i' = 0.0;");
    check_prints(&w, "'c.n.i' = 0.0;");
    text_end(&w);
}

/* A connection that repeats others adds nothing to the set. */
static void connections_may_close_a_ring(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, PINS "model M Two a, b, c; equation connect(a.n, b.p); connect(b.p, c.p);\n"
                          "connect(c.p, a.n); connect(a.n, b.p); end M;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    assert_int_equal(count(&w, ORIGIN_CONNECTION), 2);
    assert_int_equal(count(&w, ORIGIN_FLOW_SUM), 4);
    text_end(&w);
}

/* Seen from inside, the connector of a component counts with the opposite sign; its flow is in two
 * sums. */
static void outside_connectors_change_sign(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, PINS "model Box Pin e; Two a, b; equation connect(e, a.p); connect(e, b.p);\n"
                          "connect(a.n, b.n); end Box;\n"
                          "model M Box x; Two g; equation connect(x.e, g.p); end M;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    check_prints(&w, "'x.a.p.i' + 'x.b.p.i' - 'x.e.i' = 0.0;");
    check_prints(&w, "'g.p.i' + 'x.e.i' = 0.0;");
    check_prints(&w, "'x.a.n.i' + 'x.b.n.i' = 0.0;");
    check_prints(&w, "'g.n.i' = 0.0;");
    assert_int_equal(count(&w, ORIGIN_FLOW_SUM), 4);
    /* sets {x.e, g.p, x.a.p, x.b.p} and {x.a.n, x.b.n} */
    assert_int_equal(count(&w, ORIGIN_CONNECTION), 3 + 1);
    text_end(&w);
}

static void arrays_of_connectors_join_by_element(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, PINS "model M Two a[3], b[3]; equation connect(a.n, b.p);\n"
                          "for i in 1:2 loop connect(b[i].n, a[i + 1].p); end for; end M;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    /* three pairs and two of the loop; a[1].p and b[3].n are free */
    assert_int_equal(count(&w, ORIGIN_CONNECTION), 5);
    assert_int_equal(count(&w, ORIGIN_FLOW_SUM), 7);
    check_prints(&w, "'a[3].n.i' + 'b[3].p.i' = 0.0;");
    text_end(&w);
}

/* ---- clocks ---- */

/* The clock of the partition that defines a variable. */
static const FlatClock *clock_of(const FromText *w, const char *variable)
{
    for (uint32_t i = 0; i < w->flat->eqs.n; i++) {
        const FlatEq *eq = &w->flat->eqs.at[i];
        if (eq->partition && expr_op(w->g, eq->lhs) == OP_VAR &&
            !strcmp(flat_var_name(w->flat, expr_index(w->g, eq->lhs), w->arena), variable))
            return &w->flat->clocks.at[eq->partition - 1];
    }
    fail_msg("%s has no clock", variable);
    return NULL;
}

/* Interval and first tick in intervals of the base clock. */
static void check_clock(const FromText *w, const char *variable, FlatRatio factor, FlatRatio shift)
{
    const FlatClock *c = clock_of(w, variable);
    assert_int_equal(c->factor.num, factor.num);
    assert_int_equal(c->factor.den, factor.den);
    assert_int_equal(c->shift.num, shift.num);
    assert_int_equal(c->shift.den, shift.den);
}

/* y ticks every T = 1/10 s. z: every 3 T. w: half an interval of z later. q: four times as often as
 * y. b: a third of an interval of w, which is T, earlier than w. The last one has its own clock. */
static void clocks_are_inferred(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, "model C\n"
                     "  Real u = time, y = sample(u, Clock(1, 10)), z = subSample(y, 3);\n"
                     "  Real w = shiftSample(z, 1, 2), q = superSample(y, 4);\n"
                     "  Real b = backSample(w, 1, 3), other = sample(u, Clock(0.25));\n"
                     "end C;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    assert_int_equal(w.flat->clocks.n, 6);
    check_clock(&w, "y", (FlatRatio){1, 1}, (FlatRatio){0, 1});
    check_clock(&w, "z", (FlatRatio){3, 1}, (FlatRatio){0, 1});
    check_clock(&w, "w", (FlatRatio){3, 1}, (FlatRatio){3, 2});
    check_clock(&w, "q", (FlatRatio){1, 4}, (FlatRatio){0, 1});
    check_clock(&w, "b", (FlatRatio){3, 1}, (FlatRatio){1, 2});
    check_clock(&w, "other", (FlatRatio){1, 1}, (FlatRatio){0, 1});
    assert_int_equal(clock_of(&w, "y")->kind, FLAT_CLOCK_RATIONAL);
    assert_int_equal(clock_of(&w, "y")->period.num, 1);
    assert_int_equal(clock_of(&w, "y")->period.den, 10);
    assert_int_equal(clock_of(&w, "other")->kind, FLAT_CLOCK_INTERVAL);
    assert_int_equal(clock_of(&w, "q")->base, clock_of(&w, "b")->base);
    assert_int_not_equal(clock_of(&w, "q")->base, clock_of(&w, "other")->base);
    text_end(&w);
}

/* A clock comes from the variables that an equation joins, against the direction of the signal. */
static void clocks_go_backwards(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, "model C\n"
                     "  Real x = previous(x) + 1, fast = superSample(x, 2);\n"
                     "  Real y = sample(time, Clock(1, 100)) + fast;\n"
                     "  parameter Real p = 1;\n"
                     "end C;\n");
    assert_int_equal(w.ctx->n_errors, 0);
    check_clock(&w, "fast", (FlatRatio){1, 1}, (FlatRatio){0, 1});
    check_clock(&w, "x", (FlatRatio){2, 1}, (FlatRatio){0, 1});
    assert_ptr_equal(clock_of(&w, "fast"), clock_of(&w, "y"));
    text_end(&w);
}

static void clocks_that_differ_are_told(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, "model C\n"
                     "  Real y = sample(time, Clock(1, 10)) + sample(time, Clock(1, 20));\n"
                     "end C;\n");
    assert_int_equal(w.ctx->n_errors, 1);
    text_end(&w);
}

/* ---- walkers ---- */

typedef struct Counts {
    unsigned equations, inside, deepest, statements, branches;
} Counts;

static Walk count_equation(void *user, const FlatEq *eq)
{
    Counts *c = user;
    c->equations++;
    c->inside += eq->n_branches > 0;
    c->deepest = c->inside > c->deepest ? c->inside : c->deepest;
    return WALK_ON;
}

static void leave_equation(void *user, const FlatEq *eq)
{
    ((Counts *)user)->inside -= eq->n_branches > 0;
}

static void count_branch(void *user, const FlatEq *eq, const FlatBranch *b)
{
    (void)eq, (void)b;
    ((Counts *)user)->branches++;
}

static Walk count_statement(void *user, const Stmt *s)
{
    ((Counts *)user)->statements++;
    return s->kind == STMT_IF ? WALK_PAST : WALK_ON;
}

static const FlatVisitor counter = {.equation = count_equation,
                                    .statement = count_statement,
                                    .branch = count_branch,
                                    .leave = leave_equation};

static ExprId negate(void *user, ExprId e)
{
    return expr_neg(user, e);
}

/* A copy has the same form and expressions of its own. */
static void walks_and_copies(void **state)
{
    (void)state;
    FromText w;
    flatten_text(&w, "model M Real x, y, z; Boolean b = time > 1; equation "
                     "if b then x = 1; else if time > 2 then x = 2; else x = 3; end if; end if; "
                     "z = x; algorithm y := 1; if b then y := 2; y := 3; end if; y := 4; end M;");
    Counts c = {0}, copied = {0};
    assert_true(flat_walk(w.flat->eqs.at, w.flat->eqs.n, &counter, &c));
    assert_int_equal(c.equations, 4 + 2 + 2); /* b, if, z, algorithm; x, if; x, x */
    assert_int_equal(c.branches, 4);
    assert_int_equal(c.deepest, 2);
    assert_int_equal(c.inside, 0);
    assert_int_equal(c.statements, 3);
    for (uint32_t i = 0; i < w.flat->eqs.n; i++) {
        const FlatEq *eq = &w.flat->eqs.at[i];
        FlatEq copy = flat_map(w.arena, eq, negate, w.g);
        flat_walk(&copy, 1, &counter, &copied);
        if (eq->lhs)
            assert_int_equal(copy.lhs, expr_neg(w.g, eq->lhs));
        if (eq->n_branches)
            assert_ptr_not_equal(copy.branches[0].body, eq->branches[0].body);
    }
    assert_memory_equal(&copied, &c, sizeof c);
    text_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_and_copies),
        cmocka_unit_test(units_are_powers_of_base_units),
        cmocka_unit_test(prefixes_do_not_hide_symbols),
        cmocka_unit_test(units_that_are_none),
        cmocka_unit_test(units_multiply),
        cmocka_unit_test(connection_sets_join),
        cmocka_unit_test(connections_may_close_a_ring),
        cmocka_unit_test(outside_connectors_change_sign),
        cmocka_unit_test(arrays_of_connectors_join_by_element),
        cmocka_unit_test(clocks_are_inferred),
        cmocka_unit_test(clocks_go_backwards),
        cmocka_unit_test(clocks_that_differ_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tearing of small loops: how many unknowns are iterated, which ones, and what remains as residual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile_text.h"

/* The only torn block of the main sequence. */
static const PlanBlock *torn_block(const Plan *p)
{
    const PlanBlock *found = NULL;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *b = &p->blocks.at[p->main.block + i];
        if (b->kind == BLOCK_EXPLICIT)
            continue;
        assert_null(found);
        found = b;
    }
    assert_non_null(found);
    return found;
}

static uint32_t line_of(const Compiled *w, EqId e)
{
    return source_place(w->c.ctx->sources, w->c.plan->dae->eqs.at[e].span).line;
}

/* A block of n unknowns with this one tearing variable, whose residual is the equation in a line.
 */
static void check_one(const char *text, uint32_t n, const char *name, uint32_t line)
{
    Compiled w;
    const Plan *p = plan_text(&w, text);
    const PlanBlock *b = torn_block(p);
    assert_int_equal(b->n_torn, 1);
    assert_int_equal(b->n_steps, n - 1);
    assert_string_equal(name_in_plan(&w, p->torn.at[b->torn].var), name);
    assert_int_equal(line_of(&w, p->torn.at[b->torn].eq), line);
    compiled_end(&w);
}

/* No equation can be solved for x. From x follows y by line 4, and line 5 is left. */
static void test_unsolvable_is_torn(void **state)
{
    (void)state;
    check_one("model M\n"
              "  Real y(start = 1), x;\n"
              "equation\n"
              "  y = x^3 + x;\n"
              "  y^2 + sin(x)*x = 5;\n"
              "end M;\n",
              2, "x", 5);
}

/* From h follow a, b and c; from each of them nothing follows, because no power has one inverse.
 * h is in the last place of the declaration. */
static void test_most_followers(void **state)
{
    (void)state;
    check_one("model M\n"
              "  Real a, b, c, h;\n"
              "equation\n"
              "  a = h^2;\n"
              "  b = h^4 + 1;\n"
              "  c = h^2*cos(h);\n"
              "  h = 10 - a*b*c;\n"
              "end M;\n",
              4, "h", 7);
}

/* x + y = 3 gives each of them from the other, x*y = 2 neither: its coefficients vary. Of two
 * unknowns that serve equally, the one with a start value is torn. */
static void test_start_value_decides(void **state)
{
    (void)state;
    check_one("model M\n"
              "  Real x(start = 1), y;\n"
              "equation\n"
              "  x + y = 3;\n"
              "  x*y = 2;\n"
              "end M;\n",
              2, "x", 5);
    check_one("model M\n"
              "  Real x, y(start = 2);\n"
              "equation\n"
              "  x + y = 3;\n"
              "  x*y = 2;\n"
              "end M;\n",
              2, "y", 5);
}

/* The same with a coefficient of x: a parameter other than zero may be divided by, a state may not,
 * since it may pass zero. Then only y follows, for any start values. */
static void test_safe_divisors(void **state)
{
    (void)state;
    check_one("model M\n"
              "  parameter Real s = 2;\n"
              "  Real x, y(start = 2);\n"
              "equation\n"
              "  s*x + y = 3;\n"
              "  x*y = 2;\n"
              "end M;\n",
              2, "y", 6);
    check_one("model M\n"
              "  Real s(start = 2, fixed = true), x, y(start = 2);\n"
              "equation\n"
              "  s*x + y = 3;\n"
              "  x*y = 2;\n"
              "  der(s) = -1;\n"
              "end M;\n",
              2, "x", 5);
}

/* Two loops, joined by line 6: from a follows b (line 4), then c (line 6), then d (line 5), and
 * line 7 is left. From b follow only c and d. */
static void test_common_unknown(void **state)
{
    (void)state;
    check_one("model M\n"
              "  Real a(start = 1), b, c, d;\n"
              "equation\n"
              "  b = a^2 + a;\n"
              "  d = c^2 + c;\n"
              "  c + b = 4;\n"
              "  a^3 + d^3 = 2;\n"
              "end M;\n",
              4, "a", 7);
}

/* Each equation is linear in each of its unknowns, with a coefficient that varies. Nothing can be
 * solved: all three are iterated. */
static void test_nothing_follows(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real a, b, c;\n"
                                  "equation\n"
                                  "  a*b = 2;\n"
                                  "  b*c = 3;\n"
                                  "  c*a = 6;\n"
                                  "end M;\n");
    const PlanBlock *b = torn_block(p);
    assert_int_equal(b->n_torn, 3);
    assert_int_equal(b->n_steps, 0);
    compiled_end(&w);
}

/* y is torn, x[1] = factor*y, x[i + 1] = factor*x[i]: the growth of x[i] is factor^i, where a
 * factor counts ten at most. Beyond 1e6 an unknown is torn: with ten or more this is x[7], with one
 * none.
 */
static void check_chain(uint32_t n, double factor, uint32_t n_torn)
{
    Compiled w;
    char text[400];
    snprintf(text, sizeof text,
             "model M\n"
             "  Real y(start = 1), x[%u];\n"
             "equation\n"
             "  x[1] = %g*y + time;\n"
             "  for i in 2:%u loop\n"
             "    x[i] = %g*x[i - 1] + time;\n"
             "  end for;\n"
             "  y^3 + y = cos(x[%u]);\n"
             "end M;\n",
             n, factor, n, factor, n);
    const Plan *p = plan_text(&w, text);
    const PlanBlock *b = torn_block(p);
    assert_int_equal(b->n_torn, n_torn);
    assert_int_equal(b->n_steps, n + 1 - n_torn);
    assert_string_equal(name_in_plan(&w, p->torn.at[b->torn].var), "y");
    if (n_torn > 1)
        assert_string_equal(name_in_plan(&w, p->torn.at[b->torn + 1].var), "x[7]");
    compiled_end(&w);
}

static void test_growth(void **state)
{
    (void)state;
    check_chain(6, 10, 1);
    check_chain(7, 10, 2);
    check_chain(6, 1000, 1);
    check_chain(7, 1000, 2);
    check_chain(40, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unsolvable_is_torn),
        cmocka_unit_test(test_most_followers),
        cmocka_unit_test(test_start_value_decides),
        cmocka_unit_test(test_safe_divisors),
        cmocka_unit_test(test_common_unknown),
        cmocka_unit_test(test_nothing_follows),
        cmocka_unit_test(test_growth),
    };
    return cmocka_run_group_tests_name("tearing", tests, NULL, NULL);
}

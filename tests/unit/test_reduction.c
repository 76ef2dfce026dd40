/* Index reduction: which equations are differentiated, how often, and what follows from that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile_text.h"

/* How often the equations of a line were differentiated, taken together. */
static uint32_t times(const Compiled *w, uint32_t line)
{
    const Plan *p = w->c.plan;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->differentiated.n; i++)
        n += source_place(w->c.ctx->sources, p->dae->eqs.at[p->differentiated.at[i]].span).line ==
             line;
    return n;
}

/* The value of a variable at this time, all states being zero; all blocks are explicit. */
static double value_of(Compiled *w, const char *name, double time)
{
    const Plan *p = w->c.plan;
    double *v = ARENA_ARRAY(w->text.arena, double, p->dae->vars.n), x = NAN;
    for (VarId i = 0; i < p->dae->vars.n; i++)
        v[i] = p->dae->vars.at[i].kind == DAE_PARAMETER ? p->dae->vars.at[i].value : 0;
    v[0] = time;
    for (uint32_t b = p->main.block; b < p->main.block + p->main.n_blocks; b++) {
        const PlanStep *s = &p->steps.at[p->blocks.at[b].step];
        Term t = p->dae->eqs.at[s->eq].term;
        t.shape = s->value != EXPR_NONE ? s->value : t.shape;
        assert_int_equal(p->blocks.at[b].kind, BLOCK_EXPLICIT);
        assert_int_equal(dae_eval(p->dae, t, v, &v[s->var]), EVAL_OK);
        if (!strcmp(name_in_plan(w, s->var), name))
            x = v[s->var];
    }
    return x;
}

/* Every derivative has an equation of its own: index 1, even if other equations are
 * simultaneous. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real x, y, z;\n"
                                  "equation\n"
                                  "  der(x) + der(y) = z;\n"
                                  "  der(x) - der(y) = x;\n"
                                  "  z^3 + z = x*y;\n"
                                  "end M;\n");
    assert_int_equal(p->differentiated.n, 0);
    assert_int_equal(p->states.n, 2);
    compiled_end(&w);
}

/* x = sin(t), y = 2 x', z = 3 y': z needs x''. Line 4 is differentiated twice, line 5 once, and no
 * state is left: y = 2 cos(t), z = -6 sin(t). Line 7 has nothing to do with it. */
static void test_differentiators(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real x, y, z, u;\n"
                                  "equation\n"
                                  "  x = sin(time);\n"
                                  "  y = 2*der(x);\n"
                                  "  z = 3*der(y);\n"
                                  "  u = exp(time);\n"
                                  "end M;\n");
    assert_int_equal(times(&w, 4), 2);
    assert_int_equal(times(&w, 5), 1);
    assert_int_equal(p->differentiated.n, 3);
    assert_int_equal(p->states.n, 0);
    check_near(value_of(&w, "y", 0.7), 2 * cos(0.7), 1e-14);
    check_near(value_of(&w, "z", 0.7), -6 * sin(0.7), 1e-14);
    compiled_end(&w);
}

/* The pendulum in Cartesian coordinates, with velocities that are twice the derivatives, so that
 * they are not aliases of them. The highest derivatives are x', y', u', v' and f. Line 8 has none
 * of them. Differentiated, it has x' and y', which lines 4 and 5 determine already. With all three
 * differentiated, there are x'' and y'' besides u' and v', and five equations for five unknowns. So
 * line 8 is differentiated twice, lines 4 and 5 once (Pantelides 1988), lines 6 and 7 never. Of
 * four variables with derivatives, two are left as states. */
static void test_pendulum(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real x(start = 1), y, u, v, f;\n"
                                  "equation\n"
                                  "  2*der(x) = u;\n"
                                  "  2*der(y) = v;\n"
                                  "  der(u) = -f*x;\n"
                                  "  der(v) = -f*y - 10;\n"
                                  "  x^2 + y^2 = 1;\n"
                                  "end M;\n");
    const uint32_t expected[] = {1, 1, 0, 0, 2};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(times(&w, 4 + i), expected[i]);
    assert_int_equal(p->differentiated.n, 4);
    assert_int_equal(p->states.n, 2);
    compiled_end(&w);
}

/* The highest derivatives are a', b', c' and f. Line 7 has none of them; its derivative has a' and
 * b', and then there are four equations for four unknowns. Nothing else is differentiated. Of a and
 * b one stays a state, and so does c. */
static void test_only_what_is_needed(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real a, b(start = 1), c, f;\n"
                                  "equation\n"
                                  "  der(a) = f + c;\n"
                                  "  der(b) = -f;\n"
                                  "  der(c) = sin(time) - c;\n"
                                  "  a = b^2;\n"
                                  "end M;\n");
    assert_int_equal(p->differentiated.n, 1);
    assert_int_equal(times(&w, 7), 1);
    assert_int_equal(p->states.n, 2);
    compiled_end(&w);
}

/* Line 5 less line 4 is x = sin(t), a constraint that no count of unknowns shows. With it x' =
 * cos(t), and y' = 1 - cos(t); y is the only state. The same if the coefficients are parameters of
 * equal value. */
static void test_hidden_constraint(void **state)
{
    (void)state;
    static const char *const text[] = {"model M\n"
                                       "  Real x, y;\n"
                                       "equation\n"
                                       "  der(x) + der(y) = 1;\n"
                                       "  der(x) + der(y) + x = 1 + sin(time);\n"
                                       "end M;\n",
                                       "model M\n"
                                       "  parameter Real p = 3, q = 3; Real x, y;\n"
                                       "equation\n"
                                       "  p*der(x) + p*der(y) = 3;\n"
                                       "  q*der(x) + q*der(y) + x = 3 + sin(time);\n"
                                       "end M;\n"};
    for (int i = 0; i < 2; i++) {
        Compiled w;
        const Plan *p = plan_text(&w, text[i]);
        assert_int_equal(p->states.n, 1);
        assert_string_equal(name_in_plan(&w, p->states.at[0].var), "y");
        check_near(value_of(&w, "x", 0.3), sin(0.3), 1e-14);
        check_near(value_of(&w, "der(y)", 0.3), 1 - cos(0.3), 1e-14);
        compiled_end(&w);
    }
}

/* Two equations for x, none for y. Differentiation would never end; this is an error. */
static void test_never_ends(void **state)
{
    (void)state;
    Compiled w;
    assert_false(compile_text(&w,
                              "model M\n"
                              "  Real x, y;\n"
                              "equation\n"
                              "  der(x) = 1;\n"
                              "  x^2 = 2 + time;\n"
                              "end M;\n",
                              PHASE_STRUCTURE));
    assert_int_equal(w.c.ctx->diags.at[0]->code, DIAG_T001);
    compiled_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_do),     cmocka_unit_test(test_differentiators),
        cmocka_unit_test(test_pendulum),          cmocka_unit_test(test_only_what_is_needed),
        cmocka_unit_test(test_hidden_constraint), cmocka_unit_test(test_never_ends),
    };
    return cmocka_run_group_tests_name("reduction", tests, NULL, NULL);
}

/* State selection: which of the variables that constraints relate become states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile_text.h"

/* Names of the states, in the order of the plan, with a space between them. */
static const char *states(Compiled *w)
{
    const Plan *p = w->c.plan;
    const char *all = "";
    for (uint32_t i = 0; i < p->states.n; i++)
        all = arena_printf(w->text.arena, "%s%s%s", all, i ? " " : "",
                           name_in_plan(w, p->states.at[i].var));
    return all;
}

static void check_states(const char *text, const char *expected)
{
    Compiled w;
    const Plan *p = plan_text(&w, text);
    assert_string_equal(states(&w), expected);
    assert_int_equal(p->sets.n, 0);
    compiled_end(&w);
}

/* a' = f, b' = -f and a + 2 b = 3: one of a and b is the state, and each would do. */
static void check_pair(const char *a, const char *b, const char *expected)
{
    char text[500];
    snprintf(text, sizeof text,
             "model M\n"
             "  Real a%s, b%s, f;\n"
             "equation\n"
             "  der(a) = f + time;\n"
             "  der(b) = -f;\n"
             "  a + 2*b = 3;\n"
             "end M;\n",
             a, b);
    check_states(text, expected);
}

/* First stateSelect, then a fixed start value, then a given one, then the declaration. */
static void test_order_of_preference(void **state)
{
    (void)state;
    check_pair("", "", "a");
    check_pair("", "(start = 1)", "b");
    check_pair("(start = 1)", "(start = 1)", "a");
    check_pair("(start = 1)", "(start = 1, fixed = true)", "b");
    check_pair("(start = 1)", "(fixed = true)", "b");
    check_pair("(stateSelect = StateSelect.avoid)", "", "b");
    check_pair("(start = 1, fixed = true)", "(stateSelect = StateSelect.prefer)", "b");
    check_pair("(start = 1, fixed = true, stateSelect = StateSelect.avoid)", "", "b");
    check_pair("(stateSelect = StateSelect.never)", "(stateSelect = StateSelect.avoid)", "b");
    check_pair("(stateSelect = StateSelect.prefer)", "(stateSelect = StateSelect.always)", "b");
}

/* One of two variables must be the state, although both have `never`. One is chosen, with a
 * warning. */
static void test_never(void **state)
{
    (void)state;
    Compiled w;
    plan_text(&w,
              "model M\n"
              "  Real a(stateSelect = StateSelect.never), b(stateSelect = StateSelect.never), f;\n"
              "equation\n"
              "  der(a) = f + time;\n"
              "  der(b) = -f;\n"
              "  a + 2*b = 3;\n"
              "end M;\n");
    assert_string_equal(states(&w), "a");
    assert_int_equal(w.c.ctx->diags.n, 1);
    assert_int_equal(w.c.ctx->diags.at[0]->code, DIAG_T101);
    compiled_end(&w);
}

/* Constraints a + b + c = 1 and a + b - 2 c = sin(t). As dummies, a and b have the columns (1, 1)
 * and (1, 1), which is singular, so c is not a state even if it is preferred. The columns of b and
 * c have the determinant 1*(-2) - 1*1 = -3, and so have those of a and c: a or b is the state. */
static void test_regular_choice(void **state)
{
    (void)state;
    static const char *const text = "model M\n"
                                    "  Real a, b%s, c(stateSelect = StateSelect.prefer), f, g, h;\n"
                                    "equation\n"
                                    "  der(a) = f + h;\n"
                                    "  der(b) = g;\n"
                                    "  der(c) = 2*f + g;\n"
                                    "  a + b + c = 1;\n"
                                    "  a + b - 2*c = sin(time);\n"
                                    "  h = 1 + c;\n"
                                    "end M;\n";
    char full[500];
    snprintf(full, sizeof full, text, "");
    check_states(full, "a");
    snprintf(full, sizeof full, text, "(start = 1)");
    check_states(full, "b");
}

/* Index 3: two masses and a lever, x = 2 y + 1. The constraint is differentiated twice, so two
 * derivatives of x or of y become dummies, and the other is the state of the position. Lines 4 and
 * 5 are differentiated once. They determine two of its derivative, u and v. The third is the state
 * of the velocity: u, the first variable of the model, unless the position is preferred. Then its
 * derivative is preferred like it. */
static void test_levels(void **state)
{
    (void)state;
    static const char *const text = "model M\n"
                                    "  Real x%s, y%s, u, v, f;\n"
                                    "equation\n"
                                    "  3*der(x) = u;\n"
                                    "  3*der(y) = v;\n"
                                    "  der(u) = f - x;\n"
                                    "  der(v) = -2*f;\n"
                                    "  x = 2*y + 1;\n"
                                    "end M;\n";
    static const struct Case {
        const char *x, *y, *expected;
    } cases[] = {{"", "", "x u"},
                 {"", "(stateSelect = StateSelect.prefer)", "y der(y)"},
                 {"(stateSelect = StateSelect.avoid)", "", "y u"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char full[500];
        snprintf(full, sizeof full, text, cases[i].x, cases[i].y);
        check_states(full, cases[i].expected);
    }
}

/* x^2 + y = 1 at its derivative: 2 x x' + y' = 0. The coefficient of y' is 1 for ever, that of x'
 * may become zero. So x is the state, for any start value of y. If y is preferred, the choice is
 * made by value; if it must be the state, there is none. */
static void test_constant_coefficient(void **state)
{
    (void)state;
    static const char *const text = "model M\n"
                                    "  Real y%s, x, f;\n"
                                    "equation\n"
                                    "  der(x) = f + time;\n"
                                    "  der(y) = -f;\n"
                                    "  x^2 + y = 1;\n"
                                    "end M;\n";
    char full[500];
    snprintf(full, sizeof full, text, "");
    check_states(full, "x");
    snprintf(full, sizeof full, text, "(start = 0.5, fixed = true)");
    check_states(full, "x");
    snprintf(full, sizeof full, text, "(start = 0.5, stateSelect = StateSelect.always)");
    check_states(full, "y");
    snprintf(full, sizeof full, text, "(start = 0.5, stateSelect = StateSelect.prefer)");
    Compiled w;
    const Plan *p = plan_text(&w, full);
    assert_int_equal(p->sets.n, 1);
    assert_int_equal(p->sets.at[0].n_cols, 2);
    assert_int_equal(p->sets.at[0].n_rows, 1);
    compiled_end(&w);
}

/* Two constraints without a common variable: a set for the circle, a state for the line. */
static void test_groups(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real x(start = 1), y, a, b, f, g;\n"
                                  "equation\n"
                                  "  der(x) = f*x;\n"
                                  "  der(y) = f*y + 1;\n"
                                  "  der(a) = g + x;\n"
                                  "  der(b) = -g;\n"
                                  "  x^2 + y^2 = 1;\n"
                                  "  a + 2*b = 3;\n"
                                  "end M;\n");
    assert_int_equal(p->sets.n, 1);
    assert_int_equal(p->sets.at[0].n_cols, 2);
    assert_string_equal(name_in_plan(&w, p->sets.at[0].cols[0]), "x");
    assert_string_equal(name_in_plan(&w, p->sets.at[0].cols[1]), "y");
    assert_int_equal(p->states.n, 2); /* a, and the slot of the set */
    assert_string_equal(name_in_plan(&w, p->states.at[0].var), "a");
    compiled_end(&w);
}

/* The energy is differentiated, the temperature is preferred: line 5 is differentiated for it. */
static void test_preferred_gets_derivative(void **state)
{
    (void)state;
    Compiled w;
    const Plan *p = plan_text(&w, "model M\n"
                                  "  Real E, T(stateSelect = StateSelect.prefer);\n"
                                  "equation\n"
                                  "  der(E) = 1 - T;\n"
                                  "  E = 5*T + T^3;\n"
                                  "end M;\n");
    assert_string_equal(states(&w), "T");
    assert_int_equal(p->differentiated.n, 1);
    compiled_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_preference),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_regular_choice),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_constant_coefficient),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_preferred_gets_derivative),
    };
    return cmocka_run_group_tests_name("selection", tests, NULL, NULL);
}

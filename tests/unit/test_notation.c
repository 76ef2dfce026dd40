/* The older notations: words, expressions, equations solved for new values, and small texts whose
 * Modelica form is worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "notation/notation.h"
#include "notation/reader/reader.h"

#include <string.h>

static const char *const reserved[] = {"if", "then", "else", "and", "or", "not", "end", NULL};
static const char *const symbols[] = {"<=", ">=", "<>", "**", "(", ")", "[", "]", ",", ":",
                                      ".",  "=",  "+",  "-",  "*", "/", "<", ">", NULL};
static const Style style = {.name = "Test",
                            .lines = true,
                            .comment_open = "{",
                            .comment_close = "}",
                            .comment_line = "!",
                            .reserved = reserved,
                            .symbols = symbols};

typedef struct World {
    Context *ctx;
    Arena *arena;
    Reader r;
} World;

static void begin(World *w, const char *text)
{
    w->ctx = context_new();
    w->arena = arena_new();
    reader_init(&w->r, w->ctx, sources_add(w->ctx->sources, "t.dym", text, strlen(text)), &style,
                w->arena);
}

static void end(World *w)
{
    reader_done(&w->r);
    arena_free(w->arena);
    context_free(w->ctx);
}

/* ---- words ---- */

static void words_have_kinds_and_places(void **state)
{
    (void)state;
    static const struct {
        WordKind kind;
        const char *text;
        uint32_t at;
        bool newline;
    } expected[] = {{WORD_NAME, "x", 0, true},         {WORD_SYMBOL, "<=", 2, false},
                    {WORD_NUMBER, "1.5e-3", 5, false}, {WORD_NAME, "y", 33, true},
                    {WORD_SYMBOL, "**", 34, false},    {WORD_NUMBER, "2", 36, false}};
    World w;
    begin(&w, "x <= 1.5e-3 { a remark\n of two }\ny**2 ! the rest\n");
    uint32_t n = sizeof expected / sizeof *expected;
    assert_int_equal(w.r.words.n, n + 1);
    assert_int_equal(w.r.words.at[n].kind, WORD_END);
    for (uint32_t i = 0; i < n; i++) {
        const Word *word = &w.r.words.at[i];
        assert_int_equal(word->kind, expected[i].kind);
        assert_string_equal(word->name, expected[i].text);
        assert_int_equal(word->at, expected[i].at);
        assert_int_equal(word->end, expected[i].at + strlen(expected[i].text));
        assert_int_equal(word->newline, expected[i].newline);
    }
    assert_int_equal(w.ctx->n_errors, 0);
    end(&w);
}

static void remarks_are_taken_once(void **state)
{
    (void)state;
    World w;
    begin(&w, "x = 1 { the first }\ny = 2 ! the second\n");
    assert_int_equal(w.r.remarks.n, 2);
    assert_string_equal(take_remarks(&w.r, 0, 5), "the first");
    assert_null(take_remarks(&w.r, 0, 5));
    assert_string_equal(take_remarks(&w.r, 20, 25), "the second");
    end(&w);
}

/* ---- expressions ---- */

/* The Modelica text of an expression, "" after an error. */
static void check_expression(const char *text, const char *modelica)
{
    World w;
    begin(&w, text);
    AstExpr *e = read_expression(&w.r);
    assert_string_equal(e ? ast_print_expr(e, w.arena) : "", modelica);
    assert_int_equal(w.ctx->n_errors, *modelica ? 0 : 1);
    end(&w);
}

static void expressions_keep_their_meaning(void **state)
{
    (void)state;
    check_expression("a + b*c**2", "a + b*c^2");
    check_expression("(a + b)*c", "(a + b)*c");
    check_expression("-a*b", "-a*b");
    check_expression("a - (b - c)", "a - (b - c)");
    check_expression("a < 1 and not b or c >= 2", "a < 1 and not b or c >= 2");
    check_expression("if a <> 0 then 1/a else f(a, 2)", "if a <> 0 then 1/a else f(a, 2)");
    check_expression("x[2, i + 1].y", "x[2, i + 1].y");
}

static void expressions_that_are_none(void **state)
{
    (void)state;
    check_expression("a +", "");
    check_expression("(a", "");
    check_expression("if a then b", "");
    check_expression("* a", "");
    check_expression("f(a,", "");
}

/* Without separators a new line begins a statement, unless the text cannot end before it. */
static void lines_end_statements(void **state)
{
    (void)state;
    World w;
    begin(&w, "a +\nb\nc = 3\n");
    assert_string_equal(ast_print_expr(read_expression(&w.r), w.arena), "a + b");
    assert_true(starts_statement(&w.r));
    assert_true(at_word(&w.r, "c"));
    end(&w);
}

/* ---- solving ---- */

static bool is_new(void *user, const AstExpr *e)
{
    (void)user;
    return tree_is_call(e, "new");
}

/* lhs = rhs solved for new(x); "" if it is not linear in it. */
static void check_solution(const char *equation, const char *expected)
{
    World w;
    begin(&w, equation);
    AstExpr *lhs = read_expression(&w.r);
    assert_true(accept_word(&w.r, "="));
    AstExpr *rhs = read_expression(&w.r);
    assert_non_null(lhs);
    assert_non_null(rhs);
    AstExpr *e = tree_solve(&w.r.tree, lhs, rhs, is_new, NULL);
    assert_string_equal(e ? ast_print_expr(e, w.arena) : "", expected);
    end(&w);
}

static void linear_equations_are_solved(void **state)
{
    (void)state;
    check_solution("new(x) = a*x", "a*x");
    check_solution("new(x) + c*x = 0", "-c*x");
    check_solution("new(x) + 2*x = 3", "3 - 2*x");
    check_solution("2*new(x) = y", "y/2");
    check_solution("y = new(x)/k", "(-y)/(-1/k)"); /* y*k */
    check_solution("a - new(x) = b", "(b - a)/(-1)");
    check_solution("new(x)*new(x) = 4", "");
    check_solution("sin(new(x)) = 0", "");
}

/* ---- whole texts ---- */

static void check_translation(const char *name, const char *text, const char *modelica)
{
    Context *ctx = context_new();
    Arena *arena = arena_new();
    AstFile *file = notation_parse(ctx, sources_add(ctx->sources, name, text, strlen(text)));
    assert_int_equal(ctx->n_errors, 0);
    assert_string_equal(ast_print(file, arena), modelica);
    ast_free(file);
    arena_free(arena);
    context_free(ctx);
}

static void dymola_cuts_become_connectors(void **state)
{
    (void)state;
    check_translation("t.dym",
                      "model class Resistor\n"
                      "  cut A (Va / I), B (Vb / -I)\n"
                      "  parameter R = 10\n"
                      "  R*I = Va - Vb\n"
                      "end\n",
                      "connector Cut1_1\n"
                      "  Real across1;\n"
                      "  flow Real through1;\n"
                      "end Cut1_1;\n"
                      "\n"
                      "model Resistor\n"
                      "  Cut1_1 A;\n"
                      "  Cut1_1 B;\n"
                      "  Real Va;\n"
                      "  Real I;\n"
                      "  Real Vb;\n"
                      "  parameter Real R=10;\n"
                      "equation\n"
                      "  A.across1 = Va;\n"
                      "  A.through1 = I;\n"
                      "  B.across1 = Vb;\n"
                      "  B.through1 = -I;\n"
                      "  R*I = Va - Vb;\n"
                      "  annotation (__Kairos(balanced=false));\n"
                      "end Resistor;\n");
}

static void dymola_states_and_remarks(void **state)
{
    (void)state;
    check_translation("t.dym",
                      "model Decay\n"
                      "  local x = 1\n"
                      "  der(x) = -x**2 { decays }\n"
                      "end\n",
                      "model Decay\n"
                      "  Real x(start=1, fixed=true);\n"
                      "equation\n"
                      "  der(x) = -x^2 \"decays\";\n"
                      "end Decay;\n");
}

static void omola_classes(void **state)
{
    (void)state;
    check_translation("t.om",
                      "Tank ISA Model WITH\n"
                      "  level TYPE Real := 2;\n"
                      "  area ISA Parameter WITH default := 3; END;\n"
                      "  area*level' = -level;\n"
                      "END;\n",
                      "model Tank\n"
                      "  Real level(start=2, fixed=true);\n"
                      "  parameter Real area=3;\n"
                      "equation\n"
                      "  area*der(level) = -level;\n"
                      "  annotation (__Kairos(balanced=false));\n"
                      "end Tank;\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_kinds_and_places),
        cmocka_unit_test(remarks_are_taken_once),
        cmocka_unit_test(expressions_keep_their_meaning),
        cmocka_unit_test(expressions_that_are_none),
        cmocka_unit_test(lines_end_statements),
        cmocka_unit_test(linear_equations_are_solved),
        cmocka_unit_test(dymola_cuts_become_connectors),
        cmocka_unit_test(dymola_states_and_remarks),
        cmocka_unit_test(omola_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

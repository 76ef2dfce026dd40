/* The syntax phase: lexing, precedence, every construct of the grammar, messages, recovery, limits.
 */
#include "syntax/tree/ast_walk.h"
#include "syntax/parse/parse.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- helpers ---- */

static AstFile *parse_bytes(Context *ctx, const char *text, size_t n)
{
    AstFile *file = syntax_parse(ctx, sources_add(ctx->sources, "t.mo", text, n));
    assert_null(ast_check(file, ctx->arena));
    return file;
}

static AstFile *parse(Context *ctx, const char *text)
{
    return parse_bytes(ctx, text, strlen(text));
}

static AstExpr *parse_expr(Context *ctx, const char *text)
{
    return syntax_parse_expr(ctx, sources_add(ctx->sources, "t.mo", text, strlen(text)),
                             ctx->arena);
}

/* Every operation in brackets, to make the shape of a tree visible. */
static const char *shape(const AstExpr *e, Arena *a)
{
    switch (e->kind) {
    case AST_UNARY: return arena_printf(a, "<%s %s>", ast_op_text(e->op), shape(e->args.at[0], a));
    case AST_BINARY:
        return arena_printf(a, "<%s %s %s>", shape(e->args.at[0], a), ast_op_text(e->op),
                            shape(e->args.at[1], a));
    case AST_TUPLE:
        return e->args.n == 1 ? arena_printf(a, "(%s)", shape(e->args.at[0], a)) : "(...)";
    default: return ast_print_expr(e, a);
    }
}

static void expect_shape(const char *text, const char *expected)
{
    Context *ctx = context_new();
    AstExpr *e = parse_expr(ctx, text);
    assert_non_null(e);
    assert_string_equal(shape(e, ctx->arena), expected);
    context_free(ctx);
}

static const char *diagnostic(const Context *ctx, uint32_t i)
{
    const Diag *d = ctx->diags.at[i];
    Place at = source_place(ctx->sources, d->span);
    return arena_printf(ctx->arena, "%u:%u %s %s", at.line, at.column, diag_code_name(d->code),
                        d->text);
}

/* The errors of a text, in order, ended by NULL: "line:column code message". */
static void expect_errors(const char *text, ...)
{
    Context *ctx = context_new();
    ast_free(parse(ctx, text));
    va_list expected;
    va_start(expected, text);
    uint32_t i = 0;
    for (const char *e; (e = va_arg(expected, const char *)); i++) {
        if (i >= ctx->diags.n)
            fail_msg("missing: %s", e);
        assert_string_equal(diagnostic(ctx, i), e);
    }
    va_end(expected);
    if (i < ctx->diags.n)
        fail_msg("not expected: %s", diagnostic(ctx, i));
    context_free(ctx);
}

static void expect_expr_error(const char *text, const char *expected)
{
    Context *ctx = context_new();
    assert_null(parse_expr(ctx, text));
    assert_true(ctx->diags.n > 0);
    assert_string_equal(diagnostic(ctx, 0), expected);
    context_free(ctx);
}

/* No errors, and the print parses to an equal tree and prints the same. */
static void expect_round_trip(const char *text)
{
    Context *ctx = context_new();
    AstFile *a = parse(ctx, text);
    if (ctx->diags.n)
        fail_msg("%s: %s", text, diagnostic(ctx, 0));
    char *print = ast_print(a, ctx->arena);
    AstFile *b = parse(ctx, print);
    if (ctx->diags.n)
        fail_msg("%s: %s", print, diagnostic(ctx, 0));
    assert_true(ast_equal(a, b));
    assert_string_equal(print, ast_print(b, ctx->arena));
    ast_free(a);
    ast_free(b);
    context_free(ctx);
}

static void expect_print(const char *text, const char *expected)
{
    Context *ctx = context_new();
    AstFile *a = parse(ctx, text);
    assert_int_equal(ctx->diags.n, 0);
    assert_string_equal(ast_print(a, ctx->arena), expected);
    ast_free(a);
    context_free(ctx);
}

/* ---- lexing ---- */

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } reals[] = {{"1.", 1.0},
                 {".5", 0.5},
                 {"1e3", 1000.0},
                 {"1.5E-3", 0.0015},
                 {"2.E+2", 200.0},
                 {"0.1", 0.1},
                 {"1.7976931348623157e308", 1.7976931348623157e308},
                 {"4.9e-324", 4.9e-324},
                 {"1e-400", 0.0},
                 {"0.000000000000000000000000000000000000000000001e45", 1.0},
                 {"123456789012345678901234567890.0", 123456789012345678901234567890.0},
                 {"9007199254740993.0", 9007199254740992.0},
                 {"3.14159265358979323846", 3.14159265358979323846}};
    Context *ctx = context_new();
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        AstExpr *e = parse_expr(ctx, reals[i].text);
        assert_non_null(e);
        assert_int_equal(e->kind, AST_REAL);
        assert_true(e->real == reals[i].value);
        assert_string_equal(e->text, reals[i].text);
    }
    AstExpr *e = parse_expr(ctx, "9223372036854775807");
    assert_int_equal(e->kind, AST_INT);
    assert_true(e->integer == INT64_MAX);
    context_free(ctx);
    expect_expr_error("9223372036854775808",
                      "1:1 S016 integer literal is larger than 9223372036854775807; with a "
                      "decimal point it would be a Real");
    expect_expr_error("1 + 1e309",
                      "1:5 S015 real literal is larger than the largest Real, 1.797e308");
    expect_expr_error("2x", "1:1 S017 a number and a name touch; write a product as 2*x");
}

static void test_strings(void **state)
{
    (void)state;
    Context *ctx = context_new();
    AstExpr *e = parse_expr(ctx, "\"a\\\"b\\\\\\n\\t\\'\\?\\a\\b\\f\\r\\v\"");
    assert_string_equal(e->string, "a\"b\\\n\t'?\a\b\f\r\v");
    assert_int_equal(e->string_size, 13);
    assert_string_equal(parse_expr(ctx, "\"a\r\nb\nc\"")->string, "a\nb\nc");
    assert_string_equal(parse_expr(ctx, "\"\u00e9\u2264\U0001F600\"")->string,
                        "\u00e9\u2264\U0001F600");
    assert_string_equal(parse_expr(ctx, "\"\"")->string, "");
    context_free(ctx);
    expect_expr_error("\"a\\qb\"",
                      "1:3 S014 '\\' does not start an escape here; write '\\\\' for a backslash");
    expect_expr_error("\"\xff\"", "1:2 S013 byte 0xFF is not UTF-8");
    expect_expr_error("\"\xc0\x80\"", "1:2 S013 byte 0xC0 is not UTF-8");
    expect_expr_error("\"\xed\xa0\x80\"", "1:2 S013 byte 0xED is not UTF-8");
    expect_expr_error(" \"abc", "1:2 S003 string is not closed: its '\"' is missing");
}

static void test_identifiers(void **state)
{
    (void)state;
    Context *ctx = context_new();
    AstExpr *e = parse_expr(ctx, "'a b'.'\\'x\\\\'.'\\\"\\?'.endX");
    assert_int_equal(e->ref->n, 4);
    assert_string_equal(e->ref->parts[0].name, "'a b'");
    assert_string_equal(e->ref->parts[1].name, "'\\'x\\\\'");
    assert_string_equal(e->ref->parts[2].name, "'\"?'");
    assert_string_equal(e->ref->parts[3].name, "endX");
    assert_ptr_equal(parse_expr(ctx, "'\"?'")->ref->parts[0].name, e->ref->parts[2].name);
    context_free(ctx);
    expect_expr_error("'ab\n", "1:1 S021 quoted identifier is not closed on its line");
    expect_expr_error("''", "1:1 S022 a quoted identifier cannot be empty");
    expect_expr_error("'a\u00e9'",
                      "1:3 S022 character '\u00e9' is not allowed in a quoted identifier");
    expect_expr_error("'a\\q'", "1:3 S014 '\\' does not start an escape in a quoted identifier");
}

static void test_layout(void **state)
{
    (void)state;
    expect_print("\xEF\xBB\xBFmodel A\r\n  Real x; // c\r\n/* d\r\n */ end A;\r\n",
                 "model A\n  Real x;\nend A;\n");
    expect_print("model A Real x; end A; // no line end", "model A\n  Real x;\nend A;\n");
    expect_print("", "");
    expect_errors("model A\n Real x = 1; /* never closed\nend A;",
                  "2:14 S004 comment is not closed: its '*/' is missing", NULL);
    expect_errors("model A\n Real x = \u2212 1;\n Real y = #;\nend A;",
                  "2:11 S012 character '\u2212' has no meaning here; write -",
                  "3:11 S012 character '#' has no meaning here", NULL);
}

static void test_nul_bytes(void **state)
{
    (void)state;
    Context *ctx = context_new();
    static const char text[] = "model A \0 Real x(s=\"a\0b\"); //\0\nend A;";
    ast_free(parse_bytes(ctx, text, sizeof text - 1));
    assert_int_equal(ctx->diags.n, 2);
    assert_string_equal(diagnostic(ctx, 0), "1:9 S012 control character 0x00 in the text");
    assert_string_equal(diagnostic(ctx, 1), "1:22 S012 control character 0x00 in a string");
    context_free(ctx);
}

/* ---- expressions ---- */

static void test_precedence(void **state)
{
    (void)state;
    expect_shape("a + b * c", "<a + <b * c>>");
    expect_shape("a - b - c", "<<a - b> - c>");
    expect_shape("a / b / c", "<<a / b> / c>");
    expect_shape("-x^2", "<- <x ^ 2>>");
    expect_shape("-a*b + c", "<<- <a * b>> + c>");
    expect_shape("a .* b ./ c .+ d .- e", "<<<<a .* b> ./ c> .+ d> .- e>");
    expect_shape("a .^ b", "<a .^ b>");
    expect_shape("(a^b)^c", "<(<a ^ b>) ^ c>");
    expect_shape("not a < b and c or d", "<<<not <a < b>> and c> or d>");
    expect_shape("a or b and c", "<a or <b and c>>");
    expect_shape("a + b <= -c * d", "<<a + b> <= <- <c * d>>>");
    expect_shape("a == b or c <> d", "<<a == b> or <c <> d>>");
    expect_shape("a*(-b)", "<a * (<- b>)>");
    expect_shape("2.*x", "<2. * x>");
    expect_shape("+ a", "<+ a>");
    expect_expr_error("a < b < c", "1:7 S020 relations cannot be chained: write a < b and b < c");
    expect_expr_error("a^b^c", "1:4 S020 '^' cannot be chained: write (a^b)^c or a^(b^c)");
    expect_expr_error("a*-b", "1:3 S019 a sign cannot follow '*': write a*(-b)");
    expect_expr_error("a + -b", "1:5 S019 a sign cannot follow '+': write a+(-b)");
    expect_expr_error("x^-2", "1:3 S019 a sign cannot follow '^': write x^(-2)");
    expect_expr_error("a not b", "1:3 S001 expected the end of the expression, found 'not'");
    expect_expr_error("x[end] + end", "1:10 S001 expected an expression, found 'end'");
    expect_expr_error("{}", "1:2 S001 expected an expression, found '}'");
    expect_expr_error(
        "if a then b",
        "1:12 S001 expected 'else' in an if-expression, which needs a value for every "
        "case, found end of file");
    expect_expr_error("a && b || !c != d",
                      "1:3 S008 '&&' is not an operator of Modelica; write 'and'");
    expect_expr_error("f(a=1, 2)", "1:8 S025 a positional argument cannot follow a named one");
    expect_expr_error("f(1, 2", "1:7 S026 expected ',' or ')', found end of file");
}

static void test_expression_nodes(void **state)
{
    (void)state;
    Context *ctx = context_new();
    AstExpr *e = parse_expr(ctx, "(a, , b)");
    assert_int_equal(e->kind, AST_TUPLE);
    assert_int_equal(e->args.n, 3);
    assert_null(e->args.at[1]);
    e = parse_expr(ctx, "1:2:n");
    assert_int_equal(e->kind, AST_RANGE);
    assert_int_equal(e->args.n, 3);
    e = parse_expr(ctx, "[1, 2; 3, 4; 5, 6]");
    assert_int_equal(e->kind, AST_MATRIX);
    assert_int_equal(e->args.n, 3);
    assert_int_equal(e->args.at[2]->args.n, 2);
    e = parse_expr(ctx, "f(function g(x=1), 2, y=function .h())");
    assert_int_equal(e->kind, AST_CALL);
    assert_int_equal(e->args.at[0]->kind, AST_PARTIAL);
    assert_int_equal(e->args.n, 2);
    assert_true(e->named.at[0].value->ref->absolute);
    e = parse_expr(ctx, "{i*j for i in 1:3, j}");
    assert_int_equal(e->iters.n, 2);
    assert_null(e->iters.at[1].range);
    e = parse_expr(ctx, "der(x)");
    assert_string_equal(e->ref->parts[0].name, "der");
    e = parse_expr(ctx, ".a.b[1, :, end].c");
    assert_true(e->ref->absolute);
    assert_int_equal(e->ref->parts[1].subs.at[1]->kind, AST_COLON);
    assert_int_equal(e->ref->parts[1].subs.at[2]->kind, AST_END);
    assert_int_equal(e->span.at, 0);
    assert_int_equal(e->span.end, 17);
    assert_int_equal(ctx->diags.n, 0);
    context_free(ctx);
}

/* ---- every construct ---- */

static void test_classes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "within;",
        "within A.B; model C end C;",
        "final model A end A; encapsulated partial package B end B;",
        "class A end A; model B end B; record C end C; block D end D; connector E end E; type F "
        "end F;",
        "operator record R operator 'c' function f end f; end 'c'; operator function '0' end '0'; "
        "end R;",
        "expandable connector A end A; pure function f end f; impure function g end g; pure "
        "operator function "
        "h end h;",
        "partial function f end f; model A \"d\" + \"e\" end A;",
        "type A = Real; type B = input Real[3, :](unit=\"m\") \"d\" annotation(x=1); connector C = "
        "output "
        ".D.E;",
        "type A = enumeration(:) \"d\"; type B = enumeration(); type C = enumeration(a \"x\" "
        "annotation(y), "
        "'b');",
        "function f = der(g, x, y) \"d\";",
        "model A model extends B(c=1) \"d\" Real x; end B; end A;",
        "function f external; end f; function g external \"FORTRAN 77\"; end g;",
        "function f external \"C\" annotation(Library=\"m\"); annotation(x); end f;",
        "function f external \"C\" a.b[1] = g(x, size(y, 1)) annotation(Include=\"#include "
        "<m.h>\"); end f;",
        "function f external h(); end f;",
        "model A import B; import C = D.E; import F.*; import G.{h}; import I.J.{k, l} \"d\" "
        "annotation(x); "
        "end A;",
        "model A import B. *; end A;",
        "model A extends B; extends .C(d=1, break e, break connect(f.g[1], h)) annotation(i); end "
        "A;",
        "model A public protected Real a; public Real b; protected Real c; model D end D; end A;",
        "model A redeclare final inner outer replaceable model B = C(x=1) constrainedby D(y=2) "
        "\"d\" "
        "annotation(e); end A;",
        "model A replaceable Real x, y constrainedby Z \"c\"; Real u, v; Real w; end A;",
        "model A annotation(); end A;",
        "model A equation algorithm initial equation initial algorithm end A;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_round_trip(texts[i]);
}

static void test_components(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "model A Real x; parameter .B.C y = 1; constant Integer n(min=1, max=2)=3 \"d\"; end A;",
        "model A flow Real x; stream input Real y; discrete output Real z; end A;",
        "model A Real[3, n] x[:, size(y, 1)](each start=1) if b and c \"d\" annotation(e); end A;",
        "model A Real x := 3; Real y() = 4; Real z = break; end A;",
        "model A B b(c(d=1, e.f(g)=2) \"d\", each h=3); end A;",
        "model A B b(each final h=3, final i \"x\" + \"y\"); end A;",
        "model A B b(redeclare each final model M = N(x=1) \"c\", redeclare replaceable Real "
        "q[3]=1 \"d\" "
        "constrainedby R(z), "
        "each final replaceable package P = Q annotation(a) constrainedby S); end A;",
        "model A B b(redeclare parameter input Real x, redeclare type E = enumeration(a, b)); end "
        "A;",
        "model A Real x = if a then b elseif c then d else e; String s = \"a\\nb\\tc\" "
        "\"comment\nof lines\"; "
        "end A;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_round_trip(texts[i]);
}

static void test_equations(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "model A equation a = b \"d\" annotation(e); (a, , b) = f(c); f(x); a.b[1].f(); assert(x > "
        "0, \"m\"); "
        "end A;",
        "model A equation if a then elseif b then x = 1; else y = 2; if c then end if; end if "
        "\"d\"; end A;",
        "model A equation for i in 1:3, j loop x[i] = y[j]; for k loop end for; end for; end A;",
        "model A equation when a then x = 1; elsewhen {b, c} then reinit(x, 1); end when; end A;",
        "model A equation connect(a.b[1], .c) annotation(Line(points={{1,2},{-3,4}})); end A;",
        "model A equation 1:2 = x; a or b = c; -x = y; pure(f(x)) = 1; initial() = b; der(x) = 1; "
        "end A;",
        "model A initial equation x = 0; equation y = 0; protected Real x; equation z = 1; end A;",
        "model A algorithm x := 1 \"d\"; a.b[2] := if c then d else e; (x, , y[1]) := f(z); f(); "
        "end A;",
        "model A algorithm if a then x := 1; elseif b then y := 1; else return; end if; end A;",
        "model A algorithm for i in {1, 2}, j in a:b:c loop break; end for; while x < 1 loop x := "
        "2; end "
        "while; end A;",
        "model A algorithm when a then x := 1; elsewhen b then terminate(\"\"); end when "
        "annotation(z); end A;",
        "model A equation x = f(i for i in 1:3); y = {i for i}; z = f(a=1); u = f(1, a=function "
        "g(b=2)); end "
        "A;",
        "model A equation x = 1. * 2 .* 3 ./ .4 .^ 5 / 6; y = [1; 2]; z = [a, b]; w = {{1}, {2}}; "
        "v = (); end "
        "A;",
        "model A initial algorithm x := \"\\\\ \\\"\"; end A;"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_round_trip(texts[i]);
}

static void test_print(void **state)
{
    (void)state;
    expect_print("within A.B; model M \"d\" extends N(a=1); parameter Real x=1,y(start=2) \"e\" ; "
                 "protected Real z;\n"
                 "equation der(x)=-x^2+3*y ; if a then x=1;else y=2;end if; algorithm z:=1; "
                 "annotation(a,b=2); end M;",
                 "within A.B;\n"
                 "model M \"d\"\n"
                 "  extends N(a=1);\n"
                 "  parameter Real x=1, y(start=2) \"e\";\n"
                 "protected\n"
                 "  Real z;\n"
                 "equation\n"
                 "  der(x) = -x^2 + 3*y;\n"
                 "  if a then\n"
                 "    x = 1;\n"
                 "  else\n"
                 "    y = 2;\n"
                 "  end if;\n"
                 "algorithm\n"
                 "  z := 1;\n"
                 "  annotation (\n"
                 "    a,\n"
                 "    b=2);\n"
                 "end M;\n");
}

static void test_equality(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "model A Real x, y; end A;",          "model A Real x; Real y; end A;",
        "model A Real x, z; end A;",          "model A protected Real x, y; end A;",
        "model A Real x, y; equation end A;", "within; model A Real x, y; end A;",
        "model A Real x, y = 1; end A;",      "model A Real x, y(); end A;"};
    Context *ctx = context_new();
    enum { N = sizeof texts / sizeof *texts };
    AstFile *files[N];
    for (int i = 0; i < N; i++)
        files[i] = parse(ctx, texts[i]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert_int_equal(ast_equal(files[i], files[j]), i == j);
    for (int i = 0; i < N; i++)
        ast_free(files[i]);
    context_free(ctx);
}

/* ---- messages and recovery ---- */

static void test_messages(void **state)
{
    (void)state;
    expect_errors("model A\n  Real x\nequation\n  x = 1;\nend A;",
                  "2:9 S002 expected ';' after component declaration, found 'equation'", NULL);
    expect_errors("model A\n  Real x;\nend B;", "3:5 S005 expected 'end A', found 'end B'", NULL);
    expect_errors("model A\n  Real x;\nend;",
                  "3:4 S005 expected the name of the class after 'end': 'end A'", NULL);
    expect_errors("model A\n  Real x;\n", "3:1 S010 expected 'end A;', found end of file", NULL);
    expect_errors("package P\n model A\n  Real x;\nend P;",
                  "4:1 S010 expected 'end A;', found 'end P'", NULL);
    expect_errors("model A equation\n x := 1;\nalgorithm\n y = 2;\nend A;",
                  "2:4 S006 ':=' is an assignment in an algorithm; write an equation with '='",
                  "4:4 S006 '=' is not an assignment; write ':=' in an algorithm", NULL);
    expect_errors("model A equation\n x == 1;\n y + 1 == 2;\nend A;",
                  "2:4 S007 '==' compares values; write an equation with '='",
                  "3:8 S007 '==' compares values; write an equation with '='", NULL);
    expect_errors("model A equation if x\n y = 1; end if; if a = b then y = 2; end if; end A;",
                  "2:2 S009 expected 'then' after the condition of 'if', found 'y'",
                  "2:22 S007 '=' states an equation; compare values with '=='", NULL);
    expect_errors("model A equation if a then\n x = 1;\nend A;",
                  "3:1 S010 expected 'end if', found 'end A'", NULL);
    expect_errors("model A equation for i in 1:2 loop\n x = 1;\nend if;\nend A;",
                  "3:1 S010 expected 'end for', found 'end if'", NULL);
    expect_errors("model A Real block; end A;",
                  "1:14 S011 'block' is a reserved word and cannot be a name", NULL);
    expect_errors("model A Real x(start == 1); end A;",
                  "1:22 S007 '==' compares values; write a modification with '='", NULL);
    expect_errors("model A equation x = 1; end if; y = 2; else z = 3; end A;",
                  "1:25 S027 'end if' without a matching 'if'",
                  "1:40 S027 'else' without a matching 'if'", NULL);
    expect_errors("model A algorithm x := 1; end while; y := 2; end A;",
                  "1:27 S027 'end while' without a matching 'while'", NULL);
    expect_errors("model A equation x = 1; parameter Real y; end A;",
                  "1:25 S023 a declaration is not allowed among equations or statements; move it "
                  "before them, or write 'public' or 'protected' before it",
                  NULL);
    expect_errors("model A annotation(); Real x; end A;",
                  "1:23 S023 expected 'end' after the annotation of the class, found 'Real'", NULL);
    expect_errors("model A B b(break c); end A;",
                  "1:13 S024 'break' removes an inherited element and is only allowed in the "
                  "modification of 'extends'",
                  NULL);
    expect_errors("model A algorithm (a, b) := c; connect(a, b); end A;",
                  "1:30 S001 expected the arguments of a function call as the source of a list of "
                  "outputs, found ';'",
                  "1:32 S001 expected a statement, found 'connect'", NULL);
    expect_errors("hello world; model A end A;",
                  "1:1 S001 expected a class definition, found 'hello'", NULL);
    expect_errors("model A end A",
                  "1:14 S002 expected ';' after the class definition, found end of file", NULL);
    expect_errors("model A end A; end B;", "1:16 S027 'end' does not close any class", NULL);
    expect_errors("model A import .B; within C; end A;",
                  "1:16 S001 expected a name after 'import', found '.'",
                  "1:20 S001 expected an element (a type, or a word such as 'parameter' or "
                  "'model'), found 'within'",
                  NULL);
}

/* Rare mistakes: one message each, and what follows is understood. */
static void test_rare_messages(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"model A equation x = 2**3; end A;",
         "1:23 S008 '**' is not an operator of Modelica; write '^'"},
        {"model A Real '\xff'; end A;", "1:15 S013 byte 0xFF is not UTF-8"},
        {"model A \xff Real x; end A;", "1:9 S013 byte 0xFF is not UTF-8"},
        {"model A B b(redeclare function f = der(g, x)); end A;",
         "1:36 S024 a derivative of a function cannot be declared in a modification"},
        {"model A B b(redeclare model C); end A;",
         "1:30 S001 expected '=' after the name: only a short class definition can stand in a "
         "modification, found ')'"},
        {"function f external \"C\" a.b(1); end f;",
         "1:25 S024 the name of an external function is a plain identifier"},
        {"function f external \"C\" a[1](1); end f;",
         "1:25 S024 the name of an external function is a plain identifier"},
        {"function f external \"C\"; equation x = 1; end f;",
         "1:26 S023 expected 'end' after 'external', found 'equation'"},
        {"model A Real x constrainedby Real; end A;",
         "1:16 S024 'constrainedby' needs an element that is 'replaceable'"},
        {"model A equation for i = 1:2 loop x = i; end for; end A;",
         "1:24 S001 expected 'in' after the index of 'for', found '='"},
        {"model A equation x = f(a = 1, ); end A;",
         "1:31 S001 expected an argument after ',', found ')'"},
        {"model A equation x = f(function g[1](a = 1)); end A;",
         "1:33 S024 the name of a function has no subscripts"},
        {"model A equation x = der; end A;", "1:25 S001 expected '(' after 'der', found ';'"},
        {"model A equation x = initial; end A;",
         "1:29 S001 expected '(' after 'initial', found ';'"},
        {"model A Real x annotation; end A;",
         "1:26 S001 expected '(' after 'annotation', found ';'"},
        {"model A algorithm (a, b) = f(1); end A;",
         "1:26 S006 '=' is not an assignment; write ':=' in an algorithm"},
        {"model A algorithm (a, b) + 1; end A;",
         "1:26 S001 expected ':=' after the list of outputs, found '+'"},
        {"model A algorithm (a, b) := 1; end A;",
         "1:29 S001 expected a function call as the source of a list of outputs, found '1'"},
        {"model A algorithm x + 1; end A;", "1:21 S001 expected ':=' in the statement, found '+'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        expect_errors(table[i][0], table[i][1], NULL);
}

/* Habits from other languages. */
static void test_habits(void **state)
{
    (void)state;
    static const char *const signs[] = {"+", "-", "*", "/"};
    for (unsigned i = 0; i < 4; i++) {
        char text[80], message[120];
        snprintf(text, sizeof text, "model A algorithm\n x %s= 1;\n x := 2;\nend A;", signs[i]);
        snprintf(message, sizeof message,
                 "2:4 S008 '%s=' is not an operator of Modelica; write x := x %s …", signs[i],
                 signs[i]);
        expect_errors(text, message, NULL);
    }
    static const char *const words[] = {"while", "break", "return"};
    for (unsigned i = 0; i < 3; i++) {
        char text[80], message[160];
        snprintf(text, sizeof text, "model A equation\n %s;\n x = 2;\nend A;", words[i]);
        snprintf(message, sizeof message,
                 "2:2 S001 expected an equation (loops with 'while', 'break' and 'return' are for "
                 "algorithms), found '%s'",
                 words[i]);
        expect_errors(text, message, NULL);
    }
}

static void test_notes(void **state)
{
    (void)state;
    Context *ctx = context_new();
    ast_free(parse(ctx, "model Ab\n  Real x(start = (1;\nend B;"));
    assert_int_equal(ctx->diags.n, 2);
    const DiagNote *note = ctx->diags.at[0]->notes;
    assert_string_equal(note->text, "to close the '(' here");
    assert_int_equal(source_place(ctx->sources, note->span).column, 18);
    note = ctx->diags.at[1]->notes;
    assert_string_equal(note->text, "class 'Ab' begins here");
    assert_int_equal(source_place(ctx->sources, note->span).column, 7);
    context_free(ctx);
}

/* Several errors at once; the correct parts around them are in the tree. */
static void test_recovery(void **state)
{
    (void)state;
    static const char text[] = "package P\n"
                               "  model A\n"
                               "    Real x(start = );\n"
                               "    Real y = 1;\n"
                               "    Real 3z;\n"
                               "  equation\n"
                               "    x = * 2;\n"
                               "    y = 2;\n"
                               "    if x > then\n"
                               "      y = 3;\n"
                               "    end if;\n"
                               "    when y > 1 then x = ; y = 4; end when;\n"
                               "  end A;\n"
                               "  model B Real u; end B;\n"
                               "end P;\n";
    expect_errors(text, "3:20 S001 expected an expression, found ')'",
                  "5:10 S001 expected a name for the component, found '3'",
                  "7:9 S001 expected an expression, found '*'",
                  "9:12 S001 expected an expression, found 'then'",
                  "12:25 S001 expected an expression, found ';'", NULL);
    Context *ctx = context_new();
    AstFile *file = parse(ctx, text);
    const AstClass *p = file->classes.at[0], *a = p->elements.at[0]->class_;
    assert_int_equal(p->elements.n, 2);
    assert_int_equal(a->elements.n, 1);
    assert_string_equal(a->elements.at[0]->name, "y");
    assert_int_equal(a->equations.at[0].eqs.n, 2);
    const AstEq *when = a->equations.at[0].eqs.at[1];
    assert_int_equal(when->kind, AST_EQ_WHEN);
    assert_int_equal(when->branches.at[0].body.n, 1);
    ast_free(file);
    context_free(ctx);
}

/* An error in the head causes no error in the body. */
static void test_broken_heads(void **state)
{
    (void)state;
    expect_errors(
        "package P\n model 3A\n  Real x;\n equation\n  x = ;\n end 3A;\n model B end B;\nend P;",
        "2:8 S001 expected a name for the class, found '3'",
        "5:7 S001 expected an expression, found ';'", NULL);
    expect_errors("model A \"x\" + 3\n Real x;\n parameter Real y;\nend A;",
                  "1:15 S001 expected a string after '+' in a description, found '3'", NULL);
    expect_errors("model A\n equation\n for i on 1:3 loop\n x = 1;\n end for;\n y = 2;\nend A;",
                  "3:8 S009 expected 'loop' after the indices of 'for', found 'on'", NULL);
    expect_errors("type 3 = Real;\nmodel B end B;",
                  "1:6 S001 expected a name for the class, found '3'", NULL);
    expect_errors("model A replaceable Real x constrainedby; Real y; end A;",
                  "1:41 S001 expected a name, found ';'", NULL);
    expect_errors("within 3;\nmodel A end A;", "1:8 S001 expected a name, found '3'", NULL);
}

static void test_error_limit(void **state)
{
    (void)state;
    Context *ctx = context_new();
    enum { N = 200000 };
    char *text = malloc(N);
    memset(text, '$', N);
    ast_free(parse_bytes(ctx, text, N));
    assert_true(ctx->n_errors <= ctx->max_errors + 1);
    for (int i = 0; i < N; i++)
        text[i] = ";)"[i % 2];
    memcpy(text, "model A ", 8);
    ast_free(parse_bytes(ctx, text, N));
    assert_true(ctx->n_errors <= 2 * ctx->max_errors + 2);
    free(text);
    context_free(ctx);
}

/* ---- limits ---- */

/* `n` times `open`, then `middle`, then `n` times `close`. */
static char *nest(const char *before, const char *open, const char *middle, const char *close,
                  size_t n)
{
    size_t a = strlen(open), b = strlen(close);
    char *text = malloc(strlen(before) + strlen(middle) + n * (a + b) + 1), *at = text;
    at = stpcpy(at, before);
    for (size_t i = 0; i < n; i++)
        at = stpcpy(at, open);
    at = stpcpy(at, middle);
    for (size_t i = 0; i < n; i++)
        at = stpcpy(at, close);
    return text;
}

static void expect_nesting(const char *before, const char *open, const char *middle,
                           const char *close)
{
    Context *ctx = context_new();
    char *text = nest(before, open, middle, close, 200000);
    ast_free(parse(ctx, text));
    free(text);
    assert_int_equal(ctx->diags.n, 1);
    assert_string_equal(diag_code_name(ctx->diags.at[0]->code), "S018");
    context_free(ctx);
}

static void test_nesting(void **state)
{
    (void)state;
    expect_nesting("model A Real x = ", "(", "1", ")");
    expect_nesting("model A Real x = ", "f(", "1", ")");
    expect_nesting("model A Real x = ", "{", "1", "}");
    expect_nesting("model A Real x = ", "[", "1", "]");
    expect_nesting("model A Real x = ", "a[", "1", "]");
    expect_nesting("model A Real x = ", "if a then b else ", "1", "");
    expect_nesting("model A Real x = ", "f(function g(x=", "1", "))");
    expect_nesting("model A Real x = ", "f(function g(x=function g(x=", "1", ")))");
    expect_nesting("model A Real ", "x(", "x", ")");
    expect_nesting("", "model A ", "", "end A;");
    expect_nesting("model A equation ", "if a then ", "", "end if;");
    expect_nesting("model A equation ", "for i loop ", "", "end for;");
    expect_nesting("model A algorithm ", "while a loop ", "", "end while;");
    expect_nesting("model A annotation", "(a", "", ")");
}

static void test_allowed_nesting(void **state)
{
    (void)state;
    char *text = nest("model A Real x = ", "f(", "1", ")", 450);
    char *whole = malloc(strlen(text) + 10);
    stpcpy(stpcpy(whole, text), "; end A;");
    expect_round_trip(whole);
    free(whole);
    free(text);
}

static void expect_long(const char *before, const char *item, const char *after)
{
    char *text = nest(before, item, after, "", 300000);
    expect_round_trip(text);
    free(text);
}

static void test_long_chains(void **state)
{
    (void)state;
    expect_long("model A Real x = a", "+a", "; end A;");
    expect_long("model A Real x = a", "*a", "; end A;");
    expect_long("model A Boolean x = a", " and a", "; end A;");
    expect_long("model A Boolean x = a", " or a", "; end A;");
    expect_long("model A Real x = {1", ",1", "}; end A;");
    expect_long("model A Real x = a", ".a", "; end A;");
    expect_long("model A Real x = if a then b", " elseif a then b", " else c; end A;");
    expect_long("model A Real x", ",x", "; end A;");
    expect_long("model A equation ", "a=b;", " end A;");
    expect_long("model A \"a\"", "+\"a\"", " end A;");
}

/* ---- walkers ---- */

typedef struct Trace {
    Text text;
    Arena *arena;
} Trace;

static Walk trace_equation(void *user, const AstEq *eq)
{
    Trace *t = user;
    text_printf(&t->text, "eq%d ", (int)eq->kind);
    return eq->kind == AST_EQ_WHEN ? WALK_PAST : WALK_ON;
}

static Walk trace_statement(void *user, const AstStmt *s)
{
    Trace *t = user;
    text_printf(&t->text, "st%d ", (int)s->kind);
    return s->kind == AST_ST_BREAK ? WALK_END : WALK_ON;
}

static Walk trace_expr(void *user, const AstExpr *e)
{
    Trace *t = user;
    text_printf(&t->text, "%s ", ast_print_expr(e, t->arena));
    return WALK_ON;
}

static void test_walks(void **state)
{
    (void)state;
    static const AstVisitor visitor = {trace_equation, trace_statement, trace_expr};
    Context *ctx = context_new();
    AstFile *file = parse(ctx, "model M equation if a then x = y; end if; when b then z = 1; end "
                               "when; algorithm while c loop x := d; break; y := e; end while; "
                               "u := v; end M;");
    Trace t = {.arena = ctx->arena};
    const AstClass *m = file->classes.at[0];
    assert_true(
        ast_walk_equations(m->equations.at[0].eqs.at, m->equations.at[0].eqs.n, &visitor, &t));
    char expected[80];
    snprintf(expected, sizeof expected, "eq%d a eq%d x y eq%d ", AST_EQ_IF, AST_EQ_SIMPLE,
             AST_EQ_WHEN);
    assert_string_equal(t.text.at, expected);
    text_free(&t.text);
    assert_false(ast_walk_statements(m->algorithms.at[0].stmts.at, m->algorithms.at[0].stmts.n,
                                     &visitor, &t));
    snprintf(expected, sizeof expected, "st%d c st%d x d st%d ", AST_ST_WHILE, AST_ST_ASSIGN,
             AST_ST_BREAK);
    assert_string_equal(t.text.at, expected);
    text_free(&t.text);
    assert_true(ast_walk_expr(parse_expr(ctx, "f(a[i], k = b) + c"), trace_expr, &t));
    assert_string_equal(t.text.at, "f(a[i], k=b) + c c f(a[i], k=b) b a[i] i ");
    text_free(&t.text);
    ast_free(file);
    context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_identifiers),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_expression_nodes),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_habits),
        cmocka_unit_test(test_rare_messages),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_broken_heads),
        cmocka_unit_test(test_error_limit),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_allowed_nesting),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

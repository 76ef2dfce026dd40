/* Fuzzer of whole runs. Bytes choose among the productions of a grammar with types, so that every
 * text is a balanced model: it is compiled, and simulated for a short time. A run that fails gives
 * a reason. The first byte chooses the solver, the second the structure. */
#include "base/text.h"
#include "kairos.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Choices {
    const uint8_t *at;
    size_t n;
    unsigned depth;
    Text text;
} Choices;

static unsigned choose(Choices *c, unsigned n)
{
    if (!c->n)
        return 0;
    c->n--;
    return *c->at++ % n;
}

static void real(Choices *c);
static void boolean(Choices *c);

/* %r, %b: an expression of type Real or Boolean; %x: a state; %v: a Real; %n: a number; %i: an
 * index. */
static void produce(Choices *c, const char *rule)
{
    static const char *const numbers[] = {"0", "1", "2", "0.5", "1e-3", "1e10", "1e300", "3"};
    static const char *const reals[] = {"x1", "x2", "y1", "y2", "z[1]", "z[3]", "d", "time", "p"};
    for (; *rule; rule++) {
        if (*rule != '%') {
            text_put_char(&c->text, *rule);
            continue;
        }
        switch (*++rule) {
        case 'r': real(c); break;
        case 'b': boolean(c); break;
        case 'x': text_printf(&c->text, "x%u", 1 + choose(c, 2)); break;
        case 'v': text_put(&c->text, reals[choose(c, 9)]); break;
        case 'n': text_put(&c->text, numbers[choose(c, 8)]); break;
        case 'i': text_printf(&c->text, "%u", 1 + choose(c, 3)); break;
        }
    }
}

static void real(Choices *c)
{
    static const char *const rules[] = {
        "%v",
        "%n",
        "(%r + %r)",
        "(%r - %r)",
        "%r*%r",
        "(%r)/(%r)",
        "(-%r)",
        "sin(%r)",
        "exp(%r)",
        "sqrt(abs(%r))",
        "log(%r)",
        "(if %b then %r else %r)",
        "min(%r, %r)",
        "max(%r, %r)",
        "abs(%r)",
        "sign(%r)",
        "floor(%r)",
        "mod(%r, %n)",
        "(%r)^%i",
        "pre(d)",
        "delay(%x, 0.05)",
        "f(%r, z)",
        "g(q).a[%i]",
        "noEvent(if %b then %r else %r)",
        "smooth(0, if %b then %r else 0)",
        "sum(z)",
        "z*z",
        "der(%x)",
        "homotopy(%r, %x)",
        "semiLinear(%r, %r, %r)",
        "Integer(E.b)",
        "atan2(%r, %r)",
        "tanh(%r)",
        "integer(%r)",
        "n",
    };
    bool deep = c->depth > 5 || c->text.n > 4000;
    c->depth++;
    produce(c, rules[choose(c, deep ? 2 : sizeof rules / sizeof *rules)]);
    c->depth--;
}

static void boolean(Choices *c)
{
    static const char *const rules[] = {
        "b",        "%r > %n",   "%r < %r",   "%r >= %r", "(%b and %b)",     "(%b or %b)",
        "not (%b)", "pre(b)",    "time > %n", "n > %i",   "sample(0, 0.07)", "initial()",
        "edge(b)",  "change(n)", "m == E.b",
    };
    bool deep = c->depth > 5 || c->text.n > 4000;
    c->depth++;
    produce(c, rules[choose(c, deep ? 1 : sizeof rules / sizeof *rules)]);
    c->depth--;
}

static void write_model(Choices *c)
{
    static const char *const defining_y2[] = {
        "  y2 = %r;\n",
        "  y2 + 0.3*sin(y2) = %r;\n",
        "  if %b then y2 = %r; else 2*y2 = %r; end if;\n",
        "  %r = y2*(1 + %r);\n",
        "algorithm\n  y2 := %r;\n  while y2 > 3 loop y2 := y2/2; end while;\nequation\n",
    };
    produce(c,
            "model M\n"
            "  type E = enumeration(a, b);\n"
            "  record R Real a[3]; Boolean c; end R;\n"
            "  function f input Real u; input Real a[:]; output Real y; protected Real s = 0;\n"
            "  algorithm for k in 1:size(a, 1) loop s := s + a[k]; if s > 9 then break; end if;\n"
            "    end for; y := u/(1 + abs(s)); end f;\n"
            "  function g input R r; output R s; algorithm s.a := r.a[{3, 1, 2}]; s.c := not "
            "r.c; end g;\n"
            "  parameter Real p = %n;\n"
            "  Real x1(start = %n), x2(start = 1, fixed = true), y1, y2, z[3];\n"
            "  discrete Real d(start = 0); Boolean b(start = false); Integer n(start = 0);\n"
            "  E m(start = E.a); R q = R(z, b);\n"
            "equation\n  der(x1) = %r;\n  der(x2) = %r;\n  y1 = %r;\n");
    produce(c, defining_y2[choose(c, 5)]);
    produce(c, "  z = {%r, %r, x1};\n  b = %b;\n"
               "  when %b then d = %r; n = pre(n) + 1; elsewhen %b then d = %r; n = 0; end when;\n"
               "  when %b then reinit(x2, %r); end when;\n"
               "  when {%b, %b} then m = if %b then E.a else E.b; end when;\n"
               "end M;\n");
}

static int stop_late(void *user, const KairosRow *row)
{
    (void)row;
    return ++*(unsigned *)user > 2000;
}

static void run_model(Kairos *k, const Choices *c, unsigned solver, unsigned structure)
{
    static const char *const solvers[] = {"auto", "dopri5", "cvode", "radau",
                                          "ida",  "esdirk", "euler", "inline-radau"};
    static const char *const structures[] = {"auto", "single", "modes", "inline"};
    KairosCompile how = {.size = sizeof how, .compiler = "tcc"};
    KairosModel *m = kairos_load_text(k, "M.mo", c->text.at, c->text.n) == KAIROS_OK
                         ? kairos_compile_model(k, "M", &how)
                         : NULL;
    double stop = 0.2;
    unsigned rows = 0;
    KairosRun run = {.size = sizeof run,
                     .stop_time = &stop,
                     .intervals = 5,
                     .solver = solvers[solver % 8],
                     .structure = structures[structure % 4],
                     .step = 0.02,
                     .on_row = stop_late,
                     .user = &rows};
    int status = m ? kairos_simulate_model(m, &run) : kairos_compile_status(k);
    if (status && rows <= 2000 && !kairos_count_errors(k)) {
        fprintf(stderr, "status %d without a message\n%s", status, c->text.at);
        abort();
    }
    kairos_free_model(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    Choices c = {.at = data + 2, .n = size - 2};
    write_model(&c);
    text_put_char(&c.text, '\0');
    c.text.n--;
    Kairos *k = kairos_open();
    run_model(k, &c, data[0], data[1]);
    kairos_close(k);
    text_free(&c.text);
    return 0;
}

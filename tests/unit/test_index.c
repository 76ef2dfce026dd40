/* Index reduction as a property: random linear systems of index 2 and 3 follow the solution they
 * were made for.
 *
 * M: x' - X' = A(x - X) + G'(l - L), G(x - X) = 0, with X and L given functions of time; index 3
 * has x' = v and v' in its place. The start values are those of X; the program chooses which of
 * them to use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kairos.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, M = 2, SYSTEMS = 15 };

typedef struct Writer {
    char text[20000];
    size_t n;
    uint64_t seed;
} Writer;

/* In [-1, 1], with two digits, so that the text has exactly this number. */
static double pick(Writer *w)
{
    w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int)((w->seed >> 33) % 201) / 100 - 1;
}

__attribute__((format(printf, 2, 3))) static void put(Writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    w->n += (size_t)vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
    va_end(args);
}

/* Functions X, X', X'' as variables of time, and start values. */
static void put_functions(Writer *w, int index)
{
    static const char *const preference[] = {"default", "prefer", "avoid"};
    for (int i = 1; i <= N; i++) {
        double a = pick(w), b = pick(w), p = pick(w);
        const char *select = preference[(int)(fabs(pick(w)) * 2.99)];
        put(w, "  Real x%d(start = (%g) + (%g)*sin((%g)), stateSelect = StateSelect.%s);\n", i, a,
            b, p, select);
        put(w,
            "  Real X%d = (%g) + (%g)*sin(time + (%g)), dX%d = (%g)*cos(time + (%g)), ddX%d = "
            "-(%g)*sin(time + "
            "(%g));\n",
            i, a, b, p, i, b, p, i, b, p);
        if (index == 3)
            put(w, "  Real v%d(start = (%g)*cos((%g)));\n", i, b, p);
    }
    for (int k = 1; k <= M; k++)
        put(w, "  Real l%d, L%d = (%g)*cos(time + (%g));\n", k, k, pick(w), pick(w));
    put(w, "  Real err = 0");
    for (int i = 1; i <= N; i++)
        put(w, " + abs(x%d - X%d)", i, i);
    put(w, ";\n  Real lerr = 0");
    for (int k = 1; k <= M; k++)
        put(w, " + abs(l%d - L%d)", k, k);
    put(w, ";\n");
}

static void put_equations(Writer *w, int index)
{
    double g[M][N];
    for (int k = 0; k < M; k++)
        for (int i = 0; i < N; i++)
            g[k][i] = pick(w) + (i == k ? 2 : 0);
    for (int i = 1; i <= N; i++) {
        if (index == 3)
            put(w, "  der(x%d) = v%d;\n", i, i);
        put(w,
            index == 3 ? "  der(v%d) - ddX%d = -(v%d - dX%d)"
                       : "  der(x%d) - dX%d = -1.5*(x%d - X%d)",
            i, i, i, i);
        for (int j = 1; j <= N; j++)
            put(w, " + (%g)*(x%d - X%d)", pick(w), j, j);
        for (int k = 0; k < M; k++)
            put(w, " + (%g)*(l%d - L%d)", g[k][i - 1], k + 1, k + 1);
        put(w, ";\n");
    }
    for (int k = 0; k < M; k++) {
        put(w, "  0 = 0*time");
        for (int i = 0; i < N; i++)
            put(w, " + (%g)*(x%d - X%d)", g[k][i], i + 1, i + 1);
        put(w, ";\n");
    }
}

static void write_system(Writer *w, int index)
{
    put(w, "model M\n");
    put_functions(w, index);
    put(w, "equation\n");
    put_equations(w, index);
    put(w, "end M;\n");
}

static double last_of(const char *path, const char *name)
{
    static char header[20000], line[20000], last[20000];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(header, sizeof header, f));
    while (fgets(line, sizeof line, f))
        strcpy(last, line);
    fclose(f);
    char *hs, *vs;
    for (char *h = strtok_r(header, ",\r\n", &hs), *v = strtok_r(last, ",\r\n", &vs); h && v;
         h = strtok_r(NULL, ",\r\n", &hs), v = strtok_r(NULL, ",\r\n", &vs))
        if (!strcmp(h, name))
            return strtod(v, NULL);
    return NAN;
}

static void run_system(int index, uint64_t seed)
{
    static Writer w;
    w.n = 0;
    w.seed = seed;
    write_system(&w, index);
    Kairos *k = kairos_open();
    assert_int_equal(kairos_load_text(k, "M.mo", w.text, w.n), KAIROS_OK);
    KairosModel *m = kairos_compile_model(k, NULL, NULL);
    KairosRun run = {.size = sizeof run, .output = "index.csv", .tolerance = 1e-9};
    int status = m ? kairos_simulate_model(m, &run) : -1;
    if (status != KAIROS_OK)
        print_message("%s\n%s", w.text, kairos_render_messages(k, KAIROS_TEXT));
    assert_int_equal(status, KAIROS_OK);
    double x = last_of("index.csv", "err"), l = last_of("index.csv", "lerr");
    if (!(x < 1e-5 && l < 1e-4))
        print_message("index %d, seed %u: errors %g, %g\n%s", index, (unsigned)seed, x, l, w.text);
    assert_true(x < 1e-5 && l < 1e-4);
    kairos_free_model(m);
    kairos_close(k);
}

static void index_two(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++)
        run_system(2, seed);
}

static void index_three(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++)
        run_system(3, 100 + seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(index_two), cmocka_unit_test(index_three)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

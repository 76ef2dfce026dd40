/* Names, maps, paths, files as texts, places, diagnostics, decimal numbers, patterns, snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/atomic_file.h"
#include "base/context.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/snapshot.h"
#include "base/text.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void names_are_interned(void **state)
{
    (void)state;
    Names *t = names_new();
    Name first = name_of(t, "resistor");
    char buf[32];
    for (int i = 0; i < 5000; i++)
        name_intern(t, buf, (size_t)snprintf(buf, sizeof buf, "x%d", i));
    assert_ptr_equal(first, name_of(t, "resistor"));
    assert_ptr_equal(first, name_intern(t, "resistors", 8));
    assert_null(name_find(t, "capacitor", 9));
    names_free(t);
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(name_distance("kitten", "sitting", 5), 3);
    assert_int_equal(name_distance("abc", "abc", 3), 0);
    assert_int_equal(name_distance("abc", "xyzuvw", 2), 3);
    assert_int_equal(name_distance("r", "R", 1), 0);
}

static void maps_grow(void **state)
{
    (void)state;
    Map m = {0};
    assert_int_equal(map_get(&m, 7), MAP_NONE);
    for (uint32_t i = 0; i < 10000; i++)
        map_put(&m, (uint64_t)i * 4096, i);
    map_put(&m, 4096, 99);
    assert_int_equal(m.n, 10000);
    assert_int_equal(map_get(&m, 4096), 99);
    assert_int_equal(map_get(&m, UINT64_C(9999) * 4096), 9999);
    assert_int_equal(map_get(&m, 1), MAP_NONE);
    map_free(&m);
}

static void paths_print(void **state)
{
    (void)state;
    Names *names = names_new();
    Paths *p = paths_new();
    int32_t subs[] = {2, 13};
    PathId a = path_make(p, 0, name_of(names, "a"), NULL, 0);
    PathId b = path_make(p, a, name_of(names, "b"), subs, 2),
           c = path_make(p, b, name_of(names, "c"), NULL, 0);
    assert_int_equal(c, path_make(p, path_make(p, a, name_of(names, "b"), subs, 2),
                                  name_of(names, "c"), NULL, 0));
    Arena *arena = arena_new();
    assert_string_equal(path_text(p, c, arena), "a.b[2,13].c");
    assert_string_equal(path_element(p, c, (int64_t[]){7}, 1, arena), "a.b[2,13].c[7]");
    arena_free(arena);
    paths_free(p);
    names_free(names);
}

static void places_count_characters(void **state)
{
    (void)state;
    Sources *s = sources_new();
    const char text[] = "\xEF\xBB\xBF"
                        "a\r\n\xC3\xA4\xC3\xB6x\rlast";
    uint32_t file = sources_add(s, "f.mo", text, sizeof text - 1);
    Place x = source_place(s, (Span){file, 7, 8});
    assert_int_equal(x.line, 2);
    assert_int_equal(x.column, 3);
    assert_int_equal(source_place(s, (Span){file, 9, 9}).line, 3);
    size_t n;
    assert_memory_equal(source_line(s, file, 3, &n), "last", 4);
    assert_int_equal(n, 4);
    sources_free(s);
}

static void diagnostics_render(void **state)
{
    (void)state;
    Context *ctx = context_new();
    uint32_t file = sources_add(ctx->sources, "m.mo", "model M\n\tReal x = y;\nend M;\n", 28);
    diag(ctx, (Span){file, 18, 19}, DIAG_I001, "there is no '%s' in M", "y");
    diag_note(ctx, (Span){0}, "did you mean 'x'?");
    diag(ctx, (Span){file, 18, 19}, DIAG_I001, "there is no '%s' in M", "y");
    assert_int_equal(ctx->n_errors, 1);
    Arena *arena = arena_new();
    assert_string_equal(diag_render(ctx, DIAG_TEXT, false, arena),
                        "m.mo:2:11: error[I001]: there is no 'y' in M\n"
                        "\tReal x = y;\n"
                        "\t         ^\n"
                        "note: did you mean 'x'?\n"
                        "note: Modelica 3.6, section 5.3\n");
    char *json = diag_render(ctx, DIAG_JSON, false, arena);
    assert_non_null(strstr(json, "\"code\":\"I001\",\"message\":\"there is no 'y' in "
                                 "M\",\"file\":\"m.mo\",\"line\":2,\"column\":11"));
    arena_free(arena);
    context_free(ctx);
}

static void print_is(double x, const char *text)
{
    char buf[REAL_TEXT];
    assert_int_equal(real_print(buf, x), strlen(text));
    assert_string_equal(buf, text);
}

static void reals_print_short(void **state)
{
    (void)state;
    print_is(0.1, "0.1");
    print_is(-2.5, "-2.5");
    print_is(100, "100");
    print_is(1e23, "1e23");
    print_is(5e-324, "5e-324");
    print_is(DBL_MAX, "1.7976931348623157e308");
    print_is(0.3 - 0.2, "0.09999999999999998");
    print_is(NAN, "nan");
    print_is(-INFINITY, "-inf");
}

/* For any bits: reading gives the number back, and no shorter text does. */
static void reals_read_back(void **state)
{
    (void)state;
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        char buf[REAL_TEXT], shorter[40];
        real_print(buf, x);
        assert_true(strtod(buf, NULL) == x);
        size_t digits = 0;
        for (const char *p = buf; *p && *p != 'e'; p++)
            digits += *p >= '0' && *p <= '9';
        snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, x);
        if (digits > 1 && fabs(x) > 1e20)
            assert_true(strtod(shorter, NULL) != x);
    }
}

static void hungry(void *arg)
{
    (void)arg;
    memory_alloc(SIZE_MAX / 2);
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_false(memory_guard(hungry, NULL));
}

/* Notes carry their contents to programs; a fork hands them on. */
static void facts_render(void **state)
{
    (void)state;
    Context *ctx = context_new(), *fork = context_fork(ctx);
    Arena *arena = arena_new();
    diag(fork, (Span){0}, DIAG_R001, "a system is singular");
    diag_fact(fork, (Span){0}, (DiagFact){.kind = FACT_BLOCK, .count = 2}, "in a block of 2");
    diag_fact(fork, (Span){0},
              (DiagFact){.kind = FACT_EQUATION, .name = "x = y", .value = 0.5, .start = NAN},
              "one");
    diag_fact(fork, (Span){0},
              (DiagFact){.kind = FACT_VARIABLE, .name = "x", .value = NAN, .start = 3}, "two");
    context_join(fork);
    char *json = diag_render(ctx, DIAG_JSON, false, arena);
    assert_non_null(strstr(json, "{\"message\":\"in a block of 2\",\"block\":2}"));
    assert_non_null(strstr(json, "{\"message\":\"one\",\"equation\":\"x = y\",\"residual\":0.5}"));
    assert_non_null(strstr(json, "{\"message\":\"two\",\"variable\":\"x\",\"start\":3}"));
    arena_free(arena);
    context_free(ctx);
}

static void files_become_texts(void **state)
{
    (void)state;
    FILE *f = tmpfile();
    Text t = {0};
    assert_true(text_read(&t, f, 10));
    assert_string_equal(t.at, ""); /* also for an empty file */
    for (int i = 0; i < 200000; i++)
        fputc(i % 7 ? 'a' : 0, f);
    rewind(f);
    text_put(&t, "before");
    assert_true(text_read(&t, f, 200000));
    assert_int_equal(t.n, 200006);
    assert_int_equal(t.at[t.n - 1], 'a');
    rewind(f);
    assert_false(text_read(&t, f, 199999));
    assert_int_equal(errno, EFBIG);
    fclose(f);
    assert_false(text_read_file(&t, "/", 10));
    assert_int_equal(errno, EISDIR);
    text_free(&t);
    assert_false(text_read_file(&t, "no such file", 10));
    assert_int_equal(errno, ENOENT);
}

static void patterns_match(void **state)
{
    (void)state;
    assert_true(pattern_names("*", ""));
    assert_true(pattern_names("a.*.v", "a.b.c.v"));
    assert_true(pattern_names("*ab", "aab")); /* the first b is too early */
    assert_true(pattern_names("r[?].i", "r[2].i"));
    assert_false(pattern_names("r[?].i", "r[12].i"));
    assert_false(pattern_names("a", "ab"));
    assert_false(pattern_names("a?", "a"));
    assert_false(pattern_names("", "a"));
}

typedef struct Stored {
    double x;
    uint32_t counts[3], n;
} Stored;

static void store(Snapshot *p, Stored *s)
{
    snapshot_expect(p, 42);
    snapshot_value(p, s->x);
    s->n = snapshot_count(p, s->n, 3);
    snapshot_array(p, s->counts, s->n);
}

static void snapshots_read_back(void **state)
{
    (void)state;
    Snapshot written = {0};
    store(&written, &(Stored){0.1, {7, 8, 9}, 2});
    Stored got = {0};
    Snapshot p = {.reading = true, .at = written.at, .n = written.n};
    store(&p, &got);
    assert_false(p.bad);
    assert_true(got.x == 0.1 && got.n == 2 && got.counts[1] == 8 && got.counts[2] == 0);
    for (size_t n = 0; n < written.n; n++) { /* cut short */
        p = (Snapshot){.reading = true, .at = written.at, .n = n};
        got = (Stored){0};
        store(&p, &got);
        assert_true(p.bad);
        assert_true(got.n <= 3);
    }
    p = (Snapshot){.reading = true, .at = written.at, .n = written.n};
    snapshot_expect(&p, 43);
    assert_true(p.bad);
    snapshot_free(&written);
}

static unsigned n_masks;

/* In place of the C library's. */
mode_t umask(mode_t mask)
{
    n_masks++;
    return (mode_t)syscall(SYS_umask, mask);
}

/* New files have the mode that the mask allows, a file that is replaced keeps its own. The mask is
 * never changed: files of other threads would get the wrong one meanwhile. */
static void modes_of_files(void **state)
{
    (void)state;
    struct stat st;
    mode_t old = umask(077);
    n_masks = 0;
    assert_true(atomic_save("saved", "x", 1, false));
    assert_true(!stat("saved", &st) && (st.st_mode & 0777) == 0600);
    assert_int_equal(chmod("saved", 0646), 0);
    assert_true(atomic_save("saved", "y", 1, false));
    assert_true(!stat("saved", &st) && (st.st_mode & 0777) == 0646);
    assert_int_equal(n_masks, 0);
    umask(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_interned),
        cmocka_unit_test(distances),
        cmocka_unit_test(maps_grow),
        cmocka_unit_test(paths_print),
        cmocka_unit_test(places_count_characters),
        cmocka_unit_test(diagnostics_render),
        cmocka_unit_test(facts_render),
        cmocka_unit_test(reals_print_short),
        cmocka_unit_test(reals_read_back),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(files_become_texts),
        cmocka_unit_test(patterns_match),
        cmocka_unit_test(snapshots_read_back),
        cmocka_unit_test(modes_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Result files: written by us, read by us and by matio; the tube of compare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "plot/figure.h"

#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <unistd.h>

/* time, x, der(x), an alias y = -x, a parameter p; names that need quotes. */
static Columns sample_columns(Arena *arena)
{
    Columns c = {.arena = arena};
    vec_push(&c.list, ((Column){"x", 1, 1, false, "V", "a state", 0, 0}));
    vec_push(&c.list, ((Column){"der(x)", 2, 1, false, NULL, NULL, 0, 0}));
    vec_push(&c.list, ((Column){"m[1,2].y", 1, -1, false, NULL, NULL, 0, 0}));
    vec_push(&c.list, ((Column){"p", 3, 1, true, "kg", NULL, 0, 0}));
    return c;
}

static void write_sample(Context *ctx, const char *path)
{
    unlink(path);
    Arena *arena = arena_new();
    Columns c = sample_columns(arena);
    Writer *w = writer_open(ctx, path, &c);
    assert_non_null(w);
    assert_true(access(path, F_OK)); /* not there before it is complete */
    double v[] = {0, 0, 0, 7};
    for (int i = 0; i <= 10; i++) {
        v[0] = 0.1 * i;
        v[1] = sin(v[0]);
        v[2] = cos(v[0]);
        assert_true(writer_row(w, v));
    }
    assert_true(writer_close(w, v));
    assert_int_equal(access(path, F_OK), 0);
    vec_free(&c.list);
    arena_free(arena);
}

static void check_sample(const Table *t, bool with_parameter)
{
    assert_non_null(t);
    assert_int_equal(t->n_rows, 11);
    assert_int_equal(t->n_columns, with_parameter ? 4 : 3);
    assert_true(t->time[3] == 0.1 * 3);
    assert_true(t->columns[table_find(t, "x")][5] == sin(0.5));
    assert_true(t->columns[table_find(t, "m[1, 2].y")][5] == -sin(0.5));
    if (with_parameter) {
        assert_true(t->columns[table_find(t, "p")][0] == 7);
        assert_string_equal(t->units[table_find(t, "x")], "V");
    }
    assert_int_equal(table_find(t, "z"), NONE);
}

static void csv_reads_back(void **state)
{
    (void)state;
    Context *ctx = context_new();
    write_sample(ctx, "sample.csv");
    Table *t = table_read(ctx, "sample.csv");
    check_sample(t, false);
    table_free(t);
    FILE *f = fopen("sample.csv", "rb");
    char line[80];
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "time,x,der(x),\"m[1,2].y\"\r\n");
    fclose(f);
    context_free(ctx);
}

static void mat_reads_back(void **state)
{
    (void)state;
    Context *ctx = context_new();
    write_sample(ctx, "sample.mat");
    Table *t = table_read(ctx, "sample.mat");
    check_sample(t, true);
    table_free(t);
    context_free(ctx);
}

/* An independent reader finds the matrices that Dymola and OpenModelica write. */
static void mat_is_understood_by_matio(void **state)
{
    (void)state;
    Context *ctx = context_new();
    write_sample(ctx, "sample.mat");
    mat_t *mat = Mat_Open("sample.mat", MAT_ACC_RDONLY);
    assert_non_null(mat);
    matvar_t *info = Mat_VarRead(mat, "dataInfo"), *data = Mat_VarRead(mat, "data_2"),
             *names = Mat_VarRead(mat, "name");
    assert_int_equal(info->dims[0], 4);
    assert_int_equal(info->dims[1], 5);
    assert_int_equal(data->dims[0], 4); /* time, x, der(x), y */
    assert_int_equal(data->dims[1], 11);
    assert_int_equal(names->dims[1], 5);
    const double *x = data->data;
    assert_true(x[4 * 5 + 1] == sin(0.5));
    Mat_VarFree(info);
    Mat_VarFree(data);
    Mat_VarFree(names);
    Mat_Close(mat);
    context_free(ctx);
}

static Table *make_table(double (*f)(double), int n, double shift)
{
    Table *t = memory_alloc(sizeof *t);
    t->arena = arena_new();
    t->path = "made";
    t->n_rows = (uint32_t)n + 1;
    t->n_columns = 1;
    t->time = ARENA_ARRAY(t->arena, double, n + 1);
    t->columns = ARENA_ARRAY(t->arena, double *, 1);
    t->columns[0] = ARENA_ARRAY(t->arena, double, n + 1);
    t->names = ARENA_ARRAY(t->arena, const char *, 1);
    t->names[0] = "y";
    for (int i = 0; i <= n; i++) {
        t->time[i] = 10.0 * i / n;
        t->columns[0][i] = f(t->time[i] - shift);
    }
    return t;
}

static double step(double t)
{
    return t >= 5 ? 1 : 0;
}

static bool alike(double (*f)(double), double (*g)(double), double shift)
{
    Context *ctx = context_new();
    Arena *arena = arena_new();
    Table *a = make_table(f, 977, shift), *b = make_table(g, 1000, 0);
    char *report;
    bool ok = compare_tables(ctx, a, b, &(CompareOptions){0}, &report, arena);
    table_free(a);
    table_free(b);
    arena_free(arena);
    context_free(ctx);
    return ok;
}

static double off(double t)
{
    return sin(t) + (t > 7 && t < 7.1 ? 0.02 : 0);
}

static void tube_tells_apart(void **state)
{
    (void)state;
    assert_true(alike(sin, sin, 0));
    assert_true(alike(sin, sin, 0.001));
    assert_false(alike(sin, sin, 0.1));
    assert_false(alike(off, sin, 0));
    assert_true(alike(step, step, 0.015));
    assert_false(alike(step, step, 0.2));
}

static void bad_files_are_told(void **state)
{
    (void)state;
    Context *ctx = context_new();
    assert_null(table_read(ctx, "missing.csv"));
    FILE *f = fopen("bad.csv", "w");
    fputs("time,x\n0,1\n1,fish\n", f);
    fclose(f);
    assert_null(table_read(ctx, "bad.csv"));
    f = fopen("bad.mat", "w");
    fputs("not a matrix at all, but long enough to look at", f);
    fclose(f);
    assert_null(table_read(ctx, "bad.mat"));
    Columns c = {0};
    assert_null(writer_open(ctx, "no/such/folder/r.csv", &c));
    assert_null(writer_open(ctx, "r.xyz", &c));
    assert_int_equal(ctx->n_errors, 5);
    context_free(ctx);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    Context *ctx = context_new();
    Arena *arena = arena_new();
    Columns c = sample_columns(arena);
    symlink("/dev/full", "full.csv");
    Writer *w = writer_open(ctx, "full.csv", &c);
    assert_non_null(w);
    double v[] = {0, 0, 0, 7};
    writer_row(w, v);
    assert_false(writer_close(w, v));
    assert_int_equal(ctx->n_errors, 1);
    vec_free(&c.list);
    arena_free(arena);
    context_free(ctx);
}

/* ---- fewer rows ---- */

/* 1000 rows, all zero but for a peak, a dip, a jump of two rows at one time and the last one. */
static void reduction_keeps_peaks_and_jumps(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N], y[N] = {0};
    uint32_t rows[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    x[601] = x[600]; /* an event: two rows at one time */
    y[333] = 5;
    y[337] = -4;
    for (int i = 601; i < N; i++)
        y[i] = 2;
    y[N - 1] = 2.5;
    uint32_t n = plot_reduce(x, y, N, 10, rows);
    assert_true(n <= 40 + 4);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[n - 1], N - 1);
    bool seen[N] = {false};
    for (uint32_t i = 0; i < n; i++) {
        assert_true(!i || rows[i] > rows[i - 1]);
        seen[rows[i]] = true;
    }
    assert_true(seen[333] && seen[337] && seen[N - 1]);
    double last = 0; /* of the rows up to the event */
    for (uint32_t i = 0; i < n && rows[i] <= 600; i++)
        last = y[rows[i]];
    assert_true(last == 0);
    for (uint32_t i = 0; i < n; i++)
        assert_true(rows[i] < 601 || y[rows[i]] >= 2);
}

static void reduction_of_few_rows_and_gaps(void **state)
{
    (void)state;
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, y[] = {1, NAN, 3, NAN, -1, 0, 7, NAN, 2, 2};
    uint32_t rows[10];
    assert_int_equal(plot_reduce(x, y, 10, 3, rows), 10); /* no fewer */
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(rows[i], i);
    /* two parts, [0, 4.5) and [4.5, 9]; the second one also holds the end of x */
    uint32_t n = plot_reduce(x, y, 10, 2, rows);
    bool seen[10] = {false};
    for (uint32_t i = 0; i < n; i++)
        seen[rows[i]] = true;
    assert_true(n < 10 && seen[0] && seen[2] && seen[4] && seen[6] && seen[9]);
}

/* ---- axes ---- */

typedef struct Ticks {
    uint32_t n;
    double at[32];
    char text[32][32];
} Ticks;

static void take_tick(void *user, double value, const char *text)
{
    Ticks *t = user;
    assert_true(t->n < 32);
    t->at[t->n] = value;
    strcpy(t->text[t->n++], text);
}

/* Ticks are multiples of 1, 2 or 5 times a power of ten, within the range, about as many as asked.
 */
static void check_ticks(double lo, double hi, double first, double step, const char *text)
{
    Ticks t = {0};
    plot_ticks(lo, hi, false, 5, take_tick, &t);
    assert_in_range(t.n, 3, 11);
    assert_true(fabs(t.at[0] - first) <= 1e-9 * step);
    for (uint32_t i = 1; i < t.n; i++)
        assert_true(fabs(t.at[i] - t.at[i - 1] - step) <= 1e-9 * step);
    assert_true(t.at[t.n - 1] <= hi + 1e-6 * step && t.at[t.n - 1] > hi - step);
    assert_string_equal(t.text[0], text);
}

static void ticks_are_round_numbers(void **state)
{
    (void)state;
    check_ticks(0, 10, 0, 2, "0");
    check_ticks(0.3, 0.82, 0.3, 0.1, "0.3");
    check_ticks(-1, 1, -1, 0.5, "-1.0");
    check_ticks(1234, 1239, 1234, 1, "1234");
    assert_true(plot_share(5, 0, 20, false) == 0.25);
    assert_true(fabs(plot_share(10, 1, 1000, true) - 1.0 / 3) < 1e-15);
    assert_true(plot_share(-3, 1, 1000, true) < 0); /* below any logarithm */
}

/* ---- other files ---- */

static Table *read_text(Context *ctx, const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    return table_read(ctx, path);
}

static void csv_of_others(void **state)
{
    (void)state;
    Context *ctx = context_new();
    Table *t = read_text(ctx, "o.csv", "\"time\";\"a \"\"b\"\"\";c\n0;1e3;nan\n0.5;-.25;+Inf\n");
    assert_non_null(t);
    assert_int_equal(t->n_rows, 2);
    assert_int_equal(t->n_columns, 2);
    assert_string_equal(t->names[0], "a \"b\"");
    assert_true(t->time[1] == 0.5 && t->columns[0][0] == 1000 && t->columns[0][1] == -0.25);
    assert_true(isnan(t->columns[1][0]) && isinf(t->columns[1][1]));
    table_free(t);
    assert_null(read_text(ctx, "short.csv", "time,a\n0,1\n1\n"));
    assert_null(read_text(ctx, "empty.csv", ""));
    assert_int_equal(ctx->n_errors, 2);
    context_free(ctx);
}

/* Units that are not in a CSV file are in the file beside it. */
static void metadata_read_back(void **state)
{
    (void)state;
    Context *ctx = context_new();
    Arena *arena = arena_new();
    Columns c = sample_columns(arena);
    write_sample(ctx, "m.csv");
    assert_true(metadata_write(ctx, "m.csv", &c, "Model \"M\""));
    Table *t = table_read(ctx, "m.csv");
    assert_string_equal(t->units[table_find(t, "x")], "V");
    assert_null(t->units[table_find(t, "der(x)")]);
    assert_string_equal(t->title, "Model \"M\"");
    table_free(t);
    vec_free(&c.list);
    arena_free(arena);
    context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(mat_reads_back),
        cmocka_unit_test(mat_is_understood_by_matio),
        cmocka_unit_test(tube_tells_apart),
        cmocka_unit_test(bad_files_are_told),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(reduction_keeps_peaks_and_jumps),
        cmocka_unit_test(reduction_of_few_rows_and_gaps),
        cmocka_unit_test(ticks_are_round_numbers),
        cmocka_unit_test(csv_of_others),
        cmocka_unit_test(metadata_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

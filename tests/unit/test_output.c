/* Result files: written by us, read by us and by matio; the tube of compare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "output/output.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(mat_reads_back),
        cmocka_unit_test(mat_is_understood_by_matio),
        cmocka_unit_test(tube_tells_apart),
        cmocka_unit_test(bad_files_are_told),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

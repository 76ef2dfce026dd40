/* Tiers: the code changes in the middle of a run, and no bit of the result changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "compile.h"
#include "run_sim.h"

#include <string.h>
#include <unistd.h>

/* A loop of equations, an event, functions of the C library, powers. */
static const char model[] =
    "model M\n"
    "  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), a, b;\n"
    "  Real z(start = 1);\n"
    "equation\n"
    "  der(x) = -sin(x)*y + 0.1*cos(3*time);\n"
    "  der(y) = if x > 0.3 then x^3 - y else exp(-y^2) - 2*y;\n"
    "  a + 2*b = x; a*(1 + x^2) - b = y^5;\n"
    "  z + 0.1*sin(z) = x + y^1.5;\n"
    "end M;\n";

typedef struct Rows {
    VEC(double) all;
    size_t n_vars;
    Compilation *c;
    LoadJob *job;
    Loaded *better;
    int asked, change_at; /* polls */
} Rows;

static bool keep(void *user, const double *v)
{
    Rows *r = user;
    for (size_t i = 0; i < r->n_vars; i++)
        vec_push(&r->all, v[i]);
    return true;
}

/* Better code from poll `change_at` on. */
static const ModelCode *poll_code(void *user, double done)
{
    Rows *r = user;
    assert_true(done >= 0 && done <= 1);
    return ++r->asked >= r->change_at ? load_code(r->better) : load_code(r->c->loaded);
}

static void run(Rows *r, Compilation *c, int change_at)
{
    r->c = c;
    r->n_vars = c->plan->dae->vars.n;
    r->change_at = change_at;
    SimTier tier = {r, poll_code};
    SimOptions o = {.stop = 60,
                    .intervals = 100,
                    .tolerance = 1e-8,
                    .solver = "cvode",
                    .tier = change_at ? &tier : NULL};
    ResultSink sink = {r, keep, ROW_ALL};
    assert_int_equal(run_sim(c->ctx, c->plan, load_code(c->loaded), &o, &sink, NULL, NULL),
                     SIM_DONE);
}

static void wait_for(Rows *r, const char *text)
{
    r->job = load_begin(text);
    assert_non_null(r->job);
    while (!load_poll(r->job, &r->better))
        usleep(1000);
    assert_non_null(r->better);
    load_end(r->job);
}

static void code_changes_no_bit_does(void **state)
{
    (void)state;
    Context *ctx = context_new();
    Graph *g = graph_new(ctx);
    Library *lib = library_new(ctx, g);
    assert_true(library_add_source(lib, sources_add(ctx->sources, "m.mo", model, strlen(model))));
    Compilation c = {
        .ctx = ctx, .library = lib, .model = library_find_model(lib, "M"), .tier = LOAD_TCC};
    assert_true(compile_model(&c, PHASE_LOAD));
    Rows stays = {0}, changes = {0};
    run(&stays, &c, 0);
    wait_for(&changes, c.code);
    run(&changes, &c, 3);
    assert_true(changes.asked > 5);
    assert_int_equal(stays.all.n, changes.all.n);
    assert_memory_equal(stays.all.at, changes.all.at, stays.all.n * sizeof *stays.all.at);
    vec_free(&stays.all);
    vec_free(&changes.all);
    load_free(changes.better);
    compile_free(&c);
    library_free(lib);
    graph_free(g);
    context_free(ctx);
}

static void a_text_that_does_not_compile_is_silent(void **state)
{
    (void)state;
    LoadJob *j = load_begin("this is no C\n");
    Loaded *l;
    assert_non_null(j);
    while (!load_poll(j, &l))
        usleep(1000);
    assert_null(l);
    load_end(j);
    load_end(load_begin("int f(void) { return 1; }\n")); /* ended at once */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_changes_no_bit_does),
        cmocka_unit_test(a_text_that_does_not_compile_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Structs that callers fill in: those of older and newer programs, and those without a size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kairos.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] = "model M\n"
                            "  Real x(start = 1, fixed = true);\n"
                            "equation\n"
                            "  der(x) = -x;\n"
                            "end M;\n";

typedef struct Session {
    Kairos *k;
    KairosModel *m;
} Session;

/* Calls of the library with a struct. Each returns a status. */

static int run(Session *s, const void *given)
{
    return kairos_simulate_model(s->m, given);
}

static int report(Session *s, const void *given)
{
    return kairos_report_model(s->m, given, "structs.html");
}

static int compile(Session *s, const void *given)
{
    KairosModel *m = kairos_compile_model(s->k, "M", given);
    assert_int_equal(m != NULL, kairos_compile_status(s->k) == KAIROS_OK);
    kairos_free_model(m);
    return kairos_compile_status(s->k);
}

static int dump(Session *s, const void *given)
{
    char *text = kairos_dump_phase(s->k, "M", "dae", given);
    assert_int_equal(text != NULL, kairos_compile_status(s->k) == KAIROS_OK);
    kairos_free_text(text);
    return kairos_compile_status(s->k);
}

static int check_model(Session *s, const void *given)
{
    return kairos_check_model(s->k, "M", given);
}

static int check_classes(Session *s, const void *given)
{
    return kairos_check_classes(s->k, NULL, given);
}

static int describe(Session *s, const void *given)
{
    char *text = kairos_describe_equations(s->k, "M", given);
    kairos_free_text(text);
    return text ? KAIROS_OK : KAIROS_USE_ERROR;
}

static int plot_text(Session *s, const void *given)
{
    char *text = kairos_plot_text(s->k, "structs.csv", given, 40, 10, 0);
    kairos_free_text(text);
    return text ? KAIROS_OK : KAIROS_USE_ERROR;
}

static int compare(Session *s, const void *given)
{
    return kairos_compare_results(s->k, "structs.csv", "structs.csv", given, NULL);
}

static int export_fmu(Session *s, const void *given)
{
    return kairos_export_fmu(s->k, "M", given);
}

static int linearize(Session *s, const void *given)
{
    return kairos_linearize_model(s->m, NULL, given, NULL);
}

static int find_steady(Session *s, const void *given)
{
    return kairos_steady(s->m, NULL, given, NULL);
}

/* These calls need names. Without them, they refuse a struct that they can read. */
static int without_names(Session *s, int status)
{
    char *messages = kairos_render_messages(s->k, KAIROS_TEXT);
    bool read = status == KAIROS_USE_ERROR && strstr(messages, "error[U008]: name") &&
                !strstr(messages, "error[U014]");
    kairos_free_text(messages);
    if (read)
        kairos_clear_messages(s->k);
    return read ? KAIROS_OK : status;
}

static int differentiate(Session *s, const void *given)
{
    return without_names(s, kairos_sensitivities(s->m, NULL, given, NULL));
}

static int fit(Session *s, const void *given)
{
    return without_names(s, kairos_fit_model(s->m, NULL, given, NULL));
}

static int optimize(Session *s, const void *given)
{
    return without_names(s, kairos_optimize_model(s->m, NULL, given, NULL));
}

static const struct Call {
    const char *type;
    int (*make)(Session *s, const void *given);
    size_t size;  /* of the struct */
    size_t first; /* end of its first member behind the size */
} calls[] = {
    {"KairosRun", run, sizeof(KairosRun), offsetof(KairosRun, stop_time)},
    {"KairosRun", report, sizeof(KairosRun), offsetof(KairosRun, stop_time)},
    {"KairosCompile", compile, sizeof(KairosCompile), offsetof(KairosCompile, emit_c)},
    {"KairosCompile", dump, sizeof(KairosCompile), offsetof(KairosCompile, emit_c)},
    {"KairosCompile", check_model, sizeof(KairosCompile), offsetof(KairosCompile, emit_c)},
    {"KairosCompile", check_classes, sizeof(KairosCompile), offsetof(KairosCompile, emit_c)},
    {"KairosCompile", describe, sizeof(KairosCompile), offsetof(KairosCompile, emit_c)},
    {"KairosLinearize", linearize, sizeof(KairosLinearize), offsetof(KairosLinearize, n_at)},
    {"KairosSteady", find_steady, sizeof(KairosSteady), offsetof(KairosSteady, output)},
    {"KairosSensitivities", differentiate, sizeof(KairosSensitivities),
     offsetof(KairosSensitivities, n_of)},
    {"KairosOptimize", optimize, sizeof(KairosOptimize), offsetof(KairosOptimize, over)},
    {"KairosFit", fit, sizeof(KairosFit), offsetof(KairosFit, n_data)},
    {"KairosFmu", export_fmu, sizeof(KairosFmu), offsetof(KairosFmu, version)},
    {"KairosPlot", plot_text, sizeof(KairosPlot), offsetof(KairosPlot, n_variables)},
    {"KairosCompare", compare, sizeof(KairosCompare), offsetof(KairosCompare, time_tolerance)},
};

enum { N_CALLS = sizeof calls / sizeof *calls, ROOM = 8192 };

static int open_session(void **state)
{
    static Session s;
    s.k = kairos_open();
    assert_int_equal(kairos_load_text(s.k, "text.mo", model, strlen(model)), KAIROS_OK);
    s.m = kairos_compile_model(s.k, "M", NULL);
    assert_non_null(s.m);
    KairosRun how = {.size = sizeof how, .output = "structs.csv"};
    assert_int_equal(kairos_simulate_model(s.m, &how), KAIROS_OK);
    *state = &s;
    return 0;
}

static int close_session(void **state)
{
    Session *s = *state;
    kairos_free_model(s->m);
    kairos_close(s->k);
    return 0;
}

/* A struct of `size` bytes, zero up to `zeros`, garbage from there on. */
static const void *make_struct(size_t size, size_t zeros)
{
    static _Alignas(16) char bytes[ROOM];
    memset(bytes, 0, sizeof bytes);
    memset(bytes + zeros, 0xa5, sizeof bytes - zeros);
    memcpy(bytes, &size, sizeof size);
    return bytes;
}

static void expect_error(Session *s, const struct Call *c, const void *given, const char *part)
{
    assert_int_equal(c->make(s, given), KAIROS_USE_ERROR);
    char *messages = kairos_render_messages(s->k, KAIROS_TEXT);
    assert_non_null(strstr(messages, "error[U014]"));
    assert_non_null(strstr(messages, c->type));
    assert_non_null(strstr(messages, part));
    kairos_free_text(messages);
    kairos_clear_messages(s->k);
    /* the error has no lasting effect: the next call succeeds */
    assert_int_equal(c->make(s, NULL), KAIROS_OK);
    kairos_clear_messages(s->k);
}

static void an_older_struct_lacks_members(void **state)
{
    for (int i = 0; i < N_CALLS; i++) {
        const struct Call *c = &calls[i];
        assert_int_equal(c->make(*state, make_struct(sizeof(size_t), sizeof(size_t))), KAIROS_OK);
        assert_int_equal(c->make(*state, make_struct(c->first, c->first)), KAIROS_OK);
        assert_int_equal(c->make(*state, make_struct(c->size, c->size)), KAIROS_OK);
    }
}

static void a_newer_struct_may_have_zeros(void **state)
{
    for (int i = 0; i < N_CALLS; i++) {
        const struct Call *c = &calls[i];
        size_t newer = c->size + 64;
        assert_int_equal(c->make(*state, make_struct(newer, newer)), KAIROS_OK);
        expect_error(*state, c, make_struct(newer, newer - 1), "does not know");
        expect_error(*state, c, make_struct(newer, c->size), "use a newer library");
    }
}

static void a_struct_says_its_size(void **state)
{
    for (int i = 0; i < N_CALLS; i++) {
        const struct Call *c = &calls[i];
        expect_error(*state, c, make_struct(0, c->size), "'size' of");
        expect_error(*state, c, make_struct(sizeof(size_t) - 1, c->size), ".size = sizeof x");
        expect_error(*state, c, make_struct((size_t)-1, c->size), "'size' of"); /* no size at all */
    }
}

/* The members that an older struct has do count. */
static void an_older_struct_is_read(void **state)
{
    Session *s = *state;
    _Alignas(16) char bytes[sizeof(KairosRun)];
    double stop = 3, last = 0;
    KairosRun how = {.size = offsetof(KairosRun, describe), .stop_time = &stop, .output = "o.csv"};
    memcpy(bytes, &how, sizeof bytes);
    memset(bytes + how.size, 0xa5, sizeof bytes - how.size);
    assert_int_equal(kairos_simulate_model(s->m, (const KairosRun *)(const void *)bytes),
                     KAIROS_OK);
    FILE *f = fopen("o.csv", "r");
    assert_non_null(f);
    for (char line[200]; fgets(line, sizeof line, f);)
        last = strtod(line, NULL);
    fclose(f);
    assert_float_equal(last, 3, 0);
    KairosCompile compile_with = {.size = offsetof(KairosCompile, emit_c), .compiler = "none"};
    assert_null(kairos_compile_model(s->k, "M", &compile_with));
    assert_int_equal(kairos_compile_status(s->k), KAIROS_USE_ERROR);
    kairos_clear_messages(s->k);
}

static void a_plot_needs_a_file(void **state)
{
    Session *s = *state;
    assert_int_equal(kairos_plot_result(s->k, "structs.csv", NULL), KAIROS_USE_ERROR);
    char *messages = kairos_render_messages(s->k, KAIROS_TEXT);
    assert_non_null(strstr(messages, "'output' of KairosPlot"));
    kairos_free_text(messages);
    kairos_clear_messages(s->k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_struct_lacks_members),
        cmocka_unit_test(a_newer_struct_may_have_zeros),
        cmocka_unit_test(a_struct_says_its_size),
        cmocka_unit_test(an_older_struct_is_read),
        cmocka_unit_test(a_plot_needs_a_file),
    };
    return cmocka_run_group_tests(tests, open_session, close_session);
}

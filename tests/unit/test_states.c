/* Saved states with a byte of another value: they are refused, or restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "api/state_header.h"

#include <stdlib.h>

/* A diode decides whether a current is a state. */
static const char switching[] =
    "model M\n"
    "  Real u, i(start = 0, fixed = true), v(start = 0, fixed = true), s;\n"
    "  Boolean off = s < 0;\n"
    "equation\n"
    "  u = if off then s else 0;\n"
    "  i = if off then 0 else s;\n"
    "  0.01*der(i) = 10*sin(314*time) - u - v;\n"
    "  0.001*der(v) = i - v/50;\n"
    "end M;\n";
/* The same with leaks, which solver auto integrates inline if that is faster. */
static const char leaking[] =
    "model M\n"
    "  Real u, i(start = 0, fixed = true), v(start = 0, fixed = true), s;\n"
    "  Boolean off = s < 0;\n"
    "equation\n"
    "  u = s*(if off then 1 else 1e-5);\n"
    "  i = s*(if off then 1e-5 else 1);\n"
    "  0.01*der(i) = 10*sin(314*time) - u - v;\n"
    "  0.001*der(v) = i - v/50;\n"
    "end M;\n";

static KairosModel *compile(Kairos *k, const char *text)
{
    KairosCompile how = {.size = sizeof how, .compiler = "tcc"};
    assert_int_equal(kairos_load_text(k, "M.mo", text, strlen(text)), KAIROS_OK);
    KairosModel *m = kairos_compile_model(k, "M", &how);
    assert_non_null(m);
    return m;
}

static KairosInstance *create(KairosModel *m, const char *structure)
{
    KairosRun run = {.size = sizeof run, .structure = structure};
    KairosInstance *i = kairos_create_instance(m, &run);
    assert_non_null(i);
    return i;
}

/* Each byte becomes each of a few values. */
static void forge(const char *text, const char *structure, double time)
{
    static const uint8_t values[] = {0, 1, 2, 0x7F, 0xFF};
    Kairos *k = kairos_open();
    KairosModel *m = compile(k, text);
    KairosInstance *i = create(m, structure);
    size_t n;
    unsigned restored = 0, refused = 0;
    assert_int_equal(kairos_initialize_instance(i), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(i, time, 0), KAIROS_OK);
    uint8_t *valid = kairos_save_state(i, &n);
    assert_non_null(valid);
    for (size_t at = 0; at + sizeof(uint64_t) < n; at++)
        for (unsigned v = 0; v < sizeof values; v++) {
            Snapshot p = {.n = n - sizeof(uint64_t), .cap = n, .at = malloc(n)};
            memcpy(p.at, valid, p.n);
            p.at[at] = values[v];
            state_seal(&p);
            bool ok = kairos_restore_state(i, p.at, p.n) == KAIROS_OK;
            *(ok ? &restored : &refused) += 1;
            snapshot_free(&p);
        }
    assert_true(restored > 0 && refused > 0);
    assert_int_equal(kairos_restore_state(i, valid, n), KAIROS_OK);
    kairos_free_state(valid);
    kairos_free_instance(i);
    kairos_free_model(m);
    kairos_close(k);
}

static void one_program(void **state)
{
    (void)state;
    forge(leaking, "single", 0.012);
}

static void programs_of_modes(void **state)
{
    (void)state;
    forge(switching, "modes", 0.002);
    forge(switching, "modes", 0.012);
}

static void inline_integration(void **state)
{
    (void)state;
    forge(leaking, "inline", 0.012);
}

static void a_choice_at_work(void **state)
{
    (void)state;
    forge(leaking, NULL, 0.002);
    forge(leaking, NULL, 0.015);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_program),
        cmocka_unit_test(programs_of_modes),
        cmocka_unit_test(inline_integration),
        cmocka_unit_test(a_choice_at_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

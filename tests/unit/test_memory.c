/* Memory that runs out in a public function: each allocation of each call fails once, and the call
 * returns. The program is linked with --wrap, so that malloc, calloc and realloc of the library
 * come here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kairos.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Allocations until one fails; 0: none does. All from there on fail if `for_good`. */
static long left;
static bool for_good, failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
/* Unfinished work is lost when memory runs out, so leaks are not reported. */
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

static bool fails(void)
{
    if (left == 0 || --left > 0)
        return false;
    left = for_good ? 1 : 0;
    failed = true;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}

static const char model[] = "model M\n"
                            "  parameter Integer n = 2;\n"
                            "  Real x[n](each start = 1, each fixed = true);\n"
                            "equation\n"
                            "  der(x) = -x;\n"
                            "end M;\n"
                            "package P\n"
                            "  connector C\n"
                            "    Real v;\n"
                            "    flow Real i;\n"
                            "  end C;\n"
                            "  partial model Q\n"
                            "    C c;\n"
                            "  end Q;\n"
                            "end P;\n";

static const KairosSetting three = {"n", "3"};
static const char *const others[] = {"memory.csv"};
static const KairosCompile how = {.size = sizeof how, .settings = &three, .n_settings = 1};
static const KairosPlot picture = {
    .size = sizeof picture, .output = "memory.html", .others = others, .n_others = 1};

/* Calls of public functions; true if memory ran out. Functions that return nothing leave a
 * message. */

static bool is_text(char *text)
{
    kairos_free_text(text);
    return text == NULL;
}

static bool has_message(Kairos *k)
{
    return kairos_count_errors(k) > 0;
}

static bool add_library(Kairos *k)
{
    kairos_add_library(k, "/no/such/folder");
    return has_message(k);
}

static bool use_libraries(Kairos *k)
{
    kairos_use_libraries(k);
    kairos_accept_compatible(k);
    return has_message(k);
}

static bool load_text(Kairos *k)
{
    return kairos_load_text(k, "again.mo", "model Again end Again;", 22) == KAIROS_FAILED;
}

static bool load_file(Kairos *k)
{
    return kairos_load_file(k, "memory.mo") == KAIROS_FAILED;
}

static bool find_library(Kairos *k)
{
    return is_text(kairos_find_library(k, NULL, NULL));
}

static bool list_libraries(Kairos *k)
{
    return is_text(kairos_list_libraries(k, KAIROS_JSON));
}

static bool explain_code(Kairos *k)
{
    return is_text(kairos_explain_code(k, "R006"));
}

static bool render_messages(Kairos *k)
{
    return is_text(kairos_render_messages(k, KAIROS_TEXT));
}

static bool dump_syntax(Kairos *k)
{
    return is_text(kairos_dump_phase(k, "M", "syntax", NULL));
}

static bool dump_modes(Kairos *k)
{
    return is_text(kairos_dump_phase(k, "M", "modes", NULL));
}

static bool dump_code(Kairos *k)
{
    return is_text(kairos_dump_phase(k, "M", "codegen", &how));
}

static bool translate(Kairos *k)
{
    return is_text(kairos_translate_file(k, "memory.mo"));
}

static bool format_source(Kairos *k)
{
    static const char text[] = "model F Real x( start=1 );equation x=1;end F;";
    return is_text(kairos_format_text(k, "f.mo", text, sizeof text - 1, 1));
}

static bool ask_text(Kairos *k)
{
    static const char text[] = "model F Real x(start=1);equation x=1;end F;";
    KairosQuestion q = {.size = sizeof q,
                        .about = "references",
                        .path = "f.mo",
                        .text = text,
                        .text_size = sizeof text - 1,
                        .character = 13};
    return is_text(kairos_ask_text(k, &q));
}

static bool edit_class(Kairos *k)
{
    static const char text[] = "model F Real x(start=1);equation x=1;end F;";
    KairosEdit e = {.size = sizeof e,
                    .path = "f.mo",
                    .text = text,
                    .text_size = sizeof text - 1,
                    .class_name = "F",
                    .operations = "[{\"op\":\"modify\",\"component\":\"x\",\"value\":\"2\"}]"};
    return is_text(kairos_edit_class(k, &e));
}

static bool describe_component(Kairos *k)
{
    return is_text(kairos_describe_component(k, "M", "x"));
}

static bool overlay_file(Kairos *k)
{
    return kairos_overlay_file(k, "memory.mo", "model F end F;", 14) == KAIROS_FAILED;
}

static bool read_ahead(Kairos *k)
{
    return kairos_read_ahead(k, "memory.mo") == 0;
}

static bool draw(Kairos *k)
{
    return is_text(kairos_draw_diagram(k, "M", KAIROS_DIAGRAM));
}

static bool draw_at(Kairos *k)
{
    const char *names[] = {"x"}, *values[] = {"1.5"};
    return is_text(kairos_draw_diagram_at(k, "M", KAIROS_DIAGRAM, names, values, 1));
}

static bool save_diagram(Kairos *k)
{
    return kairos_save_diagram(k, "M", KAIROS_ICON, "memory.svg") == KAIROS_FAILED;
}

static bool check_model(Kairos *k)
{
    return kairos_check_model(k, "M", &how) == KAIROS_FAILED;
}

static bool check_package(Kairos *k)
{
    return kairos_check_model(k, "P", NULL) == KAIROS_FAILED;
}

static bool load_class(Kairos *k)
{
    return kairos_load_class(k, "P.C") == KAIROS_FAILED;
}

static bool describe_file(Kairos *k)
{
    return is_text(kairos_describe_file(k));
}

static bool list_loaded(Kairos *k)
{
    return is_text(kairos_list_loaded(k));
}

static bool list_classes(Kairos *k)
{
    return is_text(kairos_list_classes(k, NULL));
}

static bool describe_class(Kairos *k)
{
    return is_text(kairos_describe_class(k, "M"));
}

static bool index_library(Kairos *k)
{
    return is_text(kairos_index_library(k, "P"));
}

static bool complete(Kairos *k)
{
    return is_text(kairos_complete_text(k, "text.mo", model, strlen(model), 5, 3));
}

static bool find_symbol(Kairos *k)
{
    return is_text(kairos_find_symbol(k, "text.mo", model, strlen(model), 5, 8));
}

static bool describe_equations(Kairos *k)
{
    return is_text(kairos_describe_equations(k, "M", &how));
}

static bool export_fmu(Kairos *k)
{
    KairosFmu fmu = {.size = sizeof fmu, .output = "memory.fmu", .compile = &how};
    return kairos_export_fmu(k, "M", &fmu) == KAIROS_FAILED;
}

/* The FMU of the call before. */
static bool load_fmu(Kairos *k)
{
    return kairos_load_fmu(k, "memory.fmu", NULL) == KAIROS_FAILED;
}

static bool check_description(Kairos *k)
{
    KairosFmuCheck check = {.size = sizeof check, .only_description = 1};
    return kairos_check_fmu(k, "memory.fmu", &check) == KAIROS_FAILED;
}

static bool import_fmu(Kairos *k)
{
    return is_text(kairos_import_fmu(k, "memory.fmu", NULL, "cs"));
}

static bool plot_page(Kairos *k)
{
    return kairos_plot_result(k, "memory.csv", &picture) == KAIROS_FAILED;
}

static bool plot_text(Kairos *k)
{
    return is_text(kairos_plot_text(k, "memory.csv", NULL, 40, 10, 1));
}

static bool compare(Kairos *k)
{
    char *report = NULL;
    int status = kairos_compare_results(k, "memory.csv", "memory.csv", NULL, &report);
    kairos_free_text(report);
    return status == KAIROS_FAILED;
}

static bool spectrum(Kairos *k)
{
    const char *variables[] = {"x"};
    KairosSpectrum s = {.size = sizeof s, .variables = variables, .n_variables = 1};
    char *report = NULL;
    int status = kairos_compute_spectrum(k, "memory.csv", &s, &report);
    kairos_free_text(report);
    return status == KAIROS_FAILED;
}

static bool compile(Kairos *k)
{
    KairosModel *m = kairos_compile_model(k, "M", &how);
    kairos_free_model(m);
    return m == NULL;
}

/* The folder has a package; adding it twice is allowed. */
static bool add_source(Kairos *k)
{
    return kairos_add_source(k, "library", NULL) == KAIROS_FAILED;
}

static bool remove_source(Kairos *k)
{
    return kairos_remove_source(k, "/no/such/folder", NULL, NULL) == KAIROS_FAILED;
}

static const struct Call {
    const char *name;
    bool (*make)(Kairos *k);
} calls[] = {
    /* clang-format off */
    {"add_source", add_source},
    {"remove_source", remove_source},
    {"add_library", add_library},
    {"use_libraries", use_libraries},
    {"load_text", load_text},
    {"load_file", load_file},
    {"find_library", find_library},
    {"list_libraries", list_libraries},
    {"explain_code", explain_code},
    {"render_messages", render_messages},
    {"dump_syntax", dump_syntax},
    {"dump_modes", dump_modes},
    {"dump_code", dump_code},
    {"translate", translate},
    {"format", format_source},
    {"ask", ask_text},
    {"edit", edit_class},
    {"component", describe_component},
    {"overlay", overlay_file},
    {"read_ahead", read_ahead},
    {"draw", draw},
    {"draw_at", draw_at},
    {"save_diagram", save_diagram},
    {"check_model", check_model},
    {"check_package", check_package},
    {"load_class", load_class},
    {"describe_file", describe_file},
    {"list_loaded", list_loaded},
    {"list_classes", list_classes},
    {"describe_class", describe_class},
    {"index_library", index_library},
    {"complete", complete},
    {"find_symbol", find_symbol},
    {"describe_equations", describe_equations},
    {"export_fmu", export_fmu},
    {"load_fmu", load_fmu},
    {"import_fmu", import_fmu},
    {"check_description", check_description},
    {"plot_page", plot_page},
    {"plot_text", plot_text},
    {"compare", compare},
    {"spectrum", spectrum},
    /* clang-format on */
};

static Kairos *open_session(void)
{
    Kairos *k = kairos_open();
    assert_non_null(k);
    assert_int_equal(kairos_load_text(k, "text.mo", model, strlen(model)), KAIROS_OK);
    return k;
}

/* One call in a new session. Allocation `at` fails. Returns whether it was reached. */
static bool call_once(const struct Call *c, long at, bool to_the_end)
{
    Kairos *k = open_session();
    failed = false;
    for_good = to_the_end;
    if (__lsan_disable)
        __lsan_disable();
    left = at;
    bool short_of_memory = c->make(k);
    left = 0;
    if (__lsan_enable)
        __lsan_enable();
    if (short_of_memory != failed)
        fail_msg("%s, allocation %ld: memory ran out %d, it reports %d", c->name, at, failed,
                 short_of_memory);
    kairos_clear_messages(k);
    kairos_close(k);
    return failed;
}

static void every_call_returns(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        long at = 1;
        for (; call_once(&calls[i], at, false); at++)
            continue;
        if (at == 1)
            fail_msg("%s allocates nothing", calls[i].name);
        call_once(&calls[i], 1, true); /* no memory for the message either */
        call_once(&calls[i], at / 2 + 1, true);
    }
}

/* libtcc is not used again in a process in which it ran out of memory, so each call has its own
 * process. */
static void a_compilation_returns(void **state)
{
    (void)state;
    const struct Call call = {"compile", compile};
    int status = 1;
    for (long at = 1; status == 1; at++) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(call_once(&call, at, at % 2));
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 2;
    }
    assert_int_equal(status, 0);
}

static void a_session_is_opened_or_not(void **state)
{
    (void)state;
    if (__lsan_disable)
        __lsan_disable();
    for (long at = 1; failed || at == 1; at++) {
        failed = false;
        for_good = false;
        left = at;
        Kairos *k = kairos_open();
        left = 0;
        assert_int_equal(k == NULL, failed);
        kairos_close(k);
    }
    if (__lsan_enable)
        __lsan_enable();
}

/* A run that has no memory says so and leaves no file; the same model runs afterwards. */
static void a_run_fails_and_the_next_one_runs(void **state)
{
    (void)state;
    KairosRun run = {.size = sizeof run, .output = "run.csv", .settings = &three, .n_settings = 1};
    for (long at = 1; at < 60; at++) {
        Kairos *k = open_session();
        KairosModel *m = kairos_compile_model(k, "M", NULL);
        assert_non_null(m);
        remove("run.csv");
        if (__lsan_disable)
            __lsan_disable();
        for_good = failed = false;
        left = at;
        int status = kairos_simulate_model(m, &run);
        left = 0;
        if (__lsan_enable)
            __lsan_enable();
        assert_true(failed);
        assert_int_equal(status, KAIROS_FAILED);
        FILE *f = fopen("run.csv", "r");
        assert_null(f);
        kairos_clear_messages(k);
        assert_int_equal(kairos_simulate_model(m, &run), KAIROS_OK);
        kairos_free_model(m);
        kairos_close(k);
    }
}

/* A compiled model, and an instance of it at time 0.1 whose state was saved. */
typedef struct Subject {
    KairosModel *m;
    KairosInstance *i;
    void *saved;
    size_t size;
} Subject;

static bool create_instance(Subject *s)
{
    KairosInstance *i = kairos_create_instance(s->m, NULL);
    kairos_free_instance(i);
    return i == NULL;
}

static bool clone_instance(Subject *s)
{
    KairosInstance *i = kairos_clone_instance(s->i);
    kairos_free_instance(i);
    return i == NULL;
}

static bool initialize_instance(Subject *s)
{
    return kairos_reset_instance(s->i) == KAIROS_FAILED ||
           kairos_initialize_instance(s->i) == KAIROS_FAILED;
}

static bool change_and_advance(Subject *s)
{
    int x = kairos_find_variable(s->i, "x[1]");
    return x < 0 || kairos_set_values(s->i, &x, 1, &(double){2}) == KAIROS_FAILED ||
           kairos_advance_instance(s->i, 0.2, 0) == KAIROS_FAILED;
}

static bool save_state(Subject *s)
{
    size_t size;
    void *state = kairos_save_state(s->i, &size);
    kairos_free_state(state);
    return state == NULL;
}

static bool restore_state(Subject *s)
{
    return kairos_restore_state(s->i, s->saved, s->size) == KAIROS_FAILED;
}

static bool describe_model(Subject *s)
{
    return is_text(kairos_describe_model(s->m));
}

static bool write_rows(Subject *s)
{
    static const double zeros[1000]; /* more than the model has variables */
    return kairos_write_rows(s->m, zeros, 1, "memory_rows.csv") == KAIROS_FAILED;
}

static bool report_model(Subject *s)
{
    const double stop = 0.1;
    const KairosRun run = {.size = sizeof run, .intervals = 2, .stop_time = &stop};
    return kairos_report_model(s->m, &run, "memory.html") == KAIROS_FAILED;
}

static bool simulate_batch(Subject *s)
{
    const double stop = 0.1, values[] = {1, 2};
    const char *names[] = {"x[1].start"};
    const KairosRun run = {.size = sizeof run, .intervals = 2, .stop_time = &stop};
    const KairosBatch batch = {.size = sizeof batch,
                               .run = &run,
                               .n = 2,
                               .names = names,
                               .n_names = 1,
                               .values = values,
                               .jobs = 1,
                               .events = 1};
    KairosRows *rows[2];
    int status[2], result = kairos_simulate_batch(s->m, &batch, rows, status);
    kairos_free_rows(rows[0]);
    kairos_free_rows(rows[1]);
    return result != KAIROS_OK;
}

/* The model has variations: every_call_on_a_model_returns has linearized it before. */
static bool linearize_model(Subject *s)
{
    char *json = NULL;
    int status = kairos_linearize_model(s->m, NULL, NULL, &json);
    kairos_free_text(json);
    return status == KAIROS_FAILED;
}

static bool find_steady(Subject *s)
{
    char *json = NULL;
    int status = kairos_steady(s->m, NULL, NULL, &json);
    kairos_free_text(json);
    return status == KAIROS_FAILED;
}

static bool differentiate_model(Subject *s)
{
    const char *of[] = {"x[1]"}, *to[] = {"x[1].start"};
    const KairosSensitivities to_x = {
        .size = sizeof to_x, .of = of, .n_of = 1, .to = to, .n_to = 1};
    const double stop = 0.1;
    const KairosRun run = {.size = sizeof run, .intervals = 2, .stop_time = &stop};
    char *json = NULL;
    int status = kairos_sensitivities(s->m, &run, &to_x, &json);
    kairos_free_text(json);
    return status == KAIROS_FAILED;
}

static bool fit_model(Subject *s)
{
    const char *data[] = {"memory_fit.csv"}, *parameters[] = {"x[1].start"};
    const KairosFit fit = {.size = sizeof fit,
                           .data = data,
                           .n_data = 1,
                           .parameters = parameters,
                           .n_parameters = 1,
                           .jobs = 1,
                           .report = "memory_fit.html"};
    char *json = NULL;
    int status = kairos_fit_model(s->m, NULL, &fit, &json);
    kairos_free_text(json);
    return status == KAIROS_FAILED;
}

static bool optimize_model(Subject *s)
{
    const KairosRange over[] = {{"x[1].start", 0.5, 1.5}};
    const char *constraints[] = {"max(x[1]) <= 2"};
    const double stop = 0.1;
    const KairosRun run = {.size = sizeof run, .intervals = 2, .stop_time = &stop};
    const KairosOptimize best = {.size = sizeof best,
                                 .minimize = "end(x[1])^2",
                                 .over = over,
                                 .n_over = 1,
                                 .constraints = constraints,
                                 .n_constraints = 1,
                                 .most = 2};
    char *json = NULL;
    int status = kairos_optimize_model(s->m, &run, &best, &json);
    bool done = json;
    kairos_free_text(json);
    return status == KAIROS_FAILED && !done;
}

static const struct ModelCall {
    const char *name;
    bool (*make)(Subject *s);
} model_calls[] = {
    {"create_instance", create_instance},
    {"simulate_batch", simulate_batch},
    {"clone_instance", clone_instance},
    {"initialize_instance", initialize_instance},
    {"change_and_advance", change_and_advance},
    {"save_state", save_state},
    {"restore_state", restore_state},
    {"describe_model", describe_model},
    {"report_model", report_model},
    {"write_rows", write_rows},
    {"linearize_model", linearize_model},
    {"differentiate_model", differentiate_model},
    {"find_steady", find_steady},
    {"fit_model", fit_model},
    {"optimize_model", optimize_model},
};

/* One call, of which allocation `at` fails, on a new instance of the model. What the run holds is
 * then lost, also what it held before. */
static bool model_call_once(const struct ModelCall *c, KairosModel *m, long at)
{
    if (__lsan_disable)
        __lsan_disable();
    Subject s = {.m = m, .i = kairos_create_instance(m, NULL)};
    assert_int_equal(kairos_initialize_instance(s.i), KAIROS_OK);
    assert_int_equal(kairos_advance_instance(s.i, 0.1, 0), KAIROS_OK);
    s.saved = kairos_save_state(s.i, &s.size);
    assert_non_null(s.saved);
    for_good = failed = false;
    left = at;
    bool short_of_memory = c->make(&s);
    left = 0;
    if (short_of_memory != failed)
        fail_msg("%s, allocation %ld: memory ran out %d, it reports %d", c->name, at, failed,
                 short_of_memory);
    kairos_free_state(s.saved);
    kairos_free_instance(s.i);
    if (__lsan_enable)
        __lsan_enable();
    return failed;
}

static void every_call_on_a_model_returns(void **state)
{
    (void)state;
    Kairos *k = open_session();
    KairosModel *m = kairos_compile_model(k, "M", NULL);
    assert_non_null(m);
    assert_int_equal(kairos_linearize_model(m, NULL, NULL, NULL), KAIROS_OK);
    for (size_t i = 0; i < sizeof model_calls / sizeof *model_calls; i++)
        for (long at = 1; model_call_once(&model_calls[i], m, at); at++)
            kairos_clear_messages(k);
    kairos_free_model(m);
    kairos_close(k);
}

static int make_files(void **state)
{
    (void)state;
    FILE *f = fopen("memory.mo", "w");
    assert_non_null(f);
    fputs("model Other\n  Real y = time;\nend Other;\n", f);
    fclose(f);
    char here[4000];
    assert_non_null(getcwd(here, sizeof here));
    assert_true(strlen(here) < sizeof here - 8);
    setenv("KAIROS_DATA", strcat(here, "/store"), 1);
    mkdir("library", 0777);
    f = fopen("library/package.mo", "w");
    assert_non_null(f);
    fputs("package Small\nend Small;\n", f);
    fclose(f);
    f = fopen("memory_fit.csv", "w");
    assert_non_null(f);
    fputs("time,x[1]\n0,1\n0.05,1\n0.1,0.9\n", f);
    fclose(f);
    Kairos *k = open_session();
    KairosModel *m = kairos_compile_model(k, "M", NULL);
    assert_non_null(m);
    KairosRun run = {.size = sizeof run, .output = "memory.csv", .intervals = 20};
    assert_int_equal(kairos_simulate_model(m, &run), KAIROS_OK);
    kairos_free_model(m);
    kairos_close(k);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_is_opened_or_not),
        cmocka_unit_test(every_call_returns),
        cmocka_unit_test(a_compilation_returns),
        cmocka_unit_test(a_run_fails_and_the_next_one_runs),
        cmocka_unit_test(every_call_on_a_model_returns),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}

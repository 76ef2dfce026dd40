/* Fits: how often confidence intervals contain the truth, over 200 sets of noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "kairos.h"
#include "search/search.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A falling body with an impact, so that an event lies between the data. */
static const char model[] = "model M\n"
                            "  parameter Real e = 0.7, g = 9;\n"
                            "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                            "equation\n"
                            "  der(h) = v;\n"
                            "  der(v) = -g;\n"
                            "  when h <= 0 then\n"
                            "    reinit(v, -e*pre(v));\n"
                            "  end when;\n"
                            "end M;\n";

static uint64_t state = 1;

static double uniform(void) /* SplitMix64 */
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    double size = sqrt(-2 * log(uniform()));
    return size * cos(2 * 3.14159265358979323846 * uniform());
}

static double height(double t, double e, double g, double h)
{
    double impact = sqrt(2 * h / g), after = t - impact;
    return t < impact ? h - g * t * t / 2 : e * g * impact * after - g * after * after / 2;
}

static void write_data(const char *path, double noise)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("time,h\n", f);
    for (int i = 0; i < 25; i++)
        fprintf(f, "%.17g,%.17g\n", 0.035 * i,
                height(0.035 * i, 0.8, 9.81, 1.1) + noise * normal());
    fclose(f);
}

static double member(const cJSON *object, const char *name)
{
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(x));
    return x->valuedouble;
}

static void intervals_contain_the_truth(void **unused)
{
    (void)unused;
    enum { TIMES = 200, PARAMETERS = 3 };
    const char *names[] = {"e", "g", "h.start"}, *data[] = {"fit_data.csv"};
    const double truth[] = {0.8, 9.81, 1.1};
    int inside[PARAMETERS] = {0};
    double sum = 0, sigma = 0;
    Kairos *k = kairos_open();
    assert_int_equal(kairos_load_text(k, "M.mo", model, strlen(model)), KAIROS_OK);
    KairosModel *m = kairos_compile_model(k, "M", NULL);
    assert_non_null(m);
    for (int i = 0; i < TIMES; i++) {
        write_data(data[0], 0.01);
        KairosFit how = {.size = sizeof how,
                         .data = data,
                         .n_data = 1,
                         .parameters = names,
                         .n_parameters = PARAMETERS,
                         .confidence = 0.9};
        char *text = NULL;
        assert_int_equal(kairos_fit_model(m, NULL, &how, &text), KAIROS_OK);
        cJSON *json = cJSON_Parse(text);
        const cJSON *all = cJSON_GetObjectItemCaseSensitive(json, "parameters");
        for (int j = 0; j < PARAMETERS; j++) {
            const cJSON *p = cJSON_GetObjectItemCaseSensitive(all, names[j]);
            inside[j] += member(p, "low") <= truth[j] && truth[j] <= member(p, "high");
        }
        const cJSON *e = cJSON_GetObjectItemCaseSensitive(all, "e");
        sum += pow(member(e, "value") - 0.8, 2) / TIMES;
        sigma += pow(member(e, "sigma"), 2) / TIMES;
        cJSON_Delete(json);
        kairos_free_text(text);
    }
    /* binomial, 200 times 0.9: mean 180, standard deviation 4.2 */
    for (int j = 0; j < PARAMETERS; j++)
        assert_in_range(inside[j], 180 - 17, 180 + 17);
    assert_true(fabs(sum / sigma - 1) < 0.4); /* its own standard deviation is 0.1 */
    kairos_free_model(m);
    kairos_close(k);
}

static void quantiles(void **unused)
{
    (void)unused;
    assert_float_equal(student_quantile(0.95, 1), 12.70620473617471, 1e-9);
    assert_float_equal(student_quantile(0.95, 10), 2.228138851964939, 1e-10);
    assert_float_equal(student_quantile(0.99, 30), 2.749995653567231, 1e-10);
    assert_float_equal(student_quantile(0.95, INFINITY), 1.959963984540054, 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_contain_the_truth),
        cmocka_unit_test(quantiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

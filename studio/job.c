/* Jobs: one question about the texts of the page, one answer. */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { JOB_SECONDS = 120 }; /* after this time, no request waits any more */

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- check ---- */

/* The class to check and then the others of the file that can be simulated, as long as there is
 * time. */
typedef struct Check {
    Worker *w;
    cJSON *messages; /* of all */
    double until;    /* by the time of this process */
} Check;

static bool has_message(const cJSON *list, const cJSON *message)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, list) if (cJSON_Compare(row, message, true)) return true;
    return false;
}

static void gather(Check *c)
{
    cJSON *fresh = worker_messages(c->w), *row;
    while ((row = cJSON_DetachItemFromArray(fresh, 0)))
        if (has_message(c->messages, row))
            cJSON_Delete(row);
        else
            cJSON_AddItemToArray(c->messages, row);
    cJSON_Delete(fresh);
    kairos_clear_messages(c->w->k);
}

static void check_class(Check *c, const char *name)
{
    kairos_check_model(c->w->k, name,
                       &(KairosCompile){.size = sizeof(KairosCompile), .check_units = 1});
    gather(c);
}

static bool is_model(const cJSON *class)
{
    return json_flag(class, "model");
}

/* The class for a run: the requested one if the file has it, otherwise the last. */
static const char *choose_class(const cJSON *classes, const char *wanted)
{
    const cJSON *row;
    const char *last = NULL;
    cJSON_ArrayForEach(row, classes)
    {
        const char *name = json_text(row, "name");
        if (!is_model(row) || !name)
            continue;
        if (wanted && !strcmp(wanted, name))
            return name;
        last = name;
    }
    return last;
}

/* A script of the command language is not a model. */
static bool is_script(const cJSON *request)
{
    const char *path = json_text(request, "path"), *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strcmp(dot, ".ocl");
}

static void check(Worker *w, const cJSON *request)
{
    if (is_script(request)) {
        static const char nothing[] = "{\"diagnostics\":[],\"classes\":[],\"model\":null,\"ms\":0}";
        worker_answer(w, 200, 0, nothing, sizeof nothing - 1);
        return;
    }
    static const double others = 0.02; /* s */
    double start = seconds(CLOCK_MONOTONIC);
    Check c = {w, cJSON_CreateArray(), seconds(CLOCK_PROCESS_CPUTIME_ID) + others};
    int status = worker_load(w, request);
    char *text = kairos_describe_file(w->k);
    cJSON *classes = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    const char *chosen = choose_class(classes, json_text(request, "class"));
    gather(&c);
    if (!status && chosen)
        check_class(&c, chosen);
    cJSON_ArrayForEach(row, classes)
    {
        const char *name = json_text(row, "name");
        if (!status && name && name != chosen && is_model(row) &&
            seconds(CLOCK_PROCESS_CPUTIME_ID) < c.until)
            check_class(&c, name);
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "diagnostics", c.messages);
    if (chosen)
        cJSON_AddStringToObject(o, "model", chosen);
    else
        cJSON_AddNullToObject(o, "model");
    cJSON_AddItemToObject(o, "classes", classes);
    cJSON_AddNumberToObject(o, "ms", 1e3 * (seconds(CLOCK_MONOTONIC) - start));
    worker_answer_json(w, 200, o);
    worker_send_read(w);
}

/* ---- libraries ---- */

static void libraries(Worker *w, const cJSON *request)
{
    (void)request;
    worker_answer_text(w, kairos_list_libraries(w->k, KAIROS_JSON));
}

/* ---- pictures of results ---- */

static const char **read_texts(const cJSON *list, unsigned *n)
{
    const cJSON *row;
    const char **texts = memory_alloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *texts);
    *n = 0;
    cJSON_ArrayForEach(row, list) texts[(*n)++] = cJSON_GetStringValue(row);
    return texts;
}

static void draw(Worker *w, const cJSON *request)
{
    const cJSON *from = json_part(request, "from");
    double range[2] = {cJSON_GetNumberValue(from), json_number(request, "to")};
    const char *output = json_text(request, "output");
    KairosPlot plot = {.size = sizeof plot,
                       .output = output,
                       .title = json_text(request, "title"),
                       .x = json_text(request, "x")};
    plot.variables = read_texts(json_part(request, "names"), &plot.n_variables);
    plot.others = read_texts(json_part(request, "others"), &plot.n_others);
    plot.x_range = from && !plot.x && range[1] > range[0] ? range : NULL;
    if (kairos_plot_result(w->k, json_text(request, "result"), &plot) == KAIROS_OK)
        worker_answer(w, 200, 2, output, strlen(output));
    else
        worker_answer_text(w, NULL);
}

static void spectrum(Worker *w, const cJSON *request)
{
    const char *name = json_text(request, "name");
    const cJSON *from = json_part(request, "from");
    double times[2] = {cJSON_GetNumberValue(from), json_number(request, "to")};
    char *report = NULL;
    KairosSpectrum how = {.size = sizeof how,
                          .variables = &name,
                          .n_variables = 1,
                          .from = from ? &times[0] : NULL,
                          .to = from ? &times[1] : NULL,
                          .frequency = json_number(request, "frequency"),
                          .format = KAIROS_JSON};
    kairos_compute_spectrum(w->k, json_text(request, "result"), &how, &report);
    worker_answer_text(w, report);
}

/* ---- the table ---- */

static const struct {
    const char *name;
    void (*run)(Worker *w, const cJSON *request);
} jobs[] = {{"check", check},
            {"libraries", libraries},
            {"tree", job_tree},
            {"index", job_index},
            {"class", job_class},
            {"diagram", job_diagram},
            {"equations", job_equations},
            {"complete", job_complete},
            {"hover", job_hover},
            {"edit", job_edit},
            {"component", job_component},
            {"replacements", job_replacements},
            {"icons", job_icons},
            {"rename", job_rename},
            {"analysis", job_analysis},
            {"draw", draw},
            {"spectrum", spectrum}};

void job_run(Worker *w, const cJSON *request)
{
    const char *name = json_text(request, "job");
    alarm(JOB_SECONDS);
    for (size_t i = 0; name && i < sizeof jobs / sizeof *jobs; i++)
        if (!strcmp(jobs[i].name, name)) {
            jobs[i].run(w, request);
            return;
        }
    worker_fail(w, 500, "there is no job '%s'", name ? name : "");
}

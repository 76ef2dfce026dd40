/* Analyses of a model, each by a function of the library that the command line uses too. The answer
 * is {"ok", "result", "diagnostics"}, with pictures as SVG texts. */
#include "child.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAMES_MOST = 50, TIMES = 201 };

typedef struct Analysis {
    KairosModel *model;
    const KairosRun *run;
    const cJSON *request;
    cJSON *answer;
    const char *scratch; /* begin of names for files */
} Analysis;

static unsigned read_names(const cJSON *list, const char **names)
{
    const cJSON *one;
    unsigned n = 0;
    cJSON_ArrayForEach(one, list) if (cJSON_IsString(one) && n < NAMES_MOST) names[n++] =
        one->valuestring;
    return n;
}

static double positive(const cJSON *o, const char *name)
{
    double x = json_number(o, name);
    return x > 0 ? x : 0;
}

/* The picture that was written to a file becomes a member of the answer. */
static void add_picture(Analysis *a, const char *name, const char *path)
{
    Text t = {0};
    if (text_read_file(&t, path, SIZE_MAX))
        cJSON_AddStringToObject(a->answer, name, t.at);
    text_free(&t);
    unlink(path);
}

static int linearize(Analysis *a, char **json)
{
    const char *at = json_text(a->request, "at");
    char bode[300], poles[300];
    snprintf(bode, sizeof bode, "%s-bode.svg", a->scratch);
    snprintf(poles, sizeof poles, "%s-poles.svg", a->scratch);
    KairosLinearize how = {.size = sizeof how,
                           .at = &at,
                           .n_at = at && *at,
                           .poles = poles,
                           .period = positive(a->request, "period"),
                           .average = json_flag(a->request, "average")};
    int status = kairos_linearize_model(a->model, a->run, &how, json);
    add_picture(a, "poles", poles);
    cJSON *o = cJSON_Parse(*json ? *json : "{}");
    bool transfers = cJSON_GetArraySize(json_part(o, "inputs")) > 0 &&
                     cJSON_GetArraySize(json_part(o, "outputs")) > 0;
    cJSON_Delete(o);
    if (!transfers)
        return status;
    how.poles = NULL;
    how.bode = bode;
    status = kairos_linearize_model(a->model, a->run, &how, NULL);
    add_picture(a, "bode", bode);
    return status;
}

static int steady(Analysis *a, char **json)
{
    KairosSteady how = {.size = sizeof how, .period = positive(a->request, "period")};
    return kairos_steady(a->model, a->run, &how, json);
}

static int sensitivities(Analysis *a, char **json)
{
    const char *of[NAMES_MOST], *to[NAMES_MOST];
    double ends[2], times[TIMES];
    kairos_model_times(a->model, &ends[0], &ends[1]);
    ends[0] = a->run->start_time ? *a->run->start_time : ends[0];
    ends[1] = a->run->stop_time ? *a->run->stop_time : ends[1];
    for (int i = 0; i < TIMES; i++)
        times[i] = ends[0] + (ends[1] - ends[0]) * i / (TIMES - 1);
    KairosSensitivities how = {.size = sizeof how,
                               .of = of,
                               .n_of = read_names(json_part(a->request, "of"), of),
                               .to = to,
                               .n_to = read_names(json_part(a->request, "to"), to),
                               .times = times,
                               .n_times = ends[1] > ends[0] ? TIMES : 0};
    return kairos_sensitivities(a->model, a->run, &how, json);
}

static int fit(Analysis *a, char **json)
{
    const char *names[NAMES_MOST], *data = json_text(a->request, "data");
    KairosFit how = {.size = sizeof how,
                     .data = &data,
                     .n_data = data != NULL,
                     .parameters = names,
                     .n_parameters = read_names(json_part(a->request, "parameters"), names),
                     .global = json_flag(a->request, "global"),
                     .jobs = 1};
    return kairos_fit_model(a->model, a->run, &how, json);
}

static const struct {
    const char *name;
    int (*run)(Analysis *a, char **json);
} analyses[] = {
    {"linearize", linearize}, {"steady", steady}, {"sensitivities", sensitivities}, {"fit", fit}};

static void analyse(Worker *w, Analysis *a, int (*run)(Analysis *a, char **json))
{
    char *json = NULL;
    kairos_clear_messages(w->k);
    int status = run(a, &json);
    cJSON_AddBoolToObject(a->answer, "ok", status == KAIROS_OK);
    cJSON_AddItemToObject(a->answer, "result", json ? cJSON_Parse(json) : cJSON_CreateNull());
    cJSON_AddItemToObject(a->answer, "diagnostics", worker_messages(w));
    kairos_free_text(json);
    worker_answer_json(w, 200, a->answer);
}

/* One page about the model and its run; also if the run fails. */
static void report(Worker *w, const Analysis *a)
{
    char path[300];
    snprintf(path, sizeof path, "%s.html", a->scratch);
    kairos_report_model(a->model, a->run, path);
    if (access(path, R_OK))
        worker_answer_text(w, NULL);
    else
        worker_answer(w, 200, 2, path, strlen(path));
}

void job_analysis(Worker *w, const cJSON *request)
{
    const cJSON *ask = json_part(request, "analysis");
    const char *kind = json_text(ask, "kind");
    RunRequest r;
    Analysis a = {.request = ask, .run = &r.run, .scratch = json_text(request, "scratch")};
    size_t i = 0, n = sizeof analyses / sizeof *analyses;
    while (i < n && !(kind && !strcmp(kind, analyses[i].name)))
        i++;
    if ((i == n && !(kind && !strcmp(kind, "report"))) || !a.scratch) {
        worker_fail(w, 400, "'kind' must be linearize, steady, sensitivities, fit or report");
        return;
    }
    if (!worker_load(w, request))
        a.model = kairos_compile_model(w->k, json_text(request, "class"), NULL);
    if (!a.model) {
        worker_answer_text(w, NULL);
        return;
    }
    run_request_read(&r, ask);
    if (!strcmp(kind, "report")) {
        report(w, &a);
        run_request_free(&r);
        kairos_free_model(a.model);
        return;
    }
    a.answer = cJSON_CreateObject();
    analyse(w, &a, analyses[i].run);
    run_request_free(&r);
    kairos_free_model(a.model);
}

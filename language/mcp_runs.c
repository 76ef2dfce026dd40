/* Tools that run a model. */
#include "mcp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    VARIABLES_MOST = 20,
    FINAL_MOST = 200,
    POINTS = 50,
    POINTS_MOST = 200,
    PICTURE_MOST = 2 << 20
};

typedef struct Running {
    Host *h;
    Job *j;
    VEC(const char *) names;         /* wanted variables */
    int columns[VARIABLES_MOST + 1]; /* of these in a row, after time; -1: unknown */
    bool known;
    VEC(double) rows;
    cJSON *final;
    int n_final;
    double start, stop;
    uint64_t steps, events;
} Running;

static void find_columns(Running *r, const KairosRow *row)
{
    r->known = true;
    for (unsigned i = 0; i < r->names.n; i++) {
        r->columns[i] = -1;
        for (unsigned k = 0; k < row->n; k++)
            if (!strcmp(row->names[k], r->names.at[i]))
                r->columns[i] = (int)k;
    }
}

static int on_row(void *user, const KairosRow *row)
{
    Running *r = user;
    if (!r->known)
        find_columns(r, row);
    vec_push(&r->rows, row->values[0]);
    for (unsigned i = 0; i < r->names.n; i++)
        vec_push(&r->rows, r->columns[i] < 0 ? NAN : row->values[r->columns[i]]);
    return 0;
}

static void on_final(void *user, const char *name, double value)
{
    Running *r = user;
    if (r->n_final++ < FINAL_MOST)
        cJSON_AddItemToObject(r->final, name,
                              isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void on_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    Running *r = user;
    r->steps = steps;
    r->events = events;
    job_progress(r->j, r->stop > r->start ? (time - r->start) / (r->stop - r->start) : 0, "");
}

/* ---- settings ---- */

typedef VEC(KairosSetting) Settings;

static void read_settings(const Job *j, Settings *s)
{
    const cJSON *one, *set = json_part(tool_arguments(j), "set");
    cJSON_ArrayForEach(one, set)
    {
        char *value = cJSON_IsString(one) ? strdup(one->valuestring) : cJSON_PrintUnformatted(one);
        if (one->string && value)
            vec_push(s, ((KairosSetting){one->string, value}));
    }
}

static void read_variables(Running *r)
{
    const cJSON *one, *list = json_part(tool_arguments(r->j), "variables");
    cJSON_ArrayForEach(one, list) if (cJSON_IsString(one) && r->names.n < VARIABLES_MOST)
        vec_push(&r->names, one->valuestring);
}

/* ---- the run ---- */

bool tool_compile(Host *h, Job *j, ToolRun *r)
{
    const cJSON *a = tool_arguments(j);
    const char *name;
    double tolerance = json_number(a, "tolerance");
    Settings settings = {0};
    r->start = json_number(a, "start_time");
    r->stop = json_number(a, "stop_time");
    if (!tool_load(h, j, &name))
        return false;
    read_settings(j, &settings);
    KairosCompile how = {
        .size = sizeof how, .compiler = "tcc", .expected = settings.at, .n_expected = settings.n};
    if (!(r->m = kairos_compile_model(h->k, name, &how))) {
        tool_fail_messages(h, j);
        return false;
    }
    r->how = (KairosRun){.size = sizeof r->how,
                         .start_time = r->start == r->start ? &r->start : NULL,
                         .stop_time = r->stop == r->stop ? &r->stop : NULL,
                         .tolerance = tolerance > 0 ? tolerance : 0,
                         .solver = tool_text(j, "solver"),
                         .settings = settings.at,
                         .n_settings = settings.n};
    return true;
}

/* The status; *m must be freed. -1 after an answer. */
static int run(Running *r, const char *output, KairosModel **m)
{
    ToolRun t;
    if (!tool_compile(r->h, r->j, &t))
        return -1;
    *m = t.m;
    kairos_model_times(t.m, &r->start, &r->stop);
    r->start = t.how.start_time ? t.start : r->start;
    r->stop = t.how.stop_time ? t.stop : r->stop;
    t.how.output = output;
    t.how.describe = output != NULL;
    t.how.on_row = r->names.n ? on_row : NULL;
    t.how.on_final = on_final;
    t.how.on_progress = on_progress;
    t.how.user = r;
    return kairos_simulate_model(t.m, &t.how);
}

/* Rows of each wanted variable, reduced to about `points`. */
static void add_points(const Running *r, cJSON *o, int points)
{
    size_t width = r->names.n + 1, n = r->rows.n / width;
    size_t every = n > (size_t)points ? (n + (size_t)points - 1) / (size_t)points : 1;
    cJSON *data = cJSON_AddObjectToObject(o, "data");
    for (size_t i = 0; i < width; i++) {
        cJSON *column = cJSON_AddArrayToObject(data, i ? r->names.at[i - 1] : "time");
        if (i && r->columns[i - 1] < 0)
            continue;
        for (size_t k = 0; k < n; k += every) {
            size_t row = k + every >= n ? n - 1 : k; /* the last one is always there */
            double x = r->rows.at[row * width + i];
            cJSON_AddItemToArray(column, isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull());
        }
    }
    for (unsigned i = 0; i < r->names.n; i++)
        if (r->known && r->columns[i] < 0)
            cJSON_AddStringToObject(o, "unknown_variable", r->names.at[i]);
}

static cJSON *describe_run(Running *r, const KairosModel *m, int status)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "class", kairos_model_name(m));
    cJSON_AddBoolToObject(o, "ok", status == KAIROS_OK);
    cJSON_AddNumberToObject(o, "start_time", r->start);
    cJSON_AddNumberToObject(o, "stop_time", r->stop);
    cJSON_AddNumberToObject(o, "steps", (double)r->steps);
    cJSON_AddNumberToObject(o, "events", (double)r->events);
    cJSON_AddItemToObject(o, "final", r->final);
    cJSON_AddNumberToObject(o, "n_variables", r->n_final);
    cJSON_AddItemToObject(o, "messages", tool_messages(r->h));
    return o;
}

void tool_simulate(Host *h, Job *j)
{
    Running r = {.h = h, .j = j, .final = cJSON_CreateObject()};
    double points = json_number(tool_arguments(j), "points");
    KairosModel *m = NULL;
    read_variables(&r);
    int status = run(&r, NULL, &m);
    if (status < 0)
        return;
    cJSON *o = describe_run(&r, m, status);
    if (r.names.n)
        add_points(&r, o, points >= 2 && points <= POINTS_MOST ? (int)points : POINTS);
    tool_answer(j, o);
}

/* ---- pictures ---- */

static char *scratch_path(const Host *h, const char *name)
{
    const Mcp *m = h->owner;
    char *path = NULL;
    return asprintf(&path, "%s/%d%s", m->scratch, (int)getpid(), name) < 0 ? NULL : path;
}

static bool draw(Running *r, const char *result, const char *picture)
{
    return kairos_plot_result(r->h->k, result,
                              &(KairosPlot){.size = sizeof(KairosPlot),
                                            .variables = r->names.at,
                                            .n_variables = r->names.n,
                                            .output = picture}) == KAIROS_OK;
}

void tool_plot(Host *h, Job *j)
{
    Running r = {.h = h, .j = j, .final = cJSON_CreateObject()};
    const char *wanted = tool_text(j, "output");
    char *output = wanted ? tool_path(h, j, wanted) : NULL;
    char *result = scratch_path(h, ".csv"), *picture = scratch_path(h, ".png");
    KairosModel *m = NULL;
    Text png = {0};
    if (wanted && !output)
        return;
    read_variables(&r);
    int status = run(&r, result, &m);
    if (status < 0)
        return;
    if (!draw(&r, result, picture) || (output && !draw(&r, result, output)) ||
        !host_read_file(picture, &png) || png.n > PICTURE_MOST) {
        tool_fail_messages(h, j);
        return;
    }
    cJSON *o = describe_run(&r, m, status);
    if (output)
        cJSON_AddStringToObject(o, "output", output);
    tool_answer_picture(j, o, png.at, png.n);
}

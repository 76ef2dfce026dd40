/* Commands of code lenses and quick fixes: simulate, plot, equations, diagram, studio, explain. */
#include "lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static const double command_seconds = 600;

/* ---- arguments ---- */

/* The first argument: an object with "uri" and "class", or a text. */
static const cJSON *argument(const Job *j)
{
    return cJSON_GetArrayItem(json_part(j->params, "arguments"), 0);
}

static bool load(Host *h, Job *j, Text *path)
{
    Text text = {0};
    const char *uri = json_text(argument(j), "uri");
    if (!lsp_load_texts(h->owner, j, uri, &text, path))
        return false;
    if (kairos_load_text(h->k, path->at, text.at, text.n) == KAIROS_OK)
        return true;
    char *messages = kairos_render_messages(h->k, KAIROS_TEXT);
    job_fail(j, RPC_FAILED, "%.900s", messages ? messages : "the text has errors");
    kairos_free_text(messages);
    return false;
}

static void fail_with_messages(Host *h, Job *j)
{
    char *messages = kairos_render_messages(h->k, KAIROS_TEXT);
    job_fail(j, RPC_FAILED, "%.900s", messages && *messages ? messages : "the command failed");
    kairos_free_text(messages);
}

static void answer_text(Host *h, Job *j, const char *key, char *text)
{
    if (!text) {
        fail_with_messages(h, j);
        return;
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, key, text);
    job_result_json(j, o);
    kairos_free_text(text);
}

/* ---- runs ---- */

typedef struct Running {
    const Job *job;
    double start, stop;
    cJSON *final;
    int n_final;
} Running;

static void on_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    const Running *r = user;
    char text[100];
    snprintf(text, sizeof text, "t = %.4g s, %llu steps, %llu events", time,
             (unsigned long long)steps, (unsigned long long)events);
    job_progress(r->job, r->stop > r->start ? (time - r->start) / (r->stop - r->start) : 0, text);
}

static void on_final(void *user, const char *name, double value)
{
    enum { FINAL_MOST = 500 };
    Running *r = user;
    if (r->n_final++ < FINAL_MOST)
        cJSON_AddNumberToObject(r->final, name, value);
}

static char *result_path(const Host *h, const char *ending)
{
    const Lsp *l = h->owner;
    char *path = NULL;
    return asprintf(&path, "%s/run-%d%s", l->scratch, (int)getpid(), ending) < 0 ? NULL : path;
}

/* Runs the class into a file; NULL after an answer. */
static char *run(Host *h, Job *j, cJSON *answer)
{
    Text path = {0};
    const char *name = json_text(argument(j), "class");
    double stop = json_number(argument(j), "stopTime");
    if (!load(h, j, &path))
        return NULL;
    KairosModel *m = kairos_compile_model(h->k, name, NULL);
    if (!m) {
        fail_with_messages(h, j);
        return NULL;
    }
    Running r = {.job = j, .final = cJSON_AddObjectToObject(answer, "final")};
    kairos_model_times(m, &r.start, &r.stop);
    r.stop = stop == stop ? stop : r.stop;
    char *output = result_path(h, ".csv");
    int status = kairos_simulate_model(m, &(KairosRun){.size = sizeof(KairosRun),
                                                       .stop_time = stop == stop ? &stop : NULL,
                                                       .output = output,
                                                       .describe = 1,
                                                       .on_progress = on_progress,
                                                       .on_final = on_final,
                                                       .user = &r});
    cJSON_AddStringToObject(answer, "class", kairos_model_name(m));
    cJSON_AddStringToObject(answer, "result", output);
    cJSON_AddNumberToObject(answer, "status", status);
    char *messages = kairos_render_messages(h->k, KAIROS_TEXT);
    cJSON_AddStringToObject(answer, "messages", messages ? messages : "");
    kairos_free_text(messages);
    kairos_free_model(m);
    return output;
}

static void simulate(Host *h, Job *j)
{
    cJSON *answer = cJSON_CreateObject();
    if (run(h, j, answer))
        job_result_json(j, answer);
}

static void plot(Host *h, Job *j)
{
    cJSON *answer = cJSON_CreateObject();
    char *result = run(h, j, answer), *picture = result_path(h, ".svg");
    Text svg = {0};
    if (!result)
        return;
    if (kairos_plot_result(h->k, result,
                           &(KairosPlot){.size = sizeof(KairosPlot), .output = picture}) ==
            KAIROS_OK &&
        host_read_file(picture, &svg)) {
        cJSON_AddStringToObject(answer, "svg", svg.at);
        job_result_json(j, answer);
    } else {
        fail_with_messages(h, j);
    }
}

/* ---- views ---- */

static void equations(Host *h, Job *j)
{
    Text path = {0};
    if (load(h, j, &path))
        answer_text(h, j, "text",
                    kairos_dump_phase(h->k, json_text(argument(j), "class"), "structure", NULL));
}

static void diagram(Host *h, Job *j)
{
    Text path = {0};
    if (load(h, j, &path))
        answer_text(h, j, "svg",
                    kairos_draw_diagram(h->k, json_text(argument(j), "class"), KAIROS_DIAGRAM));
}

static void explain(Host *h, Job *j)
{
    const char *code = cJSON_GetStringValue(argument(j));
    answer_text(h, j, "text", code ? kairos_explain_code(h->k, code) : NULL);
}

static void add_library(Host *h, Job *j)
{
    const char *source = cJSON_GetStringValue(argument(j));
    char *report = NULL;
    if (source && !access(source, F_OK)) {
        if (kairos_add_source(h->k, source, &report) == KAIROS_OK)
            answer_text(h, j, "text", report);
        else
            fail_with_messages(h, j);
    } else {
        job_fail(j, RPC_FAILED,
                 "give the folder or the .zip file of the library '%.100s', or call 'kairos lib "
                 "add FOLDER|FILE.zip'",
                 source ? source : "");
    }
}

/* ---- the studio ---- */

/* Starts a studio that ends with this server, and reads its address. */
static void studio(Host *h, Job *j)
{
    Text path = {0};
    int ends[2], pid;
    char line[500] = "";
    if (!load(h, j, &path) || pipe(ends))
        return;
    const char *argv[] = {"kairos", "studio", "--no-open", path.at, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    int error =
        posix_spawn(&pid, "/proc/self/exe", &files, NULL, (char **)(uintptr_t)argv, environ);
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    if (error || !f || !fgets(line, sizeof line, f)) {
        job_fail(j, RPC_FAILED, "the studio does not start: %s", strerror(error));
        return;
    }
    line[strcspn(line, "\r\n")] = 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "url", line);
    cJSON_AddNumberToObject(o, "pid", pid);
    job_result_json(j, o);
}

/* ---- the table ---- */

static const struct {
    const char *name, *title;
    JobWork work;
} rows[] = {
    {"kairos.simulate", "simulation", simulate},  {"kairos.plot", "simulation", plot},
    {"kairos.equations", "equations", equations}, {"kairos.diagram", "diagram", diagram},
    {"kairos.studio", "studio", studio},          {"kairos.explain", NULL, explain},
    {"kairos.addLibrary", NULL, add_library},
};

const char *const lsp_commands[] = {
    "kairos.simulate", "kairos.plot",    "kairos.equations",  "kairos.diagram",
    "kairos.studio",   "kairos.explain", "kairos.addLibrary", NULL};

static void report_end(Host *h, const Job *j)
{
    if (!j->token)
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "token", cJSON_Duplicate(j->token, true));
    cJSON_AddStringToObject(cJSON_AddObjectToObject(o, "value"), "kind", "end");
    rpc_notify(&h->rpc, "$/progress", o);
}

static void take_result(Host *h, Job *j, const char *json)
{
    Lsp *l = h->owner;
    cJSON *o = json ? cJSON_Parse(json) : NULL;
    double pid = json_number(o, "pid");
    report_end(h, j);
    if (pid > 1)
        vec_push(&l->studios, (int)pid);
    if (json && !strcmp(json_text(j->params, "command"), "kairos.addLibrary")) {
        host_begin(h);
        l->host.index_due = true;
        lsp_check_others(l, NULL);
    }
    rpc_result(&h->rpc, j->id, json ? json : "null");
    cJSON_Delete(o);
}

static void begin_progress(Lsp *l, Job *j, const char *title)
{
    const cJSON *given = json_part(j->params, "workDoneToken");
    if (given) {
        j->token = cJSON_Duplicate(given, true);
    } else if (l->has_progress && title) {
        char token[40];
        snprintf(token, sizeof token, "kairos-%u", l->last_request + 1);
        j->token = cJSON_CreateString(token);
        cJSON *params = cJSON_CreateObject();
        cJSON_AddStringToObject(params, "token", token);
        lsp_request_client(l, "window/workDoneProgress/create", params);
    }
    if (!j->token)
        return;
    cJSON *o = cJSON_CreateObject(), *value;
    cJSON_AddItemToObject(o, "token", cJSON_Duplicate(j->token, true));
    value = cJSON_AddObjectToObject(o, "value");
    cJSON_AddStringToObject(value, "kind", "begin");
    cJSON_AddStringToObject(value, "title", title ? title : "kairos");
    cJSON_AddBoolToObject(value, "cancellable", true);
    cJSON_AddNumberToObject(value, "percentage", 0);
    rpc_notify(&l->host.rpc, "$/progress", o);
}

void lsp_execute(Lsp *l, const cJSON *id, const cJSON *params)
{
    const char *name = json_text(params, "command");
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name)) {
            Job *j = job_new(&l->host, id, params, rows[i].work, command_seconds);
            j->done = take_result;
            j->gone = report_end;
            begin_progress(l, j, rows[i].title);
            job_start(&l->host, j);
            return;
        }
    rpc_error(&l->host.rpc, id, RPC_INVALID_PARAMS, "there is no command '%.100s'",
              name ? name : "");
}

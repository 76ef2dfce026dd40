/* The calls of the page: a table, and those that need no file of their own. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>

static const size_t large = 16 << 20, small = 256 << 10;

/* ---- the page ---- */

void page_serve(Studio *s, Request *r)
{
    (void)s;
    const char *path = request_path(r) + 1;
    for (const Page *p = studio_pages; p->path; p++)
        if (!strcmp(p->path, *path ? path : "index.html")) {
            Text t = {0};
            text_put_n(&t, (const char *)p->bytes, (size_t)(p->end - p->bytes));
            request_answer(r, 200, p->type, &t);
            return;
        }
    request_error(r, 404, "the page has no file '%.100s'", path);
}

/* ---- jobs ---- */

/* Whether the page may name all paths of the body; otherwise answers the request. */
static bool check_paths(Studio *s, Request *r)
{
    const cJSON *o = request_body(r), *file;
    const char *path = json_text(o, "path");
    bool ok = !path || files_may_name(&s->workspace, path);
    cJSON_ArrayForEach(file, json_part(o, "open"))
    {
        path = json_text(file, "path");
        ok = ok && path && files_may_name(&s->workspace, path);
    }
    if (!ok)
        request_error(r, 403,
                      "only model files (.mo, .dym, .om, .ocl) of the workspace and of libraries "
                      "can be used");
    return ok;
}

/* The files of the workspace, for jobs that look for classes in them. */
static void add_files(Studio *s, cJSON *o)
{
    Text t = {0};
    files_put_list(&s->workspace, &t);
    cJSON_DeleteItemFromObjectCaseSensitive(o, "files");
    cJSON_AddItemToObject(o, "files", cJSON_Parse(t.at));
    text_free(&t);
}

/* The body as it came, with the name of the job, the arguments of the address and the files of the
 * workspace. */
static void start_job(Studio *s, Request *r, const char *job, const char *what, double seconds)
{
    static const char *const arguments[] = {"class", "name", "kind", "model"};
    const cJSON *body = request_body(r);
    cJSON *o = body ? cJSON_Duplicate(body, true) : cJSON_CreateObject();
    if (body && !check_paths(s, r)) {
        cJSON_Delete(o);
        return;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(o, "job");
    cJSON_AddStringToObject(o, "job", job);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        const char *value = request_arg(r, arguments[i]);
        if (value && !cJSON_HasObjectItem(o, arguments[i]))
            cJSON_AddStringToObject(o, arguments[i], value);
    }
    add_files(s, o);
    Text t = {0};
    json_put_cjson(&t, o);
    cJSON_Delete(o);
    job_for(s, r, &t, what, seconds);
}

static void check(Studio *s, Request *r)
{
    jobs_supersede(s, "the check");
    start_job(s, r, "check", "the check", 20);
}

static void complete(Studio *s, Request *r)
{
    start_job(s, r, "complete", "completion", 10);
}

static void hover(Studio *s, Request *r)
{
    start_job(s, r, "hover", "the lookup", 10);
}

static void diagram(Studio *s, Request *r)
{
    start_job(s, r, "diagram", "the diagram", 30);
}

static void edit(Studio *s, Request *r)
{
    start_job(s, r, "edit", "the edit", 20);
}

static void component(Studio *s, Request *r)
{
    start_job(s, r, "component", "the parameters", 20);
}

static void replacements(Studio *s, Request *r)
{
    start_job(s, r, "replacements", "the list of replacements", 60);
}

static void icons(Studio *s, Request *r)
{
    start_job(s, r, "icons", "the icons", 30);
}

static void rename_symbol(Studio *s, Request *r)
{
    start_job(s, r, "rename", "renaming", 60);
}

static void describe_class(Studio *s, Request *r)
{
    start_job(s, r, "class", "the description", 30);
}

static void tree(Studio *s, Request *r)
{
    if (!request_arg(r, "class"))
        search_prepare(s); /* a user of the tree will probably search */
    start_job(s, r, "tree", "the list of classes", 30);
}

/* A job about a live model, with the texts from which it was compiled; NULL after an answer. */
static cJSON *model_job(Studio *s, Request *r, const char *id, const char *job)
{
    Model *m = id ? model_find(s, (unsigned)strtoul(id, NULL, 10)) : NULL;
    if (!m || m->waiting) {
        request_error(r, 410, "there is no such model any more; compile it again");
        return NULL;
    }
    cJSON *o = cJSON_Parse(m->request);
    cJSON_ReplaceItemInObjectCaseSensitive(o, "job", cJSON_CreateString(job));
    return o;
}

static void send_job(Studio *s, Request *r, cJSON *o, const char *what, double seconds)
{
    Text t = {0};
    json_put_cjson(&t, o);
    cJSON_Delete(o);
    job_for(s, r, &t, what, seconds);
}

static void equations(Studio *s, Request *r)
{
    const char *id = request_arg(r, "model");
    cJSON *o = id ? model_job(s, r, id, "equations") : NULL;
    if (!id)
        start_job(s, r, "equations", "sorting the equations", 60);
    else if (o)
        send_job(s, r, o, "sorting the equations", 60);
}

/* Measured values for a fit go to a file, where the child finds them. */
static bool keep_data(const char *scratch, cJSON *ask)
{
    const char *data = json_text(ask, "data");
    char *path = NULL;
    if (!data)
        return true;
    FILE *f = asprintf(&path, "%s.csv", scratch) > 0 ? fopen(path, "wb") : NULL;
    bool ok = f && fwrite(data, 1, strlen(data), f) == strlen(data);
    ok = f && !fclose(f) && ok;
    cJSON_ReplaceItemInObjectCaseSensitive(ask, "data", cJSON_CreateString(path ? path : ""));
    free(path);
    return ok;
}

/* {"model", "kind", …}: linear model, steady state, sensitivities or fit (analyses.c). */
static void analysis(Studio *s, Request *r)
{
    const cJSON *body = request_body(r);
    char id[32], scratch[4096];
    snprintf(id, sizeof id, "%.0f", json_number(body, "model"));
    cJSON *o = model_job(s, r, id, "analysis"), *ask;
    if (!o)
        return;
    snprintf(scratch, sizeof scratch, "%s/analysis-%u", s->scratch, ++s->last_analysis);
    ask = cJSON_Duplicate(body, true);
    cJSON_AddStringToObject(o, "scratch", scratch);
    cJSON_AddItemToObject(o, "analysis", ask);
    if (keep_data(scratch, ask)) {
        send_job(s, r, o, "the analysis", 110);
    } else {
        request_error(r, 500, "the measured values cannot be written");
        cJSON_Delete(o);
    }
}

static void compile(Studio *s, Request *r)
{
    if (check_paths(s, r))
        models_compile(s, r);
}

/* ---- the table ---- */

static const Route routes[] = {
    {"GET", "/api/state", state_read, 0},
    {"GET", "/api/layout", layout_read, 0},
    {"PUT", "/api/layout", layout_write, small},
    {"GET", "/api/files", files_list, 0},
    {"GET", "/api/file", files_read, 0},
    {"PUT", "/api/file", files_write, large},
    {"DELETE", "/api/file", files_delete, 0},
    {"POST", "/api/check", check, large},
    {"POST", "/api/complete", complete, large},
    {"POST", "/api/hover", hover, large},
    {"POST", "/api/edit", edit, large},
    {"POST", "/api/component", component, large},
    {"POST", "/api/replacements", replacements, large},
    {"POST", "/api/icons", icons, large},
    {"POST", "/api/rename", rename_symbol, large},
    {"GET", "/api/tree", tree, 0},
    {"GET", "/api/search", search_classes, 0},
    {"GET", "/api/class", describe_class, 0},
    {"POST", "/api/class", describe_class, large},
    {"GET", "/api/resource", resource_read, 0},
    {"GET", "/api/diagram", diagram, 0},
    {"POST", "/api/diagram", diagram, large},
    {"GET", "/api/equations", equations, 0},
    {"POST", "/api/equations", equations, large},
    {"POST", "/api/analysis", analysis, large},
    {"POST", "/api/model", compile, large},
    {"DELETE", "/api/model", models_delete, 0},
    {"POST", "/api/run", runs_start, small},
    {"PUT", "/api/run", runs_describe, small},
    {"DELETE", "/api/run", runs_delete, 0},
    {"POST", "/api/stop", runs_stop, small},
    {"POST", "/api/watch", runs_watch, small},
    {"GET", "/api/data", runs_data, 0},
    {"GET", "/api/variables", runs_variables, 0},
    {"GET", "/api/eventlog", runs_events, 0},
    {"GET", "/api/lanes", runs_lanes, 0},
    {"GET", "/api/marks", runs_marks, 0},
    {"GET", "/api/measure", runs_measure, 0},
    {"GET", "/api/spectrum", runs_spectrum, 0},
    {"GET", "/api/scene", runs_scene, 0},
    {"GET", "/api/frames", runs_frames, 0},
    {"GET", "/api/surfaces", runs_surfaces, 0},
    {"GET", "/api/export", runs_export, 0},
};

static void listen_to_events(Studio *s, Request *r)
{
    (void)s;
    request_stream(r);
}

static const Route stream = {"GET", "/api/events", listen_to_events, 0};
static const Route page = {"GET", "/", page_serve, 0};

const Route *route_find(const char *method, const char *path, bool *wrong_method)
{
    const Route *found = NULL;
    *wrong_method = false;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (!strcmp(routes[i].path, path)) {
            *wrong_method = true;
            found = !strcmp(routes[i].method, method) ? &routes[i] : found;
        }
    if (!strcmp(path, stream.path))
        found = !strcmp(method, "GET") ? &stream : NULL;
    if (!found && !*wrong_method && strncmp(path, "/api/", 5) && !strcmp(method, "GET"))
        found = &page;
    return found;
}

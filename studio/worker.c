/* Shared by all children: loading the texts of the page, messages in its form, answers. */
#include "child.h"
#include "confined_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void worker_answer(Worker *w, unsigned status, unsigned kind, const char *body, size_t n)
{
    if (!frame_send_for(w->fd, FRAME_ANSWER, status, kind, body, n))
        worker_fail(w, 413, "the answer is too large");
}

void worker_fail(Worker *w, unsigned status, const char *format, ...)
{
    Text t = {0};
    va_list args;
    va_start(args, format);
    json_put_error(&t, format, args);
    va_end(args);
    worker_answer(w, status, 0, t.at, t.n);
    text_free(&t);
}

/* ---- texts ---- */

const char *worker_path(const Worker *w, const char *path)
{
    size_t n = strlen(w->options->workspace);
    return !strncmp(path, w->options->workspace, n) && path[n] == '/' ? path + n + 1 : path;
}

char *worker_full_path(const Worker *w, const char *path)
{
    char *full = NULL;
    if (*path == '/')
        return strdup(path);
    return asprintf(&full, "%s/%s", w->options->workspace, path) < 0 ? NULL : full;
}

/* A file of the workspace as it is stored; without links, as for the page. */
static bool read_stored(const Worker *w, const char *path, Text *t)
{
    int top = open(w->options->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = top >= 0 && confine_is_plain(path) && confine_read(top, path, t);
    if (top >= 0)
        close(top);
    return ok;
}

static int load_one(Worker *w, const char *path, const char *text)
{
    char *full = worker_full_path(w, path);
    Text stored = {0};
    path = worker_path(w, path);
    if (!text && *path != '/' && (read_stored(w, path, &stored) || errno != ENOENT))
        text = stored.at ? stored.at : ""; /* a link counts as empty */
    int status = !full  ? KAIROS_FAILED
                 : text ? kairos_load_text(w->k, full, text, strlen(text))
                        : kairos_load_file(w->k, full);
    text_free(&stored);
    free(full);
    return status;
}

int worker_load(Worker *w, const cJSON *request)
{
    const char *path = json_text(request, "path"), *text = json_text(request, "text");
    const cJSON *open = json_part(request, "open"), *file;
    int status = KAIROS_OK;
    if (!w->ready)
        kairos_add_library(w->k, w->options->workspace);
    w->ready = true;
    cJSON_ArrayForEach(file, open)
    {
        const char *other = json_text(file, "path"), *its = json_text(file, "text");
        if (!other || !its)
            continue;
        if (path && !strcmp(other, path)) {
            text = text ? text : its;
            continue;
        }
        load_one(w, other, its);
    }
    kairos_clear_messages(w->k); /* errors in other files are reported when those are checked */
    if (path)
        status = load_one(w, path, text);
    return status;
}

void worker_send_read(Worker *w)
{
    char *text = kairos_list_loaded(w->k);
    cJSON *list = cJSON_Parse(text ? text : "[]"), *row;
    uint32_t at = 0;
    kairos_free_text(text);
    cJSON_ArrayForEach(row, list)
    {
        const char *path = json_text(row, "path"), *name = json_text(row, "name");
        if (at++ < w->known || !path || !name || worker_path(w, path) != path ||
            strlen(name) > 2000)
            continue;
        char line[2048];
        int n = snprintf(line, sizeof line, "%s\n", name);
        if (write(w->warm, line, (size_t)n) != n)
            break; /* this only makes later work faster */
    }
    cJSON_Delete(list);
}

char *worker_strip(const Worker *w, const char *json)
{
    char *key = NULL;
    Text t = {0};
    int n = asprintf(&key, "\"path\":\"%s/", w->options->workspace);
    for (const char *at; n > 0 && (at = strstr(json, key)); json = at + n) {
        text_put_n(&t, json, (size_t)(at - json));
        text_put(&t, "\"path\":\"");
    }
    text_put(&t, json);
    free(key);
    return t.at;
}

/* ---- messages ---- */

static void rename_item(cJSON *o, const char *from, const char *to)
{
    cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(o, from);
    if (item)
        cJSON_AddItemToObject(o, to, item);
}

static void translate_place(const Worker *w, cJSON *o)
{
    const char *file = json_text(o, "file");
    if (file)
        cJSON_AddStringToObject(o, "path", worker_path(w, file));
    cJSON_DeleteItemFromObjectCaseSensitive(o, "file");
    rename_item(o, "endLine", "end_line");
    rename_item(o, "endColumn", "end_column");
}

cJSON *worker_messages(Worker *w)
{
    char *text = kairos_render_messages(w->k, KAIROS_JSON);
    cJSON *list = cJSON_Parse(text), *row, *note;
    kairos_free_text(text);
    if (!list)
        return cJSON_CreateArray();
    cJSON_ArrayForEach(row, list)
    {
        translate_place(w, row);
        cJSON_ArrayForEach(note, json_part(row, "notes")) translate_place(w, note);
    }
    return list;
}

/* ---- answers ---- */

void worker_answer_json(Worker *w, unsigned status, cJSON *o)
{
    char *text = cJSON_PrintUnformatted(o), *stripped = worker_strip(w, text ? text : "null");
    worker_answer(w, status, 0, stripped, strlen(stripped));
    memory_free(stripped);
    free(text);
    cJSON_Delete(o);
}

void worker_answer_text(Worker *w, char *text)
{
    if (text) {
        char *stripped = worker_strip(w, text);
        worker_answer(w, 200, 0, stripped, strlen(stripped));
        memory_free(stripped);
    } else {
        cJSON *o = cJSON_CreateObject(), *messages = worker_messages(w);
        const char *first = json_text(cJSON_GetArrayItem(messages, 0), "message");
        cJSON_AddStringToObject(o, "error", first ? first : "there is no answer");
        cJSON_AddItemToObject(o, "diagnostics", messages);
        worker_answer_json(w, 422, o);
    }
    kairos_free_text(text);
}

#include "mcp.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ANSWER_MOST = 100000 }; /* bytes of structured content */

/* ---- answers ---- */

static cJSON *add_text(cJSON *content, const char *text)
{
    cJSON *part = cJSON_CreateObject();
    cJSON_AddStringToObject(part, "type", "text");
    cJSON_AddStringToObject(part, "text", text);
    cJSON_AddItemToArray(content, part);
    return part;
}

static void answer(Job *j, cJSON *o, cJSON *picture)
{
    cJSON *result = cJSON_CreateObject(), *content = cJSON_AddArrayToObject(result, "content");
    char *text = cJSON_PrintUnformatted(o);
    if (text && strlen(text) > ANSWER_MOST) {
        cJSON_Delete(result);
        cJSON_Delete(picture);
        tool_fail(j, "the answer is larger than %d bytes; ask for less", ANSWER_MOST);
    } else {
        add_text(content, text ? text : "");
        if (picture)
            cJSON_AddItemToArray(content, picture);
        cJSON_AddItemToObject(result, "structuredContent", cJSON_Duplicate(o, true));
        cJSON_AddBoolToObject(result, "isError", false);
        job_result_json(j, result);
    }
    free(text);
    cJSON_Delete(o);
}

void tool_answer(Job *j, cJSON *o)
{
    answer(j, o, NULL);
}

void tool_answer_picture(Job *j, cJSON *o, const char *png, size_t n)
{
    Text data = {0};
    cJSON *picture = cJSON_CreateObject();
    json_put_base64(&data, png, n);
    cJSON_AddStringToObject(picture, "type", "image");
    cJSON_AddStringToObject(picture, "data", data.at ? data.at : "");
    cJSON_AddStringToObject(picture, "mimeType", "image/png");
    text_free(&data);
    answer(j, o, picture);
}

static void fail_with(Job *j, const char *text, cJSON *structured)
{
    cJSON *result = cJSON_CreateObject();
    add_text(cJSON_AddArrayToObject(result, "content"), text);
    if (structured)
        cJSON_AddItemToObject(result, "structuredContent", structured);
    cJSON_AddBoolToObject(result, "isError", true);
    job_result_json(j, result);
}

void tool_fail(Job *j, const char *format, ...)
{
    char text[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail_with(j, text, NULL);
}

cJSON *tool_messages(Host *h)
{
    enum { MESSAGES_MOST = 50 };
    char *text = kairos_render_messages(h->k, KAIROS_JSON);
    cJSON *list = cJSON_Parse(text ? text : "[]");
    kairos_free_text(text);
    while (cJSON_GetArraySize(list) > MESSAGES_MOST)
        cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
    return list ? list : cJSON_CreateArray();
}

void tool_fail_messages(Host *h, Job *j)
{
    char *text = kairos_render_messages(h->k, KAIROS_TEXT);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "messages", tool_messages(h));
    if (text && strlen(text) > ANSWER_MOST)
        text[ANSWER_MOST] = 0;
    fail_with(j, text && *text ? text : "the tool failed", o);
    kairos_free_text(text);
}

/* ---- arguments ---- */

const cJSON *tool_arguments(const Job *j)
{
    return json_part(j->params, "arguments");
}

const char *tool_text(const Job *j, const char *name)
{
    return json_text(tool_arguments(j), name);
}

static bool is_inside(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (path[n] == '/' || !path[n] || n == 1);
}

/* A file that does not exist yet lies in its folder. */
static char *resolved(const char *path)
{
    char *real = realpath(path, NULL);
    const char *slash = strrchr(path, '/');
    if (real || errno != ENOENT || !slash || !slash[1] || !strcmp(slash + 1, ".."))
        return real;
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path)), *whole = NULL;
    real = realpath(folder, NULL);
    if (real && asprintf(&whole, "%s/%s", real, slash + 1) < 0)
        whole = NULL;
    free(folder);
    free(real);
    return whole;
}

char *tool_path(Host *h, Job *j, const char *path)
{
    char *full = NULL;
    if (*path != '/' && h->roots.n && asprintf(&full, "%s/%s", h->roots.at[0], path) < 0)
        full = NULL;
    char *real = resolved(full ? full : path);
    free(full);
    for (unsigned i = 0; real && i < h->roots.n; i++)
        if (is_inside(real, h->roots.at[i]))
            return real;
    free(real);
    tool_fail(j, "'%.300s' is not a file in the folders of this server", path);
    return NULL;
}

bool tool_load(Host *h, Job *j, const char **name)
{
    const char *text = tool_text(j, "text"), *path = tool_text(j, "path");
    *name = tool_text(j, "class");
    if (!text && !path && !*name) {
        tool_fail(j, "give 'text', 'path' or 'class'");
        return false;
    }
    int status = KAIROS_OK;
    if (path) {
        char *real = tool_path(h, j, path);
        if (!real)
            return false;
        status =
            text ? kairos_load_text(h->k, real, text, strlen(text)) : kairos_load_file(h->k, real);
        free(real);
    } else if (text) {
        status = kairos_load_text(h->k, "text.mo", text, strlen(text));
    }
    if (status != KAIROS_OK)
        tool_fail_messages(h, j);
    return status == KAIROS_OK;
}

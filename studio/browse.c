/* Jobs that look at classes: the tree, the index for searching, one class, its picture, its
 * equations, names at a place. */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the files of the workspace ---- */

static bool is_listed(const cJSON *files, const char *path)
{
    const cJSON *file;
    cJSON_ArrayForEach(file, files)
    {
        const char *one = json_text(file, "path");
        if (one && !strcmp(one, path))
            return true;
    }
    return false;
}

/* "a/b/" of "a/b/C.mo"; n: length, 0 at the top. */
static size_t folder_length(const char *path, size_t n)
{
    while (n && path[n - 1] != '/')
        n--;
    return n;
}

static bool is_in_package(const cJSON *files, const char *path, size_t folder)
{
    char *package = NULL;
    bool in =
        asprintf(&package, "%.*spackage.mo", (int)folder, path) > 0 && is_listed(files, package);
    free(package);
    return in;
}

/* Whether a file has classes of the top level: it is in no package, or is the package.mo of a
 * package that is in none. */
static bool is_top(const cJSON *files, const char *path)
{
    size_t folder = folder_length(path, strlen(path));
    if (strcmp(path + folder, "package.mo"))
        return !is_in_package(files, path, folder);
    return !folder || !is_in_package(files, path, folder_length(path, folder - 1));
}

/* Calls the function for each file with top-level classes, after loading it. */
static void each_top_file(Worker *w, const cJSON *files, void (*seen)(Worker *w, void *user),
                          void *user)
{
    const cJSON *file;
    cJSON_ArrayForEach(file, files)
    {
        const char *path = json_text(file, "path"), *dot = path ? strrchr(path, '.') : NULL;
        if (!path || !is_top(files, path) || (dot && !strcmp(dot, ".ocl")))
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "path", path);
        worker_load(w, one);
        cJSON_Delete(one);
        seen(w, user);
        kairos_clear_messages(w->k);
    }
}

static void nothing(Worker *w, void *user)
{
    (void)w;
    (void)user;
}

/* Loads what the request gives. If a class is still unknown, it may be in a file of the workspace
 * that has another name: then all of these are loaded. */
static void load_class(Worker *w, const cJSON *request, const char *name)
{
    worker_load(w, request);
    if (name && kairos_load_class(w->k, name) != KAIROS_OK)
        each_top_file(w, json_part(request, "files"), nothing, NULL);
    kairos_clear_messages(w->k);
}

/* ---- the tree ---- */

static void add_rows(cJSON *list, char *text)
{
    cJSON *rows = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    while ((row = cJSON_DetachItemFromArray(rows, 0)))
        cJSON_AddItemToArray(list, row);
    cJSON_Delete(rows);
}

static void add_top_classes(Worker *w, void *user)
{
    add_rows(user, kairos_list_classes(w->k, NULL));
}

static bool has_row(const cJSON *list, const char *full, const cJSON *before)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, list)
    {
        const char *other = json_text(row, "full");
        if (row == before)
            return false;
        if (other && full && !strcmp(other, full))
            return true;
    }
    return false;
}

/* Classes of the workspace hide libraries of the same name. */
static void drop_doubles(cJSON *list)
{
    for (int i = cJSON_GetArraySize(list) - 1; i >= 0; i--) {
        const cJSON *row = cJSON_GetArrayItem(list, i);
        if (has_row(list, json_text(row, "full"), row))
            cJSON_DeleteItemFromArray(list, i);
    }
}

void job_tree(Worker *w, const cJSON *request)
{
    const char *name = json_text(request, "class");
    if (name) {
        load_class(w, request, name);
        worker_answer_text(w, kairos_list_classes(w->k, name));
        worker_send_read(w);
        return;
    }
    cJSON *list = cJSON_CreateArray();
    each_top_file(w, json_part(request, "files"), add_top_classes, list);
    add_rows(list, kairos_list_classes(w->k, ""));
    drop_doubles(list);
    worker_answer_json(w, 200, list);
    worker_send_read(w);
}

/* ---- the index ---- */

static void add_file_classes(Worker *w, void *user)
{
    char *text = kairos_list_classes(w->k, NULL);
    cJSON *rows = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    cJSON_ArrayForEach(row, rows)
        add_rows(user, kairos_index_library(w->k, json_text(row, "name")));
    cJSON_Delete(rows);
}

void job_index(Worker *w, const cJSON *request)
{
    cJSON *o = cJSON_CreateObject(), *libraries = NULL, *row;
    if (json_flag(request, "libraries")) {
        char *text = kairos_list_classes(w->k, "");
        cJSON *list = cJSON_Parse(text ? text : "[]");
        kairos_free_text(text);
        libraries = cJSON_AddArrayToObject(o, "libraries");
        cJSON_ArrayForEach(row, list)
            add_rows(libraries, kairos_index_library(w->k, json_text(row, "name")));
        cJSON_Delete(list);
    }
    each_top_file(w, json_part(request, "files"), add_file_classes,
                  cJSON_AddArrayToObject(o, "workspace"));
    worker_answer_json(w, 200, o);
}

/* ---- one class ---- */

void job_class(Worker *w, const cJSON *request)
{
    const char *name = json_text(request, "name");
    load_class(w, request, name);
    char *text = name ? kairos_describe_class(w->k, name) : NULL;
    if (text)
        worker_answer_text(w, text);
    else
        worker_fail(w, 404, "there is no class '%.300s'", name ? name : "");
    worker_send_read(w);
}

/* Changes the paths in the drawing to those that the page knows. */
static void answer_svg(Worker *w, char *svg)
{
    char *key = NULL;
    const char *p = svg;
    Text t = {0};
    int n = asprintf(&key, "data-path=\"%s/", w->options->workspace);
    for (const char *at; n > 0 && (at = strstr(p, key)); p = at + n) {
        text_put_n(&t, p, (size_t)(at - p));
        text_put(&t, "data-path=\"");
    }
    text_put(&t, p);
    worker_answer(w, 200, 1, t.at, t.n);
    text_free(&t);
    free(key);
}

void job_diagram(Worker *w, const cJSON *request)
{
    const char *kind = json_text(request, "kind");
    bool icon = kind && !strcmp(kind, "icon");
    const char *name = json_text(request, "class");
    load_class(w, request, name);
    const cJSON *values = json_part(request, "values"), *row;
    size_t most = (size_t)cJSON_GetArraySize(values) + 1;
    const char **names = memory_alloc(most * sizeof *names);
    const char **texts = memory_alloc(most * sizeof *texts);
    unsigned n = 0;
    cJSON_ArrayForEach(row, values) if (cJSON_IsString(row) && row->string)
    {
        names[n] = row->string;
        texts[n++] = row->valuestring;
    }
    char *svg =
        kairos_draw_diagram_at(w->k, name, icon ? KAIROS_ICON : KAIROS_DIAGRAM, names, texts, n);
    memory_free(names);
    memory_free(texts);
    if (svg)
        answer_svg(w, svg);
    else
        worker_answer_text(w, NULL);
    kairos_free_text(svg);
    worker_send_read(w);
}

void job_equations(Worker *w, const cJSON *request)
{
    int status = worker_load(w, request);
    worker_answer_text(
        w, status ? NULL : kairos_describe_equations(w->k, json_text(request, "class"), NULL));
    worker_send_read(w);
}

/* ---- names at a place ---- */

typedef char *(*AtPlace)(Kairos *k, const char *name, const char *text, size_t size, unsigned line,
                         unsigned column);

static void answer_at(Worker *w, const cJSON *request, AtPlace ask)
{
    const char *path = json_text(request, "path"), *text = json_text(request, "text");
    const cJSON *line = json_part(request, "line");
    const cJSON *column = json_part(request, "column");
    double l = cJSON_GetNumberValue(line), c = cJSON_GetNumberValue(column);
    if (!path || !text || !(l >= 1 && l < 1e9) || !(c >= 1 && c < 1e9)) {
        worker_fail(w, 400, "'path', 'text', 'line' and 'column' are needed");
        return;
    }
    cJSON *others = cJSON_CreateObject();
    cJSON_AddItemToObject(others, "open", cJSON_Duplicate(json_part(request, "open"), true));
    worker_load(w, others);
    cJSON_Delete(others);
    char *full = worker_full_path(w, path);
    worker_answer_text(w, ask(w->k, full, text, strlen(text), (unsigned)l, (unsigned)c));
    free(full);
    worker_send_read(w);
}

void job_complete(Worker *w, const cJSON *request)
{
    answer_at(w, request, kairos_complete_text);
}

void job_hover(Worker *w, const cJSON *request)
{
    answer_at(w, request, kairos_find_symbol);
}

/* ---- edits ---- */

/* Loads the other texts of the page; the path of the edited one, or NULL after an answer. */
static char *open_edited(Worker *w, const cJSON *request)
{
    const char *path = json_text(request, "path");
    if (!path || !json_text(request, "text") || !json_text(request, "class")) {
        worker_fail(w, 400, "'path', 'text' and 'class' are needed");
        return NULL;
    }
    cJSON *others = cJSON_CreateObject();
    cJSON_AddItemToObject(others, "open", cJSON_Duplicate(json_part(request, "open"), true));
    worker_load(w, others);
    cJSON_Delete(others);
    return worker_full_path(w, path);
}

void job_edit(Worker *w, const cJSON *request)
{
    char *path = open_edited(w, request);
    if (!path)
        return;
    const char *text = json_text(request, "text");
    char *operations = cJSON_PrintUnformatted(json_part(request, "operations"));
    KairosEdit e = {.size = sizeof e,
                    .path = path,
                    .text = text,
                    .text_size = strlen(text),
                    .class_name = json_text(request, "class"),
                    .operations = operations ? operations : "null"};
    worker_answer_text(w, kairos_edit_class(w->k, &e));
    free(operations);
    free(path);
    worker_send_read(w);
}

void job_component(Worker *w, const cJSON *request)
{
    const char *class = json_text(request, "class"), *name = json_text(request, "component");
    load_class(w, request, class);
    char *text = class && name ? kairos_describe_component(w->k, class, name) : NULL;
    if (text)
        worker_answer_text(w, text);
    else
        worker_fail(w, 404, "'%.200s' has no component '%.200s'", class ? class : "",
                    name ? name : "");
    worker_send_read(w);
}

/* Classes of the whole workspace may replace the element. */
void job_replacements(Worker *w, const cJSON *request)
{
    const char *class = json_text(request, "class"), *name = json_text(request, "component");
    const char *element = json_text(request, "element");
    each_top_file(w, json_part(request, "files"), nothing, NULL);
    load_class(w, request, class);
    char *text =
        class && name && element ? kairos_list_replacements(w->k, class, name, element) : NULL;
    if (text)
        worker_answer_text(w, text);
    else
        worker_fail(w, 404, "'%.200s' has no replaceable element '%.200s'", name ? name : "",
                    element ? element : "");
    worker_send_read(w);
}

/* The icons of several classes: {"Class": "<svg …"}; classes without an icon are left out. */
void job_icons(Worker *w, const cJSON *request)
{
    enum { MOST = 500 };
    const cJSON *one;
    cJSON *o = cJSON_CreateObject();
    int n = 0;
    worker_load(w, request);
    cJSON_ArrayForEach(one, json_part(request, "classes"))
    {
        const char *name = cJSON_GetStringValue(one);
        char *svg = NULL;
        if (!name || ++n > MOST)
            break;
        load_class(w, request, name);
        svg = kairos_draw_diagram(w->k, name, KAIROS_ICON);
        if (svg && (strstr(svg, "<path") || strstr(svg, "<text") || strstr(svg, "<image")))
            cJSON_AddStringToObject(o, name, svg);
        kairos_free_text(svg);
        kairos_clear_messages(w->k);
    }
    worker_answer_json(w, 200, o);
    worker_send_read(w);
}

/* The changes of a rename in all files of the workspace, as the language service gives them. */
void job_rename(Worker *w, const cJSON *request)
{
    char *path = open_edited(w, request);
    const char *text = json_text(request, "text");
    const cJSON *files = json_part(request, "files"), *file;
    double line = json_number(request, "line"), character = json_number(request, "character");
    if (!path)
        return;
    unsigned n = 0;
    const char **paths = memory_alloc(((size_t)cJSON_GetArraySize(files) + 1) * sizeof *paths);
    cJSON_ArrayForEach(file, files)
    {
        const char *one = json_text(file, "path");
        char *full = one ? worker_full_path(w, one) : NULL;
        if (full)
            paths[n++] = full;
    }
    KairosQuestion q = {.size = sizeof q,
                        .about = "rename",
                        .path = path,
                        .text = text,
                        .text_size = strlen(text),
                        .line = line >= 0 && line < 1e9 ? (unsigned)line : 0,
                        .character = character >= 0 && character < 1e9 ? (unsigned)character : 0,
                        .name = json_text(request, "name"),
                        .files = paths,
                        .n_files = n};
    worker_answer_text(w, q.name ? kairos_ask_text(w->k, &q) : NULL);
    for (unsigned i = 0; i < n; i++)
        free((char *)paths[i]);
    memory_free(paths);
    free(path);
    worker_send_read(w);
}

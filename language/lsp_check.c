/* Checks while typing: problems with related places, and their quick fixes. */
#include "lsp.h"

#include "base/clock.h"
#include "base/uri.h"

#include <stdlib.h>

static const double check_seconds = 120;
enum { CHECKS_AT_ONCE = 2, PROBLEMS_MOST = 200 };

/* ---- places ---- */

cJSON *make_range(double line, double character, double end_line, double end_character)
{
    cJSON *range = cJSON_CreateObject(), *start = cJSON_AddObjectToObject(range, "start"),
          *end = cJSON_AddObjectToObject(range, "end");
    cJSON_AddNumberToObject(start, "line", line);
    cJSON_AddNumberToObject(start, "character", character);
    cJSON_AddNumberToObject(end, "line", end_line);
    cJSON_AddNumberToObject(end, "character", end_character);
    return range;
}

/* The texts of the files that messages name. */
typedef struct FileText {
    char *path;
    Text text;
} FileText;

typedef struct Texts {
    const Lsp *l;
    VEC(FileText) files;
} Texts;

static const Text *text_of(Texts *w, const char *path)
{
    for (const Document *d = w->l->documents.first; d; d = d->next)
        if (!strcmp(d->path, path))
            return &d->text;
    for (unsigned i = 0; i < w->files.n; i++)
        if (!strcmp(w->files.at[i].path, path))
            return &w->files.at[i].text;
    vec_push(&w->files, ((FileText){strdup(path), {0}}));
    host_read_file(path, &vec_last(&w->files).text);
    return &vec_last(&w->files).text;
}

/* Characters of a line as units of UTF-16; both from 0. */
static double units_at(Texts *w, const char *path, double line, double column)
{
    const Text *t = text_of(w, path);
    size_t at = document_offset(t->at, t->n, line, 0);
    return utf16_units(t->at + at, (unsigned)column);
}

/* Of a message, a note or a fix with "file", "line", "column", "endLine", "endColumn". */
static cJSON *range_of(Texts *w, const cJSON *o)
{
    const char *path = json_text(o, "file");
    double line = json_number(o, "line"), end_line = json_number(o, "endLine");
    if (!path || !(line >= 1))
        return make_range(0, 0, 0, 0);
    double from = units_at(w, path, line - 1, json_number(o, "column") - 1),
           to = units_at(w, path, end_line - 1, json_number(o, "endColumn") - 1);
    return make_range(line - 1, from, end_line - 1, to);
}

/* ---- in the job ---- */

static void add_notes(Texts *w, const cJSON *message, cJSON *problem, Text *text)
{
    cJSON *related = cJSON_CreateArray();
    const cJSON *note, *notes = json_part(message, "notes");
    cJSON_ArrayForEach(note, notes)
    {
        const char *path = json_text(note, "file"), *words = json_text(note, "message");
        if (!path) {
            text_printf(text, "\n%s", words);
            continue;
        }
        cJSON *one = cJSON_CreateObject(), *location = cJSON_AddObjectToObject(one, "location");
        Text uri = {0};
        uri_put(&uri, path);
        cJSON_AddStringToObject(location, "uri", uri.at);
        cJSON_AddItemToObject(location, "range", range_of(w, note));
        cJSON_AddStringToObject(one, "message", words);
        cJSON_AddItemToArray(related, one);
        text_free(&uri);
    }
    if (cJSON_GetArraySize(related))
        cJSON_AddItemToObject(problem, "relatedInformation", related);
    else
        cJSON_Delete(related);
}

static void add_fix(Texts *w, const cJSON *message, cJSON *problem)
{
    const cJSON *fix = json_part(message, "fix");
    if (!fix)
        return;
    cJSON *data = cJSON_AddObjectToObject(problem, "data");
    cJSON_AddStringToObject(data, "title", json_text(fix, "title"));
    cJSON_AddStringToObject(data, "newText", json_text(fix, "text"));
    cJSON_AddItemToObject(data, "range", range_of(w, fix));
}

/* An error, a warning, or only an information: a model without all its initial conditions runs. */
static int severity_of(const cJSON *message)
{
    const char *severity = json_text(message, "severity"), *code = json_text(message, "code");
    return severity && !strcmp(severity, "error") ? 1 : code && !strcmp(code, "T102") ? 3 : 2;
}

static cJSON *problem_of(Texts *w, const cJSON *message)
{
    cJSON *o = cJSON_CreateObject();
    const char *code = json_text(message, "code");
    Text text = {0};
    cJSON_AddItemToObject(o, "range", range_of(w, message));
    cJSON_AddNumberToObject(o, "severity", severity_of(message));
    cJSON_AddStringToObject(o, "code", code);
    text_printf(&text, "command:kairos.explain?%%5B%%22%s%%22%%5D", code);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(o, "codeDescription"), "href", text.at);
    cJSON_AddStringToObject(o, "source", "kairos");
    text.n = 0;
    text_put(&text, json_text(message, "message"));
    add_notes(w, message, o, &text);
    cJSON_AddStringToObject(o, "message", text.at);
    add_fix(w, message, o);
    text_free(&text);
    return o;
}

/* {uri: [problem, …]}: the document is always among the keys. */
static cJSON *problems_by_file(const Lsp *l, const char *uri, const char *path)
{
    char *text = kairos_render_messages(l->host.k, KAIROS_JSON);
    cJSON *list = cJSON_Parse(text ? text : "[]"), *files = cJSON_CreateObject();
    const cJSON *message;
    Texts w = {.l = l};
    int n = 0;
    kairos_free_text(text);
    cJSON_AddArrayToObject(files, uri);
    cJSON_ArrayForEach(message, list)
    {
        const char *place = json_text(message, "file");
        Text key = {0};
        if (n++ >= PROBLEMS_MOST)
            break;
        if (!place || !strcmp(place, path))
            text_put(&key, uri);
        else
            uri_put(&key, place);
        if (!json_part(files, key.at))
            cJSON_AddArrayToObject(files, key.at);
        cJSON_AddItemToArray(json_part(files, key.at), problem_of(&w, message));
        text_free(&key);
    }
    cJSON_Delete(list);
    return files;
}

static void check(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (!lsp_load_texts(h->owner, j, j->uri, &text, &path))
        return;
    if (kairos_load_text(h->k, path.at, text.at, text.n) == KAIROS_OK)
        kairos_check_classes(
            h->k, NULL,
            &(KairosCompile){.size = sizeof(KairosCompile), .check_units = 1, .check_initial = 1});
    job_result_json(j, problems_by_file(h->owner, j->uri, path.at));
}

/* ---- in the server ---- */

static void add_missing(cJSON *list, const cJSON *problems)
{
    const cJSON *problem, *old;
    cJSON_ArrayForEach(problem, problems)
    {
        bool known = false;
        cJSON_ArrayForEach(old, list) known |= cJSON_Compare(old, problem, true);
        if (!known)
            cJSON_AddItemToArray(list, cJSON_Duplicate(problem, true));
    }
}

/* Of an open document those of its own check; of another file those that checks of open documents
 * have found in it. */
static void publish(Lsp *l, const char *uri)
{
    cJSON *o = cJSON_CreateObject(), *list = cJSON_CreateArray();
    const Document *doc = document_find(&l->documents, uri);
    cJSON_AddStringToObject(o, "uri", uri);
    if (doc)
        cJSON_AddNumberToObject(o, "version", (double)doc->version);
    add_missing(list, doc ? doc->problems : NULL);
    for (const Document *d = l->documents.first; d && !doc; d = d->next)
        add_missing(list, json_part(d->elsewhere, uri));
    cJSON_AddItemToObject(o, "diagnostics", list);
    rpc_notify(&l->host.rpc, "textDocument/publishDiagnostics", o);
}

static void publish_closed(Lsp *l, const cJSON *files)
{
    const cJSON *file;
    cJSON_ArrayForEach(file, files) if (!document_find(&l->documents, file->string))
        publish(l, file->string);
}

static void take_problems(Host *h, Job *j, const char *json)
{
    Lsp *l = h->owner;
    Document *doc = document_find(&l->documents, j->uri);
    cJSON *files = json ? cJSON_Parse(json) : NULL;
    if (doc && files && doc->version == j->version) {
        cJSON *before = doc->elsewhere;
        cJSON_Delete(doc->problems);
        doc->problems = cJSON_DetachItemFromObjectCaseSensitive(files, doc->uri);
        doc->elsewhere = files;
        publish(l, doc->uri);
        publish_closed(l, before);
        publish_closed(l, files);
        cJSON_Delete(before);
    } else {
        cJSON_Delete(files);
    }
}

static Job *check_of(const Lsp *l, const Document *doc)
{
    for (Job *j = l->host.jobs; j; j = j->next)
        if (j->work == check && !strcmp(j->uri, doc->uri))
            return j;
    return NULL;
}

void lsp_close(Lsp *l, Document *doc)
{
    Job *running = check_of(l, doc);
    cJSON *elsewhere = doc->elsewhere;
    char *uri = doc->uri;
    if (running) /* its version may occur again */
        job_cancel(&l->host, running);
    doc->elsewhere = NULL;
    doc->uri = NULL;
    document_close(&l->documents, doc);
    publish(l, uri);
    publish_closed(l, elsewhere);
    cJSON_Delete(elsewhere);
    free(uri);
}

void lsp_check_later(Lsp *l, Document *doc, double seconds)
{
    Job *old = check_of(l, doc);
    if (old && old->version != doc->version)
        job_cancel(&l->host, old);
    doc->check_due = clock_now() + seconds;
}

/* A change can have effects on other open documents. */
void lsp_check_others(Lsp *l, const Document *doc)
{
    for (Document *d = l->documents.first; d; d = d->next)
        if (d != doc)
            lsp_check_later(l, d, 0.3);
}

static void start_check(Lsp *l, Document *doc)
{
    Job *j = job_new(&l->host, NULL, NULL, check, check_seconds);
    j->uri = strdup(doc->uri);
    j->version = doc->version;
    j->done = take_problems;
    doc->check_due = 0;
    job_start(&l->host, j);
}

double lsp_start_checks(Lsp *l)
{
    double now = clock_now(), wait = 1;
    int running = 0;
    for (const Job *j = l->host.jobs; j; j = j->next)
        running += j->work == check;
    for (Document *d = l->documents.first; d; d = d->next) {
        if (!d->check_due || check_of(l, d))
            continue;
        if (d->check_due <= now && running < CHECKS_AT_ONCE) {
            start_check(l, d);
            running++;
        } else if (d->check_due > now && d->check_due - now < wait) {
            wait = d->check_due - now;
        }
    }
    return wait;
}

/* ---- quick fixes ---- */

static bool overlaps(const cJSON *a, const cJSON *b)
{
    double from = json_number(json_part(a, "start"), "line"),
           to = json_number(json_part(a, "end"), "line");
    return json_number(json_part(b, "end"), "line") >= from &&
           json_number(json_part(b, "start"), "line") <= to;
}

static cJSON *add_action(cJSON *list, const char *title, const cJSON *problem)
{
    cJSON *action = cJSON_CreateObject();
    cJSON_AddStringToObject(action, "title", title);
    cJSON_AddStringToObject(action, "kind", "quickfix");
    cJSON_AddItemToArray(cJSON_AddArrayToObject(action, "diagnostics"),
                         cJSON_Duplicate(problem, true));
    cJSON_AddItemToArray(list, action);
    return action;
}

static void add_edit(cJSON *action, const char *uri, const cJSON *range, const char *text)
{
    cJSON *changes = cJSON_AddObjectToObject(cJSON_AddObjectToObject(action, "edit"), "changes");
    cJSON *edit = cJSON_CreateObject();
    cJSON_AddItemToObject(edit, "range", cJSON_Duplicate(range, true));
    cJSON_AddStringToObject(edit, "newText", text);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(changes, uri), edit);
}

static void add_command(cJSON *action, const char *title, const char *name, const char *argument)
{
    cJSON *command = cJSON_AddObjectToObject(action, "command");
    cJSON_AddStringToObject(command, "title", title);
    cJSON_AddStringToObject(command, "command", name);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(command, "arguments"),
                         cJSON_CreateString(argument));
}

/* The library that a message says is missing; to be freed. */
static char *missing_library(const char *message)
{
    const char *p = strstr(message, "no library '");
    const char *end = p ? strchr(p + 12, '\'') : NULL;
    return end ? strndup(p + 12, (size_t)(end - p - 12)) : NULL;
}

/* The text of a range within one line; to be freed. */
static char *text_in(const Document *doc, const cJSON *range)
{
    const cJSON *start = json_part(range, "start"), *end = json_part(range, "end");
    size_t from = document_offset(doc->text.at, doc->text.n, json_number(start, "line"),
                                  json_number(start, "character")),
           to = document_offset(doc->text.at, doc->text.n, json_number(end, "line"),
                                json_number(end, "character"));
    return strndup(doc->text.at + from, to > from ? to - from : 0);
}

static bool is_package(const Lsp *l, const char *name, size_t n)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, l->host.index)
    {
        const char *full = json_text(row, "full"), *kind = json_text(row, "kind");
        if (full && kind && !strcmp(kind, "package") && strlen(full) == n &&
            !strncmp(full, name, n))
            return true;
    }
    return false;
}

/* "there is no class 'A'", "'P' has no element 'A'" with a package P. */
static bool is_about_class(const Lsp *l, const cJSON *problem)
{
    const char *message = json_text(problem, "message"), *code = json_text(problem, "code");
    if (strcmp(code, "I001"))
        return false;
    const char *end = *message == '\'' ? strchr(message + 1, '\'') : NULL;
    return !strncmp(message, "there is no class", 17) ||
           (end && !strncmp(end, "' has no element", 16) &&
            is_package(l, message + 1, (size_t)(end - message - 1)));
}

/* Unknown classes by their last names, those of old paths too: the index knows the full ones. */
static void add_full_names(const Lsp *l, cJSON *list, const Document *doc, const cJSON *problem)
{
    const cJSON *row, *range = json_part(problem, "range");
    int n = 0;
    if (!is_about_class(l, problem))
        return;
    char *text = text_in(doc, range);
    const char *last = strrchr(text, '.') ? strrchr(text, '.') + 1 : text;
    cJSON_ArrayForEach(row, l->host.index)
    {
        const char *name = json_text(row, "name"), *full = json_text(row, "full");
        if (!name || !full || strcmp(name, last) || n >= 5)
            continue;
        Text title = {0};
        text_printf(&title, "replace by '%s'", full);
        add_edit(add_action(list, title.at, problem), doc->uri, range, full);
        text_free(&title);
        n++;
    }
    free(text);
}

static void add_actions(const Lsp *l, cJSON *list, const Document *doc, const cJSON *problem)
{
    const cJSON *data = json_part(problem, "data");
    const char *code = json_text(problem, "code");
    if (data)
        add_edit(add_action(list, json_text(data, "title"), problem), doc->uri,
                 json_part(data, "range"), json_text(data, "newText"));
    add_full_names(l, list, doc, problem);
    char *library = missing_library(json_text(problem, "message"));
    if (library) {
        Text title = {0};
        text_printf(&title, "add the library '%s'", library);
        add_command(add_action(list, title.at, problem), title.at, "kairos.addLibrary", library);
        text_free(&title);
    }
    free(library);
    Text title = {0};
    text_printf(&title, "explain %s", code);
    add_command(add_action(list, title.at, problem), title.at, "kairos.explain", code);
    text_free(&title);
}

void lsp_code_actions(Lsp *l, const cJSON *id, const cJSON *params)
{
    const char *uri = params_uri(params);
    const Document *doc = document_find(&l->documents, uri);
    const cJSON *range = json_part(params, "range"), *problem;
    const cJSON *problems = doc ? doc->problems : NULL;
    cJSON *list = cJSON_CreateArray();
    cJSON_ArrayForEach(problem, problems) if (overlaps(json_part(problem, "range"), range))
        add_actions(l, list, doc, problem);
    Text t = {0};
    json_put_cjson(&t, list);
    rpc_result(&l->host.rpc, id, t.at);
    text_free(&t);
    cJSON_Delete(list);
}

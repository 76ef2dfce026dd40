/* Requests that the language service answers, each in a job. */
#include "lsp.h"

#include "base/uri.h"

#include <stdlib.h>
#include <unistd.h>

static const double request_seconds = 60;

typedef struct RequestRow {
    const char *method;
    const char *about; /* the question to the service; NULL: the work is its own */
    JobWork work;
} RequestRow;

/* ---- parameters ---- */

const char *params_uri(const cJSON *params)
{
    const cJSON *item = json_part(params, "item");
    const char *uri = json_text(json_part(params, "textDocument"), "uri");
    return uri ? uri : json_text(item, "uri");
}

static const cJSON *params_start(const cJSON *params)
{
    const cJSON *position = json_part(params, "position"), *range = json_part(params, "range");
    const cJSON *item = json_part(json_part(params, "item"), "selectionRange");
    return position ? position : json_part(range ? range : item, "start");
}

static unsigned count_of(const cJSON *o, const char *name)
{
    double x = json_number(o, name);
    return x >= 0 ? x < 4e9 ? (unsigned)x : 4000000000u : 0;
}

/* ---- texts ---- */

static bool is_in_package(const char *path)
{
    const char *slash = strrchr(path, '/');
    Text t = {0};
    text_printf(&t, "%.*s/package.mo", slash ? (int)(slash - path) : 0, path);
    bool in = slash && !access(t.at, F_OK);
    text_free(&t);
    return in;
}

bool lsp_load_texts(Lsp *l, Job *j, const char *uri, Text *text, Text *path)
{
    Kairos *k = l->host.k;
    const Document *doc = document_find(&l->documents, uri);
    if (!uri) {
        job_fail(j, RPC_INVALID_PARAMS, "the request names no document");
        return false;
    }
    uri_put_path(path, uri);
    if (doc)
        text_put_n(text, doc->text.at, doc->text.n);
    else if (!host_read_file(path->at, text)) {
        job_fail(j, RPC_INVALID_PARAMS, "'%.300s' is not open and cannot be read", uri);
        return false;
    }
    for (const Document *other = l->documents.first; other; other = other->next) {
        kairos_overlay_file(k, other->path, other->text.at, other->text.n);
        if (other != doc && !is_in_package(other->path))
            kairos_load_text(k, other->path, other->text.at, other->text.n);
    }
    kairos_clear_messages(k);
    return true;
}

/* ---- questions ---- */

KairosQuestion lsp_question(const Job *j, const Text *text, const Text *path)
{
    const RequestRow *row = j->row;
    const cJSON *start = params_start(j->params);
    const cJSON *end = json_part(json_part(j->params, "range"), "end");
    return (KairosQuestion){.size = sizeof(KairosQuestion),
                            .about = row->about,
                            .path = path->at,
                            .text = text->at,
                            .text_size = text->n,
                            .line = count_of(start, "line"),
                            .character = count_of(start, "character"),
                            .end_line = count_of(end, "line"),
                            .end_character = count_of(end, "character"),
                            .name = json_text(j->params, "newName")};
}

/* The result of a refused question is an error of the request. */
void lsp_answer_question(Job *j, char *answer)
{
    cJSON *o = answer && !strncmp(answer, "{\"error\":", 9) ? cJSON_Parse(answer) : NULL;
    if (o)
        job_fail(j, RPC_FAILED, "%.900s", json_text(o, "error"));
    else
        job_result(j, answer ? answer : "null");
    cJSON_Delete(o);
    kairos_free_text(answer);
}

static void job_question(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path)) {
        KairosQuestion q = lsp_question(j, &text, &path);
        lsp_answer_question(j, kairos_ask_text(h->k, &q));
    }
    text_free(&text);
    text_free(&path);
}

/* Questions that search the whole workspace. */
static void job_wide_question(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path)) {
        KairosQuestion q = lsp_question(j, &text, &path);
        q.files = (const char *const *)host_list_files(h, &q.n_files);
        lsp_answer_question(j, kairos_ask_text(h->k, &q));
    }
}

/* ---- hover: with the icon of a class, if the client shows pictures ---- */

static void add_icon(Host *h, cJSON *hover)
{
    enum { LARGEST = 20000 };
    cJSON *class_ = cJSON_DetachItemFromObjectCaseSensitive(hover, "class");
    cJSON *contents = json_part(hover, "contents");
    const char *value = json_text(contents, "value");
    const Lsp *l = h->owner;
    char *svg = l->has_pictures && class_ && value
                    ? kairos_draw_diagram(h->k, class_->valuestring, KAIROS_ICON)
                    : NULL;
    if (svg && strlen(svg) < LARGEST && !strstr(svg, "data:")) {
        Text t = {0};
        text_printf(&t, "%s\n\n<img width=\"80\" src=\"data:image/svg+xml;base64,", value);
        json_put_base64(&t, svg, strlen(svg));
        text_put(&t, "\"/>");
        cJSON_ReplaceItemInObjectCaseSensitive(contents, "value", cJSON_CreateString(t.at));
        text_free(&t);
    }
    kairos_free_text(svg);
    cJSON_Delete(class_);
}

static void job_hover(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (!lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path))
        return;
    KairosQuestion q = lsp_question(j, &text, &path);
    char *answer = kairos_ask_text(h->k, &q);
    cJSON *o = answer ? cJSON_Parse(answer) : NULL;
    if (cJSON_IsObject(o))
        add_icon(h, o);
    job_result_json(j, o ? o : cJSON_CreateNull());
    kairos_free_text(answer);
}

/* ---- selections: one for each position ---- */

static void job_selections(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (!lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path))
        return;
    const cJSON *position, *positions = json_part(j->params, "positions");
    cJSON *list = cJSON_CreateArray();
    cJSON_ArrayForEach(position, positions)
    {
        KairosQuestion q = lsp_question(j, &text, &path);
        q.line = count_of(position, "line");
        q.character = count_of(position, "character");
        char *answer = kairos_ask_text(h->k, &q);
        cJSON *one = answer ? cJSON_Parse(answer) : NULL;
        cJSON_AddItemToArray(list, one ? one : cJSON_CreateNull());
        kairos_free_text(answer);
    }
    job_result_json(j, list);
}

/* ---- the table ---- */

static const RequestRow rows[] = {
    {"textDocument/hover", "hover", job_hover},
    {"textDocument/definition", "definition", job_question},
    {"textDocument/declaration", "definition", job_question},
    {"textDocument/typeDefinition", "type-definition", job_question},
    {"textDocument/signatureHelp", "signature", job_question},
    {"textDocument/documentSymbol", "symbols", job_question},
    {"textDocument/foldingRange", "folds", job_question},
    {"textDocument/selectionRange", "selection", job_selections},
    {"textDocument/semanticTokens/full", "tokens", job_question},
    {"textDocument/semanticTokens/range", "tokens", job_question},
    {"textDocument/inlayHint", "hints", job_question},
    {"textDocument/documentLink", "links", job_question},
    {"textDocument/codeLens", "lenses", job_question},
    {"textDocument/references", "references", job_wide_question},
    {"textDocument/documentHighlight", "highlights", job_question},
    {"textDocument/prepareRename", "prepare-rename", job_wide_question},
    {"textDocument/rename", "rename", job_rename_element},
    {"textDocument/implementation", "implementations", job_wide_question},
    {"textDocument/prepareTypeHierarchy", "prepare-types", job_question},
    {"typeHierarchy/supertypes", "supertypes", job_question},
    {"typeHierarchy/subtypes", "subtypes", job_wide_question},
    {"textDocument/prepareCallHierarchy", "prepare-calls", job_question},
    {"callHierarchy/incomingCalls", "callers", job_wide_question},
    {"callHierarchy/outgoingCalls", "calls", job_question},
    {"textDocument/completion", NULL, job_completion},
    {"workspace/symbol", NULL, job_workspace_symbols},
    {"textDocument/formatting", NULL, job_formatting},
    {"textDocument/rangeFormatting", NULL, job_formatting},
    {"textDocument/onTypeFormatting", NULL, job_formatting},
};

bool lsp_start_request(Lsp *l, const char *method, const cJSON *id, const cJSON *params)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].method, method)) {
            Job *j = job_new(&l->host, id, params, rows[i].work, request_seconds);
            j->row = &rows[i];
            job_start(&l->host, j);
            return true;
        }
    return false;
}

/* The server for editors: messages and their order. */
#include "lsp.h"

#include "class_index.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- documents ---- */

static void did_open(Lsp *l, const cJSON *params)
{
    const cJSON *item = json_part(params, "textDocument");
    const char *uri = json_text(item, "uri"), *text = json_text(item, "text");
    double version = json_number(item, "version");
    if (!uri || !text)
        return;
    Document *old = document_find(&l->documents, uri);
    if (old)
        lsp_close(l, old);
    Document *doc = document_open(&l->documents, uri, text,
                                  version >= -1e15 && version <= 1e15 ? (long long)version : 0);
    lsp_check_later(l, doc, 0);
}

static void did_change(Lsp *l, const cJSON *params)
{
    const cJSON *item = json_part(params, "textDocument");
    const char *uri = json_text(item, "uri");
    Document *doc = document_find(&l->documents, uri);
    double version = json_number(item, "version");
    if (!doc) {
        lsp_log(l, 1, "a change of '%.300s', which is not open, was ignored", uri ? uri : "");
        return;
    }
    if (version <= (double)doc->version) {
        lsp_log(l, 1, "a change to version %.0f of '%.300s' was ignored: it has version %lld",
                version, uri, doc->version);
        return;
    }
    if (!document_change(doc, json_part(params, "contentChanges"))) {
        lsp_log(l, 1, "a change of '%.300s' was ignored: it has no valid range or text", uri);
        return;
    }
    doc->version = version <= 1e15 ? (long long)version : doc->version + 1;
    lsp_check_later(l, doc, 0.03);
    lsp_check_others(l, doc);
}

static void did_close(Lsp *l, const cJSON *params)
{
    Document *doc =
        document_find(&l->documents, json_text(json_part(params, "textDocument"), "uri"));
    if (!doc)
        return;
    lsp_close(l, doc);
    lsp_check_others(l, NULL);
}

static void did_change_files(Lsp *l)
{
    host_find_packages(&l->host);
    l->host.index_due = true;
    lsp_check_others(l, NULL);
}

/* ---- other notifications ---- */

/* By the id of the request, or by the token of its progress. */
static Job *find_job(const Lsp *l, const cJSON *params)
{
    const cJSON *id = json_part(params, "id"), *token = json_part(params, "token");
    for (Job *j = l->host.jobs; j && token; j = j->next)
        if (j->token && cJSON_Compare(j->token, token, true))
            return j;
    return id ? job_find(&l->host, id) : NULL;
}

static void cancel(Lsp *l, const cJSON *params)
{
    Job *j = find_job(l, params);
    if (!j)
        return;
    if (!j->answered && j->gone)
        j->gone(&l->host, j);
    if (!j->answered)
        rpc_error(&l->host.rpc, j->id, RPC_CANCELLED, "the request was cancelled");
    job_cancel(&l->host, j);
}

static void take_notification(Lsp *l, const char *method, const cJSON *params)
{
    if (!strcmp(method, "exit")) {
        l->over = true;
    } else if (!l->initialized || l->shut_down) {
        return; /* as the protocol says */
    } else if (!strcmp(method, "initialized")) {
        lsp_initialized(l);
    } else if (!strcmp(method, "textDocument/didOpen")) {
        did_open(l, params);
    } else if (!strcmp(method, "textDocument/didChange")) {
        did_change(l, params);
    } else if (!strcmp(method, "textDocument/didClose")) {
        did_close(l, params);
    } else if (!strcmp(method, "textDocument/didSave") ||
               !strcmp(method, "workspace/didChangeWatchedFiles")) {
        did_change_files(l);
    } else if (!strcmp(method, "workspace/didChangeWorkspaceFolders")) {
        lsp_change_folders(l, params);
    } else if (!strcmp(method, "$/cancelRequest") ||
               !strcmp(method, "window/workDoneProgress/cancel")) {
        cancel(l, params);
    }
}

/* ---- requests ---- */

static void take_request(Lsp *l, const char *method, const cJSON *id, const cJSON *params)
{
    Rpc *rpc = &l->host.rpc;
    if (!strcmp(method, "initialize")) {
        lsp_initialize(l, id, params);
    } else if (!l->initialized) {
        rpc_error(rpc, id, RPC_NOT_INITIALIZED, "the server is not initialized");
    } else if (l->shut_down) {
        rpc_error(rpc, id, RPC_INVALID_REQUEST, "the server is shut down");
    } else if (!strcmp(method, "shutdown")) {
        l->shut_down = true;
        rpc_result(rpc, id, "null");
    } else if (!strcmp(method, "textDocument/codeAction")) {
        lsp_code_actions(l, id, params);
    } else if (!strcmp(method, "workspace/executeCommand")) {
        lsp_execute(l, id, params);
    } else if (!lsp_start_request(l, method, id, params)) {
        rpc_error(rpc, id, RPC_NO_METHOD, "there is no method '%.200s'", method);
    }
}

static void take_message(Lsp *l, const char *text, size_t n)
{
    Rpc *rpc = &l->host.rpc;
    cJSON *o = cJSON_ParseWithLength(text, n);
    if (!o) {
        rpc_error(rpc, NULL, RPC_PARSE_ERROR, "the message is not JSON");
        return;
    }
    const cJSON *id = json_part(o, "id");
    const char *method = json_text(o, "method"), *version = json_text(o, "jsonrpc");
    bool valid_id = !id || cJSON_IsString(id) || cJSON_IsNumber(id);
    if (method && valid_id && version && !strcmp(version, "2.0")) {
        if (id)
            take_request(l, method, id, json_part(o, "params"));
        else
            take_notification(l, method, json_part(o, "params"));
    } else if (!(id && (json_part(o, "result") || json_part(o, "error")))) { /* an answer */
        rpc_error(rpc, valid_id ? id : NULL, RPC_INVALID_REQUEST, "the message is no request");
    }
    cJSON_Delete(o);
}

static void take_messages(Lsp *l)
{
    const char *text;
    size_t n;
    for (RpcRead r; !l->over && (r = rpc_next(&l->host.rpc, &text, &n)) != RPC_NOTHING;)
        if (r == RPC_MESSAGE)
            take_message(l, text, n);
        else if (r == RPC_TOO_LARGE)
            rpc_error(&l->host.rpc, NULL, RPC_INVALID_REQUEST, "the message is larger than %d MB",
                      RPC_MOST >> 20);
        else
            rpc_error(&l->host.rpc, NULL, RPC_PARSE_ERROR,
                      "a message begins with 'Content-Length: N' and an empty line");
}

/* ---- progress of jobs ---- */

static void send_progress(Host *h, Job *j, const char *text)
{
    if (!j->token)
        return;
    const char *message = strchr(text, ' ');
    cJSON *o = cJSON_CreateObject(), *value;
    cJSON_AddItemToObject(o, "token", cJSON_Duplicate(j->token, true));
    value = cJSON_AddObjectToObject(o, "value");
    cJSON_AddStringToObject(value, "kind", "report");
    cJSON_AddNumberToObject(value, "percentage", (int)(100 * strtod(text, NULL)));
    cJSON_AddStringToObject(value, "message", message ? message + 1 : "");
    rpc_notify(&h->rpc, "$/progress", o);
}

/* ---- the whole ---- */

static void end(Lsp *l)
{
    for (unsigned i = 0; i < l->studios.n; i++)
        kill(l->studios.at[i], SIGTERM);
    vec_free(&l->studios);
    host_remove_scratch(l->scratch);
    documents_free(&l->documents);
    host_end(&l->host);
}

/* In a job: the texts of the editor are those of the files. */
static void overlay_documents(Host *h)
{
    const Lsp *l = h->owner;
    for (const Document *d = l->documents.first; d; d = d->next)
        kairos_overlay_file(h->k, d->path, d->text.at, d->text.n);
}

int lsp_serve(const LanguageOptions *o)
{
    Lsp l = {.host = {.rpc = {.in = 0, .out = 1},
                      .libraries = o->libraries,
                      .n_libraries = o->n_libraries,
                      .allow_external = o->allow_external,
                      .prepare = overlay_documents,
                      .on_progress = send_progress}};
    bool input;
    l.host.owner = &l;
    l.scratch = host_make_scratch();
    signal(SIGPIPE, SIG_IGN);
    while (!l.over) {
        double wait = lsp_start_checks(&l);
        if (l.host.index_due && !l.host.indexing && !l.host.jobs)
            index_start(&l.host);
        if (!host_wait(&l.host, wait, &input))
            break;
        if (input)
            take_messages(&l);
    }
    int status = l.shut_down ? 0 : 1; /* as the protocol says */
    end(&l);
    return status;
}

/* The beginning: what the client can do, what the server can do, folders. */
#include "lsp.h"

#include "base/uri.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the client ---- */

static const cJSON *capability(const cJSON *params, const char *a, const char *b, const char *c)
{
    const cJSON *o = json_part(json_part(params, "capabilities"), a);
    o = json_part(o, b);
    return c ? json_part(o, c) : o;
}

static bool has_word(const cJSON *list, const char *word)
{
    const cJSON *item;
    bool has = false;
    cJSON_ArrayForEach(item, list) has |= cJSON_IsString(item) && !strcmp(item->valuestring, word);
    return has;
}

static void read_capabilities(Lsp *l, const cJSON *params)
{
    l->has_progress = cJSON_IsTrue(capability(params, "window", "workDoneProgress", NULL));
    l->has_registration = json_flag(capability(params, "workspace", "didChangeWatchedFiles", NULL),
                                    "dynamicRegistration");
    l->has_lens_refresh =
        json_flag(capability(params, "workspace", "codeLens", NULL), "refreshSupport");
    l->has_snippets = json_flag(capability(params, "textDocument", "completion", "completionItem"),
                                "snippetSupport");
    l->has_rename_files =
        has_word(capability(params, "workspace", "workspaceEdit", "resourceOperations"), "rename");
    l->has_pictures = has_word(capability(params, "general", "markdown", "allowedTags"), "img");
}

static void add_root_uri(Lsp *l, const char *uri)
{
    Text path = {0};
    if (uri && uri_put_path(&path, uri))
        host_add_root(&l->host, path.at);
    text_free(&path);
}

static void read_folders(Lsp *l, const cJSON *params)
{
    const cJSON *folder, *folders = json_part(params, "workspaceFolders");
    cJSON_ArrayForEach(folder, folders) add_root_uri(l, json_text(folder, "uri"));
    if (l->host.roots.n)
        return;
    if (json_text(params, "rootUri"))
        add_root_uri(l, json_text(params, "rootUri"));
    else if (json_text(params, "rootPath"))
        host_add_root(&l->host, json_text(params, "rootPath"));
}

/* ---- the server ---- */

static const char capabilities[] =
    "{\"positionEncoding\":\"utf-16\","
    "\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{\"includeText\":false}},"
    "\"completionProvider\":{\"triggerCharacters\":[\".\",\"(\",\",\"]},"
    "\"signatureHelpProvider\":{\"triggerCharacters\":[\"(\",\",\"]},"
    "\"hoverProvider\":true,\"definitionProvider\":true,\"typeDefinitionProvider\":true,"
    "\"referencesProvider\":true,\"implementationProvider\":true,"
    "\"documentHighlightProvider\":true,\"documentSymbolProvider\":true,"
    "\"workspaceSymbolProvider\":true,\"callHierarchyProvider\":true,"
    "\"typeHierarchyProvider\":true,\"documentLinkProvider\":{\"resolveProvider\":false},"
    "\"foldingRangeProvider\":true,\"selectionRangeProvider\":true,\"inlayHintProvider\":true,"
    "\"renameProvider\":{\"prepareProvider\":true},"
    "\"documentFormattingProvider\":true,\"documentRangeFormattingProvider\":true,"
    "\"documentOnTypeFormattingProvider\":{\"firstTriggerCharacter\":\";\","
    "\"moreTriggerCharacter\":[\"\\n\"]},"
    "\"codeLensProvider\":{\"resolveProvider\":false},"
    "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
    /* the legend is in the order of src/service/tokens.c */
    "\"semanticTokensProvider\":{\"full\":true,\"range\":true,\"legend\":{\"tokenTypes\":"
    "[\"namespace\",\"class\",\"type\",\"function\",\"parameter\",\"variable\",\"property\","
    "\"keyword\",\"string\",\"number\",\"comment\",\"operator\"],"
    "\"tokenModifiers\":[\"declaration\",\"readonly\"]}},"
    "\"workspace\":{\"workspaceFolders\":{\"supported\":true,\"changeNotifications\":true}}}";

void lsp_initialize(Lsp *l, const cJSON *id, const cJSON *params)
{
    if (l->initialized) {
        rpc_error(&l->host.rpc, id, RPC_INVALID_REQUEST, "the server is initialized already");
        return;
    }
    read_capabilities(l, params);
    read_folders(l, params);
    if (!host_begin(&l->host)) {
        rpc_error(&l->host.rpc, id, RPC_INTERNAL_ERROR, "there is not enough memory");
        return;
    }
    l->initialized = true;
    cJSON *o = cJSON_CreateObject(), *can = cJSON_Parse(capabilities);
    cJSON *commands =
        cJSON_AddArrayToObject(cJSON_AddObjectToObject(can, "executeCommandProvider"), "commands");
    for (size_t i = 0; lsp_commands[i]; i++)
        cJSON_AddItemToArray(commands, cJSON_CreateString(lsp_commands[i]));
    cJSON_AddItemToObject(o, "capabilities", can);
    cJSON *info = cJSON_AddObjectToObject(o, "serverInfo");
    cJSON_AddStringToObject(info, "name", "kairos");
    cJSON_AddStringToObject(info, "version", kairos_version());
    Text t = {0};
    json_put_cjson(&t, o);
    rpc_result(&l->host.rpc, id, t.at);
    text_free(&t);
    cJSON_Delete(o);
}

void lsp_initialized(Lsp *l)
{
    l->host.index_due = true;
    if (l->has_registration)
        lsp_request_client(
            l, "client/registerCapability",
            cJSON_Parse(
                "{\"registrations\":[{\"id\":\"files\",\"method\":"
                "\"workspace/didChangeWatchedFiles\",\"registerOptions\":{\"watchers\":"
                "[{\"globPattern\":\"**/*.mo\"},{\"globPattern\":\"**/package.order\"}]}}]}"));
}

void lsp_request_client(Lsp *l, const char *method, cJSON *params)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "id", ++l->last_request);
    cJSON_AddStringToObject(o, "method", method);
    cJSON_AddItemToObject(o, "params", params);
    rpc_send(&l->host.rpc, o);
}

void lsp_log(Lsp *l, int type, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "type", type);
    cJSON_AddStringToObject(o, "message", text);
    rpc_notify(&l->host.rpc, "window/logMessage", o);
}

static void remove_root(Lsp *l, const char *uri)
{
    Text path = {0};
    uri_put_path(&path, uri ? uri : "");
    for (unsigned i = 0; i < l->host.roots.n; i++)
        if (path.at && !strcmp(l->host.roots.at[i], path.at)) {
            free(l->host.roots.at[i]);
            l->host.roots.at[i] = vec_pop(&l->host.roots);
            break;
        }
    text_free(&path);
}

void lsp_change_folders(Lsp *l, const cJSON *params)
{
    const cJSON *event = json_part(params, "event"), *folder;
    cJSON_ArrayForEach(folder, json_part(event, "removed"))
        remove_root(l, json_text(folder, "uri"));
    cJSON_ArrayForEach(folder, json_part(event, "added")) add_root_uri(l, json_text(folder, "uri"));
    host_begin(&l->host);
    l->host.index_due = true;
    for (Document *doc = l->documents.first; doc; doc = doc->next)
        lsp_check_later(l, doc, 0);
}

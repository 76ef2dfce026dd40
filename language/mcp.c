/* The server for agents: messages and their order. */
#include "mcp.h"

#include "class_index.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const double tool_seconds = 300;
static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

/* ---- requests ---- */

static void answer(Mcp *m, const cJSON *id, cJSON *o)
{
    Text t = {0};
    json_put_cjson(&t, o);
    rpc_result(&m->host.rpc, id, t.at);
    text_free(&t);
    cJSON_Delete(o);
}

static void initialize(Mcp *m, const cJSON *id, const cJSON *params)
{
    const char *wanted = json_text(params, "protocolVersion"), *version = versions[0];
    if (!wanted) {
        rpc_error(&m->host.rpc, id, RPC_INVALID_PARAMS, "'protocolVersion' is missing");
        return;
    }
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        version = !strcmp(versions[i], wanted) ? versions[i] : version;
    cJSON *o = cJSON_CreateObject(), *info;
    cJSON_AddStringToObject(o, "protocolVersion", version);
    cJSON_AddItemToObject(o, "capabilities", cJSON_Parse("{\"tools\":{\"listChanged\":false}}"));
    info = cJSON_AddObjectToObject(o, "serverInfo");
    cJSON_AddStringToObject(info, "name", "kairos");
    cJSON_AddStringToObject(info, "version", kairos_version());
    cJSON_AddStringToObject(o, "instructions",
                            "Modelica models: search_classes finds the exact names of installed "
                            "libraries, describe_class their parameters. check_text reports "
                            "mistakes with places and fixes. simulate and plot run a model.");
    m->initialized = true;
    answer(m, id, o);
}

static void confined(Host *h, Job *j)
{
    const Mcp *m = h->owner;
    confine_process(h, m->scratch);
    tool_find(json_text(j->params, "name"))(h, j);
}

static void call_tool(Mcp *m, const cJSON *id, const cJSON *params)
{
    const char *name = json_text(params, "name");
    const cJSON *arguments = json_part(params, "arguments");
    if (!tool_find(name)) {
        rpc_error(&m->host.rpc, id, RPC_INVALID_PARAMS, "there is no tool '%.100s'",
                  name ? name : "");
        return;
    }
    if (arguments && !cJSON_IsObject(arguments)) {
        rpc_error(&m->host.rpc, id, RPC_INVALID_PARAMS, "'arguments' must be an object");
        return;
    }
    Job *j = job_new(&m->host, id, params, confined, tool_seconds);
    const cJSON *token = json_part(json_part(params, "_meta"), "progressToken");
    j->token = token ? cJSON_Duplicate(token, true) : NULL;
    job_start(&m->host, j);
}

static void take_request(Mcp *m, const char *method, const cJSON *id, const cJSON *params)
{
    if (!strcmp(method, "initialize"))
        initialize(m, id, params);
    else if (!strcmp(method, "ping"))
        rpc_result(&m->host.rpc, id, "{}");
    else if (!m->initialized)
        rpc_error(&m->host.rpc, id, RPC_NOT_INITIALIZED, "the server is not initialized");
    else if (!strcmp(method, "tools/list"))
        answer(m, id, tools_list());
    else if (!strcmp(method, "tools/call"))
        call_tool(m, id, params);
    else
        rpc_error(&m->host.rpc, id, RPC_NO_METHOD, "there is no method '%.200s'", method);
}

/* A cancelled request gets no answer. */
static void cancel(Mcp *m, const cJSON *params)
{
    const cJSON *id = json_part(params, "requestId");
    Job *j = id ? job_find(&m->host, id) : NULL;
    if (j)
        job_cancel(&m->host, j);
}

static void take_message(Mcp *m, const char *text, size_t n)
{
    Rpc *rpc = &m->host.rpc;
    cJSON *o = cJSON_ParseWithLength(text, n);
    const cJSON *id = json_part(o, "id");
    const char *method = json_text(o, "method"), *version = json_text(o, "jsonrpc");
    bool valid_id = !id || cJSON_IsString(id) || cJSON_IsNumber(id);
    if (!o && strspn(text, " \t\r") == n) {
        /* an empty line */
    } else if (!o) {
        rpc_error(rpc, NULL, RPC_PARSE_ERROR, "the line is not JSON");
    } else if (!method || !valid_id || !version || strcmp(version, "2.0")) {
        if (!(id && (json_part(o, "result") || json_part(o, "error"))))
            rpc_error(rpc, valid_id ? id : NULL, RPC_INVALID_REQUEST, "the message is no request");
    } else if (id) {
        take_request(m, method, id, json_part(o, "params"));
    } else if (!strcmp(method, "notifications/cancelled")) {
        cancel(m, json_part(o, "params"));
    }
    cJSON_Delete(o);
}

static void take_messages(Mcp *m)
{
    const char *text;
    size_t n;
    for (RpcRead r; (r = rpc_next(&m->host.rpc, &text, &n)) != RPC_NOTHING;)
        if (r == RPC_MESSAGE)
            take_message(m, text, n);
        else
            rpc_error(&m->host.rpc, NULL, RPC_INVALID_REQUEST, "the line is larger than %d MB",
                      RPC_MOST >> 20);
}

static void send_progress(Host *h, Job *j, const char *text)
{
    if (!j->token)
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "progressToken", cJSON_Duplicate(j->token, true));
    cJSON_AddNumberToObject(o, "progress", strtod(text, NULL));
    cJSON_AddNumberToObject(o, "total", 1);
    rpc_notify(&h->rpc, "notifications/progress", o);
}

/* ---- the whole ---- */

static bool add_folders(Mcp *m, const LanguageOptions *o)
{
    for (unsigned i = 0; i < o->n_folders; i++) {
        char *real = realpath(o->folders[i], NULL);
        if (!real) {
            fprintf(stderr, "kairos: there is no folder '%s'\n", o->folders[i]);
            return false;
        }
        host_add_root(&m->host, real);
        free(real);
    }
    return true;
}

int mcp_serve(const LanguageOptions *o)
{
    Mcp m = {.host = {.rpc = {.lines = true, .in = 0, .out = 1},
                      .libraries = o->libraries,
                      .n_libraries = o->n_libraries,
                      .allow_external = o->allow_external,
                      .on_progress = send_progress}};
    bool input;
    m.host.owner = &m;
    signal(SIGPIPE, SIG_IGN);
    if (!add_folders(&m, o))
        return 2;
    m.scratch = host_make_scratch();
    if (!host_begin(&m.host))
        return 3;
    m.host.index_due = true;
    for (;;) {
        if (m.initialized && m.host.index_due && !m.host.indexing && !m.host.jobs)
            index_start(&m.host);
        if (!host_wait(&m.host, 1, &input))
            break;
        if (input)
            take_messages(&m);
    }
    if (m.host.indexing)
        job_cancel(&m.host, m.host.indexing);
    while (m.host.jobs) /* answers that are on their way */
        host_wait(&m.host, 1, &input);
    host_end(&m.host);
    host_remove_scratch(m.scratch);
    return 0;
}

/* Requests and answers, by libmicrohttpd, on the loop of the server. The library brings in GnuTLS,
 * which would take milliseconds at every start of the program; it is opened when the studio starts,
 * not linked. */
#include "server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                               \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(run)                                                                                         \
    X(get_timeout)                                                                                 \
    X(get_daemon_info)                                                                             \
    X(suspend_connection)                                                                          \
    X(resume_connection)                                                                           \
    X(queue_response)                                                                              \
    X(create_response_from_buffer)                                                                 \
    X(create_response_from_callback)                                                               \
    X(add_response_header)                                                                         \
    X(destroy_response)                                                                            \
    X(lookup_connection_value)                                                                     \
    X(get_connection_values)                                                                       \
    X(get_connection_values_n)

struct Http {
    Studio *studio;
    void *library;
    struct MHD_Daemon *daemon;
    int epoll;
    Request *requests; /* all that are under way */
#define X(name) __typeof__(MHD_##name) *name;
    FUNCTIONS(X)
#undef X
};

struct Request {
    Http *http;
    struct MHD_Connection *connection;
    const Route *route;
    char *path, *method;
    Text body;
    cJSON *json;
    bool too_large, begun, suspended, answered;
    unsigned status;
    const char *type;
    Text answer;
    char *download;
    bool cookie;
    Client *client; /* of a stream */
    Request *next, *prev;
};

/* ---- data of a request ---- */

const char *request_arg(Request *r, const char *name)
{
    return r->http->lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *request_header(Request *r, const char *name)
{
    return r->http->lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

const cJSON *request_body(Request *r)
{
    return r->json;
}

const char *request_path(const Request *r)
{
    return r->path;
}

void request_answer(Request *r, unsigned status, const char *type, Text *body)
{
    r->answered = true;
    r->status = status;
    r->type = type;
    text_free(&r->answer);
    r->answer = *body;
    *body = (Text){0};
    if (r->suspended) {
        r->suspended = false;
        r->http->resume_connection(r->connection);
    }
}

void request_json(Request *r, unsigned status, Text *body)
{
    request_answer(r, status, "application/json", body);
}

void request_error(Request *r, unsigned status, const char *format, ...)
{
    Text t = {0};
    va_list args;
    va_start(args, format);
    json_put_error(&t, format, args);
    va_end(args);
    request_json(r, status, &t);
}

void request_download(Request *r, const char *name)
{
    free(r->download);
    r->download = strdup(name);
}

void request_cookie(Request *r)
{
    r->cookie = true;
}

void request_stream(Request *r)
{
    r->client = client_new(r->http->studio, r);
    r->answered = true;
}

/* ---- streams ---- */

static ssize_t read_stream(void *user, uint64_t at, char *buffer, size_t most)
{
    (void)at;
    Request *r = user;
    long n = client_read(r->client, buffer, most);
    if (n < 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (n == 0) {
        r->suspended = true;
        r->http->suspend_connection(r->connection);
    }
    return n;
}

void request_wake(Request *r)
{
    if (!r->suspended)
        return;
    r->suspended = false;
    r->http->resume_connection(r->connection);
}

/* ---- answering ---- */

static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self' "
                             "'unsafe-inline'; img-src 'self' data: blob:; "
                             "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action "
                             "'none'; frame-ancestors 'none'";

static void add_headers(Request *r, struct MHD_Response *response)
{
    Http *h = r->http;
    h->add_response_header(response, "Content-Type", r->type);
    h->add_response_header(response, "Cache-Control", "no-store");
    h->add_response_header(response, "X-Content-Type-Options", "nosniff");
    h->add_response_header(response, "X-Frame-Options", "DENY");
    h->add_response_header(response, "Referrer-Policy", "no-referrer");
    h->add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    h->add_response_header(response, "Content-Security-Policy", policy);
    char text[512];
    if (r->cookie) {
        snprintf(text, sizeof text, "kairos-%u=%s; Path=/; HttpOnly; SameSite=Strict",
                 h->studio->port, h->studio->token);
        h->add_response_header(response, "Set-Cookie", text);
    }
    if (r->download) {
        snprintf(text, sizeof text, "attachment; filename=\"%.200s\"", r->download);
        h->add_response_header(response, "Content-Disposition", text);
    }
}

static enum MHD_Result respond(Request *r)
{
    Http *h = r->http;
    struct MHD_Response *response;
    if (r->client) {
        r->status = 200;
        r->type = "text/event-stream";
        response = h->create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read_stream, r, NULL);
    } else {
        response = h->create_response_from_buffer(r->answer.n, r->answer.at ? r->answer.at : "",
                                                  MHD_RESPMEM_MUST_COPY);
        text_free(&r->answer);
    }
    if (!response)
        return MHD_NO;
    add_headers(r, response);
    enum MHD_Result result = h->queue_response(r->connection, r->status, response);
    h->destroy_response(response);
    return result;
}

static Request *request_new(Http *h, struct MHD_Connection *connection, const char *path,
                            const char *method)
{
    Request *r = memory_alloc(sizeof *r);
    *r = (Request){
        .http = h, .connection = connection, .path = strdup(path), .method = strdup(method)};
    r->next = h->requests;
    if (r->next)
        r->next->prev = r;
    h->requests = r;
    return r;
}

static void request_free(Request *r)
{
    if (r->prev)
        r->prev->next = r->next;
    else
        r->http->requests = r->next;
    if (r->next)
        r->next->prev = r->prev;
    if (r->client)
        client_free(r->client);
    cJSON_Delete(r->json);
    text_free(&r->body);
    text_free(&r->answer);
    free(r->download);
    free(r->path);
    free(r->method);
    memory_free(r);
}

/* ---- taking a request ---- */

static enum MHD_Result see_arg(void *user, enum MHD_ValueKind kind, const char *key,
                               size_t key_size, const char *value, size_t value_size)
{
    (void)kind;
    if (strlen(key) != key_size || (value && strlen(value) != value_size))
        *(bool *)user = true;
    return MHD_YES;
}

/* An argument with a NUL byte in it would be seen cut short. */
static bool has_nul(Request *r)
{
    bool bad = false;
    r->http->get_connection_values_n(r->connection, MHD_GET_ARGUMENT_KIND, see_arg, &bad);
    return bad;
}

static enum MHD_Result count_value(void *user, enum MHD_ValueKind kind, const char *key,
                                   const char *value)
{
    (void)kind, (void)value;
    *(int *)user += !strcasecmp(key, "Host");
    return MHD_YES;
}

static int count_hosts(Request *r)
{
    int n = 0;
    r->http->get_connection_values(r->connection, MHD_HEADER_KIND, count_value, &n);
    return n;
}

/* For someone who looks at it in a browser. */
static void refuse_page(Request *r, const char *why)
{
    Text t = {0};
    text_printf(&t,
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Kairos "
                "studio</title><h1>Kairos studio</h1>"
                "<p>This page cannot be shown: %s.</p></html>",
                why);
    request_answer(r, 403, "text/html; charset=utf-8", &t);
}

/* Checks that are possible before the body has arrived. True: the request is answered. */
static bool refuse_early(Request *r)
{
    bool wrong_method = false;
    Studio *s = r->http->studio;
    r->route = route_find(r->method, r->path, &wrong_method);
    const char *why = count_hosts(r) != 1
                          ? "the request must name its host once"
                          : access_refuses(s, r, r->route && r->route->run == page_serve);
    if (why && r->route && r->route->run == page_serve && !strcmp(r->path, "/"))
        refuse_page(r, why);
    else if (why)
        request_error(r, 403, "%s", why);
    else if (!r->route && wrong_method)
        request_error(r, 405, "%s does not apply to %.200s", r->method, r->path);
    else if (!r->route)
        request_error(r, 404, "there is no call %.200s", r->path);
    else if (has_nul(r))
        request_error(r, 400, "an argument contains a NUL byte");
    const char *length = request_header(r, "Content-Length");
    if (!r->answered && length && strtoull(length, NULL, 10) > r->route->body)
        request_error(r, 413, "the body is larger than the %zu bytes that are allowed",
                      r->route->body);
    return r->answered;
}

/* The body as an object; false after an answer. cJSON ends strings at \u0000, which is refused in
 * texts and paths. */
static bool read_body(Request *r)
{
    if (!r->route->body)
        return true;
    const char *text = r->body.at ? r->body.at : "";
    if (r->too_large)
        request_error(r, 413, "the body is larger than the %zu bytes that are allowed",
                      r->route->body);
    else if (memchr(text, 0, r->body.n) || strstr(text, "\\u0000"))
        request_error(r, 400, "the body contains a NUL character");
    else if (!strcmp(r->path, "/api/layout"))
        return true;
    else if (!r->body.n)
        r->json = cJSON_CreateObject();
    else if (!(r->json = cJSON_ParseWithLengthOpts(text, r->body.n + 1, NULL, true)))
        request_error(r, 400, "the body is not valid JSON");
    else if (!cJSON_IsObject(r->json))
        request_error(r, 400, "the body must be a JSON object");
    return !r->answered;
}

const char *request_text(const Request *r)
{
    return r->body.at ? r->body.at : "";
}

static void take_body(Request *r, const char *bytes, size_t n)
{
    if (r->answered || !r->route)
        return;
    r->too_large = r->too_large || r->body.n + n > r->route->body;
    if (!r->too_large)
        text_put_n(&r->body, bytes, n);
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *bytes,
                              size_t *size, void **state)
{
    (void)version;
    Request *r = *state;
    if (!r) {
        *state = r = request_new(user, connection, path, method);
        return refuse_early(r) ? respond(r) : MHD_YES;
    }
    if (*size) {
        take_body(r, bytes, *size);
        *size = 0;
        return MHD_YES;
    }
    if (!r->begun) {
        r->begun = true;
        if (read_body(r))
            r->route->run(r->http->studio, r);
    }
    if (r->answered)
        return respond(r);
    r->suspended = true;
    r->http->suspend_connection(connection);
    return MHD_YES;
}

static void completed(void *user, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode how)
{
    (void)user, (void)connection, (void)how;
    if (*state)
        request_free(*state);
    *state = NULL;
}

static void be_silent(void *user, const char *format, va_list args)
{
    (void)user, (void)format, (void)args;
}

/* ---- start and stop ---- */

static int report(const char *what, const char *why)
{
    fprintf(stderr, "kairos: %s: %s\n", what, why);
    return -1;
}

/* A socket that listens; -1 after an error. */
static int listen_at(const char *address, unsigned *port)
{
    struct sockaddr_storage place = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)&place;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&place;
    socklen_t size = sizeof *four;
    if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)*port);
    } else if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)*port);
        size = sizeof *six;
    } else {
        return report(address, "--bind needs a numeric address, such as 127.0.0.1 or ::1");
    }
    int fd = socket(place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (fd < 0 || bind(fd, (struct sockaddr *)&place, size) || listen(fd, 64)) {
        char what[200];
        snprintf(what, sizeof what, "cannot serve at %s, port %u", address, *port);
        report(what, errno == EADDRINUSE
                         ? "another program uses this port; --port N takes another, "
                           "without it a free one is found"
                         : strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    socklen_t n = sizeof place;
    getsockname(fd, (struct sockaddr *)&place, &n);
    *port = ntohs(place.ss_family == AF_INET ? four->sin_port : six->sin6_port);
    return fd;
}

static bool load_library(Http *h)
{
    static const char *const names[] = {"libmicrohttpd.so.12", "libmicrohttpd.so"};
    for (size_t i = 0; !h->library && i < sizeof names / sizeof *names; i++)
        h->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!h->library) {
        report("the studio needs libmicrohttpd, on Debian the package libmicrohttpd12", dlerror());
        return false;
    }
    bool ok = true;
#define X(name) ok = (*(void **)&h->name = dlsym(h->library, "MHD_" #name)) && ok;
    FUNCTIONS(X)
#undef X
    if (!ok)
        report("the studio needs libmicrohttpd", "the one that is installed is too old");
    return ok;
}

static void on_ready(void *user, short events)
{
    (void)events;
    http_run(user);
}

Http *http_start(Studio *s)
{
    Http *h = memory_alloc(sizeof *h);
    h->studio = s;
    s->port = s->options.port;
    int fd = load_library(h) ? listen_at(s->options.bind, &s->port) : -1;
    if (fd >= 0)
        h->daemon = h->start_daemon(
            MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, handle, h,
            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, 200u,
            MHD_OPTION_CONNECTION_TIMEOUT, 20u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536,
            MHD_OPTION_NOTIFY_COMPLETED, completed, h, MHD_OPTION_STRICT_FOR_CLIENT, 1,
            MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL, MHD_OPTION_END);
    if (!h->daemon) {
        if (fd >= 0)
            report("the studio cannot serve", strerror(errno));
        memory_free(h);
        return NULL;
    }
    h->epoll = h->get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    loop_watch(&s->loop, h->epoll, POLLIN, on_ready, h);
    return h;
}

void http_run(Http *h)
{
    h->run(h->daemon);
}

int http_timeout(const Http *h)
{
    MHD_UNSIGNED_LONG_LONG ms;
    return h->get_timeout(h->daemon, &ms) == MHD_YES && ms < 1000 ? (int)ms : 1000;
}

/* Those that still wait are answered, so that none stays suspended. */
void http_stop(Http *h)
{
    loop_forget(&h->studio->loop, h->epoll);
    for (Request *r = h->requests; r; r = r->next)
        if (r->client)
            request_wake(r);
        else if (r->suspended)
            request_error(r, 503, "the studio is closing");
    for (int i = 0; i < 5; i++)
        h->run(h->daemon);
    h->stop_daemon(h->daemon);
    memory_free(h);
}

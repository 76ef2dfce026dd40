#include "rpc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEADERS_MOST = 4096 };

bool rpc_fill(Rpc *r)
{
    char part[65536];
    ssize_t n;
    do
        n = read(r->in, part, sizeof part);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    size_t have = (size_t)n, skipped = r->skip < have ? r->skip : have;
    r->skip -= skipped;
    if (r->at) {
        memmove(r->buffer.at, r->buffer.at + r->at, r->buffer.n - r->at);
        r->buffer.n -= r->at;
        r->at = 0;
    }
    text_put_n(&r->buffer, part + skipped, have - skipped);
    return true;
}

/* ---- messages ---- */

static RpcRead next_line(Rpc *r, const char **text, size_t *n)
{
    char *from = r->buffer.at + r->at;
    size_t have = r->buffer.n - r->at;
    char *end = have ? memchr(from, '\n', have) : NULL;
    if (!end) {
        if (have <= RPC_MOST)
            return RPC_NOTHING;
        r->at = r->buffer.n;
        return RPC_TOO_LARGE;
    }
    *end = 0;
    *text = from;
    *n = (size_t)(end - from);
    r->at += *n + 1;
    return RPC_MESSAGE;
}

/* The value of Content-Length among the headers [p, end); -1 if there is none. */
static long long content_length(const char *p, const char *end)
{
    static const char name[] = "Content-Length:";
    while (p < end) {
        const char *line = memmem(p, (size_t)(end - p), "\r\n", 2);
        line = line ? line : end;
        if (!strncasecmp(p, name, sizeof name - 1)) {
            char *stop;
            errno = 0;
            long long n = strtoll(p + sizeof name - 1, &stop, 10);
            return errno || stop == p + sizeof name - 1 || n < 0 || stop != line ? -1 : n;
        }
        p = line + 2;
    }
    return -1;
}

/* After wrong headers: the next place where headers may begin. */
static RpcRead resynchronize(Rpc *r, size_t from)
{
    const char *start = r->buffer.at + from;
    const char *next = memmem(start, r->buffer.n - from, "Content-Length:", 15);
    r->at = next ? (size_t)(next - r->buffer.at) : r->buffer.n;
    return RPC_BAD_FRAME;
}

static RpcRead next_framed(Rpc *r, const char **text, size_t *n)
{
    const char *from = r->buffer.at + r->at;
    size_t have = r->buffer.n - r->at;
    const char *end = have ? memmem(from, have, "\r\n\r\n", 4) : NULL;
    if (!end)
        return have > HEADERS_MOST ? resynchronize(r, r->at + 1) : RPC_NOTHING;
    long long length = content_length(from, end);
    size_t head = (size_t)(end - from) + 4;
    if (length < 0)
        return resynchronize(r, r->at + head);
    if (length > RPC_MOST) {
        size_t rest = have - head, size = (size_t)length;
        r->at += head + (rest < size ? rest : size);
        r->skip = rest < size ? size - rest : 0;
        return RPC_TOO_LARGE;
    }
    if (have - head < (size_t)length)
        return RPC_NOTHING;
    *text = end + 4;
    *n = (size_t)length;
    r->at += head + *n;
    return RPC_MESSAGE;
}

RpcRead rpc_next(Rpc *r, const char **text, size_t *n)
{
    return r->lines ? next_line(r, text, n) : next_framed(r, text, n);
}

/* ---- answers ---- */

static void write_all(Rpc *r, const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(r->out, p, n);
        if (done < 0 && errno != EINTR)
            return; /* the other side is gone; reading will show it */
        p += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
}

static void send_text(Rpc *r, const Text *t)
{
    char head[64];
    if (!r->lines)
        write_all(r, head,
                  (size_t)snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", t->n));
    write_all(r, t->at, t->n);
    if (r->lines)
        write_all(r, "\n", 1);
}

void rpc_send(Rpc *r, cJSON *message)
{
    Text t = {0};
    cJSON_AddStringToObject(message, "jsonrpc", "2.0");
    json_put_cjson(&t, message);
    send_text(r, &t);
    text_free(&t);
    cJSON_Delete(message);
}

static void put_id(Text *t, const cJSON *id)
{
    text_put(t, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id)
        json_put_cjson(t, id);
    else
        text_put(t, "null");
}

void rpc_result(Rpc *r, const cJSON *id, const char *json)
{
    Text t = {0};
    put_id(&t, id);
    text_put(&t, ",\"result\":");
    for (const char *p = json; *p; p++) /* a line break outside of strings has no meaning */
        text_put_char(&t, *p == '\n' ? ' ' : *p);
    text_put(&t, "}");
    send_text(r, &t);
    text_free(&t);
}

void rpc_error(Rpc *r, const cJSON *id, int code, const char *format, ...)
{
    char message[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    Text t = {0};
    put_id(&t, id);
    text_printf(&t, ",\"error\":{\"code\":%d,\"message\":", code);
    text_put_json(&t, message);
    text_put(&t, "}}");
    send_text(r, &t);
    text_free(&t);
}

void rpc_notify(Rpc *r, const char *method, cJSON *params)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "method", method);
    cJSON_AddItemToObject(o, "params", params);
    rpc_send(r, o);
}

void rpc_free(Rpc *r)
{
    text_free(&r->buffer);
}

/* Who may call: the token, and the names under which a browser may know this server. A page of
 * another site can make a browser send requests here, or let its own name lead here (DNS
 * rebinding). The headers Host and Origin reveal both. */
#include "server.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

void access_make_token(char token[33])
{
    unsigned char bytes[16];
    while (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        ;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
}

/* Takes the same time for any difference. */
static bool same_token(const Studio *s, const char *given, size_t n)
{
    unsigned differs = n != 32;
    for (size_t i = 0; i < 32 && i < n; i++)
        differs |= (unsigned)(s->token[i] ^ given[i]);
    return !differs;
}

static bool has_cookie(const Studio *s, Request *r)
{
    char name[32];
    int n = snprintf(name, sizeof name, "kairos-%u=", s->port);
    const char *all = request_header(r, "Cookie");
    for (const char *p = all; p && *p;) {
        size_t length = strcspn(p, ";");
        if (!strncmp(p, name, (size_t)n) && same_token(s, p + n, length - (size_t)n))
            return true;
        p += length + (p[length] == ';');
        p += strspn(p, " ");
    }
    return false;
}

static bool has_bearer(const Studio *s, Request *r)
{
    const char *given = request_header(r, "Authorization");
    return given && !strncmp(given, "Bearer ", 7) && same_token(s, given + 7, strlen(given + 7));
}

static bool is_host(const Studio *s, const char *host, const char *name)
{
    char expected[200];
    bool six = strchr(name, ':');
    snprintf(expected, sizeof expected, six ? "[%s]:%u" : "%s:%u", name, s->port);
    return !strcasecmp(host, expected);
}

/* If the studio listens on all addresses of the machine, only numeric hosts are accepted, because
 * no other site can use them as a name. */
static bool is_numeric(const Studio *s, const char *host)
{
    char port[16], address[64];
    size_t n = strlen(host), tail = (size_t)snprintf(port, sizeof port, ":%u", s->port);
    if (n <= tail || n - tail >= sizeof address || strcmp(host + n - tail, port))
        return false;
    snprintf(address, sizeof address, "%.*s", (int)(n - tail), host);
    return inet_pton(AF_INET, address, &(struct in_addr){0}) == 1;
}

static bool is_our_host(const Studio *s, const char *host)
{
    if (!strcmp(s->options.bind, "0.0.0.0") && is_numeric(s, host))
        return true;
    return is_host(s, host, s->options.bind) || is_host(s, host, "localhost") ||
           is_host(s, host, "127.0.0.1");
}

static bool is_our_origin(const char *origin, const char *host)
{
    return !strncmp(origin, "http://", 7) && !strcasecmp(origin + 7, host);
}

const char *access_refuses(Studio *s, Request *r, bool page)
{
    const char *host = request_header(r, "Host"), *origin = request_header(r, "Origin");
    if (!host || !is_our_host(s, host))
        return "this server is not known under that name";
    if (origin && !is_our_origin(origin, host))
        return "pages of other sites may not call the studio";
    const char *token = page ? request_arg(r, "token") : NULL;
    if (token && same_token(s, token, strlen(token))) {
        request_cookie(r);
        return NULL;
    }
    if (has_cookie(s, r) || has_bearer(s, r))
        return NULL;
    return "the token is missing or wrong: open the address that 'kairos studio' printed";
}

/* Server-sent events to every page that listens. A page that does not read for long is dropped; it
 * connects again and asks for the state. */
#include "server.h"

enum { QUEUE_MOST = 16 << 20, PING_SECONDS = 10 };

struct Client {
    Studio *studio;
    Request *request;
    Text queue;
    size_t at; /* of it sent */
    bool over;
    Client *next;
};

static void put_event(Client *c, const char *name, const char *json, size_t n)
{
    if (c->at == c->queue.n)
        c->at = c->queue.n = 0;
    if (c->queue.n > QUEUE_MOST) {
        c->over = true;
    } else {
        text_printf(&c->queue, "event: %s\ndata: ", name);
        text_put_n(&c->queue, json, n);
        text_put(&c->queue, "\n\n");
    }
    request_wake(c->request);
}

/* JSON for an event is on one line: line ends in texts are escaped, those between values are
 * spaces. */
void events_send(Studio *s, const char *name, const Text *json)
{
    for (size_t i = 0; i < json->n; i++)
        if (json->at[i] == '\n' || json->at[i] == '\r')
            json->at[i] = ' ';
    for (Client *c = s->clients; c; c = c->next)
        put_event(c, name, json->at, json->n);
}

static void ping(Studio *s)
{
    for (Client *c = s->clients; c; c = c->next)
        put_event(c, "ping", "{}", 2);
}

Client *client_new(Studio *s, Request *r)
{
    /* a reloaded page leaves its old stream; writing to it reveals that */
    ping(s);
    Client *c = memory_alloc(sizeof *c);
    *c = (Client){.studio = s, .request = r, .next = s->clients};
    s->clients = c;
    put_event(c, "hello", "{}", 2);
    return c;
}

void client_free(Client *c)
{
    for (Client **p = &c->studio->clients; *p; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            break;
        }
    text_free(&c->queue);
    memory_free(c);
}

long client_read(Client *c, char *buffer, size_t most)
{
    if (c->over)
        return -1;
    size_t n = c->queue.n - c->at;
    n = n < most ? n : most;
    memcpy(buffer, c->queue.at + c->at, n);
    c->at += n;
    return (long)n;
}

void events_tick(Studio *s, double now)
{
    if (now - s->pinged < PING_SECONDS)
        return;
    s->pinged = now;
    ping(s);
}

void events_stop(Studio *s)
{
    for (Client *c = s->clients; c; c = c->next)
        c->over = true;
}

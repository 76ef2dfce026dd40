/* The event loop: descriptors of HTTP, of children, of signals and of file changes. */
#include "server.h"

void loop_watch(Loop *l, int fd, short events, LoopFn fn, void *user)
{
    vec_push(&l->fds, ((struct pollfd){fd, events, 0}));
    vec_push(&l->entries, ((LoopEntry){fn, user}));
}

static struct pollfd *find(Loop *l, int fd)
{
    for (uint32_t i = 0; i < l->fds.n; i++)
        if (l->fds.at[i].fd == fd)
            return &l->fds.at[i];
    return NULL;
}

void loop_change(Loop *l, int fd, short events)
{
    struct pollfd *p = find(l, fd);
    if (p)
        p->events = events;
}

void loop_forget(Loop *l, int fd)
{
    struct pollfd *p = find(l, fd);
    if (p)
        *p = (struct pollfd){-1, 0, 0};
}

static void sweep(Loop *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->fds.n; i++)
        if (l->fds.at[i].fd >= 0) {
            l->fds.at[n] = l->fds.at[i];
            l->entries.at[n++] = l->entries.at[i];
        }
    l->fds.n = l->entries.n = n;
}

void loop_wait(Loop *l, int ms)
{
    sweep(l);
    int ready = poll(l->fds.at, l->fds.n, ms);
    uint32_t n = l->fds.n; /* those added meanwhile are for the next time */
    for (uint32_t i = 0; ready > 0 && i < n; i++) {
        struct pollfd p = l->fds.at[i];
        if (p.fd >= 0 && p.revents)
            l->entries.at[i].fn(l->entries.at[i].user, p.revents);
    }
}

void loop_free(Loop *l)
{
    vec_free(&l->fds);
    vec_free(&l->entries);
}

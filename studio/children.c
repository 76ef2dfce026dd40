/* The fork server and its children, seen from the server.
 *
 * Nothing here blocks: sent data waits in a queue, received data is parsed as it comes. Closing its
 * socket ends a child. A child that does not end soon, or exceeds its limit, is killed. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { JOBS_AT_ONCE = 4, RESTARTS_MOST = 5 };
static const double gentle = 2, restart_period = 20; /* s */

struct Child {
    Studio *studio;
    int fd, pid; /* pid: a pidfd; -1 before the child has said hello */
    FrameReader in;
    Text out;
    size_t sent;
    double deadline; /* 0: none */
    const char *why; /* it was killed for this */
    bool dropped;
    ChildCalls calls;
    void *user;
    Child *next;
};

/* ---- the fork server ---- */

static void on_fork_server(void *user, short events);

static bool spawn_fork_server(Studio *s, int theirs)
{
    char fd[16], memory[16];
    const char *argv[64 + 2 * 64] = {"kairos",      "studio-fork-server", "--control",      fd,
                                     "--workspace", s->workspace.place,   "--limit-memory", memory};
    int n = 8;
    snprintf(fd, sizeof fd, "%d", theirs);
    snprintf(memory, sizeof memory, "%u", s->options.limit_memory);
    if (s->options.allow_external)
        argv[n++] = "--allow-external";
    for (unsigned i = 0; i < s->options.n_libraries && i < 64; i++) {
        argv[n++] = "--library";
        argv[n++] = s->options.libraries[i];
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0); /* Ctrl-C is for the server, which ends the others */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(&s->fork_server, "/proc/self/exe", &files, &attributes,
                            (char **)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return !error;
}

bool fork_server_start(Studio *s)
{
    int ends[2];
    s->control = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return false;
    fcntl(ends[1], F_SETFD, 0);
    bool ok = spawn_fork_server(s, ends[1]);
    close(ends[1]);
    if (!ok) {
        fprintf(stderr, "kairos: cannot start the studio's workers: %s\n", strerror(errno));
        close(ends[0]);
        return false;
    }
    s->control = ends[0];
    loop_watch(&s->loop, s->control, POLLIN, on_fork_server, s);
    return true;
}

static void fork_server_end(Studio *s)
{
    if (s->control < 0)
        return;
    loop_forget(&s->loop, s->control);
    close(s->control);
    s->control = -1;
    for (int i = 0; i < 100 && waitpid(s->fork_server, NULL, WNOHANG) == 0; i++)
        usleep(10000);
    kill(s->fork_server, SIGKILL); /* harmless if it has ended: it is only reaped below */
    waitpid(s->fork_server, NULL, 0);
}

/* The fork server has ended. It is started again a few times only, in case it always ends at
 * once. */
static void on_fork_server(void *user, short events)
{
    (void)events;
    Studio *s = user;
    double now = studio_now();
    loop_forget(&s->loop, s->control);
    close(s->control);
    s->control = -1;
    waitpid(s->fork_server, NULL, 0);
    if (now - s->restarted > restart_period)
        s->restarts = 0;
    s->restarted = now;
    if (s->restarts++ < RESTARTS_MOST)
        fork_server_start(s);
}

/* ---- children ---- */

static void child_free(Child *c)
{
    for (Child **p = &c->studio->children; *p; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            break;
        }
    if (c->fd >= 0) {
        loop_forget(&c->studio->loop, c->fd);
        close(c->fd);
    }
    if (c->pid >= 0)
        close(c->pid);
    text_free(&c->in.buffer);
    text_free(&c->out);
    memory_free(c);
}

static void child_kill(Child *c)
{
    if (c->pid >= 0)
        pidfd_send_signal(c->pid, SIGKILL, NULL, 0);
}

static void child_gone(Child *c)
{
    const char *why = c->why ? c->why : "it ended unexpectedly (a crash); the studio goes on";
    if (!c->dropped)
        c->calls.gone(c->user, why);
    child_free(c);
}

static void flush(Child *c)
{
    while (c->sent < c->out.n) {
        ssize_t n =
            send(c->fd, c->out.at + c->sent, c->out.n - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n <= 0)
            break;
        c->sent += (size_t)n;
    }
    if (c->sent == c->out.n)
        c->sent = c->out.n = 0;
    loop_change(&c->studio->loop, c->fd, c->out.n ? POLLIN | POLLOUT : POLLIN);
}

static void on_child(void *user, short events)
{
    Child *c = user;
    FrameHead head;
    const char *body;
    if (events & POLLOUT)
        flush(c);
    if (!(events & (POLLIN | POLLHUP | POLLERR)))
        return;
    FrameRead state = frame_fill(&c->in, c->fd);
    while (!c->dropped && frame_next(&c->in, &head, &body)) {
        if (head.kind == FRAME_HELLO && head.size == sizeof(uint32_t)) {
            uint32_t pid;
            memcpy(&pid, body, sizeof pid);
            c->pid = pidfd_open((pid_t)pid, 0);
        } else {
            c->calls.frame(c->user, &head, body);
        }
    }
    if (state == FRAME_GONE)
        child_gone(c);
}

Child *child_start(Studio *s, const char *request, double seconds, const ChildCalls *calls,
                   void *user)
{
    int ends[2];
    if (s->control < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return NULL;
    bool ok = frame_send_fd(s->control, ends[1]);
    close(ends[1]);
    if (!ok) {
        close(ends[0]);
        return NULL;
    }
    Child *c = memory_alloc(sizeof *c);
    *c = (Child){
        .studio = s, .fd = ends[0], .pid = -1, .calls = *calls, .user = user, .next = s->children};
    s->children = c;
    loop_watch(&s->loop, c->fd, POLLIN, on_child, c);
    child_limit(c, seconds);
    child_send(c, request);
    return c;
}

void child_send(Child *c, const char *request)
{
    FrameHead head = {FRAME_REQUEST, (uint32_t)strlen(request)};
    text_put_n(&c->out, (const char *)&head, sizeof head);
    text_put(&c->out, request);
    flush(c);
}

void child_limit(Child *c, double seconds)
{
    c->deadline = seconds > 0 ? studio_now() + seconds : 0;
}

/* It sees the end of its socket and ends; later messages are ignored. */
void child_drop(Child *c)
{
    c->dropped = true;
    shutdown(c->fd, SHUT_WR);
    child_limit(c, gentle);
}

void children_tick(Studio *s, double now)
{
    for (Child *c = s->children, *next; c; c = next) {
        next = c->next;
        if (!c->deadline || now < c->deadline)
            continue;
        c->deadline = now + gentle;
        c->why = "it took longer than its limit and was ended";
        child_kill(c);
    }
}

static void jobs_free(Studio *s);

void children_stop(Studio *s)
{
    for (Child *c = s->children; c; c = c->next)
        child_drop(c);
    double end = studio_now() + gentle;
    while (s->children && studio_now() < end)
        loop_wait(&s->loop, 20);
    while (s->children) {
        child_kill(s->children);
        child_free(s->children);
    }
    fork_server_end(s);
    jobs_free(s);
}

/* ---- jobs: one answer for one request ---- */

struct Job {
    Studio *studio;
    Request *request;
    Child *child; /* NULL while it waits for its turn */
    Text text;    /* the request to come */
    const char *what;
    double seconds;
    Job *next;
};

static void start_jobs(Studio *s);

/* At the end; their requests have been answered. */
static void jobs_free(Studio *s)
{
    for (Job *j = s->jobs, *next; j; j = next) {
        next = j->next;
        text_free(&j->text);
        memory_free(j);
    }
    s->jobs = NULL;
}

/* Frees the job; its request has been answered. */
static void job_done(Job *j)
{
    Studio *s = j->studio;
    for (Job **p = &s->jobs; *p; p = &(*p)->next)
        if (*p == j) {
            *p = j->next;
            break;
        }
    text_free(&j->text);
    memory_free(j);
    start_jobs(s);
}

/* An answer too large for a frame, or made by a library that writes files: its bytes are in a file
 * of the scratch folder. */
static void answer_file(Job *j, const char *path)
{
    Text t = {0};
    bool ok = text_read_file(&t, path, SIZE_MAX);
    unlink(path);
    if (ok)
        request_answer(j->request, 200, "application/octet-stream", &t);
    else
        request_error(j->request, 500, "%s has left no file", j->what);
    text_free(&t);
}

static void job_frame(void *user, const FrameHead *head, const char *body)
{
    static const char *const types[] = {"application/json", "image/svg+xml"};
    Job *j = user;
    uint32_t status[2];
    if (head->kind != FRAME_ANSWER || head->size < sizeof status)
        return;
    memcpy(status, body, sizeof status);
    Text t = {0};
    text_put_n(&t, body + sizeof status, head->size - sizeof status);
    if (status[1] < 2)
        request_answer(j->request, status[0], types[status[1]], &t);
    else
        answer_file(j, t.at);
    text_free(&t);
    child_drop(j->child);
    job_done(j);
}

static void job_gone(void *user, const char *why)
{
    Job *j = user;
    request_error(j->request, 500, "%s failed: %s", j->what, why);
    job_done(j);
}

static void start_jobs(Studio *s)
{
    static const ChildCalls calls = {job_frame, job_gone};
    unsigned at_work = 0;
    for (Job *j = s->jobs; j; j = j->next)
        at_work += j->child != NULL;
    for (Job *j = s->jobs, *next; j && at_work < JOBS_AT_ONCE; j = next) {
        next = j->next;
        if (j->child)
            continue;
        j->child = child_start(s, j->text.at, j->seconds, &calls, j);
        at_work++;
        if (!j->child) {
            request_error(j->request, 503,
                          "%s cannot be done now: the studio's workers do not start", j->what);
            job_done(j);
            return;
        }
    }
}

void jobs_supersede(Studio *s, const char *what)
{
    for (Job *j = s->jobs, *next; j; j = next) {
        next = j->next;
        if (j->child || strcmp(j->what, what))
            continue;
        request_error(j->request, 409, "a later request replaced %s", what);
        job_done(j);
        next = s->jobs; /* others may have started or ended */
    }
}

void job_for(Studio *s, Request *r, Text *request, const char *what, double seconds)
{
    Job *j = memory_alloc(sizeof *j), **last = &s->jobs;
    *j = (Job){.studio = s, .request = r, .text = *request, .what = what, .seconds = seconds};
    *request = (Text){0};
    while (*last)
        last = &(*last)->next;
    *last = j;
    start_jobs(s);
}

/* The fork server: a process that has parsed the libraries and forks a child for every piece of
 * work. The child finds them parsed, and its changes to the session end with it. Children report
 * the library classes that they had to read; the fork server reads these too, for later children.
 * If a file of a library changes, it starts again. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct ReadFile {
    char *path;
    struct timespec mtime;
} ReadFile;

typedef struct ForkServer {
    Kairos *k;
    const ForkServerOptions *options;
    int warm[2];
    VEC(ReadFile) files; /* of libraries, as they were read */
    Text line;           /* a name that is coming in */
} ForkServer;

/* ---- files that have been read ---- */

static void note_files(ForkServer *n)
{
    char *text = kairos_list_loaded(n->k);
    cJSON *list = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    int known = (int)n->files.n, at = 0;
    cJSON_ArrayForEach(row, list)
    {
        const char *path = json_text(row, "path");
        struct stat st;
        if (at++ >= known && path)
            vec_push(&n->files, ((ReadFile){strdup(path),
                                            stat(path, &st) ? (struct timespec){0} : st.st_mtim}));
    }
    cJSON_Delete(list);
}

static bool has_changed(const ReadFile *f)
{
    struct stat st;
    return stat(f->path, &st) || st.st_mtim.tv_sec != f->mtime.tv_sec ||
           st.st_mtim.tv_nsec != f->mtime.tv_nsec;
}

/* The same process with nothing read; requests that wait in the socket stay there. */
static void begin_anew(const ForkServer *n)
{
    char words[65536], *argv[1024];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC), count = 0;
    ssize_t size = fd < 0 ? -1 : read(fd, words, sizeof words - 1);
    for (ssize_t i = 0; i < size && count < 1023; i += (ssize_t)strlen(words + i) + 1)
        argv[count++] = words + i;
    argv[count] = NULL;
    if (fd >= 0)
        close(fd);
    fcntl(n->options->control, F_SETFD, 0);
    if (count)
        execv("/proc/self/exe", argv);
}

/* Reads the classes that a child had to read. */
static void warm_up(ForkServer *n)
{
    char part[4096];
    ssize_t size;
    while ((size = read(n->warm[0], part, sizeof part)) > 0)
        for (ssize_t i = 0; i < size; i++) {
            if (part[i] != '\n') {
                text_put_char(&n->line, part[i]);
            } else if (n->line.n) {
                kairos_load_class(n->k, n->line.at);
                n->line.n = 0;
            }
        }
    kairos_clear_messages(n->k);
    note_files(n);
}

/* ---- children ---- */

static void limit_memory(unsigned megabytes)
{
#ifndef KAIROS_SANITIZE /* which reserves terabytes */
    rlim_t bytes = (rlim_t)megabytes << 20;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
#else
    (void)megabytes;
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static void serve(ForkServer *n, int fd)
{
    Worker w = {
        .k = n->k, .options = n->options, .fd = fd, .warm = n->warm[1], .known = n->files.n};
    uint32_t pid = (uint32_t)getpid();
    FrameHead head;
    Text text = {0};
    signal(SIGCHLD, SIG_DFL);
    limit_memory(n->options->memory);
    if (!frame_send(fd, FRAME_HELLO, &pid, sizeof pid) || !frame_receive(fd, &head, &text))
        return;
    cJSON *request = cJSON_Parse(text.at);
    const char *job = json_text(request, "job");
    if (job && !strcmp(job, "model"))
        live_run(&w, request);
    else
        job_run(&w, request);
    cJSON_Delete(request);
    text_free(&text);
}

static void start_child(ForkServer *n)
{
    for (uint32_t i = 0; i < n->files.n; i++)
        if (has_changed(&n->files.at[i]))
            begin_anew(n);
    int fd = frame_receive_fd(n->options->control);
    if (fd < 0)
        _exit(0);
    pid_t pid = fork();
    if (pid == 0) {
        close(n->options->control);
        close(n->warm[0]);
        serve(n, fd);
        _exit(0);
    }
    close(fd); /* without a child the server sees its end */
}

int studio_fork_server(Kairos *k, const ForkServerOptions *o)
{
    ForkServer n = {.k = k, .options = o};
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    fcntl(o->control, F_SETFD, FD_CLOEXEC);
    if (pipe2(n.warm, O_CLOEXEC | O_NONBLOCK))
        return KAIROS_FAILED;
    struct pollfd fds[] = {{o->control, POLLIN, 0}, {n.warm[0], POLLIN, 0}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return KAIROS_FAILED;
        if (fds[1].revents)
            warm_up(&n);
        if (fds[0].revents)
            start_child(&n);
    }
}

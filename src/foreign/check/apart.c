/* A process of its own for code that may crash, hang or use too much memory. */
#include "foreign/check/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Findings go through a pipe: a byte, the text, a zero. */
static void send_finding(void *user, bool doubt, const char *text)
{
    FILE *out = user;
    fputc(doubt ? 'd' : 'w', out);
    fputs(text, out);
    fputc('\0', out);
    fflush(out);
}

static void limit(unsigned what, rlim_t value)
{
    setrlimit(what, &(struct rlimit){value, value});
}

static void work(const FmuFile *f, const Apart *a, int out,
                 void (*action)(void *arg, Finding *found, void *user), void *arg)
{
    FILE *pipe = fdopen(out, "w");
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)a->seconds + 1);
#ifndef KAIROS_SANITIZE /* which reserves terabytes */
    limit(RLIMIT_AS, (rlim_t)a->memory << 20);
#endif
    limit(RLIMIT_FSIZE, (rlim_t)64 << 20);
    const char *place = arena_printf(f->arena, "%s/work", f->outer);
    if (!pipe || mkdir(place, 0700) || chdir(place))
        _exit(1);
    action(arg, send_finding, pipe);
    fclose(pipe);
    _exit(0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef VEC(char) Bytes;

/* Hands out complete findings and keeps the rest. */
static void take_findings(Bytes *b, Finding *found, void *user)
{
    uint32_t begin = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (!b->at[i]) {
            found(user, b->at[begin] == 'd', b->at + begin + 1);
            begin = i + 1;
        }
    if (begin)
        memmove(b->at, b->at + begin, b->n - begin);
    b->n -= begin;
}

/* Reads until the other end closes; false after the time. */
static bool listen(int in, double until, Finding *found, void *user)
{
    Bytes bytes = {0};
    bool open = true, late = false;
    while (open && !late) {
        char buffer[4096];
        struct pollfd p = {.fd = in, .events = POLLIN};
        double left = until - now();
        int ready = left > 0 ? poll(&p, 1, (int)(1e3 * left) + 1) : 0;
        late = !ready;
        ssize_t n = ready > 0 ? read(in, buffer, sizeof buffer) : ready < 0 && errno == EINTR;
        open = n > 0 || late;
        for (ssize_t i = 0; ready > 0 && i < n; i++)
            vec_push(&bytes, buffer[i]);
        take_findings(&bytes, found, user);
    }
    vec_free(&bytes);
    return !late;
}

static bool has_files(const char *folder)
{
    DIR *dir = opendir(folder);
    bool any = false;
    for (struct dirent *e; dir && (e = readdir(dir));)
        any |= e->d_name[0] != '.' || strlen(e->d_name) > 2;
    if (dir)
        closedir(dir);
    return any;
}

static void read_call(const FmuFile *f, Apart *a)
{
    FILE *in = fopen(f->call, "r");
    size_t n = in ? fread(a->call, 1, sizeof a->call - 1, in) : 0;
    a->call[n] = '\0';
    if (in)
        fclose(in);
}

bool apart_run(const FmuFile *f, Apart *a, void (*action)(void *arg, Finding *found, void *user),
               void *arg, Finding *found, void *user)
{
    int ends[2];
    if (pipe(ends))
        return false;
    fflush(NULL);
    remove(f->call);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work(f, a, ends[1], action, arg);
    }
    close(ends[1]);
    bool made = child > 0;
    a->late = made && !listen(ends[0], now() + a->seconds, found, user);
    close(ends[0]);
    if (a->late)
        kill(child, SIGKILL);
    int status = 0;
    while (made && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    a->late |= made && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    a->signal = made && !a->late && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    read_call(f, a);
    const char *place = arena_printf(f->arena, "%s/work", f->outer);
    a->wrote = has_files(place);
    archive_remove(place);
    return made;
}

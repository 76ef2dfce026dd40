#include "base/compiler_job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Starts argv in a process group of its own. 0, or errno. */
static int spawn(char *const *argv, char *const *env, posix_spawn_file_actions_t *files, pid_t *pid)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int error = posix_spawnp(pid, argv[0], files, &attributes, argv, env);
    posix_spawnattr_destroy(&attributes);
    *pid = error ? 0 : *pid;
    return error;
}

/* ---- the guard ---- */

/* A shell that outlives this process. It reads the number of the compiler's group, then "0" before
 * the end. If the pipe ends without that, this process was killed: the shell ends the compiler. In
 * any case it removes the folder. */
static const char GUARD[] = "group=0; while read -r line; do group=$line; done\n"
                            "[ \"$group\" = 0 ] || kill -9 \"-$group\"\n"
                            "rm -rf -- \"$1\"";

/* Without a guard the compiler still runs. */
static void start_guard(CompilerJob *j)
{
    int ends[2];
    /* sockets: a write after the guard's end must not raise SIGPIPE */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    char *argv[] = {"sh", "-c", (char *)GUARD, "sh", j->folder.path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool started = spawn(argv, environ, &files, &j->guard) == 0;
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    if (started)
        j->guard_pipe = ends[1];
    else
        close(ends[1]);
}

static void tell_guard(CompilerJob *j, pid_t group)
{
    char line[24];
    int n = snprintf(line, sizeof line, "%ld\n", (long)group);
    ssize_t written = j->guard ? send(j->guard_pipe, line, (size_t)n, MSG_NOSIGNAL) : 0;
    (void)written; /* if it fails, the guard has ended */
}

static void end_guard(CompilerJob *j)
{
    if (!j->guard)
        return;
    tell_guard(j, 0);
    close(j->guard_pipe);
    while (waitpid(j->guard, NULL, 0) < 0 && errno == EINTR)
        continue;
    j->guard = 0;
}

int compiler_open(CompilerJob *j, const char *base, const char *name)
{
    int error = temporary_folder_open(&j->folder, base, "cc");
    if (error)
        return error;
    snprintf(j->source, sizeof j->source, "%s/%.8s.c", j->folder.path, name);
    snprintf(j->object, sizeof j->object, "%s/%.8s.so", j->folder.path, name);
    snprintf(j->log, sizeof j->log, "%s/log", j->folder.path);
    start_guard(j);
    return 0;
}

/* The environment with TMPDIR pointing to the job's folder; `text` holds that entry. To be freed.
 */
static char **environment(const CompilerJob *j, char *text, size_t size)
{
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **all = memory_alloc((n + 2) * sizeof *all);
    snprintf(text, size, "TMPDIR=%s", j->folder.path);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            all[k++] = environ[i];
    all[k] = text;
    return all;
}

/* ---- the compiler ---- */

/* A shell that takes its limits, then becomes the compiler. */
static const char LIMITED[] = "ulimit -v $1 && ulimit -t $2 && shift 2 && exec nice -n 10 \"$@\"";

static int start_limited(CompilerJob *j, char *const *argv, const CompilerLimits *limits,
                         char *const *env, posix_spawn_file_actions_t *files)
{
    enum { MOST = 64 };
    char memory[24], seconds[24];
    char *all[MOST + 8] = {"sh", "-c", (char *)LIMITED, "sh", memory, seconds};
    snprintf(memory, sizeof memory, "%ld", limits->kilobytes);
    snprintf(seconds, sizeof seconds, "%ld", limits->seconds);
    for (int i = 0; i < MOST && argv[i]; i++)
        all[6 + i] = argv[i];
    return spawn(all, env, files, &j->pid);
}

int compiler_start(CompilerJob *j, char *const *argv, const CompilerLimits *limits)
{
    char folder[COMPILER_PATH];
    char **env = environment(j, folder, sizeof folder);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, j->log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    int error =
        limits ? start_limited(j, argv, limits, env, &files) : spawn(argv, env, &files, &j->pid);
    posix_spawn_file_actions_destroy(&files);
    memory_free(env);
    tell_guard(j, j->pid);
    return error;
}

bool compiler_ended(CompilerJob *j)
{
    int status = 0;
    if (!j->pid)
        return true;
    pid_t ended = waitpid(j->pid, &status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    j->pid = 0;
    j->failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return true;
}

static void pause_for(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

bool compiler_wait(CompilerJob *j, const _Atomic int *interrupt)
{
    while (!compiler_ended(j)) {
        if (interrupt && *interrupt)
            return !compiler_kill(j);
        pause_for(1);
    }
    return true;
}

bool compiler_kill(CompilerJob *j)
{
    if (!j->pid)
        return false;
    kill(-j->pid, SIGKILL);
    while (!compiler_ended(j))
        pause_for(1);
    return true;
}

void compiler_close(CompilerJob *j)
{
    end_guard(j);
    temporary_folder_close(&j->folder);
}

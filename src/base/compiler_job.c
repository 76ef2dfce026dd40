#include "base/compiler_job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int compiler_open(CompilerJob *j, const char *base, const char *name)
{
    int n = snprintf(j->folder, sizeof j->folder, "%s/kairos-XXXXXX", base);
    int error = n < 0 || (size_t)n >= sizeof j->folder ? ENAMETOOLONG
                : mkdtemp(j->folder) == NULL           ? errno
                                                       : 0;
    if (error) {
        j->folder[0] = '\0';
        return error;
    }
    snprintf(j->source, sizeof j->source, "%s/%.8s.c", j->folder, name);
    snprintf(j->object, sizeof j->object, "%s/%.8s.so", j->folder, name);
    snprintf(j->log, sizeof j->log, "%s/log", j->folder);
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
    snprintf(text, size, "TMPDIR=%s", j->folder);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            all[k++] = environ[i];
    all[k] = text;
    return all;
}

int compiler_start(CompilerJob *j, char *const *argv)
{
    char folder[COMPILER_PATH];
    char **env = environment(j, folder, sizeof folder);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, j->log, O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t pid;
    int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    memory_free(env);
    j->pid = error ? 0 : pid;
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

bool compiler_wait(CompilerJob *j, const volatile int *interrupt)
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
    DIR *d = j->folder[0] ? opendir(j->folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[COMPILER_PATH + 300];
        int n = snprintf(path, sizeof path, "%s/%s", j->folder, e->d_name);
        if (n > 0 && (size_t)n < sizeof path && e->d_name[0] != '.')
            unlink(path);
    }
    if (d) {
        closedir(d);
        rmdir(j->folder);
    }
    j->folder[0] = '\0';
}

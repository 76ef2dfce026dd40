#include "base/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names of folders that are about to be locked; others are kairos-KIND-XXXXXX. */
#define NEW_PREFIX "kairos-new-"

static void remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    if (d) {
        closedir(d);
        rmdir(folder);
    }
}

/* Locks the folder for as long as this process lives. The descriptor, or -1. */
static int lock_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool has_prefix(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Whether this folder of `base` belongs to this user and has the name of a temporary one. One that
 * its owner may be about to lock does not count. */
static bool is_ours(const char *path, const char *name, const char *prefix)
{
    enum { NEW = 60 }; /* seconds */
    struct stat s;
    bool is_new = has_prefix(name, NEW_PREFIX);
    return (is_new || has_prefix(name, prefix)) && lstat(path, &s) == 0 && S_ISDIR(s.st_mode) &&
           s.st_uid == geteuid() && (!is_new || s.st_mtime <= time(NULL) - NEW);
}

/* Removes folders of processes that were killed: those that nobody has locked. */
static void remove_abandoned(const char *base, const char *prefix)
{
    DIR *d = opendir(base);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[TEMPORARY_FOLDER];
        int n = snprintf(path, sizeof path, "%s/%s", base, e->d_name);
        if (n < 0 || (size_t)n >= sizeof path || !is_ours(path, e->d_name, prefix))
            continue;
        int lock = lock_folder(path);
        if (lock < 0)
            continue;
        remove_folder(path);
        close(lock);
    }
    if (d)
        closedir(d);
}

/* Makes the folder, locks it, and only then gives it the name by which others look for abandoned
 * ones. 0, or errno. */
static int make(TemporaryFolder *f, const char *base, const char *prefix)
{
    char made[TEMPORARY_FOLDER];
    int n = snprintf(made, sizeof made, "%s/" NEW_PREFIX "XXXXXX", base);
    if (n < 0 || (size_t)n + strlen(prefix) >= sizeof made)
        return ENAMETOOLONG;
    if (!mkdtemp(made))
        return errno;
    f->lock = lock_folder(made);
    snprintf(f->path, sizeof f->path, "%s/%s%s", base, prefix, made + n - 6);
    if (rename(made, f->path) == 0)
        return 0;
    int error = errno;
    rmdir(made);
    return error;
}

int temporary_folder_open(TemporaryFolder *f, const char *base, const char *kind)
{
    char prefix[24];
    snprintf(prefix, sizeof prefix, "kairos-%.12s-", kind);
    remove_abandoned(base, prefix);
    f->lock = -1;
    int error = make(f, base, prefix);
    if (!error)
        return 0;
    if (f->lock >= 0)
        close(f->lock);
    f->path[0] = '\0';
    return error;
}

void temporary_folder_close(TemporaryFolder *f)
{
    if (!f->path[0])
        return;
    remove_folder(f->path);
    if (f->lock >= 0)
        close(f->lock);
    f->path[0] = '\0';
}

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
#include <unistd.h>

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

/* Whether this folder belongs to this user and has the name of a temporary one. */
static bool is_ours(const char *path, const char *name, const char *prefix)
{
    struct stat s;
    return strncmp(name, prefix, strlen(prefix)) == 0 && lstat(path, &s) == 0 &&
           S_ISDIR(s.st_mode) && s.st_uid == geteuid();
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

/* Whether f->path was locked before another process took it for an abandoned folder. Where folders
 * cannot be locked, nobody removes them. */
static bool lock_own(TemporaryFolder *f)
{
    struct stat locked, there;
    f->lock = open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (f->lock < 0)
        return errno != ENOENT;
    bool own = flock(f->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (own && fstat(f->lock, &locked) == 0 && lstat(f->path, &there) == 0 &&
        locked.st_ino == there.st_ino)
        return true;
    close(f->lock);
    f->lock = -1;
    return false;
}

/* 0, or errno. */
static int make(TemporaryFolder *f, const char *base, const char *prefix)
{
    enum { MOST = 100 };
    for (int i = 0; i < MOST; i++) {
        int n = snprintf(f->path, sizeof f->path, "%s/%sXXXXXX", base, prefix);
        if (n < 0 || (size_t)n >= sizeof f->path)
            return ENAMETOOLONG;
        if (!mkdtemp(f->path))
            return errno;
        if (lock_own(f))
            return 0;
    }
    return EAGAIN;
}

int temporary_folder_open(TemporaryFolder *f, const char *base, const char *kind)
{
    char prefix[24];
    snprintf(prefix, sizeof prefix, "kairos-%.12s-", kind);
    remove_abandoned(base, prefix);
    f->lock = -1;
    int error = make(f, base, prefix);
    if (error)
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

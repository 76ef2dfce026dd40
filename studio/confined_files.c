#include "confined_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_MOST = 16 << 20 };

int confine_parent(int top, const char *path, bool make, const char **last)
{
    int fd = fcntl(top, F_DUPFD_CLOEXEC, 0);
    for (const char *p = path; fd >= 0;) {
        size_t n = strcspn(p, "/");
        if (!p[n]) {
            *last = p;
            return fd;
        }
        char part[NAME_MAX + 1];
        snprintf(part, sizeof part, "%.*s", (int)n, p);
        if (make)
            mkdirat(fd, part, 0777);
        int next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int error = errno;
        close(fd);
        errno = error;
        fd = next;
        p += n + 1;
    }
    return -1;
}

bool confine_is_plain(const char *path)
{
    for (const char *p = path;;) {
        size_t n = strcspn(p, "/");
        if (n == 0 || n > NAME_MAX || p[0] == '.')
            return false;
        if (!p[n])
            return true;
        p += n + 1;
    }
}

bool confine_read_fd(int fd, Text *t)
{
    struct stat st;
    char part[65536];
    if (fstat(fd, &st))
        return false;
    errno = S_ISREG(st.st_mode) ? EFBIG : EISDIR;
    if (!S_ISREG(st.st_mode) || st.st_size > SIZE_MOST)
        return false;
    for (;;) {
        ssize_t n = read(fd, part, sizeof part);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        text_put_n(t, part, (size_t)n);
        if (t->n > SIZE_MOST) {
            errno = EFBIG;
            return false;
        }
    }
}

bool confine_read(int top, const char *path, Text *t)
{
    const char *last;
    int parent = confine_parent(top, path, false, &last);
    int fd = parent < 0 ? -1 : openat(parent, last, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && confine_read_fd(fd, t);
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (parent >= 0)
        close(parent);
    errno = error;
    return ok;
}

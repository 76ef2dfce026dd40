#include "base/atomic_file.h"

#include "base/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *a, const char *b)
{
    char *s = memory_alloc(strlen(a) + strlen(b) + 1);
    return strcat(strcpy(s, a), b);
}

/* A file without a name in the folder of `path`, which vanishes if the process is killed. -1 if the
 * file system has none, or if it could not get a name later. */
static int open_nameless(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = joined(slash ? path : ".", "");
    if (slash)
        folder[slash == path ? 1 : slash - path] = 0;
    int fd =
        access("/proc/self/fd", X_OK) ? -1 : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    memory_free(folder);
    return fd;
}

/* Tries the names that f->part may get until `try` succeeds: its result, which is not negative, or
 * -1. */
static int with_name(AtomicFile *f, int (*try)(AtomicFile *f))
{
    for (unsigned i = 0; i < 1000000; i++) {
        snprintf(f->part + strlen(f->path), sizeof ".XXXXXX", ".%06u",
                 ((unsigned)getpid() + i) % 1000000);
        int result = try(f);
        if (result >= 0 || errno != EEXIST)
            return result;
    }
    return -1;
}

static int create_part(AtomicFile *f)
{
    return open(f->part, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
}

/* The mask of new files is not asked for: another thread would meet the one set meanwhile. */
bool atomic_open(AtomicFile *f, const char *path)
{
    struct stat s;
    *f = (AtomicFile){.path = joined(path, "")};
    bool replaced = !stat(path, &s);
    if (replaced && !S_ISREG(s.st_mode)) {
        f->file = fopen(path, "wb");
        return f->file;
    }
    int fd = open_nameless(path);
    f->nameless = fd >= 0;
    f->part = joined(path, ".XXXXXX");
    if (!f->nameless && (fd = with_name(f, create_part)) < 0) {
        memory_free(f->part);
        f->part = NULL;
        return false;
    }
    if (replaced) /* a file that exists keeps its mode */
        fchmod(fd, s.st_mode & 0777);
    f->file = fdopen(fd, "w+b");
    if (!f->file)
        close(fd);
    return f->file;
}

static int link_part(AtomicFile *f)
{
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(f->file));
    return linkat(AT_FDCWD, self, AT_FDCWD, f->part, AT_SYMLINK_FOLLOW);
}

/* Gives a file without a name the name f->part, which nobody has. */
static bool name_part(AtomicFile *f)
{
    f->nameless = with_name(f, link_part) < 0;
    return !f->nameless;
}

static void release(AtomicFile *f)
{
    memory_free(f->path);
    memory_free(f->part);
    *f = (AtomicFile){0};
}

bool atomic_commit(AtomicFile *f)
{
    bool lost = ferror(f->file); /* an earlier write failed */
    errno = lost && !errno ? EIO : errno;
    bool ok = !lost && !fflush(f->file) && (!f->nameless || name_part(f));
    if (ok) {
        FILE *file = f->file;
        f->file = NULL;
        ok = !fclose(file) && (!f->part || !rename(f->part, f->path));
    }
    if (ok) {
        release(f);
        return true;
    }
    int error = errno;
    atomic_discard(f);
    errno = error;
    return false;
}

void atomic_discard(AtomicFile *f)
{
    if (f->file)
        fclose(f->file);
    if (f->part && !f->nameless)
        unlink(f->part);
    release(f);
}

bool atomic_save(const char *path, const char *text, size_t n, bool sync)
{
    AtomicFile f;
    if (atomic_open(&f, path) && (!n || fwrite(text, 1, n, f.file) == n) && !fflush(f.file) &&
        !(sync && fsync(fileno(f.file))))
        return atomic_commit(&f);
    int error = errno;
    atomic_discard(&f);
    errno = error;
    return false;
}

bool atomic_save_text(Context *ctx, const char *path, const Text *t)
{
    bool ok = atomic_save(path, t->at, t->n, false);
    if (!ok)
        diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(errno));
    return ok;
}

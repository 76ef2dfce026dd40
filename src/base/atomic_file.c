#include "base/atomic_file.h"

#include "base/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *a, const char *b)
{
    char *s = memory_alloc(strlen(a) + strlen(b) + 1);
    return strcat(strcpy(s, a), b);
}

bool atomic_open(AtomicFile *f, const char *path)
{
    struct stat s;
    *f = (AtomicFile){.path = joined(path, "")};
    bool replaced = !stat(path, &s);
    if (replaced && !S_ISREG(s.st_mode)) {
        f->file = fopen(path, "wb");
        return f->file;
    }
    f->part = joined(path, ".XXXXXX");
    int fd = mkstemp(f->part);
    if (fd < 0) {
        memory_free(f->part);
        f->part = NULL;
        return false;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, replaced ? s.st_mode & 0777 : 0666 & ~mask); /* a file that exists keeps its mode */
    f->file = fdopen(fd, "w+b");
    if (!f->file)
        close(fd);
    return f->file;
}

static void release(AtomicFile *f)
{
    memory_free(f->path);
    memory_free(f->part);
    *f = (AtomicFile){0};
}

bool atomic_commit(AtomicFile *f)
{
    FILE *file = f->file;
    f->file = NULL;
    if (fclose(file) || (f->part && rename(f->part, f->path))) {
        int error = errno;
        atomic_discard(f);
        errno = error;
        return false;
    }
    release(f);
    return true;
}

void atomic_discard(AtomicFile *f)
{
    if (f->file)
        fclose(f->file);
    if (f->part)
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

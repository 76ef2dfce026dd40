/* Writing a result: under a temporary name beside the one asked for, which it gets when complete.
 */
#include "output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const WriterFormat *const formats[] = {&writer_csv, &writer_mat};

static const WriterFormat *find_format(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t k = strlen(formats[i]->ending);
        if (n > k && !strcmp(path + n - k, formats[i]->ending))
            return formats[i];
    }
    return NULL;
}

static void tell(Context *ctx, const char *path, int error)
{
    const char *remedy = error == ENOENT   ? "; create the folder first"
                         : error == ENOSPC ? "; free some room or choose another place by --output"
                         : error == EACCES || error == EROFS ? "; choose another place by --output"
                                                             : "";
    diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s%s", path, strerror(error), remedy);
}

static char *copy_text(const char *a, const char *b)
{
    char *s = memory_alloc(strlen(a) + strlen(b) + 1);
    return strcat(strcpy(s, a), b);
}

static void free_writer(Writer *w)
{
    if (w->file)
        fclose(w->file);
    memory_free(w->path);
    memory_free(w->part);
    text_free(&w->buffer);
    memory_free(w);
}

/* A regular file is written beside its place; anything else (a pipe, a terminal) directly. */
static bool open_file(Writer *w)
{
    struct stat s;
    if (!stat(w->path, &s) && !S_ISREG(s.st_mode)) {
        w->file = fopen(w->path, "wb");
        return w->file;
    }
    w->part = copy_text(w->path, ".XXXXXX");
    int fd = mkstemp(w->part);
    if (fd < 0)
        return false;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    w->file = fdopen(fd, "w+b");
    return w->file;
}

Writer *writer_open(Context *ctx, const char *path, const Columns *columns)
{
    const WriterFormat *format = find_format(path);
    if (!format) {
        diag(ctx, (Span){0}, DIAG_U008,
             "'%s' does not say a format; use a name that ends with .csv or .mat", path);
        return NULL;
    }
    Writer *w = memory_alloc(sizeof *w);
    *w = (Writer){.ctx = ctx, .format = format, .columns = columns, .path = copy_text(path, "")};
    if (open_file(w) && format->begin(w))
        return w;
    tell(ctx, path, errno);
    writer_discard(w);
    return NULL;
}

bool writer_row(Writer *w, const double *v)
{
    if (!w->error && !w->format->row(w, v))
        w->error = errno ? errno : EIO;
    w->n_rows++;
    return !w->error;
}

bool writer_close(Writer *w, const double *v)
{
    if (!w->error && !w->format->end(w, v))
        w->error = errno ? errno : EIO;
    if (fclose(w->file) && !w->error)
        w->error = errno;
    w->file = NULL;
    if (!w->error && w->part && rename(w->part, w->path))
        w->error = errno;
    bool ok = !w->error;
    if (!ok) {
        tell(w->ctx, w->path, w->error);
        if (w->part)
            unlink(w->part);
    }
    free_writer(w);
    return ok;
}

void writer_discard(Writer *w)
{
    if (!w)
        return;
    if (w->part)
        unlink(w->part);
    free_writer(w);
}

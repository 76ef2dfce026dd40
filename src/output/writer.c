/* Writing a result under a temporary name, which becomes the final name when the file is complete.
 */
#include "output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const WriterFormat *const formats[] = {&writer_csv, &writer_mat};

static const WriterFormat *find_format(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (text_ends_with(path, formats[i]->ending))
            return formats[i];
    return NULL;
}

static void report(Context *ctx, const char *path, int error)
{
    const char *remedy =
        error == ENOENT   ? "; create the folder first"
        : error == ENOSPC ? "; free some space, or choose another place with --output"
        : error == EACCES || error == EROFS ? "; choose another place with --output"
                                            : "";
    diag(ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s%s", path, strerror(error), remedy);
}

Writer *writer_open(Context *ctx, const char *path, const Columns *columns)
{
    const WriterFormat *format = find_format(path);
    if (!format) {
        diag(ctx, (Span){0}, DIAG_U008,
             "'%s' has no known format; use a name that ends with .csv or .mat", path);
        return NULL;
    }
    Writer *w = memory_alloc(sizeof *w);
    *w = (Writer){.ctx = ctx, .format = format, .columns = columns};
    w->path = strcpy(memory_alloc(strlen(path) + 1), path);
    w->arena = arena_new();
    bool ok = atomic_open(&w->out, path);
    w->file = w->out.file;
    if (ok && format->begin(w))
        return w;
    report(ctx, path, errno);
    writer_discard(w);
    return NULL;
}

static bool put_row(void *user, const double *v)
{
    Writer *w = user;
    w->n_rows++;
    return w->format->row(w, v);
}

void writer_leave_out(Writer *w, size_t n_vars, double tolerance)
{
    w->filter = row_filter_new(w->columns, n_vars, tolerance, put_row, w);
}

bool writer_row(Writer *w, const double *v)
{
    if (!w->error && !(w->filter ? row_filter_row(w->filter, v) : put_row(w, v)))
        w->error = errno ? errno : EIO;
    return !w->error;
}

bool writer_close(Writer *w, const double *v)
{
    if (!w->error && w->filter && !row_filter_end(w->filter))
        w->error = errno ? errno : EIO;
    if (!w->error && !w->format->end(w, v))
        w->error = errno ? errno : EIO;
    if (!w->error && !atomic_commit(&w->out))
        w->error = errno;
    bool ok = !w->error;
    if (!ok)
        report(w->ctx, w->path, w->error);
    writer_discard(w);
    return ok;
}

void writer_discard(Writer *w)
{
    if (!w)
        return;
    atomic_discard(&w->out);
    memory_free(w->path);
    row_filter_free(w->filter);
    text_free(&w->buffer);
    arena_free(w->arena);
    memory_free(w);
}

/* The HDF5 file of a study (layout: docs/studies.md). */
#include "hdf5_file.h"
#include "study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096 }; /* points whose factors are in memory at once */

bool hdf5_load(void)
{
    const char *why = hdf5_missing();
    if (why)
        fprintf(stderr, "kairos: cannot write HDF5: %s\n", why);
    return !why;
}

static Hdf5Id factor_set(Hdf5File *f, Hdf5Id group, const Factor *factor, uint64_t n)
{
    Hdf5Id d = hdf5_dataset(f, group, factor->name, HDF5_DOUBLE, n);
    for (size_t i = 0; factor->words && i < factor->n; i++) {
        char label[32];
        snprintf(label, sizeof label, "value %zu", i);
        hdf5_attribute(f, d, label, factor->texts[i]);
    }
    return d;
}

/* Chunk by chunk, since a point has the values of all factors. */
static void put_factors(Hdf5File *f, const Study *s)
{
    Hdf5Id group = hdf5_group(f, "factors"), sets[s->n_factors + 1];
    uint64_t n = s->design.points;
    double *columns = study_alloc((s->n_factors + 1) * CHUNK, sizeof *columns),
           values[s->n_factors + 1];
    for (unsigned k = 0; k < s->n_factors; k++)
        sets[k] = factor_set(f, group, &s->factors[k], n);
    for (uint64_t first = 0; first < n && f->ok; first += CHUNK) {
        uint64_t count = n - first < CHUNK ? n - first : CHUNK;
        for (uint64_t i = 0; i < count; i++) {
            design_point(s, first + i, values, NULL);
            for (unsigned k = 0; k < s->n_factors; k++)
                columns[k * CHUNK + i] = values[k];
        }
        for (unsigned k = 0; k < s->n_factors; k++)
            hdf5_write_slice(f, sets[k], n, first, count, columns + k * CHUNK);
    }
    for (unsigned k = 0; k < s->n_factors; k++)
        hdf5_end_dataset(f, sets[k]);
    hdf5_end_group(f, group);
    free(columns);
}

static void put_kept(Hdf5File *f, const Study *s, const Results *r)
{
    Hdf5Id group = hdf5_group(f, "kept");
    double *column = study_alloc(r->n, sizeof *column);
    for (unsigned k = 0; k < s->n_keeps && group >= 0; k++) {
        for (uint64_t i = 0; i < r->n; i++)
            column[i] = r->values[i * s->n_keeps + k];
        hdf5_put(f, group, keep_name(s, k), HDF5_DOUBLE, column, r->n);
    }
    hdf5_end_group(f, group);
    free(column);
}

static void put_messages(Hdf5File *f, const Results *r)
{
    const char **texts = study_alloc(r->n, sizeof *texts);
    for (uint64_t i = 0; i < r->n; i++)
        texts[i] = r->messages[i] ? r->messages[i] : "";
    hdf5_put(f, f->file, "message", HDF5_TEXT, texts, r->n);
    free(texts);
}

/* ---- trajectories: one long dataset per variable, in the order of points ---- */

typedef struct Rows {
    Hdf5File *f;
    const Study *s;
    const Results *r;
    Hdf5Id *sets;    /* time and the variables */
    uint64_t *first; /* row of each point */
    uint64_t total;
} Rows;

static void put_rows(void *user, const Record *record, const char *host)
{
    (void)host;
    const Rows *w = user;
    uint64_t n = record->n_rows;
    unsigned columns = w->s->n_trajectories + 1;
    if (!n || n != w->r->n_rows[record->point])
        return;
    double *column = study_alloc(n, sizeof *column);
    for (unsigned k = 0; k < columns; k++) {
        for (uint64_t i = 0; i < n; i++)
            column[i] = record->rows[i * columns + k];
        hdf5_write_slice(w->f, w->sets[k], w->total, w->first[record->point], n, column);
    }
    free(column);
}

static void put_trajectories(Hdf5File *f, const Study *s, const Results *r)
{
    Rows w = {.f = f, .s = s, .r = r};
    Hdf5Id group = hdf5_group(f, "trajectories");
    w.first = study_alloc(r->n + 1, sizeof *w.first);
    w.sets = study_alloc(s->n_trajectories + 1, sizeof *w.sets);
    for (uint64_t i = 0; i < r->n; i++) {
        w.first[i] = w.total;
        w.total += r->n_rows[i];
    }
    w.first[r->n] = w.total;
    hdf5_put(f, group, "first_row", HDF5_UINT64, w.first, r->n + 1);
    for (unsigned k = 0; k <= s->n_trajectories; k++) {
        const char *name = k ? s->trajectories[k - 1] : "time";
        w.sets[k] = hdf5_dataset(f, group, name, HDF5_DOUBLE, w.total);
    }
    journal_read(s, put_rows, &w);
    for (unsigned k = 0; k <= s->n_trajectories; k++)
        hdf5_end_dataset(f, w.sets[k]);
    hdf5_end_group(f, group);
    free(w.first);
    free(w.sets);
}

static void put_all(Hdf5File *f, const Study *s, const Results *r)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->design.seed);
    hdf5_attribute(f, f->file, "study", s->text);
    hdf5_attribute(f, f->file, "kairos", kairos_version());
    hdf5_attribute(f, f->file, "seed", seed);
    put_factors(f, s);
    put_kept(f, s, r);
    Hdf5Id d = hdf5_dataset(f, f->file, "status", HDF5_UINT8, r->n);
    hdf5_write_all(f, d, HDF5_UINT8, r->status);
    for (unsigned i = POINT_OK; i <= POINT_CRASHED; i++) {
        char label[32];
        snprintf(label, sizeof label, "value %u", i);
        hdf5_attribute(f, d, label, point_status_name((PointStatus)i));
    }
    hdf5_end_dataset(f, d);
    put_messages(f, r);
    if (s->n_trajectories)
        put_trajectories(f, s, r);
}

static bool on_disk(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = file >= 0 && !fsync(file);
    if (file >= 0)
        close(file);
    return ok;
}

bool hdf5_write(const Study *s, const Results *r, const char *path)
{
    if (!hdf5_load())
        return false;
    char *part = study_alloc(strlen(path) + sizeof ".part", 1);
    strcat(strcpy(part, path), ".part");
    Hdf5File f;
    if (hdf5_begin(&f, part))
        put_all(&f, s, r);
    hdf5_end(&f);
    f.ok = f.ok && on_disk(part) && !rename(part, path);
    if (!f.ok) {
        fprintf(stderr,
                "kairos: cannot write '%s'%s%s; the finished points are safe, and the same "
                "command writes the file again\n",
                path, errno ? ": " : "", errno ? strerror(errno) : "");
        unlink(part);
    }
    free(part);
    return f.ok;
}

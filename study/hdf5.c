/* The HDF5 file of a study (layout: docs/studies.md). The library is opened when needed; its
 * functions have these types since version 1.10. Files have no times, so that equal studies have
 * equal bytes. */
#include "study.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int64_t Id;
typedef unsigned long long Size;

enum { TRUNCATE = 2, VARIABLE = -1, CHUNK = 4096, LEVEL = 4, SCALAR = 0, UTF8 = 1, SELECT_SET = 0 };

#define FUNCTIONS(F)                                                                               \
    F(int, open, (void))                                                                           \
    F(Id, Fcreate, (const char *, unsigned, Id, Id))                                               \
    F(int, Fclose, (Id))                                                                           \
    F(Id, Gcreate2, (Id, const char *, Id, Id, Id))                                                \
    F(int, Gclose, (Id))                                                                           \
    F(Id, Screate, (int))                                                                          \
    F(Id, Screate_simple, (int, const Size *, const Size *))                                       \
    F(int, Sclose, (Id))                                                                           \
    F(int, Sselect_hyperslab, (Id, int, const Size *, const Size *, const Size *, const Size *))   \
    F(Id, Dcreate2, (Id, const char *, Id, Id, Id, Id, Id))                                        \
    F(int, Dwrite, (Id, Id, Id, Id, Id, const void *))                                             \
    F(int, Dclose, (Id))                                                                           \
    F(Id, Acreate2, (Id, const char *, Id, Id, Id, Id))                                            \
    F(int, Awrite, (Id, Id, const void *))                                                         \
    F(int, Aclose, (Id))                                                                           \
    F(Id, Pcreate, (Id))                                                                           \
    F(int, Pclose, (Id))                                                                           \
    F(int, Pset_chunk, (Id, int, const Size *))                                                    \
    F(int, Pset_shuffle, (Id))                                                                     \
    F(int, Pset_deflate, (Id, unsigned))                                                           \
    F(int, Pset_obj_track_times, (Id, _Bool))                                                      \
    F(Id, Tcopy, (Id))                                                                             \
    F(int, Tset_size, (Id, size_t))                                                                \
    F(int, Tset_cset, (Id, int))                                                                   \
    F(int, Tclose, (Id))                                                                           \
    F(int, Eset_auto2, (Id, void *, void *))                                                       \
    F(int, dont_atexit, (void))

typedef struct Hdf5 {
#define F(result, name, arguments) result(*name) arguments;
    FUNCTIONS(F)
#undef F
    const Id *native_double, *native_uint64, *native_uint8, *c_string, *dataset_create;
} Hdf5;

static void *opened(void)
{
    void *library = dlopen("libhdf5_serial.so.103", RTLD_NOW | RTLD_NODELETE);
    return library ? library : dlopen("libhdf5.so.103", RTLD_NOW | RTLD_NODELETE);
}

bool hdf5_load(void)
{
    if (opened())
        return true;
    fprintf(stderr,
            "kairos: cannot write HDF5: libhdf5_serial.so.103 is not installed; on Debian the "
            "package libhdf5-103-1 has it; an output file that ends with .csv does not need it\n");
    return false;
}

static bool bind(Hdf5 *h)
{
    void *library = opened();
    bool ok = library;
#define F(result, name, arguments)                                                                 \
    ok = ok && (*(void **)&h->name = dlsym(library, "H5" #name)) != NULL;
    FUNCTIONS(F)
#undef F
    /* Files are closed here. After a full disk, the library would write again at exit, and crash.
     */
    if (ok)
        h->dont_atexit();
    ok = ok && h->open() >= 0; /* the types exist from here on */
    ok = ok && (h->native_double = dlsym(library, "H5T_NATIVE_DOUBLE_g")) &&
         (h->native_uint64 = dlsym(library, "H5T_NATIVE_UINT64_g")) &&
         (h->native_uint8 = dlsym(library, "H5T_NATIVE_UINT8_g")) &&
         (h->c_string = dlsym(library, "H5T_C_S1_g")) &&
         (h->dataset_create = dlsym(library, "H5P_CLS_DATASET_CREATE_ID_g"));
    if (ok)
        h->Eset_auto2(0, NULL, NULL);
    return ok;
}

typedef struct File {
    const Hdf5 *h;
    Id file, text; /* text: type of texts of any length */
    bool ok;
} File;

/* ---- parts ---- */

static Id properties(const File *f, uint64_t n)
{
    Id p = f->h->Pcreate(*f->h->dataset_create);
    f->h->Pset_obj_track_times(p, 0);
    if (n) {
        f->h->Pset_chunk(p, 1, &(Size){n < CHUNK ? n : CHUNK});
        f->h->Pset_shuffle(p);
        f->h->Pset_deflate(p, LEVEL);
    }
    return p;
}

static void attribute(File *f, Id at, const char *name, const char *text)
{
    Id space = f->h->Screate(SCALAR), a = f->h->Acreate2(at, name, f->text, space, 0, 0);
    f->ok &= a >= 0 && f->h->Awrite(a, f->text, &text) >= 0;
    f->ok &= f->h->Aclose(a) >= 0;
    f->h->Sclose(space);
}

static Id dataset(File *f, Id at, const char *name, Id type, uint64_t n)
{
    Id space = f->h->Screate_simple(1, &(Size){n}, NULL), p = properties(f, n),
       d = f->h->Dcreate2(at, name, type, space, 0, p, 0);
    f->ok &= d >= 0;
    f->h->Pclose(p);
    f->h->Sclose(space);
    return d;
}

static void put(File *f, Id at, const char *name, Id type, const void *data, uint64_t n)
{
    Id d = dataset(f, at, name, type, n);
    f->ok &= d >= 0 && f->h->Dwrite(d, type, 0, 0, 0, data) >= 0;
    f->ok &= f->h->Dclose(d) >= 0; /* writes the last chunks */
}

/* Names may have slashes in quotes; HDF5 uses them for groups. */
static char *plain(const char *name)
{
    char *copy = strdup(name);
    for (char *at = copy; *at; at++)
        if (*at == '/')
            *at = '|';
    return copy;
}

/* The rows [first, first + count) of a dataset of `total` rows. */
static void put_slice(File *f, Id set, uint64_t total, uint64_t first, uint64_t count,
                      const double *data)
{
    const Hdf5 *h = f->h;
    Id file = h->Screate_simple(1, &(Size){total}, NULL),
       memory = h->Screate_simple(1, &(Size){count}, NULL);
    h->Sselect_hyperslab(file, SELECT_SET, &(Size){first}, NULL, &(Size){count}, NULL);
    f->ok &= h->Dwrite(set, *h->native_double, memory, file, 0, data) >= 0;
    h->Sclose(memory);
    h->Sclose(file);
}

static Id factor_set(File *f, Id group, const Factor *factor, uint64_t n)
{
    char *name = plain(factor->name);
    Id d = dataset(f, group, name, *f->h->native_double, n);
    for (size_t i = 0; factor->words && i < factor->n; i++) {
        char label[32];
        snprintf(label, sizeof label, "value %zu", i);
        attribute(f, d, label, factor->texts[i]);
    }
    free(name);
    return d;
}

/* Chunk by chunk, since a point has the values of all factors. */
static void put_factors(File *f, const Study *s)
{
    Id group = f->h->Gcreate2(f->file, "factors", 0, 0, 0), sets[s->n_factors + 1];
    uint64_t n = s->design.points;
    double *columns = malloc((s->n_factors + 1) * CHUNK * sizeof *columns),
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
            put_slice(f, sets[k], n, first, count, columns + k * CHUNK);
    }
    for (unsigned k = 0; k < s->n_factors; k++)
        f->ok &= f->h->Dclose(sets[k]) >= 0;
    f->ok &= f->h->Gclose(group) >= 0;
    free(columns);
}

static void put_kept(File *f, const Study *s, const Results *r)
{
    Id group = f->h->Gcreate2(f->file, "kept", 0, 0, 0);
    double *column = malloc(r->n * sizeof *column);
    for (unsigned k = 0; k < s->n_keeps && group >= 0; k++) {
        for (uint64_t i = 0; i < r->n; i++)
            column[i] = r->values[i * s->n_keeps + k];
        char *name = plain(keep_name(s, k));
        put(f, group, name, *f->h->native_double, column, r->n);
        free(name);
    }
    f->ok &= f->h->Gclose(group) >= 0;
    free(column);
}

static void put_messages(File *f, const Results *r)
{
    const char **texts = malloc(r->n * sizeof *texts);
    for (uint64_t i = 0; i < r->n; i++)
        texts[i] = r->messages[i] ? r->messages[i] : "";
    put(f, f->file, "message", f->text, texts, r->n);
    free(texts);
}

/* ---- trajectories: one long dataset per variable, in the order of points ---- */

typedef struct Rows {
    File *f;
    const Study *s;
    const Results *r;
    Id *sets;        /* time and the variables */
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
    double *column = malloc(n * sizeof *column);
    for (unsigned k = 0; k < columns; k++) {
        for (uint64_t i = 0; i < n; i++)
            column[i] = record->rows[i * columns + k];
        put_slice(w->f, w->sets[k], w->total, w->first[record->point], n, column);
    }
    free(column);
}

static void put_trajectories(File *f, const Study *s, const Results *r)
{
    Rows w = {.f = f, .s = s, .r = r};
    Id group = f->h->Gcreate2(f->file, "trajectories", 0, 0, 0);
    w.first = malloc((r->n + 1) * sizeof *w.first);
    w.sets = calloc(s->n_trajectories + 1, sizeof *w.sets);
    for (uint64_t i = 0; i < r->n; i++) {
        w.first[i] = w.total;
        w.total += r->n_rows[i];
    }
    w.first[r->n] = w.total;
    put(f, group, "first_row", *f->h->native_uint64, w.first, r->n + 1);
    for (unsigned k = 0; k <= s->n_trajectories; k++) {
        char *name = plain(k ? s->trajectories[k - 1] : "time");
        w.sets[k] = dataset(f, group, name, *f->h->native_double, w.total);
        free(name);
    }
    journal_read(s, put_rows, &w);
    for (unsigned k = 0; k <= s->n_trajectories; k++)
        f->ok &= f->h->Dclose(w.sets[k]) >= 0;
    f->ok &= f->h->Gclose(group) >= 0;
    free(w.first);
    free(w.sets);
}

static void put_all(File *f, const Study *s, const Results *r)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->design.seed);
    attribute(f, f->file, "study", s->text);
    attribute(f, f->file, "kairos", kairos_version());
    attribute(f, f->file, "seed", seed);
    put_factors(f, s);
    put_kept(f, s, r);
    Id d = dataset(f, f->file, "status", *f->h->native_uint8, r->n);
    f->ok &= f->h->Dwrite(d, *f->h->native_uint8, 0, 0, 0, r->status) >= 0;
    for (unsigned i = POINT_OK; i <= POINT_CRASHED; i++) {
        char label[32];
        snprintf(label, sizeof label, "value %u", i);
        attribute(f, d, label, point_status_name((PointStatus)i));
    }
    f->ok &= f->h->Dclose(d) >= 0;
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
    Hdf5 h = {0};
    if (!hdf5_load())
        return false;
    if (!bind(&h)) {
        fprintf(stderr, "kairos: cannot write HDF5: the library lacks a function; version 1.10 or "
                        "later is needed\n");
        return false;
    }
    char *part = malloc(strlen(path) + sizeof ".part");
    strcat(strcpy(part, path), ".part");
    File f = {.h = &h, .ok = true};
    f.text = h.Tcopy(*h.c_string);
    h.Tset_size(f.text, (size_t)VARIABLE);
    h.Tset_cset(f.text, UTF8);
    f.file = h.Fcreate(part, TRUNCATE, 0, 0);
    f.ok = f.file >= 0;
    if (f.ok)
        put_all(&f, s, r);
    if (f.file >= 0)
        f.ok &= h.Fclose(f.file) >= 0;
    h.Tclose(f.text);
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

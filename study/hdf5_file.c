/* Parts of HDF5 files. The functions of the library have these types since version 1.10. */
#include "hdf5_file.h"

#include "memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef Hdf5Id Id;
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

/* One library for the process: once it is bound, it stays. */
static struct {
#define F(result, name, arguments) result(*name) arguments;
    FUNCTIONS(F)
#undef F
    const Id *native_double, *native_uint64, *native_uint8, *c_string, *dataset_create;
    bool bound;
} h;

static void *opened(void)
{
    void *library = dlopen("libhdf5_serial.so.103", RTLD_NOW | RTLD_NODELETE);
    return library ? library : dlopen("libhdf5.so.103", RTLD_NOW | RTLD_NODELETE);
}

static bool bind(void *library)
{
    bool ok = true;
#define F(result, name, arguments)                                                                 \
    ok = ok && (*(void **)&h.name = dlsym(library, "H5" #name)) != NULL;
    FUNCTIONS(F)
#undef F
    /* Files are closed here. After a full disk, the library would write again at exit, and crash.
     */
    if (ok)
        h.dont_atexit();
    ok = ok && h.open() >= 0; /* the types exist from here on */
    ok = ok && (h.native_double = dlsym(library, "H5T_NATIVE_DOUBLE_g")) &&
         (h.native_uint64 = dlsym(library, "H5T_NATIVE_UINT64_g")) &&
         (h.native_uint8 = dlsym(library, "H5T_NATIVE_UINT8_g")) &&
         (h.c_string = dlsym(library, "H5T_C_S1_g")) &&
         (h.dataset_create = dlsym(library, "H5P_CLS_DATASET_CREATE_ID_g"));
    if (ok)
        h.Eset_auto2(0, NULL, NULL);
    return ok;
}

const char *hdf5_missing(void)
{
    void *library = opened();
    if (!library)
        return "libhdf5_serial.so.103 is not installed; on Debian the package libhdf5-103-1 has "
               "it; "
               "an output file that ends with .csv does not need it";
    h.bound = h.bound || bind(library);
    return h.bound ? NULL : "the library lacks a function; version 1.10 or later is needed";
}

bool hdf5_begin(Hdf5File *f, const char *path)
{
    f->text = h.Tcopy(*h.c_string);
    h.Tset_size(f->text, (size_t)VARIABLE);
    h.Tset_cset(f->text, UTF8);
    f->file = h.Fcreate(path, TRUNCATE, 0, 0);
    f->ok = f->file >= 0;
    return f->ok;
}

bool hdf5_end(Hdf5File *f)
{
    if (f->file >= 0)
        f->ok &= h.Fclose(f->file) >= 0;
    h.Tclose(f->text);
    return f->ok;
}

/* ---- parts ---- */

Hdf5Id hdf5_group(Hdf5File *f, const char *name)
{
    Id group = h.Gcreate2(f->file, name, 0, 0, 0);
    f->ok &= group >= 0;
    return group;
}

void hdf5_end_group(Hdf5File *f, Hdf5Id group)
{
    f->ok &= h.Gclose(group) >= 0;
}

void hdf5_attribute(Hdf5File *f, Hdf5Id at, const char *name, const char *text)
{
    Id space = h.Screate(SCALAR), a = h.Acreate2(at, name, f->text, space, 0, 0);
    f->ok &= a >= 0 && h.Awrite(a, f->text, &text) >= 0;
    f->ok &= h.Aclose(a) >= 0;
    h.Sclose(space);
}

static Id properties(uint64_t n)
{
    Id p = h.Pcreate(*h.dataset_create);
    h.Pset_obj_track_times(p, 0);
    if (n) {
        h.Pset_chunk(p, 1, &(Size){n < CHUNK ? n : CHUNK});
        h.Pset_shuffle(p);
        h.Pset_deflate(p, LEVEL);
    }
    return p;
}

static Id type_of(const Hdf5File *f, Hdf5Type type)
{
    return type == HDF5_DOUBLE   ? *h.native_double
           : type == HDF5_UINT64 ? *h.native_uint64
           : type == HDF5_UINT8  ? *h.native_uint8
                                 : f->text;
}

Hdf5Id hdf5_dataset(Hdf5File *f, Hdf5Id at, const char *name, Hdf5Type type, uint64_t n)
{
    char *plain = study_copy(name);
    for (char *c = plain; c && *c; c++)
        if (*c == '/')
            *c = '|';
    Id space = h.Screate_simple(1, &(Size){n}, NULL), p = properties(n),
       d = h.Dcreate2(at, plain ? plain : "", type_of(f, type), space, 0, p, 0);
    f->ok &= d >= 0;
    h.Pclose(p);
    h.Sclose(space);
    free(plain);
    return d;
}

void hdf5_write_all(Hdf5File *f, Hdf5Id set, Hdf5Type type, const void *data)
{
    f->ok &= set >= 0 && h.Dwrite(set, type_of(f, type), 0, 0, 0, data) >= 0;
}

void hdf5_write_slice(Hdf5File *f, Hdf5Id set, uint64_t total, uint64_t first, uint64_t count,
                      const double *data)
{
    Id file = h.Screate_simple(1, &(Size){total}, NULL),
       memory = h.Screate_simple(1, &(Size){count}, NULL);
    h.Sselect_hyperslab(file, SELECT_SET, &(Size){first}, NULL, &(Size){count}, NULL);
    f->ok &= h.Dwrite(set, *h.native_double, memory, file, 0, data) >= 0;
    h.Sclose(memory);
    h.Sclose(file);
}

void hdf5_end_dataset(Hdf5File *f, Hdf5Id set)
{
    f->ok &= h.Dclose(set) >= 0; /* writes the last chunks */
}

void hdf5_put(Hdf5File *f, Hdf5Id at, const char *name, Hdf5Type type, const void *data, uint64_t n)
{
    Id d = hdf5_dataset(f, at, name, type, n);
    hdf5_write_all(f, d, type, data);
    hdf5_end_dataset(f, d);
}

/* Files of HDF5 in parts: groups, datasets of one dimension, and texts as attributes.
 *
 * The library is opened when needed, not linked. An error sets `ok` to false; later calls are
 * harmless, and hdf5_end returns the sum of all. Files have no times, so that equal data have
 * equal bytes. */
#ifndef STUDY_HDF5_FILE_H
#define STUDY_HDF5_FILE_H

#include <stdbool.h>
#include <stdint.h>

typedef int64_t Hdf5Id;
typedef enum Hdf5Type { HDF5_DOUBLE, HDF5_UINT64, HDF5_UINT8, HDF5_TEXT } Hdf5Type;

typedef struct Hdf5File {
    Hdf5Id file, text; /* text: type of texts of any length */
    bool ok;
} Hdf5File;

/* Why no file can be written, and what to install; NULL if it can. */
const char *hdf5_missing(void);

/* Requires that nothing is missing. */
bool hdf5_begin(Hdf5File *f, const char *path);
bool hdf5_end(Hdf5File *f);

Hdf5Id hdf5_group(Hdf5File *f, const char *name);
void hdf5_end_group(Hdf5File *f, Hdf5Id group);
void hdf5_attribute(Hdf5File *f, Hdf5Id at, const char *name, const char *text);

/* A slash in a name becomes a bar, because HDF5 uses slashes for groups. */
Hdf5Id hdf5_dataset(Hdf5File *f, Hdf5Id at, const char *name, Hdf5Type type, uint64_t n);
void hdf5_write_all(Hdf5File *f, Hdf5Id set, Hdf5Type type, const void *data);
/* The rows [first, first + count) of a dataset of `total` numbers. */
void hdf5_write_slice(Hdf5File *f, Hdf5Id set, uint64_t total, uint64_t first, uint64_t count,
                      const double *data);
void hdf5_end_dataset(Hdf5File *f, Hdf5Id set);
/* A dataset from its beginning to its end. */
void hdf5_put(Hdf5File *f, Hdf5Id at, const char *name, Hdf5Type type, const void *data,
              uint64_t n);

#endif

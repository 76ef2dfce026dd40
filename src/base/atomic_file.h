/* Files that appear complete or not at all. They have no name until they are complete, so that
 * nothing is left if the process is killed; where the file system has no such files, they are
 * written under another name in the same folder and renamed at the end. Functions that return false
 * leave the reason in errno. */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include "base/diag.h"
#include "base/text.h"

#include <stdio.h>

typedef struct AtomicFile {
    FILE *file; /* to write to, and to seek in */
    char *path;
    char *part;    /* name until complete; NULL: not a regular file, written directly */
    bool nameless; /* has no name yet, not even `part` */
} AtomicFile;

/* After a failure the file is to be discarded as well. */
bool atomic_open(AtomicFile *f, const char *path);
/* Closes the file and gives it its name. */
bool atomic_commit(AtomicFile *f);
/* Closes the file and removes it. */
void atomic_discard(AtomicFile *f);

/* A whole text. `sync`: it is on the disk when this returns. */
bool atomic_save(const char *path, const char *text, size_t n, bool sync);
/* The same; reports a failure as U002. */
bool atomic_save_text(Context *ctx, const char *path, const Text *t);

#endif

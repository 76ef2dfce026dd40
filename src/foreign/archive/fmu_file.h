/* The file of an FMU, unpacked, with its description.
 *
 * In: the path of a file of unknown origin. Out: a folder of its own, which fmu_close removes, and
 * the description. No code of the FMU runs here. */
#ifndef FOREIGN_FMU_FILE_H
#define FOREIGN_FMU_FILE_H

#include "foreign/description/description.h"

typedef struct FmuFile {
    Arena *arena;
    const char *path;   /* as given */
    char *outer;        /* folder of all files; NULL: not made yet */
    int owner;          /* the process that made it, and removes it */
    const char *folder; /* with the contents */
    const char *call;   /* file in which instances note the function that they call */
    FmiDescription *description;
} FmuFile;

/* False after a message. In any case, also if memory runs out, *f is to be closed. */
bool fmu_open(Context *ctx, const char *path, FmuFile **f);
void fmu_close(FmuFile *f);

/* The path of the binary for this machine; NULL, and the reason in the arena. */
const char *fmu_binary(const FmuFile *f, const char *identifier, Arena *arena, const char **why);

/* ---- folders, also for other archives ---- */

/* A new folder for temporary files; its name goes to *folder, in the arena, before it is made.
 * False after a message. */
bool archive_folder(Context *ctx, Arena *arena, char **folder);
/* Removes the folder with everything in it. */
void archive_remove(const char *folder);
/* Reads a file; its bytes are in the arena, NUL-terminated. NULL with errno set. */
char *archive_read(const char *path, Arena *arena, size_t *n);

#endif

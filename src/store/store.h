/* The libraries a user has added, kept between calls.
 *
 * The store is in $KAIROS_DATA, otherwise in $XDG_DATA_HOME/kairos, otherwise in
 * $HOME/.local/share/kairos. Its file `libraries/index` has one line per folder with packages:
 * kind, source, folder, separated by tabs. A folder or a checkout stays where it is; a zip is
 * unpacked below `libraries/`. The index is replaced as a whole under a lock, so that it is never
 * half written. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/context.h"

typedef struct StoreEntry {
    const char *kind;   /* "folder", "checkout" or "zip" */
    const char *source; /* the source that was added, as an absolute path */
    /* in which packages are looked for, or which is a package itself; absolute */
    const char *folder;
} StoreEntry;

typedef struct Store {
    Context *ctx;
    Arena *arena;
    const char *place; /* folder `libraries` of the store; NULL if the user has no home */
    VEC(StoreEntry) entries;
    int lock; /* descriptor; -1 if not held */
} Store;

/* The store as it is now; an absent one is empty. */
Store *store_open(Context *ctx);
void store_close(Store *s);
/* Makes its folder, takes the lock and reads the index again. False after an error. */
bool store_lock(Store *s);
/* Puts the entries into the index. False after an error; the old index then stays. */
bool store_write(Store *s);
/* Finds the folders with packages in `source` (a folder, or a zip that is unpacked into the store)
 * and appends them to the entries. Returns the number of them; 0 after an error. */
uint32_t store_take(Store *s, const char *source);
/* Removes all entries with the source of entry `at`, and deletes the files that store_take made for
 * them. Writes the index first. */
bool store_drop(Store *s, uint32_t at);
/* Deletes the files that were unpacked for an entry that is not in the index. */
void store_discard(Store *s, const StoreEntry *e);

/* Unpacks a zip into an empty folder. False after an error; files written so far stay. */
bool store_unzip(Context *ctx, const char *path, const char *folder);
/* All folders on the way to the last one of `path` (0755). False with errno set. */
bool store_make_folders(const char *path);

#endif

/* A folder for temporary files, which this process locks. If the process is killed, the next one
 * that opens a folder of this kind removes it. */
#ifndef BASE_TEMPORARY_FOLDER_H
#define BASE_TEMPORARY_FOLDER_H

enum { TEMPORARY_FOLDER = 512 };

typedef struct TemporaryFolder {
    char path[TEMPORARY_FOLDER]; /* "" while there is none */
    int lock;                    /* -1: none */
} TemporaryFolder;

/* Makes a folder in `base`, named kairos-KIND-XXXXXX. 0, or errno. */
int temporary_folder_open(TemporaryFolder *f, const char *base, const char *kind);
/* Removes it with all files in it. */
void temporary_folder_close(TemporaryFolder *f);

#endif

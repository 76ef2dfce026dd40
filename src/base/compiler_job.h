/* A run of the system's C compiler in its own process group and temporary folder. So it can be
 * ended with everything it started and wrote. If this process is killed, a guard does that. */
#ifndef BASE_COMPILER_JOB_H
#define BASE_COMPILER_JOB_H

#include "base/memory.h"
#include "base/temporary_folder.h"

#include <sys/types.h>

enum { COMPILER_PATH = TEMPORARY_FOLDER + 16 };

typedef struct CompilerJob {
    TemporaryFolder folder;
    char source[COMPILER_PATH], object[COMPILER_PATH], log[COMPILER_PATH]; /* files in it */
    pid_t pid; /* of the compiler, which leads its process group; 0 while none runs */
    bool failed;
    pid_t guard; /* 0: none */
    int guard_pipe;
} CompilerJob;

/* For work that must not disturb: it gets low priority, and fails beyond these limits. */
typedef struct CompilerLimits {
    long kilobytes; /* of memory */
    long seconds;   /* of processor time, for each of its processes */
} CompilerLimits;

/* Makes a folder in `base` and the names of the files in it, which end in NAME.c, NAME.so and log.
 * 0, or errno. */
int compiler_open(CompilerJob *j, const char *base, const char *name);
/* Starts argv with its output in the log and its temporary files in the folder. Limits may be NULL.
 * 0, or errno. */
int compiler_start(CompilerJob *j, char *const *argv, const CompilerLimits *limits);
/* Whether the compiler has ended; `failed` is the result. */
bool compiler_ended(CompilerJob *j);
/* Waits for its end. Ends it, and returns false, once *interrupt is set. */
bool compiler_wait(CompilerJob *j, const _Atomic int *interrupt);
/* Ends the compiler. True if it was running. */
bool compiler_kill(CompilerJob *j);
/* Removes the folder with all files in it. */
void compiler_close(CompilerJob *j);

#endif

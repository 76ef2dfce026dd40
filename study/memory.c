/* See memory.h. */
#include "memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
    if (p)
        return p;
    fputs("kairos: the study needs more memory than there is. Finished points are kept; the same "
          "command continues. Use fewer points, or more memory.\n",
          stderr);
    exit(1);
}

void *study_alloc(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}

void *study_resize(void *p, size_t n, size_t size)
{
    size_t bytes;
    bool over = __builtin_mul_overflow(n, size, &bytes);
    return checked(over ? NULL : realloc(p, bytes ? bytes : 1));
}

char *study_copy_part(const char *text, size_t n)
{
    return checked(strndup(text, n));
}

char *study_copy(const char *text)
{
    return checked(strdup(text));
}

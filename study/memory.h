/* Memory of a study. If there is none, the program ends with a message. This loses nothing:
 * finished points are in the journals, and the same command continues. */
#ifndef STUDY_MEMORY_H
#define STUDY_MEMORY_H

#include <stddef.h>

/* Zeroed memory of n elements, to be freed. Without memory the program ends with a message. */
void *study_alloc(size_t n, size_t size);
/* The same, with the contents of p, which may be NULL. What is new is not zeroed. */
void *study_resize(void *p, size_t n, size_t size);
char *study_copy(const char *text);
/* The first n characters. */
char *study_copy_part(const char *text, size_t n);

#endif

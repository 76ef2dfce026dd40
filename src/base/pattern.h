/* Patterns of names, as options of the command line have them. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <stdbool.h>

/* Whether the pattern means the name: * stands for any characters, ? for one; brackets are those of
 * subscripts. */
bool pattern_names(const char *pattern, const char *name);

#endif

/* Patterns of names, as options of the command line have them. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <stdbool.h>

/* Whether the pattern matches the name: * matches any characters, ? matches one; brackets are
 * subscripts. */
bool pattern_names(const char *pattern, const char *name);

#endif

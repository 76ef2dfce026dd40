/* Lists in the values of options: names, bounds of names, numbers of names. */
#ifndef CLI_LISTS_H
#define CLI_LISTS_H

#include "options.h"

/* Names separated by commas, outside brackets, of all texts. */
char **list_names(const TextList *list, unsigned *n);
void free_listed(char **names, unsigned n);

/* name=low:high of all texts. An open end (a=0:, b=:5) is infinite. NULL after a message, which
 * names the option. */
KairosRange *list_ranges(const char *option, const TextList *list, unsigned *n);
void free_ranges(KairosRange *ranges, unsigned n);

/* name=number of all texts. NULL after a message. */
KairosNumber *list_numbers(const char *option, const TextList *list, unsigned *n);
void free_numbers(KairosNumber *numbers, unsigned n);

#endif

/* A command in a process of its own. */
#ifndef APART_H
#define APART_H

#include "options.h"

#include <stdbool.h>

/* If an argument is an FMU, the rest of the command runs in a child process. In the parent, true
 * when that has ended, with its status: a crash is reported. In the child, and for other commands,
 * false. */
bool apart(const Options *o, int *status);

#endif

/* Files below a folder, reached without following links, so that no path leads out of it. */
#ifndef STUDIO_CONFINE_H
#define STUDIO_CONFINE_H

#include "base/text.h"

/* Whether each part is a plain name that is not hidden; no part leads up. */
bool confine_is_plain(const char *path);
/* The folder with the last part of `path`; it is made if it is missing and `make` is set. *last is
 * that part. -1 with errno. */
int confine_parent(int top, const char *path, bool make, const char **last);
/* Reads a whole file of at most 16 MB; false with errno: ELOOP for a link. */
bool confine_read(int top, const char *path, Text *t);
bool confine_read_fd(int fd, Text *t);

#endif

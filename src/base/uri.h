/* Addresses of files: "file:///a%20b" and "/a b". */
#ifndef BASE_URI_H
#define BASE_URI_H

#include "base/text.h"

/* Appends the address of an absolute path; another path stays as it is. */
void uri_put(Text *t, const char *path);
/* Appends the path of an address. False, with the text as it is, if it is not of a file. */
bool uri_put_path(Text *t, const char *uri);

#endif
